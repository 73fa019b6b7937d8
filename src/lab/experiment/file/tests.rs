use super::*;
use crate::config::MAX_FILE_BYTES;

/// The errors of a text, one per line.
fn errors_of(text: &str) -> Vec<String> {
    match read("mine.toml", text) {
        Ok(_) => Vec::new(),
        Err(wrongs) => wrongs.iter().map(ToString::to_string).collect(),
    }
}

const HEAD: &str = "about = 'a'\nquestion = 'q'\ncolumns = ['system']\n";
const FACTOR: &str = "[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60]\n";

#[test]
fn a_minimal_file_is_valid() {
    let plan = read("mine", &format!("{HEAD}[base]\nload = 'usemem'\n{FACTOR}")).unwrap();
    assert_eq!((plan.repetitions, plan.factors[0].values.len()), (3, 2));
    assert_eq!(plan.factors[0].values[1].name, "60");
}

#[test]
fn across_and_published_are_read() {
    let text = format!(
        "{HEAD}across = 'f'\n[base]\nload = 'usemem'\n{FACTOR}\
        [published]\nmachine = 'm'\nheads = ['a', 'b', 'c']\nnames = 2\nrows = [['1', '2', '3']]\n"
    );
    let plan = read("mine", &text).unwrap();
    assert_eq!(plan.across.as_deref(), Some("f"));
    assert_eq!(plan.published.unwrap().names, 2);
    let text = text.replace("names = 2\n", "").replace("across = 'f'\n", "");
    let plan = read("mine", &text).unwrap();
    assert_eq!((plan.across, plan.published.unwrap().names), (None, 1));
}

#[test]
fn errors_name_line_and_key() {
    let wrong = [
        ("a = [", ":1: this is not TOML"),
        (
            "about = 'a'\nrepetitions = 2\nrepetitions = 3\n",
            ":3: repetitions: this key is set twice: remove one of them",
        ),
        (
            "about = 'a'\nquestion = 'q'\ncolumns = ['system', 'sytem']\n",
            ":3: columns: unknown figure \"sytem\"",
        ),
        (
            "\n\nabuot = 'a'\n",
            ":3: abuot: unknown key: use about, question, repetitions, columns, answer, across, base, factor, note, published; did you mean about?",
        ),
        ("question = 'q'\n", "mine.toml: about: this key is required"),
        ("repetitions = 0\n", ":1: repetitions: \"0\" is not valid"),
        ("[base]\nlimit = '5'\n", ":2: base.limit: \"5\" has no unit: use 5G or 5T"),
        ("[base]\nwith.x.y = 'z'\nsize = '1'\n", ":3: base.size: unknown key"),
        (
            "[[factor]]\nname = 'f'\nkey = 'set.x'\n",
            ":3: factor: a factor has either key and values, or a [[factor.value]]",
        ),
        (
            "[[factor]]\nname = 'f'\nkey = 'set.x'\nvalues = [1]\n",
            ":4: factor: \"f\" has fewer than two values",
        ),
        (
            "[[factor]]\nname = 'f'\nkey = 'priorities'\nvalues = ['equal', 'high']\n",
            ":4: factor.priorities: \"high\" is not valid",
        ),
        (
            "[[factor]]\nname = 'f'\nkey = 'set.x'\nvalues = [1, 1]\n",
            ":4: factor: two values are called \"1\"",
        ),
        ("[[note]]\ntext = 'x'\nwhen = 'never'\n", ":3: note.when: \"never\" is not valid"),
        (
            "[published]\nmachine = 'm'\nheads = ['a']\nrows = [['1', '2']]\n",
            ":4: published.rows: a row has 2 values, but heads has 1",
        ),
        (
            "[published]\nmachine = 'm'\nheads = ['a', 'b']\nnames = 3\nrows = [['1', '2']]\n",
            ":4: published.names: \"3\" is not valid: use a whole number from 1 to 2, the number of heads",
        ),
        (
            "columns = ['used']\nacross = 'fold'\n[[factor]]\nname = 'folds'\n[[factor]]\nname = 'g'\n",
            ":2: across: unknown factor \"fold\": use one of folds, g; did you mean folds?",
        ),
        (
            "columns = ['used']\nacross = 'f'\n",
            ":2: across: there is no figure to show: add one to columns besides used",
        ),
        (
            "columns = ['used']\nanswer = ['system']\n",
            ":2: answer: \"system\" is not in the table: add it to columns",
        ),
        ("across = ['f']\n", ":1: across: a value of type array is not valid"),
        ("about = ['x']\n", ":1: about: a value of type array is not valid"),
    ];
    for (text, says) in wrong {
        let told = errors_of(text);
        assert!(told.iter().any(|line| line.contains(says)), "{text}: {told:#?}");
    }
}

#[test]
fn a_load_is_required_and_cases_are_limited() {
    assert!(
        errors_of(&format!("{HEAD}{FACTOR}")).concat().contains("base.load: this key is required")
    );
    let many = (0..17).map(|value| value.to_string()).collect::<Vec<_>>().join(",");
    let factor = |name: &str| {
        format!("[[factor]]\nname = '{name}'\nkey = 'set.{name}'\nvalues = [{many}]\n")
    };
    let text = format!("{HEAD}[base]\nload = 'usemem'\n{}{}", factor("a"), factor("b"));
    assert!(errors_of(&text).concat().contains("289 cases are too many"));
    // As many factors of two values as a number has bits.
    let two = |nth| format!("[[factor]]\nname = 'f{nth}'\nkey = 'set.f{nth}'\nvalues = [1, 2]\n");
    let text = format!("{HEAD}[base]\nload = 'usemem'\n{}", (0..64).map(two).collect::<String>());
    assert!(errors_of(&text).concat().contains("cases are too many"));
    let large = format!("{HEAD}#{}", "x".repeat(MAX_FILE_BYTES));
    assert!(errors_of(&large).concat().contains("larger than 65536 bytes"));
}

#[test]
fn a_case_has_one_kind_or_one_per_area() {
    let told = |base: &str, values: &str| {
        errors_of(&format!(
            "{HEAD}[base]\nload = 'usemem'\n{base}\n[[factor]]\nname = 'f'\nkey = 'devices'\nvalues = {values}\n"
        ))
    };
    let values = "['2x1G', '4x1G']";
    assert_eq!(told("kind = 'file'", values), [""; 0]);
    assert_eq!(told("kind = 'zram,file'", "['2x1G', '1G,2G']"), [""; 0]);
    assert_eq!(
        told("kind = 'zram,file'", values),
        ["mine.toml:6: kind: case 4x1G: 2 kinds for 4 areas: use one, or one for each area"]
    );
}

#[test]
fn a_case_has_as_many_priorities_as_areas() {
    let told = |base: &str, priorities: &str| {
        errors_of(&format!(
            "{HEAD}[base]\nload = 'usemem'\n{base}\n[[factor]]\nname = 'f'\nkey = 'priorities'\nvalues = {priorities}\n"
        ))
    };
    assert_eq!(told("devices = '4x1G'", "['equal', '5,5,0,0']"), [""; 0]);
    assert_eq!(told("", "['equal', '5,5']"), [""; 0], "other areas keep their priorities");
    let fewer = told("devices = '4x1G'", "['equal', '5,5']").concat();
    let says = "mine.toml:10: priorities: case 5,5: 2 priorities for 4 areas: use one for each";
    assert!(fewer.starts_with(says), "{fewer}");
    let more = told("devices = '1x1G'", "['5', '5,5']").concat();
    assert!(more.contains("priorities: case 5,5: 2 priorities for 1 area: "), "{more}");
}

/// Swap files are not compressed: such a case would equal one without the algorithm.
#[test]
fn an_algorithm_has_areas_on_zram() {
    let told = |base: &str, key: &str, values: &str| {
        errors_of(&format!(
            "{HEAD}[base]\nload = 'usemem'\n{base}\n[[factor]]\nname = 'f'\nkey = '{key}'\nvalues = {values}\n"
        ))
    };
    let two = "devices = '2x1G'";
    let lz4 = format!("algorithm = 'lz4'\n{two}");
    assert_eq!(told(two, "algorithm", "['lz4', 'zstd']"), [""; 0]);
    assert_eq!(told(&lz4, "kind", "['zram', 'file']"), [""; 0], "it applies to the first case");
    assert_eq!(told(&lz4, "kind", "['file,zram', 'zram,file']"), [""; 0]);
    for wrong in [
        told(&format!("{two}\nkind = 'file'"), "algorithm", "['lz4', 'zstd']"),
        told("", "algorithm", "['lz4', 'zstd']"),
    ] {
        let says = "algorithm: case lz4: only zram compresses, and no temporary area is on zram";
        assert!(wrong.concat().contains(says), "{wrong:?}");
    }
    let base = told(&format!("{lz4}\nkind = 'file'"), "set.swappiness", "[1, 60]").concat();
    assert!(base.starts_with("mine.toml:6: algorithm: case 1: only zram"), "{base}");
}

#[test]
fn two_factors_of_one_name_are_refused() {
    let factor = |values: &str| {
        format!("[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = {values}\n")
    };
    let text = format!("{HEAD}[base]\nload = 'usemem'\n{}{}", factor("[1, 60]"), factor("[2, 61]"));
    let says = "mine.toml:11: factor.name: two factors are called \"f\": use different names";
    assert_eq!(errors_of(&text), [says]);
    let nameless = errors_of(&text.replace("name = 'f'\n", "")).concat();
    assert!(!nameless.contains("two factors"), "a missing name is reported alone: {nameless}");
}

/// Both are columns of JSON and CSV.
#[test]
fn a_factor_named_like_a_column_of_figures_is_refused() {
    let errors = |name: &str| {
        let factor =
            format!("[[factor]]\nname = '{name}'\nkey = 'set.swappiness'\nvalues = [1, 60]\n");
        errors_of(&format!("{HEAD}[base]\nload = 'usemem'\n{factor}"))
    };
    for name in ["elapsed", "swapped_out", "elapsed_unit", "swpout_64kB_count", "used", "used1"] {
        let says = format!(
            "mine.toml:7: factor.name: \"{name}\" is the name of a column of figures: use another name"
        );
        assert_eq!(errors(name), [says]);
    }
    for name in ["run_kernel", "used0_priority"] {
        assert!(errors(name).concat().contains("use another name"), "{name}");
    }
    for name in ["used-first", "swapping", "priority", "unit", "run"] {
        assert_eq!(errors(name), [""; 0]);
    }
}

/// Errors that only follow from another error are not reported.
#[test]
fn one_error_does_not_cause_others() {
    let plan = |base: &str, factor: &str| {
        errors_of(&format!("{HEAD}[base]\n{base}\n[[factor]]\nname = 'f'\n{factor}\n"))
    };
    let ours = "key = 'set.swappiness'\nvalues = [1, 60]";
    for (base, factor, line) in [
        ("load = 'usemem'\ndevices = '0x1G'\nalgorithm = 'lz4'", ours, 6),
        ("load = ['usemem']", ours, 5),
        ("load = 'usemem'", "key = 'set.swappiness'\nvalues = 'some'", 9),
        ("load = 'usemem'", "value = 'some'", 8),
        ("load = 'usemem'\nalgorithm = 'lz4'", "key = 'devices'\nvalues = ['x', 'y']", 10),
    ] {
        let told = plan(base, factor);
        let place = format!("mine.toml:{line}: ");
        assert!(told.iter().all(|told| told.starts_with(&place)), "{told:#?}");
        assert!(!told.is_empty(), "{base} {factor}");
    }
    let columns = errors_of("about = 'a'\nquestion = 'q'\ncolumns = 'used'\n");
    assert_eq!(columns.iter().filter(|told| told.contains("columns")).count(), 1, "{columns:#?}");
    let factor = errors_of(&format!("{HEAD}[base]\nload = 'usemem'\n[factor]\nname = 'f'\n"));
    assert_eq!(factor.len(), 1, "{factor:#?}");
}

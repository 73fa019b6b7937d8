use super::super::{Combination, cases};
use super::*;
use crate::columns::text;
use crate::lab::builtin::{self, EXPERIMENTS};
use crate::model::experiment::{FactorValue, SCHEMA};
use crate::model::run::{FolioRun, RepetitionEnd, Run};

/// A case with the measurements of a stored run.
fn case(name: &str, run: Option<Run>) -> Case {
    let level = FactorValue { factor: "priorities".to_owned(), value: name.to_owned() };
    Case { name: name.to_owned(), factors: vec![level], run }
}

fn parse_run(text: &str) -> Run {
    serde_json::from_str(text).unwrap()
}

fn experiment() -> Experiment {
    let first = parse_run(include_str!("../../../../tests/results/kept/1-before.json"));
    let second = parse_run(include_str!("../../../../tests/results/kept/2-after.json"));
    let columns = ["used", "system", "throughput_sum", "free_mean", "swapoff"];
    Experiment {
        schema: SCHEMA,
        version: String::new(),
        id: 0,
        at_ms: 0,
        title: "balance".to_owned(),
        question: "Where do pages go?".to_owned(),
        seed: 1,
        repetitions: 5,
        order: Vec::new(),
        why: None,
        columns: columns.map(str::to_owned).into(),
        answer: Vec::new(),
        across: None,
        notes: vec!["All of it is made up.".to_owned()],
        cases: vec![
            case("default", Some(first)),
            case("equal", Some(second)),
            case("distinct", None),
        ],
    }
}

/// The expected text is short enough to be edited by hand, without `UPDATE_GOLDEN`.
#[test]
fn the_table_matches_the_expected_text() {
    let lines = lines(&experiment(), None, 80);
    let wanted: Vec<&str> = include_str!("expected.txt").lines().collect();
    assert_eq!(lines, wanted, "\n{}", lines.join("\n"));
    assert!(lines.iter().all(|line| text::width(line) <= 80));
}

/// The file of another person can hold anything.
#[test]
fn escape_sequences_are_removed() {
    let evil = "\u{1b}]0;x\u{7}\n | y".to_owned();
    let mut experiment = experiment();
    experiment.notes = vec![evil.clone()];
    experiment.why = Some(evil.clone());
    experiment.across = Some(evil.clone());
    for (place, case) in experiment.cases.iter_mut().enumerate() {
        case.factors = vec![FactorValue { factor: evil.clone(), value: format!("{evil}{place}") }];
        case.name.clone_from(&evil);
    }
    let all: Vec<String> = lines(&experiment, None, 80);
    assert!(!all.concat().contains(char::is_control), "{all:?}");
    assert!(all.iter().any(|line| line.starts_with("System time s, by ")), "{all:?}");
}

#[test]
fn one_repetition_is_not_compared() {
    let mut experiment = experiment();
    for run in experiment.cases.iter_mut().filter_map(|case| case.run.as_mut()) {
        run.measured.truncate(1);
    }
    assert!(contrasts(&experiment).is_empty());
    let table = measured(&experiment);
    assert!(!table.rows.concat().iter().any(|cell| cell.contains("+-")), "{table:?}");
}

#[test]
fn cases_are_compared_where_one_factor_differs() {
    let words = |it: &Contrast| {
        let others: Vec<String> =
            it.others.iter().map(|it| format!("{} {}", it.factor, it.value)).collect();
        format!("{}: {} against {}, {}", it.factor, it.value, it.against, others.join(", "))
    };
    let first = include_str!("../../../../tests/results/kept/1-before.json");
    let contrasts = contrasts(&crossed(first));
    let words: Vec<String> = contrasts.iter().map(words).collect();
    let wanted = [
        "pattern: rand against seq, cluster 0",
        "pattern: rand against seq, cluster 3",
        "cluster: 3 against 0, pattern seq",
        "cluster: 3 against 0, pattern rand",
    ];
    assert_eq!(words, wanted);
    let lines: Vec<String> =
        contrast_parts(&contrasts).iter().flat_map(|part| part.lines(80)).collect();
    assert_eq!(lines.iter().filter(|line| line.contains("against seq")).count(), 1);
    assert!(lines.iter().any(|line| line.starts_with("rand     3        (0.0+-")), "{lines:#?}");
}

#[test]
fn different_loads_are_not_compared() {
    let mut experiment = experiment();
    assert_eq!(contrasts(&experiment).len(), 1);
    experiment.cases[1].run.as_mut().unwrap().workload.name = "swapoff-cost".to_owned();
    assert_eq!(contrasts(&experiment), []);
}

/// An experiment as it could have run from its built-in file.
fn run_from_published(letter: &str) -> (Experiment, Published) {
    let plan = builtin::find(EXPERIMENTS, letter).unwrap().plan().unwrap();
    let mut run = parse_run(include_str!("../../../../tests/results/kept/1-before.json"));
    for folios in run.measured.iter_mut().map(|measured| &mut measured.folios) {
        let stats = folios[0].stats.clone();
        let of_size = |kib: u64| FolioRun { size: Bytes(kib << 10), stats: stats.clone() };
        *folios = [64, 128, 256, 512, 2048].map(of_size).into();
    }
    let case =
        |case: Combination| Case { name: case.name, factors: case.levels, run: Some(run.clone()) };
    let made = Experiment {
        columns: plan.columns.clone(),
        answer: plan.answer.clone(),
        across: plan.across.clone(),
        cases: cases(&plan).into_iter().map(case).collect(),
        ..experiment()
    };
    (made, plan.published.unwrap())
}

/// The table with the published figures, and the figures that did not fit into it.
fn with_published(letter: &str, width: usize) -> (Option<TextTable>, Option<TextTable>) {
    let (experiment, published) = run_from_published(letter);
    let parts = parts(&experiment, Some(&published), Some(width));
    let told = |part: &TextSection| {
        part.words.first().is_some_and(|words| words.starts_with("Published: "))
    };
    let place = parts.iter().position(told).unwrap();
    let rest = parts.get(place + 1).filter(|part| part.words.is_empty());
    let rest = rest.and_then(|part| part.sheet.clone());
    let mut sheets = parts.into_iter().filter_map(|part| part.sheet);
    (sheets.find(|sheet| sheet.under.is_some()), rest)
}

/// The published row with these names: each figure with its heading.
fn under(sheet: &TextTable, names: &[&str]) -> Vec<String> {
    let rows = &sheet.under.as_ref().unwrap().rows;
    let row = rows.iter().find(|row| row.iter().zip(names).all(|(cell, name)| cell == name));
    let row = row.unwrap_or_else(|| panic!("{names:?} is not among {rows:#?}"));
    let cells = sheet.heads.iter().zip(row).skip(sheet.names).filter(|(_, cell)| *cell != "-");
    cells.map(|(head, cell)| format!("{head} {cell}")).collect()
}

#[test]
fn published_figures_use_the_table_columns() {
    let (Some(table), None) = with_published("A", 80) else { panic!() };
    let told = under(&table, &["one by one"]);
    assert_eq!(told[..2], ["used0 PRIO 16G -1", "used1 PRIO 966M -2"]);
    assert!(told.contains(&"Free latency, mean us 15769409".to_owned()), "{told:?}");
}

/// Names of rows are placed under their own headings, and others in front of them.
#[test]
fn published_factor_values_follow_measured_ones() {
    let names = ["HDD, sequential", "anonymous"];
    let (Some(wide), None) = with_published("C", 80) else { panic!() };
    let wanted = [
        "page-cluster 0 1215.42",
        "page-cluster 3 769.04",
        "page-cluster 4 781.91",
        "3, no detector 739.21",
    ];
    assert_eq!(under(&wide, &names), wanted);
    assert!(
        wide.rows.iter().all(|row| row.last().unwrap() == "-"),
        "the measured table lacks this column"
    );
    let (Some(narrow), Some(rest)) = with_published("C", 60) else { panic!() };
    assert_eq!(under(&narrow, &names), wanted[..3]);
    assert_eq!(rest.heads, ["disk", "pattern", "memory", "3, no detector"]);
    assert_eq!(rest.rows[0], ["HDD", "sequential", "anonymous", "739.21"]);
}

/// The published table has a row for each folio size, where this one has columns.
#[test]
fn published_folio_figures_use_size_columns() {
    let (Some(table), None) = with_published("D", 80) else { panic!() };
    let wanted =
        ["System time s 21929.17", "64kB swpout count 1634681", "64kB fallback count 173056"];
    assert_eq!(under(&table, &["8G zram, before", "64kB"]), wanted);
    let wanted = ["128kB swpout count 497519", "128kB fallback count 3204"];
    assert_eq!(under(&table, &["10G zram, after (2)", "128kB of all"]), wanted);
}

/// Failures are reported for each folio size of the workload, to show whether space becomes short
/// as an area fills.
#[test]
fn failures_are_shown_early_and_late() {
    let plan = builtin::find(EXPERIMENTS, "D").unwrap().plan().unwrap();
    let cases = cases(&plan);
    let words = &cases.last().unwrap().settings.with["mthp"].text;
    let sizes: Vec<&str> = words.split(',').filter_map(|it| it.strip_suffix("=always")).collect();
    assert_eq!(sizes.len(), 5, "{words}");
    for size in sizes {
        let kilobytes = units::parse_size(size).unwrap().0 / 1024;
        for when in ["early", "late"] {
            let id = format!("fail_{when}_{kilobytes}kB");
            assert!(plan.columns.contains(&id), "{id}");
        }
    }
    assert_eq!(plan.repetitions, 3, "an interval of two pairs is too wide");
}

#[test]
fn published_figures_without_a_column_are_added_where_they_fit() {
    let (Some(table), None) = with_published("B", 120) else { panic!() };
    let wanted = ["without 13306", "node bound 15169", "gain +14 %"];
    assert_eq!(under(&table, &["32 x 4G"]), wanted);
}

/// A separator without measured rows above it would be misleading.
#[test]
fn published_rows_need_a_figure() {
    let mut table = with_published("A", 80).0.unwrap();
    let lines = table.lines(80);
    let rules = lines.iter().filter(|line| *line == "-- published, on other machines --").count();
    let blocks = lines.iter().filter(|line| line.is_empty()).count() + 1;
    assert_eq!(rules, blocks, "{lines:#?}");
    for row in &mut table.under.as_mut().unwrap().rows {
        row.iter_mut().skip(1).for_each(|cell| "-".clone_into(cell));
    }
    assert!(!table.lines(80).iter().any(|line| line.contains("published")));
}

#[test]
fn published_figures_precede_changes_and_fit() {
    for (letter, width) in
        ["A", "B", "C", "D", "E"].into_iter().flat_map(|it| [(it, 80), (it, 120)])
    {
        let (experiment, published) = run_from_published(letter);
        let with = lines(&experiment, Some(&published), width);
        assert!(with.iter().all(|line| text::width(line) <= width), "{with:#?}");
        let place = |start: &str| with.iter().position(|line| line.starts_with(start));
        let theirs = place("Published: ").unwrap();
        assert!(place("Changes are against").unwrap() > theirs, "{with:#?}");
        let without = lines(&experiment, None, width);
        assert!(!without.iter().any(|line| line.to_lowercase().contains("published")));
        assert!(
            published.machine.contains(" Here "),
            "{letter} lacks the differences of this experiment"
        );
    }
}

/// Every published figure is shown once, in the table or below it.
#[test]
fn no_published_figure_is_lost() {
    let figures = |rows: &[Vec<String>], names: usize| -> usize {
        rows.iter().flat_map(|row| &row[names..]).filter(|cell| *cell != "-").count()
    };
    for (letter, width) in
        ["A", "B", "C", "D", "E"].into_iter().flat_map(|it| [(it, 40), (it, 120)])
    {
        let (_, published) = run_from_published(letter);
        let (beside, rest) = with_published(letter, width);
        let under = beside.and_then(|it| it.under.map(|under| figures(&under.rows, it.names)));
        let rest = rest.map(|it| figures(&it.rows, it.names));
        let all = figures(&published.rows, published.names);
        assert_eq!(under.unwrap_or(0) + rest.unwrap_or(0), all, "{letter}");
    }
}

/// The first value of the second factor has one run, and the other value has another.
fn crossed(later: &str) -> Experiment {
    let first = include_str!("../../../../tests/results/kept/1-before.json");
    let case = |pattern: &str, cluster: &str, run: &str| {
        let level =
            |factor: &str, value: &str| FactorValue { factor: factor.into(), value: value.into() };
        let factors = vec![level("pattern", pattern), level("cluster", cluster)];
        Case { name: format!("{pattern} {cluster}"), factors, run: Some(parse_run(run)) }
    };
    let cases = vec![
        case("seq", "0", first),
        case("seq", "3", later),
        case("rand", "0", first),
        case("rand", "3", later),
    ];
    Experiment { cases, across: Some("cluster".to_owned()), ..experiment() }
}

/// The lines of the table with a factor across.
fn beside(experiment: &Experiment) -> Vec<String> {
    across_part(experiment).map_or_else(Vec::new, |part| part.lines(80))
}

#[test]
fn across_shows_factor_values_side_by_side() {
    let mut experiment = crossed(include_str!("../../../../tests/results/kept/2-after.json"));
    let wanted = [
        "System time s, by cluster:",
        "pattern    cluster 0    cluster 3              change",
        "seq      20.50+-0.21  16.40+-0.21  -20.0+-2.3% better",
        "rand     20.50+-0.21  16.40+-0.21  -20.0+-2.3% better",
    ];
    let lines = beside(&experiment);
    assert_eq!(lines, wanted, "{lines:#?}");
    experiment.across = Some("pattern".to_owned());
    let lines = beside(&experiment);
    assert_eq!(lines.last().unwrap(), "3        16.40+-0.21   16.40+-0.21  (0.0+-2.8%)");
    experiment.across = Some("colour".to_owned());
    assert_eq!(beside(&experiment), [""; 0]);
}

/// With three values there is no single change, and one value has nothing to compare with.
#[test]
fn a_single_factor_makes_a_single_row() {
    let mut experiment = Experiment { across: Some("priorities".to_owned()), ..experiment() };
    let lines = beside(&experiment);
    assert_eq!(lines.last().unwrap(), "20.50+-0.21  16.40+-0.21           -", "{lines:#?}");
    assert!(!lines.concat().contains("change"));
    experiment.cases.truncate(1);
    assert_eq!(beside(&experiment), [""; 0]);
}

/// The file of another program may lack cases, or have nothing to show.
#[test]
fn incomplete_matrices_have_no_across_table() {
    let full = crossed(include_str!("../../../../tests/results/kept/2-after.json"));
    let mut lacks = full.clone();
    lacks.cases.pop();
    assert_eq!(beside(&lacks), [""; 0]);
    let used = Experiment { columns: vec!["used".to_owned()], ..full };
    assert_eq!(beside(&used), [""; 0]);
}

/// Without a page on them, areas cannot be the reason of a difference.
#[test]
fn cases_that_use_no_area_get_no_verdict() {
    let unused = |case: &mut Case| {
        let measured = case.run.iter_mut().flat_map(|run| &mut run.measured);
        let used = measured.flat_map(|it| &mut it.used.areas).flat_map(|area| &mut area.used);
        used.flatten().for_each(|used| *used = Bytes(0));
    };
    let second = include_str!("../../../../tests/results/kept/2-after.json");
    let none = "No conclusion: the areas were not used in seq 0, seq 3, rand 0, rand 3.";
    for (cases, verdicts, sentence) in [
        (&[][..], ["better"; 2], "System time -20.0+-2.3% (better) with cluster 3"),
        (&[3], ["better", "not used"], "3 runs each; the areas were not used in rand 3."),
        (&[0, 1, 2, 3], ["not used"; 2], none),
    ] {
        let mut experiment = crossed(second);
        for place in cases {
            unused(&mut experiment.cases[*place]);
        }
        let lines = beside(&experiment);
        let ends: Vec<bool> = lines[2..]
            .iter()
            .zip(verdicts)
            .map(|(line, verdict)| line.ends_with(verdict))
            .collect();
        assert_eq!(ends, [true; 2], "{lines:#?}");
        let told = conclusion::sentence(&experiment).unwrap();
        assert!(told.contains(sentence), "{told}");
    }
}

/// A case whose runs fail can be the result of an experiment.
#[test]
fn the_conclusion_names_cases_with_failed_runs() {
    let second = include_str!("../../../../tests/results/kept/2-after.json");
    for (failed, sentence) in
        [(3, " rand 3 failed in 3 of 3 runs."), (1, " rand 3 failed in 1 of 3 runs.")]
    {
        let mut experiment = crossed(second);
        let run = experiment.cases[3].run.as_mut().unwrap();
        for measured in run.measured.iter_mut().take(failed) {
            measured.end = RepetitionEnd::Failed { why: "processes killed".to_owned() };
        }
        let told = conclusion::sentence(&experiment).unwrap();
        assert!(told.ends_with(sentence), "{told}");
        assert_eq!(told.matches("failed").count(), 1, "{told}");
    }
}

#[test]
fn an_experiment_without_a_completed_run_has_no_conclusion() {
    let second = include_str!("../../../../tests/results/kept/2-after.json");
    let mut experiment = crossed(second);
    experiment.answer = vec!["system".to_owned(), "elapsed".to_owned()];
    for case in &mut experiment.cases {
        for measured in &mut case.run.as_mut().unwrap().measured {
            measured.end = RepetitionEnd::Stopped { why: "its time ended".to_owned() };
        }
    }
    let told = conclusion::sentence(&experiment).unwrap();
    assert_eq!(told, "No conclusion: no run was completed.");
}

/// Only a file that names its answer says that the values of `across` are it.
#[test]
fn other_factors_than_across_are_in_the_conclusion_unless_the_file_names_an_answer() {
    let second = include_str!("../../../../tests/results/kept/2-after.json");
    let mut experiment = Experiment { across: Some("pattern".to_owned()), ..crossed(second) };
    let told = conclusion::sentence(&experiment).unwrap();
    assert!(told.contains("System time -20.0+-2.3% (better) with cluster 3"), "{told}");
    experiment.answer = vec!["system".to_owned()];
    let told = conclusion::sentence(&experiment).unwrap();
    assert!(told.starts_with("No measurable difference in System time"), "{told}");
}

/// Changes the elapsed time of each run to these seconds.
fn with_elapsed_times(experiment: &mut Experiment, seconds: [[f64; 3]; 2]) {
    for (case, seconds) in experiment.cases.iter_mut().zip(seconds) {
        let run = case.run.as_mut().unwrap();
        let first = run.measured.first().unwrap().clone();
        run.measured = vec![first; seconds.len()];
        for (measured, seconds) in run.measured.iter_mut().zip(seconds) {
            measured.elapsed = Some(seconds);
        }
    }
}

#[test]
fn the_conclusion_names_the_difference_or_the_smallest_visible_one() {
    let mut experiment = experiment();
    experiment.columns = vec!["used".to_owned(), "elapsed".to_owned()];
    let mut told = |seconds| {
        with_elapsed_times(&mut experiment, seconds);
        conclusion::sentence(&experiment).unwrap()
    };
    let alike = told([[90.0, 100.0, 110.0], [95.0, 105.0, 100.0]]);
    assert!(alike.starts_with("No measurable difference in "), "{alike}");
    assert!(alike.contains(": 3 runs each, smallest visible change "), "{alike}");
    assert!(alike.ends_with(" %."), "{alike}");
    let slower = told([[10.0, 11.0, 12.0], [20.0, 21.0, 22.0]]);
    assert!(slower.contains(" +91+-21% "), "{slower}");
    assert!(
        slower.contains("(worse) with priorities equal instead of default; 3 runs each."),
        "{slower}"
    );
    let lines = lines(&experiment, None, 80);
    let chart = lines.iter().rev().take(3).map(|line| line.matches('#').count());
    assert_eq!(chart.collect::<Vec<_>>(), [0, 24, 13], "{lines:?}");
    for case in experiment.cases.iter_mut().filter_map(|case| case.run.as_mut()) {
        case.measured.truncate(1);
    }
    let single = conclusion::sentence(&experiment).unwrap();
    assert!(single.contains("needs two finished runs of each case"), "{single}");
}

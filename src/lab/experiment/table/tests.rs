use super::super::builtin;
use super::super::matrix::{self, Combination};
use super::*;
use crate::columns::text;
use crate::model::experiment::{Level, SCHEMA};
use crate::model::run::Run;

/// A case with what a kept run has shown.
fn case(name: &str, run: Option<Run>) -> Case {
    let level = Level { factor: "priorities".to_owned(), value: name.to_owned() };
    Case { name: name.to_owned(), factors: vec![level], run }
}

fn kept(text: &str) -> Run {
    serde_json::from_str(text).unwrap()
}

fn experiment() -> Experiment {
    let first = kept(include_str!("../../../../tests/results/kept/1-before.json"));
    let second = kept(include_str!("../../../../tests/results/kept/2-after.json"));
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
        across: None,
        notes: vec!["All of it is made up.".to_owned()],
        cases: vec![
            case("default", Some(first)),
            case("equal", Some(second)),
            case("distinct", None),
        ],
    }
}

/// `UPDATE_GOLDEN` is not asked for here: the table is short enough to be read and typed.
#[test]
fn made_up_runs_make_this_table() {
    let lines = lines(&experiment(), None, 80);
    let wanted: Vec<&str> = include_str!("expected.txt").lines().collect();
    assert_eq!(lines, wanted, "\n{}", lines.join("\n"));
    assert!(lines.iter().all(|line| text::width(line) <= 80));
}

/// A file of somebody else can hold anything.
#[test]
fn nothing_in_it_is_obeyed_by_a_terminal() {
    let evil = "\u{1b}]0;x\u{7}\n | y".to_owned();
    let mut experiment = experiment();
    experiment.notes = vec![evil.clone()];
    experiment.why = Some(evil.clone());
    experiment.across = Some(evil.clone());
    for (place, case) in experiment.cases.iter_mut().enumerate() {
        case.factors = vec![Level { factor: evil.clone(), value: format!("{evil}{place}") }];
        case.name.clone_from(&evil);
    }
    let all: Vec<String> = lines(&experiment, None, 80);
    assert!(!all.concat().contains(char::is_control), "{all:?}");
    assert!(all.iter().any(|line| line.starts_with("System time s, by ")), "{all:?}");
}

#[test]
fn a_single_repetition_is_compared_with_nothing() {
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
    let lines: Vec<String> = changes(&contrasts).iter().flat_map(|part| part.lines(80)).collect();
    assert_eq!(lines.iter().filter(|line| line.contains("against seq")).count(), 1);
    assert!(lines.iter().any(|line| line.starts_with("rand     3        (0.0+-")), "{lines:#?}");
}

#[test]
fn other_loads_do_other_things_and_none_is_the_better_one() {
    let mut experiment = experiment();
    assert_eq!(contrasts(&experiment).len(), 1);
    experiment.cases[1].run.as_mut().unwrap().workload.name = "swapoff-cost".to_owned();
    assert_eq!(contrasts(&experiment), []);
}

/// As one that is built in could have gone.
fn carried_out(letter: &str) -> (Experiment, Published) {
    let plan = builtin::find(letter).unwrap().plan().unwrap();
    let run = kept(include_str!("../../../../tests/results/kept/1-before.json"));
    let case =
        |case: Combination| Case { name: case.name, factors: case.levels, run: Some(run.clone()) };
    let made = Experiment {
        columns: plan.columns.clone(),
        across: plan.across.clone(),
        cases: matrix::cases(&plan).into_iter().map(case).collect(),
        ..experiment()
    };
    (made, plan.published.unwrap())
}

/// The headings of figures; areas that are used have as many columns as there are areas.
fn figures(sheet: &Sheet) -> Vec<String> {
    let heads = sheet.heads.iter().skip(sheet.names);
    heads.filter(|head| !head.starts_with("used")).cloned().collect()
}

fn sheet(published: &Published) -> Sheet {
    super::published(published).into_iter().find_map(|part| part.sheet).unwrap()
}

#[test]
fn published_figures_have_the_columns_of_the_table() {
    for letter in ["A", "E"] {
        let (experiment, published) = carried_out(letter);
        assert_eq!(figures(&sheet(&published)), figures(&measured(&experiment)), "{letter}");
    }
    let matrix = |letter: &str| {
        let (experiment, published) = carried_out(letter);
        let ours = across::part(&experiment).and_then(|part| part.sheet).unwrap();
        (figures(&ours), figures(&sheet(&published)))
    };
    let (ours, theirs) = matrix("C");
    assert_eq!(ours, ["page-cluster 0", "page-cluster 3", "page-cluster 4"]);
    assert_eq!(theirs[..ours.len()], ours);
    let (ours, theirs) = matrix("B");
    assert_eq!(ours, ["priorities default", "priorities equal", "change"]);
    assert_eq!(theirs, ["without", "node bound", "gain"]);
}

/// Theirs has a row for each size of folios, where ours has columns; no rates follow.
#[test]
fn published_figures_of_folios_have_the_columns_of_each_size() {
    let (experiment, published) = carried_out("D");
    let ours = figures(&measured(&experiment));
    let ours: Vec<String> = ours.iter().map(|head| head.replace("64kB ", "")).collect();
    let theirs = figures(&sheet(&published));
    assert_eq!(theirs, ours[..theirs.len()]);
}

#[test]
fn published_figures_stand_above_what_differs_and_fit_a_terminal() {
    for letter in ["A", "B", "C", "D", "E"] {
        let (experiment, published) = carried_out(letter);
        let with = lines(&experiment, Some(&published), 80);
        assert!(with.iter().all(|line| text::width(line) <= 80), "{with:#?}");
        let place = |start: &str| with.iter().position(|line| line.starts_with(start));
        let theirs = place("Published: ").unwrap();
        assert!(place("Changes are against").unwrap() > theirs, "{with:#?}");
        assert!(with.iter().any(|line| line.starts_with("Published: ")));
        let without = lines(&experiment, None, 80);
        assert!(!without.iter().any(|line| line.starts_with("Published: ")));
        assert!(published.machine.contains(" Here "), "{letter}: what is different here");
    }
}

/// The first value of the second factor with one run, the other one with another.
fn crossed(later: &str) -> Experiment {
    let first = include_str!("../../../../tests/results/kept/1-before.json");
    let case = |pattern: &str, cluster: &str, run: &str| {
        let level =
            |factor: &str, value: &str| Level { factor: factor.into(), value: value.into() };
        let factors = vec![level("pattern", pattern), level("cluster", cluster)];
        Case { name: format!("{pattern} {cluster}"), factors, run: Some(kept(run)) }
    };
    let cases = vec![
        case("seq", "0", first),
        case("seq", "3", later),
        case("rand", "0", first),
        case("rand", "3", later),
    ];
    Experiment { cases, across: Some("cluster".to_owned()), ..experiment() }
}

/// The table with a factor across, line by line.
fn beside(experiment: &Experiment) -> Vec<String> {
    across::part(experiment).map_or_else(Vec::new, |part| part.lines(80))
}

#[test]
fn values_of_a_factor_stand_beside_each_other_with_what_changes() {
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

/// Of three values none is the change that is meant; one alone stands beside nothing.
#[test]
fn a_single_factor_makes_a_single_row() {
    let mut experiment = Experiment { across: Some("priorities".to_owned()), ..experiment() };
    let lines = beside(&experiment);
    assert_eq!(lines.last().unwrap(), "20.50+-0.21  16.40+-0.21           -", "{lines:#?}");
    assert!(!lines.concat().contains("change"));
    experiment.cases.truncate(1);
    assert_eq!(beside(&experiment), [""; 0]);
}

/// A file of somebody else may lack cases, or have nothing that could be shown.
#[test]
fn what_has_gaps_has_no_such_table() {
    let full = crossed(include_str!("../../../../tests/results/kept/2-after.json"));
    let mut lacks = full.clone();
    lacks.cases.pop();
    assert_eq!(beside(&lacks), [""; 0]);
    let used = Experiment { columns: vec!["used".to_owned()], ..full };
    assert_eq!(beside(&used), [""; 0]);
}

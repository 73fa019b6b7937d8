use super::super::builtin;
use super::*;
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
    let lines = lines(&experiment(), 80);
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
    for case in &mut experiment.cases {
        case.factors = vec![Level { factor: evil.clone(), value: evil.clone() }];
        case.name.clone_from(&evil);
    }
    let all: Vec<String> = lines(&experiment, 80);
    assert!(!all.concat().contains(char::is_control), "{all:?}");
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
    let first = kept(include_str!("../../../../tests/results/kept/1-before.json"));
    let case = |pattern: &str, cluster: &str| {
        let level =
            |factor: &str, value: &str| Level { factor: factor.into(), value: value.into() };
        let factors = vec![level("pattern", pattern), level("cluster", cluster)];
        Case { name: format!("{pattern} {cluster}"), factors, run: Some(first.clone()) }
    };
    let cases = vec![case("seq", "0"), case("seq", "3"), case("rand", "0"), case("rand", "3")];
    let words = |it: &Contrast| {
        let others: Vec<String> =
            it.others.iter().map(|it| format!("{} {}", it.factor, it.value)).collect();
        format!("{}: {} against {}, {}", it.factor, it.value, it.against, others.join(", "))
    };
    let contrasts = contrasts(&Experiment { cases, ..experiment() });
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
    assert!(lines.iter().any(|line| line.starts_with("rand     3         (0+-")), "{lines:#?}");
}

#[test]
fn published_figures_of_the_balance_have_its_columns() {
    let plan = builtin::find("A").unwrap().plan().unwrap();
    let columns = plan.columns.clone();
    let table = measured(&Experiment { columns, ..experiment() });
    let published = plan.published.unwrap();
    let few = table.heads.iter().filter(|head| head.starts_with("used")).count();
    let others = |heads: &[String]| {
        heads.iter().skip(1).filter(|head| !head.starts_with("used")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(others(&published.heads), others(&table.heads));
    assert!(few > 0);
    let lines = super::published(&published, 80);
    assert!(lines.iter().all(|line| text::width(line) <= 80), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("6.6G -1")));
}

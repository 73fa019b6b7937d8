use super::*;
use crate::model::experiment::{Level, SCHEMA};

/// One with these cases: their names, and what they set.
fn experiment(cases: &[(&str, &[(&str, &str)])]) -> Experiment {
    let level = |(factor, value): &(&str, &str)| Level {
        factor: (*factor).to_owned(),
        value: (*value).to_owned(),
    };
    let case = |(name, levels): &(&str, &[(&str, &str)])| Case {
        name: (*name).to_owned(),
        factors: levels.iter().map(level).collect(),
        run: None,
    };
    Experiment {
        schema: SCHEMA,
        version: "0".to_owned(),
        id: 0,
        at_ms: 0,
        title: "title".to_owned(),
        question: "question".to_owned(),
        seed: 0,
        repetitions: 1,
        order: Vec::new(),
        columns: Vec::new(),
        across: None,
        notes: Vec::new(),
        cases: cases.iter().map(case).collect(),
        why: None,
    }
}

/// Which cases belong together, by what they set; nothing where one has no such case.
fn paired(first: &Experiment, second: &Experiment) -> Vec<[String; 2]> {
    let values = |case: Option<&Case>| {
        let levels = case.iter().flat_map(|case| &case.factors);
        levels.map(|level| level.value.clone()).collect::<Vec<_>>().join(" ")
    };
    let pairs = pairs(first, second);
    pairs.iter().map(|pair| [pair.first, pair.second].map(values)).collect()
}

#[test]
fn cases_of_one_name_belong_together_where_they_set_the_same() {
    let first = experiment(&[("a", &[("limit", "1G")]), ("a", &[("limit", "2G")])]);
    let second = experiment(&[("a", &[("limit", "2G")]), ("b", &[("limit", "1G")])]);
    let expected = [["1G", ""], ["2G", "2G"], ["", "1G"]];
    assert_eq!(paired(&first, &second), expected);
    let both = [["1G", "1G"], ["2G", "2G"]];
    assert_eq!(paired(&first, &first), both);
}

#[test]
fn factors_belong_together_in_any_order() {
    let first = experiment(&[("a", &[("limit", "1G"), ("kind", "zram")])]);
    let second = experiment(&[("a", &[("kind", "zram"), ("limit", "1G")])]);
    assert_eq!(paired(&first, &second), [["1G zram", "zram 1G"]]);
}

#[test]
fn a_name_alone_is_nothing_in_common() {
    let first = experiment(&[("default", &[("priorities", "default")])]);
    let second = experiment(&[("default", &[("zswap", "N")])]);
    let why = Both::experiments(&first, &second).unwrap_err();
    assert!(why.contains("title has default of priorities"), "{why}");
    assert!(why.ends_with("title has default of zswap"), "{why}");
}

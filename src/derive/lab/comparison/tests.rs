use super::*;
use crate::model::experiment::{FactorValue, SCHEMA};

/// An experiment with these cases: their names and settings.
fn experiment(cases: &[(&str, &[(&str, &str)])]) -> Experiment {
    let level = |(factor, value): &(&str, &str)| FactorValue {
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
        answer: Vec::new(),
        across: None,
        notes: Vec::new(),
        cases: cases.iter().map(case).collect(),
        why: None,
    }
}

/// The pairs of cases, by their settings; empty where one experiment lacks the case.
fn pair_names(first: &Experiment, second: &Experiment) -> Vec<[String; 2]> {
    let values = |case: Option<&Case>| {
        let levels = case.iter().flat_map(|case| &case.factors);
        levels.map(|level| level.value.clone()).collect::<Vec<_>>().join(" ")
    };
    let pairs = pair_cases(first, second);
    pairs.iter().map(|pair| [pair.first, pair.second].map(values)).collect()
}

#[test]
fn cases_are_paired_by_name_and_settings() {
    let first = experiment(&[("a", &[("limit", "1G")]), ("a", &[("limit", "2G")])]);
    let second = experiment(&[("a", &[("limit", "2G")]), ("b", &[("limit", "1G")])]);
    let expected = [["1G", ""], ["2G", "2G"], ["", "1G"]];
    assert_eq!(pair_names(&first, &second), expected);
    let both = [["1G", "1G"], ["2G", "2G"]];
    assert_eq!(pair_names(&first, &first), both);
}

#[test]
fn factor_order_is_ignored() {
    let first = experiment(&[("a", &[("limit", "1G"), ("kind", "zram")])]);
    let second = experiment(&[("a", &[("kind", "zram"), ("limit", "1G")])]);
    assert_eq!(pair_names(&first, &second), [["1G zram", "zram 1G"]]);
}

#[test]
fn cases_with_other_settings_are_not_paired() {
    let first = experiment(&[("default", &[("priorities", "default")])]);
    let second = experiment(&[("default", &[("zswap", "N")])]);
    let why = ResultPair::from_experiments(&first, &second).unwrap_err();
    assert!(why.contains("title has default of priorities"), "{why}");
    assert!(why.ends_with("title has default of zswap"), "{why}");
}

//! Experiments: a workload in several cases that differ only in the factors under study.
//!
//! An experiment is data. Factors and their values form a matrix of cases. All cases are run
//! equally often, in a random order from the seed, so that changes of the machine over time do not
//! look like differences between cases.

pub mod conclusion;
pub mod file;
pub mod keys;
pub mod published;
pub mod settings;
pub mod table;

pub use crate::model::experiment::Published;

use crate::lab::run_spec::TemporaryAreaKind;
use crate::lab::worker::Random;
use crate::model::experiment::FactorValue;
use settings::{CaseSettings, TemporaryAreaKinds};

/// An experiment as its file describes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentPlan {
    /// The name.
    pub name: String,
    /// The name of the file in errors.
    pub file: String,
    /// The description, in a sentence.
    pub about: String,
    /// The question it answers.
    pub question: String,
    /// The number of runs of each case.
    pub repetitions: u32,
    /// The figures in the result table.
    pub columns: Vec<String>,
    /// The columns that answer the question; if empty, the first figure does.
    pub answer: Vec<String>,
    /// The factor whose values are columns of a second table.
    pub across: Option<String>,
    /// The settings of all cases.
    pub base: CaseSettings,
    /// The differences between cases.
    pub factors: Vec<Factor>,
    /// Notes for readers of the result.
    pub notes: Vec<Note>,
    /// Figures published by others.
    pub published: Option<Published>,
}

/// A factor: a difference between cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// The name.
    pub name: String,
    /// The values; the first is the baseline of comparisons.
    pub values: Vec<FactorSettings>,
}

/// A value of a factor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FactorSettings {
    /// The name.
    pub name: String,
    /// The settings.
    pub settings: CaseSettings,
}

/// A note for readers of the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The text.
    pub text: String,
    /// The condition under which it applies.
    pub when: NoteCondition,
}

/// The condition under which a note applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoteCondition {
    /// Always.
    #[default]
    Always,
    /// With one NUMA node.
    OneNode,
    /// With several NUMA nodes.
    SeveralNodes,
    /// With temporary areas of this kind.
    Uses(TemporaryAreaKind),
}

impl NoteCondition {
    /// Each condition with its word.
    pub const WORDS: [(&str, Self); 5] = [
        ("always", Self::Always),
        ("one-node", Self::OneNode),
        ("several-nodes", Self::SeveralNodes),
        ("zram", Self::Uses(TemporaryAreaKind::Zram)),
        ("file", Self::Uses(TemporaryAreaKind::File)),
    ];
}

/// A combination of the values of all factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// The name.
    pub name: String,
    /// The values.
    pub levels: Vec<FactorValue>,
    /// The settings made by its values, which take precedence over options; options take precedence
    /// over the base.
    pub own: CaseSettings,
    /// All settings, including those of the base.
    pub settings: CaseSettings,
}

impl Combination {
    /// Whether an option can choose the kind of its temporary areas.
    pub fn has_open_kind(&self) -> bool {
        let has_areas = self.settings.devices.as_ref().is_some_and(|sizes| !sizes.is_empty());
        has_areas && self.own.kinds.is_none()
    }
}

/// Lists all cases; the last factor varies fastest.
pub fn cases(plan: &ExperimentPlan) -> Vec<Combination> {
    let first = Combination {
        name: String::new(),
        levels: Vec::new(),
        own: CaseSettings::default(),
        settings: plan.base.clone(),
    };
    plan.factors.iter().fold(vec![first], |cases, factor| {
        let each = cases.iter().flat_map(|case| {
            factor.values.iter().map(|value| {
                let level = FactorValue { factor: factor.name.clone(), value: value.name.clone() };
                let name = [&case.name, &value.name].map(String::as_str);
                Combination {
                    name: name.join(" ").trim_start().to_owned(),
                    levels: case.levels.iter().cloned().chain([level]).collect(),
                    own: value.settings.merge_over(&case.own),
                    settings: value.settings.merge_over(&case.settings),
                }
            })
        });
        each.collect()
    })
}

/// Draws the order of runs: each case equally often, in random order over all repetitions.
pub fn shuffle_runs(cases: usize, repetitions: u32, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..repetitions).flat_map(|_| 0..cases).collect();
    let mut random = Random::new(seed);
    for place in (1..order.len()).rev() {
        let other = usize::try_from(random.below(place as u64 + 1)).unwrap_or(place);
        order.swap(place, other);
    }
    order
}

/// A setting of areas that conflicts with a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseConflict {
    /// The key of the setting.
    pub key: &'static str,
    /// The line of the file.
    pub line: Option<usize>,
    /// The case and the reason.
    pub why: String,
}

/// Returns the kinds of the areas of a case, if set.
pub type KindsByCase<'c> = &'c dyn Fn(&'c Combination) -> Option<&'c TemporaryAreaKinds>;

/// Checks the settings of areas in these cases, and returns the first conflict.
pub fn check_areas<'c>(
    cases: &'c [Combination],
    carried: KindsByCase<'c>,
) -> Result<(), CaseConflict> {
    for case in cases {
        let areas = case.settings.area_count();
        let kinds = carried(case).map_or(Ok(()), |kinds| kinds.check_count(areas));
        kinds.map_err(|why| case_conflict("kind", case, &why))?;
        let priorities = case.settings.priorities.as_ref();
        let priorities = priorities.map_or(Ok(()), |priorities| priorities.check_count(areas));
        priorities.map_err(|why| case_conflict("priorities", case, &why))?;
    }
    let is_on_zram = |case: &'c Combination| {
        let kind =
            |place| carried(case).map_or(TemporaryAreaKind::Zram, |kinds| kinds.for_area(place));
        (0..case.settings.area_count()).any(|place| kind(place) == TemporaryAreaKind::Zram)
    };
    // A setting of the base may be meant for some of the cases only.
    let has_use = cases.iter().any(is_on_zram);
    let is_void = |case: &'c Combination| {
        let said = if has_use { &case.own } else { &case.settings };
        said.algorithm.is_some() && !is_on_zram(case)
    };
    match cases.iter().find(|case| is_void(case)) {
        Some(case) => Err(case_conflict("algorithm", case, NO_ZRAM)),
        None => Ok(()),
    }
}

const NO_ZRAM: &str = "only zram compresses, and no temporary area is on zram: remove this key, or use kind zram for one area or more";

fn case_conflict(key: &'static str, case: &Combination, why: &str) -> CaseConflict {
    let line = case.settings.lines.get(key).copied();
    CaseConflict { key, line, why: format!("case {}: {why}", case.name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "about = 'a'\nquestion = 'q'\ncolumns = ['elapsed']\n\
        [base]\nload = 'readahead'\nwith.passes = 2\n\
        [[factor]]\nname = 'cluster'\nkey = 'set.page-cluster'\nvalues = [0, 3]\n\
        [[factor]]\nname = 'memory'\nkey = 'with.memory'\nvalues = ['anonymous', 'shared', 'memfd']\n";

    #[test]
    fn factors_multiply_to_cases() {
        let cases = cases(&file::read("x", TEXT).unwrap());
        let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(
            names,
            ["0 anonymous", "0 shared", "0 memfd", "3 anonymous", "3 shared", "3 memfd"]
        );
        assert_eq!(cases[4].settings.set["page-cluster"], "3");
        assert_eq!(cases[4].settings.with["memory"].text, "shared");
        assert_eq!(cases[4].settings.with["passes"].text, "2");
    }

    #[test]
    fn the_seed_decides_the_order_and_each_case_runs_as_often() {
        let first = shuffle_runs(5, 4, 7);
        assert_eq!(first, shuffle_runs(5, 4, 7));
        assert_ne!(first, shuffle_runs(5, 4, 8));
        let mut sorted = first.clone();
        sorted.sort_unstable();
        assert_ne!(first, sorted);
        assert_eq!(sorted, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
        assert_ne!(first[..5].iter().collect::<std::collections::BTreeSet<_>>().len(), 5);
        assert!(shuffle_runs(0, 3, 1).is_empty());
    }
}

//! Experiments: a load in several cases, which differ in what is asked about and in nothing else.
//!
//! An experiment is data. Factors with their values make a matrix of cases; all cases are run as
//! often as the others, in an order that comes from the seed, so that what changes with time on
//! the machine does not look like a difference between cases.

pub mod file;
pub mod keys;
pub mod published;
pub mod settings;
pub mod table;

pub use crate::model::experiment::Published;

use crate::lab::run_spec::TemporaryAreaKind;
use crate::lab::worker::Random;
use crate::model::experiment::FactorValue;
use settings::{TemporaryAreaKinds, CaseSettings};

/// An experiment as its file says it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentPlan {
    /// What it is called.
    pub name: String,
    /// What its file is called where something is wrong with it.
    pub file: String,
    /// What it does, in a sentence.
    pub about: String,
    /// What it answers.
    pub question: String,
    /// How often each case is run.
    pub repetitions: u32,
    /// The figures that its table shows.
    pub columns: Vec<String>,
    /// The factor whose values stand beside each other in a second table.
    pub across: Option<String>,
    /// What holds in all cases.
    pub base: CaseSettings,
    /// What differs.
    pub factors: Vec<Factor>,
    /// What should be known to those who read the result.
    pub notes: Vec<Note>,
    /// What others have published about it.
    pub published: Option<Published>,
}

/// Something that differs between cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// What it is called.
    pub name: String,
    /// What it can be; the others are compared with the first.
    pub values: Vec<FactorSettings>,
}

/// A value of a factor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FactorSettings {
    /// What it is called.
    pub name: String,
    /// What it sets.
    pub settings: CaseSettings,
}

/// Something to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The sentences.
    pub text: String,
    /// Where they hold.
    pub when: NoteCondition,
}

/// Where a note holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoteCondition {
    /// On all.
    #[default]
    Always,
    /// On those with one NUMA node.
    OneNode,
    /// On those with several.
    SeveralNodes,
    /// Where areas are made that are carried so.
    Uses(TemporaryAreaKind),
}

impl NoteCondition {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 5] = [
        ("always", Self::Always),
        ("one-node", Self::OneNode),
        ("several-nodes", Self::SeveralNodes),
        ("zram", Self::Uses(TemporaryAreaKind::Zram)),
        ("file", Self::Uses(TemporaryAreaKind::File)),
    ];
}

/// One combination of the values of all factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// What it is called.
    pub name: String,
    /// Which values it has.
    pub levels: Vec<FactorValue>,
    /// What its values say: what is typed leaves that alone, and takes the place of the base's.
    pub own: CaseSettings,
    /// What it sets, with what the base says.
    pub settings: CaseSettings,
}

/// All cases, those of the last factor next to each other.
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

/// Which case is run when: each as often as the others, all repetitions mixed.
pub fn shuffle_runs(cases: usize, repetitions: u32, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..repetitions).flat_map(|_| 0..cases).collect();
    let mut random = Random::new(seed);
    for place in (1..order.len()).rev() {
        let other = usize::try_from(random.below(place as u64 + 1)).unwrap_or(place);
        order.swap(place, other);
    }
    order
}

/// Something that was said of areas, and cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseConflict {
    /// The key that says it.
    pub key: &'static str,
    /// On which line of the file.
    pub line: Option<usize>,
    /// In which case, and why not.
    pub why: String,
}

/// What carries the areas of a case, if that is said.
pub type KindsByCase<'c> = &'c dyn Fn(&'c Combination) -> Option<&'c TemporaryAreaKinds>;

/// The first that does not fit in these cases.
///
/// # Errors
/// What it is.
pub fn check_areas<'c>(cases: &'c [Combination], carried: KindsByCase<'c>) -> Result<(), CaseConflict> {
    for case in cases {
        let areas = case.settings.area_count();
        let kinds = carried(case).map_or(Ok(()), |kinds| kinds.check_count(areas));
        kinds.map_err(|why| case_conflict("kind", case, &why))?;
        let priorities = case.settings.priorities.as_ref();
        let priorities = priorities.map_or(Ok(()), |priorities| priorities.check_count(areas));
        priorities.map_err(|why| case_conflict("priorities", case, &why))?;
    }
    let is_on_zram = |case: &'c Combination| {
        let kind = |place| carried(case).map_or(TemporaryAreaKind::Zram, |kinds| kinds.for_area(place));
        (0..case.settings.area_count()).any(|place| kind(place) == TemporaryAreaKind::Zram)
    };
    // What the base says may be for some of the cases only.
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

const NO_ZRAM: &str = "it is how areas on zram compress, and none is made on zram: leave it out, or say zram for the kind of one or more";

fn case_conflict(key: &'static str, case: &Combination, why: &str) -> CaseConflict {
    let line = case.settings.lines.get(key).copied();
    CaseConflict { key, line, why: format!("{}: {why}", case.name) }
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

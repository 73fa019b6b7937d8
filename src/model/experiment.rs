//! What an experiment has shown: the same load in several cases, each with a run of its own; and what
//! a file of results holds.

use super::run::{RepetitionResult, Run};
use serde::{Deserialize, Serialize};

/// The form of such documents.
pub const SCHEMA: u32 = 1;

/// The column that stands for one of each area.
pub const USED: &str = "used";

/// An experiment that was carried out, or as much of it as was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// The form of this document.
    pub schema: u32,
    /// Which version of the program wrote it.
    pub version: String,
    /// Its number among those that are kept; 0 while it is not.
    pub id: u64,
    /// When it began, in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// What it is called.
    pub title: String,
    /// What it answers.
    pub question: String,
    /// Where the order of its runs comes from, and all chance in them.
    pub seed: u64,
    /// How often each case was to be run.
    pub repetitions: u32,
    /// Which case was to be run when, by its place from 0 on.
    pub order: Vec<usize>,
    /// The figures that its table shows, by their names.
    pub columns: Vec<String>,
    /// The factor whose values stand beside each other in a second table.
    pub across: Option<String>,
    /// What should be known to those who read it.
    pub notes: Vec<String>,
    /// Case by case, in the order of its factors.
    pub cases: Vec<Case>,
    /// Why it ended before its last run, if it did.
    pub why: Option<String>,
}

/// What others measured, of what an experiment answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// On which machine, with which sizes, and what is different here.
    pub machine: String,
    /// The headings.
    pub heads: Vec<String>,
    /// How many of them name a row, and stand before all others.
    pub names: usize,
    /// The rows: the figures as they were published, in the units of the headings.
    pub rows: Vec<Vec<String>>,
}

/// What a document of an experiment has beside what was measured. One that was kept before there
/// was this has none of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExperimentExtras {
    /// What its file says that others have published.
    pub published: Option<Published>,
}

/// One combination of the values of all factors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// What it is called: its values.
    pub name: String,
    /// Which values it has.
    pub factors: Vec<FactorValue>,
    /// What was measured, repetition by repetition; none where it was not reached.
    pub run: Option<Run>,
}

/// A factor and which value it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactorValue {
    /// The factor.
    pub factor: String,
    /// Its value.
    pub value: String,
}

impl Experiment {
    /// The runs of its cases, of those that have one.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.cases.iter().filter_map(|case| case.run.as_ref())
    }

    /// The numbers under which those are kept.
    pub fn run_numbers(&self) -> String {
        let ids = self.runs().filter(|run| run.id > 0).map(|run| run.id.to_string());
        let ids: Vec<String> = ids.collect();
        if ids.is_empty() { "not kept".to_owned() } else { ids.join(", ") }
    }

    /// All that was measured.
    pub fn measured(&self) -> impl Iterator<Item = &RepetitionResult> {
        self.runs().flat_map(|run| &run.measured)
    }

    /// How many runs were to be made.
    pub fn planned_runs(&self) -> usize {
        self.cases.len() * self.repetitions as usize
    }
}

impl Case {
    /// The value of a factor.
    pub fn value(&self, factor: &str) -> Option<&str> {
        let level = self.factors.iter().find(|level| level.factor == factor);
        level.map(|level| level.value.as_str())
    }

    /// Add what another run of the same case has measured. Areas that were made for it are known by
    /// the names that those of the first run had: they stand for the same.
    pub fn add(&mut self, run: Run) {
        let Some(first) = &mut self.run else {
            self.run = Some(run);
            return;
        };
        let made = |run: &Run| -> Vec<_> {
            run.machine
                .areas
                .iter()
                .filter(|area| area.ours)
                .map(|area| area.path.clone())
                .collect()
        };
        let (names, others) = (made(first), made(&run));
        for mut measured in run.measured {
            let paths = measured.used.areas.iter_mut().map(|area| &mut area.path);
            for path in paths.chain(measured.zram.iter_mut().map(|zram| &mut zram.path)) {
                let place = others.iter().position(|other| other == path);
                if let Some(name) = place.and_then(|place| names.get(place)) {
                    *path = name.clone();
                }
            }
            first.measured.push(measured);
        }
    }
}

/// A run, or an experiment with all runs of its cases.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredResult {
    /// A run.
    Run(Box<Run>),
    /// An experiment, and what stands beside it.
    Experiment(Box<Experiment>, ExperimentExtras),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed_run(text: &str) -> Run {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn areas_of_a_later_run_are_those_of_the_first() {
        let mut first = parsed_run(include_str!("../../tests/results/kept/1-before.json"));
        first.machine.areas.iter_mut().for_each(|area| area.ours = true);
        let mut later = first.clone();
        let rename = |name: &super::super::Name| format!("{}9", name.exact()).as_str().into();
        later.machine.areas.iter_mut().for_each(|area| area.path = rename(&area.path));
        for measured in &mut later.measured {
            measured.used.areas.iter_mut().for_each(|area| area.path = rename(&area.path));
            measured.zram.iter_mut().for_each(|zram| zram.path = rename(&zram.path));
        }
        let mut case = Case { name: "a".to_owned(), factors: Vec::new(), run: None };
        case.add(first.clone());
        case.add(later);
        let run = case.run.unwrap();
        let doubled = [first.measured.clone(), first.measured].concat();
        assert_eq!(run.measured, doubled);
    }
}

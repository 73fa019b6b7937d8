//! Results of experiments: one workload in several cases, each with its own run; and the contents of a
//! results file.

use super::run::{RepetitionResult, Run};
use serde::{Deserialize, Serialize};

/// Version of the document format.
pub const SCHEMA: u32 = 1;

/// Column name that stands for one column per area.
pub const USED: &str = "used";

/// A complete or interrupted experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// Version of the document format.
    pub schema: u32,
    /// Version of the program that wrote it.
    pub version: String,
    /// Number of the stored result; 0 if it is not stored.
    pub id: u64,
    /// Start time in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// Title.
    pub title: String,
    /// Question that it answers.
    pub question: String,
    /// Random seed for the order of runs and for the runs.
    pub seed: u64,
    /// Planned repetitions of each case.
    pub repetitions: u32,
    /// Planned order of the runs: indices of cases.
    pub order: Vec<usize>,
    /// Names of the figures in its table.
    pub columns: Vec<String>,
    /// Names of the figures that answer the question; empty: the first figure of the table does.
    #[serde(default)]
    pub answer: Vec<String>,
    /// Factor whose values are compared side by side in a second table.
    pub across: Option<String>,
    /// Notes for readers.
    pub notes: Vec<String>,
    /// Cases, in the order of the factors.
    pub cases: Vec<Case>,
    /// Why it ended early, if it did.
    pub why: Option<String>,
}

/// Published figures on the question of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// Machine and sizes, and differences to this experiment.
    pub machine: String,
    /// The headings.
    pub heads: Vec<String>,
    /// Number of leading columns that name a row.
    pub names: usize,
    /// The rows: figures as published, in the units of the headings.
    pub rows: Vec<Vec<String>>,
}

/// Additional content of an experiment document. Documents of older versions have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExperimentExtras {
    /// Published figures, from the file of the experiment.
    pub published: Option<Published>,
}

/// A case: one combination of factor values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// Name, made of its values.
    pub name: String,
    /// The factor values.
    pub factors: Vec<FactorValue>,
    /// The run with all repetitions; `None` if it was not reached.
    pub run: Option<Run>,
}

/// A factor and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactorValue {
    /// The factor.
    pub factor: String,
    /// The value.
    pub value: String,
}

impl Experiment {
    /// The runs of all measured cases.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.cases.iter().filter_map(|case| case.run.as_ref())
    }

    /// The numbers of the stored runs, as text.
    pub fn run_numbers(&self) -> String {
        let ids = self.runs().filter(|run| run.id > 0).map(|run| run.id.to_string());
        let ids: Vec<String> = ids.collect();
        if ids.is_empty() { "not kept".to_owned() } else { ids.join(", ") }
    }

    /// All repetitions of all cases.
    pub fn measured(&self) -> impl Iterator<Item = &RepetitionResult> {
        self.runs().flat_map(|run| &run.measured)
    }

    /// Number of planned runs.
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

    /// Adds the repetitions of another run of the same case. Its temporary areas get the names of those of
    /// the first run, because they correspond to each other.
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

/// A stored result: a run, or an experiment with all its runs.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredResult {
    /// A run.
    Run(Box<Run>),
    /// An experiment with its additional content.
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

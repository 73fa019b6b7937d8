//! Built-in workloads and experiments: each is a file that can be read, copied and changed. The
//! experiments repeat measurements of kernel developers on a small scale.

use super::experiment::{ExperimentPlan, Published, file};
use super::load::file::SourceText;
use crate::config::Problem;
use crate::model::experiment::{Experiment, ExperimentExtras};
use std::fmt;

/// A built-in workload or experiment.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The short name of an experiment, a letter.
    pub letter: Option<&'static str>,
    /// The name.
    pub name: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

impl Builtin {
    /// Returns the text as a source under its own name.
    pub fn source(&self) -> SourceText {
        let name = self.name.to_owned();
        SourceText { file: name.clone(), name, text: self.text.to_owned() }
    }

    /// Parses the experiment.
    pub fn plan(&self) -> Result<ExperimentPlan, Vec<Problem>> {
        file::read(self.name, self.text)
    }

    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.letter.is_some_and(|letter| letter.eq_ignore_ascii_case(name))
    }
}

/// Shows the name, with the letter of an experiment.
impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.letter.map_or(Ok(()), |letter| write!(f, " ({letter})"))
    }
}

macro_rules! load {
    ($name:literal) => {
        Builtin {
            letter: None,
            name: $name,
            text: include_str!(concat!("load/builtin/", $name, ".toml")),
        }
    };
}

macro_rules! experiment {
    ($letter:literal, $name:literal) => {
        Builtin {
            letter: Some($letter),
            name: $name,
            text: include_str!(concat!("experiment/builtin/", $name, ".toml")),
        }
    };
}

/// Workloads, in the order of the manual.
pub static LOADS: &[Builtin] = &[
    load!("usemem"),
    load!("random-write"),
    load!("readahead"),
    load!("mthp-churn"),
    load!("build-like"),
    load!("free-latency"),
    load!("swapoff-cost"),
    load!("zipf-cache"),
    load!("leak"),
    load!("fork-cow"),
];

/// Experiments, in the order of the manual.
pub static EXPERIMENTS: &[Builtin] = &[
    experiment!("A", "balance"),
    experiment!("B", "nodes"),
    experiment!("C", "readahead"),
    experiment!("D", "folios"),
    experiment!("E", "freeing"),
    experiment!("F", "zswap"),
];

/// Finds a workload or an experiment by name or letter.
pub fn find(of: &'static [Builtin], name: &str) -> Option<&'static Builtin> {
    of.iter().find(|it| it.is_called(name))
}

/// The published figures for an experiment: those of its file, or those of the built-in experiment
/// with the same name and question.
pub fn published(experiment: &Experiment, beside: &ExperimentExtras) -> Option<Published> {
    let known = || {
        let known = EXPERIMENTS.iter().find(|it| it.name == experiment.title)?;
        let plan = known.plan().ok()?;
        plan.published.filter(|_| plan.question == experiment.question)
    };
    beside.published.clone().or_else(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::load::file::{KeyOverride, read, read_changed};
    use crate::model::load::{AccessPattern, AfterTouching, MemoryKind, Workload};

    #[test]
    fn every_built_in_load_is_valid() {
        for it in LOADS {
            let load = read(it.name, it.text).unwrap_or_else(|wrongs| panic!("{wrongs:?}"));
            assert!(load.about.len() > 40 && load.about.ends_with('.'), "{}", it.name);
            assert!(it.text.contains("\n# "), "{} has no comment", it.name);
        }
    }

    fn changed(name: &str, changes: &[&str]) -> Workload {
        let it = find(LOADS, name).unwrap();
        let changes: Vec<KeyOverride> =
            changes.iter().map(|text| KeyOverride::parse(text)).collect();
        let read = read_changed(name, it.text, &changes);
        read.unwrap_or_else(|problems| panic!("{problems:?}")).0
    }

    #[test]
    fn suggested_overrides_are_valid() {
        let usemem = changed("usemem", &["processes=31", "limit=4G", "size=2G"]);
        assert_eq!(usemem.works[0].processes, 31);
        assert!(usemem.start_together && usemem.free_together && !usemem.works[0].prefault);
        for change in ["pattern=random", "memory=shared"] {
            assert_eq!(changed("readahead", &[change]).works[0].passes, Some(5.0));
        }
        assert_eq!(changed("mthp-churn", &["mthp=64K=always,256K=always"]).mthp.len(), 2);
        changed("free-latency", &["free=exit"]);
        changed("random-write", &["cpus=0-3", "node=0"]);
    }

    #[test]
    fn built_in_loads_match_their_description() {
        assert_eq!(changed("swapoff-cost", &[]).after, AfterTouching::Swapoff);
        assert_eq!(changed("fork-cow", &[]).works[0].memory, MemoryKind::Forked);
        assert_eq!(changed("zipf-cache", &[]).works[0].order, AccessPattern::Zipf { skew: 0.99 });
        assert_eq!(changed("mthp-churn", &[]).works[0].order, AccessPattern::Churn);
        let build = changed("build-like", &[]);
        assert!(!build.start_together && build.works[0].rounds > 1 && build.works[0].vary > 0.0);
    }
}

//! Experiments that are always there: what kernel developers measured, made again in small.

use super::file;
use super::{Plan, Published};
use crate::model::experiment::Experiment;
use crate::stress::file::Wrong;

/// An experiment that is always there.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The letter it is known by in short.
    pub letter: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

impl Builtin {
    /// As it is read.
    ///
    /// # Errors
    /// All that cannot be followed.
    pub fn plan(&self) -> Result<Plan, Vec<Wrong>> {
        file::read(self.name, self.text)
    }
}

macro_rules! builtin {
    ($letter:literal, $name:literal) => {
        Builtin {
            letter: $letter,
            name: $name,
            text: include_str!(concat!("builtin/", $name, ".toml")),
        }
    };
}

static BUILTIN: &[Builtin] = &[
    builtin!("A", "balance"),
    builtin!("B", "nodes"),
    builtin!("C", "readahead"),
    builtin!("D", "folios"),
    builtin!("E", "freeing"),
];

/// All of them, in the order of the manual.
pub fn builtin() -> impl Iterator<Item = &'static Builtin> {
    BUILTIN.iter()
}

/// What others have published about what this experiment answers. One that is called as one that
/// is built in, and answers something else, is another one.
#[must_use]
pub fn published(experiment: &Experiment) -> Option<Published> {
    let plan = BUILTIN.iter().find(|it| it.name == experiment.title)?.plan().ok()?;
    plan.published.filter(|_| plan.question == experiment.question)
}

/// The one with this letter or name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|it| it.name == name || it.letter.eq_ignore_ascii_case(name))
}

//! Experiments that are always there: what kernel developers measured, made again in small.

use super::file;
use super::{Plan, Published};
use crate::config::Problem;
use crate::lab::load::file::Source;
use crate::model::experiment::{Beside, Experiment};

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
    pub fn plan(&self) -> Result<Plan, Vec<Problem>> {
        file::read(self.name, self.text)
    }

    /// Its text, as that of a file that is called as it is.
    pub fn source(&self) -> Source {
        let name = self.name.to_owned();
        Source { file: name.clone(), name, text: self.text.to_owned() }
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
    builtin!("F", "zswap"),
];

/// All of them, in the order of the manual.
pub fn builtin() -> impl Iterator<Item = &'static Builtin> {
    BUILTIN.iter()
}

/// What others have published about what this experiment answers: what its file said, or what is
/// known of one that is built in. One that is called so, and answers something else, is another one.
pub fn published(experiment: &Experiment, beside: &Beside) -> Option<Published> {
    let known = || {
        let plan = BUILTIN.iter().find(|it| it.name == experiment.title)?.plan().ok()?;
        plan.published.filter(|_| plan.question == experiment.question)
    };
    beside.published.clone().or_else(known)
}

/// The one with this letter or name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|it| it.name == name || it.letter.eq_ignore_ascii_case(name))
}

//! Experiments: a load in several cases, which differ in what is asked about and in nothing else.
//!
//! An experiment is data. Factors with their values make a matrix of cases; all cases are run as
//! often as the others, in an order that comes from the seed, so that what changes with time on
//! the machine does not look like a difference between cases.

pub mod builtin;
pub mod file;
pub mod keys;
pub mod matrix;
pub mod published;
pub mod ready;
pub mod settings;
pub mod table;

pub use crate::model::experiment::Published;

use crate::lab::run_spec::Kind;
use settings::Settings;

/// An experiment as its file says it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
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
    pub base: Settings,
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
    pub values: Vec<Value>,
}

/// A value of a factor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// What it is called.
    pub name: String,
    /// What it sets.
    pub settings: Settings,
}

/// Something to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The sentences.
    pub text: String,
    /// Where they hold.
    pub when: When,
}

/// Where a note holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// On all.
    #[default]
    Always,
    /// On those with one NUMA node.
    OneNode,
    /// On those with several.
    SeveralNodes,
    /// Where areas are made that are carried so.
    Made(Kind),
}

impl When {
    /// Each with its word.
    pub const WORDS: [(&str, Self); 5] = [
        ("always", Self::Always),
        ("one-node", Self::OneNode),
        ("several-nodes", Self::SeveralNodes),
        ("zram", Self::Made(Kind::Zram)),
        ("file", Self::Made(Kind::File)),
    ];
}

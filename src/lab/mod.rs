//! The stress lab: runs loads in a cage, looks after the machine meanwhile, and measures.
//!
//! A load is data (`model::load`), read from a file ([`load`]) and carried out by processes
//! ([`worker`]). Here it meets the machine: areas and settings that it is lent by a plan, the cage,
//! the guard that ends it before the machine suffers, and what the kernel's counters say about it.

pub mod builtin;
pub mod eta;
pub mod experiment;
pub mod fits;
pub mod guard;
pub mod library;
mod lost_worker;
pub mod measure;
pub mod run_spec;
pub mod runs;
pub mod session;
pub mod store;
pub mod worker;
pub mod workers;

/// Loads: the keys of their files, the reader of these, and those that are built in.
pub mod load {
    pub mod file;
    pub mod keys;
}

use crate::change;
use crate::config::Problem;
use crate::model::name::{safe_text, without_os_error};
use std::path::{Path, PathBuf};

/// Why the lab cannot do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// What was asked for makes no sense, or not on this machine.
    #[error("{0}")]
    Invalid(String),
    /// A file could not be read or written.
    #[error("{}: {}", safe_text(&path.to_string_lossy()), safe_text(what))]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        what: String,
    },
    /// Something that everything depends on cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The machine is not as it was when the session was confirmed, or somebody else changes it.
    #[error("{0}")]
    Busy(String),
    /// The machine is a captured tree.
    #[error("a captured tree runs nothing")]
    Captured,
    /// A change cannot even be begun.
    #[error(transparent)]
    Change(#[from] change::ChangeError),
}

impl LabError {
    /// What went wrong with a file.
    pub fn file(path: &Path, what: impl std::fmt::Display) -> Self {
        Self::File { path: path.to_owned(), what: without_os_error(&what.to_string()) }
    }
}

/// All that is wrong with a file, line by line.
impl From<Vec<Problem>> for LabError {
    fn from(problems: Vec<Problem>) -> Self {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Self::Invalid(lines.join("\nswapadm: "))
    }
}

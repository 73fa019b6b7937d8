//! The stress lab: runs workloads inside a memory limit, watches the machine meanwhile, and
//! measures.
//!
//! A workload is data (`model::load`), read from a file ([`load`]) and run by processes
//! ([`worker`]). This module adds what a run needs on the machine: temporary swap areas and
//! settings, made and removed by a plan; the cgroup with the memory limit; the guard that stops the
//! run before the machine suffers; and the figures taken from the kernel's counters.

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

/// Workloads: the keys of their files, the reader, and the built-in ones.
pub mod load {
    pub mod file;
    pub mod keys;
}

use crate::change;
use crate::config::Problem;
use crate::model::name::{explain_os_error, safe_text};
use std::path::{Path, PathBuf};

/// Errors of the lab.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The request is not valid, in general or on this machine.
    #[error("{0}")]
    Invalid(String),
    /// A file could not be read or written.
    #[error("{}: {}", safe_text(&path.to_string_lossy()), safe_text(what))]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        what: String,
    },
    /// The system information that the lab depends on cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The machine has changed since the session was confirmed, or another process holds the lock.
    #[error("{0}")]
    Busy(String),
    /// The machine is a captured tree.
    #[error("this is a captured tree: workloads and experiments run on the live system only")]
    Captured,
    /// A change could not be started.
    #[error(transparent)]
    Change(#[from] change::ChangeError),
}

impl LabError {
    /// An error of a file.
    pub fn file(path: &Path, what: impl std::fmt::Display) -> Self {
        Self::File { path: path.to_owned(), what: explain_os_error(&what.to_string()) }
    }
}

/// All errors of a file, one per line.
impl From<Vec<Problem>> for LabError {
    fn from(problems: Vec<Problem>) -> Self {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Self::Invalid(lines.join("\nswapadm: "))
    }
}

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

use crate::change::ChangeError;
use crate::config::Problem;

/// Why nothing is run on a captured tree.
pub const CAPTURED: &str = "this is a captured tree: runs need the machine itself";

/// All errors of a file, one per line.
impl From<Vec<Problem>> for ChangeError {
    fn from(problems: Vec<Problem>) -> Self {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Self::Usage(lines.join("\nswapadm: "))
    }
}

//! What a file of results holds.

use super::experiment::{Beside, Experiment};
use super::run::Run;

/// A run, or an experiment with all runs of its cases.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// A run.
    Run(Box<Run>),
    /// An experiment, and what stands beside it.
    Experiment(Box<Experiment>, Beside),
}

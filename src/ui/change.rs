//! Changes requested on the screen, and the answers of the engine: a request goes to a [`ChangeEngine`]
//! outside the thread of the screen, and the proposal that comes back is shown.

use super::lab::{LabEngine, SessionProposal};
use super::what_if::AreaSetup;
use crate::actions::check::Check;
use crate::actions::estimate::Forecast;
use crate::actions::journal::Record;
use crate::actions::monitor::Monitor;
use crate::actions::plan::Plan;
use crate::actions::run::{ChangeOutcome, Progress};
use crate::change;
use crate::change::setup::{SetupProposal, SetupRequest};
pub use crate::change::{ExecutionOptions, Intent, ReclaimSource, Setting};
use crate::model::{PartSet, Snapshot};

/// A change requested on the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeRequest {
    /// A complete intent.
    Intent(Intent),
    /// A command of this program that changes the machine, without the name of the program.
    Command(String),
}

impl From<Intent> for ChangeRequest {
    fn from(intent: Intent) -> Self {
        Self::Intent(intent)
    }
}

/// A proposed change with the details that only the dialog shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeProposal {
    /// The proposal of the engine.
    pub change: change::Proposal,
    /// The areas that the next pages go to, now and after the change, if it is about areas.
    pub next: Option<String>,
    /// The inactive areas that the change enables, for the model.
    pub inactive: Vec<AreaSetup>,
}

/// A proposal shown in a dialog, to be confirmed.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyProposal {
    /// A change of the machine.
    Change(ChangeProposal),
    /// A workload or an experiment.
    Session(SessionProposal),
}

impl AnyProposal {
    /// The change with its details, unless it is a workload or an experiment.
    pub fn planned(&self) -> Option<&ChangeProposal> {
        match self {
            Self::Change(proposal) => Some(proposal),
            Self::Session(_) => None,
        }
    }

    /// The change, unless it is a workload or an experiment.
    pub fn change(&self) -> Option<&change::Proposal> {
        self.planned().map(|proposal| &proposal.change)
    }

    /// The workload or experiment, unless it is a change.
    pub fn session(&self) -> Option<&SessionProposal> {
        match self {
            Self::Change(_) => None,
            Self::Session(proposal) => Some(proposal),
        }
    }

    /// The steps; for a workload, those of its setup.
    pub fn plan(&self) -> &Plan {
        match self {
            Self::Change(proposal) => &proposal.change.plan,
            Self::Session(proposal) => &proposal.plan,
        }
    }

    /// The checks.
    pub fn checks(&self) -> &[Check] {
        match self {
            Self::Change(proposal) => &proposal.change.checks,
            Self::Session(proposal) => &proposal.checks,
        }
    }

    /// The estimated data and time of each step.
    pub fn costs(&self) -> &[Forecast] {
        match self {
            Self::Change(proposal) => &proposal.change.costs,
            Self::Session(proposal) => &proposal.costs,
        }
    }
}

/// The journal.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeHistory {
    /// The plans, oldest first.
    pub records: Vec<Record>,
    /// The current boot.
    pub boot: String,
}

impl ChangeHistory {
    /// The number of interrupted or partly done plans that can be repaired.
    pub fn interrupted(&self) -> usize {
        self.records.iter().filter(|record| record.is_open(&self.boot)).count()
    }
}

/// Plans changes and carries them out. All calls may take long.
pub trait ChangeEngine: LabEngine {
    /// Why nothing can be changed, if so. Changes can still be planned.
    fn blocked_reason(&self) -> Option<String>;

    /// Takes a sample of the machine.
    fn sample(&self, parts: PartSet) -> Snapshot;

    /// Proposes the change, or explains in a sentence why there is no plan.
    fn propose(
        &self,
        request: &ChangeRequest,
        options: &ExecutionOptions,
    ) -> Result<ChangeProposal, String>;

    /// Proposes swap for this machine, or explains why it cannot.
    fn propose_setup(&self, request: &SetupRequest) -> Result<SetupProposal, String>;

    /// Carries the proposal out, or explains why it was not started.
    fn carry_out(
        &self,
        proposal: &ChangeProposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> ChangeResult;

    /// Reads the journal, or explains why it cannot.
    fn read_journal(&self) -> Result<ChangeHistory, String>;
}

/// The outcome of a change, or why it could not start.
pub type ChangeResult = Result<ChangeOutcome, String>;

//! Changes as the interface asks for them, and what the engine answers: the interface hands a request to a
//! [`ChangeEngine`], aside from the screen, and shows the proposal that comes back.

use super::lab::{LabEngine, SessionProposal};
use crate::actions::check::Check;
use crate::actions::estimate::Forecast;
use crate::actions::journal::Record;
use crate::actions::monitor::Monitor;
use crate::actions::plan::Plan;
use crate::actions::run::{ChangeOutcome, Progress};
use crate::change;
pub use crate::change::{ExecutionOptions, Intent, Setting};

/// A change that is asked for on the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeRequest {
    /// A complete intent.
    Intent(Intent),
    /// Enable the area that a person typed: a path, or a tag such as `UUID=`.
    Enable(String),
    /// Create a zram device of the size that a person typed, and swap on it.
    ZramSwap(String),
    /// Change the zram device of this name.
    Zram(String, ZramRequest),
    /// Undo the last change that stands.
    UndoLast,
}

impl From<Intent> for ChangeRequest {
    fn from(intent: Intent) -> Self {
        Self::Intent(intent)
    }
}

/// A change of a zram device that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZramRequest {
    /// Give it this, as it was typed.
    Set(ZramValue, String),
    /// Let it give back what is lost between its pages.
    Compact,
    /// Remove it.
    Remove,
}

/// What a zram device can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZramValue {
    /// A size.
    Size,
    /// An algorithm.
    Algorithm,
    /// A limit on its memory.
    Limit,
    /// The order to mark as idle what was not used for so long, or all.
    Idle,
    /// The order to write such pages to its backing device.
    Writeback,
}

/// A change that is proposed, with what only the dialog says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeProposal {
    /// The proposal of the engine.
    pub change: change::Proposal,
    /// Which areas the next pages go to, now and after it, where it is about areas.
    pub next: Option<String>,
}

/// What a dialog shows, to be confirmed.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyProposal {
    /// A change of the machine.
    Change(ChangeProposal),
    /// A load or an experiment.
    Session(SessionProposal),
}

impl AnyProposal {
    /// The change, unless it is a workload or an experiment.
    pub fn change(&self) -> Option<&change::Proposal> {
        match self {
            Self::Change(proposal) => Some(&proposal.change),
            Self::Session(_) => None,
        }
    }

    /// The workload or experiment, unless it is a change.
    pub fn session(&self) -> Option<&SessionProposal> {
        match self {
            Self::Change(_) => None,
            Self::Session(proposal) => Some(proposal),
        }
    }

    /// The steps: of a load, those of its setup.
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

    /// What each step moves, and how long it may take.
    pub fn costs(&self) -> &[Forecast] {
        match self {
            Self::Change(proposal) => &proposal.change.costs,
            Self::Session(proposal) => &proposal.costs,
        }
    }
}

/// What was changed before.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeHistory {
    /// The plans, oldest first.
    pub records: Vec<Record>,
    /// Which start of the machine this is.
    pub boot: String,
}

impl ChangeHistory {
    /// How many plans were cut off or left in part, and can be put right.
    pub fn interrupted(&self) -> usize {
        self.records.iter().filter(|record| record.is_open(&self.boot)).count()
    }
}

/// Plans changes and carries them out. All of it may take long.
pub trait ChangeEngine: LabEngine {
    /// Why nothing can be changed from here, if that is so. Plans can be made all the same.
    fn blocked_reason(&self) -> Option<String>;

    /// Proposes the change, or explains in a sentence why there is no plan.
    fn propose(
        &self,
        request: &ChangeRequest,
        options: &ExecutionOptions,
    ) -> Result<ChangeProposal, String>;

    /// Carries the proposal out, or explains why it was not started.
    fn carry_out(
        &self,
        proposal: &ChangeProposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> ChangeResult;

    /// Reads the journal, or explains why it cannot.
    fn read_journal(&self) -> Result<ChangeHistory, String>;
}

/// What came of a change, or why it was not even begun.
pub type ChangeResult = Result<ChangeOutcome, String>;

//! Changes for the interface: the same plans, checks and lock as those of the commands.

mod typed;

use super::{find, next, zram};
use crate::actions::check::{self, Verdict};
use crate::actions::journal;
use crate::actions::monitor::Monitor;
use crate::actions::run::{Outcome, Progress};
use crate::change::{self, ExecutionContext, Ledger, Machine, SwaponOptions};
use crate::cli::exit::Failure;
use crate::cli::options::Environment;
use crate::lab::store::Known;
use crate::model::PartSet;
use crate::root::Root;
use crate::ui::change::{
    ChangeEngine, ChangeProposal, ChangeRequest, ExecutionOptions, Intent, Past,
};
use std::ffi::OsStr;
use std::path::PathBuf;

/// The way from the interface to the machine.
#[derive(Debug)]
pub struct MachineEngine {
    pub(super) root: Root,
    pub(super) journal: PathBuf,
    pub(super) environment: Environment,
    /// The results that are listed.
    pub(super) kept: Known,
}

impl MachineEngine {
    /// To the machine behind this root.
    pub fn of(root: &Root, environment: &Environment) -> Self {
        let environment = environment.clone();
        let (root, journal) =
            (root.patient(), Ledger::of_machine(root, environment.journal.as_deref()).journal);
        Self { root, journal, environment, kept: Known::default() }
    }

    /// Reads what was typed, on this machine.
    fn parse(&self, machine: &Machine<'_>, request: &ChangeRequest) -> Result<Intent, Failure> {
        let zram = zram::Typed::of(machine, |_| {});
        Ok(match request {
            ChangeRequest::Known(Intent::Recover) if self.read()?.open() == 0 => {
                return Err(Failure::Usage("nothing was cut off".to_owned()));
            }
            ChangeRequest::Known(intent) => intent.clone(),
            ChangeRequest::Enable(what) => {
                let path = find::storage(&self.root, OsStr::new(what))?;
                Intent::On(vec![path], SwaponOptions::default())
            }
            ChangeRequest::ZramSwap(text) => Intent::Zram(typed::swap(zram, text)?),
            ChangeRequest::Zram(device, request) => {
                Intent::Zram(typed::device(zram, device, request)?)
            }
            ChangeRequest::UndoLast => Intent::Undo(self.last_standing()?),
        })
    }

    /// The number of the last change that can be undone.
    fn last_standing(&self) -> Result<u64, Failure> {
        let Past { records, boot } = self.read()?;
        let last = journal::last_standing(&records, &boot).ok_or_else(|| {
            Failure::Usage("nothing that was changed could be taken back: J lists it".to_owned())
        })?;
        Ok(last.plan)
    }

    fn read(&self) -> Result<Past, Failure> {
        let records =
            journal::read(&self.journal).map_err(|error| Failure::file(&self.journal, error))?;
        Ok(Past { records, boot: change::boot(&self.root)? })
    }

    fn proposal(
        &self,
        request: &ChangeRequest,
        options: &ExecutionOptions,
    ) -> Result<ChangeProposal, Failure> {
        if let Some(why) = change::propose::hindrance(options.limits, &self.root) {
            return Err(Failure::Usage(format!("a limit on waits {why}")));
        }
        let machine = Machine::of(&self.root);
        let intent = self.parse(&machine, request)?;
        let change = change::propose(&machine, &self.journal, intent, options.clone())?;
        let nothing = change.plan.steps.is_empty() && change.plan.relies_on.is_empty();
        if nothing && matches!(change.intent, Intent::OnConfigured(_)) {
            let notes = change.notes.into_iter().map(|note| note.text);
            let why: Vec<_> = std::iter::once(change.plan.title).chain(notes).collect();
            return Err(Failure::Usage(why.join("; ")));
        }
        Ok(ChangeProposal { next: next::pages(&machine, &change.plan), change })
    }

    /// Does what was confirmed.
    fn change(
        &self,
        proposal: &change::Proposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> Result<Outcome, Failure> {
        let lock = change::lock(&self.root, &proposal.plan.title)?;
        let (root, journal) = (&self.root, self.journal.as_path());
        let limits = proposal.options.limits;
        let context = ExecutionContext { root, lock: &lock, journal, limits };
        Ok(change::execute(context, proposal, monitor)?)
    }
}

impl ChangeEngine for MachineEngine {
    fn barred(&self) -> Option<String> {
        if !self.root.is_live() {
            return Some("a captured tree cannot be changed".to_owned());
        }
        let rights = check::rights(&change::look(&self.root, PartSet::NONE));
        (rights.verdict == Verdict::Refuse)
            .then(|| "changing swap needs root (CAP_SYS_ADMIN)".to_owned())
    }

    fn propose(
        &self,
        request: &ChangeRequest,
        options: &ExecutionOptions,
    ) -> Result<ChangeProposal, String> {
        self.proposal(request, options).map_err(|failure| failure.to_string())
    }

    fn carry_out(
        &self,
        proposal: &ChangeProposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> Result<Outcome, String> {
        self.change(&proposal.change, monitor).map_err(|failure| failure.to_string())
    }

    fn past(&self) -> Result<Past, String> {
        self.read().map_err(|failure| failure.to_string())
    }
}

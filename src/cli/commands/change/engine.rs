//! Changes for the interface: the same plans, checks and lock as those of the commands.

mod typed;

use super::{find, next, place, zram};
use crate::actions::check::{self, Verdict};
use crate::actions::journal;
use crate::actions::monitor::Monitor;
use crate::actions::rebalance::Strategy;
use crate::actions::run::{Outcome, Progress};
use crate::change::{self, ExecutionContext, Machine, SwaponOptions};
use crate::cli::exit::Failure;
use crate::cli::options::Environment;
use crate::lab::store::Known;
use crate::model::{PartSet, Policy};
use crate::root::Root;
use crate::ui::change::{ChangeEngine, ExecutionOptions, Intent, Past, Proposal, Way};
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
        let (root, journal) = (root.patient(), place(root, &environment));
        Self { root, journal, environment, kept: Known::default() }
    }

    /// Understand what was chosen or typed, on this machine.
    fn understood(
        &self,
        machine: &Machine<'_>,
        intent: &Intent,
    ) -> Result<change::Intent, Failure> {
        let zram = zram::Typed::of(machine, |_| {});
        Ok(match intent {
            Intent::Off(names) => change::Intent::Off(names.clone()),
            Intent::Priority(names, priority) => {
                let wishes = names.iter().map(|name| (name.clone(), *priority));
                change::Intent::Priorities(wishes.collect())
            }
            Intent::On(what) => {
                let path = find::storage(&self.root, OsStr::new(what))?;
                change::Intent::On(vec![path], SwaponOptions::default())
            }
            Intent::OnConfigured => change::Intent::OnConfigured(SwaponOptions::default()),
            Intent::Set(setting, Some(value)) => {
                change::Intent::Set(vec![(setting.clone(), value.clone())])
            }
            Intent::Set(setting, None) => change::Intent::Reset(vec![setting.clone()]),
            Intent::Rebalance(Way::Tiered) => change::Intent::Rebalance(Strategy::Tiered),
            Intent::Rebalance(Way::Spread) => {
                change::Intent::Rebalance(Strategy::Spread(Policy::DEFAULT.skew_warn))
            }
            Intent::ZramSwap(text) => change::Intent::Zram(typed::swap(zram, text)?),
            Intent::Zram(device, request) => {
                change::Intent::Zram(typed::device(zram, device, request)?)
            }
            Intent::Load(_) => {
                return Err(Failure::Usage("a load is run, rather than changed".to_owned()));
            }
            Intent::Undo(Some(number)) => change::Intent::Undo(*number),
            Intent::Undo(None) => {
                let Past { records, boot } = self.read()?;
                let last = journal::last_standing(&records, &boot).ok_or_else(|| {
                    Failure::Usage(
                        "nothing that was changed could be taken back: J lists it".to_owned(),
                    )
                })?;
                change::Intent::Undo(last.plan)
            }
            Intent::Recover if self.read()?.open() == 0 => {
                return Err(Failure::Usage("nothing was cut off".to_owned()));
            }
            Intent::Recover => change::Intent::Recover,
        })
    }

    fn read(&self) -> Result<Past, Failure> {
        let records =
            journal::read(&self.journal).map_err(|error| Failure::file(&self.journal, error))?;
        Ok(Past { records, boot: change::boot(&self.root)? })
    }

    fn proposal(&self, intent: &Intent, options: &ExecutionOptions) -> Result<Proposal, Failure> {
        if let Some(why) = change::propose::hindrance(options.limits, &self.root) {
            return Err(Failure::Usage(format!("a limit on waits {why}")));
        }
        let machine = Machine::of(&self.root);
        let wanted = self.understood(&machine, intent)?;
        let change = change::propose(&machine, &self.journal, wanted, options.clone())?;
        let nothing = change.plan.steps.is_empty() && change.plan.relies_on.is_empty();
        if nothing && *intent == Intent::OnConfigured {
            let notes = change.notes.into_iter().map(|note| note.text);
            let why: Vec<_> = std::iter::once(change.plan.title).chain(notes).collect();
            return Err(Failure::Usage(why.join("; ")));
        }
        Ok(Proposal {
            intent: intent.clone(),
            options: options.clone(),
            can_last: change.can_last,
            next: next::pages(&machine, &change.plan),
            plan: change.plan.clone(),
            undoes: change.undoes,
            checks: change.checks.clone(),
            costs: change.costs.clone(),
            load: None,
            change: Some(Box::new(change)),
        })
    }

    /// Do what was confirmed.
    fn change(
        &self,
        proposal: &Proposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> Result<Outcome, Failure> {
        let Some(change) = &proposal.change else {
            return Err(Failure::Usage("a load is run, rather than changed".to_owned()));
        };
        let lock = change::lock(&self.root, &change.plan.title)?;
        let (root, journal) = (&self.root, self.journal.as_path());
        let limits = change.options.limits;
        let context = ExecutionContext { root, lock: &lock, journal, limits };
        Ok(change::execute(context, change, monitor)?)
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

    fn propose(&self, intent: &Intent, options: &ExecutionOptions) -> Result<Proposal, String> {
        let proposal = if let Intent::Load(form) = intent {
            self.weighed(form)
        } else {
            self.proposal(intent, options)
        };
        proposal.map_err(|failure| failure.to_string())
    }

    fn carry_out(
        &self,
        proposal: &Proposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> Result<Outcome, String> {
        self.change(proposal, monitor).map_err(|failure| failure.to_string())
    }

    fn past(&self) -> Result<Past, String> {
        self.read().map_err(|failure| failure.to_string())
    }
}

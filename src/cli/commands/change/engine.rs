//! Changes for the interface, with the plans, checks and lock of the commands.

mod typed;

pub(super) use typed::parse_words;

use super::next_area;
use crate::actions::check::{self, Check, CheckVerdict};
use crate::actions::journal::{self, JournalStore};
use crate::actions::monitor::{Monitor, Unattended};
use crate::actions::run::{ChangeOutcome, Progress};
use crate::change::setup::{self, SetupProposal, SetupRequest};
use crate::change::what_if::inactive_areas;
use crate::change::{
    self, ChangeTarget, ExecutionContext, Ledger, ObservedMachine, SimulatedTarget,
};
use crate::cli::exit::{CommandError, CommandResult, usage};
use crate::cli::options::Environment;
use crate::lab::session::remove_orphans;
use crate::lab::store::ResultCache;
use crate::model::{PartSet, Snapshot};
use crate::root::{Patience, Root};
use crate::sys::{Orphan, orphans};
use crate::ui::change::{
    ChangeEngine, ChangeHistory, ChangeProposal, ChangeRequest, ExecutionOptions, Intent,
};
use crate::ui::job::describe_change;

/// Why a simulated machine is not set up.
const NO_SETUP: &str =
    "setup is for real machines: a simulated one has the areas of its machine file";

/// Plans a command on a simulated machine and carries it out. Returns what it did, or why it was refused.
///
/// # Errors
/// The command has no plan, a check refuses it, or a step failed.
pub fn run_simulated(machine: &SimulatedTarget, command: &str) -> Result<String, String> {
    let engine = MachineEngine::for_simulated(machine, &Environment::default());
    let command = command.strip_prefix("swapadm ").unwrap_or(command).to_owned();
    let request = ChangeRequest::Command(command);
    let proposal = engine.propose(&request, &ExecutionOptions::default())?;
    if let Some(check) = proposal.change.refusal() {
        return Err(format!("REFUSED: {}", check.text));
    }
    if proposal.change.plan.steps.is_empty() {
        return Ok(proposal.change.describe_nothing_to_do());
    }
    let end = describe_change(&engine.carry_out(&proposal, &mut Unattended), false);
    if end.well { Ok(end.words) } else { Err(end.words) }
}

/// Makes the changes of the interface on the machine.
#[derive(Debug)]
pub struct MachineEngine {
    pub(super) root: Root,
    /// The simulated machine that is changed in place of the root.
    simulated: Option<SimulatedTarget>,
    pub(super) journal: JournalStore,
    pub(super) environment: Environment,
    /// The results listed before.
    pub(super) kept: ResultCache,
}

impl MachineEngine {
    /// The engine for the machine behind this root.
    pub fn new(root: &Root, environment: &Environment) -> Self {
        let environment = environment.clone();
        let (root, journal) = (
            root.with_patience(Patience::PLAN),
            Ledger::for_machine(root, environment.journal.as_deref()).journal,
        );
        Self { root, simulated: None, journal, environment, kept: ResultCache::default() }
    }

    /// The engine for a simulated machine.
    pub fn for_simulated(machine: &SimulatedTarget, environment: &Environment) -> Self {
        let (root, journal) = (machine.root().clone(), machine.journal.clone());
        let environment = environment.clone();
        let simulated = Some(machine.clone());
        Self { root, simulated, journal, environment, kept: ResultCache::default() }
    }

    /// The machine.
    pub(super) fn target(&self) -> ChangeTarget<'_> {
        self.simulated.as_ref().map_or_else(|| (&self.root).into(), ChangeTarget::from)
    }

    /// Turns a request into an intent for this machine. A command has options of its own.
    fn parse(
        &self,
        machine: &ObservedMachine<'_>,
        request: &ChangeRequest,
        options: &ExecutionOptions,
    ) -> CommandResult<(Intent, ExecutionOptions)> {
        let intent = match request {
            ChangeRequest::Command(text) => return typed::command(machine, text),
            ChangeRequest::Intent(Intent::Recover) if self.read()?.interrupted() == 0 => {
                return Err(usage("Nothing to repair: no change was interrupted"));
            }
            ChangeRequest::Intent(intent) => intent.clone(),
        };
        Ok((intent, options.clone()))
    }

    fn read(&self) -> CommandResult<ChangeHistory> {
        let records = journal::read(&self.journal)
            .map_err(|error| CommandError::file(self.journal.path(), error))?;
        Ok(ChangeHistory { records, boot: self.target().boot()? })
    }

    fn proposal(
        &self,
        request: &ChangeRequest,
        options: &ExecutionOptions,
    ) -> CommandResult<ChangeProposal> {
        if let Some(why) = change::propose::why_limits_unsupported(options.limits, &self.root) {
            return Err(usage(format!("the limit on PSI {why}")));
        }
        let is_setup = matches!(request, ChangeRequest::Intent(Intent::Setup(_)));
        let machine = if is_setup {
            setup::observe(&self.root)
        } else {
            ObservedMachine::observe(self.target())
        };
        let (intent, options) = self.parse(&machine, request, options)?;
        let mut change = change::propose(&machine, &self.journal, intent, options)?;
        if change.intent == Intent::Recover {
            change.notes.extend(orphans(&self.root).iter().map(orphan_note));
        }
        let nothing = change.plan.steps.is_empty() && change.plan.relies_on.is_empty();
        if nothing && matches!(change.intent, Intent::OnConfigured(_)) {
            let notes = change.notes.into_iter().map(|note| note.text);
            let why: Vec<_> = std::iter::once(change.plan.title).chain(notes).collect();
            return Err(usage(why.join("; ")));
        }
        let next = next_area::next_pages(&machine, &change.plan);
        Ok(ChangeProposal { next, inactive: inactive_areas(&machine, &change.plan), change })
    }

    /// Carries out what was confirmed.
    fn change(
        &self,
        proposal: &change::Proposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> CommandResult<ChangeOutcome> {
        let (target, limits) = (self.target(), proposal.options.limits);
        let lock = match target {
            ChangeTarget::Files(root) => Some(change::lock(root, &proposal.plan.title)?),
            ChangeTarget::Simulated(_) => None,
        };
        let (lock, journal) = (lock.as_ref(), &self.journal);
        let context = ExecutionContext { target, lock, journal, limits };
        let outcome = change::execute(context, proposal, monitor)?;
        let mut notices = Vec::new();
        if proposal.intent == Intent::Recover && lock.is_some() {
            remove_orphans(&self.root, |notice| notices.push(notice));
        }
        let remark =
            outcome.remark.into_iter().chain(notices).reduce(|one, more| one + "; " + &more);
        Ok(ChangeOutcome { remark, ..outcome })
    }
}

/// Names the cgroup of a run that was killed, which recovery removes.
fn orphan_note(orphan: &Orphan) -> Check {
    let text = format!("{}, left by a run that was killed, will be removed", orphan.path());
    Check::note("orphans", text)
}

impl ChangeEngine for MachineEngine {
    fn blocked_reason(&self) -> Option<String> {
        if self.simulated.is_some() {
            return None;
        }
        if !self.root.is_live() {
            return Some("a captured tree cannot be changed".to_owned());
        }
        let rights = check::rights(&self.target().sample(PartSet::NONE));
        (rights.verdict == CheckVerdict::Refuse)
            .then(|| "changing swap needs root (CAP_SYS_ADMIN)".to_owned())
    }

    fn sample(&self, parts: PartSet) -> Snapshot {
        self.target().sample(parts)
    }

    fn propose(
        &self,
        request: &ChangeRequest,
        options: &ExecutionOptions,
    ) -> Result<ChangeProposal, String> {
        self.proposal(request, options).map_err(|failure| failure.to_string())
    }

    fn propose_setup(&self, request: &SetupRequest) -> Result<SetupProposal, String> {
        if self.simulated.is_some() {
            return Err(NO_SETUP.to_owned());
        }
        let machine = setup::observe(&self.root);
        setup::propose_setup(&machine, request).map_err(|failure| failure.to_string())
    }

    fn carry_out(
        &self,
        proposal: &ChangeProposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> Result<ChangeOutcome, String> {
        self.change(&proposal.change, monitor).map_err(|failure| failure.to_string())
    }

    fn read_journal(&self) -> Result<ChangeHistory, String> {
        self.read().map_err(|failure| failure.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::journal::PlanEnd;
    use crate::change::what_if::MODEL_PARTS;
    use crate::model::{Bytes, Reading, Sampled};
    use crate::sim::cost::SimDevice;
    use crate::sim::machine::RunningMachine;
    use crate::sim::testing::machine;
    use crate::sim::testing::setup;
    use crate::ui::what_if::{WhatIfQuestion, WhatIfRequest};

    /// Requests of the Devices screen are planned, carried out and undone on the model.
    #[test]
    fn the_interface_changes_a_simulated_machine() {
        let machine = machine("7.2", 500, vec![setup(SimDevice::Zram, 1024)]);
        let session = SimulatedTarget::new(RunningMachine::new(machine, None).unwrap());
        let engine = MachineEngine::for_simulated(&session, &Environment::default());
        assert_eq!(engine.blocked_reason(), None);
        let carry_out = |request: ChangeRequest| {
            let proposal = engine.propose(&request, &ExecutionOptions::default()).unwrap();
            let title = &proposal.change.plan.title;
            assert!(title.starts_with("SIMULATED test: "), "{title}");
            assert_eq!(engine.carry_out(&proposal, &mut Unattended).unwrap().end, PlanEnd::Done);
        };
        let priority = || session.next_sample().swaps.reading.known().unwrap()[0].priority;
        let before = priority();
        carry_out(ChangeRequest::Command("priority test=9".to_owned()));
        assert_eq!(priority(), 9);
        carry_out(Intent::Undo(None).into());
        assert_eq!(priority(), before);
        carry_out(ChangeRequest::Intent(Intent::Off(vec!["/dev/test".into()])));
        assert!(session.next_sample().swaps.reading.known().unwrap().is_empty());
        carry_out(ChangeRequest::Command("on test".to_owned()));
        assert_eq!(engine.read_journal().unwrap().records.len(), 4);
        assert!(engine.propose_setup(&SetupRequest::default()).is_err());
    }

    /// The use of swap and the model come from the same sample: the new one if there is one.
    #[test]
    fn a_question_to_the_model_is_about_one_moment() {
        let machine = machine("7.2", 500, vec![setup(SimDevice::Zram, 1024)]);
        let session = SimulatedTarget::new(RunningMachine::new(machine, None).unwrap());
        let engine = MachineEngine::for_simulated(&session, &Environment::default());
        let mut now = engine.sample(MODEL_PARTS);
        let mut areas = now.swaps.reading.known().unwrap().clone();
        areas[0].used = Reading::Known(Bytes(1 << 20));
        now.swaps = Sampled::new(now.swaps.at, Reading::Known(areas));
        for (needs_sample, used) in [(true, 0), (false, 1 << 20)] {
            let request = WhatIfRequest::default();
            let question = WhatIfQuestion { request, now: now.clone(), before: None, needs_sample };
            let page = question.ask(Some(&engine), &mut |_| true).unwrap();
            assert_eq!(page.answer.cases[0].used, Reading::Known(Bytes(used)));
        }
    }
}

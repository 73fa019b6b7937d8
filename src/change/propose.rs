//! Proposals: the plan for an intent, its checks and its costs.

use super::boot_config::{possible_goals, why_config_unreadable};
use super::draft::{DraftContext, LEFT_OUT, NOTHING_THERE, PlanDraft};
use super::intent::Intent;
use super::rebalance::Diagnosis;
use super::setup::SetupProposal;
use super::state::{AT_BOOT, StateComparison, StateDifference};
use super::{
    BootConfig, ChangeAttempt, ChangeError, ChangeTarget, ObservedMachine, drain_estimate,
};
use crate::actions::Step;
use crate::actions::check::{BOOT, Check, CheckVerdict, NEXT, RIGHTS};
use crate::actions::estimate::Forecast;
use crate::actions::journal::{self, JournalStore, PlanPurpose};
use crate::actions::limits::ChangeLimits;
use crate::actions::persist::Goal;
use crate::actions::plan::Plan;
use crate::actions::rebalance::RebalanceFinding;
use crate::actions::shell_quoted;
use crate::model::name::safe_text;
use crate::model::{Bytes, Name, PartSet};
use crate::probes;
use crate::root::Root;
use std::collections::BTreeSet;

/// How a change is executed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExecutionOptions {
    /// The accepted risks, by name.
    pub accepted_risks: Vec<String>,
    /// Is the change applied at boot too?
    pub persist: bool,
    /// Limits at which the change stops or pauses.
    pub limits: ChangeLimits,
}

/// A proposed change: its plan with checks and costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The requested change.
    pub intent: Intent,
    /// How it is executed.
    pub options: ExecutionOptions,
    /// The plan.
    pub plan: Plan,
    /// The plan that this one undoes, if any.
    pub undoes: Option<u64>,
    /// Can any of it be applied at boot?
    pub can_persist: bool,
    /// The checks of the plan.
    pub checks: Vec<Check>,
    /// Checks about what the plan leaves out, and about events since the plan that it undoes.
    pub notes: Vec<Check>,
    /// The findings that the plan corrects.
    pub findings: Vec<RebalanceFinding>,
    /// Numbers of the zram devices concerned.
    pub zram: Vec<u64>,
    /// For each step, the bytes to move and the estimated time.
    pub costs: Vec<Forecast>,
    /// The parts of the machine used for planning.
    pub parts: PartSet,
    /// The name of the simulated machine that the plan is for.
    pub simulated: Option<String>,
    /// The setup that the plan makes, for those who show its choices.
    pub setup: Option<Box<SetupProposal>>,
    /// The differences that the plan removes, if it leads to a wanted state.
    pub state: Option<Box<StateComparison>>,
}

impl Proposal {
    /// Says that there is nothing to do, and why.
    pub fn describe_nothing_to_do(&self) -> String {
        let nothing = self.notes.iter().find(|note| note.id == NOTHING_THERE);
        let is_upkeep = self.plan.purpose == PlanPurpose::Upkeep;
        let why = match nothing {
            Some(note) => note.text.as_str(),
            None if is_upkeep && self.left_out().next().is_some() => "for these reasons:",
            None => "already in effect",
        };
        format!("{}: nothing to do, {why}", self.plan.title)
    }

    /// The work that the plan leaves out, with the reasons.
    pub fn left_out(&self) -> impl Iterator<Item = &Check> {
        self.notes.iter().filter(|note| note.id == LEFT_OUT)
    }

    /// Replaces the checks.
    pub fn with_checks(self, checks: Vec<Check>) -> Self {
        Self { checks, ..self }
    }

    /// Adds the setup that the plan makes.
    pub fn with_setup(self, setup: SetupProposal) -> Self {
        Self { setup: Some(Box::new(setup)), ..self }
    }

    /// The check that refuses the change, if any.
    pub fn refusal(&self) -> Option<&Check> {
        self.checks.iter().find(|check| check.verdict == CheckVerdict::Refuse)
    }
}

/// Why limits on pressure cannot be applied on this machine, if so.
pub fn why_limits_unsupported(limits: ChangeLimits, root: &Root) -> Option<String> {
    limits.max_psi.or(limits.pace)?;
    let memory = probes::psi::pressure(root, "proc/pressure/memory");
    let full = memory.and_then(|memory| memory.full);
    full.missing().map(|missing| format!("cannot be applied: {}", missing.why()))
}

/// Proposes a plan for an intent. Reads the machine and the journal, and changes nothing.
pub fn propose(
    machine: &ObservedMachine<'_>,
    journal: &JournalStore,
    intent: Intent,
    options: ExecutionOptions,
) -> ChangeAttempt<Proposal> {
    let proposal = planned(machine, journal, intent, options)?;
    let costs = costs(machine, &proposal.plan, journal);
    Ok(Proposal { costs, ..proposal })
}

/// Proposes a plan without its costs, because measuring those takes time.
pub(super) fn planned(
    machine: &ObservedMachine<'_>,
    journal: &JournalStore,
    intent: Intent,
    options: ExecutionOptions,
) -> ChangeAttempt<Proposal> {
    if let ChangeTarget::Simulated(_) = machine.target {
        intent.check_modelled(options.persist).map_err(ChangeError::Usage)?;
    }
    let context = DraftContext { machine, journal, accepted_risks: &options.accepted_risks };
    let draft = intent.draft(context)?;
    checked(machine, intent, draft, options)
}

/// Proposes the plan of a rebalance from a diagnosis, without diagnosing again.
pub fn propose_rebalance(
    machine: &ObservedMachine<'_>,
    journal: &JournalStore,
    diagnosis: &Diagnosis,
    options: ExecutionOptions,
) -> ChangeAttempt<Proposal> {
    let intent = Intent::Rebalance(diagnosis.strategy.clone());
    if let ChangeTarget::Simulated(_) = machine.target {
        intent.check_modelled(options.persist).map_err(ChangeError::Usage)?;
    }
    let draft = PlanDraft::from_diagnosis(diagnosis, machine);
    let proposal = checked(machine, intent, draft, options)?;
    let costs = costs(machine, &proposal.plan, journal);
    Ok(Proposal { costs, ..proposal })
}

/// Checks a draft, with the steps that apply it at boot if requested.
fn checked(
    machine: &ObservedMachine<'_>,
    intent: Intent,
    draft: PlanDraft,
    options: ExecutionOptions,
) -> ChangeAttempt<Proposal> {
    let PlanDraft { mut plan, undoes, mut goals, mut notes, findings, zram, mut state } = draft;
    if let Some(name) = &machine.snapshot.simulated {
        plan.title = format!("SIMULATED {}: {}", safe_text(name), plan.title);
    }
    if options.persist {
        if let (Intent::Setup(_) | Intent::State(_), Some(goals)) = (&intent, &mut goals) {
            notes.extend(possible_goals(machine, goals, &options.accepted_risks));
        }
        let Some(goals) = &mut goals else {
            let why = if matches!(intent, Intent::CreateFile(..)) {
                "--persist: a file that is not enabled now is not enabled at boot either: add --on"
            } else {
                "--persist: this change cannot be applied at boot: omit it"
            };
            return Err(ChangeError::Usage(why.to_owned()));
        };
        let config = BootConfig::read_config(machine);
        let accepted = &options.accepted_risks;
        notes.extend(config.leave_out_met(machine.root, goals));
        notes.extend(
            goals.iter().filter_map(|goal| config.check_device(machine.root, goal, accepted)),
        );
        let steps = config.steps(machine, goals).map_err(ChangeError::Busy)?;
        if !steps.is_empty() {
            plan.title.push_str(", also at boot");
            let is_left_out = |note: &Check| note.id == BOOT && note.verdict == CheckVerdict::Warn;
            if notes.iter().any(is_left_out) {
                plan.title.push_str(", except for what the warnings name");
            }
        }
        if !steps.is_empty()
            && let Some(why) = why_config_unreadable(machine)
        {
            let text = format!(
                "{why}: files there may set this up already, which would change the plan for the boot"
            );
            notes.push(Check::note(BOOT, text));
        }
        plan.steps.extend(steps);
    } else if let (Intent::State(_), Some(goals)) = (&intent, &goals) {
        notes.extend(unchanged_at_boot(machine, &plan, goals.clone()));
    }
    if let Some(state) = &mut state {
        add_boot_differences(state, &plan);
    }
    let is_simulated = machine.snapshot.simulated.is_some();
    let mut checks = machine.checks(&plan, &options.accepted_risks);
    let refuses = |check: &Check| check.verdict == CheckVerdict::Refuse;
    if !checks.iter().chain(&notes).any(refuses) {
        notes.extend(next_step(&intent, options.persist, is_simulated));
    }
    checks.extend(notes.iter().cloned());
    if intent == Intent::Recover && !plan.needs_memory() {
        // What was there before has room, so only missing privileges can prevent it.
        checks.retain(|check| check.id == RIGHTS);
    }
    // A simulated machine never boots again.
    let can_persist = !is_simulated && goals.is_some_and(|goals| !goals.is_empty());
    let (costs, parts) = (Vec::new(), machine.parts);
    Ok(Proposal {
        intent,
        options,
        plan,
        undoes,
        can_persist,
        checks,
        notes,
        findings,
        zram,
        costs,
        parts,
        simulated: machine.snapshot.simulated.clone(),
        setup: None,
        state,
    })
}

/// A note on a step that people may expect of a plan and that it does not make.
fn next_step(intent: &Intent, persist: bool, is_simulated: bool) -> Option<Check> {
    let text = if let Intent::CreateFile(path, _, _, None) = intent {
        let path = shell_quoted(path);
        format!(
            "swap on the new file stays off: enable it with swapadm on {path}, or create it with --on"
        )
    } else if !is_simulated
        && matches!(intent, Intent::Set(all) if all.iter().all(|(it, _)| it.group.is_none()))
    {
        "until the next boot; to apply it at boot too: --persist".to_owned()
    } else {
        return None;
    };
    (!persist).then(|| Check::note(NEXT, text))
}

/// Names the files that a wanted state would change for the next boot. A setting that no file sets and that does not
/// change now is not named: it is often the default.
fn unchanged_at_boot(
    machine: &ObservedMachine<'_>,
    plan: &Plan,
    mut goals: Vec<Goal>,
) -> Option<Check> {
    possible_goals(machine, &mut goals, &[]);
    let config = BootConfig::read_config(machine);
    let changes = |file: &Name| plan.steps.iter().any(|step| step.subject() == file);
    let is_set = |file: &Name| config.lasting.effective(&file.safe()).is_some();
    goals.retain(|goal| !matches!(goal, Goal::Setting(file, _) if !changes(file) && !is_set(file)));
    let steps = config.steps(machine, &goals).ok()?;
    let files: BTreeSet<String> = steps.iter().map(|step| step.subject().safe()).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let text = format!(
        "nothing is changed for the next boot: --persist also changes {}",
        files.join(", ")
    );
    (!files.is_empty()).then(|| Check::note(NEXT, text))
}

/// Adds the files that are read at boot to the differences from a wanted state, with the lines that go and come.
fn add_boot_differences(state: &mut StateComparison, plan: &Plan) {
    let saves = plan.steps.iter().filter(|step| matches!(step, Step::Save { .. }));
    state.differences.extend(saves.map(|step| {
        let lines = step.lines();
        let marked = |mark| {
            let lines: Vec<&str> =
                lines.iter().filter_map(|line| line.strip_prefix(mark)).collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        };
        let (from, to) = (marked("- "), marked("+ "));
        StateDifference { subject: step.subject().safe(), key: AT_BOOT.to_owned(), from, to }
    }));
}

/// Estimates the costs of a plan's steps from earlier drains. An unreadable journal counts as
/// empty.
pub fn costs(machine: &ObservedMachine<'_>, plan: &Plan, journal: &JournalStore) -> Vec<Forecast> {
    let moves = plan.steps.iter().any(|step| step.moves(machine.snapshot.areas()) > Bytes(0));
    let records = if moves { journal::read(journal).unwrap_or_default() } else { Vec::new() };
    drain_estimate::forecasts(machine, plan, &records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;
    use std::time::Duration;

    #[test]
    fn psi_limit_needs_pressure_figures() {
        let tree = TestTree::new();
        let root = tree.root();
        let limits = ChangeLimits { timeout: Some(Duration::ZERO), ..ChangeLimits::default() };
        assert_eq!(why_limits_unsupported(limits, &root), None);
        let waits = ChangeLimits { max_psi: Some(5.0), ..ChangeLimits::default() };
        let pace = ChangeLimits { pace: Some(5.0), ..ChangeLimits::default() };
        for limits in [waits, pace] {
            assert!(
                why_limits_unsupported(limits, &root).unwrap().starts_with("cannot be applied: ")
            );
        }
    }
}

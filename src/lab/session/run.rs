//! Runs a session: takes the lock, then makes one run after the other, each with its temporary
//! setup. The command line and the interface differ only in their monitor.

use super::outcome::{RunStart, RunView, SessionEvent, SessionOutcome};
use super::spec::{SessionSpec, Subject};
use super::{Confirmed, LabContext, Prepared, SessionCase};
use crate::actions::Step;
use crate::actions::check::CheckVerdict;
use crate::actions::journal::{JournalStore, PlanEnd};
use crate::actions::limits::ChangeLimits;
use crate::actions::messages;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::Plan;
use crate::actions::run::{ChangeOutcome, Progress};
use crate::change::{self, ChangeAttempt, ChangeError, ExecutionContext, Ledger, ObservedMachine};
use crate::clock::Clock;
use crate::derive::lab::RunStatus;
use crate::lab::eta::SessionClock;
use crate::lab::run_spec::{RunSpec, temporary_areas};
use crate::lab::runs::{self, LoadContext};
use crate::lab::store::Store;
use crate::lab::{CAPTURED, measure};
use crate::model::run::{self, RepetitionEnd, RepetitionResult, Run};
use crate::model::{Name, Snapshot};
use crate::root::Root;
use crate::sys::{Lock, orphans};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::Duration;

/// How a session is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// How long to wait for the lock.
    pub wait: Duration,
    /// Whether the plan must be exactly the one that a person confirmed.
    pub must_match_confirmed: bool,
}

/// The most plans of one setup. The kernel chooses the number of a new zram device, and another program can take the
/// planned one.
const MAX_PLANS: u32 = 3;
/// The notice before a setup is planned again.
const PLANNED_AGAIN: &str =
    "another program took the planned number of a zram device: using the next one";
/// The time between two attempts to take the lock.
const LOCK_POLL: Duration = Duration::from_millis(100);
/// The error if the machine no longer matches the confirmed plan.
const PLAN_CHANGED: &str =
    "swap or the workload has changed since the plan was made: make the plan again";

impl LabContext<'_> {
    /// Runs a session. Its processes end with the calling thread. The lock is held until the last
    /// setup is removed, if there is one.
    pub fn run(
        &self,
        (spec, confirmed): (&SessionSpec, &Confirmed),
        options: RunOptions,
        monitor: &mut dyn Monitor<SessionEvent>,
    ) -> ChangeAttempt<SessionOutcome> {
        if !self.root.is_live() {
            return Err(ChangeError::Refused(CAPTURED.to_owned()));
        }
        let store = spec.is_stored.then_some(self.store);
        if let Some(Ok(store)) = store {
            store.check_writable()?;
        }
        remove_orphans(self.root, |notice| {
            // Nothing is running yet that a break could stop.
            let _ = monitor.event(SessionEvent::Notice(notice));
        });
        let lock = confirmed.needs_setup.then(|| self.lock(spec, options.wait, monitor));
        let lock = lock.transpose()?;
        let prepared = self.prepare(spec)?;
        if let Some(check) = prepared.refusal() {
            return Err(ChangeError::Busy(format!(
                "the machine has changed since the plan was made: {}",
                check.text
            )));
        }
        let now = prepared.confirmed();
        if (options.must_match_confirmed && now != *confirmed)
            || (now.needs_setup && lock.is_none())
        {
            return Err(ChangeError::Busy(PLAN_CHANGED.to_owned()));
        }
        let context = RunContext { root: self.root, lock: lock.as_ref(), journal: self.journal };
        let mut outcome = Runs::new(context, prepared, store).run(monitor)?;
        if let Some(store) = store {
            outcome.storage = outcome.store_result(store);
        }
        Ok(outcome)
    }

    /// Takes the lock. Refuses to run where an earlier setup was left behind, which would distort
    /// the measurements.
    fn lock(
        &self,
        spec: &SessionSpec,
        wait: Duration,
        monitor: &mut dyn Monitor<SessionEvent>,
    ) -> ChangeAttempt<Lock> {
        let what = match spec.subject {
            Subject::Load(_) => "workload",
            Subject::Experiment(_) => "experiment",
        };
        let title = format!("run the {what} {}", spec.named.to_string_lossy());
        let pause = || {
            let is_over = monitor.event(SessionEvent::Waiting).is_break();
            if !is_over {
                Clock::Real.sleep(LOCK_POLL);
            }
            is_over
        };
        let ledger = Ledger::for_machine(self.root, None);
        let lock = ledger.lock_within((self.root, &title), wait, pause)?;
        change::check_no_temporary_leftovers(self.root, self.journal).map_err(ChangeError::Busy)?;
        Ok(lock)
    }
}

/// Removes the cgroups of runs that were killed, and reports each.
pub fn remove_orphans(root: &Root, mut tell: impl FnMut(String)) {
    for orphan in orphans(root) {
        let path = orphan.path();
        tell(match orphan.remove() {
            Ok(()) => format!("removed {path}, left behind by a run that was killed"),
            Err(error) => error.to_string(),
        });
    }
}

/// Why no further run follows, and how the session ends.
type EarlyStop = (RunStatus, String);

/// All runs of a session, one after the other.
pub(super) struct Runs<'a> {
    context: RunContext<'a>,
    /// The store of the result; none if it is not stored.
    store: Option<&'a Result<Store, String>>,
    clock: SessionClock,
    outcome: SessionOutcome,
}

impl<'a> Runs<'a> {
    pub(super) fn new(
        context: RunContext<'a>,
        prepared: Prepared,
        store: Option<&'a Result<Store, String>>,
    ) -> Self {
        let clock = SessionClock::for_cases(&prepared.session.order);
        Self { context, store, clock, outcome: SessionOutcome::not_run(prepared) }
    }

    /// Makes all runs, until one ends the session.
    pub(super) fn run(
        mut self,
        monitor: &mut dyn Monitor<SessionEvent>,
    ) -> ChangeAttempt<SessionOutcome> {
        for place in self.outcome.experiment.order.clone() {
            self.clock.begin_run();
            // A stop requested while the last setup is removed ends the session here.
            let early = match monitor.event(SessionEvent::Next) {
                ControlFlow::Break(reason) => Some((RunStatus::Stopped, reason.to_string())),
                ControlFlow::Continue(()) => self.run_next(place, monitor)?,
            };
            if let Some((end, why)) = early {
                (self.outcome.early, self.outcome.experiment.why) = (Some(end), Some(why));
                break;
            }
        }
        Ok(self.outcome)
    }

    /// Makes the next run. The session continues only if the setup was removed completely.
    fn run_next(
        &mut self,
        place: usize,
        monitor: &mut dyn Monitor<SessionEvent>,
    ) -> ChangeAttempt<Option<EarlyStop>> {
        let is_of_several = self.outcome.prepared.session.experiment.is_some();
        let clock = is_of_several.then_some(&self.clock);
        let mut following = RunMonitor { monitor, clock, stopped: None };
        let made = self.run_case(place, &mut following);
        let is_stopped = following.stopped.is_some();
        let made = match made {
            Ok(made) => made,
            Err(error) if is_of_several => return Ok(Some((RunStatus::Failed, error.to_string()))),
            Err(error) => return Err(error),
        };
        self.clock.end_run(made.is_done());
        self.add(place, made);
        Ok(self.outcome.setup.as_ref().and_then(|outcome| {
            let end = early_end(outcome.end, is_stopped)?;
            Some((end, messages::describe_outcome(outcome)))
        }))
    }

    /// Makes one run on the current machine.
    fn run_case(&self, place: usize, following: &mut RunMonitor<'_>) -> ChangeAttempt<RunOutcome> {
        let Prepared { session, setups, .. } = &self.outcome.prepared;
        let (Some(case), Some(first)) = (session.cases.get(place), setups.get(place)) else {
            return Err(ChangeError::Usage("there is no such case".to_owned()));
        };
        // The first setup was planned and checked a moment ago.
        let mut setup = if self.clock.number() == 1 { first.clone() } else { self.setup(case)? };
        for _ in 1..MAX_PLANS {
            let made = self.run_planned((case, &setup), following)?;
            match self.plan_again(case, (&setup, &made), following) {
                Some(next) => setup = next,
                None => return Ok(made),
            }
        }
        self.run_planned((case, &setup), following)
    }

    /// Makes a setup, and runs its case if that succeeds.
    fn run_planned(
        &self,
        (case, setup): (&SessionCase, &Plan),
        following: &mut RunMonitor<'_>,
    ) -> ChangeAttempt<RunOutcome> {
        let session = &self.outcome.prepared.session;
        // The stop is requested again by each event of the run.
        let _ = following.event(SessionEvent::Begins(RunStart {
            number: self.clock.number(),
            of: session.order.len(),
            case: session.experiment.is_some().then(|| case.name.clone()),
            names: setup.steps.iter().map(|step| step.subject().safe()).collect(),
            limit: case.spec.limit,
            at_most: case.spec.guard.at_most,
        }));
        run_with_setup((&case.spec, setup), self.context, following)
    }

    /// Plans a setup again that was undone, if another program has taken a number of it.
    fn plan_again(
        &self,
        case: &SessionCase,
        (tried, made): (&Plan, &RunOutcome),
        following: &mut RunMonitor<'_>,
    ) -> Option<Plan> {
        if !made.is_setup_undone() || following.stopped.is_some() {
            return None;
        }
        let devices = |plan: &Plan| plan.steps.iter().map(Step::device).collect::<Vec<_>>();
        let next = self.setup(case).ok().filter(|next| devices(next) != devices(tried))?;
        let _ = following.event(SessionEvent::Notice(PLANNED_AGAIN.to_owned()));
        Some(next)
    }

    /// Plans and checks the setup of a case again.
    fn setup(&self, case: &SessionCase) -> ChangeAttempt<Plan> {
        let session = &self.outcome.prepared.session;
        let machine = ObservedMachine::observe(self.context.root);
        let setup = session.setup(case, &machine)?;
        let checks = session.checks(case, &setup, &machine);
        match checks.iter().find(|check| check.verdict == CheckVerdict::Refuse) {
            Some(check) => Err(ChangeError::Busy(format!(
                "the machine has changed since the plan was made: {}",
                check.text
            ))),
            None => Ok(setup),
        }
    }

    /// Adds the measurements and the outcome of the setup. A run without a setup keeps the outcome
    /// of the last one.
    fn add(&mut self, place: usize, made: RunOutcome) {
        let outcome = &mut self.outcome;
        outcome.setup = made.setup.or_else(|| outcome.setup.take());
        if let (Some(case), Some(mut run)) = (outcome.experiment.cases.get_mut(place), made.run) {
            // Each is stored as a run of its own, with the number of repetitions of its case.
            run.repetitions = Some(outcome.prepared.session.repetitions);
            case.add(run);
            if let Some(store) = self.store {
                outcome.store_case(store, place);
            }
        }
    }
}

/// The end of the session after this outcome of a setup, if it ends. A setup that was undone on
/// request counts as stopped.
const fn early_end(setup: PlanEnd, is_stopped: bool) -> Option<RunStatus> {
    match setup {
        PlanEnd::Restored => None,
        PlanEnd::Undone if is_stopped => Some(RunStatus::Stopped),
        PlanEnd::Done
        | PlanEnd::Recovered
        | PlanEnd::Undone
        | PlanEnd::Partial
        | PlanEnd::Dismissed => Some(RunStatus::Failed),
    }
}

/// Passes the events of a run on, and remembers a requested stop.
struct RunMonitor<'a> {
    monitor: &'a mut dyn Monitor<SessionEvent>,
    /// The times of all runs, if there are several.
    clock: Option<&'a SessionClock>,
    stopped: Option<StopReason>,
}

impl Monitor<SessionEvent> for RunMonitor<'_> {
    fn event(&mut self, event: SessionEvent) -> ControlFlow<StopReason> {
        let event = match (event, self.clock) {
            (SessionEvent::Running(view), Some(clock)) => {
                let progress = clock.progress(&view.progress, Clock::Real.now());
                SessionEvent::Running(RunView { progress, ..view })
            }
            (event, _) => event,
        };
        let flow = self.monitor.event(event);
        if let ControlFlow::Break(reason) = flow {
            self.stopped.get_or_insert(reason);
        }
        flow
    }
}

/// The outcome of a run.
#[derive(Debug)]
pub(super) struct RunOutcome {
    /// The measurements; none if the setup failed.
    pub(super) run: Option<Run>,
    /// The outcome of the temporary setup.
    pub(super) setup: Option<ChangeOutcome>,
}

impl RunOutcome {
    /// Whether nothing ran, because the setup failed and was undone.
    fn is_setup_undone(&self) -> bool {
        let end = self.setup.as_ref().map(|setup| setup.end);
        self.run.is_none() && end == Some(PlanEnd::Undone)
    }

    /// Whether all repetitions finished.
    pub(super) fn is_done(&self) -> bool {
        let mut measured = self.run.iter().flat_map(|run| &run.measured);
        measured.all(|measured| measured.end == RepetitionEnd::Done)
    }
}

/// The machine, the lock if there is a setup, and the journal.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunContext<'a> {
    /// The machine.
    pub(super) root: &'a Root,
    /// The lock.
    pub(super) lock: Option<&'a Lock>,
    /// The journal.
    pub(super) journal: &'a JournalStore,
}

/// Makes the temporary setup, runs the workload, and removes the setup. The plan is that of
/// [`RunSpec::plan`] for the current machine; the lock is held if it has steps. The processes end
/// with the calling thread.
pub(super) fn run_with_setup(
    (spec, plan): (&RunSpec, &Plan),
    context: RunContext<'_>,
    monitor: &mut dyn Monitor<SessionEvent>,
) -> ChangeAttempt<RunOutcome> {
    let Some(lock) = context.lock.filter(|_| !plan.steps.is_empty()) else {
        let ground = LoadContext { root: context.root, lock: None, temporary_areas: &[] };
        return Ok(RunOutcome { run: Some(measured(spec, ground, monitor)), setup: None });
    };
    let ours = temporary_areas(plan);
    let ground = LoadContext { root: context.root, lock: Some(lock), temporary_areas: &ours };
    let mut run = None;
    let monitor = RefCell::new(monitor);
    let mut during = || {
        let mut monitor = monitor.borrow_mut();
        run = Some(measured(spec, ground, &mut **monitor));
        // The setup is removed in any case.
        let _ = monitor.event(SessionEvent::Ended);
    };
    let RunContext { root, journal, .. } = context;
    let context = ExecutionContext {
        target: root.into(),
        lock: Some(lock),
        journal,
        limits: ChangeLimits::default(),
    };
    let setup =
        change::execute_temporarily(plan, context, &mut SetupMonitor(&monitor), &mut during)?;
    Ok(RunOutcome { run, setup: Some(setup) })
}

/// Monitors the setup of a run.
struct SetupMonitor<'a, 'm>(&'a RefCell<&'m mut dyn Monitor<SessionEvent>>);

impl Monitor<Progress> for SetupMonitor<'_, '_> {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        self.0.borrow_mut().event(SessionEvent::Setup(progress))
    }
}

fn measured(
    spec: &RunSpec,
    ground: LoadContext<'_>,
    monitor: &mut dyn Monitor<SessionEvent>,
) -> Run {
    let (measured, found) = runs::run(spec, ground, monitor);
    new_run(spec, &found, ground.temporary_areas, measured)
}

/// The result of a run on a machine as it was found, with these temporary areas.
pub(super) fn new_run(
    spec: &RunSpec,
    found: &Snapshot,
    ours: &[Name],
    measured: Vec<RepetitionResult>,
) -> Run {
    Run {
        schema: run::SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        id: 0,
        at_ms: found.stamp.wall_ms,
        title: spec.title.clone(),
        workload: spec.workload.clone(),
        limit: spec.limit,
        repetitions: Some(spec.repetitions),
        seed: spec.seed,
        machine: measure::machine(found, ours),
        settings: measure::settings(found),
        measured,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_continues_only_after_a_clean_teardown() {
        assert_eq!([false, true].map(|is_asked| early_end(PlanEnd::Restored, is_asked)), [None; 2]);
        assert_eq!(early_end(PlanEnd::Undone, true), Some(RunStatus::Stopped));
        assert_eq!(early_end(PlanEnd::Undone, false), Some(RunStatus::Failed), "the setup failed");
        assert_eq!(
            early_end(PlanEnd::Partial, true),
            Some(RunStatus::Failed),
            "part of the setup is left"
        );
    }
}

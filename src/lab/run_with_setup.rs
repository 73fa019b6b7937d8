//! A run from what it is lent to what is given back.

use super::measure;
use super::run_spec::{RunSpec, lent_areas};
use super::runs::{self, Ground};
use super::session::SessionEvent;
use crate::actions::limits::Limits;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::Plan;
use crate::actions::run::{Outcome, Progress};
use crate::change::{self, ExecutionContext};
use crate::model::run::{Ending, Run, SCHEMA};
use crate::root::Root;
use crate::sys::Lock;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;

/// What came of a run.
#[derive(Debug)]
pub struct RunOutcome {
    /// What was measured; none where it could not be lent what it needs.
    pub run: Option<Run>,
    /// What became of what it was lent.
    pub lent: Option<Outcome>,
}

impl RunOutcome {
    /// Did all of it come to its end?
    pub fn is_done(&self) -> bool {
        let mut measured = self.run.iter().flat_map(|run| &run.measured);
        measured.all(|measured| measured.end == Ending::Done)
    }
}

/// The machine, the lock on it where something is lent, and where the journal is.
#[derive(Clone, Copy, Debug)]
pub struct RunContext<'a> {
    /// The machine.
    pub root: &'a Root,
    /// The lock.
    pub lock: Option<&'a Lock>,
    /// The journal.
    pub journal: &'a Path,
}

/// Sets up what a load needs, runs it, and takes the setup back. The plan is that of
/// [`RunSpec::plan`], made on the machine as it is; the lock is held where it has steps. The
/// processes of the load die with the thread that calls this.
pub fn run_with_setup(
    (spec, plan): (&RunSpec, &Plan),
    context: RunContext<'_>,
    monitor: &mut dyn Monitor<SessionEvent>,
) -> Result<RunOutcome, change::Failure> {
    let Some(lock) = context.lock.filter(|_| !plan.steps.is_empty()) else {
        let ground = Ground { root: context.root, lock: None, ours: &[] };
        return Ok(RunOutcome { run: Some(measured(spec, ground, monitor)), lent: None });
    };
    let ours = lent_areas(plan);
    let ground = Ground { root: context.root, lock: Some(lock), ours: &ours };
    let mut run = None;
    let monitor = RefCell::new(monitor);
    let mut during = || {
        let mut monitor = monitor.borrow_mut();
        run = Some(measured(spec, ground, &mut **monitor));
        // The setup is taken back in any case.
        let _ = monitor.event(SessionEvent::Ended);
    };
    let RunContext { root, journal, .. } = context;
    let context = ExecutionContext { root, lock, journal, limits: Limits::default() };
    let lent = change::lend(plan, context, &mut OfSetup(&monitor), &mut during)?;
    Ok(RunOutcome { run, lent: Some(lent) })
}

/// Follows the setup of a run.
struct OfSetup<'a, 'm>(&'a RefCell<&'m mut dyn Monitor<SessionEvent>>);

impl Monitor<Progress> for OfSetup<'_, '_> {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        self.0.borrow_mut().event(SessionEvent::Setup(progress))
    }
}

fn measured(spec: &RunSpec, ground: Ground<'_>, monitor: &mut dyn Monitor<SessionEvent>) -> Run {
    let (measured, found) = runs::run(spec, ground, monitor);
    Run {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        id: 0,
        at_ms: found.stamp.wall_ms,
        title: spec.title.clone(),
        workload: spec.workload.clone(),
        limit: spec.limit,
        repetitions: Some(spec.repetitions),
        seed: spec.seed,
        machine: measure::machine(&found, ground.ours),
        settings: measure::settings(&found),
        measured,
    }
}

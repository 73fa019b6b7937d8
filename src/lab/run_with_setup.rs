//! A run from what it is lent to what is given back.

use super::measure;
use super::run_spec::{RunSpec, lent_areas};
use super::runs::{self, Ground, Onlooker};
use crate::actions::journal::End;
use crate::actions::limits::Limits;
use crate::actions::monitor::Monitor;
use crate::actions::plan::Plan;
use crate::actions::run::{Outcome, Progress};
use crate::change::{self, ExecutionContext};
use crate::model::run::{Ending, Run, SCHEMA};
use crate::root::Root;
use crate::sys::Lock;
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

    /// How what was lent was given back; nothing where nothing was lent.
    pub fn end(&self) -> Option<End> {
        self.lent.as_ref().map(|outcome| outcome.end)
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

/// Lend a load what it needs, run it, and take that back. The plan is that of [`RunSpec::plan`], made
/// on the machine as it is; the lock is held where it has steps. The processes of the load die with
/// the thread that calls this.
///
/// # Errors
/// When it cannot even be begun.
pub fn run_with_setup(
    (wish, plan): (&RunSpec, &Plan),
    place: RunContext<'_>,
    monitor: &mut dyn Monitor<Progress>,
    onlooker: &mut dyn Onlooker,
) -> Result<RunOutcome, change::Failure> {
    let Some(lock) = place.lock.filter(|_| !plan.steps.is_empty()) else {
        let ground = Ground { root: place.root, lock: None, ours: &[] };
        return Ok(RunOutcome { run: Some(measured(wish, ground, onlooker)), lent: None });
    };
    let ours = lent_areas(plan);
    let ground = Ground { root: place.root, lock: Some(lock), ours: &ours };
    let mut run = None;
    let mut during = || {
        run = Some(measured(wish, ground, onlooker));
        onlooker.ended();
    };
    let RunContext { root, journal, .. } = place;
    let context = ExecutionContext { root, lock, journal, limits: Limits::default() };
    let lent = change::lend(plan, context, monitor, &mut during)?;
    Ok(RunOutcome { run, lent: Some(lent) })
}

fn measured(wish: &RunSpec, ground: Ground<'_>, onlooker: &mut dyn Onlooker) -> Run {
    let (measured, found) = runs::run(wish, ground, onlooker);
    Run {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        id: 0,
        at_ms: found.stamp.wall_ms,
        title: wish.title.clone(),
        workload: wish.workload.clone(),
        limit: wish.limit,
        repetitions: Some(wish.repetitions),
        seed: wish.seed,
        machine: measure::machine(&found, ground.ours),
        settings: measure::settings(&found),
        measured,
    }
}

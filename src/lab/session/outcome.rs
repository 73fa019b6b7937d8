//! Events while a session runs, and its outcome: measurements, removed setup, stored result.

use super::{Prepared, Session, SessionCase};
use crate::actions::journal::PlanEnd;
use crate::actions::run::{ChangeOutcome, Progress};
use crate::change::ChangeAttempt;
use crate::clock::Clock;
use crate::derive::lab::RunStatus;
use crate::lab::eta::RunProgress;
use crate::lab::store::{ExperimentToStore, Store};
use crate::model::Bytes;
use crate::model::experiment::{self, Experiment, SCHEMA};
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::model::swaparea::SwapArea;
use std::collections::BTreeSet;

/// An event of a running session.
#[derive(Clone, Debug)]
pub enum SessionEvent {
    /// Another process changes swap, and the session waits for the lock.
    Waiting,
    /// A notice that does not affect the session.
    Notice(String),
    /// The next run would begin; a break ends the session in order.
    Next,
    /// A run begins, with its setup first.
    Begins(RunStart),
    /// A step of the setup is made or removed.
    Setup(Progress),
    /// The processes are running.
    Running(RunView),
    /// The processes have ended, and the setup is removed next. A stop that was requested until now
    /// was meant for the processes.
    Ended,
}

/// The start of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunStart {
    /// The number, from 1 on.
    pub number: usize,
    /// The number of runs.
    pub of: usize,
    /// The case; none for a workload.
    pub case: Option<String>,
    /// The names of what its setup changes.
    pub names: Vec<String>,
    /// The memory limit.
    pub limit: Option<Bytes>,
    /// The time limit in seconds.
    pub at_most: f64,
}

/// The latest state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunView {
    /// The progress.
    pub progress: RunProgress,
    /// The areas.
    pub areas: Vec<SwapArea>,
    /// The memory of its cgroup, if it has one.
    pub memory: Option<Bytes>,
    /// The available memory of the machine.
    pub available: Option<Bytes>,
}

impl RunView {
    /// Describes the progress on one line.
    pub fn summary_line(&self) -> String {
        self.progress.summary_line(&self.areas, self.memory)
    }
}

/// The outcome of a session.
#[derive(Debug)]
pub struct SessionOutcome {
    /// The prepared session.
    pub prepared: Prepared,
    /// The measurements of each case; a workload has one.
    pub experiment: Experiment,
    /// The plan of the last setup, and its outcome.
    pub setup: Option<ChangeOutcome>,
    /// Set if the session ended early for a reason other than the end of a run.
    pub early: Option<RunStatus>,
    /// Whether the result was stored.
    pub storage: Storage,
    /// Places of the cases with runs that are not stored yet.
    unsaved: BTreeSet<usize>,
}

/// Whether the result was stored.
#[derive(Debug)]
pub enum Storage {
    /// Not requested, or nothing ran.
    Skipped,
    /// Nothing was measured.
    Empty,
    /// Stored under this number.
    Stored(u64),
    /// Could not be stored.
    Failed(String),
}

impl SessionOutcome {
    /// Starts with nothing measured.
    pub(super) fn not_run(prepared: Prepared) -> Self {
        let experiment = empty_experiment(&prepared.session);
        let (storage, unsaved) = (Storage::Skipped, BTreeSet::new());
        Self { prepared, experiment, setup: None, early: None, storage, unsaved }
    }

    /// Starts a session on a simulated machine, which needs no setup.
    pub(super) fn simulated(session: Session) -> Self {
        Self::not_run(Prepared { session, setups: Vec::new(), checks: Vec::new() })
    }

    /// The run of a workload, if it was made.
    pub fn run(&self) -> Option<&Run> {
        self.experiment.cases.first().and_then(|case| case.run.as_ref())
    }

    /// How the session ended; none if nothing ran.
    pub fn end(&self) -> Option<RunStatus> {
        let measured: Vec<&RepetitionResult> = self.experiment.measured().collect();
        let end = RunStatus::from_repetitions(&measured, self.experiment.planned_runs())?;
        Some(self.early.map_or(end, |early| end.max(early)))
    }

    /// The number of the stored result.
    pub const fn stored(&self) -> Option<u64> {
        if let Storage::Stored(id) = self.storage { Some(id) } else { None }
    }

    /// The outcome of the last setup.
    pub fn setup_end(&self) -> Option<PlanEnd> {
        self.setup.as_ref().map(|outcome| outcome.end)
    }

    /// Whether all runs finished.
    pub fn is_done(&self) -> bool {
        let is_done =
            self.experiment.measured().all(|measured| measured.end == RepetitionEnd::Done);
        is_done && self.experiment.why.is_none()
    }

    /// Stores the run of a workload, or the run of each case and then the experiment with the
    /// published figures.
    pub(super) fn store_result(&mut self, store: &Result<Store, String>) -> Storage {
        let is_load = self.prepared.session.experiment.is_none();
        let mut runs = self.experiment.runs().peekable();
        if runs.peek().is_none() {
            return Storage::Skipped;
        }
        if is_load && runs.all(Run::is_empty) {
            return Storage::Empty;
        }
        drop(runs);
        let kept = match store {
            Ok(store) => self.save(store).map_err(|error| error.to_string()),
            Err(why) => Err(why.clone()),
        };
        kept.map_or_else(Storage::Failed, Storage::Stored)
    }

    /// Stores the experiment with the runs made so far, because the session may be killed before its end.
    /// Errors are ignored here: what could not be stored is stored with the next run or at the end, which reports them.
    pub(super) fn store_case(&mut self, store: &Result<Store, String>, place: usize) {
        self.unsaved.insert(place);
        if let (Ok(store), Some(_)) = (store, &self.prepared.session.experiment) {
            let _ = self.save(store);
        }
    }

    /// Stores the experiment under a number above those of its cases, and the cases that are not stored, or
    /// have changed; without an experiment, the run of the workload under the next number.
    fn save(&mut self, store: &Store) -> ChangeAttempt<u64> {
        let (plan, experiment) = (self.prepared.session.experiment.as_ref(), &mut self.experiment);
        let Some(plan) = plan else {
            let run = experiment.cases.iter_mut().find_map(|case| case.run.as_mut());
            return run.map_or(Ok(0), |run| store.save(run));
        };
        let published = plan.published.as_ref();
        let cases = experiment.cases.len() as u64;
        if experiment.id == 0 {
            store.save_after(cases, &mut ExperimentToStore { experiment, published })?;
        }
        let first = experiment.id - cases;
        for (place, case) in experiment.cases.iter_mut().enumerate() {
            let Some(run) = case.run.as_mut() else { continue };
            if run.id == 0 || self.unsaved.contains(&place) {
                let id = if run.id == 0 { first + place as u64 } else { run.id };
                if store.save_as(run, id)?.is_none() {
                    store.save(run)?;
                }
                self.unsaved.remove(&place);
            }
        }
        let id = experiment.id;
        store.save_as(&mut ExperimentToStore { experiment, published }, id)?;
        Ok(id)
    }
}

/// An experiment without measurements.
fn empty_experiment(session: &Session) -> Experiment {
    let case = |case: &SessionCase| experiment::Case {
        name: case.name.clone(),
        factors: case.levels.clone(),
        run: None,
    };
    let plan = session.experiment.as_deref();
    Experiment {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        id: 0,
        at_ms: Clock::Real.now().wall_ms,
        title: session.title.clone(),
        question: plan.map(|plan| plan.question.clone()).unwrap_or_default(),
        seed: session.seed,
        repetitions: session.repetitions,
        order: session.order.clone(),
        columns: plan.map(|plan| plan.columns.clone()).unwrap_or_default(),
        answer: plan.map(|plan| plan.answer.clone()).unwrap_or_default(),
        across: plan.and_then(|plan| plan.across.clone()),
        notes: session.notes.clone(),
        cases: session.cases.iter().map(case).collect(),
        why: None,
    }
}

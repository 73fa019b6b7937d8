//! What is told while a session runs, and what came of it: measured, taken back, stored.

use super::{SessionCase, Prepared, Session};
use crate::actions::journal::PlanEnd;
use crate::actions::run::{ChangeOutcome, Progress};
use crate::clock::Clock;
use crate::derive::lab::RunStatus;
use crate::lab::LabError;
use crate::lab::eta::RunProgress;
use crate::lab::store::{ExperimentToStore, Store};
use crate::model::Bytes;
use crate::model::experiment::{self, Experiment, SCHEMA};
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::model::swaparea::SwapArea;

/// What happens while a session is run.
#[derive(Clone, Debug)]
pub enum SessionEvent {
    /// Somebody else changes swap, and the session waits for the lock.
    Waiting,
    /// Something to know that changes nothing of the session.
    Notice(String),
    /// Another run would begin: a break ends the session in order.
    Next,
    /// A run begins; its setup comes first.
    Begins(RunStart),
    /// A step of the setup is made or taken back.
    Setup(Progress),
    /// The processes run.
    Running(RunView),
    /// The processes have ended. What was asked until now was asked of them; the setup is taken
    /// back next.
    Ended,
}

/// A run that begins.
#[derive(Clone, Debug, PartialEq)]
pub struct RunStart {
    /// Which one, from 1 on.
    pub number: usize,
    /// How many runs there are.
    pub of: usize,
    /// Its case; none of a load.
    pub case: Option<String>,
    /// What the steps of its setup change.
    pub names: Vec<String>,
    /// Its memory limit.
    pub limit: Option<Bytes>,
    /// The seconds that it may take.
    pub at_most: f64,
}

/// A run as it was seen last.
#[derive(Clone, Debug, PartialEq)]
pub struct RunView {
    /// How far it is.
    pub progress: RunProgress,
    /// The areas.
    pub areas: Vec<SwapArea>,
    /// The memory of its processes, where that is limited.
    pub memory: Option<Bytes>,
    /// Memory that is available on the machine.
    pub available: Option<Bytes>,
}

impl RunView {
    /// How far it is, in few words.
    pub fn summary_line(&self) -> String {
        self.progress.summary_line(&self.areas, self.memory)
    }
}

/// What came of a session.
#[derive(Debug)]
pub struct SessionOutcome {
    /// What was run.
    pub prepared: Prepared,
    /// What was measured, case by case; a load has one.
    pub experiment: Experiment,
    /// The plan of the last setup, and what became of it.
    pub setup: Option<ChangeOutcome>,
    /// How it ended where something ended it, beside what its runs say.
    pub early: Option<RunStatus>,
    /// What became of the result.
    pub storage: Storage,
}

/// What became of a result.
#[derive(Debug)]
pub enum Storage {
    /// Nobody wanted it, or nothing ran.
    Skipped,
    /// A run measured nothing.
    Empty,
    /// It is stored under this number.
    Stored(u64),
    /// It could not be stored.
    Failed(String),
}

impl SessionOutcome {
    /// That of a session of which nothing has run yet.
    pub(super) fn not_run(prepared: Prepared) -> Self {
        let experiment = empty_experiment(&prepared.session);
        Self { prepared, experiment, setup: None, early: None, storage: Storage::Skipped }
    }

    /// The run of a load, if one was made.
    pub fn run(&self) -> Option<&Run> {
        self.experiment.cases.first().and_then(|case| case.run.as_ref())
    }

    /// How it ended; none where nothing ran.
    pub fn end(&self) -> Option<RunStatus> {
        let measured: Vec<&RepetitionResult> = self.experiment.measured().collect();
        let end = RunStatus::from_repetitions(&measured, self.experiment.planned_runs())?;
        Some(self.early.map_or(end, |early| end.max(early)))
    }

    /// The number under which the result is stored.
    pub const fn stored(&self) -> Option<u64> {
        if let Storage::Stored(id) = self.storage { Some(id) } else { None }
    }

    /// What became of the last setup.
    pub fn setup_end(&self) -> Option<PlanEnd> {
        self.setup.as_ref().map(|outcome| outcome.end)
    }

    /// Whether all runs came to their end.
    pub fn is_done(&self) -> bool {
        let is_done = self.experiment.measured().all(|measured| measured.end == RepetitionEnd::Done);
        is_done && self.experiment.why.is_none()
    }

    /// Stores what was measured: the run of a load, or the run of each case and the experiment with
    /// all of them and with what others have published of it.
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

    fn save(&mut self, store: &Store) -> Result<u64, LabError> {
        let (plan, experiment) = (self.prepared.session.experiment.as_ref(), &mut self.experiment);
        let mut last = 0;
        for run in experiment.cases.iter_mut().filter_map(|case| case.run.as_mut()) {
            last = store.save(run)?;
        }
        let Some(plan) = plan else { return Ok(last) };
        store.save(&mut ExperimentToStore { experiment, published: plan.published.as_ref() })
    }
}

/// An experiment of which nothing was measured yet.
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
        across: plan.and_then(|plan| plan.across.clone()),
        notes: session.notes.clone(),
        cases: session.cases.iter().map(case).collect(),
        why: None,
    }
}

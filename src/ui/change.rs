//! Changes as the interface knows them: what is wanted, what is proposed, what is under way. The
//! making is somebody else's: the interface asks a [`ChangeEngine`] for it, aside from the screen.

use super::lab::{Course, Form, LabEngine, RunStart, RunView, SessionReport, Terms};
use super::overlay::ValueInput;
use crate::actions::check::Check;
use crate::actions::estimate::Forecast;
use crate::actions::journal::{End, Record};
use crate::actions::monitor::Monitor;
use crate::actions::plan::Plan;
use crate::actions::run::{Outcome, Progress};
use crate::actions::told;
use crate::change;
pub use crate::change::{ExecutionOptions, Setting};
use crate::model::activation::Priority;
use crate::model::{Bytes, Name, Stamp};

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Switch these areas off.
    Off(Vec<Name>),
    /// Give these areas this priority.
    Priority(Vec<Name>, Priority),
    /// Switch on what a person typed: a path, or a tag such as `UUID=`.
    On(String),
    /// Switch on all that fstab names.
    OnConfigured,
    /// Give a setting this value, or that of an untouched kernel.
    Set(Setting, Option<String>),
    /// Put right how areas share the load.
    Rebalance(Way),
    /// Make a zram device of this size and swap on it.
    ZramSwap(String),
    /// Change the zram device of this name.
    Zram(String, ZramRequest),
    /// Take this plan back, or the last one that stands.
    Undo(Option<u64>),
    /// Put right what was cut off.
    Recover,
    /// Run a load or an experiment.
    Load(Form),
}

/// What is wanted of a zram device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZramRequest {
    /// Give it this, as it was typed.
    Give(ZramValue, String),
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

/// How areas shall share the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Faster ones before slower ones.
    Tiered,
    /// Evenly where they have one priority.
    Spread,
}

/// What would be done for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// What is wanted.
    pub intent: Intent,
    /// How it shall be done.
    pub options: ExecutionOptions,
    /// Is there something in it that can be so at every start?
    pub can_last: bool,
    /// The steps.
    pub plan: Plan,
    /// The plan that it takes back.
    pub undoes: Option<u64>,
    /// What is to be said of it.
    pub checks: Vec<Check>,
    /// Which areas the next pages go to, now and after it, where it is about areas.
    pub next: Option<String>,
    /// What each step moves, and how long it may take.
    pub costs: Vec<Forecast>,
    /// Of a load or an experiment, how it would be run.
    pub load: Option<Terms>,
    /// Of a change, what is carried out.
    pub change: Option<Box<change::Proposal>>,
}

impl Proposal {
    /// Is it a load or an experiment that takes nothing of the machine but what anybody may?
    pub fn is_lent_nothing(&self) -> bool {
        let lends = |terms: &Terms| terms.cases.as_ref().is_some_and(|cases| cases.lends);
        self.load.as_ref().is_some_and(|terms| !lends(terms)) && self.plan.steps.is_empty()
    }
}

/// What was changed before.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// The plans, oldest first.
    pub records: Vec<Record>,
    /// Which start of the machine this is.
    pub boot: String,
}

impl Past {
    /// How many plans were cut off or left in part, and can be put right.
    pub fn open(&self) -> usize {
        self.records.iter().filter(|record| record.is_open(&self.boot)).count()
    }
}

/// Whoever plans changes and carries them out. All of it may take long.
pub trait ChangeEngine: LabEngine {
    /// Why nothing can be changed from here, if that is so. Plans can be made all the same.
    fn barred(&self) -> Option<String>;

    /// What would be done.
    ///
    /// # Errors
    /// A sentence that says why there is no plan.
    fn propose(&self, intent: &Intent, options: &ExecutionOptions) -> Result<Proposal, String>;

    /// Do it.
    ///
    /// # Errors
    /// A sentence that says why it was not even begun.
    fn carry_out(
        &self,
        proposal: &Proposal,
        monitor: &mut dyn Monitor<Progress>,
    ) -> Result<Outcome, String>;

    /// What was done before.
    ///
    /// # Errors
    /// A sentence that says why that cannot be told.
    fn past(&self) -> Result<Past, String>;
}

/// What came of a change, or why it was not even begun.
pub type ChangeResult = Result<Outcome, String>;

/// What came of a change or a load, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndReport {
    /// The words.
    pub words: String,
    /// Is all well?
    pub well: bool,
}

/// What came of a change, in words.
pub fn describe_change(ended: &ChangeResult) -> EndReport {
    let (words, well) = match ended {
        Ok(outcome) => {
            let well = matches!(outcome.end, End::Done | End::Recovered);
            (told::outcome(outcome), well)
        }
        Err(why) => (format!("NOT DONE: {why}. Nothing was changed."), false),
    };
    EndReport { words, well }
}

/// What came of a load, in words.
pub fn describe_session(ran: &Result<Box<SessionReport>, String>) -> EndReport {
    match ran {
        Ok(ran) => EndReport { words: ran.told.clone(), well: ran.well },
        Err(why) => EndReport { words: format!("NOT RUN: {why}"), well: false },
    }
}

/// What stands of changes at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changing {
    /// Why nothing can be changed from here, if that is so.
    pub barred: Option<String>,
    /// Are changes armed, and if so, until when unless a key is pressed?
    pub armed: Option<Stamp>,
    /// The number of the last plan that was asked for.
    pub asked: u64,
    /// Is it being waited for?
    pub awaited: bool,
    /// Is it one for the dialog that is open, which goes on with it?
    pub anew: bool,
    /// What was typed for it.
    pub typed: Option<ValueInput>,
    /// The change that is under way, or was last.
    pub job: Option<Job>,
    /// Is the interface left when that is through?
    pub leaving: bool,
    /// What was changed before, as it was last read.
    pub past: Vec<Record>,
}

impl Changing {
    /// Why this cannot be carried out from here, if that is so. A load that is lent nothing changes
    /// nothing: its checks say what stands against it.
    pub fn bars(&self, proposal: &Proposal) -> Option<&str> {
        self.barred.as_deref().filter(|_| !proposal.is_lent_nothing())
    }

    /// Has W to be pressed before anything is carried out? Where nothing can be changed it has no
    /// meaning: what is not barred there changes nothing.
    pub const fn is_read_only(&self) -> bool {
        self.armed.is_none() && self.barred.is_none()
    }
}

/// A change that is carried out, or was; or a load that runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// What it is for.
    pub title: String,
    /// What its steps change.
    pub names: Vec<String>,
    /// When it began.
    pub since: Stamp,
    /// How far it is.
    pub progress: Option<Progress>,
    /// Was it asked to stop?
    pub stopping: bool,
    /// How it ended.
    pub ended: Option<EndReport>,
    /// Of a load, how it runs.
    pub load: Option<Course>,
}

impl Job {
    /// One that begins.
    pub fn of(proposal: &Proposal, now: Stamp) -> Self {
        let Proposal { plan, intent, load, .. } = proposal;
        let load = load.as_ref().map(|terms| {
            let name = if let Intent::Load(form) = intent { form.load.as_str() } else { "" };
            Course::new(name, terms.limit, terms.at_most)
        });
        Self {
            load,
            since: now,
            title: plan.title.clone(),
            names: plan.steps.iter().map(|step| step.subject().safe()).collect(),
            progress: None,
            stopping: false,
            ended: None,
        }
    }

    /// How far it is, on one line.
    pub fn line(&self, now: Stamp) -> String {
        let stopping = if self.stopping { "stopping: " } else { "" };
        let glance = self.load.as_ref().and_then(|load| Some((load, load.last.as_ref()?)));
        match (&self.progress, glance) {
            (None, Some((load, glance))) => {
                format!("{stopping}{}: {}", load.called(), glance.words())
            }
            (Some(progress), _) => {
                let run = self.load.as_ref().filter(|load| load.run.is_some());
                let of = run.map(|load| format!("{}: ", load.called())).unwrap_or_default();
                format!("{stopping}{of}{}", told::progress(&self.names, progress, now))
            }
            (None, None) => format!("{stopping}about to {}", self.title),
        }
    }

    /// Another run of an experiment begins, which is lent what it needs first.
    pub fn begin(&mut self, next: RunStart) {
        if let Some(load) = &mut self.load {
            load.begin(&next);
            (self.names, self.progress) = (next.names, None);
        }
    }

    /// A load is so far: what it was lent is no news any more.
    pub fn see(&mut self, glance: RunView) {
        if let Some(load) = &mut self.load {
            load.see(glance);
            self.progress = None;
        }
    }

    /// How much of the step is done, from 0 to 1.
    pub fn share(&self) -> Option<f64> {
        let progress = self.progress.filter(|progress| progress.of > Bytes(0))?;
        let moved = progress.of.saturating_sub(progress.left);
        Some(moved.0 as f64 / progress.of.0 as f64)
    }
}

//! The change or load that is under way, and whether changes are allowed.

use super::change::{ChangeResult, Proposal};
use super::input::ValueInput;
use super::lab::{Course, RunStart, RunView, SessionProposal, SessionReport};
use crate::actions::journal::{End, Record};
use crate::actions::run::Progress;
use crate::actions::told;
use crate::model::{Bytes, Stamp};

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
        let is_harmless = proposal.session().is_some_and(SessionProposal::changes_nothing);
        self.barred.as_deref().filter(|_| !is_harmless)
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
        let plan = proposal.plan();
        let load = proposal.session().map(|session| {
            Course::new(&session.form.load, session.terms.limit, session.terms.at_most)
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

//! The lab as the interface knows it: loads to choose from, how one is to be run, and what is kept
//! of those that ran. The running is somebody else's: the interface asks a [`Laboratory`] for it,
//! aside from the screen.

mod course;
mod form;
mod page;

pub use course::{AreaTrack, Course, Glance, Track};
pub use form::{FIELDS, Field, FieldInfo, Form, of_fields};
pub use page::{compared, figure_lines, shown};

use super::change::Proposal;
use crate::actions::run::{Go, Watcher};
use crate::derive::lab::Entry;
use crate::model::Bytes;
use crate::model::run::Run;
use std::fmt;

/// A load that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// What it is called.
    pub name: String,
    /// What it does.
    pub about: String,
}

/// How a load would be run, beside what it is lent.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// Its processes, group by group, in words.
    pub runs: Vec<String>,
    /// Its cage in words.
    pub cage: String,
    /// The memory of that, where it has one.
    pub limit: Option<Bytes>,
    /// What ends it, in words.
    pub rails: Vec<String>,
    /// How long each repetition may take, in seconds.
    pub at_most: f64,
}

/// What came of a load.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// What was measured; none where it could not be lent what it needs.
    pub run: Option<Run>,
    /// How it ended, in words.
    pub told: String,
    /// Did all of it come to its end?
    pub well: bool,
}

/// Whoever looks on while a load runs, and may end it.
pub trait Observer {
    /// Some time has passed.
    fn glance(&mut self, glance: Glance) -> Go;
}

/// Whoever runs loads and keeps what they have shown. All but the first may take long.
pub trait Laboratory: fmt::Debug + Send + Sync {
    /// The loads that there are.
    fn loads(&self) -> Vec<Load>;

    /// Run the load of a proposal. Its processes die with the thread that calls this.
    ///
    /// # Errors
    /// A sentence that says why it was not even begun.
    fn run(
        &self,
        proposal: &Proposal,
        watcher: &mut dyn Watcher,
        observer: &mut dyn Observer,
    ) -> Result<Ran, String>;

    /// Runs that are kept, newest first.
    ///
    /// # Errors
    /// A sentence that says why that cannot be told.
    fn results(&self) -> Result<Vec<Entry>, String>;

    /// The run with this number.
    ///
    /// # Errors
    /// A sentence that says why it cannot be read.
    fn result(&self, id: u64) -> Result<Run, String>;
}

/// What is to be done with a kept run once it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Show it.
    Show,
    /// Compare the last one that ran here with it.
    Compare,
}

/// What the lab shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lab {
    /// The loads; none where none can be run.
    pub loads: Vec<Load>,
    /// How the chosen one is to be run.
    pub form: Form,
    /// The field that keys act on.
    pub field: usize,
    /// What was asked of the machine last, and its number.
    pub asked: Option<(u64, Form)>,
    /// How many times it was asked.
    pub count: u64,
    /// What that comes to, or why it makes no sense; none until it is known.
    pub weighed: Option<Result<Box<Proposal>, String>>,
    /// Were the results asked for?
    pub listed: bool,
    /// Runs that are kept, or why they cannot be told; none until they are known.
    pub entries: Option<Result<Vec<Entry>, String>>,
    /// The one of them that keys act on.
    pub entry: usize,
    /// The last load that was run from here.
    pub last: Option<Ran>,
    /// Is that shown, rather than what comes next?
    pub shows_last: bool,
}

impl Lab {
    /// These loads can be run; the first of them is chosen.
    #[must_use]
    pub fn with(loads: Vec<Load>) -> Self {
        let form = Form::of(loads.first().map_or("", |load| &load.name));
        Self { loads, form, ..Self::default() }
    }

    /// The place of the load that is chosen.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.loads.iter().position(|load| load.name == self.form.load).unwrap_or(0)
    }

    /// The runs that are kept, as far as that is known.
    #[must_use]
    pub fn kept(&self) -> &[Entry] {
        self.entries.as_ref().and_then(|entries| entries.as_ref().ok()).map_or(&[], Vec::as_slice)
    }

    /// The number of the run that keys act on.
    #[must_use]
    pub fn selected(&self) -> Option<u64> {
        self.kept().get(self.entry).map(|entry| entry.id)
    }

    /// The last run from here, if it measured something.
    #[must_use]
    pub fn last_run(&self) -> Option<&Run> {
        self.last.as_ref()?.run.as_ref()
    }

    /// The row that keys act on in a pane, if it has rows, among its lines.
    #[must_use]
    pub fn row(&self, pane: &str) -> Option<usize> {
        match pane {
            LOADS => Some(self.chosen()),
            SETTINGS => Some(self.field),
            // Below the headings, which stay with the first.
            RESULTS => Some(if self.entry == 0 { 0 } else { self.entry + 1 }),
            _ => None,
        }
    }
}

/// The pane of loads.
pub const LOADS: &str = "loads";
/// The pane of what is set.
pub const SETTINGS: &str = "settings";
/// The pane of kept runs.
pub const RESULTS: &str = "results";
/// The pane of what would be run, is run, or was.
pub const RUN: &str = "run";

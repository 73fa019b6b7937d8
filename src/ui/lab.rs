//! The state of the lab: workloads and experiments to choose from, the form of a run, and results. Runs
//! happen in a [`LabEngine`], outside the thread of the screen.

mod form;
mod page;

use crate::actions::check::Check;
use crate::actions::estimate::Forecast;
use crate::actions::monitor::Monitor;
use crate::actions::plan::Plan;
use crate::columns::tables::lab::results_table;
use crate::columns::{Request, TextSection};
use crate::derive::lab::ResultEntry;
pub use crate::lab::eta::RunProgress;
pub use crate::lab::session::{PlannedCases, PlannedRun, RunStart, RunView, SessionEvent};
use crate::model::experiment::StoredResult;
use crate::model::load::Workload;
use crate::model::run::Run;
use crate::model::{Name, Stamp};
pub use form::{FieldInfo, Form, FormField, RunnableKind, with_field_names};
pub use page::{comparison_page, figure_lines, page_for_size, result_page};
use std::fmt;

/// A workload or an experiment that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runnable {
    /// The kind of session.
    pub what: RunnableKind,
    /// The letter of the experiment.
    pub letter: Option<&'static str>,
    /// The name.
    pub name: String,
    /// The description.
    pub about: String,
}

/// A saved result.
#[derive(Clone, Debug, PartialEq)]
pub enum LabResult {
    /// The result of a workload.
    Run(Box<Run>),
    /// The result of an experiment.
    Experiment(Box<ExperimentTables>),
}

impl LabResult {
    /// The number of the result; 0 before it is saved.
    pub const fn id(&self) -> u64 {
        match self {
            Self::Run(run) => run.id,
            Self::Experiment(tables) => tables.id,
        }
    }
}

/// The tables of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExperimentTables {
    /// The number of the result; 0 before it is saved.
    pub id: u64,
    /// The title.
    pub title: String,
    /// The question that the experiment answers.
    pub question: String,
    /// The table of cases, their comparison, and notes.
    pub parts: Vec<TextSection>,
    /// The parts with published figures, if there are any.
    pub published: Option<Vec<TextSection>>,
    /// The numbers of the runs of the cases.
    pub runs: String,
}

/// The end of a workload or an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionReport {
    /// The result; none if the setup failed.
    pub result: Option<LabResult>,
    /// How it ended, in words.
    pub summary: String,
    /// Did it run to its end?
    pub well: bool,
}

/// A proposed session: a workload or an experiment to be confirmed.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionProposal {
    /// The form from which the specification of the session is made.
    pub form: Form,
    /// The prepared session: its description, and what must be unchanged when it runs.
    pub terms: PlannedRun,
    /// The steps of its setup.
    pub plan: Plan,
    /// The checks.
    pub checks: Vec<Check>,
    /// The estimated data and time of each step.
    pub costs: Vec<Forecast>,
}

impl SessionProposal {
    /// Can it run without root?
    pub fn changes_nothing(&self) -> bool {
        let changes_setup = self.terms.cases.as_ref().is_some_and(|cases| cases.needs_setup);
        !changes_setup && self.plan.steps.is_empty()
    }
}

/// Runs workloads and stores their results. All calls but the first may take long.
pub trait LabEngine: fmt::Debug + Send + Sync {
    /// The workloads and experiments that can be run.
    fn loads(&self) -> Vec<Runnable>;

    /// The workload with this name or path, or why it cannot be read.
    fn workload(&self, named: &Name) -> Result<Workload, String>;

    /// The plan of a workload or an experiment, or why it is invalid.
    fn prepare(&self, form: &Form) -> Result<SessionProposal, String>;

    /// Runs a prepared session, or returns why it could not start. Its processes die with the thread that
    /// calls this.
    fn run(
        &self,
        proposal: &SessionProposal,
        monitor: &mut dyn Monitor<SessionEvent>,
    ) -> Result<SessionReport, String>;

    /// The saved results, newest first, or why they cannot be read.
    fn results(&self) -> Result<Vec<ResultEntry>, String>;

    /// The result with this number, or why it cannot be read.
    fn result(&self, id: u64) -> Result<LabResult, String>;

    /// Two results, or why they cannot be compared.
    fn compare(&self, pair: ComparedIds) -> Result<ComparedResults, String>;
}

/// The state of the lab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabState {
    /// The workloads and experiments, experiments first; empty if none can be run.
    pub loads: Vec<Runnable>,
    /// The form of the selected workload or experiment.
    pub form: Form,
    /// The selected field.
    pub field: usize,
    /// The last request to prepare a session, with its number.
    pub asked: Option<(u64, Form)>,
    /// The number of requests so far.
    pub count: u64,
    /// The prepared session, or why the form is invalid; none while it is awaited.
    pub prepared: Option<Result<Box<SessionProposal>, String>>,
    /// When the results were last requested; none to request them at once.
    pub listed: Option<Stamp>,
    /// Is a list of results awaited?
    pub listing: bool,
    /// The results, or why they cannot be read; none while they are awaited.
    pub entries: Option<Result<Vec<ResultEntry>, String>>,
    /// The selected result.
    pub entry: usize,
    /// The numbers of the marked results, at most two.
    pub marked: Vec<u64>,
    /// The two results last checked for comparison, and why they cannot be compared, if so.
    pub judged: Option<(ComparedIds, Result<(), String>)>,
    /// The two results being checked: one check at a time.
    pub judging: Option<ComparedIds>,
    /// The last session run from this screen.
    pub last: Option<SessionReport>,
    /// Is that session shown, instead of the next one?
    pub shows_last: bool,
}

impl LabState {
    /// The lab with these workloads and experiments; the first workload is selected.
    pub fn with_loads(mut loads: Vec<Runnable>) -> Self {
        loads.sort_by_key(|load| load.what);
        let mut lab = Self { loads, ..Self::default() };
        let first = lab.loads.iter().position(|load| load.what == RunnableKind::Load);
        lab.choose(first.unwrap_or(0));
        lab
    }

    /// The index of the selected workload or experiment.
    pub fn chosen(&self) -> usize {
        let Form { what, load, .. } = &self.form;
        let is_chosen = |it: &Runnable| it.what == *what && it.name == *load;
        self.loads.iter().position(is_chosen).unwrap_or(0)
    }

    /// Selects a workload or an experiment; false if it is selected already.
    pub fn choose(&mut self, place: usize) -> bool {
        let Some(load) = self.loads.get(place) else { return false };
        let is_other = load.what != self.form.what;
        if !is_other && load.name == self.form.load {
            return false;
        }
        (self.form.what, self.form.load) = (load.what, load.name.clone());
        if is_other {
            // Another kind of session has other fields.
            self.field = 0;
        }
        true
    }

    /// The fields of the selected kind of session.
    pub const fn fields(&self) -> &'static [FieldInfo] {
        self.form.what.fields()
    }

    /// The lines of the list, with headings if there is more than one kind.
    pub fn lines(&self) -> Vec<Choosable<'_>> {
        let is_mixed = self.loads.windows(2).any(|two| matches!(two, [a, b] if a.what != b.what));
        let mut lines = Vec::new();
        let mut last = None;
        for (place, load) in self.loads.iter().enumerate() {
            if is_mixed && last != Some(load.what) {
                lines.push(Choosable::Heading(load.what.heading()));
            }
            last = Some(load.what);
            lines.push(Choosable::Load(place, load));
        }
        lines
    }

    /// The results, as far as they are known.
    pub fn kept(&self) -> &[ResultEntry] {
        self.entries.as_ref().and_then(|entries| entries.as_ref().ok()).map_or(&[], Vec::as_slice)
    }

    /// The number of the selected result.
    pub fn selected(&self) -> Option<u64> {
        self.kept().get(self.entry).map(|entry| entry.id)
    }

    /// The result of the last session run from this screen, if any.
    pub fn last_result(&self) -> Option<&LabResult> {
        self.last.as_ref()?.result.as_ref()
    }

    /// The index of the selected line in a pane with lines to select.
    pub fn row(&self, pane: &str) -> Option<usize> {
        match pane {
            LOADS => {
                let chosen = self.chosen();
                let is_chosen = |line: &Choosable<'_>| matches!(line, Choosable::Load(place, _) if *place == chosen);
                self.lines().iter().position(is_chosen)
            }
            SETTINGS => Some(self.field),
            // The headings scroll with the first row.
            RESULTS => Some(if self.entry == 0 { 0 } else { self.entry + 1 }),
            _ => None,
        }
    }
}

/// A line of the list of workloads and experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choosable<'l> {
    /// A heading.
    Heading(&'static str),
    /// A workload or an experiment, with its index.
    Load(usize, &'l Runnable),
}

/// The pane of workloads and experiments.
pub const LOADS: &str = "loads";
/// The pane of the form.
pub const SETTINGS: &str = "settings";
/// The pane of results.
pub const RESULTS: &str = "results";
/// The pane of the run: planned, running or ended.
pub const RUN: &str = "run";

impl LabState {
    /// The list that a search from this pane works on: its own, or else the results; none if both are
    /// empty.
    pub fn searchable(&self, pane: &str) -> Option<&'static str> {
        let lists = [(LOADS, !self.loads.is_empty()), (RESULTS, !self.kept().is_empty())];
        let full = lists.into_iter().rev().filter(|(_, is_full)| *is_full);
        full.clone()
            .find(|(list, _)| *list == pane)
            .or_else(|| full.clone().next())
            .map(|(list, _)| list)
    }

    /// Selects the first entry of a list that contains a word; false if there is none.
    pub(in crate::ui) fn find_row(&mut self, list: &str, word: &str) -> bool {
        let word = word.trim().to_lowercase();
        let place = if list == LOADS { self.load_with(&word) } else { self.result_with(&word) };
        match place {
            Some(place) if list == LOADS => self.shows_last &= !self.choose(place),
            Some(place) => self.entry = place,
            None => {}
        }
        place.is_some()
    }

    fn load_with(&self, word: &str) -> Option<usize> {
        self.loads.iter().position(|load| load.name.to_lowercase().contains(word))
    }

    /// Searches all cells, as in other tables.
    fn result_with(&self, word: &str) -> Option<usize> {
        let request = Request { all: true, ..Request::default() };
        let (_, rows) = results_table(self.kept(), &request).ok()?;
        let holds = |row: usize| {
            rows.infos.iter().any(|info| rows.text(row, info.id).to_lowercase().contains(word))
        };
        (0..rows.cells.len()).find(|row| holds(*row))
    }
}

/// The numbers of two results to compare.
pub type ComparedIds = [u64; 2];

/// Two results to compare.
pub type ComparedResults = Box<[StoredResult; 2]>;

impl LabState {
    /// Marks or unmarks the selected result; at most two marks remain.
    pub fn mark(&mut self) {
        let Some(id) = self.selected() else { return };
        let before = self.marked.len();
        self.marked.retain(|marked| *marked != id);
        if self.marked.len() == before {
            self.marked.push(id);
            self.marked.drain(..self.marked.len().saturating_sub(2));
        }
        self.entry = (self.entry + 1).min(self.kept().len().saturating_sub(1));
    }

    /// The word for what marking would do to the selected result.
    pub fn marking(&self) -> &'static str {
        let is_marked = self.selected().is_some_and(|id| self.marked.contains(&id));
        if is_marked { "unmark" } else { "mark" }
    }

    /// Takes a new list of results. The same result stays selected, unless it was the newest.
    pub(in crate::ui) fn set_results(&mut self, entries: Result<Vec<ResultEntry>, String>) {
        if self.entries.as_ref() == Some(&entries) {
            return;
        }
        let selected = self.selected().filter(|_| self.entry > 0);
        self.entries = Some(entries);
        let kept: Vec<u64> = self.kept().iter().map(|entry| entry.id).collect();
        let place = kept.iter().position(|id| Some(*id) == selected);
        self.entry = place.unwrap_or(self.entry).min(kept.len().saturating_sub(1));
        self.marked.retain(|id| kept.contains(id));
        self.judged = None;
    }

    /// The two results that would be compared, or why there are not two.
    pub fn pair(&self) -> Result<ComparedIds, &'static str> {
        let selected = self.selected().ok_or("no result is selected")?;
        let last = self.last_result().map(LabResult::id).filter(|id| *id > 0);
        match (self.marked.as_slice(), last) {
            ([first, second], _) => Ok([*first, *second]),
            ([first], _) if *first != selected => Ok([*first, selected]),
            ([_], _) => Err("this is the marked result itself: select another one in Results"),
            (_, Some(last)) if last != selected => Ok([selected, last]),
            (_, Some(_)) => {
                Err("this is the last run itself: select another one in Results, or mark one")
            }
            (_, None) => {
                Err("nothing to compare with: mark a result with Space, then select the other one")
            }
        }
    }

    /// The two results that would be compared, or why they cannot be compared, as far as that is known.
    pub fn comparable(&self) -> Result<ComparedIds, String> {
        let pair = self.pair().map_err(str::to_owned)?;
        match &self.judged {
            Some((judged, Err(why))) if *judged == pair => Err(why.clone()),
            _ => Ok(pair),
        }
    }
}

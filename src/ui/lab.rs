//! The lab as the interface knows it: loads and experiments to choose from, how one is to be run, and what is kept
//! of those that ran. The running is somebody else's: the interface asks a [`LabEngine`] for it,
//! aside from the screen.

mod form;
mod page;

use crate::actions::check::Check;
use crate::actions::estimate::Forecast;
use crate::actions::monitor::Monitor;
use crate::actions::plan::Plan;
use crate::columns::tables::lab::results_table;
use crate::columns::{TextSection, Request};
use crate::derive::lab::ResultEntry;
pub use crate::lab::eta::RunProgress;
pub use crate::lab::session::{PlannedCases, RunStart, RunView, SessionEvent, PlannedRun};
use crate::model::Stamp;
use crate::model::experiment::StoredResult;
use crate::model::run::Run;
pub use form::{FormField, FieldInfo, Form, RunnableKind, with_field_names};
pub use page::{comparison_page, figure_lines, page_for_size, result_page};
use std::borrow::Cow;
use std::fmt;

/// A load or an experiment that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runnable {
    /// Which of both.
    pub what: RunnableKind,
    /// The letter it is known by in short.
    pub letter: Option<&'static str>,
    /// What it is called.
    pub name: String,
    /// What it does.
    pub about: String,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub enum LabResult {
    /// Of a load.
    Run(Box<Run>),
    /// Of an experiment.
    Experiment(Box<ExperimentTables>),
}

impl LabResult {
    /// Its number among the results; 0 while it is not kept.
    pub const fn id(&self) -> u64 {
        match self {
            Self::Run(run) => run.id,
            Self::Experiment(tables) => tables.id,
        }
    }
}

/// An experiment as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExperimentTables {
    /// Its number among the results; 0 while it is not kept.
    pub id: u64,
    /// What it is called.
    pub title: String,
    /// What it answers.
    pub question: String,
    /// Its table, how its cases differ, and what is to be known.
    pub parts: Vec<TextSection>,
    /// The same with what others have published of it, where that is known.
    pub published: Option<Vec<TextSection>>,
    /// The numbers of the runs of its cases.
    pub runs: String,
}

/// What came of a load or an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionReport {
    /// What was measured; none where it could not be lent what it needs.
    pub result: Option<LabResult>,
    /// How it ended, in words.
    pub summary: String,
    /// Did all of it come to its end?
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
    /// What each step moves, and how long it may take.
    pub costs: Vec<Forecast>,
}

impl SessionProposal {
    /// Can it run without root?
    pub fn changes_nothing(&self) -> bool {
        let lends = self.terms.cases.as_ref().is_some_and(|cases| cases.needs_setup);
        !lends && self.plan.steps.is_empty()
    }
}

/// Runs loads and keeps what they have shown. All but the first may take long.
pub trait LabEngine: fmt::Debug + Send + Sync {
    /// The loads and experiments that there are.
    fn loads(&self) -> Vec<Runnable>;

    /// How a load or an experiment would be run, or why it makes no sense.
    fn prepare(&self, form: &Form) -> Result<SessionProposal, String>;

    /// Runs what was prepared, or says why it was not even begun. Its processes die with the thread that
    /// calls this.
    fn run(
        &self,
        proposal: &SessionProposal,
        monitor: &mut dyn Monitor<SessionEvent>,
    ) -> Result<SessionReport, String>;

    /// Runs that are kept, newest first; or why they cannot be told.
    fn results(&self) -> Result<Vec<ResultEntry>, String>;

    /// What has this number, or why it cannot be read.
    fn result(&self, id: u64) -> Result<LabResult, String>;

    /// Two of them, or why they cannot be compared.
    fn compare(&self, pair: ComparedIds) -> Result<ComparedResults, String>;
}

/// What the lab shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabState {
    /// What can be run, the experiments first; nothing where nothing can.
    pub loads: Vec<Runnable>,
    /// How the chosen one is to be run, and which that is.
    pub form: Form,
    /// The field that keys act on.
    pub field: usize,
    /// What was asked of the machine last, and its number.
    pub asked: Option<(u64, Form)>,
    /// How many times it was asked.
    pub count: u64,
    /// What that comes to, or why it makes no sense; none until it is known.
    pub prepared: Option<Result<Box<SessionProposal>, String>>,
    /// When the results were asked for last; none where they are to be asked for at once.
    pub listed: Option<Stamp>,
    /// Is an answer to that awaited?
    pub listing: bool,
    /// Runs that are kept, or why they cannot be told; none until they are known.
    pub entries: Option<Result<Vec<ResultEntry>, String>>,
    /// The one of them that keys act on.
    pub entry: usize,
    /// The numbers of those that are marked, at most two.
    pub marked: Vec<u64>,
    /// The two whose comparing was asked for last, and why they cannot be, once that is known.
    pub judged: Option<(ComparedIds, Result<(), String>)>,
    /// The two that this is asked of now: one question at a time.
    pub judging: Option<ComparedIds>,
    /// The last that was run from here.
    pub last: Option<SessionReport>,
    /// Is that shown, rather than what comes next?
    pub shows_last: bool,
}

impl LabState {
    /// This can be run; the first load is chosen.
    pub fn with_loads(mut loads: Vec<Runnable>) -> Self {
        loads.sort_by_key(|load| load.what);
        let mut lab = Self { loads, ..Self::default() };
        let first = lab.loads.iter().position(|load| load.what == RunnableKind::Load);
        lab.choose(first.unwrap_or(0));
        lab
    }

    /// The place of what is chosen.
    pub fn chosen(&self) -> usize {
        let Form { what, load, .. } = &self.form;
        let is_chosen = |it: &Runnable| it.what == *what && it.name == *load;
        self.loads.iter().position(is_chosen).unwrap_or(0)
    }

    /// Choose what stands at this place; false where that is chosen already.
    pub fn choose(&mut self, place: usize) -> bool {
        let Some(load) = self.loads.get(place) else { return false };
        let is_other = load.what != self.form.what;
        if !is_other && load.name == self.form.load {
            return false;
        }
        (self.form.what, self.form.load) = (load.what, load.name.clone());
        if is_other {
            // Its fields are others.
            self.field = 0;
        }
        true
    }

    /// What is set of the chosen one.
    pub const fn fields(&self) -> &'static [FieldInfo] {
        self.form.what.fields()
    }

    /// What can be chosen, line by line: under headings where there is more than one kind.
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

    /// The runs that are kept, as far as that is known.
    pub fn kept(&self) -> &[ResultEntry] {
        self.entries.as_ref().and_then(|entries| entries.as_ref().ok()).map_or(&[], Vec::as_slice)
    }

    /// The number of the run that keys act on.
    pub fn selected(&self) -> Option<u64> {
        self.kept().get(self.entry).map(|entry| entry.id)
    }

    /// What was found last from here, if anything was.
    pub fn last_result(&self) -> Option<&LabResult> {
        self.last.as_ref()?.result.as_ref()
    }

    /// The row that keys act on in a pane, if it has rows, among its lines.
    pub fn row(&self, pane: &str) -> Option<usize> {
        match pane {
            LOADS => {
                let chosen = self.chosen();
                let is_chosen = |line: &Choosable<'_>| matches!(line, Choosable::Load(place, _) if *place == chosen);
                self.lines().iter().position(is_chosen)
            }
            SETTINGS => Some(self.field),
            // Below the headings, which stay with the first.
            RESULTS => Some(if self.entry == 0 { 0 } else { self.entry + 1 }),
            _ => None,
        }
    }
}

/// A line of what can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choosable<'l> {
    /// What those below are.
    Heading(&'static str),
    /// One of them, and its place.
    Load(usize, &'l Runnable),
}

/// The pane of loads.
pub const LOADS: &str = "loads";
/// The pane of what is set.
pub const SETTINGS: &str = "settings";
/// The pane of kept runs.
pub const RESULTS: &str = "results";
/// The pane of what would be run, is run, or was.
pub const RUN: &str = "run";

impl LabState {
    /// The list in which words are looked for from this pane: its own, or else that of results; none
    /// where there is nothing to look through.
    pub fn searchable(&self, pane: &str) -> Option<&'static str> {
        let lists = [(LOADS, !self.loads.is_empty()), (RESULTS, !self.kept().is_empty())];
        let full = lists.into_iter().rev().filter(|(_, is_full)| *is_full);
        full.clone()
            .find(|(list, _)| *list == pane)
            .or_else(|| full.clone().next())
            .map(|(list, _)| list)
    }

    /// Let keys act on the first of a list that holds this word; false where none does.
    pub(in crate::ui) fn find_row(&mut self, list: &str, word: &str) -> bool {
        let word = word.trim().to_lowercase();
        let place = if list == LOADS { self.load_with(&word) } else { self.result_with(&word) };
        match place {
            Some(place) if list == LOADS => {
                self.shows_last &= !self.choose(place);
                true
            }
            Some(place) => {
                self.entry = place;
                true
            }
            None => false,
        }
    }

    fn load_with(&self, word: &str) -> Option<usize> {
        self.loads.iter().position(|load| load.name.to_lowercase().contains(word))
    }

    /// Any of its cells counts, as in other tables.
    fn result_with(&self, word: &str) -> Option<usize> {
        let request = Request { all: true, ..Request::default() };
        let (_, rows) = results_table(self.kept(), &request).ok()?;
        let holds = |row: usize| {
            rows.infos.iter().any(|info| rows.text(row, info.id).to_lowercase().contains(word))
        };
        (0..rows.cells.len()).find(|row| holds(*row))
    }
}

/// Their numbers: what is compared with, and what is compared.
pub type ComparedIds = [u64; 2];

/// Two results that were read to be compared.
pub type ComparedResults = Box<[StoredResult; 2]>;

/// Why something cannot be compared.
type Why = Cow<'static, str>;

impl LabState {
    /// Mark the result that keys act on, or take its mark away; of three marks the oldest goes.
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

    /// What marking would do to the result that keys act on.
    pub fn marking(&self) -> &'static str {
        let is_marked = self.selected().is_some_and(|id| self.marked.contains(&id));
        if is_marked { "unmark" } else { "mark" }
    }

    /// These are kept now. Keys act on the one they did, unless that was the newest.
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

    /// The two results that would be compared.
    ///
    /// # Errors
    /// When there are no two.
    pub fn pair(&self) -> Result<ComparedIds, Why> {
        let selected = self.selected().ok_or("no result is selected to compare with")?;
        let last = self.last_result().map(LabResult::id).filter(|id| *id > 0);
        match (self.marked.as_slice(), last) {
            ([first, second], _) => Ok([*first, *second]),
            ([first], _) if *first != selected => Ok([*first, selected]),
            ([_], _) => Err("that is the marked result itself: select another one in Results".into()),
            (_, Some(last)) if last != selected => Ok([selected, last]),
            (_, Some(_)) => {
                Err("that is the run itself: select another one in Results, or mark one".into())
            }
            (_, None) => Err("nothing was run from here yet: mark a result with Space, then select the other one".into()),
        }
    }

    /// The two results that would be compared, as far as nothing is known to stand against it.
    ///
    /// # Errors
    /// When there are no two, or these cannot be compared.
    pub fn comparable(&self) -> Result<ComparedIds, Why> {
        let pair = self.pair()?;
        match &self.judged {
            Some((judged, Err(why))) if *judged == pair => Err(why.clone().into()),
            _ => Ok(pair),
        }
    }
}

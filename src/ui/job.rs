//! The running change or workload, its progress, and the state of write mode.

use super::change::{AnyProposal, ChangeResult};
use super::input::ValueInput;
use super::lab::{RunStart, RunView, SessionProposal, SessionReport};
use crate::actions::journal::{PlanEnd, Record};
use crate::actions::messages;
use crate::actions::run::{ChangeOutcome, Progress};
use crate::model::name::safe_text;
use crate::model::{Bytes, Name, Stamp};
use std::collections::VecDeque;

/// The end of a change or a workload, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndReport {
    /// The words.
    pub words: String,
    /// Was it successful?
    pub well: bool,
    /// The plan of the journal that undoes it, if anything of it is in effect.
    pub undoes: Option<u64>,
}

impl EndReport {
    /// The end of what did not begin.
    fn of_failure(words: String) -> Self {
        Self { words, well: false, undoes: None }
    }
}

/// The end of a change, in words. The command that undoes it is for a plan in the journal of this computer.
pub fn describe_change(ended: &ChangeResult, has_command: bool) -> EndReport {
    match ended {
        Ok(outcome) => {
            let undoable = outcome.undoable && has_command;
            EndReport {
                words: messages::describe_outcome(&ChangeOutcome { undoable, ..outcome.clone() }),
                well: matches!(outcome.end, PlanEnd::Done | PlanEnd::Recovered),
                undoes: outcome.undoable.then_some(outcome.plan),
            }
        }
        Err(why) => EndReport::of_failure(format!("NOT DONE: {why}. Nothing was changed.")),
    }
}

/// The end of a workload, in words.
pub fn describe_session(ran: &Result<Box<SessionReport>, String>) -> EndReport {
    match ran {
        Ok(ran) => EndReport { words: ran.summary.clone(), well: ran.well, undoes: None },
        Err(why) => EndReport::of_failure(format!("NOT RUN: {why}")),
    }
}

/// The state of changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangeState {
    /// Why nothing can be changed, if so.
    pub blocked: Option<String>,
    /// When write mode ends unless a key is pressed; none in read-only mode.
    pub write_until: Option<Stamp>,
    /// The number of the last requested plan.
    pub asked: u64,
    /// Is a plan awaited?
    pub awaited: bool,
    /// Is the awaited plan an update for the open dialog?
    pub anew: bool,
    /// The text typed for the awaited plan.
    pub typed: Option<ValueInput>,
    /// The running change, or the last one.
    pub job: Option<Job>,
    /// Exit when it has ended?
    pub leaving: bool,
    /// The journal, as last read.
    pub past: Vec<Record>,
}

impl ChangeState {
    /// Why a proposal cannot be carried out here, if so. A workload without temporary setup changes
    /// nothing, so only its checks can refuse it.
    pub fn blocked_reason(&self, proposal: &AnyProposal) -> Option<&str> {
        let is_harmless = proposal.session().is_some_and(SessionProposal::changes_nothing);
        self.blocked.as_deref().filter(|_| !is_harmless)
    }

    /// Does anything have to be confirmed with W first? Where nothing can be changed, write mode has no
    /// meaning.
    pub const fn is_read_only(&self) -> bool {
        self.write_until.is_none() && self.blocked.is_none()
    }
}

/// A running or ended change or workload.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The title.
    pub title: String,
    /// The subjects of its steps.
    pub names: Vec<String>,
    /// The start.
    pub since: Stamp,
    /// The progress.
    pub progress: Option<Progress>,
    /// Was it asked to stop?
    pub stopping: bool,
    /// The end, if it has ended.
    pub ended: Option<EndReport>,
    /// The run, if this is a workload.
    pub load: Option<LiveRun>,
}

impl Job {
    /// A job that starts now.
    pub fn new(proposal: &AnyProposal, now: Stamp) -> Self {
        let plan = proposal.plan();
        let load = proposal.session().map(|session| {
            LiveRun::new(&session.form.load, session.terms.limit, session.terms.at_most)
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

    /// Is it undone because it was asked to stop? A second request stops that, too.
    pub fn is_stopped_and_undone(&self) -> bool {
        self.stopping && self.progress.is_some_and(|progress| progress.is_undo)
    }

    /// The progress on one line.
    pub fn line(&self) -> String {
        let stopping = if self.stopping { "stopping: " } else { "" };
        let view = self.load.as_ref().and_then(|load| Some((load, load.last.as_ref()?)));
        match (&self.progress, view) {
            (None, Some((load, view))) => {
                format!("{stopping}{}: {}", load.label(), view.summary_line())
            }
            (Some(progress), _) => {
                let run = self.load.as_ref().filter(|load| load.run.is_some());
                let of = run.map(|load| format!("{}: ", load.label())).unwrap_or_default();
                format!("{stopping}{of}{}", messages::progress_line(&self.names, progress))
            }
            (None, None) => format!("{stopping}about to {}", self.title),
        }
    }

    /// The next run of an experiment starts, with its setup.
    pub fn begin_run(&mut self, next: RunStart) {
        if let Some(load) = &mut self.load {
            load.begin_run(&next);
            (self.names, self.progress) = (next.names, None);
        }
    }

    /// The progress of a run, which ends the display of its setup.
    pub fn update(&mut self, view: RunView) {
        if let Some(load) = &mut self.load {
            load.update(view);
            self.progress = None;
        }
    }

    /// The finished share of the step, from 0 to 1.
    pub fn share(&self) -> Option<f64> {
        let progress = self.progress.filter(|progress| progress.total > Bytes(0))?;
        let moved = progress.total.saturating_sub(progress.left);
        Some(moved.0 as f64 / progress.total.0 as f64)
    }
}

/// Seconds between two values of a history.
const VALUE_INTERVAL: f64 = 0.25;
/// Maximum number of values: more than the widest terminal shows.
const MAX_VALUES: usize = 512;

/// A series of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track(VecDeque<Option<f64>>);

impl Track {
    /// All values, oldest first.
    pub fn values(&self) -> Vec<Option<f64>> {
        self.0.iter().copied().collect()
    }

    fn push(&mut self, value: Option<f64>) {
        if self.0.len() >= MAX_VALUES {
            self.0.pop_front();
        }
        self.0.push_back(value);
    }
}

/// The use of an area over time.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaTrack {
    /// The path of the area.
    pub path: Name,
    /// The used space.
    pub used: Track,
}

/// A running or ended workload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveRun {
    /// The name.
    pub name: String,
    /// The run of an experiment: its number, the number of runs, and its case.
    pub run: Option<(usize, usize, String)>,
    /// The memory limit, if any.
    pub limit: Option<Bytes>,
    /// The maximum time of each repetition, in seconds.
    pub at_most: f64,
    /// The last progress; none before the first process.
    pub last: Option<RunView>,
    /// The areas over time.
    pub areas: Vec<AreaTrack>,
    /// The memory of the cgroup over time.
    pub memory: Track,
    /// The time of the last values: repetition, and seconds in it.
    seen: Option<(u32, f64)>,
}

impl LiveRun {
    /// A workload that starts now.
    pub fn new(name: &str, limit: Option<Bytes>, at_most: f64) -> Self {
        Self { name: name.to_owned(), limit, at_most, ..Self::default() }
    }

    /// The next run starts, with empty series.
    pub fn begin_run(&mut self, next: &RunStart) {
        let run = next.case.clone().map(|case| (next.number, next.of, case));
        *self = Self { run, ..Self::new(&self.name, next.limit, next.at_most) };
    }

    /// The label of what is running.
    pub fn label(&self) -> String {
        let name = safe_text(&self.name);
        match &self.run {
            Some((number, of, case)) => format!("{name} {number}/{of} {}", safe_text(case)),
            None => name,
        }
    }

    /// Takes the progress of the run.
    pub fn update(&mut self, view: RunView) {
        let now = (view.progress.repetition, view.progress.elapsed);
        let is_due = self
            .seen
            .is_none_or(|(which, seconds)| which != now.0 || now.1 - seconds >= VALUE_INTERVAL);
        if is_due {
            self.seen = Some(now);
            self.keep(&view);
        }
        self.last = Some(view);
    }

    fn keep(&mut self, view: &RunView) {
        self.memory.push(view.memory.map(|memory| memory.0 as f64));
        for area in &view.areas {
            if self.areas.iter().all(|known| known.path != area.path) {
                self.areas.push(AreaTrack { path: area.path.clone(), used: Track::default() });
            }
        }
        for known in &mut self.areas {
            // An area that is gone has unknown values, not zero.
            let area = view.areas.iter().find(|area| area.path == known.path);
            known.used.push(area.and_then(|area| Some(area.used.known()?.0 as f64)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::eta::RunProgress;
    use crate::model::swaparea::testing::area;

    fn view(repetition: u32, elapsed: f64, areas: &[(&str, u64)]) -> RunView {
        let areas = areas.iter().map(|(path, used)| area(path, 1, 100 << 20, *used << 20));
        let progress = RunProgress {
            repetition,
            of: 2,
            elapsed,
            taken: elapsed,
            phase: "touching",
            share: Some(0.25),
            left: None,
            through: 1,
            processes: 4,
        };
        RunView { progress, areas: areas.collect(), memory: Some(Bytes(48 << 20)), available: None }
    }

    #[test]
    fn a_value_is_recorded_every_quarter_second() {
        let mut course = LiveRun::new("usemem", None, 60.0);
        for (elapsed, used) in [(0.0, 1), (0.1, 2), (0.25, 3), (0.3, 4), (0.5, 5)] {
            course.update(view(1, elapsed, &[("a", used)]));
        }
        course.update(view(2, 0.1, &[("b", 6)]));
        let mib = |value: u64| Some((value << 20) as f64);
        assert_eq!(course.areas[0].used.values(), [mib(1), mib(3), mib(5), None]);
        assert_eq!(course.areas[1].used.values(), [mib(6)]);
        assert_eq!(course.memory.values().len(), 4);
        let words = course.last.unwrap().summary_line();
        assert_eq!(words, "2/2  touching 25%  0s  swap 6M  cgroup 48M");
    }

    #[test]
    fn a_long_run_keeps_its_newest_values() {
        let mut course = LiveRun::new("usemem", None, 60.0);
        for tick in 0..600_u32 {
            course.update(view(1, f64::from(tick), &[("a", u64::from(tick))]));
        }
        let values = course.areas[0].used.values();
        assert_eq!((values.len(), values[511]), (MAX_VALUES, Some((599_u64 << 20) as f64)));
    }
}

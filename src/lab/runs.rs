//! One run of a load after the other: the cage, the processes, the guard, and what is measured.

use super::eta::{self, Outlook, PACE, Phase, Rest, TICK, Times, Took};
use super::guard::{Guard, free_swap};
use super::loss::{self, Counts};
use super::measure::{self, FRAME, Meter};
use super::run_spec::RunSpec;
use super::session::{RunView, SessionEvent};
use super::workers::{Lost, Stage, Workers};
use crate::actions::monitor::Monitor;
use crate::change::expect;
use crate::clock::Clock;
use crate::model::load::After;
use crate::model::run::{Ending, Measured};
use crate::model::{Bytes, Name, Part, PartSet, Snapshot, Stamp};
use crate::probes;
use crate::root::Root;
use crate::sys::{Cgroup, Fresh, Helper, Lock, Report, Running as _, Work, own_name};
use std::ops::ControlFlow;
use std::time::Duration;

/// How long processes may take to die.
const PATIENCE: Duration = Duration::from_mins(1);

/// What a run has from the machine.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The machine.
    pub root: &'a Root,
    /// The lock on changes, where the run is lent something.
    pub lock: Option<&'a Lock>,
    /// The areas that were made for it.
    pub ours: &'a [Name],
}

/// Run a load as often as is wished; ends at the first repetition that is ended early. The second
/// is the machine as the first one found it.
pub fn run(
    spec: &RunSpec,
    ground: Ground<'_>,
    monitor: &mut dyn Monitor<SessionEvent>,
) -> (Vec<Measured>, Snapshot) {
    let first = look(ground.root, &FRAME);
    let mut measured = Vec::new();
    let all = usize::try_from(spec.repetitions).unwrap_or(usize::MAX);
    let mut outlook = Outlook::of(vec![0; all]);
    for repetition in 1..=spec.repetitions {
        let (number, ahead) = (repetition, &outlook);
        let one = Repetition { spec, ground, number, ahead, monitor }.run();
        let is_done = one.end == Ending::Done;
        outlook.add(Took { seconds: one.elapsed.unwrap_or_default(), is_done });
        measured.push(one);
        if !is_done {
            break;
        }
    }
    (measured, first)
}

fn look(root: &Root, parts: &[Part]) -> Snapshot {
    probes::sample(root, &Clock::Real, PartSet::of(parts))
}

struct Repetition<'a> {
    spec: &'a RunSpec,
    ground: Ground<'a>,
    number: u32,
    /// Those before it, and those that follow.
    ahead: &'a Outlook,
    monitor: &'a mut dyn Monitor<SessionEvent>,
}

/// How switching areas off went.
#[derive(Clone, Copy, Debug)]
struct Off {
    /// How long it took.
    seconds: f64,
    /// How long it was expected to take.
    expected: Option<f64>,
    /// What they held before; none where that cannot be read.
    held: Option<Bytes>,
}

/// Why a run ends before its time.
enum Early {
    /// The guard or the monitor wanted it.
    Stopped(String),
    /// Something went wrong.
    Failed(String),
    /// A process is gone.
    Lost(Lost),
}

/// What goes on while a run does.
struct Course<'a> {
    cage: Option<&'a Cgroup>,
    /// Keeps the kernel from giving up on the cage.
    _fresh: Option<Fresh>,
    meter: Meter,
    /// What of the machine is looked at.
    glance: PartSet,
    guard: Guard,
    begun: Stamp,
    counts: Counts,
    last: Snapshot,
    memory: Option<Bytes>,
    /// When the guard and the monitor were asked last.
    watched: Stamp,
    /// When what is used was remembered last.
    kept: Stamp,
}

impl Repetition<'_> {
    fn run(&mut self) -> Measured {
        let cage = self.spec.limit.map(|limit| {
            let name = own_name(self.ground.root)?;
            Cgroup::make(self.ground.root, &name, limit)
        });
        match cage.transpose() {
            Ok(cage) => {
                let measured = self.run_in(cage.as_ref());
                let removed = cage.map(Cgroup::remove).transpose();
                with_end(measured, removed.err().map(|error| error.to_string()))
            }
            Err(error) => Measured::failed(error.to_string()),
        }
    }

    fn run_in(&mut self, cage: Option<&Cgroup>) -> Measured {
        let mut course = Course::begin(self.spec, self.ground.root, cage);
        let begun = course.begun;
        let page = course.last.page_size.known().copied().unwrap_or(4096);
        let mut workers = match Workers::muster(self.spec, cage, page, begun.boot_ns) {
            Ok(workers) => workers,
            Err(why) => return Measured::failed(why),
        };
        let (off, end) = match self.through(&mut workers, &mut course) {
            Ok(off) => (off, Ending::Done),
            Err(early) => (None, self.ending(early, &course)),
        };
        if end != Ending::Done {
            workers.kill(PATIENCE);
        }
        let elapsed = Clock::Real.now().seconds_since(begun);
        let figures = course.meter.end(&look(self.ground.root, &FRAME));
        let (tasks, user, system) = workers.results();
        Measured {
            elapsed: Some(elapsed),
            user,
            system,
            tasks,
            counters: figures.counters,
            folios: figures.folios,
            used: figures.used,
            zram: figures.zram,
            stall: figures.stall,
            zswap: figures.zswap,
            swapoff: off.map(|off| off.seconds),
            swapoff_expected: off.and_then(|off| off.expected),
            switched_off: off.and_then(|off| off.held),
            peak: cage.and_then(Cgroup::peak),
            end,
        }
    }

    /// How it ends. What the kernel counts is read before processes are killed here.
    fn ending(&self, early: Early, course: &Course<'_>) -> Ending {
        match early {
            Early::Stopped(why) => Ending::Stopped { why },
            Early::Failed(why) => Ending::Failed { why },
            Early::Lost(lost) => {
                let now = Counts::of(&look(self.ground.root, &[Part::Vmstat]));
                loss::ending(lost, course.cage, (course.counts, now), free_swap(&course.last))
            }
        }
    }

    /// From the first process to the last; says how switching areas off went, if they were.
    fn through(
        &mut self,
        workers: &mut Workers,
        course: &mut Course<'_>,
    ) -> Result<Option<Off>, Early> {
        self.until(workers, course, ("filling", Stage::Ready))?;
        workers.go(Stage::Ready).map_err(Early::Lost)?;
        self.until(workers, course, ("touching", Stage::Touched))?;
        // What is used now is the most, where all wait for each other.
        course.look(self.ground.root);
        let off = match self.spec.workload.after {
            After::Nothing => None,
            After::Swapoff => Some(self.switch_off(workers, course)?),
        };
        workers.go(Stage::Touched).map_err(Early::Lost)?;
        self.until(workers, course, ("freeing", Stage::Ended))?;
        Ok(off)
    }

    /// Until all have come to this stage.
    fn until(
        &mut self,
        workers: &mut Workers,
        course: &mut Course<'_>,
        (name, stage): (&'static str, Stage),
    ) -> Result<(), Early> {
        let mut phase = Phase::begin(name, Clock::Real.now());
        let after = eta::after(&self.spec.workload, stage);
        while workers.stage() < stage {
            let tick = eta::tick(course.watched.seconds_since(course.begun));
            let told = workers.hear(tick).map_err(Early::Lost)?;
            let now = Clock::Real.now();
            if is_time(told, now.seconds_since(course.watched)) {
                phase.see_workers(workers, stage, now);
                self.watch(course, (&phase, after), workers.count())?;
            }
        }
        Ok(())
    }

    /// Look at the machine when that is due, and ask the monitor.
    fn watch(
        &mut self,
        course: &mut Course<'_>,
        (phase, after): (&Phase, Option<f64>),
        processes: usize,
    ) -> Result<(), Early> {
        course.watched = Clock::Real.now();
        let over = if course.is_due() {
            course.look(self.ground.root);
            course.guard.look(&course.last)
        } else {
            // Swap fills in no time.
            let now = look(self.ground.root, &[Part::Swaps]);
            course.glimpse(&now);
            course.guard.short(&now)
        };
        if let Some(why) = over {
            return Err(Early::Stopped(why));
        }
        let which = (self.number, self.spec.repetitions);
        let elapsed = course.watched.seconds_since(course.begun);
        let rest = Rest { phase: phase.left(course.watched), after };
        let times = Times::of(elapsed, rest, (self.ahead, self.spec.guard.at_most));
        let view = RunView {
            progress: phase.progress(which, times, processes),
            areas: course.last.swaps.reading.known().cloned().unwrap_or_default(),
            memory: course.memory,
            available: course.last.memory("MemAvailable").known().copied(),
        };
        match self.monitor.event(SessionEvent::Running(view)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(Early::Stopped(reason.to_string())),
        }
    }

    /// Switch the areas of the run off while processes hold their memory.
    fn switch_off(&mut self, workers: &mut Workers, course: &mut Course<'_>) -> Result<Off, Early> {
        let failed = |why: String| Early::Failed(why);
        let lock = self.ground.lock.ok_or_else(|| failed("nobody holds the lock".to_owned()))?;
        let now = look(self.ground.root, &expect::NEEDS);
        let expected = expect::in_all(&expect::switching_off(&now, self.ground.ours));
        if let Some(cage) = course.cage {
            // All of it comes back into the cage.
            let room = self.spec.total().saturating_add(cage.limit().unwrap_or(Bytes(0)));
            cage.raise(room).map_err(|error| failed(error.to_string()))?;
        }
        course.guard.forget_swap();
        let held = held(&look(self.ground.root, &[Part::Swaps]), self.ground.ours);
        let mut phase = Phase::begin("switching off", Clock::Real.now());
        for path in self.ground.ours {
            let work = Work::Off(path.clone());
            let started = Helper::start(&work, lock);
            let mut helper = started.map_err(|error| failed(error.to_string()))?;
            let report = loop {
                if let Some(report) = helper.wait(TICK) {
                    break report;
                }
                let heard = workers.hear(Duration::ZERO).map_err(Early::Lost);
                let share = held.and_then(|held| moved(&course.last, self.ground.ours, held));
                phase.see(0, (share, share), Clock::Real.now());
                let watched =
                    heard.and_then(|_| self.watch(course, (&phase, Some(0.0)), workers.count()));
                if let Err(early) = watched {
                    // Nothing else may begin while the kernel is still at it.
                    helper.stop();
                    while helper.wait(TICK).is_none() {}
                    return Err(early);
                }
            };
            if report != Report::Done {
                return Err(failed(format!("{} was not switched off: {report:?}", path.safe())));
            }
        }
        Ok(Off { seconds: Clock::Real.now().seconds_since(phase.begun), expected, held })
    }
}

/// Is it time to ask the guard and the monitor, who were asked so many seconds ago? Whoever has just
/// told something is taken the time of: nothing else comes before that, unless others tell on and on.
fn is_time(told: bool, since: f64) -> bool {
    !told || since >= TICK.as_secs_f64()
}

/// What these areas hold; none where one of them does not tell.
fn held(snapshot: &Snapshot, ours: &[Name]) -> Option<Bytes> {
    let areas = snapshot.swaps.reading.known()?;
    let used = |path: &Name| areas.iter().find(|area| area.path == *path)?.used.known().copied();
    ours.iter().map(used).sum()
}

/// How much of what these areas held has left them: those that are off hold nothing. None where one
/// of them does not tell, or they held nothing.
fn moved(snapshot: &Snapshot, ours: &[Name], held: Bytes) -> Option<f64> {
    let areas = snapshot.swaps.reading.known()?;
    let ours = areas.iter().filter(|area| ours.contains(&area.path));
    let left: Bytes = ours.map(|area| area.used.known().copied()).sum::<Option<Bytes>>()?;
    let moved = held.saturating_sub(left);
    (held > Bytes(0)).then(|| moved.0 as f64 / held.0 as f64)
}

impl<'a> Course<'a> {
    /// Of a run that begins now.
    fn begin(spec: &RunSpec, root: &Root, cage: Option<&'a Cgroup>) -> Self {
        let before = look(root, &FRAME);
        let begun = Clock::Real.now();
        Self {
            cage,
            _fresh: cage.map(Cgroup::fresh),
            meter: Meter::begin(before.clone()),
            glance: measure::glance(&before, &spec.workload),
            guard: Guard::new(spec.guard, cage.is_some(), begun),
            begun,
            counts: Counts::of(&before),
            last: before,
            memory: None,
            watched: begun,
            kept: begun,
        }
    }

    /// Is it time to look at the machine?
    fn is_due(&self) -> bool {
        Clock::Real.now().seconds_since(self.last.stamp) >= PACE
    }

    /// Look at the machine, and remember what is used.
    fn look(&mut self, root: &Root) {
        let now = probes::sample(root, &Clock::Real, self.glance);
        self.keep(&now);
        self.last = now;
    }

    /// Remember what the areas alone say, which the guard has looked at, where that was long ago for
    /// a run as young as this.
    fn glimpse(&mut self, now: &Snapshot) {
        let since_begin = now.stamp.seconds_since(self.begun);
        if now.stamp.seconds_since(self.kept) >= eta::between(since_begin) {
            self.keep(now);
        }
    }

    fn keep(&mut self, now: &Snapshot) {
        self.kept = now.stamp;
        self.memory = self.cage.and_then(Cgroup::memory);
        self.meter.see(now, self.memory);
    }
}

/// With what went wrong afterwards.
fn with_end(measured: Measured, wrong: Option<String>) -> Measured {
    let Some(wrong) = wrong else { return measured };
    let why = match &measured.end {
        Ending::Done => wrong,
        Ending::Stopped { why } | Ending::Failed { why } => format!("{why}; and {wrong}"),
    };
    Measured { end: Ending::Failed { why }, ..measured }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing::area;
    use crate::model::{Reading, Sampled};

    #[test]
    fn the_guard_is_asked_also_while_there_is_news() {
        assert!(is_time(false, 0.0), "nothing else is to be done");
        assert!(!is_time(true, 0.01), "who tells something comes first");
        assert!(is_time(true, 0.05), "not for ever");
    }

    #[test]
    fn switching_off_is_as_far_as_areas_are_empty() {
        let moved = |areas: &[(&str, u64)], held| {
            let areas = areas.iter().map(|(path, used)| area(path, 1, 100, *used)).collect();
            let at = Stamp { boot_ns: 0, wall_ms: 0 };
            let swaps = Sampled::new(Some(at), Reading::Known(areas));
            let now = Snapshot { swaps, ..Snapshot::empty(at) };
            moved(&now, &["a".into(), "b".into()], Bytes(held))
        };
        assert_eq!(moved(&[("a", 50), ("b", 30), ("other", 90)], 80), Some(0.0));
        assert_eq!(moved(&[("b", 20), ("other", 90)], 80), Some(0.75), "one is off");
        assert_eq!(moved(&[], 80), Some(1.0));
        assert_eq!(moved(&[("a", 0)], 0), None, "they held nothing");
    }
}

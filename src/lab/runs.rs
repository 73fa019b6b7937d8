//! The repetitions of one run: cgroup, processes, guard and measurement.

use super::eta::{
    self, PhaseProgress, RemainingTime, RunDuration, RunTimes, SAMPLE_PERIOD, SequenceEta, TICK,
};
use super::guard::{Guard, free_swap};
use super::lost_worker::{self, OomCounters};
use super::measure::{self, FULL_SAMPLE, RunMeter};
use super::run_spec::RunSpec;
use super::session::{RunView, SessionEvent};
use super::workers::{LostWorker, Stage, Workers};
use crate::actions::monitor::Monitor;
use crate::change::drain_estimate;
use crate::clock::Clock;
use crate::model::load::AfterTouching;
use crate::model::run::{RepetitionEnd, RepetitionResult};
use crate::model::{Bytes, Name, Part, PartSet, Snapshot, Stamp};
use crate::probes;
use crate::root::Root;
use crate::sys::{
    Helper, HelperReport, HelperTask, Lock, RunningHelper as _, StatRefresher, WorkloadCgroup,
    own_name,
};
use std::ops::ControlFlow;
use std::time::Duration;

/// How long to wait for killed processes to end.
const KILL_TIMEOUT: Duration = Duration::from_mins(1);

/// The part of the machine that a run uses.
#[derive(Clone, Copy, Debug)]
pub struct LoadContext<'a> {
    /// The machine.
    pub root: &'a Root,
    /// The lock, if the run has a temporary setup.
    pub lock: Option<&'a Lock>,
    /// The temporary areas.
    pub temporary_areas: &'a [Name],
}

/// Runs all repetitions, up to the first that ends early. Also returns the machine as it was before
/// the first.
pub fn run(
    spec: &RunSpec,
    context: LoadContext<'_>,
    monitor: &mut dyn Monitor<SessionEvent>,
) -> (Vec<RepetitionResult>, Snapshot) {
    let first = sample(context.root, &FULL_SAMPLE);
    let mut measured = Vec::new();
    let all = usize::try_from(spec.repetitions).unwrap_or(usize::MAX);
    let mut eta = SequenceEta::for_cases(vec![0; all]);
    for repetition in 1..=spec.repetitions {
        let (number, ahead) = (repetition, &eta);
        let one = Repetition { spec, context, number, ahead, monitor }.run();
        let is_done = one.end == RepetitionEnd::Done;
        eta.add(RunDuration { seconds: one.elapsed.unwrap_or_default(), is_done });
        measured.push(one);
        if !is_done {
            break;
        }
    }
    (measured, first)
}

fn sample(root: &Root, parts: &[Part]) -> Snapshot {
    probes::sample(root, &Clock::Real, PartSet::from_parts(parts))
}

struct Repetition<'a> {
    spec: &'a RunSpec,
    context: LoadContext<'a>,
    number: u32,
    /// The duration of earlier repetitions, for the estimate.
    ahead: &'a SequenceEta,
    monitor: &'a mut dyn Monitor<SessionEvent>,
}

/// The result of swapoff at the end of a run.
#[derive(Clone, Copy, Debug)]
struct SwapoffResult {
    /// Its duration in seconds.
    seconds: f64,
    /// Its estimated duration in seconds.
    expected: Option<f64>,
    /// The bytes that the areas held before, if known.
    held: Option<Bytes>,
}

/// The reason why a run ends early.
enum EarlyEnd {
    /// Stopped by the guard or the monitor.
    Stopped(String),
    /// Failed.
    Failed(String),
    /// Lost a process.
    Lost(LostWorker),
}

/// The state of a repetition while it runs.
struct RunState<'a> {
    cgroup: Option<&'a WorkloadCgroup>,
    /// Keeps the kernel from giving up on reclaim in the cgroup.
    _fresh: Option<StatRefresher>,
    meter: RunMeter,
    /// The parts of the machine that are sampled.
    sampled_parts: PartSet,
    guard: Guard,
    begun: Stamp,
    counts: OomCounters,
    last: Snapshot,
    memory: Option<Bytes>,
    /// The last time when the guard and the monitor were called.
    watched: Stamp,
    /// The last time when usage was recorded.
    kept: Stamp,
}

impl Repetition<'_> {
    fn run(&mut self) -> RepetitionResult {
        let cgroup = self.spec.limit.map(|limit| {
            let name = own_name(self.context.root)?;
            WorkloadCgroup::make(self.context.root, &name, limit)
        });
        match cgroup.transpose() {
            Ok(cgroup) => {
                let measured = self.run_in(cgroup.as_ref());
                let removed = cgroup.map(WorkloadCgroup::remove).transpose();
                with_end(measured, removed.err().map(|error| error.to_string()))
            }
            Err(error) => RepetitionResult::failed(error.to_string()),
        }
    }

    fn run_in(&mut self, cgroup: Option<&WorkloadCgroup>) -> RepetitionResult {
        let mut course = RunState::begin(self.spec, self.context.root, cgroup);
        let begun = course.begun;
        let page = course.last.page_size.known().copied().unwrap_or(4096);
        let mut workers = match Workers::start_all(self.spec, cgroup, page, begun.boot_ns) {
            Ok(workers) => workers,
            Err(why) => return RepetitionResult::failed(why),
        };
        let (off, end) = match self.run_phases(&mut workers, &mut course) {
            Ok(off) => (off, RepetitionEnd::Done),
            Err(early) => (None, self.ending(early, &course)),
        };
        if end != RepetitionEnd::Done {
            workers.kill(KILL_TIMEOUT);
        }
        let elapsed = Clock::Real.now().seconds_since(begun);
        let figures = course.meter.end(&sample(self.context.root, &FULL_SAMPLE));
        let (tasks, user, system) = workers.results();
        RepetitionResult {
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
            peak: cgroup.and_then(WorkloadCgroup::peak),
            end,
        }
    }

    /// Describes how the repetition ends. The kernel's counters are read before processes are
    /// killed here.
    fn ending(&self, early: EarlyEnd, course: &RunState<'_>) -> RepetitionEnd {
        match early {
            EarlyEnd::Stopped(why) => RepetitionEnd::Stopped { why },
            EarlyEnd::Failed(why) => RepetitionEnd::Failed { why },
            EarlyEnd::Lost(lost) => {
                let now = OomCounters::from_snapshot(&sample(self.context.root, &[Part::Vmstat]));
                lost_worker::describe_end(
                    lost,
                    course.cgroup,
                    (course.counts, now),
                    free_swap(&course.last),
                )
            }
        }
    }

    /// Runs all phases, and returns the result of swapoff if the workload ends with it.
    fn run_phases(
        &mut self,
        workers: &mut Workers,
        course: &mut RunState<'_>,
    ) -> Result<Option<SwapoffResult>, EarlyEnd> {
        self.wait_for_stage(workers, course, ("filling", Stage::Ready))?;
        workers.release(Stage::Ready).map_err(EarlyEnd::Lost)?;
        self.wait_for_stage(workers, course, ("touching", Stage::Touched))?;
        // Usage is highest now if all processes wait for each other.
        course.sample(self.context.root);
        let off = match self.spec.workload.after {
            AfterTouching::Nothing => None,
            AfterTouching::Swapoff => Some(self.swapoff_areas(workers, course)?),
        };
        workers.release(Stage::Touched).map_err(EarlyEnd::Lost)?;
        self.wait_for_stage(workers, course, ("freeing", Stage::Ended))?;
        Ok(off)
    }

    /// Waits until all processes have reached a stage.
    fn wait_for_stage(
        &mut self,
        workers: &mut Workers,
        course: &mut RunState<'_>,
        (name, stage): (&'static str, Stage),
    ) -> Result<(), EarlyEnd> {
        let mut phase = PhaseProgress::begin(name, Clock::Real.now());
        let after = eta::seconds_after(&self.spec.workload, stage);
        while workers.stage() < stage {
            let tick = eta::poll_time(course.watched.seconds_since(course.begun));
            let told = workers.receive(tick).map_err(EarlyEnd::Lost)?;
            let now = Clock::Real.now();
            if is_sample_due(told, now.seconds_since(course.watched)) {
                phase.observe_workers(workers, stage, now);
                self.sample_and_report(course, (&phase, after), workers.count())?;
            }
        }
        Ok(())
    }

    /// Samples the machine when due, calls the guard, and reports to the monitor.
    fn sample_and_report(
        &mut self,
        course: &mut RunState<'_>,
        (phase, after): (&PhaseProgress, Option<f64>),
        processes: usize,
    ) -> Result<(), EarlyEnd> {
        course.watched = Clock::Real.now();
        let over = if course.is_full_sample_due() {
            course.sample(self.context.root);
            course.guard.check(&course.last)
        } else {
            // Swap can fill within milliseconds, so the areas are read every time.
            let now = sample(self.context.root, &[Part::Swaps]);
            course.record_areas(&now);
            course.guard.check_memory_and_swap(&now)
        };
        if let Some(why) = over {
            return Err(EarlyEnd::Stopped(why));
        }
        let which = (self.number, self.spec.repetitions);
        let elapsed = course.watched.seconds_since(course.begun);
        let rest = RemainingTime { phase: phase.seconds_left(course.watched), after };
        let times = RunTimes::until_limit(elapsed, rest, (self.ahead, self.spec.guard.at_most));
        let view = RunView {
            progress: phase.progress(which, times, processes),
            areas: course.last.swaps.reading.known().cloned().unwrap_or_default(),
            memory: course.memory,
            available: course.last.memory("MemAvailable").known().copied(),
        };
        match self.monitor.event(SessionEvent::Running(view)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(EarlyEnd::Stopped(reason.to_string())),
        }
    }

    /// Disables the temporary areas while processes hold their memory.
    fn swapoff_areas(
        &mut self,
        workers: &mut Workers,
        course: &mut RunState<'_>,
    ) -> Result<SwapoffResult, EarlyEnd> {
        let failed = |why: String| EarlyEnd::Failed(why);
        let lock = self.context.lock.ok_or_else(|| failed("the run holds no lock".to_owned()))?;
        let now = sample(self.context.root, &drain_estimate::NEEDED_PARTS);
        let expected = drain_estimate::total_seconds(&drain_estimate::estimate_swapoff(
            &now,
            self.context.temporary_areas,
        ));
        if let Some(cgroup) = course.cgroup {
            // All swapped pages return to the cgroup.
            let room = self.spec.total().saturating_add(cgroup.limit().unwrap_or(Bytes(0)));
            cgroup.raise(room).map_err(|error| failed(error.to_string()))?;
        }
        course.guard.ignore_free_swap();
        let held =
            used_by(&sample(self.context.root, &[Part::Swaps]), self.context.temporary_areas);
        let mut phase = PhaseProgress::begin("swapoff", Clock::Real.now());
        for path in self.context.temporary_areas {
            let work = HelperTask::Off(path.clone());
            let started = Helper::start(&work, lock);
            let mut helper = started.map_err(|error| failed(error.to_string()))?;
            let report = loop {
                if let Some(report) = helper.wait(TICK) {
                    break report;
                }
                let heard = workers.receive(Duration::ZERO).map_err(EarlyEnd::Lost);
                let share = held
                    .and_then(|held| share_moved(&course.last, self.context.temporary_areas, held));
                phase.observe(0, (share, share), Clock::Real.now());
                let watched = heard.and_then(|_| {
                    self.sample_and_report(course, (&phase, Some(0.0)), workers.count())
                });
                if let Err(early) = watched {
                    // Nothing else may begin while swapoff is running in the kernel.
                    helper.stop();
                    while helper.wait(TICK).is_none() {}
                    return Err(early);
                }
            };
            if report != HelperReport::Done {
                return Err(failed(format!("swapoff of {} failed: {report:?}", path.safe())));
            }
        }
        Ok(SwapoffResult { seconds: Clock::Real.now().seconds_since(phase.begun), expected, held })
    }
}

/// Whether the guard and the monitor are due. Messages of processes are handled first, because
/// their times count, unless they never stop.
fn is_sample_due(told: bool, since: f64) -> bool {
    !told || since >= TICK.as_secs_f64()
}

/// The bytes that these areas hold; `None` if one is unknown.
fn used_by(snapshot: &Snapshot, ours: &[Name]) -> Option<Bytes> {
    let areas = snapshot.swaps.reading.known()?;
    let used = |path: &Name| areas.iter().find(|area| area.path == *path)?.used.known().copied();
    ours.iter().map(used).sum()
}

/// The share of the held bytes that has left these areas; disabled areas hold nothing. `None` if one
/// is unknown or nothing was held.
fn share_moved(snapshot: &Snapshot, ours: &[Name], held: Bytes) -> Option<f64> {
    let areas = snapshot.swaps.reading.known()?;
    let ours = areas.iter().filter(|area| ours.contains(&area.path));
    let left: Bytes = ours.map(|area| area.used.known().copied()).sum::<Option<Bytes>>()?;
    let moved = held.saturating_sub(left);
    (held > Bytes(0)).then(|| moved.0 as f64 / held.0 as f64)
}

impl<'a> RunState<'a> {
    /// Starts a repetition now.
    fn begin(spec: &RunSpec, root: &Root, cgroup: Option<&'a WorkloadCgroup>) -> Self {
        let before = sample(root, &FULL_SAMPLE);
        let begun = Clock::Real.now();
        Self {
            cgroup,
            _fresh: cgroup.map(WorkloadCgroup::refresh_stat),
            meter: RunMeter::begin(before.clone()),
            sampled_parts: measure::parts_during_run(&before, &spec.workload),
            guard: Guard::new(spec.guard, cgroup.is_some(), begun),
            begun,
            counts: OomCounters::from_snapshot(&before),
            last: before,
            memory: None,
            watched: begun,
            kept: begun,
        }
    }

    /// Whether a sample of the whole machine is due.
    fn is_full_sample_due(&self) -> bool {
        Clock::Real.now().seconds_since(self.last.stamp) >= SAMPLE_PERIOD
    }

    /// Samples the machine, and records usage.
    fn sample(&mut self, root: &Root) {
        let now = probes::sample(root, &Clock::Real, self.sampled_parts);
        self.record(&now);
        self.last = now;
    }

    /// Records the sample of the areas that the guard has checked, if the last record is too old
    /// for a run as young as this.
    fn record_areas(&mut self, now: &Snapshot) {
        let since_begin = now.stamp.seconds_since(self.begun);
        if now.stamp.seconds_since(self.kept) >= eta::sample_gap(since_begin) {
            self.record(now);
        }
    }

    fn record(&mut self, now: &Snapshot) {
        self.kept = now.stamp;
        self.memory = self.cgroup.and_then(WorkloadCgroup::memory);
        self.meter.observe(now, self.memory);
    }
}

/// Adds an error that occurred while cleaning up.
fn with_end(measured: RepetitionResult, wrong: Option<String>) -> RepetitionResult {
    let Some(wrong) = wrong else { return measured };
    let why = match &measured.end {
        RepetitionEnd::Done => wrong,
        RepetitionEnd::Stopped { why } | RepetitionEnd::Failed { why } => {
            format!("{why}; and {wrong}")
        }
    };
    RepetitionResult { end: RepetitionEnd::Failed { why }, ..measured }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing::area;
    use crate::model::{Reading, Sampled};

    #[test]
    fn the_guard_runs_even_while_workers_report() {
        assert!(is_sample_due(false, 0.0), "no message to handle");
        assert!(!is_sample_due(true, 0.01), "messages come first");
        assert!(is_sample_due(true, 0.05), "but do not delay the guard for ever");
    }

    #[test]
    fn swapoff_progress_counts_moved_bytes() {
        let moved = |areas: &[(&str, u64)], held| {
            let areas = areas.iter().map(|(path, used)| area(path, 1, 100, *used)).collect();
            let at = Stamp { boot_ns: 0, wall_ms: 0 };
            let swaps = Sampled::new(Some(at), Reading::Known(areas));
            let now = Snapshot { swaps, ..Snapshot::empty(at) };
            share_moved(&now, &["a".into(), "b".into()], Bytes(held))
        };
        assert_eq!(moved(&[("a", 50), ("b", 30), ("other", 90)], 80), Some(0.0));
        assert_eq!(moved(&[("b", 20), ("other", 90)], 80), Some(0.75), "one area is disabled");
        assert_eq!(moved(&[], 80), Some(1.0));
        assert_eq!(moved(&[("a", 0)], 0), None, "they held nothing");
    }
}

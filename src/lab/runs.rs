//! The repetitions of one run: cgroup, processes, guard and measurement.

use super::eta::{self, PhaseProgress, RunDuration, RunTimes, SAMPLE_PERIOD, SequenceEta, TICK};
use super::guard::{Guard, free_swap};
use super::lost_worker::{self, OomCounters};
use super::measure::{self, FULL_SAMPLE, RunMeter};
use super::run_spec::RunSpec;
use super::session::{RunView, SessionEvent};
use super::workers::{LostWorker, Stage, Workers};
use crate::actions::monitor::{Monitor, StopReason};
use crate::change::drain_estimate;
use crate::clock::Clock;
use crate::derive::drain;
use crate::model::load::AfterTouching;
use crate::model::run::{RepetitionEnd, RepetitionResult};
use crate::model::{Bytes, Name, PartSet, Snapshot, Stamp, part_set};
use crate::probes;
use crate::root::Root;
use crate::sys::{
    Helper, HelperReport, HelperTask, Lock, RunningHelper, StatRefresher, WorkloadCgroup, own_name,
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
    let first = sample(context.root, FULL_SAMPLE);
    let mut measured = Vec::new();
    let all = usize::try_from(spec.repetitions).unwrap_or(usize::MAX);
    let mut eta = SequenceEta::for_cases(vec![0; all]);
    for repetition in 1..=spec.repetitions {
        let number = repetition;
        let one = Repetition { spec, context, number, eta: &eta, monitor }.run();
        let is_done = one.end == RepetitionEnd::Done;
        eta.add(RunDuration { seconds: one.elapsed.unwrap_or_default(), is_done });
        measured.push(one);
        if !is_done {
            break;
        }
    }
    (measured, first)
}

fn sample(root: &Root, parts: PartSet) -> Snapshot {
    probes::sample(root, &Clock::Real, parts)
}

struct Repetition<'a> {
    spec: &'a RunSpec,
    context: LoadContext<'a>,
    number: u32,
    /// The duration of earlier repetitions, for the estimate.
    eta: &'a SequenceEta,
    monitor: &'a mut dyn Monitor<SessionEvent>,
}

/// The result of swapoff at the end of a run.
#[derive(Clone, Copy, Debug)]
struct SwapoffResult {
    /// The duration in seconds, if it ended.
    seconds: Option<f64>,
    /// The estimated duration in seconds.
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
    recorded: Stamp,
    /// The last view that the monitor got.
    view: Option<RunView>,
    /// The result of swapoff, from its beginning; with its duration once it has succeeded.
    swapoff: Option<SwapoffResult>,
    /// The helper whose swapoff was still running when the run ended early.
    unfinished_swapoff: Option<Helper>,
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
                add_cleanup_error(measured, removed.err().map(|error| error.to_string()))
            }
            Err(error) => RepetitionResult::failed(error.to_string()),
        }
    }

    fn run_in(&mut self, cgroup: Option<&WorkloadCgroup>) -> RepetitionResult {
        let mut run = RunState::begin(self.spec, self.context.root, cgroup);
        let begun = run.begun;
        let page = run.last.page_size.known().copied().unwrap_or(4096);
        let mut workers = match Workers::start_all(self.spec, cgroup, page, begun.boot_ns) {
            Ok(workers) => workers,
            Err(why) => return RepetitionResult::failed(why),
        };
        let phases = self.run_phases(&mut workers, &mut run);
        let elapsed = Clock::Real.now().seconds_since(begun);
        let end = match phases {
            Ok(()) => RepetitionEnd::Done,
            Err(early) => self.ending(early, &run),
        };
        if end != RepetitionEnd::Done {
            run.record_last_check();
            workers.kill(KILL_TIMEOUT);
        }
        // Now that no process holds the memory that a swapoff fills, even a slow end does no harm.
        if let Some(mut helper) = run.unfinished_swapoff.take() {
            stop_swapoff(&mut helper, || self.is_interrupted(&run));
        }
        let figures = run.meter.end(&sample(self.context.root, FULL_SAMPLE));
        let (tasks, user, system) = workers.results();
        RepetitionResult {
            elapsed: Some(elapsed),
            user,
            system,
            tasks,
            own: cgroup.map(|cgroup| measure::own_figures(self.context.root, cgroup)),
            swapoff: run.swapoff.and_then(|off| off.seconds),
            swapoff_expected: run.swapoff.and_then(|off| off.expected),
            switched_off: run.swapoff.and_then(|off| off.held),
            peak: cgroup.and_then(WorkloadCgroup::peak),
            end,
            ..figures
        }
    }

    /// Whether another signal has arrived since the last report.
    fn is_interrupted(&mut self, run: &RunState<'_>) -> bool {
        let event = run.view.clone().map(SessionEvent::Running);
        let answer = event.map(|event| self.monitor.event(event));
        matches!(answer, Some(ControlFlow::Break(StopReason::Signal(_))))
    }

    /// Describes how the repetition ends. The kernel's counters are read before processes are
    /// killed here.
    fn ending(&self, early: EarlyEnd, run: &RunState<'_>) -> RepetitionEnd {
        match early {
            EarlyEnd::Stopped(why) => RepetitionEnd::Stopped { why },
            EarlyEnd::Failed(why) => RepetitionEnd::Failed { why },
            EarlyEnd::Lost(lost) => {
                let now = sample(self.context.root, part_set![Vmstat, Swaps, Meminfo]);
                if let Some(why) = self.disabled_by_others(run, &now) {
                    return RepetitionEnd::Stopped { why };
                }
                let now = OomCounters::from_snapshot(&now);
                let free = free_swap(&run.last).filter(|_| !run.last.areas().is_empty());
                lost_worker::describe_end(lost, run.cgroup, (run.counts, now), free)
            }
        }
    }

    /// Says that somebody else has disabled swap of the run, whose pages returned to memory without room for them.
    fn disabled_by_others(&self, run: &RunState<'_>, now: &Snapshot) -> Option<String> {
        let listed = now.swaps.reading.known().filter(|_| run.swapoff.is_none())?;
        let is_gone = |path: &&Name| !listed.iter().any(|area| area.path == **path);
        if let Some(gone) = self.context.temporary_areas.iter().find(is_gone) {
            return Some(format!("{} was disabled by someone else", gone.safe()));
        }
        drain::is_disabling(now)
            .then(|| "a swap area was being disabled by someone else".to_owned())
    }

    /// Runs all phases.
    fn run_phases(
        &mut self,
        workers: &mut Workers,
        run: &mut RunState<'_>,
    ) -> Result<(), EarlyEnd> {
        self.wait_for_stage(workers, run, ("filling", Stage::Ready))?;
        workers.release(Stage::Ready).map_err(EarlyEnd::Lost)?;
        self.wait_for_stage(workers, run, ("touching", Stage::Touched))?;
        // Usage is highest now if all processes wait for each other.
        run.sample(self.context.root);
        match self.spec.workload.after {
            AfterTouching::Nothing => {}
            AfterTouching::Swapoff => self.swapoff_areas(workers, run)?,
        }
        workers.release(Stage::Touched).map_err(EarlyEnd::Lost)?;
        self.wait_for_stage(workers, run, ("freeing", Stage::Ended))
    }

    /// Waits until all processes have reached a stage.
    fn wait_for_stage(
        &mut self,
        workers: &mut Workers,
        run: &mut RunState<'_>,
        (name, stage): (&'static str, Stage),
    ) -> Result<(), EarlyEnd> {
        let mut phase = PhaseProgress::begin(name);
        let after = eta::seconds_after(&self.spec.workload, stage);
        while workers.stage() < stage {
            let tick = eta::poll_time(run.watched.seconds_since(run.begun));
            let told = workers.receive(run.guard.pause(tick)).map_err(EarlyEnd::Lost)?;
            let now = Clock::Real.now();
            if is_sample_due(told, now.seconds_since(run.watched), run.guard.pause(TICK)) {
                phase.observe_workers(workers, stage, now);
                self.sample_and_report(run, (&phase, after), workers.count())?;
            }
        }
        Ok(())
    }

    /// Samples the machine when due, calls the guard, and reports to the monitor.
    fn sample_and_report(
        &mut self,
        run: &mut RunState<'_>,
        (phase, after): (&PhaseProgress, Option<f64>),
        processes: usize,
    ) -> Result<(), EarlyEnd> {
        run.watched = Clock::Real.now();
        if let Some(why) = run.sample_and_check(self.context.root) {
            return Err(EarlyEnd::Stopped(why));
        }
        let which = (self.number, self.spec.repetitions);
        let elapsed = run.watched.seconds_since(run.begun);
        let rest = (phase.seconds_left(run.watched), after);
        let times = RunTimes::until_limit(elapsed, rest, (self.eta, self.spec.guard.at_most));
        let view = RunView {
            progress: phase.progress(which, times, processes),
            areas: run.last.swaps.reading.known().cloned().unwrap_or_default(),
            memory: run.memory,
            available: run.last.memory("MemAvailable").known().copied(),
        };
        run.view = Some(view.clone());
        match self.monitor.event(SessionEvent::Running(view)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(EarlyEnd::Stopped(reason.to_string())),
        }
    }

    /// Disables the temporary areas while processes hold their memory.
    fn swapoff_areas(
        &mut self,
        workers: &mut Workers,
        run: &mut RunState<'_>,
    ) -> Result<(), EarlyEnd> {
        let failed = |why: String| EarlyEnd::Failed(why);
        let lock = self.context.lock.ok_or_else(|| failed("the run holds no lock".to_owned()))?;
        let now = sample(self.context.root, drain_estimate::NEEDED_PARTS);
        let expected = drain_estimate::total_seconds(&drain_estimate::estimate_swapoff(
            &now,
            self.context.temporary_areas,
        ));
        if let Some(cgroup) = run.cgroup {
            // All swapped pages return to the cgroup.
            let room = self.spec.total().saturating_add(cgroup.limit().unwrap_or(Bytes(0)));
            cgroup.raise(room).map_err(|error| failed(error.to_string()))?;
        }
        run.guard.ignore_free_swap();
        let held =
            used_by(&sample(self.context.root, part_set![Swaps]), self.context.temporary_areas);
        let off = SwapoffResult { seconds: None, expected, held };
        // A swapoff that does not end reads from swap too.
        run.swapoff = Some(off);
        let mut phase = PhaseProgress::begin("swapoff");
        let mut seconds = 0.0;
        for path in self.context.temporary_areas {
            let begun = Clock::Real.nanos();
            let started = Helper::start(&HelperTask::Off(path.clone()), lock);
            let mut helper = started.map_err(|error| failed(error.to_string()))?;
            let report = loop {
                if let Some(report) = helper.wait(TICK) {
                    break report;
                }
                if let Err(early) = self.watch_swapoff(workers, run, (&mut phase, held)) {
                    run.unfinished_swapoff = Some(helper);
                    return Err(early);
                }
            };
            explain_report(path, report).map_err(EarlyEnd::Failed)?;
            // Swapoff may have ended while a sample was taken.
            let ended = helper.ended().unwrap_or_else(|| Clock::Real.nanos());
            seconds += ended.saturating_sub(begun) as f64 / 1e9;
        }
        run.swapoff = Some(SwapoffResult { seconds: Some(seconds), ..off });
        Ok(())
    }

    /// Watches workers and machine once while areas that held these bytes are disabled.
    fn watch_swapoff(
        &mut self,
        workers: &mut Workers,
        run: &mut RunState<'_>,
        (phase, held): (&mut PhaseProgress, Option<Bytes>),
    ) -> Result<(), EarlyEnd> {
        workers.receive(Duration::ZERO).map_err(EarlyEnd::Lost)?;
        let share =
            held.and_then(|held| share_moved(&run.last, self.context.temporary_areas, held));
        phase.observe(0, (share, share), Clock::Real.now());
        self.sample_and_report(run, (phase, Some(0.0)), workers.count())
    }
}

/// Stops a swapoff and waits for its end, because nothing else may begin while it runs in the kernel;
/// an interruption ends the wait.
fn stop_swapoff(helper: &mut dyn RunningHelper, mut is_interrupted: impl FnMut() -> bool) {
    loop {
        // Repeated, because a signal before the system call does not stop it.
        helper.stop();
        if helper.wait(TICK).is_some() || is_interrupted() {
            return;
        }
    }
}

/// Explains why the helper did not disable an area.
fn explain_report(path: &Name, report: HelperReport) -> Result<(), String> {
    let why = match report {
        HelperReport::Done => return Ok(()),
        HelperReport::OffFailed(error)
        | HelperReport::OnFailed(error)
        | HelperReport::OrderFailed(error) => error.desc(),
        HelperReport::Stopped | HelperReport::Killed => "the helper process was killed",
    };
    Err(format!("cannot disable {}: {why}", path.safe()))
}

/// Whether the guard and the monitor are due. Messages of processes are handled first, because
/// their times count, for at most `longest`.
fn is_sample_due(told: bool, since: f64, longest: Duration) -> bool {
    !told || since >= longest.as_secs_f64()
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
        let before = sample(root, FULL_SAMPLE);
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
            recorded: begun,
            view: None,
            swapoff: None,
            unfinished_swapoff: None,
        }
    }

    /// Whether a sample of the whole machine is due.
    fn is_full_sample_due(&self) -> bool {
        Clock::Real.now().seconds_since(self.last.stamp) >= SAMPLE_PERIOD
    }

    /// Samples the machine when due, otherwise swap and memory alone, which can fill within
    /// milliseconds. Describes the limit that stops the run.
    fn sample_and_check(&mut self, root: &Root) -> Option<String> {
        if self.is_full_sample_due() {
            self.sample(root);
            return self.guard.check(&self.last);
        }
        let now = sample(root, part_set![Swaps, Meminfo]);
        self.record_areas(&now);
        (self.last.swaps, self.last.meminfo) = (now.swaps, now.meminfo);
        self.guard.check_memory_and_swap(&self.last)
    }

    /// Records the areas as the guard has checked them last, unless they are recorded: a run that ends early
    /// is fullest then.
    fn record_last_check(&mut self) {
        if let Some(stamp) = self.last.swaps.at.filter(|at| at.boot_ns > self.recorded.boot_ns) {
            self.record(&Snapshot { stamp, ..self.last.clone() });
        }
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
        if now.stamp.seconds_since(self.recorded) >= eta::sample_gap(since_begin) {
            self.record(now);
        }
    }

    fn record(&mut self, now: &Snapshot) {
        self.recorded = now.stamp;
        self.memory = self.cgroup.and_then(WorkloadCgroup::memory);
        self.meter.observe(now, self.memory);
    }
}

/// Adds an error that occurred while cleaning up.
fn add_cleanup_error(measured: RepetitionResult, error: Option<String>) -> RepetitionResult {
    let Some(wrong) = error else { return measured };
    let why = match &measured.end {
        RepetitionEnd::Done => wrong,
        RepetitionEnd::Stopped { why } | RepetitionEnd::Failed { why } => {
            format!("{why}; and {wrong}")
        }
    };
    RepetitionResult { end: RepetitionEnd::Failed { why }, ..measured }
}

#[cfg(test)]
mod tests;

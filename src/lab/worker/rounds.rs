//! Rounds: processes one after another in place of one, each with its own memory.

use super::Random;
use super::messages::{
    ProgressReporter, WorkerStop, await_go, await_start, receive, send, send_progress,
    unexpected_message,
};
use super::run_child;
use super::touch::is_filled;
use crate::clock::Clock;
use crate::model::load::{FreeMethod, Task, TaskCommand, TaskMessage};
use crate::model::run::TouchStats;
use crate::model::{Bytes, whole};
use crate::sys::process::{self, ForkSide, Port};

/// The prime of the FNV hash.
const PRIME: u64 = 0x100_0000_01b3;

/// Runs the task in one child after the other, and reports the total. Each child frees its memory
/// before the next one allocates; the mean time for that is reported at the end.
pub(super) fn run_rounds(
    port: &mut Port,
    clock: &Clock,
    task: &Task,
    own_ns: f64,
) -> Result<(), WorkerStop> {
    await_start(port, &task.work)?;
    let begun = clock.nanos();
    let all = TouchStats { own_ns, ..TouchStats::default() };
    let mut sum = RoundsTotal { all, ended: 0, free_ns: 0 };
    let mut watch = ProgressReporter::begin(begun, Some(port));
    for round in 0..task.work.rounds {
        let next = vary_task(task, round);
        let all = |share: f64| (f64::from(round) + share) / f64::from(task.work.rounds);
        watch.report(clock.nanos(), || Some(all(0.0)))?;
        // A child does not report more often than other workers.
        let mut far = |share: f64| send_progress(port, &TaskMessage::Far { share: all(share) });
        sum.add(&run_round(port, clock, next, own_ns, &mut far)?);
    }
    let told = sum.to_touched(begun, task.begun_ns);
    send(port, &TaskMessage::Touched(Box::new(told)))?;
    await_go(port, TaskCommand::Free)?;
    send(
        port,
        &TaskMessage::Freed { free_ns: Some(sum.free_ns / u64::from(task.work.rounds.max(1))) },
    )
}

/// The task of one round, with a random size and a seed of its own.
pub(super) fn vary_task(task: &Task, round: u32) -> Task {
    let mut task = task.clone();
    let own = Random::stream(task.seed, u64::from(task.number)).next();
    let mut random = Random::stream(own, u64::from(round));
    let factor = 1.0 + task.work.vary * (2.0 * random.unit() - 1.0);
    if task.work.vary > 0.0 {
        let page = task.page_size.max(1);
        task.size = Bytes(pages(task.size.0, factor, page).saturating_mul(page));
    }
    task.seed = random.next();
    (task.work.rounds, task.work.vary) = (1, 0.0);
    task
}

/// The bytes multiplied by a factor, in pages, at least one.
fn pages(bytes: u64, factor: f64, page: u64) -> u64 {
    whole((bytes as f64 * factor / page as f64).round()).max(1)
}

/// The result of a child.
struct RoundResult {
    touched: TouchStats,
    /// The time of its last touch.
    ended: u64,
    free_ns: u64,
}

/// Runs a child from start to end; progress is passed on.
fn run_round(
    port: &Port,
    clock: &Clock,
    task: Task,
    own_ns: f64,
    far: &mut dyn FnMut(f64) -> Result<(), WorkerStop>,
) -> Result<RoundResult, WorkerStop> {
    let free = task.work.free;
    // If a round fills and touches memory, each counts as one half.
    let filling = if is_filled(&task.work) { 0.5 } else { 0.0 };
    let begun_ns = task.begun_ns;
    let mut child = match process::fork().map_err(WorkerStop::failed)? {
        ForkSide::Parent(child) => child,
        ForkSide::Child(mut port) => run_child(&mut port, clock, task, own_ns),
    };
    let told = receive(&mut child, port, &mut |share| far(share * filling))?;
    let TaskMessage::Ready = told else { return Err(unexpected_message(&told)) };
    child.signal_go(TaskCommand::Touch).map_err(WorkerStop::failed)?;
    let told = receive(&mut child, port, &mut |share| far(filling + share * (1.0 - filling)))?;
    let TaskMessage::Touched(touched) = told else { return Err(unexpected_message(&told)) };
    child.signal_go(TaskCommand::Free).map_err(WorkerStop::failed)?;
    let told = receive(&mut child, port, &mut |_| Ok(()))?;
    let TaskMessage::Freed { free_ns } = told else { return Err(unexpected_message(&told)) };
    let begun = clock.nanos();
    child.end().map_err(WorkerStop::failed)?;
    let exit_ns = clock.nanos().saturating_sub(begun);
    let ended = begun_ns.saturating_add(touched.since_begin_ns);
    let free_ns = if free == FreeMethod::Exit { exit_ns } else { free_ns.unwrap_or(exit_ns) };
    Ok(RoundResult { touched: *touched, ended, free_ns })
}

/// The total of all rounds.
struct RoundsTotal {
    all: TouchStats,
    ended: u64,
    free_ns: u64,
}

impl RoundsTotal {
    fn add(&mut self, done: &RoundResult) {
        let (all, touched) = (&mut self.all, &done.touched);
        all.bytes = all.bytes.saturating_add(touched.bytes);
        all.touches = all.touches.saturating_add(touched.touches);
        if let Some(fill) = touched.fill_ns {
            all.fill_ns = Some(all.fill_ns.unwrap_or(0).saturating_add(fill));
        }
        all.places = (all.places ^ touched.places).wrapping_mul(PRIME);
        all.painted = all.painted.wrapping_add(touched.painted);
        for (mine, theirs) in [
            (&mut all.latency.all, &touched.latency.all),
            (&mut all.latency.none, &touched.latency.none),
            (&mut all.latency.minor, &touched.latency.minor),
            (&mut all.latency.major, &touched.latency.major),
        ] {
            mine.merge(theirs);
        }
        all.latency.sampled = touched.latency.sampled;
        self.ended = done.ended;
        self.free_ns = self.free_ns.saturating_add(done.free_ns);
    }

    /// The total, with the time from the start of the first child to the last touch of the last:
    /// starting and ending processes is part of such a workload.
    fn to_touched(&self, begun: u64, run_begun_ns: u64) -> TouchStats {
        TouchStats {
            touch_ns: self.ended.saturating_sub(begun),
            since_begin_ns: self.ended.saturating_sub(run_begun_ns),
            ..self.all.clone()
        }
    }
}

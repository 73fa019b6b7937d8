//! The processes of a workload, from starting the first to the end of the last.

use super::run_spec::RunSpec;
use crate::clock::Clock;
use crate::model::load::{FreeMethod, Task, TaskCommand, TaskMessage, WorkerGroup, Workload};
use crate::model::run::{TaskRun, TouchStats};
use crate::sys::WorkloadCgroup;
use crate::sys::process::{ExitCause, Worker, WorkerAnswer, WorkerExit, in_turn, processors};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::Duration;

/// The shortest time that can be waited.
const MIN_WAIT: Duration = Duration::from_millis(1);

/// How far a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Maps its memory, and fills it if the workload says so.
    Filling,
    /// Waits for the start.
    Ready,
    /// Touches its memory.
    Touching,
    /// Has finished touching, and holds its memory.
    Touched,
    /// Frees its memory.
    Freeing,
    /// Has ended.
    Ended,
}

/// A process that has ended early or cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostWorker {
    /// The reason.
    pub why: String,
    /// Whether it was killed by SIGKILL, by the kernel or by somebody else.
    pub killed: bool,
}

impl LostWorker {
    fn not_killed(why: String) -> Self {
        Self { why, killed: false }
    }

    fn with_number(self, number: usize) -> Self {
        Self { why: format!("process {number} {}", self.why), ..self }
    }
}

/// A process of the workload.
#[derive(Debug)]
struct WorkerState {
    worker: Worker,
    /// The number of its work.
    work: u32,
    free: FreeMethod,
    stage: Stage,
    /// The share of filling or touching that it reported last.
    share: Option<f64>,
    touched: Option<TouchStats>,
    /// When it was requested to free its memory, in nanoseconds since boot.
    free_sent_ns: u64,
    free_ns: Option<u64>,
    ended: Option<WorkerExit>,
}

/// All processes of a workload.
#[derive(Debug)]
pub struct Workers {
    members: Vec<WorkerState>,
    start_together: bool,
    free_together: bool,
}

/// The work of each process with its number. A process is bound to one of the CPUs of its work: the first
/// to the first CPU, and so on.
fn tasks_of_workers(load: &Workload) -> Vec<(u32, WorkerGroup)> {
    let works = (0..).zip(&load.works);
    let task = |(place, work): (u32, &WorkerGroup), number| {
        let cpus = work.cpus.as_deref().and_then(|cpus| in_turn(cpus, number));
        (place, WorkerGroup { cpus: cpus.map(|cpu| vec![cpu]), ..work.clone() })
    };
    works.flat_map(|it| (0..it.1.processes).map(move |number| task(it, number))).collect()
}

impl Workers {
    /// Starts all processes, each inside the cgroup before it maps any memory. If one cannot be
    /// started, the others are ended.
    pub fn start_all(
        spec: &RunSpec,
        cgroup: Option<&WorkloadCgroup>,
        page_size: u64,
        begun_ns: u64,
    ) -> Result<Self, String> {
        let Workload { start_together, free_together, .. } = spec.workload;
        let mut workers = Self { members: Vec::new(), start_together, free_together };
        let (each, ours) = (tasks_of_workers(&spec.workload), processors());
        for (number, (place, work)) in (0_u32..).zip(&each) {
            let cpu = in_turn(work.cpus.as_deref().unwrap_or(&ours), number);
            let member = WorkerState::start((*place, work), cpu, cgroup);
            workers.members.push(member.map_err(|why| format!("process {number}: {why}"))?);
        }
        // All processes are in the cgroup: from here on they map memory.
        for ((number, (_, work)), member) in (0..).zip(each).zip(&mut workers.members) {
            let size = spec.size(&work);
            let task = Task { number, seed: spec.seed, size, page_size, work, begun_ns };
            member.send_task(&task).map_err(|why| format!("process {number}: {why}"))?;
        }
        Ok(workers)
    }

    /// Receives reports for this long at most, and lets processes continue that need not wait for
    /// others.
    ///
    /// Returns whether anything other than progress was reported. Progress is so frequent that it
    /// would otherwise keep the caller from everything else.
    pub fn receive(&mut self, time: Duration) -> Result<bool, LostWorker> {
        let begun = Clock::Real.now();
        let told = loop {
            let passed = Duration::from_secs_f64(Clock::Real.now().seconds_since(begun));
            let left = time.saturating_sub(passed);
            let ready = self.wait(left);
            if self.receive_from(&ready)? {
                break true;
            }
            if left < MIN_WAIT {
                break false;
            }
        };
        if !self.start_together {
            self.release(Stage::Ready)?;
        }
        if !self.free_together {
            self.release(Stage::Touched)?;
        }
        Ok(told)
    }

    fn receive_from(&mut self, numbers: &[usize]) -> Result<bool, LostWorker> {
        let mut told = false;
        for &number in numbers {
            if let Some(member) = self.members.get_mut(number) {
                told |= member.receive().map_err(|lost| lost.with_number(number))?;
            }
        }
        Ok(told)
    }

    /// Lets all processes at this stage continue.
    pub fn release(&mut self, from: Stage) -> Result<(), LostWorker> {
        for (number, member) in self.members.iter_mut().enumerate() {
            if member.stage == from {
                member
                    .release()
                    .map_err(|error| member.send_failure(&error).with_number(number))?;
            }
        }
        Ok(())
    }

    /// The stage of the slowest process.
    pub fn stage(&self) -> Stage {
        self.members.iter().map(|member| member.stage).min().unwrap_or(Stage::Ended)
    }

    /// Counts the processes that have not reached this stage.
    pub fn count_before(&self, stage: Stage) -> usize {
        self.members.iter().filter(|member| member.stage < stage).count()
    }

    /// The mean share, from 0 to 1, of the way to this stage; none if one process has not reported
    /// any.
    pub fn share(&self, stage: Stage) -> Option<f64> {
        mean(self.stage_shares(stage))
    }

    /// The share of the slowest process; none if one process has not reported any.
    pub fn min_share(&self, stage: Stage) -> Option<f64> {
        minimum(self.stage_shares(stage))
    }

    /// The share of the way to this stage, process by process.
    fn stage_shares(&self, stage: Stage) -> impl ExactSizeIterator<Item = Option<f64>> {
        self.members.iter().map(move |member| stage_share(member.stage, member.share, stage))
    }

    /// The number of processes.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Kills all processes, and waits for their end for this long at most.
    pub fn kill(&mut self, time: Duration) {
        for member in &mut self.members {
            member.worker.kill();
        }
        let begun = Clock::Real.now();
        while self.members.iter_mut().any(|member| !member.is_gone())
            && Clock::Real.now().seconds_since(begun) < time.as_secs_f64()
        {
            Clock::Real.sleep(Duration::from_millis(2));
        }
    }

    /// The results of the processes that have ended, and the user and system time of all of them;
    /// none if one has not ended.
    pub fn results(self) -> (Vec<TaskRun>, Option<f64>, Option<f64>) {
        let time = |part: fn(&WorkerExit) -> Duration| {
            let each = self.members.iter().map(|member| member.ended.as_ref().map(part));
            each.sum::<Option<Duration>>().map(|time| time.as_secs_f64())
        };
        let (user, system) = (time(|ended| ended.user), time(|ended| ended.system));
        (self.members.into_iter().filter_map(WorkerState::result).collect(), user, system)
    }

    /// Waits for this long at most, and returns the processes that have something to read.
    fn wait(&self, time: Duration) -> Vec<usize> {
        let all = self.members.iter().enumerate();
        let live = all.filter(|(_, member)| member.stage != Stage::Ended);
        readable(live.map(|(number, member)| (number, member.worker.as_fd())), time)
    }
}

impl WorkerState {
    fn start(
        (place, work): (u32, &WorkerGroup),
        cpu: Option<u32>,
        cgroup: Option<&WorkloadCgroup>,
    ) -> Result<Self, String> {
        let worker =
            Worker::start(cpu).map_err(|error| format!("could not be started: {error}"))?;
        if let Some(cgroup) = cgroup {
            cgroup.add_process(worker.pid()).map_err(|error| error.to_string())?;
        }
        Ok(Self {
            worker,
            work: place,
            free: work.free,
            stage: Stage::Filling,
            share: None,
            touched: None,
            free_sent_ns: 0,
            free_ns: None,
            ended: None,
        })
    }

    /// Sends the process its task.
    fn send_task(&mut self, task: &Task) -> Result<(), String> {
        let line = serde_json::to_string(task).map_err(|error| error.to_string())?;
        self.worker.send(&line).map_err(|error| format!("could not be reached: {error}"))
    }

    fn release(&mut self) -> io::Result<()> {
        let (go, stage) = match self.stage {
            Stage::Ready => (TaskCommand::Touch, Stage::Touching),
            Stage::Touched => {
                self.free_sent_ns = Clock::Real.now().boot_ns;
                (TaskCommand::Free, Stage::Freeing)
            }
            Stage::Filling | Stage::Touching | Stage::Freeing | Stage::Ended => return Ok(()),
        };
        self.worker.signal_go(go)?;
        (self.stage, self.share) = (stage, None);
        Ok(())
    }

    /// Describes why the process could not be reached: its last message or its end says more than
    /// the error.
    fn send_failure(&mut self, error: &io::Error) -> LostWorker {
        let heard = self.receive().err();
        heard.unwrap_or_else(|| LostWorker::not_killed(format!("could not be reached: {error}")))
    }

    /// Reads all messages of the process. Returns whether there was anything other than progress.
    fn receive(&mut self) -> Result<bool, LostWorker> {
        let mut told = false;
        let unheard = |error| LostWorker::not_killed(format!("could not be read from: {error}"));
        while self.stage != Stage::Ended {
            match self.worker.read_answer().map_err(unheard)? {
                WorkerAnswer::Line(line) => {
                    told |= self.apply_message(&line).map_err(LostWorker::not_killed)?;
                }
                WorkerAnswer::Nothing => break,
                WorkerAnswer::Closed => {
                    self.close()?;
                    told = true;
                }
            }
        }
        Ok(told)
    }

    fn apply_message(&mut self, line: &str) -> Result<bool, String> {
        let told: TaskMessage = serde_json::from_str(line)
            .map_err(|error| format!("sent a message that is not valid: {error}"))?;
        match told {
            TaskMessage::Far { share } => {
                self.share = share.is_finite().then(|| share.clamp(0.0, 1.0));
                return Ok(false);
            }
            TaskMessage::Ready => self.stage = Stage::Ready,
            TaskMessage::Touched(touched) => {
                self.touched = Some(*touched);
                self.stage = Stage::Touched;
            }
            TaskMessage::Freed { free_ns } => self.free_ns = free_ns,
            TaskMessage::Failed { why } => return Err(format!("failed: {why}")),
        }
        Ok(true)
    }

    /// Handles the end of the process, which closes its pipe after its memory is freed.
    fn close(&mut self) -> Result<(), LostWorker> {
        let now = Clock::Real.now().boot_ns;
        let unknown = |error| LostWorker::not_killed(format!("could not be waited for: {error}"));
        let ended = self.worker.end().map_err(unknown)?;
        self.ended = Some(ended);
        let in_time = self.stage == Stage::Freeing;
        self.stage = Stage::Ended;
        match ended.how {
            ExitCause::Exited(0) if in_time => {
                // The process that ran several rounds has timed their ends itself.
                if self.free == FreeMethod::Exit && self.free_ns.is_none() {
                    self.free_ns = Some(now.saturating_sub(self.free_sent_ns));
                }
                Ok(())
            }
            ExitCause::Exited(code) => {
                Err(LostWorker::not_killed(format!("ended early with exit code {code}")))
            }
            ExitCause::Killed(signal) => Err(LostWorker {
                why: format!("was killed by {signal}"),
                killed: signal == Signal::SIGKILL,
            }),
        }
    }

    fn is_gone(&mut self) -> bool {
        if self.ended.is_none() {
            self.ended = self.worker.reap().ok().flatten();
        }
        self.ended.is_some()
    }

    fn result(self) -> Option<TaskRun> {
        let ended = self.ended?;
        Some(TaskRun {
            work: self.work,
            touched: self.touched?,
            free_ns: self.free_ns,
            user: ended.user.as_secs_f64(),
            system: ended.system.as_secs_f64(),
            minor: Some(ended.minor),
            major: Some(ended.major),
        })
    }
}

/// The share of the way to `stage` done by a process at stage `at` that reported `share` of it.
fn stage_share(at: Stage, share: Option<f64>, stage: Stage) -> Option<f64> {
    if at >= stage { Some(1.0) } else { share }
}

/// The mean of shares; none if one is unknown.
fn mean(shares: impl ExactSizeIterator<Item = Option<f64>>) -> Option<f64> {
    let count = shares.len().max(1) as f64;
    Some(shares.sum::<Option<f64>>()? / count)
}

/// The smallest share; none if one is unknown.
fn minimum(mut shares: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    shares.try_fold(1.0, |least: f64, share| Some(least.min(share?)))
}

/// Waits for this long at most, and returns the numbers of the pipes that can be read or are
/// closed.
fn readable<'a>(ends: impl Iterator<Item = (usize, BorrowedFd<'a>)>, time: Duration) -> Vec<usize> {
    let (numbers, mut fds): (Vec<_>, Vec<_>) =
        ends.map(|(number, end)| (number, PollFd::new(end, PollFlags::POLLIN))).unzip();
    // An interrupted wait counts as no message.
    let _ = poll(&mut fds, PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX));
    let has = |(number, fd): (usize, PollFd<'_>)| fd.any().unwrap_or(true).then_some(number);
    numbers.into_iter().zip(fds).filter_map(has).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Bytes;
    use std::io::Write as _;

    #[test]
    fn processes_are_bound_to_the_cpus_of_their_work_in_order() {
        let work = |processes, cpus: &[u32]| WorkerGroup {
            cpus: Some(cpus.to_vec()),
            ..WorkerGroup::writing_once(processes, Bytes(1 << 20))
        };
        let load = Workload::together("x", vec![work(3, &[4, 5]), work(1, &[0, 1])]);
        let bound = tasks_of_workers(&load).into_iter().map(|(place, work)| (place, work.cpus));
        let cpus = [(0, 4), (0, 5), (0, 4), (1, 0)].map(|(place, cpu)| (place, Some(vec![cpu])));
        assert_eq!(bound.collect::<Vec<_>>(), cpus);
    }

    #[test]
    fn the_mean_share_is_unknown_if_one_share_is() {
        let of = |members: &[(Stage, Option<f64>)], stage| {
            let ways = || members.iter().map(|(at, share)| stage_share(*at, *share, stage));
            mean(ways()).zip(minimum(ways()))
        };
        let touching = |share| (Stage::Touching, share);
        let three = [touching(Some(0.5)), touching(Some(0.25)), (Stage::Touched, None)];
        assert_eq!(of(&three[..2], Stage::Touched), Some((0.375, 0.25)));
        assert_eq!(
            of(&three[1..], Stage::Touched),
            Some((0.625, 0.25)),
            "a finished process counts as 1"
        );
        assert_eq!(of(&three[2..], Stage::Touched), Some((1.0, 1.0)));
        assert_eq!(of(&[three[0], touching(None)], Stage::Touched), None);
        // A process that touches has finished filling.
        assert_eq!(of(&[three[0], (Stage::Filling, Some(0.5))], Stage::Ready), Some((0.75, 0.5)));
        assert_eq!(of(&[(Stage::Freeing, None), (Stage::Ended, None)], Stage::Ended), None);
    }

    #[test]
    fn only_readable_workers_are_returned() {
        let (readers, mut writers): (Vec<_>, Vec<_>) =
            [(); 3].into_iter().map(|()| io::pipe().unwrap()).unzip();
        let readable =
            |time| super::readable((5..).zip(readers.iter().map(|end| end.as_fd())), time);
        assert!(readable(Duration::ZERO).is_empty());
        writers[1].write_all(b"a line").unwrap();
        assert_eq!(readable(Duration::from_mins(1)), [6]);
        drop(writers.pop());
        assert_eq!(readable(Duration::from_mins(1)), [6, 7], "a closed pipe is readable");
    }
}

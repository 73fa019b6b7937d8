//! The processes of a load, from the first that is started to the last that has ended.

use super::wish::Wish;
use crate::clock::Clock;
use crate::model::load::{Free, Go, Task, Told, Workload};
use crate::model::run::{TaskRun, Touched};
use crate::sys::Cgroup;
use crate::sys::process::{Answer, Ended, How, Worker};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use std::io;
use std::os::fd::AsFd as _;
use std::time::Duration;

/// How far a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// It takes its memory, and fills it if it is to.
    Filling,
    /// It waits for the start.
    Ready,
    /// It touches its memory.
    Touching,
    /// It has touched what it should, and holds it.
    Touched,
    /// It gives its memory back.
    Freeing,
    /// It is gone.
    Ended,
}

/// That a process is gone, or cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// What is known of it.
    pub why: String,
    /// Was it killed in the way the kernel kills, and anybody may?
    pub killed: bool,
}

impl Lost {
    fn by_itself(why: String) -> Self {
        Self { why, killed: false }
    }

    fn of(self, number: usize) -> Self {
        Self { why: format!("process {number} {}", self.why), ..self }
    }
}

/// A process.
#[derive(Debug)]
struct Member {
    worker: Worker,
    /// Which group it belongs to.
    work: u32,
    free: Free,
    stage: Stage,
    touched: Option<Touched>,
    /// When it was told to give its memory back, by the clock that counts from boot.
    told_free: u64,
    free_ns: Option<u64>,
    ended: Option<Ended>,
}

/// All of them.
#[derive(Debug)]
pub struct Crew {
    members: Vec<Member>,
    start_together: bool,
    free_together: bool,
}

impl Crew {
    /// Start them, each in the cage before it takes any memory.
    ///
    /// # Errors
    /// What could not be started, and why; those that were go with this.
    pub fn muster(
        wish: &Wish,
        cage: Option<&Cgroup>,
        page_size: u64,
        begun_ns: u64,
    ) -> Result<Self, String> {
        let Workload { start_together, free_together, .. } = wish.workload;
        let mut crew = Self { members: Vec::new(), start_together, free_together };
        let works = (0..).zip(&wish.workload.works);
        let each = works.flat_map(|(place, work)| (0..work.processes).map(move |_| (place, work)));
        for (number, (place, work)) in (0_u32..).zip(each.clone()) {
            let member = Member::start(place, work.free, cage);
            crew.members.push(member.map_err(|why| format!("process {number}: {why}"))?);
        }
        // Once all are in the cage: from now on they take memory.
        for ((number, (_, work)), member) in (0..).zip(each).zip(&mut crew.members) {
            let size = wish.size(work);
            let task =
                Task { number, seed: wish.seed, size, page_size, work: work.clone(), begun_ns };
            member.give(&task).map_err(|why| format!("process {number}: {why}"))?;
        }
        Ok(crew)
    }

    /// Take what they tell, waiting for something for this long at most, and tell those to go on
    /// who need not wait for others.
    ///
    /// Says whether anything was told.
    ///
    /// # Errors
    /// When one cannot go on or was killed, and why.
    pub fn hear(&mut self, time: Duration) -> Result<bool, Lost> {
        let told = self.wait(time);
        for (number, member) in self.members.iter_mut().enumerate() {
            member.hear().map_err(|lost| lost.of(number))?;
        }
        if !self.start_together {
            self.go(Stage::Ready)?;
        }
        if !self.free_together {
            self.go(Stage::Touched)?;
        }
        Ok(told)
    }

    /// Have all go on that stand at this stage.
    ///
    /// # Errors
    /// When one is gone.
    pub fn go(&mut self, from: Stage) -> Result<(), Lost> {
        for (number, member) in self.members.iter_mut().enumerate() {
            if member.stage == from {
                let gone = |error| Lost::by_itself(format!("does not listen: {error}"));
                member.go().map_err(|error| gone(error).of(number))?;
            }
        }
        Ok(())
    }

    /// The stage of whoever is farthest behind.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.members.iter().map(|member| member.stage).min().unwrap_or(Stage::Ended)
    }

    /// How many have not come to this stage.
    #[must_use]
    pub fn count_before(&self, stage: Stage) -> usize {
        self.members.iter().filter(|member| member.stage < stage).count()
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Kill them all, and wait for their end for this long at most.
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

    /// What each has done, as far as it came to an end, and the processor time of all of them; none
    /// where one has not ended, of which nobody knows it.
    #[must_use]
    pub fn results(self) -> (Vec<TaskRun>, Option<f64>, Option<f64>) {
        let time = |part: fn(&Ended) -> Duration| {
            let each = self.members.iter().map(|member| member.ended.as_ref().map(part));
            each.sum::<Option<Duration>>().map(|time| time.as_secs_f64())
        };
        let (user, system) = (time(|ended| ended.user), time(|ended| ended.system));
        (self.members.into_iter().filter_map(Member::result).collect(), user, system)
    }

    fn wait(&self, time: Duration) -> bool {
        let live = self.members.iter().filter(|member| member.stage != Stage::Ended);
        let mut fds: Vec<PollFd<'_>> =
            live.map(|member| PollFd::new(member.worker.as_fd(), PollFlags::POLLIN)).collect();
        // Interrupted is as good as nothing told.
        matches!(poll(&mut fds, PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX)), Ok(1..))
    }
}

impl Member {
    fn start(place: u32, free: Free, cage: Option<&Cgroup>) -> Result<Self, String> {
        let worker = Worker::start().map_err(|error| format!("cannot be started: {error}"))?;
        if let Some(cage) = cage {
            cage.put(worker.pid()).map_err(|error| error.to_string())?;
        }
        Ok(Self {
            worker,
            work: place,
            free,
            stage: Stage::Filling,
            touched: None,
            told_free: 0,
            free_ns: None,
            ended: None,
        })
    }

    /// Tell it what it is to do.
    fn give(&mut self, task: &Task) -> Result<(), String> {
        let line = serde_json::to_string(task).map_err(|error| error.to_string())?;
        self.worker.send(&line).map_err(|error| format!("does not listen: {error}"))
    }

    fn go(&mut self) -> io::Result<()> {
        let (go, stage) = match self.stage {
            Stage::Ready => (Go::Touch, Stage::Touching),
            Stage::Touched => {
                self.told_free = Clock::Real.now().boot_ns;
                (Go::Free, Stage::Freeing)
            }
            Stage::Filling | Stage::Touching | Stage::Freeing | Stage::Ended => return Ok(()),
        };
        self.worker.go(go)?;
        self.stage = stage;
        Ok(())
    }

    /// Take all that it has told.
    fn hear(&mut self) -> Result<(), Lost> {
        let unheard = |error| Lost::by_itself(format!("cannot be heard: {error}"));
        while self.stage != Stage::Ended {
            match self.worker.answer().map_err(unheard)? {
                Answer::Line(line) => self.take(&line).map_err(Lost::by_itself)?,
                Answer::Nothing => break,
                Answer::Closed => return self.close(),
            }
        }
        Ok(())
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let told: Told =
            serde_json::from_str(line).map_err(|error| format!("cannot be understood: {error}"))?;
        match told {
            Told::Ready => self.stage = Stage::Ready,
            Told::Touched(touched) => {
                self.touched = Some(*touched);
                self.stage = Stage::Touched;
            }
            Told::Freed { free_ns } => self.free_ns = free_ns,
            Told::Failed { why } => return Err(format!("cannot go on: {why}")),
        }
        Ok(())
    }

    /// It has closed its end, which it does when its memory is gone.
    fn close(&mut self) -> Result<(), Lost> {
        let now = Clock::Real.now().boot_ns;
        let unknown = |error| Lost::by_itself(format!("was not waited for: {error}"));
        let ended = self.worker.end().map_err(unknown)?;
        self.ended = Some(ended);
        let in_time = self.stage == Stage::Freeing;
        self.stage = Stage::Ended;
        match ended.how {
            How::Exited(0) if in_time => {
                // Processes one after another were timed by the one that waited for them.
                if self.free == Free::Exit && self.free_ns.is_none() {
                    self.free_ns = Some(now.saturating_sub(self.told_free));
                }
                Ok(())
            }
            How::Exited(code) => Err(Lost::by_itself(format!("ended too early, with code {code}"))),
            How::Killed(signal) => Err(Lost {
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

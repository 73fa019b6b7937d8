//! The memory of a process as one piece, and the loop that touches it.

use super::churn::Churn;
use super::page_toucher::PageToucher;
use super::messages::{WorkerStop, ProgressReporter, share};
use super::meter::{TouchLimits, TouchMeter};
use super::{Random, PageWalk};
use crate::clock::Clock;
use crate::model::Bytes;
use crate::model::load::{FolioAdvice, MemoryKind, AccessPattern, Task, TouchUnit, WorkerGroup};
use crate::model::run::TouchStats;
use crate::sys::memory::Mapping;
use crate::sys::process::Port;

/// While memory is filled, the clock is read after so many pages.
const CLOCK_EVERY: u64 = 1024;

/// Who touches, and takes the time of it.
#[derive(Debug)]
pub(super) struct TouchPass<'a> {
    /// What touches.
    pub(super) hand: &'a mut PageToucher,
    /// What takes the time.
    pub(super) meter: TouchMeter<'a>,
    /// When it ends.
    pub(super) limits: TouchLimits<'a>,
}

/// A mapping, and the way through it.
#[derive(Debug)]
pub(super) struct SingleMapping {
    memory: Mapping,
    walk: PageWalk,
}

impl SingleMapping {
    fn new(task: &Task, random: &mut Random) -> Result<Self, WorkerStop> {
        let memory = Mapping::new(task.work.memory, task.size).map_err(WorkerStop::failed)?;
        memory.advise(task.work.advice).map_err(WorkerStop::failed)?;
        let walk = PageWalk::new(&task.work.order, memory.pages(), memory.page_size(), random.next());
        Ok(Self { memory, walk })
    }

    /// Paint all pages in their order.
    fn fill(&mut self, hand: &mut PageToucher, clock: &Clock, port: Option<&Port>) -> Result<(), WorkerStop> {
        let pages = self.memory.pages();
        let mut watch = ProgressReporter::begin(clock.nanos(), port);
        for page in 0..pages {
            hand.paint_new(&mut self.memory, page, page)?;
            if page % CLOCK_EVERY == 0 {
                watch.report(clock.nanos(), || share(page + 1, pages))?;
            }
        }
        hand.all_are_painted();
        Ok(())
    }

    fn touch(&mut self, pass: &mut TouchPass<'_>) -> Result<(), WorkerStop> {
        loop {
            pass.meter.begin_touch();
            let page = self.walk.next_page();
            pass.hand.touch(&mut self.memory, page, page)?;
            let now = pass.meter.end_touch(page);
            if !pass.limits.should_continue(&mut pass.meter, now)? {
                return Ok(());
            }
        }
    }
}

/// The memory of a process.
#[derive(Debug)]
enum MemoryLayout {
    Whole(SingleMapping),
    Blocks(Churn),
}

/// A task with its memory.
#[derive(Debug)]
pub(super) struct TaskMemory {
    task: Task,
    ground: MemoryLayout,
    hand: PageToucher,
    pages: u64,
    fill_ns: Option<u64>,
    own_ns: f64,
}

impl TaskMemory {
    /// Map what a task needs, and fill it if it is to be.
    pub(super) fn prepare(
        task: Task,
        own_ns: f64,
        clock: &Clock,
        port: &Port,
    ) -> Result<Self, WorkerStop> {
        let mut random = Random::stream(task.seed, u64::from(task.number));
        let pages = task.size.0.div_ceil(task.page_size.max(1)).max(1);
        // First, as it says what is wrong with the size.
        let ground = if task.work.order == AccessPattern::Churn {
            MemoryLayout::Blocks(Churn::new(&task, pages, &mut random))
        } else {
            MemoryLayout::Whole(SingleMapping::new(&task, &mut random)?)
        };
        let hand = PageToucher::new(&task, pages, &mut random)?;
        let fill = is_filled(&task.work);
        let mut load = Self { task, ground, hand, pages, fill_ns: None, own_ns };
        if fill {
            let begun = clock.nanos();
            load.fill(clock, port)?;
            load.fill_ns = Some(clock.nanos().saturating_sub(begun));
        }
        Ok(load)
    }

    fn fill(&mut self, clock: &Clock, port: &Port) -> Result<(), WorkerStop> {
        match &mut self.ground {
            MemoryLayout::Whole(whole) => whole.fill(&mut self.hand, clock, Some(port)),
            MemoryLayout::Blocks(churn) => {
                let meter = TouchMeter::begin(clock);
                let limits = TouchLimits::for_count(self.pages, &meter, Some(port));
                churn.grow(&mut TouchPass { hand: &mut self.hand, meter, limits }).map(drop)
            }
        }
    }

    /// What is to be done.
    pub(super) fn task(&self) -> &Task {
        &self.task
    }

    /// Touch it as often or as long as it shall be.
    pub(super) fn touch(&mut self, clock: &Clock, port: &Port) -> Result<TouchStats, WorkerStop> {
        let each = match self.task.work.touch {
            TouchUnit::Word => size_of::<u64>() as u64,
            TouchUnit::Page | TouchUnit::EachWord => self.task.page_size,
        };
        let meter = TouchMeter::begin(clock);
        let limits = TouchLimits::for_work(&self.task.work, self.pages, each, &meter, port)?;
        let mut pass = TouchPass { hand: &mut self.hand, meter, limits };
        match &mut self.ground {
            MemoryLayout::Whole(whole) => whole.touch(&mut pass)?,
            MemoryLayout::Blocks(churn) => churn.touch(&mut pass)?,
        }
        let told = pass.meter.into_touched(each, self.task.begun_ns);
        let painted = self.hand.sum();
        Ok(TouchStats { fill_ns: self.fill_ns, painted, own_ns: self.own_ns, ..told })
    }

    /// Give the memory back: when that was done.
    pub(super) fn free(self, clock: &Clock) -> u64 {
        drop(self.ground);
        clock.nanos()
    }
}

/// Is memory filled before it is touched? A child touches what its parent has filled.
pub(super) fn is_filled(work: &WorkerGroup) -> bool {
    work.prefault || work.memory == MemoryKind::Forked
}

/// Pages of the memory that the loop itself is measured with: few enough to stay in a cache.
const LOOP_PAGES: u64 = 64;
/// How often those are touched each time, and how many times: the quickest counts, as whatever
/// disturbs makes it slower.
const LOOP_TOUCHES: u64 = 2048;
const LOOP_TRIALS: usize = 3;

/// What a touch costs when all memory is there, in nanoseconds.
pub(super) fn loop_cost(task: &Task, clock: &Clock) -> Result<f64, WorkerStop> {
    let mut task = task.clone();
    task.size = Bytes(LOOP_PAGES * task.page_size);
    (task.work.memory, task.work.advice) = (MemoryKind::Anonymous, FolioAdvice::None);
    let mut random = Random::new(task.seed);
    let mut hand = PageToucher::new(&task, LOOP_PAGES, &mut random)?;
    let mut whole = SingleMapping::new(&task, &mut random)?;
    whole.fill(&mut hand, clock, None)?;
    let mut best = f64::INFINITY;
    for _ in 0..LOOP_TRIALS {
        let meter = TouchMeter::begin(clock);
        let limits = TouchLimits::for_count(LOOP_TOUCHES, &meter, None);
        let mut pass = TouchPass { hand: &mut hand, meter, limits };
        whole.touch(&mut pass)?;
        best = pass.meter.mean().map_or(best, |mean| mean.min(best));
    }
    Ok(best)
}

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;

//! The memory of a process, and the loop that touches it.

use super::churn::Churn;
use super::messages::{ProgressReporter, WorkerStop, share};
use super::meter::{TouchLimits, TouchMeter};
use super::page_toucher::PageToucher;
use super::{PageWalk, Random};
use crate::clock::Clock;
use crate::model::Bytes;
use crate::model::load::{AccessPattern, FolioAdvice, MemoryKind, Task, TouchUnit, WorkerGroup};
use crate::model::run::TouchStats;
use crate::sys::memory::Mapping;
use crate::sys::process::Port;

/// Pages that are filled between two readings of the clock.
const CLOCK_EVERY: u64 = 1024;

/// One pass of touching: the toucher, the meter and the limits.
#[derive(Debug)]
pub(super) struct TouchPass<'a> {
    /// Touches pages.
    pub(super) hand: &'a mut PageToucher,
    /// Measures times.
    pub(super) meter: TouchMeter<'a>,
    /// Decides when touching ends.
    pub(super) limits: TouchLimits<'a>,
}

/// A single mapping, and the walk through its pages.
#[derive(Debug)]
pub(super) struct SingleMapping {
    memory: Mapping,
    walk: PageWalk,
}

impl SingleMapping {
    fn new(task: &Task, random: &mut Random) -> Result<Self, WorkerStop> {
        let memory = Mapping::new(task.work.memory, task.size).map_err(WorkerStop::failed)?;
        memory.advise(task.work.advice).map_err(WorkerStop::failed)?;
        let walk =
            PageWalk::new(&task.work.order, memory.pages(), memory.page_size(), random.next());
        Ok(Self { memory, walk })
    }

    /// Fills all pages in order.
    fn fill(
        &mut self,
        hand: &mut PageToucher,
        clock: &Clock,
        port: Option<&Port>,
    ) -> Result<(), WorkerStop> {
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

/// The layout of the memory.
#[derive(Debug)]
enum MemoryLayout {
    Whole(SingleMapping),
    Blocks(Churn),
}

/// A task with its memory.
#[derive(Debug)]
pub(super) struct TaskMemory {
    task: Task,
    layout: MemoryLayout,
    hand: PageToucher,
    pages: u64,
    fill_ns: Option<u64>,
    own_ns: f64,
}

impl TaskMemory {
    /// Maps the memory of a task, and fills it if the task says so.
    pub(super) fn prepare(
        task: Task,
        own_ns: f64,
        clock: &Clock,
        port: &Port,
    ) -> Result<Self, WorkerStop> {
        let mut random = Random::stream(task.seed, u64::from(task.number));
        let pages = task.size.0.div_ceil(task.page_size.max(1)).max(1);
        // First, because this checks the size.
        let layout = if task.work.order == AccessPattern::Churn {
            MemoryLayout::Blocks(Churn::new(&task, pages, &mut random))
        } else {
            MemoryLayout::Whole(SingleMapping::new(&task, &mut random)?)
        };
        let hand = PageToucher::new(&task, pages, &mut random)?;
        let fill = is_filled(&task.work);
        let mut load = Self { task, layout, hand, pages, fill_ns: None, own_ns };
        if fill {
            let begun = clock.nanos();
            load.fill(clock, port)?;
            load.fill_ns = Some(clock.nanos().saturating_sub(begun));
        }
        Ok(load)
    }

    fn fill(&mut self, clock: &Clock, port: &Port) -> Result<(), WorkerStop> {
        match &mut self.layout {
            MemoryLayout::Whole(whole) => whole.fill(&mut self.hand, clock, Some(port)),
            MemoryLayout::Blocks(churn) => {
                let meter = TouchMeter::begin(clock);
                let limits = TouchLimits::for_count(self.pages, &meter, Some(port));
                churn.grow(&mut TouchPass { hand: &mut self.hand, meter, limits }).map(drop)
            }
        }
    }

    /// The task.
    pub(super) fn task(&self) -> &Task {
        &self.task
    }

    /// Touches the memory as often or as long as the task says.
    pub(super) fn touch(&mut self, clock: &Clock, port: &Port) -> Result<TouchStats, WorkerStop> {
        let each = match self.task.work.touch {
            TouchUnit::Word => size_of::<u64>() as u64,
            TouchUnit::Page | TouchUnit::EachWord => self.task.page_size,
        };
        let meter = TouchMeter::begin(clock);
        let limits = TouchLimits::for_work(&self.task.work, self.pages, each, &meter, port)?;
        let mut pass = TouchPass { hand: &mut self.hand, meter, limits };
        match &mut self.layout {
            MemoryLayout::Whole(whole) => whole.touch(&mut pass)?,
            MemoryLayout::Blocks(churn) => churn.touch(&mut pass)?,
        }
        let told = pass.meter.into_touched(each, self.task.begun_ns);
        let painted = self.hand.sum();
        Ok(TouchStats { fill_ns: self.fill_ns, painted, own_ns: self.own_ns, ..told })
    }

    /// Frees the memory, and returns the time when that was done.
    pub(super) fn free(self, clock: &Clock) -> u64 {
        drop(self.layout);
        clock.nanos()
    }
}

/// Whether memory is filled before it is touched. A child touches what its parent has filled.
pub(super) fn is_filled(work: &WorkerGroup) -> bool {
    work.prefault || work.memory == MemoryKind::Forked
}

/// The pages used to measure the loop itself: few enough to stay in a cache.
const LOOP_PAGES: u64 = 64;
/// Touches per trial, and the number of trials. The fastest trial counts, because disturbances only
/// slow it down.
const LOOP_TOUCHES: u64 = 2048;
const LOOP_TRIALS: usize = 3;

/// The time of a touch when all memory is present, in nanoseconds.
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

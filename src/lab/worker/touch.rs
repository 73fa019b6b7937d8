//! The memory of a process as one piece, and the loop that touches it.

use super::churn::Churn;
use super::hand::Hand;
use super::messages::{Stop, Watch, share};
use super::meter::{Limits, Meter};
use super::{Random, Walk};
use crate::clock::Clock;
use crate::model::Bytes;
use crate::model::load::{Advice, Memory, Order, Task, Touch, Work};
use crate::model::run::Touched;
use crate::sys::memory::Mapping;
use crate::sys::process::Port;

/// While memory is filled, the clock is read after so many pages.
const LOOK: u64 = 1024;

/// Who touches, and takes the time of it.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    /// What touches.
    pub(super) hand: &'a mut Hand,
    /// What takes the time.
    pub(super) meter: Meter<'a>,
    /// When it ends.
    pub(super) limits: Limits<'a>,
}

/// A mapping, and the way through it.
#[derive(Debug)]
pub(super) struct Whole {
    memory: Mapping,
    walk: Walk,
}

impl Whole {
    fn new(task: &Task, random: &mut Random) -> Result<Self, Stop> {
        let memory = Mapping::new(task.work.memory, task.size).map_err(Stop::failed)?;
        memory.advise(task.work.advice).map_err(Stop::failed)?;
        let walk = Walk::new(&task.work.order, memory.pages(), memory.page_size(), random.next());
        Ok(Self { memory, walk })
    }

    /// Paint all pages in their order.
    fn fill(&mut self, hand: &mut Hand, clock: &Clock, port: Option<&Port>) -> Result<(), Stop> {
        let pages = self.memory.pages();
        let mut watch = Watch::begin(clock.nanos(), port);
        for page in 0..pages {
            hand.paint_new(&mut self.memory, page, page)?;
            if page % LOOK == 0 {
                watch.look(clock.nanos(), || share(page + 1, pages))?;
            }
        }
        hand.all_are_painted();
        Ok(())
    }

    fn touch(&mut self, pass: &mut Pass<'_>) -> Result<(), Stop> {
        loop {
            pass.meter.enter();
            let page = self.walk.next_page();
            pass.hand.touch(&mut self.memory, page, page)?;
            let now = pass.meter.leave(page);
            if !pass.limits.go_on(&mut pass.meter, now)? {
                return Ok(());
            }
        }
    }
}

/// The memory of a process.
#[derive(Debug)]
enum Ground {
    Whole(Whole),
    Blocks(Churn),
}

/// A task with its memory.
#[derive(Debug)]
pub(super) struct Load {
    task: Task,
    ground: Ground,
    hand: Hand,
    pages: u64,
    fill_ns: Option<u64>,
    own_ns: f64,
}

impl Load {
    /// Map what a task needs, and fill it if it is to be.
    pub(super) fn prepare(
        task: Task,
        own_ns: f64,
        clock: &Clock,
        port: &Port,
    ) -> Result<Self, Stop> {
        let mut random = Random::stream(task.seed, u64::from(task.number));
        let pages = task.size.0.div_ceil(task.page_size.max(1)).max(1);
        // First, as it says what is wrong with the size.
        let ground = if task.work.order == Order::Churn {
            Ground::Blocks(Churn::new(&task, pages, &mut random))
        } else {
            Ground::Whole(Whole::new(&task, &mut random)?)
        };
        let hand = Hand::new(&task, pages, &mut random)?;
        let fill = is_filled(&task.work);
        let mut load = Self { task, ground, hand, pages, fill_ns: None, own_ns };
        if fill {
            let begun = clock.nanos();
            load.fill(clock, port)?;
            load.fill_ns = Some(clock.nanos().saturating_sub(begun));
        }
        Ok(load)
    }

    fn fill(&mut self, clock: &Clock, port: &Port) -> Result<(), Stop> {
        match &mut self.ground {
            Ground::Whole(whole) => whole.fill(&mut self.hand, clock, Some(port)),
            Ground::Blocks(churn) => {
                let meter = Meter::begin(clock);
                let limits = Limits::count(self.pages, &meter, Some(port));
                churn.grow(&mut Pass { hand: &mut self.hand, meter, limits }).map(drop)
            }
        }
    }

    /// What is to be done.
    pub(super) fn task(&self) -> &Task {
        &self.task
    }

    /// Touch it as often or as long as it shall be.
    pub(super) fn touch(&mut self, clock: &Clock, port: &Port) -> Result<Touched, Stop> {
        let each = match self.task.work.touch {
            Touch::Word => size_of::<u64>() as u64,
            Touch::Page | Touch::EachWord => self.task.page_size,
        };
        let meter = Meter::begin(clock);
        let limits = Limits::of(&self.task.work, self.pages, each, &meter, port)?;
        let mut pass = Pass { hand: &mut self.hand, meter, limits };
        match &mut self.ground {
            Ground::Whole(whole) => whole.touch(&mut pass)?,
            Ground::Blocks(churn) => churn.touch(&mut pass)?,
        }
        let told = pass.meter.told(each, self.task.begun_ns);
        let painted = self.hand.sum();
        Ok(Touched { fill_ns: self.fill_ns, painted, own_ns: self.own_ns, ..told })
    }

    /// Give the memory back: when that was done.
    pub(super) fn free(self, clock: &Clock) -> u64 {
        drop(self.ground);
        clock.nanos()
    }
}

/// Is memory filled before it is touched? A child touches what its parent has filled.
pub(super) fn is_filled(work: &Work) -> bool {
    work.prefault || work.memory == Memory::Forked
}

/// Pages of the memory that the loop itself is measured with: few enough to stay in a cache.
const SMALL: u64 = 64;
/// How often those are touched each time, and how many times: the quickest counts, as whatever
/// disturbs makes it slower.
const TOUCHES: u64 = 2048;
const TIMES: usize = 3;

/// What a touch costs when all memory is there, in nanoseconds.
pub(super) fn own_cost(task: &Task, clock: &Clock) -> Result<f64, Stop> {
    let mut task = task.clone();
    task.size = Bytes(SMALL * task.page_size);
    (task.work.memory, task.work.advice) = (Memory::Anonymous, Advice::None);
    let mut random = Random::new(task.seed);
    let mut hand = Hand::new(&task, SMALL, &mut random)?;
    let mut whole = Whole::new(&task, &mut random)?;
    whole.fill(&mut hand, clock, None)?;
    let mut best = f64::INFINITY;
    for _ in 0..TIMES {
        let meter = Meter::begin(clock);
        let limits = Limits::count(TOUCHES, &meter, None);
        let mut pass = Pass { hand: &mut hand, meter, limits };
        whole.touch(&mut pass)?;
        best = pass.meter.mean().map_or(best, |mean| mean.min(best));
    }
    Ok(best)
}

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;

//! What touches a page: reads or writes, a word or all of it.

use super::messages::WorkerStop;
use super::{Painter, Random};
use crate::model::load::{PageContents, AccessPattern, Task, TouchUnit};
use crate::sys::memory::Mapping;
use std::hint::black_box;

/// The sum over what was painted takes so many words of each page.
const SUMMED_WORDS: usize = 8;
/// The bits of half a word.
const HALF_MASK: u64 = u32::MAX as u64;
/// That of FNV.
const PRIME: u64 = 0x100_0000_01b3;

/// Touches pages, and paints them when they are written for the first time.
#[derive(Debug)]
pub(super) struct PageToucher {
    paint: Paint,
    touch: TouchUnit,
    writes: WriteShare,
    /// What a touch of a word adds to it: nothing where all words of a page are the same, as the
    /// kernel stores such a page in another way.
    step: u64,
    /// Which pages were painted; none where all were.
    painted: Option<Vec<u64>>,
    /// The sum over those.
    sum: u64,
}

#[derive(Debug)]
enum Paint {
    /// Each word its number. Nothing may be slower than the simplest loop that does that.
    Words,
    /// The same, one word after the other.
    EachWord,
    /// Whatever else.
    Pages(Painter),
}

impl Paint {
    fn new(task: &Task, seed: u64) -> Result<Self, WorkerStop> {
        match (&task.work.contents, task.work.touch) {
            (PageContents::Words, TouchUnit::EachWord) => Ok(Self::EachWord),
            (PageContents::Words, TouchUnit::Word | TouchUnit::Page) => Ok(Self::Words),
            (contents, _) => {
                let painter = Painter::new(contents, task.page_size, seed);
                painter.map(Self::Pages).map_err(WorkerStop::Failed)
            }
        }
    }
}

#[derive(Debug)]
enum WriteShare {
    Never,
    Always,
    Share(f64, Random),
}

impl WriteShare {
    fn new(share: f64, random: Random) -> Self {
        if share <= 0.0 {
            Self::Never
        } else if share >= 1.0 {
            Self::Always
        } else {
            Self::Share(share, random)
        }
    }

    #[inline]
    fn draw(&mut self) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Share(share, random) => random.unit() < *share,
        }
    }
}

impl PageToucher {
    /// For this task, with the chance that is left to it. No page is painted yet.
    pub(super) fn new(task: &Task, pages: u64, random: &mut Random) -> Result<Self, WorkerStop> {
        let work = &task.work;
        let seed = random.next();
        let paint = Paint::new(task, seed)?;
        let bits = usize::try_from(pages.div_ceil(64)).map_err(WorkerStop::failed)?;
        // Blocks are painted when they are taken.
        let blocks = work.order == AccessPattern::Churn;
        Ok(Self {
            paint,
            touch: work.touch,
            writes: WriteShare::new(work.writes, Random::new(random.next())),
            step: u64::from(!matches!(work.contents, PageContents::Zero | PageContents::Same)),
            painted: (!blocks).then(|| vec![0; bits]),
            sum: 0,
        })
    }

    /// From now on whoever has pages paints them.
    pub(super) fn all_are_painted(&mut self) {
        self.painted = None;
    }

    /// The sum over what was painted, whatever its order.
    pub(super) fn sum(&self) -> u64 {
        self.sum
    }

    /// Touch a page of a mapping. What it holds follows from its number in the whole memory.
    #[inline]
    pub(super) fn touch(&mut self, memory: &mut Mapping, at: u64, page: u64) -> Result<(), WorkerStop> {
        if !self.writes.draw() {
            return self.read(memory, at);
        }
        if self.is_new(page) {
            self.paint_new(memory, at, page)?;
        } else if self.touch == TouchUnit::Word {
            return self.add_to_first_word(memory, at).ok_or_else(|| outside_memory(at));
        } else {
            self.paint(memory, at, page)?;
        }
        if self.touch == TouchUnit::EachWord && !matches!(self.paint, Paint::EachWord) {
            let words = memory.page_mut(at).ok_or_else(|| outside_memory(at))?;
            write_each(words, |_, word| word);
        }
        Ok(())
    }

    #[inline]
    fn read(&self, memory: &Mapping, at: u64) -> Result<(), WorkerStop> {
        let found = match self.touch {
            TouchUnit::Word => memory.read_word(at.wrapping_mul(memory.page_size())),
            TouchUnit::Page => memory
                .page(at)
                .map(|words| words.iter().fold(0, |sum: u64, word| sum.wrapping_add(*word))),
            TouchUnit::EachWord => memory.page(at).map(|words| words.iter().copied().fold(0, add_by_halves)),
        };
        // The sum is for nobody; but it must be made.
        black_box(found).map(drop).ok_or_else(|| outside_memory(at))
    }

    /// Write the first word of a page: how well a page compresses hardly depends on that one.
    #[inline]
    fn add_to_first_word(&self, memory: &mut Mapping, at: u64) -> Option<()> {
        let offset = at.wrapping_mul(memory.page_size());
        memory.add_to_word(offset, self.step)
    }

    /// Was this page never painted? It is now.
    #[inline]
    fn is_new(&mut self, page: u64) -> bool {
        let Some(bits) = &mut self.painted else { return false };
        let place = usize::try_from(page / 64).ok();
        let Some(word) = place.and_then(|place| bits.get_mut(place)) else { return false };
        let bit = 1 << (page % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Paint a page for the first time.
    #[inline]
    pub(super) fn paint_new(
        &mut self,
        memory: &mut Mapping,
        at: u64,
        page: u64,
    ) -> Result<(), WorkerStop> {
        self.paint(memory, at, page)?;
        let words = memory.page(at).ok_or_else(|| outside_memory(at))?;
        let some = words.iter().step_by((words.len() / SUMMED_WORDS).max(1));
        // Which word stands where counts, in which order pages come does not.
        let (_, sum) = some.fold((1_u64, page), |(factor, sum), word| {
            (factor.wrapping_add(2), sum.wrapping_add(word.wrapping_mul(factor)))
        });
        self.sum = self.sum.wrapping_add((sum ^ (sum >> 29)).wrapping_mul(PRIME));
        Ok(())
    }

    #[inline]
    fn paint(&self, memory: &mut Mapping, at: u64, page: u64) -> Result<(), WorkerStop> {
        match &self.paint {
            Paint::Words => {
                let (first, words) = numbered(memory, at, page)?;
                for (number, word) in (first..).zip(words) {
                    *word = number;
                }
            }
            Paint::EachWord => {
                let (first, words) = numbered(memory, at, page)?;
                write_each(words, |place, _| first.wrapping_add(place));
            }
            Paint::Pages(painter) => {
                painter.paint(page, memory.bytes_mut(at).ok_or_else(|| outside_memory(at))?);
            }
        }
        Ok(())
    }
}

/// The words of a page, and the number of the first of them in the whole memory.
#[inline]
fn numbered(memory: &mut Mapping, at: u64, page: u64) -> Result<(u64, &mut [u64]), WorkerStop> {
    let words = memory.page_mut(at).ok_or_else(|| outside_memory(at))?;
    Ok((page.wrapping_mul(words.len() as u64), words))
}

/// Write what each word shall hold by its place and what it held, one word after the other.
#[inline]
fn write_each(words: &mut [u64], holds: impl Fn(u64, u64) -> u64) {
    let mut sum = 0;
    for (place, word) in (0..).zip(words) {
        *word = black_box(holds(place, *word));
        sum = add_by_halves(sum, *word);
    }
    black_box(sum);
}

/// Take a word into a sum by its two halves. Each waits for the one before: that takes some eight
/// cycles, which is about what the usual program for such loads has to do for each word, and cannot
/// be done for several words at a time.
#[inline]
fn add_by_halves(sum: u64, word: u64) -> u64 {
    [word & HALF_MASK, word >> 32].iter().fold(sum, |sum, half| (sum ^ half).wrapping_mul(PRIME))
}

#[cold]
fn outside_memory(page: u64) -> WorkerStop {
    WorkerStop::Failed(format!("page {page} is not one of the memory that it has: this is a defect"))
}

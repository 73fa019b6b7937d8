//! Touches pages: reads or writes, one word or all of them.

use super::messages::WorkerStop;
use super::{Painter, Random};
use crate::model::load::{AccessPattern, PageContents, Task, TouchUnit};
use crate::sys::memory::Mapping;
use std::hint::black_box;

/// The number of words per page in the checksum.
const SUMMED_WORDS: usize = 8;
/// A mask of half a word.
const HALF_MASK: u64 = u32::MAX as u64;
/// The prime of the FNV hash.
const PRIME: u64 = 0x100_0000_01b3;

/// Touches pages, and fills them at the first write.
#[derive(Debug)]
pub(super) struct PageToucher {
    paint: Paint,
    touch: TouchUnit,
    writes: WriteShare,
    /// Added to a word by a touch: 0 if all words of a page are equal, because the kernel stores
    /// such a page in another way.
    /// kernel stores such a page in another way.
    step: u64,
    /// The pages that were filled; none if all were.
    painted: Option<Vec<u64>>,
    /// The checksum of the filled pages.
    sum: u64,
}

#[derive(Debug)]
enum Paint {
    /// Each word is its number. This has to be as fast as the simplest loop.
    Words,
    /// Each word is its number, written one after the other.
    EachWord,
    /// Any other contents.
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
    /// Prepares a task, with no page filled yet.
    pub(super) fn new(task: &Task, pages: u64, random: &mut Random) -> Result<Self, WorkerStop> {
        let work = &task.work;
        let seed = random.next();
        let paint = Paint::new(task, seed)?;
        let bits = usize::try_from(pages.div_ceil(64)).map_err(WorkerStop::failed)?;
        // Blocks are filled when they are allocated.
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

    /// Marks all pages as filled.
    pub(super) fn all_are_painted(&mut self) {
        self.painted = None;
    }

    /// The checksum of the filled pages, independent of their order.
    pub(super) fn sum(&self) -> u64 {
        self.sum
    }

    /// Touches a page of a mapping. Its contents depend on its number in the whole memory.
    #[inline]
    pub(super) fn touch(
        &mut self,
        memory: &mut Mapping,
        at: u64,
        page: u64,
    ) -> Result<(), WorkerStop> {
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
            TouchUnit::EachWord => {
                memory.page(at).map(|words| words.iter().copied().fold(0, add_by_halves))
            }
        };
        // The sum is unused, but the reads must not be optimized away.
        black_box(found).map(drop).ok_or_else(|| outside_memory(at))
    }

    /// Changes the first word of a page, which hardly affects how well the page compresses.
    #[inline]
    fn add_to_first_word(&self, memory: &mut Mapping, at: u64) -> Option<()> {
        let offset = at.wrapping_mul(memory.page_size());
        memory.add_to_word(offset, self.step)
    }

    /// Whether this page has not been filled yet; marks it as filled.
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

    /// Fills a page for the first time.
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
        // The checksum depends on the position of words, and not on the order of pages.
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

/// The words of a page, and the number of the first word in the whole memory.
#[inline]
fn numbered(memory: &mut Mapping, at: u64, page: u64) -> Result<(u64, &mut [u64]), WorkerStop> {
    let words = memory.page_mut(at).ok_or_else(|| outside_memory(at))?;
    Ok((page.wrapping_mul(words.len() as u64), words))
}

/// Writes each word from its position and its old value, one after the other.
#[inline]
fn write_each(words: &mut [u64], holds: impl Fn(u64, u64) -> u64) {
    let mut sum = 0;
    for (place, word) in (0..).zip(words) {
        *word = black_box(holds(place, *word));
        sum = add_by_halves(sum, *word);
    }
    black_box(sum);
}

/// Adds the two halves of a word to a sum. Each depends on the one before, which takes about eight
/// cycles: as long as a usual program needs for each word, and impossible to do for several words
/// at once.
#[inline]
fn add_by_halves(sum: u64, word: u64) -> u64 {
    [word & HALF_MASK, word >> 32].iter().fold(sum, |sum, half| (sum ^ half).wrapping_mul(PRIME))
}

#[cold]
fn outside_memory(page: u64) -> WorkerStop {
    WorkerStop::Failed(format!("page {page} is outside the memory of the task: this is a bug"))
}

//! Blocks of memory that are allocated and freed: each is a mapping of the size and alignment of a
//! folio, so that it is freed and swapped as one. This fragments an area.

use super::Random;
use super::messages::WorkerStop;
use super::page_toucher::PageToucher;
use super::touch::TouchPass;
use crate::model::Bytes;
use crate::model::load::{FolioAdvice, MemoryKind, Task};
use crate::sys::memory::Mapping;

/// The sizes of folios; blocks use those from a page up to a share of the memory.
const SIZES: [u64; 8] =
    [4 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 2 << 20];
/// The largest block, as a fraction of the memory: one in this many.
const MAX_BLOCK_SHARE: u64 = 8;
/// The most blocks: each needs two mappings, its own and a gap to the next, and a process has at
/// most 65530 (`vm.max_map_count`).
const MAX_BLOCKS: u64 = 30_000;

/// Blocks whose total size stays within the memory of the task.
#[derive(Debug)]
pub(super) struct Churn {
    kind: MemoryKind,
    advice: FolioAdvice,
    page_size: u64,
    /// The sizes of blocks, in pages.
    sizes: Vec<u64>,
    blocks: Vec<Block>,
    /// The most pages, and the current number of pages.
    pages: u64,
    held: u64,
    /// The size of the next block, in pages. It is kept until there is room: drawing again would
    /// soon leave only small blocks.
    next_size: u64,
    /// The number of the next page that is filled.
    next_page: u64,
    random: Random,
}

#[derive(Debug)]
struct Block {
    memory: Mapping,
    /// The number of its first page, counted over all blocks so far.
    first: u64,
}

impl Churn {
    /// Starts without blocks.
    pub(super) fn new(task: &Task, pages: u64, random: &mut Random) -> Self {
        let mut churn = Self {
            kind: task.work.memory,
            advice: task.work.advice,
            page_size: task.page_size,
            sizes: sizes(pages, task.page_size),
            blocks: Vec::new(),
            pages,
            held: 0,
            next_size: 1,
            next_page: 0,
            random: Random::new(random.next()),
        };
        churn.draw_size();
        churn
    }

    /// Draws the size of the next block.
    fn draw_size(&mut self) {
        self.next_size = random_size(&self.sizes, &mut self.random);
    }

    /// Chooses a random block.
    fn random_block(&mut self) -> usize {
        usize::try_from(self.random.below(self.blocks.len().max(1) as u64)).unwrap_or(0)
    }

    /// Allocates and fills blocks until the next does not fit. Returns whether to continue.
    pub(super) fn grow(&mut self, pass: &mut TouchPass<'_>) -> Result<bool, WorkerStop> {
        while self.held + self.next_size <= self.pages && (self.blocks.len() as u64) < MAX_BLOCKS {
            let size = self.next_size;
            let bytes = Bytes(size * self.page_size);
            let memory = Mapping::block(self.kind, bytes).map_err(WorkerStop::failed)?;
            memory.advise(self.advice).map_err(WorkerStop::failed)?;
            let mut block = Block { memory, first: self.next_page };
            self.next_page += size;
            self.held += size;
            self.draw_size();
            let go_on = block.each_page(pass, PageToucher::paint_new)?;
            self.blocks.push(block);
            if !go_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts the pages of all blocks.
    #[cfg(test)]
    pub(super) fn held(&self) -> u64 {
        self.blocks.iter().map(|block| block.memory.pages()).sum()
    }

    /// Frees a block.
    fn shrink(&mut self) {
        let place = self.random_block();
        if place < self.blocks.len() {
            let block = self.blocks.swap_remove(place);
            self.held -= block.memory.pages();
        }
    }

    /// Touches blocks, or replaces them.
    pub(super) fn touch(&mut self, pass: &mut TouchPass<'_>) -> Result<(), WorkerStop> {
        let mut go_on = self.grow(pass)?;
        while go_on {
            go_on = if self.random.below(2) == 0 {
                self.shrink();
                self.grow(pass)?
            } else {
                let place = self.random_block();
                match self.blocks.get_mut(place) {
                    Some(block) => block.each_page(pass, PageToucher::touch)?,
                    None => self.grow(pass)?,
                }
            };
        }
        Ok(())
    }
}

impl Block {
    /// Applies `work` to each page, with its time. Returns whether to continue.
    fn each_page(
        &mut self,
        pass: &mut TouchPass<'_>,
        work: impl Fn(&mut PageToucher, &mut Mapping, u64, u64) -> Result<(), WorkerStop>,
    ) -> Result<bool, WorkerStop> {
        pass.meter.resume();
        for at in 0..self.memory.pages() {
            let page = self.first + at;
            pass.meter.begin_touch();
            work(pass.hand, &mut self.memory, at, page)?;
            let now = pass.meter.end_touch(page);
            if !pass.limits.should_continue(&mut pass.meter, now)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The sizes of blocks in pages, chosen so that there are not too many blocks.
fn sizes(pages: u64, page_size: u64) -> Vec<u64> {
    let most = (pages / MAX_BLOCK_SHARE).max(1);
    let mut sizes: Vec<u64> = SIZES.iter().map(|size| size / page_size.max(1)).collect();
    sizes.retain(|size| *size >= 1 && *size <= most);
    if sizes.is_empty() {
        sizes.push(1);
    }
    while pages / mean(&sizes) > MAX_BLOCKS {
        if sizes.len() > 1 {
            sizes.remove(0);
        } else {
            for size in &mut sizes {
                *size *= 2;
            }
        }
    }
    sizes
}

/// Draws one of these sizes.
fn random_size(sizes: &[u64], random: &mut Random) -> u64 {
    let mut place = random.below(weights(sizes).sum::<u64>().max(1));
    for (size, weight) in sizes.iter().zip(weights(sizes)) {
        match place.checked_sub(weight) {
            Some(left) => place = left,
            None => return *size,
        }
    }
    1
}

/// The weight of each size: all sizes get the same share of the memory, so that small blocks, which
/// fragment it, are not rare.
fn weights(sizes: &[u64]) -> impl Iterator<Item = u64> {
    let largest = sizes.last().copied().unwrap_or(1);
    sizes.iter().map(move |size| largest / size)
}

/// The mean size of blocks.
fn mean(sizes: &[u64]) -> u64 {
    let largest = sizes.last().copied().unwrap_or(1);
    (largest * sizes.len() as u64 / weights(sizes).sum::<u64>().max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_folios_that_fit() {
        assert_eq!(sizes(64 * 8, 4096), [1, 4, 8, 16, 32, 64]);
        assert_eq!(sizes(3, 4096), [1]);
        assert_eq!(sizes(1 << 16, 65536), [2, 4, 8, 32]);
    }

    #[test]
    fn all_sizes_have_the_same_share_of_the_memory() {
        let (sizes, mut random) = (sizes(64 * 8, 4096), Random::new(1));
        let mut pages = std::collections::BTreeMap::new();
        for _ in 0..100_000 {
            let size = random_size(&sizes, &mut random);
            *pages.entry(size).or_insert(0) += size;
        }
        let all: u64 = pages.values().sum();
        assert_eq!(pages.len(), sizes.len());
        for (size, pages) in pages {
            let share = pages as f64 / all as f64 * sizes.len() as f64;
            assert!((share - 1.0).abs() < 0.1, "{size}: {share}");
        }
    }

    #[test]
    fn there_are_never_too_many_blocks() {
        for power in 0..40 {
            let pages = 1 << power;
            let sizes = sizes(pages, 4096);
            assert!(pages / mean(&sizes) <= MAX_BLOCKS, "{pages}: {sizes:?}");
            assert!(sizes.iter().all(|size| size.is_power_of_two()));
        }
    }
}

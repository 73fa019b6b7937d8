//! Blocks of memory that are allocated, accessed and freed, each a mapping of its own: the pattern `churn`.

use super::super::dense::SeededRandom;
use super::{AccessStep, PAGE_BYTES};
use crate::model::load::{BlockSizes, MAX_BLOCKS};
use std::collections::BTreeMap;

/// Pages of address space for blocks of this many pages: twice as many, so that a block nearly always finds an
/// aligned range.
pub(super) fn span(pages: u64) -> u64 {
    pages.saturating_mul(2)
}

/// A block: its first page, and its pages.
type Block = (u32, u32);

/// Blocks whose total size stays within the memory of a process.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    sizes: BlockSizes,
    allocated: Vec<Block>,
    /// Ranges of address space that no block uses, by first page.
    unused: BTreeMap<u32, u32>,
    /// The limit of all blocks together, in pages.
    most: u32,
    /// Pages of all blocks now.
    held: u32,
    /// The size of the next block. It is kept until there is room: drawing again would soon leave only small
    /// blocks.
    next_size: u32,
    /// The block that is accessed, and its pages still to access.
    current: Block,
    left: u32,
}

impl Blocks {
    pub(super) fn new(pages: u32, random: &mut SeededRandom) -> Self {
        let mut blocks = Self {
            sizes: BlockSizes::new(u64::from(pages), PAGE_BYTES),
            allocated: Vec::new(),
            unused: BTreeMap::from([(
                0,
                u32::try_from(span(u64::from(pages))).unwrap_or(u32::MAX),
            )]),
            most: pages,
            held: 0,
            next_size: 1,
            current: (0, 0),
            left: 0,
        };
        blocks.draw_size(random);
        blocks
    }

    /// The block that is accessed: its first page, and the one after its last.
    pub(super) fn mapping(&self) -> (u32, u32) {
        let (first, pages) = self.current;
        (first, first + pages)
    }

    /// The next page of the first blocks, and whether it is the last one.
    pub(super) fn fill(&mut self, random: &mut SeededRandom) -> (u32, bool) {
        if self.left == 0 {
            self.grow(random);
        }
        let page = self.next_page().unwrap_or(0);
        (page, self.left == 0 && !self.grow(random))
    }

    /// The next action: while there is room, blocks are allocated; otherwise one is freed or accessed.
    pub(super) fn next(&mut self, random: &mut SeededRandom) -> AccessStep {
        if self.left == 0 && !self.grow(random) {
            if random.below(2) == 0
                && let Some((first, count)) = self.shrink(random)
            {
                return AccessStep::Free { first, count };
            }
            self.access_block(self.random_block(random));
        }
        AccessStep::Page(self.next_page().unwrap_or(0))
    }

    fn next_page(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        Some(self.current.0 + self.current.1 - 1 - self.left)
    }

    fn access_block(&mut self, index: usize) {
        self.current = self.allocated.get(index).copied().unwrap_or((0, 1));
        self.left = self.current.1;
    }

    fn random_block(&self, random: &mut SeededRandom) -> usize {
        let blocks = u32::try_from(self.allocated.len()).unwrap_or(u32::MAX);
        random.below(blocks.max(1)) as usize
    }

    fn draw_size(&mut self, random: &mut SeededRandom) {
        let below = |end| u64::from(random.below(u32::try_from(end).unwrap_or(u32::MAX)));
        self.next_size = u32::try_from(self.sizes.draw(below)).unwrap_or(1);
    }

    /// Allocates the next block if there is room for it.
    fn grow(&mut self, random: &mut SeededRandom) -> bool {
        let size = self.next_size;
        if self.held + size > self.most || self.allocated.len() as u64 >= MAX_BLOCKS {
            return false;
        }
        let Some(first) = self.reserve_range(size) else { return false };
        self.held += size;
        self.allocated.push((first, size));
        self.access_block(self.allocated.len() - 1);
        self.draw_size(random);
        true
    }

    /// Takes the first aligned range of this size.
    fn reserve_range(&mut self, size: u32) -> Option<u32> {
        let (start, len, first) = self.unused.iter().find_map(|(&start, &len)| {
            let first = start.next_multiple_of(size);
            (first + size <= start + len).then_some((start, len, first))
        })?;
        self.unused.remove(&start);
        self.add_unused(start, first);
        self.add_unused(first + size, start + len);
        Some(first)
    }

    /// Notes that no block uses a range.
    fn add_unused(&mut self, first: u32, end: u32) {
        if first < end {
            self.unused.insert(first, end - first);
        }
    }

    /// Frees a block.
    fn shrink(&mut self, random: &mut SeededRandom) -> Option<Block> {
        let index = self.random_block(random);
        let block = (index < self.allocated.len()).then(|| self.allocated.swap_remove(index))?;
        let (first, count) = block;
        self.held -= count;
        let (mut start, mut end) = (first, first + count);
        if let Some((&before, &len)) = self.unused.range(..first).next_back()
            && before + len == first
        {
            self.unused.remove(&before);
            start = before;
        }
        if let Some(len) = self.unused.remove(&end) {
            end += len;
        }
        self.add_unused(start, end);
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn blocks_are_aligned_do_not_overlap_and_stay_within_the_memory() {
        let mut random = SeededRandom::new(5);
        let mut blocks = Blocks::new(4096, &mut random);
        let mut held = BTreeSet::new();
        while let (page, false) = blocks.fill(&mut random) {
            assert!(held.insert(page));
        }
        assert!(held.len() > 4096 - 512);
        let (mut freed, mut accessed) = (0, 0);
        for _ in 0..100_000 {
            match blocks.next(&mut random) {
                AccessStep::Free { first, count } => {
                    assert_eq!(first % count, 0);
                    freed += count;
                    held.retain(|page| !(first..first + count).contains(page));
                }
                AccessStep::Page(page) => {
                    let (first, end) = blocks.mapping();
                    assert!((first..end).contains(&page) && u64::from(page) < span(4096));
                    accessed += u32::from(!held.insert(page));
                }
            }
            assert!(held.len() <= 4096);
            let all = blocks.unused.values().sum::<u32>() + blocks.held;
            assert_eq!(u64::from(all), span(4096));
        }
        // Half of the actions access a block, and half replace one.
        assert!((30_000..70_000).contains(&accessed) && freed > 30_000, "{accessed} {freed}");
    }
}

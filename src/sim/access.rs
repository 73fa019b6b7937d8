//! Access patterns: which page of its memory a process accesses next.

use super::dense::SeededRandom;
use crate::model::load::{AccessPattern, BlockSizes, MAX_BLOCKS};
use crate::model::whole;
use std::collections::BTreeMap;

/// Size of a base page.
pub(super) const PAGE_BYTES: u64 = 4096;

/// An action of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccessStep {
    /// Access to a page.
    Page(u32),
    /// Release of a block of pages.
    Free {
        /// First page.
        first: u32,
        /// Pages.
        count: u32,
    },
}

/// The accesses of a process to its pages.
#[derive(Clone, Debug)]
pub(super) struct Accesses {
    pattern: AccessPattern,
    pages: u32,
    done: u64,
    random: SeededRandom,
    zipf: Option<ZipfSampler>,
    /// Pages that were filled before the accesses.
    filled: u32,
    blocks: Option<Blocks>,
}

impl Accesses {
    pub(super) fn new(pattern: AccessPattern, pages: u32, seed: u64) -> Self {
        let zipf = if let AccessPattern::Zipf { skew } = pattern {
            Some(ZipfSampler::new(pages, skew))
        } else {
            None
        };
        let (mut random, pages) = (SeededRandom::new(seed), pages.max(1));
        let blocks = (pattern == AccessPattern::Churn).then(|| Blocks::new(pages, &mut random));
        Self { pattern, pages, done: 0, random, zipf, filled: 0, blocks }
    }

    /// Pages of address space that accesses to this many pages need.
    pub(super) fn span(pattern: AccessPattern, pages: u64) -> u64 {
        if pattern == AccessPattern::Churn { block_span(pages) } else { pages }
    }

    /// The mapping of the page that is accessed: its first page, and the one after its last.
    pub(super) fn mapping(&self) -> (u32, u32) {
        self.blocks.as_ref().map_or((0, self.pages), Blocks::mapping)
    }

    /// The next page to fill before the accesses, and whether it is the last one.
    pub(super) fn fill(&mut self) -> (u32, bool) {
        if let Some(blocks) = &mut self.blocks {
            return blocks.fill(&mut self.random);
        }
        self.filled += 1;
        (self.filled - 1, self.filled >= self.pages)
    }

    /// The next action.
    pub(super) fn next(&mut self) -> AccessStep {
        let number = self.done;
        self.done += 1;
        let page = match self.pattern {
            AccessPattern::Sequential => number % u64::from(self.pages),
            AccessPattern::Strided { stride } => self.strided(number, stride),
            AccessPattern::Random => u64::from(self.random.below(self.pages)),
            AccessPattern::Zipf { .. } => self.zipf_page(),
            AccessPattern::Phases { hot, hits, length } => self.phased(number, hot, hits, length),
            AccessPattern::Churn => {
                let step = self.blocks.as_mut().map(|blocks| blocks.next(&mut self.random));
                return step.unwrap_or(AccessStep::Page(0));
            }
        };
        AccessStep::Page(u32::try_from(page).unwrap_or(0))
    }

    /// Page number `number` in steps, then the pages between.
    fn strided(&self, number: u64, stride: u64) -> u64 {
        let (step, pages) = ((stride / PAGE_BYTES).max(1), u64::from(self.pages));
        let (full, number) = (pages / step, number % pages);
        let longer = pages % step;
        // The first columns have a page more than the others.
        let in_longer = longer * (full + 1);
        let (column, row) = if number < in_longer {
            (number / (full + 1), number % (full + 1))
        } else {
            let rest = number - in_longer;
            (longer + rest / full.max(1), rest % full.max(1))
        };
        (row * step + column).min(pages - 1)
    }

    /// A page by its popularity; popular pages are scattered over the memory.
    fn zipf_page(&mut self) -> u64 {
        let rank = self.zipf.as_ref().map_or(0, |zipf| zipf.sample(&mut self.random));
        u64::from(rank) * 2_654_435_761 % u64::from(self.pages)
    }

    fn phased(&mut self, number: u64, hot: f64, hits: f64, length: f64) -> u64 {
        let pages = f64::from(self.pages);
        let phase = number / whole(pages * length).max(1);
        let hot_pages = u32::try_from(whole(pages * hot)).unwrap_or(u32::MAX).clamp(1, self.pages);
        let start = phase * u64::from(hot_pages);
        let page = if self.random.happens(hits) {
            u64::from(self.random.below(hot_pages))
        } else {
            u64::from(self.random.below(self.pages))
        };
        (start + page) % u64::from(self.pages)
    }
}

/// Samples ranks from 0 with a probability proportional to 1/(rank + 1)^skew, by rejection inversion
/// (Hörmann and Derflinger, 1996).
#[derive(Clone, Debug)]
struct ZipfSampler {
    ranks: f64,
    skew: f64,
    low: f64,
    high: f64,
}

impl ZipfSampler {
    fn new(ranks: u32, skew: f64) -> Self {
        let ranks = f64::from(ranks.max(1));
        let mut sampler = Self { ranks, skew, low: 0.0, high: 0.0 };
        sampler.low = sampler.integral(1.5) - 1.0;
        sampler.high = sampler.integral(ranks + 0.5);
        sampler
    }

    /// Integral of x^-skew from 1 on.
    fn integral(&self, x: f64) -> f64 {
        let power = 1.0 - self.skew;
        if power.abs() < 1e-9 { x.ln() } else { (x.powf(power) - 1.0) / power }
    }

    fn inverse(&self, area: f64) -> f64 {
        let power = 1.0 - self.skew;
        if power.abs() < 1e-9 { area.exp() } else { (1.0 + area * power).powf(1.0 / power) }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the rank is below a number of 32 bits")]
    #[expect(clippy::cast_sign_loss, reason = "the rank is not negative")]
    fn sample(&self, random: &mut SeededRandom) -> u32 {
        loop {
            let area = self.high + random.share() * (self.low - self.high);
            let rank = self.inverse(area).round().clamp(1.0, self.ranks);
            if area >= self.integral(rank + 0.5) - rank.powf(-self.skew) {
                return rank as u32 - 1;
            }
        }
    }
}

// Blocks of memory that are allocated, accessed and freed, each a mapping of its own: the pattern `churn`.

/// Pages of address space for blocks of this many pages: twice as many, so that a block nearly always finds an
/// aligned range.
fn block_span(pages: u64) -> u64 {
    pages.saturating_mul(2)
}

/// A block: its first page, and its pages.
type Block = (u32, u32);

/// Blocks whose total size stays within the memory of a process.
#[derive(Clone, Debug)]
struct Blocks {
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
    fn new(pages: u32, random: &mut SeededRandom) -> Self {
        let mut blocks = Self {
            sizes: BlockSizes::new(u64::from(pages), PAGE_BYTES),
            allocated: Vec::new(),
            unused: BTreeMap::from([(
                0,
                u32::try_from(block_span(u64::from(pages))).unwrap_or(u32::MAX),
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
    fn mapping(&self) -> (u32, u32) {
        let (first, pages) = self.current;
        (first, first + pages)
    }

    /// The next page of the first blocks, and whether it is the last one.
    fn fill(&mut self, random: &mut SeededRandom) -> (u32, bool) {
        if self.left == 0 {
            self.grow(random);
        }
        let page = self.next_page().unwrap_or(0);
        (page, self.left == 0 && !self.grow(random))
    }

    /// The next action: while there is room, blocks are allocated; otherwise one is freed or accessed.
    fn next(&mut self, random: &mut SeededRandom) -> AccessStep {
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

    fn pages(pattern: AccessPattern, count: u32, accesses: usize) -> Vec<u32> {
        let mut accesses_of = Accesses::new(pattern, count, 1);
        let mut pages = Vec::new();
        while pages.len() < accesses {
            if let AccessStep::Page(page) = accesses_of.next() {
                pages.push(page);
            }
        }
        assert!(pages.iter().all(|page| *page < count));
        pages
    }

    #[test]
    fn ordered_patterns_reach_every_page_once_in_a_pass() {
        assert_eq!(pages(AccessPattern::Sequential, 3, 5), [0, 1, 2, 0, 1]);
        let stride = 3 * PAGE_BYTES;
        let strided = pages(AccessPattern::Strided { stride }, 8, 8);
        assert_eq!(strided, [0, 3, 6, 1, 4, 7, 2, 5]);
        for count in [1, 2, 7, 100] {
            let seen: BTreeSet<u32> =
                pages(AccessPattern::Strided { stride }, count, count as usize)
                    .into_iter()
                    .collect();
            assert_eq!(seen.len(), count as usize);
        }
    }

    #[test]
    fn popular_pages_are_accessed_as_often_as_their_rank_says() {
        let skew = 1.0;
        let all = pages(AccessPattern::Zipf { skew }, 1000, 40_000);
        let mut counts = vec![0_u32; 1000];
        for page in &all {
            counts[*page as usize] += 1;
        }
        counts.sort_unstable_by(|a, b| b.cmp(a));
        // 1/H(1000) = 13.4 %, and half of that for the second.
        assert!((4900..5800).contains(&counts[0]), "{}", counts[0]);
        assert!((2400..3000).contains(&counts[1]), "{}", counts[1]);
    }

    #[test]
    fn hot_pages_change_with_the_phase() {
        let pattern = AccessPattern::Phases { hot: 0.1, hits: 1.0, length: 1.0 };
        let all = pages(pattern, 100, 200);
        assert!(all[..100].iter().all(|page| *page < 10));
        assert!(all[100..].iter().all(|page| (10..20).contains(page)));
    }
}

#[cfg(test)]
mod blocks_tests {
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
                    assert!((first..end).contains(&page) && u64::from(page) < block_span(4096));
                    accessed += u32::from(!held.insert(page));
                }
            }
            assert!(held.len() <= 4096);
            let all = blocks.unused.values().sum::<u32>() + blocks.held;
            assert_eq!(u64::from(all), block_span(4096));
        }
        // Half of the actions access a block, and half replace one.
        assert!((30_000..70_000).contains(&accessed) && freed > 30_000, "{accessed} {freed}");
    }
}

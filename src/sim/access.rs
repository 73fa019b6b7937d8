//! Access patterns: which page of its memory a process accesses next.

mod blocks;

use super::dense::SeededRandom;
use crate::model::load::AccessPattern;
use crate::model::whole;
use blocks::Blocks;

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
        if pattern == AccessPattern::Churn { blocks::span(pages) } else { pages }
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

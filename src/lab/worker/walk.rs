//! The order of touched pages: the orders of [`AccessPattern`] as endless sequences of page numbers.
//!
//! The next page costs a few nanoseconds and no memory, however many pages there are, so that the
//! kernel is measured and not the walk.

use super::Random;
use crate::model::load::AccessPattern;
use crate::model::whole;

/// A walk through the pages of a memory.
#[derive(Clone, Debug)]
pub struct PageWalk {
    pages: u64,
    random: Random,
    way: WalkState,
}

#[derive(Clone, Debug)]
enum WalkState {
    Sequential { next: u64 },
    Strided(Strides),
    Random,
    Zipf(Zipf, Scatter),
    Phases(Phases, Scatter),
}

impl PageWalk {
    /// Prepares a walk through this many pages of this size; random choices come from the seed. A
    /// memory without pages is treated as one page. Churned blocks are not pages of one memory, so
    /// their order is random here.
    pub fn new(order: &AccessPattern, pages: u64, page_size: u64, seed: u64) -> Self {
        let pages = pages.max(1);
        let mut random = Random::new(seed);
        let way = match *order {
            AccessPattern::Sequential => WalkState::Sequential { next: 0 },
            AccessPattern::Strided { stride } => {
                WalkState::Strided(Strides::new(stride, pages, page_size))
            }
            AccessPattern::Random | AccessPattern::Churn => WalkState::Random,
            AccessPattern::Zipf { skew } => {
                WalkState::Zipf(Zipf::new(pages, skew), Scatter::new(pages, &mut random))
            }
            AccessPattern::Phases { hot, hits, length } => WalkState::Phases(
                Phases::new(pages, hot, hits, length),
                Scatter::new(pages, &mut random),
            ),
        };
        Self { pages, random, way }
    }

    /// The number of the next page, from 0 on.
    #[inline]
    pub fn next_page(&mut self) -> u64 {
        match &mut self.way {
            WalkState::Sequential { next } => {
                let page = *next;
                *next = if page + 1 == self.pages { 0 } else { page + 1 };
                page
            }
            WalkState::Strided(strides) => strides.next(self.pages),
            WalkState::Random => self.random.below(self.pages),
            WalkState::Zipf(zipf, scatter) => scatter.place(zipf.rank(&mut self.random)),
            WalkState::Phases(phases, scatter) => {
                scatter.place(phases.next(self.pages, &mut self.random))
            }
        }
    }
}

/// Pages at a distance of one stride, then those after them, until each was visited once.
#[derive(Clone, Debug)]
struct Strides {
    /// The stride, in pages.
    stride: u64,
    /// The first page of this round.
    begin: u64,
    next: u64,
}

impl Strides {
    fn new(stride: u64, pages: u64, page_size: u64) -> Self {
        let stride = stride.checked_div(page_size).unwrap_or(1);
        Self { stride: stride.clamp(1, pages), begin: 0, next: 0 }
    }

    #[inline]
    const fn next(&mut self, pages: u64) -> u64 {
        let page = self.next;
        self.next += self.stride;
        if self.next >= pages {
            self.begin = if self.begin + 1 == self.stride { 0 } else { self.begin + 1 };
            self.next = self.begin;
        }
        page
    }
}

/// A hot set that moves after each phase. It is contiguous here and scattered over the memory
/// later, so that the neighbours of a hot page are not hot because of it.
#[derive(Clone, Debug)]
struct Phases {
    /// Pages of the hot set, at least one.
    hot: u64,
    /// The share of touches in the hot set.
    hits: f64,
    /// Touches of a phase, at least one.
    length: u64,
    /// Touches left in this phase.
    left: u64,
    /// The first page of the hot set.
    begin: u64,
}

impl Phases {
    fn new(pages: u64, hot: f64, hits: f64, length: f64) -> Self {
        let hot = share(pages, hot).clamp(1, pages);
        let length = share(pages, length).max(1);
        Self { hot, hits, length, left: length, begin: 0 }
    }

    #[inline]
    fn next(&mut self, pages: u64, random: &mut Random) -> u64 {
        if self.left == 0 {
            self.left = self.length;
            self.begin = wrap(self.begin + self.hot, pages);
        }
        self.left -= 1;
        let cold = pages - self.hot;
        let page = if cold == 0 || random.unit() < self.hits {
            random.below(self.hot)
        } else {
            self.hot + random.below(cold)
        };
        wrap(self.begin + page, pages)
    }
}

/// Wraps a number below twice the number of pages.
const fn wrap(page: u64, pages: u64) -> u64 {
    if page >= pages { page - pages } else { page }
}

/// A share of all pages, rounded.
fn share(pages: u64, share: f64) -> u64 {
    whole((pages as f64 * share).round())
}

/// Odd numbers that spread bits well.
const FACTORS: [u64; 3] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93];

/// A random permutation of pages that depends on the seed and needs no memory.
#[derive(Clone, Debug)]
pub(super) struct Scatter {
    pages: u64,
    /// All bits of page numbers.
    mask: u64,
    /// Half the number of bits.
    half: u32,
    keys: [u64; 3],
}

impl Scatter {
    pub(super) fn new(pages: u64, random: &mut Random) -> Self {
        let bits = u64::BITS - pages.saturating_sub(1).leading_zeros();
        let mask = u64::MAX.checked_shr(u64::BITS - bits).unwrap_or(0);
        let keys = [random.next(), random.next(), random.next()];
        Self { pages, mask, half: bits.div_ceil(2), keys }
    }

    /// The new position of a page.
    #[inline]
    pub(super) fn place(&self, page: u64) -> u64 {
        let mut place = self.mix(page);
        // The permutation covers all numbers with this many bits, less than twice the number of
        // pages. A result that is not a page is mapped again, which leads back to a page in the
        // end.
        while place >= self.pages {
            place = self.mix(place);
        }
        place
    }

    /// Each step can be undone, so that no two numbers become equal.
    #[inline]
    fn mix(&self, number: u64) -> u64 {
        self.keys.iter().zip(FACTORS).fold(number, |number, (key, factor)| {
            let number = (number ^ key).wrapping_mul(factor) & self.mask;
            number ^ (number >> self.half)
        })
    }
}

/// The steepest distribution that makes a difference: beyond it only the first rank occurs.
const MAX_SKEW: f64 = 64.0;

/// Ranks, of which the n-th has a probability proportional to 1/n^skew.
#[derive(Clone, Debug)]
pub(super) struct Zipf {
    ranks: u64,
    skew: f64,
    /// The integral at the start of the first rank and at the end of the last.
    first: f64,
    last: f64,
    /// Points this close to a whole number are always below the curve.
    near: f64,
}

impl Zipf {
    /// There must be at least one rank. NaN counts as skew 0: all ranks are equally frequent.
    pub(super) fn new(ranks: u64, skew: f64) -> Self {
        let skew = if skew.is_nan() { 0.0 } else { skew.clamp(0.0, MAX_SKEW) };
        let curve = Self { ranks, skew, first: 0.0, last: 0.0, near: 0.0 };
        Self {
            first: curve.integral(1.5) - 1.0,
            last: curve.integral(ranks as f64 + 0.5),
            near: 2.0 - curve.inverse(curve.integral(2.5) - curve.height(2.0)),
            ..curve
        }
    }

    /// Draws a rank, from 0 on.
    #[inline]
    pub(super) fn rank(&self, random: &mut Random) -> u64 {
        loop {
            let area = self.last + random.unit() * (self.first - self.last);
            let point = self.inverse(area);
            let rank = whole(point + 0.5).clamp(1, self.ranks);
            let whole = rank as f64;
            if whole - point <= self.near || area >= self.integral(whole + 0.5) - self.height(whole)
            {
                return rank - 1;
            }
        }
    }

    /// The curve x^-skew.
    fn height(&self, x: f64) -> f64 {
        (-self.skew * x.ln()).exp()
    }

    /// The integral of the curve from 1: (x^(1-skew) - 1) / (1 - skew), or ln x if skew is 1.
    fn integral(&self, x: f64) -> f64 {
        let log = x.ln();
        let power = (1.0 - self.skew) * log;
        if power == 0.0 { log } else { power.exp_m1() / power * log }
    }

    /// The point where the integral has this value.
    fn inverse(&self, area: f64) -> f64 {
        // Rounding must not lead to the logarithm of a negative number.
        let power = (area * (1.0 - self.skew)).max(-1.0);
        let log = if power == 0.0 { area } else { power.ln_1p() / power * area };
        log.exp()
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod scatter_tests {
    use super::*;

    #[test]
    fn scattering_is_a_permutation() {
        for pages in [1, 2, 3, 5, 64, 65, 1000, 4097] {
            for seed in 0..20 {
                let scatter = Scatter::new(pages, &mut Random::new(seed));
                let mut places: Vec<u64> = (0..pages).map(|page| scatter.place(page)).collect();
                places.sort_unstable();
                assert!(places.iter().copied().eq(0..pages), "{pages} pages, seed {seed}");
            }
        }
    }

    #[test]
    fn the_largest_numbers_are_scattered() {
        let scatter = Scatter::new(u64::MAX, &mut Random::new(1));
        assert_ne!(scatter.place(0), scatter.place(u64::MAX - 1));
    }

    #[test]
    fn neighbours_are_scattered() {
        let pages = 1 << 16;
        for seed in 0..50 {
            let scatter = Scatter::new(pages, &mut Random::new(seed));
            let near = |page: &u64| scatter.place(*page).abs_diff(scatter.place(page + 1)) < 64;
            // One in 500 would be near by chance.
            let count = (0..1000).filter(near).count();
            assert!(count < 12, "{count} of 1000 neighbours stay together, seed {seed}");
            let even = (0..1000).filter(|page| scatter.place(page * 2).is_multiple_of(2)).count();
            assert!((400..600).contains(&even), "{even} of 1000 stay even, seed {seed}");
        }
    }
}

#[cfg(test)]
mod zipf_tests {
    use super::*;

    const DRAWS: u32 = 300_000;

    /// The chi-square distance of the first ten ranks and all others together from the expected
    /// distribution.
    fn distance(ranks: u64, skew: f64, seed: u64) -> f64 {
        let zipf = Zipf::new(ranks, skew);
        let mut random = Random::new(seed);
        let mut counts = [0.0; 11];
        for _ in 0..DRAWS {
            let rank = zipf.rank(&mut random);
            assert!(rank < ranks);
            counts[usize::try_from(rank.min(10)).unwrap()] += 1.0;
        }
        let chance = |rank: u64| (rank as f64).powf(-skew);
        let all: f64 = (1..=ranks).map(chance).sum();
        let part = |place: u64| {
            let first = chance(place + 1) / all * f64::from(DRAWS);
            let rest: f64 = (11..=ranks).map(chance).sum();
            if place < 10 { first } else { rest / all * f64::from(DRAWS) }
        };
        let parts = counts.iter().zip((0..11).map(part));
        parts.map(|(count, wanted)| (count - wanted) * (count - wanted) / wanted).sum()
    }

    #[test]
    fn ranks_follow_the_zipf_law() {
        for (seed, skew) in (1..).zip([0.2, 0.5, 0.8, 0.99, 1.0, 1.000_001, 1.2, 2.0]) {
            let distance = distance(20_000, skew, seed);
            // A larger distance has a probability of 1 in 1000.
            assert!(distance < 29.6, "skew {skew}: {distance}");
        }
        assert!(distance(11, 1.0, 9) < 29.6);
    }

    #[test]
    fn the_inverse_undoes_the_integral() {
        for skew in (0..6400).map(|step| f64::from(step) / 100.0) {
            for ranks in [2, 10, 1000, 1 << 20, 1 << 40] {
                let zipf = Zipf::new(ranks, skew);
                assert!(!zipf.inverse(zipf.last).is_nan(), "{skew}, {ranks}");
                let back = zipf.inverse(zipf.integral(1.7));
                assert!((back - 1.7).abs() < 1e-3 || skew > 30.0, "{skew}: {back}");
            }
        }
    }

    #[test]
    fn extreme_skews_terminate() {
        for skew in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-12, 30.0, 1e300] {
            for ranks in [1, 2, 3, 1 << 40] {
                let (zipf, mut random) = (Zipf::new(ranks, skew), Random::new(4));
                assert!((0..1000).all(|_| zipf.rank(&mut random) < ranks), "{skew}, {ranks}");
            }
        }
        let mut random = Random::new(4);
        assert!((0..1000).all(|_| Zipf::new(1000, 1e9).rank(&mut random) == 0));
    }
}

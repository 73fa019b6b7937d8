//! Neighbours are sent to places far apart: a bijection of the numbers of pages.

use crate::lab::worker::Random;

/// Odd numbers that spread bits well.
const FACTORS: [u64; 3] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93];

/// For each page another one, by the seed; no two the same, and none kept in memory.
#[derive(Clone, Debug)]
pub(super) struct Scatter {
    pages: u64,
    /// All bits that numbers of pages have.
    mask: u64,
    /// Half as many bits.
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

    /// Where this page goes.
    #[inline]
    pub(super) fn place(&self, page: u64) -> u64 {
        let mut place = self.mix(page);
        // Shuffled are all numbers of so many bits, less than twice as many as there are pages.
        // Whoever meets one that is none goes on from it: that comes back to a page at last.
        while place >= self.pages {
            place = self.mix(place);
        }
        place
    }

    /// Each step can be undone, so that no two numbers become the same.
    #[inline]
    fn mix(&self, number: u64) -> u64 {
        self.keys.iter().zip(FACTORS).fold(number, |number, (key, factor)| {
            let number = (number ^ key).wrapping_mul(factor) & self.mask;
            number ^ (number >> self.half)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_has_a_place_of_its_own() {
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
    fn the_largest_numbers_have_places_too() {
        let scatter = Scatter::new(u64::MAX, &mut Random::new(1));
        assert_ne!(scatter.place(0), scatter.place(u64::MAX - 1));
    }

    #[test]
    fn neighbours_go_far_apart() {
        let pages = 1 << 16;
        for seed in 0..50 {
            let scatter = Scatter::new(pages, &mut Random::new(seed));
            let near = |page: &u64| scatter.place(*page).abs_diff(scatter.place(page + 1)) < 64;
            // By chance one in 500 would be.
            let count = (0..1000).filter(near).count();
            assert!(count < 12, "{count} of 1000 neighbours stay together, seed {seed}");
            let even = (0..1000).filter(|page| scatter.place(page * 2).is_multiple_of(2)).count();
            assert!((400..600).contains(&even), "{even} of 1000 stay even, seed {seed}");
        }
    }
}

//! Reproducible random numbers: `SplitMix64`. They are good and fast enough for workloads, and not
//! for secrets.

/// The increment of the state: odd, and close to 2^64 divided by the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sequence of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// One of many independent sequences of a seed, for example one per task or page.
    pub const fn stream(seed: u64, number: u64) -> Self {
        // Mixed before and after, because seeds and numbers are mostly consecutive.
        let begin = mix(seed.wrapping_add(STEP));
        Self { state: mix(begin ^ number.wrapping_add(1).wrapping_mul(STEP)) }
    }

    /// The next number, uniformly distributed.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A uniformly distributed number below `n`, or 0 if `n` is 0.
    #[inline]
    pub const fn below(&mut self, n: u64) -> u64 {
        let (mut low, mut high) = wide_product(self.next(), n);
        if low < n {
            // The remainder of 2^64 divided by n is rejected; it would make some numbers too
            // frequent.
            let over = n.wrapping_neg() % n;
            while low < over {
                (low, high) = wide_product(self.next(), n);
            }
        }
        high
    }

    /// A number from 0 to below 1.
    #[inline]
    pub const fn unit(&mut self) -> f64 {
        // As many bits as a double has.
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The lower and the upper half of a product.
#[expect(clippy::cast_possible_truncation, reason = "each half is used")]
const fn wide_product(a: u64, b: u64) -> (u64, u64) {
    let whole = a as u128 * b as u128;
    (whole as u64, (whole >> 64) as u64)
}

/// Maps each number to another one that looks random, without collisions.
const fn mix(number: u64) -> u64 {
    let once = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let twice = (once ^ (once >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    twice ^ (twice >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_reference() {
        // From `splitmix64.c` by Sebastiano Vigna, which is in the public domain.
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next()).collect();
        let known =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(first, known);
    }

    #[test]
    fn streams_are_independent() {
        let begin = |(seed, number)| {
            let mut random = Random::stream(seed, number);
            [random.next(), random.next(), random.next()]
        };
        let streams = (0..100).flat_map(|seed| (0..100).map(move |number| (seed, number)));
        // No stream overlaps another: then numbers would repeat.
        let mut seen: Vec<u64> = streams.flat_map(begin).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 30_000);
        let differ = (0..10_000).map(|number| {
            let two = [begin((7, number)), begin((7, number + 1))];
            (two[0][0] ^ two[1][0]).count_ones()
        });
        let bits = f64::from(differ.sum::<u32>()) / 10_000.0;
        assert!((bits - 32.0).abs() < 0.2, "neighbours differ in {bits} of 64 bits");
    }

    #[test]
    fn numbers_below_are_uniform() {
        let mut random = Random::new(5);
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        // Four numbers for three results: without the rejection, multiples of three come twice as
        // often.
        let n = 3_u64 << 62;
        let threes = (0..30_000).filter(|_| random.below(n).is_multiple_of(3)).count();
        assert!((9_700..10_300).contains(&threes), "{threes} of 30000 are multiples of three");
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[usize::try_from(random.below(7)).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)), "{counts:?}");
    }

    #[test]
    fn units_fill_the_range() {
        let mut random = Random::new(6);
        let units: Vec<f64> = (0..100_000).map(|_| random.unit()).collect();
        assert!(units.iter().all(|unit| (0.0..1.0).contains(unit)));
        let mean = units.iter().sum::<f64>() / 1e5;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
    }
}

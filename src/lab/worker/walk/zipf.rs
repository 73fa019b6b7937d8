//! Some pages much more often than others: ranks by the law of Zipf.
//!
//! By rejection-inversion (W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates
//! from monotone discrete distributions", 1996): a point below the curve x^-skew is found by the
//! inverse of its integral, and the nearest whole number is taken, or seldom another point. That
//! needs no table, and one skew is like another, also 1.

use crate::lab::worker::Random;

/// No larger skew makes a difference: with this one the first rank is all that is seen.
const STEEPEST: f64 = 64.0;

/// Ranks, of which the n-th comes with a chance of 1/n^skew.
#[derive(Clone, Debug)]
pub(super) struct Zipf {
    ranks: u64,
    skew: f64,
    /// The integral where the first rank begins, and where the last ends.
    first: f64,
    last: f64,
    /// Points so near to a whole number are always below the curve.
    near: f64,
}

impl Zipf {
    /// There must be a rank. A skew that is none is taken for 0: all ranks come as often.
    pub(super) fn new(ranks: u64, skew: f64) -> Self {
        let skew = if skew.is_nan() { 0.0 } else { skew.clamp(0.0, STEEPEST) };
        let curve = Self { ranks, skew, first: 0.0, last: 0.0, near: 0.0 };
        Self {
            first: curve.integral(1.5) - 1.0,
            last: curve.integral(ranks as f64 + 0.5),
            near: 2.0 - curve.inverse(curve.integral(2.5) - curve.height(2.0)),
            ..curve
        }
    }

    /// One of them, from 0 on.
    #[inline]
    pub(super) fn rank(&self, random: &mut Random) -> u64 {
        loop {
            let area = self.last + random.unit() * (self.first - self.last);
            let point = self.inverse(area);
            let rank = nearest(point).clamp(1, self.ranks);
            let whole = rank as f64;
            if whole - point <= self.near || area >= self.integral(whole + 0.5) - self.height(whole)
            {
                return rank - 1;
            }
        }
    }

    /// x^-skew.
    fn height(&self, x: f64) -> f64 {
        (-self.skew * x.ln()).exp()
    }

    /// The integral of that from 1 on: (x^(1-skew) - 1) / (1 - skew), or ln x where skew is 1.
    fn integral(&self, x: f64) -> f64 {
        let log = x.ln();
        let power = (1.0 - self.skew) * log;
        if power == 0.0 { log } else { power.exp_m1() / power * log }
    }

    /// Where the integral has this value.
    fn inverse(&self, area: f64) -> f64 {
        // Rounding must not lead to the logarithm of less than nothing.
        let power = (area * (1.0 - self.skew)).max(-1.0);
        let log = if power == 0.0 { area } else { power.ln_1p() / power * area };
        log.exp()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "points are no less than nothing, and too much becomes the most"
)]
fn nearest(point: f64) -> u64 {
    (point + 0.5) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: u32 = 300_000;

    /// How far the first ten ranks and all others together are from the law, as chi-square.
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
    fn ranks_come_as_often_as_the_law_says() {
        for (seed, skew) in (1..).zip([0.2, 0.5, 0.8, 0.99, 1.0, 1.000_001, 1.2, 2.0]) {
            let distance = distance(20_000, skew, seed);
            // More than this comes once in 1000 by chance.
            assert!(distance < 29.6, "skew {skew}: {distance}");
        }
        assert!(distance(11, 1.0, 9) < 29.6);
    }

    #[test]
    fn the_inverse_leads_back_and_beyond_no_logarithm() {
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
    fn odd_skews_and_few_pages_come_to_an_end() {
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

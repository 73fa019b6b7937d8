//! A compact histogram of durations without a limit on the number of values.

use crate::whole;
use serde::{Deserialize, Serialize};

/// Buckets per power of two: a bucket ends at most a sixteenth above its values.
const PARTS: u64 = 16;
const PART_BITS: u32 = PARTS.trailing_zeros();

/// Counts of values: small values exactly, larger ones in sixteenths of a power of two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// Number of values in each bucket, up to the last bucket in use.
    #[serde(rename = "boxes")]
    buckets: Vec<u64>,
    /// Sum of all values.
    sum: u64,
    /// Largest value.
    max: u64,
}

impl Histogram {
    /// Share of a value by which a quantile below the maximum can be off.
    pub const ACCURACY: f64 = 1.0 / PARTS as f64;

    /// Adds a value.
    #[inline]
    pub fn add(&mut self, value: u64) {
        let place = place(value);
        if place >= self.buckets.len() {
            self.buckets.resize(place + 1, 0);
        }
        if let Some(count) = self.buckets.get_mut(place) {
            *count += 1;
        }
        self.sum = self.sum.saturating_add(value);
        self.max = self.max.max(value);
    }

    /// Adds all values of another histogram.
    pub fn merge(&mut self, other: &Self) {
        if self.buckets.len() < other.buckets.len() {
            self.buckets.resize(other.buckets.len(), 0);
        }
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            *mine = mine.saturating_add(*theirs);
        }
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.buckets.iter().copied().fold(0, u64::saturating_add)
    }

    /// Largest value; `None` if empty.
    pub fn max(&self) -> Option<u64> {
        (self.count() > 0).then_some(self.max)
    }

    /// Mean; `None` if empty.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum as f64 / count as f64)
    }

    /// Quantile: upper bound of this share of the values, as if they were spread evenly in their bucket, so within
    /// [`ACCURACY`](Self::ACCURACY); `None` if empty.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        let wanted = whole((count as f64 * share.clamp(0.0, 1.0)).ceil()).max(1);
        let mut seen = 0_u64;
        for (place, held) in self.buckets.iter().enumerate() {
            let rank = wanted.saturating_sub(seen);
            if rank <= *held {
                let below = place.checked_sub(1).map_or(0, largest);
                let part = (largest(place) - below) as f64 * (rank as f64 / *held as f64);
                return Some(below.saturating_add(whole(part.ceil())).min(self.max));
            }
            seen = seen.saturating_add(*held);
        }
        Some(self.max)
    }

    /// The non-empty buckets: largest value of the bucket, and count.
    pub fn filled(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let held = self.buckets.iter().enumerate().filter(|(_, count)| **count > 0);
        held.map(|(place, count)| (largest(place), *count))
    }
}

/// Bucket of a value.
#[inline]
fn place(value: u64) -> usize {
    if value < PARTS {
        // Small enough for any integer type.
        return usize::try_from(value).unwrap_or(usize::MAX);
    }
    let power = value.ilog2();
    let part = (value >> (power - PART_BITS)) - PARTS;
    let place = u64::from(power - PART_BITS + 1) * PARTS + part;
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// Largest value of a bucket.
fn largest(place: usize) -> u64 {
    let place = place as u64;
    if place < PARTS {
        return place;
    }
    let shift = place / PARTS - 1;
    let part = PARTS + place % PARTS;
    if shift >= u64::from(u64::BITS) {
        // More buckets than 64-bit numbers need: only a foreign file has them.
        return u64::MAX;
    }
    // The last bucket ends at the largest number.
    (((u128::from(part) + 1) << shift) - 1).try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_ends_at_most_a_sixteenth_above_its_values() {
        let values = (0..64).flat_map(|power| {
            let base = 1_u64 << power;
            [base, base + base / 3, base + (base - 1)]
        });
        for value in values {
            let end = largest(place(value));
            assert!(end >= value, "{value}: {end}");
            assert!(end - value <= value / PARTS, "{value}: {end}");
        }
        assert_eq!(largest(place(u64::MAX)), u64::MAX);
    }

    #[test]
    fn buckets_have_no_gaps() {
        for bucket in 0..900 {
            assert_eq!(place(largest(bucket)), bucket);
            if largest(bucket) < u64::MAX {
                assert_eq!(place(largest(bucket) + 1), bucket + 1);
            }
        }
    }

    #[test]
    fn quantiles_are_those_of_the_values() {
        let mut histogram = Histogram::default();
        assert_eq!(
            (histogram.quantile(0.5), histogram.mean(), histogram.max()),
            (None, None, None)
        );
        for value in 1..=1000 {
            histogram.add(value);
        }
        for (share, exact) in [(0.5, 500), (0.99, 990), (0.999, 999), (1.0, 1000), (0.0, 1)] {
            let found = histogram.quantile(share).unwrap();
            assert!(found.abs_diff(exact) <= exact / 200, "{share}: {found}");
        }
        assert_eq!(histogram.max(), Some(1000));
        assert!((histogram.mean().unwrap() - 500.5).abs() < 1e-9);
    }

    #[test]
    fn merging_equals_adding_all_values() {
        let (mut one, mut other, mut both) =
            (Histogram::default(), Histogram::default(), Histogram::default());
        for value in [3, 70, 5_000_000] {
            one.add(value);
            both.add(value);
        }
        for value in [9, 70, 800_000_000_000] {
            other.add(value);
            both.add(value);
        }
        one.merge(&other);
        assert_eq!(one, both);
    }

    #[test]
    fn oversized_files_saturate() {
        let text = format!("{{\"boxes\":{:?},\"sum\":1,\"max\":7}}", vec![u64::MAX; 3000]);
        let mut read: Histogram = serde_json::from_str(&text).unwrap();
        read.merge(&read.clone());
        assert_eq!((read.count(), read.quantile(1.0)), (u64::MAX, Some(0)));
        assert_eq!(read.filled().last(), Some((u64::MAX, u64::MAX)));
    }
}

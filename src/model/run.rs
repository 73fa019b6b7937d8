//! Results of a run of a workload.

use super::load::Workload;
use super::{Bytes, Name};
use crate::whole;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the document format of stored results.
pub const SCHEMA: u32 = 1;

/// A run: workload, machine, and the results of each repetition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Version of the document format.
    pub schema: u32,
    /// Version of the program that wrote it.
    pub version: String,
    /// Number of the stored result; 0 if it is not stored.
    pub id: u64,
    /// Start time in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// Title: of the workload, or of the experiment and the case.
    pub title: String,
    /// Workload.
    pub workload: Workload,
    /// Memory limit in bytes; `None` if the whole machine was under pressure.
    pub limit: Option<Bytes>,
    /// Planned repetitions; `None` in documents without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetitions: Option<u32>,
    /// The seed.
    pub seed: u64,
    /// The machine.
    pub machine: RunMachine,
    /// Values of knobs, by name.
    pub settings: BTreeMap<String, String>,
    /// Results of the repetitions.
    pub measured: Vec<RepetitionResult>,
}

/// A repetition that was stopped earlier than this, in seconds, was not fully observed.
const MIN_OBSERVED_SECS: f64 = 0.25;

impl Run {
    /// Whether the run has no data: no process was started, or it was stopped before any process reported and
    /// before more than its areas was observed.
    pub fn is_empty(&self) -> bool {
        let is_empty = |measured: &RepetitionResult| {
            let is_stopped = matches!(measured.end, RepetitionEnd::Stopped { .. });
            let mut between = measured.used.at.iter().rev().skip(1);
            let is_seen = !measured.tasks.is_empty() || between.any(|at| *at >= MIN_OBSERVED_SECS);
            measured.elapsed.is_none() || (is_stopped && !is_seen)
        };
        self.measured.iter().all(is_empty)
    }
}

/// The machine during the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunMachine {
    /// Kernel release.
    pub kernel: Option<String>,
    /// Allocation policy of the kernel; `None` if unknown.
    pub policy: Option<String>,
    /// Total memory.
    pub memory: Option<Bytes>,
    /// Number of CPUs.
    pub cpus: Option<u64>,
    /// Page size.
    pub page_size: Option<u64>,
    /// Areas, in the order of the kernel.
    pub areas: Vec<RunArea>,
}

/// An area during the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunArea {
    /// Path.
    pub path: Name,
    /// Kind of device; `None` if it could not be read.
    pub kind: Option<String>,
    /// Size.
    pub size: Bytes,
    /// Priority as shown by the kernel.
    pub priority: i32,
    /// Compression algorithm of zram.
    pub algorithm: Option<String>,
    /// Whether it was created for the run.
    pub ours: bool,
}

/// Results of one repetition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepetitionResult {
    /// Seconds from the start of the first process to the exit of the last; `None` without a process.
    pub elapsed: Option<f64>,
    /// User CPU time of all processes, in seconds; `None` if it is unknown for one of them.
    pub user: Option<f64>,
    /// System CPU time of all processes, in seconds.
    pub system: Option<f64>,
    /// Results of each process.
    pub tasks: Vec<TaskRun>,
    /// Changes of vmstat counters, by name.
    pub counters: BTreeMap<String, u64>,
    /// Figures of the run's own cgroup; `None` without one, or in older documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<OwnFigures>,
    /// Changes of large folio statistics, by size, smallest first.
    pub folios: Vec<FolioRun>,
    /// Used swap and memory over time.
    pub used: UsedOverTime,
    /// Peak values of zram devices.
    pub zram: Vec<ZramRun>,
    /// Peak values of zswap; `None` if the kernel did not show them, or in older documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zswap: Option<ZswapRun>,
    /// PSI memory stall times of the machine.
    pub stall: Option<Stalls>,
    /// Duration of swapoff of the temporary areas while the memory was held, in seconds.
    pub swapoff: Option<f64>,
    /// Estimated duration of that swapoff; `None` in older documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swapoff_expected: Option<f64>,
    /// Data on those areas at the start of the swapoff.
    pub switched_off: Option<Bytes>,
    /// Peak memory of the cgroup.
    pub peak: Option<Bytes>,
    /// Outcome.
    pub end: RepetitionEnd,
}

impl RepetitionResult {
    /// A failed repetition without data.
    pub fn failed(why: String) -> Self {
        Self {
            elapsed: None,
            user: None,
            system: None,
            tasks: Vec::new(),
            counters: BTreeMap::new(),
            own: None,
            folios: Vec::new(),
            used: UsedOverTime::default(),
            zram: Vec::new(),
            stall: None,
            zswap: None,
            swapoff: None,
            swapoff_expected: None,
            switched_off: None,
            peak: None,
            end: RepetitionEnd::Failed { why },
        }
    }
}

/// Figures of the cgroup of a run, in which no other program is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OwnFigures {
    /// Counters of memory.stat, by their names in vmstat, as far as the kernel has them for a cgroup.
    pub counters: BTreeMap<String, u64>,
    /// PSI memory stall times; `None` on version 1.
    pub stall: Option<Stalls>,
}

/// Outcome of a repetition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "end")]
pub enum RepetitionEnd {
    /// All processes completed.
    Done,
    /// The guard stopped it.
    Stopped {
        /// Limit of the guard, and the observed value.
        why: String,
    },
    /// A process failed or was killed.
    Failed {
        /// Reason.
        why: String,
    },
}

/// Accesses of a process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TouchStats {
    /// Accessed bytes, as the workload counts them: whole pages, or words.
    pub bytes: Bytes,
    /// Number of page accesses.
    pub touches: u64,
    /// Time from the start to the last access, in nanoseconds.
    pub touch_ns: u64,
    /// Time from the start of the run to the last access.
    pub since_begin_ns: u64,
    /// Time to fill the memory before the start, in nanoseconds; `None` without prefault.
    pub fill_ns: Option<u64>,
    /// Checksum of the accessed positions, in order.
    pub places: u64,
    /// Checksum of the written page contents.
    pub painted: u64,
    /// Latency of the accesses.
    pub latency: Latency,
    /// Overhead of an access to a resident page (loop and clock), in nanoseconds.
    pub own_ns: f64,
}

/// Latency of accesses by kind of fault.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// All accesses.
    pub all: Histogram,
    /// A sample of the accesses without a fault.
    pub none: Histogram,
    /// A sample of the accesses with a minor fault.
    pub minor: Histogram,
    /// A sample of the accesses with a major fault.
    pub major: Histogram,
    /// One access in this many is sampled, because determining the kind of fault costs more than an access.
    pub sampled: u32,
}

/// Results of a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRun {
    /// Index of its worker group.
    pub work: u32,
    /// The accesses.
    pub touched: TouchStats,
    /// Time to free its memory, in nanoseconds.
    pub free_ns: Option<u64>,
    /// User CPU time in seconds.
    pub user: f64,
    /// System CPU time in seconds.
    pub system: f64,
    /// Minor faults of the process and its children; `None` in older documents.
    pub minor: Option<u64>,
    /// Major faults of the process and its children; `None` in older documents.
    pub major: Option<u64>,
}

/// Large folios of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolioRun {
    /// Folio size.
    pub size: Bytes,
    /// Changes of its statistics, by file name.
    pub stats: BTreeMap<String, u64>,
}

impl FolioRun {
    /// Number of folios swapped out whole, and split; `None` if the kernel does not count them. zswap splits
    /// a folio only after it got its slots, so such a folio counts as whole.
    pub fn whole_and_split(&self) -> Option<(u64, u64)> {
        let stat = |name: &str| self.stats.get(name).copied();
        let whole = stat("swpout")?.saturating_add(stat("zswpout").unwrap_or(0));
        Some((whole, stat("swpout_fallback")?))
    }
}

/// Used swap and memory over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UsedOverTime {
    /// Times in seconds since the start.
    pub at: Vec<f64>,
    /// Used space of each area at each time; `None` while it was disabled.
    pub areas: Vec<AreaOverTime>,
    /// Memory of the cgroup at each time.
    pub memory: Vec<Option<Bytes>>,
    /// Large folios of swapped sizes; empty in older documents.
    #[serde(default)]
    pub folios: Vec<FoliosOverTime>,
}

/// Swap-outs of large folios of one size since the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoliosOverTime {
    /// Folio size.
    pub size: Bytes,
    /// Folios swapped out whole until each time.
    pub whole: Vec<Option<u64>>,
    /// Folios split until each time.
    pub split: Vec<Option<u64>>,
}

/// Used space of an area over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaOverTime {
    /// Path.
    pub path: Name,
    /// Used bytes at each time.
    pub used: Vec<Option<Bytes>>,
}

/// Peak values of a zram device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZramRun {
    /// Path.
    pub path: Name,
    /// Data before compression, without same-filled and written-back pages.
    pub stored: Bytes,
    /// Compressed size.
    pub compressed: Bytes,
    /// Memory used.
    pub memory: Bytes,
}

/// Peak values of the zswap pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZswapRun {
    /// Memory of the pool.
    pub pool: Bytes,
    /// Data before compression, which also occupies as much space on the areas.
    pub blocked: Bytes,
}

/// PSI stall times in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stalls {
    /// At least one task stalled.
    pub some: f64,
    /// All tasks stalled.
    pub full: f64,
}

// A compact histogram of durations without a limit on the number of values.

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
mod histogram_tests {
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

//! Past samples, and the series of figures that are drawn as histories.
//!
//! Samples are kept whole, so that every screen can go back to them. They share unchanged parts, and are
//! bounded in number and bytes. Cluster maps of a live machine are kept for the newest sample only: the
//! map of a large area is larger than all the rest.

use super::table_query::{TableQuery, ask};
use crate::columns::{Query, Spec, Style, Value, query};
use crate::derive::SampleView;
use crate::model::{PartSet, Sampled, Snapshot, Stamp};
use crate::ui::table_query::ids::{
    devices, headroom, mthp, paging, readahead, status, zram, zswap,
};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// A sample, and the earlier one that its rates refer to.
#[derive(Clone, Debug)]
pub struct HistoryEntry {
    /// The sample.
    pub now: Snapshot,
    /// Each part as it was read the previous time.
    pub before: Option<Snapshot>,
    /// The bytes that only this sample holds.
    bytes: usize,
}

impl HistoryEntry {
    /// The view for tables.
    pub fn view(&self) -> SampleView<'_> {
        SampleView { now: &self.now, before: self.before.as_ref() }
    }
}

/// The bounds of the history.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Maximum number of samples.
    pub moments: usize,
    /// Maximum bytes of all samples.
    pub bytes: usize,
}

impl Bounds {
    /// Bounds for a live machine: somewhat more than ten minutes at one sample a second.
    pub const LIVE: Self = Self { moments: 660, bytes: 6 << 20 };
    /// Bounds for a recording, which cannot be sampled again.
    pub const RECORDING: Self = Self { moments: 20_000, bytes: 256 << 20 };

    /// Is there room for cluster maps of more than the newest sample?
    fn keep_maps(self) -> bool {
        self.bytes >= Self::RECORDING.bytes
    }
}

/// Past samples.
#[derive(Debug)]
pub struct History {
    moments: VecDeque<HistoryEntry>,
    /// The number of the first sample; numbers never change.
    first: u64,
    bytes: usize,
    bounds: Bounds,
    series: Series,
}

impl History {
    /// An empty history.
    pub fn new(bounds: Bounds) -> Self {
        Self { moments: VecDeque::new(), first: 0, bytes: 0, bounds, series: Series::default() }
    }

    /// Adds a sample. Parts that it did not read are taken from the previous one.
    pub fn push(&mut self, mut now: Snapshot) {
        let mut before = None;
        let mut bytes = 0;
        let mut maps = None;
        if let Some(last) = self.moments.back_mut() {
            // The details of a page that was closed would stand for what was just read.
            let subject = std::mem::replace(&mut now.subject, Sampled::none());
            now.carry(&last.now);
            now.subject = subject;
            if !self.bounds.keep_maps() {
                last.now.take_maps();
                // Cluster maps of a live machine do not belong to the past.
                maps = Some(now.take_maps());
            }
            now.share(&last.now);
            // Only the containers of the previous sample count: its parts are shared.
            bytes = now.own_bytes(&last.now) + size_of::<Snapshot>();
            let base = now.earlier(&last.now, last.before.as_ref());
            bytes += std::mem::size_of_val(base.swaps_past.as_slice());
            before = Some(base);
        }
        if let Some(maps) = maps {
            now.put_maps(maps);
        }
        let moment = HistoryEntry { now, before, bytes };
        self.series.push(&moment.view());
        self.bytes += bytes;
        self.moments.push_back(moment);
        while self.series.length() > self.bounds.moments {
            self.series.forget_oldest();
        }
        while self.moments.len() > self.bounds.moments || self.bytes > self.bounds.bytes {
            if !self.forget_oldest() {
                break;
            }
        }
    }

    fn forget_oldest(&mut self) -> bool {
        if self.moments.len() <= 2 {
            return false;
        }
        let Some(oldest) = self.moments.pop_front() else { return false };
        self.bytes = self.bytes.saturating_sub(oldest.bytes);
        self.first += 1;
        true
    }

    /// The parts to sample for the recorded series.
    pub fn needs(&self) -> PartSet {
        self.series.needs()
    }

    /// The numbers of the oldest and the newest sample.
    pub fn span(&self) -> Option<(u64, u64)> {
        let last = (self.moments.len() as u64).checked_sub(1)?;
        Some((self.first, self.first + last))
    }

    /// A sample by its number.
    pub fn get(&self, number: u64) -> Option<&HistoryEntry> {
        let place = number.checked_sub(self.first)?;
        self.moments.get(usize::try_from(place).ok()?)
    }

    /// The time between two samples around this one, if known.
    pub fn step(&self, number: u64) -> Option<Duration> {
        const LOOK: u64 = 8;
        let near = number.saturating_sub(LOOK)..=number;
        let moments: Vec<&HistoryEntry> = near.filter_map(|number| self.get(number)).collect();
        let pairs = moments.iter().zip(moments.iter().skip(1));
        let gaps = pairs.map(|(a, b)| b.now.stamp.seconds_since(a.now.stamp));
        let mut gaps: Vec<f64> = gaps.filter(|gap| *gap > 0.0).collect();
        gaps.sort_by(f64::total_cmp);
        // The median: a key press samples early, and a busy machine late.
        Duration::try_from_secs_f64(*gaps.get(gaps.len() / 2)?).ok()
    }

    /// The oldest sample at most this long before another one, or the previous one if samples are further
    /// apart.
    pub fn before(&self, number: u64, time: Duration) -> Option<&Snapshot> {
        let end = self.get(number)?.now.stamp;
        let (first, _) = self.span()?;
        // A little more time than requested is better than one sample less.
        let most = time.as_secs_f64() + 0.5;
        let older = (first..number).rev().filter_map(|number| self.get(number));
        let near = older.take_while(|moment| end.seconds_since(moment.now.stamp) <= most);
        near.last().or_else(|| self.get(number.checked_sub(1)?)).map(|moment| &moment.now)
    }

    /// The newest sample.
    pub fn newest(&self) -> Option<&HistoryEntry> {
        self.moments.back()
    }

    /// The values of a figure up to a sample, one for each step of time, oldest first; none where nothing
    /// was measured.
    pub fn track(
        &self,
        key: &SeriesKey,
        until: u64,
        step: Duration,
        steps: usize,
    ) -> Vec<Option<f64>> {
        let Some(end) = self.get(until) else { return vec![None; steps] };
        track_values(self.newest_first(key, until), end.now.stamp, step, steps)
    }

    /// The recorded values of a figure up to a sample, newest first.
    pub fn newest_first<'h>(
        &'h self,
        key: &SeriesKey,
        until: u64,
    ) -> impl Iterator<Item = (Stamp, f32)> + use<'h> {
        let later_ones = self.span().map_or(0, |(_, last)| last - until);
        self.series.newest_first(key, usize::try_from(later_ones).unwrap_or(usize::MAX))
    }
}

/// Values, newest first, at the steps up to a time, oldest first; none where nothing was measured.
pub fn track_values(
    newest_first: impl Iterator<Item = (Stamp, f32)>,
    end: Stamp,
    step: Duration,
    steps: usize,
) -> Vec<Option<f64>> {
    let mut track = vec![None; steps];
    let step = step.as_secs_f64().max(0.001);
    let mut later = 0.0;
    for (stamp, value) in newest_first {
        let passed = end.seconds_since(stamp) / step;
        if passed.round() >= steps as f64 {
            break;
        }
        // A sample that came slightly late leaves no gap.
        let until = if passed - later < LATE_STEPS { later.round() + 1.0 } else { passed.round() };
        later = passed;
        if !value.is_nan() {
            for ago in [passed.round(), until.min(passed.round())] {
                note(&mut track, ago, f64::from(value));
            }
        }
    }
    track
}

/// A distance of more steps than this between two samples is a gap.
const LATE_STEPS: f64 = 1.9;

/// Stores a value in its step; the larger of two values in a step wins.
fn note(track: &mut [Option<f64>], ago: f64, value: f64) {
    if let Some(step) = slot(track.len(), ago).and_then(|slot| track.get_mut(slot)) {
        *step = Some(step.map_or(value, |other| other.max(value)));
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and less than the number of steps"
)]
fn slot(steps: usize, ago: f64) -> Option<usize> {
    steps.checked_sub(1 + ago as usize)
}

/// The key of a series.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeriesKey {
    /// The table.
    pub table: &'static str,
    /// The row, by the value of the table's key.
    pub row: String,
    /// The column.
    pub column: &'static str,
}

/// The columns of recorded series. They need only parts that are read every second.
pub const RECORDED_COLUMNS: &[TableQuery] = &[
    ask!(status: SWAP_USED MEM_AVAILABLE MEMORY_SOME MEMORY_FULL IO_SOME IO_FULL),
    ask!(paging: IN_RATE OUT_RATE MAJOR_FAULT_RATE REFAULT_RATE REFAULT_FILE_RATE SCAN_KSWAPD SCAN_DIRECT STEAL_CGROUPS STALLS),
    ask!(readahead: AHEAD_RATE HIT_RATE WASTED_RATE),
    ask!(devices: USED IN_RATE OUT_RATE),
    ask!(zram: MEMORY),
    ask!(headroom: COMPRESSED_DATA COMPRESSED_MEMORY),
    ask!(zswap: POOL OUT_RATE WRITEBACK_RATE),
    ask!(mthp: SWPOUT_RATE FALLBACK_RATE),
];

/// The values of all recorded series, NaN where unknown. They are small, and are kept longer than the
/// samples from which they were computed.
#[derive(Debug)]
pub struct Series {
    queries: Vec<Query>,
    needs: PartSet,
    rings: BTreeMap<SeriesKey, VecDeque<f32>>,
    /// When each value was measured.
    stamps: VecDeque<Stamp>,
}

impl Default for Series {
    fn default() -> Self {
        let queries: Vec<Query> = RECORDED_COLUMNS.iter().filter_map(TableQuery::query).collect();
        let needs = query::needs(&queries);
        Self { queries, needs, rings: BTreeMap::new(), stamps: VecDeque::new() }
    }
}

impl Series {
    /// The parts to sample for all series.
    pub fn needs(&self) -> PartSet {
        self.needs
    }

    /// Adds the values of a view.
    pub fn push(&mut self, view: &SampleView<'_>) {
        let past = self.stamps.len();
        self.stamps.push_back(view.now.stamp);
        for query in &self.queries {
            let Ok(rows) = query.rows(view).into_result() else { continue };
            for (cells, row) in rows.cells.iter().zip(&rows.keys) {
                let name = row_name(query.spec, row);
                for (value, info) in cells.iter().zip(&rows.infos) {
                    let (table, row, column) = (query.spec.name, name.clone(), info.id);
                    let ring = self.rings.entry(SeriesKey { table, row, column }).or_default();
                    // A new row has no past.
                    ring.resize(past, f32::NAN);
                    ring.push_back(value.number().map_or(f32::NAN, single));
                }
            }
        }
        for ring in self.rings.values_mut() {
            ring.resize(past + 1, f32::NAN);
        }
    }

    /// Removes the oldest value of each series, and series that are empty.
    pub fn forget_oldest(&mut self) {
        self.stamps.pop_front();
        for ring in self.rings.values_mut() {
            ring.pop_front();
        }
        self.rings.retain(|_, ring| ring.iter().any(|value| !value.is_nan()));
    }

    /// The number of values of each series.
    pub fn length(&self) -> usize {
        self.stamps.len()
    }

    /// The values of one figure with their times, newest first, without this many of the newest.
    pub fn newest_first<'s>(
        &'s self,
        key: &SeriesKey,
        without: usize,
    ) -> impl Iterator<Item = (Stamp, f32)> + use<'s> {
        let end = self.length().saturating_sub(without);
        let values = self.rings.get(key).map(|ring| ring.range(..end).copied());
        let stamps = self.stamps.range(..end).copied();
        values.into_iter().flat_map(move |values| stamps.clone().zip(values).rev())
    }
}

/// The name of a row within its table; empty if there is only one row.
pub fn row_name(spec: &Spec, key: &Value) -> String {
    if spec.style == Style::Record { String::new() } else { key.plain() }
}

/// Single precision is enough for a picture, at half the size.
#[expect(clippy::cast_possible_truncation, reason = "a picture needs no more")]
fn single(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests;

//! What was seen: the last minutes of snapshots, and of the figures that are drawn as histories.
//!
//! A moment is kept whole, so that every screen can go back to it. Snapshots share whatever did
//! not change between them; what is left is bounded in number and in bytes. Maps of clusters are not
//! kept of a live machine: one of a large area takes more than all the rest of the past.

use super::series::{Key, Series};
use crate::derive::View;
use crate::model::{PartSet, Snapshot};
use std::collections::VecDeque;
use std::time::Duration;

/// A snapshot, and what its rates are measured against.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The snapshot.
    pub now: Snapshot,
    /// Each part as it was read the time before.
    pub before: Option<Snapshot>,
    /// Bytes that no other moment holds.
    bytes: usize,
}

impl Moment {
    /// For tables.
    pub fn view(&self) -> View<'_> {
        View { now: &self.now, before: self.before.as_ref() }
    }
}

/// How much is kept.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Moments.
    pub moments: usize,
    /// Bytes of all of them.
    pub bytes: usize,
}

impl Bounds {
    /// For a live machine: ten minutes at one a second, and some more.
    pub const LIVE: Self = Self { moments: 660, bytes: 6 << 20 };
    /// For a recording, which nobody can look at again as easily as at a machine.
    pub const RECORDING: Self = Self { moments: 20_000, bytes: 256 << 20 };

    /// Is there room for maps of clusters beside that of the newest moment?
    fn keep_maps(self) -> bool {
        self.bytes >= Self::RECORDING.bytes
    }
}

/// What was seen.
#[derive(Debug)]
pub struct History {
    moments: VecDeque<Moment>,
    /// The number of the first moment: each has one for good.
    first: u64,
    bytes: usize,
    bounds: Bounds,
    series: Series,
}

impl History {
    /// Nothing seen yet.
    pub fn new(bounds: Bounds) -> Self {
        Self { moments: VecDeque::new(), first: 0, bytes: 0, bounds, series: Series::default() }
    }

    /// Add a snapshot. Parts that it did not read are those of the one before it.
    pub fn push(&mut self, mut now: Snapshot) {
        let mut before = None;
        let mut bytes = 0;
        let mut maps = None;
        if let Some(last) = self.moments.back_mut() {
            now.carry(&last.now);
            if !self.bounds.keep_maps() {
                last.now.take_maps();
                // What follows is of the past, and they are no part of that.
                maps = Some(now.take_maps());
            }
            now.share(&last.now);
            // Of the one before it, only what leads to the parts is its own.
            bytes = now.own_bytes(&last.now) + size_of::<Snapshot>();
            before = Some(now.earlier(&last.now, last.before.as_ref()));
        }
        if let Some(maps) = maps {
            now.put_maps(maps);
        }
        let moment = Moment { now, before, bytes };
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

    /// The parts that have to be sampled for the figures whose past is kept.
    pub fn needs(&self) -> PartSet {
        self.series.needs()
    }

    /// The numbers of the oldest and the newest moment.
    pub fn span(&self) -> Option<(u64, u64)> {
        let last = (self.moments.len() as u64).checked_sub(1)?;
        Some((self.first, self.first + last))
    }

    /// A moment by its number.
    pub fn get(&self, number: u64) -> Option<&Moment> {
        let place = number.checked_sub(self.first)?;
        self.moments.get(usize::try_from(place).ok()?)
    }

    /// The time between two samples around a moment, as far as that is known.
    pub fn step(&self, number: u64) -> Option<Duration> {
        const LOOK: u64 = 8;
        let near = number.saturating_sub(LOOK)..=number;
        let moments: Vec<&Moment> = near.filter_map(|number| self.get(number)).collect();
        let pairs = moments.iter().zip(moments.iter().skip(1));
        let gaps = pairs.map(|(a, b)| b.now.stamp.seconds_since(a.now.stamp));
        let least = gaps.filter(|gap| *gap > 0.0).min_by(f64::total_cmp)?;
        Duration::try_from_secs_f64(least).ok()
    }

    /// The oldest snapshot that lies at most so long before a moment; the one before it where
    /// samples are further apart.
    pub fn before(&self, number: u64, time: Duration) -> Option<&Snapshot> {
        let end = self.get(number)?.now.stamp;
        let (first, _) = self.span()?;
        // A little more than was asked for is better than a sample less.
        let most = time.as_secs_f64() + 0.5;
        let older = (first..number).rev().filter_map(|number| self.get(number));
        let near = older.take_while(|moment| end.seconds_since(moment.now.stamp) <= most);
        near.last().or_else(|| self.get(number.checked_sub(1)?)).map(|moment| &moment.now)
    }

    /// The newest moment.
    pub fn newest(&self) -> Option<&Moment> {
        self.moments.back()
    }

    /// The values of a figure up to a moment, one for each step of time, oldest first; none where
    /// nothing was measured.
    pub fn track(&self, key: &Key, until: u64, step: Duration, steps: usize) -> Vec<Option<f64>> {
        let mut track = vec![None; steps];
        let (Some(end), Some((_, last))) = (self.get(until), self.span()) else { return track };
        let end = end.now.stamp;
        let later_ones = usize::try_from(last - until).unwrap_or(usize::MAX);
        let step = step.as_secs_f64().max(0.001);
        let mut later = 0.0;
        for (stamp, value) in self.series.back(key, later_ones) {
            let passed = end.seconds_since(stamp) / step;
            if passed.round() >= steps as f64 {
                break;
            }
            // A sample that came a little late leaves no hole behind it.
            let until = if passed - later < LATE { later.round() + 1.0 } else { passed.round() };
            later = passed;
            if !value.is_nan() {
                for ago in [passed.round(), until.min(passed.round())] {
                    note(&mut track, ago, f64::from(value));
                }
            }
        }
        track
    }
}

/// More steps than this between two samples are a hole.
const LATE: f64 = 1.9;

/// Put a value into its step; of two in one step the larger one is worth seeing.
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

#[cfg(test)]
mod tests;

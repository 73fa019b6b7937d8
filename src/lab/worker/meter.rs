//! Times of touches, and the end of touching.
//!
//! The clock is read once for each touch: the time since the last reading is the time of the touch,
//! including the loop around it. Faults are counted for a sample of touches, and the time for that
//! is excluded.

use super::messages::{CHECK_PERIOD, ProgressReporter, WorkerStop, share};
use crate::clock::Clock;
use crate::model::load::{MemoryKind, WorkerGroup};
use crate::model::run::{Latency, TouchStats};
use crate::model::{Bytes, whole};
use crate::sys::memory::Mapping;
use crate::sys::process::{Faults, Port, faults};
use std::time::Duration;

/// The sampling interval of faults. A prime, because strides and folios are powers of two.
const SAMPLE_EVERY: u32 = 97;
/// The shortest sleep, in nanoseconds, because sleeping is not more accurate.
const MIN_SLEEP: u64 = 1_000_000;
/// The constants of the FNV-1a hash.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x100_0000_01b3;

/// Measures the times of touches.
#[derive(Debug)]
pub(super) struct TouchMeter<'a> {
    clock: &'a Clock,
    begun: u64,
    /// When the last touch ended.
    ended: u64,
    /// When the next touch begins, as far as known.
    last: u64,
    /// The touches until the next sample.
    left: u32,
    /// The faults before the sampled touch.
    before: Option<Faults>,
    latency: Latency,
    touches: u64,
    places: u64,
}

impl<'a> TouchMeter<'a> {
    /// Starts now.
    pub(super) fn begin(clock: &'a Clock) -> Self {
        let now = clock.nanos();
        Self {
            clock,
            begun: now,
            ended: now,
            last: now,
            left: SAMPLE_EVERY,
            before: None,
            latency: Latency { sampled: SAMPLE_EVERY, ..Latency::default() },
            touches: 0,
            places: BASIS,
        }
    }

    /// Begins a touch.
    #[inline]
    pub(super) fn begin_touch(&mut self) {
        self.left -= 1;
        if self.left == 0 {
            self.faults_before();
        }
    }

    /// Ends a touch, and returns the time.
    #[inline]
    pub(super) fn end_touch(&mut self, page: u64) -> u64 {
        let now = self.clock.nanos();
        let time = now.saturating_sub(self.last);
        self.latency.all.add(time);
        self.touches += 1;
        self.places = (self.places ^ page).wrapping_mul(PRIME);
        (self.ended, self.last) = (now, now);
        if self.left == 0 {
            self.faults_after(time);
        }
        now
    }

    #[cold]
    fn faults_before(&mut self) {
        self.before = faults();
        self.last = self.clock.nanos();
    }

    #[cold]
    fn faults_after(&mut self, time: u64) {
        self.left = SAMPLE_EVERY;
        if let (Some(before), Some(after)) = (self.before.take(), faults()) {
            let met = if after.major > before.major {
                &mut self.latency.major
            } else if after.minor > before.minor {
                &mut self.latency.minor
            } else {
                &mut self.latency.none
            };
            met.add(time);
        }
        self.last = self.clock.nanos();
    }

    /// The mean time of all touches; none without any.
    pub(super) fn mean(&self) -> Option<f64> {
        self.latency.all.mean()
    }

    /// Excludes the time since the last touch.
    pub(super) fn resume(&mut self) -> u64 {
        self.last = self.clock.nanos();
        self.last
    }

    fn sleep(&mut self, nanos: u64) -> u64 {
        self.clock.sleep(Duration::from_nanos(nanos));
        self.resume()
    }

    /// Returns the measurements; the caller adds the rest.
    pub(super) fn into_touched(self, each: u64, run_begun_ns: u64) -> TouchStats {
        TouchStats {
            bytes: Bytes(self.touches.saturating_mul(each)),
            touches: self.touches,
            touch_ns: self.ended.saturating_sub(self.begun),
            since_begin_ns: self.ended.saturating_sub(run_begun_ns),
            places: self.places,
            latency: self.latency,
            ..TouchStats::default()
        }
    }
}

/// The end and the pace of touching.
#[derive(Debug)]
pub(super) struct TouchLimits<'a> {
    /// The number of touches.
    touches: u64,
    /// The end time.
    end: u64,
    /// Nanoseconds per touch.
    pace: Option<f64>,
    /// Whether to map and free a page at each check.
    allocates: bool,
    /// Checks the parent and reports progress.
    watch: ProgressReporter<'a>,
    /// The time of the next check.
    look: u64,
}

impl<'a> TouchLimits<'a> {
    /// Limits the number of touches only.
    pub(super) fn for_count(touches: u64, meter: &TouchMeter<'_>, port: Option<&'a Port>) -> Self {
        let watch = ProgressReporter::begin(meter.begun, port);
        Self {
            touches,
            end: u64::MAX,
            pace: None,
            allocates: false,
            look: watch.next_check(),
            watch,
        }
    }

    /// The limits of a work with this many pages, starting now. `each` is the number of bytes per
    /// touch.
    pub(super) fn for_work(
        work: &WorkerGroup,
        pages: u64,
        each: u64,
        meter: &TouchMeter<'_>,
        port: &'a Port,
    ) -> Result<Self, WorkerStop> {
        let touches = work.passes.map(|passes| round_to_u64(passes * pages as f64).max(1));
        let end =
            work.seconds.map(|seconds| meter.begun.saturating_add(round_to_u64(seconds * 1e9)));
        if touches.is_none() && end.is_none() {
            return Err(WorkerStop::Failed(
                "the work has neither passes nor seconds, so it would never end: set one of \
                 them"
                    .to_owned(),
            ));
        }
        let pace =
            work.pace.filter(|pace| pace.0 > 0).map(|pace| each as f64 * 1e9 / pace.0 as f64);
        let limits = Self::for_count(touches.unwrap_or(u64::MAX), meter, Some(port));
        let allocates = work.allocates;
        Ok(Self { end: end.unwrap_or(u64::MAX), pace, allocates, ..limits })
    }

    /// Whether to continue after a touch that ended now.
    #[inline]
    pub(super) fn should_continue(
        &mut self,
        meter: &mut TouchMeter<'_>,
        now: u64,
    ) -> Result<bool, WorkerStop> {
        if meter.touches >= self.touches {
            return Ok(false);
        }
        if now < self.look { Ok(true) } else { self.check_due(meter, now) }
    }

    #[cold]
    fn check_due(&mut self, meter: &mut TouchMeter<'_>, mut now: u64) -> Result<bool, WorkerStop> {
        loop {
            let Self { touches, end, watch, .. } = self;
            if watch.report(now, || progress(meter, now, (*touches, *end)))? {
                if self.allocates {
                    allocate_page();
                }
                now = meter.resume();
            }
            if now >= self.end {
                return Ok(false);
            }
            let due = self.pace.map_or(0, |pace| {
                meter.begun.saturating_add(round_to_u64(meter.touches as f64 * pace))
            });
            let ahead = due.saturating_sub(now);
            if ahead < MIN_SLEEP {
                break;
            }
            // The sleep ends when another check is due.
            now = meter.sleep(ahead.min(self.end.saturating_sub(now)).min(CHECK_PERIOD));
        }
        // With a pace, every touch is checked.
        self.look = if self.pace.is_some() { 0 } else { self.end.min(self.watch.next_check()) };
        Ok(true)
    }
}

/// Maps a page, uses it and frees it. A failure is ignored.
fn allocate_page() {
    if let Ok(mut page) = Mapping::new(MemoryKind::Anonymous, Bytes(1)) {
        page.add_to_word(0, 1);
    }
}

/// The share done, by the number of touches or by time, whichever is larger; none if neither is
/// limited.
fn progress(meter: &TouchMeter<'_>, now: u64, (touches, end): (u64, u64)) -> Option<f64> {
    let by_touches = (touches < u64::MAX).then(|| share(meter.touches, touches)).flatten();
    let passed = now.saturating_sub(meter.begun);
    let by_time =
        (end < u64::MAX).then(|| share(passed, end.saturating_sub(meter.begun))).flatten();
    by_touches.into_iter().chain(by_time).reduce(f64::max)
}

fn round_to_u64(value: f64) -> u64 {
    whole(value.round())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::worker::touch::testing::{port, task};

    /// The progress of a work of `pages` pages after this many touches and seconds.
    fn progress_after(
        (passes, seconds): (Option<f64>, Option<f64>),
        pages: u64,
        (touches, time): (u64, f64),
    ) -> Option<f64> {
        let (port, _ends) = port();
        let clock = Clock::at(crate::model::Stamp { boot_ns: 7_000_000_000, wall_ms: 0 });
        let mut meter = TouchMeter::begin(&clock);
        let work = WorkerGroup { passes, seconds, ..task(pages).work };
        let limits = TouchLimits::for_work(&work, pages, 4096, &meter, &port).unwrap();
        meter.touches = touches;
        progress(&meter, meter.begun + round_to_u64(time * 1e9), (limits.touches, limits.end))
    }

    #[test]
    fn progress_follows_passes_or_seconds() {
        let (passes, seconds) = (Some(2.0), Some(30.0));
        assert_eq!(progress_after((passes, None), 1024, (512, 1e6)), Some(0.25));
        assert_eq!(progress_after((None, seconds), 1024, (512, 12.0)), Some(0.4));
        assert_eq!(progress_after((passes, seconds), 1024, (512, 12.0)), Some(0.4));
        assert_eq!(progress_after((passes, seconds), 1024, (1536, 12.0)), Some(0.75));
        // A work of 0 seconds has no progress.
        assert_eq!(progress_after((None, Some(0.0)), 1024, (0, 0.0)), None);
    }

    /// Counts the faults of a thread during this many checks.
    fn faults_of_checks(allocates: bool, looks: u64) -> u64 {
        let (port, _ends) = port();
        let clock = Clock::at(crate::model::Stamp { boot_ns: 0, wall_ms: 0 });
        let mut meter = TouchMeter::begin(&clock);
        let work = WorkerGroup { allocates, seconds: Some(1e6), ..task(4).work };
        let mut limits = TouchLimits::for_work(&work, 4, 4096, &meter, &port).unwrap();
        let before = faults().unwrap();
        for look in 1..=looks {
            limits.should_continue(&mut meter, look * CHECK_PERIOD).unwrap();
        }
        faults().unwrap().minor - before.minor
    }

    #[test]
    fn an_allocating_work_takes_a_page_per_check() {
        // Reporting progress causes few faults.
        let (with, without) = (faults_of_checks(true, 64), faults_of_checks(false, 64));
        assert!(with >= 64 && without < 32, "{with} and {without}");
    }

    #[test]
    fn filling_progress_counts_pages() {
        let clock = Clock::at(crate::model::Stamp { boot_ns: 0, wall_ms: 0 });
        let mut meter = TouchMeter::begin(&clock);
        let limits = TouchLimits::for_count(400, &meter, None);
        meter.touches = 100;
        assert_eq!(progress(&meter, 1, (limits.touches, limits.end)), Some(0.25));
    }
}

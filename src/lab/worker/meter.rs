//! How long touches take, and when there were enough of them.
//!
//! The clock is read once for each touch: what has passed since it was read last is the time of
//! the touch, with the loop around it. What a touch met is asked for a sample only, and what that
//! asking costs is in no touch.

use super::messages::{LOOK, Stop, Watch, share};
use crate::clock::Clock;
use crate::model::Bytes;
use crate::model::load::{Memory, Work};
use crate::model::run::{Latency, Touched};
use crate::sys::memory::Mapping;
use crate::sys::process::{Faults, Port, faults};
use std::time::Duration;

/// One in so many touches is in the samples. A prime: strides and folios are powers of two.
const SAMPLED: u32 = 97;
/// Who is ahead of the pace by less does not sleep, in nanoseconds: sleeping is not that exact.
const AHEAD: u64 = 1_000_000;
/// Those of FNV-1a.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x100_0000_01b3;

/// Takes the time of touches.
#[derive(Debug)]
pub(super) struct Meter<'a> {
    clock: &'a Clock,
    begun: u64,
    /// When the last touch ended.
    ended: u64,
    /// When the next begins, as far as is known.
    last: u64,
    /// How many touches until one is in the samples.
    left: u32,
    /// Faults before that one.
    before: Option<Faults>,
    latency: Latency,
    touches: u64,
    places: u64,
}

impl<'a> Meter<'a> {
    /// From now on.
    pub(super) fn begin(clock: &'a Clock) -> Self {
        let now = clock.nanos();
        Self {
            clock,
            begun: now,
            ended: now,
            last: now,
            left: SAMPLED,
            before: None,
            latency: Latency { sampled: SAMPLED, ..Latency::default() },
            touches: 0,
            places: BASIS,
        }
    }

    /// Before a touch.
    #[inline]
    pub(super) fn enter(&mut self) {
        self.left -= 1;
        if self.left == 0 {
            self.ask_before();
        }
    }

    /// After it: the time.
    #[inline]
    pub(super) fn leave(&mut self, page: u64) -> u64 {
        let now = self.clock.nanos();
        let time = now.saturating_sub(self.last);
        self.latency.all.add(time);
        self.touches += 1;
        self.places = (self.places ^ page).wrapping_mul(PRIME);
        (self.ended, self.last) = (now, now);
        if self.left == 0 {
            self.ask_after(time);
        }
        now
    }

    #[cold]
    fn ask_before(&mut self) {
        self.before = faults();
        self.last = self.clock.nanos();
    }

    #[cold]
    fn ask_after(&mut self, time: u64) {
        self.left = SAMPLED;
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

    /// What was done since the last touch belongs to none.
    pub(super) fn resume(&mut self) -> u64 {
        self.last = self.clock.nanos();
        self.last
    }

    fn sleep(&mut self, nanos: u64) -> u64 {
        self.clock.sleep(Duration::from_nanos(nanos));
        self.resume()
    }

    /// What there is to tell of it; the rest is for others to add.
    pub(super) fn told(self, each: u64, run_begun_ns: u64) -> Touched {
        Touched {
            bytes: Bytes(self.touches.saturating_mul(each)),
            touches: self.touches,
            touch_ns: self.ended.saturating_sub(self.begun),
            since_begin_ns: self.ended.saturating_sub(run_begun_ns),
            fill_ns: None,
            places: self.places,
            painted: 0,
            latency: self.latency,
            own_ns: 0.0,
        }
    }
}

/// When touching ends, and how fast it goes.
#[derive(Debug)]
pub(super) struct Limits<'a> {
    /// After so many touches.
    touches: u64,
    /// At this time.
    end: u64,
    /// The nanoseconds that each touch has to itself.
    pace: Option<f64>,
    /// Is a page mapped and given back at each look?
    allocates: bool,
    /// Who wants it.
    watch: Watch<'a>,
    /// When to look at all of this again.
    look: u64,
}

impl<'a> Limits<'a> {
    /// None but a number of touches.
    pub(super) fn count(touches: u64, meter: &Meter<'_>, port: Option<&'a Port>) -> Self {
        let watch = Watch::begin(meter.begun, port);
        Self { touches, end: u64::MAX, pace: None, allocates: false, look: watch.next(), watch }
    }

    /// Those of a work whose memory has so many pages, from now on; `each` is how many bytes a
    /// touch counts for.
    pub(super) fn of(
        work: &Work,
        pages: u64,
        each: u64,
        meter: &Meter<'_>,
        port: &'a Port,
    ) -> Result<Self, Stop> {
        let touches = work.passes.map(|passes| whole(passes * pages as f64).max(1));
        let end = work.seconds.map(|seconds| meter.begun.saturating_add(whole(seconds * 1e9)));
        if touches.is_none() && end.is_none() {
            return Err(Stop::Failed(
                "the work says neither how many passes nor how many seconds its memory is touched; \
                 give it one of them"
                    .to_owned(),
            ));
        }
        let pace =
            work.pace.filter(|pace| pace.0 > 0).map(|pace| each as f64 * 1e9 / pace.0 as f64);
        let limits = Self::count(touches.unwrap_or(u64::MAX), meter, Some(port));
        let allocates = work.allocates;
        Ok(Self { end: end.unwrap_or(u64::MAX), pace, allocates, ..limits })
    }

    /// Does it go on after a touch that ended now?
    #[inline]
    pub(super) fn go_on(&mut self, meter: &mut Meter<'_>, now: u64) -> Result<bool, Stop> {
        if meter.touches >= self.touches {
            return Ok(false);
        }
        if now < self.look { Ok(true) } else { self.look(meter, now) }
    }

    #[cold]
    fn look(&mut self, meter: &mut Meter<'_>, mut now: u64) -> Result<bool, Stop> {
        loop {
            let Self { touches, end, watch, .. } = self;
            if watch.look(now, || far(meter, now, (*touches, *end)))? {
                if self.allocates {
                    allocate();
                }
                now = meter.resume();
            }
            if now >= self.end {
                return Ok(false);
            }
            let due = self
                .pace
                .map_or(0, |pace| meter.begun.saturating_add(whole(meter.touches as f64 * pace)));
            let ahead = due.saturating_sub(now);
            if ahead < AHEAD {
                break;
            }
            // Not longer than until something else is to be looked at.
            now = meter.sleep(ahead.min(self.end.saturating_sub(now)).min(LOOK));
        }
        // Who holds a pace looks after each touch.
        self.look = if self.pace.is_some() { 0 } else { self.end.min(self.watch.next()) };
        Ok(true)
    }
}

/// Map a page, use it, and give it back. Where there is none, nothing is missed.
fn allocate() {
    if let Ok(mut page) = Mapping::new(Memory::Anonymous, Bytes(1)) {
        page.add_to_word(0, 1);
    }
}

/// How far it is now, where it ends after so many touches or at this time, whatever comes first;
/// none where it does neither.
fn far(meter: &Meter<'_>, now: u64, (touches, end): (u64, u64)) -> Option<f64> {
    let by_touches = (touches < u64::MAX).then(|| share(meter.touches, touches)).flatten();
    let passed = now.saturating_sub(meter.begun);
    let by_time =
        (end < u64::MAX).then(|| share(passed, end.saturating_sub(meter.begun))).flatten();
    by_touches.into_iter().chain(by_time).reduce(f64::max)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "nothing here is less than nothing, and too much becomes the most"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::worker::touch::testing::{port, task};

    /// How far a load of so many pages is after so many touches and seconds.
    fn after(
        (passes, seconds): (Option<f64>, Option<f64>),
        pages: u64,
        (touches, time): (u64, f64),
    ) -> Option<f64> {
        let (port, _ends) = port();
        let clock = Clock::at(crate::model::Stamp { boot_ns: 7_000_000_000, wall_ms: 0 });
        let mut meter = Meter::begin(&clock);
        let work = Work { passes, seconds, ..task(pages).work };
        let limits = Limits::of(&work, pages, 4096, &meter, &port).unwrap();
        meter.touches = touches;
        far(&meter, meter.begun + whole(time * 1e9), (limits.touches, limits.end))
    }

    #[test]
    fn how_far_it_is_follows_passes_or_seconds_whichever_is_farther() {
        let (passes, seconds) = (Some(2.0), Some(30.0));
        assert_eq!(after((passes, None), 1024, (512, 1e6)), Some(0.25));
        assert_eq!(after((None, seconds), 1024, (512, 12.0)), Some(0.4));
        assert_eq!(after((passes, seconds), 1024, (512, 12.0)), Some(0.4));
        assert_eq!(after((passes, seconds), 1024, (1536, 12.0)), Some(0.75));
        // A moment of no length is over.
        assert_eq!(after((None, Some(0.0)), 1024, (0, 0.0)), None);
    }

    /// The faults of a thread that looks up so often.
    fn faults_of_looks(allocates: bool, looks: u64) -> u64 {
        let (port, _ends) = port();
        let clock = Clock::at(crate::model::Stamp { boot_ns: 0, wall_ms: 0 });
        let mut meter = Meter::begin(&clock);
        let work = Work { allocates, seconds: Some(1e6), ..task(4).work };
        let mut limits = Limits::of(&work, 4, 4096, &meter, &port).unwrap();
        let before = faults().unwrap();
        for look in 1..=looks {
            limits.go_on(&mut meter, look * LOOK).unwrap();
        }
        faults().unwrap().minor - before.minor
    }

    #[test]
    fn a_page_is_taken_at_each_look_where_the_work_allocates() {
        // Telling how far it is takes few.
        let (with, without) = (faults_of_looks(true, 64), faults_of_looks(false, 64));
        assert!(with >= 64 && without < 32, "{with} and {without}");
    }

    #[test]
    fn filling_is_as_far_as_there_are_pages() {
        let clock = Clock::at(crate::model::Stamp { boot_ns: 0, wall_ms: 0 });
        let mut meter = Meter::begin(&clock);
        let limits = Limits::count(400, &meter, None);
        meter.touches = 100;
        assert_eq!(far(&meter, 1, (limits.touches, limits.end)), Some(0.25));
    }
}

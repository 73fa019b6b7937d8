//! How long touches take, and when there were enough of them.
//!
//! The clock is read once for each touch: what has passed since it was read last is the time of
//! the touch, with the loop around it. What a touch met is asked for a sample only, and what that
//! asking costs is in no touch.

use super::worker::Stop;
use crate::clock::Clock;
use crate::model::Bytes;
use crate::model::load::Work;
use crate::model::run::{Latency, Touched};
use crate::sys::process::{Faults, Port, faults};
use std::time::Duration;

/// One in so many touches is in the samples. A prime: strides and folios are powers of two.
const SAMPLED: u32 = 61;
/// How often it is looked whether anybody still wants this, in nanoseconds.
const LOOK: u64 = 100_000_000;
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
    /// Who wants it; none where nobody can go away.
    port: Option<&'a Port>,
    /// When to look at all of this again.
    look: u64,
    /// When to look whether anybody wants it.
    look_for_port: u64,
}

impl<'a> Limits<'a> {
    /// None but a number of touches.
    pub(super) fn count(touches: u64, port: Option<&'a Port>) -> Self {
        let look = if port.is_some() { 0 } else { u64::MAX };
        Self { touches, end: u64::MAX, pace: None, port, look, look_for_port: look }
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
        let limits = Self::count(touches.unwrap_or(u64::MAX), Some(port));
        Ok(Self { end: end.unwrap_or(u64::MAX), pace, ..limits })
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
            self.look_for_port(now)?;
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
        self.look = if self.pace.is_some() { 0 } else { self.end.min(self.look_for_port) };
        Ok(true)
    }

    fn look_for_port(&mut self, now: u64) -> Result<(), Stop> {
        if now >= self.look_for_port {
            if self.port.is_some_and(Port::deserted) {
                return Err(Stop::Deserted);
            }
            self.look_for_port = now.saturating_add(LOOK);
        }
        Ok(())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "nothing here is less than nothing, and too much becomes the most"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

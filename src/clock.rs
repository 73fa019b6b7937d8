//! Time, from one place: real for the program, by hand for tests and replays.

use crate::model::Stamp;
use std::cell::Cell;
use std::time::Duration;

/// Where time comes from.
#[derive(Debug)]
pub enum Clock {
    /// The machine's clocks.
    Real,
    /// A clock that moves only when told to.
    Manual(Cell<Stamp>),
}

impl Clock {
    /// A clock that stands still at this moment.
    pub fn at(stamp: Stamp) -> Self {
        Self::Manual(Cell::new(stamp))
    }

    /// This moment.
    pub fn now(&self) -> Stamp {
        match self {
            Self::Real => real_now(),
            Self::Manual(stamp) => stamp.get(),
        }
    }

    /// The same by the clock that counts from boot alone, in nanoseconds: half as dear, for whoever
    /// asks after each touch of a page.
    #[inline]
    pub fn nanos(&self) -> u64 {
        match self {
            Self::Real => nanos_of(nix::time::ClockId::CLOCK_BOOTTIME),
            Self::Manual(stamp) => stamp.get().boot_ns,
        }
    }

    /// Wait; a manual clock jumps ahead instead.
    pub fn sleep(&self, time: Duration) {
        match self {
            Self::Real => real_sleep(time),
            Self::Manual(stamp) => {
                let mut now = stamp.get();
                let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                now.boot_ns = now.boot_ns.saturating_add(nanos);
                now.wall_ms = now.wall_ms.saturating_add(nanos / 1_000_000);
                stamp.set(now);
            }
        }
    }

    /// Processor time that this program has used, in microseconds; zero on a manual clock.
    pub fn cpu_us(&self) -> u64 {
        match self {
            Self::Real => nanos_of(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID) / 1000,
            Self::Manual(_) => 0,
        }
    }
}

fn real_now() -> Stamp {
    let wall = nanos_of(nix::time::ClockId::CLOCK_REALTIME) / 1_000_000;
    Stamp { boot_ns: nanos_of(nix::time::ClockId::CLOCK_BOOTTIME), wall_ms: wall }
}

/// Zero if the clock cannot be read, which Linux allows for none of those used here.
fn nanos_of(clock: nix::time::ClockId) -> u64 {
    let Ok(time) = clock.now() else { return 0 };
    // No clock is before its beginning.
    let seconds = u64::try_from(time.tv_sec()).unwrap_or(0);
    let nanos = u64::try_from(time.tv_nsec()).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that waits")]
fn real_sleep(time: Duration) {
    std::thread::sleep(time);
}

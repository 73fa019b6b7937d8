//! The one source of time: the machine's clocks for the program, a manual clock for tests and replays.

use crate::model::Stamp;
use std::cell::Cell;
use std::time::Duration;

/// A source of time.
#[derive(Debug)]
pub enum Clock {
    /// The machine's clocks.
    Real,
    /// A clock that moves only when it is set or sleeps.
    Manual(Cell<Stamp>),
}

impl Clock {
    /// A manual clock that shows this time.
    pub fn at(stamp: Stamp) -> Self {
        Self::Manual(Cell::new(stamp))
    }

    /// The present time.
    pub fn now(&self) -> Stamp {
        match self {
            Self::Real => real_now(),
            Self::Manual(stamp) => stamp.get(),
        }
    }

    /// Nanoseconds since boot. Half as expensive as [`Self::now`], for use after each access of a page.
    #[inline]
    pub fn nanos(&self) -> u64 {
        match self {
            Self::Real => nanos_of(nix::time::ClockId::CLOCK_BOOTTIME),
            Self::Manual(stamp) => stamp.get().boot_ns,
        }
    }

    /// Sleeps; a manual clock jumps ahead instead.
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

    /// CPU time that this program has used, in microseconds; zero on a manual clock.
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

/// The time of a clock in nanoseconds; zero if it cannot be read, which never happens with the clocks
/// used here.
fn nanos_of(clock: nix::time::ClockId) -> u64 {
    let Ok(time) = clock.now() else { return 0 };
    // These clocks are never negative.
    let seconds = u64::try_from(time.tv_sec()).unwrap_or(0);
    let nanos = u64::try_from(time.tv_nsec()).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that waits")]
fn real_sleep(time: Duration) {
    std::thread::sleep(time);
}

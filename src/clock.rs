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
    Manual {
        /// The present time.
        now: Cell<Stamp>,
        /// The part of the time since boot that the machine was suspended.
        suspended: Cell<Duration>,
    },
}

impl Clock {
    /// A manual clock that shows this time.
    pub fn at(stamp: Stamp) -> Self {
        Self::Manual { now: Cell::new(stamp), suspended: Cell::default() }
    }

    /// The present time.
    pub fn now(&self) -> Stamp {
        match self {
            Self::Real => real_now(),
            Self::Manual { now, .. } => now.get(),
        }
    }

    /// Nanoseconds since boot. Half as expensive as [`Self::now`], for use after each access of a page.
    #[inline]
    pub fn nanos(&self) -> u64 {
        match self {
            Self::Real => nanos_of(nix::time::ClockId::CLOCK_BOOTTIME),
            Self::Manual { now, .. } => now.get().boot_ns,
        }
    }

    /// Time since boot without suspend: for durations of work, which stands still while suspended.
    pub fn monotonic(&self) -> Duration {
        match self {
            Self::Real => Duration::from_nanos(nanos_of(nix::time::ClockId::CLOCK_MONOTONIC)),
            Self::Manual { now, suspended } => {
                Duration::from_nanos(now.get().boot_ns).saturating_sub(suspended.get())
            }
        }
    }

    /// Sleeps; a manual clock jumps ahead instead.
    pub fn sleep(&self, time: Duration) {
        match self {
            Self::Real => real_sleep(time),
            Self::Manual { now, .. } => {
                let Stamp { boot_ns, wall_ms } = now.get();
                let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                let boot_ns = boot_ns.saturating_add(nanos);
                now.set(Stamp { boot_ns, wall_ms: wall_ms.saturating_add(nanos / 1_000_000) });
            }
        }
    }

    /// Moves a manual clock ahead as a suspended machine does.
    #[cfg(test)]
    pub(crate) fn suspend(&self, time: Duration) {
        self.sleep(time);
        if let Self::Manual { suspended, .. } = self {
            suspended.set(suspended.get() + time);
        }
    }

    /// CPU time that this program has used, in microseconds; zero on a manual clock.
    pub fn cpu_us(&self) -> u64 {
        match self {
            Self::Real => nanos_of(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID) / 1000,
            Self::Manual { .. } => 0,
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

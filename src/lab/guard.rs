//! The guard: limits that stop a run before the machine suffers.
//!
//! A workload in a cgroup with a memory limit stalls its own tasks, and where nothing else runs,
//! PSI shows that as a stall of the whole machine. So for such a run, PSI counts only while tasks reclaim
//! for the machine itself, which `allocstall` in vmstat shows: it counts neither
//! reclaim for a cgroup limit nor kswapd, for which no task waits.

use crate::columns::units::{self, size};
use crate::model::{Bytes, Reading, Snapshot, Stamp};
use std::time::Duration;

/// Seconds for which PSI must exceed its limit.
const PRESSURE_SECONDS: f64 = 5.0;

/// The least time between two checks of free swap.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);

/// Limits of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuardLimits {
    /// PSI full over 10 seconds, in percent, above which the run is stopped if it lasts. At 0 any
    /// stall that counts stops the run if it lasts, at 100 none.
    pub max_psi: f64,
    /// The least available memory.
    pub min_available: Bytes,
    /// The least free swap.
    pub min_swap: Bytes,
    /// The most seconds of a run.
    pub at_most: f64,
}

impl GuardLimits {
    /// The usual limits on a machine with this much memory and free swap, for a workload that may take
    /// `at_most` seconds.
    pub fn usual(memory: Bytes, swap: Bytes, at_most: f64) -> Self {
        let part = |bytes: Bytes, of: u64| Bytes(bytes.0 / of);
        Self {
            max_psi: 20.0,
            min_available: part(memory, 20).clamp(Bytes(64 << 20), Bytes(1 << 30)),
            min_swap: part(swap, 100),
            at_most,
        }
    }

    /// Describes each limit.
    pub fn describe(&self, in_cgroup: bool) -> Vec<String> {
        let condition = if in_cgroup {
            " while the whole machine reclaims memory, not only the cgroup of the run"
        } else {
            ""
        };
        let mut words =
            vec![format!("PSI full above {}% for {PRESSURE_SECONDS} s{condition}", self.max_psi)];
        let least = |bytes: Bytes, what: &str| {
            (bytes > Bytes(0)).then(|| format!("{what} below {}", size(bytes)))
        };
        words.extend(least(self.min_available, "available memory"));
        words.extend(least(self.min_swap, "free swap"));
        words.push(format!("run time above {}", units::seconds(self.at_most)));
        words
    }
}

/// Watches the machine during a run, and stops the run at a limit.
#[derive(Debug)]
pub struct Guard {
    limits: GuardLimits,
    in_cgroup: bool,
    begun: Stamp,
    /// The count of direct reclaim for the machine at the last sample.
    direct_reclaims: Option<u64>,
    /// The time of the last sample.
    last_sample: Stamp,
    /// Seconds for which PSI has exceeded its limit.
    pressure_seconds: f64,
    /// Free swap at the last check.
    free_swap: Option<(Stamp, Bytes)>,
    /// Bytes per second by which free swap shrinks.
    swap_rate: f64,
}

impl Guard {
    /// Starts now.
    pub fn new(limits: GuardLimits, in_cgroup: bool, begun: Stamp) -> Self {
        Self {
            limits,
            in_cgroup,
            begun,
            direct_reclaims: None,
            last_sample: begun,
            pressure_seconds: 0.0,
            free_swap: None,
            swap_rate: 0.0,
        }
    }

    /// Ignores free swap from now on, because swapoff reduces it.
    pub fn ignore_free_swap(&mut self) {
        self.limits.min_swap = Bytes(0);
    }

    /// How long to wait for the next check, at most as long as usual: half the time in which free swap would
    /// reach its limit.
    pub fn pause(&self, usual: Duration) -> Duration {
        let Some((_, free)) = self.free_swap else { return usual };
        let left = free.saturating_sub(self.limits.min_swap).0 as f64 / self.swap_rate / 2.0;
        if self.limits.min_swap > Bytes(0) && left < usual.as_secs_f64() {
            return Duration::from_secs_f64(left).max(SHORTEST_PAUSE);
        }
        usual
    }

    /// Updates free swap, and the rate at which it shrinks. A high rate is forgotten slowly, because writing
    /// pauses now and then.
    fn observe_free_swap(&mut self, snapshot: &Snapshot) -> Option<Bytes> {
        let now = snapshot.swaps.at.zip(free_swap(snapshot));
        let before = std::mem::replace(&mut self.free_swap, now);
        let (at, free) = now?;
        if let Some((then, was)) = before.filter(|(then, _)| then.boot_ns < at.boot_ns) {
            let rate = was.saturating_sub(free).0 as f64 / at.seconds_since(then);
            self.swap_rate = rate.max(self.swap_rate / 2.0);
        }
        Some(free)
    }

    /// Checks all limits, and describes the one that stops the run. Unreadable figures stop
    /// nothing.
    pub fn check(&mut self, snapshot: &Snapshot) -> Option<String> {
        let pressure = self.check_pressure(snapshot);
        self.check_time(snapshot.stamp)
            .or_else(|| self.check_memory_and_swap(snapshot))
            .or(pressure)
    }

    fn check_time(&self, now: Stamp) -> Option<String> {
        let most = self.limits.at_most;
        let is_late = now.seconds_since(self.begun) > most;
        is_late.then(|| format!("the time limit of {} was reached", units::seconds(most)))
    }

    /// Checks memory and swap alone, which fill faster than PSI rises.
    pub fn check_memory_and_swap(&mut self, snapshot: &Snapshot) -> Option<String> {
        let free = self.observe_free_swap(snapshot);
        let available = snapshot.memory("MemAvailable").known().copied();
        if let Some(left) = available.filter(|left| *left < self.limits.min_available) {
            return Some(format!(
                "only {} of memory was available (minimum {})",
                size(left),
                size(self.limits.min_available)
            ));
        }
        let free = free.filter(|free| *free < self.limits.min_swap)?;
        Some(format!(
            "only {} of swap was free (minimum {})",
            size(free),
            size(self.limits.min_swap)
        ))
    }

    fn check_pressure(&mut self, snapshot: &Snapshot) -> Option<String> {
        let has_direct_reclaim = self.has_direct_reclaim(snapshot);
        let before = std::mem::replace(&mut self.last_sample, snapshot.stamp);
        let Some(full) = psi_full(snapshot).filter(|full| *full > self.limits.max_psi) else {
            self.pressure_seconds = 0.0;
            return None;
        };
        if self.in_cgroup && !has_direct_reclaim {
            self.pressure_seconds = 0.0;
            return None;
        }
        self.pressure_seconds += snapshot.stamp.seconds_since(before);
        (self.pressure_seconds >= PRESSURE_SECONDS).then(|| {
            format!(
                "PSI full was {full}% over the last 10 s, above the limit of {}%",
                self.limits.max_psi
            )
        })
    }

    /// Whether tasks have reclaimed memory for the machine since the last sample.
    fn has_direct_reclaim(&mut self, snapshot: &Snapshot) -> bool {
        let now = snapshot
            .vmstat
            .reading
            .as_ref()
            .and_then(|vmstat| vmstat.sum_with_prefix("allocstall_"));
        let now = now.known().copied();
        let before = std::mem::replace(&mut self.direct_reclaims, now);
        before.zip(now).is_some_and(|(before, now)| now > before)
    }
}

/// The free swap of all areas.
pub fn free_swap(snapshot: &Snapshot) -> Option<Bytes> {
    let areas = snapshot.swaps.reading.known()?;
    areas.iter().map(|area| Some(area.size.saturating_sub(*area.used.known()?))).sum()
}

/// PSI full over the last 10 seconds, in percent.
pub fn psi_full(snapshot: &Snapshot) -> Option<f64> {
    let memory = snapshot.psi.reading.known()?.get("memory").map(Reading::known)??;
    memory.full.known().map(|full| full.avg10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::{Counters, Pressure, Stall};
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Stamp};

    const MIB: u64 = 1 << 20;

    fn at(seconds: u64) -> Stamp {
        Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: 0 }
    }

    /// A machine with this much available memory and free swap in MiB, PSI full, and count of
    /// direct reclaim.
    fn machine(seconds: u64, [available, swap]: [u64; 2], full: f64, stalls: u64) -> Snapshot {
        let now = Some(at(seconds));
        let counters = |file: &str, name: &str, value| {
            Reading::Known(Counters::new(file, vec![(name.into(), value)]))
        };
        let stall = Stall { avg10: full, avg60: 0.0, avg300: 0.0, total_us: 0 };
        let memory = Pressure { some: Reading::Known(stall), full: Reading::Known(stall) };
        let psi = [("memory".to_owned(), Reading::Known(memory))].into();
        let areas = vec![area("a", 1, 100 * MIB, (100 - swap) * MIB)];
        Snapshot {
            meminfo: Sampled::new(now, counters("meminfo", "MemAvailable", available * 1024)),
            vmstat: Sampled::new(now, counters("vmstat", "allocstall_normal", stalls)),
            psi: Sampled::new(now, Reading::Known(psi)),
            swaps: Sampled::new(now, Reading::Known(areas)),
            ..Snapshot::empty(at(seconds))
        }
    }

    fn guard(in_cgroup: bool) -> Guard {
        let limits = GuardLimits {
            max_psi: 20.0,
            min_available: Bytes(64 * MIB),
            min_swap: Bytes(MIB),
            at_most: 60.0,
        };
        Guard::new(limits, in_cgroup, at(0))
    }

    #[test]
    fn the_guard_stops_on_memory_swap_and_time() {
        let ended = |snapshot: &Snapshot| guard(true).check(snapshot);
        assert_eq!(ended(&machine(60, [64, 1], 0.0, 0)), None);
        assert_eq!(
            ended(&machine(61, [64, 1], 0.0, 0)).unwrap(),
            "the time limit of 60s was reached"
        );
        let said = ended(&machine(1, [63, 1], 0.0, 0)).unwrap();
        assert_eq!(said, "only 63M of memory was available (minimum 64M)");
        let said = ended(&machine(1, [64, 0], 0.0, 0)).unwrap();
        assert_eq!(said, "only 0B of swap was free (minimum 1M)");
        assert_eq!(ended(&Snapshot::empty(at(1))), None, "unreadable figures stop nothing");
    }

    #[test]
    fn swap_that_fills_fast_is_checked_sooner() {
        let mut guard = guard(true);
        let usual = Duration::from_millis(50);
        let mut pause = |millis: u64, free: u64| {
            let at = Stamp { boot_ns: millis * 1_000_000, wall_ms: 0 };
            let mut now = machine(0, [90, free], 0.0, 0);
            now.swaps.at = Some(at);
            assert_eq!(guard.check_memory_and_swap(&now), None);
            guard.pause(usual).as_secs_f64() * 1000.0
        };
        let mut expect = |millis, free, wanted: f64| {
            let found = pause(millis, free);
            assert!((found - wanted).abs() < 0.1, "{millis}: {found}, not {wanted}");
        };
        // The rate is not known at first.
        expect(0, 96, 50.0);
        expect(1000, 91, 50.0);
        // 200 MiB a second, first 40 MiB above the limit, then 10.
        expect(1250, 41, 50.0);
        expect(1400, 11, 25.0);
        // 100 MiB a second now: half of the fastest rate still counts.
        expect(1410, 10, 45.0);
        expect(3000, 13, 50.0);
        expect(3050, 1, 2.0);
        guard.ignore_free_swap();
        assert_eq!(guard.pause(usual), usual);
    }

    #[test]
    fn pressure_must_last() {
        let mut guard = guard(false);
        let mut look = |seconds, full| guard.check(&machine(seconds, [90, 9], full, 0)).is_some();
        assert!(
            ![(1, 50.0), (4, 50.0), (5, 20.0), (6, 50.0), (9, 50.0)]
                .map(|(s, f)| look(s, f))
                .contains(&true)
        );
        assert!(look(11, 50.0));
    }

    #[test]
    fn pressure_inside_the_cgroup_alone_is_ignored() {
        let mut in_cgroup = guard(true);
        let mut look = |seconds, stalls| in_cgroup.check(&machine(seconds, [90, 9], 90.0, stalls));
        for seconds in 1..20 {
            assert_eq!(look(seconds, 7), None);
        }
        for seconds in 20..24 {
            assert_eq!(look(seconds, seconds), None);
        }
        assert!(
            look(24, 24)
                .unwrap()
                .contains("PSI full was 90% over the last 10 s, above the limit of 20%")
        );
    }

    #[test]
    fn direct_reclaim_now_and_then_does_not_add_up() {
        let mut in_cgroup = guard(true);
        for seconds in 1..60 {
            // Every third second has direct reclaim.
            let reclaims = seconds / 3;
            assert_eq!(in_cgroup.check(&machine(seconds, [90, 9], 90.0, reclaims)), None);
        }
    }

    #[test]
    fn a_psi_limit_of_0_stops_on_any_stall() {
        let ends = |in_cgroup, max_psi, full, stalls: fn(u64) -> u64| {
            let mut guard =
                Guard::new(GuardLimits { max_psi, ..guard(in_cgroup).limits }, in_cgroup, at(0));
            (1..20).any(|s| guard.check(&machine(s, [90, 9], full, stalls(s))).is_some())
        };
        let [still, rising]: [fn(u64) -> u64; 2] = [|_| 7, |second| second];
        assert!(!ends(true, 0.0, 90.0, still), "stalls inside the cgroup alone");
        assert!(ends(true, 0.0, 0.1, rising));
        assert!(ends(false, 0.0, 0.1, still));
        assert!(!ends(false, 0.0, 0.0, rising), "no stall");
        assert!(!ends(false, 100.0, 100.0, rising));
    }
}

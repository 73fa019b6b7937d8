//! The limits along which a load runs: what ends it before the machine suffers.
//!
//! A load in a cage makes its own tasks wait for memory, and where nothing else runs that is all the
//! kernel sees: the whole machine seems to wait. So pressure counts against a caged load only where
//! the machine itself looks for memory, which `allocstall` in vmstat tells: reclaim for a cgroup is
//! not counted there.

use crate::columns::units::{self, size};
use crate::model::{Bytes, Reading, Snapshot, Stamp};

/// Pressure counts when it has lasted so many seconds.
const PRESSURE_SECONDS: f64 = 5.0;

/// When a load is ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuardLimits {
    /// When all tasks wait for memory in a larger percentage of 10 seconds than this, for a while. At
    /// 0 that is any wait at all, and at 100 none.
    pub max_psi: f64,
    /// When less memory than this is available.
    pub available: Bytes,
    /// When less swap than this is free.
    pub swap: Bytes,
    /// When it has run for so many seconds.
    pub at_most: f64,
}

impl GuardLimits {
    /// What is usual on a machine with so much memory and swap, for a load that may take so many
    /// seconds.
    pub fn usual(memory: Bytes, swap: Bytes, at_most: f64) -> Self {
        let part = |bytes: Bytes, of: u64| Bytes(bytes.0 / of);
        Self {
            max_psi: 20.0,
            available: part(memory, 20).clamp(Bytes(64 << 20), Bytes(1 << 30)),
            swap: part(swap, 100),
            at_most,
        }
    }

    /// Each of them in words.
    pub fn describe(&self, in_cgroup: bool) -> Vec<String> {
        let host = if in_cgroup { " and the machine itself looks for memory" } else { "" };
        let mut words = vec![format!(
            "all tasks wait for memory in more than {}% of 10 s, for {PRESSURE_SECONDS} s{host}",
            self.max_psi
        )];
        let least = |bytes: Bytes, what: &str| {
            (bytes > Bytes(0)).then(|| format!("less than {} of {what}", size(bytes)))
        };
        words.extend(least(self.available, "memory is available"));
        words.extend(least(self.swap, "swap is free"));
        words.push(format!("it has run for {}", units::seconds(self.at_most)));
        words
    }
}

/// Looks after the machine while a load runs.
#[derive(Debug)]
pub struct Guard {
    limits: GuardLimits,
    in_cgroup: bool,
    begun: Stamp,
    /// How often the machine had looked for memory when it was last seen.
    stalls: Option<u64>,
    /// When it was last seen.
    last_sample: Stamp,
    /// For how many seconds there has been too much pressure.
    pressure_seconds: f64,
}

impl Guard {
    /// From this moment on.
    pub fn new(limits: GuardLimits, in_cgroup: bool, begun: Stamp) -> Self {
        Self { limits, in_cgroup, begun, stalls: None, last_sample: begun, pressure_seconds: 0.0 }
    }

    /// From now on swap goes away on purpose.
    pub fn ignore_free_swap(&mut self) {
        self.limits.swap = Bytes(0);
    }

    /// Why the load has to end, if it has. What cannot be read ends nothing.
    pub fn check(&mut self, snapshot: &Snapshot) -> Option<String> {
        let pressed = self.check_pressure(snapshot);
        self.check_time(snapshot.stamp).or_else(|| self.check_memory_and_swap(snapshot)).or(pressed)
    }

    fn check_time(&self, now: Stamp) -> Option<String> {
        let most = self.limits.at_most;
        let is_late = now.seconds_since(self.begun) > most;
        is_late.then(|| format!("it had run for {}", units::seconds(most)))
    }

    /// The same by memory and swap alone, which fill faster than pressure rises.
    pub fn check_memory_and_swap(&self, snapshot: &Snapshot) -> Option<String> {
        let available = snapshot.memory("MemAvailable").known().copied();
        if let Some(left) = available.filter(|left| *left < self.limits.available) {
            return Some(format!(
                "{} of memory were available, less than {}",
                size(left),
                size(self.limits.available)
            ));
        }
        let free = free_swap(snapshot).filter(|free| *free < self.limits.swap)?;
        Some(format!("{} of swap were free, less than {}", size(free), size(self.limits.swap)))
    }

    fn check_pressure(&mut self, snapshot: &Snapshot) -> Option<String> {
        let searched = self.machine_reclaims(snapshot);
        let before = std::mem::replace(&mut self.last_sample, snapshot.stamp);
        let Some(full) = psi_full(snapshot).filter(|full| *full > self.limits.max_psi) else {
            self.pressure_seconds = 0.0;
            return None;
        };
        if searched || !self.in_cgroup {
            self.pressure_seconds += snapshot.stamp.seconds_since(before);
        }
        (self.pressure_seconds >= PRESSURE_SECONDS).then(|| {
            format!(
                "all tasks waited for memory in {full}% of the last 10 s, more than {}%",
                self.limits.max_psi
            )
        })
    }

    /// Did the machine itself look for memory since it was last seen?
    fn machine_reclaims(&mut self, snapshot: &Snapshot) -> bool {
        let now = snapshot.vmstat.reading.as_ref().and_then(|vmstat| vmstat.sum_with_prefix("allocstall_"));
        let now = now.known().copied();
        let before = std::mem::replace(&mut self.stalls, now);
        before.zip(now).is_some_and(|(before, now)| now > before)
    }
}

/// The swap that is free on all areas.
pub fn free_swap(snapshot: &Snapshot) -> Option<Bytes> {
    let areas = snapshot.swaps.reading.known()?;
    areas.iter().map(|area| Some(area.size.saturating_sub(*area.used.known()?))).sum()
}

/// In which percentage of the last 10 seconds all tasks waited for memory.
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

    /// A machine of so many MiB available and free in swap, that waits and looks for memory so much.
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
            available: Bytes(64 * MIB),
            swap: Bytes(MIB),
            at_most: 60.0,
        };
        Guard::new(limits, in_cgroup, at(0))
    }

    #[test]
    fn the_guard_stops_on_memory_swap_and_time() {
        let ended = |snapshot: &Snapshot| guard(true).check(snapshot);
        assert_eq!(ended(&machine(60, [64, 1], 0.0, 0)), None);
        assert_eq!(ended(&machine(61, [64, 1], 0.0, 0)).unwrap(), "it had run for 60s");
        let said = ended(&machine(1, [63, 1], 0.0, 0)).unwrap();
        assert_eq!(said, "63M of memory were available, less than 64M");
        let said = ended(&machine(1, [64, 0], 0.0, 0)).unwrap();
        assert_eq!(said, "0B of swap were free, less than 1M");
        assert_eq!(ended(&Snapshot::empty(at(1))), None, "what is not known ends nothing");
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
        let mut caged = guard(true);
        let mut look = |seconds, stalls| caged.check(&machine(seconds, [90, 9], 90.0, stalls));
        for seconds in 1..20 {
            assert_eq!(look(seconds, 7), None);
        }
        for seconds in 20..24 {
            assert_eq!(look(seconds, seconds), None);
        }
        assert!(look(24, 24).unwrap().contains("90% of the last 10 s, more than 20%"));
    }

    #[test]
    fn a_psi_limit_of_0_stops_on_any_stall() {
        let ends = |caged, max_psi, full, stalls: fn(u64) -> u64| {
            let mut guard =
                Guard::new(GuardLimits { max_psi, ..guard(caged).limits }, caged, at(0));
            (1..20).any(|s| guard.check(&machine(s, [90, 9], full, stalls(s))).is_some())
        };
        let [still, rising]: [fn(u64) -> u64; 2] = [|_| 7, |second| second];
        assert!(!ends(true, 0.0, 90.0, still), "what only the cage waits for");
        assert!(ends(true, 0.0, 0.1, rising));
        assert!(ends(false, 0.0, 0.1, still));
        assert!(!ends(false, 0.0, 0.0, rising), "nobody waits");
        assert!(!ends(false, 100.0, 100.0, rising));
    }
}

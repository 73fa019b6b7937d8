//! All pages that go in and out, not only those that reach a device.
//!
//! `pswpin` and `pswpout` count device I/O. Pages that zswap takes, and pages full of zeros, go
//! another way and have counters of their own since 6.1 and 6.12; a kernel without such a counter
//! adds nothing to the sum.

use super::view::{CounterChange, SampleView};
use crate::model::{Missing, Reading};

/// Which way pages go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From swap into memory.
    In,
    /// From memory into swap.
    Out,
}

/// Who reclaims pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReclaimKind {
    /// The kernel's own thread, ahead of need.
    Kswapd,
    /// A task that needs memory, and waits meanwhile.
    Direct,
}

impl Direction {
    /// The counters of device I/O, zswap and zero-filled pages.
    pub fn counters(self) -> [&'static str; 3] {
        match self {
            Self::In => ["pswpin", "zswpin", "swpin_zero"],
            Self::Out => ["pswpout", "zswpout", "swpout_zero"],
        }
    }
}

/// Pages a second that go this way, by any road.
pub fn pages_per_second(view: &SampleView<'_>, way: Direction) -> Reading<f64> {
    let rate = |name: &str| view.vmstat_change(name).map(CounterChange::per_second);
    sum_counters(way, rate, |a, b| a + b, |a, b| (a - b).max(0.0))
}

/// Pages that went this way since boot, by any road.
pub fn pages_since_boot(view: &SampleView<'_>, way: Direction) -> Reading<u64> {
    sum_counters(way, |name: &str| view.now.counter(name), u64::saturating_add, u64::saturating_sub)
}

/// All roads together. A page that zswap wrote on to a device has left memory once and stands in
/// two counters; kernels since 6.8 count how many those are.
fn sum_counters<T: Default>(
    way: Direction,
    count: impl Fn(&str) -> Reading<T>,
    add: impl Fn(T, T) -> T + Copy,
    less: impl Fn(T, T) -> T,
) -> Reading<T> {
    let [device, zswap, zero] = way.counters();
    let all = count(device).map2(zero_if_absent(count(zswap)), add);
    let all = all.map2(zero_if_absent(count(zero)), add);
    match way {
        Direction::In => all,
        Direction::Out => all.map2(zero_if_absent(count("zswpwb")), less),
    }
}

/// Pages reclaimed against pages looked at, for one kind of reclaim (`kswapd`, `direct`).
pub fn efficiency(view: &SampleView<'_>, kind: &str) -> Reading<f64> {
    let by = |name: String| view.vmstat_change(&name).map(|change| change.by);
    let both = by(format!("pgsteal_{kind}")).map2(by(format!("pgscan_{kind}")), |a, b| (a, b));
    both.and_then(|(stolen, scanned)| match scanned {
        0 => Reading::absent(format!("{kind} scanned nothing between the samples")),
        _ => Reading::Known(stolen as f64 / scanned as f64),
    })
}

/// The part of the pages that kswapd and tasks reclaimed that one of them did.
pub fn reclaim_share(view: &SampleView<'_>, by: ReclaimKind) -> Reading<f64> {
    let grown = |name| view.vmstat_change(name).map(|change| change.by);
    let both = grown("pgsteal_kswapd").map2(grown("pgsteal_direct"), |a, b| (a, b));
    both.and_then(|(kswapd, direct)| {
        let own = if by == ReclaimKind::Kswapd { kswapd } else { direct };
        match kswapd.saturating_add(direct) {
            0 => no_global_reclaim(view),
            all => Reading::Known(own as f64 / all as f64),
        }
    })
}

/// Why there is nothing of which kswapd or tasks could have a part.
fn no_global_reclaim(view: &SampleView<'_>) -> Reading<f64> {
    if reclaimed_in_cgroups(view).known() > Some(&0.0) {
        return Reading::absent(
            "all that was reclaimed between the samples was for control groups at limits of theirs",
        );
    }
    Reading::absent("nothing was reclaimed between the samples")
}

/// Pages in a second that were reclaimed in control groups at limits of their own: those of the
/// whole machine are counted by who reclaimed them too, and those are not.
pub fn reclaimed_in_cgroups(view: &SampleView<'_>) -> Reading<f64> {
    let rate = |name| view.vmstat_change(name).map(CounterChange::per_second);
    let all = rate("pgsteal_anon").map2(rate("pgsteal_file"), |anon, file| anon + file);
    let by_machine = rate("pgsteal_kswapd").map2(rate("pgsteal_direct"), |a, b| a + b);
    let by_machine = by_machine.map2(zero_if_absent(rate("pgsteal_khugepaged")), |a, b| a + b);
    // The counters are not read at one moment each: a little less than nothing is nothing.
    all.map2(by_machine, |all, machine| (all - machine).max(0.0))
}

/// Who has to free memory, which says what is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reclaimer {
    /// Control groups at limits of their own: there is memory, but not for them.
    Cgroups,
    /// Tasks that need memory of the machine, and wait meanwhile.
    Tasks,
    /// The kernel's own thread, ahead of need.
    Kswapd,
}

impl Reclaimer {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Cgroups => "control groups",
            Self::Tasks => "tasks",
            Self::Kswapd => "kswapd",
        }
    }
}

/// The part of all reclaimed pages from which on it is control groups that reclaim.
const MOSTLY: f64 = 0.9;

/// Who frees memory.
pub fn reclaimer(view: &SampleView<'_>) -> Reading<Reclaimer> {
    let rate = |name| view.vmstat_change(name).map(CounterChange::per_second);
    let machine = rate("pgsteal_kswapd").map2(rate("pgsteal_direct"), |a, b| (a, b));
    let all = reclaimed_in_cgroups(view).map2(machine, |groups, machine| (groups, machine));
    all.and_then(|(groups, (kswapd, direct))| match groups + kswapd + direct {
        all if all <= 0.0 => Reading::absent("nothing was reclaimed between the samples"),
        all if groups >= MOSTLY * all => Reading::Known(Reclaimer::Cgroups),
        _ if direct > 0.0 => Reading::Known(Reclaimer::Tasks),
        _ => Reading::Known(Reclaimer::Kswapd),
    })
}

/// A counter that a kernel may lack because it has no such road: then nothing went along it.
fn zero_if_absent<T: Default>(reading: Reading<T>) -> Reading<T> {
    if matches!(reading.missing(), Some(Missing::Absent(_))) {
        return Reading::Known(T::default());
    }
    reading
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::Counters;
    use crate::model::{Sampled, Snapshot, Stamp};

    fn out(counters: &[(&str, u64)]) -> Reading<u64> {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let counters = counters.iter().map(|(name, value)| ((*name).into(), *value)).collect();
        let vmstat = Counters::new("/proc/vmstat", counters);
        snapshot.vmstat = Sampled::new(None, Reading::Known(vmstat));
        pages_since_boot(&SampleView::single(&snapshot), Direction::Out)
    }

    #[test]
    fn a_page_that_zswap_wrote_on_has_left_memory_once() {
        let counters = [("pswpout", 50), ("zswpout", 54), ("zswpwb", 50), ("swpout_zero", 3)];
        assert_eq!(out(&counters), Reading::Known(57));
    }

    fn counted(second: u64, kswapd: u64, direct: u64) -> Snapshot {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: 0 };
        let counters = vec![("pgsteal_kswapd".into(), kswapd), ("pgsteal_direct".into(), direct)];
        let vmstat = Counters::new("/proc/vmstat", counters);
        let mut snapshot = Snapshot::empty(stamp);
        snapshot.vmstat = Sampled::new(Some(stamp), Reading::Known(vmstat));
        snapshot
    }

    #[test]
    fn the_shares_of_reclaim_add_up_to_one_unless_there_was_none() {
        let (before, now) = (counted(1, 5, 7), counted(2, 35, 17));
        let view = SampleView { now: &now, before: Some(&before) };
        assert_eq!(reclaim_share(&view, ReclaimKind::Kswapd), Reading::Known(0.75));
        assert_eq!(reclaim_share(&view, ReclaimKind::Direct), Reading::Known(0.25));
        let idle = counted(2, 5, 7);
        let view = SampleView { now: &idle, before: Some(&before) };
        assert_eq!(reclaim_share(&view, ReclaimKind::Direct).missing().unwrap().kind(), "absent");
    }

    #[test]
    fn an_older_kernel_has_fewer_counters() {
        assert_eq!(out(&[("pswpout", 50)]), Reading::Known(50));
        assert_eq!(out(&[("zswpout", 50)]).missing().unwrap().kind(), "absent");
    }

    #[test]
    fn cgroup_reclaim_is_the_rest_of_all_reclaim() {
        let machine = |second: u64, counters: &[(&str, u64)]| {
            let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
            let mut snapshot = Snapshot::empty(stamp);
            let counters = counters.iter().map(|(name, value)| ((*name).into(), *value)).collect();
            let vmstat = Counters::new("/proc/vmstat", counters);
            snapshot.vmstat = Sampled::new(Some(stamp), Reading::Known(vmstat));
            snapshot
        };
        let names = ["pgsteal_anon", "pgsteal_file", "pgsteal_kswapd", "pgsteal_direct"];
        let counted = |values: [u64; 4]| [0, 1, 2, 3].map(|place| (names[place], values[place]));
        let (before, now) = (machine(1, &counted([0; 4])), machine(3, &counted([80, 40, 30, 10])));
        let view = SampleView { now: &now, before: Some(&before) };
        assert_eq!(reclaimed_in_cgroups(&view), Reading::Known(40.0));
        let none = machine(3, &counted([80, 40, 0, 0]));
        let share = reclaim_share(&SampleView { now: &none, before: Some(&before) }, ReclaimKind::Direct);
        assert!(share.missing().unwrap().why().contains("for control groups"), "{share:?}");
        let who = |values| {
            let now = machine(3, &counted(values));
            reclaimer(&SampleView { now: &now, before: Some(&before) })
        };
        assert_eq!(who([80, 40, 30, 10]), Reading::Known(Reclaimer::Tasks));
        assert_eq!(who([80, 40, 30, 0]), Reading::Known(Reclaimer::Kswapd));
        assert_eq!(who([80, 40, 6, 6]), Reading::Known(Reclaimer::Cgroups));
        assert_eq!(who([0; 4]).missing().unwrap().kind(), "absent");
    }
}

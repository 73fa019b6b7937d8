//! Swap traffic: all pages swapped in and out, not only those that reach a device.
//!
//! `pswpin` and `pswpout` count device I/O. Pages in zswap and zero pages have their own counters since 6.1
//! and 6.12. A kernel without the counter of zero pages writes them to the device. A kernel without the
//! counters of zswap has zswap all the same: while zswap is in use there, only a lower bound is known.

use super::compression;
use super::view::{CounterChange, SampleView};
use crate::model::block::{BlockDevice, DiskStats, Disks};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Missing, Reading, Snapshot};

/// Direction of swap traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From swap into memory.
    In,
    /// From memory into swap.
    Out,
}

/// Kind of reclaim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReclaimKind {
    /// kswapd, in the background.
    Kswapd,
    /// Direct reclaim: a task that needs memory reclaims it and waits.
    Direct,
}

impl Direction {
    /// Returns the counters of device I/O, zswap and zero pages.
    pub fn counters(self) -> [&'static str; 3] {
        match self {
            Self::In => ["pswpin", "zswpin", "swpin_zero"],
            Self::Out => ["pswpout", "zswpout", "swpout_zero"],
        }
    }
}

/// Returns pages per second in this direction, including zswap and zero pages.
pub fn pages_per_second(view: &SampleView<'_>, way: Direction) -> Reading<f64> {
    unless_uncounted(view.now, way, least_pages_per_second(view, way))
}

/// Returns pages per second in this direction as far as this kernel counts them: a lower bound while zswap
/// is in use on a kernel that does not count its pages.
pub fn least_pages_per_second(view: &SampleView<'_>, way: Direction) -> Reading<f64> {
    let rate = |name: &str| view.vmstat_change(name).map(CounterChange::per_second);
    sum_counters(way, rate, |a, b| a + b, |a, b| (a - b).max(0.0))
}

/// Returns pages in this direction since boot, including zswap and zero pages.
pub fn pages_since_boot(view: &SampleView<'_>, way: Direction) -> Reading<u64> {
    let count = |name: &str| view.now.counter(name);
    let pages = sum_counters(way, count, u64::saturating_add, u64::saturating_sub);
    unless_uncounted(view.now, way, pages)
}

/// Returns the sum, or why it is unknown: zswap is in use, and this kernel does not count its pages.
fn unless_uncounted<T>(snapshot: &Snapshot, way: Direction, pages: Reading<T>) -> Reading<T> {
    let [_, zswap, _] = way.counters();
    let is_uncounted = matches!(snapshot.counter(zswap).missing(), Some(Missing::Absent(_)));
    let stores = |stored: &Bytes| *stored > Bytes(0);
    let in_use = || {
        compression::zswap_is_on(snapshot)
            || compression::zswap(snapshot).stored.known().is_some_and(stores)
    };
    if pages.known().is_some() && is_uncounted && in_use() {
        return Reading::absent(format!(
            "zswap is in use, and this kernel has no {zswap}: pages in zswap are not counted"
        ));
    }
    pages
}

/// Sums device I/O, zswap and zero pages. A page that zswap writes back to a device is in two counters, but
/// left memory once; kernels since 6.8 count these pages.
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

/// Returns how a counter of the device of an area changed. A file has no counters of its own.
pub fn area_io(
    view: &SampleView<'_>,
    area: &SwapArea,
    block: &Reading<&BlockDevice>,
    counter: impl Fn(&DiskStats) -> u64,
) -> Reading<CounterChange> {
    own_device(area, block).and_then(|block| {
        view.change(|snapshot| &snapshot.diskstats, |stats| disk_counter(stats, block, &counter))
    })
}

/// Returns a counter of the device of an area since boot.
pub fn area_total(
    view: &SampleView<'_>,
    area: &SwapArea,
    block: &Reading<&BlockDevice>,
    counter: impl Fn(&DiskStats) -> u64,
) -> Reading<u64> {
    let stats = view.now.diskstats.reading.as_ref();
    own_device(area, block)
        .and_then(|block| stats.and_then(|stats| disk_counter(stats, block, &counter)))
}

/// Returns the device of an area, unless other files share it.
fn own_device<'b>(area: &SwapArea, block: &Reading<&'b BlockDevice>) -> Reading<&'b BlockDevice> {
    if area.kind == AreaKind::File {
        return Reading::absent("the kernel counts no I/O for a file, only for its whole disk");
    }
    block.clone()
}

fn disk_counter(
    stats: &Disks,
    block: &BlockDevice,
    counter: impl Fn(&DiskStats) -> u64,
) -> Reading<u64> {
    match stats.get(&block.name) {
        Some(stats) => Reading::Known(counter(stats)),
        None => Reading::absent(format!("/proc/diskstats has no {}", block.name)),
    }
}

/// Returns reclaimed pages as a share of scanned pages, for one kind of reclaim (`kswapd`, `direct`).
pub fn efficiency(view: &SampleView<'_>, kind: &str) -> Reading<f64> {
    let by = |name: String| view.vmstat_change(&name).map(|change| change.by);
    let both = by(format!("pgsteal_{kind}")).map2(by(format!("pgscan_{kind}")), |a, b| (a, b));
    both.and_then(|(stolen, scanned)| match scanned {
        0 => Reading::absent(format!("{kind} scanned nothing between the samples")),
        _ => Reading::Known(stolen as f64 / scanned as f64),
    })
}

/// Returns the share of one kind in the pages reclaimed by kswapd and direct reclaim.
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

/// Returns the reason why neither kswapd nor direct reclaim reclaimed anything.
fn no_global_reclaim(view: &SampleView<'_>) -> Reading<f64> {
    if reclaimed_in_cgroups(view).known() > Some(&0.0) {
        return Reading::absent(
            "all pages reclaimed between the samples were reclaimed for cgroups at their limits",
        );
    }
    Reading::absent("nothing was reclaimed between the samples")
}

/// Returns pages per second reclaimed by cgroup limits: all reclaimed pages less those of global reclaim,
/// which are also counted by kind.
pub fn reclaimed_in_cgroups(view: &SampleView<'_>) -> Reading<f64> {
    let rate = |name| view.vmstat_change(name).map(CounterChange::per_second);
    let all = rate("pgsteal_anon").map2(rate("pgsteal_file"), |anon, file| anon + file);
    let by_machine = rate("pgsteal_kswapd").map2(rate("pgsteal_direct"), |a, b| a + b);
    let by_machine = by_machine.map2(zero_if_absent(rate("pgsteal_khugepaged")), |a, b| a + b);
    // The counters are not read atomically: slightly negative means zero.
    all.map2(by_machine, |all, machine| (all - machine).max(0.0))
}

/// The cause of reclaim, which shows where memory is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reclaimer {
    /// Cgroups at their own limits, while the machine has memory.
    Cgroups,
    /// Tasks in direct reclaim on the whole machine.
    Tasks,
    /// kswapd, in the background.
    Kswapd,
}

impl Reclaimer {
    /// Returns the word in tables.
    pub fn words(self) -> &'static str {
        match self {
            Self::Cgroups => "cgroups",
            Self::Tasks => "tasks",
            Self::Kswapd => "kswapd",
        }
    }
}

/// Share of all reclaimed pages from which on cgroups count as the cause.
const MOSTLY: f64 = 0.9;

/// Returns what causes reclaim.
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

/// Returns zero for a counter that the kernel does not have.
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
        let share =
            reclaim_share(&SampleView { now: &none, before: Some(&before) }, ReclaimKind::Direct);
        assert!(share.missing().unwrap().why().contains("for cgroups"), "{share:?}");
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

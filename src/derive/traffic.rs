//! Swap traffic: all pages swapped in and out, not only those that reach a device.
//!
//! `pswpin` and `pswpout` count device I/O. Pages in zswap and zero pages have their own counters since 5.19
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

/// Returns pages per second in both directions together.
pub fn pages_per_second_both_ways(view: &SampleView<'_>) -> Reading<f64> {
    pages_per_second(view, Direction::In)
        .map2(pages_per_second(view, Direction::Out), |into, out| into + out)
}

/// Returns pages per second in this direction as far as this kernel counts them: a lower bound while zswap
/// is in use on a kernel that does not count its pages.
pub fn least_pages_per_second(view: &SampleView<'_>, way: Direction) -> Reading<f64> {
    let rate = |name: &str| view.vmstat_rate(name);
    sum_counters(way, rate, |a, b| a + b, |a, b| (a - b).max(0.0))
}

/// Returns pages in this direction since boot, including zswap and zero pages.
pub fn pages_since_boot(snapshot: &Snapshot, way: Direction) -> Reading<u64> {
    sum_pages(snapshot, way, |name| snapshot.counter(name))
}

/// Returns pages in this direction between the samples, including zswap and zero pages.
pub fn pages_between(view: &SampleView<'_>, way: Direction) -> Reading<u64> {
    sum_pages(view.now, way, |name| view.vmstat_change(name).map(|change| change.by))
}

fn sum_pages(
    snapshot: &Snapshot,
    way: Direction,
    count: impl Fn(&str) -> Reading<u64>,
) -> Reading<u64> {
    let pages = sum_counters(way, count, u64::saturating_add, u64::saturating_sub);
    unless_uncounted(snapshot, way, pages)
}

/// Returns the sum, or why it is unknown: zswap is in use, and this kernel does not count its pages.
fn unless_uncounted<T>(snapshot: &Snapshot, way: Direction, pages: Reading<T>) -> Reading<T> {
    let [_, zswap, _] = way.counters();
    let is_uncounted = snapshot.counter(zswap).is_absent();
    let stores = |stored: &Bytes| *stored > Bytes(0);
    let in_use = || {
        compression::zswap_is_on(snapshot)
            || compression::zswap(snapshot).stored.known().is_some_and(stores)
    };
    if pages.known().is_some() && is_uncounted && in_use() {
        return uncounted_zswap(way).into();
    }
    pages
}

/// Returns why pages are unknown while zswap is in use on a kernel without its counters.
pub(super) fn uncounted_zswap(way: Direction) -> Missing {
    let [_, zswap, _] = way.counters();
    Missing::absent(format!(
        "zswap is in use, and this kernel has no {zswap}: pages in zswap are not counted"
    ))
}

/// Sums device I/O, zswap and zero pages. A page that zswap writes back to a device is in two counters, but
/// left memory once; kernels since 6.8 count these pages. Before, such a page counts twice.
pub(super) fn sum_counters<T: Default>(
    way: Direction,
    count: impl Fn(&str) -> Reading<T>,
    add: impl Fn(T, T) -> T + Copy,
    less: impl Fn(T, T) -> T,
) -> Reading<T> {
    let [device, zswap, zero] = way.counters();
    let all = count(device).map2(count(zswap).default_if_absent(), add);
    let all = all.map2(count(zero).default_if_absent(), add);
    match way {
        Direction::In => all,
        Direction::Out => all.map2(count("zswpwb").default_if_absent(), less),
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
        pages_since_boot(&snapshot, Direction::Out)
    }

    #[test]
    fn a_page_that_zswap_wrote_on_has_left_memory_once() {
        let counters = [("pswpout", 50), ("zswpout", 54), ("zswpwb", 50), ("swpout_zero", 3)];
        assert_eq!(out(&counters), Reading::Known(57));
    }

    #[test]
    fn an_older_kernel_has_fewer_counters() {
        assert_eq!(out(&[("pswpout", 50)]), Reading::Known(50));
        assert_eq!(out(&[("zswpout", 50)]).missing().unwrap().kind(), "absent");
    }
}

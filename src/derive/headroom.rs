//! Headroom: how much more fits into memory and swap.

use super::compression;
use crate::model::zram::{MmStat, ZramDevice};
use crate::model::{Bytes, Missing, Reading, Snapshot, known, whole};

/// Room left, and the memory that filling it would take.
#[derive(Clone, Debug, PartialEq)]
pub struct Headroom {
    /// Memory available without swapping.
    pub available: Reading<Bytes>,
    /// Free swap on all areas.
    pub swap_free: Reading<Bytes>,
    /// The part of `swap_free` on zram: filling it takes memory.
    pub zram_free: Reading<Bytes>,
    /// The part of `zram_free` that device limits make unusable at the present memory ratios.
    pub zram_beyond: Reading<Bytes>,
    /// Memory that filling the rest of `zram_free` would take at these ratios.
    pub zram_cost: Reading<Bytes>,
    /// Memory that can still be committed before `CommitLimit`; enforced only if `overcommit_memory` is 2.
    pub commit_left: Reading<Bytes>,
}

/// Computes the headroom of one snapshot.
pub fn headroom(snapshot: &Snapshot) -> Headroom {
    let carriers = zram_with_areas(snapshot);
    let commit = snapshot.memory("CommitLimit");
    let of_each = |of: fn(&Snapshot, &ZramDevice) -> Reading<Bytes>| {
        carriers.as_ref().and_then(|devices| {
            let each = devices.iter().map(|device| of(snapshot, device).into_result());
            each.sum::<Result<Bytes, Missing>>().into()
        })
    };
    let cost = of_each(|snapshot, device| zram_fill(snapshot, device).map(|it| it.memory));
    let is_without_zram = carriers.known().is_some_and(Vec::is_empty);
    Headroom {
        available: snapshot.memory("MemAvailable"),
        swap_free: snapshot.memory("SwapFree"),
        // While nothing is stored on zram the ratio is unknown, and with it the cost.
        zram_cost: if is_without_zram { cost } else { memory_ratio(snapshot).and_then(|_| cost) },
        zram_free: of_each(writable_space),
        zram_beyond: of_each(beyond),
        commit_left: commit.map2(snapshot.memory("Committed_AS"), Bytes::saturating_sub),
    }
}

/// Returns memory that is neither free, nor on the LRU lists of programs and files, nor reserved for huge pages: that
/// of the kernel, of page tables, zram and zswap. The lists hold the swap cache too, which is in neither `AnonPages` nor
/// Cached unless it is mapped.
pub fn kernel_memory(snapshot: &Snapshot) -> Reading<Bytes> {
    let others = ["MemFree", "Active", "Inactive", "Unevictable"];
    let rest = others.into_iter().fold(snapshot.memory("MemTotal"), |rest, field| {
        rest.map2(snapshot.memory(field), Bytes::saturating_sub)
    });
    // Kernels without hugetlb pages do not have the field.
    let huge = snapshot.memory("Hugetlb").known().copied().unwrap_or(Bytes(0));
    rest.map(|rest| rest.saturating_sub(huge))
}

/// The prediction for filling one zram device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZramFill {
    /// Data that can still be written to it.
    pub space: Bytes,
    /// The part of it that fits before the limit is reached.
    pub takes: Bytes,
    /// Memory that this part takes.
    pub memory: Bytes,
}

impl ZramFill {
    /// Returns the free space that the limit makes unusable.
    pub fn beyond(self) -> Bytes {
        self.space.saturating_sub(self.takes)
    }

    /// Predicts filling this much space, with this much memory left below the limit, if there is one.
    pub fn within_limit(space: Bytes, left: Option<Bytes>, ratio: f64) -> Self {
        let memory = Bytes(whole(space.0 as f64 / ratio));
        match left.filter(|left| *left < memory) {
            Some(left) => {
                let takes = left.times(ratio).min(space);
                Self { space, takes, memory: left }
            }
            None => Self { space, takes: space, memory },
        }
    }
}

/// Predicts filling a zram device at its own memory ratio, or at that of all devices while it stores too
/// little for a ratio.
pub fn zram_fill(snapshot: &Snapshot, device: &ZramDevice) -> Reading<ZramFill> {
    let own = compression::zram(device, &snapshot.page_size).memory_ratio;
    let ratio = if own.known().is_some() { own } else { memory_ratio(snapshot) };
    let space = writable_space(snapshot, device).map2(ratio, |space, ratio| (space, ratio));
    space.map2(device.mm.as_ref(), |(space, ratio), mm| {
        ZramFill::within_limit(space, limit_left(mm), ratio)
    })
}

/// Returns the free space of a zram device that its limit makes unusable.
fn beyond(snapshot: &Snapshot, device: &ZramDevice) -> Reading<Bytes> {
    device.mm.as_ref().and_then(|mm| match limit_left(mm) {
        Some(_) => zram_fill(snapshot, device).map(ZramFill::beyond),
        None => Reading::Known(Bytes(0)),
    })
}

/// Returns the memory that a zram device uses when it is full.
pub fn memory_when_full(snapshot: &Snapshot, device: &ZramDevice) -> Reading<Bytes> {
    let more = zram_fill(snapshot, device).map(|filling| filling.memory);
    device.mm.as_ref().map2(more, |mm, more| mm.mem_used.saturating_add(more))
}

/// Returns the memory left below the limit, if there is a limit.
pub(super) fn limit_left(mm: &MmStat) -> Option<Bytes> {
    (mm.mem_limit > Bytes(0)).then(|| mm.mem_limit.saturating_sub(mm.mem_used))
}

/// Returns how much can still be written to a zram device: the free space of its area. The device's own
/// count misses zero pages, which never reach it since 6.12; without an area it is the only figure.
fn writable_space(snapshot: &Snapshot, device: &ZramDevice) -> Reading<Bytes> {
    let areas = snapshot.swaps.reading.as_ref();
    let stored = device.mm.as_ref().map(|mm| mm.orig_data);
    let unwritten = device.disksize.clone().map2(stored, Bytes::saturating_sub);
    areas.and_then(|areas| {
        let area = areas.iter().find(|area| compression::carries(device, area));
        area.map_or(unwritten, |area| area.used.clone().map(|used| area.size.saturating_sub(used)))
    })
}

/// Returns the zram devices that carry areas.
fn zram_with_areas(snapshot: &Snapshot) -> Reading<Vec<&ZramDevice>> {
    let (areas, devices) = (snapshot.swaps.reading.as_ref(), snapshot.zram.reading.as_ref());
    areas.map2(devices, |areas, devices| {
        let carries =
            |device: &&ZramDevice| areas.iter().any(|area| compression::carries(device, area));
        devices.iter().filter(carries).collect()
    })
}

/// Returns the memory ratio of all zram devices together: that of a nearly empty device predicts little.
pub(super) fn memory_ratio(snapshot: &Snapshot) -> Reading<f64> {
    let page = snapshot.page_size.clone();
    let devices = known!(snapshot.zram.reading.as_ref());
    let (mut held, mut memory) = (0.0, 0.0);
    for device in devices.iter().filter(|device| device.mm.known().is_some()) {
        let ratio = compression::zram(device, &page).memory_ratio;
        let used = device.mm.as_ref().map(|mm| mm.mem_used.0 as f64);
        if let (Reading::Known(ratio), Reading::Known(used)) = (ratio, used) {
            held += ratio * used;
            memory += used;
        }
    }
    if held > 0.0 && memory > 0.0 {
        return Reading::Known(held / memory);
    }
    let nothing = Reading::absent("too little is stored on zram to measure its ratio");
    let unread = devices.iter().find(|device| device.mm.known().is_none());
    unread.map_or(nothing.clone(), |device| device.mm.as_ref().and_then(|_| nothing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Sampled;
    use crate::model::snapshot::testing::with_memory;
    use crate::model::swaparea::testing::area;
    use crate::model::zram::testing::{device, mm_stat};

    #[test]
    fn kernel_memory_is_the_unclaimed_rest() {
        // The lists hold 2 KiB of swap cache, which are in neither AnonPages nor Cached.
        let named = [("AnonPages", 18), ("Cached", 25), ("Buffers", 5), ("SwapCached", 2)];
        let lists = [
            ("MemTotal", 100),
            ("MemFree", 40),
            ("Active", 20),
            ("Inactive", 25),
            ("Unevictable", 5),
        ];
        let fields = [&named[..], &lists].concat();
        assert_eq!(kernel_memory(&with_memory(&fields)), Reading::Known(Bytes(10 << 10)));
        assert!(kernel_memory(&with_memory(&fields[..8])).missing().is_some());
        let set_aside = [&fields[..], &[("Hugetlb", 4)]].concat();
        assert_eq!(kernel_memory(&with_memory(&set_aside)), Reading::Known(Bytes(6 << 10)));
    }

    #[test]
    fn a_limit_bounds_what_filling_costs_and_what_is_taken() {
        let filled = |left| ZramFill::within_limit(Bytes(900), left, 3.0);
        let all = ZramFill { space: Bytes(900), takes: Bytes(900), memory: Bytes(300) };
        assert_eq!(filled(None), all);
        assert_eq!(filled(Some(Bytes(300))), all);
        let some = ZramFill { takes: Bytes(300), memory: Bytes(100), ..all };
        assert_eq!(filled(Some(Bytes(100))), some);
        assert_eq!(filled(Some(Bytes(0))).takes, Bytes(0));
    }

    const MIB: u64 = 1 << 20;

    /// A zram device of 256 MiB with an area: MiB used, MiB stored at a ratio of two, memory limit in MiB.
    fn carrying(used: u64, stored: u64, limit: u64) -> Snapshot {
        let mut snapshot = with_memory(&[]);
        snapshot.page_size = Reading::Known(4096);
        let mm =
            MmStat { mem_limit: Bytes(limit * MIB), ..mm_stat(stored * MIB, stored * MIB / 2) };
        let device = ZramDevice {
            disksize: Reading::Known(Bytes(256 * MIB)),
            bd: Reading::absent("no writeback"),
            ..device("zram1", mm)
        };
        snapshot.zram = Sampled::new(None, Reading::Known(vec![device]));
        let area = area("/dev/zram1", 5, 256 * MIB, used * MIB);
        snapshot.swaps = Sampled::new(None, Reading::Known(vec![area]));
        snapshot
    }

    #[test]
    fn without_zram_there_is_nothing_to_fill() {
        let mut snapshot = carrying(0, 0, 0);
        assert!(headroom(&snapshot).zram_cost.missing().is_some(), "the ratio is unknown");
        snapshot.swaps = Sampled::new(None, Reading::Known(Vec::new()));
        assert_eq!(headroom(&snapshot).zram_cost, Reading::Known(Bytes(0)));
    }

    #[test]
    fn space_beyond_the_zram_limit_is_reported() {
        let beyond = |used, stored, limit| headroom(&carrying(used, stored, limit)).zram_beyond;
        assert_eq!(beyond(100, 100, 0), Reading::Known(Bytes(0)), "there is no limit");
        assert_eq!(beyond(100, 100, 128), Reading::Known(Bytes(0)));
        assert_eq!(
            beyond(100, 100, 118),
            Reading::Known(Bytes(20 * MIB)),
            "10 MiB of memory are missing"
        );
        assert_eq!(beyond(100, 100, 50), Reading::Known(Bytes(156 * MIB)), "the limit is reached");
        assert_eq!(beyond(0, 0, 0), Reading::Known(Bytes(0)), "an empty device without a limit");
        assert_eq!(beyond(0, 0, 50).missing().unwrap().kind(), "absent");
    }

    #[test]
    fn zero_pages_count_as_written() {
        let of = |snapshot: &Snapshot| {
            let devices = snapshot.zram.reading.known().unwrap();
            memory_when_full(snapshot, &devices[0])
        };
        let full = |used, stored| {
            let snapshot = carrying(used, stored, 0);
            let full = of(&snapshot).known().copied().unwrap();
            let cost = headroom(&snapshot).zram_cost.known().copied().unwrap();
            assert_eq!(full, Bytes(stored * MIB / 2 + cost.0), "both figures agree");
            full.0 / MIB
        };
        assert_eq!(full(100, 100), 128);
        assert_eq!(full(200, 10), 5 + 28, "190 MiB of zeroes");
        let mut without = carrying(0, 100, 0);
        without.swaps = Sampled::new(None, Reading::Known(Vec::new()));
        assert_eq!(of(&without), Reading::Known(Bytes(128 * MIB)), "without an area");
        assert_eq!(of(&carrying(100, 100, 60)), Reading::Known(Bytes(60 * MIB)), "its limit");
        assert_eq!(of(&carrying(0, 0, 0)).missing().unwrap().kind(), "absent");
    }
}

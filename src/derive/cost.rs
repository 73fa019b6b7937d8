//! Memory cost of an area: kernel metadata, memory for its contents, and what a swapoff would have to
//! move where.

use super::drain::{self, Drain, SingleDrains};
use super::metadata::Metadata;
use super::{compression, headroom};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Name, Reading, Snapshot};

/// Memory cost of one area.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaCost {
    /// Kernel metadata now.
    pub now: Reading<Metadata>,
    /// Kernel metadata if all of it were used.
    pub full: Reading<Metadata>,
    /// zram's table of pages, in addition to the stored data.
    pub table: Reading<ZramPageTable>,
    /// Memory that holds its contents.
    pub holds: Reading<Bytes>,
    /// Memory that would hold its contents if all of it were used.
    pub holds_full: Reading<Bytes>,
    /// Original size of the contents in that memory.
    pub kept: Reading<Bytes>,
    /// Slots of areas that are occupied although their data is in zswap.
    pub blocks: Reading<Bytes>,
    /// The data that a swapoff would move, and the room for it.
    pub drain: Reading<Drain>,
    /// Whether the contents fit elsewhere, and into the cgroups that they return to.
    pub fits: Reading<bool>,
}

/// zram's table with one entry per page of its disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZramPageTable {
    /// Total size.
    pub size: Bytes,
    /// Size of an entry.
    pub entry: Bytes,
    /// Whether the entry size is assumed instead of read from the kernel's types.
    pub assumed: bool,
}

/// Entry size on 64-bit machines if zram does not record access times.
const ENTRY: Bytes = Bytes(16);
/// Entry size up to 6.18 if zram records access times.
const LARGE_ENTRY: Bytes = Bytes(24);

/// Computes the memory cost of an area of this machine, for which drains are predicted.
pub fn area_cost(snapshot: &Snapshot, drains: &SingleDrains<'_>, area: &SwapArea) -> AreaCost {
    let metadata = |used: Bytes| {
        let release = snapshot.kernel.value(|kernel| &kernel.release);
        release.and_then2(snapshot.page_size.clone(), |release, page| {
            Metadata::for_area(&release, page, (area.size, used))
        })
    };
    let zram = compression::device_of(snapshot, area);
    let ratio = zram.clone().map(|device| compression::zram(device, &snapshot.page_size));
    let full = zram.clone().and_then(|device| headroom::memory_when_full(snapshot, device));
    let is_zram = zram.known().is_some();
    let (ratio, full) = if is_zram {
        (ratio, full)
    } else {
        (unless_in_zswap(snapshot, ratio), unless_in_zswap(snapshot, full))
    };
    let drain = drains.predict(area);
    AreaCost {
        now: area.used.clone().and_then(metadata),
        full: metadata(area.size),
        table: zram.and_then2(snapshot.page_size.clone(), table),
        holds: ratio.clone().and_then(|ratio| ratio.memory),
        holds_full: full,
        kept: ratio.and_then(|ratio| ratio.data),
        blocks: Reading::absent("only zswap stores pages in addition to their slots"),
        fits: drain.clone().and_then(|drain| drain::fits(snapshot, drain)),
        drain,
    }
}

/// Computes the memory cost of zswap, which is in front of all areas; `None` if it is empty.
pub fn zswap_cost(snapshot: &Snapshot) -> Option<AreaCost> {
    let zswap = compression::zswap(snapshot);
    zswap.stored.known().filter(|stored| **stored > Bytes(0))?;
    Some(AreaCost {
        now: zswap_is_no_area(),
        full: zswap_is_no_area(),
        table: zswap_is_no_area(),
        holds: zswap.pool,
        holds_full: zswap.limit,
        kept: zswap.stored.clone(),
        blocks: if compression::has_virtual_swap(snapshot) {
            Reading::Known(Bytes(0))
        } else {
            zswap.stored
        },
        drain: zswap_is_no_area(),
        fits: zswap_is_no_area(),
    })
}

fn zswap_is_no_area<T>() -> Reading<T> {
    Reading::absent("zswap is no area: it is in front of all areas")
}

/// Returns a reason if part of the contents of an area that is not on zram may be in zswap.
fn unless_in_zswap<T>(snapshot: &Snapshot, none: Reading<T>) -> Reading<T> {
    if compression::zswap_is_on(snapshot)
        && let Some(missing) = compression::zswap(snapshot).stored.missing()
    {
        return missing.clone().into();
    }
    match zswap_cost(snapshot) {
        Some(_) => Reading::absent(
            "zswap stores some of it in memory, and the kernel does not show for which area: see the row zswap",
        ),
        None => none,
    }
}

fn table(device: &ZramDevice, page: u64) -> Reading<ZramPageTable> {
    let known = device.entry.known().copied();
    let entry = known.unwrap_or(ENTRY);
    device.disksize.clone().map(|size| ZramPageTable {
        size: table_size(size, page, entry),
        entry,
        assumed: known.is_none(),
    })
}

/// Returns the least and the largest size of the table of a device that does not exist yet.
pub fn zram_table_range(disk: Bytes, page: u64) -> [Bytes; 2] {
    [ENTRY, LARGE_ENTRY].map(|entry| table_size(disk, page, entry))
}

fn table_size(disk: Bytes, page: u64, entry: Bytes) -> Bytes {
    Bytes((disk.0 / page.max(1)).saturating_mul(entry.0))
}

/// Returns an area that does not exist yet, to estimate its cost.
pub fn planned_area(size: Bytes, words: &str) -> SwapArea {
    SwapArea {
        path: Name::from(words),
        deleted: false,
        kind: AreaKind::Partition,
        size,
        used: Reading::Known(Bytes(0)),
        priority: 0,
        wraps: 0,
        file: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::selection::policy::testing::kernel;
    use crate::model::paging::Counters;
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Stamp};

    fn machine(areas: Vec<SwapArea>) -> Snapshot {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        snapshot.page_size = Reading::Known(4096);
        snapshot.kernel = kernel("7.2.13");
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        snapshot.zram = Sampled::new(None, Reading::Known(Vec::new()));
        snapshot
    }

    fn cost_of(machine: &Snapshot, area: &SwapArea) -> AreaCost {
        area_cost(machine, &SingleDrains::new(machine), area)
    }

    #[test]
    fn what_is_remembered_grows_with_what_is_used() {
        let half = area("/dev/sda2", 1, 1 << 40, 1 << 39);
        let cost = cost_of(&machine(vec![half.clone()]), &half);
        let (now, full) = (*cost.now.known().unwrap(), *cost.full.known().unwrap());
        assert_eq!(now.fixed, full.fixed);
        assert_eq!((now.used.0 * 2, full.used.0), (full.used.0, 2560 << 20));
        assert!(cost.table.missing().unwrap().why().contains("only zram"));
    }

    #[test]
    fn the_table_of_zram_goes_by_the_types_of_the_kernel() {
        let zram = area("/dev/zram0", 1, (1 << 28) - 4096, 0);
        let table = |entry| {
            let mut machine = machine(vec![zram.clone()]);
            let device = ZramDevice { entry, ..crate::model::zram::testing::unknown("zram0") };
            machine.zram = Sampled::new(None, Reading::Known(vec![device]));
            *cost_of(&machine, &zram).table.known().unwrap()
        };
        let known = |size, entry, assumed| ZramPageTable {
            size: Bytes(size),
            entry: Bytes(entry),
            assumed,
        };
        assert_eq!(table(Reading::Known(Bytes(24))), known(24 << 16, 24, false));
        assert_eq!(table(Reading::absent("no types")), known(16 << 16, 16, true));
    }

    #[test]
    fn zswap_keeps_pages_in_memory_and_a_slot_for_each() {
        let disk = area("/dev/sda2", 1, 1 << 30, 64 << 20);
        let mut machine = machine(vec![disk.clone()]);
        let kib = |stored: u64| {
            let counted = vec![("Zswap".into(), 1024), ("Zswapped".into(), stored)];
            Sampled::new(None, Reading::Known(Counters::new("/proc/meminfo", counted)))
        };
        machine.meminfo = kib(0);
        assert_eq!(zswap_cost(&machine), None, "zswap is empty");
        assert!(cost_of(&machine, &disk).holds.missing().unwrap().why().contains("only zram"));
        machine.meminfo = kib(4096);
        let cost = zswap_cost(&machine).unwrap();
        assert_eq!(cost.holds, Reading::Known(Bytes(1 << 20)));
        assert_eq!((cost.kept, cost.blocks.clone()), (cost.blocks, Reading::Known(Bytes(4 << 20))));
        let why = cost_of(&machine, &disk).holds;
        assert!(why.missing().unwrap().why().contains("zswap stores some of it"), "{why:?}");
    }

    #[test]
    fn what_is_planned_costs_what_it_would() {
        let wanted = planned_area(Bytes(1 << 40), "1T more");
        let cost = cost_of(&machine(Vec::new()), &wanted);
        assert_eq!(cost.now.known().unwrap().all(), Bytes((24 << 20) + (256 << 10)));
        assert_eq!(cost.drain.missing().unwrap().why(), "the area is not active");
    }
}

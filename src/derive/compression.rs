//! Compression ratios, with the corrections that the kernel's raw figures need.
//!
//! zram's `orig_data_size` also counts pages filled with one value, which take no memory, and pages that
//! were written back, which are no longer in memory; `compr_data_size` counts neither. The plain ratio of
//! the two is too high.

use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::zram::{ZramDevice, Zswap};
use crate::model::{Bytes, Missing, Pages, Reading, Snapshot};

/// `bd_stat` counts in units of this many bytes on every machine.
pub const BD_UNIT: u64 = 4096;
/// With less data than this, the memory used does not show a ratio yet.
const MIN_DATA: u64 = 1 << 20;

/// Data and memory of one zram device.
#[derive(Clone, Debug, PartialEq)]
pub struct ZramRatio {
    /// Original size of the data compressed in memory, without same-filled and written-back pages.
    pub data: Reading<Bytes>,
    /// Same-filled data, which takes no memory.
    pub same: Reading<Bytes>,
    /// Data on the backing device.
    pub written_back: Reading<Bytes>,
    /// Incompressible data.
    pub huge: Reading<Bytes>,
    /// `data` divided by its compressed size: the ratio of the algorithm.
    pub ratio: Reading<f64>,
    /// `data` divided by all memory used.
    pub memory_ratio: Reading<f64>,
    /// Memory used by the allocator.
    pub memory: Reading<Bytes>,
    /// Memory used beyond the compressed size.
    pub overhead: Reading<Bytes>,
}

/// Computes the figures of one device for this page size.
pub fn zram(device: &ZramDevice, page_size: &Reading<u64>) -> ZramRatio {
    let mm = device.mm.as_ref();
    let page = page_size.clone();
    let same = mm.clone().map2(page.clone(), |mm, page| mm.same_pages.bytes(page));
    let huge = mm.clone().and_then(|mm| mm.huge_pages.clone());
    let huge = huge.map2(page, Pages::bytes);
    // Without bd_stat the kernel has no writeback, so nothing was written back.
    let written_back = device.bd.as_ref().map(|bd| Bytes(bd.count.saturating_mul(BD_UNIT)));
    let gone = written_back.clone().default_if_absent();
    let held = mm.clone().map2(gone, |mm, gone| mm.orig_data.saturating_sub(gone));
    let data = held.map2(same.clone(), Bytes::saturating_sub);
    let memory = mm.clone().map(|mm| mm.mem_used);
    let overhead = mm.map(|mm| mm.mem_used.saturating_sub(mm.compr_data));
    ZramRatio {
        ratio: data.clone().and_then2(device.mm.as_ref(), |data, mm| quotient(data, mm.compr_data)),
        memory_ratio: ratio_to_memory(&data, memory.clone()),
        data,
        same,
        written_back,
        huge,
        memory,
        overhead,
    }
}

/// Data and memory of all zram devices and zswap together.
#[derive(Clone, Debug, PartialEq)]
pub struct CompressedTotals {
    /// Original size of the data.
    pub data: Reading<Bytes>,
    /// Memory used.
    pub memory: Reading<Bytes>,
}

impl CompressedTotals {
    /// Returns the memory saved; negative if it takes more than it stores.
    pub fn saved(&self) -> Reading<i64> {
        let whole = |bytes: Bytes| i64::try_from(bytes.0).unwrap_or(i64::MAX);
        self.data.clone().map2(self.memory.clone(), |data, memory| whole(data) - whole(memory))
    }
}

/// Sums all zram devices and zswap of this machine.
pub fn compressed_totals(snapshot: &Snapshot) -> CompressedTotals {
    let zswap = zswap(snapshot);
    let devices = snapshot.zram.reading.as_ref().map(Vec::as_slice).default_if_absent();
    let set_up = devices.map(|devices| {
        let used = devices.iter().filter(|device| device.initialised != Reading::Known(false));
        used.map(|device| zram(device, &snapshot.page_size)).collect::<Vec<_>>()
    });
    let sum = |of: fn(&ZramRatio) -> &Reading<Bytes>| {
        set_up.as_ref().and_then(|devices| {
            let each = devices.iter().map(|device| of(device).clone().into_result());
            each.sum::<Result<Bytes, Missing>>().into()
        })
    };
    let plus = |a: Bytes, b: Bytes| Bytes(a.0.saturating_add(b.0));
    let is_on = zswap_is_on(snapshot);
    let in_zswap = |kept: Reading<Bytes>| if is_on { kept } else { kept.default_if_absent() };
    CompressedTotals {
        data: sum(|device| &device.data).map2(in_zswap(zswap.stored), plus),
        memory: sum(|device| &device.memory).map2(in_zswap(zswap.pool), plus),
    }
}

/// Returns whether zswap is enabled. Its contents may be unknown all the same: before 6.1 only debugfs has
/// them.
pub fn zswap_is_on(snapshot: &Snapshot) -> bool {
    snapshot.zswap.reading.known().is_some_and(|zswap| zswap.enabled == Reading::Known(true))
}

/// Returns the zram device that holds the pages of an area.
pub fn device_of<'s>(snapshot: &'s Snapshot, area: &SwapArea) -> Reading<&'s ZramDevice> {
    snapshot.zram.reading.as_ref().and_then(|devices| {
        let device = devices.iter().find(|device| carries(device, area));
        Reading::or_absent(device, "only zram stores its contents in memory")
    })
}

/// Returns whether this area is on this device; a file of the same name is not.
pub fn carries(device: &ZramDevice, area: &SwapArea) -> bool {
    let ends =
        |path: &[u8]| path.rsplit(|byte| *byte == b'/').next() == Some(device.name.as_bytes());
    area.kind == AreaKind::Partition && ends(area.path.as_bytes())
}

/// Data and memory of zswap.
#[derive(Clone, Debug, PartialEq)]
pub struct ZswapRatio {
    /// Memory used by the pool.
    pub pool: Reading<Bytes>,
    /// Original size of the stored data.
    pub stored: Reading<Bytes>,
    /// Stored data that is not same-filled, divided by the pool size.
    pub ratio: Reading<f64>,
    /// Limit of the pool size.
    pub limit: Reading<Bytes>,
    /// Pool size as a share of that limit.
    pub fill: Reading<f64>,
}

/// Computes the figures of zswap.
pub fn zswap(snapshot: &Snapshot) -> ZswapRatio {
    let zswap = snapshot.zswap.reading.as_ref();
    let page = snapshot.page_size.clone();
    let debug = |name| zswap.clone().and_then(|zswap| counter(zswap, name));
    let in_pages = |name| debug(name).map(Pages).map2(page.clone(), Pages::bytes);
    let pool = or_else(snapshot.memory("Zswap"), || debug("pool_total_size").map(Bytes));
    let stored = or_else(snapshot.memory("Zswapped"), || in_pages("stored_pages"));
    let same = zswap.clone().and_then(same_filled).map2(page.clone(), Pages::bytes);
    let compressed = stored.clone().map2(same, Bytes::saturating_sub);
    let percent = zswap.and_then(|zswap| zswap.max_pool_percent.clone());
    let pages = snapshot.memory("MemTotal").map2(page.clone(), pages);
    // The kernel computes the percentage in whole pages.
    let pages = percent.map2(pages, |percent, pages| Pages(pages * percent.min(100) / 100));
    let limit = pages.map2(page, Pages::bytes);
    ZswapRatio {
        ratio: compressed.and_then2(pool.clone(), quotient),
        fill: pool.clone().and_then2(limit.clone(), quotient),
        pool,
        stored,
        limit,
    }
}

fn pages(memory: Bytes, page_size: u64) -> u64 {
    memory.0 / page_size.max(1)
}

/// Returns the second figure if the first is absent: before 6.1 `/proc/meminfo` has no fields of zswap.
fn or_else(first: Reading<Bytes>, second: impl FnOnce() -> Reading<Bytes>) -> Reading<Bytes> {
    if first.is_absent() { second() } else { first }
}

fn counter(zswap: &Zswap, name: &str) -> Reading<u64> {
    zswap.debug.as_ref().and_then(|debug| debug.get(name))
}

/// Returns the same-filled pages of zswap, which take no memory. Kernels from 6.12 on have no such pages,
/// and neither the parameter nor the counter; if the parameter exists, only the counter shows them.
fn same_filled(zswap: &Zswap) -> Reading<Pages> {
    let zero_unless_counted = match zswap.debug {
        Reading::Known(_) => true,
        Reading::Missing { .. } => zswap.same_filled_pages_enabled.is_absent(),
    };
    let pages = counter(zswap, "same_filled_pages").map(Pages);
    if zero_unless_counted && pages.known().is_none() { Reading::Known(Pages(0)) } else { pages }
}

/// Divides data by the memory that it takes; absent with so little data that the memory is only the fixed
/// cost of a device.
pub fn ratio_to_memory(data: &Reading<Bytes>, memory: Reading<Bytes>) -> Reading<f64> {
    data.clone().and_then2(memory, |data, memory| match data {
        Bytes(0) => Reading::absent("nothing is stored or used"),
        Bytes(..MIN_DATA) => Reading::absent("less than 1 MiB is stored: too little for a ratio"),
        data => quotient(data, memory),
    })
}

/// Divides one size by another; absent if the divisor is zero.
pub(crate) fn quotient(a: Bytes, b: Bytes) -> Reading<f64> {
    if b.0 == 0 {
        return Reading::absent("nothing is stored or used");
    }
    Reading::Known(a.0 as f64 / b.0 as f64)
}

// zswap, which stands in front of the areas.

/// zswap in front of the areas.
#[derive(Clone, Debug, PartialEq)]
pub struct ZswapFront {
    /// Whether zswap takes new pages.
    pub is_on: bool,
    /// Original size of the data that it holds.
    pub stored: Reading<Bytes>,
    /// Memory that it uses.
    pub pool: Reading<Bytes>,
    /// `pool` as a share of its limit.
    pub fill: Reading<f64>,
    /// Used space of all areas.
    pub used: Reading<Bytes>,
    /// Whether its pages take slots of areas.
    pub takes_slots: bool,
}

/// Returns whether pages take slots only when they are written to an area. No release has virtual swap yet, and the
/// name of a simulated kernel says so.
pub fn has_virtual_swap(snapshot: &Snapshot) -> bool {
    let access = snapshot.access.reading.known();
    let kernel = snapshot.kernel.reading.known();
    access.is_some_and(|access| access.virtual_swap == Reading::Known(true))
        || kernel.and_then(|it| it.release.known()).is_some_and(|it| names_virtual_swap(it))
}

/// Returns whether this is the release of a simulated kernel with virtual swap.
pub(super) fn names_virtual_swap(release: &str) -> bool {
    release.contains("+virtual-swap")
}

impl ZswapFront {
    /// Returns what zswap holds as a share of the used swap.
    pub fn share(&self) -> Reading<f64> {
        if !self.takes_slots {
            return Reading::absent(NO_SLOTS);
        }
        let share = self.stored.clone().and_then2(self.used.clone(), quotient);
        // The two are not read at one moment.
        share.map(|share| share.min(1.0))
    }
}

/// Why the data in zswap is no share of the used swap.
const NO_SLOTS: &str = "with virtual swap, pages in zswap take no slots of areas";

/// Returns zswap if it takes pages or still holds some; `None` if it is off and empty, or not in this kernel.
pub fn zswap_front(snapshot: &Snapshot) -> Option<ZswapFront> {
    let figures = zswap(snapshot);
    let is_on = zswap_is_on(snapshot);
    let holds = figures.stored.known().is_some_and(|stored| *stored > Bytes(0));
    (is_on || holds).then_some(ZswapFront {
        is_on,
        stored: figures.stored,
        pool: figures.pool,
        fill: figures.fill,
        used: snapshot.used_swap(),
        takes_slots: !has_virtual_swap(snapshot),
    })
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod front_tests {
    use super::*;
    use crate::derive::selection::policy::testing::kernel;
    use crate::model::Sampled;
    use crate::model::snapshot::testing::with_memory;
    use crate::model::zram::testing;

    fn front(enabled: bool, stored: u64, debug: &[(&str, u64)]) -> Option<ZswapFront> {
        let fields = [("SwapTotal", 1000), ("SwapFree", 600), ("Zswapped", stored), ("Zswap", 90)];
        // Before 6.1 there are no fields of zswap.
        let fields = if debug.is_empty() { &fields[..] } else { &fields[..2] };
        let mut snapshot = with_memory(fields);
        snapshot.page_size = Reading::Known(1024);
        snapshot.zswap = Sampled::new(None, Reading::Known(testing::zswap(enabled, debug)));
        super::zswap_front(&snapshot)
    }

    #[test]
    fn all_that_is_used_may_be_in_the_pool() {
        let all = front(true, 400, &[]).unwrap();
        assert_eq!(all.share(), Reading::Known(1.0));
        let part = front(true, 100, &[]).unwrap();
        assert_eq!(part.share(), Reading::Known(0.25));
    }

    #[test]
    fn pages_in_zswap_take_no_slots_with_virtual_swap() {
        let mut snapshot =
            with_memory(&[("SwapTotal", 1000), ("SwapFree", 600), ("Zswapped", 700)]);
        snapshot.zswap = Sampled::new(None, Reading::Known(testing::zswap(true, &[])));
        snapshot.kernel = kernel("7.2+virtual-swap-SIMULATED");
        let front = super::zswap_front(&snapshot).unwrap();
        assert!(front.share().missing().is_some());
    }

    #[test]
    fn it_stands_there_while_it_is_on_or_still_holds_pages() {
        assert!(front(true, 0, &[]).is_some());
        assert!(front(false, 5, &[]).is_some_and(|front| !front.is_on));
        assert_eq!(front(false, 0, &[]), None);
    }

    #[test]
    fn older_kernels_say_in_debugfs_what_it_holds() {
        let old = front(true, 0, &[("stored_pages", 300), ("pool_total_size", 5000)]).unwrap();
        assert_eq!(old.stored, Reading::Known(Bytes(300 << 10)));
        assert_eq!(old.pool, Reading::Known(Bytes(5000)));
        let hidden = front(true, 0, &[("unrelated", 1)]).unwrap();
        assert!(hidden.share().missing().is_some());
    }
}

//! What compression buys, with the corrections that the kernel's raw figures need.
//!
//! zram's `orig_data_size` also counts pages filled with one value, which take no memory, and
//! pages that were written back, which are not in memory any more; `compr_data_size` counts
//! neither. A ratio of the two as they stand is too good.

use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::zram::{ZramDevice, Zswap};
use crate::model::{Bytes, Missing, Pages, Reading, Snapshot};

/// `bd_stat` counts in units of this many bytes on every machine.
pub const BD_UNIT: u64 = 4096;
/// Less data than this says nothing of the memory that more of it would take.
const MIN_DATA: u64 = 1 << 20;

/// What one zram device holds, and in how much memory.
#[derive(Clone, Debug, PartialEq)]
pub struct ZramRatio {
    /// Data kept compressed in memory, as it was before: without same-filled and written-back.
    pub data: Reading<Bytes>,
    /// Data filled with one value, kept in no memory.
    pub same: Reading<Bytes>,
    /// Data on the backing device.
    pub written_back: Reading<Bytes>,
    /// Data that did not compress.
    pub huge: Reading<Bytes>,
    /// `data` against its compressed size: how well the algorithm does.
    pub ratio: Reading<f64>,
    /// `data` against all memory that is used: what the memory buys.
    pub memory_ratio: Reading<f64>,
    /// Memory that the allocator takes for all of it.
    pub memory: Reading<Bytes>,
    /// Memory that the allocator uses beyond the compressed size.
    pub overhead: Reading<Bytes>,
}

/// The figures of one device, for this page size.
pub fn zram(device: &ZramDevice, page_size: &Reading<u64>) -> ZramRatio {
    let mm = device.mm.as_ref();
    let page = page_size.clone();
    let same = mm.clone().map2(page.clone(), |mm, page| mm.same_pages.bytes(page));
    let huge = mm.clone().and_then(|mm| mm.huge_pages.clone());
    let huge = huge.map2(page, super::super::model::units::Pages::bytes);
    // Without the file nothing can have been written back: the kernel lacks the feature.
    let written_back = match &device.bd {
        Reading::Known(bd) => Reading::Known(Bytes(bd.count.saturating_mul(BD_UNIT))),
        Reading::Missing { missing } => missing.clone().into(),
    };
    let gone = match written_back.missing() {
        Some(crate::model::Missing::Absent(_)) => Reading::Known(Bytes(0)),
        _ => written_back.clone(),
    };
    let held = mm.clone().map2(gone, |mm, gone| mm.orig_data.saturating_sub(gone));
    let data = held.map2(same.clone(), Bytes::saturating_sub);
    let ratio = data.clone().map2(mm.clone(), |data, mm| quotient(data, mm.compr_data));
    let memory_ratio = ratio_to_memory(&data, mm.clone().map(|mm| mm.mem_used));
    let memory = mm.clone().map(|mm| mm.mem_used);
    let overhead = mm.map(|mm| mm.mem_used.saturating_sub(mm.compr_data));
    ZramRatio {
        data,
        same,
        written_back,
        huge,
        ratio: ratio.and_then(|ratio| ratio),
        memory_ratio,
        memory,
        overhead,
    }
}

/// What all zram devices and zswap keep together, and in how much memory.
#[derive(Clone, Debug, PartialEq)]
pub struct CompressedTotals {
    /// Data as it was before.
    pub data: Reading<Bytes>,
    /// Memory that it takes.
    pub memory: Reading<Bytes>,
}

impl CompressedTotals {
    /// The memory that this saves; below zero where it takes more than it holds.
    pub fn saved(&self) -> Reading<i64> {
        let whole = |bytes: Bytes| i64::try_from(bytes.0).unwrap_or(i64::MAX);
        self.data.clone().map2(self.memory.clone(), |data, memory| whole(data) - whole(memory))
    }
}

/// The sums over all that compresses on this machine.
pub fn compressed_totals(snapshot: &Snapshot) -> CompressedTotals {
    let zswap = zswap(snapshot);
    let devices = default_if_absent(snapshot.zram.reading.as_ref().map(Vec::as_slice));
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
    let in_zswap = |kept: Reading<Bytes>| if is_on { kept } else { default_if_absent(kept) };
    CompressedTotals {
        data: sum(|device| &device.data).map2(in_zswap(zswap.stored), plus),
        memory: sum(|device| &device.memory).map2(in_zswap(zswap.pool), plus),
    }
}

/// Does zswap take pages? What it keeps may be told nowhere that can be read: before 6.1 only debugfs has it.
pub fn zswap_is_on(snapshot: &Snapshot) -> bool {
    snapshot.zswap.reading.known().is_some_and(|zswap| zswap.enabled == Reading::Known(true))
}

/// What this kernel does not have keeps nothing.
fn default_if_absent<T: Default>(reading: Reading<T>) -> Reading<T> {
    match reading.missing() {
        Some(Missing::Absent(_)) => Reading::Known(T::default()),
        _ => reading,
    }
}

/// Is this area on this device? A file of the same name is not.
pub fn carries(device: &ZramDevice, area: &SwapArea) -> bool {
    area.kind == AreaKind::Partition && area.path.base().as_bytes() == device.name.as_bytes()
}

/// What zswap holds, and in how much memory.
#[derive(Clone, Debug, PartialEq)]
pub struct ZswapRatio {
    /// Memory that the pool takes.
    pub pool: Reading<Bytes>,
    /// Data stored, as it was before.
    pub stored: Reading<Bytes>,
    /// Data stored that is not same-filled, against the pool.
    pub ratio: Reading<f64>,
    /// The largest that the pool may become.
    pub limit: Reading<Bytes>,
    /// The pool against that limit.
    pub fill: Reading<f64>,
}

/// The figures of zswap.
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
    // The kernel takes the percentage of whole pages.
    let pages = percent.map2(pages, |percent, pages| Pages(pages * percent.min(100) / 100));
    let limit = pages.map2(page, Pages::bytes);
    ZswapRatio {
        ratio: compressed.map2(pool.clone(), quotient).and_then(|ratio| ratio),
        fill: pool.clone().map2(limit.clone(), quotient).and_then(|fill| fill),
        pool,
        stored,
        limit,
    }
}

fn pages(memory: Bytes, page_size: u64) -> u64 {
    memory.0 / page_size.max(1)
}

/// The second, if the file of the first does not have it: before 6.1 `/proc/meminfo` says nothing
/// of zswap.
fn or_else(first: Reading<Bytes>, second: impl FnOnce() -> Reading<Bytes>) -> Reading<Bytes> {
    match first.missing() {
        Some(Missing::Absent(_)) => second(),
        _ => first,
    }
}

fn counter(zswap: &Zswap, name: &str) -> Reading<u64> {
    zswap.debug.as_ref().and_then(|debug| debug.get(name))
}

/// Data that zswap keeps in no memory. Kernels from 6.12 on have no such pages, and neither the
/// parameter nor the counter; where there is the parameter, only the counter tells.
fn same_filled(zswap: &Zswap) -> Reading<Pages> {
    let gone = match zswap.debug {
        Reading::Known(_) => true,
        Reading::Missing { .. } => {
            matches!(zswap.same_filled_pages_enabled.missing(), Some(Missing::Absent(_)))
        }
    };
    let pages = counter(zswap, "same_filled_pages").map(Pages);
    if gone && pages.known().is_none() { Reading::Known(Pages(0)) } else { pages }
}

/// Data against the memory that it takes; absent while there is so little that the memory is what
/// every device takes.
pub fn ratio_to_memory(data: &Reading<Bytes>, memory: Reading<Bytes>) -> Reading<f64> {
    let ratio = data.clone().map2(memory, |data, memory| match data {
        Bytes(0) => Reading::absent("nothing is stored or used"),
        Bytes(..MIN_DATA) => Reading::absent("less than 1 MiB is kept: its memory says nothing yet"),
        data => quotient(data, memory),
    });
    ratio.and_then(|ratio| ratio)
}

/// One against the other; absent when there is nothing to divide by.
pub(crate) fn quotient(a: Bytes, b: Bytes) -> Reading<f64> {
    if b.0 == 0 {
        return Reading::absent("nothing is stored or used");
    }
    Reading::Known(a.0 as f64 / b.0 as f64)
}

#[cfg(test)]
mod tests;

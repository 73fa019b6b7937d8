//! Clusters of all areas, from the kernel's own memory.
//!
//! Kernel: `mm/swapfile.c`, read through `/proc/kcore` by the addresses of `/proc/kallsyms`, or those in
//! that memory itself, and the types of `/sys/kernel/btf/vmlinux`; takes `CAP_SYS_RAWIO` and `CAP_SYSLOG`, and a kernel with `CONFIG_PROC_KCORE`,
//! `CONFIG_KALLSYMS_ALL` and `CONFIG_DEBUG_INFO_BTF`. No lock is held: what is read may change meanwhile, and a
//! copy that does not agree with itself is taken again, and says so if it never does.
//!
//! What it does not do: walk lists, which are torn while swap is used; the clusters say on which they
//! are. It reads no page that was swapped.

use super::copy::{self, AreaRecord};
use super::kcore::{self, Kcore};
use super::layout::{self, SwapLayout};
use super::memory::{KernelMemory, bytes, number, value};
use super::symbols::{self, Symbols};
use super::{grid, next_slots, owners};
use crate::clock::Clock;
use crate::model::clusters::{ClusterMap, SlotOwner, ClusterView};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Part, Reading, Snapshot};
use crate::probes::probe::BootCache;
use crate::probes::{Probe, ReadInterval, btf};
use crate::root::Root;
use std::collections::BTreeMap;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::KernelClusters,
    id: "kernel-clusters",
    tier: ReadInterval::OnDemand,
    files: &[
        "proc/kcore",
        "proc/kallsyms",
        "proc/self/status",
        "proc/swaps",
        SHOWN,
        grid::HUGE_PAGE,
        "sys/kernel/btf/vmlinux",
        "sys/kernel/security/lockdown",
    ],
    about: "Clusters of swap areas, from the kernel's own memory",
    remedy: "be root, outside of containers; the kernel needs CONFIG_PROC_KCORE, CONFIG_KALLSYMS_ALL and CONFIG_DEBUG_INFO_BTF",
};

/// Whether addresses are shown.
const SHOWN: &str = "proc/sys/kernel/kptr_restrict";
/// More areas than any kernel can have.
const MOST_AREAS: u64 = 64;

/// What is the same until the next boot.
#[derive(Clone, Debug)]
pub(super) struct SwapInfoAccess {
    pub(super) symbols: Symbols,
    pub(super) layout: SwapLayout,
}

/// Read the clusters of each area of the snapshot.
pub fn read(root: &Root, clock: &Clock, snapshot: &Snapshot) -> Reading<Vec<Reading<ClusterMap>>> {
    snapshot.swaps.reading.as_ref().and_then(|areas| {
        open(root, snapshot).and_then(|(memory, known, page)| {
            let read = super::read_unchanged(root, |rows| match_rows(&memory, &known, rows, page));
            read.map(|(rows, bound)| {
                let maps = maps(&memory, clock, &known, bound);
                super::mark_disabled(root, areas, super::for_areas(areas, &rows, &maps))
            })
        })
    })
}

/// The kernel's memory, what is where in it, and the size of a page.
pub(super) fn open(root: &Root, snapshot: &Snapshot) -> Reading<(Kcore, SwapInfoAccess, u64)> {
    kcore::open(root).and_then(|memory: Kcore| {
        let page = snapshot.page_size.clone();
        page.and_then(|page| cached_access(root, &memory, page).map(|known| (memory, known, page)))
    })
}

/// Symbols and types take more time than all the rest, and are read once from this machine. So is what
/// is not there, as long as addresses are shown to the same users.
fn cached_access(root: &Root, memory: &Kcore, page: u64) -> Reading<SwapInfoAccess> {
    static HERE: BootCache<SwapInfoAccess, Option<u64>> = BootCache::new();
    let shown = root.number(SHOWN).known().copied();
    HERE.get_or_read(root, shown, || find(root, memory, page))
}

fn find(root: &Root, memory: &Kcore, page: u64) -> Reading<SwapInfoAccess> {
    symbols::read(root, memory).and_then(|symbols| {
        btf::read(root, &layout::WANTED, |types| match SwapLayout::from_types(types, grid::default_cluster_slots(root, page)) {
            Ok(layout) => Reading::Known(SwapInfoAccess { symbols, layout }),
            Err(why) => Reading::absent(format!("by /{} this kernel {why}", btf::FILE)),
        })
    })
}

/// The clusters of each of these areas of the kernel.
pub(super) fn maps(
    memory: &impl KernelMemory,
    clock: &Clock,
    known: &SwapInfoAccess,
    areas: Vec<Reading<(u64, AreaRecord)>>,
) -> Vec<Reading<ClusterMap>> {
    let offsets = next_slots::offsets(memory, &known.symbols);
    let one = |area: Reading<(u64, AreaRecord)>| {
        area.and_then(|area| {
            let start = clock.cpu_us();
            map(memory, known, &offsets, &area)
                .map(|map| ClusterMap { cost_us: clock.cpu_us().saturating_sub(start), ..map })
                .map_err(Missing::failed)
                .into()
        })
    };
    areas.into_iter().map(one).collect()
}

/// The rows of `/proc/swaps` stand in the order in which the kernel keeps its areas. With one more
/// or less nothing is known: areas can be equal but for their names, which are not read.
/// This is the kernel's area of each row, and its address.
pub(super) fn match_rows(
    memory: &impl KernelMemory,
    known: &SwapInfoAccess,
    rows: &[SwapArea],
    page: u64,
) -> Reading<Vec<Reading<(u64, AreaRecord)>>> {
    let active = match active(memory, known) {
        Ok(active) => active,
        Err(why) => return Reading::failed(format!("the kernel's areas: {why}")),
    };
    if active.len() != rows.len() {
        return Reading::failed("areas came or went while they were read: ask again");
    }
    let one = |(area, row): ((u64, AreaRecord), &SwapArea)| {
        if is_row(&area.1, row, page) {
            return Reading::Known(area);
        }
        Reading::failed(
            "the kernel has another area in its place: areas came or went while they were read; ask again",
        )
    };
    Reading::Known(active.into_iter().zip(rows).map(one).collect())
}

/// The active areas and their addresses, in the kernel's order.
fn active(memory: &impl KernelMemory, known: &SwapInfoAccess) -> Result<Vec<(u64, AreaRecord)>, String> {
    let SwapInfoAccess { symbols, layout } = known;
    let text = |fault: super::memory::ReadFault| fault.to_string();
    let count = number(memory, symbols.nr_swapfiles, 4).map_err(text)?;
    if count > MOST_AREAS {
        return Err(format!("{count} are more than there can be"));
    }
    let len = usize::try_from(count).unwrap_or(0) * 8;
    let pointers = bytes(memory, symbols.swap_info, len).map_err(text)?;
    let mut active = Vec::new();
    for (number, pointer) in (0..).zip(pointers.chunks_exact(8)) {
        let address = value(pointer);
        // One that was never there yet, since the count is raised first.
        if address == 0 {
            continue;
        }
        let area = AreaRecord::read(memory, &layout.area, address).map_err(text)?;
        active.extend(area.filter(|area| area.number == number).map(|area| (address, area)));
    }
    Ok(active)
}

fn is_row(area: &AreaRecord, row: &SwapArea, page: u64) -> bool {
    // The kernel's figure in KiB wraps; that of the row may be repaired.
    let kib = |kib: u64| kib & u64::from(u32::MAX);
    area.priority == i64::from(row.priority)
        && kib(area.pages.saturating_mul(page / 1024)) == kib(row.size.0 / 1024)
}

fn map(
    memory: &impl KernelMemory,
    known: &SwapInfoAccess,
    offsets: &Reading<Vec<u64>>,
    &(address, ref area): &(u64, AreaRecord),
) -> Result<ClusterMap, String> {
    let layout = &known.layout;
    let mut copy = copy::copy(memory, layout, address)?;
    // What describes an area is used again for the next one.
    if !area.is_same(&copy.described) {
        return Err("another area came in its place: ask again".to_owned());
    }
    let (owners, lost) = owners::read(memory, layout, &copy, address);
    copy.partial = copy.partial.or(lost);
    let numbers = owners.known().into_iter().flat_map(|owners| owners.keys().copied());
    let names = names(memory, known, numbers);
    Ok(ClusterMap {
        view: ClusterView::Kernel,
        cluster_slots: layout.slots,
        slots: copy.described.max,
        reserved: copy.reserved,
        stored: Vec::new(),
        ages: None,
        counted: None,
        owners,
        names,
        next: next_slots::read(memory, known, offsets, (address, &copy.described)),
        clusters: copy.clusters,
        partial: copy.partial,
        cost_us: 0,
    })
}

/// What the owners are called, as far as that is found.
pub(super) fn names(
    memory: &impl KernelMemory,
    known: &SwapInfoAccess,
    numbers: impl Iterator<Item = u16>,
) -> BTreeMap<u16, SlotOwner> {
    let found = known.layout.groups.as_ref().zip(known.symbols.mem_cgroup_private_ids);
    found.map_or_else(BTreeMap::new, |(groups, array)| groups.names_of(memory, array, numbers))
}

#[cfg(test)]
mod tests;

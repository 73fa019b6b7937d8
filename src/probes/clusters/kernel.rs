//! Clusters of all areas, from kernel memory.
//!
//! Kernel: `mm/swapfile.c`, read through `/proc/kcore` by the addresses of `/proc/kallsyms` or of kernel
//! memory itself, and the types of `/sys/kernel/btf/vmlinux`; needs `CAP_SYS_RAWIO` and `CAP_SYSLOG`, and a
//! kernel with `CONFIG_PROC_KCORE`, `CONFIG_KALLSYMS_ALL` and `CONFIG_DEBUG_INFO_BTF`. No lock is held:
//! data may change during the read. An inconsistent copy is taken again, and marked if it stays
//! inconsistent.
//!
//! Not done here: walking lists, which are inconsistent while swap is used; the clusters record their list.
//! Swapped pages are never read.

use super::copy::{self, AreaRecord};
use super::grid::{self, ClusterBudget, MOST_CLUSTERS};
use super::kcore::{self, Kcore};
use super::layout::SwapLayout;
use super::memory::{KernelMemory, bytes, number, value};
use super::next_slots;
use super::symbols::{self, Symbols};
use crate::clock::Clock;
use crate::model::clusters::{ClusterMap, ClusterView, SlotOwner};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Part, Reading, Snapshot};
use crate::probes::probe::BootCache;
use crate::probes::{Probe, ReadInterval, btf, kernel_config, swaps};
use crate::root::Root;
use std::collections::BTreeMap;

/// Description of this probe.
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
        kernel_config::FILES,
        "sys/kernel/btf/vmlinux",
        "sys/kernel/security/lockdown",
    ],
    about: "Clusters of swap areas, from kernel memory",
    remedy: "run as root outside of containers; the kernel needs CONFIG_PROC_KCORE, CONFIG_KALLSYMS_ALL and CONFIG_DEBUG_INFO_BTF",
};

/// The setting that hides or shows addresses.
const SHOWN: &str = "proc/sys/kernel/kptr_restrict";

/// Facts that stay the same until the next boot.
#[derive(Clone, Debug)]
pub(super) struct SwapInfoAccess {
    pub(super) symbols: Symbols,
    pub(super) layout: SwapLayout,
}

/// Reads the clusters of each area of the snapshot.
pub fn read(root: &Root, clock: &Clock, snapshot: &Snapshot) -> Reading<Vec<Reading<ClusterMap>>> {
    snapshot.swaps.reading.as_ref().and_then(|areas| {
        open(root, snapshot).and_then(|(memory, known, page)| {
            let read = super::read_unchanged(root, |rows| match_rows(&memory, &known, rows, page));
            read.map(|(rows, bound)| {
                let maps = maps(&memory, clock, &known, bound);
                super::compare_with_swaps(root, areas, super::for_areas(areas, &rows, &maps))
            })
        })
    })
}

/// Kernel memory, the symbols and layout of its structures, and the page size.
pub(super) fn open(root: &Root, snapshot: &Snapshot) -> Reading<(Kcore, SwapInfoAccess, u64)> {
    kcore::open(root).and_then(|memory: Kcore| {
        let page = snapshot.page_size.clone();
        page.and_then(|page| cached_access(root, &memory, page).map(|known| (memory, known, page)))
    })
}

/// Symbols and types take longer than all the rest, and are read once on this machine. A missing symbol
/// stays missing as long as addresses are shown to the same users.
fn cached_access(root: &Root, memory: &Kcore, page: u64) -> Reading<SwapInfoAccess> {
    static HERE: BootCache<SwapInfoAccess, Option<u64>> = BootCache::new();
    let shown = root.number(SHOWN).known().copied();
    HERE.get_or_read(root, shown, || find(root, memory, page))
}

fn find(root: &Root, memory: &Kcore, page: u64) -> Reading<SwapInfoAccess> {
    symbols::read(root, memory).and_then(|symbols| {
        btf::read(root, |types| {
            match SwapLayout::from_types(types, grid::default_cluster_slots(root, page)) {
                Ok(layout) => Reading::Known(SwapInfoAccess { symbols, layout }),
                Err(why) => {
                    Reading::absent(format!("according to /{}, this kernel {why}", btf::FILE))
                }
            }
        })
    })
}

/// The clusters of each of these areas.
pub(super) fn maps(
    memory: &impl KernelMemory,
    clock: &Clock,
    known: &SwapInfoAccess,
    areas: Vec<Reading<(u64, AreaRecord)>>,
) -> Vec<Reading<ClusterMap>> {
    let offsets = next_slots::offsets(memory, &known.symbols);
    let mut budget = ClusterBudget::new(MOST_CLUSTERS);
    let mut one = |area: Reading<(u64, AreaRecord)>| -> Result<ClusterMap, Missing> {
        let area = area.into_result()?;
        if area.1.is_plausible() {
            budget.take(area.1.max.div_ceil(known.layout.slots.into()))?;
        }
        let start = clock.cpu_us();
        let map = map(memory, known, &offsets, &area).map_err(Missing::failed)?;
        Ok(ClusterMap { cost_us: clock.cpu_us().saturating_sub(start), ..map })
    };
    areas.into_iter().map(|area| one(area).into()).collect()
}

/// The kernel's area of each row, with its address. The rows of `/proc/swaps` are in the kernel's order of
/// areas. With a different number of areas nothing can be matched: areas may be equal except for their
/// names, which are not read.
pub(super) fn match_rows(
    memory: &impl KernelMemory,
    known: &SwapInfoAccess,
    rows: &[SwapArea],
    page: u64,
) -> Reading<Vec<Reading<(u64, AreaRecord)>>> {
    let active = match active(memory, known) {
        Ok(active) => active,
        Err(why) => return Reading::failed(format!("cannot read the kernel's areas: {why}")),
    };
    if active.len() != rows.len() {
        return Reading::failed("areas were enabled or disabled during the read: try again");
    }
    let one = |(area, row): ((u64, AreaRecord), &SwapArea)| {
        if is_row(&area.1, row, page) {
            return Reading::Known(area);
        }
        Reading::failed(
            "the kernel has another area in this position: areas were enabled or disabled during the read; try again",
        )
    };
    Reading::Known(active.into_iter().zip(rows).map(one).collect())
}

/// The active areas and their addresses, in the kernel's order.
fn active(
    memory: &impl KernelMemory,
    known: &SwapInfoAccess,
) -> Result<Vec<(u64, AreaRecord)>, String> {
    let SwapInfoAccess { symbols, layout } = known;
    let text = |fault: super::memory::ReadFault| fault.to_string();
    let count = number(memory, symbols.nr_swapfiles, 4).map_err(text)?;
    let areas = usize::try_from(count).ok().filter(|areas| *areas <= swaps::MOST_AREAS);
    let areas = areas.ok_or_else(|| format!("{count} areas are more than possible"))?;
    let pointers = bytes(memory, symbols.swap_info, areas * 8).map_err(text)?;
    let mut active = Vec::new();
    for (number, pointer) in (0..).zip(pointers.chunks_exact(8)) {
        let address = value(pointer);
        // An area that is not there yet, since the count is raised first.
        if address == 0 {
            continue;
        }
        let area = AreaRecord::read(memory, &layout.area, address).map_err(text)?;
        active.extend(area.filter(|area| area.number == number).map(|area| (address, area)));
    }
    Ok(active)
}

fn is_row(area: &AreaRecord, row: &SwapArea, page: u64) -> bool {
    // The kernel's number in KiB wraps; the row's number may be repaired.
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
    // The struct of an area is reused for a later area.
    if !area.is_same(&copy.described) {
        return Err("another area took its place: try again".to_owned());
    }
    let (owners, lost) = copy::read_owners(memory, layout, &copy, address);
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

/// The names of the owners, where found.
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

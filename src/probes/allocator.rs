//! How the kernel chooses the area of the next page: from its types, or else from the names of its symbols.
//!
//! Kernel: `mm/swapfile.c`; types in `/sys/kernel/btf/vmlinux`, readable by everyone, need
//! `CONFIG_DEBUG_INFO_BTF`. The names in `/proc/kallsyms` are readable by everyone too, and their addresses
//! are not needed here; names of data need `CONFIG_KALLSYMS_ALL`. Neither changes while the kernel runs.
//!
//! Not done here: the kernel release and priorities belong to other parts.

use super::btf::{self, TypeKind, Types};
use super::clusters::symbols;
use super::probe::BootCache;
use super::{Probe, ReadInterval, kernel_config, scan};
use crate::model::kernel::{AllocationOrder, Allocator, AllocatorEvidence, RotationUnit};
use crate::model::{Missing, Part, Reading};
use crate::root::{OpenFile, Root};

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Allocator,
    id: "allocator",
    tier: ReadInterval::OnDemand,
    files: &[btf::FILE, symbols::FILE, kernel_config::FILES],
    about: "How the kernel chooses the area of the next page",
    remedy: "boot a kernel with CONFIG_DEBUG_INFO_BTF; otherwise it is inferred from the release how the kernel chooses areas and slots",
};

/// Slots of a cluster where huge pages are swapped page by page.
pub(super) const SMALL_CLUSTER: u32 = 256;
/// Largest cluster of any kernel: huge pages of 512 MiB, with pages of 64 KiB.
const LARGEST_CLUSTER: u32 = 8192;

/// Reads the rules from types or symbols. Both take longer than all other files of a sample, so the result
/// is cached.
pub fn read(root: &Root) -> Reading<Allocator> {
    static TYPES: BootCache<Allocator> = BootCache::new();
    static SYMBOLS: BootCache<Allocator> = BootCache::new();
    let by_types = TYPES.get_or_read(root, (), || btf::read(root, from_types));
    if by_types.known().is_some() {
        return by_types;
    }
    let by_symbols = SYMBOLS.get_or_read(root, (), || read_symbols(root));
    by_symbols.known().copied().map_or(by_types, Reading::Known)
}

fn from_types(types: &Types) -> Reading<Allocator> {
    let unknown =
        || Reading::absent(format!("/{} describes swap areas in an unknown form", btf::FILE));
    let Some(area) = types.find(TypeKind::Struct, "swap_info_struct") else { return unknown() };
    let has = |member: &str| area.member(member).is_some();
    let is_there = |name: &str| types.find(TypeKind::Struct, name).is_some();
    let order = match (has("avail_lists"), has("avail_list")) {
        (true, _) => AllocationOrder::ByNode,
        (_, true) => AllocationOrder::Alike,
        _ => return unknown(),
    };
    let rotation_unit = match (is_there("percpu_swap_cluster"), is_there("swap_slots_cache")) {
        (true, _) => RotationUnit::Cluster,
        (_, true) => RotationUnit::Batch,
        _ => return unknown(),
    };
    let orders = area.member("nonfull_clusters").and_then(|lists| lists.length);
    let cluster_slots = orders.and_then(slots_per_cluster).filter(|slots| is_cluster(*slots));
    Reading::Known(Allocator {
        order,
        rotation_unit,
        cluster_slots,
        evidence: AllocatorEvidence::Types,
    })
}

/// Slots of a cluster on a kernel with this many lists by order: as many as the largest folio has.
pub(super) fn slots_per_cluster(orders: u32) -> Option<u32> {
    match orders {
        0 => None,
        1 => Some(SMALL_CLUSTER),
        _ => Some(1_u32.checked_shl(orders - 1).unwrap_or(u32::MAX)),
    }
}

/// Checks that a cluster can have this many slots.
pub(super) fn is_cluster(slots: u32) -> bool {
    slots.is_power_of_two() && slots <= LARGEST_CLUSTER
}

/// Infers the allocation rules from the names of kernel symbols.
fn read_symbols(root: &Root) -> Reading<Allocator> {
    root.open_file(symbols::FILE).and_then(|file| match scan_symbols(&file) {
        Ok(seen) => from_symbols(seen).into(),
        Err(error) => Reading::failed(format!("cannot read /{}: {error}", symbols::FILE)),
    })
}

/// Marks which of the names are among the symbols.
fn scan_symbols(file: &OpenFile) -> std::io::Result<[bool; NAMES.len()]> {
    let mut seen = [false; NAMES.len()];
    symbols::each_line(file, |line| {
        let name = scan::fields(line).nth(2);
        let known = NAMES.iter().zip(&mut seen).find(|(known, _)| Some(known.0) == name);
        if let Some((_, seen)) = known {
            *seen = true;
        }
        true
    })?;
    Ok(seen)
}

fn from_symbols(seen: [bool; NAMES.len()]) -> Result<Allocator, Missing> {
    let told = || NAMES.iter().zip(seen).filter(|(_, seen)| *seen).map(|(told, _)| told);
    let both = told()
        .find_map(|(_, order, _)| *order)
        .zip(told().find_map(|(.., rotation_unit)| *rotation_unit));
    let (order, rotation_unit) = both.ok_or_else(|| {
        Missing::absent(format!("/{} lacks all known allocator symbols", symbols::FILE))
    })?;
    Ok(Allocator {
        order,
        rotation_unit,
        cluster_slots: None,
        evidence: AllocatorEvidence::Symbols,
    })
}

/// A symbol, and what its presence shows.
type SymbolHint = (&'static [u8], Option<AllocationOrder>, Option<RotationUnit>);

static NAMES: [SymbolHint; 6] = [
    (b"swap_avail_heads", Some(AllocationOrder::ByNode), None),
    (b"swap_avail_head", Some(AllocationOrder::Alike), Some(RotationUnit::Cluster)),
    (b"swapin_sync", Some(AllocationOrder::Alike), Some(RotationUnit::Cluster)),
    (b"scan_swap_map_slots", Some(AllocationOrder::ByNode), Some(RotationUnit::Batch)),
    (b"swp_slots", Some(AllocationOrder::ByNode), Some(RotationUnit::Batch)),
    (b"percpu_swap_cluster", None, Some(RotationUnit::Cluster)),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probes::btf::testing::Builder;
    use crate::root::testing::{TestTree, mangled};

    /// Types of an area with this list and these orders, beside these structures.
    fn types(list: &str, orders: &str, others: &[&str]) -> Vec<u8> {
        let others: Vec<String> = others.iter().map(|name| format!("\nstruct {name} 8")).collect();
        let others = others.concat();
        Builder::from_text(&format!("struct swap_info_struct 64\n {list}\n {orders}{others}"))
    }

    fn read_of(files: &[(&str, Vec<u8>)]) -> Reading<Allocator> {
        read(&TestTree::with(files).root())
    }

    fn known(
        order: AllocationOrder,
        rotation_unit: RotationUnit,
        slots: Option<u32>,
        evidence: AllocatorEvidence,
    ) -> Reading<Allocator> {
        Reading::Known(Allocator { order, rotation_unit, cluster_slots: slots, evidence })
    }

    #[test]
    fn types_identify_each_kernel_generation() {
        let of = |list, orders, other| read_of(&[(btf::FILE, types(list, orders, &[other]))]);
        let by_node = "avail_lists 8 8*0";
        let (batch, cluster) = ("swap_slots_cache", "percpu_swap_cluster");
        let known = |order, rotation_unit, slots| {
            known(order, rotation_unit, slots, AllocatorEvidence::Types)
        };
        let old = known(AllocationOrder::ByNode, RotationUnit::Batch, None);
        assert_eq!(of(by_node, "prio 0 2", batch), old);
        let trixie = known(AllocationOrder::ByNode, RotationUnit::Batch, Some(512));
        assert_eq!(of(by_node, "nonfull_clusters 16 16*10", batch), trixie);
        let later = known(AllocationOrder::ByNode, RotationUnit::Cluster, Some(512));
        assert_eq!(of(by_node, "nonfull_clusters 16 16*10", cluster), later);
        let newest = known(AllocationOrder::Alike, RotationUnit::Cluster, Some(256));
        assert_eq!(of("avail_list 8 8", "nonfull_clusters 16 16*1", cluster), newest);
        let strange = of("avail 8 8", "prio 0 2", cluster);
        assert_eq!(strange.missing().unwrap().kind(), "absent");
    }

    #[test]
    fn without_types_symbol_names_identify_it() {
        let of = |names: &str| read_of(&[(symbols::FILE, names.as_bytes().to_vec())]);
        let line = |name: &str| format!("0000000000000000 t {name}\n");
        let known =
            |order, rotation_unit| known(order, rotation_unit, None, AllocatorEvidence::Symbols);
        let later = of(&(line("swap_avail_heads") + &line("percpu_swap_cluster")));
        assert_eq!(later, known(AllocationOrder::ByNode, RotationUnit::Cluster));
        assert_eq!(
            of(&line("scan_swap_map_slots")),
            known(AllocationOrder::ByNode, RotationUnit::Batch)
        );
        assert_eq!(of(&line("swapin_sync")), known(AllocationOrder::Alike, RotationUnit::Cluster));
        for nothing in [line("swap_avail_heads"), line("swap_avail_head_x"), String::new()] {
            let missing = of(&nothing).missing().cloned().unwrap();
            assert_eq!(missing.why(), "/sys/kernel/btf/vmlinux does not exist", "{nothing}");
        }
    }

    #[test]
    fn damaged_types_and_symbols_give_no_wrong_answer() {
        let good = types("avail_lists 8 8*0", "nonfull_clusters 16 16*10", &["swap_slots_cache"]);
        mangled(&good, 300, |bytes| drop(read_of(&[(btf::FILE, bytes.to_vec())])));
        let names = b"ffffffff81000000 T swapin_sync\n";
        mangled(names, 300, |bytes| drop(read_of(&[(symbols::FILE, bytes.to_vec())])));
        let damaged = read_of(&[(btf::FILE, b"nothing".to_vec()), (symbols::FILE, names.to_vec())]);
        assert_eq!(damaged.known().map(|known| known.evidence), Some(AllocatorEvidence::Symbols));
    }
}

//! How the kernel chooses the area of the next page: by its types, or else the names of its symbols.
//!
//! Kernel: `mm/swapfile.c`; types in `/sys/kernel/btf/vmlinux`, readable by everyone, need
//! `CONFIG_DEBUG_INFO_BTF`. Names in `/proc/kallsyms` are there for everyone too, whose addresses are
//! not needed here; those of data need `CONFIG_symbols::FILE_ALL`. Neither changes while the kernel runs.
//!
//! What it does not do: look at the release or at priorities, which are other parts.

use super::btf::{self, Kind, Types};
use super::clusters::symbols;
use super::probe::Kept;
use super::{Probe, Tier, scan};
use crate::model::kernel::{Allocator, Evidence, Grain, Order};
use crate::model::{Missing, Part, Reading};
use crate::root::{Held, Root};

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Allocator,
    id: "allocator",
    tier: Tier::OnDemand,
    files: &[btf::FILE, symbols::FILE],
    about: "How the kernel chooses the area of the next page",
    remedy: "boot a kernel with CONFIG_DEBUG_INFO_BTF; otherwise its release tells, as a rule",
};

/// Slots of a cluster where huge pages are not swapped whole.
pub(super) const SMALL_CLUSTER: u32 = 256;
/// No cluster has more: huge pages of 512 MiB, with pages of 64 KiB.
const LARGEST_CLUSTER: u32 = 8192;

/// The structures that tell.
static WANTED: [&str; 3] = ["swap_info_struct", "percpu_swap_cluster", "swap_slots_cache"];

/// Read what tells. Both take longer than all that is read beside them, as often as anybody looks.
pub fn read(root: &Root) -> Reading<Allocator> {
    static TYPES: Kept<Allocator> = Kept::new();
    static SYMBOLS: Kept<Allocator> = Kept::new();
    let by_types = TYPES.of(root, (), || btf::read(root, &WANTED, by_types));
    if by_types.known().is_some() {
        return by_types;
    }
    let by_symbols = SYMBOLS.of(root, (), || by_symbols(root));
    by_symbols.known().copied().map_or(by_types, Reading::Known)
}

fn by_types(types: &Types) -> Reading<Allocator> {
    let unknown = || Reading::absent(format!("/{} has no swap area of a known form", btf::FILE));
    let Some(area) = types.find(Kind::Struct, "swap_info_struct") else { return unknown() };
    let has = |member: &str| area.member(member).is_some();
    let is_there = |name: &str| types.find(Kind::Struct, name).is_some();
    let order = match (has("avail_lists"), has("avail_list")) {
        (true, _) => Order::ByNode,
        (_, true) => Order::Alike,
        _ => return unknown(),
    };
    let grain = match (is_there("percpu_swap_cluster"), is_there("swap_slots_cache")) {
        (true, _) => Grain::Cluster,
        (_, true) => Grain::Batch,
        _ => return unknown(),
    };
    let orders = area.member("nonfull_clusters").and_then(|lists| lists.length);
    let cluster_slots = orders.and_then(cluster_slots).filter(|slots| is_cluster(*slots));
    Reading::Known(Allocator { order, grain, cluster_slots, evidence: Evidence::Types })
}

/// Slots of a cluster on a kernel with lists for so many orders: as many as the largest folio has.
pub(super) fn cluster_slots(orders: u32) -> Option<u32> {
    match orders {
        0 => None,
        1 => Some(SMALL_CLUSTER),
        _ => Some(1_u32.checked_shl(orders - 1).unwrap_or(u32::MAX)),
    }
}

/// Can a cluster have so many slots?
pub(super) fn is_cluster(slots: u32) -> bool {
    slots.is_power_of_two() && slots <= LARGEST_CLUSTER
}

/// Functions and data that only some kernels have.
fn by_symbols(root: &Root) -> Reading<Allocator> {
    root.hold(symbols::FILE).and_then(|file| match seen(&file) {
        Ok(seen) => told_by(seen).into(),
        Err(error) => Reading::failed(format!("reading /{}: {error}", symbols::FILE)),
    })
}

/// Which of the names are among the symbols.
fn seen(file: &Held) -> std::io::Result<[bool; NAMES.len()]> {
    let mut seen = [false; NAMES.len()];
    symbols::each(file, |line| {
        let name = scan::fields(line).nth(2);
        let known = NAMES.iter().zip(&mut seen).find(|(known, _)| Some(known.0) == name);
        if let Some((_, seen)) = known {
            *seen = true;
        }
        true
    })?;
    Ok(seen)
}

fn told_by(seen: [bool; NAMES.len()]) -> Result<Allocator, Missing> {
    let told = || NAMES.iter().zip(seen).filter(|(_, seen)| *seen).map(|(told, _)| told);
    let both = told().find_map(|(_, order, _)| *order).zip(told().find_map(|(.., grain)| *grain));
    let (order, grain) =
        both.ok_or_else(|| Missing::absent(format!("/{} has no such names", symbols::FILE)))?;
    Ok(Allocator { order, grain, cluster_slots: None, evidence: Evidence::Symbols })
}

/// A name, and what follows from it.
type Told = (&'static [u8], Option<Order>, Option<Grain>);

static NAMES: [Told; 6] = [
    (b"swap_avail_heads", Some(Order::ByNode), None),
    (b"swap_avail_head", Some(Order::Alike), Some(Grain::Cluster)),
    (b"swapin_sync", Some(Order::Alike), Some(Grain::Cluster)),
    (b"scan_swap_map_slots", Some(Order::ByNode), Some(Grain::Batch)),
    (b"swp_slots", Some(Order::ByNode), Some(Grain::Batch)),
    (b"percpu_swap_cluster", None, Some(Grain::Cluster)),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probes::btf::testing::Builder;
    use crate::root::testing::{Tree, mangled};

    /// Types of an area with this list, of these orders, beside these structures.
    fn types(list: &str, orders: &str, others: &[&str]) -> Vec<u8> {
        let others: Vec<String> = others.iter().map(|name| format!("\nstruct {name} 8")).collect();
        let others = others.concat();
        Builder::told(&format!("struct swap_info_struct 64\n {list}\n {orders}{others}"))
    }

    fn read_of(files: &[(&str, Vec<u8>)]) -> Reading<Allocator> {
        read(&Tree::with(files).root())
    }

    fn known(
        order: Order,
        grain: Grain,
        slots: Option<u32>,
        evidence: Evidence,
    ) -> Reading<Allocator> {
        Reading::Known(Allocator { order, grain, cluster_slots: slots, evidence })
    }

    #[test]
    fn types_tell_of_each_generation() {
        let of = |list, orders, other| read_of(&[(btf::FILE, types(list, orders, &[other]))]);
        let by_node = "avail_lists 8 8*0";
        let (batch, cluster) = ("swap_slots_cache", "percpu_swap_cluster");
        let known = |order, grain, slots| known(order, grain, slots, Evidence::Types);
        let old = known(Order::ByNode, Grain::Batch, None);
        assert_eq!(of(by_node, "prio 0 2", batch), old);
        let trixie = known(Order::ByNode, Grain::Batch, Some(512));
        assert_eq!(of(by_node, "nonfull_clusters 16 16*10", batch), trixie);
        let later = known(Order::ByNode, Grain::Cluster, Some(512));
        assert_eq!(of(by_node, "nonfull_clusters 16 16*10", cluster), later);
        let newest = known(Order::Alike, Grain::Cluster, Some(256));
        assert_eq!(of("avail_list 8 8", "nonfull_clusters 16 16*1", cluster), newest);
        let strange = of("avail 8 8", "prio 0 2", cluster);
        assert_eq!(strange.missing().unwrap().kind(), "absent");
    }

    #[test]
    fn without_types_the_names_of_symbols_tell() {
        let of = |names: &str| read_of(&[(symbols::FILE, names.as_bytes().to_vec())]);
        let line = |name: &str| format!("0000000000000000 t {name}\n");
        let known = |order, grain| known(order, grain, None, Evidence::Symbols);
        let later = of(&(line("swap_avail_heads") + &line("percpu_swap_cluster")));
        assert_eq!(later, known(Order::ByNode, Grain::Cluster));
        assert_eq!(of(&line("scan_swap_map_slots")), known(Order::ByNode, Grain::Batch));
        assert_eq!(of(&line("swapin_sync")), known(Order::Alike, Grain::Cluster));
        for nothing in [line("swap_avail_heads"), line("swap_avail_head_x"), String::new()] {
            let missing = of(&nothing).missing().cloned().unwrap();
            assert_eq!(missing.why(), "/sys/kernel/btf/vmlinux does not exist", "{nothing}");
        }
    }

    #[test]
    fn damaged_types_and_symbols_tell_nothing_wrong() {
        let good = types("avail_lists 8 8*0", "nonfull_clusters 16 16*10", &["swap_slots_cache"]);
        mangled(&good, 300, |bytes| drop(read_of(&[(btf::FILE, bytes.to_vec())])));
        let names = b"ffffffff81000000 T swapin_sync\n";
        mangled(names, 300, |bytes| drop(read_of(&[(symbols::FILE, bytes.to_vec())])));
        let damaged = read_of(&[(btf::FILE, b"nothing".to_vec()), (symbols::FILE, names.to_vec())]);
        assert_eq!(damaged.known().map(|known| known.evidence), Some(Evidence::Symbols));
    }
}

//! Clusters of swap areas, compared with the use that the kernel shows.

mod concurrent_swapoff;
mod interrupted_walk;
mod large_area;
mod lists;
mod memory;
mod views;

use crate::memory_limit::MemoryLimit;
use crate::reference::{self, quiet};
use crate::scene::Scene;
use crate::{in_lab, lab};
use std::fs;
use std::path::Path;
use swapadm::clock::Clock;
use swapadm::model::clusters::{ClusterMap, ClusterView, List, SlotState};
use swapadm::model::{Missing, Part, PartSet, Reading};
use swapadm::probes::{self, clusters::states};
use swapadm::root::Root;

/// Idle and loaded, on zram, on a loop device like a partition, and on a file.
#[test]
fn clusters_in_kernel_memory_add_up_to_the_use() {
    in_lab("clusters_in_kernel_memory_add_up_to_the_use", |lab| {
        let mut scene = Scene::build(lab)?;
        if !is_shown() {
            return Ok(());
        }
        agrees("idle", &scene.cage);
        scene.fill_the_pair();
        agrees("half full", &scene.cage);
        scene.fill_the_rest();
        agrees("full", &scene.cage);
        Ok(())
    });
}

/// Hidden addresses are found in kernel memory, from 6.0 on. Results are cached while the program runs, so
/// a new process reads them.
#[test]
fn hidden_addresses_do_not_hide_clusters() {
    in_lab("hidden_addresses_do_not_hide_clusters", |lab| {
        let _scene = Scene::build(lab)?;
        if !is_shown() {
            return Ok(());
        }
        let restrict = Restrict(fs::read_to_string(RESTRICT).expect("the setting exists"));
        let seen = |value: &str| {
            fs::write(RESTRICT, value).expect("it can be set");
            let rows = crate::program::table("clusters", &["--view", "kernel"]);
            rows.iter()
                .map(|row| (row["name"].clone(), row["clusters"].clone()))
                .collect::<Vec<_>>()
        };
        let (shown, hidden) = (seen("1"), seen("2"));
        let symbols = fs::read_to_string("/proc/kallsyms").expect("the file is readable");
        drop(restrict);
        assert!(symbols.starts_with("0000000000000000 "), "they are hidden");
        assert!(shown.iter().all(|row| row.1.is_number()), "{shown:?}");
        assert_eq!(shown, hidden);
        Ok(())
    });
}

const RESTRICT: &str = "/proc/sys/kernel/kptr_restrict";

/// Restores the setting.
struct Restrict(String);

impl Drop for Restrict {
    fn drop(&mut self) {
        let _ = fs::write(RESTRICT, &self.0);
    }
}

/// Whether kernel memory is readable here; otherwise the reason is checked.
pub(crate) fn is_shown() -> bool {
    let Err(missing) = read() else { return true };
    is_explained(&missing);
    lab::remark(&format!("clusters from kernel memory: {missing}"));
    false
}

pub(crate) fn read() -> Result<Vec<ClusterMap>, Missing> {
    let parts = PartSet::from_parts(&[Part::Swaps, Part::KernelClusters]);
    let snapshot = probes::sample(&Root::live(), &Clock::Real, parts);
    let maps = snapshot.kernel_clusters.reading.get()?;
    maps.iter().map(|map| Reading::get(map).cloned()).collect()
}

const TYPES: &str = "/sys/kernel/btf/vmlinux";

/// A kernel without this view is accepted if the reason names the requirement.
fn is_explained(missing: &Missing) {
    let text = missing.to_string();
    let (file, word) = if is_locked_down() {
        ("/proc/kcore", "kernel lockdown (confidentiality)")
    } else if !Path::new("/proc/kcore").exists() {
        ("/proc/kcore", "CONFIG_PROC_KCORE")
    } else if !Path::new(TYPES).exists() {
        (TYPES, "does not exist")
    } else {
        let symbols = fs::read_to_string("/proc/kallsyms").expect("the file is readable");
        assert!(!symbols.contains(" swap_info\n"), "everything is there: {text}");
        ("/proc/kallsyms", "CONFIG_KALLSYMS_ALL")
    };
    assert!(text.contains(file) && text.contains(word), "{text}");
}

fn is_locked_down() -> bool {
    let modes = fs::read_to_string("/sys/kernel/security/lockdown").unwrap_or_default();
    modes.contains("[confidentiality]")
}

fn agrees(when: &str, cage: &MemoryLimit) {
    let (swaps, maps) = quiet("/proc/swaps", reference::swaps, || read().ok());
    assert_eq!(swaps.len(), maps.len());
    for (swap, map) in swaps.iter().zip(&maps) {
        let name = format!("{} {when}", swap.name);
        assert_eq!(map.partial, None, "{name}");
        let page = crate::areas::page_size();
        assert_eq!(map.used() * page, swap.used, "{name}");
        assert_eq!((map.slots - 1) * page, swap.size, "{name}: all but the header");
        assert_eq!(
            map.clusters.len() as u64,
            map.slots.div_ceil(map.cluster_slots.into()),
            "{name}"
        );
        lists_fit(map, &name);
        owners_fit(map, cage, &name);
        println!("{name}: {} slots used, read in {} us", map.used(), map.cost_us);
    }
    if cage.version == 2 && maps.iter().all(|map| map.owners.known().is_some()) {
        let owned: u64 = maps.iter().map(|map| owned_by(map, cage)).sum();
        assert_eq!(owned * crate::areas::page_size(), cage.swap(), "memory of the cgroup, {when}");
    }
    for (place, map) in maps.iter().enumerate() {
        slots_fit(place, map, &format!("{} {when}", swaps[place].name));
    }
}

/// With version 2 each slot has an owner; with version 1 pages in the swap cache have none.
fn owners_fit(map: &ClusterMap, cage: &MemoryLimit, name: &str) {
    let Some(owners) = map.owners.known() else { return };
    let owned: u64 = owners.values().sum();
    if cage.version == 2 {
        assert_eq!(owned, map.used(), "{name}: {owners:?}");
    }
    assert!(owned <= map.used(), "{name}: {owners:?}");
    assert!(owners.keys().all(|id| map.names.contains_key(id)), "{name}: {:?}", map.names);
}

fn owned_by(map: &ClusterMap, cage: &MemoryLimit) -> u64 {
    let owners = map.owners.known().expect("they are known");
    let own = |id: &u16| map.names.get(id).is_some_and(|owner| owner.path.safe() == cage.path);
    owners.iter().filter(|(id, _)| own(id)).map(|(_, slots)| slots).sum()
}

/// The slots add up to the count of each cluster.
fn slots_fit(place: usize, map: &ClusterMap, name: &str) {
    let parts = PartSet::from_parts(&[Part::Swaps, Part::Allocator]);
    let snapshot = probes::sample(&Root::live(), &Clock::Real, parts);
    for cluster in [0, 1, map.clusters.len() / 2, map.clusters.len() - 1] {
        let of = (place, cluster as u64);
        let slots = states::read(&Root::live(), &Clock::Real, &snapshot, of, ClusterView::Kernel)
            .unwrap_or_else(|missing| panic!("{name}: cluster {cluster}: {missing}"))
            .slots;
        let behind = map.cluster_slots as usize - slots.len();
        let taken = slots.iter().filter(|slot| slot.state != SlotState::Free).count();
        assert_eq!(taken + behind, usize::from(map.clusters[cluster].taken), "{name}: {cluster}");
        assert!(slots.iter().all(|slot| slot.state != SlotState::Unknown), "{name}: {slots:?}");
    }
}

/// The list of a cluster fits its count, where the kernel has such lists.
fn lists_fit(map: &ClusterMap, name: &str) {
    for (nth, cluster) in map.clusters.iter().enumerate() {
        let taken = u32::from(cluster.taken);
        let fits = match cluster.list {
            Some(List::Free) => taken == 0,
            Some(List::Full) => taken == map.cluster_slots,
            Some(List::Nonfull | List::Frag) => (1..map.cluster_slots).contains(&taken),
            Some(List::None | List::Discard) | None => true,
        };
        assert!(fits, "{name}: cluster {nth} is {cluster:?}");
    }
}

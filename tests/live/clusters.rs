//! Clusters of swap areas against what the kernel says is used of them.

mod lists;
mod memory;
mod vast;
mod views;

use crate::reference::{self, quiet};
use crate::scene::Scene;
use crate::{in_lab, lab};
use std::fs;
use std::path::Path;
use swapadm::clock::Clock;
use swapadm::model::clusters::{ClusterMap, List};
use swapadm::model::{Missing, Part, PartSet, Reading};
use swapadm::probes;
use swapadm::root::Root;

/// Idle and loaded, on zram, on a loop device as on a partition, and on a file.
#[test]
fn clusters_in_the_kernel_s_memory_come_to_what_is_used() {
    in_lab("clusters_in_the_kernel_s_memory_come_to_what_is_used", |lab| {
        let mut scene = Scene::build(lab)?;
        if !is_shown() {
            return Ok(());
        }
        agrees("idle");
        scene.fill_the_pair();
        agrees("half full");
        scene.fill_the_rest();
        agrees("full");
        Ok(())
    });
}

/// Can the kernel's memory be read here? Otherwise it is said why not.
fn is_shown() -> bool {
    let Err(missing) = read() else { return true };
    is_explained(&missing);
    lab::remark(&format!("clusters by the kernel's memory: {missing}"));
    false
}

fn read() -> Result<Vec<ClusterMap>, Missing> {
    let parts = PartSet::of(&[Part::Swaps, Part::KernelClusters]);
    let snapshot = probes::sample(&Root::live(), &Clock::Real, parts);
    let maps = snapshot.kernel_clusters.reading.get()?;
    maps.iter().map(|map| Reading::get(map).cloned()).collect()
}

/// A kernel without such a view is no failure, if it is said what it takes.
fn is_explained(missing: &Missing) {
    let text = missing.to_string();
    let (file, word) = if Path::new("/proc/kcore").exists() {
        let symbols = fs::read_to_string("/proc/kallsyms").expect("it can be read");
        assert!(!symbols.contains(" swap_info\n"), "everything is there: {text}");
        ("/proc/kallsyms", "CONFIG_KALLSYMS_ALL")
    } else {
        ("/proc/kcore", "CONFIG_PROC_KCORE")
    };
    assert!(text.starts_with("absent: ") && text.contains(file) && text.contains(word), "{text}");
}

fn agrees(when: &str) {
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
        if let Some(owners) = map.owners.known() {
            let owned: u64 = owners.values().sum();
            // Nearly all belongs to a cgroup, be it the topmost one.
            let least = map.used() - map.used() / 8;
            assert!((least..=map.used()).contains(&owned), "{name}: {owners:?}");
        }
        println!("{name}: {} slots used, read in {} us", map.used(), map.cost_us);
    }
}

/// What a list says of its clusters, where the kernel has such lists.
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

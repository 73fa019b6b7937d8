//! The list of each cluster, checked by walking the kernel's lists. swapadm does not walk lists, since they
//! change during the read; it uses the flags of each cluster.

use super::memory::Kernel;
use super::{is_shown, read};
use crate::hog::Hog;
use crate::reference::quiet;
use crate::scene::Scene;
use crate::{in_lab, lab};
use std::collections::BTreeMap;
use std::fs;
use swapadm::model::clusters::{ClusterMap, List};

/// The clusters of each list, and of each order where lists have one.
type Lists = BTreeMap<(List, Option<u64>), Vec<usize>>;

const LARGE: &str = "/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled";

#[test]
fn clusters_are_on_their_reported_lists() {
    in_lab("clusters_are_on_their_reported_lists", |lab| {
        if !is_shown() {
            return Ok(());
        }
        let _large = LargeFolios::folios();
        let mut scene = Scene::build(lab)?;
        let kernel = Kernel::open()?;
        if kernel.member("swap_info_struct", "full_clusters").is_none() {
            lab::remark("lists of clusters: this kernel has only a free list");
            return Ok(());
        }
        agree(&kernel, "idle");
        let mut other = Hog::new(&scene.cage);
        other.fill(64);
        scene.fill_the_pair();
        agree(&kernel, "half full");
        // Freed slots leave clusters partially used.
        drop(other);
        let lists = agree(&kernel, "with gaps");
        let has = |list| lists.iter().flat_map(BTreeMap::keys).any(|(of, _)| *of == list);
        assert!(has(List::Free) && has(List::Full), "{lists:?}");
        assert!(has(List::Nonfull) || has(List::Frag), "{lists:?}");
        scene.fill_the_rest();
        agree(&kernel, "full");
        Ok(())
    });
}

/// Compares both ways while nothing changes.
fn agree(kernel: &Kernel, when: &str) -> Vec<Lists> {
    let walked = || kernel.areas().into_iter().map(|area| walk(kernel, area)).collect::<Vec<_>>();
    let (walked, maps) = quiet("the lists of clusters", walked, || read().ok());
    assert_eq!(walked.len(), maps.len());
    for (lists, map) in walked.iter().zip(&maps) {
        let told: Vec<_> =
            lists.iter().map(|(list, all)| format!("{list:?} {}", all.len())).collect();
        println!("{when}: {}", told.join(", "));
        assert_eq!(*lists, reported_lists(map), "{when}");
    }
    walked
}

/// The lists according to the clusters' flags.
fn reported_lists(map: &ClusterMap) -> Lists {
    let mut lists = Lists::new();
    for (number, cluster) in map.clusters.iter().enumerate() {
        let order = cluster.order.map(u64::from);
        match cluster.list {
            // Areas without clusters, as on rotating devices up to 6.12, have no lists.
            None | Some(List::None) => {}
            Some(list @ (List::Nonfull | List::Frag)) => {
                lists.entry((list, order)).or_default().push(number);
            }
            Some(list @ (List::Free | List::Full | List::Discard)) => {
                lists.entry((list, None)).or_default().push(number);
            }
        }
    }
    lists
}

fn walk(kernel: &Kernel, area: u64) -> Lists {
    let head = |member: &str, number: u64| {
        area + kernel.member("swap_info_struct", member).expect("it has such a list") + 16 * number
    };
    let mut lists = Lists::new();
    if kernel.number(area, "swap_info_struct", "cluster_info", 8) == 0 {
        return lists;
    }
    let mut add = |list, order, head| {
        let clusters = on_list(kernel, area, head);
        if !clusters.is_empty() {
            lists.insert((list, order), clusters);
        }
    };
    add(List::Free, None, head("free_clusters", 0));
    add(List::Full, None, head("full_clusters", 0));
    add(List::Discard, None, head("discard_clusters", 0));
    for order in 0..kernel.length("swap_info_struct", "nonfull_clusters") {
        add(List::Nonfull, Some(order), head("nonfull_clusters", order));
        add(List::Frag, Some(order), head("frag_clusters", order));
    }
    lists
}

/// The numbers of all clusters on a list, in order. A walk that leaves the list is repeated.
fn on_list(kernel: &Kernel, area: u64, head: u64) -> Vec<usize> {
    let number = |member, bytes| kernel.number(area, "swap_info_struct", member, bytes);
    let (array, size) = (number("cluster_info", 8), kernel.size("swap_cluster_info"));
    let link = kernel.member("swap_cluster_info", "list").expect("clusters are on lists");
    let mut clusters = Vec::new();
    let mut next = kernel.word(head);
    while next != head && clusters.len() as u64 <= number("max", 4) {
        let place = next.wrapping_sub(link).wrapping_sub(array);
        if place % size != 0 {
            break;
        }
        clusters.push(usize::try_from(place / size).expect("a number"));
        next = kernel.word(next);
    }
    clusters.sort_unstable();
    clusters
}

/// Enables folios of 64 KiB while this exists, where the kernel has them: clusters are reserved per order.
struct LargeFolios(Option<String>);

impl LargeFolios {
    fn folios() -> Self {
        let before = fs::read_to_string(LARGE).ok();
        let chosen = before.as_deref().and_then(|text| text.split(['[', ']']).nth(1));
        let chosen = chosen.map(str::to_owned);
        if chosen.is_some() {
            fs::write(LARGE, "always").expect("root chooses");
        }
        Self(chosen)
    }
}

impl Drop for LargeFolios {
    fn drop(&mut self) {
        if let Some(chosen) = &self.0 {
            let _ = fs::write(LARGE, chosen);
        }
    }
}

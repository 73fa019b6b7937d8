//! An area that is disabled while clusters are read: its map is marked, and the map of the other area is
//! complete.

use crate::areas::{self, Area, Title};
use crate::hog::Hog;
use crate::lab::Lab;
use crate::memory_limit::MemoryLimit;
use crate::slots::places;
use crate::{in_lab, lab};
use swapadm::clock::Clock;
use swapadm::model::clusters::ClusterMap;
use swapadm::model::{Part, PartSet, Reading};
use swapadm::probes;
use swapadm::root::Root;

const MIB: u64 = 1 << 20;
/// Higher than any other priority, so that the load goes to our areas only.
const PRIORITY: u16 = 32_000;
/// Number of times the area is disabled and enabled.
const ROUNDS: usize = 8;
static TITLES: [Title; 2] = [
    Title { label: "swapadm-live-f0", uuid: "5a9c0f3e-7b1d-4e62-8f40-000000f100de" },
    Title { label: "swapadm-live-f1", uuid: "5a9c0f3e-7b1d-4e62-8f40-000000f101de" },
];

#[test]
fn an_area_disabled_during_a_read_leaves_others_intact() {
    in_lab("an_area_disabled_during_a_read_leaves_others_intact", |lab| {
        let zram = |title| areas::zram(lab, 64 * MIB, title, PRIORITY);
        let ours = [zram(&TITLES[0])?, zram(&TITLES[1])?];
        let (_cage, _hog) = load(lab)?;
        let mut met = 0;
        for _ in 0..ROUNDS {
            met += round(&ours);
            areas::use_it(&ours[0], PRIORITY)?;
        }
        println!("met {met} times in {ROUNDS} rounds");
        if met == 0 {
            lab::remark("areas disabled during a read: never observed");
        }
        Ok(())
    });
}

/// More memory than the cgroup has, and less than the cgroup with one area.
fn load(lab: &Lab) -> Result<(MemoryLimit, Hog), String> {
    let cage = MemoryLimit::new(lab, 32 * MIB)?;
    let mut hog = Hog::new(&cage);
    hog.fill(72);
    Ok((cage, hog))
}

/// Reads clusters until the first area is gone; counts how often it was disabled during a read.
fn round(ours: &[Area; 2]) -> u32 {
    let path = ours[0].path.clone();
    let off = std::thread::spawn(move || areas::swapoff(&path));
    let mut met = 0;
    while !off.is_finished() {
        met += u32::from(look(ours));
    }
    off.join().expect("it ends").expect("the area is disabled");
    met
}

/// Reads clusters; whether the first area was disabled meanwhile.
fn look(ours: &[Area; 2]) -> bool {
    let parts = [Part::Swaps, Part::KernelClusters, Part::StoredClusters, Part::MappedClusters];
    let snapshot = probes::sample(&Root::live(), &Clock::Real, PartSet::from_parts(&parts));
    let active = snapshot.swaps.reading.known().expect("areas are active");
    if !active.iter().any(|area| area.path.as_path() == ours[0].path) {
        return false;
    }
    let [first, second] = <[usize; 2]>::try_from(places(ours, &snapshot)).expect("two");
    let kernel = snapshot.kernel_clusters.reading.known();
    if let Some(kernel) = kernel {
        stays(&kernel[second], "the clusters of an area that is used cannot be missing");
    }
    // Where kernel memory has the clusters of all areas, page tables are not read.
    let mapped = snapshot.mapped_clusters.reading.known();
    if let Some(mapped) = mapped {
        stays(&mapped[second], "their slots fit several");
    }
    mapped.or(kernel).is_some_and(|maps| says_off(&maps[first]))
}

/// The other area is present and complete.
fn stays(map: &Reading<ClusterMap>, but_for: &str) {
    match map.get() {
        Ok(map) => assert_eq!(map.partial, None),
        Err(missing) => assert!(missing.to_string().contains(but_for), "{missing}"),
    }
}

fn says_off(map: &Reading<ClusterMap>) -> bool {
    let why = match map.get() {
        Ok(map) => map.partial.clone(),
        Err(missing) => Some(missing.to_string()),
    };
    why.is_some_and(|why| {
        why.contains("disabled during the read") || why.contains("enabled or disabled")
    })
}

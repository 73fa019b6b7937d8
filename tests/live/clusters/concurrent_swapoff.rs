//! An area that is swapped off while somebody looks through clusters: what was seen of it says so, and the
//! other one is shown as ever.

use crate::areas::{self, Area, Title};
use crate::memory_limit::MemoryLimit;
use crate::hog::Hog;
use crate::lab::Lab;
use crate::slots::places;
use crate::{in_lab, lab};
use swapadm::clock::Clock;
use swapadm::model::clusters::ClusterMap;
use swapadm::model::{Part, PartSet, Reading};
use swapadm::probes;
use swapadm::root::Root;

const MIB: u64 = 1 << 20;
/// Above what anybody uses, so that the load goes to our areas only.
const PRIORITY: u16 = 32_000;
/// How often it is switched off and on.
const ROUNDS: usize = 8;
static TITLES: [Title; 2] = [
    Title { label: "swapadm-live-f0", uuid: "5a9c0f3e-7b1d-4e62-8f40-000000f100de" },
    Title { label: "swapadm-live-f1", uuid: "5a9c0f3e-7b1d-4e62-8f40-000000f101de" },
];

#[test]
fn an_area_disabled_during_a_read_leaves_others_intact() {
    in_lab("an_area_that_is_swapped_off_meanwhile_takes_no_other_with_it", |lab| {
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
            lab::remark("swapped off while somebody looks: never met");
        }
        Ok(())
    });
}

/// More than the cage has, and less than it has with one area.
fn load(lab: &Lab) -> Result<(MemoryLimit, Hog), String> {
    let cage = MemoryLimit::new(lab, 32 * MIB)?;
    let mut hog = Hog::new(&cage);
    hog.fill(72);
    Ok((cage, hog))
}

/// Look until the first area is gone; how often it went while it was looked at.
fn round(ours: &[Area; 2]) -> u32 {
    let path = ours[0].path.clone();
    let off = std::thread::spawn(move || areas::swapoff(&path));
    let mut met = 0;
    while !off.is_finished() {
        met += u32::from(look(ours));
    }
    off.join().expect("it ends").expect("it is switched off");
    met
}

/// Did the first area go meanwhile?
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
    // Where the kernel's own memory tells of all areas, page tables are not read.
    let mapped = snapshot.mapped_clusters.reading.known();
    if let Some(mapped) = mapped {
        stays(&mapped[second], "their slots fit more than one");
    }
    mapped.or(kernel).is_some_and(|maps| says_off(&maps[first]))
}

/// The other area is there, and nothing of it is missing.
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
    why.is_some_and(|why| why.contains("swapped off while") || why.contains("switched on or off"))
}

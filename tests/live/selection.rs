//! Distribution of swapped pages over areas of all kinds, compared with the prediction.

mod blind;
mod builtin;
mod counters;
mod limit;
mod lists;
mod model;
mod zram_memory;
mod zswap;

use crate::areas::{self, Area, Title};
use crate::hog::Hog;
use crate::lab::Lab;
use crate::memory_limit::MemoryLimit;
use crate::{at_length, in_lab, program};
use nix::sys::prctl;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use swapadm::clock::Clock;
use swapadm::derive::selection::{self, NodeOrder};
use swapadm::model::{Part, PartSet, Snapshot, swaparea::SwapArea};
use swapadm::probes;
use swapadm::root::Root;

const MIB: u64 = 1 << 20;
/// Memory limit of the load.
const MEMORY: u64 = 32 * MIB;
/// Largest difference between a share and its prediction: each CPU has clusters of its own.
const FAR: f64 = 0.03;
/// Higher than any other priority, so that the load goes to our areas only.
const TOP: u16 = 32_000;

#[test]
fn areas_of_one_priority_share_as_predicted() {
    in_lab("areas_of_one_priority_share_as_predicted", |lab| {
        let zram = |mib| AreaMedium::Zram.spec(mib, TOP);
        shares("two equal ones", lab, &[zram(160), zram(160)], 128)?;
        shares("four equal ones", lab, &[zram(96), zram(96), zram(96), zram(96)], 160)?;
        shares("a small and a large one", lab, &[zram(40), zram(200)], 176)?;
        shares("three of three sizes", lab, &[zram(24), zram(64), zram(160)], 176)
    });
}

#[test]
fn groups_fill_one_after_the_other_as_predicted() {
    in_lab("groups_fill_one_after_the_other_as_predicted", |lab| {
        let zram = |mib, below| AreaMedium::Zram.spec(mib, TOP - below);
        shares("one before the other", lab, &[zram(64, 0), zram(160, 9)], 144)?;
        let pairs = [zram(40, 0), zram(40, 0), zram(96, 1), zram(64, 1)];
        shares("a pair before a pair", lab, &pairs, 192)
    });
}

#[test]
fn areas_without_a_priority_fill_as_predicted() {
    in_lab("areas_without_a_priority_fill_as_predicted", |lab| {
        areas::are_ours_only()?;
        let given = |mib| TestArea { priority: None, ..AreaMedium::Zram.spec(mib, 0) };
        shares("two without one", lab, &[given(96), given(160)], 144)?;
        shares(
            "one with and two without",
            lab,
            &[given(64), AreaMedium::Zram.spec(40, 5), given(96)],
            144,
        )
    });
}

#[test]
fn areas_of_all_kinds_share_as_predicted() {
    at_length("areas_of_all_kinds_share_as_predicted", |lab| {
        let [zram, disk, rotating] = [AreaMedium::Zram, AreaMedium::Solid, AreaMedium::Rotating]
            .map(|kind| kind.spec(96, TOP));
        shares("zram and a solid disk", lab, &[zram, disk], 96)?;
        shares("zram and a rotating disk", lab, &[zram, rotating], 80)?;
        shares("a solid and a rotating disk", lab, &[disk, rotating], 80)?;
        shares("two rotating disks", lab, &[rotating, rotating], 80)?;
        shares("a file and zram", lab, &[AreaMedium::File.spec(96, TOP), zram], 96)?;
        let below = AreaMedium::Rotating.spec(96, TOP - 1);
        shares("a rotating disk below zram", lab, &[below, AreaMedium::Zram.spec(64, TOP)], 96)
    });
}

#[test]
fn a_nearly_full_area_gets_what_fits_as_predicted() {
    in_lab("a_nearly_full_area_gets_what_fits_as_predicted", |lab| {
        let scene = Scene::new(lab, &[AreaMedium::Zram.spec(96, TOP)])?;
        let mut before = Hog::new(&scene.cage);
        before.fill(112);
        let other = AreaMedium::Zram.spec(160, TOP).area(lab, 7)?;
        matches_prediction("a nearly full one and an empty one", &scene, 112, &[other]);
        Ok(())
    });
}

/// The device of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AreaMedium {
    Zram,
    /// A loop device that does not rotate.
    Solid,
    /// A loop device marked as rotating.
    Rotating,
    File,
}

/// An area to create.
#[derive(Clone, Copy, Debug)]
struct TestArea {
    kind: AreaMedium,
    mib: u64,
    priority: Option<u16>,
}

impl AreaMedium {
    fn spec(self, mib: u64, priority: u16) -> TestArea {
        TestArea { kind: self, mib, priority: Some(priority) }
    }
}

impl std::fmt::Display for TestArea {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, mib, priority } = self;
        write!(to, "{kind:?} {mib}M at {priority:?}")
    }
}

impl TestArea {
    fn area(&self, lab: &Lab, number: usize) -> Result<Area, String> {
        let size = self.mib * MIB;
        match self.kind {
            AreaMedium::Zram => {
                let area = areas::new_zram(lab)?;
                areas::give_size(&area, size, &TITLE)?;
                areas::use_it(&area, self.priority)?;
                Ok(area)
            }
            AreaMedium::Solid | AreaMedium::Rotating => {
                let area = areas::new_loop_on(lab, &format!("backing{number}"), size)?;
                let rotates = u8::from(self.kind == AreaMedium::Rotating).to_string();
                let file = areas::sysfs(&area.path).join("queue/rotational");
                fs::write(file, rotates)
                    .map_err(|error| format!("queue/rotational cannot be set: {error}"))?;
                areas::write_header(&area.path, &TITLE, size);
                areas::use_it(&area, self.priority)?;
                Ok(area)
            }
            AreaMedium::File => areas::file(lab, size, &TITLE, self.priority.unwrap_or(TOP)),
        }
    }
}

/// Areas and a cgroup; only pages of the base size.
struct Scene {
    cage: MemoryLimit,
    areas: Vec<Area>,
}

impl Scene {
    fn new(lab: &Lab, wishes: &[TestArea]) -> Result<Self, String> {
        let areas = wishes.iter().enumerate().map(|(number, wish)| wish.area(lab, number));
        let areas = areas.collect::<Result<_, _>>()?;
        let mut cage = MemoryLimit::new(lab, MEMORY)?;
        cage.keep_fresh();
        // Children inherit this setting.
        prctl::set_thp_disable(true).map_err(|error| format!("large folios: {error}"))?;
        Ok(Self { cage, areas })
    }

    /// The place of each area in the kernel's order: this machine may have others.
    fn places(&self, snapshot: &Snapshot) -> Vec<usize> {
        let paths: Vec<&Path> = all(snapshot).iter().map(|area| area.path.as_path()).collect();
        let place = |area: &Area| paths.iter().position(|path| *path == area.path);
        self.areas.iter().map(|area| place(area).expect("it is active")).collect()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = prctl::set_thp_disable(false);
    }
}

/// Fills areas with a load, and compares the distribution with the prediction.
fn shares(what: &str, lab: &Lab, wishes: &[TestArea], mib: u64) -> Result<(), String> {
    let scene = Scene::new(lab, wishes)?;
    let grown = matches_prediction(what, &scene, mib, &[]);
    let places = scene.places(&look());
    let grown: Vec<u64> = places.iter().map(|place| grown[*place]).collect();
    let simulated = model::used(wishes, &places, mib, grown.iter().sum());
    let total: u64 = simulated.iter().sum();
    let simulated: Vec<f64> = simulated.iter().map(|pages| *pages as f64 / total as f64).collect();
    compare(&format!("{what}, simulated"), &simulated, &grown);
    Ok(())
}

/// The same on a scene to which other areas were added.
fn matches_prediction(what: &str, scene: &Scene, mib: u64, _added: &[Area]) -> Vec<u64> {
    let mut load = Hog::new(&scene.cage);
    let before = look();
    let shown = program::table("selection", &["-o", "all"]);
    load.fill(mib);
    let after = look();
    let line = line(&before);
    agrees(&line, &before, &shown);
    let grown = grown(&before, &after);
    compare(what, &shares_of(&line, &grown), &grown);
    grown
}

/// The first predicted line.
fn line(snapshot: &Snapshot) -> NodeOrder {
    selection::for_pages(snapshot).known().expect("the value is known").lines[0].clone()
}

/// The predicted shares of areas for this many swapped pages.
pub(crate) fn shares_of(line: &NodeOrder, grown: &[u64]) -> Vec<f64> {
    let total = grown.iter().sum();
    (0..grown.len()).map(|area| pages_of(line, area, total) / total as f64).collect()
}

/// Each area must have its predicted share of these pages.
pub(crate) fn compare(what: &str, foretold: &[f64], pages: &[u64]) {
    let total: u64 = pages.iter().sum();
    let mut told = format!("{what}: {} MiB", total * areas::page_size() / MIB);
    let mut farthest: f64 = 0.0;
    for (wanted, pages) in foretold.iter().zip(pages) {
        let found = *pages as f64 / total as f64;
        let (found_pc, wanted_pc) = (found * 100.0, wanted * 100.0);
        write!(told, "; {found_pc:.1} % ({wanted_pc:.1} % foretold)").expect("a text takes it");
        farthest = farthest.max((wanted - found).abs());
    }
    println!("{told}");
    assert!(total * areas::page_size() > 32 * MIB, "too little was swapped out: {told}");
    assert!(farthest <= FAR, "{told}");
}

/// The number of these pages that go to an area.
fn pages_of(line: &NodeOrder, area: usize, total: u64) -> f64 {
    let place = line.places.iter().position(|place| place.area == area).expect("it has a place");
    let mut left = total;
    let mut pages = 0.0;
    for phase in &line.phases {
        let now = phase.pages.min(left);
        pages += phase.share(place) * now as f64;
        left -= now;
    }
    pages
}

/// The areas in the kernel's order.
pub(crate) fn all(snapshot: &Snapshot) -> &[SwapArea] {
    snapshot.swaps.reading.known().expect("the kernel lists them")
}

/// Growth of each area in pages, in the kernel's order.
pub(crate) fn grown(before: &Snapshot, after: &Snapshot) -> Vec<u64> {
    let used = |snapshot: &Snapshot| -> Vec<u64> {
        let pages = |used: u64| used / areas::page_size();
        all(snapshot)
            .iter()
            .map(|area| pages(area.used.known().expect("the value is known").0))
            .collect()
    };
    let pairs = used(before).into_iter().zip(used(after));
    pairs.map(|(before, after)| after.saturating_sub(before)).collect()
}

/// The program shows the same prediction.
fn agrees(line: &NodeOrder, snapshot: &Snapshot, shown: &[Value]) {
    let areas = all(snapshot);
    assert_eq!(shown.len(), line.places.len(), "{shown:?}");
    for (place, row) in line.places.iter().zip(shown) {
        let path: &Path = areas[place.area].path.as_path();
        assert_eq!(row["name"].as_str().map(Path::new), Some(path), "{row}");
        let share = place.share.known().copied().expect("the value is known");
        assert!((row["next_share"].as_f64().expect("a share") - share).abs() < 0.001, "{row}");
    }
}

pub(crate) fn look() -> Snapshot {
    let order = [Part::Kernel, Part::Swaps, Part::Block, Part::Thp, Part::Numa, Part::Allocator];
    let parts = [order.as_slice(), &[Part::Zram]].concat();
    probes::sample(&Root::live(), &Clock::Real, PartSet::from_parts(&parts))
}

static TITLE: Title =
    Title { label: "swapadm-live-se", uuid: "5a9c0f3e-7b1d-4e62-8f40-00005e1ec7ed" };

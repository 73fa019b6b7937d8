//! A zram area whose memory limit stops it before it is full: the kernel continues to choose it, and
//! refused pages go nowhere else.

use super::{AreaMedium, MIB, Scene, TOP, all, grown};
use crate::hog::Hog;
use crate::{areas, at_length, program};
use std::fs;
use std::path::Path;
use swapadm::derive::headroom::ZramFill;
use swapadm::derive::selection::{self, pitfalls, pitfalls::Pitfall};
use swapadm::model::Snapshot;

/// Bytes that the limit leaves for the area.
const MORE: u64 = 16 * MIB;

#[test]
fn a_zram_limit_stops_an_area_as_predicted() {
    at_length("a_zram_limit_stops_an_area_as_predicted", |lab| {
        let scene = Scene::new(
            lab,
            &[AreaMedium::Zram.spec(160, TOP), AreaMedium::Zram.spec(160, TOP - 1)],
        )?;
        let [limited, below] = [0, 1].map(|place| scene.areas[place].path.clone());
        scene.cage.lift();
        let mut load = Hog::new(&scene.cage);
        // Incompressible pages need as much memory as their size.
        load.noise(112);
        // Set before pages are swapped out: pages that are read would come back to memory otherwise.
        let sum = load.sum();
        scene.cage.squeeze(96 * MIB);
        let device = areas::sysfs(&limited);
        let limit = |bytes: u64| fs::write(device.join("mem_limit"), bytes.to_string());
        assert_eq!(predicted_share(&look(), &limited), None, "it has no limit yet");
        limit(stored(&device).memory + MORE).expect("zram takes a limit");

        let before = (look(), stored(&device));
        let filling = predicted_share(&before.0, &limited).expect("the limit is predicted");
        says_so(&limited);
        scene.cage.squeeze(32 * MIB);
        let after = (look(), stored(&device));
        let (told, took) = (filling.takes.0, after.1.data - before.1.data);
        println!("{} of {} MiB foretold were taken", took / MIB, told / MIB);
        assert!(told.abs_diff(took) < told / 8, "{told} bytes predicted, {took} used");
        assert!(failed(&device) > 0, "zram refuses what is beyond");
        assert_eq!(grown_of(&before.0, &after.0, &below), 0, "no pages go to the lower area");
        load.rest_unchanged(&sum);

        limit(0).expect("zram takes a limit");
        scene.cage.squeeze(32 * MIB);
        let more = stored(&device).data - after.1.data;
        assert!(more > 2 * MORE, "without a limit it takes more than {more} bytes");
        load.rest_unchanged(&sum);
        Ok(())
    });
}

fn look() -> Snapshot {
    program::snapshots(1).remove(0)
}

/// The predicted growth up to the limit; none without a limit.
fn predicted_share(snapshot: &Snapshot, path: &Path) -> Option<ZramFill> {
    let selection = selection::for_pages(snapshot);
    let pitfalls =
        pitfalls::find_pitfalls(snapshot, selection.known().expect("the value is known"));
    let mut of_limits = pitfalls.into_iter().filter_map(|pitfall| {
        let Pitfall::LimitFirst { areas, filling, has_later_areas } = pitfall else { return None };
        Some((areas, filling, has_later_areas))
    });
    let (areas, filling, has_later_areas) = of_limits.next()?;
    assert_eq!(areas, [place(snapshot, path)]);
    assert!(has_later_areas, "there is an area below it");
    assert_eq!(of_limits.next(), None, "the other has no limit");
    Some(filling)
}

/// The program shows the limit at this area alone.
fn says_so(path: &Path) {
    for row in program::table("selection", &["-o", "name,pitfalls"]) {
        let is_limited = row["name"].as_str().map(Path::new) == Some(path);
        let names = row["pitfalls"].to_string().contains("\"limit-refuses-pages\"");
        assert_eq!(names, is_limited, "{row}");
    }
}

fn place(snapshot: &Snapshot, path: &Path) -> usize {
    let place = all(snapshot).iter().position(|area| area.path.as_path() == path);
    place.expect("it is active")
}

pub(super) fn grown_of(before: &Snapshot, after: &Snapshot, path: &Path) -> u64 {
    grown(before, after)[place(after, path)]
}

/// Data and memory of a zram device.
pub(super) struct Stored {
    data: u64,
    pub(super) memory: u64,
}

pub(super) fn stored(device: &Path) -> Stored {
    let stat = numbers(&device.join("mm_stat"));
    Stored { data: stat[0], memory: stat[2] }
}

/// Writes that the device refused.
fn failed(device: &Path) -> u64 {
    numbers(&device.join("io_stat"))[1]
}

fn numbers(file: &Path) -> Vec<u64> {
    let text = fs::read_to_string(file).expect("zram tells");
    text.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

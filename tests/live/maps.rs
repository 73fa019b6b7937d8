//! The cluster map on real swap: swapped pages appear, it follows changes, and it handles the removal of
//! its area.

use crate::areas::{self, Title};
use crate::at_terminal;
use crate::hog::Hog;
use crate::lab::Lab;
use crate::memory_limit::MemoryLimit;
use crate::pty::{Modes, Start, Terminal};
use std::path::Path;
use swapadm::probes::swaps;
use swapadm::root::Root;

const MIB: u64 = 1 << 20;
/// The size of a cluster.
const CLUSTER: usize = 2 << 20;
/// Clusters beside those that the pages fill: each CPU has one of its own.
const PARTLY: usize = 8;
/// Memory limit of the load, and its size.
const MEMORY: u64 = 64;
const LOAD: u64 = 160;
/// Higher than any other priority, so that the load goes to our area only.
const PRIORITY: u16 = 32_000;
static TITLE: Title =
    Title { label: "swapadm-live-map", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000a3a0de0" };

/// Opens the map of this area, in any order of areas.
fn open(lab: &Lab, area: &Path) -> Terminal {
    let start = Start::program(lab.scratch.program(), &["watch", "map"]);
    let mut terminal = start.env("SWAPADM_JOURNAL", lab.scratch.file("journal")).open();
    terminal.wait_for("[8 Map]");
    let name = area.to_str().expect("text");
    terminal.press("\t", "Areas");
    terminal.press(&format!("/{name}\r"), &format!("> {name} "));
    terminal.press("\x1b[Z", &format!("{name} "));
    terminal
}

/// Use of an area counted by the kernel, in bytes.
fn used(area: &Path) -> usize {
    let areas = swaps::read(&Root::live()).into_result().expect("areas are active");
    let ours = areas.iter().find(|other| other.path.as_path() == area).expect("it is active");
    usize::try_from(ours.used.known().expect("the value is known").0).expect("little")
}

/// Visible clusters with used slots.
fn taken(terminal: &Terminal) -> usize {
    let text = terminal.text();
    let rows = text.lines().filter(|line| line.contains("·····") || line.contains("█████"));
    rows.flat_map(str::chars).filter(|cell| "░▒▓█".contains(*cell)).count()
}

#[test]
fn the_map_shows_what_was_swapped_out() {
    at_terminal("the_map_shows_what_was_swapped_out", |lab| {
        let area = areas::zram(lab, 256 * MIB, &TITLE, PRIORITY)?;
        let mut terminal = open(lab, &area.path);
        terminal.wait_for("128 clusters of 2M");
        assert!(taken(&terminal) <= 1, "the header alone:\n{}", terminal.text());
        let cage = MemoryLimit::new(lab, MEMORY * MIB)?;
        let mut hog = Hog::new(&cage);
        hog.fill(LOAD);
        // Updates on request show the load at once.
        terminal.press("r", "of used slots seen");
        assert!(!terminal.text().contains("of used slots seen!"), "{}", terminal.text());
        let (least, seen) = (used(&area.path).div_euclid(CLUSTER), taken(&terminal));
        let are = least..=least + PARTLY;
        assert!(are.contains(&seen), "{seen} of {are:?} clusters:\n{}", terminal.text());
        terminal.press("ll", "cluster 2, ");
        drop(hog);
        drop(area);
        // The content disappears with its area.
        terminal.press("r", "[8 Map]");
        terminal.wait_without("128 clusters of");
        terminal.keys("\x03");
        assert!(terminal.ended().success());
        assert_eq!(terminal.modes(), Modes::REST);
        Ok(())
    });
}

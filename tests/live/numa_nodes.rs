//! Areas that belong to NUMA nodes.

use crate::areas::{self, Title};
use crate::file::{MIB, active, done, priority, refused, text, undo};
use crate::hog::Hog;
use crate::lab::Lab;
use crate::memory_limit::MemoryLimit;
use crate::test_vm::{self, Disk};
use crate::{program, selection, syscalls};
use std::fs;
use swapadm::derive::selection as foretold;

static ZRAM: Title =
    Title { label: "swapadm-live-nz", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000a0de0" };
static TITLES: [Title; 2] = [
    Title { label: "swapadm-live-n0", uuid: "5a9c0f3e-7b1d-4e62-8f40-000000a00de0" },
    Title { label: "swapadm-live-n1", uuid: "5a9c0f3e-7b1d-4e62-8f40-000000a10de0" },
];
const MEMORY: u64 = 32 * MIB;
const LOAD: u64 = 96;
const COMMAND: [&str; 2] = ["rebalance", "numa"];

/// A disk on each node, the last one with the highest priority, and zram above both.
pub(crate) fn bound(lab: &Lab) -> Result<(), String> {
    let disks = test_vm::disks()?;
    assert!(active().is_empty(), "no other swap is active");
    let area = |place: usize, priority| disks[place].area(256 * MIB, &TITLES[place], priority);
    let own = [area(0, 31_000)?, area(1, 31_500)?];
    let zram = areas::zram(lab, 64 * MIB, &ZRAM, 32_000)?;
    let before = active();
    if takes_turns() {
        // Everything is refused before anything is changed.
        let words = ["uses areas of default priority round robin", "swapadm rebalance equal"];
        refused(lab, &COMMAND, 3, &words);
        assert_eq!(active(), before);
        return Ok(());
    }
    let seen = program::journalled(lab, &[&COMMAND[..], &["--check", "--json"]].concat()).output();
    let seen = seen.expect("the program starts");
    assert_eq!((seen.status.code(), active()), (Some(1), before.clone()), "a look changes nothing");
    let told = done(lab, &COMMAND);
    let ids: Vec<&str> = told["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter_map(|it| it["id"].as_str())
        .collect();
    assert_eq!(ids, ["zram", "unbound"], "{told:#}");
    let unbound = &told["findings"][1];
    assert_eq!((unbound["now"].as_f64(), unbound["then"].as_f64()), (Some(0.0), Some(2.0)));
    // The order of areas of other nodes is unchanged.
    let now = [&own[1], &own[0]].map(|area| priority(&area.path));
    assert_eq!((now, priority(&zram.path)), ([Some(-2), Some(-3)], Some(32_000)));
    let again = program::json(&mut program::journalled(
        lab,
        &[&COMMAND[..], &["--yes", "--json"]].concat(),
    ));
    assert!(again["steps"].as_array().is_some_and(Vec::is_empty), "{again:#}");
    done(lab, &["off", text(&zram.path)]);
    for disk in &disks {
        goes_to_its_own(lab, disk);
    }
    syscalls::swapon(&zram.path, 32_000).expect("the area can be enabled again");
    undo(lab, &told);
    assert_eq!(active(), before);
    Ok(())
}

/// Kernels after 6.18 prefer no area by node.
fn takes_turns() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").expect("a release");
    let mut numbers = release.split(['.', '-']).map_while(|it| it.parse::<u32>().ok());
    (numbers.next(), numbers.next()) > (Some(6), Some(18))
}

/// A load on the processors of a node swaps to the disk of that node, even if its shown priority is lowest:
/// as predicted for this node.
fn goes_to_its_own(lab: &Lab, disk: &Disk) {
    let cage = MemoryLimit::new(lab, MEMORY).expect("there was one before");
    let mut hog = Hog::new(&cage);
    let list = format!("/sys/devices/system/node/node{}/cpulist", disk.node);
    let list = fs::read_to_string(list).expect("processors");
    let processor = list.split(['-', ',', '\n']).next().and_then(|it| it.parse().ok());
    let threads = fs::read_dir(format!("/proc/{}/task", hog.pid())).expect("threads").flatten();
    for thread in threads.filter_map(|it| it.file_name().to_str()?.parse().ok()) {
        syscalls::run_on(thread, processor.expect("a number")).expect("it may run there");
    }
    let before = selection::look();
    hog.fill(LOAD);
    let sum = hog.sum();
    let grown = selection::grown(&before, &selection::look());
    let own = u32::try_from(disk.node).ok();
    let foretold = foretold::for_pages(&before);
    let lines = &foretold.known().expect("the value is known").lines;
    let line = lines.iter().find(|line| line.node == own).expect("a line of the node");
    let first = &selection::all(&before)[line.places[0].area];
    assert_eq!(
        first.path.as_path(),
        disk.path,
        "node {} is predicted to use its own areas",
        disk.node
    );
    let what = format!("node {}", disk.node);
    selection::compare(&what, &selection::shares_of(line, &grown), &grown);
    hog.rest_unchanged(&sum);
}

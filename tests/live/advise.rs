//! Advice on real swap: a finding appears when its condition is arranged, and goes away when it is fixed.

mod boot;
mod hibernation;
mod loads;
mod memory;

use crate::areas::{self, Area, Title};
use crate::hog::Hog;
use crate::lab::{self, Lab};
use crate::memory_limit::MemoryLimit;
use crate::{at_length, program};
use nix::fcntl::{FallocateFlags, fallocate};
use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use swapadm::advice::{AdviceReport, Finding};
use swapadm::derive::SampleView;
use swapadm::model::Policy;

const MIB: u64 = 1 << 20;
/// Higher than any other priority, so that the load goes to our areas only.
const TOP: u16 = 32_000;
/// Memory limit of the load.
const MEMORY: u64 = 32 * MIB;

#[test]
fn zram_beside_or_below_a_disk_is_found_and_fixed() {
    at_length("zram_beside_or_below_a_disk_is_found_and_fixed", |lab| {
        let _disk = on_loop(lab, "backing", TOP, false)?;
        let beside = areas::zram(lab, 64 * MIB, &TITLE, TOP)?;
        fix_works(lab, "mixed-priority");
        is_silent("faster-behind");
        drop(beside);
        let _behind = areas::zram(lab, 64 * MIB, &TITLE, 1)?;
        fix_works(lab, "faster-behind");
        is_silent("mixed-priority");
        Ok(())
    });
}

#[test]
fn a_rotating_disk_in_a_fast_group_is_found_and_fixed() {
    at_length("a_rotating_disk_in_a_fast_group_is_found_and_fixed", |lab| {
        let _solid = on_loop(lab, "solid", TOP, false)?;
        let rotating = on_loop(lab, "rotating", TOP, true)?;
        // Readahead along the device is reported only while it reads unused pages.
        is_silent("readahead-device");
        fix_works(lab, "rotational-equal");
        drop(rotating);
        Ok(())
    });
}

#[test]
fn an_area_too_small_to_matter_is_found() {
    at_length("an_area_too_small_to_matter_is_found", |lab| {
        let small = areas::zram(lab, 16 * MIB, &TITLE, TOP)?;
        let _next = areas::zram(lab, 64 * MIB, &TITLE, TOP - 1)?;
        is_silent("area-small");
        let cage = MemoryLimit::new(lab, MEMORY)?;
        let mut hog = Hog::new(&cage);
        hog.noise(64);
        wait_for_finding("area-small");
        drop(hog);
        drop(small);
        is_silent("area-small");
        Ok(())
    });
}

#[test]
fn a_swap_file_in_small_pieces_is_found() {
    at_length("a_swap_file_in_small_pieces_is_found", |lab| {
        let whole = areas::file(lab, 16 * MIB, &TITLE, TOP)?;
        is_silent("fragmented");
        assert!(extents(&whole.path) < 16);
        drop(whole);
        let path = lab.scratch.file("pieces");
        lab.note("swapfile", &path);
        if let Err(error) = in_pieces(&path, 16 * MIB) {
            // Few file systems can free the middle of a file.
            lab::remark(&format!("no fragmented file can be created here: {error}"));
            return Ok(());
        }
        areas::write_header(&path, &TITLE, 16 * MIB);
        let area = Area::of_file(path);
        areas::use_it(&area, TOP)?;
        assert!(extents(&area.path) > 16, "the file system put the pieces together");
        wait_for_finding("fragmented");
        Ok(())
    });
}

#[test]
fn used_swap_at_rest_is_explained() {
    at_length("used_swap_at_rest_is_explained", |lab| {
        let first = areas::zram(lab, 112 * MIB, &TITLE, TOP)?;
        let cage = MemoryLimit::new(lab, MEMORY)?;
        let mut hog = Hog::new(&cage);
        hog.noise(96);
        wait_for_finding("zram-ratio");
        wait_for_finding("zram-huge");
        wait_for_finding("idle");
        limited(lab, &first);
        let _second = areas::zram(lab, 160 * MIB, &TITLE, TOP)?;
        wait_for_finding("unbalanced");
        drop(hog);
        for rule in ["zram-ratio", "zram-huge", "idle", "unbalanced"] {
            is_silent(rule);
        }
        Ok(())
    });
}

#[test]
fn no_swap_is_found_until_there_is_some() {
    at_length("no_swap_is_found_until_there_is_some", |lab| {
        areas::are_ours_only()?;
        is_silent("no-swap");
        // With this threshold memory counts as short.
        let short = look(&Policy { memory_low: 1.0, ..Policy::DEFAULT });
        assert_eq!(of_rule(&short, "no-swap").len(), 1, "{short:#?}");
        let _area = areas::zram(lab, 64 * MIB, &TITLE, TOP)?;
        is_silent("no-swap");
        Ok(())
    });
}

/// A device at its limit is found, and a higher limit fixes it.
fn limited(lab: &Lab, area: &Area) {
    is_silent("zram-limit");
    let folder = areas::sysfs(&area.path);
    let text = fs::read_to_string(folder.join("mm_stat")).expect("statistics");
    let used = text.split_whitespace().nth(2).expect("the memory that it takes");
    fs::write(folder.join("mem_limit"), used).expect("zram takes a limit");
    fix_works(lab, "zram-limit");
}

/// A loop device, rotating or not.
fn on_loop(lab: &Lab, name: &str, priority: u16, rotates: bool) -> Result<Area, String> {
    let area = areas::new_loop_on(lab, name, 64 * MIB)?;
    let file = areas::sysfs(&area.path).join("queue/rotational");
    let rotates = u8::from(rotates).to_string();
    fs::write(file, rotates).map_err(|error| format!("queue/rotational cannot be set: {error}"))?;
    areas::write_header(&area.path, &TITLE, 64 * MIB);
    areas::use_it(&area, priority)?;
    Ok(area)
}

/// A file that was in one extent, with every other part removed.
fn in_pieces(path: &Path, size: u64) -> nix::Result<()> {
    const PIECE: i64 = 64 << 10;
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create_new(true).mode(0o600).open(path);
    let file = file.expect("a file in our folder");
    let pieces = i64::try_from(size).expect("small") / PIECE;
    fallocate(&file, FallocateFlags::empty(), 0, pieces * 2 * PIECE)?;
    let collapse = FallocateFlags::FALLOC_FL_COLLAPSE_RANGE;
    (0..pieces).rev().try_for_each(|piece| fallocate(&file, collapse, piece * 2 * PIECE, PIECE))
}

fn extents(path: &Path) -> u64 {
    let rows = program::table("devices", &["-o", "name,extents"]);
    let own = rows.iter().find(|row| row["name"].as_str().map(Path::new) == Some(path));
    own.expect("it is active")["extents"].as_u64().expect("its file system tells")
}

/// The findings on this machine with these thresholds, from two samples.
fn look(policy: &Policy) -> AdviceReport {
    let snapshots = program::snapshots(2);
    AdviceReport::from_view(&SampleView { now: &snapshots[1], before: Some(&snapshots[0]) }, policy)
}

/// Samples until the condition holds; returns the last sample if it never does.
fn until<T>(is_it: impl Fn(&AdviceReport) -> Option<T>) -> Result<T, AdviceReport> {
    let mut advice = look(&Policy::DEFAULT);
    for _ in 0..60 {
        match is_it(&advice) {
            Some(it) => return Ok(it),
            None => advice = look(&Policy::DEFAULT),
        }
    }
    Err(advice)
}

fn of_rule<'a>(advice: &'a AdviceReport, rule: &str) -> Vec<&'a Finding> {
    advice.findings.iter().filter(|finding| finding.rule == rule).collect()
}

/// The finding of a rule, as soon as the machine has settled.
fn wait_for_finding(rule: &str) -> Finding {
    let found = until(|advice| of_rule(advice, rule).first().copied().cloned());
    found.unwrap_or_else(|advice| panic!("{rule} is not reported: {advice:#?}"))
}

/// Waits until a rule is judged and has no more findings.
fn wait_until_silent(rule: &str) {
    let rests = until(|advice| {
        let is_judged = advice.unjudged.iter().all(|(id, _)| *id != rule);
        (is_judged && of_rule(advice, rule).is_empty()).then_some(())
    });
    rests.unwrap_or_else(|advice| panic!("{rule} is still reported: {advice:#?}"));
}

fn is_silent(rule: &str) {
    let advice = look(&Policy::DEFAULT);
    let own = of_rule(&advice, rule);
    let unjudged = advice.unjudged.iter().find(|(id, _)| *id == rule);
    assert!(own.is_empty() && unjudged.is_none(), "{rule}: {own:#?} {unjudged:?}");
}

/// The condition is found, and the suggested command fixes it.
fn fix_works(lab: &Lab, rule: &str) {
    let fix = wait_for_finding(rule).fix.expect("a command");
    let words: Vec<&str> = fix.split(' ').skip(1).chain(["--yes"]).collect();
    program::output(&mut program::journalled(lab, &words));
    is_silent(rule);
}

static TITLE: Title =
    Title { label: "swapadm-live-ad", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000ad01ce00" };

//! Advice on the device that the machine resumes from after hibernation.
//!
//! Setting a resume device makes the kernel look for an image on it at once, and resume from one. These
//! tests therefore run only in a virtual machine made for them, whose devices have no image.

use super::{MIB, TITLE, TOP, is_silent, look, of_rule};
use crate::areas::{self, Area};
use crate::lab::{self, Lab};
use crate::mounts::{self, Mount};
use crate::settings::{SavedSettings, says};
use crate::{in_machine, program, test_vm};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use swapadm::advice::{Finding, Severity};
use swapadm::model::Policy;

const RULE: &str = "hibernation";
const DEVICE: &str = "/sys/power/resume";
const OFFSET: &str = "/sys/power/resume_offset";
const IMAGE: &str = "/sys/power/image_size";
const NONE: &str = "0:0";

#[test]
fn in_a_machine_that_can_hibernate_a_failing_resume_is_found() {
    in_machine("in_a_machine_that_can_hibernate_a_failing_resume_is_found", |lab| {
        if !Path::new(DEVICE).exists() {
            lab::remark("hibernation: not in this kernel");
            return Ok(());
        }
        areas::are_ours_only()?;
        // The offset comes first: setting it starts no search.
        let kept = SavedSettings::new(&[OFFSET, IMAGE, DEVICE]);
        assert_eq!(says(DEVICE), NONE, "this machine is told a device");
        without_a_device(lab)?;
        from_a_disk()?;
        from_zram(lab)?;
        from_a_file(lab)?;
        drop(kept);
        if says(DEVICE) != NONE {
            lab::remark("hibernation: this kernel does not clear its resume device");
        }
        Ok(())
    });
}

/// Without a resume device only a stray offset is reported.
fn without_a_device(lab: &Lab) -> Result<(), String> {
    let disk = &test_vm::disks()?[0];
    let zram = areas::zram(lab, 64 * MIB, &TITLE, 1)?;
    is_silent(RULE);
    let second = disk.area(512 * MIB, &TITLE, TOP)?;
    // Nobody set a resume device, and systemd selects an area on a disk.
    is_silent(RULE);
    drop(zram);
    is_silent(RULE);
    // The freed number is used again: now the disk has the lower one.
    drop(second);
    let _first = disk.area(512 * MIB, &TITLE, 1)?;
    let _zram = areas::zram(lab, 64 * MIB, &TITLE, TOP)?;
    is_silent(RULE);
    set(OFFSET, 8);
    finds("resume_offset is set, but no resume device is");
    set(OFFSET, 0);
    is_silent(RULE);
    not_found(lab)
}

/// The real command line stays: only the program sees another one.
fn not_found(lab: &Lab) -> Result<(), String> {
    let is_told = |told: &str| -> Result<bool, String> {
        let line = lab.scratch.file("cmdline");
        fs::write(&line, told).expect("a file in our folder");
        let mount = Mount::Bind(&line, Path::new("/proc/cmdline"));
        let output = mounts::behind(lab, &[mount], &["advise"])?;
        assert!(output.status.success(), "{}", program::describe_failure(&output));
        Ok(program::describe_failure(&output).contains("the resume device was not found at boot"))
    };
    assert!(
        is_told("quiet resume=UUID=0c6f8f0e-0000-0000-0000-000000000000\n")?,
        "it is not there"
    );
    assert!(!is_told("quiet resume=UUID=0c6f8f0e-0000-0000-0000-000000000000 noresume\n")?);
    Ok(())
}

fn from_a_disk() -> Result<(), String> {
    let disk = &test_vm::disks()?[0];
    resume_from(&number(&disk.path));
    finds("the resume device is not an active area");
    let area = disk.area(512 * MIB, &TITLE, TOP)?;
    is_silent(RULE);
    let fits = set(IMAGE, u64::MAX >> 1);
    is_silent(RULE);
    drop(area);
    let _small = disk.area(32 * MIB, &TITLE, TOP)?;
    finds("less free space than hibernation may need");
    set(IMAGE, 16 * MIB);
    is_silent(RULE);
    set(OFFSET, 8);
    finds("no area begins at resume_offset");
    set(OFFSET, 0);
    is_silent(RULE);
    fs::write(IMAGE, fits).expect("the state is as before");
    Ok(())
}

fn from_zram(lab: &Lab) -> Result<(), String> {
    let zram = areas::zram(lab, 512 * MIB, &TITLE, TOP)?;
    resume_from(&number(&zram.path));
    let found = finds("the machine resumes from zram");
    assert_eq!(found.severity, Severity::Warn, "what is open is lost: {found:?}");
    let disk = &test_vm::disks()?[0];
    let _area = disk.area(512 * MIB, &TITLE, 1)?;
    resume_from(&number(&disk.path));
    is_silent(RULE);
    Ok(())
}

/// A file has to begin at the offset that the machine resumes from.
fn from_a_file(lab: &Lab) -> Result<(), String> {
    let file = areas::file(lab, 16 * MIB, &TITLE, TOP)?;
    set(IMAGE, 0);
    let below = fs::metadata(&file.path).expect("it exists").dev();
    resume_from(&format!("{}:{}", nix::sys::stat::major(below), nix::sys::stat::minor(below)));
    let first = first_page(&file);
    set(OFFSET, first + 1);
    finds("no area begins at resume_offset");
    set(OFFSET, first);
    is_silent(RULE);
    Ok(())
}

/// The file's offset on its file system.
fn first_page(file: &Area) -> u64 {
    let rows = program::table("devices", &["-o", "name,first_page"]);
    let own = rows.iter().find(|row| row["name"].as_str().map(Path::new) == Some(&file.path));
    own.expect("it is active")["first_page"].as_u64().expect("its file system tells")
}

/// The number of a disk.
fn number(disk: &Path) -> String {
    let text = fs::read_to_string(areas::sysfs(disk).join("dev")).expect("disks have one");
    text.trim().to_owned()
}

/// Sets the resume device; the kernel finds no image on it.
fn resume_from(number: &str) {
    assert!(test_vm::is_test_vm(), "this is a machine for such tests");
    // A missing image may be reported as an error.
    let _ = fs::write(DEVICE, number);
    assert_eq!(says(DEVICE), number, "the kernel does not keep it");
}

/// Writes a value, and returns the old one.
fn set(file: &str, value: u64) -> String {
    let before = says(file);
    fs::write(file, value.to_string()).expect("the kernel takes it");
    before
}

/// Expects exactly this finding.
fn finds(summary: &str) -> Finding {
    let advice = look(&Policy::DEFAULT);
    let own = of_rule(&advice, RULE);
    let [only] = own.as_slice() else { panic!("{summary}: {own:#?} {:?}", advice.unjudged) };
    assert!(only.summary.contains(summary), "{only:#?}");
    (*only).clone()
}

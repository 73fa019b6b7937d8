//! Advice on what the machine resumes from after hibernation.
//!
//! To set a device has the kernel look for an image on it at once, and go on from one that is there. That
//! is done only in a machine that was made for it, whose devices hold none.

use super::{MIB, TITLE, TOP, alone, is_silent, look, of_rule};
use crate::areas::{self, Area};
use crate::lab::{self, Lab};
use crate::mounts::{self, Mount};
use crate::settings::{SavedSettings, says};
use crate::{in_machine, test_vm, program};
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
fn hibernation_that_could_not_resume_is_found() {
    in_machine("in_a_machine_that_can_hibernate_what_would_not_come_back_is_found", |lab| {
        if !Path::new(DEVICE).exists() {
            lab::remark("hibernation: this kernel has none");
            return Ok(());
        }
        alone()?;
        // Where on the device comes first: nothing is looked for when that is set.
        let kept = SavedSettings::new(&[OFFSET, IMAGE, DEVICE]);
        assert_eq!(says(DEVICE), NONE, "this machine is told a device");
        without_a_device(lab)?;
        from_a_disk()?;
        from_zram(lab)?;
        from_a_file(lab)?;
        drop(kept);
        if says(DEVICE) != NONE {
            lab::remark("hibernation: this kernel does not forget what it was told to resume from");
        }
        Ok(())
    });
}

/// The image would go to the area with the lowest number.
fn without_a_device(lab: &Lab) -> Result<(), String> {
    let disk = &test_vm::disks()?[0];
    let zram = areas::zram(lab, 64 * MIB, &TITLE, 1)?;
    is_silent(RULE);
    let second = disk.area(512 * MIB, &TITLE, TOP)?;
    finds("a hibernation that nobody prepares goes to");
    drop(zram);
    is_silent(RULE);
    // The number that it left is taken again: now the disk has the lower one.
    drop(second);
    let _first = disk.area(512 * MIB, &TITLE, 1)?;
    let _zram = areas::zram(lab, 64 * MIB, &TITLE, TOP)?;
    is_silent(RULE);
    set(OFFSET, 8);
    finds("told where on a device to resume, and not which");
    set(OFFSET, 0);
    is_silent(RULE);
    not_found(lab)
}

/// What the kernel was told at its start stays: another command line is shown to the program alone.
fn not_found(lab: &Lab) -> Result<(), String> {
    let is_told = |told: &str| -> Result<bool, String> {
        let line = lab.scratch.file("cmdline");
        fs::write(&line, told).expect("a file in our folder");
        let mount = Mount::Bind(&line, Path::new("/proc/cmdline"));
        let output = mounts::behind(lab, &[mount], &["advise"])?;
        assert!(output.status.success(), "{}", program::describe_failure(&output));
        Ok(program::describe_failure(&output).contains("what to resume from was not found at the start"))
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
    finds("the machine resumes from what is no active area");
    let area = disk.area(512 * MIB, &TITLE, TOP)?;
    is_silent(RULE);
    let fits = set(IMAGE, u64::MAX >> 1);
    is_silent(RULE);
    drop(area);
    let _small = disk.area(32 * MIB, &TITLE, TOP)?;
    finds("a hibernation may take");
    set(IMAGE, 16 * MIB);
    is_silent(RULE);
    set(OFFSET, 8);
    finds("no area begins where the machine resumes");
    set(OFFSET, 0);
    is_silent(RULE);
    fs::write(IMAGE, fits).expect("it was so before");
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

/// A file has to begin where the machine looks for it.
fn from_a_file(lab: &Lab) -> Result<(), String> {
    let file = areas::file(lab, 16 * MIB, &TITLE, TOP)?;
    set(IMAGE, 0);
    let below = fs::metadata(&file.path).expect("it is there").dev();
    resume_from(&format!("{}:{}", nix::sys::stat::major(below), nix::sys::stat::minor(below)));
    let first = first_page(&file);
    set(OFFSET, first + 1);
    finds("no area begins where the machine resumes");
    set(OFFSET, first);
    is_silent(RULE);
    Ok(())
}

/// Where on its file system it begins.
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

/// Have the kernel look there, which finds nothing to go on from.
fn resume_from(number: &str) {
    assert!(test_vm::is_test_vm(), "nobody else's machine is sent back");
    // That nothing is found there may be told as a failure.
    let _ = fs::write(DEVICE, number);
    assert_eq!(says(DEVICE), number, "the kernel does not keep it");
}

/// Set it, and tell what it was.
fn set(file: &str, value: u64) -> String {
    let before = says(file);
    fs::write(file, value.to_string()).expect("the kernel takes it");
    before
}

/// What is found, which is this alone.
fn finds(summary: &str) -> Finding {
    let advice = look(&Policy::DEFAULT);
    let own = of_rule(&advice, RULE);
    let [only] = own.as_slice() else { panic!("{summary}: {own:#?} {:?}", advice.unjudged) };
    assert!(only.summary.contains(summary), "{only:#?}");
    (*only).clone()
}

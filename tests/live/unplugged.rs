//! A disk that is removed from the machine while its area holds pages.

use crate::areas::{self, Title, sysfs};
use crate::change::json_of;
use crate::file::{MIB, refused, text};
use crate::hog::Hog;
use crate::lab::{Lab, retry};
use crate::memory_limit::MemoryLimit;
use crate::{in_machine, program, test_vm};
use std::fs;

static DISK: Title =
    Title { label: "swapadm-live-un", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000010de" };
static ZRAM: Title =
    Title { label: "swapadm-live-uz", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000020de" };

/// Its area stays until the machine ends, so this is the last of these tests by name.
#[test]
fn in_a_machine_without_the_disk_of_an_area_the_loss_is_reported() {
    in_machine("in_a_machine_without_the_disk_of_an_area_the_loss_is_reported", while_in_use);
}

fn while_in_use(lab: &Lab) -> Result<(), String> {
    let disks = test_vm::disks()?;
    let disk = disks[0].area(256 * MIB, &DISK, 31_000)?;
    let cage = MemoryLimit::new(lab, 128 * MIB)?;
    let mut lost = Hog::new(&cage);
    lost.fill(32);
    cage.squeeze(8 * MIB);
    // From here on pages go to zram, and only those of the first load are on the disk.
    let zram = areas::zram(lab, 96 * MIB, &ZRAM, 32_000)?;
    let mut other = Hog::new(&cage);
    other.fill(32);
    let sum = other.sum();
    cage.squeeze(8 * MIB);
    cage.lift();
    fs::write(sysfs(&disk.path).join("device/device/remove"), "1")
        .map_err(|error| format!("the disk cannot be removed: {error}"))?;
    let name = text(&disk.path);
    is_reported(name)?;
    let words = ["was deleted while its area was active", "only a reboot"];
    refused(lab, &["off", name], 2, &words);
    refused(lab, &["priority", &format!("{name}=5")], 2, &words);
    // Other areas can still be changed, and their pages are whole.
    let off = ["off", text(&zram.path), "--yes", "--json"];
    let told = json_of(&mut program::journalled(lab, &off), 0);
    assert_eq!(told["outcome"]["end"], "done", "{told}");
    other.rest_unchanged(&sum);
    let told = json_of(&mut program::journalled(lab, &["recover", "--json"]), 0);
    assert!(told["steps"].as_array().is_none_or(Vec::is_empty), "{told}");
    Ok(())
}

/// The tables have the area with its use, and a finding says what is lost.
fn is_reported(name: &str) -> Result<(), String> {
    let gone = || {
        let rows = program::table("devices", &["-o", "all"]);
        rows.into_iter().find(|row| row["name"] == name && row["deleted"] == true).ok_or(())
    };
    let row = retry(gone).map_err(|()| "the node of the disk is still there".to_owned())?;
    assert!(row["used"].as_u64() > Some(0), "{row}");
    let why = row["missing"]["kind"]["why"].as_str().unwrap_or_default();
    assert!(row["kind"].is_null() && why.contains(name), "{row}");
    let status = program::command(&program::built(), &["status"]).output();
    let said = program::describe_failure(&status.expect("the program starts"));
    assert!(said.contains(name), "{said}");
    let output = program::json(&mut program::command(&program::built(), &["advise", "--json"]));
    let findings = program::rows(&output, "findings");
    let found = findings.iter().find(|it| it["name"] == "swapoff-fit:removed");
    let found = found.unwrap_or_else(|| panic!("{findings:?}"));
    assert_eq!(found["severity"], "crit", "{found}");
    assert!(found["summary"].as_str().is_some_and(|it| it.contains(name)), "{found}");
    Ok(())
}

//! Devices in use by other devices: commands for the member name the device above.

use crate::areas::{self, Area, page_size, swapoff, sysfs};
use crate::file::{MIB, done, priority, refused, text, undo};
use crate::lab::{self, Lab, retry};
use crate::mapped::Mapped;
use crate::{ioctls, program};
use std::fs;
use std::path::{Path, PathBuf};

const SIZE: u64 = 16 * MIB;
const UUID: &str = "5a9c0f3e-7b1d-4e62-8f40-0000000dbc0d";
const ARRAYS: &str = "/sys/module/md_mod/parameters/new_array";
const ARRAY: &str = "/dev/md_swapadm-live";

/// An array, stopped when dropped.
struct Array(PathBuf);

impl Drop for Array {
    fn drop(&mut self) {
        take_down_array(&self.0);
    }
}

pub(crate) fn refuses_devices_in_use(lab: &Lab) -> Result<(), String> {
    match Mapped::new(lab, SIZE) {
        Ok(above) => is_refused(lab, &above.below.path, &above.path, "dm"),
        Err(reason) => lab::remark(&format!("members of device mapper: {reason}")),
    }
    let member = areas::new_loop(lab, SIZE)?;
    match mirrored(lab, &member) {
        Ok(above) => is_refused(lab, &member.path, &above.0, "md"),
        Err(reason) => lab::remark(&format!("members of RAID: {reason}")),
    }
    Ok(())
}

fn mirrored(lab: &Lab, member: &Area) -> Result<Array, String> {
    program::tool("modprobe", &["raid1"]);
    let array = Path::new(ARRAY);
    lab.note("array", array);
    let name = ARRAY.trim_start_matches("/dev/");
    fs::write(ARRAYS, name)
        .map_err(|error| format!("no array can be created: {ARRAYS}: {error}"))?;
    let above = Array(array.to_owned());
    let kib = u32::try_from(SIZE / 1024).expect("small");
    let made = retry(|| ioctls::mirror(array, &member.path, kib, 0));
    made.map_err(|error| format!("no array can be created: {error}"))?;
    Ok(above)
}

pub(crate) fn take_down_array(path: &Path) {
    let _ = swapoff(path);
    if path.exists() {
        let _ = retry(|| ioctls::stop_array(path));
        // The kernel removes the node a moment later.
        let _ = retry(|| if path.exists() { Err(()) } else { Ok(()) });
    }
}

/// Every command refuses the member, and the device above can be used.
fn is_refused(lab: &Lab, member: &Path, above: &Path, kind: &str) {
    let (disk, made) = (text(member), text(above));
    let name = made.trim_start_matches("/dev/");
    let part_of = format!("{disk} is part of {name}: stop that device first");
    refused(lab, &["format", disk], 3, &[&part_of]);
    let formatted = done(lab, &["format", made, "--uuid", UUID]);
    // The header is visible on the member as well, which must not be used.
    refused(lab, &["on", disk], 3, &[&part_of]);
    refused(lab, &["format", disk, "--force", "signature"], 3, &[&part_of]);
    done(lab, &["on", &format!("UUID={UUID}"), "-p", "31000"]);
    assert_eq!((priority(above), priority(member)), (Some(31_000), None));
    let rows = program::table("devices", &[]);
    let row = rows.iter().find(|row| row["name"] == made).expect("its row");
    let rotates = fs::read_to_string(sysfs(above).join("queue/rotational")).expect("a queue");
    assert_eq!((&row["kind"], &row["rotational"]), (&kind.into(), &(rotates.trim() == "1").into()));
    assert_eq!(row["size"], SIZE - page_size());
    // The speed of the device is known, so it gets a class.
    let class = if rotates.trim() == "1" { "rotational" } else { "solid state" };
    let wishes = lab.scratch.file("wishes");
    fs::write(&wishes, format!("{made} 30999\n")).expect("a file");
    let told = done(lab, &["rebalance", "custom", text(&wishes)]);
    let found = told["findings"][0]["text"].as_str().unwrap_or_default();
    assert!(found.contains(&format!("{made} ({class}, priority 31000)")), "{told}");
    assert_eq!(priority(above), Some(30_999));
    refused(lab, &["format", made], 3, &["is active swap"]);
    done(lab, &["off", made]);
    undo(lab, &formatted);
    refused(lab, &["on", made], 3, &["no swap header"]);
}

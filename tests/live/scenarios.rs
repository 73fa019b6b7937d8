//! Changes and files that the program writes, to be repeated from the same start.

use crate::areas::{self, Area, Title};
use crate::full::names;
use crate::lab::Lab;
use crate::private_etc::PrivateEtc;
use crate::settings::{PRESSURE, SavedSettings, says};
use crate::{program, syscalls};
use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::Command;

/// A command that writes, and what it writes.
pub(crate) struct Scenario<'l> {
    pub(crate) name: &'static str,
    pub(crate) command: Box<dyn Fn() -> Command + 'l>,
    /// Leads back to the start.
    pub(crate) reset: Box<dyn Fn() + 'l>,
    /// All that the command changes, and the names of files beside it.
    pub(crate) state: Box<dyn Fn() -> String + 'l>,
}

const SIZE: u64 = 8 << 20;

static TITLE: Title =
    Title { label: "swapadm-live-sc", uuid: "5a9c0f3e-7b1d-4e62-8f40-00005ce0c0de" };

/// Whether an area is active, and at which priority.
fn active(path: &Path) -> String {
    format!("{:?}", crate::change::priority(path))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

/// A loop area that is enabled.
pub(crate) fn on(lab: &Lab) -> Result<Scenario<'_>, String> {
    let area = areas::new_loop_on(lab, "backing-on", SIZE)?;
    areas::write_header(&area.path, &TITLE, SIZE);
    Ok(of_area(lab, "on", area, &["on", "-p", "31000"], |path| drop(areas::swapoff(path))))
}

/// A loop area that is disabled.
pub(crate) fn off(lab: &Lab) -> Result<Scenario<'_>, String> {
    let area = areas::new_loop_on(lab, "backing-off", SIZE)?;
    areas::write_header(&area.path, &TITLE, SIZE);
    Ok(of_area(lab, "off", area, &["off"], |path| {
        let _ = syscalls::swapon(path, 31_000);
    }))
}

fn of_area<'l>(
    lab: &'l Lab,
    name: &'static str,
    area: Area,
    arguments: &'static [&'static str],
    reset: fn(&Path),
) -> Scenario<'l> {
    let path = area.path.clone();
    let [of_command, of_reset] = [path.clone(), path];
    let command = move || {
        let mut words = arguments.to_vec();
        words.insert(1, text(&of_command));
        words.push("--yes");
        program::journalled(lab, &words)
    };
    let state = move || active(&area.path);
    Scenario {
        name,
        command: Box::new(command),
        reset: Box::new(move || reset(&of_reset)),
        state: Box::new(state),
    }
}

/// A loop area with another priority.
pub(crate) fn priority(lab: &Lab) -> Result<Scenario<'_>, String> {
    let area = areas::new_loop_on(lab, "backing-priority", SIZE)?;
    areas::write_header(&area.path, &TITLE, SIZE);
    let [of_command, of_reset] = [area.path.clone(), area.path.clone()];
    let reset = move || {
        let _ = areas::swapoff(&of_reset);
        let _ = syscalls::swapon(&of_reset, 31_000);
    };
    let command = move || {
        let wish = format!("{}=31001", text(&of_command));
        program::journalled(lab, &["priority", &wish, "--yes"])
    };
    Ok(Scenario {
        name: "priority",
        command: Box::new(command),
        reset: Box::new(reset),
        state: Box::new(move || active(&area.path)),
    })
}

/// A setting of the kernel that is also written to a file of sysctl.
pub(crate) fn set(lab: &Lab) -> Result<Scenario<'_>, String> {
    let etc = PrivateEtc::new(lab, &[("sysctl.d/10-theirs.conf", "# theirs\n")])?;
    let saved = SavedSettings::new(&[PRESSURE]);
    let before = says(PRESSURE);
    let other = (before.parse::<u64>().unwrap_or(100) + 1).to_string();
    let folder = etc.etc.join("sysctl.d");
    let of_reset = folder.clone();
    let reset = move || {
        fs::write(PRESSURE, &before).expect("root may");
        let _ = fs::remove_file(of_reset.join("90-swapadm.conf"));
    };
    let state = move || {
        // Dropped with the scenario.
        let _ = &saved;
        let file = fs::read_to_string(folder.join("90-swapadm.conf")).ok();
        format!("{} {file:?} {:?}", says(PRESSURE), names(&folder))
    };
    let command = move || etc.swapadm(&["set", "vfs_cache_pressure", &other, "--persist", "--yes"]);
    Ok(Scenario {
        name: "set --persist",
        command: Box::new(command),
        reset: Box::new(reset),
        state: Box::new(state),
    })
}

/// An area that is also enabled at boot, by a line of fstab.
pub(crate) fn persist(lab: &Lab) -> Result<Scenario<'_>, String> {
    let etc = PrivateEtc::new(lab, &[("fstab", START)])?;
    let area = areas::new_loop_on(lab, "backing-persist", SIZE)?;
    areas::write_header(&area.path, &TITLE, SIZE);
    areas::use_it(&area, 31_000)?;
    let folder = etc.etc.clone();
    let of_reset = folder.clone();
    let reset = move || {
        fs::write(of_reset.join("fstab"), START).expect("ours");
        fs::write(of_reset.join("fstab.swapadm-old"), "older\n").expect("ours");
    };
    let state = move || {
        let file = fs::read_to_string(folder.join("fstab"));
        // The backup is one of the texts, and never half of one.
        let backup = fs::read_to_string(folder.join("fstab.swapadm-old")).unwrap_or_default();
        let is_whole = backup == "older\n" || backup.starts_with(START) && backup.ends_with('\n');
        assert!(is_whole, "{backup:?}");
        format!("{file:?} {:?}", names(&folder))
    };
    let command = move || {
        let wish = format!("{}=31000", text(&area.path));
        etc.swapadm(&["priority", &wish, "--persist", "--yes", "--force", "loop"])
    };
    Ok(Scenario {
        name: "priority --persist",
        command: Box::new(command),
        reset: Box::new(reset),
        state: Box::new(state),
    })
}

const START: &str = "# ours\n";

/// A loop device that gets a swap header.
pub(crate) fn format(lab: &Lab) -> Result<Scenario<'_>, String> {
    let area = areas::new_loop_on(lab, "backing-format", SIZE)?;
    let [of_command, of_reset] = [area.path.clone(), area.path.clone()];
    let reset = move || {
        let file = fs::File::options().write(true).open(&of_reset).expect("ours");
        file.write_all_at(&vec![0; 1 << 16], 0).expect("room");
        file.sync_all().expect("it is written");
    };
    let state = move || {
        let head = fs::read(&area.path).expect("it is readable");
        let ones = head.iter().filter(|byte| **byte != 0).count();
        format!("{ones} bytes")
    };
    let uuid = TITLE.uuid;
    let command =
        move || program::journalled(lab, &["format", text(&of_command), "--uuid", uuid, "--yes"]);
    Ok(Scenario {
        name: "format",
        command: Box::new(command),
        reset: Box::new(reset),
        state: Box::new(state),
    })
}

/// A new swap file.
pub(crate) fn file(lab: &Lab) -> Result<Scenario<'_>, String> {
    lab.has_room()?;
    let folder = lab.scratch.file("files");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let path = folder.join("swapfile");
    let [of_command, of_reset] = [path.clone(), path.clone()];
    let state = move || {
        let size = fs::metadata(&path).map(|facts| facts.len()).ok();
        format!("{size:?} {:?}", names(&folder))
    };
    let uuid = TITLE.uuid;
    let command = move || {
        let words = ["file", "create", text(&of_command), "8M", "--uuid", uuid, "--yes"];
        program::journalled(lab, &words)
    };
    Ok(Scenario {
        name: "file create",
        command: Box::new(command),
        reset: Box::new(move || drop(fs::remove_file(&of_reset))),
        state: Box::new(state),
    })
}

/// A new zram device, which is removed at the start.
pub(crate) fn zram_add(lab: &Lab) -> Result<Scenario<'_>, String> {
    let number = next_zram(lab)?;
    let device = areas::adopt_zram(lab, number);
    let of_reset = device.path.clone();
    let command = || program::journalled(lab, &["zram", "add", "--size", "8M", "--yes"]);
    Ok(Scenario {
        name: "zram add",
        command: Box::new(command),
        reset: Box::new(move || areas::take_down_zram(&of_reset)),
        state: Box::new(move || disk_size(&device.path)),
    })
}

/// A zram device that is removed, and there again at the start.
pub(crate) fn zram_remove(lab: &Lab) -> Result<Scenario<'_>, String> {
    let number = next_zram(lab)?;
    let device = areas::adopt_zram(lab, number);
    let of_reset = device.path.clone();
    let reset = move || {
        areas::take_down_zram(&of_reset);
        let made = areas::new_zram(lab).expect("a device");
        assert_eq!(made.path, of_reset, "somebody else made a device");
        fs::write(areas::sysfs(&made.path).join("disksize"), "8M").expect("a size");
        // The scenario removes it.
        std::mem::forget(made);
    };
    let command =
        move || program::journalled(lab, &["zram", "remove", &format!("zram{number}"), "--yes"]);
    Ok(Scenario {
        name: "zram remove",
        command: Box::new(command),
        reset: Box::new(reset),
        state: Box::new(move || disk_size(&device.path)),
    })
}

/// The number of the next device.
fn next_zram(lab: &Lab) -> Result<u64, String> {
    let device = areas::new_zram(lab)?;
    let digits = text(&device.path).trim_start_matches("/dev/zram").to_owned();
    digits.parse().map_err(|_| format!("{digits} is no number"))
}

fn disk_size(device: &Path) -> String {
    let size = fs::read_to_string(areas::sysfs(device).join("disksize"));
    format!("{:?}", size.ok())
}

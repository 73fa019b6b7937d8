//! The shell lines of a plan do the same as the program itself.

use crate::areas::{self, Title};
use crate::file::{self, MIB, done, text};
use crate::lab::{self, Lab};
use crate::program;
use crate::settings::{PRESSURE, SavedSettings};
use crate::syscalls;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

static TITLE: Title =
    Title { label: "swapadm-live-bh", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000b1a4d00" };

/// Carries out a command twice: by its shell lines, and by the program. `back` restores the state before;
/// both must end in the same new state.
fn assert_same_state(lab: &Lab, arguments: &[&str], state: impl Fn() -> String, back: impl Fn()) {
    let before = state();
    run_lines(&lines(lab, arguments));
    let hand = state();
    assert_ne!(hand, before, "{arguments:?}");
    back();
    assert_eq!(state(), before, "{arguments:?}");
    done(lab, arguments);
    assert_eq!(state(), hand, "{arguments:?}");
}

/// The shell lines of a plan.
fn lines(lab: &Lab, arguments: &[&str]) -> String {
    let all = [arguments, &["--dry-run", "--json"]].concat();
    let plan = program::json(&mut program::journalled(lab, &all));
    let lines = plan["commands"].as_array().expect("commands").iter();
    let lines: Vec<_> = lines.map(|line| line.as_str().expect("text")).collect();
    lines.join("\n")
}

fn run_lines(lines: &str) {
    let mut shell = Command::new("sh");
    // A user's search path may lack /sbin.
    shell.args(["-ec", lines]).env("PATH", "/usr/sbin:/sbin:/usr/bin:/bin");
    let output = shell.output().expect("there is a shell");
    assert!(output.status.success(), "{lines}: {}", program::describe_failure(&output));
}

/// The tool that is missing, or has another origin than util-linux.
fn missing() -> Option<&'static str> {
    let is_there = |tool: &str| {
        let version = program::tool(tool, &["--version"]);
        version.is_some_and(|text| text.contains("util-linux"))
    };
    ["swapon", "swapoff", "mkswap", "fallocate"].into_iter().find(|tool| !is_there(tool))
}

pub(crate) fn all(lab: &Lab) -> Result<(), String> {
    of_settings(lab);
    if let Some(tool) = missing() {
        lab::remark(&format!("shell lines for swap: util-linux has no {tool} here"));
        return Ok(());
    }
    of_areas(lab)?;
    of_zram(lab)?;
    file::with_tools(of_files(lab))
}

fn of_settings(lab: &Lab) {
    let _kept = SavedSettings::new(&[PRESSURE]);
    let read = || fs::read_to_string(PRESSURE).expect("the file is readable");
    let old = read();
    let back = || fs::write(PRESSURE, &old).expect("root may");
    assert_same_state(lab, &["set", "vfs_cache_pressure=117"], read, back);
}

/// Kind and priority of an area. The number of pages of a file depends on the position of its blocks.
fn row(path: &Path) -> String {
    let swaps = fs::read_to_string("/proc/swaps").expect("the file is readable");
    let row = swaps.lines().find(|row| row.split_whitespace().next() == path.to_str());
    row.map_or_else(String::new, |row| {
        let fields: Vec<_> = row.split_whitespace().collect();
        [fields[1], fields[4]].join(" ")
    })
}

fn of_areas(lab: &Lab) -> Result<(), String> {
    let area = areas::new_loop(lab, 8 * MIB)?;
    areas::write_header(&area.path, &TITLE, 8 * MIB);
    let (path, state) = (text(&area.path), || row(&area.path));
    let off = || syscalls::swapoff(&area.path).expect("the area is enabled");
    let on = |priority: u16| syscalls::swapon(&area.path, priority).expect("the area is disabled");
    assert_same_state(lab, &["on", path, "--priority", "31000"], state, off);
    let wish = format!("{path}=31005");
    assert_same_state(lab, &["priority", &wish], state, || {
        off();
        on(31_000);
    });
    assert_same_state(lab, &["off", path], state, || on(31_005));
    Ok(())
}

fn of_zram(lab: &Lab) -> Result<(), String> {
    // Loads the module if necessary.
    drop(areas::new_zram(lab)?);
    let arguments = ["zram", "swap", "--size", "16M", "--priority", "31000"];
    let all = [&arguments[..], &["--dry-run", "--json"]].concat();
    let plan = program::json(&mut program::journalled(lab, &all));
    let number = plan["steps"][0]["number"].as_u64().expect("a number");
    let area = areas::adopt_zram(lab, number);
    let state = || {
        let names = ["disksize", "comp_algorithm"];
        let read = |name| fs::read_to_string(areas::sysfs(&area.path).join(name));
        names.map(|name| read(name).unwrap_or_default()).concat() + &row(&area.path)
    };
    assert_same_state(lab, &arguments, state, || drop(areas::adopt_zram(lab, number)));
    Ok(())
}

fn of_files(lab: &Lab) -> Result<(), String> {
    let device = areas::new_loop(lab, file::DISK)?;
    file::make("ext4", &device.path, "data")?;
    let mounted = file::mount(lab, "ext4", &device.path)?;
    let file = mounted.point.join("swapfile");
    let path = text(&file);
    let state = || {
        let facts = fs::symlink_metadata(&file);
        let facts = facts.map(|is| (is.len(), is.blocks() * 512 >= is.len(), is.mode(), is.uid()));
        format!("{:?} {}", facts.ok(), row(&file))
    };
    let create = ["file", "create", path, "16M", "--on", "--priority", "31000"];
    assert_same_state(lab, &create, state, || areas::take_down_file(&file));
    assert_same_state(lab, &["file", "remove", path], state, || drop(done(lab, &create)));
    Ok(())
}

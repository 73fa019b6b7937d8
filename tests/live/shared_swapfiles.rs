//! Special swap files: other names, shared extents, headers of other machines.

use crate::areas;
use crate::file::{
    DISK, MIB, active, done, make, mount, priority, refused, run, text, title, undo, with_tools,
};
use crate::lab::{self, Lab};
use crate::{at_length, in_lab};
use crate::{program, syscalls};
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

#[test]
fn foreign_headers_are_accepted_where_the_kernel_accepts_them() {
    let name = "foreign_headers_are_accepted_where_the_kernel_accepts_them";
    in_lab(name, of_other_machines);
}

#[test]
fn swap_files_are_repaired_after_a_restart_too() {
    in_lab("swap_files_are_repaired_after_a_restart_too", |lab| {
        lab.has_room()?;
        after_a_restart(lab);
        Ok(())
    });
}

#[test]
fn shared_extents_of_a_swap_file_do_not_become_free() {
    at_length("shared_extents_of_a_swap_file_do_not_become_free", held_by_others);
}

/// A folder of ours; swap in it is disabled when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(lab: &Lab, name: &str) -> Self {
        let path = lab.scratch.file(name);
        fs::create_dir(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let within = |(path, _): &(PathBuf, i32)| path.starts_with(&self.0);
        for (path, _) in active().into_iter().filter(within) {
            let _ = syscalls::swapoff(&path);
        }
    }
}

/// The kernel accepts a header of the other byte order, but not one for another page size.
pub(crate) fn of_other_machines(lab: &Lab) -> Result<(), String> {
    lab.has_room()?;
    let folder = Folder::new(lab, "machines");
    let file = folder.0.join("swapfile");
    let path = text(&file);
    done(lab, &["file", "create", path, "1M", "--label", "turned"]);
    let named = title(&file);
    turn(&file);
    done(lab, &["file", "resize", path, "2M"]);
    assert_eq!((file.metadata().expect("a file").len(), title(&file)), (2 * MIB, named));
    turn(&file);
    let told = done(lab, &["on", path, "-p", "31000"]);
    let notes = told["checks"].as_array().expect("checks");
    let says = |it: &Value| it["text"].as_str().is_some_and(|text| text.contains("byte order"));
    assert!(notes.iter().any(says), "{told}");
    assert_eq!(priority(&file), Some(31_000));
    done(lab, &["file", "remove", path]);

    let device = areas::new_loop(lab, 8 * MIB)?;
    let disk = text(&device.path);
    done(lab, &["format", disk]);
    turn(&device.path);
    done(lab, &["on", disk, "-p", "31000"]);
    assert_eq!(priority(&device.path), Some(31_000));
    done(lab, &["off", disk]);

    let other = if areas::page_size() == 65_536 { "4K" } else { "64K" };
    let create = ["file", "create", path, "2M", "--page-size", other];
    refused(lab, &[&create[..], &["--on"]].concat(), 3, &["gets a header for pages of", "--on"]);
    for wrong in ["3000", "2K", "128K", "x"] {
        let words = [&format!("\"{wrong}\""), "power of two from 4096 to 65536"];
        refused(lab, &["file", "create", path, "2M", "--page-size", wrong], 2, &words);
    }
    done(lab, &create);
    refused(lab, &["on", path], 3, &["was formatted for pages of", "format it again"]);
    done(lab, &["format", path]);
    done(lab, &["on", path, "-p", "31000"]);
    done(lab, &["file", "remove", path]);
    Ok(())
}

/// Writes the numbers of a header in the other byte order.
fn turn(file: &Path) {
    let file = OpenOptions::new().read(true).write(true).open(file).expect("our file");
    let mut numbers = [0; 8];
    file.read_exact_at(&mut numbers, 1024).expect("a header");
    numbers[..4].reverse();
    numbers[4..].reverse();
    file.write_all_at(&numbers, 1024).and_then(|()| file.sync_all()).expect("our file");
}

/// A file with other hard links is not removed, and one that shares extents not resized.
pub(crate) fn held_by_others(lab: &Lab) -> Result<(), String> {
    let mut last = Ok(());
    for kind in ["xfs", "btrfs"] {
        last = held_on(lab, kind);
        if let Err(reason) = &last {
            lab::remark(&format!("shared extents on {kind}: {reason}"));
        }
    }
    with_tools(last)
}

fn held_on(lab: &Lab, kind: &str) -> Result<(), String> {
    let device = areas::new_loop(lab, DISK)?;
    make(kind, &device.path, "data")?;
    let mounted = mount(lab, kind, &device.path)?;
    let at = |name: &str| mounted.point.join(name);
    let (file, other) = (at("swapfile"), at("other"));
    let path = text(&file);
    done(lab, &["file", "create", path, "64M"]);
    fs::hard_link(&file, &other).expect("a link");
    refused(lab, &["file", "remove", path], 3, &["has 2 hard links", "-samefile"]);
    fs::remove_file(&other).expect("our link");
    // Unwritten extents are not shared.
    let old = OpenOptions::new().write(true).open(&file).expect("our file");
    let filled = old.write_all_at(&vec![b'x'; 63 << 20], 1 << 20).and_then(|()| old.sync_all());
    filled.expect("the file has its blocks");
    if kind == "btrfs" {
        // Only reflinks share extents.
        program::tool("chattr", &["+C", text(&mounted.point)]);
    }
    if program::tool("cp", &["--reflink=always", path, text(&other)]).is_none() {
        return Err("no reflink can be created here".to_owned());
    }
    let resize = ["file", "resize", path, "96M"];
    refused(lab, &resize, 4, &["the file system shares, compresses or moves its blocks"]);
    assert_eq!(file.metadata().expect("a file").len(), 64 * MIB, "{kind}: the file is as before");
    fs::remove_file(&other).expect("our copy");
    // A file system may notice with a delay that extents are no longer shared.
    let alone = lab::retry(|| {
        let (code, said) = run(lab, &[&resize[..], &["--yes"]].concat());
        Some(()).filter(|()| code == Some(0)).ok_or(said)
    });
    assert!(alone.is_ok(), "{kind}: {alone:?}");
    done(lab, &["file", "remove", path]);
    Ok(())
}

/// Recovery after a reboot: a journal of an earlier boot.
pub(crate) fn after_a_restart(lab: &Lab) {
    let folder = Folder::new(lab, "restart");
    let file = folder.0.join("swapfile");
    let path = text(&file);
    let size = || file.metadata().expect("it exists").len() / MIB;
    let create = ["file", "create", path, "4M", "--on", "--priority", "31000"];
    let told = done(lab, &create);
    earlier(lab, usize::MAX);
    undo(lab, &told);
    assert!(!file.exists() && priority(&file).is_none(), "the area is disabled and removed");

    done(lab, &create);
    let journal = lab.scratch.file("journal");
    let before = fs::read_to_string(&journal).expect("a journal").lines().count();
    done(lab, &["file", "resize", path, "8M"]);
    let text = fs::read_to_string(&journal).expect("a journal");
    let recover = |lines: usize| {
        earlier(lab, lines);
        let recovered = program::command(&lab.scratch.program(), &["recover"])
            .env("SWAPADM_JOURNAL", &journal)
            .output()
            .expect("the program starts");
        assert!(recovered.status.success(), "{}", program::describe_failure(&recovered));
        assert_eq!((size(), priority(&file)), (4, Some(31_000)), "the area is back and enabled");
        syscalls::swapoff(&file).expect("the area can be disabled");
    };
    // Disabled and resized, followed by a power loss.
    syscalls::swapoff(&file).expect("the area can be disabled");
    recover(before + 5);
    // The power failed while the file grew.
    let half = OpenOptions::new().write(true).open(&file).expect("our file");
    half.set_len(6 * MIB).expect("room");
    fs::write(&journal, text).expect("our journal");
    recover(before + 4);
    done(lab, &["file", "remove", path]);
}

/// Truncates the journal after this many lines, and dates them to an earlier boot.
fn earlier(lab: &Lab, lines: usize) {
    let journal = lab.scratch.file("journal");
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("the file is readable");
    let told = fs::read_to_string(&journal).expect("a journal");
    let lines: Vec<String> = told
        .lines()
        .take(lines)
        .map(|line| line.replace(boot.trim(), "5a9c0f3e-7b1d-4e62-8f40-000000000b00"))
        .collect();
    fs::write(&journal, lines.join("\n") + "\n").expect("our journal");
}

//! Swap files on real file systems.

use crate::areas;
use crate::lab::{self, Lab, rounds};
use crate::{program, syscalls};
use nix::sys::signal::{Signal, kill};
use nix::sys::statfs::{BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC};
use nix::unistd::{Pid, chown};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

pub(crate) const MIB: u64 = 1 << 20;
/// The smallest size that every mkfs accepts.
pub(crate) const DISK: u64 = 320 * MIB;
pub(crate) const UUID: &str = "5a9c0f3e-7b1d-4e62-8f40-0000000fc0de";

/// A mounted file system on a loop device, unmounted when dropped.
pub(crate) struct Mounted {
    pub(crate) point: PathBuf,
}

impl Drop for Mounted {
    fn drop(&mut self) {
        unmount(&self.point);
    }
}

/// Unmounts a file system, and disables swap files on it.
pub(crate) fn unmount(point: &Path) {
    for (path, _) in active() {
        if path.starts_with(point) {
            let _ = syscalls::swapoff(&path);
        }
    }
    program::tool("umount", &[text(point)]);
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

/// Makes a file system, or says what is missing.
pub(crate) fn make(kind: &str, device: &Path, label: &str) -> Result<(), String> {
    let force = if kind.starts_with("ext") { "-F" } else { "-f" };
    // A small machine may have only the oldest mkfs, under its oldest name.
    let tools = [format!("mkfs.{kind}"), "mke2fs".to_owned()];
    let mut tools = tools.iter().take(if kind == "ext2" { 2 } else { 1 });
    let made =
        tools.find_map(|tool| program::tool(tool, &["-q", force, "-L", label, text(device)]));
    made.map(drop).ok_or_else(|| format!("{NO_TOOL} mkfs.{kind}, or it failed"))
}

const NO_TOOL: &str = "there is no";

/// Skips a test where the tools that make file systems are missing.
pub(crate) fn with_tools(result: Result<(), String>) -> Result<(), String> {
    match result {
        Err(reason) if reason.contains(NO_TOOL) => {
            lab::remark(&format!("swap files and formatting: {reason}"));
            Ok(())
        }
        result => result,
    }
}

pub(crate) fn mount(lab: &Lab, kind: &str, what: &Path) -> Result<Mounted, String> {
    let point = lab.scratch.file("mount");
    lab.note("mount", &point);
    fs::create_dir_all(&point).expect("a folder");
    let mounted = program::tool("mount", &["-t", kind, text(what), text(&point)]);
    mounted.map(|_| Mounted { point }).ok_or_else(|| format!("{kind} cannot be mounted here"))
}

/// Runs the program with its journal; returns the exit status and the messages on one line.
pub(crate) fn run(lab: &Lab, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = program::command(&lab.scratch.program(), arguments);
    command.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    let output = command.output().expect("the program starts");
    let said = program::describe_failure(&output);
    (output.status.code(), said.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Runs a command that must succeed; returns its JSON output.
pub(crate) fn done(lab: &Lab, arguments: &[&str]) -> Value {
    let mut command = program::command(&lab.scratch.program(), arguments);
    command.args(["--yes", "--json"]).env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    let told = program::json(&mut command);
    assert_eq!(told["outcome"]["end"], "done", "{arguments:?}: {told}");
    told
}

/// Undoes the last plan.
pub(crate) fn undo(lab: &Lab, told: &Value) -> Value {
    done(lab, &["undo", &told["outcome"]["journal"].to_string()])
}

pub(crate) fn refused(lab: &Lab, arguments: &[&str], code: i32, words: &[&str]) {
    let (ended, said) = run(lab, &[arguments, &["--yes"]].concat());
    assert_eq!(ended, Some(code), "{arguments:?}: {said}");
    for word in words {
        assert!(said.contains(word), "{arguments:?}: {word:?} is not in {said}");
    }
}

/// The active areas with their priorities.
pub(crate) fn active() -> Vec<(PathBuf, i32)> {
    let swaps = fs::read_to_string("/proc/swaps").expect("the file is readable");
    let row = |row: &str| {
        let mut fields = row.split_whitespace();
        let path = fields.next()?.replace("\\040", " ");
        Some((PathBuf::from(path), fields.nth(3)?.parse().ok()?))
    };
    swaps.lines().skip(1).filter_map(row).collect()
}

pub(crate) fn priority(path: &Path) -> Option<i32> {
    active().into_iter().find(|(own, _)| own == path).map(|(_, priority)| priority)
}

/// UUID and label in the header.
pub(crate) fn title(path: &Path) -> (String, String) {
    let page = usize::try_from(areas::page_size()).expect("a page");
    let mut head = vec![0; page];
    fs::File::open(path).and_then(|file| file.read_exact_at(&mut head, 0)).expect("a header");
    assert_eq!(&head[page - 10..], b"SWAPSPACE2");
    let parts = [1036..1040, 1040..1042, 1042..1044, 1044..1046, 1046..1052].map(|range| {
        let digits: Vec<String> = head[range].iter().map(|byte| format!("{byte:02x}")).collect();
        digits.concat()
    });
    let label = head[1052..1068].split(|byte| *byte == 0).next().expect("a label");
    (parts.join("-"), String::from_utf8_lossy(label).into_owned())
}

/// The content according to blkid; none without blkid.
pub(crate) fn kind(path: &Path) -> Option<String> {
    let said = program::tool("blkid", &["-p", "-o", "export", text(path)])?;
    said.lines().find_map(|line| line.strip_prefix("TYPE=")).map(str::to_owned)
}

pub(crate) fn agrees_with_blkid(path: &Path, label: &str) {
    let Some(said) = program::tool("blkid", &["-p", "-o", "export", text(path)]) else { return };
    if said.contains("TYPE=") {
        for line in ["TYPE=swap".to_owned(), format!("UUID={UUID}"), format!("LABEL={label}")] {
            assert!(said.lines().any(|own| own == line), "{line} is not in {said}");
        }
    }
}

/// Swap files on the file system of temporary files, and on each one that can be made here.
pub(crate) fn made(lab: &Lab) -> Result<(), String> {
    if let Some(kind) = kind_of_folder(&lab.scratch.file("")) {
        println!("swap files on {kind} of temporary files");
        made_in(lab, kind, &lab.scratch.file(""));
    }
    let mut reasons = Vec::new();
    for kind in ["ext4", "xfs", "btrfs", "ext2"] {
        if let Err(reason) = made_on(lab, kind) {
            lab::remark(&format!("swap files on {kind}: {reason}"));
            reasons.push(reason);
        }
    }
    if reasons.len() == 4 { with_tools(Err(reasons.join("; "))) } else { Ok(()) }
}

fn made_on(lab: &Lab, kind: &str) -> Result<(), String> {
    let device = areas::new_loop(lab, DISK)?;
    make(kind, &device.path, "data")?;
    let mounted = mount(lab, kind, &device.path)?;
    made_in(lab, kind, &mounted.point);
    Ok(())
}

/// The file system of a folder, if it can hold swap files.
fn kind_of_folder(folder: &Path) -> Option<&'static str> {
    let found = nix::sys::statfs::statfs(folder).ok()?.filesystem_type();
    let kinds =
        [(EXT4_SUPER_MAGIC, "ext4"), (XFS_SUPER_MAGIC, "xfs"), (BTRFS_SUPER_MAGIC, "btrfs")];
    kinds.into_iter().find(|(magic, _)| *magic == found).map(|(_, kind)| kind)
}

fn made_in(lab: &Lab, kind: &str, folder: &Path) {
    let file = folder.join("swap file");
    let path = text(&file);
    let options = ["--label", "live", "--uuid", UUID, "--on", "--priority", "31000"];
    let all = [&["file", "create", path, "64M"], &options[..]].concat();
    let created = done(lab, &all);
    assert_eq!(created["steps"].as_array().map(Vec::len), Some(2), "{created}");
    let facts = fs::symlink_metadata(&file).expect("a file");
    assert_eq!((facts.len(), facts.mode() & 0o7777, facts.uid()), (64 * MIB, 0o600, 0), "{kind}");
    assert!(facts.blocks() * 512 >= facts.len(), "{kind}: the file has its blocks");
    assert_eq!(priority(&file), Some(31_000));
    assert_eq!(title(&file), (UUID.to_owned(), "live".to_owned()));
    agrees_with_blkid(&file, "live");
    if kind == "btrfs"
        && let Some(attributes) = program::tool("lsattr", &[path])
    {
        assert!(attributes.split_whitespace().next().is_some_and(|it| it.contains('C')));
    }
    refused(lab, &all, 3, &["exists already (a file of 67108864 bytes)", "another name"]);
    refused(lab, &["format", path], 3, &["is active swap", "swapadm off"]);

    let size = |wanted: u64| {
        let is = fs::symlink_metadata(&file).expect("a file").len();
        assert_eq!((is, priority(&file)), (wanted * MIB, Some(31_000)), "{kind}");
        assert_eq!(title(&file), (UUID.to_owned(), "live".to_owned()));
    };
    done(lab, &["file", "resize", path, "32M"]);
    size(32);
    let grown = done(lab, &["file", "resize", path, "96M"]);
    assert_eq!(grown["steps"].as_array().map(Vec::len), Some(3), "{grown}");
    size(96);
    undo(lab, &grown);
    size(32);
    let (code, said) = run(lab, &["file", "resize", path, "32M", "--yes"]);
    assert!(code == Some(0) && said.contains("nothing to do"), "{said}");

    let removed = done(lab, &["file", "remove", path]);
    assert!(!file.exists() && priority(&file).is_none());
    undo(lab, &removed);
    size(32);
    refused(lab, &["file", "resize", path, "9999G"], 3, &["or choose a smaller size"]);
    size(32);
    done(lab, &["off", path]);
    done(lab, &["file", "remove", path]);
    assert!(!file.exists());
}

/// Runs a test in the folder of a file system of its own, which is small.
fn on_small_disk(lab: &Lab, test: impl FnOnce(&Path)) -> Result<(), String> {
    let device = areas::new_loop(lab, DISK)?;
    let kind = if make("ext4", &device.path, "data").is_ok() { "ext4" } else { "ext2" };
    if kind == "ext2"
        && let Err(reason) = make("ext2", &device.path, "data")
    {
        return with_tools(Err(reason));
    }
    let mounted = mount(lab, kind, &device.path)?;
    test(&mounted.point);
    Ok(())
}

/// Another program has the file open, and the file system has no room for a second one: it grows all the same.
pub(crate) fn resized_while_open(lab: &Lab) -> Result<(), String> {
    on_small_disk(lab, |point| {
        let file = point.join("swapfile");
        let path = text(&file);
        let free = nix::sys::statvfs::statvfs(point).expect("a file system");
        let free = free.blocks_available() * free.fragment_size() / MIB;
        let (small, large) = (free * 6 / 10, free * 8 / 10);
        done(lab, &["file", "create", path, &format!("{small}M"), "--on", "--priority", "31000"]);
        let reader = fs::File::open(&file).expect("our file");
        let grown = done(lab, &["file", "resize", path, &format!("{large}M")]);
        let is = || (fs::metadata(&file).expect("a file").len() / MIB, priority(&file));
        assert_eq!(is(), (large, Some(31_000)));
        undo(lab, &grown);
        assert_eq!(is(), (small, Some(31_000)));
        drop(reader);
        done(lab, &["file", "remove", path]);
    })
}

/// A link that appears in the path of an area leads to another one, which stays as it is.
pub(crate) fn replaced_by_link(lab: &Lab) -> Result<(), String> {
    lab.has_room()?;
    let folder = lab.scratch.file("links");
    fs::create_dir(&folder).expect("a folder");
    let at = |name: &str| folder.join(name);
    let (file, other) = (at("swapfile"), at("other"));
    let path = text(&file);
    for path in [path, text(&other)] {
        done(lab, &["file", "create", path, "1M"]);
    }
    done(lab, &["on", path, "-p", "31000"]);
    let off = done(lab, &["off", path]);
    fs::rename(&file, at("moved")).expect("our file");
    symlink(&other, &file).expect("a link");
    let words = ["is now reached through a symbolic link", text(&other)];
    refused(lab, &["undo", &off["outcome"]["journal"].to_string()], 3, &words);
    assert_eq!((priority(&other), priority(&file)), (None, None));
    Ok(())
}

/// Locations that cannot, or should not, have a swap file.
pub(crate) fn places_refused(lab: &Lab) -> Result<(), String> {
    lab.has_room()?;
    let folder = lab.scratch.file("folder");
    fs::create_dir(&folder).expect("a folder");
    let at = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    let (file, link, other) = (at("file"), at("link"), at("other"));
    fs::write(&other, vec![b'x'; 1 << 20]).expect("a file");
    symlink(&other, &link).expect("a link");
    let create = |path: &str, size: &str, code, words: &[&str]| {
        refused(lab, &["file", "create", path, size], code, words);
    };
    create(&link, "1M", 3, &["a link to", "another name"]);
    create(&at(""), "1M", 2, &["is a directory"]);
    create(&at("no/file"), "1M", 2, &["/no does not exist", "create the directory first"]);
    create(&file, "much", 2, &["\"much\"", "40K to 8E"]);
    create(&file, "36K", 2, &["at least 10 pages"]);
    create(&file, "8000T", 3, &["or choose a smaller size", "another file system"]);
    let long = ["file", "create", &file, "1M", "--label", "more than fifteen"];
    refused(lab, &long, 2, &["more than fifteen", "at most 15"]);
    refused(lab, &["file", "create", &file, "1M", "--uuid", "7"], 2, &["\"7\"", "form"]);
    chown(&folder, Some(program::NOBODY.into()), None).expect("it can be given away");
    create(&file, "1M", 3, &["belongs to user 65534", "--force folder"]);
    chown(&folder, Some(0.into()), None).expect("the plan can be undone");
    fs::set_permissions(&folder, PermissionsExt::from_mode(0o777)).expect("our folder");
    create(&file, "1M", 3, &["written by others (mode 0777)", "--force folder"]);
    fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).expect("our folder");

    refused(lab, &["file", "remove", &other], 2, &["is not a swap file"]);
    refused(lab, &["file", "remove", &link], 2, &["is a symbolic link"]);
    refused(lab, &["file", "resize", "/dev/null", "1M"], 2, &["is not a regular file"]);
    refused(lab, &["format", &other], 3, &["data of unknown kind", "--force signature"]);
    assert!(fs::read(&other).expect("it exists").iter().all(|byte| *byte == b'x'));
    let sparse = at("sparse");
    fs::File::create(&sparse).and_then(|file| file.set_len(8 << 20)).expect("a sparse file");
    refused(lab, &["format", &sparse], 3, &["has holes", "dd or fallocate"]);
    {
        let memory = mount(lab, "tmpfs", Path::new("swapadm-live"))?;
        let path = memory.point.join("x");
        create(text(&path), "1M", 3, &["on tmpfs, which keeps its files in memory", "ext4"]);
        assert!(!path.exists());
        fs::write(&path, vec![0; 1 << 20]).expect("a file");
        refused(lab, &["on", text(&path)], 3, &["is on tmpfs, which cannot hold swap"]);
    }
    assert!(!Path::new(&file).exists());
    nobody_may(lab, &file)
}

/// Without rights nothing is tried, and the missing right is named.
fn nobody_may(lab: &Lab, file: &str) -> Result<(), String> {
    let device = areas::new_loop(lab, 8 * MIB)?;
    let path = text(&device.path);
    done(lab, &["file", "create", file, "1M"]);
    let cases: [(&[&str], i32, &[&str]); 3] = [
        (&["format", path, "--label", "x"], 3, &["changing swap needs root", "mkswap --label x"]),
        (
            &["file", "create", &format!("{file}2"), "1M"],
            3,
            &["changing swap needs root", "fallocate -l 1048576"],
        ),
        (&["file", "remove", file], 3, &["permission denied", "run swapadm with sudo"]),
    ];
    for (arguments, code, words) in cases {
        let mut command = program::command(&lab.scratch.program(), arguments);
        command.arg("--yes").uid(program::NOBODY).gid(program::NOBODY).current_dir("/");
        let output = command.output().expect("the program starts");
        let said = program::describe_failure(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        for word in words {
            assert!(said.contains(word), "{arguments:?}: {word:?} is not in {said}");
        }
    }
    done(lab, &["file", "remove", file]);
    assert!(bytes(&device.path).iter().all(|byte| *byte == 0));
    Ok(())
}

/// All bytes of a device.
pub(crate) fn bytes(device: &Path) -> Vec<u8> {
    fs::read(device).expect("the file is readable")
}

/// Interrupted near each line of the journal, and while blocks are allocated: recovery leaves a complete
/// file or none.
pub(crate) fn killed(lab: &Lab) -> Result<(), String> {
    on_small_disk(lab, |point| {
        let file = point.join("swapfile");
        let path = text(&file);
        let entries = || fs::read_dir(point).expect("a folder").count();
        let empty = entries();
        let rounds = rounds(4, 24);
        let mut cut = 0;
        for number in 0..rounds {
            cut += u64::from(cut_off(
                lab,
                &["file", "create", path, "64M", "--on", "-p", "31000"],
                number,
            ));
            let whole = (file.exists(), priority(&file)) == (true, Some(31_000));
            assert!(whole || (!file.exists() && entries() == empty), "{number}: all or nothing");
            if file.exists() {
                done(lab, &["file", "remove", path]);
            }
        }
        let options = ["--uuid", UUID, "--on", "-p", "31000"];
        done(lab, &[&["file", "create", path, "32M"], &options[..]].concat());
        for number in 0..rounds {
            let goal = if number % 2 == 0 { "48M" } else { "32M" };
            cut += u64::from(cut_off(lab, &["file", "resize", path, goal], number));
            let size = fs::metadata(&file).expect("it exists").len() / MIB;
            assert!(size == 32 || size == 48, "{number}: {size}");
            assert_eq!(
                (priority(&file), title(&file).0.as_str()),
                (Some(31_000), UUID),
                "{number}"
            );
        }
        lab::require_iterations(cut, rounds / 2);
    })
}

/// Kills the command after this many journal lines, and recovers; returns whether it was interrupted.
pub(crate) fn cut_off(lab: &Lab, arguments: &[&str], number: u64) -> bool {
    let journal = lab.scratch.file("journal");
    let lines = || {
        let text = fs::read_to_string(&journal).unwrap_or_default();
        text.matches('\n').count()
    };
    let goal = lines() + 1 + usize::try_from(number % 8).expect("small");
    let mut command = program::command(&lab.scratch.program(), arguments);
    command.args(["--yes", "--json"]).env("SWAPADM_JOURNAL", &journal);
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let until = Instant::now() + Duration::from_secs(5);
    while lines() < goal && Instant::now() < until {
        if child.try_wait().expect("it can be asked").is_some() {
            break;
        }
    }
    // Some kills come a little later, during the step of that line.
    std::thread::sleep(Duration::from_micros(700 * (number / 8)));
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
    let _ = kill(pid, Signal::SIGKILL);
    let cut = !child.wait().expect("it ends").success();
    let (code, said) = run(lab, &["recover", "--yes", "--wait", "60"]);
    assert_eq!(code, Some(0), "{number}: {said}");
    cut
}

//! File systems that are full or become read-only, and a limit on the size of files: what the program says, and
//! what it leaves behind.

use crate::lab::Lab;
use crate::program::{self, describe_failure};
use crate::settings::{PRESSURE, SavedSettings, says};
use crate::{areas, at_length, file, in_lab, syscalls};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Size of the file system.
const SIZE: u64 = 256 << 10;
/// Free space of the full file system, and the limit on the size of files.
const ROOM: u64 = 4096;

#[test]
fn files_that_do_not_fit_are_refused_and_nothing_is_left() {
    at_length("files_that_do_not_fit_are_refused_and_nothing_is_left", |lab| {
        let full = small(lab)?;
        fill(&full.point, ROOM);
        let capture = file::text(&full.point.join("x.capture")).to_owned();
        let capture = ("a capture", words(&["capture", &capture]));
        for (what, arguments) in writers(&full.point).into_iter().chain([capture]) {
            let mut command = swapadm(lab, &arguments);
            cannot_be_written(&mut command, "/x.", "free some space");
            no_file_is_left(&full.point, what);
        }
        Ok(())
    });
}

#[test]
fn files_beyond_the_limit_are_refused_and_nothing_is_left() {
    at_length("files_beyond_the_limit_are_refused_and_nothing_is_left", |lab| {
        let folder = lab.scratch.file("limited");
        fs::create_dir(&folder).expect("a folder");
        for (what, arguments) in writers(&folder) {
            let mut command = swapadm(lab, &arguments);
            syscalls::limit_files(&mut command, ROOM);
            cannot_be_written(&mut command, "/x.", "ulimit -f");
            no_file_is_left(&folder, what);
        }
        Ok(())
    });
}

#[test]
fn a_journal_that_cannot_be_written_prevents_the_change() {
    in_lab("a_journal_that_cannot_be_written_prevents_the_change", |lab| {
        let _saved = SavedSettings::new(&[PRESSURE]);
        let before = says(PRESSURE);
        let other = (before.parse::<u64>().unwrap_or(100) + 1).to_string();
        let small = small(lab)?;
        let set = |value: &str| {
            let mut command = swapadm(lab, &words(&["set", "vfs_cache_pressure", value, "--yes"]));
            command.env("SWAPADM_JOURNAL", small.point.join("journal"));
            command
        };
        program::output(&mut set(&other));
        program::output(&mut set(&before));

        // A page of it may have room for some more lines.
        fs::remove_file(small.point.join("journal")).expect("the journal");
        fill(&small.point, 0);
        cannot_be_written(&mut set(&other), "journal", "free some space");
        assert_eq!(says(PRESSURE), before);
        fs::remove_file(small.point.join(FILLER)).expect("ours");

        remount(&small.point, "ro")?;
        cannot_be_written(&mut set(&other), "journal", "remount the file system");
        assert_eq!(says(PRESSURE), before);
        remount(&small.point, "rw")?;
        program::output(&mut set(&other));
        assert_eq!(says(PRESSURE), other);
        Ok(())
    });
}

#[test]
fn a_device_that_cannot_take_a_header_is_reported() {
    in_lab("a_device_that_cannot_take_a_header_is_reported", |lab| {
        let full = small(lab)?;
        let mut options = File::options();
        let options = options.read(true).write(true).create_new(true);
        let file = options.open(full.point.join("backing")).expect("ours");
        file.set_len(8 << 20).expect("a sparse file");
        fill(&full.point, 0);
        // Formatted only: memory that can be swapped out must not back an area.
        let device = areas::loop_on(&file)?;
        let path = file::text(&device.path);
        let mut format = swapadm(lab, &words(&["format", path, "--yes"]));
        cannot_be_written(&mut format, path, "journalctl -k");
        fs::remove_file(full.point.join(FILLER)).expect("ours");
        program::json(&mut swapadm(lab, &words(&["recover", "--json"])));
        file::done(lab, &["format", path]);
        Ok(())
    });
}

/// A small file system in memory.
fn small(lab: &Lab) -> Result<file::Mounted, String> {
    let point = lab.scratch.file("mount");
    lab.note("mount", &point);
    fs::create_dir_all(&point).expect("a folder");
    let options = format!("size={SIZE},mode=0755");
    let words = ["-t", "tmpfs", "-o", &options, crate::lab::OURS, file::text(&point)];
    program::tool("mount", &words).ok_or("tmpfs cannot be mounted here")?;
    Ok(file::Mounted { point })
}

const FILLER: &str = "filler";

/// Leaves so many bytes of the file system.
fn fill(point: &Path, room: u64) {
    let bytes = vec![0; usize::try_from(SIZE - room).expect("small")];
    // As much as there is room for.
    let _ = fs::write(point.join(FILLER), bytes);
}

fn remount(point: &Path, access: &str) -> Result<(), String> {
    let done = program::tool("mount", &["-o", &format!("remount,{access}"), file::text(point)]);
    done.map(drop).ok_or_else(|| format!("{} cannot be remounted {access}", point.display()))
}

fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(|word| (*word).to_owned()).collect()
}

fn swapadm(lab: &Lab, arguments: &[String]) -> Command {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = program::journalled(lab, &arguments);
    command.env("SWAPADM_RESULTS", results()).env("XDG_STATE_HOME", lab.scratch.file("state"));
    command
}

/// Stored results of the repository.
pub(crate) fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results/kept")
}

/// Commands that write a file into a folder, larger than [`ROOM`].
fn writers(folder: &Path) -> Vec<(&'static str, Vec<String>)> {
    let to = |name: &str| file::text(&folder.join(name)).to_owned();
    let mut all = vec![
        ("metrics", words(&["metrics", "--textfile", &to("x.prom")])),
        ("a picture", words(&["watch", "--picture", &to("x.svg")])),
    ];
    if results().exists() {
        let export = ["results", "export", "last", "--format", "html", "--to", &to("x.html")];
        all.push(("an export", words(&export)));
    }
    all
}

/// The error names the file, and says what to do.
fn cannot_be_written(command: &mut Command, file: &str, next: &str) {
    let output = command.output().expect("the program starts");
    let said = describe_failure(&output);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(matches!(output.status.code(), Some(4 | 6)), "{command:?}: {said}");
    for word in [file, next] {
        assert!(said.contains(word), "{command:?}: {word:?} is not in {said}");
    }
    let count = REFUSED.fetch_add(1, Ordering::Relaxed) + 1;
    println!("measured: {count} writes refused, each with the file and the next step");
}

/// The writes that were refused so far, by all tests here.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

/// A capture that was begun stays, for its complete files; of a file nothing does.
fn no_file_is_left(folder: &Path, what: &str) {
    let _ = fs::remove_dir_all(folder.join("x.capture"));
    let mut left = names(folder);
    left.retain(|name| name != FILLER);
    assert!(left.is_empty(), "{what}: {left:?}");
}

/// The names in a folder, sorted, without the backups of configuration files.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.ends_with(".swapadm-old")).collect();
    names.sort();
    names
}

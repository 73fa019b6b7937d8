//! Makes a small fixture of a captured tree: exactly the files that the program reads.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::panic,
    clippy::print_stdout,
    reason = "run by hand, on trees made by hand"
)]

use crate::common::repository;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use swapadm::clock::Clock;
use swapadm::model::{Part, Snapshot, Stamp};
use swapadm::probes;
use swapadm::root::{Root, Trace, Traced};

/// A larger file is kept only as far as it was read: of `smaps` only the beginning is.
const WHOLE: u64 = 64 * 1024;
/// Makes a fixture of every tree in this folder.
pub(crate) fn refresh(trees: &Path) {
    for entry in fs::read_dir(trees).unwrap() {
        let entry = entry.unwrap();
        let Some(tree) = tree_in(&entry.path()) else { continue };
        let name = entry.file_name().into_string().unwrap();
        let packed = pack(&tree);
        println!("{name}: {} bytes", packed.len());
        fs::write(repository(&format!("tests/machines/{name}.tar.zst")), packed).unwrap();
    }
}

/// The folder itself, or the one folder in it, if it looks like a machine.
fn tree_in(dir: &Path) -> Option<PathBuf> {
    let inner = fs::read_dir(dir).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    std::iter::once(dir.to_owned()).chain(inner).find(|dir| dir.join("proc/swaps").exists())
}

fn pack(tree: &Path) -> Vec<u8> {
    let (files, folders, snapshot) = read(tree);
    let pruned = tempfile::tempdir().unwrap();
    for folder in folders {
        fs::create_dir_all(pruned.path().join(folder)).unwrap();
    }
    for (path, bytes) in files.iter().chain(&clocks(tree)) {
        let path = pruned.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    assert_same(tree, &snapshot, &read(pruned.path()).2);
    compress(&archive(pruned.path()))
}

fn assert_same(tree: &Path, whole: &Snapshot, pruned: &Snapshot) {
    let text = |snapshot| serde_json::to_string_pretty(snapshot).unwrap();
    let (whole, pruned) = (text(whole), text(pruned));
    let mut lines = whole.lines().zip(pruned.lines());
    let other = lines.find(|(whole, pruned)| whole != pruned);
    assert!(other.is_none(), "{}: the fixture differs: {other:?}", tree.display());
}

type Files = BTreeMap<PathBuf, Vec<u8>>;

fn read(tree: &Path) -> (Files, Vec<PathBuf>, Snapshot) {
    let trace = Arc::new(Trace::default());
    let root = Root::at(tree).unwrap().traced(Arc::clone(&trace));
    let clock = Clock::at(Stamp { boot_ns: 0, wall_ms: 0 });
    let snapshot = probes::sample(&root, &clock, Part::ALL.into_iter().collect());
    let (mut files, mut folders) = (Files::new(), Vec::new());
    for (path, traced) in trace.take() {
        match traced {
            Traced::Bytes(bytes) => {
                let bytes = whole(tree, &path).unwrap_or(bytes);
                files.insert(path, bytes);
            }
            Traced::Folder => folders.push(path),
            Traced::Link(_) | Traced::Error(_) => {}
        }
    }
    (files, folders, snapshot)
}

/// The lines with the time of the capture; the rest of `proc/stat` is long and not read.
fn clocks(tree: &Path) -> Files {
    let stat = fs::read_to_string(tree.join("proc/stat")).ok();
    let kept = stat.map(|text| {
        let long = |line: &&str| line.starts_with("intr ") || line.starts_with("softirq ");
        text.lines().filter(|line| !long(line)).fold(String::new(), |kept, line| kept + line + "\n")
    });
    let uptime = fs::read(tree.join("proc/uptime")).ok();
    let stat = kept.map(|text| (PathBuf::from("proc/stat"), text.into_bytes()));
    stat.into_iter().chain(uptime.map(|bytes| (PathBuf::from("proc/uptime"), bytes))).collect()
}

fn whole(tree: &Path, path: &Path) -> Option<Vec<u8>> {
    let path = tree.join(path);
    let small = fs::metadata(&path).ok()?.len() <= WHOLE;
    small.then(|| fs::read(path).ok()).flatten()
}

/// A reproducible archive: sorted, without owners and times.
fn archive(dir: &Path) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut paths = Vec::new();
    list(dir, dir, &mut paths);
    paths.sort();
    for path in paths {
        let full = dir.join(&path);
        let mut header = tar::Header::new_gnu();
        header.set_mtime(0);
        if full.is_dir() {
            header.set_entry_type(tar::EntryType::Directory);
            header.set_mode(0o755);
            header.set_size(0);
            archive.append_data(&mut header, &path, std::io::empty()).unwrap();
        } else {
            let bytes = fs::read(&full).unwrap();
            header.set_mode(0o644);
            header.set_size(bytes.len() as u64);
            archive.append_data(&mut header, &path, bytes.as_slice()).unwrap();
        }
    }
    archive.into_inner().unwrap()
}

fn list(base: &Path, dir: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        paths.push(path.strip_prefix(base).unwrap().to_owned());
        if path.is_dir() {
            list(base, &path, paths);
        }
    }
}

/// Uses the `zstd` command, which compresses far better than the encoder for recordings.
fn compress(plain: &[u8]) -> Vec<u8> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, plain).unwrap();
    let output = Command::new("zstd").args(["-19", "-c", "-q"]).arg(file.path()).output().unwrap();
    assert!(output.status.success(), "zstd: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

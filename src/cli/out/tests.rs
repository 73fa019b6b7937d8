#![allow(clippy::disallowed_methods, reason = "tests look at what was written by themselves")]

use super::*;
use nix::unistd::{Uid, setfsuid};
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::PathBuf;

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().canonicalize().unwrap();
    (dir, path)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn names(path: &Path) -> Vec<OsString> {
    fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

#[test]
fn a_new_file_is_made_with_its_folders() {
    let (_dir, path) = folder();
    let file = path.join("a/b/config.toml");
    replace_file(&file, "x = 1\n").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "x = 1\n");
    assert_eq!(mode(&file) & 0o600, 0o600);
    assert_eq!(mode(&file) & 0o133, 0);
    assert_eq!([mode(&path.join("a")), mode(&path.join("a/b"))], [0o700; 2]);
}

#[test]
fn an_old_file_keeps_its_mode_and_nothing_lies_beside_it() {
    let (_dir, path) = folder();
    let file = path.join("config.toml");
    for kept in [0o600, 0o664, 0o400] {
        fs::write(&file, "old").unwrap();
        set_mode(&file, kept);
        replace_file(&file, "new").unwrap();
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), mode(&file)), ("new", kept));
        assert_eq!(names(&path), ["config.toml"]);
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn leftover_temporary_file_is_ignored() {
    let (_dir, path) = folder();
    let left = path.join("config.toml.swapadm-new-1");
    fs::write(&left, "half").unwrap();
    replace_file(&path.join("config.toml"), "new").unwrap();
    assert_eq!(fs::read_to_string(path.join("config.toml")).unwrap(), "new");
    assert_eq!(fs::read_to_string(left).unwrap(), "half");
}

#[test]
fn a_link_stays_a_link() {
    let (_dir, path) = folder();
    fs::create_dir_all(path.join("dotfiles/deep")).unwrap();
    fs::write(path.join("dotfiles/swapadm.toml"), "old").unwrap();
    symlink("dotfiles/deep", path.join("short")).unwrap();
    symlink("short/../swapadm.toml", path.join("config.toml")).unwrap();
    symlink("dotfiles/later.toml", path.join("dangling.toml")).unwrap();
    for (link, file) in [("config.toml", "swapadm.toml"), ("dangling.toml", "later.toml")] {
        replace_file(&path.join(link), "new").unwrap();
        assert!(fs::symlink_metadata(path.join(link)).unwrap().is_symlink());
        let target = path.join("dotfiles").join(file);
        assert_eq!(fs::read_to_string(target).unwrap(), "new");
    }
    symlink("round", path.join("round")).unwrap();
    let told = replace_file(&path.join("round"), "new").unwrap_err().to_string();
    assert!(told.ends_with("round: Too many levels of symbolic links"), "{told}");
}

#[test]
fn only_a_file_is_replaced() {
    let (_dir, path) = folder();
    symlink("/dev/null", path.join("config.toml")).unwrap();
    fs::create_dir(path.join("folder")).unwrap();
    for name in ["config.toml", "folder"] {
        let told = replace_file(&path.join(name), "new").unwrap_err().to_string();
        assert!(told.ends_with("cannot be written: not a regular file"), "{told}");
    }
    fs::write(path.join("file"), "").unwrap();
    let told = replace_file(&path.join("file/config.toml"), "new").unwrap_err().to_string();
    assert!(told.contains("file: "), "{told}");
}

#[test]
fn read_only_folder_is_reported_and_file_kept() {
    let (_dir, path) = folder();
    let inner = path.join("inner");
    let file = inner.join("config.toml");
    fs::create_dir(&inner).unwrap();
    fs::write(&file, "old").unwrap();
    set_mode(&path, 0o755);
    set_mode(&inner, 0o555);
    let from = file.clone();
    // File modes do not restrict root, so this thread drops its rights.
    let nobody = move || {
        setfsuid(Uid::from_raw(65534));
        replace_file(&from, "new").unwrap_err().to_string()
    };
    let told = std::thread::spawn(nobody).join().unwrap();
    assert_eq!(told, format!("{}: cannot be written: Permission denied", file.display()));
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(names(&inner), ["config.toml"]);
    set_mode(&inner, 0o755);
}

#[test]
fn remarks_are_broken_between_words_on_a_terminal_only() {
    let text = "swapadm: one two three\nfour five";
    assert_eq!(wrapped(text, None), text);
    assert_eq!(wrapped(text, Some(80)), text);
    assert_eq!(wrapped(text, Some(13)), "swapadm: one\ntwo three\nfour five");
    assert_eq!(wrapped("a /a/long/path b", Some(5)), "a\n/a/long/path\nb", "words stay whole");
}

#[test]
fn progress_drops_pieces_from_the_end() {
    let told = ["4/9 disk", "touching 40%", "12s, about 18s left", "swap 300M"];
    let all = [&told[..], &["cgroup 47M", "all runs: about 1m02s left"]].concat();
    let all: Vec<String> = all.into_iter().map(str::to_owned).collect();
    let at = |cells: usize| fit(&all, cells - 1);
    let most = "4/9 disk  touching 40%  12s, about 18s left  swap 300M  cgroup 47M";
    assert_eq!(at(120), format!("{most}  all runs: about 1m02s left"));
    assert_eq!(at(80), most);
    assert_eq!(at(54), "4/9 disk  touching 40%  12s, about 18s left", "one cell is kept");
    assert_eq!(at(55), "4/9 disk  touching 40%  12s, about 18s left  swap 300M");
    assert_eq!(at(40), "4/9 disk  touching 40%", "a piece is all there or not at all");
    assert_eq!(at(6), "4/9 +");
    assert_eq!(fit(&["\u{6f22}\u{6f22}".to_owned()], 3), "\u{6f22}+", "wide characters");
    assert_eq!((fit(&all, 0), fit(&[], 80)), (String::new(), String::new()));
}

#[test]
fn progress_needs_a_terminal() {
    let width = |interactive, width| {
        ProgressLine::new(&Environment { width, interactive, ..Environment::default() }).width
    };
    assert_eq!(width(true, Some(80)), Some(79));
    assert_eq!((width(false, Some(80)), width(true, None)), (None, None));
}

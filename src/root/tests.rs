#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::*;
use std::fs;

fn tree() -> (tempfile::TempDir, Root) {
    let dir = tempfile::tempdir().unwrap();
    let root = Root::at(dir.path()).unwrap();
    (dir, root)
}

#[test]
fn a_file_that_is_not_there_is_absent_and_named_as_on_a_live_machine() {
    let (_dir, root) = tree();
    let reading = root.read("proc/swaps");
    assert_eq!(reading, Reading::absent("/proc/swaps does not exist"));
}

#[test]
fn a_huge_file_is_refused_and_not_held_in_memory() {
    let (dir, root) = tree();
    let file = fs::File::create(dir.path().join("huge")).unwrap();
    file.set_len(1 << 40).unwrap();
    let reason = root.read("huge").missing().unwrap().to_string();
    assert!(reason.contains("larger than"), "{reason}");
}

#[test]
fn a_fifo_does_not_stop_the_program() {
    let (dir, root) = tree();
    nix::unistd::mkfifo(&dir.path().join("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(root.read("fifo"), Reading::Known(vec![]));
}

#[test]
fn a_directory_in_place_of_a_file_is_a_failed_read() {
    let (dir, root) = tree();
    fs::create_dir(dir.path().join("swaps")).unwrap();
    assert_eq!(root.read("swaps").missing().unwrap().kind(), "failed");
}

#[test]
fn binary_rubbish_in_a_number_is_shown_safely() {
    let (dir, root) = tree();
    fs::write(dir.path().join("n"), b"\x1b[31m\xff12").unwrap();
    let reason = root.number("n").missing().unwrap().to_string();
    assert_eq!(reason, "/n should hold a whole number, but holds \"\\u{1b}[31m\\xff12\"");
}

#[test]
fn an_absolute_name_stays_below_the_root() {
    let (dir, root) = tree();
    fs::write(dir.path().join("swapfile"), b"x").unwrap();
    assert_eq!(root.read("/swapfile"), Reading::Known(b"x".to_vec()));
}

#[test]
fn a_name_that_climbs_stays_below_the_root() {
    let (dir, root) = tree();
    fs::create_dir(dir.path().join("sub")).unwrap();
    fs::write(dir.path().join("secret"), b"x").unwrap();
    let below = Root::at(&dir.path().join("sub")).unwrap();
    for path in ["../secret", "/../secret", "a/../../secret", "./../secret"] {
        let missing = below.read(path);
        assert_eq!(missing.missing().unwrap().kind(), "absent", "{path}");
    }
    assert_eq!(root.read("sub/../secret"), Reading::Known(b"x".to_vec()));
}

#[test]
fn the_trace_holds_bytes_links_and_errors() {
    let (dir, root) = tree();
    fs::write(dir.path().join("a"), b"1").unwrap();
    std::os::unix::fs::symlink("a", dir.path().join("l")).unwrap();
    let trace = Arc::new(Trace::default());
    let root = root.traced(Arc::clone(&trace));
    let _ = (root.number("a"), root.link("l"), root.read("none"), root.read(""));
    let seen = trace.take();
    assert_eq!(seen.get(Path::new("a")), Some(&Traced::Bytes(b"1".to_vec())));
    assert_eq!(seen.get(Path::new("l")), Some(&Traced::Link("a".into())));
    assert!(matches!(seen.get(Path::new("")), Some(Traced::Error(_))));
    assert_eq!(seen.get(Path::new("none")), None);
}

#[test]
fn a_link_to_a_folder_is_listed_but_is_no_folder() {
    let (dir, root) = tree();
    fs::create_dir(dir.path().join("b")).unwrap();
    fs::write(dir.path().join("c"), b"").unwrap();
    std::os::unix::fs::symlink("b", dir.path().join("a")).unwrap();
    let entries = root.entries("").into_result().unwrap();
    let found = entries.iter().map(|e| (e.name.as_slice(), e.folder));
    let expected: [(&[u8], bool); 3] = [(b"a", false), (b"b", true), (b"c", false)];
    assert!(found.eq(expected));
}

#[test]
fn a_process_that_ended_while_it_was_read_is_absent() {
    let error = io::Error::from_raw_os_error(nix::libc::ESRCH);
    let reason = missing(Path::new("proc/7/status"), &error);
    let text = "the process of /proc/7/status has ended";
    assert_eq!(reason, Missing::absent(text));
}

#[test]
fn an_empty_file_is_said_to_be_empty() {
    let reason = unexpected::<u64>("proc/swaps", "a line", b"\n").missing().unwrap().to_string();
    assert_eq!(reason, "/proc/swaps should hold a line, but is empty");
}

#[test]
fn a_link_of_a_captured_tree_does_not_lead_out_of_it() {
    let (dir, root) = tree();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("swaps"), b"x").unwrap();
    fs::create_dir(dir.path().join("a")).unwrap();
    fs::write(dir.path().join("a/swaps"), b"x").unwrap();
    std::os::unix::fs::symlink(outside.path(), dir.path().join("out")).unwrap();
    std::os::unix::fs::symlink("a", dir.path().join("in")).unwrap();
    std::os::unix::fs::symlink("gone", dir.path().join("dangling")).unwrap();
    let failed = "reading /out/swaps: it leads out of the captured tree";
    assert_eq!(root.read("out/swaps").missing().unwrap().to_string(), failed);
    assert_eq!(root.names("out").missing().unwrap().kind(), "failed");
    assert_eq!(root.entries("out").missing().unwrap().kind(), "failed");
    assert_eq!(root.link("out/swaps").missing().unwrap().kind(), "failed");
    assert!(!root.exists("out") && !root.exists("out/swaps"));
    assert_eq!(root.link("out"), Reading::Known(outside.path().to_owned()));
    assert_eq!(root.read("in/swaps"), Reading::Known(b"x".to_vec()));
    assert_eq!(root.read("dangling").missing().unwrap().kind(), "absent");
    let live = Root { live: true, ..root };
    assert_eq!(live.read("out/swaps"), Reading::Known(b"x".to_vec()));
}

#[test]
fn the_head_of_something_that_stores_nothing_is_not_read() {
    let (dir, root) = tree();
    nix::unistd::mkfifo(&dir.path().join("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let reason = root.read_head("fifo", 8).missing().unwrap().to_string();
    assert!(reason.ends_with("/fifo: it is not a regular file, as required in a captured tree"));
    let reason = Root::live().read_head("dev/zero", 8).missing().unwrap().to_string();
    let expected = "reading /dev/zero: it is neither a regular file nor a block device";
    assert_eq!(reason, format!("{expected}"));
}

#[test]
fn a_record_longer_than_one_read_is_read_whole() {
    let (dir, root) = tree();
    for len in [0, 1, 8191, 8192, 8193, 20_000] {
        fs::write(dir.path().join("r"), vec![b'x'; len]).unwrap();
        assert_eq!(root.record("r").known().map(Vec::len), Some(len));
    }
}

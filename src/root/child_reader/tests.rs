#![allow(clippy::disallowed_methods, reason = "tests measure time and wait")]

use super::*;
use crate::root::testing::{TestTree, mangled};
use crate::root::{Trace, Traced};
use std::time::Instant;

const FOLDER: &str = "sys/block/zram0";
const FILES: [&str; 2] = ["mm_stat", "io_stat"];

pub(super) fn shell(script: &str) -> impl FnOnce(&[PathBuf]) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(script);
    |_| command
}

fn ask(root: &Root, deadline: Duration, script: &str) -> Vec<Reading<Vec<u8>>> {
    root.read_by_child(FOLDER, &FILES, deadline, shell(script))
}

/// Output of a child that reads one file and hangs in the next.
const ONE_ANSWER: &str = r"printf '+\003\000\000\000abc'";
const BOTH_ANSWERS: &str =
    r"printf '+\003\000\000\000abc'; printf '%s\004\000\000\000\002\000\000\000' -";

fn text(reading: &Reading<Vec<u8>>) -> String {
    reading.missing().unwrap().to_string()
}

#[test]
fn the_deadline_holds_and_no_second_child_is_started() {
    let tree = TestTree::new();
    let root = tree.live();
    let start = Instant::now();
    let first = ask(&root, SCREEN_TIMEOUT, "sleep 3");
    assert!(start.elapsed() >= SCREEN_TIMEOUT);
    assert!(start.elapsed() < Duration::from_millis(2500));
    let wanted = "failed: /sys/block/zram0/mm_stat did not answer within 50 ms; \
                  writeback or recompression is probably under way";
    assert_eq!(text(&first[0]), wanted);

    let marker = tree.path().join("marker");
    let again = Instant::now();
    let second = ask(&root, Duration::from_secs(9), &format!(": > {}", marker.display()));
    assert!(again.elapsed() < Duration::from_secs(2));
    assert!(text(&second[1]).contains("did not answer"));
    assert!(!marker.exists());

    // After the child has ended, the device is read again.
    while busy().contains(&root.full(Path::new(FOLDER))) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let third = ask(&root, Duration::from_secs(9), ONE_ANSWER);
    assert_eq!(third[0], Reading::Known(b"abc".to_vec()));
}

#[test]
fn answers_before_the_timeout_count() {
    let tree = TestTree::new();
    let readings =
        ask(&tree.live(), Duration::from_millis(1500), &format!("{ONE_ANSWER}; sleep 4"));
    assert_eq!(readings[0], Reading::Known(b"abc".to_vec()));
    assert!(text(&readings[1]).contains("did not answer"));
}

#[test]
fn the_trace_sees_what_the_child_read() {
    let tree = TestTree::new();
    let trace = Arc::new(Trace::default());
    let root = tree.live().traced(Arc::clone(&trace));
    let readings = ask(&root, Duration::from_secs(9), BOTH_ANSWERS);
    assert_eq!(readings[0], Reading::Known(b"abc".to_vec()));
    let none = "/sys/block/zram0/io_stat does not exist";
    assert_eq!(readings[1], Reading::absent(none));
    let seen = trace.take();
    let at = |file: &str| seen.get(&Path::new(FOLDER).join(file)).cloned();
    assert_eq!(at("mm_stat"), Some(Traced::Bytes(b"abc".to_vec())));
    assert_eq!(at("io_stat"), None);
}

#[test]
fn a_child_that_fails_gives_failed_readings() {
    for script in ["exit 1", "echo rubbish", r"printf '+\377\377\377\377'", "kill -9 $$"] {
        let tree = TestTree::new();
        let readings = ask(&tree.live(), Duration::from_secs(9), script);
        for reading in &readings {
            let text = text(reading);
            assert!(text.contains("the process that reads it"), "{script}: {text}");
        }
    }
    let tree = TestTree::new();
    let none = |_: &[PathBuf]| Command::new("/no/such/program");
    let readings = tree.live().read_by_child(FOLDER, &FILES, Duration::from_secs(9), none);
    assert_eq!(readings[0].missing().unwrap().kind(), "failed");
}

#[test]
fn only_live_kernels_that_can_hang_are_read_by_a_child() {
    let tree = TestTree::with(&[("sys/block/zram0/mm_stat", "1")]);
    assert!(!tree.live().may_hang(FOLDER));
    let readings = tree.live().read_zram_files(FOLDER, &FILES);
    assert_eq!(readings[0], Reading::Known(b"1".to_vec()));
    assert_eq!(readings[1].missing().unwrap().kind(), "absent");
    tree.write("sys/block/zram0/recomp_algorithm", "");
    assert!(tree.live().may_hang(FOLDER));
    tree.write("sys/block/zram0/max_comp_streams", "4");
    assert!(!tree.live().may_hang(FOLDER));
    tree.write("sys/block/zram0/compressed_writeback", "0");
    assert!(tree.live().may_hang(FOLDER));
    assert!(!tree.root().may_hang(FOLDER));
    let readings = tree.root().read_zram_files(FOLDER, &FILES);
    assert_eq!(readings[0], Reading::Known(b"1".to_vec()));
}

fn served(path: &str) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    serve([OsString::from(path)], &mut out).unwrap();
    read_record(&mut out.as_slice()).unwrap()
}

#[test]
fn only_files_of_zram_devices_are_served() {
    for bad in [
        "",
        "/etc/passwd",
        "/sys/block/zram0",
        "/sys/block/zram0/",
        "/sys/block/zram0/..",
        "/sys/block/zram0/../sda/size",
        "/sys/block/zram0/queue/rotational",
        "/sys/block/zram/mm_stat",
        "/sys/block/zramx/mm_stat",
        "sys/block/zram0/mm_stat",
    ] {
        let error = served(bad).unwrap_err();
        assert_eq!(error.to_string(), "not a file of a zram device", "{bad}");
    }
    let error = served("/sys/block/zram987654/mm_stat").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
}

#[test]
fn answers_survive_the_pipe_and_damaged_ones_do_no_harm() {
    let mut out = Vec::new();
    write_record(&mut out, &Ok(b"1 2\n\xff".to_vec())).unwrap();
    write_record(&mut out, &Ok(Vec::new())).unwrap();
    write_record(&mut out, &Err(io::Error::from_raw_os_error(13))).unwrap();
    let input = &mut out.as_slice();
    assert_eq!(read_record(input).unwrap().unwrap(), b"1 2\n\xff");
    assert_eq!(read_record(input).unwrap().unwrap(), b"");
    let denied = read_record(input).unwrap().unwrap_err();
    assert_eq!(denied.kind(), io::ErrorKind::PermissionDenied);
    mangled(&out, 2000, |bytes| {
        let mut input = bytes;
        while let Ok(answer) = read_record(&mut input) {
            assert!(answer.map_or(0, |found| found.len()) <= bytes.len());
        }
    });
}

#[test]
fn a_plan_waits_for_another_child_and_a_screen_does_not() {
    let tree = TestTree::new();
    let root = tree.live();
    let late = ask(&root, SCREEN_TIMEOUT, "sleep 0.5");
    assert!(text(&late[0]).contains("did not answer"));
    let start = Instant::now();
    root.wait_for_child(FOLDER);
    root.with_plan_timeout().with_screen_timeout().wait_for_child(FOLDER);
    assert!(start.elapsed() < SCREEN_TIMEOUT, "a screen does not wait");
    root.with_plan_timeout().wait_for_child(FOLDER);
    assert!(!busy().contains(&root.full(Path::new(FOLDER))));
}

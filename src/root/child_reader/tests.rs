#![allow(clippy::disallowed_methods, reason = "tests measure time and wait")]

use super::connection::{read_record, write_record};
use super::*;
use crate::root::testing::{TestTree, mangled};
use crate::root::{Trace, Traced};
use std::io::{PipeWriter, Read as _};
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

const FOLDER: &str = "sys/block/zram0";
const FILES: [&str; 2] = ["mm_stat", "io_stat"];

/// Short enough for tests, and longer than what a busy test machine needs.
const PATIENCE: Patience =
    Patience { blocked: Duration::from_millis(50), starved: Duration::from_secs(9) };

/// Functions for the script of a helper: `greet` says that it is ready, `take` waits for a request, `by` names the thread that reads, `file`
/// answers with three bytes, `none` with ENOENT.
const FUNCTIONS: &str = r#"
n=0
greet() { printf '\000\000\000\000+\000\000\000\000'; }
take() { read -r request || exit 0; n=$((n + 1)); }
by() { printf "\\00$n\\000\\000\\000+\\00${#1}\\000\\000\\000$1"; }
file() { printf "\\00$n\\000\\000\\000+\\003\\000\\000\\000$1"; }
none() { printf "\\00$n\\000\\000\\000-\\004\\000\\000\\000\\002\\000\\000\\000"; }
"#;

/// A thread that does not exist: without a state it is taken for blocked.
const BLOCKED: &str = "by 4000000";

/// A reader with a helper for each of these scripts, one after the other; the last one is repeated.
fn reader(scripts: &[&str]) -> (Arc<ChildReader>, Arc<AtomicUsize>) {
    let scripts: Vec<String> =
        scripts.iter().map(|script| format!("{FUNCTIONS}{script}")).collect();
    let started = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&started);
    let command = move || {
        let place = count.fetch_add(1, Ordering::Relaxed).min(scripts.len() - 1);
        let mut command = Command::new("sh");
        command.arg("-c").arg(&scripts[place]);
        command
    };
    (Arc::new(ChildReader::new(command)), started)
}

/// A machine on which reads can block, with this helper.
fn machine(scripts: &[&str]) -> (TestTree, Root, Arc<AtomicUsize>) {
    let tree = TestTree::with(&[("sys/block/zram0/compressed_writeback", "0")]);
    tree.write("sys/block/zram1/compressed_writeback", "0");
    let (reader, started) = reader(scripts);
    let root = tree.live().with_patience(PATIENCE).with_child_reader(reader);
    (tree, root, started)
}

fn words(readings: &[Reading<Vec<u8>>]) -> Vec<String> {
    let word = |reading: &Reading<Vec<u8>>| match reading {
        Reading::Known(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Reading::Missing { missing } => missing.to_string(),
    };
    readings.iter().map(word).collect()
}

fn ask(root: &Root) -> Vec<String> {
    words(&root.read_zram_files(FOLDER, &FILES))
}

const BLOCKED_READ: &str = "did not answer within 50 ms: the kernel blocks the read";

#[test]
fn a_slow_helper_is_waited_for() {
    let slow = "sleep 0.3; greet; take; sleep 0.3; by $$; sleep 0.3; file abc; sleep 0.3; file def
        take; by $$; file ghi; file jkl; take";
    let (_tree, root, started) = machine(&[slow]);
    assert_eq!(ask(&root), ["abc", "def"]);
    assert_eq!(ask(&root), ["ghi", "jkl"]);
    assert_eq!(started.load(Ordering::Relaxed), 1, "the helper stays");
}

#[test]
fn the_start_of_the_helper_sets_the_pace() {
    let slow = "sleep 0.3; greet; take; by 4000000; sleep 0.5; file abc; file def; take";
    let (_tree, root, _) = machine(&[slow]);
    assert_eq!(ask(&root), ["abc", "def"], "50 ms are too short on this machine");
}

#[test]
fn a_blocked_read_is_given_up_soon_and_delays_no_other_device() {
    let script =
        format!("greet; take; {BLOCKED}; file abc; take; by $$; file ghi; file jkl; sleep 4");
    let (_tree, root, started) = machine(&[&script]);
    let start = Instant::now();
    let first = ask(&root);
    assert_eq!(first[0], "abc", "answers before the timeout count");
    assert!(first[1].contains("/sys/block/zram0/io_stat"), "{first:?}");
    assert!(first[1].contains(BLOCKED_READ), "{first:?}");
    let second = ask(&root);
    assert!(second[0].contains(BLOCKED_READ), "{second:?}");
    let other = words(&root.read_zram_files("sys/block/zram1", &FILES));
    assert_eq!(other, ["ghi", "jkl"]);
    assert!(start.elapsed() < PATIENCE.starved);
    assert_eq!(started.load(Ordering::Relaxed), 1);
}

#[test]
fn a_device_is_read_again_after_it_was_blocked() {
    let script = format!(
        "greet; take; {BLOCKED}; sleep 0.4; file abc; file def
        take; by $$; file ghi; file jkl; take"
    );
    let (_tree, root, started) = machine(&[&script]);
    assert!(ask(&root)[0].contains(BLOCKED_READ));
    let later = std::iter::repeat_with(|| {
        std::thread::sleep(Duration::from_millis(50));
        ask(&root)
    });
    let answer = later.take(180).find(|answer| !answer[0].contains(BLOCKED_READ));
    assert_eq!(answer.unwrap(), ["ghi", "jkl"], "a late answer belongs to the past");
    assert_eq!(started.load(Ordering::Relaxed), 1);
}

#[test]
fn a_helper_that_dies_is_replaced() {
    let good = "greet; take; by $$; file abc; none; take; by $$; file def; none; take";
    for bad in ["exit 1", "greet; take; exit 1", "greet; take; kill -9 $$", "greet; kill -STOP $$"]
    {
        let (_tree, root, started) = machine(&[bad, good]);
        assert_eq!(ask(&root)[0], "abc", "{bad}");
        assert_eq!(ask(&root)[0], "def", "{bad}");
        assert_eq!(started.load(Ordering::Relaxed), 2, "{bad}");
    }
}

#[test]
fn a_helper_that_always_fails_gives_failed_readings() {
    let bad = [
        "exit 1",
        "echo rubbish that is long enough for a record",
        r"printf '\000\000\000\000+\377\377\377\377'",
        "greet; take; file abc; file def; sleep 9",
        "greet; take; by $$; n=5; file abc; sleep 9",
        "greet; take; by $$; file abc; file def; file ghi; exit 1",
        "greet; kill -STOP $$",
    ];
    for script in bad {
        let (_tree, root, started) = machine(&[script]);
        let readings = root.read_zram_files(FOLDER, &FILES);
        if script.contains("ghi") {
            assert_eq!(words(&readings), ["abc", "def"]);
            continue;
        }
        let text = &words(&readings)[1];
        assert!(text.contains("the process that reads it: "), "{script}: {text}");
        assert_eq!(readings[1].missing().unwrap().kind(), "failed");
        assert_eq!(started.load(Ordering::Relaxed), 2, "{script}");
    }
    let none = ChildReader::new(|| Command::new("/no/such/program"));
    let answers = none.read(&["/sys/block/zram0/mm_stat".into()], PATIENCE);
    assert!(answers[0].as_ref().unwrap_err().to_string().contains("the process that reads it"));
}

#[test]
fn a_helper_that_hangs_costs_the_full_patience_once() {
    let (_tree, root, started) = machine(&["sleep 9"]);
    let most = Duration::from_millis(600);
    let root = root.with_patience(Patience { starved: most, ..PATIENCE });
    let start = Instant::now();
    assert!(ask(&root)[0].contains("too busy to run the process that reads it"));
    assert!(start.elapsed() >= most);
    let again = Instant::now();
    assert!(ask(&root)[1].contains("too busy"));
    assert!(again.elapsed() < most);
    assert_eq!(started.load(Ordering::Relaxed), 1);
}

#[test]
fn a_dead_disk_keeps_no_other_from_being_read() {
    let script = format!("greet; take; {BLOCKED}; take; by $$; file abc; take");
    let (_tree, root, _) = machine(&[&script]);
    let head = |name: &str| words(&[root.read_device_head(Path::new(name))]).remove(0);
    let dead = head("/dev/sda");
    assert!(dead.contains("/dev/sda did not answer"), "{dead}");
    assert_eq!(head("/dev/sdb"), "abc");
}

#[test]
fn callers_take_turns() {
    let script =
        "greet; for i in 1 2 3 4 5 6; do take; by $$; sleep 0.05; file abc; file def; done; take";
    let (_tree, root, _) = machine(&[script]);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| assert_eq!(ask(&root), ["abc", "def"]));
        }
    });
}

#[test]
fn the_trace_sees_what_the_helper_read() {
    let (_tree, root, _) = machine(&["greet; take; by $$; file abc; none; take"]);
    let trace = Arc::new(Trace::default());
    let root = root.traced(Arc::clone(&trace));
    assert_eq!(ask(&root), ["abc", "/sys/block/zram0/io_stat does not exist"]);
    let seen = trace.take();
    let at = |file: &str| seen.get(&Path::new(FOLDER).join(file)).cloned();
    assert_eq!(at("mm_stat"), Some(Traced::Bytes(b"abc".to_vec())));
    assert_eq!(at("io_stat"), None);
}

#[test]
fn only_live_kernels_that_can_hang_are_read_by_a_helper() {
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

/// The answers of the helper to this request, without its greeting and thread.
fn served(request: &str) -> Vec<io::Result<Vec<u8>>> {
    let (mut reader, writer): (_, PipeWriter) = io::pipe().unwrap();
    connection::serve(request.as_bytes(), writer).unwrap();
    let mut answers = Vec::new();
    let mut number = [0; 4];
    while reader.read_exact(&mut number).is_ok() {
        let answer = read_record(&mut reader).unwrap();
        answers.push((u32::from_le_bytes(number), answer));
    }
    let greeting = answers.remove(0);
    assert_eq!((greeting.0, greeting.1.unwrap()), (0, Vec::new()));
    let thread = answers.remove(0);
    assert!(thread.0 == 7 && !thread.1.unwrap().is_empty());
    answers.into_iter().map(|(_, answer)| answer).collect()
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
        let answers = served(&format!("7\t{bad}\n"));
        let error = answers[0].as_ref().unwrap_err();
        assert_eq!(
            error.to_string(),
            "neither a file of a zram device nor a block device",
            "{bad}"
        );
    }
    let answers = served("7\t/sys/block/zram987654/mm_stat\t/etc/passwd");
    assert_eq!(answers[0].as_ref().unwrap_err().kind(), io::ErrorKind::NotFound);
    assert_eq!(answers.len(), 2);
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
fn settings_of_a_device_that_can_block_are_read_by_the_helper() {
    let (tree, root, started) = machine(&["exit"]);
    tree.write("sys/block/zram0/writeback_limit_enable", "1\n");
    tree.write("proc/sys/vm/swappiness", "60\n");
    let setting = |root: &Root, file: &str| root.setting(&file.into()).known().cloned();
    assert_eq!(setting(&root, "/proc/sys/vm/swappiness"), Some("60".to_owned()));
    assert_eq!(started.load(Ordering::Relaxed), 0);
    let limit = "/sys/block/zram0/writeback_limit_enable";
    assert_eq!(setting(&root, limit), None, "the helper ends at once");
    assert_eq!(setting(&tree.root(), limit), Some("1".to_owned()), "a captured machine");
}

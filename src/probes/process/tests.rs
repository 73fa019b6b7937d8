#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::*;
use crate::model::Bytes;
use crate::root::testing::TestTree;

const STATUS: &str = "Name:\ta\\\\b\\nc d\nUmask:\t0022\nState:\tS (sleeping)\nPid:\t7\nPPid:\t1\n\
    TracerPid:\t0\nUid:\t1000\t33\t1000\t1000\nGroups:\t \nVmRSS:\t   60844 kB\n\
    RssShmem:\t    1196 kB\nVmSwap:\t  268120 kB\nThreads:\t1\n";
const KTHREAD: &str = "Name:\tkswapd0\nState:\tS (sleeping)\nPPid:\t2\nUid:\t0\t0\t0\t0\n\
    Kthread:\t1\nThreads:\t1\nVmSwap:\t9 kB\n";
const STAT: &str = "7 (a) b (c) S 1 7 7 0 -1 4194304 66146 11 22 33 28 713 0 0\n";

fn tree(files: &[(&str, &[u8])]) -> (TestTree, Root) {
    let tree = TestTree::with(files);
    let root = tree.root();
    (tree, root)
}

fn known(files: &[(&str, &[u8])], parts: &[Part]) -> ProcessTable {
    let (_dir, root) = tree(files);
    read(&root, PartSet::from_parts(parts)).into_result().unwrap()
}

#[test]
fn the_fields_of_a_process() {
    let process = parse_status(7, STATUS.as_bytes()).unwrap();
    assert_eq!((process.pid, process.ppid, process.uid), (7, 1, 33));
    assert_eq!(process.comm, Name::from("a\\b\nc d"));
    assert_eq!(process.swap, Reading::Known(Bytes::from_kib(268_120)));
    assert_eq!(process.rss, Reading::Known(Bytes::from_kib(60_844)));
    assert_eq!(process.shmem, Reading::Known(Bytes::from_kib(1196)));
    assert_eq!(process.command, Reading::not_sampled());
}

#[test]
fn a_kernel_thread_a_zombie_and_an_old_kernel_each_have_their_reason() {
    let why = |text: &str| {
        let process = parse_status(2, text.as_bytes()).unwrap();
        process.swap.missing().unwrap().to_string()
    };
    assert!(why(KTHREAD).contains("kernel thread"), "and stops at Threads");
    let zombie = KTHREAD.replace("S (sleeping)", "Z (zombie)");
    assert!(why(&zombie).contains("has ended"));
    let old = STATUS.replace("VmSwap:\t  268120 kB\n", "");
    assert!(why(&old).contains("on this kernel"));
}

#[test]
fn a_process_whose_main_thread_has_ended_is_read_from_another_thread() {
    let ended = "Name:\tx\nState:\tZ (zombie)\nPPid:\t1\nUid:\t0\t0\t0\t0\nThreads:\t3\n";
    let ended = ended.as_bytes();
    let main: [(&str, &[u8]); 5] = [
        ("proc/7/status", ended),
        // Version 1 moves a thread that ends to the root.
        ("proc/7/cgroup", b"4:memory:/\n"),
        ("proc/7/cmdline", b""),
        ("proc/7/task/7/status", ended),
        ("proc/7/task/8/status", ended),
    ];
    let other: [(&str, &[u8]); 4] = [
        ("proc/7/task/9/cgroup", b"4:memory:/a\n"),
        ("proc/7/task/9/status", STATUS.as_bytes()),
        ("proc/7/task/9/cmdline", b"/bin/x\0"),
        ("proc/7/task/9/smaps_rollup", b"Swap:  8 kB\nSwapPss: 4 kB\n"),
    ];
    let parts = [Part::ProcessDetail, Part::ProcessPss];
    let table = known(&[&main[..], &other].concat(), &parts);
    let process = &table.processes[0];
    assert_eq!((process.pid, &process.comm, table.unreadable), (7, &Name::from("x"), 0));
    assert_eq!(process.swap, Reading::Known(Bytes::from_kib(268_120)));
    assert_eq!(process.command, Reading::Known(Name::from("/bin/x")));
    assert_eq!(process.cgroup, Reading::Known(Name::from("/a")));
    assert_eq!(process.swap_pss, Reading::Known(Bytes::from_kib(4)));
    let table = known(&main, &parts);
    let why = table.processes[0].swap.missing().unwrap().why();
    assert!(why.contains("main thread has ended") && table.unreadable == 1, "{why}");
    let ending: (_, &[u8]) =
        ("proc/7/task/9/status", b"State:\tX\nPPid:\t1\nUid:\t0\t0\nThreads:\t1\n");
    let table = known(&[&main[..], &[ending]].concat(), &parts);
    let kind = table.processes[0].swap.missing().unwrap().kind();
    assert_eq!((kind, table.unreadable), ("absent", 0), "the whole process is ending");
}

#[test]
fn processes_are_sorted_by_pid_and_those_without_owner_counted() {
    let table = known(
        &[
            ("proc/10/status", STATUS.as_bytes()),
            ("proc/9/status", KTHREAD.as_bytes()),
            ("proc/8/status", b""),
            ("proc/7/status", b"Name:\tx\nPPid:\t99999999999999999999\nUid:\t0\t0\n"),
            ("proc/6/cmdline", b"gone"),
            ("proc/99999999999/status", STATUS.as_bytes()),
            ("proc/self/status", STATUS.as_bytes()),
        ],
        &[Part::Processes],
    );
    let pids: Vec<u32> = table.processes.iter().map(|p| p.pid).collect();
    assert_eq!(pids, [9, 10]);
    assert_eq!(table.unreadable, 2, "without a status file it has ended");
    assert_eq!(table.users.missing().unwrap().kind(), "absent");
}

#[test]
fn names_of_owners_come_from_passwd_and_the_first_counts() {
    let passwd = b"root:x:0:0::/:\nweb:x:33:33::/:\nalias:x:33:0::/:\nbad\n:x:0:\nother:x:5:5\n";
    let table = known(
        &[
            ("proc/10/status", STATUS.as_bytes()),
            ("proc/9/status", KTHREAD.as_bytes()),
            ("etc/passwd", passwd),
        ],
        &[Part::Processes],
    );
    let expected = vec![(0, Name::from("root")), (33, Name::from("web"))];
    assert_eq!(table.users, Reading::Known(expected));
}

#[test]
fn the_swap_in_use_is_read_with_the_processes() {
    let meminfo = b"SwapCached: 1 kB\nSwapTotal: 8 kB\nSwapFree: 2 kB\n";
    let meminfo = ("proc/meminfo", meminfo.as_slice());
    let table = known(&[("proc/7/status", STATUS.as_bytes()), meminfo], &[]);
    assert_eq!(table.swap_used, Reading::Known(Bytes::from_kib(6)));
    assert_eq!(table.swap_cached, Reading::Known(Bytes::from_kib(1)));
}

#[test]
fn detail_is_for_those_with_swap_unless_all_are_asked_for() {
    let files: &[(&str, &[u8])] = &[
        ("proc/7/status", STATUS.as_bytes()),
        ("proc/7/stat", STAT.as_bytes()),
        ("proc/7/cgroup", b"9:name=systemd:/s\n4:cpu,memory:/m:x\n0::/u\n"),
        ("proc/7/cmdline", b"/bin/x\0--a b\0\0"),
        ("proc/7/smaps_rollup", b"0-1 ---p [rollup]\nRss: 1 kB\nSwap:  8 kB\nSwapPss: 4 kB\n"),
        ("proc/9/status", KTHREAD.as_bytes()),
        ("proc/9/cmdline", b""),
    ];
    let few = known(files, &[Part::ProcessDetail, Part::ProcessPss]);
    let process = &few.processes[0];
    assert_eq!(process.major_faults, Reading::Known(22));
    assert_eq!(process.cgroup, Reading::Known(Name::from("/m:x")));
    assert_eq!(process.command, Reading::Known(Name::from("/bin/x --a b")));
    assert_eq!(process.swap_mapped, Reading::Known(Bytes::from_kib(8)));
    assert_eq!(process.swap_pss, Reading::Known(Bytes::from_kib(4)));
    assert_eq!(few.processes[1].command, Reading::not_sampled());

    let all = known(files, &[Part::ProcessDetail, Part::ProcessAll]);
    let thread = &all.processes[1];
    assert_eq!(thread.command.missing().unwrap().kind(), "absent");
    assert_eq!(thread.major_faults.missing().unwrap().kind(), "absent");
    assert_eq!(all.processes[0].swap_pss, Reading::not_sampled());
}

#[test]
fn faults_are_counted_from_the_last_parenthesis() {
    assert_eq!(detail::parse_faults(STAT.as_bytes()), Some(22));
    for bad in [&b""[..], b"7 (a", b"7 (a)", b"7 (a) S 1 2", b")))", b"7 (a) S 1 2 3 4 5 6 7 8 x"] {
        assert_eq!(detail::parse_faults(bad), None, "{bad:?}");
    }
}

#[test]
fn version_2_counts_when_no_version_1_line_has_the_controller() {
    let text = b"2:cpu:/c\nbad\n0::/u v\n1:memoryx:/no\n";
    assert_eq!(detail::parse_cgroup(text), Some(&b"/u v"[..]));
    assert_eq!(detail::parse_cgroup(b"1:cpu:/c\n0:"), None);
}

#[test]
fn a_rollup_without_the_line_or_a_number_is_missing() {
    let kind = |text: &[u8]| detail::field(text, "Swap:").missing().unwrap().kind();
    assert_eq!(kind(b""), "absent");
    assert_eq!(kind(b"SwapPss: 3 kB\n"), "absent");
    assert_eq!(kind(b"Swap: x\n"), "failed");
    assert_eq!(kind(b"Swap:"), "failed");
}

#[test]
fn a_list_of_mappings_that_is_cut_has_no_figures() {
    let (dir, root) = tree(&[("proc/7/smaps", b"1000-2000 rw-p 0 00:00 0\nSwap: 4 kB\n")]);
    assert!(mappings::read(&root, "proc/7").known().is_some());
    let file = std::fs::File::options().write(true).open(dir.path().join("proc/7/smaps"));
    file.unwrap().set_len(200 << 20).unwrap();
    let why = mappings::read(&root, "proc/7").missing().unwrap().why();
    assert!(why.contains("too many mappings"), "{why}");
}

#[test]
fn a_proc_that_is_not_mounted_is_absent() {
    let (_dir, root) = tree(&[("proc/x", b"")]);
    assert_eq!(read(&root, PartSet::NONE).missing().unwrap().kind(), "absent");
}

#[test]
fn mangled_status_files_never_panic() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..20_000 {
        let mut bytes = STATUS.as_bytes().to_vec();
        for _ in 0..4 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let place = usize::try_from(seed >> 33).unwrap() % bytes.len();
            match seed % 3 {
                0 => bytes.truncate(place.max(1)),
                1 => bytes[place] = seed.to_le_bytes()[6],
                _ => bytes.insert(place, seed.to_le_bytes()[5]),
            }
        }
        let _ = parse_status(7, &bytes);
        let _ = detail::parse_faults(&bytes);
        let _ = detail::parse_cgroup(&bytes);
    }
}

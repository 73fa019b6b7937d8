#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::group::parse_limit;
use super::*;
use crate::model::Bytes;
use crate::model::users::Limit;
use crate::root::testing::TestTree;
use std::fs;

const V1: &[u8] = b"c /cg cgroup2 rw 0 0\nc /cg/m\\040x cgroup rw,memory 0 0\n";
const V2: &[u8] = b"c /cg cgroup2 rw 0 0\nc /v1/cpu cgroup rw,cpu 0 0\n";

fn tree(files: &[(&str, &[u8])]) -> (TestTree, Root) {
    let tree = TestTree::with(files);
    let root = tree.root();
    (tree, root)
}

fn groups(files: &[(&str, &[u8])]) -> Box<[Shared<Cgroup>]> {
    let (_dir, root) = tree(files);
    read(&root).into_result().unwrap().groups
}

fn kind<T>(reading: &Reading<T>) -> &'static str {
    reading.missing().unwrap().kind()
}

#[test]
fn version_1_wins_and_swap_comes_from_its_statistics() {
    let (_dir, root) = tree(&[
        ("proc/mounts", V1),
        ("cg/m x/memory.stat", b"swap 5\ntotal_swap 4096\n"),
        ("cg/m x/memory.limit_in_bytes", b"9223372036854771712\n"),
        ("cg/m x/memory.memsw.usage_in_bytes", b"8192\n"),
        ("cg/m x/memory.max_usage_in_bytes", b"12288\n"),
        ("cg/m x/memory.memsw.max_usage_in_bytes", b"16384\n"),
        ("cg/m x/memory.memsw.failcnt", b"3\n"),
        ("cg/m x/memory.swappiness", b"60\n"),
        ("cg/m x/a/memory.stat", b"swap 7\n"),
    ]);
    let tree = read(&root).into_result().unwrap();
    assert_eq!(tree.version, CgroupVersion::V1);
    assert_eq!(tree.mount, Name::from("/cg/m x"));
    let top = &tree.groups[0];
    assert_eq!(top.swap_current, Reading::Known(Bytes(4096)));
    assert_eq!(top.memory_max, Reading::Known(Limit::Unlimited));
    assert_eq!(top.memsw_current, Reading::Known(Bytes(8192)));
    assert_eq!(top.memory_peak, Reading::Known(Bytes(12288)));
    assert_eq!(top.memsw_peak, Reading::Known(Bytes(16384)));
    assert_eq!(top.memsw_failcnt, Reading::Known(3));
    assert_eq!(top.swappiness, Reading::Known(60));
    assert_eq!(kind(&top.swap_max), "absent");
    assert_eq!(tree.groups[1].swap_current, Reading::Known(Bytes(7)));
}

#[test]
fn version_2_has_files_of_its_own() {
    let groups = groups(&[
        ("proc/mounts", V2),
        ("cg/cgroup.controllers", b"cpu memory pids\n"),
        ("cg/memory.stat", b"anon 1\n"),
        ("cg/a/memory.current", b"100\n"),
        ("cg/a/memory.peak", b"200\n"),
        ("cg/a/memory.max", b"max\n"),
        ("cg/a/memory.swap.current", b"0\n"),
        ("cg/a/memory.swap.max", b"4096\n"),
        ("cg/a/memory.swap.events", b"high 0\nmax 2\nfail 3\n"),
        ("cg/a/memory.zswap.writeback", b"1\n"),
        ("cg/a/memory.pressure", b"some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n"),
        ("cg/a.b/cgroup.procs", b""),
        ("cg/a/b/memory.current", b"1\n"),
    ]);
    let paths: Vec<String> = groups.iter().map(|group| group.path.exact()).collect();
    assert_eq!(paths, ["/", "/a", "/a/b", "/a.b"]);
    let a = &groups[1];
    assert_eq!(a.memory_max, Reading::Known(Limit::Unlimited));
    assert_eq!(a.memory_peak, Reading::Known(Bytes(200)));
    assert_eq!(kind(&a.memsw_peak), "absent");
    assert_eq!(a.swap_current, Reading::Known(Bytes(0)));
    assert_eq!(a.swap_max, Reading::Known(Limit::Bytes(Bytes(4096))));
    assert_eq!(a.swap_events.known().unwrap().get("fail"), Reading::Known(3));
    assert_eq!(a.zswap_writeback, Reading::Known(true));
    assert_eq!(a.pressure.known().unwrap().some.known().unwrap().total_us, 5);
    let why = |reading: &Reading<Bytes>| reading.missing().unwrap().to_string();
    assert!(why(&groups[0].memory_current).contains("the root cgroup"));
    assert!(why(&a.swap_peak).contains("has no memory.swap.peak"));
    assert!(why(&groups[3].memory_current).contains("controller is disabled"));
}

#[test]
fn version_2_without_the_controller_is_absent() {
    let (_dir, root) = tree(&[("proc/mounts", V2), ("cg/cgroup.controllers", b"cpu\n")]);
    assert_eq!(kind(&read(&root)), "absent");
    let (_dir, root) = tree(&[("proc/self/mounts", b"t /tmp tmpfs rw 0 0\n")]);
    assert_eq!(kind(&read(&root)), "absent");
    let found = groups(&[("proc/mounts", V2), ("cg/x/memory.swap.current", b"1\n")]);
    assert_eq!(found.len(), 2);
}

/// Without a table of mounts, or without the files of a mount in it, there may be cgroups all the same.
#[test]
fn cgroups_that_cannot_be_found_are_not_absent() {
    let kind = |files: &[(&str, &[u8])]| kind(&read(&tree(files).1));
    assert_eq!(kind(&[]), "failed");
    assert_eq!(kind(&[("proc/mounts", b"")]), "failed");
    assert_eq!(kind(&[("proc/mounts", b"garbage\n")]), "failed");
    assert_eq!(kind(&[("proc/mounts", V1)]), "failed");
    assert_eq!(kind(&[("proc/mounts", V2)]), "failed");
}

#[test]
fn limits_are_numbers_or_none() {
    assert_eq!(parse_limit(b"max"), Some(Limit::Unlimited));
    assert_eq!(parse_limit(b"18446744073709551615"), Some(Limit::Unlimited));
    assert_eq!(parse_limit(b"0"), Some(Limit::Bytes(Bytes(0))));
    for bad in [&b""[..], b"-1", b"maximum", b"18446744073709551616", b"1 2"] {
        assert_eq!(parse_limit(bad), None, "{bad:?}");
    }
}

#[test]
fn hostile_files_fail_alone() {
    for bad in [&b""[..], b"\xff\0", b"99999999999999999999\n", b"x y z\n"] {
        let groups = groups(&[
            ("proc/mounts", V2),
            ("cg/cgroup.controllers", b"memory"),
            ("cg/a/memory.current", bad),
            ("cg/a/memory.max", bad),
            ("cg/a/memory.stat", bad),
            ("cg/a/memory.zswap.writeback", bad),
            ("cg/a/memory.swap.current", b"7"),
        ]);
        let group = &groups[1];
        assert_eq!(kind(&group.memory_current), "failed");
        assert_eq!(kind(&group.memory_max), "failed");
        assert_eq!(kind(&group.stat), "failed");
        assert_eq!(kind(&group.zswap_writeback), "failed");
        assert_eq!(group.swap_current, Reading::Known(Bytes(7)));
    }
}

#[test]
fn links_are_not_followed_and_names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let (dir, root) = tree(&[("proc/mounts", V2), ("cg/cgroup.controllers", b"memory")]);
    let cg = dir.path().join("cg");
    std::os::unix::fs::symlink(".", cg.join("loop")).unwrap();
    let odd = cg.join(std::ffi::OsStr::from_bytes(b"a\xff"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join("memory.stat"), b"anon 1\n").unwrap();
    let groups = read(&root).into_result().unwrap().groups;
    assert_eq!(groups.len(), 2);
    assert_eq!(groups[1].path.as_bytes(), b"/a\xff");
    assert!(groups[1].stat.known().is_some());
}

#[test]
fn a_very_deep_tree_is_cut_and_what_is_left_out_is_counted() {
    let (dir, root) = tree(&[("proc/mounts", V2), ("cg/cgroup.controllers", b"memory")]);
    fs::create_dir_all(dir.path().join("cg").join("d/".repeat(DEEPEST + 5))).unwrap();
    let tree = read(&root).into_result().unwrap();
    assert_eq!(tree.groups.len(), DEEPEST + 1);
    assert_eq!(tree.left_out, 1);
}

#[test]
fn a_very_wide_tree_is_cut_and_what_is_left_out_is_counted() {
    let (dir, root) = tree(&[("cg/x", b"")]);
    for number in 0..12 {
        fs::create_dir(dir.path().join(format!("cg/{number}"))).unwrap();
    }
    let found = folders(&root, Path::new("/cg"), 10).into_result().unwrap();
    assert_eq!(found.folders.len(), 10);
    assert_eq!(found.left_out, 3);
}

#[test]
fn kills_are_counted_where_each_version_has_them() {
    let counts = |mounts: &[u8], folder: &str, file: &str| {
        let (top, below) = (format!("{folder}/{file}"), format!("{folder}/a/{file}"));
        let controllers = format!("{folder}/cgroup.controllers");
        let (_dir, root) = tree(&[
            ("proc/mounts", mounts),
            ("proc/vmstat", b"oom_kill 7\n"),
            (&controllers, b"memory\n"),
            (&top, b"oom_kill_disable 0\n"),
            (&below, b"under_oom 0\noom_kill 3\n"),
        ]);
        let kills = oom_kills(&root);
        let cgroups = kills.cgroups.into_result().unwrap();
        (kills.machine.known().copied(), cgroups.version, cgroups.counts.into_iter().collect())
    };
    let of_a = || -> Vec<(Name, u64)> { vec![("/a".into(), 3)] };
    let first = counts(V1, "cg/m x", "memory.oom_control");
    assert_eq!(first, (Some(7), CgroupVersion::V1, of_a()));
    let second = counts(V2, "cg", "memory.events");
    assert_eq!(second, (Some(7), CgroupVersion::V2, of_a()));
    let other = counts(V2, "cg", "memory.oom_control");
    assert_eq!(other, (Some(7), CgroupVersion::V2, Vec::new()));
}

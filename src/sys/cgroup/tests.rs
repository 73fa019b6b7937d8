#![allow(clippy::disallowed_methods, reason = "the tests look by themselves")]

use super::*;
use crate::model::users::CgroupVersion;
use crate::root::testing::TestTree;

const NAME: &str = "swapadm-lab.8388608.77";
const MOUNTS: &str = "35 31 0:32 / /cg rw - cgroup cgroup rw,memory\n";

/// A machine with version 1, which creates no files in new folders.
fn machine() -> TestTree {
    let tree =
        TestTree::with(&[("proc/self/mountinfo", MOUNTS), ("proc/self/cgroup", "4:memory:/\n")]);
    tree.write("cg/cgroup.procs", "");
    tree
}

#[test]
fn cgroups_are_made_only_live_and_with_own_names() {
    let tree = machine();
    let make = |root: &Root, name| WorkloadCgroup::make(root, name, Bytes(1 << 20)).unwrap_err();
    assert_eq!(make(&tree.root(), NAME), CgroupError::Captured);
    assert_eq!(make(&tree.live(), "../etc"), CgroupError::Name("../etc".to_owned()));
    assert!(orphans(&tree.root()).is_empty());
}

#[test]
fn cgroup_without_limit_support_is_removed() {
    let tree = machine();
    let refused = WorkloadCgroup::make(&tree.live(), NAME, Bytes(1 << 20)).unwrap_err();
    assert!(matches!(refused, CgroupError::Limit { .. }), "{refused}");
    let text = refused.to_string();
    assert!(text.contains(&format!("/cg/{NAME}/memory.limit_in_bytes")), "{text}");
    assert!(text.contains("1048576"), "{text}");
    assert!(!tree.path().join("cg").join(NAME).exists());
}

#[test]
fn existing_cgroup_is_kept() {
    let tree = machine();
    tree.write(&format!("cg/{NAME}/memory.limit_in_bytes"), "5\n");
    let refused = WorkloadCgroup::make(&tree.live(), NAME, Bytes(1 << 20)).unwrap_err();
    assert_eq!(refused, CgroupError::Exists(format!("/cg/{NAME}")));
    assert!(tree.path().join("cg").join(NAME).exists());
}

/// A cgroup with plain files instead of kernel files.
fn fake_cgroup(tree: &TestTree, version: CgroupVersion) -> WorkloadCgroup {
    let group = CgroupDir { root: tree.live(), version, folder: "/cg".into() };
    WorkloadCgroup { group, taken_down: true }
}

#[test]
fn figures_come_from_the_files_of_each_version() {
    let tree = TestTree::with(&[
        ("cg/memory.usage_in_bytes", "10\n"),
        ("cg/memory.max_usage_in_bytes", "11\n"),
        ("cg/memory.limit_in_bytes", "12\n"),
        ("cg/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"),
    ]);
    let first = fake_cgroup(&tree, CgroupVersion::V1);
    let figures = [first.memory(), first.peak(), first.limit()];
    assert_eq!(figures, [10, 11, 12].map(|bytes| Some(Bytes(bytes))));
    assert_eq!((first.oom_kills(), first.ooms()), (Some(2), None));
    let second = fake_cgroup(&tree, CgroupVersion::V2);
    assert_eq!([second.memory(), second.peak(), second.limit()], [None; 3]);
    assert_eq!(second.oom_kills(), None, "what is missing is not zero");
    tree.write("cg/memory.current", "20\n");
    tree.write("cg/memory.max", "max\n");
    tree.write("cg/memory.events", "low 0\noom 1\noom_kill 0\n");
    assert_eq!([second.memory(), second.limit()], [Some(Bytes(20)), None]);
    assert_eq!((second.oom_kills(), second.ooms()), (Some(0), Some(1)));
}

#[test]
fn changed_limit_is_reported() {
    let tree = machine();
    tree.write("cg/memory.max", "");
    let second = fake_cgroup(&tree, CgroupVersion::V2);
    second.write_limit(Path::new("/cg/memory.max"), Bytes(1 << 30)).unwrap();
    tree.write("cg/full", "9999999999\n");
    let file = Path::new("/cg/full");
    let told = second.write_limit(file, Bytes(1 << 20)).unwrap_err().to_string();
    assert!(told.contains("cannot set /cg/full to 1048576 bytes"), "{told}");
}

#[test]
fn own_and_writer_process_stay_out() {
    let tree = machine();
    let group = fake_cgroup(&tree, CgroupVersion::V2);
    let us = i32::try_from(std::process::id()).unwrap();
    for pid in [us, 0, -1] {
        let refused = CgroupError::NotPut { pid, folder: "/cg".to_owned(), errno: Errno::EINVAL };
        assert_eq!(group.add_process(pid), Err(refused));
    }
    group.add_process(8_388_608).unwrap();
    assert_eq!(group.group.pids(), [8_388_608]);
}

#[test]
fn orphans_are_own_cgroups_without_a_running_owner() {
    let tree = machine();
    let running = OwnerProcess::current(&Root::live()).into_result().unwrap().to_string();
    let own = std::process::id();
    let stat = std::fs::read(format!("/proc/{own}/stat")).unwrap();
    tree.write(&format!("proc/{own}/stat"), stat);
    for name in [NAME, running.as_str(), "swapadm-lab.8388608.x", "swapadm-lab", "docker"] {
        tree.folder(&format!("cg/{name}"));
    }
    tree.folder(&format!("cg/docker/{NAME}"));
    // An owner outside our container: its processes have no PID here.
    tree.write("cg/swapadm-lab.8388609.5/cgroup.procs", "0\n");
    let found = orphans(&tree.live());
    let paths: Vec<String> = found.iter().map(Orphan::path).collect();
    assert_eq!(paths, [format!("/cg/{NAME}")]);
    for orphan in found {
        orphan.remove().unwrap();
    }
    assert!(!tree.path().join("cg").join(NAME).exists());
    assert!(tree.path().join("cg").join(running).exists());
}

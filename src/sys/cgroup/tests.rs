#![allow(clippy::disallowed_methods, reason = "the tests look by themselves")]

use super::*;
use crate::model::users::CgroupVersion;
use crate::root::testing::Tree;

const NAME: &str = "swapadm-lab.8388608.77";
const MOUNTS: &str = "35 31 0:32 / /cg rw - cgroup cgroup rw,memory\n";

/// A machine with version 1, which makes no files in new folders.
fn machine() -> Tree {
    let tree = Tree::with(&[("proc/self/mountinfo", MOUNTS), ("proc/self/cgroup", "4:memory:/\n")]);
    tree.write("cg/cgroup.procs", "");
    tree
}

#[test]
fn only_the_machine_itself_gets_one_and_only_by_a_name_of_ours() {
    let tree = machine();
    let make = |root: &Root, name| Cgroup::make(root, name, Bytes(1 << 20)).unwrap_err();
    assert_eq!(make(&tree.root(), NAME), NotCaged::Captured);
    assert_eq!(make(&tree.live(), "../etc"), NotCaged::Name("../etc".to_owned()));
    assert!(orphans(&tree.root()).is_empty());
}

#[test]
fn what_takes_no_limit_is_removed_again() {
    let tree = machine();
    let refused = Cgroup::make(&tree.live(), NAME, Bytes(1 << 20)).unwrap_err();
    assert!(matches!(refused, NotCaged::Limit { .. }), "{refused}");
    let text = refused.to_string();
    assert!(text.contains(&format!("/cg/{NAME}/memory.limit_in_bytes")), "{text}");
    assert!(text.contains("1048576"), "{text}");
    assert!(!tree.path().join("cg").join(NAME).exists());
}

#[test]
fn what_is_there_already_stays() {
    let tree = machine();
    tree.write(&format!("cg/{NAME}/memory.limit_in_bytes"), "5\n");
    let refused = Cgroup::make(&tree.live(), NAME, Bytes(1 << 20)).unwrap_err();
    assert_eq!(refused, NotCaged::Exists(format!("/cg/{NAME}")));
    assert!(tree.path().join("cg").join(NAME).exists());
}

/// A group whose files are no kernel's.
fn sham(tree: &Tree, version: CgroupVersion) -> Cgroup {
    let group = Group { root: tree.live(), version, folder: "/cg".into() };
    Cgroup { group, taken_down: true }
}

#[test]
fn figures_come_from_the_files_of_each_version() {
    let tree = Tree::with(&[
        ("cg/memory.usage_in_bytes", "10\n"),
        ("cg/memory.max_usage_in_bytes", "11\n"),
        ("cg/memory.limit_in_bytes", "12\n"),
        ("cg/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"),
    ]);
    let first = sham(&tree, CgroupVersion::V1);
    let figures = [first.memory(), first.peak(), first.limit()];
    assert_eq!(figures, [10, 11, 12].map(|bytes| Some(Bytes(bytes))));
    assert_eq!((first.oom_kills(), first.ooms()), (Some(2), None));
    let second = sham(&tree, CgroupVersion::V2);
    assert_eq!([second.memory(), second.peak(), second.limit()], [None; 3]);
    assert_eq!(second.oom_kills(), None, "what is missing is not zero");
    tree.write("cg/memory.current", "20\n");
    tree.write("cg/memory.max", "max\n");
    tree.write("cg/memory.events", "low 0\noom 1\noom_kill 0\n");
    assert_eq!([second.memory(), second.limit()], [Some(Bytes(20)), None]);
    assert_eq!((second.oom_kills(), second.ooms()), (Some(0), Some(1)));
}

#[test]
fn a_limit_that_the_kernel_changes_is_told() {
    let tree = machine();
    tree.write("cg/memory.max", "");
    let second = sham(&tree, CgroupVersion::V2);
    second.limit_to(Path::new("/cg/memory.max"), Bytes(1 << 30)).unwrap();
    tree.write("cg/full", "9999999999\n");
    let file = Path::new("/cg/full");
    let told = second.limit_to(file, Bytes(1 << 20)).unwrap_err().to_string();
    assert!(told.contains("/cg/full does not take the limit of 1048576 bytes"), "{told}");
}

#[test]
fn this_process_and_whoever_writes_are_not_put_in() {
    let tree = machine();
    let group = sham(&tree, CgroupVersion::V2);
    let us = i32::try_from(std::process::id()).unwrap();
    for pid in [us, 0, -1] {
        let refused = NotCaged::NotPut { pid, folder: "/cg".to_owned(), errno: Errno::EINVAL };
        assert_eq!(group.put(pid), Err(refused));
    }
    group.put(8_388_608).unwrap();
    assert_eq!(group.group.pids(), [8_388_608]);
}

#[test]
fn orphans_are_groups_of_ours_without_an_owner() {
    let tree = machine();
    let running = Owner::this(&Root::live()).into_result().unwrap().to_string();
    let own = std::process::id();
    let stat = std::fs::read(format!("/proc/{own}/stat")).unwrap();
    tree.write(&format!("proc/{own}/stat"), stat);
    for name in [NAME, running.as_str(), "swapadm-lab.8388608.x", "swapadm-lab", "docker"] {
        tree.folder(&format!("cg/{name}"));
    }
    tree.folder(&format!("cg/docker/{NAME}"));
    // An owner outside of our container: what it put in has no number here.
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

#![allow(clippy::disallowed_methods, reason = "the tests look by themselves")]

use super::*;
use crate::root::testing::TestTree;
use std::fs;
use std::path::PathBuf;

/// A machine with version 2 and these controllers enabled.
fn machine(enabled: &str) -> TestTree {
    let tree =
        TestTree::with(&[("cg/cgroup.procs", ""), ("cg/cgroup.controllers", "cpu memory\n")]);
    tree.write(&path(ENABLED), enabled);
    tree
}

fn path(file: &str) -> String {
    format!("cg/{file}")
}

fn owner(number: u64) -> OwnerProcess {
    OwnerProcess::parse(format!("swapadm-lab.8388608.{number}").as_bytes()).unwrap()
}

fn made(tree: &TestTree, number: u64) -> CgroupDir {
    let place = ParentCgroup { version: CgroupVersion::V2, folder: PathBuf::from("/cg") };
    make(&tree.live(), &place, owner(number)).unwrap()
}

/// Is the controller enabled, as the kernel would show it? This file is overwritten here, where the
/// kernel would update its list.
fn settle(tree: &TestTree) -> bool {
    let text = fs::read_to_string(tree.path().join(path(ENABLED))).unwrap();
    let is_on = !text.starts_with("-memory") && text.contains("memory");
    tree.write(&path(ENABLED), if is_on { "memory\n" } else { "\n" });
    is_on
}

#[test]
fn controller_enabled_by_first_is_disabled_by_last() {
    for order in [[0, 1], [1, 0]] {
        let tree = machine("\n");
        let groups = [1, 2].map(|number| {
            let group = made(&tree, number);
            assert!(settle(&tree));
            group
        });
        remove(&groups[order[0]]).unwrap();
        assert!(settle(&tree), "the other one's limit would be lost: {order:?}");
        remove(&groups[order[1]]).unwrap();
        assert!(!settle(&tree), "nobody needs it any more: {order:?}");
    }
}

/// Any user can open the folder, and hold the lock forever.
#[test]
fn controller_stays_on_without_the_lock() {
    let tree = machine("\n");
    let group = made(&tree, 1);
    assert!(settle(&tree));
    let held = File::open(tree.path().join("cg")).unwrap();
    let lock = Flock::lock(held, FlockArg::LockExclusive).unwrap();
    remove(&group).unwrap();
    drop(lock);
    assert!(settle(&tree), "somebody may need it");
}

#[test]
fn controller_enabled_by_others_stays_on() {
    let tree = machine("memory\n");
    let group = made(&tree, 1);
    assert!(group.path().ends_with(".1"), "{}", group.path());
    remove(&group).unwrap();
    assert!(settle(&tree));
}

#[test]
fn name_of_a_killed_owner_requests_disabling() {
    let tree = machine("\n");
    let left = made(&tree, 1);
    assert!(settle(&tree) && left.path().ends_with(".1.on"), "{}", left.path());
    let next = made(&tree, 2);
    remove(&left).unwrap();
    assert!(settle(&tree), "the next one is there");
    remove(&next).unwrap();
    assert!(!settle(&tree));
}

/// As if killed before the cgroup is gone: the name tells the next run.
#[test]
fn controller_is_disabled_before_the_marked_cgroup_is_removed() {
    let tree = machine("\n");
    let left = made(&tree, 1);
    assert!(settle(&tree));
    let inside = left.folder.join("held");
    tree.write(inside.strip_prefix("/").unwrap().to_str().unwrap(), "");
    remove(&left).unwrap_err();
    assert!(!settle(&tree) && enable_controller(&tree.live(), Path::new("/cg")));
    let next = made(&tree, 2);
    assert!(settle(&tree) && next.path().ends_with(".2.on"));
    remove(&next).unwrap();
    fs::remove_file(full_path(&tree.live(), &inside)).unwrap();
    remove(&left).unwrap();
    assert!(!settle(&tree));
}

/// The limit would be lost with the controller.
#[test]
fn controller_stays_on_while_a_cgroup_is_used() {
    for (file, text) in [("cgroup.procs", "8388607\n"), ("cgroup.events", "populated 1\n")] {
        let tree = machine("\n");
        let group = made(&tree, 1);
        assert!(settle(&tree));
        let inside = group.folder.join(file);
        tree.write(inside.strip_prefix("/").unwrap().to_str().unwrap(), text);
        remove(&group).unwrap_err();
        assert!(settle(&tree), "{file}");
    }
}

#[test]
fn limits_set_by_others_are_kept() {
    let tree = machine("\n");
    let group = made(&tree, 1);
    assert!(settle(&tree));
    tree.write("cg/user/memory.max", "4096\n");
    remove(&group).unwrap();
    assert!(settle(&tree));
    let again = made(&tree, 2);
    tree.write("cg/user/memory.max", "max\n");
    remove(&again).unwrap();
    assert!(settle(&tree), "it was on before this one came");
}

#[test]
fn own_cgroups_are_changed_one_at_a_time() {
    let tree = machine("\n");
    let turn = SwitchLock::take(&tree.live(), Path::new("/cg"));
    let (sender, made) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| sender.send(super::tests::made(&tree, 1)).unwrap());
        assert!(made.recv_timeout(Duration::from_millis(200)).is_err(), "it waits for its turn");
        drop(turn);
        remove(&made.recv_timeout(Duration::from_secs(5)).unwrap()).unwrap();
    });
    assert!(!settle(&tree));
}

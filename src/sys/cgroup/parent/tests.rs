#![allow(clippy::disallowed_methods, reason = "the tests look by themselves")]

use super::*;
use crate::root::testing::TestTree;

const FIRST: &str = "35 31 0:32 / /cg/memory rw,relatime - cgroup cgroup rw,memory\n";
const NAMED: &str = "40 31 0:37 / /cg/systemd rw shared:9 - cgroup cgroup rw,name=memory\n";
const SECOND: &str =
    "41 31 0:38 / /cg rw,relatime shared:4 master:1 - cgroup2 cgroup2 rw,nsdelegate\n";
const OTHERS: &str =
    "22 27 0:21 / /proc rw - proc proc rw\n32 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpu\n";

fn hierarchy(mounts: &[&str], own: &str, files: &[(&str, &str)]) -> Result<Hierarchy, CgroupError> {
    let tree = TestTree::with(files);
    tree.write(MOUNTS, mounts.concat());
    tree.write(OWN, own);
    Hierarchy::find(&tree.live())
}

/// A machine with version 2 whose cgroups have these files.
fn second(files: &[(&str, &str)]) -> (TestTree, Hierarchy) {
    let tree = TestTree::with(files);
    for folder in ["cg", "cg/user", "cg/user/app"] {
        for (file, text) in [(PROCS, ""), (OFFERED, "cpu memory pids\n"), (ENABLED, "\n")] {
            let path = format!("{folder}/{file}");
            if !tree.path().join(&path).exists() {
                tree.write(&path, text);
            }
        }
    }
    let own = Some(PathBuf::from("user/app"));
    (tree, Hierarchy { version: CgroupVersion::V2, mount: "/cg".into(), own })
}

#[test]
fn hierarchy_with_the_memory_controller_is_chosen() {
    let files = [("cg/memory/cgroup.procs", ""), ("cg/cgroup.procs", "")];
    let own = "9:name=memory:/x\n4:cpu,memory:/a/b:c\n0::/second\n";
    let mixed = hierarchy(&[OTHERS, SECOND, NAMED, FIRST], own, &files).unwrap();
    assert_eq!(mixed.version, CgroupVersion::V1);
    let places = ["/cg/memory", "/cg/memory/a/b:c", "/cg/memory/a"].map(PathBuf::from);
    assert_eq!(mixed.candidate_parents(), places);
    let second = hierarchy(&[OTHERS, NAMED, SECOND], own, &files).unwrap();
    assert_eq!(second.version, CgroupVersion::V2);
    assert_eq!(second.candidate_parents(), ["/cg", "/cg/second"].map(PathBuf::from));
    let none = hierarchy(&[OTHERS, NAMED], own, &files);
    assert!(matches!(none, Err(CgroupError::NoController(_))), "{none:?}");
    let hidden = hierarchy(&[FIRST, SECOND], own, &[("cg/cgroup.procs", "")]).unwrap();
    assert_eq!(hidden.version, CgroupVersion::V2, "nothing is where the first is mounted");
}

#[test]
fn mountinfo_escapes_are_decoded() {
    let line = b"35 31 0:32 /docker/7\\040x /cg/m\\134y rw,relatime - cgroup c rw,memory";
    let mount = Mount::parse(line).unwrap();
    assert_eq!((mount.top, mount.point), ("/docker/7 x".into(), "/cg/m\\y".into()));
    for bad in ["", "35 31 0:32 / /cg", "35 31 0:32 / /cg rw - cgroup", "1 2 3 / /cg rw shared:1"] {
        assert_eq!(Mount::parse(bad.as_bytes()), None, "{bad:?}");
    }
    assert_eq!(unescape(b"a\\04", octal_escape), b"a\\04");
    assert_eq!(unescape(b"a\\777", octal_escape), b"a\\777");
}

#[test]
fn own_cgroup_is_resolved_below_the_mount() {
    let top = Path::new("/docker/7");
    assert_eq!(below(b"/docker/7/a", top), Some("a".into()));
    assert_eq!(below(b"/docker/7", top), Some(PathBuf::new()));
    assert_eq!(below(b"/docker/77", top), None);
    assert_eq!(below(b"/../x", Path::new("/")), None, "it is outside of our namespace");
    for torn in ["", "4", "4:memory", "x:memory:/a", "4:memory_x:/a", "5::/a"] {
        for version in [CgroupVersion::V1, CgroupVersion::V2] {
            assert_eq!(own_path(torn.as_bytes(), version), None, "{torn}");
        }
    }
}

#[test]
fn first_suitable_parent_is_chosen() {
    let (tree, found) = second(&[("cg/cgroup.procs", "1\n2\n")]);
    let place = found.choose_parent(&tree.live()).unwrap();
    assert_eq!(place.folder, Path::new("/cg"), "the root may hold processes");
    assert!(is_controller_off(&tree.live(), &place.folder).unwrap());
    let (tree, found) = second(&[("cg/cgroup.subtree_control", "cpu memory\n")]);
    let place = found.choose_parent(&tree.live()).unwrap();
    assert!(!is_controller_off(&tree.live(), &place.folder).unwrap());
    // In a container the topmost cgroup may not have processes.
    let busy = [("cg/cgroup.procs", "1\n"), ("cg/cgroup.type", "domain\n")];
    let (tree, found) = second(&busy);
    assert_eq!(found.choose_parent(&tree.live()).unwrap().folder, Path::new("/cg/user/app"));
    let all = [
        busy[0],
        busy[1],
        ("cg/user/app/cgroup.procs", "3\n"),
        ("cg/user/app/cgroup.type", "domain\n"),
    ];
    let (tree, found) = second(&all);
    assert_eq!(found.choose_parent(&tree.live()).unwrap().folder, Path::new("/cg/user"));
}

#[test]
fn closest_reason_is_reported_without_a_parent() {
    let lacks = [("cg", OFFERED), ("cg/user", OFFERED), ("cg/user/app", OFFERED)]
        .map(|(folder, file)| (format!("{folder}/{file}"), "cpu\n"));
    let lacks = lacks.each_ref().map(|(path, text)| (path.as_str(), *text));
    let (tree, found) = second(&lacks);
    let none = found.choose_parent(&tree.live()).unwrap_err();
    assert!(matches!(none, CgroupError::NoController(_)), "{none}");
    assert!(
        none.to_string().contains("/cg/user/cgroup.controllers does not list memory"),
        "{none}"
    );
    let busy = [("cg/user/app/cgroup.procs", "3\n"), ("cg/user/app/cgroup.type", "domain\n")];
    let (tree, found) = second(&[lacks[0], lacks[1], busy[0], busy[1]]);
    let none = found.choose_parent(&tree.live()).unwrap_err();
    assert!(matches!(none, CgroupError::NotDelegated(_)), "{none}");
    for part in ["/cg/user/app has processes of its own", "run as root", "-p Delegate=yes"] {
        assert!(none.to_string().contains(part), "{none}");
    }
}

#[test]
fn version_1_hint_does_not_mention_delegation() {
    let found = Hierarchy { version: CgroupVersion::V1, mount: "/cg/none".into(), own: None };
    let tree = TestTree::with(&[("proc/self/cgroup", "4:memory:/\n")]);
    let none = found.choose_parent(&tree.live()).unwrap_err().to_string();
    assert!(none.contains("/cg/none") && none.contains("run as root"), "{none}");
    assert!(!none.contains("systemd-run"), "{none}");
}

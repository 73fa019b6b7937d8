//! Tests of what is read before a plan is executed.

use super::*;
use crate::actions::check::CheckVerdict;
use crate::change::find;
use crate::model::activation::{Activation, Priority};
use crate::model::format::{Format, SwapFileSpec, Uuid};
use crate::model::zram::ZramSettings;
use crate::probes::partition::testing;
use crate::root::testing::TestTree;
use std::ffi::OsStr;

/// Refusals for a plan with these steps.
fn refusals(tree: &TestTree, steps: Vec<Step>) -> Vec<(&'static str, String)> {
    let root = tree.root();
    let plan = Plan { steps, ..Plan::without_steps(String::new()) };
    let all = ObservedMachine::observe_for_settings(&root).checks(&plan, &[]);
    let all = all.into_iter().filter(|check| check.verdict == CheckVerdict::Refuse);
    all.map(|check| (check.id, check.text)).collect()
}

fn disk(backing: Option<&str>) -> ZramSettings {
    ZramSettings {
        size: Bytes(1 << 20),
        backing: backing.map(Name::from),
        ..ZramSettings::default()
    }
}

#[test]
fn new_backing_device_is_checked_and_current_one_is_not() {
    let tree = TestTree::with(&[("data", vec![7; 8192])]);
    let to = || Some(disk(Some("/data")));
    let ids = |steps| -> Vec<_> {
        let about = refusals(&tree, steps).into_iter().filter(|(_, text)| text.contains("/data"));
        about.map(|(id, _)| id).collect()
    };
    assert_eq!(ids(vec![Step::zram(0, None, to())]), ["path"]);
    assert_eq!(ids(vec![Step::zram(0, Some(disk(None)), to())]), ["path"]);
    assert_eq!(ids(vec![Step::zram(0, to(), to())]), Vec::<&str>::new());
    assert_eq!(ids(vec![Step::zram(0, to(), Some(disk(None)))]), Vec::<&str>::new());
}

/// The device of such an area disappears between swapoff and swapon.
#[test]
fn area_on_autoclear_loop_can_be_disabled_not_renewed() {
    let area = || Activation {
        path: "/dev/loop7".into(),
        priority: Priority::Set(5),
        discard: Discard::None,
    };
    let swaps = "Filename\tType\tSize\tUsed\tPriority\n/dev/loop7 partition 8188 0 5\n";
    let checks = |autoclear: &str, steps: Vec<Step>| -> Vec<_> {
        let tree = TestTree::with(&[
            ("proc/swaps", swaps),
            ("sys/block/loop7/size", "16384\n"),
            ("sys/block/loop7/loop/backing_file", "/data/swap.img\n"),
            ("sys/block/loop7/loop/autoclear", autoclear),
        ]);
        let root = tree.root();
        let plan = Plan { steps, ..Plan::without_steps(String::new()) };
        let all = ObservedMachine::observe_for_settings(&root).checks(&plan, &[]);
        let all = all.into_iter().filter(|check| check.id == "autoclear");
        all.map(|check| (check.verdict, check.text)).collect()
    };
    let renew = || vec![Step::Renew { from: area(), to: area() }];
    let off = || Step::Off { area: area() };
    assert_eq!(checks("0\n", renew()), []);
    for steps in [renew(), vec![off(), Step::On { area: area() }]] {
        let [(verdict, text)] = &checks("1\n", steps)[..] else { panic!() };
        assert_eq!(*verdict, CheckVerdict::Refuse);
        let next = "Run swapadm off /dev/loop7, attach the file again";
        assert!(text.contains(next) && text.contains("/data/swap.img"), "{text}");
    }
    let [(verdict, text)] = &checks("1\n", vec![off()])[..] else { panic!() };
    assert_eq!(*verdict, CheckVerdict::Warn);
    assert!(text.contains("undo cannot bring it back"), "{text}");
}

/// The device number of a file on btrfs is not that of a disk, and its first page there is unknown.
#[test]
fn a_file_on_the_resume_device_is_reported_once() {
    let tree = TestTree::with(&[
        ("proc/mounts", "/dev/sda1 /data btrfs rw 0 0\n/dev/sdb1 /other btrfs rw 0 0\n"),
        ("sys/power/resume", "8:1\n"),
        ("sys/power/resume_offset", "2492\n"),
        ("sys/block/sda/sda1/size", "80\n"),
        ("sys/block/sdb/sdb1/size", "80\n"),
        ("data/swap", ""),
        ("other/swap", ""),
    ]);
    tree.link("sys/dev/block/8:1", "../../block/sda/sda1");
    let root = tree.root();
    let notes = |path: &str| -> Vec<_> {
        let (priority, discard) = (Priority::Default, Discard::None);
        let area = Activation { path: path.into(), priority, discard };
        let removed = Step::File { path: path.into(), from: Some(swap_file(1 << 20)), to: None };
        let steps = vec![Step::Off { area }, removed];
        let plan = Plan { steps, ..Plan::without_steps(String::new()) };
        let all = ObservedMachine::observe_for_settings(&root).checks(&plan, &[]);
        all.into_iter().filter(|check| check.id == "resume").map(|check| check.text).collect()
    };
    let [text] = &notes("/data/swap")[..] else { panic!("{:?}", notes("/data/swap")) };
    assert!(text.starts_with("/data/swap may be the hibernation device"), "{text}");
    assert_eq!(notes("/other/swap"), [""; 0]);
}

/// Data behind the first page belongs to somebody as well.
#[test]
fn file_with_an_empty_first_page_is_not_empty() {
    let mut bytes = vec![0; 1 << 20];
    bytes[40_000] = 1;
    let tree = TestTree::with(&[("f", &bytes), ("g", &vec![0; 1 << 20])]);
    let step = |path: &str| {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(1 << 20), 4096, uuid, None).unwrap();
        Step::format(path.into(), Bytes(1 << 20), format, Vec::new())
    };
    let ids = |path| -> Vec<_> {
        let all = refusals(&tree, vec![step(path)]).into_iter().map(|(id, _)| id);
        all.filter(|id| *id == "signature").collect()
    };
    assert_eq!((ids("/f"), ids("/g")), (vec!["signature"], vec![]));
}

#[test]
fn bare_name_means_a_device_and_unknown_name_gets_a_hint() {
    let files = ["dev/zram7", "dev/md/0", "dev/disk/by-partuuid/a-1"];
    let tree = TestTree::with(&files.map(|file| (file, b"x".to_vec())));
    let found = |what: &str| find::find_storage(&tree.root(), OsStr::new(what));
    assert_eq!(found("zram7"), Ok("/dev/zram7".into()));
    assert_eq!(found("/dev/md/0"), Ok("/dev/md/0".into()));
    // Without /sys only the links exist.
    for quoted in ["PARTUUID=a-1", "PARTUUID=\"a-1\""] {
        assert_eq!(found(quoted), Ok("/dev/disk/by-partuuid/a-1".into()));
    }
    let lsblk = "to list devices with labels and UUIDs: lsblk -f";
    let refused = |what: &str| found(what).unwrap_err();
    assert_eq!(refused("/zram7"), "/zram7 is not in the captured tree");
    assert_eq!(refused("LABEL="), format!("\"LABEL=\" names no device; {lsblk}"));
    assert_eq!(refused(""), format!("\"\" names no device; {lsblk}"));
    assert_eq!(refused("LABEL=x"), format!("no device with a swap header has LABEL=x; {lsblk}"));
}

#[test]
fn a_partition_is_found_by_the_table_of_its_disk_and_not_where_two_have_its_name() {
    let tree = TestTree::new();
    testing::disk(&tree, "sda", &testing::gpt());
    testing::disk(&tree, "vda", &testing::dos());
    for node in ["dev/sda1", "dev/vda1", "dev/sdb1"] {
        tree.write(node, "x");
    }
    let found = |what: &str| find::find_storage(&tree.root(), OsStr::new(what));
    let upper = testing::UUID.to_uppercase();
    for [tag, value] in [["UUID", testing::UUID], ["UUID", &upper], ["LABEL", testing::LABEL]] {
        assert_eq!(found(&format!("PART{tag}={value}")), Ok("/dev/sda1".into()));
    }
    assert_eq!(found("PARTUUID=1234abcd-01"), Ok("/dev/vda1".into()));
    let lsblk = "to list partitions: lsblk -o NAME,PARTUUID,PARTLABEL";
    for what in ["PARTUUID=1234abcd-02", "PARTLABEL=swap"] {
        assert_eq!(found(what), Err(format!("no partition has {what}; {lsblk}")));
    }
    testing::disk(&tree, "sdb", &testing::gpt());
    let two = found(&format!("PARTUUID={}", testing::UUID)).unwrap_err();
    assert!(two.contains("matches several devices: /dev/sda1, /dev/sdb1."), "{two}");
    // One of two paths to a disk.
    tree.write("sys/class/block/sdb/holders/dm-0", "");
    assert_eq!(found(&format!("PARTUUID={}", testing::UUID)), Ok("/dev/sda1".into()));
}

/// A udev link may be older than the partition table.
#[test]
fn udev_link_counts_only_without_a_partition_table() {
    let tree = TestTree::new();
    testing::disk(&tree, "sda", &testing::gpt());
    for disk in ["sdb", "sdc"] {
        testing::disk(&tree, disk, &[0; 4096]);
    }
    tree.write("sys/class/block/dm-0/dm/uuid", "part1-mpath-x\n");
    tree.write("sys/class/block/sdd/size", "2048\n");
    for name in ["sda1", "sdb1", "sdc1", "dm-0", "sdd"] {
        tree.write(&format!("dev/{name}"), "x");
        tree.link(&format!("dev/disk/by-partuuid/of-{name}"), &format!("../../{name}"));
    }
    let found = |what: &str| find::find_storage(&tree.root(), OsStr::new(what));
    let none =
        |what: &str| assert!(found(what).unwrap_err().contains("no partition has"), "{what}");
    assert_eq!(found("PARTUUID=of-sdb1"), Ok("/dev/sdb1".into()));
    assert_eq!(found("PARTUUID=of-dm-0"), Ok("/dev/dm-0".into()));
    // A readable table, and a device that is not a partition.
    none("PARTUUID=of-sda1");
    none("PARTUUID=of-sdd");
    // One of two paths to a disk.
    tree.write("sys/class/block/sdc/holders/dm-1", "");
    none("PARTUUID=of-sdc1");
    // The same name in a table, and by a link where no table can be read.
    tree.link(&format!("dev/disk/by-partuuid/{}", testing::UUID), "../../sdb1");
    let two = found(&format!("PARTUUID={}", testing::UUID)).unwrap_err();
    assert!(two.contains("matches several devices: /dev/sda1, /dev/sdb1."), "{two}");
}

#[test]
fn partition_name_resolves_only_to_its_link() {
    let tree = TestTree::new();
    tree.write("dev/sda2", "x");
    for name in ["Linux\\x20swap", "a\\x2fb\\x5c", "\u{e4}"] {
        tree.link(&format!("dev/disk/by-partlabel/{name}"), "../../sda2");
    }
    tree.folder("dev/disk/by-partuuid");
    let found = |what: &str| find::find_storage(&tree.root(), OsStr::new(what));
    for label in ["Linux swap", "a/b\\", "\u{e4}"] {
        assert_eq!(found(&format!("PARTLABEL={label}")), Ok("/dev/sda2".into()));
    }
    for label in ["/dev/sda2", "../../sda2", ".", "..", "\"\"", "\\xe4"] {
        for tag in ["PARTLABEL", "PARTUUID"] {
            let why = found(&format!("{tag}={label}")).unwrap_err();
            assert!(why.contains("no partition has"), "{why}");
        }
    }
}

fn swap_file(size: u64) -> SwapFileSpec {
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let format = Format::new(Bytes(size), 4096, uuid, None).unwrap();
    SwapFileSpec { size: Bytes(size), format, nocow: false }
}

/// A file with another name stays, whatever happens to this one.
#[test]
fn a_file_with_another_name_is_not_removed() {
    let tree = TestTree::with(&[("f", vec![1; 1 << 20]), ("g", vec![1; 1 << 20])]);
    std::fs::hard_link(tree.path().join("f"), tree.path().join("h")).unwrap();
    let form = || swap_file(1 << 20);
    let remove = |path: &str| Step::File { path: path.into(), from: Some(form()), to: None };
    let ids = |path: &str| -> Vec<_> {
        let all = refusals(&tree, vec![remove(path)]).into_iter();
        all.filter(|(id, _)| *id == "links").map(|(_, text)| text).collect()
    };
    assert!(ids("/f")[0].contains("2 hard links"));
    assert_eq!(ids("/g"), Vec::<String>::new());
}

/// A file without blocks on disk needs all of them.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test makes its own file")]
fn growing_file_has_its_allocated_blocks() {
    let tree = TestTree::with(&[("f", vec![1; 1 << 20])]);
    let file = std::fs::File::create(tree.path().join("sparse")).unwrap();
    file.set_len(1 << 20).unwrap();
    let root = tree.root();
    let target = |path: &str, forms: [SwapFileSpec; 2]| {
        let plan = storage::resize(&[], |_| Discard::None, &path.into(), forms).unwrap();
        ObservedMachine::observe_for_settings(&root).new_file_target(&plan, 0, &plan.steps[0])
    };
    let grown = |path: &str| {
        let forms = [swap_file(1 << 20), swap_file(2 << 20)];
        target(path, forms).unwrap().has
    };
    assert_eq!([grown("/f"), grown("/sparse")], [Bytes(1 << 20), Bytes(0)]);
    let shrunk = target("/f", [swap_file(1 << 20), swap_file(1 << 19)]);
    assert_eq!(shrunk, None, "it needs no space");
}

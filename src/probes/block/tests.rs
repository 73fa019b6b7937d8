#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::*;
use crate::probes::testing::area;
use crate::root::testing::TestTree;
use std::fs;
use std::os::unix::fs::MetadataExt as _;

fn partition(path: &str) -> SwapArea {
    area(path, AreaKind::Partition)
}

fn deleted(area: SwapArea) -> SwapArea {
    SwapArea { deleted: true, ..area }
}

fn disk() -> TestTree {
    TestTree::with(&[
        ("sys/block/sda/size", "1000\n"),
        ("sys/block/sda/queue/rotational", "1\n"),
        ("sys/block/sda/queue/discard_max_bytes", "0\n"),
        ("sys/block/sda/queue/scheduler", "none [mq-deadline] bfq\n"),
        ("sys/block/sda/device/numa_node", "1\n"),
        ("sys/block/sda/device/model", "SAMSUNG MZ7  \n"),
        ("sys/block/sda/sda2/size", "200\n"),
    ])
}

#[test]
fn a_partition_has_its_own_size_and_the_queue_of_its_disk() {
    let device = read(&disk().root(), &partition("/dev/sda2")).into_result().unwrap();
    assert_eq!(device.name, "sda2");
    assert_eq!(device.kind, BlockKind::Disk);
    assert_eq!(device.parent, Reading::Known("sda".to_owned()));
    assert_eq!(device.size, Reading::Known(Bytes(200 * 512)));
    assert_eq!(device.rotational, Reading::Known(true));
    assert_eq!(device.discard_max, Reading::Known(Bytes(0)));
    assert_eq!(device.scheduler, Reading::Known("mq-deadline".to_owned()));
    assert_eq!(device.numa_node, Reading::Known(1));
    assert_eq!(device.model, Reading::Known("SAMSUNG MZ7".to_owned()));
    assert_eq!(device.dm_name.missing().unwrap().kind(), "absent");
}

#[test]
fn a_whole_device_has_no_parent_and_a_lone_scheduler_is_taken_whole() {
    let tree = TestTree::with(&[
        ("sys/block/zram3/size", "131072\n"),
        ("sys/block/zram3/queue/scheduler", "none\n"),
        ("sys/block/zram3/queue/rotational", "0\n"),
    ]);
    let device = read(&tree.root(), &partition("/zram3")).into_result().unwrap();
    assert_eq!(device.kind, BlockKind::Zram);
    assert_eq!(device.parent.missing().unwrap().kind(), "absent");
    assert_eq!(device.scheduler, Reading::Known("none".to_owned()));
    assert_eq!(device.numa_node.missing().unwrap().kind(), "absent");
    assert_eq!(device.discard_max.missing().unwrap().kind(), "absent");
}

#[test]
fn the_link_tells_the_disk_of_a_partition() {
    let tree = disk();
    tree.link("sys/class/block/sda2", "../../devices/pci0000:00/ata1/block/sda/sda2");
    let device = read(&tree.root(), &partition("/dev/sda2")).into_result().unwrap();
    assert_eq!(device.parent, Reading::Known("sda".to_owned()));

    // An unexpected link target must not stop the search.
    let tree = disk();
    tree.link("sys/class/block/sda2", "../../../..");
    assert!(read(&tree.root(), &partition("/dev/sda2")).known().is_some());
}

#[test]
fn a_root_that_the_kernel_mounted_is_found_by_its_number() {
    let tree = disk();
    tree.write("proc/mounts", "/dev/root / ext4 rw 0 0\n");
    let device = || holding(&tree.live(), &"/swapfile".into());
    assert_eq!(device().missing().unwrap().kind(), "absent");
    let number = fs::metadata(tree.path()).unwrap().dev();
    let (major, minor) = (nix::sys::stat::major(number), nix::sys::stat::minor(number));
    tree.link(&format!("sys/dev/block/{major}:{minor}"), "../../devices/x/block/sda/sda2");
    assert_eq!(device().into_result().unwrap().name, "sda2");
}

#[test]
fn loop_and_device_mapper_say_what_is_behind_them() {
    let tree = TestTree::new();
    tree.write("sys/block/loop0/loop/backing_file", b"/a \xff b\n");
    tree.write("sys/block/dm-1/dm/name", "vg-swap\n");
    tree.write("sys/block/loop1/size", "0\n");
    let facts = |path: &str| read(&tree.root(), &partition(path)).into_result().unwrap();
    let backing = facts("/dev/loop0").backing_file;
    assert_eq!(backing, Reading::Known(Name::new(*b"/a \xff b")));
    assert_eq!(facts("/dev/dm-1").dm_name, Reading::Known("vg-swap".to_owned()));
    let none = facts("/dev/loop1").backing_file;
    let why = none.missing().unwrap().to_string();
    assert!(why.contains("has no backing file"), "{why}");
}

#[test]
fn kinds_by_name() {
    for (name, wanted) in [
        ("zram0", BlockKind::Zram),
        ("loop12", BlockKind::Loop),
        ("loop0p1", BlockKind::Loop),
        ("dm-0", BlockKind::Dm),
        ("md127", BlockKind::Md),
        ("md_d0", BlockKind::Md),
        ("md_home", BlockKind::Md),
        ("ram0", BlockKind::Ram),
        ("nvme0n1p2", BlockKind::Disk),
        ("vda", BlockKind::Disk),
        ("zramdisk", BlockKind::Disk),
        ("mdx", BlockKind::Disk),
    ] {
        assert_eq!(kind(name), wanted, "{name}");
    }
}

#[test]
fn node_minus_one_is_absent_and_rubbish_is_failed() {
    let node = |text: &str| {
        let tree = TestTree::with(&[("sys/block/nvme0n1/device/device/numa_node", text)]);
        numa_node(&tree.root(), "sys/block/nvme0n1", BlockKind::Disk)
    };
    assert_eq!(node("2\n"), Reading::Known(2));
    assert_eq!(node("-1\n").missing().unwrap().kind(), "absent");
    for bad in ["", "-2\n", "99999999999\n", "x\n", "\u{1b}[2J"] {
        assert_eq!(node(bad).missing().unwrap().kind(), "failed", "{bad:?}");
    }
}

#[test]
fn a_name_cannot_lead_out_of_sys_block() {
    let tree = TestTree::with(&[("secret/size", "8\n"), ("sys/block/sda/size", "8\n")]);
    for path in [
        "/dev/..",
        "/dev/.",
        "/dev/",
        "",
        "/dev/../../secret",
        "/dev/sda/../../../secret",
        "/dev/sd\u{0}a",
    ] {
        assert!(read(&tree.root(), &partition(path)).known().is_none(), "{path:?}");
        assert!(area_size(&tree.root(), &partition(path)).known().is_none());
    }
    assert_eq!(valid(b"\xff"), None);
    assert_eq!(valid(b"a/b"), None);
    assert_eq!(valid(b".."), None);
}

#[test]
fn a_slash_in_a_device_name_is_an_exclamation_mark_in_sysfs() {
    let tree = TestTree::with(&[("sys/block/cciss!c0d0/cciss!c0d0p1/size", "16\n")]);
    let device = read(&tree.root(), &partition("/dev/cciss/c0d0p1")).into_result().unwrap();
    assert_eq!(device.parent, Reading::Known("cciss!c0d0".to_owned()));
}

#[test]
fn rubbish_in_the_files_is_failed_and_never_zero() {
    for bad in ["", "\n", "-1", "99999999999999999999", "\u{1b}[2J\0\0", "1 2"] {
        let tree = TestTree::with(&[
            ("sys/block/sdz/size", bad),
            ("sys/block/sdz/queue/rotational", "2"),
            ("sys/block/sdz/queue/scheduler", "a b"),
        ]);
        let device = read(&tree.root(), &partition("/dev/sdz")).into_result().unwrap();
        assert_eq!(device.size.missing().unwrap().kind(), "failed", "{bad:?}");
        assert_eq!(device.rotational.missing().unwrap().kind(), "failed");
        assert_eq!(device.scheduler.missing().unwrap().kind(), "failed");
    }
    let tree = TestTree::with(&[("sys/block/sdz/size", "18446744073709551615")]);
    let size = area_size(&tree.root(), &partition("/dev/sdz"));
    assert_eq!(size, Reading::Known(Bytes(u64::MAX)));
}

#[test]
fn a_capture_does_not_say_where_a_file_lies() {
    let tree = disk();
    tree.write("swapfile", "x");
    let file = area("/swapfile", AreaKind::File);
    for why in [
        read(&tree.root(), &file).missing().unwrap().to_string(),
        area_size(&tree.root(), &file).missing().unwrap().to_string(),
    ] {
        assert!(why.contains("not part of a captured tree"), "{why}");
    }
}

#[test]
fn a_file_is_on_the_device_that_its_number_names() {
    let tree = disk();
    tree.write("swap file", [0; 5000]);
    let device = fs::metadata(tree.path().join("swap file")).unwrap().dev();
    let (major, minor) = (nix::sys::stat::major(device), nix::sys::stat::minor(device));
    let file = area("/swap file", AreaKind::File);
    assert_eq!(area_size(&tree.live(), &file), Reading::Known(Bytes(5000)));
    let found = read(&tree.live(), &file);
    assert_eq!(found.missing().unwrap().kind(), "absent");
    if major == 0 {
        return;
    }
    tree.link(
        &format!("sys/dev/block/{major}:{minor}"),
        "../../devices/pci0000:00/ata1/block/sda/sda2",
    );
    let found = read(&tree.live(), &file).into_result().unwrap();
    assert_eq!(found.name, "sda2");
}

#[test]
fn a_deleted_mark_is_part_of_the_name_only_where_such_a_file_exists() {
    let tree = disk();
    tree.write("f (deleted)", "four");
    tree.write("g", "another file");
    let file = |path: &str| deleted(area(path, AreaKind::File));
    assert_eq!(area_size(&tree.live(), &file("/f")), Reading::Known(Bytes(4)));
    assert!(area_size(&tree.live(), &file("/g")).known().is_none());
    // A node is recognised by name only below /dev.
    let name = |path: &str| read(&tree.live(), &deleted(partition(path))).map(|device| device.name);
    assert_eq!(name("/dev/sda2"), Reading::Known("sda2".to_owned()));
    assert_eq!(name("/tmp/sda2").missing().unwrap().kind(), "absent");
}

#[test]
fn whole_disks_are_found_below_device_mapper_and_raid() {
    let tree = disk();
    for device in ["vda", "dm-1", "md0"] {
        tree.write(&format!("sys/block/{device}/size"), "8\n");
    }
    tree.link("sys/block/dm-1/slaves/md0", "../../md0");
    tree.link("sys/block/md0/slaves/nbd0p1", "../../nbd0/nbd0p1");
    tree.link("sys/block/md0/slaves/sda2", "../../../../pci0000:00/ata1/block/sda/sda2");
    tree.link("sys/block/md0/slaves/vda", "../../../../pci0000:00/virtio1/block/vda");
    for (area, disks) in [
        ("/dev/dm-1", &["nbd0", "sda", "vda"][..]),
        ("/dev/sda2", &["sda"]),
        ("/dev/vda", &["vda"]),
    ] {
        let device = read(&tree.root(), &partition(area)).into_result().unwrap();
        let disks = disks.iter().map(ToString::to_string).collect();
        assert_eq!(device.disks, Reading::Known(disks), "{area}");
    }
}

#[test]
fn disks_that_cannot_be_found_are_not_made_up() {
    let kind = |tree: &TestTree| {
        let device = read(&tree.root(), &partition("/dev/dm-0")).into_result().unwrap();
        device.disks.missing().map(Missing::kind)
    };
    let tree = || TestTree::with(&[("sys/block/dm-0/size", "8\n")]);
    assert_eq!(kind(&tree()), Some("absent"), "no list");
    for nowhere in ["../../dm-0", "../.."] {
        let tree = tree();
        tree.link("sys/block/dm-0/slaves/dm-0", nowhere);
        assert_eq!(kind(&tree), Some("failed"), "{nowhere}");
    }
}

//! What stands in the way of resetting a zram device, and what would be lost: the kernel resets
//! none that anybody has open.
//!
//! Kernel: `reset_store` and `zram_remove` of `drivers/block/zram/zram_drv.c`. Who has it open is
//! in `/proc/PID/fd`, which only root can read of others.
//!
//! What it does not do: fill a part of snapshots. It goes through all open files, for which only
//! a plan has the time.

use super::{candidate, zram};
use crate::model::zram::{self as device, Held, Opener};
use crate::model::{Name, Part, PartSet, Reading};
use crate::root::{Root, parse_u64};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Look at a device.
pub fn read(root: &Root, number: u64) -> Held {
    let node = device::node(number);
    let found = candidate::read(root, &node);
    let name = format!("zram{number}");
    let devices = zram::read(root, PartSet::of(&[Part::Zram]));
    let stored = devices.and_then(|devices| {
        let device = devices.into_iter().find(|device| device.name == name);
        let device = device.map_or_else(|| Reading::absent("no such device"), Reading::Known);
        device.and_then(|device| device.mm.map(|mm| mm.orig_data))
    });
    let holders = root.names(format!("sys/block/{name}/holders"));
    let holders = holders.known().map_or(&[][..], Vec::as_slice);
    Held {
        number,
        mounted: found.mounted,
        holders: holders.iter().map(|name| Name::new(name.as_slice()).safe()).collect(),
        openers: openers(root, &node),
        signature: found.signature,
        stored,
        params: root.exists(format!("sys/block/{name}/algorithm_params")),
    }
}

/// The processes that have it open.
fn openers(root: &Root, node: &Name) -> Vec<Opener> {
    let names = root.names("proc");
    let names = names.known().map_or(&[][..], Vec::as_slice);
    let pids = names.iter().filter_map(|name| u32::try_from(parse_u64(name)?).ok());
    let has_open = |pid: &u32| {
        let folder = format!("proc/{pid}/fd");
        let files = root.names(&folder);
        let files = files.known().map_or(&[][..], Vec::as_slice);
        let leads = |file: &Vec<u8>| {
            let link = root.link(Path::new(&folder).join(OsStr::from_bytes(file)));
            link.known().is_some_and(|target| target == node.as_path())
        };
        files.iter().any(leads)
    };
    let opener = |pid| {
        let name = root.line(format!("proc/{pid}/comm"));
        let name = name.known().cloned().unwrap_or_default();
        Opener { pid, name: crate::model::name::safe_text(&name) }
    };
    pids.filter(has_open).map(opener).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Bytes;
    use crate::root::testing::Tree;

    #[test]
    fn whoever_has_it_open_is_named() {
        let tree = Tree::with(&[
            ("sys/block/zram1/mm_stat", "8192 100 4096 0 4096 0 0 0 0\n"),
            ("proc/7/comm", "hol\tder\n"),
            ("proc/8/comm", "other\n"),
        ]);
        tree.folder("sys/block/zram1/holders");
        tree.link("proc/7/fd/3", "/dev/zram1");
        tree.link("proc/8/fd/3", "/dev/zram10");
        let held = read(&tree.root(), 1);
        assert_eq!(held.openers, [Opener { pid: 7, name: "hol\\tder".to_owned() }]);
        assert_eq!(held.stored, Reading::Known(Bytes(8192)));
        assert!(held.holders.is_empty() && held.mounted.is_none());
    }
}

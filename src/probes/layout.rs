//! The extents of each swap file on its disk: how many, and where the first begins.
//!
//! Kernel: `FS_IOC_FIEMAP` of `fs/ioctl.c`, all versions; the file must be readable, which usually needs
//! root. The kernel itself shows the number of extents only at swapon, in its log.
//!
//! Not done here: devices, which are one extent. On file systems over several devices, such as btrfs, an
//! extent's position is not one on a device.

use super::{Probe, ReadInterval, block};
use crate::model::swaparea::{AreaKind, FileLayout, SwapArea};
use crate::model::{Bytes, Part, Reading};
use crate::root::Root;
use std::path::Path;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Layouts,
    id: "layout",
    tier: ReadInterval::OnDemand,
    // The files themselves are not read, only the kernel's list of their extents.
    files: &[],
    about: "Extents of swap files on their disks",
    remedy: "run as root: swap files are readable by root only",
};

/// Reads the extents of an area that is a file.
pub fn read(root: &Root, area: &SwapArea) -> Reading<FileLayout> {
    if area.kind != AreaKind::File {
        return Reading::absent("only a file has extents");
    }
    of_file(root, &block::node(area))
}

/// Reads the extents of a file.
pub fn of_file(root: &Root, path: &Path) -> Reading<FileLayout> {
    let on_device = root.facts(path).and_then(|facts| match facts.on_device {
        (0, _) => Reading::absent("the file system has no block device of its own"),
        _ => Reading::Known(()),
    });
    root.layout(path).map(|layout| FileLayout {
        extents: layout.extents,
        first: on_device.map(|()| Bytes(layout.first)),
    })
}

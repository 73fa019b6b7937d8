//! How each swap file lies on its disk: in how many pieces, and where the first begins.
//!
//! Kernel: `FS_IOC_FIEMAP` of `fs/ioctl.c`, all versions; the file must be readable, so that it takes root
//! as a rule. The kernel itself tells the number of pieces at swapon only, in its log.
//!
//! What it does not do: look at devices, which are one piece. On file systems over several devices,
//! such as btrfs, a place is none on a device.

use super::{Probe, ReadInterval, block};
use crate::model::swaparea::{AreaKind, FileLayout, SwapArea};
use crate::model::{Bytes, Part, Reading};
use crate::root::Root;

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Layouts,
    id: "layout",
    tier: ReadInterval::OnDemand,
    // Of the files themselves only the kernel's list of their pieces is read.
    files: &[],
    about: "How swap files lie on their disks",
    remedy: "be root: it takes the right to open a swap file",
};

/// Ask for the pieces of an area that is a file.
pub fn read(root: &Root, area: &SwapArea) -> Reading<FileLayout> {
    if area.kind != AreaKind::File {
        return Reading::absent("only a file can lie in pieces");
    }
    let path = block::node(area);
    let on_device = root.facts(&path).and_then(|facts| match facts.on_device {
        (0, _) => Reading::absent("its file system has no block device of its own"),
        _ => Reading::Known(()),
    });
    root.layout(&path).map(|layout| FileLayout {
        extents: layout.extents,
        first: on_device.map(|()| Bytes(layout.first)),
    })
}

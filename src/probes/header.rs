//! The header of a swap area: label and UUID, from the area itself or from the udev database.
//!
//! Kernel: `union swap_header` of `include/linux/swap.h`, the same in all versions; written by mkswap. It
//! fills the first page, of the page size of the machine that wrote it, and ends in `SWAPSPACE2`. Reading a
//! device usually needs root, and reading a swap file its owner; other users get what udev found when the
//! device appeared (`/run/udev/data`), if udev runs.
//!
//! Not done here: reading more than necessary. The data behind the header is swapped memory, and a capture
//! keeps what is read; so page sizes are tried from the smallest on.

use super::{Probe, ReadInterval, block, candidate, deadline, scan};
use crate::model::swaparea::{AreaHeader, SwapArea};
use crate::model::{Missing, Name, Part, Reading};
use crate::root::{Root, unexpected};
use std::time::Duration;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Headers,
    id: "header",
    tier: ReadInterval::OnDemand,
    // A swap file may be anywhere: the paths of /proc/swaps are read in addition.
    files: &[
        "dev/**",
        "run/udev/data/*",
        "sys/block/*/dev",
        "sys/block/*/*/dev",
        "sys/block/*/*/size",
        "sys/class/block/*",
        "sys/dev/block/*",
    ],
    about: "Label and UUID of swap areas",
    remedy: "run as root, or start udev: its database is readable by all users",
};

/// Time limit of a read: a device that fails or is slow must not delay a table.
const LIMIT: Duration = Duration::from_millis(250);

const NO_LABEL: &str = "the area has no label";
const NO_UUID: &str = "the area has no UUID";

/// Reads the header of an area.
pub fn read(root: &Root, area: &SwapArea) -> Reading<AreaHeader> {
    let missing = match from_area(root, area).into_result() {
        Ok(header) => return Reading::Known(header),
        Err(missing) => missing,
    };
    if let Some(header) = from_udev(root, area) {
        return Reading::Known(header);
    }
    if area.deleted && matches!(missing, Missing::Absent(_)) {
        return Reading::absent(format!(
            "{} was deleted, so its header cannot be read",
            area.path.safe()
        ));
    }
    missing.into()
}

fn from_area(root: &Root, area: &SwapArea) -> Reading<AreaHeader> {
    let path = block::node(area);
    let header = candidate::in_first_page(candidate::swap_header, |page| {
        deadline::read_head(root, &path, page, LIMIT)
    });
    header.and_then(|header| match header {
        Some(header) => Reading::Known(AreaHeader {
            label: some_or(header.label, NO_LABEL),
            uuid: some_or(header.uuid.map(|uuid| uuid.to_string()), NO_UUID),
            page_size: Reading::Known(header.page_size),
        }),
        None => unexpected(&path, "SWAPSPACE2 at the end of its first page", b"none"),
    })
}

fn some_or<T>(value: Option<T>, why: &str) -> Reading<T> {
    Reading::or_absent(value, why)
}

/// The header as recorded by udev, if udev found swap on the device.
fn from_udev(root: &Root, area: &SwapArea) -> Option<AreaHeader> {
    if area.kind != crate::model::swaparea::AreaKind::Partition {
        return None;
    }
    let place = block::sysfs_device(root, area).ok()?;
    let number = root.line(format!("{}/dev", place.folder()));
    let number = number.known().filter(|text| is_number(text))?.clone();
    let notes = root.read(format!("run/udev/data/b{number}"));
    let notes = notes.known()?;
    if value(notes, "ID_FS_TYPE").is_some_and(|kind| kind != b"swap") {
        return None;
    }
    let label =
        value(notes, "ID_FS_LABEL_ENC").map(|label| scan::unescape(label, scan::hex_escape));
    let label = label.or_else(|| value(notes, "ID_FS_LABEL").map(<[u8]>::to_vec));
    let uuid = value(notes, "ID_FS_UUID").and_then(udev_uuid);
    if label.is_none() && uuid.is_none() {
        return None;
    }
    Some(AreaHeader {
        label: some_or(label.map(Name::new), NO_LABEL),
        uuid: some_or(uuid, NO_UUID),
        page_size: Reading::absent("the udev database has no page size"),
    })
}

/// Checks for a device number in the form of sysfs.
fn is_number(text: &str) -> bool {
    let digits = |part: &str| part.parse::<u32>().is_ok() && !part.starts_with('+');
    text.split_once(':').is_some_and(|(major, minor)| digits(major) && digits(minor))
}

fn value<'a>(notes: &'a [u8], key: &str) -> Option<&'a [u8]> {
    let find = |line: &'a [u8]| {
        let rest = line.strip_prefix(b"E:")?.strip_prefix(key.as_bytes())?;
        rest.strip_prefix(b"=")
    };
    let mut lines = scan::lines(notes).filter_map(find);
    lines.next().filter(|value| !value.is_empty())
}

fn udev_uuid(text: &[u8]) -> Option<String> {
    let sound = text.len() == 36 && text.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-');
    let text = std::str::from_utf8(text).ok().filter(|_| sound)?;
    Some(text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests;

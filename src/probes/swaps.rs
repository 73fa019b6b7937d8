//! `/proc/swaps`: the active swap areas.
//!
//! Kernel: `mm/swapfile.c`, all versions with `CONFIG_SWAP`; readable by everyone. Names are bytes
//! with space, tab, newline and backslash in octal; the number of tabs between fields varies.
//! Rows are in the order of the kernel's type numbers, not of priority. Size wraps at 4 TiB on every
//! kernel, Used on 6.12 and older; both are repaired here. Inside a container the paths are those of the
//! reader's own mount namespace. For a swap file its inode number, size and change time are read as well:
//! the name alone does not show whether the file was replaced.

use super::{Probe, ReadInterval, block, scan};
use crate::model::swaparea::{AreaKind, FileIdentity, SwapArea};
use crate::model::{Bytes, Missing, Name, Part, Reading};
use crate::root::{FileFacts, Root, parse_u64, unexpected};
use std::os::unix::ffi::OsStrExt as _;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Swaps,
    id: "swaps",
    tier: ReadInterval::Fast,
    files: &[
        "proc/swaps",
        "proc/meminfo",
        "sys/block/*/size",
        "sys/block/*/*/size",
        "sys/class/block/*",
        "sys/dev/block/*",
    ],
    about: "Active swap areas: size, use and priority",
    remedy: "mount proc on /proc; the kernel needs CONFIG_SWAP",
};

const PATH: &str = "proc/swaps";
/// The kernel computes kilobytes in 32 bits.
const WRAP: u64 = 1024 << 32;
/// More areas than any kernel can have: `MAX_SWAPFILES` is at most 32.
pub(super) const MOST_AREAS: usize = 64;

/// Reads all areas; one bad row fails the whole table, since areas are identified by their position.
pub fn read(root: &Root) -> Reading<Vec<SwapArea>> {
    read_after(root, &[])
}

/// Reads all areas again. Nothing wraps as long as nothing did before and no area was added.
pub fn read_after(root: &Root, before: &[SwapArea]) -> Reading<Vec<SwapArea>> {
    root.read(PATH).and_then(|bytes| {
        let mut rows = scan::lines(&bytes);
        match rows.next() {
            Some(head) if head.starts_with(b"Filename") => {}
            head => return unexpected(PATH, "a heading line", head.unwrap_or_default()),
        }
        let mut areas = Vec::new();
        for row in rows {
            if areas.len() == MOST_AREAS {
                return Reading::failed(format!(
                    "/{PATH} lists more than {MOST_AREAS} areas, which no kernel has: not read"
                ));
            }
            match parse_row(row) {
                Some(area) => areas.push(area),
                None if is_made_up(row) => return Reading::absent(TOTAL_ONLY),
                None => return unexpected(PATH, "path, type, size, used and priority", row),
            }
        }
        if let Err(missing) = repair_wraps(root, &mut areas, before) {
            return missing.into();
        }
        for area in &mut areas {
            match area.kind {
                AreaKind::File => {
                    area.file = mark(root, area);
                    // The kernel keeps an active file from being deleted, so the name of one that is there ends like that.
                    if area.deleted && area.file.is_some() {
                        area.path = Name::new(block::node(area).as_os_str().as_bytes());
                        area.deleted = false;
                    }
                }
                // swapoff takes any node of the device, also one that was created again.
                AreaKind::Partition => area.deleted &= !has_node(root, area),
            }
        }
        Reading::Known(areas)
    })
}

/// Reason why swap areas are not visible in some containers.
const TOTAL_ONLY: &str =
    "this container shows only a total: run swapadm on the host to see its swap areas";

/// The line that lxcfs shows in containers.
fn is_made_up(row: &[u8]) -> bool {
    scan::fields(row).nth(1) == Some(b"virtual")
}

fn parse_row(row: &[u8]) -> Option<SwapArea> {
    let mut fields = scan::fields(row);
    let (path, deleted) = unescape(fields.next()?);
    let kind = match fields.next()? {
        b"partition" => AreaKind::Partition,
        b"file" => AreaKind::File,
        _ => return None,
    };
    let size = Bytes::from_kib(parse_u64(fields.next()?)?);
    let used = Reading::Known(Bytes::from_kib(parse_u64(fields.next()?)?));
    let priority = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
    // Fields that a later kernel adds at the end do not matter.
    Some(SwapArea { path, deleted, kind, size, used, priority, wraps: 0, file: None })
}

/// Identity of a swap file, to notice a replaced file; a captured tree has copies only.
fn mark(root: &Root, area: &SwapArea) -> Option<FileIdentity> {
    let facts = *root.facts(block::node(area)).known().filter(|_| root.is_live())?;
    let FileFacts { on_device: device, inode, size, changed, .. } = facts;
    facts.regular.then_some(FileIdentity { device, inode, size, changed })
}

/// Whether there is a device node at the path of an area now; a captured tree has copies only.
fn has_node(root: &Root, area: &SwapArea) -> bool {
    let facts = root.facts(area.path.as_path());
    area.deleted
        && root.is_live()
        && facts.known().is_some_and(|facts| facts.block_device.is_some())
}

/// Decodes octal escapes, and removes the kernel's suffix of a deleted file.
pub(crate) fn unescape(field: &[u8]) -> (Name, bool) {
    let (field, deleted) = match field.strip_suffix(b"\\040(deleted)") {
        Some(path) => (path, true),
        None => (field, false),
    };
    (Name::new(scan::unescape(field, scan::octal_escape)), deleted)
}

/// Whether this area was there before and is too small to wrap.
fn is_small(before: &SwapArea, area: &SwapArea) -> bool {
    let size = |area: &SwapArea| (area.kind, area.size, area.deleted);
    before.wraps == 0 && before.path == area.path && size(before) == size(area)
}

/// Restores the bits lost in 32-bit numbers. `/proc/meminfo`, which does not wrap, gives the total loss;
/// the device or file of an area limits how much of it is the area's.
fn repair_wraps(root: &Root, areas: &mut [SwapArea], before: &[SwapArea]) -> Result<(), Missing> {
    let is_new = |area: &SwapArea| !before.iter().any(|before| is_small(before, area));
    if !areas.iter().any(is_new) {
        return Ok(());
    }
    let lost = LostWraps::read(root, areas);
    // Usually nothing wrapped, and no device needs to be examined.
    if lost.as_ref().is_some_and(|lost| lost.nothing) {
        return Ok(());
    }
    let new = areas.iter_mut().filter(|area| is_new(area));
    repair_sizes(root, new, lost.as_ref().and_then(|lost| lost.size))?;
    let large: Vec<&mut SwapArea> = areas.iter_mut().filter(|area| area.wraps > 0).collect();
    repair_use(large, lost.as_ref());
    Ok(())
}

/// Multiples of 4 TiB that fit between the printed size of an area and the size of its device. They are too many for
/// a device that grew after its header was written.
struct Room {
    wraps: u64,
    /// Space on the device beyond the size with these multiples; the largest number if the device cannot be seen.
    remainder: u64,
}

impl Room {
    /// An area whose device cannot be seen may account for the whole loss.
    fn read(root: &Root, area: &SwapArea, lost: Option<u64>) -> Self {
        match block::area_size(root, area).known() {
            Some(real) => {
                let beyond = real.saturating_sub(area.size).0;
                Self { wraps: beyond / WRAP, remainder: beyond % WRAP }
            }
            None => Self { wraps: lost.unwrap_or(0), remainder: u64::MAX },
        }
    }
}

/// Restores sizes that match the total loss. Areas that then fill their devices best come first, since `mkswap` uses
/// the whole device.
fn repair_sizes<'a>(
    root: &Root,
    areas: impl Iterator<Item = &'a mut SwapArea>,
    lost: Option<u64>,
) -> Result<(), Missing> {
    let rooms = areas.map(|area| (Room::read(root, area, lost), area));
    let mut rooms: Vec<_> = rooms.filter(|(room, _)| room.wraps > 0).collect();
    rooms.sort_by_key(|(room, _)| room.remainder);
    let mut left = lost.unwrap_or(u64::MAX);
    for alike in rooms.chunk_by_mut(|(one, _), (other, _)| one.remainder == other.remainder) {
        let fit = alike.iter().fold(0_u64, |sum, (room, _)| sum.saturating_add(room.wraps));
        if (1..fit).contains(&left) && alike.len() > 1 {
            return Err(Missing::failed(
                "/proc/swaps wraps at 4 TiB, and several of its areas may be the larger one",
            ));
        }
        for (room, area) in alike {
            let wraps = left.min(room.wraps);
            left -= wraps;
            area.wraps = u32::try_from(wraps).unwrap_or(u32::MAX);
            area.size = area.size.saturating_add(Bytes(wraps.saturating_mul(WRAP)));
        }
    }
    Ok(())
}

/// Restores the used space of large areas: a single one lost everything that is missing; with several, the
/// loss cannot be attributed.
fn repair_use(mut large: Vec<&mut SwapArea>, lost: Option<&LostWraps>) {
    let alone = large.len() == 1;
    for area in &mut large {
        let printed = area.used.clone();
        area.used = match lost {
            Some(LostWraps { used: 0, .. }) => printed,
            Some(lost) if alone => {
                printed.map(|used| used.saturating_add(Bytes(lost.used.saturating_mul(WRAP))))
            }
            Some(_) => Reading::failed(
                "/proc/swaps wraps at 4 TiB, and the value cannot be repaired with several areas that large",
            ),
            None => Reading::failed(
                "/proc/swaps wraps at 4 TiB, and /proc/meminfo does not give the swap in use",
            ),
        };
    }
}

/// Multiples of 4 TiB that the printed values of all areas lack, compared with meminfo.
struct LostWraps {
    /// Missing while an area is being disabled: meminfo counts only what is left on it.
    size: Option<u64>,
    used: u64,
    /// The sizes add up exactly: nothing wrapped and no area is being disabled.
    nothing: bool,
}

impl LostWraps {
    fn read(root: &Root, areas: &[SwapArea]) -> Option<Self> {
        let meminfo = super::meminfo::read(root);
        let field = |name: &str| meminfo.known()?.get(name).known().copied().map(Bytes::from_kib);
        let total = field("SwapTotal")?;
        let size: Bytes = areas.iter().map(|area| area.size).sum();
        let used = areas.iter().filter_map(|area| area.used.known().copied()).sum();
        Some(Self {
            size: (total >= size && total.saturating_sub(size).0 % WRAP == 0)
                .then(|| wraps_between(size, total)),
            nothing: total == size,
            used: wraps_between(used, total.saturating_sub(field("SwapFree")?)),
        })
    }
}

/// Rounds, since the two files are read one after the other and differ slightly.
fn wraps_between(printed: Bytes, real: Bytes) -> u64 {
    real.saturating_sub(printed).saturating_add(Bytes(WRAP / 2)).0 / WRAP
}

#[cfg(test)]
mod tests;

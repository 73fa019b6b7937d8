//! `/proc/swaps`: the active swap areas.
//!
//! Kernel: `mm/swapfile.c`, all versions with `CONFIG_SWAP`; readable by everyone. Names are bytes
//! with space, tab, newline and backslash in octal; the number of tabs between fields varies.
//! Rows stand in the order of the kernel's type numbers, never of priority. Size wraps at 4 TiB on
//! every kernel, Used on 6.12 and older; both are repaired here. Inside a container the paths are
//! those of the reader's own mount namespace.

use super::{Probe, Tier, block, scan};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Name, Part, Reading};
use crate::root::{Root, parse_u64, unexpected};

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Swaps,
    id: "swaps",
    tier: Tier::Fast,
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

/// Read all areas; one bad row fails the whole, since areas are told apart by their place.
pub fn read(root: &Root) -> Reading<Vec<SwapArea>> {
    root.read(PATH).and_then(|bytes| {
        let mut rows = scan::lines(&bytes);
        match rows.next() {
            Some(head) if head.starts_with(b"Filename") => {}
            head => return unexpected(PATH, "a line of headings", head.unwrap_or_default()),
        }
        let mut areas = Vec::new();
        for row in rows {
            match parse_row(row) {
                Some(area) => areas.push(area),
                None => return unexpected(PATH, "path, type, size, used and priority", row),
            }
        }
        repair_wraps(root, &mut areas);
        Reading::Known(areas)
    })
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
    let used = Bytes::from_kib(parse_u64(fields.next()?)?);
    let priority = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
    // What a later kernel adds at the end changes nothing of these five.
    Some(SwapArea { path, deleted, kind, size, used: Reading::Known(used), priority, wraps: 0 })
}

/// The bytes behind the octal escapes, and whether the kernel marked the name as deleted.
pub(crate) fn unescape(field: &[u8]) -> (Name, bool) {
    let (field, deleted) = match field.strip_suffix(b"\\040(deleted)") {
        Some(path) => (path, true),
        None => (field, false),
    };
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = match (byte, tail) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', tail @ ..]) => {
                bytes.push(((a - b'0') << 6) | ((b - b'0') << 3) | (c - b'0'));
                tail
            }
            (byte, tail) => {
                bytes.push(byte);
                tail
            }
        };
    }
    (Name::new(bytes), deleted)
}

/// Put back what 32 bits lost: the size from the device or file behind the area, the use from what
/// `/proc/meminfo` says of all areas together.
fn repair_wraps(root: &Root, areas: &mut [SwapArea]) {
    repair_sizes(root, areas);
    let large: Vec<usize> =
        (0..).zip(areas.iter()).filter(|(_, a)| a.size.0 > WRAP).map(|(i, _)| i).collect();
    if large.is_empty() {
        return;
    }
    let lost = lost_use(root, areas);
    for &index in &large {
        let Some(area) = areas.get_mut(index) else {
            continue;
        };
        let printed = area.used.clone();
        area.used = match &lost {
            Some(0) => printed,
            Some(wraps) if large.len() == 1 => {
                printed.map(|used| used.saturating_add(Bytes(wraps * WRAP)))
            }
            Some(_) => Reading::failed(
                "/proc/swaps wraps at 4 TiB, and with several areas that large its figure cannot be repaired",
            ),
            None => Reading::failed(
                "/proc/swaps wraps at 4 TiB, and /proc/meminfo does not say how much swap is in use",
            ),
        };
    }
}

/// A device can be larger than the area made on it: what all areas have together, which does not
/// wrap, says how often 4 TiB are missing at most.
fn repair_sizes(root: &Root, areas: &mut [SwapArea]) {
    let fits = |area: &SwapArea| match block::area_size(root, area).known() {
        Some(real) => real.saturating_sub(area.size).0 / WRAP,
        None => 0,
    };
    let fitting: Vec<u64> = areas.iter().map(fits).collect();
    if fitting.iter().all(|wraps| *wraps == 0) {
        return;
    }
    let printed: Bytes = areas.iter().map(|area| area.size).sum();
    let mut left = match memory(root, "SwapTotal") {
        Some(total) => wraps_between(total, printed),
        None => u64::MAX,
    };
    for (area, most) in areas.iter_mut().zip(fitting) {
        let missing = most.min(left);
        left -= missing;
        area.wraps = u32::try_from(missing).unwrap_or(u32::MAX);
        area.size = area.size.saturating_add(Bytes(missing.saturating_mul(WRAP)));
    }
}

/// How many times 4 TiB the printed use of all areas falls short of what meminfo says.
fn lost_use(root: &Root, areas: &[SwapArea]) -> Option<u64> {
    let used = memory(root, "SwapTotal")?.saturating_sub(memory(root, "SwapFree")?);
    let printed: Bytes = areas.iter().filter_map(|area| area.used.known().copied()).sum();
    Some(wraps_between(used, printed))
}

/// The two files are read one after the other: rounded, so that a small difference is no wrap.
fn wraps_between(real: Bytes, printed: Bytes) -> u64 {
    real.saturating_sub(printed).saturating_add(Bytes(WRAP / 2)).0 / WRAP
}

fn memory(root: &Root, field: &str) -> Option<Bytes> {
    let meminfo = super::meminfo::read(root);
    meminfo.known()?.get(field).known().copied().map(Bytes::from_kib)
}

#[cfg(test)]
mod tests;

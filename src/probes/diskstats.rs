//! `/proc/diskstats`: reads, writes and time of every block device, since boot.
//!
//! Kernel: `block/genhd.c`, all versions; readable by everyone. A line has 14 fields, 18 since
//! 4.18 and 20 since 5.5; the later ones (discards, flushes) are not kept. Whole devices and
//! partitions each have a line; zram, loop and device mapper have one as well. The counters of a
//! disk that carries a swap file or several partitions count all of its I/O, not only swap.

use super::{Probe, ReadInterval, scan};
use crate::model::block::{DiskStats, Disks};
use crate::model::{Name, Part, Reading};
use crate::root::{Root, parse_u64, unexpected};

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Diskstats,
    id: "diskstats",
    tier: ReadInterval::Fast,
    files: &["proc/diskstats"],
    about: "Reads, writes and busy time of block devices",
    remedy: "mount proc on /proc; inside a container the host's devices may be hidden",
};

const PATH: &str = "proc/diskstats";

/// Reads the counters of all devices, by their names in `/sys/block`.
pub fn read(root: &Root) -> Reading<Disks> {
    root.read(PATH).and_then(|bytes| {
        let devices: Disks = scan::lines(&bytes).filter_map(parse_line).collect();
        if devices.names().next().is_none() && !bytes.trim_ascii().is_empty() {
            return unexpected(PATH, "lines with a device and at least 11 counters", &bytes);
        }
        Reading::Known(devices)
    })
}

fn parse_line(line: &[u8]) -> Option<(String, DiskStats)> {
    let mut fields = scan::fields(line);
    let number = |field: Option<&[u8]>| u32::try_from(parse_u64(field?)?).ok();
    let (major, minor) = (number(fields.next())?, number(fields.next())?);
    // sysfs writes an exclamation mark for a slash: cciss/c0d0 is cciss!c0d0.
    let name = Name::new(fields.next()?).safe().replace('/', "!");
    let mut next = || parse_u64(fields.next()?);
    let (reads, _merged, read_sectors, read_ms) = (next()?, next()?, next()?, next()?);
    let (writes, _merged, write_sectors, write_ms) = (next()?, next()?, next()?, next()?);
    let (in_flight, busy_ms, _weighted) = (next()?, next()?, next()?);
    let stats = DiskStats {
        major,
        minor,
        reads,
        read_sectors,
        read_ms,
        writes,
        write_sectors,
        write_ms,
        in_flight,
        busy_ms,
    };
    Some((name, stats))
}

#[cfg(test)]
mod tests;

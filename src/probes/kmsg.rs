//! Discard modes of active areas, and failed reads of their devices, which only the kernel log shows.
//!
//! Kernel, discard modes: the last `pr_info` of `swapon(2)`, the same in all versions:
//! `Adding 131068k swap on /dev/sda2.  Priority:-2 extents:1 across:131068k SSDsc`, where D stands for
//! discard, s for once at swapon, c for pages as they become free. The name is the one given to `swapon`;
//! links in it are not resolved. Reading the log usually needs root, and old lines get lost.
//!
//! Kernel, failed reads: `Read-error on swap-device (8:0:1234)` of `mm/page_io.c`, with the whole disk and the
//! sector, the same in all versions; at most ten lines in five seconds. So areas on partitions of one disk have
//! the same failures. The disk of a swap file is that of its file system, which has another number on btrfs.
//!
//! Not done here: this is no part of snapshots; only changes need it.

use super::{block, scan};
use crate::model::activation::Discard;
use crate::model::swaparea::SwapArea;
use crate::model::{Name, Reading};
use crate::root::{FileFacts, KernelLog, Root};
use std::collections::BTreeMap;

/// The discard mode of each area.
pub fn discards(root: &Root, areas: &[SwapArea]) -> Vec<Reading<Discard>> {
    let log = root.kernel_log();
    let told: Reading<Vec<(Name, Discard)>> =
        log.map(|records| records.iter().filter_map(|record| parse_swapon(record)).collect());
    areas.iter().map(|area| told.as_ref().and_then(|told| discard_for(root, area, told))).collect()
}

/// The last log entry of an area, or of another name of its device or file.
fn discard_for(root: &Root, area: &SwapArea, told: &[(Name, Discard)]) -> Reading<Discard> {
    match told.iter().rfind(|(name, _)| is_same(root, name, &area.path)) {
        Some((_, discard)) => Reading::Known(*discard),
        None => Reading::absent(format!(
            "the kernel log no longer has the swapon line of {}",
            area.path.safe()
        )),
    }
}

/// Whether two names are those of one device or file, such as `/dev/mapper/swap` and `/dev/dm-0`.
fn is_same(root: &Root, name: &Name, other: &Name) -> bool {
    let identity = |name: &Name| root.facts(name.as_path()).known().map(FileFacts::identity);
    name == other || identity(name).is_some_and(|own| identity(other) == Some(own))
}

/// Failed reads by major and minor number of the device.
type Counts = BTreeMap<(u32, u32), u64>;

/// The failed reads that the kernel log lists.
#[derive(Debug, Default)]
pub struct ReadErrors {
    /// The log up to its last known record.
    log: Option<KernelLog>,
    counts: Counts,
    /// The counts at each swapon that the log had at the first reading, oldest first. Earlier failures do not
    /// count: the number may have belonged to another device.
    at_swapon: Vec<(Name, Counts)>,
    /// The areas that were asked about.
    areas: BTreeMap<Name, WatchedArea>,
}

/// An area as it was first looked at: its device may be removed later.
#[derive(Clone, Copy, Debug)]
struct WatchedArea {
    /// The number of its disk.
    disk: (u32, u32),
    /// Failed reads of the disk before the area was enabled.
    earlier: u64,
}

impl ReadErrors {
    /// The number of failed reads of the disk of an area since the area was enabled, as far as the log lists
    /// them.
    pub fn of_area(&mut self, root: &Root, path: &Name) -> u64 {
        if let Some(log) = &mut self.log {
            if let Reading::Known(records) = log.new_records() {
                self.count(&records);
            }
        } else if let Reading::Known(mut log) = root.open_kernel_log() {
            if let Reading::Known(records) = log.new_records() {
                self.count_with_swapons(&records);
            }
            self.log = Some(log);
        }
        let known = self.areas.get(path).copied();
        let Some(area) = known.or_else(|| Some(self.watched(root, path, disk_of(root, path)?)))
        else {
            return 0;
        };
        self.areas.insert(path.clone(), area);
        self.since_swapon(area)
    }

    fn watched(&self, root: &Root, path: &Name, disk: (u32, u32)) -> WatchedArea {
        let enabled = self.at_swapon.iter().rfind(|(name, _)| is_same(root, name, path));
        let earlier = enabled.and_then(|(_, counts)| counts.get(&disk)).copied().unwrap_or(0);
        WatchedArea { disk, earlier }
    }

    fn since_swapon(&self, area: WatchedArea) -> u64 {
        self.counts.get(&area.disk).copied().unwrap_or(0).saturating_sub(area.earlier)
    }

    fn count(&mut self, records: &[Vec<u8>]) {
        for device in records.iter().filter_map(|record| parse_read_error(record)) {
            *self.counts.entry(device).or_default() += 1;
        }
    }

    /// Counts failed reads, and notes the counts at each swapon. Only for the first reading: an area that a plan
    /// disables and enables again keeps its count.
    fn count_with_swapons(&mut self, records: &[Vec<u8>]) {
        for record in records {
            self.count(std::slice::from_ref(record));
            if let Some((path, _)) = parse_swapon(record) {
                self.at_swapon.push((path, self.counts.clone()));
            }
        }
    }
}

/// The disk of an area, or of the file system that a swap file is on.
fn disk_of(root: &Root, path: &Name) -> Option<(u32, u32)> {
    let facts = root.facts(path.as_path()).into_result().ok()?;
    let device = facts.block_device.unwrap_or(facts.on_device);
    Some(disk_of_partition(root, device).unwrap_or(device))
}

/// The number of the disk, if the device is a partition.
fn disk_of_partition(root: &Root, (major, minor): (u32, u32)) -> Option<(u32, u32)> {
    let link = root.link(format!("sys/dev/block/{major}:{minor}")).into_result().ok()?;
    let disk = block::parent(root, link.file_name()?.to_str()?)?;
    let number = root.line(format!("sys/block/{disk}/dev")).into_result().ok()?;
    let (major, minor) = number.split_once(':')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The device of a failed read.
pub fn parse_read_error(record: &[u8]) -> Option<(u32, u32)> {
    let place = text_of(record)?.strip_prefix(b"Read-error on swap-device (")?;
    let mut numbers = place
        .split(|byte| *byte == b':')
        .map(|digits| std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()));
    Some((numbers.next()??, numbers.next()??))
}

/// The text of a record, without its numbers and properties.
fn text_of(record: &[u8]) -> Option<&[u8]> {
    let text = record.split(|byte| *byte == b'\n').next()?;
    let begin = text.iter().position(|byte| *byte == b';')? + 1;
    text.get(begin..)
}

/// The area that was enabled, and its discard mode.
pub fn parse_swapon(record: &[u8]) -> Option<(Name, Discard)> {
    let text = text_of(record)?.strip_prefix(b"Adding ")?;
    let name = after(text, b" swap on ")?;
    // A name may contain anything: the last such words are the kernel's.
    let end = name.windows(PRIORITY.len()).rposition(|words| words == PRIORITY)?;
    let across = after(name.get(end..)?, b" across:")?;
    let flags = across.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
    let flags = flags.strip_prefix(b"SS").unwrap_or(flags);
    let has = |flag: u8| flags.contains(&flag);
    let discard = match (has(b'D'), has(b's'), has(b'c')) {
        (true, true, true) => Discard::Both,
        (true, true, false) => Discard::Once,
        (true, false, true) => Discard::Pages,
        _ => Discard::None,
    };
    let name = scan::unescape(name.get(..end)?, scan::hex_escape);
    Some((Name::new(name), discard))
}

const PRIORITY: &[u8] = b".  Priority:";

/// The text after these words.
fn after<'a>(text: &'a [u8], words: &[u8]) -> Option<&'a [u8]> {
    let place = text.windows(words.len()).position(|window| window == words)?;
    text.get(place + words.len()..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    #[test]
    fn the_log_gives_the_discard_mode_of_an_area() {
        let record = |name: &str, flags: &str| {
            let text = format!(
                "6,412,3356,-;Adding 131068k swap on {name}.  Priority:10 extents:1 across:131068k {flags}\n SUBSYSTEM=x\n"
            );
            parse_swapon(text.as_bytes())
        };
        for (flags, discard) in [
            ("SS", Discard::None),
            ("", Discard::None),
            ("D", Discard::None),
            ("SSDs", Discard::Once),
            ("Dc", Discard::Pages),
            ("SSDscFS", Discard::Both),
        ] {
            assert_eq!(record("/dev/sda2", flags), Some(("/dev/sda2".into(), discard)), "{flags}");
        }
        assert_eq!(
            record("/m\\xc3\\xa4 \\x5cx41", ""),
            Some(("/m\u{e4} \\x41".into(), Discard::None))
        );
        let odd = "/a.  Priority:1 across:b";
        assert_eq!(record(odd, "SSDs"), Some((odd.into(), Discard::Once)));
    }

    #[test]
    fn the_log_gives_the_device_of_a_failed_read() {
        let device = |text: &str| parse_read_error(format!("1,9,8,-;{text}\n A=x\n").as_bytes());
        assert_eq!(device("Read-error on swap-device (254:0:4312)"), Some((254, 0)));
        for other in ["Read-error on swap-device (254", "Read-error on swap-device", "x (1:2:3)"] {
            assert_eq!(device(other), None, "{other}");
        }
    }

    #[test]
    fn failed_reads_count_since_an_area_was_enabled() {
        let record = |text: &str| format!("1,9,8,-;{text}\n").into_bytes();
        let failed = |minor: u32| record(&format!("Read-error on swap-device (8:{minor}:16)"));
        let enabled = |name: &str| {
            record(&format!("Adding 9k swap on {name}.  Priority:1 extents:1 across:9k SS"))
        };
        let mut errors = ReadErrors::default();
        let (a, b) = (Name::from("/dev/sda"), Name::from("/dev/sdb"));
        errors.count_with_swapons(&[failed(0), failed(16), enabled("/dev/sda"), failed(0)]);
        let tree = TestTree::new();
        let root = tree.root();
        let since = |errors: &ReadErrors, name, disk| {
            errors.since_swapon(errors.watched(&root, name, disk))
        };
        assert_eq!((since(&errors, &a, (8, 0)), since(&errors, &b, (8, 16))), (1, 1));
        errors.count(&[failed(0), enabled("/dev/sda"), failed(16)]);
        assert_eq!((since(&errors, &a, (8, 0)), since(&errors, &b, (8, 16))), (2, 2));
        assert_eq!(since(&errors, &a, (8, 99)), 0);
        // The log has the name given to swapon.
        tree.write("dev/dm-0", "");
        tree.link("dev/mapper/swap", "../dm-0");
        errors.count_with_swapons(&[failed(7), enabled("/dev/mapper/swap"), failed(7)]);
        assert_eq!(since(&errors, &"/dev/dm-0".into(), (8, 7)), 1);
    }

    #[test]
    fn the_log_has_the_disk_of_a_partition() {
        let tree =
            TestTree::with(&[("sys/block/sda/dev", "8:0\n"), ("sys/block/sda/sda2/size", "9\n")]);
        tree.link("sys/dev/block/8:2", "../../block/sda/sda2");
        tree.link("sys/dev/block/8:0", "../../block/sda");
        assert_eq!(disk_of_partition(&tree.root(), (8, 2)), Some((8, 0)));
        for disk in [(8, 0), (253, 1)] {
            assert_eq!(disk_of_partition(&tree.root(), disk), None);
        }
    }

    #[test]
    fn other_lines_are_ignored() {
        for line in ["", ";", "6,1,2,-;Adding", "6,1,2,-;Adding 1k swap on /x", "x Adding 1k swap"]
        {
            assert_eq!(parse_swapon(line.as_bytes()), None, "{line}");
        }
    }
}

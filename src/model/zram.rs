//! Compressed swap in memory: zram devices, how one is or is to be set up, and zswap.

use super::candidate::Signature;
use super::name::Name;
use super::paging::{BracketedChoice, Counters};
use super::reading::Reading;
use super::units::{Bytes, Pages};
use serde::{Deserialize, Serialize};

/// `mm_stat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MmStat {
    /// Data stored, uncompressed; includes same-filled pages and pages written back.
    pub orig_data: Bytes,
    /// The same compressed; excludes same-filled pages and pages written back.
    pub compr_data: Bytes,
    /// Memory the allocator took for it, fragmentation included.
    pub mem_used: Bytes,
    /// Limit on that memory; zero is no limit.
    pub mem_limit: Bytes,
    /// Largest that memory ever was.
    pub mem_used_max: Bytes,
    /// Pages filled with one repeated value: they need no memory.
    pub same_pages: Pages,
    /// Pages freed by compaction.
    pub pages_compacted: Pages,
    /// Pages that did not compress.
    pub huge_pages: Reading<Pages>,
    /// The same, counted since the device was set up (kernel 5.12 and later).
    pub huge_pages_since: Reading<Pages>,
}

/// `bd_stat`, in 4 KiB units whatever the page size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BdStat {
    /// Pages now on the backing device.
    pub count: u64,
    /// Pages read from it, ever.
    pub reads: u64,
    /// Pages written to it, ever.
    pub writes: u64,
}

/// `io_stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoStat {
    /// Reads that failed.
    pub failed_reads: u64,
    /// Writes that failed, for example at the memory limit.
    pub failed_writes: u64,
    /// Requests that were not page aligned; always zero since 6.12.
    pub invalid_io: u64,
    /// Slots freed by the swap code.
    pub notify_free: u64,
}

/// `debug_stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebugStat {
    /// Writes that had to wait for memory; always zero on 6.18 and later.
    pub writestall: u64,
    /// Slot frees that were skipped because the slot was locked.
    pub miss_free: u64,
}

/// One zram device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZramDevice {
    /// The kernel's name, such as `zram0`.
    pub name: String,
    /// Has a size been set?
    pub initialised: Reading<bool>,
    /// Size of the disk it presents; no memory is reserved for it.
    pub disksize: Reading<Bytes>,
    /// The algorithms offered and the one in use.
    pub algorithm: Reading<BracketedChoice>,
    /// Algorithms for recompression, first priority first.
    pub recomp_algorithms: Reading<Vec<BracketedChoice>>,
    /// Compression streams; gone from 6.18 on.
    pub max_comp_streams: Reading<u64>,
    /// Where written-back pages go; absent when none is set.
    pub backing_dev: Reading<Name>,
    /// Pages of 4 KiB that may still be written back, if the limit is on.
    pub writeback_limit: Reading<u64>,
    /// Is that limit in force?
    pub writeback_limit_enable: Reading<bool>,
    /// Pages written back at a time (7.x).
    pub writeback_batch_size: Reading<u64>,
    /// Are pages written back compressed (7.x)?
    pub compressed_writeback: Reading<bool>,
    /// Memory statistics.
    pub mm: Reading<MmStat>,
    /// I/O statistics.
    pub io: Reading<IoStat>,
    /// Backing device statistics.
    pub bd: Reading<BdStat>,
    /// Debug statistics.
    pub debug: Reading<DebugStat>,
    /// Bytes with which it remembers each page of its disk, beside what it stores.
    #[serde(default = "Reading::not_sampled")]
    pub entry: Reading<Bytes>,
}

/// zswap, a compressed cache in front of the swap areas: parameters, and the counters in debugfs. Pool and stored size come from `/proc/meminfo` where
/// it has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zswap {
    /// Are new pages stored?
    pub enabled: Reading<bool>,
    /// The compression algorithm.
    pub compressor: Reading<String>,
    /// The allocator behind the pool; gone from 6.18 on.
    pub zpool: Reading<String>,
    /// Largest pool, in percent of memory.
    pub max_pool_percent: Reading<u64>,
    /// After the pool was full: the level, in percent, below which pages are taken again.
    pub accept_threshold_percent: Reading<u64>,
    /// Are cold pages written back before the pool is full?
    pub shrinker_enabled: Reading<bool>,
    /// Are same-filled pages kept without memory? Gone from 6.12 on.
    pub same_filled_pages_enabled: Reading<bool>,
    /// Are other pages kept at all? Only on 6.1.
    pub non_same_filled_pages_enabled: Reading<bool>,
    /// All of `/sys/kernel/debug/zswap`; absent on 6.12 and later until zswap is first enabled.
    pub debug: Reading<Counters>,
}

/// How a zram device is, or is to be, set up: all that is lost when it is reset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZramSettings {
    /// The size of the disk that it presents; zero: it is there, but not set up.
    pub size: Bytes,
    /// How it compresses; none where the kernel may choose.
    pub algorithm: Option<String>,
    /// How it can compress once more, with the number of each.
    pub recompression: Vec<(u64, String)>,
    /// How much memory it may take; zero is no limit.
    pub limit: Bytes,
    /// The device to which pages can be written back.
    pub backing: Option<Name>,
}

impl ZramSettings {
    /// Is this what a device shows that was set up so?
    pub fn matches_shown(&self, shown: &Self) -> bool {
        let algorithm = self.algorithm.is_none() || self.algorithm == shown.algorithm;
        algorithm && *self == Self { algorithm: self.algorithm.clone(), ..shown.clone() }
    }

    /// The same, apart from the limit on its memory?
    pub fn eq_except_limit(&self, other: &Self) -> bool {
        Self { limit: other.limit, ..self.clone() } == *other
    }
}

/// The node of a zram device.
pub fn device_path(number: u64) -> Name {
    Name::from(format!("/dev/zram{number}").as_str())
}

/// Its folder in sysfs.
pub fn sysfs_folder(number: u64) -> Name {
    Name::from(format!("/sys/block/zram{number}").as_str())
}

/// The number of a device with such a node.
pub fn device_number(node: &Name) -> Option<u64> {
    let digits = std::str::from_utf8(node.as_bytes().strip_prefix(b"/dev/zram")?).ok()?;
    // Neither zeros before it nor signs.
    digits.parse().ok().filter(|number: &u64| number.to_string() == digits)
}

/// Somebody who has a device open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opener {
    /// The number of the process.
    pub pid: u32,
    /// Its name.
    pub name: String,
}

/// What stands in the way of resetting a device, and what would be lost by it.
#[derive(Clone, Debug, PartialEq)]
pub struct ZramUsers {
    /// Its number.
    pub number: u64,
    /// Where it is mounted, if it is.
    pub mounted: Option<Name>,
    /// The devices that are made of it.
    pub holders: Vec<String>,
    /// The processes that have it open, as far as we may see.
    pub openers: Vec<Opener>,
    /// What stands in its first page.
    pub signature: Reading<Signature>,
    /// What is stored on it, uncompressed.
    pub stored: Reading<Bytes>,
    /// Can its algorithm have been given parameters? They can be written only.
    pub params: bool,
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// What a device holds, and the memory that it takes.
    pub(crate) fn mm_stat(orig: u64, memory: u64) -> MmStat {
        MmStat {
            orig_data: Bytes(orig),
            compr_data: Bytes(memory),
            mem_used: Bytes(memory),
            mem_limit: Bytes(0),
            mem_used_max: Bytes(memory),
            same_pages: Pages(0),
            pages_compacted: Pages(0),
            huge_pages: Reading::Known(Pages(0)),
            huge_pages_since: Reading::Known(Pages(0)),
        }
    }

    /// A device that holds this; nothing else is known of it.
    pub(crate) fn device(name: &str, mm: MmStat) -> ZramDevice {
        ZramDevice { mm: Reading::Known(mm), ..unknown(name) }
    }

    /// A device of which nothing is known but that it is there.
    pub(crate) fn unknown(name: &str) -> ZramDevice {
        let none = || Reading::not_sampled();
        ZramDevice {
            name: name.to_owned(),
            initialised: Reading::Known(true),
            disksize: Reading::Known(Bytes(268_435_456)),
            algorithm: Reading::not_sampled(),
            recomp_algorithms: Reading::not_sampled(),
            max_comp_streams: none(),
            backing_dev: Reading::not_sampled(),
            writeback_limit: none(),
            writeback_limit_enable: Reading::not_sampled(),
            writeback_batch_size: none(),
            compressed_writeback: Reading::not_sampled(),
            mm: Reading::not_sampled(),
            io: Reading::not_sampled(),
            bd: Reading::not_sampled(),
            debug: Reading::not_sampled(),
            entry: Reading::not_sampled(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_known_by_its_node() {
        assert_eq!([device_number(&device_path(0)), device_number(&device_path(12))], [Some(0), Some(12)]);
        for other in ["/dev/zram", "/dev/zram01", "/dev/zram+1", "/dev/sda", "/dev/zram1x"] {
            assert_eq!(device_number(&other.into()), None, "{other}");
        }
    }

    #[test]
    fn settings_left_to_the_kernel_match_anything() {
        let shown = ZramSettings { size: Bytes(4096), algorithm: Some("lz4".into()), ..ZramSettings::default() };
        assert!(ZramSettings { size: Bytes(4096), ..ZramSettings::default() }.matches_shown(&shown));
        assert!(shown.matches_shown(&shown));
        assert!(!ZramSettings { algorithm: Some("zstd".into()), ..shown.clone() }.matches_shown(&shown));
        assert!(!ZramSettings { limit: Bytes(4096), ..shown.clone() }.matches_shown(&shown));
    }
}

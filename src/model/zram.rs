//! Compressed swap in memory: zram devices, their settings, and zswap.

use super::candidate::Signature;
use super::name::Name;
use super::paging::{BracketedChoice, Counters};
use super::reading::{Missing, Reading};
use super::units::{Bytes, Pages};
use serde::{Deserialize, Serialize};

/// `mm_stat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MmStat {
    /// Stored data before compression, including same-filled and written-back pages.
    pub orig_data: Bytes,
    /// Compressed size, excluding same-filled and written-back pages.
    pub compr_data: Bytes,
    /// Memory used by the allocator, including fragmentation.
    pub mem_used: Bytes,
    /// Limit on that memory; zero means unlimited.
    pub mem_limit: Bytes,
    /// Highest use of that memory.
    pub mem_used_max: Bytes,
    /// Pages of one repeated value, which need no memory.
    pub same_pages: Pages,
    /// Pages freed by compaction.
    pub pages_compacted: Pages,
    /// Incompressible pages.
    pub huge_pages: Reading<Pages>,
    /// Incompressible pages since the device was set up (kernel 5.12 and later).
    pub huge_pages_since: Reading<Pages>,
}

/// `bd_stat`, in 4 KiB units whatever the page size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BdStat {
    /// Pages on the backing device.
    pub count: u64,
    /// Pages read from it, in total.
    pub reads: u64,
    /// Pages written to it, in total.
    pub writes: u64,
}

/// `io_stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoStat {
    /// Reads that failed.
    pub failed_reads: u64,
    /// Writes that failed, for example at the memory limit.
    pub failed_writes: u64,
    /// Requests that were not page aligned; always 0 since 6.12.
    pub invalid_io: u64,
    /// Slots freed by the swap code.
    pub notify_free: u64,
}

/// `debug_stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebugStat {
    /// Writes that waited for memory; always 0 since 6.18.
    pub writestall: u64,
    /// Slots not freed at once because they were locked.
    pub miss_free: u64,
}

/// One zram device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZramDevice {
    /// Kernel name, such as `zram0`.
    pub name: String,
    /// Whether a size is set.
    pub initialised: Reading<bool>,
    /// Size of the virtual disk; no memory is reserved for it.
    pub disksize: Reading<Bytes>,
    /// Available algorithms and the current one.
    pub algorithm: Reading<BracketedChoice>,
    /// Recompression algorithms, by priority.
    pub recomp_algorithms: Reading<Vec<BracketedChoice>>,
    /// Compression streams; removed in 6.18.
    pub max_comp_streams: Reading<u64>,
    /// Backing device for writeback; absent if none is set.
    pub backing_dev: Reading<Name>,
    /// Remaining writeback budget in 4 KiB pages, if the limit is enabled.
    pub writeback_limit: Reading<u64>,
    /// Whether the writeback limit is enabled.
    pub writeback_limit_enable: Reading<bool>,
    /// Pages per writeback batch (7.x).
    pub writeback_batch_size: Reading<u64>,
    /// Whether pages are written back compressed (7.x).
    pub compressed_writeback: Reading<bool>,
    /// Memory statistics.
    pub mm: Reading<MmStat>,
    /// I/O statistics.
    pub io: Reading<IoStat>,
    /// Backing device statistics.
    pub bd: Reading<BdStat>,
    /// Debug statistics.
    pub debug: Reading<DebugStat>,
    /// Bytes per page in its page table.
    #[serde(default = "Reading::not_sampled")]
    pub entry: Reading<Bytes>,
    /// Set if the device did not answer, and earlier figures stand in for the missing ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<KeptFigures>,
}

/// Earlier figures of a device that did not answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFigures {
    /// The age in nanoseconds.
    pub age_ns: u64,
    /// Why the device did not answer; never known.
    pub answer: Reading<()>,
}

impl ZramDevice {
    /// Fills in figures that could not be read from an earlier sample of this device, taken this long ago.
    pub fn keep(&mut self, last: &Self, elapsed_ns: u64) {
        if self.name != last.name || self.disksize != last.disksize {
            return;
        }
        let mut why = None;
        keep(&mut self.mm, &last.mm, &mut why);
        keep(&mut self.bd, &last.bd, &mut why);
        keep(&mut self.io, &last.io, &mut why);
        keep(&mut self.debug, &last.debug, &mut why);
        keep(&mut self.algorithm, &last.algorithm, &mut why);
        keep(&mut self.backing_dev, &last.backing_dev, &mut why);
        self.kept = why.map(|why| {
            let age = last.kept.as_ref().map_or(0, |kept| kept.age_ns);
            KeptFigures { age_ns: age.saturating_add(elapsed_ns), answer: why.into() }
        });
    }
}

fn keep<T: Clone>(now: &mut Reading<T>, last: &Reading<T>, why: &mut Option<Missing>) {
    let Reading::Missing { missing: missing @ Missing::Failed(_) } = now else { return };
    match last {
        Reading::Known(_) => {
            why.get_or_insert_with(|| missing.clone());
            *now = last.clone();
        }
        // A file that this kernel does not have stays absent.
        Reading::Missing { missing: Missing::Absent(_) } => *now = last.clone(),
        Reading::Missing { .. } => {}
    }
}

/// zswap, a compressed cache in front of the swap areas: parameters, and counters in debugfs. Pool and stored
/// size come from `/proc/meminfo` if available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zswap {
    /// Whether new pages are stored.
    pub enabled: Reading<bool>,
    /// Compression algorithm.
    pub compressor: Reading<String>,
    /// Allocator of the pool; removed in 6.18.
    pub zpool: Reading<String>,
    /// Largest pool in percent of memory.
    pub max_pool_percent: Reading<u64>,
    /// Percentage of the limit below which a full pool accepts pages again.
    pub accept_threshold_percent: Reading<u64>,
    /// Whether cold pages are written back before the pool is full.
    pub shrinker_enabled: Reading<bool>,
    /// Whether same-filled pages are stored without memory; removed in 6.12.
    pub same_filled_pages_enabled: Reading<bool>,
    /// Whether other pages are stored; only on 6.1.
    pub non_same_filled_pages_enabled: Reading<bool>,
    /// All of `/sys/kernel/debug/zswap`; absent on 6.12 and later until zswap is first enabled.
    pub debug: Reading<Counters>,
}

/// Settings of a zram device, which are lost when it is reset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZramSettings {
    /// Size of the virtual disk; zero if it is not set up.
    pub size: Bytes,
    /// Compression algorithm; `None` lets the kernel choose.
    pub algorithm: Option<String>,
    /// Recompression algorithms with their priorities.
    pub recompression: Vec<(u64, String)>,
    /// Memory limit; zero means unlimited.
    pub limit: Bytes,
    /// Backing device for writeback.
    pub backing: Option<Name>,
}

impl ZramSettings {
    /// Whether a device that shows `shown` has these settings.
    pub fn matches_shown(&self, shown: &Self) -> bool {
        let algorithm = self.algorithm.is_none() || self.algorithm == shown.algorithm;
        algorithm && *self == Self { algorithm: self.algorithm.clone(), ..shown.clone() }
    }

    /// Whether settings are equal except for the memory limit.
    pub fn eq_except_limit(&self, other: &Self) -> bool {
        Self { limit: other.limit, ..self.clone() } == *other
    }
}

/// Path of a zram device.
pub fn device_path(number: u64) -> Name {
    Name::from(format!("/dev/zram{number}").as_str())
}

/// Folder of a zram device in sysfs.
pub fn sysfs_folder(number: u64) -> Name {
    Name::from(format!("/sys/block/zram{number}").as_str())
}

/// Number of a zram device with this path.
pub fn device_number(node: &Name) -> Option<u64> {
    number_from_name(node.as_bytes().strip_prefix(b"/dev/")?)
}

/// Number of a zram device with this name of the kernel.
pub fn number_from_name(name: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(name.strip_prefix(b"zram")?).ok()?;
    // No leading zeros or signs.
    digits.parse().ok().filter(|number: &u64| number.to_string() == digits)
}

/// A process that has a device open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opener {
    /// Process ID.
    pub pid: u32,
    /// Name of the process.
    pub name: String,
}

/// Users of a zram device that prevent a reset, and the data that a reset would lose.
#[derive(Clone, Debug, PartialEq)]
pub struct ZramUsers {
    /// Number of the device.
    pub number: u64,
    /// Mount point, if it is mounted.
    pub mounted: Option<Name>,
    /// Devices built on top of it.
    pub holders: Vec<String>,
    /// Processes that have it open, as far as visible.
    pub openers: Vec<Opener>,
    /// Signature in its first page.
    pub signature: Reading<Signature>,
    /// Stored data before compression.
    pub stored: Reading<Bytes>,
    /// Whether its algorithm may have parameters, which are write-only.
    pub params: bool,
}

/// Values for tests, also of other packages.
#[cfg(any(test, feature = "testing"))]
pub mod testing;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_known_by_its_node() {
        assert_eq!(
            [device_number(&device_path(0)), device_number(&device_path(12))],
            [Some(0), Some(12)]
        );
        for other in ["/dev/zram", "/dev/zram01", "/dev/zram+1", "/dev/sda", "/dev/zram1x"] {
            assert_eq!(device_number(&other.into()), None, "{other}");
        }
    }

    #[test]
    fn figures_of_a_device_that_does_not_answer_are_kept_with_their_age() {
        let at = |seconds: u64| seconds * 1_000_000_000;
        let answered = testing::device("zram0", testing::mm_stat(40 << 20, 10 << 20));
        let late = ZramDevice { mm: Reading::failed("late"), ..answered.clone() };
        let mut now = late.clone();
        now.keep(&answered, at(2));
        assert_eq!(now.mm, answered.mm);
        let kept = KeptFigures { age_ns: at(2), answer: Reading::failed("late") };
        assert_eq!(now.kept, Some(kept));
        let mut later = late.clone();
        later.keep(&now, at(3));
        assert_eq!(later.kept.as_ref().map(|kept| kept.age_ns), Some(at(5)));
        let mut again = answered.clone();
        again.keep(&later, at(1));
        assert_eq!(again, answered, "fresh figures have no age");
        for other in [
            ZramDevice { disksize: Reading::Known(Bytes(1)), ..late.clone() },
            ZramDevice { name: "zram1".to_owned(), ..late.clone() },
            ZramDevice { mm: Reading::absent("no such file"), ..late.clone() },
        ] {
            let mut now = other.clone();
            now.keep(&answered, at(1));
            assert_eq!(now, other, "another device, or nothing to stand in for");
        }
        let mut nothing = late.clone();
        nothing.keep(&late, at(1));
        assert_eq!(nothing, late);
    }

    #[test]
    fn settings_left_to_the_kernel_match_anything() {
        let shown = ZramSettings {
            size: Bytes(4096),
            algorithm: Some("lz4".into()),
            ..ZramSettings::default()
        };
        assert!(
            ZramSettings { size: Bytes(4096), ..ZramSettings::default() }.matches_shown(&shown)
        );
        assert!(shown.matches_shown(&shown));
        assert!(
            !ZramSettings { algorithm: Some("zstd".into()), ..shown.clone() }.matches_shown(&shown)
        );
        assert!(!ZramSettings { limit: Bytes(4096), ..shown.clone() }.matches_shown(&shown));
    }
}

//! zram devices: all statistics files of all kernel generations.

use super::name::Name;
use super::reading::Reading;
use super::thp::Choice;
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
    pub algorithm: Reading<Choice>,
    /// Algorithms for recompression, first priority first.
    pub recomp_algorithms: Reading<Vec<Choice>>,
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

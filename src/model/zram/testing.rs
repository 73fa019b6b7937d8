use super::{Counters, MmStat, ZramDevice, Zswap};
use crate::{Bytes, Pages, Reading};

/// Statistics of a device with this data and memory.
pub fn mm_stat(orig: u64, memory: u64) -> MmStat {
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

/// A device with these statistics and no other data.
pub fn device(name: &str, mm: MmStat) -> ZramDevice {
    ZramDevice { mm: Reading::Known(mm), ..unknown(name) }
}

/// zswap with these counters in debugfs, and nothing else known.
pub fn zswap(enabled: bool, debug: &[(&str, u64)]) -> Zswap {
    let debug = debug.iter().map(|(name, count)| ((*name).into(), *count)).collect();
    Zswap {
        enabled: Reading::Known(enabled),
        compressor: Reading::not_sampled(),
        zpool: Reading::not_sampled(),
        max_pool_percent: Reading::not_sampled(),
        accept_threshold_percent: Reading::not_sampled(),
        shrinker_enabled: Reading::not_sampled(),
        same_filled_pages_enabled: Reading::not_sampled(),
        non_same_filled_pages_enabled: Reading::not_sampled(),
        debug: Reading::Known(Counters::new("zswap", debug)),
    }
}

/// A device without any data.
pub fn unknown(name: &str) -> ZramDevice {
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
        kept: None,
    }
}

//! zswap: a compressed cache in front of the swap areas.

use super::counters::Counters;
use super::reading::Reading;
use serde::{Deserialize, Serialize};

/// Parameters, and the counters in debugfs. Pool and stored size come from `/proc/meminfo` where
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

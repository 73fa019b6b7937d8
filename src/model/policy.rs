//! Thresholds for marks and findings. Shares are fractions: 0.80 is 80 %.

use serde::{Deserialize, Serialize};

/// The configurable thresholds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Policy {
    /// Use of all swap from which it is marked as filling up; a full area is normal while others have room.
    pub use_warn: f64,
    /// Use of all swap from which it is full, and critical if memory is short too.
    pub use_crit: f64,
    /// PSI memory some from which it is marked.
    pub pressure_some: f64,
    /// PSI memory full from which it is marked.
    pub pressure_full: f64,
    /// Imbalance of a priority group from which it is marked.
    pub imbalance_warn: f64,
    /// Readahead hit rate below which readahead is wasteful.
    pub readahead_low: f64,
    /// Share of swap reads that were read ahead, below which wasted readahead is negligible.
    pub ahead_least: f64,
    /// Minimum number of swapped large folios of a size for a judgement.
    pub folios_least: f64,
    /// Share of large folios split before swap-out from which it is marked.
    pub fallback_warn: f64,
    /// Share of large folios split before swap-out from which it is critical.
    pub fallback_crit: f64,
    /// Fill level of the zswap pool from which it is marked.
    pub zswap_fill_warn: f64,
    /// Compression ratio of zram below which it is marked.
    pub zram_ratio_low: f64,
    /// Minimum MiB of data on a zram device for a judgement of its compression.
    pub zram_least: f64,
    /// Share of zram memory lost to fragmentation from which compaction is advised.
    pub lost_warn: f64,
    /// Share of incompressible data on zram from which it is noted.
    pub huge_warn: f64,
    /// Use of the memory limit of a zram device from which it is marked.
    pub limit_warn: f64,
    /// Share of all memory up to which a higher limit is advised for a zram device.
    pub limit_most: f64,
    /// Time to full in seconds below which it is critical.
    pub full_soon: f64,
    /// Available share of all memory below which memory is short.
    pub memory_low: f64,
    /// Use of all swap below which idle data in swap is not noted.
    pub idle_use: f64,
    /// Share of memory below which an area counts as small.
    pub area_small: f64,
    /// Mean MiB per extent below which a swap file is fragmented.
    pub extent_small: f64,
    /// Share of memory for slot metadata from which it is marked.
    pub metadata_warn: f64,
    /// Pages per second from which an activity counts as frequent.
    pub often: f64,
}

impl Policy {
    /// The default thresholds.
    pub const DEFAULT: Self = Self {
        use_warn: 0.80,
        use_crit: 0.95,
        pressure_some: 0.10,
        pressure_full: 0.05,
        imbalance_warn: 0.20,
        readahead_low: 0.50,
        ahead_least: 0.20,
        folios_least: 100.0,
        fallback_warn: 0.25,
        fallback_crit: 0.75,
        zswap_fill_warn: 0.90,
        zram_ratio_low: 1.5,
        zram_least: 16.0,
        lost_warn: 0.20,
        huge_warn: 0.25,
        limit_warn: 0.90,
        limit_most: 0.50,
        full_soon: 600.0,
        memory_low: 0.10,
        idle_use: 0.50,
        area_small: 0.02,
        extent_small: 1.0,
        metadata_warn: 0.02,
        often: 100.0,
    };
}

impl Default for Policy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

//! From which value on a figure is worth a mark. Shares are plain: 0.80 is 80 %.

use serde::{Deserialize, Serialize};

/// The thresholds that a person can set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Policy {
    /// Share of an area, or of all swap, from which on it is marked as filling up.
    pub use_warn: f64,
    /// Share of an area, or of all swap, from which on it is marked as full.
    pub use_crit: f64,
    /// Share of the time in which a task waited for memory.
    pub pressure_some: f64,
    /// Share of the time in which no task could go on for want of memory.
    pub pressure_full: f64,
    /// Share of what areas of one priority hold that would have to move for them to be even.
    pub skew_warn: f64,
    /// Share of pages read ahead that were used, below which reading ahead is a waste.
    pub readahead_low: f64,
    /// Share of all pages read from swap that were read ahead, below which a waste hardly costs.
    pub ahead_least: f64,
    /// Large folios of a size that have to go out before anything is said of how they do.
    pub folios_least: f64,
    /// Share of large folios split on their way out that is worth a look.
    pub fallback_warn: f64,
    /// Share of large folios split on their way out that is as good as all.
    pub fallback_crit: f64,
    /// Share of its limit that the pool of zswap may take.
    pub zswap_fill_warn: f64,
    /// Compression below which zram saves too little.
    pub zram_ratio_low: f64,
    /// MiB that a zram device has to hold before anything is said of how it compresses.
    pub zram_least: f64,
    /// Share of the memory of a zram device that is lost between its data, from which on it is compacted.
    pub lost_warn: f64,
    /// Share of what zram holds that does not compress, from which on it is worth a word.
    pub huge_warn: f64,
    /// Share of the memory that a zram device may take, from which on it is near its limit.
    pub limit_warn: f64,
    /// Share of all memory up to which a higher limit is advised for a zram device.
    pub limit_most: f64,
    /// Swap that is full in fewer seconds than this is about to be.
    pub full_soon: f64,
    /// Share of memory that is available, below which memory is short.
    pub memory_low: f64,
    /// Share of all swap that is used, below which nobody wonders that it is.
    pub idle_use: f64,
    /// An area smaller than this share of memory hardly matters.
    pub area_small: f64,
    /// A swap file with fewer MiB in a piece, on average, is fragmented.
    pub extent_small: f64,
    /// Share of memory that the kernel may take to remember what is on an area.
    pub metadata_warn: f64,
    /// Pages in a second from which on something is done often.
    pub often: f64,
}

impl Policy {
    /// What holds when nobody says otherwise.
    pub const DEFAULT: Self = Self {
        use_warn: 0.80,
        use_crit: 0.95,
        pressure_some: 0.10,
        pressure_full: 0.05,
        skew_warn: 0.20,
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
        idle_use: 0.10,
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

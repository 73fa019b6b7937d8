//! Arguments of the commands below `zram`, which alone prints its table.

use super::ChangeArgs;
use super::change_options::ChangeOptions as _;
use crate::model::activation::Discard;
use clap::{Args, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// Commands for zram devices.
#[derive(Clone, Debug, Subcommand)]
pub enum ZramCommand {
    /// Create a zram device and enable it as swap
    #[command(change_options("zram swap"))]
    Swap {
        /// The new device and its swap.
        #[command(flatten)]
        area: ZramAreaArgs,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Create a zram device without swap on it (zram swap creates one and enables it)
    #[command(change_options("zram add"))]
    Add {
        /// Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory
        #[arg(long, short, value_name = "SIZE")]
        size: Option<String>,
        /// Options of the device.
        #[command(flatten)]
        setup: ZramSetupArgs,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Remove a zram device
    #[command(change_options("zram remove"))]
    Remove(ZramDeviceArgs),
    /// Resize a zram device; swap on it is disabled meanwhile
    #[command(change_options("zram resize"))]
    Resize {
        /// Device: zram0, /dev/zram0, LABEL= or UUID=
        #[arg(value_name = "DEV")]
        device: OsString,
        /// Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory
        #[arg(value_name = "SIZE")]
        size: String,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Change the compression algorithm of a zram device; swap on it is disabled meanwhile
    #[command(change_options("zram algorithm"))]
    Algorithm {
        /// Device: zram0, /dev/zram0, LABEL= or UUID=
        #[arg(value_name = "DEV")]
        device: OsString,
        /// Algorithm of this kernel: swapadm zram -o name,algorithms lists them
        #[arg(value_name = "NAME")]
        algorithm: String,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Limit the memory of a zram device, also while it is in use
    #[command(change_options("zram limit"))]
    Limit {
        /// Device: zram0, /dev/zram0, LABEL= or UUID=
        #[arg(value_name = "DEV")]
        device: OsString,
        /// Limit such as 512M, 2G or 25% of memory; none removes it
        #[arg(value_name = "SIZE")]
        limit: String,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Make a zram device return fragmented memory
    #[command(change_options("zram compact"))]
    Compact(ZramDeviceArgs),
    /// Mark pages of a zram device as idle, for writeback and recompress
    #[command(change_options("zram idle"))]
    Idle {
        /// Device: zram0, /dev/zram0, LABEL= or UUID=
        #[arg(value_name = "DEV")]
        device: OsString,
        /// Only pages not used for TIME, such as 90, 30m or 1h
        #[arg(long, value_name = "TIME")]
        age: Option<String>,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Write pages of a zram device to its backing device
    #[command(change_options("zram writeback"))]
    Writeback {
        /// Device: zram0, /dev/zram0, LABEL= or UUID=
        #[arg(value_name = "DEV")]
        device: OsString,
        /// Pages: marked as idle, stored uncompressed (huge), only those that are both (huge idle), or not made smaller by any
        /// algorithm of the device (incompressible; from 6.12 on)
        #[arg(value_name = "PAGES", default_value = "idle", value_parser = WRITEBACK)]
        pages: String,
        /// Set the writeback limit of the device; it stays until changed
        #[arg(long, value_name = "SIZE")]
        limit: Option<String>,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Compress pages of a zram device again with its second algorithm
    #[command(change_options("zram recompress"))]
    Recompress {
        /// Device: zram0, /dev/zram0, LABEL= or UUID=
        #[arg(value_name = "DEV")]
        device: OsString,
        /// Pages: marked as idle, stored uncompressed (huge), or only those that are both (huge idle)
        #[arg(value_name = "PAGES", default_value = "idle", value_parser = RECOMPRESS)]
        pages: String,
        /// Only pages whose compressed size is above BYTES
        #[arg(long, value_name = "BYTES")]
        threshold: Option<u64>,
        /// Use this second algorithm of the device [default: all of them]
        #[arg(long, short, value_name = "NAME")]
        algorithm: Option<String>,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Do a round of upkeep: mark idle pages, recompress, write back within a budget, compact
    #[command(change_options("zram upkeep"))]
    Upkeep(ZramUpkeepArgs),
}

/// `zram upkeep`.
#[derive(Args, Clone, Debug)]
pub struct ZramUpkeepArgs {
    /// Devices: zram0, /dev/zram0, LABEL= or UUID= [default: all that are set up]
    #[arg(value_name = "DEV")]
    pub devices: Vec<OsString>,
    /// Take the policy from the upkeep table of a file that apply reads [default: /etc/swapadm/wanted.toml, if it exists]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub policy: Option<PathBuf>,
    /// Pages not used for TIME, such as 90, 30m or 1h, count as idle [default: that of the policy, or 1h]
    #[arg(long, value_name = "TIME")]
    pub age: Option<String>,
    /// Write idle and incompressible pages to the backing device, at most SIZE in 24 hours for each device [default: that of the policy]
    #[arg(long, value_name = "SIZE")]
    pub budget: Option<String>,
    /// Compact a device if this share of its memory is fragmented [default: that of the policy, or 10]
    #[arg(long, value_name = "PERCENT")]
    pub compact_from: Option<f64>,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// Options of a new device.
#[derive(Args, Clone, Debug, Default)]
pub struct ZramSetupArgs {
    /// Compression algorithm [default: chosen by the kernel]
    #[arg(long, short, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// Secondary algorithm for recompress (if the kernel supports recompression)
    #[arg(long, value_name = "NAME")]
    pub second_algorithm: Option<String>,
    /// Memory limit, such as 512M, 2G or 25% of memory
    #[arg(long, value_name = "SIZE")]
    pub limit: Option<String>,
    /// Backing device for writeback (if the kernel supports writeback)
    #[arg(long, value_name = "DEV", value_hint = clap::ValueHint::FilePath)]
    pub backing: Option<OsString>,
}

/// The default priority of swap on zram, above that of disks because zram is faster.
pub const PRIORITY: &str = "100";

/// A new device with swap on it.
#[derive(Args, Clone, Debug)]
pub struct ZramAreaArgs {
    /// Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory
    #[arg(long, short, value_name = "SIZE", default_value = "50%")]
    pub size: String,
    /// Options of the device.
    #[command(flatten)]
    pub setup: ZramSetupArgs,
    /// Priority: 0 to 32767, or default (assigned by the kernel)
    #[arg(long, short, value_name = "N", allow_hyphen_values = true, default_value = PRIORITY)]
    pub priority: String,
    /// Discard policy (TRIM): none, once, pages or both; both if no WHEN is given
    #[arg(long, short, value_name = "WHEN", num_args = 0..=1, default_missing_value = "both", require_equals = true, value_parser = Discard::WORDS.map(|(word, _)| word))]
    pub discard: Option<String>,
    /// Label, at most 15 bytes
    #[arg(long, value_name = "LABEL")]
    pub label: Option<OsString>,
}

/// `zram remove` and `zram compact`.
#[derive(Args, Clone, Debug)]
pub struct ZramDeviceArgs {
    /// Device: zram0, /dev/zram0, LABEL= or UUID=
    #[arg(value_name = "DEV")]
    pub device: OsString,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// The kinds of pages that can be written back.
pub const WRITEBACK: [&str; 4] = ["idle", "huge", "huge_idle", "incompressible"];
/// The kinds of pages that can be recompressed.
pub const RECOMPRESS: [&str; 3] = ["idle", "huge", "huge_idle"];

impl ZramCommand {
    /// Options of changes.
    pub fn change(&self) -> &ChangeArgs {
        match self {
            Self::Remove(args) | Self::Compact(args) => &args.change,
            Self::Upkeep(args) => &args.change,
            Self::Swap { change, .. }
            | Self::Add { change, .. }
            | Self::Resize { change, .. }
            | Self::Algorithm { change, .. }
            | Self::Limit { change, .. }
            | Self::Idle { change, .. }
            | Self::Writeback { change, .. }
            | Self::Recompress { change, .. } => change,
        }
    }
}

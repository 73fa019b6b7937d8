//! What can be typed after `zram`; without any of it the table is printed.

use super::{ChangeArgs, risks};
use crate::model::activation::Discard;
use clap::{Args, Subcommand};
use std::ffi::OsString;

/// What is done to zram devices.
#[derive(Clone, Debug, Subcommand)]
pub enum ZramCommand {
    /// Make a zram device, format it and switch it on as swap
    #[command(
        after_help = "Examples:\n  swapadm zram swap --dry-run\n  swapadm zram swap --size 50% --algorithm zstd --priority 100\n  swapadm zram swap --size 4G --limit 1G --label fast",
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| risks::force_option(it, "zram swap"))
    )]
    Swap(ZramSwapArgs),
    /// Make a zram device
    #[command(
        after_help = "Examples:\n  swapadm zram add                        # without a size\n  swapadm zram add --size 2G --algorithm zstd",
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| risks::force_option(it, "zram add")),
        mut_arg("persist", |it| it.hide(true))
    )]
    Add(ZramAddArgs),
    /// Remove a zram device
    #[command(
        after_help = "Examples:\n  swapadm zram remove zram1 --dry-run",
        mut_arg("force", |it| risks::force_option(it, "zram remove"))
    )]
    Remove(ZramDeviceArgs),
    /// Give a zram device another size; swap on it is taken off, and comes back as it was
    #[command(
        after_help = "Examples:\n  swapadm zram resize zram0 4G --dry-run\n  swapadm zram resize zram0 75%",
        mut_arg("force", |it| risks::force_option(it, "zram resize"))
    )]
    Resize(ZramResizeArgs),
    /// Let a zram device compress otherwise; swap on it is taken off, and comes back as it was
    #[command(
        after_help = "Examples:\n  swapadm zram algorithm zram0 zstd --dry-run",
        mut_arg("force", |it| risks::force_option(it, "zram algorithm"))
    )]
    Algorithm(ZramAlgorithmArgs),
    /// Limit the memory that a zram device takes, while it is in use
    #[command(
        after_help = "Examples:\n  swapadm zram limit zram0 1G\n  swapadm zram limit zram0 none",
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| risks::force_option(it, "zram limit"))
    )]
    Limit(ZramLimitArgs),
    /// Let a zram device give back memory that is lost between what it holds
    #[command(
        after_help = "Examples:\n  swapadm zram compact zram0",
        mut_arg("persist", |it| it.hide(true)),
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| risks::force_option(it, "zram compact"))
    )]
    Compact(ZramDeviceArgs),
    /// Mark what a zram device holds as idle, for writeback and recompress
    #[command(
        after_help = "Examples:\n  swapadm zram idle zram0                 # everything\n  swapadm zram idle zram0 --age 1h        # what was not used for an hour",
        mut_arg("persist", |it| it.hide(true)),
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| risks::force_option(it, "zram idle"))
    )]
    Idle(ZramIdleArgs),
    /// Write pages of a zram device to its backing device
    #[command(
        after_help = "Examples:\n  swapadm zram writeback zram0 huge\n  swapadm zram writeback zram0 idle --limit 512M --timeout 5m",
        mut_arg("persist", |it| it.hide(true)),
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| risks::force_option(it, "zram writeback"))
    )]
    Writeback(ZramWritebackArgs),
    /// Compress pages of a zram device once more, with an algorithm that compresses better
    #[command(
        after_help = "Examples:\n  swapadm zram recompress zram0 idle\n  swapadm zram recompress zram0 huge --threshold 3000",
        mut_arg("persist", |it| it.hide(true)),
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| risks::force_option(it, "zram recompress"))
    )]
    Recompress(ZramRecompressArgs),
}

/// How a device is set up.
#[derive(Args, Clone, Debug, Default)]
pub struct ZramSetupArgs {
    /// How it compresses; what the kernel chooses if none is named
    #[arg(long, short, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// Compress with this one what recompress is told to (kernels built for it)
    #[arg(long, value_name = "NAME")]
    pub second_algorithm: Option<String>,
    /// Take no more memory than this: such as 512M, 2G or 25% of memory
    #[arg(long, value_name = "SIZE")]
    pub limit: Option<String>,
    /// Write pages to this device when writeback is told to (kernels built for it)
    #[arg(long, value_name = "DEV", value_hint = clap::ValueHint::FilePath)]
    pub backing: Option<OsString>,
}

/// `zram add`.
#[derive(Args, Clone, Debug)]
pub struct ZramAddArgs {
    /// Size of the disk, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory
    #[arg(long, short, value_name = "SIZE")]
    pub size: Option<String>,
    /// How it is set up.
    #[command(flatten)]
    pub setup: ZramSetupArgs,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// What swap on zram has where nobody says another priority: it is faster than a disk.
pub const PRIORITY: &str = "100";

/// A new device with swap on it.
#[derive(Args, Clone, Debug)]
pub struct ZramAreaArgs {
    /// Size of the disk, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory
    #[arg(long, short, value_name = "SIZE", default_value = "50%")]
    pub size: String,
    /// How it is set up.
    #[command(flatten)]
    pub setup: ZramSetupArgs,
    /// From 0 to 32767, or default
    #[arg(long, short, value_name = "N", allow_hyphen_values = true, default_value = PRIORITY)]
    pub priority: String,
    /// Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)
    #[arg(long, short, value_name = "WHEN", num_args = 0..=1, default_missing_value = "both", require_equals = true, value_parser = Discard::WORDS.map(|(word, _)| word))]
    pub discard: Option<String>,
    /// A label of up to 15 bytes
    #[arg(long, value_name = "LABEL")]
    pub label: Option<OsString>,
}

/// `zram swap`.
#[derive(Args, Clone, Debug)]
pub struct ZramSwapArgs {
    /// What is made.
    #[command(flatten)]
    pub area: ZramAreaArgs,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `zram remove` and `zram compact`.
#[derive(Args, Clone, Debug)]
pub struct ZramDeviceArgs {
    /// The device: zram0, /dev/zram0, LABEL= or UUID=
    #[arg(value_name = "DEV")]
    pub device: OsString,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `zram resize`.
#[derive(Args, Clone, Debug)]
pub struct ZramResizeArgs {
    /// The device: zram0, /dev/zram0, LABEL= or UUID=
    #[arg(value_name = "DEV")]
    pub device: OsString,
    /// Size of the disk, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory
    #[arg(value_name = "SIZE")]
    pub size: String,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `zram algorithm`.
#[derive(Args, Clone, Debug)]
pub struct ZramAlgorithmArgs {
    /// The device: zram0, /dev/zram0, LABEL= or UUID=
    #[arg(value_name = "DEV")]
    pub device: OsString,
    /// One that the kernel offers: swapadm zram -o name,algorithms
    #[arg(value_name = "NAME")]
    pub algorithm: String,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `zram limit`.
#[derive(Args, Clone, Debug)]
pub struct ZramLimitArgs {
    /// The device: zram0, /dev/zram0, LABEL= or UUID=
    #[arg(value_name = "DEV")]
    pub device: OsString,
    /// Such as 512M, 2G or 25% of memory; none takes the limit away
    #[arg(value_name = "SIZE")]
    pub limit: String,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `zram idle`.
#[derive(Args, Clone, Debug)]
pub struct ZramIdleArgs {
    /// The device: zram0, /dev/zram0, LABEL= or UUID=
    #[arg(value_name = "DEV")]
    pub device: OsString,
    /// Only what was not used for so long: such as 90, 30m or 1h
    #[arg(long, value_name = "TIME")]
    pub age: Option<String>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// Which pages can be written back.
pub const WRITEBACK: [&str; 4] = ["idle", "huge", "huge_idle", "incompressible"];
/// Which can be compressed once more.
pub const RECOMPRESS: [&str; 3] = ["idle", "huge", "huge_idle"];

/// `zram writeback`.
#[derive(Args, Clone, Debug)]
pub struct ZramWritebackArgs {
    /// The device: zram0, /dev/zram0, LABEL= or UUID=
    #[arg(value_name = "DEV")]
    pub device: OsString,
    /// Which pages: those marked as idle, those that do not compress, or those that are both
    #[arg(value_name = "PAGES", default_value = "idle", value_parser = WRITEBACK)]
    pub pages: String,
    /// Write no more than this, from now on until the limit is taken away
    #[arg(long, value_name = "SIZE")]
    pub limit: Option<String>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `zram recompress`.
#[derive(Args, Clone, Debug)]
pub struct ZramRecompressArgs {
    /// The device: zram0, /dev/zram0, LABEL= or UUID=
    #[arg(value_name = "DEV")]
    pub device: OsString,
    /// Which pages: those marked as idle, those that do not compress, or those that are both
    #[arg(value_name = "PAGES", default_value = "idle", value_parser = RECOMPRESS)]
    pub pages: String,
    /// Only those that take more bytes than this, compressed
    #[arg(long, value_name = "BYTES")]
    pub threshold: Option<u64>,
    /// With this one of the algorithms that the device was given; all of them if none is named
    #[arg(long, short, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

impl ZramCommand {
    /// How it is done.
    pub fn change(&self) -> &ChangeArgs {
        match self {
            Self::Add(args) => &args.change,
            Self::Swap(args) => &args.change,
            Self::Remove(args) | Self::Compact(args) => &args.change,
            Self::Resize(args) => &args.change,
            Self::Algorithm(args) => &args.change,
            Self::Limit(args) => &args.change,
            Self::Idle(args) => &args.change,
            Self::Writeback(args) => &args.change,
            Self::Recompress(args) => &args.change,
        }
    }
}

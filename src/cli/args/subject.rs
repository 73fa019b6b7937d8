//! Arguments of `process` and `cgroup`, which are about one of them.

use super::change_options::ChangeOptions as _;
use super::common::pid;
use super::{ChangeArgs, RowArgs};
use clap::{Args, Subcommand, ValueEnum};
use std::ffi::OsString;

/// `process`.
#[derive(Clone, Debug, Subcommand)]
pub enum ProcessCommand {
    /// Show memory, swap, waits, cgroup and mappings of a process; reads its page tables
    Show(ProcessShowArgs),
    /// Bring the private pages of a process back from swap, if memory and its cgroup have room
    #[command(change_options("process swapin"))]
    Swapin {
        /// Process ID
        #[arg(value_name = "PID", value_parser = pid)]
        pid: u32,
        /// Options of changes.
        #[command(flatten)]
        change: ChangeArgs,
    },
}

impl ProcessCommand {
    /// Options of changes; none if it changes nothing.
    pub fn change(&self) -> Option<&ChangeArgs> {
        match self {
            Self::Show(_) => None,
            Self::Swapin { change, .. } => Some(change),
        }
    }
}

/// `process show`.
#[derive(Args, Clone, Debug)]
pub struct ProcessShowArgs {
    /// Process ID
    #[arg(value_name = "PID", value_parser = pid)]
    pub pid: u32,
    /// Output format.
    #[command(flatten)]
    pub form: SubjectFormArgs,
}

/// `cgroup`.
#[derive(Clone, Debug, Subcommand)]
pub enum CgroupCommand {
    /// Show usage, limits, events, container, processes, NUMA nodes and LRU ages of a cgroup
    Show(CgroupShowArgs),
    /// Reclaim memory of a cgroup, the coldest pages first (memory.reclaim: cgroup v2, kernel 5.19 and later)
    #[command(change_options("cgroup reclaim"))]
    Reclaim(CgroupReclaimArgs),
}

impl CgroupCommand {
    /// Options of changes; none if it changes nothing.
    pub fn change(&self) -> Option<&ChangeArgs> {
        match self {
            Self::Show(_) => None,
            Self::Reclaim(args) => Some(&args.change),
        }
    }
}

/// The source of `cgroup reclaim`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReclaimFrom {
    /// Cold memory
    Memory,
    /// The zswap pool
    Zswap,
}

/// `cgroup reclaim`.
#[derive(Args, Clone, Debug)]
pub struct CgroupReclaimArgs {
    /// Path of the cgroup below the mount, such as /system.slice/db.service
    #[arg(value_name = "PATH")]
    pub path: OsString,
    /// Size to reclaim, such as 200M
    #[arg(value_name = "SIZE")]
    pub size: String,
    /// Source: cold memory, or the zswap pool of the cgroup, which is written to the areas behind it
    /// (no release can do the latter yet)
    #[arg(long, value_name = "SOURCE", default_value = "memory")]
    pub source: ReclaimFrom,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// `cgroup show`.
#[derive(Args, Clone, Debug)]
pub struct CgroupShowArgs {
    /// Path of the cgroup below the mount, such as /system.slice/db.service
    #[arg(value_name = "PATH")]
    pub path: OsString,
    /// Output format.
    #[command(flatten)]
    pub form: SubjectFormArgs,
}

/// Output format of one process or cgroup. All columns are shown.
#[derive(Args, Clone, Debug)]
pub struct SubjectFormArgs {
    /// Include mappings, or the processes of a cgroup, without swap
    #[arg(long, short)]
    pub all: bool,
    /// Print JSON in base units; a missing value is null, with the reason
    #[arg(long, short = 'J')]
    pub json: bool,
    /// Print sizes in bytes instead of 1.5G
    #[arg(long, short)]
    pub bytes: bool,
}

impl SubjectFormArgs {
    /// Options of rows with this format.
    pub fn rows(&self) -> RowArgs {
        RowArgs { json: self.json, bytes: self.bytes, ..RowArgs::default() }
    }
}

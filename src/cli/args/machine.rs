//! Arguments of `machine` and `what-if`.

use super::HiddenSource as _;
use clap::{Args, Subcommand, ValueHint};
use std::ffi::OsString;

/// `machine`.
#[derive(Args, Clone, Debug)]
pub struct MachineArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: MachineCommand,
}

/// Commands for simulated machines.
#[derive(Clone, Debug, Subcommand)]
pub enum MachineCommand {
    /// List built-in machines
    #[command(hide_source())]
    List {
        /// Print JSON
        #[arg(long, short = 'J')]
        json: bool,
    },
    /// Print a machine as a file to edit
    #[command(hide_source())]
    Show {
        /// Machine: a built-in one, or a file (a path with a / or .toml)
        #[arg(value_name = "MACHINE", value_hint = ValueHint::FilePath)]
        named: OsString,
    },
    /// Check machine files, and report each error with line, key and accepted values
    #[command(hide_source())]
    Check {
        /// Machines: files (paths with a / or .toml), or built-in ones
        #[arg(value_name = "MACHINE", required = true, value_hint = ValueHint::FilePath)]
        files: Vec<OsString>,
    },
    /// Print a machine file with the kernel, memory, CPUs and swap areas of this machine
    LikeThis,
    /// Explain the keys of a machine file
    #[command(hide_source())]
    Keys,
    /// Print the built-in costs of single actions, from which times are estimated, as a file to edit
    #[command(hide_source())]
    Costs,
}

/// `what-if`.
#[derive(Args, Clone, Debug, Default)]
pub struct WhatIfArgs {
    /// Model this kernel: 4.13, 5.10, 6.1, 6.12, 6.18 or 7.2, or one with a single design changed, such
    /// as 6.12+scan-one; swapadm-what-if(8) lists them
    #[arg(long, value_name = "KERNEL")]
    pub kernel: Option<String>,
    /// Use these priorities: AREA is a path, a name, LABEL= or UUID=, N is 0 to 32767 or default
    #[arg(long, value_name = "AREA=N", value_delimiter = ',')]
    pub priority: Vec<OsString>,
    /// Add an area: its size and device (zram, ssd, nvme, disk, file or
    /// file-on-disk), and if wanted its
    /// priority and NUMA node, such as 16G@nvme,priority=5,node=1
    #[arg(long, value_name = "SIZE@DEVICE")]
    pub add: Vec<String>,
    /// Assume this workload: a built-in one, one of your own by its name, or a file (a path with a / or .toml) [default:
    /// processes that fill swap]
    #[arg(long, value_name = "LOAD", value_hint = ValueHint::FilePath)]
    pub load: Option<OsString>,
    /// Assume the swap traffic of this machine, measured for 3 seconds, or that of a recording
    #[arg(long, conflicts_with = "load")]
    pub like_now: bool,
    /// Growth of used swap per second, such as 10M [default: measured on this machine, or in the
    /// recording]
    #[arg(long, value_name = "SIZE")]
    pub rate: Option<String>,
    /// Print sizes in bytes instead of 1.5G
    #[arg(long, short)]
    pub bytes: bool,
    /// Print the tables as JSON, with all columns
    #[arg(long, short = 'J')]
    pub json: bool,
}

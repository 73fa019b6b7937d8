//! `stress`, `experiment` and their commands.

use super::change_options::ChangeOptions as _;
use super::{ChangeArgs, HiddenSource as _};
use clap::{ArgGroup, Args, Subcommand, ValueHint};
use std::ffi::OsString;

/// Commands for workloads.
#[derive(Clone, Debug, Subcommand)]
pub enum StressCommand {
    /// Run a workload under a memory limit, and measure how the kernel swaps
    #[command(
        change_options("stress run"),
        mut_arg("dry_run", |it| it.help("Only show the run, its temporary areas and the limits that stop it")),
        mut_arg("json", |it| it.help("Print the measurement and the checks as JSON")),
        mut_arg("timeout", |it| it.conflicts_with("on").help("Stop the run after TIME (in seconds, or such as 5m) [default: key at_most of the workload]")),
        mut_arg("max_psi", |it| it.conflicts_with("on").help("Stop the run when PSI \"full\" of memory is above PERCENT for 5 seconds while the whole machine reclaims memory [default: 20]"))
    )]
    Run(Box<RunArgs>),
    /// List built-in workloads and your own
    #[command(hide_source())]
    List {
        /// Print JSON
        #[arg(long, short = 'J')]
        json: bool,
    },
    /// Print a workload as a file to edit
    #[command(hide_source())]
    Show {
        /// Name of the workload
        #[arg(value_name = "LOAD")]
        load: String,
    },
    /// Explain the keys of a workload file
    #[command(hide_source())]
    Keys,
}

/// `stress run`.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("areas").args(["zram", "file"]).multiple(true))]
pub struct RunArgs {
    /// Workload: a built-in one, one of your own by its name, or a file (a path with a / or .toml)
    #[arg(value_name = "LOAD", value_hint = ValueHint::FilePath)]
    pub load: OsString,
    /// Change a key of the workload: KEY=VALUE for all its processes, 2.KEY=VALUE for those of its
    /// second group of processes
    #[arg(long, short, value_name = "KEY=VALUE")]
    pub with: Vec<String>,
    /// Memory limit of all processes together, such as 512M or 25% of available memory; at least 8M
    /// plus 512K for each process
    #[arg(
        long,
        short,
        value_name = "SIZE",
        conflicts_with = "whole_machine",
        allow_negative_numbers = true
    )]
    pub limit: Option<String>,
    /// Run without a memory limit, and put the whole machine under pressure
    #[arg(long)]
    pub whole_machine: bool,
    /// Add temporary swap on zram: 1G, or 4x1G for four devices [default: 1G if no swap
    /// is active]
    #[arg(long, short, value_name = "[Nx]SIZE", allow_negative_numbers = true)]
    pub zram: Vec<String>,
    /// Add a temporary swap file: 1G, or 2x512M for two files; the kernel uses readahead for files,
    /// and hardly ever for zram
    #[arg(long, value_name = "[Nx]SIZE", allow_negative_numbers = true)]
    pub file: Vec<String>,
    /// Directory of temporary swap files [default: /var/tmp]
    #[arg(long, value_name = "DIR", requires = "file", value_hint = ValueHint::DirPath)]
    pub file_in: Option<OsString>,
    /// Compression algorithm of temporary zram devices [default: chosen by the kernel]
    #[arg(long, value_name = "NAME", requires = "zram")]
    pub algorithm: Option<String>,
    /// Priority of temporary areas: 0 to 32767, or the word default; without it, above all active areas
    #[arg(long, value_name = "N", requires = "areas", allow_hyphen_values = true)]
    pub priority: Option<String>,
    /// Change a kernel setting during the run
    #[arg(long, short, value_name = "KNOB=VALUE")]
    pub set: Vec<String>,
    /// Repeat the run N times
    #[arg(long, short, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = super::common::repetitions)]
    pub repeat: u32,
    /// Random seed: the same seed gives the same accesses and contents
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = super::common::whole)]
    pub seed: u64,
    /// Stop when available memory falls below SIZE [default: 5% of memory, but
    /// at least 64M and at most 1G]
    #[arg(long, value_name = "SIZE", conflicts_with = "on", allow_negative_numbers = true)]
    pub min_available: Option<String>,
    /// Stop when free swap falls below SIZE [default: 1% of the swap that is free at the start]
    #[arg(long, value_name = "SIZE", conflicts_with = "on", allow_negative_numbers = true)]
    pub min_swap: Option<String>,
    /// Title of the result [default: name of the workload]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Run on these simulated machines instead of this one: built-in ones, or files (paths with a /
    /// or .toml)
    #[arg(long, value_name = "MACHINE", value_delimiter = ',', value_hint = ValueHint::FilePath)]
    pub on: Vec<OsString>,
    /// Do not store the result
    #[arg(long)]
    pub no_keep: bool,
    /// Print the results of any workload as lines of the benchmark program usemem (vm-scalability), not as tables
    #[arg(long, conflicts_with = "json")]
    pub usemem_lines: bool,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// Commands for experiments.
#[derive(Clone, Debug, Subcommand)]
pub enum ExperimentCommand {
    /// Run all cases of an experiment in random order, and compare them
    #[command(
        change_options("experiment run"),
        mut_arg("dry_run", |it| it.help("Only show the cases, their temporary areas and the checks")),
        mut_arg("json", |it| it.help("Print the measurement and the checks as JSON")),
        mut_arg("timeout", |it| it.conflicts_with("on").help("Stop each run after TIME (in seconds, or such as 5m) [default: key at_most of the workload]")),
        mut_arg("max_psi", |it| it.conflicts_with("on").help("Stop a run when PSI \"full\" of memory is above PERCENT for 5 seconds [default: 20]"))
    )]
    Run(Box<ExperimentArgs>),
    /// List built-in experiments and your own
    #[command(hide_source())]
    List {
        /// Print JSON
        #[arg(long, short = 'J')]
        json: bool,
    },
    /// Print an experiment as a file to edit
    #[command(hide_source())]
    Show {
        /// Name or letter of the experiment
        #[arg(value_name = "NAME")]
        experiment: String,
    },
    /// Explain the keys of an experiment file
    #[command(hide_source())]
    Keys,
}

/// `experiment run`.
#[derive(Args, Clone, Debug)]
pub struct ExperimentArgs {
    /// Experiment: a built-in one, one of your own by its name, or a file (a path with a / or .toml)
    #[arg(value_name = "EXPERIMENT", value_hint = ValueHint::FilePath)]
    pub experiment: OsString,
    /// Memory limit of each run, such as 512M or 5% of available memory; temporary areas are scaled
    /// in proportion
    #[arg(long, short, value_name = "SIZE", allow_negative_numbers = true)]
    pub limit: Option<String>,
    /// Multiply the memory limit of the experiment by TIMES
    #[arg(long, value_name = "TIMES", conflicts_with = "limit", allow_negative_numbers = true, value_parser = super::common::factor)]
    pub scale: Option<f64>,
    /// Temporary areas where a case does not choose: zram, file, or one kind for each area such as
    /// zram,file [default: that of the experiment]
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// Directory of temporary swap files [default: /var/tmp]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub file_in: Option<OsString>,
    /// Repeat each case N times [default: that of the experiment]
    #[arg(long, short, value_name = "N", allow_negative_numbers = true, value_parser = super::common::repetitions)]
    pub repeat: Option<u32>,
    /// Run only cases where FACTOR has one of these values
    #[arg(long, value_name = "FACTOR=VALUE,VALUE")]
    pub only: Vec<String>,
    /// Random seed, also for the order of the runs
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = super::common::whole)]
    pub seed: u64,
    /// Also print published figures: of experiments A to E, and of files that have them
    #[arg(long)]
    pub published: bool,
    /// Run on these simulated machines instead of this one: built-in ones, or files (paths with a /
    /// or .toml)
    #[arg(long, value_name = "MACHINE", value_delimiter = ',', value_hint = ValueHint::FilePath)]
    pub on: Vec<OsString>,
    /// Do not store the experiment and the results of its cases
    #[arg(long)]
    pub no_keep: bool,
    /// Options of changes.
    #[command(flatten)]
    pub change: ChangeArgs,
}

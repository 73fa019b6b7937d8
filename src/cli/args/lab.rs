//! `stress`, `experiment` and their commands.

use super::ChangeArgs;
use clap::{ArgGroup, Args, Subcommand, ValueHint};
use std::ffi::OsString;

/// What can be done with loads.
#[derive(Clone, Debug, Subcommand)]
pub enum StressCommand {
    /// Run a load in a cage of its own, and say what the kernel did with it
    #[command(
        after_help = "Examples:\n  swapadm stress run usemem --zram 4x1G --dry-run\n  swapadm stress run usemem --zram 4x1G --limit 512M --repeat 5\n  swapadm stress run readahead --file 512M --set page-cluster=0\n  swapadm stress run random-write --zram 1G --seed 7 --json\n  swapadm stress run ./mine.toml --with processes=8 --with 2.size=64M",
        mut_arg("persist", |it| it.hide(true)),
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| super::risks::force_option(it, "stress run")),
        mut_arg("dry_run", |it| it.help("Show what would be run, on what and with which rails, and run nothing")),
        mut_arg("json", |it| it.help("What was measured as JSON, with what was checked before")),
        mut_arg("timeout", |it| it.help("End it after so long (90, 500ms or 5m) [default: at_most of the load]")),
        mut_arg("max_psi", |it| it.help("End it when all tasks wait for memory in more than this percentage of 10 seconds, for 5 seconds [default: 20]"))
    )]
    Run(Box<RunArgs>),
    /// The loads that are built in, and your own
    List {
        /// As JSON
        #[arg(long, short = 'J')]
        json: bool,
    },
    /// Print a load that is built in, as a file to change, or one of your own
    Show {
        /// Which
        #[arg(value_name = "LOAD")]
        load: String,
    },
    /// The keys that a file with a load is made of
    Keys,
}

/// `stress run`.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("areas").args(["zram", "file"]).multiple(true))]
pub struct RunArgs {
    /// A load that is built in or of your own, or a file with one (a path with a / or .toml)
    #[arg(value_name = "LOAD", value_hint = ValueHint::FilePath)]
    pub load: OsString,
    /// Say something of the load otherwise than it does: KEY=VALUE for all its processes,
    /// 2.KEY=VALUE for those of its second group
    #[arg(long, short, value_name = "KEY=VALUE")]
    pub with: Vec<String>,
    /// The memory that all its processes may take, 8M or more beside 512K for each: such as 512M, or 25% of what is available
    #[arg(
        long,
        short,
        value_name = "SIZE",
        conflicts_with = "whole_machine",
        allow_negative_numbers = true
    )]
    pub limit: Option<String>,
    /// Run it without a cage, and put the whole machine under pressure
    #[arg(long)]
    pub whole_machine: bool,
    /// Make swap on zram for it, and remove that afterwards: 1G, or 4x1G for four devices
    #[arg(long, short, value_name = "[Nx]SIZE", allow_negative_numbers = true)]
    pub zram: Vec<String>,
    /// Make swap in a file for it, and remove that afterwards: 1G, or 2x512M for two files; the
    /// kernel reads ahead from files, and from zram hardly ever
    #[arg(long, value_name = "[Nx]SIZE", allow_negative_numbers = true)]
    pub file: Vec<String>,
    /// The folder of those files [default: /var/tmp]
    #[arg(long, value_name = "DIR", requires = "file", value_hint = ValueHint::DirPath)]
    pub file_in: Option<OsString>,
    /// How those zram devices compress; what the kernel chooses if none is named
    #[arg(long, value_name = "NAME", requires = "zram")]
    pub algorithm: Option<String>,
    /// The priority of those areas: from 0 to 32767, or default
    #[arg(
        long,
        value_name = "N",
        requires = "areas",
        default_value = "default",
        allow_hyphen_values = true
    )]
    pub priority: String,
    /// Set a knob for the time of the run
    #[arg(long, short, value_name = "KNOB=VALUE")]
    pub set: Vec<String>,
    /// Run it so often
    #[arg(long, short, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,
    /// What all chance comes from: the same number gives the same touches and contents
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = super::common::whole)]
    pub seed: u64,
    /// End it when less memory than this is available [default: 5% of memory, 64M to 1G]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub min_available: Option<String>,
    /// End it when less swap than this is free [default: 1% of swap]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub min_swap: Option<String>,
    /// What the result is called [default: the load]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Do not keep the result
    #[arg(long)]
    pub no_keep: bool,
    /// Print the lines that usemem prints, process by process, and no tables
    #[arg(long, conflicts_with = "json")]
    pub usemem_lines: bool,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// What can be done with experiments.
#[derive(Clone, Debug, Subcommand)]
pub enum ExperimentCommand {
    /// Run all cases of an experiment, mixed, and say how they differ
    #[command(
        after_help = "Examples:\n  swapadm experiment run balance --dry-run\n  swapadm experiment run A --limit 256M --repeat 5 --published\n  swapadm experiment run readahead --only memory=shared --only page-cluster=0,3\n  swapadm experiment run readahead --kind zram\n  swapadm experiment run ./mine.toml --scale 0.5 --yes --json",
        mut_arg("persist", |it| it.hide(true)),
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| super::risks::force_option(it, "experiment run")),
        mut_arg("dry_run", |it| it.help("Show the cases, what they are lent and what stands against them, and run nothing")),
        mut_arg("json", |it| it.help("What was measured as JSON, with what was checked before")),
        mut_arg("timeout", |it| it.help("End each run after so long (90, 500ms or 5m) [default: at_most of the load]")),
        mut_arg("max_psi", |it| it.help("End a run when all tasks wait for memory in more than this percentage of 10 seconds, for 5 seconds [default: 20]"))
    )]
    Run(Box<ExperimentArgs>),
    /// The experiments that are built in, and your own
    List {
        /// As JSON
        #[arg(long, short = 'J')]
        json: bool,
    },
    /// Print an experiment that is built in, as a file to change, or one of your own
    Show {
        /// Which: its name, or its letter
        #[arg(value_name = "NAME")]
        experiment: String,
    },
    /// The keys that a file with an experiment is made of
    Keys,
}

/// `experiment run`.
#[derive(Args, Clone, Debug)]
pub struct ExperimentArgs {
    /// An experiment that is built in or of your own, or a file with one (a path with a / or
    /// .toml)
    #[arg(value_name = "EXPERIMENT", value_hint = ValueHint::FilePath)]
    pub experiment: OsString,
    /// The memory that each run may take: such as 512M, or 5% of what is available; areas are
    /// made in proportion
    #[arg(long, short, value_name = "SIZE", allow_negative_numbers = true)]
    pub limit: Option<String>,
    /// Make the memory that each run may take so many times as large as the experiment says
    #[arg(long, value_name = "TIMES", conflicts_with = "limit", allow_negative_numbers = true)]
    pub scale: Option<f64>,
    /// What carries the areas that are made, where a case does not say it itself: zram, file, or one
    /// for each area such as zram,file [default: as the experiment says]
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// The folder of files that carry areas [default: /var/tmp]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub file_in: Option<OsString>,
    /// Run each case so often [default: as the experiment says]
    #[arg(long, short, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: Option<u32>,
    /// Run only cases in which a factor has one of these values
    #[arg(long, value_name = "FACTOR=VALUE,VALUE")]
    pub only: Vec<String>,
    /// What all chance comes from, the order of the runs too
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = super::common::whole)]
    pub seed: u64,
    /// Print also what others have published: of the experiments A to E, and of files that say it
    #[arg(long)]
    pub published: bool,
    /// Do not keep the experiment and the results of its cases
    #[arg(long)]
    pub no_keep: bool,
    /// How it is done.
    #[command(flatten)]
    pub change: ChangeArgs,
}

//! `experiment` and its commands.

use super::ChangeArgs;
use clap::{Args, Subcommand, ValueHint};
use std::ffi::OsString;

/// What can be done with experiments.
#[derive(Clone, Debug, Subcommand)]
pub enum ExperimentCommand {
    /// Run all cases of an experiment, mixed, and say how they differ
    #[command(
        after_help = "Examples:\n  swapadm experiment run balance --dry-run\n  swapadm experiment run A --limit 256M --repeat 5 --published\n  swapadm experiment run readahead --only memory=shared --only page-cluster=0,3\n  swapadm experiment run readahead --kind zram\n  swapadm experiment run ./mine.toml --scale 0.5 --yes --json",
        mut_arg("persist", |it| it.hide(true)),
        mut_arg("pace", |it| it.hide(true)),
        mut_arg("force", |it| super::risks::option(it, "experiment run")),
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
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = super::whole)]
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

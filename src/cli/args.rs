//! The command line: the one definition of the parser, `--help`, the manual and the completions.

mod change;
mod change_options;
mod common;
pub mod groups;
pub mod lab;
pub mod learn;
pub mod machine;
mod parse;
mod reports;
pub mod results;
pub mod subject;
pub mod zram;

pub use change::*;
pub use common::*;
use lab::{ExperimentCommand, StressCommand};
use learn::{DemoArgs, LearnArgs};
use machine::{MachineArgs, MachineCommand, WhatIfArgs};
pub use parse::{join_negative_sizes, parse, split_discards};
pub use reports::*;
use results::ResultsArgs;
use subject::{CgroupCommand, ProcessCommand};
use zram::ZramCommand;

use super::table_command::TableCommand;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

/// See, explain and administer swap on Linux.
#[derive(Debug, Parser)]
#[command(
    name = "swapadm",
    version,
    about = "See, explain and administer swap on Linux",
    after_help = common::examples("swapadm").unwrap_or_default(),
    max_term_width = groups::MAX_WIDTH
)]
pub struct Cli {
    /// The machine, captured tree, recording or simulated machine to read.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Settings of the interface.
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// The command. Without one the interface opens, or `status` is printed where there is no
    /// terminal.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands. Their order in help, manual and completions is that of [`groups::GROUPS`].
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the state of swap on one page
    Status(CommandArgs<RowArgs>),
    /// Report problems with swap, the figures behind them, and how to fix them
    Advise(CommandArgs<AdviseArgs>),
    /// A command that prints one table.
    #[command(flatten)]
    Table(Box<TableCommand>),
    /// Print all tables, or the tables named
    Report(CommandArgs<ReportArgs>),
    /// Print the figures as metrics for Prometheus, or answer its scrapes
    Metrics(CommandArgs<MetricsArgs>),
    /// Show how slots are spread over clusters, and which folio sizes still fit
    #[command(
        override_usage = "swapadm clusters [OPTIONS] [AREA]...\n       swapadm clusters [OPTIONS] --cluster <N> <AREA>"
    )]
    Clusters(CommandArgs<ClusterArgs>),
    /// Show the metadata memory of swap areas, and what swapoff would move
    Cost(CommandArgs<CostArgs>),
    /// Copy the kernel files that swapadm reads into a directory, for --sysroot
    Capture(CommandArgs<CaptureArgs>),
    /// Record snapshots in a file
    Record(CommandArgs<RecordArgs>),
    /// Open the terminal interface, or print its screens as lines
    Watch(CommandArgs<WatchArgs>),
    /// Open a recording in the interface, or print one of its tables
    Replay(CommandArgs<ReplayArgs>),
    /// Propose swap for this machine, explain each choice, and set it up
    Setup(CommandArgs<SetupArgs>),
    /// Bring swap into the state that a file describes, or show the differences
    Apply(CommandArgs<ApplyArgs>),
    /// Print the present state of swap as a file for apply
    Save(CommandArgs<SaveArgs>),
    /// Enable swap areas (swapon)
    On(CommandArgs<OnArgs>),
    /// Disable swap areas (swapoff), moving their contents to memory and other areas
    Off(CommandArgs<OffArgs>),
    /// Change priorities of swap areas; each area is disabled and enabled again
    Priority(CommandArgs<PriorityArgs>),
    /// Rebalance swap areas by speed class, unless they are balanced already
    Rebalance(CommandArgs<RebalanceArgs>),
    /// Write a swap header to a device or file (mkswap)
    Format(CommandArgs<FormatArgs>),
    /// Create, resize and remove swap files
    File(CommandArgs<Nested<FileCommand>>),
    /// Show one process in detail: its mappings in swap and its waits
    Process(CommandArgs<Nested<ProcessCommand>>),
    /// Show one cgroup in detail: events, limits, processes, NUMA nodes and container
    Cgroup(CommandArgs<Nested<CgroupCommand>>),
    /// Change kernel settings that control swapping
    Set(CommandArgs<SetArgs>),
    /// Reset kernel settings to their defaults
    Reset(CommandArgs<ResetArgs>),
    /// Show what will differ after the next boot
    Persist(CommandArgs<Nested<PersistCommand>>),
    /// List, show, compare, export and remove stored results of the stress lab
    Results(CommandArgs<ResultsArgs>),
    /// List changes made by swapadm, and how each ended
    Journal(CommandArgs<JournalArgs>),
    /// Undo a change
    Undo(CommandArgs<UndoArgs>),
    /// Repair an interrupted change
    Recover(CommandArgs<RecoverArgs>),
    /// Run a workload under a memory limit, and measure how the kernel swaps
    Stress(CommandArgs<Nested<StressCommand>>),
    /// Run a workload in several cases, and compare them
    Experiment(CommandArgs<Nested<ExperimentCommand>>),
    /// List, print, check and write simulated machines
    Machine(CommandArgs<MachineArgs>),
    /// Predict how this machine fills swap with another kernel, priorities or areas
    WhatIf(CommandArgs<WhatIfArgs>),
    /// Learn how swap works: lessons on simulated machines, with predictions before results
    Learn(CommandArgs<LearnArgs>),
    /// Open the interface on a simulated machine under a load that shows something
    Demo(CommandArgs<DemoArgs>),
    /// Write the manual, the completions and the JSON schemas
    #[command(hide = true)]
    Generate(CommandArgs<GenerateArgs>),
}

/// `generate`.
#[derive(Args, Clone, Debug)]
pub struct GenerateArgs {
    /// Documents to write
    #[arg(value_enum)]
    pub what: Generated,
    /// Directory to write into
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
}

/// The documents that `generate` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Generated {
    /// Manual pages.
    Man,
    /// Shell completions.
    Completions,
    /// JSON schemas.
    Schema,
    /// The page on the fidelity of the simulated machine.
    Fidelity,
}

impl Command {
    /// The options of a change, for commands that leave it to the caller to print failures as JSON.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most commands change nothing")]
    pub fn change(&self) -> Option<&ChangeArgs> {
        Some(match self {
            Self::On(args) => &args.change,
            Self::Apply(args) => &args.change,
            Self::Off(args) => &args.change,
            Self::Priority(args) => &args.change,
            Self::Format(args) => &args.change,
            Self::Set(args) => &args.change,
            Self::Reset(args) => &args.change,
            Self::Undo(args) => &args.change,
            Self::Recover(args) => &args.change,
            Self::File(args) => args.command.change(),
            Self::Process(args) => return args.command.change(),
            Self::Cgroup(args) => return args.command.change(),
            Self::Table(table) => return table.zram.as_ref().map(ZramCommand::change),
            Self::Stress(args) => match &args.command {
                StressCommand::Run(args) => &args.change,
                _ => return None,
            },
            Self::Experiment(args) => match &args.command {
                ExperimentCommand::Run(args) => &args.change,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The source of a command that takes no other one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most commands read any source")]
    pub fn source_of_its_own(&self) -> Option<&'static str> {
        match self {
            Self::Replay(_) => Some("replay reads the recording that it names"),
            Self::Learn(_) => Some("each lesson has a simulated machine of its own"),
            Self::Demo(_) => Some("each demonstration has a simulated machine of its own"),
            Self::Machine(args) => {
                let reads = matches!(args.command, MachineCommand::LikeThis);
                (!reads).then_some("this command is about the machines that it lists or names")
            }
            Self::Results(_) => Some("results are files of this user"),
            Self::Stress(_) | Self::Experiment(_) => {
                self.change().is_none().then_some("this command reads no machine")
            }
            _ => None,
        }
    }

    /// Whether the command prints what it reads, and writes no file.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other commands write or run something")]
    pub fn only_prints(&self) -> bool {
        match self {
            Self::Status(_)
            | Self::Advise(_)
            | Self::Report(_)
            | Self::Clusters(_)
            | Self::Cost(_) => true,
            Self::Process(args) => matches!(args.command, subject::ProcessCommand::Show(_)),
            Self::Cgroup(args) => matches!(args.command, subject::CgroupCommand::Show(_)),
            Self::Table(table) => table.zram.is_none(),
            _ => false,
        }
    }

    /// Whether the command prints more than one sample.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most commands take no samples")]
    pub fn goes_on(&self) -> bool {
        let interval = match self {
            Self::Record(_) | Self::Replay(_) | Self::Watch(_) => return true,
            Self::Advise(args) => &args.interval,
            Self::Status(rows) => &rows.interval,
            // A change of a zram device has no interval.
            Self::Table(table) => &table.rows.interval,
            Self::Report(args) => &args.rows.interval,
            Self::Clusters(args) => &args.rows.interval,
            Self::Cost(args) => &args.rows.interval,
            _ => return false,
        };
        interval.is_some()
    }
}

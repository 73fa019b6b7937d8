//! What can be typed: the one source of the parser, `--help`, the manual and the completions.

mod change;
mod common;
pub mod lab;
mod command_kind;
mod parse;
mod reports;
pub mod results;
mod risks;
pub mod zram;

pub use change::*;
pub use common::*;
use lab::{ExperimentCommand, StressCommand};
pub use parse::{join_negative_sizes, parse, split_discards};
pub use reports::*;
use results::ResultsArgs;

use super::table_command::TableCommand;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

/// See, explain and administer swap on Linux.
#[derive(Debug, Parser)]
#[command(
    name = "swapadm",
    version,
    about = "See, explain and administer swap on Linux",
    after_help = "Examples:\n  swapadm                         # how is my swap?\n  swapadm devices                 # which areas carry it, and how full is each\n  swapadm processes               # who is swapped out\n  swapadm paging --interval 1     # what goes in and out, each second\n  swapadm report --json           # everything, for scripts\n\nAnyone can run it: what these rights do not let it read is shown as missing, with the reason.",
    max_term_width = 100
)]
pub struct Cli {
    /// Where to read from.
    #[command(flatten)]
    pub source: SourceArgs,
    /// How the interface looks.
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// What to do; without one the interface opens, or `status` is printed where there is no
    /// terminal.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The one-page answer to "how is my swap?"
    #[command(
        after_help = "Examples:\n  swapadm status\n  swapadm status --interval 5\n  swapadm status --json | jq .tables.headroom"
    )]
    Status(CommandArgs<RowArgs>),
    /// What is wrong with swap here, the figures that show it, and what to do about it
    #[command(
        after_help = "Examples:\n  swapadm advise\n  found=$(swapadm advise --check) || echo \"$found\" | mail -s swap root    # by cron\n  swapadm advise --explain mixed-priority\n  swapadm advise --rules                        # what is looked for, and what could not be judged\n  swapadm advise --json | jq '.tables.findings.rows[].fix'"
    )]
    Advise(CommandArgs<AdviseArgs>),
    /// A command that prints one table.
    #[command(flatten)]
    Table(Box<TableCommand>),
    /// Everything, or the tables named
    #[command(
        after_help = "Examples:\n  swapadm report\n  swapadm report --json > swap.json\n  swapadm report headroom attribution config"
    )]
    Report(CommandArgs<ReportArgs>),
    /// How the slots of areas are spread over their clusters, and which folios still fit
    #[command(
        override_usage = "swapadm clusters [OPTIONS] [AREA]...\n       swapadm clusters [OPTIONS] --cluster <N> <AREA>",
        after_help = "Examples:\n  swapadm clusters\n  swapadm clusters zram0 --map\n  swapadm clusters zram0 --cluster 1            # each slot of it\n  swapadm clusters --view tables --interval 5\n  swapadm clusters -J | jq .tables.cluster_owners     # who owns the slots (kernel 7.2)"
    )]
    Clusters(CommandArgs<ClusterArgs>),
    /// What areas cost in memory, what others would, and what switching one off would move
    #[command(
        after_help = "Examples:\n  swapadm cost\n  swapadm cost --plan 16G,1T\n  swapadm cost -o all --explain"
    )]
    Cost(CommandArgs<CostArgs>),
    /// Copy what swapadm reads of this machine into a folder, for --sysroot
    #[command(
        after_help = "Examples:\n  swapadm capture /tmp/machine\n  swapadm capture --scrub /tmp/machine    # without names and command lines\n  swapadm --sysroot /tmp/machine status"
    )]
    Capture(CommandArgs<CaptureArgs>),
    /// Write snapshots into a file as time goes on
    #[command(
        after_help = "Examples:\n  swapadm record swap.rec --interval 1\n  swapadm record swap.rec --interval 1 --count 600\n  swapadm --recording swap.rec --at -5m status"
    )]
    Record(CommandArgs<RecordArgs>),
    /// Open the interface, or print its screens as lines
    #[command(
        after_help = "Examples:\n  swapadm watch devices\n  swapadm watch --ascii --color never\n  swapadm watch overview --plain --interval 10    # lines for a log or a screen reader"
    )]
    Watch(CommandArgs<WatchArgs>),
    /// Open a recording in the interface, or print one of its tables as a stream
    #[command(
        after_help = "Examples:\n  swapadm replay swap.rec                 # in the interface\n  swapadm replay swap.rec devices\n  swapadm replay swap.rec paging --csv > paging.csv"
    )]
    Replay(CommandArgs<ReplayArgs>),
    /// Switch areas on
    #[command(
        after_help = "Examples:\n  swapadm on /dev/sda2 --priority 10\n  swapadm on UUID=5a9c0f3e-7b1d-4e62-8f40-00000000c0de --discard=once\n  swapadm on --all --dry-run"
    )]
    On(CommandArgs<OnArgs>),
    /// Switch areas off, with what is on them moved to memory and the other areas
    #[command(
        after_help = "Examples:\n  swapadm off /dev/sda2 --dry-run\n  swapadm off zram0 --timeout 60 --max-psi 20\n  swapadm off /dev/sda2 --pace 5 --timeout 2h\n  swapadm off --all --yes"
    )]
    Off(CommandArgs<OffArgs>),
    /// Give areas other priorities, which takes them off and puts them on again
    #[command(
        after_help = "Examples:\n  swapadm priority zram0=100 /dev/sda2=10 --dry-run\n  swapadm priority LABEL=fast=100 --yes\n  swapadm priority /dev/sdb1=default /swapfile=default    # in this order"
    )]
    Priority(CommandArgs<PriorityArgs>),
    /// Put right how areas share the load: says what is wrong, and changes nothing when nothing is
    #[command(
        after_help = "Examples:\n  swapadm rebalance --check               # is something wrong? 1 if so, 0 if not\n  swapadm rebalance                       # put faster areas above slower ones\n  swapadm rebalance equal --dry-run\n  swapadm rebalance custom /etc/swap.priorities --yes\n  swapadm rebalance spread --yes --json --max-psi 10 --timeout 10m --wait 60"
    )]
    Rebalance(CommandArgs<RebalanceArgs>),
    /// Make a swap area of a device or file: write a header with a label and a UUID
    #[command(
        after_help = "Examples:\n  swapadm format /dev/sda2 --label fast --dry-run\n  swapadm format /dev/sdb1 --force signature    # over a file system that is given up"
    )]
    Format(CommandArgs<FormatArgs>),
    /// Swap files: made whole, with their place on the disk, for root only
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm file create /swapfile 4G --on\n  swapadm file resize /swapfile 8G\n  swapadm file remove /swapfile"
    )]
    File(CommandArgs<Nested<FileCommand>>),
    /// Give settings of the kernel other values
    #[command(
        after_help = "Examples:\n  swapadm set swappiness 10\n  swapadm set page-cluster=0 watermark_scale_factor=50 --dry-run\n  swapadm set zswap.enabled on\n  swapadm set thp.64kB.enabled always\n  swapadm set --cgroup /db memory.swap.max 2G\n\nswapadm knobs lists them with their range; of each size of huge pages there are\nthp.64kB.enabled and thp.64kB.shmem_enabled, of each control group the settings\nbelow CONTROL GROUPS in the manual. What is set lasts until the machine is started\nagain, and beyond that with --persist."
    )]
    Set(CommandArgs<SetArgs>),
    /// Give settings of the kernel their first values back
    #[command(after_help = "Examples:\n  swapadm reset swappiness page-cluster")]
    Reset(CommandArgs<ResetArgs>),
    /// What will be otherwise when the machine starts the next time
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm persist check\n  swapadm priority zram0=100 --persist"
    )]
    Persist(CommandArgs<Nested<PersistCommand>>),
    /// Runs of the stress lab that are kept: list, show, compare and export them
    Results(CommandArgs<ResultsArgs>),
    /// What was changed, and what became of it
    #[command(
        after_help = "Examples:\n  swapadm journal\n  swapadm journal 12            # with all that happened\n  swapadm journal --json | jq '.[-1].events'"
    )]
    Journal(CommandArgs<JournalArgs>),
    /// Take back what a plan changed
    #[command(
        after_help = "Examples:\n  swapadm journal                # what was changed, with the numbers\n  swapadm undo 12 --dry-run\n  swapadm undo 12 --yes"
    )]
    Undo(CommandArgs<UndoArgs>),
    /// Put right what a crash cut off
    #[command(
        after_help = "Examples:\n  swapadm recover --dry-run      # what would be put right\n  swapadm recover\n  swapadm recover --wait 5m      # after what another swapadm left running has ended\n  swapadm recover --dismiss 12   # close plan 12, whose area is gone"
    )]
    Recover(CommandArgs<RecoverArgs>),
    /// Run loads in a cage, and see what the kernel does with them
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm stress list\n  swapadm stress run usemem --zram 4x1G\n  swapadm stress show random-write > mine.toml"
    )]
    Stress(CommandArgs<Nested<StressCommand>>),
    /// Run a load in several cases, and see what makes a difference
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm experiment list\n  swapadm experiment run balance --published\n  swapadm experiment show readahead > mine.toml"
    )]
    Experiment(CommandArgs<Nested<ExperimentCommand>>),
    /// Write the manual, the completions and the JSON schema
    #[command(hide = true)]
    Generate(CommandArgs<GenerateArgs>),
}

/// `generate`.
#[derive(Args, Clone, Debug)]
pub struct GenerateArgs {
    /// What to write
    #[arg(value_enum)]
    pub what: Generated,
    /// The folder to write into
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
}

/// What can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Generated {
    /// Manual pages.
    Man,
    /// Shell completions.
    Completions,
    /// The JSON schema.
    Schema,
}

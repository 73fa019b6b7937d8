//! The command line: the one definition of the parser, `--help`, the manual and the completions.

mod change;
mod change_options;
mod command_kind;
mod common;
pub mod groups;
pub mod lab;
pub mod learn;
pub mod machine;
mod parse;
mod reports;
pub mod results;
pub mod setup;
pub mod subject;
pub mod zram;

pub use change::*;
pub use common::*;
use lab::{ExperimentCommand, StressCommand};
use learn::{DemoArgs, LearnArgs};
use machine::{MachineArgs, WhatIfArgs};
pub use parse::{join_negative_sizes, parse, split_discards};
pub use reports::*;
use results::ResultsArgs;
pub use setup::{ApplyArgs, SaveArgs, SetupArgs};
use subject::{CgroupCommand, ProcessCommand};

use super::table_command::TableCommand;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

/// See, explain and administer swap on Linux.
#[derive(Debug, Parser)]
#[command(
    name = "swapadm",
    version,
    about = "See, explain and administer swap on Linux",
    after_help = "Examples:\n  swapadm                         # open the terminal interface\n  swapadm status                  # the state of swap on one page\n  swapadm devices                 # swap areas, and how full each is\n  swapadm processes               # which processes are swapped out\n  swapadm paging --interval 1     # swap traffic, every second\n  swapadm report --json           # all tables, for scripts\n\nChanges need root. Values that only root may read are shown as missing, with the reason.\nswapadm COMMAND --help explains a command.",
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
    #[command(
        after_help = "Examples:\n  swapadm status\n  swapadm status --interval 5\n  swapadm status --json | jq .tables.status"
    )]
    Status(CommandArgs<RowArgs>),
    /// Report problems with swap, the figures behind them, and how to fix them
    #[command(
        after_help = "Examples:\n  swapadm advise\n  found=$(swapadm advise --check) || echo \"$found\" | mail -s swap root    # from cron\n  swapadm advise --explain mixed-priority\n  swapadm advise --rules                        # all rules, and which could not be checked\n  swapadm advise --json | jq '.tables.findings.rows[].fix'"
    )]
    Advise(CommandArgs<AdviseArgs>),
    /// A command that prints one table.
    #[command(flatten)]
    Table(Box<TableCommand>),
    /// Print all tables, or the tables named
    #[command(
        after_help = "Examples:\n  swapadm report\n  swapadm report --json > swap.json\n  swapadm report headroom attribution config"
    )]
    Report(CommandArgs<ReportArgs>),
    /// Print the figures as metrics for Prometheus, or answer its scrapes
    #[command(
        after_help = "Examples:\n  swapadm metrics\n  swapadm metrics --textfile /var/lib/prometheus/node-exporter/swapadm.prom\n  swapadm metrics --listen 9755                  # this machine only\n  swapadm metrics --listen 192.0.2.7:9755 --cgroup /system.slice/db.service\n  swapadm metrics --process postgres | grep ^swapadm_process"
    )]
    Metrics(CommandArgs<MetricsArgs>),
    /// Show how slots are spread over clusters, and which folio sizes still fit
    #[command(
        override_usage = "swapadm clusters [OPTIONS] [AREA]...\n       swapadm clusters [OPTIONS] --cluster <N> <AREA>",
        after_help = "Examples:\n  swapadm clusters\n  swapadm clusters zram0 --map\n  swapadm clusters zram0 --cluster 1            # each slot of one cluster\n  swapadm clusters --view tables --interval 5\n  swapadm clusters -J | jq .tables.cluster_owners     # who owns the slots (kernel 7.2)"
    )]
    Clusters(CommandArgs<ClusterArgs>),
    /// Show the metadata memory of swap areas, and what swapoff would move
    #[command(
        after_help = "Examples:\n  swapadm cost\n  swapadm cost --plan 16G,1T\n  swapadm cost -o all --explain"
    )]
    Cost(CommandArgs<CostArgs>),
    /// Copy the kernel files that swapadm reads into a directory, for --sysroot
    #[command(
        after_help = "Examples:\n  swapadm capture /tmp/machine\n  swapadm capture --scrub /tmp/machine    # without names and command lines\n  swapadm --sysroot /tmp/machine status"
    )]
    Capture(CommandArgs<CaptureArgs>),
    /// Record snapshots in a file
    #[command(
        after_help = "Examples:\n  swapadm record swap.rec --interval 1\n  swapadm record swap.rec --interval 1 --count 600\n  swapadm --recording swap.rec --at -5m status\n  swapadm --machine laptop record laptop.rec --count 60"
    )]
    Record(CommandArgs<RecordArgs>),
    /// Open the terminal interface, or print its screens as lines
    #[command(
        after_help = "Examples:\n  swapadm watch devices\n  swapadm watch --ascii --color never\n  swapadm watch overview --plain --interval 10    # lines for a log or a screen reader"
    )]
    Watch(CommandArgs<WatchArgs>),
    /// Open a recording in the interface, or print one of its tables
    #[command(
        after_help = "Examples:\n  swapadm replay swap.rec                 # in the interface\n  swapadm replay swap.rec devices\n  swapadm replay swap.rec paging --csv > paging.csv"
    )]
    Replay(CommandArgs<ReplayArgs>),
    /// Propose swap for this machine, explain each choice, and set it up
    #[command(
        after_help = "Examples:\n  swapadm setup --dry-run                        # only show the proposal and its plan\n  swapadm setup --profile server --with compression=zram --with size=8G\n  swapadm setup --with boot=no                   # until the next reboot\n  swapadm setup --json --dry-run | jq '.setup.choices[] | {key, value, reason}'"
    )]
    Setup(CommandArgs<SetupArgs>),
    /// Bring swap into the state that a file describes, or show the differences
    #[command(
        after_help = "Examples:\n  swapadm save > swap.toml\n  swapadm apply swap.toml --diff\n  swapadm apply swap.toml --check           # exit status 1 if something differs\n  swapadm apply swap.toml --persist --yes\n  swapadm apply --check                     # the same with /etc/swapadm/wanted.toml"
    )]
    Apply(CommandArgs<ApplyArgs>),
    /// Print the present state of swap as a file for apply
    #[command(
        after_help = "Examples:\n  swapadm save > swap.toml\n  swapadm save --boot                       # what the next boot will make\n  swapadm save | ssh other swapadm apply - --diff"
    )]
    Save(CommandArgs<SaveArgs>),
    /// Enable swap areas (swapon)
    #[command(
        after_help = "Examples:\n  swapadm on /dev/sda2 --priority 10\n  swapadm on UUID=5a9c0f3e-7b1d-4e62-8f40-00000000c0de --discard=once\n  swapadm on --all --dry-run"
    )]
    On(CommandArgs<OnArgs>),
    /// Disable swap areas (swapoff), moving their contents to memory and other areas
    #[command(
        after_help = "Examples:\n  swapadm off /dev/sda2 --dry-run\n  swapadm off zram0 --timeout 60 --max-psi 20\n  swapadm off /dev/sda2 --pace 5 --timeout 2h\n  swapadm off --all --yes"
    )]
    Off(CommandArgs<OffArgs>),
    /// Change priorities of swap areas; each area is disabled and enabled again
    #[command(
        after_help = "Examples:\n  swapadm priority zram0=100 /dev/sda2=10 --dry-run\n  swapadm priority LABEL=fast=100 --yes\n  swapadm priority /dev/sdb1=default /swapfile=default    # in this order"
    )]
    Priority(CommandArgs<PriorityArgs>),
    /// Rebalance swap areas by speed class, unless they are balanced already
    #[command(
        after_help = "Examples:\n  swapadm rebalance --check               # exit status 1 if rebalancing is needed\n  swapadm rebalance                       # give faster areas higher priorities\n  swapadm rebalance equal --dry-run\n  swapadm rebalance custom /etc/swap.priorities --yes\n  swapadm rebalance spread --yes --json --max-psi 10 --timeout 10m --wait 60"
    )]
    Rebalance(CommandArgs<RebalanceArgs>),
    /// Write a swap header to a device or file (mkswap)
    #[command(
        after_help = "Examples:\n  swapadm format /dev/sda2 --label fast --dry-run\n  swapadm format /dev/sdb1 --force signature    # destroys the file system there"
    )]
    Format(CommandArgs<FormatArgs>),
    /// Create, resize and remove swap files
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm file create /swapfile 4G --on\n  swapadm file resize /swapfile 8G\n  swapadm file remove /swapfile"
    )]
    File(CommandArgs<Nested<FileCommand>>),
    /// Show one process in detail: its mappings in swap and its waits
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm process show 1234\n  swapadm process show 1234 --json | jq '.tables.mappings.rows[] | {name, swap}'"
    )]
    Process(CommandArgs<Nested<ProcessCommand>>),
    /// Show one cgroup in detail: events, limits, processes, NUMA nodes and container
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm cgroup show /system.slice/db.service\n  swapadm cgroup show /db --json | jq .tables.cgroup_nodes"
    )]
    Cgroup(CommandArgs<Nested<CgroupCommand>>),
    /// Change kernel settings that control swapping
    #[command(
        after_help = "Examples:\n  swapadm set swappiness 10\n  swapadm set page-cluster=0 watermark_scale_factor=50 --dry-run\n  swapadm set zswap.enabled on\n  swapadm set thp.64kB.enabled always\n  swapadm set --cgroup /db memory.swap.max 2G\n\nswapadm knobs lists the settings with their ranges. Each huge page size has two more, such as\nthp.64kB.enabled and thp.64kB.shmem_enabled; the settings of cgroups are listed in\nswapadm-set(8). A change lasts until reboot; --persist also applies it at boot."
    )]
    Set(CommandArgs<SetArgs>),
    /// Reset kernel settings to their defaults
    #[command(
        after_help = "Examples:\n  swapadm reset swappiness page-cluster\n  swapadm reset --cgroup /db memory.swap.max    # remove the limit"
    )]
    Reset(CommandArgs<ResetArgs>),
    /// Show what will differ after the next boot
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm persist check\n  swapadm priority zram0=100 --persist"
    )]
    Persist(CommandArgs<Nested<PersistCommand>>),
    /// List, show, compare, export and remove stored results of the stress lab
    Results(CommandArgs<ResultsArgs>),
    /// List changes made by swapadm, and how each ended
    #[command(
        after_help = "Examples:\n  swapadm journal\n  swapadm journal 12            # plan 12 with all its events\n  swapadm journal --json | jq '.[-1].events'"
    )]
    Journal(CommandArgs<JournalArgs>),
    /// Undo a change
    #[command(
        after_help = "Examples:\n  swapadm journal                # lists changes with their numbers\n  swapadm undo 12 --dry-run\n  swapadm undo 12 --yes"
    )]
    Undo(CommandArgs<UndoArgs>),
    /// Repair an interrupted change
    #[command(
        after_help = "Examples:\n  swapadm recover --dry-run      # show the repair only\n  swapadm recover\n  swapadm recover --wait 5m      # wait for a helper of a killed swapadm\n  swapadm recover --dismiss 12   # close plan 12, whose area is gone"
    )]
    Recover(CommandArgs<RecoverArgs>),
    /// Run a workload under a memory limit, and measure how the kernel swaps
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm stress list\n  swapadm stress run usemem --zram 4x1G\n  swapadm stress show random-write > mine.toml"
    )]
    Stress(CommandArgs<Nested<StressCommand>>),
    /// Run a workload in several cases, and compare them
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm experiment list\n  swapadm experiment run balance --published\n  swapadm experiment show readahead > mine.toml"
    )]
    Experiment(CommandArgs<Nested<ExperimentCommand>>),
    /// List, print, check and write simulated machines
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm machine list\n  swapadm --machine laptop status\n  swapadm --machine four-zram watch devices --plain --count 3\n  swapadm machine like-this > mine.toml"
    )]
    Machine(CommandArgs<MachineArgs>),
    /// Predict how this machine fills swap with another kernel, priorities or areas
    #[command(
        after_help = "Examples:\n  swapadm what-if                              # the machine as it is\n  swapadm what-if --kernel 7.2\n  swapadm what-if --add 16G@nvme,priority=5 --rate 10M\n  swapadm what-if --kernel 7.2 --load usemem\n  swapadm what-if --priority zram0=100 --like-now\n  swapadm --machine laptop what-if --priority zram0=5,/swapfile=5\n  swapadm what-if --kernel 7.2 --json | jq .tables.what_if.rows"
    )]
    WhatIf(CommandArgs<WhatIfArgs>),
    /// Learn how swap works: lessons on simulated machines, with predictions before results
    #[command(
        disable_help_subcommand = true,
        after_help = "Examples:\n  swapadm learn                        # lessons and progress\n  swapadm learn priorities\n  swapadm learn clusters --seed 7 --plain\n  swapadm learn ./mine.toml --present\n  swapadm learn export clusters --no-answers > exercise.md"
    )]
    Learn(CommandArgs<LearnArgs>),
    /// Open the interface on a simulated machine under a load that shows something
    #[command(after_help = "Examples:\n  swapadm demo\n  swapadm demo waterfall")]
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

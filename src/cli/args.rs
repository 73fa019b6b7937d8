//! What can be typed: the one source of the parser, `--help`, the manual and the completions.

mod change;
pub mod clusters;
pub mod discard;
pub mod experiment;
mod machine;
mod nature;
pub mod negative;
mod parse;
pub mod results;
mod risks;
pub mod selection;
pub mod stress;
pub mod zram;

pub use change::*;
use clusters::ClusterArgs;
use experiment::ExperimentCommand;
pub use machine::{Nested, NoRecording};
pub use parse::{CommandArgs, keeping_about, parse};
use results::ResultsArgs;
use stress::StressCommand;

use super::table_command::TableCommand;
use crate::ui::settings::{ColorChoice, GlyphChoice, SCREENS};
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

/// Where to read from.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Where to read from")]
pub struct SourceArgs {
    /// A captured tree.
    #[arg(help = "Read a captured tree instead of this machine [env: SWAPADM_ROOT]", long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub sysroot: Option<PathBuf>,
    /// Read a recording instead of this machine
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "sysroot")]
    pub recording: Option<PathBuf>,
    /// The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)
    #[arg(
        long,
        global = true,
        value_name = "TIME",
        requires = "recording",
        allow_hyphen_values = true
    )]
    pub at: Option<String>,
}

/// How the terminal interface begins.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(next_help_heading = "Settings")]
pub struct SettingsArgs {
    /// Time between two samples.
    #[arg(
        help = "Seconds between samples [env: SWAPADM_INTERVAL]",
        long,
        short,
        value_name = "SECS"
    )]
    pub interval: Option<String>,
    /// How many colours.
    #[arg(help = "Colours: auto, true, 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]", long, value_name = "WHEN", value_parser = ColorChoice::WORDS.map(|(word, _)| word), hide_possible_values = true)]
    pub color: Option<String>,
    /// Which signs to draw with.
    #[arg(help = "Signs: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]", long, value_name = "SET", value_parser = GlyphChoice::WORDS.map(|(word, _)| word), hide_possible_values = true)]
    pub glyphs: Option<String>,
    /// The same as --glyphs ascii
    #[arg(long, conflicts_with = "glyphs")]
    pub ascii: bool,
    /// The screen to begin with
    #[arg(id = "start", long = "screen", value_name = "NAME", value_parser = SCREENS.to_vec())]
    pub screen: Option<String>,
    /// Leave the mouse to the terminal
    #[arg(long)]
    pub no_mouse: bool,
    /// Use this file of settings instead of swapadm/config.toml in ~/.config
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Use no file of settings
    #[arg(long)]
    pub no_config: bool,
}

/// Which rows and columns, and in which form.
#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that can be typed")]
#[command(next_help_heading = "Output")]
pub struct RowArgs {
    /// JSON, in base units; null where something is missing, with the reason
    #[arg(long, short = 'J', conflicts_with_all = ["csv", "raw", "noheadings"])]
    pub json: bool,
    /// Comma-separated values, in base units
    #[arg(long, conflicts_with = "raw")]
    pub csv: bool,
    /// Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all
    #[arg(long, short, value_name = "COLS", allow_hyphen_values = true)]
    pub output: Option<String>,
    /// Sort by these columns: NAME,-NAME (- for largest first)
    #[arg(long, value_name = "COLS", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Show only rows that pass, such as 'used>1G & name~zram'; a bare word is looked for anywhere
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Plain numbers of bytes instead of 1.5G
    #[arg(long, short)]
    pub bytes: bool,
    /// Leave the headings out
    #[arg(long, short)]
    pub noheadings: bool,
    /// One blank between columns, nothing dropped, blanks in values written \x20
    #[arg(long, short)]
    pub raw: bool,
    /// Put the time of the sample before each row
    #[arg(long, short, conflicts_with = "json")]
    pub timestamp: bool,
    /// Say below the table why values are missing
    #[arg(long, conflicts_with_all = ["json", "csv", "raw"])]
    pub explain: bool,
    /// List the columns with their units and meaning
    #[arg(long)]
    pub help_columns: bool,
    /// Go on every so many seconds, with rates
    #[arg(long, short, value_name = "SECS")]
    pub interval: Option<String>,
    /// Stop after so many
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
}

/// A number that counts nothing and can be any.
fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}", u64::MAX))
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

/// `processes`.
#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that can be typed")]
pub struct ProcessArgs {
    /// Also each process's fair share of shared swap; walks its page tables
    #[arg(long)]
    pub pss: bool,
    /// Children below their parents
    #[arg(long, conflicts_with_all = ["users", "json", "csv"])]
    pub tree: bool,
    /// By user instead of by process
    #[arg(long, conflicts_with = "pss")]
    pub users: bool,
    /// Also processes without swap
    #[arg(long, short)]
    pub all: bool,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// `cost`.
#[derive(Args, Clone, Debug, Default)]
pub struct CostArgs {
    /// Also areas of these sizes, which are not there yet
    #[arg(long, value_name = "SIZE", value_delimiter = ',')]
    pub plan: Vec<String>,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// Tables that hide what holds nothing.
#[derive(Args, Clone, Debug, Default)]
pub struct AllArgs {
    /// Also rows that hold nothing
    #[arg(long, short)]
    pub all: bool,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// `report`.
#[derive(Args, Clone, Debug, Default)]
pub struct ReportArgs {
    /// Only these tables; one alone takes all options of tables
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// Also rows that hold nothing
    #[arg(long, short)]
    pub all: bool,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// `advise`.
#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that can be typed")]
pub struct AdviseArgs {
    /// End with 1 when something is wrong, with 7 when it is critical; notes are no fault
    #[arg(long)]
    pub check: bool,
    /// All about one rule, also when it finds nothing
    #[arg(long, value_name = "RULE", conflicts_with_all = ["json", "rules"])]
    pub explain: Option<String>,
    /// All rules: what each looks for, and what came of it
    #[arg(long)]
    pub rules: bool,
    /// JSON: the findings with their figures, and what came of each rule
    #[arg(long, short = 'J')]
    pub json: bool,
    /// Go on every so many seconds
    #[arg(long, short, value_name = "SECS")]
    pub interval: Option<String>,
    /// Stop after so many
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// Take the thresholds of this file of settings instead of swapadm/config.toml in ~/.config
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Take the thresholds that hold when nobody says otherwise
    #[arg(long)]
    pub no_config: bool,
}

/// `capture`.
#[derive(Args, Clone, Debug)]
pub struct CaptureArgs {
    /// The folder to make
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: PathBuf,
    /// Leave out host, user, process and file names and command lines
    #[arg(long)]
    pub scrub: bool,
    /// It reads no recording.
    #[command(flatten)]
    pub source: NoRecording,
}

/// `record`.
#[derive(Args, Clone, Debug)]
pub struct RecordArgs {
    /// The file to make
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Seconds between snapshots
    #[arg(long, short, value_name = "SECS", default_value = "1")]
    pub interval: String,
    /// Stop after so many snapshots
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// It reads no recording.
    #[command(flatten)]
    pub source: NoRecording,
}

/// `replay`.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// The recording
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The table to print; paging where there is no terminal
    #[arg(value_name = "TABLE")]
    pub table: Option<String>,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// `watch`.
#[derive(Args, Clone, Debug, Default)]
pub struct WatchArgs {
    /// The screen to begin with
    #[arg(value_name = "SCREEN", value_parser = SCREENS.to_vec(), conflicts_with = "start")]
    pub screen: Option<String>,
    /// Print lines instead of drawing: for screen readers, logs and serial lines
    #[arg(long)]
    pub plain: bool,
    /// Stop after so many samples
    #[arg(long, short, value_name = "N", requires = "plain", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// How the interface looks.
    #[command(flatten)]
    pub settings: SettingsArgs,
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

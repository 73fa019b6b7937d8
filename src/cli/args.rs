//! What can be typed: the one source of the parser, `--help`, the manual and the completions.

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

/// See, explain and administer swap on Linux.
#[derive(Debug, Parser)]
#[command(
    name = "swapadm",
    version,
    about = "See, explain and administer swap on Linux",
    after_help = "Examples:\n  swapadm                         how is my swap?\n  swapadm devices                 which areas carry it, and how full is each\n  swapadm processes               who is swapped out\n  swapadm paging --interval 1     what goes in and out, each second\n  swapadm report --json           everything, for scripts\n\nAnyone can run it: what these rights do not let it read is shown as missing, with the reason.",
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub struct Cli {
    /// Where to read from.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What to do; `status` when nothing is said.
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
    #[arg(long, short, value_name = "N", requires = "interval", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The one-page answer to "how is my swap?"
    #[command(
        after_help = "Examples:\n  swapadm status\n  swapadm status --interval 5\n  swapadm status --json | jq .tables.headroom"
    )]
    Status(Box<RowArgs>),
    /// A command that prints one table.
    #[command(flatten)]
    Table(TableCommand),
    /// Everything, or the tables named
    #[command(
        after_help = "Examples:\n  swapadm report\n  swapadm report --json > swap.json\n  swapadm report headroom attribution config"
    )]
    Report(Box<ReportArgs>),
    /// Copy what swapadm reads of this machine into a folder, for --sysroot
    #[command(
        after_help = "Examples:\n  swapadm capture /tmp/machine\n  swapadm capture --scrub /tmp/machine    without names and command lines\n  swapadm --sysroot /tmp/machine status"
    )]
    Capture(CaptureArgs),
    /// Write snapshots into a file as time goes on
    #[command(
        after_help = "Examples:\n  swapadm record swap.rec --interval 1\n  swapadm record swap.rec --interval 1 --count 600\n  swapadm --recording swap.rec --at -5m status"
    )]
    Record(RecordArgs),
    /// Print a recording as a stream
    #[command(
        after_help = "Examples:\n  swapadm replay swap.rec\n  swapadm replay swap.rec devices\n  swapadm replay swap.rec paging --csv > paging.csv"
    )]
    Replay(ReplayArgs),
    /// Write the manual, the completions and the JSON schema
    #[command(hide = true)]
    Generate(GenerateArgs),
}

/// Commands that print one table.
#[derive(Debug, Subcommand)]
pub enum TableCommand {
    /// Swap areas: size, use, priority, what carries them
    #[command(
        after_help = "Examples:\n  swapadm devices\n  swapadm devices -o +label,uuid --explain\n  swapadm devices --interval 1            with what goes in and out of each\n  swapadm devices -J | jq '.tables.devices.rows[].used'"
    )]
    Devices(Box<RowArgs>),
    /// The areas of each priority, and how evenly they are used
    #[command(after_help = "Examples:\n  swapadm groups\n  swapadm groups --filter 'skew>10%'")]
    Groups(Box<RowArgs>),
    /// zram devices: what they hold in how much memory
    #[command(
        after_help = "Examples:\n  swapadm zram\n  swapadm zram -o all --bytes\n  swapadm zram --filter 'ratio<1.5'"
    )]
    Zram(Box<RowArgs>),
    /// zswap: what it holds, and what it turned away
    #[command(
        after_help = "Examples:\n  swapadm zswap\n  swapadm zswap -o all --explain\n  swapadm zswap --interval 1"
    )]
    Zswap(Box<RowArgs>),
    /// Large folios by size: how often they are swapped whole or must be split
    #[command(
        after_help = "Examples:\n  swapadm mthp\n  swapadm mthp --interval 2 --filter 'swpout_rate>0 | fallback_rate>0'"
    )]
    Mthp(Box<RowArgs>),
    /// Swap readahead: does it pay?
    #[command(
        after_help = "Examples:\n  swapadm readahead\n  swapadm readahead --interval 5\n  swapadm readahead -o all --json"
    )]
    Readahead(Box<RowArgs>),
    /// Traffic to and from swap, faults and reclaim
    #[command(
        after_help = "Examples:\n  swapadm paging --interval 1\n  swapadm paging --interval 1 --count 60 --csv > paging.csv\n  swapadm paging -o pswpin,pswpout        since boot"
    )]
    Paging(Box<RowArgs>),
    /// Processes with pages in swap
    #[command(
        after_help = "Examples:\n  swapadm processes\n  swapadm processes --pss --sort -swap_pss\n  swapadm processes --tree\n  swapadm processes --users\n  swapadm processes --filter 'user=postgres & swap>10M'"
    )]
    Processes(Box<ProcessArgs>),
    /// Control groups: swap, limits and pressure
    #[command(
        after_help = "Examples:\n  swapadm cgroups\n  swapadm cgroups --all --sort path\n  swapadm cgroups -o +swap_peak,swap_max_hits"
    )]
    Cgroups(Box<AllArgs>),
    /// The share of time in which tasks waited for memory, I/O and processors
    #[command(
        after_help = "Examples:\n  swapadm pressure\n  swapadm pressure --interval 1 --filter 'resource=memory'"
    )]
    Pressure(Box<RowArgs>),
    /// Settings that steer swapping, with range and default
    #[command(
        after_help = "Examples:\n  swapadm knobs\n  swapadm knobs --filter changed=yes\n  swapadm knobs -o name,value,file"
    )]
    Knobs(Box<RowArgs>),
    /// Memory, swap cache and swap devices by NUMA node
    #[command(after_help = "Examples:\n  swapadm numa\n  swapadm numa -o +distance")]
    Numa(Box<RowArgs>),
    /// What this kernel and these rights let swapadm see, and what to do about the rest
    #[command(
        after_help = "Examples:\n  swapadm sources\n  swapadm sources --filter 'state!=ok'\n  swapadm sources -o +files"
    )]
    Sources(Box<RowArgs>),
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

/// Tables that hide what holds nothing.
#[derive(Args, Clone, Debug, Default)]
pub struct AllArgs {
    /// Also those without swap
    #[arg(long, short)]
    pub all: bool,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// `report`.
#[derive(Args, Clone, Debug, Default)]
pub struct ReportArgs {
    /// Only these tables
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// Also rows that hold nothing
    #[arg(long, short)]
    pub all: bool,
    /// JSON, in base units; all columns
    #[arg(long, short = 'J')]
    pub json: bool,
    /// Plain numbers of bytes instead of 1.5G
    #[arg(long, short)]
    pub bytes: bool,
    /// Go on every so many seconds
    #[arg(long, short, value_name = "SECS")]
    pub interval: Option<String>,
    /// Stop after so many
    #[arg(long, short, value_name = "N", requires = "interval", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
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
}

/// `replay`.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// The recording
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The table to print
    #[arg(value_name = "TABLE", default_value = "paging")]
    pub table: String,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
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

/// A table command with what was asked of it.
pub struct TableArgs {
    /// Rows and columns.
    pub rows: RowArgs,
    /// Also rows that hold nothing.
    pub all: bool,
    /// Children below their parents.
    pub tree: bool,
}

impl TableCommand {
    /// The name of the table, and what was asked of it.
    #[must_use]
    pub fn split(self) -> (&'static str, TableArgs) {
        let plain =
            |name, rows: Box<RowArgs>| (name, TableArgs { rows: *rows, all: false, tree: false });
        match self {
            Self::Devices(args) => plain("devices", args),
            Self::Groups(args) => plain("groups", args),
            Self::Zram(args) => plain("zram", args),
            Self::Zswap(args) => plain("zswap", args),
            Self::Mthp(args) => plain("mthp", args),
            Self::Readahead(args) => plain("readahead", args),
            Self::Paging(args) => plain("paging", args),
            Self::Pressure(args) => plain("pressure", args),
            Self::Knobs(args) => plain("knobs", args),
            Self::Numa(args) => plain("numa", args),
            Self::Sources(args) => plain("sources", args),
            Self::Cgroups(args) => {
                ("cgroups", TableArgs { rows: args.rows, all: args.all, tree: false })
            }
            Self::Processes(args) => processes(*args),
        }
    }
}

fn processes(args: ProcessArgs) -> (&'static str, TableArgs) {
    let mut rows = args.rows;
    if args.pss {
        let more = "+swap_pss,+swap_mapped";
        rows.output =
            Some(rows.output.map_or(more.to_owned(), |columns| format!("{columns},{more}")));
    }
    let table = if args.users { "users" } else { "processes" };
    (table, TableArgs { rows, all: args.all, tree: args.tree })
}

//! Arguments of the commands that show something: tables, reports, the interface and recordings.

use super::{NoRecording, RowArgs, SettingsArgs};
use crate::ui::settings::SCREENS;
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

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

/// `selection`.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectionArgs {
    /// What is asked.
    #[command(flatten)]
    pub wish: SelectionRequest,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// Of which node, of what, and with which priorities.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectionRequest {
    /// Only the order of this NUMA node
    #[arg(long, value_name = "N")]
    pub node: Option<u32>,
    /// Shares of large folios of this size, such as 64K or 2M, in place of those of single pages
    #[arg(long, value_name = "SIZE")]
    pub folio: Option<String>,
    /// Also the order as it would be with these priorities: a path, a name, LABEL= or UUID=, and 0 to
    /// 32767 or default; nothing is changed
    #[arg(long, value_name = "AREA=N", value_delimiter = ',')]
    pub with: Vec<OsString>,
}

/// A view into the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ViewChoice {
    /// The kernel's own memory, by its type information: complete; root
    Kernel,
    /// What a zram device has stored; root, debugfs
    Zram,
    /// Page tables of all processes; root
    Tables,
}

/// `clusters`.
#[derive(Args, Clone, Debug, Default)]
pub struct ClusterArgs {
    /// Areas to look at closely: room by folio size, and how far clusters are taken
    #[arg(value_name = "AREA")]
    pub areas: Vec<String>,
    /// Where it comes from, instead of the best there is
    #[arg(long, value_name = "VIEW")]
    pub view: Option<ViewChoice>,
    /// Draw each area from its beginning to its end
    #[arg(long, conflicts_with_all = ["csv", "raw"])]
    pub map: bool,
    /// Each slot of this cluster of the area, counted from 0; --json for all that is known of each
    #[arg(long, value_name = "N", requires = "areas", conflicts_with_all = ["map", "interval"])]
    pub cluster: Option<u64>,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}

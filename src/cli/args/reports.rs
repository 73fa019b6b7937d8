//! Arguments of tables, reports, the interface, recordings and captures.

use super::common::Listed;
use super::common::pid;
use super::{HiddenSource as _, LookArgs, RowArgs, SettingsArgs};
use crate::advice::RULES;
use crate::columns::TABLES;
use crate::ui::settings::SCREENS;
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

const TABLE_NAMES: Listed = Listed(|| TABLES.iter().map(|spec| spec.name).collect());
const RULE_NAMES: Listed = Listed(|| RULES.iter().map(|rule| rule.id).collect());

/// `processes`.
#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that can be typed")]
pub struct ProcessArgs {
    /// Show this process, and where its swapped memory is mapped; reads its page tables
    #[arg(value_name = "PID", value_parser = pid, conflicts_with_all = ["pss", "tree", "users", "all", "csv", "markdown", "raw", "interval", "count", "explain", "timestamp", "noheadings"])]
    pub pid: Option<u32>,
    /// Add the proportional share of swap; reads the page tables of each process
    #[arg(long)]
    pub pss: bool,
    /// Show children below their parents
    #[arg(long, conflicts_with_all = ["users", "json", "csv"])]
    pub tree: bool,
    /// Sum by user instead of listing processes
    #[arg(long, conflicts_with = "pss")]
    pub users: bool,
    /// Include processes without swap
    #[arg(long, short)]
    pub all: bool,
    /// Rows, columns and output format.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// `cost`.
#[derive(Args, Clone, Debug, Default)]
pub struct CostArgs {
    /// Also estimate areas of these sizes
    #[arg(long, value_name = "SIZE", value_delimiter = ',')]
    pub plan: Vec<String>,
    /// Rows, columns and output format.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// Arguments of tables that hide empty rows.
#[derive(Args, Clone, Debug, Default)]
pub struct AllArgs {
    /// Include empty rows
    #[arg(long, short)]
    pub all: bool,
    /// Rows, columns and output format.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// `report`.
#[derive(Args, Clone, Debug, Default)]
pub struct ReportArgs {
    /// Only these tables; options for rows and columns need exactly one
    #[arg(value_name = "TABLE", value_parser = TABLE_NAMES)]
    pub tables: Vec<String>,
    /// Include empty rows
    #[arg(long, short)]
    pub all: bool,
    /// Rows, columns and output format.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// `metrics`.
#[derive(Args, Clone, Debug, Default)]
pub struct MetricsArgs {
    /// File for a collector of text files.
    #[arg(help = "Write the metrics to FILE for the textfile collector of node_exporter", long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "listen")]
    pub textfile: Option<PathBuf>,
    /// Address to listen on.
    #[arg(help = "Answer scrapes at http://ADDRESS/metrics: a port, for this machine only, or IP:PORT", long, value_name = "ADDRESS", value_parser = listen_address)]
    pub listen: Option<SocketAddr>,
    /// Include this cgroup, such as /system.slice/db.service; can be given several times
    #[arg(long, value_name = "PATH")]
    pub cgroup: Vec<String>,
    /// Include the sum of all processes with this name; can be given several times
    #[arg(long, value_name = "NAME")]
    pub process: Vec<String>,
}

/// Parses an address to listen on.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_| text.parse()).map_err(|_| {
        "use a port, such as 9755, or an address and a port, such as 192.0.2.7:9755 or [::1]:9755"
            .to_owned()
    })
}

/// `advise`.
#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that can be typed")]
pub struct AdviseArgs {
    /// Exit with 1 for warnings, with 7 for critical findings; notes do not count
    #[arg(long)]
    pub check: bool,
    /// Explain one rule, also if it finds nothing
    #[arg(long, value_name = "RULE", value_parser = RULE_NAMES, hide_possible_values = true, conflicts_with_all = ["json", "rules"])]
    pub explain: Option<String>,
    /// List all rules: what each checks, and its result
    #[arg(long)]
    pub rules: bool,
    /// Print findings with their figures, and the result of each rule, as JSON
    #[arg(long, short = 'J')]
    pub json: bool,
    /// Repeat every SECS seconds
    #[arg(long, short, value_name = "SECS")]
    pub interval: Option<String>,
    /// Stop after N reports
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// Read thresholds from this settings file instead of ~/.config/swapadm/config.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Use the default thresholds
    #[arg(long)]
    pub no_config: bool,
}

/// `capture`.
#[derive(Args, Clone, Debug)]
#[command(hide_recording())]
pub struct CaptureArgs {
    /// Directory to create
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: PathBuf,
    /// Omit command lines and the names of host, users, processes and files
    #[arg(long)]
    pub scrub: bool,
}

/// `record`.
#[derive(Args, Clone, Debug)]
#[command(hide_source())]
pub struct RecordArgs {
    /// File to create
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Seconds between snapshots
    #[arg(long, short, value_name = "SECS", default_value = "1")]
    pub interval: String,
    /// Stop after N snapshots
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
}

/// `replay`.
#[derive(Args, Clone, Debug, Default)]
#[command(mut_arg("interval", |it| it.hide(true)), hide_source())]
pub struct ReplayArgs {
    /// Recording to read
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Table to print [default without a terminal: paging]
    #[arg(value_name = "TABLE", value_parser = TABLE_NAMES)]
    pub table: Option<String>,
    /// Rows, columns and output format.
    #[command(flatten)]
    pub rows: RowArgs,
    /// Settings of the interface.
    #[command(flatten)]
    pub look: LookArgs,
}

/// `watch`.
#[derive(Args, Clone, Debug, Default)]
pub struct WatchArgs {
    /// Screen to open first
    #[arg(value_name = "SCREEN", value_parser = SCREENS.to_vec(), conflicts_with = "start")]
    pub screen: Option<String>,
    /// Print lines instead of drawing, for screen readers, logs and serial consoles
    #[arg(long, group = "printed")]
    pub plain: bool,
    /// Write a picture of the screen to FILE as SVG instead of opening the interface
    #[arg(long, value_name = "FILE", group = "printed", value_hint = ValueHint::FilePath)]
    pub picture: Option<PathBuf>,
    /// Columns and rows of the picture, from 30x6 to 400x200
    #[arg(long, value_name = "COLSxROWS", requires = "picture", default_value = "120x40", value_parser = picture_size)]
    pub size: (u16, u16),
    /// Stop after N samples; a picture takes 2 of a live machine, and all of a recording
    #[arg(long, short, value_name = "N", requires = "printed", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// Settings of the interface.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// Parses the size of a picture.
fn picture_size(text: &str) -> Result<(u16, u16), String> {
    let number = |text: &str| text.parse::<u16>().ok();
    let size = text.split_once('x').and_then(|(cols, rows)| Some((number(cols)?, number(rows)?)));
    let is_drawn =
        |(cols, rows): &(u16, u16)| (30..=400).contains(cols) && (6..=200).contains(rows);
    size.filter(is_drawn)
        .ok_or_else(|| "use COLUMNSxROWS from 30x6 to 400x200, such as 120x40".to_owned())
}

/// `selection`.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectionArgs {
    /// Node, cgroup, folio size and other priorities.
    #[command(flatten)]
    pub wish: SelectionRequest,
    /// Rows, columns and output format.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// The node, the cgroup, the folio size and the other priorities of `selection`.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectionRequest {
    /// Show only the order of this NUMA node
    #[arg(long, value_name = "N")]
    pub node: Option<u32>,
    /// Show only areas that this cgroup may use, on kernels with swap tiers (no release has them yet)
    #[arg(long, value_name = "PATH")]
    pub cgroup: Option<OsString>,
    /// Show shares of large folios of this size, such as 64K or 2M, instead of single pages
    #[arg(long, value_name = "SIZE")]
    pub folio: Option<String>,
    /// Also show the order with these priorities: AREA is a path, a name, LABEL= or UUID=, N is 0 to
    /// 32767 or default; changes nothing
    #[arg(long, value_name = "AREA=N", value_delimiter = ',')]
    pub with: Vec<OsString>,
}

/// A source of cluster figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ViewChoice {
    /// Kernel memory, read with BTF type information: complete; needs root
    Kernel,
    /// The block state of zram devices; needs root and debugfs
    Zram,
    /// Page tables of all processes; needs root
    Tables,
}

/// `clusters`.
#[derive(Args, Clone, Debug, Default)]
pub struct ClusterArgs {
    /// Areas to show in detail: room by folio size, and clusters by use
    #[arg(value_name = "AREA")]
    pub areas: Vec<String>,
    /// Use this source instead of the best available one
    #[arg(long, value_name = "VIEW")]
    pub view: Option<ViewChoice>,
    /// Draw a map of each area
    #[arg(long, conflicts_with_all = ["csv", "markdown", "raw"])]
    pub map: bool,
    /// Show each slot of this cluster of the area, counted from 0; --json adds all that is known
    #[arg(long, value_name = "N", requires = "areas", conflicts_with_all = ["map", "interval"])]
    pub cluster: Option<u64>,
    /// Rows, columns and output format.
    #[command(flatten)]
    pub rows: RowArgs,
}

//! Arguments of `results`.

use super::HiddenSource as _;
use crate::columns::Request;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// `results`.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct ResultsArgs {
    /// The subcommand; without one, results are listed.
    #[command(subcommand)]
    pub command: Option<ResultsCommand>,
    /// Options of the list.
    #[command(flatten)]
    pub list: ListArgs,
}

/// Commands of `results`.
#[derive(Clone, Debug, Subcommand)]
pub enum ResultsCommand {
    /// List stored results, newest first
    List(ListArgs),
    /// Show what a run or an experiment measured
    Show(ShowArgs),
    /// Compare two runs or two experiments, and mark differences larger than noise
    Compare(CompareArgs),
    /// Export runs or experiments as JSON, CSV, Markdown or HTML
    Export(ExportArgs),
    /// Remove stored results; an experiment is removed with its runs
    Remove(RemoveArgs),
}

/// Output format of results.
#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that can be typed")]
#[command(next_help_heading = "Output", hide_source())]
pub struct ResultsOutputArgs {
    /// Print JSON: figures in the unit beside them, all else in base units; a missing value is null,
    /// with the reason
    #[arg(long, short = 'J', conflicts_with_all = ["csv", "markdown"])]
    pub json: bool,
    /// Print comma-separated values in the units of JSON
    #[arg(long, conflicts_with = "markdown")]
    pub csv: bool,
    /// Print tables in Markdown
    #[arg(long)]
    pub markdown: bool,
    /// Print sizes in bytes instead of 1.5G
    #[arg(long, short)]
    pub bytes: bool,
    /// Explain missing values below each table
    #[arg(long, conflicts_with_all = ["json", "csv", "markdown"])]
    pub explain: bool,
    /// Include empty rows, and rows that are in the tables of areas, folios or latency too
    #[arg(long, short)]
    pub all: bool,
}

/// Rows and columns of one table.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct ResultsFilterArgs {
    /// Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes
    #[arg(long, short, value_name = "COLS", allow_hyphen_values = true)]
    pub output: Option<String>,
    /// Sort by these columns: NAME,-NAME (- for largest first)
    #[arg(long, value_name = "COLS", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Show only matching rows, such as 'figure~latency'
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub filter: Option<String>,
}

impl ResultsOutputArgs {
    /// The request to the tables. JSON and CSV get all columns and rows by default.
    pub fn request(&self, choice: &ResultsFilterArgs) -> Request {
        let for_programs = self.json || self.csv;
        let all = for_programs.then(|| "all".to_owned());
        Request {
            columns: choice.output.clone().or(all),
            filter: choice.filter.clone(),
            sort: choice.sort.clone(),
            all: self.all || for_programs,
            ..Request::default()
        }
    }
}

/// `results list`.
#[derive(Args, Clone, Debug, Default)]
pub struct ListArgs {
    /// Filter, order and columns of the rows.
    #[command(flatten)]
    pub choice: ResultsFilterArgs,
    /// Output format.
    #[command(flatten)]
    pub form: ResultsOutputArgs,
}

/// `results show`.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// Run or experiment: its number, last, last~1 for the one before that, or a file
    #[arg(value_name = "ID")]
    pub run: OsString,
    /// Also print published figures of an experiment, if there are any
    #[arg(long, conflicts_with = "csv")]
    pub published: bool,
    /// Output format.
    #[command(flatten)]
    pub form: ResultsOutputArgs,
}

/// `results compare`.
#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    /// Run or experiment to compare with: its number, last, last~1, or a file
    #[arg(value_name = "A")]
    pub first: OsString,
    /// Run or experiment to compare; a run with a run, an experiment with an experiment
    #[arg(value_name = "B")]
    pub second: OsString,
    /// Filter, order and columns of the rows.
    #[command(flatten)]
    pub choice: ResultsFilterArgs,
    /// Output format.
    #[command(flatten)]
    pub form: ResultsOutputArgs,
}

/// `results export`.
#[derive(Args, Clone, Debug)]
#[command(hide_source())]
pub struct ExportArgs {
    /// Runs or experiments to export; several only as markdown or html
    #[arg(value_name = "ID", required = true)]
    pub runs: Vec<OsString>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ExportForm::Json, value_name = "FORM")]
    pub format: ExportForm,
    /// Also write figures that others have published for the same experiment; JSON always has them
    #[arg(long)]
    pub published: bool,
    /// File to create [default: standard output]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub to: Option<PathBuf>,
}

/// Formats of exported results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// The complete result, as it is stored
    Json,
    /// The figures of a run, or the table of an experiment
    Csv,
    /// The tables
    Markdown,
    /// A self-contained page with plots
    Html,
}

/// `results remove`.
#[derive(Args, Clone, Debug)]
#[command(hide_source())]
pub struct RemoveArgs {
    /// Results to remove: numbers, last or last~1
    #[arg(value_name = "ID", required = true)]
    pub runs: Vec<OsString>,
    /// Do not ask before removing an experiment with its runs
    #[arg(long, short)]
    pub yes: bool,
}

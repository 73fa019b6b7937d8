//! Arguments of `results`.

use super::NoRecording;
use crate::columns::Request;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// `results`.
#[derive(Args, Clone, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "Examples:\n  swapadm results\n  swapadm results show last\n  swapadm results compare last~1 last\n  swapadm results export last --format html --to run.html"
)]
pub struct ResultsArgs {
    /// What to do; without it they are listed.
    #[command(subcommand)]
    pub command: Option<ResultsCommand>,
    /// How they are listed.
    #[command(flatten)]
    pub list: ListArgs,
}

/// What is done with results.
#[derive(Clone, Debug, Subcommand)]
pub enum ResultsCommand {
    /// List what is kept, newest first
    #[command(
        after_help = "Examples:\n  swapadm results list\n  swapadm results list --filter 'title~zram & end=done' --sort elapsed"
    )]
    List(ListArgs),
    /// What a run or an experiment has shown
    #[command(
        after_help = "Examples:\n  swapadm results show last\n  swapadm results show 12 --all\n  swapadm results show 15 --published\n  swapadm results show 12 --json | jq '.tables.figures.rows[] | {figure, mean}'"
    )]
    Show(ShowArgs),
    /// Two runs or two experiments, figure by figure: do they differ by more than noise?
    #[command(
        after_help = "Examples:\n  swapadm results compare last~1 last\n  swapadm results compare 11 12 --filter 'figure~latency'\n  swapadm results compare before.json after.json --markdown\n  swapadm results compare 15 31 --all       # the same experiment on two kernels"
    )]
    Compare(CompareArgs),
    /// Write experiments or runs into a file or to the output, in another form
    #[command(
        after_help = "Examples:\n  swapadm results export last --format html --to run.html\n  swapadm results export 11 12 13 --format html --to runs.html\n  swapadm results export 12 > run.json      # read again by compare"
    )]
    Export(ExportArgs),
    /// Remove results that are kept; an experiment goes with its runs
    #[command(
        after_help = "Examples:\n  swapadm results remove 11 12\n  swapadm results remove last --yes"
    )]
    Remove(RemoveArgs),
}

/// In which form tables of results are printed.
#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that can be typed")]
#[command(next_help_heading = "Output")]
pub struct ResultsOutputArgs {
    /// JSON, figures in the units beside them, all else in base units; null where something is
    /// missing, with the reason
    #[arg(long, short = 'J', conflicts_with_all = ["csv", "markdown"])]
    pub json: bool,
    /// Comma-separated values, in the same units as JSON
    #[arg(long, conflicts_with = "markdown")]
    pub csv: bool,
    /// Tables for a page or a letter in Markdown
    #[arg(long)]
    pub markdown: bool,
    /// Plain numbers of bytes instead of 1.5G
    #[arg(long, short)]
    pub bytes: bool,
    /// Say below each table why values are missing
    #[arg(long, conflicts_with_all = ["json", "csv", "markdown"])]
    pub explain: bool,
    /// Also rows that hold nothing, and those that stand in another table as well
    #[arg(long, short)]
    pub all: bool,
    /// It reads no recording.
    #[command(flatten)]
    pub source: NoRecording,
}

/// Which rows and columns of one table.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct ResultsFilterArgs {
    /// Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all
    #[arg(long, short, value_name = "COLS", allow_hyphen_values = true)]
    pub output: Option<String>,
    /// Sort by these columns: NAME,-NAME (- for largest first)
    #[arg(long, value_name = "COLS", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Show only rows that pass, such as 'elapsed>60 & title~zram'
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub filter: Option<String>,
}

impl ResultsOutputArgs {
    /// The request to tables: programs get all of each.
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
    /// Rows and columns.
    #[command(flatten)]
    pub choice: ResultsFilterArgs,
    /// The form.
    #[command(flatten)]
    pub form: ResultsOutputArgs,
}

/// `results show`.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// The run or the experiment: its number, last, last~1 for the one before that, or a file
    #[arg(value_name = "ID")]
    pub run: OsString,
    /// Print also what others have published of an experiment, where that is known
    #[arg(long, conflicts_with = "csv")]
    pub published: bool,
    /// The form.
    #[command(flatten)]
    pub form: ResultsOutputArgs,
}

/// `results compare`.
#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    /// The run or the experiment to compare with: its number, last, last~1, or a file
    #[arg(value_name = "A")]
    pub first: OsString,
    /// The one that is compared, a run with a run or an experiment with an experiment
    #[arg(value_name = "B")]
    pub second: OsString,
    /// Rows and columns.
    #[command(flatten)]
    pub choice: ResultsFilterArgs,
    /// The form.
    #[command(flatten)]
    pub form: ResultsOutputArgs,
}

/// `results export`.
#[derive(Args, Clone, Debug)]
pub struct ExportArgs {
    /// Experiments, or runs; more than one as markdown or html
    #[arg(value_name = "ID", required = true)]
    pub runs: Vec<OsString>,
    /// The form
    #[arg(long, value_enum, default_value_t = ExportForm::Json, value_name = "FORM")]
    pub format: ExportForm,
    /// Write also what others have published of an experiment; JSON always has it
    #[arg(long)]
    pub published: bool,
    /// The file to make, instead of the output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub to: Option<PathBuf>,
    /// It reads no recording.
    #[command(flatten)]
    pub source: NoRecording,
}

/// In which form a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// All of it, as it is kept
    Json,
    /// Its figures, or the table of an experiment
    Csv,
    /// Its tables
    Markdown,
    /// A page with plots, which needs nothing else
    Html,
}

/// `results remove`.
#[derive(Args, Clone, Debug)]
pub struct RemoveArgs {
    /// The results: numbers, last or last~1
    #[arg(value_name = "ID", required = true)]
    pub runs: Vec<OsString>,
    /// Do not ask before an experiment is removed with its runs
    #[arg(long, short)]
    pub yes: bool,
    /// It reads no recording.
    #[command(flatten)]
    pub source: NoRecording,
}

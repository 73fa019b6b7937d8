//! Arguments that many commands take.

use crate::ui::settings::{ColorChoice, GlyphChoice, SCREENS};
use crate::ui::theme::Theme;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{ArgMatches, Args, FromArgMatches, ValueHint};
use std::ffi::{OsStr, OsString};
use std::ops::Deref;
use std::path::PathBuf;

/// The machine, captured tree, recording or simulated machine to read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Where to read from")]
pub struct SourceArgs {
    /// A captured tree.
    #[arg(help = "Read a captured tree instead of this machine [env: SWAPADM_ROOT]", long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub sysroot: Option<PathBuf>,
    /// Read a recording instead of this machine
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["sysroot", "machine"])]
    pub recording: Option<PathBuf>,
    /// Read a simulated machine instead of this one: a built-in one, or a machine file (a path with
    /// a / or .toml); see swapadm-machine(8)
    #[arg(long, global = true, value_name = "MACHINE", value_hint = ValueHint::FilePath, conflicts_with = "sysroot")]
    pub machine: Option<OsString>,
    /// Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00,
    /// 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before
    #[arg(long, global = true, value_name = "TIME", allow_hyphen_values = true)]
    pub at: Option<String>,
}

impl SourceArgs {
    /// Whether a captured tree, a recording or a simulated machine was named.
    pub fn is_given(&self) -> bool {
        self.sysroot.is_some() || self.recording.is_some() || self.machine.is_some()
    }
}

/// Settings of the terminal interface.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(next_help_heading = "Interface and repeated reports")]
pub struct SettingsArgs {
    /// Time between two samples.
    #[arg(
        help = "Seconds between samples [env: SWAPADM_INTERVAL]",
        long,
        short,
        value_name = "SECS"
    )]
    pub interval: Option<String>,
    /// The other settings.
    #[command(flatten)]
    pub look: LookArgs,
}

/// Settings of the terminal interface except the interval, which a recording has itself.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(next_help_heading = "Interface and repeated reports")]
pub struct LookArgs {
    /// Number of colors.
    #[arg(help = "Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]", long, value_name = "WHEN", value_parser = ColorChoice::WORDS.map(|(word, _)| word), hide_possible_values = true)]
    pub color: Option<String>,
    /// Colors.
    #[arg(help = "Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]", long, value_name = "NAME", value_parser = Theme::WORDS.map(|(word, _)| word), hide_possible_values = true)]
    pub theme: Option<String>,
    /// Set of characters to draw with.
    #[arg(help = "Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]", long, value_name = "SET", value_parser = GlyphChoice::WORDS.map(|(word, _)| word), hide_possible_values = true)]
    pub glyphs: Option<String>,
    /// Draw with ASCII only, as --glyphs ascii
    #[arg(long, conflicts_with = "glyphs")]
    pub ascii: bool,
    /// Screen to open first
    #[arg(id = "start", long = "screen", value_name = "NAME", value_parser = SCREENS.to_vec())]
    pub screen: Option<String>,
    /// Leave the mouse to the terminal
    #[arg(long)]
    pub no_mouse: bool,
    /// Use this settings file instead of ~/.config/swapadm/config.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Use no settings file
    #[arg(long)]
    pub no_config: bool,
}

/// Rows, columns and output format of a table.
#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that can be typed")]
#[command(next_help_heading = "Output")]
pub struct RowArgs {
    /// Print JSON in base units; a missing value is null, with the reason
    #[arg(long, short = 'J', conflicts_with_all = ["csv", "markdown", "raw", "noheadings"])]
    pub json: bool,
    /// Print comma-separated values in base units; yes and no are 1 and 0
    #[arg(long, conflicts_with_all = ["markdown", "raw"])]
    pub csv: bool,
    /// Print the table in Markdown
    #[arg(long, conflicts_with_all = ["raw", "noheadings"])]
    pub markdown: bool,
    /// Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes
    #[arg(long, short, alias = "columns", value_name = "COLS", allow_hyphen_values = true)]
    pub output: Option<String>,
    /// Sort by these columns: NAME,-NAME (- for largest first)
    #[arg(long, value_name = "COLS", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Print sizes in bytes instead of 1.5G
    #[arg(long, short)]
    pub bytes: bool,
    /// Omit the headings
    #[arg(long, short)]
    pub noheadings: bool,
    /// Separate columns by one space, print all columns even if too wide, write spaces in values as \x20
    #[arg(long, short)]
    pub raw: bool,
    /// Print the time of the sample before each row
    #[arg(long, short, conflicts_with = "json")]
    pub timestamp: bool,
    /// Explain missing values below the table
    #[arg(long, conflicts_with_all = ["json", "csv", "markdown", "raw"])]
    pub explain: bool,
    /// List the columns with their units and meanings
    #[arg(long)]
    pub help_columns: bool,
    /// Repeat every SECS seconds, with rates
    #[arg(long, short, value_name = "SECS")]
    pub interval: Option<String>,
    /// Stop after N reports
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
}

/// Parses a process ID.
pub(super) fn pid(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "use a process ID: swapadm processes --all lists them".to_owned())
}

/// Parses a number of repetitions.
pub(super) fn repetitions(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| (1..=1000).contains(count));
    count.ok_or_else(|| "use a whole number from 1 to 1000".to_owned())
}

/// Parses a factor, whose range is checked with the experiment.
pub(super) fn factor(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "use a number from 0.001 to 1000, such as 0.5".to_owned())
}

/// Parses a random seed: any whole number.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}", u64::MAX))
}

/// Adds arguments to a command, and examples to it and its subcommands. Its description stays: clap
/// would replace it by the doc comment of the arguments' type.
pub fn with_arguments(
    command: clap::Command,
    add: fn(clap::Command) -> clap::Command,
) -> clap::Command {
    let about = command.get_about().cloned().unwrap_or_default();
    let page = format!("swapadm-{}", command.get_name());
    let command = add(command).about(about).long_about(None).disable_help_subcommand(true);
    let command = command.mut_subcommands(|it| {
        let page = format!("{page}-{}", it.get_name());
        with_examples(it, &page)
    });
    with_examples(command, &page)
}

fn with_examples(command: clap::Command, page: &str) -> clap::Command {
    match examples(page) {
        Some(examples) => command.after_help(examples),
        None => command,
    }
}

/// The end of the help of the command that has this manual page: its examples, and a remark.
pub(super) fn examples(page: &str) -> Option<String> {
    let text = page_section(include_str!("../manual/examples.in"), page)?;
    let (lines, remark) = text.split_at(text.find("\n\n").unwrap_or(text.len()));
    Some(format!("Examples:\n  {}{remark}", lines.replace('\n', "\n  ")))
}

/// The text below the heading that names a page. A heading `# PAGE PAGE` names one page or several.
pub fn page_section(template: &'static str, name: &str) -> Option<&'static str> {
    let is_of = |pages: &str| pages.split(' ').any(|page| page == name);
    let mut sections = template.trim().trim_start_matches("# ").split("\n\n# ");
    sections.find_map(|section| {
        let (pages, words) = section.split_once("\n\n")?;
        is_of(pages).then_some(words)
    })
}

/// Arguments of one command, built only when it is typed or documented.
#[derive(Clone, Debug, Default)]
pub struct CommandArgs<T>(Box<T>);

impl<T> CommandArgs<T> {
    /// The arguments themselves.
    pub fn into_inner(self) -> T {
        *self.0
    }
}

impl<T> From<T> for CommandArgs<T> {
    fn from(args: T) -> Self {
        Self(Box::new(args))
    }
}

impl<T> Deref for CommandArgs<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for CommandArgs<T> {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.defer(|command| {
            // Global options are here already. Help lists them after those of the command.
            let common: Vec<_> = command.get_arguments().map(|it| it.get_id().clone()).collect();
            let command = with_arguments(command, T::augment_args);
            common.iter().fold(command, |command, id| command.mut_arg(id, |it| it))
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl<T: Args> FromArgMatches for CommandArgs<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self::from)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(Self::from)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// A command that has subcommands, and does not read recordings.
#[derive(Args, Clone, Debug)]
#[command(hide_recording())]
pub struct Nested<C: clap::Subcommand> {
    /// The subcommand.
    #[command(subcommand)]
    pub command: C,
}

/// Hides options of sources in a command that cannot read such a source. They are still parsed, so that the
/// command can say why it refuses them.
pub(super) trait HiddenSource {
    /// Hides all of them, for a command that reads no machine, or its own source only.
    fn hide_source(self) -> Self;
    /// Hides those of recordings and simulated machines.
    fn hide_recording(self) -> Self;
}

impl HiddenSource for clap::Command {
    fn hide_source(self) -> Self {
        hide_source(self, &[])
    }

    fn hide_recording(self) -> Self {
        hide_source(self, &["sysroot"])
    }
}

/// Hides the options of sources, except these.
fn hide_source(command: clap::Command, except: &[&str]) -> clap::Command {
    let source = SourceArgs::augment_args(clap::Command::new(""));
    let hidden = source.get_arguments().filter(|it| !except.contains(&it.get_id().as_str()));
    hidden.fold(command, |command, it| {
        let is_there = command.get_arguments().any(|there| there.get_id() == it.get_id());
        let command = if is_there { command } else { command.arg(it.clone()) };
        command.mut_arg(it.get_id(), |it| it.hide(true))
    })
}

/// Lists words in help, manual and completions. The command itself refuses other words, and says which
/// one was probably meant.
#[derive(Clone, Copy)]
pub(super) struct Listed(pub(super) fn() -> Vec<&'static str>);

impl TypedValueParser for Listed {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

//! Arguments that many commands take.

use crate::ui::settings::{ColorChoice, GlyphChoice, SCREENS};
use clap::error::Error;
use clap::{ArgMatches, Args, FromArgMatches, ValueHint};
use std::ops::Deref;
use std::path::PathBuf;

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
pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}", u64::MAX))
}

/// Adds arguments to a command, but not the description of their type: that says what they are in
/// the program.
pub fn keeping_about(
    command: clap::Command,
    add: fn(clap::Command) -> clap::Command,
) -> clap::Command {
    let about = command.get_about().cloned().unwrap_or_default();
    add(command).about(about).long_about(None)
}

/// Arguments of one command, which are built only when it is typed or documented.
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
            // Options of all commands stand here by now. They belong below those of this one.
            let common: Vec<_> = command.get_arguments().map(|it| it.get_id().clone()).collect();
            let command = keeping_about(command, T::augment_args);
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

/// A command that takes another one, and reads no recording.
#[derive(Args, Clone, Debug)]
pub struct Nested<C: clap::Subcommand> {
    /// What to do.
    #[command(subcommand)]
    pub command: C,
    /// It reads no recording.
    #[command(flatten)]
    pub source: NoRecording,
}

/// Takes the options of recordings out of what such a command offers. They are understood all the
/// same, so that whoever types one is told why it is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecording;

impl Args for NoRecording {
    fn augment_args(command: clap::Command) -> clap::Command {
        let source = SourceArgs::augment_args(clap::Command::new(""));
        let of_recordings = source.get_arguments().filter(|it| it.get_id() != "sysroot");
        of_recordings.fold(command, |command, it| {
            let is_there = command.get_arguments().any(|there| there.get_id() == it.get_id());
            let command = if is_there { command } else { command.arg(it.clone()) };
            command.mut_arg(it.get_id(), |it| it.hide(true))
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for NoRecording {
    fn from_arg_matches(_: &ArgMatches) -> Result<Self, Error> {
        Ok(Self)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), Error> {
        Ok(())
    }
}

//! Arguments of `learn` and `demo`.

use super::{HiddenSource as _, SettingsArgs};
use crate::learn::LESSONS;
use crate::learn::demo::DEMOS;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueHint};
use std::ffi::OsString;

/// `learn`.
#[derive(Args, Clone, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    hide_source()
)]
pub struct LearnArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Option<LearnCommand>,
    /// Lesson to play: a built-in one, or a file (a path with a / or .toml); without one, lessons
    /// are listed with your progress
    #[arg(value_name = "LESSON", value_hint = ValueHint::FilePath)]
    pub named: Option<OsString>,
    /// Print lines and read answers from standard input instead of drawing
    #[arg(long, requires = "named")]
    pub plain: bool,
    /// Present to a class: more room for the lesson, and no progress is kept
    #[arg(long, requires = "named")]
    pub present: bool,
    /// Random seed of the lesson, from 0: another seed gives other sizes and figures
    #[arg(long, value_name = "N", requires = "named")]
    pub seed: Option<u64>,
    /// Print the list as JSON
    #[arg(long, short = 'J', conflicts_with = "named")]
    pub json: bool,
}

/// Commands for lessons.
#[derive(Clone, Debug, Subcommand)]
pub enum LearnCommand {
    /// Print a lesson as a file to edit
    Show {
        /// Lesson: a built-in one, or a file (a path with a / or .toml)
        #[arg(value_name = "LESSON", value_hint = ValueHint::FilePath)]
        named: OsString,
    },
    /// Print the questions of a lesson as Markdown, with the answers of the model
    Export {
        /// Lesson: a built-in one, or a file (a path with a / or .toml)
        #[arg(value_name = "LESSON", value_hint = ValueHint::FilePath)]
        named: OsString,
        /// Leave the answers out
        #[arg(long)]
        no_answers: bool,
        /// Random seed of the lesson, from 0
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
    },
    /// Check lesson files and play them, and report each error with line, key and accepted values
    Check {
        /// Lessons: files (paths with a / or .toml), or built-in ones
        #[arg(value_name = "LESSON", required = true, value_hint = ValueHint::FilePath)]
        files: Vec<OsString>,
    },
    /// Explain the keys of a lesson file
    Keys,
}

/// `demo`.
#[derive(Args, Clone, Debug)]
#[command(hide_source())]
pub struct DemoArgs {
    /// Demonstration, or built-in lesson to be played by itself
    #[arg(value_name = "NAME", value_parser = demo_names(), default_value = DEMOS[0].name)]
    pub name: String,
    /// Settings of the interface.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// The names of demonstrations and of lessons.
fn demo_names() -> PossibleValuesParser {
    let lessons = LESSONS.iter().map(|(name, _)| *name);
    DEMOS.iter().map(|demo| demo.name).chain(lessons).collect::<Vec<_>>().into()
}

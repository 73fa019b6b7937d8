//! From what was typed to a command, with no more of the parser built than that takes.

use super::{Cli, Command, SettingsArgs, SourceArgs};
use clap::error::Error;
use clap::{ArgMatches, Args, FromArgMatches, Parser as _, Subcommand as _};
use std::ffi::OsString;
use std::ops::Deref;

/// Parses the arguments of the program, the first of which is its name.
///
/// A parser that knows only the command that is named reads nearly all that is typed. What it
/// refuses is read again by the whole parser, which decides and words the message.
pub fn parse(arguments: &[OsString]) -> Result<Cli, Error> {
    let matches = narrow(arguments).try_get_matches_from(arguments);
    match matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches)) {
        Ok(cli) => Ok(cli),
        Err(_) => Cli::try_parse_from(arguments),
    }
}

/// The parser without all commands but the first that is named.
fn narrow(arguments: &[OsString]) -> clap::Command {
    let root = SettingsArgs::augment_args(SourceArgs::augment_args(clap::Command::new("swapadm")));
    let mut names = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let Some(name) = names.find(|name| Command::has_subcommand(name)) else { return root };
    let mut all = Command::augment_subcommands(clap::Command::new("swapadm"));
    match all.find_subcommand_mut(name) {
        Some(command) => root.subcommand(std::mem::take(command)),
        None => root,
    }
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

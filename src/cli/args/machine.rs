//! Commands that read a machine and no recording offer nothing that would read one.

use super::SourceArgs;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};

/// A command that takes another one, and reads no recording.
#[derive(Args, Clone, Debug)]
pub struct Nested<C: Subcommand> {
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
    fn augment_args(command: Command) -> Command {
        let source = SourceArgs::augment_args(Command::new(""));
        let of_recordings = source.get_arguments().filter(|it| it.get_id() != "sysroot");
        of_recordings.fold(command, |command, it| {
            let is_there = command.get_arguments().any(|there| there.get_id() == it.get_id());
            let command = if is_there { command } else { command.arg(it.clone()) };
            command.mut_arg(it.get_id(), |it| it.hide(true))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
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

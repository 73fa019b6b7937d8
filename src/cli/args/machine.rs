//! Commands that read a machine and no recording offer nothing that would read one.

use super::SourceArgs;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Takes the options of recordings out of what such a command offers. They are understood all the
/// same, so that whoever types one is told why it is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecording;

impl Args for NoRecording {
    fn augment_args(command: Command) -> Command {
        let source = SourceArgs::augment_args(Command::new(""));
        let of_recordings = source.get_arguments().filter(|it| it.get_id() != "sysroot");
        command.args(of_recordings.map(|it| it.clone().hide(true)))
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

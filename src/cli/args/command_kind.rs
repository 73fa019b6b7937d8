//! Kinds of commands: which of them take samples, change the machine, or open the interface.

use super::{ChangeArgs, Command, SettingsArgs, WatchArgs};
use crate::cli::exit::CommandError;

/// The effect of a command on the machine.
enum CommandKind<'a> {
    /// Takes samples.
    Samples {
        /// Whether it prints more than one sample.
        goes_on: bool,
    },
    /// Makes a change, and leaves it to the caller to print failures as JSON.
    Changes(&'a ChangeArgs),
    /// Does neither, or prints its failures itself.
    Other,
}

/// The kind of a command that may have options of changes.
fn changes_if(change: Option<&ChangeArgs>) -> CommandKind<'_> {
    change.map_or(CommandKind::Other, CommandKind::Changes)
}

impl Command {
    #[expect(clippy::wildcard_enum_match_arm, reason = "most commands do neither")]
    fn nature(&self) -> CommandKind<'_> {
        let samples =
            |interval: &Option<String>| CommandKind::Samples { goes_on: interval.is_some() };
        match self {
            Self::Advise(args) => samples(&args.interval),
            Self::Status(rows) => samples(&rows.interval),
            Self::Table(table) => match &table.zram {
                Some(zram) => CommandKind::Changes(zram.change()),
                None => samples(&table.rows.interval),
            },
            Self::Report(args) => samples(&args.rows.interval),
            Self::Clusters(args) => samples(&args.rows.interval),
            Self::Cost(args) => samples(&args.rows.interval),
            Self::Record(_) | Self::Replay(_) | Self::Watch(_) => {
                CommandKind::Samples { goes_on: true }
            }
            Self::On(args) => CommandKind::Changes(&args.change),
            Self::Apply(args) => CommandKind::Changes(&args.change),
            Self::Off(args) => CommandKind::Changes(&args.change),
            Self::Priority(args) => CommandKind::Changes(&args.change),
            Self::Format(args) => CommandKind::Changes(&args.change),
            Self::File(args) => CommandKind::Changes(args.command.change()),
            Self::Process(args) => changes_if(args.command.change()),
            Self::Cgroup(args) => changes_if(args.command.change()),
            Self::Set(args) => CommandKind::Changes(&args.change),
            Self::Reset(args) => CommandKind::Changes(&args.change),
            Self::Undo(args) => CommandKind::Changes(&args.change),
            Self::Recover(args) => CommandKind::Changes(&args.change),
            _ => CommandKind::Other,
        }
    }

    /// Applies the settings of the interface that were typed before the command.
    ///
    /// # Errors
    /// The command does not open the interface.
    pub fn with_interface_settings(self, settings: &SettingsArgs) -> Result<Self, CommandError> {
        if *settings == SettingsArgs::default() || matches!(self, Self::Replay(_)) {
            return Ok(self);
        }
        let Self::Watch(args) = self else {
            return Err(CommandError::Usage(
                "options before the command set up the interface: use them with watch, replay or no command"
                    .to_owned(),
            ));
        };
        if args.settings != SettingsArgs::default() {
            return Err(CommandError::Usage(
                "options of the interface were given before and after watch: give them in one place"
                    .to_owned(),
            ));
        }
        Ok(Self::Watch(WatchArgs { settings: settings.clone(), ..args.into_inner() }.into()))
    }

    /// The options of a change, for commands that leave it to the caller to print failures as JSON.
    pub fn change(&self) -> Option<&ChangeArgs> {
        match self.nature() {
            CommandKind::Changes(change) => Some(change),
            CommandKind::Samples { .. } | CommandKind::Other => None,
        }
    }

    /// Whether the command prints more than one sample.
    pub fn goes_on(&self) -> bool {
        matches!(self.nature(), CommandKind::Samples { goes_on: true })
    }
}

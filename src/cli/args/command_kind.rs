//! What commands have in common: which of them sample, change the machine, or have an interface.

use super::{ChangeArgs, Command, SettingsArgs, WatchArgs};
use crate::cli::exit::CommandError;

/// What a command does with the machine.
enum CommandKind<'a> {
    /// It samples, once or again and again.
    Samples {
        /// Does it print more than one sample?
        goes_on: bool,
    },
    /// It changes something, and does not tell of its failures itself.
    Changes(&'a ChangeArgs),
    /// It does neither, or in a way of its own.
    Other,
}

impl Command {
    fn nature(&self) -> CommandKind<'_> {
        let samples = |interval: &Option<String>| CommandKind::Samples { goes_on: interval.is_some() };
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
            Self::Record(_) | Self::Replay(_) | Self::Watch(_) => CommandKind::Samples { goes_on: true },
            Self::On(args) => CommandKind::Changes(&args.change),
            Self::Off(args) => CommandKind::Changes(&args.change),
            Self::Priority(args) => CommandKind::Changes(&args.change),
            Self::Format(args) => CommandKind::Changes(&args.change),
            Self::File(args) => CommandKind::Changes(args.command.change()),
            Self::Set(args) => CommandKind::Changes(&args.change),
            Self::Reset(args) => CommandKind::Changes(&args.change),
            Self::Undo(args) => CommandKind::Changes(&args.change),
            Self::Recover(args) => CommandKind::Changes(&args.change),
            Self::Capture(_)
            | Self::Rebalance(_)
            | Self::Persist(_)
            | Self::Results(_)
            | Self::Journal(_)
            | Self::Stress(_)
            | Self::Experiment(_)
            | Self::Generate(_) => CommandKind::Other,
        }
    }

    /// Adds what was said before the command about how the interface looks.
    ///
    /// # Errors
    /// When the command has no interface.
    pub fn with_interface_settings(self, settings: &SettingsArgs) -> Result<Self, CommandError> {
        if *settings == SettingsArgs::default() || matches!(self, Self::Replay(_)) {
            return Ok(self);
        }
        let Self::Watch(args) = self else {
            return Err(CommandError::Usage("options before the command are those of the interface: they go with watch and replay, and without a command".to_owned()));
        };
        if args.settings != SettingsArgs::default() {
            return Err(CommandError::Usage(
                "options of the interface stand before watch or after it, not in both places"
                    .to_owned(),
            ));
        }
        Ok(Self::Watch(WatchArgs { settings: settings.clone(), ..args.into_inner() }.into()))
    }

    /// How something is changed, by commands that do not tell of their failures themselves.
    pub fn change(&self) -> Option<&ChangeArgs> {
        match self.nature() {
            CommandKind::Changes(change) => Some(change),
            CommandKind::Samples { .. } | CommandKind::Other => None,
        }
    }

    /// Does it print more than one sample?
    pub fn goes_on(&self) -> bool {
        matches!(self.nature(), CommandKind::Samples { goes_on: true })
    }
}

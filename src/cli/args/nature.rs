//! What commands have in common: which of them sample, change the machine, or have an interface.

use super::zram::ZramCommand;
use super::{ChangeArgs, Command, SettingsArgs, WatchArgs};
use crate::cli::exit::Failure;

impl Command {
    /// With what was said before the command about how the interface looks.
    ///
    /// # Errors
    /// When the command has no interface.
    pub fn looking(self, settings: &SettingsArgs) -> Result<Self, Failure> {
        if *settings == SettingsArgs::default() || matches!(self, Self::Replay(_)) {
            return Ok(self);
        }
        match self {
            Self::Watch(args) if args.settings == SettingsArgs::default() => {
                let settings = settings.clone();
                Ok(Self::Watch(WatchArgs { settings, ..args.into_inner() }.into()))
            }
            Self::Watch(_) => Err(Failure::Usage("options of the interface stand before watch or after it, not in both places".to_owned())),
            Self::Advise(_)
            | Self::Status(_)
            | Self::Table(_)
            | Self::Report(_)
            | Self::Clusters(_)
            | Self::Cost(_)
            | Self::Capture(_)
            | Self::Record(_)
            | Self::Replay(_)
            | Self::On(_)
            | Self::Off(_)
            | Self::Priority(_)
            | Self::Rebalance(_)
            | Self::Format(_)
            | Self::File(_)
            | Self::Set(_)
            | Self::Reset(_)
            | Self::Persist(_)
            | Self::Results(_)
            | Self::Journal(_)
            | Self::Undo(_)
            | Self::Recover(_)
            | Self::Stress(_)
            | Self::Experiment(_)
            | Self::Generate(_) => Err(Failure::Usage("options before the command are those of the interface: they go with watch and replay, and without a command".to_owned())),
        }
    }

    /// How something is changed, by commands that do not tell of their failures themselves.
    pub fn change(&self) -> Option<&ChangeArgs> {
        match self {
            Self::On(args) => Some(&args.change),
            Self::Off(args) => Some(&args.change),
            Self::Priority(args) => Some(&args.change),
            Self::Format(args) => Some(&args.change),
            Self::File(args) => Some(args.command.change()),
            Self::Set(args) => Some(&args.change),
            Self::Reset(args) => Some(&args.change),
            Self::Undo(args) => Some(&args.change),
            Self::Recover(args) => Some(&args.change),
            Self::Table(table) => table.zram.as_ref().map(ZramCommand::change),
            Self::Advise(_)
            | Self::Status(_)
            | Self::Report(_)
            | Self::Clusters(_)
            | Self::Cost(_)
            | Self::Capture(_)
            | Self::Record(_)
            | Self::Replay(_)
            | Self::Watch(_)
            | Self::Rebalance(_)
            | Self::Persist(_)
            | Self::Results(_)
            | Self::Journal(_)
            | Self::Stress(_)
            | Self::Experiment(_)
            | Self::Generate(_) => None,
        }
    }

    /// Does it print more than one sample?
    pub fn goes_on(&self) -> bool {
        match self {
            Self::Advise(args) => args.interval.is_some(),
            Self::Status(rows) => rows.interval.is_some(),
            Self::Table(table) => table.rows.interval.is_some(),
            Self::Report(report) => report.rows.interval.is_some(),
            Self::Clusters(args) => args.rows.interval.is_some(),
            Self::Cost(args) => args.rows.interval.is_some(),
            Self::Record(_) | Self::Replay(_) | Self::Watch(_) => true,
            Self::Capture(_)
            | Self::On(_)
            | Self::Off(_)
            | Self::Priority(_)
            | Self::Rebalance(_)
            | Self::Format(_)
            | Self::File(_)
            | Self::Set(_)
            | Self::Reset(_)
            | Self::Persist(_)
            | Self::Results(_)
            | Self::Journal(_)
            | Self::Undo(_)
            | Self::Recover(_)
            | Self::Stress(_)
            | Self::Experiment(_)
            | Self::Generate(_) => false,
        }
    }
}

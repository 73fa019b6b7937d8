//! Which commands take samples, change the machine, or open the interface.

use super::lab::{ExperimentCommand, StressCommand};
use super::machine::MachineCommand;
use super::zram::ZramCommand;
use super::{ChangeArgs, Command};

impl Command {
    /// The options of a change, for commands that leave it to the caller to print failures as JSON.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most commands change nothing")]
    pub fn change(&self) -> Option<&ChangeArgs> {
        Some(match self {
            Self::On(args) => &args.change,
            Self::Apply(args) => &args.change,
            Self::Off(args) => &args.change,
            Self::Priority(args) => &args.change,
            Self::Format(args) => &args.change,
            Self::Set(args) => &args.change,
            Self::Reset(args) => &args.change,
            Self::Undo(args) => &args.change,
            Self::Recover(args) => &args.change,
            Self::File(args) => args.command.change(),
            Self::Process(args) => return args.command.change(),
            Self::Cgroup(args) => return args.command.change(),
            Self::Table(table) => return table.zram.as_ref().map(ZramCommand::change),
            Self::Stress(args) => match &args.command {
                StressCommand::Run(args) => &args.change,
                _ => return None,
            },
            Self::Experiment(args) => match &args.command {
                ExperimentCommand::Run(args) => &args.change,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The source of a command that takes no other one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most commands read any source")]
    pub fn source_of_its_own(&self) -> Option<&'static str> {
        match self {
            Self::Replay(_) => Some("replay reads the recording that it names"),
            Self::Learn(_) => Some("each lesson has a simulated machine of its own"),
            Self::Demo(_) => Some("each demonstration has a simulated machine of its own"),
            Self::Machine(args) => {
                let reads = matches!(args.command, MachineCommand::LikeThis);
                (!reads).then_some("this command is about the machines that it lists or names")
            }
            Self::Results(_) => Some("results are files of this user"),
            Self::Stress(_) | Self::Experiment(_) => {
                self.change().is_none().then_some("this command reads no machine")
            }
            _ => None,
        }
    }

    /// Whether the command prints more than one sample.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most commands take no samples")]
    pub fn goes_on(&self) -> bool {
        let interval = match self {
            Self::Record(_) | Self::Replay(_) | Self::Watch(_) => return true,
            Self::Advise(args) => &args.interval,
            Self::Status(rows) => &rows.interval,
            // A change of a zram device has no interval.
            Self::Table(table) => &table.rows.interval,
            Self::Report(args) => &args.rows.interval,
            Self::Clusters(args) => &args.rows.interval,
            Self::Cost(args) => &args.rows.interval,
            _ => return false,
        };
        interval.is_some()
    }
}

//! Exit statuses, and the errors that lead to them.

use crate::change::ChangeError;
use crate::model::Missing;
use crate::model::name::{explain_os_error, safe_text};
use std::io;
use std::path::Path;

/// The exit status. Scripts rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done. Missing values are no failure: the report shows them.
    Done = 0,
    /// A check command found something wrong.
    Wrong = 1,
    /// The arguments are wrong.
    Usage = 2,
    /// A check refuses a change, or another swapadm is changing swap.
    Refused = 3,
    /// A change failed or was stopped, and everything is as before.
    Undone = 4,
    /// A change failed or was stopped, and some of it is still in effect.
    Partial = 5,
    /// A file could not be read or written, or the subject of a report could not be read at all.
    Failed = 6,
    /// `advise --check` found something critical.
    Critical = 7,
}

impl Exit {
    /// All exit statuses with their meanings, for the manual.
    pub const ALL: [(Exit, &'static str); 8] = [
        (
            Exit::Done,
            "Success: done, nothing to do, or a plan was only shown and no check refuses it. Missing values are shown as such, and are no failure.",
        ),
        (
            Exit::Wrong,
            "rebalance --check, advise --check or persist check found something wrong, or apply --check or apply --diff found a difference.",
        ),
        (
            Exit::Usage,
            "The arguments are wrong: an area, plan or setting does not exist, an option needs PSI, which the kernel does not offer, or confirmation is needed but there is neither a terminal nor --yes.",
        ),
        (
            Exit::Refused,
            "A check refuses the change (also with --dry-run), the answer was no, the change is not possible on this machine, or another swapadm is changing swap. Nothing was changed.",
        ),
        (Exit::Undone, "A change failed or was stopped, and everything is as before."),
        (
            Exit::Partial,
            "A change failed or was stopped, and some of it is still in effect: see swapadm journal.",
        ),
        (
            Exit::Failed,
            "A file could not be read or written, nothing that the report needs could be read, or the process or cgroup that is watched is gone.",
        ),
        (
            Exit::Critical,
            "advise --check found something critical. Warnings alone give 1, notes 0.",
        ),
    ];

    /// The meaning for commands that only show something, where it differs.
    pub fn meaning_for_reports(self) -> Option<&'static str> {
        match self {
            Self::Done => Some(
                "Success. Missing values and incomplete maps of clusters are shown as such, and are no failure.",
            ),
            Self::Usage => {
                Some("The arguments are wrong, or name something that this machine does not have.")
            }
            Self::Failed => Some(
                "A file could not be read or written, or nothing that the report needs could be read.",
            ),
            Self::Wrong | Self::Refused | Self::Undone | Self::Partial | Self::Critical => None,
        }
    }

    /// The number of the exit status.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The arguments are wrong.
    #[error("{0}")]
    Usage(String),
    /// The reader of the output has closed it. This ends the work, and is no failure.
    #[error("the output was closed")]
    BrokenPipe,
    /// The output could not be written.
    #[error("cannot write the output: {}", explain_os_error(&.0.to_string()))]
    Output(io::Error),
    /// A file could not be opened, read or written.
    #[error("{path}: {what}")]
    File {
        /// The file as given.
        path: String,
        /// The problem with the file.
        what: String,
    },
    /// The change is not possible on this machine.
    #[error("{0}")]
    Refused(String),
    /// Another swapadm is changing swap.
    #[error("{0}")]
    Busy(String),
    /// The subject of a report could not be read.
    #[error("{0}")]
    NoData(String),
}

impl CommandError {
    /// An error with a file.
    pub fn file(path: &Path, what: impl std::fmt::Display) -> Self {
        let path = safe_text(&path.to_string_lossy());
        Self::File { path, what: safe_text(&explain_os_error(&what.to_string())) }
    }

    /// An error with the missing subject of a report.
    pub fn missing(name: &str, missing: &Missing) -> Self {
        Self::NoData(format!("{name}: {}", safe_text(&missing.to_string())))
    }

    /// Turns a usage error into a failure, for arguments that were right until the machine changed.
    pub fn while_watching(self) -> Self {
        if let Self::Usage(why) = self {
            return Self::NoData(format!("the machine changed while it was watched: {why}"));
        }
        self
    }

    /// The exit status for this error.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::BrokenPipe => Exit::Done,
            Self::Refused(_) | Self::Busy(_) => Exit::Refused,
            Self::Output(_) | Self::File { .. } | Self::NoData(_) => Exit::Failed,
        }
    }
}

/// The result of a command, or of a part of it: its exit status unless it has another value.
pub type CommandResult<T = Exit> = Result<T, CommandError>;

/// An error in the arguments.
pub fn usage(what: impl Into<String>) -> CommandError {
    CommandError::Usage(what.into())
}

impl From<ChangeError> for CommandError {
    fn from(failure: ChangeError) -> Self {
        match failure {
            ChangeError::Captured => Self::Usage(failure.to_string()),
            ChangeError::Held(_) => Self::Busy(failure.to_string()),
            ChangeError::File { path, what } => Self::file(&path, what),
            // What a change needs is not on this machine.
            ChangeError::Missing(Missing::Absent(_)) => Self::Refused(failure.to_string()),
            ChangeError::Missing(_) => Self::NoData(failure.to_string()),
            ChangeError::Unreadable(why) => Self::NoData(why),
            ChangeError::Usage(why) => Self::Usage(why),
            ChangeError::Refused(why) => Self::Refused(why),
            ChangeError::Busy(why) => Self::Busy(why),
        }
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::Output(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_errors_are_safe_and_have_no_number() {
        let error = io::Error::from_raw_os_error(28);
        let failure = CommandError::file(Path::new("/x\u{1b}"), format!("{error}; 4 before that"));
        assert_eq!(
            failure.to_string(),
            "/x\\u{1b}: No space left on device: free some space and try again; 4 before that"
        );
    }
}

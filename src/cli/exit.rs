//! How the program ends.

use crate::change;
use crate::lab::LabError;
use crate::model::name::{safe_text, without_os_error};
use std::io;
use std::path::Path;

/// The exit status. The numbers are part of the contract with scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done. Values that are missing are no failure: the report says so.
    Done,
    /// It was only to be looked, and something is wrong.
    Wrong,
    /// The arguments make no sense.
    Usage,
    /// A check stands against a change, or somebody else is changing swap.
    Refused,
    /// A change failed or was stopped, and everything is as it was.
    Undone,
    /// A change failed or was stopped, and some of it stands.
    Partial,
    /// A file could not be read or written, or what a report is about could not be read at all.
    Failed,
    /// It was only to be looked, and something hurts now, or soon.
    Critical,
}

impl Exit {
    /// All of them, for the manual.
    pub const ALL: [(Exit, &'static str); 8] = [
        (
            Exit::Done,
            "Done, or nothing was to be done, or a plan was only to be shown and no check refuses it. A single value that is missing, or a map of clusters that is not whole, is no failure: it is shown as such.",
        ),
        (
            Exit::Wrong,
            "Something is wrong, with rebalance --check, advise --check and persist check.",
        ),
        (
            Exit::Usage,
            "The arguments make no sense, or not on this machine: there is no such area, plan or setting, a limit cannot be kept, or nobody can be asked and --yes is not there.",
        ),
        (
            Exit::Refused,
            "A check stands against a change (also with --dry-run), the person said no, it cannot be had on this machine, or another swapadm is changing swap. Nothing was changed.",
        ),
        (Exit::Undone, "A change failed or was stopped, and everything is as it was."),
        (
            Exit::Partial,
            "A change failed or was stopped, and some of it stands: swapadm journal tells what.",
        ),
        (
            Exit::Failed,
            "A file could not be read or written, or what the report is about could not be read at all, or went away while it was watched.",
        ),
        (
            Exit::Critical,
            "Something critical is wrong, with advise --check; what is a warning alone gives 1, and notes are no fault.",
        ),
    ];

    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Wrong => 1,
            Self::Usage => 2,
            Self::Refused => 3,
            Self::Undone => 4,
            Self::Partial => 5,
            Self::Failed => 6,
            Self::Critical => 7,
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The arguments make no sense.
    #[error("{0}")]
    Usage(String),
    /// Nobody reads our output any more: that ends the work, and is no failure.
    #[error("the output was closed")]
    BrokenPipe,
    /// The output could not be written.
    #[error("writing the output: {}", without_os_error(&.0.to_string()))]
    Output(io::Error),
    /// A file could not be opened, read or written.
    #[error("{path}: {what}")]
    File {
        /// The file as given.
        path: String,
        /// What went wrong.
        what: String,
    },
    /// It cannot be done on this machine.
    #[error("{0}")]
    Refused(String),
    /// Somebody else is at it.
    #[error("{0}")]
    Busy(String),
    /// What a report is about could not be read.
    #[error("{0}")]
    NoData(String),
}

impl CommandError {
    /// What went wrong with a file.
    pub fn file(path: &Path, what: impl std::fmt::Display) -> Self {
        let path = safe_text(&path.to_string_lossy());
        Self::File { path, what: safe_text(&without_os_error(&what.to_string())) }
    }

    /// The same of what made sense when it was asked for, and no more since the machine changed.
    pub fn while_watching(self) -> Self {
        if let Self::Usage(why) = self {
            return Self::NoData(format!("it changed while it was watched: {why}"));
        }
        self
    }

    /// The exit status it leads to.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::BrokenPipe => Exit::Done,
            Self::Refused(_) | Self::Busy(_) => Exit::Refused,
            Self::Output(_) | Self::File { .. } | Self::NoData(_) => Exit::Failed,
        }
    }
}

impl From<change::ChangeError> for CommandError {
    fn from(failure: change::ChangeError) -> Self {
        match failure {
            change::ChangeError::Captured => Self::Usage(failure.to_string()),
            change::ChangeError::Held(_) => Self::Busy(failure.to_string()),
            change::ChangeError::File { path, error } => Self::file(&path, error),
            change::ChangeError::Missing(_) => Self::NoData(failure.to_string()),
            change::ChangeError::Unreadable(why) => Self::NoData(why),
            change::ChangeError::Usage(why) => Self::Usage(why),
            change::ChangeError::Refused(why) => Self::Refused(why),
            change::ChangeError::Busy(why) => Self::Busy(why),
        }
    }
}

impl From<LabError> for CommandError {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Invalid(why) => Self::Usage(why),
            LabError::File { path, what } => Self::file(&path, what),
            LabError::Unreadable(why) => Self::NoData(why),
            LabError::Busy(why) => Self::Busy(why),
            LabError::Captured => Self::Refused(error.to_string()),
            LabError::Change(failure) => failure.into(),
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
        assert_eq!(failure.to_string(), "/x\\u{1b}: No space left on device; 4 before that");
    }
}

//! What was read through a root, kept for a capture.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What came of one access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Traced {
    /// The bytes that were read.
    Bytes(Vec<u8>),
    /// The target of a link.
    Link(PathBuf),
    /// The read failed, and how.
    Error(String),
}

/// Everything that was read, by path below the root.
#[derive(Debug, Default)]
pub struct Trace {
    seen: Mutex<BTreeMap<PathBuf, Traced>>,
}

impl Trace {
    /// What was read so far; the trace is empty afterwards.
    #[must_use]
    pub fn take(&self) -> BTreeMap<PathBuf, Traced> {
        std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn read(&self, path: &Path, result: &io::Result<()>, bytes: &[u8]) {
        let traced = match result {
            Ok(()) => Traced::Bytes(bytes.to_vec()),
            Err(error) => Traced::Error(error.to_string()),
        };
        self.keep(path, traced);
    }

    pub(super) fn link(&self, path: &Path, target: &Path) {
        self.keep(path, Traced::Link(target.to_owned()));
    }

    fn keep(&self, path: &Path, traced: Traced) {
        let path = path.strip_prefix("/").unwrap_or(path).to_owned();
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(path, traced);
    }
}

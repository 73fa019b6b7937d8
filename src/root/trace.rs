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
    /// A folder that was listed or looked for.
    Folder,
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
    pub fn take(&self) -> BTreeMap<PathBuf, Traced> {
        std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn read(&self, path: &Path, result: &io::Result<()>, bytes: &[u8]) {
        match result {
            Ok(()) => self.keep(path, Traced::Bytes(bytes.to_vec())),
            // What is not there is not in the capture either: that says it all.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.keep(path, Traced::Error(error.to_string())),
        }
    }

    pub(super) fn link(&self, path: &Path, target: &Path) {
        self.keep(path, Traced::Link(target.to_owned()));
    }

    pub(super) fn folder(&self, path: &Path) {
        self.keep(path, Traced::Folder);
    }

    fn keep(&self, path: &Path, traced: Traced) {
        let path = path.strip_prefix("/").unwrap_or(path).to_owned();
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(path, traced);
    }
}

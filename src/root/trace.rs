//! A trace of everything read through a root, for captures.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Result of one access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Traced {
    /// The bytes read.
    Bytes(Vec<u8>),
    /// The target of a link.
    Link(PathBuf),
    /// A folder that was listed or checked.
    Folder,
    /// Error of a failed read.
    Error(String),
}

/// Everything that was read, by path relative to the root.
#[derive(Debug, Default)]
pub struct Trace {
    seen: Mutex<BTreeMap<PathBuf, Traced>>,
}

impl Trace {
    /// Takes everything read so far; the trace is empty afterwards.
    pub fn take(&self) -> BTreeMap<PathBuf, Traced> {
        std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn read(&self, path: &Path, result: &io::Result<()>, bytes: &[u8]) {
        match result {
            Ok(()) => self.keep(path, Traced::Bytes(bytes.to_vec())),
            // A missing file is missing in the capture as well.
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

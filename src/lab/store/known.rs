//! The list of results for whoever looks at it again and again: only new files are read.

use super::{Store, Stored};
use crate::derive::lab::Entry;
use crate::lab::LabError;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::sync::{Mutex, PoisonError};

/// Files by their names, as they were read last.
#[derive(Debug, Default)]
pub struct Known(Mutex<BTreeMap<Vec<u8>, (Mark, Entry)>>);

/// What tells a file from another one that has got its name: its number, its size and when it was
/// written.
type Mark = (u64, u64, i64, i64);

impl Known {
    /// All that is kept, newest first, each in short.
    pub fn list(&self, store: &Store) -> Result<Vec<Entry>, LabError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let files = store.files()?;
        known.retain(|name, _| files.iter().any(|kept| kept.name == *name));
        let mut entry = |kept: &Stored| {
            let mark = mark(store, kept);
            let same = known.get(&kept.name).filter(|(before, _)| Some(*before) == mark);
            if let Some((_, entry)) = same {
                return entry.clone();
            }
            let entry = store.entry(kept);
            known.extend(mark.map(|mark| (kept.name.clone(), (mark, entry.clone()))));
            entry
        };
        Ok(files.iter().map(&mut entry).collect())
    }
}

fn mark(store: &Store, kept: &Stored) -> Option<Mark> {
    let file = store.path(kept).metadata().ok()?;
    Some((file.ino(), file.size(), file.mtime(), file.mtime_nsec()))
}

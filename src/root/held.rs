//! Files that are read here and there, and kept open for that.

use super::{Root, missing, open};
use crate::model::Reading;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// A regular file that was opened.
#[derive(Debug)]
pub struct Held {
    file: File,
}

impl Root {
    /// Open a regular file, to be read from any place on. What is read of it is in no capture.
    pub fn hold(&self, path: impl AsRef<Path>) -> Reading<Held> {
        let path = path.as_ref();
        let opened = self.inside(path).and_then(|full| open(&full)).and_then(|file| {
            if file.metadata()?.is_file() {
                return Ok(Held { file });
            }
            Err(io::Error::other("it is no regular file"))
        });
        opened.map_err(|error| missing(path, &error)).into()
    }
}

impl Held {
    /// Read from there on; fewer bytes than there is room for where the file gives fewer.
    ///
    /// # Errors
    /// When the read failed.
    pub fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read_at(into, at) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    /// Fill all of it from there on.
    ///
    /// # Errors
    /// When the read failed, or the file ends before.
    pub fn fill_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(into, at)
    }
}

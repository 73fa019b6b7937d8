//! The kernel's log, and where this program keeps what must outlive it.

use super::{Root, missing, open};
use crate::model::Reading;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A record is no longer than this.
const RECORD: usize = 8192;
/// More records than any ring of the kernel holds.
const MOST: usize = 1 << 20;
const LOG: &str = "dev/kmsg";

impl Root {
    /// All records that the kernel still has, oldest first. Unlike a file it does not end: there
    /// is no more where reading would wait. Records that are overwritten while we read are left
    /// out.
    pub fn kernel_log(&self) -> Reading<Vec<Vec<u8>>> {
        if !self.is_live() {
            return Reading::absent("a captured tree has no kernel log");
        }
        let path = Path::new(LOG);
        let read = self.inside(path).and_then(|full| open(&full)).and_then(|mut log| {
            let mut records = Vec::new();
            let mut buffer = vec![0; RECORD];
            while records.len() < MOST {
                match log.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(len) => records.push(buffer.get(..len).unwrap_or_default().to_owned()),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    Err(error) if error.raw_os_error() == Some(nix::libc::EPIPE) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(records)
        });
        read.map_err(|error| missing(path, &error)).into()
    }

    /// The file whose lock keeps others from changing swap while we do.
    pub fn lock_file(&self) -> PathBuf {
        self.full(Path::new("run/swapadm.lock"))
    }

    /// The file in which every change stands.
    pub fn journal_file(&self) -> PathBuf {
        self.full(Path::new("var/lib/swapadm/journal.jsonl"))
    }
}

//! The only place that prints for people, and the only one that makes files.

use super::exit::Failure;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Standard output, buffered.
#[derive(Debug)]
pub struct Out {
    out: BufWriter<StdoutLock<'static>>,
}

impl Out {
    /// Standard output.
    #[must_use]
    pub fn new() -> Self {
        Self { out: BufWriter::new(io::stdout().lock()) }
    }

    /// Print lines and see them off.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn lines<L: AsRef<str>>(
        &mut self,
        lines: impl IntoIterator<Item = L>,
    ) -> Result<(), Failure> {
        for line in lines {
            self.out.write_all(line.as_ref().as_bytes())?;
            self.out.write_all(b"\n")?;
        }
        Ok(self.out.flush()?)
    }

    /// Print a text as it is and see it off.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn raw(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }

    /// Print JSON: on one line, or indented for people.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn json(&mut self, value: &impl serde::Serialize, indented: bool) -> Result<(), Failure> {
        let written = if indented {
            serde_json::to_writer_pretty(&mut self.out, value)
        } else {
            serde_json::to_writer(&mut self.out, value)
        };
        written.map_err(io::Error::from)?;
        self.out.write_all(b"\n")?;
        Ok(self.out.flush()?)
    }
}

impl Default for Out {
    fn default() -> Self {
        Self::new()
    }
}

/// A remark for people, beside the output. Whether anybody reads it does not matter.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// What went wrong.
pub fn complain(text: &str) {
    remark(&format!("swapadm: {text}"));
}

/// What went wrong, already in words of its own.
pub fn complain_raw(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Make a file that must not be there yet.
///
/// # Errors
/// When it is there, or cannot be made.
#[expect(clippy::disallowed_methods, reason = "this is the place that makes files")]
pub fn create_new(path: &Path, mode: u32) -> Result<File, Failure> {
    let opened = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    opened.map_err(|error| not_made(path, &error))
}

/// Nothing is ever overwritten: say what to do instead.
fn not_made(path: &Path, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return Failure::file(path, "it is there already; choose another name or remove it first");
    }
    Failure::file(path, error)
}

/// Write a whole file, replacing one that is there.
///
/// # Errors
/// When it cannot be written.
#[expect(clippy::disallowed_methods, reason = "this is the place that makes files")]
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|error| Failure::file(path, error))
}

/// Make a folder that must not be there yet, for our eyes only.
///
/// # Errors
/// When it is there, or cannot be made.
pub fn create_folder(path: &Path) -> Result<(), Failure> {
    let made = std::fs::DirBuilder::new().mode(0o700).create(path);
    made.map_err(|error| not_made(path, &error))
}

/// Make a folder and those above it, where they are not there yet, for our eyes only.
///
/// # Errors
/// When one cannot be made.
pub fn create_folders(path: &Path) -> Result<(), Failure> {
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|error| Failure::file(path, error))
}

/// Write a whole file that must not be there yet, for our eyes only.
///
/// # Errors
/// When it is there, or cannot be written.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = create_new(path, 0o600)?.write_all(bytes);
    written.map_err(|error| Failure::file(path, error))
}

/// Make the folders above a file, for our eyes only.
///
/// # Errors
/// When one cannot be made.
pub fn create_parents(path: &Path) -> Result<(), Failure> {
    path.parent().map_or(Ok(()), create_folders)
}

/// Make a symbolic link.
///
/// # Errors
/// When it cannot be made.
pub fn create_link(path: &Path, target: &Path) -> Result<(), Failure> {
    std::os::unix::fs::symlink(target, path).map_err(|error| Failure::file(path, error))
}

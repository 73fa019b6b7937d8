//! The only place that prints for people, and the only one that makes files.

use super::exit::CommandError;
use super::options;
use crate::columns::text;
use crate::sys::own_file;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown,
};
use std::path::{Path, PathBuf};

/// Cells of a line where there is no terminal.
const WIDTH: usize = 80;
/// The narrowest terminal that is written for.
const NARROW: usize = 40;

/// Cells of a line of text, on a terminal that has so many.
pub fn text_width(terminal: Option<usize>) -> usize {
    terminal.unwrap_or(WIDTH).max(NARROW)
}

/// Standard output, buffered.
#[derive(Debug)]
pub struct Out {
    out: BufWriter<StdoutLock<'static>>,
}

impl Out {
    /// Standard output.
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
    ) -> Result<(), CommandError> {
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
    pub fn raw(&mut self, text: &str) -> Result<(), CommandError> {
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }

    /// Print JSON: on one line, or indented for people.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn json(&mut self, value: &impl serde::Serialize, indented: bool) -> Result<(), CommandError> {
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
    let told = wrapped(text, options::width_of_remarks());
    let _ = writeln!(io::stderr().lock(), "{told}");
}

/// A text broken between words where a terminal would break it anywhere; as it is where there is
/// none.
fn wrapped(text: &str, cells: Option<usize>) -> String {
    let Some(cells) = cells else { return text.to_owned() };
    let lines = text.split('\n').flat_map(|line| text::wrap(line, cells));
    lines.collect::<Vec<_>>().join("\n")
}

/// What went wrong.
pub fn complain(text: &str) {
    remark(&format!("swapadm: {text}"));
}

/// How far something is, on a line that the next one replaces; nothing takes the line away.
pub fn progress(text: &str) {
    let _ = write!(io::stderr().lock(), "\r\x1b[K{text}");
}

/// A question, with the answer to be typed behind it.
pub fn ask(question: &str) {
    let _ = write!(io::stderr().lock(), "{question}");
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
pub fn create_new(path: &Path, mode: u32) -> Result<File, CommandError> {
    let opened = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    opened.map_err(|error| describe_create_error(path, &error))
}

/// Nothing is ever overwritten: say what to do instead.
fn describe_create_error(path: &Path, error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return CommandError::file(path, "it is there already; choose another name or remove it first");
    }
    CommandError::file(path, error)
}

/// Write a whole file, replacing one that is there.
///
/// # Errors
/// When it cannot be written.
#[expect(clippy::disallowed_methods, reason = "this is the place that makes files")]
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    std::fs::write(path, bytes).map_err(|error| CommandError::file(path, error))
}

/// Make a folder that must not be there yet, for our eyes only.
///
/// # Errors
/// When it is there, or cannot be made.
pub fn create_folder(path: &Path) -> Result<(), CommandError> {
    let made = std::fs::DirBuilder::new().mode(0o700).create(path);
    made.map_err(|error| describe_create_error(path, &error))
}

/// Make a folder and those above it, where they are not there yet, for our eyes only.
///
/// # Errors
/// When one cannot be made.
pub fn create_folders(path: &Path) -> Result<(), CommandError> {
    own_file::create_folders(path).map_err(|error| CommandError::file(path, error))
}

/// Write a whole file that must not be there yet, for our eyes only.
///
/// # Errors
/// When it is there, or cannot be written.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let written = create_new(path, 0o600)?.write_all(bytes);
    written.map_err(|error| CommandError::file(path, error))
}

/// Make the folders above a file, for our eyes only.
///
/// # Errors
/// When one cannot be made.
pub fn create_parents(path: &Path) -> Result<(), CommandError> {
    path.parent().map_or(Ok(()), create_folders)
}

/// Make a symbolic link.
///
/// # Errors
/// When it cannot be made.
pub fn create_link(path: &Path, target: &Path) -> Result<(), CommandError> {
    std::os::unix::fs::symlink(target, path).map_err(|error| CommandError::file(path, error))
}

/// Replace a text file, or make it and the folders above it. Whoever reads it sees the old text or
/// the new one, also when the machine stops in between. It keeps its mode and its owner; a link to
/// it stays a link.
///
/// # Errors
/// When it cannot be written, or is something else than a file.
pub fn replace_file(path: &Path, text: &str) -> Result<(), CommandError> {
    let file = own_file::resolve_links(path).map_err(|error| CommandError::file(path, error))?;
    create_parents(&file)?;
    let replaced = replace(&file, text.as_bytes());
    replaced.map_err(|error| CommandError::file(path, format!("cannot be written: {error}")))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match fs::symlink_metadata(path) {
        Ok(old) if !old.is_file() => return Err(io::Error::other("it is no regular file")),
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let (new, mut file) = create_beside(path, old.as_ref().map_or(0o644, fs::Metadata::mode))?;
    let filled = fill(&mut file, old.as_ref(), bytes);
    let done = filled.and_then(|()| fs::rename(&new, path));
    if done.is_err() {
        let _ = fs::remove_file(&new);
        return done;
    }
    own_file::sync_folder(path);
    Ok(())
}

/// Make a file in the same folder, under a name that is free.
#[expect(clippy::disallowed_methods, reason = "this is the place that makes files")]
fn create_beside(path: &Path, mode: u32) -> io::Result<(PathBuf, File)> {
    let mut tried = 0;
    loop {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".new-{}-{tried}", std::process::id()));
        let new = path.with_file_name(name);
        let opened = OpenOptions::new().write(true).create_new(true).mode(mode & 0o777).open(&new);
        match opened {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < 100 => tried += 1,
            opened => return opened.map(|file| (new, file)),
        }
    }
}

fn fill(file: &mut File, old: Option<&fs::Metadata>, bytes: &[u8]) -> io::Result<()> {
    if let Some(old) = old {
        // Only root can give a file to somebody else, and for others it was theirs before.
        let _ = fchown(&*file, Some(old.uid()), Some(old.gid()));
        file.set_permissions(Permissions::from_mode(old.mode() & 0o7777))?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests;

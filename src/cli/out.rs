//! The only place that prints on the standard streams and creates files for users. Whatever is printed is
//! safe on a terminal.

use super::exit::{CommandError, CommandResult};
use super::options::{self, Environment};
use crate::columns::text;
use crate::model::name::{safe_file, safe_json, safe_lines};
use crate::sys::{self, NewFileReaders, own_file};
use crate::ui::Outbox;
use nix::errno::Errno;
use std::fs::File;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

/// Width of a line without a terminal, in cells.
const WIDTH: usize = 80;
/// Width of the narrowest supported terminal, in cells.
const NARROW: usize = 40;

/// The width of text in cells, for a terminal of this width.
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

    /// Fails if there is nowhere to print, which Rust would hide.
    fn check_open() -> CommandResult<()> {
        if sys::started_without_output() {
            return Err(io::Error::from(Errno::EBADF).into());
        }
        Ok(())
    }

    /// Prints lines and flushes them.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn lines<L: AsRef<str>>(
        &mut self,
        lines: impl IntoIterator<Item = L>,
    ) -> CommandResult<()> {
        Self::check_open()?;
        for line in lines {
            self.out.write_all(safe_lines(line.as_ref()).as_bytes())?;
            self.out.write_all(b"\n")?;
        }
        Ok(self.out.flush()?)
    }

    /// Prints a text that has its line ends, and flushes it.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn text(&mut self, text: &str) -> CommandResult<()> {
        self.print(&safe_lines(text))
    }

    /// Prints a file of the user as it is, but escapes what could affect a terminal.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn file(&mut self, text: &str) -> CommandResult<()> {
        self.print(&safe_file(text))
    }

    fn print(&mut self, safe: &str) -> CommandResult<()> {
        Self::check_open()?;
        self.out.write_all(safe.as_bytes())?;
        Ok(self.out.flush()?)
    }

    /// Prints JSON on one line, or indented.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn json(&mut self, value: &impl serde::Serialize, indented: bool) -> CommandResult<()> {
        Self::check_open()?;
        let safe = SafeJson(&mut self.out);
        let written = if indented {
            serde_json::to_writer_pretty(safe, value)
        } else {
            serde_json::to_writer(safe, value)
        };
        written.map_err(io::Error::from)?;
        self.out.write_all(b"\n")?;
        Ok(self.out.flush()?)
    }
}

/// Indented JSON as a text, with its line end.
///
/// # Errors
/// The value cannot be written as JSON.
pub fn json_text(value: &impl serde::Serialize) -> CommandResult<String> {
    let mut text = Vec::new();
    serde_json::to_writer_pretty(SafeJson(&mut text), value).map_err(io::Error::from)?;
    text.push(b'\n');
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Writes JSON without what could affect a terminal. A large document is not held as a whole.
struct SafeJson<W>(W);

impl<W: Write> Write for SafeJson<W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        // serde_json writes whole characters.
        let json = str::from_utf8(json).map_err(io::Error::other)?;
        self.0.write_all(safe_json(json).as_bytes())?;
        Ok(json.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Default for Out {
    fn default() -> Self {
        Self::new()
    }
}

/// Prints a remark on standard error, and ignores failures.
pub fn remark(text: &str) {
    let told = wrapped(&safe_lines(text), options::width_of_remarks());
    let _ = writeln!(io::stderr().lock(), "{told}");
}

/// A text wrapped between words for a terminal of this width; unchanged without a terminal.
fn wrapped(text: &str, cells: Option<usize>) -> String {
    let Some(cells) = cells else { return text.to_owned() };
    let lines = text.split('\n').flat_map(|line| text::wrap(line, cells));
    lines.collect::<Vec<_>>().join("\n")
}

/// Prints an error.
pub fn complain(text: &str) {
    remark(&format!("swapadm: {text}"));
}

/// Replaces the progress line; an empty text removes it. What the terminal does not take at once is
/// dropped.
fn progress(terminal: &mut Outbox, text: &str) {
    terminal.forget();
    let _ = write!(terminal, "\r\x1b[K{}", safe_lines(text)).and_then(|()| terminal.flush());
}

/// Prints a question; the answer is typed after it.
pub fn ask(question: &str) {
    let _ = write!(io::stderr().lock(), "{}", safe_lines(question));
}

/// Prints an error message as it is, without wrapping.
pub fn complain_raw(text: &str) {
    let _ = io::stderr().lock().write_all(safe_lines(text).as_bytes());
}

/// Creates a file.
///
/// # Errors
/// The file exists already, or cannot be created.
pub fn create_new(path: &Path, mode: u32) -> CommandResult<File> {
    own_file::create_new(path, mode).map_err(|error| describe_create_error(path, &error))
}

/// The error of a file or directory that could not be created. Existing ones are never overwritten.
fn describe_create_error(path: &Path, error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return CommandError::file(path, "exists already: choose another name or remove it first");
    }
    CommandError::file(path, error)
}

/// Creates a directory that only its owner may enter.
///
/// # Errors
/// The directory exists already, or cannot be created.
pub fn create_folder(path: &Path) -> CommandResult<()> {
    let made = own_file::create_folder(path);
    made.map_err(|error| describe_create_error(path, &error))
}

/// Removes a directory that this program created, with all that is in it. A failure does not matter: an earlier error
/// is the one to report.
pub fn remove_folder(path: &Path) {
    let _ = std::fs::remove_dir_all(path);
}

/// Creates a directory and its missing parents, which only their owner may enter.
///
/// # Errors
/// A directory cannot be created.
pub fn create_folders(path: &Path) -> CommandResult<()> {
    own_file::create_folders(path).map_err(|error| CommandError::file(path, error))
}

/// Creates a file with this content, and removes it if it cannot be written completely.
///
/// # Errors
/// The file exists already, or cannot be written.
pub fn write_new(path: &Path, mode: u32, bytes: &[u8]) -> CommandResult<()> {
    let written = create_new(path, mode)?.write_all(bytes);
    written.map_err(|error| {
        // The earlier error is the one to report.
        let _ = own_file::remove_file(path);
        CommandError::file(path, error)
    })
}

/// Creates the missing directories above a file, which only their owner may enter.
///
/// # Errors
/// A directory cannot be created.
pub fn create_parents(path: &Path) -> CommandResult<()> {
    path.parent().map_or(Ok(()), create_folders)
}

/// Creates a symbolic link.
///
/// # Errors
/// The link cannot be created.
pub fn create_link(path: &Path, target: &Path) -> CommandResult<()> {
    std::os::unix::fs::symlink(target, path).map_err(|error| CommandError::file(path, error))
}

/// Replaces a file, or creates it with its directories. A reader sees the old content or the new one, even
/// after a crash in between. The file keeps its mode and owner; a link to it stays a link.
///
/// # Errors
/// The file cannot be written, is not a regular file, or a link to it belongs to another user.
pub fn replace_file(path: &Path, bytes: impl AsRef<[u8]>) -> CommandResult<()> {
    let file = own_file::resolve_links(path).map_err(|error| CommandError::file(path, error))?;
    create_parents(&file)?;
    let replaced = sys::publish(&file, bytes.as_ref(), NewFileReaders::Umask);
    replaced.map_err(|error| CommandError::file(path, format!("cannot be written: {error}")))
}

/// Replaces a text file in a directory that exists, following no symbolic link. A reader sees the old
/// text or the new one. Everybody may read a file that is created.
///
/// # Errors
/// The file cannot be written, or its path has a symbolic link.
pub fn publish_file(path: &Path, text: &str) -> CommandResult<()> {
    let publish = |path: PathBuf| sys::publish(&path, text.as_bytes(), NewFileReaders::Everybody);
    let published = std::path::absolute(path).and_then(publish);
    published.map_err(|error| match error.raw_os_error() {
        Some(nix::libc::ELOOP | nix::libc::ENOTDIR) => CommandError::file(
            path,
            "the path has a symbolic link, or a file in place of a directory: write it without links",
        ),
        _ => CommandError::file(path, format!("cannot be written: {error}")),
    })
}

/// A line that is replaced by its next version. It never waits for the terminal, because whoever reports
/// progress may be the guard of a change.
#[derive(Debug)]
pub struct ProgressLine {
    /// Cells that the line may take; none without a terminal.
    width: Option<usize>,
    /// None if the terminal cannot be written without waiting for it.
    terminal: Option<Outbox>,
    shown: String,
}

impl ProgressLine {
    /// An empty line.
    pub fn new(environment: &Environment) -> Self {
        Self::with_cells(environment.progress_cells())
    }

    /// An empty line of this width.
    pub fn with_cells(width: Option<usize>) -> Self {
        let terminal = width.and_then(|_| Outbox::for_standard_error());
        Self { width, terminal, shown: String::new() }
    }

    /// Shows these pieces, the most important first.
    pub fn tell(&mut self, pieces: &[String]) {
        let (Some(width), Some(terminal)) = (self.width, &mut self.terminal) else { return };
        let line = fit(pieces, width);
        if line != self.shown {
            progress(terminal, &line);
            self.shown = line;
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if let Some(terminal) = self.terminal.as_mut().filter(|_| !self.shown.is_empty()) {
            progress(terminal, "");
            self.shown.clear();
        }
    }
}

/// As many pieces as there is room for; the first one is cut if it does not fit.
fn fit(pieces: &[String], width: usize) -> String {
    let mut line = String::new();
    for (place, piece) in pieces.iter().enumerate() {
        let longer = if place == 0 { piece.clone() } else { format!("{line}  {piece}") };
        if place > 0 && text::width(&longer) > width {
            break;
        }
        line = longer;
    }
    text::clip(&line, width)
}

#[cfg(test)]
mod tests;

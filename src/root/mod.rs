//! The only door to files: the live machine, or a captured tree that looks like one.
//!
//! Paths are given relative to the root (`proc/swaps`). Every read is bounded, never blocks on a
//! FIFO, and ends as a [`Reading`] that says which file and why, with the path as it would be on
//! a live machine. Links of a captured tree are not followed out of it. With a [`Trace`]
//! attached, everything read is also kept: that is how a machine is captured, so a capture holds
//! exactly what the probes saw.

mod facts;
mod ffi;
mod cancel;
pub mod child_reader;
mod open_files;
mod scan;
#[cfg(test)]
pub(crate) mod testing;
mod trace;

pub use facts::{FileFacts, Usage};
pub use ffi::Swapped;
pub(crate) use ffi::{FileExtent, extents};
pub use cancel::CancelToken;
pub use open_files::{OpenFile, DiskLayout, PageTable, ChunkReader};
pub use scan::{parse_hex, parse_switch, parse_u64};
pub use trace::{Trace, Traced};

use crate::model::text::bytes_to_text;
use crate::model::{Missing, Reading};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags};
use nix::sys::statfs;
use nix::unistd::{AccessFlags, faccessat};
use std::fs::{DirEntry, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Largest file that is read: enough for any statistics file, small enough for any machine.
const READ_CAP: usize = 4 << 20;
/// Most names taken from one folder.
const DIR_CAP: usize = 1 << 20;

/// Where `proc`, `sys`, `etc`, `dev`, `run` and `usr` are.
#[derive(Clone, Debug)]
pub struct Root {
    base: PathBuf,
    live: bool,
    trace: Option<Arc<Trace>>,
    /// How long a device that may hang has to answer.
    child_timeout: Duration,
    /// Does nobody wait any more for what takes long to read?
    cancel: Arc<dyn CancelToken>,
}

/// A name in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// The name.
    pub name: Vec<u8>,
    /// Is it a folder?
    pub folder: bool,
}

impl Root {
    /// The machine we run on.
    pub fn live() -> Self {
        Self::with_base(PathBuf::from("/"), true)
    }

    /// A captured tree.
    ///
    /// # Errors
    /// When it is not a folder that can be opened.
    pub fn at(dir: &Path) -> io::Result<Self> {
        let base = canonical(dir)?;
        if !facts_of(&base)?.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(Self::with_base(base, false))
    }

    fn with_base(base: PathBuf, live: bool) -> Self {
        let given_up = Arc::new(AtomicBool::new(false));
        Self { base, live, trace: None, child_timeout: child_reader::SCREEN_TIMEOUT, cancel: given_up }
    }

    /// The same root for plans, which can wait for an answer that a screen cannot wait for.
    pub fn with_plan_timeout(&self) -> Self {
        Self { child_timeout: child_reader::PLAN_TIMEOUT, ..self.clone() }
    }

    /// The same root for whoever looks again and again, and cannot wait either.
    pub fn with_screen_timeout(&self) -> Self {
        Self { child_timeout: child_reader::SCREEN_TIMEOUT, ..self.clone() }
    }

    /// The same root, keeping what is read.
    pub fn traced(&self, trace: Arc<Trace>) -> Self {
        Self { trace: Some(trace), ..self.clone() }
    }

    /// The same root, for a reader that somebody else can tell by this to give up.
    pub fn with_cancel(&self, given_up: Arc<impl CancelToken + 'static>) -> Self {
        Self { cancel: given_up, ..self.clone() }
    }

    /// Is nobody waiting any more? Whoever reads for long asks now and then.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Is this the machine we run on? Nothing may be written otherwise.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// The folder that stands for `/`.
    pub fn folder(&self) -> &Path {
        &self.base
    }

    /// Read a whole file.
    pub fn read(&self, path: impl AsRef<Path>) -> Reading<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_all(path.as_ref(), End::EmptyRead, &mut bytes).map(|()| bytes).into()
    }

    /// Read a file that the kernel writes as one record, into a buffer that is used again; it is
    /// emptied first. Such a file gives all it has at once: unlike that of a list, a short read is
    /// its end, and not asking again saves a quarter of the system calls.
    ///
    /// # Errors
    /// The reason why nothing was read.
    pub fn record_into(&self, path: impl AsRef<Path>, bytes: &mut Vec<u8>) -> Result<(), Missing> {
        self.read_all(path.as_ref(), End::ShortRead, bytes)
    }

    /// Read a file that the kernel writes as one record, such as all of sysfs.
    pub fn record(&self, path: impl AsRef<Path>) -> Reading<Vec<u8>> {
        let mut bytes = Vec::new();
        self.record_into(path, &mut bytes).map(|()| bytes).into()
    }

    /// Read the first bytes of a regular file or block device. Any other device may do something
    /// when it is read; and a block device in a captured tree is one of this machine.
    pub fn read_head(&self, path: impl AsRef<Path>, len: usize) -> Reading<Vec<u8>> {
        let path = path.as_ref();
        let mut bytes = Vec::with_capacity(len);
        let result = self.resolve(path).and_then(|full| open(&full)).and_then(|file| {
            self.check_storage(&file.metadata()?)?;
            file.take(len as u64).read_to_end(&mut bytes)?;
            Ok(())
        });
        self.trace_read(path, &result, &bytes);
        result.map(|()| bytes).map_err(|error| missing(path, &error)).into()
    }

    /// The same from another place on: fewer bytes where it ends before.
    pub fn read_part(&self, path: impl AsRef<Path>, at: u64, len: usize) -> Reading<Vec<u8>> {
        let path = path.as_ref();
        let read = || {
            let mut file = open(&self.resolve(path)?)?;
            self.check_storage(&file.metadata()?)?;
            file.seek(io::SeekFrom::Start(at))?;
            let mut bytes = Vec::with_capacity(len);
            file.take(len as u64).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(|error| missing(path, &error)).into()
    }

    /// Read a file that must be text.
    pub fn text(&self, path: impl AsRef<Path>) -> Reading<String> {
        let path = path.as_ref();
        self.read(path).and_then(|bytes| match String::from_utf8(bytes) {
            Ok(text) => Reading::Known(text),
            Err(_) => Reading::failed(format!("{} is not text", shown(path))),
        })
    }

    /// Read a file that people write, in whatever encoding: see [`crate::model::text`].
    pub fn any_text(&self, path: impl AsRef<Path>) -> Reading<String> {
        self.read(path).map(|bytes| bytes_to_text(&bytes))
    }

    /// Read a file that holds one line, without its end.
    pub fn line(&self, path: impl AsRef<Path>) -> Reading<String> {
        let path = path.as_ref();
        self.record(path).and_then(|bytes| match String::from_utf8(bytes) {
            Ok(text) => Reading::Known(text.trim().to_owned()),
            Err(_) => Reading::failed(format!("{} is not text", shown(path))),
        })
    }

    /// Read a file that holds one whole number.
    pub fn number(&self, path: impl AsRef<Path>) -> Reading<u64> {
        let path = path.as_ref();
        self.record(path).and_then(|bytes| match parse_u64(bytes.trim_ascii()) {
            Some(number) => Reading::Known(number),
            None => unexpected(path, "a whole number", &bytes),
        })
    }

    /// Read a file that holds a switch: `1`, `0`, `Y`, `N`, `true`, `false`, `on` or `off`.
    pub fn switch(&self, path: impl AsRef<Path>) -> Reading<bool> {
        let path = path.as_ref();
        self.record(path).and_then(|bytes| match parse_switch(bytes.trim_ascii()) {
            Some(on) => Reading::Known(on),
            None => unexpected(path, "a switch", &bytes),
        })
    }

    /// The names in a folder, sorted by their bytes.
    pub fn names(&self, path: impl AsRef<Path>) -> Reading<Vec<Vec<u8>>> {
        let path = path.as_ref();
        self.trace_folder(path);
        self.resolve(path)
            .and_then(|full| list(&full, |entry| Ok(entry.file_name().into_vec())))
            .map_err(|error| missing(path, &error))
            .into()
    }

    /// The names in a folder, sorted by their bytes, and which of them are folders; a link is
    /// none.
    pub fn entries(&self, path: impl AsRef<Path>) -> Reading<Vec<FolderEntry>> {
        let path = path.as_ref();
        self.trace_folder(path);
        let item = |entry: &DirEntry| {
            Ok(FolderEntry { folder: entry.file_type()?.is_dir(), name: entry.file_name().into_vec() })
        };
        self.resolve(path)
            .and_then(|full| list(&full, item))
            .map_err(|error| missing(path, &error))
            .into()
    }

    /// Where a link leads, as written in it.
    pub fn link(&self, path: impl AsRef<Path>) -> Reading<PathBuf> {
        let path = path.as_ref();
        let target = self.resolve_link(path).and_then(|full| read_link(&full));
        if let (Some(trace), Ok(target)) = (&self.trace, &target) {
            trace.link(path, target);
        }
        target.map_err(|error| missing(path, &error)).into()
    }

    /// Where a path really leads, all links followed.
    pub fn real(&self, path: impl AsRef<Path>) -> Reading<PathBuf> {
        let path = path.as_ref();
        let full = self.resolve(path).and_then(|full| canonical(&full));
        let as_live = |full: PathBuf| match full.strip_prefix(&self.base) {
            Ok(rest) => Path::new("/").join(rest),
            Err(_) => full,
        };
        full.map(as_live).map_err(|error| missing(path, &error)).into()
    }

    /// What a path leads to.
    pub fn facts(&self, path: impl AsRef<Path>) -> Reading<FileFacts> {
        let path = path.as_ref();
        let data = self.facts_inside(path);
        if let (Some(trace), true) = (&self.trace, data.as_ref().is_ok_and(Metadata::is_dir)) {
            trace.folder(path);
        }
        data.map(|data| FileFacts::from(&data)).map_err(|error| missing(path, &error)).into()
    }

    /// Does this path exist, as far as we may see?
    pub fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.facts(path).known().is_some()
    }

    /// How full the file system at this path is; only a live machine knows. It is the one mounted
    /// last where several are mounted over each other.
    pub fn usage(&self, path: impl AsRef<Path>) -> Reading<Usage> {
        let path = path.as_ref();
        if !self.live {
            return Reading::absent(format!(
                "a captured tree does not say how full {} is",
                shown(path)
            ));
        }
        match statfs::statfs(&self.full(path)) {
            Ok(stat) => Reading::Known(Usage::from_statfs(&stat)),
            Err(error) => missing(path, &error.into()).into(),
        }
    }

    /// May this file be opened for reading? Opening it must have no effect.
    pub fn can_open(&self, path: impl AsRef<Path>) -> Reading<bool> {
        let path = path.as_ref();
        let opened = self.resolve(path).and_then(|full| open(&full));
        opened.map(|_| true).map_err(|error| missing(path, &error)).into()
    }

    /// May this file be written? Of a captured tree nobody asks that.
    pub fn may_write(&self, path: impl AsRef<Path>) -> Reading<()> {
        let path = path.as_ref();
        if !self.live {
            return Reading::Known(());
        }
        let asked = self
            .resolve(path)
            .map(|full| faccessat(AT_FDCWD, &full, AccessFlags::W_OK, AtFlags::AT_EACCESS));
        match asked {
            Ok(Err(Errno::EROFS)) => Reading::failed(format!(
                "{} lies on a file system that is mounted read-only, as in a container: change it where that is from",
                shown(path)
            )),
            Ok(Err(error)) => {
                Reading::failed(format!("{} cannot be written: {}", shown(path), error.desc()))
            }
            Err(error) => missing(path, &error).into(),
            Ok(Ok(())) => Reading::Known(()),
        }
    }

    fn read_all(&self, path: &Path, end: End, bytes: &mut Vec<u8>) -> Result<(), Missing> {
        bytes.clear();
        let opened = self.resolve(path).and_then(|full| open(&full));
        let result = opened.and_then(|file| fill(file, end, bytes));
        self.trace_read(path, &result, bytes);
        result.map_err(|error| missing(path, &error))
    }

    fn trace_folder(&self, path: &Path) {
        let Some(trace) = &self.trace else { return };
        if self.facts_inside(path).is_ok_and(|data| data.is_dir()) {
            trace.folder(path);
        }
    }

    fn trace_read(&self, path: &Path, result: &io::Result<()>, bytes: &[u8]) {
        if let Some(trace) = &self.trace {
            trace.read(path, result, bytes);
        }
    }

    fn facts_inside(&self, path: &Path) -> io::Result<Metadata> {
        facts_of(&self.resolve(path)?)
    }

    /// Where a path really lies. A link in a captured tree must not lead to this machine.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let full = self.full(path);
        if self.live {
            return Ok(full);
        }
        let real = canonical(&full)?;
        if !real.starts_with(&self.base) {
            return Err(io::Error::other("it leads out of the captured tree"));
        }
        Ok(real)
    }

    /// The same for a link that is not followed itself.
    fn resolve_link(&self, path: &Path) -> io::Result<PathBuf> {
        let full = self.full(path);
        let below = full.strip_prefix(&self.base).unwrap_or(&full);
        match (below.parent(), below.file_name()) {
            (Some(folder), Some(name)) => Ok(self.resolve(folder)?.join(name)),
            _ => self.resolve(path),
        }
    }

    fn check_storage(&self, data: &Metadata) -> io::Result<()> {
        if data.is_file() || (self.live && data.file_type().is_block_device()) {
            return Ok(());
        }
        Err(io::Error::other(if self.live {
            "it is neither a regular file nor a block device"
        } else {
            "it is no regular file, as all are in a captured tree"
        }))
    }

    fn full(&self, path: &Path) -> PathBuf {
        // An absolute name from the kernel, such as a swap file's, is below the root as well, and
        // so is what a damaged capture calls `../x`.
        let mut below = PathBuf::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => below.push(name),
                Component::ParentDir => {
                    below.pop();
                }
                Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
            }
        }
        self.base.join(below)
    }
}

/// That a file held something else than it should, with the beginning of what it held.
pub fn unexpected<T>(path: impl AsRef<Path>, wanted: &str, found: &[u8]) -> Reading<T> {
    let start = found.get(..found.len().min(40)).unwrap_or_default();
    let text = crate::model::Name::new(start.trim_ascii()).safe();
    let path = shown(path.as_ref());
    if text.is_empty() {
        return Reading::failed(format!("{path} should hold {wanted}, but is empty"));
    }
    Reading::failed(format!("{path} should hold {wanted}, but holds \"{text}\""))
}

/// The path as it is on a live machine.
pub(crate) fn shown(path: &Path) -> String {
    let relative = path.strip_prefix("/").unwrap_or(path);
    format!("/{}", crate::model::Name::new(relative.as_os_str().as_bytes()).safe())
}

fn missing(path: &Path, error: &io::Error) -> Missing {
    let path = shown(path);
    let kind = error.kind();
    if matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
        Missing::absent(format!("{path} does not exist"))
    } else if kind == io::ErrorKind::PermissionDenied {
        Missing::Denied(path.into())
    } else if error.raw_os_error() == Some(nix::libc::ESRCH) {
        // A file below /proc/PID that was opened before the process ended.
        Missing::absent(format!("the process of {path} has ended"))
    } else {
        Missing::failed(format!("reading {path}: {error}"))
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn open(path: &Path) -> io::Result<File> {
    // Not blocking: a FIFO in a captured tree must not stop the program.
    let flags = nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY | nix::libc::O_CLOEXEC;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// How the end of a file is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// A read gives nothing.
    EmptyRead,
    /// A read gives less than there is room for.
    ShortRead,
}

fn fill(mut file: File, end: End, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut chunk = [0_u8; 8192];
    loop {
        let read = match file.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.len() + read > READ_CAP {
            bytes.clear();
            return Err(io::Error::other(format!("it is larger than {READ_CAP} bytes")));
        }
        bytes.extend_from_slice(chunk.get(..read).unwrap_or_default());
        if end == End::ShortRead && read < chunk.len() {
            return Ok(());
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn list<T: Ord>(path: &Path, item: impl Fn(&DirEntry) -> io::Result<T>) -> io::Result<Vec<T>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)?.take(DIR_CAP) {
        names.push(item(&entry?)?);
    }
    names.sort_unstable();
    Ok(names)
}

#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn read_link(path: &Path) -> io::Result<PathBuf> {
    std::fs::read_link(path)
}

#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn facts_of(path: &Path) -> io::Result<Metadata> {
    std::fs::metadata(path)
}

#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn canonical(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

#[cfg(test)]
mod tests;

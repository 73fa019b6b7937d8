//! File access: the live machine, or a captured tree that looks like one. All files are read through here.
//!
//! Paths are relative to the root (`proc/swaps`). Every read is bounded, never blocks on a FIFO, and returns
//! a [`Reading`] that names the file and the reason if it fails, with the path as on a live machine. Links of
//! a captured tree are not followed out of it. With a [`Trace`] everything read is also recorded: captures
//! are made this way, so a capture contains exactly what the probes read.

pub mod child_reader;
mod facts;
mod open_files;
mod read;
pub(crate) mod scan;
#[cfg(test)]
pub(crate) mod testing;
mod trace;

pub use crate::ffi::files::Swapped;
pub(crate) use crate::ffi::files::{FileExtent, extents};
use crate::model::paging::Counters;
use crate::model::text::bytes_to_text;
use crate::model::{Missing, Reading};
pub use child_reader::{ChildReader, Patience};
pub use facts::{FileFacts, Usage};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, OpenHow, ResolveFlag, openat2};
use nix::sys::statfs;
use nix::unistd::{AccessFlags, faccessat};
pub(crate) use open_files::whole_file_lock;
pub use open_files::{ChunkReader, DiskLayout, KernelLog, OpenFile, PageTable};
use read::{End, KeptFiles, OPEN_FLAGS, fill, open};
pub use scan::{parse_hex, parse_switch, parse_u64};
use std::fmt::Debug;
use std::fs::{DirEntry, File, Metadata};
use std::io::{self, Read as _, Seek as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
pub use trace::{Trace, Traced};

/// Maximum number of names read from one folder.
const DIR_CAP: usize = 1 << 20;

/// The folder with `proc`, `sys`, `etc`, `dev`, `run` and `usr`.
#[derive(Clone, Debug)]
pub struct Root {
    base: PathBuf,
    live: bool,
    /// The open folder of a captured tree, if we may read it.
    tree: Option<Arc<File>>,
    trace: Option<Arc<Trace>>,
    /// Patience with devices that may block.
    patience: Patience,
    /// Reads files that may block.
    child_reader: Arc<ChildReader>,
    /// Cancels long reads.
    cancel: Arc<dyn CancelToken>,
    /// Files that stay open between samples, if some are to.
    kept: Option<Arc<KeptFiles>>,
    /// The journal of changes.
    journal: PathBuf,
}

/// The usual path of the journal of changes.
pub const JOURNAL: &str = "var/lib/swapadm/journal.jsonl";

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// The name.
    pub name: Vec<u8>,
    /// Whether it is a folder.
    pub folder: bool,
}

impl Root {
    /// Returns the live machine.
    pub fn live() -> Self {
        Self::with_base(PathBuf::from("/"), true)
    }

    /// Opens a captured tree.
    ///
    /// # Errors
    /// Fails if the path is not a folder that can be opened.
    pub fn at(dir: &Path) -> io::Result<Self> {
        let base = canonical(dir)?;
        if !facts_of(&base)?.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        let tree = open(&base).ok().map(Arc::new);
        Ok(Self { tree, ..Self::with_base(base, false) })
    }

    /// Returns a root that has no file, whatever is on this machine: nothing is below a device.
    pub fn without_files() -> Self {
        Self::with_base(PathBuf::from("/dev/null"), false)
    }

    fn with_base(base: PathBuf, live: bool) -> Self {
        let cancel = Arc::new(AtomicBool::new(false));
        let child_reader = ChildReader::live();
        Self {
            base,
            live,
            tree: None,
            trace: None,
            patience: Patience::SCREEN,
            child_reader,
            cancel,
            kept: None,
            journal: PathBuf::from(JOURNAL),
        }
    }

    /// Returns this root with another path of the journal of changes.
    pub fn with_journal(&self, journal: PathBuf) -> Self {
        Self { journal, ..self.clone() }
    }

    /// The path of the journal of changes, below the root.
    pub fn journal(&self) -> &Path {
        &self.journal
    }

    /// Returns this root with this patience for devices that may block.
    pub fn with_patience(&self, patience: Patience) -> Self {
        Self { patience, ..self.clone() }
    }

    /// Returns this root for many samples: statistics files of a live machine stay open between them.
    pub fn keeping_files(&self) -> Self {
        Self { kept: self.live.then(Arc::default), ..self.clone() }
    }

    /// Returns this root with a trace of everything that is read.
    pub fn traced(&self, trace: Arc<Trace>) -> Self {
        Self { trace: Some(trace), ..self.clone() }
    }

    /// Returns this root with a token that cancels long reads.
    pub fn with_cancel(&self, cancel: Arc<impl CancelToken + 'static>) -> Self {
        Self { cancel, ..self.clone() }
    }

    /// Returns whether long reads were cancelled. Long reads ask now and then.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns whether this is the live machine. Nothing may be written otherwise.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// Returns the folder that represents `/`.
    pub fn folder(&self) -> &Path {
        &self.base
    }

    /// Reads a whole file.
    pub fn read(&self, path: impl AsRef<Path>) -> Reading<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_all(path.as_ref(), End::EmptyRead, &mut bytes).map(|()| bytes).into()
    }

    /// Reads a file that the kernel writes as one record into a reusable buffer, which is cleared first. The
    /// kernel returns such a file at once: unlike a list, it ends with a short read, which saves a quarter of
    /// the system calls.
    ///
    /// # Errors
    /// Fails with the reason why nothing was read.
    pub fn record_into(&self, path: impl AsRef<Path>, bytes: &mut Vec<u8>) -> Result<(), Missing> {
        self.read_all(path.as_ref(), End::ShortRead, bytes)
    }

    /// Reads a file that the kernel writes as one record, such as all files of sysfs.
    pub fn record(&self, path: impl AsRef<Path>) -> Reading<Vec<u8>> {
        let mut bytes = Vec::new();
        self.record_into(path, &mut bytes).map(|()| bytes).into()
    }

    /// Reads the first bytes of a regular file or block device. Reading other devices may have side effects,
    /// and a block device in a captured tree would be one of this machine.
    pub fn read_head(&self, path: impl AsRef<Path>, len: usize) -> Reading<Vec<u8>> {
        self.read_storage(path.as_ref(), len as u64, |_| io::SeekFrom::Start(0))
    }

    /// Reads the last bytes of a regular file.
    pub fn read_tail(&self, path: impl AsRef<Path>, len: u64) -> Reading<Vec<u8>> {
        self.read_storage(path.as_ref(), len, |size| io::SeekFrom::Start(size.saturating_sub(len)))
    }

    /// Reads bytes of a regular file or block device, from a place that may depend on the size of the file.
    fn read_storage(
        &self,
        path: &Path,
        len: u64,
        place: impl FnOnce(u64) -> io::SeekFrom,
    ) -> Reading<Vec<u8>> {
        let mut bytes = Vec::new();
        let result = self.open(path).and_then(|mut file| {
            let data = file.metadata()?;
            self.check_storage(&data)?;
            file.seek(place(data.len()))?;
            file.take(len).read_to_end(&mut bytes)?;
            Ok(())
        });
        self.trace_read(path, &result, &bytes);
        result.map(|()| bytes).map_err(|error| missing(path, &error)).into()
    }

    /// Reads bytes of a regular file or block device from an offset; fewer at the end.
    pub fn read_part(&self, path: impl AsRef<Path>, at: u64, len: usize) -> Reading<Vec<u8>> {
        let path = path.as_ref();
        let read = || {
            let mut file = self.open(path)?;
            self.check_storage(&file.metadata()?)?;
            file.seek(io::SeekFrom::Start(at))?;
            let mut bytes = Vec::with_capacity(len);
            file.take(len as u64).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(|error| missing(path, &error)).into()
    }

    /// Reads a file that must be UTF-8 text.
    pub fn text(&self, path: impl AsRef<Path>) -> Reading<String> {
        let path = path.as_ref();
        self.read(path).and_then(|bytes| match String::from_utf8(bytes) {
            Ok(text) => Reading::Known(text),
            Err(_) => Reading::failed(format!("{} is not text", shown(path))),
        })
    }

    /// Reads a file that people write, in any encoding: see [`crate::model::text`].
    pub fn any_text(&self, path: impl AsRef<Path>) -> Reading<String> {
        self.read(path).map(|bytes| bytes_to_text(&bytes))
    }

    /// Reads a file with one line, without the line end.
    pub fn line(&self, path: impl AsRef<Path>) -> Reading<String> {
        let path = path.as_ref();
        self.record(path).and_then(|bytes| line(path, bytes))
    }

    /// Reads a file with one whole number.
    pub fn number(&self, path: impl AsRef<Path>) -> Reading<u64> {
        let path = path.as_ref();
        let number = |bytes: &[u8]| parse_u64(bytes.trim_ascii());
        self.record(path).and_then(|bytes| parsed(path, "a whole number", &bytes, number))
    }

    /// Reads a file with a switch: `1`, `0`, `Y`, `N`, `true`, `false`, `on` or `off`.
    pub fn switch(&self, path: impl AsRef<Path>) -> Reading<bool> {
        let path = path.as_ref();
        let switch = |bytes: &[u8]| parse_switch(bytes.trim_ascii());
        self.record(path).and_then(|bytes| parsed(path, "a switch", &bytes, switch))
    }

    /// Lists the names in a folder, sorted by their bytes.
    pub fn names(&self, path: impl AsRef<Path>) -> Reading<Vec<Vec<u8>>> {
        self.listed(path.as_ref(), |entry| Ok(entry.file_name().into_vec()))
    }

    /// Lists the names in a folder, sorted by their bytes, and which of them are folders; a link is not a
    /// folder.
    pub fn entries(&self, path: impl AsRef<Path>) -> Reading<Vec<FolderEntry>> {
        self.listed(path.as_ref(), |entry| {
            Ok(FolderEntry {
                folder: entry.file_type()?.is_dir(),
                name: entry.file_name().into_vec(),
            })
        })
    }

    fn listed<T: Ord>(
        &self,
        path: &Path,
        item: impl Fn(&DirEntry) -> io::Result<T>,
    ) -> Reading<Vec<T>> {
        self.trace_folder(path);
        let items = self.resolve(path).and_then(|full| list(&full, item));
        items.map_err(|error| missing(path, &error)).into()
    }

    /// Reads the target of a link.
    pub fn link(&self, path: impl AsRef<Path>) -> Reading<PathBuf> {
        let path = path.as_ref();
        let target = self.resolve_link(path).and_then(|full| read_link(&full));
        if let (Some(trace), Ok(target)) = (&self.trace, &target) {
            trace.link(path, target);
        }
        target.map_err(|error| missing(path, &error)).into()
    }

    /// Resolves all links of a path.
    pub fn real(&self, path: impl AsRef<Path>) -> Reading<PathBuf> {
        let path = path.as_ref();
        let full = self.resolve(path).and_then(|full| canonical(&full));
        let as_live = |full: PathBuf| match full.strip_prefix(&self.base) {
            Ok(rest) => Path::new("/").join(rest),
            Err(_) => full,
        };
        full.map(as_live).map_err(|error| missing(path, &error)).into()
    }

    /// Returns the metadata of a file.
    pub fn facts(&self, path: impl AsRef<Path>) -> Reading<FileFacts> {
        let path = path.as_ref();
        let data = self.facts_inside(path);
        if let (Some(trace), true) = (&self.trace, data.as_ref().is_ok_and(Metadata::is_dir)) {
            trace.folder(path);
        }
        data.map(|data| FileFacts::from(&data)).map_err(|error| missing(path, &error)).into()
    }

    /// Returns whether this path exists, as far as our rights allow to see it.
    pub fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.facts(path).known().is_some()
    }

    /// Returns the use of the file system at this path; only for a live machine. If several are mounted over
    /// each other, the last one counts.
    pub fn usage(&self, path: impl AsRef<Path>) -> Reading<Usage> {
        let path = path.as_ref();
        if !self.live {
            return Reading::failed(format!(
                "a captured tree does not contain how full {} is",
                shown(path)
            ));
        }
        match statfs::statfs(&self.full(path)) {
            Ok(stat) => Reading::Known(Usage::from_statfs(&stat)),
            Err(error) => missing(path, &error.into()).into(),
        }
    }

    /// Returns whether this file can be opened for reading. Opening it must have no side effect.
    pub fn can_open(&self, path: impl AsRef<Path>) -> Reading<bool> {
        let path = path.as_ref();
        self.open(path).map(|_| true).map_err(|error| missing(path, &error)).into()
    }

    /// Checks that this file can be written; always true for a captured tree.
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
                "{} is on a read-only file system, as in a container: change it on the host",
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
        if self.kept.as_ref().is_some_and(|kept| kept.read(path, end, bytes).is_some()) {
            self.trace_read(path, &Ok(()), bytes);
            return Ok(());
        }
        let result = self.open(path).and_then(|file| {
            fill(&file, end, bytes)?;
            if let Some(kept) = &self.kept {
                kept.keep(path, file);
            }
            Ok(())
        });
        self.trace_read(path, &result, bytes);
        result.map_err(|error| missing(path, &error))
    }

    /// The reading of a file that is known not to exist.
    pub fn lacks<T>(&self, path: impl AsRef<Path>) -> Reading<T> {
        missing(path.as_ref(), &io::ErrorKind::NotFound.into()).into()
    }

    /// Returns the counters that a file had at an earlier sample of a live view.
    pub fn kept_counters(&self, path: &Path) -> Option<Counters> {
        self.kept.as_ref()?.counters(path)
    }

    /// Keeps the counters of a file, so that later samples of a live view share their names.
    pub fn keep_counters(&self, path: &Path, counters: &Counters) {
        if let Some(kept) = &self.kept {
            kept.keep_counters(path, counters);
        }
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
        match self.open_in_tree(path, OFlag::O_PATH | OFlag::O_CLOEXEC) {
            Some(opened) => opened?.metadata(),
            None => facts_of(&self.resolve(path)?),
        }
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        self.open_in_tree(path, OPEN_FLAGS).unwrap_or_else(|| open(&self.resolve(path)?))
    }

    /// Opens a path of a captured tree in one system call, where `resolve` makes one for each folder. None if
    /// the kernel cannot say whether the path stays in the tree: before 5.6, in some containers, and for a
    /// link that may lead out of it.
    fn open_in_tree(&self, path: &Path, flags: OFlag) -> Option<io::Result<File>> {
        let tree = self.tree.as_ref().filter(|_| !self.live)?;
        let how = OpenHow::new().flags(flags).resolve(ResolveFlag::RESOLVE_BENEATH);
        match openat2(tree, &Path::new(".").join(below(path)), how) {
            Err(Errno::EXDEV | Errno::ENOSYS | Errno::EPERM | Errno::EAGAIN) => None,
            opened => Some(opened.map(File::from).map_err(io::Error::from)),
        }
    }

    /// Resolves a path. A link in a captured tree must not lead to this machine.
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

    /// Resolves the path of a link without following the link itself.
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
            "it is not a regular file, as required in a captured tree"
        }))
    }

    fn full(&self, path: &Path) -> PathBuf {
        self.base.join(below(path))
    }
}

/// Returns the path relative to a root. Absolute paths from the kernel, such as those of swap files, stay
/// below the root, and so does `../x` of a damaged capture.
fn below(path: &Path) -> PathBuf {
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
    below
}

/// Parses content of a file; what cannot be parsed is a failed reading with its beginning.
pub fn parsed<T>(
    path: impl AsRef<Path>,
    wanted: &str,
    bytes: &[u8],
    parse: impl FnOnce(&[u8]) -> Option<T>,
) -> Reading<T> {
    parse(bytes).map_or_else(|| unexpected(path, wanted, bytes), Reading::Known)
}

/// Returns a failed reading for unexpected content, with the beginning of that content.
pub fn unexpected<T>(path: impl AsRef<Path>, wanted: &str, found: &[u8]) -> Reading<T> {
    let start = found.get(..found.len().min(40)).unwrap_or_default();
    let text = crate::model::Name::new(start.trim_ascii()).safe();
    let path = shown(path.as_ref());
    if text.is_empty() {
        return Reading::failed(format!("{path} should hold {wanted}, but is empty"));
    }
    Reading::failed(format!("{path} should hold {wanted}, but holds \"{text}\""))
}

/// Returns the path as on a live machine.
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
        // The process ended after its file below /proc/PID was opened.
        Missing::absent(format!("the process of {path} has ended"))
    } else {
        Missing::failed(format!("reading {path}: {error}"))
    }
}

#[expect(clippy::disallowed_methods, reason = "all file access goes through here")]
fn list<T: Ord>(path: &Path, item: impl Fn(&DirEntry) -> io::Result<T>) -> io::Result<Vec<T>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)?.take(DIR_CAP) {
        names.push(item(&entry?)?);
    }
    names.sort_unstable();
    Ok(names)
}

#[expect(clippy::disallowed_methods, reason = "all file access goes through here")]
fn read_link(path: &Path) -> io::Result<PathBuf> {
    std::fs::read_link(path)
}

#[expect(clippy::disallowed_methods, reason = "all file access goes through here")]
fn facts_of(path: &Path) -> io::Result<Metadata> {
    std::fs::metadata(path)
}

#[expect(clippy::disallowed_methods, reason = "all file access goes through here")]
fn canonical(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// The text of a file with one line.
fn line(path: &Path, bytes: Vec<u8>) -> Reading<String> {
    match String::from_utf8(bytes) {
        Ok(text) => Reading::Known(text.trim().to_owned()),
        Err(_) => Reading::failed(format!("{} is not text", shown(path))),
    }
}

// Cancellation of long reads.

/// Tells a long read to stop.
pub trait CancelToken: Debug + Send + Sync {
    /// Returns whether the read was cancelled. Long reads ask now and then, and stop if so.
    fn is_cancelled(&self) -> bool;
}

/// A flag that another thread sets.
impl CancelToken for AtomicBool {
    fn is_cancelled(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;

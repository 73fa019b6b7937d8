//! Reads that may hang, done by a helper process that can be left behind.
//!
//! On 7.x kernels reads of the files of a zram device block while writeback or recompression runs, which
//! takes minutes. The reader sleeps uninterruptibly: a blocked thread would keep the whole program from
//! exiting and its output from being closed. So this program starts itself again with a hidden argument,
//! and that helper reads the files, with a thread for each request. The helper is started once and stays, so
//! a sample costs no process start.
//!
//! Patience fits the machine: a read has failed once the kernel has blocked it for a while without a pause,
//! which is seen in `/proc/PID/task/TID/stat`. A helper that merely got no CPU time yet is waited for much
//! longer. One that ended, sent garbage or was stopped is replaced.
//!
//! Older kernels, which cannot block there, and captures are read directly.
//!
//! A failed disk can block the read of its first bytes in the same way, on every kernel.

mod connection;
mod stream;

use super::{Root, line, missing, shown};
use crate::model::format::{PAGES, SWAP_MAGIC};
use crate::model::{Name, Reading};
pub use connection::Patience;
use connection::{Connection, HEAD, ReadFailure};
use nix::sys::prctl;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The hidden first argument, for [`serve_read_files`].
pub const READ_FILES: &str = "__read-files";

/// The helper process that reads zram files, started at the first read.
pub struct ChildReader {
    command: Box<dyn Fn() -> Command + Send + Sync>,
    connection: Mutex<Option<Arc<Connection>>>,
    /// Set while the helper did not get to run in time.
    is_starved: AtomicBool,
}

impl std::fmt::Debug for ChildReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ChildReader")
    }
}

/// The helper of this program.
static LIVE: LazyLock<Arc<ChildReader>> =
    LazyLock::new(|| Arc::new(ChildReader::new(|| this_program(&[]))));

impl ChildReader {
    /// Creates a reader whose helper is started with this command.
    pub fn new(command: impl Fn() -> Command + Send + Sync + 'static) -> Self {
        Self {
            command: Box::new(command),
            connection: Mutex::default(),
            is_starved: AtomicBool::new(false),
        }
    }

    /// Returns the reader that all live roots share.
    pub(super) fn live() -> Arc<Self> {
        Arc::clone(&LIVE)
    }

    /// Reads files of one folder. The answers have the order of the files.
    pub fn read(&self, files: &[PathBuf], patience: Patience) -> Vec<io::Result<Vec<u8>>> {
        let is_starved = self.is_starved.load(Ordering::Relaxed);
        let patience = if is_starved { patience.hurried() } else { patience };
        let (mut got, mut failure) = self.attempt(files, patience);
        if matches!(failure, Some(ReadFailure::Ended(_))) {
            // It may have been killed, for example for lack of memory: a new one gets one attempt.
            (got, failure) = self.attempt(files, patience);
        }
        let is_starved = matches!(failure, Some(ReadFailure::Starved(_)));
        self.is_starved.store(is_starved, Ordering::Relaxed);
        let failure = failure.unwrap_or_else(|| ReadFailure::Ended("no answer".to_owned()));
        got.resize_with(files.len(), || Err(failure.error()));
        got
    }

    fn attempt(
        &self,
        files: &[PathBuf],
        patience: Patience,
    ) -> (Vec<io::Result<Vec<u8>>>, Option<ReadFailure>) {
        match self.connect() {
            Ok(connection) => connection.read(files, patience),
            Err(error) => (Vec::new(), Some(ReadFailure::Ended(error.to_string()))),
        }
    }

    /// Returns the connection to the running helper, or to a new one.
    fn connect(&self) -> io::Result<Arc<Connection>> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = connection.as_ref().filter(|running| !running.has_ended()) {
            return Ok(Arc::clone(running));
        }
        let started = Arc::new(Connection::start((self.command)())?);
        *connection = Some(Arc::clone(&started));
        Ok(started)
    }
}

impl Root {
    /// Reads files of one zram device in this folder. The readings have the order of the files.
    pub fn read_zram_files(&self, folder: &str, files: &[&str]) -> Vec<Reading<Vec<u8>>> {
        if !self.may_hang(folder) {
            let read = |file: &&str| self.read(format!("{folder}/{file}"));
            return files.iter().map(read).collect();
        }
        let full = self.full(Path::new(folder));
        let targets: Vec<PathBuf> = files.iter().map(|file| full.join(file)).collect();
        let answers = self.child_reader.read(&targets, self.patience);
        let reading = |(file, answer)| self.take_answer(&Path::new(folder).join(file), answer);
        files.iter().zip(answers).map(reading).collect()
    }

    /// Reads the first bytes of a block device, of which a dead disk never answers. A captured tree has regular
    /// files in place of devices. The trace gets a swap header, and nothing else of the device.
    pub fn read_device_head(&self, path: &Path) -> Reading<Vec<u8>> {
        if !self.live {
            return self.read_head(path, HEAD);
        }
        let answer = self.child_reader.read(&[self.full(path)], Patience::DISK).pop();
        let head = answer.map_or_else(Reading::not_sampled, |answer| reading(path, answer));
        let header = head.known().map(Vec::as_slice).and_then(swap_header_in);
        if let Some(header) = header {
            self.trace_read(path, &Ok(()), header);
        }
        head
    }

    /// Reads the text of a kernel setting, which may be one of a zram device.
    pub fn setting(&self, file: &Name) -> Reading<String> {
        let path = file.as_path();
        let path = path.strip_prefix("/").unwrap_or(path);
        let names = path.to_str().and_then(|path| path.rsplit_once('/'));
        match names.filter(|(folder, _)| folder.starts_with("sys/block/zram")) {
            Some((folder, name)) => {
                let reading = self.read_zram_files(folder, &[name]).pop();
                reading.unwrap_or_else(Reading::not_sampled).and_then(|bytes| line(path, bytes))
            }
            None => self.line(path),
        }
    }

    /// Returns whether reads of zram files can block on this kernel. Such kernels have a file that earlier
    /// ones lack, or, when built without writeback, support recompression and lack a file that earlier ones
    /// have.
    fn may_hang(&self, folder: &str) -> bool {
        let has = |file: &str| self.exists(format!("{folder}/{file}"));
        self.live
            && (has("compressed_writeback")
                || (has("recomp_algorithm") && !has("max_comp_streams")))
    }

    fn take_answer(&self, path: &Path, answer: io::Result<Vec<u8>>) -> Reading<Vec<u8>> {
        let (result, bytes) = match answer {
            Ok(bytes) => (Ok(()), bytes),
            Err(error) => (Err(error), Vec::new()),
        };
        self.trace_read(path, &result, &bytes);
        reading(path, result.map(|()| bytes))
    }
}

/// An answer of the helper.
fn reading(path: &Path, answer: io::Result<Vec<u8>>) -> Reading<Vec<u8>> {
    match answer {
        Ok(bytes) => Reading::Known(bytes),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            Reading::failed(format!("{} {error}", shown(path)))
        }
        Err(error) => missing(path, &error).into(),
    }
}

/// The page with the swap header, if these are the first bytes of an area.
fn swap_header_in(head: &[u8]) -> Option<&[u8]> {
    let pages = PAGES.iter().filter_map(|page| head.get(..*page));
    pages.into_iter().find(|page| page.ends_with(SWAP_MAGIC))
}

/// Returns the command to start this program, which also works after the binary was replaced on disk.
#[expect(clippy::disallowed_methods, reason = "it is this program itself")]
fn this_program(files: &[PathBuf]) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg(READ_FILES).args(files);
    command
}

/// Answers requests for files of zram devices and heads of block devices on standard output: the side of the helper of
/// [`Root::read_zram_files`], [`Root::read_device_head`] and, with an argument, of [`Root::read_zram_blocks`]. Other
/// files are refused.
///
/// # Errors
/// Fails if the output was closed.
pub fn serve_read_files(mut files: impl Iterator<Item = OsString>) -> io::Result<()> {
    // The files are read even under another name.
    let _ = prctl::set_name(c"swapadm");
    match files.next() {
        Some(file) => stream::serve(Path::new(&file), &mut io::stdout().lock()),
        None => connection::serve(io::stdin().lock(), io::stdout()),
    }
}

#[cfg(test)]
mod tests;

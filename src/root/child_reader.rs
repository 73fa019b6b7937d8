//! Reads that may hang, done by a child process that can be left behind.
//!
//! On 7.x kernels reads of the files of a zram device block while writeback or recompression runs, which
//! takes minutes. The reader sleeps uninterruptibly: a blocked thread would keep the whole program from
//! exiting and its output from being closed. So this program starts itself again with a hidden argument,
//! and that child reads the files and sends each answer through a pipe. A file without an answer in time is
//! a failed reading, and the child is left to end by itself.
//!
//! Older kernels, which cannot block there, and captures are read directly: a child costs about a
//! millisecond.

mod stream;

use super::{End, READ_CAP, Root, fill, missing, open, shown};
use crate::model::Reading;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The hidden first argument; the other arguments are files to read, for [`serve_read_files`].
pub const READ_FILES: &str = "__read-files";

/// Timeout for a device on screens and in reports; a healthy one answers in a few milliseconds.
pub const SCREEN_TIMEOUT: Duration = Duration::from_millis(50);

/// Timeout if a plan depends on the answer: on a busy machine children may have to wait for a CPU.
pub const PLAN_TIMEOUT: Duration = Duration::from_secs(2);

/// Folders whose child has not ended: each has at most one.
static BUSY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Signals that a child has ended.
static ENDED: Condvar = Condvar::new();

/// Answers that a child has sent so far.
#[derive(Debug, Default)]
struct Answers {
    got: Vec<io::Result<Vec<u8>>>,
    /// Set when the child has ended, with an error if it ended early.
    ended: Option<io::Result<()>>,
}

#[derive(Debug, Default)]
struct Exchange {
    answers: Mutex<Answers>,
    changed: Condvar,
}

impl Root {
    /// Reads files of one zram device in this folder, within [`SCREEN_TIMEOUT`] or [`PLAN_TIMEOUT`]. The
    /// readings have the order of the files.
    pub fn read_zram_files(&self, folder: &str, files: &[&str]) -> Vec<Reading<Vec<u8>>> {
        if self.may_hang(folder) {
            self.wait_for_child(folder);
            return self.read_by_child(folder, files, self.child_timeout, this_program);
        }
        let read = |file: &&str| self.read(format!("{folder}/{file}"));
        files.iter().map(read).collect()
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

    /// Waits until the child of another thread for this folder has ended; only for plans, screens do not
    /// wait.
    fn wait_for_child(&self, folder: &str) {
        wait_for_end(
            &self.full(Path::new(folder)),
            self.child_timeout.saturating_sub(SCREEN_TIMEOUT),
        );
    }

    fn read_by_child(
        &self,
        folder: &str,
        files: &[&str],
        timeout: Duration,
        command: impl FnOnce(&[PathBuf]) -> Command,
    ) -> Vec<Reading<Vec<u8>>> {
        let full = self.full(Path::new(folder));
        let targets: Vec<PathBuf> = files.iter().map(|file| full.join(file)).collect();
        let (got, ended) = match start(&full, files.len(), || command(&targets)) {
            Some(exchange) => exchange.wait(timeout),
            None => (Vec::new(), None),
        };
        let mut got = got.into_iter();
        let mut reading = |file: &&str| {
            let path = Path::new(folder).join(file);
            let answer = got.next().unwrap_or_else(|| Err(no_answer(ended.as_ref(), timeout)));
            self.take_answer(&path, answer)
        };
        files.iter().map(&mut reading).collect()
    }

    fn take_answer(&self, path: &Path, answer: io::Result<Vec<u8>>) -> Reading<Vec<u8>> {
        let (result, bytes) = match answer {
            Ok(bytes) => (Ok(()), bytes),
            Err(error) => (Err(error), Vec::new()),
        };
        self.trace_read(path, &result, &bytes);
        match result {
            Ok(()) => Reading::Known(bytes),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                Reading::failed(format!("{} {error}", shown(path)))
            }
            Err(error) => missing(path, &error).into(),
        }
    }
}

impl Exchange {
    /// Returns all answers before the timeout, and how the child ended, if it did.
    fn wait(&self, deadline: Duration) -> (Vec<io::Result<Vec<u8>>>, Option<io::Result<()>>) {
        let running = |answers: &mut Answers| answers.ended.is_none();
        let waited = self.changed.wait_timeout_while(self.lock(), deadline, running);
        let (mut answers, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (std::mem::take(&mut answers.got), answers.ended.take())
    }

    fn lock(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, result: io::Result<()>) {
        self.lock().ended = Some(result);
        self.changed.notify_all();
    }
}

/// Describes why an answer is missing.
fn no_answer(ended: Option<&io::Result<()>>, deadline: Duration) -> io::Error {
    match ended {
        None => io::Error::new(
            io::ErrorKind::TimedOut,
            format!(
                "did not answer within {} ms; writeback or recompression is probably under way",
                deadline.as_millis()
            ),
        ),
        Some(Ok(())) => io::Error::other("the process that reads it ended early"),
        Some(Err(error)) => io::Error::other(format!("the process that reads it: {error}")),
    }
}

/// Starts a child for this folder and a thread that collects its answers; `None` while the last child for
/// this folder has not ended.
fn start(folder: &Path, count: usize, command: impl FnOnce() -> Command) -> Option<Arc<Exchange>> {
    if !busy().insert(folder.to_owned()) {
        return None;
    }
    let exchange = Arc::new(Exchange::default());
    let shared = Arc::clone(&exchange);
    let key = folder.to_owned();
    let command = command();
    // The thread waits on a pipe, which does not keep the program from exiting.
    let thread = std::thread::Builder::new().name("zram".to_owned());
    let spawned = thread.spawn(move || {
        let result = collect(command, count, &shared);
        // Before the end is signalled, so that the next child can start.
        busy().remove(&key);
        ENDED.notify_all();
        shared.finish(result);
    });
    if let Err(error) = spawned {
        busy().remove(folder);
        exchange.finish(Err(error));
    }
    Some(exchange)
}

/// Waits until the child for this folder has ended, at most this long.
fn wait_for_end(folder: &Path, time: Duration) {
    // The result does not matter: `start` checks again.
    let _ = ENDED.wait_timeout_while(busy(), time, |busy| busy.contains(folder));
}

fn busy() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn collect(mut command: Command, count: usize, exchange: &Exchange) -> io::Result<()> {
    // A child that hangs must not keep our files open.
    let command =
        command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let result = match child.stdout.take() {
        Some(mut pipe) => (0..count).try_for_each(|_| {
            let answer = read_record(&mut pipe)?;
            exchange.lock().got.push(answer);
            Ok(())
        }),
        None => Ok(()),
    };
    child.wait()?;
    result
}

/// Returns the command to start this program, which also works after the binary was replaced on disk.
#[expect(clippy::disallowed_methods, reason = "it is this program itself")]
fn this_program(files: &[PathBuf]) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg(READ_FILES).args(files);
    command
}

/// Reads files of zram devices and writes the answers to standard output: the child side of
/// [`Root::read_zram_files`] and [`Root::read_zram_blocks`]. Other files are refused.
///
/// # Errors
/// Fails if the output was closed.
pub fn serve_read_files(files: impl IntoIterator<Item = OsString>) -> io::Result<()> {
    serve(files, &mut io::stdout().lock())
}

fn serve(files: impl IntoIterator<Item = OsString>, out: &mut impl Write) -> io::Result<()> {
    for file in files {
        if stream::is_block_list(file.as_bytes()) {
            stream::serve(Path::new(&file), out)?;
            continue;
        }
        let answer = if is_zram_file(file.as_bytes()) {
            let mut bytes = Vec::new();
            open(Path::new(&file))
                .and_then(|file| fill(file, End::ShortRead, &mut bytes))
                .map(|()| bytes)
        } else {
            Err(io::Error::other("not a file of a zram device"))
        };
        write_record(out, &answer)?;
    }
    Ok(())
}

/// Returns whether the path is `/sys/block/zramN/FILE`.
fn is_zram_file(path: &[u8]) -> bool {
    let rest = path.strip_prefix(b"/sys/block/zram").unwrap_or_default();
    let mut parts = rest.split(|byte| *byte == b'/');
    let number = parts.next().and_then(super::parse_u64).is_some();
    let file = parts.next().is_some_and(|file| !matches!(file, b"" | b"." | b".."));
    number && file && parts.next().is_none()
}

/// Writes one answer: its kind, its length, and the bytes, the error number or the error text.
fn write_record(out: &mut impl Write, answer: &io::Result<Vec<u8>>) -> io::Result<()> {
    let (kind, bytes) = match answer {
        Ok(bytes) => (b'+', bytes.clone()),
        Err(error) => match error.raw_os_error() {
            Some(number) => (b'-', number.to_le_bytes().to_vec()),
            None => (b'!', error.to_string().into_bytes()),
        },
    };
    let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    out.write_all(&[kind])?;
    out.write_all(&len.to_le_bytes())?;
    out.write_all(&bytes)?;
    // Flush at once: the next file may hang.
    out.flush()
}

fn read_record(input: &mut impl Read) -> io::Result<io::Result<Vec<u8>>> {
    let mut kind = [0];
    let mut len = [0; 4];
    input.read_exact(&mut kind)?;
    input.read_exact(&mut len)?;
    let len = u32::from_le_bytes(len);
    if len as usize > READ_CAP {
        return Err(io::Error::other("it sent more bytes than any file has"));
    }
    let mut bytes = Vec::new();
    input.take(u64::from(len)).read_to_end(&mut bytes)?;
    if bytes.len() != len as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    match (kind, bytes.as_slice()) {
        ([b'+'], _) => Ok(Ok(bytes)),
        ([b'-'], &[a, b, c, d]) => {
            Ok(Err(io::Error::from_raw_os_error(i32::from_le_bytes([a, b, c, d]))))
        }
        ([b'!'], _) => Ok(Err(io::Error::other(String::from_utf8_lossy(&bytes).into_owned()))),
        _ => Err(io::Error::other("it sent an invalid answer")),
    }
}

#[cfg(test)]
mod tests;

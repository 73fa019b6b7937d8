//! The conversation with the helper process.
//!
//! A request is a line: a number and the paths of files of one folder, separated by tabs. An answer is the
//! number of the request and a record. The helper greets with an answer to request 0; the first answer to a
//! request is the ID of the thread that reads, and one for each file follows. A folder has at most one
//! request under way: what is blocked is not asked again. A block device counts as a folder of its own.

use crate::root::read::{End, READ_CAP, fill, open};
use crate::root::scan::parse_u64;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, gettid};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, BufRead, Read, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time between two looks at what the helper does.
const SLICE: Duration = Duration::from_millis(10);
/// A blocked read is given this many times the start of the helper, at most [`Patience::PLAN`].
const PACE_FACTOR: u32 = 4;
/// Stack of a thread of the helper; a file is read in pieces of 8 KiB.
const STACK: usize = 128 << 10;
/// Bytes at the beginning of a block device, with the swap header of every page size.
pub(super) const HEAD: usize = 64 << 10;

/// How long a read may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How long the kernel may block it.
    pub blocked: Duration,
    /// How long it may wait for anything else, such as CPU time for the helper.
    pub starved: Duration,
}

impl Patience {
    /// For screens and reports; a device that is not blocked answers in less than a millisecond.
    pub const SCREEN: Self =
        Self { blocked: Duration::from_millis(50), starved: Duration::from_secs(5) };
    /// If a plan depends on the answer.
    pub const PLAN: Self =
        Self { blocked: Duration::from_secs(2), starved: Duration::from_secs(20) };

    /// For the head of a disk, which may have to spin up first. A dead disk takes longer for each try.
    pub const DISK: Self =
        Self { blocked: Duration::from_secs(15), starved: Duration::from_secs(20) };

    /// Patience with a helper that was just waited for in vain.
    pub(super) fn hurried(self) -> Self {
        Self { starved: self.blocked, ..self }
    }
}

/// Why an answer is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReadFailure {
    /// The helper ended, or was ended.
    Ended(String),
    /// The kernel has blocked the read for this long.
    Blocked(Duration),
    /// The helper did not get so far in this time.
    Starved(Duration),
}

impl ReadFailure {
    pub(super) fn error(&self) -> io::Error {
        let late = |time: &Duration, why: &str| {
            let text = format!("did not answer within {} ms: {why}", time.as_millis());
            io::Error::new(io::ErrorKind::TimedOut, text)
        };
        match self {
            Self::Ended(why) => io::Error::other(format!("the process that reads it: {why}")),
            Self::Blocked(time) => late(
                time,
                "the kernel blocks the read, as during writeback or recompression of zram, or on a failed disk",
            ),
            Self::Starved(time) => {
                late(time, "the machine is too busy to run the process that reads it")
            }
        }
    }
}

/// A running helper. Dropping it closes the helper's input, which ends the helper.
#[derive(Debug)]
pub(super) struct Connection {
    pid: Pid,
    requests: ChildStdin,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    traffic: Mutex<Traffic>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Traffic {
    /// Whether the helper has greeted.
    is_ready: bool,
    /// How long the helper took to start, as far as anybody waited for it.
    pace: Duration,
    last_request: u32,
    pending: BTreeMap<u32, PendingRead>,
    /// Why the helper ended.
    ended: Option<String>,
}

/// A request under way.
#[derive(Debug)]
struct PendingRead {
    folder: PathBuf,
    /// ID of the thread that reads, once it runs.
    thread: Option<Pid>,
    /// Number of files without an answer.
    left: usize,
    got: Vec<io::Result<Vec<u8>>>,
    /// Whether the caller has left without all answers.
    is_abandoned: bool,
}

/// The next thing that has to happen for a caller.
#[derive(Clone, Copy, Debug)]
enum Progress {
    Done,
    /// The helper has to do something.
    Helper,
    /// This thread of the helper reads.
    Thread(Pid),
}

impl PendingRead {
    fn progress(&self) -> Progress {
        match self.thread {
            _ if self.left == 0 => Progress::Done,
            None => Progress::Helper,
            Some(thread) => Progress::Thread(thread),
        }
    }
}

impl Traffic {
    /// The next thing that has to happen before a request for this folder. One request at a time waits in
    /// the pipe, so that writing to it cannot block.
    fn until_free(&self, folder: &Path) -> Progress {
        let unread = self.pending.values().any(|pending| pending.thread.is_none());
        let is_same = |pending: &&PendingRead| pending.left > 0 && pending.folder == folder;
        let same = self.pending.values().find(is_same);
        let progress = same.map_or(Progress::Done, PendingRead::progress);
        if unread && matches!(progress, Progress::Done) { Progress::Helper } else { progress }
    }

    fn deliver(&mut self, request: u32, answer: io::Result<Vec<u8>>) -> io::Result<()> {
        if request == 0 {
            self.is_ready = true;
            return Ok(());
        }
        let pending = self.pending.get_mut(&request).filter(|pending| pending.left > 0);
        let pending = pending.ok_or_else(invalid)?;
        if pending.thread.is_none() {
            pending.thread = Some(answer.ok().and_then(|id| parse_id(&id)).ok_or_else(invalid)?);
        } else {
            pending.got.push(answer);
            pending.left -= 1;
        }
        Ok(())
    }
}

fn invalid() -> io::Error {
    io::Error::other("it sent an invalid answer")
}

fn parse_id(bytes: &[u8]) -> Option<Pid> {
    let id = i32::try_from(parse_u64(bytes)?).ok()?;
    (id > 0).then(|| Pid::from_raw(id))
}

impl Connection {
    /// Starts a helper, and a thread that collects its answers. The thread waits on a pipe, which does not
    /// keep the program from exiting.
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        let mut child = prepare(&mut command).stdin(Stdio::piped()).spawn()?;
        let pid = i32::try_from(child.id()).map(Pid::from_raw).map_err(io::Error::other)?;
        let requests = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let shared = Arc::new(Shared::default());
        let answers = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("zram".to_owned());
        thread.spawn(move || answers.collect(&mut child))?;
        Ok(Self { pid, requests, shared })
    }

    pub(super) fn has_ended(&self) -> bool {
        self.shared.lock().ended.is_some()
    }

    /// Reads files of one folder. The answers that came in time have the order of the files; fewer than
    /// files come with the reason.
    pub(super) fn read(
        &self,
        files: &[PathBuf],
        patience: Patience,
    ) -> (Vec<io::Result<Vec<u8>>>, Option<ReadFailure>) {
        let request = match self.request(files, patience) {
            Ok(request) => request,
            Err(failure) => return (Vec::new(), Some(failure)),
        };
        let pending = |traffic: &Traffic| {
            traffic.pending.get(&request).map_or(Progress::Done, PendingRead::progress)
        };
        let failure = self.wait(patience, pending).err();
        let mut traffic = self.shared.lock();
        let got = traffic.pending.get_mut(&request).map(|pending| {
            pending.is_abandoned = true;
            std::mem::take(&mut pending.got)
        });
        (got.unwrap_or_default(), failure)
    }

    /// Sends a request once the helper is ready for it.
    fn request(&self, files: &[PathBuf], patience: Patience) -> Result<u32, ReadFailure> {
        let greeting =
            |traffic: &Traffic| if traffic.is_ready { Progress::Done } else { Progress::Helper };
        let (mut traffic, waited) = self.wait(patience, greeting)?;
        traffic.pace = traffic.pace.max(waited);
        drop(traffic);
        let folder = files.first().map_or(Path::new("/"), |file| shared_folder(file));
        let (mut traffic, _) = self.wait(patience, |traffic| traffic.until_free(folder))?;
        traffic.pending.retain(|_, pending| pending.left > 0 || !pending.is_abandoned);
        traffic.last_request += 1;
        let request = traffic.last_request;
        let pending = PendingRead {
            folder: folder.to_owned(),
            thread: None,
            left: files.len(),
            got: Vec::new(),
            is_abandoned: false,
        };
        traffic.pending.insert(request, pending);
        let mut line = request.to_string().into_bytes();
        for file in files {
            line.push(b'\t');
            line.extend_from_slice(file.as_os_str().as_bytes());
        }
        line.push(b'\n');
        let sent = (&self.requests).write_all(&line);
        sent.map(|()| request).map_err(|error| self.give_up(&mut traffic, &error.to_string()))
    }

    /// Waits until the progress is done, and returns for how long. The traffic is still locked then.
    fn wait(
        &self,
        patience: Patience,
        progress: impl Fn(&Traffic) -> Progress,
    ) -> Result<(MutexGuard<'_, Traffic>, Duration), ReadFailure> {
        let (mut waited, mut blocked) = (Duration::ZERO, Duration::ZERO);
        let mut traffic = self.shared.lock();
        let most = (traffic.pace * PACE_FACTOR).min(Patience::PLAN.blocked).max(patience.blocked);
        loop {
            let thread = match progress(&traffic) {
                Progress::Done => return Ok((traffic, waited)),
                Progress::Helper => None,
                Progress::Thread(thread) => Some(thread),
            };
            if let Some(why) = &traffic.ended {
                return Err(ReadFailure::Ended(why.clone()));
            }
            let slice = self.shared.changed.wait_timeout(traffic, SLICE);
            let (guard, result) = slice.unwrap_or_else(PoisonError::into_inner);
            traffic = guard;
            if !result.timed_out() {
                continue;
            }
            waited += SLICE;
            let state = self.state(thread);
            // Without a state the helper is assumed to be in the kernel.
            let is_blocked = thread.is_some() && matches!(state, None | Some(b'D'));
            blocked = if is_blocked { blocked + SLICE } else { Duration::ZERO };
            if blocked >= most {
                return Err(ReadFailure::Blocked(waited));
            }
            if waited >= most && state == Some(b'T') {
                return Err(self.give_up(&mut traffic, "it is stopped"));
            }
            if waited >= patience.starved {
                return Err(ReadFailure::Starved(waited));
            }
        }
    }

    /// State of the helper, or of one of its threads, as in `/proc/PID/stat`.
    fn state(&self, thread: Option<Pid>) -> Option<u8> {
        let process = self.pid;
        let path = match thread {
            Some(thread) => format!("/proc/{process}/task/{thread}/stat"),
            None => format!("/proc/{process}/stat"),
        };
        let mut bytes = Vec::new();
        fill(&open(Path::new(&path)).ok()?, End::ShortRead, &mut bytes).ok()?;
        // The name in parentheses may contain any character.
        let end = bytes.iter().rposition(|byte| *byte == b')')?;
        bytes.get(end + 2).copied()
    }

    /// Ends a helper that is of no use anymore.
    fn give_up(&self, traffic: &mut Traffic, why: &str) -> ReadFailure {
        // Until the end is known nobody has waited for the process, so its ID is still its own.
        if traffic.ended.is_none() {
            let _ = kill(self.pid, Signal::SIGKILL);
            traffic.ended = Some(why.to_owned());
        }
        ReadFailure::Ended(why.to_owned())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Traffic> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes answers until the helper ends or sends garbage.
    fn collect(&self, child: &mut Child) {
        let result = match child.stdout.take() {
            Some(mut pipe) => self.take_answers(&mut pipe),
            None => Ok(()),
        };
        let why = match result {
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => error.to_string(),
            _ => "it ended early".to_owned(),
        };
        self.lock().ended.get_or_insert(why);
        self.changed.notify_all();
        // It may be blocked in the kernel: only this thread waits for it.
        let _ = child.kill();
        let _ = child.wait();
    }

    fn take_answers(&self, pipe: &mut impl Read) -> io::Result<()> {
        loop {
            let mut request = [0; 4];
            pipe.read_exact(&mut request)?;
            let answer = read_record(pipe)?;
            self.lock().deliver(u32::from_le_bytes(request), answer)?;
            self.changed.notify_all();
        }
    }
}

/// Prepares the command of a helper, which must not keep files of this process open if it hangs, nor be
/// interrupted with this process from the keyboard.
pub(super) fn prepare(command: &mut Command) -> &mut Command {
    let command = command.current_dir("/").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null())
}

/// Answers requests until the input is closed, even while earlier ones are blocked.
pub(super) fn serve(
    requests: impl BufRead,
    answers: impl Write + Send + 'static,
) -> io::Result<()> {
    let answers = Arc::new(Mutex::new(answers));
    send(&answers, 0, &Ok(Vec::new()))?;
    for line in requests.split(b'\n') {
        let line = line?;
        let answers = Arc::clone(&answers);
        let thread = std::thread::Builder::new().name("zram".to_owned()).stack_size(STACK);
        // An error means that nobody reads the answers anymore.
        thread.spawn(move || answer(&line, &answers))?;
    }
    Ok(())
}

fn answer(line: &[u8], answers: &Mutex<impl Write>) -> io::Result<()> {
    let mut words = line.split(|byte| *byte == b'\t');
    let request = words.next().and_then(parse_u64);
    let request = request.and_then(|request| u32::try_from(request).ok()).ok_or_else(invalid)?;
    send(answers, request, &Ok(gettid().to_string().into_bytes()))?;
    for file in words {
        send(answers, request, &read_file(Path::new(OsStr::from_bytes(file))))?;
    }
    Ok(())
}

fn send(answers: &Mutex<impl Write>, request: u32, answer: &io::Result<Vec<u8>>) -> io::Result<()> {
    let mut frame = request.to_le_bytes().to_vec();
    write_record(&mut frame, answer)?;
    let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
    answers.write_all(&frame)?;
    // Flush at once: the next file may hang.
    answers.flush()
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_zram_file(path.as_os_str().as_bytes()) {
        fill(&open(path)?, End::ShortRead, &mut bytes)?;
    } else if is_block_device(path) {
        open(path)?.take(HEAD as u64).read_to_end(&mut bytes)?;
    } else {
        return Err(io::Error::other("neither a file of a zram device nor a block device"));
    }
    Ok(bytes)
}

/// The folder of a zram device with this file; of other files, the file itself.
fn shared_folder(file: &Path) -> &Path {
    let is_zram = |folder: &&Path| {
        folder.file_name().is_some_and(|name| name.as_bytes().starts_with(b"zram"))
    };
    file.parent().filter(is_zram).unwrap_or(file)
}

#[expect(clippy::disallowed_methods, reason = "the type is looked at, and nothing is opened")]
fn is_block_device(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.file_type().is_block_device())
}

/// Returns whether the path is `/sys/block/zramN/FILE`.
fn is_zram_file(path: &[u8]) -> bool {
    let rest = path.strip_prefix(b"/sys/block/zram").unwrap_or_default();
    let mut parts = rest.split(|byte| *byte == b'/');
    let number = parts.next().and_then(parse_u64).is_some();
    let file = parts.next().is_some_and(|file| !matches!(file, b"" | b"." | b".."));
    number && file && parts.next().is_none()
}

// Records in which a helper process sends its answers.

/// Writes one answer: its kind, its length, and the bytes, the error number or the error text.
pub(super) fn write_record(out: &mut impl Write, answer: &io::Result<Vec<u8>>) -> io::Result<()> {
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

pub(super) fn read_record(input: &mut impl Read) -> io::Result<io::Result<Vec<u8>>> {
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

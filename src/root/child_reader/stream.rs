//! Guarded reads of a file that is too long for memory: the block list of a zram device in debugfs.

use super::connection::{Patience, ReadFailure, prepare};
use super::connection::{read_record, write_record};
use super::{Root, missing, shown, this_program};
use crate::model::Missing;
use crate::root::read::open;
use std::collections::BTreeSet;
use std::io::{self, Read as _, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Files whose process has not ended: each has at most one.
static BUSY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Signals that a process has ended.
static ENDED: Condvar = Condvar::new();
/// How long a chunk may take: the kernel walks all free blocks between two used ones.
const CHUNK_TIMEOUT: Duration = Patience::PLAN.blocked;
/// How long the process may take to start.
const START_TIMEOUT: Duration = Patience::SCREEN.starved;

/// Bytes per read; the kernel allocates a buffer of this size.
const CHUNK: usize = 256 << 10;
/// Number of chunks that may wait for the receiver.
const AHEAD: usize = 4;
/// Beginning and end of the path of such a file, with a device number in between.
const BEFORE: &[u8] = b"/sys/kernel/debug/zram/zram";
const AFTER: &[u8] = b"/block_state";

/// A message of a child: a chunk, an empty chunk at the end, or an error.
type ChunkResult = io::Result<Vec<u8>>;

impl Root {
    /// Reads the block list of a zram device in chunks. The callback returns whether it wants more.
    ///
    /// # Errors
    /// Fails with the reason if the list, or a part of it, cannot be read.
    pub fn read_zram_blocks(
        &self,
        number: u64,
        mut wants: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), Missing> {
        let path = PathBuf::from(format!("sys/kernel/debug/zram/zram{number}/block_state"));
        if self.may_hang(&format!("sys/block/zram{number}")) {
            return self.stream_by_child(&path, this_program, wants);
        }
        let mut pieces = self.chunks(&path, CHUNK)?;
        while let piece @ [_, ..] = pieces.next_chunk()? {
            if !wants(piece) {
                break;
            }
        }
        Ok(())
    }

    fn stream_by_child(
        &self,
        path: &Path,
        command: impl FnOnce(&[PathBuf]) -> Command,
        mut wants: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), Missing> {
        let failed = |failure: ReadFailure| {
            let error = failure.error();
            if error.kind() == io::ErrorKind::TimedOut {
                Missing::failed(format!("{} {error}", shown(path)))
            } else {
                missing(path, &error)
            }
        };
        let full = self.full(path);
        wait_for_end(&full, CHUNK_TIMEOUT);
        let pieces = start(&full, || command(std::slice::from_ref(&full)))
            .ok_or_else(|| failed(ReadFailure::Blocked(CHUNK_TIMEOUT)))?;
        // The process greets before it opens the file.
        let mut late = ReadFailure::Starved(START_TIMEOUT);
        let mut timeout = START_TIMEOUT;
        let mut is_greeted = false;
        loop {
            match pieces.recv_timeout(timeout) {
                Ok(Ok(_)) if !is_greeted => {
                    is_greeted = true;
                    (late, timeout) = (ReadFailure::Blocked(CHUNK_TIMEOUT), CHUNK_TIMEOUT);
                }
                Ok(Ok(piece)) if piece.is_empty() || !wants(&piece) => return Ok(()),
                Ok(Ok(_)) => {}
                Ok(Err(error)) => return Err(missing(path, &error)),
                Err(RecvTimeoutError::Timeout) => return Err(failed(late)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(failed(ReadFailure::Ended("it ended early".to_owned())));
                }
            }
        }
    }
}

/// Waits until the process for this file has ended, at most this long.
fn wait_for_end(file: &Path, time: Duration) {
    // The result does not matter: `start` checks again.
    let _ = ENDED.wait_timeout_while(busy(), time, |busy| busy.contains(file));
}

fn busy() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child for this file and a thread that forwards its chunks; `None` while the last child for this
/// file has not ended. Both end when the receiver is gone.
fn start(file: &Path, command: impl FnOnce() -> Command) -> Option<Receiver<ChunkResult>> {
    if !busy().insert(file.to_owned()) {
        return None;
    }
    let (sender, pieces) = mpsc::sync_channel(AHEAD);
    let key = file.to_owned();
    let command = command();
    let thread = std::thread::Builder::new().name("zram".to_owned());
    let spawned = thread.spawn(move || {
        if let Err(error) = forward(command, &sender) {
            // Without a receiver nobody needs the error.
            let _ = sender.send(Err(error));
        }
        busy().remove(&key);
        ENDED.notify_all();
    });
    if spawned.is_err() {
        busy().remove(file);
    }
    Some(pieces)
}

fn forward(mut command: Command, pieces: &SyncSender<ChunkResult>) -> io::Result<()> {
    let mut child = prepare(&mut command).spawn()?;
    if let Some(mut pipe) = child.stdout.take() {
        let mut goes_on = true;
        while goes_on {
            let piece = read_record(&mut pipe).unwrap_or_else(Err);
            goes_on = piece.as_ref().is_ok_and(|piece| !piece.is_empty());
            goes_on &= pieces.send(piece).is_ok();
        }
    }
    // The pipe is closed now: a child that writes to it ends.
    child.wait().map(drop)
}

/// Returns whether the path is the block list of a zram device.
fn is_block_list(path: &[u8]) -> bool {
    let number = path.strip_prefix(BEFORE).and_then(|rest| rest.strip_suffix(AFTER));
    number.and_then(crate::root::parse_u64).is_some()
}

/// Greeting of the process; an empty record would be the end.
const GREETING: &[u8] = b"ready";

/// Writes a block list to the output in chunks; other files are refused.
pub(super) fn serve(file: &Path, out: &mut impl Write) -> io::Result<()> {
    if !is_block_list(file.as_os_str().as_bytes()) {
        return write_record(out, &Err(io::Error::other("not a block list of a zram device")));
    }
    write_record(out, &Ok(GREETING.to_vec()))?;
    copy(file, out)
}

fn copy(file: &Path, out: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    let mut file = match open(file) {
        Ok(file) => file,
        Err(error) => return write_record(out, &Err(error)),
    };
    loop {
        let piece = file.read(&mut buffer);
        let piece = piece.map(|len| buffer.get(..len).unwrap_or_default().to_vec());
        write_record(out, &piece)?;
        if !piece.is_ok_and(|piece| !piece.is_empty()) {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests start processes")]

    use super::*;
    use crate::root::testing::TestTree;

    const FILE: &str = "sys/kernel/debug/zram/zram0/block_state";

    fn shell(script: &str) -> impl FnOnce(&[PathBuf]) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!(r"printf '+\005\000\000\000ready'; {script}"));
        |_| command
    }

    /// Result of a child that greets and runs this script.
    fn ask(script: &str) -> (Vec<u8>, Result<(), Missing>) {
        let tree = TestTree::new();
        let mut got = Vec::new();
        let take = |piece: &[u8]| {
            got.extend_from_slice(piece);
            got.len() < 4
        };
        let result = tree.live().stream_by_child(Path::new(FILE), shell(script), take);
        (got, result)
    }

    #[test]
    fn chunks_end_with_an_empty_one() {
        let piece = r"printf '+\002\000\000\000ab'; printf '+\001\000\000\000c'";
        let end = r"printf '+\000\000\000\000'";
        assert_eq!(ask(&format!("{piece}; {end}")), (b"abc".to_vec(), Ok(())));
        let (got, result) = ask(piece);
        let error = result.unwrap_err().to_string();
        assert!(got == b"abc" && error.starts_with("reading /sys/kernel"), "{error}");
        let (got, result) = ask(r"printf '%s\004\000\000\000\002\000\000\000' -");
        assert_eq!((got, result.unwrap_err().kind()), (vec![], "absent"));
    }

    #[test]
    fn a_reader_with_enough_stops_waiting() {
        let (got, result) = ask(&format!("{}; sleep 9", r"printf '+\004\000\000\000abcd'"));
        assert_eq!((got, result), (b"abcd".to_vec(), Ok(())));
    }

    #[test]
    fn the_next_waits_for_the_end_of_the_last() {
        let tree = TestTree::new();
        let ask = |script: &str, wants: &mut dyn FnMut(&[u8]) -> bool| {
            tree.live().stream_by_child(Path::new(FILE), shell(script), wants)
        };
        let piece = r"printf '+\002\000\000\000ab'";
        let end = r"printf '+\000\000\000\000'";
        // The receiver has enough while the child is still running.
        assert_eq!(ask(&format!("{piece}; {end}; sleep 0.3"), &mut |_| false), Ok(()));
        let mut got = Vec::new();
        let mut take = |piece: &[u8]| {
            got.extend_from_slice(piece);
            true
        };
        assert_eq!(ask(&format!("{piece}; {end}"), &mut take), Ok(()));
        assert_eq!(got, b"ab");
    }

    #[test]
    fn a_child_that_hangs_is_left_behind() {
        let (got, result) = ask("sleep 4");
        let error = result.unwrap_err().to_string();
        assert!(got.is_empty() && error.contains("did not answer within 2000 ms"), "{error}");
    }

    #[test]
    fn only_block_lists_are_served_this_way() {
        for bad in ["/sys/kernel/debug/zram/zram/block_state", "/sys/kernel/debug/zram/zram1/x"] {
            assert!(!is_block_list(bad.as_bytes()), "{bad}");
        }
        assert!(is_block_list(format!("/{FILE}").as_bytes()));
        let tree = TestTree::with(&[("long", vec![7; CHUNK + 1])]);
        let mut out = Vec::new();
        serve(&tree.path().join("long"), &mut out).unwrap();
        assert!(read_record(&mut out.as_slice()).unwrap().is_err());
        out.clear();
        copy(&tree.path().join("long"), &mut out).unwrap();
        let mut input = out.as_slice();
        let mut lens = Vec::new();
        while !input.is_empty() {
            lens.push(read_record(&mut input).unwrap().unwrap().len());
        }
        assert_eq!(lens, [CHUNK, 1, 0]);
    }

    #[test]
    fn where_nothing_can_hang_it_is_read_directly() {
        let tree = TestTree::with(&[(FILE, vec![7; CHUNK + 1])]);
        let mut lens = Vec::new();
        let take = |piece: &[u8]| {
            lens.push(piece.len());
            true
        };
        tree.live().read_zram_blocks(0, take).unwrap();
        assert_eq!(lens, [CHUNK, 1]);
        assert_eq!(tree.root().read_zram_blocks(1, |_| true).unwrap_err().kind(), "absent");
    }
}

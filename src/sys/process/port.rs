//! The pipes of a worker: lines and letters.

use super::go_letter;
use crate::model::load::TaskCommand;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Maximum length of a line: the histograms of a run need a hundredth of it.
const LONGEST: usize = 4 << 20;

/// A message from a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerAnswer {
    /// A line, without its end.
    Line(String),
    /// No complete line yet.
    Nothing,
    /// The pipe is closed, as after its exit.
    Closed,
}

/// Bytes that were read and not yet used.
#[derive(Debug, Default)]
pub(super) struct PipeReader {
    bytes: Vec<u8>,
}

impl PipeReader {
    /// The next line, from the buffer or from a pipe.
    pub(super) fn next_line(&mut self, pipe: &mut File) -> io::Result<WorkerAnswer> {
        loop {
            if let Some(line) = self.line() {
                return Ok(WorkerAnswer::Line(line));
            }
            if self.bytes.len() > LONGEST {
                return Err(io::Error::other("a worker process sent a line that is too long"));
            }
            match self.read(pipe) {
                Ok(0) => return Ok(WorkerAnswer::Closed),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(WorkerAnswer::Nothing);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The next byte; `None` at the end.
    fn byte(&mut self, pipe: &mut File) -> io::Result<Option<u8>> {
        if self.bytes.is_empty() && self.read(pipe)? == 0 {
            return Ok(None);
        }
        Ok(Some(self.bytes.remove(0)))
    }

    fn line(&mut self) -> Option<String> {
        let end = self.bytes.iter().position(|byte| *byte == b'\n')?;
        let rest = self.bytes.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.bytes, rest);
        line.pop();
        Some(String::from_utf8_lossy(&line).into_owned())
    }

    fn read(&mut self, pipe: &mut File) -> io::Result<usize> {
        let mut room = [0; 16 << 10];
        let count = loop {
            match pipe.read(&mut room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.bytes.extend_from_slice(room.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// The worker's side of the pipes: commands in, answers out.
#[derive(Debug)]
pub struct Port {
    input: File,
    output: File,
    heard: PipeReader,
}

impl Port {
    /// Uses standard input and output.
    pub fn standard() -> io::Result<Self> {
        let input = io::stdin().as_fd().try_clone_to_owned()?;
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Self::from_pipes(input, output))
    }

    /// Uses these pipes.
    pub fn from_pipes(input: OwnedFd, output: OwnedFd) -> Self {
        Self { input: input.into(), output: output.into(), heard: PipeReader::default() }
    }

    /// The next line; `None` at the end of the input.
    pub fn line(&mut self) -> io::Result<Option<String>> {
        match self.heard.next_line(&mut self.input)? {
            WorkerAnswer::Line(line) => Ok(Some(line)),
            WorkerAnswer::Nothing | WorkerAnswer::Closed => Ok(None),
        }
    }

    /// Waits for this command. Returns false if the pipe was closed instead, and fails on another
    /// command.
    pub fn await_go(&mut self, go: TaskCommand) -> io::Result<bool> {
        let wanted = go_letter(go);
        match self.heard.byte(&mut self.input)? {
            None => Ok(false),
            Some(found) if found == wanted => Ok(true),
            Some(found) => Err(io::Error::other(format!(
                "unexpected command '{}' (expected '{}')",
                found.escape_ascii(),
                wanted.escape_ascii()
            ))),
        }
    }

    /// Sends a line.
    pub fn send_line(&mut self, line: &str) -> io::Result<()> {
        self.output.write_all(format!("{line}\n").as_bytes())
    }

    /// Sends an optional line without waiting: it is dropped if earlier ones were not read yet.
    pub fn try_send_line(&self, line: &str) -> io::Result<()> {
        // A writable pipe has room for a page, and no such line is longer.
        if is_ready(PollFd::new(self.output.as_fd(), PollFlags::POLLOUT)) {
            (&self.output).write_all(format!("{line}\n").as_bytes())?;
        }
        Ok(())
    }

    /// Has the parent gone away?
    pub fn is_orphaned(&self) -> bool {
        is_ready(PollFd::new(self.input.as_fd(), PollFlags::empty()))
    }
}

/// Does the descriptor have the requested state, or is its other end closed?
fn is_ready(fd: PollFd<'_>) -> bool {
    let mut fds = [fd];
    loop {
        match poll(&mut fds, PollTimeout::ZERO) {
            Err(Errno::EINTR) => {}
            Ok(0) | Err(_) => return false,
            Ok(_) => return true,
        }
    }
}

impl AsFd for Port {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.input.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::unistd::pipe;

    /// A port, and the other ends of its pipes: to send to it, to read from it.
    fn port() -> (Port, File, File) {
        let (input, teller) = pipe().unwrap();
        let (hearer, output) = pipe().unwrap();
        (Port::from_pipes(input, output), teller.into(), hearer.into())
    }

    #[test]
    fn lines_and_letters_keep_their_order_in_one_read() {
        let (mut port, mut teller, _hearer) = port();
        teller.write_all(b"{\"a\":1}\ntf").unwrap();
        assert_eq!(port.line().unwrap().as_deref(), Some("{\"a\":1}"));
        assert!(
            port.await_go(TaskCommand::Touch).unwrap() && port.await_go(TaskCommand::Free).unwrap()
        );
        assert!(!port.is_orphaned());
        drop(teller);
        assert!(port.is_orphaned());
        assert!(!port.await_go(TaskCommand::Free).unwrap());
        assert_eq!(port.line().unwrap(), None);
    }

    /// An optional line is dropped when the pipe is full, without waiting; the next required line
    /// arrives whole.
    #[test]
    fn try_send_line_never_blocks() {
        let (mut port, _teller, mut hearer) = port();
        let line = "x".repeat(99);
        for _ in 0..2000 {
            port.try_send_line(&line).unwrap();
        }
        let mut lines = PipeReader::default();
        let last = std::thread::spawn(move || port.send_line("last").unwrap());
        let mut heard = 0;
        while lines.next_line(&mut hearer).unwrap() == WorkerAnswer::Line(line.clone()) {
            heard += 1;
        }
        // Of 64K, minus the rest of each page that a line did not fit into.
        assert!((500..=655).contains(&heard), "{heard}");
        last.join().unwrap();
    }

    #[test]
    fn unexpected_letter_names_both_letters() {
        let (mut port, mut teller, _hearer) = port();
        teller.write_all(b"f").unwrap();
        let error = port.await_go(TaskCommand::Touch).unwrap_err().to_string();
        assert!(error.contains("'f'") && error.contains("'t'"), "{error}");
    }

    #[test]
    fn split_lines_are_joined_and_partial_lines_dropped() {
        let (mut port, _teller, mut hearer) = port();
        let mut lines = PipeReader::default();
        port.send_line("one").unwrap();
        port.send_line("two").unwrap();
        port.output.write_all(b"thr").unwrap();
        assert_eq!(lines.next_line(&mut hearer).unwrap(), WorkerAnswer::Line("one".to_owned()));
        assert_eq!(lines.next_line(&mut hearer).unwrap(), WorkerAnswer::Line("two".to_owned()));
        port.output.write_all(b"ee\nfo").unwrap();
        assert_eq!(lines.next_line(&mut hearer).unwrap(), WorkerAnswer::Line("three".to_owned()));
        drop(port);
        assert_eq!(lines.next_line(&mut hearer).unwrap(), WorkerAnswer::Closed);
    }
}

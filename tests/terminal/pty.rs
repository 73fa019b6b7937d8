//! A pseudo-terminal with a program, and the emulated screen.

use crate::{signals, tty};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::PtyMaster;
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{Termios, tcgetattr};
use nix::unistd::{Pid, tcgetpgrp};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::num::NonZeroU16;
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use vt100::{MouseProtocolEncoding, MouseProtocolMode, Screen};

/// Time limit for an immediate reaction on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
/// Interval of polling.
const GLANCE: Duration = Duration::from_millis(5);

/// Runs a program below a shell that stays: the kernel resets a terminal that loses its session leader,
/// which would hide modes that the program left behind.
const AROUND: &str = r#"
set -m
# Otherwise it ends as the program does.
trap : INT
echo before
"$@"
echo "left with $?"
read -r line
"#;

/// A program to start, and its terminal.
pub(crate) struct Start {
    command: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    size: (u16, u16),
    /// Whether the terminal knows its size.
    sized: bool,
    home: Option<PathBuf>,
    user: Option<u32>,
}

impl Start {
    /// A program as the leader of the session.
    pub(crate) fn program(path: impl AsRef<OsStr>, arguments: &[&str]) -> Self {
        let mut command = vec![path.as_ref().to_owned()];
        command.extend(arguments.iter().map(OsString::from));
        let environment = Vec::new();
        Self { command, environment, size: (80, 24), sized: true, home: None, user: None }
    }

    /// The program under test as the leader of the session.
    pub(crate) fn swapadm(arguments: &[&str]) -> Self {
        Self::program(env!("CARGO_BIN_EXE_swapadm"), arguments)
    }

    /// Runs it below a shell, which prints the exit status.
    pub(crate) fn in_shell(mut self) -> Self {
        let shell = ["sh", "-c", AROUND, "sh"].map(OsString::from);
        self.command.splice(0..0, shell);
        self
    }

    /// Starts it through another program.
    pub(crate) fn with_wrapper(mut self, wrapper: &[&str]) -> Self {
        self.command.splice(0..0, wrapper.iter().map(OsString::from));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.into(), value.as_ref().to_owned()));
        self
    }

    pub(crate) fn size(mut self, width: u16, height: u16) -> Self {
        self.size = (width, height);
        self
    }

    /// On a terminal without a size, as on a serial line.
    pub(crate) fn unsized_terminal(mut self) -> Self {
        self.sized = false;
        self
    }

    /// Uses this folder for the user's files, instead of a new one.
    pub(crate) fn home(mut self, home: &Path) -> Self {
        self.home = Some(home.to_owned());
        self
    }

    /// As this user, with the group of the same number only.
    pub(crate) fn user(mut self, user: u32) -> Self {
        self.user = Some(user);
        self
    }

    /// Starts the program.
    pub(crate) fn open(self) -> Terminal {
        signals::heard();
        let (master, slave) = tty::pair().expect("a pseudo-terminal");
        let size = if self.sized { self.size } else { (0, 0) };
        tty::set_size(&master, size).expect("it takes a size");
        let own_home = tempfile::tempdir().expect("a folder");
        let home = self.home.unwrap_or_else(|| own_home.path().to_owned());
        let end = || slave.try_clone().expect("a descriptor");
        let (program, arguments) = self.command.split_first().expect("a program");
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_STATE_HOME", home.join("state"))
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .envs(self.environment)
            .stdin(end())
            .stdout(end())
            .stderr(end());
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        tty::lead_session(&mut command);
        let child = spawn(&mut command);
        let (width, height) = cells(self.size);
        Terminal {
            master: Some(master),
            child,
            parser: vt100::Parser::new(height, width, 0),
            raw: Vec::new(),
            _home: own_home,
        }
    }
}

fn cells((width, height): (u16, u16)) -> (NonZeroU16, NonZeroU16) {
    let cells = |cells| NonZeroU16::new(cells).expect("a terminal with a size");
    (cells(width), cells(height))
}

/// Modes that a program can leave enabled.
#[derive(Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mode of its own")]
pub(crate) struct Modes {
    pub(crate) alternate: bool,
    pub(crate) hidden_cursor: bool,
    pub(crate) mouse: MouseProtocolMode,
    pub(crate) mouse_form: MouseProtocolEncoding,
    pub(crate) paste: bool,
    /// Whether colors and weights are the terminal's defaults.
    pub(crate) plain: bool,
}

impl Modes {
    /// The modes of an idle shell.
    pub(crate) const REST: Self = Self {
        alternate: false,
        hidden_cursor: false,
        mouse: MouseProtocolMode::None,
        mouse_form: MouseProtocolEncoding::Default,
        paste: false,
        plain: true,
    };

    fn from_screen(screen: &Screen) -> Self {
        let colors = [screen.fgcolor(), screen.bgcolor()];
        let weights = [screen.bold(), screen.dim(), screen.underline(), screen.inverse()];
        Self {
            alternate: screen.alternate_screen(),
            hidden_cursor: screen.hide_cursor(),
            mouse: screen.mouse_protocol_mode(),
            mouse_form: screen.mouse_protocol_encoding(),
            paste: screen.bracketed_paste(),
            plain: colors == [vt100::Color::Default; 2] && weights == [false; 4],
        }
    }
}

/// An open terminal.
pub(crate) struct Terminal {
    /// None after a hangup.
    master: Option<PtyMaster>,
    child: Child,
    parser: vt100::Parser,
    /// All output so far.
    pub(crate) raw: Vec<u8>,
    _home: TempDir,
}

impl Terminal {
    fn master(&self) -> &PtyMaster {
        self.master.as_ref().expect("the terminal was not lost")
    }

    pub(crate) fn screen(&self) -> &Screen {
        self.parser.screen()
    }

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.screen().contents()
    }

    pub(crate) fn modes(&self) -> Modes {
        Modes::from_screen(self.screen())
    }

    /// The settings of the kernel's line discipline.
    pub(crate) fn line_settings(&self) -> Termios {
        tcgetattr(self.master()).expect("a terminal")
    }

    /// The foreground process group.
    pub(crate) fn foreground(&self) -> Pid {
        tcgetpgrp(self.master()).expect("a terminal with a session")
    }

    /// The leader of the session.
    pub(crate) fn leader(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).expect("a process"))
    }

    /// Types keys.
    pub(crate) fn keys(&mut self, keys: &str) {
        let master = self.master.as_mut().expect("the terminal was not lost");
        master.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Types keys, and waits until the screen shows this text.
    pub(crate) fn press(&mut self, keys: &str, shown: &str) {
        self.keys(keys);
        self.wait_for(shown);
    }

    pub(crate) fn resize(&mut self, size: (u16, u16)) {
        let (width, height) = cells(size);
        self.parser.set_size(height, width);
        tty::set_size(self.master(), size).expect("it takes a size");
    }

    /// Waits until the screen shows this text.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, shown: &str) {
        self.wait(shown, |terminal| terminal.text().contains(shown));
    }

    /// Waits until the screen no longer shows this text.
    #[track_caller]
    pub(crate) fn wait_without(&mut self, gone: &str) {
        self.wait(&format!("no {gone}"), |terminal| !terminal.text().contains(gone));
    }

    /// Waits until this condition holds.
    #[track_caller]
    pub(crate) fn wait(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        self.wait_within(PATIENCE, what, holds);
    }

    /// Waits until this condition holds, up to this time.
    #[track_caller]
    pub(crate) fn wait_within(
        &mut self,
        time: Duration,
        what: &str,
        holds: impl Fn(&Self) -> bool,
    ) {
        let deadline = Instant::now() + time;
        loop {
            while self.read_within(Duration::ZERO) {}
            if !self.is_in_frame() && holds(self) {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let ended = self.child.try_wait().expect("a child");
            assert!(!left.is_zero(), "never: {what}; {ended:?}\n{}", self.text());
            self.read_within(left.min(Duration::from_millis(100)));
        }
    }

    /// Whether only a part of a frame was read: terminals with synchronized output are told where it begins
    /// and ends.
    fn is_in_frame(&self) -> bool {
        let last = |sequence: &[u8]| {
            let mut windows = self.raw.windows(sequence.len());
            windows.rposition(|bytes| bytes == sequence)
        };
        last(b"\x1b[?2026h") > last(b"\x1b[?2026l")
    }

    /// Reads output for at most this time; false if there was none.
    fn read_within(&mut self, time: Duration) -> bool {
        let Some(master) = &mut self.master else { return false };
        let millis = u16::try_from(time.as_millis()).unwrap_or(u16::MAX);
        let mut fds = [PollFd::new(master.as_fd(), PollFlags::POLLIN)];
        if !matches!(poll(&mut fds, PollTimeout::from(millis)), Ok(1..)) {
            return false;
        }
        let mut bytes = [0; 8192];
        let Ok(count @ 1..) = master.read(&mut bytes) else {
            // The other end is closed.
            std::thread::sleep(time.min(GLANCE));
            return false;
        };
        self.parser.process(&bytes[..count]);
        self.raw.extend_from_slice(&bytes[..count]);
        true
    }

    /// Waits until the leader of the session has ended, and reads all its output.
    #[track_caller]
    pub(crate) fn ended(&mut self) -> ExitStatus {
        self.ended_within(PATIENCE)
    }

    #[track_caller]
    pub(crate) fn ended_within(&mut self, time: Duration) -> ExitStatus {
        let deadline = Instant::now() + time;
        loop {
            while self.read_within(Duration::ZERO) {}
            if let Some(status) = self.child.try_wait().expect("a child") {
                while self.read_within(GLANCE) {}
                return status;
            }
            assert!(Instant::now() < deadline, "still runs after {time:?}\n{}", self.text());
            if !self.read_within(GLANCE) && self.master.is_none() {
                std::thread::sleep(GLANCE);
            }
        }
    }

    /// Closes the terminal, as when a window is closed or a connection breaks.
    pub(crate) fn hang_up(&mut self) {
        self.master = None;
    }

    /// Processes of the session.
    pub(crate) fn session(&self) -> Vec<Pid> {
        let names = fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.file_name());
        let pids = names.filter_map(|name| name.to_str()?.parse().ok());
        pids.filter(|pid| session_of(*pid) == Some(self.leader().as_raw()))
            .map(Pid::from_raw)
            .collect()
    }
}

/// The session of a running process.
fn session_of(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may contain anything: the fields follow the last bracket.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    (state != "Z").then(|| fields.nth(2)?.parse().ok())?
}

impl Drop for Terminal {
    fn drop(&mut self) {
        for pid in self.session() {
            // It may have ended meanwhile.
            let _ = kill(pid, Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a program that the test may just have written. It is busy as long as a process that another thread has
/// forked still holds the file open for writing.
fn spawn(command: &mut Command) -> Child {
    loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            started => return started.expect("the program starts"),
        }
    }
}

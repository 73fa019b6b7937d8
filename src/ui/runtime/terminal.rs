//! The terminal: taken, drawn on, and always given back.

use crate::clock::Clock;
use crate::ui::appearance::{Appearance, TerminalInfo};
use crate::ui::theme::Palette;
use crate::ui::{App, HitMap};
use crate::waiting::{Signals, Watched};
use nix::errno::Errno;
use nix::fcntl::{self, OFlag};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{self, SigSet, Signal};
use nix::sys::stat::Mode;
use nix::sys::termios;
use nix::unistd;
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::crossterm::clipboard::CopyToClipboard;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::style::{Print, ResetColor, force_color_output};
use ratatui::crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::{Rect, Size};
use std::io::{self, IsTerminal as _, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The terminal while the interface uses it. The library's own terminal asks for the position of the
/// cursor, and some terminals never answer; two buffers are all that is needed here.
#[derive(Debug)]
pub(super) struct TerminalScreen {
    outbox: Outbox,
    /// The contents of the terminal.
    drawn: Buffer,
    hold: Arc<Hold>,
    mouse: bool,
}

/// The state needed to give the terminal back, from any thread.
#[derive(Debug)]
struct Hold {
    terminal: Arc<OwnedFd>,
    /// Does the interface hold the terminal? Whoever gives it back first changes this.
    taken: AtomicBool,
    /// Has a thread panicked? Nothing is drawn after that.
    broken: AtomicBool,
}

/// The controlling terminal, whatever its device is called. It is not a file of the observed machine,
/// so it is not opened through a `Root`.
const CONTROLLING_TERMINAL: &str = "/dev/tty";

/// Captures clicks and the wheel only: without motion reports, selecting text costs nothing.
const TAKE_MOUSE: Print<&str> = Print("\x1b[?1000h\x1b[?1006h");
/// Releases the mouse.
const GIVE_MOUSE: Print<&str> = Print("\x1b[?1006l\x1b[?1000l");

impl TerminalScreen {
    /// Takes the terminal.
    pub(super) fn take(terminal: OwnedFd, mouse: bool) -> io::Result<Self> {
        // The theme chooses colors; under NO_COLOR, the library would write sequences that reset other
        // attributes.
        force_color_output(true);
        let terminal = Arc::new(terminal);
        let outbox = Outbox::new(Arc::clone(&terminal));
        let hold = Arc::new(Hold {
            terminal,
            taken: AtomicBool::new(false),
            broken: AtomicBool::new(false),
        });
        let mut screen = Self { outbox, drawn: Buffer::default(), hold, mouse };
        restore_on_panic(&screen.hold);
        screen.enter()?;
        Ok(screen)
    }

    /// Takes the terminal again, as after a time in the background.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        if self.hold.broken.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.hold.taken.store(true, Ordering::SeqCst);
        terminal::enable_raw_mode()?;
        queue!(self.outbox, EnterAlternateScreen, Hide, EnableBracketedPaste)?;
        if self.mouse {
            queue!(self.outbox, TAKE_MOUSE)?;
        }
        self.clear()
    }

    /// Gives the terminal back as it was.
    pub(super) fn leave(&mut self) {
        self.outbox.forget();
        self.hold.give_back();
    }

    /// The output that still has to be sent.
    pub(super) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Sends output that the terminal did not take before.
    pub(super) fn send(&mut self) -> io::Result<()> {
        self.outbox.flush()
    }

    /// Captures or releases the mouse.
    pub(super) fn mouse(&mut self, wanted: bool) -> io::Result<()> {
        self.mouse = wanted;
        execute!(self.outbox, if wanted { TAKE_MOUSE } else { GIVE_MOUSE })
    }

    /// Sends text to the clipboard of the terminal.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.outbox, CopyToClipboard::to_clipboard_from(text))
    }

    /// Forgets the contents of the terminal, so that the next frame is drawn completely.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.drawn.reset();
        execute!(self.outbox, Clear(ClearType::All))
    }

    /// Draws a frame; only changed cells are written.
    pub(super) fn draw(&mut self, app: &App) -> io::Result<HitMap> {
        if self.hold.broken.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let mut next = Buffer::empty(Rect::new(0, 0, app.size.width, app.size.height));
        let hits = crate::ui::view(app, &mut next);
        if self.drawn.area != next.area {
            self.drawn = Buffer::empty(next.area);
            self.clear()?;
        }
        let whole = synchronises(&app.look);
        if whole {
            queue!(self.outbox, BeginSynchronizedUpdate)?;
        }
        CrosstermBackend::new(&mut self.outbox).draw(self.drawn.diff(&next).into_iter())?;
        if whole {
            queue!(self.outbox, EndSynchronizedUpdate)?;
        }
        self.drawn = next;
        self.outbox.flush()?;
        Ok(hits)
    }
}

/// After a panic, the terminal is given back before the message is printed.
fn restore_on_panic(hold: &Arc<Hold>) {
    let hold = Arc::clone(hold);
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        hold.broken.store(true, Ordering::SeqCst);
        hold.give_back();
        told(panic);
        // This applies to any thread: the interface would not work without it.
        std::process::abort();
    }));
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Only terminals known to support synchronised output are asked for it.
fn synchronises(look: &Appearance) -> bool {
    look.palette != Palette::Mono && look.glyphs.parts.len() > 1
}

/// Is this process in the foreground? Without a shell, it counts as such.
pub(super) fn is_foreground() -> bool {
    unistd::tcgetpgrp(io::stdin()).map_or(true, |group| group == unistd::getpgrp())
}

/// The size of the terminal; otherwise that of the environment, or 80 by 24.
pub(super) fn size(environment: &TerminalInfo) -> Size {
    let (width, height) = terminal::size().unwrap_or_default();
    let or = |said: u16, other: Option<u16>, usual| match (said, other) {
        (0, other) => other.unwrap_or(usual),
        (said, _) => said,
    };
    Size::new(or(width, environment.columns, 80), or(height, environment.lines, 24))
}

/// The name of the terminal device; empty if unknown.
pub(super) fn device() -> String {
    let name = unistd::ttyname(io::stdin());
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Replaces standard input by a non-blocking file of this process, and returns one to write to. The
/// library reads until a key is complete, so half a key would block everything on the shared, blocking
/// input of the shell. To be called before anything is read; afterwards the device name is unknown.
pub(super) fn own_terminal() -> io::Result<OwnedFd> {
    let output = reopen(io::stdout(), "/proc/self/fd/1");
    if let Some(input) = reopen(io::stdin(), "/proc/self/fd/0") {
        let _ = unistd::dup2_stdin(input);
    }
    // A terminal that cannot be opened again is used as it is: it may block, but it works.
    output.map_or_else(|| io::stdout().as_fd().try_clone_to_owned(), Ok)
}

/// The terminal opened again as a non-blocking file. The controlling terminal can always be opened,
/// another one only with permission.
fn reopen(terminal: impl AsFd, name: &str) -> Option<OwnedFd> {
    let flags = OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let name = if termios::tcgetsid(terminal).is_ok() { CONTROLLING_TERMINAL } else { name };
    fcntl::open(name, flags, Mode::empty()).ok()
}

impl Hold {
    /// Gives the terminal back, once.
    fn give_back(&self) {
        if !self.taken.swap(false, Ordering::SeqCst) {
            return;
        }
        // A terminal that is gone cannot be given back.
        let mut last = Vec::new();
        // A frame may have been cut off.
        let _ = queue!(last, EndSynchronizedUpdate);
        let _ = queue!(last, GIVE_MOUSE, DisableBracketedPaste, ResetColor, Clear(ClearType::All));
        let _ = queue!(last, LeaveAlternateScreen, Show);
        send_last(&self.terminal, &last);
        let _ = terminal::disable_raw_mode();
        // Keys typed meanwhile were meant for the interface, not for the shell.
        let _ = termios::tcflush(io::stdin(), termios::FlushArg::TCIFLUSH);
    }
}

/// The signals that are handled.
pub(super) const WATCHED: [Signal; 7] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
    Signal::SIGTSTP,
    Signal::SIGCONT,
    Signal::SIGWINCH,
];

/// Stops this process as if signals were not handled; returns when the shell continues it, with a signal
/// to end that arrived meanwhile.
pub(super) fn stop(signals: &Signals) -> Option<Signal> {
    let stop = SigSet::from(Signal::SIGTSTP);
    let _ = stop.thread_unblock();
    let _ = signal::raise(Signal::SIGTSTP);
    let _ = stop.thread_block();
    // The signals of the continuation are already handled.
    let known = [Signal::SIGCONT, Signal::SIGTSTP, Signal::SIGWINCH];
    signals.drain().filter(|signal| !known.contains(signal)).last()
}

/// Ends this process by this signal, so that its parent sees the reason. If the signal is ignored, as
/// after `nohup`, this does nothing.
pub fn end_by(last: Signal) {
    if SigSet::from(last).thread_unblock().is_ok() {
        let _ = signal::raise(last);
    }
}

/// A buffer for the terminal. Nothing waits for a terminal that takes no output, such as one at the end of
/// a stalled connection: the output stays here, and the interface draws no frame meanwhile.
#[derive(Debug)]
pub struct Outbox {
    terminal: Arc<OwnedFd>,
    waiting: Vec<u8>,
}

impl Outbox {
    /// An empty buffer; the terminal should be non-blocking.
    pub(super) fn new(terminal: Arc<OwnedFd>) -> Self {
        Self { terminal, waiting: Vec::new() }
    }

    /// An empty buffer for the terminal of standard error, if that is one. It is opened again, because
    /// the shell and other programs share the open file, and would not expect it to be non-blocking.
    pub fn for_standard_error() -> Option<Self> {
        let terminal = io::stderr().is_terminal().then(|| reopen(io::stderr(), "/proc/self/fd/2"));
        Some(Self::new(Arc::new(terminal??)))
    }

    /// Is there output that the terminal has not taken yet?
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Waits until the terminal takes more.
    pub(super) async fn room(&self) {
        match Watched::new(&self.terminal, PollFlags::POLLOUT) {
            Ok(room) => _ = room.ready().await,
            // The next event tries again.
            Err(_) => std::future::pending().await,
        }
    }

    /// Discards the output that the terminal has not taken.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }
}

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Sends what the terminal takes now.
    fn flush(&mut self) -> io::Result<()> {
        let sent = send(&self.terminal, &self.waiting)?;
        self.waiting.drain(..sent);
        Ok(())
    }
}

/// Sends as many of these bytes as the terminal takes at once.
fn send(terminal: &OwnedFd, bytes: &[u8]) -> io::Result<usize> {
    let mut sent = 0;
    while let Some(rest) = bytes.get(sent..).filter(|rest| !rest.is_empty()) {
        match unistd::write(terminal, rest) {
            Ok(0) | Err(Errno::EAGAIN) => break,
            Ok(count) => sent += count,
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(sent)
}

/// How long the last output waits for a terminal that takes little or nothing.
const SEND_TIMEOUT: Duration = Duration::from_millis(200);

/// Sends the last output, in parts as the terminal takes them; gives up on one that takes none.
pub(super) fn send_last(terminal: &OwnedFd, mut bytes: &[u8]) {
    let began = Clock::Real.now();
    loop {
        let Ok(sent) = send(terminal, bytes) else { return };
        bytes = bytes.get(sent..).unwrap_or_default();
        let passed = Clock::Real.now().boot_ns.saturating_sub(began.boot_ns);
        let left = SEND_TIMEOUT.saturating_sub(Duration::from_nanos(passed));
        if bytes.is_empty() || left.is_zero() {
            return;
        }
        let left = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
        let _ = poll(&mut [PollFd::new(terminal.as_fd(), PollFlags::POLLOUT)], left);
    }
}

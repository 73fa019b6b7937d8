//! The terminal: taken, given back whatever happens, and drawn on.

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
use ratatui::crossterm::style::{ResetColor, force_color_output};
use ratatui::crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use ratatui::crossterm::{Command, execute, queue};
use ratatui::layout::{Rect, Size};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The terminal, taken for a while. The library's own terminal asks where the cursor stands, and
/// waits for an answer that some terminals never give; two buffers do all that is needed here.
#[derive(Debug)]
pub(super) struct TerminalScreen {
    outbox: Outbox,
    /// What the terminal shows.
    drawn: Buffer,
    hold: Arc<Hold>,
    mouse: bool,
}

/// What it takes to give the terminal back, from wherever that has to happen.
#[derive(Debug)]
struct Hold {
    terminal: Arc<OwnedFd>,
    /// Is it ours? Whoever gives it back first changes this.
    taken: AtomicBool,
    /// Did a thread panic? Nothing is drawn any more then.
    broken: AtomicBool,
}

/// The terminal that controls us, whatever its device is called. It is no file of the machine that
/// is looked at, and so none that a `Root` could give.
const CONTROLLING_TERMINAL: &str = "/dev/tty";

/// Clicks and the wheel alone: without reports of every motion, marking text costs nothing.
struct TakeMouse;
/// The end of that.
struct GiveMouse;

impl Command for TakeMouse {
    fn write_ansi(&self, f: &mut impl std::fmt::Write) -> std::fmt::Result {
        f.write_str("\x1b[?1000h\x1b[?1006h")
    }
}

impl Command for GiveMouse {
    fn write_ansi(&self, f: &mut impl std::fmt::Write) -> std::fmt::Result {
        f.write_str("\x1b[?1006l\x1b[?1000l")
    }
}

impl TerminalScreen {
    /// Take the terminal.
    ///
    /// # Errors
    /// When it is none, or is gone.
    pub(super) fn take(terminal: OwnedFd, mouse: bool) -> io::Result<Self> {
        // Colours are chosen by our own palette; left to itself the library writes sequences
        // under NO_COLOR that take other attributes away.
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

    /// Take the terminal again, as after a time in the background.
    ///
    /// # Errors
    /// When it is gone.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        if self.hold.broken.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.hold.taken.store(true, Ordering::SeqCst);
        terminal::enable_raw_mode()?;
        queue!(self.outbox, EnterAlternateScreen, Hide, EnableBracketedPaste)?;
        if self.mouse {
            queue!(self.outbox, TakeMouse)?;
        }
        self.clear()
    }

    /// Give the terminal back as it was.
    pub(super) fn leave(&mut self) {
        self.outbox.forget();
        self.hold.give_back();
    }

    /// What it has to be waited for.
    pub(super) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Send what the terminal did not take before.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn send(&mut self) -> io::Result<()> {
        self.outbox.flush()
    }

    /// Take the mouse, or give it back.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn mouse(&mut self, wanted: bool) -> io::Result<()> {
        self.mouse = wanted;
        if wanted { execute!(self.outbox, TakeMouse) } else { execute!(self.outbox, GiveMouse) }
    }

    /// Send text to the clipboard of the terminal.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.outbox, CopyToClipboard::to_clipboard_from(text))
    }

    /// Forget what is on the terminal, so that the next frame draws all of it.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.drawn.reset();
        execute!(self.outbox, Clear(ClearType::All))
    }

    /// Draw a frame; only what changed is written.
    ///
    /// # Errors
    /// When the terminal is gone.
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

/// Whatever goes wrong, the terminal is given back before anything is said about it.
fn restore_on_panic(hold: &Arc<Hold>) {
    let hold = Arc::clone(hold);
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        hold.broken.store(true, Ordering::SeqCst);
        hold.give_back();
        told(panic);
        // Also when it was another thread: without it the rest would go on half alive.
        std::process::abort();
    }));
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Only terminals that are known to show much are asked to show a frame as one.
fn synchronises(look: &Appearance) -> bool {
    look.palette != Palette::Mono && look.glyphs.parts.len() > 1
}

/// Do keys come to us, and may we draw? Where nobody knows, as without a shell, we may.
pub(super) fn is_foreground() -> bool {
    unistd::tcgetpgrp(io::stdin()).map_or(true, |group| group == unistd::getpgrp())
}

/// The size of the terminal; what the environment says, or 80 by 24, where it says nothing.
pub(super) fn size(environment: &TerminalInfo) -> Size {
    let (width, height) = terminal::size().unwrap_or_default();
    let or = |said: u16, other: Option<u16>, usual| match (said, other) {
        (0, other) => other.unwrap_or(usual),
        (said, _) => said,
    };
    Size::new(or(width, environment.columns, 80), or(height, environment.lines, 24))
}

/// The name of the terminal's device; empty if it has none.
pub(super) fn device() -> String {
    let name = unistd::ttyname(io::stdin());
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Make standard input an open file of our own that never waits, and give one to write to. The
/// library reads on until a key is whole: with the input that the shell gave us, which waits and
/// has to, half a key would stop everything. To be called before anything is read; the name of the
/// device is known no more then.
///
/// # Errors
/// When the system gives no descriptor.
pub(super) fn own_terminal() -> io::Result<OwnedFd> {
    let output = reopen(io::stdout(), "/proc/self/fd/1");
    if let Some(input) = reopen(io::stdin(), "/proc/self/fd/0") {
        let _ = unistd::dup2_stdin(input);
    }
    // What cannot be opened again is used as it is: it may wait, but it works.
    output.map_or_else(|| io::stdout().as_fd().try_clone_to_owned(), Ok)
}

/// This terminal as an open file of our own, which never waits. The one that controls us can be
/// opened whoever it belongs to, another one only with the right to it.
fn reopen(terminal: impl AsFd, name: &str) -> Option<OwnedFd> {
    let flags = OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let name = if termios::tcgetsid(terminal).is_ok() { CONTROLLING_TERMINAL } else { name };
    fcntl::open(name, flags, Mode::empty()).ok()
}

impl Hold {
    /// Give the terminal back as it was, once.
    fn give_back(&self) {
        if !self.taken.swap(false, Ordering::SeqCst) {
            return;
        }
        // One that is gone cannot be given back, and there is nobody to tell.
        let mut last = Vec::new();
        // A frame may have been cut in the middle.
        let _ = queue!(last, EndSynchronizedUpdate);
        let _ = queue!(last, GiveMouse, DisableBracketedPaste, ResetColor, Clear(ClearType::All));
        let _ = queue!(last, LeaveAlternateScreen, Show);
        send_last(&self.terminal, &last);
        let _ = terminal::disable_raw_mode();
        // What was typed meanwhile was meant for us, not for the shell.
        let _ = termios::tcflush(io::stdin(), termios::FlushArg::TCIFLUSH);
    }
}

/// The signals that mean something to us.
pub(super) const WATCHED: [Signal; 7] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
    Signal::SIGTSTP,
    Signal::SIGCONT,
    Signal::SIGWINCH,
];

/// Stop, as a program does that watches no signals; comes back when the shell says so. A signal
/// that asked for the end meanwhile is handed over.
pub(super) fn stop(signals: &Signals) -> Option<Signal> {
    let stop = SigSet::from(Signal::SIGTSTP);
    let _ = stop.thread_unblock();
    let _ = signal::raise(Signal::SIGTSTP);
    let _ = stop.thread_block();
    // That we go on, and perhaps in another size, is no news any more.
    let known = [Signal::SIGCONT, Signal::SIGTSTP, Signal::SIGWINCH];
    signals.drain().filter(|signal| !known.contains(signal)).last()
}

/// End by this signal, so that whoever started us sees what ended us. Its action was never
/// changed, only held back; where it is to be ignored, as after `nohup`, this does nothing.
pub fn end_by(last: Signal) {
    if SigSet::from(last).thread_unblock().is_ok() {
        let _ = signal::raise(last);
    }
}

/// Where bytes for the terminal wait. Nobody waits for a terminal that takes nothing, as at the far end of a
/// connection that hangs: what it did not take stays here, and no frame is drawn meanwhile.
#[derive(Debug)]
pub(super) struct Outbox {
    terminal: Arc<OwnedFd>,
    waiting: Vec<u8>,
}

impl Outbox {
    /// Nothing yet; the terminal should be open in a way that never waits.
    pub(super) fn new(terminal: Arc<OwnedFd>) -> Self {
        Self { terminal, waiting: Vec::new() }
    }

    /// Is there something that the terminal did not take yet?
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Wait until the terminal takes more.
    pub(super) async fn room(&self) {
        match Watched::new(&self.terminal, PollFlags::POLLOUT) {
            Ok(room) => _ = room.ready().await,
            // It is tried again with the next thing that happens.
            Err(_) => std::future::pending().await,
        }
    }

    /// Forget what it did not take.
    pub(super) fn forget(&mut self) {
        self.waiting.clear();
    }
}

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Send what the terminal takes now.
    fn flush(&mut self) -> io::Result<()> {
        let sent = send(&self.terminal, &self.waiting)?;
        self.waiting.drain(..sent);
        Ok(())
    }
}

/// Send as many of these bytes as the terminal takes at once.
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

/// How long the last words wait for a terminal that takes little or nothing.
const SEND_TIMEOUT: Duration = Duration::from_millis(200);

/// Send the last words, in parts as the terminal takes them; give up on one that takes none.
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

//! The terminal: taken, given back whatever happens, and drawn on.

use crate::ui::look::Look;
use crate::ui::theme::Palette;
use crate::ui::{App, HitMap};
use nix::fcntl::{self, OFlag};
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
use std::io::{self, BufWriter, Stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The terminal, taken for a while. The library's own terminal asks where the cursor stands, and
/// waits for an answer that some terminals never give; two buffers do all that is needed here.
#[derive(Debug)]
pub(super) struct Screen {
    backend: CrosstermBackend<BufWriter<Stdout>>,
    /// What the terminal shows.
    drawn: Buffer,
    /// Is it ours? Whoever gives it back first changes this.
    taken: Arc<AtomicBool>,
    mouse: bool,
}

/// A frame of a large terminal is written at once.
const FRAME: usize = 64 * 1024;

/// The terminal that controls us, whatever its device is called. It is no file of the machine that
/// is looked at, and so none that a `Root` could give.
const OUR_TERMINAL: &str = "/dev/tty";

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

impl Screen {
    /// Take the terminal.
    ///
    /// # Errors
    /// When it is none, or is gone.
    pub(super) fn take(mouse: bool) -> io::Result<Self> {
        // Colours are chosen by our own palette; left to itself the library writes sequences
        // under NO_COLOR that take other attributes away.
        force_color_output(true);
        let backend = CrosstermBackend::new(BufWriter::with_capacity(FRAME, io::stdout()));
        let taken = Arc::new(AtomicBool::new(false));
        let mut screen = Self { backend, drawn: Buffer::default(), taken, mouse };
        restore_on_panic(&screen.taken);
        screen.enter()?;
        Ok(screen)
    }

    /// Take the terminal again, as after a time in the background.
    ///
    /// # Errors
    /// When it is gone.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        self.taken.store(true, Ordering::SeqCst);
        terminal::enable_raw_mode()?;
        let mut out = io::stdout();
        execute!(out, EnterAlternateScreen, Hide, EnableBracketedPaste)?;
        if self.mouse {
            execute!(out, TakeMouse)?;
        }
        self.clear()
    }

    /// Give the terminal back as it was.
    pub(super) fn leave(&self) {
        give_back(&self.taken);
    }

    /// Take the mouse, or give it back.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn mouse(&mut self, wanted: bool) -> io::Result<()> {
        self.mouse = wanted;
        if wanted { execute!(io::stdout(), TakeMouse) } else { execute!(io::stdout(), GiveMouse) }
    }

    /// Send text to the clipboard of the terminal.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.backend, CopyToClipboard::to_clipboard_from(text))
    }

    /// Forget what is on the terminal, so that the next frame draws all of it.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.drawn.reset();
        execute!(self.backend, Clear(ClearType::All))
    }

    /// Draw a frame; only what changed is written.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn draw(&mut self, app: &App) -> io::Result<HitMap> {
        let mut next = Buffer::empty(Rect::new(0, 0, app.size.width, app.size.height));
        let hits = crate::ui::view(app, &mut next);
        if self.drawn.area != next.area {
            self.drawn = Buffer::empty(next.area);
            self.clear()?;
        }
        let whole = synchronises(&app.look);
        if whole {
            queue!(self.backend, BeginSynchronizedUpdate)?;
        }
        self.backend.draw(self.drawn.diff(&next).into_iter())?;
        if whole {
            queue!(self.backend, EndSynchronizedUpdate)?;
        }
        self.drawn = next;
        self.backend.flush()?;
        Ok(hits)
    }
}

/// Whatever goes wrong, the terminal is given back before anything is said about it.
fn restore_on_panic(taken: &Arc<AtomicBool>) {
    let taken = Arc::clone(taken);
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        give_back(&taken);
        told(panic);
        // Also when it was another thread: without it the rest would go on half alive.
        std::process::abort();
    }));
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Only terminals that are known to show much are asked to show a frame as one.
fn synchronises(look: &Look) -> bool {
    look.palette != Palette::Mono && look.glyphs.parts.len() > 1
}

/// The size of the terminal; 80 by 24 if it does not say.
#[must_use]
pub(super) fn size() -> Size {
    match terminal::size() {
        Ok((width, height)) if width > 0 && height > 0 => Size::new(width, height),
        _ => Size::new(80, 24),
    }
}

/// The name of the terminal's device; empty if it has none.
#[must_use]
pub(super) fn device() -> String {
    let name = unistd::ttyname(io::stdin());
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Make standard input an open file of our own that never waits. The library reads on until a key
/// is whole: with the one that the shell gave us, which waits and has to, half a key would stop
/// everything. To be called before anything is read; the name of the device is known no more then.
pub(super) fn own_input() {
    // Only a terminal that controls us is surely the one that can be opened by this name.
    if termios::tcgetsid(io::stdin()).is_err() {
        return;
    }
    let flags = OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    if let Ok(own) = fcntl::open(OUR_TERMINAL, flags, Mode::empty()) {
        let _ = unistd::dup2_stdin(own);
    }
}

/// Give the terminal back as it was, once.
fn give_back(taken: &AtomicBool) {
    if !taken.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    // One that is gone cannot be given back, and there is nobody to tell.
    let _ = execute!(out, GiveMouse, DisableBracketedPaste, ResetColor, Clear(ClearType::All));
    let _ = execute!(out, LeaveAlternateScreen, Show);
    let _ = terminal::disable_raw_mode();
    // What was typed meanwhile was meant for us, not for the shell.
    let _ = termios::tcflush(io::stdin(), termios::FlushArg::TCIFLUSH);
}

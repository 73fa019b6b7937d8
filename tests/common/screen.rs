//! The interface without a terminal: snapshots and keys go in, a grid of text and one of styles come out.

use super::Machine;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use swapadm::clock::Clock;
use swapadm::model::{PartSet, Snapshot, Stamp};
use swapadm::probes;
use swapadm::root::Root;
use swapadm::ui::app::{App, AppInit, SourceKind};
use swapadm::ui::appearance::{Appearance, TerminalInfo};
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::hit::HitMap;
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::settings::Settings;
use swapadm::ui::theme::Palette;

/// The interface on a simulated terminal.
pub struct Screen {
    pub app: App,
    pub hits: HitMap,
    pub effects: Vec<Effect>,
}

/// A captured machine, as if read at this second after boot. Each is read once: nearly every test begins
/// with the same ones.
pub fn snapshot(machine: &str, second: u64) -> Snapshot {
    static READ: Mutex<BTreeMap<(String, u64), Snapshot>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    read.entry((machine.to_owned(), second)).or_insert_with(|| sampled(machine, second)).clone()
}

fn sampled(machine: &str, second: u64) -> Snapshot {
    let root = Root::at(Machine::shared(machine).path()).unwrap();
    let stamp =
        Stamp { boot_ns: second * 1_000_000_000, wall_ms: 1_790_000_000_000 + second * 1000 };
    let parts = PartSet::WHOLE;
    probes::sample(&root, &Clock::at(stamp), parts)
}

impl Screen {
    /// A live machine before the first sample.
    pub fn new(width: u16, height: u16) -> Self {
        Self::from_source(SourceKind::Live, "", width, height)
    }

    /// Another source, with its name, before the first sample.
    pub fn from_source(kind: SourceKind, source: &str, width: u16, height: u16) -> Self {
        let start = AppInit {
            kind,
            source: source.to_owned(),
            size: Size::new(width, height),
            terminal: TerminalInfo::default(),
            settings: Settings::default(),
            problems: vec![],
            now: Stamp { boot_ns: 1_000_000_000, wall_ms: 1_790_000_000_000 },
        };
        let mut app = App::new(start);
        app.look = Appearance::new(GlyphTier::Full, Palette::Many);
        app.refresh();
        Self { app, hits: HitMap::default(), effects: vec![] }
    }

    /// A live machine with these samples a second apart.
    pub fn machines(machines: &[&str], width: u16, height: u16) -> Self {
        let mut screen = Self::new(width, height);
        for (second, machine) in (1000..).zip(machines) {
            let snapshot = snapshot(machine, second);
            let now = snapshot.stamp;
            screen.send(Msg::Snapshots(vec![snapshot]));
            screen.send(Msg::Tick(now));
        }
        screen
    }

    /// A completely read recording of these snapshots, before playback.
    pub fn recording(source: &str, snapshots: Vec<Snapshot>, width: u16, height: u16) -> Self {
        let mut screen = Self::from_source(SourceKind::Recording, source, width, height);
        screen.send(Msg::Snapshots(snapshots));
        screen.send(Msg::SourceEnded(None));
        screen
    }

    /// Changes the signs and colors.
    pub fn look(mut self, tier: GlyphTier, palette: Palette) -> Self {
        self.app.look = Appearance::new(tier, palette);
        self.app.refresh();
        self
    }

    pub fn send(&mut self, msg: Msg) {
        let (effects, _) = swapadm::ui::update(&mut self.app, msg, &self.hits);
        self.effects.extend(effects);
    }

    /// Presses keys: `2 j Enter ^d F4 /`, separated by blanks.
    pub fn keys(mut self, keys: &str) -> Self {
        self.press(keys);
        self
    }

    pub fn press(&mut self, keys: &str) {
        for word in keys.split(' ').filter(|word| !word.is_empty()) {
            self.send(Msg::Key(key(word)));
        }
    }

    /// Draws the screen.
    pub fn draw(&mut self) -> Buffer {
        let size = self.app.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.width, size.height));
        self.hits = swapadm::ui::view(&self.app, &mut buffer);
        buffer
    }

    /// The text of the screen, line by line.
    pub fn text(&mut self) -> Vec<String> {
        text(&self.draw())
    }
}

/// A screen with its styles under a title, in the form of golden files.
pub fn page(title: &str, screen: &mut Screen) -> String {
    let buffer = screen.draw();
    let Size { width, height } = screen.app.size;
    let (text, styles) = (text(&buffer).join("\n"), styles(&buffer).join("\n"));
    format!("== {title} {width}x{height}\n{text}\n-- styles\n{styles}\n\n")
}

/// A key from its name.
pub fn key(word: &str) -> KeyEvent {
    let control = word.strip_prefix('^').filter(|rest| !rest.is_empty());
    let modifiers = if control.is_some() { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
    let code = match control.unwrap_or(word) {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "S-Tab" => KeyCode::BackTab,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Backspace" => KeyCode::Backspace,
        "Space" => KeyCode::Char(' '),
        word => match word.strip_prefix('F').and_then(|number| number.parse().ok()) {
            Some(number) => KeyCode::F(number),
            None => KeyCode::Char(word.chars().next().unwrap()),
        },
    };
    KeyEvent::new(code, modifiers)
}

/// The text of a buffer, line by line, without trailing blanks.
pub fn text(buffer: &Buffer) -> Vec<String> {
    lines(buffer, |cell| cell.symbol().to_owned())
}

/// The styles of a buffer, a letter per cell, followed by the meaning of the letters.
pub fn styles(buffer: &Buffer) -> Vec<String> {
    let mut seen: Vec<Style> = vec![];
    let mut letter = |style: Style| {
        let style = Style { underline_color: None, ..style };
        let place = seen.iter().position(|other| *other == style).unwrap_or_else(|| {
            seen.push(style);
            seen.len() - 1
        });
        // The first style is that of empty cells.
        char::from(b" abcdefghijklmnopqrstuvwxyz"[place]).to_string()
    };
    letter(Style::reset());
    let mut grid = lines(buffer, |cell| letter(cell.style()));
    for (place, style) in seen.iter().enumerate().skip(1) {
        let name = char::from(b" abcdefghijklmnopqrstuvwxyz"[place]);
        grid.push(format!("{name} = {}", words(*style)));
    }
    grid
}

fn words(style: Style) -> String {
    let color = match style.fg {
        None | Some(Color::Reset) => "own color".to_owned(),
        Some(color) => color.to_string(),
    };
    let modifiers = style.add_modifier;
    let names = [
        (Modifier::BOLD, " bold"),
        (Modifier::DIM, " dim"),
        (Modifier::UNDERLINED, " underlined"),
        (Modifier::REVERSED, " reversed"),
    ];
    names
        .iter()
        .filter(|(modifier, _)| modifiers.contains(*modifier))
        .fold(color, |words, (_, name)| words + name)
}

fn lines(buffer: &Buffer, mut show: impl FnMut(&ratatui::buffer::Cell) -> String) -> Vec<String> {
    let area = buffer.area;
    let mut lines = vec![];
    for y in area.top()..area.bottom() {
        let mut line = String::new();
        let mut x = area.left();
        while x < area.right() {
            let cell = &buffer[(x, y)];
            line += &show(cell);
            // A wide character occupies the next cell too.
            x +=
                u16::try_from(unicode_width::UnicodeWidthStr::width(cell.symbol())).unwrap().max(1);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

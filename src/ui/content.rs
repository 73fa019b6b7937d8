//! The contents of a pane, independent of its width: lines of texts, figures, bars and histories. The
//! screen, the plain mode and the tests all use the same lines.

mod draw;

pub use draw::{MapRow, Shade};

use super::appearance::Appearance;
use super::chart::{self, Chart, ChartPart};
use super::theme::Role;
use super::thresholds;
use crate::columns::{Info, Unit, Value, tables, text, units};
use crate::model::name::safe_text;
use crate::model::{Bytes, knob};
use std::sync::Arc;

/// The origin of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The table.
    pub table: &'static str,
    /// The row, by the value of the table's key.
    pub row: String,
    /// The column.
    pub info: &'static Info,
    /// The value.
    pub value: Value,
    /// The span of a rate in seconds, if that is not the time between two samples.
    pub span: Option<f64>,
}

impl Origin {
    /// Is it the same figure, perhaps of another sample?
    pub fn is_same_place(&self, other: &Self) -> bool {
        (self.table, &self.row, self.info.id) == (other.table, &other.row, other.info.id)
    }

    /// The value on the screen.
    pub fn words(&self) -> String {
        value_words(self.table, &self.row, self.info, &self.value)
    }

    /// The row as people name it: by a size, not by its number of bytes.
    pub fn row_words(&self) -> String {
        let unit = tables::find(self.table)
            .and_then(|spec| (spec.infos)().into_iter().find(|info| info.id == spec.key))
            .map(|info| info.unit);
        match self.row.parse() {
            Ok(bytes) if unit == Some(Unit::Bytes) => units::size(Bytes(bytes)),
            _ => safe_text(&self.row),
        }
    }
}

/// A value of a row on the screen. Switches are on or off, however their files spell it.
pub fn value_words(table: &str, row: &str, info: &Info, value: &Value) -> String {
    let is_setting = table == "knobs" && ["value", "default"].contains(&info.id);
    match (knob::find(row).filter(|_| is_setting), value) {
        (Some(knob), Value::Text(text)) => safe_text(&knob.kind.shown_value(text)),
        _ => value.on_screen(info.unit),
    }
}

/// The content of a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum PieceContent {
    /// Literal text.
    Text(String),
    /// A figure, which can be explained.
    Figure(String, Box<Origin>),
    /// A bar: shares of a whole, each in its color; unknown shares are not drawn.
    Bar(Vec<(Option<f64>, Role)>),
    /// A part of a chart, which the lines of one chart share.
    Chart(Arc<Chart>, ChartPart),
    /// The sign of a part of a bar, by its index, or of [`FREE`].
    Key(usize),
    /// The sign of swap-in or swap-out.
    Flow(Flow),
    /// A row of a map.
    Shades(MapRow),
    /// Blank space that moves what follows to the right.
    Fill,
}

/// The direction of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// In from swap.
    In,
    /// Out to swap.
    Out,
}

/// A piece of a line, and how it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The content.
    pub what: PieceContent,
    /// The role.
    pub role: Role,
    /// The minimum width.
    pub width: usize,
    /// Is it right-aligned?
    pub right: bool,
    /// How soon it is dropped from a narrow line: highest first; 0 is never dropped.
    pub drop: u8,
    /// Is a longer text cut to the width, because what follows is aligned?
    pub is_cut: bool,
}

/// A line of a pane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaneLine {
    /// The pieces.
    pub pieces: Vec<Piece>,
    /// How soon the line is dropped from a low pane: highest first; 0 is never dropped.
    pub drop: u8,
    /// The number of all areas, if the line is about one of them.
    pub areas: usize,
}

/// A placed piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed<'l> {
    /// The first cell.
    pub x: usize,
    /// The width.
    pub width: usize,
    /// The piece.
    pub piece: &'l Piece,
}

/// The index of the part of a bar that is free.
pub const FREE: usize = usize::MAX;

/// The minimum width of a bar or history.
const MIN_GRAPH_WIDTH: usize = 4;

impl PaneLine {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text.
    pub fn text(self, text: impl Into<String>, role: Role) -> Self {
        let text = text.into();
        let width = text::width(&text);
        self.with(PieceContent::Text(text), role, width)
    }

    /// Adds the label of the next figure.
    pub fn label(self, text: impl Into<String>) -> Self {
        self.text(text, Role::Label)
    }

    /// Adds a text with a minimum width.
    pub fn cell(self, text: impl Into<String>, role: Role, width: usize) -> Self {
        self.text(text, role).min_width(width)
    }

    /// Adds a figure.
    pub fn figure(mut self, figure: Piece) -> Self {
        self.pieces.push(figure);
        self
    }

    /// Adds a bar that takes the remaining width.
    pub fn bar(self, parts: Vec<(Option<f64>, Role)>) -> Self {
        self.with(PieceContent::Bar(parts), Role::Text, MIN_GRAPH_WIDTH).drops(9)
    }

    /// Adds a chart of one line that takes the remaining width.
    pub fn history(self, chart: Chart) -> Self {
        self.with(
            PieceContent::Chart(Arc::new(chart), ChartPart::Line),
            Role::Text,
            chart::MIN_WIDTH,
        )
        .drops(9)
    }

    /// Adds the sign of a part of a bar, before the name of the part.
    pub fn key(self, part: usize, role: Role) -> Self {
        self.with(PieceContent::Key(part), role, 1)
    }

    /// Adds the sign of swap-in or swap-out, before its name.
    pub fn flow(self, flow: Flow, role: Role) -> Self {
        self.with(PieceContent::Flow(flow), role, 1)
    }

    /// Adds a row of a map.
    pub fn shades(self, row: MapRow) -> Self {
        let width = row.shades.len();
        self.with(PieceContent::Shades(row), Role::Text, width)
    }

    /// Right-aligns what follows.
    pub fn fill(self) -> Self {
        self.with(PieceContent::Fill, Role::Text, 0)
    }

    /// Sets the minimum width of the last piece.
    pub fn min_width(mut self, width: usize) -> Self {
        if let Some(piece) = self.pieces.last_mut() {
            piece.width = piece.width.max(width);
        }
        self
    }

    /// Sets how soon the last piece is dropped; highest first.
    pub fn drops(mut self, drop: u8) -> Self {
        if let Some(piece) = self.pieces.last_mut() {
            piece.drop = drop;
        }
        self
    }

    /// Marks the line as that of one of this many areas: the title of its pane counts those without a line.
    pub fn as_area_of(self, areas: usize) -> Self {
        Self { areas, ..self }
    }

    /// Sets how soon the line is dropped; highest first.
    pub fn drops_line(self, drop: u8) -> Self {
        Self { drop, ..self }
    }

    fn with(mut self, what: PieceContent, role: Role, width: usize) -> Self {
        self.pieces.push(Piece { what, role, width, right: false, drop: 0, is_cut: false });
        self
    }

    /// Places the pieces in a width: long names are cut and droppable pieces dropped until the rest fits;
    /// bars and histories share the remaining width.
    pub fn place(&self, cells: usize) -> Vec<Placed<'_>> {
        let mut kept: Vec<(&Piece, usize)> =
            self.pieces.iter().map(|piece| (piece, piece.needed_width())).collect();
        cut_name(&mut kept, cells, NAME);
        while needed(&kept) > cells {
            let Some(drop) =
                kept.iter().map(|(piece, _)| piece.drop).max().filter(|drop| *drop > 0)
            else {
                break;
            };
            kept.retain(|(piece, _)| piece.drop != drop);
        }
        cut_name(&mut kept, cells, SHORT_NAME);
        let spare = cells.saturating_sub(needed(&kept));
        let growing = kept.iter().filter(|(piece, _)| piece.grows()).count();
        let (mut x, mut open, mut spare) = (0, growing, spare);
        let mut placed = Vec::with_capacity(kept.len());
        for (piece, mut width) in kept {
            if piece.grows() {
                let extra = spare / open.max(1);
                (width, spare, open) = (width + extra, spare - extra, open - 1);
            }
            let room = cells.saturating_sub(x);
            // Cut texts show that they are cut; numbers are left out instead, since a part would be wrong.
            if width <= room {
                placed.push(Placed { x, width, piece });
            } else if room > 0 && !piece.is_number() {
                placed.push(Placed { x, width: room, piece });
            }
            // One blank between two pieces, even after an empty one.
            x += width + 1;
        }
        placed
    }

    /// The figures of the line.
    pub fn figures(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(|piece| matches!(piece.what, PieceContent::Figure(..)))
    }

    /// The texts and figures only.
    pub fn plain(&self) -> String {
        let words = self.pieces.iter().map(|piece| piece.words().trim());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The line as it is read aloud: figures without a label get their heading, marks become words, and
    /// parts of a bar are separated.
    pub fn spoken(&self) -> String {
        // A picture cannot be read aloud: the same facts are in words beside it.
        let is_picture = |piece: &Piece| matches!(piece.what, PieceContent::Shades(_));
        if self.pieces.iter().any(is_picture) {
            return String::new();
        }
        let is_key = |piece: &Piece| matches!(piece.what, PieceContent::Key(_));
        let pieces = self.pieces.iter();
        let said: Vec<&Piece> =
            pieces.filter(|piece| is_key(piece) || !piece.words().trim().is_empty()).collect();
        let is_figure =
            |place: usize| said.get(place).is_some_and(|piece| piece.origin().is_some());
        let mut words = String::new();
        for (place, piece) in said.iter().enumerate() {
            let after_figure = place.checked_sub(1).is_some_and(is_figure);
            let below_heading = if place == 0 { is_figure(1) } else { after_figure };
            // A dash between parts is read as a pause: alone it would stand for a missing value.
            let said_piece = piece.spoken(below_heading);
            let rest = said_piece.strip_prefix("- ").or_else(|| (said_piece == "-").then_some(""));
            let (is_part, said_piece) = match rest {
                Some(rest) if piece.origin().is_none() && !is_key(piece) && !words.is_empty() => {
                    (true, rest)
                }
                _ => (false, said_piece.as_str()),
            };
            words += match words.is_empty() {
                true => "",
                false if is_part && said_piece.is_empty() => ";",
                false if is_part => "; ",
                false if is_key(piece) => ";",
                false if after_figure && is_figure(place) => ", ",
                false => " ",
            };
            words += said_piece;
        }
        words
    }
}

/// A chart in this many lines, the last of which is the time. Without room for that, it is left out.
pub fn tall_chart(chart: Chart, lines: usize) -> Vec<PaneLine> {
    let rows = if lines >= 3 { lines - 1 } else { lines };
    let chart = Arc::new(chart);
    let part = |part| {
        let content = PieceContent::Chart(Arc::clone(&chart), part);
        PaneLine::new().with(content, Role::Text, chart::MIN_WIDTH)
    };
    let time = (rows < lines).then(|| part(ChartPart::Time));
    (0..rows).map(|row| part(ChartPart::Row(row, rows))).chain(time).collect()
}

/// A long text in lines of a width; longer words continue on the next line.
pub fn wrapped(words: &str, cells: usize, role: Role) -> Vec<PaneLine> {
    let cells = cells.max(1);
    let lines = text::wrap(words, cells).into_iter().flat_map(|line| chunks(&line, cells));
    lines.map(|line| PaneLine::new().text(line, role)).collect()
}

fn chunks(line: &str, cells: usize) -> Vec<String> {
    let mut chunks = vec![String::new()];
    for c in line.chars() {
        let last = chunks.last_mut().filter(|chunk| text::width(chunk) < cells);
        match last {
            Some(chunk) => chunk.push(c),
            None => chunks.push(c.to_string()),
        }
    }
    chunks
}

/// A text that begins with a mark, as it is read aloud: with a word in place of the mark.
fn spoken_mark(words: &str) -> Option<String> {
    let (mark, rest) = words.split_once(' ').unwrap_or((words, ""));
    let word = match mark {
        "!!" => "critical:",
        "!" => "warning:",
        "." => "note:",
        _ => return None,
    };
    Some(if rest.is_empty() { word.to_owned() } else { format!("{word} {rest}") })
}

/// The width of these pieces, with a blank between each two.
fn needed(pieces: &[(&Piece, usize)]) -> usize {
    pieces.iter().map(|(_, width)| width).sum::<usize>() + pieces.len().saturating_sub(1)
}

/// Minimum widths of a name before and after other pieces are dropped.
const NAME: usize = 28;
const SHORT_NAME: usize = 8;

/// Cuts the longest name so that the pieces fit, but not below a minimum width.
fn cut_name(pieces: &mut [(&Piece, usize)], cells: usize, leave: usize) {
    let over = needed(pieces).saturating_sub(cells);
    let names = pieces.iter_mut().filter(|(piece, width)| piece.is_name() && *width > leave);
    if let Some((_, width)) = names.max_by_key(|(_, width)| *width) {
        *width = width.saturating_sub(over).max(leave);
    }
}

impl Piece {
    /// A figure of a value and its origin.
    pub fn figure(origin: Origin) -> Self {
        let text = origin.words();
        let missing = origin.value.missing().is_some();
        let role = if missing { Role::Faint } else { Role::Text };
        let right = origin.info.unit.is_number();
        let what = PieceContent::Figure(text, Box::new(origin));
        Self { what, role, width: 0, right, drop: 0, is_cut: false }
    }

    /// The piece with another role, unless the value is missing.
    pub fn as_role(self, role: Role) -> Self {
        let missing = matches!(&self.what, PieceContent::Figure(_, origin) if origin.value.missing().is_some());
        if missing { self } else { Self { role, ..self } }
    }

    /// Appends a mark or unit; a missing value gets blanks instead.
    pub fn marked(mut self, mark: &str) -> Self {
        if let PieceContent::Figure(text, origin) = &mut self.what {
            match origin.value.missing() {
                Some(_) => text.push_str(&" ".repeat(text::width(mark))),
                None => text.push_str(mark),
            }
        }
        self
    }

    /// Reserves room for the longest mark, so that marked and unmarked numbers are aligned.
    pub fn aligned(mut self) -> Self {
        if let PieceContent::Figure(text, _) = &mut self.what {
            let marks = text.chars().rev().take_while(|c| *c == '!').count();
            text.push_str(&" ".repeat(2_usize.saturating_sub(marks)));
        }
        self
    }

    /// The piece with a minimum width.
    pub fn wide(self, width: usize) -> Self {
        Self { width, ..self }
    }

    /// The piece with exactly this width: a longer text is cut.
    pub fn exactly(self, width: usize) -> Self {
        Self { width, is_cut: true, ..self }
    }

    /// The name of a device without its folder, which all devices have.
    pub fn without_folder(mut self) -> Self {
        if let PieceContent::Figure(text, _) = &mut self.what
            && let Some(name) = text.strip_prefix("/dev/")
        {
            *text = name.to_owned();
        }
        self
    }

    /// The words of an identifier.
    pub fn as_words(mut self) -> Self {
        if let PieceContent::Figure(text, _) = &mut self.what {
            *text = text.replace('-', " ");
        }
        self
    }

    /// The figure in these words, unless it is missing.
    pub fn reworded(mut self, words: &str) -> Self {
        if let PieceContent::Figure(text, origin) = &mut self.what
            && origin.value.missing().is_none()
        {
            words.clone_into(text);
        }
        self
    }

    /// The piece left-aligned.
    pub fn left(self) -> Self {
        Self { right: false, ..self }
    }

    /// The piece dropped from narrow lines; highest first.
    pub fn drops(self, drop: u8) -> Self {
        Self { drop, ..self }
    }

    /// The text of the piece, if it has any.
    pub fn words(&self) -> &str {
        match &self.what {
            PieceContent::Text(text) | PieceContent::Figure(text, _) => text,
            PieceContent::Bar(_)
            | PieceContent::Chart(..)
            | PieceContent::Key(_)
            | PieceContent::Flow(_)
            | PieceContent::Shades(_)
            | PieceContent::Fill => "",
        }
    }

    /// The text as it is read aloud: with words for its mark, and its heading.
    fn spoken(&self, below_heading: bool) -> String {
        let mark = thresholds::mark(self.role);
        let words = self.words().trim();
        let words = match self.origin() {
            Some(origin) if origin.value.missing().is_some() => "missing".to_owned(),
            None if let Some(said) = spoken_mark(words) => said,
            _ if mark.is_empty() || !words.contains(mark) => words.to_owned(),
            _ => {
                (words.replacen(mark, "", 1) + thresholds::words(self.role)).trim_start().to_owned()
            }
        };
        match self.origin().filter(|_| below_heading) {
            Some(origin) => format!("{} {words}", origin.info.head),
            None => words,
        }
    }

    /// The origin, if this is a figure.
    pub fn origin(&self) -> Option<&Origin> {
        match &self.what {
            PieceContent::Figure(_, origin) => Some(origin),
            PieceContent::Text(_)
            | PieceContent::Bar(_)
            | PieceContent::Chart(..)
            | PieceContent::Key(_)
            | PieceContent::Flow(_)
            | PieceContent::Shades(_)
            | PieceContent::Fill => None,
        }
    }

    fn needed_width(&self) -> usize {
        let width = text::width(self.words()).max(self.width);
        if self.is_cut { width.min(self.width) } else { width }
    }

    /// Is it a figure that is not a number?
    fn is_name(&self) -> bool {
        matches!(&self.what, PieceContent::Figure(_, origin) if !origin.info.unit.is_number())
    }

    fn is_number(&self) -> bool {
        matches!(&self.what, PieceContent::Figure(_, origin) if origin.info.unit.is_number())
    }

    fn grows(&self) -> bool {
        matches!(self.what, PieceContent::Bar(_) | PieceContent::Chart(..) | PieceContent::Fill)
    }

    /// The text in a width, with the roles of its parts.
    pub fn draw(&self, look: &Appearance, cells: usize) -> Vec<(String, Role)> {
        match &self.what {
            PieceContent::Text(text) => {
                vec![(text::pad(&clip_words(text, cells, look), cells, self.right), self.role)]
            }
            PieceContent::Figure(text, _) => {
                vec![(text::pad(&clip_name(text, cells, look), cells, self.right), self.role)]
            }
            PieceContent::Bar(parts) => draw::bar(parts, look, cells),
            PieceContent::Chart(chart, part) => chart.draw(*part, look, cells),
            PieceContent::Key(part) => {
                let sign = look.glyphs.fills.get(*part).unwrap_or(&look.glyphs.empty);
                vec![((*sign).to_owned(), self.role)]
            }
            PieceContent::Flow(flow) => {
                let glyphs = look.glyphs;
                let sign = if *flow == Flow::In { glyphs.inward } else { glyphs.outward };
                vec![(sign.to_owned(), self.role)]
            }
            PieceContent::Shades(row) => draw::shades(row, look, cells),
            PieceContent::Fill => vec![],
        }
    }
}

/// A text cut to a width, with the sign for cut text.
pub fn clip(words: &str, cells: usize, look: &Appearance) -> String {
    let clipped = text::clip(words, cells);
    match clipped.strip_suffix('+').filter(|_| text::width(words) > cells) {
        Some(start) => start.to_owned() + look.glyphs.cut,
        None => clipped,
    }
}

/// A sentence cut to a width between two words: half a word could be read as another one.
pub fn clip_words(words: &str, cells: usize, look: &Appearance) -> String {
    if text::width(words) <= cells {
        return words.to_owned();
    }
    let room = cells.saturating_sub(text::width(look.glyphs.cut));
    let mut ends = words.match_indices(' ').rev().filter_map(|(place, _)| words.get(..place));
    match ends.find(|start| !start.trim().is_empty() && text::width(start) <= room) {
        Some(start) => start.to_owned() + look.glyphs.cut,
        None => clip(words, cells, look),
    }
}

/// A name cut to a width. A path loses its middle, because its end tells it from others.
pub fn clip_name(words: &str, cells: usize, look: &Appearance) -> String {
    let is_short = text::width(words) <= cells;
    if is_short || !words.starts_with('/') || cells < LEAST_PATH {
        return clip(words, cells, look);
    }
    let rest = cells.saturating_sub(text::width(look.glyphs.cut));
    let start = text::clip(words, rest / 2 + 1);
    let start = start.strip_suffix('+').unwrap_or(&start);
    let room = rest.saturating_sub(text::width(start));
    let mut ends = words.char_indices().map(|(place, _)| words.get(place..).unwrap_or_default());
    let end = ends.find(|end| text::width(end) <= room).unwrap_or_default();
    format!("{start}{}{end}", look.glyphs.cut)
}

/// Minimum width of a path that is cut in its middle.
const LEAST_PATH: usize = 8;

#[cfg(test)]
mod tests;

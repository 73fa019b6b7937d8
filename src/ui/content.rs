//! The contents of a pane, independent of its width: lines of texts, figures, bars and histories. The
//! screen, the plain mode and the tests all use the same lines.

mod piece;

pub use piece::{
    Flow, MapRow, Origin, Piece, PieceContent, Shade, clip, clip_name, clip_words, row_words,
    value_words,
};

use super::appearance::Appearance;
use super::chart::{self, Chart, ChartPart, DrawnLine};
use super::theme::Role;
use crate::columns::text;
use std::sync::Arc;

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
    /// Does the line end with it?
    pub is_last: bool,
}

impl Placed<'_> {
    /// The text of the piece, with the roles of its parts. A figure at the end of a line needs no comma.
    pub fn draw(&self, look: &Appearance) -> DrawnLine {
        let mut parts = self.piece.draw(look, self.width);
        let ends = self.is_last && self.piece.origin().is_some();
        if let Some((text, _)) = parts.last_mut().filter(|_| ends) {
            text.truncate(text.trim_end_matches(',').len());
        }
        parts
    }
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

    /// Adds a label that is dropped where there is no room for it; the highest number first.
    pub fn extra(self, drop: u8, text: impl Into<String>) -> Self {
        self.label(text).drops(drop)
    }

    /// Adds a text with a minimum width.
    pub fn cell(self, text: impl Into<String>, role: Role, width: usize) -> Self {
        self.text(text, role).min_width(width)
    }

    /// A line that begins with a label in a column of this width.
    pub fn named(label: impl Into<String>, width: usize) -> Self {
        Self::new().cell(label, Role::Label, width)
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
        let width = row.shades.len() * row.width();
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
                placed.push(Placed { x, width, piece, is_last: false });
            } else if room > 0 && !piece.is_number() {
                placed.push(Placed { x, width: room, piece, is_last: false });
            }
            // One blank between two pieces, even after an empty one.
            x += width + 1;
        }
        if let Some(last) = placed.last_mut() {
            last.is_last = true;
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

#[cfg(test)]
mod tests;

//! The pieces of a line: texts, figures with their origin, bars, and parts of charts.

use crate::columns::{Info, Rows, Spec, Unit, Value, tables, text, units};
use crate::model::name::safe_text;
use crate::model::{Bytes, knob};
use crate::ui::appearance::Appearance;
use crate::ui::chart::{Chart, ChartPart, DrawnLine};
use crate::ui::glyphs::rounded;
use crate::ui::map_state::CellSize;
use crate::ui::theme::Role;
use crate::ui::thresholds;
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
    /// The origins of all cells of a row of a table, which has this name.
    pub fn of_row(spec: &Spec, rows: &Rows, row: usize, name: &str) -> Vec<Self> {
        let origin = |(value, info): (&Value, &&'static Info)| Self {
            table: spec.name,
            row: name.to_owned(),
            info,
            value: value.clone(),
            span: None,
        };
        let cells = rows.cells.get(row).into_iter().flatten();
        cells.zip(&rows.infos).map(origin).collect()
    }

    /// Is it the same figure, perhaps of another sample?
    pub fn is_same_place(&self, other: &Self) -> bool {
        (self.table, &self.row, self.info.id) == (other.table, &other.row, other.info.id)
    }

    /// The value on the screen.
    pub fn words(&self) -> String {
        value_words(self.table, &self.row, self.info, &self.value)
    }

    /// The readable value, and the exact one if it differs.
    pub fn full_value(&self) -> String {
        let human = self.words();
        let exact = safe_text(&self.value.plain());
        if exact.is_empty() || exact == human { human } else { format!("{human}  ({exact})") }
    }

    /// The row as people name it.
    pub fn row_words(&self) -> String {
        row_words(self.table, &self.row)
    }
}

/// The row of a table as people name it: folios by their size, not by a number of bytes.
pub fn row_words(table: &str, row: &str) -> String {
    let key = tables::find(table)
        .and_then(|spec| (spec.infos)().into_iter().find(|info| info.id == spec.key));
    match (row.parse(), key) {
        (Ok(bytes), Some(key)) if key.unit == Unit::Bytes => {
            let noun = if key.id == "size" { " folios" } else { "" };
            units::size(Bytes(bytes)) + noun
        }
        _ => safe_text(row),
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
    /// The sign of a part of a bar, by its index, or of the part that is free (`FREE`).
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

    /// Appends a comma, to a missing value too: a dash would otherwise be taken for a separator.
    pub fn before_next(mut self) -> Self {
        if let PieceContent::Figure(text, _) = &mut self.what {
            text.push(',');
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

    /// The words of a list of identifiers.
    pub fn as_words(mut self) -> Self {
        if let PieceContent::Figure(text, _) = &mut self.what {
            *text = text.replace(' ', ", ").replace('-', " ");
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
        let (PieceContent::Text(text) | PieceContent::Figure(text, _)) = &self.what else {
            return "";
        };
        text
    }

    /// The text as it is read aloud: with words for its mark, and its heading.
    pub(super) fn spoken(&self, below_heading: bool) -> String {
        let mark = thresholds::mark(self.role);
        let words = self.words().trim();
        let words = match (self.origin(), words.strip_suffix(mark)) {
            (Some(origin), _) if origin.value.missing().is_some() => "missing".to_owned(),
            (None, _) if let Some(said) = spoken_mark(words) => said,
            (_, Some(unmarked)) if !mark.is_empty() => {
                (unmarked.to_owned() + thresholds::words(self.role)).trim_start().to_owned()
            }
            _ => words.to_owned(),
        };
        match self.origin().filter(|_| below_heading) {
            Some(origin) => format!("{} {words}", origin.info.head),
            None => words,
        }
    }

    /// The origin, if this is a figure.
    pub fn origin(&self) -> Option<&Origin> {
        let PieceContent::Figure(_, origin) = &self.what else { return None };
        Some(origin)
    }

    pub(super) fn needed_width(&self) -> usize {
        let width = text::width(self.words()).max(self.width);
        if self.is_cut { width.min(self.width) } else { width }
    }

    /// Is it a figure that is neither a number nor a sentence?
    pub(super) fn is_name(&self) -> bool {
        matches!(&self.what, PieceContent::Figure(text, origin)
            if !origin.info.unit.is_number() && !is_sentence(text))
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(&self.what, PieceContent::Figure(_, origin) if origin.info.unit.is_number())
    }

    pub(super) fn grows(&self) -> bool {
        matches!(self.what, PieceContent::Bar(_) | PieceContent::Chart(..) | PieceContent::Fill)
    }

    /// The text in a width, with the roles of its parts.
    pub fn draw(&self, look: &Appearance, cells: usize) -> DrawnLine {
        match &self.what {
            PieceContent::Text(text) => {
                vec![(text::pad(&clip_words(text, cells, look), cells, self.right), self.role)]
            }
            PieceContent::Figure(text, _) => {
                vec![(text::pad(&clip_name(text, cells, look), cells, self.right), self.role)]
            }
            PieceContent::Bar(parts) => bar(parts, look, cells),
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
            PieceContent::Shades(row) => shades(row, look, cells),
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
    if is_sentence(words) {
        return clip_words(words, cells, look);
    }
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

/// Is it a sentence, which may begin with a path?
fn is_sentence(words: &str) -> bool {
    words.split(' ').count() > 2
}

/// Minimum width of a path that is cut in its middle.
const LEAST_PATH: usize = 8;

/// A bar of shares in a width.
fn bar(parts: &[(Option<f64>, Role)], look: &Appearance, cells: usize) -> DrawnLine {
    let glyphs = look.glyphs;
    if let [(share, role)] = parts {
        let filled = share.map_or_else(String::new, |share| glyphs.bar(share, cells));
        let empty = glyphs.empty.repeat(cells.saturating_sub(text::width(&filled)));
        return vec![(filled, *role), (empty, Role::Faint)];
    }
    debug_assert!(parts.len() <= glyphs.fills.len(), "each part has a sign of its own");
    let (mut sum, mut used) = (0.0, 0);
    let mut drawn = Vec::new();
    for ((share, role), fill) in parts.iter().zip(glyphs.fills) {
        let Some(share) = share else { continue };
        sum += share.clamp(0.0, 1.0);
        let end = rounded(sum.min(1.0) * cells as f64).min(cells);
        drawn.push((fill.repeat(end.saturating_sub(used)), *role));
        used = end.max(used);
    }
    drawn.push((glyphs.empty.repeat(cells.saturating_sub(used)), Role::Faint));
    drawn
}

/// A row of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapRow {
    /// The index of its first cell on the map; none in a legend.
    pub first: Option<usize>,
    /// The cells.
    pub shades: Vec<Shade>,
    /// The selected cell.
    pub selected: Option<usize>,
    /// The size of a cell.
    pub cell: CellSize,
}

impl MapRow {
    /// Cells of one character in a legend.
    pub const fn characters(shades: Vec<Shade>) -> Self {
        Self { first: None, shades, selected: None, cell: CellSize::CHARACTER }
    }

    /// The columns of a cell with the blank after it.
    pub(super) const fn width(&self) -> usize {
        self.cell.width + self.cell.gap()
    }
}

/// A cell of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// A heat from 0 to 4.
    Heat(u8),
    /// A letter with a heat.
    Letter(char, u8),
    /// A sign that stands out, such as the number of a CPU.
    Pointer(char),
    /// Unknown.
    Unknown,
}

impl Shade {
    /// The shade of the lines of a cell above and below its sign.
    pub const fn plain(self) -> Self {
        match self {
            Self::Pointer(_) => Self::Pointer(' '),
            Self::Heat(_) | Self::Letter(..) | Self::Unknown => self,
        }
    }

    /// The shade as wide as a cell: a sign that stands out is in its middle, others fill it.
    fn fill(self, look: &Appearance, width: usize) -> (String, Role) {
        let (sign, role) = self.draw(look);
        let filled = match self {
            Self::Pointer(_) => format!("{sign:^width$}"),
            Self::Heat(_) | Self::Letter(..) | Self::Unknown => sign.repeat(width),
        };
        (filled, role)
    }

    fn draw(self, look: &Appearance) -> (String, Role) {
        match self {
            Self::Heat(heat) => {
                let sign = look.glyphs.heat.get(usize::from(heat)).unwrap_or(&"?");
                ((*sign).to_owned(), Role::Heat(heat))
            }
            Self::Letter(letter, heat) => (letter.to_string(), Role::Heat(heat)),
            Self::Pointer(sign) => (sign.to_string(), Role::Selected),
            Self::Unknown => ("?".to_owned(), Role::Faint),
        }
    }
}

/// A row in at most this width.
fn shades(row: &MapRow, look: &Appearance, cells: usize) -> DrawnLine {
    let shown = row.shades.iter().take(cells / row.width()).enumerate();
    let cell = |(place, shade): (usize, &Shade)| {
        let (sign, role) = shade.fill(look, row.cell.width);
        let role = if row.selected == Some(place) { Role::Selected } else { role };
        [(sign, role), (" ".repeat(row.cell.gap()), Role::Text)]
    };
    shown.flat_map(cell).collect()
}

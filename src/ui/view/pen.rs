//! The pen that draws texts, frames and titles.

use super::{HitTarget, Rect, Role, clip, text};
use crate::ui::appearance::Appearance;
use crate::ui::hit::HitMap;
use ratatui::buffer::Buffer;

/// The target of drawing.
pub(super) struct Pen<'b> {
    pub(super) buffer: &'b mut Buffer,
    pub(super) look: Appearance,
    pub(super) hits: HitMap,
}

impl Pen<'_> {
    /// Writes a text in at most this many cells; returns how many it took.
    pub(super) fn write(&mut self, at: (u16, u16), words: &str, role: Role, cells: u16) -> u16 {
        let (x, y) = at;
        let area = self.buffer.area;
        if y >= area.bottom() || x >= area.right() {
            return 0;
        }
        let cells = cells.min(area.right() - x);
        let style = self.look.style(role);
        if !words.chars().all(is_one_cell) {
            let (end, _) = self.buffer.set_stringn(x, y, words, usize::from(cells), style);
            return end - x;
        }
        let mut end = x;
        for (x, symbol) in (x..x + cells).zip(words.chars()) {
            if let Some(cell) = self.buffer.cell_mut((x, y)) {
                cell.set_char(symbol).set_style(style);
            }
            end = x + 1;
        }
        end - x
    }

    /// Writes a right-aligned text; returns its first cell.
    pub(super) fn write_right(&mut self, end: (u16, u16), words: &str, role: Role) -> u16 {
        let (right, y) = end;
        let x = right.saturating_sub(width(words));
        self.write((x, y), words, role, right - x);
        x
    }

    /// Changes the style of cells.
    pub(super) fn paint(&mut self, area: Rect, role: Role) {
        self.buffer.set_style(area, self.look.style(role));
    }

    /// Clears an area.
    pub(super) fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.buffer.area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.reset();
                }
            }
        }
    }

    /// Draws a frame with a title in its upper line and hints in its lower one.
    pub(super) fn frame(&mut self, area: Rect, title: Vec<TextPart>, hints: &str, role: Role) {
        if area.width < 2 || area.height < 2 {
            return;
        }
        let lines = self.look.glyphs.lines;
        let [upper_left, upper_right, lower_left, lower_right] = lines.corners;
        let [lying, standing] = lines.sides;
        let middle = lying.repeat(usize::from(area.width - 2));
        let upper = format!("{upper_left}{middle}{upper_right}");
        let lower = format!("{lower_left}{middle}{lower_right}");
        let last = area.bottom() - 1;
        self.write((area.x, area.y), &upper, role, area.width);
        self.write((area.x, last), &lower, role, area.width);
        for y in area.y + 1..last {
            self.write((area.x, y), standing, role, 1);
            self.write((area.right() - 1, y), standing, role, 1);
        }
        self.title(area.x + 2, area.y, area.width.saturating_sub(4), title);
        let hints = fitting_hints(hints, area.width.saturating_sub(HINTS));
        if !hints.is_empty() {
            self.write((area.x + 2, last), &format!(" {hints} "), Role::Faint, area.width - 4);
        }
    }

    /// Draws a title of parts with their own roles and a blank on each side; a part that cannot be dropped
    /// and does not fit is cut.
    pub(super) fn title(&mut self, x: u16, y: u16, cells: u16, parts: Vec<TextPart>) {
        let end = x + cells;
        let mut at = x + self.write((x, y), " ", Role::Text, cells);
        for part in fitting(parts, 0, cells.saturating_sub(2)) {
            let left = end.saturating_sub(at);
            let clipped = clip(&part.words, usize::from(left), &self.look);
            let width = self.write((at, y), &clipped, part.role, left);
            if let Some(target) = part.target {
                self.hits.add(Rect { x: at, y, width, height: 1 }, target);
            }
            at += width;
        }
        self.write((at, y), " ", Role::Text, end.saturating_sub(at));
    }
}

/// Is it printable ASCII, or a part of a frame, bar or chart? Each of those takes one cell and joins no other
/// character. Nearly the whole screen consists of them, and a search for graphemes would take most of its time.
fn is_one_cell(symbol: char) -> bool {
    matches!(symbol, ' '..='~' | '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}')
}

/// Cells of the lower line of a frame that its key hints leave free.
pub(super) const HINTS: u16 = 6;
/// The blanks between key hints.
const BETWEEN: &str = "   ";

/// The key hints that fit side by side: the way out stays longest.
pub(super) fn fitting_hints(hints: &str, cells: u16) -> String {
    let mut kept: Vec<&str> = hints.split(BETWEEN).collect();
    while width(&kept.join(BETWEEN)) > cells {
        let last = kept.iter().rposition(|hint| !hint.starts_with("Esc"));
        kept.remove(last.unwrap_or(0));
    }
    kept.join(BETWEEN)
}

/// The width of a text.
pub(super) fn width(words: &str) -> u16 {
    u16::try_from(text::width(words)).unwrap_or(u16::MAX)
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextPart {
    /// The text.
    pub(super) words: String,
    /// The role.
    pub(super) role: Role,
    /// How soon it is dropped from a narrow line: highest first; 0 is never dropped.
    pub(super) drop: u8,
    /// The target of a click.
    pub(super) target: Option<HitTarget>,
}

impl TextPart {
    pub(super) fn new(words: impl Into<String>, role: Role) -> Self {
        Self { words: words.into(), role, drop: 0, target: None }
    }

    /// Makes the part droppable.
    pub(super) fn drops(self, drop: u8) -> Self {
        Self { drop, ..self }
    }

    /// Makes the part clickable.
    pub(super) fn leads_to(self, target: HitTarget) -> Self {
        Self { target: Some(target), ..self }
    }
}

/// Do at least the parts fit that are never dropped?
pub(super) fn fit(parts: &[TextPart], gap: u16, cells: u16) -> bool {
    let stays: Vec<TextPart> = parts.iter().filter(|part| part.drop == 0).cloned().collect();
    needed(&stays, gap) <= cells
}

/// The parts that fit in a width, with a gap between each two.
pub(super) fn fitting(mut parts: Vec<TextPart>, gap: u16, cells: u16) -> Vec<TextPart> {
    parts.retain(|part| !part.words.is_empty());
    while needed(&parts, gap) > cells {
        let Some(drop) = parts.iter().map(|part| part.drop).max().filter(|drop| *drop > 0) else {
            break;
        };
        parts.retain(|part| part.drop != drop);
    }
    parts
}

fn needed(parts: &[TextPart], gap: u16) -> u16 {
    let each = parts.iter().map(|part| width(&part.words).saturating_add(gap));
    each.fold(0, u16::saturating_add).saturating_sub(gap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_dropped_by_rank_and_rank_zero_stays() {
        let parts = || {
            let part = |words: &str, drop| TextPart::new(words, Role::Text).drops(drop);
            vec![part("name", 2), part("", 0), part("HELD", 0), part("for long", 1)]
        };
        let shown = |cells| {
            let parts = fitting(parts(), 2, cells).into_iter().map(|part| part.words);
            parts.collect::<Vec<_>>().join("  ")
        };
        assert_eq!(shown(20), "name  HELD  for long");
        assert_eq!(shown(19), "HELD  for long");
        assert_eq!(shown(14), "HELD  for long");
        assert_eq!(shown(13), "HELD");
        assert_eq!(shown(1), "HELD");
    }
}

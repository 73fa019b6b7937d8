//! A frame, drawn from the state alone. What is drawn where comes back as a [`HitMap`].

mod dialog;
mod foot;
mod head;
mod mode;
mod overlay;
mod pane;
mod parts;
mod table;

use super::app::App;
use super::hit::HitMap;
use super::layout::{self, Class};
use super::look::Look;
use super::theme::Role;
use crate::columns::text;
use parts::Part;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draw everything.
pub fn view(app: &App, buffer: &mut Buffer) -> HitMap {
    let mut pen = Pen { buffer, look: app.look, hits: HitMap::of(app.overlays.len()) };
    match layout::class(app.size) {
        Class::Tiny => {
            head::tiny(app, &mut pen);
            dialog::line(app, &mut pen);
        }
        class => {
            head::head(app, class, &mut pen);
            for (place, area) in &app.plan.panes {
                pane::pane(app, *place, *area, &mut pen);
            }
            foot::foot(app, &mut pen);
            dialog::line(app, &mut pen);
            overlay::overlays(app, &mut pen);
            foot::said(app, &mut pen);
        }
    }
    pen.hits
}

/// Where things are drawn, and what that means.
struct Pen<'b> {
    buffer: &'b mut Buffer,
    look: Look,
    hits: HitMap,
}

impl Pen<'_> {
    /// Write a text, at most so many cells of it; says how many it took.
    fn write(&mut self, at: (u16, u16), words: &str, role: Role, cells: u16) -> u16 {
        let (x, y) = at;
        let area = self.buffer.area;
        if y >= area.bottom() || x >= area.right() {
            return 0;
        }
        let cells = cells.min(area.right() - x);
        let style = self.look.style(role);
        let (end, _) = self.buffer.set_stringn(x, y, words, usize::from(cells), style);
        end - x
    }

    /// Write at the end of a line; says where it begins.
    fn write_right(&mut self, end: (u16, u16), words: &str, role: Role) -> u16 {
        let (right, y) = end;
        let x = right.saturating_sub(width(words));
        self.write((x, y), words, role, right - x);
        x
    }

    /// Give cells another look without changing what they say.
    fn paint(&mut self, area: Rect, role: Role) {
        self.buffer.set_style(area, self.look.style(role));
    }

    /// Clear an area.
    fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.buffer.area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.reset();
                }
            }
        }
    }

    /// A frame with a title in its upper line and hints in its lower one.
    fn frame(&mut self, area: Rect, title: Vec<Part>, hints: &str, role: Role) {
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
        if !hints.is_empty() && width(hints) + 6 <= area.width {
            self.write((area.x + 2, last), &format!(" {hints} "), Role::Faint, area.width - 4);
        }
    }

    /// A title with a blank on each side, of parts with roles of their own; what cannot go and
    /// does not fit either is cut.
    fn title(&mut self, x: u16, y: u16, cells: u16, parts: Vec<Part>) {
        let end = x + cells;
        let mut at = x + self.write((x, y), " ", Role::Text, cells);
        for part in parts::fitting(parts, 0, cells.saturating_sub(2)) {
            let left = end.saturating_sub(at);
            let clipped = super::content::clip(&part.words, usize::from(left), &self.look);
            let width = self.write((at, y), &clipped, part.role, left);
            if let Some(target) = part.target {
                self.hits.add(Rect { x: at, y, width, height: 1 }, target);
            }
            at += width;
        }
        self.write((at, y), " ", Role::Text, end.saturating_sub(at));
    }
}

/// The cells of a text; no line is longer than what a terminal can be wide.
fn width(words: &str) -> u16 {
    u16::try_from(text::width(words)).unwrap_or(u16::MAX)
}

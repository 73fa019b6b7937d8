//! The page that sets up swap.

use super::overlay::{draw_row, open};
use super::pen::{Pen, TextPart};
use crate::columns::text;
use crate::ui::content::clip;
use crate::ui::hit::HitTarget;
use crate::ui::page::{PageRow, TextPage};
use crate::ui::setup::SetupPage;
use crate::ui::theme::Role;
use ratatui::layout::{Rect, Size};

/// Fewest lines of the details.
const LEAST_DETAILS: u16 = 3;
/// Width of the names, with the sign before them.
const NAMES: usize = 18;

pub(super) fn draw(page: &SetupPage, size: Size, pen: &mut Pen<'_>) {
    let rows = page.rows();
    let details = TextPage::new("", page.details());
    let details = details.rows(size);
    let title = vec![TextPart::new("Set up swap", Role::Accent)];
    let hints = "Left Right change   Enter type   p plan   y copy   Esc close";
    let inner = open(size, rows.len() + 1 + details.len(), title, hints, pen);
    let most = inner.height.saturating_sub(LEAST_DETAILS);
    let shown = u16::try_from(rows.len()).unwrap_or(u16::MAX).min(most).max(1);
    let first = (page.selected + 1).saturating_sub(usize::from(shown));
    let visible = rows.iter().enumerate().skip(first);
    for ((place, row), y) in visible.zip(inner.y..inner.y.saturating_add(shown)) {
        let area = Rect { y, height: 1, ..inner };
        draw_choice(row, area, place == page.selected, pen);
        pen.hits.add(area, HitTarget::Item(place));
    }
    // A blank line separates them if there is room.
    let gap = u16::from(usize::from(inner.height) > usize::from(shown) + details.len());
    let top = inner.y.saturating_add(shown + gap);
    draw_details(
        &details,
        Rect { y: top, height: inner.bottom().saturating_sub(top), ..inner },
        pen,
    );
}

fn draw_choice(
    (name, value, changes): &(&'static str, String, bool),
    area: Rect,
    selected: bool,
    pen: &mut Pen<'_>,
) {
    let sign = if selected { "> " } else { "  " };
    let name = text::pad(&format!("{sign}{name}"), NAMES, false);
    let used = pen.write((area.x, area.y), &name, Role::Label, area.width);
    let room = area.width.saturating_sub(used);
    let role = if *changes { Role::Accent } else { Role::Text };
    let value = clip(value, usize::from(room), &pen.look);
    pen.write((area.x + used, area.y), &value, role, room);
    if selected {
        pen.paint(area, Role::Selected);
    }
}

fn draw_details(details: &[PageRow<'_>], area: Rect, pen: &mut Pen<'_>) {
    for (row, y) in details.iter().zip(area.y..area.bottom()) {
        draw_row(row, Rect { y, height: 1, ..area }, pen);
    }
}

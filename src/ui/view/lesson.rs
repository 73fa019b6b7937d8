//! The lesson beside or below a screen of its machine.

use super::pen::{Pen, TextPart};
use crate::ui::app::App;
use crate::ui::theme::Role;

/// Draws the lesson that is played.
pub(super) fn lesson(app: &App, pen: &mut Pen<'_>) {
    let area = app.layout.lesson;
    let Some((title, step)) = app.learn.title().filter(|_| area.height > 0) else { return };
    let title = vec![
        // First, because a long title is cut at its end.
        TextPart::new("SIMULATED  ", Role::Label),
        TextPart::new(title, Role::Accent),
        TextPart::new(format!("  {step}"), Role::Label).drops(1),
    ];
    let is_beside = area.y == 0;
    let inner = if is_beside {
        pen.frame(area, title, "", Role::Faint);
        crate::ui::layout::lines(area, true)
    } else {
        let rule = pen.look.glyphs.lines.sides[0].repeat(usize::from(area.width));
        pen.write((area.x, area.y), &rule, Role::Faint, area.width);
        pen.title(area.x, area.y, area.width, title);
        let inside = crate::ui::layout::inside(area, false);
        ratatui::layout::Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside }
    };
    let lines = app.learn.lines(usize::from(inner.width));
    // The question comes last: if not all lines fit, those before it are on screen 9.
    let above = lines.len().saturating_sub(usize::from(inner.height));
    for (line, y) in lines.iter().skip(above).zip(inner.y..inner.bottom()) {
        let mut x = inner.x;
        for placed in line.place(usize::from(inner.width)) {
            for (words, role) in placed.draw(&pen.look) {
                x += pen.write((x, y), &words, role, inner.right().saturating_sub(x));
            }
        }
    }
    if above > 0 {
        let end = (area.right().saturating_sub(2), area.y);
        pen.write_right(end, " 9: whole text ", Role::Label);
    }
}

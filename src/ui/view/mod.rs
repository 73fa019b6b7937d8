//! Drawing a frame from the state. Returns a [`HitMap`] of what was drawn where.

mod chart;
mod dialog;
mod foot;
mod head;
mod overlay;
mod pane;
mod pen;

// The files of this folder import these names from here.
use super::app::{App, SourceKind};
use super::command::UiCommand;
use super::content::clip;
use super::hit::{HitMap, HitTarget, PanePart};
use super::layout::{self, Class};
use super::overlay::Overlay;
use super::page::TextPage;
use super::theme::Role;
use crate::columns::{text, units};
use crate::model::name::safe_text;
use pen::{Pen, TextPart, width};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

/// Draws a frame.
pub fn view(app: &App, buffer: &mut Buffer) -> HitMap {
    let mut pen = Pen { buffer, look: app.look, hits: HitMap::new(app.clickable()) };
    match layout::class(app.body_size()) {
        Class::Tiny => {
            head::tiny(app, &mut pen);
            dialog::job_line(app, &mut pen);
        }
        class => {
            head::head(app, class, &mut pen);
            pane::answer(app, &mut pen);
            for (place, area) in &app.layout.panes {
                pane::pane(app, *place, *area, &mut pen);
            }
            lesson(app, &mut pen);
            foot::foot(app, &mut pen);
            dialog::job_line(app, &mut pen);
            overlays(app, &mut pen);
            foot::notice_or_input(app, &mut pen);
        }
    }
    pen.hits
}

/// Draws the topmost page, list or dialog; lines to type in are in the footer.
fn overlays(app: &App, pen: &mut Pen<'_>) {
    let is_typed = |it: &&Overlay| matches!(it, Overlay::Filter(_) | Overlay::Value(_));
    let size = app.overlay_size();
    match app.overlays.iter().rev().find(|it| !is_typed(it)) {
        Some(Overlay::Page(page)) => overlay::draw_page(page, size, pen),
        Some(Overlay::Chart(view)) => chart::chart(app, view, size, pen),
        Some(Overlay::Menu(menu)) => overlay::draw_menu(menu, size, pen),
        Some(Overlay::Confirm(confirm)) => dialog::confirm(app, confirm, size, pen),
        Some(Overlay::Question(question)) => dialog::ask(question, size, pen),
        Some(Overlay::Job) => dialog::job(app, size, pen),
        Some(Overlay::Simulation(simulation)) => dialog::simulation(simulation, size, pen),
        Some(Overlay::Setup(page)) => dialog::setup(page, size, pen),
        Some(Overlay::Filter(_) | Overlay::Value(_)) | None => {}
    }
}

/// Draws the lesson that is played.
fn lesson(app: &App, pen: &mut Pen<'_>) {
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

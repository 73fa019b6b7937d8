//! Drawing a frame from the state. Returns a [`HitMap`] of what was drawn where.

mod chart;
mod dialog;
mod foot;
mod head;
mod lesson;
mod overlay;
mod pane;
mod pen;
mod setup;

use super::app::App;
use super::hit::HitMap;
use super::layout::{self, Class};
use super::overlay::Overlay;
use pen::Pen;
use ratatui::buffer::Buffer;

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
            lesson::lesson(app, &mut pen);
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
        Some(Overlay::Setup(page)) => setup::draw(page, size, pen),
        Some(Overlay::Filter(_) | Overlay::Value(_)) | None => {}
    }
}

//! Keys while a figure is shown over time.

use super::figures;
use crate::ui::app::App;
use crate::ui::chart_view::ChartView;
use crate::ui::command::{self, UiCommand as C};
use crate::ui::overlay::Overlay;
use ratatui::crossterm::event::KeyEvent;

/// Steps that a page key moves by.
const PAGE: usize = 20;

pub(super) fn key(app: &mut App, mut view: ChartView, event: KeyEvent) {
    match command::for_key(event) {
        Some(C::Back | C::Quit | C::Open) => return,
        Some(C::Left | C::Down | C::Earlier) => view.earlier(1),
        Some(C::Right | C::Up | C::Later) => view.later(1),
        Some(C::PageUp | C::MuchEarlier) => view.earlier(PAGE),
        Some(C::PageDown | C::MuchLater) => view.later(PAGE),
        Some(C::Bottom) => view.later(view.ago),
        Some(C::Top) => view.to_oldest(app),
        Some(C::PreviousSheet) => view.zoom(true),
        Some(C::NextSheet) => view.zoom(false),
        Some(C::Explain) => {
            let page = figures::explanation(app, &view.origin);
            app.overlays.push(Overlay::Chart(Box::new(view)));
            app.overlays.push(Overlay::Page(page));
            return;
        }
        _ => app.notify_unbound_key(event, "Esc closes the chart"),
    }
    app.overlays.push(Overlay::Chart(Box::new(view)));
}

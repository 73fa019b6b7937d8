//! Keys while a figure is shown over time.

use super::figures;
use crate::ui::app::App;
use crate::ui::chart_view::ChartView;
use crate::ui::command::{self, UiCommand as C};
use crate::ui::overlay::Overlay;
use crate::ui::page::{PageLine, TextPage};
use ratatui::crossterm::event::KeyEvent;

/// Steps that a page key moves by.
const PAGE: usize = 20;

/// The keys, for the help.
const KEYS: [(&str, &str); 6] = [
    ("Left Right", "Move the cursor to an earlier or later value."),
    ("Page keys", "Move it by 20 values."),
    ("g G", "Move it to the oldest or newest value."),
    ("[ ]", "Show a longer or shorter time."),
    ("e", "Explain the figure: its meaning, formula and source file."),
    ("Esc", "Close the chart."),
];

/// A key while a chart is open; the mouse is captured or released as everywhere.
pub(super) fn key(app: &mut App, mut view: ChartView, event: KeyEvent) -> Option<C> {
    let command = command::for_key(event);
    match command {
        Some(C::Back | C::Quit | C::Open) => return None,
        Some(C::Screen(_)) => {
            app.overlays.clear();
            return command;
        }
        Some(C::Left | C::Down | C::Earlier) => view.earlier(1),
        Some(C::Right | C::Up | C::Later) => view.later(1),
        Some(C::PageUp | C::MuchEarlier) => view.earlier(PAGE),
        Some(C::PageDown | C::MuchLater) => view.later(PAGE),
        Some(C::Bottom) => view.later(view.ago),
        Some(C::Top) => view.to_oldest(app),
        Some(C::PreviousSheet) => view.zoom(true),
        Some(C::NextSheet) => view.zoom(false),
        Some(C::Explain | C::Help) => {
            let page = if command == Some(C::Help) {
                let lines = KEYS.map(|(keys, help)| PageLine::named(keys, help));
                TextPage::new("Keys of the chart", lines.to_vec())
            } else {
                figures::explanation(app, &view.origin)
            };
            app.overlays.extend([Overlay::Chart(Box::new(view)), Overlay::Page(page)]);
            return None;
        }
        Some(C::Mouse) => {}
        _ => app.notify_unbound_key(event, "Esc closes the chart"),
    }
    app.overlays.push(Overlay::Chart(Box::new(view)));
    command.filter(|command| *command == C::Mouse)
}

//! Opening and leaving the page of one process or cgroup.

use crate::columns::filter;
use crate::model::subject::DetailTarget;
use crate::ui::app::App;
use crate::ui::pane::ScreenState;
use crate::ui::screens::{PAGES, SCREENS, cgroup, process};
use crate::ui::subject::PROCESSES;

/// Opens the page of a subject; Esc there leads back.
pub(super) fn open(app: &mut App, subject: DetailTarget) {
    let page = match &subject {
        DetailTarget::Process(_) => process::SCREEN.id,
        DetailTarget::Cgroup(_) => cgroup::SCREEN.id,
    };
    let Some(place) = PAGES.iter().position(|screen| screen.id == page) else { return };
    if app.subject.as_ref() == Some(&subject) {
        return;
    }
    let seen = app.trail.iter().position(|(_, other)| other.as_ref() == Some(&subject));
    match seen {
        // Going in circles leads no deeper.
        Some(place) => app.trail.truncate(place),
        None => app.trail.push((app.screen, app.subject.take())),
    }
    show(app, SCREENS.len() + place, Some(subject));
}

/// Leaves the page for the one before it; false if no page is open.
pub(super) fn leave(app: &mut App) -> bool {
    let Some((screen, subject)) = app.trail.pop() else { return false };
    if subject.is_some() {
        show(app, screen, subject);
    } else {
        (app.screen, app.subject) = (screen, None);
    }
    true
}

/// Leaves all pages for a screen.
pub(super) fn leave_all(app: &mut App) {
    app.trail.clear();
    app.subject = None;
}

fn show(app: &mut App, screen: usize, subject: Option<DetailTarget>) {
    (app.screen, app.subject) = (screen, subject);
    app.focus(0);
    // Rows, widths and selection of another subject mean nothing for this one.
    let inside = match &app.subject {
        Some(DetailTarget::Cgroup(path)) => filter::at_or_below("cgroup", &path.exact()),
        _ => None,
    };
    let Some(place) = screen.checked_sub(SCREENS.len()) else { return };
    let (Some(screen), settings) = (PAGES.get(place), app.settings.clone()) else { return };
    let Some(state) = app.state_mut() else { return };
    *state = ScreenState::new(screen, &settings);
    let Some(inside) = inside else { return };
    let sheets = state.panes.iter_mut().flat_map(|pane| &mut pane.sheets);
    for sheet in sheets.filter(|sheet| sheet.info.table == PROCESSES) {
        // A filter made here is valid.
        let _ = sheet.keep_within(inside.clone());
    }
}

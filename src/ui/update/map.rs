//! Moving on the map of an area, and looking closer.

use crate::derive::clusters;
use crate::model::Missing;
use crate::model::clusters::ClusterView;
use crate::model::name::safe_text;
use crate::ui::app::{App, Time};
use crate::ui::layout;
use crate::ui::map_state::{MapState, MapSize};
use crate::ui::overlay::Overlay;
use crate::ui::page::{TextPage, PageLine};
use crate::ui::pane::{Movement, cycle_index};
use crate::ui::screens::map;

const NO_MAP: &str = "there is no map here";

/// What the map is drawn of: how many clusters, in which room.
struct Drawn {
    place: usize,
    clusters: usize,
    room: MapSize,
}

/// Move on the map; false where that is left to others.
pub(super) fn go(app: &mut App, way: Movement) -> bool {
    if !app.is_on_map() {
        return false;
    }
    if let Some(Drawn { clusters, room, .. }) = drawn(app) {
        let signed = |cells: usize| isize::try_from(cells).unwrap_or(isize::MAX);
        let (row, page) = (signed(room.columns), signed(room.cells()));
        let by = match way {
            Movement::Left => -1,
            Movement::Right => 1,
            Movement::Up => -row,
            Movement::Down => row,
            Movement::PageUp => -page,
            Movement::PageDown => page,
            Movement::Top => isize::MIN,
            Movement::Bottom => isize::MAX,
        };
        app.map.go(by, clusters, room);
    }
    true
}

/// Let the cells stand for fewer clusters, or for more.
pub(super) fn zoom(app: &mut App, closer: bool) {
    let Some(Drawn { clusters, room, .. }) = drawn(app) else { return app.notify(NO_MAP) };
    if !app.map.zoom(closer, clusters, room) {
        app.notify(if closer {
            "each cell is one cluster: it cannot be looked at closer"
        } else {
            "all of the area is in sight"
        });
    }
}

/// Show something else in the cells.
pub(super) fn turn_metric(app: &mut App) {
    let MapState { metric, .. } = app.map;
    app.map.metric = metric.next();
}

/// Turn to the area before or after.
pub(super) fn turn_area(app: &mut App, by: isize) {
    let Some(state) = app.state_mut() else { return };
    let Some(sheet) = state.panes.iter_mut().flat_map(|pane| &mut pane.sheets).next() else {
        return;
    };
    let count = sheet.rows().map_or(0, |rows| rows.cells.len());
    sheet.select(cycle_index(sheet.row, by, count));
}

/// Let keys act on a cell; is it the one that they act on already?
pub(super) fn point_at(app: &mut App, cell: usize) -> bool {
    let Some(Drawn { clusters, room, .. }) = drawn(app) else { return false };
    let before = app.map.cell(clusters, app.map.window(clusters, room));
    app.map.go_to(cell, clusters, room);
    before == cell
}

/// Tell all of the cell, or why there is none.
pub(super) fn explain(app: &mut App) {
    let cell = of_cell(app).filter(|lines| !lines.is_empty());
    let page = cell.map(|lines| ("Clusters of the cell", lines));
    let Some((title, lines)) = page.or_else(|| Some(("Why there is no map", unknown(app)?))) else {
        return app.notify(NO_MAP);
    };
    let lines = lines.into_iter().map(|(name, text)| PageLine::named(name, text)).collect();
    app.overlays.push(Overlay::Page(TextPage::new(title, lines)));
}

/// Why nothing is known of the area: in short, and by each view.
fn unknown(app: &App) -> Option<Vec<(&'static str, String)>> {
    let (place, now, metric) = (place(app)?, &app.moment()?.now, app.map.metric);
    let missing = map::clusters_of(now, place, metric).missing().cloned()?;
    let live = app.is_live() && app.time == Time::Newest;
    let mut lines = vec![("Why", map::why(now, (metric, live), &missing))];
    lines.extend([ClusterView::Kernel, ClusterView::Stored, ClusterView::Mapped].into_iter().filter_map(|view| {
        let missing = clusters::map_by_view(now, view, place).missing().cloned()?;
        let is_asked = missing != Missing::NotSampled;
        is_asked.then(|| (clusters::view_name(view), safe_text(&clusters::describe_missing(now, &missing))))
    }));
    Some(lines)
}

fn of_cell(app: &App) -> Option<Vec<(&'static str, String)>> {
    let Drawn { place, clusters: count, room } = drawn(app)?;
    let (now, metric) = (&app.moment()?.now, app.map.metric);
    let window = app.map.window(count, room);
    let map = map::clusters_of(now, place, metric).into_result().ok()?;
    let cells = clusters::window(map, window);
    let cell = cells.get(app.map.cell(count, window))?;
    Some(map::cell_of(now, place, (metric, cell)))
}

/// Where the selected area stands among all; none where it does not stand there any more.
fn place(app: &App) -> Option<usize> {
    let sheet = app.state()?.panes.iter().flat_map(|pane| &pane.sheets).next()?;
    let now = &app.moment()?.now;
    let name = sheet.row_name.as_ref()?;
    // The table has a row for each area, and areas can have one name.
    let place = sheet.origin_row()?;
    let area = now.swaps.reading.known()?.get(place)?;
    (area.path.exact() == *name).then_some(place)
}

/// None where nothing is known of the area.
fn drawn(app: &App) -> Option<Drawn> {
    let (state, now, place) = (app.state()?, &app.moment()?.now, place(app)?);
    let map = map::clusters_of(now, place, app.map.metric).into_result().ok()?;
    let (_, area) = app.layout.panes.iter().find(|(pane, _)| *pane == state.focus)?;
    let lines = layout::lines(*area, app.layout.framed);
    let room = MapSize::new(usize::from(lines.width), usize::from(lines.height));
    Some(Drawn { place, clusters: map.clusters.len(), room })
}

//! Moving, zooming and explaining on the map of an area.

use super::{App, C, Overlay, PageLine, TextPage, Time, safe_text};
use crate::derive::clusters;
use crate::model::Missing;
use crate::model::clusters::ClusterView;
use crate::ui::layout;
use crate::ui::map_state::{MapSize, MapState};
use crate::ui::pane::cycle_index;
use crate::ui::screens::map;

const NO_MAP: &str = "there is no map here";

/// The map on screen: its area, number of clusters, and size.
struct Drawn {
    place: usize,
    clusters: usize,
    room: MapSize,
}

/// Moves on the map; false if keys do not go to it.
pub(super) fn go(app: &mut App, command: C) -> bool {
    if !app.is_on_map() {
        return false;
    }
    if let Some(Drawn { clusters, room, .. }) = drawn(app) {
        let signed = |cells: usize| isize::try_from(cells).unwrap_or(isize::MAX);
        let (row, page) = (signed(room.columns), signed(room.cells()));
        let by = match command {
            C::Left => -1,
            C::Right => 1,
            C::Up => -row,
            C::Down => row,
            C::PageUp => -page,
            C::PageDown => page,
            C::Top => isize::MIN,
            C::Bottom => isize::MAX,
            _ => 0,
        };
        app.map.go(by, clusters, room);
    }
    true
}

/// Zooms in or out.
pub(super) fn zoom(app: &mut App, closer: bool) {
    let Some(Drawn { clusters, room, .. }) = drawn(app) else { return app.notify(NO_MAP) };
    if !app.map.zoom(closer, clusters, room) {
        app.notify(if closer {
            "maximum zoom: each cell is one cluster"
        } else {
            "minimum zoom: the whole area is shown"
        });
    }
}

/// Changes the metric.
pub(super) fn turn_metric(app: &mut App) {
    let MapState { metric, .. } = app.map;
    app.map.metric = metric.next();
}

/// Selects the previous or next area.
pub(super) fn turn_area(app: &mut App, by: isize) {
    let Some(state) = app.state_mut() else { return };
    let Some(sheet) = state.panes.iter_mut().flat_map(|pane| &mut pane.sheets).next() else {
        return;
    };
    let count = sheet.rows().map_or(0, |rows| rows.cells.len());
    sheet.select(cycle_index(sheet.row, by, count));
}

/// Moves the cursor to a cell; true if it was there already.
pub(super) fn point_at(app: &mut App, cell: usize) -> bool {
    let Some(Drawn { clusters, room, .. }) = drawn(app) else { return false };
    let before = app.map.cell(clusters, app.map.window(clusters, room));
    app.map.go_to(cell, clusters, room);
    before == cell
}

/// Explains the cell at the cursor, or why there is no map.
pub(super) fn explain(app: &mut App) {
    let cell = of_cell(app).filter(|lines| !lines.is_empty());
    let page = cell.map(|lines| ("Clusters of the cell", lines));
    let Some((title, lines)) = page.or_else(|| Some(("Why there is no map", unknown(app)?))) else {
        return app.notify(NO_MAP);
    };
    let lines = lines.into_iter().map(|(name, text)| PageLine::named(name, text)).collect();
    app.overlays.push(Overlay::Page(TextPage::new(title, lines)));
}

/// Why there is no map of the area: in short, and for each source.
fn unknown(app: &App) -> Option<Vec<(&'static str, String)>> {
    let (place, now, metric) = (place(app)?, &app.moment()?.now, app.map.metric);
    let missing = map::clusters_of(now, place, metric).missing().cloned()?;
    let live = app.is_live() && app.source.time == Time::Newest;
    let mut lines = vec![("Why", map::why(now, (metric, live), &missing))];
    lines.extend(
        [ClusterView::Kernel, ClusterView::Stored, ClusterView::Mapped].into_iter().filter_map(
            |view| {
                let missing = clusters::map_by_view(now, view, place).missing().cloned()?;
                let is_asked = missing != Missing::NotSampled;
                is_asked
                    .then(|| (view.word(), safe_text(&clusters::describe_missing(now, &missing))))
            },
        ),
    );
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

/// The index of the selected area among all areas, if it still exists.
fn place(app: &App) -> Option<usize> {
    let sheet = app.state()?.panes.iter().flat_map(|pane| &pane.sheets).next()?;
    let now = &app.moment()?.now;
    let name = sheet.row_name.as_ref()?;
    // Several areas can have the same name: the row decides.
    let place = sheet.origin_row()?;
    let area = now.areas().get(place)?;
    (area.path.exact() == *name).then_some(place)
}

/// The map on screen; none if the clusters of the area are unknown.
fn drawn(app: &App) -> Option<Drawn> {
    let (state, now, place) = (app.state()?, &app.moment()?.now, place(app)?);
    let map = map::clusters_of(now, place, app.map.metric).into_result().ok()?;
    let (_, area) = app.layout.panes.iter().find(|(pane, _)| *pane == state.focus)?;
    let lines = layout::lines(*area, app.layout.framed);
    let room = MapSize::new(usize::from(lines.width), usize::from(lines.height));
    Some(Drawn { place, clusters: map.clusters.len(), room })
}

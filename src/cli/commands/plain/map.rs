//! The map of clusters for those who listen: of each area how much of it is free, where what is used lies,
//! for which sizes of folios it is kept, and what all of that comes from.

use super::{SpokenLine, cell};
use crate::columns::tables::clusters::{ORDERS, SPEC};
use crate::columns::{Query, Request, Rows, Spec, units};
use crate::derive::{View, clusters};
use crate::model::Snapshot;
use crate::model::clusters::ClusterMap;
use crate::ui::App;

/// Parts of an area that are told of, from its beginning to its end.
const PARTS: usize = 10;
/// What is told of each area, and of each size of folios.
const OF_AREA: &str = "name,clusters,cluster_size,free,partly,full,list_free,list_nonfull,list_frag,list_full,list_discard,list_none,largest_run,index,view,misses,seen,partial,cost";
const OF_ORDER: &str = "name,size,places,bound,share,kept";

/// All of it; nothing where no clusters are known.
pub(super) fn lines(app: &App, view: &View<'_>) -> Vec<SpokenLine> {
    let areas = of_table(app, view, (&SPEC, OF_AREA));
    let maps = (0..areas.len()).map(|place| clusters::best(view.now, place));
    let known = maps.zip(areas).enumerate().filter_map(|(place, (map, words))| {
        let map = map.known().copied()?;
        Some([words + &age(view.now, map), where_used(view.now, place, map)])
    });
    let mut all: Vec<String> = known.flatten().collect();
    if !all.is_empty() {
        all.extend(of_table(app, view, (&ORDERS, OF_ORDER)));
    }
    all.into_iter().map(|words| SpokenLine { words, figure: true }).collect()
}

/// The rows of a table, each with what its values are, as far as there are any.
fn of_table(app: &App, view: &View<'_>, (spec, columns): (&'static Spec, &str)) -> Vec<String> {
    let request = Request { columns: Some(columns.to_owned()), ..Request::default() };
    let rows =
        Query::new(spec, &request).ok().and_then(|query| query.rows(view).into_result().ok());
    rows.map_or_else(Vec::new, |rows| {
        (0..rows.cells.len()).map(|row| of_row(app, spec.name, &rows, row)).collect()
    })
}

fn of_row(app: &App, table: &str, rows: &Rows, row: usize) -> String {
    let cells = rows.cells.get(row).into_iter().flatten().zip(&rows.infos);
    let known = cells.filter(|(value, _)| value.missing().is_none());
    known.map(|(value, info)| cell(app, table, value, info)).collect::<Vec<_>>().join(", ")
}

/// How much is taken of each part.
fn where_used(now: &Snapshot, place: usize, map: &ClusterMap) -> String {
    let parts = clusters::cells(map, PARTS);
    let shares: Vec<String> = parts.iter().map(|part| units::percent(part.share())).collect();
    let areas = now.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let name = areas.get(place).map_or_else(String::new, |area| area.path.safe());
    let count = parts.len();
    let page = now.page_size.known().copied().unwrap_or(0);
    let sees = clusters::enough(map, page).known().is_some();
    let taken = if sees { "taken" } else { "seen taken" };
    format!("{name}, {taken} in {count} parts from its beginning: {}", shares.join(", "))
}

/// How old it is.
fn age(now: &Snapshot, map: &ClusterMap) -> String {
    let read = clusters::read_at(now, map.view);
    let age = read.map_or(0.0, |read| now.stamp.seconds_since(read));
    format!(", read {} ago", units::seconds(age.round()))
}

//! Where on the areas are the pages, and what can still be placed?

use crate::columns::ColumnId;
use crate::columns::tables::clusters::id as cluster_columns;
use crate::columns::tables::clusters::orders::id as cluster_orders;
use crate::columns::{text, units};
use crate::derive::clusters::{self, MapCell};
use crate::model::clusters::{ClusterMap, ClusterView};
use crate::model::name::safe_text;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Reading, Snapshot};
use crate::ui::content::{PaneLine, MapRow, wrapped};
use crate::ui::map_state::{MARGIN, Metric, MapSize};
use crate::ui::pane_data::Facts;
use crate::ui::screen::{Band, Body, Height, Pane, Screen, PaneTable};
use crate::ui::table_query::ask;
use crate::ui::theme::Role;

/// The pane with the map.
pub const MAP: &str = "map";

/// The pane with a second one.
const BESIDE: &str = "beside";

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "map",
    number: '8',
    name: "Map",
    question: "Where on the areas are pages, and what can still be placed?",
    panes: &[
        Pane {
            id: MAP,
            title: "Cluster map",
            about: "The clusters of the selected area from its beginning to its end. The kernel hands slots out by clusters, as large as a huge page on most machines. v changes what the cells show: how much is taken, for which size of folios they are kept, on which list of the kernel they are, how long ago zram touched them. } and { look closer and less so, arrows go from cell to cell, e tells all of the cell, [ and ] turn to another area, r reads anew. What it comes from stands below it, with the processor time that a look took; it is read again seldom enough to take at most 2% of one processor.",
            body: Body::Filling {
                asks: &[ask!(cluster_columns: NAME CLUSTERS CLUSTER_SIZE)],
                lines: map,
            },
        },
        Pane {
            id: BESIDE,
            title: "Beside it",
            about: "The same of the next area, to compare; where there is a single one, its clusters by something else that is known of them. It stands beside the first map where the terminal is large. Keys act on the first one.",
            body: Body::Filling {
                asks: &[ask!(cluster_columns: NAME CLUSTERS CLUSTER_SIZE)],
                lines: beside,
            },
        },
        Pane {
            id: "areas",
            title: "Areas",
            about: "The areas, by the best view into the kernel that there is: how many of their clusters are free, how many are partly taken and full, the longest row of free ones, the part of the free slots that folios of 64K cannot use (INDEX), and what the view sees of what is used (SEEN). Where it sees too little of that, what is free is not known.",
            body: Body::Tables(&[PaneTable {
                name: "areas",
                table: "clusters",
                columns: Some("name,free,partly,full,seen,index,largest_run,view"),
                sort: None,
            }]),
        },
        Pane {
            id: "room",
            title: "Can still be placed",
            about: "How many folios of each size can still be placed on the selected area, and which part of its free slots can take them. A large folio goes to a free cluster or to one kept for its size; where there is none, it is split first. Where the view does not tell what clusters are kept for, only single pages and whole clusters are known; where it sees too little of what is used, it is the most that can fit.",
            body: Body::Facts {
                asks: &[
                    ask!(cluster_orders: NAME ORDER SIZE PLACES BOUND SHARE KEPT),
                    ask!(cluster_columns: NAME CLUSTERS LARGEST_RUN),
                ],
                lines: room,
            },
        },
    ],
    bands: &[
        Band { panes: &[(MAP, 100)], height: Height::Rest },
        Band { panes: &[("areas", 62), ("room", 38)], height: Height::Fits(8) },
    ],
    wide: &[
        Band { panes: &[(MAP, 50), (BESIDE, 50)], height: Height::Rest },
        Band { panes: &[("areas", 62), ("room", 38)], height: Height::Fits(13) },
    ],
};

/// An area as the map shows it.
struct Chart<'a> {
    clusters: &'a ClusterMap,
    page: u64,
    metric: Metric,
    /// Seconds after boot.
    now_s: u64,
}

impl<'a> Chart<'a> {
    fn new(snapshot: &Snapshot, clusters: &'a ClusterMap, metric: Metric) -> Self {
        let page = snapshot.page_size.known().copied().unwrap_or(0);
        Self { clusters, page, metric, now_s: seconds(snapshot) }
    }

    /// Is that free which looks free?
    fn sees_enough(&self) -> bool {
        clusters::if_enough_visible(self.clusters, self.page).known().is_some()
    }
}

/// The clusters that a map of this metric is drawn from.
pub fn clusters_of(snapshot: &Snapshot, place: usize, metric: Metric) -> Reading<&ClusterMap> {
    match metric.required_view() {
        None => clusters::best_view(snapshot, place),
        Some(view) => clusters::map_by_view(snapshot, view, place),
    }
}

fn map(facts: &Facts<'_>) -> Vec<PaneLine> {
    let Some((snapshot, row)) = facts.snapshot().zip(facts.picked_row()) else {
        let words = facts.answers.failed("clusters").unwrap_or_else(|| {
            if facts.count("clusters") == 0 {
                "No swap area is active: nothing is to be seen.".to_owned()
            } else {
                "No area is selected: the filter of the areas leaves none.".to_owned()
            }
        });
        return wrapped(&words, facts.width, Role::Faint);
    };
    map_lines(facts, snapshot, (row, facts.map.metric), Keys::ActOnIt)
}

/// The same of another area, or of something else.
fn beside(facts: &Facts<'_>) -> Vec<PaneLine> {
    let found = facts.snapshot().and_then(|snapshot| Some((snapshot, other(facts, snapshot)?)));
    let Some((snapshot, other)) = found else {
        let words =
            "There is no other area, and nothing else is known of the clusters of this one.";
        return wrapped(words, facts.width, Role::Faint);
    };
    map_lines(facts, snapshot, other, Keys::ActElsewhere)
}

/// The next area by the same metric; of a single one another metric that is known.
fn other(facts: &Facts<'_>, snapshot: &Snapshot) -> Option<(usize, Metric)> {
    let (row, count, metric) = (facts.picked_row()?, facts.count("clusters"), facts.map.metric);
    if count > 1 {
        return Some(((row + 1) % count, metric));
    }
    let mut others = Metric::ALL.into_iter().filter(|other| *other != metric);
    let known = others.find(|other| clusters_of(snapshot, row, *other).known().is_some());
    known.map(|other| (row, other))
}

/// Of two maps, is it the one with the cursor?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    ActOnIt,
    ActElsewhere,
}

/// The map of an area, by a metric.
fn map_lines(
    facts: &Facts<'_>,
    snapshot: &Snapshot,
    (row, metric): (usize, Metric),
    keys: Keys,
) -> Vec<PaneLine> {
    let mut lines = vec![head(facts, (row, metric), keys)];
    match clusters_of(snapshot, row, metric).into_result() {
        Ok(clusters) => {
            let chart = Chart::new(snapshot, clusters, metric);
            lines.extend(grid_lines(facts, &chart, keys));
            lines.push(source(snapshot, row, &chart));
        }
        Err(missing) => {
            let words = why(snapshot, (metric, facts.live), &missing);
            lines.extend(wrapped(&words, facts.width, Role::Text));
        }
    }
    lines
}

/// The area, and what the cells show.
fn head(facts: &Facts<'_>, (row, metric): (usize, Metric), keys: Keys) -> PaneLine {
    let words = |column| facts.words(column, row);
    let name = words(cluster_columns::NAME) + &same_file_name(facts, row);
    let line = PaneLine::new().text(name, Role::Text);
    let of = format!(
        "{} clusters of {}",
        words(cluster_columns::CLUSTERS),
        words(cluster_columns::CLUSTER_SIZE)
    );
    let line = line.label(of).drops(2).fill().label("by").drops(1);
    if keys == Keys::ActElsewhere {
        return line.label(metric.word());
    }
    Metric::ALL.into_iter().fold(line, |line, of| {
        if of == metric {
            line.text(format!("[{}]", of.word()), Role::Accent)
        } else {
            line.label(of.word()).drops(1)
        }
    })
}

/// Which of several areas it is that have one name.
fn same_file_name(facts: &Facts<'_>, row: usize) -> String {
    let areas = facts.snapshot().and_then(|snapshot| snapshot.swaps.reading.known());
    let Some((areas, area)) = areas.and_then(|areas| Some((areas, areas.get(row)?))) else {
        return String::new();
    };
    let alike = |areas: &[SwapArea]| areas.iter().filter(|it| it.path == area.path).count();
    let (all, before) = (alike(areas), alike(areas.get(..row).unwrap_or_default()));
    let gone = if area.deleted { ", its path is gone" } else { "" };
    if all > 1 { format!(" ({} of {all}{gone})", before + 1) } else { String::new() }
}

/// Seconds after boot.
const fn seconds(snapshot: &Snapshot) -> u64 {
    snapshot.stamp.boot_ns / 1_000_000_000
}

/// Why there is no map, and what shows one: here, or at another time than the newest.
pub fn why(snapshot: &Snapshot, (metric, live): (Metric, bool), missing: &Missing) -> String {
    // Page tables take longest: until they were gone through, nobody knows what the others would not tell.
    let tables = snapshot.mapped_clusters.reading.missing();
    let is_awaited = live && metric.required_view().is_none() && tables == Some(&Missing::NotSampled);
    if is_awaited || *missing == Missing::NotSampled {
        let words = if live {
            "The clusters are being looked at."
        } else {
            "Nobody looked at the clusters at this moment: they are looked at while this screen is open, and kept of the newest moment only."
        };
        return words.to_owned();
    }
    let of = match metric.required_view() {
        Some(ClusterView::Kernel) => "Only the kernel's own memory tells this. ",
        Some(_) => "Only zram tells this, of its own areas. ",
        None => "",
    };
    let else_ = if metric == Metric::Use { "" } else { " v shows something else." };
    let why = safe_text(&clusters::describe_missing(snapshot, missing));
    format!("{of}Not known here: {why}.{else_}")
}

fn grid_lines(facts: &Facts<'_>, chart: &Chart<'_>, keys: Keys) -> Vec<PaneLine> {
    let room = MapSize::new(facts.width, facts.height);
    let count = chart.clusters.clusters.len();
    let window = facts.map.window(count, room);
    let selected = (keys == Keys::ActOnIt).then(|| facts.map.cell(count, window));
    let cells = clusters::window(chart.clusters, window);
    let row = |(number, cells): (usize, &[MapCell])| {
        let first = number * room.columns;
        let selected = selected.and_then(|cell| cell.checked_sub(first));
        let selected = selected.filter(|place| *place < cells.len());
        let offset = chart.offset(cells.first().map_or(0, |cell| cell.first));
        let shades = cells.iter().map(|cell| chart.metric.shade(cell, chart.now_s)).collect();
        PaneLine::new().text(format!("{offset:>MARGIN$}"), Role::Label).shades(MapRow {
            first: (keys == Keys::ActOnIt).then_some(first),
            shades,
            selected,
        })
    };
    let mut lines: Vec<PaneLine> = cells.chunks(room.columns).enumerate().map(row).collect();
    lines.extend(
        selected
            .and_then(|cell| cells.get(cell))
            .map(|cell| at_cursor(chart, cell, facts.width).drops_line(1)),
    );
    lines.push(legend(chart, &cells, window.each).drops_line(2));
    lines
}

impl Chart<'_> {
    fn cluster(&self) -> Bytes {
        self.clusters.cluster_bytes(self.page)
    }

    /// Where on the area a cluster begins.
    fn offset(&self, cluster: usize) -> String {
        units::exact(Bytes((cluster as u64).saturating_mul(self.cluster().0)))
    }
}

/// What is known of the clusters that keys act on, as far as there is room for it.
fn at_cursor(chart: &Chart<'_>, cell: &MapCell, width: usize) -> PaneLine {
    let mut facts = facts_of(chart, cell);
    // What the cells show is told first.
    facts.sort_by_key(|fact| fact.name != chart.metric.fact_name());
    let mut words = place_of(chart, cell);
    for fact in facts {
        let longer = format!("{words}, {}", fact.said);
        if text::width(&longer) + MARK.len() >= width {
            break;
        }
        words = longer;
    }
    PaneLine::new().text(MARK, Role::Accent).text(words, Role::Text)
}

/// Stands before what is told of the selected cell.
const MARK: &str = ">";

fn place_of(chart: &Chart<'_>, cell: &MapCell) -> String {
    let offset = chart.offset(cell.first);
    match cell.clusters {
        1 => format!("{offset}: cluster {}", cell.first),
        count => format!("{offset}: clusters {} to {}", cell.first, cell.first + count - 1),
    }
}

/// Something that is known of some clusters.
struct Fact {
    name: &'static str,
    value: String,
    /// The same in a sentence.
    said: String,
}

impl Fact {
    fn new(name: &'static str, value: String, said: impl FnOnce(&str) -> String) -> Self {
        let said = said(&value);
        Self { name, value, said }
    }
}

fn facts_of(chart: &Chart<'_>, cell: &MapCell) -> Vec<Fact> {
    let header = if cell.first == 0 { ", the header among them" } else { "" };
    let (taken, sees) = (format!("{} of {} slots", cell.taken, cell.slots), chart.sees_enough());
    let said = format!("{taken} {}", if sees { "taken" } else { "seen taken" });
    let mut facts = vec![Fact::new("Taken", taken + header, |_| said)];
    let several = cell.clusters > 1;
    if several && cell.free > 0 {
        let free = format!("{} clusters", cell.free);
        facts.push(if sees {
            Fact::new("Free", free, |free| format!("{free} free"))
        } else {
            Fact::new("Nothing seen", free, |free| format!("nothing seen on {free}"))
        });
    }
    let most = if several { "most " } else { "" };
    facts.extend(cell.order.filter(|_| cell.free < cell.clusters).map(|order| {
        let size = units::size(clusters::folio_size(order, chart.page));
        Fact::new("Kept for", format!("{most}{size}"), |_| format!("{most}kept for {size}"))
    }));
    facts.extend(cell.list.map(|list| {
        let list = clusters::list_name(list);
        Fact::new("List", format!("{most}{list}"), |_| format!("{most}on list {list}"))
    }));
    facts.extend(cell.marks.and_then(|marks| marks.touched_s).map(|at| {
        let ago = units::seconds(chart.now_s.saturating_sub(at) as f64);
        Fact::new("Touched", format!("{ago} ago"), |ago| format!("touched {ago}"))
    }));
    facts.extend(marks_of(cell));
    facts
}

/// What zram has marked of them, as far as there is any of it.
fn marks_of(cell: &MapCell) -> impl Iterator<Item = Fact> {
    let marks = cell.marks.unwrap_or_default();
    let counted = [
        ("Same", marks.same, "same-filled"),
        ("Huge", marks.huge, "incompressible"),
        ("Idle", marks.idle, "idle"),
        ("Written", marks.written, "written back"),
    ];
    counted.into_iter().filter(|(_, count, _)| *count > 0).map(|(name, count, word)| {
        Fact::new(name, format!("{count} slots"), |_| format!("{count} {word}"))
    })
}

fn legend(chart: &Chart<'_>, cells: &[MapCell], each: usize) -> PaneLine {
    let of = |line: PaneLine, (shade, word): (_, String)| {
        line.shades(MapRow { first: None, shades: vec![shade], selected: None }).label(word)
    };
    let empty = if chart.sees_enough() { "free" } else { "nothing seen" };
    let line = chart.metric.legend(chart.page, cells, empty).into_iter().fold(PaneLine::new(), of);
    let bytes = units::size(Bytes((each as u64).saturating_mul(chart.cluster().0)));
    let clusters = if each == 1 { "1 cluster".to_owned() } else { format!("{each} clusters") };
    line.fill().label(format!("a cell: {clusters}, {bytes}")).drops(1)
}

/// The view, what it misses, how old it is and what it cost.
fn source(snapshot: &Snapshot, row: usize, chart: &Chart<'_>) -> PaneLine {
    let clusters = chart.clusters;
    let at = clusters::read_at(snapshot, clusters.view);
    let age = at.map_or(0.0, |at| snapshot.stamp.seconds_since(at));
    let cost = clusters.cost_us as f64 / 1e6;
    let line = PaneLine::new().label("from").text(clusters::view_name(clusters.view), Role::Text);
    let seen = examined_share(snapshot, clusters, (row, chart.page));
    let is_enough = chart.sees_enough();
    let line = match seen {
        Some(share) if !is_enough => {
            line.text(format!("only {} of what is used seen!", units::percent(share)), Role::Warn)
        }
        Some(share) => {
            line.label(format!("{} of what is used seen", units::percent(share))).drops(1)
        }
        None => line,
    };
    let line = line.label(format!("read {} ago", units::seconds(age.round())));
    let line = line.label(format!("took {}", units::seconds(cost)));
    let line = match &clusters.partial {
        Some(why) => line.text(format!("not whole: {}", safe_text(why)), Role::Warn),
        None => line.label(format!("misses {}", clusters::not_shown_by_map(clusters))).drops(4),
    };
    // What says that the map is not all stays as long as the map.
    let is_short = !is_enough || clusters.partial.is_some();
    line.drops_line(if is_short { 0 } else { 3 })
}

/// What a view sees of what is used of an area.
fn examined_share(snapshot: &Snapshot, clusters: &ClusterMap, (place, page): (usize, u64)) -> Option<f64> {
    let area = snapshot.swaps.reading.known()?.get(place)?;
    clusters::visible_share(clusters, area.used.clone(), page).known().copied()
}

/// All that is known of the cell of the cursor, for its page.
pub fn cell_of(
    snapshot: &Snapshot,
    place: usize,
    (metric, cell): (Metric, &MapCell),
) -> Vec<(&'static str, String)> {
    let Ok(clusters) = clusters_of(snapshot, place, metric).into_result() else { return vec![] };
    let chart = Chart::new(snapshot, clusters, metric);
    let mut lines = vec![("Where", place_of(&chart, cell))];
    lines.extend(facts_of(&chart, cell).into_iter().map(|fact| (fact.name, fact.value)));
    lines.push(("Drawn", format!("by {}: {}", metric.word(), metric.about())));
    lines.push(("View", clusters::view_name(clusters.view).to_owned()));
    lines.push(("Misses", clusters::not_shown_by_map(clusters).to_owned()));
    lines.extend(clusters.partial.clone().map(|why| ("Not whole", safe_text(&why))));
    lines
}

/// Sizes that stay where there is little room: a page, a size that many kernels use, a huge page.
const STAY: [&str; 3] = ["4K", "64K", "2M"];

fn room(facts: &Facts<'_>) -> Vec<PaneLine> {
    let Some(row) = facts.picked_row() else {
        return wrapped("No area is selected.", facts.width, Role::Faint);
    };
    let head = |word: &str, cells: usize| format!("{word:>cells$}");
    let orders = orders_of(facts, row);
    let bound = orders.last().map(|order| facts.words(cluster_orders::BOUND, *order));
    let fit = if bound.as_deref() == Some("at most") { "AT MOST" } else { "FIT" };
    let heads = PaneLine::new().label(head("FOLIO", 6)).label(head(fit, 7)).label(head("SHARE", 6));
    let mut lines = vec![heads.label(head("KEPT", 6)).drops(1)];
    for order in orders {
        let figure = |column| facts.figure(column, order);
        let stays = STAY.contains(&facts.words(cluster_orders::SIZE, order).as_str());
        let line = PaneLine::new()
            .figure(figure(cluster_orders::SIZE).wide(6))
            .figure(figure(cluster_orders::PLACES).wide(7))
            .figure(figure(cluster_orders::SHARE).wide(6))
            .figure(figure(cluster_orders::KEPT).wide(6).drops(1));
        lines.push(line.drops_line(if stays { 1 } else { 3 }));
    }
    let run = facts.figure(cluster_columns::LARGEST_RUN, row).wide(6);
    lines.push(PaneLine::new().figure(run).label("longest free run").drops_line(2));
    lines
}

/// The sizes of folios of an area. Areas may have one name: those of which they are known stand in the
/// same order, and each begins with a page.
fn orders_of(facts: &Facts<'_>, area: usize) -> Vec<usize> {
    const TABLE: &str = "cluster_orders";
    let name = facts.plain(cluster_columns::NAME, area);
    let is_known = |row: &usize| facts.number(cluster_columns::CLUSTERS, *row).is_some();
    let is_called = |column: ColumnId, row: usize| facts.plain(column, row) == name;
    let before =
        (0..area).filter(is_known).filter(|row| is_called(cluster_columns::NAME, *row)).count();
    let rows = (0..facts.count(TABLE)).filter(|row| is_called(cluster_orders::NAME, *row));
    let begun = |begun: &mut usize, row: usize| {
        *begun += usize::from(facts.number(cluster_orders::ORDER, row) == Some(0.0));
        Some((*begun, row))
    };
    let rows = rows.scan(0, begun);
    rows.filter(|(begun, _)| is_known(&area) && *begun == before + 1).map(|(_, row)| row).collect()
}

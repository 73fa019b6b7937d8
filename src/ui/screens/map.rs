//! The map screen: where pages are on the areas, and which folios still fit.

mod grid;

pub(super) use grid::clusters_with_cpus;

use super::{
    Band, ColumnId, Facts, Height, Missing, Pane, PaneLine, PaneTable, Role, Screen, ask,
    safe_text, text, units,
};
use crate::columns::tables::clusters::orders::id as cluster_orders;
use crate::derive::clusters::{self, MapCell};
use crate::model::clusters::{ClusterMap, ClusterView};
use crate::model::swaparea::SwapArea;
use crate::model::text::format_time_of_day;
use crate::model::{Bytes, Reading, Snapshot};
use crate::ui::content::{MapRow, Shade};
use crate::ui::map_state::{MapSize, Metric};
use crate::ui::table_query::ids::clusters as cluster_columns;
use grid::{CellGrid, CpuMarks};

/// The pane with the map.
pub const MAP: &str = "map";

/// The pane with the other maps.
const BESIDE: &str = "beside";

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "map",
    number: '8',
    name: "Map",
    question: "Where are pages on the areas, and which folios still fit?",
    answer: Pane::answer(answer)
        .about("Free clusters of the selected area, and the share of its free slots that 64K folios cannot use.")
        .asks(&[
            ask!(cluster_columns: NAME CLUSTERS FREE FRAGMENTATION LARGEST_RUN),
            ask!(cluster_orders: NAME ORDER SIZE FITS BOUND USABLE_SHARE),
        ]),
    panes: &[
        Pane::facts(MAP, "Cluster map", map)
            .filling()
            .about("The clusters of the selected area, from its beginning to its end. The kernel allocates slots by cluster; on most machines a cluster is as large as a huge page. v changes the metric: use, folio order, kernel list, or age (when zram last accessed it). } and { zoom, arrows move between cells, e explains the cell, [ and ] select another area, r scans again. The line below the map names the source, its coverage, and the CPU time of the scan. Repeated scans use at most 2% of one CPU.")
            .asks(&[ask!(cluster_columns: NAME CLUSTERS CLUSTER_SIZE)]),
        Pane::facts(BESIDE, "Other maps", beside)
            .filling()
            .about("The same map for the other areas, as many as fit, to compare. With a single area, its other metrics. Shown on large terminals; keys act on the first map.")
            .asks(&[ask!(cluster_columns: NAME CLUSTERS CLUSTER_SIZE)]),
        Pane::tables("areas", "Areas", &[PaneTable::new("areas", "clusters")
            .columns("name,free,partly,full,coverage,fragmentation,largest_run,view")])
        .about("The areas with their clusters, read from the best source available: how many clusters are free, partly used and full, the longest run of free clusters, the share of free slots that 64K folios cannot use (FRAG), and the share of used slots that the source sees (COVERAGE). If it sees too few of them, the free clusters are unknown."),
        Pane::facts("room", "Folios that fit", room)
            .about("How many folios of each size still fit on the selected area, and the share of its free slots that they can use. A large folio needs a free cluster, or one already used for its size; otherwise it is split. If the source does not show the order of clusters, only single pages and whole clusters are counted. If it sees too few used slots, the numbers are upper bounds.")
            .asks(&[
                ask!(cluster_orders: NAME ORDER SIZE FITS BOUND USABLE_SHARE CLUSTERS),
                ask!(cluster_columns: NAME CLUSTERS LARGEST_RUN),
            ]),
    ],
    bands: &[
        Band { panes: &[(MAP, 100)], height: Height::Rest },
        Band { panes: &[("areas", 62), ("room", 38)], height: Height::Fits(9) },
    ],
    wide: &[
        Band { panes: &[(MAP, 50), (BESIDE, 50)], height: Height::Rest },
        Band { panes: &[("areas", 62), ("room", 38)], height: Height::Fits(15) },
    ],
};

fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    let Some(row) = facts.picked_row().filter(|row| *row < facts.count("clusters")) else {
        return vec![PaneLine::new().label("No area is selected.")];
    };
    let figure = |column| facts.figure(column, row);
    let line = PaneLine::new().figure(figure(cluster_columns::NAME).without_folder().left());
    let missing = facts.missing(cluster_columns::FREE, row);
    if let Some(missing) = missing {
        let why = match missing {
            Missing::NotSampled => "not read yet".to_owned(),
            missing => missing.why(),
        };
        return vec![line.label("- free clusters unknown").extra(1, format!("({why})"))];
    }
    let line = line.label("has");
    let line = line.figure(figure(cluster_columns::FREE)).extra(1, "of");
    let line = line.figure(figure(cluster_columns::CLUSTERS).drops(1)).label("clusters free");
    if facts.number(cluster_columns::FRAGMENTATION, row).is_none() {
        return vec![line];
    }
    let line = line.extra(2, "- too scattered for 64K folios:");
    let line = line.figure(facts.judged(cluster_columns::FRAGMENTATION, row).drops(2));
    vec![line.extra(2, "of its free slots")]
}

/// An area as the map shows it.
struct Chart<'a> {
    clusters: &'a ClusterMap,
    page: u64,
    metric: Metric,
    /// Seconds after boot.
    now_s: u64,
    /// The CPUs that take their next slot in a cluster, if they are shown.
    cpus: CpuMarks,
}

impl<'a> Chart<'a> {
    fn new(snapshot: &Snapshot, clusters: &'a ClusterMap, metric: Metric) -> Self {
        let page = snapshot.page_size.known().copied().unwrap_or(0);
        Self { clusters, page, metric, now_s: seconds(snapshot), cpus: CpuMarks::default() }
    }

    /// The shade of a cell: a CPU that uses one of its clusters, or else the metric.
    fn shade(&self, cell: &MapCell) -> Shade {
        self.cpus.shade(cell).unwrap_or_else(|| self.metric.shade(cell, self.now_s))
    }

    /// Does the source see enough to trust clusters that look free?
    fn sees_enough(&self) -> bool {
        clusters::if_enough_visible(self.clusters, self.page).known().is_some()
    }
}

/// The clusters from which the map of a metric is drawn.
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
                "No swap area is active.".to_owned()
            } else {
                "No area is selected: the filter hides all areas.".to_owned()
            }
        });
        return facts.wrapped(&words, Role::Faint);
    };
    map_lines(facts, snapshot, (row, facts.map.metric), Keys::ActOnIt)
}

/// The maps of the other areas, as many as fit, or other metrics of a single area.
fn beside(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines: Vec<PaneLine> = Vec::new();
    let Some((snapshot, _)) = facts.snapshot().zip(facts.picked_row()) else { return lines };
    for other in others(facts, snapshot) {
        let height = facts.height.saturating_sub(lines.len());
        if !lines.is_empty() && height < LEAST_MAP {
            break;
        }
        let here = Facts { height, ..*facts };
        lines.extend(map_lines(&here, snapshot, other, Keys::ActElsewhere));
    }
    if lines.is_empty() {
        let words = "Nothing to compare: this is the only area, and its other metrics are unknown.";
        return facts.wrapped(words, Role::Faint);
    }
    lines
}

/// Lines of the smallest map: its heading, a row, the legend and the source.
const LEAST_MAP: usize = 5;

/// The other areas with the same metric, or other known metrics of a single area.
fn others(facts: &Facts<'_>, snapshot: &Snapshot) -> Vec<(usize, Metric)> {
    let (Some(row), count) = (facts.picked_row(), facts.count("clusters")) else { return vec![] };
    let metric = facts.map.metric;
    if count > 1 {
        return (1..count).map(|next| ((row + next) % count, metric)).collect();
    }
    let others = Metric::ALL.into_iter().filter(|other| *other != metric);
    let known = others.filter(|other| clusters_of(snapshot, row, *other).known().is_some());
    known.map(|other| (row, other)).collect()
}

/// Whether keys act on a map: of two maps, only the first has a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    ActOnIt,
    ActElsewhere,
}

/// The map of an area by a metric.
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
            let room = MapSize::new(facts.width, facts.height);
            let grid = CellGrid::new(&chart, facts.map, room);
            let selected = (keys == Keys::ActOnIt).then(|| grid.selected(facts.map));
            lines.extend(grid.lines(selected));
            let cell = selected.and_then(|cell| grid.cells.get(cell));
            lines.extend(cell.map(|cell| at_cursor(&chart, cell, facts.width).drops_line(1)));
            lines.push(legend(&[&grid]).drops_line(2));
            lines.push(source(snapshot, row, &chart));
        }
        Err(missing) => {
            let words = why(snapshot, (metric, facts.live), &missing);
            lines.extend(facts.wrapped(&words, Role::Text));
        }
    }
    lines
}

/// The name of the area, and the metric.
fn head(facts: &Facts<'_>, (row, metric): (usize, Metric), keys: Keys) -> PaneLine {
    let words = |column| facts.words(column, row);
    let name = words(cluster_columns::NAME) + &same_file_name(facts, row);
    let line = PaneLine::new().text(name, Role::Text);
    let of = match facts.number(cluster_columns::CLUSTERS, row) {
        None => "clusters unknown".to_owned(),
        Some(_) => format!(
            "{} clusters of {}",
            words(cluster_columns::CLUSTERS),
            words(cluster_columns::CLUSTER_SIZE)
        ),
    };
    let line = line.extra(2, of).fill();
    if keys == Keys::ActElsewhere {
        return line.extra(1, "metric:").label(metric.word());
    }
    // The key that changes the metric of this map.
    let line = line.extra(1, "v:");
    Metric::ALL.into_iter().fold(line, |line, of| {
        if of == metric {
            line.text(format!("[{}]", of.word()), Role::Accent)
        } else {
            line.extra(1, of.word())
        }
    })
}

/// Which of several areas with the same name this is.
fn same_file_name(facts: &Facts<'_>, row: usize) -> String {
    let areas = facts.snapshot().and_then(|snapshot| snapshot.swaps.reading.known());
    let Some((areas, area)) = areas.and_then(|areas| Some((areas, areas.get(row)?))) else {
        return String::new();
    };
    let alike = |areas: &[SwapArea]| areas.iter().filter(|it| it.path == area.path).count();
    let (all, before) = (alike(areas), alike(areas.get(..row).unwrap_or_default()));
    let gone = if area.deleted { ", deleted" } else { "" };
    if all > 1 { format!(" ({} of {all}{gone})", before + 1) } else { String::new() }
}

/// Seconds after boot.
const fn seconds(snapshot: &Snapshot) -> u64 {
    snapshot.stamp.boot_ns / 1_000_000_000
}

/// Why there is no map, and how to get one.
pub fn why(snapshot: &Snapshot, (metric, live): (Metric, bool), missing: &Missing) -> String {
    // Page tables are scanned last: until then, the other sources alone decide nothing.
    let tables = snapshot.mapped_clusters.reading.missing();
    let is_awaited =
        live && metric.required_view().is_none() && tables == Some(&Missing::NotSampled);
    if is_awaited || *missing == Missing::NotSampled {
        let words = if live {
            "Scanning the clusters."
        } else {
            "No cluster scan in this sample: clusters are scanned only while this screen is open, and only the newest scan is kept."
        };
        return words.to_owned();
    }
    let of = match metric.required_view() {
        Some(ClusterView::Kernel) => "Only kernel memory shows this. ",
        Some(_) => "Only zram areas show this. ",
        None => "",
    };
    let else_ = if metric == Metric::Use { "" } else { " Press v for another metric." };
    let why = safe_text(&clusters::describe_missing(snapshot, missing));
    format!("{of}Unknown here: {why}.{else_}")
}

impl Chart<'_> {
    fn cluster(&self) -> Bytes {
        self.clusters.cluster_bytes(self.page)
    }

    /// The offset of a cluster on the area.
    fn offset(&self, cluster: usize) -> String {
        units::exact(Bytes((cluster as u64).saturating_mul(self.cluster().0)))
    }
}

/// The facts about the selected clusters, as many as fit.
fn at_cursor(chart: &Chart<'_>, cell: &MapCell, width: usize) -> PaneLine {
    let mut facts = facts_of(chart, cell);
    // The fact of the current metric comes first.
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

/// The mark before the facts of the selected cell.
const MARK: &str = ">";

fn place_of(chart: &Chart<'_>, cell: &MapCell) -> String {
    let offset = chart.offset(cell.first);
    match cell.clusters {
        1 => format!("{offset}: cluster {}", cell.first),
        count => format!("{offset}: clusters {} to {}", cell.first, cell.first + count - 1),
    }
}

/// A fact about some clusters.
struct Fact {
    name: &'static str,
    value: String,
    /// The fact as part of a sentence.
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
    let (used, sees) = (format!("{} of {} slots", cell.taken, cell.slots), chart.sees_enough());
    let said = format!("{used} {}", if sees { "used" } else { "seen used" });
    let mut facts = vec![Fact::new("Used", used + header, |_| said)];
    let several = cell.clusters > 1;
    if several && cell.free > 0 {
        let free = format!("{} clusters", cell.free);
        facts.push(if sees {
            Fact::new("Free", free, |free| format!("{free} free"))
        } else {
            Fact::new("No use seen", free, |free| format!("no use seen on {free}"))
        });
    }
    let most = if several { "mostly " } else { "" };
    facts.extend(cell.order.filter(|_| cell.free < cell.clusters).map(|order| {
        let size = units::size(clusters::folio_size(order, chart.page));
        Fact::new("Order", format!("{most}{size}"), |_| format!("{most}for {size} folios"))
    }));
    facts.extend(cell.list.map(|list| {
        let list = list.word();
        Fact::new("List", format!("{most}{list}"), |_| format!("{most}on list {list}"))
    }));
    facts.extend(cell.marks.and_then(|marks| marks.touched_s).map(|at| {
        let ago = units::seconds(chart.now_s.saturating_sub(at) as f64);
        Fact::new("Accessed", format!("{ago} ago"), |ago| format!("accessed {ago}"))
    }));
    facts.extend(marks_of(cell));
    facts
}

/// The marks that zram has on these clusters, if any.
fn marks_of(cell: &MapCell) -> impl Iterator<Item = Fact> {
    let marks = cell.marks.unwrap_or_default();
    let counted = [
        ("Same", marks.same, "same-filled"),
        ("Huge", marks.huge, "incompressible"),
        ("Idle", marks.idle, "idle"),
        ("Written", marks.written, "written back"),
    ];
    counted.into_iter().filter(|(_, count, _)| *count > 0).map(|(name, count, word)| {
        Fact::new(name, format!("{count} slots"), |_| format!("{count} of them {word}"))
    })
}

/// The signs of maps with the same metric that are below each other.
fn legend(grids: &[&CellGrid<'_>]) -> PaneLine {
    let Some(CellGrid { chart, window, .. }) = grids.first() else { return PaneLine::new() };
    let of = |line: PaneLine, (shade, word): (_, String)| {
        line.shades(MapRow::characters(vec![shade])).label(word)
    };
    let empty = if chart.sees_enough() { "free" } else { "unseen" };
    let line = PaneLine::new().extra(2, chart.metric.legend_name());
    // Beside the numbers of CPUs there is only room for the signs of these cells.
    let sign = grids.iter().find_map(|grid| grid.chart.cpus.sign());
    let cpu = sign.map(|sign| (sign, "CPU number".to_owned()));
    let cells: Vec<MapCell> = grids.iter().flat_map(|grid| grid.cells.iter().copied()).collect();
    let shade = |cell: &MapCell| chart.metric.shade(cell, chart.now_s);
    let is_used = |sign: &Shade| cpu.is_none() || cells.iter().any(|cell| shade(cell) == *sign);
    let signs = chart.metric.legend(chart.page, &cells, empty).into_iter();
    let line = signs.filter(|(sign, _)| is_used(sign)).chain(cpu.clone()).fold(line, of);
    let each = window.each;
    let bytes = units::size(Bytes((each as u64).saturating_mul(chart.cluster().0)));
    let clusters = if each == 1 { "1 cluster".to_owned() } else { format!("{each} clusters") };
    line.fill().extra(1, format!("cell: {clusters}, {bytes}"))
}

/// The source of the map, what it does not cover, its age and its cost.
fn source(snapshot: &Snapshot, row: usize, chart: &Chart<'_>) -> PaneLine {
    let clusters = chart.clusters;
    let at = clusters::read_at(snapshot, clusters.view);
    let age = at.map_or(0.0, |at| snapshot.stamp.seconds_since(at));
    let cost = clusters.cost_us as f64 / 1e6;
    let line = PaneLine::new()
        .label("from")
        .text(clusters::view_word(snapshot, clusters.view), Role::Text);
    let seen = examined_share(snapshot, clusters, (row, chart.page));
    let is_enough = chart.sees_enough();
    let line = match seen {
        Some(share) if !is_enough => {
            line.text(format!("- only {} of used slots seen!", units::percent(share)), Role::Warn)
        }
        Some(share) => line.extra(1, format!("- {} of used slots seen", units::percent(share))),
        None => line,
    };
    let line = line.extra(2, format!("- read {} ago", units::seconds(age.round())));
    let line = line.label(format!("- took {}", units::seconds(cost)));
    let line = match &clusters.partial {
        Some(why) => line.text(format!("- incomplete: {}", safe_text(why)), Role::Warn),
        None => line.extra(4, format!("- not shown: {}", clusters::not_shown_by_map(clusters))),
    };
    // A warning that the map is incomplete stays as long as the map.
    let is_short = !is_enough || clusters.partial.is_some();
    line.drops_line(if is_short { 0 } else { 3 })
}

/// The share of an area's used slots that the source sees.
fn examined_share(
    snapshot: &Snapshot,
    clusters: &ClusterMap,
    (place, page): (usize, u64),
) -> Option<f64> {
    let area = snapshot.areas().get(place)?;
    clusters::visible_share(clusters, area.used.clone(), page).known().copied()
}

/// All facts about the cell of the cursor, for its page.
pub fn cell_of(
    snapshot: &Snapshot,
    place: usize,
    (metric, cell): (Metric, &MapCell),
) -> Vec<(&'static str, String)> {
    let Ok(clusters) = clusters_of(snapshot, place, metric).into_result() else { return vec![] };
    let chart = Chart::new(snapshot, clusters, metric);
    let mut lines = vec![("Where", place_of(&chart, cell))];
    lines.extend(facts_of(&chart, cell).into_iter().map(|fact| (fact.name, fact.value)));
    lines.push(("Metric", format!("{}: {}", metric.word(), metric.about())));
    lines.push(("View", clusters::view_word(snapshot, clusters.view).to_owned()));
    lines.push(("Not shown", clusters::not_shown_by_map(clusters).to_owned()));
    lines.extend(clusters.partial.clone().map(|why| ("Incomplete", safe_text(&why))));
    // The map goes on changing behind the page.
    lines.push(("As of", format_time_of_day(snapshot.stamp.wall_ms)));
    lines
}

/// Sizes kept in a low pane: a page, a size used by many kernels, a huge page.
const STAY: [&str; 3] = ["4K", "64K", "2M"];

fn room(facts: &Facts<'_>) -> Vec<PaneLine> {
    let Some(row) = facts.picked_row() else {
        return facts.wrapped("No area is selected.", Role::Faint);
    };
    let head = |word: &str, cells: usize| format!("{word:>cells$}");
    let orders = orders_of(facts, row);
    let bound = orders.last().map(|order| facts.words(cluster_orders::BOUND, *order));
    let fit = if bound.as_deref() == Some("at most") { "AT MOST" } else { "FIT" };
    let heads =
        PaneLine::new().label(head("FOLIO", 6)).label(head(fit, 7)).label(head("USABLE%", SHARE));
    let mut lines = vec![heads.extra(1, head("CLUSTERS", 8))];
    let fits = |order: &usize| facts.missing(cluster_orders::FITS, *order);
    let unknown = orders.iter().find_map(fits).map(|why| format!("-: {}", why.why()));
    for order in orders {
        let figure = |column| facts.figure(column, order);
        let stays = STAY.contains(&facts.words(cluster_orders::SIZE, order).as_str());
        let line = PaneLine::new()
            .figure(figure(cluster_orders::SIZE).wide(6))
            .figure(figure(cluster_orders::FITS).wide(7))
            .figure(figure(cluster_orders::USABLE_SHARE).wide(SHARE))
            .figure(figure(cluster_orders::CLUSTERS).wide(8).drops(1));
        lines.push(line.drops_line(if stays { 1 } else { 3 }));
    }
    let run = PaneLine::new().label("longest run");
    lines.push(run.figure(facts.figure(cluster_columns::LARGEST_RUN, row)).drops_line(2));
    let why = unknown.map(|why| facts.wrapped(&why, Role::Faint)).unwrap_or_default();
    lines.extend(why.into_iter().map(|line| line.drops_line(4)));
    lines
}

/// Width of the share of the free slots.
const SHARE: usize = 7;

/// The rows of the folio sizes of an area. Areas with the same name are matched by their order; each
/// begins with the row of a page.
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

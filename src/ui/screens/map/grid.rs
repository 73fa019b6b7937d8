//! The cells of a map, in rows.

use super::{Chart, Keys, head, legend};
use crate::derive::clusters::{self, MapCell, Window};
use crate::model::clusters::ClusterMap;
use crate::ui::content::{MapRow, Shade};
use crate::ui::map_state::{MARGIN, MapSize, MapState, Metric};
use crate::ui::screens::{Facts, PaneLine, Role};
use std::collections::BTreeMap;

/// The part of an area that is drawn, in cells.
pub(super) struct CellGrid<'a> {
    pub(super) chart: &'a Chart<'a>,
    pub(super) window: Window,
    pub(super) cells: Vec<MapCell>,
    room: MapSize,
}

impl<'a> CellGrid<'a> {
    pub(super) fn new(chart: &'a Chart<'a>, map: &MapState, room: MapSize) -> Self {
        let window = map.window(chart.clusters.clusters.len(), room);
        let cells = clusters::window(chart.clusters, window);
        Self { chart, window, cells, room }
    }

    /// The index of the selected cell.
    pub(super) fn selected(&self, map: &MapState) -> usize {
        map.cell(self.chart.clusters.clusters.len(), self.window)
    }

    /// The rows of cells; keys and clicks act on them if one is selected.
    pub(super) fn lines(&self, selected: Option<usize>) -> Vec<PaneLine> {
        let rows = self.cells.chunks(self.room.columns).enumerate();
        rows.flat_map(|(number, cells)| self.row(number * self.room.columns, cells, selected))
            .collect()
    }

    /// The lines of a row, which begins with the cell of this index.
    fn row(&self, first: usize, cells: &[MapCell], selected: Option<usize>) -> Vec<PaneLine> {
        let (chart, cell) = (self.chart, self.room.cell);
        let here = selected.and_then(|cell| cell.checked_sub(first));
        let here = here.filter(|place| *place < cells.len());
        let offset = chart.offset(cells.first().map_or(0, |cell| cell.first));
        let shades: Vec<Shade> = cells.iter().map(|cell| chart.shade(cell)).collect();
        let line = |line: usize| {
            let is_middle = line == (cell.lines - 1) / 2;
            let margin = if is_middle { offset.as_str() } else { "" };
            let shades = shades.iter().map(|shade| if is_middle { *shade } else { shade.plain() });
            PaneLine::new().text(format!("{margin:>MARGIN$}"), Role::Label).shades(MapRow {
                first: selected.map(|_| first),
                shades: shades.collect(),
                selected: here,
                cell,
            })
        };
        let gap = (0..cell.gap()).map(|_| PaneLine::new().drops_line(5));
        (0..cell.lines).map(line).chain(gap).collect()
    }
}

/// The sign of several CPUs, or of one whose number has two digits.
const SEVERAL: char = '@';

/// The sign of the CPUs that take their next slot in a cluster, by its index.
#[derive(Debug, Default)]
pub(super) struct CpuMarks(BTreeMap<usize, char>);

impl CpuMarks {
    fn new(map: &ClusterMap) -> Self {
        let mut signs = BTreeMap::new();
        for next in map.next.known().into_iter().flatten() {
            let cluster = next.slot / u64::from(map.cluster_slots.max(1));
            let digit = next.cpu.and_then(|cpu| char::from_digit(cpu, 10)).unwrap_or(SEVERAL);
            let all = signs.entry(usize::try_from(cluster).unwrap_or(usize::MAX)).or_insert(digit);
            *all = combined(*all, digit);
        }
        Self(signs)
    }

    /// The sign of a cell, if a CPU uses one of its clusters.
    pub(super) fn shade(&self, cell: &MapCell) -> Option<Shade> {
        let signs = self.0.range(cell.first..cell.first + cell.clusters).map(|(_, sign)| *sign);
        signs.reduce(combined).map(Shade::Pointer)
    }

    /// A sign for the legend, if there is any.
    pub(super) fn sign(&self) -> Option<Shade> {
        self.0.values().next().copied().map(Shade::Pointer)
    }
}

/// The sign of CPUs with these two signs.
fn combined(one: char, other: char) -> char {
    if one == other { one } else { SEVERAL }
}

/// The clusters of whole areas, each CPU at the cluster that it uses, in cells as large as fit into the height; with
/// one legend of each metric below all. Areas whose clusters are unknown are left out.
pub(in crate::ui::screens) fn clusters_with_cpus(
    facts: &Facts<'_>,
    areas: &[usize],
) -> Vec<PaneLine> {
    let Some(snapshot) = facts.snapshot() else { return vec![] };
    let known = |area: &usize| {
        let clusters = clusters::best_view(snapshot, *area).into_result().ok()?;
        let has_lists = clusters.clusters.iter().any(|cluster| cluster.list.is_some());
        let metric = if has_lists { Metric::List } else { Metric::Use };
        let cpus = CpuMarks::new(clusters);
        Some((*area, Chart { cpus, ..Chart::new(snapshot, clusters, metric) }))
    };
    let charts: Vec<(usize, Chart<'_>)> = areas.iter().filter_map(known).collect();
    let counts: Vec<usize> = charts.iter().map(|(_, it)| it.clusters.clusters.len()).collect();
    // Legends take up to two lines.
    let room = MapSize::of_areas(facts.width, facts.height.saturating_sub(2), &counts);
    let (mut lines, mut grids) = (Vec::new(), Vec::new());
    for (area, chart) in &charts {
        let grid = CellGrid::new(chart, &MapState::default(), room);
        let drop = if lines.is_empty() { 0 } else { 4 };
        lines.push(head(facts, (*area, chart.metric), Keys::ActElsewhere).drops_line(drop));
        let cells = grid.lines(None).into_iter();
        lines.extend(cells.map(|line| PaneLine { drop: line.drop.max(drop), ..line }));
        grids.push(grid);
    }
    // Areas without lists show the use of their clusters.
    for metric in [Metric::List, Metric::Use] {
        let of: Vec<&CellGrid<'_>> = grids.iter().filter(|it| it.chart.metric == metric).collect();
        lines.extend((!of.is_empty()).then(|| legend(&of).drops_line(2)));
    }
    lines
}

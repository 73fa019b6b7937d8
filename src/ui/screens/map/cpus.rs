//! The clusters that CPUs use, as signs on the cells of a map.

use super::{Chart, Keys, grid_lines, head};
use crate::derive::clusters::{self, MapCell};
use crate::model::clusters::ClusterMap;
use crate::ui::content::{PaneLine, Shade};
use crate::ui::map_state::{MapSize, MapState, Metric, OTHER_LINES};
use crate::ui::pane_data::Facts;
use std::collections::BTreeMap;

/// The largest number of rows of a map below other lines.
const MOST_ROWS: usize = 8;
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

/// The clusters of a whole area by list, each CPU at the cluster that it uses, and their legend; none if they are
/// unknown.
pub(in crate::ui::screens) fn clusters_with_cpus(
    facts: &Facts<'_>,
    row: usize,
) -> Option<Vec<PaneLine>> {
    let snapshot = facts.snapshot()?;
    let clusters = clusters::best_view(snapshot, row).into_result().ok()?;
    let has_lists = clusters.clusters.iter().any(|cluster| cluster.list.is_some());
    let metric = if has_lists { Metric::List } else { Metric::Use };
    let columns = MapSize::new(facts.width, OTHER_LINES).columns;
    let rows = clusters.clusters.len().div_ceil(columns).clamp(1, MOST_ROWS);
    let whole = Facts { height: rows + OTHER_LINES, map: &MapState::default(), ..*facts };
    let cpus = CpuMarks::new(clusters);
    let chart = Chart { cpus, ..Chart::new(snapshot, clusters, metric) };
    let mut lines = vec![head(&whole, (row, metric), Keys::ActElsewhere)];
    lines.extend(grid_lines(&whole, &chart, Keys::ActElsewhere));
    Some(lines)
}

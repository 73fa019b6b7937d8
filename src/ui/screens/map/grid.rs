//! The cells of a map, in rows.

use super::Chart;
use crate::derive::clusters::{self, MapCell, Window};
use crate::ui::content::{MapRow, PaneLine, Shade};
use crate::ui::map_state::{MARGIN, MapSize, MapState};
use crate::ui::theme::Role;

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

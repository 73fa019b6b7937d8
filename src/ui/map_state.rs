//! The state of the map of an area: its metric, zoom and cursor. The cells follow from these and from
//! the size of the pane.

use crate::columns::units;
use crate::derive::clusters::{self, MapCell, Window};
use crate::model::clusters::{ClusterView, List};
use crate::model::worded_enum;
use crate::ui::content::Shade;
use std::collections::BTreeSet;

worded_enum! {
    /// The metric of the cells of a map, in the order in which a key cycles through them.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Metric {
        /// The share of slots in use.
        #[default]
        Use = "use",
        /// The folio order of the clusters.
        Order = "order",
        /// The kernel list of the clusters.
        List = "list",
        /// The time since the last access.
        Age = "age",
    }
}

impl Metric {
    /// The description of the metric.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Use => "the share of slots in use",
            Self::Order => "the folio order of most clusters in use (a power of two of pages)",
            Self::List => "the kernel list of most clusters that are not free",
            Self::Age => "the time since zram last wrote or read one of the slots",
        }
    }

    /// The name of the fact of a cell that the metric shows.
    pub const fn fact_name(self) -> &'static str {
        match self {
            Self::Use => "Used",
            Self::Order => "Order",
            Self::List => "List",
            Self::Age => "Accessed",
        }
    }

    /// The view that the metric requires; none if every view has it.
    pub const fn required_view(self) -> Option<ClusterView> {
        match self {
            Self::Use => None,
            Self::Order | Self::List => Some(ClusterView::Kernel),
            Self::Age => Some(ClusterView::Stored),
        }
    }

    /// The next metric.
    pub fn next(self) -> Self {
        let others = Self::ALL.into_iter().cycle().skip_while(|metric| *metric != self);
        others.take(2).last().unwrap_or_default()
    }

    /// The shade of a cell; `now_s` is the time in seconds since boot.
    pub fn shade(self, cell: &MapCell, now_s: u64) -> Shade {
        match self {
            Self::Use => Shade::Heat(heat_of_use(cell.share())),
            Self::Order if cell.free == cell.clusters => Shade::Heat(0),
            Self::Order => cell.order.map_or(Shade::Unknown, shade_of_order),
            Self::List => cell.list.map_or(Shade::Unknown, shade_of_list),
            Self::Age => match cell.marks {
                None => Shade::Unknown,
                Some(_) if cell.free == cell.clusters => Shade::Heat(0),
                Some(marks) => marks.touched_s.map_or(Shade::Unknown, |at| {
                    Shade::Heat(heat_of_age(now_s.saturating_sub(at)))
                }),
            },
        }
    }

    /// The name of what its signs stand for.
    pub const fn legend_name(self) -> &'static str {
        match self {
            Self::Use => "slots used:",
            Self::Age => "last access:",
            Self::Order => "folios of:",
            Self::List => "list:",
        }
    }

    /// The legend of the cells, for a page size; the orders are those of these cells, and `empty` is the
    /// word for cells without used slots.
    pub fn legend(self, page: u64, cells: &[MapCell], empty: &str) -> Vec<(Shade, String)> {
        let heats = |words: [&str; 5], heats: [u8; 5]| {
            heats.map(Shade::Heat).into_iter().zip(words.map(str::to_owned)).collect()
        };
        match self {
            Self::Use => heats([empty, "<33%", "<67%", "more", "full"], [0, 1, 2, 3, 4]),
            Self::Age => heats([empty, "<10s", "<1m", "<10m", "older"], [0, 4, 3, 2, 1]),
            Self::Order => {
                let size = |order| units::size(clusters::folio_size(order, page));
                let orders: BTreeSet<u8> = cells.iter().filter_map(|cell| cell.order).collect();
                let sizes = orders.into_iter().map(|order| (shade_of_order(order), size(order)));
                let free = (Shade::Heat(0), empty.to_owned());
                std::iter::once(free).chain(sizes).collect()
            }
            Self::List => {
                let word = |list| (shade_of_list(list), list.word().to_owned());
                [List::Free, List::Nonfull, List::Frag, List::Full, List::Discard, List::None]
                    .map(word)
                    .into()
            }
        }
    }
}

/// The heat of a share; a cell with any use is never shown as free, and one with any free slot never as full.
fn heat_of_use(share: f64) -> u8 {
    match share {
        s if s <= 0.0 => 0,
        s if s < 0.33 => 1,
        s if s < 0.67 => 2,
        s if s < 1.0 => 3,
        _ => 4,
    }
}

/// The heat of an age: recently accessed cells are hot.
const fn heat_of_age(seconds: u64) -> u8 {
    match seconds {
        0..10 => 4,
        10..60 => 3,
        60..600 => 2,
        _ => 1,
    }
}

fn shade_of_order(order: u8) -> Shade {
    let digit = char::from_digit(u32::from(order), 16).unwrap_or('+');
    Shade::Letter(digit, (1 + order / 3).min(4))
}

const fn shade_of_list(list: List) -> Shade {
    match list {
        List::Free => Shade::Heat(0),
        List::Nonfull => Shade::Letter('n', 2),
        List::Frag => Shade::Letter('g', 3),
        List::Full => Shade::Letter('F', 4),
        List::Discard => Shade::Letter('d', 1),
        List::None => Shade::Letter('-', 1),
    }
}

/// The metric, zoom and cursor of the map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapState {
    /// The metric.
    pub metric: Metric,
    /// The zoom level: each step halves the number of clusters of a cell.
    pub zoom: u32,
    /// The selected cluster; in an area with fewer clusters, the last one.
    pub cursor: usize,
}

/// The size of the map in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapSize {
    /// Cells of a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// The size of a cell.
    pub cell: CellSize,
}

/// The size of a cell of the map on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSize {
    /// Columns.
    pub width: usize,
    /// Lines.
    pub lines: usize,
}

impl CellSize {
    /// A single character.
    pub const CHARACTER: Self = Self { width: 1, lines: 1 };
    /// The most lines of a cell.
    const MOST_LINES: usize = 4;

    /// The blank columns and lines after a cell: larger cells stand apart.
    pub const fn gap(self) -> usize {
        if self.width > 1 { 1 } else { 0 }
    }
}

/// Width of the offset before a row.
pub const MARGIN: usize = 7;
/// Lines of the pane outside the map.
pub const OTHER_LINES: usize = 4;
/// The most rows of characters if maps of several areas are below each other.
const MOST_ROWS: usize = 8;
/// The number of cells of a row is a multiple of this, so that rows begin at round offsets.
const ROUND: usize = 16;

impl MapSize {
    /// The size of the map in a pane of this width and height.
    pub fn new(width: usize, height: usize) -> Self {
        let columns = width.saturating_sub(MARGIN + 1);
        let round = columns / ROUND * ROUND;
        Self {
            columns: if round > 0 { round } else { columns.max(1) },
            rows: height.saturating_sub(OTHER_LINES).max(1),
            cell: CellSize::CHARACTER,
        }
    }

    /// The size of maps of areas with these numbers of clusters, below each other in so many lines: with the largest
    /// cells that show each cluster, or with characters.
    pub fn of_areas(width: usize, height: usize, areas: &[usize]) -> Self {
        let most = areas.iter().copied().max().unwrap_or(0);
        let larger = |(lines, columns): (usize, usize)| {
            let pitch = (width.saturating_sub(MARGIN + 1) / columns).min(2 * lines + 3);
            let rows = most.div_ceil(columns);
            let all: usize = areas.iter().map(|count| count.div_ceil(columns)).sum();
            let needed = all * (lines + 1) + areas.len();
            let cell = CellSize { width: pitch.saturating_sub(1), lines };
            let fits = cell.width > 1 && cell.width + 1 >= 2 * lines && needed <= height;
            fits.then_some(Self { columns, rows, cell })
        };
        let sizes = (1..=CellSize::MOST_LINES).rev().flat_map(|lines| [(lines, 8), (lines, ROUND)]);
        sizes.map(larger).find_map(|size| size).unwrap_or_else(|| {
            let columns = Self::new(width, 0).columns;
            Self {
                columns,
                rows: most.div_ceil(columns).clamp(1, MOST_ROWS),
                cell: CellSize::CHARACTER,
            }
        })
    }

    /// The number of cells.
    pub const fn cells(self) -> usize {
        self.columns * self.rows
    }
}

impl MapState {
    /// The part of an area that is drawn: the map has pages like a book, and the page with the cursor
    /// is open.
    pub fn window(&self, clusters: usize, room: MapSize) -> Window {
        let cells = room.cells().max(1);
        let each = (widest(clusters, cells) >> self.zoom.min(usize::BITS - 1)).max(1);
        let page = each * cells;
        Window { first: self.cursor(clusters) / page * page, each, cells }
    }

    /// The selected cluster.
    pub fn cursor(&self, clusters: usize) -> usize {
        self.cursor.min(clusters.saturating_sub(1))
    }

    /// The index of the selected cell in the window.
    pub fn cell(&self, clusters: usize, window: Window) -> usize {
        (self.cursor(clusters) - window.first) / window.each
    }

    /// Moves the cursor by a number of cells, up to the ends of the area.
    pub fn go(&mut self, cells: isize, clusters: usize, room: MapSize) {
        let Window { each, .. } = self.window(clusters, room);
        let by = cells.saturating_mul(isize::try_from(each).unwrap_or(isize::MAX));
        // The first cluster of the cell.
        let from = self.cursor(clusters) / each * each;
        self.cursor = from.saturating_add_signed(by).min(clusters.saturating_sub(1));
    }

    /// Moves the cursor to a cell of the window.
    pub fn go_to(&mut self, cell: usize, clusters: usize, room: MapSize) {
        let Window { first, each, .. } = self.window(clusters, room);
        self.cursor = (first + cell * each).min(clusters.saturating_sub(1));
    }

    /// Zooms in or out; false at the limit.
    pub fn zoom(&mut self, closer: bool, clusters: usize, room: MapSize) -> bool {
        let most = widest(clusters, room.cells().max(1)).ilog2();
        let zoom = self.zoom.min(most);
        let next = if closer { (zoom + 1).min(most) } else { zoom.saturating_sub(1) };
        self.zoom = next;
        next != zoom
    }
}

/// The clusters of a cell when the whole area is shown: a power of two, so that cells and rows begin
/// at round offsets.
fn widest(clusters: usize, cells: usize) -> usize {
    clusters.div_ceil(cells).max(1).checked_next_power_of_two().unwrap_or(1)
}

#[cfg(test)]
mod tests;

//! The map of an area as the interface knows it: what its cells show, how closely, and the cluster that
//! keys act on. Which cluster stands where follows from that and from how much room there is.

use crate::columns::units;
use crate::derive::clusters::{self, MapCell, Window};
use crate::model::clusters::{List, ClusterView};
use crate::ui::content::Shade;
use std::collections::BTreeSet;

/// What the cells of a map show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// How much is taken.
    #[default]
    Use,
    /// For which size of folios they are kept.
    Order,
    /// On which list of the kernel they are.
    List,
    /// How long ago they were touched.
    Age,
}

impl Metric {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: [Self; 4] = [Self::Use, Self::Order, Self::List, Self::Age];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Use => "use",
            Self::Order => "order",
            Self::List => "list",
            Self::Age => "age",
        }
    }

    /// What it tells.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Use => "the part of the slots that is taken",
            Self::Order => {
                "the size of folios that most clusters in use are kept for, as a power of two of pages"
            }
            Self::List => "the kernel's list that most of the clusters are on which are not free",
            Self::Age => "how long ago zram last wrote or read one of the slots",
        }
    }

    /// The name of the fact of a cell that it is about.
    pub const fn fact_name(self) -> &'static str {
        match self {
            Self::Use => "Taken",
            Self::Order => "Kept for",
            Self::List => "List",
            Self::Age => "Touched",
        }
    }

    /// The one view that tells it; none where each does.
    pub const fn required_view(self) -> Option<ClusterView> {
        match self {
            Self::Use => None,
            Self::Order | Self::List => Some(ClusterView::Kernel),
            Self::Age => Some(ClusterView::Stored),
        }
    }

    /// The next one.
    pub fn next(self) -> Self {
        let others = Self::ALL.into_iter().cycle().skip_while(|metric| *metric != self);
        others.take(2).last().unwrap_or_default()
    }

    /// What stands in a cell of it, so many seconds after boot.
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

    /// What its cells mean, in the order of the legend, on a machine with pages of so many bytes; of
    /// orders, those of these cells; `empty` is what the view tells of those on which it sees nothing.
    pub fn legend(self, page: u64, cells: &[MapCell], empty: &str) -> Vec<(Shade, String)> {
        let heats = |words: [&str; 5], heats: [u8; 5]| {
            heats.map(Shade::Heat).into_iter().zip(words.map(str::to_owned)).collect()
        };
        match self {
            Self::Use => heats([empty, "<25%", "<50%", "<75%", "more"], [0, 1, 2, 3, 4]),
            Self::Age => heats(["nothing", "<10s", "<1m", "<10m", "older"], [0, 4, 3, 2, 1]),
            Self::Order => {
                let size = |order| units::size(clusters::folio_size(order, page));
                let orders: BTreeSet<u8> = cells.iter().filter_map(|cell| cell.order).collect();
                let sizes = orders.into_iter().map(|order| (shade_of_order(order), size(order)));
                let free = (Shade::Heat(0), empty.to_owned());
                std::iter::once(free).chain(sizes).collect()
            }
            Self::List => {
                let word = |list| (shade_of_list(list), clusters::list_name(list).to_owned());
                [List::Free, List::Nonfull, List::Frag, List::Full, List::Discard, List::None]
                    .map(word)
                    .into()
            }
        }
    }
}

/// Never free for something.
fn heat_of_use(share: f64) -> u8 {
    match share {
        s if s <= 0.0 => 0,
        s if s < 0.25 => 1,
        s if s < 0.5 => 2,
        s if s < 0.75 => 3,
        _ => 4,
    }
}

/// What was touched lately is hot.
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

/// How the map is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapState {
    /// What its cells show.
    pub metric: Metric,
    /// How often it was zoomed in: each time a cell stands for half as many clusters.
    pub zoom: u32,
    /// The cluster that keys act on; where an area has fewer, its last one.
    pub cursor: usize,
}

/// Cells that there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapSize {
    /// In a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

/// Cells before a row, which say where on the area it begins.
pub const MARGIN: usize = 7;
/// Lines of the pane that are not the map.
pub const OTHER_LINES: usize = 4;
/// A row of so many cells, or a multiple of them, begins at a round place.
const ROUND: usize = 16;

impl MapSize {
    /// The room in a pane of so many cells and lines.
    pub fn new(width: usize, height: usize) -> Self {
        let columns = width.saturating_sub(MARGIN + 1);
        let round = columns / ROUND * ROUND;
        Self {
            columns: if round > 0 { round } else { columns.max(1) },
            rows: height.saturating_sub(OTHER_LINES).max(1),
        }
    }

    /// All of it.
    pub const fn cells(self) -> usize {
        self.columns * self.rows
    }
}

impl MapState {
    /// The part of an area of so many clusters that is drawn in this room: pages like those of a book,
    /// of which the one with the cursor is open.
    pub fn window(&self, clusters: usize, room: MapSize) -> Window {
        let cells = room.cells().max(1);
        let each = (widest(clusters, cells) >> self.zoom.min(usize::BITS - 1)).max(1);
        let page = each * cells;
        Window { first: self.cursor(clusters) / page * page, each, cells }
    }

    /// The cluster that keys act on.
    pub fn cursor(&self, clusters: usize) -> usize {
        self.cursor.min(clusters.saturating_sub(1))
    }

    /// The cell of the cursor among those of the window.
    pub fn cell(&self, clusters: usize, window: Window) -> usize {
        (self.cursor(clusters) - window.first) / window.each
    }

    /// Go so many cells on, or back, as far as there are clusters.
    pub fn go(&mut self, cells: isize, clusters: usize, room: MapSize) {
        let Window { each, .. } = self.window(clusters, room);
        let by = cells.saturating_mul(isize::try_from(each).unwrap_or(isize::MAX));
        // The first of those that the cell stands for.
        let from = self.cursor(clusters) / each * each;
        self.cursor = from.saturating_add_signed(by).min(clusters.saturating_sub(1));
    }

    /// Go to a cell of the window that is drawn.
    pub fn go_to(&mut self, cell: usize, clusters: usize, room: MapSize) {
        let Window { first, each, .. } = self.window(clusters, room);
        self.cursor = (first + cell * each).min(clusters.saturating_sub(1));
    }

    /// Look closer, or less so; false where that is not possible.
    pub fn zoom(&mut self, closer: bool, clusters: usize, room: MapSize) -> bool {
        let most = widest(clusters, room.cells().max(1)).ilog2();
        let zoom = self.zoom.min(most);
        let next = if closer { (zoom + 1).min(most) } else { zoom.saturating_sub(1) };
        self.zoom = next;
        next != zoom
    }
}

/// Clusters that a cell stands for where all are in sight: a power of two, so that cells and rows begin
/// at round places.
fn widest(clusters: usize, cells: usize) -> usize {
    clusters.div_ceil(cells).max(1).checked_next_power_of_two().unwrap_or(1)
}

#[cfg(test)]
mod tests;

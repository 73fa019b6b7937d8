//! The description of screens: their panes, with tables or lines of facts, and their layout.

use super::content::PaneLine;
use super::pane_data::Facts;
use super::table_query::TableQuery;

/// The message for a single sample, such as a captured tree.
pub(super) const ONE_SAMPLE: &str = "rates need two samples";
/// The keys that add swap.
pub(super) const ADD_SWAP: &str = "a: new zram swap, or a new swap file";
/// The words shown where no area is active.
pub(super) const NO_SWAP: &str = "no swap is active";

/// The answer where no area is active, with the keys that add one.
pub(super) fn no_swap() -> Vec<PaneLine> {
    vec![PaneLine::new().label(NO_SWAP).extra(1, "-").extra(1, ADD_SWAP)]
}

/// A screen.
#[derive(Debug)]
pub struct Screen {
    /// The name in settings and on the command line.
    pub id: &'static str,
    /// The key that opens it, which is also its number.
    pub number: char,
    /// The name in the line of screens.
    pub name: &'static str,
    /// The question that the screen answers.
    pub question: &'static str,
    /// The answer in one sentence, above the panes.
    pub answer: Pane,
    /// The panes; the first one is focused at first, and shown on small terminals.
    pub panes: &'static [Pane],
    /// The layout on a terminal of 80 by 24.
    pub bands: &'static [Band],
    /// The layout on a terminal of at least 120 by 36.
    pub wide: &'static [Band],
}

/// A pane of a screen.
#[derive(Debug)]
pub struct Pane {
    /// The name among the panes of the screen.
    pub id: &'static str,
    /// The title.
    pub title: &'static str,
    /// The explanation, for the help.
    pub about: &'static str,
    /// Tables, of which one is visible.
    pub tables: &'static [PaneTable],
    /// The queries of a pane of lines; if empty, everything about the row selected in the first table.
    pub asks: &'static [TableQuery],
    /// Expensive queries, whose answers may be ten seconds old.
    pub aside: &'static [TableQuery],
    /// Queries about the last half minute, because one second of a busy machine is mostly noise.
    pub trends: &'static [TableQuery],
    /// The function that makes the lines; none for tables.
    pub lines: Option<RenderLines>,
    /// Whether the lines fill the height left by other panes, as charts do.
    pub fills: bool,
}

impl Pane {
    const fn new(id: &'static str, title: &'static str) -> Self {
        let (tables, asks) = (&[], &[]);
        Self {
            id,
            title,
            about: "",
            tables,
            asks,
            aside: asks,
            trends: asks,
            lines: None,
            fills: false,
        }
    }

    /// A pane of tables, of which one is visible.
    pub const fn tables(
        id: &'static str,
        title: &'static str,
        tables: &'static [PaneTable],
    ) -> Self {
        Self { tables, ..Self::new(id, title) }
    }

    /// A pane of lines that this function makes.
    pub const fn facts(id: &'static str, title: &'static str, lines: RenderLines) -> Self {
        Self { lines: Some(lines), ..Self::new(id, title) }
    }

    /// The answer of a screen.
    pub const fn answer(lines: RenderLines) -> Self {
        Self::facts("answer", "Answer", lines)
    }

    /// Sets the explanation.
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Lets the lines fill the height left by other panes.
    pub const fn filling(self) -> Self {
        Self { fills: true, ..self }
    }

    /// Sets the queries of a pane of lines.
    pub const fn asks(self, asks: &'static [TableQuery]) -> Self {
        Self { asks, ..self }
    }

    /// Sets the queries whose answers may be older.
    pub const fn aside(self, aside: &'static [TableQuery]) -> Self {
        Self { aside, ..self }
    }

    /// Sets the queries about the last half minute.
    pub const fn trends(self, trends: &'static [TableQuery]) -> Self {
        Self { trends, ..self }
    }
}

/// A function that makes the lines of a pane.
pub type RenderLines = fn(&Facts<'_>) -> Vec<PaneLine>;

/// A table in a pane.
#[derive(Clone, Copy, Debug)]
pub struct PaneTable {
    /// The name among the tables of the pane.
    pub name: &'static str,
    /// The table.
    pub table: &'static str,
    /// The default columns, as in `-o`.
    pub columns: Option<&'static str>,
    /// The default order, as in `--sort`.
    pub sort: Option<&'static str>,
}

impl PaneTable {
    /// A table with its own columns and order.
    pub const fn new(name: &'static str, table: &'static str) -> Self {
        Self { name, table, columns: None, sort: None }
    }

    /// Sets the default columns.
    pub const fn columns(self, columns: &'static str) -> Self {
        Self { columns: Some(columns), ..self }
    }

    /// Sets the default order.
    pub const fn sort(self, sort: &'static str) -> Self {
        Self { sort: Some(sort), ..self }
    }
}

/// Panes side by side.
#[derive(Debug)]
pub struct Band {
    /// The names of the panes, and their share of the width in percent.
    pub panes: &'static [(&'static str, u16)],
    /// The height.
    pub height: Height,
}

/// The height of a band, frames included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Height {
    /// As high as the contents, up to a maximum.
    Fits(u16),
    /// As high as the contents, up to a maximum; hidden if empty.
    IfAny(u16),
    /// The remaining height.
    Rest,
    /// The remaining height, but at least this.
    RestFrom(u16),
    /// The remaining height, if there is any.
    Spare,
}

impl Height {
    /// The least height of a band that gets the remaining height; none for the others.
    pub fn least_rest(self) -> Option<u16> {
        match self {
            Self::Rest => Some(MIN_HEIGHT),
            Self::RestFrom(least) => Some(least.max(MIN_HEIGHT)),
            Self::Spare => Some(0),
            Self::Fits(_) | Self::IfAny(_) => None,
        }
    }
}

/// The minimum height of a pane, frame included.
pub(super) const MIN_HEIGHT: u16 = 3;

impl Screen {
    /// A pane by its name.
    pub fn pane(&self, id: &str) -> Option<usize> {
        self.panes.iter().position(|pane| pane.id == id)
    }
}

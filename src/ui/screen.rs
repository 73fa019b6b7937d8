//! The description of screens: their panes, with tables or lines of facts, and their layout.

use super::content::PaneLine;
use super::pane_data::Facts;
use super::table_query::TableQuery;

/// The message for a single sample, such as a captured tree.
pub(super) const ONE_SAMPLE: &str = "rates need two samples";

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
    /// The contents.
    pub body: Body,
}

impl Pane {
    /// A pane of tables, of which one is visible.
    pub const fn tables(
        id: &'static str,
        title: &'static str,
        tables: &'static [PaneTable],
    ) -> Self {
        Self { id, title, about: "", body: Body::Tables(tables) }
    }

    /// A pane of lines that this function makes.
    pub const fn facts(id: &'static str, title: &'static str, lines: RenderLines) -> Self {
        Self { id, title, about: "", body: Body::Facts { asks: &[], lines } }
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
    pub const fn filling(mut self) -> Self {
        if let Body::Facts { asks, lines } = self.body {
            self.body = Body::Filling { asks, lines };
        }
        self
    }

    /// Sets the queries of a pane of lines.
    pub const fn asks(mut self, queries: &'static [TableQuery]) -> Self {
        match &mut self.body {
            Body::Facts { asks, .. } | Body::Filling { asks, .. } | Body::Trends { asks, .. } => {
                *asks = queries;
            }
            Body::Tables(_) => {}
        }
        self
    }
}

/// The contents of a pane.
#[derive(Debug)]
pub enum Body {
    /// Tables, of which one is visible.
    Tables(&'static [PaneTable]),
    /// Lines made from the answers to queries.
    Facts {
        /// The queries; if empty, everything about the row selected in the first table.
        asks: &'static [TableQuery],
        /// The function that makes the lines.
        lines: RenderLines,
    },
    /// Lines that fill the height left by other panes, such as charts.
    Filling {
        /// The queries.
        asks: &'static [TableQuery],
        /// The function that makes the lines.
        lines: RenderLines,
    },
    /// Lines with additional queries about the last half minute, because one second of a busy machine is
    /// mostly noise.
    Trends {
        /// The queries.
        asks: &'static [TableQuery],
        /// Expensive queries, whose answers may be ten seconds old.
        aside: &'static [TableQuery],
        /// The queries about the last half minute.
        trends: &'static [TableQuery],
        /// The function that makes the lines.
        lines: RenderLines,
    },
}

/// The queries of a pane of facts, and the function that makes its lines.
#[derive(Clone, Copy, Debug)]
pub struct PaneQueries {
    /// The queries.
    pub asks: &'static [TableQuery],
    /// Queries whose answers may be older.
    pub aside: &'static [TableQuery],
    /// Queries about the last half minute.
    pub trends: &'static [TableQuery],
    /// The function that makes the lines.
    pub lines: RenderLines,
}

/// A function that makes the lines of a pane.
pub type RenderLines = fn(&Facts<'_>) -> Vec<PaneLine>;

impl Body {
    /// Do the lines depend on the height of the pane?
    pub const fn is_filling(&self) -> bool {
        matches!(self, Self::Filling { .. })
    }

    /// The queries and the function for lines; none for tables.
    pub fn questions(&self) -> Option<PaneQueries> {
        match *self {
            Self::Tables(_) => None,
            Self::Facts { asks, lines } | Self::Filling { asks, lines } => {
                Some(PaneQueries { asks, aside: &[], trends: &[], lines })
            }
            Self::Trends { asks, aside, trends, lines } => {
                Some(PaneQueries { asks, aside, trends, lines })
            }
        }
    }
}

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

//! What a screen is: panes, each a table or lines of facts, and where they stand.

use super::content::PaneLine;
use super::pane_data::Facts;
use super::table_query::TableQuery;

/// Said where there is one sample only, as of a captured tree.
pub(super) const ONE_SAMPLE: &str = "one moment: rates cannot be known";

/// A screen.
#[derive(Debug)]
pub struct Screen {
    /// Its name in settings and on the command line.
    pub id: &'static str,
    /// The key that opens it, which is also its number.
    pub number: char,
    /// Its name in the line of screens.
    pub name: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    /// Its panes; keys go to the first of them, and small terminals show it first.
    pub panes: &'static [Pane],
    /// Where the panes stand on a terminal of 80 by 24.
    pub bands: &'static [Band],
    /// Where they stand on one of 120 by 36 and more.
    pub wide: &'static [Band],
}

/// A part of a screen.
#[derive(Debug)]
pub struct Pane {
    /// Its name among the panes of its screen.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it tells, for its help.
    pub about: &'static str,
    /// What is in it.
    pub body: Body,
}

/// What is in a pane.
#[derive(Debug)]
pub enum Body {
    /// One of these tables at a time.
    Tables(&'static [PaneTable]),
    /// Lines made of the answers to some questions.
    Facts {
        /// The questions; with none, everything about the row that is selected in the first table.
        asks: &'static [TableQuery],
        /// The lines.
        lines: RenderLines,
    },
    /// The same, by lines that fill the height that other panes leave.
    Filling {
        /// The questions.
        asks: &'static [TableQuery],
        /// The lines.
        lines: RenderLines,
    },
    /// The same, with questions about the last half minute besides: what one second shows of a
    /// busy machine is mostly noise.
    Trends {
        /// The questions.
        asks: &'static [TableQuery],
        /// Those whose answers may be ten seconds old: they cost much for the little that is said
        /// of them.
        aside: &'static [TableQuery],
        /// The questions about the last half minute.
        trends: &'static [TableQuery],
        /// The lines.
        lines: RenderLines,
    },
}

/// What a pane of facts asks, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub struct PaneQueries {
    /// The questions.
    pub asks: &'static [TableQuery],
    /// Those whose answers may be older.
    pub aside: &'static [TableQuery],
    /// Those about the last half minute.
    pub trends: &'static [TableQuery],
    /// How the answers become lines.
    pub lines: RenderLines,
}

/// How a pane makes lines of answers.
pub type RenderLines = fn(&Facts<'_>) -> Vec<PaneLine>;

impl Body {
    /// Do its lines depend on how high it is?
    pub const fn is_filling(&self) -> bool {
        matches!(self, Self::Filling { .. })
    }

    /// What is asked, and how it becomes lines; none of a table.
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
    /// Its name among those of the pane.
    pub name: &'static str,
    /// The table.
    pub table: &'static str,
    /// The columns that are shown when nobody chooses, as after `-o`.
    pub columns: Option<&'static str>,
    /// How it is sorted when nobody chooses, as after `--sort`.
    pub sort: Option<&'static str>,
}

/// Panes beside each other.
#[derive(Debug)]
pub struct Band {
    /// Their names, and how much of the width each takes, in percent.
    pub panes: &'static [(&'static str, u16)],
    /// How high they are.
    pub height: Height,
}

/// How high panes are, frames included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Height {
    /// As many lines as the contents take, but at most so many.
    Fits(u16),
    /// The same, and none at all where there are no contents.
    IfAny(u16),
    /// What is left.
    Rest,
}

impl Screen {
    /// A pane by its name.
    pub fn pane(&self, id: &str) -> Option<usize> {
        self.panes.iter().position(|pane| pane.id == id)
    }
}

//! What stands where on the screen, for the mouse. Drawing returns it; nothing else keeps it.

use super::command::UiCommand;
use ratatui::layout::{Position, Rect};

/// Something that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTarget {
    /// Runs a command: a name in the line of screens, a hint in the footer.
    Command(UiCommand),
    /// A pane.
    Pane(usize),
    /// A cell of a table.
    Cell {
        /// The pane.
        pane: usize,
        /// The row among all rows.
        row: usize,
        /// The column among those that are shown.
        column: usize,
    },
    /// The heading of a column.
    Heading {
        /// The pane.
        pane: usize,
        /// The column among those that are shown.
        column: usize,
    },
    /// A figure among those of a pane.
    Figure {
        /// The pane.
        pane: usize,
        /// The figure.
        figure: usize,
    },
    /// A cell of a map.
    Spot {
        /// The pane.
        pane: usize,
        /// The cell among all of the map.
        cell: usize,
    },
    /// The name of a table in the title of a pane.
    Sheet {
        /// The pane.
        pane: usize,
        /// The table.
        sheet: usize,
    },
    /// An item of the list above the screen.
    Item(usize),
    /// An answer of the dialog above the screen.
    Answer(usize),
    /// What can be chosen beside the plan of the dialog above the screen, by its key.
    Option(char),
    /// Something above the screen: what lies below it is out of reach.
    Overlay,
    /// What is beside that: a click there closes it.
    Beside,
}

impl HitTarget {
    /// The pane that it belongs to.
    pub fn pane(self) -> Option<usize> {
        match self {
            Self::Pane(pane)
            | Self::Cell { pane, .. }
            | Self::Heading { pane, .. }
            | Self::Figure { pane, .. }
            | Self::Spot { pane, .. }
            | Self::Sheet { pane, .. } => Some(pane),
            Self::Command(_)
            | Self::Item(_)
            | Self::Answer(_)
            | Self::Option(_)
            | Self::Overlay
            | Self::Beside => None,
        }
    }
}

/// All that can be pointed at, the uppermost last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HitMap {
    hits: Vec<(Rect, HitTarget)>,
    /// How much lay above the screen when it was drawn.
    above: usize,
}

impl HitMap {
    /// Of a frame with so much above the screen.
    pub fn new(above: usize) -> Self {
        Self { hits: Vec::new(), above }
    }

    /// Is so much above the screen as there was? A click means what was seen, not what came since.
    pub fn is_current(&self, above: usize) -> bool {
        self.above == above
    }

    /// Something stands here, above what stood here before.
    pub fn add(&mut self, area: Rect, target: HitTarget) {
        self.hits.push((area, target));
    }

    /// What stands at this place.
    pub fn find(&self, column: u16, row: u16) -> Option<HitTarget> {
        let here = |(area, _): &&(Rect, HitTarget)| area.contains(Position::new(column, row));
        self.hits.iter().rev().find(here).map(|(_, target)| *target)
    }

    /// Everything, for tests.
    pub fn iter(&self) -> impl Iterator<Item = &(Rect, HitTarget)> {
        self.hits.iter()
    }
}

//! The hit map of the screen for the mouse. Drawing returns it.

use super::command::UiCommand;
use ratatui::layout::{Position, Rect};

/// A target of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTarget {
    /// A command: a name in the line of screens, or a hint in the footer.
    Command(UiCommand),
    /// A pane.
    Pane(usize),
    /// A cell of a table.
    Cell {
        /// The pane.
        pane: usize,
        /// The row.
        row: usize,
        /// The visible column.
        column: usize,
    },
    /// The heading of a column.
    Heading {
        /// The pane.
        pane: usize,
        /// The visible column.
        column: usize,
    },
    /// A figure of a pane.
    Figure {
        /// The pane.
        pane: usize,
        /// The figure.
        figure: usize,
    },
    /// A cell of a map.
    MapCell {
        /// The pane.
        pane: usize,
        /// The cell of the map.
        cell: usize,
    },
    /// The name of a table in the title of a pane.
    Sheet {
        /// The pane.
        pane: usize,
        /// The table.
        sheet: usize,
    },
    /// An item of the open list.
    Item(usize),
    /// A button of the open dialog.
    Answer(usize),
    /// An option of the open dialog, by its key.
    Option(char),
    /// The overlay itself, which covers what is below.
    Overlay,
    /// The screen beside an overlay: a click closes the overlay.
    Outside,
}

impl HitTarget {
    /// The pane of the target.
    pub fn pane(self) -> Option<usize> {
        match self {
            Self::Pane(pane)
            | Self::Cell { pane, .. }
            | Self::Heading { pane, .. }
            | Self::Figure { pane, .. }
            | Self::MapCell { pane, .. }
            | Self::Sheet { pane, .. } => Some(pane),
            _ => None,
        }
    }
}

/// All targets, topmost last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HitMap {
    hits: Vec<(Rect, HitTarget)>,
    /// The number of overlays when it was drawn.
    above: usize,
}

impl HitMap {
    /// An empty map for a frame with this many overlays.
    pub fn new(above: usize) -> Self {
        Self { hits: Vec::new(), above }
    }

    /// Is the number of overlays unchanged? Otherwise a click was meant for an older frame.
    pub fn is_current(&self, above: usize) -> bool {
        self.above == above
    }

    /// Adds a target above the others.
    pub fn add(&mut self, area: Rect, target: HitTarget) {
        self.hits.push((area, target));
    }

    /// The target at this position.
    pub fn find(&self, column: u16, row: u16) -> Option<HitTarget> {
        let here = |(area, _): &&(Rect, HitTarget)| area.contains(Position::new(column, row));
        self.hits.iter().rev().find(here).map(|(_, target)| *target)
    }

    /// All targets, for tests.
    pub fn iter(&self) -> impl Iterator<Item = &(Rect, HitTarget)> {
        self.hits.iter()
    }
}

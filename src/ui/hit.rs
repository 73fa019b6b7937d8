//! The hit map of the screen for the mouse. Drawing returns it.

use super::command::UiCommand;
use ratatui::layout::{Position, Rect};

/// A target of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTarget {
    /// A command: a name in the line of screens, or a hint in the footer.
    Command(UiCommand),
    /// A part of a pane.
    Pane(usize, PanePart),
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

/// A part of a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanePart {
    /// None of the others.
    Rest,
    /// A cell of a table.
    Cell {
        /// The row.
        row: usize,
        /// The visible column.
        column: usize,
    },
    /// The heading of this visible column.
    Heading(usize),
    /// This figure.
    Figure(usize),
    /// This cell of a map.
    MapCell(usize),
    /// The name of this table in the title.
    Sheet(usize),
}

impl HitTarget {
    /// The pane of the target.
    pub fn pane(self) -> Option<usize> {
        match self {
            Self::Pane(pane, _) => Some(pane),
            _ => None,
        }
    }
}

/// The targets of clicks, which change as overlays open and close, and as plans are replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clickable {
    /// The number of overlays.
    pub overlays: usize,
    /// The number of plans asked for.
    pub asked: u64,
    /// Is the last one awaited?
    pub awaited: bool,
}

/// All targets, topmost last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HitMap {
    hits: Vec<(Rect, HitTarget)>,
    /// The targets of clicks when it was drawn.
    drawn: Clickable,
}

impl HitMap {
    /// An empty map for a frame.
    pub fn new(drawn: Clickable) -> Self {
        Self { hits: Vec::new(), drawn }
    }

    /// Can the same be clicked now? Otherwise a click was meant for an older frame.
    pub fn is_current(&self, now: Clickable) -> bool {
        self.drawn == now
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

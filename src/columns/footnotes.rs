//! What stands below a single table: what its rows come to, and what its headings mean.

use super::query::Rows;
use crate::derive::View;
use crate::model::PartSet;

/// What people read below a table.
#[derive(Clone, Copy, Debug)]
pub struct Footnotes {
    /// The parts that this takes beside those of the columns.
    pub needs: PartSet,
    /// The parts that a second look is to take, where the first left open what a person asks for. It
    /// costs more, so a single report takes it and a stream does not.
    pub closer: fn(&View<'_>) -> PartSet,
    /// What the rows that are shown come to.
    pub sentences: fn(&View<'_>, &Rows) -> Vec<String>,
    /// What the headings mean that nobody guesses.
    pub legend: Option<&'static str>,
}

impl Footnotes {
    /// A table that speaks for itself.
    pub const NONE: Self = Self {
        needs: PartSet::NONE,
        closer: |_| PartSet::NONE,
        sentences: |_, _| Vec::new(),
        legend: None,
    };
}

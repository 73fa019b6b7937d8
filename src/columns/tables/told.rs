//! What people are told below a single table: what its rows come to, and what its headings mean.

use super::{clusters, cost, mthp};
use crate::columns::Rows;
use crate::derive::View;
use crate::model::PartSet;

/// What is told of one table.
#[derive(Clone, Copy)]
pub struct Told {
    /// The parts that takes beside those of the columns.
    pub needs: PartSet,
    /// What the rows that are shown come to, in sentences.
    pub sentences: fn(&View<'_>, &Rows) -> Vec<String>,
    /// What the headings mean that nobody guesses.
    pub legend: Option<&'static str>,
}

/// The parts that a second look is to take, where the first left open what a person asks for. It costs
/// more, so a single report takes it and a stream does not.
pub fn closer(table: &str, view: &View<'_>) -> PartSet {
    match table {
        "mthp" => mthp::closer(view),
        _ => PartSet::NONE,
    }
}

/// What is told of the table with this name; of most nothing has to be.
pub fn of(table: &str) -> Option<Told> {
    match table {
        "mthp" => Some(mthp::TOLD),
        "clusters" => Some(clusters::TOLD),
        "cost" => Some(cost::TOLD),
        _ => None,
    }
}

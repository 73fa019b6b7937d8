//! Cells that the panes of areas share: how wide they are, and what stands in them.

use crate::columns::ColumnId;
use crate::columns::tables::devices::id as devices;
use crate::columns::text;
use crate::ui::content::{PaneLine, Piece};
use crate::ui::pane_data::Facts;
use crate::ui::theme::Role;

/// Cells of a priority.
pub(super) const PRIORITY: usize = 4;
/// Cells of a question.
pub(super) const ASK: usize = 13;
/// Cells of a share of the next pages, or of the word for why there is none.
pub(super) const NEXT: usize = 5;
/// Cells of a share.
pub(super) const SHARE: usize = 5;
/// Cells of an amount of memory.
pub(super) const SIZE: usize = 7;
/// Cells of a name, where there is no room for the longest.
pub(super) const NAME: usize = 14;
/// Cells of the longest name that others line up with.
const LONG_NAME: usize = 24;
/// A pane this wide has room for that.
const ROOMY: usize = 70;

/// Cells of the names of areas in a table.
pub(super) fn names(facts: &Facts<'_>, column: ColumnId) -> usize {
    let all = if facts.width < ROOMY { 0 } else { facts.count(column.table) };
    let widths = (0..all).map(|row| text::width(&facts.words(column, row)));
    widths.filter(|width| *width <= LONG_NAME).fold(NAME, usize::max)
}

/// Said where there is no area.
pub(super) fn none(facts: &Facts<'_>, table: &str) -> Vec<PaneLine> {
    let why = facts.answers.failed(table);
    let why = why.unwrap_or_else(|| "no swap is active".to_owned());
    vec![PaneLine::new().text(why, Role::Faint)]
}

pub(super) fn role(facts: &Facts<'_>, row: usize) -> Role {
    if facts.words(devices::KIND, row) == "zram" { Role::Zram } else { Role::Disk }
}

/// A figure of an area over the last half minute.
pub(super) fn recent(facts: &Facts<'_>, name: &str, column: ColumnId) -> Piece {
    let trend = facts.trend();
    let row = trend.find("devices", name).unwrap_or(usize::MAX);
    trend.figure(column, row)
}

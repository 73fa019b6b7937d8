//! Widths and cells shared by the panes of areas.

use crate::ui::screen::NO_SWAP;
use crate::ui::screens::{ColumnId, Facts, PaneLine, Piece, Role, text};
use crate::ui::table_query::ids::devices;

/// Width of a priority.
pub(super) const PRIORITY: usize = 4;
/// Width of the name of an answer.
pub(super) const ASK: usize = 14;
/// Width of a share of the next pages, or of the state shown instead.
pub(super) const NEXT: usize = 5;
/// The heading of these shares and states.
pub(super) const NEXT_HEADING: &str = "NEXT%";
/// Width of a share.
pub(super) const SHARE: usize = 5;
/// Width of an amount of memory.
pub(super) const SIZE: usize = 7;
/// Width of a name in a narrow pane.
pub(super) const NAME: usize = 14;
/// Longest name that others are aligned with.
const LONG_NAME: usize = 24;
/// Width from which a pane has room for long names.
const ROOMY: usize = 70;

/// Width of the names of areas in a table.
pub(super) fn names(facts: &Facts<'_>, column: ColumnId) -> usize {
    let all = if facts.width < ROOMY { 0 } else { facts.count(column.table) };
    let widths = (0..all).map(|row| text::width(&facts.words(column, row)));
    widths.filter(|width| *width <= LONG_NAME).fold(NAME, usize::max)
}

/// The line shown where there is no area.
pub(super) fn none(facts: &Facts<'_>, table: &str) -> Vec<PaneLine> {
    let why = facts.answers.failed(table);
    let why = why.unwrap_or_else(|| NO_SWAP.to_owned());
    vec![PaneLine::new().text(why, Role::Faint)]
}

pub(in crate::ui::screens) fn role(facts: &Facts<'_>, row: usize) -> Role {
    if facts.words(devices::KIND, row) == "zram" { Role::Zram } else { Role::Disk }
}

/// True if an area is on zram.
pub(in crate::ui::screens) fn has_zram(facts: &Facts<'_>) -> bool {
    (0..facts.count("devices")).any(|row| role(facts, row) == Role::Zram)
}

/// A figure of an area over the last half minute.
pub(super) fn recent(facts: &Facts<'_>, name: &str, column: ColumnId) -> Piece {
    let trend = facts.trend();
    let row = trend.find("devices", name).unwrap_or(usize::MAX);
    trend.figure(column, row)
}

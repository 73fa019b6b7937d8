//! Which columns of a table fit into so many cells.

use super::spec::Info;

/// What there is for a line.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Cells in a line; none when it may be as long as it likes.
    pub cells: Option<usize>,
    /// Cells between two columns.
    pub gap: usize,
}

/// The last column is cut to no less than this before a column is dropped.
const LAST: usize = 12;

/// Those of the columns in `kept` that fit, dropping those that say of themselves that they can go
/// first. What was asked for by name stays, and runs over the edge if it must.
pub fn kept(
    mut kept: Vec<usize>,
    infos: &[&'static Info],
    named: &[bool],
    widths: &[usize],
    room: Room,
) -> Vec<usize> {
    let Some(cells) = room.cells else { return kept };
    let is_named = |place: &usize| named.get(*place) == Some(&true);
    let order = |place: &usize| infos.get(*place).map_or(0, |info| info.drop);
    while least(&kept, infos, widths, room.gap) > cells {
        let can_go = kept.iter().copied().filter(|place| order(place) > 0 && !is_named(place));
        let Some(first) = can_go.max_by_key(order) else { break };
        kept.retain(|place| *place != first);
    }
    kept
}

/// The least that these columns take: the last one, when it is text, can be cut.
pub fn least(kept: &[usize], infos: &[&'static Info], widths: &[usize], gap: usize) -> usize {
    let width = |place: &usize| {
        let full = widths.get(*place).copied().unwrap_or(0);
        let is_text = infos.get(*place).is_some_and(|info| !info.unit.is_number());
        if is_text && kept.last() == Some(place) { full.min(LAST) } else { full }
    };
    let gaps = gap * kept.len().saturating_sub(1);
    kept.iter().map(width).sum::<usize>() + gaps
}

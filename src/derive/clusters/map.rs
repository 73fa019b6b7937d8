//! The clusters of an area drawn together to as many cells as there is room for.

use super::Marks;
use crate::model::clusters::{Cluster, ClusterMap, SlotCount, List, Slot, SlotState, ZramStored, ClusterView};

/// Some clusters that lie side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapCell {
    /// The first of them.
    pub first: usize,
    /// How many there are.
    pub clusters: usize,
    /// Slots that are taken.
    pub taken: u64,
    /// All their slots.
    pub slots: u64,
    /// Those of them on which nothing is.
    pub free: usize,
    /// The order of most of those in use; none where the view does not tell, or none is in use.
    pub order: Option<u8>,
    /// The list that most of those are on which are not free; that of free ones where all are, and
    /// none where the view does not tell.
    pub list: Option<List>,
    /// What zram tells of all of them together; none in other views.
    pub marks: Option<Marks>,
}

impl MapCell {
    /// The part of its slots that is taken.
    pub fn share(&self) -> f64 {
        self.taken as f64 / self.slots.max(1) as f64
    }
}

/// At most so many cells; each stands for as many clusters as the others, but the last for fewer.
pub fn cells(map: &ClusterMap, most: usize) -> Vec<MapCell> {
    let each = map.clusters.len().div_ceil(most.max(1)).max(1);
    window(map, Window { first: 0, each, cells: most })
}

/// A part of an area that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first cluster.
    pub first: usize,
    /// How many clusters a cell stands for.
    pub each: usize,
    /// How many cells there is room for.
    pub cells: usize,
}

/// The cells of a part of an area, as far as that has clusters.
pub fn window(map: &ClusterMap, window: Window) -> Vec<MapCell> {
    let Window { first, each, cells } = window;
    let each = each.max(1);
    let clusters = map.clusters.get(first..).unwrap_or_default();
    let chunks = clusters.chunks(each).take(cells).enumerate();
    chunks.map(|(place, clusters)| cell(map, first + place * each, clusters)).collect()
}

fn cell(map: &ClusterMap, first: usize, clusters: &[Cluster]) -> MapCell {
    MapCell {
        first,
        clusters: clusters.len(),
        taken: clusters.iter().map(|cluster| u64::from(cluster.taken)).sum(),
        slots: clusters.len() as u64 * u64::from(map.cluster_slots),
        free: clusters.iter().filter(|cluster| cluster.taken == 0).count(),
        order: most_common(clusters),
        list: list(clusters),
        marks: super::marks(map, map, first..first + clusters.len()).known().copied(),
    }
}

/// Of equally many the first.
fn list(clusters: &[Cluster]) -> Option<List> {
    let mut counts: Vec<(List, usize)> = Vec::new();
    for list in clusters.iter().filter_map(|cluster| cluster.list) {
        match counts.iter_mut().find(|(counted, _)| *counted == list) {
            Some((_, count)) => *count += 1,
            None => counts.push((list, 1)),
        }
    }
    let is_free = |list: List| list == List::Free;
    let most = counts.iter().filter(|(list, _)| !is_free(*list)).map(|(_, count)| *count).max();
    let found = counts.iter().find(|(list, count)| match most {
        Some(most) => !is_free(*list) && *count == most,
        None => true,
    });
    found.map(|(list, _)| *list)
}

/// Of equally many the smaller one.
fn most_common(clusters: &[Cluster]) -> Option<u8> {
    let mut counts = [0_usize; 16];
    let orders = clusters.iter().filter(|cluster| cluster.taken > 0).filter_map(|it| it.order);
    for order in orders {
        if let Some(count) = counts.get_mut(usize::from(order)) {
            *count += 1;
        }
    }
    let most = counts.iter().max().filter(|most| **most > 0)?;
    let order = counts.iter().position(|count| count == most)?;
    u8::try_from(order).ok()
}

/// What the signs of [`sign`] mean in a view.
pub const fn legend(view: ClusterView) -> &'static str {
    match view {
        ClusterView::Kernel => {
            ". free, 1 to 9 how often it is used, + more often, u used, z zeroes, c in the swap cache too, x not usable"
        }
        ClusterView::Stored => {
            ". nothing seen, u used, x not usable, s same, w written back, h huge, i idle"
        }
        ClusterView::Mapped => ". nothing seen, u used, x not usable",
    }
}

/// What is on it.
pub fn slot_state(slot: &Slot) -> &'static str {
    match slot.state {
        SlotState::Free => "free",
        SlotState::Used => "used",
        SlotState::Cached => "cached",
        SlotState::Bad => "not usable",
        SlotState::Unknown => "unknown",
    }
}

/// One sign for all of it: what is rarest comes first.
pub fn slot_sign(slot: &Slot) -> char {
    match slot.state {
        SlotState::Free => '.',
        SlotState::Bad => 'x',
        SlotState::Unknown => '?',
        SlotState::Cached => 'c',
        SlotState::Used if slot.zero == Some(true) => 'z',
        SlotState::Used => slot.stored.as_ref().map_or_else(|| used(slot.count), mark),
    }
}

/// Views from outside do not count.
fn used(count: Option<SlotCount>) -> char {
    match count {
        None => 'u',
        Some(SlotCount::Exactly(count @ 1..=9)) => char::from(b'0' + count),
        Some(SlotCount::Exactly(_) | SlotCount::MoreThan(_)) => '+',
    }
}

fn mark(stored: &ZramStored) -> char {
    let marks = [(stored.written, 'w'), (stored.huge, 'h'), (stored.same, 's'), (stored.idle, 'i')];
    marks.iter().find(|(has, _)| *has > 0).map_or('u', |(_, sign)| *sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slot_has_one_sign() {
        let of = |state, count: Option<u8>, zero| {
            let count = count.map(SlotCount::Exactly);
            slot_sign(&Slot { state, count, zero, ..Slot::default() })
        };
        let signs = [
            of(SlotState::Free, None, None),
            of(SlotState::Bad, None, None),
            of(SlotState::Unknown, None, None),
            of(SlotState::Cached, Some(1), Some(true)),
            of(SlotState::Used, Some(2), Some(true)),
            of(SlotState::Used, Some(9), Some(false)),
            of(SlotState::Used, Some(10), Some(false)),
            of(SlotState::Used, None, None),
        ];
        assert_eq!(signs.iter().collect::<String>(), ".x?cz9+u");
        let count = Some(SlotCount::MoreThan(62));
        assert_eq!(slot_sign(&Slot { state: SlotState::Used, count, ..Slot::default() }), '+');
        let stored =
            |stored| slot_sign(&Slot { state: SlotState::Used, stored: Some(stored), ..Slot::default() });
        let huge = ZramStored { huge: 1, idle: 1, ..ZramStored::default() };
        assert_eq!(stored(huge), 'h');
        assert_eq!(stored(ZramStored { written: 1, ..huge }), 'w');
        assert_eq!(stored(ZramStored { huge: 0, ..huge }), 'i');
        assert_eq!(stored(ZramStored::default()), 'u');
    }
}

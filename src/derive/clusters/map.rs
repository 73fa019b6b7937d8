//! Maps of an area: neighbouring clusters merged into as many cells as fit on the screen.

use super::Marks;
use crate::model::clusters::{
    Cluster, ClusterMap, ClusterView, List, Slot, SlotCount, SlotState, ZramStored,
};

/// A run of neighbouring clusters, drawn as one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapCell {
    /// Index of the first cluster.
    pub first: usize,
    /// Number of clusters.
    pub clusters: usize,
    /// Used slots.
    pub taken: u64,
    /// All slots.
    pub slots: u64,
    /// Free clusters.
    pub free: usize,
    /// Most common order of the used clusters; `None` if unknown or none is used.
    pub order: Option<u8>,
    /// Most common list of the clusters that are not free; `Free` if all are free, `None` if the view does
    /// not show lists.
    pub list: Option<List>,
    /// Sum of the zram flags; `None` in other views.
    pub marks: Option<Marks>,
}

impl MapCell {
    /// Returns the share of used slots.
    pub fn share(&self) -> f64 {
        self.taken as f64 / self.slots.max(1) as f64
    }
}

/// Divides an area into at most `most` cells of equal size; the last may be smaller.
pub fn cells(map: &ClusterMap, most: usize) -> Vec<MapCell> {
    let each = map.clusters.len().div_ceil(most.max(1)).max(1);
    window(map, Window { first: 0, each, cells: most })
}

/// The visible part of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Index of the first cluster shown.
    pub first: usize,
    /// Clusters per cell.
    pub each: usize,
    /// Number of cells that fit.
    pub cells: usize,
}

/// Returns the cells of a part of an area, up to its last cluster.
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

/// Returns the most common list; the first one of equally common ones.
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

/// Returns the most common order; the smaller one of equally common ones.
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

/// Explains the symbols of [`slot_sign`] in a view.
pub const fn legend(view: ClusterView) -> &'static str {
    match view {
        ClusterView::Kernel => {
            ". free, 1 to 9 references, + more references, u used, z zero page, c also in the swap cache, x unusable, ? unknown"
        }
        ClusterView::Stored => {
            ". nothing seen, u used, x unusable, s same-filled, w written back, h incompressible, i idle, ? unknown"
        }
        ClusterView::Mapped => ". nothing seen, u used, x unusable, ? unknown",
    }
}

/// Returns one symbol for a slot: the rarest property decides.
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

/// Returns the symbol of a used slot. Views from outside the kernel do not count references.
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
        let stored = |stored| {
            slot_sign(&Slot { state: SlotState::Used, stored: Some(stored), ..Slot::default() })
        };
        let huge = ZramStored { huge: 1, idle: 1, ..ZramStored::default() };
        assert_eq!(stored(huge), 'h');
        assert_eq!(stored(ZramStored { written: 1, ..huge }), 'w');
        assert_eq!(stored(ZramStored { huge: 0, ..huge }), 'i');
        assert_eq!(stored(ZramStored::default()), 'u');
    }
}

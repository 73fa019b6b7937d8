//! The clusters of an area drawn together to as many cells as there is room for.

use super::Marks;
use crate::model::clusters::{Cluster, ClusterMap, List};

/// Some clusters that lie side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
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

impl Cell {
    /// The part of its slots that is taken.
    pub fn share(&self) -> f64 {
        self.taken as f64 / self.slots.max(1) as f64
    }
}

/// At most so many cells; each stands for as many clusters as the others, but the last for fewer.
pub fn cells(map: &ClusterMap, most: usize) -> Vec<Cell> {
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
pub fn window(map: &ClusterMap, window: Window) -> Vec<Cell> {
    let Window { first, each, cells } = window;
    let each = each.max(1);
    let clusters = map.clusters.get(first..).unwrap_or_default();
    let chunks = clusters.chunks(each).take(cells).enumerate();
    chunks.map(|(place, clusters)| cell(map, first + place * each, clusters)).collect()
}

fn cell(map: &ClusterMap, first: usize, clusters: &[Cluster]) -> Cell {
    Cell {
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

//! The clusters of an area drawn together to as many cells as there is room for.

use crate::model::clusters::{Cluster, ClusterMap};

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
}

impl Cell {
    /// The part of its slots that is taken.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.taken as f64 / self.slots.max(1) as f64
    }
}

/// At most so many cells; each stands for as many clusters as the others, but the last for fewer.
#[must_use]
pub fn cells(map: &ClusterMap, most: usize) -> Vec<Cell> {
    let each = map.clusters.len().div_ceil(most.max(1)).max(1);
    let chunks = map.clusters.chunks(each).enumerate();
    chunks.map(|(place, clusters)| cell(place * each, clusters, map.cluster_slots)).collect()
}

fn cell(first: usize, clusters: &[Cluster], slots: u32) -> Cell {
    Cell {
        first,
        clusters: clusters.len(),
        taken: clusters.iter().map(|cluster| u64::from(cluster.taken)).sum(),
        slots: clusters.len() as u64 * u64::from(slots),
        free: clusters.iter().filter(|cluster| cluster.taken == 0).count(),
        order: most_common(clusters),
    }
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

//! Clusters for tests.

use crate::model::Reading;
use crate::model::clusters::{Cluster, ClusterMap, ClusterView, List};
use std::collections::BTreeMap;

/// A cluster as the kernel shows it.
pub(crate) fn cluster(taken: u16, list: List, order: u8) -> Cluster {
    Cluster { taken, list: Some(list), order: Some(order) }
}

/// An area with these clusters of 512 slots; only the slot of the header is reserved.
pub(crate) fn map(view: ClusterView, clusters: Vec<Cluster>) -> ClusterMap {
    ClusterMap {
        view,
        cluster_slots: 512,
        slots: 512 * clusters.len() as u64,
        reserved: 1,
        clusters,
        stored: Vec::new(),
        ages: None,
        counted: None,
        owners: Reading::not_sampled(),
        names: BTreeMap::new(),
        next: Reading::Known(Vec::new()),
        partial: None,
        cost_us: 0,
    }
}

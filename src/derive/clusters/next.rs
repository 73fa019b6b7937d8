//! Where the next slots are taken.

use super::room;
use crate::model::clusters::ClusterMap;
use crate::model::{Bytes, Reading};

/// The size of a folio that is a power of two of pages.
pub fn folio(order: u8, page: u64) -> Bytes {
    Bytes(page.checked_shl(order.into()).unwrap_or(u64::MAX))
}

/// The number of the cluster that a slot is in.
pub fn cluster_of(map: &ClusterMap, slot: u64) -> u64 {
    slot / u64::from(map.cluster_slots.max(1))
}

/// Free slots of the cluster that a slot is in.
pub fn left(map: &ClusterMap, slot: u64) -> Reading<u64> {
    let place = usize::try_from(cluster_of(map, slot)).ok();
    match place.and_then(|place| map.clusters.get(place)) {
        Some(cluster) => Reading::Known(room(*cluster, map.cluster_slots)),
        None => Reading::failed("there is no such cluster"),
    }
}

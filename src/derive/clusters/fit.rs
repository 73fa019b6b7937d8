//! Which sizes of folios can still be placed.
//!
//! The kernel keeps a cluster for the size of the first folio on it until it is empty. A folio of a size
//! goes to a free cluster, or to one kept for its size that has room; single pages go anywhere. A folio
//! as large as a cluster needs a free one. In a cluster that has room the free slots need not lie side
//! by side: what is said of those is how many would fit at most. Where nothing tells for which size
//! clusters are kept, only single pages and whole clusters are known to fit.

use super::next::folio;
use crate::model::clusters::{Cluster, ClusterMap};
use crate::model::{Bytes, Reading};

/// Room for folios of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Its size as a power of two of pages.
    pub order: u8,
    /// Its size.
    pub size: Bytes,
    /// Clusters that are kept for it; unknown where the view does not tell.
    pub kept: Reading<u64>,
    /// Folios that can be placed, at most.
    pub places: Reading<u64>,
    /// The part of the free slots that can take such folios.
    pub share: Reading<f64>,
}

impl Fit {
    /// The part of the free slots that cannot: 0 where all can be used for this size, 1 where none.
    #[must_use]
    pub fn index(&self) -> Reading<f64> {
        self.share.clone().map(|share| 1.0 - share)
    }
}

/// Which folios an area takes at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Single pages only.
    Pages,
    /// Large folios too.
    Large,
}

/// Room for each size, from single pages to whole clusters.
#[must_use]
pub fn fits(map: &ClusterMap, page: u64, takes: Takes) -> Vec<Fit> {
    (0..=largest(map)).map(|order| fit(map, order, page, takes)).collect()
}

/// Room for one size; none where clusters are smaller than that.
#[must_use]
pub fn fit_of(map: &ClusterMap, size: Bytes, page: u64, takes: Takes) -> Option<Fit> {
    let order = (0..=largest(map)).find(|order| page.saturating_mul(1 << order) == size.0)?;
    Some(fit(map, order, page, takes))
}

/// The size of a cluster as a power of two of pages.
fn largest(map: &ClusterMap) -> u8 {
    u8::try_from(map.cluster_slots.max(1).ilog2()).unwrap_or(u8::MAX)
}

fn fit(map: &ClusterMap, order: u8, page: u64, takes: Takes) -> Fit {
    let slots = 1_u64 << order;
    let kept = kept(map, order);
    let fits =
        |cluster: &&Cluster| order == 0 || cluster.taken == 0 || cluster.order == Some(order);
    let in_cluster = |cluster: &Cluster| room(*cluster, map.cluster_slots) / slots;
    let places = match (takes, kept.missing()) {
        (Takes::Pages, _) if order > 0 => Reading::Known(0),
        (_, Some(why)) if (1..largest(map)).contains(&order) => why.clone().into(),
        _ => Reading::Known(map.clusters.iter().filter(fits).map(in_cluster).sum::<u64>()),
    };
    let free: u64 = map.clusters.iter().map(|cluster| room(*cluster, map.cluster_slots)).sum();
    let share = places.clone().and_then(|places| match free {
        0 => Reading::absent("no slot is free"),
        free => Reading::Known((places * slots) as f64 / free as f64),
    });
    let size = folio(order, page);
    Fit { order, size, kept, places, share }
}

/// Clusters in use for folios of this size.
fn kept(map: &ClusterMap, order: u8) -> Reading<u64> {
    let in_use = || map.clusters.iter().filter(|cluster| cluster.taken > 0);
    if in_use().any(|cluster| cluster.order.is_none()) {
        return Reading::absent("this view does not tell for which size a cluster is kept");
    }
    let of_order = in_use().filter(|cluster| cluster.order == Some(order));
    Reading::Known(of_order.count() as u64)
}

/// Slots of a cluster that are free.
pub(super) fn room(cluster: Cluster, slots: u32) -> u64 {
    u64::from(slots.saturating_sub(u32::from(cluster.taken)))
}

//! Which sizes of folios can still be placed.
//!
//! The kernel keeps a cluster for the size of the first folio on it until it is empty. A folio of a size
//! goes to a free cluster, or to one kept for its size that has room; single pages go anywhere. A folio
//! as large as a cluster needs a free one. In a cluster that has room the free slots need not lie side
//! by side: what is said of those is how many would fit at most. Where nothing tells for which size
//! clusters are kept, only single pages and whole clusters are known to fit. Views from outside see no more
//! free than `/proc/swaps` leaves: the rest is what they do not see.

use super::{may_hide_slots, most_free, sees_too_little};
use crate::model::clusters::{Cluster, ClusterMap};
use crate::model::{Bytes, Missing, Reading};

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
    /// Can there be fewer? Free slots need not lie side by side, and a view may not see what is on them.
    pub at_most: bool,
    /// The part of the free slots that can take such folios.
    pub share: Reading<f64>,
}

impl Fit {
    /// The part of the free slots that cannot: 0 where all can be used for this size, 1 where none.
    pub fn index(&self) -> Reading<f64> {
        self.share.clone().map(|share| 1.0 - share)
    }
}

/// Which folios an area takes at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolioSizes {
    /// Single pages only.
    Pages,
    /// Large folios too.
    Large,
}

/// Room for each size, from single pages to whole clusters.
pub fn fits(map: &ClusterMap, page: u64, takes: FolioSizes) -> Vec<Fit> {
    let counted = Counted::from_map(map, page);
    (0..=largest(map)).map(|order| counted.fit(order, page, takes)).collect()
}

/// Room for one size; none where clusters are smaller than that.
pub fn fit_for_size(map: &ClusterMap, size: Bytes, page: u64, takes: FolioSizes) -> Option<Fit> {
    let order = (0..=largest(map)).find(|order| page.saturating_mul(1 << order) == size.0)?;
    Some(Counted::from_map(map, page).fit(order, page, takes))
}

/// The size of a cluster as a power of two of pages.
fn largest(map: &ClusterMap) -> u8 {
    u8::try_from(map.cluster_slots.max(1).ilog2()).unwrap_or(u8::MAX)
}

/// Powers of two that folios can have: clusters count their slots in 16 bits.
const ORDERS: usize = 17;

/// What clusters come to for all sizes, counted in one pass: an area can have millions.
#[derive(Clone, Debug)]
struct Counted {
    slots: u32,
    largest: u8,
    /// Clusters on which nothing is.
    free: u64,
    /// Free slots of all clusters, at most.
    room: u64,
    /// Of each order, the clusters in use that are kept for it, and the folios that fit in them.
    kept: [(u64, u64); ORDERS],
    /// Does the view tell for which size each cluster in use is kept?
    told: bool,
    /// Why it is not known where what is free lies.
    unseen: Option<Missing>,
    /// Can anything be on slots that look free?
    hides: bool,
}

impl Counted {
    fn from_map(map: &ClusterMap, page: u64) -> Self {
        let mut counted = Self {
            slots: map.cluster_slots,
            largest: largest(map),
            free: 0,
            room: 0,
            kept: [(0, 0); ORDERS],
            told: true,
            unseen: sees_too_little(map, page),
            hides: may_hide_slots(map, page),
        };
        map.clusters.iter().for_each(|cluster| counted.add(*cluster));
        // What a view does not see looks free, and is not.
        counted.room = counted.room.min(most_free(map, page).unwrap_or(u64::MAX));
        counted
    }

    fn add(&mut self, cluster: Cluster) {
        let room = free_slots(cluster, self.slots);
        self.room += room;
        if cluster.taken == 0 {
            self.free += 1;
            return;
        }
        self.told &= cluster.order.is_some();
        let order = cluster.order.unwrap_or_default();
        if let Some((kept, places)) = self.kept.get_mut(usize::from(order)) {
            (*kept, *places) = (*kept + 1, *places + (room >> order));
        }
    }

    /// No more folios than there is room for.
    fn at_most(&self, places: u64, order: u8) -> Reading<u64> {
        Reading::Known(places.min(self.room >> order))
    }

    fn fit(&self, order: u8, page: u64, takes: FolioSizes) -> Fit {
        let (kept, in_kept) = self.kept.get(usize::from(order)).copied().unwrap_or_default();
        let untold = || "this view does not tell for which size a cluster is kept";
        let places = match (takes, order) {
            (_, 0) => Reading::Known(self.room),
            (FolioSizes::Pages, _) => Reading::Known(0),
            (FolioSizes::Large, order) if order >= self.largest => self.at_most(self.free, order),
            (FolioSizes::Large, _) if !self.told => Reading::absent(untold()),
            (FolioSizes::Large, order) => {
                self.at_most(self.free * (u64::from(self.slots) >> order) + in_kept, order)
            }
        };
        let share = places.clone().and_then(|places| match (&self.unseen, self.room) {
            (Some(why), _) => why.clone().into(),
            (None, 0) => Reading::absent("no slot is free"),
            (None, room) => Reading::Known((places << order) as f64 / room as f64),
        });
        let kept = if self.told { Reading::Known(kept) } else { Reading::absent(untold()) };
        let at_most = match (takes, order) {
            (_, 0) | (FolioSizes::Pages, _) => false,
            (FolioSizes::Large, _) => self.hides || in_kept > 0,
        };
        Fit { order, size: folio_size(order, page), kept, places, at_most, share }
    }
}

/// Slots of a cluster that are free.
pub(super) fn free_slots(cluster: Cluster, slots: u32) -> u64 {
    u64::from(slots.saturating_sub(u32::from(cluster.taken)))
}

/// The size of a folio that is a power of two of pages.
pub fn folio_size(order: u8, page: u64) -> Bytes {
    Bytes(page.checked_shl(order.into()).unwrap_or(u64::MAX))
}

/// The number of the cluster that a slot is in.
pub fn cluster_of(map: &ClusterMap, slot: u64) -> u64 {
    slot / u64::from(map.cluster_slots.max(1))
}

/// Free slots of the cluster that a slot is in.
pub fn free_slots_at(map: &ClusterMap, slot: u64) -> Reading<u64> {
    let place = usize::try_from(cluster_of(map, slot)).ok();
    match place.and_then(|place| map.clusters.get(place)) {
        Some(cluster) => Reading::Known(free_slots(*cluster, map.cluster_slots)),
        None => Reading::failed("there is no such cluster"),
    }
}

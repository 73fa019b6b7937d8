//! Which folio sizes still fit on an area.
//!
//! The kernel reserves a cluster for the size of the first folio on it until the cluster is empty. A folio
//! goes to a free cluster, or to a cluster of its size with room; single pages go anywhere. A folio as large
//! as a cluster needs a free one. The free slots of a cluster with room need not be adjacent, so the number
//! of folios that fit there is an upper bound. If the folio size of clusters is unknown, only the room for
//! single pages and whole clusters is known. For views from outside the kernel the free slots are limited to
//! what `/proc/swaps` shows as free.

use super::{may_hide_slots, most_free, sees_too_little};
use crate::model::clusters::{Cluster, ClusterMap};
use crate::model::{Bytes, Missing, Reading};

/// Why orders of clusters are unknown.
const UNTOLD: &str = "needs /proc/kcore";

/// Room for folios of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Order: the size as a power of two of pages.
    pub order: u8,
    /// Size in bytes.
    pub size: Bytes,
    /// Clusters reserved for this size; unknown if the view does not show it.
    pub kept: Reading<u64>,
    /// Folios that fit, as an upper bound.
    pub places: Reading<u64>,
    /// Whether fewer may fit: free slots may not be adjacent, and a view may not see used ones.
    pub at_most: bool,
    /// Share of the free slots that can take such folios.
    pub share: Reading<f64>,
}

impl Fit {
    /// Fragmentation: the share of the free slots that cannot take this size, from 0 to 1.
    pub fn index(&self) -> Reading<f64> {
        self.share.clone().map(|share| 1.0 - share)
    }
}

/// Which folio sizes an area takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolioSizes {
    /// Single pages only.
    Pages,
    /// Also large folios.
    Large,
}

/// Returns the room for each size, from single pages to whole clusters.
pub fn fits(map: &ClusterMap, page: u64, takes: FolioSizes) -> Vec<Fit> {
    let counted = Counted::from_map(map, page);
    (0..=largest(map)).map(|order| counted.fit(order, page, takes)).collect()
}

/// Returns the room for one size; `None` if clusters are smaller.
pub fn fit_for_size(map: &ClusterMap, size: Bytes, page: u64, takes: FolioSizes) -> Option<Fit> {
    let order = (0..=largest(map)).find(|order| page.saturating_mul(1 << order) == size.0)?;
    Some(Counted::from_map(map, page).fit(order, page, takes))
}

/// Returns the order of a cluster.
fn largest(map: &ClusterMap) -> u8 {
    u8::try_from(map.cluster_slots.max(1).ilog2()).unwrap_or(u8::MAX)
}

/// Number of possible orders: clusters count their slots in 16 bits.
const ORDERS: usize = 17;

/// Totals of all clusters for all sizes, counted in one pass: an area can have millions of clusters.
#[derive(Clone, Debug)]
struct Counted {
    slots: u32,
    largest: u8,
    /// Free clusters.
    free: u64,
    /// Free slots of all clusters, as an upper bound.
    room: u64,
    /// For each order: used clusters reserved for it, and the folios that fit in them.
    kept: [(u64, u64); ORDERS],
    /// Whether the view shows the folio size of each used cluster.
    told: bool,
    /// Why the places of free slots are unknown.
    unseen: Option<Missing>,
    /// Whether slots that look free may be used.
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
        // Slots that a view cannot see look free, but are not.
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

    /// Limits the number of folios to the free slots.
    fn at_most(&self, places: u64, order: u8) -> Reading<u64> {
        Reading::Known(places.min(self.room >> order))
    }

    fn fit(&self, order: u8, page: u64, takes: FolioSizes) -> Fit {
        let (kept, in_kept) = self.kept.get(usize::from(order)).copied().unwrap_or_default();
        let places = match (takes, order) {
            (_, 0) => Reading::Known(self.room),
            (FolioSizes::Pages, _) => Reading::Known(0),
            (FolioSizes::Large, _) if self.room == 0 => Reading::Known(0),
            (FolioSizes::Large, order) if order >= self.largest => self.at_most(self.free, order),
            (FolioSizes::Large, _) if !self.told => Reading::absent(UNTOLD),
            (FolioSizes::Large, order) => {
                self.at_most(self.free * (u64::from(self.slots) >> order) + in_kept, order)
            }
        };
        let share = places.clone().and_then(|places| match (&self.unseen, self.room) {
            (Some(why), _) => why.clone().into(),
            (None, 0) => Reading::absent("no slot is free"),
            (None, room) => Reading::Known((places << order) as f64 / room as f64),
        });
        let kept = if self.told { Reading::Known(kept) } else { Reading::absent(UNTOLD) };
        let at_most = match (takes, order) {
            (_, 0) | (FolioSizes::Pages, _) => false,
            (FolioSizes::Large, _) => self.hides || in_kept > 0,
        };
        Fit { order, size: folio_size(order, page), kept, places, at_most, share }
    }
}

/// Returns the free slots of a cluster.
pub(super) fn free_slots(cluster: Cluster, slots: u32) -> u64 {
    u64::from(slots.saturating_sub(u32::from(cluster.taken)))
}

/// Returns the size of a folio of this order.
pub fn folio_size(order: u8, page: u64) -> Bytes {
    Bytes(page.checked_shl(order.into()).unwrap_or(u64::MAX))
}

/// Returns the index of the cluster that holds a slot.
pub fn cluster_of(map: &ClusterMap, slot: u64) -> u64 {
    slot / u64::from(map.cluster_slots.max(1))
}

/// Returns the free slots of the cluster that holds a slot.
pub fn free_slots_at(map: &ClusterMap, slot: u64) -> Reading<u64> {
    let place = usize::try_from(cluster_of(map, slot)).ok();
    match place.and_then(|place| map.clusters.get(place)) {
        Some(cluster) => Reading::Known(free_slots(*cluster, map.cluster_slots)),
        None => Reading::failed("there is no such cluster"),
    }
}

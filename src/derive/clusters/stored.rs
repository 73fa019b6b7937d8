//! What a zram device tells of what it has stored.

use crate::model::clusters::{AGES_S, Ages, ClusterMap, Stored, View};
use crate::model::{Missing, Reading, Snapshot};
use std::ops::Range;

/// Slots by their marks; one can have several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// One word repeated.
    pub same: u64,
    /// Written to the backing device.
    pub written: u64,
    /// Does not compress.
    pub huge: u64,
    /// Marked as idle.
    pub idle: u64,
    /// Seconds since boot of the latest access.
    pub touched_s: Option<u64>,
}

/// What the zram device of an area has stored; the area is one by its place.
pub fn stored(snapshot: &Snapshot, place: usize) -> Reading<&ClusterMap> {
    super::by(snapshot, View::Stored, place)
}

/// The marks of some clusters of an area, of which another view may tell the rest.
pub fn marks(stored: &ClusterMap, of: &ClusterMap, clusters: Range<usize>) -> Reading<Marks> {
    let form = |map: &ClusterMap| (map.cluster_slots, map.clusters.len());
    let own = stored.stored.get(clusters).filter(|_| form(stored) == form(of));
    let Some(own) = own.filter(|_| stored.view == View::Stored) else {
        return Missing::absent("what zram has stored is laid out in another way").into();
    };
    Reading::Known(own.iter().fold(Marks::default(), add))
}

fn add(sum: Marks, one: &Stored) -> Marks {
    Marks {
        same: sum.same + u64::from(one.same),
        written: sum.written + u64::from(one.written),
        huge: sum.huge + u64::from(one.huge),
        idle: sum.idle + u64::from(one.idle),
        touched_s: sum.touched_s.max(one.touched_s),
    }
}

/// Words for the classes of age.
const CLASSES: [&str; AGES_S.len() + 1] =
    ["under 1 min", "1 to 10 min", "10 to 60 min", "1 to 6 h", "6 to 24 h", "over 1 day"];

/// The slots of each class of age, youngest first.
pub fn by_age(ages: &Ages) -> impl Iterator<Item = (&'static str, u64)> {
    CLASSES.into_iter().zip(ages.slots)
}

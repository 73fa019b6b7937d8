//! Whose slots those of an area are.

use crate::model::Reading;
use crate::model::clusters::{ClusterMap, Owner};

/// Slots of one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned<'m> {
    /// The kernel's number for the cgroup; none for the slots that no cgroup owns.
    pub number: Option<u16>,
    /// What it is called, if that was found.
    pub owner: Option<&'m Owner>,
    /// How many slots.
    pub slots: u64,
}

/// The slots of each cgroup, most first, and at the end those that no cgroup owns, if there are any.
pub fn owned(map: &ClusterMap) -> Reading<Vec<Owned<'_>>> {
    map.owners.as_ref().map(|owners| {
        let of = |(number, slots): (&u16, &u64)| Owned {
            number: Some(*number),
            owner: map.names.get(number),
            slots: *slots,
        };
        let mut all: Vec<_> = owners.iter().map(of).collect();
        all.sort_by_key(|owned| std::cmp::Reverse(owned.slots));
        let told: u64 = owners.values().sum();
        let nobody = Owned { number: None, owner: None, slots: map.used().saturating_sub(told) };
        // Of slots whose owners were not read, none may be nobody's.
        all.extend((nobody.slots > 0 && map.partial.is_none()).then_some(nobody));
        all
    })
}

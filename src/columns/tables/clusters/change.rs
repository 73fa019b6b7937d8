//! Columns of `clusters` that compare two samples.

use super::{ClustersTable, KCORE, KERNEL, Row};
use crate::columns;
use crate::derive::clusters::{self, ClusterTransitions};
use crate::model::Reading;
use crate::model::clusters::{ClusterMap, List};

type Column = columns::Column<ClustersTable>;

impl Row<'_> {
    /// A fact of both cluster maps, if both see enough to count free clusters.
    fn sure<T>(&self, fact: impl FnOnce(&ClusterMap, &ClusterMap) -> T) -> Reading<T> {
        let before = self.before.clone().and_then2(self.page.clone(), clusters::if_enough_visible);
        before.map2(self.enough(), fact)
    }

    fn change(&self, of: impl Fn(&ClusterMap) -> u64) -> Reading<i64> {
        self.both(|before, now| clusters::growth(of(before), of(now)))
    }

    fn turned(&self, of: impl Fn(&ClusterTransitions) -> u64) -> Reading<u64> {
        self.sure(|before, now| of(&clusters::transitions(before, now)))
    }

    fn moved(&self, list: List) -> Reading<i64> {
        let on = |map: &ClusterMap| clusters::on_list(map, list);
        let both = self.both(|before, now| on(before).map2(on(now), clusters::growth));
        both.and_then(|change| change)
    }
}

pub(super) const USED: Column = Column::bytes("used_change", "USED+", |row| {
    let slots = row.change(ClusterMap::used).map2(row.page.clone(), |slots, page| {
        slots.saturating_mul(i64::try_from(page).unwrap_or(i64::MAX))
    });
    slots.into()
})
.drop(5)
.says("Change of USED since the earlier sample.", KCORE)
.two();
pub(super) const FREE: Column = Column::integer("free_change", "FREE+", |row| {
    let free = |map: &ClusterMap| clusters::count_clusters(map).free;
    row.sure(|before, now| clusters::growth(free(before), free(now))).into()
})
.drop(5)
.says(
    "Change of FREE since the earlier sample. Unknown if FREE is unknown in either sample.",
    KCORE,
)
.two();
pub(super) const BEGUN: Column = Column::count("allocated", "ALLOCATED", |row| row.turned(|turned| turned.begun).into()).drop(4).says(
        "Clusters that were empty in the earlier sample and are in use now. Changes that were undone between the samples are not counted.",
        KCORE,
    ).two();
pub(super) const EMPTIED: Column =
    Column::count("emptied", "EMPTIED", |row| row.turned(|turned| turned.emptied).into())
        .drop(4)
        .says("Clusters that were in use in the earlier sample and are empty now.", KCORE)
        .two();
pub(super) const FILLED: Column =
    Column::count("filled", "FILLED", |row| row.turned(|turned| turned.filled).into())
        .drop(4)
        .says("Clusters that had free slots in the earlier sample and are full now.", KCORE)
        .two();
pub(super) const CHANGED: Column = Column::count("changed", "CHANGED", |row| {
    row.both(|before, now| clusters::transitions(before, now).changed).into()
})
.drop(6)
.says("Clusters whose number of used slots changed.", KCORE)
.two();

/// Column of the change in the number of clusters on a list of the kernel.
macro_rules! list_change {
    ($name:ident, $of:literal, $head:literal, $list:ident) => {
        pub(super) const $name: Column =
            Column::integer(concat!($of, "_change"), $head, |row| row.moved(List::$list).into())
                .says(concat!("Change of ", $of, " since the earlier sample."), KERNEL)
                .two();
    };
}

list_change!(LIST_FREE, "list_free", "L-FREE+", Free);
list_change!(LIST_NONFULL, "list_nonfull", "L-NONFULL+", Nonfull);
list_change!(LIST_FRAG, "list_frag", "L-FRAG+", Frag);
list_change!(LIST_FULL, "list_full", "L-FULL+", Full);
list_change!(LIST_DISCARD, "list_discard", "L-DISCARD+", Discard);
list_change!(LIST_NONE, "list_none", "L-NONE+", None);

//! `cluster_owners`: which cgroups own the slots of each area.

use super::{Area, KERNEL, VIEWS, rows_per_area, share_of};
use crate::columns::spec::Spec;
use crate::derive::clusters::{self, OwnedSlots};
use crate::model::{Bytes, Name, Reading};

table!(
    pub(super) struct ClusterOwnersTable: Row<'v>, Column, COLUMNS,
    |view, _| rows_per_area(view, owner_rows)
);

/// A cgroup that owns slots of an area.
pub(super) struct Row<'v> {
    area: &'v Name,
    owned: OwnedSlots<'v>,
    page: u64,
    used: u64,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ClusterOwnersTable>("cluster_owners", "Owners", "cgroup")
    .shown_by("clusters")
    .about("Which cgroups own the slots of each area (kernel 7.2 and later)")
    .shows("name,cgroup,owned,share")
    .needs(VIEWS);

fn owner_rows<'v>(area: &Area<'v>) -> Reading<Vec<Row<'v>>> {
    let (name, page, used) = (area.name, area.page, area.map.used());
    let row = |owned| Row { area: name, owned, page, used };
    clusters::slots_by_owner(area.map).map(|all| all.into_iter().map(row).collect())
}

impl Row<'_> {
    /// The owner for people.
    fn words(&self) -> String {
        match (self.owned.owner, self.owned.number) {
            (Some(owner), _) if owner.removed => format!("{} (removed)", owner.path.safe()),
            (Some(owner), _) => owner.path.safe(),
            (None, Some(number)) => format!("id {number} (name not found)"),
            (None, None) => "no cgroup".to_owned(),
        }
    }
}

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    Column::text("cgroup", "CGROUP", |row| row.words().into())
        .says("Owner of the slots. A removed cgroup remains as long as it has pages in swap, perhaps without a name. Hibernation images, and on cgroup version 1 the swap cache, have no owner.", KERNEL)
        .since("7.2"),
    Column::text("path", "PATH", |row| {
        let path = row.owned.owner.map(|owner| owner.path.clone());
        Reading::or_absent(path, "the name of the cgroup was not found").into()
    })
    .says("Path of the cgroup, if its name was found.", KERNEL)
    .since("7.2"),
    Column::number("id", "ID", |row| {
        Reading::or_absent(row.owned.number.map(u64::from), "no cgroup owns these slots").into()
    })
    .says("Internal ID of the cgroup in the kernel; no file shows it.", KERNEL)
    .since("7.2"),
    Column::flag("removed", "REMOVED", |row| {
        let removed = row.owned.owner.map(|owner| owner.removed);
        Reading::or_absent(removed, "the name of the cgroup was not found").into()
    })
    .says("Whether the cgroup was removed.", KERNEL)
    .since("7.2"),
    Column::bytes("owned", "OWNED", |row| Bytes(row.owned.slots.saturating_mul(row.page)).into())
        .says("Swap that it owns on this area, swap cache included.", KERNEL)
        .since("7.2"),
    Column::share("share", "SHARE", |row| {
        share_of(row.owned.slots, row.used, "the area is empty").into()
    })
    .says("Share of the used space of the area.", KERNEL)
    .since("7.2"),
];

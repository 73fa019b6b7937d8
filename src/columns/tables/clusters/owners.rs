//! `cluster_owners`: which cgroups own the slots of each area.

use super::{Area, KERNEL, VIEWS, rows_per_area};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::clusters::{self, OwnedSlots};
use crate::model::{Bytes, Name, Reading};

/// The table.
pub(super) struct ClusterOwnersTable;

/// An owner on an area.
pub(super) struct Row<'v> {
    area: &'v Name,
    owned: OwnedSlots<'v>,
    page: u64,
    used: u64,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ClusterOwnersTable>("cluster_owners", "Owners", "cgroup")
    .shown_by("clusters")
    .about("Which cgroups own the slots of each area, as kernels since 7.2 keep it beside them")
    .shows(&["name", "cgroup", "owned", "share"])
    .needs(VIEWS);

impl Table for ClusterOwnersTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        rows_per_area(view, owner_rows)
    }
}

fn owner_rows<'v>(area: &Area<'v>) -> Reading<Vec<Row<'v>>> {
    let (name, page, used) = (area.name, area.page, area.map.used());
    let row = |owned| Row { area: name, owned, page, used };
    clusters::slots_by_owner(area.map).map(|all| all.into_iter().map(row).collect())
}

impl Row<'_> {
    /// What stands for it on a screen.
    fn words(&self) -> String {
        match (self.owned.owner, self.owned.number) {
            (Some(owner), _) if owner.removed => format!("{} (removed)", owner.path.safe()),
            (Some(owner), _) => owner.path.safe(),
            (None, Some(number)) => format!("id {number} (name not found)"),
            (None, None) => "no cgroup".to_owned(),
        }
    }
}

type Column = spec::Column<ClusterOwnersTable>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    Column::text("cgroup", "CGROUP", |row| row.words().into())
        .says("Who owns the slots. A cgroup that was removed lives on for what it has in swap; its name may not be found. No cgroup owns what a hibernation image takes, and with version 1 of cgroups what is in the swap cache.", KERNEL)
        .since("7.2"),
    Column::text("path", "PATH", |row| match row.owned.owner {
        Some(owner) => owner.path.clone().into(),
        None => Reading::<String>::absent("its name was not found").into(),
    })
    .says("The path of the cgroup, where its name was found.", KERNEL)
    .drop(9)
    .since("7.2"),
    Column::number("id", "ID", |row| match row.owned.number {
        Some(number) => Reading::Known(u64::from(number)).into(),
        None => Reading::<u64>::absent("no cgroup owns them").into(),
    })
    .says("The kernel's own number for the cgroup; no file shows it.", KERNEL)
    .drop(9)
    .since("7.2"),
    Column::flag("removed", "REMOVED", |row| match row.owned.owner {
        Some(owner) => Reading::Known(owner.removed).into(),
        None => Reading::<bool>::absent("its name was not found").into(),
    })
    .says("Was the cgroup removed?", KERNEL)
    .drop(9)
    .since("7.2"),
    Column::bytes("owned", "OWNED", |row| Bytes(row.owned.slots.saturating_mul(row.page)).into())
        .says("What it has on this area, the swap cache included.", KERNEL)
        .since("7.2"),
    Column::share("share", "SHARE", |row| match row.used {
        0 => Reading::<f64>::absent("nothing is used").into(),
        used => Reading::Known(row.owned.slots as f64 / used as f64).into(),
    })
    .says("The part of all that is used of the area.", KERNEL)
    .since("7.2"),
];

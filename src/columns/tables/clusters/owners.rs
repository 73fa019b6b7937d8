//! `cluster_owners`: which cgroups own the slots of each area.

use super::{Area, KERNEL, VIEWS, of_each};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::clusters::{self, Owned};
use crate::model::{Bytes, Name, Reading};

/// The table.
pub(super) struct Owners;

/// An owner on an area.
pub(super) struct Row<'v> {
    area: &'v Name,
    owned: Owned<'v>,
    page: u64,
    used: u64,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "cluster_owners",
    title: "Owners",
    about: "Which cgroups own the slots of each area, as kernels since 7.2 keep it beside them",
    style: Style::Rows,
    default: &["name", "cgroup", "owned", "share"],
    with_two: &[],
    key: "cgroup",
    sort: None,
    only: None,
    tree: None,
    needs: VIEWS,
    infos: spec::infos::<Owners>,
    cells: spec::cells::<Owners>,
};

impl Table for Owners {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        of_each(view, rows_of)
    }
}

fn rows_of<'v>(area: &Area<'v>) -> Reading<Vec<Row<'v>>> {
    let (name, page, used) = (area.name, area.page, area.map.used());
    let row = |owned| Row { area: name, owned, page, used };
    clusters::owned(area.map).map(|all| all.into_iter().map(row).collect())
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

static COLUMNS: &[Column<Owners>] = &[
    Column {
        info: Info::new("name", "NAME", Unit::Text).says("The area.", "/proc/swaps"),
        get: |row| row.area.clone().into(),
    },
    Column {
        info: Info::new("cgroup", "CGROUP", Unit::Text)
            .says(
                "Who owns the slots. A cgroup that was removed lives on for what it has in swap; its name may not be found. No cgroup owns what a hibernation image takes, and with version 1 of cgroups what is in the swap cache.",
                KERNEL,
            )
            .since("7.2"),
        get: |row| row.words().into(),
    },
    Column {
        info: Info::new("path", "PATH", Unit::Text)
            .drop(9)
            .says("The path of the cgroup, where its name was found.", KERNEL)
            .since("7.2"),
        get: |row| match row.owned.owner {
            Some(owner) => owner.path.clone().into(),
            None => Reading::<String>::absent("its name was not found").into(),
        },
    },
    Column {
        info: Info::new("id", "ID", Unit::Number)
            .drop(9)
            .says("The kernel's own number for the cgroup; no file shows it.", KERNEL)
            .since("7.2"),
        get: |row| match row.owned.number {
            Some(number) => Reading::Known(u64::from(number)).into(),
            None => Reading::<u64>::absent("no cgroup owns them").into(),
        },
    },
    Column {
        info: Info::new("removed", "REMOVED", Unit::Flag)
            .drop(9)
            .says("Was the cgroup removed?", KERNEL)
            .since("7.2"),
        get: |row| match row.owned.owner {
            Some(owner) => Reading::Known(owner.removed).into(),
            None => Reading::<bool>::absent("its name was not found").into(),
        },
    },
    Column {
        info: Info::new("owned", "OWNED", Unit::Bytes)
            .says("What it has on this area, the swap cache included.", KERNEL)
            .since("7.2"),
        get: |row| Bytes(row.owned.slots.saturating_mul(row.page)).into(),
    },
    Column {
        info: Info::new("share", "SHARE", Unit::Share)
            .says("The part of all that is used of the area.", KERNEL)
            .since("7.2"),
        get: |row| match row.used {
            0 => Reading::<f64>::absent("nothing is used").into(),
            used => Reading::Known(row.owned.slots as f64 / used as f64).into(),
        },
    },
];

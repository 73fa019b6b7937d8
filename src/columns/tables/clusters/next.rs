//! `cluster_next`: where the next slots of each area are taken.

use super::{Area, KERNEL, VIEWS, of_each};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::{View, clusters};
use crate::model::clusters::{ClusterMap, Next as Position};
use crate::model::{Bytes, Name, Reading};

/// The table.
pub(super) struct Next;

/// A place on an area.
pub(super) struct Row<'v> {
    area: &'v Name,
    map: &'v ClusterMap,
    next: Position,
    page: u64,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "cluster_next",
    title: "Next slots",
    about: "Where each processor takes the next slot of each area, by the size of the folio",
    style: Style::Rows,
    default: &["name", "cpu", "folio", "offset", "cluster", "left"],
    with_two: &[],
    key: "cpu",
    sort: None,
    only: None,
    tree: None,
    needs: VIEWS,
    infos: spec::infos::<Next>,
    cells: spec::cells::<Next>,
};

impl Table for Next {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        of_each(view, rows_of)
    }
}

fn rows_of<'v>(area: &Area<'v>) -> Reading<Vec<Row<'v>>> {
    let row =
        |next: &Position| Row { area: area.name, map: area.map, next: *next, page: area.page };
    clusters::next(area.map).map(|all| all.iter().map(row).collect())
}

static COLUMNS: &[Column<Next>] = &[
    Column {
        info: Info::new("name", "NAME", Unit::Text).says("The area.", "/proc/swaps"),
        get: |row| row.area.clone().into(),
    },
    Column {
        info: Info::new("cpu", "CPU", Unit::Text).says(
            "The processor that takes its next slot there; \"all\" where all of them share one place, as on devices that seek. One without a row takes another cluster first, or another area.",
            KERNEL,
        ),
        get: |row| row.next.cpu.map_or_else(|| "all".to_owned(), |cpu| cpu.to_string()).into(),
    },
    Column {
        info: Info::new("order", "ORDER", Unit::Count)
            .drop(3)
            .says("The size of the folio as a power of two of pages.", KERNEL),
        get: |row| u64::from(row.next.order).into(),
    },
    Column {
        info: Info::new("folio", "FOLIO", Unit::Bytes)
            .says("The size of the folio: each size has a place of its own.", KERNEL),
        get: |row| clusters::folio(row.next.order, row.page).into(),
    },
    Column {
        info: Info::new("slot", "SLOT", Unit::Number)
            .drop(3)
            .says("The slot, counted in pages from the beginning of the area.", KERNEL),
        get: |row| row.next.slot.into(),
    },
    Column {
        info: Info::new("offset", "OFFSET", Unit::Bytes)
            .says("Where on the area that is.", KERNEL),
        get: |row| Bytes(row.next.slot.saturating_mul(row.page)).into(),
    },
    Column {
        info: Info::new("cluster", "CLUSTER", Unit::Number)
            .drop(2)
            .says("The number of the cluster that it is in, as --cluster takes it.", KERNEL),
        get: |row| clusters::cluster_of(row.map, row.next.slot).into(),
    },
    Column {
        info: Info::new("left", "LEFT", Unit::Count)
            .drop(1)
            .says("Slots of that cluster that are free.", KERNEL),
        get: |row| clusters::left(row.map, row.next.slot).into(),
    },
];

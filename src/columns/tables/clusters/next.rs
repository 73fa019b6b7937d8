//! `cluster_next`: where the next slots of each area are taken.

use super::{Area, KERNEL, VIEWS, known_areas};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::{SampleView, clusters};
use crate::model::clusters::{ClusterMap, NextSlot as Position};
use crate::model::{Bytes, Missing, Name, Reading};

/// The table.
pub(super) struct ClusterNextTable;

/// A place on an area; one that is not known stands for all of its area.
pub(super) struct Row<'v> {
    area: &'v Name,
    map: &'v ClusterMap,
    next: Reading<Position>,
    page: u64,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ClusterNextTable>("cluster_next", "Next slots", "cpu")
    .shown_by("clusters")
    .about("Where each processor takes the next slot of each area, by the size of the folio")
    .shows(&["name", "cpu", "folio", "offset", "cluster", "left"])
    .needs(VIEWS);

impl Table for ClusterNextTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        known_areas(view).and_then(|areas| {
            let rows: Vec<_> = areas.iter().flat_map(area_rows).collect();
            match first_missing(&rows) {
                Some(why) => why.into(),
                None => Reading::Known(rows),
            }
        })
    }
}

fn area_rows<'v>(area: &Area<'v>) -> Vec<Row<'v>> {
    let row = |next| Row { area: area.name, map: area.map, next, page: area.page };
    match area.map.next.get() {
        Ok(all) => all.iter().map(|next| row(Reading::Known(*next))).collect(),
        Err(why) => vec![row(why.into())],
    }
}

/// The first reason, where no area tells more than that.
fn first_missing(rows: &[Row<'_>]) -> Option<Missing> {
    let all: Option<Vec<_>> = rows.iter().map(|row| row.next.missing()).collect();
    all?.first().map(|why| (*why).clone())
}

impl Row<'_> {
    fn map_next<T>(&self, fact: impl FnOnce(Position) -> T) -> Reading<T> {
        self.next.clone().map(fact)
    }
}

fn cpu(next: Position) -> String {
    next.cpu.map_or_else(|| "all".to_owned(), |cpu| cpu.to_string())
}

type Column = spec::Column<ClusterNextTable>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    Column::text("cpu", "CPU", |row| row.map_next(cpu).into())
        .says("The processor that takes its next slot there; \"all\" where all of them share one place, as on devices that seek. One without a row takes another cluster first, or another area.", KERNEL),
    Column::count("order", "ORDER", |row| row.map_next(|next| u64::from(next.order)).into())
        .says("The size of the folio as a power of two of pages.", KERNEL)
        .drop(3),
    Column::bytes("folio", "FOLIO", |row| {
        row.map_next(|next| clusters::folio_size(next.order, row.page)).into()
    })
    .says("The size of the folio: each size has a place of its own.", KERNEL),
    Column::number("slot", "SLOT", |row| row.map_next(|next| next.slot).into())
        .says("The slot, counted in pages from the beginning of the area.", KERNEL)
        .drop(3),
    Column::bytes("offset", "OFFSET", |row| {
        row.map_next(|next| Bytes(next.slot.saturating_mul(row.page))).into()
    })
    .says("Where on the area that is.", KERNEL),
    Column::number("cluster", "CLUSTER", |row| {
        row.map_next(|next| clusters::cluster_of(row.map, next.slot)).into()
    })
    .says("The number of the cluster that it is in, as --cluster takes it.", KERNEL)
    .drop(2),
    Column::count("left", "LEFT", |row| {
        row.next.clone().and_then(|next| clusters::free_slots_at(row.map, next.slot)).into()
    })
    .says("Slots of that cluster that are free.", KERNEL)
    .drop(1),
];

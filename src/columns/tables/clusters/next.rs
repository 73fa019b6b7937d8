//! `cluster_next`: where each CPU takes the next slot of each area.

use super::{Area, KERNEL, VIEWS, known_areas};
use crate::columns::spec::Spec;
use crate::derive::{SampleView, clusters};
use crate::model::clusters::{ClusterMap, NextSlot as Position};
use crate::model::{Bytes, Missing, Name, Reading};

table!(pub struct ClusterNextTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// A position on an area; an unknown one stands for the whole area.
pub struct Row<'v> {
    area: &'v Name,
    map: &'v ClusterMap,
    next: Reading<Position>,
    page: u64,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ClusterNextTable>("cluster_next", "Next slots", "cpu")
    .shown_by("clusters")
    .about("Where each CPU takes the next slot of each area, by folio size")
    .shows("name,cpu,folio,offset,cluster,free_slots")
    .needs(VIEWS);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    known_areas(view).and_then(|areas| {
        let rows: Vec<_> = areas.iter().flat_map(area_rows).collect();
        match first_missing(&rows) {
            Some(why) => why.into(),
            None => Reading::Known(rows),
        }
    })
}

fn area_rows<'v>(area: &Area<'v>) -> Vec<Row<'v>> {
    let row = |next| Row { area: area.name, map: area.map, next, page: area.page };
    match area.map.next.get() {
        Ok(all) => all.iter().map(|next| row(Reading::Known(*next))).collect(),
        Err(why) => vec![row(why.into())],
    }
}

/// The first reason, if the positions of all areas are unknown.
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

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.clone().into()).says("The area.", "/proc/swaps"),
    Column::text("cpu", "CPU", |row| row.map_next(cpu).into())
        .says("CPU that takes its next slot there; \"all\" if the CPUs share one position, as on rotational devices. A CPU without a row starts with another cluster or area.", KERNEL),
    Column::count("order", "ORDER", |row| row.map_next(|next| u64::from(next.order)).into())
        .says("Folio order: size as a power of two of pages.", KERNEL),
    Column::bytes("folio", "FOLIO", |row| {
        row.map_next(|next| clusters::folio_size(next.order, row.page)).into()
    })
    .says("Folio size; each size has its own position.", KERNEL),
    Column::number("slot", "SLOT", |row| row.map_next(|next| next.slot).into())
        .says("Slot number: offset in pages from the beginning of the area.", KERNEL),
    Column::bytes("offset", "OFFSET", |row| {
        row.map_next(|next| Bytes(next.slot.saturating_mul(row.page))).into()
    })
    .says("Offset of the slot on the area.", KERNEL),
    Column::number("cluster", "CLUSTER", |row| {
        row.map_next(|next| clusters::cluster_of(row.map, next.slot)).into()
    })
    .says("Number of the cluster that contains the slot, for --cluster.", KERNEL)
    .drop(2),
    Column::count("free_slots", "FREE-SLOTS", |row| {
        row.next.clone().and_then(|next| clusters::free_slots_at(row.map, next.slot)).into()
    })
    .says("Free slots in that cluster.", KERNEL)
    .drop(1),
];

column_ids! { id: ClusterNextTable, SPEC; NAME CPU FOLIO CLUSTER FREE_SLOTS }

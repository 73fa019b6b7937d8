//! `cluster_slots`: each slot of one cluster.

use super::{BLOCKS, KCORE, KERNEL, VIEWS};
use crate::columns::spec::Spec;
use crate::derive::clusters;
use crate::model::clusters::{ClusterSlots as Cluster, Slot, SlotCount, SlotOwner, ZramStored};
use crate::model::{Bytes, Reading};

table!(pub struct ClusterSlotsTable: Row<'v>, Column, COLUMNS, |_, _| Reading::not_sampled());

/// A slot.
pub struct Row<'v> {
    at: u64,
    slot: &'v Slot,
    owner: Option<&'v SlotOwner>,
    page: u64,
    now_s: u64,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ClusterSlotsTable>("cluster_slots", "Slots", "slot")
    .single_subject()
    .shown_by("clusters")
    .about("Each slot of the cluster given by --cluster")
    .shows("slot,offset,state,count,cgroup,last_access")
    .needs(VIEWS);

/// The rows of a cluster that was read `now_s` seconds after boot.
pub fn rows(cluster: &Cluster, page: u64, now_s: u64) -> Vec<Row<'_>> {
    let owner = |slot: &Slot| cluster.names.get(&slot.owner?);
    let row = |(at, slot)| Row { at, slot, owner: owner(slot), page, now_s };
    (cluster.first..).zip(&cluster.slots).map(row).collect()
}

impl Row<'_> {
    fn mark(&self, of: impl Fn(&ZramStored) -> u16) -> Reading<bool> {
        Reading::or_absent(
            self.slot.stored.as_ref().map(|stored| of(stored) > 0),
            "zram stores nothing there, or the view is not that of zram",
        )
    }
}

/// A value that the view may not show, or that only used slots have.
fn known_or_unseen<T>(value: Option<T>) -> Reading<T> {
    Reading::or_absent(value, "the slot is free, or this view does not show it")
}

fn exact_count(count: SlotCount) -> Reading<u64> {
    match count {
        SlotCount::Exactly(count) => Reading::Known(count.into()),
        SlotCount::MoreThan(most) => Reading::absent(format!(
            "more than {most} references: the kernel keeps the rest of the count elsewhere"
        )),
    }
}

static COLUMNS: &[Column] = &[
    Column::number("slot", "SLOT", |row| row.at.into())
        .says("Slot number: offset in pages from the beginning of the area.", "/proc/swaps"),
    Column::bytes("offset", "OFFSET", |row| Bytes(row.at.saturating_mul(row.page)).into())
        .says("Offset of the slot on the area.", "/proc/swaps")
        .drop(4),
    Column::text("symbol", "SYMBOL", |row| clusters::slot_sign(row.slot).to_string().into())
        .says("Symbol of the slot in the map.", KCORE),
    Column::text("state", "STATE", |row| row.slot.state.word().into())
        .says("State: free, used, cached (used and also in memory), unusable (header or bad page), or unknown. Slots that the view cannot see count as free.", KCORE),
    Column::number("count", "COUNT", |row| known_or_unseen(row.slot.count).and_then(exact_count).into())
        .says("Number of references by processes. Missing if it exceeds what the slot can count.", KERNEL)
        .drop(1),
    Column::flag("zero", "ZERO", |row| known_or_unseen(row.slot.zero).into())
        .says("Whether it is a zero-filled page, which is not stored on the device.", KERNEL)
        .since("7.2"),
    Column::number("id", "ID", |row| known_or_unseen(row.slot.owner.map(u64::from)).into())
        .says("Internal ID in the kernel of the cgroup that owns the slot.", KERNEL)
        .since("7.2"),
    Column::text("cgroup", "CGROUP", |row| known_or_unseen(row.owner.map(|owner| owner.path.clone())).into())
        .says("Path of the cgroup that owns the slot.", KERNEL)
        .drop(3)
        .since("7.2"),
    Column::flag("same", "SAME", |row| row.mark(|stored| stored.same).into())
        .says("Whether zram stores the page as one repeated word.", BLOCKS),
    Column::flag("huge", "HUGE", |row| row.mark(|stored| stored.huge).into())
        .says("Whether the page is incompressible.", BLOCKS),
    Column::flag("idle", "IDLE", |row| row.mark(|stored| stored.idle).into())
        .says("Whether zram marks the page as idle.", BLOCKS),
    Column::flag("written", "WRITTEN", |row| row.mark(|stored| stored.written).into())
        .says("Whether zram wrote the page back to its backing device.", BLOCKS),
    Column::seconds("last_access", "LAST-ACCESS", |row| {
        let then = row.slot.stored.as_ref().and_then(|stored| stored.touched_s);
        known_or_unseen(then.map(|then| row.now_s.saturating_sub(then) as f64)).into()
    })
    .says("Time since the last access of zram to the page.", BLOCKS)
    .drop(2),
];

column_ids! { id: ClusterSlotsTable, SPEC;
    OFFSET SYMBOL
}

//! `cluster_slots`: each slot of one cluster.

use super::{BLOCKS, KCORE, KERNEL, VIEWS};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::{SampleView, clusters};
use crate::model::clusters::{SlotCount, SlotOwner, Slot, ClusterSlots as Cluster, ZramStored};
use crate::model::{Bytes, Missing, Reading};

/// The table.
pub struct ClusterSlotsTable;

/// A slot.
pub struct Row<'v> {
    at: u64,
    slot: &'v Slot,
    owner: Option<&'v SlotOwner>,
    page: u64,
    now_s: u64,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ClusterSlotsTable>("cluster_slots", "Slots", "slot")
    .shown_by("clusters")
    .about("Each slot of one cluster, which --cluster asks for")
    .shows(&["slot", "offset", "state", "count", "cgroup", "accessed"])
    .needs(VIEWS);

/// The rows of a cluster that was looked at so many seconds after the machine was booted.
pub fn rows(cluster: &Cluster, page: u64, now_s: u64) -> Vec<Row<'_>> {
    let owner = |slot: &Slot| cluster.names.get(&slot.owner?);
    let row = |(at, slot)| Row { at, slot, owner: owner(slot), page, now_s };
    (cluster.first..).zip(&cluster.slots).map(row).collect()
}

impl Table for ClusterSlotsTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    /// No snapshot holds them.
    fn rows<'v>(_view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        Missing::NotSampled.into()
    }
}

impl Row<'_> {
    fn mark(&self, of: impl Fn(&ZramStored) -> u16) -> Reading<bool> {
        match &self.slot.stored {
            Some(stored) => Reading::Known(of(stored) > 0),
            None => Reading::absent("zram has stored nothing there, or this is another view"),
        }
    }
}

/// What another view tells, or what is only known of slots that are used.
fn known_or_unseen<T>(value: Option<T>) -> Reading<T> {
    value.map_or_else(|| Reading::absent("it is free, or this view does not tell"), Reading::Known)
}

fn exact_count(count: SlotCount) -> Reading<u64> {
    match count {
        SlotCount::Exactly(count) => Reading::Known(count.into()),
        SlotCount::MoreThan(most) => Reading::absent(format!(
            "it is used more than {most} times, for which the slot has no room: the kernel counts the rest elsewhere"
        )),
    }
}

type Column = spec::Column<ClusterSlotsTable>;

static COLUMNS: &[Column] = &[
    Column::number("slot", "SLOT", |row| row.at.into())
        .says("The slot, counted in pages from the beginning of the area.", "/proc/swaps"),
    Column::bytes("offset", "OFFSET", |row| Bytes(row.at.saturating_mul(row.page)).into())
        .says("Where on the area it lies.", "/proc/swaps")
        .drop(4),
    Column::text("sign", "SIGN", |row| clusters::slot_sign(row.slot).to_string().into())
        .says("One sign for all of it, as in the picture.", KCORE)
        .drop(9),
    Column::text("state", "STATE", |row| clusters::slot_state(row.slot).into())
        .says("Free, used, cached (taken, and in memory as well), not usable (the header, a bad page), or unknown. What the view does not see is free here.", KCORE),
    Column::number("count", "COUNT", |row| known_or_unseen(row.slot.count).and_then(exact_count).into())
        .says("How often it is used: by processes that share it. Missing where that is more often than the slot has room for, which the reason says.", KERNEL)
        .drop(1),
    Column::flag("zero", "ZERO", |row| known_or_unseen(row.slot.zero).into())
        .says("Is it a page of zeroes, of which the device has nothing?", KERNEL)
        .drop(5)
        .since("7.2"),
    Column::number("id", "ID", |row| known_or_unseen(row.slot.owner.map(u64::from)).into())
        .says("The kernel's own number for the cgroup that owns it.", KERNEL)
        .drop(6)
        .since("7.2"),
    Column::text("cgroup", "CGROUP", |row| known_or_unseen(row.owner.map(|owner| owner.path.clone())).into())
        .says("The path of the cgroup that owns it.", KERNEL)
        .drop(3)
        .since("7.2"),
    Column::flag("same", "SAME", |row| row.mark(|stored| stored.same).into())
        .says("Has zram one word repeated there?", BLOCKS)
        .drop(5),
    Column::flag("huge", "HUGE", |row| row.mark(|stored| stored.huge).into())
        .says("Could zram not compress it?", BLOCKS)
        .drop(5),
    Column::flag("idle", "IDLE", |row| row.mark(|stored| stored.idle).into())
        .says("Is it marked as idle?", BLOCKS)
        .drop(5),
    Column::flag("written", "WRITTEN", |row| row.mark(|stored| stored.written).into())
        .says("Was it written to the backing device?", BLOCKS)
        .drop(5),
    Column::seconds("accessed", "ACCESSED", |row| {
        let then = row.slot.stored.as_ref().and_then(|stored| stored.touched_s);
        known_or_unseen(then.map(|then| row.now_s.saturating_sub(then) as f64)).into()
    })
    .says("How long ago zram was accessed for it.", BLOCKS)
    .drop(2),
];

column_ids! { id: ClusterSlotsTable, SPEC;
    OFFSET SIGN
}

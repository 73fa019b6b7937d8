//! `cluster_slots`: each slot of one cluster.

use super::{BLOCKS, KCORE, KERNEL, VIEWS};
use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::{View, clusters};
use crate::model::clusters::{Count, Owner, Slot, Slots as Cluster, Stored};
use crate::model::{Bytes, Missing, Reading};

/// The table.
pub struct Slots;

/// A slot.
pub struct Row<'v> {
    at: u64,
    slot: &'v Slot,
    owner: Option<&'v Owner>,
    page: u64,
    now_s: u64,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "cluster_slots",
    title: "Slots",
    about: "Each slot of one cluster, which --cluster asks for",
    style: Style::Rows,
    default: &["slot", "offset", "state", "count", "cgroup", "accessed"],
    with_two: &[],
    key: "slot",
    sort: None,
    only: None,
    tree: None,
    // As the other tables of clusters: a whole report leaves them out.
    needs: VIEWS,
    infos: spec::infos::<Slots>,
    cells: spec::cells::<Slots>,
};

/// The rows of a cluster that was looked at so many seconds after the machine was booted.
pub fn rows(cluster: &Cluster, page: u64, now_s: u64) -> Vec<Row<'_>> {
    let owner = |slot: &Slot| cluster.names.get(&slot.owner?);
    let row = |(at, slot)| Row { at, slot, owner: owner(slot), page, now_s };
    (cluster.first..).zip(&cluster.slots).map(row).collect()
}

impl Table for Slots {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    /// No snapshot holds them.
    fn rows<'v>(_view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        Missing::NotSampled.into()
    }
}

impl Row<'_> {
    fn mark(&self, of: impl Fn(&Stored) -> u16) -> Reading<bool> {
        match &self.slot.stored {
            Some(stored) => Reading::Known(of(stored) > 0),
            None => Reading::absent("zram has stored nothing there, or this is another view"),
        }
    }
}

/// What another view tells, or what is only known of slots that are used.
fn told<T>(value: Option<T>) -> Reading<T> {
    value.map_or_else(|| Reading::absent("it is free, or this view does not tell"), Reading::Known)
}

fn exactly(count: Count) -> Reading<u64> {
    match count {
        Count::Exactly(count) => Reading::Known(count.into()),
        Count::MoreThan(most) => Reading::absent(format!(
            "it is used more than {most} times, for which the slot has no room: the kernel counts the rest elsewhere"
        )),
    }
}

static COLUMNS: &[Column<Slots>] = &[
    Column {
        info: Info::new("slot", "SLOT", Unit::Number)
            .says("The slot, counted in pages from the beginning of the area.", "/proc/swaps"),
        get: |row| row.at.into(),
    },
    Column {
        info: Info::new("offset", "OFFSET", Unit::Bytes)
            .drop(4)
            .says("Where on the area it lies.", "/proc/swaps"),
        get: |row| Bytes(row.at.saturating_mul(row.page)).into(),
    },
    Column {
        info: Info::new("sign", "SIGN", Unit::Text)
            .drop(9)
            .says("One sign for all of it, as in the picture.", KCORE),
        get: |row| clusters::sign(row.slot).to_string().into(),
    },
    Column {
        info: Info::new("state", "STATE", Unit::Text).says(
            "Free, used, cached (taken, and in memory as well), not usable (the header, a bad page), or unknown. What the view does not see is free here.",
            KCORE,
        ),
        get: |row| clusters::state(row.slot).into(),
    },
    Column {
        info: Info::new("count", "COUNT", Unit::Number)
            .drop(1)
            .says("How often it is used: by processes that share it. Missing where that is more often than the slot has room for, which the reason says.", KERNEL),
        get: |row| told(row.slot.count).and_then(exactly).into(),
    },
    Column {
        info: Info::new("zero", "ZERO", Unit::Flag)
            .drop(5)
            .says("Is it a page of zeroes, of which the device has nothing?", KERNEL)
            .since("7.2"),
        get: |row| told(row.slot.zero).into(),
    },
    Column {
        info: Info::new("id", "ID", Unit::Number)
            .drop(6)
            .says("The kernel's own number for the cgroup that owns it.", KERNEL)
            .since("7.2"),
        get: |row| told(row.slot.owner.map(u64::from)).into(),
    },
    Column {
        info: Info::new("cgroup", "CGROUP", Unit::Text)
            .drop(3)
            .says("The path of the cgroup that owns it.", KERNEL)
            .since("7.2"),
        get: |row| told(row.owner.map(|owner| owner.path.clone())).into(),
    },
    Column {
        info: Info::new("same", "SAME", Unit::Flag)
            .drop(5)
            .says("Has zram one word repeated there?", BLOCKS),
        get: |row| row.mark(|stored| stored.same).into(),
    },
    Column {
        info: Info::new("huge", "HUGE", Unit::Flag)
            .drop(5)
            .says("Could zram not compress it?", BLOCKS),
        get: |row| row.mark(|stored| stored.huge).into(),
    },
    Column {
        info: Info::new("idle", "IDLE", Unit::Flag)
            .drop(5)
            .says("Is it marked as idle?", BLOCKS),
        get: |row| row.mark(|stored| stored.idle).into(),
    },
    Column {
        info: Info::new("written", "WRITTEN", Unit::Flag)
            .drop(5)
            .says("Was it written to the backing device?", BLOCKS),
        get: |row| row.mark(|stored| stored.written).into(),
    },
    Column {
        info: Info::new("accessed", "ACCESSED", Unit::Seconds)
            .drop(2)
            .says("How long ago zram was accessed for it.", BLOCKS),
        get: |row| {
            let then = row.slot.stored.as_ref().and_then(|stored| stored.touched_s);
            told(then.map(|then| row.now_s.saturating_sub(then) as f64)).into()
        },
    },
];

//! `selection`: which area the next pages go to, by node.

mod sentences;

pub use sentences::{describe_change, describe_selection};

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::balance::FillState;
use crate::derive::selection::traps::{self, Trap};
use crate::derive::selection::{self, LargeFolioSupport, NodeOrder, OrderedArea, Selection as Found};
use crate::model::kernel::{Allocator, AllocatorEvidence, RotationUnit, AllocationOrder};
use crate::model::{Bytes, Name, Part, PartSet, Reading, Snapshot};
use sentences::AreaNames;

/// The table.
pub struct SelectionTable;

/// An area in the order of a node.
pub struct Row {
    case: &'static str,
    node: Option<u32>,
    position: u64,
    name: Name,
    priority: i32,
    place: OrderedArea,
    policy: Reading<Allocator>,
    turns_known_by: Reading<AllocatorEvidence>,
    traps: Vec<TrapNote>,
    /// Pages of the folios that this is about.
    folio: u64,
    page: Reading<u64>,
}

/// A trap that an area is in.
#[derive(Clone)]
struct TrapNote {
    short: &'static str,
    is_wrong: bool,
    told: String,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<SelectionTable>("selection", "Which area is next", "name")
    .per_area()
    .about("The areas in the order in which the kernel takes them, on each NUMA node where they differ, and the share of the next pages that each gets")
    .shows(&["node", "position", "name", "priority", "effective", "why", "group", "slots", "share", "free", "begins", "full_after", "large", "turn"])
    .needs(PartSet::from_parts(&[ Part::Kernel, Part::Swaps, Part::Block, Part::Thp, Part::Numa, Part::Allocator, Part::Zram, ]));

/// The word for the order as it is.
pub const NOW: &str = "now";
/// The word for the order as it would be.
pub const THEN: &str = "then";

impl Table for SelectionTable {
    type Row<'v> = Row;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &SampleView<'_>) -> Reading<Vec<Row>> {
        rows(view.now, NOW, 1)
    }
}

/// The rows of a machine as it is, or as it would be, for folios of so many pages.
pub fn rows(snapshot: &Snapshot, case: &'static str, folio: u64) -> Reading<Vec<Row>> {
    selection::for_pages(snapshot).map2(selection::for_folios(snapshot, folio), |singly, found| {
        let traps = trap_notes(snapshot, &singly);
        let rows = |line| line_rows(snapshot, case, (&found, &traps), line);
        let rows = found.lines.iter().flat_map(rows);
        rows.map(|row| Row { folio, ..row }).collect()
    })
}

/// The traps with the areas that are in them, the worst first.
fn trap_notes(snapshot: &Snapshot, found: &Found) -> Vec<(Trap, TrapNote)> {
    let names = AreaNames::from_snapshot(snapshot);
    let trapped = |trap: Trap| {
        let (short, is_wrong) = (sentences::trap_slug(&trap), trap.is_wrong());
        let told = sentences::describe_trap(&names, &trap);
        (trap, TrapNote { short, is_wrong, told })
    };
    let mut traps: Vec<_> = traps::find_traps(snapshot, found).into_iter().map(trapped).collect();
    traps.sort_by_key(|(trap, _)| !trap.is_wrong());
    traps
}

fn line_rows(
    snapshot: &Snapshot,
    case: &'static str,
    (found, traps): (&Found, &[(Trap, TrapNote)]),
    line: &NodeOrder,
) -> Vec<Row> {
    let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    let turns_known_by = selection::policy::grain(snapshot).map(|(_, evidence)| evidence);
    let row = |(position, place): (u64, &OrderedArea)| {
        let own = traps.iter().filter(|(trap, _)| trap.areas().contains(&place.area));
        let area = areas.get(place.area)?;
        Some(Row {
            case,
            node: line.node,
            position,
            name: area.path.clone(),
            priority: area.priority,
            place: place.clone(),
            policy: found.policy.clone(),
            turns_known_by: turns_known_by.clone(),
            traps: own.map(|(_, trapped)| trapped.clone()).collect(),
            folio: 1,
            page: snapshot.page_size.clone(),
        })
    };
    (1..).zip(&line.places).filter_map(row).collect()
}

impl Row {
    fn bytes(&self, pages: &Reading<u64>) -> Reading<Bytes> {
        pages.clone().map2(self.page.clone(), |pages, page| Bytes(pages.saturating_mul(page)))
    }

    /// What is to be said of each of its traps, if it is in any.
    fn trap_values(&self, fact: impl Fn(&TrapNote) -> &str) -> Reading<Vec<String>> {
        match self.traps.as_slice() {
            [] => Reading::absent("it goes as it seems"),
            traps => Reading::Known(traps.iter().map(|trap| fact(trap).to_owned()).collect()),
        }
    }

    fn cluster_slots(&self) -> Reading<u64> {
        self.policy.clone().and_then(|policy| match policy.cluster_slots {
            Some(slots) => Reading::Known(u64::from(slots)),
            None => Reading::absent("nothing tells how many slots a cluster has"),
        })
    }

    fn why_not_large(&self) -> Reading<&'static str> {
        self.place.large.clone().and_then(|large| match large {
            LargeFolioSupport::Yes => Reading::absent("it takes them"),
            LargeFolioSupport::File => Reading::Known("file"),
            LargeFolioSupport::Rotational => Reading::Known("rotational"),
        })
    }
}

/// The word for what tells the rules.
fn evidence(evidence: AllocatorEvidence) -> &'static str {
    match evidence {
        AllocatorEvidence::Types => "types",
        AllocatorEvidence::Priorities => "priorities",
        AllocatorEvidence::Symbols => "symbols",
        AllocatorEvidence::Release => "release",
    }
}

fn grain(grain: RotationUnit) -> &'static str {
    match grain {
        RotationUnit::Batch => "batch",
        RotationUnit::Cluster => "cluster",
    }
}

fn severity(trap: &TrapNote) -> &str {
    if trap.is_wrong { "warn" } else { "note" }
}

fn order(order: AllocationOrder) -> &'static str {
    match order {
        AllocationOrder::ByNode => "by node",
        AllocationOrder::Alike => "alike",
    }
}

const SWAPS: &str = "/proc/swaps";
const RULES: &str =
    "/sys/kernel/btf/vmlinux, /proc/swaps, /proc/kallsyms, /proc/sys/kernel/osrelease";
const NODES: &str = "/proc/swaps, /sys/block/*/device/numa_node";
const TURNS: &str = "/proc/swaps, /sys/block/*/queue/rotational, /sys/kernel/btf/vmlinux";
const TRAPPED: &str =
    "/proc/swaps, /sys/block/*/queue/rotational, /sys/kernel/btf/vmlinux, /sys/block/zram*/mm_stat";

type Column = spec::Column<SelectionTable>;

static COLUMNS: &[Column] = &[
    Column::text("case", "CASE", |row| row.case.into())
        .says("now: as it is; then: as it would be with the priorities of --with.", "the arguments"),
    Column::text("node", "NODE", |row| {
        row.node.map_or_else(|| "all".to_owned(), |node| node.to_string()).into()
    })
    .says("The NUMA node of the processor that frees memory; all where every node has this order.", "/sys/devices/system/node")
    .drop(3),
    Column::count("position", "#", |row| row.position.into())
        .says("The place in the order; areas of one group are equal, whatever their places.", NODES),
    Column::text("name", "NAME", |row| row.name.clone().into())
        .says("Path of the device or file.", SWAPS),
    Column::integer("priority", "PRIO", |row| row.priority.into())
        .says("The priority that the kernel shows.", SWAPS),
    Column::integer("effective", "EFFECTIVE", |row| row.place.effective.into())
        .says("The priority that counts: up to kernel 6.18 an area that was given none has -1 on its own node, before all others that were given none; on later ones -1 is what all have that were given none.", NODES)
        .drop(6),
    Column::text("why", "BY", |row| row.place.why.word().into())
        .says("explicit: it was given its priority; default: it was given none, and the kernel numbered it; own node: the same, and it belongs to the node.", NODES)
        .drop(5),
    Column::count("group", "GROUP", |row| (row.place.group as u64).into())
        .says("Areas of one group take turns; a group is filled before the next begins.", NODES)
        .drop(4),
    Column::count("slots", "SLOTS", |row| row.place.turn_slots.clone().into())
        .says("Slots that it gives before it is the next one's turn: 64, and 57 on average where it rotates; since about 6.15 those of a cluster, and 1 where it rotates. Of single pages unless --folio is given: such folios take one turn each up to about 6.14, and later where it rotates; none where it does not take them whole.", TURNS)
        .drop(7),
    Column::share("share", "NEXT", |row| row.place.share.clone().into())
        .says("Its share of the next pages, until the first area of the group is full: its slots against those of all in the group with room. Of single pages unless --folio is given: not known then where some of the group split such folios and some do not. What each processor keeps aside, a cluster or 64 slots, is not in it.", TURNS),
    Column::share("in_turn", "IN-TURN", |row| row.place.in_turn.clone().into())
        .says("Its share of the pages from BEGINS on, until an area is full; of single pages unless --folio is given.", TURNS)
        .drop(8),
    Column::bytes("free", "FREE", |row| row.bytes(&row.place.free).into())
        .says("What of it is free: TRAPS tells where that cannot be filled.", SWAPS)
        .drop(2),
    Column::bytes("begins", "BEGINS", |row| row.bytes(&row.place.begins).into())
        .says("How much goes out to others before it gets the first page.", TURNS)
        .drop(8),
    Column::bytes("full_after", "FULL-AFTER", |row| row.bytes(&row.place.full_after).into())
        .says("How much goes out, to whichever area, until it is full.", TURNS)
        .drop(1),
    Column::flag("large", "LARGE", |row| {
        row.place.large.clone().map(|large| large == LargeFolioSupport::Yes).into()
    })
    .says("Does it take large folios whole, while it has free clusters? Up to kernel 6.9 only huge pages.", TURNS)
    .drop(9),
    Column::text("large_why", "NOT-LARGE", |row| row.why_not_large().into())
        .says("Why it takes none: file, rotational.", TURNS),
    Column::text("turn", "TURN", |row| row.place.turn.clone().map(FillState::word).into())
        .says("fills: it gets the next pages, or its share of them; waits: it gets pages when those before it are full; full: it has no room.", TURNS),
    Column::text("order", "ORDER", |row| {
        row.policy.clone().map(|policy| order(policy.order)).into()
    })
    .says("by node: each node has an order of its own, up to kernel 6.18; alike: all have one.", RULES),
    Column::text("known_by", "KNOWN-BY", |row| {
        row.policy.clone().map(|policy| evidence(policy.evidence)).into()
    })
    .says("By what that is known: the kernel's types, the priorities that it shows, its symbols, or its release only.", RULES),
    Column::text("grain", "GRAIN", |row| {
        row.policy.clone().map(|policy| grain(policy.grain)).into()
    })
    .says("What processors fetch at a turn: a batch of 64 slots, or a cluster, since about kernel 6.15.", RULES),
    Column::text("turns_known_by", "TURNS-BY", |row| {
        row.turns_known_by.clone().map(evidence).into()
    })
    .says("The same as KNOWN-BY, of GRAIN.", RULES),
    Column::count("cluster_slots", "CLUSTER", |row| row.cluster_slots().into())
        .says("Slots of a cluster.", RULES),
    Column::bytes("folio", "FOLIO", |row| row.bytes(&Reading::Known(row.folio)).into())
        .says("The size of the folios that SLOTS, NEXT, IN-TURN, BEGINS, FULL-AFTER and TURN are of: a page unless --folio is given.", "the arguments"),
    Column::list("traps", "TRAPS", |row| row.trap_values(|trap| trap.short).into())
        .says("What does not go as it seems, the worst first: rotates-among-equals, may-be-first, taken-for-rotating, refuses-by-limit, splits-folios, has-no-priority.", TRAPPED)
        .drop(7),
    Column::list("severity", "SEVERITY", |row| row.trap_values(severity).into())
        .says("Of each of these: warn: pages go elsewhere, or come back otherwise, than anybody would want; note: it may not be what was wanted.", TRAPPED),
    Column::list("meaning", "MEANING", |row| row.trap_values(|trap| &trap.told).into())
        .says("What each of these does, and what helps.", TRAPPED),
];

column_ids! { id: SelectionTable, SPEC;
    BEGINS EFFECTIVE FREE FULL_AFTER GRAIN IN_TURN KNOWN_BY MEANING NAME NODE ORDER SEVERITY SHARE SLOTS TRAPS TURN
}

#[cfg(test)]
mod tests;

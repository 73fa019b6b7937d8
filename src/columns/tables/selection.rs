//! `selection`: which area the next pages go to, by NUMA node.

mod sentences;

pub use sentences::{describe_change, describe_decision, describe_selection};

use crate::columns::spec::Spec;
use crate::derive::balance::FillState;
use crate::derive::selection::pitfalls;
use crate::derive::selection::{
    self, LargeFolioSupport, NodeOrder, OrderedArea, Selection as Found,
};
use crate::model::kernel::{Allocator, AllocatorEvidence};
use crate::model::{Bytes, Name, Reading, Snapshot, part_set};
use sentences::AreaNames;
use std::collections::BTreeMap;
use std::rc::Rc;

table!(pub struct SelectionTable: Row, Column, COLUMNS, |view, _| rows(view.now, NOW, 1));

/// An area in the allocation order of a node.
pub struct Row {
    case: &'static str,
    node: Option<u32>,
    position: u64,
    name: Name,
    priority: i32,
    place: OrderedArea,
    policy: Reading<Allocator>,
    turns_known_by: Reading<AllocatorEvidence>,
    pitfalls: Vec<Rc<PitfallNote>>,
    /// Name of its swap tier.
    tier: Reading<String>,
    /// Pages per folio.
    folio: u64,
    page: Reading<u64>,
}

/// A pitfall that an area is affected by.
struct PitfallNote {
    short: &'static str,
    is_wrong: bool,
    explanation: String,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<SelectionTable>("selection", "Next area", "name")
    .per_area()
    .about("Areas in allocation order (per NUMA node where it differs), and the share of the next pages that each gets")
    .shows("node,position,name,priority,effective,priority_source,group,rotation_slots,next_share,free,starts_after,full_after,large_folios,state")
    .needs(part_set![Kernel, Swaps, Block, Thp, Numa, Allocator, Zram, Zswap, Meminfo]);

/// Value of CASE for the current order.
pub const NOW: &str = "now";
/// Value of CASE for the order with other priorities.
pub const CHANGED: &str = "changed";

/// The rows of a machine for folios of this many pages; `case` is [`NOW`] or [`CHANGED`].
pub fn rows(snapshot: &Snapshot, case: &'static str, folio: u64) -> Reading<Vec<Row>> {
    selection::for_pages(snapshot).map2(selection::for_folios(snapshot, folio), |singly, found| {
        let notes = pitfall_notes(snapshot, &singly);
        let rows = |line| line_rows(snapshot, (case, folio), (&found, &notes), line);
        found.lines.iter().flat_map(rows).collect()
    })
}

/// The notes on each area, worst first, by its index in the kernel's list.
type PitfallNotes = BTreeMap<usize, Vec<Rc<PitfallNote>>>;

fn pitfall_notes(snapshot: &Snapshot, found: &Found) -> PitfallNotes {
    let names = AreaNames::from_snapshot(snapshot);
    let mut pitfalls = pitfalls::find_pitfalls(snapshot, found);
    pitfalls.sort_by_key(|pitfall| !pitfall.is_wrong());
    let mut notes = PitfallNotes::new();
    for pitfall in &pitfalls {
        let note = Rc::new(PitfallNote {
            short: sentences::pitfall_slug(pitfall),
            is_wrong: pitfall.is_wrong(),
            explanation: sentences::describe_pitfall(&names, pitfall),
        });
        for area in pitfall.areas() {
            notes.entry(*area).or_default().push(Rc::clone(&note));
        }
    }
    notes
}

fn line_rows(
    snapshot: &Snapshot,
    (case, folio): (&'static str, u64),
    (found, notes): (&Found, &PitfallNotes),
    line: &NodeOrder,
) -> Vec<Row> {
    let turns_known_by = selection::policy::rotation_unit(snapshot).map(|(_, evidence)| evidence);
    let row = |(position, place): (u64, &OrderedArea)| {
        let area = snapshot.areas().get(place.area)?;
        Some(Row {
            case,
            node: line.node,
            position,
            name: area.path.clone(),
            priority: area.priority,
            place: place.clone(),
            policy: found.policy.clone(),
            turns_known_by: turns_known_by.clone(),
            pitfalls: notes.get(&place.area).cloned().unwrap_or_default(),
            tier: selection::tier(snapshot, area.priority).map(|tier| tier.name.clone()),
            folio,
            page: snapshot.page_size.clone(),
        })
    };
    (1..).zip(&line.places).filter_map(row).collect()
}

impl Row {
    fn bytes(&self, pages: &Reading<u64>) -> Reading<Bytes> {
        pages.clone().map2(self.page.clone(), |pages, page| Bytes(pages.saturating_mul(page)))
    }

    /// A fact of each pitfall of the area; absent if it has none.
    fn pitfall_values(&self, fact: impl Fn(&PitfallNote) -> &str) -> Reading<Vec<String>> {
        match self.pitfalls.as_slice() {
            [] => Reading::absent("the area has no pitfall"),
            pitfalls => {
                Reading::Known(pitfalls.iter().map(|pitfall| fact(pitfall).to_owned()).collect())
            }
        }
    }

    fn cluster_slots(&self) -> Reading<u64> {
        self.policy.clone().and_then(|policy| {
            Reading::or_absent(
                policy.cluster_slots.map(u64::from),
                "the cluster size of this kernel is unknown",
            )
        })
    }

    fn why_not_large(&self) -> Reading<&'static str> {
        self.place.large.clone().and_then(|large| match large {
            LargeFolioSupport::Yes => Reading::absent("the area takes large folios"),
            LargeFolioSupport::File => Reading::Known("file"),
            LargeFolioSupport::Rotational => Reading::Known("rotational"),
        })
    }
}

fn severity(pitfall: &PitfallNote) -> &str {
    if pitfall.is_wrong { "warn" } else { "note" }
}

const SWAPS: &str = "/proc/swaps";
const RULES: &str =
    "/sys/kernel/btf/vmlinux, /proc/swaps, /proc/kallsyms, /proc/sys/kernel/osrelease";
const NODES: &str = "/proc/swaps, /sys/block/*/device/numa_node";
const TIERS: &str = "/sys/kernel/mm/swap/tiers, /proc/swaps";
const TURNS: &str = "/proc/swaps, /sys/block/*/queue/rotational, /sys/kernel/btf/vmlinux";
const WITH_PITFALLS: &str =
    "/proc/swaps, /sys/block/*/queue/rotational, /sys/kernel/btf/vmlinux, /sys/block/zram*/mm_stat";

static COLUMNS: &[Column] = &[
    Column::text("case", "CASE", |row| row.case.into())
        .says("Case: now (current priorities) or changed (with the priorities of --with).", "the arguments"),
    Column::text("node", "NODE", |row| {
        row.node.map_or_else(|| "all".to_owned(), |node| node.to_string()).into()
    })
    .says("NUMA node of the CPU that swaps out; all if every node has this order.", "/sys/devices/system/node")
    .drop(3),
    Column::count("position", "#", |row| row.position.into())
        .says("Position in the allocation order; areas of one group are equal.", NODES),
    Column::text("name", "NAME", |row| row.name.clone().into())
        .says("Path of the device or file.", SWAPS),
    Column::integer("priority", "PRIO", |row| row.priority.into())
        .says("Priority as shown by the kernel.", SWAPS),
    Column::integer("effective", "EFFECTIVE", |row| row.place.effective.into())
        .says("Effective priority: up to kernel 6.18 an area with default priority has -1 on its own node, before other default priorities; later kernels give -1 to all of them.", NODES)
        .drop(6),
    Column::text("priority_source", "SOURCE", |row| row.place.why.word().into())
        .says("Source of the priority: explicit (set at swapon), default (numbered by the kernel), own node (default, and preferred by its node).", NODES)
        .drop(5),
    Column::count("group", "GROUP", |row| (row.place.group as u64).into())
        .says("Group number: areas of a group are used round robin; a group fills before the next one is used.", NODES)
        .drop(4),
    Column::count("rotation_slots", "ROT-SLOTS", |row| row.place.turn_slots.clone().into())
        .says("Slots taken before the next area of the group is used. Up to about 6.14: 64 (fewer if rotational), or one folio if --folio is given. Since then: a cluster, or on rotational areas 1 slot or folio. Missing if the area splits the folio.", TURNS)
        .drop(7),
    Column::share("next_share", "NEXT%", |row| row.place.share.clone().into())
        .says("Share of the next pages until the first area of the group is full: ROT-SLOTS / sum of ROT-SLOTS of the areas with free space. For single pages unless --folio is given; unknown if only some areas of the group split such folios. Excludes slots reserved per CPU (a cluster or 64 slots).", TURNS),
    Column::share("group_share", "GROUP%", |row| row.place.share_when_filling.clone().into())
        .says("Share of the pages that go to its group once the group is used, until an area is full. For single pages unless --folio is given.", TURNS)
        .drop(8),
    Column::bytes("free", "FREE", |row| row.bytes(&row.place.free).into())
        .says("Free space, 0 if less than 1% and 16 MiB; see PITFALLS if it cannot be used.", SWAPS)
        .drop(2),
    Column::bytes("starts_after", "STARTS-AFTER", |row| row.bytes(&row.place.begins).into())
        .says("Data swapped out to other areas before this one gets its next page.", TURNS)
        .drop(8),
    Column::bytes("full_after", "FULL-AFTER", |row| row.bytes(&row.place.full_after).into())
        .says("Data swapped out to all areas until this one is full.", TURNS)
        .drop(1),
    Column::flag("large_folios", "LARGE", |row| {
        row.place.large.clone().map(|large| large == LargeFolioSupport::Yes).into()
    })
    .says("Whether it takes large folios whole while it has free clusters; up to kernel 6.9 only huge pages.", TURNS)
    .drop(9),
    Column::text("large_folios_why", "NOT-LARGE", |row| row.why_not_large().into())
        .says("Why it takes no large folios: file or rotational.", TURNS),
    Column::text("state", "STATE", |row| row.place.turn.clone().map(FillState::word).into())
        .says("State: fills (gets the next pages, or its share of them), later (filled once the areas before it are full), full (less than 1% and 16 MiB free), drain (being disabled).", TURNS),
    Column::text("tier", "TIER", |row| row.tier.clone().into())
        .says("Swap tier of its priority. A cgroup uses only the tiers that it may use: see swap_tiers in swapadm-cgroups(8). Only kernels with swap tiers; no release has them yet.", TIERS),
    Column::text("allocation_order", "ORDER", |row| {
        row.policy.clone().map(|policy| policy.order.word()).into()
    })
    .says("Allocation order: per node (up to kernel 6.18) or same on all nodes.", RULES),
    Column::text("order_evidence", "ORDER-FROM", |row| {
        row.policy.clone().map(|policy| policy.evidence.word()).into()
    })
    .says("Evidence for ORDER: types (kernel type information), priorities (as shown), symbols, release only, or model (of a simulated machine).", RULES),
    Column::text("rotation_unit", "ROTATION", |row| {
        row.policy.clone().map(|policy| policy.rotation_unit.word()).into()
    })
    .says("Unit of the round robin: batch (64 slots) or cluster (since about kernel 6.15).", RULES),
    Column::text("rotation_evidence", "ROT-FROM", |row| {
        row.turns_known_by.clone().map(AllocatorEvidence::word).into()
    })
    .says("Evidence for ROTATION, as in ORDER-FROM.", RULES),
    Column::count("cluster_slots", "CLUSTER", |row| row.cluster_slots().into())
        .says("Slots per cluster.", RULES),
    Column::bytes("folio", "FOLIO", |row| row.bytes(&Reading::Known(row.folio)).into())
        .says("Folio size for ROT-SLOTS, NEXT%, GROUP%, STARTS-AFTER, FULL-AFTER and STATE: a page unless --folio is given.", "the arguments"),
    Column::list("pitfalls", "PITFALLS", |row| row.pitfall_values(|pitfall| pitfall.short).into())
        .says("Pitfalls of the area, worst first: rotational-in-group, may-come-first, counts-as-rotational, limit-refuses-pages, splits-folios, default-priority.", WITH_PITFALLS)
        .drop(7),
    Column::list("severity", "SEVERITY", |row| row.pitfall_values(severity).into())
        .says("Severity of each pitfall: warn (pages are placed or read back badly) or note (possibly not intended). swapadm advise has findings for the same configurations, with a fix.", WITH_PITFALLS),
    Column::list("explanation", "EXPLANATION", |row| row.pitfall_values(|pitfall| &pitfall.explanation).into())
        .says("Effect of each pitfall, and its remedy.", WITH_PITFALLS),
];

column_ids! { id: SelectionTable, SPEC;
    STARTS_AFTER EFFECTIVE FREE FULL_AFTER ROTATION_UNIT GROUP_SHARE ORDER_EVIDENCE EXPLANATION NAME NODE ALLOCATION_ORDER SEVERITY NEXT_SHARE ROTATION_SLOTS PITFALLS STATE
}

#[cfg(test)]
mod tests;

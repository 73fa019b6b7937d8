//! `cost`: kernel memory that each area needs, and what swapoff would move where.

use crate::columns::rows::Footnotes;
use crate::columns::spec::Spec;
use crate::columns::units;
use crate::columns::{Query, Rows};
use crate::derive::cost::{self, AreaCost};
use crate::derive::drain::{Drain, SingleDrains};
use crate::derive::{SampleView, metadata::Metadata};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, PartSet, Reading, Snapshot, part_set};

table!(pub struct CostTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// An area, or zswap (without an area), with its cost.
pub struct Row<'v> {
    area: Option<&'v SwapArea>,
    cost: AreaCost,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<CostTable>("cost", "Memory cost of areas", "name")
    .per_area()
    .footnotes(FOOTNOTES)
    .about("Kernel metadata and compressed data of each area, and what swapoff would move where")
    .shows("name,size,metadata_fixed,metadata,metadata_full,memory,memory_full,stored,zswap_slots,swapoff_moves,swapoff_fits")
    .needs(part_set![Kernel, Swaps, Meminfo, Zram, Zswap]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let drains = SingleDrains::new(view.now);
    let row = |area: &'v SwapArea| Row {
        area: Some(area),
        cost: cost::area_cost(view.now, &drains, area),
    };
    let zswap = cost::zswap_cost(view.now).map(|cost| Row { area: None, cost });
    let areas = view.now.swaps.reading.as_ref();
    areas.map(|areas| areas.iter().map(row).chain(zswap).collect())
}

/// Cells of planned areas: their estimated cost on this machine.
pub fn planned_rows(query: &Query, snapshot: &Snapshot, areas: &[SwapArea]) -> Rows {
    let drains = SingleDrains::new(snapshot);
    let row = |area| Row { area: Some(area), cost: cost::area_cost(snapshot, &drains, area) };
    query.rows_from::<CostTable>(&areas.iter().map(row).collect::<Vec<_>>())
}

/// Notes below the table.
const FOOTNOTES: Footnotes = Footnotes {
    sentences: zswap_sentences,
    legend: Some(
        "META-FULL: METADATA if the area were full; OFF-FITS: swapoff would fit into memory, other areas and cgroup limits; -: not applicable or unknown, see --explain",
    ),
    ..Footnotes::NONE
};

/// A sentence about the memory and the swap slots of zswap.
fn zswap_sentences(view: &SampleView<'_>, shown: &Rows) -> Vec<String> {
    let sentence = |cost: &AreaCost| {
        let size =
            |bytes: &Reading<Bytes>| bytes.known().map_or("-".to_owned(), |it| units::size(*it));
        let stores =
            format!("zswap stores {} in {} of memory.", size(&cost.kept), size(&cost.holds));
        if cost.blocks == Reading::Known(Bytes(0)) {
            return format!("{stores} With virtual swap, these pages take no slots of areas.");
        }
        let blocks = size(&cost.blocks);
        format!(
            "{stores} Each page also occupies a swap slot: {blocks} of the used swap holds no data on the areas."
        )
    };
    let rows = rows(view);
    let shown = rows.known().into_iter().flat_map(|rows| shown.shown(rows));
    shown.filter(|row| row.area.is_none()).map(|row| sentence(&row.cost)).collect()
}

impl Row<'_> {
    fn name(&self) -> Name {
        self.area.map_or_else(|| Name::from("zswap"), |area| area.path.clone())
    }

    fn off<T>(&self, fact: impl FnOnce(Drain) -> T) -> Reading<T> {
        self.cost.drain.clone().map(fact)
    }
}

const KNOWN: &str =
    "/proc/swaps, and the known structure sizes of the kernel release with 4 KiB pages";
const HELD: &str = "/sys/block/zram*/mm_stat, /proc/meminfo, /sys/module/zswap/parameters, /sys/kernel/debug/zswap";
const ENTRY: &str =
    "/sys/block/zram*/disksize, and /sys/kernel/btf/zram or /sys/kernel/btf/vmlinux";
const DETAIL: PartSet = part_set![ZramDetail];
const GROUPS: PartSet = part_set![Cgroups, Knobs];
const DRAIN: &str = "/proc/swaps, /proc/meminfo, /sys/block/zram*/mm_stat";
const DRAIN_GROUPS: &str = "/proc/swaps, /proc/meminfo, /sys/block/zram*/mm_stat, memory.max, memory.current, memory.swap.current, memory.swappiness and memory.stat of each cgroup, and /proc/sys/vm/swappiness";

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.name().into())
        .says("The area; +SIZE for one of --plan; zswap, which is in front of all areas, if it stores pages.", "/proc/swaps"),
    Column::bytes("size", "SIZE", |row| match row.area {
        Some(area) => area.size.into(),
        None => Reading::<Bytes>::absent("zswap is not an area").into(),
    })
    .says("Size of the area.", "/proc/swaps")
    .drop(3),
    Column::bytes("metadata_fixed", "FIXED", |row| row.cost.now.clone().map(|now| now.fixed).into())
        .says("Kernel memory for slot metadata that is allocated at swapon.", KNOWN)
        .drop(4),
    Column::bytes("metadata", "METADATA", |row| row.cost.now.clone().map(Metadata::all).into())
        .says("Lower bound of the kernel memory for slot metadata now: FIXED plus metadata of the used slots.", KNOWN),
    Column::bytes("metadata_full", "META-FULL", |row| {
        row.cost.full.clone().map(Metadata::all).into()
    })
    .says("Kernel memory for slot metadata if the area were full.", KNOWN)
    .drop(2),
    Column::bytes("zram_table", "ZRAM-TABLE", |row| {
        row.cost.table.clone().map(|table| table.size).into()
    })
    .says("Memory of the zram page table, for all pages of the device, used or not.", ENTRY)
    .needs(DETAIL),
    Column::count("zram_entry", "ENTRY", |row| {
        row.cost.table.clone().map(|table| table.entry.0).into()
    })
    .says("Bytes per page in the zram page table; depends on the kernel and its configuration.", ENTRY)
    .needs(DETAIL),
    Column::text("zram_entry_source", "ENTRY-FROM", |row| {
        let word = |assumed| if assumed { "assumed" } else { "types" };
        row.cost.table.clone().map(|table| word(table.assumed)).into()
    })
    .says("Source of ENTRY: types (kernel type information) or assumed (16 bytes). Kernels before 7.0 with CONFIG_ZRAM_MEMORY_TRACKING or CONFIG_ZRAM_TRACK_ENTRY_ACTIME use 24.", ENTRY)
    .needs(DETAIL),
    Column::bytes("memory", "MEMORY", |row| row.cost.holds.clone().into())
        .says("Memory that holds the data: of zram, or the zswap pool. The kernel does not show which areas hold the slots of zswap pages.", HELD)
        .drop(5),
    Column::bytes("memory_full", "MEM-FULL", |row| row.cost.holds_full.clone().into())
        .says("MEMORY if the area were full, at the current compression ratio and within its limit; for zswap, the pool limit.", HELD)
        .drop(6),
    Column::bytes("stored", "STORED", |row| row.cost.kept.clone().into())
        .says("Size of the data in MEMORY before compression.", HELD)
        .drop(8),
    Column::bytes("zswap_slots", "ZSWAP-SLOTS", |row| row.cost.blocks.clone().into())
        .says("Swap slots reserved for pages in zswap, one per page. They count as used, but hold no data.", HELD)
        .drop(8),
    Column::bytes("swapoff_moves", "OFF-MOVES", |row| row.off(|drain| drain.moves).into())
        .says("Data that swapoff would move to memory, and from there to other areas where memory is short.", DRAIN)
        .drop(1),
    Column::bytes("swapoff_memory", "OFF-MEMORY", |row| row.off(|drain| drain.memory).into())
        .says("Memory available to swapoff: MemAvailable plus what zram frees while it empties, and zswap if no other area is in use.", DRAIN),
    Column::bytes("swapoff_other_areas", "OFF-OTHER", |row| row.off(|drain| drain.elsewhere).into())
        .says("Room on the other areas, less the memory that zram among them needs.", DRAIN),
    Column::bytes("swapoff_memory_min", "OFF-MIN", |row| {
        row.off(|drain| Bytes(drain.moves.0.saturating_sub(drain.free.0))).into()
    })
    .says("Memory that swapoff needs at least: OFF-MOVES less the free space of the other areas.", DRAIN),
    Column::flag("swapoff_fits", "OFF-FITS", |row| row.cost.fits.clone().into())
        .says("Whether swapoff would fit into memory, other areas and the memory limits of the cgroups involved. `swapadm off NAME --dry-run` shows details and the estimated time.", DRAIN_GROUPS)
        .needs(GROUPS),
];

column_ids! { id: CostTable, SPEC;
    METADATA METADATA_FULL NAME SWAPOFF_FITS SWAPOFF_MEMORY SWAPOFF_MOVES
}

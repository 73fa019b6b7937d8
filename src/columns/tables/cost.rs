//! `cost`: what each area costs in memory, and what would have to go where if it were switched off.

use crate::columns::Rows;
use crate::columns::rows::Footnotes;
use crate::columns::spec::{self, Spec, Table};
use crate::columns::units;
use crate::columns::value::Value;
use crate::derive::cost::{self, AreaCost};
use crate::derive::drain::Drain;
use crate::derive::{SampleView, metadata::Metadata};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name, Part, PartSet, Reading, Snapshot};

/// The table.
pub struct CostTable;

/// An area with what it costs, or zswap, which is none.
pub struct Row<'v> {
    area: Option<&'v SwapArea>,
    cost: AreaCost,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<CostTable>("cost", "What areas cost", "name")
    .per_area()
    .footnotes(FOOTNOTES)
    .about("The memory in which the kernel remembers each area, what keeping its pages takes, and what would have to go where if it were switched off")
    .shows(&["name", "size", "metadata_fixed", "metadata", "metadata_full", "memory", "memory_full", "kept", "blocks", "off_moves", "off_fits"])
    .needs(PartSet::from_parts(&[Part::Kernel, Part::Swaps, Part::Meminfo, Part::Zram, Part::Zswap]));

impl Table for CostTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        let row = |area: &'v SwapArea| Row { area: Some(area), cost: cost::area_cost(view.now, area) };
        let zswap = cost::zswap_cost(view.now).map(|cost| Row { area: None, cost });
        let areas = view.now.swaps.reading.as_ref();
        areas.map(|areas| areas.iter().map(row).chain(zswap).collect())
    }
}

/// Cells of areas that are not there: what they would cost on this machine.
pub fn planned_cells(snapshot: &Snapshot, areas: &[SwapArea], places: &[usize]) -> Vec<Vec<Value>> {
    let cells = |area: &SwapArea| {
        let row = Row { area: Some(area), cost: cost::area_cost(snapshot, area) };
        let columns = places.iter().filter_map(|place| COLUMNS.get(*place));
        columns.map(|column| (column.get)(&row)).collect()
    };
    areas.iter().map(cells).collect()
}

/// What is told below the table.
const FOOTNOTES: Footnotes = Footnotes {
    sentences: zswap_sentences,
    legend: Some(
        "META-FULL: METADATA if all of the area were used; OFF-FITS: is there room elsewhere for all that is on it, in control groups too?; -: not for this row, or not known: --explain tells",
    ),
    ..Footnotes::NONE
};

/// What zswap keeps in memory beside the slots that it keeps busy.
fn zswap_sentences(view: &SampleView<'_>, shown: &Rows) -> Vec<String> {
    let sentence = |cost: &AreaCost| {
        let size =
            |bytes: &Reading<Bytes>| bytes.known().map_or("-".to_owned(), |it| units::size(*it));
        format!(
            "zswap keeps {} in {} of memory. Each of its pages has a slot on an area all the same: {} of what is counted as used there is blocked, and nothing of it is on the areas.",
            size(&cost.kept),
            size(&cost.holds),
            size(&cost.blocks)
        )
    };
    let rows = CostTable::rows(view);
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
    "/proc/swaps, and what the release of the kernel is known to keep with pages of 4 KiB";
const HELD: &str = "/sys/block/zram*/mm_stat, /proc/meminfo, /sys/module/zswap/parameters, /sys/kernel/debug/zswap";
const ENTRY: &str =
    "/sys/block/zram*/disksize, and /sys/kernel/btf/zram or /sys/kernel/btf/vmlinux";
const DETAIL: PartSet = PartSet::from_parts(&[Part::ZramDetail]);
const GROUPS: PartSet = PartSet::from_parts(&[Part::Cgroups]);
const DRAIN: &str = "/proc/swaps, /proc/meminfo, /sys/block/zram*/mm_stat";
const DRAIN_GROUPS: &str = "/proc/swaps, /proc/meminfo, /sys/block/zram*/mm_stat, memory.max, memory.current, memory.swap.current and memory.stat of each control group";

type Column = spec::Column<CostTable>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.name().into())
        .says("The area; +SIZE one of --plan; zswap where it keeps pages, which stands in front of all areas.", "/proc/swaps"),
    Column::bytes("size", "SIZE", |row| match row.area {
        Some(area) => area.size.into(),
        None => Reading::<Bytes>::absent("zswap is no area").into(),
    })
    .says("Its size.", "/proc/swaps")
    .drop(3),
    Column::bytes("metadata_fixed", "FIXED", |row| {
        row.cost.now.clone().map(|now| now.fixed).into()
    })
    .says("Memory in which the kernel remembers its slots, from the moment when it is switched on.", KNOWN)
    .drop(4),
    Column::bytes("metadata", "METADATA", |row| row.cost.now.clone().map(Metadata::all).into())
        .says("The same with what came for the slots that are used: at least, as they may be scattered.", KNOWN),
    Column::bytes("metadata_full", "META-FULL", |row| {
        row.cost.full.clone().map(Metadata::all).into()
    })
    .says("The same when all of it is used.", KNOWN)
    .drop(2),
    Column::bytes("zram_table", "ZRAM-TABLE", |row| {
        row.cost.table.clone().map(|table| table.size).into()
    })
    .says("What zram itself needs to remember its pages, whether used or not.", ENTRY)
    .drop(8)
    .needs(DETAIL),
    Column::count("zram_entry", "ENTRY", |row| {
        row.cost.table.clone().map(|table| table.entry.0).into()
    })
    .says("Bytes of that for each page: kernels differ in them, and so do their settings.", ENTRY)
    .drop(9)
    .needs(DETAIL),
    Column::text("zram_entry_by", "ENTRY-BY", |row| {
        let word = |assumed| if assumed { "assumed" } else { "types" };
        row.cost.table.clone().map(|table| word(table.assumed)).into()
    })
    .says("How those are known: by the types of the kernel. Where it does not tell them, 16 are assumed; before 7.0, one that keeps the time of the last access (CONFIG_ZRAM_MEMORY_TRACKING, CONFIG_ZRAM_TRACK_ENTRY_ACTIME) takes 24.", ENTRY)
    .drop(9)
    .needs(DETAIL),
    Column::bytes("memory", "MEMORY", |row| row.cost.holds.clone().into())
        .says("Memory that keeps what is on it: of zram, and the pool of zswap. The kernel does not tell on which areas the pages in zswap have their slots.", HELD)
        .drop(5),
    Column::bytes("memory_full", "MEM-FULL", |row| row.cost.holds_full.clone().into())
        .says("The same when all of it is used, at the present ratio and within its limit; of zswap, the limit of its pool.", HELD)
        .drop(6),
    Column::bytes("kept", "KEPT", |row| row.cost.kept.clone().into())
        .says("What is kept in that memory, before it was compressed.", HELD)
        .drop(8),
    Column::bytes("blocks", "BLOCKS", |row| row.cost.blocks.clone().into())
        .says("Slots of the areas that what zswap keeps has beside that: one for each page. They count as used, and nothing is on them.", HELD)
        .drop(8),
    Column::bytes("off_moves", "OFF-MOVES", |row| row.off(|drain| drain.moves).into())
        .says("What a swapoff would bring back to memory.", DRAIN)
        .drop(1),
    Column::bytes("off_memory", "OFF-MEMORY", |row| row.off(|drain| drain.memory).into())
        .says("Memory that can be had for that, with what zram gives back as it is emptied, and zswap where nothing is on another area.", DRAIN)
        .drop(8),
    Column::bytes("off_elsewhere", "OFF-ELSE", |row| row.off(|drain| drain.elsewhere).into())
        .says("What the other areas can take of it, less the memory that zram among them needs.", DRAIN)
        .drop(8),
    Column::bytes("off_blocked", "OFF-BLOCKED", |row| {
        row.off(|drain| Bytes(drain.moves.0.saturating_sub(drain.free.0))).into()
    })
    .says("How much of it must be in memory before anything can be swapped out again, to any area: what is moved less what is free on the others.", DRAIN)
    .drop(8),
    Column::flag("off_fits", "OFF-FITS", |row| row.cost.fits.clone().into())
        .says("Would a swapoff fit, into memory and other areas, and into the control groups to which it comes back? `swapadm off NAME --dry-run` says more, and how long it would take.", DRAIN_GROUPS)
        .needs(GROUPS),
];

column_ids! { id: CostTable, SPEC;
    METADATA METADATA_FULL NAME OFF_FITS OFF_MEMORY OFF_MOVES
}

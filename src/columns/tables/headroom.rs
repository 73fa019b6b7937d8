//! `headroom`: how much more fits.

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::balance;
use crate::derive::compression::{self, CompressedTotals};
use crate::derive::headroom;
use crate::model::{Bytes, Part, PartSet, Reading};

/// The table.
pub struct HeadroomTable;

/// The figures, with the totals they belong to.
pub struct Row<'v> {
    view: SampleView<'v>,
    room: headroom::Headroom,
    kept: CompressedTotals,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<HeadroomTable>("headroom", "Headroom", "swap_total")
    .about("How much more fits in memory and swap, and what filling zram would cost")
    .shows(&[
        "mem_total",
        "mem_available",
        "swap_total",
        "swap_used",
        "swap_free",
        "zram_free",
        "zram_beyond",
        "zram_cost",
        "commit_left",
    ])
    .record()
    .needs(PartSet::from_parts(&[Part::Meminfo, Part::Swaps, Part::Zram]));

impl Table for HeadroomTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        let (room, kept) = (headroom::headroom(view.now), compression::compressed_totals(view.now));
        Reading::Known(vec![Row { view: *view, room, kept }])
    }
}

const MEMINFO: &str = "/proc/meminfo";
const KEPT: &str = "/proc/meminfo, /sys/block/zram*/mm_stat, /sys/kernel/debug/zswap";
const ZSWAP: PartSet = PartSet::from_parts(&[Part::Zswap]);

type Column = spec::Column<HeadroomTable>;

static COLUMNS: &[Column] = &[
    Column::bytes("mem_total", "Memory", |row| row.view.now.memory("MemTotal").into())
        .says("MemTotal.", MEMINFO)
        .drop(6),
    Column::bytes("mem_available", "available", |row| row.room.available.clone().into())
        .says("MemAvailable: memory that can be had without swapping.", MEMINFO),
    Column::bytes("mem_anon", "private", |row| row.view.now.memory("AnonPages").into())
        .says("AnonPages: private pages of processes in memory.", MEMINFO)
        .drop(8),
    Column::bytes("mem_shmem", "shared", |row| row.view.now.memory("Shmem").into())
        .says("Shmem: shared memory and tmpfs in memory.", MEMINFO)
        .drop(8),
    Column::bytes("mem_file", "of files", |row| {
        let memory = |field| row.view.now.memory(field);
        let cached = memory("Cached").map2(memory("Buffers"), Bytes::saturating_add);
        cached.map2(memory("Shmem"), Bytes::saturating_sub).into()
    })
    .says("Pages of files in memory: Cached and Buffers less Shmem, which Cached includes.", MEMINFO)
    .drop(8),
    Column::bytes("mem_kernel", "of the kernel", |row| headroom::kernel_memory(row.view.now).into())
        .says("What is neither free nor of programs or files: MemTotal less MemFree, AnonPages, Cached, Buffers and Hugetlb. It holds the kernel's own memory, page tables, and what zram and zswap keep.", MEMINFO)
        .drop(8),
    Column::bytes("mem_hugetlb", "set aside for huge pages", |row| {
        row.view.now.memory("Hugetlb").into()
    })
    .says("Hugetlb: huge pages that were set aside, in use or not. They are never swapped.", MEMINFO)
    .drop(9),
    Column::bytes("swap_total", "Swap", |row| row.view.now.memory("SwapTotal").into())
        .says("SwapTotal: all active areas; an area that is being taken away counts only what is left on it.", MEMINFO),
    Column::bytes("swap_used", "used", |row| {
        let free = row.view.now.memory("SwapFree");
        row.view.now.memory("SwapTotal").map2(free, Bytes::saturating_sub).into()
    })
    .says("SwapTotal less SwapFree.", MEMINFO),
    Column::bytes("swap_cached", "cached", |row| row.view.now.memory("SwapCached").into())
        .says("SwapCached: pages in memory that still own a slot, counted in both.", MEMINFO)
        .drop(7),
    Column::bytes("swap_free", "free", |row| row.room.swap_free.clone().into())
        .says("SwapFree.", MEMINFO),
    Column::seconds("full_in", "full in", |row| balance::all_full_in(&row.view).into())
        .says("When all swap is full, if it goes on growing as it did.", "/proc/swaps")
        .drop(7)
        .two(),
    Column::bytes("zram_free", "of it on zram", |row| row.room.zram_free.clone().into())
        .says(
            "Free space on zram areas: it is in memory too, so filling it takes memory.",
            "/proc/swaps, /sys/block/zram*",
        )
        .drop(4),
    Column::bytes("zram_beyond", "refused by limits", |row| row.room.zram_beyond.clone().into())
        .says(
            "Of that free space, what is never filled at the present memory ratios, for the limit on the memory of a device stops it before: pages that are to go there stay in memory, and go to no other area.",
            "/proc/swaps, /sys/block/zram*/mm_stat",
        )
        .drop(5),
    Column::bytes("zram_cost", "memory to fill it", |row| row.room.zram_cost.clone().into())
        .says(
            "Memory that filling that space would take at the present memory ratio of each device, as far as its limit allows. While a device holds too little to tell, the ratio of all counts.",
            "/proc/swaps, /sys/block/zram*/mm_stat",
        )
        .drop(3),
    Column::bytes("kept", "kept compressed", |row| row.kept.data.clone().into())
        .says("Data that all zram devices and zswap keep compressed in memory, as it was before.", KEPT)
        .drop(6)
        .needs(ZSWAP),
    Column::bytes("kept_memory", "in", |row| row.kept.memory.clone().into())
        .says("Memory that all zram devices and zswap take for it.", KEPT)
        .drop(6)
        .needs(ZSWAP),
    Column::bytes("kept_saved", "saved", |row| row.kept.saved().into())
        .says("Data kept compressed less the memory it takes; negative where it takes more than it holds.", KEPT)
        .drop(7)
        .needs(ZSWAP),
    Column::ratio("kept_ratio", "to 1", |row| {
        compression::ratio_to_memory(&row.kept.data, row.kept.memory.clone()).into()
    })
    .says("Data kept compressed against the memory it takes.", KEPT)
    .drop(7)
    .needs(ZSWAP),
    Column::share("kept_share", "of memory", |row| {
        let total = row.view.now.memory("MemTotal");
        let share = row.kept.memory.clone().map2(total, compression::quotient);
        share.and_then(|share| share).into()
    })
    .says("That memory against MemTotal.", KEPT)
    .drop(7)
    .needs(ZSWAP),
    Column::bytes("commit_left", "commit left", |row| row.room.commit_left.clone().into())
        .says("CommitLimit less Committed_AS, not below zero: a limit only if overcommit_memory is 2.", MEMINFO)
        .drop(5),
];

column_ids! { id: HeadroomTable, SPEC;
    KEPT KEPT_MEMORY KEPT_RATIO KEPT_SAVED KEPT_SHARE MEM_ANON MEM_AVAILABLE MEM_FILE MEM_HUGETLB MEM_KERNEL MEM_SHMEM MEM_TOTAL SWAP_CACHED SWAP_FREE SWAP_TOTAL SWAP_USED ZRAM_BEYOND ZRAM_COST ZRAM_FREE
}

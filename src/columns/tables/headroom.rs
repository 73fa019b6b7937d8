//! `headroom`: how much more fits.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::balance;
use crate::derive::compression::{self, Kept};
use crate::derive::headroom;
use crate::model::{Bytes, Part, PartSet, Reading};

/// The table.
pub struct Headroom;

/// The figures, with the totals they belong to.
pub struct Row<'v> {
    view: View<'v>,
    room: headroom::Headroom,
    kept: Kept,
}

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "headroom",
    title: "Headroom",
    about: "How much more fits in memory and swap, and what filling zram would cost",
    style: Style::Record,
    default: &[
        "mem_total",
        "mem_available",
        "swap_total",
        "swap_used",
        "swap_free",
        "zram_free",
        "zram_beyond",
        "zram_cost",
        "commit_left",
    ],
    with_two: &[],
    key: "swap_total",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Meminfo, Part::Swaps, Part::Zram]),
    infos: spec::infos::<Headroom>,
    cells: spec::cells::<Headroom>,
};

impl Table for Headroom {
    type Row<'v> = Row<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        let (room, kept) = (headroom::headroom(view.now), compression::kept(view.now));
        Reading::Known(vec![Row { view: *view, room, kept }])
    }
}

const MEMINFO: &str = "/proc/meminfo";
const KEPT: &str = "/proc/meminfo, /sys/block/zram*/mm_stat, /sys/kernel/debug/zswap";
const ZSWAP: PartSet = PartSet::of(&[Part::Zswap]);

static COLUMNS: &[Column<Headroom>] = &[
    Column {
        info: Info::new("mem_total", "Memory", Unit::Bytes).drop(6).says("MemTotal.", MEMINFO),
        get: |row| row.view.now.memory("MemTotal").into(),
    },
    Column {
        info: Info::new("mem_available", "available", Unit::Bytes)
            .says("MemAvailable: memory that can be had without swapping.", MEMINFO),
        get: |row| row.room.available.clone().into(),
    },
    Column {
        info: Info::new("mem_anon", "private", Unit::Bytes).drop(8)
            .says("AnonPages: private pages of processes in memory.", MEMINFO),
        get: |row| row.view.now.memory("AnonPages").into(),
    },
    Column {
        info: Info::new("mem_shmem", "shared", Unit::Bytes).drop(8)
            .says("Shmem: shared memory and tmpfs in memory.", MEMINFO),
        get: |row| row.view.now.memory("Shmem").into(),
    },
    Column {
        info: Info::new("mem_file", "of files", Unit::Bytes).drop(8).says(
            "Pages of files in memory: Cached and Buffers less Shmem, which Cached includes.",
            MEMINFO,
        ),
        get: |row| {
            let memory = |field| row.view.now.memory(field);
            let cached = memory("Cached").map2(memory("Buffers"), Bytes::saturating_add);
            cached.map2(memory("Shmem"), Bytes::saturating_sub).into()
        },
    },
    Column {
        info: Info::new("mem_kernel", "of the kernel", Unit::Bytes).drop(8).says(
            "What is neither free nor of programs or files: MemTotal less MemFree, AnonPages, Cached, Buffers and Hugetlb. It holds the kernel's own memory, page tables, and what zram and zswap keep.",
            MEMINFO,
        ),
        get: |row| headroom::kernel(row.view.now).into(),
    },
    Column {
        info: Info::new("mem_hugetlb", "set aside for huge pages", Unit::Bytes).drop(9).says(
            "Hugetlb: huge pages that were set aside, in use or not. They are never swapped.",
            MEMINFO,
        ),
        get: |row| row.view.now.memory("Hugetlb").into(),
    },
    Column {
        info: Info::new("swap_total", "Swap", Unit::Bytes).says(
            "SwapTotal: all active areas; an area that is being taken away counts only what is left on it.",
            MEMINFO,
        ),
        get: |row| row.view.now.memory("SwapTotal").into(),
    },
    Column {
        info: Info::new("swap_used", "used", Unit::Bytes)
            .says("SwapTotal less SwapFree.", MEMINFO),
        get: |row| {
            let free = row.view.now.memory("SwapFree");
            row.view.now.memory("SwapTotal").map2(free, Bytes::saturating_sub).into()
        },
    },
    Column {
        info: Info::new("swap_cached", "cached", Unit::Bytes).drop(7)
            .says("SwapCached: pages in memory that still own a slot, counted in both.", MEMINFO),
        get: |row| row.view.now.memory("SwapCached").into(),
    },
    Column {
        info: Info::new("swap_free", "free", Unit::Bytes).says("SwapFree.", MEMINFO),
        get: |row| row.room.swap_free.clone().into(),
    },
    Column {
        info: Info::new("full_in", "full in", Unit::Seconds)
            .says("When all swap is full, if it goes on growing as it did.", "/proc/swaps")
            .drop(7)
            .two(),
        get: |row| balance::all_full_in(&row.view).into(),
    },
    Column {
        info: Info::new("zram_free", "of it on zram", Unit::Bytes).drop(4).says(
            "Free space on zram areas: it is in memory too, so filling it takes memory.",
            "/proc/swaps, /sys/block/zram*",
        ),
        get: |row| row.room.zram_free.clone().into(),
    },
    Column {
        info: Info::new("zram_beyond", "refused by limits", Unit::Bytes).drop(5).says(
            "Of that free space, what is never filled at the present memory ratios, for the limit on the memory of a device stops it before: pages that are to go there stay in memory, and go to no other area.",
            "/proc/swaps, /sys/block/zram*/mm_stat",
        ),
        get: |row| row.room.zram_beyond.clone().into(),
    },
    Column {
        info: Info::new("zram_cost", "memory to fill it", Unit::Bytes).drop(3).says(
            "Memory that filling that space would take at the present memory ratio of each device, as far as its limit allows. While a device holds too little to tell, the ratio of all counts.",
            "/proc/swaps, /sys/block/zram*/mm_stat",
        ),
        get: |row| row.room.zram_cost.clone().into(),
    },
    Column {
        info: Info::new("kept", "kept compressed", Unit::Bytes).drop(6).needs(ZSWAP).says(
            "Data that all zram devices and zswap keep compressed in memory, as it was before.",
            KEPT,
        ),
        get: |row| row.kept.data.clone().into(),
    },
    Column {
        info: Info::new("kept_memory", "in", Unit::Bytes)
            .drop(6)
            .needs(ZSWAP)
            .says("Memory that all zram devices and zswap take for it.", KEPT),
        get: |row| row.kept.memory.clone().into(),
    },
    Column {
        info: Info::new("kept_saved", "saved", Unit::Bytes)
            .drop(7)
            .needs(ZSWAP)
            .says(
                "Data kept compressed less the memory it takes; negative where it takes more than it holds.",
                KEPT,
            ),
        get: |row| row.kept.saved().into(),
    },
    Column {
        info: Info::new("kept_ratio", "to 1", Unit::Ratio)
            .drop(7)
            .needs(ZSWAP)
            .says("Data kept compressed against the memory it takes.", KEPT),
        get: |row| compression::bought(&row.kept.data, row.kept.memory.clone()).into(),
    },
    Column {
        info: Info::new("kept_share", "of memory", Unit::Share)
            .drop(7)
            .needs(ZSWAP)
            .says("That memory against MemTotal.", KEPT),
        get: |row| {
            let total = row.view.now.memory("MemTotal");
            let share = row.kept.memory.clone().map2(total, compression::quotient);
            share.and_then(|share| share).into()
        },
    },
    Column {
        info: Info::new("commit_left", "commit left", Unit::Bytes).drop(5).says(
            "CommitLimit less Committed_AS, not below zero: a limit only if overcommit_memory is 2.",
            MEMINFO,
        ),
        get: |row| row.room.commit_left.clone().into(),
    },
];

//! `headroom`: how much more fits into memory and swap.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::balance;
use crate::derive::compression::{self, CompressedTotals};
use crate::derive::headroom;
use crate::model::{Bytes, PartSet, Reading, part_set};

table!(pub struct HeadroomTable: Row<'v>, Column, COLUMNS, |view, _| {
    let (room, kept) = (headroom::headroom(view.now), compression::compressed_totals(view.now));
    Reading::Known(vec![Row { view: *view, room, kept }])
});

/// The figures of the only row.
pub struct Row<'v> {
    view: SampleView<'v>,
    room: headroom::Headroom,
    kept: CompressedTotals,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<HeadroomTable>("headroom", "Headroom", "swap_total")
    .about("Free memory and swap, and the memory that filling zram would take")
    .shows("mem_total,mem_available,swap_total,swap_used,swap_free,zram_free,zram_refused,zram_fill_memory,commit_left")
    .record()
    .needs(part_set![Meminfo, Swaps, Zram]);

const MEMINFO: &str = "/proc/meminfo";
const KEPT: &str = "/proc/meminfo, /sys/block/zram*/mm_stat, /sys/kernel/debug/zswap";
const ZSWAP: PartSet = part_set![Zswap];

static COLUMNS: &[Column] = &[
    Column::bytes("mem_total", "Memory", |row| row.view.now.memory("MemTotal").into())
        .says("Total memory: MemTotal.", MEMINFO)
        .drop(6),
    Column::bytes("mem_available", "available", |row| row.room.available.clone().into())
        .says("Memory available without swapping: MemAvailable.", MEMINFO),
    Column::bytes("mem_anon", "anonymous", |row| row.view.now.memory("AnonPages").into())
        .says("Anonymous memory of processes: AnonPages.", MEMINFO),
    Column::bytes("mem_shmem", "shared", |row| row.view.now.memory("Shmem").into())
        .says("Shared memory and tmpfs in memory: Shmem.", MEMINFO),
    Column::bytes("mem_file", "page cache", |row| {
        let memory = |field| row.view.now.memory(field);
        let cached = memory("Cached").map2(memory("Buffers"), Bytes::saturating_add);
        cached.map2(memory("Shmem"), Bytes::saturating_sub).into()
    })
    .says("Page cache of files: Cached + Buffers - Shmem.", MEMINFO),
    Column::bytes("mem_kernel", "kernel", |row| headroom::kernel_memory(row.view.now).into())
        .says("Memory of the kernel, page tables, zram and zswap: MemTotal - MemFree - Active - Inactive - Unevictable - Hugetlb.", MEMINFO),
    Column::bytes("mem_gpu", "graphics", |row| row.view.now.memory("GPUActive").into())
        .says("Memory in use by graphics drivers: GPUActive; part of the kernel's memory.", MEMINFO)
        .since("7.2"),
    Column::bytes("mem_gpu_reclaimable", "free in graphics pools", |row| {
        row.view.now.memory("GPUReclaim").into()
    })
    .says("Memory that graphics drivers keep for reuse and free under pressure: GPUReclaim; part of the kernel's memory.", MEMINFO)
    .since("7.2"),
    Column::bytes("mem_balloon", "balloon", |row| row.view.now.memory("Balloon").into())
        .says("Memory of this virtual machine that the host has reclaimed: Balloon.", MEMINFO)
        .since("6.18"),
    Column::bytes("mem_hugetlb", "reserved huge pages", |row| row.view.now.memory("Hugetlb").into())
        .says("Reserved huge pages, used or not: Hugetlb. They are never swapped.", MEMINFO),
    Column::bytes("swap_total", "Swap", |row| row.view.now.memory("SwapTotal").into())
        .says("Total size of active areas: SwapTotal. During swapoff an area counts only with what is left on it.", MEMINFO),
    Column::bytes("swap_used", "used", |row| row.view.now.used_swap().into())
        .says("Used swap: SwapTotal - SwapFree.", MEMINFO),
    Column::bytes("swap_cached", "cached", |row| row.view.now.memory("SwapCached").into())
        .says("Swap cache: pages in memory that still own a swap slot (SwapCached), counted as memory and as swap.", MEMINFO),
    Column::bytes("swap_free", "free", |row| row.room.swap_free.clone().into())
        .says("Free swap: SwapFree.", MEMINFO),
    Column::seconds("full_in", "full in", |row| balance::all_full_in(&row.view).into())
        .says("Time until all swap is full at its growth over the last 30 seconds. Empty if it does not grow, and while fewer than 5 samples or 10 seconds were observed.", "/proc/swaps")
        .two(),
    Column::bytes("zram_free", "free on zram", |row| row.room.zram_free.clone().into())
        .says("Free space on zram areas; filling it takes memory.", "/proc/swaps, /sys/block/zram*")
        .drop(4),
    Column::bytes("zram_refused", "beyond zram limits", |row| row.room.zram_beyond.clone().into())
        .says(
            "Part of the free space on zram that the memory limits of the devices make unusable at the current ratio. Pages sent there stay in memory and do not go to other areas.",
            "/proc/swaps, /sys/block/zram*/mm_stat",
        )
        .drop(5),
    Column::bytes("zram_fill_memory", "memory to fill zram", |row| row.room.zram_cost.clone().into())
        .says(
            "Memory that filling the free space on zram would take at the current memory ratio of each device, up to its limit. Devices with little data use the ratio of all devices.",
            "/proc/swaps, /sys/block/zram*/mm_stat",
        )
        .drop(3),
    Column::bytes("compressed_data", "compressed data", |row| row.kept.data.clone().into())
        .says("Data in zram and zswap before compression.", KEPT)
        .needs(ZSWAP),
    Column::bytes("compressed_memory", "memory used", |row| row.kept.memory.clone().into())
        .says("Memory that zram and zswap use for the compressed data.", KEPT)
        .needs(ZSWAP),
    Column::bytes("compressed_saved", "saved", |row| row.kept.saved().into())
        .says("Memory saved by compression: data - memory; negative if compression costs memory.", KEPT)
        .needs(ZSWAP),
    Column::ratio("compression_ratio", "ratio", |row| {
        compression::ratio_to_memory(&row.kept.data, row.kept.memory.clone()).into()
    })
    .says("Compression ratio: data / memory.", KEPT)
    .needs(ZSWAP),
    Column::share("compressed_share", "share of memory", |row| {
        let total = row.view.now.memory("MemTotal");
        let share = row.kept.memory.clone().map2(total, compression::quotient);
        share.and_then(|share| share).into()
    })
    .says("Share of all memory that zram and zswap use: memory / MemTotal.", KEPT)
    .needs(ZSWAP),
    Column::bytes("commit_left", "commit left", |row| row.room.commit_left.clone().into())
        .says("Memory that can still be committed: CommitLimit - Committed_AS, at least 0. A limit only if overcommit_memory is 2.", MEMINFO)
        .drop(5),
];

column_ids! { id: HeadroomTable, SPEC;
    COMPRESSED_DATA COMPRESSED_MEMORY COMPRESSION_RATIO COMPRESSED_SAVED COMPRESSED_SHARE MEM_ANON MEM_AVAILABLE MEM_FILE MEM_HUGETLB MEM_KERNEL MEM_SHMEM MEM_TOTAL SWAP_CACHED SWAP_FREE SWAP_TOTAL SWAP_USED ZRAM_REFUSED ZRAM_FILL_MEMORY ZRAM_FREE
}

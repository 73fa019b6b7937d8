//! `zram`: compressed RAM disks, with every figure the kernel keeps of them.

use crate::columns::spec::{self, Spec, Table};
use crate::columns::value::Value;
use crate::derive::SampleView;
use crate::derive::compression::{self, ZramRatio};
use crate::derive::headroom;
use crate::model::swaparea::SwapArea;
use crate::model::zram::{BdStat, DebugStat, IoStat, MmStat, ZramDevice};
use crate::model::{Bytes, Pages, Part, PartSet, Reading};

/// The table.
pub struct ZramTable;

/// A device with the figures that follow.
pub struct Row<'v> {
    view: SampleView<'v>,
    device: &'v ZramDevice,
    derived: ZramRatio,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ZramTable>("zram", "zram devices", "name")
    .about("What each zram device holds, in how much memory, and how well it compresses")
    .shows(&[
        "name",
        "algorithm",
        "disksize",
        "data",
        "compressed",
        "memory",
        "ratio",
        "memory_ratio",
        "same",
        "huge",
        "limit",
        "swap_priority",
    ])
    .only("disksize>0", "not set up")
    .needs(PartSet::from_parts(&[Part::Zram]));

const SWAPS: PartSet = PartSet::from_parts(&[Part::Swaps]);

impl Table for ZramTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        let page = view.now.page_size.clone();
        view.now.zram.reading.as_ref().map(|devices| {
            let row =
                |device| Row { view: *view, device, derived: compression::zram(device, &page) };
            devices.iter().map(row).collect()
        })
    }
}

impl Row<'_> {
    fn mm<T>(&self, field: impl Fn(&MmStat) -> T) -> Reading<T> {
        self.device.mm.as_ref().map(field)
    }

    fn pages(&self, field: impl Fn(&MmStat) -> Reading<Pages>) -> Reading<Bytes> {
        let pages = self.device.mm.as_ref().and_then(field);
        pages.map2(self.view.now.page_size.clone(), Pages::bytes)
    }

    fn io(&self, field: impl Fn(&IoStat) -> u64) -> Reading<u64> {
        self.device.io.as_ref().map(field)
    }

    fn bd(&self, field: impl Fn(&BdStat) -> u64) -> Reading<u64> {
        self.device.bd.as_ref().map(field)
    }

    fn debug(&self, field: impl Fn(&DebugStat) -> u64) -> Reading<u64> {
        self.device.debug.as_ref().map(field)
    }

    fn area(&self) -> Reading<&SwapArea> {
        self.view.now.swaps.reading.as_ref().and_then(|areas| {
            let mine = |area: &&SwapArea| compression::carries(self.device, area);
            match areas.iter().find(mine) {
                Some(area) => Reading::Known(area),
                None => Reading::absent("the device is not used as swap"),
            }
        })
    }
}

const MM: &str = "/sys/block/zram*/mm_stat";
const MM_BD: &str = "/sys/block/zram*/mm_stat, bd_stat";
const MM_BD_SWAPS: &str = "/sys/block/zram*/mm_stat, bd_stat, /proc/swaps";
const IO: &str = "/sys/block/zram*/io_stat";
const BD: &str = "/sys/block/zram*/bd_stat";
const DEBUG: &str = "/sys/block/zram*/debug_stat";

/// What more files of each device tell.
const DETAIL: PartSet = PartSet::from_parts(&[Part::ZramDetail]);

type Column = spec::Column<ZramTable>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.device.name.clone().into())
        .says("The device.", "/sys/block"),
    Column::text("algorithm", "ALG", |row| {
        row.device.algorithm.clone().map(|choice| choice.current).into()
    })
    .says("The compression algorithm in use.", "/sys/block/zram*/comp_algorithm"),
    Column::bytes("disksize", "DISKSIZE", |row| row.device.disksize.clone().into()).says(
        "Size of the disk it presents; no memory is set aside for it.",
        "/sys/block/zram*/disksize",
    ),
    Column::bytes("data", "DATA", |row| row.derived.data.clone().into())
        .says("Data kept compressed in memory, as it was before: orig_data_size less written-back and same-filled pages.", MM_BD),
    Column::bytes("orig", "ORIG", |row| row.mm(|mm| mm.orig_data).into())
        .says("orig_data_size as the kernel prints it, which includes written-back and same-filled pages.", MM)
        .drop(8),
    Column::bytes("compressed", "COMPR", |row| row.mm(|mm| mm.compr_data).into())
        .says("The same data compressed: compr_data_size.", MM),
    Column::bytes("memory", "MEMORY", |row| row.mm(|mm| mm.mem_used).into())
        .says("Memory that the allocator takes for it: mem_used_total.", MM),
    Column::bytes("overhead", "OVERHEAD", |row| row.derived.overhead.clone().into())
        .says("Memory beyond the compressed size, lost to fragmentation.", MM)
        .drop(7),
    Column::ratio("ratio", "RATIO", |row| row.derived.ratio.clone().into())
        .says("How well the algorithm does: DATA against COMPR.", MM_BD),
    Column::ratio("memory_ratio", "MEMRATIO", |row| row.derived.memory_ratio.clone().into())
        .says("What the memory buys: DATA against MEMORY, the allocator's losses included. Missing while DATA is less than 1 MiB: every device takes some memory.", MM_BD)
        .drop(3),
    Column::bytes("same", "SAME", |row| row.derived.same.clone().into())
        .says("Pages filled with one repeated value: they take no memory. From 6.12 on, pages of zeros never get here.", MM)
        .drop(4),
    Column::bytes("huge", "HUGE", |row| row.derived.huge.clone().into())
        .says("Pages that did not compress and are kept as they are.", MM)
        .drop(4),
    Column::bytes("huge_since", "HUGE-SINCE", |row| {
        row.pages(|mm| mm.huge_pages_since.clone()).into()
    })
    .says("The same since the device was set up, also those that are gone.", MM)
    .drop(8)
    .since("5.12"),
    Column::bytes("limit", "LIMIT", |row| row.mm(|mm| mm.mem_limit).into())
        .says("Limit on MEMORY; 0 is none. At the limit writes fail and pages stay in memory.", MM)
        .drop(5),
    Column::bytes("when_full", "IF-FULL", |row| {
        headroom::memory_when_full(row.view.now, row.device).into()
    })
    .says("Memory that it would take when all of the area on it is used, or without one the whole disk written, at the present MEMRATIO and within its limit. While it holds too little to tell, the ratio of all devices counts.", MM_BD_SWAPS)
    .needs(SWAPS)
    .drop(6),
    Column::bytes("memory_max", "MEM-MAX", |row| row.mm(|mm| mm.mem_used_max).into())
        .says("The most that MEMORY ever was.", MM)
        .drop(7),
    Column::bytes("compacted", "COMPACTED", |row| {
        row.pages(|mm| Reading::Known(mm.pages_compacted)).into()
    })
    .says("Memory that compaction gave back, ever.", MM)
    .drop(8),
    Column::bytes("written_back", "WB", |row| row.derived.written_back.clone().into())
        .says("Data now on the backing device.", BD)
        .drop(7),
    Column::count("bd_reads", "BD-READS", |row| row.bd(|bd| bd.reads).into())
        .says("Pages of 4 KiB read from the backing device, ever.", BD)
        .drop(9),
    Column::count("bd_writes", "BD-WRITES", |row| row.bd(|bd| bd.writes).into())
        .says("Pages of 4 KiB written to the backing device, ever.", BD)
        .drop(9),
    Column::text("backing_dev", "BACKING-DEV", |row| row.device.backing_dev.clone().into())
        .says("Where written-back pages go.", "/sys/block/zram*/backing_dev")
        .drop(8),
    Column::count("writeback_limit", "WB-LIMIT", |row| row.device.writeback_limit.clone().into())
        .says(
            "Pages of 4 KiB that may still be written back, if the limit is on.",
            "/sys/block/zram*/writeback_limit",
        )
        .needs(DETAIL)
        .drop(9),
    Column::flag("writeback_limit_on", "WB-LIMITED", |row| {
        row.device.writeback_limit_enable.clone().into()
    })
    .says("Is that limit in force?", "/sys/block/zram*/writeback_limit_enable")
    .needs(DETAIL)
    .drop(9),
    Column::count("writeback_batch", "WB-BATCH", |row| {
        row.device.writeback_batch_size.clone().into()
    })
    .says("Pages written back at a time.", "/sys/block/zram*/writeback_batch_size")
    .needs(DETAIL)
    .drop(9)
    .since("7.2"),
    Column::flag("writeback_compressed", "WB-COMPR", |row| {
        row.device.compressed_writeback.clone().into()
    })
    .says("Are pages written back compressed?", "/sys/block/zram*/compressed_writeback")
    .needs(DETAIL)
    .drop(9)
    .since("7.2"),
    Column::count("failed_reads", "FAIL-RD", |row| row.io(|io| io.failed_reads).into())
        .says("Reads that failed.", IO)
        .needs(DETAIL)
        .drop(8),
    Column::count("failed_writes", "FAIL-WR", |row| row.io(|io| io.failed_writes).into())
        .says("Writes that failed, for example at the memory limit.", IO)
        .needs(DETAIL)
        .drop(6),
    Column::count("invalid_io", "INVALID", |row| row.io(|io| io.invalid_io).into())
        .says("Requests that were not page aligned; always 0 from 6.12 on.", IO)
        .needs(DETAIL)
        .drop(9),
    Column::count("notify_free", "FREED", |row| row.io(|io| io.notify_free).into())
        .says("Slots that the swap code gave back.", IO)
        .needs(DETAIL)
        .drop(9),
    Column::count("write_stalls", "STALLS", |row| row.debug(|debug| debug.writestall).into())
        .says("Writes that had to wait for memory; always 0 from 6.18 on.", DEBUG)
        .needs(DETAIL)
        .drop(9),
    Column::count("miss_free", "MISS-FREE", |row| row.debug(|debug| debug.miss_free).into())
        .says("Slots that could not be freed at once because they were locked.", DEBUG)
        .needs(DETAIL)
        .drop(9),
    Column::list("algorithms", "OFFERED", |row| {
        row.device.algorithm.clone().map(|choice| choice.offered.to_vec()).into()
    })
    .says("The algorithms that this kernel offers.", "/sys/block/zram*/comp_algorithm")
    .drop(9),
    Column::list("recompress", "RECOMPRESS", |row| {
        let names = row.device.recomp_algorithms.clone();
        names.map(|list| list.into_iter().map(|one| one.current).collect::<Vec<_>>()).into()
    })
    .says(
        "Algorithms for recompression, first priority first.",
        "/sys/block/zram*/recomp_algorithm",
    )
    .needs(DETAIL)
    .drop(9)
    .since("6.2"),
    Column::count("streams", "STREAMS", |row| row.device.max_comp_streams.clone().into())
        .says(
            "Compression streams; the file is gone from 6.18 on.",
            "/sys/block/zram*/max_comp_streams",
        )
        .needs(DETAIL)
        .drop(9),
    Column::flag("initialised", "INIT", |row| row.device.initialised.clone().into())
        .says("Has a size been set?", "/sys/block/zram*/initstate")
        .drop(8),
    Column::integer("swap_priority", "PRIO", |row| row.area().map(|area| area.priority).into())
        .says("Its priority as a swap area; missing when it is not one.", "/proc/swaps")
        .needs(SWAPS)
        .drop(4),
    Column::bytes("swap_used", "SWAP-USED", |row| {
        Value::from(row.area().and_then(|area| area.used.clone()))
    })
    .says("Its slots in use. More than DATA and SAME together means zero-filled pages, which own a slot and never reach zram; less means freed slots that zram was not yet told of.", "/proc/swaps")
    .needs(SWAPS)
    .drop(7),
];

column_ids! { id: ZramTable, SPEC;
    ALGORITHM DATA DISKSIZE HUGE LIMIT MEMORY MEMORY_RATIO NAME SAME WHEN_FULL WRITTEN_BACK
}

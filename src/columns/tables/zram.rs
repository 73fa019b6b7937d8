//! `zram`: zram devices with all their kernel statistics.

use crate::columns::spec::Spec;
use crate::columns::value::Value;
use crate::derive::SampleView;
use crate::derive::compression::{self, ZramRatio};
use crate::derive::headroom;
use crate::model::kernel::Release;
use crate::model::swaparea::SwapArea;
use crate::model::zram::{BdStat, DebugStat, IoStat, MmStat, ZramDevice};
use crate::model::{Bytes, Pages, PartSet, Reading, part_set};

table!(pub struct ZramTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// A device with its derived figures.
pub struct Row<'v> {
    view: SampleView<'v>,
    device: &'v ZramDevice,
    derived: ZramRatio,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ZramTable>("zram", "zram devices", "name")
    .about("zram devices: data, memory used and compression ratio")
    .shows("name,algorithm,disksize,data,compressed,memory,ratio,memory_ratio,same,huge,limit,swap_priority")
    .only("disksize>0 | disksize=-", "not set up")
    .with_two("age")
    .needs(part_set![Zram]);

const SWAPS: PartSet = part_set![Swaps];

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let page = view.now.page_size.clone();
    view.now.zram.reading.as_ref().map(|devices| {
        let row = |device| Row { view: *view, device, derived: compression::zram(device, &page) };
        devices.iter().map(row).collect()
    })
}

impl Row<'_> {
    fn mm<T>(&self, field: impl Fn(&MmStat) -> T) -> Reading<T> {
        self.device.mm.as_ref().map(field)
    }

    /// Seconds since the figures were read.
    fn age(&self) -> Reading<f64> {
        let age = self.device.kept.as_ref().map_or(0, |kept| kept.age_ns);
        self.mm(|_| age as f64 / 1e9)
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

    /// A counter that kernels since this release print as 0 without counting.
    fn counted_before(&self, count: Reading<u64>, since: Release) -> Reading<u64> {
        let is_later = self.view.now.release().known().is_some_and(|release| *release >= since);
        match count {
            Reading::Known(0) if is_later => {
                let Release(major, minor) = since;
                Reading::absent(format!(
                    "the kernel does not count it since {major}.{minor}, and always prints 0"
                ))
            }
            count @ (Reading::Known(_) | Reading::Missing { .. }) => count,
        }
    }

    fn area(&self) -> Reading<&SwapArea> {
        self.view.now.swaps.reading.as_ref().and_then(|areas| {
            let mine = |area: &&SwapArea| compression::carries(self.device, area);
            Reading::or_absent(areas.iter().find(mine), "the device is not used as swap")
        })
    }
}

const MM: &str = "/sys/block/zram*/mm_stat";
const MM_BD: &str = "/sys/block/zram*/mm_stat, bd_stat";
const MM_BD_SWAPS: &str = "/sys/block/zram*/mm_stat, bd_stat, /proc/swaps";
const IO: &str = "/sys/block/zram*/io_stat";
const BD: &str = "/sys/block/zram*/bd_stat";
const DEBUG: &str = "/sys/block/zram*/debug_stat";

/// Parts for further files of each device.
const DETAIL: PartSet = part_set![ZramDetail];
const COUNTED: PartSet = part_set![ZramDetail, Kernel];

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.device.name.clone().into())
        .says("Device name.", "/sys/block"),
    Column::text("algorithm", "ALG", |row| {
        row.device.algorithm.clone().map(|choice| choice.current).into()
    })
    .says("Compression algorithm in use.", "/sys/block/zram*/comp_algorithm"),
    Column::bytes("disksize", "DISKSIZE", |row| row.device.disksize.clone().into()).says(
        "Size of the virtual disk; no memory is reserved for it.",
        "/sys/block/zram*/disksize",
    ),
    Column::bytes("data", "DATA", |row| row.derived.data.clone().into())
        .says("Data in memory before compression: orig_data_size - written-back - same-filled pages.", MM_BD),
    Column::bytes("orig", "ORIG", |row| row.mm(|mm| mm.orig_data).into())
        .says("orig_data_size as printed by the kernel, including written-back and same-filled pages.", MM),
    Column::bytes("compressed", "COMPR", |row| row.mm(|mm| mm.compr_data).into())
        .says("Compressed size of DATA: compr_data_size.", MM),
    Column::bytes("memory", "MEMORY", |row| row.mm(|mm| mm.mem_used).into())
        .says("Memory used by the allocator: mem_used_total.", MM),
    Column::bytes("overhead", "OVERHEAD", |row| row.derived.overhead.clone().into())
        .says("Memory lost to fragmentation: MEMORY - COMPR.", MM),
    Column::ratio("ratio", "RATIO", |row| row.derived.ratio.clone().into())
        .says("Compression ratio of the algorithm: DATA / COMPR.", MM_BD),
    Column::ratio("memory_ratio", "MEMRATIO", |row| row.derived.memory_ratio.clone().into())
        .says("Effective compression ratio including allocator overhead: DATA / MEMORY. Missing below 1 MiB of DATA.", MM_BD)
        .drop(3),
    Column::bytes("same", "SAME", |row| row.derived.same.clone().into())
        .says("Pages of one repeated value, which take no memory. Since 6.12 zero-filled pages never reach zram.", MM)
        .drop(4),
    Column::bytes("huge", "HUGE", |row| row.derived.huge.clone().into())
        .says("Incompressible pages, stored uncompressed.", MM)
        .drop(4),
    Column::bytes("huge_since", "HUGE-SINCE", |row| {
        row.pages(|mm| mm.huge_pages_since.clone()).into()
    })
    .grows()
    .says("Incompressible pages since the device was set up, including freed ones.", MM)
    .since("5.12"),
    Column::bytes("limit", "LIMIT", |row| match row.mm(|mm| mm.mem_limit) {
        Reading::Known(Bytes(0)) => Value::Text("max".to_owned()),
        limit @ (Reading::Known(_) | Reading::Missing { .. }) => limit.into(),
    })
        .says("Limit on MEMORY; \"max\" in JSON means unlimited. At the limit writes fail and pages stay in memory.", MM)
        .drop(5),
    Column::bytes("memory_if_full", "IF-FULL", |row| {
        headroom::memory_when_full(row.view.now, row.device).into()
    })
    .says("MEMORY if the swap area, or else the device, were full, at the current MEMRATIO and within the limit. A device with little data uses the ratio of all devices.", MM_BD_SWAPS)
    .needs(SWAPS)
    .drop(6),
    Column::bytes("memory_max", "MEM-MAX", |row| row.mm(|mm| mm.mem_used_max).into())
        .says("Highest MEMORY so far.", MM)
        .drop(7),
    Column::bytes("compacted", "COMPACTED", |row| {
        row.pages(|mm| Reading::Known(mm.pages_compacted)).into()
    })
    .grows()
    .says("Memory freed by compaction, in total.", MM),
    Column::bytes("written_back", "WB", |row| row.derived.written_back.clone().into())
        .says("Data on the backing device.", BD)
        .drop(7),
    Column::counter("bd_reads", "BD-READS", |row| row.bd(|bd| bd.reads).into())
        .says("4 KiB pages read from the backing device, in total.", BD),
    Column::counter("bd_writes", "BD-WRITES", |row| row.bd(|bd| bd.writes).into())
        .says("4 KiB pages written to the backing device, in total.", BD),
    Column::text("backing_dev", "BACKING-DEV", |row| row.device.backing_dev.clone().into())
        .says("Backing device for writeback.", "/sys/block/zram*/backing_dev"),
    Column::count("writeback_limit", "WB-LIMIT", |row| row.device.writeback_limit.clone().into())
        .says(
            "Remaining writeback budget in 4 KiB pages, if the limit is enabled.",
            "/sys/block/zram*/writeback_limit",
        )
        .needs(DETAIL),
    Column::flag("writeback_limit_on", "WB-LIMITED", |row| {
        row.device.writeback_limit_enable.clone().into()
    })
    .says("Whether the writeback limit is enabled.", "/sys/block/zram*/writeback_limit_enable")
    .needs(DETAIL),
    Column::count("writeback_batch", "WB-BATCH", |row| {
        row.device.writeback_batch_size.clone().into()
    })
    .says("Pages per writeback batch.", "/sys/block/zram*/writeback_batch_size")
    .needs(DETAIL)
    .since("7.2"),
    Column::flag("writeback_compressed", "WB-COMPR", |row| {
        row.device.compressed_writeback.clone().into()
    })
    .says("Whether pages are written back compressed.", "/sys/block/zram*/compressed_writeback")
    .needs(DETAIL)
    .since("7.2"),
    Column::counter("failed_reads", "FAIL-RD", |row| row.io(|io| io.failed_reads).into())
        .says("Failed reads.", IO)
        .needs(DETAIL),
    Column::counter("failed_writes", "FAIL-WR", |row| row.io(|io| io.failed_writes).into())
        .says("Failed writes, for example at the memory limit.", IO)
        .needs(DETAIL)
        .drop(6),
    Column::counter("invalid_io", "INVALID", |row| {
        row.counted_before(row.io(|io| io.invalid_io), Release(6, 12)).into()
    })
        .says("Requests that were not page aligned; not counted since 6.12.", IO)
        .needs(COUNTED),
    Column::counter("notify_free", "FREED", |row| row.io(|io| io.notify_free).into())
        .says("Slots freed by the swap code.", IO)
        .needs(DETAIL),
    Column::counter("write_stalls", "STALLS", |row| {
        row.counted_before(row.debug(|debug| debug.writestall), Release(6, 18)).into()
    })
        .says("Writes that waited for memory; not counted since 6.18.", DEBUG)
        .needs(COUNTED),
    Column::counter("miss_free", "MISS-FREE", |row| row.debug(|debug| debug.miss_free).into())
        .says("Slots not freed at once because they were locked.", DEBUG)
        .needs(DETAIL),
    Column::list("algorithms", "OFFERED", |row| {
        row.device.algorithm.clone().map(|choice| choice.offered.to_vec()).into()
    })
    .says("Algorithms that this kernel offers.", "/sys/block/zram*/comp_algorithm"),
    Column::list("recompress", "RECOMPRESS", |row| {
        let names = row.device.recomp_algorithms.clone();
        names.map(|list| list.into_iter().map(|one| one.current).collect::<Vec<_>>()).into()
    })
    .says("Recompression algorithms, by priority.", "/sys/block/zram*/recomp_algorithm")
    .needs(DETAIL)
    .since("6.2"),
    Column::count("streams", "STREAMS", |row| row.device.max_comp_streams.clone().into())
        .says(
            "Compression streams; the file was removed in 6.18.",
            "/sys/block/zram*/max_comp_streams",
        )
        .needs(DETAIL),
    Column::seconds("age", "AGE", |row| row.age().into())
        .says("Age of the figures. Above 0 if the kernel blocks the statistics of the device, as during writeback or recompression: its last known figures are shown.", "/sys/block/zram*/mm_stat")
        .drop(6),
    Column::flag("initialised", "INIT", |row| row.device.initialised.clone().into())
        .says("Whether a size is set.", "/sys/block/zram*/initstate"),
    Column::integer("swap_priority", "PRIO", |row| row.area().map(|area| area.priority).into())
        .says("Priority of the swap area on it; missing if it is not used as swap.", "/proc/swaps")
        .needs(SWAPS)
        .drop(4),
    Column::bytes("swap_used", "SWAP-USED", |row| {
        Value::from(row.area().and_then(|area| area.used.clone()))
    })
    .says("Used part of the swap area on it. It exceeds DATA + SAME + WB by zero-filled pages, which have a slot but never reach zram, by pages that zswap holds, up to 6.14 by slots that CPUs hold, and from 7.0 on by pages of the swap cache. It is smaller by slots that were freed without notice to zram.", "/proc/swaps")
    .needs(SWAPS)
    .drop(7),
];

column_ids! { id: ZramTable, SPEC;
    AGE ALGORITHM DATA DISKSIZE HUGE LIMIT MEMORY MEMORY_RATIO NAME ORIG SAME SWAP_USED MEMORY_IF_FULL WRITTEN_BACK
}

//! `devices`: the swap areas, their devices and their use.

use crate::columns::spec::Spec;
use crate::derive::balance::{self, PriorityGroup};
use crate::derive::growth::Growth;
use crate::derive::view::CounterChange;
use crate::derive::{SampleView, compression, traffic};
use crate::model::block::{BlockDevice, DiskStats, SECTOR};
use crate::model::swaparea::{AreaHeader, AreaKind, FileLayout, SwapArea};
use crate::model::{Bytes, PartSet, Reading, known, part_set};
use crate::sim::snapshot::NOT_MODELLED;
use std::cell::OnceCell;
use std::rc::Rc;

table!(pub struct DevicesTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// An area with its header, layout, device and priority group.
pub struct Row<'v> {
    view: SampleView<'v>,
    area: &'v SwapArea,
    header: Reading<&'v AreaHeader>,
    layout: Reading<&'v FileLayout>,
    block: Reading<&'v BlockDevice>,
    group: Option<Rc<PriorityGroup>>,
    place: usize,
    // Several columns are made of the growth, which takes half a minute of samples.
    growth: OnceCell<Reading<Growth>>,
    group_growth: OnceCell<Reading<Growth>>,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<DevicesTable>("devices", "Swap areas", "name")
    .per_area()
    .about("Active swap areas: size, use, priority, device and traffic")
    .shows("name,kind,priority,size,used,use,rotational,discard")
    .with_two("in_rate,out_rate,growth")
    .sort("-priority")
    .needs(part_set![Swaps]);

const BLOCK: PartSet = part_set![Block];
const IO: PartSet = part_set![Block, Diskstats];
const HEADERS: PartSet = part_set![Headers];
const LAYOUT: PartSet = part_set![Layouts];
const ZRAM: PartSet = part_set![Block, Zram];

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let areas = known!(view.now.swaps.reading.as_ref());
    let groups: Vec<Rc<PriorityGroup>> = balance::groups(areas).into_iter().map(Rc::new).collect();
    let mut group_of = vec![None; areas.len()];
    for (group, place) in
        groups.iter().flat_map(|group| group.members.iter().map(move |place| (group, *place)))
    {
        if let Some(entry) = group_of.get_mut(place) {
            *entry = Some(Rc::clone(group));
        }
    }
    let row = |(place, area): (usize, &'v SwapArea)| Row {
        view: *view,
        area,
        header: view.now.headers.of_area(place),
        layout: view.now.layouts.of_area(place),
        block: view.now.block.of_area(place),
        group: group_of.get(place).cloned().flatten(),
        place,
        growth: OnceCell::new(),
        group_growth: OnceCell::new(),
    };
    Reading::Known((0..).zip(areas).map(row).collect())
}

impl Row<'_> {
    /// The kind of the area. The kernel calls every block device a partition, so the device is asked.
    fn kind(&self) -> Reading<&'static str> {
        match self.area.kind {
            AreaKind::File => Reading::Known("file"),
            AreaKind::Partition => self.block.clone().map(BlockDevice::word),
        }
    }

    fn block<T: Clone>(&self, fact: impl Fn(&BlockDevice) -> &Reading<T>) -> Reading<T> {
        self.block.clone().and_then(|block| fact(block).clone())
    }

    fn header<T: Clone>(&self, fact: impl Fn(&AreaHeader) -> &Reading<T>) -> Reading<T> {
        self.header.clone().and_then(|header| fact(header).clone())
    }

    /// Position of its first page on the device, as in `resume_offset`.
    fn first_page(&self) -> Reading<u64> {
        let first = self.layout.clone().and_then(|layout| layout.first.clone());
        first.map2(self.view.now.page_size.clone(), |first, page| first.0 / page.max(1))
    }

    fn equal_share(&self) -> Reading<Bytes> {
        let Some(group) = &self.group else {
            return Reading::not_sampled();
        };
        let place = group.members.iter().position(|member| *member == self.place);
        group.equal_shares.clone().and_then(|shares| {
            match place.and_then(|place| shares.get(place)) {
                Some(share) => Reading::Known(*share),
                None => Reading::not_sampled(),
            }
        })
    }

    fn share(&self) -> Reading<f64> {
        let used = self.group.as_ref().map_or(Reading::not_sampled(), |group| group.used.clone());
        self.area.used.clone().and_then2(used, compression::quotient)
    }

    fn growth(&self) -> Reading<Growth> {
        self.growth.get_or_init(|| balance::growth(&self.view, self.place)).clone()
    }

    fn group_growth(&self) -> Reading<Growth> {
        let Some(group) = &self.group else { return Reading::not_sampled() };
        self.group_growth.get_or_init(|| balance::group_growth(&self.view, group)).clone()
    }

    fn full_in(&self) -> Reading<f64> {
        let Some(group) = &self.group else { return Reading::not_sampled() };
        balance::full_in(group, self.growth(), self.group_growth())
    }

    /// Whether the area and its group grow.
    fn is_growing(&self) -> Reading<bool> {
        let [own, all] =
            [self.growth(), self.group_growth()].map(|it| it.and_then(|growth| growth.is_growing));
        own.map2(all, |own, all| own && all)
    }

    fn growth_share(&self) -> Reading<f64> {
        self.growth().and_then2(self.group_growth(), |own, all| match all.rate {
            all if all > 0.0 => Reading::Known(own.rate / all),
            _ => Reading::absent("the areas of this priority group do not grow"),
        })
    }

    /// Change of a counter of the device.
    fn io(&self, counter: impl Fn(&DiskStats) -> u64) -> Reading<CounterChange> {
        traffic::area_io(&self.view, self.area, &self.block, counter)
    }

    /// A counter of the device since boot.
    fn io_total(&self, counter: impl Fn(&DiskStats) -> u64) -> Reading<u64> {
        traffic::area_total(&self.view, self.area, &self.block, counter)
    }

    fn io_bytes(&self, sectors: impl Fn(&DiskStats) -> u64) -> Reading<f64> {
        self.io(sectors).map(|change| change.per_second() * SECTOR as f64)
    }

    /// Missing on a simulated machine, which counts operations and has no time.
    fn has_times(&self) -> Reading<()> {
        Reading::or_absent(self.view.now.simulated.is_none().then_some(()), NOT_MODELLED)
    }

    /// Mean time per operation in seconds.
    fn io_wait(
        &self,
        millis: impl Fn(&DiskStats) -> u64,
        operations: impl Fn(&DiskStats) -> u64,
    ) -> Reading<f64> {
        let time = self.has_times().and_then(|()| self.io(millis));
        time.and_then2(self.io(operations), |time, done| match done.by {
            0 => Reading::absent("no operation completed between the samples"),
            done => Reading::Known(time.by as f64 / 1000.0 / done as f64),
        })
    }

    fn memory_ratio(&self) -> Reading<f64> {
        let block = known!(self.block.as_ref());
        let devices = known!(self.view.now.zram.reading.as_ref());
        let device = devices.iter().find(|device| device.name == block.name);
        let device = known!(Reading::or_absent(device, "this area is not on zram"));
        compression::zram(device, &self.view.now.page_size).memory_ratio
    }
}

const SWAPS: &str = "/proc/swaps";
const DISKSTATS: &str = "/proc/swaps, /proc/diskstats";

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.path.clone().into())
        .says("Path of the device or file.", SWAPS),
    Column::text("kind", "KIND", |row| row.kind().into())
        .says("Kind: zram, partition, disk, loop, dm, md, ram or file.", "/proc/swaps, /sys/block")
        .needs(BLOCK)
        .drop(3),
    Column::integer("priority", "PRIO", |row| row.area.priority.into())
        .says("Priority: higher ones fill first, equal ones round robin. Default priorities are -2 and below up to kernel 6.18, and -1 in later ones.", SWAPS),
    Column::bytes("size", "SIZE", |row| row.area.size.into())
        .says("Usable size. The kernel's figure wraps at 4 TiB and is corrected from the size of the device.", SWAPS),
    Column::bytes("used", "USED", |row| row.area.used.clone().into())
        .says("Used slots, including pages in zswap, zero-filled pages (never written) and the swap cache.", SWAPS),
    Column::bytes("free", "FREE", |row| {
        row.area.used.clone().map(|used| row.area.size.saturating_sub(used)).into()
    })
    .says("Free space: size - used.", SWAPS),
    Column::share("use", "USE%", |row| {
        let use_of = |used| compression::quotient(used, row.area.size);
        row.area.used.clone().and_then(use_of).into()
    })
    .says("Use: used / size.", SWAPS)
    .drop(2),
    Column::share("share", "SHARE", |row| row.share().into())
        .says("Share of the used space of its priority group.", SWAPS),
    Column::bytes("equal_share", "EQUAL", |row| row.equal_share().into())
        .says("Equal share: used space if the priority group were balanced.", SWAPS),
    Column::bytes_per_second("growth", "GROWTH/s", |row| {
        row.growth().map(|growth| growth.rate).into()
    })
    .says("Growth of used per second over the last 30 seconds, or over the last 4 if it does not grow steadily, or between the last two samples where there are fewer than 5; negative if it shrinks.", SWAPS)
    .drop(5),
    Column::seconds("full_in", "FULL-IN", |row| row.full_in().into())
        .says("Time until its priority group is full at its growth. Empty if it does not grow, while fewer than 5 samples or 10 seconds were observed, or if it is practically full: less than 1% of it is free, and less than 16 MiB for each of its areas.", SWAPS)
        .two(),
    Column::flag("growing", "GROWING", |row| row.is_growing().into())
        .says("Yes if the area and its priority group grow fast enough to be full within an hour, or by at least 1 MiB/s. This must hold over the last 4 seconds and over the last 30. Missing while fewer than 5 samples or 10 seconds were observed.", SWAPS)
        .two(),
    Column::share("growth_share", "GROW%", |row| row.growth_share().into())
        .says("Share of the growth of its priority group.", SWAPS)
        .two(),
    Column::bytes_per_second("in_rate", "IN/s", |row| {
        row.io_bytes(|stats| stats.read_sectors).into()
    })
    .total(|row| row.io_total(|stats| stats.read_sectors.saturating_mul(SECTOR)).into())
    .says("Bytes read from the device per second; absent for files, which share their disk.", DISKSTATS)
    .needs(IO)
    .drop(2),
    Column::bytes_per_second("out_rate", "OUT/s", |row| {
        row.io_bytes(|stats| stats.write_sectors).into()
    })
    .total(|row| row.io_total(|stats| stats.write_sectors.saturating_mul(SECTOR)).into())
    .says("Bytes written to the device per second; absent for files, which share their disk.", DISKSTATS)
    .needs(IO)
    .drop(2),
    Column::seconds("read_wait", "RWAIT", |row| {
        row.io_wait(|stats| stats.read_ms, |stats| stats.reads).into()
    })
    .says("Mean read latency between the samples, queueing included. Devices without a queue, such as zram, are timed in kernel ticks (1 to 10 ms), so only a mean over many reads is meaningful.", DISKSTATS)
    .needs(IO)
    .two()
    .drop(4),
    Column::seconds("write_wait", "WWAIT", |row| {
        row.io_wait(|stats| stats.write_ms, |stats| stats.writes).into()
    })
    .says("Mean write latency between the samples, queueing included; as coarse as RWAIT.", DISKSTATS)
    .needs(IO)
    .two()
    .drop(4),
    Column::share("busy", "BUSY", |row| {
        let busy = row.has_times().and_then(|()| row.io(|stats| stats.busy_ms));
        busy.map(|busy| busy.per_second() / 1000.0).into()
    })
    .total(|row| {
        let busy = row.has_times().and_then(|()| row.io_total(|stats| stats.busy_ms));
        busy.map(|busy| busy as f64 / 1000.0).into()
    })
    .says("Share of time with a request in flight, counted in kernel ticks (1 to 10 ms), so light traffic is overestimated.", DISKSTATS)
    .needs(IO)
    .two()
    .drop(6),
    Column::ratio("memory_ratio", "MEMRATIO", |row| row.memory_ratio().into())
        .says("Compression ratio of zram: data / memory used.", "/sys/block/zram*/mm_stat, bd_stat")
        .needs(ZRAM),
    Column::flag("rotational", "ROTA", |row| row.block(|block| &block.rotational).into())
        .says(
            "Whether the kernel treats it as rotational. One rotational area turns VMA readahead off for all areas, and since about 6.15 it gets one page per turn where other areas get a cluster.",
            "/sys/block/*/queue/rotational",
        )
        .needs(BLOCK)
        .drop(4),
    Column::flag("discard", "DISC", |row| {
        row.block(|block| &block.discard_max).map(|max| max.0 > 0).into()
    })
    .says(
        "Whether the device supports discard. Whether swap uses it is set at swapon; the kernel does not show it.",
        "/sys/block/*/queue/discard_max_bytes",
    )
    .needs(BLOCK)
    .drop(5),
    Column::bytes("discard_max", "DISC-MAX", |row| row.block(|block| &block.discard_max).into())
        .says(
            "Largest discard request that the device accepts.",
            "/sys/block/*/queue/discard_max_bytes",
        )
        .needs(BLOCK),
    Column::integer("node", "NODE", |row| row.block(|block| &block.numa_node).into())
        .says(
            "NUMA node of its controller. Up to 6.18, this node fills its own areas with default priority first.",
            "/sys/block/*/device/numa_node",
        )
        .needs(BLOCK),
    Column::text("device", "DEVICE", |row| row.block.clone().map(|block| block.name.clone()).into())
        .says("Kernel name of the device; for a file, of the device it is on.", "/sys/dev/block")
        .needs(BLOCK),
    Column::text("parent", "PARENT", |row| row.block(|block| &block.parent).into())
        .says("Disk of a partition.", "/sys/class/block")
        .needs(BLOCK),
    Column::list("disks", "DISKS", |row| row.block(|block| &block.disks).into())
        .says("Physical disks: all disks below device mapper and RAID, otherwise its own disk.", "/sys/block/*/slaves")
        .needs(BLOCK),
    Column::text("scheduler", "SCHED", |row| row.block(|block| &block.scheduler).into())
        .says("Active I/O scheduler.", "/sys/block/*/queue/scheduler")
        .needs(BLOCK),
    Column::text("model", "MODEL", |row| row.block(|block| &block.model).into())
        .says("Model of the device.", "/sys/block/*/device/model")
        .needs(BLOCK),
    Column::text("backing_file", "BACKING-FILE", |row| {
        row.block(|block| &block.backing_file).into()
    })
    .says("Backing file of a loop device.", "/sys/block/loop*/loop/backing_file")
    .needs(BLOCK),
    Column::text("dm_name", "DM-NAME", |row| row.block(|block| &block.dm_name).into())
        .says("Device-mapper name.", "/sys/block/dm-*/dm/name")
        .needs(BLOCK),
    Column::count("extents", "EXTENTS", |row| {
        row.layout.clone().map(|layout| layout.extents).into()
    })
    .says("Number of extents of a swap file on its disk; adjacent ones count as one. Counted up to about 65536.", "the file system's extent map (FIEMAP)")
    .needs(LAYOUT),
    Column::count("first_page", "FIRST", |row| row.first_page().into())
        .says("Position of the first page of a swap file on its device, in pages: the value for resume_offset.", "the file system's extent map (FIEMAP)")
        .needs(LAYOUT),
    Column::text("label", "LABEL", |row| row.header(|header| &header.label).into())
        .says("Label in the swap header, or as recorded by udev.", "the first page of the area, /run/udev/data")
        .needs(HEADERS),
    Column::text("uuid", "UUID", |row| row.header(|header| &header.uuid).into())
        .says("UUID in the swap header, or as recorded by udev.", "the first page of the area, /run/udev/data")
        .needs(HEADERS),
    Column::bytes("header_page", "HDRPAGE", |row| {
        row.header(|header| &header.page_size).map(Bytes).into()
    })
    .says("Page size for which the swap header was written.", "the first page of the area")
    .needs(HEADERS),
    Column::flag("deleted", "DELETED", |row| row.area.deleted.into())
        .says("Whether the kernel marks the path as deleted: the file or node no longer exists.", SWAPS),
    Column::text("type", "TYPE", |row| row.area.kind.word().into())
    .says("Type as printed by the kernel: partition or file.", SWAPS),
];

column_ids! { id: DevicesTable, SPEC;
    BACKING_FILE BUSY DEVICE DISCARD DM_NAME FULL_IN GROWING GROWTH EQUAL_SHARE IN_RATE KIND LABEL MEMORY_RATIO MODEL NAME NODE OUT_RATE PARENT PRIORITY READ_WAIT ROTATIONAL SCHEDULER SHARE SIZE USE USED WRITE_WAIT
}

#[cfg(test)]
mod tests;

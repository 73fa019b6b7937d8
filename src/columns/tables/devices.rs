//! `devices`: the swap areas, what carries them and how they are used.

use crate::columns::spec::{self, Spec, Table};
use crate::columns::value::Value;
use crate::derive::balance::{self, PriorityGroup};
use crate::derive::view::CounterChange;
use crate::derive::{SampleView, compression};
use crate::model::block::{BlockDevice, DiskStats};
use crate::model::swaparea::{AreaHeader, AreaKind, FileLayout, SwapArea};
use crate::model::{Bytes, Part, PartSet, Reading};

/// The table.
pub struct DevicesTable;

/// An area with what belongs to it.
pub struct Row<'v> {
    view: SampleView<'v>,
    area: &'v SwapArea,
    header: Reading<&'v AreaHeader>,
    layout: Reading<&'v FileLayout>,
    block: Reading<&'v BlockDevice>,
    group: Option<PriorityGroup>,
    place: usize,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<DevicesTable>("devices", "Swap areas", "name")
    .per_area()
    .about("Which areas carry the swap, how full each is, and whether those of one priority share evenly")
    .shows(&["name", "kind", "priority", "size", "used", "use", "rotational", "discard"])
    .with_two(&["in_rate", "out_rate", "growth"])
    .sort("-priority")
    .needs(PartSet::from_parts(&[Part::Swaps]));

const BLOCK: PartSet = PartSet::from_parts(&[Part::Block]);
const IO: PartSet = PartSet::from_parts(&[Part::Block, Part::Diskstats]);
const HEADERS: PartSet = PartSet::from_parts(&[Part::Headers]);
const LAYOUT: PartSet = PartSet::from_parts(&[Part::Layouts]);
const ZRAM: PartSet = PartSet::from_parts(&[Part::Block, Part::Zram]);
const SECTOR: u64 = 512;

impl Table for DevicesTable {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
        let areas = match view.now.swaps.reading.get() {
            Ok(areas) => areas,
            Err(missing) => return missing.into(),
        };
        let groups = balance::groups(areas);
        let row = |(place, area): (usize, &'v SwapArea)| Row {
            view: *view,
            area,
            header: nth(&view.now.headers.reading, place),
            layout: nth(&view.now.layouts.reading, place),
            block: nth(&view.now.block.reading, place),
            group: groups.iter().find(|group| group.members.contains(&place)).cloned(),
            place,
        };
        Reading::Known((0..).zip(areas).map(row).collect())
    }
}

/// What stands at the place of an area in a list that goes along with the areas.
fn nth<T>(list: &Reading<Vec<Reading<T>>>, place: usize) -> Reading<&T> {
    list.as_ref().and_then(|list| match list.get(place) {
        Some(reading) => reading.as_ref(),
        None => Reading::failed("the list of areas changed while it was read"),
    })
}

impl Row<'_> {
    /// The kernel calls every block device a partition: what it is, only the device itself tells.
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

    /// Where its first page lies, as `resume_offset` tells it.
    fn first_page(&self) -> Reading<u64> {
        let first = self.layout.clone().and_then(|layout| layout.first.clone());
        first.map2(self.view.now.page_size.clone(), |first, page| first.0 / page.max(1))
    }

    fn ideal(&self) -> Reading<Bytes> {
        let Some(group) = &self.group else {
            return Reading::not_sampled();
        };
        let place = group.members.iter().position(|member| *member == self.place);
        group.ideal.clone().and_then(|ideal| match place.and_then(|place| ideal.get(place)) {
            Some(ideal) => Reading::Known(*ideal),
            None => Reading::not_sampled(),
        })
    }

    fn share(&self) -> Reading<f64> {
        let used = self.group.as_ref().map_or(Reading::not_sampled(), |group| group.used.clone());
        self.area.used.clone().map2(used, compression::quotient).and_then(|share| share)
    }

    fn full_in(&self) -> Reading<f64> {
        let Some(group) = &self.group else {
            return Reading::not_sampled();
        };
        let areas = self.view.now.swaps.reading.as_ref();
        areas.and_then(|areas| balance::full_in(&self.view, areas, group, self.area))
    }

    fn growth_share(&self) -> Reading<f64> {
        let Some(group) = &self.group else {
            return Reading::not_sampled();
        };
        let areas = self.view.now.swaps.reading.as_ref();
        let all = areas.and_then(|areas| balance::group_growth(&self.view, areas, group));
        balance::growth(&self.view, self.area).map2(all, |own, all| (own, all)).and_then(
            |(own, all)| match all {
                all if all > 0.0 => Reading::Known(own / all),
                _ => Reading::absent("the areas of this priority did not grow between the samples"),
            },
        )
    }

    /// How a counter of the device grew. A file has none of its own.
    fn io(&self, counter: impl Fn(&DiskStats) -> u64) -> Reading<CounterChange> {
        if self.area.kind == AreaKind::File {
            return Reading::absent("the kernel counts no I/O for a file, only for its whole disk");
        }
        let block = match self.block.get() {
            Ok(block) => *block,
            Err(missing) => return missing.into(),
        };
        self.view.change(
            |snapshot| &snapshot.diskstats,
            |stats| match stats.get(&block.name) {
                Some(stats) => Reading::Known(counter(stats)),
                None => Reading::absent(format!("/proc/diskstats has no {}", block.name)),
            },
        )
    }

    fn io_bytes(&self, sectors: impl Fn(&DiskStats) -> u64) -> Reading<f64> {
        self.io(sectors).map(|change| change.per_second() * SECTOR as f64)
    }

    /// Mean time of an operation in seconds.
    fn io_wait(
        &self,
        millis: impl Fn(&DiskStats) -> u64,
        operations: impl Fn(&DiskStats) -> u64,
    ) -> Reading<f64> {
        let both = self.io(millis).map2(self.io(operations), |time, done| (time.by, done.by));
        both.and_then(|(time, done)| match done {
            0 => Reading::absent("no operation ended between the samples"),
            _ => Reading::Known(time as f64 / 1000.0 / done as f64),
        })
    }

    fn memory_ratio(&self) -> Reading<f64> {
        let block = match self.block.get() {
            Ok(block) => *block,
            Err(missing) => return missing.into(),
        };
        self.view.now.zram.reading.as_ref().and_then(|devices| {
            match devices.iter().find(|device| device.name == block.name) {
                Some(device) => {
                    compression::zram(device, &self.view.now.page_size.clone()).memory_ratio
                }
                None => Reading::absent("this area is not on zram"),
            }
        })
    }
}

const SWAPS: &str = "/proc/swaps";
const DISKSTATS: &str = "/proc/swaps, /proc/diskstats";

type Column = spec::Column<DevicesTable>;

static COLUMNS: &[Column] = &[
    Column::text("name", "NAME", |row| row.area.path.clone().into())
        .says("Path of the device or file.", SWAPS),
    Column::text("kind", "KIND", |row| row.kind().into())
        .says("zram, partition, disk, loop, dm, md, ram or file.", "/proc/swaps, /sys/block")
        .needs(BLOCK)
        .drop(3),
    Column::integer("priority", "PRIO", |row| row.area.priority.into())
        .says("Priority: higher ones are filled first, equal ones take turns. A default priority is -2 and below up to kernel 6.18, and -1 since.", SWAPS),
    Column::bytes("size", "SIZE", |row| row.area.size.into())
        .says("Usable size; what the kernel prints wraps at 4 TiB, and that is repaired from the size of the device.", SWAPS),
    Column::bytes("used", "USED", |row| row.area.used.clone().into())
        .says("Slots in use. It counts slots whose data is in zswap, zero-filled pages that were never written, and pages in the swap cache.", SWAPS),
    Column::bytes("free", "FREE", |row| {
        row.area.used.clone().map(|used| row.area.size.saturating_sub(used)).into()
    })
    .says("Size less used.", SWAPS)
    .drop(5),
    Column::share("use", "USE%", |row| {
        let use_of = |used| compression::quotient(used, row.area.size);
        row.area.used.clone().and_then(use_of).into()
    })
    .says("Used against size.", SWAPS)
    .drop(2),
    Column::share("share", "SHARE", |row| row.share().into())
        .says("Used against the used space of all areas of this priority.", SWAPS)
        .drop(6),
    Column::bytes("ideal", "IDEAL", |row| row.ideal().into())
        .says("What it would hold if the areas of this priority were used evenly.", SWAPS)
        .drop(7),
    Column::bytes_per_second("growth", "GROWTH/s", |row| {
        balance::growth(&row.view, row.area).into()
    })
    .says("By how much used grew; negative when it shrank.", SWAPS)
    .two()
    .drop(5),
    Column::seconds("full_in", "FULL-IN", |row| row.full_in().into())
        .says("When all areas of its priority are full if they go on growing together as they did between the samples. Missing if the area did not grow, or they did not, or less than 1 % of them is free.", SWAPS)
        .two()
        .drop(7),
    Column::share("growth_share", "GROW%", |row| row.growth_share().into())
        .says("Its part in the growth of all areas of this priority.", SWAPS)
        .two()
        .drop(7),
    Column::bytes_per_second("in_rate", "IN/s", |row| {
        row.io_bytes(|stats| stats.read_sectors).into()
    })
    .says("Read from the device; absent for files, which share their disk.", DISKSTATS)
    .needs(IO)
    .two()
    .drop(2),
    Column::bytes_per_second("out_rate", "OUT/s", |row| {
        row.io_bytes(|stats| stats.write_sectors).into()
    })
    .says("Written to the device; absent for files, which share their disk.", DISKSTATS)
    .needs(IO)
    .two()
    .drop(2),
    Column::seconds("read_wait", "RWAIT", |row| {
        row.io_wait(|stats| stats.read_ms, |stats| stats.reads).into()
    })
    .says("Mean time of a read between the samples, queueing included. zram and other devices without a queue time each in whole ticks of the kernel (1 to 10 ms): only the mean of very many says something.", DISKSTATS)
    .needs(IO)
    .two()
    .drop(4),
    Column::seconds("write_wait", "WWAIT", |row| {
        row.io_wait(|stats| stats.write_ms, |stats| stats.writes).into()
    })
    .says("Mean time of a write between the samples, queueing included, and as coarse as that of reads.", DISKSTATS)
    .needs(IO)
    .two()
    .drop(4),
    Column::share("busy", "BUSY", |row| {
        row.io(|stats| stats.busy_ms).map(|busy| busy.per_second() / 1000.0).into()
    })
    .says("Time in which the device had a request in flight, in whole ticks of the kernel (1 to 10 ms): a short request counts as one, so that little traffic looks like more.", DISKSTATS)
    .needs(IO)
    .two()
    .drop(6),
    Column::ratio("memory_ratio", "RATIO", |row| row.memory_ratio().into())
        .says(
            "For zram: data held in memory against the memory it takes.",
            "/sys/block/zram*/mm_stat, bd_stat",
        )
        .needs(ZRAM)
        .drop(6),
    Column::flag("rotational", "ROTA", |row| row.block(|block| &block.rotational).into())
        .says(
            "Does the kernel treat it as rotating? Such an area turns readahead along addresses off for all, and on 7.x gets few small pages beside others of its priority.",
            "/sys/block/*/queue/rotational",
        )
        .needs(BLOCK)
        .drop(4),
    Column::flag("discard", "DISC", |row| {
        row.block(|block| &block.discard_max).map(|max| max.0 > 0).into()
    })
    .says(
        "Can the device discard? Whether swap makes use of it was decided at swapon and is not shown by the kernel.",
        "/sys/block/*/queue/discard_max_bytes",
    )
    .needs(BLOCK)
    .drop(5),
    Column::bytes("discard_max", "DISC-MAX", |row| row.block(|block| &block.discard_max).into())
        .says(
            "Largest discard request that the device takes.",
            "/sys/block/*/queue/discard_max_bytes",
        )
        .needs(BLOCK)
        .drop(9),
    Column::integer("node", "NODE", |row| row.block(|block| &block.numa_node).into())
        .says(
            "NUMA node of its controller. Up to 6.18 an area of default priority is preferred on its own node.",
            "/sys/block/*/device/numa_node",
        )
        .needs(BLOCK)
        .drop(8),
    Column::text("device", "DEVICE", |row| {
        row.block.clone().map(|block| block.name.clone()).into()
    })
    .says("The kernel's name of the device; for a file, of the one it lies on.", "/sys/dev/block")
    .needs(BLOCK)
    .drop(8),
    Column::text("parent", "PARENT", |row| row.block(|block| &block.parent).into())
        .says("The disk that a partition lies on.", "/sys/class/block")
        .needs(BLOCK)
        .drop(9),
    Column::list("disks", "DISKS", |row| row.block(|block| &block.disks).into())
        .says("The whole disks at the bottom: of device mapper and RAID all of those below, of anything else its own.", "/sys/block/*/slaves")
        .needs(BLOCK)
        .drop(9),
    Column::text("scheduler", "SCHED", |row| row.block(|block| &block.scheduler).into())
        .says("The I/O scheduler in force.", "/sys/block/*/queue/scheduler")
        .needs(BLOCK)
        .drop(9),
    Column::text("model", "MODEL", |row| row.block(|block| &block.model).into())
        .says("The model that the device reports.", "/sys/block/*/device/model")
        .needs(BLOCK)
        .drop(9),
    Column::text("backing_file", "BACKING-FILE", |row| {
        row.block(|block| &block.backing_file).into()
    })
    .says("The file behind a loop device.", "/sys/block/loop*/loop/backing_file")
    .needs(BLOCK)
    .drop(9),
    Column::text("dm_name", "DM-NAME", |row| row.block(|block| &block.dm_name).into())
        .says("The device-mapper name.", "/sys/block/dm-*/dm/name")
        .needs(BLOCK)
        .drop(9),
    Column::count("extents", "EXTENTS", |row| {
        row.layout.clone().map(|layout| layout.extents).into()
    })
    .says("Pieces in which a swap file lies on its disk; those that follow each other there are one. Counted up to some 65536.", "the file system's list of the file (FIEMAP)")
    .needs(LAYOUT)
    .drop(9),
    Column::count("first_page", "FIRST", |row| row.first_page().into())
        .says("Where on its device the first page of a swap file lies, in pages: what resume_offset has to say.", "the file system's list of the file (FIEMAP)")
        .needs(LAYOUT)
        .drop(9),
    Column::text("label", "LABEL", |row| row.header(|header| &header.label).into())
        .says("Label in the header, or what udev kept of it.", "the first page of the area, /run/udev/data")
        .needs(HEADERS)
        .drop(8),
    Column::text("uuid", "UUID", |row| row.header(|header| &header.uuid).into())
        .says("UUID in the header, or what udev kept of it.", "the first page of the area, /run/udev/data")
        .needs(HEADERS)
        .drop(9),
    Column::bytes("header_page", "HDRPAGE", |row| {
        row.header(|header| &header.page_size).map(Bytes).into()
    })
    .says("Page size that the header was made for.", "the first page of the area")
    .needs(HEADERS)
    .drop(9),
    Column::flag("deleted", "GONE", |row| row.area.deleted.into())
        .says("The kernel marks the path as deleted: it leads nowhere any more.", SWAPS)
        .drop(9),
    Column::text("type", "TYPE", |row| {
        Value::from(match row.area.kind {
            AreaKind::Partition => "partition",
            AreaKind::File => "file",
        })
    })
    .says("partition or file, as the kernel prints it.", SWAPS)
    .drop(9),
];

column_ids! { id: DevicesTable, SPEC;
    BACKING_FILE BUSY DEVICE DISCARD DM_NAME FULL_IN GROWTH IDEAL IN_RATE KIND LABEL MEMORY_RATIO MODEL NAME NODE OUT_RATE PARENT PRIORITY READ_WAIT ROTATIONAL SCHEDULER SHARE SIZE USE USED WRITE_WAIT
}

#[cfg(test)]
mod tests;

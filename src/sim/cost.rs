//! Counted work, and the costs that turn counts into an estimated time.
//!
//! The model counts; it measures nothing. Each cost is a figure of a file that can be shown and edited, and
//! that says where the figure is from. A result that names a time also names its cost file.

use crate::config::{
    KeyDefault as D, KeyGroup, KeySpec, MAX_FILE_BYTES, Problems, Schema, ValueType as T, setter,
};
use crate::model::worded_enum;
use std::sync::LazyLock;

worded_enum! {
    /// Kind of device behind an area.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SimDevice {
        /// Compressed RAM; reading needs no waiting.
        Zram = "zram",
        /// A solid state disk.
        SolidState = "ssd",
        /// A rotational disk.
        Rotational = "disk",
        /// A file on a solid state disk; large folios are split for it.
        File = "file",
        /// A file on a rotational disk.
        RotationalFile = "file-on-disk",
    }
}

impl SimDevice {
    /// Whether it is on a rotational disk.
    pub fn rotates(self) -> bool {
        matches!(self, Self::Rotational | Self::RotationalFile)
    }

    /// Whether it is a file.
    pub fn is_file(self) -> bool {
        matches!(self, Self::File | Self::RotationalFile)
    }
}

/// Work of allocating and freeing slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllocationWork {
    /// Allocations, of any order.
    pub allocations: u64,
    /// Freed slots.
    pub frees: u64,
    /// Clusters that were looked at.
    pub clusters_scanned: u64,
    /// Slots that were looked at.
    pub slots_scanned: u64,
    /// Moves of clusters between lists.
    pub list_moves: u64,
    /// Takes of the lock of the area.
    pub lock_takes: u64,
    /// Other CPUs that took the lock in the same round, summed over all takes.
    pub lock_waits: u64,
    /// Slots reclaimed from the swap cache by an allocation.
    pub slots_reclaimed: u64,
    /// Single slots taken from clusters of large folios.
    pub slots_stolen: u64,
    /// Discarded clusters.
    pub discards: u64,
}

impl AllocationWork {
    /// The sum of the work of several areas.
    pub fn plus(self, other: Self) -> Self {
        Self {
            allocations: self.allocations + other.allocations,
            frees: self.frees + other.frees,
            clusters_scanned: self.clusters_scanned + other.clusters_scanned,
            slots_scanned: self.slots_scanned + other.slots_scanned,
            list_moves: self.list_moves + other.list_moves,
            lock_takes: self.lock_takes + other.lock_takes,
            lock_waits: self.lock_waits + other.lock_waits,
            slots_reclaimed: self.slots_reclaimed + other.slots_reclaimed,
            slots_stolen: self.slots_stolen + other.slots_stolen,
            discards: self.discards + other.discards,
        }
    }
}

/// Reads and writes of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceTraffic {
    /// Read requests.
    pub reads: u64,
    /// Pages read.
    pub read_pages: u64,
    /// Pages written.
    pub written_pages: u64,
    /// Reads and writes that did not follow the last one.
    pub seeks: u64,
    next: u32,
}

impl DeviceTraffic {
    /// Counts a read of a run of slots.
    pub(super) fn read(&mut self, slot: u32, pages: u32) {
        self.reads += 1;
        self.read_pages += u64::from(pages);
        self.go_on(slot, pages);
    }

    /// Counts a write of a run of slots. Consecutive writes are merged.
    pub(super) fn write(&mut self, slot: u32, pages: u32) {
        self.written_pages += u64::from(pages);
        self.go_on(slot, pages);
    }

    fn go_on(&mut self, slot: u32, pages: u32) {
        self.seeks += u64::from(slot != self.next);
        self.next = slot + pages;
    }
}

/// Work outside of the areas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachineWork {
    /// Accesses to pages.
    pub touches: u64,
    /// Faults on pages without content.
    pub minor_faults: u64,
    /// Faults that had to read.
    pub major_faults: u64,
    /// Pages compressed by zswap.
    pub compressed: u64,
    /// Pages decompressed by zswap.
    pub decompressed: u64,
    /// Look-ups while freeing slots.
    pub free_lookups: u64,
    /// Page table entries visited by swapoff.
    pub entries_visited: u64,
}

/// Costs of single actions, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostModel {
    /// Where the figures are from.
    pub source: String,
    disk_seek: f64,
    disk_request: f64,
    disk_page: f64,
    ssd_request: f64,
    ssd_read: f64,
    ssd_write: f64,
    zram_read: f64,
    zram_write: f64,
    zswap_page: f64,
    cluster: f64,
    slot: f64,
    lock: f64,
    wait: f64,
    fault: f64,
    lookup: f64,
    entry: f64,
}

/// The built-in cost file.
pub const DEFAULT_COSTS: &str = include_str!("costs.toml");
/// The content.
static BUILTIN_COSTS: LazyLock<CostModel> = LazyLock::new(|| {
    CostModel::read("costs.toml", DEFAULT_COSTS).expect("a test reads the built-in cost file")
});

type Key = KeySpec<CostModel>;

/// Valid costs: up to a second.
const NS: T = T::Number(0.0, 1e9);

/// A key for the cost of an action.
macro_rules! cost_key {
    ($name:literal, $field:ident, $help:literal) => {
        Key::value($name, NS, D::Required, setter!($field = number)).says($help)
    };
}

static COST_KEYS: &[Key] = &[
    Key::value("source", T::Line(400), D::Required, setter!(source = text))
        .says("Where the figures are from, and on what they were calibrated"),
    cost_key!("disk-seek", disk_seek, "A seek of a rotational disk"),
    cost_key!("disk-request", disk_request, "A read request of a rotational disk without a seek"),
    cost_key!("disk-page", disk_page, "Transfer of a page by a rotational disk"),
    cost_key!("ssd-request", ssd_request, "Latency of a read request of a solid state disk"),
    cost_key!("ssd-read-page", ssd_read, "Transfer of a page from a solid state disk"),
    cost_key!("ssd-write-page", ssd_write, "Transfer of a page to a solid state disk"),
    cost_key!("zram-read-page", zram_read, "Decompression of a page by zram"),
    cost_key!("zram-write-page", zram_write, "Compression of a page by zram"),
    cost_key!("zswap-page", zswap_page, "Compression or decompression of a page by zswap"),
    cost_key!("cluster-scan", cluster, "A look at a cluster"),
    cost_key!("slot-scan", slot, "A look at a slot"),
    cost_key!("lock-take", lock, "Taking the lock of an area"),
    cost_key!("lock-wait", wait, "Each other CPU that takes the lock of an area at the same time"),
    cost_key!("fault", fault, "A page fault"),
    cost_key!("free-lookup", lookup, "A look-up while a slot is freed"),
    cost_key!("page-table-entry", entry, "A page table entry that swapoff visits"),
];

/// All keys of a cost file.
static COST_FILE: Schema<CostModel> = Schema {
    groups: &[KeyGroup {
        sections: &[""],
        heading: "Costs of single actions, in nanoseconds",
        keys: COST_KEYS,
    }],
    bare: true,
    max_bytes: MAX_FILE_BYTES,
};

impl CostModel {
    /// The built-in costs.
    pub fn builtin() -> Self {
        BUILTIN_COSTS.clone()
    }

    /// Reads a cost file, or lists its errors.
    pub fn read(name: &str, text: &str) -> Result<Self, Vec<String>> {
        let mut problems = Problems::in_file(name);
        let mut costs = Self::default();
        if let Some(section) = COST_FILE.read(text, &mut problems) {
            COST_FILE.fill(&section, &mut costs, &mut problems);
        }
        let result = problems.into_result(costs);
        result.map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }

    /// Estimated time of allocating and freeing slots.
    pub fn allocation_ns(&self, work: AllocationWork) -> f64 {
        work.clusters_scanned as f64 * self.cluster
            + work.slots_scanned as f64 * self.slot
            + work.lock_takes as f64 * self.lock
            + work.lock_waits as f64 * self.wait
    }

    /// Estimated time of faults, zswap and look-ups on a CPU.
    pub fn machine_ns(&self, work: MachineWork) -> f64 {
        (work.minor_faults + work.major_faults) as f64 * self.fault
            + (work.compressed + work.decompressed) as f64 * self.zswap_page
            + work.free_lookups as f64 * self.lookup
            + work.entries_visited as f64 * self.entry
    }

    /// Estimated time of freeing slots: look-ups, and locks of areas.
    pub fn free_ns(&self, machine: MachineWork, areas: AllocationWork) -> f64 {
        machine.free_lookups as f64 * self.lookup + areas.lock_takes as f64 * self.lock
    }

    /// Estimated time for which a device is busy.
    pub fn device_ns(&self, device: SimDevice, traffic: DeviceTraffic) -> f64 {
        let DeviceTraffic { reads, read_pages, written_pages, seeks, .. } = traffic;
        match device {
            SimDevice::Zram => {
                read_pages as f64 * self.zram_read + written_pages as f64 * self.zram_write
            }
            SimDevice::Rotational | SimDevice::RotationalFile => {
                seeks as f64 * self.disk_seek
                    + reads as f64 * self.disk_request
                    + (read_pages + written_pages) as f64 * self.disk_page
            }
            SimDevice::SolidState | SimDevice::File => {
                reads as f64 * self.ssd_request
                    + read_pages as f64 * self.ssd_read
                    + written_pages as f64 * self.ssd_write
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_costs_are_valid_and_say_where_they_are_from() {
        let costs = CostModel::read("costs.toml", DEFAULT_COSTS).unwrap();
        assert!(costs.source.contains("not calibrated"));
        assert!(costs.disk_seek > costs.ssd_request && costs.ssd_request > costs.zram_read);
    }

    #[test]
    fn wrong_costs_are_refused_with_line_and_key() {
        let text = DEFAULT_COSTS.replace("disk-seek = ", "disk-seek = -");
        let texts = CostModel::read("my.toml", &text).unwrap_err();
        assert_eq!(texts.len(), 1);
        assert!(texts[0].starts_with("my.toml:"), "{texts:?}");
        assert!(texts[0].contains("disk-seek: \"-8000000\" is not valid: use a number from 0 to"));
    }

    #[test]
    fn requests_that_follow_one_another_are_no_seeks() {
        let mut traffic = DeviceTraffic::default();
        traffic.read(8, 8);
        traffic.read(16, 8);
        traffic.read(0, 1);
        traffic.write(16, 1);
        traffic.write(17, 1);
        assert_eq!((traffic.reads, traffic.read_pages), (3, 17));
        assert_eq!((traffic.written_pages, traffic.seeks), (2, 3));
    }
}

//! Snapshots of the machine: immutable, and the unit of recording, replay and bug reports.

use super::block::{BlockDevice, Disks};
use super::clusters::ClusterMap;
use super::config::ConfigEntry;
use super::kernel::{Access, Allocator, Hibernation, Kernel, NumaNode, Release};
use super::knob::KnobReading;
use super::memory::HeapSize as _;
use super::paging::{Counters, Pressure, Thp};
use super::parts::{Part, PartSet, SourceFacts};
use super::reading::{Missing, Reading};
use super::shared::Shared;
use super::subject::SubjectDetail;
use super::swaparea::InterruptedPlan;
use super::swaparea::{AreaHeader, FileLayout, SwapArea};
use super::text::DAY_MS;
use super::users::{CgroupTree, ProcessTable, SharedMemory};
use super::zram::{ZramDevice, Zswap};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A point in time: monotonic for differences, wall time for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Nanoseconds since boot, suspend included (`CLOCK_BOOTTIME`).
    pub boot_ns: u64,
    /// Milliseconds since 1970, UTC.
    pub wall_ms: u64,
}

impl Stamp {
    /// Whether the wall time is a date: captured trees without a time have none, and simulated machines
    /// begin with 1970.
    pub fn has_date(self) -> bool {
        self.wall_ms >= 365 * DAY_MS
    }

    /// Seconds since an earlier time; zero if it is not earlier.
    pub fn seconds_since(self, earlier: Stamp) -> f64 {
        self.boot_ns.saturating_sub(earlier.boot_ns) as f64 / 1e9
    }
}

/// A part with the time at which it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampled<T> {
    /// Time of the read; `None` if it was not requested.
    pub at: Option<Stamp>,
    /// The data, which other snapshots may share.
    pub reading: Shared<Reading<T>>,
}

impl<T> Sampled<T> {
    /// A part that was read.
    pub fn new(at: Option<Stamp>, reading: Reading<T>) -> Self {
        Self { at, reading: Shared::new(reading) }
    }

    /// A part that was not requested.
    pub fn none() -> Self {
        Self::new(None, Reading::not_sampled())
    }

    /// A value of the part.
    pub fn value<U: Clone>(&self, of: impl FnOnce(&T) -> &Reading<U>) -> Reading<U> {
        self.reading.as_ref().and_then(|part| of(part).clone())
    }
}

impl<T> Sampled<Vec<Reading<T>>> {
    /// The item of an area, of a part that has one for each area.
    pub fn of_area(&self, place: usize) -> Reading<&T> {
        self.reading.as_ref().and_then(|items| match items.get(place) {
            Some(item) => item.as_ref(),
            None => Reading::failed("the list of areas changed while it was read"),
        })
    }
}

/// Cluster maps of one view, one for each area.
pub type ClusterMaps = Sampled<Vec<Reading<ClusterMap>>>;

/// Cost of taking a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleCost {
    /// Elapsed time in microseconds.
    pub wall_us: u64,
    /// CPU time of this program in microseconds.
    pub cpu_us: u64,
}

/// A snapshot of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Start time.
    pub stamp: Stamp,
    /// Cost of taking it.
    pub cost: SampleCost,
    /// The name of the simulated machine, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<String>,
    /// Base page size in bytes; always read, because most figures need it.
    pub page_size: Reading<u64>,
    /// The kernel and the machine.
    pub kernel: Sampled<Kernel>,
    /// Rights of this process, and accessible kernel interfaces.
    pub access: Sampled<Access>,
    /// Active swap areas, in the kernel's order.
    pub swaps: Sampled<Vec<SwapArea>>,
    /// Label and UUID, one for each area of `swaps`.
    pub headers: Sampled<Vec<Reading<AreaHeader>>>,
    /// Layout on disk, one for each area of `swaps`.
    #[serde(default = "Sampled::none")]
    pub layouts: Sampled<Vec<Reading<FileLayout>>>,
    /// Hibernation settings.
    #[serde(default = "Sampled::none")]
    pub hibernation: Sampled<Hibernation>,
    /// `/proc/meminfo` in KiB.
    pub meminfo: Sampled<Counters>,
    /// `/proc/vmstat`.
    pub vmstat: Sampled<Counters>,
    /// Pressure by resource: `cpu`, `memory`, `io`, `irq`.
    pub psi: Sampled<BTreeMap<String, Reading<Pressure>>>,
    /// I/O counters by kernel device name.
    pub diskstats: Sampled<Disks>,
    /// Devices behind swap areas, one for each area of `swaps`.
    pub block: Sampled<Vec<Reading<BlockDevice>>>,
    /// zram devices, by number.
    pub zram: Sampled<Vec<ZramDevice>>,
    /// zswap.
    pub zswap: Sampled<Zswap>,
    /// Transparent huge pages.
    pub thp: Sampled<Thp>,
    /// Settings, one for each of [`super::knob::KNOBS`].
    pub knobs: Sampled<Vec<KnobReading>>,
    /// NUMA nodes, by number.
    pub numa: Sampled<Vec<NumaNode>>,
    /// Boot configuration of swap.
    pub config: Sampled<Vec<ConfigEntry>>,
    /// Changes by this program that were interrupted.
    #[serde(default = "Sampled::none")]
    pub interrupted: Sampled<Vec<InterruptedPlan>>,
    /// Processes, by number.
    pub processes: Sampled<ProcessTable>,
    /// cgroups.
    pub cgroups: Sampled<CgroupTree>,
    /// tmpfs and System V shared memory.
    pub shm: Sampled<SharedMemory>,
    /// Data sources.
    pub sources: Sampled<Vec<SourceFacts>>,
    /// How the kernel selects the area for the next page.
    #[serde(default = "Sampled::none")]
    pub allocator: Sampled<Allocator>,
    /// Cluster maps from kernel memory, one for each area of `swaps`.
    #[serde(default = "Sampled::none")]
    pub kernel_clusters: ClusterMaps,
    /// Cluster maps from zram, one for each area of `swaps`.
    #[serde(default = "Sampled::none")]
    pub stored_clusters: ClusterMaps,
    /// Cluster maps from page tables of processes, one for each area of `swaps`.
    #[serde(default = "Sampled::none")]
    pub mapped_clusters: ClusterMaps,
    /// One process or one cgroup in detail. No recording has it.
    #[serde(skip, default = "Sampled::none")]
    pub subject: Sampled<SubjectDetail>,
    /// Older readings of `swaps`, oldest first, for the growth of used space. Only the base of rates has them,
    /// and no recording.
    #[serde(skip)]
    pub swaps_past: Vec<Sampled<Vec<SwapArea>>>,
}

/// Implements the operations on all parts: fields of [`Snapshot`] with what a report requests to have them read.
/// A part that is forgotten in [`Snapshot::empty`] does not compile.
macro_rules! parts {
    ($($part:ident: $($requested:ident)|+;)*) => {
        impl Snapshot {
            /// A snapshot without any data.
            pub fn empty(stamp: Stamp) -> Self {
                Self {
                    stamp,
                    cost: SampleCost::default(),
                    simulated: None,
                    page_size: Reading::not_sampled(),
                    $($part: Sampled::none(),)*
                    swaps_past: Vec::new(),
                }
            }

            /// Carries over the parts of the last snapshot that were not sampled in this one, with their
            /// times.
            pub fn carry(&mut self, last: &Snapshot) {
                $(if self.$part.at.is_none() && self.is_recent(&[$(Part::$requested),+], last.$part.at) {
                    self.$part = last.$part.clone();
                })*
                self.follow_areas(last);
                self.keep_zram(last);
            }

            /// The base for the rates of this snapshot: each part as it was read before. For a part that was
            /// carried over from the last snapshot, it is the base of the last snapshot.
            pub fn earlier(&self, last: &Snapshot, before_last: Option<&Snapshot>) -> Snapshot {
                let mut earlier = last.clone();
                $(if self.$part.at == last.$part.at {
                    let older = before_last.map(|older| older.$part.clone());
                    earlier.$part = older.unwrap_or_else(Sampled::none);
                })*
                earlier.swaps_past = before_last.map(Snapshot::swaps_until).unwrap_or_default();
                earlier
            }

            /// Shares the memory of everything that equals the last snapshot: whole parts, processes, cgroups
            /// and counter names. Call it before cloning this snapshot: data that a clone holds too stays as
            /// it is.
            pub fn share(&mut self, last: &Snapshot) {
                $(self.$part.reading.share(&last.$part.reading);)*
            }

            /// The part that this request reads, as in a recording.
            pub fn part_as_json(&self, part: Part) -> Reading<serde_json::Value> {
                match part {
                    $($(Part::$requested)|+ => self.$part.reading.as_ref().and_then(as_json),)*
                }
            }

            /// Estimated memory of this snapshot that is not shared with the last one.
            pub fn own_bytes(&self, last: &Snapshot) -> usize {
                size_of::<Self>()
                    + self.page_size.own_bytes(None)
                    $(+ self.$part.reading.own_bytes(Some(&last.$part.reading)))*
            }
        }
    };
}

parts! {
    kernel: Kernel;
    access: Access;
    swaps: Swaps;
    headers: Headers;
    layouts: Layouts;
    hibernation: Hibernation;
    meminfo: Meminfo;
    vmstat: Vmstat;
    psi: Psi;
    diskstats: Diskstats;
    block: Block;
    zram: Zram | ZramDetail;
    zswap: Zswap;
    thp: Thp;
    knobs: Knobs;
    numa: Numa;
    config: Config;
    interrupted: Interrupted;
    processes: Processes | ProcessDetail | ProcessPss | ProcessAll;
    cgroups: Cgroups;
    shm: Shm;
    sources: Sources;
    allocator: Allocator;
    kernel_clusters: KernelClusters;
    stored_clusters: StoredClusters;
    mapped_clusters: MappedClusters;
    subject: Subject;
}

fn as_json(part: &impl Serialize) -> Reading<serde_json::Value> {
    match serde_json::to_value(part) {
        Ok(tree) => Reading::Known(tree),
        Err(error) => Reading::failed(error.to_string()),
    }
}

/// Minimum seconds between the past readings of the areas that are kept.
pub const PAST_STEP_SECS: f64 = 1.9;
/// Seconds after which they are dropped, and how many are kept whatever their age.
const PAST_SECS: f64 = 30.0;
const PAST_LEAST: usize = 4;

/// Age in seconds above which a part is not carried over.
const MAX_CARRY_SECS: f64 = 30.0;

impl Snapshot {
    /// Whether a part that was read at this time for one of these requests is recent enough for this snapshot,
    /// so that older data does not appear as current.
    fn is_recent(&self, requests: &[Part], read: Option<Stamp>) -> bool {
        let age = read.map(|read| self.stamp.seconds_since(read));
        requests.iter().any(|part| PartSet::STEADY.has(*part))
            || age.is_some_and(|age| age <= MAX_CARRY_SECS)
    }

    /// Fills in figures of zram devices that did not answer from the last snapshot.
    pub fn keep_zram(&mut self, last: &Snapshot) {
        let (Some(now), Some(then)) = (self.zram.at, last.zram.at) else { return };
        let Some(before) = last.zram.reading.known().filter(|_| then < now) else { return };
        let is_late = |device: &ZramDevice| device.kept.is_none() && device.mm.known().is_none();
        let Some(devices) = self.zram.reading.known().filter(|all| all.iter().any(is_late)) else {
            return;
        };
        let mut devices = devices.clone();
        for device in &mut devices {
            if let Some(last) = before.iter().find(|last| last.name == device.name) {
                device.keep(last, now.boot_ns.saturating_sub(then.boot_ns));
            }
        }
        self.zram = Sampled::new(Some(now), Reading::Known(devices));
    }

    /// The past readings of the areas up to that of this snapshot, thinned out.
    fn swaps_until(&self) -> Vec<Sampled<Vec<SwapArea>>> {
        let mut past = self.swaps_past.clone();
        let Some(now) = self.swaps.at else { return past };
        let is_new =
            |last: &Sampled<_>| last.at.is_none_or(|at| now.seconds_since(at) >= PAST_STEP_SECS);
        if past.last().is_none_or(is_new) {
            past.push(self.swaps.clone());
        }
        let is_old =
            |past: &Sampled<_>| past.at.is_some_and(|at| now.seconds_since(at) > PAST_SECS);
        let old = past.iter().take_while(|past| is_old(past)).count();
        past.drain(..old.min(past.len().saturating_sub(PAST_LEAST)));
        past
    }

    /// Realigns parts that are parallel to the list of areas: data carried over a change of the list moves to
    /// the new position of its area.
    fn follow_areas(&mut self, last: &Snapshot) {
        let Some(now) = self.swaps.reading.known() else { return };
        let before = last.areas();
        if now.iter().map(SwapArea::identity).eq(before.iter().map(SwapArea::identity)) {
            return;
        }
        let places: Vec<_> = now.iter().map(|area| area.index_in(before)).collect();
        follow(&mut self.headers, &last.headers, &places);
        follow(&mut self.layouts, &last.layouts, &places);
        follow(&mut self.block, &last.block, &places);
        for (maps, last) in self.maps_mut().into_iter().zip(last.maps()) {
            follow(maps, last, &places);
        }
    }

    /// The cluster maps of each view, which take megabytes for large areas.
    fn maps(&self) -> [&ClusterMaps; 3] {
        [&self.kernel_clusters, &self.stored_clusters, &self.mapped_clusters]
    }

    /// The cluster maps of each view, for adding or removing them.
    pub fn maps_mut(&mut self) -> [&mut ClusterMaps; 3] {
        [&mut self.kernel_clusters, &mut self.stored_clusters, &mut self.mapped_clusters]
    }

    /// Takes the cluster maps out.
    pub fn take_maps(&mut self) -> [ClusterMaps; 3] {
        self.maps_mut().map(|maps| {
            let (taken, none) = (maps.clone(), Sampled::none());
            // An empty part stays shared.
            if taken != none {
                *maps = none;
            }
            taken
        })
    }

    /// Puts cluster maps in.
    pub fn put_maps(&mut self, maps: [ClusterMaps; 3]) {
        [self.kernel_clusters, self.stored_clusters, self.mapped_clusters] = maps;
    }

    /// Estimated memory of the cluster maps of each view.
    pub fn map_bytes(&self) -> [usize; 3] {
        self.maps().map(|maps| maps.reading.own_bytes(None))
    }

    /// Parts that lack data for new areas, because they were carried over from before.
    pub fn parts_without_new_areas(&self, last: &Snapshot) -> PartSet {
        let Some(now) = self.swaps.reading.known() else { return PartSet::NONE };
        if now.iter().all(|area| area.index_in(last.areas()).is_some()) {
            return PartSet::NONE;
        }
        let carried = |at: Option<Stamp>, last: Option<Stamp>| at.is_some() && at == last;
        let parts = [
            (Part::Block, carried(self.block.at, last.block.at)),
            (Part::Headers, carried(self.headers.at, last.headers.at)),
            (Part::Layouts, carried(self.layouts.at, last.layouts.at)),
        ];
        parts.into_iter().filter_map(|(part, carried)| carried.then_some(part)).collect()
    }

    /// The swap areas; none if they are not known.
    pub fn areas(&self) -> &[SwapArea] {
        self.swaps.reading.known_items()
    }

    /// A field of `/proc/meminfo`, in bytes.
    pub fn memory(&self, field: &str) -> Reading<super::Bytes> {
        let field = self.meminfo.reading.as_ref().and_then(|meminfo| meminfo.get(field));
        field.map(super::Bytes::from_kib)
    }

    /// The first two numbers of the kernel release.
    pub fn release(&self) -> Reading<Release> {
        self.kernel.value(|kernel| &kernel.release).and_then(|release| {
            match Release::parse(&release) {
                Some(release) => Reading::Known(release),
                None => Reading::failed("the kernel release is not a number"),
            }
        })
    }

    /// Used swap: `SwapTotal` less `SwapFree`.
    pub fn used_swap(&self) -> Reading<super::Bytes> {
        self.memory("SwapTotal").map2(self.memory("SwapFree"), super::Bytes::saturating_sub)
    }

    /// A mean or rate of pages in bytes.
    pub fn in_bytes(&self, pages: Reading<f64>) -> Reading<f64> {
        pages.map2(self.page_size.clone(), |pages, size| pages * size as f64)
    }

    /// The value of a kernel setting.
    pub fn knob(&self, id: &str) -> Reading<&str> {
        self.knobs.reading.as_ref().and_then(|knobs| match knobs.iter().find(|it| it.id == id) {
            Some(knob) => knob.value.as_ref().map(String::as_str),
            None => Reading::absent(format!("there is no knob {id}")),
        })
    }

    /// A counter of `/proc/vmstat`.
    pub fn counter(&self, name: &str) -> Reading<u64> {
        self.vmstat.reading.as_ref().and_then(|vmstat| vmstat.get(name))
    }
}

/// Moves carried data to the positions of its areas; a new area has none.
fn follow<T: Clone>(
    carried: &mut Sampled<Vec<Reading<T>>>,
    last: &Sampled<Vec<Reading<T>>>,
    places: &[Option<usize>],
) {
    let Some(readings) = last.reading.known() else { return };
    // Compare times instead of pointers: equal readings of two times are shared as well.
    if carried.at != last.at {
        return;
    }
    let moved = SwapArea::pick(readings, places, &Missing::NotSampled);
    *carried = Sampled::new(carried.at, Reading::Known(moved));
}

/// Values for tests, also of other packages.
#[cfg(any(test, feature = "testing"))]
pub mod testing;

#[cfg(test)]
mod tests;

//! One look at the machine: immutable, and the unit of recording, replay and bug reports.

use super::block::{BlockDevice, Disks};
use super::clusters::ClusterMap;
use super::config::ConfigEntry;
use super::kernel::{Access, Allocator, Hibernation, Kernel, NumaNode};
use super::knob::KnobReading;
use super::memory::Memory as _;
use super::paging::{Counters, Pressure, Thp};
use super::parts::{Part, PartSet, SourceFacts};
use super::reading::Reading;
use super::shared::Shared;
use super::swaparea::{AreaHeader, FileLayout, SwapArea};
use super::users::{CgroupTree, ProcessTable, SharedMemory};
use super::zram::{ZramDevice, Zswap};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A moment: monotonic for differences, wall time for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Nanoseconds since boot, suspend included (`CLOCK_BOOTTIME`).
    pub boot_ns: u64,
    /// Milliseconds since 1970, UTC.
    pub wall_ms: u64,
}

impl Stamp {
    /// Seconds since an earlier moment; zero when that is not earlier.
    pub fn seconds_since(self, earlier: Stamp) -> f64 {
        self.boot_ns.saturating_sub(earlier.boot_ns) as f64 / 1e9
    }

    /// As much later as passed from one moment to another.
    pub fn delayed(self, from: Stamp, to: Stamp) -> Stamp {
        let later = |time: u64, from: u64, to: u64| time.saturating_add(to.saturating_sub(from));
        Stamp {
            boot_ns: later(self.boot_ns, from.boot_ns, to.boot_ns),
            wall_ms: later(self.wall_ms, from.wall_ms, to.wall_ms),
        }
    }
}

/// One part with the moment at which it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampled<T> {
    /// When the read began; `None` when nobody asked.
    pub at: Option<Stamp>,
    /// What was read; other snapshots may hold it too.
    pub reading: Shared<Reading<T>>,
}

impl<T> Sampled<T> {
    /// A part as it was read.
    pub fn new(at: Option<Stamp>, reading: Reading<T>) -> Self {
        Self { at, reading: Shared::new(reading) }
    }

    /// A part that nobody asked for.
    pub fn none() -> Self {
        Self::new(None, Reading::not_sampled())
    }
}

/// Maps of clusters by one view, one for each area.
pub type ClusterMaps = Sampled<Vec<Reading<ClusterMap>>>;

/// What taking the snapshot cost the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Time that passed, in microseconds.
    pub wall_us: u64,
    /// Processor time that this program used, in microseconds.
    pub cpu_us: u64,
}

/// One look at the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// When the look began.
    pub stamp: Stamp,
    /// What it cost.
    pub cost: Cost,
    /// The size of a base page in bytes: always there, since most figures need it.
    pub page_size: Reading<u64>,
    /// The kernel and the machine.
    pub kernel: Sampled<Kernel>,
    /// Our rights, and which views into the kernel are open.
    pub access: Sampled<Access>,
    /// Active swap areas, in the kernel's order.
    pub swaps: Sampled<Vec<SwapArea>>,
    /// Label and UUID, one for each area of `swaps`.
    pub headers: Sampled<Vec<Reading<AreaHeader>>>,
    /// How swap files lie, one for each area of `swaps`.
    #[serde(default = "Sampled::none")]
    pub layouts: Sampled<Vec<Reading<FileLayout>>>,
    /// What the machine resumes from.
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
    /// What sets up swap at boot.
    pub config: Sampled<Vec<ConfigEntry>>,
    /// Processes, by number.
    pub processes: Sampled<ProcessTable>,
    /// cgroups.
    pub cgroups: Sampled<CgroupTree>,
    /// tmpfs and System V shared memory.
    pub shm: Sampled<SharedMemory>,
    /// What there is to read.
    pub sources: Sampled<Vec<SourceFacts>>,
    /// How the kernel chooses the area of the next page.
    #[serde(default = "Sampled::none")]
    pub allocator: Sampled<Allocator>,
    /// Clusters by the kernel's own memory, one for each area of `swaps`.
    #[serde(default = "Sampled::none")]
    pub kernel_clusters: ClusterMaps,
    /// Clusters by what zram has stored, likewise.
    #[serde(default = "Sampled::none")]
    pub stored_clusters: ClusterMaps,
    /// Clusters by page tables of processes, likewise.
    #[serde(default = "Sampled::none")]
    pub mapped_clusters: ClusterMaps,
}

/// What is done with each part. All of them are named in [`Snapshot::empty`]: one that is forgotten
/// does not compile.
macro_rules! parts {
    ($($part:ident),* $(,)?) => {
        impl Snapshot {
            /// A snapshot in which nothing has been read yet.
            pub fn empty(stamp: Stamp) -> Self {
                Self {
                    stamp,
                    cost: Cost::default(),
                    page_size: Reading::not_sampled(),
                    $($part: Sampled::none(),)*
                }
            }

            /// Take over the parts of the last snapshot that were not sampled in this one, with the
            /// moments at which they were.
            pub fn carry(&mut self, last: &Snapshot) {
                $(if self.$part.at.is_none() && self.is_of_now(stringify!($part), last.$part.at) {
                    self.$part = last.$part.clone();
                })*
                self.follow_areas(last);
            }

            /// What the rates of this snapshot are measured against: each part as it was read the
            /// time before. Of a part that was carried over from the last snapshot, that is what
            /// the last one was measured against.
            pub fn earlier(&self, last: &Snapshot, before_last: Option<&Snapshot>) -> Snapshot {
                let mut earlier = last.clone();
                $(if self.$part.at == last.$part.at {
                    let older = before_last.map(|older| older.$part.clone());
                    earlier.$part = older.unwrap_or_else(Sampled::none);
                })*
                earlier
            }

            /// From now on share the memory of all that equals the last snapshot: whole parts,
            /// processes, cgroups, and the names of counters. To be done before this snapshot is
            /// cloned: what a clone holds as well stays as it is.
            pub fn share(&mut self, last: &Snapshot) {
                $(self.$part.reading.share(&last.$part.reading);)*
            }

            /// An estimate of the memory that this snapshot takes and does not share with the last
            /// one.
            pub fn own_bytes(&self, last: &Snapshot) -> usize {
                size_of::<Self>()
                    + self.page_size.own_bytes(None)
                    $(+ self.$part.reading.own_bytes(Some(&last.$part.reading)))*
            }
        }
    };
}

parts! {
    kernel, access, swaps, headers, layouts, hibernation, meminfo, vmstat, psi, diskstats, block,
    zram, zswap, thp, knobs, numa, config, processes, cgroups, shm, sources, allocator, kernel_clusters, stored_clusters,
    mapped_clusters,
}

/// What is older than this is no part of a moment any more.
const MAX_CARRY_SECS: f64 = 30.0;
/// What is read once, since it hardly changes while somebody looks.
const STATIC_PARTS: [&str; 8] =
    ["kernel", "access", "headers", "layouts", "hibernation", "config", "sources", "allocator"];

impl Snapshot {
    /// Does a part that was read then still tell about this moment? Whoever goes back to a moment in
    /// which nobody looked at a part shall not see what it was long before.
    fn is_of_now(&self, part: &str, read: Option<Stamp>) -> bool {
        let age = read.map(|read| self.stamp.seconds_since(read));
        STATIC_PARTS.contains(&part) || age.is_some_and(|age| age <= MAX_CARRY_SECS)
    }

    /// Headers and devices go along with the areas by place: what was carried over an area that
    /// came or went moves to the place of its own area.
    fn follow_areas(&mut self, last: &Snapshot) {
        let Some(now) = self.swaps.reading.known() else { return };
        let before = last.swaps.reading.known().map_or(&[][..], Vec::as_slice);
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

    /// The maps of clusters, by each view: of large areas they take megabytes, as nothing else does.
    fn maps(&self) -> [&ClusterMaps; 3] {
        [&self.kernel_clusters, &self.stored_clusters, &self.mapped_clusters]
    }

    /// The same, to be put in or left out.
    pub fn maps_mut(&mut self) -> [&mut ClusterMaps; 3] {
        [&mut self.kernel_clusters, &mut self.stored_clusters, &mut self.mapped_clusters]
    }

    /// Take the maps of clusters out.
    pub fn take_maps(&mut self) -> [ClusterMaps; 3] {
        self.maps_mut().map(|maps| {
            let (taken, none) = (maps.clone(), Sampled::none());
            // What is none already stays shared.
            if taken != none {
                *maps = none;
            }
            taken
        })
    }

    /// Put maps of clusters in.
    pub fn put_maps(&mut self, maps: [ClusterMaps; 3]) {
        [self.kernel_clusters, self.stored_clusters, self.mapped_clusters] = maps;
    }

    /// An estimate of the memory that the maps of clusters take, by each view.
    pub fn map_bytes(&self) -> [usize; 3] {
        self.maps().map(|maps| maps.reading.own_bytes(None))
    }

    /// The parts of which an area has nothing, since it came after they were read.
    pub fn parts_without_new_areas(&self, last: &Snapshot) -> PartSet {
        let Some(now) = self.swaps.reading.known() else { return PartSet::NONE };
        let before = last.swaps.reading.known().map_or(&[][..], Vec::as_slice);
        if now.iter().all(|area| area.index_in(before).is_some()) {
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

    /// A field of `/proc/meminfo`, in bytes.
    pub fn memory(&self, field: &str) -> Reading<super::Bytes> {
        let field = self.meminfo.reading.as_ref().and_then(|meminfo| meminfo.get(field));
        field.map(super::Bytes::from_kib)
    }

    /// A counter of `/proc/vmstat`.
    pub fn counter(&self, name: &str) -> Reading<u64> {
        self.vmstat.reading.as_ref().and_then(|vmstat| vmstat.get(name))
    }
}

/// Put what was carried to the place of its area; nothing is known of a new one.
fn follow<T: Clone>(
    carried: &mut Sampled<Vec<Reading<T>>>,
    last: &Sampled<Vec<Reading<T>>>,
    places: &[Option<usize>],
) {
    let Some(readings) = last.reading.known() else { return };
    // Not by whether both are one in memory: equal readings of two moments are shared as well.
    if carried.at != last.at {
        return;
    }
    let at = |place: &Option<usize>| readings.get((*place)?).cloned();
    let moved = places.iter().map(|place| at(place).unwrap_or_else(Reading::not_sampled));
    *carried = Sampled::new(carried.at, Reading::Known(moved.collect()));
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A machine of which only these fields of `/proc/meminfo` are known, in KiB.
    pub(crate) fn with_memory(fields: &[(&str, u64)]) -> Snapshot {
        let fields = fields.iter().map(|(name, kib)| ((*name).into(), *kib)).collect();
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let meminfo = Counters::new("/proc/meminfo", fields);
        snapshot.meminfo = Sampled::new(None, Reading::Known(meminfo));
        snapshot
    }
}

#[cfg(test)]
mod tests;

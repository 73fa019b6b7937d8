//! One look at the machine: immutable, and the unit of recording, replay and bug reports.

use super::block::BlockDevice;
use super::block::DiskStats;
use super::cgroup::CgroupTree;
use super::config::ConfigEntry;
use super::counters::Counters;
use super::kernel::{Access, Kernel};
use super::knob::KnobReading;
use super::numa::NumaNode;
use super::process::ProcessTable;
use super::psi::Pressure;
use super::reading::Reading;
use super::shm::SharedMemory;
use super::source::SourceFacts;
use super::swaparea::{AreaHeader, SwapArea};
use super::thp::Thp;
use super::zram::ZramDevice;
use super::zswap::Zswap;
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
    #[must_use]
    pub fn seconds_since(self, earlier: Stamp) -> f64 {
        self.boot_ns.saturating_sub(earlier.boot_ns) as f64 / 1e9
    }
}

/// One part with the moment at which it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampled<T> {
    /// When the read began; `None` when nobody asked.
    pub at: Option<Stamp>,
    /// What was read.
    pub reading: Reading<T>,
}

impl<T> Sampled<T> {
    /// A part that nobody asked for.
    #[must_use]
    pub fn none() -> Self {
        Self { at: None, reading: Reading::not_sampled() }
    }
}

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
    /// `/proc/meminfo` in KiB.
    pub meminfo: Sampled<Counters>,
    /// `/proc/vmstat`.
    pub vmstat: Sampled<Counters>,
    /// Pressure by resource: `cpu`, `memory`, `io`, `irq`.
    pub psi: Sampled<BTreeMap<String, Reading<Pressure>>>,
    /// I/O counters by kernel device name.
    pub diskstats: Sampled<BTreeMap<String, DiskStats>>,
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
}

impl Snapshot {
    /// A snapshot in which nothing has been read yet.
    #[must_use]
    pub fn empty(stamp: Stamp) -> Self {
        Self {
            stamp,
            cost: Cost::default(),
            page_size: Reading::not_sampled(),
            kernel: Sampled::none(),
            access: Sampled::none(),
            swaps: Sampled::none(),
            headers: Sampled::none(),
            meminfo: Sampled::none(),
            vmstat: Sampled::none(),
            psi: Sampled::none(),
            diskstats: Sampled::none(),
            block: Sampled::none(),
            zram: Sampled::none(),
            zswap: Sampled::none(),
            thp: Sampled::none(),
            knobs: Sampled::none(),
            numa: Sampled::none(),
            config: Sampled::none(),
            processes: Sampled::none(),
            cgroups: Sampled::none(),
            shm: Sampled::none(),
            sources: Sampled::none(),
        }
    }

    /// A field of `/proc/meminfo`, in bytes.
    #[must_use]
    pub fn memory(&self, field: &str) -> Reading<super::Bytes> {
        let field = self.meminfo.reading.as_ref().and_then(|meminfo| meminfo.get(field));
        field.map(super::Bytes::from_kib)
    }

    /// A counter of `/proc/vmstat`.
    #[must_use]
    pub fn counter(&self, name: &str) -> Reading<u64> {
        self.vmstat.reading.as_ref().and_then(|vmstat| vmstat.get(name))
    }
}

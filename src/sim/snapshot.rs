//! The simulated machine as an ordinary snapshot, so that every report works on it.
//!
//! SIMULATED is part of the host name and of the release. What the model does not have is absent, with that
//! reason.

use super::access::PAGE_BYTES;
use super::areas::ZramStore;
use super::areas::{CLUSTER, ORDERS, SwapSpace};
use super::cost::{DeviceTraffic, SimDevice};
use super::layer::{ZswapPool, ZswapSetup};
use super::machine::Machine;
use super::policy::{CpuReserve, SelectionPolicy};
use crate::model::block::{BlockDevice, BlockKind, DiskStats, SECTOR};
use crate::model::clusters::{Cluster, ClusterMap, ClusterView, NextSlot};
use crate::model::kernel::{
    AllocationOrder, Allocator, AllocatorEvidence, Kernel, NumaNode, RotationUnit,
};
use crate::model::knob::{KNOBS, Knob, KnobReading};
use crate::model::paging::{BracketedChoice, Counters, MthpSize, Thp};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::users::{Process, ProcessTable, SharedMemory};
use crate::model::zram::{MmStat, ZramDevice, Zswap};
use crate::model::{Bytes, Name, Pages, Reading, Sampled, Shared, Snapshot, Stamp, whole};
use std::collections::BTreeMap;

/// Why a part of a snapshot is missing.
pub const NOT_MODELLED: &str = "not simulated";

fn absent<T>() -> Reading<T> {
    Reading::absent(NOT_MODELLED)
}

fn bytes(pages: u32) -> Bytes {
    Bytes(u64::from(pages) * PAGE_BYTES)
}

fn counters(source: &str, values: &[(&str, u64)]) -> Counters {
    Counters::new(source, values.iter().map(|(name, value)| ((*name).into(), *value)).collect())
}

impl Machine {
    /// The active areas.
    pub fn active_areas(&self) -> Vec<SwapArea> {
        let spaces = self.swap.areas().entries();
        spaces.filter(|space| space.is_enabled).map(swap_area).collect()
    }

    /// The time since the start: a number of rounds counts as a second.
    pub fn stamp(&self) -> Stamp {
        let round_ns = 1_000_000_000 / u64::from(self.setup.rounds_per_second.max(1));
        let boot_ns = self.rounds.saturating_mul(round_ns);
        Stamp { boot_ns, wall_ms: boot_ns / 1_000_000 }
    }

    /// The parts that are sampled during a run, which do not take longer on a larger machine.
    pub fn run_sample(&self) -> Snapshot {
        let stamp = self.stamp();
        let mut snapshot = Snapshot::empty(stamp);
        snapshot.page_size = Reading::Known(PAGE_BYTES);
        snapshot.simulated = Some(self.setup.name.clone());
        let at = Some(stamp);
        snapshot.swaps = known(at, self.active_areas());
        snapshot.meminfo = known(at, self.meminfo());
        snapshot.vmstat = known(at, self.vmstat());
        snapshot.thp = known(at, self.thp());
        snapshot
    }

    /// The state of the machine.
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = self.run_sample();
        let stamp = snapshot.stamp;
        let at = Some(stamp);
        let spaces = || self.swap.areas().entries();
        let areas: Vec<&SwapSpace> = spaces().filter(|space| space.is_enabled).collect();
        snapshot.kernel = Sampled::new(at, Reading::Known(self.kernel(stamp.boot_ns)));
        snapshot.block =
            known(at, areas.iter().map(|space| Reading::Known(space.block_device())).collect());
        snapshot.headers = known(at, areas.iter().map(|_| absent()).collect());
        snapshot.layouts = known(at, areas.iter().map(|_| absent()).collect());
        let disks = spaces().map(|space| (device_name(space).to_owned(), space.disk_stats()));
        snapshot.diskstats = known(at, disks.collect());
        // A zram device stays when its area is disabled.
        snapshot.zram = known(at, spaces().filter_map(zram).collect());
        snapshot.zswap = known(at, self.zswap_part());
        snapshot.knobs = known(at, self.knobs());
        snapshot.numa = known(at, self.nodes());
        snapshot.allocator = known(at, self.allocator());
        snapshot.kernel_clusters = known(at, self.cluster_maps());
        snapshot.processes = known(at, self.process_table());
        // Shared memory of workloads counts for their processes, and the model has no tmpfs.
        let (tmpfs, sysv) = (Reading::Known(Vec::new()), Reading::Known(Vec::new()));
        snapshot.shm = known(at, SharedMemory { tmpfs, sysv, shmem: Reading::Known(Bytes(0)) });
        mark_missing(&mut snapshot, at);
        snapshot
    }

    fn kernel(&self, boot_ns: u64) -> Kernel {
        Kernel {
            release: Reading::Known(format!("{}-SIMULATED", self.setup.policy.name)),
            hostname: Reading::Known(format!("SIMULATED {}", self.setup.name)),
            cpus: Reading::Known(u64::from(self.setup.cpus)),
            uptime_s: Reading::Known(boot_ns as f64 / 1e9),
            swap_tiers: Reading::absent("the model has no swap tiers"),
        }
    }

    fn meminfo(&self) -> Counters {
        let kib = |pages: u32| u64::from(pages) * PAGE_BYTES / 1024;
        let pool = self.zswap().map_or(0, ZswapPool::bytes) / 1024;
        let (active, inactive) = self.list_lengths();
        let free = kib(self.setup.memory_pages).saturating_sub(self.memory_in_use() / 1024);
        let mut values = vec![
            ("MemTotal", kib(self.setup.memory_pages)),
            ("MemFree", free),
            ("MemAvailable", free),
            ("SwapCached", kib(self.cached_pages())),
            ("Active(anon)", kib(active)),
            ("Inactive(anon)", kib(inactive)),
            ("AnonPages", kib(self.resident_pages())),
            ("SwapTotal", kib(self.swap.total())),
            ("SwapFree", kib(self.swap.total().saturating_sub(self.swap.used()))),
        ];
        if let Some(zswap) = self.zswap() {
            values.extend([("Zswap", pool), ("Zswapped", kib(zswap.stored()))]);
        }
        counters("the model", &values)
    }

    fn vmstat(&self) -> Counters {
        let counts = &self.counters;
        counters(
            "the model",
            &[
                ("pswpin", counts.pswpin),
                ("pswpout", counts.pswpout),
                ("swap_ra", counts.swap_ra),
                ("swap_ra_hit", counts.swap_ra_hit),
                ("zswpin", counts.zswpin),
                ("zswpout", counts.zswpout),
                ("zswpwb", counts.zswpwb),
                ("swpin_zero", counts.swpin_zero),
                ("swpout_zero", counts.swpout_zero),
                ("pgmajfault", self.work.major_faults),
                ("pgfault", self.work.major_faults + self.work.minor_faults),
                ("oom_kill", counts.oom_kill),
                ("nr_swapcached", u64::from(self.cached_pages())),
            ],
        )
    }

    fn thp(&self) -> Thp {
        let counts = &self.counters;
        let kinds = [
            ("anon_fault_alloc", &counts.fault_alloc),
            ("swpout", &counts.swpout),
            ("zswpout", &counts.zswpout_folios),
            ("swpout_fallback", &counts.swpout_fallback),
            ("swpin", &counts.swpin),
        ];
        let of = |order: u8| {
            kinds.map(|(name, counts)| (name, counts.get(usize::from(order)).copied().unwrap_or(0)))
        };
        let sizes = (1..ORDERS).map(|order| MthpSize {
            size: Bytes(PAGE_BYTES << order),
            enabled: BracketedChoice::parse(self.folio_choice(order))
                .map_or_else(absent, Reading::Known),
            shmem_enabled: absent(),
            stats: Reading::Known(counters("the model", &of(order))),
        });
        Thp {
            enabled: absent(),
            defrag: absent(),
            shmem_enabled: absent(),
            pmd_size: Reading::Known(Bytes(PAGE_BYTES << (ORDERS - 1))),
            sizes: Reading::Known(sizes.collect()),
        }
    }

    fn knobs(&self) -> Vec<KnobReading> {
        let reading = |knob: &Knob| KnobReading {
            id: knob.id.to_owned(),
            value: self.setting(knob.file).map_or_else(absent, Reading::Known),
        };
        KNOBS.iter().map(reading).collect()
    }

    fn zswap_part(&self) -> Zswap {
        let percent = |share: fn(ZswapSetup) -> f64| match self.setup.zswap {
            Some(setup) => Reading::Known(whole((share(setup) * 100.0).round())),
            None => absent(),
        };
        Zswap {
            enabled: Reading::Known(self.is_zswap_enabled()),
            compressor: absent(),
            zpool: absent(),
            max_pool_percent: percent(|setup| setup.max_pool),
            accept_threshold_percent: percent(|setup| setup.accept),
            shrinker_enabled: absent(),
            same_filled_pages_enabled: absent(),
            non_same_filled_pages_enabled: absent(),
            debug: match self.zswap() {
                Some(_) => Reading::Known(counters(
                    "the model",
                    &[("written_back_pages", self.counters.zswpwb)],
                )),
                None => absent(),
            },
        }
    }

    fn nodes(&self) -> Vec<NumaNode> {
        let node = |id: u32| {
            let cpus: Vec<String> = (0..self.setup.cpus)
                .filter(|cpu| self.setup.node_of(*cpu) == id)
                .map(|cpu| cpu.to_string())
                .collect();
            NumaNode {
                id,
                cpus: Reading::Known(cpus.join(",")),
                distance: absent(),
                meminfo: absent(),
                vmstat: absent(),
                watermarks: absent(),
            }
        };
        (0..self.setup.nodes).map(node).collect()
    }

    fn allocator(&self) -> Allocator {
        let policy = &self.setup.policy;
        Allocator {
            order: match policy.selection {
                SelectionPolicy::PerNode => AllocationOrder::ByNode,
                SelectionPolicy::OneByOne | SelectionPolicy::RoundRobin => AllocationOrder::Alike,
            },
            rotation_unit: match policy.reserve {
                CpuReserve::SlotCache => RotationUnit::Batch,
                CpuReserve::Cluster => RotationUnit::Cluster,
            },
            cluster_slots: Some(CLUSTER),
            evidence: AllocatorEvidence::Model,
        }
    }

    fn cluster_maps(&self) -> Vec<Reading<ClusterMap>> {
        let areas = (0..).zip(self.swap.areas().entries());
        let enabled = areas.filter(|(_, space)| space.is_enabled);
        let map = |(area, space)| cluster_map(space, self.swap.next_slots(area));
        enabled.map(map).map(Reading::Known).collect()
    }

    fn process_table(&self) -> ProcessTable {
        let process = |(number, (resident, swapped)): (u32, (u32, u32))| {
            Shared::new(Process {
                pid: number + 1,
                ppid: 1,
                uid: 0,
                // The name tells them apart where the PID is not shown.
                comm: Name::from(format!("simulated-{}", number + 1).as_str()),
                swap: Reading::Known(bytes(swapped)),
                rss: Reading::Known(bytes(resident)),
                shmem: absent(),
                major_faults: absent(),
                cgroup: absent(),
                command: absent(),
                // Each slot has one owner.
                swap_pss: Reading::Known(bytes(swapped)),
                swap_mapped: Reading::Known(bytes(swapped)),
                thread: None,
            })
        };
        ProcessTable {
            processes: (0..).zip(self.process_pages()).map(process).collect(),
            unreadable: 0,
            users: absent(),
            swap_used: Reading::Known(bytes(self.pages_in_swap())),
            swap_cached: Reading::Known(bytes(self.cached_pages())),
        }
    }
}

/// Marks the parts that the model does not have.
fn mark_missing(snapshot: &mut Snapshot, at: Option<Stamp>) {
    snapshot.access = Sampled::new(at, absent());
    snapshot.hibernation = Sampled::new(at, absent());
    snapshot.psi = Sampled::new(at, absent());
    snapshot.config = Sampled::new(at, absent());
    snapshot.interrupted = Sampled::new(at, absent());
    snapshot.cgroups = Sampled::new(at, absent());
    snapshot.sources = Sampled::new(at, absent());
    snapshot.stored_clusters = Sampled::new(at, absent());
    snapshot.mapped_clusters = Sampled::new(at, absent());
}

fn known<T>(at: Option<Stamp>, value: T) -> Sampled<T> {
    Sampled::new(at, Reading::Known(value))
}

fn swap_area(space: &SwapSpace) -> SwapArea {
    let is_file = space.setup.device.is_file();
    SwapArea {
        path: Name::from(space.setup.path.as_str()),
        deleted: false,
        kind: if is_file { AreaKind::File } else { AreaKind::Partition },
        size: bytes(space.pages()),
        used: Reading::Known(bytes(space.used())),
        priority: space.priority,
        wraps: 0,
        file: None,
    }
}

/// The name of the device of an area.
fn device_name(space: &SwapSpace) -> &str {
    space.setup.path.rsplit('/').next().unwrap_or_default()
}

/// The zram device of an area.
fn zram(space: &SwapSpace) -> Option<ZramDevice> {
    (space.setup.device == SimDevice::Zram).then(|| ZramDevice {
        name: device_name(space).to_owned(),
        initialised: Reading::Known(true),
        disksize: Reading::Known(bytes(space.setup.slots)),
        algorithm: absent(),
        recomp_algorithms: absent(),
        max_comp_streams: absent(),
        backing_dev: absent(),
        writeback_limit: absent(),
        writeback_limit_enable: absent(),
        writeback_batch_size: absent(),
        compressed_writeback: absent(),
        mm: Reading::Known(mm_stat(space.zram)),
        io: absent(),
        bd: absent(),
        debug: absent(),
        entry: absent(),
        kept: None,
    })
}

/// The statistics of a zram device. The model has no fragmentation, so that nothing is compacted.
fn mm_stat(store: ZramStore) -> MmStat {
    let in_pages = |bytes: u64| Bytes(bytes.next_multiple_of(PAGE_BYTES));
    MmStat {
        orig_data: bytes(store.pages),
        compr_data: Bytes(store.bytes),
        mem_used: in_pages(store.bytes),
        mem_limit: Bytes(0),
        mem_used_max: in_pages(store.peak),
        same_pages: Pages(store.same.into()),
        pages_compacted: Pages(0),
        huge_pages: Reading::Known(Pages(store.huge.into())),
        huge_pages_since: absent(),
    }
}

impl SwapSpace {
    /// The counters of the device. The model has no time in which it is busy.
    fn disk_stats(&self) -> DiskStats {
        let DeviceTraffic { reads, read_pages, written_pages, .. } = self.traffic;
        let sectors = |pages: u64| pages * (PAGE_BYTES / SECTOR);
        DiskStats {
            reads,
            read_sectors: sectors(read_pages),
            writes: written_pages,
            write_sectors: sectors(written_pages),
            ..DiskStats::default()
        }
    }

    /// The device of the area.
    pub fn block_device(&self) -> BlockDevice {
        let is_zram = self.setup.device == SimDevice::Zram;
        BlockDevice {
            name: device_name(self).to_owned(),
            kind: if is_zram { BlockKind::Zram } else { BlockKind::Disk },
            parent: absent(),
            disks: absent(),
            size: Reading::Known(bytes(self.setup.slots)),
            rotational: Reading::Known(self.setup.device.rotates()),
            discard_max: if self.setup.discards {
                Reading::Known(Bytes(1 << 30))
            } else {
                absent()
            },
            numa_node: self
                .setup
                .node
                .and_then(|node| i32::try_from(node).ok())
                .map_or_else(absent, Reading::Known),
            scheduler: absent(),
            model: absent(),
            backing_file: absent(),
            dm_name: absent(),
        }
    }
}

fn cluster_map(space: &SwapSpace, next: Vec<NextSlot>) -> ClusterMap {
    let clusters: Vec<Cluster> = space.cluster_states().collect();
    let lacking = u64::from(CLUSTER) * clusters.len() as u64 - u64::from(space.setup.slots);
    ClusterMap {
        view: ClusterView::Kernel,
        cluster_slots: CLUSTER,
        slots: u64::from(space.setup.slots),
        counted: Some(bytes(space.used())),
        reserved: 1 + lacking,
        clusters,
        stored: Vec::new(),
        ages: None,
        owners: absent(),
        names: BTreeMap::new(),
        next: Reading::Known(next),
        partial: None,
        cost_us: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::setup;
    use super::super::testing::{group, load, machine};
    use super::*;

    #[test]
    fn the_snapshot_agrees_with_the_machine_and_says_simulated() {
        let areas = vec![setup(SimDevice::Zram, 2048), setup(SimDevice::SolidState, 3000)];
        let mut machine = Machine::new(machine("7.2", 1000, areas));
        machine.start(&load(vec![group(2, 1200)])).unwrap();
        machine.run(|machine| machine.work.touches == 2400);
        let snapshot = machine.snapshot();
        let kernel = snapshot.kernel.reading.known().unwrap();
        assert_eq!(kernel.hostname, Reading::Known("SIMULATED test".to_owned()));
        assert_eq!(kernel.release, Reading::Known("7.2-SIMULATED".to_owned()));
        let swaps = snapshot.swaps.reading.known().unwrap();
        let used: u64 = swaps.iter().map(|area| area.used.known().unwrap().0).sum();
        // Reclaim frees batches: a few pages more than memory lacks.
        let expected = u64::from(machine.swap.used());
        assert!((1400..1432).contains(&expected));
        assert_eq!(used, expected * 4096);
        assert_eq!(swaps[0].size, Bytes(2047 * 4096));
        let maps = snapshot.kernel_clusters.reading.known().unwrap();
        for (map, area) in maps.iter().zip(swaps) {
            let map = map.known().unwrap();
            assert_eq!(map.used() * 4096, area.used.known().unwrap().0);
            assert!(map.is_whole());
        }
        assert_eq!(
            snapshot.shm.reading.known().map(|shm| shm.shmem.clone()),
            Some(Reading::Known(Bytes(0)))
        );
        assert_eq!(snapshot.counter("pswpout"), Reading::Known(expected));
        let free = snapshot.memory("SwapFree").known().copied().unwrap();
        assert_eq!(free.0, (2047 + 2999 - expected) * 4096);
        let processes = &snapshot.processes.reading.known().unwrap().processes;
        let swapped: u64 = processes.iter().map(|process| process.swap.known().unwrap().0).sum();
        assert_eq!((processes.len(), swapped), (2, expected * 4096));
        assert_eq!(snapshot.simulated.as_deref(), Some("test"));
        let zram = snapshot.zram.reading.known().unwrap();
        assert_eq!(zram.len(), 1);
        let mm = zram[0].mm.known().unwrap();
        let in_use = swaps[0].used.known().unwrap().0;
        assert_eq!((mm.orig_data.0, mm.compr_data.0), (in_use, in_use / 4096 * 1365));
        assert!(zram[0].algorithm.missing().is_some(), "absent with a reason");
        assert!(snapshot.psi.reading.missing().is_some(), "absent with a reason, and not empty");
    }

    /// Each design keeps the position of a CPU in another place.
    #[test]
    fn the_cluster_of_each_cpu_is_known_in_every_design() {
        for policy in ["5.10", "6.12", "6.18", "7.2"] {
            let mut machine =
                Machine::new(machine(policy, 1000, vec![setup(SimDevice::Zram, 8192)]));
            machine.start(&load(vec![group(1, 1700)])).unwrap();
            machine.run(|machine| machine.swap.used() >= 300);
            let snapshot = machine.snapshot();
            let map = snapshot.kernel_clusters.reading.known().unwrap()[0].known().unwrap();
            let cpus: Vec<_> = map.next.known().unwrap().iter().map(|next| next.cpu).collect();
            assert_eq!(cpus, [Some(0)], "{policy}");
        }
    }
}

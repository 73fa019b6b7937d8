//! The samples of a test machine.

use super::{MIB, TestMachine};
use crate::derive::selection::policy::testing::kernel;
use crate::model::block::{BlockDevice, DiskStats, Disks};
use crate::model::kernel::Access;
use crate::model::knob::KnobReading;
use crate::model::paging::{Counters, MthpSize, Pressure, Stall, Thp};
use crate::model::swaparea::SwapArea;
use crate::model::users::{Cgroup, CgroupTree, CgroupVersion, Limit, OOM_KILL};
use crate::model::zram::{IoStat, ZramDevice};
use crate::model::{Bytes, Missing, Part, Reading, Sampled, Shared, Snapshot, Stamp, users};
use std::collections::BTreeMap;
use std::time::Duration;

impl TestMachine {
    fn disks_at(&self, is_first: bool) -> Disks {
        let stats = |block: &BlockDevice| {
            let moved = self.io.get(block.name.as_str()).filter(|_| !is_first);
            let (read, written) = moved.copied().unwrap_or_default();
            let stats = DiskStats {
                major: 8,
                minor: 0,
                reads: read,
                read_sectors: read * 8,
                read_ms: 0,
                writes: written,
                write_sectors: written * 8,
                write_ms: 0,
                in_flight: 0,
                busy_ms: 0,
            };
            (block.name.clone(), stats)
        };
        self.blocks.iter().map(stats).collect()
    }

    fn cgroups(&self, is_first: bool) -> CgroupTree {
        let killed = self.kills[usize::from(!is_first)];
        let group = |[memory, swap, limit]: [u64; 3]| {
            let mib = |mib: u64| Bytes(mib * MIB);
            let events = Counters::new("memory.events", vec![(OOM_KILL.into(), killed)]);
            let unknown = users::testing::unknown("/a");
            let pressure = self.cgroup_stall.map(|percent| {
                let stall = Stall { avg10: percent, avg60: 0.0, avg300: 0.0, total_us: 0 };
                Reading::Known(Pressure {
                    some: Reading::Known(stall),
                    full: Reading::Known(stall),
                })
            });
            let swap_limit = self.cgroup_swap_limit.map(|(limit, hits)| {
                let hits = hits[usize::from(!is_first)];
                let events = Counters::new("memory.swap.events", vec![("max".into(), hits)]);
                (Reading::Known(Limit::Bytes(mib(limit))), Reading::Known(events))
            });
            let unlimited = (unknown.swap_max.clone(), unknown.swap_events.clone());
            let (swap_max, swap_events) = swap_limit.unwrap_or(unlimited);
            Shared::new(Cgroup {
                swap_max,
                swap_events,
                events: Reading::Known(events),
                memory_current: Reading::Known(mib(memory)),
                swap_current: Reading::Known(mib(swap)),
                memory_max: Reading::Known(Limit::Bytes(mib(limit))),
                memory_high: Reading::Known(Limit::Unlimited),
                pressure: pressure.unwrap_or_else(|| unknown.pressure.clone()),
                ..unknown
            })
        };
        let others = self.groups.iter().map(|path| Shared::new(users::testing::unknown(path)));
        let groups = self.cgroup.into_iter().map(group).chain(others).collect();
        let mount = "/sys/fs/cgroup".into();
        CgroupTree {
            version: CgroupVersion::V2,
            mount,
            groups,
            left_out: 0,
            oom_kills: Reading::not_sampled(),
        }
    }

    pub(super) fn at(&self, second: u64) -> Snapshot {
        let stamp = |second: u64| Stamp { boot_ns: (100 + second) * 1_000_000_000, wall_ms: 0 };
        let is_first = second == 1;
        let past = |ago| {
            known(
                Stamp { boot_ns: stamp(2).boot_ns - ago * 1_000_000_000, wall_ms: 0 },
                self.areas_at(ago),
            )
        };
        let ago = self.past.iter().filter(|_| is_first);
        let past = ago.map(|ago| past(*ago)).collect();
        let stamp = stamp(second);
        let mut now = Snapshot::empty(stamp);
        now.page_size = Reading::Known(4096);
        now.kernel = Sampled { at: Some(stamp), ..kernel(self.release) };
        let rights = (Reading::Known(0), Reading::Known(self.capabilities));
        let zram = Reading::Known(self.has_zram);
        now.access = known(stamp, Access { zram, ..Access::with_rights_only(rights.0, rights.1) });
        now.swaps = known(stamp, self.areas_at(2 - second));
        now.swaps_past = past;
        now.block = known(stamp, self.blocks.iter().cloned().map(Reading::Known).collect());
        now.headers = known(stamp, self.headers.clone());
        now.layouts = known(stamp, self.layouts.clone());
        now.hibernation = Sampled::new(Some(stamp), self.hibernation.clone());
        now.zram = known(stamp, self.devices_at(is_first));
        let kib = |(name, mib): (&str, u64)| (Box::from(name), mib * 1024);
        let memory = self.memory_at(&now).into_iter().map(kib).collect();
        now.meminfo = known(stamp, Counters::new("/proc/meminfo", memory));
        let value = |(name, by): (&&str, &u64)| {
            let was = self.before.get(name).copied().unwrap_or(0);
            (Box::from(*name), if is_first { was } else { was + by })
        };
        let counters = self.counters.iter().map(value).collect();
        now.vmstat = known(stamp, Counters::new("/proc/vmstat", counters));
        now.psi = known(stamp, [("memory".to_owned(), self.pressure(is_first))].into());
        let knob = |(id, value): (&&str, &String)| KnobReading {
            id: (*id).to_owned(),
            value: Reading::Known(value.clone()),
        };
        now.knobs = known(stamp, self.knobs.iter().map(knob).collect());
        now.config = known(stamp, self.config.clone());
        now.interrupted = known(stamp, self.interrupted.clone());
        now.numa = known(stamp, self.nodes.clone());
        now.thp = known(stamp, self.thp_at(is_first));
        now.cgroups = known(stamp, self.cgroups(is_first));
        now.diskstats = known(stamp, self.disks_at(is_first));
        let loses = |part| self.lost.contains(&part);
        now.cgroups = if loses(Part::Cgroups) { lost(stamp) } else { now.cgroups };
        now.meminfo = if loses(Part::Meminfo) { lost(stamp) } else { now.meminfo };
        now.psi = if loses(Part::Psi) { lost(stamp) } else { now.psi };
        now.vmstat = if loses(Part::Vmstat) { lost(stamp) } else { now.vmstat };
        now
    }

    /// Returns the fields of /proc/meminfo; the swap fields follow from the areas.
    fn memory_at(&self, now: &Snapshot) -> BTreeMap<&'static str, u64> {
        let areas = now.areas().iter();
        let free = |area: &SwapArea| area.used.known().map(|used| area.size.saturating_sub(*used));
        let size: Bytes = areas.clone().map(|area| area.size).sum();
        let free: Bytes = areas.filter_map(free).sum();
        let mut memory = [("SwapTotal", size.0 / MIB), ("SwapFree", free.0 / MIB)].into();
        BTreeMap::append(&mut memory, &mut self.memory.clone());
        memory
    }

    /// The areas this many seconds before the second sample.
    fn areas_at(&self, ago: u64) -> Vec<SwapArea> {
        let mut areas = self.areas.clone();
        for area in &mut areas {
            let grown = self.grown.get(&area.path.safe()).copied().unwrap_or(0) * MIB * ago;
            area.used = area.used.clone().map(|used| used.saturating_sub(Bytes(grown)));
        }
        areas
    }

    fn devices_at(&self, is_first: bool) -> Vec<ZramDevice> {
        let mut devices = self.devices.clone();
        let failed_writes = if is_first { 0 } else { self.failed_writes };
        for device in &mut devices {
            let io = IoStat { failed_reads: 0, failed_writes, invalid_io: 0, notify_free: 0 };
            device.io = if self.lost_io {
                Missing::Denied("io_stat".into()).into()
            } else {
                Reading::Known(io)
            };
        }
        devices
    }

    fn pressure(&self, is_first: bool) -> Reading<Pressure> {
        let stall = |avg10: f64| {
            let share = if is_first { 0.0 } else { avg10 / 100.0 * self.stall_growth };
            let total_us = Duration::from_secs_f64(share).as_micros();
            let total_us = u64::try_from(total_us).expect("a share of one second");
            Reading::Known(Stall { avg10, avg60: 0.0, avg300: 0.0, total_us })
        };
        Reading::Known(Pressure { some: stall(self.stalls.0), full: stall(self.stalls.1) })
    }

    fn thp_at(&self, is_first: bool) -> Thp {
        let none = || Reading::absent("not needed here");
        let size = |[(whole, split), was]: [(u64, u64); 2]| {
            let count = |count, was| if is_first { was } else { was + count };
            let stats = vec![
                ("swpout".into(), count(whole, was.0)),
                ("swpout_fallback".into(), count(split, was.1)),
                ("zswpout".into(), 0),
            ];
            let stats = Reading::Known(Counters::new("stats", stats));
            MthpSize {
                size: Bytes(65536),
                enabled: none(),
                shmem_enabled: none(),
                stats: if self.lost_folios { Reading::failed("broken") } else { stats },
            }
        };
        let sizes = Reading::Known(self.folios.map(size).into_iter().collect());
        let pmd_size = Reading::absent("not needed here");
        Thp { enabled: none(), defrag: none(), shmem_enabled: none(), pmd_size, sizes }
    }
}

fn known<T>(stamp: Stamp, value: T) -> Sampled<T> {
    Sampled::new(Some(stamp), Reading::Known(value))
}

fn lost<T>(stamp: Stamp) -> Sampled<T> {
    Sampled::new(Some(stamp), Reading::absent("the file does not exist"))
}

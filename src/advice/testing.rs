//! Machines for the scenarios of rules: healthy by default.

mod findings;
mod samples;

pub(super) use findings::advice_without_data;

use crate::derive::selection::testing::node;
use crate::derive::speed::testing as device;
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea};
use crate::model::kernel::{Hibernation, NumaNode};
use crate::model::knob::KNOBS;
use crate::model::swaparea::InterruptedPlan;
use crate::model::swaparea::{AreaHeader, AreaKind, FileLayout, SwapArea, testing as area};
use crate::model::zram::testing::mm_stat;
use crate::model::zram::{ZramDevice, testing as zram};
use crate::model::{Bytes, Name, Part, Reading};
use std::collections::BTreeMap;

/// A machine with two samples, one second apart.
pub(super) struct TestMachine {
    release: &'static str,
    areas: Vec<SwapArea>,
    /// Growth of each area in MiB per second.
    grown: BTreeMap<String, u64>,
    pub(super) blocks: Vec<BlockDevice>,
    /// Headers of the areas, in the same order.
    pub(super) headers: Vec<Reading<AreaHeader>>,
    /// Layouts of the swap files, in the same order.
    pub(super) layouts: Vec<Reading<FileLayout>>,
    pub(super) hibernation: Reading<Hibernation>,
    /// zram devices, public so that tests can change one.
    pub(super) devices: Vec<ZramDevice>,
    knobs: BTreeMap<&'static str, String>,
    memory: BTreeMap<&'static str, u64>,
    /// Growth of counters between the two samples.
    counters: BTreeMap<&'static str, u64>,
    failed_writes: u64,
    stalls: (f64, f64),
    /// Stalls between the samples as a part of those in the last 10 seconds.
    stall_growth: f64,
    /// When there were samples of the areas before, in seconds before the second sample.
    past: Vec<u64>,
    config: Vec<ConfigEntry>,
    pub(super) nodes: Vec<NumaNode>,
    /// Folios swapped whole and split: between the two samples, and before.
    folios: Option<[(u64, u64); 2]>,
    /// The folio counters cannot be read.
    pub(super) lost_folios: bool,
    /// Counters at the first sample.
    before: BTreeMap<&'static str, u64>,
    /// `io_stat` of zram cannot be read.
    pub(super) lost_io: bool,
    /// Whether the zram module is loaded.
    pub(super) has_zram: bool,
    /// Effective capabilities.
    pub(super) capabilities: u64,
    /// A cgroup: its memory, swap and memory limit in MiB.
    cgroup: Option<[u64; 3]>,
    /// Swap limit of that cgroup in MiB, and how often it was hit at the two samples.
    cgroup_swap_limit: Option<(u64, [u64; 2])>,
    /// PSI some of that cgroup over 10 seconds, in percent, if it has PSI.
    cgroup_stall: Option<f64>,
    /// OOM kills of that cgroup at the two samples.
    kills: [u64; 2],
    /// Pages read from and written to devices between the two samples.
    io: BTreeMap<&'static str, (u64, u64)>,
    /// Interrupted changes.
    pub(super) interrupted: Vec<InterruptedPlan>,
    /// Paths of cgroups without figures.
    pub(super) groups: Vec<&'static str>,
    /// Parts whose files do not exist.
    lost: Vec<Part>,
}

const MIB: u64 = 1 << 20;
const COUNTERS: [&str; 8] = [
    "oom_kill",
    "pswpin",
    "pswpout",
    "swap_ra",
    "swap_ra_hit",
    "workingset_refault_anon",
    "workingset_refault_file",
    "workingset_restore_file",
];

impl Default for TestMachine {
    fn default() -> Self {
        let default = |knob: &crate::model::knob::Knob| Some((knob.id, knob.default?.to_owned()));
        let mut knobs: BTreeMap<_, _> = KNOBS.iter().filter_map(default).collect();
        knobs.insert("zswap.enabled", "N".to_owned());
        Self {
            release: "6.12.1",
            areas: vec![],
            grown: BTreeMap::new(),
            blocks: vec![],
            headers: vec![],
            layouts: vec![],
            hibernation: Reading::absent("this kernel has no hibernation"),
            devices: vec![],
            knobs,
            memory: [("MemTotal", 4096), ("MemAvailable", 3000)].into(),
            counters: COUNTERS.map(|name| (name, 0)).into(),
            failed_writes: 0,
            stalls: (0.0, 0.0),
            stall_growth: 1.0,
            past: vec![11, 8, 5],
            config: vec![],
            nodes: vec![],
            folios: None,
            lost_folios: false,
            before: BTreeMap::new(),
            lost_io: false,
            has_zram: true,
            capabilities: u64::MAX,
            cgroup: None,
            cgroup_swap_limit: None,
            cgroup_stall: None,
            kills: [0, 0],
            io: BTreeMap::new(),
            interrupted: vec![],
            groups: vec![],
            lost: vec![],
        }
    }
}

impl TestMachine {
    /// Adds an area on zram of this size and use in MiB, with a compression ratio of three.
    pub(super) fn zram(mut self, name: &str, priority: i32, of: (u64, u64)) -> Self {
        let mm = mm_stat(of.1 * MIB, of.1 * MIB / 3);
        let backing_dev = Reading::absent("no backing device is set");
        let bd = Reading::absent("no writeback");
        self.devices.push(ZramDevice { backing_dev, bd, ..zram::device(name, mm) });
        self.area(device::device(name, BlockKind::Zram, false), priority, of)
    }

    /// Adds an area on a solid-state disk.
    pub(super) fn disk(self, name: &str, priority: i32, of: (u64, u64)) -> Self {
        self.area(device::device(name, BlockKind::Disk, false), priority, of)
    }

    /// Adds an area on a rotating disk.
    pub(super) fn rotating(self, name: &str, priority: i32, of: (u64, u64)) -> Self {
        self.area(device::device(name, BlockKind::Disk, true), priority, of)
    }

    /// Deletes the file or node of an area.
    pub(super) fn deleted(mut self, path: &str) -> Self {
        for area in self.areas.iter_mut().filter(|area| area.path == path.into()) {
            area.deleted = true;
        }
        self
    }

    /// Adds a swap file on a solid-state disk.
    pub(super) fn file(self, path: &str, priority: i32, of: (u64, u64)) -> Self {
        let mut machine = self.disk("sda", priority, of);
        if let Some(area) = machine.areas.last_mut() {
            (area.path, area.kind) = (path.into(), AreaKind::File);
        }
        machine
    }

    fn area(mut self, mut block: BlockDevice, priority: i32, (size, used): (u64, u64)) -> Self {
        let path = format!("/dev/{}", block.name);
        block.discard_max = Reading::Known(Bytes(0));
        self.areas.push(area::area(&path, priority, size * MIB, used * MIB));
        self.headers.push(Reading::Known(AreaHeader {
            label: Reading::absent("none"),
            uuid: Reading::Known(format!("uuid-of-{}", block.name)),
            page_size: Reading::Known(4096),
        }));
        self.layouts.push(Reading::absent("only a file has extents"));
        self.blocks.push(block);
        self
    }

    /// Puts the last area on this NUMA node, of two.
    pub(super) fn on_node(mut self, number: i32) -> Self {
        self.nodes = vec![node(0), node(1)];
        if let Some(block) = self.blocks.last_mut() {
            block.numa_node = Reading::Known(number);
        }
        self
    }

    /// Sets the kernel release.
    pub(super) fn on(self, release: &'static str) -> Self {
        Self { release, ..self }
    }

    /// Sets a knob.
    pub(super) fn knob(mut self, id: &'static str, value: &str) -> Self {
        self.knobs.insert(id, value.to_owned());
        self
    }

    /// Sets a field of /proc/meminfo, in MiB.
    pub(super) fn memory(mut self, field: &'static str, mib: u64) -> Self {
        self.memory.insert(field, mib);
        self
    }

    /// Sets the growth of a counter between the two samples.
    pub(super) fn counted(mut self, name: &'static str, by: u64) -> Self {
        self.counters.insert(name, by);
        self
    }

    /// Sets the growth of an area, in MiB per second.
    pub(super) fn grown(mut self, path: &str, mib: u64) -> Self {
        self.grown.insert(path.to_owned(), mib);
        self
    }

    /// Makes the used space of an area unknown.
    pub(super) fn wrapped(mut self, path: &str) -> Self {
        let own = self.areas.iter_mut().filter(|area| area.path == path.into());
        own.for_each(|area| area.used = Reading::failed("wrapped"));
        self
    }

    /// Leaves two samples alone, without those before them.
    pub(super) fn without_past(self) -> Self {
        Self { past: Vec::new(), ..self }
    }

    /// Sets PSI some and full of memory, in percent.
    pub(super) fn stalls(self, some: f64, full: f64) -> Self {
        Self { stalls: (some, full), ..self }
    }

    /// Ends the stalls before the first sample.
    pub(super) fn calm_now(self) -> Self {
        Self { stall_growth: 0.0, ..self }
    }

    /// Sets the number of writes to zram that failed between the two samples.
    pub(super) fn failed_writes(self, failed_writes: u64) -> Self {
        Self { failed_writes, ..self }
    }

    /// Sets how many folios of 64 KiB were swapped whole and split between the samples.
    pub(super) fn folios(self, whole: u64, split: u64) -> Self {
        Self { folios: Some([(whole, split), (0, 0)]), ..self }
    }

    /// Sets how many folios were swapped whole before the first sample.
    pub(super) fn folios_long_ago(self, whole: u64) -> Self {
        Self { folios: Some([(0, 0), (whole, 0)]), ..self }
    }

    /// Sets how many folios were split before the first sample.
    pub(super) fn folios_split_long_ago(self, split: u64) -> Self {
        Self { folios: Some([(0, 0), (0, split)]), ..self }
    }

    /// Sets a counter at the first sample.
    pub(super) fn long_ago(mut self, name: &'static str, was: u64) -> Self {
        self.before.insert(name, was);
        self
    }

    /// Adds a cgroup with this memory, swap and memory limit in MiB.
    pub(super) fn with_cgroup(mut self, memory: u64, swap: u64, limit: u64) -> Self {
        self.cgroup = Some([memory, swap, limit]);
        self
    }

    /// Sets the swap limit of the cgroup in MiB, and how often it was hit at the two samples.
    pub(super) fn with_swap_limit(self, limit: u64, hits: [u64; 2]) -> Self {
        Self { cgroup_swap_limit: Some((limit, hits)), ..self }
    }

    /// Sets PSI some of the cgroup over 10 seconds, in percent.
    pub(super) fn cgroup_stalls(self, percent: f64) -> Self {
        Self { cgroup_stall: Some(percent), ..self }
    }

    /// Sets the OOM kills of the cgroup: before the first sample, and between the samples.
    pub(super) fn killed(self, long_ago: u64, now: u64) -> Self {
        Self { kills: [long_ago, long_ago + now], ..self }
    }

    /// Sets the pages read from and written to a device between the samples.
    pub(super) fn moved(mut self, device: &'static str, pages: (u64, u64)) -> Self {
        self.io.insert(device, pages);
        self
    }

    /// Removes the files of a part.
    pub(super) fn without(mut self, part: Part) -> Self {
        self.lost.push(part);
        self
    }

    /// Adds an entry of fstab.
    pub(super) fn fstab(mut self, what: &str, priority: Option<i32>, options: &[&str]) -> Self {
        let priority = priority.map_or(Reading::absent("no priority is set"), Reading::Known);
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        let area = ConfiguredArea { what: what.into(), priority, options };
        let line = u32::try_from(self.config.len() + 1).expect("a test has few lines");
        self.config.push(ConfigEntry {
            file: Name::from("/etc/fstab"),
            line,
            kind: ConfigKind::Fstab,
            area: Reading::Known(area),
            leads_to: Reading::absent("the device does not exist"),
            no_effect: None,
            from_command_line: false,
        });
        self
    }

    /// Adds an entry of fstab that names a link to this device.
    pub(super) fn linked(self, what: &str, to: &str, priority: Option<i32>) -> Self {
        let mut machine = self.fstab(what, priority, &[]);
        if let Some(entry) = machine.config.last_mut() {
            entry.leads_to = Reading::Known(to.into());
        }
        machine
    }
}

//! Machines for the scenarios of rules: healthy by default.

use super::{AdviceReport, EvidenceCell, Finding, find_rule};
use crate::actions::rebalance::{Strategy, rebalance};
use crate::cli::args::{Cli, Command, RebalanceArgs, StrategyName};
use crate::columns::tables::findings::FigureSource;
use crate::derive::selection::policy::testing::kernel;
use crate::derive::selection::testing::node;
use crate::derive::speed::testing as device;
use crate::derive::view::SampleView;
use crate::model::activation::Discard;
use crate::model::block::{BlockDevice, BlockKind, DiskStats, Disks};
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea};
use crate::model::interrupted::InterruptedPlan;
use crate::model::kernel::{Access, Hibernation, NumaNode};
use crate::model::knob::{KNOBS, KnobReading};
use crate::model::paging::{Counters, MthpSize, Pressure, Stall, Thp};
use crate::model::swaparea::{AreaHeader, AreaKind, FileLayout, SwapArea, testing as area};
use crate::model::users::{Cgroup, CgroupTree, CgroupVersion, Limit, OOM_KILL};
use crate::model::zram::testing::mm_stat;
use crate::model::zram::{IoStat, ZramDevice, testing as zram};
use crate::model::{
    Bytes, Missing, Name, Part, Policy, Reading, Sampled, Shared, Snapshot, Stamp, users,
};
use clap::Parser as _;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

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
    config: Vec<ConfigEntry>,
    nodes: Vec<NumaNode>,
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
    /// PSI some of that cgroup over 10 seconds, in percent, if it has PSI.
    cgroup_stall: Option<f64>,
    /// OOM kills of that cgroup at the two samples.
    kills: [u64; 2],
    /// Pages read from and written to devices between the two samples.
    io: BTreeMap<&'static str, (u64, u64)>,
    /// Interrupted changes.
    pub(super) interrupted: Vec<InterruptedPlan>,
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
            config: vec![],
            nodes: vec![],
            folios: None,
            lost_folios: false,
            before: BTreeMap::new(),
            lost_io: false,
            has_zram: true,
            capabilities: u64::MAX,
            cgroup: None,
            cgroup_stall: None,
            kills: [0, 0],
            io: BTreeMap::new(),
            interrupted: vec![],
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
            Shared::new(Cgroup {
                events: Reading::Known(events),
                memory_current: Reading::Known(mib(memory)),
                swap_current: Reading::Known(mib(swap)),
                memory_max: Reading::Known(Limit::Bytes(mib(limit))),
                memory_high: Reading::Known(Limit::Unlimited),
                pressure: pressure.unwrap_or_else(|| unknown.pressure.clone()),
                ..unknown
            })
        };
        let groups = self.cgroup.into_iter().map(group).collect();
        let mount = "/sys/fs/cgroup".into();
        CgroupTree { version: CgroupVersion::V2, mount, groups, left_out: 0 }
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

    fn at(&self, second: u64) -> Snapshot {
        let stamp = |second: u64| Stamp { boot_ns: (100 + second) * 1_000_000_000, wall_ms: 0 };
        let is_first = second == 1;
        let past = |ago| {
            known(
                Stamp { boot_ns: stamp(2).boot_ns - ago * 1_000_000_000, wall_ms: 0 },
                self.areas_at(ago),
            )
        };
        let past = if is_first { [11, 8, 5].map(past).into() } else { vec![] };
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
        let areas = now.swaps.reading.known().map_or(&[][..], Vec::as_slice).iter();
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

    /// Returns all findings with the default thresholds.
    pub(super) fn advice(&self) -> AdviceReport {
        self.advice_by(&Policy::DEFAULT)
    }

    /// Returns the findings when the second sample is this many seconds after the first.
    pub(super) fn advice_after(&self, seconds: f64) -> AdviceReport {
        let (before, mut now) = (self.at(1), self.at(2));
        let passed = Duration::from_secs_f64(seconds).as_nanos();
        let passed = u64::try_from(passed).expect("a test is short");
        now.stamp.boot_ns = before.stamp.boot_ns + passed;
        AdviceReport::from_view(&SampleView { now: &now, before: Some(&before) }, &Policy::DEFAULT)
    }

    /// Returns the findings with these thresholds.
    pub(super) fn advice_by(&self, policy: &Policy) -> AdviceReport {
        let (before, now) = (self.at(1), self.at(2));
        let view = SampleView { now: &now, before: Some(&before) };
        let advice = AdviceReport::from_view(&view, policy);
        for finding in &advice.findings {
            assert_evidence(&view, finding);
        }
        let names: BTreeSet<String> = advice.findings.iter().map(Finding::name).collect();
        assert_eq!(names.len(), advice.findings.len(), "{names:?}");
        advice
    }

    /// Returns severity, name and fix of each finding of a rule.
    pub(super) fn findings_of(&self, rule: &str) -> Vec<(&'static str, String, Option<String>)> {
        assert!(find_rule(rule).is_some(), "{rule}");
        let advice = self.advice();
        assert!(!advice.unjudged.iter().any(|(id, _)| *id == rule), "{advice:?}");
        let found = advice.findings.into_iter().filter(|finding| finding.rule == rule);
        found.map(|it| (it.severity.word(), it.name(), it.fix)).collect()
    }

    /// Returns the explanation of the first finding of a rule.
    pub(super) fn sentence(&self, rule: &str) -> String {
        let mut findings = self.advice().findings.into_iter();
        findings.find(|finding| finding.rule == rule).map(|it| it.sentence).unwrap_or_default()
    }

    /// Returns the state of a rule in the table `rules`.
    pub(super) fn state(&self, rule: &str) -> String {
        let (before, now) = (self.at(1), self.at(2));
        let evidence = EvidenceCell::for_row("rules", rule, "state");
        let view = SampleView { now: &now, before: Some(&before) };
        let figure = FigureSource::new(view).figure(&evidence);
        figure.map_or_else(String::new, |figure| figure.value.plain())
    }

    /// Returns the severities of the findings of a rule.
    pub(super) fn severities(&self, rule: &str) -> Vec<&'static str> {
        self.findings_of(rule).into_iter().map(|(severity, ..)| severity).collect()
    }

    /// Returns the values of the evidence of a rule.
    pub(super) fn evidence_values(&self, rule: &str) -> Vec<String> {
        let (before, now) = (self.at(1), self.at(2));
        let view = SampleView { now: &now, before: Some(&before) };
        let found = AdviceReport::from_view(&view, &Policy::DEFAULT).findings.into_iter();
        let evidence = found.filter(|it| it.rule == rule).flat_map(|it| it.evidence);
        let source = FigureSource::new(view);
        evidence
            .filter_map(|evidence| source.figure(&evidence))
            .map(|figure| figure.value.plain())
            .collect()
    }

    /// Returns whether the rule has findings, but none with a fix.
    pub(super) fn has_no_command(&self, rule: &str) -> bool {
        !self.severities(rule).is_empty() && self.fixes(rule).is_empty()
    }

    /// Returns the fixes of the findings of a rule.
    pub(super) fn fixes(&self, rule: &str) -> Vec<String> {
        self.findings_of(rule).into_iter().filter_map(|(.., fix)| fix).collect()
    }
}

/// Checks that the evidence of a finding is known and that its fix is a valid command that changes
/// something.
fn assert_evidence(view: &SampleView<'_>, finding: &Finding) {
    let name = finding.name();
    let source = FigureSource::new(*view);
    for evidence in &finding.evidence {
        let figure = source.figure(evidence).map(|figure| figure.value);
        assert!(figure.is_some_and(|value| value.missing().is_none()), "{name}: {evidence:?}");
    }
    if let Some(fix) = &finding.fix {
        let cli = Cli::try_parse_from(fix.split(' '));
        assert!(cli.is_ok(), "{name}: {fix}");
        if let Ok(Cli { command: Some(Command::Rebalance(args)), .. }) = cli {
            let strategy = strategy(&args);
            let plan = rebalance(&strategy, view.now, &[], |_| Discard::None).unwrap();
            assert!(plan.is_wrong(), "{name}: {fix} would change nothing");
        }
    }
}

/// Returns the strategy of a `swapadm rebalance` command.
fn strategy(args: &RebalanceArgs) -> Strategy {
    let skew = args.skew.as_deref().map(|percent| percent.parse::<f64>().unwrap() / 100.0);
    match args.strategy {
        StrategyName::Spread => Strategy::Spread(skew.unwrap_or(Policy::DEFAULT.imbalance_warn)),
        StrategyName::Tiered => Strategy::Tiered,
        StrategyName::Equal => Strategy::Equal,
        StrategyName::Numa => Strategy::Numa,
        StrategyName::Custom => panic!("advice has no file"),
    }
}

/// Returns the advice for a machine without any readable file.
pub(super) fn advice_without_data() -> AdviceReport {
    let snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    AdviceReport::from_view(&SampleView::single(&snapshot), &Policy::DEFAULT)
}

fn known<T>(stamp: Stamp, value: T) -> Sampled<T> {
    Sampled::new(Some(stamp), Reading::Known(value))
}

fn lost<T>(stamp: Stamp) -> Sampled<T> {
    Sampled::new(Some(stamp), Reading::absent("the file does not exist"))
}

//! Tests of zram devices and orders under kernel failures.

use crate::actions::journal::{self, Journal, JournalStore, PlanEnd};
use crate::actions::limits::ChangeLimits;
use crate::actions::messages::describe_outcome;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::{self, Plan};
use crate::actions::run::{ChangeOutcome, Progress, Runner};
use crate::actions::{MachineView, Step};
use crate::clock::Clock;
use crate::model::activation::{Activation, Discard};
use crate::model::block::BlockDevice;
use crate::model::format::SwapFileSpec;
use crate::model::swaparea::SwapArea;
use crate::model::zram::ZramSettings;
use crate::model::{Bytes, Name, Part, Reading, Snapshot, Stamp};
use crate::sys::{
    CreateFileError, HelperReport, HelperTask, Rewrite, RunningHelper, Sys, WriteError,
};
use nix::errno::Errno;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

/// A fake kernel with zram devices.
#[derive(Default)]
struct FakeZram {
    disks: RefCell<BTreeMap<u64, ZramSettings>>,
    /// Number of writes.
    writes: Cell<usize>,
    /// Writes that fail, with their errors.
    fails: Vec<(usize, Errno)>,
    /// Somebody else creates a device just before.
    raced: bool,
    /// The node is missing.
    blind: bool,
    /// Report of an order, and the number of polls before it.
    order: Option<(HelperReport, usize)>,
    settings: RefCell<BTreeMap<Name, String>>,
}

impl FakeZram {
    fn with(disk: Option<&ZramSettings>) -> Self {
        let disks =
            disk.map(|disk| (1, disk.clone())).into_iter().chain([(0, ZramSettings::default())]);
        Self { disks: RefCell::new(disks.collect()), ..Self::default() }
    }

    fn shown(&self) -> Option<ZramSettings> {
        self.disks.borrow().get(&1).cloned()
    }

    fn hot_add(&self) -> u64 {
        let mut disks = self.disks.borrow_mut();
        let number = (0..9).find(|number| !disks.contains_key(number)).unwrap();
        disks.insert(
            number,
            ZramSettings { algorithm: Some("lzo".into()), ..ZramSettings::default() },
        );
        number
    }
}

impl MachineView for FakeZram {
    fn areas(&self) -> Reading<Vec<SwapArea>> {
        Reading::Known(Vec::new())
    }
    fn discard(&self, _: &SwapArea) -> Reading<Discard> {
        Reading::absent("nobody asks")
    }

    fn parts(&self, _parts: &[Part]) -> Snapshot {
        Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 })
    }

    fn device(&self, _area: &SwapArea) -> Reading<BlockDevice> {
        Reading::not_sampled()
    }

    fn failed_reads(&self, _path: &Name) -> u64 {
        0
    }

    fn setting(&self, file: &Name) -> Reading<String> {
        let found = self.settings.borrow().get(file).cloned();
        found.map_or_else(|| Reading::absent("no such"), Reading::Known)
    }
    fn disk(&self, number: u64) -> Reading<Option<ZramSettings>> {
        Reading::Known(self.disks.borrow().get(&number).cloned())
    }
    fn has_node(&self, number: u64) -> bool {
        !self.blind && self.disks.borrow().contains_key(&number)
    }
    fn text(&self, _file: &Name) -> Reading<Option<String>> {
        Reading::Known(None)
    }
    fn content(&self, _path: &Name, _at: u64, _length: usize) -> Reading<Vec<u8>> {
        Reading::absent("nothing")
    }
}

impl Sys for FakeZram {
    fn swap_on(&self, _area: &Activation) -> Result<(), Errno> {
        Err(Errno::ENOSYS)
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        let write = self.writes.replace(self.writes.get() + 1);
        if let Some((_, error)) = self.fails.iter().find(|(which, _)| *which == write) {
            return Err(*error);
        }
        if let Some(setting) = self.settings.borrow_mut().get_mut(file) {
            text.clone_into(setting);
            return Ok(());
        }
        let file = file.safe();
        let mut disks = self.disks.borrow_mut();
        if file == super::REMOVE {
            return disks.remove(&text.parse().unwrap()).map(drop).ok_or(Errno::ENODEV);
        }
        let (number, file) = file.strip_prefix("/sys/block/zram").unwrap().split_once('/').unwrap();
        let disk = disks.get_mut(&number.parse().unwrap()).unwrap();
        let set_up = disk.size > Bytes(0);
        match file {
            "reset" => {
                *disk = ZramSettings { algorithm: Some("lzo".into()), ..ZramSettings::default() }
            }
            "mem_limit" => disk.limit = Bytes(text.parse().unwrap()),
            _ if set_up => return Err(Errno::EBUSY),
            "comp_algorithm" => disk.algorithm = Some(text.to_owned()),
            "backing_dev" => disk.backing = Some(text.into()),
            "disksize" => disk.size = Bytes(text.parse().unwrap()),
            "recomp_algorithm" => {
                assert_eq!(text, "algo=zstd priority=2");
                disk.recompression = vec![(2, "zstd".to_owned())];
            }
            other => panic!("{other}"),
        }
        Ok(())
    }

    fn read_claim(&self, file: &Name) -> Result<String, Errno> {
        assert_eq!(file.safe(), super::ADD);
        if self.raced {
            self.hot_add();
        }
        Ok(self.hot_add().to_string())
    }

    fn save(&self, _: &Name, _: Option<&str>, _: Option<&str>) -> Result<(), WriteError> {
        Err(Errno::ENOSYS.into())
    }

    fn rewrite(&self, _: &Rewrite<'_>) -> Result<(), WriteError> {
        Err(Errno::ENOSYS.into())
    }

    fn make_file(
        &self,
        _: &Name,
        _: (Option<&SwapFileSpec>, &SwapFileSpec),
        _: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError> {
        Err(Errno::ENOSYS.into())
    }

    fn remove_file(&self, _: &Name, _: &SwapFileSpec) -> Result<(), WriteError> {
        Err(Errno::ENOSYS.into())
    }

    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>> {
        let is_limit = work.path().base() == Name::from("writeback_limit");
        let (report, waits) = if is_limit { (HelperReport::Done, 1) } else { self.order.unwrap() };
        Ok(Box::new(FixedReport { report, waits }))
    }
}

struct FixedReport {
    report: HelperReport,
    waits: usize,
}

impl RunningHelper for FixedReport {
    fn wait(&mut self, _time: Duration) -> Option<HelperReport> {
        self.waits = self.waits.checked_sub(1)?;
        (self.waits == 0).then_some(self.report)
    }
    /// As on a kernel that cannot interrupt the order.
    fn stop(&mut self) {}
}

/// Advances time at each event, and stops after a number of events.
struct Patience<'a>(usize, &'a Clock);

impl Monitor<Progress> for Patience<'_> {
    fn event(&mut self, _progress: Progress) -> ControlFlow<StopReason> {
        self.1.sleep(Duration::from_secs(3));
        self.0 = self.0.wrapping_sub(1);
        if self.0 == 0 { ControlFlow::Break(StopReason::Asked) } else { ControlFlow::Continue(()) }
    }
}

fn run(kernel: &FakeZram, step: Step, patience: usize) -> (ChangeOutcome, Vec<journal::Record>) {
    run_steps(kernel, vec![step], patience)
}

fn run_steps(
    kernel: &FakeZram,
    steps: Vec<Step>,
    patience: usize,
) -> (ChangeOutcome, Vec<journal::Record>) {
    let dir = tempfile::tempdir().unwrap();
    let path = JournalStore::File(dir.path().join("journal"));
    let clock = Clock::at(Stamp { boot_ns: 0, wall_ms: 0 });
    let mut runner = Runner {
        sys: kernel,
        look: kernel,
        journal: &mut Journal::open(&path, "boot").unwrap(),
        clock: &clock,
        limits: ChangeLimits::default(),
        begun: clock.monotonic(),
        monitor: &mut Patience(patience, &clock),
    };
    let plan = Plan { steps, ..Plan::without_steps(String::new()) };
    let outcome = runner.run(&plan, None);
    (outcome, journal::read_unchecked(&path).unwrap())
}

/// Setups of all kinds, and none.
fn set_ups() -> Vec<Option<ZramSettings>> {
    let bare = ZramSettings { algorithm: Some("lz4".into()), ..ZramSettings::default() };
    let small = ZramSettings { size: Bytes(1 << 20), limit: Bytes(1 << 19), ..bare.clone() };
    let unlimited = ZramSettings { limit: Bytes(0), ..small.clone() };
    let large = ZramSettings {
        size: Bytes(1 << 30),
        algorithm: Some("zstd".into()),
        recompression: vec![(2, "zstd".to_owned())],
        limit: Bytes(0),
        backing: Some("/dev/x\ty".into()),
    };
    vec![None, Some(bare), Some(small), Some(unlimited), Some(large)]
}

/// Each setup with each other one.
fn pairs() -> impl Iterator<Item = (Option<ZramSettings>, Option<ZramSettings>)> {
    let pair = |from: Option<ZramSettings>| set_ups().into_iter().map(move |to| (from.clone(), to));
    set_ups().into_iter().flat_map(pair).filter(|(from, to)| from != to)
}

#[test]
fn device_is_set_up_or_unchanged_whichever_write_fails() {
    let (mut done, mut undone) = (0, 0);
    for (from, to) in pairs() {
        for fails in 0..8 {
            let kernel =
                FakeZram { fails: vec![(fails, Errno::EINVAL)], ..FakeZram::with(from.as_ref()) };
            let (outcome, _) = run(&kernel, Step::zram(1, from.clone(), to.clone()), 0);
            let expected = match outcome.end {
                PlanEnd::Done => &to,
                PlanEnd::Undone => &from,
                end @ (PlanEnd::Partial
                | PlanEnd::Recovered
                | PlanEnd::Restored
                | PlanEnd::Dismissed) => {
                    panic!("{end:?}: {from:?} {to:?}: {outcome:?}")
                }
            };
            assert_eq!(&kernel.shown(), expected, "{fails}: {outcome:?}");
            *(if outcome.end == PlanEnd::Done { &mut done } else { &mut undone }) += 1;
        }
    }
    assert!(done > 50 && undone > 30, "{done} {undone}");
}

#[test]
fn failed_rollback_is_reported_and_recoverable() {
    let [_, _, Some(small), _, Some(large)] = &set_ups()[..] else { panic!() };
    // The size is refused, and so is the first write of the rollback.
    let kernel = FakeZram {
        fails: vec![(4, Errno::ENOMEM), (5, Errno::ENOMEM)],
        ..FakeZram::with(Some(small))
    };
    let step = Step::zram(1, Some(small.clone()), Some(large.clone()));
    let (outcome, records) = run(&kernel, step, 0);
    assert_eq!(outcome.end, PlanEnd::Partial);
    assert!(outcome.why.unwrap().contains("zram1 IS NOT RESTORED"));
    let plan = plan::plan_recovery(&records, &kernel, "boot").unwrap().plan;
    let [step] = &plan.steps[..] else { panic!("{plan:?}") };
    let kernel = FakeZram::with(kernel.shown().as_ref());
    let (outcome, _) = run(&kernel, step.clone(), 0);
    assert_eq!((outcome.end, kernel.shown().as_ref()), (PlanEnd::Done, Some(small)), "{outcome:?}");
}

#[test]
fn device_changed_by_others_is_left_alone() {
    let to = set_ups().remove(2);
    let kernel = FakeZram { raced: true, ..FakeZram::with(None) };
    let (outcome, _) = run(&kernel, Step::zram(1, None, to.clone()), 0);
    assert!(outcome.why.unwrap().contains("created zram2 instead of zram1"));
    assert_eq!(outcome.end, PlanEnd::Undone, "nothing of it is left to repair");
    let numbers: Vec<u64> = kernel.disks.borrow().keys().copied().collect();
    assert_eq!(numbers, [0, 1], "what the other made is there, and ours is gone");
    let kernel = FakeZram { blind: true, ..FakeZram::with(None) };
    let (outcome, _) = run(&kernel, Step::zram(1, None, to), 0);
    assert!(outcome.why.unwrap().contains("/dev/zram1 does not appear"));
    assert_eq!((outcome.end, kernel.shown()), (PlanEnd::Undone, None));
}

#[test]
fn set_up_waits_for_udev_and_names_openers() {
    let small = set_ups().remove(2);
    let busy = |times| {
        let fails = (0..times).map(|write| (write, Errno::EBUSY)).collect();
        let kernel = FakeZram { fails, ..FakeZram::with(small.as_ref()) };
        let (outcome, _) = run(&kernel, Step::zram(1, small.clone(), None), 0);
        (outcome, kernel.shown())
    };
    assert_eq!(busy(5).1, None);
    let (outcome, shown) = busy(1000);
    assert_eq!((outcome.end, shown), (PlanEnd::Undone, small.clone()));
    assert!(outcome.why.unwrap().contains("/dev/zram1 is open in a process"));
}

/// End and reason of an order with this report after this many polls.
fn run_order(report: HelperReport, waits: usize, patience: usize) -> (PlanEnd, String) {
    let step = Step::Order { what: "x".into(), file: "/sys/idle".into(), word: "9".into() };
    let kernel = FakeZram { order: Some((report, waits)), ..FakeZram::default() };
    let (outcome, records) = run(&kernel, step, patience);
    assert_eq!(plan::plan_recovery(&records, &kernel, "boot").unwrap().plan.steps, []);
    let told = describe_outcome(&outcome);
    let is_partial = outcome.end == PlanEnd::Partial;
    assert_eq!(told.ends_with("Nothing to repair: what was done stays."), is_partial, "{told}");
    (outcome.end, outcome.why.unwrap_or_default())
}

#[test]
fn order_is_done_or_reports_what_remains() {
    assert_eq!(run_order(HelperReport::Done, 3, 0), (PlanEnd::Done, String::new()));
    let (end, why) = run_order(HelperReport::OrderFailed(Errno::EINVAL), 3, 0);
    assert!(end == PlanEnd::Undone && why.contains("CONFIG_ZRAM_TRACK_ENTRY_ACTIME"), "{why}");
    let (end, why) = run_order(HelperReport::OrderFailed(Errno::ENOSPC), 3, 0);
    assert!(end == PlanEnd::Partial && why.contains("is full"), "{why}");
    let (end, why) = run_order(HelperReport::OrderFailed(Errno::EINTR), 3, 3);
    assert_eq!((end, why.as_str()), (PlanEnd::Partial, "you stopped it"));
    let (end, why) = run_order(HelperReport::Done, 3, 3);
    assert_eq!((end, why.as_str()), (PlanEnd::Done, ""), "it had ended before it could be stopped");
    let (end, why) = run_order(HelperReport::Done, usize::MAX, 3);
    assert!(
        end == PlanEnd::Partial && why.starts_with("you stopped it; the kernel completes it"),
        "{why}"
    );
    let (end, why) = run_order(HelperReport::Stopped, 3, 0);
    assert!(end == PlanEnd::Partial && why.contains("killed"), "{why}");
}

/// Result of a failed writeback with this limit value and enabled flag.
fn failed_writeback(limit: &'static str, enabled: &'static str) -> PlanEnd {
    let file = "/sys/block/zram1/writeback";
    let step = Step::Order { what: "x".into(), file: file.into(), word: "idle".into() };
    let settings = [
        ("/sys/block/zram1/writeback_limit", limit),
        ("/sys/block/zram1/writeback_limit_enable", enabled),
    ];
    let settings = settings.map(|(file, text)| (file.into(), text.to_owned()));
    let order = Some((HelperReport::OrderFailed(Errno::EIO), 3));
    let kernel = FakeZram { order, settings: RefCell::new(settings.into()), ..FakeZram::default() };
    run(&kernel, step, 0).0.end
}

#[test]
fn exhausted_writeback_limit_needs_an_enabled_limit() {
    assert_eq!(failed_writeback("0", "1"), PlanEnd::Done);
    assert_eq!(failed_writeback("7", "1"), PlanEnd::Partial);
    assert_eq!(failed_writeback("0", "0"), PlanEnd::Partial, "the device failed");
}

/// An order cannot be undone: what it did stays.
#[test]
fn a_plan_that_ends_after_an_order_is_partly_done() {
    let order = |file: &str| Step::Order {
        what: "x".into(),
        file: plan::zram::device_file(1, file),
        word: "x".into(),
    };
    let file = plan::zram::device_file(1, "writeback_limit_enable");
    let [from, to] = ["0", "1"].map(str::to_owned);
    let set = Step::Set { what: "limit".into(), file: file.clone(), from, to };
    for second in [order("compact"), set] {
        let settings = RefCell::new([(file.clone(), "0".to_owned())].into());
        let order_ends = Some((HelperReport::Done, 1));
        let kernel = FakeZram { order: order_ends, settings, ..FakeZram::default() };
        // The event of each step, the second of which stops the plan.
        let (outcome, records) = run_steps(&kernel, vec![order("idle"), second], 2);
        let told = describe_outcome(&outcome);
        assert!(outcome.end == PlanEnd::Partial && told.starts_with("PARTLY DONE"), "{told}");
        assert_eq!(records[0].end(), Some(PlanEnd::Partial));
        assert_eq!(plan::plan_recovery(&records, &kernel, "boot").unwrap().plan.steps, []);
    }
}

#[test]
fn nothing_is_undone_while_an_order_runs_in_the_kernel() {
    let order = |file: &str, word: &str| Step::Order {
        what: "x".into(),
        file: plan::zram::device_file(1, file),
        word: word.into(),
    };
    let file = plan::zram::device_file(1, "writeback_limit_enable");
    let (from, to) = ("0".to_owned(), "1".to_owned());
    let limit = Step::Set { what: "limit".into(), file: file.clone(), from, to };
    let steps = vec![order("writeback_limit", "256"), limit.clone(), order("writeback", "idle")];
    let settings = RefCell::new([(file.clone(), "0".to_owned())].into());
    let order = Some((HelperReport::Done, usize::MAX));
    let kernel = FakeZram { order, settings, ..FakeZram::default() };
    // The event of each of the first two steps, and two of the third.
    let (outcome, records) = run_steps(&kernel, steps, 4);
    assert_eq!(kernel.settings.borrow()[&file], "1", "{outcome:?}");
    assert_eq!((outcome.end, outcome.undoable), (PlanEnd::Partial, true));
    let recovery = plan::plan_recovery(&records, &kernel, "boot").unwrap().plan;
    assert_eq!(recovery.steps, [limit.inverse().unwrap()]);
}

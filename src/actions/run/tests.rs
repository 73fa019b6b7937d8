//! Tests of plans with faults of every kind, on a fake machine.

mod limits;
mod other_steps;
mod pace;
mod reads;
mod reserve;
mod sequences;
mod temporary;

use super::*;
use crate::actions::journal::{self, JournalStore};
use crate::actions::plan::{current_areas, priorities};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::block::BlockDevice;
use crate::model::format::SwapFileSpec;
use crate::model::swaparea::{FailedReads, testing};
use crate::model::zram::ZramSettings;
use crate::model::{Name, Part, Reading, Snapshot, Stamp};
use crate::sys::{CreateFileError, HelperReport, HelperTask, Rewrite, RunningHelper, WriteError};
use nix::errno::Errno;
use reserve::FakeMemory;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

/// The fault of one helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The area cannot be disabled.
    Off(Errno),
    /// Nor can any later helper disable an area.
    Full,
    /// The helper cannot enable the area again.
    On,
    /// Nobody can enable the area again.
    Lost,
    /// The helper dies before any change.
    DeadBefore,
    /// The helper dies while the area is disabled.
    DeadBetween,
    /// The helper dies after completing.
    DeadAfter,
    /// Somebody else changes the priority of another area.
    Meddled,
}

const FAULTS: [Fault; 8] = [
    Fault::Off(Errno::EINVAL),
    Fault::Full,
    Fault::On,
    Fault::Lost,
    Fault::DeadBefore,
    Fault::DeadBetween,
    Fault::DeadAfter,
    Fault::Meddled,
];

struct FakeMachine {
    areas: RefCell<Vec<SwapArea>>,
    settings: RefCell<BTreeMap<Name, String>>,
    texts: RefCell<BTreeMap<Name, String>>,
    /// Beginnings of devices and files.
    contents: RefCell<BTreeMap<Name, Vec<u8>>>,
    /// Number of helpers started.
    helpers: Cell<usize>,
    /// The number of the faulty helper, and its fault.
    fault: Option<(usize, Fault)>,
    /// The number of a helper that is slow enough to be stopped; and whether it obeys.
    slow: Option<(usize, bool)>,
    /// Number of polls before a report.
    waits: usize,
    /// Number of stop requests.
    stops: Rc<Cell<usize>>,
    /// For each stop request, last first: what is left on the area, if it still exists, and the
    /// report. Later requests get none.
    bursts: RefCell<Vec<(Option<u64>, HelperReport)>>,
    memory: RefCell<FakeMemory>,
    /// Failed reads of every area before the first helper, and from then on.
    failed_reads: (u64, u64),
    /// A file that cannot be read, and the number of readings that fail.
    unreadable: RefCell<Option<(Name, usize)>>,
}

/// The file that shows the areas.
const SWAPS: &str = "/proc/swaps";

fn area(name: &str, priority: i32) -> SwapArea {
    testing::area(name, priority, 4096, 1024)
}

impl FakeMachine {
    fn with(fault: Option<(usize, Fault)>) -> Self {
        let areas = vec![area("a", 1), area("b", 1), area("c", -2), area("d", 4)];
        let settings = ["x", "y"].map(|name| (Name::from(name), "1".to_owned())).into();
        Self {
            areas: RefCell::new(areas),
            settings: RefCell::new(settings),
            texts: RefCell::default(),
            contents: RefCell::default(),
            helpers: Cell::new(0),
            fault,
            slow: None,
            waits: 5,
            stops: Rc::default(),
            bursts: RefCell::default(),
            memory: RefCell::default(),
            failed_reads: (0, 0),
            unreadable: RefCell::default(),
        }
    }

    /// The reading of this file, which fails as often as the test wants.
    fn shown<T>(&self, file: &Name, known: impl FnOnce() -> Reading<T>) -> Reading<T> {
        match self.unreadable.borrow_mut().as_mut() {
            Some((unreadable, times)) if unreadable == file && *times > 0 => {
                *times -= 1;
                Reading::failed(format!("{} cannot be read", file.safe()))
            }
            _ => known(),
        }
    }

    fn remove(&self, name: &Name) {
        self.areas.borrow_mut().retain(|area| area.path != *name);
    }

    fn put(&self, wanted: &Activation) {
        let priority = match wanted.priority {
            Priority::Default => -2,
            Priority::Set(number) => i32::from(number),
        };
        self.areas.borrow_mut().push(area(&wanted.path.safe(), priority));
    }

    fn empty_half(&self, name: &Name) {
        let mut areas = self.areas.borrow_mut();
        let area = areas.iter_mut().find(|area| area.path == *name).unwrap();
        area.used = area.used.as_ref().map(|used| Bytes(used.0 / 2));
    }

    fn current_areas(&self) -> Vec<plan::AreaState> {
        current_areas(&self.areas.borrow())
    }

    fn work(&self, work: &HelperTask) -> HelperReport {
        let number = self.helpers.replace(self.helpers.get() + 1);
        let meets = |(which, fault): &(usize, Fault)| {
            *which == number || (*fault == Fault::Full && *which < number)
        };
        let fault = self.fault.filter(meets).map(|(_, fault)| fault);
        match fault {
            Some(Fault::Off(error)) => {
                self.empty_half(work.path());
                return HelperReport::OffFailed(error);
            }
            Some(Fault::Full) => {
                self.empty_half(work.path());
                return HelperReport::OffFailed(Errno::ENOMEM);
            }
            Some(Fault::DeadBefore) => return HelperReport::Killed,
            Some(Fault::Meddled) => {
                let mut areas = self.areas.borrow_mut();
                let other = areas.iter_mut().find(|area| area.path != *work.path()).unwrap();
                other.priority = 99;
            }
            _ => {}
        }
        self.remove(work.path());
        let HelperTask::Renew(wanted) = work else { return HelperReport::Done };
        match fault {
            Some(Fault::On | Fault::Lost) => HelperReport::OnFailed(Errno::EINVAL),
            Some(Fault::DeadBetween) => HelperReport::Killed,
            _ => {
                self.put(wanted);
                if fault == Some(Fault::DeadAfter) {
                    HelperReport::Killed
                } else {
                    HelperReport::Done
                }
            }
        }
    }
}

impl MachineView for FakeMachine {
    fn areas(&self) -> Reading<Vec<SwapArea>> {
        self.shown(&SWAPS.into(), || Reading::Known(self.areas.borrow().clone()))
    }

    fn discard(&self, _: &SwapArea) -> Reading<Discard> {
        Reading::absent("nobody asks")
    }

    fn parts(&self, parts: &[Part]) -> Snapshot {
        self.memory.borrow_mut().read(parts, &self.areas.borrow())
    }

    fn device(&self, _area: &SwapArea) -> Reading<BlockDevice> {
        Reading::not_sampled()
    }

    fn failed_reads(&self, _path: &Name) -> u64 {
        let (before, after) = self.failed_reads;
        if self.helpers.get() == 0 { before } else { after }
    }

    fn setting(&self, file: &Name) -> Reading<String> {
        let found = self.settings.borrow().get(file).cloned();
        let known = || found.map_or_else(|| Reading::absent("no such setting"), Reading::Known);
        self.shown(file, known)
    }

    fn disk(&self, _number: u64) -> Reading<Option<ZramSettings>> {
        Reading::Known(None)
    }

    fn has_node(&self, _number: u64) -> bool {
        false
    }

    fn text(&self, file: &Name) -> Reading<Option<String>> {
        Reading::Known(self.texts.borrow().get(file).cloned())
    }

    fn content(&self, path: &Name, at: u64, length: usize) -> Reading<Vec<u8>> {
        let contents = self.contents.borrow();
        let Some(found) = contents.get(path) else { return Reading::absent("no such file") };
        let at = usize::try_from(at).unwrap();
        Reading::Known(found.iter().skip(at).take(length).copied().collect())
    }
}

impl Sys for FakeMachine {
    fn swap_on(&self, wanted: &Activation) -> Result<(), Errno> {
        if matches!(self.fault, Some((_, Fault::Lost))) {
            return Err(Errno::EINVAL);
        }
        self.put(wanted);
        Ok(())
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        if text == "no" {
            return Err(Errno::EINVAL);
        }
        // The kernel rounds this value.
        let text = if text == "5" { "4" } else { text };
        self.settings.borrow_mut().insert(file.clone(), text.to_owned());
        Ok(())
    }

    fn read_claim(&self, _file: &Name) -> Result<String, Errno> {
        Err(Errno::ENOENT)
    }

    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), WriteError> {
        let [(from, to), ..] = &rewrite.places[..] else { panic!("{rewrite:?}") };
        let mut contents = self.contents.borrow_mut();
        let content = contents.get_mut(rewrite.path).ok_or(WriteError::Kernel(Errno::ENOENT))?;
        if content != &from.bytes {
            return Err(WriteError::Changed);
        }
        content.clone_from(&to.bytes);
        Ok(())
    }

    fn save(&self, file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), WriteError> {
        let mut texts = self.texts.borrow_mut();
        if texts.get(file).map(String::as_str) != from {
            return Err(WriteError::Changed);
        }
        match to {
            Some(to) => texts.insert(file.clone(), to.to_owned()),
            None => texts.remove(file),
        };
        Ok(())
    }

    fn make_file(
        &self,
        path: &Name,
        form: &SwapFileSpec,
        go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError> {
        for done in [1, 2, 3] {
            if !go_on(Bytes(form.size.0 * done / 4)) {
                return Err(CreateFileError::Stopped);
            }
        }
        let mut content = form.format.page();
        content.resize(usize::try_from(form.size.0).unwrap(), 0);
        match self.contents.borrow_mut().entry(path.clone()) {
            Entry::Occupied(_) => Err(CreateFileError::Kernel(Errno::EEXIST)),
            Entry::Vacant(place) => {
                place.insert(content);
                Ok(())
            }
        }
    }

    fn remove_file(&self, path: &Name, _form: &SwapFileSpec) -> Result<(), WriteError> {
        let removed = self.contents.borrow_mut().remove(path);
        removed.map(drop).ok_or(WriteError::Kernel(Errno::ENOENT))
    }

    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>> {
        let ended = |report, waits, heeds| -> io::Result<Box<dyn RunningHelper>> {
            Ok(Box::new(EndedHelper { report, waits, heeds, stops: Rc::clone(&self.stops) }))
        };
        if let Some((left, report)) = self.bursts.borrow_mut().pop() {
            self.helpers.set(self.helpers.get() + 1);
            self.leave(work.path(), left);
            return ended(report, self.waits, true);
        }
        let slow = self.slow.filter(|(which, _)| *which == self.helpers.get());
        let (waits, heeds) = slow.map_or((0, false), |(_, heeds)| (self.waits, heeds));
        if heeds {
            // The helper is stopped before any change.
            self.helpers.set(self.helpers.get() + 1);
            return ended(HelperReport::OffFailed(Errno::EINTR), waits, heeds);
        }
        ended(self.work(work), waits, heeds)
    }
}

/// Stops at the event with this number.
struct Patience(usize);

impl Monitor<Progress> for Patience {
    fn event(&mut self, _progress: Progress) -> ControlFlow<StopReason> {
        self.0 = self.0.wrapping_sub(1);
        if self.0 == 0 { ENOUGH } else { ControlFlow::Continue(()) }
    }
}

const START: Stamp = Stamp { boot_ns: 0, wall_ms: 0 };

/// The answer of a monitor that stops the plan.
const ENOUGH: ControlFlow<StopReason> = ControlFlow::Break(StopReason::Asked);

fn wishes() -> Vec<(Name, Priority)> {
    let wish = |(name, priority): (&str, u16)| (Name::from(name), Priority::Set(priority));
    [("a", 10), ("b", 10), ("c", 10), ("d", 10)].map(wish).to_vec()
}

/// Executes a plan of four steps; returns the outcome and the journal.
fn outcome(machine: &FakeMachine, patience: Patience) -> (ChangeOutcome, Vec<journal::Record>) {
    run_to_journal(machine, patience, false)
}

fn run_to_journal(
    machine: &FakeMachine,
    mut patience: Patience,
    apart: bool,
) -> (ChangeOutcome, Vec<journal::Record>) {
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    let plan = Plan { independent: apart, ..plan };
    run(machine, &plan, &mut patience)
}

fn run(
    machine: &FakeMachine,
    plan: &Plan,
    monitor: &mut dyn Monitor<Progress>,
) -> (ChangeOutcome, Vec<journal::Record>) {
    run_within(ChangeLimits::default(), machine, plan, monitor)
}

fn run_within(
    limits: ChangeLimits,
    machine: &FakeMachine,
    plan: &Plan,
    monitor: &mut dyn Monitor<Progress>,
) -> (ChangeOutcome, Vec<journal::Record>) {
    run_on_clock(&Clock::at(START), limits, machine, plan, monitor)
}

/// Executes a plan that began with the boot of the machine.
fn run_on_clock(
    clock: &Clock,
    limits: ChangeLimits,
    machine: &FakeMachine,
    plan: &Plan,
    monitor: &mut dyn Monitor<Progress>,
) -> (ChangeOutcome, Vec<journal::Record>) {
    let dir = tempfile::tempdir().unwrap();
    let path = JournalStore::File(dir.path().join("journal"));
    let mut runner = Runner {
        sys: machine,
        look: machine,
        journal: &mut Journal::open(&path, "boot").unwrap(),
        clock,
        limits,
        begun: Duration::ZERO,
        monitor,
    };
    (runner.run(plan, None), journal::read_unchecked(&path).unwrap())
}

fn all_renewed() -> Vec<plan::AreaState> {
    current_areas(&["a", "b", "c", "d"].map(|name| area(name, 10)))
}

#[test]
fn plan_is_executed() {
    let machine = FakeMachine::with(None);
    let (outcome, records) = outcome(&machine, Patience(0));
    assert_eq!(
        outcome,
        ChangeOutcome { undoable: true, ..ChangeOutcome::ended(1, PlanEnd::Done, None) }
    );
    assert_eq!(machine.current_areas(), all_renewed());
    assert_eq!(records[0].end(), Some(PlanEnd::Done));
    let made = records[0].events.iter().filter(|event| matches!(event, Event::Made { .. }));
    assert_eq!(made.count(), 4);
}

#[test]
fn every_failure_keeps_areas_on_and_reports_the_truth() {
    let old = FakeMachine::with(None).current_areas();
    let mut taken_back = 0;
    // Up to four helpers go forward, up to three undo that after a stop.
    for (number, patience) in (0..7).flat_map(|number| [0, 2, 3, 4].map(|stop| (number, stop))) {
        for fault in FAULTS {
            let machine = FakeMachine::with(Some((number, fault)));
            let (outcome, records) = outcome(&machine, Patience(patience));
            let what = format!("{number} {patience} {fault:?} {outcome:?}");
            assert_eq!(records[0].end(), Some(outcome.end), "{what}");
            let why = outcome.why.clone().unwrap_or_default();
            taken_back += usize::from(why.contains("undo: "));
            let lost = fault == Fault::Lost && machine.areas.borrow().len() < 4;
            assert_eq!(lost, why.contains("IS DISABLED"), "{what}");
            match outcome.end {
                PlanEnd::Done => assert_eq!(machine.current_areas(), all_renewed(), "{what}"),
                PlanEnd::Undone if fault == Fault::Meddled => {}
                PlanEnd::Undone => assert_eq!(machine.current_areas(), old, "{what}"),
                PlanEnd::Partial => assert!(machine.current_areas() != old, "{what}"),
                PlanEnd::Recovered | PlanEnd::Returned | PlanEnd::Dismissed => panic!("{what}"),
            }
            assert!(lost || machine.areas.borrow().len() == 4, "{what}");
        }
    }
    assert!(taken_back > 10, "too few faults while taking back: {taken_back}");
}

#[test]
fn stopping_restores_the_machine() {
    let old = FakeMachine::with(None).current_areas();
    for patience in 1..=4 {
        let machine = FakeMachine::with(None);
        let (outcome, _) = outcome(&machine, Patience(patience));
        assert_eq!(
            (outcome.end, outcome.why.as_deref()),
            (PlanEnd::Undone, Some("you stopped it"))
        );
        assert!(!outcome.undoable, "nothing is left to undo");
        assert_eq!(machine.current_areas(), old);
    }
}

#[test]
fn stop_ends_the_helper_and_starts_nothing_else() {
    for heeds in [true, false] {
        // The third step takes long; the monitor stops in the middle of it.
        let machine = FakeMachine { slow: Some((2, heeds)), ..FakeMachine::with(None) };
        let (outcome, records) = outcome(&machine, Patience(5));
        assert_eq!(
            (outcome.end, outcome.why.as_deref()),
            (PlanEnd::Undone, Some("you stopped it"))
        );
        assert_eq!(machine.current_areas(), FakeMachine::with(None).current_areas());
        let tried = |event: &&Event| matches!(event, Event::Try { step: 3, .. });
        assert_eq!(records[0].events.iter().find(tried), None);
    }
}

#[test]
fn independent_steps_are_kept() {
    let machine = FakeMachine::with(Some((1, Fault::Off(Errno::EBUSY))));
    let (outcome, _) = run_to_journal(&machine, Patience(0), true);
    assert_eq!(outcome.end, PlanEnd::Partial);
    assert!(outcome.why.unwrap().contains("hibernation"));
    let met = |stands: &&plan::AreaState| stands.priority == Priority::Set(10);
    assert_eq!(machine.current_areas().iter().filter(met).count(), 3);
}

#[test]
fn independent_steps_go_on_after_an_area_was_left_disabled() {
    let machine = FakeMachine::with(Some((1, Fault::Lost)));
    let (outcome, _) = run_to_journal(&machine, Patience(0), true);
    let why = outcome.why.unwrap();
    assert!(why.contains("IS DISABLED") && !why.contains("someone else"), "{why}");
    let renewed = all_renewed().into_iter().filter(|area| area.path != "b".into());
    assert_eq!(machine.current_areas(), renewed.collect::<Vec<_>>());
}

#[test]
fn a_change_by_others_is_reported_once() {
    let machine = FakeMachine::with(Some((0, Fault::Meddled)));
    let (outcome, _) = run_to_journal(&machine, Patience(0), true);
    assert_eq!(outcome.why.as_deref(), Some(CHANGED));
}

#[test]
fn a_stop_ends_independent_steps_even_if_an_area_was_left_disabled() {
    let machine =
        FakeMachine { slow: Some((0, false)), ..FakeMachine::with(Some((0, Fault::Lost))) };
    let (outcome, records) = run_to_journal(&machine, Patience(2), true);
    let why = outcome.why.unwrap();
    assert!(why.contains("you stopped it; and a IS DISABLED"), "{why}");
    let tried = |event: &&Event| matches!(event, Event::Try { step: 1, .. });
    assert_eq!(records[0].events.iter().find(tried), None);
}

#[test]
fn drained_only_area_counts_as_done_when_the_helper_succeeds() {
    let machine = |fault| FakeMachine::with(fault);
    let empty = |machine: &FakeMachine| {
        let area =
            Activation { path: "a".into(), priority: Priority::Set(1), discard: Discard::None };
        let steps = vec![Step::Renew { from: area.clone(), to: area }];
        let relies_on = machine.current_areas();
        run(
            machine,
            &Plan { steps, relies_on, ..Plan::without_steps(String::new()) },
            &mut Patience(0),
        )
    };
    let (outcome, records) = empty(&machine(None));
    assert_eq!((outcome.end, records[0].steps_in_effect()), (PlanEnd::Done, vec![0]));
    for fault in [Fault::Off(Errno::EINVAL), Fault::DeadBefore, Fault::DeadBetween] {
        let (outcome, records) = empty(&machine(Some((0, fault))));
        assert_eq!(
            (outcome.end, records[0].steps_in_effect()),
            (PlanEnd::Undone, vec![]),
            "{fault:?}"
        );
    }
}

/// A helper with this report after a number of polls.
struct EndedHelper {
    report: HelperReport,
    waits: usize,
    heeds: bool,
    /// Number of stop requests.
    stops: Rc<Cell<usize>>,
}

impl RunningHelper for EndedHelper {
    fn wait(&mut self, _time: Duration) -> Option<HelperReport> {
        match self.waits.checked_sub(1) {
            None => Some(self.report),
            Some(waits) => {
                self.waits = waits;
                None
            }
        }
    }
    fn stop(&mut self) {
        self.stops.set(self.stops.get() + 1);
        if self.heeds {
            self.waits = 0;
        }
    }
}

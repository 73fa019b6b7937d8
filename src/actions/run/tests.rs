//! What comes of a plan whatever goes wrong in it, on a machine that does as it is told.

mod lend;
mod limits;
mod pace;
mod reserve;
mod things;

use super::*;
use crate::actions::journal;
use crate::actions::plan::{priorities, standing};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::block::BlockDevice;
use crate::model::format::FileForm;
use crate::model::swaparea::testing;
use crate::model::zram::Disk;
use crate::model::{Name, Part, Reading, Snapshot};
use crate::sys::{NotMade, NotSaved, NotWritten, Report, Rewrite, Running};
use reserve::Memory;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::rc::Rc;

/// What goes wrong with one helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The area cannot be taken off.
    Off(Errno),
    /// Nor by any helper after this one.
    Full,
    /// It cannot be put on again by the helper.
    On,
    /// It cannot be put on again by anybody.
    Lost,
    /// The helper dies before it changed anything.
    DeadBefore,
    /// It dies when the area is off.
    DeadBetween,
    /// It dies when all is done.
    DeadAfter,
    /// Somebody else gives another area another priority meanwhile.
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

struct Machine {
    areas: RefCell<Vec<SwapArea>>,
    settings: RefCell<BTreeMap<Name, String>>,
    texts: RefCell<BTreeMap<Name, String>>,
    /// What devices and files begin with.
    contents: RefCell<BTreeMap<Name, Vec<u8>>>,
    /// How many helpers were started.
    helpers: Cell<usize>,
    /// Which of them meets which fault.
    fault: Option<(usize, Fault)>,
    /// Which of them takes so long that it can be stopped; and whether it heeds that.
    slow: Option<(usize, bool)>,
    /// How often it is asked in vain.
    waits: usize,
    /// How often helpers were told to stop.
    stops: Rc<Cell<usize>>,
    /// What is left on the area, if it is still there, and what is reported, when helpers are told to
    /// stop: the last first. The others are not.
    bursts: RefCell<Vec<(Option<u64>, Report)>>,
    memory: RefCell<Memory>,
}

fn area(name: &str, priority: i32) -> SwapArea {
    testing::area(name, priority, 4096, 1024)
}

impl Machine {
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

    fn shown(&self) -> Vec<plan::Stands> {
        standing(&self.areas.borrow())
    }

    fn work(&self, work: &Work) -> Report {
        let number = self.helpers.replace(self.helpers.get() + 1);
        let meets = |(which, fault): &(usize, Fault)| {
            *which == number || (*fault == Fault::Full && *which < number)
        };
        let fault = self.fault.filter(meets).map(|(_, fault)| fault);
        match fault {
            Some(Fault::Off(error)) => {
                self.empty_half(work.path());
                return Report::OffFailed(error);
            }
            Some(Fault::Full) => {
                self.empty_half(work.path());
                return Report::OffFailed(Errno::ENOMEM);
            }
            Some(Fault::DeadBefore) => return Report::Killed,
            Some(Fault::Meddled) => {
                let mut areas = self.areas.borrow_mut();
                let other = areas.iter_mut().find(|area| area.path != *work.path()).unwrap();
                other.priority = 99;
            }
            _ => {}
        }
        self.remove(work.path());
        let Work::Renew(wanted) = work else { return Report::Done };
        match fault {
            Some(Fault::On | Fault::Lost) => Report::OnFailed(Errno::EINVAL),
            Some(Fault::DeadBetween) => Report::Killed,
            _ => {
                self.put(wanted);
                if fault == Some(Fault::DeadAfter) { Report::Killed } else { Report::Done }
            }
        }
    }
}

impl Look for Machine {
    fn areas(&self) -> Reading<Vec<SwapArea>> {
        Reading::Known(self.areas.borrow().clone())
    }

    fn discard(&self, _: &SwapArea) -> Reading<Discard> {
        Reading::absent("nobody asks")
    }

    fn parts(&self, parts: &[Part]) -> Snapshot {
        self.memory.borrow_mut().see(parts, &self.areas.borrow())
    }

    fn device(&self, _area: &SwapArea) -> Reading<BlockDevice> {
        Reading::not_sampled()
    }

    fn setting(&self, file: &Name) -> Reading<String> {
        let found = self.settings.borrow().get(file).cloned();
        found.map_or_else(|| Reading::absent("no such setting"), Reading::Known)
    }

    fn disk(&self, _number: u64) -> Reading<Option<Disk>> {
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

impl Sys for Machine {
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
        // This one the kernel rounds.
        let text = if text == "5" { "4" } else { text };
        self.settings.borrow_mut().insert(file.clone(), text.to_owned());
        Ok(())
    }

    fn take(&self, _file: &Name) -> Result<String, Errno> {
        Err(Errno::ENOENT)
    }

    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), NotWritten> {
        let [(from, to), ..] = &rewrite.places[..] else { panic!("{rewrite:?}") };
        let mut contents = self.contents.borrow_mut();
        let content = contents.get_mut(rewrite.path).ok_or(NotWritten::Kernel(Errno::ENOENT))?;
        if content != &from.bytes {
            return Err(NotWritten::Changed);
        }
        content.clone_from(&to.bytes);
        Ok(())
    }

    fn save(&self, file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), NotSaved> {
        let mut texts = self.texts.borrow_mut();
        if texts.get(file).map(String::as_str) != from {
            return Err(NotSaved::Changed);
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
        form: &FileForm,
        go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), NotMade> {
        for done in [1, 2, 3] {
            if !go_on(Bytes(form.size.0 * done / 4)) {
                return Err(NotMade::Stopped);
            }
        }
        let mut content = form.format.page();
        content.resize(usize::try_from(form.size.0).unwrap(), 0);
        match self.contents.borrow_mut().entry(path.clone()) {
            Entry::Occupied(_) => Err(NotMade::Kernel(Errno::EEXIST)),
            Entry::Vacant(place) => {
                place.insert(content);
                Ok(())
            }
        }
    }

    fn remove_file(&self, path: &Name, _form: &FileForm) -> Result<(), NotWritten> {
        let removed = self.contents.borrow_mut().remove(path);
        removed.map(drop).ok_or(NotWritten::Kernel(Errno::ENOENT))
    }

    fn begin(&self, work: &Work) -> io::Result<Box<dyn Running>> {
        let ended = |report, waits, heeds| -> io::Result<Box<dyn Running>> {
            Ok(Box::new(Ended { report, waits, heeds, stops: Rc::clone(&self.stops) }))
        };
        if let Some((left, report)) = self.bursts.borrow_mut().pop() {
            self.helpers.set(self.helpers.get() + 1);
            self.leave(work.path(), left);
            return ended(report, self.waits, true);
        }
        let slow = self.slow.filter(|(which, _)| *which == self.helpers.get());
        let (waits, heeds) = slow.map_or((0, false), |(_, heeds)| (self.waits, heeds));
        if heeds {
            // It is stopped before it has changed anything.
            self.helpers.set(self.helpers.get() + 1);
            return ended(Report::OffFailed(Errno::EINTR), waits, heeds);
        }
        ended(self.work(work), waits, heeds)
    }
}

/// Stops when it is asked for the so-many-th time.
struct Patience(usize);

impl Monitor<Progress> for Patience {
    fn event(&mut self, _progress: Progress) -> ControlFlow<StopReason> {
        self.0 = self.0.wrapping_sub(1);
        if self.0 == 0 { ENOUGH } else { ControlFlow::Continue(()) }
    }
}

const START: Stamp = Stamp { boot_ns: 0, wall_ms: 0 };

/// What a monitor says that has had enough.
const ENOUGH: ControlFlow<StopReason> = ControlFlow::Break(StopReason::Asked);

fn wishes() -> Vec<(Name, Priority)> {
    let wish = |(name, priority): (&str, u16)| (Name::from(name), Priority::Set(priority));
    [("a", 10), ("b", 10), ("c", 10), ("d", 10)].map(wish).to_vec()
}

/// Carry out a plan of four steps; says what came of it and what the journal says.
fn outcome(machine: &Machine, patience: Patience) -> (Outcome, Vec<journal::Record>) {
    carried_out(machine, patience, false)
}

fn carried_out(
    machine: &Machine,
    mut patience: Patience,
    apart: bool,
) -> (Outcome, Vec<journal::Record>) {
    let plan = priorities(&machine.areas.borrow(), |_| Discard::None, &wishes()).unwrap();
    let plan = Plan { apart, ..plan };
    run(machine, &plan, &mut patience)
}

fn run(
    machine: &Machine,
    plan: &Plan,
    monitor: &mut dyn Monitor<Progress>,
) -> (Outcome, Vec<journal::Record>) {
    run_within(Limits::default(), machine, plan, monitor)
}

fn run_within(
    limits: Limits,
    machine: &Machine,
    plan: &Plan,
    monitor: &mut dyn Monitor<Progress>,
) -> (Outcome, Vec<journal::Record>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let mut runner = Runner {
        sys: machine,
        look: machine,
        journal: &mut Journal::open(&path, "boot").unwrap(),
        clock: &Clock::at(START),
        limits,
        begun: START,
        monitor,
    };
    (runner.run(plan, None), journal::read_any(&path).unwrap())
}

fn all_new() -> Vec<plan::Stands> {
    standing(&["a", "b", "c", "d"].map(|name| area(name, 10)))
}

#[test]
fn a_plan_is_carried_out() {
    let machine = Machine::with(None);
    let (outcome, records) = outcome(&machine, Patience(0));
    assert_eq!(outcome, Outcome { undoable: true, ..Outcome::of(1, End::Done, None) });
    assert_eq!(machine.shown(), all_new());
    assert_eq!(records[0].end(), Some(End::Done));
    let made = records[0].events.iter().filter(|event| matches!(event, Event::Made { .. }));
    assert_eq!(made.count(), 4);
}

#[test]
fn whatever_fails_all_areas_stay_on_and_the_outcome_is_what_is_so() {
    let old = Machine::with(None).shown();
    let mut taken_back = 0;
    // Up to four helpers go ahead, up to three take back what those did when somebody stops it.
    for (number, patience) in (0..7).flat_map(|number| [0, 2, 3, 4].map(|stop| (number, stop))) {
        for fault in FAULTS {
            let machine = Machine::with(Some((number, fault)));
            let (outcome, records) = outcome(&machine, Patience(patience));
            let what = format!("{number} {patience} {fault:?} {outcome:?}");
            assert_eq!(records[0].end(), Some(outcome.end), "{what}");
            let why = outcome.why.clone().unwrap_or_default();
            taken_back += usize::from(why.contains("taking back"));
            let lost = fault == Fault::Lost && machine.areas.borrow().len() < 4;
            assert_eq!(lost, why.contains("IS OFF"), "{what}");
            match outcome.end {
                End::Done => assert_eq!(machine.shown(), all_new(), "{what}"),
                End::Undone if fault == Fault::Meddled => {}
                End::Undone => assert_eq!(machine.shown(), old, "{what}"),
                End::Partial => assert!(machine.shown() != old, "{what}"),
                End::Recovered | End::Returned | End::Dismissed => panic!("{what}"),
            }
            assert!(lost || machine.areas.borrow().len() == 4, "{what}");
        }
    }
    assert!(taken_back > 10, "too few faults while taking back: {taken_back}");
}

#[test]
fn whoever_stops_it_gets_the_machine_as_it_was() {
    let old = Machine::with(None).shown();
    for patience in 1..=4 {
        let machine = Machine::with(None);
        let (outcome, _) = outcome(&machine, Patience(patience));
        assert_eq!((outcome.end, outcome.why.as_deref()), (End::Undone, Some("you stopped it")));
        assert_eq!(machine.shown(), old);
    }
}

#[test]
fn a_helper_is_stopped_while_it_works_and_nothing_is_begun_after_it() {
    for heeds in [true, false] {
        // The third step takes long; the monitor has had enough in the middle of it.
        let machine = Machine { slow: Some((2, heeds)), ..Machine::with(None) };
        let (outcome, records) = outcome(&machine, Patience(5));
        assert_eq!((outcome.end, outcome.why.as_deref()), (End::Undone, Some("you stopped it")));
        assert_eq!(machine.shown(), Machine::with(None).shown());
        let tried = |event: &&Event| matches!(event, Event::Try { step: 3, .. });
        assert_eq!(records[0].events.iter().find(tried), None);
    }
}

#[test]
fn steps_that_stand_for_themselves_stay() {
    let machine = Machine::with(Some((1, Fault::Off(Errno::EBUSY))));
    let (outcome, _) = carried_out(&machine, Patience(0), true);
    assert_eq!(outcome.end, End::Partial);
    assert!(outcome.why.unwrap().contains("hibernation"));
    let met = |stands: &&plan::Stands| stands.priority == Priority::Set(10);
    assert_eq!(machine.shown().iter().filter(met).count(), 3);
}

#[test]
fn an_area_that_is_only_emptied_is_made_when_the_helper_says_so() {
    let machine = |fault| Machine::with(fault);
    let empty = |machine: &Machine| {
        let area =
            Activation { path: "a".into(), priority: Priority::Set(1), discard: Discard::None };
        let steps = vec![Step::Renew { from: area.clone(), to: area }];
        let relies_on = machine.shown();
        run(machine, &Plan { steps, relies_on, ..Plan::none(String::new()) }, &mut Patience(0))
    };
    let (outcome, records) = empty(&machine(None));
    assert_eq!((outcome.end, records[0].standing()), (End::Done, vec![0]));
    for fault in [Fault::Off(Errno::EINVAL), Fault::DeadBefore, Fault::DeadBetween] {
        let (outcome, records) = empty(&machine(Some((0, fault))));
        assert_eq!((outcome.end, records[0].standing()), (End::Undone, vec![]), "{fault:?}");
    }
}

/// A helper with this report, which is asked for it so often in vain.
struct Ended {
    report: Report,
    waits: usize,
    heeds: bool,
    /// How often one was told to stop.
    stops: Rc<Cell<usize>>,
}

impl Running for Ended {
    fn wait(&mut self, _time: Duration) -> Option<Report> {
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

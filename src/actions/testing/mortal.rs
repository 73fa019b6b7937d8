//! Runs plans in a process that is killed, or whose operations fail, on any machine of a test.

use crate::actions::MachineView;
use crate::actions::journal::{self, Event, Journal, JournalStore, PlanEnd, Record};
use crate::actions::limits::ChangeLimits;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::{Plan, plan_recovery, settle};
use crate::actions::run::{ChangeOutcome, Progress, Runner};
use crate::clock::Clock;
use crate::model::activation::Activation;
use crate::model::format::SwapFileSpec;
use crate::model::{Bytes, Name, Stamp};
use crate::sys::{CreateFileError, HelperTask, Rewrite, RunningHelper, Sys, WriteError};
use nix::errno::Errno;
use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

/// The number of random sequences of a test; `SWAPADM_SEQUENCES` sets another number.
#[allow(clippy::disallowed_methods, reason = "the environment sets the number of sequences")]
pub(crate) fn sequences(usual: u64) -> u64 {
    let wanted = std::env::var("SWAPADM_SEQUENCES").ok();
    wanted.map_or(usual, |text| text.parse().expect("a number"))
}

/// The boot ID in the journals of tests.
pub(crate) const BOOT: &str = "boot";

/// The time of all plans of tests.
pub(crate) const START: Stamp = Stamp { boot_ns: 0, wall_ms: 0 };

/// `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// An accident of a process at one of its operations.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Accident {
    /// The process is killed.
    Kill,
    /// The operation fails, as on a full or failing disk.
    Error(Errno),
}

/// An accident at the operation with this number, from 0, before or after its effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interruption {
    pub(crate) at: usize,
    pub(crate) accident: Accident,
    pub(crate) is_after_effect: bool,
}

/// Errors of disks and file systems.
pub(crate) const DISK_ERRORS: [Errno; 3] = [Errno::ENOSPC, Errno::EIO, Errno::EROFS];

impl Interruption {
    /// An accident at one of the first operations.
    pub(crate) fn draw(random: &mut Random, operations: usize) -> Self {
        let is_kill = random.below(2) == 0;
        let accident =
            if is_kill { Accident::Kill } else { Accident::Error(*random.pick(&DISK_ERRORS)) };
        Self { at: random.below(operations), accident, is_after_effect: random.below(2) == 0 }
    }
}

/// The accidents of a process that carries out a plan.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fate {
    pub(crate) interruption: Option<Interruption>,
    /// How many events fit into the journal, if it becomes full.
    pub(crate) journal_room: Option<usize>,
    /// The event of progress at which the plan is stopped; never if 0.
    pub(crate) patience: usize,
}

impl Fate {
    /// Whether a step can fail, so that an undo can fail too.
    pub(crate) fn can_fail(&self) -> bool {
        let is_kill = |it: &Interruption| matches!(it.accident, Accident::Kill);
        self.journal_room.is_some() || !self.interruption.as_ref().is_none_or(is_kill)
    }
}

/// Stops at the event with this number.
pub(crate) struct Patience(pub(crate) usize);

impl Monitor<Progress> for Patience {
    fn event(&mut self, _progress: Progress) -> ControlFlow<StopReason> {
        self.0 = self.0.wrapping_sub(1);
        if self.0 == 0 { ControlFlow::Break(StopReason::Asked) } else { ControlFlow::Continue(()) }
    }
}

/// The machine of a process to which something happens.
struct MortalProcess<'a> {
    machine: &'a dyn Sys,
    interruption: Option<Interruption>,
    /// Called with the number of each operation before it.
    before: &'a dyn Fn(usize),
    operations: Cell<usize>,
}

impl MortalProcess<'_> {
    fn operation<T, E: From<Errno>>(
        &self,
        operation: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let number = self.operations.replace(self.operations.get() + 1);
        (self.before)(number);
        let Some(interruption) = self.interruption.filter(|it| it.at == number) else {
            return operation();
        };
        if interruption.is_after_effect {
            operation()?;
        }
        match interruption.accident {
            // Unlike a panic, this prints nothing.
            Accident::Kill => resume_unwind(Box::new("killed")),
            Accident::Error(error) => Err(error.into()),
        }
    }
}

impl Sys for MortalProcess<'_> {
    fn swap_on(&self, wanted: &Activation) -> Result<(), Errno> {
        self.operation(|| self.machine.swap_on(wanted))
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        self.operation(|| self.machine.write(file, text))
    }

    fn save(&self, file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), WriteError> {
        self.operation(|| self.machine.save(file, from, to))
    }

    fn read_claim(&self, file: &Name) -> Result<String, Errno> {
        self.operation(|| self.machine.read_claim(file))
    }

    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), WriteError> {
        self.operation(|| self.machine.rewrite(rewrite))
    }

    fn make_file(
        &self,
        path: &Name,
        forms: (Option<&SwapFileSpec>, &SwapFileSpec),
        go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError> {
        self.operation(|| self.machine.make_file(path, forms, go_on))
    }

    fn remove_file(&self, path: &Name, form: &SwapFileSpec) -> Result<(), WriteError> {
        self.operation(|| self.machine.remove_file(path, form))
    }

    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>> {
        self.operation(|| self.machine.begin(work))
    }
}

/// Runs a plan in a process that may be killed; `None` if it was. `before` is called with the number of each operation
/// before it.
pub(crate) fn run_mortal(
    machine: &(impl Sys + MachineView),
    (store, plan, undoes): (&JournalStore, &Plan, Option<u64>),
    fate: &Fate,
    before: &dyn Fn(usize),
) -> Option<ChangeOutcome> {
    let interruption = fate.interruption;
    let sys = MortalProcess { machine, interruption, before, operations: Cell::new(0) };
    let mut journal = Journal::open(store, BOOT).unwrap();
    journal.room = fate.journal_room.unwrap_or(usize::MAX);
    let run = || {
        Runner {
            sys: &sys,
            look: machine,
            journal: &mut journal,
            clock: &Clock::at(START),
            limits: ChangeLimits::default(),
            begun: Duration::ZERO,
            monitor: &mut Patience(fate.patience),
        }
        .run(plan, undoes)
    };
    catch_unwind(AssertUnwindSafe(run)).ok()
}

/// The plans of a journal that need recovery.
pub(crate) fn open_records(store: &JournalStore) -> Vec<Record> {
    let records = journal::read_unchecked(store).unwrap();
    records.into_iter().filter(|record| record.is_open(BOOT)).collect()
}

/// Recovers until nothing is open, and closes the plans; its processes may be killed too.
pub(crate) fn recover(
    machine: &(impl Sys + MachineView),
    store: &JournalStore,
    random: &mut Random,
) {
    for attempt in 0..4 {
        let open = open_records(store);
        if open.is_empty() {
            return;
        }
        let plan = plan_recovery(&open, machine, BOOT).unwrap().plan;
        if !plan.steps.is_empty() {
            let is_bad = attempt < 2 && random.below(3) == 0;
            let fate = Fate {
                interruption: is_bad.then(|| Interruption::draw(random, 4)),
                journal_room: (is_bad && random.below(4) == 0).then(|| random.below(6)),
                ..Fate::default()
            };
            let outcome = run_mortal(machine, (store, &plan, None), &fate, &|_| {});
            if !outcome.is_some_and(|outcome| outcome.end == PlanEnd::Done) {
                continue;
            }
        }
        let mut journal = Journal::open(store, BOOT).unwrap();
        for record in &open {
            let end = Event::End { end: PlanEnd::Recovered, why: None };
            for event in settle(record, machine).into_iter().chain([end]) {
                journal.append_for(record.plan, START, event).unwrap();
            }
        }
    }
}

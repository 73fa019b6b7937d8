//! Sessions on a simulated machine: the same workloads and experiments, with the figures that the model counts.
//!
//! Nothing is set up or guarded: each repetition has a machine of its own, with the memory limit of its workload.
//! Temporary areas are added to those of the machine, or replace them in the cases of an experiment. Times are
//! estimates of the cost file.

use super::run::new_run;
use super::{Experiment, RunStart, RunView, Session, SessionCase, SessionEvent, SessionOutcome};
use super::{SessionSpec, create};
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::settings;
use crate::change::{ChangeAttempt, ChangeError, ObservedMachine, SimulatedTarget};
use crate::clock::Clock;
use crate::derive::lab::RunStatus;
use crate::lab::eta::RunProgress;
use crate::lab::experiment::FactorSettings;
use crate::lab::fits;
use crate::lab::library::UserFiles;
use crate::lab::measure::{self, RunMeter};
use crate::lab::run_spec::{self, RunSpec, TemporaryArea, TemporaryAreaKind};
use crate::lab::store::Store;
use crate::model::activation::{Discard, Priority};
use crate::model::load::{AfterTouching, FreeMethod, TouchUnit, WorkerGroup};
use crate::model::name::safe_text;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run, RunMachine, TaskRun, TouchStats};
use crate::model::{Bytes, Name, Snapshot, Stamp, whole};
use crate::sim::areas::{AreaSetup, SwapSpace};
use crate::sim::cost::SimDevice;
use crate::sim::describe::describe_excess_slots;
use crate::sim::machine::RunningMachine;
use crate::sim::machine::{Machine, MachineSetup, PASSES_FOR_SECONDS, ProcessRecord};
use crate::sim::policy::{KernelPolicy, SelectionPolicy};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

/// Bytes of a page.
const PAGE: u64 = 4096;
/// Rounds of a machine between two reports of progress.
const ROUNDS_PER_REPORT: u64 = 512;
/// Share of a session from which on the time that is left is estimated.
const SHARE_FOR_ESTIMATE: f64 = 0.05;
/// The note in results.
const ESTIMATED: &str =
    "SIMULATED: counts are those of the model, and times are estimates, not measurements.";

/// The note on other areas.
const OTHERS_DISABLED: &str =
    "The areas of the machine itself are disabled in cases with temporary areas.";
/// The note on how memory is freed.
const FREED_AT_EXIT: &str =
    "The model does not time what a process frees by ending: free latency is that of munmap only.";

/// Prepares a session on a simulated machine that has not begun its own workload.
pub fn prepare_simulated(
    spec: &SessionSpec,
    setup: &MachineSetup,
    files: &UserFiles,
) -> ChangeAttempt<Session> {
    // Shares of available memory are those of the machine's memory limit, as the run is in its cgroup.
    let memory_pages = setup.usable_pages();
    let idle = MachineSetup { memory_pages, load: None, used_at_start: 0.0, ..setup.clone() };
    let running = RunningMachine::new(idle, None);
    let running = running.map_err(ChangeError::Usage)?;
    let target = SimulatedTarget::new(running);
    let machine = ObservedMachine::observe(&target);
    let mut session = create(spec, &machine, files)?;
    if let Some(why) =
        session.experiment.as_ref().and_then(|plan| varied_without_effect(plan, &session.cases))
    {
        return Err(ChangeError::Usage(why));
    }
    for case in &session.cases {
        if let Some(why) = describe_unmodelled(&case.spec, setup, &machine.snapshot) {
            return Err(ChangeError::Usage(format!("{}: {why}", case.spec.title)));
        }
    }
    session.title = format!("SIMULATED {}: {}", setup.name, session.title);
    for case in &mut session.cases {
        case.spec.title = format!("SIMULATED {}: {}", setup.name, case.spec.title);
    }
    let is_experiment = session.experiment.is_some();
    let mut cases = session.cases.iter().map(|case| &case.spec);
    if is_experiment && !setup.areas.is_empty() && cases.any(|spec| !spec.devices.is_empty()) {
        session.notes.push(OTHERS_DISABLED.to_owned());
    } else if !is_experiment {
        let others = cases.find_map(|spec| fits::check_other_areas(spec, &machine.snapshot));
        session.notes.extend(others.map(|check| check.text));
    }
    if [FreeMethod::Exit, FreeMethod::Unmap].iter().all(|method| frees_by(&session, *method)) {
        session.notes.push(FREED_AT_EXIT.to_owned());
    }
    session.notes.extend(describe_time(&session));
    let (costs, kernels) = (&setup.costs.source, describe_kernels(&session, setup));
    session.notes.push(format!("{ESTIMATED} Costs of actions: {costs}. Kernels: {kernels}."));
    Ok(session)
}

/// Names a factor in whose values these cases differ only by a key that the model takes no notice of.
fn varied_without_effect(plan: &Experiment, cases: &[SessionCase]) -> Option<String> {
    plan.factors.iter().find_map(|factor| {
        let chosen = |name: &str| {
            let levels = cases.iter().flat_map(|case| &case.levels);
            levels.into_iter().any(|level| level.factor == factor.name && level.value == name)
        };
        let values: Vec<_> = factor.values.iter().filter(|value| chosen(&value.name)).collect();
        let mut keys = values.iter().flat_map(|value| value.settings.with.keys());
        let text = |value: &FactorSettings, key: &String| {
            value.settings.with.get(key).map(|located| located.text.clone())
        };
        let differs = |key: &&String| {
            let texts: BTreeSet<_> = values.iter().map(|value| text(value, key)).collect();
            is_unmodelled(key) && texts.len() > 1
        };
        let (name, key) = (safe_text(&factor.name), keys.find(differs)?);
        Some(format!(
            "{}, in which the values of the factor {name} differ: leave some out with --only \"{name}=VALUE\"",
            lacks(&format!("with.{key}"))
        ))
    })
}

/// Returns whether the model takes no notice of this key of a workload, which may have the number of a work.
fn is_unmodelled(key: &str) -> bool {
    ["touch", "pace"].iter().any(|known| key.rsplit('.').next() == Some(known))
}

/// Describes what the simulated machine cannot have or do of a run.
fn describe_unmodelled(spec: &RunSpec, setup: &MachineSetup, now: &Snapshot) -> Option<String> {
    let areas = setup.areas.iter().map(|area| u64::from(area.slots));
    let slots = areas.chain(spec.devices.iter().map(|device| device.size.0 / PAGE)).sum();
    let bindings = fits::check_bindings(spec, now).into_iter().next().map(|check| check.text);
    let folios = run_spec::check_folio_sizes(&spec.workload, &spec.locations, now);
    let has_algorithm = spec.devices.iter().any(|device| device.algorithm.is_some());
    describe_excess_slots(slots)
        .or(bindings)
        .or_else(|| folios.map(|problem| problem.to_string()))
        .or_else(|| fits::check_swapoff(spec).map(|check| check.text))
        .or_else(|| has_algorithm.then(|| lacks("compression algorithms")))
}

fn frees_by(session: &Session, method: FreeMethod) -> bool {
    let mut works = session.cases.iter().flat_map(|case| &case.spec.workload.works);
    works.any(|work| work.free == method)
}

/// Says which keys of the workloads the model takes no notice of, as it has no clock.
fn describe_time(session: &Session) -> Option<String> {
    let uses = |is_used: fn(&WorkerGroup) -> bool| {
        session.cases.iter().flat_map(|case| &case.spec.workload.works).any(is_used)
    };
    let seconds = uses(|work| work.seconds.is_some()).then(|| {
        format!("a workload with seconds makes {PASSES_FOR_SECONDS} passes over its memory")
    });
    let pace = uses(|work| work.pace.is_some()).then(|| "pace has no effect".to_owned());
    let effects: Vec<String> = seconds.into_iter().chain(pace).collect();
    (!effects.is_empty()).then(|| format!("The model has no clock: {}.", effects.join("; ")))
}

fn lacks(what: &str) -> String {
    format!("the simulated machine does not model {what}")
}

/// The modelled kernels, and what was compared with a running one.
fn describe_kernels(session: &Session, setup: &MachineSetup) -> String {
    let mut kernels: Vec<String> = Vec::new();
    for case in &session.cases {
        let policy = case.spec.policy.as_deref().unwrap_or(&setup.policy.name);
        let Ok(policy) = KernelPolicy::parse(policy) else { continue };
        let kernel = format!("{} ({})", policy.name, policy.validation());
        if !kernels.contains(&kernel) {
            kernels.push(kernel);
        }
    }
    kernels.join(", ")
}

/// Runs a prepared session on a simulated machine, and stores the result unless the monitor stops it.
pub fn run_simulated(
    session: Session,
    setup: &MachineSetup,
    store: Option<&Result<Store, String>>,
    monitor: &mut dyn Monitor<SessionEvent>,
) -> ChangeAttempt<SessionOutcome> {
    let mut outcome = SessionOutcome::simulated(session);
    let mut progress = SessionProgress::new(&outcome.prepared.session, monitor);
    for place in outcome.experiment.order.clone() {
        let session = &outcome.prepared.session;
        let Some(case) = session.cases.get(place).cloned() else { continue };
        let Some(measured) = outcome.experiment.cases.get_mut(place) else { continue };
        // The cases of an experiment compare their own areas.
        let is_alone = session.experiment.is_some() && !case.spec.devices.is_empty();
        let areas = if is_alone { Vec::new() } else { setup.areas.clone() };
        let setup = &MachineSetup { areas, ..setup.clone() };
        for _ in 0..case.spec.repetitions {
            progress.begin_run(session.experiment.is_some(), &case);
            // A repetition has the same seed in each case, so that cases differ by their factors only.
            let done = measured.run.as_ref().map_or(0, |run| run.measured.len() as u64);
            let mut run = simulate(&case, setup, done, &mut progress)?;
            if let Some(reason) = progress.stopped {
                let mut outcome = SessionOutcome::simulated(outcome.prepared.session);
                outcome.early = Some(RunStatus::Stopped);
                outcome.experiment.why = Some(reason.to_string());
                return Ok(outcome);
            }
            run.repetitions = Some(session.repetitions);
            measured.add(run);
        }
    }
    if let Some(store) = store {
        outcome.storage = outcome.store_result(store);
    }
    Ok(outcome)
}

/// The progress of a session, and whether the monitor has stopped it.
struct SessionProgress<'m> {
    monitor: &'m mut dyn Monitor<SessionEvent>,
    begun: Stamp,
    /// The number of the present repetition of all cases, from 1 on.
    number: u32,
    /// Repetitions of all cases.
    of: u32,
    /// Repetitions of a workload.
    repetitions: u32,
    stopped: Option<StopReason>,
}

impl<'m> SessionProgress<'m> {
    fn new(session: &Session, monitor: &'m mut dyn Monitor<SessionEvent>) -> Self {
        let all = session.order.iter().filter_map(|place| session.cases.get(*place));
        Self {
            monitor,
            begun: Clock::Real.now(),
            number: 0,
            of: all.map(|case| case.spec.repetitions).sum(),
            repetitions: session.cases.first().map_or(1, |case| case.spec.repetitions),
            stopped: None,
        }
    }

    fn begin_run(&mut self, is_experiment: bool, case: &SessionCase) {
        self.number += 1;
        self.report(SessionEvent::Begins(RunStart {
            number: self.number as usize,
            of: self.of as usize,
            case: is_experiment.then(|| case.name.clone()),
            names: Vec::new(),
            limit: case.spec.limit,
            at_most: case.spec.guard.at_most,
        }));
    }

    fn report(&mut self, event: SessionEvent) {
        if let ControlFlow::Break(reason) = self.monitor.event(event) {
            self.stopped.get_or_insert(reason);
        }
    }

    /// Reports how far the run on this machine is.
    fn report_run(&mut self, machine: &Machine) {
        let share = machine.ended_share();
        let taken = Clock::Real.now().seconds_since(self.begun);
        let all = (f64::from(self.number) - 1.0 + share) / f64::from(self.of.max(1));
        self.report(SessionEvent::Running(RunView {
            progress: RunProgress {
                repetition: self.number.min(self.repetitions),
                of: self.repetitions,
                elapsed: taken,
                taken,
                phase: "simulating",
                share: Some(share),
                left: (all > SHARE_FOR_ESTIMATE).then(|| taken / all - taken),
                through: 0,
                processes: 0,
            },
            areas: machine.active_areas(),
            memory: None,
            available: None,
        }));
    }
}

/// The machine of a case.
fn machine_of(spec: &RunSpec, setup: &MachineSetup, seed: u64) -> ChangeAttempt<MachineSetup> {
    let mut setup = MachineSetup { load: None, used_at_start: 0.0, ..setup.clone() };
    if let Some(policy) = &spec.policy {
        let parsed = KernelPolicy::parse(policy);
        setup.policy = parsed.map_err(|why| ChangeError::Usage(format!("policy: {why}")))?;
    }
    setup.limit_pages = Some(pages(spec.whole).clamp(1, setup.usable_pages().max(1)));
    setup.seed = setup.seed.wrapping_add(seed);
    for device in &spec.devices {
        let area = temporary_area(device, &setup.areas);
        setup.areas.push(area);
    }
    Ok(setup)
}

fn pages(bytes: Bytes) -> u32 {
    u32::try_from(bytes.0 / PAGE).unwrap_or(u32::MAX)
}

/// A temporary area, with the first name that is free.
fn temporary_area(device: &TemporaryArea, areas: &[AreaSetup]) -> AreaSetup {
    let (stem, kind) = match device.kind {
        TemporaryAreaKind::Zram => ("/dev/zram", SimDevice::Zram),
        TemporaryAreaKind::File => ("/var/tmp/swapadm-lab", SimDevice::File),
    };
    let names = (0..=areas.len()).map(|number| format!("{stem}{number}"));
    let mut free = names.filter(|name| areas.iter().all(|area| area.path != *name));
    AreaSetup {
        path: free.next().unwrap_or_else(|| stem.to_owned()),
        device: kind,
        slots: pages(device.size).max(2),
        priority: match device.priority {
            Priority::Default => None,
            Priority::Set(number) => Some(i32::from(number)),
        },
        node: None,
        discards: matches!(device.discard, Discard::Pages | Discard::Both),
    }
}

/// Applies the settings of a case.
fn apply(spec: &RunSpec, machine: &mut Machine, now: &Snapshot) -> ChangeAttempt<()> {
    for (knob, value) in &spec.settings {
        let target = settings::target(knob, now);
        let target = target.map_err(|refusal| ChangeError::Usage(refusal.to_string()))?;
        let file = target.file.safe();
        let file = file.trim_start_matches('/');
        if !machine.set_setting(file, value) {
            return Err(ChangeError::Usage(match machine.setting(file) {
                Some(_) => format!("the simulated machine does not take \"{value}\" for {knob}"),
                None => lacks(knob),
            }));
        }
    }
    Ok(())
}

fn simulate(
    case: &SessionCase,
    setup: &MachineSetup,
    seed: u64,
    progress: &mut SessionProgress<'_>,
) -> ChangeAttempt<Run> {
    let spec = &case.spec;
    let own = setup.areas.len();
    let setup = machine_of(spec, setup, spec.seed.wrapping_add(seed))?;
    let ours = setup.areas.iter().skip(own);
    let ours: Vec<Name> = ours.map(|area| Name::from(area.path.as_str())).collect();
    let policy = match setup.policy.selection {
        SelectionPolicy::OneByOne => "one by one",
        SelectionPolicy::PerNode => "per NUMA node",
        SelectionPolicy::RoundRobin => "round robin",
    };
    let mut machine = Machine::new(setup);
    let idle = machine.snapshot();
    apply(spec, &mut machine, &idle)?;
    let started = machine.start(&spec.workload);
    started.map_err(|refusal| ChangeError::Usage(format!("{}: {refusal}", spec.title)))?;
    let found = machine.snapshot();
    let at_ms = Clock::Real.now().wall_ms;
    let run = new_run(spec, &found, &ours, Vec::new());
    let shown = RunMachine { policy: Some(policy.to_owned()), ..run.machine };
    let measured = vec![SimulatedRun::new(machine, found, progress).measure(spec, &ours)];
    Ok(Run { at_ms, repetitions: None, machine: shown, measured, ..run })
}

/// A sample of a run at the time that the cost file estimates until then, as for the whole run.
fn run_sample(machine: &Machine) -> Snapshot {
    let elapsed = Duration::try_from_secs_f64(machine.elapsed_ns() / 1e9).unwrap_or(Duration::MAX);
    let boot_ns = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
    let stamp = Stamp { boot_ns, wall_ms: boot_ns / 1_000_000 };
    Snapshot { stamp, ..machine.run_sample() }
}

/// The use of all areas when they were fullest.
#[derive(Default)]
struct PeakUse {
    pages: u32,
    seconds: f64,
    areas: Vec<u32>,
}

impl PeakUse {
    fn observe(&mut self, machine: &Machine) {
        if machine.swap.used() > self.pages {
            (self.pages, self.seconds) = (machine.swap.used(), machine.elapsed_ns() / 1e9);
            self.areas.clear();
            self.areas.extend(machine.swap.areas().entries().map(SwapSpace::used));
        }
    }
}

/// A run of a workload on a machine.
struct SimulatedRun<'r, 'm> {
    machine: Machine,
    meter: RunMeter,
    peak: PeakUse,
    progress: &'r mut SessionProgress<'m>,
}

/// A swapoff of the areas of a run.
struct SimulatedSwapoff {
    seconds: f64,
    held: Bytes,
    /// Pages that could not be moved.
    left: u32,
}

impl<'r, 'm> SimulatedRun<'r, 'm> {
    fn new(machine: Machine, before: Snapshot, progress: &'r mut SessionProgress<'m>) -> Self {
        Self { machine, meter: RunMeter::begin(before), peak: PeakUse::default(), progress }
    }

    /// Runs until no process runs, or the monitor stops it. The meter thins out the samples of all rounds.
    fn run(&mut self) {
        let Self { machine, meter, peak, progress, .. } = self;
        machine.run(|machine| {
            peak.observe(machine);
            if !meter.skip() {
                meter.observe(&run_sample(machine), None);
            }
            if machine.rounds.is_multiple_of(ROUNDS_PER_REPORT) {
                progress.report_run(machine);
            }
            progress.stopped.is_some()
        });
    }

    /// Disables the areas of the run, whose pages return to memory.
    fn swapoff(&mut self, spec: &RunSpec, ours: &[Name]) -> SimulatedSwapoff {
        let machine = &mut self.machine;
        let room = pages(spec.total().saturating_add(spec.whole));
        machine.setup.limit_pages = None;
        machine.setup.memory_pages = machine.setup.memory_pages.max(room);
        let areas = (0..).zip(machine.swap.areas().entries());
        let areas = areas.filter(|(_, area)| ours.contains(&Name::from(area.setup.path.as_str())));
        let areas: Vec<(u32, u32)> = areas.map(|(number, area)| (number, area.used())).collect();
        let begun = machine.single_cpu_ns();
        let left = areas.iter().map(|(number, _)| machine.swapoff(*number)).sum();
        let held: u32 = areas.iter().map(|(_, used)| used).sum();
        let seconds = (machine.single_cpu_ns() - begun) / 1e9;
        machine.free_held_memory();
        SimulatedSwapoff { seconds, held: Bytes(u64::from(held) * PAGE), left }
    }

    /// Runs the workload to its end.
    fn measure(mut self, spec: &RunSpec, ours: &[Name]) -> RepetitionResult {
        self.run();
        let mut swapoff = None;
        if spec.workload.after == AfterTouching::Swapoff && self.progress.stopped.is_none() {
            swapoff = Some(self.swapoff(spec, ours));
            self.run();
        }
        let Self { machine, meter, peak, .. } = self;
        let mut figures = meter.end(&run_sample(&machine));
        if peak.pages > 0 {
            let spaces = machine.swap.areas().entries().zip(&peak.areas);
            let used = |(space, used): (&SwapSpace, &u32)| {
                (Name::from(space.setup.path.as_str()), Bytes(u64::from(*used) * PAGE))
            };
            let areas: BTreeMap<Name, Bytes> = spaces.map(used).collect();
            measure::add_peak(&mut figures.used, peak.seconds, &areas);
        }
        let left = swapoff.as_ref().map_or(0, |swapoff| swapoff.left);
        RepetitionResult {
            elapsed: Some(machine.elapsed_ns() / 1e9),
            system: Some(machine.system_ns() / 1e9),
            swapoff: swapoff.as_ref().map(|swapoff| swapoff.seconds),
            switched_off: swapoff.map(|swapoff| swapoff.held),
            tasks: machine.process_records().map(|record| task_run(spec, record)).collect(),
            end: describe_end(machine.counters.oom_kill, left),
            stall: None,
            ..figures
        }
    }
}

/// The accesses of a process, in estimated time. The model has no latency of single accesses.
fn task_run(spec: &RunSpec, record: ProcessRecord) -> TaskRun {
    let group = spec.workload.works.get(record.group as usize);
    let is_word = group.is_some_and(|group| group.touch == TouchUnit::Word);
    let is_unmapped = group.is_some_and(|group| group.free == FreeMethod::Unmap);
    let bytes = Bytes(record.touches * if is_word { 8 } else { PAGE });
    let touch_ns = whole(record.touch_ns);
    let (touches, since_begin_ns) = (record.touches, touch_ns);
    TaskRun {
        work: record.group,
        touched: TouchStats { bytes, touches, touch_ns, since_begin_ns, ..TouchStats::default() },
        // Freeing pages in memory costs the model nothing, and what a process frees by ending is not timed.
        free_ns: Some(whole(record.free_ns)).filter(|nanos| *nanos > 0 && is_unmapped),
        user: 0.0,
        system: 0.0,
        minor: None,
        major: None,
    }
}

/// The end of a run in which processes were killed, or after which pages are left on its areas.
fn describe_end(killed: u64, left: u32) -> RepetitionEnd {
    let why = match (killed, left) {
        (0, 0) => return RepetitionEnd::Done,
        (0, left) => format!("swapoff left {left} pages on the areas: memory was full"),
        (killed, _) => {
            format!("processes killed because no memory could be reclaimed: {killed}")
        }
    };
    RepetitionEnd::Failed { why }
}

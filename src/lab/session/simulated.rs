//! Sessions on a simulated machine: the same workloads and experiments, with the figures that the model counts.
//!
//! Nothing is set up or guarded: each repetition has a machine of its own, with the temporary areas among its
//! areas and the memory limit as its memory. Times are estimates of the cost file.

use super::{Experiment, Session, SessionCase, SessionOutcome, SessionSpec, create};
use crate::actions::settings;
use crate::change::{ChangeError, ObservedMachine, SimulatedTarget};
use crate::clock::Clock;
use crate::lab::experiment::FactorSettings;
use crate::lab::fits;
use crate::lab::library::UserFiles;
use crate::lab::measure::{self, RunMeter};
use crate::lab::run_spec::{self, RunSpec, TemporaryArea, TemporaryAreaKind};
use crate::lab::store::Store;
use crate::model::activation::{Discard, Priority};
use crate::model::load::AfterTouching;
use crate::model::run::{self, RepetitionEnd, RepetitionResult, Run, RunMachine};
use crate::model::{Bytes, Name, Snapshot};
use crate::sim::areas::AreaSetup;
use crate::sim::cost::{CostModel, DEFAULT_COSTS, SimDevice};
use crate::sim::describe::describe_excess_slots;
use crate::sim::machine::{Machine, MachineSetup};
use crate::sim::policy::{KernelPolicy, SelectionPolicy};
use crate::sim::running::RunningMachine;
use std::collections::BTreeSet;

/// Bytes of a page.
const PAGE: u64 = 4096;
/// The note in results.
const ESTIMATED: &str = "SIMULATED: counts are those of the model, and times are estimates of the built-in cost file (costs.toml), not measurements.";

/// Prepares a session on a simulated machine that has not begun its own workload.
pub fn prepare_simulated(
    spec: &SessionSpec,
    setup: &MachineSetup,
    files: &UserFiles,
) -> Result<Session, ChangeError> {
    let idle = MachineSetup { load: None, used_at_start: 0.0, ..setup.clone() };
    let running = RunningMachine::new(idle, None);
    let running = running.map_err(|refusal| ChangeError::Usage(refusal.to_string()))?;
    let target = SimulatedTarget::new(running);
    let machine = ObservedMachine::observe(&target);
    let mut session = create(spec, &machine, files)?;
    if let Some(key) =
        session.experiment.as_ref().and_then(|plan| varied_without_effect(plan, &session.cases))
    {
        return Err(ChangeError::Usage(lacks(&format!("the factor with.{key}"))));
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
    session.notes.push(format!("{ESTIMATED} Kernels: {}.", describe_kernels(&session, setup)));
    Ok(session)
}

/// Returns a key of the workload in which these cases differ, and of which the model takes no notice.
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
        keys.find(differs).cloned()
    })
}

/// Returns whether the model takes no notice of this key of a workload, which may have the number of a work.
fn is_unmodelled(key: &str) -> bool {
    ["touch", "pace", "free"].iter().any(|known| key.rsplit('.').next() == Some(known))
}

/// Describes what the simulated machine cannot have or do of a run.
fn describe_unmodelled(spec: &RunSpec, setup: &MachineSetup, now: &Snapshot) -> Option<String> {
    let areas = setup.areas.iter().map(|area| u64::from(area.slots));
    let slots = areas.chain(spec.devices.iter().map(|device| device.size.0 / PAGE)).sum();
    let bindings = fits::check_bindings(spec, now).into_iter().next().map(|check| check.text);
    let folios = run_spec::check_folio_sizes(&spec.workload, &spec.locations, now);
    let ends_with_swapoff = spec.workload.after == AfterTouching::Swapoff;
    let has_algorithm = spec.devices.iter().any(|device| device.algorithm.is_some());
    describe_excess_slots(slots)
        .or(bindings)
        .or_else(|| folios.map(|problem| problem.to_string()))
        .or_else(|| ends_with_swapoff.then(|| lacks("swapoff at the end of a workload")))
        .or_else(|| has_algorithm.then(|| lacks("compression algorithms")))
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

/// Runs a prepared session on a simulated machine, and stores the result.
pub fn run_simulated(
    session: Session,
    setup: &MachineSetup,
    store: Option<&Result<Store, String>>,
) -> Result<SessionOutcome, ChangeError> {
    let mut outcome = SessionOutcome::simulated(session);
    let costs = CostModel::read("costs.toml", DEFAULT_COSTS);
    let costs = costs.map_err(|problems| ChangeError::Usage(problems.join("; ")))?;
    for place in outcome.experiment.order.clone() {
        let Some(case) = outcome.prepared.session.cases.get(place).cloned() else { continue };
        let Some(measured) = outcome.experiment.cases.get_mut(place) else { continue };
        for _ in 0..case.spec.repetitions {
            // A repetition has the same seed in each case, so that cases differ by their factors only.
            let done = measured.run.as_ref().map_or(0, |run| run.measured.len() as u64);
            let mut run = simulate(&case, setup, done, &costs)?;
            run.repetitions = Some(outcome.prepared.session.repetitions);
            measured.add(run);
        }
    }
    if let Some(store) = store {
        outcome.storage = outcome.store_result(store);
    }
    Ok(outcome)
}

/// The machine of a case.
fn machine_of(
    spec: &RunSpec,
    setup: &MachineSetup,
    seed: u64,
) -> Result<MachineSetup, ChangeError> {
    let mut setup = MachineSetup { load: None, used_at_start: 0.0, ..setup.clone() };
    if let Some(policy) = &spec.policy {
        let parsed = KernelPolicy::parse(policy);
        setup.policy = parsed.map_err(|why| ChangeError::Usage(format!("policy: {why}")))?;
    }
    setup.memory_pages = pages(spec.whole).min(setup.memory_pages).max(1);
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
fn apply(spec: &RunSpec, machine: &mut Machine, now: &Snapshot) -> Result<(), ChangeError> {
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
    costs: &CostModel,
) -> Result<Run, ChangeError> {
    let spec = &case.spec;
    let own = setup.areas.len();
    let setup = machine_of(spec, setup, spec.seed.wrapping_add(seed))?;
    let ours: Vec<Name> =
        setup.areas.iter().skip(own).map(|area| Name::from(area.path.as_str())).collect();
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
    Ok(Run {
        schema: run::SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        id: 0,
        at_ms: Clock::Real.now().wall_ms,
        title: spec.title.clone(),
        workload: spec.workload.clone(),
        limit: spec.limit,
        repetitions: None,
        seed: spec.seed,
        machine: RunMachine { policy: Some(policy.to_owned()), ..measure::machine(&found, &ours) },
        settings: measure::settings(&found),
        measured: vec![measure_run(machine, found, costs)],
    })
}

/// Runs all processes to their end, with samples in whole simulated seconds.
fn measure_run(mut machine: Machine, before: Snapshot, costs: &CostModel) -> RepetitionResult {
    let mut meter = RunMeter::begin(before);
    let second = u64::from(machine.setup.rounds_per_second.max(1));
    while !machine.run(|machine| machine.rounds.is_multiple_of(second)) {
        if !meter.skip() {
            meter.observe(&machine.snapshot(), None);
        }
    }
    let figures = meter.end(&machine.snapshot());
    let end = match machine.counters.oom_kill {
        0 => RepetitionEnd::Done,
        killed => RepetitionEnd::Failed {
            why: format!("processes killed because no memory could be reclaimed: {killed}"),
        },
    };
    RepetitionResult {
        elapsed: Some(machine.elapsed_ns(costs) / 1e9),
        system: Some(machine.system_ns(costs) / 1e9),
        counters: figures.counters,
        folios: figures.folios,
        used: figures.used,
        zram: figures.zram,
        zswap: figures.zswap,
        end,
        ..RepetitionResult::failed(String::new())
    }
}

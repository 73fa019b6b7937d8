//! Turns a workload into a session with one case.

use super::spec::{AreaSpec, LoadOptions, SessionSpec};
use super::{Session, SessionCase};
use crate::change::{ChangeAttempt, ChangeError, ObservedMachine};
use crate::lab::fits;
use crate::lab::guard::{GuardLimits, free_swap};
use crate::lab::library::LibraryFolder;
use crate::lab::load::file::KeyLocations;
use crate::lab::load::keys::MIN_LIMIT;
use crate::lab::run_spec::{
    FOLDER, RunSpec, TemporaryArea, TemporaryAreaKind, peak_factor, round_to_64k,
};
use crate::model::activation::{Discard, MAX_PRIORITY, Priority};
use crate::model::format;
use crate::model::load::{MemoryAmount, Workload};
use crate::model::{Bytes, Snapshot};

/// Creates the session of a workload on this machine.
pub(super) fn session(
    spec: &SessionSpec,
    options: &LoadOptions,
    (machine, loads): (&ObservedMachine<'_>, &LibraryFolder),
) -> ChangeAttempt<Session> {
    let (workload, locations) = loads.source(&spec.named)?.load(&options.changes)?;
    let memory = |field: &str| machine.snapshot.memory(field).into_result();
    let available = memory("MemAvailable")?;
    let options = &with_areas(options, machine, available);
    let devices = build_areas(options, &machine.snapshot)?;
    let made: Bytes = devices.iter().map(|device| device.size).sum();
    let swap = free_swap(&machine.snapshot).unwrap_or(Bytes(0)).saturating_add(made);
    if !options.whole_machine {
        check_limit(&workload, &locations, spec.limit)?;
    }
    let own = workload.limit.resolve(available);
    let limit = match spec.limit {
        Some(typed) => typed.resolve(available),
        None => fit_limit_to_swap(&workload, own, swap),
    };
    let is_lowered = spec.limit.is_none() && limit < own && !options.whole_machine;
    let limit = (!options.whole_machine).then(|| round_to_64k(limit));
    let usual = GuardLimits::usual(memory("MemTotal")?, swap, workload.at_most);
    let title = options.title.clone().unwrap_or_else(|| workload.name.clone());
    let repetitions = spec.repetitions.unwrap_or(1);
    let run = RunSpec {
        title: title.clone(),
        whole: limit.unwrap_or(available),
        limit,
        lowered_from: is_lowered.then_some(own),
        workload,
        locations,
        policy: None,
        devices,
        folder: spec.folder.clone().unwrap_or_else(|| FOLDER.into()),
        settings: options.settings.clone(),
        seed: spec.seed,
        repetitions,
        guard: spec.guard.or_usual(usual),
    };
    let case = SessionCase { name: title.clone(), levels: Vec::new(), spec: run };
    Ok(Session {
        title,
        experiment: None,
        cases: vec![case],
        order: vec![0],
        repetitions,
        seed: spec.seed,
        notes: Vec::new(),
        risks: spec.risks.clone(),
    })
}

/// The size of the temporary zram device that is added where no swap is active.
const DEFAULT_ZRAM: Bytes = Bytes(1 << 30);

/// Adds temporary swap on zram if no area is active or requested, and zram is there.
fn with_areas(
    options: &LoadOptions,
    machine: &ObservedMachine<'_>,
    available: Bytes,
) -> LoadOptions {
    let has_none = machine.snapshot.swaps.reading.known().is_some_and(Vec::is_empty);
    let mut options = options.clone();
    if has_none && options.areas.is_empty() && machine.free_zram_numbers().is_ok() {
        let size = round_to_64k(DEFAULT_ZRAM.min(Bytes(available.0 / 2)));
        options.areas.push(AreaSpec { kind: TemporaryAreaKind::Zram, count: 1, size });
    }
    options
}

/// Checks that a limit in bytes is enough for the processes themselves.
fn check_limit(
    workload: &Workload,
    locations: &KeyLocations,
    typed: Option<MemoryAmount>,
) -> ChangeAttempt<()> {
    let MemoryAmount::Bytes(limit) = typed.unwrap_or(workload.limit) else { return Ok(()) };
    let Some(why) = fits::limit_too_small(limit, workload) else { return Ok(()) };
    Err(match typed {
        Some(_) => ChangeError::Usage(format!("--limit: {why}")),
        None => vec![locations.problem("limit", &why)].into(),
    })
}

/// The share of swap that a workload may fill by default.
const MAX_SWAP_SHARE: f64 = 0.8;
/// Sizes above this multiple of the limit mean a workload that takes all memory it can get.
const UNBOUNDED_SHARE: f64 = 5.0;

/// The default limit. If all sizes are shares of it, it is low enough for the excess to fit into
/// swap. A workload that takes all memory it can get keeps its own limit.
fn fit_limit_to_swap(workload: &Workload, limit: Bytes, swap: Bytes) -> Bytes {
    let shares = workload.works.iter().map(|work| match work.size {
        MemoryAmount::Share(share) if share <= UNBOUNDED_SHARE => Some(share * peak_factor(work)),
        MemoryAmount::Share(_) | MemoryAmount::Bytes(_) => None,
    });
    let Some(beyond) = shares.sum::<Option<f64>>().map(|all| all - 1.0) else { return limit };
    if beyond <= 0.0 || swap == Bytes(0) {
        return limit;
    }
    limit.min(MemoryAmount::Share(MAX_SWAP_SHARE / beyond).resolve(swap)).max(MIN_LIMIT)
}

/// The priority above that of all active areas, so that the temporary ones are used first: the kernel's
/// default would put them last. Nothing is above the highest possible priority.
pub(super) fn above_all(snapshot: &Snapshot) -> Priority {
    let highest = snapshot.areas().iter().map(|area| area.priority).max();
    let above = |highest: i32| u16::try_from(highest.saturating_add(1)).unwrap_or(0);
    highest.map_or(Priority::Default, |it| Priority::Set(above(it).min(MAX_PRIORITY)))
}

/// The requested temporary areas, if each is large enough for pages of this machine.
fn build_areas(options: &LoadOptions, snapshot: &Snapshot) -> ChangeAttempt<Vec<TemporaryArea>> {
    let page = snapshot.page_size.known().copied();
    let priority = options.priority.unwrap_or_else(|| above_all(snapshot));
    let mut devices = Vec::new();
    for area in &options.areas {
        let AreaSpec { kind, count, size } = *area;
        if let Some(Err(why)) = page.map(|page| format::pages(size, page)) {
            return Err(ChangeError::Usage(format!("--{} \"{area}\": {why}", kind.word())));
        }
        let device = TemporaryArea {
            kind,
            size,
            algorithm: options.algorithm.clone(),
            priority,
            discard: Discard::None,
        };
        devices.extend(std::iter::repeat_n(device, count));
    }
    Ok(devices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing::area;
    use crate::model::{Reading, Sampled, Stamp};

    #[test]
    fn temporary_areas_are_used_first_unless_another_priority_is_requested() {
        let with = |priorities: &[i32]| {
            let areas = priorities.iter().map(|priority| area("/dev/sda2", *priority, 9, 0));
            let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
            snapshot.swaps = Sampled::new(None, Reading::Known(areas.collect()));
            above_all(&snapshot)
        };
        assert_eq!(with(&[]), Priority::Default);
        assert_eq!(with(&[-2, -3]), Priority::Set(0));
        assert_eq!(with(&[-2, 100, 5]), Priority::Set(101));
        assert_eq!(with(&[32767]), Priority::Set(MAX_PRIORITY));
    }

    #[test]
    fn the_default_limit_lets_the_load_fit_into_swap() {
        let load = |text: &str| crate::lab::load::file::read("x", text).unwrap();
        let twice = load("[[work]]\nprocesses = 4\nsize = \"50%\"\n");
        let of = |load: &Workload, limit, swap| {
            fit_limit_to_swap(load, Bytes(limit), Bytes(swap)).0 >> 20
        };
        let mib = |mib: u64| mib << 20;
        assert_eq!(of(&twice, mib(1000), mib(1000)), 800);
        assert_eq!(of(&twice, mib(100), mib(1000)), 100);
        assert_eq!(of(&twice, mib(1000), 0), 1000, "a run without swap is refused elsewhere");
        let one =
            |memory: &str| load(&format!("[[work]]\nsize = \"150%\"\nmemory = \"{memory}\"\n"));
        assert_eq!(of(&one("anonymous"), mib(1000), mib(400)), 640, "half of it goes to swap");
        assert_eq!(of(&one("forked"), mib(1000), mib(400)), 160, "and a copy of all of it");
        let leak = load("[[work]]\nsize = \"1000%\"\n");
        assert_eq!(of(&leak, mib(1000), mib(1000)), 1000);
        let fixed = load("[[work]]\nsize = \"3G\"\n");
        assert_eq!(of(&fixed, mib(1000), mib(1000)), 1000);
    }
}

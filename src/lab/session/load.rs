//! A load becomes a session with one case.

use super::spec::{AreaSpec, LoadOptions, SessionSpec};
use super::{Case, Session};
use crate::change::Machine;
use crate::lab::guard::{GuardLimits, free_swap};
use crate::lab::library::Folder;
use crate::lab::load::file::Places;
use crate::lab::load::keys::LEAST_LIMIT;
use crate::lab::run_spec::{Device, FOLDER, RunSpec, most, whole_pages};
use crate::lab::{LabError, fits};
use crate::model::activation::Discard;
use crate::model::format;
use crate::model::load::{Amount, Workload};
use crate::model::{Bytes, Missing};

/// Makes the session of a load on this machine.
pub(super) fn session(
    spec: &SessionSpec,
    options: &LoadOptions,
    (machine, loads): (&Machine<'_>, &Folder),
) -> Result<Session, LabError> {
    let (workload, places) = loads.source(&spec.named)?.load(&options.changes)?;
    let memory = |field: &str| machine.snapshot.memory(field).into_result();
    let missing = |missing: Missing| LabError::Unreadable(missing.why());
    let available = memory("MemAvailable").map_err(missing)?;
    let devices = devices(options, machine.snapshot.page_size.known().copied())?;
    let made: Bytes = devices.iter().map(|device| device.size).sum();
    let swap = free_swap(&machine.snapshot).unwrap_or(Bytes(0)).saturating_add(made);
    if !options.whole_machine {
        holds(&workload, &places, spec.limit)?;
    }
    let limit = match spec.limit {
        Some(typed) => typed.of(available),
        None => fitting(&workload, workload.limit.of(available), swap),
    };
    let limit = (!options.whole_machine).then(|| whole_pages(limit));
    let usual = GuardLimits::usual(memory("MemTotal").map_err(missing)?, swap, workload.at_most);
    let title = options.title.clone().unwrap_or_else(|| workload.name.clone());
    let repetitions = spec.repetitions.unwrap_or(1);
    let run = RunSpec {
        title: title.clone(),
        whole: limit.unwrap_or(available),
        limit,
        workload,
        places,
        devices,
        folder: spec.folder.clone().unwrap_or_else(|| FOLDER.into()),
        settings: options.settings.clone(),
        seed: spec.seed,
        repetitions,
        guard: spec.guard.or(usual),
    };
    let case = Case { name: title.clone(), levels: Vec::new(), spec: run };
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

/// Checks that a limit in bytes holds the processes themselves.
fn holds(workload: &Workload, places: &Places, typed: Option<Amount>) -> Result<(), LabError> {
    let Amount::Bytes(limit) = typed.unwrap_or(workload.limit) else { return Ok(()) };
    let Some(why) = fits::too_little(limit, workload) else { return Ok(()) };
    Err(match typed {
        Some(_) => LabError::Invalid(format!("--limit: {why}")),
        None => vec![places.problem("limit", &why)].into(),
    })
}

/// The share of swap that a load may fill without another limit.
const FILLED: f64 = 0.8;
/// Shares of the limit above which a load takes whatever there is.
const ALL: f64 = 5.0;

/// The limit of a load; where all sizes are shares of it, no more than lets what goes to swap fit
/// there. A load that takes whatever there is keeps its own.
fn fitting(workload: &Workload, limit: Bytes, swap: Bytes) -> Bytes {
    let shares = workload.works.iter().map(|work| match work.size {
        Amount::Share(share) if share <= ALL => Some(share * most(work)),
        Amount::Share(_) | Amount::Bytes(_) => None,
    });
    let Some(beyond) = shares.sum::<Option<f64>>().map(|all| all - 1.0) else { return limit };
    if beyond <= 0.0 || swap == Bytes(0) {
        return limit;
    }
    limit.min(Amount::Share(FILLED / beyond).of(swap)).max(LEAST_LIMIT)
}

/// The areas that are asked for, each large enough for pages of this size.
fn devices(options: &LoadOptions, page: Option<u64>) -> Result<Vec<Device>, LabError> {
    let mut devices = Vec::new();
    for area in &options.areas {
        let AreaSpec { kind, count, size } = *area;
        if let Some(Err(why)) = page.map(|page| format::pages(size, page)) {
            return Err(LabError::Invalid(format!("--{} \"{area}\": {why}", kind.word())));
        }
        let device = Device {
            kind,
            size,
            algorithm: options.algorithm.clone(),
            priority: options.priority,
            discard: Discard::None,
        };
        devices.extend(std::iter::repeat_n(device, count));
    }
    Ok(devices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_nobody_typed_lets_the_load_fit_into_swap() {
        let load = |text: &str| crate::lab::load::file::read("x", text).unwrap();
        let twice = load("[[work]]\nprocesses = 4\nsize = \"50%\"\n");
        let of = |load: &Workload, limit, swap| fitting(load, Bytes(limit), Bytes(swap)).0 >> 20;
        let mib = |mib: u64| mib << 20;
        assert_eq!(of(&twice, mib(1000), mib(1000)), 800);
        assert_eq!(of(&twice, mib(100), mib(1000)), 100);
        assert_eq!(of(&twice, mib(1000), 0), 1000, "that is refused for another reason");
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

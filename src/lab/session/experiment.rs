//! Turns an experiment into a session: a case for each combination of its values, as a run on this
//! machine. Sizes are shares of its memory.

use super::load::above_all;
use super::spec::{ExperimentOptions, FactorChoice, SessionSpec};
use super::{Session, SessionCase};
use crate::change::{ChangeAttempt, ChangeError, ObservedMachine};
use crate::config::{KeyLocation, Problem};
use crate::lab::experiment::settings::{CaseSettings, LocatedText, TemporaryAreaKinds};
use crate::lab::experiment::{
    self, CaseConflict, Combination, ExperimentPlan, Factor, Note, NoteCondition, file,
};
use crate::lab::fits;
use crate::lab::guard::{GuardLimits, free_swap};
use crate::lab::library::{LibraryFolder, UserFiles};
use crate::lab::load::file::{KeyLocations, KeyOverride};
use crate::lab::run_spec::{self, FOLDER, RunSpec, TemporaryArea, TemporaryAreaKind, round_to_64k};
use crate::model::activation::{Discard, Priority};
use crate::model::load::{MemoryAmount, Workload};
use crate::model::name::safe_text;
use crate::model::text::did_you_mean;
use crate::model::{Bytes, Name, Snapshot};
use std::ffi::OsStr;

/// Creates the session of an experiment on this machine.
pub(super) fn session(
    spec: &SessionSpec,
    options: &ExperimentOptions,
    (machine, files): (&ObservedMachine<'_>, &UserFiles),
) -> ChangeAttempt<Session> {
    let plan = file::plan(&files.experiments.source(&spec.named)?)?;
    let scale = MachineScale::for_machine(spec, options, &machine.snapshot)?;
    let chosen = select_cases(&plan, &options.only)?;
    scale.check_areas(&chosen).map_err(|it| kind_error(&it))?;
    if options.kinds.is_some() && !chosen.iter().any(Combination::has_open_kind) {
        let why = "--kind: no case leaves the kind of its temporary areas open: remove --kind";
        return Err(ChangeError::Usage(why.to_owned()));
    }
    let loads = read_loads((&plan, &scale), &chosen, &files.loads, machine)?;
    let case = |(values, load): (Combination, LocatedLoad)| {
        let mut run = build_run(&plan, &values, load, &scale);
        run.guard = spec.guard.or_usual(run.guard);
        SessionCase { name: values.name, levels: values.levels, spec: run }
    };
    let cases: Vec<SessionCase> = chosen.into_iter().zip(loads).map(case).collect();
    let devices = cases.iter().flat_map(|case| &case.spec.devices);
    let kinds: Vec<TemporaryAreaKind> = devices.map(|device| device.kind).collect();
    if spec.folder.is_some() && !kinds.contains(&TemporaryAreaKind::File) {
        let why =
            "--file-in: the experiment has no swap file: add --kind file, or remove --file-in";
        return Err(ChangeError::Usage(why.to_owned()));
    }
    let repetitions = spec.repetitions.unwrap_or(plan.repetitions);
    Ok(Session {
        title: plan.name.clone(),
        order: experiment::shuffle_runs(cases.len(), repetitions, spec.seed),
        repetitions,
        seed: spec.seed,
        risks: spec.risks.clone(),
        notes: notes(&plan.notes, &machine.snapshot, &kinds),
        experiment: Some(Box::new(plan)),
        cases,
    })
}

/// Reads the workload of each case.
fn read_loads(
    (plan, scale): (&ExperimentPlan, &MachineScale),
    cases: &[Combination],
    known: &LibraryFolder,
    machine: &ObservedMachine<'_>,
) -> Result<Vec<LocatedLoad>, Vec<Problem>> {
    let (mut loads, mut wrongs) = (Vec::new(), Vec::new());
    for case in cases {
        match read_load(plan, case, known) {
            Ok(load) => {
                wrongs.extend(load_problems(plan, case, &load, (scale, &machine.snapshot)));
                loads.push(load);
            }
            Err(found) => wrongs.extend(found),
        }
        wrongs.extend(knob_problems(plan, case, machine));
    }
    let mut each: Vec<Problem> = Vec::new();
    for wrong in wrongs {
        if !each.contains(&wrong) {
            each.push(wrong);
        }
    }
    if each.is_empty() { Ok(loads) } else { Err(each) }
}

/// Reports kinds given as an option that do not fit a case.
fn kind_error(misfit: &CaseConflict) -> ChangeError {
    let of = if misfit.key == "kind" { String::new() } else { format!("{} of ", misfit.key) };
    ChangeError::Usage(format!("--kind: {of}{}", misfit.why))
}

/// Selects the cases with the requested values.
fn select_cases(plan: &ExperimentPlan, only: &[FactorChoice]) -> ChangeAttempt<Vec<Combination>> {
    let mut cases = experiment::cases(plan);
    for choice in only {
        let FactorChoice { factor, values } = choice;
        if let Some(why) = describe_unknown(plan, factor, values) {
            let typed = safe_text(&choice.to_string());
            return Err(ChangeError::Usage(format!("--only \"{typed}\": {}", safe_text(&why))));
        }
        cases.retain(|case| {
            case.levels.iter().any(|it| it.factor == *factor && values.contains(&it.value))
        });
    }
    if cases.is_empty() {
        let why = "--only: no case has all these values: name all values of a factor together, such as --only FACTOR=VALUE,VALUE";
        return Err(ChangeError::Usage(why.to_owned()));
    }
    Ok(cases)
}

/// Describes an unknown factor or value, and lists the known ones.
fn describe_unknown(plan: &ExperimentPlan, factor: &str, values: &[String]) -> Option<String> {
    let names = |factor: &Factor| -> Vec<String> {
        factor.values.iter().map(|value| value.name.clone()).collect()
    };
    let Some(known) = plan.factors.iter().find(|it| it.name == factor) else {
        let all: Vec<String> =
            plan.factors.iter().map(|it| format!("{}={}", it.name, names(it).join(","))).collect();
        let meant = did_you_mean(factor, plan.factors.iter().map(|it| it.name.as_str()));
        let all = all.join(" and ");
        return Some(format!("{} has no factor {factor}: it has {all}{meant}", plan.name));
    };
    let names = names(known);
    let value = values.iter().find(|typed| !names.contains(typed))?;
    let meant = did_you_mean(value, names.iter().map(String::as_str));
    let all = names.join(",");
    let not = if value.is_empty() {
        "a value is missing".to_owned()
    } else {
        format!("no value {value}")
    };
    Some(format!("{not}: {} has {factor}={all}{meant}", plan.name))
}

/// Values that apply to all cases.
#[derive(Clone, Debug, PartialEq)]
struct MachineScale {
    /// Available memory.
    available: Bytes,
    /// Total memory.
    memory: Bytes,
    /// The priority above that of all active areas.
    first: Priority,
    /// Free swap, without the temporary areas.
    swap: Bytes,
    /// The limit given as an option, for cases that set none.
    limit: Option<MemoryAmount>,
    /// The kinds of areas given as an option, for cases that set none.
    kinds: Option<TemporaryAreaKinds>,
    /// The folder of temporary swap files.
    folder: Name,
    /// The factor for limits of experiments and workloads.
    factor: f64,
    /// The random seed.
    seed: u64,
}

impl MachineScale {
    /// Combines the options with the memory of this machine.
    fn for_machine(
        spec: &SessionSpec,
        options: &ExperimentOptions,
        snapshot: &Snapshot,
    ) -> ChangeAttempt<Self> {
        let memory = |field: &str| snapshot.memory(field).into_result();
        Ok(Self {
            available: memory("MemAvailable")?,
            memory: memory("MemTotal")?,
            first: above_all(snapshot),
            swap: free_swap(snapshot).unwrap_or(Bytes(0)),
            limit: spec.limit,
            kinds: options.kinds.clone(),
            folder: spec.folder.clone().unwrap_or_else(|| FOLDER.into()),
            factor: options.scale.unwrap_or(1.0),
            seed: spec.seed,
        })
    }

    /// The limit of a case: as typed, or that of the file times the factor.
    fn limit(&self, case: &Combination, load: &Workload) -> MemoryAmount {
        let typed = self.limit.filter(|_| case.own.limit.is_none());
        typed.unwrap_or_else(|| match case.settings.limit.unwrap_or(load.limit) {
            MemoryAmount::Share(share) => MemoryAmount::Share(share * self.factor),
            MemoryAmount::Bytes(bytes) => MemoryAmount::Bytes(bytes.times(self.factor)),
        })
    }

    fn kinds<'k>(&'k self, case: &'k Combination) -> Option<&'k TemporaryAreaKinds> {
        let typed = self.kinds.as_ref().filter(|_| case.own.kinds.is_none());
        typed.or(case.settings.kinds.as_ref())
    }

    /// Checks that the kinds given as an option fit these cases.
    fn check_areas(&self, cases: &[Combination]) -> Result<(), CaseConflict> {
        if self.kinds.is_none() {
            return Ok(());
        }
        let kinds = |case| self.kinds(case);
        experiment::check_areas(cases, &kinds)
    }
}

/// A workload, and where its keys are set.
type LocatedLoad = (Workload, KeyLocations);

/// Reads the workload of a case. Errors in overrides are reported in the experiment's file.
fn read_load(
    plan: &ExperimentPlan,
    case: &Combination,
    loads: &LibraryFolder,
) -> Result<LocatedLoad, Vec<Problem>> {
    let Some(said) = &case.settings.load else {
        let text = format!("the case {} has no load", case.name);
        return Err(vec![location(plan, "load", None).problem(&text)]);
    };
    let source = loads
        .source(OsStr::new(&said.text))
        .map_err(|error| vec![location(plan, "load", said.line).problem(&error.to_string())])?;
    let change = |(key, said): (&String, &LocatedText)| KeyOverride {
        key: key.clone(),
        value: Some(said.text.clone()),
        place: location(plan, &format!("with.{key}"), said.line),
    };
    source.load(&case.settings.with.iter().map(change).collect::<Vec<_>>())
}

/// The location of a key in the experiment's file.
fn location(plan: &ExperimentPlan, key: &str, line: Option<usize>) -> KeyLocation {
    KeyLocation::in_file(&plan.file).at_line(line).with_key(key)
}

/// Reports what this machine lacks for a workload, or a limit that is too small for it.
fn load_problems(
    plan: &ExperimentPlan,
    case: &Combination,
    (load, locations): &LocatedLoad,
    (scale, snapshot): (&MachineScale, &Snapshot),
) -> Vec<Problem> {
    let folios = run_spec::check_folio_sizes(load, locations, snapshot);
    folios.into_iter().chain(limit_problem(plan, case, (load, locations), scale)).collect()
}

/// Checks a limit in bytes. Limits given as shares are checked together with everything else the
/// machine may lack.
fn limit_problem(
    plan: &ExperimentPlan,
    case: &Combination,
    (load, locations): (&Workload, &KeyLocations),
    scale: &MachineScale,
) -> Option<Problem> {
    let typed = scale.limit.filter(|_| case.own.limit.is_none());
    let MemoryAmount::Bytes(limit) = scale.limit(case, load) else { return None };
    let text = fits::limit_too_small(limit, load)?;
    Some(match (typed, case.settings.limit) {
        (Some(_), _) => KeyLocation::in_file("--limit").problem(&text),
        (None, Some(_)) => {
            location(plan, "limit", case.settings.lines.get("limit").copied()).problem(&text)
        }
        (None, None) => locations.problem("limit", &text),
    })
}

/// Reports settings of a case that this machine does not have, or not with these values.
fn knob_problems(
    plan: &ExperimentPlan,
    case: &Combination,
    machine: &ObservedMachine<'_>,
) -> Vec<Problem> {
    let settings = &case.settings;
    let problem = |(knob, value): (&String, &String)| {
        let key = format!("set.{knob}");
        let text = run_spec::check_knob(knob, value, machine).err()?;
        Some(location(plan, &key, settings.lines.get(&key).copied()).problem(&text))
    };
    settings.set.iter().filter_map(problem).collect()
}

/// Creates the run of a case.
fn build_run(
    plan: &ExperimentPlan,
    case: &Combination,
    (load, locations): LocatedLoad,
    scale: &MachineScale,
) -> RunSpec {
    let limit = round_to_64k(scale.limit(case, &load).resolve(scale.available));
    let kinds = scale.kinds(case);
    let kind = |place| kinds.map_or(TemporaryAreaKind::Zram, |kinds| kinds.for_area(place));
    let devices = build_areas(&case.settings, (limit, scale.first), &kind);
    let made: Bytes = devices.iter().map(|device| device.size).sum();
    let swap = scale.swap.saturating_add(made);
    let levels = case.levels.iter().map(|level| format!("{}={}", level.factor, level.value));
    let levels: Vec<String> = levels.collect();
    RunSpec {
        title: format!("{}: {}", plan.name, levels.join(" ")),
        guard: GuardLimits::usual(scale.memory, swap, load.at_most),
        workload: load,
        locations,
        limit: Some(limit),
        lowered_from: None,
        whole: limit,
        policy: case.settings.policy.clone(),
        devices,
        folder: scale.folder.clone(),
        settings: case.settings.set.clone().into_iter().collect(),
        seed: scale.seed,
        repetitions: 1,
    }
}

fn build_areas(
    settings: &CaseSettings,
    (limit, first): (Bytes, Priority),
    kind: &dyn Fn(usize) -> TemporaryAreaKind,
) -> Vec<TemporaryArea> {
    let sizes = settings.devices.as_deref().unwrap_or_default();
    let priority = |place| match &settings.priorities {
        Some(priorities) => priorities.for_area(place, sizes.len()),
        // One area has to be used, whatever other areas there are.
        None if sizes.len() == 1 => first,
        None => Priority::Default,
    };
    let device = |(place, size): (usize, &MemoryAmount)| TemporaryArea {
        kind: kind(place),
        size: round_to_64k(size.resolve(limit)).max(MIN_AREA),
        algorithm: settings.algorithm.clone(),
        priority: priority(place),
        discard: settings.discard.unwrap_or(Discard::None),
    };
    sizes.iter().enumerate().map(device).collect()
}

/// The smallest temporary area.
const MIN_AREA: Bytes = Bytes(1 << 20);

/// The notes that apply on this machine and to these kinds of areas.
fn notes(notes: &[Note], snapshot: &Snapshot, kinds: &[TemporaryAreaKind]) -> Vec<String> {
    let count = snapshot.numa.reading.known().map(Vec::len);
    let holds = |when| match when {
        NoteCondition::Always => true,
        NoteCondition::OneNode => count.is_none_or(|count| count < 2),
        NoteCondition::SeveralNodes => count.is_some_and(|count| count > 1),
        NoteCondition::Uses(kind) => kinds.contains(&kind),
    };
    notes.iter().filter(|note| holds(note.when)).map(|note| note.text.clone()).collect()
}

#[cfg(test)]
mod tests;

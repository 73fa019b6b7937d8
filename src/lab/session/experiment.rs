//! An experiment becomes a session: a case for each combination of its values, as a run on this
//! machine. Sizes are shares of what that has.

use super::spec::{Choice, ExperimentOptions, SessionSpec};
use super::{Case, Session};
use crate::change::Machine;
use crate::config::{Place, Problem};
use crate::lab::experiment::settings::{Kinds, Priorities, Said, Settings};
use crate::lab::experiment::{self, Combination, Factor, Misfit, Note, Plan, When, file};
use crate::lab::guard::{GuardLimits, free_swap};
use crate::lab::library::{Folder, UserFiles};
use crate::lab::load::file::{Change, Places};
use crate::lab::run_spec::{self, Device, FOLDER, Kind, RunSpec, whole_pages};
use crate::lab::{LabError, fits};
use crate::model::activation::Discard;
use crate::model::load::{Amount, Workload};
use crate::model::name::safe_text;
use crate::model::text::question;
use crate::model::{Bytes, Name, Snapshot};
use std::ffi::OsStr;

/// Makes the session of an experiment on this machine.
pub(super) fn session(
    spec: &SessionSpec,
    options: &ExperimentOptions,
    (machine, files): (&Machine<'_>, &UserFiles),
) -> Result<Session, LabError> {
    let plan = file::plan(&files.experiments.source(&spec.named)?)?;
    let scale = Scale::of(spec, options, &machine.snapshot)?;
    let chosen = chosen(&plan, &options.only)?;
    scale.fits(&chosen).map_err(|it| misfit(&it))?;
    let loads = loads((&plan, &scale), &chosen, &files.loads, machine)?;
    let case = |(values, load): (Combination, Located)| {
        let mut run = run_of(&plan, &values, load, &scale);
        run.guard = spec.guard.or(run.guard);
        Case { name: values.name, levels: values.levels, spec: run }
    };
    let cases: Vec<Case> = chosen.into_iter().zip(loads).map(case).collect();
    let devices = cases.iter().flat_map(|case| &case.spec.devices);
    let kinds: Vec<Kind> = devices.map(|device| device.kind).collect();
    if spec.folder.is_some() && !kinds.contains(&Kind::File) {
        let why = "--file-in: no area is made in a file: say --kind file, or leave it out";
        return Err(LabError::Invalid(why.to_owned()));
    }
    let repetitions = spec.repetitions.unwrap_or(plan.repetitions);
    Ok(Session {
        title: plan.name.clone(),
        order: experiment::order(cases.len(), repetitions, spec.seed),
        repetitions,
        seed: spec.seed,
        risks: spec.risks.clone(),
        notes: notes(&plan.notes, &machine.snapshot, &kinds),
        experiment: Some(Box::new(plan)),
        cases,
    })
}

/// The load of each case.
fn loads(
    (plan, scale): (&Plan, &Scale),
    cases: &[Combination],
    known: &Folder,
    machine: &Machine<'_>,
) -> Result<Vec<Located>, Vec<Problem>> {
    let (mut loads, mut wrongs) = (Vec::new(), Vec::new());
    for case in cases {
        match read_load(plan, case, known) {
            Ok(load) => {
                wrongs.extend(unfit(plan, case, &load, (scale, &machine.snapshot)));
                loads.push(load);
            }
            Err(found) => wrongs.extend(found),
        }
        wrongs.extend(unset(plan, case, machine));
    }
    let mut each: Vec<Problem> = Vec::new();
    for wrong in wrongs {
        if !each.contains(&wrong) {
            each.push(wrong);
        }
    }
    if each.is_empty() { Ok(loads) } else { Err(each) }
}

/// Reports that what was typed does not fit what a case says.
fn misfit(misfit: &Misfit) -> LabError {
    let of = if misfit.key == "kind" { String::new() } else { format!("{} of ", misfit.key) };
    LabError::Invalid(format!("--kind: {of}{}", misfit.why))
}

/// The cases that have the values that were typed.
fn chosen(plan: &Plan, only: &[Choice]) -> Result<Vec<Combination>, LabError> {
    let mut cases = experiment::cases(plan);
    for choice in only {
        let Choice { factor, values } = choice;
        if let Some(why) = unknown(plan, factor, values) {
            let typed = safe_text(&choice.to_string());
            return Err(LabError::Invalid(format!("--only \"{typed}\": {}", safe_text(&why))));
        }
        cases.retain(|case| {
            case.levels.iter().any(|it| it.factor == *factor && values.contains(&it.value))
        });
    }
    Ok(cases)
}

/// What of a factor and its values an experiment does not have, and what it has.
fn unknown(plan: &Plan, factor: &str, values: &[String]) -> Option<String> {
    let names = |factor: &Factor| -> Vec<String> {
        factor.values.iter().map(|value| value.name.clone()).collect()
    };
    let Some(known) = plan.factors.iter().find(|it| it.name == factor) else {
        let all: Vec<String> =
            plan.factors.iter().map(|it| format!("{}={}", it.name, names(it).join(","))).collect();
        let meant = question(factor, plan.factors.iter().map(|it| it.name.as_str()));
        let all = all.join(" and ");
        return Some(format!("{} has no factor {factor}: it has {all}{meant}", plan.name));
    };
    let names = names(known);
    let value = values.iter().find(|typed| !names.contains(typed))?;
    let meant = question(value, names.iter().map(String::as_str));
    let all = names.join(",");
    let not =
        if value.is_empty() { "no value is named".to_owned() } else { format!("no value {value}") };
    Some(format!("{not}: {} has {factor}={all}{meant}", plan.name))
}

/// What is the same for all cases.
#[derive(Clone, Debug, PartialEq)]
struct Scale {
    /// Memory that is available.
    available: Bytes,
    /// Memory in all.
    memory: Bytes,
    /// Swap that is free without the areas that are made.
    swap: Bytes,
    /// The limit that was typed, where the case itself says none.
    limit: Option<Amount>,
    /// What carries areas as it was typed, where the case itself says nothing.
    kinds: Option<Kinds>,
    /// The folder of files that carry areas.
    folder: Name,
    /// Limits that are shares are so many times as large.
    factor: f64,
    /// What all chance comes from.
    seed: u64,
}

impl Scale {
    /// Of what was typed, on this machine.
    fn of(
        spec: &SessionSpec,
        options: &ExperimentOptions,
        snapshot: &Snapshot,
    ) -> Result<Self, LabError> {
        let memory = |field: &str| {
            let known = snapshot.memory(field).into_result();
            known.map_err(|missing| LabError::Unreadable(missing.why()))
        };
        Ok(Self {
            available: memory("MemAvailable")?,
            memory: memory("MemTotal")?,
            swap: free_swap(snapshot).unwrap_or(Bytes(0)),
            limit: spec.limit,
            kinds: options.kinds.clone(),
            folder: spec.folder.clone().unwrap_or_else(|| FOLDER.into()),
            factor: options.scale.unwrap_or(1.0),
            seed: spec.seed,
        })
    }

    fn limit(&self, case: &Combination, load: &Workload) -> Bytes {
        let typed = self.limit.filter(|_| case.own.limit.is_none());
        let limit = match (typed, case.settings.limit.unwrap_or(load.limit)) {
            (Some(typed), _) => typed,
            (None, Amount::Share(share)) => Amount::Share(share * self.factor),
            (None, bytes @ Amount::Bytes(_)) => bytes,
        };
        whole_pages(limit.of(self.available))
    }

    fn kinds<'k>(&'k self, case: &'k Combination) -> Option<&'k Kinds> {
        let typed = self.kinds.as_ref().filter(|_| case.own.kinds.is_none());
        typed.or(case.settings.kinds.as_ref())
    }

    /// Does what carries areas, as it was typed, fit these cases?
    fn fits(&self, cases: &[Combination]) -> Result<(), Misfit> {
        if self.kinds.is_none() {
            return Ok(());
        }
        let kinds = |case| self.kinds(case);
        experiment::fits(cases, &kinds)
    }
}

/// A load, and where each thing was said of it.
type Located = (Workload, Places);

/// Reads the load of a case. What the experiment's file changes in it is wrong there.
fn read_load(plan: &Plan, case: &Combination, loads: &Folder) -> Result<Located, Vec<Problem>> {
    let Some(said) = &case.settings.load else {
        let text = format!("the case {} has no load", case.name);
        return Err(vec![place(plan, "load", None).problem(&text)]);
    };
    let source = loads
        .source(OsStr::new(&said.text))
        .map_err(|error| vec![place(plan, "load", said.line).problem(&error.to_string())])?;
    let change = |(key, said): (&String, &Said)| Change {
        key: key.clone(),
        value: Some(said.text.clone()),
        place: place(plan, &format!("with.{key}"), said.line),
    };
    source.load(&case.settings.with.iter().map(change).collect::<Vec<_>>())
}

/// A key of the experiment's file.
fn place(plan: &Plan, key: &str, line: Option<usize>) -> Place {
    Place::of(&plan.file).at(line).key(key)
}

/// What of a load this machine does not have, or what the limit of the case does not hold.
fn unfit(
    plan: &Plan,
    case: &Combination,
    (load, places): &Located,
    (scale, snapshot): (&Scale, &Snapshot),
) -> Vec<Problem> {
    let folios = run_spec::folios(load, places, snapshot);
    folios.into_iter().chain(too_little(plan, case, (load, places), scale)).collect()
}

/// A share of what the machine has is looked at with all else that the machine does not have.
fn too_little(
    plan: &Plan,
    case: &Combination,
    (load, places): (&Workload, &Places),
    scale: &Scale,
) -> Option<Problem> {
    let typed = scale.limit.filter(|_| case.own.limit.is_none());
    let Amount::Bytes(limit) = typed.or(case.settings.limit).unwrap_or(load.limit) else {
        return None;
    };
    let text = fits::too_little(limit, load)?;
    Some(match (typed, case.settings.limit) {
        (Some(_), _) => Place::of("--limit").problem(&text),
        (None, Some(_)) => {
            place(plan, "limit", case.settings.lines.get("limit").copied()).problem(&text)
        }
        (None, None) => places.problem("limit", &text),
    })
}

/// The knobs of a case that this machine does not have, or not with these values.
fn unset(plan: &Plan, case: &Combination, machine: &Machine<'_>) -> Vec<Problem> {
    let settings = &case.settings;
    let problem = |(knob, value): (&String, &String)| {
        let key = format!("set.{knob}");
        let text = run_spec::knob(knob, value, machine).err()?;
        Some(place(plan, &key, settings.lines.get(&key).copied()).problem(&text))
    };
    settings.set.iter().filter_map(problem).collect()
}

/// A run of a case.
fn run_of(plan: &Plan, case: &Combination, (load, places): Located, scale: &Scale) -> RunSpec {
    let limit = scale.limit(case, &load);
    let kinds = scale.kinds(case);
    let kind = |place| kinds.map_or(Kind::Zram, |kinds| kinds.of(place));
    let devices = devices(&case.settings, limit, &kind);
    let made: Bytes = devices.iter().map(|device| device.size).sum();
    let swap = scale.swap.saturating_add(made);
    RunSpec {
        title: format!("{}: {}", plan.name, case.name),
        guard: GuardLimits::usual(scale.memory, swap, load.at_most),
        workload: load,
        places,
        limit: Some(limit),
        whole: limit,
        devices,
        folder: scale.folder.clone(),
        settings: case.settings.set.clone().into_iter().collect(),
        seed: scale.seed,
        repetitions: 1,
    }
}

fn devices(settings: &Settings, limit: Bytes, kind: &dyn Fn(usize) -> Kind) -> Vec<Device> {
    let sizes = settings.devices.as_deref().unwrap_or_default();
    let priorities = settings.priorities.as_ref().unwrap_or(&Priorities::Default);
    let device = |(place, size): (usize, &Amount)| Device {
        kind: kind(place),
        size: whole_pages(size.of(limit)).max(LEAST),
        algorithm: settings.algorithm.clone(),
        priority: priorities.of(place, sizes.len()),
        discard: settings.discard.unwrap_or(Discard::None),
    };
    sizes.iter().enumerate().map(device).collect()
}

/// The smallest area that is made.
const LEAST: Bytes = Bytes(1 << 20);

/// The notes that hold on this machine, for areas that are carried so.
fn notes(notes: &[Note], snapshot: &Snapshot, kinds: &[Kind]) -> Vec<String> {
    let count = snapshot.numa.reading.known().map(Vec::len);
    let holds = |when| match when {
        When::Always => true,
        When::OneNode => count.is_none_or(|count| count < 2),
        When::SeveralNodes => count.is_some_and(|count| count > 1),
        When::Made(kind) => kinds.contains(&kind),
    };
    notes.iter().filter(|note| holds(note.when)).map(|note| note.text.clone()).collect()
}

#[cfg(test)]
mod tests;

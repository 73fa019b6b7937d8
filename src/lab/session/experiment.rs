//! An experiment becomes a session with a case for each combination of its values.

use super::{Case, Choice, ExperimentOptions, Session, SessionSpec};
use crate::change::Machine;
use crate::config::Problem;
use crate::lab::LabError;
use crate::lab::experiment::matrix::{self, Combination, Misfit};
use crate::lab::experiment::ready::{self, Located, Scale};
use crate::lab::experiment::{Factor, Plan, file};
use crate::lab::library::UserFiles;
use crate::lab::run_spec::Kind;
use crate::model::name::safe_text;
use crate::model::text::question;
use std::ffi::OsStr;

/// Makes the session of an experiment on this machine.
pub(super) fn session(
    spec: &SessionSpec,
    options: &ExperimentOptions,
    (machine, files): (&Machine<'_>, &UserFiles),
) -> Result<Session, LabError> {
    let plan = file::plan(&files.experiments.source(&spec.named)?)?;
    let load = |name: &str| {
        let source = files.loads.source(OsStr::new(name));
        source.map_err(|error| error.to_string())
    };
    let scale = scale(spec, options, machine)?;
    let chosen = chosen(&plan, &options.only)?;
    scale.fits(&chosen).map_err(|it| misfit(&it))?;
    let loads = loads((&plan, &scale), &chosen, &load, machine)?;
    let case = |(values, load): (Combination, Located)| {
        let mut run = ready::spec(&plan, &values, load, &scale);
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
        order: matrix::order(cases.len(), repetitions, spec.seed),
        repetitions,
        seed: spec.seed,
        risks: spec.risks.clone(),
        notes: ready::notes(&plan.notes, &machine.snapshot, &kinds),
        experiment: Some(Box::new(plan)),
        cases,
    })
}

/// The load of each case.
fn loads(
    (plan, scale): (&Plan, &Scale),
    cases: &[Combination],
    known: ready::Loads<'_>,
    machine: &Machine<'_>,
) -> Result<Vec<Located>, Vec<Problem>> {
    let (mut loads, mut wrongs) = (Vec::new(), Vec::new());
    for case in cases {
        match ready::load(plan, case, known) {
            Ok(load) => {
                wrongs.extend(ready::unfit(plan, case, &load, (scale, &machine.snapshot)));
                loads.push(load);
            }
            Err(found) => wrongs.extend(found),
        }
        wrongs.extend(ready::unset(plan, case, machine));
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

fn scale(
    spec: &SessionSpec,
    options: &ExperimentOptions,
    machine: &Machine<'_>,
) -> Result<Scale, LabError> {
    let usual = Scale::of(&machine.snapshot);
    let usual = usual.map_err(|missing| LabError::Unreadable(missing.why()))?;
    Ok(Scale {
        limit: spec.limit,
        kinds: options.kinds.clone(),
        folder: spec.folder.clone().unwrap_or(usual.folder),
        factor: options.scale.unwrap_or(usual.factor),
        seed: spec.seed,
        ..usual
    })
}

/// The cases that have the values that were typed.
fn chosen(plan: &Plan, only: &[Choice]) -> Result<Vec<Combination>, LabError> {
    let mut cases = matrix::cases(plan);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::builtin;
    use crate::lab::session::typed;

    #[test]
    fn only_what_was_chosen_is_run() {
        let plan = builtin::find("C").unwrap().plan().unwrap();
        let count = |only: &[&str]| {
            let only: Vec<Choice> = only.iter().map(|text| typed::choice(text)).collect();
            chosen(&plan, &only).map(|cases| cases.len())
        };
        assert_eq!(count(&[]).unwrap(), 12);
        assert_eq!(count(&["memory=shared", "page-cluster=0,3"]).unwrap(), 4);
        for wrong in ["memory=x", "colour=red", "memory", "memory=shared,x"] {
            let why = count(&[wrong]).unwrap_err().to_string();
            assert!(why.contains("memory=anonymous,shared"), "{why}");
        }
        let why = |wrong: &str| count(&[wrong]).unwrap_err().to_string();
        let of_factor = why("memroy=shared");
        assert!(of_factor.contains("has no factor memroy: it has "), "{of_factor}");
        assert!(of_factor.contains(" and ") && of_factor.ends_with("; did you mean memory?"));
        let of_value = why("memory=share");
        assert!(of_value.contains("no value share: "), "{of_value}");
        assert!(of_value.ends_with("has memory=anonymous,shared; did you mean shared?"));
    }
}

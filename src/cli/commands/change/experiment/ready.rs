//! What was typed becomes the cases of an experiment on this machine.

use super::super::Limits;
use super::super::stress::wishes::wrong;
use super::super::stress::{self, unusual, wishes};
use crate::actions::check::Check;
use crate::actions::plan::Plan as Lent;
use crate::change::Machine;
use crate::cli::args::experiment::ExperimentArgs;
use crate::cli::exit::Failure;
use crate::config::Problem;
use crate::lab::experiment::fits::Misfit;
use crate::lab::experiment::matrix::{self, Combination};
use crate::lab::experiment::ready::{self, Located, Scale};
use crate::lab::experiment::settings::Kinds;
use crate::lab::experiment::{Factor, Plan, file};
use crate::lab::library::UserFiles;
use crate::lab::run_spec::{Kind, RunSpec};
use crate::model::Missing;
use crate::model::name::safe_text;
use crate::model::near::question;
use std::ffi::OsStr;

/// An experiment that can be run.
#[derive(Debug)]
pub(super) struct Ready {
    /// The experiment.
    pub(super) plan: Plan,
    /// Its cases.
    pub(super) cases: Vec<Case>,
    /// How often each is run.
    pub(super) repetitions: u32,
    /// What all chance comes from.
    pub(super) seed: u64,
    /// What holds on this machine.
    pub(super) notes: Vec<String>,
    /// Risks that are taken by name.
    pub(super) taken: Vec<String>,
}

/// A case that can be run.
#[derive(Debug)]
pub(super) struct Case {
    /// Its values.
    pub(super) values: Combination,
    /// One run of it.
    pub(super) wish: RunSpec,
}

fn usage(why: String) -> Failure {
    Failure::Usage(why)
}

impl Ready {
    /// What was typed, on this machine.
    pub(super) fn of(
        args: &ExperimentArgs,
        machine: &Machine<'_>,
        limits: Limits,
        own: &UserFiles,
    ) -> Result<Self, Failure> {
        let source = own.experiments.source(&args.experiment)?;
        let plan = file::plan(&source).map_err(|wrongs| wrong(&wrongs))?;
        let load = |name: &str| {
            let source = own.loads.source(OsStr::new(name));
            source.map_err(|failure| failure.to_string())
        };
        if args.published && plan.published.is_none() {
            return Err(usage(format!(
                "--published: {} has no published figures: a file has them in [published], as swapadm experiment show balance prints it",
                plan.name
            )));
        }
        let scale = scale(args, machine)?;
        let chosen = chosen(&plan, &args.only)?;
        scale.fits(&chosen).map_err(|it| misfit(&it))?;
        let mut cases = Vec::new();
        let loads =
            loads((&plan, &scale), &chosen, &load, machine).map_err(|wrongs| wrong(&wrongs))?;
        for (values, load) in chosen.into_iter().zip(loads) {
            let mut wish = ready::wish(&plan, &values, load, &scale);
            wish.rails.max_psi = limits.kept.max_psi.unwrap_or(wish.rails.max_psi);
            let typed = limits.kept.timeout.map(|time| time.as_secs_f64());
            wish.rails.at_most = typed.unwrap_or(wish.rails.at_most);
            cases.push(Case { values, wish });
        }
        let devices = cases.iter().flat_map(|case| &case.wish.devices);
        let kinds: Vec<Kind> = devices.map(|device| device.kind).collect();
        if args.file_in.is_some() && !kinds.contains(&Kind::File) {
            let why = "--file-in: no area is made in a file: say --kind file, or leave it out";
            return Err(usage(why.to_owned()));
        }
        Ok(Self {
            repetitions: args.repeat.unwrap_or(plan.repetitions),
            seed: args.seed,
            taken: args.change.force.clone(),
            notes: ready::notes(&plan.notes, &machine.snapshot, &kinds),
            plan,
            cases,
        })
    }

    /// Which case is run when.
    pub(super) fn order(&self) -> Vec<usize> {
        matrix::order(self.cases.len(), self.repetitions, self.seed)
    }

    /// The seconds that all runs together may take.
    pub(super) fn at_most(&self) -> f64 {
        let each: f64 = self.cases.iter().map(|case| case.wish.rails.at_most).sum();
        each * f64::from(self.repetitions)
    }

    /// What is to be said of all cases, each thing once.
    pub(super) fn checks(&self, machine: &Machine<'_>) -> Result<Vec<Check>, Failure> {
        let mut said = Vec::new();
        for case in &self.cases {
            let lent = case.lent(machine).map_err(usage)?;
            let checks = case.checks(&lent, machine, &self.taken);
            said.extend(checks.into_iter().map(|check| (case, check)));
        }
        let named = |(check, of): (Check, Option<String>)| match of {
            Some(names) => Check { text: format!("{names}: {}", check.text), ..check },
            None => check,
        };
        Ok(self.once(said).into_iter().map(named).collect())
    }

    /// What ends a run.
    pub(super) fn rails(&self) -> Vec<String> {
        self.each(|case| case.wish.rails.words(case.wish.limit.is_some()))
    }

    /// What of the loads is not as it is usual.
    pub(super) fn unusual(&self) -> Vec<String> {
        self.each(|case| unusual::of_load(&case.wish.workload))
    }

    /// What is said of each case: first what is the same in all, then the rest with its cases.
    fn each(&self, words: impl Fn(&Case) -> Vec<String>) -> Vec<String> {
        let said =
            self.cases.iter().flat_map(|case| words(case).into_iter().map(move |it| (case, it)));
        let (all, some): (Vec<_>, Vec<_>) =
            self.once(said).into_iter().partition(|(_, of)| of.is_none());
        let named = |(words, of): (String, Option<String>)| match of {
            Some(names) => format!("{names}: {words}"),
            None => words,
        };
        all.into_iter().chain(some).map(named).collect()
    }

    /// Each thing that is said once, with the names of its cases where it is not said of all.
    fn once<'c, T: PartialEq>(
        &self,
        said: impl IntoIterator<Item = (&'c Case, T)>,
    ) -> Vec<(T, Option<String>)> {
        let mut told: Vec<(T, Vec<&str>)> = Vec::new();
        for (case, it) in said {
            match told.iter_mut().find(|(known, _)| *known == it) {
                Some((_, names)) => names.push(&case.values.name),
                None => told.push((it, vec![&case.values.name])),
            }
        }
        let of = |names: Vec<&str>| (names.len() < self.cases.len()).then(|| names.join(", "));
        told.into_iter().map(|(it, names)| (it, of(names))).collect()
    }

    /// Does any case need something from the machine?
    pub(super) fn is_lent_anything(&self, machine: &Machine<'_>) -> bool {
        let needs = |case: &Case| case.lent(machine).is_ok_and(|lent| !lent.steps.is_empty());
        // A setting that is so already may be otherwise after another case.
        self.cases.iter().any(|case| needs(case) || !case.wish.settings.is_empty())
    }
}

impl Case {
    /// What a run of it is lent, on the machine as it is.
    pub(super) fn lent(&self, machine: &Machine<'_>) -> Result<Lent, String> {
        self.wish.plan(machine).map_err(|why| format!("{}: {why}", self.values.name))
    }

    /// What is to be said of a run, with risks that are taken by name.
    pub(super) fn checks(
        &self,
        lent: &Lent,
        machine: &Machine<'_>,
        taken: &[String],
    ) -> Vec<Check> {
        stress::checks(&self.wish, lent, machine, taken)
    }
}

/// The load of each case.
///
/// # Errors
/// All that the file says of loads and knobs and that cannot be followed, each thing once.
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

/// That what was typed does not fit what a case says.
fn misfit(misfit: &Misfit) -> Failure {
    let of = if misfit.key == "kind" { String::new() } else { format!("{} of ", misfit.key) };
    usage(format!("--kind: {of}{}", misfit.why))
}

fn scale(args: &ExperimentArgs, machine: &Machine<'_>) -> Result<Scale, Failure> {
    let missing = |missing: Missing| Failure::Nothing(missing.why());
    let usual = Scale::of(&machine.snapshot).map_err(missing)?;
    let limit = args.limit.as_deref().map(|text| wishes::amount("limit", text)).transpose()?;
    let factor = args.scale.unwrap_or(usual.factor);
    if !(0.001..=1000.0).contains(&factor) {
        return Err(usage(format!(
            "--scale {factor}: use a number from 0.001 to 1000, such as 0.5"
        )));
    }
    let kinds = args.kind.as_deref().map(Kinds::parse).transpose();
    let kinds = kinds.map_err(|why| usage(format!("--kind {}", safe_text(&why))))?;
    let folder = wishes::folder(args.file_in.as_deref())?;
    Ok(Scale { limit, kinds, folder, factor, seed: args.seed, ..usual })
}

/// The cases that have the values that were typed.
fn chosen(plan: &Plan, only: &[String]) -> Result<Vec<Combination>, Failure> {
    let mut cases = matrix::cases(plan);
    for text in only {
        let (factor, values) = text.split_once('=').unwrap_or((text, ""));
        let values: Vec<&str> = values.split(',').map(str::trim).collect();
        if let Some(why) = unknown(plan, factor, &values) {
            return Err(usage(format!("--only \"{}\": {}", safe_text(text), safe_text(&why))));
        }
        cases.retain(|case| {
            case.levels.iter().any(|it| it.factor == factor && values.contains(&it.value.as_str()))
        });
    }
    Ok(cases)
}

/// What of a factor and its values an experiment does not have, and what it has.
fn unknown(plan: &Plan, factor: &str, values: &[&str]) -> Option<String> {
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
    let value = values.iter().find(|typed| !names.iter().any(|name| name == **typed))?;
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

    #[test]
    fn only_what_was_chosen_is_run() {
        let plan = builtin::find("C").unwrap().plan().unwrap();
        let count = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|text| (*text).to_owned()).collect();
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

//! What was typed becomes the cases of an experiment on this machine.

use super::super::Limits;
use super::super::stress::{self, wishes};
use crate::actions::check::Check;
use crate::actions::plan::Plan as Lent;
use crate::change::Machine;
use crate::cli::args::experiment::ExperimentArgs;
use crate::cli::commands::input;
use crate::cli::exit::Failure;
use crate::lab::experiment::builtin::{self, Builtin};
use crate::lab::experiment::matrix::{self, Combination};
use crate::lab::experiment::ready::{self, Scale};
use crate::lab::experiment::settings::Kinds;
use crate::lab::experiment::{Plan, file};
use crate::lab::wish::{Kind, Wish};
use crate::model::Missing;
use crate::model::name::safe_text;
use crate::stress::file as loads;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// What to name instead of what is no such file.
const RATHER: &str = "an experiment is one that is built in, as swapadm experiment list shows, or a file as swapadm experiment show prints one";

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
    pub(super) wish: Wish,
}

fn usage(why: String) -> Failure {
    Failure::Usage(why)
}

/// All that is wrong with a file, line by line.
fn wrong(wrongs: &[loads::Wrong]) -> Failure {
    let lines: Vec<String> = wrongs.iter().map(ToString::to_string).collect();
    usage(lines.join("\nswapadm: "))
}

/// The one that is built in.
pub(super) fn known(name: &str) -> Result<&'static Builtin, Failure> {
    builtin::find(name).ok_or_else(|| {
        let names = builtin::builtin().map(|it| format!("{} ({})", it.name, it.letter));
        usage(format!(
            "there is no experiment \"{}\": built in are {}; a file is named with its path, as ./mine.toml",
            safe_text(name),
            names.collect::<Vec<_>>().join(", ")
        ))
    })
}

fn plan(named: &OsStr) -> Result<Plan, Failure> {
    let name = safe_text(&named.to_string_lossy());
    let is_file = named.as_bytes().contains(&b'/') || named.as_bytes().ends_with(b".toml");
    if !is_file {
        return known(&name)?.plan().map_err(|wrongs| wrong(&wrongs));
    }
    let bytes = input::read(Path::new(named), file::LARGEST, RATHER)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| usage(format!("{name} is no text: an experiment is a file in UTF-8")))?;
    let stem = Path::new(named).file_stem().map(|stem| safe_text(&stem.to_string_lossy()));
    let read = file::read(&name, &text).map_err(|wrongs| wrong(&wrongs))?;
    Ok(Plan { name: stem.unwrap_or(name), ..read })
}

/// The text of a load that an experiment names.
fn load(name: &str) -> Result<(String, String), String> {
    let (name, bytes) = wishes::text(OsStr::new(name)).map_err(|failure| failure.to_string())?;
    let text = loads::text(&name, &bytes).map_err(|wrongs| wrong(&wrongs).to_string())?;
    Ok((name.clone(), text.to_owned()))
}

impl Ready {
    /// What was typed, on this machine.
    pub(super) fn of(
        args: &ExperimentArgs,
        machine: &Machine<'_>,
        limits: Limits,
    ) -> Result<Self, Failure> {
        let plan = plan(&args.experiment)?;
        let scale = scale(args, machine)?;
        let mut cases = Vec::new();
        for values in chosen(&plan, &args.only)? {
            let load = ready::load(&plan, &values, &load).map_err(|wrongs| wrong(&wrongs))?;
            let mut wish = ready::wish(&plan, &values, load, &scale);
            wish.rails.max_psi = limits.kept.max_psi.unwrap_or(wish.rails.max_psi);
            let typed = limits.kept.timeout.map(|time| time.as_secs_f64());
            wish.rails.at_most = typed.unwrap_or(wish.rails.at_most);
            cases.push(Case { values, wish });
        }
        let devices = cases.iter().flat_map(|case| &case.wish.devices);
        let kinds: Vec<Kind> = devices.map(|device| device.kind).collect();
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

    /// What is to be said of all cases, each thing once.
    pub(super) fn checks(&self, machine: &Machine<'_>) -> Result<Vec<Check>, Failure> {
        let mut told: Vec<(Check, Vec<&str>)> = Vec::new();
        for case in &self.cases {
            let lent = case.lent(machine).map_err(usage)?;
            for check in case.checks(&lent, machine, &self.taken) {
                match told.iter_mut().find(|(known, _)| *known == check) {
                    Some((_, names)) => names.push(&case.values.name),
                    None => told.push((check, vec![&case.values.name])),
                }
            }
        }
        let named = |(check, names): (Check, Vec<&str>)| {
            if names.len() == self.cases.len() {
                return check;
            }
            Check { text: format!("{}: {}", names.join(", "), check.text), ..check }
        };
        Ok(told.into_iter().map(named).collect())
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
        let known = plan.factors.iter().find(|it| it.name == factor);
        let unknown = known.map(|factor| {
            values.iter().find(|typed| !factor.values.iter().any(|value| value.name == **typed))
        });
        if !matches!(unknown, Some(None)) {
            let all = plan.factors.iter().map(|factor| {
                let names: Vec<&str> = factor.values.iter().map(|it| it.name.as_str()).collect();
                format!("{}={}", factor.name, names.join(","))
            });
            let all = all.collect::<Vec<_>>().join(" and ");
            return Err(usage(format!("--only \"{}\": {} has {all}", safe_text(text), plan.name)));
        }
        cases.retain(|case| {
            case.levels.iter().any(|it| it.factor == factor && values.contains(&it.value.as_str()))
        });
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_chosen_is_run() {
        let plan = known("C").unwrap().plan().unwrap();
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
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let why = known("ballance").unwrap_err().to_string();
        assert!(why.contains("balance (A)") && why.contains("./mine.toml"), "{why}");
        assert_eq!(known("a").unwrap().name, "balance");
    }
}

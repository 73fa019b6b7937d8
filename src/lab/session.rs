//! Sessions: a load or an experiment from its specification to the stored result.
//!
//! A load is an experiment with one case. The command line and the interface make a
//! [`SessionSpec`]; [`Lab::prepare`] says what would be run and changes nothing, and [`Lab::run`]
//! runs it under the lock, as it was confirmed, and stores what was measured.

mod describe;
mod experiment;
mod load;
mod run;
pub mod typed;

pub use describe::{Cases, Terms, describe_after, describe_case, describe_waits, describe_work};
pub use run::{RunOptions, RunStart, SessionEvent, SessionOutcome, Storage, remove_orphans};

use super::LabError;
use super::experiment::Plan as Experiment;
use super::experiment::settings::Kinds;
use super::fits;
use super::guard::GuardLimits;
use super::library::UserFiles;
use super::load::file::Change;
use super::run_spec::{Kind, RunSpec};
use super::store::Store;
use crate::actions::Step;
use crate::actions::check::{self, Check, Verdict};
use crate::actions::plan::{Plan, Stands};
use crate::change::{self, Machine};
use crate::columns::units;
use crate::model::activation::Priority;
use crate::model::experiment::Level;
use crate::model::load::Amount;
use crate::model::{Bytes, Name};
use crate::root::Root;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;

/// What to run, in plain data.
#[derive(Clone, Debug)]
pub struct SessionSpec {
    /// The name of a load or an experiment, or the path of a file with one.
    pub named: OsString,
    /// Which of both it is, with what only that takes.
    pub subject: Subject,
    /// The memory limit of all processes of a run, in place of what the file says.
    pub limit: Option<Amount>,
    /// How often each case is run, in place of what the file says.
    pub repetitions: Option<u32>,
    /// The random seed.
    pub seed: u64,
    /// The folder for temporary swap files.
    pub folder: Option<Name>,
    /// Limits that stop a run, in place of the usual ones.
    pub guard: GuardSpec,
    /// Risks that are accepted, by name.
    pub risks: Vec<String>,
    /// Whether the result is stored.
    pub is_stored: bool,
}

/// What a session runs.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A load.
    Load(LoadOptions),
    /// An experiment.
    Experiment(ExperimentOptions),
}

/// What can be said of a load only.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The title of the result; the name of the load without it.
    pub title: Option<String>,
    /// Keys of the load with other values.
    pub changes: Vec<Change>,
    /// Whether the whole machine is put under pressure, without a memory limit.
    pub whole_machine: bool,
    /// Temporary swap areas.
    pub areas: Vec<AreaSpec>,
    /// The priority of those areas.
    pub priority: Priority,
    /// How those on zram compress; the kernel's choice without it.
    pub algorithm: Option<String>,
    /// Knobs that are set for the time of the run.
    pub settings: Vec<(String, String)>,
}

/// What can be said of an experiment only.
#[derive(Clone, Debug, Default)]
pub struct ExperimentOptions {
    /// A factor for the memory that its file asks for.
    pub scale: Option<f64>,
    /// What carries the areas, where a case does not say it.
    pub kinds: Option<Kinds>,
    /// Which cases are run.
    pub only: Vec<Choice>,
}

/// Temporary swap areas of one kind and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AreaSpec {
    /// What carries them.
    pub kind: Kind,
    /// How many there are.
    pub count: usize,
    /// The size of each.
    pub size: Bytes,
}

impl fmt::Display for AreaSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = units::size(self.size);
        if self.count == 1 { f.write_str(&size) } else { write!(f, "{}x{size}", self.count) }
    }
}

/// Values of a factor to which an experiment is restricted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The factor.
    pub factor: String,
    /// Its values.
    pub values: Vec<String>,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.factor, self.values.join(","))
    }
}

/// Limits that stop a run, as far as they are not the usual ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuardSpec {
    /// The percentage of memory pressure above which a run is stopped.
    pub max_psi: Option<f64>,
    /// The memory that has to stay available.
    pub available: Option<Bytes>,
    /// The swap that has to stay free.
    pub swap: Option<Bytes>,
    /// The seconds that a run may take.
    pub at_most: Option<f64>,
}

impl GuardSpec {
    /// These limits, or the usual ones.
    fn or(self, usual: GuardLimits) -> GuardLimits {
        GuardLimits {
            max_psi: self.max_psi.unwrap_or(usual.max_psi),
            available: self.available.unwrap_or(usual.available),
            swap: self.swap.unwrap_or(usual.swap),
            at_most: self.at_most.unwrap_or(usual.at_most),
        }
    }
}

/// What is run on this machine, and in which order.
#[derive(Clone, Debug)]
pub struct Session {
    /// The title of the load, or the name of the experiment.
    pub title: String,
    /// The experiment; none if it is a load.
    pub experiment: Option<Box<Experiment>>,
    /// The cases: one of a load.
    pub cases: Vec<Case>,
    /// Which case is run when, by its place from 0 on. The repetitions of a load share one setup,
    /// and count as one run here.
    pub order: Vec<usize>,
    /// How often each case is run.
    pub repetitions: u32,
    /// The random seed.
    pub seed: u64,
    /// Notes that hold on this machine.
    pub notes: Vec<String>,
    /// Risks that are accepted, by name.
    risks: Vec<String>,
}

/// A case that can be run.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// Its values, factor by factor.
    pub levels: Vec<Level>,
    /// A run of it.
    pub spec: RunSpec,
}

/// The kernel takes limits in whole pages, of which the largest have 64K.
pub(super) fn whole_pages(bytes: Bytes) -> Bytes {
    Bytes(bytes.0 & !0xffff)
}

/// A session that was prepared: nothing of it has been run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// What is run.
    pub session: Session,
    /// The temporary setup of each case.
    pub setups: Vec<Plan>,
    /// What was checked.
    pub checks: Vec<Check>,
}

/// What of a prepared session was confirmed, and has to be the same when it is run. Sizes are shares
/// of available memory, and identifiers are random: both differ each time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirmed {
    cases: Vec<String>,
    /// What the steps of each setup change.
    setups: Vec<Vec<Name>>,
    relies_on: Vec<Stands>,
    /// Whether anything of the machine is changed for a run.
    pub needs_setup: bool,
}

impl Prepared {
    /// What a person confirms.
    pub fn confirmed(&self) -> Confirmed {
        let subjects = |setup: &Plan| setup.steps.iter().map(|it| it.subject().clone()).collect();
        Confirmed {
            cases: self.session.cases.iter().map(|case| case.name.clone()).collect(),
            setups: self.setups.iter().map(subjects).collect(),
            // All cases are planned on the same areas.
            relies_on: self.setups.first().map(|it| it.relies_on.clone()).unwrap_or_default(),
            needs_setup: self.needs_setup(),
        }
    }

    /// Whether anything of the machine is changed for a run.
    pub fn needs_setup(&self) -> bool {
        let cases = &self.session.cases;
        // A setting that has its value already may have another one after another case.
        let changes = cases.len() > 1 && cases.iter().any(|case| !case.spec.settings.is_empty());
        changes || self.setups.iter().any(|setup| !setup.steps.is_empty())
    }

    /// The steps of the setup, where all runs have the same.
    pub fn steps(&self) -> &[Step] {
        match self.setups.as_slice() {
            [setup] if self.session.experiment.is_none() => &setup.steps,
            _ => &[],
        }
    }

    /// The check that refuses it, if one does.
    pub fn refusal(&self) -> Option<&Check> {
        self.checks.iter().find(|check| check.verdict == Verdict::Refuse)
    }
}

impl Session {
    /// What the journal and the lock call it.
    pub fn purpose(&self) -> String {
        let what = if self.experiment.is_some() { "experiment" } else { "load" };
        format!("run the {what} {}", self.title)
    }

    /// Plans the setup of a case on the machine as it is.
    fn setup(&self, case: &Case, machine: &Machine<'_>) -> Result<Plan, LabError> {
        case.spec.plan(machine).map_err(|why| {
            let is_one = self.experiment.is_none();
            LabError::Invalid(if is_one { why } else { format!("{}: {why}", case.name) })
        })
    }

    /// Checks a run of a case.
    fn checks(&self, case: &Case, setup: &Plan, machine: &Machine<'_>) -> Vec<Check> {
        let spec = &case.spec;
        let mut checks = fits::checks(spec, &machine.snapshot);
        checks.extend(fits::cage(spec, machine.root));
        checks.extend(fits::contents(spec, machine.root));
        if !setup.steps.is_empty() {
            let of_setup = machine.checks(setup, &self.risks).into_iter();
            checks.extend(of_setup.map(check::without_commands));
        }
        checks
    }
}

/// Where sessions are prepared and run.
#[derive(Clone, Copy, Debug)]
pub struct Lab<'a> {
    /// The machine.
    pub root: &'a Root,
    /// The journal.
    pub journal: &'a Path,
    /// The loads and experiments of the user.
    pub files: &'a UserFiles,
    /// Where results are stored; or why nowhere.
    pub store: &'a Result<Store, String>,
}

impl Lab<'_> {
    /// Prepares a session on the machine as it is. Nothing is changed.
    pub fn prepare(&self, spec: &SessionSpec) -> Result<Prepared, LabError> {
        self.prepare_on(spec, &Machine::of(self.root))
    }

    /// Prepares a session on the machine as it was seen.
    pub fn prepare_on(
        &self,
        spec: &SessionSpec,
        machine: &Machine<'_>,
    ) -> Result<Prepared, LabError> {
        let session = match &spec.subject {
            Subject::Load(options) => load::session(spec, options, (machine, &self.files.loads)),
            Subject::Experiment(options) => {
                experiment::session(spec, options, (machine, self.files))
            }
        }?;
        let setup = |case| session.setup(case, machine);
        let setups = session.cases.iter().map(setup).collect::<Result<Vec<Plan>, _>>()?;
        let checks = session.cases.iter().zip(&setups).flat_map(|(case, setup)| {
            let checks = session.checks(case, setup, machine).into_iter();
            checks.map(move |check| (case, check))
        });
        let named = |(check, of): (Check, Option<String>)| match of {
            Some(names) => Check { text: format!("{names}: {}", check.text), ..check },
            None => check,
        };
        let checks = session.once(checks).into_iter().map(named).collect();
        let mut prepared = Prepared { session, setups, checks };
        if prepared.needs_setup() {
            prepared.checks.extend(change::left_lent(self.root, self.journal));
        }
        Ok(prepared)
    }
}

#[cfg(test)]
mod tests;

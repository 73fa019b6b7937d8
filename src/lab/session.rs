//! Sessions: a workload or an experiment from its specification to the stored result.
//!
//! A workload is an experiment with one case. The command line and the interface create a
//! [`SessionSpec`]; [`LabContext::prepare`] describes what would be run and changes nothing, and
//! [`LabContext::run`] runs it under the lock, as it was confirmed, and stores the result.

mod describe;
mod experiment;
mod load;
mod outcome;
mod run;
mod simulated;
pub mod spec;

pub use describe::{
    PlannedCases, PlannedRun, describe_after, describe_case, describe_waits, describe_work,
};
pub use outcome::{RunStart, RunView, SessionEvent, SessionOutcome, Storage};
pub use run::{RunOptions, remove_orphans};
pub use simulated::{prepare_simulated, run_simulated};
pub use spec::{
    AreaSpec, ExperimentOptions, FactorChoice, GuardSpec, LoadOptions, SessionSpec, Subject,
};

use super::experiment::ExperimentPlan as Experiment;
use super::fits;
use super::library::UserFiles;
use super::run_spec::RunSpec;
use super::store::Store;
use crate::actions::Step;
use crate::actions::check::{self, Check, CheckVerdict};
use crate::actions::journal::JournalStore;
use crate::actions::plan::{AreaState, Plan};
use crate::change::{self, ChangeAttempt, ChangeError, ObservedMachine};
use crate::model::Name;
use crate::model::experiment::FactorValue;
use crate::model::load::Workload;
use crate::model::zram;
use crate::root::Root;

/// A session: what is run on this machine, and in which order.
#[derive(Clone, Debug)]
pub struct Session {
    /// The title of the workload, or the name of the experiment.
    pub title: String,
    /// The experiment; none if it is a workload.
    pub experiment: Option<Box<Experiment>>,
    /// The cases; a workload has one.
    pub cases: Vec<SessionCase>,
    /// The cases in the order of their runs, by index. The repetitions of a workload share one
    /// setup and count as one run.
    pub order: Vec<usize>,
    /// The number of repetitions of each case.
    pub repetitions: u32,
    /// The random seed.
    pub seed: u64,
    /// Notes that apply on this machine.
    pub notes: Vec<String>,
    /// Accepted risks, by name.
    risks: Vec<String>,
}

/// A case of a session.
#[derive(Clone, Debug)]
pub struct SessionCase {
    /// The name.
    pub name: String,
    /// The values of its factors.
    pub levels: Vec<FactorValue>,
    /// The run of this case.
    pub spec: RunSpec,
}

/// A prepared session, of which nothing has run yet.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The session.
    pub session: Session,
    /// The temporary setup of each case.
    pub setups: Vec<Plan>,
    /// The results of the checks.
    pub checks: Vec<Check>,
}

/// The part of a prepared session that must be unchanged when it is run. Sizes and identifiers are
/// left out: sizes are shares of available memory, and identifiers are random.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Confirmed {
    /// The file of the experiment as it was read.
    experiment: Option<Box<Experiment>>,
    /// The workload of each case, with the sizes of its file.
    workloads: Vec<Workload>,
    /// The names of what each setup changes, without the numbers of new zram devices, which the kernel chooses.
    setups: Vec<Vec<Name>>,
    relies_on: Vec<AreaState>,
    /// Whether a run changes the machine.
    pub needs_setup: bool,
}

impl Prepared {
    /// Returns what a person confirms.
    pub fn confirmed(&self) -> Confirmed {
        let cases = self.session.cases.iter();
        let subject = |step: &Step| match zram::device_number(&step.device()) {
            Some(_) => "zram".into(),
            None => step.subject().clone(),
        };
        let subjects = |setup: &Plan| setup.steps.iter().map(subject).collect();
        Confirmed {
            experiment: self.session.experiment.clone(),
            workloads: cases.map(|case| case.spec.workload.clone()).collect(),
            setups: self.setups.iter().map(subjects).collect(),
            // All cases are planned on the same areas.
            relies_on: self.setups.first().map(|it| it.relies_on.clone()).unwrap_or_default(),
            needs_setup: self.needs_setup(),
        }
    }

    /// Whether a run changes the machine.
    pub fn needs_setup(&self) -> bool {
        let cases = &self.session.cases;
        // A setting that has the right value now may have another one after another case.
        let changes = cases.len() > 1 && cases.iter().any(|case| !case.spec.settings.is_empty());
        changes || self.setups.iter().any(|setup| !setup.steps.is_empty())
    }

    /// The steps of the setup, if all runs have the same.
    pub fn steps(&self) -> &[Step] {
        match self.setups.as_slice() {
            [setup] if self.session.experiment.is_none() => &setup.steps,
            _ => &[],
        }
    }

    /// The check that refuses the session, if any.
    pub fn refusal(&self) -> Option<&Check> {
        self.checks.iter().find(|check| check.verdict == CheckVerdict::Refuse)
    }
}

impl Session {
    /// The title in the journal and the lock.
    pub fn purpose(&self) -> String {
        let what = if self.experiment.is_some() { "experiment" } else { "workload" };
        format!("run the {what} {}", self.title)
    }

    /// Plans the setup of a case on the current machine.
    fn setup(&self, case: &SessionCase, machine: &ObservedMachine<'_>) -> ChangeAttempt<Plan> {
        case.spec.plan(machine).map_err(|why| {
            let is_one = self.experiment.is_none();
            ChangeError::Usage(if is_one { why } else { format!("{}: {why}", case.name) })
        })
    }

    /// Checks a run of a case.
    fn checks(
        &self,
        case: &SessionCase,
        setup: &Plan,
        machine: &ObservedMachine<'_>,
    ) -> Vec<Check> {
        let spec = &case.spec;
        let mut checks = fits::checks(spec, &machine.snapshot);
        checks.extend(fits::check_cgroup(spec, machine.root));
        checks.extend(fits::check_contents(spec, machine.root));
        if !setup.steps.is_empty() {
            let of_setup = machine.checks(setup, &self.risks).into_iter();
            checks.extend(of_setup.map(check::without_commands));
        }
        checks
    }
}

/// The error for a factor that only a simulated machine has.
const NEEDS_MACHINE: &str = "policy: the kernel of a real machine is what it is: run the experiment with --on MACHINE (swapadm machine list)";

/// Creates the session on a sampled machine.
fn create(
    spec: &SessionSpec,
    machine: &ObservedMachine<'_>,
    files: &UserFiles,
) -> ChangeAttempt<Session> {
    match &spec.subject {
        Subject::Load(options) => load::session(spec, options, (machine, &files.loads)),
        Subject::Experiment(options) => experiment::session(spec, options, (machine, files)),
    }
}

/// Where sessions are prepared and run.
#[derive(Clone, Copy, Debug)]
pub struct LabContext<'a> {
    /// The machine.
    pub root: &'a Root,
    /// The journal.
    pub journal: &'a JournalStore,
    /// The user's workloads and experiments.
    pub files: &'a UserFiles,
    /// The store of results, or the reason why it is missing.
    pub store: &'a Result<Store, String>,
}

impl LabContext<'_> {
    /// Prepares a session on the current machine, and changes nothing.
    pub fn prepare(&self, spec: &SessionSpec) -> ChangeAttempt<Prepared> {
        self.prepare_on(spec, &ObservedMachine::observe(self.root))
    }

    /// Prepares a session on a sampled machine.
    pub fn prepare_on(
        &self,
        spec: &SessionSpec,
        machine: &ObservedMachine<'_>,
    ) -> ChangeAttempt<Prepared> {
        let session = create(spec, machine, self.files)?;
        if session.cases.iter().any(|case| case.spec.policy.is_some()) {
            return Err(ChangeError::Usage(NEEDS_MACHINE.to_owned()));
        }
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
        let checks = session.group_by_case(checks).into_iter().map(named).collect();
        let mut prepared = Prepared { session, setups, checks };
        if prepared.needs_setup() {
            prepared.checks.extend(change::temporary_leftovers_check(self.root, self.journal));
        }
        Ok(prepared)
    }
}

#[cfg(test)]
mod tests;

//! Sessions for the interface, with preparation, lock, journal and results as on the command line.

use super::super::engine::parse_words;
use super::super::{MachineEngine, experiment, stress};
use super::show;
use crate::actions::check::{Check, CheckVerdict};
use crate::actions::estimate::{DrainHistory, Forecast};
use crate::actions::monitor::Monitor;
use crate::actions::plan::Plan;
use crate::change::{ChangeAttempt, ObservedMachine};
use crate::cli::args::Command;
use crate::cli::args::lab::{ExperimentCommand, StressCommand};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::derive::lab::{ResultEntry, check_comparable};
use crate::lab::experiment::{Published, table};
use crate::lab::library::UserFiles;
use crate::lab::session::{
    LabContext, Prepared, RunOptions, SessionEvent, SessionOutcome, SessionSpec, Storage,
};
use crate::lab::store::Store;
use crate::lab::{CAPTURED, builtin};
use crate::model::Name;
use crate::model::experiment::{Experiment, StoredResult};
use crate::model::load::Workload;
use crate::model::run::RepetitionEnd;
use crate::ui::lab::{
    ComparedIds, ComparedResults, ExperimentTables, Form, LabEngine, LabResult, Runnable,
    SessionProposal, SessionReport, with_field_names,
};
use std::ffi::OsString;

/// The report on an experiment for the screen.
fn tables(experiment: &Experiment, published: Option<&Published>) -> ExperimentTables {
    ExperimentTables {
        id: experiment.id,
        title: experiment.title.clone(),
        question: experiment.question.clone(),
        parts: table::parts(experiment, None, None),
        published: published.map(|published| table::parts(experiment, Some(published), None)),
        runs: experiment.run_numbers(),
    }
}

/// Turns each text into sentences.
fn sentences(words: impl Iterator<Item = String>) -> String {
    let sentence = |words: String| words.trim_end_matches('.').to_owned() + ".";
    words.filter(|words| !words.is_empty()).map(sentence).collect::<Vec<_>>().join(" ")
}

/// Summarizes a session for the screen.
fn session_report(outcome: &SessionOutcome) -> SessionReport {
    let told = match &outcome.prepared.session.experiment {
        None => describe_load(outcome),
        Some(_) => describe_experiment(outcome),
    };
    SessionReport {
        result: lab_result(outcome),
        summary: told,
        well: super::exit(outcome) == Exit::Done,
    }
}

fn lab_result(outcome: &SessionOutcome) -> Option<LabResult> {
    let experiment = &outcome.experiment;
    let Some(plan) = &outcome.prepared.session.experiment else {
        return outcome.run().cloned().map(|run| LabResult::Run(Box::new(run)));
    };
    let published = plan.published.as_ref();
    let is_measured = experiment.measured().next().is_some();
    is_measured.then(|| LabResult::Experiment(Box::new(tables(experiment, published))))
}

fn describe_load(outcome: &SessionOutcome) -> String {
    let unkept = match &outcome.storage {
        Storage::Empty => Some(show::NOTHING_MEASURED.to_owned()),
        Storage::Failed(why) => Some(why.clone()),
        Storage::Skipped | Storage::Stored(_) => None,
    };
    sentences(show::ending_lines(outcome).into_iter().chain(unkept))
}

fn describe_experiment(outcome: &SessionOutcome) -> String {
    let experiment = &outcome.experiment;
    let done = experiment.measured().filter(|measured| measured.end == RepetitionEnd::Done).count();
    let runs = format!("{done} of {} runs finished", experiment.planned_runs());
    let early = experiment.why.as_ref().map(|why| format!("Ended early: {why}"));
    let kept = outcome.stored().map(|id| {
        let runs = experiment.run_numbers();
        format!("Stored as result {id}; the runs of its cases are results {runs}")
    });
    let unkept = match &outcome.storage {
        Storage::Failed(why) => Some(format!("Not all results could be stored: {why}")),
        Storage::Skipped | Storage::Empty | Storage::Stored(_) => None,
    };
    sentences([Some(runs), early, kept, unkept].into_iter().flatten())
}

impl MachineEngine {
    /// Runs a function with the lab of this machine.
    fn in_lab<T>(&self, work: impl FnOnce(LabContext<'_>) -> ChangeAttempt<T>) -> CommandResult<T> {
        let files = self.environment.user_files();
        let store = self.store();
        let (root, journal) = (&self.root, &self.journal);
        Ok(work(LabContext { root, journal, files: &files, store: &store })?)
    }

    /// Prepares a workload or an experiment.
    fn prepared(&self, form: &Form) -> CommandResult<SessionProposal> {
        let machine = ObservedMachine::observe(&self.root);
        let prepare = |spec: SessionSpec| self.in_lab(|lab| lab.prepare_on(&spec, &machine));
        let prepared = session_spec(form).and_then(prepare);
        let prepared = prepared.map_err(|failure| name_fields_in(form, failure))?;
        let known = DrainHistory::from_snapshot(&machine.snapshot, &[]);
        Ok(proposal(form, prepared, &known, self.root.is_live()))
    }

    fn store(&self) -> Result<Store, String> {
        self.environment.store().map_err(|failure| failure.to_string())
    }
}

/// The session of the command that the form shows.
fn session_spec(form: &Form) -> CommandResult<SessionSpec> {
    let words = form.what.command().into_iter().map(str::to_owned).chain(form.words());
    let command = parse_words(words.map(OsString::from))?.command;
    if let Some(Command::Stress(args)) = &command
        && let StressCommand::Run(args) = &args.command
    {
        return Ok(stress::parse(args)?.spec);
    }
    if let Some(Command::Experiment(args)) = &command
        && let ExperimentCommand::Run(args) = &args.command
    {
        return Ok(experiment::parse(args)?.spec);
    }
    Err(usage(format!("{} runs nothing", form.command())))
}

/// Replaces options by field names in an error.
fn name_fields_in(form: &Form, failure: CommandError) -> CommandError {
    if let CommandError::Usage(why) = failure {
        return usage(with_field_names(form.what, &why));
    }
    failure
}

/// The proposal that is shown before a run.
fn proposal(
    form: &Form,
    prepared: Prepared,
    known: &DrainHistory<'_>,
    is_live: bool,
) -> SessionProposal {
    let plan = Plan {
        relies_on: prepared.setups.first().map(|it| it.relies_on.clone()).unwrap_or_default(),
        steps: prepared.steps().to_vec(),
        ..Plan::without_steps(prepared.session.purpose())
    };
    let captured = || Check::new("captured", CheckVerdict::Refuse, CAPTURED);
    let captured = (!is_live).then(captured);
    let terms = prepared.planned_run();
    let checks = prepared.checks.into_iter().chain(captured);
    let checks = checks.map(|it| Check { text: with_field_names(form.what, &it.text), ..it });
    SessionProposal {
        form: form.clone(),
        terms,
        checks: checks.collect(),
        costs: plan.steps.iter().map(|step| Forecast::for_step(step, known)).collect(),
        plan,
    }
}

impl LabEngine for MachineEngine {
    fn loads(&self) -> Vec<Runnable> {
        let own: UserFiles = self.environment.user_files();
        let experiments = show::experiments(&own).0;
        let loads = show::loads(&own).0;
        let experiments = experiments.iter().map(show::ListedExperiment::entry);
        experiments.chain(loads.iter().map(show::ListedLoad::entry)).collect()
    }

    fn workload(&self, named: &Name) -> Result<Workload, String> {
        let loads = self.environment.user_files().loads;
        loads.workload(named.as_path().as_os_str()).map_err(|why| why.to_string())
    }

    fn prepare(&self, form: &Form) -> Result<SessionProposal, String> {
        self.prepared(form).map_err(|failure| failure.to_string())
    }

    fn run(
        &self,
        proposal: &SessionProposal,
        monitor: &mut dyn Monitor<SessionEvent>,
    ) -> Result<SessionReport, String> {
        let SessionProposal { form, terms, .. } = proposal;
        let options = RunOptions { must_match_confirmed: true, ..RunOptions::default() };
        let run = |spec: SessionSpec| {
            self.in_lab(|lab| lab.run((&spec, &terms.confirmed), options, monitor))
        };
        let outcome = session_spec(form).and_then(run);
        let outcome = outcome.map_err(|failure| name_fields_in(form, failure).to_string())?;
        Ok(session_report(&outcome))
    }

    fn results(&self) -> Result<Vec<ResultEntry>, String> {
        self.kept.list(&self.store()?).map_err(|error| error.to_string())
    }

    fn result(&self, id: u64) -> Result<LabResult, String> {
        let kept = self.store()?.read(id).map_err(|error| error.to_string())?;
        Ok(match kept {
            StoredResult::Run(run) => LabResult::Run(run),
            StoredResult::Experiment(it, beside) => {
                let published = builtin::published(&it, &beside);
                LabResult::Experiment(Box::new(tables(&it, published.as_ref())))
            }
        })
    }

    fn compare(&self, [first, second]: ComparedIds) -> Result<ComparedResults, String> {
        let store = self.store()?;
        let read = |id| store.read(id).map_err(|error| error.to_string());
        let (first, second) = (read(first)?, read(second)?);
        check_comparable(&first, &second)?;
        Ok(Box::new([first, second]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::options::Environment;
    use crate::columns::text;
    use crate::lab::session::Subject;
    use crate::root::testing::TestTree;
    use crate::ui::lab::{FormField, RunnableKind};

    /// Each preset of each field, and several values in a field, make a command that is accepted.
    #[test]
    fn each_form_is_a_session() {
        let parsed = |form: &Form| session_spec(form).unwrap_or_else(|why| panic!("{why}"));
        for (what, name) in
            [(RunnableKind::Load, "usemem"), (RunnableKind::Experiment, "readahead")]
        {
            let mut form = Form::new(what, name);
            form.set(FormField::Zram, "2x64M");
            for info in what.fields() {
                for _ in 0..12 {
                    form.turn(info.field, false);
                    assert_eq!(parsed(&form).named, name);
                }
            }
        }
        let mut form = Form::new(RunnableKind::Load, "usemem");
        form.set(FormField::Zram, "2x64M 1G");
        form.set(FormField::Set, "page-cluster=0 swappiness=5");
        form.set(FormField::With, "processes=2 contents=file:/srv/my data/pages passes=3");
        let Subject::Load(options) = parsed(&form).subject else { panic!("{form:?}") };
        assert_eq!((options.areas.len(), options.settings.len()), (2, 2));
        let [_, contents, _] = &options.changes[..] else { panic!("{form:?}") };
        assert_eq!(contents.value.as_deref(), Some("file:/srv/my data/pages"));
        let mut form = Form::new(RunnableKind::Experiment, "readahead");
        form.set(FormField::Only, "memory=shared page-cluster=0,3");
        let Subject::Experiment(options) = parsed(&form).subject else { panic!("{form:?}") };
        assert_eq!(options.only.len(), 2);
    }

    /// A machine without swap, in its last two files with zram.
    const TREE: [(&str, &str); 5] = [
        ("machine.toml", "page_size = 4096\n"),
        ("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n"),
        ("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n"),
        ("sys/class/zram-control/hot_add", "0\n"),
        ("sys/block/sda/size", "1000\n"),
    ];

    /// A capture of a machine without swap.
    fn tree() -> TestTree {
        TestTree::with(&TREE)
    }

    #[test]
    fn a_run_without_swap_gets_temporary_swap_on_zram() {
        let form = Form::new(RunnableKind::Load, "usemem");
        let engine_tree = tree();
        let engine = MachineEngine::new(&engine_tree.root(), &Environment::default());
        let prepared = engine.in_lab(|lab| lab.prepare(&session_spec(&form).unwrap())).unwrap();
        assert!(prepared.checks.iter().all(|check| check.id != "areas"));
        let lines = show::plan(&prepared, 80).join("\n");
        assert!(lines.contains("zram0"), "{lines}");
    }

    /// The proposal on that machine.
    fn prepared(form: &Form) -> CommandResult<SessionProposal> {
        let tree = tree();
        MachineEngine::new(&tree.root(), &Environment::default()).prepared(form)
    }

    #[test]
    fn refusals_name_fields_not_options() {
        let mut form = Form::new(RunnableKind::Load, "usemem");
        // Without zram, no temporary area is added.
        let bare = TestTree::with(&TREE[..3]);
        let engine = MachineEngine::new(&bare.root(), &Environment::default());
        let proposal = engine.prepared(&form).unwrap();
        let check = |id| proposal.checks.iter().find(|check| check.id == id).unwrap();
        assert_eq!(check("captured").verdict, CheckVerdict::Refuse);
        let said = &check("areas").text;
        assert!(said.contains("field zram 1G") && said.contains("field file 1G"), "{said}");
        form.set(FormField::Limit, "5");
        let why = prepared(&form).err().unwrap().to_string();
        assert!(why.contains("field limit \"5\"") && !why.contains("--"), "{why}");
        for (field, text, said) in [
            (FormField::Limit, "5", "field limit \"5\""),
            (FormField::Scale, "9999", "field scale 9999"),
            (FormField::Only, "color=red", "field only \"color=red\": balance has no factor color"),
            (FormField::Kind, "paper", "field kind "),
            (FormField::Repeat, "often", "use a whole number from 1 to 1000"),
            (FormField::Scale, "x", "use a number from 0.001 to 1000"),
        ] {
            let mut form = Form::new(RunnableKind::Experiment, "balance");
            form.set(field, text);
            let why = prepared(&form).err().unwrap().to_string();
            assert!(why.contains(said) && !why.contains("--") && !why.contains('\n'), "{why}");
        }
    }

    #[test]
    fn plans_fit_the_terminal_width() {
        let tree = tree();
        let engine = MachineEngine::new(&tree.root(), &Environment::default());
        for form in [
            Form::new(RunnableKind::Load, "usemem"),
            Form::new(RunnableKind::Experiment, "balance"),
        ] {
            let prepared = engine.in_lab(|lab| lab.prepare(&session_spec(&form).unwrap())).unwrap();
            for width in [60, 80, 120] {
                let lines = show::plan(&prepared, width);
                let longest = lines.iter().map(|line| text::width(line)).max().unwrap_or(0);
                assert!((width - 12..=width).contains(&longest), "{longest} of {width}: {lines:?}");
            }
        }
    }
}

//! Workloads and experiments on the command line: lists, plans and outcomes of sessions.

use crate::actions::Step;
use crate::actions::check::Check;
use crate::actions::journal::PlanEnd;
use crate::actions::messages;
use crate::actions::run::ChangeOutcome;
use crate::change::{ChangeAttempt, ChangeError};
use crate::cli::commands::listing::name_and_text;
use crate::cli::commands::results::experiment::document::DerivedTables;
use crate::cli::out::text_width;
use crate::columns::text::{self, heading_and_text};
use crate::derive::lab::{RunStatus, why_not_done};
use crate::lab::builtin;
use crate::lab::experiment::{Published, file, table};
use crate::lab::library::{LibraryFolder, UserFiles};
use crate::lab::load::file::SourceText;
use crate::lab::run_spec::RunSpec;
use crate::lab::session::{
    Prepared, Session, SessionCase, SessionOutcome, describe_case, describe_work,
};
use crate::lab::session::{describe_after, describe_waits};
use crate::model::Bytes;
use crate::model::experiment::{Experiment, FactorValue};
use crate::model::name::safe_text;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::ui::lab::{self, RunnableKind};
use serde::Serialize;

/// Version of the documents of `stress run` and `experiment run`. Stored results have versions of their own.
pub(in crate::cli::commands::change) const SCHEMA: u32 = 2;

/// The width of the headings in front of text.
const HEADING_CELLS: usize = 10;

/// A workload in the list.
#[derive(Debug, Serialize)]
pub(in crate::cli::commands::change) struct ListedLoad {
    name: String,
    /// The description; none if the file is not valid.
    about: Option<String>,
    /// The file of the user; none for a built-in workload.
    file: Option<String>,
    /// The first error in the file.
    wrong: Option<String>,
}

impl ListedLoad {
    fn from_source(name: &str, file: Option<String>, source: ChangeAttempt<SourceText>) -> Self {
        let load = source.and_then(|source| Ok(source.load(&[])?));
        let load = load.map_err(|error| first_line(&error));
        let about = load.as_ref().ok().map(|(load, _)| load.about.clone());
        Self { name: name.to_owned(), about, file, wrong: load.err() }
    }

    /// Converts it to an entry of the screen.
    pub(in crate::cli::commands::change) fn entry(&self) -> lab::Runnable {
        lab::Runnable {
            what: RunnableKind::Load,
            letter: None,
            name: self.name.clone(),
            about: self.describe(),
        }
    }

    /// The description, or the error in the file.
    fn describe(&self) -> String {
        describe_file(self.about.as_deref(), self.file.as_deref(), self.wrong.as_deref())
    }

    /// The lines of the list.
    pub(in crate::cli::commands::change) fn lines(&self, width: usize) -> Vec<String> {
        name_and_text(&safe_text(&self.name), &self.describe(), (16, width))
    }
}

/// The first line of an error.
fn first_line(error: &ChangeError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// Describes a workload or an experiment and its file, or the error in the file.
fn describe_file(about: Option<&str>, file: Option<&str>, wrong: Option<&str>) -> String {
    let wrong = wrong.map(|wrong| format!("cannot be run: {wrong}"));
    let from = file.filter(|_| wrong.is_none()).map(|file| format!("From {file}."));
    let about = about.filter(|about| !about.is_empty()).map(safe_text);
    [about, from, wrong].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Lists all workloads, with remarks about files that are left out.
pub(in crate::cli::commands::change) fn loads(own: &UserFiles) -> (Vec<ListedLoad>, Vec<String>) {
    list_all(&own.loads, ListedLoad::from_source)
}

/// Lists all experiments, with remarks about files that are left out.
pub(in crate::cli::commands::change) fn experiments(
    own: &UserFiles,
) -> (Vec<ListedExperiment>, Vec<String>) {
    list_all(&own.experiments, ListedExperiment::from_source)
}

/// Lists the built-in entries and those of the user.
fn list_all<T>(
    folder: &LibraryFolder,
    of: impl Fn(&str, Option<String>, ChangeAttempt<SourceText>) -> T,
) -> (Vec<T>, Vec<String>) {
    let (files, others) = folder.list();
    let known = folder.all_built_in().iter().map(|it| of(it.name, None, Ok(it.source())));
    let own = files.iter().map(|it| of(&it.name, Some(it.display_path()), it.source(folder)));
    (known.chain(own).collect(), others)
}

/// An experiment in the list. Without a valid file, fields are missing.
#[derive(Debug, Serialize)]
pub(in crate::cli::commands::change) struct ListedExperiment {
    /// The letter of a built-in experiment.
    letter: Option<&'static str>,
    name: String,
    about: Option<String>,
    question: Option<String>,
    cases: Option<usize>,
    repetitions: Option<u32>,
    /// The file of a user; none for a built-in experiment.
    file: Option<String>,
    /// The first error in the file.
    wrong: Option<String>,
}

impl ListedExperiment {
    fn from_source(name: &str, file: Option<String>, source: ChangeAttempt<SourceText>) -> Self {
        let plan = source.and_then(|source| Ok(file::plan(&source)?));
        let plan = plan.map_err(|error| first_line(&error));
        let built_in = builtin::find(builtin::EXPERIMENTS, name).filter(|_| file.is_none());
        let wrong = plan.as_ref().err().cloned();
        let plan = plan.ok();
        Self {
            letter: built_in.and_then(|it| it.letter),
            name: name.to_owned(),
            cases: plan
                .as_ref()
                .map(|plan| plan.factors.iter().map(|it| it.values.len()).product()),
            repetitions: plan.as_ref().map(|plan| plan.repetitions),
            about: plan.as_ref().map(|plan| plan.about.clone()),
            question: plan.map(|plan| plan.question),
            file,
            wrong,
        }
    }

    /// An experiment that is not a file.
    pub(in crate::cli::commands::change) fn without_file(
        name: &str,
        (question, about): (&str, &str),
        cases: usize,
    ) -> Self {
        Self {
            letter: None,
            name: name.to_owned(),
            about: Some(about.to_owned()),
            question: Some(question.to_owned()),
            cases: Some(cases),
            repetitions: Some(1),
            file: None,
            wrong: None,
        }
    }

    /// Converts it to an entry of the screen.
    pub(in crate::cli::commands::change) fn entry(&self) -> lab::Runnable {
        let (name, about) = (self.name.clone(), self.describe());
        lab::Runnable { what: RunnableKind::Experiment, letter: self.letter, name, about }
    }

    /// The question, the description and the number of runs, or the error in the file.
    fn describe(&self) -> String {
        let told = self.question.iter().chain(&self.about).map(String::as_str).collect::<Vec<_>>();
        let count = self.cases.zip(self.repetitions);
        let count = count.map(|(cases, times)| match times {
            1 => format!("{cases} cases, once each."),
            _ => format!("{cases} cases, {times} times each."),
        });
        let told = told.into_iter().chain(count.as_deref()).collect::<Vec<_>>().join(" ");
        describe_file(Some(&told), self.file.as_deref(), self.wrong.as_deref())
    }

    /// The lines of the list.
    pub(in crate::cli::commands::change) fn lines(&self, width: usize) -> Vec<String> {
        let name = safe_text(&self.name);
        let name = format!("{} {name}", self.letter.unwrap_or(" "));
        name_and_text(&name, &self.describe(), (14, width))
    }
}

/// The plan of a session.
pub(in crate::cli::commands::change) fn plan(prepared: &Prepared, width: usize) -> Vec<String> {
    let mut lines = match prepared.session.load() {
        Some(spec) => load_plan(prepared, spec, width),
        None => experiment_plan(&prepared.session, width),
    };
    lines.push(String::new());
    for check in &prepared.checks {
        let word = format!("  {}", check.verdict.word());
        lines.extend(heading_and_text(&word, &check.text, (HEADING_CELLS, width)));
    }
    if !prepared.checks.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// Paragraphs with a heading in front of the first.
fn heading_and_paragraphs<S: AsRef<str>>(
    head: &str,
    paragraphs: impl IntoIterator<Item = S>,
    width: usize,
) -> Vec<String> {
    let heads = std::iter::once(head).chain(std::iter::repeat(""));
    let pairs = heads.zip(paragraphs);
    pairs
        .flat_map(|(head, words)| heading_and_text(head, words.as_ref(), (HEADING_CELLS, width)))
        .collect()
}

fn load_plan(prepared: &Prepared, spec: &RunSpec, width: usize) -> Vec<String> {
    let session = &prepared.session;
    let mut lines = vec![format!("Workload: {}", safe_text(&session.title)), String::new()];
    let works = spec.workload.works.iter();
    lines.extend(
        works.flat_map(|it| heading_and_paragraphs("  runs", [describe_work(spec, it)], width)),
    );
    lines.extend(heading_and_paragraphs("  waits", describe_waits(&spec.workload), width));
    lines.extend(heading_and_paragraphs("  at end", describe_after(&spec.workload), width));
    lines.extend(heading_and_paragraphs("  memory", [session.describe_limit()], width));
    lines.extend(heading_and_paragraphs("  guard", session.describe_guard(), width));
    lines.extend(heading_and_paragraphs(
        "  setup",
        prepared.steps().iter().map(Step::describe),
        width,
    ));
    lines
}

fn experiment_plan(session: &Session, width: usize) -> Vec<String> {
    let mut lines = vec![format!("Experiment: {}", safe_text(&session.title))];
    lines.extend(
        session.experiment.iter().flat_map(|it| text::wrap(&safe_text(&it.question), width)),
    );
    lines.push(String::new());
    lines.extend(heading_and_paragraphs("  cases", session.cases.iter().map(describe_case), width));
    lines.extend(heading_and_paragraphs("  work", session.describe_unusual(), width));
    lines.extend(heading_and_paragraphs("  runs", [session.describe_order()], width));
    lines.push("  guard (stops a run)".to_owned());
    lines.extend(heading_and_paragraphs("", session.describe_guard(), width));
    lines.extend(heading_and_paragraphs("  at most", [session.describe_most()], width));
    lines
}

/// The remark if nothing was stored, because a result has to contain measurements.
pub(in crate::cli::commands::change) const NOTHING_MEASURED: &str =
    "too little was measured, so no result is stored";

/// How repetitions ended early, the outcome of the setup, and the number of the result.
pub(in crate::cli::commands::change) fn ending_lines(outcome: &SessionOutcome) -> Vec<String> {
    let measured = outcome.run().into_iter().flat_map(|run| &run.measured);
    let early = measured.zip(1..).filter_map(|(measured, number)| match &measured.end {
        RepetitionEnd::Done => None,
        RepetitionEnd::Stopped { why } => Some(format!("Run {number} was stopped: {why}.")),
        RepetitionEnd::Failed { why } => Some(format!("Run {number} FAILED: {why}.")),
    });
    let setup = outcome.setup.iter().map(messages::describe_outcome);
    let none = outcome.setup.is_none() && outcome.run().is_none();
    let why = outcome.experiment.why.iter().filter(|_| none);
    let why = why.map(|why| format!("Ended early: {why}."));
    let kept = outcome.stored();
    let kept = kept.map(|id| format!("Stored as result {id}: see swapadm results show {id}"));
    [String::new()].into_iter().chain(early).chain(setup).chain(why).chain(kept).collect()
}

/// The lines that usemem prints for each process. It counts an eighth more bytes than it accesses, and
/// its time begins before the first process starts.
pub(in crate::cli::commands::change) fn usemem(run: &Run) -> Vec<String> {
    let tasks = run.measured.iter().flat_map(|measured| &measured.tasks);
    let lines = tasks.flat_map(|task| {
        let bytes = task.touched.bytes.0 + task.touched.bytes.0 / 8;
        let micros = (task.touched.since_begin_ns / 1000).max(1);
        let rate = (u128::from(bytes) * 1_000_000 / 1024) / u128::from(micros);
        let first = format!("{bytes} bytes / {micros} usecs = {rate} KB/s");
        let freed = task.free_ns.map(|free| format!("{} usecs to free memory", free / 1000));
        [Some(first), freed].into_iter().flatten()
    });
    lines.collect()
}

/// The result of an experiment.
pub(in crate::cli::commands::change) fn result_lines(
    experiment: &Experiment,
    published: Option<&Published>,
    terminal: Option<usize>,
) -> Vec<String> {
    let mut lines = table::lines(experiment, published, text_width(terminal));
    let id = experiment.id;
    if id > 0 {
        let words = format!(
            "Stored as result {id}; the runs of its cases are results {}: see swapadm results show {id}",
            experiment.run_numbers()
        );
        lines.push(String::new());
        lines.extend(text::wrap(&words, text_width(terminal)));
    }
    lines
}

/// The JSON document of a workload: plan, checks and measurements.
#[derive(Debug, Serialize)]
pub(in crate::cli::commands::change) struct LoadDocument<'a> {
    kind: &'static str,
    schema: u32,
    title: &'a str,
    guard: Vec<String>,
    /// The setup of the run.
    steps: &'a [Step],
    checks: &'a [Check],
    run: Option<&'a Run>,
    /// How it ended, and why it did not finish.
    end: Option<RunStatus>,
    why: Option<&'a str>,
    /// The plan of the setup in the journal, and its outcome.
    journal: Option<u64>,
    temporary: Option<PlanEnd>,
    temporary_why: Option<&'a str>,
}

impl<'a> LoadDocument<'a> {
    pub(in crate::cli::commands::change) fn new(
        prepared: &'a Prepared,
        outcome: Option<&'a SessionOutcome>,
    ) -> Self {
        let session = &prepared.session;
        let setup = outcome.and_then(|it| it.setup.as_ref());
        let run = outcome.and_then(SessionOutcome::run);
        let measured: Vec<&RepetitionResult> = run.iter().flat_map(|run| &run.measured).collect();
        Self {
            kind: "stress run",
            schema: SCHEMA,
            title: &session.title,
            guard: session.describe_guard(),
            steps: prepared.steps(),
            checks: &prepared.checks,
            run,
            end: RunStatus::from_repetitions(&measured, session.repetitions as usize),
            why: why_not_done(&measured),
            journal: setup.and_then(ChangeOutcome::journal),
            temporary: setup.map(|outcome| outcome.end),
            temporary_why: setup
                .and_then(|outcome| outcome.why.as_deref().or(outcome.remark.as_deref())),
        }
    }
}

/// The JSON document of an experiment: plan, checks and measurements.
#[derive(Debug, Serialize)]
pub(in crate::cli::commands::change) struct ExperimentDocument<'a> {
    kind: &'static str,
    schema: u32,
    title: &'a str,
    question: &'a str,
    cases: Vec<PlannedCase<'a>>,
    /// The cases in the order of their runs, by index.
    order: &'a [usize],
    checks: &'a [Check],
    experiment: Option<&'a Experiment>,
    /// The table, and the differences between cases.
    #[serde(flatten)]
    shown: DerivedTables,
    published: Option<&'a Published>,
    /// How it ended, and why it did not finish.
    end: Option<RunStatus>,
    why: Option<&'a str>,
    /// The outcome of the last setup.
    temporary: Option<PlanEnd>,
}

/// A case of the plan.
#[derive(Debug, Serialize)]
struct PlannedCase<'a> {
    name: &'a str,
    factors: &'a [FactorValue],
    load: &'a str,
    limit: Option<Bytes>,
    devices: Vec<Bytes>,
    /// The kind of each temporary area.
    kinds: Vec<&'static str>,
}

impl<'a> ExperimentDocument<'a> {
    pub(in crate::cli::commands::change) fn new(
        prepared: &'a Prepared,
        outcome: Option<&'a SessionOutcome>,
    ) -> Self {
        let session = &prepared.session;
        let case = |case: &'a SessionCase| PlannedCase {
            name: &case.name,
            factors: &case.levels,
            load: &case.spec.workload.name,
            limit: case.spec.limit,
            devices: case.spec.devices.iter().map(|device| device.size).collect(),
            kinds: case.spec.devices.iter().map(|device| device.kind.word()).collect(),
        };
        let experiment = outcome.map(|it| &it.experiment);
        let measured: Vec<&RepetitionResult> =
            experiment.iter().flat_map(|it| it.measured()).collect();
        let early = experiment.and_then(|it| it.why.as_deref());
        let plan = session.experiment.as_deref();
        Self {
            kind: "experiment run",
            schema: SCHEMA,
            title: &session.title,
            question: plan.map_or("", |plan| &plan.question),
            cases: session.cases.iter().map(case).collect(),
            order: &session.order,
            checks: &prepared.checks,
            experiment,
            shown: experiment.map_or_else(DerivedTables::empty, DerivedTables::from_experiment),
            published: plan.and_then(|plan| plan.published.as_ref()),
            end: outcome.and_then(SessionOutcome::end),
            why: early.or_else(|| why_not_done(&measured)),
            temporary: outcome.and_then(SessionOutcome::setup_end),
        }
    }
}

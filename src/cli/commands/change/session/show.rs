//! What the command line tells of loads and experiments: lists, plans, and what came of sessions.

use super::super::schemas::lab::{EXPERIMENT, STRESS};
use crate::actions::Step;
use crate::actions::check::Check;
use crate::actions::journal::PlanEnd;
use crate::actions::messages;
use crate::cli::commands::results::experiment::document::DerivedTables;
use crate::cli::out::text_width;
use crate::columns::text;
use crate::config::KeyHelp;
use crate::derive::lab::{RunStatus, why_not_done};
use crate::lab::LabError;
use crate::lab::builtin;
use crate::lab::experiment::{Published, file, table};
use crate::lab::library::{LibraryFolder, UserFiles};
use crate::lab::load::file::SourceText;
use crate::lab::run_spec::RunSpec;
use crate::lab::session::{SessionCase, Prepared, Session, SessionOutcome, describe_case, describe_work};
use crate::lab::session::{describe_after, describe_waits};
use crate::model::Bytes;
use crate::model::experiment::{Experiment, FactorValue};
use crate::model::name::safe_text;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::ui::lab::{self, RunnableKind};
use serde::Serialize;

/// Cells of a line where there is no terminal.
const DEFAULT_WIDTH: usize = 80;
/// The narrowest terminal that lists and plans are laid out for, and the longest lines that are read well.
const MIN_AND_MAX_WIDTH: (usize, usize) = (60, 120);
/// Cells before words that have a heading.
const HEADING_CELLS: usize = 10;

/// A load that can be named.
#[derive(Debug, Serialize)]
pub(in crate::cli::commands::change) struct ListedLoad {
    name: String,
    /// What it does; none where that cannot be told.
    about: Option<String>,
    /// The file of a user; none if it is built in.
    file: Option<String>,
    /// The first thing that is wrong with that file.
    wrong: Option<String>,
}

impl ListedLoad {
    fn from_source(name: &str, file: Option<String>, source: Result<SourceText, LabError>) -> Self {
        let load = source.and_then(|source| Ok(source.load(&[])?));
        let load = load.map_err(|error| first_line(&error));
        let about = load.as_ref().ok().map(|(load, _)| load.about.clone());
        Self { name: name.to_owned(), about, file, wrong: load.err() }
    }

    /// As the screen lists it.
    pub(in crate::cli::commands::change) fn entry(&self) -> lab::Runnable {
        lab::Runnable { what: RunnableKind::Load, letter: None, name: self.name.clone(), about: self.describe() }
    }

    /// What it does, or why it does nothing.
    fn describe(&self) -> String {
        describe_file(self.about.as_deref(), self.file.as_deref(), self.wrong.as_deref())
    }

    /// One of a list, in words.
    pub(in crate::cli::commands::change) fn lines(&self, width: usize) -> Vec<String> {
        name_and_text(&safe_text(&self.name), &self.describe(), (16, width))
    }
}

/// The first of several complaints.
fn first_line(error: &LabError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// What a load or an experiment does and where it comes from, or what is wrong with it.
fn describe_file(about: Option<&str>, file: Option<&str>, wrong: Option<&str>) -> String {
    let wrong = wrong.map(|wrong| format!("cannot be run: {wrong}"));
    let from = file.filter(|_| wrong.is_none()).map(|file| format!("From {file}."));
    let about = about.filter(|about| !about.is_empty()).map(safe_text);
    [about, from, wrong].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// All loads, and remarks about files that are not among them.
pub(in crate::cli::commands::change) fn loads(own: &UserFiles) -> (Vec<ListedLoad>, Vec<String>) {
    list_all(&own.loads, ListedLoad::from_source)
}

/// All experiments, and remarks about files that are not among them.
pub(in crate::cli::commands::change) fn experiments(own: &UserFiles) -> (Vec<ListedExperiment>, Vec<String>) {
    list_all(&own.experiments, ListedExperiment::from_source)
}

/// What is built in, and the files of a user.
fn list_all<T>(
    folder: &LibraryFolder,
    of: impl Fn(&str, Option<String>, Result<SourceText, LabError>) -> T,
) -> (Vec<T>, Vec<String>) {
    let (files, others) = folder.list();
    let known = folder.all_built_in().iter().map(|it| of(it.name, None, Ok(it.source())));
    let own = files.iter().map(|it| of(&it.name, Some(it.display_path()), it.source(folder)));
    (known.chain(own).collect(), others)
}

/// An experiment that can be named. What its file says is none where that cannot be followed.
#[derive(Debug, Serialize)]
pub(in crate::cli::commands::change) struct ListedExperiment {
    /// Only of those that are built in.
    letter: Option<&'static str>,
    name: String,
    about: Option<String>,
    question: Option<String>,
    cases: Option<usize>,
    repetitions: Option<u32>,
    /// The file of one's own; none where it is built in.
    file: Option<String>,
    /// The first that is wrong with that.
    wrong: Option<String>,
}

impl ListedExperiment {
    fn from_source(name: &str, file: Option<String>, source: Result<SourceText, LabError>) -> Self {
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

    /// As the screen lists it.
    pub(in crate::cli::commands::change) fn entry(&self) -> lab::Runnable {
        let (name, about) = (self.name.clone(), self.describe());
        lab::Runnable { what: RunnableKind::Experiment, letter: self.letter, name, about }
    }

    /// What it answers and how, or why it cannot.
    fn describe(&self) -> String {
        let told = self.question.iter().chain(&self.about).map(String::as_str).collect::<Vec<_>>();
        let count = self.cases.zip(self.repetitions);
        let count = count.map(|(cases, times)| format!("{cases} cases, {times} times each."));
        let told = told.into_iter().chain(count.as_deref()).collect::<Vec<_>>().join(" ");
        describe_file(Some(&told), self.file.as_deref(), self.wrong.as_deref())
    }

    /// One of a list, in words.
    pub(in crate::cli::commands::change) fn lines(&self, width: usize) -> Vec<String> {
        let name = safe_text(&self.name);
        let name = format!("{} {name}", self.letter.unwrap_or(" "));
        name_and_text(&name, &self.describe(), (14, width))
    }
}

/// Cells of a line of a list or of a plan, on a terminal that has so many.
pub(in crate::cli::commands::change) fn listed_width(terminal: Option<usize>) -> usize {
    terminal.unwrap_or(DEFAULT_WIDTH).clamp(MIN_AND_MAX_WIDTH.0, MIN_AND_MAX_WIDTH.1)
}

/// Words behind a name, or below it where it is longer than its room.
fn name_and_text(name: &str, words: &str, (lead, width): (usize, usize)) -> Vec<String> {
    if text::width(name) < lead {
        return heading_and_text(name, words, (lead, width));
    }
    [name.to_owned()].into_iter().chain(heading_and_text("", words, (lead, width))).collect()
}

/// Words behind a heading of so many cells, in as many lines of so many cells as they take.
fn heading_and_text(head: &str, words: &str, (lead, width): (usize, usize)) -> Vec<String> {
    let wrapped = text::wrap(words, width - lead).into_iter().enumerate();
    let line = |(place, line): (usize, String)| {
        let head = if place == 0 { head } else { "" };
        text::pad(head, lead, false) + &line
    };
    wrapped.map(line).collect()
}

/// The keys of a file, table by table.
pub(in crate::cli::commands::change) fn keys(
    lines: impl IntoIterator<Item = KeyHelp>,
    width: usize,
) -> Vec<String> {
    let mut told = Vec::new();
    let mut heading = "";
    for line in lines {
        if line.heading != heading {
            let gap = (!told.is_empty()).then(String::new);
            heading = line.heading;
            told.extend(gap.into_iter().chain([format!("{heading}:"), String::new()]));
        }
        let takes = text::wrap(&format!("{}: {}", line.key, line.takes), width - 4);
        let indent = |place| if place == 0 { "  " } else { "    " };
        told.extend(takes.iter().enumerate().map(|(place, line)| indent(place).to_owned() + line));
        let words = format!("{}. {}.", line.help, line.describe_default());
        told.extend(text::wrap(&words, width - 6).into_iter().map(|line| format!("      {line}")));
    }
    told
}

/// What would be run, in lines of so many cells.
pub(in crate::cli::commands::change) fn plan(prepared: &Prepared, width: usize) -> Vec<String> {
    let mut lines = match prepared.session.load() {
        Some(spec) => load_plan(prepared, spec, width),
        None => experiment_plan(&prepared.session, width),
    };
    lines.push(String::new());
    for check in &prepared.checks {
        let word = format!("  {}", messages::verdict_word(check.verdict));
        lines.extend(heading_and_text(&word, &check.text, (HEADING_CELLS, width)));
    }
    if !prepared.checks.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// Paragraphs under one heading, which stands before the first.
fn heading_and_paragraphs<S: AsRef<str>>(
    head: &str,
    paragraphs: impl IntoIterator<Item = S>,
    width: usize,
) -> Vec<String> {
    let heads = std::iter::once(head).chain(std::iter::repeat(""));
    let pairs = heads.zip(paragraphs);
    pairs.flat_map(|(head, words)| heading_and_text(head, words.as_ref(), (HEADING_CELLS, width))).collect()
}

fn load_plan(prepared: &Prepared, spec: &RunSpec, width: usize) -> Vec<String> {
    let session = &prepared.session;
    let mut lines = vec![format!("Load: {}", session.title), String::new()];
    let works = spec.workload.works.iter();
    lines.extend(works.flat_map(|it| heading_and_paragraphs("  runs", [describe_work(spec, it)], width)));
    lines.extend(heading_and_paragraphs("  waits", describe_waits(&spec.workload), width));
    lines.extend(heading_and_paragraphs("  at last", describe_after(&spec.workload), width));
    lines.extend(heading_and_paragraphs("  cage", [session.describe_limit()], width));
    lines.extend(heading_and_paragraphs("  ends if", session.describe_guard(), width));
    lines.extend(heading_and_paragraphs("  is lent", prepared.steps().iter().map(Step::describe), width));
    lines
}

fn experiment_plan(session: &Session, width: usize) -> Vec<String> {
    let mut lines = vec![format!("Experiment: {}", session.title)];
    lines.extend(session.experiment.iter().flat_map(|it| text::wrap(&it.question, width)));
    lines.push(String::new());
    lines.extend(heading_and_paragraphs("  cases", session.cases.iter().map(describe_case), width));
    lines.extend(heading_and_paragraphs("  loads", session.describe_unusual(), width));
    lines.extend(heading_and_paragraphs("  runs", [session.describe_order()], width));
    lines.push("  each run ends if".to_owned());
    lines.extend(heading_and_paragraphs("", session.describe_guard(), width));
    lines.extend(heading_and_paragraphs("  at most", [session.describe_most()], width));
    lines
}

/// Why a run has no number: the last result is one that tells something.
pub(in crate::cli::commands::change) const NOTHING_MEASURED: &str = "nothing was measured: not kept";

/// How each repetition of a load ended, what became of its setup, and where the result is.
pub(in crate::cli::commands::change) fn ending_lines(outcome: &SessionOutcome) -> Vec<String> {
    let measured = outcome.run().into_iter().flat_map(|run| &run.measured);
    let early = measured.zip(1..).filter_map(|(measured, number)| match &measured.end {
        RepetitionEnd::Done => None,
        RepetitionEnd::Stopped { why } => Some(format!("Run {number} was ended: {why}.")),
        RepetitionEnd::Failed { why } => Some(format!("Run {number} FAILED: {why}.")),
    });
    let setup = outcome.setup.iter().map(messages::describe_outcome);
    let none = outcome.setup.is_none() && outcome.run().is_none();
    let why = outcome.experiment.why.iter().filter(|_| none);
    let why = why.map(|why| format!("It ended early: {why}."));
    let kept = outcome.stored();
    let kept =
        kept.map(|id| format!("Kept as result {id}: swapadm results show {id}, compare, export"));
    [String::new()].into_iter().chain(early).chain(setup).chain(why).chain(kept).collect()
}

/// The lines that usemem prints of each process. It counts an eighth more bytes than it touches,
/// and its time begins before the first process is started.
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

/// What came of it.
pub(in crate::cli::commands::change) fn result_lines(
    experiment: &Experiment,
    published: Option<&Published>,
    terminal: Option<usize>,
) -> Vec<String> {
    let mut lines = table::lines(experiment, published, text_width(terminal));
    let id = experiment.id;
    if id > 0 {
        let words = format!(
            "Kept as the result {id}, and the runs of its cases as {}: swapadm results show {id}, swapadm results compare NUMBER NUMBER",
            experiment.run_numbers()
        );
        lines.push(String::new());
        lines.extend(text::wrap(&words, text_width(terminal)));
    }
    lines
}

/// What was asked for, checked and measured of a load, for scripts.
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
    /// How it ended, and why if it was not done.
    end: Option<RunStatus>,
    why: Option<&'a str>,
    /// The plan of the setup in the journal, and what became of it.
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
            kind: STRESS,
            schema: crate::model::run::SCHEMA,
            title: &session.title,
            guard: session.describe_guard(),
            steps: prepared.steps(),
            checks: &prepared.checks,
            run,
            end: RunStatus::from_repetitions(&measured, session.repetitions as usize),
            why: why_not_done(&measured),
            journal: setup.map(|outcome| outcome.plan),
            temporary: setup.map(|outcome| outcome.end),
            temporary_why: setup.and_then(|outcome| outcome.why.as_deref()),
        }
    }
}

/// What was asked for, checked and measured of an experiment, for scripts.
#[derive(Debug, Serialize)]
pub(in crate::cli::commands::change) struct ExperimentDocument<'a> {
    kind: &'static str,
    schema: u32,
    title: &'a str,
    question: &'a str,
    cases: Vec<PlannedCase<'a>>,
    /// Which case is run when, by its place from 0 on.
    order: &'a [usize],
    checks: &'a [Check],
    experiment: Option<&'a Experiment>,
    /// Its table, and how cases differ.
    #[serde(flatten)]
    shown: DerivedTables,
    published: Option<&'a Published>,
    /// How it ended, and why if not all of it was done.
    end: Option<RunStatus>,
    why: Option<&'a str>,
    /// What became of the last setup.
    temporary: Option<PlanEnd>,
}

/// A case that would be run.
#[derive(Debug, Serialize)]
struct PlannedCase<'a> {
    name: &'a str,
    factors: &'a [FactorValue],
    load: &'a str,
    limit: Option<Bytes>,
    devices: Vec<Bytes>,
    /// What carries each of them.
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
        let measured: Vec<&RepetitionResult> = experiment.iter().flat_map(|it| it.measured()).collect();
        let early = experiment.and_then(|it| it.why.as_deref());
        let plan = session.experiment.as_deref();
        Self {
            kind: EXPERIMENT,
            schema: crate::model::experiment::SCHEMA,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::load::keys::KEYS;

    #[test]
    fn keys_fit_on_a_terminal() {
        for line in super::keys(KEYS.lines(), DEFAULT_WIDTH) {
            assert!(text::width(&line) <= DEFAULT_WIDTH, "{line}");
        }
    }

    #[test]
    fn words_align_for_wide_names() {
        for name in ["load", "日本"] {
            let lines = name_and_text(name, "touches memory", (8, 18));
            let leads = lines.iter().zip(["touches", "memory"]);
            let leads: Vec<usize> =
                leads.map(|(line, word)| text::width(line.split_once(word).unwrap().0)).collect();
            assert_eq!(leads, [8, 8], "{lines:?}");
        }
    }
}

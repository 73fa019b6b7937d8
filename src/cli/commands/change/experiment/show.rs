//! What is told of experiments: before they run, and of what came of them.

use super::super::form::lab::EXPERIMENT;
use super::super::stress::show::{first_line, headed, under, words};
use super::super::stress::wishes::wrong;
use super::course::Made;
use super::ready::{Case, Ready};
use crate::actions::check::Check;
use crate::actions::journal::End;
use crate::actions::told;
use crate::cli::commands::results::experiment::document::Shown;
use crate::cli::commands::results::experiment::width;
use crate::cli::exit::Failure;
use crate::columns::text;
use crate::columns::units::{self, size};
use crate::derive::lab::{Ended, why_not_done};
use crate::lab::experiment::{Published, builtin, file, table};
use crate::lab::library::UserFiles;
use crate::lab::load::file::Source;
use crate::lab::run_spec::{Device, Kind};
use crate::model::Bytes;
use crate::model::experiment::{Experiment, Level};
use crate::model::name::safe_text;
use crate::model::run::Measured;
use crate::ui::lab::{Load, What};
use serde::Serialize;

/// Cells before words that have a heading.
const LEAD: usize = 10;

/// An experiment that can be named. What its file says is none where that cannot be followed.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
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

impl Listed {
    fn built_in(it: &'static builtin::Builtin) -> Self {
        Self { letter: Some(it.letter), ..Self::of(it.name, None, Ok(it.source())) }
    }

    fn of(name: &str, file: Option<String>, source: Result<Source, Failure>) -> Self {
        let plan = source.and_then(|source| file::plan(&source).map_err(|wrongs| wrong(&wrongs)));
        let plan = plan.map_err(|failure| first_line(&failure));
        let wrong = plan.as_ref().err().cloned();
        let plan = plan.ok();
        Self {
            letter: None,
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
    pub(super) fn entry(&self) -> Load {
        let (name, about) = (self.name.clone(), self.words());
        Load { what: What::Experiment, letter: self.letter, name, about }
    }

    /// What it answers and how, or why it cannot.
    fn words(&self) -> String {
        let told = self.question.iter().chain(&self.about).map(String::as_str).collect::<Vec<_>>();
        let count = self.cases.zip(self.repetitions);
        let count = count.map(|(cases, times)| format!("{cases} cases, {times} times each."));
        let told = told.into_iter().chain(count.as_deref()).collect::<Vec<_>>().join(" ");
        words(Some(&told), self.file.as_deref(), self.wrong.as_deref())
    }
}

/// All of them, and what is to be said of files that are none of them.
pub(super) fn listed(own: &UserFiles) -> (Vec<Listed>, Vec<String>) {
    let (files, others) = own.experiments.listed();
    let of_own = files.iter().map(|it| {
        Listed::of(&it.name, Some(it.shown()), it.source(&own.experiments).map_err(Failure::from))
    });
    (builtin::builtin().map(Listed::built_in).chain(of_own).collect(), others)
}

/// One of them in words.
pub(super) fn line(listed: &Listed, width: usize) -> Vec<String> {
    let name = safe_text(&listed.name);
    let name = format!("{} {name}", listed.letter.unwrap_or(" "));
    under(&name, &listed.words(), (14, width))
}

/// What would be run, in lines of so many cells.
pub(super) fn plan(ready: &Ready, checks: &[Check], width: usize) -> Vec<String> {
    let headed = |head: &str, words: &str| headed(head, words, (LEAD, width));
    let mut lines = vec![format!("Experiment: {}", ready.plan.name)];
    lines.extend(text::wrap(&ready.plan.question, width));
    lines.push(String::new());
    for (place, case) in ready.cases.iter().enumerate() {
        let head = if place == 0 { "  cases" } else { "" };
        lines.extend(headed(head, &case_words(case)));
    }
    for (place, words) in ready.unusual().iter().enumerate() {
        lines.extend(headed(if place == 0 { "  loads" } else { "" }, words));
    }
    lines.extend(headed("  runs", &order_words(ready)));
    lines.push("  each run ends if".to_owned());
    lines.extend(ready.rails().iter().flat_map(|rail| headed("", rail)));
    lines.extend(headed("  at most", &most_words(ready)));
    lines.push(String::new());
    for check in checks {
        let word = format!("  {}", told::verdict(check.verdict));
        lines.extend(headed(&word, &check.text));
    }
    if !checks.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// How often each case is run, and in which order.
pub(super) fn order_words(ready: &Ready) -> String {
    let seed = ready.seed;
    match ready.repetitions {
        1 => format!("each once, in an order that comes from the seed {seed}"),
        count => format!(
            "each {count} times, {} in all, in an order that comes from the seed {seed}",
            ready.order().len()
        ),
    }
}

/// What the processes of a run are in.
pub(super) fn cage_words(ready: &Ready) -> String {
    let limits = each_once(ready.cases.iter().filter_map(|case| case.wish.limit).map(size));
    match limits.as_slice() {
        [] => "none: the whole machine is put under pressure".to_owned(),
        limits => format!("each run in a cgroup of its own with {} of memory", limits.join(" or ")),
    }
}

/// The areas that a run is lent, if any is.
pub(super) fn areas_words(ready: &Ready) -> Option<String> {
    let areas = each_once(ready.cases.iter().filter_map(sizes));
    (!areas.is_empty()).then(|| areas.join(" or "))
}

/// The same words once.
fn each_once(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    for words in words {
        if !all.contains(&words) {
            all.push(words);
        }
    }
    all
}

/// How long all runs can take.
pub(super) fn most_words(ready: &Ready) -> String {
    let most = units::seconds(ready.at_most());
    format!("{most} for all runs, and what lending takes between them")
}

/// A case: its load, its cage and what it is lent.
pub(super) fn case_words(case: &Case) -> String {
    let wish = &case.wish;
    let mut words = vec![format!("{}: {}", case.values.name, wish.workload.name)];
    words.push(format!("{} in {}", size(wish.total()), size(wish.whole)));
    words.extend(areas(case));
    let settings = wish.settings.iter().map(|(knob, value)| format!("{knob}={value}"));
    words.extend(settings);
    words.extend(wish.folios().iter().map(|(size, word)| format!("{size}={word}")));
    words.join(", ")
}

fn areas(case: &Case) -> Option<String> {
    let devices = &case.wish.devices;
    let first = devices.first()?;
    let priorities: Vec<String> = devices.iter().map(|it| it.priority.to_string()).collect();
    let is_one = devices.iter().all(|device| device.priority == first.priority);
    let priorities = if is_one { first.priority.to_string() } else { priorities.join(" ") };
    Some(format!("{}, priority {priorities}", sizes(case)?))
}

/// How large the areas of a case are, and what carries them.
fn sizes(case: &Case) -> Option<String> {
    let devices = &case.wish.devices;
    let all: Bytes = devices.iter().map(|device| device.size).sum();
    let first = devices.first()?;
    let is_alike = devices.iter().all(|device| device.size == first.size);
    let sizes =
        if is_alike { format!("{} x {}", devices.len(), size(first.size)) } else { size(all) };
    let carried = match (has(devices, Kind::Zram), has(devices, Kind::File)) {
        (_, false) => "on zram",
        (false, true) => "in files",
        (true, true) => "on zram and in files",
    };
    Some(format!("{sizes} {carried}"))
}

fn has(devices: &[Device], kind: Kind) -> bool {
    devices.iter().any(|device| device.kind == kind)
}

/// What came of it.
pub(super) fn finished(
    made: &Made,
    published: Option<&Published>,
    terminal: Option<usize>,
) -> Vec<String> {
    let mut lines = table::lines(&made.experiment, published, width(terminal));
    let id = made.experiment.id;
    if id > 0 {
        let words = format!(
            "Kept as the result {id}, and the runs of its cases as {}: swapadm results show {id}, swapadm results compare NUMBER NUMBER",
            made.experiment.run_numbers()
        );
        lines.push(String::new());
        lines.extend(text::wrap(&words, width(terminal)));
    }
    lines
}

/// What was wished, checked and measured, for scripts.
#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
    kind: &'static str,
    schema: u32,
    title: &'a str,
    question: &'a str,
    cases: Vec<Foreseen<'a>>,
    /// Which case is run when, by its place from 0 on.
    order: Vec<usize>,
    checks: &'a [Check],
    experiment: Option<&'a Experiment>,
    /// Its table, and how cases differ.
    #[serde(flatten)]
    shown: Shown,
    published: Option<&'a Published>,
    /// How it ended, and why if not all of it was done.
    end: Option<Ended>,
    why: Option<&'a str>,
    /// What became of what was lent last.
    lent: Option<End>,
}

/// A case that would be run.
#[derive(Debug, Serialize)]
struct Foreseen<'a> {
    name: &'a str,
    factors: &'a [Level],
    load: &'a str,
    limit: Option<Bytes>,
    devices: Vec<Bytes>,
    /// What carries each of them.
    kinds: Vec<&'static str>,
}

impl<'a> Document<'a> {
    pub(super) fn of(ready: &'a Ready, checks: &'a [Check], made: Option<&'a Made>) -> Self {
        let case = |case: &'a Case| Foreseen {
            name: &case.values.name,
            factors: &case.values.levels,
            load: &case.wish.workload.name,
            limit: case.wish.limit,
            devices: case.wish.devices.iter().map(|device| device.size).collect(),
            kinds: case.wish.devices.iter().map(|device| device.kind.word()).collect(),
        };
        let experiment = made.map(|made| &made.experiment);
        let measured: Vec<&Measured> = experiment.iter().flat_map(|it| it.measured()).collect();
        let early = experiment.and_then(|it| it.why.as_deref());
        Self {
            kind: EXPERIMENT,
            schema: crate::model::experiment::SCHEMA,
            title: &ready.plan.name,
            question: &ready.plan.question,
            cases: ready.cases.iter().map(case).collect(),
            order: ready.order(),
            checks,
            experiment,
            shown: experiment.map_or_else(Shown::nothing, Shown::of),
            published: ready.plan.published.as_ref(),
            end: made.and_then(Made::end),
            why: early.or_else(|| why_not_done(&measured)),
            lent: made.and_then(|made| made.lent),
        }
    }
}

//! What is told of loads: before they run, and of what came of it.

use super::super::form::lab::STRESS;
use super::{unusual, wishes};
use crate::actions::Step;
use crate::actions::check::Check;
use crate::actions::journal::End;
use crate::actions::plan::Plan;
use crate::actions::told;
use crate::cli::exit::Failure;
use crate::columns::text;
use crate::columns::units::size;
use crate::config::Line;
use crate::derive::lab::{Ended, why_not_done};
use crate::lab::library::UserFiles;
use crate::lab::load::builtin::builtin;
use crate::lab::load::file::Source;
use crate::lab::run_spec::RunSpec;
use crate::lab::run_with_setup::RunOutcome;
use crate::model::load::{Contents, Order, Work};
use crate::model::name::safe_text;
use crate::model::run::{Ending, Measured, Run};
use serde::Serialize;

/// Cells of a line where there is no terminal.
const WIDTH: usize = 80;
/// The narrowest terminal that lists and plans are laid out for, and the longest lines that are read well.
const LISTED: (usize, usize) = (60, 120);
/// Cells before words that have a heading.
const LEAD: usize = 10;

/// A load that can be named.
#[derive(Debug, Serialize)]
pub(super) struct Load {
    pub(super) name: String,
    /// What it does; none where that cannot be told.
    about: Option<String>,
    /// The file of one's own; none where it is built in.
    file: Option<String>,
    /// The first that is wrong with that.
    wrong: Option<String>,
}

impl Load {
    fn of(name: &str, file: Option<String>, source: Result<Source, Failure>) -> Self {
        let load =
            source.and_then(|source| source.load(&[]).map_err(|problems| wishes::wrong(&problems)));
        let load = load.map(|(load, _)| load).map_err(|failure| first_line(&failure));
        let about = load.as_ref().ok().map(|load| load.about.clone());
        Self { name: name.to_owned(), about, file, wrong: load.err() }
    }

    /// What it does, or why it does nothing.
    pub(super) fn words(&self) -> String {
        words(self.about.as_deref(), self.file.as_deref(), self.wrong.as_deref())
    }
}

/// The first of several complaints.
pub(in crate::cli::commands::change) fn first_line(failure: &Failure) -> String {
    failure.to_string().lines().next().unwrap_or_default().to_owned()
}

/// What a load or an experiment does and where it comes from, or what is wrong with it.
pub(in crate::cli::commands::change) fn words(
    about: Option<&str>,
    file: Option<&str>,
    wrong: Option<&str>,
) -> String {
    let wrong = wrong.map(|wrong| format!("cannot be run: {wrong}"));
    let from = file.filter(|_| wrong.is_none()).map(|file| format!("From {file}."));
    let about = about.filter(|about| !about.is_empty()).map(safe_text);
    [about, from, wrong].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// All of them, and what is to be said of files that are none of them.
pub(super) fn loads(own: &UserFiles) -> (Vec<Load>, Vec<String>) {
    let (files, others) = own.loads.listed();
    let built_in = builtin().map(|known| Load::of(known.name, None, Ok(known.source())));
    let of_own = files.iter().map(|file| {
        Load::of(&file.name, Some(file.shown()), file.source(&own.loads).map_err(Failure::from))
    });
    (built_in.chain(of_own).collect(), others)
}

/// Cells of a line of a list or of a plan, on a terminal that has so many.
pub(in crate::cli::commands::change) fn listed_width(terminal: Option<usize>) -> usize {
    terminal.unwrap_or(WIDTH).clamp(LISTED.0, LISTED.1)
}

/// One of them in words.
pub(super) fn load(load: &Load, width: usize) -> Vec<String> {
    under(&safe_text(&load.name), &load.words(), (16, width))
}

/// Words behind a name, or below it where it is longer than its room.
pub(in crate::cli::commands::change) fn under(
    name: &str,
    words: &str,
    (lead, width): (usize, usize),
) -> Vec<String> {
    if text::width(name) < lead {
        return headed(name, words, (lead, width));
    }
    [name.to_owned()].into_iter().chain(headed("", words, (lead, width))).collect()
}

/// Words behind a heading of so many cells, in as many lines of so many cells as they take.
pub(in crate::cli::commands::change) fn headed(
    head: &str,
    words: &str,
    (lead, width): (usize, usize),
) -> Vec<String> {
    let wrapped = text::wrap(words, width - lead).into_iter().enumerate();
    let line = |(place, line): (usize, String)| {
        let head = if place == 0 { head } else { "" };
        text::pad(head, lead, false) + &line
    };
    wrapped.map(line).collect()
}

/// The keys of a file, table by table.
pub(in crate::cli::commands::change) fn keys(
    lines: impl IntoIterator<Item = Line>,
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
        let words = format!("{}. Without it: {}.", line.help, line.default);
        told.extend(text::wrap(&words, width - 6).into_iter().map(|line| format!("      {line}")));
    }
    told
}

/// What would be run, in lines of so many cells.
pub(super) fn plan(wish: &RunSpec, plan: &Plan, checks: &[Check], width: usize) -> Vec<String> {
    let headed = |head: &str, words: &str| headed(head, words, (LEAD, width));
    let mut lines = vec![format!("Load: {}", wish.title), String::new()];
    for work in &wish.workload.works {
        lines.extend(headed("  runs", &work_words(wish, work)));
    }
    let waits = unusual::together(&wish.workload);
    lines.extend(waits.iter().flat_map(|words| headed("  waits", words)));
    let after = unusual::after(&wish.workload);
    lines.extend(after.iter().flat_map(|words| headed("  at last", words)));
    lines.extend(headed("  cage", &cage_words(wish)));
    for (place, rail) in wish.rails.words(wish.limit.is_some()).iter().enumerate() {
        lines.extend(headed(if place == 0 { "  ends if" } else { "" }, rail));
    }
    for (place, step) in plan.steps.iter().enumerate() {
        lines.extend(headed(if place == 0 { "  is lent" } else { "" }, &step.words()));
    }
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

/// What its processes run in.
pub(super) fn cage_words(wish: &RunSpec) -> String {
    match wish.limit {
        Some(limit) => format!("a cgroup of its own with {} of memory", size(limit)),
        None => "none: the whole machine is put under pressure".to_owned(),
    }
}

/// What one group of its processes does.
pub(super) fn work_words(wish: &RunSpec, work: &Work) -> String {
    let processes = if work.processes == 1 { "process" } else { "processes" };
    let mut words = format!(
        "{} {processes} with {} of {} memory each, {}",
        work.processes,
        size(wish.size(work)),
        work.memory.word(),
        order_words(work.order)
    );
    words.push_str(match work.writes {
        w if w >= 1.0 => ", writing",
        w if w <= 0.0 => ", reading",
        _ => ", reading and writing",
    });
    let often = match (work.passes, work.seconds) {
        (_, Some(seconds)) => format!(", for {seconds} s"),
        (Some(passes), None) if (passes - 1.0).abs() > f64::EPSILON => {
            format!(", {passes} times over")
        }
        _ => ", once over".to_owned(),
    };
    words.push_str(&often);
    if work.rounds > 1 {
        let rounds = format!(", {} of them one after another", work.rounds);
        words.push_str(&rounds);
    }
    let pages = format!("pages hold {}", contents_words(&work.contents));
    [words, pages].into_iter().chain(unusual::of_work(work)).collect::<Vec<_>>().join("; ")
}

fn order_words(order: Order) -> String {
    match order {
        Order::Sequential => "page after page".to_owned(),
        Order::Strided { stride } => {
            format!("in steps of {}", size(crate::model::Bytes(stride)))
        }
        Order::Random => "at random".to_owned(),
        Order::Zipf { skew } => format!("by a zipf law of {skew}"),
        Order::Phases { hot, .. } => format!("mostly in {}% of it, in turns", hot * 100.0),
        Order::Churn => "in blocks that come and go".to_owned(),
    }
}

fn contents_words(contents: &Contents) -> String {
    match contents {
        Contents::Zero => "zeroes".to_owned(),
        Contents::Same => "one value each".to_owned(),
        Contents::Words => "the numbers of their words".to_owned(),
        Contents::Ratio(ratio) => format!("what compresses {ratio}:1"),
        Contents::Random => "what does not compress".to_owned(),
        Contents::File(path) => format!("what {} holds", safe_text(path)),
    }
}

/// Why a run has no number: the last result is one that tells something.
pub(super) const NOTHING: &str = "nothing was measured: not kept";

/// How each repetition ended, and what became of what was lent.
pub(super) fn ended(came: &RunOutcome, kept: Option<u64>) -> Vec<String> {
    let measured = came.run.iter().flat_map(|run| &run.measured);
    let early = measured.enumerate().filter_map(|(place, measured)| {
        let number = place + 1;
        match &measured.end {
            Ending::Done => None,
            Ending::Stopped { why } => Some(format!("Run {number} was ended: {why}.")),
            Ending::Failed { why } => Some(format!("Run {number} FAILED: {why}.")),
        }
    });
    let lent = came.lent.iter().map(told::outcome);
    let kept =
        kept.map(|id| format!("Kept as result {id}: swapadm results show {id}, compare, export"));
    [String::new()].into_iter().chain(early).chain(lent).chain(kept).collect()
}

/// The lines that usemem prints of each process. It counts an eighth more bytes than it touches,
/// and its time begins before the first process is started.
pub(super) fn usemem(run: &Run) -> Vec<String> {
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

/// What was wished, checked and measured, for scripts.
#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
    kind: &'static str,
    schema: u32,
    title: &'a str,
    rails: Vec<String>,
    /// What the run is lent.
    steps: &'a [Step],
    checks: &'a [Check],
    run: Option<&'a Run>,
    /// How it ended, and why if it was not done.
    end: Option<Ended>,
    why: Option<&'a str>,
    /// The plan of the journal that lent it something, and what became of that.
    journal: Option<u64>,
    lent: Option<End>,
    lent_why: Option<&'a str>,
}

impl<'a> Document<'a> {
    pub(super) fn of(
        wish: &'a RunSpec,
        plan: &'a Plan,
        checks: &'a [Check],
        came: Option<&'a RunOutcome>,
    ) -> Self {
        let outcome = came.and_then(|came| came.lent.as_ref());
        let run = came.and_then(|came| came.run.as_ref());
        let measured: Vec<&Measured> = run.iter().flat_map(|run| &run.measured).collect();
        Self {
            kind: STRESS,
            schema: crate::model::run::SCHEMA,
            title: &wish.title,
            rails: wish.rails.words(wish.limit.is_some()),
            steps: &plan.steps,
            checks,
            run,
            end: Ended::of(&measured, wish.repetitions as usize),
            why: why_not_done(&measured),
            journal: outcome.map(|outcome| outcome.plan),
            lent: outcome.map(|outcome| outcome.end),
            lent_why: outcome.and_then(|outcome| outcome.why.as_deref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::load::keys::KEYS;

    #[test]
    fn keys_fit_on_a_terminal() {
        for line in super::keys(KEYS.lines(), WIDTH) {
            assert!(text::width(&line) <= WIDTH, "{line}");
        }
    }

    #[test]
    fn words_stand_below_each_other_whatever_the_letters_of_a_name() {
        for name in ["load", "日本"] {
            let lines = under(name, "touches memory", (8, 18));
            let leads = lines.iter().zip(["touches", "memory"]);
            let leads: Vec<usize> =
                leads.map(|(line, word)| text::width(line.split_once(word).unwrap().0)).collect();
            assert_eq!(leads, [8, 8], "{lines:?}");
        }
    }
}

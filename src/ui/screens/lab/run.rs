//! The pane of a run: its guard and setup, its progress, and its figures.

use crate::actions::Step;
use crate::actions::check::{Check, CheckVerdict};
use crate::columns::Unit;
use crate::columns::units::{seconds, size};
use crate::model::Bytes;
use crate::ui::chart::ChartSeries;
use crate::ui::job::{AreaTrack, Job, LiveRun};
use crate::ui::lab::{
    ExperimentTables, LabResult, PlannedCases, PlannedRun, RunProgress, SessionProposal,
    SessionReport, figure_lines,
};
use crate::ui::screens::{
    Chart, ColumnId, Facts, Flow, PaneLine, Role, Scale, safe_text, tall_chart, text,
};
use crate::ui::table_query::ids::paging;
use crate::ui::thresholds;
use std::time::Duration;

/// The lines of the pane: before a run, during it, or after it.
pub(super) fn lines(facts: &Facts<'_>) -> Vec<PaneLine> {
    let running = facts.job.filter(|job| job.ended.is_none());
    if let Some((job, course)) = running.and_then(|job| Some((job, job.load.as_ref()?))) {
        return running_lines(facts, job, course);
    }
    match facts.lab.last.as_ref().filter(|_| facts.lab.shows_last) {
        Some(ran) => result_lines(facts, ran),
        None => form_lines(facts),
    }
}

/// Width of a heading before words.
const LEAD: usize = 9;

/// Words behind a heading, on as many lines as they need.
fn headed(facts: &Facts<'_>, head: &str, words: &str, role: Role) -> Vec<PaneLine> {
    let wrapped = text::wrap(&safe_text(words), facts.width.saturating_sub(LEAD + 1).max(LEAD));
    let heads = std::iter::once(head).chain(std::iter::repeat(""));
    let line = |(head, words)| PaneLine::named(head, LEAD).text(words, role);
    heads.zip(wrapped).map(line).collect()
}

/// Before a run: warnings first, then its setup, then what it does.
fn form_lines(facts: &Facts<'_>) -> Vec<PaneLine> {
    let load = facts.lab.loads.get(facts.lab.chosen());
    let about = load.map_or("", |load| load.about.as_str());
    let about = facts.wrapped(&safe_text(about), Role::Label);
    let mut lines = match &facts.lab.prepared {
        None if load.is_none() => vec![],
        None => facts.wrapped("reading the machine", Role::Faint),
        Some(Err(why)) => headed(facts, "refused", why, Role::Crit),
        Some(Ok(session)) => prepared(facts, session),
    };
    lines.extend(about.into_iter().map(|line| line.drops_line(9)));
    if load.is_some() {
        // What the machine does without the run.
        lines.extend(traffic(facts, facts.height.saturating_sub(lines.len())));
    }
    lines
}

fn prepared(facts: &Facts<'_>, session: &SessionProposal) -> Vec<PaneLine> {
    let check = |check: &Check| {
        headed(facts, check.verdict.word(), &check.text, thresholds::verdict(check.verdict))
    };
    let matters = |check: &&Check| check.verdict >= CheckVerdict::Warn;
    let mut lines: Vec<PaneLine> = session.checks.iter().filter(matters).flat_map(check).collect();
    let terms = &session.terms;
    lines.extend(terms.cases.iter().flat_map(|cases| counts(facts, cases)));
    lines.extend(headed(facts, "memory", &terms.memory_limit, Role::Text));
    let setups = terms.cases.iter().map(PlannedCases::describe_setup);
    lines.extend(setups.flat_map(|words| headed(facts, "temporary", &words, Role::Text)));
    // As one paragraph: a line for each condition would leave no room for the setup.
    lines.extend(headed(facts, "stops if", &terms.guard.join("; "), Role::Text));
    lines.extend(case_lines(facts, terms));
    let steps = session.plan.steps.iter().map(Step::describe).enumerate();
    lines.extend(steps.flat_map(|(place, words)| {
        let head = if place == 0 { "temporary" } else { "" };
        headed(facts, head, &words, Role::Text).into_iter().map(|line| line.drops_line(5))
    }));
    let runs = terms.runs.iter().filter(|_| terms.cases.is_none());
    lines.extend(runs.flat_map(|words| {
        headed(facts, "runs", words, Role::Text).into_iter().map(|line| line.drops_line(6))
    }));
    let good = session.checks.iter().filter(|check| check.verdict < CheckVerdict::Warn);
    lines.extend(good.flat_map(check).map(|line| line.drops_line(7)));
    lines
}

/// The cases of an experiment, how often they are run, and the longest time that may take.
fn counts(facts: &Facts<'_>, cases: &PlannedCases) -> Vec<PaneLine> {
    let names = format!("{}: {}", cases.names.len(), cases.names.join(", "));
    // The names are listed with their cases as well: many of them would leave no room for the rest.
    let names = headed(facts, "cases", &names, Role::Text).into_iter().enumerate();
    let names = names.map(|(place, line)| if place == 0 { line } else { line.drops_line(6) });
    let order = headed(facts, "runs", &cases.order, Role::Text);
    let most = headed(facts, "at most", &cases.at_most, Role::Text).into_iter();
    names.chain(order).chain(most.map(|line| line.drops_line(4))).collect()
}

/// The description of each case.
fn case_lines(facts: &Facts<'_>, terms: &PlannedRun) -> Vec<PaneLine> {
    let cases = terms.runs.iter().filter(|_| terms.cases.is_some());
    let each = cases.flat_map(|words| headed(facts, "case", words, Role::Text));
    each.map(|line| line.drops_line(6)).collect()
}

/// Widths of the name of a figure and of its value.
const LABEL: usize = 14;
const NUMBER: usize = 7;

/// During a run.
fn running_lines(facts: &Facts<'_>, job: &Job, course: &LiveRun) -> Vec<PaneLine> {
    let mut lines: Vec<PaneLine> = course.run.iter().map(run_line).collect();
    lines.push(progress_line(job, course));
    lines.extend(course.areas.iter().map(|area| used(course, area).drops_line(3)));
    let memory = course.last.as_ref().and_then(|view| view.memory);
    let limit = PaneLine::named("memory used", LABEL)
        .cell(right(&memory.map_or_else(|| "-".to_owned(), size)), Role::Text, NUMBER)
        .history(bytes_over_time(course.memory.values(), course.limit, Role::Ram));
    lines.extend(course.limit.map(|_| limit.drops_line(1)));
    let rate = |flow, name: &str, column: ColumnId, role| {
        let figure = facts.figure(column, 0).as_role(role).wide(NUMBER);
        let line =
            PaneLine::new().flow(flow, role).cell(name, Role::Label, LABEL - 2).figure(figure);
        line.history(facts.chart(column, "", Scale::Round, role)).drops_line(2)
    };
    lines.push(rate(Flow::In, "swap-in/s", paging::IN_RATE, Role::In));
    lines.push(rate(Flow::Out, "swap-out/s", paging::OUT_RATE, Role::Out));
    let words = if job.stopping {
        "stopping: the temporary setup is being undone"
    } else {
        "F9, then c, stops it and undoes the temporary setup"
    };
    lines.extend(facts.wrapped(words, Role::Label).into_iter().map(|line| line.drops_line(9)));
    lines.extend(traffic(facts, facts.height.saturating_sub(lines.len())));
    lines
}

/// Lines from which there is a chart of the traffic, with its heading.
const TALL: usize = 5;

/// Swap traffic over time in the lines that are left.
fn traffic(facts: &Facts<'_>, lines: usize) -> Vec<PaneLine> {
    if lines < TALL {
        return vec![];
    }
    let chart = facts.stacked((paging::OUT_RATE, Role::Out), (paging::IN_RATE, Role::In), "");
    let head = PaneLine::new().label("swap-out, and above it swap-in, per second");
    std::iter::once(head).chain(tall_chart(chart, lines - 1)).collect()
}

/// Which run of an experiment this is, and its case.
fn run_line((number, of, case): &(usize, usize, String)) -> PaneLine {
    let share = number.saturating_sub(1) as f64 / (*of).max(1) as f64;
    PaneLine::named("run", LABEL)
        .cell(right(&format!("{number}/{of}")), Role::Text, NUMBER)
        .bar(vec![(Some(share), Role::Accent)])
        .text(safe_text(case), Role::Text)
        .drops(2)
}

fn right(words: &str) -> String {
    text::pad(words, NUMBER, true)
}

/// The phase, its progress, and the time.
fn progress_line(job: &Job, course: &LiveRun) -> PaneLine {
    let Some(view) = &course.last else {
        return PaneLine::new().text("preparing the temporary setup", Role::Text);
    };
    let RunProgress { repetition, of, phase, elapsed, taken, share, left, .. } = view.progress;
    let phase = match (job.stopping, of) {
        (true, _) => format!("stopping {phase}"),
        (false, 1) => phase.to_owned(),
        (false, of) => format!("{repetition} of {of}: {phase}"),
    };
    // The time of the whole run if the rest can be estimated, otherwise that of the repetition.
    let time = match left {
        Some(left) => {
            format!("{}, about {} left", seconds(taken.floor()), seconds(left.ceil()))
        }
        None => format!("{} of at most {}", seconds(elapsed.floor()), seconds(course.at_most)),
    };
    let line = PaneLine::new().cell(phase, Role::Accent, LABEL).cell(
        right(&view.progress.share_done()),
        Role::Text,
        NUMBER,
    );
    // An unknown share has no bar: an empty one would mean that nothing is done.
    let line = if share.is_some() { line.bar(vec![(share, Role::Ok)]) } else { line };
    line.text(time, Role::Text).drops(2)
}

/// The use of an area over time.
fn used(course: &LiveRun, area: &AreaTrack) -> PaneLine {
    let areas = course.last.as_ref().map_or(&[][..], |view| view.areas.as_slice());
    let now = areas.iter().find(|known| known.path == area.path);
    let words = now.and_then(|known| known.used.known().copied()).map(size);
    PaneLine::new()
        .cell(text::clip(&area.path.safe(), LABEL), Role::Zram, LABEL)
        .cell(right(words.as_deref().unwrap_or("-")), Role::Text, NUMBER)
        .history(bytes_over_time(area.used.values(), now.map(|known| known.size), Role::Zram))
}

/// Bytes at each sample of a run, up to a limit or size if there is one.
fn bytes_over_time(values: Vec<Option<f64>>, most: Option<Bytes>, role: Role) -> Chart {
    let scale = most.map_or(Scale::Round, |most| Scale::UpTo(most.0 as f64));
    Chart::new(ChartSeries { values, role }, scale, Unit::Bytes, Duration::ZERO)
}

/// The tables of an experiment.
fn table_lines(facts: &Facts<'_>, tables: &ExperimentTables) -> Vec<PaneLine> {
    let lines = tables.parts.iter().flat_map(|part| part.lines(facts.width));
    lines.map(|line| PaneLine::new().text(line, Role::Text)).collect()
}

/// After a run: how it ended, and its figures.
fn result_lines(facts: &Facts<'_>, ran: &SessionReport) -> Vec<PaneLine> {
    let role = if ran.well { Role::Ok } else { Role::Crit };
    let mut lines = facts.wrapped(&safe_text(&ran.summary), role);
    let figures = match &ran.result {
        None => return lines,
        Some(LabResult::Experiment(tables)) => {
            let beside =
                tables.published.as_ref().map_or("", |_| "; p there adds published results");
            let words = format!("Enter shows all of it{beside}.");
            lines.extend(facts.wrapped(&words, Role::Label));
            lines.extend(table_lines(facts, tables));
            return lines;
        }
        Some(LabResult::Run(run)) => figure_lines(run),
    };
    let words = "Enter shows all of it; c compares it with the result selected in Results.";
    lines.extend(facts.wrapped(words, Role::Label));
    let name = figures.iter().map(|(name, _)| text::width(name)).max().unwrap_or(0);
    lines.extend(figures.into_iter().map(|(head, words)| {
        PaneLine::new()
            .cell(head, Role::Label, name.min(facts.width / 2))
            .text(words, Role::Text)
            .drops_line(1)
    }));
    lines
}

//! The pane of a run: what would end it, how far it is, and what it has shown.

use super::verdict;
use crate::actions::Step;
use crate::actions::check::{Check, Verdict};
use crate::actions::told;
use crate::columns::text;
use crate::columns::units::{seconds, size};
use crate::model::name::safe_text;
use crate::ui::answers::Facts;
use crate::ui::change::{Job, Proposal};
use crate::ui::content::{Flow, Line, wrapped};
use crate::ui::lab::{AreaTrack, Course, Glance, Ran, Terms, figure_lines};
use crate::ui::theme::Role;

/// Before a run, while it runs, or after it.
pub(super) fn lines(facts: &Facts<'_>) -> Vec<Line> {
    let running = facts.job.filter(|job| job.ended.is_none());
    if let Some((job, course)) = running.and_then(|job| Some((job, job.load.as_ref()?))) {
        return under_way(facts, job, course);
    }
    match facts.lab.last.as_ref().filter(|_| facts.lab.shows_last) {
        Some(ran) => over(facts, ran),
        None => before(facts),
    }
}

/// Cells before words that have a heading.
const LEAD: usize = 9;

/// Words behind a heading, in as many lines as they take.
fn headed(facts: &Facts<'_>, head: &str, words: &str, role: Role) -> Vec<Line> {
    let wrapped = text::wrap(&safe_text(words), facts.width.saturating_sub(LEAD + 1).max(LEAD));
    let heads = std::iter::once(head).chain(std::iter::repeat(""));
    let line = |(head, words)| Line::new().cell(head, Role::Label, LEAD).text(words, role);
    heads.zip(wrapped).map(line).collect()
}

/// Before a run: what stands against it first, and what it does last.
fn before(facts: &Facts<'_>) -> Vec<Line> {
    let load = facts.lab.loads.get(facts.lab.chosen());
    let about = load.map_or("", |load| load.about.as_str());
    let about = wrapped(&safe_text(about), facts.width, Role::Label);
    let mut lines = match &facts.lab.weighed {
        None if load.is_none() => vec![],
        None => wrapped("looking at the machine", facts.width, Role::Faint),
        Some(Err(why)) => headed(facts, "refused", why, Role::Crit),
        Some(Ok(proposal)) => weighed(facts, proposal),
    };
    lines.extend(about.into_iter().map(|line| line.goes(9)));
    lines
}

fn weighed(facts: &Facts<'_>, proposal: &Proposal) -> Vec<Line> {
    let check = |check: &Check| {
        headed(facts, told::verdict(check.verdict), &check.text, verdict(check.verdict))
    };
    let matters = |check: &&Check| check.verdict >= Verdict::Warn;
    let mut lines: Vec<Line> = proposal.checks.iter().filter(matters).flat_map(check).collect();
    if let Some(terms) = &proposal.load {
        lines.extend(rails(facts, terms));
        lines.extend(headed(facts, "cage", &terms.cage, Role::Text));
    }
    let steps = proposal.plan.steps.iter().map(Step::words).enumerate();
    lines.extend(steps.flat_map(|(place, words)| {
        let head = if place == 0 { "is lent" } else { "" };
        headed(facts, head, &words, Role::Text).into_iter().map(|line| line.goes(5))
    }));
    let runs = proposal.load.iter().flat_map(|terms| &terms.runs);
    lines.extend(runs.flat_map(|words| {
        headed(facts, "runs", words, Role::Text).into_iter().map(|line| line.goes(6))
    }));
    let good = proposal.checks.iter().filter(|check| check.verdict < Verdict::Warn);
    lines.extend(good.flat_map(check).map(|line| line.goes(7)));
    lines
}

fn rails(facts: &Facts<'_>, terms: &Terms) -> Vec<Line> {
    let rails = terms.rails.iter().enumerate();
    let lines = rails.flat_map(|(place, words)| {
        headed(facts, if place == 0 { "ends if" } else { "" }, words, Role::Text)
    });
    lines.collect()
}

/// Cells of the name of a figure, and of its value.
const LABEL: usize = 14;
const NUMBER: usize = 7;

/// While it runs.
fn under_way(facts: &Facts<'_>, job: &Job, course: &Course) -> Vec<Line> {
    let mut lines = vec![far(job, course)];
    lines.extend(course.areas.iter().map(|area| used(course, area).goes(3)));
    let memory = course.last.as_ref().and_then(|glance| glance.memory);
    let cage = Line::new()
        .cell("cage", Role::Label, LABEL)
        .cell(right(&memory.map_or_else(|| "-".to_owned(), size)), Role::Text, NUMBER)
        .history(course.memory.values(), course.limit.map(|limit| limit.0 as f64), Role::Ram);
    lines.extend(course.limit.map(|_| cage.goes(1)));
    let rate = |flow, name: &str, column: &'static str, role| {
        let figure = facts.figure("status", 0, column).as_role(role).wide(NUMBER);
        let line = Line::new().flow(flow, role).cell(name, Role::Label, LABEL - 2).figure(figure);
        line.history(facts.track("status", "", column), None, role).goes(2)
    };
    lines.push(rate(Flow::In, "swap-in/s", "in_rate", Role::In));
    lines.push(rate(Flow::Out, "swap-out/s", "out_rate", Role::Out));
    let words = if job.stopping {
        "it is being ended; what was lent is taken back"
    } else {
        "F9 and then c end it; what was lent is taken back"
    };
    lines.extend(wrapped(words, facts.width, Role::Label).into_iter().map(|line| line.goes(9)));
    lines
}

fn right(words: &str) -> String {
    text::pad(words, NUMBER, true)
}

/// The phase, how many processes are through, and the time.
fn far(job: &Job, course: &Course) -> Line {
    let Some(glance) = &course.last else {
        return Line::new().text("it is being lent what it needs", Role::Text);
    };
    let Glance { repetition, of, phase, elapsed, through, processes, .. } = glance;
    let phase = match (job.stopping, *of) {
        (true, _) => format!("ending {phase}"),
        (false, 1) => (*phase).to_owned(),
        (false, of) => format!("{repetition} of {of}: {phase}"),
    };
    let share = *through as f64 / (*processes).max(1) as f64;
    let time = format!("{} of at most {}", seconds(elapsed.floor()), seconds(course.at_most));
    Line::new()
        .cell(phase, Role::Accent, LABEL)
        .cell(right(&format!("{through}/{processes}")), Role::Text, NUMBER)
        .bar(vec![(Some(share), Role::Ok)])
        .text(time, Role::Text)
        .drops(2)
}

/// An area over time.
fn used(course: &Course, area: &AreaTrack) -> Line {
    let areas = course.last.as_ref().map_or(&[][..], |glance| glance.areas.as_slice());
    let now = areas.iter().find(|known| known.path == area.path);
    let words = now.and_then(|known| known.used.known().copied()).map(size);
    let top = now.map(|known| known.size.0 as f64);
    Line::new()
        .cell(text::clip(&area.path.safe(), LABEL), Role::Zram, LABEL)
        .cell(right(words.as_deref().unwrap_or("-")), Role::Text, NUMBER)
        .history(area.used.values(), top, Role::Zram)
}

/// After a run: how it ended, and its figures.
fn over(facts: &Facts<'_>, ran: &Ran) -> Vec<Line> {
    let role = if ran.well { Role::Ok } else { Role::Crit };
    let mut lines = wrapped(&safe_text(&ran.told), facts.width, role);
    if ran.run.is_some() {
        let words = "Enter shows all of it; c compares it with the result that is selected.";
        lines.extend(wrapped(words, facts.width, Role::Label));
    }
    let figures = ran.run.as_ref().map_or_else(Vec::new, figure_lines);
    let name = figures.iter().map(|(name, _)| text::width(name)).max().unwrap_or(0);
    lines.extend(figures.into_iter().map(|(head, words)| {
        Line::new()
            .cell(head, Role::Label, name.min(facts.width / 2))
            .text(words, Role::Text)
            .goes(1)
    }));
    lines
}

//! What a person or a script is told of a plan, and of what came of it.

use super::figures::{ZramFigures, Rests};
use crate::actions::check::Check;
use crate::actions::estimate::{Estimate, Forecast};
use crate::actions::journal::PlanEnd;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::{self, Plan};
use crate::actions::rebalance::RebalanceFinding;
use crate::actions::run::{ChangeOutcome, Progress};
use crate::actions::{Step, messages};
use crate::change::{Intent, Proposal};
use crate::cli::exit::CommandError;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::Environment;
use crate::cli::out::Out;
use crate::cli::progress::ProgressLine;
use crate::clock::Clock;
use crate::columns::{text, units};
use crate::model::Bytes;
use crate::model::swaparea::SwapArea;
use crate::model::users::OomKilled;
use nix::sys::signal::Signal;
use serde::Serialize;
use std::ops::ControlFlow;

/// The version of the form of what `--json` prints.
pub const SCHEMA: u32 = 1;
/// Cells before the words of a check.
const LEAD: usize = 10;
/// Cells before the words of a finding.
const HEAD: usize = 11;
/// Cells of a line where there is no terminal.
const WIDTH: usize = 80;

/// A plan, the checks and what came of it, for scripts.
#[derive(Debug, Serialize)]
pub(super) struct ChangeDocument<'a> {
    schema: u32,
    title: &'a str,
    /// Why the plan is made, where a command says so.
    #[serde(flatten)]
    pub(super) story: Option<RebalanceDetails<'a>>,
    steps: Vec<PlannedStep<'a>>,
    /// What all of them move, and how long that takes.
    estimate: StepEstimate,
    commands: Vec<String>,
    checks: &'a [Check],
    outcome: Option<EndedChange<'a>>,
    /// Why there is no outcome, where it is not a check that says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// What a zram device held before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) zram: Option<ZramFigures>,
    /// How the emptying of areas rested, where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rests: Option<Rests>,
}

/// A step with what it will cost.
#[derive(Debug, Serialize)]
struct PlannedStep<'a> {
    #[serde(flatten)]
    step: &'a Step,
    estimate: StepEstimate,
}

/// What is to be moved, and how long that will take.
#[derive(Clone, Copy, Debug, Serialize)]
struct StepEstimate {
    moves_bytes: Option<Bytes>,
    seconds: Option<f64>,
    basis: &'static str,
    /// As fast as this.
    bytes_per_second: Option<f64>,
    /// When that was measured of the area itself, in milliseconds since 1970, UTC.
    measured_ms: Option<u64>,
}

impl From<Forecast> for StepEstimate {
    fn from(forecast: Forecast) -> Self {
        let measured = match forecast.time {
            Estimate::Measured { rate, at_ms, .. } => Some((units::rounded(rate), Some(at_ms))),
            Estimate::SimilarDevices { rate, .. } | Estimate::Timed { rate, .. } => {
                Some((units::rounded(rate), None))
            }
            Estimate::Nothing | Estimate::Unknown | Estimate::Unreadable => None,
        };
        Self {
            moves_bytes: forecast.moves,
            seconds: forecast.time.seconds().map(units::rounded),
            basis: forecast.time.basis(),
            bytes_per_second: measured.map(|(rate, _)| rate),
            measured_ms: measured.and_then(|(_, at_ms)| at_ms),
        }
    }
}

/// Why there is no plan.
#[derive(Debug, Serialize)]
pub(super) struct FailedDocument<'a> {
    schema: u32,
    error: &'a str,
}

impl<'a> FailedDocument<'a> {
    pub(super) fn new(error: &'a str) -> Self {
        Self { schema: SCHEMA, error }
    }
}

/// What a plan is to put right.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct RebalanceDetails<'a> {
    pub(super) strategy: &'a str,
    pub(super) findings: &'a [RebalanceFinding],
}

#[derive(Debug, Serialize)]
struct EndedChange<'a> {
    journal: u64,
    end: PlanEnd,
    why: Option<&'a str>,
    /// What became of the order of default priorities.
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'a str>,
    /// What emptying areas took, in seconds: to be held against the estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// The processes that the kernel killed for want of memory meanwhile.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    killed: &'a [OomKilled],
}

/// What was proposed, and what came of it.
pub(super) fn proposal_document<'a>(proposal: &'a Proposal, outcome: Option<&'a ChangeOutcome>) -> ChangeDocument<'a> {
    let Proposal { intent, plan, checks, findings, costs, .. } = proposal;
    let story = if let Intent::Rebalance(strategy) = intent {
        Some(RebalanceDetails { strategy: strategy.word(), findings })
    } else {
        None
    };
    ChangeDocument { story, ..document(plan, costs, checks, outcome) }
}

pub(super) fn document<'a>(
    plan: &'a Plan,
    forecasts: &[Forecast],
    checks: &'a [Check],
    outcome: Option<&'a ChangeOutcome>,
) -> ChangeDocument<'a> {
    let none = std::iter::repeat(&Forecast::NONE);
    let steps = plan.steps.iter().zip(forecasts.iter().chain(none));
    let foreseen =
        |(step, forecast): (_, &Forecast)| PlannedStep { step, estimate: (*forecast).into() };
    ChangeDocument {
        schema: SCHEMA,
        title: &plan.title,
        story: None,
        error: None,
        steps: steps.map(foreseen).collect(),
        estimate: Forecast::sum(forecasts).into(),
        commands: plan.steps.iter().flat_map(Step::shell).collect(),
        checks,
        outcome: outcome.map(|outcome| EndedChange {
            journal: outcome.plan,
            end: outcome.end,
            why: outcome.why.as_deref(),
            remark: outcome.remark.as_deref(),
            seconds: outcome.emptied.map(|it| units::rounded(it.took.as_secs_f64())),
            killed: &outcome.killed,
        }),
        zram: None,
        rests: None,
    }
}

/// What was found, with the plan that nobody asked to carry out.
pub(super) fn rebalance_document<'a>(plan: &'a Plan, forecasts: &[Forecast], story: RebalanceDetails<'a>) -> ChangeDocument<'a> {
    ChangeDocument { story: Some(story), ..document(plan, forecasts, &[], None) }
}

/// The same, where it went wrong.
pub(super) fn failed_rebalance<'a>(
    plan: &'a Plan,
    forecasts: &[Forecast],
    of: RebalanceDetails<'a>,
    why: &'a str,
) -> ChangeDocument<'a> {
    ChangeDocument { error: Some(why), ..rebalance_document(plan, forecasts, of) }
}

/// What is wrong, and what will be better.
pub(super) fn print_findings(out: &mut Out, findings: &[RebalanceFinding]) -> Result<(), CommandError> {
    let mut lines = Vec::new();
    for finding in findings {
        let head = if finding.wrong { "Wrong now:" } else { "Note:" };
        lines.extend(headed(head, &finding.text));
        lines.extend(finding.better.iter().flat_map(|better| headed("Better:", better)));
        lines.push(String::new());
    }
    out.lines(lines)
}

/// A text with a word before its first line.
fn headed(head: &str, text: &str) -> Vec<String> {
    let wrapped = text::wrap(text, WIDTH - HEAD);
    let head = std::iter::once(head).chain(std::iter::repeat(""));
    head.zip(wrapped).map(|(head, line)| format!("{head:<HEAD$}{line}")).collect()
}

/// That nothing has to be done.
pub(super) fn print_nothing_to_do(
    out: &mut Out,
    plan: &Plan,
    checks: &[Check],
    json: bool,
) -> Result<(), CommandError> {
    if json {
        return out.json(&document(plan, &[], checks, None), true);
    }
    out.lines([format!("{}: it is so already, nothing to do", plan.title)])
}

/// That no area has to be put on again, and what would be done about the order of the others.
pub(super) fn print_recovered(
    out: &mut Out,
    plan: &Plan,
    cut: usize,
    order: &[Check],
    json: bool,
) -> Result<(), CommandError> {
    if json {
        return out.json(&document(plan, &[], order, None), true);
    }
    let but = if order.is_empty() { "" } else { " but the order of default priorities" };
    let first = match cut {
        0 => "nothing was cut off".to_owned(),
        1 => format!("one plan was cut off; nothing of it has to be put right{but}"),
        cut => format!("{cut} plans were cut off; nothing of them has to be put right{but}"),
    };
    out.lines(std::iter::once(first).chain(order.iter().map(|check| check.text.clone())))
}

/// The plan with what it will cost, what is to be said of it, and how to do it by hand.
pub(super) fn print_plan(out: &mut Out, proposal: &Proposal) -> Result<(), CommandError> {
    let Proposal { plan, checks, costs, .. } = proposal;
    let mut lines = vec![format!("Plan: {}", plan.title), String::new()];
    for (place, (step, forecast)) in plan.steps.iter().zip(costs).enumerate() {
        lines.push(format!("  {:>2}  {}", place + 1, messages::describe_step(step, forecast.moves)));
        if forecast.time != Estimate::Nothing {
            lines.push(format!("      time: {}", forecast.time.describe()));
        }
        lines.extend(step.lines().into_iter().map(|line| format!("        {line}")));
    }
    lines.extend(messages::describe_total(costs).map(|total| format!("  {total}")));
    lines.push(String::new());
    for check in checks {
        let wrapped = text::wrap(&check.text, WIDTH - LEAD);
        for (place, line) in wrapped.into_iter().enumerate() {
            let word = if place == 0 { messages::verdict_word(check.verdict) } else { "" };
            lines.push(format!("  {word:<8}{line}"));
        }
    }
    lines.push(String::new());
    lines.push("By hand:".to_owned());
    lines.extend(plan.steps.iter().flat_map(Step::shell).map(|line| format!("  {line}")));
    lines.push(String::new());
    out.lines(lines)
}

/// What came of it, and how the areas are now.
pub(super) fn print_outcome(
    out: &mut Out,
    plan: &Plan,
    outcome: &ChangeOutcome,
    before: &[SwapArea],
    areas: &[SwapArea],
) -> Result<(), CommandError> {
    let first = messages::describe_outcome(outcome);
    let is_last = |place: &usize| plan::is_last(&plan.steps, *place);
    let touched = plan.steps.iter().enumerate().filter(|(place, _)| is_last(place));
    let touched = touched.filter(|(_, step)| step.is_of_areas()).map(|(_, step)| {
        let name = step.subject().safe();
        match areas.iter().find(|area| area.path == *step.subject()) {
            Some(area) => format!("  {name}  priority {}", area.priority),
            None => format!("  {name}  off"),
        }
    });
    let renumbered = messages::describe_renumbering(before, areas);
    out.lines(std::iter::once(first).chain(touched).chain(renumbered))
}

/// Looks on while a plan is carried out: tells how far it is, and stops it when a signal comes.
pub(super) struct PlanMonitor<'a> {
    names: Vec<String>,
    interrupt: &'a Interrupt,
    line: ProgressLine,
    /// How it rested.
    pub(super) rests: Rests,
}

impl<'a> PlanMonitor<'a> {
    pub(super) fn new(plan: &Plan, interrupt: &'a Interrupt, environment: &Environment) -> Self {
        Self {
            names: plan.steps.iter().map(|step| step.subject().safe()).collect(),
            interrupt,
            line: ProgressLine::new(environment),
            rests: Rests::default(),
        }
    }

    /// Take the line of progress away.
    pub(super) fn clear(&mut self) {
        self.line.clear();
    }

    fn tell(&mut self, progress: &Progress) {
        self.line.tell(&[messages::progress_line(&self.names, progress, Clock::Real.now())]);
    }
}

impl Monitor<Progress> for PlanMonitor<'_> {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        self.tell(&progress);
        self.rests.observe(progress.rest.is_some(), Clock::Real.now());
        let was_asked = self.interrupt.first_signal().is_some();
        let came = self.interrupt.take_signals();
        if progress.back {
            // Going back is given up by a person only, who has to say so again. It may have begun
            // without anybody: whoever then asks for an end asks for this one.
            let again = was_asked && came.contains(&Signal::SIGINT);
            let again = again.then_some(StopReason::Again);
            return again.map_or(ControlFlow::Continue(()), ControlFlow::Break);
        }
        match came.first() {
            Some(signal) => ControlFlow::Break(StopReason::Signal(*signal)),
            None => ControlFlow::Continue(()),
        }
    }
}

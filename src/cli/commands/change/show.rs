//! Prints plans and outcomes, as text and as JSON.

use super::figures::{ChangeCost, Rests, ZramFigures};
use crate::actions::check::{Check, CheckVerdict, RIGHTS};
use crate::actions::estimate::{Estimate, EstimateBasis, Forecast};
use crate::actions::journal::PlanEnd;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::plan::{self, Plan};
use crate::actions::rebalance::RebalanceFinding;
use crate::actions::run::{ChangeOutcome, Progress};
use crate::actions::{Step, messages};
use crate::change::setup::SetupProposal;
use crate::change::state::StateComparison;
use crate::change::{Intent, Proposal};
use crate::cli::exit::CommandResult;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{self, Environment};
use crate::cli::out::{self, Out, ProgressLine};
use crate::clock::Clock;
use crate::columns::text::heading_and_text;
use crate::columns::units;
use crate::model::name::safe_text;
use crate::model::swaparea::FailedReads;
use crate::model::swaparea::SwapArea;
use crate::model::users::OomKilled;
use crate::model::{Bytes, Name};
use serde::Serialize;
use std::ops::ControlFlow;

/// The version of the format of `--json`.
pub(super) const SCHEMA: u32 = 1;
/// The life of a change of a simulated machine.
const SESSION: &str = "The machine ends with this command. In the interface, changes and their journal last until you quit.";
/// Width before the text of a check, in cells.
const LEAD: usize = 10;
/// Width before the text of a step, in cells.
const STEP: usize = 6;
/// Width before the text of a finding, in cells.
const HEAD: usize = 11;
/// Width of the longest line, in cells.
const WIDTH: usize = 80;

/// The width of a line for the terminal, in cells.
pub(super) fn width() -> usize {
    out::text_width(options::width_of_output()).min(WIDTH)
}

/// The JSON of a plan with its checks and outcome.
#[derive(Debug, Default, Serialize)]
pub(super) struct ChangeDocument<'a> {
    schema: u32,
    title: &'a str,
    /// The simulated machine that is changed, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<&'a str>,
    /// The strategy and the findings of `rebalance`.
    #[serde(flatten)]
    pub(super) story: Option<RebalanceDetails<'a>>,
    /// The choices of `setup`.
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<&'a SetupProposal>,
    /// The differences that `apply` removes.
    #[serde(flatten)]
    state: Option<StateDetails<'a>>,
    steps: Vec<PlannedStep<'a>>,
    /// The estimate of all steps together.
    estimate: StepEstimate,
    commands: Vec<String>,
    checks: &'a [Check],
    outcome: Option<EndedChange<'a>>,
    /// Why there is no outcome, if no check says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The figures of a zram device before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) zram: Option<ZramFigures>,
    /// The figures of several zram devices before and after.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) zram_devices: Vec<ZramFigures>,
    /// The time of a change of zram devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost: Option<ChangeCost>,
    /// The pauses of swapoff, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rests: Option<Rests>,
}

/// The differences that `apply` removes, and whether it changed the machine, or would.
#[derive(Debug, Serialize)]
struct StateDetails<'a> {
    changed: bool,
    #[serde(flatten)]
    comparison: &'a StateComparison,
}

impl<'a> StateDetails<'a> {
    fn new(proposal: &'a Proposal, outcome: Option<&ChangeOutcome>) -> Option<Self> {
        let comparison = proposal.state.as_deref()?;
        let is_kept =
            |outcome: &ChangeOutcome| matches!(outcome.end, PlanEnd::Done | PlanEnd::Partial);
        let changed = !proposal.plan.steps.is_empty() && outcome.is_none_or(is_kept);
        Some(Self { changed, comparison })
    }
}

/// A step with its estimate.
#[derive(Debug, Serialize)]
struct PlannedStep<'a> {
    #[serde(flatten)]
    step: &'a Step,
    estimate: StepEstimate,
}

/// The data to be moved, and the time for that.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct StepEstimate {
    moves_bytes: Option<Bytes>,
    seconds: Option<f64>,
    seconds_min: Option<f64>,
    seconds_max: Option<f64>,
    basis: &'static str,
    /// The speed.
    bytes_per_second: Option<f64>,
    /// When the speed was measured on this area, in milliseconds since 1970, UTC.
    measured_ms: Option<u64>,
}

impl From<Forecast> for StepEstimate {
    fn from(forecast: Forecast) -> Self {
        let (bytes_per_second, measured_ms) = match forecast.time {
            Estimate::Known { rate, basis: EstimateBasis::Measured { at_ms }, .. } => {
                (Some(units::rounded(rate)), Some(at_ms))
            }
            Estimate::Known { rate, .. } => (Some(units::rounded(rate)), None),
            Estimate::Nothing | Estimate::Unknown | Estimate::Capture | Estimate::Unreadable => {
                (None, None)
            }
        };
        let range = forecast.time.range();
        Self {
            moves_bytes: forecast.moves,
            seconds: forecast.time.seconds().map(units::rounded),
            seconds_min: range.map(|(least, _)| units::rounded(least)),
            seconds_max: range.and_then(|(_, most)| most).map(units::rounded),
            basis: forecast.time.basis(),
            bytes_per_second,
            measured_ms,
        }
    }
}

/// The JSON of a command that could not make a plan.
#[derive(Debug, Serialize)]
pub(super) struct FailedDocument<'a> {
    pub(super) schema: u32,
    pub(super) error: &'a str,
}

/// The strategy and the findings of `rebalance`.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct RebalanceDetails<'a> {
    pub(super) strategy: &'a str,
    pub(super) findings: &'a [RebalanceFinding],
}

#[derive(Debug, Serialize)]
struct EndedChange<'a> {
    journal: Option<u64>,
    end: PlanEnd,
    why: Option<&'a str>,
    /// A remark on the order of default priorities.
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'a str>,
    /// Why the journal could not record the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrecorded: Option<&'a str>,
    /// The time that swapoff took, in seconds, for comparison with the estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// The processes that the OOM killer killed meanwhile.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    killed: &'a [OomKilled],
    /// The areas with pages that could not be read meanwhile.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    failed_reads: &'a [FailedReads],
}

/// The document of a proposal and its outcome.
pub(super) fn proposal_document<'a>(
    proposal: &'a Proposal,
    outcome: Option<&'a ChangeOutcome>,
) -> ChangeDocument<'a> {
    let Proposal { intent, plan, checks, findings, costs, .. } = proposal;
    let story = if let Intent::Rebalance(strategy) = intent {
        Some(RebalanceDetails { strategy: strategy.word(), findings })
    } else {
        None
    };
    let setup = proposal.setup.as_deref();
    let simulated = proposal.simulated.as_deref();
    let state = StateDetails::new(proposal, outcome);
    ChangeDocument { simulated, story, setup, state, ..document(plan, costs, checks, outcome) }
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
        steps: steps.map(foreseen).collect(),
        estimate: Forecast::sum(forecasts).into(),
        commands: plan.steps.iter().flat_map(Step::shell).collect(),
        checks,
        outcome: outcome.map(|outcome| EndedChange {
            journal: outcome.journal(),
            end: outcome.end,
            why: outcome.why.as_deref(),
            remark: outcome.remark.as_deref(),
            unrecorded: outcome.unrecorded.as_deref(),
            seconds: outcome.emptied.map(|it| units::rounded(it.took.as_secs_f64())),
            killed: &outcome.killed,
            failed_reads: &outcome.failed_reads,
        }),
        ..ChangeDocument::default()
    }
}

/// The document of `rebalance` without an outcome, and why it has none if it failed.
pub(super) fn rebalance_document<'a>(
    plan: &'a Plan,
    forecasts: &[Forecast],
    story: RebalanceDetails<'a>,
    error: Option<String>,
) -> ChangeDocument<'a> {
    ChangeDocument { story: Some(story), error, ..document(plan, forecasts, &[], None) }
}

/// The document of `setup` without a plan, and why it has none if it failed.
pub(super) fn setup_document(setup: &SetupProposal, error: Option<String>) -> ChangeDocument<'_> {
    ChangeDocument {
        schema: SCHEMA,
        title: "set up swap",
        setup: Some(setup),
        estimate: Forecast::sum(&[]).into(),
        error,
        ..ChangeDocument::default()
    }
}

/// Prints findings with their improvements.
pub(super) fn print_findings(out: &mut Out, findings: &[RebalanceFinding]) -> CommandResult<()> {
    let mut lines = Vec::new();
    for finding in findings {
        let head = if finding.wrong { "Now:" } else { "Note:" };
        let better = finding.better.iter().map(|better| ("After:", better));
        let texts = std::iter::once((head, &finding.text)).chain(better);
        lines.extend(texts.flat_map(|(head, text)| heading_and_text(head, text, (HEAD, width()))));
        lines.push(String::new());
    }
    out.lines(lines)
}

/// Prints that there is nothing to do.
pub(super) fn print_nothing_to_do(
    out: &mut Out,
    proposal: &Proposal,
    json: bool,
) -> CommandResult<()> {
    let Proposal { plan, notes, .. } = proposal;
    if json {
        let state = StateDetails::new(proposal, None);
        return out.json(&ChangeDocument { state, ..document(plan, &[], notes, None) }, true);
    }
    let reasons = proposal.left_out().flat_map(check_lines);
    out.lines(std::iter::once(proposal.describe_nothing_to_do()).chain(reasons))
}

/// Prints that no plan needs a repair, and what would be done about the order of default priorities.
pub(super) fn print_recovered(
    out: &mut Out,
    plan: &Plan,
    cut: usize,
    order: &[Check],
    json: bool,
) -> CommandResult<()> {
    if json {
        return out.json(&document(plan, &[], order, None), true);
    }
    let but = if order.is_empty() { "" } else { " except the order of default priorities" };
    let first = match cut {
        0 => "Nothing to repair: no change was interrupted".to_owned(),
        1 => format!("One change was interrupted, and left nothing to repair{but}"),
        cut => format!("{cut} changes were interrupted, and left nothing to repair{but}"),
    };
    out.lines(std::iter::once(first).chain(order.iter().map(|check| check.text.clone())))
}

/// A check as lines of text.
fn check_lines(check: &Check) -> Vec<String> {
    let word = format!("  {}", check.verdict.word());
    heading_and_text(&word, &check.text, (LEAD, width()))
}

/// Prints a plan with its estimates, its checks and the shell commands.
pub(super) fn print_plan(out: &mut Out, proposal: &Proposal) -> CommandResult<()> {
    let Proposal { plan, checks, costs, .. } = proposal;
    let mut lines = vec![format!("Plan: {}", plan.title), String::new()];
    for (place, (step, forecast)) in plan.steps.iter().zip(costs).enumerate() {
        let number = format!("  {:>2}", place + 1);
        let text = messages::describe_step(step, forecast.moves);
        lines.extend(heading_and_text(&number, &text, (STEP, width())));
        if forecast.time != Estimate::Nothing {
            let text = format!("time: {}", forecast.time.describe());
            lines.extend(heading_and_text("", &text, (STEP, width())));
        }
        lines.extend(step.lines().into_iter().map(|line| format!("        {line}")));
    }
    lines.extend(messages::describe_total(costs).map(|total| format!("  {total}")));
    lines.push(String::new());
    lines.extend(checks.iter().flat_map(check_lines));
    lines.push(String::new());
    // Commands that a check refuses are not offered to be copied; those that only need root are.
    let is_refused = |check: &Check| check.verdict == CheckVerdict::Refuse && check.id != RIGHTS;
    if !checks.iter().any(is_refused) {
        let by_hand = match proposal.simulated {
            Some(_) => "By hand, on a real machine:",
            None => "By hand:",
        };
        lines.push(by_hand.to_owned());
        lines.extend(plan.steps.iter().flat_map(Step::shell).map(|line| format!("  {line}")));
        lines.push(String::new());
    }
    out.lines(lines)
}

/// Prints the outcome, and the areas as they are now.
pub(super) fn print_outcome(
    out: &mut Out,
    Proposal { plan, simulated, .. }: &Proposal,
    outcome: &ChangeOutcome,
    before: &[SwapArea],
    areas: &[SwapArea],
) -> CommandResult<()> {
    // The session of a simulated machine ends with the command, so nothing can be undone.
    let mark = simulated.as_deref().map(|name| format!("SIMULATED {}: ", safe_text(name)));
    let undoable = outcome.undoable && mark.is_none();
    let ended = ChangeOutcome { undoable, ..outcome.clone() };
    let first = format!("{}{}", mark.unwrap_or_default(), messages::describe_outcome(&ended));
    let session = simulated.as_ref().map(|_| SESSION.to_owned());
    let is_last = |place: &usize| plan::is_last(&plan.steps, *place);
    let touched = plan.steps.iter().enumerate().filter(|(place, _)| is_last(place));
    let touched = touched.filter(|(_, step)| step.is_of_areas()).map(|(_, step)| {
        let name = step.subject().safe();
        match areas.iter().find(|area| area.path == *step.subject()) {
            Some(area) => format!("  {name}  priority {}", area.priority),
            None => format!("  {name}  off"),
        }
    });
    let is_changed =
        |path: &Name| plan.steps.iter().any(|step| step.is_of_areas() && step.subject() == path);
    let renumbered = messages::describe_renumbering(before, areas, is_changed);
    out.lines(std::iter::once(first).chain(touched).chain(renumbered).chain(session))
}

/// Follows a plan while it is carried out: shows its progress, and stops it on a signal.
pub(super) struct PlanMonitor<'a> {
    names: Vec<String>,
    interrupt: &'a Interrupt,
    line: ProgressLine,
    /// The pauses of swapoff.
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

    /// Removes the progress line as soon as the terminal takes output, or a signal ends the wait for that.
    pub(super) fn clear(&mut self) {
        self.interrupt.wait_for_output();
        self.line.clear();
    }
}

impl Monitor<Progress> for PlanMonitor<'_> {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        self.line.tell(&[messages::progress_line(&self.names, &progress)]);
        self.rests.observe(progress.pause.is_some(), Clock::Real.monotonic());
        self.interrupt.stop_work(progress.is_undo)
    }
}

#[cfg(test)]
mod tests {
    use super::super::figures::{Rests, ZramFigures};
    use super::document;
    use crate::actions::plan::Plan;
    use crate::cli::schemas;
    use crate::model::Reading;
    use boon::{Compiler, Schemas};
    use std::time::Duration;

    #[test]
    fn full_document_matches_the_schema() {
        let plan = Plan::without_steps("nothing".to_owned());
        let mut document = document(&plan, &[], &[], None);
        let devices = Reading::Known(Vec::new());
        document.zram = Some(ZramFigures::for_device(0, &devices, &devices));
        document.zram_devices = vec![ZramFigures::for_device(1, &devices, &devices)];
        let mut rests = Rests::default();
        rests.observe(true, Duration::from_secs(1));
        document.rests = rests.finish(Duration::from_secs(3));
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        let schema = serde_json::from_str(schemas::CHANGE.text).unwrap();
        compiler.add_resource("change.json", schema).unwrap();
        let schema = compiler.compile("change.json", &mut schemas).unwrap();
        let printed = serde_json::to_value(&document).unwrap();
        assert_eq!(printed["rests"]["seconds"], 2.0);
        schemas.validate(&printed, schema).unwrap_or_else(|error| panic!("{error:#}"));
    }
}

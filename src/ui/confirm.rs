//! The dialog before every change: its steps, checks and risks, and what has to be typed to
//! confirm it.

use super::change::{AnyProposal, ChangeProposal, Intent};
use super::history::HistoryEntry;
use super::input::TextInput;
use super::lab::{PlannedRun, SessionProposal};
use super::page::{self, PageLine, PageRow, TextPage};
use super::theme::Role;
use super::thresholds;
use crate::actions::check::{Check, CheckVerdict, RISKS};
use crate::actions::estimate::{Estimate, Forecast};
use crate::actions::plan::{self, AreaState, Plan};
use crate::actions::{Step, messages};
use crate::change;
use crate::columns::units::{self, size};
use crate::columns::{Unit, Value};
use crate::derive::{SampleView, balance};
use crate::model::activation::Priority;
use crate::model::name::safe_text;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Policy};
use ratatui::layout::Size;

/// A plan to be confirmed.
#[derive(Clone, Debug)]
pub struct Confirm {
    /// The plan.
    pub proposal: AnyProposal,
    /// The plan in words.
    pub page: TextPage,
    /// The line about the growth of swap, if it matters for the plan.
    growth: Option<PageLine>,
    /// The confirmation that it requires.
    pub gate: Gate,
    /// The text typed to confirm it.
    pub input: TextInput,
    /// The focus of the keys.
    pub focus: Focus,
}

/// The confirmation that a plan requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Only a press of the button.
    Open,
    /// A word to type, because data or memory is at stake.
    Word(String),
    /// The names of risks to accept; then the plan is checked again.
    Risk(Vec<String>),
    /// The plan is refused.
    Blocked,
}

/// The focus of the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// The button that cancels.
    Cancel,
    /// The button that runs the plan.
    Run,
    /// The line to type in.
    Word,
}

/// The key that applies the change at boot too.
pub const AT_BOOT: char = 'p';
/// The key that limits the time of the change.
pub const TIMEOUT: char = 't';
/// The key that stops the change at a memory pressure.
pub const MAX_PSI: char = 'm';
/// The key that pauses swapoff at a memory pressure.
pub const PAUSE_PSI: char = 'r';

/// The key that asks the model what the machine does after the change.
pub const WHAT_IF: char = 'w';

/// The keys of the dialog with their help.
pub const KEYS: [(char, &str); 5] = [
    (
        AT_BOOT,
        "Apply the change at boot too, or not; the plan is updated and shows the changes of files.",
    ),
    (TIMEOUT, "Stop the change after a time, and undo it."),
    (
        MAX_PSI,
        "Stop the change when memory pressure (PSI full, 10 s) exceeds a percentage, and undo it.",
    ),
    (PAUSE_PSI, "Pause swapoff while memory pressure (PSI full, 10 s) exceeds a percentage."),
    (
        WHAT_IF,
        "Ask the model of this machine what the plan does to the order and the shares of its areas.",
    ),
];

/// An option of the dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmOption {
    /// The key that changes it.
    pub key: char,
    /// The name.
    pub words: &'static str,
    /// The name for narrow terminals.
    pub short: &'static str,
    /// The value; empty if the key shows something instead of changing it.
    pub value: String,
}

impl Gate {
    fn for_proposal(proposal: &AnyProposal) -> Self {
        let saying = |verdict| proposal.checks().iter().filter(move |it| it.verdict == verdict);
        let refusing: Vec<&Check> = saying(CheckVerdict::Refuse).collect();
        let is_session = proposal.session().is_some();
        if !refusing.is_empty() {
            let is_risk = |check: &&Check| RISKS.iter().any(|(risk, _)| *risk == check.id);
            // Refusals of a workload cannot be overridden.
            if is_session || !refusing.iter().all(is_risk) {
                return Self::Blocked;
            }
            let mut risks: Vec<String> = refusing.iter().map(|it| it.id.to_owned()).collect();
            risks.dedup();
            return Self::Risk(risks);
        }
        if is_session {
            return Self::Open;
        }
        let moves = proposal.costs().iter().any(|cost| cost.moves != Some(Bytes(0)));
        if !moves || saying(CheckVerdict::Warn).next().is_none() {
            return Self::Open;
        }
        let taken = proposal.plan().steps.iter().find_map(Step::disabled_area);
        taken.map_or(Self::Open, |area| Self::Word(area.path.base().safe()))
    }

    /// The text that has to be typed, if any.
    pub fn word(&self) -> Option<String> {
        match self {
            Self::Word(word) => Some(word.clone()),
            Self::Risk(risks) => Some(risks.join(" ")),
            Self::Open | Self::Blocked => None,
        }
    }
}

impl Confirm {
    /// The dialog about a proposal; `newest` is the newest sample.
    pub fn new(proposal: AnyProposal, newest: Option<&HistoryEntry>, policy: &Policy) -> Self {
        let mut title = proposal.plan().title.clone();
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let copy = by_hand(&proposal).join("\n");
        let growth = proposal
            .change()
            .zip(newest)
            .and_then(|(change, newest)| growth_line(change, &newest.view(), policy));
        let page = TextPage::new(safe_text(&title), lines(&proposal, growth.as_ref()));
        let gate = Gate::for_proposal(&proposal);
        // What has to be typed is typed at once: letters are never taken for keys.
        let focus = if gate.word().is_some() { Focus::Word } else { Focus::Cancel };
        Self {
            gate,
            page: TextPage { copy: (!copy.is_empty()).then_some(copy), ..page },
            proposal,
            growth,
            input: TextInput::default(),
            focus,
        }
    }

    /// Is there nothing to do?
    pub fn is_idle(&self) -> bool {
        let change = self.proposal.change();
        change.is_some_and(|it| it.plan.steps.is_empty() && it.intent != Intent::Recover)
    }

    /// The options of the dialog.
    pub fn options(&self) -> Vec<ConfirmOption> {
        // Workloads have a guard instead.
        let Some(change) = self.proposal.change() else { return Vec::new() };
        let options = &change.options;
        let steps = &change.plan.steps;
        let option = |key, words, short, value| ConfirmOption { key, words, short, value };
        let none = || "none".to_owned();
        let share = |share: Option<f64>| share.map_or_else(none, |share| format!("{share}%"));
        let mut shown = Vec::new();
        if change.can_persist {
            let persists = if options.persist { "yes" } else { "no" };
            shown.push(option(AT_BOOT, "at boot", "at boot", persists.to_owned()));
        }
        if steps.iter().any(is_long) {
            let limits = &options.limits;
            let timeout = limits.timeout.map(|time| units::seconds(time.as_secs_f64()));
            shown.push(option(TIMEOUT, "time limit", "time", timeout.unwrap_or_else(none)));
            shown.push(option(MAX_PSI, "PSI limit", "PSI", share(limits.max_psi)));
            shown.push(option(PAUSE_PSI, "pause at PSI", "pause", share(limits.pace)));
        }
        if steps.iter().any(Step::is_of_areas) {
            shown.push(option(WHAT_IF, "what-if", "what-if", String::new()));
        }
        shown
    }

    /// Is there room for the options? The text and the buttons have precedence.
    pub fn shows_options(&self, size: Size) -> bool {
        page::inside(size, usize::MAX).height >= ROOMY && !self.options().is_empty()
    }

    /// Shows at the top why the requested options were refused.
    pub fn stay_open(&mut self, why: &str) {
        self.page.lines = lines(&self.proposal, self.growth.as_ref());
        self.page.lines.insert(0, PageLine::named("refused", safe_text(why)).as_role(Role::Warn));
        self.page.top = 0;
    }

    /// The number of lines below the text: options, the line to type in, and buttons.
    pub fn below(&self, size: Size) -> usize {
        1 + usize::from(self.gate.word().is_some()) + usize::from(self.shows_options(size))
    }

    /// The number of visible rows of the text.
    pub fn height(&self, size: Size) -> usize {
        let below = self.below(size);
        let lines = self.page.rows(size).len() + below;
        usize::from(page::inside(size, lines).height).saturating_sub(below)
    }

    /// Scrolls to the checks that refuse the plan.
    pub fn at_refusal(mut self, size: Size) -> Self {
        let rows = self.page.rows(size);
        let refuses = |row: &PageRow<'_>| row.line.role == Role::Crit;
        let Some(first) = rows.iter().position(refuses) else { return self };
        let end = first + rows.iter().skip(first).take_while(|row| refuses(row)).count();
        let top = end.saturating_sub(self.height(size)).min(first);
        self.page.top = top;
        self
    }

    /// The first row of the last page.
    pub fn last_top(&self, size: Size) -> usize {
        self.page.rows(size).len().saturating_sub(self.height(size))
    }

    /// Was the required text typed?
    pub fn is_unlocked(&self) -> bool {
        match self.gate.word() {
            Some(word) => self.input.text.trim() == word,
            None => self.gate == Gate::Open,
        }
    }

    /// The stops of the focus, in order.
    pub fn stops(&self) -> &'static [Focus] {
        match self.gate {
            Gate::Word(_) | Gate::Risk(_) => &[Focus::Cancel, Focus::Word, Focus::Run],
            Gate::Open | Gate::Blocked => &[Focus::Cancel, Focus::Run],
        }
    }

    /// Moves the focus to the next or previous stop.
    pub fn turn(&mut self, by: isize) {
        let stops = self.stops();
        let now = stops.iter().position(|stop| *stop == self.focus).unwrap_or(0);
        let count = stops.len();
        let next = if by < 0 { now + count - 1 } else { now + 1 } % count;
        self.focus = stops.get(next).copied().unwrap_or(Focus::Cancel);
    }
}

/// The height from which a dialog has room for options.
const ROOMY: u16 = 6;

/// Can this step take long?
fn is_long(step: &Step) -> bool {
    !matches!(step, Step::On { .. } | Step::Set { .. } | Step::Save { .. })
}

/// The lines of a proposal.
fn lines(proposal: &AnyProposal, growth: Option<&PageLine>) -> Vec<PageLine> {
    let mut lines = match proposal {
        AnyProposal::Change(change) => change_lines(change),
        AnyProposal::Session(session) => session_lines(session),
    };
    lines.extend(growth.cloned());
    lines
}

/// Shell commands in one line, with their comments at its end.
fn one_line(commands: &[String]) -> String {
    let parts = commands.iter().map(|line| line.split_once("    # ").unwrap_or((line, "")));
    let (commands, comments): (Vec<&str>, Vec<&str>) = parts.unzip();
    let comments: Vec<&str> = comments.into_iter().filter(|comment| !comment.is_empty()).collect();
    let line = commands.join(" && ");
    if comments.is_empty() { line } else { format!("{line}    # {}", comments.join("; ")) }
}

/// The lines of a change.
fn change_lines(ChangeProposal { change, next, .. }: &ChangeProposal) -> Vec<PageLine> {
    let mut lines: Vec<PageLine> = nothing_to_do(change).map(PageLine::text).into_iter().collect();
    for (place, (step, cost)) in change.plan.steps.iter().zip(&change.costs).enumerate() {
        lines.extend(step_lines(place, step, cost));
        let back = step
            .inverse()
            .map_or_else(|| "nothing to undo".to_owned(), |step| one_line(&step.shell()));
        lines.push(PageLine::named("  undo", back).as_role(Role::Label));
    }
    lines.extend(messages::describe_total(&change.costs).map(PageLine::text));
    lines.extend(change.checks.iter().map(check_line));
    lines.extend(by_hand_lines(commands(&change.plan)));
    lines.extend(after(&change.plan));
    let next = next.iter();
    lines.extend(next.map(|words| PageLine::named("next", safe_text(&format!("pages: {words}")))));
    lines
}

/// The lines of a workload or an experiment.
fn session_lines(session: &SessionProposal) -> Vec<PageLine> {
    let mut lines = terms(&session.terms);
    for (place, (step, cost)) in session.plan.steps.iter().zip(&session.costs).enumerate() {
        lines.extend(step_lines(place, step, cost));
    }
    lines.extend(messages::describe_total(&session.costs).map(PageLine::text));
    lines.extend(session.checks.iter().map(check_line));
    if session.terms.cases.is_some() {
        lines.extend(runs(&session.terms));
    }
    lines.extend(by_hand_lines(vec![session.form.command()]));
    lines
}

/// The message where no step is needed.
fn nothing_to_do(change: &change::Proposal) -> Option<String> {
    change.plan.steps.is_empty().then(|| match change.intent {
        Intent::Recover => "Nothing to repair: only the journal is updated.".to_owned(),
        _ if change.can_persist && !change.options.persist => {
            format!("Nothing to do: already in effect. Press {AT_BOOT} to apply it at boot too.")
        }
        _ => "Nothing to do: already in effect.".to_owned(),
    })
}

/// The lines of a step: its command, its estimated time, and its changes of files.
fn step_lines(place: usize, step: &Step, cost: &Forecast) -> Vec<PageLine> {
    let mut lines =
        vec![PageLine::named((place + 1).to_string(), messages::describe_step(step, cost.moves))];
    if cost.time != Estimate::Nothing {
        lines.push(PageLine::named("  takes", cost.time.describe()).as_role(Role::Label));
    }
    lines.extend(step.lines().into_iter().map(|line| PageLine::named("  file", line)));
    lines
}

fn check_line(check: &Check) -> PageLine {
    let role = thresholds::verdict(check.verdict);
    PageLine::named(check.verdict.word(), safe_text(&check.text)).as_role(role)
}

/// The equivalent commands.
fn by_hand(proposal: &AnyProposal) -> Vec<String> {
    match proposal {
        AnyProposal::Change(proposal) => commands(&proposal.change.plan),
        AnyProposal::Session(session) => vec![session.form.command()],
    }
}

fn commands(plan: &Plan) -> Vec<String> {
    plan.steps.iter().flat_map(Step::shell).collect()
}

fn by_hand_lines(commands: Vec<String>) -> impl Iterator<Item = PageLine> {
    let heads = std::iter::once("by hand").chain(std::iter::repeat(" "));
    heads.zip(commands).map(|(head, line)| PageLine::named(head, line))
}

/// How a workload or an experiment would be run.
fn terms(terms: &PlannedRun) -> Vec<PageLine> {
    // The cases of an experiment come last, because there may be many.
    let runs = match &terms.cases {
        None => runs(terms),
        Some(cases) => vec![
            PageLine::named("runs", safe_text(&cases.order)),
            PageLine::named("temporary", cases.describe_setup()),
            PageLine::named("at most", safe_text(&cases.at_most)),
        ],
    };
    let limit = PageLine::named("memory", safe_text(&terms.memory_limit));
    let heads = std::iter::once("stops if").chain(std::iter::repeat(" "));
    let rails =
        heads.zip(&terms.guard).map(|(head, words)| PageLine::named(head, safe_text(words)));
    runs.into_iter().chain([limit]).chain(rails).collect()
}

/// The work of the processes, by group; for an experiment, by case.
fn runs(terms: &PlannedRun) -> Vec<PageLine> {
    let head = if terms.cases.is_some() { "case" } else { "runs" };
    terms.runs.iter().map(|words| PageLine::named(head, safe_text(words))).collect()
}

/// The areas after the change.
fn areas_after(plan: &Plan) -> Vec<AreaState> {
    let mut standing = plan.relies_on.clone();
    plan.steps.iter().for_each(|step| plan::apply_step(step, &mut standing));
    standing
}

/// Room that is left of swap if the plan disables areas, and when it is full at the present growth.
fn growth_line(
    change: &change::Proposal,
    view: &SampleView<'_>,
    policy: &Policy,
) -> Option<PageLine> {
    let disables = change.plan.steps.iter().any(|step| step.disabled_area().is_some());
    let (areas, after) = (view.now.areas(), areas_after(&change.plan));
    let stays = |area: &SwapArea| after.iter().any(|stands| stands.path == area.path);
    // The size of an area that the plan adds is not known here.
    let adds = after.len() > areas.iter().filter(|area| stays(area)).count();
    if !disables || adds || areas.iter().all(stays) {
        return None;
    }
    let room = balance::remaining_room(view, stays).into_result().ok()?;
    let moves = change.costs.iter().filter_map(|cost| cost.moves).sum::<Bytes>();
    let growth = Value::Real(room.growth).human(Unit::Bytes, false);
    let free = size(room.free);
    let time = |moved| units::seconds(room.full_in(moved));
    let (whole, least) = (time(Bytes(0)), time(moves));
    let text = match (after.is_empty(), moves) {
        (true, _) => format!("swap grows by {growth}/s, and no swap is left for it"),
        (false, Bytes(0)) => {
            format!("swap grows by {growth}/s: the {free} left are full in {whole}")
        }
        (false, _) => format!(
            "swap grows by {growth}/s: the {free} left are full in {whole}, or in {least} if the {} to move are swapped out again",
            size(moves)
        ),
    };
    let is_soon = room.full_in(moves) < policy.full_soon;
    let role = if is_soon { Role::Warn } else { Role::Text };
    Some(PageLine::named("growth", text).as_role(role))
}

/// The areas and their priorities after the change.
fn after(plan: &Plan) -> Option<PageLine> {
    if !plan.steps.iter().any(Step::is_of_areas) {
        return None;
    }
    let mut standing = areas_after(plan);
    // In allocation order: default priorities are below all that are set.
    standing.sort_by_key(|stands| match stands.priority {
        Priority::Set(number) => -i32::from(number),
        Priority::Default => 1,
    });
    let words = |stands: &AreaState| format!("{} {}", stands.path.safe(), stands.priority);
    let areas: Vec<String> = standing.iter().map(words).collect();
    let areas = if areas.is_empty() { "no swap".to_owned() } else { areas.join(", ") };
    Some(PageLine::named("after", format!("priorities: {areas}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_commands_in_one_line_come_last() {
        let of = |lines: [&str; 2]| one_line(&lines.map(str::to_owned));
        assert_eq!(of(["cat x    # prints it", "echo y"]), "cat x && echo y    # prints it");
        assert_eq!(of(["a", "b"]), "a && b");
    }
}

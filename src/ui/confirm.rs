//! The dialog that stands before every change: what would be done, what may come of it, and what
//! has to be said to have it done.

use super::change::{ChangeProposal, Intent, AnyProposal};
use super::input::TextInput;
use super::lab::{SessionProposal, PlannedRun};
use super::page::{self, TextPage, PageLine, PageRow};
use super::theme::Role;
use crate::actions::Step;
use crate::actions::check::{Check, RISKS, CheckVerdict};
use crate::actions::estimate::{Estimate, Forecast};
use crate::actions::plan::{self, Plan, AreaState};
use crate::actions::messages;
use crate::change;
use crate::columns::units;
use crate::model::Bytes;
use crate::model::activation::Priority;
use crate::model::name::safe_text;
use ratatui::layout::Size;

/// A plan that is to be confirmed.
#[derive(Clone, Debug)]
pub struct Confirm {
    /// The plan.
    pub proposal: AnyProposal,
    /// The same in words.
    pub page: TextPage,
    /// What stands before it.
    pub gate: Gate,
    /// What was typed to open that.
    pub input: TextInput,
    /// What keys act on.
    pub focus: Focus,
}

/// What has to be said before a plan is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Nothing more than yes.
    Open,
    /// This word: something is at stake.
    Word(String),
    /// These risks, by name, before it is planned anew with them.
    Risk(Vec<String>),
    /// It cannot be carried out.
    Blocked,
}

/// What keys act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// Do nothing.
    Cancel,
    /// Do it.
    Run,
    /// What is typed.
    Word,
}

/// The key that lets it be so at every start.
pub const AT_BOOT: char = 'p';
/// The key that limits its time.
pub const TIMEOUT: char = 't';
/// The key that limits the waits for memory that it may cause.
pub const MAX_PSI: char = 'm';
/// The key that lets the emptying of areas rest.
pub const PAUSE_PSI: char = 'r';

/// What these keys do, for the help and the manual.
pub const KEYS: [(char, &str); 4] = [
    (
        AT_BOOT,
        "Let it be so at every start of the machine too, or not: the plan is made anew, and shows how files change.",
    ),
    (TIMEOUT, "Give the change up after a time, and take back what was done of it."),
    (
        MAX_PSI,
        "Give it up when all tasks wait for memory in more than a percentage of 10 seconds, and take back what was done of it.",
    ),
    (
        PAUSE_PSI,
        "Let the emptying of areas rest as long as all tasks wait for memory in more than a percentage of 10 seconds.",
    ),
];

/// What can be chosen beside the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmOption {
    /// Its key.
    pub key: char,
    /// What it is.
    pub words: &'static str,
    /// The same where there is little room.
    pub short: &'static str,
    /// How it is.
    pub value: String,
}

impl Gate {
    fn for_proposal(proposal: &AnyProposal) -> Self {
        let saying = |verdict| proposal.checks().iter().filter(move |it| it.verdict == verdict);
        let refusing: Vec<&Check> = saying(CheckVerdict::Refuse).collect();
        let is_session = proposal.session().is_some();
        if !refusing.is_empty() {
            let is_risk = |check: &&Check| RISKS.iter().any(|(risk, _)| *risk == check.id);
            // A load is never forced.
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

    /// What has to be typed.
    pub fn word(&self) -> Option<String> {
        match self {
            Self::Word(word) => Some(word.clone()),
            Self::Risk(risks) => Some(risks.join(" ")),
            Self::Open | Self::Blocked => None,
        }
    }
}

impl Confirm {
    /// The dialog about a proposal.
    pub fn new(proposal: AnyProposal) -> Self {
        let mut title = proposal.plan().title.clone();
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let copy = by_hand(&proposal).join("\n");
        let page = TextPage::new(safe_text(&title), lines(&proposal));
        Self {
            gate: Gate::for_proposal(&proposal),
            page: TextPage { copy: (!copy.is_empty()).then_some(copy), ..page },
            proposal,
            input: TextInput::default(),
            focus: Focus::Cancel,
        }
    }

    /// Is it so already?
    pub fn is_idle(&self) -> bool {
        let change = self.proposal.change();
        change.is_some_and(|it| it.plan.steps.is_empty() && it.intent != Intent::Recover)
    }

    /// What can be chosen beside the plan.
    pub fn options(&self) -> Vec<ConfirmOption> {
        // Its guard says when a load is ended.
        let Some(change) = self.proposal.change() else { return Vec::new() };
        let options = &change.options;
        let lasting = if options.persist { "yes" } else { "no" };
        let lasting = ConfirmOption {
            key: AT_BOOT,
            words: "at every start",
            short: "lasting",
            value: lasting.to_owned(),
        };
        let none = || "none".to_owned();
        let timeout = options.limits.timeout.map(|time| units::seconds(time.as_secs_f64()));
        let timeout = ConfirmOption {
            key: TIMEOUT,
            words: "time limit",
            short: "time",
            value: timeout.unwrap_or_else(none),
        };
        let share = |share: Option<f64>| share.map_or_else(none, |share| format!("{share}%"));
        let max_psi = ConfirmOption {
            key: MAX_PSI,
            words: "wait limit",
            short: "waits",
            value: share(options.limits.max_psi),
        };
        let rest = ConfirmOption {
            key: PAUSE_PSI,
            words: "rest above",
            short: "rest",
            value: share(options.limits.pace),
        };
        let limits = change.plan.steps.iter().any(is_long).then_some([timeout, max_psi, rest]);
        change.can_last.then_some(lasting).into_iter().chain(limits.into_iter().flatten()).collect()
    }

    /// Is there room for what can be chosen? The text and the answers matter more.
    pub fn shows_options(&self, size: Size) -> bool {
        page::inside(size, usize::MAX).height >= ROOMY && !self.options().is_empty()
    }

    /// Say on top why it cannot be done otherwise.
    pub fn stay_open(&mut self, why: &str) {
        self.page.lines = lines(&self.proposal);
        self.page.lines.insert(0, PageLine::named("refused", safe_text(why)).as_role(Role::Warn));
        self.page.top = 0;
    }

    /// Lines below the text: what can be chosen, what is to be typed, and the answers.
    pub fn below(&self, size: Size) -> usize {
        1 + usize::from(self.gate.word().is_some()) + usize::from(self.shows_options(size))
    }

    /// How many rows of the text are seen at once.
    pub fn height(&self, size: Size) -> usize {
        let below = self.below(size);
        let lines = self.page.rows(size).len() + below;
        usize::from(page::inside(size, lines).height).saturating_sub(below)
    }

    /// Begin so far down that what refuses it is in sight.
    pub fn at_refusal(mut self, size: Size) -> Self {
        let rows = self.page.rows(size);
        let refuses = |row: &PageRow<'_>| row.line.role == Role::Crit;
        let Some(first) = rows.iter().position(refuses) else { return self };
        let end = first + rows.iter().skip(first).take_while(|row| refuses(row)).count();
        let top = end.saturating_sub(self.height(size)).min(first);
        self.page.top = top;
        self
    }

    /// The first row of the last screenful.
    pub fn last_top(&self, size: Size) -> usize {
        self.page.rows(size).len().saturating_sub(self.height(size))
    }

    /// Was typed what has to be?
    pub fn is_unlocked(&self) -> bool {
        match self.gate.word() {
            Some(word) => self.input.text.trim() == word,
            None => self.gate == Gate::Open,
        }
    }

    /// What keys can act on, in order.
    pub fn stops(&self) -> &'static [Focus] {
        match self.gate {
            Gate::Word(_) | Gate::Risk(_) => &[Focus::Cancel, Focus::Word, Focus::Run],
            Gate::Open | Gate::Blocked => &[Focus::Cancel, Focus::Run],
        }
    }

    /// Let keys act on the next, or on the one before.
    pub fn turn(&mut self, by: isize) {
        let stops = self.stops();
        let now = stops.iter().position(|stop| *stop == self.focus).unwrap_or(0);
        let count = stops.len();
        let next = if by < 0 { now + count - 1 } else { now + 1 } % count;
        self.focus = stops.get(next).copied().unwrap_or(Focus::Cancel);
    }
}

/// Lines of a dialog that has room for more than the text and the answers.
const ROOMY: u16 = 6;

/// Can it take longer than a moment?
fn is_long(step: &Step) -> bool {
    !matches!(step, Step::On { .. } | Step::Set { .. } | Step::Save { .. })
}

/// The proposal in words.
fn lines(proposal: &AnyProposal) -> Vec<PageLine> {
    match proposal {
        AnyProposal::Change(change) => change_lines(change),
        AnyProposal::Session(session) => session_lines(session),
    }
}

/// A change in words.
fn change_lines(ChangeProposal { change, next }: &ChangeProposal) -> Vec<PageLine> {
    let mut lines: Vec<PageLine> = nothing_to_do(change).map(PageLine::text).into_iter().collect();
    for (place, (step, cost)) in change.plan.steps.iter().zip(&change.costs).enumerate() {
        lines.extend(step_lines(place, step, cost));
        let back = step.inverse().map_or_else(
            || "nothing has to be taken back".to_owned(),
            |step| step.shell().join(" && "),
        );
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

/// A load or an experiment in words.
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

/// What is said where no step is needed.
fn nothing_to_do(change: &change::Proposal) -> Option<String> {
    change.plan.steps.is_empty().then(|| match change.intent {
        Intent::Recover => "Nothing has to be put right: only the journal is told so.".to_owned(),
        _ if change.can_last && !change.options.persist => {
            format!("It is so already. {AT_BOOT} makes it so at every start too.")
        }
        _ => "It is so already.".to_owned(),
    })
}

/// A step, how long it may take, and how it changes a file.
fn step_lines(place: usize, step: &Step, cost: &Forecast) -> Vec<PageLine> {
    let mut lines = vec![PageLine::named((place + 1).to_string(), messages::describe_step(step, cost.moves))];
    if cost.time != Estimate::Nothing {
        lines.push(PageLine::named("  takes", cost.time.describe()).as_role(Role::Label));
    }
    lines.extend(step.lines().into_iter().map(|line| PageLine::named("  file", line)));
    lines
}

fn check_line(check: &Check) -> PageLine {
    let role = match check.verdict {
        CheckVerdict::Ok | CheckVerdict::Note => Role::Text,
        CheckVerdict::Warn => Role::Warn,
        CheckVerdict::Refuse => Role::Crit,
    };
    PageLine::named(messages::verdict_word(check.verdict), safe_text(&check.text)).as_role(role)
}

/// The commands that do the same.
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

/// How a load or an experiment would be run.
fn terms(terms: &PlannedRun) -> Vec<PageLine> {
    // The cases of an experiment stand last: there may be more of them than lines.
    let runs = match &terms.cases {
        None => runs(terms),
        Some(cases) => vec![
            PageLine::named("runs", safe_text(&cases.order)),
            PageLine::named("is lent", cases.describe_setup()),
            PageLine::named("at most", safe_text(&cases.at_most)),
        ],
    };
    let cage = PageLine::named("cage", safe_text(&terms.memory_limit));
    let heads = std::iter::once("ends if").chain(std::iter::repeat(" "));
    let rails =
        heads.zip(&terms.guard).map(|(head, words)| PageLine::named(head, safe_text(words)));
    runs.into_iter().chain([cage]).chain(rails).collect()
}

/// What its processes do, group by group; of an experiment, case by case.
fn runs(terms: &PlannedRun) -> Vec<PageLine> {
    let head = if terms.cases.is_some() { "case" } else { "runs" };
    terms.runs.iter().map(|words| PageLine::named(head, safe_text(words))).collect()
}

/// How the areas stand when all of it is done.
fn after(plan: &Plan) -> Option<PageLine> {
    if !plan.steps.iter().any(Step::is_of_areas) {
        return None;
    }
    let mut standing = plan.relies_on.clone();
    plan.steps.iter().for_each(|step| plan::apply_step(step, &mut standing));
    // As the kernel fills them; what it gives itself is below all that is asked for.
    standing.sort_by_key(|stands| match stands.priority {
        Priority::Set(number) => -i32::from(number),
        Priority::Default => 1,
    });
    let words = |stands: &AreaState| format!("{} {}", stands.path.safe(), stands.priority);
    let areas: Vec<String> = standing.iter().map(words).collect();
    let areas = if areas.is_empty() { "no swap at all".to_owned() } else { areas.join(", ") };
    Some(PageLine::named("after", format!("priorities: {areas}")))
}

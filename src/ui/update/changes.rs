//! Changes: armed, chosen, confirmed, looked on, and taken back.

use crate::actions::journal::Record;
use crate::actions::limits::ChangeLimits;
use crate::actions::messages;
use crate::change::Proposal;
use crate::model::name::safe_text;
use crate::model::{Stamp, text};
use crate::ui::app::{App, Tone};
use crate::ui::change::{self, ChangeRequest, ChangeResult, ExecutionOptions, ChangeHistory, ZramValue};
use crate::ui::command::{self, UiCommand as C};
use crate::ui::confirm::Confirm;
use crate::ui::input::{TextInput, PromptKind, ValueInput};
use crate::ui::job::{self, EndReport};
use crate::ui::msg::{Effect, KeyOutcome};
use crate::ui::overlay::{DialogAnswer, MenuChoice, MenuItem, Menu, Overlay, MenuPurpose, Question};
use crate::ui::page::{TextPage, PageLine};
use crate::ui::row_actions;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// How long changes stay armed when no key is pressed, in nanoseconds.
const IDLE: u64 = 300 * 1_000_000_000;

/// Allow changes, after a word about it, or forbid them again.
pub(super) fn enable_writing(app: &mut App) {
    if app.change.write_until.take().is_some() {
        app.notify("read-only again: nothing can be changed from here");
    } else if let Some(why) = app.change.blocked.clone() {
        app.notify(format!("{why}; a shows plans and their commands all the same"));
    } else {
        app.overlays.push(Overlay::Question(Question {
            title: "Allow changes?",
            lines: [
                "Plans that you confirm are then carried out, and loads are run.",
                "RW on top says so, until W, five idle minutes, or you leave.",
                "By itself this changes nothing.",
            ]
            .map(PageLine::text)
            .into(),
            answers: vec![("Stay read-only", DialogAnswer::Nothing), ("Allow changes", DialogAnswer::EnableWriting)],
            selected: 0,
        }));
    }
}

/// A key was pressed: whoever is there stays armed.
pub(super) fn touch(app: &mut App) {
    if app.change.write_until.is_some() {
        app.change.write_until = Some(idle_from(app.now));
    }
}

fn idle_from(now: Stamp) -> Stamp {
    Stamp { boot_ns: now.boot_ns.saturating_add(IDLE), ..now }
}

/// Time goes on; true if changes are armed no more.
pub(super) fn tick(app: &mut App) -> bool {
    let over = app.change.write_until.is_some_and(|until| app.now.boot_ns >= until.boot_ns);
    if over {
        app.change.write_until = None;
        app.notify("read-only again: five minutes passed without a key");
    }
    over
}

/// What can be done here.
pub(super) fn actions(app: &mut App) {
    let (about, items) = row_actions::menu(app);
    let menu = Menu { about: safe_text(&about), ..Menu::new(MenuPurpose::Actions, items) };
    app.overlays.push(Overlay::Menu(menu));
}

/// Said until a plan comes.
const PLANNING: &str = "looking at the machine: the plan comes at once";

/// Have a plan made.
pub(super) fn plan(
    app: &mut App,
    request: impl Into<ChangeRequest>,
    options: ExecutionOptions,
) -> Vec<Effect> {
    vec![Effect::Plan(await_plan(app), request.into(), options)]
}

/// Wait for a plan; says by which number it is known.
pub(super) fn await_plan(app: &mut App) -> u64 {
    app.change.asked += 1;
    (app.change.anew, app.change.typed) = (false, None);
    app.change.awaited = true;
    app.notify_waiting(PLANNING);
    app.change.asked
}

/// Have a plan made from what was typed; if there is none, the line is typed on.
pub(super) fn plan_typed(
    app: &mut App,
    value: &ValueInput,
    request: impl Into<ChangeRequest>,
) -> Vec<Effect> {
    let effects = plan(app, request, ExecutionOptions::default());
    app.change.typed = Some(ValueInput { error: None, ..value.clone() });
    effects
}

/// Type what a plan needs.
pub(super) fn ask(app: &mut App, what: PromptKind) {
    let accepts = match &what {
        PromptKind::Priority(_) => {
            "0 to 32767, higher is filled first; default lets the kernel choose".to_owned()
        }
        PromptKind::Area => "a path, UUID=... or LABEL=...".to_owned(),
        PromptKind::Kernel(setting) => row_actions::accepts(app, setting),
        PromptKind::ZramSwap => {
            let size = row_actions::accepts_zram(app, "", ZramValue::Size);
            format!("{size}; options of zram swap may follow, as in 2G --algorithm zstd --limit 1G")
        }
        PromptKind::Zram(device, value) => row_actions::accepts_zram(app, device, *value),
        PromptKind::Timeout => format!("{}; none for no limit", ChangeLimits::TIME),
        PromptKind::MaxPsi => format!("{}; none for no limit", ChangeLimits::WAITS),
        PromptKind::PausePsi => format!("{}; none for no rests", ChangeLimits::PACE),
        // The list of settings and the lab open their own lines.
        PromptKind::Setting(_) | PromptKind::Lab(_) | PromptKind::Row(_) => String::new(),
    };
    let value = ValueInput { typed: what, accepts, input: TextInput::default(), error: None };
    app.overlays.push(Overlay::Value(value));
}

/// A plan came, or the reason why there is none.
pub(super) fn planned(app: &mut App, number: u64, result: Result<Box<change::AnyProposal>, String>) {
    if !app.change.awaited || number != app.change.asked {
        return;
    }
    app.change.awaited = false;
    app.notice.take_if(|notice| notice.tone == Tone::Awaiting);
    let anew = std::mem::take(&mut app.change.anew);
    let typed = app.change.typed.take().filter(|_| app.overlays.is_empty());
    if let (Ok(_), Some(why)) = (&result, app.busy_with()) {
        app.notify(why);
    }
    let size = app.overlay_size();
    let open = app.overlays.iter_mut().find_map(|overlay| match overlay {
        Overlay::Confirm(dialog) => Some(dialog),
        _ => None,
    });
    match (result, open.filter(|_| anew)) {
        // The dialog that it is for was closed meanwhile.
        (_, None) if anew => {}
        (Err(why), Some(open)) => open.stay_open(&why),
        (Err(why), None) => match typed {
            Some(typed) => {
                app.overlays.push(Overlay::Value(ValueInput { error: Some(why), ..typed }));
            }
            None => app.notify_error(why),
        },
        (Ok(proposal), open) => {
            let dialog = Confirm::new(*proposal).at_refusal(size);
            let can_last = |change: &Proposal| change.can_last && !change.options.persist;
            if dialog.is_idle() && !dialog.proposal.change().is_some_and(can_last) {
                let title = safe_text(&dialog.proposal.plan().title);
                return app.notify(format!("{title}: it is so already, nothing to do"));
            }
            match open {
                Some(open) => **open = dialog,
                None => app.overlays.push(Overlay::Confirm(Box::new(dialog))),
            }
        }
    }
}

/// Whoever goes back does not wait for a plan any more.
pub(super) fn cancel_planning(app: &mut App) {
    app.change.awaited = false;
}

/// A key while it is shown how far a change is.
pub(super) fn job_key(app: &mut App, event: KeyEvent) -> KeyOutcome {
    let cancel = event.code == KeyCode::Char('c') && event.modifiers == KeyModifiers::NONE;
    match (command::for_key(event), event.code) {
        (Some(C::Back | C::Quit | C::Open | C::Job), _) | (_, KeyCode::Char('b')) => {
            return KeyOutcome::NOTHING;
        }
        _ if cancel && app.is_busy() => {
            app.overlays.push(Overlay::Job);
            return stop(app).into();
        }
        // What comes next is asked for where the last thing ended.
        (Some(next), _) if !app.is_busy() => return KeyOutcome::Run(next),
        _ => app.notify_unbound_key(event, "Esc closes this, and stops nothing"),
    }
    app.overlays.push(Overlay::Job);
    KeyOutcome::NOTHING
}

/// Stop what is under way.
fn stop(app: &mut App) -> Vec<Effect> {
    let Some(job) = app.change.job.as_mut().filter(|job| job.ended.is_none()) else {
        return vec![];
    };
    job.stopping = true;
    vec![Effect::Stop]
}

/// A change is over.
pub(super) fn changed(app: &mut App, ended: &ChangeResult) -> Vec<Effect> {
    finish_job(app, job::describe_change(ended))
}

/// What was under way is over.
pub(super) fn finish_job(app: &mut App, report: EndReport) -> Vec<Effect> {
    if report.well {
        app.notify(report.words.clone());
    } else {
        app.notify_error(report.words.clone());
    }
    if let Some(job) = &mut app.change.job {
        job.ended = Some(report);
    }
    touch(app);
    if app.change.leaving { vec![Effect::Quit] } else { vec![Effect::SampleNow] }
}

/// Leave; while a change is under way that has to be said.
pub(super) fn quit(app: &mut App) -> Vec<Effect> {
    if !app.is_busy() {
        return vec![Effect::Quit];
    }
    // Whoever asks again has seen the question.
    app.overlays.retain(|overlay| !matches!(overlay, Overlay::Question(_)));
    app.overlays.push(Overlay::Question(Question {
        title: if app.has_load() { "A load is running" } else { "A change is under way" },
        lines: [
            "This program carries it out: it cannot go on without it. Leave when it is through, or have it stopped: then what was done is taken back first.",
            "Were it killed, the journal would know how far it came, and swapadm recover would put it right.",
        ]
        .map(PageLine::text)
        .into(),
        answers: vec![
            ("Stay", DialogAnswer::Nothing),
            ("Leave when it is through", DialogAnswer::LeaveAfter),
            ("Stop it, then leave", DialogAnswer::StopAndLeave),
        ],
        selected: 0,
    }));
    vec![]
}

/// A key for a question.
pub(super) fn ask_key(app: &mut App, mut ask: Question, event: KeyEvent) -> Vec<Effect> {
    let count = ask.answers.len().max(1);
    match (command::for_key(event), event.code) {
        (Some(C::Back | C::Quit), _) => return vec![],
        (_, KeyCode::Enter) => {
            let answer = ask.answers.get(ask.selected).map(|(_, answer)| *answer);
            return answer.map_or_else(Vec::new, |answer| answered(app, answer));
        }
        (Some(C::NextPane | C::Right | C::Down), _) => ask.selected = (ask.selected + 1) % count,
        (Some(C::PreviousPane | C::Left | C::Up), _) => {
            ask.selected = (ask.selected + count - 1) % count;
        }
        _ => app.notify_unbound_key(event, "Tab chooses, Enter answers"),
    }
    app.overlays.push(Overlay::Question(ask));
    vec![]
}

/// The effects of an answer.
pub(super) fn answered(app: &mut App, answer: DialogAnswer) -> Vec<Effect> {
    match answer {
        DialogAnswer::Nothing => {
            app.change.leaving = false;
            vec![]
        }
        DialogAnswer::EnableWriting => {
            app.change.write_until = Some(idle_from(app.now));
            let next = match app.overlays.last() {
                Some(Overlay::Confirm(_)) => "Tab and Enter carry it out",
                _ if app.shows_lab() => ". shows the run",
                _ => "a makes a plan",
            };
            app.notify(format!("changes are allowed: {next}; W makes it read-only again"));
            vec![]
        }
        // It may have come to its end meanwhile.
        DialogAnswer::LeaveAfter | DialogAnswer::StopAndLeave if !app.is_busy() => vec![Effect::Quit],
        DialogAnswer::LeaveAfter => {
            app.change.leaving = true;
            let what = if app.has_load() { "load" } else { "change" };
            app.notify(format!("leaving when the {what} is through"));
            vec![]
        }
        DialogAnswer::StopAndLeave => {
            app.change.leaving = true;
            stop(app)
        }
    }
}

/// Say that changes were cut off, if they were.
pub(super) fn report_interrupted(app: &mut App, past: &ChangeHistory) {
    let open = past.interrupted();
    if open > 0 {
        let were = if open == 1 { "A change was" } else { "Changes were" };
        app.notify_error(format!(
            "{were} cut off, or left in part ({open}): J tells which; a, \"put right what was cut off\", or swapadm recover goes on"
        ));
    }
}

/// Show what was changed.
pub(super) fn journal(app: &mut App, past: Result<ChangeHistory, String>) {
    match past {
        Err(why) => app.notify_error(why),
        Ok(past) if past.records.is_empty() => app.notify("the journal is empty: nothing was changed"),
        Ok(past) => {
            let recover = (past.interrupted() > 0).then(row_actions::recover);
            let records = past.records.iter().rev().map(record_item);
            let items = recover.into_iter().chain(records).collect();
            app.overlays.push(Overlay::Menu(Menu::new(MenuPurpose::Journal, items)));
            app.change.past = past.records;
        }
    }
}

fn record_item(record: &Record) -> MenuItem {
    let when = text::format_date(record.at_ms);
    let when = when.get(..16).unwrap_or_default().replace('T', " ");
    let title = safe_text(&record.title);
    let end = messages::end_word(record.end());
    MenuItem {
        name: format!("{:>3}  {end:<9}  {title}", record.plan),
        help: messages::describe_record(record).last().map_or_else(String::new, |last| last.trim().to_owned()),
        note: format!("{when}Z"),
        on: None,
        off: None,
        choice: MenuChoice::Record(record.plan),
    }
}

/// All that happened to a plan.
pub(super) fn record(app: &mut App, number: u64) {
    let Some(record) = app.change.past.iter().find(|record| record.plan == number) else { return };
    let lines = messages::describe_record(record).into_iter().map(PageLine::text).collect();
    let shell: Vec<String> = record.steps.iter().flat_map(crate::actions::Step::shell).collect();
    let page = TextPage::new(format!("Plan {number} of the journal"), lines);
    app.overlays.push(Overlay::Page(TextPage { copy: Some(shell.join("\n")), ..page }));
}

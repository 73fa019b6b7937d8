//! Changes: write mode, planning, confirmation, progress, and the journal.

use super::{
    App, C, ChangeRequest, Effect, KeyCode, KeyEvent, Menu, MenuChoice, MenuItem, MenuPurpose,
    Overlay, PageLine, PaneState, PromptKind, SourceKind, Stamp, TextPage, ValueInput, command,
    figures, safe_text,
};
use crate::actions::journal::Record;
use crate::actions::limits::ChangeLimits;
use crate::actions::messages;
use crate::change::{Intent, Proposal};
use crate::columns::units;
use crate::lab::builtin;
use crate::ui::app::Tone;
use crate::ui::change::{self, ChangeHistory, ChangeResult, ExecutionOptions};
use crate::ui::confirm::{Confirm, Focus};
use crate::ui::content::row_words;
use crate::ui::events::EventKind;
use crate::ui::fix::{fix_command, selected_fix};
use crate::ui::input::ZramValue;
use crate::ui::job::{self, EndReport};
use crate::ui::overlay::{DialogAnswer, Question};
use crate::ui::page::TableRow;
use crate::ui::pane::cycle_index;
use crate::ui::row_actions;
use crate::ui::what_if::MEASURED;
use ratatui::crossterm::event::KeyModifiers;

/// How long write mode lasts without a key, in nanoseconds.
const IDLE: u64 = 300 * 1_000_000_000;

/// Enables write mode, or returns to read-only mode. A question comes first, except in a plan, which waits for its
/// own confirmation.
pub(super) fn enable_writing(app: &mut App) {
    if app.change.write_until.take().is_some() {
        app.notify("read-only mode: nothing can be changed");
    } else if let Some(why) = app.change.blocked.clone() {
        app.notify(format!("{why}; a still shows plans and their commands"));
    } else if let Some(Overlay::Confirm(dialog)) = app.overlays.last_mut()
        && dialog.is_unlocked()
        && !dialog.is_idle()
    {
        dialog.focus = Focus::Run;
        answered(app, DialogAnswer::EnableWriting);
    } else {
        app.overlays.push(Overlay::Question(Question {
            title: "Enable write mode?",
            lines: [
                "In write mode, swapadm carries out plans that you confirm, and runs workloads.",
                "The first line shows it. It ends with W, after 5 minutes without a key, or on exit.",
                "Enabling it changes nothing yet.",
            ]
            .map(PageLine::text)
            .into(),
            answers: vec![("Stay read-only", DialogAnswer::Nothing), ("Enable write mode", DialogAnswer::EnableWriting)],
            selected: 0,
        }));
    }
}

/// A key was pressed: extends write mode.
pub(super) fn touch(app: &mut App) {
    if app.change.write_until.is_some() {
        app.change.write_until = Some(idle_from(app.now));
    }
}

fn idle_from(now: Stamp) -> Stamp {
    Stamp { boot_ns: now.boot_ns.saturating_add(IDLE), ..now }
}

/// Time has passed; true if write mode has ended.
pub(super) fn tick(app: &mut App) -> bool {
    let over = app.change.write_until.is_some_and(|until| app.now.boot_ns >= until.boot_ns);
    if over {
        app.change.write_until = None;
        app.notify("read-only mode again: 5 minutes without a key");
    }
    over
}

/// Opens the list of actions.
pub(super) fn actions(app: &mut App) {
    let (mut about, mut items) = row_actions::menu(app);
    if app.is_on_finding() {
        "this finding".clone_into(&mut about);
        items.splice(0..0, row_actions::marked(app, of_finding(app)));
    }
    let menu = Menu { about: safe_text(&about), ..Menu::new(MenuPurpose::Actions, items) };
    app.overlays.push(Overlay::Menu(menu));
}

/// Opens the list of actions on a row that need not be on screen.
pub(super) fn actions_on(app: &mut App, place: &TableRow) {
    let items = row_actions::marked(app, row_actions::on_row(app, place));
    let about = safe_text(&row_words(place.table, &place.row));
    app.overlays.push(Overlay::Menu(Menu { about, ..Menu::new(MenuPurpose::Actions, items) }));
}

/// The actions on the selected finding, and on the row in which it is seen.
fn of_finding(app: &App) -> Vec<MenuItem> {
    let command = selected_fix(app);
    let plan = command.as_ref().and_then(|fix| fix_command(app, fix)).map(|plan| {
        let help = "Show the plan of the command that fixes it.";
        MenuItem::new("fix it", help, MenuChoice::Plan(ChangeRequest::Command(plan)))
            .noted(command.as_deref().map(safe_text).unwrap_or_default())
    });
    let help = "Show its meaning, its evidence, and what to do.";
    let explain = MenuItem::new("explain", help, MenuChoice::Command(C::Explain)).noted("e");
    let place = app.pane().and_then(PaneState::origin);
    let place = place.and_then(|origin| figures::place_of_finding(app, &origin));
    let on_row = place.iter().flat_map(|place| row_actions::on_row(app, place)).collect::<Vec<_>>();
    let place = place.map(|place| {
        let help = "Show the row in which it is seen.";
        let name = format!("show {}", row_words(place.table, &place.row));
        MenuItem::new(name, help, MenuChoice::Row(place))
    });
    let copy = command.map(|fix| {
        MenuItem::new("copy the command", "Copy the command that fixes it.", MenuChoice::Copy(fix))
            .noted("y")
    });
    plan.into_iter().chain([explain]).chain(place).chain(copy).chain(on_row).collect()
}

/// The notice shown until a plan arrives.
const PLANNING: &str = "checking the machine: the plan follows";

/// Asks for a plan.
pub(super) fn plan(app: &mut App, request: impl Into<ChangeRequest>) {
    plan_with(app, request, ExecutionOptions::default());
}

/// Asks for the plan of a change with options.
pub(super) fn plan_with(
    app: &mut App,
    request: impl Into<ChangeRequest>,
    options: ExecutionOptions,
) {
    let request = request.into();
    await_plan(app, |number| Effect::Plan(number, request, options));
}

/// Asks for a plan by an effect with its number, and waits for it, if changes can be planned.
pub(super) fn await_plan(app: &mut App, ask: impl FnOnce(u64) -> Effect) {
    if let Some(why) = app.why_unchangeable() {
        return app.notify(why);
    }
    app.change.asked += 1;
    (app.change.anew, app.change.typed) = (false, None);
    app.change.awaited = true;
    app.notify_waiting(PLANNING);
    app.emit(ask(app.change.asked));
}

/// Asks for a plan from typed text; if there is none, the line stays open for editing.
pub(super) fn plan_typed(app: &mut App, value: &ValueInput, request: impl Into<ChangeRequest>) {
    plan(app, request);
    app.change.typed = Some(ValueInput { error: None, ..value.clone() });
}

/// Opens the line to type what a plan needs.
pub(super) fn ask(app: &mut App, what: PromptKind) {
    let value = prompt(app, what);
    app.overlays.push(Overlay::Value(value));
}

/// The line to type what a plan needs, with the present value and the recommended one.
pub(super) fn prompt(app: &App, what: PromptKind) -> ValueInput {
    let accepts = match &what {
        PromptKind::Priority(_) | PromptKind::ModelPriority(_) => {
            "0 to 32767, higher ones are filled first; default lets the kernel choose".to_owned()
        }
        PromptKind::Area => "a path, UUID=... or LABEL=...".to_owned(),
        PromptKind::Kernel(setting) => row_actions::accepts(app, setting),
        PromptKind::ZramSwap => {
            let size = row_actions::accepts_zram(app, "", ZramValue::Size);
            format!("{size}; options of zram swap may follow: 2G --algorithm zstd --limit 1G")
        }
        PromptKind::SwapFile => {
            "a size such as 4G, or a path and a size: /swap/file 4G; options of file create may follow".to_owned()
        }
        PromptKind::Zram(device, value) => row_actions::accepts_zram(app, device, *value),
        PromptKind::ModelArea => {
            "SIZE@DEVICE with zram, ssd, nvme, disk, file or file-on-disk; priority and node may follow: 16G@nvme,priority=5".to_owned()
        }
        PromptKind::ModelKernel => {
            "4.13, 5.10, 6.1, 6.12, 6.18 or 7.2, or one with a single design changed: 6.12+scan-one".to_owned()
        }
        PromptKind::ModelLoad => {
            let loads: Vec<&str> = builtin::LOADS.iter().map(|it| it.name).collect();
            format!("fill (processes that fill swap), now (traffic as now), a file such as ./mine.toml, or a workload: {}", loads.join(", "))
        }
        PromptKind::ModelRate => {
            format!("a size per second such as 10M, or {MEASURED}: as between the samples on screen")
        }
        PromptKind::Reclaim(_) => "a size such as 200M".to_owned(),
        PromptKind::Timeout => format!("{}; none for no limit", ChangeLimits::TIME_FORM),
        PromptKind::MaxPsi => format!("{}; none for no limit", ChangeLimits::PSI_FORM),
        PromptKind::PausePsi => format!("{}; none for no pauses", ChangeLimits::PACE_FORM),
        // The settings, the lab and the setup open their own lines.
        PromptKind::Setting(_) | PromptKind::Lab(_) | PromptKind::Row(_) | PromptKind::Setup(_) => {
            String::new()
        }
    };
    let now = row_actions::current_value(app, &what).map(|now| format!("now {now}; "));
    let best = row_actions::recommended(app, &what);
    let enter =
        best.as_ref().map(|best| format!("Enter takes {}, {}; ", best.size.exact(), best.reason));
    let accepts = [now.unwrap_or_default(), enter.unwrap_or_default(), accepts].concat();
    ValueInput { default: best.map(|best| best.size.exact()), ..ValueInput::new(what, accepts) }
}

/// Ends waiting if this is the answer that is awaited.
pub(super) fn accept_answer(app: &mut App, number: u64) -> bool {
    let is_awaited = app.change.awaited && number == app.change.asked;
    if is_awaited {
        app.change.awaited = false;
        app.notice.take_if(|notice| notice.tone == Tone::Awaiting);
    }
    is_awaited
}

/// A plan has arrived, or the reason why there is none.
pub(super) fn planned(
    app: &mut App,
    number: u64,
    result: Result<Box<change::AnyProposal>, String>,
) {
    if !accept_answer(app, number) {
        return;
    }
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
        // The dialog was closed meanwhile.
        (_, None) if anew => {}
        (Err(why), Some(open)) => open.stay_open(&why),
        (Err(why), None) => match typed {
            Some(typed) => {
                app.overlays.push(Overlay::Value(ValueInput { error: Some(why), ..typed }));
            }
            None => app.notify_error(why),
        },
        (Ok(proposal), open) => {
            let newest = app.source.history.newest();
            let dialog = Confirm::new(*proposal, newest, &app.settings.policy).at_refusal(size);
            let can_last = |change: &Proposal| change.can_persist && !change.options.persist;
            if dialog.is_idle() && !dialog.proposal.change().is_some_and(can_last) {
                let why = dialog.proposal.change().map(Proposal::describe_nothing_to_do);
                return app.notify(safe_text(&why.unwrap_or_default()));
            }
            match open {
                Some(open) => **open = dialog,
                None => app.overlays.push(Overlay::Confirm(Box::new(dialog))),
            }
        }
    }
}

/// Stops waiting for a plan.
pub(super) fn cancel_planning(app: &mut App) {
    app.change.awaited = false;
}

/// A key in the dialog of progress.
pub(super) fn job_key(app: &mut App, event: KeyEvent) -> Option<C> {
    let cancel = event.code == KeyCode::Char('c') && event.modifiers == KeyModifiers::NONE;
    match command::for_key(event) {
        Some(C::Back | C::Quit | C::Open | C::Job) => return None,
        _ if cancel && app.is_busy() => {
            app.overlays.push(Overlay::Job);
            // As on the command line, a second request stops the undo.
            if app.change.job.as_ref().is_some_and(job::Job::is_stopped_and_undone) {
                app.emit(Effect::StopUndo);
            } else {
                stop(app);
            }
            return None;
        }
        Some(C::Undo) if !app.is_busy() => {
            let ended = app.change.job.as_ref().and_then(|job| job.ended.as_ref());
            if let Some(plan) = ended.and_then(|ended| ended.undoes) {
                self::plan(app, Intent::Undo(Some(plan)));
                return None;
            }
            app.notify("nothing of this change is in effect; J lists the changes before it");
        }
        // After the end, keys of the screen work here as well.
        Some(next) if !app.is_busy() || matches!(next, C::Screen(_)) => return Some(next),
        _ => app.notify_unbound_key(event, "Esc closes this without stopping anything"),
    }
    app.overlays.push(Overlay::Job);
    None
}

/// Stops the running change or workload.
fn stop(app: &mut App) {
    let Some(job) = app.change.job.as_mut().filter(|job| job.ended.is_none()) else {
        return;
    };
    job.stopping = true;
    app.emit(Effect::Stop);
}

/// A change has ended.
pub(super) fn changed(app: &mut App, ended: &ChangeResult) {
    let has_command = app.source.kind != SourceKind::Simulated;
    finish_job(app, job::describe_change(ended, has_command));
}

/// A change or workload has ended.
pub(super) fn finish_job(app: &mut App, report: EndReport) {
    let kind = if app.has_load() { EventKind::Run } else { EventKind::Change };
    app.source.events.add(app.now, kind, report.words.clone());
    if report.well {
        app.notify(report.words.clone());
    } else {
        app.notify_error(report.words.clone());
    }
    if let Some(job) = &mut app.change.job {
        job.ended = Some(report);
    }
    touch(app);
    app.emit(if app.change.leaving { Effect::Quit } else { Effect::SampleNow });
}

/// Exits, after a question if something is running.
pub(super) fn quit(app: &mut App) {
    if !app.is_busy() {
        return app.emit(Effect::Quit);
    }
    // A second request replaces the question.
    app.overlays.retain(|overlay| !matches!(overlay, Overlay::Question(_)));
    app.overlays.push(Overlay::Question(Question {
        title: if app.has_load() { "A workload is running" } else { "A change is running" },
        lines: [
            "It needs swapadm to finish. Exit when it has finished, or stop it: then swapadm undoes it first.",
            "If swapadm is killed instead, the journal records how far it got, and swapadm recover repairs it.",
        ]
        .map(PageLine::text)
        .into(),
        answers: vec![
            ("Stay", DialogAnswer::Nothing),
            ("Exit when finished", DialogAnswer::LeaveAfter),
            ("Stop it, then exit", DialogAnswer::StopAndLeave),
        ],
        selected: 0,
    }));
}

/// A key in a question.
pub(super) fn ask_key(app: &mut App, mut ask: Question, event: KeyEvent) {
    let turned = |by| cycle_index(ask.selected, by, ask.answers.len());
    match (command::for_key(event), event.code) {
        (Some(C::Back | C::Quit), _) => return,
        (_, KeyCode::Enter) => {
            if let Some((_, answer)) = ask.answers.get(ask.selected) {
                answered(app, *answer);
            }
            return;
        }
        (Some(C::NextPane | C::Right | C::Down), _) => ask.selected = turned(1),
        (Some(C::PreviousPane | C::Left | C::Up), _) => ask.selected = turned(-1),
        _ => app.notify_unbound_key(event, "Tab chooses, Enter answers"),
    }
    app.overlays.push(Overlay::Question(ask));
}

/// The effects of an answer.
pub(super) fn answered(app: &mut App, answer: DialogAnswer) {
    match answer {
        DialogAnswer::Nothing => app.change.leaving = false,
        DialogAnswer::EnableWriting => {
            app.change.write_until = Some(idle_from(app.now));
            let next = match app.overlays.last() {
                Some(Overlay::Confirm(_)) => "Run carries the plan out",
                _ if app.shows_lab() => ". shows the run",
                _ => "a plans a change",
            };
            app.notify(format!("write mode: {next}; W returns to read-only mode"));
        }
        // It may have ended meanwhile.
        DialogAnswer::LeaveAfter | DialogAnswer::StopAndLeave if !app.is_busy() => {
            app.emit(Effect::Quit);
        }
        DialogAnswer::LeaveAfter => {
            app.change.leaving = true;
            let what = if app.has_load() { "workload" } else { "change" };
            app.notify(format!("exiting when the {what} has finished"));
        }
        DialogAnswer::StopAndLeave => {
            app.change.leaving = true;
            stop(app);
        }
    }
}

/// Reports interrupted changes, if there are any.
pub(super) fn report_interrupted(app: &mut App, past: &ChangeHistory) {
    let open = past.interrupted();
    if open > 0 {
        let were = if open == 1 { "A change was" } else { "Changes were" };
        app.notify_error(format!(
            "{were} interrupted or only partly done ({open}): J lists them; a, \"repair interrupted changes\", or swapadm recover repairs them"
        ));
    }
}

/// Shows the journal.
pub(super) fn journal(app: &mut App, past: Result<ChangeHistory, String>) {
    match past {
        Err(why) => app.notify_error(why),
        Ok(past) if past.records.is_empty() => app.notify("the journal is empty: no changes yet"),
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
    let title = messages::title_with_kills(record);
    let end = messages::end_word(record.end());
    let words = messages::describe_record(record);
    let last = words.last().map_or("", |last| last.trim());
    let name = format!("{:>3}  {end:<9}  {title}", record.plan);
    MenuItem::new(name, last, MenuChoice::Record(record.plan))
        .noted(units::date_to_minute(record.at_ms))
}

/// Shows the details of a plan in the journal.
pub(super) fn record(app: &mut App, number: u64) {
    let Some(record) = app.change.past.iter().find(|record| record.plan == number) else { return };
    let lines = messages::describe_record(record).into_iter().map(PageLine::text).collect();
    let shell: Vec<String> = record.steps.iter().flat_map(crate::actions::Step::shell).collect();
    let page = TextPage::new(format!("Plan {number} of the journal"), lines);
    app.overlays.push(Overlay::Page(TextPage { copy: Some(shell.join("\n")), ..page }));
}

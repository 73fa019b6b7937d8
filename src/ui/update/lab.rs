//! The lab: choosing, preparing, running and comparing workloads and experiments.

use super::{
    App, C, Effect, Name, Overlay, PageLine, PromptKind, Stamp, TextInput, TextPage, ValueInput,
    changes, moved, safe_text,
};
use crate::model::name::shell_quoted;
use crate::ui::availability::why_not_run;
use crate::ui::job;
use crate::ui::lab::{
    self, FieldInfo, FormField, LOADS, LabResult, RESULTS, RUN, Runnable, RunnableKind, SETTINGS,
    SessionReport,
};
use crate::ui::msg::Msg;

/// The requests that the lab needs while it is on screen.
pub(super) fn requests(app: &mut App) {
    let (shown, refused) = (app.shows_lab(), why_not_run(app.source.kind));
    let lab = &mut app.lab;
    if !shown || lab.loads.is_empty() {
        // The machine may have changed when the lab is shown again.
        (lab.asked, lab.listed) = (None, None);
        return;
    }
    if lab.asked.as_ref().is_none_or(|(_, form)| *form != lab.form) {
        lab.count += 1;
        lab.asked = Some((lab.count, lab.form.clone()));
        lab.prepared = refused.map(|why| Err(why.to_owned()));
        if refused.is_none() {
            app.effects.push(Effect::Prepare(lab.count, lab.form.clone()));
        }
    }
    list(app);
    judge(app);
}

/// Seconds between two reads of the list of results, because the command line can add and remove
/// results.
const AGAIN: f64 = 3.0;

/// Requests the list of results while it is on screen and missing or old.
pub(super) fn list(app: &mut App) {
    let (now, shown) = (app.now, app.shows_lab());
    let lab = &mut app.lab;
    let is_old = |listed: Stamp| now.seconds_since(listed) >= AGAIN;
    if !shown || lab.loads.is_empty() || lab.listing || !lab.listed.is_none_or(is_old) {
        return;
    }
    (lab.listed, lab.listing) = (Some(now), true);
    app.emit(Effect::Results);
}

/// Requests a check whether the two results can be compared. Both are read for that, so only one
/// check runs at a time.
fn judge(app: &mut App) {
    let Ok(pair) = app.lab.pair() else { return };
    let is_known = app.lab.judged.as_ref().is_some_and(|(judged, _)| *judged == pair);
    if app.lab.judging.is_none() && !is_known {
        (app.lab.judged, app.lab.judging) = (Some((pair, Ok(()))), Some(pair));
        app.emit(Effect::Comparable(pair));
    }
}

/// Handles a message about the lab.
pub(super) fn handle(app: &mut App, message: Msg) {
    match message {
        Msg::Prepared(number, prepared) => {
            let is_asked = app.lab.asked.as_ref().is_some_and(|(asked, _)| *asked == number);
            if is_asked {
                app.lab.prepared = Some(prepared);
            }
        }
        Msg::RunProgress(view) => {
            if let Some(job) = &mut app.change.job {
                job.update(view);
            }
        }
        Msg::RunStarted(next) => {
            if let Some(job) = &mut app.change.job {
                job.begin_run(next);
            }
        }
        Msg::SessionEnded(result) => session_ended(app, result),
        Msg::Results(entries) => {
            app.lab.listing = false;
            // Reading can take long: the next interval starts now.
            app.lab.listed = app.lab.listed.and(Some(app.now));
            app.lab.set_results(entries);
        }
        Msg::Comparable(pair, result) => {
            app.lab.judging.take_if(|judging| *judging == pair);
            let judged = app.lab.judged.as_mut().filter(|(judged, _)| *judged == pair);
            if let Some((_, known)) = judged {
                *known = result;
            }
        }
        Msg::Result(Err(why)) | Msg::Compared(Err(why)) => {
            // The result may have been removed: the list is read again.
            app.lab.listed = None;
            app.notify_error(why);
        }
        // A result that arrives late does not cover what was opened meanwhile.
        Msg::Result(_) | Msg::Compared(_) if !app.overlays.is_empty() => {}
        Msg::Result(Ok(found)) => show(app, &found),
        Msg::Compared(Ok(kept)) => match lab::comparison_page(&kept) {
            Ok(page) => app.overlays.push(Overlay::Page(page)),
            Err(why) => app.notify_error(why),
        },
        _ => {}
    }
}

/// Shows a result, laid out for the terminal.
fn show(app: &mut App, found: &LabResult) {
    let page = lab::result_page(found, app.overlay_size(), &app.look);
    app.overlays.push(Overlay::Page(page));
}

/// Lays open results out again after the terminal was resized.
pub(super) fn relayout(app: &mut App) {
    let (size, look) = (app.overlay_size(), app.look);
    let lay = |overlay| match overlay {
        Overlay::Page(page) => Overlay::Page(lab::page_for_size(page, size, &look)),
        other => other,
    };
    app.overlays = std::mem::take(&mut app.overlays).into_iter().map(lay).collect();
}

/// A workload or an experiment has ended.
fn session_ended(app: &mut App, result: Result<Box<SessionReport>, String>) {
    let told = job::describe_session(&result);
    // Results and free memory have changed.
    (app.lab.listed, app.lab.asked) = (None, None);
    if let Ok(ran) = result {
        app.lab.last = Some(*ran);
        app.lab.shows_last = true;
        // Its result is the newest one.
        app.lab.entry = 0;
    }
    changes::finish_job(app, told);
}

/// A confirmed session starts: its pane is focused.
pub(super) fn session_started(app: &mut App) {
    app.lab.shows_last = false;
    if let Some(pane) = app.shown().pane(RUN).filter(|_| app.shows_lab()) {
        app.focus(pane);
    }
}

/// Moves in the lab; false if the pane is not one of its lists.
pub(super) fn go(app: &mut App, command: C) -> bool {
    let Some(pane) = app.pane_info().filter(|_| app.shows_lab()) else { return false };
    let lab = &mut app.lab;
    match pane.id {
        LOADS => {
            let place = row_after(command, lab.chosen(), lab.loads.len());
            if lab.choose(place) {
                lab.shows_last = false;
            }
        }
        SETTINGS => match command {
            C::Left | C::Right => turn(app, command == C::Left),
            _ => lab.field = row_after(command, lab.field, lab.fields().len()),
        },
        RESULTS => lab.entry = row_after(command, lab.entry, lab.kept().len()),
        _ => return false,
    }
    true
}

/// Rows that a page key moves by.
const PAGE: usize = 10;

/// The row of a list after a key.
pub(super) fn row_after(command: C, now: usize, count: usize) -> usize {
    moved(command, now, count.saturating_sub(1), PAGE).unwrap_or(now)
}

/// Sets a field to its previous or next preset.
fn turn(app: &mut App, back: bool) {
    let Some(info) = app.lab.fields().get(app.lab.field) else { return };
    if app.lab.form.turn(info.field, back) {
        app.lab.shows_last = false;
    } else {
        app.notify("press Enter to type a value");
    }
}

/// Sets a field to the typed text.
pub(super) fn set(app: &mut App, field: FormField, text: &str) {
    app.lab.form.set(field, text);
    app.lab.shows_last = false;
}

/// Enter in a pane of the lab.
pub(super) fn open(app: &mut App) {
    match app.pane_info().map(|pane| pane.id) {
        Some(SETTINGS) => ask(app),
        Some(RESULTS) => match app.lab.selected() {
            Some(id) => app.emit(Effect::Result(id)),
            None => app.notify("no result is selected"),
        },
        Some(RUN) if app.has_load() => app.overlays.push(Overlay::Job),
        Some(RUN) if app.lab.shows_last => match app.lab.last_result().cloned() {
            Some(found) => show(app, &found),
            None => run(app),
        },
        _ => run(app),
    }
}

/// Explains the selected workload or setting, or the pane; a result is explained by its page.
pub(super) fn explain(app: &mut App) {
    let Some(pane) = app.pane_info() else { return };
    let explained = match pane.id {
        RESULTS if app.lab.selected().is_some() => return open(app),
        LOADS => app.lab.loads.get(app.lab.chosen()).map(runnable_page),
        SETTINGS => app.lab.fields().get(app.lab.field).map(|info| field_page(app, info)),
        _ => None,
    };
    let about = || TextPage::new(pane.title, vec![PageLine::text(pane.about)]);
    app.overlays.push(Overlay::Page(explained.unwrap_or_else(about)));
}

/// A page on a workload or experiment, with the command that prints all of it.
fn runnable_page(load: &Runnable) -> TextPage {
    let (kind, command) = match load.what {
        RunnableKind::Load => ("Workload", "stress"),
        RunnableKind::Experiment => ("Experiment", "experiment"),
    };
    let show = format!("swapadm {command} show {}", shell_quoted(&Name::from(load.name.as_str())));
    let lines = vec![
        PageLine::named("What", safe_text(&load.about)),
        PageLine::named("All of it", safe_text(&show)),
    ];
    let title = format!("{kind}: {}", safe_text(&load.name));
    TextPage { copy: Some(show), ..TextPage::new(title, lines) }
}

/// The value of a setting, its default, and the values that it accepts.
fn field_page(app: &App, info: &FieldInfo) -> TextPage {
    let value = app.lab.form.get(info.field).map_or("not set".to_owned(), safe_text);
    let lines = vec![
        PageLine::named("Value", value),
        PageLine::named("Accepts", info.accepts),
        PageLine::named("If not set", info.unset),
        PageLine::named("Option", format!("{} on the command line", info.option())),
    ];
    TextPage::new(format!("Setting of the run: {}", info.field.word()), lines)
}

/// Opens the line to type the value of a field.
fn ask(app: &mut App) {
    let Some(info) = app.lab.fields().get(app.lab.field) else { return };
    let input = app.lab.form.get(info.field).map(TextInput::with_text).unwrap_or_default();
    let accepts = format!("{}; empty: {}", info.accepts, info.unset);
    let value = ValueInput { input, ..ValueInput::new(PromptKind::Lab(info.field), accepts) };
    app.overlays.push(Overlay::Value(value));
}

/// Opens the line to search a list.
pub(super) fn find(app: &mut App, list: &'static str) {
    let Some(place) = app.shown().pane(list) else { return };
    let title = app.shown().panes.get(place).map_or("", |pane| pane.title);
    app.focus(place);
    let accepts = format!("selects the first row of \"{title}\" that contains the text");
    let value = ValueInput::new(PromptKind::Row(list), accepts);
    app.overlays.push(Overlay::Value(value));
}

/// Selects the first row of a list that contains the text.
pub(super) fn find_row(app: &mut App, list: &str, word: &str) -> Result<(), String> {
    let found = word.trim().is_empty() || app.lab.find_row(list, word);
    if found { Ok(()) } else { Err("no row contains the text; Esc closes".to_owned()) }
}

/// Shows how the selected session would run; it runs after it is confirmed.
pub(super) fn run(app: &mut App) {
    let form = app.lab.form.clone();
    changes::await_plan(app, |number| Effect::PlanSession(number, form));
}

/// Compares the marked results, or the last one of this session with the selected one.
pub(super) fn compare(app: &mut App) {
    app.effects.extend(app.lab.comparable().map(Effect::Compare));
}

//! Updates the state for a message, and returns the effects for the runtime.
//!
//! Each function adds its effects to the queue of the [`App`], which [`update`] empties.

mod changes;
mod commands;
mod dialog;
mod figures;
mod lab;
mod learn;
mod map;
mod menus;
mod overlays;
mod setup;
mod subject;
mod time;
mod what_if;

// The files of this folder import these names from here.
use super::app::{App, SourceKind, Time};
use super::availability::unavailable_reason;
use super::change::ChangeRequest;
use super::command::{self, UiCommand as C};
use super::hit::{self, HitMap};
use super::input::{PromptKind, TextInput, ValueInput};
use super::msg::{Effect, Msg};
use super::overlay::{Menu, MenuChoice, MenuItem, MenuPurpose, Overlay};
use super::page::{PageLine, TextPage};
use super::pane::{PaneState, moved};
use crate::model::name::safe_text;
use crate::model::{Name, Snapshot, Stamp};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};

/// Handles a message; returns the effects, and whether the screen has to be redrawn. `hits` is the hit
/// map of the frame that the person sees.
pub fn update(app: &mut App, msg: Msg, hits: &HitMap) -> (Vec<Effect>, bool) {
    let before = (app.wants, app.interval);
    let subject = app.subject.clone();
    let repaired = learn::repaired_machine(app);
    match msg {
        Msg::Key(event) if event.kind == KeyEventKind::Release => return (vec![], false),
        Msg::Key(event) => key(app, event),
        Msg::Mouse(event) => mouse(app, event, hits),
        Msg::Paste(text) => overlays::paste(app, &text),
        Msg::Resize(size) => {
            app.size = size;
            lab::relayout(app);
            app.emit(Effect::Redraw);
        }
        Msg::Snapshots(snapshots) => take_samples(app, snapshots),
        Msg::SourceEnded(why) => at_source(app, |app| time::source_ended(app, why)),
        Msg::Tick(now) if !time::tick(app, now) => {
            lab::list(app);
            return (std::mem::take(&mut app.effects), false);
        }
        Msg::Tick(_) | Msg::JournalAtStart(Err(_)) => {}

        Msg::Saved(result) => report_file(app, result, ""),
        Msg::ProgressSaved(result) => learn::saved(app, result),
        Msg::Written(result) => {
            let how = |name| format!("{name}; open it with swapadm replay");
            report_file(app, result.map(how), "written to ");
        }
        Msg::TableWritten(result) => report_file(app, result, "table written to "),
        Msg::RecordingBegun(result) => time::recording_begun(app, result),
        Msg::RecordingFailed(why) => {
            app.recording = None;
            app.notify_error(format!("the recording ended: {why}"));
        }
        Msg::Planned(number, result) => changes::planned(app, number, result),
        Msg::SetupProposed(number, request, result) => {
            setup::proposed(app, number, *request, result);
        }
        Msg::Progress(progress) => {
            if let Some(job) = &mut app.change.job {
                job.progress = Some(progress);
            }
        }
        Msg::Changed(ended) => {
            changes::changed(app, &ended);
            learn::judge(app);
        }
        Msg::Simulating(number, share) => what_if::progress(app, number, share),
        Msg::Simulated(number, answer) => what_if::answered(app, number, answer),
        Msg::JournalRead(past) => changes::journal(app, past),
        Msg::JournalAtStart(Ok(past)) => changes::report_interrupted(app, &past),
        about_lab => lab::handle(app, about_lab),
    }
    lab::requests(app);
    keep_in_span(app);
    app.refresh();
    let after = (app.wants, app.interval);
    let is_sampled =
        app.is_live() || (app.source.kind == SourceKind::Simulated && app.learn.player.is_none());
    if is_sampled && before != after {
        app.emit(Effect::SetWants(after.0, after.1));
    }
    if learn::repaired_machine(app) != repaired {
        learn::change_machine(app);
    }
    if app.subject != subject {
        app.emit(Effect::ReadSubject(app.subject.clone()));
    }
    (std::mem::take(&mut app.effects), true)
}

fn take_samples(app: &mut App, snapshots: Vec<Snapshot>) {
    at_source(app, |app| time::push(app, snapshots));
    menus::refresh_palette(app);
}

/// Handles what comes from the source, which is not on screen while a lesson is played.
fn at_source(app: &mut App, handle: impl FnOnce(&mut App)) {
    let is_lesson = app.swap_source();
    handle(app);
    if is_lesson {
        app.swap_source();
    }
}

/// Shows the oldest sample instead of one that was removed from the history.
fn keep_in_span(app: &mut App) {
    let Some(shown) = app.moment_number() else { return };
    match &mut app.source.time {
        Time::Paused(moment) | Time::Playing { moment, .. } => *moment = shown,
        Time::Newest => {}
    }
}

fn report_file(app: &mut App, result: Result<String, String>, what: &str) {
    match result {
        Ok(name) => app.notify(format!("{what}{name}")),
        Err(why) => app.notify_error(why),
    }
}

fn key(app: &mut App, event: KeyEvent) {
    changes::touch(app);
    app.notice = None;
    if !app.overlays.is_empty() {
        let next = overlays::key(app, event);
        if let Some(command) = next {
            run(app, command);
        }
    } else if learn::key(app, event) {
    } else if let Some(command) = command::for_key(event) {
        run(app, command);
    } else {
        app.notify_unbound_key(event, "? lists the keys");
    }
}

/// Runs a command, or shows why it is unavailable.
fn run(app: &mut App, command: C) {
    match unavailable_reason(app, command) {
        None => commands::run(app, command),
        Some(why) if command == C::Filter => commands::filter_nothing(app, why),
        Some(why) => app.notify(why),
    }
}

fn mouse(app: &mut App, event: MouseEvent, hits: &HitMap) {
    let is_typing = matches!(app.overlays.last(), Some(Overlay::Filter(_) | Overlay::Value(_)));
    let target = hits.find(event.column, event.row).filter(|_| !is_typing);
    let target = target.filter(|_| hits.is_current(app.clickable()));
    match event.kind {
        MouseEventKind::ScrollUp => wheel(app, target, C::Up),
        MouseEventKind::ScrollDown => wheel(app, target, C::Down),
        MouseEventKind::Down(MouseButton::Left) => {
            app.notice = None;
            if let Some(target) = target {
                hit(app, target);
            }
        }
        _ => {}
    }
}

/// Scrolls three rows of the pane under the mouse.
fn wheel(app: &mut App, target: Option<hit::HitTarget>, command: C) {
    if let Some(pane) = target.and_then(hit::HitTarget::pane) {
        app.focus(pane);
    }
    for _ in 0..3 {
        if app.overlays.is_empty() {
            run(app, command);
        } else {
            overlays::scroll(app, command);
        }
        app.refresh();
    }
}

fn hit(app: &mut App, target: hit::HitTarget) {
    match target {
        hit::HitTarget::Command(command) => {
            let asks = app.overlays.iter().any(|overlay| matches!(overlay, Overlay::Simulation(_)));
            app.overlays.clear();
            run(app, command);
            app.effects.extend(asks.then_some(Effect::StopSimulation));
        }
        hit::HitTarget::Item(item) => {
            if let Some(Overlay::Setup(page)) = app.overlays.last_mut() {
                page.selected = item;
            } else if let Some(command) = overlays::choose(app, item) {
                run(app, command);
            }
        }
        hit::HitTarget::Answer(place) => overlays::answer(app, place),
        hit::HitTarget::Option(key) => dialog::option(app, key),
        hit::HitTarget::Overlay => {}
        // A click beside a question answers nothing.
        hit::HitTarget::Outside if matches!(app.overlays.last(), Some(Overlay::Question(_))) => {}
        hit::HitTarget::Outside if matches!(app.overlays.last(), Some(Overlay::Simulation(_))) => {
            app.overlays.pop();
            app.emit(Effect::StopSimulation);
        }
        hit::HitTarget::Outside => drop(app.overlays.pop()),
        hit::HitTarget::Pane(pane, part) => pane_part(app, pane, part),
    }
}

fn pane_part(app: &mut App, pane: usize, part: hit::PanePart) {
    let had_focus = app.state().is_some_and(|state| state.focus == pane);
    app.focus(pane);
    match part {
        hit::PanePart::Rest => {}
        hit::PanePart::Cell { row, column } => cell(app, row, column),
        hit::PanePart::Figure(place) => figure(app, place),
        // A second click on a cell explains it.
        hit::PanePart::MapCell(cell) => {
            if map::point_at(app, cell) && had_focus {
                run(app, C::Open);
            }
        }
        hit::PanePart::Heading(column) => commands::sort_by(app, column),
        hit::PanePart::Sheet(sheet) => {
            if let Some(pane) = app.pane_mut() {
                pane.sheet = sheet;
            }
        }
    }
}

/// Selects a cell; a second click on it opens its row.
fn cell(app: &mut App, row: usize, column: usize) {
    let same = app.sheet().is_some_and(|sheet| sheet.row == row && sheet.column() == column);
    if let Some(sheet) = app.sheet_mut() {
        sheet.select(row);
        sheet.chosen = Some(column);
    }
    if same {
        run(app, C::Open);
    }
}

/// Selects a figure; a second click on it explains it.
fn figure(app: &mut App, figure: usize) {
    let same = app.pane().is_some_and(|pane| pane.figure == figure);
    if let Some(pane) = app.pane_mut() {
        pane.figure = figure;
    }
    if same {
        run(app, C::Open);
    }
}

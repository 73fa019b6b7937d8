//! What follows from what happens: a new state, and effects for the runtime.

mod changes;
mod commands;
mod dialog;
mod figures;
mod lab;
mod map;
mod menus;
mod overlays;
mod time;

use super::app::{App, Notice, Time, Tone};
use super::availability::{Availability, availability};
use super::command::{self, Command};
use super::hit::{self, HitMap};
use super::msg::{Effect, Msg, Next};
use super::overlay::Overlay;
use ratatui::crossterm::event::{KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};

/// Take a message in; says what is to be done, and whether the screen is another one now. `hits`
/// says what stands where on the screen that the person sees.
pub fn update(app: &mut App, msg: Msg, hits: &HitMap) -> (Vec<Effect>, bool) {
    let before = (app.wants, app.interval);
    let mut effects = match msg {
        Msg::Key(event) if event.kind == KeyEventKind::Release => return (vec![], false),
        Msg::Key(event) => key(app, event),
        Msg::Mouse(event) => mouse(app, event, hits),
        Msg::Paste(text) => overlays::paste(app, &text),
        Msg::Resize(size) => {
            app.size = size;
            lab::lay_anew(app);
            vec![Effect::Redraw]
        }
        Msg::Snapshots(snapshots) => time::push(app, snapshots),
        Msg::Ended(why) => time::ended(app, why),
        Msg::Tick(now) => match time::tick(app, now) {
            Some(effects) => effects,
            None => return (lab::list(app).into_iter().collect(), false),
        },
        Msg::Saved(result) => told(app, result, "settings are kept in "),
        Msg::Written(result) => {
            let how = |name| format!("{name}; swapadm replay opens it");
            told(app, result.map(how), "written to ")
        }
        Msg::RecordingBegun(result) => time::recording_begun(app, result),
        Msg::RecordingFailed(why) => {
            app.recording = None;
            app.complain(format!("the recording ended: {why}"));
            vec![]
        }
        Msg::Planned(number, result) => {
            changes::planned(app, number, result);
            vec![]
        }
        Msg::Progress(progress) => {
            if let Some(job) = &mut app.change.job {
                job.progress = Some(progress);
            }
            vec![]
        }
        Msg::Changed(ended) => changes::changed(app, &ended),
        Msg::Past(past) => {
            changes::journal(app, past);
            vec![]
        }
        Msg::PastAtStart(past) => {
            changes::found(app, &past);
            vec![]
        }
        Msg::Prepared(..)
        | Msg::RunProgress(_)
        | Msg::Begins(_)
        | Msg::Ran(_)
        | Msg::Results(_)
        | Msg::Result(_)
        | Msg::Comparable(..)
        | Msg::Compared(_) => lab::hear(app, msg),
    };
    effects.extend(lab::asks(app));
    keep_in_span(app);
    app.settle();
    let after = (app.wants, app.interval);
    if app.is_live() && before != after {
        effects.push(Effect::Want(after.0, after.1));
    }
    (effects, true)
}

/// A moment that was pushed out of the history gives way to the oldest that is left.
fn keep_in_span(app: &mut App) {
    let Some(shown) = app.moment_number() else { return };
    match &mut app.time {
        Time::Held(moment) | Time::Playing { moment, .. } => *moment = shown,
        Time::Newest => {}
    }
}

fn told(app: &mut App, result: Result<String, String>, what: &str) -> Vec<Effect> {
    match result {
        Ok(name) => app.say(format!("{what}{name}")),
        Err(why) => app.complain(why),
    }
    vec![]
}

fn key(app: &mut App, event: KeyEvent) -> Vec<Effect> {
    changes::touch(app);
    let before = app.notice.take();
    let effects = if !app.overlays.is_empty() {
        let next = overlays::key(app, event);
        follow(app, next)
    } else if let Some(command) = command::of_key(event) {
        run(app, command)
    } else {
        app.means_nothing(event, "? lists the keys");
        vec![]
    };
    // A hint that stands there already is enough for whatever else means nothing.
    let is_hint = |notice: &Notice| notice.tone == Tone::Hint;
    if app.notice.as_ref().is_some_and(is_hint) && before.as_ref().is_some_and(is_hint) {
        app.notice = before;
    }
    effects
}

/// Applies the result of a key in an overlay.
fn follow(app: &mut App, next: Next) -> Vec<Effect> {
    match next {
        Next::Effects(effects) => effects,
        Next::Run(command) => run(app, command),
    }
}

/// Run a command, or say why it cannot be run.
fn run(app: &mut App, command: Command) -> Vec<Effect> {
    match availability(command, app) {
        Availability::On => commands::run(app, command),
        Availability::Off(why) => {
            match command {
                Command::Filter => commands::filter_nothing(app, why.into_owned()),
                _ => app.say(why),
            }
            vec![]
        }
    }
}

fn mouse(app: &mut App, event: MouseEvent, hits: &HitMap) -> Vec<Effect> {
    let target = hits.find(event.column, event.row).filter(|_| !is_typing(app));
    let target = target.filter(|_| hits.holds(app.overlays.len()));
    match event.kind {
        MouseEventKind::ScrollUp => wheel(app, target, Command::Up),
        MouseEventKind::ScrollDown => wheel(app, target, Command::Down),
        MouseEventKind::Down(MouseButton::Left) => {
            app.notice = None;
            target.map_or_else(Vec::new, |target| hit(app, target))
        }
        _ => vec![],
    }
}

/// Is a line being typed? A click must not turn to another pane than the one it is for.
fn is_typing(app: &App) -> bool {
    matches!(app.overlays.last(), Some(Overlay::Filter(_) | Overlay::Value(_)))
}

/// Three rows of the pane that is pointed at, as other programs do.
fn wheel(app: &mut App, target: Option<hit::Target>, command: Command) -> Vec<Effect> {
    if let Some(pane) = target.and_then(hit::Target::pane) {
        app.focus(pane);
    }
    for _ in 0..3 {
        if app.overlays.is_empty() {
            run(app, command);
        } else {
            overlays::scroll(app, command);
        }
        app.settle();
    }
    vec![]
}

fn hit(app: &mut App, target: hit::Target) -> Vec<Effect> {
    match target {
        hit::Target::Command(command) => {
            app.overlays.clear();
            return run(app, command);
        }
        hit::Target::Item(item) => {
            let next = overlays::choose(app, item);
            return follow(app, next);
        }
        hit::Target::Answer(place) => return overlays::answer(app, place),
        hit::Target::Option(key) => return dialog::option(app, key),
        hit::Target::Overlay => {}
        // Such a click is none of the answers.
        hit::Target::Beside if matches!(app.overlays.last(), Some(Overlay::Question(_))) => {}
        hit::Target::Beside => drop(app.overlays.pop()),
        hit::Target::Pane(pane) => app.focus(pane),
        hit::Target::Cell { pane, row, column } => return cell(app, pane, row, column),
        hit::Target::Figure { pane, figure: place } => return figure(app, pane, place),
        hit::Target::Spot { pane, cell } => return spot(app, pane, cell),
        hit::Target::Heading { pane, column } => {
            app.focus(pane);
            commands::sort_by(app, column);
        }
        hit::Target::Sheet { pane, sheet } => {
            app.focus(pane);
            if let Some(pane) = app.pane_mut() {
                pane.sheet = sheet;
            }
        }
    }
    vec![]
}

/// Select a cell; a second click on it opens its row.
fn cell(app: &mut App, pane: usize, row: usize, column: usize) -> Vec<Effect> {
    app.focus(pane);
    let same = app.sheet().is_some_and(|sheet| sheet.row == row && sheet.column() == column);
    if let Some(sheet) = app.sheet_mut() {
        sheet.select(row);
        sheet.chosen = Some(column);
    }
    if same { run(app, Command::Open) } else { vec![] }
}

/// Go to a cell of the map; a second click on it tells all of it.
fn spot(app: &mut App, pane: usize, cell: usize) -> Vec<Effect> {
    let had_focus = app.state().is_some_and(|state| state.focus == pane);
    app.focus(pane);
    if map::point_at(app, cell) && had_focus { run(app, Command::Open) } else { vec![] }
}

/// Select a figure; a second click on it explains it.
fn figure(app: &mut App, pane: usize, figure: usize) -> Vec<Effect> {
    app.focus(pane);
    let same = app.pane().is_some_and(|pane| pane.figure == figure);
    if let Some(pane) = app.pane_mut() {
        pane.figure = figure;
    }
    if same { run(app, Command::Open) } else { vec![] }
}

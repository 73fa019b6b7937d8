//! The lines above and below the panes.

use super::Pen;
use crate::columns::units;
use crate::model::civil;
use crate::ui::app::{App, Kind, Time};
use crate::ui::command::{self, Availability, COMMANDS, Command};
use crate::ui::hit::Target;
use crate::ui::judge;
use crate::ui::layout::Class;
use crate::ui::overlay::Overlay;
use crate::ui::screen::Screen;
use crate::ui::screens::SCREENS;
use crate::ui::theme::Role;
use ratatui::layout::Rect;

/// The first lines: who and when, and the screens; totals where there is no room for those.
pub(super) fn head(app: &App, class: Class, pen: &mut Pen<'_>) {
    let area = app.plan.head;
    match class {
        Class::Tiny | Class::Minimal => totals(app, Rect { height: 1, ..area }, pen),
        Class::Compact => {
            totals(app, Rect { height: 1, ..area }, pen);
            screens(app, Rect { y: area.y + 1, height: 1, ..area }, pen);
        }
        Class::Normal | Class::Wide => {
            title(app, Rect { height: 1, ..area }, pen);
            screens(app, Rect { y: area.y + 1, height: 1, ..area }, pen);
        }
    }
}

/// Who, which kernel, which moment; how it is, and when.
fn title(app: &App, area: Rect, pen: &mut Pen<'_>) {
    let word = |table: &str, column: &str| {
        app.title.rows(table).map_or_else(String::new, |rows| rows.text(0, column))
    };
    let clock = clock(app);
    let right = area.right().saturating_sub(1);
    let mut left_end = pen.write_right((right, area.y), &clock, Role::Text);
    if let Some((words, role)) = state(app) {
        left_end = pen.write_right((left_end.saturating_sub(2), area.y), &words, role);
    }
    let mut parts = vec![
        ("swapadm".to_owned(), Role::Accent),
        (word("kernel", "hostname"), Role::Text),
        (word("kernel", "release"), Role::Label),
        mode(app),
        ("RO".to_owned(), Role::Label),
    ];
    if app.recording.is_some() {
        parts.push(("REC".to_owned(), Role::Crit));
    }
    parts.push((app.source.clone(), Role::Label));
    let mut x = area.x + 1;
    for (words, role) in parts.into_iter().filter(|(words, _)| !words.is_empty()) {
        let room = left_end.saturating_sub(x + 1);
        // What does not fit is left out whole: half a name would be another name.
        if super::width(&words) > room {
            continue;
        }
        x += pen.write((x, area.y), &words, role, room) + 2;
    }
}

/// Live, held, played: and how often.
fn mode(app: &App) -> (String, Role) {
    let every = units::seconds(app.interval.as_secs_f64());
    match (app.kind, app.time) {
        (Kind::Captured, _) => ("captured".to_owned(), Role::Accent),
        (Kind::Live, Time::Newest) => match app.stale() {
            Some(age) => (format!("~ {} old", units::seconds(age.as_secs_f64())), Role::Warn),
            None => (format!("live {every}"), Role::Ok),
        },
        (Kind::Recording, Time::Playing { .. }) => (format!("play {every}"), Role::Ok),
        (Kind::Live | Kind::Recording, _) => (format!("HELD {}", behind(app)), Role::Warn),
    }
}

/// How far the moment on screen lies behind the newest.
fn behind(app: &App) -> String {
    let moments = app.moment().zip(app.history.newest());
    let seconds = moments.map(|(shown, newest)| newest.now.stamp.seconds_since(shown.now.stamp));
    match seconds {
        Some(seconds) if seconds >= 0.5 => format!("-{}", units::seconds(seconds.round())),
        _ => "now".to_owned(),
    }
}

/// The time of the moment on screen, UTC.
fn clock(app: &App) -> String {
    let stamp = app.moment().map_or(app.now, |moment| moment.now.stamp);
    if stamp.wall_ms == 0 {
        return String::new();
    }
    let text = civil::text(stamp.wall_ms);
    let seconds = text.split('.').next().unwrap_or_default();
    match (app.kind, seconds.split_once(['T', ' '])) {
        (Kind::Live, Some((_, time))) => format!("{time}Z"),
        _ => format!("{seconds}Z"),
    }
}

/// One word for how it is.
fn state(app: &App) -> Option<(String, Role)> {
    let words = app.title.rows("status")?.text(0, "state");
    let role = judge::state(&words);
    let mark = judge::mark(role);
    let blank = if mark.is_empty() { "" } else { " " };
    (words != "-").then(|| (format!("{mark}{blank}{words}"), role))
}

fn screens(app: &App, area: Rect, pen: &mut Pen<'_>) {
    let mut x = area.x + 1;
    let listed = |(place, screen): &(usize, &&Screen)| {
        !app.settings.hidden.iter().any(|hidden| hidden == screen.id) || *place == app.screen
    };
    let names = SCREENS.iter().enumerate().filter(listed);
    let all: u16 = names.clone().map(|(_, screen)| super::width(screen.name) + 4).sum();
    // Where the names do not fit, the numbers are there still.
    let short = all + 1 > area.width;
    for (place, screen) in names {
        let shown = place == app.screen;
        let words = match (shown, short) {
            (true, _) => format!("[{} {}]", screen.number, screen.name),
            (false, false) => format!(" {} {} ", screen.number, screen.name),
            (false, true) => format!(" {} ", screen.number),
        };
        let role = if shown { Role::Accent } else { Role::Label };
        let width = super::width(&words);
        pen.write((x, area.y), &words, role, width);
        let target = Target::Command(Command::Screen(place));
        pen.hits.add(Rect { x, width, ..area }, target);
        x += width;
    }
}

/// All in one line, for small terminals.
fn totals(app: &App, area: Rect, pen: &mut Pen<'_>) {
    let mut x = area.x;
    for (words, role) in totals_parts(app) {
        let width = super::width(&words);
        if x + width > area.right() {
            break;
        }
        x += pen.write((x, area.y), &words, role, width) + 2;
    }
}

fn totals_parts(app: &App) -> Vec<(String, Role)> {
    let Some(rows) = app.title.rows("status") else {
        return vec![("reading the machine".to_owned(), Role::Faint)];
    };
    let figure = |head: &str, column: &str| {
        let info = rows.place(column).and_then(|place| rows.infos.get(place));
        let value = rows.value(0, column);
        let role = info.zip(value).map_or(Role::Text, |(info, value)| {
            judge::role("status", info, value, &app.settings.policy)
        });
        let mark = judge::mark(role);
        (format!("{head} {}{mark}", rows.text(0, column)), role)
    };
    let mut parts = Vec::from_iter(state(app));
    parts.extend([
        figure("swap", "use"),
        figure("in", "in_rate"),
        figure("out", "out_rate"),
        figure("waits", "memory_some"),
        figure("avail", "mem_available"),
    ]);
    if app.time != Time::Newest || app.stale().is_some() {
        parts.insert(0, mode(app));
    }
    parts
}

/// A terminal that is too small: the totals stay true, and the size that is needed.
pub(super) fn tiny(app: &App, pen: &mut Pen<'_>) {
    let area = Rect::new(0, 0, app.size.width, app.size.height);
    totals(app, Rect { height: area.height.min(1), ..area }, pen);
    if area.height > 1 {
        pen.write((area.x, 1), "needs 30x6, q quits", Role::Faint, area.width);
    }
}

/// The last line: a notice, a line to type in, or hints.
pub(super) fn foot(app: &App, pen: &mut Pen<'_>) {
    let area = app.plan.foot;
    if area.height == 0 {
        return;
    }
    match app.overlays.last() {
        Some(Overlay::Filter(filter)) => {
            super::overlay::input(" filter ", &filter.input, filter.error.as_deref(), area, pen);
        }
        Some(Overlay::Value(value)) => {
            let hint = value.error.as_deref().or(Some(value.accepts.as_str()));
            super::overlay::input(&format!(" {} ", value.key), &value.input, hint, area, pen);
        }
        _ => match &app.notice {
            Some(notice) => {
                let role = if notice.bad { Role::Crit } else { Role::Text };
                let mark = if notice.bad { "!! " } else { "" };
                let words = format!(" {mark}{}", notice.text);
                let words = crate::ui::content::clip(&words, usize::from(area.width), &pen.look);
                pen.write((area.x, area.y), &words, role, area.width);
            }
            None => hints(app, area, pen),
        },
    }
}

fn hints(app: &App, area: Rect, pen: &mut Pen<'_>) {
    let mut x = area.x + 1;
    for info in COMMANDS {
        let (Some(word), Some(key)) = (info.foot, info.keys.first()) else { continue };
        if command::availability(info.command, app) != Availability::On {
            continue;
        }
        let key = key.words();
        let width = super::width(&key) + 1 + super::width(word);
        if x + width > area.right() {
            break;
        }
        let here = Rect { x, width, height: 1, ..area };
        x += pen.write((x, area.y), &key, Role::Accent, area.width) + 1;
        x += pen.write((x, area.y), word, Role::Label, area.width) + 2;
        pen.hits.add(here, Target::Command(info.command));
    }
}

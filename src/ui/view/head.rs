//! The lines above the panes.

use super::pen::fitting;
use super::{
    App, HitTarget, Pen, Rect, Role, SourceKind, TextPart, UiCommand, safe_text, units, width,
};
use crate::columns::{ColumnId, Rows};
use crate::model::subject::DetailTarget;
use crate::model::text;
use crate::ui::app::Time;
use crate::ui::content::clip_name;
use crate::ui::layout::Class;
use crate::ui::screen::Screen;
use crate::ui::screens::SCREENS;
use crate::ui::table_query::ids::{kernel, status};
use crate::ui::thresholds;

/// The first lines: host, state and time, and the screens; totals on small terminals.
pub(super) fn head(app: &App, class: Class, pen: &mut Pen<'_>) {
    let area = app.layout.head;
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

/// The host, its kernel, the position in time, the mode, the state of swap, and the clock.
fn title(app: &App, area: Rect, pen: &mut Pen<'_>) {
    let word = |column: ColumnId| {
        let rows = app.title.rows(column.table);
        // A capture may lack the name of its host.
        let known = |rows: &&Rows| rows.value(0, column).is_none_or(|it| it.missing().is_none());
        rows.filter(known).map_or_else(String::new, |rows| rows.text(0, column))
    };
    let clock = clock(app);
    let right = area.right().saturating_sub(1);
    let mut left_end = pen.write_right((right, area.y), &clock, Role::Text);
    if let Some((words, role)) = state(app) {
        left_end = pen.write_right((left_end.saturating_sub(2), area.y), &words, role);
    }
    let is_simulated = app.source.kind == SourceKind::Simulated;
    let host = match word(kernel::HOSTNAME) {
        unknown if unknown == "-" => TextPart::new("unknown host", Role::Label),
        // Before the first sample.
        host if host.is_empty() && is_simulated => TextPart::new("SIMULATED", Role::Text),
        host => TextPart::new(host, Role::Text),
    };
    // The host name of a simulated machine says that it is one, so it always stays.
    let host = if is_simulated { host } else { host.drops(6) };
    let mut parts = vec![TextPart::new("swapadm", Role::Accent).drops(9)];
    parts.extend((!host.words.is_empty()).then_some(host));
    parts.push(TextPart::new(word(kernel::RELEASE), Role::Label).drops(10));
    parts.extend(moment_parts(app));
    parts.push(write_mode(app, false));
    if app.recording.is_some() {
        parts.push(TextPart::new("REC", Role::Crit));
    }
    // A simulated machine has its name as the name of the host.
    if !is_simulated {
        parts.push(TextPart::new(safe_text(file_name(&app.source.name)), Role::Label).drops(8));
    }
    let first = Rect { x: area.x + 1, width: left_end.saturating_sub(area.x + 2), ..area };
    beside(parts, first, pen);
}

/// The mode: read-only or write mode, abbreviated where room is short.
fn write_mode(app: &App, short: bool) -> TextPart {
    if app.change.write_until.is_some() {
        TextPart::new(if short { "RW" } else { "write mode" }, Role::Warn)
    } else {
        TextPart::new(if short { "RO" } else { "read-only" }, Role::Label)
    }
}

/// The last component of a path: enough to recognise a recording.
fn file_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// Writes parts side by side, as many as fit.
fn beside(parts: Vec<TextPart>, area: Rect, pen: &mut Pen<'_>) {
    const GAP: u16 = 2;
    let mut x = area.x;
    for part in fitting(parts, GAP, area.width) {
        let room = area.right().saturating_sub(x);
        x += pen.write((x, area.y), &part.words, part.role, room) + GAP;
    }
}

/// The time of the sample on screen, in UTC.
fn clock(app: &App) -> String {
    let stamp = app.moment().map_or(app.now, |moment| moment.now.stamp);
    if !stamp.has_date() {
        return String::new();
    }
    if app.source.kind == SourceKind::Live {
        return text::format_time_of_day(stamp.wall_ms);
    }
    units::date_to_second(stamp.wall_ms)
}

/// The state of swap, in a word.
fn state(app: &App) -> Option<(String, Role)> {
    let words = app.title.first_words(status::STATE);
    let role = thresholds::state(&words, &app.title.first_words(status::SEVERITY));
    let mark = thresholds::mark(role);
    let blank = if mark.is_empty() { "" } else { " " };
    (words != "-").then(|| (format!("{mark}{blank}{words}"), role))
}

/// Cells for the name of a page.
const PAGE_NAME: u16 = 20;

fn subject_words(subject: &DetailTarget) -> String {
    match subject {
        DetailTarget::Process(pid) => format!("process {pid}"),
        DetailTarget::Cgroup(path) => format!("cgroup {}", path.safe()),
    }
}

fn screens(app: &App, area: Rect, pen: &mut Pen<'_>) {
    let mut x = area.x + 1;
    let listed = |(place, screen): &(usize, &&Screen)| {
        !app.settings.hidden.iter().any(|hidden| hidden == screen.id) || *place == app.screen
    };
    let names = SCREENS.iter().enumerate().filter(listed);
    let names_width: u16 = names.clone().map(|(_, screen)| width(screen.name)).sum();
    let page = app.subject.as_ref().map_or(0, |it| width(&subject_words(it)).min(PAGE_NAME) + 2);
    let count = u16::try_from(names.clone().count()).unwrap_or(u16::MAX);
    // Names need four cells more, or three where room is short. Where they do not fit, the numbers remain.
    let is_loose = names_width + count * 4 + page < area.width;
    let short = names_width + count * 3 + 2 + page > area.width;
    for (place, screen) in names {
        // The machine of a lesson has the number of the screen of lessons.
        let shown = place == app.screen || screen.number == app.shown().number;
        let words = match (shown, short) {
            (true, _) => format!("[{} {}]", screen.number, screen.name),
            (false, false) if is_loose => format!(" {} {} ", screen.number, screen.name),
            (false, false) => format!(" {} {}", screen.number, screen.name),
            (false, true) => format!(" {} ", screen.number),
        };
        let role = if shown { Role::Accent } else { Role::Label };
        let width = width(&words);
        pen.write((x, area.y), &words, role, width);
        let target = HitTarget::Command(UiCommand::Screen(place));
        pen.hits.add(Rect { x, width, ..area }, target);
        x += width;
    }
    if let Some(subject) = &app.subject {
        let words = format!("[{}]", subject_words(subject));
        let room = usize::from(area.right().saturating_sub(x));
        pen.write((x, area.y), &clip_name(&words, room, &pen.look), Role::Accent, area.width);
    }
}

/// The totals in one line, for small terminals.
fn totals(app: &App, area: Rect, pen: &mut Pen<'_>) {
    beside(totals_parts(app), area, pen);
}

fn totals_parts(app: &App) -> Vec<TextPart> {
    let Some(rows) = app.title.rows(status::STATE.table) else {
        return vec![write_mode(app, true), TextPart::new("reading the machine", Role::Faint)];
    };
    let figure = |head: &str, column: ColumnId| {
        let info = rows.place(column.id).and_then(|place| rows.infos.get(place));
        let value = rows.value(0, column);
        let role =
            info.zip(value).map_or(Role::Text, |(info, value)| app.role(column.table, info, value));
        let mark = thresholds::mark(role);
        let text =
            info.zip(value).map_or_else(|| "?".to_owned(), |(info, it)| it.on_screen(info.unit));
        TextPart::new(format!("{head} {text}{mark}"), role)
    };
    // Another sample than the newest must be obvious at once.
    let moved = app.source.time != Time::Newest || app.stale().is_some();
    let mut parts = if moved { moment_parts(app) } else { vec![] };
    parts.extend(is_simulated(app).then(|| TextPart::new("SIMULATED", Role::Label)));
    parts.extend(state(app).map(|(words, role)| TextPart::new(words, role)));
    // Recordings and captured trees are always read-only.
    parts.extend(app.is_writable().then(|| write_mode(app, true)));
    parts.extend([
        figure("swap", status::USE).drops(3),
        figure("in", status::IN_RATE).drops(4),
        figure("out", status::OUT_RATE).drops(6),
        figure("PSI", status::MEMORY_SOME).drops(8),
        figure("avail", status::MEM_AVAILABLE).drops(9),
    ]);
    parts
}

/// Whether the shown machine is simulated: the source, or the machine of a lesson or of a recording.
fn is_simulated(app: &App) -> bool {
    app.source.kind == SourceKind::Simulated
        || app.moment().is_some_and(|moment| moment.now.simulated.is_some())
}

/// A terminal that is too small: the totals, and the size that is needed.
pub(super) fn tiny(app: &App, pen: &mut Pen<'_>) {
    let area = Rect::new(0, 0, app.size.width, app.size.height);
    totals(app, Rect { height: area.height.min(1), ..area }, pen);
    if area.height > 1 && app.layout.job.height == 0 {
        pen.write((area.x, 1), "needs 30x6, q quits", Role::Faint, area.width);
    }
}

/// The position in time is dropped late, because it says what the figures are about.
const PLACE: u8 = 2;
/// The key that continues: the last line names it too.
const KEY: u8 = 3;
/// The interval.
const PACE: u8 = 5;
/// The interval of a paused recording.
const IDLE_PACE: u8 = 7;

/// The position in time: live, paused or played, and how to continue; the first part always stays.
fn moment_parts(app: &App) -> Vec<TextPart> {
    match (app.source.kind, app.source.time) {
        (SourceKind::Captured, _) => vec![TextPart::new("captured", Role::Accent)],
        (SourceKind::Simulated, Time::Newest) => {
            vec![pace(app)]
        }
        (SourceKind::Live, Time::Newest) => vec![live(app)],
        (SourceKind::Live | SourceKind::Simulated, Time::Paused(_) | Time::Playing { .. }) => {
            paused(app)
        }
        (SourceKind::Recording, Time::Paused(_)) => stopped(app),
        (SourceKind::Recording, Time::Newest | Time::Playing { .. }) => {
            vec![TextPart::new("REPLAY", Role::Ok), place(app), pace(app)]
        }
    }
}

fn live(app: &App) -> TextPart {
    match app.stale() {
        Some(age) => {
            TextPart::new(format!("~ {} old", units::seconds(age.as_secs_f64())), Role::Warn)
        }
        None => {
            TextPart::new(format!("live {}", units::seconds(app.interval.as_secs_f64())), Role::Ok)
        }
    }
}

/// A paused sample of a live machine.
fn paused(app: &App) -> Vec<TextPart> {
    let moments = app.moment().zip(app.source.history.newest());
    let seconds = moments.map(|(shown, newest)| newest.now.stamp.seconds_since(shown.now.stamp));
    let behind = match seconds {
        Some(seconds) if seconds >= 0.5 => format!("{} behind", units::seconds(seconds.round())),
        _ => String::new(),
    };
    vec![
        TextPart::new("PAUSED", Role::Warn),
        TextPart::new(behind, Role::Warn).drops(PLACE),
        TextPart::new(if app.is_live() { "Z goes live" } else { "Z continues" }, Role::Label)
            .drops(KEY),
    ]
}

/// A paused recording.
fn stopped(app: &App) -> Vec<TextPart> {
    let (word, key) =
        if app.is_at_end() { ("REPLAY END", "B back") } else { ("REPLAY PAUSED", "Z plays") };
    let key = TextPart::new(key, Role::Label).drops(KEY);
    // The host matters more than the interval of a paused recording.
    vec![TextPart::new(word, Role::Warn), place(app), key, pace(app).drops(IDLE_PACE)]
}

/// The number of the sample among those read so far.
fn place(app: &App) -> TextPart {
    let numbers = app.moment_number().zip(app.source.history.span());
    let words = numbers.map_or_else(String::new, |(moment, (_, last))| {
        let more = if app.source.ended { "" } else { "+" };
        format!("{} of {}{more}", moment + 1, last + 1)
    });
    TextPart::new(words, Role::Text).drops(PLACE)
}

fn pace(app: &App) -> TextPart {
    let every = format!("every {}", units::seconds(app.interval.as_secs_f64()));
    TextPart::new(every, Role::Label).drops(PACE)
}

//! Running commands: moving, sorting, filtering and choosing.

use super::{
    App, C, Effect, Overlay, PaneState, TextInput, changes, figures, lab, learn, map, menus, moved,
    setup, subject, time,
};
use crate::change::Intent;
use crate::change::setup::SetupRequest;
use crate::columns::{Request, Unit};
use crate::ui::overlay::FilterInput;
use crate::ui::pane::cycle_index;
use crate::ui::screens::{SCREENS, machine};
use crate::ui::subject::selected_cgroup;
use crate::ui::table_state::TableState;
use std::time::Duration;

/// Runs an available command.
pub(super) fn run(app: &mut App, command: C) {
    match command {
        C::Quit => changes::quit(app),
        C::Suspend => app.emit(Effect::Suspend),
        C::Redraw => app.emit(Effect::Redraw),
        C::SampleNow => app.emit(Effect::SampleNow),
        C::Copy => figures::copy(app),
        C::Undo => changes::plan(app, Intent::Undo(None)),
        C::Journal => app.emit(Effect::ReadJournal),
        C::SetUp => {
            let request = SetupRequest { sample: true, ..SetupRequest::default() };
            setup::propose(app, request);
        }
        C::RunLoad => lab::run(app),
        C::Compare => lab::compare(app),
        C::Actions => changes::actions(app),
        C::WriteMode => changes::enable_writing(app),
        C::Job => app.overlays.push(Overlay::Job),
        C::Mouse => mouse(app),
        C::Record => time::record(app),
        C::WriteMoment => time::write_moment(app),
        C::Earlier => time::step(app, 1, true),
        C::MuchEarlier => time::step(app, time::LARGE_STEP, true),
        C::Later => time::step(app, 1, false),
        C::MuchLater => time::step(app, time::LARGE_STEP, false),
        C::Pause => time::pause(app),
        C::Faster => app.set_interval(interval(app.interval, true)),
        C::Slower => app.set_interval(interval(app.interval, false)),
        C::Screen(place) => show_screen(app, place),
        C::Cgroup => open_cgroup(app),
        C::NextPane => turn_focus(app, 1),
        C::PreviousPane => turn_focus(app, -1),
        C::NextSheet if app.is_on_map() => map::turn_area(app, 1),
        C::PreviousSheet if app.is_on_map() => map::turn_area(app, -1),
        C::NextSheet => turn_sheet(app, 1),
        C::PreviousSheet => turn_sheet(app, -1),
        C::Closer => map::zoom(app, true),
        C::Farther => map::zoom(app, false),
        C::Metric => map::turn_metric(app),
        C::Explain | C::Open if app.is_on_map() => map::explain(app),
        C::Explain if app.shows_lab() => lab::explain(app),
        C::Explain => figures::explain(app),
        C::Describe => figures::describe(app),
        C::Open if app.shows_lab() => lab::open(app),
        C::Open if app.shows_learn() => learn::begin(app, app.learn.selected),
        C::Open => figures::open(app),
        C::Palette => menus::palette(app),
        C::Settings => menus::settings(app),
        C::Columns => menus::columns(app),
        C::Export => menus::export(app),
        C::SortMenu => menus::sort(app),
        C::Help => menus::help(app),
        C::Filter => filter(app),
        C::Back => back(app),
        C::Up | C::Down | C::Left | C::Right | C::PageUp | C::PageDown | C::Top | C::Bottom => {
            go(app, command);
        }
        C::NextHit => in_table(app, |sheet| hit(sheet, 1)),
        C::PreviousHit => in_table(app, |sheet| hit(sheet, -1)),
        C::Tag if app.shows_lab() => app.lab.mark(),
        C::Untag if app.shows_lab() => app.lab.marked.clear(),
        C::Tag => in_table(app, tag),
        C::Untag => in_table(app, |sheet| sheet.tagged.clear()),
        C::Tree => change(app, |request| request.tree = !request.tree),
        C::All => change(app, |request| request.all = !request.all),
        C::Invert => invert(app),
        C::SortLeft => turn_sort(app, -1),
        C::SortRight => turn_sort(app, 1),
        C::Lesson(command) => learn::run(app, command),
    }
}

fn show_screen(app: &mut App, place: usize) {
    subject::leave_all(app);
    let place = place.min(SCREENS.len().saturating_sub(1));
    // In a lesson, the key of its text leads on to its machine.
    let is_text = app.screen == place && app.shows_learn() && app.learn.player.is_some();
    if is_text { app.open_screen(machine::SCREEN.id) } else { app.screen = place }
}

fn open_cgroup(app: &mut App) {
    if let Some(cgroup) = selected_cgroup(app) {
        subject::open(app, cgroup);
    }
}

/// Clears the filter; without one, leaves the page.
fn back(app: &mut App) {
    changes::cancel_planning(app);
    if !clear_filter(app) {
        subject::leave(app);
    }
}

fn mouse(app: &mut App) {
    app.mouse = !app.mouse;
    app.notify(if app.mouse {
        "mouse captured: it selects and scrolls"
    } else {
        "mouse released: select text with it; m captures it again"
    });
    app.emit(Effect::Mouse(app.mouse));
}

/// Focuses the next visible pane, or the next of all panes if only one is visible.
fn turn_focus(app: &mut App, by: isize) {
    let Some(state) = app.state() else { return };
    let all: Vec<usize> = (0..state.panes.len()).collect();
    let seen: Vec<usize> = app.layout.panes.iter().map(|(pane, _)| *pane).collect();
    let order = if app.layout.framed { seen } else { all };
    let now = order.iter().position(|pane| *pane == state.focus).unwrap_or(0);
    if let Some(next) = order.get(cycle_index(now, by, order.len())) {
        app.focus(*next);
    }
}

fn turn_sheet(app: &mut App, by: isize) {
    if let Some(pane) = app.pane_mut() {
        pane.sheet = cycle_index(pane.sheet, by, pane.sheets.len());
    }
}

fn go(app: &mut App, command: C) {
    if lab::go(app, command) || map::go(app, command) || learn::go(app, command) {
        return;
    }
    let Some(pane) = app.pane_mut() else { return };
    match pane.sheets.get_mut(pane.sheet) {
        Some(sheet) => go_in_table(sheet, command),
        None if pane.scrolls => pane.scroll(command),
        None => go_in_facts(pane, command),
    }
}

/// Moves over the figures, in reading order.
fn go_in_facts(pane: &mut PaneState, command: C) {
    let command = match command {
        C::Left => C::Up,
        C::Right => C::Down,
        other => other,
    };
    let last = pane.figures().len().saturating_sub(1);
    pane.figure = moved(command, pane.figure, last, last).unwrap_or(pane.figure);
}

fn go_in_table(sheet: &mut TableState, command: C) {
    match moved(command, sheet.row, usize::MAX, sheet.height.max(1)) {
        Some(row) => sheet.select(row),
        None if command == C::Left => sheet.go_left(),
        None => sheet.go_right(),
    }
}

fn filter(app: &mut App) {
    if let Some(list) = app.searchable_list() {
        return lab::find(app, list);
    }
    let before = app.sheet().and_then(|sheet| sheet.request.filter.clone());
    let input = before.as_deref().map(TextInput::with_text).unwrap_or_default();
    let example = app.sheet().map(example).unwrap_or_default();
    app.overlays.push(Overlay::Filter(FilterInput { input, before, error: None, example }));
}

/// Opens a filter line even if there is nothing to filter, so that the typed keys run no commands.
pub(super) fn filter_nothing(app: &mut App, why: String) {
    let filter = FilterInput { error: Some(why), ..FilterInput::default() };
    app.overlays.push(Overlay::Filter(filter));
}

/// An example filter with columns of the table.
fn example(sheet: &TableState) -> String {
    let infos = sheet.rows().map_or_else(Vec::new, |rows| rows.infos.clone());
    let of = |wanted: &dyn Fn(Unit) -> bool| infos.iter().find(|info| wanted(info.unit));
    let number = of(&|unit| unit == Unit::Bytes).map(|info| format!("{}>100M", info.id));
    let number =
        number.or_else(|| of(&|unit| unit.is_number()).map(|info| format!("{}>0", info.id)));
    let text = of(&|unit| unit == Unit::Text).map(|info| format!("{}~word", info.id));
    let tests: Vec<String> = number.into_iter().chain(text).collect();
    tests.join(" & ")
}

/// Clears the filter of the table; false if it has none.
fn clear_filter(app: &mut App) -> bool {
    let Some(sheet) = app.sheet_mut().filter(|sheet| sheet.request.filter.is_some()) else {
        return false;
    };
    // A request without a filter is always valid.
    let _ = sheet.change_request(|request| request.filter = None);
    true
}

fn in_table(app: &mut App, act: impl FnOnce(&mut TableState)) {
    if let Some(sheet) = app.sheet_mut() {
        act(sheet);
    }
}

fn tag(sheet: &mut TableState) {
    let Some(name) = sheet.row_name.clone() else { return };
    if !sheet.tagged.remove(&name) {
        sheet.tagged.insert(name);
    }
    sheet.select(sheet.row + 1);
}

/// Selects the next row that contains the last searched word.
fn hit(sheet: &mut TableState, by: isize) {
    let Some(word) = sheet.searched.as_ref().map(|word| word.to_lowercase()) else { return };
    let Some(rows) = sheet.rows() else { return };
    let count = rows.cells.len();
    let holds = |row: &usize| {
        let cells = rows.cells.get(*row).into_iter().flatten();
        cells.into_iter().any(|value| value.plain().to_lowercase().contains(&word))
    };
    let mut order = (1..=count).map(|step| {
        let step = if by < 0 { count - step } else { step };
        (sheet.row + step) % count
    });
    if let Some(row) = order.find(holds) {
        sheet.select(row);
    }
}

/// Changes the request of the table; an invalid change is reported and dropped.
fn change(app: &mut App, change: impl FnOnce(&mut Request)) {
    if let Some(Err(why)) = app.sheet_mut().map(|sheet| sheet.change_request(change)) {
        app.notify_error(why);
    }
}

/// Sorts by this column, shown or not.
pub(super) fn sort_by_id(app: &mut App, id: &str, descending: bool) {
    let word = if descending { format!("-{id}") } else { id.to_owned() };
    change(app, |request| request.sort = Some(word));
}

/// Sorts by this visible column: numbers largest first; a second time, in reverse.
pub(super) fn sort_by(app: &mut App, column: usize) {
    let Some(sheet) = app.sheet() else { return };
    let Some(rows) = sheet.rows() else { return };
    let Some(place) = sheet.columns.get(column).map(|(place, _)| *place) else { return };
    let Some(info) = rows.infos.get(place) else { return };
    let descending = match rows.sorted {
        Some((sorted, descending)) if sorted == place => !descending,
        _ => info.unit.is_number(),
    };
    sort_by_id(app, info.id, descending);
}

fn invert(app: &mut App) {
    let Some(sort) = app.sheet().and_then(|sheet| sheet.request.sort.clone()) else {
        return sort_by(app, 0);
    };
    // Whether or not there is room for the sorted columns.
    let turned = sort.split(',').map(|word| match word.strip_prefix('-') {
        Some(column) => column.to_owned(),
        None => format!("-{word}"),
    });
    let turned = turned.collect::<Vec<_>>().join(",");
    change(app, |request| request.sort = Some(turned));
}

fn turn_sort(app: &mut App, by: isize) {
    let Some(sheet) = app.sheet() else { return };
    let next = match sheet.sorted_column() {
        Some(now) => cycle_index(now, by, sheet.columns.len()),
        None => 0,
    };
    sort_by(app, next);
}

/// The intervals that + and - select, in milliseconds.
const INTERVALS: &[u64] = &[100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000];

/// The next shorter or longer interval.
fn interval(now: Duration, faster: bool) -> Duration {
    let millis = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    let next = if faster {
        INTERVALS.iter().rev().find(|step| **step < millis)
    } else {
        INTERVALS.iter().find(|step| **step > millis)
    };
    Duration::from_millis(next.copied().unwrap_or(millis))
}

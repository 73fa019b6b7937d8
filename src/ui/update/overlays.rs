//! Keys while a page, list, line or dialog is open.

mod menu;
mod value;

pub(super) use menu::choose;

use super::{
    App, C, ChangeRequest, KeyCode, KeyEvent, Menu, Overlay, PageLine, PromptKind, TextInput,
    TextPage, changes, command, dialog, figures, menus, moved, setup, what_if,
};
use crate::ui::availability::no_table;
use crate::ui::chart_view::ChartView;
use crate::ui::confirm::Focus;
use crate::ui::overlay::FilterInput;
use crate::ui::page::PageTarget;
use menu::menu_key;
use value::value_key;

/// A key for the topmost overlay.
pub(super) fn key(app: &mut App, event: KeyEvent) -> Option<C> {
    // Exiting and suspending must work whatever is open.
    let pressed = command::for_key(event);
    if let Some(command @ (C::Suspend | C::Redraw)) = pressed {
        return Some(command);
    }
    if pressed == Some(C::Quit) && event.code != KeyCode::Char('q') {
        changes::quit(app);
        return None;
    }
    match app.overlays.pop() {
        Some(Overlay::Page(page)) => return page_key(app, page, event),
        Some(Overlay::Menu(menu)) => return menu_key(app, menu, event),
        Some(Overlay::Chart(view)) => return chart_key(app, *view, event),
        Some(Overlay::Filter(filter)) => filter_key(app, filter, event),
        Some(Overlay::Value(value)) => value_key(app, value, event),
        Some(Overlay::Confirm(dialog)) => return dialog::key(app, *dialog, event),
        Some(Overlay::Question(ask)) => changes::ask_key(app, ask, event),
        Some(Overlay::Job) => return changes::job_key(app, event),
        Some(Overlay::Simulation(simulation)) => what_if::key(app, simulation, event),
        Some(Overlay::Setup(page)) => setup::key(app, page, event),
        None => {}
    }
    None
}

/// Pasted text is inserted as if typed.
pub(super) fn paste(app: &mut App, text: &str) {
    let put = |input: &mut TextInput| text.chars().for_each(|c| input.insert(c));
    match app.overlays.pop() {
        Some(Overlay::Filter(mut filter)) => {
            put(&mut filter.input);
            apply(app, filter);
        }
        Some(mut other) => {
            match &mut other {
                Overlay::Menu(Menu { typed: Some(input), selected, .. }) => {
                    put(input);
                    *selected = 0;
                }
                Overlay::Value(value) => put(&mut value.input),
                Overlay::Confirm(dialog) if dialog.focus == Focus::Word => put(&mut dialog.input),
                _ => {}
            }
            app.overlays.push(other);
        }
        None => {}
    }
}

/// Scrolls with the mouse wheel.
pub(super) fn scroll(app: &mut App, command: C) {
    let go = |now: usize, last: usize| moved(command, now, last, 1).unwrap_or(now);
    let above = app.overlay_size();
    match app.overlays.last_mut() {
        Some(Overlay::Page(page)) => page.top = go(page.top, page.last_top(above)),
        Some(Overlay::Confirm(dialog)) => {
            let last = dialog.last_top(above);
            dialog.page.top = go(dialog.page.top.min(last), last);
        }
        Some(Overlay::Menu(menu)) => {
            let last = menu.matching_items().len().saturating_sub(1);
            menu.selected = go(menu.selected, last);
        }
        Some(Overlay::Setup(page)) => {
            let last = page.rows().len().saturating_sub(1);
            page.selected = go(page.selected, last);
        }
        Some(Overlay::Chart(view)) if command == C::Down => view.later(1),
        Some(Overlay::Chart(view)) => view.earlier(1),
        _ => {}
    }
}

fn page_key(app: &mut App, mut page: TextPage, event: KeyEvent) -> Option<C> {
    // One row of the previous page stays visible.
    let step = page.height(app.overlay_size()).saturating_sub(1).max(1);
    let last = page.last_top(app.overlay_size());
    // The terminal may have been resized since this was scrolled.
    page.top = page.top.min(last);
    let command = command::for_key(event);
    let is_help = matches!(command, Some(C::Help | C::Explain));
    let turns = |key: char| event.code == KeyCode::Char(key) || is_help && key == '?';
    if page.next.as_ref().is_some_and(|turn| turns(turn.key)) {
        app.overlays.push(Overlay::Page(page.turned(app.overlay_size())));
        return None;
    }
    if let (Some(_), KeyCode::Char(key @ ('l' | 'r'))) = (page.answer(), event.code) {
        app.overlays.push(Overlay::Page(page));
        changes::ask(app, if key == 'l' { PromptKind::ModelLoad } else { PromptKind::ModelRate });
        return None;
    }
    if command == Some(C::Open)
        && let Some(target) = page.enter.take()
    {
        match target {
            PageTarget::Plan(command) => changes::plan(app, ChangeRequest::Command(command)),
            PageTarget::Row(place) => menus::show_row(app, place),
        }
        return None;
    }
    if let (Some(C::Actions), Some(place)) = (command, &page.subject) {
        changes::actions_on(app, place);
        return None;
    }
    match command {
        Some(C::Back | C::Quit | C::Open | C::Help | C::Explain) => return None,
        Some(C::Screen(_)) => {
            app.overlays.clear();
            return command;
        }
        Some(C::Copy) => page.copy.iter().for_each(|text| figures::copied(app, text.clone())),
        Some(C::Tag) => page.top = (page.top + step).min(last),
        Some(command) if let Some(top) = moved(command, page.top, last, step) => page.top = top,
        _ => app.notify_unbound_key(event, "Esc closes the page"),
    }
    app.overlays.push(Overlay::Page(page));
    None
}

fn filter_key(app: &mut App, mut filter: FilterInput, event: KeyEvent) {
    match event.code {
        KeyCode::Esc => {
            let before = filter.before.take();
            let _ = ask_filter(app, before);
        }
        KeyCode::Enter => match &filter.error {
            Some(_) if app.sheet().is_some() => app.overlays.push(Overlay::Filter(filter)),
            Some(_) => {}
            None => remember(app, &filter.input.text),
        },
        _ => {
            filter.input.key(event);
            apply(app, filter);
        }
    }
}

/// Applies the filter while it is typed; while it is invalid, the previous one stays in effect.
fn apply(app: &mut App, mut filter: FilterInput) {
    let text = filter.input.text.trim();
    let wanted = (!text.is_empty()).then(|| text.to_owned());
    filter.error = ask_filter(app, wanted).err();
    if filter.error.is_some() {
        let _ = ask_filter(app, filter.before.clone());
    }
    app.overlays.push(Overlay::Filter(filter));
}

fn ask_filter(app: &mut App, filter: Option<String>) -> Result<(), String> {
    let Some(sheet) = app.sheet_mut() else { return Err(no_table(app).to_owned()) };
    sheet.change_request(|request| request.filter = filter)
}

/// Remembers the word for n and N, which work even after the filter is cleared.
fn remember(app: &mut App, text: &str) {
    if let Some(sheet) = app.sheet_mut().filter(|_| !text.trim().is_empty()) {
        sheet.searched = Some(text.trim().to_owned());
    }
}

/// A click on a button of the topmost dialog.
pub(super) fn answer(app: &mut App, place: usize) {
    match app.overlays.pop() {
        Some(Overlay::Question(ask)) => {
            if let Some((_, answer)) = ask.answers.get(place) {
                changes::answered(app, *answer);
            }
        }
        Some(Overlay::Confirm(mut dialog)) => {
            let stop = dialog.stops().get(place).copied().unwrap_or(Focus::Cancel);
            dialog.focus = stop;
            if stop == Focus::Word {
                app.overlays.push(Overlay::Confirm(dialog));
            } else {
                dialog::press(app, *dialog);
            }
        }
        other => app.overlays.extend(other),
    }
}

/// Steps that a page key moves by.
const PAGE: usize = 20;

/// The keys, for the help.
const KEYS: [(&str, &str); 6] = [
    ("Left Right", "Move the cursor to an earlier or later value."),
    ("Page keys", "Move it by 20 values."),
    ("g G", "Move it to the oldest or newest value."),
    ("[ ]", "Show a longer or shorter time."),
    ("e", "Explain the figure: its meaning, formula and source file."),
    ("Esc", "Close the chart."),
];

/// A key while a chart is open; the mouse is captured or released as everywhere.
fn chart_key(app: &mut App, mut view: ChartView, event: KeyEvent) -> Option<C> {
    let command = command::for_key(event);
    match command {
        Some(C::Back | C::Quit | C::Open) => return None,
        Some(C::Screen(_)) => {
            app.overlays.clear();
            return command;
        }
        Some(C::Left | C::Down | C::Earlier) => view.earlier(1),
        Some(C::Right | C::Up | C::Later) => view.later(1),
        Some(C::PageUp | C::MuchEarlier) => view.earlier(PAGE),
        Some(C::PageDown | C::MuchLater) => view.later(PAGE),
        Some(C::Bottom) => view.later(view.ago),
        Some(C::Top) => view.to_oldest(app),
        Some(C::PreviousSheet) => view.zoom(true),
        Some(C::NextSheet) => view.zoom(false),
        Some(C::Explain | C::Help) => {
            let page = if command == Some(C::Help) {
                let lines = KEYS.map(|(keys, help)| PageLine::named(keys, help));
                TextPage::new("Keys of the chart", lines.to_vec())
            } else {
                figures::explanation(app, &view.origin)
            };
            app.overlays.extend([Overlay::Chart(Box::new(view)), Overlay::Page(page)]);
            return None;
        }
        Some(C::Mouse) => {}
        _ => app.notify_unbound_key(event, "Esc closes the chart"),
    }
    app.overlays.push(Overlay::Chart(Box::new(view)));
    command.filter(|command| *command == C::Mouse)
}

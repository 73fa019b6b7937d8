//! Keys while a page, list, line or dialog is open.

use super::{changes, chart, dialog, figures, lab, learn, menus, setup, subject};
use crate::actions::limits::ChangeLimits;
use crate::columns::Request;
use crate::config::ValueType;
use crate::model::Name;
use crate::model::activation::Priority;
use crate::model::name::{safe_text, shell_quoted};
use crate::ui::app::App;
use crate::ui::availability::no_table;
use crate::ui::change::{ChangeRequest, ExecutionOptions, Intent, ZramRequest};
use crate::ui::command::{self, UiCommand as C};
use crate::ui::confirm::Focus;
use crate::ui::input::{PromptKind, TextInput, ValueInput};
use crate::ui::msg::{Effect, KeyOutcome};
use crate::ui::overlay::{FilterInput, Menu, MenuChoice, MenuItem, MenuPurpose, Overlay};
use crate::ui::page::TextPage;
use crate::ui::{row_actions, search};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key for the topmost overlay.
pub(super) fn key(app: &mut App, event: KeyEvent) -> KeyOutcome {
    // Exiting and suspending must work whatever is open.
    let pressed = command::for_key(event);
    if let Some(command @ (C::Suspend | C::Redraw)) = pressed {
        return KeyOutcome::Run(command);
    }
    if pressed == Some(C::Quit) && event.code != KeyCode::Char('q') {
        return changes::quit(app).into();
    }
    match app.overlays.pop() {
        Some(Overlay::Page(page)) => page_key(app, page, event).into(),
        Some(Overlay::Menu(menu)) => menu_key(app, menu, event),
        Some(Overlay::Chart(view)) => chart::key(app, *view, event).into(),
        Some(Overlay::Filter(filter)) => filter_key(app, filter, event).into(),
        Some(Overlay::Value(value)) => value_key(app, value, event).into(),
        Some(Overlay::Confirm(dialog)) => dialog::key(app, *dialog, event),
        Some(Overlay::Question(ask)) => changes::ask_key(app, ask, event).into(),
        Some(Overlay::Job) => changes::job_key(app, event),
        Some(Overlay::Setup(page)) => setup::key(app, page, event).into(),
        None => KeyOutcome::NOTHING,
    }
}

/// Pasted text is inserted as if typed.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
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
                Overlay::Menu(_)
                | Overlay::Page(_)
                | Overlay::Chart(_)
                | Overlay::Filter(_)
                | Overlay::Confirm(_)
                | Overlay::Question(_)
                | Overlay::Setup(_)
                | Overlay::Job => {}
            }
            app.overlays.push(other);
        }
        None => {}
    }
    vec![]
}

/// Scrolls with the mouse wheel.
pub(super) fn scroll(app: &mut App, command: C) {
    let down = command == C::Down;
    let step = |now: usize| if down { now + 1 } else { now.saturating_sub(1) };
    let above = app.overlay_size();
    match app.overlays.last_mut() {
        Some(Overlay::Page(page)) => page.top = step(page.top).min(page.last_top(above)),
        Some(Overlay::Confirm(dialog)) => {
            let last = dialog.last_top(above);
            dialog.page.top = step(dialog.page.top.min(last)).min(last);
        }
        Some(Overlay::Menu(menu)) => {
            let last = menu.matching_items().len().saturating_sub(1);
            menu.selected = step(menu.selected).min(last);
        }
        Some(Overlay::Setup(page)) => {
            let last = page.rows().len().saturating_sub(1);
            page.selected = step(page.selected).min(last);
        }
        Some(Overlay::Chart(view)) if down => view.later(1),
        Some(Overlay::Chart(view)) => view.earlier(1),
        Some(Overlay::Filter(_) | Overlay::Value(_) | Overlay::Question(_) | Overlay::Job)
        | None => {}
    }
}

fn page_key(app: &mut App, mut page: TextPage, event: KeyEvent) -> Vec<Effect> {
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
        return vec![];
    }
    if let (Some(C::Open), Some(command)) = (command, page.plan.clone()) {
        return changes::plan(app, ChangeRequest::Command(command), ExecutionOptions::default());
    }
    match command {
        Some(C::Back | C::Quit | C::Open | C::Help | C::Explain) => return vec![],
        Some(C::Copy) => {
            let copy = page.copy.clone();
            app.overlays.push(Overlay::Page(page));
            return copy.map_or_else(Vec::new, |text| figures::copied(app, text));
        }
        Some(C::Up) => page.top = page.top.saturating_sub(1),
        Some(C::Down) => page.top += 1,
        Some(C::PageUp) => page.top = page.top.saturating_sub(step),
        Some(C::PageDown | C::Tag) => page.top += step,
        Some(C::Top) => page.top = 0,
        Some(C::Bottom) => page.top = last,
        _ => app.notify_unbound_key(event, "Esc closes the page"),
    }
    page.top = page.top.min(last);
    app.overlays.push(Overlay::Page(page));
    vec![]
}

/// Items that a page key moves by.
const PAGE: usize = 10;

fn menu_key(app: &mut App, mut menu: Menu, event: KeyEvent) -> KeyOutcome {
    let last = menu.matching_items().len().saturating_sub(1);
    let held = event.modifiers.contains(KeyModifiers::CONTROL);
    match event.code {
        KeyCode::Esc => return KeyOutcome::NOTHING,
        KeyCode::Enter => return choose_selected(app, menu),
        // A blank at the beginning of a search is useless: it toggles the column.
        KeyCode::Char(' ') if menu.purpose == MenuPurpose::Columns && !menu.is_searched() => {
            return choose_selected(app, menu);
        }
        KeyCode::Up => menu.selected = menu.selected.saturating_sub(1),
        KeyCode::Down => menu.selected = (menu.selected + 1).min(last),
        KeyCode::PageUp => menu.selected = menu.selected.saturating_sub(PAGE),
        KeyCode::PageDown => menu.selected = (menu.selected + PAGE).min(last),
        KeyCode::Home => menu.selected = 0,
        KeyCode::End => menu.selected = last,
        KeyCode::Char('n') if held => menu.selected = (menu.selected + 1).min(last),
        KeyCode::Char('p') if held => menu.selected = menu.selected.saturating_sub(1),
        _ => match &mut menu.typed {
            Some(input) => {
                if input.key(event) {
                    menu.selected = 0;
                    menu.error = None;
                }
            }
            None => return plain_menu_key(app, menu, event, last),
        },
    }
    app.overlays.push(Overlay::Menu(menu));
    KeyOutcome::NOTHING
}

/// Lists without a search line can be moved in by letters too.
fn plain_menu_key(app: &mut App, mut menu: Menu, event: KeyEvent, last: usize) -> KeyOutcome {
    match command::for_key(event) {
        Some(C::Quit) => return KeyOutcome::NOTHING,
        Some(C::Up) => menu.selected = menu.selected.saturating_sub(1),
        Some(C::Down) => menu.selected = (menu.selected + 1).min(last),
        Some(C::Top) => menu.selected = 0,
        Some(C::Bottom) => menu.selected = last,
        Some(C::PageUp) => menu.selected = menu.selected.saturating_sub(PAGE),
        Some(C::PageDown) => menu.selected = (menu.selected + PAGE).min(last),
        Some(C::Tag) => return choose_selected(app, menu),
        Some(C::Undo) if menu.purpose == MenuPurpose::Journal => {
            let selected = menu.matching_items().get(menu.selected).map(|item| item.choice.clone());
            app.overlays.push(Overlay::Menu(menu));
            return match selected {
                Some(MenuChoice::Record(plan)) => {
                    changes::plan(app, Intent::Undo(plan), ExecutionOptions::default()).into()
                }
                _ => KeyOutcome::NOTHING,
            };
        }
        Some(C::Copy) if menu.purpose == MenuPurpose::Export => {
            return figures::copy_table(app).into();
        }
        Some(turn @ (C::Left | C::Right)) => {
            let selected = menu.matching_items().get(menu.selected).map(|item| item.choice.clone());
            app.overlays.push(Overlay::Menu(menu));
            return match selected {
                Some(MenuChoice::Setting(key)) => turn_setting(app, key, turn == C::Left).into(),
                _ => KeyOutcome::NOTHING,
            };
        }
        _ => app.notify_unbound_key(event, "Esc closes the list"),
    }
    app.overlays.push(Overlay::Menu(menu));
    KeyOutcome::NOTHING
}

fn choose_selected(app: &mut App, menu: Menu) -> KeyOutcome {
    let selected = menu.selected;
    app.overlays.push(Overlay::Menu(menu));
    choose(app, selected)
}

fn filter_key(app: &mut App, mut filter: FilterInput, event: KeyEvent) -> Vec<Effect> {
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
    vec![]
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
    let request = Request { filter, ..sheet.request.clone() };
    sheet.ask(request)
}

/// Remembers the word for n and N, which work even after the filter is cleared.
fn remember(app: &mut App, text: &str) {
    if let Some(sheet) = app.sheet_mut().filter(|_| !text.trim().is_empty()) {
        sheet.searched = Some(text.trim().to_owned());
    }
}

/// Chooses an item of the topmost list.
pub(super) fn choose(app: &mut App, place: usize) -> KeyOutcome {
    let Some(Overlay::Menu(menu)) = app.overlays.last_mut() else { return KeyOutcome::NOTHING };
    let Some(item) = menu.matching_items().get(place).copied().cloned() else {
        return KeyOutcome::NOTHING;
    };
    menu.selected = place;
    let purpose = menu.purpose;
    let typed = menu.typed_text().trim().to_owned();
    let value = search::value_behind(&item.name, &typed).filter(|_| item.takes_value());
    match (item.off, value, item.choice) {
        (Some(why), ..) => fail(app, why).into(),
        (None, Some((_, value)), choice) => enter(app, choice, value).into(),
        (None, None, MenuChoice::PlanTyped) => {
            app.overlays.pop();
            changes::plan(app, ChangeRequest::Command(typed), ExecutionOptions::default()).into()
        }
        (None, None, choice) => carry_out(app, purpose, choice),
    }
}

/// Enters the value that was typed behind the name of an item. If it is wrong, its line opens.
fn enter(app: &mut App, choice: MenuChoice, text: &str) -> Vec<Effect> {
    app.overlays.pop();
    match choice {
        MenuChoice::Setting(key) => {
            let before = app.settings.clone();
            let effects = set_to(app, key, text);
            if app.settings == before {
                app.notify(format!("{key}: not changed by \"{}\"", safe_text(text)));
            }
            effects
        }
        MenuChoice::Type(kind) => {
            let value = changes::prompt(app, kind).with_text(text);
            entered(app, &value).unwrap_or_else(|why| {
                app.overlays.push(Overlay::Value(ValueInput { error: Some(why), ..value }));
                vec![]
            })
        }
        _ => vec![],
    }
}

/// Carries out a choice; lists with several choices stay open.
fn carry_out(app: &mut App, purpose: MenuPurpose, choice: MenuChoice) -> KeyOutcome {
    let effects = match (purpose, choice) {
        (_, MenuChoice::Command(command)) => {
            app.overlays.pop();
            return KeyOutcome::Run(command);
        }
        (_, MenuChoice::Lesson(place)) => {
            app.overlays.pop();
            learn::begin(app, place)
        }
        (_, MenuChoice::Explain(origin)) => {
            app.overlays.pop();
            let page = figures::explanation(app, &origin);
            app.overlays.push(Overlay::Page(page));
            vec![]
        }
        (MenuPurpose::Sort, MenuChoice::Column(id)) => {
            app.overlays.pop();
            sort(app, id);
            vec![]
        }
        (_, MenuChoice::Column(id)) => toggle_column(app, id),
        (MenuPurpose::Palette, MenuChoice::Setting(key)) => {
            app.overlays.pop();
            menus::settings_at(app, key);
            vec![]
        }
        (_, MenuChoice::Setting(key)) => set(app, key),
        (_, MenuChoice::Plan(request)) => {
            app.overlays.pop();
            changes::plan(app, request, ExecutionOptions::default())
        }
        (_, MenuChoice::Type(what)) => {
            app.overlays.pop();
            changes::ask(app, what);
            vec![]
        }
        (_, MenuChoice::Row(place)) => {
            app.overlays.pop();
            menus::show_row(app, place);
            vec![]
        }
        (_, MenuChoice::Subject(subject)) => {
            app.overlays.pop();
            subject::open(app, subject);
            vec![]
        }
        (_, MenuChoice::Copy(text)) => {
            app.overlays.pop();
            figures::copied(app, text)
        }
        (_, MenuChoice::SaveTable(format)) => {
            app.overlays.pop();
            figures::save_table(app, format)
        }
        (_, MenuChoice::CopyTable) => {
            app.overlays.pop();
            figures::copy_table(app)
        }
        // It needs the typed text.
        (_, MenuChoice::PlanTyped) => vec![],
        (_, MenuChoice::Record(number)) => {
            changes::record(app, number);
            vec![]
        }
        (_, MenuChoice::Save) => {
            app.overlays.pop();
            app.remember_tables();
            vec![Effect::Save(Box::new(app.settings.clone()))]
        }
    };
    effects.into()
}

fn fail(app: &mut App, why: String) -> Vec<Effect> {
    if let Some(Overlay::Menu(menu)) = app.overlays.last_mut() {
        menu.error = Some(why);
    }
    vec![]
}

fn sort(app: &mut App, id: &'static str) {
    let Some(sheet) = app.sheet_mut() else { return };
    let infos = (sheet.query.spec.infos)();
    let number = infos.iter().any(|info| info.id == id && info.unit.is_number());
    let word = if number { format!("-{id}") } else { id.to_owned() };
    let request = Request { sort: Some(word), ..sheet.request.clone() };
    if let Err(why) = sheet.ask(request) {
        app.notify_error(why);
    }
}

/// Shows or hides a column; the list stays open.
fn toggle_column(app: &mut App, id: &'static str) -> Vec<Effect> {
    let Some(sheet) = app.sheet_mut() else { return vec![] };
    let mut ids = sheet.ids();
    match ids.iter().position(|shown| *shown == id) {
        Some(place) => {
            ids.remove(place);
        }
        None => ids.push(id),
    }
    let request = Request { columns: Some(ids.join(",")), ..sheet.request.clone() };
    let asked = if ids.is_empty() {
        Err("at least one column has to stay".to_owned())
    } else {
        sheet.ask(request)
    };
    let items = menus::column_items(app, |shown, _| shown);
    refresh(app, items, asked.err());
    vec![]
}

fn refresh(app: &mut App, new: Vec<MenuItem>, problem: Option<String>) {
    if let Some(Overlay::Menu(Menu { items, error, .. })) = app.overlays.last_mut() {
        *items = new;
        *error = problem;
    }
}

/// Changes a setting: words advance to the next one, other values are typed.
fn set(app: &mut App, key: &'static str) -> Vec<Effect> {
    let Some(setting) = menus::setting(key) else { return vec![] };
    let now = setting.get.map(|get| get(&app.settings, "")).unwrap_or_default();
    if let Some(next) = next_value(setting.takes, &now, false) {
        return set_to(app, key, next);
    }
    let value = ValueInput::new(PromptKind::Setting(key), setting.takes.describe());
    app.overlays.push(Overlay::Value(value.with_text(&now)));
    vec![]
}

/// Changes a setting to the previous or next word, if it accepts only words.
fn turn_setting(app: &mut App, key: &'static str, back: bool) -> Vec<Effect> {
    let Some(setting) = menus::setting(key) else { return vec![] };
    let now = setting.get.map(|get| get(&app.settings, "")).unwrap_or_default();
    if let Some(word) = next_value(setting.takes, &now, back) {
        return set_to(app, key, word);
    }
    app.notify("press Enter to type another value");
    vec![]
}

/// The previous or next word; none if the setting accepts other values than words.
fn next_value(takes: ValueType, now: &str, back: bool) -> Option<&'static str> {
    if !matches!(takes, ValueType::Flag | ValueType::Word(_)) {
        return None;
    }
    let words = takes.words();
    let step = if back { words.len().checked_sub(1)? } else { 1 };
    let place = words.iter().position(|word| *word == now).unwrap_or(0);
    words.get((place + step) % words.len()).copied()
}

/// Sets a setting to the value chosen or typed; it takes effect at once.
fn set_to(app: &mut App, key: &'static str, value: &str) -> Vec<Effect> {
    let Some(setting) = menus::setting(key) else { return vec![] };
    let mut settings = app.settings.clone();
    let problem = setting.set_text(&mut settings, "", value).err();
    let effects = if problem.is_none() { app.adopt(settings) } else { vec![] };
    let items = menus::setting_items(app);
    refresh(app, items, problem);
    effects
}

fn value_key(app: &mut App, mut value: ValueInput, event: KeyEvent) -> Vec<Effect> {
    match event.code {
        KeyCode::Esc => return vec![],
        KeyCode::Enter => match entered(app, &value) {
            Ok(effects) => return effects,
            Err(why) => value.error = Some(why),
        },
        _ => {
            value.input.key(event);
            value.error = match value.typed {
                PromptKind::Row(list) => lab::find_row(app, list, &value.input.text).err(),
                _ => None,
            };
        }
    }
    app.overlays.push(Overlay::Value(value));
    vec![]
}

/// Applies a typed value.
fn entered(app: &mut App, value: &ValueInput) -> Result<Vec<Effect>, String> {
    let text = value.value();
    match &value.typed {
        PromptKind::Setting(key) => {
            let mut trial = app.settings.clone();
            menus::setting(key)
                .map_or(Ok(()), |it| it.set_text(&mut trial, "", &value.input.text))?;
            Ok(set_to(app, key, &value.input.text))
        }
        PromptKind::Priority(areas) => {
            let priority = Priority::parse(text)?;
            Ok(changes::plan_typed(app, value, priorities(areas, priority)))
        }
        PromptKind::Lab(field) => {
            lab::set(app, *field, text);
            Ok(vec![])
        }
        PromptKind::Row(list) => lab::find_row(app, list, text).map(|()| vec![]),
        PromptKind::Setup(key) => Ok(setup::typed(app, *key, text)),
        _ if text.is_empty() => Err(format!("type a value: {}", value.accepts)),
        PromptKind::Area => {
            Ok(changes::plan_typed(app, value, ChangeRequest::Enable(text.to_owned())))
        }
        PromptKind::Kernel(setting) => {
            let intent = Intent::Set(vec![(setting.clone(), text.to_owned())]);
            Ok(changes::plan_typed(app, value, intent))
        }
        PromptKind::ZramSwap => {
            let request = ChangeRequest::ZramSwap(text.to_owned());
            Ok(changes::plan_typed(app, value, request))
        }
        PromptKind::SwapFile => {
            let command = row_actions::swap_file_command(app, text);
            Ok(changes::plan_typed(app, value, ChangeRequest::Command(command)))
        }
        PromptKind::Reclaim(group) => {
            let command = format!("cgroup reclaim {} {text}", shell_quoted(group));
            Ok(changes::plan_typed(app, value, ChangeRequest::Command(command)))
        }
        PromptKind::Zram(device, what) => {
            let given = ZramRequest::Set(*what, text.to_owned());
            let request = ChangeRequest::Zram(device.clone(), given);
            Ok(changes::plan_typed(app, value, request))
        }
        PromptKind::Timeout => {
            let timeout = typed_limit(text, ChangeLimits::parse_time)?;
            dialog::limited(app, |limits| limits.timeout = timeout)
        }
        PromptKind::MaxPsi => {
            let max_psi = typed_limit(text, ChangeLimits::parse_max_psi)?;
            dialog::limited(app, |limits| limits.max_psi = max_psi)
        }
        PromptKind::PausePsi => {
            let pace = typed_limit(text, ChangeLimits::parse_pace)?;
            dialog::limited(app, |limits| limits.pace = pace)
        }
    }
}

/// The intent to give all these areas one priority.
fn priorities(areas: &[Name], priority: Priority) -> Intent {
    Intent::Priorities(areas.iter().map(|area| (area.clone(), priority)).collect())
}

/// A typed limit; "none" removes it.
fn typed_limit<T>(
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    if text == "none" { Ok(None) } else { parse(text).map(Some) }
}

/// A click on a button of the topmost dialog.
pub(super) fn answer(app: &mut App, place: usize) -> Vec<Effect> {
    match app.overlays.pop() {
        Some(Overlay::Question(ask)) => {
            let answer = ask.answers.get(place).map(|(_, answer)| *answer);
            answer.map_or_else(Vec::new, |answer| changes::answered(app, answer))
        }
        Some(Overlay::Confirm(mut dialog)) => {
            let stop = dialog.stops().get(place).copied().unwrap_or(Focus::Cancel);
            dialog.focus = stop;
            if stop == Focus::Word {
                app.overlays.push(Overlay::Confirm(dialog));
                return vec![];
            }
            dialog::press(app, *dialog)
        }
        other => {
            app.overlays.extend(other);
            vec![]
        }
    }
}

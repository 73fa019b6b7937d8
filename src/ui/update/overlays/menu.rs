//! Keys and choices of lists.

use super::value::entered;
use crate::columns::Request;
use crate::config::ValueType;
use crate::model::name::safe_text;
use crate::ui::app::App;
use crate::ui::change::{ChangeRequest, ExecutionOptions, Intent};
use crate::ui::command::{self, UiCommand as C};
use crate::ui::input::{PromptKind, ValueInput};
use crate::ui::msg::{Effect, KeyOutcome};
use crate::ui::overlay::{Menu, MenuChoice, MenuItem, MenuPurpose, Overlay};
use crate::ui::search;
use crate::ui::update::{changes, figures, learn, menus, subject, what_if};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Items that a page key moves by.
const PAGE: usize = 10;

pub(super) fn menu_key(app: &mut App, mut menu: Menu, event: KeyEvent) -> KeyOutcome {
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

/// Chooses an item of the topmost list.
pub(in crate::ui::update) fn choose(app: &mut App, place: usize) -> KeyOutcome {
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
        (_, MenuChoice::WhatIf(load)) => {
            app.overlays.pop();
            what_if::ask_under(app, load)
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
pub(super) fn set_to(app: &mut App, key: &'static str, value: &str) -> Vec<Effect> {
    let Some(setting) = menus::setting(key) else { return vec![] };
    let mut settings = app.settings.clone();
    let problem = setting.set_text(&mut settings, "", value).err();
    let effects = if problem.is_none() { app.adopt(settings) } else { vec![] };
    let items = menus::setting_items(app);
    refresh(app, items, problem);
    effects
}

//! Keys and choices of lists.

use super::value::entered;
use crate::config::ValueType;
use crate::ui::change::Intent;
use crate::ui::command::KeyPress;
use crate::ui::search;
use crate::ui::update::{
    App, C, ChangeRequest, Effect, KeyCode, KeyEvent, Menu, MenuChoice, MenuItem, MenuPurpose,
    Overlay, PromptKind, ValueInput, changes, command, commands, figures, learn, menus, moved,
    safe_text, subject, what_if,
};
use ratatui::crossterm::event::KeyModifiers;

/// Items that a page key moves by.
const PAGE: usize = 10;

pub(super) fn menu_key(app: &mut App, mut menu: Menu, event: KeyEvent) -> Option<C> {
    let last = menu.matching_items().len().saturating_sub(1);
    let command = command::for_key(event);
    let place = command.and_then(|command| moved(command, menu.selected, last, PAGE));
    let is_letter = event.code.as_char().is_some();
    let held = event.modifiers.contains(KeyModifiers::CONTROL);
    match event.code {
        KeyCode::Esc => return None,
        KeyCode::Enter => return choose_selected(app, menu),
        // A blank at the beginning of a search is useless: it toggles the column.
        KeyCode::Char(' ') if menu.purpose == MenuPurpose::Columns && !menu.is_searched() => {
            return choose_selected(app, menu);
        }
        _ if let Some(place) = place.filter(|_| !is_letter) => menu.selected = place,
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
    None
}

/// Lists without a search line can be moved in by letters too; the letters of answers choose them.
fn plain_menu_key(app: &mut App, mut menu: Menu, event: KeyEvent, last: usize) -> Option<C> {
    let player = app.learn.player.as_ref().filter(|_| menu.purpose == MenuPurpose::Prediction);
    let KeyPress(code, held) = KeyPress::from_event(event);
    let letter = code.as_char().filter(|_| held == KeyModifiers::NONE);
    if let Some(answer) = letter.and_then(|letter| player?.answer_of(letter)) {
        menu.selected = answer;
        return choose_selected(app, menu);
    }
    match command::for_key(event) {
        Some(C::Quit) => return None,
        Some(command) if let Some(place) = moved(command, menu.selected, last, PAGE) => {
            menu.selected = place;
        }
        Some(C::Tag) => return choose_selected(app, menu),
        Some(C::Undo) if menu.purpose == MenuPurpose::Journal => {
            let selected = menu.matching_items().get(menu.selected).map(|item| item.choice.clone());
            app.overlays.push(Overlay::Menu(menu));
            if let Some(MenuChoice::Record(plan)) = selected {
                changes::plan(app, Intent::Undo(Some(plan)));
            }
            return None;
        }
        Some(C::Copy) if menu.purpose == MenuPurpose::Export => {
            figures::copy_table(app);
            return None;
        }
        Some(turn @ (C::Left | C::Right)) => {
            let selected = menu.matching_items().get(menu.selected).map(|item| item.choice.clone());
            app.overlays.push(Overlay::Menu(menu));
            if let Some(MenuChoice::Setting(key)) = selected {
                turn_setting(app, key, turn == C::Left);
            }
            return None;
        }
        _ => app.notify_unbound_key(event, "Esc closes the list"),
    }
    app.overlays.push(Overlay::Menu(menu));
    None
}

fn choose_selected(app: &mut App, menu: Menu) -> Option<C> {
    let selected = menu.selected;
    app.overlays.push(Overlay::Menu(menu));
    choose(app, selected)
}

/// Chooses an item of the topmost list.
pub(in crate::ui::update) fn choose(app: &mut App, place: usize) -> Option<C> {
    let Some(Overlay::Menu(menu)) = app.overlays.last_mut() else { return None };
    let item = menu.matching_items().get(place).copied().cloned()?;
    menu.selected = place;
    let purpose = menu.purpose;
    let typed = menu.typed_text().trim().to_owned();
    let value = search::value_behind(&item.name, &typed).filter(|_| item.takes_value());
    match (item.off, value, item.choice) {
        (Some(why), ..) => menu.error = Some(why),
        (None, Some((_, value)), choice) => enter(app, choice, value),
        (None, None, choice) => return carry_out(app, purpose, choice, typed),
    }
    None
}

/// Enters the value that was typed behind the name of an item. If it is wrong, its line opens.
fn enter(app: &mut App, choice: MenuChoice, text: &str) {
    app.overlays.pop();
    match choice {
        MenuChoice::Setting(key) => {
            let before = app.settings.clone();
            set_to(app, key, text);
            if app.settings == before {
                app.notify(format!("{key}: not changed by \"{}\"", safe_text(text)));
            }
        }
        MenuChoice::Type(kind) => {
            let value = changes::prompt(app, kind).with_text(text);
            if let Err(why) = entered(app, &value) {
                app.overlays.push(Overlay::Value(ValueInput { error: Some(why), ..value }));
            }
        }
        _ => {}
    }
}

/// Carries out a choice; lists with several choices stay open. `typed` is the line above the list.
fn carry_out(app: &mut App, purpose: MenuPurpose, choice: MenuChoice, typed: String) -> Option<C> {
    let stays_open = match &choice {
        MenuChoice::Column(_) => purpose == MenuPurpose::Columns,
        MenuChoice::Setting(_) => purpose == MenuPurpose::Settings,
        choice => matches!(choice, MenuChoice::Record(_)),
    };
    if !stays_open {
        app.overlays.pop();
    }
    match choice {
        MenuChoice::Command(command) => return Some(command),
        MenuChoice::Lesson(place) => learn::begin(app, place),
        MenuChoice::Predict(place) => learn::predict(app, Some(place)),
        MenuChoice::Explain(origin) => {
            let page = figures::explanation(app, &origin);
            app.overlays.push(Overlay::Page(page));
        }
        MenuChoice::Column(id) if stays_open => toggle_column(app, id),
        MenuChoice::Column(id) => sort(app, id),
        MenuChoice::Setting(key) if stays_open => set(app, key),
        MenuChoice::Setting(key) => menus::settings_at(app, key),
        MenuChoice::Plan(request) => changes::plan(app, request),
        MenuChoice::PlanTyped => changes::plan(app, ChangeRequest::Command(typed)),
        MenuChoice::WhatIf(load) => what_if::ask_under(app, load),
        MenuChoice::Type(what) => changes::ask(app, what),
        MenuChoice::Row(place) => menus::show_row(app, place),
        MenuChoice::Subject(subject) => subject::open(app, subject),
        MenuChoice::Copy(text) => figures::copied(app, text),
        MenuChoice::SaveTable(format) => figures::save_table(app, format),
        MenuChoice::CopyTable => figures::copy_table(app),
        MenuChoice::Record(number) => changes::record(app, number),
        MenuChoice::Save => {
            app.remember_tables();
            app.emit(Effect::Save(Box::new(app.settings.clone())));
        }
    }
    None
}

fn sort(app: &mut App, id: &'static str) {
    let Some(sheet) = app.sheet() else { return };
    let infos = (sheet.query.spec.infos)();
    let number = infos.iter().any(|info| info.id == id && info.unit.is_number());
    commands::sort_by_id(app, id, number);
}

/// Shows or hides a column; the list stays open.
fn toggle_column(app: &mut App, id: &'static str) {
    let Some(sheet) = app.sheet_mut() else { return };
    let mut ids = sheet.ids();
    match ids.iter().position(|shown| *shown == id) {
        Some(place) => {
            ids.remove(place);
        }
        None => ids.push(id),
    }
    let asked = if ids.is_empty() {
        Err("at least one column has to stay".to_owned())
    } else {
        sheet.change_request(|request| request.columns = Some(ids.join(",")))
    };
    let items = menus::column_items(app, |shown, _| shown);
    refresh(app, items, asked.err());
}

fn refresh(app: &mut App, new: Vec<MenuItem>, problem: Option<String>) {
    if let Some(Overlay::Menu(Menu { items, error, .. })) = app.overlays.last_mut() {
        *items = new;
        *error = problem;
    }
}

/// Changes a setting: words advance to the next one, other values are typed.
fn set(app: &mut App, key: &'static str) {
    let Some(setting) = menus::setting(key) else { return };
    let now = setting.get.map(|get| get(&app.settings, "")).unwrap_or_default();
    if let Some(next) = next_value(setting.takes, &now, false) {
        return set_to(app, key, next);
    }
    let value = ValueInput::new(PromptKind::Setting(key), setting.takes.describe());
    app.overlays.push(Overlay::Value(value.with_text(&now)));
}

/// Changes a setting to the previous or next word, if it accepts only words.
fn turn_setting(app: &mut App, key: &'static str, back: bool) {
    let Some(setting) = menus::setting(key) else { return };
    let now = setting.get.map(|get| get(&app.settings, "")).unwrap_or_default();
    if let Some(word) = next_value(setting.takes, &now, back) {
        return set_to(app, key, word);
    }
    app.notify("press Enter to type another value");
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
pub(super) fn set_to(app: &mut App, key: &'static str, value: &str) {
    let Some(setting) = menus::setting(key) else { return };
    let mut settings = app.settings.clone();
    let problem = setting.set_text(&mut settings, "", value).err();
    if problem.is_none() {
        app.adopt(settings);
    }
    let items = menus::setting_items(app);
    refresh(app, items, problem);
}

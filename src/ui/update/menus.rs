//! The lists and pages that commands open.

use super::{
    App, C, Menu, MenuChoice, MenuItem, MenuPurpose, Overlay, PageLine, PaneState, TextPage,
};
use crate::config::KeySpec;
use crate::derive::state::SwapState;
use crate::ui::availability::{NO_LESSON, unavailable_reason};
use crate::ui::command::{COMMANDS, CommandGroup};
use crate::ui::page::TableRow;
use crate::ui::screens::legend;
use crate::ui::settings::{SETTINGS, Settings};
use crate::ui::table_state::TableState;
use crate::ui::theme::Role;
use crate::ui::{confirm, palette};

/// Opens the palette.
pub(super) fn palette(app: &mut App) {
    let items = palette_items(app);
    app.overlays.push(Overlay::Menu(Menu::searched(MenuPurpose::Palette, items)));
}

/// Lists in the open palette what the newest sample contains.
pub(super) fn refresh_palette(app: &mut App) {
    let is_palette = |menu: &Menu| menu.purpose == MenuPurpose::Palette;
    if !matches!(app.overlays.last(), Some(Overlay::Menu(menu)) if is_palette(menu)) {
        return;
    }
    // The items say which tables can be exported.
    app.refresh();
    let new = palette_items(app);
    let Some(Overlay::Menu(menu)) = app.overlays.last_mut() else { return };
    // The selected item stays selected.
    let chosen = menu.matching_items().get(menu.selected).map(|item| item.name.clone());
    menu.items = new;
    let found = menu.matching_items();
    let place = found.iter().position(|item| Some(&item.name) == chosen.as_ref());
    let place = place.unwrap_or(menu.selected).min(found.len().saturating_sub(1));
    menu.selected = place;
}

fn palette_items(app: &mut App) -> Vec<MenuItem> {
    app.judge();
    let mut items = palette::items(app);
    let settings = setting_items(app).into_iter().filter(MenuItem::takes_value);
    items.extend(settings.map(|it| MenuItem { name: format!("set {}", it.name), ..it }));
    items.extend(palette::explainable(app));
    items
}

/// The place of a table on a screen.
pub(super) struct SheetPlace {
    screen: usize,
    pane: usize,
    sheet: usize,
}

/// Finds the first screen that has a table.
pub(super) fn sheet_of(app: &App, table: &str) -> Option<SheetPlace> {
    let sheet_of = |pane: &PaneState| pane.sheets.iter().position(|it| it.info.table == table);
    app.source.screens.iter().enumerate().find_map(|(screen, state)| {
        let mut panes = state.panes.iter().enumerate();
        panes.find_map(|(pane, it)| Some(SheetPlace { screen, pane, sheet: sheet_of(it)? }))
    })
}

/// Shows a row of a table on the first screen that has the table.
pub(super) fn show_row(app: &mut App, place: TableRow) {
    let TableRow { table, row } = place;
    let Some(SheetPlace { screen, pane, sheet }) = sheet_of(app, table) else { return };
    super::subject::leave_all(app);
    app.screen = screen;
    app.focus(pane);
    if let Some(pane) = app.pane_mut() {
        pane.sheet = sheet;
    }
    app.refresh();
    if !app.sheet_mut().is_some_and(|sheet| sheet.select_named(&row)) {
        // The row may be filtered, or left out by default.
        if let Some(sheet) = app.sheet_mut() {
            // A request without a filter is always valid.
            let _ = sheet.change_request(|request| (request.filter, request.all) = (None, true));
        }
        app.refresh();
        if let Some(sheet) = app.sheet_mut() {
            sheet.select_named(&row);
        }
    }
}

/// Opens the list of columns to show.
pub(super) fn columns(app: &mut App) {
    let items = column_items(app, |shown, _| shown);
    app.overlays.push(Overlay::Menu(Menu::searched(MenuPurpose::Columns, items)));
}

/// Opens the list of columns to sort by.
pub(super) fn sort(app: &mut App) {
    let items = column_items(app, |_, sorted| sorted);
    app.overlays.push(Overlay::Menu(Menu::searched(MenuPurpose::Sort, items)));
}

/// Opens the list of ways to export the table.
pub(super) fn export(app: &mut App) {
    let Some(rows) = app.sheet().and_then(TableState::rows) else { return };
    let (rows, pane) = (rows.cells.len(), app.pane_info().map_or("", |pane| pane.title));
    let about = match rows {
        1 => format!("{pane}, 1 row"),
        _ => format!("{pane}, {rows} rows"),
    };
    let menu = Menu { about, ..Menu::new(MenuPurpose::Export, palette::export_items(app)) };
    app.overlays.push(Overlay::Menu(menu));
}

/// One item for each column; `on` gets whether the column is shown, and whether it is sorted by.
pub(super) fn column_items(app: &App, on: impl Fn(bool, bool) -> bool) -> Vec<MenuItem> {
    let Some(sheet) = app.sheet() else { return vec![] };
    let shown = sheet.ids();
    let sorted = sheet.sort_id();
    let infos = (sheet.query.spec.infos)();
    let item = |info: &&'static crate::columns::Info| MenuItem {
        on: Some(on(shown.contains(&info.id), sorted == Some(info.id))),
        ..MenuItem::new(info.id, info.help, MenuChoice::Column(info.id)).noted(info.head)
    };
    infos.iter().map(item).collect()
}

/// Opens the list of settings.
pub(super) fn settings(app: &mut App) {
    let items = setting_items(app);
    app.overlays.push(Overlay::Menu(Menu::new(MenuPurpose::Settings, items)));
}

/// Opens the list of settings with this setting selected.
pub(super) fn settings_at(app: &mut App, key: &'static str) {
    settings(app);
    if let Some(Overlay::Menu(menu)) = app.overlays.last_mut() {
        let here = |item: &MenuItem| item.choice == MenuChoice::Setting(key);
        menu.selected = menu.items.iter().position(here).unwrap_or(0);
    }
}

/// One item for each setting, and one that saves them.
pub(super) fn setting_items(app: &App) -> Vec<MenuItem> {
    let item = |setting: &KeySpec<Settings>| {
        let help = format!("{}: {}.", setting.help, setting.takes.describe());
        let now = setting.get.map(|get| get(&app.settings, "")).unwrap_or_default();
        MenuItem::new(setting.name, help, MenuChoice::Setting(setting.name)).noted(now)
    };
    let help = "Write the changed settings to the settings file.";
    let save = MenuItem::new("save settings", help, MenuChoice::Save)
        .noted(app.save_problem.map_or("", |_| "cannot be saved"))
        .unavailable(app.save_problem.map(str::to_owned));
    std::iter::once(save).chain(SETTINGS.iter().map(item)).collect()
}

/// Help for the focused pane, then all keys, then why some do nothing here; the legend on its second page.
pub(super) fn help(app: &mut App) {
    let mut lines = vec![];
    if let Some(pane) = app.pane_info() {
        lines.push(PageLine::named(pane.title, pane.about));
        lines.push(PageLine::text("Tab and ? again: the next pane."));
        lines.push(PageLine::text(""));
    }
    for group in CommandGroup::ALL {
        lines.push(PageLine::text(group.word()));
        for info in COMMANDS.iter().filter(|info| info.group == group) {
            // The reason why it is unavailable is listed below.
            let is_off = unavailable_reason(app, info.command).is_some();
            let role = if is_off { Role::Faint } else { Role::Text };
            let help = match info.command {
                C::Screen(_) => format!("{}: {}", info.name, info.help),
                _ => info.help.to_owned(),
            };
            lines.push(PageLine::named(info.key_words(), help).as_role(role));
        }
        lines.push(PageLine::text(""));
        if group == CommandGroup::Changes {
            lines.push(PageLine::text("In the dialog of a change, if applicable"));
            let keys = confirm::KEYS.iter();
            lines.extend(keys.map(|(key, help)| PageLine::named(key.to_string(), *help)));
            lines.push(PageLine::text(""));
        }
    }
    lines.extend(unavailable_commands(app));
    lines.extend(own_cost(app));
    let next = TextPage::new("Symbols, colors and words", signs(app));
    let page = TextPage::new(format!("Help: {}", app.shown().question), lines);
    app.overlays.push(Overlay::Page(page.turns_to('?', "symbols and words", next)));
}

/// Why commands are unavailable: each reason once, with its keys.
fn unavailable_commands(app: &App) -> Vec<PageLine> {
    let mut reasons: Vec<(String, Vec<String>)> = vec![];
    for info in COMMANDS {
        // Their keys do other things outside of a lesson.
        let reason = unavailable_reason(app, info.command).filter(|why| why != NO_LESSON);
        let Some(why) = reason else { continue };
        let key = info.keys.first().map(|key| key.words()).unwrap_or_default();
        match reasons.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, keys)) => keys.push(key),
            None => reasons.push((why, vec![key])),
        }
    }
    let line = |(why, keys): (String, Vec<String>)| {
        let text = format!("{}: {why}.", keys.join(" "));
        PageLine::named("Unavailable", text).as_role(Role::Faint)
    };
    reasons.into_iter().map(line).collect()
}

/// The legend of symbols and colors, and the words of the first line.
fn signs(app: &App) -> Vec<PageLine> {
    let mut lines = legend(&app.look);
    lines.push(PageLine::text(""));
    lines.push(PageLine::text("Words of the first line"));
    lines.extend(FIRST_LINE.iter().map(|(word, meaning)| PageLine::named(*word, *meaning)));
    let states = SwapState::ALL.into_iter().filter(|state| *state != SwapState::Unknown);
    let state = |state: SwapState| PageLine::text(format!("{}: {}", state.word(), state.meaning()));
    lines.extend(states.map(state));
    lines
}

/// The words of the first line, except the state of swap.
const FIRST_LINE: &[(&str, &str)] = &[
    ("live 1s", "Live data with the sampling interval (+ and - change it)."),
    ("~ 12s old", "Age of the last sample: the next one is late, and all figures are dimmed."),
    (
        "PAUSED",
        "Paused with the key Z, B or (, with the age of the sample behind the newest; Z returns to live.",
    ),
    (
        "REPLAY",
        "A recording, with the number of the sample; + means that more are being read. PAUSED: playing is paused. END: its last sample.",
    ),
    ("every 1s", "Interval of a recording or a simulated machine (+ and - change it)."),
    ("captured", "A captured tree: one sample, without rates."),
    ("read-only, RO", "Read-only mode: swapadm changes nothing. W enables write mode."),
    ("write mode, RW", "a plans a change; it is carried out after you confirm it."),
    ("REC", "Samples are being recorded to a file (R stops it)."),
];

/// The cost of sampling.
fn own_cost(app: &App) -> Option<PageLine> {
    let cost = app.source.history.newest()?.now.cost;
    let text = format!(
        "the last sample took {} us, including {} us of CPU time",
        cost.wall_us, cost.cpu_us
    );
    Some(PageLine::named("swapadm", text))
}

/// Finds a setting by its name.
pub(super) fn setting(name: &str) -> Option<&'static KeySpec<Settings>> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

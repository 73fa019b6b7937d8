//! The lists and pages that commands open.

use crate::config::KeySpec;
use crate::derive::state::SwapState;
use crate::model::name::safe_text;
use crate::ui::app::App;
use crate::ui::availability::{Availability, availability};
use crate::ui::command::{COMMANDS, CommandGroup, CommandInfo};
use crate::ui::confirm;
use crate::ui::content::{Origin, PaneLine};
use crate::ui::overlay::{Menu, MenuChoice, MenuItem, MenuPurpose, Overlay};
use crate::ui::page::{PageLine, TextPage};
use crate::ui::screens::legend;
use crate::ui::settings::{SETTINGS, Settings};
use crate::ui::theme::Role;

/// Opens the command palette.
pub(super) fn palette(app: &mut App) {
    let commands = COMMANDS.iter().map(|info| MenuItem {
        name: info.name.to_owned(),
        help: info.help.to_owned(),
        note: keys(info),
        on: None,
        off: unavailable_reason(app, info),
        choice: MenuChoice::Command(info.command),
    });
    let mut items: Vec<MenuItem> = commands.collect();
    items.extend(
        setting_items(app)
            .into_iter()
            .filter(is_setting)
            .map(|setting| MenuItem { name: format!("set {}", setting.name), ..setting }),
    );
    items.extend(explainable(app));
    app.overlays.push(Overlay::Menu(Menu::searched(MenuPurpose::Palette, items)));
}

/// The figures of the focused pane that can be explained, visible or not.
fn explainable(app: &App) -> Vec<MenuItem> {
    let Some((pane, moment)) = app.pane().zip(app.moment()) else { return vec![] };
    if let Some(sheet) = app.sheet() {
        let columns = sheet.whole_row(&sheet.whole, moment).into_iter();
        return columns.map(|origin| explanation(origin.info.head, origin)).collect();
    }
    let mut items: Vec<MenuItem> = vec![];
    let figures = pane.lines.iter().flat_map(PaneLine::figures);
    for origin in figures.filter_map(|figure| figure.origin().cloned()) {
        let of = if origin.row.is_empty() { "" } else { " of " };
        let name = format!("{}{of}{}", origin.info.head, safe_text(&origin.row));
        let item = explanation(&name, origin);
        if items.iter().all(|other| other.name != item.name) {
            items.push(item);
        }
    }
    items
}

fn explanation(name: &str, origin: Origin) -> MenuItem {
    MenuItem {
        name: format!("explain {name}"),
        help: origin.info.help.to_owned(),
        note: String::new(),
        on: None,
        off: None,
        choice: MenuChoice::Explain(Box::new(origin)),
    }
}

fn keys(info: &CommandInfo) -> String {
    info.keys.iter().map(|key| key.words()).collect::<Vec<_>>().join(" ")
}

fn unavailable_reason(app: &App, info: &CommandInfo) -> Option<String> {
    match availability(info.command, app) {
        Availability::Available => None,
        Availability::Unavailable(why) => Some(why.into_owned()),
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

/// One item for each column; `on` gets whether the column is shown, and whether it is sorted by.
pub(super) fn column_items(app: &App, on: impl Fn(bool, bool) -> bool) -> Vec<MenuItem> {
    let Some(sheet) = app.sheet() else { return vec![] };
    let shown = sheet.ids();
    let sorted = sheet.sort_id();
    let infos = (sheet.query.spec.infos)();
    let item = |info: &&'static crate::columns::Info| MenuItem {
        name: info.id.to_owned(),
        help: info.help.to_owned(),
        note: info.head.to_owned(),
        on: Some(on(shown.contains(&info.id), sorted == Some(info.id))),
        off: None,
        choice: MenuChoice::Column(info.id),
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

fn is_setting(item: &MenuItem) -> bool {
    matches!(item.choice, MenuChoice::Setting(_))
}

/// One item for each setting, and one that saves them.
pub(super) fn setting_items(app: &App) -> Vec<MenuItem> {
    let item = |setting: &KeySpec<Settings>| MenuItem {
        name: setting.name.to_owned(),
        help: format!("{}: {}.", setting.help, setting.takes.describe()),
        note: setting.get.map(|get| get(&app.settings, "")).unwrap_or_default(),
        on: None,
        off: None,
        choice: MenuChoice::Setting(setting.name),
    };
    let save = MenuItem {
        name: "save settings".to_owned(),
        help: "Write the changed settings to the settings file.".to_owned(),
        note: app.save_problem.map_or_else(String::new, |_| "cannot be saved".to_owned()),
        on: None,
        off: app.save_problem.map(str::to_owned),
        choice: MenuChoice::Save,
    };
    std::iter::once(save).chain(SETTINGS.iter().map(item)).collect()
}

/// Help for the focused pane, then all keys; the legend on its second page.
pub(super) fn help(app: &mut App) {
    let mut lines = vec![];
    if let Some(pane) = app.pane_info() {
        lines.push(PageLine::named(pane.title, pane.about));
    }
    lines.extend(unavailable_commands(app));
    lines.push(PageLine::text(""));
    for group in CommandGroup::ALL {
        lines.push(PageLine::text(group.words()));
        for info in COMMANDS.iter().filter(|info| info.group == group) {
            // The reason why it is unavailable is listed above.
            let (name, text) = (keys(info), info.help.to_owned());
            let role =
                if unavailable_reason(app, info).is_some() { Role::Faint } else { Role::Text };
            lines.push(PageLine { name, text, role });
        }
        lines.push(PageLine::text(""));
        if group == CommandGroup::Changes {
            lines.push(PageLine::text("In the dialog of a change, if applicable"));
            let keys = confirm::KEYS.iter();
            lines.extend(keys.map(|(key, help)| PageLine::named(key.to_string(), *help)));
            lines.push(PageLine::text(""));
        }
    }
    lines.extend(own_cost(app));
    let next = TextPage::new("Symbols, colours and words", signs(app));
    let page = TextPage::new(format!("Help: {}", app.shown().question), lines);
    app.overlays.push(Overlay::Page(page.turns_to('?', "symbols and words", next)));
}

/// Why commands are unavailable: each reason once, with its keys.
fn unavailable_commands(app: &App) -> Vec<PageLine> {
    let mut reasons: Vec<(String, Vec<String>)> = vec![];
    for info in COMMANDS {
        let Some(why) = unavailable_reason(app, info) else { continue };
        let key = info.keys.first().map(|key| key.words()).unwrap_or_default();
        match reasons.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, keys)) => keys.push(key),
            None => reasons.push((why, vec![key])),
        }
    }
    let line = |(why, keys): (String, Vec<String>)| {
        let text = format!("{} - {why}.", keys.join(" "));
        PageLine::named("Unavailable", text).as_role(Role::Faint)
    };
    reasons.into_iter().map(line).collect()
}

/// The legend of symbols and colours, and the words of the first line.
fn signs(app: &App) -> Vec<PageLine> {
    let mut lines = legend(&app.look);
    lines.push(PageLine::text(""));
    lines.push(PageLine::text("Words of the first line"));
    lines.extend(FIRST_LINE.iter().map(|(word, meaning)| PageLine::named(*word, *meaning)));
    let states = SwapState::ALL.into_iter().filter(|state| *state != SwapState::Unknown);
    let state =
        |state: SwapState| PageLine::text(format!("{}: {}", state.words(), state.meaning()));
    lines.extend(states.map(state));
    lines
}

/// The words of the first line, except the state of swap.
const FIRST_LINE: &[(&str, &str)] = &[
    ("live 1s", "Live data with the sampling interval (+ and - change it)."),
    ("~ 12s old", "Age of the last sample: the next one is late, and all figures are dimmed."),
    ("PAUSED", "A paused sample (Z, ( or B), with its age behind the newest; Z returns to live."),
    (
        "REPLAY",
        "A recording, with the number of the sample; + means that more are being read. PAUSED: playing is paused. END: its last sample.",
    ),
    ("every 1s", "Interval at which a recording is played (+ and - change it)."),
    ("captured", "A captured tree: one sample, without rates."),
    ("read-only, RO", "Read-only mode: swapadm changes nothing. W enables write mode."),
    ("write mode, RW", "a plans a change; it is carried out after you confirm it."),
    ("REC", "Samples are being recorded to a file (R stops it)."),
];

/// The cost of sampling.
fn own_cost(app: &App) -> Option<PageLine> {
    let cost = app.history.newest()?.now.cost;
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

//! The palette: everything on this machine and in this program that can be found by name.

use super::app::App;
use super::availability::unavailable_reason;
use super::change::ChangeRequest;
use super::command::{COMMANDS, CommandInfo, UiCommand};
use super::content::{Origin, PaneLine};
use super::overlay::{MenuChoice, MenuItem};
use super::page::TableRow;
use super::table_query::ids::findings;
use super::table_query::{TableQuery, ask};
use super::{history, row_actions};
use crate::columns::export::{TableExport, TableFormat};
use crate::columns::units::size;
use crate::columns::{Query, Rows};
use crate::learn::builtin_lessons;
use crate::model::knob::KNOBS;
use crate::model::name::safe_text;
use crate::model::subject::DetailTarget;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Reading};

/// The columns of findings that the palette shows.
const FINDINGS: TableQuery = ask!(findings: SEVERITY RULE SUMMARY FIX);

/// All items; among those that match equally well, the first ones come first.
pub fn items(app: &App) -> Vec<MenuItem> {
    let mut items = Vec::new();
    let is_changeable = app.why_unchangeable().is_none();
    let changes = |mut items: Vec<MenuItem>| {
        items.retain(|item| is_changeable || item.asks_what_if());
        row_actions::marked(app, items)
    };
    items.extend(changes(row_actions::general(app)));
    items.extend(COMMANDS.iter().map(|info| command(app, info)));
    items.extend(export_items(app));
    items.extend(finding_items(app, is_changeable));
    for area in app.areas() {
        let (row, object) = (area.path.exact(), object(app.areas(), area));
        items.push(area_item(area, &row));
        items.extend(changes(row_actions::for_object(app, "devices", &row, &object)));
    }
    let unused = app.moment().map_or(&[][..], |moment| moment.now.zram.reading.known_items());
    let unused = unused.iter().map(|device| device.name.as_str());
    let is_unused = |name: &&str| !app.areas().iter().any(|area| area.path.base().safe() == **name);
    for name in unused.filter(is_unused) {
        items.extend(changes(row_actions::for_object(app, "zram", name, name)));
    }
    let knobs = KNOBS.iter();
    items.extend(changes(
        knobs.flat_map(|knob| row_actions::for_object(app, "knobs", knob.id, knob.id)).collect(),
    ));
    items.extend(group_items(app, is_changeable));
    items.extend(process_items(app, is_changeable));
    items.extend(lesson_items(app));
    if is_changeable {
        let help = "Plan the command that is typed here, as swapadm would run it in a shell.";
        items.push(MenuItem::new("plan this command", help, MenuChoice::PlanTyped));
    }
    items
}

fn command(app: &App, info: &CommandInfo) -> MenuItem {
    MenuItem::new(info.name, info.help, MenuChoice::Command(info.command))
        .noted(info.key_words())
        .unavailable(unavailable_reason(app, info.command))
}

/// Each lesson, with the steps done.
fn lesson_items(app: &App) -> impl Iterator<Item = MenuItem> {
    builtin_lessons().iter().enumerate().map(|(place, lesson)| {
        let (done, steps) = (app.learn.progress.get(&lesson.name).done, lesson.steps.len());
        let name = format!("lesson {}", lesson.name);
        let note = format!("{} of {steps} steps", done.min(steps));
        MenuItem::new(name, &lesson.about, MenuChoice::Lesson(place))
            .noted(note)
            .also(&lesson.title)
    })
}

/// The shortest name of an area that no other one has.
fn object(areas: &[SwapArea], area: &SwapArea) -> String {
    let base = area.path.base();
    let same = areas.iter().filter(|other| other.path.base() == base).count();
    if same > 1 { area.path.safe() } else { base.safe() }
}

fn row(table: &'static str, row: impl Into<String>) -> MenuChoice {
    MenuChoice::Row(TableRow { table, row: row.into() })
}

fn area_item(area: &SwapArea, name: &str) -> MenuItem {
    let known =
        |bytes: &Reading<Bytes>| bytes.known().map_or_else(|| "-".to_owned(), |it| size(*it));
    let (used, all) = (known(&area.used), size(area.size));
    let note = format!("{used} of {all}, priority {}", area.priority);
    let help = "Show the area on the screen of devices.";
    MenuItem::new(format!("area {}", area.path.safe()), help, row("devices", name)).noted(note)
}

/// Each finding, which leads to its page, and the command that fixes it.
fn finding_items(app: &App, is_changeable: bool) -> Vec<MenuItem> {
    let Some(query) = FINDINGS.query() else { return Vec::new() };
    let Ok(rows) = app.rows(&query).into_result() else { return Vec::new() };
    (0..rows.cells.len())
        .flat_map(|row| finding_item(&query, &rows, row).into_iter().chain(fix_item(&rows, row)))
        .filter(|item| is_changeable || !matches!(item.choice, MenuChoice::Plan(_)))
        .collect()
}

fn finding_item(query: &Query, rows: &Rows, row: usize) -> Option<MenuItem> {
    let name = history::row_name(query.spec, rows.keys.get(row)?);
    let info = *rows.infos.get(rows.place(findings::SUMMARY.id)?)?;
    let value = rows.value(row, findings::SUMMARY)?.clone();
    let summary = rows.text(row, findings::SUMMARY);
    let origin = Origin { table: query.spec.name, row: name.clone(), info, value, span: None };
    let help = format!("{summary}. Enter explains it, with its evidence and what to do.");
    let item = MenuItem::new(
        format!("finding {}", safe_text(&name)),
        help,
        MenuChoice::Explain(Box::new(origin)),
    );
    Some(item.noted(rows.text(row, findings::SEVERITY)).also(summary))
}

fn fix_item(rows: &Rows, row: usize) -> Option<MenuItem> {
    let fix = rows.value(row, findings::FIX).filter(|fix| fix.missing().is_none())?.plain();
    let command = fix.strip_prefix("swapadm ")?.to_owned();
    let summary = rows.text(row, findings::SUMMARY);
    let name = format!("fix {}", rows.text(row, findings::RULE));
    let help = format!("{summary}: {}.", safe_text(&fix));
    Some(MenuItem::new(name, help, MenuChoice::Plan(ChangeRequest::Command(command))).also(summary))
}

fn group_items(app: &App, is_changeable: bool) -> Vec<MenuItem> {
    let tree = app.moment().and_then(|moment| moment.now.cgroups.reading.known());
    let groups = tree.iter().flat_map(|tree| &tree.groups);
    groups
        .flat_map(|group| {
            let (name, shown) = (group.path.exact(), group.path.safe());
            let used = group.swap_current.known().map_or_else(String::new, |used| size(*used));
            let help = "Show the cgroup in detail: events, limits, and who is inside.";
            let mut actions = row_actions::for_object(app, "cgroups", &name, &shown);
            // Its page comes first, on any machine.
            actions.retain(|item| is_changeable && !matches!(item.choice, MenuChoice::Subject(_)));
            let item = MenuItem::new(
                format!("cgroup {shown}"),
                help,
                MenuChoice::Subject(DetailTarget::Cgroup(group.path.clone())),
            );
            std::iter::once(item.noted(used)).chain(row_actions::marked(app, actions))
        })
        .collect()
}

/// Each process, and the action that brings its pages back from swap.
fn process_items(app: &App, is_changeable: bool) -> impl Iterator<Item = MenuItem> {
    let table = app.moment().and_then(|moment| moment.now.processes.reading.known());
    table.into_iter().flat_map(|table| table.processes.iter()).flat_map(move |process| {
        let pid = process.pid;
        let used = match &process.swap {
            Reading::Known(used) => size(*used),
            Reading::Missing { .. } => String::new(),
        };
        let name = format!("process {pid} {}", process.comm.safe());
        let help = "Show the process in detail: its mappings in swap, cgroup and waits.";
        let page = MenuItem::new(name, help, MenuChoice::Subject(DetailTarget::Process(pid)));
        let is_swapped = process.swap.known().is_some_and(|used| *used > Bytes(0));
        let object = format!("{pid} {}", process.comm.safe());
        let row = (is_changeable && is_swapped).then(|| pid.to_string());
        let actions = row.iter().flat_map(|row| {
            let mut actions = row_actions::for_object(app, "processes", row, &object);
            // The palette lists the actions on its cgroup with the cgroup, and its page above.
            actions.retain(|item| matches!(item.choice, MenuChoice::Plan(_)));
            row_actions::marked(app, actions)
        });
        std::iter::once(page.noted(used)).chain(actions).collect::<Vec<_>>()
    })
}

/// The figures of the focused pane that can be explained, visible or not.
pub fn explainable(app: &App) -> Vec<MenuItem> {
    let Some((pane, moment)) = app.pane().zip(app.moment()) else { return vec![] };
    if let Some(sheet) = app.sheet() {
        let columns = sheet.whole_row(moment).into_iter();
        return columns.map(|origin| explanation(origin.info.head, origin)).collect();
    }
    let mut items: Vec<MenuItem> = vec![];
    let figures = pane.lines.iter().flat_map(PaneLine::figures);
    for origin in figures.filter_map(|figure| figure.origin().cloned()) {
        let of = if origin.row.is_empty() { "" } else { " of " };
        let name = format!("{}{of}{}", origin.info.head, origin.row_words());
        let item = explanation(&name, origin);
        if items.iter().all(|other| other.name != item.name) {
            items.push(item);
        }
    }
    items
}

fn explanation(name: &str, origin: Origin) -> MenuItem {
    let help = origin.info.help;
    MenuItem::new(format!("explain {name}"), help, MenuChoice::Explain(Box::new(origin)))
}

/// The table of the focused pane, if it has one that could be read.
pub fn shown_table(app: &App) -> Option<TableExport> {
    let (sheet, moment) = app.sheet().zip(app.moment())?;
    Some(TableExport {
        table: sheet.query.spec.name,
        rows: sheet.shown_rows()?,
        snapshot: moment.now.clone(),
        seconds: moment.view().seconds(),
    })
}

/// The ways to export the table.
pub fn export_items(app: &App) -> Vec<MenuItem> {
    let off = unavailable_reason(app, UiCommand::Export);
    let save = |format: TableFormat| {
        let name = format!("save table as {}", format.word());
        let help = format!("Write the table to a new file. {}", format.help());
        MenuItem::new(name, help, MenuChoice::SaveTable(format)).also("export write")
    };
    let help = "Copy the table to the clipboard of the terminal, as Markdown.";
    let copy = MenuItem::new("copy table", help, MenuChoice::CopyTable)
        .noted("y")
        .also("export Markdown clipboard");
    let items = TableFormat::ALL.map(save).into_iter().chain([copy]);
    items.map(|item| item.unavailable(off.clone())).collect()
}

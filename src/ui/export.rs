//! Exporting the table on screen, with its filter, order and columns.

use super::app::App;
use super::availability::unavailable_reason;
use super::command::UiCommand;
use super::overlay::{MenuChoice, MenuItem};
use crate::columns::export::{TableExport, TableFormat};

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
pub fn items(app: &App) -> Vec<MenuItem> {
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

//! Exporting the table on screen, with its filter, order and columns.

use super::app::App;
use super::availability::unavailable_reason;
use super::command::UiCommand;
use super::overlay::{MenuChoice, MenuItem};
use crate::columns::Rows;
use crate::model::Snapshot;

/// The format of an exported table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Comma-separated values.
    Csv,
    /// JSON.
    Json,
    /// Markdown.
    Markdown,
}

impl TableFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Json, Self::Markdown];

    /// The name of the format.
    pub fn words(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Markdown => "Markdown",
        }
    }

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Markdown => "md",
        }
    }

    /// What the values are like.
    fn help(self) -> &'static str {
        match self {
            Self::Csv => {
                "Values in base units, missing ones empty, below the names of the columns."
            }
            Self::Json => "Values in base units, missing ones null with the reason.",
            Self::Markdown => "Headings and values as on screen.",
        }
    }
}

/// A table as it is on screen.
#[derive(Clone, Debug, PartialEq)]
pub struct TableExport {
    /// The name of the table.
    pub table: &'static str,
    /// The rows and columns that are shown, in their order.
    pub rows: Rows,
    /// The sample.
    pub snapshot: Snapshot,
    /// Seconds since the sample before, if there is one.
    pub seconds: Option<f64>,
}

impl TableExport {
    /// The table of the focused pane, if it has one that could be read.
    pub fn shown(app: &App) -> Option<Self> {
        let (sheet, moment) = app.sheet().zip(app.moment())?;
        Some(Self {
            table: sheet.query.spec.name,
            rows: sheet.shown_rows()?,
            snapshot: moment.now.clone(),
            seconds: moment.view().seconds(),
        })
    }
}

/// The ways to export the table.
pub fn items(app: &App) -> Vec<MenuItem> {
    let off = unavailable_reason(app, UiCommand::Export);
    let save = |format: TableFormat| {
        let name = format!("save table as {}", format.words());
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

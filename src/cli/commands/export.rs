//! The text of a table that is exported by the interface.

use super::table::unknown;
use crate::cli::exit::CommandResult;
use crate::cli::out;
use crate::columns::export::{TableExport, TableFormat};
use crate::columns::{Rows, tables};
use crate::model::Reading;
use crate::report::json::ReportDocument;
use crate::report::{csv, markdown};

/// The text of a table in a format: the same as the command of the table prints.
///
/// # Errors
/// The table cannot be written as JSON.
pub(super) fn format_table(export: &TableExport, format: TableFormat) -> CommandResult<String> {
    let spec = tables::find(export.table).ok_or_else(|| unknown(export.table))?;
    let TableExport { rows, snapshot, seconds, .. } = export;
    match format {
        TableFormat::Csv => Ok(csv::table(rows)),
        TableFormat::Json => out::json_text(&ReportDocument {
            command: spec.name,
            snapshot,
            seconds: *seconds,
            tables: vec![(spec, Reading::Known(rows.clone()))],
            whole: false,
        }),
        TableFormat::Markdown => {
            let simulated = snapshot.simulated.as_deref();
            let title =
                simulated.map(|machine| format!("{}: simulated machine {machine}", spec.title));
            let rows = Rows { title, ..rows.clone() };
            Ok(markdown::table(spec, &rows, true, false))
        }
    }
}

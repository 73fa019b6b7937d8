//! The command that fixes a finding.

use super::app::App;
use super::availability::unavailable_reason;
use super::command::UiCommand;
use super::content::Origin;
use super::history;
use super::pane::PaneState;
use crate::columns::tables::findings;
use crate::columns::{Query, Request, Value, tables};

/// The command line that fixes the selected finding.
pub fn selected_fix(app: &App) -> Option<String> {
    let origin = app.pane().and_then(PaneState::origin)?;
    (origin.table == findings::SPEC.name).then(|| fix_text(app, &origin))?
}

/// Can the selected finding be fixed by a plan?
pub fn has_plan(app: &App) -> bool {
    selected_fix(app).is_some_and(|fix| fix_command(app, &fix).is_some())
}

/// The command line that fixes a finding.
pub(super) fn fix_text(app: &App, origin: &Origin) -> Option<String> {
    Some(cell_in_row(app, origin, findings::id::FIX.id)?.0.plain())
}

/// A command line without the name of this program; none where nothing can be planned.
pub(super) fn fix_command(app: &App, fix: &str) -> Option<String> {
    let can_plan = unavailable_reason(app, UiCommand::SetUp).is_none();
    Some(fix.strip_prefix("swapadm ").filter(|_| can_plan)?.to_owned())
}

/// Another column in the same row, and its text; none if it is missing.
pub(super) fn cell_in_row(app: &App, origin: &Origin, column: &str) -> Option<(Value, String)> {
    let spec = tables::find(origin.table)?;
    let columns = Some(column.to_owned());
    let request = Request { columns, all: true, ..Request::default() };
    let query = Query::new(spec, &request).ok()?;
    let rows = app.rows(&query).into_result().ok()?;
    let row = rows.keys.iter().position(|key| history::row_name(spec, key) == origin.row)?;
    let value = rows.value(row, column)?.clone();
    value.missing().is_none().then(|| (value, rows.text(row, column)))
}

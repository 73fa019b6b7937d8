//! Explaining and copying figures, describing rows.

use super::{
    App, ChangeRequest, Effect, Overlay, PageLine, PaneState, SourceKind, TextPage, changes, menus,
    safe_text, subject,
};
use crate::advice::EvidenceCell;
use crate::columns::export::TableFormat;
use crate::columns::tables::findings::{self, id};
use crate::columns::{ColumnId, Value, tables, units};
use crate::model::subject::DetailTarget;
use crate::model::text::{self, format_time_of_day};
use crate::ui::chart_view::ChartView;
use crate::ui::content::{Origin, clip, row_words};
use crate::ui::fix::{cell_in_row, fix_command, fix_text, selected_fix};
use crate::ui::page::{PageTarget, TableRow};
use crate::ui::palette::shown_table;
use crate::ui::row_page::RowPage;
use crate::ui::subject::{CGROUPS, PROCESSES, selected};

/// Opens the plan of the selected finding, the details of the selected row, or the selected figure over time; a
/// figure that is not a number is explained. In a table, a column that was chosen is a figure too.
pub(super) fn open(app: &mut App) {
    if let Some(command) = selected_fix(app).and_then(|fix| fix_command(app, &fix)) {
        return changes::plan(app, ChangeRequest::Command(command));
    }
    if let Some(subject) = selected(app).filter(|it| app.subject.as_ref() != Some(it)) {
        return subject::open(app, subject);
    }
    let is_row = app.sheet().is_some_and(|sheet| sheet.chosen.is_none());
    let origin = app.pane().and_then(PaneState::origin).filter(|_| !is_row);
    let view = origin.zip(app.moment_number());
    match view.and_then(|(origin, moment)| ChartView::new(origin, &app.source.history, moment)) {
        Some(view) => app.overlays.push(Overlay::Chart(Box::new(view))),
        None if app.sheet().is_some() => describe(app),
        None => explain(app),
    }
}

/// The name of the table of findings.
const FINDINGS: &str = findings::SPEC.name;

/// Width of copied text that is shown: two lines of a narrow terminal.
const MOST_SHOWN: usize = 76;

/// Explains the selected figure.
pub(super) fn explain(app: &mut App) {
    if let Some(origin) = app.pane().and_then(PaneState::origin) {
        let page = explanation(app, &origin);
        app.overlays.push(Overlay::Page(page));
    }
}

/// The page about a figure: its meaning, source, and the command that prints it.
pub(super) fn explanation(app: &App, origin: &Origin) -> TextPage {
    let Origin { table, row, info, value, span } = origin;
    if *table == FINDINGS {
        return finding(app, origin);
    }
    let command = command_of(app, origin);
    let since = if info.since.is_empty() { "5.10 or before" } else { info.since };
    let mut lines = vec![PageLine::named("Value", origin.full_value())];
    if let Some(missing) = value.missing() {
        lines.push(PageLine::named("Why", missing.to_string()));
    }
    // The figure goes on changing behind the page.
    let now = app.moment().map(|moment| format_time_of_day(moment.now.stamp.wall_ms));
    lines.extend(now.map(|now| PageLine::named("As of", now)));
    lines.push(PageLine::named("What", info.help));
    lines.extend(row_help(app, origin).map(|help| PageLine::named("This row", help)));
    lines.extend(span.map(|span| PageLine::named("Over", over(app, span))));
    lines.push(PageLine::named("Unit", info.unit.word()));
    lines.push(PageLine::named("From", source(app, origin)));
    lines.push(PageLine::named("Since", format!("Linux {since}")));
    if !row.is_empty() {
        lines.push(PageLine::named("Row", origin.row_words()));
    }
    lines.push(PageLine::named("Command", command.clone()));
    let of_table = tables::find(table).map_or("", |spec| spec.title);
    let title = format!("{}: {of_table}", info.head);
    TextPage { copy: Some(command), ..TextPage::new(title, lines) }
}

/// The page about a finding; the command that fixes it can be copied.
fn finding(app: &App, origin: &Origin) -> TextPage {
    const PARTS: [(&str, ColumnId); 6] = [
        ("What", id::SUMMARY),
        ("Severity", id::SEVERITY),
        ("Meaning", id::EXPLANATION),
        ("Evidence", id::EVIDENCE),
        ("Certainty", id::CERTAINTY),
        ("To do", id::FIX),
    ];
    let line = |(name, column): (&'static str, ColumnId)| {
        Some(PageLine::named(name, in_row(app, origin, column.id)?))
    };
    let mut lines: Vec<PageLine> = PARTS.into_iter().filter_map(line).collect();
    let rule = in_row(app, origin, id::RULE.id).unwrap_or_default();
    let place = place_of_finding(app, origin);
    if fix_text(app, origin).is_none() {
        let seen = place.as_ref().map_or_else(String::new, |TableRow { table, row }| {
            format!("; Enter shows {} in the table {table}", row_words(table, row))
        });
        lines.push(PageLine::named("To do", format!("no command fixes it: see its meaning{seen}")));
    }
    lines.push(PageLine::named("More", format!("swapadm advise --explain {rule}")));
    let fix = fix_text(app, origin);
    let plan = fix.as_ref().and_then(|fix| fix_command(app, fix));
    let enter = plan.map(PageTarget::Plan).or(place.clone().map(PageTarget::Row));
    let copy = Some(fix.unwrap_or_else(|| command_of(app, origin)));
    TextPage { copy, enter, subject: place, ..TextPage::new(format!("Finding: {rule}"), lines) }
}

/// The row in which a finding is seen: the first one among its figures that a screen lists.
pub(super) fn place_of_finding(app: &App, origin: &Origin) -> Option<TableRow> {
    let finding = app.source.recent.finding(&origin.row)?;
    let cells = finding.evidence.iter().filter(|cell| !cell.row.is_empty());
    let place = |cell: &EvidenceCell| TableRow { table: cell.table, row: cell.row.clone() };
    cells.map(place).find(|place| menus::sheet_of(app, place.table).is_some())
}

/// The span of a rate, if it is longer than the time between two samples.
fn over(app: &App, span: f64) -> String {
    let time = units::seconds(span);
    if app.is_live() {
        return format!("the last {time}, instead of the time between two samples");
    }
    format!("the last {time}; for a recording, the command prints the rate between two samples")
}

/// The description of the row, in tables that have one.
fn row_help(app: &App, origin: &Origin) -> Option<String> {
    const COLUMN: &str = "description";
    let spec = tables::find(origin.table)?;
    spec.find(COLUMN).ok().filter(|_| origin.info.id != COLUMN)?;
    in_row(app, origin, COLUMN)
}

/// The source files of the figure. A heading in capitals in them, such as PID, is replaced by the value in the row.
fn source(app: &App, origin: &Origin) -> String {
    const BELOW_HEADING: &str = "the file in ";
    let words = origin.info.source.split_inclusive(|c: char| !c.is_alphanumeric());
    let infos = tables::find(origin.table).map(|spec| (spec.infos)()).unwrap_or_default();
    let of_row = |word: &str| {
        let heading = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_heading = heading.starts_with(|c: char| c.is_ascii_uppercase());
        let info = infos.iter().find(|info| is_heading && info.head == heading)?;
        Some(word.replace(heading, &in_row(app, origin, info.id)?))
    };
    let source: String =
        words.map(|word| of_row(word).unwrap_or_else(|| word.to_owned())).collect();
    source.strip_prefix(BELOW_HEADING).unwrap_or(&source).to_owned()
}

/// The text of another column in the same row.
fn in_row(app: &App, origin: &Origin, column: &str) -> Option<String> {
    let (value, text) = cell_in_row(app, origin, column)?;
    // Items that are several words each need more than a blank between them.
    Some(match value {
        Value::List(items) if items.iter().any(|item| item.contains(' ')) => {
            safe_text(&items.join("; "))
        }
        _ => safe_text(&text),
    })
}

/// The command that prints a figure from the same source, and from the same sample of a
/// recording.
fn command_of(app: &App, origin: &Origin) -> String {
    if let Some(shown) = shown_by_subject(app, origin) {
        return format!("swapadm{} {shown}", source_of(app));
    }
    let Origin { table, row, info, span, .. } = origin;
    // A recording has its own interval.
    let interval =
        (info.needs_two_samples && app.is_live()).then(|| span.unwrap_or(1.0).round().max(1.0));
    let two = interval.map_or_else(String::new, |interval| format!(" --interval {interval}"));
    let spec = tables::find(table);
    let key = spec.map_or("", |spec| spec.key);
    let all = if spec.is_some_and(|spec| spec.only.is_some()) { " --all" } else { "" };
    let columns = if row.is_empty() || key == info.id {
        info.id.to_owned()
    } else {
        format!("{key},{}", info.id)
    };
    format!("swapadm{} report {table}{all} -o {columns}{two}", source_of(app))
}

/// The command that shows the open page of a process or cgroup, if the figure belongs to that page: the report of its
/// table may lack it.
fn shown_by_subject(app: &App, Origin { table, row, .. }: &Origin) -> Option<String> {
    let is_shown = |own: &str| row == own || ![PROCESSES, CGROUPS].contains(table);
    match app.subject.as_ref()? {
        DetailTarget::Process(pid) if is_shown(&pid.to_string()) => {
            Some(format!("process show {pid}"))
        }
        DetailTarget::Cgroup(path) if is_shown(&path.exact()) => {
            Some(format!("cgroup show {}", shell_word(&path.text())))
        }
        DetailTarget::Process(_) | DetailTarget::Cgroup(_) => None,
    }
}

/// The options that select the source and sample on screen.
pub(super) fn source_of(app: &App) -> String {
    let source = shell_word(&app.source.name);
    match (app.source.kind, app.moment()) {
        (SourceKind::Live, _) => String::new(),
        (SourceKind::Simulated, _) => format!(" --machine {source}"),
        (SourceKind::Captured, _) => format!(" --sysroot {source}"),
        (SourceKind::Recording, None) => format!(" --recording {source}"),
        (SourceKind::Recording, Some(moment)) => {
            let stamp = text::format_date(moment.now.stamp.wall_ms);
            // The fraction distinguishes samples of the same second.
            let stamp = stamp.trim_end_matches('Z').trim_end_matches(".000");
            format!(" --recording {source} --at {stamp}")
        }
    }
}

/// A text quoted as one shell word.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Shows all details of the selected row.
pub(super) fn describe(app: &mut App) {
    let shown = app.sheet().zip(app.moment()).zip(app.moment_number());
    let page = shown.and_then(|((sheet, moment), number)| RowPage::open(sheet, moment, number));
    match page {
        Some(page) => app.overlays.push(Overlay::Page(page)),
        None => app.notify("no row is selected"),
    }
}

/// Copies the selected value, or the command that fixes the selected finding.
pub(super) fn copy(app: &mut App) {
    if let Some(fix) = selected_fix(app) {
        return copied(app, fix);
    }
    match app.pane().and_then(PaneState::origin) {
        Some(Origin { value: Value::Missing(_), .. }) | None => {
            app.notify("there is no value to copy here");
        }
        // The text that commands accept, not the escaped one of scripts; safe where it is pasted.
        Some(Origin { value: Value::Name(name), .. }) => copied(app, safe_text(&name.text())),
        Some(origin) => copied(app, safe_text(&origin.value.plain())),
    }
}

/// Copies a text and shows it: terminals do not report whether they copied it, and shown text can
/// be selected by hand.
pub(super) fn copied(app: &mut App, text: String) {
    let shown = clip(&safe_text(&text), MOST_SHOWN, &app.look);
    notify_copied(app, &format!("\"{shown}\""));
    app.emit(Effect::Copy(text));
}

fn notify_copied(app: &mut App, what: &str) {
    app.notify(format!(
        "copied {what} if your terminal allows OSC 52; otherwise press m and select it"
    ));
}

/// Copies the table on screen for people.
pub(super) fn copy_table(app: &mut App) {
    let Some(table) = shown_table(app) else { return };
    notify_copied(app, "the table as Markdown");
    app.emit(Effect::CopyTable(Box::new(table)));
}

/// Writes the table on screen to a file.
pub(super) fn save_table(app: &mut App, format: TableFormat) {
    let table = shown_table(app);
    app.effects.extend(table.map(|table| Effect::SaveTable(Box::new(table), format)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word_of_a_shell() {
        assert_eq!(shell_word("/tmp/a-b_1.rec"), "/tmp/a-b_1.rec");
        assert_eq!(shell_word("my swap.rec"), "'my swap.rec'");
        assert_eq!(shell_word("it's; rm"), r"'it'\''s; rm'");
        assert_eq!(shell_word(""), "''");
    }
}

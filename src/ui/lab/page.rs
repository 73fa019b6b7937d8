//! Kept runs in words: what one has shown, and how two differ.

use super::{LabResult, ExperimentTables};
use crate::columns::tables::lab::comparison::id as comparison;
use crate::columns::tables::lab::{self, figures};
use crate::columns::{ColumnId, TextSection, Request, Rows};
use crate::derive::lab::ResultPair;
use crate::model::experiment::StoredResult;
use crate::model::name::safe_text;
use crate::model::run::Run;
use crate::model::text;
use crate::ui::page::{self, TextPage, PageLine, LinkedPage};
use crate::ui::theme::Role;
use ratatui::layout::Size;

/// All that was found, on a page with so many cells in a line.
pub fn result_page(found: &LabResult, cells: usize) -> TextPage {
    let page = match found {
        LabResult::Run(run) => run_page(run),
        LabResult::Experiment(tables) => experiment_page(tables, cells),
    };
    TextPage { result: Some(Box::new(found.clone())), ..page }
}

/// The same page where lines have another width now: with what has been published where it was shown.
pub fn page_for_size(page: TextPage, size: Size) -> TextPage {
    let is_turned = page.result.is_none();
    let behind = page.next.as_ref().filter(|_| is_turned).and_then(|turn| turn.page.result.clone());
    let Some(found) = page.result.clone().or(behind) else { return page };
    let anew = self::result_page(&found, usize::from(page::inside(size, 0).width));
    let anew = if is_turned { anew.turned(size) } else { anew };
    TextPage { top: page.top.min(anew.last_top(size)), ..anew }
}

/// The tables of an experiment, and behind them what others have published of it. Their columns stand
/// as they would on a terminal of that width.
fn experiment_page(tables: &ExperimentTables, cells: usize) -> TextPage {
    let page =
        TextPage::new(numbered(tables.id, &tables.title), with_parts(tables, &tables.parts, cells));
    let Some(parts) = &tables.published else { return page };
    let title = format!("{}, with published figures", numbered(tables.id, &tables.title));
    let turned =
        page.turns_to('p', "published", TextPage::new(title, with_parts(tables, parts, cells)));
    let next = turned.next.map(|turn| LinkedPage { back: Some("own only"), ..turn });
    TextPage { next, ..turned }
}

fn with_parts(tables: &ExperimentTables, parts: &[TextSection], cells: usize) -> Vec<PageLine> {
    let runs = format!("The runs of its cases as results: {}.", tables.runs);
    let question = PageLine::text(safe_text(&tables.question)).as_role(Role::Label);
    let mut lines = vec![question, PageLine::text(runs)];
    for part in parts {
        lines.push(PageLine::text(""));
        lines.extend(part.lines(cells).into_iter().map(PageLine::text));
    }
    lines
}

/// All that a run has shown, table by table.
fn run_page(run: &Run) -> TextPage {
    // The columns and rows that are shown by themselves fit every table.
    let tables = lab::run_tables(run, &Request::default()).unwrap_or_default();
    let mut lines = Vec::new();
    for (spec, rows) in &tables {
        if rows.cells.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(PageLine::text(""));
            lines.push(PageLine::text(spec.about).as_role(Role::Label));
        }
        match spec.style {
            crate::columns::Style::Record => lines.extend(fields(rows)),
            crate::columns::Style::Rows => lines.extend(row_lines(rows)),
        }
        lines.extend(below(rows));
    }
    TextPage::new(run_title(run), lines)
}

/// How the second differs from the first.
///
/// # Errors
/// A sentence that says why they cannot be compared.
pub fn comparison_page([first, second]: &[StoredResult; 2]) -> Result<TextPage, String> {
    // The unit stands behind the numbers here.
    let columns = Some("name,unit,first,second,difference,verdict".to_owned());
    let request = Request { columns, ..Request::default() };
    let told = lab::compare_results(&ResultPair::from_results(first, second)?, &request)?;
    let named = [("A", first), ("B", second)];
    let mut lines: Vec<PageLine> =
        named.map(|(name, kept)| PageLine::named(name, kept_title(kept))).into();
    lines.extend(told.lines.into_iter().map(PageLine::text));
    lines.push(PageLine::text(""));
    lines.extend(told.nothing.into_iter().map(PageLine::text));
    lines.extend(told.tables.iter().flat_map(|(_, rows)| differences(rows)));
    lines.extend(told.below.map(|words| PageLine::text(words).as_role(Role::Label)));
    Ok(TextPage::new(format!("{} and {}", short_kept(first), short_kept(second)), lines))
}

/// The figures of two runs, or of two of a case.
fn differences(rows: &Rows) -> Vec<PageLine> {
    let title = rows.title.as_ref().filter(|_| !rows.cells.is_empty());
    let title = title.map(|title| PageLine::text(safe_text(title)).as_role(Role::Label));
    let figures = (0..rows.cells.len()).map(|row| {
        let text = |column: ColumnId| rows.text(row, column);
        let [first, second, unit] =
            [comparison::FIRST, comparison::SECOND, comparison::UNIT].map(text);
        let [difference, verdict] = [comparison::DIFFERENCE, comparison::VERDICT].map(text);
        let words = format!("{first} -> {second} {unit}  {difference}  {verdict}");
        PageLine::named(text(comparison::NAME), words).as_role(role(&verdict))
    });
    title.into_iter().chain(figures).chain(below(rows)).collect()
}

fn kept_title(kept: &StoredResult) -> String {
    match kept {
        StoredResult::Run(run) => run_title(run),
        StoredResult::Experiment(it, _) => {
            format!("{}, {}, cases: {}", short_kept(kept), second_of(it.at_ms), it.cases.len())
        }
    }
}

fn short_kept(kept: &StoredResult) -> String {
    match kept {
        StoredResult::Run(run) => short(run),
        StoredResult::Experiment(it, _) => numbered(it.id, &it.title),
    }
}

/// What is said below a table.
fn below(rows: &Rows) -> Option<PageLine> {
    rows.below.as_ref().map(|words| PageLine::text(words.clone()).as_role(Role::Label))
}

/// What a verdict means.
fn role(verdict: &str) -> Role {
    match verdict.rsplit_once(": ").map(|(_, word)| word) {
        Some("better") => Role::Ok,
        Some("worse") => Role::Warn,
        _ => Role::Text,
    }
}

/// The figures of a run, each with its name: as many as there are, the first ones first.
pub fn figure_lines(run: &Run) -> Vec<(String, String)> {
    let tables = lab::run_tables(run, &Request::default()).unwrap_or_default();
    let figures = tables.iter().find(|(spec, _)| spec.name == figures::SPEC.name);
    let rows = figures.map(|(_, rows)| rows);
    rows.map_or_else(Vec::new, |rows| {
        let line = |row: usize| (rows.text(row, figures::id::NAME), figure(rows, row));
        (0..rows.cells.len()).map(line).collect()
    })
}

/// A mean with its unit, and how far it scatters where there is more than one.
fn figure(rows: &Rows, row: usize) -> String {
    let text = |column: ColumnId| rows.text(row, column);
    let words = format!("{} {}", text(figures::id::MEAN), text(figures::id::UNIT));
    match text(figures::id::DEVIATION).as_str() {
        "-" => words,
        deviation => format!(
            "{words}  SD {deviation}, {} to {}",
            text(figures::id::LEAST),
            text(figures::id::MOST)
        ),
    }
}

/// A run in a few words.
fn run_title(run: &Run) -> String {
    format!("{}, {}, repetitions: {}", short(run), second_of(run.at_ms), run.measured.len())
}

/// A moment to the second.
fn second_of(at_ms: u64) -> String {
    let when = text::format_date(at_ms);
    format!("{}Z", when.split('.').next().unwrap_or_default())
}

/// Its number and title.
fn short(run: &Run) -> String {
    numbered(run.id, &run.title)
}

fn numbered(id: u64, title: &str) -> String {
    let title = safe_text(title);
    if id == 0 { title } else { format!("{id} {title}") }
}

/// A table with one row: a line for each field.
fn fields(rows: &Rows) -> Vec<PageLine> {
    let infos = rows.infos.iter().map(|info| (info.head, rows.text(0, info.id)));
    infos.map(|(head, text)| PageLine::named(head, text)).collect()
}

/// A line for each row: its first cell, and the others with their headings.
fn row_lines(rows: &Rows) -> Vec<PageLine> {
    let line = |row: usize| {
        let mut cells = rows.infos.iter().map(|info| (info.head, rows.text(row, info.id)));
        let name = cells.next().map_or_else(String::new, |(_, text)| text);
        let others: Vec<String> = cells
            .filter(|(_, text)| text != "-")
            .map(|(head, text)| format!("{head} {text}"))
            .collect();
        PageLine::named(name, others.join("  "))
    };
    (0..rows.cells.len()).map(line).collect()
}

//! Pages about results: one result, or the comparison of two.

use super::{ExperimentTables, LabResult};
use crate::columns::tables::lab::comparison::id as comparison;
use crate::columns::tables::lab::{self, figures};
use crate::columns::{ColumnId, Request, Rows, TextSection};
use crate::derive::lab::{ResultPair, describe_repetitions};
use crate::model::experiment::StoredResult;
use crate::model::name::safe_text;
use crate::model::run::Run;
use crate::model::text;
use crate::ui::appearance::Appearance;
use crate::ui::area_charts;
use crate::ui::page::{self, LinkedPage, PageContent, PageLine, TextPage};
use crate::ui::theme::Role;
use ratatui::layout::Size;

/// The page of a result, laid out for a size.
pub fn result_page(found: &LabResult, size: Size, look: &Appearance) -> TextPage {
    let inside = page::inside(size, usize::MAX);
    let cells = usize::from(inside.width);
    let page = match found {
        LabResult::Run(run) => run_page(run, look, (cells, usize::from(inside.height / 2))),
        LabResult::Experiment(tables) => experiment_page(tables, cells),
    };
    let content = Some(Box::new(PageContent::Result(found.clone())));
    TextPage { content, ..page }
}

/// The page laid out for another size; the published figures stay shown if they were.
pub fn page_for_size(page: TextPage, size: Size, look: &Appearance) -> TextPage {
    let is_turned = page.content.is_none();
    let behind =
        page.next.as_ref().filter(|_| is_turned).and_then(|turn| turn.page.content.clone());
    let Some(content) = page.content.clone().or(behind) else { return page };
    let anew = match &*content {
        PageContent::Result(found) => self::result_page(found, size, look),
        PageContent::WhatIf(answer) => answer.page(size, look),
        PageContent::Row(_) => return page,
    };
    let anew = if is_turned { anew.turned(size) } else { anew };
    TextPage { top: page.top.min(anew.last_top(size)), ..anew }
}

/// The page of an experiment's tables, with a second page that adds published figures. Columns are laid
/// out as on a terminal of that width.
fn experiment_page(tables: &ExperimentTables, cells: usize) -> TextPage {
    let page =
        TextPage::new(numbered(tables.id, &tables.title), with_parts(tables, &tables.parts, cells));
    let Some(parts) = &tables.published else { return page };
    let title = format!("{}, with published figures", numbered(tables.id, &tables.title));
    let turned =
        page.turns_to('p', "published", TextPage::new(title, with_parts(tables, parts, cells)));
    let next = turned.next.map(|turn| LinkedPage { back: Some("own figures"), ..turn });
    TextPage { next, ..turned }
}

fn with_parts(tables: &ExperimentTables, parts: &[TextSection], cells: usize) -> Vec<PageLine> {
    let runs = format!("Results of the runs of its cases: {}.", tables.runs);
    let question = PageLine::text(safe_text(&tables.question)).as_role(Role::Label);
    let mut lines = vec![question, PageLine::text(runs)];
    for part in parts {
        lines.push(PageLine::text(""));
        lines.extend(part.lines(cells).into_iter().map(PageLine::text));
    }
    lines
}

/// The page of a run: its figures and charts, then table by table.
fn run_page(run: &Run, look: &Appearance, charts: (usize, usize)) -> TextPage {
    // The default columns and rows fit every table.
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
        if spec.name == figures::SPEC.name {
            let charts = area_charts::run_lines(run, look, charts).into_iter();
            lines.extend(charts.map(|line| PageLine::text(line).as_role(Role::Disk)));
        }
    }
    TextPage::new(run_title(run), lines)
}

/// The page that compares two results, or why they cannot be compared.
pub fn comparison_page([first, second]: &[StoredResult; 2]) -> Result<TextPage, String> {
    // Units follow the numbers on this page.
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

/// The figures of two runs, or of two runs of a case.
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

/// The note below a table.
fn below(rows: &Rows) -> Option<PageLine> {
    rows.below.as_ref().map(|words| PageLine::text(words.clone()).as_role(Role::Label))
}

/// The role of a verdict.
fn role(verdict: &str) -> Role {
    match verdict.rsplit_once(": ").map(|(_, word)| word) {
        Some("better") => Role::Ok,
        Some("worse") => Role::Warn,
        _ => Role::Text,
    }
}

/// The figures of a run with their names, most important first.
pub fn figure_lines(run: &Run) -> Vec<(String, String)> {
    let tables = lab::run_tables(run, &Request::default()).unwrap_or_default();
    let figures = tables.iter().find(|(spec, _)| spec.name == figures::SPEC.name);
    let rows = figures.map(|(_, rows)| rows);
    rows.map_or_else(Vec::new, |rows| {
        let line = |row: usize| (rows.text(row, figures::id::NAME), figure(rows, row));
        (0..rows.cells.len()).map(line).collect()
    })
}

/// A mean with its unit, and its scatter if there are several values.
fn figure(rows: &Rows, row: usize) -> String {
    let text = |column: ColumnId| rows.text(row, column);
    let words = format!("{} {}", text(figures::id::MEAN), text(figures::id::UNIT));
    match text(figures::id::DEVIATION).as_str() {
        "-" => words,
        deviation => format!(
            "{words}  SD {deviation}, {} to {}",
            text(figures::id::MIN),
            text(figures::id::MAX)
        ),
    }
}

/// The title of a run.
fn run_title(run: &Run) -> String {
    format!("{}, {}, {}", short(run), second_of(run.at_ms), describe_repetitions(run))
}

/// A time, to the second.
fn second_of(at_ms: u64) -> String {
    let when = text::format_date(at_ms);
    format!("{}Z", when.split('.').next().unwrap_or_default())
}

/// The number and title of a run.
fn short(run: &Run) -> String {
    numbered(run.id, &run.title)
}

fn numbered(id: u64, title: &str) -> String {
    let title = safe_text(title);
    if id == 0 { title } else { format!("{id} {title}") }
}

/// The lines of a table with one row: one for each field.
fn fields(rows: &Rows) -> Vec<PageLine> {
    let infos = rows.infos.iter().map(|info| (info.head, rows.text(0, info.id)));
    infos.map(|(head, text)| PageLine::named(head, text)).collect()
}

/// The lines of a table: the first cell of each row, then the others with their headings.
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

//! Tables of results in each output format.

use crate::cli::args::results::ResultsOutputArgs;
use crate::cli::exit::{CommandError, CommandResult};
use crate::cli::options::Environment;
use crate::cli::out::{self, Out};
use crate::columns::tables::lab::{self, FilledTable, figures};
use crate::columns::{Request, Rows, Spec, Style, text};
use crate::model::name::safe_text;
use crate::model::run::Run;
use crate::report::json::ResultsDocument;
use crate::report::table::TableOptions;
use crate::report::{csv, markdown, table};

/// Prints tables.
pub(super) fn print(
    tables: &[FilledTable],
    command: &str,
    form: &ResultsOutputArgs,
    environment: &Environment,
) -> CommandResult<()> {
    let mut out = Out::new();
    if form.json {
        return out.json(&ResultsDocument { command, tables }, true);
    }
    if form.csv {
        return out.text(&values(tables));
    }
    if form.markdown {
        return out.text(&pages(tables, form.bytes));
    }
    let look =
        TableOptions { bytes: form.bytes, width: environment.width, ..TableOptions::default() };
    for (place, table) in tables.iter().filter(is_shown(tables)).enumerate() {
        if place > 0 {
            out.lines([""])?;
        }
        out.lines(written(table, look, tables.len() > 1))?;
        if form.explain {
            out.lines(table::reasons(&table.1).iter().map(|reason| format!("  {reason}")))?;
        }
        if let Some(words) = &table.1.below {
            let words = text::wrap(words, out::text_width(environment.width));
            out.lines([String::new()].into_iter().chain(words))?;
        }
    }
    remarks(tables);
    Ok(())
}

/// Prints a paragraph below all tables; text is wrapped at this width.
pub(super) fn foot(words: Option<&str>, is_markdown: bool, width: usize) -> CommandResult<()> {
    let lines = words.map(|words| line(words, is_markdown, width));
    Out::new().lines(lines.into_iter().flat_map(|lines| [String::new()].into_iter().chain(lines)))
}

fn line(words: &str, is_markdown: bool, width: usize) -> Vec<String> {
    let safe = safe_text(words);
    if is_markdown { vec![markdown::item(&safe)] } else { text::wrap(&safe, width) }
}

/// Prints lines above a table; text is wrapped at this width.
pub(super) fn head(lines: &[String], is_markdown: bool, width: usize) -> CommandResult<()> {
    let lines = lines.iter().flat_map(|words| line(words, is_markdown, width));
    Out::new().lines(lines.chain([String::new()]))
}

/// Whether a table is printed: of several tables, only those that have rows.
fn is_shown(tables: &[FilledTable]) -> impl Fn(&&FilledTable) -> bool {
    let alone = tables.len() == 1;
    move |(_, rows)| alone || !rows.cells.is_empty()
}

fn written((spec, rows): &FilledTable, look: TableOptions, has_title: bool) -> Vec<String> {
    let mut lines = match spec.style {
        Style::Record => table::record(rows, look),
        Style::Rows => table::lines(rows, look),
    };
    if (has_title || rows.title.is_some()) && spec.style == Style::Rows {
        lines.insert(0, title(spec, rows));
    }
    lines
}

fn title(spec: &Spec, rows: &Rows) -> String {
    match &rows.title {
        Some(title) => format!("== {} ==", safe_text(title)),
        None => format!("== {} ({}) ==", spec.title, spec.name),
    }
}

/// Prints remarks about hidden rows, once for all tables of a kind.
pub(super) fn remarks(tables: &[FilledTable]) {
    for kind in tables.chunk_by(|(one, _), (next, _)| one.name == next.name) {
        let Some((spec, _)) = kind.first() else { continue };
        let sum = |of: fn(&Rows) -> usize| kind.iter().map(|(_, rows)| of(rows)).sum::<usize>();
        if let Some(more) = spec.left_out(sum(|rows| rows.hidden)) {
            out::remark(&format!("{}: {more}: --all shows them", spec.name));
        }
        let filtered = sum(|rows| rows.filtered);
        if filtered > 0 && sum(|rows| rows.cells.len()) == 0 {
            out::remark(&format!("{}: none of {filtered} rows matches the filter", spec.name));
        }
    }
}

/// One table as CSV: the figures of a run.
fn values(tables: &[FilledTable]) -> String {
    let figures = tables.iter().find(|(spec, _)| spec.name == figures::SPEC.name);
    let Some((_, rows)) = figures.or_else(|| tables.first()) else { return String::new() };
    csv::table(rows)
}

fn pages(tables: &[FilledTable], bytes: bool) -> String {
    let shown = tables.iter().filter(is_shown(tables));
    let parts = shown.map(|(spec, rows)| markdown::table(spec, rows, tables.len() > 1, bytes));
    parts.collect::<Vec<_>>().join("\n")
}

/// The figures of a run, as CSV.
pub(super) fn figures(run: &Run) -> CommandResult<String> {
    lab::run_tables(run, &lab::all_columns_and_rows())
        .map(|tables| values(&tables))
        .map_err(CommandError::Usage)
}

/// Several runs in Markdown, one below the other.
pub(super) fn markdown(runs: &[Run]) -> CommandResult<String> {
    let page = |run| lab::run_tables(run, &Request::default()).map(|tables| pages(&tables, false));
    let pages: Result<Vec<String>, String> = runs.iter().map(page).collect();
    pages.map(|pages| pages.join("\n")).map_err(CommandError::Usage)
}

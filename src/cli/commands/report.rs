//! `swapadm report` and `swapadm status`.

use super::stream::{self, SampleRequest, SampleSchedule};
use super::table::{self as table_command, unknown};
use crate::cli::args::{ReportArgs, RowArgs, SettingsArgs};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{self, Invocation};
use crate::cli::out::Out;
use crate::cli::table_command::TableCommand;
use crate::columns::tables::processes;
use crate::columns::{Query, Request, Rows, Spec, Style, TABLES, query, tables};
use crate::derive::SampleView;
use crate::model::{PartSet, Reading, name};
use crate::report::json::ReportDocument;
use crate::report::status::{self, StatusPage};
use crate::report::table::{self, TableOptions};

/// Prints all tables, or the tables named.
///
/// # Errors
/// A table does not exist, or the output cannot be written.
pub fn run(args: &ReportArgs, invocation: &Invocation) -> CommandResult {
    if args.rows.asks_for_rows() {
        return one_table(args, invocation);
    }
    let queries = queries(args)?;
    let pace = SampleSchedule::new(args.rows.interval.as_deref(), args.rows.count)?;
    let needs = query::needs(&queries);
    let needs = if args.tables.is_empty() { needs.without(PartSet::CLUSTERS) } else { needs };
    let look = TableOptions {
        bytes: args.rows.bytes,
        width: invocation.environment.width,
        ..TableOptions::default()
    };
    let policy = options::policy(&invocation.environment, &SettingsArgs::default())?.0;
    let mut out = Out::new();
    stream::run(&invocation.source, needs, true, pace, |view| {
        let ask = |query: &Query| (query.spec, query.rows_with_policy(view, &policy));
        let tables: Vec<_> = queries.iter().map(ask).collect();
        if args.rows.json {
            let document = ReportDocument::new("report", view, tables);
            out.json(&ReportDocument { whole: true, ..document }, !pace.repeats())
        } else {
            out.lines(page(tables, look))
        }
    })?;
    Ok(Exit::Done)
}

/// Prints one table with options for rows and columns.
fn one_table(args: &ReportArgs, invocation: &Invocation) -> CommandResult {
    let [name] = args.tables.as_slice() else {
        return Err(usage(
            "options for rows and columns need one table: swapadm report TABLE -o COLS",
        ));
    };
    let spec = tables::find(name).ok_or_else(|| unknown(name))?;
    let rows = args.rows.clone();
    let command = TableCommand::plain(spec.name, rows, args.all);
    table_command::run(&command, invocation)
}

/// The queries of the report. JSON has all columns and rows; text has default columns and leaves out
/// long tables. Clusters, which take long to read, are included only by name.
fn queries(args: &ReportArgs) -> CommandResult<Vec<Query>> {
    let named = |name: &String| tables::find(name).ok_or_else(|| unknown(name));
    let specs: Vec<&'static Spec> = if args.tables.is_empty() {
        let cheap = |spec: &&Spec| {
            !spec.single_subject && spec.needs.only(PartSet::CLUSTERS) == PartSet::NONE
        };
        TABLES.iter().filter(cheap).filter(|spec| args.rows.json || !spec.long).collect()
    } else {
        args.tables.iter().map(named).collect::<Result<_, _>>()?
    };
    let columns = args.rows.json.then(|| "all".to_owned());
    let all = args.all || args.rows.json;
    let request = Request { columns, all, two_samples: true, ..Request::default() };
    specs.into_iter().map(|spec| Query::new(spec, &request).map_err(CommandError::Usage)).collect()
}

/// A table, and its rows.
type Answer = (&'static Spec, Reading<Rows>);

fn page(tables: Vec<Answer>, look: TableOptions) -> Vec<String> {
    let mut lines = Vec::new();
    for (spec, rows) in tables {
        lines.push(format!("== {} ({}) ==", spec.title, spec.name));
        match rows {
            Reading::Known(rows) if rows.cells.is_empty() => lines.push("none".to_owned()),
            Reading::Known(rows) if spec.style == Style::Record => {
                lines.extend(table::record(&rows, look));
            }
            Reading::Known(rows) => lines.extend(table::lines(&rows, look)),
            Reading::Missing { missing } => lines.push(name::safe_text(&missing.to_string())),
        }
        lines.push(String::new());
    }
    lines
}

/// Prints the status page, or the row behind it if an option of tables was typed.
///
/// # Errors
/// A column does not exist, or the output cannot be written.
pub fn status(args: &RowArgs, invocation: &Invocation) -> CommandResult {
    if args.asks_for_rows() || args.bytes {
        let row = TableCommand::plain("status", args.clone(), false);
        return table_command::run(&row, invocation);
    }
    let queries = status::queries().map_err(CommandError::Usage)?;
    let pace = SampleSchedule::new(args.interval.as_deref(), args.count)?;
    let mut out = Out::new();
    let look = args.look(&invocation.environment);
    let policy = options::policy(&invocation.environment, &SettingsArgs::default())?.0;
    let mut first = true;
    let parts = query::needs(&queries);
    // Only a single page waits for the page tables of processes.
    let closer = |view: &SampleView<'_>| {
        if pace.repeats() { PartSet::NONE } else { processes::closer(view) }
    };
    let samples = SampleRequest { parts, two_samples: true, closer: &closer };
    stream::run_closer(&invocation.source, samples, pace, |view| {
        let whole = StatusPage::new(*view, &queries, policy.clone());
        if args.json {
            let document = ReportDocument::new("status", view, whole.into_tables());
            return out.json(&document, !pace.repeats());
        }
        if !std::mem::take(&mut first) {
            out.lines([""])?;
        }
        out.lines(whole.lines(look))
    })?;
    Ok(Exit::Done)
}

//! `swapadm processes PID`: one process, and the mappings that its swapped memory belongs to.

use super::stream::SampleSchedule;
use super::table::Printer;
use crate::cli::args::RowArgs;
use crate::cli::exit::{CommandError, Exit};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out;
use crate::clock::Clock;
use crate::columns::tables::{mappings, processes};
use crate::columns::{Query, Request, Rows, spec};
use crate::derive::SampleView;
use crate::model::users::NamedMapping;
use crate::model::{Part, PartSet, Reading, name};
use crate::probes;
use crate::report::json::ReportDocument;
use crate::report::table;

/// Parts of a page about one process. All its columns are shown; options of rows apply to its mappings.
const PARTS: PartSet = PartSet::from_parts(&[
    Part::Processes,
    Part::ProcessDetail,
    Part::ProcessAll,
    Part::ProcessPss,
    Part::Meminfo,
]);

/// Prints the process and its mappings.
///
/// # Errors
/// The process does not exist, its mappings cannot be read, or the output cannot be written.
pub fn run(
    pid: u32,
    rows: &RowArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let SourceOptions::Root(root) = source else {
        return Err(CommandError::Usage(
            "only a real machine has mappings: use a PID without --recording or --machine"
                .to_owned(),
        ));
    };
    let snapshot = probes::sample(root, &Clock::Real, PARTS);
    let view = SampleView::single(&snapshot);
    let (process, row) = process_row(pid, &view)?;
    let query = Query::new(&mappings::SPEC, &rows.request(false, false));
    let query = query.map_err(CommandError::Usage)?;
    let mappings = probes::process::mappings::read(root, pid);
    let mappings = mappings.map(|mappings| mapping_rows(&query, &mappings));
    let mut printer = Printer::new(rows, SampleSchedule::new(None, None)?, environment)?;
    if rows.json {
        let tables = vec![(process.spec, Reading::Known(row)), (query.spec, mappings)];
        let (command, whole) = (process.spec.name, false);
        let document =
            ReportDocument { command, snapshot: &snapshot, seconds: None, tables, whole };
        printer.out.json(&document, true)?;
        return Ok(Exit::Done);
    }
    printer.out.lines(table::record(&row, printer.look))?;
    print_mappings(&mut printer, mappings)
}

/// The row of the process, with all columns.
fn process_row(pid: u32, view: &SampleView<'_>) -> Result<(Query, Rows), CommandError> {
    let request = Request {
        columns: Some("all".to_owned()),
        filter: Some(format!("pid={pid}")),
        all: true,
        ..Request::default()
    };
    let query = Query::new(&processes::SPEC, &request).map_err(CommandError::Usage)?;
    match query.rows(view) {
        Reading::Known(rows) if rows.cells.is_empty() => Err(CommandError::Usage(format!(
            "there is no process {pid}: swapadm processes --all lists all"
        ))),
        Reading::Known(rows) => Ok((query, rows)),
        Reading::Missing { missing } => {
            let why = name::safe_text(&missing.to_string());
            Err(CommandError::NoData(format!("processes: {why}")))
        }
    }
}

fn mapping_rows(query: &Query, mappings: &[NamedMapping]) -> Rows {
    let rows: Vec<&NamedMapping> = mappings.iter().collect();
    query.rows_from_cells(|places| spec::cells_from_rows::<mappings::MappingsTable>(&rows, places))
}

fn print_mappings(
    printer: &mut Printer<'_>,
    mappings: Reading<Rows>,
) -> Result<Exit, CommandError> {
    match mappings {
        Reading::Known(rows) if rows.cells.is_empty() => {
            out::remark("no mapping of this process has pages in swap");
        }
        Reading::Known(rows) => {
            printer.out.lines([String::new(), format!("{}:", mappings::SPEC.title)])?;
            printer.out.lines(table::lines(&rows, printer.look))?;
            if let Some(more) = mappings::SPEC.left_out(rows.hidden) {
                out::remark(&more);
            }
        }
        Reading::Missing { missing } => {
            let why = name::safe_text(&missing.to_string());
            return Err(CommandError::NoData(format!("mappings: {why}")));
        }
    }
    Ok(Exit::Done)
}

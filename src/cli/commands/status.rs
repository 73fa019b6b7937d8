//! `swapadm status`.

use super::stream::{self, Pace};
use super::table;
use crate::cli::args::RowArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::Out;
use crate::cli::table_command::TableCommand;
use crate::columns::tables;
use crate::derive::View;
use crate::report::json::Document;
use crate::report::status::{self, Page};

/// Print the page, or the row behind it when the options are those of a table.
///
/// # Errors
/// When it cannot be written, or a column does not exist.
pub fn run(
    args: &RowArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    if args.asks_for_rows() {
        let row = TableCommand::plain("status", args.clone(), false);
        return table::run(&row, source, environment);
    }
    let queries = status::queries().map_err(Failure::Usage)?;
    let pace = Pace::new(args.interval.as_deref(), args.count)?;
    let mut out = Out::new();
    let look = args.look(environment);
    let mut first = true;
    stream::run(source, status::needs(&queries), true, pace, |view| {
        let whole = Page::new(*view, &queries);
        if args.json {
            return out.json(&document(view, whole), !pace.repeats());
        }
        if !std::mem::take(&mut first) {
            out.lines([""])?;
        }
        out.lines(whole.lines(look))
    })?;
    Ok(Exit::Done)
}

fn document<'d>(view: &View<'d>, page: Page<'d>) -> Document<'d> {
    let named = page.into_tables().into_iter();
    let tables = named.filter_map(|(name, rows)| Some((tables::find(name)?, rows)));
    Document {
        command: "status",
        snapshot: view.now,
        seconds: view.seconds(),
        tables: tables.collect(),
        whole: false,
    }
}

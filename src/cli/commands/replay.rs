//! `swapadm replay`: a recording as a stream.

use super::table::{Printer, unknown};
use crate::cli::args::ReplayArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{self, Environment};
use crate::cli::out::{self, Out};
use crate::columns::{Query, Request, tables};
use crate::derive::View;
use crate::model::Snapshot;

/// Print each snapshot, compared with the one before it.
///
/// # Errors
/// When it is no recording, or nothing can be written.
pub fn run(args: &ReplayArgs, environment: &Environment) -> Result<Exit, Failure> {
    let spec = tables::find(&args.table).ok_or_else(|| unknown(&args.table))?;
    let request = Request { two: true, ..args.rows.request(false, false) };
    let query = Query::new(spec, &request).map_err(Failure::Usage)?;
    let mut reader = options::open_recording(&args.file)?;
    let mut printer = Printer {
        out: Out::new(),
        rows: &args.rows,
        look: args.rows.look(environment),
        repeats: true,
        printed: 0,
        widths: Vec::new(),
    };
    let mut before: Option<Snapshot> = None;
    for now in reader.by_ref() {
        if before.is_some() {
            printer.print(&query, &View { now: &now, before: before.as_ref() })?;
        }
        before = Some(now);
    }
    if let Some(why) = reader.cut() {
        let count = printer.printed;
        out::remark(&format!("{}: cut off after {count} intervals ({why})", args.file.display()));
    }
    Ok(Exit::Done)
}

//! `swapadm replay`: a recording in the interface, or as a stream.

use super::clusters;
use super::stream::{self, Pace};
use super::table::{Printer, REPLAYED, unknown};
use super::watch;
use crate::cli::args::{ReplayArgs, SettingsArgs, WatchArgs};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::columns::{Query, Request, tables};
use crate::derive::View;
use crate::model::PartSet;
use crate::sampler::Moment;

/// Open it, or print each snapshot, compared with the one before it.
///
/// # Errors
/// When it is no recording, or nothing can be written.
pub fn run(
    args: &ReplayArgs,
    settings: &SettingsArgs,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let source = SourceOptions::Recording { file: args.file.clone(), at: Moment::First };
    let prints = args.table.is_some() || args.rows.asks_for_rows() || args.rows.json;
    if environment.interactive && !prints {
        let watch = WatchArgs { settings: settings.clone(), ..WatchArgs::default() };
        return watch::run(&watch, &source, environment);
    }
    if args.rows.interval.is_some() {
        let why = "a recording has the interval it was made with: replay takes --count only";
        return Err(Failure::Usage(why.to_owned()));
    }
    let table = args.table.as_deref().unwrap_or(REPLAYED);
    let spec = tables::find(table).ok_or_else(|| unknown(table))?;
    let request = Request { two: true, ..args.rows.request(false, false) };
    let query = Query::new(spec, &request).map_err(Failure::Usage)?;
    let pace = Pace::through(args.rows.count);
    let mut printer = Printer::new(&args.rows, pace, environment)?;
    let tells = query.needs().only(PartSet::CLUSTERS) == PartSet::CLUSTERS;
    let mut said = Vec::new();
    stream::run(&source, query.needs(), query.two(), pace, |view| {
        let now = clusters::recorded(view.now, &source);
        printer.print(&query, &View { now: &now, before: view.before })?;
        if tells && !args.rows.json && !args.rows.csv && !args.rows.raw {
            clusters::remark_unknown(&now, &mut said);
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

//! `swapadm cost`: what areas cost, and what others would.

use super::stream::{self, Pace};
use super::table::Printer;
use crate::cli::args::CostArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::columns::tables::cost::SPEC;
use crate::columns::{Query, Rows, tables, units};
use crate::derive::cost;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Snapshot};

/// Smaller than this no area is: a page for the header, and ten for what is on it.
const SMALLEST: Bytes = Bytes(40 << 10);

/// Print it.
///
/// # Errors
/// When a size is none, or it cannot be written.
pub fn run(
    args: &CostArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let planned = args.plan.iter().map(|text| planned(text)).collect::<Result<Vec<_>, _>>()?;
    let query = Query::new(&SPEC, &args.rows.request(false, false)).map_err(Failure::Usage)?;
    let pace = Pace::new(args.rows.interval.as_deref(), args.rows.count)?;
    let mut printer = Printer::new(&args.rows, pace, environment)?;
    stream::run(source, query.needs(), query.two(), pace, |view| {
        let rows = query.rows(view).map(|rows| with(rows, &query, view.now, &planned));
        printer.print_rows(&query, view, rows)
    })?;
    Ok(Exit::Done)
}

/// An area of this size.
fn planned(text: &str) -> Result<SwapArea, Failure> {
    let has_unit = text.ends_with(|last: char| last.is_ascii_alphabetic());
    let Some(size) = units::parse_size(text).filter(|_| has_unit) else {
        return Err(Failure::Usage(format!(
            "\"{text}\" is no size of an area: use a number with its unit, such as 512M, 16G or 1T"
        )));
    };
    if size < SMALLEST {
        let least = units::size(SMALLEST);
        return Err(Failure::Usage(format!("{text} is too little: an area has {least} or more")));
    }
    Ok(cost::planned(size, &format!("+{}", units::size(size))))
}

/// The areas that are planned behind those that there are.
fn with(mut rows: Rows, query: &Query, snapshot: &Snapshot, planned: &[SwapArea]) -> Rows {
    let more = query.rows_of(|places| tables::cost::planned(snapshot, planned, places));
    rows.cells.extend(more.cells);
    rows.keys.extend(more.keys);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Request;
    use crate::derive::View;
    use crate::model::swaparea::testing::area;
    use crate::model::{Reading, Sampled, Stamp};

    #[test]
    fn a_size_needs_its_unit_and_room_for_a_header() {
        let size = |text: &str| planned(text).map(|area| area.size);
        assert_eq!(size("16G").unwrap(), Bytes(16 << 30));
        assert_eq!(size("1.5GiB").unwrap(), Bytes(3 << 29));
        for text in ["16", "-1G", "G", "", "12Q", "1e9"] {
            assert!(
                matches!(size(text), Err(Failure::Usage(why)) if why.contains("with its unit")),
                "{text}"
            );
        }
        for text in ["36K", "0G"] {
            assert!(
                matches!(size(text), Err(Failure::Usage(why)) if why.contains("40K or more")),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_planned_stands_behind_what_there_is_and_changes_none_of_it() {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let areas = vec![area("/dev/sda2", 1, 1 << 30, 1 << 29)];
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let all = Request { columns: Some("all".to_owned()), ..Request::default() };
        let query = Query::new(&SPEC, &all).unwrap();
        let rows = || query.rows(&View::of(&snapshot)).into_result().unwrap();
        let both = with(rows(), &query, &snapshot, &[planned("16G").unwrap()]);
        let names: Vec<String> = (0..2).map(|row| both.text(row, "name")).collect();
        assert_eq!((names, both.keys.len()), (vec!["/dev/sda2".to_owned(), "+16G".to_owned()], 2));
        assert_eq!(both.cells[0], rows().cells[0]);
        let fits = both.value(1, "off_fits").unwrap().missing().unwrap();
        assert_eq!(fits.why(), "it is not active", "what is not there cannot be switched off");
    }
}

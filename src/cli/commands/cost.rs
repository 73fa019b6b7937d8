//! `swapadm cost`: the metadata of areas and of planned ones, and what swapoff would move.

use super::stream::{self, SampleSchedule};
use super::table::Printer;
use crate::cli::args::CostArgs;
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::Invocation;
use crate::columns::tables::cost::SPEC;
use crate::columns::{Query, Rows, tables, units};
use crate::derive::cost;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Reading, Snapshot};

/// The smallest area that is accepted: a page for the header and nine for data.
const SMALLEST: Bytes = Bytes(40 << 10);
/// The largest number of pages of an area, which the kernel counts in 32 bits.
const MOST_PAGES: u64 = u32::MAX as u64;
/// The page size to assume if it is not known.
const PAGE: u64 = 4096;

/// Prints the table, with planned areas if sizes were given.
///
/// # Errors
/// A size is not valid, or the output cannot be written.
pub fn run(args: &CostArgs, invocation: &Invocation) -> CommandResult {
    let planned =
        args.plan.iter().map(|text| parse_planned_area(text)).collect::<Result<Vec<_>, _>>()?;
    let query = Query::new(&SPEC, &args.rows.request(false, false)).map_err(CommandError::Usage)?;
    let pace = SampleSchedule::new(args.rows.interval.as_deref(), args.rows.count)?;
    let mut printer = Printer::new(&args.rows, pace, &invocation.environment)?;
    stream::run(&invocation.source, query.needs(), query.needs_two_samples(), pace, |view| {
        planned.iter().try_for_each(|area| check_size(area, &view.now.page_size))?;
        let rows = query.rows(view).map(|rows| append_planned(rows, &query, view.now, &planned));
        printer.print_rows(&query, view, rows)
    })?;
    Ok(Exit::Done)
}

/// Parses the size of a planned area.
fn parse_planned_area(text: &str) -> CommandResult<SwapArea> {
    let has_unit = text.ends_with(|last: char| last.is_ascii_alphabetic());
    let Some(size) = units::parse_size(text).filter(|_| has_unit) else {
        return Err(usage(format!(
            "size \"{text}\" is not valid: use a number with its unit, such as 512M, 16G or 1T"
        )));
    };
    if size < SMALLEST {
        let least = units::size(SMALLEST);
        return Err(usage(format!("size {text} is too small: an area has {least} or more")));
    }
    Ok(cost::planned_area(size, &format!("+{}", units::size(size))))
}

/// Checks that an area can have this size with the pages of this machine.
fn check_size(area: &SwapArea, page_size: &Reading<u64>) -> CommandResult<()> {
    let page = page_size.known().copied().unwrap_or(PAGE);
    let most = Bytes(MOST_PAGES.saturating_mul(page));
    // One page more is accepted, so that 16T is valid with pages of 4K.
    if area.size <= most.saturating_add(Bytes(page)) {
        return Ok(());
    }
    let (size, page) = (units::exact(area.size), units::exact(Bytes(page)));
    let most = units::size(most);
    Err(usage(format!(
        "size {size} is too large: the kernel uses at most {most} of an area, 2^32-1 pages of {page}"
    )))
}

/// The rows of active areas, followed by those of planned ones.
fn append_planned(
    mut rows: Rows,
    query: &Query,
    snapshot: &Snapshot,
    planned: &[SwapArea],
) -> Rows {
    let more = tables::cost::planned_rows(query, snapshot, planned);
    rows.cells.extend(more.cells);
    rows.keys.extend(more.keys);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Request;
    use crate::derive::SampleView;
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Stamp};

    #[test]
    fn a_size_needs_its_unit_and_room_for_a_header() {
        let size = |text: &str| parse_planned_area(text).map(|area| area.size);
        assert_eq!(size("16G").unwrap(), Bytes(16 << 30));
        assert_eq!(size("1.5GiB").unwrap(), Bytes(3 << 29));
        for text in ["16", "-1G", "G", "", "12Q", "1e9"] {
            assert!(
                matches!(size(text), Err(CommandError::Usage(why)) if why.contains("with its unit")),
                "{text}"
            );
        }
        for text in ["36K", "0G"] {
            assert!(
                matches!(size(text), Err(CommandError::Usage(why)) if why.contains("40K or more")),
                "{text}"
            );
        }
    }

    #[test]
    fn no_area_is_larger_than_the_kernel_takes() {
        let refused = |text: &str, page: u64| {
            check_size(&parse_planned_area(text).unwrap(), &Reading::Known(page))
                .err()
                .map(|why| why.to_string())
        };
        assert_eq!(refused("16T", 4096), None);
        let told =
            "size 20T is too large: the kernel uses at most 16T of an area, 2^32-1 pages of 4K";
        assert_eq!(refused("20T", 4096).as_deref(), Some(told));
        assert!(
            refused("16385G", 4096).is_some_and(|why| why.starts_with("size 16385G is too large"))
        );
        assert_eq!(refused("256T", 65536), None);
        assert!(check_size(&parse_planned_area("20T").unwrap(), &Reading::not_sampled()).is_err());
    }

    #[test]
    fn planned_areas_follow_active_ones() {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let areas = vec![area("/dev/sda2", 1, 1 << 30, 1 << 29)];
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let all = Request { columns: Some("all".to_owned()), ..Request::default() };
        let query = Query::new(&SPEC, &all).unwrap();
        let rows = || query.rows(&SampleView::single(&snapshot)).into_result().unwrap();
        let both = append_planned(rows(), &query, &snapshot, &[parse_planned_area("16G").unwrap()]);
        let names: Vec<String> = (0..2).map(|row| both.text(row, "name")).collect();
        assert_eq!((names, both.keys.len()), (vec!["/dev/sda2".to_owned(), "+16G".to_owned()], 2));
        assert_eq!(both.cells[0], rows().cells[0]);
        let fits = both.value(1, "swapoff_fits").unwrap().missing().unwrap();
        assert_eq!(fits.why(), "the area is not active", "a planned area cannot be disabled");
    }
}

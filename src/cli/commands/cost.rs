//! `swapadm cost`: what areas cost, and what others would.

use super::stream::{self, Pace};
use super::table::Printer;
use crate::cli::args::CostArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::columns::tables::cost::SPEC;
use crate::columns::{Query, units};
use crate::derive::{View, cost};
use crate::model::{Bytes, Reading, Sampled, Snapshot};

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
    let sizes = args.plan.iter().map(|text| size(text)).collect::<Result<Vec<_>, _>>()?;
    let query = Query::new(&SPEC, &args.rows.request(false, false)).map_err(Failure::Usage)?;
    let pace = Pace::new(args.rows.interval.as_deref(), args.rows.count)?;
    let mut printer = Printer::new(&args.rows, pace, environment)?;
    stream::run(source, query.needs(), query.two(), pace, |view| {
        let now = with(view.now, &sizes);
        printer.print(&query, &View { now: &now, before: view.before })
    })?;
    Ok(Exit::Done)
}

fn size(text: &str) -> Result<Bytes, Failure> {
    let has_unit = text.ends_with(|last: char| last.is_ascii_alphabetic());
    let size = units::parse_size(text).filter(|size| has_unit && *size >= SMALLEST);
    size.ok_or_else(|| {
        Failure::Usage(format!(
            "\"{text}\" is no size of an area: use a number with its unit, such as 512M, 16G or 1T"
        ))
    })
}

/// The machine with areas of these sizes besides.
fn with(snapshot: &Snapshot, sizes: &[Bytes]) -> Snapshot {
    let mut snapshot = snapshot.clone();
    if let (Some(areas), false) = (snapshot.swaps.reading.known(), sizes.is_empty()) {
        let planned =
            sizes.iter().map(|size| cost::planned(*size, &format!("+{}", units::size(*size))));
        let all = areas.iter().cloned().chain(planned).collect();
        snapshot.swaps = Sampled::new(snapshot.swaps.at, Reading::Known(all));
    }
    snapshot
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Stamp;

    #[test]
    fn a_size_needs_its_unit() {
        assert_eq!(size("16G").unwrap(), Bytes(16 << 30));
        assert_eq!(size("1.5GiB").unwrap(), Bytes(3 << 29));
        for text in ["16", "-1G", "0G", "G", "", "12Q", "1e9", "36K"] {
            assert!(matches!(size(text), Err(Failure::Usage(why)) if why.contains(text)), "{text}");
        }
    }

    #[test]
    fn what_is_planned_stands_behind_what_there_is() {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        assert_eq!(with(&snapshot, &[SMALLEST]), snapshot, "what is missing stays missing");
        snapshot.swaps = Sampled::new(None, Reading::Known(Vec::new()));
        let planned = with(&snapshot, &[Bytes(16 << 30), Bytes(1 << 40)]);
        let areas = planned.swaps.reading.known().unwrap();
        assert_eq!(areas.iter().map(|it| it.path.safe()).collect::<Vec<_>>(), ["+16G", "+1T"]);
    }
}

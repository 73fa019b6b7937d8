//! Why folios are split, in sentences.

use super::{Mthp, Row};
use crate::columns::spec::Table as _;
use crate::columns::{Rows, units};
use crate::derive::View;
use crate::derive::fallback::When;
use crate::model::name;

/// A sentence for each size that is shown and of which folios were split; sizes share one where it is not
/// known why.
pub(super) fn sentences(view: &View<'_>, shown: &Rows) -> Vec<String> {
    let rows = Mthp::rows(view);
    let split =
        rows.known().into_iter().flat_map(|rows| shown.shown(rows)).filter(|row| row.was_split());
    let (mut told, mut unknown) = (Vec::new(), Vec::<(String, Vec<String>)>::new());
    let mut caveats = Vec::new();
    for row in split {
        let size = units::size(row.size.size);
        match row.cause().into_result() {
            Ok(why) => {
                let (split, words, sure) = (counted(row), why.words(), why.sure.word());
                told.push(format!(
                    "{size}: {split}. What stands in the way now: {words} ({sure})."
                ));
                caveats.extend(why.caveat().filter(|caveat| !caveats.contains(caveat)));
            }
            Err(missing) => {
                let why = name::safe_text(&missing.to_string());
                match unknown.iter_mut().find(|(other, _)| *other == why) {
                    Some((_, sizes)) => sizes.push(size),
                    None => unknown.push((why, vec![size])),
                }
            }
        }
    }
    told.extend(caveats);
    told.extend(unknown.into_iter().map(|(why, sizes)| {
        format!("Why folios of {} were split is not known: {why}.", sizes.join(", "))
    }));
    told
}

/// How many of how many were split, when.
fn counted(row: &Row<'_>) -> String {
    let (counted, when) = match row.when() {
        When::Now => (row.split_now(), "between the samples"),
        When::SinceBoot => (row.split_of(), "since boot"),
    };
    match counted.known() {
        Some((split, all)) => {
            let share = units::percent(*split as f64 / (*all).max(1) as f64);
            format!("{split} of {all} folios ({share}) were split {when}")
        }
        None => format!("folios were split {when}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::closer;
    use super::*;
    use crate::columns::tables::mthp::SPEC;
    use crate::columns::{Query, Request};
    use crate::derive::defaults::testing::kernel;
    use crate::model::paging::{Counters, MthpSize, Thp};
    use crate::model::swaparea::testing::area;
    use crate::model::swaparea::{AreaKind, SwapArea};
    use crate::model::{Bytes, Part, PartSet, Reading, Sampled, Snapshot, Stamp};

    fn none<T>() -> Reading<T> {
        Reading::absent("it does not matter here")
    }

    /// A size of which so many went whole and so many were split.
    fn size(kib: u64, whole: u64, split: u64) -> MthpSize {
        let stats = vec![("swpout".into(), whole), ("swpout_fallback".into(), split)];
        let stats = Reading::Known(Counters::new("stats", stats));
        MthpSize { size: Bytes(kib << 10), enabled: none(), shmem_enabled: none(), stats }
    }

    /// A machine at this second.
    fn at(second: u64, areas: Vec<SwapArea>, sizes: Vec<MthpSize>) -> Snapshot {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
        let mut snapshot = Snapshot::empty(stamp);
        snapshot.page_size = Reading::Known(4096);
        snapshot.kernel = kernel("6.18.1");
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let thp = Thp {
            enabled: none(),
            defrag: none(),
            shmem_enabled: none(),
            pmd_size: none(),
            sizes: Reading::Known(sizes),
        };
        snapshot.thp = Sampled::new(Some(stamp), Reading::Known(thp));
        snapshot
    }

    fn told(areas: Vec<SwapArea>, sizes: Vec<MthpSize>, filter: Option<&str>) -> Vec<String> {
        said(&View::of(&at(0, areas, sizes)), filter)
    }

    fn said(view: &View<'_>, filter: Option<&str>) -> Vec<String> {
        let request = Request { filter: filter.map(str::to_owned), ..Request::default() };
        let rows = Query::new(&SPEC, &request).unwrap().rows(view);
        sentences(view, rows.known().unwrap())
    }

    #[test]
    fn what_was_split_between_the_samples_is_told_by_itself() {
        let file = || vec![SwapArea { kind: AreaKind::File, ..area("/swapfile", 5, 8 << 20, 0) }];
        let sizes = |kib, split| vec![size(kib, 60, split), size(2 * kib, 0, 4)];
        let (before, now) = (at(0, file(), sizes(64, 25)), at(1, file(), sizes(64, 40)));
        let told = said(&View { now: &now, before: Some(&before) }, None);
        assert!(told[0].contains("15 of 15 folios (100%) were split between the samples"));
        assert!(told[0].ends_with("(certain)."), "{told:?}");
        assert!(told[1].contains("since boot") && told[1].ends_with("(likely)."), "{told:?}");
    }

    #[test]
    fn each_size_that_was_split_has_its_cause_and_how_sure_that_is() {
        let file = SwapArea { kind: AreaKind::File, ..area("/swapfile", 5, 8 << 20, 0) };
        let sizes = vec![size(16, 9, 0), size(32, 0, 4), size(64, 75, 25)];
        let now = "What stands in the way now: swap files take single pages only, and it is their turn (likely).";
        assert_eq!(
            told(vec![file], sizes, None),
            [
                format!("32K: 4 of 4 folios (100%) were split since boot. {now}"),
                format!("64K: 25 of 100 folios (25%) were split since boot. {now}"),
            ]
        );
    }

    #[test]
    fn page_tables_are_looked_through_only_where_that_would_tell() {
        let closer = |areas, split| closer(&View::of(&at(0, areas, vec![size(2048, 9, split)])));
        let device = || vec![area("/dev/zram0", 5, 8 << 20, 0)];
        assert_eq!(closer(device(), 4), PartSet::of(&[Part::MappedClusters]));
        assert_eq!(closer(device(), 0), PartSet::NONE, "there is nothing to explain");
        assert_eq!(closer(Vec::new(), 4), PartSet::NONE, "nothing is there to be looked at");
        let file = SwapArea { kind: AreaKind::File, ..area("/swapfile", 5, 8 << 20, 0) };
        assert_eq!(closer(vec![file], 4), PartSet::NONE, "the cause is known");
    }

    #[test]
    fn sizes_share_the_reason_why_it_is_not_known() {
        let none = told(Vec::new(), vec![size(32, 0, 4), size(64, 75, 25)], None);
        let why = "absent: no swap area is on now";
        assert_eq!(none, [format!("Why folios of 32K, 64K were split is not known: {why}.")]);
    }

    #[test]
    fn nothing_is_told_of_sizes_that_are_filtered_out() {
        let sizes = || vec![size(32, 0, 4), size(64, 75, 25), size(128, 1, 1)];
        let file = SwapArea { kind: AreaKind::File, ..area("/swapfile", 5, 8 << 20, 0) };
        let told_of = |filter| told(vec![file.clone()], sizes(), Some(filter)).concat();
        assert!(told_of("size=64K").starts_with("64K: 25 of 100 folios"));
        assert!(!told_of("size=64K").contains("2K:") && !told_of("size=64K").contains("128K:"));
        assert_eq!(told_of("size=1M"), "");
        let unknown = told(Vec::new(), sizes(), Some("size!=64K")).concat();
        assert!(unknown.starts_with("Why folios of 32K, 128K were split"), "{unknown}");
    }
}

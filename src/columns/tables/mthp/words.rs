//! Why folios are split, in sentences.

use super::{Mthp, Row};
use crate::columns::spec::Table as _;
use crate::columns::{Rows, units};
use crate::derive::View;
use crate::model::name;

/// A sentence for each size that is shown and of which folios were split; sizes share one where it is not
/// known why.
pub(super) fn sentences(view: &View<'_>, shown: &Rows) -> Vec<String> {
    let rows = Mthp::rows(view);
    let split =
        rows.known().into_iter().flat_map(|rows| shown.shown(rows)).filter(|row| row.was_split());
    let (mut told, mut unknown) = (Vec::new(), Vec::<(String, Vec<String>)>::new());
    for row in split {
        let size = units::size(row.size.size);
        match row.cause().into_result() {
            Ok((cause, sure)) => {
                let (words, sure) = (cause.words(), sure.word());
                let split = counted(row);
                told.push(format!(
                    "{size}: {split}. What stands in the way now: {words} ({sure})."
                ));
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
    told.extend(unknown.into_iter().map(|(why, sizes)| {
        format!("Why folios of {} were split is not known: {why}.", sizes.join(", "))
    }));
    told
}

/// How many of how many were split.
fn counted(row: &Row<'_>) -> String {
    match row.split_of().known() {
        Some((split, all)) => {
            let share = units::percent(*split as f64 / (*all).max(1) as f64);
            format!("{split} of {all} folios ({share}) were split since boot")
        }
        None => "folios were split since boot".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::tables::mthp::SPEC;
    use crate::columns::{Query, Request};
    use crate::derive::defaults::testing::kernel;
    use crate::model::counters::Counters;
    use crate::model::swaparea::testing::area;
    use crate::model::swaparea::{AreaKind, SwapArea};
    use crate::model::thp::{MthpSize, Thp};
    use crate::model::{Bytes, Reading, Sampled, Snapshot, Stamp};

    fn none<T>() -> Reading<T> {
        Reading::absent("it does not matter here")
    }

    /// A size of which so many went whole and so many were split.
    fn size(kib: u64, whole: u64, split: u64) -> MthpSize {
        let stats = vec![("swpout".into(), whole), ("swpout_fallback".into(), split)];
        let stats = Reading::Known(Counters::new("stats", stats));
        MthpSize { size: Bytes(kib << 10), enabled: none(), shmem_enabled: none(), stats }
    }

    fn told(areas: Vec<SwapArea>, sizes: Vec<MthpSize>, filter: Option<&str>) -> Vec<String> {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
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
        snapshot.thp = Sampled::new(None, Reading::Known(thp));
        let view = View::of(&snapshot);
        let request = Request { filter: filter.map(str::to_owned), ..Request::default() };
        let rows = Query::new(&SPEC, &request).unwrap().rows(&view);
        sentences(&view, rows.known().unwrap())
    }

    #[test]
    fn each_size_that_was_split_has_its_cause_and_how_sure_that_is() {
        let file = SwapArea { kind: AreaKind::File, ..area("/swapfile", 5, 8 << 20, 0) };
        let sizes = vec![size(16, 9, 0), size(32, 0, 4), size(64, 75, 25)];
        let now = "What stands in the way now: swap files take single pages only, and it is their turn (certain).";
        assert_eq!(
            told(vec![file], sizes, None),
            [
                format!("32K: 4 of 4 folios (100%) were split since boot. {now}"),
                format!("64K: 25 of 100 folios (25%) were split since boot. {now}"),
            ]
        );
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

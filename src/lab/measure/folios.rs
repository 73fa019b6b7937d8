//! Large folios in a run: how their statistics moved, in all and over time.

use super::{halve, risen};
use crate::model::Snapshot;
use crate::model::run::{FolioRun, FoliosOverTime};
use crate::model::thp::MthpSize;

/// How the statistics of each size moved; none where they are not there, or not of that size.
pub(super) fn moved((before, after): (&Snapshot, &Snapshot)) -> Vec<FolioRun> {
    let (Some(before), Some(after)) = (sizes(before), sizes(after)) else { return Vec::new() };
    let moved = |now: &MthpSize| {
        let was = before.iter().find(|was| was.size == now.size)?.stats.known()?;
        let stats = now.stats.known()?.iter().filter(|(name, _)| !name.starts_with("nr_"));
        let stats = stats.filter_map(|it| risen(was, it)).collect();
        Some(FolioRun { size: now.size, stats })
    };
    after.iter().filter_map(moved).collect()
}

fn sizes(snapshot: &Snapshot) -> Option<&[MthpSize]> {
    snapshot.thp.reading.known()?.sizes.known().map(Vec::as_slice)
}

/// Add a moment to what was kept at so many before.
pub(super) fn keep(kept: &mut Vec<FoliosOverTime>, before: usize, now: &[FolioRun]) {
    for folios in now {
        if !kept.iter().any(|known| known.size == folios.size) {
            let none = || vec![None; before];
            kept.push(FoliosOverTime { size: folios.size, whole: none(), split: none() });
        }
    }
    for known in kept {
        let folios = now.iter().find(|folios| folios.size == known.size);
        let tried = folios.and_then(FolioRun::tried);
        known.whole.push(tried.map(|(whole, _)| whole));
        known.split.push(tried.map(|(_, split)| split));
    }
}

/// Keep every other moment.
pub(super) fn thin_out(kept: &mut [FoliosOverTime]) {
    for folios in kept {
        halve(&mut folios.whole);
        halve(&mut folios.split);
    }
}

/// Was one of this size ever to be swapped out?
pub(super) fn was_tried(folios: &FoliosOverTime) -> bool {
    folios.whole.iter().chain(&folios.split).flatten().any(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Bytes;

    fn at(size: u64, whole: u64, split: u64) -> FolioRun {
        let stats = [("swpout", whole), ("swpout_fallback", split), ("swpin", 9)];
        let stats = stats.map(|(name, count)| (name.to_owned(), count)).into();
        FolioRun { size: Bytes(size), stats }
    }

    #[test]
    fn sizes_that_cannot_be_read_for_a_moment_have_a_gap() {
        let mut kept = Vec::new();
        keep(&mut kept, 0, &[at(1, 0, 0)]);
        keep(&mut kept, 1, &[at(1, 5, 2), at(2, 0, 0)]);
        keep(&mut kept, 2, &[at(2, 0, 0)]);
        assert_eq!(kept[0].whole, [Some(0), Some(5), None]);
        assert_eq!(kept[0].split, [Some(0), Some(2), None]);
        assert_eq!(kept[1].split, [None, Some(0), Some(0)]);
        assert!(was_tried(&kept[0]) && !was_tried(&kept[1]));
        thin_out(&mut kept);
        assert_eq!(kept[0].split, [Some(0), None]);
    }
}

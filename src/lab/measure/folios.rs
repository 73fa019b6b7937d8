//! Large folios in a run: how their statistics moved, in all and over time.

use super::{halve, risen};
use crate::model::paging::{Choice, MthpSize, Thp};
use crate::model::run::{FolioRun, FoliosOverTime};
use crate::model::{Reading, Snapshot};

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

/// Can memory come in large folios here, for some load or for one that asks for them? Of a size that
/// does not say so itself nothing is expected; one that inherits what cannot be read may come.
pub(super) fn may_come(thp: &Reading<Thp>, asks: bool) -> bool {
    let Some((thp, sizes)) = thp.known().and_then(|thp| Some((thp, thp.sizes.known()?))) else {
        return false;
    };
    let may = |own: &Reading<Choice>, all: &Reading<Choice>| {
        let word = |choice: &Reading<Choice>| choice.known().map(|choice| choice.current.clone());
        let Some(own) = word(own) else { return false };
        let word = if own == "inherit" { word(all) } else { Some(own) };
        match word.as_deref() {
            Some("never" | "deny") => false,
            Some("madvise" | "advise") => asks,
            _ => true,
        }
    };
    sizes.iter().any(|size| {
        may(&size.enabled, &thp.enabled) || may(&size.shmem_enabled, &thp.shmem_enabled)
    })
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
    fn statistics_are_read_where_something_can_come_into_them() {
        let choice = |word: &str| Reading::Known(Choice::parse(&format!("[{word}]")).unwrap());
        let may = |all: &str, own: &str, asks| {
            let size = MthpSize {
                size: Bytes(65536),
                enabled: choice(own),
                shmem_enabled: choice("never"),
                stats: Reading::not_sampled(),
            };
            let thp = Thp {
                enabled: choice(all),
                defrag: Reading::not_sampled(),
                shmem_enabled: choice("always"),
                pmd_size: Reading::not_sampled(),
                sizes: Reading::Known(vec![size]),
            };
            may_come(&Reading::Known(thp), asks)
        };
        assert!(!may("always", "never", true));
        assert!(may("never", "always", false) && may("always", "inherit", false));
        assert_eq!([false, true].map(|asks| may("never", "madvise", asks)), [false, true]);
        assert_eq!([false, true].map(|asks| may("madvise", "inherit", asks)), [false, true]);
        assert!(!may_come(&Reading::not_sampled(), true), "there are no statistics to read");
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

//! Why large folios are split on their way out.
//!
//! The kernel asks one area for slots that lie side by side: the first in order that has room for
//! anything, whose turn it is. If that one has none for the whole folio, the folio is split, whatever
//! the areas after it could take. That happened is counted, why is not: what is said here of past
//! splits is what stands in the way now. How sure it is that this was their cause is said here alone,
//! for tables and advice alike.

use super::clusters::{self, Fit, FolioSizes};
use super::selection::{self, LargeFolioSupport, OrderedArea, Selection};
use crate::model::clusters::{ClusterMap, ClusterView};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Reading, Snapshot};

/// What stands in the way of a size of folios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitCause {
    /// No area has room for it in all.
    Full,
    /// The areas whose turn it is are files: those take single pages only.
    Files,
    /// They rotate, and have no clusters on this kernel.
    Rotational,
    /// Some of the areas that take turns take single pages only.
    SomeTakeSinglePages,
    /// Clusters are smaller than that.
    LargerThanCluster,
    /// No cluster of those areas is free or has room for this size.
    Fragmented,
    /// Few clusters of those areas are free or have room for this size.
    NearlyFragmented,
    /// A cgroup came to its limit of swap.
    CgroupLimit,
    /// There is room now.
    RoomNow,
}

/// How sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CauseCertainty {
    /// It may be so.
    Hint,
    /// It is so as far as can be seen, or it is one of several things.
    Likely,
    /// The kernel's own data say so.
    Certain,
}

/// When the folios were split of which the cause is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitPeriod {
    /// Between the samples: what stands in the way now did so then.
    Now,
    /// At any time since boot: something else may have stood there.
    SinceBoot,
}

impl SplitPeriod {
    /// So sure it can be at most.
    fn max_certainty(self) -> CauseCertainty {
        match self {
            Self::Now => CauseCertainty::Certain,
            Self::SinceBoot => CauseCertainty::Likely,
        }
    }
}

impl CauseCertainty {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Likely => "likely",
            Self::Certain => "certain",
        }
    }
}

/// What stands in the way, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitReason {
    /// It.
    pub cause: SplitCause,
    /// How sure it is.
    pub sure: CauseCertainty,
    /// The view of clusters that makes room look larger than it is; none where none was needed, or
    /// that does not matter.
    pub at_best: Option<ClusterView>,
}

impl SplitReason {
    /// By what the kernel itself says.
    fn from_kernel(cause: SplitCause, sure: CauseCertainty) -> Self {
        Self { cause, sure, at_best: None }
    }

    /// In words.
    pub fn words(&self) -> String {
        let words = self.cause.words();
        match self.at_best {
            Some(view) => format!("{words}, as far as {} tell", view_source(view)),
            None => words.to_owned(),
        }
    }

    /// What the view does not see, as a sentence.
    pub fn caveat(&self) -> Option<String> {
        let view = self.at_best?;
        let (word, misses) = (clusters::view_name(view), clusters::not_shown_by_view(view));
        Some(format!("The view \"{word}\" misses {misses}: there may be less room than it shows."))
    }
}

/// Who tells what a view shows.
fn view_source(view: ClusterView) -> &'static str {
    match view {
        ClusterView::Kernel => "its own data",
        ClusterView::Stored => "pages stored in zram",
        ClusterView::Mapped => "page tables",
    }
}

impl SplitCause {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Full => "swap is full",
            Self::Files => "swap files take single pages only, and it is their turn",
            Self::Rotational => "rotating areas take single pages only on this kernel",
            Self::SomeTakeSinglePages => "some of the areas that take turns take single pages only",
            Self::LargerThanCluster => "clusters are smaller than this size",
            Self::Fragmented => "no cluster has room for this size: fragmented",
            Self::NearlyFragmented => "few clusters have room for this size",
            Self::CgroupLimit => "a cgroup came to its limit of swap",
            Self::RoomNow => "nothing any more, there is room for this size",
        }
    }
}

/// An area with fewer places than this part of its free slots is running out of them.
const FEW: f64 = 0.05;

/// What stands in the way of folios of this size, and how sure it is that those were split for that.
pub fn cause(snapshot: &Snapshot, size: Bytes, when: SplitPeriod) -> Reading<SplitReason> {
    current_cause(snapshot, size).map(|why| SplitReason { sure: why.sure.min(when.max_certainty()), ..why })
}

/// Would a look at clusters that no view tells of show more?
pub fn needs_clusters(snapshot: &Snapshot, size: Bytes) -> bool {
    let areas = snapshot.swaps.reading.known().map_or(0, Vec::len);
    let is_unseen = |place| clusters::best_view(snapshot, place).missing().is_some();
    let is_open = |why: Option<&SplitReason>| why.is_none_or(|why| why.cause == SplitCause::CgroupLimit);
    (0..areas).any(is_unseen) && is_open(current_cause(snapshot, size).known())
}

/// What stands in the way now.
fn current_cause(snapshot: &Snapshot, size: Bytes) -> Reading<SplitReason> {
    let areas = match snapshot.swaps.reading.get() {
        Ok(areas) => areas,
        Err(missing) => return missing.into(),
    };
    if areas.is_empty() {
        return Reading::absent("no swap area is on now");
    }
    if let Some(full) = is_full(areas, size) {
        return Reading::Known(SplitReason::from_kernel(full, CauseCertainty::Certain));
    }
    selection::for_pages(snapshot).and_then(|selection| {
        let turns = areas_filling_now(&selection);
        match refused_by_kind(&turns) {
            Some((cause, sure)) => Reading::Known(SplitReason::from_kernel(cause, sure)),
            None => cause_in_clusters(snapshot, &turns, size),
        }
    })
}

fn is_full(areas: &[SwapArea], size: Bytes) -> Option<SplitCause> {
    let free = |area: &SwapArea| area.used.known().map(|used| area.size.saturating_sub(*used).0);
    let free: Option<Vec<u64>> = areas.iter().map(free).collect();
    (free?.iter().sum::<u64>() < size.0).then_some(SplitCause::Full)
}

/// The areas whose turn it is, on any node: those of the first group that is not full.
fn areas_filling_now(selection: &Selection) -> Vec<&OrderedArea> {
    let mut turns: Vec<&OrderedArea> = Vec::new();
    for line in &selection.lines {
        let has_room = |place: &&OrderedArea| place.free.known().is_none_or(|free| *free > 0);
        let group = line.places.iter().find(has_room).map(|place| place.group);
        let of_group = line.places.iter().filter(|place| Some(place.group) == group);
        for place in of_group.filter(has_room) {
            if turns.iter().all(|other| other.area != place.area) {
                turns.push(place);
            }
        }
    }
    turns
}

/// Is it that these areas take no large folios at all?
fn refused_by_kind(turns: &[&OrderedArea]) -> Option<(SplitCause, CauseCertainty)> {
    let how =
        |large: LargeFolioSupport| turns.iter().filter(|place| place.large.known() == Some(&large)).count();
    let (files, rotational) = (how(LargeFolioSupport::File), how(LargeFolioSupport::Rotational));
    match (files, rotational) {
        (0, 0) => None,
        (0, rotational) if rotational == turns.len() => Some((SplitCause::Rotational, CauseCertainty::Certain)),
        // Those of both kinds take none, and a file may be where it is least expected.
        (files, others) if files + others == turns.len() => Some((SplitCause::Files, CauseCertainty::Certain)),
        _ => Some((SplitCause::SomeTakeSinglePages, CauseCertainty::Likely)),
    }
}

/// Have their clusters room for it?
fn cause_in_clusters(snapshot: &Snapshot, turns: &[&OrderedArea], size: Bytes) -> Reading<SplitReason> {
    let page = match snapshot.page_size.get() {
        Ok(page) => *page,
        Err(missing) => return missing.into(),
    };
    let maps: Result<Vec<&ClusterMap>, Missing> =
        turns.iter().map(|place| clusters::best_view(snapshot, place.area).into_result()).collect();
    let maps = match maps {
        Ok(maps) => maps,
        // Who did not look at clusters does not know what else there is.
        Err(Missing::NotSampled) => return Missing::NotSampled.into(),
        Err(_) if swap_limit_was_hit(snapshot) => {
            return Reading::Known(SplitReason::from_kernel(SplitCause::CgroupLimit, CauseCertainty::Hint));
        }
        Err(missing) => return missing.into(),
    };
    let fits: Option<Vec<Fit>> = maps.iter().map(|map| fit_in_map(map, size, page)).collect();
    let Some(fits) = fits else {
        return Reading::Known(SplitReason::from_kernel(SplitCause::LargerThanCluster, CauseCertainty::Certain));
    };
    if let Some(missing) = fits.iter().find_map(unknown) {
        return missing.clone().into();
    }
    let is_whole = |map: &&ClusterMap| map.view == ClusterView::Kernel && map.is_whole();
    let inside = maps.iter().all(is_whole);
    let none = fits.iter().all(|fit| fit.places.known() == Some(&0));
    let few = fits.iter().any(|fit| fit.share.known().is_some_and(|share| *share < FEW));
    let (cause, sure) = match (none, few, swap_limit_was_hit(snapshot)) {
        // What is taken by a view from outside is taken.
        (true, ..) => (SplitCause::Fragmented, if inside { CauseCertainty::Certain } else { CauseCertainty::Likely }),
        (_, true, _) => (SplitCause::NearlyFragmented, if inside { CauseCertainty::Likely } else { CauseCertainty::Hint }),
        (.., true) => (SplitCause::CgroupLimit, CauseCertainty::Hint),
        _ => (SplitCause::RoomNow, if inside { CauseCertainty::Likely } else { CauseCertainty::Hint }),
    };
    // Where even what looks free has no room, what it looks like does not matter.
    let flatters = matches!(cause, SplitCause::NearlyFragmented | SplitCause::RoomNow);
    let outside = maps.iter().map(|map| map.view).find(|view| *view != ClusterView::Kernel);
    Reading::Known(SplitReason { cause, sure, at_best: outside.filter(|_| flatters) })
}

/// Room for this size. A view that does not tell for which size clusters are kept tells which are free:
/// where those are no few, they have room for it.
fn fit_in_map(map: &ClusterMap, size: Bytes, page: u64) -> Option<Fit> {
    let fit = clusters::fit_for_size(map, size, page, FolioSizes::Large)?;
    if fit.places.known().is_some() {
        return Some(fit);
    }
    let cluster = Bytes(u64::from(map.cluster_slots).saturating_mul(page));
    let free = clusters::fit_for_size(map, cluster, page, FolioSizes::Large);
    let is_much = |fit: &Fit| fit.share.known().is_some_and(|share| *share >= FEW);
    Some(free.filter(is_much).unwrap_or(fit))
}

/// Why it is not known whether there is room. Of one without places it does not matter what part of the
/// free slots those are.
fn unknown(fit: &Fit) -> Option<&Missing> {
    match fit.places.known() {
        Some(0) => None,
        Some(_) => fit.share.missing(),
        None => fit.places.missing(),
    }
}

/// Did any cgroup come to its limit of swap since boot?
fn swap_limit_was_hit(snapshot: &Snapshot) -> bool {
    let Some(tree) = snapshot.cgroups.reading.known() else { return false };
    tree.groups.iter().any(|group| {
        let hits = group.swap_events.as_ref().and_then(|events| events.get("max"));
        hits.known().is_some_and(|hits| *hits > 0)
    })
}

/// Split because no slots were found, and all that were to be swapped. zswap stores a folio only
/// after it got its slots, so those count as successes; a kernel that does not count them stores
/// none whole.
pub fn split_counts(
    split: Reading<u64>,
    whole: Reading<u64>,
    zswap: Reading<u64>,
) -> Reading<(u64, u64)> {
    let uncounted = matches!(zswap.missing(), Some(Missing::Absent(_)));
    let zswap = if uncounted { Reading::Known(0) } else { zswap };
    let whole = whole.map2(zswap, u64::saturating_add);
    split.map2(whole, |split, whole| (split, split.saturating_add(whole)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::clusters::testing::{cluster, map};
    use crate::derive::selection::policy::testing::kernel;
    use crate::model::clusters::{Cluster, List};
    use crate::model::swaparea::AreaKind;
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Stamp};

    const SIZE: Bytes = Bytes(65536);
    const AREA: u64 = 8 << 20;

    /// A machine with these areas: priority, kind, used, and clusters where they are known.
    fn machine(areas: &[(i32, AreaKind, u64, Option<ClusterMap>)]) -> Snapshot {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        snapshot.page_size = Reading::Known(4096);
        snapshot.kernel = kernel("6.18.1");
        let row = |(priority, kind, used, _): &(i32, AreaKind, u64, _)| SwapArea {
            kind: *kind,
            ..area("/dev/zram0", *priority, AREA, *used)
        };
        let rows = areas.iter().map(row).collect();
        snapshot.swaps = Sampled::new(None, Reading::Known(rows));
        let of = |(.., map): &(i32, AreaKind, u64, Option<ClusterMap>)| match map {
            Some(map) => Reading::Known(map.clone()),
            None => Reading::absent("no view"),
        };
        let maps = areas.iter().map(of).collect();
        snapshot.kernel_clusters = Sampled::new(None, Reading::Known(maps));
        snapshot
    }

    fn cause(areas: &[(i32, AreaKind, u64, Option<ClusterMap>)]) -> Option<(SplitCause, CauseCertainty)> {
        super::cause(&machine(areas), SIZE, SplitPeriod::Now).known().map(|why| (why.cause, why.sure))
    }

    fn device(clusters: &[Cluster]) -> (i32, AreaKind, u64, Option<ClusterMap>) {
        (5, AreaKind::Partition, 0, Some(map(ClusterView::Kernel, clusters.to_vec())))
    }

    #[test]
    fn without_room_for_anything_it_is_that() {
        assert_eq!(cause(&[]), None, "what was in the way of past folios is gone");
        let full = (5, AreaKind::Partition, AREA - SIZE.0 + 1, None);
        assert_eq!(cause(&[full]), Some((SplitCause::Full, CauseCertainty::Certain)));
    }

    #[test]
    fn files_take_no_large_folios_when_it_is_their_turn() {
        let file = |priority| (priority, AreaKind::File, 0, None);
        let free = [cluster(0, List::Free, 0); 4];
        assert_eq!(cause(&[file(5)]), Some((SplitCause::Files, CauseCertainty::Certain)));
        assert_eq!(cause(&[file(7), device(&free)]), Some((SplitCause::Files, CauseCertainty::Certain)));
        assert_eq!(cause(&[file(5), device(&free)]), Some((SplitCause::SomeTakeSinglePages, CauseCertainty::Likely)));
        let nothing = Some((SplitCause::RoomNow, CauseCertainty::Likely));
        assert_eq!(cause(&[file(4), device(&free)]), nothing, "it is not their turn");
    }

    #[test]
    fn clusters_tell_what_fits() {
        let single = cluster(256, List::Frag, 0);
        assert_eq!(cause(&[device(&[single; 4])]), Some((SplitCause::Fragmented, CauseCertainty::Certain)));
        let kept = cluster(496, List::Nonfull, 4);
        let few = [single, single, single, kept];
        assert_eq!(cause(&[device(&few)]), Some((SplitCause::NearlyFragmented, CauseCertainty::Likely)));
        let free = cluster(0, List::Free, 0);
        assert_eq!(cause(&[device(&[single, free])]), Some((SplitCause::RoomNow, CauseCertainty::Likely)));
    }

    #[test]
    fn a_view_from_outside_gives_less_certainty() {
        let outside = Cluster { taken: 256, list: None, order: None };
        let seen = (5, AreaKind::Partition, 0, Some(map(ClusterView::Mapped, vec![outside; 4])));
        assert_eq!(cause(std::slice::from_ref(&seen)), None, "clusters may be kept for this size");
        let of_clusters = super::cause(&machine(&[seen]), Bytes(2 << 20), SplitPeriod::Now);
        let fragmented = SplitReason::from_kernel(SplitCause::Fragmented, CauseCertainty::Likely);
        assert_eq!(of_clusters.known(), Some(&fragmented), "not even what looks free has room");
    }

    /// An area as page tables show it, with so many slots used, of clusters with so many taken.
    fn mapped(used: u64, taken: &[u16]) -> Snapshot {
        let of = |taken: &u16| Cluster { taken: *taken, list: None, order: None };
        let seen = map(ClusterView::Mapped, taken.iter().map(of).collect());
        let seen = ClusterMap { counted: Some(Bytes(used * 4096)), ..seen };
        let mut machine = machine(&[(5, AreaKind::Partition, used * 4096, Some(seen))]);
        std::mem::swap(&mut machine.mapped_clusters, &mut machine.kernel_clusters);
        machine
    }

    #[test]
    fn page_tables_show_an_upper_bound_of_room() {
        let why = |machine: &Snapshot, kib: u64| {
            super::cause(machine, Bytes(kib << 10), SplitPeriod::Now).known().copied()
        };
        let free = mapped(300, &[300, 0, 0, 0]);
        let told = why(&free, 2048).unwrap();
        assert_eq!((told.cause, told.sure), (SplitCause::RoomNow, CauseCertainty::Hint));
        assert!(told.words().ends_with(", as far as page tables tell"), "{}", told.words());
        let caveat = told.caveat().unwrap();
        assert!(caveat.contains("misses shared memory") && caveat.contains("less room"));
        assert_eq!(why(&free, 64), Some(told), "free clusters have room for all sizes");
        assert_eq!(why(&mapped(700, &[300, 0, 0, 0]), 2048), None, "they see too little");
        let none = why(&mapped(1200, &[300; 4]), 2048).unwrap();
        assert_eq!((none.cause, none.at_best), (SplitCause::Fragmented, None));
    }

    #[test]
    fn clusters_are_read_only_where_they_decide() {
        let is_blind = |areas: &[(i32, AreaKind, u64, Option<ClusterMap>)]| {
            super::needs_clusters(&machine(areas), SIZE)
        };
        assert!(is_blind(&[(5, AreaKind::Partition, 0, None)]));
        assert!(!is_blind(&[(5, AreaKind::File, 0, None)]), "files take none anyway");
        assert!(!is_blind(&[device(&[cluster(0, List::Free, 0); 4])]), "they were looked at");
        assert!(!is_blind(&[]), "there is nothing to look at");
    }

    #[test]
    fn what_was_split_since_boot_may_have_had_another_cause() {
        let past = |area| super::cause(&machine(&[area]), SIZE, SplitPeriod::SinceBoot);
        let file = (5, AreaKind::File, 0, None);
        assert_eq!(past(file).known(), Some(&SplitReason::from_kernel(SplitCause::Files, CauseCertainty::Likely)));
        let free = past(device(&[cluster(0, List::Free, 0); 4]));
        assert_eq!(free.known(), Some(&SplitReason::from_kernel(SplitCause::RoomNow, CauseCertainty::Likely)));
    }

    #[test]
    fn an_incomplete_map_gives_less_certainty() {
        let mut broken = device(&[cluster(256, List::Frag, 0); 4]);
        broken.3.as_mut().unwrap().clusters.pop();
        assert_eq!(cause(&[broken]), Some((SplitCause::Fragmented, CauseCertainty::Likely)));
    }

    #[test]
    fn folios_larger_than_a_cluster_find_no_place() {
        let machine = machine(&[device(&[cluster(0, List::Free, 0); 4])]);
        let huge = super::cause(&machine, Bytes(4 << 20), SplitPeriod::Now);
        assert_eq!(huge.known(), Some(&SplitReason::from_kernel(SplitCause::LargerThanCluster, CauseCertainty::Certain)));
    }

    #[test]
    fn without_a_cluster_view_the_cause_is_unknown() {
        let blind = (5, AreaKind::Partition, 0, None);
        let missing = super::cause(&machine(&[blind]), SIZE, SplitPeriod::Now);
        assert_eq!(missing.missing().unwrap().why(), "no view");
    }
}

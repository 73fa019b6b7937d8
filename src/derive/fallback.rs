//! Causes of fallback: why large folios are split when they are swapped out.
//!
//! The kernel asks one area for adjacent slots: the next area in the allocation order that has any room. If
//! it has no room for the whole folio, the folio is split, even if other areas could take it. The kernel
//! counts splits, but not their causes: what is reported here for past splits is the cause that exists now.
//! Tables and advice both take the certainty of that conclusion from here.

use super::SampleView;
use super::clusters::{self, Fit, FolioSizes};
use super::selection::{self, LargeFolioSupport, OrderedArea, Selection};
use super::view::CounterChange;
use crate::model::clusters::{ClusterMap, ClusterView};
use crate::model::paging::{MthpSize, Thp};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Reading, Snapshot, known, worded_enum};

worded_enum! {
    /// Why folios of a size are split.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SplitCause {
        /// Less than one folio is free on all areas together.
        Full = "swap is full",
        /// The areas that fill now are files, which take single pages only.
        Files = "the next area is a swap file, which takes single pages only",
        /// The areas that fill now are rotational, and have no clusters on this kernel.
        Rotational = "rotational areas take single pages only on this kernel",
        /// Some areas of the group that fills now take single pages only.
        SomeTakeSinglePages = "some areas of the priority group take single pages only",
        /// Clusters are smaller than the folio.
        LargerThanCluster = "clusters are smaller than this size",
        /// No cluster is free or has room for this size.
        Fragmented = "no cluster has room for this size: fragmented",
        /// Few clusters are free or have room for this size.
        NearlyFragmented = "few clusters have room for this size",
        /// A cgroup reached its swap limit.
        CgroupLimit = "a cgroup reached its swap limit",
        /// There is room now: the cause is gone.
        RoomNow = "no longer visible, there is room for this size now",
    }
}

worded_enum! {
    /// Certainty of a cause or a finding, most certain first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Certainty {
        /// The figures prove it.
        Certain = "certain",
        /// The figures fit, and another cause is unlikely.
        Likely = "likely",
        /// Possible: check it.
        Hint = "hint",
    }
}

/// The period in which the folios were split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitPeriod {
    /// Between the samples: the present cause was the cause then.
    Now,
    /// Since boot: the cause may have been another one.
    SinceBoot,
}

impl SplitPeriod {
    /// Returns the best possible certainty.
    fn best_certainty(self) -> Certainty {
        match self {
            Self::Now => Certainty::Certain,
            Self::SinceBoot => Certainty::Likely,
        }
    }
}

/// A cause, and how it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitReason {
    /// The cause.
    pub cause: SplitCause,
    /// The certainty.
    pub sure: Certainty,
    /// The view of clusters that may show more room than exists; `None` if no view was needed or it does
    /// not matter.
    pub at_best: Option<ClusterView>,
}

impl SplitReason {
    /// Creates a reason that needs no view of clusters.
    fn from_kernel(cause: SplitCause, sure: Certainty) -> Self {
        Self { cause, sure, at_best: None }
    }

    /// Describes the cause and the source of the data.
    pub fn words(&self) -> String {
        let words = self.cause.word();
        match self.at_best {
            Some(view) => format!("{words}, as far as {} show", view_source(view)),
            None => words.to_owned(),
        }
    }

    /// Describes what the view does not see, as a sentence.
    pub fn caveat(&self) -> Option<String> {
        let view = self.at_best?;
        let (word, misses) = (view.word(), clusters::not_shown_by_view(view));
        Some(format!(
            "The view \"{word}\" does not see {misses}: there may be less room than it shows."
        ))
    }
}

/// Names the source of a view.
fn view_source(view: ClusterView) -> &'static str {
    match view {
        ClusterView::Kernel => "kernel data",
        ClusterView::Stored => "pages stored in zram",
        ClusterView::Mapped => "page tables",
    }
}

/// An area is running out of room for a size if less than this share of its free slots can take it.
const FEW: f64 = 0.05;

/// Returns the cause for folios of this size, and how certain it is that they were split for it.
pub fn cause(view: &SampleView<'_>, size: Bytes, when: SplitPeriod) -> Reading<SplitReason> {
    let now = current_cause(view.now, size);
    let is_open = |why: &SplitReason| why.cause == SplitCause::RoomNow;
    let is_gone = when == SplitPeriod::Now && now.known().is_some_and(is_open);
    // Splits between the samples came after the earlier one: a cause that it shows explains them.
    let before =
        view.before.filter(|_| is_gone).and_then(|it| current_cause(it, size).into_result().ok());
    match before.filter(|why| !is_open(why)) {
        Some(why) => Reading::Known(SplitReason { sure: why.sure.max(Certainty::Likely), ..why }),
        None => now.map(|why| SplitReason { sure: why.sure.max(when.best_certainty()), ..why }),
    }
}

/// Returns whether reading clusters that no view shows yet would find a cause.
pub fn needs_clusters(snapshot: &Snapshot, size: Bytes) -> bool {
    let areas = snapshot.areas().len();
    let is_unseen = |place| clusters::best_view(snapshot, place).missing().is_some();
    let is_open =
        |why: Option<&SplitReason>| why.is_none_or(|why| why.cause == SplitCause::CgroupLimit);
    (0..areas).any(is_unseen) && is_open(current_cause(snapshot, size).known())
}

/// Returns the cause that exists now.
fn current_cause(snapshot: &Snapshot, size: Bytes) -> Reading<SplitReason> {
    let areas = known!(snapshot.swaps.reading.as_ref());
    if areas.is_empty() {
        return Reading::absent("no swap area is active now");
    }
    if let Some(full) = is_full(areas, size) {
        return Reading::Known(SplitReason::from_kernel(full, Certainty::Certain));
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

/// Returns the areas that fill now on any node: those of the first group with room.
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

/// Returns a cause if areas of these kinds do not take large folios.
fn refused_by_kind(turns: &[&OrderedArea]) -> Option<(SplitCause, Certainty)> {
    let how = |large: LargeFolioSupport| {
        turns.iter().filter(|place| place.large.known() == Some(&large)).count()
    };
    let (files, rotational) = (how(LargeFolioSupport::File), how(LargeFolioSupport::Rotational));
    match (files, rotational) {
        (0, 0) => None,
        (0, rotational) if rotational == turns.len() => {
            Some((SplitCause::Rotational, Certainty::Certain))
        }
        // Neither kind takes large folios; a file is the less expected cause, so it is named.
        (files, others) if files + others == turns.len() => {
            Some((SplitCause::Files, Certainty::Certain))
        }
        _ => Some((SplitCause::SomeTakeSinglePages, Certainty::Likely)),
    }
}

/// Returns the cause from the room in their clusters.
fn cause_in_clusters(
    snapshot: &Snapshot,
    turns: &[&OrderedArea],
    size: Bytes,
) -> Reading<SplitReason> {
    let page = known!(snapshot.page_size.clone());
    let maps: Result<Vec<&ClusterMap>, Missing> =
        turns.iter().map(|place| clusters::best_view(snapshot, place.area).into_result()).collect();
    let maps = match maps {
        Ok(maps) => maps,
        // Without cluster data other causes are unknown.
        Err(Missing::NotSampled) => return Missing::NotSampled.into(),
        Err(_) if swap_limit_was_hit(snapshot) => {
            return Reading::Known(SplitReason::from_kernel(
                SplitCause::CgroupLimit,
                Certainty::Hint,
            ));
        }
        Err(missing) => return missing.into(),
    };
    let fits: Option<Vec<Fit>> = maps.iter().map(|map| fit_in_map(map, size, page)).collect();
    let Some(fits) = fits else {
        return Reading::Known(SplitReason::from_kernel(
            SplitCause::LargerThanCluster,
            Certainty::Certain,
        ));
    };
    if let Some(missing) = fits.iter().find_map(unknown) {
        return missing.clone().into();
    }
    let is_whole = |map: &&ClusterMap| map.view == ClusterView::Kernel && map.is_whole();
    let inside = maps.iter().all(is_whole);
    let none = fits.iter().all(|fit| fit.places.known() == Some(&0));
    let few = fits.iter().any(|fit| fit.share.known().is_some_and(|share| *share < FEW));
    let (cause, sure) = match (none, few, swap_limit_was_hit(snapshot)) {
        // Slots that an outside view shows as used are used.
        (true, ..) => {
            (SplitCause::Fragmented, if inside { Certainty::Certain } else { Certainty::Likely })
        }
        (_, true, _) => {
            (SplitCause::NearlyFragmented, if inside { Certainty::Likely } else { Certainty::Hint })
        }
        (.., true) => (SplitCause::CgroupLimit, Certainty::Hint),
        _ => (SplitCause::RoomNow, Certainty::Hint),
    };
    // If even the apparently free slots have no room, the limits of the view do not matter.
    let flatters = matches!(cause, SplitCause::NearlyFragmented | SplitCause::RoomNow);
    let outside = maps.iter().map(|map| map.view).find(|view| *view != ClusterView::Kernel);
    Reading::Known(SplitReason { cause, sure, at_best: outside.filter(|_| flatters) })
}

/// Returns the room for this size. A view without the folio sizes of clusters still shows free clusters: if
/// there are enough of them, they have room for it.
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

/// Returns why the room is unknown. Without any room its share of the free slots does not matter.
fn unknown(fit: &Fit) -> Option<&Missing> {
    match fit.places.known() {
        Some(0) => None,
        Some(_) => fit.share.missing(),
        None => fit.places.missing(),
    }
}

/// Returns whether any cgroup reached its swap limit since boot.
fn swap_limit_was_hit(snapshot: &Snapshot) -> bool {
    let Some(tree) = snapshot.cgroups.reading.known() else { return false };
    tree.groups.iter().any(|group| {
        let hits = group.swap_events.as_ref().and_then(|events| events.get("max"));
        hits.known().is_some_and(|hits| *hits > 0)
    })
}

/// Returns how many folios were split for want of slots, and how many were to be swapped out in total, of these
/// counts. zswap stores a folio only after it got its slots, so those count as successes; a kernel without that
/// counter stores none whole.
fn split_counts(count: impl Fn(&str) -> Reading<u64>) -> Reading<(u64, u64)> {
    let whole = count("swpout").map2(count("zswpout").default_if_absent(), u64::saturating_add);
    count("swpout_fallback").map2(whole, |split, whole| (split, split.saturating_add(whole)))
}

/// Returns how many folios of a size were split for want of slots since boot, and how many were to be swapped out
/// in total.
pub fn split_since_boot(size: &MthpSize) -> Reading<(u64, u64)> {
    split_counts(|name| size.stat(name))
}

/// Returns how many folios of a size were split for want of slots between the samples, and how many were to be
/// swapped out in total.
pub fn split_between(view: &SampleView<'_>, size: Bytes) -> Reading<(u64, u64)> {
    split_counts(|name| stat_change(view, size, name).map(|change| change.by))
}

/// Returns how a counter of folios of a size grew.
pub fn stat_change(view: &SampleView<'_>, size: Bytes, name: &str) -> Reading<CounterChange> {
    let of_size = |thp: &Thp| {
        let sizes = thp.sizes.as_ref();
        sizes.and_then(|sizes| match sizes.iter().find(|other| other.size == size) {
            Some(size) => size.stat(name),
            None => Reading::absent("this size did not exist in the earlier sample"),
        })
    };
    view.change(|snapshot| &snapshot.thp, of_size)
}

/// Returns how many folios of all sizes were swapped out whole, and how many were split for want of slots.
/// Missing only if no size has the counters.
pub fn whole_and_split(thp: &Thp) -> Reading<(u64, u64)> {
    thp.sizes.as_ref().and_then(|sizes| {
        let each: Vec<_> = sizes.iter().map(split_since_boot).collect();
        let add = |(whole, split): (u64, u64), (part, all): &(u64, u64)| {
            (whole.saturating_add(all - part), split.saturating_add(*part))
        };
        match each.first() {
            None => Reading::absent("this kernel has no sizes of large folios"),
            Some(first) if each.iter().all(|size| size.known().is_none()) => {
                first.clone().map(|_| (0, 0))
            }
            Some(_) => Reading::Known(each.iter().filter_map(Reading::known).fold((0, 0), add)),
        }
    })
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
        let of = |(.., map): &(i32, AreaKind, u64, Option<ClusterMap>)| {
            Reading::or_absent(map.clone(), "no view")
        };
        let maps = areas.iter().map(of).collect();
        snapshot.kernel_clusters = Sampled::new(None, Reading::Known(maps));
        snapshot
    }

    fn cause(
        areas: &[(i32, AreaKind, u64, Option<ClusterMap>)],
    ) -> Option<(SplitCause, Certainty)> {
        super::cause(&SampleView::single(&machine(areas)), SIZE, SplitPeriod::Now)
            .known()
            .map(|why| (why.cause, why.sure))
    }

    fn device(clusters: &[Cluster]) -> (i32, AreaKind, u64, Option<ClusterMap>) {
        (5, AreaKind::Partition, 0, Some(map(ClusterView::Kernel, clusters.to_vec())))
    }

    #[test]
    fn without_room_for_anything_it_is_that() {
        assert_eq!(cause(&[]), None, "the cause of past splits is gone");
        let full = (5, AreaKind::Partition, AREA - SIZE.0 + 1, None);
        assert_eq!(cause(&[full]), Some((SplitCause::Full, Certainty::Certain)));
    }

    #[test]
    fn files_take_no_large_folios_when_it_is_their_turn() {
        let file = |priority| (priority, AreaKind::File, 0, None);
        let free = [cluster(0, List::Free, 0); 4];
        assert_eq!(cause(&[file(5)]), Some((SplitCause::Files, Certainty::Certain)));
        assert_eq!(cause(&[file(7), device(&free)]), Some((SplitCause::Files, Certainty::Certain)));
        assert_eq!(
            cause(&[file(5), device(&free)]),
            Some((SplitCause::SomeTakeSinglePages, Certainty::Likely))
        );
        let nothing = Some((SplitCause::RoomNow, Certainty::Hint));
        assert_eq!(cause(&[file(4), device(&free)]), nothing, "files do not fill now");
    }

    #[test]
    fn clusters_tell_what_fits() {
        let single = cluster(256, List::Frag, 0);
        assert_eq!(
            cause(&[device(&[single; 4])]),
            Some((SplitCause::Fragmented, Certainty::Certain))
        );
        let kept = cluster(496, List::Nonfull, 4);
        let few = [single, single, single, kept];
        assert_eq!(cause(&[device(&few)]), Some((SplitCause::NearlyFragmented, Certainty::Likely)));
        let free = cluster(0, List::Free, 0);
        assert_eq!(cause(&[device(&[single, free])]), Some((SplitCause::RoomNow, Certainty::Hint)));
    }

    #[test]
    fn a_view_from_outside_gives_less_certainty() {
        let outside = Cluster { taken: 256, list: None, order: None };
        let seen = (5, AreaKind::Partition, 0, Some(map(ClusterView::Mapped, vec![outside; 4])));
        assert_eq!(
            cause(std::slice::from_ref(&seen)),
            None,
            "clusters may be reserved for this size"
        );
        let of_clusters =
            super::cause(&SampleView::single(&machine(&[seen])), Bytes(2 << 20), SplitPeriod::Now);
        let fragmented = SplitReason::from_kernel(SplitCause::Fragmented, Certainty::Likely);
        assert_eq!(
            of_clusters.known(),
            Some(&fragmented),
            "even the apparently free slots have no room"
        );
    }

    #[test]
    fn a_cause_that_is_gone_is_taken_from_the_earlier_sample() {
        let now = machine(&[device(&[cluster(0, List::Free, 0); 4])]);
        let between = |before: &Snapshot, when| {
            let view = SampleView { now: &now, before: Some(before) };
            super::cause(&view, SIZE, when).known().map(|why| (why.cause, why.sure))
        };
        let full = machine(&[(5, AreaKind::Partition, AREA, None)]);
        let gone = Some((SplitCause::RoomNow, Certainty::Hint));
        assert_eq!(between(&full, SplitPeriod::Now), Some((SplitCause::Full, Certainty::Likely)));
        assert_eq!(between(&full, SplitPeriod::SinceBoot), gone);
        assert_eq!(between(&now, SplitPeriod::Now), gone);
    }

    /// An area in the view of page tables: slots used by the kernel's count, and seen per cluster.
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
            super::cause(&SampleView::single(machine), Bytes(kib << 10), SplitPeriod::Now)
                .known()
                .copied()
        };
        let free = mapped(300, &[300, 0, 0, 0]);
        let told = why(&free, 2048).unwrap();
        assert_eq!((told.cause, told.sure), (SplitCause::RoomNow, Certainty::Hint));
        assert!(told.words().ends_with(", as far as page tables show"), "{}", told.words());
        let caveat = told.caveat().unwrap();
        assert!(caveat.contains("does not see shared memory") && caveat.contains("less room"));
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
        assert!(!is_blind(&[(5, AreaKind::File, 0, None)]), "files never take them");
        assert!(!is_blind(&[device(&[cluster(0, List::Free, 0); 4])]), "clusters were read");
        assert!(!is_blind(&[]), "there are no areas");
    }

    #[test]
    fn what_was_split_since_boot_may_have_had_another_cause() {
        let past = |area| {
            super::cause(&SampleView::single(&machine(&[area])), SIZE, SplitPeriod::SinceBoot)
        };
        let file = (5, AreaKind::File, 0, None);
        assert_eq!(
            past(file).known(),
            Some(&SplitReason::from_kernel(SplitCause::Files, Certainty::Likely))
        );
        let free = past(device(&[cluster(0, List::Free, 0); 4]));
        assert_eq!(
            free.known(),
            Some(&SplitReason::from_kernel(SplitCause::RoomNow, Certainty::Hint))
        );
    }

    #[test]
    fn an_incomplete_map_gives_less_certainty() {
        let mut broken = device(&[cluster(256, List::Frag, 0); 4]);
        broken.3.as_mut().unwrap().clusters.pop();
        assert_eq!(cause(&[broken]), Some((SplitCause::Fragmented, Certainty::Likely)));
    }

    #[test]
    fn folios_larger_than_a_cluster_find_no_place() {
        let machine = machine(&[device(&[cluster(0, List::Free, 0); 4])]);
        let huge = super::cause(&SampleView::single(&machine), Bytes(4 << 20), SplitPeriod::Now);
        assert_eq!(
            huge.known(),
            Some(&SplitReason::from_kernel(SplitCause::LargerThanCluster, Certainty::Certain))
        );
    }

    #[test]
    fn without_a_cluster_view_the_cause_is_unknown() {
        let blind = (5, AreaKind::Partition, 0, None);
        let missing = super::cause(&SampleView::single(&machine(&[blind])), SIZE, SplitPeriod::Now);
        assert_eq!(missing.missing().unwrap().why(), "no view");
    }
}

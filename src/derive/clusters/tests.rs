use super::testing::{cluster, map};
use super::*;
use crate::derive::SampleView as Look;
use crate::model::clusters::{Ages, SlotOwner, ZramStored};
use crate::model::kernel::Access;
use crate::model::swaparea::testing::area;
use crate::model::{Sampled, Stamp};

const PAGE: u64 = 4096;

/// The kernel view of: free, half full with single pages, nearly full with 64K, full, free, free.
fn mixed() -> ClusterMap {
    let clusters = vec![
        cluster(0, List::Free, 0),
        cluster(256, List::Frag, 0),
        cluster(480, List::Nonfull, 4),
        cluster(512, List::Full, 0),
        cluster(0, List::Free, 9),
        cluster(0, List::Free, 0),
    ];
    map(ClusterView::Kernel, clusters)
}

/// The area of `mixed` in the view of page tables.
fn from_outside() -> ClusterMap {
    let outside = |cluster: &Cluster| Cluster { list: None, order: None, ..*cluster };
    map(ClusterView::Mapped, mixed().clusters.iter().map(outside).collect())
}

#[test]
fn clusters_are_counted_by_what_is_taken_and_by_list() {
    assert_eq!(count_clusters(&mixed()), ClusterCounts { free: 3, partly: 2, full: 1 });
    let on = |list| on_list(&mixed(), list).known().copied();
    assert_eq!([on(List::Free), on(List::Nonfull), on(List::Frag)], [Some(3), Some(1), Some(1)]);
    assert_eq!(on(List::Discard), Some(0));
    assert!(on_list(&from_outside(), List::Free).known().is_none());
    let mut old = from_outside();
    old.clusters[0].list = Some(List::Discard);
    assert!(on_list(&old, List::Free).known().is_none(), "up to 6.1 only this list is visible");
    assert_eq!(mixed().used(), 256 + 480 + 512 - 1);
}

#[test]
fn clusters_are_counted_by_how_far_they_are_taken() {
    let edges = [0, 1, 127, 128, 255, 256, 383, 384, 511, 512, 513];
    let clusters = edges.iter().map(|taken| cluster(*taken, List::None, 0)).collect();
    let counts: Vec<_> = fill_histogram(&map(ClusterView::Kernel, clusters))
        .iter()
        .map(|filled| filled.clusters)
        .collect();
    assert_eq!(counts, [1, 2, 2, 2, 2, 2]);
}

#[test]
fn a_size_fits_where_a_cluster_is_free_or_kept_for_it() {
    let fits = fits(&mixed(), PAGE, FolioSizes::Large);
    assert_eq!(fits.len(), 10);
    let of = |order: usize| (places(&fits[order]).unwrap(), fits[order].kept.known().copied());
    assert_eq!(of(0), (3 * 512 + 256 + 32, Some(2)));
    assert_eq!(of(4), (3 * 32 + 2, Some(1)), "32 slots are free in the cluster of this size");
    assert_eq!(of(3), (3 * 64, Some(0)));
    assert_eq!(of(9), (3, Some(0)));
    assert_eq!(fits[4].size, Bytes(65536));
    let free = f64::from(3 * 512 + 256 + 32);
    let index = fits[9].index().known().copied().unwrap();
    assert!((index - (1.0 - 3.0 * 512.0 / free)).abs() < 1e-12);
    assert_eq!(fits[0].index().known(), Some(&0.0), "each free slot takes a page");
}

fn places(fit: &Fit) -> Option<u64> {
    fit.places.known().copied()
}

#[test]
fn from_outside_only_pages_and_whole_clusters_are_known_to_fit() {
    let fits = fits(&from_outside(), PAGE, FolioSizes::Large);
    assert_eq!(
        [0, 9].map(|order: usize| places(&fits[order])),
        [Some(3 * 512 + 256 + 32), Some(3)]
    );
    for fit in &fits[1..9] {
        assert!(places(fit).is_none() && fit.share.known().is_none() && fit.kept.known().is_none());
    }
    let full = map(ClusterView::Kernel, vec![cluster(512, List::Full, 0)]);
    let none = super::fits(&full, PAGE, FolioSizes::Large);
    assert!(none[0].share.known().is_none(), "without free slots there is no share");
}

#[test]
fn where_only_pages_go_nothing_else_fits() {
    let fits = fits(&mixed(), PAGE, FolioSizes::Pages);
    assert_eq!(places(&fits[0]), Some(3 * 512 + 256 + 32));
    assert!(fits[1..].iter().all(|fit| places(fit) == Some(0)));
    assert_eq!(fits[9].index().known(), Some(&1.0));
}

#[test]
fn one_size_is_asked_for_by_its_bytes() {
    let of = |size| fit_for_size(&mixed(), Bytes(size), PAGE, FolioSizes::Large);
    assert_eq!(of(65536).unwrap().order, 4);
    assert!(of(4 << 20).is_none(), "clusters are smaller");
    assert!(of(65537).is_none() && of(0).is_none());
}

#[test]
fn the_longest_run_goes_over_clusters_side_by_side() {
    assert_eq!(longest_run(&mixed(), PAGE).known(), Some(&Bytes(2 * 512 * PAGE)));
    assert_eq!(longest_run(&map(ClusterView::Kernel, Vec::new()), PAGE).known(), Some(&Bytes(0)));
}

#[test]
fn slots_that_a_view_cannot_see_are_not_called_free() {
    // Of 3071 slots 1247 are visible.
    let of = |view, used: u64| {
        let map = ClusterMap { view, counted: Some(Bytes(used * PAGE)), ..from_outside() };
        let fits = fits(&map, PAGE, FolioSizes::Large);
        let (run, index) = (longest_run(&map, PAGE), fits[9].index());
        let why = [run.missing(), index.missing()].map(|missing| missing.map(Missing::why));
        ([0, 9].map(|order: usize| places(&fits[order]).unwrap()), why)
    };
    let all = 3 * 512 + 256 + 32;
    assert_eq!(of(ClusterView::Mapped, 1247), ([all, 3], [None, None]));
    assert_eq!(of(ClusterView::Mapped, 1300), ([3071 - 1300, 3], [None, None]), "96% is enough");
    let (room, why) = of(ClusterView::Stored, 2494);
    assert_eq!(room, [3071 - 2494, 1], "at most");
    let told = "the view \"zram\" sees 50% of the used slots; where the others are is unknown";
    assert_eq!(why, [Some(told.to_owned()), Some(told.to_owned())]);
    assert_eq!(
        of(ClusterView::Kernel, 2494),
        ([all, 3], [None, None]),
        "the difference changed since"
    );
}

#[test]
fn the_tolerated_unseen_share_depends_on_the_size_of_the_area() {
    // An area of 128 clusters of which this view shows two used slots.
    let mut clusters = vec![Cluster { taken: 0, list: None, order: None }; 128];
    clusters[0].taken = 3;
    let tells = |used: u64| {
        let map = map(ClusterView::Mapped, clusters.clone());
        let map = ClusterMap { counted: Some(Bytes(used * PAGE)), ..map };
        (
            if_enough_visible(&map, PAGE).known().is_some(),
            fits(&map, PAGE, FolioSizes::Large)[9].at_most,
        )
    };
    assert_eq!(tells(2), (true, false), "nothing is hidden");
    assert_eq!(tells(19), (true, true), "19 slots of 65536 change next to nothing");
    assert_eq!(tells(2 + 655), (true, true));
    assert_eq!(tells(2 + 656), (false, true), "more than 1% of all slots");
}

#[test]
fn upper_bounds_are_marked_as_at_most() {
    let at_most = |map: &ClusterMap, takes| {
        fits(map, PAGE, takes).iter().filter(|fit| fit.at_most).map(|fit| fit.order).collect()
    };
    let of: Vec<u8> = at_most(&mixed(), FolioSizes::Large);
    assert_eq!(of, [4], "its free slots need not be adjacent");
    let seen = ClusterMap { counted: Some(Bytes(2494 * PAGE)), ..from_outside() };
    let of: Vec<u8> = at_most(&seen, FolioSizes::Large);
    assert_eq!(of, [1, 2, 3, 4, 5, 6, 7, 8, 9], "single pages are counted by the kernel");
    let of: Vec<u8> = at_most(&seen, FolioSizes::Pages);
    assert_eq!(of, [0; 0]);
}

#[test]
fn the_kernel_s_view_misses_what_its_kernel_does_not_keep() {
    assert_eq!(not_shown_by_map(&mixed()), "nothing");
    let counted = ClusterMap { view: ClusterView::Kernel, ..from_outside() };
    assert!(
        not_shown_by_map(&counted).contains("lists")
            && not_shown_by_map(&counted).contains("folio size")
    );
    let mut sized = mixed();
    sized.clusters[1].list = None;
    assert!(
        not_shown_by_map(&sized).contains("lists")
            && !not_shown_by_map(&sized).contains("folio size")
    );
    let mut listed = mixed();
    listed.clusters[1].order = None;
    assert!(
        !not_shown_by_map(&listed).contains("lists")
            && not_shown_by_map(&listed).contains("folio size")
    );
    assert_eq!(not_shown_by_map(&from_outside()), not_shown_by_view(ClusterView::Mapped));
}

#[test]
fn cells_share_clusters_out_evenly() {
    let map = mixed();
    let two = cells(&map, 2);
    let told: Vec<_> = two.iter().map(|it| (it.first, it.clusters, it.taken, it.free)).collect();
    assert_eq!(told, [(0, 3, 736, 1), (3, 3, 512, 2)]);
    assert_eq!(two[0].order, Some(0), "the smaller of equally common orders");
    assert_eq!(cells(&map, 4).len(), 3, "two clusters each");
    assert_eq!(cells(&map, 100).len(), 6);
    assert_eq!(cells(&from_outside(), 1)[0].order, None);
    assert!((two[1].share() - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn missing_rights_are_reported_before_a_missing_kernel_feature() {
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    let denied = Missing::Denied("/proc/PID/pagemap".into());
    snapshot.kernel_clusters = Sampled::new(None, Reading::absent("no kcore"));
    snapshot.mapped_clusters = Sampled::new(None, denied.clone().into());
    assert_eq!(best_view(&snapshot, 0).missing(), Some(&denied));
    let helps = "permission denied for /proc/PID/pagemap: run as root";
    assert_eq!(describe_missing(&snapshot, &denied), helps);
    let rights = Access::with_rights_only(Reading::Known(0), Reading::Known(0));
    snapshot.access = Sampled::new(None, Reading::Known(rights));
    assert_eq!(describe_missing(&snapshot, &denied), denied.why(), "already root");
    assert_eq!(describe_missing(&snapshot, &Missing::absent("no kcore")), "no kcore");
}

#[test]
fn the_most_complete_view_is_used_and_the_first_reason_given() {
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    assert_eq!(best_view(&snapshot, 0).missing(), Some(&Missing::NotSampled));
    snapshot.kernel_clusters = Sampled::new(None, Reading::absent("no kcore"));
    snapshot.stored_clusters = Sampled::new(None, Reading::Known(vec![Reading::absent("no zram")]));
    assert_eq!(best_view(&snapshot, 0).missing().unwrap().why(), "no kcore");
    let maps = vec![Reading::Known(from_outside())];
    snapshot.mapped_clusters = Sampled::new(None, Reading::Known(maps));
    assert_eq!(best_view(&snapshot, 0).known().unwrap().view, ClusterView::Mapped);
    assert_eq!(why_not_kernel(&snapshot, 0).known().unwrap(), "no kcore");
    assert!(best_view(&snapshot, 1).known().is_none());
    let mut broken = mixed();
    broken.clusters.pop();
    snapshot.kernel_clusters = Sampled::new(None, Reading::Known(vec![Reading::Known(broken)]));
    assert_eq!(
        best_view(&snapshot, 0).known().unwrap().view,
        ClusterView::Mapped,
        "it is complete"
    );
    snapshot.mapped_clusters = Sampled::none();
    assert_eq!(
        best_view(&snapshot, 0).known().unwrap().view,
        ClusterView::Kernel,
        "no other map exists"
    );
    snapshot.kernel_clusters = Sampled::new(None, Reading::Known(vec![Reading::Known(mixed())]));
    assert!(best_view(&snapshot, 0).known().unwrap().is_whole());
    assert_eq!(why_not_kernel(&snapshot, 0).missing().unwrap().kind(), "absent");
    let lost = ClusterMap { partial: Some("owners of 3 clusters".to_owned()), ..mixed() };
    assert!(lost.is_whole(), "all clusters are in it");
    let unread = ClusterMap { partial: Some("2 processes".to_owned()), ..from_outside() };
    assert!(!unread.is_whole());
}

#[test]
fn the_visible_share_is_relative_to_the_used_slots() {
    let seen = |used| super::visible_share(&from_outside(), Reading::Known(Bytes(used)), PAGE);
    assert_eq!(seen(1247 * PAGE).known(), Some(&1.0));
    assert_eq!(seen(2494 * PAGE).known(), Some(&0.5));
    assert_eq!(seen(1000 * PAGE).known(), Some(&1.0), "more slots are in use than were counted");
    let then = ClusterMap { counted: Some(Bytes(1247 * PAGE)), ..from_outside() };
    let later = super::visible_share(&then, Reading::Known(Bytes(9999 * PAGE)), PAGE);
    assert_eq!(later.known(), Some(&1.0), "later pages were not looked for");
    assert!(seen(0).known().is_none());
}

#[test]
fn owners_are_sorted_by_slots_and_unowned_slots_come_last() {
    let mut map = mixed();
    assert_eq!(slots_by_owner(&map).missing(), Some(&Missing::NotSampled));
    let owner = SlotOwner { path: "/a".into(), removed: false };
    map.owners = Reading::Known([(3, 100), (9, 900)].into());
    map.names = [(3, owner.clone())].into();
    let of = |number, owner, slots| OwnedSlots { number, owner, slots };
    let expected =
        [of(Some(9), None, 900), of(Some(3), Some(&owner), 100), of(None, None, 1247 - 1000)];
    assert_eq!(slots_by_owner(&map).known().unwrap()[..], expected);
    map.owners = Reading::Known([(3, 1300)].into());
    assert_eq!(slots_by_owner(&map).known().unwrap().len(), 1, "pages were added meanwhile");
}

#[test]
fn marks_are_of_the_clusters_asked_for() {
    let mut zram = map(ClusterView::Stored, from_outside().clusters);
    let one = |huge, touched_s| ZramStored { huge, idle: 1, touched_s, ..ZramStored::default() };
    zram.stored = vec![
        one(1, None),
        one(2, Some(70)),
        one(4, Some(60)),
        one(8, None),
        one(16, None),
        one(32, None),
    ];
    let of = |clusters| marks(&zram, &mixed(), clusters);
    let some = of(1..4).known().copied().unwrap();
    assert_eq!((some.huge, some.idle, some.touched_s), (14, 3, Some(70)));
    assert_eq!(of(0..6).known().unwrap().huge, 63);
    assert!(of(4..9).known().is_none(), "there are no more");
    let mut other = mixed();
    other.clusters.pop();
    assert!(marks(&zram, &other, 0..2).known().is_none(), "the layouts differ");
}

#[test]
fn slots_are_counted_by_age() {
    let mut ages = Ages::default();
    for age in [0, 59, 60, 599, 600, 86_399, 86_400, u64::MAX] {
        ages.add(age);
    }
    let counts: Vec<_> = by_age(&ages).map(|(_, slots)| slots).collect();
    assert_eq!(counts, [2, 2, 1, 0, 1, 2]);
    assert_eq!((ages.youngest_s, ages.oldest_s), (Some(0), Some(u64::MAX)));
}

#[test]
fn the_next_slot_is_in_a_cluster_with_so_much_room() {
    assert_eq!(free_slots_at(&mixed(), 512).known(), Some(&256));
    assert_eq!((cluster_of(&mixed(), 511), cluster_of(&mixed(), 512)), (0, 1));
    assert!(free_slots_at(&mixed(), 6 * 512).known().is_none());
    assert_eq!(folio_size(4, PAGE), Bytes(65536));
}

#[test]
fn transitions_between_two_maps_are_counted() {
    let taken = |all: [u16; 5]| {
        map(ClusterView::Kernel, all.map(|taken| cluster(taken, List::None, 0)).to_vec())
    };
    let (before, now) = (taken([0, 0, 9, 511, 512]), taken([1, 512, 0, 512, 512]));
    let expected = ClusterTransitions { begun: 2, emptied: 1, filled: 2, changed: 4 };
    assert_eq!(transitions(&before, &now), expected);
    assert_eq!((growth(5, 3), growth(3, 5), growth(0, u64::MAX)), (-2, 2, i64::MAX));
}

#[test]
fn the_sample_before_is_of_the_same_area_and_view() {
    let machine = |paths: &[&str], maps: Vec<ClusterMap>| {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let areas = paths.iter().map(|path| area(path, 1, 4096, 0)).collect();
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let maps = maps.into_iter().map(Reading::Known).collect();
        snapshot.kernel_clusters = Sampled::new(None, Reading::Known(maps));
        snapshot
    };
    let now = machine(&["/b"], vec![mixed()]);
    let before = |snapshot: Option<&Snapshot>| {
        let view = Look { now: &now, before: snapshot };
        previous_map(&view, 0, &mixed()).known().map(|map| map.clusters.len())
    };
    let mut small = mixed();
    small.clusters.pop();
    assert_eq!(before(None), None);
    assert_eq!(before(Some(&machine(&["/a", "/b"], vec![small.clone(), mixed()]))), Some(6));
    assert_eq!(before(Some(&machine(&["/b"], vec![small]))), None, "another area");
    assert_eq!(before(Some(&machine(&["/b"], vec![from_outside()]))), None, "another view");
    assert_eq!(before(Some(&machine(&["/a"], vec![mixed()]))), None);
    // Areas of one name keep their order; a deleted path is another area.
    let full = ClusterMap { clusters: vec![cluster(512, List::Full, 0); 6], ..mixed() };
    let two = machine(&["/b", "/b"], vec![mixed(), full]);
    let taken = |now: &Snapshot, place| {
        let map = previous_map(&Look { now, before: Some(&two) }, place, &mixed());
        map.known().map(|map| map.clusters[0].taken)
    };
    assert_eq!((taken(&two, 0), taken(&two, 1)), (Some(mixed().clusters[0].taken), Some(512)));
    let mut gone = two.clone();
    let mut areas = gone.swaps.reading.known().unwrap().clone();
    areas[0].deleted = true;
    gone.swaps = Sampled::new(None, Reading::Known(areas));
    assert_eq!(taken(&gone, 0), None);
}

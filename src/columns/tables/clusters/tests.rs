use super::*;
use crate::columns::{Query, Request, Rows};
use crate::derive::clusters::testing::{cluster, map};
use crate::model::clusters::{Ages, ClusterView, NextSlot, SlotOwner, ZramStored};
use crate::model::swaparea::testing::area;
use crate::model::{Missing, Sampled, Snapshot, Stamp};

/// A zram area of two clusters in both views, and a disk only in the kernel's view.
fn machine(taken: u16) -> Snapshot {
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 100_000_000_000, wall_ms: 0 });
    snapshot.page_size = Reading::Known(4096);
    let areas = vec![area("/dev/zram0", 5, 1023 * 4096, 0), area("/dev/sda2", 4, 511 * 4096, 0)];
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    let two = vec![cluster(taken, List::Full, 0), cluster(11, List::Frag, 4)];
    let mut kernel = map(ClusterView::Kernel, two.clone());
    kernel.owners = Reading::Known([(7, 10), (8, 1)].into());
    let group = |path: &str, removed| SlotOwner { path: path.into(), removed };
    kernel.names = [(7, group("/gone", true))].into();
    kernel.next = Reading::Known(vec![NextSlot { cpu: Some(3), order: 4, slot: 520 }]);
    let disk = map(ClusterView::Kernel, vec![cluster(1, List::Frag, 0)]);
    let both = vec![Reading::Known(kernel), Reading::Known(disk)];
    snapshot.kernel_clusters = Sampled::new(None, Reading::Known(both));
    let mut zram = map(ClusterView::Stored, two);
    let huge = ZramStored { huge: 128, touched_s: Some(90), ..ZramStored::default() };
    zram.stored = vec![ZramStored::default(), huge];
    let mut ages = Ages::default();
    (0..4).for_each(|_| ages.add(10));
    zram.ages = Some(ages);
    let both = vec![Reading::Known(zram), Reading::absent("/dev/sda2 is no zram device")];
    snapshot.stored_clusters = Sampled::new(None, Reading::Known(both));
    snapshot
}

fn rows(spec: &'static Spec, columns: &str, view: &SampleView<'_>) -> Rows {
    let request = Request { columns: Some(columns.to_owned()), ..Request::default() };
    Query::new(spec, &request).unwrap().rows(view).into_result().unwrap()
}

/// The cells of these columns as people see them, row by row.
fn texts(spec: &'static Spec, columns: &str, view: &SampleView<'_>) -> Vec<String> {
    let rows = rows(spec, columns, view);
    let line = |row| columns.split(',').map(|id| rows.text(row, id)).collect::<Vec<_>>().join(" ");
    (0..rows.cells.len()).map(line).collect()
}

#[test]
fn owners_are_named_and_unowned_slots_listed() {
    let now = machine(500);
    let view = SampleView::single(&now);
    let seen = texts(&OWNERS, "name,cgroup,owned", &view);
    assert_eq!(
        seen,
        [
            "/dev/zram0 /gone (removed) 40K",
            "/dev/zram0 id 8 (name not found) 4K",
            "/dev/zram0 no cgroup 1.9M",
        ]
    );
    assert_eq!(texts(&OWNERS, "id,removed,path", &view), ["7 yes /gone", "8 - -", "- - -"]);
}

#[test]
fn zram_marks_are_shown_for_zram_areas_only() {
    let now = machine(500);
    let view = SampleView::single(&now);
    let seen = texts(&STORED, "name,stored,huge,idle,newest_access", &view);
    assert_eq!(seen, ["/dev/zram0 2M 512K 0B 10s"]);
    let ages = texts(&AGES, "age,stored,share", &view);
    assert_eq!(texts(&STORED, "incomplete_reason", &view), ["-"]);
    assert_eq!(ages[..2], ["under 1 min 16K 100%", "1 to 10 min 0B 0%"]);
    let cells = texts(&MAP, "name,used,huge,last_access", &view);
    let own = ["/dev/zram0 98% 0% -", "/dev/zram0 2.1% 25% 10s", "/dev/sda2 0.2% - -"];
    assert_eq!(cells, own);
}

#[test]
fn next_slots_show_their_place_and_the_free_slots_there() {
    let now = machine(500);
    let seen =
        texts(&NEXT, "name,cpu,folio,slot,offset,cluster,free_slots", &SampleView::single(&now));
    assert_eq!(seen, ["/dev/zram0 3 64K 520 2M 1 501"]);
}

#[test]
fn unknown_next_slots_carry_their_reason() {
    let mut now = machine(500);
    let mut maps = now.kernel_clusters.reading.known().unwrap().clone();
    let unknown = |map: ClusterMap| ClusterMap { next: Reading::absent("no such symbol"), ..map };
    maps[1] = maps[1].clone().map(unknown);
    now.kernel_clusters = Sampled::new(None, Reading::Known(maps.clone()));
    let seen = texts(&NEXT, "name,cpu,folio,slot,free_slots", &SampleView::single(&now));
    assert_eq!(seen, ["/dev/zram0 3 64K 520 501", "/dev/sda2 - - - -"]);
    let rows = rows(&NEXT, "cpu,free_slots", &SampleView::single(&now));
    for column in ["cpu", "free_slots"] {
        let why = rows.value(1, column).unwrap().missing().map(Missing::why);
        assert_eq!(why.as_deref(), Some("no such symbol"), "{column}");
    }
    maps[0] = maps[0].clone().map(unknown);
    now.kernel_clusters = Sampled::new(None, Reading::Known(maps));
    let none = Query::new(&NEXT, &Request::default()).unwrap().rows(&SampleView::single(&now));
    assert_eq!(none.missing().unwrap().why(), "no such symbol");
}

#[test]
fn unseen_slots_are_not_counted_as_free() {
    let mut now = machine(500);
    let mut maps = now.kernel_clusters.reading.known().unwrap().clone();
    // The area is full, and this view sees half of it.
    let poor = |map: ClusterMap| ClusterMap {
        view: ClusterView::Mapped,
        counted: Some(Bytes(1023 * 4096)),
        ..map
    };
    maps[0] = maps[0].clone().map(poor);
    (now.mapped_clusters, now.kernel_clusters) =
        (Sampled::new(None, Reading::Known(maps)), Sampled::new(None, Reading::not_sampled()));
    now.stored_clusters = now.kernel_clusters.clone();
    let view = SampleView { now: &now, before: Some(&now) };
    let areas =
        "free,partly,full,largest_run,fragmentation,free_change,allocated,emptied,filled,changed";
    let seen = texts(&SPEC, areas, &view);
    assert_eq!(seen, ["- - - - - - - - - 0", "0 1 0 0B 100% 0 0 0 0 0"]);
    let rows = rows(&SPEC, "free", &view);
    let why = rows.value(0, "free").unwrap().missing().unwrap().why();
    assert!(why.contains("sees 50% of the used slots"), "{why}");
    let fill = texts(&FILL, "fill_level,clusters,share", &view);
    assert_eq!((fill[0].as_str(), fill[6].as_str()), ("empty - -", "empty 0 0%"));
    assert_eq!(texts(&MAP, "used,free", &view), ["98% -", "2.1% -", "0.2% 0"]);
    let orders = texts(&ORDERS, "order,fits,bound", &view);
    assert_eq!((orders[0].as_str(), orders[9].as_str()), ("0 0 exact", "9 0 at most"));
}

#[test]
fn two_samples_show_what_changed() {
    let (before, now) = (machine(0), machine(512));
    let view = SampleView { now: &now, before: Some(&before) };
    let columns = "used_change,free_change,allocated,emptied,filled,changed,list_full_change";
    assert_eq!(texts(&SPEC, columns, &view), ["2M -1 1 0 1 1 0", "0B 0 0 0 0 0 0"]);
    let orders = texts(&ORDERS, "order,clusters_change,fits_change", &view);
    assert_eq!((orders[0].as_str(), orders[9].as_str()), ("0 1 -512", "9 0 -1"));
    let one = texts(&SPEC, "used_change", &SampleView::single(&now));
    assert_eq!(one, ["-", "-"]);
}

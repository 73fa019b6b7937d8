//! The cluster map: its content, and its keys.

use crate::common::screen::{Screen, page, snapshot};
use crate::common::{expect_file, repository};
use crate::{MACHINES, SIZES};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use std::collections::BTreeMap;
use swapadm::model::clusters::{Cluster, ClusterMap, ClusterView, List, ZramStored};
use swapadm::model::kernel::Access;
use swapadm::model::swaparea::SwapArea;
use swapadm::model::{Bytes, Missing, Reading, Sampled, Snapshot};
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::hit::{HitTarget, PanePart};
use swapadm::ui::msg::Msg;
use swapadm::ui::theme::Palette;

/// Bytes of a page.
const PAGE: u64 = 4096;
/// Slots of a cluster.
const SLOTS: u16 = 512;

/// A cluster of an area that is full at its beginning and emptier towards its end.
fn cluster(place: usize, count: usize) -> Cluster {
    let taken = usize::from(SLOTS).saturating_sub(place * usize::from(SLOTS) * 2 / count.max(1));
    let (taken, order) = (u16::try_from(taken).unwrap(), [0, 0, 4, 9][place % 4]);
    let list = match taken {
        0 => List::Free,
        SLOTS => List::Full,
        taken if taken % 2 == 0 => List::Nonfull,
        _ => List::Frag,
    };
    Cluster { taken, list: Some(list), order: Some(order) }
}

fn area_map(view: ClusterView, slots: u64) -> ClusterMap {
    let count = usize::try_from(slots.div_ceil(u64::from(SLOTS))).unwrap();
    let outside = |cluster: Cluster| Cluster { list: None, order: None, ..cluster };
    let of = |place| match view {
        ClusterView::Kernel => cluster(place, count),
        ClusterView::Stored | ClusterView::Mapped => outside(cluster(place, count)),
    };
    // One in ten was accessed long ago, the others lately.
    let stored = |place: usize| ZramStored {
        same: 3,
        huge: u16::try_from(place % 2).unwrap(),
        touched_s: (place < count / 2).then_some(if place.is_multiple_of(10) { 1 } else { 980 }),
        ..ZramStored::default()
    };
    ClusterMap {
        view,
        cluster_slots: u32::from(SLOTS),
        slots,
        counted: None,
        ages: None,
        names: BTreeMap::new(),
        reserved: 1,
        clusters: (0..count).map(of).collect(),
        stored: if view == ClusterView::Stored { (0..count).map(stored).collect() } else { vec![] },
        owners: Reading::absent("this kernel keeps none"),
        next: Reading::Known(vec![]),
        partial: None,
        cost_us: 1200,
    }
}

/// Adds the clusters of all areas of a machine in this view.
pub(crate) fn charted(snapshot: Snapshot, view: ClusterView) -> Snapshot {
    let size = |area: &SwapArea| Bytes(area.size.0.clamp(4 << 30, 40 << 30) - PAGE);
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    let mut maps: Vec<_> =
        areas.iter().map(|area| area_map(view, size(area).0 / PAGE + 1)).collect();
    for (area, map) in areas.iter_mut().zip(&mut maps) {
        let used = Bytes(map.used() * PAGE);
        (area.size, area.used) = (size(area), Reading::Known(used));
        map.counted = Some(used);
    }
    let known = maps.into_iter().map(Reading::Known).collect();
    let maps = Sampled::new(Some(snapshot.stamp), Reading::Known(known));
    let swaps = Sampled::new(snapshot.swaps.at, Reading::Known(areas));
    let snapshot = Snapshot { swaps, ..snapshot };
    match view {
        ClusterView::Kernel => Snapshot { kernel_clusters: maps, ..snapshot },
        ClusterView::Stored => Snapshot { stored_clusters: maps, ..snapshot },
        ClusterView::Mapped => Snapshot { mapped_clusters: maps, ..snapshot },
    }
}

/// A machine with clusters from kernel memory and zram.
fn machine(width: u16, height: u16) -> Screen {
    let mut screen = Screen::new(width, height);
    for (second, machine) in (1000..).zip(MACHINES) {
        let snapshot = charted(snapshot(machine, second), ClusterView::Stored);
        screen.send(Msg::Snapshots(vec![charted(snapshot, ClusterView::Kernel)]));
    }
    screen.keys("8")
}

#[test]
fn the_map_matches_its_golden_file() {
    let mut pages = String::new();
    for (width, height) in SIZES {
        for (metric, keys) in [("use", ""), ("order", "v"), ("list", "v v"), ("age", "v v v")] {
            pages += &self::page(metric, &mut machine(width, height).keys(keys));
        }
    }
    for (tier, palette) in [(GlyphTier::Vt, Palette::Sixteen), (GlyphTier::Ascii, Palette::Mono)] {
        pages += &self::page("plain", &mut machine(80, 24).look(tier, palette));
    }
    pages += &self::page("closer", &mut machine(80, 24).keys("} } j j l l"));
    pages += &self::page("cell", &mut machine(80, 24).keys("l l e"));
    expect_file(&repository("tests/screens/maps.txt"), &pages, "UPDATE_GOLDEN");
}

#[test]
fn a_plain_map_holds_only_what_it_promises() {
    for keys in ["", "v", "v v", "v v v"] {
        let mut screen = machine(80, 24).look(GlyphTier::Ascii, Palette::Mono).keys(keys);
        assert!(screen.text().concat().is_ascii(), "{keys}");
    }
}

fn line(screen: &mut Screen, start: &str) -> String {
    let text = screen.text();
    let found = text.iter().find(|line| line.contains(start));
    found.unwrap_or_else(|| panic!("no {start} in {text:#?}")).clone()
}

#[test]
fn the_cost_of_a_read_is_always_visible() {
    for (width, height) in SIZES {
        let mut screen = machine(width, height);
        let text = screen.text().join("\n");
        assert!(!text.contains("from kernel") || text.contains("took 1.2ms"), "{text}");
    }
}

#[test]
fn keys_go_over_the_map_and_never_off_it() {
    let mut screen = machine(80, 24);
    assert!(line(&mut screen, "> ").contains("> 0B: "), "{:#?}", screen.text());
    screen.press("h k PgUp");
    assert!(line(&mut screen, "> ").contains("> 0B: "));
    screen.press("G");
    let last = line(&mut screen, "> ");
    assert!(!last.contains("> 0B: "), "{last}");
    screen.press("l j PgDn");
    assert_eq!(line(&mut screen, "> "), last);
    screen.press("g } }");
    let (near, far) = (line(&mut screen, "cell:"), line(&mut machine(80, 24), "cell:"));
    assert_ne!(near, far);
    screen.press("{ {");
    assert_eq!(line(&mut screen, "cell:"), far);
    screen.press("{");
    assert!(screen.text()[23].contains("the whole area is shown"));
    (0..30).for_each(|_| screen.press("}"));
    assert!(line(&mut screen, "cell:").contains("cell: 1 cluster, 2M"));
    assert!(screen.text()[23].contains("maximum zoom"));
}

#[test]
fn brackets_select_another_area() {
    let mut screen = machine(80, 24);
    let first = line(&mut screen, "clusters of");
    screen.press("]");
    assert_ne!(line(&mut screen, "clusters of"), first);
    screen.press("[");
    assert_eq!(line(&mut screen, "clusters of"), first);
}

#[test]
fn areas_of_equal_name_are_distinguished() {
    let twins = |second| {
        let mut snapshot = charted(snapshot(MACHINES[0], second), ClusterView::Kernel);
        let mut areas = snapshot.swaps.reading.known().unwrap().clone();
        let mut maps = snapshot.kernel_clusters.reading.known().unwrap().clone();
        let small = area_map(ClusterView::Kernel, 64 * u64::from(SLOTS));
        areas.truncate(2);
        maps.truncate(2);
        areas[1] = SwapArea {
            path: areas[0].path.clone(),
            size: Bytes(small.slots * PAGE),
            ..areas[1].clone()
        };
        (areas[0].deleted, maps[1]) = (true, Reading::Known(small));
        snapshot.swaps = Sampled::new(snapshot.swaps.at, Reading::Known(areas));
        snapshot.kernel_clusters = Sampled::new(Some(snapshot.stamp), Reading::Known(maps));
        snapshot
    };
    let mut screen = Screen::new(100, 30);
    screen.send(Msg::Snapshots(vec![twins(1000)]));
    screen.press("8");
    let head = line(&mut screen, "clusters of");
    assert!(head.contains("(1 of 2, deleted)") && !head.contains(" 64 clusters"), "{head}");
    let room = line(&mut screen, " 2M ");
    screen.press("]");
    let other = line(&mut screen, "clusters of");
    assert!(other.contains("(2 of 2)") && other.contains(" 64 clusters of 2M"), "{other}");
    assert_ne!(line(&mut screen, " 2M "), room, "what can be placed is of that area too");
    // Keys follow the area as well: its last cluster is the 64th.
    screen.press("G } } } } } } }");
    assert!(line(&mut screen, "> ").contains("cluster 63"), "{}", screen.text().join("\n"));
    screen.send(Msg::Snapshots(vec![twins(1001)]));
    assert!(line(&mut screen, "clusters of").contains("(2 of 2)"), "it stays selected");
}

#[test]
fn a_click_selects_a_cell_and_a_second_shows_its_details() {
    let mut screen = machine(80, 24);
    screen.draw();
    let spot = |target: &HitTarget| matches!(target, HitTarget::Pane(_, PanePart::MapCell(5)));
    let (area, _) = *screen.hits.iter().find(|(_, target)| spot(target)).unwrap();
    let click = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: area.x,
        row: area.y,
        modifiers: KeyModifiers::NONE,
    };
    screen.send(Msg::Mouse(click));
    let cursor = screen.app.map.cursor;
    assert!(cursor > 0 && screen.app.overlays.is_empty());
    screen.draw();
    screen.send(Msg::Mouse(click));
    assert_eq!((screen.app.map.cursor, screen.app.overlays.len()), (cursor, 1));
    assert!(screen.text().join("\n").contains("Clusters of the cell"));
}

#[test]
fn large_blind_spots_of_a_view_are_noted() {
    let mut screen = Screen::new(80, 24);
    let loaded = charted(snapshot(MACHINES[1], 1000), ClusterView::Mapped);
    let mut empty = loaded.clone();
    let maps = empty.mapped_clusters.reading.known().unwrap().iter().map(|map| {
        let map = map.known().unwrap();
        let clusters = map.clusters.iter().map(|cluster| Cluster { taken: 0, ..*cluster });
        Reading::Known(ClusterMap { clusters: clusters.collect(), ..map.clone() })
    });
    empty.mapped_clusters = Sampled::new(Some(empty.stamp), Reading::Known(maps.collect()));
    screen.send(Msg::Snapshots(vec![empty]));
    screen.press("8");
    let said = line(&mut screen, "from page tables");
    assert!(said.contains("only 0% of used slots seen!"), "{said}");
    assert!(said.contains("took 1.2ms"), "what a look costs is always in sight: {said}");
    let legend = line(&mut screen, "<33%");
    assert!(legend.contains("unseen") && !legend.contains("free"), "{legend}");
    assert!(legend.contains("cell:"), "{legend}");
    let cursor = line(&mut screen, "> 0B: ");
    assert!(cursor.contains("slots seen used") && !cursor.contains("free"), "{cursor}");
    assert!(line(&mut screen, "FOLIO").contains("AT MOST"));
    assert!(!line(&mut machine(80, 24), "FOLIO").contains("AT MOST"));
}

#[test]
fn without_clusters_it_says_why() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("8");
    assert!(screen.text().join("\n").contains("Scanning the clusters."));
    let mut filtered = machine(80, 24).keys("Tab / n o n e Enter");
    assert!(filtered.text().join("\n").contains("the filter hides all areas"));
    let mut screen = Screen::machines(&["6.1-noswap"], 80, 24).keys("8");
    assert!(screen.text().join("\n").contains("No swap area is active"));
    let mut other = machine(80, 24).keys("v");
    let mut outside = charted(snapshot(MACHINES[1], 1005), ClusterView::Stored);
    outside.kernel_clusters = Sampled::new(
        Some(outside.stamp),
        Reading::absent("/proc/kcore does not exist: boot a kernel with CONFIG_PROC_KCORE"),
    );
    other.send(Msg::Snapshots(vec![outside]));
    let text = other.text().join("\n");
    assert!(text.contains("Only kernel memory shows this"), "{text}");
    assert!(text.contains("boot a kernel with CONFIG_PROC_KCORE"), "{text}");
}

#[test]
fn on_a_large_terminal_the_next_area_lies_beside_the_selected_one() {
    let heads = |screen: &mut Screen| {
        let text = screen.text();
        let head = text.iter().find(|line| line.contains("clusters of")).unwrap().clone();
        let names = head.split_whitespace().filter(|word| word.starts_with('/'));
        (names.map(str::to_owned).collect::<Vec<_>>(), head)
    };
    let mut screen = machine(120, 40);
    let (first, head) = heads(&mut screen);
    assert_eq!(first.len(), 2, "{head}");
    screen.press("]");
    assert_eq!(heads(&mut screen).0[0], first[1], "the one beside it is the next one");
    assert_eq!(heads(&mut machine(80, 24)).0.len(), 1, "there is no room for two");

    let mut single = snapshot(MACHINES[1], 1002);
    let first = single.swaps.reading.known().unwrap()[..1].to_vec();
    single.swaps = Sampled::new(single.swaps.at, Reading::Known(first));
    let single = charted(single, ClusterView::Kernel);
    let mut screen = Screen::new(120, 40);
    screen.send(Msg::Snapshots(vec![single]));
    let (names, head) = heads(&mut screen.keys("8"));
    assert_eq!(names[0], names[1]);
    assert!(head.contains("[use]") && head.contains("metric: order"), "{head}");
}

#[test]
fn the_page_table_view_waits_for_the_walk() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("8");
    let mut early = snapshot(MACHINES[1], 1005);
    let no_kcore = "/proc/kcore does not exist: boot a kernel with CONFIG_PROC_KCORE";
    early.kernel_clusters = Sampled::new(Some(early.stamp), Reading::absent(no_kcore));
    screen.send(Msg::Snapshots(vec![early.clone()]));
    let text = screen.text().join("\n");
    assert!(text.contains("Scanning the clusters."), "{text}");
    early.mapped_clusters = Sampled::new(Some(early.stamp), Reading::absent("not here"));
    screen.send(Msg::Snapshots(vec![early]));
    assert!(screen.text().join("\n").contains("CONFIG_PROC_KCORE"));
}

#[test]
fn denied_access_is_shown_and_e_explains_each_view() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("8");
    let mut denied = snapshot(MACHINES[1], 1005);
    let at = Some(denied.stamp);
    let no_kcore = "/proc/kcore does not exist: boot a kernel with CONFIG_PROC_KCORE";
    denied.kernel_clusters = Sampled::new(at, Reading::absent(no_kcore));
    denied.mapped_clusters = Sampled::new(at, Missing::Denied("/proc/PID/pagemap".into()).into());
    let rights = Access::with_rights_only(Reading::Known(65534), Reading::Known(0));
    denied.access = Sampled::new(at, Reading::Known(rights));
    screen.send(Msg::Snapshots(vec![denied]));
    let text = screen.text().join("\n");
    assert!(text.contains("pagemap: run as") && !text.contains("CONFIG_PROC_KCORE"), "{text}");
    screen.press("e");
    let text = screen.text().join("\n");
    assert!(text.contains("Why there is no map"), "{text}");
    assert!(text.contains("permission denied") && text.contains("CONFIG_PROC_KCORE"), "{text}");
}

#[test]
fn the_map_wants_clusters_only_while_it_is_on_screen() {
    use swapadm::model::PartSet;
    let mut screen = machine(80, 24);
    assert_eq!(screen.app.wants.shown.only(PartSet::CLUSTERS), PartSet::CLUSTERS);
    screen.press("1");
    assert_eq!(screen.app.wants.all().only(PartSet::CLUSTERS), PartSet::NONE);
}

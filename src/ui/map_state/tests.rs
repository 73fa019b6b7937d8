use super::*;
use crate::derive::clusters::testing::{cluster, map};
use crate::derive::clusters::{Marks, window};
use crate::ui::glyphs::{GlyphTier, Glyphs};
use crate::ui::theme::{Palette, Role, Theme};

const ROOM: MapSize = characters(64, 4);

const fn characters(columns: usize, rows: usize) -> MapSize {
    MapSize { columns, rows, cell: CellSize::CHARACTER }
}

#[test]
fn rows_start_at_round_offsets_and_the_map_is_never_empty() {
    assert_eq!(MapSize::new(76, 11), characters(64, 7));
    assert_eq!(MapSize::new(116, 20), characters(96, 16));
    assert_eq!(MapSize::new(20, 2), characters(12, 1), "fewer than a round number");
    assert_eq!(MapSize::new(0, 0), characters(1, 1));
}

#[test]
fn cells_are_as_large_as_the_areas_of_a_machine_allow() {
    let sizes = |width, height| {
        let areas: [&[usize]; 3] = [&[32], &[8; 4], &[300]];
        areas.map(|areas| {
            let MapSize { columns, rows, cell } = MapSize::of_areas(width, height, areas);
            (columns, rows, cell.width, cell.lines)
        })
    };
    assert_eq!(sizes(75, 40), [(8, 4, 7, 4), (8, 1, 7, 4), (16, 19, 3, 1)]);
    assert_eq!(sizes(47, 31), [(8, 4, 3, 2), (8, 1, 3, 2), (32, 8, 1, 1)]);
    assert_eq!(sizes(72, 5), [(16, 2, 3, 1), (64, 1, 1, 1), (64, 5, 1, 1)]);
}

#[test]
fn the_whole_area_is_shown_until_zoomed() {
    let mut map = MapState::default();
    for (clusters, each) in [(1, 1), (256, 1), (257, 2), (4096, 16), (8 << 20, 1 << 15)] {
        let window = map.window(clusters, ROOM);
        assert_eq!((window.first, window.each), (0, each), "{clusters}");
        assert!(each * ROOM.cells() >= clusters);
    }
    map.cursor = 4095;
    assert!(!map.zoom(false, 4096, ROOM), "it is all in sight");
    assert!(map.zoom(true, 4096, ROOM));
    let closer = map.window(4096, ROOM);
    assert_eq!((closer.first, closer.each), (2048, 8), "the page with the cursor is open");
    assert_eq!(map.cell(4096, closer), 255);
    (0..3).for_each(|_| assert!(map.zoom(true, 4096, ROOM)));
    assert!(!map.zoom(true, 4096, ROOM), "a cell is a cluster");
    assert_eq!(map.window(4096, ROOM).each, 1);
    assert_eq!(map.window(10, ROOM).each, 1, "of a smaller area it is the same");
    assert!(!map.zoom(true, 512, ROOM), "there it is as close as it gets");
    assert_eq!(map.zoom, 1);
    assert!(map.zoom(false, 512, ROOM), "and one key goes back from there");
    assert_eq!(map.zoom, 0);
}

#[test]
fn the_cursor_moves_by_cells_and_stays_in_the_area() {
    let mut map = MapState::default();
    map.go(1, 4096, ROOM);
    assert_eq!(map.cursor, 16);
    map.go(64, 4096, ROOM);
    assert_eq!(map.cursor, 16 + 1024, "a row");
    map.go(isize::MIN, 4096, ROOM);
    assert_eq!(map.cursor, 0);
    map.go(isize::MAX, 4096, ROOM);
    assert_eq!(map.cursor, 4095);
    map.go(-1, 4096, ROOM);
    assert_eq!(map.cursor, 4064, "the cell before that of the last cluster");
    map.go_to(3, 4096, ROOM);
    assert_eq!(map.cursor, 48);
    map.go_to(usize::MAX / 32, 4096, ROOM);
    assert_eq!(map.cursor(10), 9, "a smaller area has fewer");
    assert_eq!(map.cursor(0), 0);
}

#[test]
fn each_metric_has_its_cell_signs() {
    let clusters = vec![
        cluster(0, List::Free, 0),
        cluster(1, List::Frag, 0),
        cluster(128, List::Nonfull, 4),
        cluster(256, List::Nonfull, 9),
        cluster(512, List::Full, 9),
    ];
    let map = map(ClusterView::Kernel, clusters);
    let shades = |metric: Metric| -> Vec<Shade> {
        let cells = window(&map, Window { first: 0, each: 1, cells: 9 });
        cells.iter().map(|cell| metric.shade(cell, 0)).collect()
    };
    let heat = |heats: &[u8]| heats.iter().map(|heat| Shade::Heat(*heat)).collect::<Vec<_>>();
    assert_eq!(shades(Metric::Use), heat(&[0, 1, 1, 2, 4]));
    let letters: Vec<_> = shades(Metric::Order)
        .into_iter()
        .map(|shade| if let Shade::Letter(letter, _) = shade { letter } else { '.' })
        .collect();
    assert_eq!(letters, ['.', '0', '4', '9', '9']);
    let lists: Vec<_> = shades(Metric::List)
        .into_iter()
        .map(|shade| if let Shade::Letter(letter, _) = shade { letter } else { '.' })
        .collect();
    assert_eq!(lists, ['.', 'g', 'n', 'n', 'F']);
    assert_eq!(shades(Metric::Age), [Shade::Unknown; 5], "only zram tells");
}

/// A cell with any use differs from a free one, and a full one from one with a single free slot.
#[test]
fn use_differs_from_free_and_full_from_nearly_full() {
    let map = map(ClusterView::Kernel, vec![cluster(0, List::Free, 0)]);
    let cell = window(&map, Window { first: 0, each: 1, cells: 1 }).remove(0);
    let shade = |taken| Metric::Use.shade(&MapCell { taken, slots: 512, ..cell }, 0);
    let shades = [0, 1, 97, 511, 512].map(shade);
    assert_eq!(shades, [0, 1, 1, 3, 4].map(Shade::Heat));
    for tier in [GlyphTier::Full, GlyphTier::Blocks, GlyphTier::Vt, GlyphTier::Ascii] {
        let signs: BTreeSet<&str> = Glyphs::for_tier(tier).heat.into_iter().collect();
        assert_eq!(signs.len(), 5, "{tier:?}");
    }
    for (_, theme) in Theme::WORDS {
        let color = |heat| Palette::Many.style(Role::Heat(heat), theme).fg;
        let colors = [0, 1, 2, 3, 4].map(color);
        assert!((1..5).all(|heat| colors[heat] != colors[heat - 1]), "{theme:?}");
    }
}

#[test]
fn recently_used_clusters_are_hot() {
    let map = map(ClusterView::Stored, vec![cluster(1, List::Free, 0)]);
    let cell = window(&map, Window { first: 0, each: 1, cells: 1 }).remove(0);
    let at = |touched_s| {
        let marks = Some(Marks { touched_s, ..Marks::default() });
        Metric::Age.shade(&MapCell { marks, ..cell }, 1000)
    };
    let ages = [None, Some(1000), Some(991), Some(990), Some(940), Some(400), Some(0), Some(2000)];
    let [unknown, known @ ..] = ages.map(at);
    assert_eq!(unknown, Shade::Unknown, "something is there that has no time");
    assert_eq!(
        known,
        [4, 4, 3, 2, 1, 1, 4].map(Shade::Heat),
        "one from the time to come is of now"
    );
}

#[test]
fn a_key_cycles_through_all_metrics() {
    let mut metric = Metric::default();
    let seen = [(); 4].map(|()| {
        metric = metric.next();
        metric
    });
    assert_eq!(seen, [Metric::Order, Metric::List, Metric::Age, Metric::Use]);
}

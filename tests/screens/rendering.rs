//! The text and styles of all screens, on terminals of all sizes and kinds.

use crate::common::screen::{Screen, snapshot, styles, text};
use crate::common::{expect_file, repository, sampled};
use crate::map::charted;
use crate::{MACHINES, SIZES};
use ratatui::layout::{Rect, Size};
use swapadm::model::Snapshot;
use swapadm::model::clusters::ClusterView;
use swapadm::sampler::recording::{RecordingReader, RecordingWriter};
use swapadm::ui::events::Events;
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::msg::Msg;
use swapadm::ui::screens::SCREENS;
use swapadm::ui::theme::Palette;

/// Each set of signs with another palette, so that all of both occur.
const LOOKS: [(GlyphTier, Palette); 4] = [
    (GlyphTier::Full, Palette::Many),
    (GlyphTier::Blocks, Palette::True),
    (GlyphTier::Vt, Palette::Sixteen),
    (GlyphTier::Ascii, Palette::Mono),
];

/// The text of a screen, and the styles of its cells.
fn page(screen: &mut Screen, title: &str) -> String {
    let buffer = screen.draw();
    format!(
        "== {title}\n{}\n-- styles\n{}\n\n",
        text(&buffer).join("\n"),
        styles(&buffer).join("\n")
    )
}

fn in_all_looks(name: &str, keys: &str) -> String {
    let mut pages = String::new();
    for (width, height) in SIZES {
        for (tier, palette) in LOOKS {
            let mut screen =
                Screen::machines(&MACHINES, width, height).look(tier, palette).keys(keys);
            let title = format!("{name} {width}x{height} {tier:?} {palette:?}");
            pages += &page(&mut screen, &title);
        }
    }
    pages
}

#[test]
fn every_screen_matches_its_golden_file() {
    for screen in SCREENS {
        let pages = in_all_looks(screen.id, &screen.number.to_string());
        let file = repository("tests/screens").join(format!("{}.txt", screen.id));
        expect_file(&file, &pages, "UPDATE_GOLDEN");
    }
}

#[test]
fn overlays_match_their_golden_file() {
    let cases = [
        ("help", "2 ?"),
        ("legend", "2 ? ?"),
        ("explain", "2 l l l l e"),
        ("describe", "2 d"),
        ("palette", ": s o r t"),
        ("columns", "2 o"),
        ("sort", "6 s"),
        ("settings", "F2"),
        ("filter", "6 / s w a p > 1 0 0 M"),
        ("bad filter", "6 / s w a p >"),
    ];
    let mut pages = String::new();
    for (name, keys) in cases {
        for (width, height) in [(80, 24), (40, 10)] {
            let mut screen = Screen::machines(&MACHINES, width, height).keys(keys);
            pages += &page(&mut screen, &format!("{name} {width}x{height}"));
        }
    }
    expect_file(&repository("tests/screens/above.txt"), &pages, "UPDATE_GOLDEN");
}

/// A machine with cluster maps.
fn with_clusters(machine: &str, second: u64) -> Snapshot {
    charted(snapshot(machine, second), ClusterView::Kernel)
}

/// A recorded machine is shown like the live one.
#[test]
fn a_recording_shows_what_the_machine_showed() {
    let snapshots: Vec<Snapshot> =
        (1000..).zip(MACHINES).map(|(second, machine)| with_clusters(machine, second)).collect();
    let mut bytes = Vec::new();
    let mut writer = RecordingWriter::new(&mut bytes).unwrap();
    for snapshot in &snapshots {
        writer.add(snapshot).unwrap();
    }
    let read: Vec<Snapshot> = RecordingReader::new(std::io::Cursor::new(&bytes)).unwrap().collect();
    for screen in SCREENS {
        let keys = screen.number.to_string();
        let mut live = Screen::new(80, 24);
        for snapshot in snapshots.clone() {
            live.send(Msg::Snapshots(vec![snapshot]));
        }
        live.press(&keys);
        // Findings are judged where they are shown: which ones are events depends on the screens seen.
        live.app.source.events = Events::default();
        let mut replayed = Screen::recording("swap.rec", read.clone(), 80, 24);
        replayed.app.source.events = Events::default();
        replayed.press(&keys);
        live.app.refresh();
        // The first line names the source and the time; the last line shows the keys.
        assert_eq!(live.text()[1..23], replayed.text()[1..23], "{}", screen.id);
        assert!(replayed.text()[0].contains("REPLAY  2 of 2  every 1s"), "{}", screen.id);
    }
}

/// Plain sets use only signs that their fonts have.
#[test]
fn plain_tiers_hold_only_what_they_promise() {
    for screen in SCREENS {
        for (tier, allowed) in [(GlyphTier::Ascii, ""), (GlyphTier::Vt, "┌┐└┘─│█▓▒░▌▄▲▼")]
        {
            let keys = screen.number.to_string();
            for (width, height) in SIZES {
                let mut drawn = Screen::machines(&MACHINES, width, height)
                    .look(tier, Palette::Mono)
                    .keys(&keys);
                let all = drawn.text().concat();
                let odd = all.chars().find(|c| !c.is_ascii() && !allowed.contains(*c));
                assert_eq!(odd, None, "{} {tier:?} {width}x{height}", screen.id);
            }
        }
    }
}

#[test]
fn no_size_is_too_small_or_too_large() {
    for (first, screen) in SCREENS.iter().enumerate() {
        let keys = screen.number.to_string();
        let mut drawn = Screen::machines(&MACHINES, 80, 24).keys(&keys);
        for (place, above) in ["", "?", "Esc e", "Esc :", "Esc F2", "Esc /"].iter().enumerate() {
            drawn.press(above);
            for (width, height) in sampled(all_sizes(), APART, 6 * first + place) {
                drawn.send(Msg::Resize(Size::new(width, height)));
                let buffer = drawn.draw();
                let inside = Rect::new(0, 0, width, height);
                for (area, target) in drawn.hits.iter() {
                    let empty = area.width == 0 || area.height == 0;
                    assert!(
                        empty || inside.intersection(*area) == *area,
                        "{target:?} {area} {width}x{height}"
                    );
                }
                assert_eq!(buffer.area, inside);
            }
        }
    }
}

/// Each screen and each overlay is drawn at every 47th size, with different starts, so that together they
/// cover all sizes. With `SWAPADM_EVENTS` each is drawn at all sizes.
const APART: usize = 47;

/// Every width with some heights and every height with some widths.
fn all_sizes() -> Vec<(u16, u16)> {
    let widths =
        (1..=200).flat_map(|width| [1, 2, 5, 6, 10, 16, 24, 60].map(|height| (width, height)));
    let heights = (1..=60)
        .flat_map(|height| [1, 3, 29, 30, 40, 60, 79, 80, 120].map(|width| (width, height)));
    widths.chain(heights).collect()
}

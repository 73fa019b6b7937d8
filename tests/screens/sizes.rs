//! The five sizes: every screen of a loaded machine uses its room, cuts no word, and begins with the same
//! facts.

use crate::charts::{ROOMS, empty_rows};
use crate::common::screen::{Screen, snapshot};
use crate::lab::{answer, finished, lab_of, ok, running};
use crate::map::charted;
use crate::pages::watched;
use crate::setup::opened;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use swapadm::columns::text;
use swapadm::learn::demo::{DEMOS, Demo};
use swapadm::model::Snapshot;
use swapadm::model::clusters::ClusterView;
use swapadm::sim::describe::builtin_machine;
use swapadm::sim::machine::RunningMachine;
use swapadm::ui::app::SourceKind;
use swapadm::ui::content::{Piece, PieceContent, Placed};
use swapadm::ui::layout;
use swapadm::ui::msg::Msg;
use swapadm::ui::pane::PaneState;
use swapadm::ui::screens::SCREENS;
use swapadm::ui::table_state::TableState;

/// Machines under load: areas of all kinds, zswap before disks, and large folios.
const LOADED: [[&str; 2]; 4] = [
    ["6.18-mixed-idle", "6.18-mixed-loaded"],
    ["7.2-zswap-idle", "7.2-zswap-loaded"],
    ["6.1-thp-loaded", "7.2-thp-loaded"],
    ["7.2-numa4-loaded"; 2],
];

/// A loaded machine with some seconds of the past, clusters, and a lab.
fn loaded(machines: [&str; 2], width: u16, height: u16) -> Screen {
    let mut screen = lab_of(Screen::new(width, height));
    let last = 1030;
    let of = |second| snapshot(machines[usize::from(second >= 1015)], second);
    screen.send(Msg::Snapshots((1000..last).map(of).collect()));
    // Maps of a live machine are kept for the newest sample only.
    screen.send(Msg::Snapshots(vec![charted(of(last), ClusterView::Kernel)]));
    screen
}

/// Each demonstration with half a minute of samples.
static DEMONSTRATIONS: LazyLock<[(Demo, Vec<Snapshot>); DEMOS.len()]> = LazyLock::new(|| {
    DEMOS.map(|demo| {
        let setup = builtin_machine(demo.machine).unwrap().unwrap();
        let mut machine = RunningMachine::new(setup, None).unwrap();
        (demo, (0..30).map(|_| machine.next_sample()).collect())
    })
});

/// Calls a function for each screen, with its name.
fn each_number(screen: &mut Screen, mut look: impl FnMut(&str, &mut Screen)) {
    for shown in SCREENS {
        screen.press(&shown.number.to_string());
        look(shown.id, screen);
    }
}

/// Calls a function for each screen of each loaded machine at each size, in the states of the lab too.
fn each_screen(mut look: impl FnMut(&str, &mut Screen)) {
    for (width, height) in ROOMS {
        for machines in LOADED {
            let mut screen = loaded(machines, width, height);
            for shown in SCREENS {
                screen.press(&shown.number.to_string());
                if shown.id == "lab" {
                    answer(&mut screen, ok());
                }
                look(&format!("{} of {} {width}x{height}", shown.id, machines[1]), &mut screen);
            }
        }
        for machines in LOADED {
            let mut screen = Screen::from_source(SourceKind::Captured, "capture", width, height);
            screen.send(Msg::Snapshots(vec![snapshot(machines[1], 1000)]));
            let name = format!("of one sample of {} {width}x{height}", machines[1]);
            each_number(&mut screen, |id, screen| look(&format!("{id} {name}"), screen));
        }
        for (demo, samples) in DEMONSTRATIONS.iter() {
            let mut screen = Screen::from_source(SourceKind::Simulated, "", width, height);
            screen.app.learn.sentence = Some(demo.look);
            screen.send(Msg::Snapshots(samples.clone()));
            let name = format!("of demo {} {width}x{height}", demo.name);
            each_number(&mut screen, |id, screen| look(&format!("{id} {name}"), screen));
        }
        let mut stored = Screen::new(width, height);
        let sample = charted(snapshot("7.2-mixed-loaded", 1000), ClusterView::Stored);
        stored.send(Msg::Snapshots(vec![sample]));
        stored.press("8");
        look(&format!("map of zram {width}x{height}"), &mut stored);
        for (name, keys) in [("process", "6 Enter"), ("cgroup", "6 ] Enter")] {
            look(&format!("page of a {name} {width}x{height}"), &mut watched(width, height, keys));
        }
        look(&format!("setup {width}x{height}"), &mut opened(width, height));
        look(&format!("running lab {width}x{height}"), &mut running(width, height));
        look(&format!("finished lab {width}x{height}"), &mut finished(width, height));
    }
}

/// The visible panes with the width of their lines.
fn panes(screen: &Screen) -> Vec<(&PaneState, usize)> {
    let plan = &screen.app.layout;
    let state = screen.app.state().unwrap();
    let answer = state.answer.as_ref().map(|answer| (answer, usize::from(plan.answer.width) - 1));
    let of = |(place, area): &(usize, ratatui::layout::Rect)| {
        (&state.panes[*place], usize::from(layout::lines(*area, plan.framed).width))
    };
    answer.into_iter().chain(plan.panes.iter().map(of)).collect()
}

/// Whether nothing is left to say: each pane with contents is shown, with all its lines or rows.
fn shows_all(screen: &Screen) -> bool {
    let shown = &screen.app.layout.panes;
    let mut panes = screen.app.state().unwrap().panes.iter().enumerate();
    panes.all(|(place, pane)| {
        let (lines, rows) =
            (pane.lines.len(), pane.sheets.get(pane.sheet).and_then(TableState::rows));
        let (all, visible) = match rows {
            Some(rows) => (rows.cells.len(), pane.sheets[pane.sheet].height),
            None => (lines, pane.visible_lines().len()),
        };
        all == 0 || visible >= all && shown.iter().any(|(it, _)| *it == place)
    })
}

#[test]
fn no_screen_of_a_loaded_machine_is_a_quarter_empty() {
    let mut bad = vec![];
    each_screen(|name, screen| {
        let empty = empty_rows(screen);
        // Lessons, small machines and captures may say less than fills a screen, but then say all of it.
        let says_little = ["learn ", "map of zram", " of one sample ", " of demo "];
        let says_little = says_little.iter().any(|it| name.contains(it)) && shows_all(screen);
        if empty > 0.25 && !says_little {
            bad.push(format!("{name}: {empty:.2}\n{}", screen.text().join("\n")));
        }
    });
    assert!(bad.is_empty(), "{}", bad.join("\n\n"));
}

/// The characters that are cut from the end of a piece of text.
fn lost(placed: &Placed<'_>, screen: &Screen) -> String {
    let drawn = placed.piece.draw(&screen.app.look, placed.width);
    let drawn: String = drawn.into_iter().map(|(words, _)| words).collect();
    let start = drawn.trim_end().trim_end_matches('…');
    placed.piece.words().trim_end().strip_prefix(start).unwrap_or_default().to_owned()
}

/// A text, or a figure of several words.
fn is_words(piece: &Piece) -> bool {
    match piece.what {
        PieceContent::Text(_) => true,
        _ => piece.origin().is_some() && piece.words().contains(' ') && !is_command(piece),
    }
}

/// A command of a process, or of this program.
fn is_command(piece: &Piece) -> bool {
    piece.origin().is_some_and(|it| ["command", "fix"].contains(&it.info.id))
}

/// A word that was cut before it became a piece ends with the sign for that.
fn is_clipped(words: &str) -> bool {
    words.split(' ').any(|word| word.len() > 1 && word.ends_with('+'))
}

/// No word is cut, and the answer loses none at all. Paths lose their middle where they are too long, and
/// command lines their end.
#[test]
fn no_word_is_cut_that_carries_the_meaning() {
    let mut cut = BTreeSet::new();
    each_screen(|name, screen| {
        for (pane, cells) in panes(screen) {
            let id = pane.info.id;
            for line in pane.visible_lines() {
                for placed in line.place(cells) {
                    let (words, lost) = (placed.piece.words(), lost(&placed, screen));
                    let half = !lost.is_empty() && !lost.starts_with(' ');
                    let half = half && is_words(placed.piece);
                    if half || is_clipped(words) || (id == "answer" && !lost.is_empty()) {
                        cut.insert(format!("{name} {id}: {words}"));
                    }
                }
            }
            if id == "answer" {
                let said = screen_line(screen, screen.app.layout.answer.y);
                let said = said.trim();
                if said.ends_with(['…', '+', ';', ',', ':', '-']) || said.split('…').count() > 1
                {
                    cut.insert(format!("{name} answer: {said}"));
                }
            }
            cut.extend(cut_cells(pane).into_iter().map(|cell| format!("{name} {id}: {cell}")));
        }
    });
    assert!(cut.is_empty(), "{cut:#?}");
}

/// Lines that are sentences, which need no label.
const SENTENCES: [&str; 2] = ["cause", "finding"];

/// A figure keeps the label that says what it is.
#[test]
fn no_fact_of_the_overview_loses_its_label() {
    let mut bare = BTreeSet::new();
    let mut look = |name: &str, screen: &Screen| {
        for (pane, cells) in panes(screen).into_iter().filter(|(pane, _)| pane.info.id == "short") {
            for line in pane.visible_lines() {
                let label = line.pieces[0].words().trim().to_owned();
                let placed = line.place(cells);
                let is_kept =
                    placed.iter().any(|it| std::ptr::eq(it.piece, &raw const line.pieces[0]));
                let is_last = placed.len() < 2;
                if (!is_kept || is_last) && !SENTENCES.contains(&label.as_str()) {
                    bare.insert(format!("{name}: {}", line.plain()));
                }
            }
        }
    };
    for (width, height) in ROOMS {
        for machines in LOADED {
            look(&format!("{} {width}x{height}", machines[1]), &loaded(machines, width, height));
        }
        let mut one = Screen::machines(&["7.2-numa4-loaded"], width, height);
        one.draw();
        look(&format!("one sample {width}x{height}"), &one);
    }
    assert!(bare.is_empty(), "{bare:#?}");
}

fn screen_line(screen: &Screen, row: u16) -> String {
    let size = screen.app.size;
    let mut buffer =
        ratatui::buffer::Buffer::empty(ratatui::layout::Rect::new(0, 0, size.width, size.height));
    swapadm::ui::view(&screen.app, &mut buffer);
    crate::common::screen::text(&buffer)[usize::from(row)].clone()
}

/// The cells of a table that are wider than their columns.
fn cut_cells(pane: &PaneState) -> Vec<String> {
    let Some(sheet) = pane.sheets.get(pane.sheet) else { return vec![] };
    let Some(rows) = sheet.rows() else { return vec![] };
    let columns = sheet.columns.iter().filter(|(place, _)| rows.infos[*place].id != "command");
    let seen = rows.cells.iter().skip(sheet.top).take(sheet.height);
    let cells = seen.flat_map(|row| {
        columns
            .clone()
            .map(|(place, width)| (row[*place].human(rows.infos[*place].unit, false), *width))
    });
    let is_cut =
        |(words, width): &(String, usize)| text::width(words) > *width && !words.starts_with('/');
    cells.filter(is_cut).map(|(words, _)| words).collect()
}

/// A chart beside a known figure has a past: its column is recorded.
#[test]
fn no_chart_beside_a_figure_is_blank() {
    let mut blank = BTreeSet::new();
    each_screen(|name, screen| {
        for (pane, _) in panes(screen) {
            for line in pane.visible_lines() {
                let is_known =
                    |piece: &Piece| piece.origin().is_some_and(|it| it.value.missing().is_none());
                let is_blank = |piece: &Piece| match &piece.what {
                    PieceContent::Chart(chart, _) => {
                        chart.series.iter().all(|series| series.values.iter().all(Option::is_none))
                    }
                    _ => false,
                };
                // One sample has no past.
                let has_past = !name.contains("of one sample");
                if has_past && line.figures().any(is_known) && line.pieces.iter().any(is_blank) {
                    blank.insert(format!("{name} {}: {}", pane.info.id, line.plain()));
                }
            }
        }
    });
    assert!(blank.is_empty(), "{blank:#?}");
}

/// The facts of a screen in the order in which they are read: columns of tables, and the first figure of each
/// line.
fn facts(screen: &Screen) -> Vec<String> {
    let mut facts: Vec<String> = vec![];
    for (pane, cells) in panes(screen) {
        let sheet = pane.sheets.get(pane.sheet);
        let columns = sheet.into_iter().flat_map(|sheet| {
            let rows = sheet.rows();
            let info = move |place: usize| rows.map(|rows| rows.infos[place].id);
            let table = sheet.query.spec.name;
            sheet.columns.iter().filter_map(move |(place, _)| Some((table, info(*place)?)))
        });
        let lines = pane.visible_lines();
        let figures = lines.iter().filter_map(|line| {
            let placed = line.place(cells);
            let origin = placed.iter().find_map(|placed| placed.piece.origin())?;
            Some((origin.table, origin.info.id))
        });
        let names = columns.chain(figures).map(|(table, column)| format!("{table}.{column}"));
        let before = facts.len();
        facts.extend(names);
        // A pane of words, or a picture.
        if facts.len() == before && !pane.lines.is_empty() && pane.info.id != "answer" {
            facts.push(pane.info.id.to_owned());
        }
    }
    let mut seen = BTreeSet::new();
    facts.retain(|name| seen.insert(name.clone()));
    facts
}

/// The cause of the state, with one sample and with more, is on each terminal, and facts without a value are not
/// where there is no room for all.
#[test]
fn the_cause_comes_before_unknown_facts() {
    for (width, height) in ROOMS {
        for machines in [&["7.2-mixed-loaded"][..], &["7.2-mixed-idle", "7.2-mixed-loaded"]] {
            let text = Screen::machines(machines, width, height).text().join("\n");
            assert!(text.contains("/hog is at its limit"), "{width}x{height}: {text}");
            assert!(height > 16 || !text.contains("unknown"), "{width}x{height}: {text}");
        }
    }
}

/// The keys that make the plan are there on the smallest terminal.
#[test]
fn the_setup_page_names_its_main_keys_at_every_size() {
    for (width, height) in ROOMS {
        let text = opened(width, height).text().join("\n");
        assert!(text.contains("p plan") && text.contains("Enter type"), "{width}x{height}: {text}");
    }
}

/// The first fact is the same at every size, and a small terminal shows those of a large one in the same order.
#[test]
fn the_same_facts_come_first_at_every_size() {
    for machines in LOADED {
        let mut screens = ROOMS.map(|(width, height)| loaded(machines, width, height));
        for shown in SCREENS {
            let all = screens.each_mut().map(|screen| {
                screen.press(&shown.number.to_string());
                facts(screen)
            });
            let [small, .., large] = &all;
            let name = format!("{} of {}", shown.id, machines[1]);
            for (facts, size) in all.iter().zip(ROOMS) {
                assert_eq!(facts.first(), large.first(), "{name} {size:?}");
                // Those that come before others in one place do so everywhere.
                let places = small.iter().filter_map(|fact| facts.iter().position(|it| it == fact));
                let places: Vec<usize> = places.collect();
                assert!(places.is_sorted(), "{name} {size:?}: {small:?} {facts:?}");
                assert!(places.len() * 2 > small.len(), "{name} {size:?}: {small:?} {facts:?}");
            }
        }
    }
}

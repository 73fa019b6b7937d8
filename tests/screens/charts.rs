//! Charts have a scale and a time, screens use their room, and each screen begins with its answer.

use crate::MACHINES;
use crate::common::screen::{Screen, snapshot};
use crate::map::charted;
use swapadm::model::clusters::ClusterView;
use swapadm::model::users::{Process, ProcessTable};
use swapadm::model::{Reading, Sampled, Snapshot};
use swapadm::ui::app::SourceKind;
use swapadm::ui::chart::ChartPart;
use swapadm::ui::content::PieceContent;
use swapadm::ui::events::EventKind;
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::msg::Msg;
use swapadm::ui::screens::SCREENS;
use swapadm::ui::theme::Palette;

/// The sizes of the promise.
pub(crate) const ROOMS: [(u16, u16); 5] = [(40, 10), (60, 16), (80, 24), (120, 40), (160, 50)];

/// A loaded machine with a past of this many seconds.
pub(crate) fn busy(width: u16, height: u16, seconds: u64) -> Screen {
    let mut screen = Screen::new(width, height);
    for second in 0..=seconds {
        let mut now = busy_snapshot(1000 + second);
        // Maps of a live machine are kept for the newest sample only.
        if second == seconds {
            now = charted(now, ClusterView::Kernel);
        }
        screen.send(Msg::Snapshots(vec![now]));
    }
    screen
}

fn busy_snapshot(second: u64) -> Snapshot {
    snapshot(MACHINES[usize::try_from(second % 2).unwrap()], second)
}

/// The share of rows that hold nothing but frames.
pub(crate) fn empty_rows(screen: &mut Screen) -> f64 {
    let height = f64::from(screen.app.size.height);
    let is_frame = |c: char| " │|╭╮╰╯─┌┐└┘+-".contains(c);
    let text = screen.text();
    // Titles, frames and the scales of charts are not empty: lines of blanks between the sides are.
    let is_empty = |line: &&String| {
        line.chars().all(is_frame) && !line.contains(['─', '-']) && !line.contains("│       │")
    };
    text.iter().filter(is_empty).count() as f64 / height
}

#[test]
fn every_screen_begins_with_its_answer() {
    for (width, height) in ROOMS {
        for machines in [
            &["6.18-mixed-idle", "6.18-mixed-loaded"][..],
            &["6.1-noswap"],
            &["6.18-zswap-idle", "6.18-zswap-loaded"],
        ] {
            for shown in SCREENS {
                let mut screen =
                    Screen::machines(machines, width, height).keys(&shown.number.to_string());
                let line = usize::from(screen.app.layout.answer.y);
                let text = screen.text();
                let words = text[line].split_whitespace().count();
                assert!(words >= 3, "{} {width}x{height} {machines:?}: {:?}", shown.id, text[line]);
            }
        }
    }
}

/// All charts of one line in a pane have the same time axis.
#[test]
fn charts_of_a_pane_have_one_time_axis() {
    for (width, height) in [(80, 24), (120, 40), (160, 50)] {
        let mut screen = busy(width, height, 5);
        for shown in SCREENS {
            screen.press(&shown.number.to_string());
            let app = &screen.app;
            for (place, area) in &app.layout.panes {
                let pane = &app.state().unwrap().panes[*place];
                let cells = usize::from(swapadm::ui::layout::lines(*area, app.layout.framed).width);
                let mut widths = vec![];
                for line in pane.visible_lines() {
                    for placed in line.place(cells) {
                        // A taller chart names its own time.
                        if let PieceContent::Chart(_, ChartPart::Line) = &placed.piece.what {
                            widths.push(placed.width);
                        }
                    }
                }
                widths.dedup();
                assert!(
                    widths.len() < 2,
                    "{} {} {width}x{height}: {widths:?}",
                    shown.id,
                    pane.info.id
                );
            }
        }
    }
}

/// The head of a simulated machine says so before the first sample too.
#[test]
fn a_simulated_machine_is_marked_from_the_start() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut screen = Screen::from_source(SourceKind::Simulated, "laptop", width, height);
        let head = screen.text().remove(0);
        assert!(head.contains("SIMULATED"), "{head}");
    }
}

/// Titles and time axes name no time before the first sample.
#[test]
fn charts_name_only_the_time_that_was_sampled() {
    let lines = |machines: &[&str], size: (u16, u16)| {
        let screens = SCREENS.iter().map(|shown| {
            let screen = Screen::machines(machines, size.0, size.1);
            screen.keys(&shown.number.to_string()).text().join("\n")
        });
        screens.collect::<Vec<_>>().join("\n")
    };
    for size in [(80, 24), (120, 40)] {
        let single = lines(&MACHINES[1..], size);
        let is_time = |word: &str| {
            let seconds = word.strip_prefix('-').and_then(|word| word.strip_suffix('s'));
            seconds.is_some_and(|seconds| seconds.parse::<f64>().is_ok())
        };
        let axis = single.split_whitespace().find(|word| is_time(word));
        assert!(!single.contains("  past ") && axis.is_none(), "{axis:?} {single}");
        let two = lines(&MACHINES, size);
        assert!(two.contains("  past 1s"), "{two}");
    }
    let axis = lines(&[MACHINES[0]; 20], (120, 40));
    assert!(axis.contains("-19s") && !axis.contains("-48s"), "{axis}");
}

/// An OOM kill is an event with a time, below the charts and in words.
#[test]
fn oom_kills_are_events() {
    let mut screen = Screen::new(120, 40);
    for second in 1000..1020 {
        let mut now = busy_snapshot(second);
        crate::screen_content::count(&mut now, "oom_kill", u64::from(second >= 1010) * 2);
        screen.send(Msg::Snapshots(vec![now]));
    }
    let text = screen.text();
    assert!(text.iter().any(|line| line.contains("last 9s ago")), "{text:#?}");
    assert!(text.iter().any(|line| line.contains('X') && line.contains("now")), "{text:#?}");
}

/// The kernel counts its kills, and the largest process that is gone is the likely one.
#[test]
fn an_oom_kill_names_the_process_that_is_gone() {
    let mut screen = Screen::new(120, 40);
    let before = snapshot(MACHINES[1], 1000);
    let table = before.processes.reading.known().unwrap().clone();
    let memory =
        |process: &Process| process.rss.known().copied().max(process.swap.known().copied());
    let mut left: Vec<_> = table.processes.to_vec();
    left.sort_by_key(|process| memory(process));
    let killed = left.pop().unwrap();
    let mut now = snapshot(MACHINES[1], 1001);
    let table = ProcessTable { processes: left.into(), ..table };
    now.processes = Sampled::new(Some(now.stamp), Reading::Known(table));
    crate::screen_content::count(&mut now, "oom_kill", 1);
    screen.send(Msg::Snapshots(vec![before]));
    screen.send(Msg::Snapshots(vec![now]));
    let said: Vec<&str> = screen.app.source.events.iter().map(|event| &*event.words).collect();
    let wanted = format!("1 OOM kill, likely of {} {}", killed.pid, killed.comm.safe());
    assert!(said.contains(&wanted.as_str()), "{said:?}");
}

/// Small traffic does not look like much: the scale begins at 64 KiB/s, and every chart names its own.
#[test]
fn scales_are_named_and_small_traffic_stays_low() {
    let drawn = |pages: u64| {
        let mut screen = Screen::new(80, 24);
        for second in 1000..1010 {
            let mut now = snapshot("6.18-mixed-idle", second);
            crate::screen_content::count(&mut now, "pswpout", (second - 1000) * pages);
            screen.send(Msg::Snapshots(vec![now]));
        }
        screen.text().into_iter().find(|line| line.contains("▲ out")).unwrap()
    };
    let (small, large) = (drawn(1), drawn(25_600));
    assert!(small.contains("0-64K") && !small.contains('⣿'), "{small}");
    assert!(large.contains("0-128M"), "{large}");
}

/// Enter on a figure shows it over time: with a cursor, the value and time under it, and events.
#[test]
fn a_figure_is_shown_over_time() {
    let mut screen = Screen::new(120, 40);
    for second in 1000..1060 {
        let mut now = busy_snapshot(second);
        crate::screen_content::count(&mut now, "oom_kill", u64::from(second >= 1030));
        screen.send(Msg::Snapshots(vec![now]));
    }
    // The second figure of the traffic pane is swap-out.
    screen.press("S-Tab S-Tab S-Tab Right Enter");
    let text = screen.text();
    let has = |text: &[String], words: &str| text.iter().any(|line| line.contains(words));
    for words in ["OUT", "bytes/s", "0│", "now", "max 257M", "X 14:30:30Z", "OOM kill: 1 OOM kill"]
    {
        assert!(has(&text, words), "{words}: {text:#?}");
    }
    assert!(has(&text, "14:30:59Z  257M  0s ago"), "{text:#?}");
    screen.press("Left");
    assert!(has(&screen.text(), "14:30:58Z  "), "{:#?}", screen.text());
    // A longer time, and the explanation above the chart.
    screen.press("[ [");
    assert!(!has(&screen.text(), "1s ago"), "{:#?}", screen.text());
    screen.press("e");
    assert!(has(&screen.text(), "Command"), "{:#?}", screen.text());
    screen.press("Esc Esc");
    assert!(screen.app.overlays.is_empty());
}

/// The least value, the mean and the largest one are those of all samples, however many a step holds.
#[test]
fn a_longer_time_changes_no_range() {
    for keys in ["2 l l l l Enter", "4 l Enter"] {
        let range = |screen: &mut Screen| {
            let text = screen.text();
            let line = text.iter().find_map(|line| line.split_once("  min ")).unwrap();
            line.1.split_once('│').unwrap().0.trim().to_owned()
        };
        let mut screen = busy(100, 30, 39).keys(keys);
        let near = range(&mut screen);
        assert!(!screen.text().iter().any(|line| line.contains("at most in")), "{keys}");
        for step in ["2s", "5s", "10s"] {
            screen.press("[");
            assert_eq!(range(&mut screen), near, "{keys}");
            let words = format!(" at most in {step}");
            let text = screen.text();
            assert!(text.iter().any(|line| line.contains(&words)), "{keys}: {text:#?}");
        }
    }
}

/// A figure that is not recorded is computed from the samples.
#[test]
fn other_figures_have_a_past_too() {
    let mut screen = busy(100, 30, 9).keys("4 l Enter");
    let text = screen.text();
    assert!(text.iter().any(|line| line.contains("max ") && line.contains("mean")), "{text:#?}");
    screen.send(Msg::Snapshots(vec![busy_snapshot(1010)]));
    assert_ne!(screen.text(), text);
}

/// A chart is drawn at every size, in every set of signs.
#[test]
fn charts_fit_every_terminal() {
    for tier in [GlyphTier::Full, GlyphTier::Blocks, GlyphTier::Vt, GlyphTier::Ascii] {
        for (width, height) in [(30, 6), (40, 10), (60, 16), (80, 24), (200, 60)] {
            let mut screen = busy(width, height, 9).look(tier, Palette::Mono).keys("1 Enter");
            let text = screen.text();
            let plain = |c: char| c.is_ascii() || tier != GlyphTier::Ascii;
            assert!(text.iter().all(|line| line.chars().all(plain)), "{text:#?}");
        }
    }
}

/// Changes, findings and ended runs are marked below a chart and listed with their times, as OOM kills are.
#[test]
fn all_kinds_of_events_are_marked_on_a_chart() {
    let mut screen = crate::lab::finished(120, 40).keys("1");
    let end = screen.app.moment().unwrap().now.stamp.boot_ns / 1_000_000_000;
    for second in end + 1..end + 20 {
        let mut now = busy_snapshot(second);
        if second >= end + 10 {
            let mut areas = now.swaps.reading.known().unwrap().clone();
            areas[0].priority = 7;
            now.swaps.reading = swapadm::model::Reading::Known(areas).into();
        }
        crate::screen_content::count(&mut now, "oom_kill", u64::from(second >= end + 5));
        screen.send(Msg::Snapshots(vec![now]));
    }
    screen.press("S-Tab S-Tab S-Tab Right Enter");
    let text = screen.text();
    let has = |words: &str| text.iter().any(|line| line.contains(words));
    for words in ["OOM kill: 1 OOM kill", "change: /dev/zram0 priority 100 to 7", "finding: "] {
        assert!(has(words), "{words}: {text:#?}");
    }
    let signs = text.iter().find(|line| line.contains('X') && line.contains("now")).unwrap();
    assert!(signs.contains('o') && signs.contains('!'), "{signs}");
    assert!(screen.app.source.events.iter().any(|event| event.kind == EventKind::Run), "{text:#?}");
}

//! The information on each screen.

use crate::common::screen::{Screen, snapshot};
use crate::monkey::at;
use crate::{MACHINES, SIZES};
use swapadm::advice::AdviceReport;
use swapadm::columns::{Query, Request, tables};
use swapadm::derive::SampleView;
use swapadm::model::{Bytes, Policy, Reading, Snapshot};
use swapadm::report::{self, status};
use swapadm::sim::describe::builtin_machine;
use swapadm::sim::machine::RunningMachine;
use swapadm::ui::app::SourceKind;
use swapadm::ui::chart::{ChartPart, Scale};
use swapadm::ui::content::{Origin, PaneLine, Piece, PieceContent};
use swapadm::ui::msg::Msg;
use swapadm::ui::screens::SCREENS;

/// A promise of the product: at most three keys, on any terminal, from the start to the answers. The first
/// screen needs none.
#[test]
fn the_answers_are_at_most_three_keys_away() {
    let earlier = snapshot(MACHINES[0], 1000);
    // A forecast needs some seconds.
    let mut later = snapshot(MACHINES[1], 1030);
    count(&mut later, "swap_ra", 30_000);
    count(&mut later, "swap_ra_hit", 27_000);
    let view = SampleView { now: &later, before: Some(&earlier) };
    let device = with_most(&view, "devices", "name", "growth");
    let process = with_most(&view, "processes", "name", "swap");
    for (width, height) in SIZES {
        let mut screen = Screen::new(width, height);
        let steps = (1..5).map(|step| halfway(&earlier, &later, step, 5));
        for snapshot in [earlier.clone()].into_iter().chain(steps).chain([later.clone()]) {
            screen.send(Msg::Snapshots(vec![snapshot.clone()]));
            screen.send(Msg::Tick(snapshot.stamp));
        }
        let text = screen.text();
        for answer in
            [format!("{device} by "), "effective: 90%".to_owned(), format!("{process} 257M")]
        {
            let said = text.iter().any(|line| line.contains(&answer));
            assert!(said, "{width}x{height}: {answer}: {text:#?}");
        }
    }
}

/// Areas that rotate under a steady load, or have only begun to grow, are not filling; an area that
/// continues to grow is.
#[test]
fn an_area_is_filling_if_its_group_grows_for_seconds() {
    const MIB: u64 = 1 << 20;
    // Use of the two areas of 64 MiB at the top, at each second; nothing else is used.
    let said = |used: &[(u64, u64)]| {
        let mut screen = Screen::new(120, 40).keys("2");
        for (second, (first, other)) in (1000..).zip(used) {
            let mut now = snapshot(MACHINES[0], second);
            hold(&mut now, &[*first, *other]);
            screen.send(Msg::Snapshots(vec![now]));
        }
        let line = |screen: &mut Screen| {
            screen.text().into_iter().find(|line| line.contains("fills fastest")).unwrap()
        };
        let devices = line(&mut screen);
        (line(&mut screen.keys("1")), devices)
    };
    let grows = |seconds: u64| -> Vec<(u64, u64)> {
        (0..=seconds).map(|second| (second * MIB, second * MIB / 2)).collect()
    };
    let turns: Vec<(u64, u64)> =
        (0..=30).map(|second| ((20 + second) * MIB, (60 - second) * MIB + second % 7)).collect();
    // The last pages of a full priority come and go.
    let jitters: Vec<(u64, u64)> =
        (0..=30).map(|second| (60 * MIB + second * 40_000, 63 * MIB - second * 30_000)).collect();
    // The last pages of the group were just taken.
    let filled: Vec<(u64, u64)> =
        (34..=64).map(|mib| (mib * MIB - 65_536, mib * MIB - 65_536)).collect();
    for (used, word) in [
        (filled, "no area is growing"),
        (grows(9), "not known yet (needs 10 s)"),
        (turns, "no area is growing"),
        (jitters, "no area is growing"),
        (grows(10), "/dev/zram0"),
    ] {
        let (overview, devices) = said(&used);
        assert!(overview.contains(word), "{overview}");
        assert!(devices.contains(word), "{devices}");
    }
}

/// The first of two samples of a machine, 30 seconds apart, with the use of its areas after some of the steps
/// to the second one.
fn halfway(first: &Snapshot, second: &Snapshot, step: u64, steps: u64) -> Snapshot {
    let used = |machine: &Snapshot| -> Vec<u64> {
        let areas = machine.swaps.reading.known().unwrap();
        areas.iter().map(|area| area.used.known().unwrap().0).collect()
    };
    let between = |(from, to): (u64, u64)| (from * (steps - step) + to * step) / steps;
    let used: Vec<u64> = used(first).into_iter().zip(used(second)).map(between).collect();
    let mut snapshot = snapshot(MACHINES[0], 1000 + 30 * step / steps);
    hold(&mut snapshot, &used);
    snapshot
}

/// Sets the use of the first areas, and empties the others.
fn hold(snapshot: &mut Snapshot, used: &[u64]) {
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    let used = used.iter().copied().chain(std::iter::repeat(0));
    for (area, used) in areas.iter_mut().zip(used) {
        area.used = Reading::Known(Bytes(used));
    }
    snapshot.swaps.reading = Reading::Known(areas).into();
}

/// Bars stand for priorities where areas share one, and otherwise for sizes: no row is blank in the middle.
#[test]
fn bars_of_areas_show_what_their_heading_says() {
    for (machines, heading, value) in [
        (MACHINES, "SHARE OF USED", "50% ████▌░"),
        (["6.18-idle", "6.18-loaded"], "USE% OF SIZE", "100% █████"),
    ] {
        let text = Screen::machines(&machines, 75, 24).keys("2 Tab").text();
        let head = text.iter().position(|line| line.contains(heading)).unwrap();
        let row = &text[head + 1];
        assert!(row.contains(value), "{row}");
    }
}

/// The kernel counts I/O time in ticks: over one second it is mostly noise.
#[test]
fn waits_of_an_area_are_those_of_the_last_half_minute() {
    let waits = |seconds: &[u64]| {
        let mut screen = Screen::new(120, 40);
        for second in seconds {
            let machine = MACHINES[usize::from(*second > 1000)];
            screen.send(Msg::Snapshots(vec![snapshot(machine, *second)]));
        }
        let text = screen.keys("2").text();
        text.into_iter().find(|line| line.contains("│ wait ")).unwrap()
    };
    let two = waits(&[1000, 1001]);
    assert!(two.contains("241us w in 1s"), "{two}");
    let three = waits(&[1000, 1001, 1002]);
    assert!(three.contains("241us w in 2s"), "nothing was written in the last second: {three}");
    assert!(waits(&[1000, 1001, 1040]).contains("none w"));
}

/// Columns that a kernel cannot fill take no space unless requested by name.
#[test]
fn columns_without_any_value_are_left_out() {
    let heads = |screen: &mut Screen| screen.text()[4].clone();
    let mut screen = Screen::machines(&["6.18-mixed-loaded"], 120, 24).keys("6 ]");
    assert!(heads(&mut screen).contains("SWAPMAX"));
    let mut screen = Screen::machines(&["host-cgroup-v1"], 120, 24).keys("6 ] *");
    assert!(!heads(&mut screen).contains("SWAPMAX"), "{:#?}", screen.text());
    let sheet = &mut screen.app.source.screens[5].panes[0].sheets[1];
    sheet
        .change_request(|it| (it.columns, it.all) = (Some("swap_max,path".to_owned()), true))
        .unwrap();
    screen.press("Down");
    assert!(heads(&mut screen).contains("SWAPMAX"), "{:#?}", screen.text());
}

/// A machine without swap gets advice on adding some.
#[test]
fn without_swap_the_screen_says_how_to_add_some() {
    for (width, height) in SIZES {
        let mut screen = Screen::machines(&["6.1-noswap"], width, height);
        let text = screen.text();
        assert!(text.iter().any(|line| line.contains("a: new zram swap")), "{text:#?}");
    }
    let text = Screen::machines(&MACHINES, 120, 40).text();
    assert!(!text.iter().any(|line| line.contains("file create")), "{text:#?}");
    // No pane about areas is simply blank.
    let text = Screen::machines(&["6.1-noswap"], 120, 40).keys("2").text();
    let said = text.iter().filter(|line| line.contains("no swap is active"));
    assert_eq!(said.count(), 3, "{text:#?}");
    // The screens about areas and their pages name the way to get some.
    for keys in ["2", "6"] {
        let text = Screen::machines(&["6.1-noswap"], 80, 24).keys(keys).text();
        assert!(text[2].contains("no swap is active - a: new zram swap"), "{text:#?}");
    }
}

/// A chart without any value says why, and so does a wait that a simulated machine does not have.
#[test]
fn a_chart_without_values_says_why() {
    let once = |keys: &str| Screen::machines(&MACHINES[1..], 120, 40).keys(keys).text().join("\n");
    for keys in ["1", "2"] {
        assert!(once(keys).contains("needs two samples"), "{}", once(keys));
    }
    let twice = Screen::machines(&MACHINES, 120, 40).keys("1").text().join("\n");
    assert!(!twice.contains("needs two samples"), "{twice}");
    let setup = builtin_machine("laptop").unwrap().unwrap();
    let mut machine = RunningMachine::new(setup, None).unwrap();
    for (keys, of) in [("1", "some"), ("2", "wait")] {
        let mut screen = Screen::from_source(SourceKind::Simulated, "laptop", 120, 40).keys(keys);
        screen.send(Msg::Snapshots(vec![machine.next_sample(), machine.next_sample()]));
        let text = screen.text();
        let is_said = |line: &String| line.contains("not simulated");
        assert!(text.iter().any(is_said), "{of}: {text:#?}");
        assert!(!text.iter().any(|line| line.contains("no reads")), "{text:#?}");
    }
}

/// The cause of a shortage is named only under pressure, and only as far as it could be read.
#[test]
fn a_cgroup_at_its_limit_is_named_as_the_cause() {
    let cause = |machines: &[Snapshot]| {
        let mut screen = Screen::new(80, 24);
        screen.send(Msg::Snapshots(machines.to_vec()));
        screen.send(Msg::Tick(machines.last().unwrap().stamp));
        screen.text().into_iter().find(|line| line.contains("cause"))
    };
    let idle = snapshot(MACHINES[0], 1000);
    let loaded = snapshot(MACHINES[1], 1001);
    let said = cause(&[idle.clone(), loaded.clone()]).unwrap();
    assert!(said.contains("cgroup /hog is at its limit of 64M - RAM is available"), "{said}");
    let mut unread = loaded;
    unread.cgroups.reading = Reading::failed("unreadable").into();
    assert_eq!(cause(&[idle.clone(), unread]), None);
    assert_eq!(cause(&[idle.clone(), Snapshot { stamp: at(1001), ..idle }]), None);
}

/// The page of `swapadm status` and the first screen agree about shortage and readahead.
#[test]
fn the_status_page_says_what_the_overview_says() {
    let earlier = snapshot(MACHINES[0], 1000);
    let read_ahead = |pages, hits| {
        let mut later = snapshot(MACHINES[1], 1001);
        count(&mut later, "swap_ra", pages);
        count(&mut later, "swap_ra_hit", hits);
        count(&mut later, "pswpin", 2 * pages);
        later
    };
    let (later, few) = (read_ahead(1000, 100), read_ahead(10, 1));
    let zram = (snapshot("6.18-idle", 1000), snapshot("6.18-loaded", 1001));
    for ((earlier, later), readahead) in [
        ((earlier.clone(), later), "wasteful"),
        ((earlier, few), "too few pages read ahead for a verdict"),
        (zram, "not needed: all used swap is on zram"),
    ] {
        let queries = status::queries().unwrap();
        let view = SampleView { now: &later, before: Some(&earlier) };
        let page = status::StatusPage::new(view, &queries, Policy::DEFAULT)
            .lines(report::table::TableOptions::default());
        let overview = shown(&[earlier, later], 80, 26, "1");
        for line in [&page, &overview] {
            let said = |words: &str| line.iter().any(|line| line.contains(words));
            assert!(said("cgroup /hog is at its limit of 64M"), "{line:#?}");
            assert!(said(readahead), "{line:#?}");
            let is_judged = !readahead.starts_with("too few");
            assert!(!(is_judged && said("boot 1")), "{line:#?}");
            let is_filled = !readahead.contains("zram");
            assert_eq!(said("/dev/nb0 is smaller, and full"), is_filled, "{line:#?}");
        }
    }
}

/// Captured machines have one verdict each: in the table, on the status page, in the first line and in the
/// answer. Both kernels count reclaim for a cgroup in different ways.
#[test]
fn captures_have_their_verdicts() {
    for (machines, state, severity, cause) in [
        (MACHINES, "at cgroup limit", "crit", "cgroup /hog is at its limit of 64M"),
        (
            ["7.2-zswap-idle", "7.2-zswap-loaded"],
            "at cgroup limit",
            "crit",
            "cgroup /hog is at its limit of 220M",
        ),
        ([MACHINES[0], MACHINES[0]], "idle", "ok", ""),
    ] {
        let (earlier, later) = (snapshot(machines[0], 1000), snapshot(machines[1], 1001));
        let view = SampleView { now: &later, before: Some(&earlier) };
        let request = Request {
            columns: Some("state,severity".to_owned()),
            two_samples: true,
            ..Request::default()
        };
        let rows = Query::new(tables::find("status").unwrap(), &request).unwrap().rows(&view);
        let rows = rows.into_result().unwrap();
        let verdict = (rows.text(0, "state"), rows.text(0, "severity"));
        assert_eq!(verdict, (state.to_owned(), severity.to_owned()), "{machines:?}");
        let advice = AdviceReport::from_view(&view, &Policy::DEFAULT).findings;
        let pressure = advice.iter().find(|finding| finding.rule == "memory-pressure");
        let found = pressure.map_or("ok", |finding| finding.severity.word());
        assert_eq!(found, severity, "{machines:?}: advise and status differ");
        let queries = status::queries().unwrap();
        let page = status::StatusPage::new(view, &queries, Policy::DEFAULT)
            .lines(report::table::TableOptions::default())
            .join("\n");
        let overview = shown(&[earlier, later], 80, 24, "1");
        assert!(page.contains(state) && page.contains(cause), "{machines:?}: {page}");
        assert!(overview[0].contains(state), "{machines:?}: {}", overview[0]);
        assert!(overview[2].contains(state), "{machines:?}: {}", overview[2]);
        assert!(overview.join("\n").contains(cause), "{machines:?}: {overview:#?}");
    }
}

/// Without the counters of reclaim, an answer begins with what is known: on a simulated machine, and on a
/// kernel or in a capture that lacks them.
#[test]
fn answers_begin_with_what_is_known() {
    let setup = builtin_machine("laptop").unwrap().unwrap();
    let mut machine = RunningMachine::new(setup, None).unwrap();
    let simulated: Vec<Snapshot> = (0..3).map(|_| machine.next_sample()).collect();
    let bare = |machine, second| {
        let mut snapshot = snapshot(machine, second);
        rename(&mut snapshot, "\"pgscan_", "\"other_scan_");
        rename(&mut snapshot, "\"pgsteal_", "\"other_steal_");
        snapshot
    };
    let captured = [bare(MACHINES[0], 1000), bare(MACHINES[1], 1001)];
    let sources = [
        (SourceKind::Simulated, &simulated[..], "Swap traffic: "),
        (SourceKind::Live, &captured[..], "Swap traffic: 0B/s in, 257M/s out"),
        (SourceKind::Captured, &captured[1..], "Reclaim: rates need two samples"),
    ];
    for (kind, samples, wanted) in sources {
        for (width, height) in SIZES {
            let mut screen = Screen::from_source(kind, "laptop", width, height);
            for sample in samples {
                screen.send(Msg::Snapshots(vec![sample.clone()]));
            }
            for shown in SCREENS {
                screen.press(&shown.number.to_string());
                let answer = screen.app.state().unwrap().answer.as_ref().unwrap();
                let words = answer.lines.first().map_or_else(String::new, PaneLine::plain);
                let what = format!("{kind:?}, {}, {width}x{height}: {words}", shown.id);
                assert!(!words.to_lowercase().contains("reclaim: unknown"), "{what}");
                assert!(shown.id != "paging" || words.starts_with(wanted), "{what}");
            }
        }
    }
}

/// Gives other names to counters.
fn rename(snapshot: &mut Snapshot, from: &str, to: &str) {
    let text = serde_json::to_string(snapshot).unwrap();
    assert!(text.contains(from));
    *snapshot = serde_json::from_str(&text.replace(from, to)).unwrap();
}

/// The screen after these snapshots and keys.
fn shown(snapshots: &[Snapshot], width: u16, height: u16, keys: &str) -> Vec<String> {
    let mut screen = Screen::new(width, height);
    screen.send(Msg::Snapshots(snapshots.to_vec()));
    screen.keys(keys).text()
}

/// The words of a line do not move with the digits of its numbers.
#[test]
fn traffic_stays_in_place_with_any_number_of_digits() {
    for (width, height) in SIZES {
        let mut seen = vec![];
        for pages in [1, 300, 260_000] {
            let mut later = snapshot(MACHINES[1], 1001);
            count(&mut later, "pswpin", pages);
            let text = shown(&[snapshot(MACHINES[0], 1000), later], width, height, "1");
            // The word for the state in front of them may be another one.
            let line = text.iter().find_map(|line| line.split_once("PSI full")).unwrap().1;
            seen.push([" -", "in,", " out"].map(|words| line.find(words)));
        }
        assert!(seen.iter().all(|place| *place == seen[0]), "{width}x{height}: {seen:?}");
    }
    let text = shown(&[snapshot(MACHINES[0], 1000), snapshot(MACHINES[1], 1001)], 80, 24, "1");
    assert!(text.iter().any(|line| line.contains("in,    257M/s out")), "{text:#?}");
}

#[test]
fn one_sample_shows_pressure_and_says_that_rates_need_two() {
    for (machine, waits) in [(MACHINES[0], "0%"), (MACHINES[1], "16%!")] {
        let text = shown(&[snapshot(machine, 1000)], 120, 40, "1").join("\n");
        assert!(text.contains("rates need two samples"), "{text}");
        let said = text.lines().find(|line| line.contains("PSI ")).unwrap();
        assert!(said.contains(waits), "{said}");
    }
}

#[test]
fn without_swap_readahead_has_no_verdict() {
    let mut later = snapshot("6.1-noswap", 1001);
    for counter in ["swap_ra", "swap_ra_hit"] {
        count(&mut later, counter, 1000);
    }
    let text = shown(&[snapshot("6.1-noswap", 1000), later], 80, 24, "5").join("\n");
    assert!(text.contains("no swap is active"), "{text}");
    assert!(!text.contains("effective"), "{text}");
}

/// Memory of compressed data beyond its own size is a loss, and not a saving of zero.
#[test]
fn a_loss_by_compression_is_shown_as_one() {
    let mut snapshot = snapshot(MACHINES[1], 1000);
    let mut devices = snapshot.zram.reading.known().unwrap().clone();
    for device in &mut devices {
        let mut mm = device.mm.known().unwrap().clone();
        mm.mem_used = Bytes(52 << 20);
        device.mm = Reading::Known(mm);
    }
    snapshot.zram.reading = Reading::Known(devices).into();
    let text = shown(&[snapshot], 120, 40, "3").join("\n");
    assert!(text.contains("saved       -1.6M! - ratio 0.98 to 1"), "{text}");
}

/// A pane with a history also has the current figure: the line makes sense without the graph.
#[test]
fn a_figure_stands_beside_its_history() {
    for machines in [MACHINES, ["6.18-zswap-idle", "6.18-zswap-loaded"]] {
        for shown in SCREENS {
            let screen = Screen::machines(&machines, 160, 60).keys(&shown.number.to_string());
            for line in screen.app.state().unwrap().panes.iter().flat_map(|pane| &pane.lines) {
                let draws =
                    |piece: &Piece| matches!(piece.what, PieceContent::Chart(_, ChartPart::Line));
                let bare = line.pieces.iter().any(draws) && line.figures().next().is_none();
                assert!(!bare || line.plain().is_empty(), "{}: {}", shown.id, line.plain());
            }
        }
    }
}

/// The panes of paging have the same figures narrow and wide, each once.
#[test]
fn paging_says_nothing_twice() {
    let figures = |width| {
        let screen = Screen::machines(&MACHINES, width, 60).keys("5");
        let panes = screen.app.state().unwrap().panes.iter();
        let panes = panes.filter(|pane| ["readahead", "reclaim"].contains(&pane.info.id));
        let lines: Vec<_> = panes.flat_map(|pane| pane.lines.clone()).collect();
        let pieces = lines.iter().flat_map(swapadm::ui::content::PaneLine::figures);
        let mut figures: Vec<_> =
            pieces.filter_map(|piece| Some(piece.origin()?.info.id)).collect();
        figures.sort_unstable();
        figures
    };
    let mut once = figures(160);
    once.dedup();
    assert_eq!(once, figures(160));
    assert_eq!(once, figures(80));
}

/// Bars of use are scaled to the size, not to the maximum seen.
#[test]
fn bars_are_drawn_in_proportion_to_use() {
    for (keys, width, column, top) in
        [("2 j", 120, "used", "size"), ("3", 120, "memory", "disksize"), ("1", 160, "used", "size")]
    {
        let screen = Screen::machines(&MACHINES, width, 50).keys(keys);
        let mut seen = 0;
        for line in screen.app.state().unwrap().panes.iter().flat_map(|pane| &pane.lines) {
            let drawn = line.pieces.iter().find_map(|piece| match &piece.what {
                PieceContent::Chart(chart, ChartPart::Line) => Some(match chart.scale {
                    Scale::UpTo(top) => Some(top),
                    Scale::Round => None,
                }),
                _ => None,
            });
            let used = |origin: &&Origin| origin.info.id == column;
            let Some(origin) = line.figures().filter_map(Piece::origin).find(used) else {
                continue;
            };
            let Some(drawn) = drawn else { continue };
            let view = screen.app.moment().unwrap().view();
            let request = Request { columns: Some(top.to_owned()), ..Request::default() };
            let query = Query::new(tables::find(origin.table).unwrap(), &request).unwrap();
            let rows = query.rows(&view).into_result().unwrap();
            let row = rows.keys.iter().position(|key| key.plain() == origin.row).unwrap();
            assert_eq!(drawn, rows.value(row, top).unwrap().number(), "{keys}: {}", origin.row);
            seen += 1;
        }
        assert!(seen > 0, "{keys}");
    }
}

/// Advances a counter of `/proc/vmstat`.
pub(crate) fn count(snapshot: &mut Snapshot, name: &str, by: u64) {
    let text = serde_json::to_string(snapshot).unwrap();
    let (before, rest) = text.split_once(&format!("[\"{name}\",")).unwrap();
    let (number, after) = rest.split_once(']').unwrap();
    let number = number.parse::<u64>().unwrap() + by;
    *snapshot = serde_json::from_str(&format!("{before}[\"{name}\",{number}]{after}")).unwrap();
}

/// The name in the row with the largest value.
fn with_most(view: &SampleView<'_>, table: &str, name: &str, column: &str) -> String {
    let columns = Some(format!("{name},{column}"));
    let request = Request { columns, two_samples: true, ..Request::default() };
    let query = Query::new(tables::find(table).unwrap(), &request).unwrap();
    let rows = query.rows(view).into_result().unwrap();
    let value = |row: &usize| rows.value(*row, column).and_then(swapadm::columns::Value::number);
    let known = (0..rows.cells.len()).filter(|row| value(row).is_some());
    let most = known.max_by(|a, b| value(a).partial_cmp(&value(b)).unwrap()).unwrap();
    rows.text(most, name)
}

/// An area of an empty group has no share: the line says why, without a rest of the sentence.
#[test]
fn an_area_of_an_empty_group_has_no_share() {
    let text = Screen::machines(&["6.18-mixed-idle"; 2], 120, 40).keys("2").text().join("\n");
    assert!(text.contains("share  its group is empty"), "{text}");
    assert!(!text.contains("- even:"), "{text}");
}

/// A dash is a missing value, so it separates nothing beside one.
#[test]
fn figures_side_by_side_are_separated_by_commas() {
    let paging = Screen::machines(&MACHINES, 80, 24).keys("5").text().join("\n");
    assert!(paging.contains("- kswapd,      - direct"), "{paging}");
    let folios = Screen::machines(&["6.18-idle", "6.18-loaded"], 80, 30).keys("4").text();
    assert!(folios.join("\n").contains("0, partly unmapped 0"), "{folios:#?}");
}

/// Details and charts of folios name them by their size.
#[test]
fn rows_of_folios_are_named_by_their_size() {
    for (key, words) in [("d", "Large folios by size: 2M folios"), ("e", "2M folios")] {
        let screen = Screen::machines(&["6.18-idle", "6.18-loaded"], 120, 40);
        let text = screen.keys("4").keys(key).text().join("\n");
        assert!(text.contains(words) && !text.contains("size: 2097152"), "{key}: {text}");
    }
}

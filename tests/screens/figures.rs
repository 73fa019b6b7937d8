//! Every figure matches the command.

use crate::MACHINES;
use crate::common::screen::{Screen, snapshot};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::fmt::Write as _;
use swapadm::columns::{Query, Request, Style, tables};
use swapadm::derive::SampleView;
use swapadm::model::paging::Counters;
use swapadm::model::users::Process;
use swapadm::model::{Reading, Shared, Snapshot};
use swapadm::ui::hit::{HitTarget, PanePart};
use swapadm::ui::msg::Msg;
use swapadm::ui::screens::SCREENS;

/// Each figure on each screen matches the command for the same two snapshots.
#[test]
fn figures_match_the_commands() {
    for machines in [
        MACHINES,
        ["6.18-zswap-idle", "6.18-zswap-loaded"],
        ["6.1-idle", "6.1-loaded"],
        ["7.2-numa2-idle", "7.2-numa2-loaded"],
    ] {
        let snapshots: Vec<Snapshot> =
            (1000..).zip(machines).map(|(second, machine)| snapshot(machine, second)).collect();
        let view = SampleView { now: &snapshots[1], before: Some(&snapshots[0]) };
        let mut seen = 0;
        for shown in SCREENS {
            let mut screen = Screen::machines(&machines, 160, 60).keys(&shown.number.to_string());
            let buffer = screen.draw();
            for (area, target) in screen.hits.iter() {
                let Some((table, row, column)) = origin(&screen, *target) else { continue };
                let wanted = one_shot(&view, table, &row, column);
                let drawn = drawn(&buffer, *area);
                // A mark, a unit or punctuation may follow.
                let drawn =
                    drawn.trim().trim_end_matches(['!', ',', ';', ':', ')']).trim_end_matches("/s");
                // The end of a cut word is missing, and the middle of one that begins as a path does.
                let cut = drawn.split_once('…').filter(|(start, _)| !start.is_empty());
                let same = |word: &String| {
                    word == drawn
                        // Answers are words on a screen, and so are identifiers.
                        || matches!((word.as_str(), drawn), ("yes", "fits") | ("no", "does not fit"))
                        || word.replace('-', " ") == drawn
                        || matches!((word.as_str(), drawn), ("-", "?"))
                        // The cause of pressure is explained by its finding, in other words.
                        || row == "memory-pressure"
                        || matches!((word.as_str(), drawn), ("true" | "Y" | "1", "on"))
                        || matches!((word.as_str(), drawn), ("false" | "N" | "0", "off"))
                        || Some(word.as_str()) == drawn.strip_suffix('%')
                        || cut.is_some_and(|(start, end)| {
                            word.starts_with(start) && word.ends_with(end)
                        })
                };
                assert!(
                    wanted.iter().any(same),
                    "{} {table}.{column} of {row}: screen {drawn:?}, command {wanted:?}",
                    shown.id
                );
                seen += 1;
            }
        }
        assert!(seen > 150, "{machines:?}: only {seen} figures");
    }
}

fn origin(screen: &Screen, target: HitTarget) -> Option<(&'static str, String, &'static str)> {
    let panes = &screen.app.state()?.panes;
    match target {
        HitTarget::Pane(pane, PanePart::Figure(figure)) => {
            let pane = &panes[pane];
            let origin = pane.figures()[figure].origin()?.clone();
            Some((origin.table, origin.row, origin.info.id))
        }
        HitTarget::Pane(pane, PanePart::Cell { row, column }) => {
            let sheet = &panes[pane].sheets[panes[pane].sheet];
            let (place, _) = sheet.columns[column];
            Some((sheet.query.spec.name, sheet.name_of(row)?, sheet.rows()?.infos[place].id))
        }
        _ => None,
    }
}

/// The output of the command for this cell; several where rows have equal names.
pub(crate) fn one_shot(view: &SampleView<'_>, table: &str, row: &str, column: &str) -> Vec<String> {
    let spec = tables::find(table).unwrap();
    let columns = Some(column.to_owned());
    let request = Request { columns, all: true, two_samples: true, ..Request::default() };
    let rows = Query::new(spec, &request).unwrap().rows(view).into_result();
    let Ok(rows) = rows else { return vec!["-".to_owned()] };
    let record = spec.style == Style::Record;
    // Without this check a figure without a row would match any value.
    assert!(record || !row.is_empty(), "{table}.{column} is of no row");
    let named = |place: &usize| record || rows.keys[*place].plain() == row;
    let places = (0..rows.cells.len()).filter(named);
    places.map(|place| rows.text(place, column)).collect()
}

fn drawn(buffer: &Buffer, area: Rect) -> String {
    let mut words = String::new();
    for x in area.left()..area.right() {
        let _ = write!(words, "{}", buffer[(x, area.y)].symbol());
    }
    words
}

/// Findings have a pane of their own where there is room, and each one is explained.
#[test]
fn findings_are_shown_as_long_as_there_are_some_and_explained() {
    let mut healthy = Screen::machines(&["6.12-idle"; 2], 120, 40);
    assert!(!healthy.text().join("\n").contains("Findings"), "nothing is wrong there");
    let mut screen = Screen::machines(&["6.12-zswap-loaded"; 2], 120, 40);
    assert!(screen.text().join("\n").contains("─ Findings "));
    let is_there = |screen: &Screen| {
        let state = screen.app.state().unwrap();
        state.panes[state.focus].info.id == "findings"
    };
    for _ in 0..8 {
        if !is_there(&screen) {
            screen.press("Tab");
        }
    }
    assert!(is_there(&screen));
    screen.press("e");
    let text = screen.text().join("\n");
    assert!(text.contains("Finding: memory-pressure") && text.contains("memory_some"), "{text}");
    assert!(text.contains("swapadm advise --explain memory-pressure"), "{text}");
}

/// A recent finding stays for some seconds, and is explained as it was then.
#[test]
fn a_finding_gone_in_the_next_sample_is_still_explained() {
    let mut screen = Screen::machines(&["6.12-zswap-loaded"], 120, 40);
    let psi = snapshot("6.12-idle", 1001).psi;
    let later = Snapshot { psi, ..snapshot("6.12-zswap-loaded", 1001) };
    screen.send(Msg::Snapshots(vec![later]));
    assert!(screen.text().join("\n").contains("─ Findings "));
    while screen.app.pane_info().unwrap().id != "findings" {
        screen.press("Tab");
    }
    screen.press("e");
    let text = screen.text().join("\n");
    assert!(text.contains("Finding: memory-pressure") && text.contains("memory_some"), "{text}");
}

/// Where there is room for one line, it is the worst finding that other lines do not show.
#[test]
fn the_worst_finding_is_on_the_overview() {
    let mut screen = Screen::machines(&["6.1-mixed-loaded"; 2], 80, 24);
    let text = screen.text().join("\n");
    assert!(text.contains("finding          !  zram1 compresses poorly"), "{text}");
    // It is explained itself once it is selected; the cause of pressure is another figure.
    for _ in 0..20 {
        if !screen.app.is_on_finding() {
            screen.press("Right");
        }
    }
    screen.press("e");
    let page = screen.text().join("\n");
    assert!(page.contains("Finding: zram-ratio") && page.contains("zram1"), "{page}");
    screen.press("Esc");
    screen.app.settings.policy.zram_ratio_low = 1.0;
    screen.app.refresh();
    assert!(!screen.text().join("\n").contains("finding     "), "the threshold is another one");
}

/// The predicate of a finding is visible on a narrow terminal, however many areas it is about.
#[test]
fn a_finding_keeps_its_predicate_where_room_is_short() {
    for (width, height) in [(80, 24), (60, 16)] {
        let text = Screen::machines(&["7.2-numa4-loaded"; 2], width, height).text().join("\n");
        assert!(text.contains("/dev/zram0 and 4 others share a priority"), "{text}");
    }
}

#[test]
fn the_cause_of_pressure_is_explained_by_its_finding() {
    let mut screen = Screen::machines(&MACHINES[1..], 80, 24).keys("e");
    let text = screen.text().join("\n");
    assert!(text.contains("Finding: memory-pressure"), "{text}");
}

/// A part that was not read may be all that processes do not hold: its name is given, and no other.
#[test]
fn an_unread_rest_is_not_called_unexplained() {
    let now = snapshot("7.2-numa4-loaded", 0);
    let mut forked = now.clone();
    let mut users = now.processes.reading.known().unwrap().clone();
    let fork =
        |process: &Shared<Process>| Process { pid: process.pid + 4000, ..(**process).clone() };
    let forks: Vec<_> = users.processes.iter().map(|process| Shared::new(fork(process))).collect();
    users.processes = users.processes.iter().cloned().chain(forks).collect();
    forked.processes.reading = Reading::Known(users).into();
    for (now, why) in [(now, "tmpfs was not read"), (forked, "VmSwap is inexact, high after forks")]
    {
        let mut screen = Screen::recording("a machine", vec![now.clone()], 120, 40);
        let overview = screen.text().join("\n");
        let line = overview.lines().find(|line| line.contains("most swapped"));
        assert!(line.is_some_and(|line| line.contains(&format!("- {why}"))), "{line:?}");
        let users = screen.keys("6").text().join("\n");
        assert!(users.contains(&format!("- non-process use unknown ({why})")), "{users}");
        assert!(users.matches(why).count() == 2, "{users}");
        assert!(!users.contains("unexplained"), "{users}");
        let mut narrow = Screen::recording("a machine", vec![now], 80, 24).keys("6");
        let users = narrow.text().join("\n");
        assert!(users.contains("used - non-process use unknown"), "{users}");
    }
}

/// Processes are read less often than areas: what they had in swap then may be more than is used now.
#[test]
fn no_process_has_more_in_swap_than_is_used() {
    for (used, is_shown) in [(600 << 10, true), (4, false), (0, false)] {
        let mut now = snapshot("7.2-numa4-loaded", 0);
        let memory = vec![("SwapTotal".into(), 608 << 10), ("SwapFree".into(), (608 << 10) - used)];
        now.meminfo.reading = Reading::Known(Counters::new("/proc/meminfo", memory)).into();
        let mut screen = Screen::recording("a machine", vec![now], 120, 40);
        let shown = screen.text().join("\n");
        assert_eq!(shown.contains("most swapped"), is_shown, "{used}: {shown}");
    }
}

#[test]
fn an_unknown_state_has_its_reason_at_each_size() {
    for (width, height) in [(40, 10), (80, 24), (120, 40)] {
        let mut screen = Screen::machines(&["6.12-mixed-after-unlink"], width, height);
        let shown = screen.text().join("\n");
        assert!(shown.contains("State unknown: rates need two samples"), "{shown}");
    }
}

/// The number of all findings is shown, and the screen that lists them all.
#[test]
fn omitted_findings_are_counted() {
    let mut screen = Screen::machines(&["6.1-mixed-loaded"], 80, 24);
    let text = screen.text().join("\n");
    let line = text.lines().find(|line| line.contains("finding     ")).unwrap_or_default();
    assert!(line.contains("(3 more)"), "the first is one of four: {text}");
    let mut screen = Screen::machines(&["6.1-mixed-loaded"], 120, 37);
    let text = screen.text().join("\n");
    assert!(text.contains("─ Findings  1-2 of 4 "), "{text}");
    assert!(!text.contains("data on zram1 is incompressible"), "{text}");
    while screen.app.pane_info().unwrap().id != "findings" {
        screen.press("Tab");
    }
    screen.press("G");
    let text = screen.text().join("\n");
    assert!(text.contains("─ Findings  3-4 of 4 "), "{text}");
    assert!(text.contains("data on zram1 is incompressible"), "{text}");
    screen.press("e");
    let text = screen.text().join("\n");
    assert!(text.contains("Finding: zram-huge"), "what keys act on is in sight: {text}");
    screen.press("Esc g");
    assert!(screen.text().join("\n").contains("─ Findings  1-2 of 4 "));
}

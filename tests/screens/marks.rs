//! Marks, missing values, and values as people say them.

use crate::MACHINES;
use crate::changes::all;
use crate::common::screen::{Screen, snapshot};
use swapadm::model::{Reading, Sampled, Snapshot};
use swapadm::ui::msg::Msg;
use swapadm::ui::overlay::Overlay;

/// The machine under load, with all areas filled to this share.
fn filled(second: u64, percent: u64) -> Snapshot {
    let mut now = snapshot(MACHINES[1], second);
    let mut areas = now.swaps.reading.known().unwrap().clone();
    for area in &mut areas {
        area.used = Reading::Known(swapadm::model::Bytes(area.size.0 / 100 * percent));
    }
    now.swaps = Sampled::new(Some(now.stamp), Reading::Known(areas));
    now
}

/// The first line about an area on a screen.
fn area(mut screen: Screen, keys: &str) -> String {
    screen.press(keys);
    let lines = screen.text();
    let is_of_area = |line: &&String| line.contains("zram0") && line.contains('%');
    lines.iter().skip(3).find(is_of_area).unwrap_or_else(|| panic!("{lines:?}")).clone()
}

#[test]
fn a_full_area_is_no_alarm_while_others_have_room() {
    for keys in ["1", "2"] {
        let line = area(Screen::machines(&MACHINES, 80, 24), keys);
        assert!(line.contains("100%") && !line.contains('!'), "{keys}: {line}");
        for (percent, memory_low, mark) in
            [(97, 0.0, "97%! "), (97, 1.0, "97%!!"), (70, 1.0, "70%")]
        {
            let mut screen = Screen::new(80, 24);
            screen.app.settings.policy.memory_low = memory_low;
            screen.send(Msg::Snapshots(vec![filled(1000, percent)]));
            let line = area(screen, keys);
            assert!(line.contains(mark), "{keys}, {percent}: {line}");
            assert_eq!(line.contains('!'), mark.contains('!'), "{keys}, {percent}: {line}");
        }
    }
}

/// The words behind a label on a screen.
fn behind(screen: &mut Screen, label: &str) -> String {
    let lines = screen.text();
    let line =
        lines.iter().find(|line| line.contains(label)).unwrap_or_else(|| panic!("{lines:?}"));
    let rest = line.split_once(label).unwrap().1;
    rest.split_whitespace().next().unwrap_or_default().to_owned()
}

#[test]
fn what_is_unknown_differs_from_what_does_not_exist() {
    // One sample has no rates. Two samples without reclaim by kswapd have no share of it.
    let mut one = Screen::machines(&MACHINES[1..], 80, 24).keys("5");
    assert_eq!(behind(&mut one, "│ kswapd "), "?");
    let mut two = Screen::machines(&MACHINES, 80, 24).keys("5");
    assert_eq!(behind(&mut two, "│ kswapd "), "-");
    // Beside such values no dash separates anything.
    for (keys, labels) in
        [("4", ["- shared", "- since boot", "- failed"]), ("5", ["- readahead:"; 3])]
    {
        let text = all(&mut Screen::machines(&MACHINES, 120, 40).keys(keys));
        assert!(labels.iter().all(|label| !text.contains(label)), "{text}");
    }
}

#[test]
fn the_overview_counts_the_areas_that_it_leaves_out() {
    for (width, height) in [(80, 24), (60, 16), (40, 10)] {
        let mut screen = Screen::machines(&MACHINES, width, height);
        let text = all(&mut screen);
        let panes = &screen.app.state().unwrap().panes;
        let pane = panes.iter().find(|pane| pane.areas_left_out() > 0).unwrap();
        let shown = pane.visible_lines().iter().filter(|line| line.areas > 0).count();
        let left_out = pane.areas_left_out();
        assert_eq!(shown + left_out, screen.app.areas().len(), "{text}");
        assert!(text.contains(&format!("{left_out} more areas: key 2")), "{text}");
    }
}

/// The line with this name on the open page.
fn line(screen: &Screen, name: &str) -> String {
    let Some(Overlay::Page(page)) = screen.app.overlays.last() else { panic!("no page is open") };
    page.lines.iter().find(|line| line.name == name).unwrap().text.clone()
}

#[test]
fn a_row_is_named_by_its_size() {
    let screen = Screen::machines(&MACHINES, 80, 24).keys("4 e");
    let row = line(&screen, "Row");
    assert!(row.ends_with("K folios") || row.ends_with("M folios"), "{row}");
}

#[test]
fn settings_have_one_notation_for_on_and_off() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("5 Tab Tab / v m a _ r a Enter");
    let text = all(&mut screen);
    let row = text.lines().find(|line| line.contains("vma_ra_enabled")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert!(words.contains(&"on") && !words.contains(&"true"), "{row}");
    assert!(row.contains("on or off"), "{row}");
    // The explanation has the value as the kernel writes it.
    screen.press("l e");
    assert_eq!(line(&screen, "Value"), "on  (true)");
}

/// The averages of PSI fall for seconds after a load has ended: the state is normal then, and so is the figure.
#[test]
fn a_stall_that_has_ended_is_not_marked() {
    let stalled = |second, total_us| {
        let mut now = snapshot(MACHINES[1], second);
        let mut psi = now.psi.reading.known().unwrap().clone();
        let memory = psi.get_mut("memory").unwrap();
        let mut pressure = memory.known().unwrap().clone();
        for line in [&mut pressure.some, &mut pressure.full] {
            let mut known = *line.known().unwrap();
            (known.avg10, known.total_us) = (40.0, total_us);
            *line = Reading::Known(known);
        }
        *memory = Reading::Known(pressure);
        now.psi = Sampled::new(Some(now.stamp), Reading::Known(psi));
        now
    };
    for (after, is_marked) in [(900_000, true), (1, false)] {
        let mut screen = Screen::new(80, 24);
        screen.send(Msg::Snapshots(vec![stalled(1000, 0), stalled(1001, after)]));
        let text = all(&mut screen);
        assert!(text.contains("40%"), "{text}");
        assert_eq!(text.contains("40%!!"), is_marked, "{text}");
    }
}

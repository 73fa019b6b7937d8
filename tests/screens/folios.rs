//! Reasons for splits of large folios.

use crate::common::screen::{Screen, snapshot};
use swapadm::model::paging::Counters;
use swapadm::model::swaparea::AreaKind;
use swapadm::model::{Reading, Sampled, Snapshot};
use swapadm::ui::msg::Msg;

/// A machine with this many splits of each folio size, and with swap files only.
pub(crate) fn split(second: u64, split: u64) -> Snapshot {
    let mut machine = snapshot("6.18-mixed-loaded", second);
    let mut areas = machine.swaps.reading.known().unwrap().clone();
    areas.retain(|area| area.kind == AreaKind::File);
    machine.swaps = Sampled::new(machine.swaps.at, Reading::Known(areas));
    let mut thp = machine.thp.reading.known().unwrap().clone();
    let mut sizes = thp.sizes.known().unwrap().clone();
    let stats = vec![("swpout".into(), 30), ("swpout_fallback".into(), split)];
    let stats = Reading::Known(Counters::new("stats", stats));
    for size in &mut sizes {
        size.stats = stats.clone();
    }
    thp.sizes = Reading::Known(sizes);
    machine.thp = Sampled::new(machine.thp.at, Reading::Known(thp));
    machine
}

#[test]
fn the_obstacle_for_the_selected_size_is_shown() {
    // The current areas explain recent splits better than those since boot.
    let cases =
        [(vec![10], "(likely)."), (vec![10, 10], "(likely)."), (vec![10, 15], "(certain).")];
    for (counts, sure) in cases {
        for (width, height, keys) in [(80, 24, "4"), (120, 40, "4"), (60, 16, "4 Tab")] {
            let mut screen = Screen::new(width, height);
            for (second, count) in (1000..).zip(&counts) {
                screen.send(Msg::Snapshots(vec![split(second, *count)]));
            }
            let text = screen.keys(keys).text();
            let all = text.join("\n");
            assert!(all.contains("Cause of splits now: "), "{width}x{height}\n{all}");
            assert!(all.contains(sure), "all of it, {counts:?} {width}x{height}\n{all}");
        }
    }
}

/// The global setting applies only where a size inherits it.
#[test]
fn the_largest_size_is_enabled_where_its_own_setting_says_so() {
    let line = |machine: &str, what: &str| {
        let text = Screen::machines(&[machine], 120, 40).keys("4").text();
        text.into_iter().find(|line| line.contains(what)).unwrap_or_default()
    };
    let largest = line("7.2-thp-loaded", "largest    ");
    assert!(largest.contains("2M: never"), "{largest}");
    assert!(!largest.contains("always"), "{largest}");
    let shared = line("7.2-thp-loaded", "shared     ");
    assert!(shared.contains("never by global setting"), "it inherits that: {shared}");
    let old = line("6.1-thp-loaded", "largest    ");
    assert!(old.contains("2M: always"), "another algorithm is available: {old}");
}

#[test]
fn the_most_split_size_is_described_in_full() {
    let cases = [(vec![10], "since boot"), (vec![10, 10], "since boot"), (vec![10, 15], "now")];
    for (counts, when) in cases {
        for (width, height) in [(80, 24), (120, 40)] {
            let mut screen = Screen::new(width, height);
            for (second, count) in (1000..).zip(&counts) {
                screen.send(Msg::Snapshots(vec![split(second, *count)]));
            }
            let text = screen.keys("4").text();
            let line = text.into_iter().find(|line| line.contains("swap-outs were split"));
            let line = line.unwrap_or_default();
            assert!(line.contains(when) && !line.contains('…'), "{counts:?} {width}: {line}");
            assert_eq!(line.contains(&format!("{when} - cause: ")), width == 120, "{line}");
        }
    }
}

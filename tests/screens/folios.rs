//! Why large folios are split.

use crate::common::screen::{Screen, snapshot};
use swapadm::model::counters::Counters;
use swapadm::model::swaparea::AreaKind;
use swapadm::model::{Reading, Snapshot};
use swapadm::ui::msg::Msg;

/// A machine on which folios of each size were split, and swap files are alone.
fn split() -> Snapshot {
    let mut machine = snapshot("6.18-mixed-loaded", 1000);
    if let Reading::Known(areas) = &mut machine.swaps.reading {
        areas.retain(|area| area.kind == AreaKind::File);
    }
    if let Reading::Known(thp) = &mut machine.thp.reading
        && let Reading::Known(sizes) = &mut thp.sizes
    {
        let stats = vec![("swpout".into(), 30), ("swpout_fallback".into(), 10)];
        let stats = Counters::new("stats", stats);
        sizes.iter_mut().for_each(|size| size.stats = Reading::Known(stats.clone()));
    }
    machine
}

#[test]
fn what_stands_in_the_way_of_the_selected_size_is_said() {
    for (width, height, keys) in [(80, 24, "4"), (120, 40, "4"), (60, 16, "4 Tab")] {
        let mut screen = Screen::new(width, height);
        screen.send(Msg::Snapshots(vec![split()]));
        let text = screen.keys(keys).text();
        let all = text.join("\n");
        assert!(all.contains("In the way now: "), "{width}x{height}\n{all}");
        assert!(all.contains("(certain)."), "all of it, {width}x{height}\n{all}");
    }
}

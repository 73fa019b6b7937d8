//! The allocation order on the devices screen and in dialogs.

use crate::MACHINES;
use crate::changes::{off, proposal};
use crate::common::screen::{Screen, snapshot};
use swapadm::model::block::BlockKind;
use swapadm::model::{Bytes, Part, PartSet, Reading, Snapshot};
use swapadm::ui::change::{AnyProposal, ChangeProposal};
use swapadm::ui::content::PaneLine;
use swapadm::ui::msg::Msg;

/// A machine with empty areas.
fn empty(machine: &str) -> Snapshot {
    let mut snapshot = snapshot(machine, 1000);
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    for area in &mut areas {
        area.used = Reading::Known(Bytes(0));
    }
    snapshot.swaps.reading = Reading::Known(areas).into();
    snapshot
}

fn devices(snapshot: Snapshot, width: u16, height: u16) -> Screen {
    let mut screen = Screen::new(width, height);
    screen.send(Msg::Snapshots(vec![snapshot]));
    screen.keys("2")
}

fn with<'t>(text: &'t [String], words: &str) -> &'t str {
    text.iter().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {text:#?}"))
}

/// Whether this is the heading of the shares of areas; where there is room, with their unit.
fn is_head(line: &str) -> bool {
    line.contains(" NEXT ") || line.contains(" NEXT% ")
}

/// The line of an area below the heading of its share.
fn below(text: &[String], area: &str) -> String {
    let head = text.iter().position(|line| is_head(line)).unwrap();
    with(&text[head..], area).to_owned()
}

#[test]
fn the_share_of_next_pages_is_shown_for_each_area() {
    for (width, height, keys) in [(80, 24, ""), (120, 40, ""), (60, 16, "Tab")] {
        let text = devices(empty(MACHINES[0]), width, height).keys(keys).text();
        for area in ["/dev/zram0", "/dev/zram1"] {
            let line = below(&text, area);
            assert!(line.contains(" 50% "), "{width}x{height}: {line}");
        }
        with(&text, "later after priority 100");
        with(&text, "50% to zram0 and zram1 each");
    }
    let text = Screen::machines(&MACHINES, 80, 24).keys("2").text();
    assert!(below(&text, "/dev/zram0").contains(" full "), "{text:#?}");
    assert!(below(&text, "/dev/nvme0n1").contains(" 100% "), "{text:#?}");
}

#[test]
fn the_allocation_rules_and_their_traps_are_shown() {
    let text = Screen::machines(&["6.18-idle"], 80, 24).keys("2").text();
    with(&text, "round robin    per cluster; order per node");
    let text = Screen::machines(&["6.12-numa2-idle"], 120, 40).keys("2").text();
    with(&text, "round robin    per batch; allocation order per node (inferred from priorities)");
    for (width, height, keys) in [(80, 24, ""), (60, 16, "Tab"), (120, 40, "")] {
        let text = Screen::machines(&MACHINES, width, height).keys("2").keys(keys).text();
        with(&text, "! /dev/vda counts as rotational");
    }
    let quiet = Screen::machines(&["6.18-idle"], 80, 24).keys("2").text();
    assert!(!quiet.iter().any(|line| line.contains("counts-as")), "{quiet:#?}");
}

/// An area counts once with any number of nodes.
#[test]
fn areas_in_a_trap_are_counted_once() {
    let worst = |virtual_ones: usize| {
        let mut snapshot = snapshot("6.12-numa2-idle", 1000);
        let mut blocks = snapshot.block.reading.known().unwrap().clone();
        for (place, block) in blocks.iter_mut().enumerate().take(virtual_ones) {
            let mut disk = block.known().unwrap().clone();
            disk.name = format!("vd{place}");
            disk.kind = BlockKind::Disk;
            disk.disks = Reading::Known(vec!["vda".to_owned()]);
            disk.rotational = Reading::Known(true);
            *block = Reading::Known(disk);
        }
        snapshot.block.reading = Reading::Known(blocks).into();
        let text = devices(snapshot, 120, 40).text();
        below(&text, "/dev/nvme0n1");
        with(&text, "counts as rotational").to_owned()
    };
    assert!(!worst(1).contains(" more"), "{}", worst(1));
    assert!(worst(2).contains(" (and 1 more area)"), "{}", worst(2));
}

/// Only nodes with another order are named; areas may have equal names.
#[test]
fn areas_of_equal_name_are_distinguished() {
    let mut snapshot = empty(MACHINES[0]);
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    let place = |name: &str| areas.iter().position(|area| area.path.safe() == name).unwrap();
    let (full, other) = (place("/dev/zram0"), place("/dev/zram1"));
    areas[full].used = Reading::Known(areas[full].size);
    areas[other].path = areas[full].path.clone();
    snapshot.swaps.reading = Reading::Known(areas).into();
    let text = devices(snapshot, 120, 40).text();
    let head = text.iter().position(|line| is_head(line)).unwrap();
    let own: Vec<_> = text[head..].iter().filter(|line| line.contains("/dev/zram0 ")).collect();
    assert!(own.iter().all(|line| !line.contains(" nodes ")), "{own:#?}");
    assert!(own[0].contains(" full ") && own[1].contains(" 100% "), "{own:#?}");
}

/// The effect of a trap and its remedy are shown once, where there is room.
#[test]
fn a_trap_is_described_in_words() {
    let text = Screen::machines(&MACHINES, 160, 70).keys("2").text();
    let all: String = text.concat();
    assert_eq!(all.matches("is on a virtual disk").count(), 1, "{text:#?}");
    with(&text, "! vda is on a virtual disk");
    with(&text, ". swapfile and");
}

/// Nodes with different orders are distinguished.
#[test]
fn each_node_has_its_own_order() {
    let machines = ["6.12-numa2-idle", "6.12-numa2-loaded"];
    let text = Screen::machines(&machines, 80, 24).keys("2").text();
    assert!(below(&text, "/dev/nvme0n1").contains(" nodes "), "{text:#?}");
    let text = Screen::machines(&machines, 120, 40).keys("2").text();
    with(&text, "NODE PRIO AREA");
    for (node, area) in [("0", "/dev/nvme1n1"), ("1", "/dev/nvme0n1")] {
        let first = format!("{node}      -1 {area}    100%");
        with(&text, &first);
    }
    // A row of the second node also opens the details of the second node.
    let text = Screen::machines(&machines, 80, 60).keys("2 ] ] j j j Enter").text();
    with(&text, "│ NODE          1 ");
    with(&text, "│ EFFECTIVE     -1 ");
}

/// The details of an area show its metadata at any size of the terminal.
#[test]
fn the_details_of_an_area_show_its_metadata() {
    for keys in ["2 Enter", "2 ] ] Enter"] {
        for (width, height) in [(80, 24), (60, 16), (40, 10)] {
            let mut screen = Screen::machines(&MACHINES, width, height).keys(keys).keys("End");
            let text = screen.text().join("\n");
            let said = text.split("OFF-FITS").nth(1).is_some_and(|it| it.trim().starts_with("yes"));
            assert!(said, "{width}x{height} {keys}: {text}");
        }
    }
    // The complete data is read, though the table shows none of it.
    let screen = Screen::machines(&MACHINES, 60, 16).keys("2");
    let needs = screen.app.state().unwrap().panes[0].needs();
    let asked = PartSet::from_parts(&[Part::Meminfo, Part::Zram, Part::Allocator]);
    assert_eq!(needs.with(asked), needs);
}

/// Before a change the dialog shows where the next pages go.
#[test]
fn a_dialog_shows_where_the_next_pages_go() {
    let mut screen = crate::changes::devices(80, 24).keys("j j j a Enter");
    let next = Some("now nb0 and nvme0n1, half each; after it nb0".to_owned());
    let change = proposal(&off("/dev/nvme0n1"));
    let shown = AnyProposal::Change(ChangeProposal { change, next, inactive: Vec::new() });
    screen.send(Msg::Planned(screen.app.change.asked, Ok(Box::new(shown))));
    let text = screen.keys("G").text();
    with(&text, "next     pages: now nb0 and nvme0n1, half each; after it nb0");
}

/// With a screen reader the two shares have different names.
#[test]
fn the_share_of_next_pages_is_a_column() {
    let screen = devices(empty(MACHINES[0]), 80, 24);
    let spoken: Vec<String> =
        screen.app.state().unwrap().panes[1].lines.iter().map(PaneLine::spoken).collect();
    assert!(with(&spoken, "/dev/zram0").contains("NEXT% 50%, SHARE "), "{spoken:#?}");
}

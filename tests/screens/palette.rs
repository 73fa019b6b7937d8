//! The palette: what it finds, in which order, and what it does.

use crate::MACHINES;
use crate::changes::{all, foot, pending_request};
use crate::common::screen::{Screen, snapshot};
use std::collections::BTreeSet;
use swapadm::model::activation::Priority;
use swapadm::model::users::Process;
use swapadm::model::{Bytes, Name, Reading, Sampled, Shared};
use swapadm::ui::app::SourceKind;
use swapadm::ui::change::{ChangeRequest, Intent, Setting};
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::overlay::{MenuChoice, Overlay};
use swapadm::ui::screens::SCREENS;

/// The palette with this text.
fn palette(text: &str) -> Screen {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys(":");
    screen.send(Msg::Paste(text.to_owned()));
    screen
}

/// The names found for a text, best first.
fn names_for(text: &str) -> Vec<String> {
    let screen = palette(text);
    let Some(Overlay::Menu(menu)) = screen.app.overlays.last() else { panic!("no palette") };
    menu.matching_items().iter().map(|item| item.name.clone()).collect()
}

#[test]
fn what_people_look_for_is_found_first() {
    for (text, wanted) in [
        ("off", "off zram0"),
        ("off vda", "off vda"),
        ("disable nvme", "off nvme0n1"),
        ("priority zram1", "priority zram1"),
        ("swappiness", "swappiness"),
        ("swapp", "swappiness"),
        ("swapiness", "swappiness"),
        ("rebal", "rebalance"),
        ("rebalnce", "rebalance"),
        ("swap file", "swap file"),
        ("file create", "swap file"),
        ("zram swap", "zram swap"),
        ("page-cl", "page-cluster"),
        ("journal", "journal"),
        ("mthp", "mthp"),
        ("area vda", "area /dev/vda"),
        ("cgroup hog", "cgroup /hog"),
        ("glyphs", "set glyphs"),
        ("pressure", "finding memory-pressure"),
        ("export", "export"),
        ("csv", "save table as CSV"),
        ("copy table", "copy table"),
    ] {
        let names = names_for(text);
        assert_eq!(names.first().map(String::as_str), Some(wanted), "{text}: {names:?}");
    }
    let off = names_for("off");
    assert!(!off.iter().any(|name| name == "journal"), "{off:?}");
}

#[test]
fn an_action_takes_its_value_from_the_text() {
    let setting = Setting { knob: "swappiness".to_owned(), group: None };
    let priority =
        |number| Intent::Priorities(vec![(Name::from("/dev/zram0"), Priority::Set(number))]);
    let create = |size: &str| ChangeRequest::Command(format!("file create /swapfile {size} --on"));
    let cases: [(&str, ChangeRequest); 7] = [
        ("off zram0", Intent::Off(vec![Name::from("/dev/zram0")]).into()),
        ("priority zram0 100", priority(100).into()),
        ("prio zram0 7", priority(7).into()),
        ("swappiness 10", Intent::Set(vec![(setting, "10".to_owned())]).into()),
        ("swap file 4G", create("4G")),
        ("zram swap 2G", ChangeRequest::Command("zram swap --size 2G".to_owned())),
        ("undo 12 --force memory", ChangeRequest::Command("undo 12 --force memory".to_owned())),
    ];
    for (text, wanted) in cases {
        let screen = palette(text).keys("Enter");
        assert_eq!(*pending_request(&screen), wanted, "{text}");
    }
    // What it will do is said before.
    for (text, words) in [
        ("swappiness 10", "swappiness: 60 -> 10. Enter shows the plan."),
        ("priority zram0 7", "priority zram0: 100 -> 7. Enter shows the plan."),
        ("swappiness", "Enter asks for the value."),
        ("undo 12", "Enter shows the plan of: swapadm undo 12"),
    ] {
        let page = all(&mut palette(text));
        assert!(page.contains(words), "{text}: {page}");
    }
    // A wrong value stays in its line.
    let mut screen = palette("priority zram0 x").keys("Enter");
    let page = all(&mut screen);
    assert!(page.contains("Not set: ") && page.contains(" priority x"), "{page}");
    // Settings of the interface too.
    let mut screen = palette("set interval 2").keys("Enter");
    assert!(screen.text()[0].contains("live 2s"), "{}", screen.text()[0]);
}

#[test]
fn rows_are_shown_on_their_screens() {
    let mut screen = palette("area vda").keys("Enter");
    assert!(all(&mut screen).contains("[2 Devices]"));
    assert_eq!(screen.app.sheet().unwrap().row_name.as_deref(), Some("/dev/vda"));
    let mut screen = palette("cgroup hog").keys("Enter");
    assert!(all(&mut screen).contains("[cgroup /hog]"), "{}", all(&mut screen));
    let mut screen = palette("process 210").keys("Enter");
    assert!(all(&mut screen).contains("[process 210]"), "{}", all(&mut screen));
}

/// Everything is sampled while it is searched, and found as soon as it arrives.
#[test]
fn the_palette_lists_what_newer_samples_contain() {
    let mut screen = Screen::machines(&MACHINES[..1], 80, 24).keys(": o f f Space n b 0");
    let page = all(&mut screen);
    assert!(page.contains("> off nb0"), "{page}");
    let wants = screen.app.wants.all();
    for part in [swapadm::model::Part::Processes, swapadm::model::Part::Knobs] {
        assert!(wants.has(part), "{part:?}");
    }
    screen.send(Msg::Snapshots(vec![crate::common::screen::snapshot("6.18-noswap", 1001)]));
    let Some(Overlay::Menu(menu)) = screen.app.overlays.last() else { panic!("it stays open") };
    let names: Vec<&str> = menu.matching_items().iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["plan this command"]);
}

#[test]
fn a_recording_has_nothing_to_change() {
    let snapshots = (1000..).zip(MACHINES);
    let snapshots = snapshots.map(|(at, it)| crate::common::screen::snapshot(it, at)).collect();
    let screen = Screen::recording("swap.rec", snapshots, 80, 24).keys(": o f f");
    assert_eq!(screen.app.source.kind, SourceKind::Recording);
    let Some(Overlay::Menu(menu)) = screen.app.overlays.last() else { panic!("no palette") };
    assert!(menu.items.iter().all(|item| item.name != "off zram0" && item.name != "swappiness"));
}

/// A demonstration has no engine: nothing that needs one is offered, and each way to it gives one reason.
#[test]
fn a_demonstration_changes_nothing_and_says_so() {
    const WHY: &str = "a demonstration changes nothing";
    let demo = |mut screen: Screen| {
        screen.app.learn.sentence = Some("Look at this.");
        screen
    };
    let machine = || demo(Screen::machines(&MACHINES, 80, 24));
    let actions = all(&mut machine().keys("2 a"));
    assert!(actions.contains("disable  (unavailable)") && actions.contains(WHY), "{actions}");
    assert!(actions.contains("what-if: as it is") && !actions.contains("plan only"), "{actions}");
    assert!(!actions.contains("Enter show the plan"), "{actions}");
    for key in ["W", "u", "J", "S"] {
        let mut screen = machine().keys(key);
        assert!(foot(&mut screen).starts_with(WHY), "{key}: {}", foot(&mut screen));
    }
    let mut screen = machine().keys(": o f f");
    let Some(Overlay::Menu(menu)) = screen.app.overlays.last() else { panic!("no palette") };
    let offered = |name: &str| menu.items.iter().any(|item| item.name == name);
    assert!(!offered("off zram0") && !offered("plan this command"), "{}", all(&mut screen));
    let mut screen = demo(on_finding()).keys("Enter");
    assert!(all(&mut screen).contains("Meaning"), "{}", all(&mut screen));
    assert!(!screen.effects.iter().any(|effect| matches!(effect, Effect::Plan(..))));
}

/// The start screen with the focus on its worst finding that has a fix.
fn on_finding() -> Screen {
    let machine = "6.18-noswap";
    let mut screen = Screen::machines(&[machine, machine], 120, 40);
    // All memory counts as short: without swap that is a finding.
    screen.app.settings.policy.memory_low = 1.0;
    screen.app.refresh();
    for _ in 0..8 {
        if screen.app.is_on_finding() {
            return screen;
        }
        screen.press("Tab");
    }
    panic!("no finding: {}", all(&mut screen));
}

#[test]
fn a_finding_leads_to_its_plan_its_actions_and_its_command() {
    const FIX: &str = "swapadm zram swap --size 480M";
    let plan = || ChangeRequest::Command(FIX.trim_start_matches("swapadm ").to_owned());
    let mut screen = on_finding();
    let words = screen.text().last().unwrap().clone();
    assert!(words.contains("Enter plan") && words.contains("y copy command"), "{words}");
    screen.press("y");
    assert!(screen.effects.contains(&Effect::Copy(FIX.to_owned())), "{:?}", screen.effects);
    screen.press("Enter");
    assert_eq!(*pending_request(&screen), plan());
    let mut screen = on_finding().keys("a");
    let menu = all(&mut screen);
    assert!(
        menu.contains("> fix it") && menu.contains(FIX) && menu.contains("new swap file"),
        "{menu}"
    );
    screen.press("Enter");
    assert_eq!(*pending_request(&screen), plan());
    let mut screen = on_finding().keys("e");
    let page = all(&mut screen);
    assert!(page.contains("Meaning") && page.contains("Enter plan"), "{page}");
    screen.press("Enter");
    assert_eq!(*pending_request(&screen), plan());
    let mut screen = on_finding().keys("a Down Enter");
    assert!(all(&mut screen).contains("Meaning"), "{}", all(&mut screen));
    let screen = on_finding().keys("a Down Down Enter");
    assert!(screen.effects.contains(&Effect::Copy(FIX.to_owned())));
}

/// A finding without a fix says what to do, and leads to the row in which it is seen.
#[test]
fn a_finding_without_a_fix_leads_to_its_row() {
    let on_ratio = || {
        let mut screen = Screen::machines(&["6.1-mixed-loaded"; 2], 80, 24);
        for _ in 0..20 {
            if !screen.app.is_on_finding() {
                screen.press("Right");
            }
        }
        screen
    };
    let mut screen = on_ratio().keys("Enter");
    let page = all(&mut screen);
    assert!(page.contains("no command fixes it: see its meaning; Enter shows zram1"), "{page}");
    assert!(page.contains("Enter show it"), "{page}");
    let screen = screen.keys("Enter");
    assert_eq!(screen.app.shown().id, "compression");
    assert_eq!(screen.app.sheet().unwrap().row_name.as_deref(), Some("zram1"));
    let menu = all(&mut on_ratio().keys("a"));
    assert!(menu.contains("show zram1") && menu.contains("priority..."), "{menu}");
    let screen = on_ratio().keys("a Down Enter");
    assert_eq!(screen.app.shown().id, "compression");
}

/// The limit and the processes of the cgroup at its limit are one key from the finding.
#[test]
fn memory_pressure_leads_to_the_cgroup_at_its_limit() {
    let finding = || palette("finding memory").keys("Enter");
    let page = all(&mut finding());
    assert!(page.contains("a actions"), "{page}");
    let menu = all(&mut finding().keys("a"));
    assert!(menu.contains("memory limit...") && menu.contains("details"), "{menu}");
    let screen = finding().keys("y");
    let copied = |effect: &Effect| matches!(effect, Effect::Copy(text) if text.starts_with("swapadm set --cgroup /hog memory.max "));
    assert!(screen.effects.iter().any(copied), "{:?}", screen.effects);
    assert!(matches!(pending_request(&finding().keys("Enter")),
            ChangeRequest::Command(command) if command.starts_with("set --cgroup /hog memory.max ")));
}

#[test]
fn actions_of_processes_and_charts_are_found() {
    for text in ["bring back", "swapin"] {
        let names = names_for(text);
        assert!(names[0].starts_with("process swapin "), "{text}: {names:?}");
    }
    assert!(names_for("chart").contains(&"open".to_owned()), "{:?}", names_for("chart"));
}

/// A value that cannot be read is not a new one.
#[test]
fn an_unreadable_present_value_is_unknown() {
    let mut machine = snapshot("6.18-mixed-loaded", 1000);
    machine.knobs = Sampled::new(machine.knobs.at, Reading::Known(vec![]));
    let mut screen = Screen::new(80, 24);
    screen.send(Msg::Snapshots(vec![machine]));
    screen.press(":");
    screen.send(Msg::Paste("swappiness 10".to_owned()));
    let page = all(&mut screen);
    assert!(page.contains("swappiness: unknown -> 10"), "{page}");
}

#[test]
fn the_newest_key_without_a_meaning_is_named() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("x X");
    assert_eq!(foot(&mut screen), "X does nothing here: ? lists the keys");
    screen.press("j");
    assert_eq!(foot(&mut screen), "");
}

/// Each action of a row is in the palette: with the row, or for a process with its cgroup.
#[test]
fn every_action_of_a_row_is_found() {
    let mut missing = BTreeSet::new();
    for (machine, has_swap) in
        [("6.18-mixed-loaded", true), ("6.1-zram-writeback", true), ("6.1-thp-loaded", false)]
    {
        let mut now = snapshot(machine, 1000);
        if !has_swap {
            now.swaps = Sampled::new(now.swaps.at, Reading::Known(vec![]));
            let mut table = now.processes.reading.known().unwrap().clone();
            let empty =
                |it: &Shared<Process>| Process { swap: Reading::Known(Bytes(0)), ..(**it).clone() };
            table.processes = table.processes.iter().map(|it| Shared::new(empty(it))).collect();
            now.processes = Sampled::new(now.processes.at, Reading::Known(table));
        }
        let mut screen = Screen::new(160, 50);
        screen.send(Msg::Snapshots(vec![now]));
        screen.press(":");
        let items = |screen: &Screen| match screen.app.overlays.last() {
            Some(Overlay::Menu(menu)) => menu.items.clone(),
            _ => panic!("no list"),
        };
        let palette: Vec<MenuChoice> = items(&screen).into_iter().map(|it| it.choice).collect();
        screen.press("Esc");
        for shown in SCREENS {
            screen.press(&shown.number.to_string());
            let sheets =
                screen.app.state().unwrap().panes.iter().map(|pane| pane.sheets.len().max(1));
            for _ in 0..sheets.sum() {
                screen.press("* Home");
                let rows = screen.app.sheet().and_then(|sheet| sheet.rows());
                for _ in 0..rows.map_or(0, |rows| rows.keys.len()) {
                    let row = screen.app.sheet().and_then(|sheet| sheet.row_name.clone());
                    screen.press("a");
                    let lacks =
                        items(&screen).into_iter().filter(|it| !palette.contains(&it.choice));
                    missing.extend(lacks.map(|it| format!("{}: {} of {row:?}", shown.id, it.name)));
                    screen.press("Esc Down");
                }
                // The next table of the pane, or the next pane.
                let place = |screen: &Screen| screen.app.pane().map(|pane| pane.sheet);
                screen.press("]");
                if matches!(place(&screen), None | Some(0)) {
                    screen.press("Tab");
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

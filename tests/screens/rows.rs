//! Actions on rows, and their input.

use crate::MACHINES;
use crate::changes::{all, devices, pending_request};
use crate::common::screen::Screen;
use swapadm::actions::rebalance::Strategy;
use swapadm::change::zram::{ZramChange, ZramIntent};
use swapadm::ui::change::{ChangeRequest, Intent, Setting};
use swapadm::ui::msg::Msg;

#[test]
fn settings_are_given_values_and_defaults_from_their_rows() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("5 a");
    let menu = all(&mut screen);
    assert!(menu.contains("set...") && menu.contains("reset to default"), "{menu}");
    screen.press("Enter");
    assert!(all(&mut screen).contains("0 to 200"), "{}", all(&mut screen));
    screen.press("1 0 Enter");
    let setting = || Setting { knob: "swappiness".to_owned(), group: None };
    assert_eq!(*pending_request(&screen), Intent::Set(vec![(setting(), "10".to_owned())]).into());
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("5 a Down Enter");
    all(&mut screen);
    assert_eq!(*pending_request(&screen), Intent::Reset(vec![setting()]).into());
}

#[test]
fn processes_and_control_groups_are_limited_where_they_are_shown() {
    for keys in ["6 a", "6 ] Down Down a"] {
        let mut screen = Screen::machines(&MACHINES, 80, 24).keys(keys);
        let menu = all(&mut screen);
        assert!(menu.contains("swap limit..."), "{keys}: {menu}");
        assert!(!menu.contains("memory and swap limit"), "that is of version 1: {menu}");
        while !all(&mut screen).contains("> swap limit...") {
            screen.press("Down");
        }
        screen.press("Enter 1 G Enter");
        let ChangeRequest::Intent(Intent::Set(wanted)) = pending_request(&screen) else {
            panic!("{:?}", pending_request(&screen))
        };
        let [(setting, value)] = wanted.as_slice() else { panic!("{wanted:?}") };
        assert_eq!((setting.knob.as_str(), value.as_str()), ("memory.swap.max", "1G"));
        assert!(setting.group.is_some());
    }
}

#[test]
fn areas_are_rebalanced_from_their_rows() {
    // The threshold is the one by which the screens and advice judge groups.
    let spread = Strategy::Spread(0.35);
    // They are listed for machines without a selected area as well.
    for (start, name, strategy) in
        [("2", "faster areas first", Strategy::Tiered), ("1", "spread data evenly", spread)]
    {
        let mut screen = Screen::machines(&MACHINES, 80, 24).keys(start);
        screen.app.settings.policy.imbalance_warn = 0.35;
        screen.press("a");
        while !all(&mut screen).contains(&format!("> rebalance: {name}")) {
            screen.press("Down");
        }
        screen.press("Enter");
        assert_eq!(*pending_request(&screen), Intent::Rebalance(strategy).into());
    }
}

#[test]
fn zram_devices_are_changed_from_their_rows() {
    for keys in ["2", "3"] {
        let mut screen = Screen::machines(&MACHINES, 80, 24).keys(keys).keys("a");
        let menu = all(&mut screen);
        assert!(menu.contains("memory limit...") && menu.contains("new zram swap..."), "{menu}");
        assert!(!menu.contains("write back..."), "it has no backing device: {menu}");
        screen.press("Down Down Down Enter");
        let line = all(&mut screen);
        assert!(line.contains(" algorithm ") && line.contains("zstd"), "{line}");
        screen.press("Enter");
        assert!(all(&mut screen).contains("type a value"), "{}", all(&mut screen));
        screen.press("l z 4 Enter");
        let wish = ChangeRequest::Command("zram algorithm zram0 lz4".to_owned());
        assert_eq!(*pending_request(&screen), wish);
        // Invalid input stays in the line.
        let number = screen.app.change.asked;
        screen.send(Msg::Planned(number, Err("this kernel has no lz4".to_owned())));
        let page = screen.text();
        assert!(page[22].contains("Not set: this kernel has no lz4."), "{page:?}");
        assert!(page[23].starts_with(" algorithm lz4"), "{page:?}");
    }
}

#[test]
fn zram_actions_need_one_zram_row() {
    for keys in ["Down Down", "Space Space"] {
        let mut screen = devices(80, 24).keys(keys).keys("a");
        let menu = all(&mut screen);
        assert!(menu.contains("disable") && !menu.contains("compact"), "{menu}");
    }
    let mut screen = devices(80, 24).keys("a");
    screen.press("Down Down Down Down Down Enter");
    assert_eq!(
        *pending_request(&screen),
        Intent::Zram(ZramIntent::Device(0, ZramChange::Compact)).into()
    );
}

#[test]
fn pages_are_written_back_where_there_is_a_device_for_them() {
    let machine = "6.18-zram-writeback";
    let mut screen = Screen::machines(&[machine, machine], 80, 24).keys("3 a");
    let menu = all(&mut screen);
    assert!(menu.contains("mark as idle...") && menu.contains("write back..."), "{menu}");
}

#[test]
fn new_swap_on_zram_needs_a_size_and_no_row() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("1 a");
    assert!(all(&mut screen).contains("new zram swap..."), "{}", all(&mut screen));
    screen.press("Down Down Enter");
    assert!(all(&mut screen).contains("50% of memory, which is"), "{}", all(&mut screen));
    screen.press("2 G Enter");
    assert_eq!(*pending_request(&screen), ChangeRequest::Command("zram swap --size 2G".to_owned()));
}

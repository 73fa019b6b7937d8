//! Every key and every mouse action does what the list of commands says.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "the helpers of a test stop it, and most commands work at the start"
)]

use crate::common;

use common::screen::{Screen, styles, text};
use ratatui::crossterm::event::{KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use swapadm::ui::command::{COMMANDS, KeyPress, LessonCommand as L, UiCommand as C};
use swapadm::ui::hit::{HitTarget, PanePart};
use swapadm::ui::msg::Msg;

const MACHINES: [&str; 4] =
    ["6.18-mixed-idle", "6.18-mixed-idle", "6.18-mixed-idle", "6.18-mixed-loaded"];

/// Keys that lead to a state in which a command has an effect.
fn before(command: C) -> &'static str {
    match command {
        C::Filter | C::Tree | C::All | C::NextSheet | C::PreviousSheet => "6",
        C::Screen(0)
        | C::Explain
        | C::SortMenu
        | C::SortLeft
        | C::SortRight
        | C::Invert
        | C::Columns
        | C::Export
        | C::Tag
        | C::Down
        | C::Right
        | C::PageDown
        | C::Bottom
        | C::Open
        | C::Describe
        | C::Copy => "2",
        C::Up | C::PageUp | C::Top => "2 G",
        C::Left => "2 l",
        C::Untag => "2 Space",
        C::Back => "2 / m Enter",
        C::NextHit | C::PreviousHit => "2 / m Enter Esc",
        C::Later | C::MuchLater => "( (",
        C::Lesson(L::Predict | L::Hint | L::Answer | L::Leave) => "9 g Enter",
        C::Lesson(_) => "9 g Enter =",
        _ => "",
    }
}

/// The visible effects of a key.
fn after(start: &str, pressed: KeyPress) -> String {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys(start);
    screen.effects.clear();
    screen.send(Msg::Key(KeyEvent::new(pressed.0, pressed.1)));
    state(&mut screen)
}

fn state(screen: &mut Screen) -> String {
    let buffer = screen.draw();
    let text = [text(&buffer), styles(&buffer)].concat().join("\n");
    let request = screen.app.sheet().map(|sheet| sheet.request.clone());
    format!("{text}\n{request:?}\n{:?}\n{}", screen.effects, screen.app.mouse)
}

#[test]
fn every_key_does_something_and_all_keys_of_a_command_the_same() {
    for info in COMMANDS {
        let start = before(info.command);
        let mut untouched = Screen::machines(&MACHINES, 80, 24).keys(start);
        untouched.effects.clear();
        let untouched = state(&mut untouched);
        let first = after(start, info.keys[0]);
        assert_ne!(first, untouched, "{} after {start:?} changes nothing", info.name);
        for other in info.keys {
            assert_eq!(after(start, *other), first, "{}: {}", info.name, other.words());
        }
    }
}

/// Keys of changes on a source that cannot be changed: each says so.
#[test]
fn unavailable_keys_say_so() {
    for word in ["b", "0"] {
        let mut screen = Screen::machines(&MACHINES, 80, 24).keys(word);
        let foot = screen.text().last().unwrap().clone();
        assert_eq!(foot, format!(" {word} does nothing here: ? lists the keys"));
    }
}

/// As in every other input line.
#[test]
fn a_line_is_edited_with_the_usual_keys() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("6 / a b c ^h ^a x ^e y");
    let foot = screen.text().last().unwrap().clone();
    assert!(foot.starts_with(" filter xaby"), "{foot}");
    let mut list = Screen::machines(&MACHINES, 80, 24).keys("F2 ^d");
    let far = list.text();
    assert_eq!(Screen::machines(&MACHINES, 80, 24).keys("F2 PgDn").text(), far);
    list.press("^u");
    assert_eq!(Screen::machines(&MACHINES, 80, 24).keys("F2").text(), list.text());
}

fn mouse(screen: &mut Screen, kind: MouseEventKind, (column, row): (u16, u16)) {
    screen.draw();
    screen.send(Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
}

/// The position of the uppermost matching target.
fn place(screen: &mut Screen, wanted: impl Fn(HitTarget) -> bool) -> (u16, u16) {
    screen.draw();
    let hits = screen.hits.iter().filter(|(area, _)| area.width > 0 && area.height > 0);
    let places = hits.map(|(area, _)| (area.x, area.y)).collect::<Vec<_>>();
    let found = places.into_iter().find(|(x, y)| screen.hits.find(*x, *y).is_some_and(&wanted));
    found.unwrap()
}

const CLICK: MouseEventKind = MouseEventKind::Down(MouseButton::Left);

#[test]
fn the_wheel_scrolls_the_pane_that_it_points_at() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("2 Tab Tab");
    let focus = screen.app.state().unwrap().focus;
    let at =
        place(&mut screen, |target| matches!(target, HitTarget::Pane(0, PanePart::Cell { .. })));
    assert_ne!(focus, 0);
    mouse(&mut screen, MouseEventKind::ScrollDown, at);
    assert_eq!(screen.app.state().unwrap().focus, 0);
    assert_eq!(screen.app.sheet().unwrap().row, 3);
}

#[test]
fn a_click_outside_an_overlay_closes_it() {
    for keys in ["?", "e", ":", "F2", "2 d", "2 o"] {
        let mut screen = Screen::machines(&MACHINES, 120, 40).keys(keys);
        let on = place(&mut screen, |target| target == HitTarget::Overlay);
        mouse(&mut screen, CLICK, on);
        assert_eq!(screen.app.overlays.len(), 1, "{keys}");
        mouse(&mut screen, CLICK, (0, 0));
        assert!(screen.app.overlays.is_empty(), "{keys}");
    }
}

/// Also on a terminal with one pane at a time.
#[test]
fn the_way_to_other_panes_and_screens_can_be_clicked() {
    let mut screen = Screen::machines(&MACHINES, 40, 10);
    let next = place(&mut screen, |target| target == HitTarget::Command(C::NextPane));
    mouse(&mut screen, CLICK, next);
    assert_eq!(screen.app.state().unwrap().focus, 1);
    let more = place(&mut screen, |target| target == HitTarget::Command(C::Palette));
    mouse(&mut screen, CLICK, more);
    assert_eq!(screen.app.overlays.len(), 1);
}

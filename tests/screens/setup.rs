//! The page that sets up swap: its choices, its keys, and the plan behind it.

use crate::changes::{all, foot, off, proposal, shown};
use crate::common::Machine;
use crate::common::screen::Screen;
use crate::{MACHINES, SIZES};
use swapadm::change::setup::{MachineProfile, SetupRequest, observe, propose_setup};
use swapadm::root::Root;
use swapadm::ui::change::{ChangeRequest, Intent};
use swapadm::ui::msg::{Effect, Msg};

/// Answers the last request for a proposal from the captured machine.
fn answer(screen: &mut Screen) -> SetupRequest {
    let asked = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::ProposeSetup(number, request) => Some((*number, request.clone())),
        _ => None,
    });
    let (number, request) = asked.unwrap();
    let machine = Machine::shared(MACHINES[1]);
    let root = Root::at(machine.path()).unwrap();
    let proposed = propose_setup(&observe(&root), &request);
    let result = proposed.map(Box::new).map_err(|failure| failure.to_string());
    screen.send(Msg::SetupProposed(number, Box::new(request.clone()), result));
    request
}

pub(crate) fn opened(width: u16, height: u16) -> Screen {
    let mut screen = Screen::machines(&MACHINES, width, height).keys("S");
    assert_eq!(answer(&mut screen).with, []);
    screen
}

#[test]
fn the_page_shows_all_choices_and_the_reason_of_the_selected_one() {
    let mut screen = opened(120, 40);
    let text = all(&mut screen);
    for words in ["Set up swap", "compressed swap", "disk swap", "swappiness", "at boot", "p plan"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    screen.press("j");
    let text = all(&mut screen);
    assert!(
        text.contains("LRU inversion") && text.contains("other choice, --with compression=zram:"),
        "{text}"
    );
}

#[test]
fn it_opens_by_name_from_the_palette() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys(": s e t u p Enter");
    assert_eq!(answer(&mut screen).profile, None);
    assert!(all(&mut screen).contains("Set up swap"));
}

#[test]
fn keys_change_a_choice_and_everything_is_proposed_again() {
    let mut screen = opened(80, 24).keys("j l");
    let request = answer(&mut screen);
    assert_eq!(request.with.len(), 1);
    let first = request.with[0].1.clone();
    screen.press("l");
    let second = answer(&mut screen).with[0].1.clone();
    screen.press("l");
    let third = answer(&mut screen).with[0].1.clone();
    assert!(first != second && second != third && first != third, "{first} {second} {third}");
    screen.press("h");
    assert_eq!(answer(&mut screen).with[0].1, second);
    screen.press("k l");
    assert_eq!(answer(&mut screen).profile, Some(MachineProfile::Database));
    screen.press("y");
    let copied = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    let wanted = format!("swapadm setup --profile database --with compression={second}");
    assert_eq!(copied.as_deref(), Some(wanted.as_str()));
}

#[test]
fn a_typed_value_that_is_not_possible_is_explained() {
    let mut screen = opened(80, 24).keys("G k k Enter 9 9 9 Enter");
    answer(&mut screen);
    assert!(all(&mut screen).contains("use 0 to 200"), "{}", all(&mut screen));
    screen.press("Enter 4 2 Enter");
    answer(&mut screen);
    let text = all(&mut screen);
    assert!(text.contains("swappiness") && text.contains("42 (now"), "{text}");
}

#[test]
fn the_plan_follows_in_a_dialog_and_esc_returns_to_the_page() {
    let mut screen = opened(80, 24).keys("p");
    let asked = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::Plan(number, request, options) => Some((*number, request.clone(), options.persist)),
        _ => None,
    });
    let (number, request, persist) = asked.unwrap();
    assert!(matches!(request, ChangeRequest::Intent(Intent::Setup(_))) && persist);
    screen.send(Msg::Planned(number, Ok(shown(proposal(&off("/dev/zram0"))))));
    assert!(all(&mut screen).contains("swapoff"), "{}", all(&mut screen));
    screen.press("Esc");
    assert!(all(&mut screen).contains("Set up swap"));
    screen.press("Esc");
    assert!(!all(&mut screen).contains("Set up swap"));
}

#[test]
fn a_late_answer_opens_nothing() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("S Esc");
    answer(&mut screen);
    assert!(!all(&mut screen).contains("Set up swap"));
    assert_eq!(foot(&mut screen), "");
}

#[test]
fn the_selected_choice_and_its_reason_are_visible_at_every_size() {
    for (width, height) in SIZES {
        let mut screen = opened(width, height);
        for row in 0..10 {
            let text = all(&mut screen);
            assert!(text.contains("> "), "{width}x{height} row {row}: {text}");
            assert!(text.contains("Esc close"), "{width}x{height} row {row}: {text}");
            screen.press("j");
        }
        assert!(all(&mut screen).contains("> at boot"), "{width}x{height}: {}", all(&mut screen));
    }
}

//! Options in the dialog before a change, and input for changes of zram devices.

use crate::MACHINES;
use crate::changes::{ARM, all, carried_out, devices, foot, off, proposal, shown, with_plan};
use crate::common::screen::{Screen, snapshot};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Size;
use std::time::Duration;
use swapadm::actions::Step;
use swapadm::actions::check::CheckVerdict;
use swapadm::actions::limits::ChangeLimits;
use swapadm::change::Proposal;
use swapadm::model::{Bytes, Name, Reading, Sampled};
use swapadm::ui::change::{ExecutionOptions, Intent, Setting};
use swapadm::ui::hit::HitTarget;
use swapadm::ui::msg::{Effect, Msg};

/// A plan without warnings, with these options.
fn calm(options: ExecutionOptions) -> Proposal {
    let mut calm = proposal(&off("/dev/nvme0n1"));
    calm.checks.retain(|check| check.verdict < CheckVerdict::Warn);
    if options.persist {
        let (from, to) = (Some("a\nb\n".to_owned()), Some("a\n".to_owned()));
        calm.plan.steps.push(Step::Save { path: Name::from("/etc/fstab"), from, to });
        calm.costs.push(calm.costs[0]);
        calm.plan.title.push_str(", also at boot");
    }
    Proposal { options, ..calm }
}

fn answer(screen: &mut Screen, answer: Result<Proposal, String>) {
    let number = screen.app.change.asked;
    screen.send(Msg::Planned(number, answer.map(shown)));
}

/// The execution options of the last requested plan.
fn options(screen: &Screen) -> ExecutionOptions {
    let options = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::Plan(_, _, options) => Some(options.clone()),
        _ => None,
    });
    options.expect("a plan was asked for")
}

fn persistent() -> ExecutionOptions {
    ExecutionOptions { persist: true, ..ExecutionOptions::default() }
}

/// A plan that disables an area says what is left of swap while it grows, as far as that was measured.
#[test]
fn growth_is_weighed_before_an_area_is_disabled() {
    let shown_after = |seconds: u64, mib: u64| {
        let mut screen = Screen::new(120, 40);
        for second in 0..seconds {
            let mut now = snapshot(MACHINES[0], 1000 + second);
            let mut areas = now.swaps.reading.known().unwrap().clone();
            areas[0].used = Reading::Known(Bytes((second * mib) << 20));
            now.swaps = Sampled::new(Some(now.stamp), Reading::Known(areas));
            screen.send(Msg::Snapshots(vec![now]));
        }
        screen.press("2 a Enter");
        answer(&mut screen, Ok(calm(ExecutionOptions::default())));
        all(&mut screen)
    };
    let growing = shown_after(20, 1);
    assert!(growing.contains("swap grows by 1M/s: the "), "{growing}");
    assert!(
        growing.contains(" left are full in 9m24s, or in 8m19s if the 65M to move"),
        "{growing}"
    );
    // Two samples show no growth, and an area that is still used as before does not grow.
    for (seconds, mib) in [(2, 1), (20, 0)] {
        let flat = shown_after(seconds, mib);
        assert!(flat.contains("by hand") && !flat.contains("swap grows"), "{flat}");
    }
}

#[test]
fn a_persistent_change_is_planned_again_and_shown() {
    let mut screen = with_plan(ARM);
    assert!(all(&mut screen).contains("p at boot: no"), "{}", all(&mut screen));
    screen.press("p");
    assert_eq!(options(&screen), persistent());
    // The dialog stays open, and its old plan is no longer valid.
    screen.press("Tab Enter");
    assert!(!carried_out(&screen) && foot(&mut screen).contains("being updated"));
    answer(&mut screen, Ok(calm(persistent())));
    assert_eq!(screen.app.overlays.len(), 1);
    let page = all(&mut screen);
    assert!(page.contains("p at boot: yes") && page.contains("file   - b"), "{page}");
    assert!(page.contains("[ Cancel ]") && !page.contains("until reboot"), "{page}");
    screen.press("Tab Enter");
    let done = screen.effects.last().unwrap();
    assert!(matches!(done, Effect::CarryOut(it) if it.change.options.persist), "{done:?}");
    let mut screen = with_plan(ARM).keys("p");
    answer(&mut screen, Ok(calm(persistent())));
    screen.press("p");
    assert_eq!(options(&screen), ExecutionOptions::default(), "and back");
}

#[test]
fn a_change_that_cannot_persist_is_reported_in_the_dialog() {
    for size in crate::SIZES {
        let mut screen = with_plan(ARM);
        screen.send(Msg::Resize(Size::new(size.0, size.1)));
        screen.press("p");
        answer(&mut screen, Err("there is no file for it here, and none can be made".to_owned()));
        let page = all(&mut screen);
        assert!(page.contains("refused") && page.contains("there is no file"), "{page}");
        assert!(page.contains("( Run )"), "{size:?}: {page}");
        screen.press("Tab Enter");
        let done = screen.effects.last().unwrap();
        assert!(matches!(done, Effect::CarryOut(it) if !it.change.options.persist), "{done:?}");
    }
}

#[test]
fn limits_are_typed_above_the_dialog_and_kept_with_its_plan() {
    let mut screen = with_plan(ARM).keys("t");
    assert!(all(&mut screen).contains("time limit"), "{}", all(&mut screen));
    screen.press("x Enter");
    assert!(all(&mut screen).contains("\"x\" is not a time such as 90"), "{}", all(&mut screen));
    screen.press("^u Enter");
    assert!(all(&mut screen).contains("type a value"), "{}", all(&mut screen));
    screen.press("9 0 Enter");
    let limits = ChangeLimits { timeout: Some(Duration::from_secs(90)), ..ChangeLimits::default() };
    assert_eq!(options(&screen), ExecutionOptions { limits, ..ExecutionOptions::default() });
    let planned = calm(options(&screen));
    answer(&mut screen, Ok(planned));
    assert!(all(&mut screen).contains("t time: 90s"), "{}", all(&mut screen));
    screen.press("m 4 0 0 0 0 Enter");
    assert!(all(&mut screen).contains("a percentage from 0 to 100"), "{}", all(&mut screen));
    screen.press("^u 1 2 . 5 % Enter");
    let limits = ChangeLimits { max_psi: Some(12.5), ..limits };
    assert_eq!(options(&screen).limits, limits);
    let planned = calm(options(&screen));
    answer(&mut screen, Ok(planned));
    assert!(all(&mut screen).contains("m PSI: 12.5%"), "{}", all(&mut screen));
    screen.press("r 2 0 Enter");
    assert!(all(&mut screen).contains("--pace 20 must be below --max-psi"));
    screen.press("^u 5 Enter");
    let limits = ChangeLimits { pace: Some(5.0), ..limits };
    assert_eq!(options(&screen).limits, limits);
    let planned = calm(options(&screen));
    answer(&mut screen, Ok(planned));
    assert!(all(&mut screen).contains("r pause: 5%"), "{}", all(&mut screen));
    // Esc leaves the value unchanged, and an empty input removes it.
    screen.press("t Esc");
    assert!(all(&mut screen).contains("t time: 90s") && !screen.app.change.awaited);
    screen.press("t n o n e Enter");
    assert_eq!(options(&screen).limits, ChangeLimits { timeout: None, ..limits });
}

#[test]
fn a_plan_for_a_closed_dialog_opens_nothing() {
    for result in [Ok(calm(persistent())), Err("no".to_owned())] {
        let mut screen = with_plan(ARM).keys("p Esc");
        answer(&mut screen, result);
        assert!(screen.app.overlays.is_empty() && foot(&mut screen).is_empty());
    }
}

#[test]
fn only_applicable_options_are_offered() {
    let set = |can_last| {
        let step = Step::Set {
            what: "swappiness".to_owned(),
            file: Name::from("/proc/sys/vm/swappiness"),
            from: "60".to_owned(),
            to: "10".to_owned(),
        };
        let mut proposal = calm(ExecutionOptions::default());
        proposal.plan.steps = vec![step];
        let setting = Setting { knob: "swappiness".to_owned(), group: None };
        let intent = Intent::Set(vec![(setting, "10".to_owned())]);
        Proposal { intent, can_persist: can_last, ..proposal }
    };
    let mut screen = with_plan("");
    screen.press("Esc a Enter");
    answer(&mut screen, Ok(set(true)));
    let page = all(&mut screen);
    assert!(page.contains("p at boot: no") && !page.contains("t time"), "{page}");
    screen.press("t");
    assert!(foot(&mut screen).contains("t does nothing here"), "{}", foot(&mut screen));
    screen.press("Esc a Enter");
    answer(&mut screen, Ok(set(false)));
    let before = screen.effects.len();
    screen.press("p");
    assert!(!all(&mut screen).contains("at boot") && screen.effects.len() == before);
    // An existing state can be made persistent.
    let mut so = set(true);
    so.plan.steps.clear();
    screen.press("Esc a Enter");
    answer(&mut screen, Ok(so));
    assert!(all(&mut screen).contains("Nothing to do: already in effect."), "{}", all(&mut screen));
    screen.press("Tab Enter");
    assert!(!carried_out(&screen) && foot(&mut screen).contains("already in effect"));
    screen.press("p");
    assert_eq!(options(&screen), persistent());
}

/// At every size that allows confirming, the buttons are visible and complete.
#[test]
fn the_buttons_are_visible_at_every_size() {
    for (width, height) in [(120, 40), (80, 24), (60, 16), (46, 12), (40, 10), (30, 6)] {
        let limits = ChangeLimits {
            timeout: Some(Duration::from_secs(5_410)),
            max_psi: Some(12.5),
            ..ChangeLimits::default()
        };
        let mut screen = with_plan(ARM);
        screen.press("p");
        answer(&mut screen, Ok(calm(ExecutionOptions { limits, ..persistent() })));
        screen.send(Msg::Resize(Size::new(width, height)));
        let page = all(&mut screen);
        assert!(page.contains("[ Cancel ]  ( Run )"), "{width}x{height}\n{page}");
        let has_first = page.contains("1        disable") || page.contains("1      disable");
        assert!(has_first, "{width}x{height}\n{page}");
        if width >= 60 {
            assert!(page.contains("t time") && page.contains("12.5%"), "{page}");
        }
        // The same with an input line.
        let mut screen = devices(80, 24).keys(ARM).keys("a Enter");
        answer(&mut screen, Ok(proposal(&off("/dev/zram0"))));
        screen.send(Msg::Resize(Size::new(width, height)));
        let page = all(&mut screen);
        assert!(page.contains("( Cancel )  ( Run"), "{width}x{height}\n{page}");
        screen.press("S-Tab y");
        assert!(all(&mut screen).contains("[ Cancel ]"), "{}", all(&mut screen));
        assert!(page.contains("Type zram0") && page.contains("1        disable"), "{page}");
    }
}

#[test]
fn options_can_be_clicked() {
    let mut screen = with_plan(ARM);
    screen.draw();
    let (area, _) = *screen.hits.iter().find(|(_, it)| *it == HitTarget::Option('p')).unwrap();
    let (kind, modifiers) = (MouseEventKind::Down(MouseButton::Left), KeyModifiers::NONE);
    screen.send(Msg::Mouse(MouseEvent { kind, column: area.x, row: area.y, modifiers }));
    assert_eq!(options(&screen), persistent());
}

//! The ten usual jobs, from the start screen.

use crate::MACHINES;
use crate::changes::{all, pending_request};
use crate::common::screen::{Screen, snapshot};
use crate::folios::split;
use crate::learn::ChangingScreen;
use swapadm::actions::rebalance::Strategy;
use swapadm::change::SimulatedTarget;
use swapadm::cli::commands::change::MachineEngine;
use swapadm::cli::options::Environment;
use swapadm::derive::state::SwapState;
use swapadm::model::activation::Priority;
use swapadm::model::{Name, Reading, Sampled};
use swapadm::sim::describe::builtin_machine;
use swapadm::sim::machine::{MachineSetup, RunningMachine};
use swapadm::ui::app::SourceKind;
use swapadm::ui::change::{ChangeRequest, Intent, Setting};
use swapadm::ui::msg::Msg;

/// The most keys that a job may take.
const MOST: usize = 6;

/// The screen after these keys.
fn typed(keys: &str) -> Screen {
    let count = keys.split(' ').filter(|key| !key.is_empty()).count();
    assert!(count <= MOST, "{keys} are {count} keys");
    Screen::machines(&MACHINES, 80, 24).keys(keys)
}

#[track_caller]
fn requests(keys: &str, wanted: impl Into<ChangeRequest>) {
    assert_eq!(*pending_request(&typed(keys)), wanted.into(), "{keys}");
}

#[test]
fn each_usual_job_takes_at_most_six_keys() {
    // Who uses swap?
    let mut screen = typed("6");
    let rows = screen.app.sheet().unwrap().rows().unwrap().clone();
    let used: Vec<f64> =
        (0..rows.cells.len()).filter_map(|row| rows.value(row, "swap")?.number()).collect();
    assert!(!used.is_empty() && used.is_sorted_by(|a, b| a >= b), "the largest first: {used:?}");
    assert!(all(&mut screen).contains(&rows.text(0, "pid")), "{}", all(&mut screen));
    // Is it thrashing?
    let mut screen = typed("");
    let first = screen.text()[0].clone();
    let states = SwapState::ALL.into_iter().filter(|state| *state != SwapState::Unknown);
    let said = states.map(SwapState::word).filter(|words| first.contains(words)).count();
    assert_eq!(said, 1, "{first}");
    // Add a swap file.
    requests(
        ": s w Enter Enter",
        ChangeRequest::Command("file create /swapfile 960M --on".to_owned()),
    );
    // Make zram.
    requests(": z r Enter Enter", ChangeRequest::Command("zram swap --size 480M".to_owned()));
    // Change a priority.
    let area = Name::from("/dev/zram0");
    let priorities = Intent::Priorities(vec![(area.clone(), Priority::Set(5))]);
    requests("2 a Down Enter 5 Enter", priorities);
    // Rebalance.
    requests(": r e b Enter", Intent::Rebalance(Strategy::Tiered));
    // Disable an area.
    requests("2 a Enter", Intent::Off(vec![area]));
    // Set swappiness.
    let setting = Setting { knob: "swappiness".to_owned(), group: None };
    requests("5 a Enter 1 0 Enter", Intent::Set(vec![(setting, "10".to_owned())]));
    // Read the compression ratio of zram.
    let text = all(&mut typed("3"));
    assert!(text.contains("RATIO") && text.contains("zram0"), "{text}");
    // Find why folios are split.
    let mut screen = Screen::new(80, 24);
    for (second, count) in [(1000, 10), (1001, 15)] {
        screen.send(Msg::Snapshots(vec![split(second, count)]));
    }
    let text = all(&mut screen.keys("4"));
    assert!(text.contains("Cause of splits now: the next area is"), "{text}");
}

/// At most eight keys lead from the start screen to Done: six to the plan, and two that carry it out. These are W and
/// Enter, as the interface starts read-only. The model has no swappiness, and makes no swap file or zram device.
#[test]
fn each_change_is_done_after_two_more_keys() {
    for keys in ["2 a Down Enter 5 Enter", ": r e b Enter", "2 a Enter"] {
        assert!(keys.split(' ').count() <= MOST, "{keys}");
        let setup = builtin_machine("laptop").unwrap().unwrap();
        let mut setup = MachineSetup { load: None, ..setup };
        // The swap file comes before zram, so that there is something to rebalance.
        setup.areas[1].priority = Some(200);
        let machine = SimulatedTarget::new(RunningMachine::new(setup, None).unwrap());
        let mut screen = Screen::from_source(SourceKind::Simulated, "laptop", 80, 24);
        screen.send(Msg::Snapshots(vec![machine.next_sample()]));
        let engine = Some(MachineEngine::for_simulated(&machine, &Environment::default()));
        let mut screen = ChangingScreen { screen, engine };
        screen.press(keys);
        let page = screen.press("W Enter");
        assert!(page.contains("Done (journal 1"), "{keys}: {page}");
    }
}

/// Other changed settings stay below swappiness.
#[test]
fn the_keys_of_swappiness_set_no_other_setting() {
    let mut machine = snapshot("6.18-mixed-loaded", 1000);
    let mut knobs = machine.knobs.reading.known().unwrap().clone();
    let changed = knobs.iter_mut().find(|knob| knob.id == "page-cluster").unwrap();
    changed.value = Reading::Known("0".to_owned());
    machine.knobs = Sampled::new(machine.knobs.at, Reading::Known(knobs));
    let mut screen = Screen::new(80, 24);
    screen.send(Msg::Snapshots(vec![machine]));
    let setting = Setting { knob: "swappiness".to_owned(), group: None };
    let request = Intent::Set(vec![(setting, "10".to_owned())]);
    assert_eq!(*pending_request(&screen.keys("5 a Enter 1 0 Enter")), request.into());
}

/// Swap can be added where there is none, and the screen names the keys for it.
#[test]
fn swap_is_added_where_there_is_none() {
    let none = || Screen::machines(&["6.18-noswap", "6.18-noswap"], 80, 24);
    let page = all(&mut none());
    assert!(page.contains("a: new zram swap") && !page.contains("swapadm file create"), "{page}");
    let mut screen = none().keys("a");
    let menu = all(&mut screen);
    assert!(menu.contains("> new zram swap...") && menu.contains("new swap file..."), "{menu}");
    assert!(!menu.contains("rebalance"), "there is nothing to rebalance: {menu}");
    screen.press("Enter");
    let page = all(&mut screen);
    assert!(page.contains("Enter takes 480M, half of memory"), "{page}");
    screen.press("Enter");
    assert_eq!(
        *pending_request(&screen),
        ChangeRequest::Command("zram swap --size 480M".to_owned())
    );
    let created = |typed: &str| {
        let mut screen = none().keys("a Down Enter");
        screen.send(Msg::Paste(typed.to_owned()));
        screen.press("Enter");
        match pending_request(&screen) {
            ChangeRequest::Command(command) => command.clone(),
            other @ ChangeRequest::Intent(_) => panic!("{other:?}"),
        }
    };
    assert_eq!(created(""), "file create /swapfile 960M --on");
    assert_eq!(created("4G"), "file create /swapfile 4G --on");
    assert_eq!(
        created("/swap/file 4G --priority 5"),
        "file create /swap/file 4G --priority 5 --on"
    );
    assert_eq!(created("/swap/file"), "file create /swap/file 960M --on");
}

#[test]
fn a_prompt_shows_the_present_value() {
    for (keys, words) in [
        ("2 a Down Enter", "now 100; 0 to 32767"),
        ("5 a Enter", "now 60; 0 to 200"),
        ("2 a Down Down Enter", "now 64M; "),
        ("2 a Down Down Down Enter", "now zstd; "),
        ("2 Space Space Space a Down Enter", "now 100, 100, 50; "),
    ] {
        let page = all(&mut Screen::machines(&MACHINES, 80, 24).keys(keys));
        assert!(page.contains(words), "{keys}: {page}");
    }
}

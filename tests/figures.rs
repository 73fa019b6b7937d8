//! Every figure that a pane shows is a cell of a row that the pane asked for.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the helpers of a test stop it"
)]

mod common;

use common::screen::Screen;
use std::collections::BTreeSet;
use swapadm::ui::content::Line;
use swapadm::ui::msg::Msg;
use swapadm::ui::overlay::Overlay;

const MACHINES: [&str; 3] = ["6.1", "6.18-mixed", "7.2-zswap"];
const KEYS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "6 ]", "6 ] ]", "6 ] ] ]"];

#[test]
fn no_pane_shows_a_figure_that_it_did_not_ask_for() {
    let mut wrong = BTreeSet::new();
    for machine in MACHINES {
        let machines = [format!("{machine}-idle"), format!("{machine}-loaded")];
        let machines = machines.each_ref().map(String::as_str);
        for keys in KEYS {
            for (width, height) in [(80, 24), (120, 40)] {
                wrong.extend(not_asked_for(&Screen::machines(&machines, width, height).keys(keys)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn not_asked_for(screen: &Screen) -> Vec<String> {
    let panes = &screen.app.state().unwrap().panes;
    let figures = panes.iter().flat_map(|pane| &pane.lines).flat_map(Line::figures);
    let origins = figures.filter_map(|figure| figure.origin());
    let wrong = origins.filter(|origin| {
        let why = origin.value.missing().map(ToString::to_string);
        why.is_some_and(|why| why.contains("there is no such row"))
    });
    wrong.map(|origin| format!("{}: {}", origin.table, origin.info.id)).collect()
}

/// The explanation of a figure: the lines with their names.
fn explained(screen: &Screen) -> Vec<(String, String)> {
    match screen.app.overlays.last() {
        Some(Overlay::Page(page)) => {
            page.lines.iter().map(|line| (line.name.clone(), line.text.clone())).collect()
        }
        _ => panic!("nothing is explained"),
    }
}

fn line(explained: &[(String, String)], name: &str) -> String {
    explained.iter().find(|(line, _)| line == name).map(|(_, text)| text.clone()).unwrap()
}

/// Of a setting one asks for the value, rather than whether it was changed, and of a row that
/// stands somewhere by chance not for its name.
#[test]
fn keys_begin_with_a_value() {
    let loaded = ["6.18-mixed-idle", "6.18-mixed-loaded"];
    for (keys, wanted) in [("5", "value"), ("5 Tab Tab Tab Tab", "kind"), ("2", "priority")] {
        let screen = Screen::machines(&loaded, 120, 40).keys(keys);
        assert_eq!(screen.app.pane().unwrap().origin().unwrap().info.id, wanted, "{keys}");
    }
}

#[test]
fn an_explanation_names_the_file_of_the_row() {
    let loaded = ["6.18-mixed-idle", "6.18-mixed-loaded"];
    let source = |keys: &str| {
        let screen = Screen::machines(&loaded, 120, 40).keys(keys).keys("e");
        line(&explained(&screen), "From")
    };
    let screen = Screen::machines(&loaded, 120, 40).keys("5");
    let knob = screen.app.sheet().unwrap().row_name.clone().unwrap();
    assert_eq!(source("5"), format!("/proc/sys/vm/{knob}"));
    assert_eq!(source("5 Tab Tab Tab Tab"), "/proc/pressure/cpu");
    let screen = Screen::machines(&loaded, 120, 40).keys("6");
    let process = screen.app.sheet().unwrap().row_name.clone().unwrap();
    assert_eq!(source("6 h h h h h h h h l"), format!("/proc/{process}/status"));
}

/// Columns and lines that have no room, or were not asked for, can be explained all the same.
#[test]
fn the_palette_explains_what_is_not_drawn() {
    let loaded = ["6.18-mixed-idle", "6.18-mixed-loaded"];
    for (keys, name) in [("2", "UUID"), ("6", "SWAPMAP"), ("2 Tab", "NAMES of -2")] {
        let mut screen = Screen::machines(&loaded, 60, 16).keys(keys);
        let drawn = screen.text().join("\n");
        assert!(!drawn.contains(name), "{drawn}");
        screen.press(":");
        screen.send(Msg::Paste(format!("explain {name}")));
        screen.press("Enter");
        let Some(Overlay::Page(page)) = screen.app.overlays.last() else { panic!("{name}") };
        let head = name.split(' ').next().unwrap();
        assert!(page.title.starts_with(&format!("{head}: ")), "{}", page.title);
    }
}

/// A rate over half a minute is not what the command prints of a second.
#[test]
fn an_explanation_names_the_time_that_a_rate_is_of() {
    let mut machines = ["6.18-mixed-idle"; 40];
    machines[39] = "6.18-mixed-loaded";
    let mut screen = Screen::machines(&machines, 60, 16).keys("2 Tab");
    let figures = screen.app.pane().unwrap().figures();
    let growth = figures.iter().position(|figure| figure.origin().unwrap().info.id == "growth");
    screen.press(&"j ".repeat(growth.unwrap()));
    screen.press("e");
    let lines = explained(&screen);
    assert!(line(&lines, "Over").starts_with("the last 30s"), "{lines:?}");
    assert!(line(&lines, "Printed by").ends_with(" --interval 30"), "{lines:?}");
    let screen = Screen::machines(&machines, 120, 40).keys("2 e");
    assert!(!explained(&screen).iter().any(|(name, _)| name == "Over"));
}

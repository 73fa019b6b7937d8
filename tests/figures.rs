//! Every figure that a pane shows is a cell of a row that the pane asked for.

#![allow(clippy::unwrap_used, reason = "the helpers of a test stop it")]

mod common;

use common::screen::Screen;
use std::collections::BTreeSet;
use swapadm::ui::content::Line;

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

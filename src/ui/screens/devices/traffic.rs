//! What moves to and from each area.

use super::{SIZE, names, none, role};
use crate::columns::tables::devices::id as devices;
use crate::ui::content::{Flow, Line};
use crate::ui::pane_data::Facts;
use crate::ui::theme::Role;

/// The lines of the pane.
pub(super) fn lines(facts: &Facts<'_>) -> Vec<Line> {
    if facts.count("devices") == 0 {
        return none(facts, "devices");
    }
    let name = names(facts, devices::NAME);
    (0..facts.count("devices")).map(|row| flows(facts, name, row).goes(1)).collect()
}

/// What moves to and from one area.
fn flows(facts: &Facts<'_>, name: usize, row: usize) -> Line {
    let area = facts.figure(devices::NAME, row).as_role(role(facts, row));
    let line = Line::new().figure(area.wide(name).left());
    if facts.words(devices::KIND, row) == "file" {
        return line.text("I/O of a file is not counted", Role::Faint);
    }
    let key = facts.row_name("devices", row);
    [(Flow::In, devices::IN_RATE, Role::In), (Flow::Out, devices::OUT_RATE, Role::Out)]
        .into_iter()
        .fold(line, |line, (flow, column, role)| {
            let rate = facts.figure(column, row).as_role(role).wide(SIZE);
            let past = facts.track(column, &key);
            line.flow(flow, role).figure(rate).history(past, None, role)
        })
}

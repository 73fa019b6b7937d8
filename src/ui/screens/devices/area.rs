//! The area or priority that is selected.

use super::{SHARE, SIZE, recent, role};
use crate::ui::answers::Facts;
use crate::ui::content::{Line, Piece};
use crate::ui::theme::Role;

/// The lines of the pane.
pub(super) fn lines(facts: &Facts<'_>) -> Vec<Line> {
    let Some(name) = facts.selected else {
        return vec![Line::new().text("no area is selected", Role::Faint)];
    };
    if let Some(row) = facts.find("devices", name) {
        return area(facts, row);
    }
    facts.find("groups", name).map(|row| priority(facts, row)).unwrap_or_default()
}

/// Cells of the label of a line.
const LABEL: usize = 6;

fn area(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let mut lines = vec![title(facts, row)];
    lines.extend(courses(facts, row));
    let zram = facts.find("zram", &facts.words("devices", row, "device"));
    let zram = zram.filter(|_| facts.words("devices", row, "kind") == "zram");
    lines.extend(zram.into_iter().flat_map(|zram| memory(facts, zram)));
    lines.push(even(facts, row));
    lines.extend(times(facts, row));
    lines.extend(cost(facts, row));
    lines.extend(hardware(facts, row));
    lines
}

fn title(facts: &Facts<'_>, row: usize) -> Line {
    let figure = |column| facts.figure("devices", row, column);
    let line = Line::new().figure(figure("name").as_role(role(facts, row)).left());
    line.figure(figure("kind").left().drops(4))
        .fill()
        .figure(facts.judged("devices", row, "use").drops(3))
        .label("of")
        .drops(3)
        .figure(figure("size"))
}

/// How its use and its traffic went.
fn courses(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let name = facts.row_name("devices", row);
    let course = |label: &str, column: &'static str, top, role| {
        let figure = facts.figure("devices", row, column).as_role(role).wide(SIZE);
        let line = Line::new().cell(label, Role::Label, LABEL).figure(figure);
        line.history(facts.track("devices", &name, column), top, role)
    };
    let used = course("used", "used", facts.number("devices", row, "size"), role(facts, row));
    if facts.words("devices", row, "kind") == "file" {
        let on = facts.figure("devices", row, "device").left();
        let line = Line::new().cell("lies", Role::Label, LABEL).label("on").figure(on);
        return vec![used, line.text("I/O is not counted", Role::Faint).drops(3)];
    }
    let into = course("in/s", "in_rate", None, Role::In).goes(2);
    vec![used, into, course("out/s", "out_rate", None, Role::Out).goes(1)]
}

/// What the memory of a zram device buys.
fn memory(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let figure = |column| facts.figure("zram", row, column);
    let label = |text: &str| Line::new().cell(text, Role::Label, LABEL);
    let takes = label("memory").figure(figure("memory").wide(SIZE));
    let takes = takes.figure(facts.judged("zram", row, "memory_ratio").wide(SHARE).drops(2));
    let full = label("if full").figure(figure("when_full").wide(SIZE - 1));
    let full = match facts.number("zram", row, "limit") {
        Some(limit) if limit > 0.0 => full.label("limit").drops(2).figure(figure("limit").drops(2)),
        _ => full.text("no limit", Role::Faint).drops(2),
    };
    let algorithm = label("with").figure(figure("algorithm").wide(SIZE)).label("incompressible");
    vec![
        takes.label("to 1").drops(2),
        full.goes(3),
        algorithm.drops(2).figure(figure("huge").drops(2)).goes(6),
    ]
}

fn even(facts: &Facts<'_>, row: usize) -> Line {
    let figure = |column| facts.figure("devices", row, column);
    let line = Line::new().cell("even", Role::Label, LABEL).label("at");
    let line = line.figure(figure("ideal").wide(SIZE - 3)).label("share");
    line.figure(figure("share")).goes(4)
}

/// What it costs, and what would have to go where if it were switched off.
fn cost(facts: &Facts<'_>, row: usize) -> [Line; 2] {
    let row = facts.find("cost", &facts.row_name("devices", row)).unwrap_or(usize::MAX);
    let figure = |column| facts.figure("cost", row, column);
    let label = |text: &str| Line::new().cell(text, Role::Label, LABEL);
    let costs = label("costs").figure(figure("metadata").wide(SIZE)).label("full");
    let off = label("off").label("moves").figure(figure("off_moves")).label("fits");
    [costs.figure(figure("metadata_full")).goes(6), off.figure(figure("off_fits").left()).goes(6)]
}

fn times(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    if facts.words("devices", row, "kind") == "file" {
        return vec![];
    }
    let name = facts.row_name("devices", row);
    let figure = |column| recent(facts, &name, column);
    let waits = Line::new().cell("waits", Role::Label, LABEL).label("read");
    let waits = waits.figure(figure("read_wait")).label("write").figure(figure("write_wait"));
    let busy = Line::new().cell("busy", Role::Label, LABEL).figure(figure("busy").wide(SIZE));
    vec![waits.goes(5), busy.goes(8)]
}

fn hardware(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let figure = |column| facts.figure("devices", row, column);
    let traits = Line::new().label("rotates").figure(figure("rotational")).label("discards");
    let traits = traits.figure(figure("discard")).label("node").drops(2);
    let mut lines = vec![traits.figure(figure("node").drops(2)).goes(7)];
    for (label, column) in [
        ("part of", "parent"),
        ("model", "model"),
        ("label", "label"),
        ("scheduler", "scheduler"),
        ("file", "backing_file"),
        ("named", "dm_name"),
    ] {
        let known = facts.value("devices", row, column).is_some_and(|it| it.missing().is_none());
        let line = || Line::new().cell(label, Role::Label, 9).figure(figure(column).left());
        lines.extend(known.then(|| line().goes(9)));
    }
    lines
}

/// What is told of a priority when the table of priorities is shown.
fn priority(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let figure = |column| facts.figure("groups", row, column);
    let line = |label: &str, figure: Piece| {
        Line::new().cell(label, Role::Label, LABEL).figure(figure.wide(SIZE))
    };
    let title = Line::new().label("priority").figure(figure("priority")).figure(figure("turn"));
    vec![
        title,
        line("used", figure("used")).label("of").figure(figure("size")),
        line("grows", figure("growth")).label("/s"),
        line("skew", facts.judged("groups", row, "skew")).label("would have to move"),
        Line::new().figure(figure("names").left()).goes(1),
    ]
}

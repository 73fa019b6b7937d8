//! The pane of the selected area or priority group.

use super::cells::{SIZE, recent, role};
use crate::ui::screens::{
    ColumnId, Facts, Missing, PaneLine, Piece, Role, Scale, safe_text, units,
};
use crate::ui::table_query::ids::{cost, devices, groups, zram};

/// The lines of the pane.
pub(super) fn lines(facts: &Facts<'_>) -> Vec<PaneLine> {
    let Some(name) = facts.selected else {
        return vec![PaneLine::new().text("no area is selected", Role::Faint)];
    };
    if let Some(row) = facts.find("devices", name) {
        return area(facts, row);
    }
    facts.find("groups", name).map(|row| priority(facts, row)).unwrap_or_default()
}

/// Width of the label of a line.
const LABEL: usize = 6;

fn area(facts: &Facts<'_>, row: usize) -> Vec<PaneLine> {
    let mut lines = vec![title(facts, row)];
    lines.extend(courses(facts, row));
    let zram = facts.find("zram", &facts.words(devices::DEVICE, row));
    let zram = zram.filter(|_| facts.words(devices::KIND, row) == "zram");
    lines.extend(zram.into_iter().flat_map(|zram| memory(facts, zram)));
    lines.push(equal_share(facts, row));
    lines.extend(times(facts, row));
    lines.extend(cost(facts, row));
    lines.extend(hardware(facts, row));
    lines
}

fn title(facts: &Facts<'_>, row: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let line = PaneLine::new().figure(figure(devices::NAME).as_role(role(facts, row)).left());
    line.figure(figure(devices::KIND).left().drops(4))
        .fill()
        .figure(facts.judged(devices::USE, row).drops(3))
        .extra(3, "of")
        .figure(figure(devices::SIZE))
}

/// Use and traffic over time.
fn courses(facts: &Facts<'_>, row: usize) -> Vec<PaneLine> {
    let name = facts.row_name("devices", row);
    let course = |label: &str, column: ColumnId, scale, role| {
        let figure = facts.figure(column, row).as_role(role).wide(SIZE);
        let line = PaneLine::named(label, LABEL).figure(figure);
        line.history(facts.chart(column, &name, scale, role))
    };
    let size = Scale::up_to(facts.number(devices::SIZE, row));
    let used = course("used", devices::USED, size, role(facts, row));
    if facts.words(devices::KIND, row) == "file" {
        let on = facts.figure(devices::DEVICE, row).left();
        let line = PaneLine::named("file", LABEL).label("on").figure(on);
        return vec![used, line.text("I/O is not counted", Role::Faint).drops(3)];
    }
    let into = course("in/s", devices::IN_RATE, Scale::Round, Role::In).drops_line(2);
    vec![used, into, course("out/s", devices::OUT_RATE, Scale::Round, Role::Out).drops_line(1)]
}

/// Memory and compression of a zram device.
fn memory(facts: &Facts<'_>, row: usize) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, row);
    let label = |text: &str| PaneLine::named(text, LABEL);
    let memory = figure(zram::MEMORY);
    if memory.origin().is_some_and(|origin| origin.value.missing().is_some()) {
        return vec![label("memory").text("unknown", Role::Faint)];
    }
    let takes = label("memory").figure(memory.wide(SIZE));
    let takes = match facts.number(zram::MEMORY_RATIO, row) {
        Some(_) => takes.extra(2, "- ratio").figure(facts.judged(zram::MEMORY_RATIO, row).drops(2)),
        None => takes.text("- ratio unknown", Role::Faint).drops(2),
    };
    let full = match facts.number(zram::MEMORY_IF_FULL, row) {
        Some(_) => label("if full").figure(figure(zram::MEMORY_IF_FULL).wide(SIZE - 1)),
        None => label("if full").text("unknown", Role::Faint),
    };
    let full = match facts.number(zram::LIMIT, row) {
        Some(limit) if limit > 0.0 => full.extra(2, "- limit").figure(figure(zram::LIMIT).drops(2)),
        _ => full.text("- no limit", Role::Faint).drops(2),
    };
    let algorithm =
        label("alg").figure(figure(zram::ALGORITHM).wide(SIZE)).label("- incompressible");
    vec![
        takes,
        full.drops_line(3),
        algorithm.drops(2).figure(figure(zram::HUGE).drops(2)).drops_line(6),
    ]
}

fn equal_share(facts: &Facts<'_>, row: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let line = PaneLine::named("share", LABEL);
    if let Some(missing) = facts.missing(devices::SHARE, row) {
        let is_empty = matches!(missing, Missing::Absent(_));
        return line.label(if is_empty { "its group is empty" } else { "unknown" }).drops_line(4);
    }
    let line = line.figure(figure(devices::SHARE).wide(SIZE)).extra(2, "of its group");
    let line = line.extra(1, "- even:");
    line.figure(figure(devices::EQUAL_SHARE).drops(1)).drops_line(4)
}

/// Kernel memory of the area, and what swapoff would move and where.
fn cost(facts: &Facts<'_>, row: usize) -> [PaneLine; 2] {
    let row = facts.find("cost", &facts.row_name("devices", row)).unwrap_or(usize::MAX);
    let figure = |column| facts.figure(column, row);
    let label = |text: &str| PaneLine::named(text, LABEL);
    let costs = PaneLine::new().label("metadata").figure(figure(cost::METADATA));
    let costs = costs.extra(1, "- if full");
    let off = label("swapoff").figure(figure(cost::SWAPOFF_MOVES)).extra(1, "to move,");
    let fits = figure(cost::SWAPOFF_FITS).left();
    let words = if fits.words() == "yes" { "fits" } else { "does not fit" };
    [
        costs.figure(figure(cost::METADATA_FULL).drops(1)).drops_line(6),
        off.figure(fits.reworded(words)).drops_line(6),
    ]
}

fn times(facts: &Facts<'_>, row: usize) -> Vec<PaneLine> {
    if facts.words(devices::KIND, row) == "file" {
        return vec![];
    }
    let name = facts.row_name("devices", row);
    let figure = |column| recent(facts, &name, column);
    let busy = figure(devices::BUSY);
    if let Some(Missing::Absent(why)) = busy.origin().and_then(|origin| origin.value.missing()) {
        let line = PaneLine::named("wait", LABEL);
        return vec![line.text(safe_text(why), Role::Faint).drops_line(5)];
    }
    let wait = |line: PaneLine, column: ColumnId| {
        let wait = figure(column);
        match wait.origin().and_then(|origin| origin.value.missing()) {
            Some(Missing::Absent(_)) => line.label("none"),
            _ => line.figure(wait),
        }
    };
    let reads = wait(PaneLine::named("wait", LABEL), devices::READ_WAIT);
    let waits = wait(reads.label("r,"), devices::WRITE_WAIT).label("w");
    // The other figures of the pane are about the last interval only.
    let span = busy.origin().and_then(|origin| origin.span);
    let busy = PaneLine::named("busy", LABEL).figure(busy.wide(SIZE));
    let with_span = |line: PaneLine| match span {
        Some(span) => line.extra(1, format!("in {}", units::seconds(span))),
        None => line,
    };
    vec![with_span(waits).drops_line(5), with_span(busy).drops_line(8)]
}

fn hardware(facts: &Facts<'_>, row: usize) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, row);
    let traits = PaneLine::new()
        .label("rotational")
        .figure(figure(devices::ROTATIONAL).marked(","))
        .label("discards");
    let traits = traits.figure(figure(devices::DISCARD));
    let traits = match facts.number(devices::NODE, row) {
        Some(_) => traits.extra(2, "- node").figure(figure(devices::NODE).drops(2)),
        None => traits,
    };
    let mut lines = vec![traits.drops_line(7)];
    for (label, column) in [
        ("part of", devices::PARENT),
        ("model", devices::MODEL),
        ("label", devices::LABEL),
        ("scheduler", devices::SCHEDULER),
        ("file", devices::BACKING_FILE),
        ("dm name", devices::DM_NAME),
    ] {
        let known = facts.is_known(column, row);
        let line = || PaneLine::named(label, 9).figure(figure(column).left());
        lines.extend(known.then(|| line().drops_line(9)));
    }
    lines
}

/// The lines of a priority group, when the table of priorities is shown.
fn priority(facts: &Facts<'_>, row: usize) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, row);
    let line = |label: &str, figure: Piece| PaneLine::named(label, LABEL).figure(figure.wide(SIZE));
    let title = PaneLine::new()
        .label("priority")
        .figure(figure(groups::PRIORITY))
        .figure(figure(groups::STATE));
    vec![
        title,
        line("used", figure(groups::USED)).label("of").figure(figure(groups::SIZE)),
        line("grows", figure(groups::GROWTH)).label("/s"),
        line("uneven", facts.judged(groups::IMBALANCE, row)).label("of the group"),
        PaneLine::new().figure(figure(groups::NAMES).left()).drops_line(1),
    ]
}

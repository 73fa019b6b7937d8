//! The allocation order: which areas the next pages go to, by which rules, and the pitfalls.

use super::cells::{ASK, NEXT, NEXT_HEADING, PRIORITY, SIZE, names, none, role};
use crate::ui::screens::{ColumnId, Facts, PaneLine, Piece, Role, Value};
use crate::ui::table_query::ids::selection;
use crate::ui::thresholds;

const TABLE: &str = "selection";

/// Widths of headings.
const UNTIL: usize = "FULL-AFTER".len();
const BEGINS: usize = "STARTS-AFTER".len();
const OF_GROUP: usize = "GROUP%".len();
/// Width from which the rules of allocation are written out.
const WIDE: usize = 60;
/// Width of the number of a node.
const NODE: usize = 4;
/// Width of the slots before rotation.
const SLOTS: usize = 5;

/// The lines of the pane.
pub(super) fn lines(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.count(TABLE) == 0 {
        return none(facts, TABLE);
    }
    let name = names(facts, selection::NAME);
    let nodes = facts.words(selection::NODE, 0) != "all";
    let mut lines = vec![heading(name, nodes)];
    lines.extend((0..facts.count(TABLE)).map(|row| place(facts, name, nodes, row)));
    lines.extend(meanings(facts));
    let after = PaneLine::new().text("AFTER: data swapped out from now on, in all", Role::Faint);
    lines.push(after.drops(2).drops_line(9));
    let group =
        PaneLine::new().text("GROUP%: share of the pages that go to its priority", Role::Faint);
    lines.push(group.drops(3).drops_line(9));
    lines
}

/// The rules by which the kernel chooses areas, and the evidence for them.
pub(super) fn policy(facts: &Facts<'_>) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    let unit = figure(selection::ROTATION_UNIT).left().marked(";");
    let line = PaneLine::named("round robin", ASK).label("per").figure(unit);
    let order = if facts.width < WIDE { "order" } else { "allocation order" };
    let line = line.extra(1, order).figure(figure(selection::ALLOCATION_ORDER).left());
    let evidence = figure(selection::ORDER_EVIDENCE).left().drops(3);
    if !facts.is_known(selection::ORDER_EVIDENCE, 0) {
        return line.drops_line(2);
    }
    let line = match facts.words(selection::ORDER_EVIDENCE, 0).as_str() {
        "priorities" => line.extra(3, "(inferred from").figure(evidence.marked(")")),
        "types" => line.extra(3, "(known from").figure(evidence).extra(3, "in /sys/kernel/btf)"),
        "model" => line.extra(3, "(known from the").figure(evidence.marked(")")),
        _ => line.extra(3, "(known from").figure(evidence).extra(3, "of the kernel)"),
    };
    line.drops_line(2)
}

/// The first area with a pitfall that sends pages to the wrong area, and the number of other such areas.
/// Each node has a row for each area; a pitfall applies to all nodes and is counted once.
pub(super) fn worst(facts: &Facts<'_>) -> Option<PaneLine> {
    let is_wrong = |row: &usize| {
        items(facts, *row, selection::SEVERITY).first().is_some_and(|it| it == "warn")
    };
    let wrong: Vec<usize> = (0..facts.count(TABLE)).filter(is_wrong).collect();
    let row = *wrong.first()?;
    let figure = |column| facts.figure(column, row).left();
    let line = PaneLine::new()
        .text(thresholds::mark(Role::Warn), Role::Warn)
        .figure(figure(selection::NAME));
    let line = line.figure(figure(selection::PITFALLS).as_words().as_role(Role::Warn));
    let more = wrong.iter().skip(1).filter(|other| same_node(facts, row, **other)).count();
    Some(match more {
        0 => line,
        1 => line.extra(4, "(and 1 more area)"),
        more => line.extra(4, format!("(and {more} more areas)")),
    })
}

/// The items of a cell that holds a list.
fn items<'f>(facts: &'f Facts<'_>, row: usize, column: ColumnId) -> &'f [String] {
    match facts.value(column, row) {
        Some(Value::List(items)) => items,
        _ => &[],
    }
}

fn same_node(facts: &Facts<'_>, row: usize, other: usize) -> bool {
    facts.value(selection::NODE, row) == facts.value(selection::NODE, other)
}

/// The share of the next pages that an area gets, or its state; the word "nodes" where nodes differ.
pub(super) fn share(facts: &Facts<'_>, line: PaneLine, device: usize) -> PaneLine {
    let rows = rows_of(facts, device);
    let said = |row: &usize| {
        [selection::NEXT_SHARE, selection::STATE].map(|column| facts.value(column, *row))
    };
    let differ = rows.windows(2).any(|pair| matches!(pair, [a, b] if said(a) != said(b)));
    if differ {
        return line.cell("nodes", Role::Label, NEXT);
    }
    shown(facts, line, rows.first().copied().unwrap_or(usize::MAX))
}

/// The share of the next pages that goes to an area, or the node whose pages go there; none if it gets none.
pub(in crate::ui::screens) fn next_share(facts: &Facts<'_>, device: usize) -> Option<Piece> {
    let is_filled = |row: &usize| facts.words(selection::STATE, *row) == "fills";
    let rows = rows_of(facts, device);
    let mut filled = rows.iter().copied().filter(is_filled);
    let row = filled.next()?;
    let share = facts.figure(selection::NEXT_SHARE, row);
    if rows.len() == 1 + filled.clone().count() {
        return Some(share);
    }
    Some(share.reworded(&match filled.next() {
        None => format!("node{}", facts.words(selection::NODE, row)),
        Some(_) => "nodes".to_owned(),
    }))
}

/// The rows of an area, one for each node. Areas of one name are matched by their order, which is the
/// same in both tables.
fn rows_of(facts: &Facts<'_>, device: usize) -> Vec<usize> {
    let name = facts.row_name("devices", device);
    let before = (0..device).filter(|row| facts.row_name("devices", *row) == name).count();
    let named: Vec<usize> =
        (0..facts.count(TABLE)).filter(|row| facts.row_name(TABLE, *row) == name).collect();
    let is_own = |row: &usize| {
        let others = named.iter().take_while(|other| *other < row);
        others.filter(|other| same_node(facts, *row, **other)).count() == before
    };
    named.iter().copied().filter(is_own).collect()
}

/// The share of a row, or its state.
fn shown(facts: &Facts<'_>, line: PaneLine, row: usize) -> PaneLine {
    let fills = facts.words(selection::STATE, row) == "fills";
    let figure =
        facts.figure(if fills { selection::NEXT_SHARE } else { selection::STATE }, row).wide(NEXT);
    let figure = if fills { figure } else { figure.as_role(Role::Label) };
    line.figure(Piece { right: true, ..figure })
}

fn heading(name: usize, nodes: bool) -> PaneLine {
    let right = |text: &str, cells: usize| format!("{text:>cells$}");
    let line = if nodes { PaneLine::new().label("NODE").min_width(NODE) } else { PaneLine::new() };
    let line = line.label(right("PRIO", PRIORITY)).label("AREA").min_width(name);
    let line = line.label(right(NEXT_HEADING, NEXT)).extra(3, right("GROUP%", OF_GROUP));
    let line = line.extra(6, right("SLOTS", SLOTS)).extra(5, right("FREE", SIZE));
    let line = line.extra(4, right("STARTS-AFTER", BEGINS));
    line.extra(2, right("FULL-AFTER", UNTIL))
}

/// One area in the order of a node. In a low pane, full areas are dropped first, then waiting ones.
fn place(facts: &Facts<'_>, name: usize, nodes: bool, row: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let device = facts.find("devices", &facts.row_name(TABLE, row)).unwrap_or(usize::MAX);
    let line = if nodes {
        PaneLine::new().figure(figure(selection::NODE).wide(NODE))
    } else {
        PaneLine::new()
    };
    let line = line.figure(figure(selection::EFFECTIVE).wide(PRIORITY));
    let line =
        line.figure(figure(selection::NAME).as_role(role(facts, device)).exactly(name).left());
    let line =
        shown(facts, line, row).figure(figure(selection::GROUP_SHARE).wide(OF_GROUP).drops(3));
    let line = line.figure(figure(selection::ROTATION_SLOTS).wide(SLOTS).drops(6));
    let line = line.figure(figure(selection::FREE).wide(SIZE).drops(5));
    let line = line.figure(figure(selection::STARTS_AFTER).wide(BEGINS).drops(4));
    let line = line.figure(figure(selection::FULL_AFTER).wide(UNTIL).drops(2));
    line.drops_line(match facts.words(selection::STATE, row).as_str() {
        "full" | "drain" => 4,
        "later" => 3,
        _ => 1,
    })
}

/// The explanation of each pitfall, once.
fn meanings(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut told: Vec<(&str, &str)> = Vec::new();
    for row in 0..facts.count(TABLE) {
        let meanings = items(facts, row, selection::EXPLANATION).iter().zip(items(
            facts,
            row,
            selection::SEVERITY,
        ));
        for (meaning, severity) in meanings {
            if !told.iter().any(|(other, _)| other == meaning) {
                told.push((meaning, severity));
            }
        }
    }
    let line = |(meaning, severity): &(&str, &str)| {
        let warns = *severity == "warn";
        let (mark, role) = if warns { ("! ", Role::Warn) } else { (". ", Role::Label) };
        facts.wrapped(&format!("{mark}{meaning}"), role)
    };
    told.iter().flat_map(line).map(|line| line.drops_line(5)).collect()
}

//! The balance pane: how evenly priority groups are used, and which area fills.

use super::cells::{ASK, NAME, NEXT, PRIORITY, SHARE, SIZE, names, none, role};
use super::next;
use crate::derive::balance::BalanceVerdict;
use crate::ui::screens::{ColumnId, Facts, Missing, PaneLine, Role, Scale};
use crate::ui::table_query::ids::{devices, groups};

/// Minimum width of a bar: the width of its heading.
const BAR: usize = OF_PRIORITY.of.len();
/// Minimum width of the history of an area; narrow screens have none.
const COURSE: usize = 20;

/// The lines of the pane.
pub(super) fn lines(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.count("groups") == 0 {
        return none(facts, "groups");
    }
    let bars = bars(facts);
    let mut lines = vec![fastest(facts), imbalance(facts), next::policy(facts)];
    lines.extend(next::worst(facts));
    lines.push(heading(&bars));
    for group in 0..facts.count("groups") {
        lines.extend(members(facts, &bars, group));
    }
    lines
}

/// The area that fills fastest, if any is filling. An area without room fills no more.
pub(in crate::ui::screens) fn fills_fastest(facts: &Facts<'_>) -> Option<usize> {
    let grows = |row: &usize| {
        facts.number(devices::GROWING, *row) == Some(1.0) && facts.is_known(devices::FULL_IN, *row)
    };
    let rows = (0..facts.count("devices")).filter(grows);
    facts.largest(devices::GROWTH, rows).map(|(row, _)| row)
}

/// The words shown while no area is filling.
pub(in crate::ui::screens) fn none_fills(facts: &Facts<'_>) -> &'static str {
    let unknown =
        (0..facts.count("devices")).find_map(|row| facts.value(devices::GROWING, row)?.missing());
    match unknown {
        Some(Missing::OneSample) => "needs two samples",
        Some(Missing::FewSamples(_)) => "not known yet (needs 10 s)",
        Some(_) => "unknown",
        None => "no area is growing",
    }
}

fn fastest(facts: &Facts<'_>) -> PaneLine {
    let line = PaneLine::named("fills fastest", ASK);
    let Some(row) = fills_fastest(facts) else {
        return line.text(none_fills(facts), Role::Text);
    };
    let figure = |column| facts.figure(column, row);
    let line =
        line.figure(figure(devices::NAME).left()).figure(figure(devices::GROWTH).marked("/s"));
    line.extra(2, "- full in").figure(figure(devices::FULL_IN).drops(2))
}

/// The priority group of an area.
fn group_of(facts: &Facts<'_>, row: usize) -> Option<usize> {
    let priority = facts.value(devices::PRIORITY, row)?;
    let same = |group: &usize| facts.value(groups::PRIORITY, *group) == Some(priority);
    (0..facts.count("groups")).find(same)
}

/// The least even group: an uneven one, if there is one. The imbalance of a hardly used group may be larger.
pub(in crate::ui::screens) fn least_even(facts: &Facts<'_>) -> Option<usize> {
    let all = || 0..facts.count("groups");
    let is_uneven =
        |row: &usize| facts.words(groups::BALANCE, *row) == BalanceVerdict::Uneven.word();
    let uneven = facts.largest(groups::IMBALANCE, all().filter(is_uneven));
    uneven.or_else(|| facts.largest(groups::IMBALANCE, all())).map(|(row, _)| row)
}

/// The imbalance of the least even group.
fn imbalance(facts: &Facts<'_>) -> PaneLine {
    let shared = |row| facts.number(groups::AREAS, row) > Some(1.0);
    let line = PaneLine::named("imbalance", ASK);
    if !(0..facts.count("groups")).any(shared) {
        return line.text(unshared(facts), Role::Text);
    }
    let Some(row) = least_even(facts) else {
        return line.text("too little data in swap to tell", Role::Text);
    };
    let skew = facts.judged(groups::IMBALANCE, row);
    let words = facts.figure(groups::BALANCE, row).left().as_role(skew.role);
    let line = line.figure(skew).label("in priority");
    let line = line.figure(facts.figure(groups::PRIORITY, row).marked(":")).figure(words);
    match facts.count("groups") {
        1 => line,
        all => line.extra(2, format!("({all} groups fill one by one)")),
    }
}

/// Whether the order of the areas depends on the node.
pub(in crate::ui::screens) fn fills_by_node(facts: &Facts<'_>) -> bool {
    (0..facts.count("groups")).any(|row| facts.words(groups::STATE, row) == "-")
}

/// The words shown where no two areas share a priority.
fn unshared(facts: &Facts<'_>) -> &'static str {
    match facts.count("groups") {
        1 => "only one area",
        _ if fills_by_node(facts) => "nodes fill their own areas first",
        _ => "areas fill one by one",
    }
}

/// The kind of bars of areas.
struct Bars {
    /// The column of the share.
    column: ColumnId,
    /// The heading of that column.
    head: &'static str,
    /// The heading above the bars.
    of: &'static str,
    /// Width of the names before the bars.
    name: usize,
}

/// The bars where areas share a priority: the share of the group.
const OF_PRIORITY: Bars = Bars { column: devices::SHARE, head: "SHARE", of: "OF USED", name: NAME };
/// The bars where all priorities differ: the used part of the size.
const OF_SIZE: Bars = Bars { column: devices::USE, head: "USE%", of: "OF SIZE", name: NAME };

fn bars(facts: &Facts<'_>) -> Bars {
    let shared = |row| facts.number(groups::AREAS, row) > Some(1.0);
    let kind = if (0..facts.count("groups")).any(shared) { OF_PRIORITY } else { OF_SIZE };
    Bars { name: names(facts, devices::NAME), ..kind }
}

fn heading(bars: &Bars) -> PaneLine {
    let right = |text: &str, cells: usize| format!("{text:>cells$}");
    let line = PaneLine::new().label(right("PRIO", PRIORITY)).label("AREA").min_width(bars.name);
    let line = line.label(right("NEXT", NEXT)).label(right(bars.head, SHARE));
    let line = line.label(bars.of).min_width(BAR).drops(9);
    // Bars and histories grow with the pane, their headings do not: the fill behind them grows instead.
    let line = line.fill().drops(9).extra(10, "USED");
    let line = line.fill().min_width(COURSE - "USED".len() - 1).drops(10);
    line.extra(2, right("GROWTH/s", SIZE + 1)).drops_line(1)
}

/// The lines of a priority group: one for each area, or a single line while all of them are empty.
fn members(facts: &Facts<'_>, bars: &Bars, group: usize) -> Vec<PaneLine> {
    let holds = facts.number(groups::USED, group) != Some(0.0);
    if !holds && facts.words(groups::STATE, group) == "later" {
        return vec![waiting(facts, bars.name, group)];
    }
    let priority = facts.value(groups::PRIORITY, group);
    let mine = |row: &usize| facts.value(devices::PRIORITY, *row) == priority;
    let rows = (0..facts.count("devices")).filter(mine);
    let line = |(place, row)| member(facts, lead(facts, group, place == 0), bars, row);
    rows.enumerate().map(line).collect()
}

/// The first cell of a line: the priority, shown once for each group.
fn lead(facts: &Facts<'_>, group: usize, first: bool) -> PaneLine {
    if !first {
        return PaneLine::new().label("").min_width(PRIORITY);
    }
    PaneLine::new().figure(facts.figure(groups::PRIORITY, group).wide(PRIORITY))
}

/// The rest of the line of an area.
fn member(facts: &Facts<'_>, line: PaneLine, bars: &Bars, row: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let number = |column| facts.number(column, row);
    let role = role(facts, row);
    let name = facts.row_name("devices", row);
    let line = line.figure(figure(devices::NAME).as_role(role).exactly(bars.name).left());
    let line = next::share(facts, line, row);
    let line = if bars.column == OF_PRIORITY.column && alone(facts, row) {
        line.text("alone", Role::Faint).fill()
    } else {
        let share = number(bars.column);
        line.figure(figure(bars.column).wide(SHARE)).bar(vec![(share, role)])
    };
    let size = Scale::up_to(number(devices::SIZE));
    let line = line
        .min_width(BAR)
        .drops(9)
        .history(facts.chart(devices::USED, &name, size, role))
        .min_width(COURSE)
        .drops(10);
    line.figure(figure(devices::GROWTH).wide(SIZE + 1).drops(2)).drops_line(1)
}

/// Is this area the only one with its priority?
fn alone(facts: &Facts<'_>, row: usize) -> bool {
    let group = group_of(facts, row);
    group.is_some_and(|group| facts.number(groups::AREAS, group) == Some(1.0))
}

fn waiting(facts: &Facts<'_>, name: usize, group: usize) -> PaneLine {
    let line = lead(facts, group, true);
    let line = if facts.number(groups::AREAS, group) == Some(1.0) {
        line.figure(facts.figure(groups::NAMES, group).exactly(name).left())
    } else {
        line.figure(facts.figure(groups::AREAS, group)).label("areas").min_width(name - 2)
    };
    let turn = facts.figure(groups::STATE, group).as_role(Role::Label).wide(NEXT);
    let line = line.figure(turn);
    let Some(above) = filled_before(facts, group) else { return line.drops_line(3) };
    let line = line.text("after priority", Role::Label).drops(4);
    line.figure(facts.figure(groups::PRIORITY, above).drops(4)).drops_line(3)
}

/// The priority group that is filled directly before this one.
fn filled_before(facts: &Facts<'_>, group: usize) -> Option<usize> {
    (0..group).rev().find(|row| facts.words(groups::STATE, *row) != "full")
}

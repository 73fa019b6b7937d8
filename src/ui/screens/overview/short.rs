//! The summary pane: the answer, one fact per line, and the findings.

use super::{NO_PROCESS, memory};
use crate::columns::verdict::{PressureCause, ReadaheadVerdict, full_areas};
use crate::derive::state::SwapState;
use crate::ui::screen::{ADD_SWAP, ONE_SAMPLE};
use crate::ui::screens::{
    ColumnId, Facts, Flow, Missing, PaneLine, Piece, Role, Scale, devices, paging as paging_screen,
    processes as processes_screen, text,
};
use crate::ui::table_query::ids::{
    attribution, cgroups, devices as device, findings, groups, headroom, paging, processes,
    readahead, status,
};
use crate::ui::thresholds;

pub(super) fn short(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines = Vec::new();
    if facts.words(status::STATE, 0) == "no swap" {
        lines.push(named("add swap").label(ADD_SWAP));
    }
    if facts.alone {
        lines.extend(first_facts(facts));
    }
    lines.extend(cause(facts));
    lines.extend(worst(facts));
    if areas(facts) > 0 {
        // A line without a value is dropped before those that say something.
        let growth = (0..areas(facts)).all(|row| facts.is_known(device::GROWING, row));
        lines.push(filling(facts).drops_line(if growth { 1 } else { 12 }));
        lines.push(balance(facts).drops_line(9));
        let is_judged = paging_screen::judge_readahead(facts) != ReadaheadVerdict::Unknown;
        lines.push(readahead(facts).drops_line(if is_judged { 3 } else { 13 }));
        lines.extend(swapped(facts).map(|line| line.drops_line(2)));
    }
    lines.push(room(facts).drops_line(10));
    lines.extend(zram_room(facts).map(|line| line.drops_line(10)));
    if facts.alone {
        lines.push(super::oom_kills(facts).drops_line(11));
    }
    lines
}

/// Areas listed on a terminal with room for one pane.
const LISTED: usize = 3;

/// Facts that other panes show on a larger terminal, in the same order: memory, all of swap, zswap, the
/// fullest areas, traffic and pressure. The first line of the smallest terminal has all of swap too.
fn first_facts(facts: &Facts<'_>) -> Vec<PaneLine> {
    let rows = memory::shown(facts, LISTED);
    let name = memory::names(facts, &rows).min(14);
    let mut lines = vec![memory::available(facts, name)];
    lines.extend(memory::all_swap(facts, name).map(|line| line.drops_line(4)));
    lines.extend(memory::zswap(facts, name).map(|line| line.drops_line(7)));
    let area = |(place, row): (usize, &usize)| {
        memory::device(facts, *row, name).drops_line(if place == 0 { 1 } else { 8 })
    };
    lines.extend(rows.iter().enumerate().map(area));
    let rate = |line: PaneLine, flow, column, role| {
        let rate = facts.figure(column, 0).marked("/s").as_role(role).wide(RATE);
        line.flow(flow, role).figure(rate)
    };
    let line = PaneLine::named("traffic", name);
    let line = rate(line, Flow::In, paging::IN_RATE, Role::In);
    let line = rate(line, Flow::Out, paging::OUT_RATE, Role::Out);
    let flows = ((paging::OUT_RATE, Role::Out), (paging::IN_RATE, Role::In));
    lines.push(line.history(facts.stacked(flows.0, flows.1, "")).drops_line(5));
    let line = PaneLine::named("PSI some", name);
    let line = line.figure(facts.judged(status::MEMORY_SOME, 0).aligned().wide(RATE));
    let line = line.label("full").figure(facts.judged(status::MEMORY_FULL, 0).aligned());
    let some = facts.chart(status::MEMORY_SOME, "", Scale::Round, Role::Text);
    lines.push(line.history(some).drops_line(6));
    lines
}

/// Width of the name of a line.
const ASK: usize = 16;

/// Begins a line with its name. Where there is no room, the blanks behind it are left out.
fn named(question: &str) -> PaneLine {
    let blanks = ASK.saturating_sub(question.len() + 1);
    PaneLine::new().label(question).cell("", Role::Label, blanks).drops(1)
}

/// Begins a sentence, which needs no name where there is no room.
fn sentence(name: &str) -> PaneLine {
    PaneLine::named(name, ASK).drops(1)
}

/// The number of swap areas.
fn areas(facts: &Facts<'_>) -> usize {
    facts.count("devices")
}

/// The state of swap, and the figures behind it.
pub(super) fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    let words = facts.words(status::STATE, 0);
    let role = thresholds::state(&words, &facts.words(status::SEVERITY, 0));
    let word = facts.figure(status::STATE, 0).left().marked(thresholds::mark(role)).as_role(role);
    let line = |lead: &str| PaneLine::new().extra(7, lead).figure(word.clone()).label("-");
    let line = match words.as_str() {
        "no swap" => line("There is").text("the OOM killer runs when memory is full", role),
        "idle" if facts.number(status::SWAP_USED, 0) == Some(0.0) => {
            line("Swap is").label("no swap traffic, swap is empty")
        }
        "idle" => {
            let held = facts.figure(status::SWAP_USED, 0);
            let line = line("Swap is").label("no swap traffic; swap holds").figure(held);
            line.extra(3, "of idle pages")
        }
        "unknown" | "-" => unknown(facts),
        "at cgroup limit" => moves(facts, stalls(facts, line("Memory:"))),
        _ => moves(facts, stalls(facts, line("Swap:"))),
    };
    let Some(row) = devices::fills_fastest(facts) else { return vec![line] };
    let figure = |column| facts.figure(column, row).drops(6);
    let line = line.extra(6, "-").figure(figure(device::NAME).left());
    vec![line.extra(6, "is full in").figure(figure(device::FULL_IN))]
}

/// Why the state is unknown. PSI is shown anyway: one sample has it.
fn unknown(facts: &Facts<'_>) -> PaneLine {
    let why = match facts.missing(status::IN_RATE, 0) {
        Some(Missing::OneSample) | None => ONE_SAMPLE.to_owned(),
        Some(missing) => missing.why(),
    };
    let line = PaneLine::new().label("State unknown:").label(why);
    if facts.number(status::MEMORY_SOME, 0).is_none() {
        return line;
    }
    let some = facts.judged(status::MEMORY_SOME, 0).drops(2);
    line.extra(2, "- PSI some").figure(some).extra(3, "of the time")
}

/// The cause of memory pressure, as far as the kernel reports it.
fn cause(facts: &Facts<'_>) -> Option<PaneLine> {
    let state = SwapState::from_word(&facts.words(status::STATE, 0))?;
    let tables = ["paging", "cgroups", "headroom"].map(|table| facts.rows(table));
    match PressureCause::diagnose(state, tables, facts.policy)? {
        PressureCause::AtLimit(row, others) => {
            let line = at_limit(facts, (row, others), "cgroup");
            Some(line.extra(4, "- cgroup reclaim").extra(3, "- RAM is available"))
        }
        PressureCause::LikelyAtLimit(row, others) => {
            Some(at_limit(facts, (row, others), "likely: cgroup"))
        }
        PressureCause::Other(words) => {
            Some(sentence("cause").figure(explained(facts, words).as_role(Role::Label)))
        }
    }
}

/// Words about the cause of memory pressure, explained by the finding; by the state before findings are read.
fn explained(facts: &Facts<'_>, words: &str) -> Piece {
    let finding = (0..facts.count(FINDINGS)).find(|row| facts.words(findings::RULE, *row) == SAID);
    let figure = match finding {
        Some(row) => facts.figure(findings::RULE, row),
        None => facts.figure(status::STATE, 0),
    };
    figure.reworded(words)
}

/// The cgroup at its memory limit with the most swap, and how many others are at their limit.
fn at_limit(facts: &Facts<'_>, (row, others): (usize, usize), words: &'static str) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let path = explained(facts, &facts.words(cgroups::PATH, row));
    let line = sentence("cause").label(words).figure(path.left());
    let line = line.label("is at its limit of");
    let line = line.figure(figure(cgroups::LIMIT));
    match others {
        0 => line,
        others => line.extra(2, format!("and {others} more")),
    }
}

/// Widths of a share with its mark, and of a rate with its unit: wide enough that the words behind them
/// do not move when the values change.
const SHARE: usize = 5;
const RATE: usize = 9;

/// The worse of the two figures of PSI memory.
fn stalls(facts: &Facts<'_>, line: PaneLine) -> PaneLine {
    if facts.number(status::MEMORY_SOME, 0).is_none() {
        return line.label("pressure is unknown");
    }
    let full = facts.judged(status::MEMORY_FULL, 0);
    let (words, share) = match full.role {
        Role::Text | Role::Faint => ("PSI some", facts.judged(status::MEMORY_SOME, 0)),
        _ => ("PSI full", full),
    };
    line.label(words).figure(share.wide(SHARE)).extra(3, "of the time")
}

fn moves(facts: &Facts<'_>, line: PaneLine) -> PaneLine {
    match facts.missing(status::IN_RATE, 0) {
        None => {}
        Some(Missing::OneSample) => return line.extra(2, "-").extra(2, ONE_SAMPLE),
        Some(_) => return line,
    }
    let rate =
        |column, role| facts.figure(column, 0).marked("/s").as_role(role).wide(RATE).drops(4);
    let line = line.extra(4, "-").figure(rate(status::IN_RATE, Role::In)).extra(4, "in,");
    line.figure(rate(status::OUT_RATE, Role::Out)).extra(4, "out")
}

/// The row with the largest value above zero.
fn largest(facts: &Facts<'_>, column: ColumnId) -> Option<usize> {
    let largest = facts.largest(column, 0..facts.count(column.table));
    largest.filter(|(_, value)| *value > 0.0).map(|(row, _)| row)
}

/// The area that fills fastest, or else the area that holds most.
fn filling(facts: &Facts<'_>) -> PaneLine {
    let figure = |row, column| facts.figure(column, row);
    let full = |row| facts.judged(device::USE, row);
    if let Some(row) = devices::fills_fastest(facts) {
        return named("fills fastest")
            .figure(figure(row, device::NAME).left())
            .label("by")
            .figure(figure(row, device::GROWTH).marked("/s"))
            .extra(4, "to")
            .figure(full(row).drops(4))
            .extra(2, full_words(facts, row))
            .figure(figure(row, device::FULL_IN).drops(2))
            .extra(3, "at this pace");
    }
    let line = named("fills fastest").label(devices::none_fills(facts));
    match largest(facts, device::USED) {
        Some(row) if shared_by(facts, row) > 1 => line
            .extra(3, format!("- {} areas hold most:", shared_by(facts, row)))
            .figure(figure(row, device::USED).drops(3))
            .extra(3, "each"),
        Some(row) => line
            .extra(3, "-")
            .figure(figure(row, device::NAME).left().drops(3))
            .extra(3, "holds most:")
            .figure(figure(row, device::USED).drops(3))
            .extra(4, "-")
            .figure(full(row).drops(4))
            .extra(4, "full"),
        None => line.extra(3, "- nothing is in swap"),
    }
}

/// The number of areas that hold as much as this one.
fn shared_by(facts: &Facts<'_>, row: usize) -> usize {
    let used = |row| facts.value(device::USED, row);
    (0..areas(facts)).filter(|other| used(*other) == used(row)).count()
}

/// The words before the time until full: areas that share a priority are full at the same time.
fn full_words(facts: &Facts<'_>, row: usize) -> &'static str {
    let priority = |row| facts.value(device::PRIORITY, row);
    let same = (0..areas(facts)).filter(|other| priority(*other) == priority(row)).count();
    if same > 1 { "- its group is full in" } else { "- full in" }
}

/// How evenly areas of equal priority are used: the worst priority group is shown.
fn balance(facts: &Facts<'_>) -> PaneLine {
    match devices::least_even(facts) {
        Some(row) => imbalanced_group(facts, row),
        None => named("imbalance").label(unbalanced(facts)),
    }
}

/// How evenly the areas of one priority group are used. Several groups fill one by one, however even each is.
fn imbalanced_group(facts: &Facts<'_>, row: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let line = named("imbalance")
        .figure(facts.judged(groups::IMBALANCE, row))
        .extra(3, "of the group:")
        .figure(figure(groups::BALANCE).left());
    let areas = facts.rows(device::NAME.table);
    let full = areas.and_then(|areas| full_areas(areas, &facts.words(groups::PRIORITY, row)));
    let line = full.into_iter().fold(line, |line, full| line.extra(2, format!("- {full}")));
    let line = line
        .extra(4, "-")
        .figure(figure(groups::AREAS).drops(4))
        .extra(4, "areas")
        .extra(5, "of priority")
        .figure(figure(groups::PRIORITY).drops(5));
    match facts.count("groups") {
        1 => line,
        all => line.extra(6, format!("({all} groups fill one by one)")),
    }
}

/// Why no imbalance is shown.
fn unbalanced(facts: &Facts<'_>) -> &'static str {
    let several = |row| facts.number(groups::AREAS, row).is_some_and(|areas| areas > 1.0);
    match areas(facts) {
        1 => "only one area",
        _ if (0..facts.count("groups")).any(several) => "too little data in swap to tell",
        _ if devices::fills_by_node(facts) => "nodes fill their own areas first",
        _ => "areas of different priority fill one by one",
    }
}

fn readahead(facts: &Facts<'_>) -> PaneLine {
    let line = named("readahead");
    let figure = |column| facts.figure(column, 0);
    let (words, role) = paging_screen::verdict(facts);
    let line = line.text(words, role);
    if let Some(rate) = paging_screen::judged_hit_rate(facts) {
        return line
            .figure(rate)
            .label("of readahead pages are hits")
            .extra(2, "-")
            .figure(figure(readahead::WASTED_RATE).marked("/s").drops(2))
            .extra(2, "wasted");
    }
    line
}

/// Maximum number of processes named.
const MOST: usize = 3;

/// The processes with the most swap; none if swap is empty. Processes are read less often than areas: those with
/// more than is used by now are left out.
fn swapped(facts: &Facts<'_>) -> Option<PaneLine> {
    let most = facts.number(status::SWAP_USED, 0).unwrap_or(f64::INFINITY);
    if most <= 0.0 {
        return None;
    }
    let mut line = named("most swapped");
    if let Some(why) = facts.instead_of_rows("processes", NO_PROCESS) {
        return Some(line.label(why));
    }
    let is_possible = |row: &usize| facts.number(processes::USES, *row).is_none_or(|it| it <= most);
    let rows: Vec<usize> = (0..facts.count("processes")).filter(is_possible).take(MOST).collect();
    let first = *rows.first()?;
    for (place, row) in rows.into_iter().enumerate() {
        let drop = if place == 0 { 0 } else { u8::try_from(2 + 2 * place).unwrap_or(u8::MAX) };
        let figure = |column| facts.figure(column, row).drops(drop);
        let line_so_far = if place > 0 { line.extra(drop, "-") } else { line };
        line = line_so_far.figure(figure(processes::NAME).left()).figure(figure(processes::USES));
    }
    if let Some(why) = processes_screen::unread_rest(facts) {
        return Some(line.extra(3, format!("- {}", processes_screen::cause(&why))));
    }
    // Shared memory in swap can be more than any process has of its own.
    let rest = facts.number(attribution::UNEXPLAINED, 0);
    if rest > facts.number(processes::USES, first) {
        let rest = facts.figure(attribution::UNEXPLAINED, 0).drops(1);
        return Some(line.extra(1, "-").figure(rest).extra(1, "shared or hidden"));
    }
    Some(line.extra(8, "- full list: screen 6"))
}

fn room(facts: &Facts<'_>) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    let line = named("free space");
    let line = match areas(facts) {
        0 => line,
        _ => {
            refused(facts, line.figure(figure(headroom::SWAP_FREE)).label("of swap")).extra(2, "-")
        }
    };
    let drop = if areas(facts) == 0 { 0 } else { 2 };
    line.figure(figure(headroom::MEM_AVAILABLE).drops(drop)).extra(2, "of memory available")
}

/// Adds how much free space the limits of zram devices block, if any.
fn refused(facts: &Facts<'_>, line: PaneLine) -> PaneLine {
    let beyond = facts.number(headroom::ZRAM_REFUSED, 0).filter(|beyond| *beyond > 0.0);
    if beyond.is_none() {
        return line;
    }
    let line = line.text(", zram limits block", Role::Text);
    line.figure(facts.figure(headroom::ZRAM_REFUSED, 0))
}

/// How much memory the free space of zram needs when it fills.
fn zram_room(facts: &Facts<'_>) -> Option<PaneLine> {
    let number = |column| facts.number(column, 0);
    // The estimate comes from the data on the devices: empty devices have no ratio.
    if number(headroom::ZRAM_FREE)? <= 0.0
        || number(headroom::ZRAM_FILL_MEMORY)? > number(headroom::ZRAM_FREE)?
    {
        return None;
    }
    let figure = |column| facts.figure(column, 0);
    let is_bounded = number(headroom::ZRAM_REFUSED).is_some_and(|beyond| beyond > 0.0);
    let line = named("free on zram").figure(figure(headroom::ZRAM_FREE));
    let line = if is_bounded {
        let line = line.label("is free, limits block").figure(figure(headroom::ZRAM_REFUSED));
        line.label("; the rest needs")
    } else {
        line.label("is free; filling it needs")
    };
    Some(line.figure(figure(headroom::ZRAM_FILL_MEMORY)).extra(2, "of memory"))
}

const FINDINGS: &str = "findings";

/// One line for each finding.
pub(super) fn findings(facts: &Facts<'_>) -> Vec<PaneLine> {
    (0..facts.count(FINDINGS)).map(|row| finding(PaneLine::new(), facts, row, None)).collect()
}

/// The rule whose finding repeats the answer above the panes.
const SAID: &str = "memory-pressure";

/// Width below which the mark of a finding stands for its label.
const LABELLED: usize = 65;

/// The worst finding and the number of others, for a screen without room for all of them. Notes are
/// left out. A long one continues on the next line.
fn worst(facts: &Facts<'_>) -> Vec<PaneLine> {
    let is_wrong = |row: &usize| severity_role(facts, *row) != Role::Label;
    let is_new = |row: &usize| facts.words(findings::RULE, *row) != SAID;
    let all = 0..facts.count(FINDINGS);
    let Some(worst) = all.clone().filter(is_wrong).find(is_new) else { return vec![] };
    let words = facts.words(findings::SUMMARY, worst);
    let is_short = text::width(&words) + ASK + 4 <= facts.width;
    let label = "finding";
    let (line, indent) = match facts.width {
        ..LABELLED => (PaneLine::new(), 2),
        _ if is_short => (named(label), ASK + 3),
        _ => (PaneLine::new().label(label), label.len() + 3),
    };
    let mut parts = text::wrap(&words, facts.width.saturating_sub(indent + 1)).into_iter();
    let mut lines = vec![finding(line, facts, worst, parts.next().as_deref())];
    let role = severity_role(facts, worst);
    let rest = |words| PaneLine::named("", indent).text(words, role);
    lines.extend(parts.map(rest));
    if all.len() > 1
        && let Some(last) = lines.pop()
    {
        lines.push(last.extra(4, format!("({} more)", all.len() - 1)));
    }
    lines
}

/// A finding, or the first part of it.
fn finding(line: PaneLine, facts: &Facts<'_>, row: usize, part: Option<&str>) -> PaneLine {
    let role = severity_role(facts, row);
    let mark = match role {
        Role::Crit => "!!",
        Role::Warn => "!",
        _ => ".",
    };
    let line = line.cell(mark, role, 2);
    let summary = facts.figure(findings::SUMMARY, row).left().as_role(role);
    let line = line.figure(part.into_iter().fold(summary, Piece::reworded));
    if !facts.is_known(findings::FIX, row) {
        return line;
    }
    line.fill().drops(5).figure(facts.figure(findings::FIX, row).as_role(Role::Label).drops(5))
}

fn severity_role(facts: &Facts<'_>, row: usize) -> Role {
    match facts.words(findings::SEVERITY, row).as_str() {
        "crit" => Role::Crit,
        "warn" => Role::Warn,
        _ => Role::Label,
    }
}

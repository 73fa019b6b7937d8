//! Is swap helping or hurting? Everything in one picture, and the answers in short.

use super::paging;
use crate::columns::text;
use crate::ui::answers::{Ask, Facts};
use crate::ui::content::{Line, Piece};
use crate::ui::judge;
use crate::ui::screen::{Band, Body, Height, Pane, Screen};
use crate::ui::theme::Role;

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "overview",
    number: '1',
    name: "Overview",
    question: "Is swap helping or hurting?",
    panes: &[
        Pane {
            id: "memory",
            title: "Where memory is",
            about: "Memory, what zswap and zram keep compressed in it, and the disks behind. A bar is what is used; that of memory has three parts, which the line below it names. zram and zswap lie in memory themselves.",
            body: Body::Facts {
                asks: &[
                    Ask {
                        table: "headroom",
                        columns: "mem_total,mem_available,mem_anon,mem_file,mem_shmem",
                    },
                    Ask { table: "zswap", columns: "enabled,pool,limit,fill,stored,ratio" },
                    Ask {
                        table: "devices",
                        columns: "name,kind,priority,size,used,use,memory_ratio",
                    },
                    Ask { table: "status", columns: "areas" },
                ],
                lines: memory,
            },
        },
        Pane {
            id: "traffic",
            title: "Swap traffic, per second",
            about: "Bytes swapped in and out in a second, by every road: devices, zswap, zero-filled pages. Major faults waited for a device; refaults are pages that came back soon after they had gone.",
            body: Body::Facts {
                asks: &[Ask { table: "paging", columns: "in_rate,out_rate,major_faults,refaults" }],
                lines: traffic,
            },
        },
        Pane {
            id: "pressure",
            title: "Pressure, last 10 s",
            about: "The share of the last 10 seconds in which a task waited for memory (some), and in which no task could go on (full). The top of a history is 100%.",
            body: Body::Facts {
                asks: &[
                    Ask { table: "status", columns: "memory_some,memory_full,io_some,io_full" },
                    Ask { table: "paging", columns: "oom_kill" },
                ],
                lines: pressure,
            },
        },
        Pane {
            id: "short",
            title: "In short",
            about: "The answers that people come for; each screen has the evidence. The first says how the machine does with its swap, and by what figures.",
            body: Body::Facts {
                asks: &[
                    Ask {
                        table: "status",
                        columns: "state,swap_used,in_rate,out_rate,memory_some,memory_full",
                    },
                    Ask { table: "devices", columns: "name,used,use,growth,full_in" },
                    Ask { table: "groups", columns: "priority,areas,skew" },
                    Ask {
                        table: "readahead",
                        columns: "mode,ahead_rate,success,wasted_rate,success_boot",
                    },
                    Ask {
                        table: "headroom",
                        columns: "mem_available,swap_free,zram_free,zram_cost",
                    },
                    Ask { table: "processes", columns: "pid,swap,name" },
                ],
                lines: short,
            },
        },
        Pane {
            id: "over-time",
            title: "Areas over time",
            about: "What each area held, up to its size, and what moves to and from it.",
            body: Body::Facts {
                asks: &[Ask { table: "devices", columns: "name,kind,size,used,in_rate,out_rate" }],
                lines: over_time,
            },
        },
        Pane {
            id: "most",
            title: "Most swapped",
            about: "The processes with most private pages in swap; a bar is the part of all used swap.",
            body: Body::Facts {
                asks: &[Ask { table: "processes", columns: "pid,name,swap,swap_share" }],
                lines: most,
            },
        },
    ],
    bands: &[
        Band { panes: &[("memory", 100)], height: Height::Fits(9) },
        Band { panes: &[("traffic", 54), ("pressure", 46)], height: Height::Fits(5) },
        Band { panes: &[("short", 100)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("memory", 100)], height: Height::Fits(16) },
        Band { panes: &[("traffic", 54), ("pressure", 46)], height: Height::Fits(8) },
        Band { panes: &[("short", 100)], height: Height::Fits(9) },
        Band { panes: &[("over-time", 54), ("most", 46)], height: Height::Rest },
    ],
};

/// Cells of an amount of memory.
const SIZE: usize = 7;
/// Cells of a bar that still says something.
const BAR: usize = 14;
/// Cells of the longest name that others line up with.
const NAME: usize = 24;
/// A pane this wide has room for a longer list.
const WIDE: usize = 100;
/// One of two panes this wide has room for more lines, since it is as high.
const WIDE_HALF: usize = 45;

fn memory(facts: &Facts<'_>) -> Vec<Line> {
    let rows = shown(facts);
    let name = names(facts, &rows);
    let mut lines = vec![ram(facts, name), parts(facts, name)];
    lines.extend(zswap(facts, name));
    lines.extend(rows.iter().map(|row| device(facts, *row, name)));
    if rows.len() < facts.count("devices") {
        let areas = facts.figure("status", 0, "areas");
        lines.push(Line::new().label("all").figure(areas).label("areas are on screen 2"));
    }
    lines.extend(none(facts, name));
    lines
}

/// The devices that there is room for, with a line that says that there are more: those in memory
/// first, else as the kernel lists them.
fn shown(facts: &Facts<'_>) -> Vec<usize> {
    let most = if facts.width >= WIDE { 12 } else { 5 };
    let mut rows: Vec<usize> = (0..facts.count("devices")).collect();
    rows.sort_by_key(|row| !is_zram(facts, *row));
    let all = rows.len() <= most;
    rows.truncate(if all { most } else { most - 1 });
    rows
}

/// Said where the devices would stand.
fn none(facts: &Facts<'_>, name: usize) -> Option<Line> {
    let failed = facts.answers.failed("devices");
    let none = facts.count("devices") == 0;
    let why = failed.or_else(|| none.then(|| "none is active".to_owned()))?;
    Some(Line::new().cell("swap", Role::Disk, name).text(why, Role::Text))
}

/// Cells of the names at the left.
fn names(facts: &Facts<'_>, rows: &[usize]) -> usize {
    let widths = rows.iter().map(|row| text::width(&facts.words("devices", *row, "name")));
    widths.filter(|width| *width <= NAME).fold(text::width("memory"), usize::max)
}

fn is_zram(facts: &Facts<'_>, row: usize) -> bool {
    facts.words("devices", row, "kind") == "zram"
}

/// The parts of memory, in the order of its bar.
const PARTS: [(&str, &str); 3] =
    [("private", "mem_anon"), ("of files", "mem_file"), ("shared", "mem_shmem")];

fn ram(facts: &Facts<'_>, name: usize) -> Line {
    let number = |column| facts.number("headroom", 0, column);
    let share = |column| Some(number(column)? / number("mem_total")?.max(1.0));
    let shares = PARTS.iter().map(|(_, column)| (share(column).unwrap_or(0.0), Role::Ram));
    let line = Line::new()
        .cell("memory", Role::Ram, name)
        .figure(facts.figure("headroom", 0, "mem_total").wide(SIZE).drops(3))
        .bar(shares.collect())
        .least(BAR)
        .drops(1);
    let line = if facts.count("devices") > 0 { priority(line, None) } else { line };
    ratio(facts, line, None)
        .label("  available")
        .drops(2)
        .figure(facts.figure("headroom", 0, "mem_available").wide(SIZE).drops(2))
}

/// What the parts of the bar of memory are.
fn parts(facts: &Facts<'_>, name: usize) -> Line {
    let mut line = Line::new().cell("", Role::Label, name + 1 + SIZE).drops(9);
    for ((part, drop), (words, column)) in (0..).zip(0..).zip(PARTS) {
        let figure = facts.figure("headroom", 0, column).drops(drop);
        line = line.key(part, Role::Ram).drops(drop).label(words).drops(drop).figure(figure);
    }
    line.goes(1)
}

fn zswap(facts: &Facts<'_>, name: usize) -> Option<Line> {
    if !has_zswap(facts) {
        return None;
    }
    let figure = |column| facts.figure("zswap", 0, column);
    let fill = facts.number("zswap", 0, "fill");
    let line = Line::new()
        .cell("zswap", Role::Pool, name)
        .figure(figure("limit").wide(SIZE).drops(3))
        .bar(fill.map_or_else(Vec::new, |fill| vec![(fill, Role::Pool)]))
        .least(BAR)
        .drops(1);
    let line = if facts.count("devices") > 0 { priority(line, None) } else { line };
    let line = ratio(facts, line, Some(figure("ratio")));
    Some(used(line, facts.judged("zswap", 0, "fill"), figure("pool")))
}

/// Is zswap on, or holds it pages still?
fn has_zswap(facts: &Facts<'_>) -> bool {
    ["enabled", "stored"].iter().any(|column| facts.number("zswap", 0, column) > Some(0.0))
}

fn device(facts: &Facts<'_>, row: usize, name: usize) -> Line {
    let figure = |column| facts.figure("devices", row, column);
    let role = if is_zram(facts, row) { Role::Zram } else { Role::Disk };
    let share = facts.number("devices", row, "use");
    let line = Line::new()
        .figure(figure("name").as_role(role).wide(name).left())
        .figure(figure("size").wide(SIZE).drops(3))
        .bar(share.map_or_else(Vec::new, |share| vec![(share, role)]))
        .least(BAR)
        .drops(1);
    let line = priority(line, Some(figure("priority")));
    // What an empty device takes says nothing about how well it compresses.
    let compresses = facts.number("devices", row, "memory_ratio").is_some() && share > Some(0.0);
    let line = ratio(facts, line, compresses.then(|| figure("memory_ratio")));
    used(line, facts.judged("devices", row, "use"), figure("used")).goes(2)
}

/// The priority of a device, or the room for it, so that bars end below each other.
fn priority(line: Line, priority: Option<Piece>) -> Line {
    match priority {
        Some(priority) => line.label("prio").drops(5).figure(priority.wide(3).drops(5)),
        None => line.cell("", Role::Label, 8).drops(5),
    }
}

/// How well it compresses, or the room for it where anything does.
fn ratio(facts: &Facts<'_>, line: Line, ratio: Option<Piece>) -> Line {
    let rows = 0..facts.count("devices");
    match ratio {
        Some(ratio) => line.figure(ratio.wide(4).drops(4)).label("to 1").drops(4),
        None if has_zswap(facts) || rows.into_iter().any(|row| is_zram(facts, row)) => {
            line.cell("", Role::Label, 9).drops(4)
        }
        None => line,
    }
}

/// How much of it is used.
fn used(line: Line, share: Piece, amount: Piece) -> Line {
    let line = line.figure(share.aligned().wide(6).drops(2));
    line.label("used").drops(2).figure(amount.wide(SIZE))
}

/// Cells of what a figure is called.
const LABEL: usize = 11;

fn traffic(facts: &Facts<'_>) -> Vec<Line> {
    let row = |name: &str, column: &'static str, role| {
        Line::new()
            .cell(name, Role::Label, LABEL)
            .figure(facts.figure("paging", 0, column).as_role(role).wide(SIZE))
            .history(facts.track("paging", "", column), None, role)
    };
    let mut lines = vec![row("in", "in_rate", Role::In), row("out", "out_rate", Role::Out)];
    if facts.width >= WIDE_HALF {
        lines.push(row("maj. faults", "major_faults", Role::Text));
        lines.push(row("refaults", "refaults", Role::Text).goes(1));
    } else {
        lines.push(faults(facts));
    }
    lines
}

/// Both kinds of faults in one line.
fn faults(facts: &Facts<'_>) -> Line {
    let figure = |column| facts.figure("paging", 0, column);
    let line = Line::new().cell("maj. faults", Role::Label, LABEL);
    let line = line.figure(figure("major_faults").wide(5));
    line.fill().label("refaults").drops(1).figure(figure("refaults").wide(5).drops(1))
}

fn pressure(facts: &Facts<'_>) -> Vec<Line> {
    let row = |name: &str, column: &'static str| {
        Line::new()
            .cell(name, Role::Label, LABEL)
            .figure(facts.judged("status", 0, column).aligned().wide(6))
            .history(facts.track("status", "", column), Some(1.0), Role::Text)
    };
    let mut lines = vec![row("mem some", "memory_some"), row("mem full", "memory_full")];
    let killed = facts.figure("paging", 0, "oom_kill").wide(2);
    if facts.width >= WIDE_HALF {
        lines.push(row("io some", "io_some"));
        lines.push(row("io full", "io_full").goes(2));
        lines.push(Line::new().label("processes killed since boot").figure(killed).goes(1));
    } else {
        let io = facts.judged("status", 0, "io_some").aligned().wide(6);
        let line = Line::new().cell("io some", Role::Label, LABEL).figure(io);
        lines.push(line.fill().label("OOM kills").drops(1).figure(killed.drops(1)));
    }
    lines
}

fn short(facts: &Facts<'_>) -> Vec<Line> {
    let mut lines = vec![state(facts)];
    if facts.count("devices") > 0 {
        lines.push(filling(facts).goes(1));
        lines.push(balance(facts).goes(4));
        lines.push(readahead(facts).goes(3));
        lines.push(swapped(facts).goes(2));
    }
    lines.push(room(facts).goes(5));
    lines.extend(zram_room(facts).map(|line| line.goes(6)));
    lines
}

/// Cells of a question.
const ASK: usize = 15;

/// Begin an answer.
fn answer(question: &str) -> Line {
    Line::new().cell(question, Role::Label, ASK).drops(1)
}

/// How it is, and why.
fn state(facts: &Facts<'_>) -> Line {
    let words = facts.words("status", 0, "state");
    let role = state_role(&words);
    let word = facts.figure("status", 0, "state").left().marked(judge::mark(role)).as_role(role);
    let line = Line::new().figure(word.wide(ASK));
    match words.as_str() {
        "no swap" => line.text("pages stay in memory; if it fills up, processes are killed", role),
        "quiet" if facts.number("status", 0, "swap_used") == Some(0.0) => {
            line.label("nothing moves, and nothing is in swap")
        }
        "quiet" => {
            let held = facts.figure("status", 0, "swap_used");
            line.label("nothing moves; swap holds").figure(held).label("that nobody waits for")
        }
        "working" => moves(facts, waits(facts, line, "tasks wait", "memory_some"), ": it helps"),
        "under pressure" => moves(facts, waits(facts, line, "tasks wait", "memory_some"), ""),
        "thrashing" => moves(facts, waits(facts, line, "all wait", "memory_full"), ": it hurts"),
        _ => line.cell("state", Role::Label, ASK).label("it takes a second sample to tell"),
    }
}

fn state_role(state: &str) -> Role {
    match state {
        "thrashing" => Role::Crit,
        "under pressure" => Role::Warn,
        "quiet" | "working" => Role::Ok,
        _ => Role::Text,
    }
}

fn waits(facts: &Facts<'_>, line: Line, words: &str, column: &str) -> Line {
    line.label(words).figure(facts.judged("status", 0, column)).label("of the time").drops(3)
}

fn moves(facts: &Facts<'_>, line: Line, verdict: &str) -> Line {
    if facts.number("status", 0, "in_rate").is_none() {
        return line;
    }
    let rate = |column, role| facts.figure("status", 0, column).marked("/s").as_role(role);
    let line =
        line.label("-").drops(4).figure(rate("in_rate", Role::In).drops(4)).label("in,").drops(4);
    let line = line.figure(rate("out_rate", Role::Out).drops(4));
    line.label(format!("out{verdict}")).drops(4)
}

/// The row with the largest value above zero.
fn largest(facts: &Facts<'_>, table: &str, column: &str) -> Option<usize> {
    let rows = 0..facts.count(table);
    let values = rows.filter_map(|row| Some((row, facts.number(table, row, column)?)));
    let positive = values.filter(|(_, value)| *value > 0.0);
    positive.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| row)
}

/// Which device fills fastest; else which one carries most.
fn filling(facts: &Facts<'_>) -> Line {
    let figure = |row, column| facts.figure("devices", row, column);
    let full = |row| facts.judged("devices", row, "use");
    if let Some(row) = largest(facts, "devices", "growth") {
        return answer("fills fastest")
            .figure(figure(row, "name").left())
            .label("by")
            .figure(figure(row, "growth").marked("/s"))
            .label("to")
            .figure(full(row))
            .label("- full in")
            .drops(2)
            .figure(figure(row, "full_in").drops(2))
            .label("at this pace")
            .drops(3);
    }
    let known = facts.number("devices", 0, "growth").is_some();
    let line = answer("fills fastest").label(if known { "none now;" } else { "not known yet;" });
    match largest(facts, "devices", "used") {
        Some(row) => line
            .figure(figure(row, "name").left())
            .label("carries most:")
            .figure(figure(row, "used"))
            .label("or")
            .drops(2)
            .figure(full(row).drops(2)),
        None => line.label("nothing is in swap"),
    }
}

/// Do areas of equal priority take turns? The worst of all priorities answers.
fn balance(facts: &Facts<'_>) -> Line {
    let rows = 0..facts.count("groups");
    let skews = rows.filter_map(|row| Some((row, facts.number("groups", row, "skew")?)));
    match skews.max_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((row, skew)) => skewed(facts, row, skew),
        None => answer("balance").label(unbalanced(facts)),
    }
}

/// How even the areas of one priority are.
fn skewed(facts: &Facts<'_>, row: usize, skew: f64) -> Line {
    let figure = |column| facts.figure("groups", row, column);
    let uneven = skew >= facts.policy.skew_warn;
    answer("balance")
        .label(if uneven { "uneven:" } else { "even:" })
        .figure(facts.judged("groups", row, "skew"))
        .label("lies on the wrong one")
        .label("-")
        .drops(2)
        .figure(figure("areas").drops(2))
        .label("areas")
        .drops(2)
        .label("of priority")
        .drops(3)
        .figure(figure("priority").drops(3))
}

/// Why there is nothing to balance.
fn unbalanced(facts: &Facts<'_>) -> &'static str {
    let areas = |row| facts.number("groups", row, "areas");
    let shared = |row| areas(row).is_some_and(|areas| areas > 1.0);
    match facts.count("devices") {
        1 => "one area: nothing to balance",
        _ if (0..facts.count("groups")).any(shared) => {
            "nothing is yet on areas that share a priority"
        }
        _ => "no two areas share a priority: one fills after the other",
    }
}

fn readahead(facts: &Facts<'_>) -> Line {
    let line = answer("readahead");
    let figure = |column| facts.figure("readahead", 0, column);
    let (words, role) = paging::verdict(facts);
    let line = line.text(words, role);
    if facts.number("readahead", 0, "success").is_some() {
        return line
            .figure(facts.judged("readahead", 0, "success"))
            .label("of the pages read ahead are used")
            .label("-")
            .drops(2)
            .figure(figure("wasted_rate").marked("/s").drops(2))
            .label("wasted")
            .drops(2);
    }
    match facts.number("readahead", 0, "success_boot") {
        Some(_) => line.label("since boot").figure(figure("success_boot")).label("were used"),
        None => line,
    }
}

/// Most processes that are named.
const MOST: usize = 3;

fn swapped(facts: &Facts<'_>) -> Line {
    let count = facts.count("processes");
    let mut line = answer("most swapped");
    if count == 0 {
        return line.label("no process has private pages in swap");
    }
    for row in 0..count.min(MOST) {
        let drop = u8::try_from(row).unwrap_or(0);
        let figure = |column| facts.figure("processes", row, column).drops(drop);
        line = line.figure(figure("name").left()).figure(figure("swap"));
    }
    line.label("- all on screen 6").drops(8)
}

fn room(facts: &Facts<'_>) -> Line {
    let figure = |column| facts.figure("headroom", 0, column);
    let line = answer("room left");
    let line = match facts.count("devices") {
        0 => line,
        _ => line.figure(figure("swap_free")).label("of swap is free"),
    };
    let line = if facts.count("devices") > 0 { line.label("-").drops(2) } else { line };
    line.figure(figure("mem_available").drops(2)).label("of memory available").drops(2)
}

/// What filling zram would cost, if there is some.
fn zram_room(facts: &Facts<'_>) -> Option<Line> {
    let number = |column| facts.number("headroom", 0, column);
    // What it costs is told by what is on it: an empty device knows nothing.
    if number("zram_free")? <= 0.0 || number("zram_cost")? > number("zram_free")? {
        return None;
    }
    let figure = |column| facts.figure("headroom", 0, column);
    let line =
        answer("room on zram").figure(figure("zram_free")).label("is free; to fill it takes");
    Some(line.figure(figure("zram_cost")).label("of memory").drops(2))
}

fn over_time(facts: &Facts<'_>) -> Vec<Line> {
    let rows = shown(facts);
    let name = names(facts, &rows);
    let line = |row: &usize| area_over_time(facts, *row, name).goes(1);
    rows.iter().map(line).chain(none(facts, name)).collect()
}

fn area_over_time(facts: &Facts<'_>, row: usize, name: usize) -> Line {
    let figure = |column| facts.figure("devices", row, column);
    let rate = |column, role| figure(column).marked("/s").as_role(role).wide(SIZE + 1).drops(3);
    let role = if is_zram(facts, row) { Role::Zram } else { Role::Disk };
    let past = facts.track("devices", &facts.row_name("devices", row), "used");
    Line::new()
        .figure(figure("name").as_role(role).wide(name).left())
        .figure(figure("used").wide(SIZE))
        .history(past, facts.number("devices", row, "size"), role)
        .figure(rate("in_rate", Role::In))
        .label("in")
        .drops(3)
        .figure(rate("out_rate", Role::Out))
        .label("out")
        .drops(3)
}

fn most(facts: &Facts<'_>) -> Vec<Line> {
    let process = |row| {
        let figure = |column| facts.figure("processes", row, column);
        let share = facts.number("processes", row, "swap_share").unwrap_or(0.0);
        Line::new()
            .figure(figure("pid").wide(7).drops(2))
            .figure(figure("name").wide(15).left())
            .figure(figure("swap").wide(SIZE))
            .figure(figure("swap_share").wide(5).drops(1))
            .bar(vec![(share, Role::Text)])
            .goes(1)
    };
    match facts.count("processes") {
        0 => vec![Line::new().label("no process has private pages in swap")],
        count => (0..count.min(MANY)).map(process).collect(),
    }
}

/// Most processes in a list of their own.
const MANY: usize = 20;

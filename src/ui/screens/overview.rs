//! Is swap helping or hurting? Everything in one picture, and the answers in short.

mod memory;
mod short;

use crate::columns::ColumnId;
use crate::columns::tables::cgroups::id as cgroups;
use crate::columns::tables::devices::id as devices;
use crate::columns::tables::findings::id as found;
use crate::columns::tables::groups::id as groups;
use crate::columns::tables::headroom::id as headroom;
use crate::columns::tables::paging::id as paging;
use crate::columns::tables::processes::id as processes;
use crate::columns::tables::readahead::id as readahead;
use crate::columns::tables::status::id as status;
use crate::columns::tables::zswap::id as zswap;
use crate::ui::content::{Flow, PaneLine};
use crate::ui::pane_data::Facts;
use crate::ui::screen::{Band, Body, Height, Pane, Screen};
use crate::ui::table_query::{TableQuery, ask};
use crate::ui::theme::Role;

/// What is found hardly changes from one second to the next, and stands for some.
const FOUND: TableQuery = ask!(found: SEVERITY RULE SUMMARY FIX);

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "overview",
    number: '1',
    name: "Overview",
    question: "Is swap helping or hurting?",
    panes: &[
        Pane {
            id: "short",
            title: "In short",
            about: "The answers that people come for; each screen has the evidence. The first says how the machine does with its swap, and by what figures; where tasks wait, the next says who is short of memory. An area fills if it grew by 1% of its size in the last 30 s, and all of its priority together did.",
            body: Body::Trends {
                asks: &[
                    ask!(status: STATE AREAS SWAP_USED IN_RATE OUT_RATE MEMORY_SOME MEMORY_FULL),
                    ask!(paging: RECLAIMER),
                    ask!(groups: PRIORITY AREAS SKEW),
                    ask!(readahead: MODE ONLY_ZRAM AHEAD_RATE SUCCESS WASTED_RATE),
                    ask!(headroom: MEM_AVAILABLE SWAP_FREE ZRAM_FREE ZRAM_BEYOND ZRAM_COST),
                ],
                aside: &[
                    ask!(processes: PID SWAP NAME),
                    ask!(cgroups: PATH SWAP LIMIT LIMIT_USE),
                    FOUND,
                ],
                trends: &[
                    ask!(devices: NAME PRIORITY SIZE USED USE GROWTH FULL_IN),
                    ask!(groups: PRIORITY SIZE GROWTH),
                ],
                lines: short::short,
            },
        },
        Pane {
            id: "memory",
            title: "Where memory is",
            about: "Memory, what zswap and zram keep compressed in it, and the disks behind. A bar is what is used; that of memory has parts, which the line below it names. zram and zswap lie in memory themselves, in the part of the kernel.",
            body: Body::Facts {
                asks: &[
                    ask!(headroom: MEM_TOTAL MEM_AVAILABLE MEM_ANON MEM_FILE MEM_SHMEM MEM_KERNEL MEM_HUGETLB),
                    ask!(zswap: ENABLED POOL LIMIT FILL STORED RATIO),
                    ask!(devices: NAME KIND PRIORITY SIZE USED USE MEMORY_RATIO),
                    ask!(status: AREAS),
                ],
                lines: memory::memory,
            },
        },
        Pane {
            id: "traffic",
            title: "Swap traffic, per second",
            about: "Bytes swapped in and out in a second, by every road: devices, zswap, zero-filled pages. Major faults waited for a device; refaults are pages that came back soon after they had gone.",
            body: Body::Facts {
                asks: &[ask!(paging: IN_RATE OUT_RATE MAJOR_FAULTS REFAULTS)],
                lines: traffic,
            },
        },
        Pane {
            id: "pressure",
            title: "Pressure, last 10 s",
            about: "The share of the last 10 seconds in which a task waited for memory (some), and in which no task could go on (full). The top of a history is the highest value in it, and 10% at least. Processes that the kernel killed for want of memory are counted since boot.",
            body: Body::Facts {
                asks: &[
                    ask!(status: MEMORY_SOME MEMORY_FULL IO_SOME IO_FULL),
                    ask!(paging: OOM_KILL),
                ],
                lines: pressure,
            },
        },
        Pane {
            id: "over-time",
            title: "Areas over time",
            about: "What each area held, up to its size, and what moves to and from it.",
            body: Body::Facts {
                asks: &[ask!(devices: NAME KIND SIZE USED IN_RATE OUT_RATE)],
                lines: over_time,
            },
        },
        Pane {
            id: "most",
            title: "Most swapped",
            about: "The processes with most private pages in swap; a bar is the part of all used swap.",
            body: Body::Facts { asks: &[ask!(processes: PID NAME SWAP SWAP_SHARE)], lines: most },
        },
        Pane {
            id: "findings",
            title: "Findings",
            about: "What is wrong with swap here, or good to know, worst first: !! hurts now or soon, ! costs speed or memory, . is no fault. Each can be explained, with the figures that show it and the command that puts it right. What was found stands for 4 s after that, so that it can be read, unless areas changed; that nothing moves is said after nothing has for as long. The pane is there as long as something stands in it.",
            body: Body::Trends {
                asks: &[ask!(status: AREAS)],
                aside: &[FOUND],
                trends: &[],
                lines: short::findings,
            },
        },
    ],
    bands: &[
        Band { panes: &[("memory", 100)], height: Height::Fits(8) },
        Band { panes: &[("traffic", 50), ("pressure", 50)], height: Height::Fits(5) },
        Band { panes: &[("short", 100)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("memory", 100)], height: Height::Fits(16) },
        Band { panes: &[("traffic", 54), ("pressure", 46)], height: Height::Fits(8) },
        Band { panes: &[("short", 100)], height: Height::Fits(10) },
        Band { panes: &[("findings", 100)], height: Height::IfAny(8) },
        Band { panes: &[("over-time", 54), ("most", 46)], height: Height::Rest },
    ],
};

/// Cells of an amount of memory.
const SIZE: usize = 7;
/// One of two panes this wide has room for more lines, since it is as high.
const WIDE_HALF: usize = 45;

/// Cells of what a figure is called.
const LABEL: usize = 11;
/// Cells of a sign before that, and of the blank behind it.
const SIGN: usize = 2;

fn traffic(facts: &Facts<'_>) -> Vec<PaneLine> {
    let row = |line: PaneLine, name: &str, column: ColumnId, role| {
        let label = LABEL - line.pieces.len() * SIGN;
        line.cell(name, Role::Label, label)
            .figure(facts.figure(column, 0).as_role(role).wide(SIZE))
            .history(facts.track(column, ""), None, role)
    };
    let flow = |flow, role| PaneLine::new().flow(flow, role);
    let mut lines = vec![
        row(flow(Flow::In, Role::In), "in", paging::IN_RATE, Role::In),
        row(flow(Flow::Out, Role::Out), "out", paging::OUT_RATE, Role::Out),
    ];
    if facts.width >= WIDE_HALF {
        lines.push(row(PaneLine::new(), "maj. faults", paging::MAJOR_FAULTS, Role::Text));
        lines.push(row(PaneLine::new(), "refaults", paging::REFAULTS, Role::Text).drops_line(1));
    } else {
        lines.push(faults(facts));
    }
    lines
}

/// Both kinds of faults in one line.
fn faults(facts: &Facts<'_>) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    let line = PaneLine::new().cell("maj. faults", Role::Label, LABEL);
    let line = line.figure(figure(paging::MAJOR_FAULTS).wide(5));
    line.fill().label("refaults").drops(1).figure(figure(paging::REFAULTS).wide(5).drops(1))
}

/// Cells of what a pressure is called.
const PRESSURE: usize = 8;
/// A history of pressures has this at its top at least: less is hardly felt, and looks so.
const LEAST_TOP: f64 = 0.1;

fn pressure(facts: &Facts<'_>) -> Vec<PaneLine> {
    let row = |name: &str, column: ColumnId| {
        let past = facts.track(column, "");
        let top = past.iter().flatten().fold(LEAST_TOP, |top, value| top.max(*value));
        PaneLine::new()
            .cell(name, Role::Label, PRESSURE)
            .figure(facts.judged(column, 0).aligned().wide(6))
            .history(past, Some(top), Role::Text)
    };
    let mut lines =
        vec![row("mem some", status::MEMORY_SOME), row("mem full", status::MEMORY_FULL)];
    let killed = facts.figure(paging::OOM_KILL, 0).wide(2);
    if facts.width >= WIDE_HALF {
        lines.push(row("io some", status::IO_SOME));
        lines.push(row("io full", status::IO_FULL).drops_line(2));
        lines.push(PaneLine::new().label("processes killed since boot").figure(killed).drops_line(1));
    } else {
        let io = facts.judged(status::IO_SOME, 0).aligned().wide(6);
        let line = PaneLine::new().cell("io some", Role::Label, PRESSURE).figure(io);
        lines.push(line.fill().label("OOM since boot").drops(1).figure(killed.drops(1)));
    }
    lines
}

fn over_time(facts: &Facts<'_>) -> Vec<PaneLine> {
    let rows = memory::shown(facts);
    let name = memory::names(facts, &rows);
    let line = |row: &usize| area_over_time(facts, *row, name).drops_line(1);
    rows.iter().map(line).chain(memory::none(facts, name)).collect()
}

fn area_over_time(facts: &Facts<'_>, row: usize, name: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let rate = |column, role| figure(column).marked("/s").as_role(role).wide(SIZE + 1).drops(3);
    let role = if memory::is_zram(facts, row) { Role::Zram } else { Role::Disk };
    let past = facts.track(devices::USED, &facts.row_name("devices", row));
    PaneLine::new()
        .figure(figure(devices::NAME).as_role(role).wide(name).left())
        .figure(figure(devices::USED).wide(SIZE))
        .history(past, facts.number(devices::SIZE, row), role)
        .figure(rate(devices::IN_RATE, Role::In))
        .label("in")
        .drops(3)
        .figure(rate(devices::OUT_RATE, Role::Out))
        .label("out")
        .drops(3)
}

fn most(facts: &Facts<'_>) -> Vec<PaneLine> {
    let process = |row| {
        let figure = |column| facts.figure(column, row);
        let share = facts.number(processes::SWAP_SHARE, row);
        PaneLine::new()
            .figure(figure(processes::PID).wide(7).drops(2))
            .figure(figure(processes::NAME).wide(15).left())
            .figure(figure(processes::SWAP).wide(SIZE))
            .figure(figure(processes::SWAP_SHARE).wide(5).drops(1))
            .bar(vec![(share, Role::Text)])
            .drops_line(1)
    };
    match facts.count("processes") {
        0 => vec![PaneLine::new().label("no process has private pages in swap")],
        count => (0..count.min(MANY)).map(process).collect(),
    }
}

/// Most processes in a list of their own.
const MANY: usize = 20;

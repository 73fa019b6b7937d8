//! The overview screen: memory and swap in one picture, and a summary.

mod memory;
mod short;

use crate::columns::ColumnId;
use crate::columns::tables::attribution::id as attribution;
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

/// The columns of findings. They are read with the slow queries: findings rarely change within a second.
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
            title: "Summary",
            about: "The main answers, one per line; the other screens show the evidence. The first line is the state of swap and the figures behind it. Under pressure, the next line names the cause. An area is filling while it and its priority group grow by enough to fill in an hour, or by 1M/s.",
            body: Body::Trends {
                asks: &[
                    ask!(status: STATE SEVERITY AREAS SWAP_USED IN_RATE OUT_RATE MEMORY_SOME MEMORY_FULL),
                    ask!(paging: RECLAIMER),
                    ask!(devices: NAME PRIORITY SIZE USED USE GROWTH GROWING FULL_IN),
                    ask!(groups: PRIORITY AREAS IMBALANCE BALANCE),
                    ask!(readahead: MODE ONLY_ZRAM AHEAD_RATE HIT_RATE WASTED_RATE),
                    ask!(headroom: MEM_AVAILABLE SWAP_FREE ZRAM_FREE ZRAM_REFUSED ZRAM_FILL_MEMORY),
                ],
                aside: &[
                    ask!(processes: PID USES NAME),
                    ask!(attribution: UNEXPLAINED),
                    ask!(cgroups: PATH SWAP LIMIT LIMIT_USE),
                    FOUND,
                ],
                trends: &[],
                lines: short::short,
            },
        },
        Pane {
            id: "memory",
            title: "Memory and swap",
            about: "Memory, the pages that zswap and zram keep compressed in it, and the disks. Bars show use. The bar of memory is split into the parts named below it. zram and zswap pages are part of kernel memory.",
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
            about: "Bytes swapped in and out per second through all paths: devices, zswap and zero-filled pages. A major fault waited for a device. A refault is a page that was reclaimed and needed again soon after.",
            body: Body::Facts {
                asks: &[ask!(paging: IN_RATE OUT_RATE MAJOR_FAULTS REFAULTS)],
                lines: traffic,
            },
        },
        Pane {
            id: "pressure",
            title: "Pressure, last 10 s",
            about: "PSI: the share of the last 10 seconds in which at least one task (some) or all tasks (full) stalled on memory or I/O. Each history is scaled to its highest value, at least 10%. OOM kills are counted since boot.",
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
            about: "How much each area held over time, scaled to its size, and its traffic now.",
            body: Body::Facts {
                asks: &[ask!(devices: NAME KIND SIZE USED IN_RATE OUT_RATE)],
                lines: over_time,
            },
        },
        Pane {
            id: "most",
            title: "Top swap users",
            about: "The processes with the most private pages in swap. A bar is the share of all used swap.",
            body: Body::Facts { asks: &[ask!(processes: PID NAME SWAP SWAP_SHARE)], lines: most },
        },
        Pane {
            id: "findings",
            title: "Findings",
            about: "Problems and notes about swap on this machine, worst first: !! is urgent, ! costs speed or memory, . is for information. Enter opens the plan that fixes a finding, a lists its actions, y copies the command, e explains it with its evidence. A finding stays for 4 s after it last applied, unless the areas change, and the machine is called idle only after 4 s without traffic. The pane is shown only when there are findings.",
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

/// Width of an amount of memory.
const SIZE: usize = 7;
/// Width from which one of two panes side by side shows more lines.
const WIDE_HALF: usize = 45;

/// Width of the label of a figure.
const LABEL: usize = 11;
/// Width of the sign before a label, with its blank.
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

/// Major faults and refaults in one line.
fn faults(facts: &Facts<'_>) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    let line = PaneLine::new().cell("maj. faults", Role::Label, LABEL);
    let line = line.figure(figure(paging::MAJOR_FAULTS).wide(5));
    line.fill().label("refaults").drops(1).figure(figure(paging::REFAULTS).wide(5).drops(1))
}

/// Width of the label of a pressure.
const PRESSURE: usize = 8;
/// The top of a pressure history is at least this share: lower pressures are hardly felt.
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
        lines.push(PaneLine::new().label("OOM kills since boot").figure(killed).drops_line(1));
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

/// Maximum number of processes in the list.
const MANY: usize = 20;

//! The overview screen: memory and swap in one picture, and a summary.

mod memory;
mod short;

use super::{
    Band, Chart, ColumnId, Facts, Flow, Height, Pane, PaneLine, Role, Scale, Screen, ask,
    tall_chart, units,
};
use crate::ui::events::EventKind;
use crate::ui::screens::devices as devices_screen;
use crate::ui::table_query::TableQuery;
use crate::ui::table_query::ids::{
    attribution, cgroups, devices, findings, groups, headroom, paging, processes, readahead,
    selection, status, zswap,
};

/// The columns of findings. They are read with the slow queries: findings rarely change within a second.
const FOUND: TableQuery = ask!(findings: SEVERITY RULE SUMMARY FIX);

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "overview",
    number: '1',
    name: "Overview",
    question: "Is swap helping or hurting?",
    answer: Pane::answer(short::answer)
        .about("The state of swap, and the figures behind it.")
        .asks(&[
            ask!(status: STATE SEVERITY AREAS SWAP_USED IN_RATE OUT_RATE MEMORY_SOME MEMORY_FULL),
            ask!(devices: NAME GROWTH GROWING FULL_IN),
        ]),
    panes: &[
        Pane::facts("short", "Summary", short::short)
            .about("The main facts, one per line; the other screens show the evidence. On a small terminal, memory, all of swap, its fullest areas and the one that fills next come first, then traffic, pressure, the top users and the findings. Under pressure, a line names the cause. An area is called filling if it and its priority group would be full within an hour at the present growth, or grow by 1M/s or more.")
            .asks(&[
                ask!(status: STATE AREAS SWAP_USED USE MEMORY_SOME MEMORY_FULL),
                ask!(paging: RECLAIMER STEAL_CGROUPS OOM_KILL IN_RATE OUT_RATE),
                ask!(groups: STATE PRIORITY AREAS IMBALANCE BALANCE),
                ask!(readahead: MODE ONLY_ZRAM AHEAD_RATE HIT_RATE SHARE_OF_READS WASTED_RATE),
                ask!(headroom: MEM_TOTAL MEM_AVAILABLE MEM_ANON MEM_FILE MEM_SHMEM MEM_KERNEL MEM_HUGETLB SWAP_TOTAL SWAP_USED SWAP_FREE ZRAM_FREE ZRAM_REFUSED ZRAM_FILL_MEMORY),
                ask!(zswap: ENABLED POOL LIMIT FILL STORED RATIO),
                ask!(devices: NAME KIND PRIORITY SIZE USED USE MEMORY_RATIO GROWTH GROWING FULL_IN),
                ask!(selection: NAME NODE NEXT_SHARE STATE),
            ])
            .aside(&[
                ask!(processes: PID USES NAME),
                ask!(attribution: UNEXPLAINED),
                ask!(cgroups: PATH SWAP LIMIT LIMIT_USE SOME10 REFAULT_RATE),
                FOUND,
            ]),
        Pane::facts("memory", "Memory and swap", memory::memory)
            .about("Memory, all of swap, the pages that zswap keeps compressed in memory, and the areas, fullest first; on a small terminal the one that fills next is kept. The title counts those for which there is no room. Bars show use. The bar of memory is split into the parts named below it. zram and zswap pages are part of kernel memory. NEXT is the share of the next pages that goes to an area. The time until an area is full appears while it is filling.")
            .asks(&[
                ask!(headroom: MEM_TOTAL MEM_AVAILABLE MEM_ANON MEM_FILE MEM_SHMEM MEM_KERNEL MEM_HUGETLB SWAP_TOTAL SWAP_USED),
                ask!(zswap: ENABLED POOL LIMIT FILL STORED RATIO),
                ask!(devices: NAME KIND PRIORITY SIZE USED USE MEMORY_RATIO GROWTH GROWING FULL_IN),
                ask!(status: USE),
                ask!(selection: NAME NODE NEXT_SHARE STATE),
            ]),
        Pane::facts("traffic", "Swap traffic, per second", traffic)
            .about("Bytes swapped in and out per second through all paths: devices, zswap and zero-filled pages. In the chart, swap-in is stacked on swap-out. A major fault waited for a device. A refault is a page that was reclaimed and needed again soon after. Below the chart, X is an OOM kill, o a change of areas or priorities, ! a new finding.")
            .asks(&[ask!(paging: IN_RATE OUT_RATE MAJOR_FAULT_RATE REFAULT_RATE)])
            .filling(),
        Pane::facts("pressure", "Pressure", pressure)
            .about("PSI: the share of the last 10 seconds in which at least one task (some) or all tasks (full) stalled on memory or I/O. In the chart, the lower part is memory full, the whole is memory some. OOM kills are counted since boot.")
            .asks(&[
                ask!(status: MEMORY_SOME MEMORY_FULL IO_SOME IO_FULL),
                ask!(paging: OOM_KILL),
            ])
            .filling(),
        Pane::facts("over-time", "Areas over time", over_time)
            .about("How much each area held over time, scaled to its size, and its traffic now.")
            .asks(&[
                ask!(devices: NAME KIND SIZE USED USE IN_RATE OUT_RATE),
                ask!(selection: NAME NODE NEXT_SHARE STATE),
            ])
            .filling(),
        Pane::facts("most", "Top swap users", most)
            .about("The processes with the most pages in swap, with shared memory where it can be read. A bar is the share of all used swap.")
            .asks(&[
                ask!(processes: PID NAME USES),
                ask!(status: SWAP_USED),
            ]),
        Pane::facts("findings", "Findings", short::findings)
            .about("Problems and notes about swap on this machine, worst first: !! is urgent, ! costs speed or memory, . is for information. Enter opens the plan that fixes a finding, a lists its actions, y copies the command, e explains it with its evidence. A finding stays for 4 s after it last applied, unless the areas change, and the machine is called idle only after 4 s without traffic. The pane is shown only when there are findings.")
            .asks(&[ask!(status: AREAS)])
            .aside(&[FOUND]),
    ],
    bands: &[
        Band { panes: &[("memory", 100)], height: Height::Fits(8) },
        Band { panes: &[("traffic", 50), ("pressure", 50)], height: Height::RestFrom(5) },
        Band { panes: &[("short", 100)], height: Height::Fits(9) },
    ],
    wide: &[
        Band { panes: &[("memory", 100)], height: Height::Fits(14) },
        Band {
            panes: &[("traffic", 34), ("over-time", 38), ("pressure", 28)],
            height: Height::RestFrom(7),
        },
        Band { panes: &[("short", 60), ("most", 40)], height: Height::Fits(9) },
        Band { panes: &[("findings", 100)], height: Height::IfAny(7) },
    ],
};

/// Width of an amount of memory.
const SIZE: usize = 7;
/// Width of the label of a figure.
const LABEL: usize = 11;
/// Lines from which a pane has a chart of several rows.
const TALL: usize = 5;

fn traffic(facts: &Facts<'_>) -> Vec<PaneLine> {
    let rate = |line: PaneLine, (flow, name, column, role): (Flow, &str, ColumnId, Role)| {
        let figure = facts.figure(column, 0).as_role(role).wide(SIZE);
        line.flow(flow, role).cell(name, Role::Label, 3).figure(figure)
    };
    let flows = [
        (Flow::Out, "out", paging::OUT_RATE, Role::Out),
        (Flow::In, "in", paging::IN_RATE, Role::In),
    ];
    let [out, into] = flows;
    if facts.height >= TALL {
        let line = rate(rate(PaneLine::new(), into).text(" ", Role::Text), out);
        let chart = facts.stacked((out.2, out.3), (into.2, into.3), "");
        let more = if facts.height > TALL { vec![faults(facts)] } else { vec![] };
        let rows = facts.height - 1 - more.len();
        return std::iter::once(line).chain(tall_chart(chart, rows)).chain(more).collect();
    }
    let line = |flow: (Flow, &str, ColumnId, Role)| {
        rate(PaneLine::new(), flow).history(facts.chart(flow.2, "", Scale::Round, flow.3))
    };
    vec![line(into), line(out), faults(facts).drops_line(1)]
}

/// Major faults and refaults in one line.
fn faults(facts: &Facts<'_>) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    let line = PaneLine::named("maj. faults", LABEL);
    let line = line.figure(figure(paging::MAJOR_FAULT_RATE).wide(5));
    line.fill().extra(1, "refaults").figure(figure(paging::REFAULT_RATE).wide(5).drops(1))
}

/// Width of the label of a pressure.
const PRESSURE: usize = 8;

fn pressure(facts: &Facts<'_>) -> Vec<PaneLine> {
    let share = |line: PaneLine, name: &str, column: ColumnId| {
        let figure = facts.judged(column, 0).aligned().wide(6);
        line.cell(name, Role::Label, PRESSURE).figure(figure)
    };
    let row = |name: &str, column: ColumnId| {
        let chart = facts.chart(column, "", Scale::Round, Role::Text);
        share(PaneLine::new(), name, column).history(chart)
    };
    if facts.height < TALL {
        let io = share(PaneLine::new(), "io some", status::IO_SOME).fill().drops(1);
        let io = io.extra(1, "OOM").figure(facts.figure(paging::OOM_KILL, 0).drops(1));
        return vec![
            row("mem some", status::MEMORY_SOME),
            row("mem full", status::MEMORY_FULL),
            io.drops_line(1),
        ];
    }
    let pair = |name: &str, some, full| {
        let figure = |column| facts.judged(column, 0).aligned();
        let line = PaneLine::named(name, 6).extra(2, "some");
        line.figure(figure(some)).label("full").figure(figure(full))
    };
    let memory = pair("memory", status::MEMORY_SOME, status::MEMORY_FULL);
    let io = pair("io", status::IO_SOME, status::IO_FULL);
    let more = if facts.height > TALL + 1 { vec![io, oom_kills(facts)] } else { vec![] };
    let rows = facts.height - 1 - more.len();
    let (full, some) = ((status::MEMORY_FULL, Role::Crit), (status::MEMORY_SOME, Role::Warn));
    let chart = tall_chart(facts.within(full, some), rows);
    std::iter::once(memory).chain(chart).chain(more).collect()
}

/// OOM kills since boot, and the last one that was seen.
pub(super) fn oom_kills(facts: &Facts<'_>) -> PaneLine {
    let line = PaneLine::new().label("OOM kills").figure(facts.figure(paging::OOM_KILL, 0));
    let now = facts.snapshot().map(|snapshot| snapshot.stamp);
    let last = now.and_then(|now| Some((facts.events.last(EventKind::OomKill, now)?, now)));
    match last {
        Some((event, now)) => {
            let ago = units::seconds(now.seconds_since(event.at));
            line.text(format!("last {ago} ago"), Role::Crit).drops(1)
        }
        None => line.extra(2, "since boot"),
    }
}

fn over_time(facts: &Facts<'_>) -> Vec<PaneLine> {
    let rows = memory::shown(facts, facts.height.max(1));
    let name = memory::names(facts, &rows);
    // Each area gets as many rows as there are for all of them.
    let each = facts.height / rows.len().max(1);
    if each > 2 {
        return rows.iter().flat_map(|row| tall_area(facts, *row, name, each)).collect();
    }
    let line = |row: &usize| area_over_time(facts, *row, name).drops_line(1);
    rows.iter().map(line).chain(memory::none(facts, name)).collect()
}

/// The figures of an area.
fn area_figures(facts: &Facts<'_>, row: usize, name: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    PaneLine::new()
        .figure(figure(devices::NAME).as_role(devices_screen::role(facts, row)).wide(name).left())
        .figure(figure(devices::USED).wide(SIZE))
        .as_area_of(facts.count("devices"))
}

/// Adds the traffic of an area.
fn area_rates(facts: &Facts<'_>, row: usize, line: PaneLine) -> PaneLine {
    let rate = |column, role| {
        facts.figure(column, row).marked("/s").as_role(role).wide(SIZE + 1).drops(10)
    };
    line.figure(rate(devices::IN_RATE, Role::In))
        .extra(10, "in")
        .figure(rate(devices::OUT_RATE, Role::Out))
        .extra(10, "out")
}

fn area_chart(facts: &Facts<'_>, row: usize) -> Chart {
    let scale = Scale::up_to(facts.number(devices::SIZE, row));
    facts.chart(
        devices::USED,
        &facts.row_name("devices", row),
        scale,
        devices_screen::role(facts, row),
    )
}

fn area_over_time(facts: &Facts<'_>, row: usize, name: usize) -> PaneLine {
    area_rates(facts, row, area_figures(facts, row, name).history(area_chart(facts, row)))
}

fn tall_area(facts: &Facts<'_>, row: usize, name: usize, lines: usize) -> Vec<PaneLine> {
    let head = area_rates(facts, row, area_figures(facts, row, name).fill());
    std::iter::once(head).chain(tall_chart(area_chart(facts, row), lines - 1)).collect()
}

fn most(facts: &Facts<'_>) -> Vec<PaneLine> {
    let process = |row| {
        let figure = |column| facts.figure(column, row);
        let used = facts.number(status::SWAP_USED, 0).filter(|used| *used > 0.0);
        let share = facts.number(processes::USES, row).zip(used).map(|(own, all)| own / all);
        PaneLine::new()
            .figure(figure(processes::PID).wide(7).drops(2))
            .figure(figure(processes::NAME).wide(15).left())
            .figure(figure(processes::USES).wide(SIZE))
            .bar(vec![(share, Role::Text)])
            .drops_line(1)
    };
    match facts.instead_of_rows("processes", NO_PROCESS) {
        Some(why) => vec![PaneLine::new().label(why)],
        None => (0..facts.count("processes").min(MANY)).map(process).collect(),
    }
}

/// Said where the table of processes has no row.
pub(super) const NO_PROCESS: &str = "no process has private pages in swap";
/// Maximum number of processes in the list.
const MANY: usize = 20;

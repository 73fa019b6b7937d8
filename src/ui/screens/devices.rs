//! The devices screen: which area is used, and whether use is balanced.

mod area;
mod balance;
mod cells;
mod next;

pub(super) use balance::{fills_by_node, fills_fastest, least_even, none_fills};
pub(super) use cells::{has_zram, role};
pub(super) use next::next_share;

use crate::ui::screen::no_swap;
use crate::ui::screens::{
    Band, Chart, Facts, Flow, Height, Pane, PaneLine, PaneTable, Piece, Role, Screen, ask,
    tall_chart, text,
};
use crate::ui::table_query::ids::{cost, devices, groups, headroom, selection, zram, zswap};
use cells::{NAME, NEXT, NEXT_HEADING, PRIORITY, SHARE, SIZE, names, none};

/// The answer: where pages are, and where the next ones go.
pub(super) const ANSWER: Pane = Pane::answer(answer)
    .about("How much of swap is used, how much of that is in zswap, which area is next, and the imbalance of the least even group.")
    .asks(&[
        ask!(devices: NAME KIND USE USED),
        ask!(headroom: SWAP_TOTAL SWAP_USED),
        ask!(selection: NAME NODE NEXT_SHARE STATE),
        ask!(groups: PRIORITY STATE AREAS IMBALANCE BALANCE),
        ask!(zswap: ENABLED USED_SHARE),
    ]);

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "devices",
    number: '2',
    name: "Devices",
    question: "Which areas are used, and is use balanced?",
    answer: ANSWER,
    panes: &[
        Pane::tables("areas", "Swap areas", &[
            PaneTable::new("areas", "devices")
                .columns("name,kind,priority,size,used,use,in_rate,out_rate,growth,read_wait,write_wait,busy,rotational,discard"),
            PaneTable::new("priorities", "groups")
                .columns("priority,state,areas,size,used,use,growth,imbalance,names"),
            PaneTable::new("order", "selection")
                .columns("node,position,name,effective,next_share,state,group_share,free,starts_after,full_after,rotation_slots,priority_source,large_folios,pitfalls"),
        ])
        .about("All swap areas, highest priority first. The kernel fills higher priorities first and rotates between areas of equal priority. in/s and out/s are the traffic of the block device; a swap file has no such counters. The second table has a row for each priority group, the third shows the allocation order."),
        Pane::facts("balance", "Balance by priority", balance::lines)
            .about("Where areas share a priority, a bar is an area's share of what its group holds: equal bars mean an even group, until the smallest area is full. Otherwise a bar is the used part of the area. USED is the history of use, scaled to the size. Growth covers the last 30 s; an area is filling while it and its group grow by enough to fill in an hour, or by 1M/s. Imbalance is the share of the group's data that would have to move for equal use. NEXT% is an area's share of the next pages, or its state; nodes means that it differs between NUMA nodes. Areas of a group rotate per cluster, or per batch of 64 slots on old kernels. A group waits until all higher priorities are full.")
            .asks(&[
                ask!(devices: NAME KIND PRIORITY SIZE USE SHARE GROWTH GROWING FULL_IN),
                ask!(groups: PRIORITY STATE AREAS USED IMBALANCE BALANCE NAMES),
                ask!(selection: NAME NODE NEXT_SHARE STATE ROTATION_UNIT ALLOCATION_ORDER ORDER_EVIDENCE PITFALLS SEVERITY),
            ]),
        Pane::facts("area", "Selected area", area::lines)
            .about("The area selected in the table: its use and traffic over time, its equal share of the group, its device, its kernel memory (now and when full), and whether swapoff fits. A zram device also shows its compression. Wait times and busy cover the last 30 s, because the kernel counts them in ticks, which are too coarse for one second.")
            .asks(&[
                ask!(devices: NAME KIND SIZE USED USE EQUAL_SHARE SHARE IN_RATE OUT_RATE ROTATIONAL DISCARD NODE DEVICE PARENT MODEL LABEL SCHEDULER BACKING_FILE DM_NAME),
                ask!(zram: NAME ALGORITHM MEMORY MEMORY_RATIO LIMIT MEMORY_IF_FULL SAME HUGE WRITTEN_BACK),
                ask!(groups: PRIORITY STATE AREAS SIZE USED USE GROWTH IMBALANCE NAMES),
                ask!(cost: NAME METADATA METADATA_FULL SWAPOFF_MOVES SWAPOFF_MEMORY SWAPOFF_FITS),
            ])
            .trends(&[ask!(devices: NAME READ_WAIT WRITE_WAIT BUSY)]),
        Pane::facts("next", "Allocation order", next::lines)
            .about("The areas in the order in which the kernel fills them, for each NUMA node if that differs. NEXT% is an area's share of the next pages, or its state. GROUP% is its share while its group is filled. STARTS-AFTER is how much goes to other areas first, FULL-AFTER how much is swapped out in total until it is full. SLOTS is how many slots are taken before the next area in the group is used. Pitfalls are explained below the table.")
            .asks(&[
                ask!(devices: NAME KIND),
                ask!(selection: NAME NODE EFFECTIVE NEXT_SHARE STATE GROUP_SHARE ROTATION_SLOTS FREE STARTS_AFTER FULL_AFTER SEVERITY EXPLANATION),
            ]),
        Pane::facts("traffic", "Traffic by area, per second", traffic)
            .about("What is read from and written to each area, with its history. Swap-out is the lower part of each graph, swap-in is stacked on it. A swap file has no such counters.")
            .asks(&[ask!(devices: NAME KIND IN_RATE OUT_RATE)])
            .filling(),
    ],
    bands: &[
        Band { panes: &[("areas", 100)], height: Height::Fits(10) },
        Band { panes: &[("balance", 61), ("area", 39)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("areas", 72), ("area", 28)], height: Height::Fits(18) },
        Band { panes: &[("balance", 100)], height: Height::Fits(18) },
        Band { panes: &[("next", 54), ("traffic", 46)], height: Height::Rest },
    ],
};

fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    let count = facts.count("devices");
    if count == 0 {
        let is_unknown = facts.answers.failed("devices").is_some();
        return if is_unknown { none(facts, "devices") } else { no_swap() };
    }
    let figure = |column| facts.figure(column, 0);
    let areas = if count == 1 { "1 area holds".to_owned() } else { format!("{count} areas hold") };
    let line = PaneLine::new().extra(4, areas).figure(figure(headroom::SWAP_USED)).label("of");
    let line = line.figure(figure(headroom::SWAP_TOTAL));
    let line = match facts.number(zswap::USED_SHARE, 0) {
        Some(share) if share > 0.0 => {
            let share = figure(zswap::USED_SHARE).drops(2);
            line.extra(2, "-").figure(share).extra(2, "of it in zswap")
        }
        _ => line,
    };
    let mut next = (0..count).filter_map(|row| Some((row, next_share(facts, row)?)));
    let Some((row, share)) = next.next() else {
        let rows = 0..facts.count("selection");
        let full = |row| facts.words(selection::STATE, row) == "full";
        let is_full = !rows.is_empty() && rows.into_iter().all(full);
        return vec![if is_full { line.text("- every area is full", Role::Warn) } else { line }];
    };
    let line = next_pages(facts, line, (row, share), next);
    let line = match balance::least_even(facts) {
        Some(row) => {
            line.extra(3, "- imbalance").figure(facts.judged(groups::IMBALANCE, row).drops(3))
        }
        None => line,
    };
    vec![line]
}

/// The areas that get the next pages, each with its share; equal shares are shown once.
fn next_pages(
    facts: &Facts<'_>,
    line: PaneLine,
    (row, share): (usize, Piece),
    others: impl Iterator<Item = (usize, Piece)>,
) -> PaneLine {
    let area =
        |row| facts.figure(devices::NAME, row).without_folder().as_role(role(facts, row)).left();
    let first = share.words().to_owned();
    let head = if facts.width < 60 { "- next:" } else { "- next pages:" };
    let line = line.label(head);
    // zswap takes the pages, and each gets a slot on the area.
    let (line, to) = if facts.number(zswap::ENABLED, 0) > Some(0.0) {
        let line = line.label("zswap").extra(1, "- slots:").figure(share.drops(1));
        (line.extra(1, "on").figure(area(row).drops(1)), "on")
    } else {
        (line.figure(share.drops(1)).extra(1, "to").figure(area(row)), "to")
    };
    let others: Vec<(usize, Piece)> = others.collect();
    if !others.is_empty() && others.iter().all(|(_, share)| share.words() == first) {
        let and = match others.as_slice() {
            [(other, _)] => line.extra(3, "and").figure(area(*other).drops(3)),
            others => line.extra(3, format!("and {} others,", others.len())),
        };
        return and.extra(3, "each");
    }
    others.into_iter().fold(line, |line, (row, share)| {
        let line = line.extra(3, "and").figure(share.drops(3)).extra(3, to);
        line.figure(area(row).drops(3))
    })
}

/// The traffic of each area. Areas share the height of the pane.
fn traffic(facts: &Facts<'_>) -> Vec<PaneLine> {
    let count = facts.count("devices");
    if count == 0 {
        return none(facts, "devices");
    }
    let name = names(facts, devices::NAME);
    let is_counted = |row: &usize| facts.words(devices::KIND, *row) != "file";
    let counted = (0..count).filter(is_counted).count();
    let spare = facts.height.saturating_sub(count) / counted.max(1);
    let lines = |row| {
        let (line, chart) = flows(facts, name, row);
        match chart {
            Some(chart) if spare >= TALL => {
                std::iter::once(line).chain(tall_chart(chart, spare)).collect()
            }
            Some(chart) => vec![line.history(chart)],
            None => vec![line],
        }
    };
    (0..count).flat_map(lines).map(|line| line.drops_line(1)).collect()
}

/// Lines from which the traffic of an area has a chart of several rows.
const TALL: usize = 3;

/// The traffic of one area, and its chart if it is counted.
fn flows(facts: &Facts<'_>, name: usize, row: usize) -> (PaneLine, Option<Chart>) {
    let area = facts.figure(devices::NAME, row).as_role(role(facts, row));
    let line = PaneLine::new().figure(area.wide(name).left());
    if facts.words(devices::KIND, row) == "file" {
        return (line.text("I/O of a file is not counted", Role::Faint), None);
    }
    let key = facts.row_name("devices", row);
    let line = [(Flow::In, devices::IN_RATE, Role::In), (Flow::Out, devices::OUT_RATE, Role::Out)]
        .into_iter()
        .fold(line, |line, (flow, column, role)| {
            line.flow(flow, role).figure(facts.figure(column, row).as_role(role).wide(SIZE))
        });
    let parts = ((devices::OUT_RATE, Role::Out), (devices::IN_RATE, Role::In));
    (line, Some(facts.stacked(parts.0, parts.1, &key)))
}

/// Minimum width of a tank.
const TANK: usize = 8;

/// A line for each area, highest priority first: the tank, and its share of the next pages.
pub(in crate::ui::screens) fn tanks(facts: &Facts<'_>) -> Vec<PaneLine> {
    let count = facts.count("devices");
    if count == 0 {
        return none(facts, "devices");
    }
    let mut rows: Vec<usize> = (0..count).collect();
    let priority = |row: &usize| facts.number(devices::PRIORITY, *row).unwrap_or(f64::MIN);
    rows.sort_by(|a, b| priority(b).total_cmp(&priority(a)));
    let short = |row| facts.figure(devices::NAME, row).without_folder();
    let widths = (0..count).map(|row| text::width(short(row).words()));
    let name = widths.fold("AREA".len(), usize::max).min(NAME);
    let right = |text: &str, cells: usize| format!("{text:>cells$}");
    let heading = PaneLine::new().label(" ").label(right("PRIO", PRIORITY)).label("AREA");
    let heading = heading.min_width(name).label(right("USE%", SHARE));
    let heading = heading.fill().min_width(TANK).drops(3);
    let heading = heading.extra(4, right("USED", SIZE)).label(right(NEXT_HEADING, NEXT));
    let tank = |row: usize| {
        let figure = |column| facts.figure(column, row);
        let next_share = next::next_share(facts, row);
        let line = PaneLine::new().text(if next_share.is_some() { ">" } else { " " }, Role::Accent);
        let line = line.figure(figure(devices::PRIORITY).wide(PRIORITY));
        let area = short(row).as_role(role(facts, row)).exactly(name).left();
        let line = line.figure(area).figure(figure(devices::USE).wide(SHARE));
        let line = line.bar(vec![(facts.number(devices::USE, row), role(facts, row))]);
        let line = line.min_width(TANK).drops(3);
        let line = line.figure(figure(devices::USED).wide(SIZE).drops(4));
        match next_share {
            Some(share) => line.figure(share.wide(NEXT)),
            None => next::share(facts, line, row),
        }
    };
    std::iter::once(heading).chain(rows.into_iter().map(tank)).collect()
}

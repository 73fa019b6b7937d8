//! Which device carries it, and is it even?

mod area;
mod balance;
mod cells;
mod next;

pub(super) use balance::{fills_fastest, none_fills};

use crate::columns::tables::cost::id as cost;
use crate::columns::tables::devices::id as devices;
use crate::columns::tables::groups::id as groups;
use crate::columns::tables::selection::id as selection;
use crate::columns::tables::zram::id as zram;
use crate::ui::content::{Flow, PaneLine};
use crate::ui::pane_data::Facts;
use crate::ui::screen::{Band, Body, Height, Pane, Screen, PaneTable};
use crate::ui::table_query::ask;
use crate::ui::theme::Role;
use cells::{SIZE, names, none, role};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "devices",
    number: '2',
    name: "Devices",
    question: "Which device carries it, and is it even?",
    panes: &[
        Pane {
            id: "areas",
            title: "Swap areas",
            about: "All swap areas, highest priority first: the kernel fills those first, and lets areas of one priority take turns. in/s and out/s are what the device read and wrote; a file has no such counters. The second table has a row for each priority, the third has the areas in the order in which the next pages go to them.",
            body: Body::Tables(&[
                PaneTable {
                    name: "areas",
                    table: "devices",
                    columns: Some(
                        "name,kind,priority,size,used,use,in_rate,out_rate,growth,read_wait,write_wait,busy,rotational,discard",
                    ),
                    sort: None,
                },
                PaneTable {
                    name: "priorities",
                    table: "groups",
                    columns: Some("priority,turn,areas,size,used,use,growth,skew,names"),
                    sort: None,
                },
                PaneTable {
                    name: "order",
                    table: "selection",
                    columns: Some(
                        "node,position,name,effective,share,turn,in_turn,free,begins,full_after,slots,why,large,traps",
                    ),
                    sort: None,
                },
            ]),
        },
        Pane {
            id: "balance",
            title: "Balance by priority",
            about: "A bar is an area's share of what all areas of its priority hold: equal bars are even, until the smallest area is full; where no two share one, a bar is what is used of a size. USED is how full it was, up to its size. Growth is over the last 30 s; an area fills if it grew by 1% of its size in that time, and all of its priority together did. Skew is the part that would have to move. NEXT is an area's share of the next pages, or why it gets none: nodes where that depends on the NUMA node. Turns are by cluster or by batch of 64 slots. A priority waits until those above it are full.",
            body: Body::Trends {
                asks: &[
                    ask!(devices: NAME KIND PRIORITY SIZE USE SHARE),
                    ask!(groups: PRIORITY TURN AREAS USED SKEW NAMES),
                    ask!(selection: NAME NODE SHARE TURN GRAIN ORDER KNOWN_BY TRAPS SEVERITY),
                ],
                aside: &[],
                trends: &[
                    ask!(devices: NAME PRIORITY SIZE GROWTH FULL_IN),
                    ask!(groups: PRIORITY SIZE GROWTH),
                ],
                lines: balance::lines,
            },
        },
        Pane {
            id: "area",
            title: "Selected area",
            about: "The area that is selected in the table: how its use and its traffic went, how much it would hold if its priority were even, and what carries it. For zram also what its memory buys. Waits and busy are over the last 30 s: the kernel counts them in ticks, too coarse for a second.",
            body: Body::Trends {
                asks: &[
                    ask!(devices: NAME KIND SIZE USED USE IDEAL SHARE IN_RATE OUT_RATE ROTATIONAL DISCARD NODE DEVICE PARENT MODEL LABEL SCHEDULER BACKING_FILE DM_NAME),
                    ask!(zram: NAME ALGORITHM MEMORY MEMORY_RATIO LIMIT WHEN_FULL SAME HUGE WRITTEN_BACK),
                    ask!(groups: PRIORITY TURN AREAS SIZE USED USE GROWTH SKEW NAMES),
                    ask!(cost: NAME METADATA METADATA_FULL OFF_MOVES OFF_MEMORY OFF_FITS),
                ],
                aside: &[],
                trends: &[ask!(devices: NAME READ_WAIT WRITE_WAIT BUSY)],
                lines: area::lines,
            },
        },
        Pane {
            id: "next",
            title: "Next pages",
            about: "The areas in the order in which the kernel takes them, on each NUMA node where they differ. NEXT is an area's share of the next pages, or why it gets none, IN-TURN its share when it is its turn; BEGINS is how much goes elsewhere before, FULL-AFTER how much goes out, to whichever area, until it is full. SLOTS is how long a turn is. Below stands what does not go as it seems.",
            body: Body::Facts {
                asks: &[
                    ask!(devices: NAME KIND),
                    ask!(selection: NAME NODE EFFECTIVE SHARE TURN IN_TURN SLOTS FREE BEGINS FULL_AFTER SEVERITY MEANING),
                ],
                lines: next::lines,
            },
        },
        Pane {
            id: "traffic",
            title: "Traffic by area, per second",
            about: "What was read from each area and written to it, and how that went; each history has a top of its own. A file has no such counters.",
            body: Body::Facts {
                asks: &[ask!(devices: NAME KIND IN_RATE OUT_RATE)],
                lines: traffic,
            },
        },
    ],
    bands: &[
        Band { panes: &[("areas", 100)], height: Height::Fits(11) },
        Band { panes: &[("balance", 61), ("area", 39)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("areas", 72), ("area", 28)], height: Height::Fits(18) },
        Band { panes: &[("balance", 100)], height: Height::Fits(18) },
        Band { panes: &[("next", 60), ("traffic", 40)], height: Height::Rest },
    ],
};

/// What moves to and from each area.
fn traffic(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.count("devices") == 0 {
        return none(facts, "devices");
    }
    let name = names(facts, devices::NAME);
    (0..facts.count("devices")).map(|row| flows(facts, name, row).drops_line(1)).collect()
}

/// What moves to and from one area.
fn flows(facts: &Facts<'_>, name: usize, row: usize) -> PaneLine {
    let area = facts.figure(devices::NAME, row).as_role(role(facts, row));
    let line = PaneLine::new().figure(area.wide(name).left());
    if facts.words(devices::KIND, row) == "file" {
        return line.text("I/O of a file is not counted", Role::Faint);
    }
    let key = facts.row_name("devices", row);
    [(Flow::In, devices::IN_RATE, Role::In), (Flow::Out, devices::OUT_RATE, Role::Out)]
        .into_iter()
        .fold(line, |line, (flow, column, role)| {
            let rate = facts.figure(column, row).as_role(role).wide(SIZE);
            let past = facts.track(column, &key);
            line.flow(flow, role).figure(rate).history(past, None, role)
        })
}

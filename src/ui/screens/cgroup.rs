//! The page of one cgroup: its limits, what happened at them, and who is inside.

use super::{
    Band, ColumnId, Facts, Height, Pane, PaneLine, PaneTable, Role, Screen, ask, processes as list,
};
use crate::ui::table_query::ids::cgroups;

/// The page.
pub static SCREEN: Screen = Screen {
    id: "cgroup",
    number: ' ',
    name: "cgroup",
    question: "What limits this cgroup, and who is inside?",
    answer: Pane::answer(answer)
        .about("Swap and memory of the cgroup, and how close it is to its limit.")
        .asks(&[ask!(one cgroups: PATH SWAP MEMORY LIMIT LIMIT_USE OOM_KILLS)]),
    panes: &[
        Pane::facts("usage", "Use and limits", usage)
            .about("Memory, swap and zswap of the cgroup with its children, and the limits on them. a raises a limit.")
            .asks(&[
                ask!(one cgroups: PATH SWAP SWAP_MAX MEMORY MEMORY_MAX LIMIT_USE MEMORY_HIGH MEMORY_LOW MEMORY_MIN MEMORY_PEAK ZSWAP ZSWAP_MAX ZSWAP_WRITEBACK IN_RATE OUT_RATE SOME10 FULL10 SWAP_FAIL SWAP_MAX_HITS ANON MAJOR_FAULTS ZSWAPPED MEMSW MEMSW_MAX),
            ]),
        Pane::tables("inside", "Inside", &[
            PaneTable::new("processes", "processes")
                .columns("pid,name,user,swap,rss,major_fault_rate,cgroup,command")
                .sort("-swap,pid"),
            PaneTable::new("nodes", "cgroup_nodes"),
            PaneTable::new("ages", "cgroup_ages"),
        ])
        .about("Processes of the cgroup and its children by swap; its memory by NUMA node; ages of its pages from the multi-generational LRU."),
        Pane::facts("events", "Events", events)
            .about("What happened at the limits of the cgroup, what reclaim did in it, and its container.")
            .asks(&[
                ask!(one cgroups: OOM_KILLS OWN_OOM_KILLS OOMS MEMORY_MAX_HITS MEMORY_HIGH_HITS LOW_HITS UNDER_OOM OOM_GROUP MEMSW_FAIL SWAPPINESS REFAULTS REFAULT_RATE SCANNED RECLAIMED RUNTIME CONTAINER POD CONTAINER_NAME POD_NAME NAMESPACE),
            ]),
        list::OVER_TIME,
    ],
    bands: &[
        Band { panes: &[("usage", 55), ("events", 45)], height: Height::Fits(12) },
        Band { panes: &[("inside", 100)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("usage", 55), ("events", 45)], height: Height::Fits(18) },
        Band { panes: &[("inside", 100)], height: Height::Fits(24) },
        Band { panes: &[("over-time", 100)], height: Height::RestFrom(6) },
    ],
};

fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.picked(column);
    let Some(row) = facts.picked_row() else { return vec![PaneLine::new().label(gone(facts))] };
    let mut line = PaneLine::new()
        .figure(figure(cgroups::SWAP))
        .label("in swap,")
        .figure(figure(cgroups::MEMORY))
        .label("in memory");
    if facts.number(cgroups::LIMIT, row).is_some() {
        line = line.extra(1, "of").figure(figure(cgroups::LIMIT).drops(1)).extra(1, "allowed");
    }
    if facts.number(cgroups::OOM_KILLS, row) > Some(0.0) {
        line = line.label("and").figure(figure(cgroups::OOM_KILLS).as_role(Role::Warn));
        line = line.label("killed for lack of memory");
    }
    vec![line]
}

fn gone(facts: &Facts<'_>) -> String {
    let path = crate::model::name::safe_text(facts.selected.unwrap_or("-"));
    match facts.rows("cgroups") {
        Some(_) => format!("cgroup {path} does not exist now"),
        None => format!("cgroup {path}: not sampled yet"),
    }
}

fn usage(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.picked_row().is_none() {
        return facts.wrapped(&gone(facts), Role::Text);
    }
    let mut lines = list::cgroup(facts);
    let low = list::two(facts, ("low", cgroups::MEMORY_LOW), ("min", cgroups::MEMORY_MIN));
    lines.push(low.drops_line(5));
    // What this cgroup version does not have is in no line.
    lines.retain(list::is_known);
    lines
}

fn events(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.picked_row().is_none() {
        return vec![];
    }
    let two = |first, second, drop| pair(facts, first, second, drop);
    let named = |name: &str, column, drop| vec![list::named(facts, name, column).drops_line(drop)];
    let lines = [
        two(("OOM kill", cgroups::OOM_KILLS), ("own", cgroups::OWN_OOM_KILLS), 0),
        two(("OOM", cgroups::OOMS), ("group", cgroups::OOM_GROUP), 3),
        two(("at max", cgroups::MEMORY_MAX_HITS), ("at high", cgroups::MEMORY_HIGH_HITS), 1),
        two(("memsw", cgroups::MEMSW_FAIL), ("OOM now", cgroups::UNDER_OOM), 2),
        two(("refaults", cgroups::REFAULTS), ("a second", cgroups::REFAULT_RATE), 3),
        two(("scanned", cgroups::SCANNED), ("reclaim", cgroups::RECLAIMED), 4),
        two(("low hit", cgroups::LOW_HITS), ("swappi.", cgroups::SWAPPINESS), 6),
        named("runtime", cgroups::RUNTIME, 2),
        named("name", cgroups::CONTAINER_NAME, 2),
        named("pod", cgroups::POD_NAME, 3),
        named("space", cgroups::NAMESPACE, 5),
        named("pod UID", cgroups::POD, 5),
        named("id", cgroups::CONTAINER, 4),
    ];
    let lines = lines.into_iter().flatten();
    lines.filter(list::is_known).collect()
}

/// Width of two figures side by side.
const PAIR: usize = 38;

/// Two figures in one line, or in two where it is too narrow.
fn pair(
    facts: &Facts<'_>,
    first: (&str, ColumnId),
    second: (&str, ColumnId),
    drop: u8,
) -> Vec<PaneLine> {
    if facts.width >= PAIR {
        return vec![list::two(facts, first, second).drops_line(drop)];
    }
    let one = |(name, column): (&str, ColumnId)| list::named(facts, name, column);
    vec![one(first).drops_line(drop), one(second).drops_line(drop + 1)]
}

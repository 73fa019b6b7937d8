//! The page of one process: where its swapped memory is mapped, and what it waits for.

use super::{
    Band, ColumnId, Facts, Height, Pane, PaneLine, PaneTable, Role, Screen, ask, processes as list,
    safe_text,
};
use crate::ui::table_query::ids::{mappings, processes};

/// The page.
pub static SCREEN: Screen = Screen {
    id: "process",
    number: ' ',
    name: "process",
    question: "Where is its swapped memory, and what does it wait for?",
    answer: Pane::answer(answer)
        .about("How much of the process is in swap, and which mapping holds most of it.")
        .asks(&[ask!(one processes: PID NAME SWAP SWAP_MAPPED), ask!(mappings: SWAP NAME)]),
    panes: &[
        Pane::facts("process", "Process", process)
            .about("Memory, swap and faults of the process. C opens its cgroup.")
            .asks(&[
                ask!(one processes: PID NAME USER SWAP SWAP_SHARE SWAP_PSS SWAP_MAPPED RSS PSS SWAPPED_SHARE SHMEM PPID MAJOR_FAULTS MAJOR_FAULT_RATE CGROUP COMMAND),
            ]),
        Pane::tables("mappings", "Mappings in swap", &[PaneTable::new("mappings", "mappings")
            .columns("swap,swap_pss,rss,pss,size,count,name")
            .sort("-swap,name")])
        .about("Mappings of the process by file or kind, with their pages in swap. Their page tables are walked again and again while the page is open."),
        Pane::facts("waits", "Waits of its threads", waits)
            .about("Time that its threads waited, in total and in percent of the time since the last sample. Of ended threads, only the waits for swap count.")
            .asks(&[
                ask!(one processes: RUN_WAIT RUN_WAIT_SHARE BLOCK_WAIT BLOCK_WAIT_SHARE SWAP_WAIT SWAP_WAIT_SHARE),
            ]),
        list::OVER_TIME,
    ],
    bands: &[
        Band { panes: &[("process", 55), ("waits", 45)], height: Height::Fits(11) },
        Band { panes: &[("mappings", 100)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("process", 55), ("waits", 45)], height: Height::Fits(14) },
        Band { panes: &[("mappings", 100)], height: Height::Fits(24) },
        Band { panes: &[("over-time", 100)], height: Height::RestFrom(6) },
    ],
};

/// Width from which the answer names a mapping.
const ROOM: usize = 50;

fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    let Some(row) = facts.picked_row() else { return vec![PaneLine::new().label(gone(facts))] };
    let line = PaneLine::new().figure(facts.figure(processes::NAME, row).left()).label("has");
    let in_swap = match facts.number(processes::SWAP_MAPPED, row) {
        Some(_) => facts.figure(processes::SWAP_MAPPED, row),
        None => facts.figure(processes::SWAP, row),
    };
    let line = line.figure(in_swap);
    if facts.count("mappings") == 0 || facts.width < ROOM {
        return vec![line.label("in swap")];
    }
    let line = line.label("in swap, most of it:").figure(facts.figure(mappings::SWAP, 0));
    vec![line.label("in").figure(facts.figure(mappings::NAME, 0).left())]
}

/// Why there is no row.
fn gone(facts: &Facts<'_>) -> String {
    let pid = facts.selected.unwrap_or("-");
    match facts.rows("processes") {
        Some(_) => format!("process {pid} has ended, or this sample is without it"),
        None => format!("process {pid}: not sampled yet"),
    }
}

fn process(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.picked_row().is_none() {
        return facts.wrapped(&gone(facts), Role::Text);
    }
    let mut lines = list::process(facts);
    let pss = list::named(facts, "pss", processes::PSS);
    lines.insert(3.min(lines.len()), pss.drops_line(2));
    // The mappings give the reason where the details were not read.
    lines.retain(list::is_known);
    lines
}

fn waits(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.picked_row().is_none() {
        return vec![];
    }
    let row = |name: &str, total: ColumnId, share: ColumnId| {
        let line = PaneLine::named(name, 11).figure(facts.picked(total).wide(8));
        let is_known = facts.picked_row().and_then(|row| facts.number(total, row)).is_some();
        if is_known { line.figure(facts.picked(share).wide(6)).extra(1, "of time") } else { line }
    };
    let mut lines = vec![
        row("for a CPU", processes::RUN_WAIT, processes::RUN_WAIT_SHARE),
        row("for I/O", processes::BLOCK_WAIT, processes::BLOCK_WAIT_SHARE),
        row("for swap", processes::SWAP_WAIT, processes::SWAP_WAIT_SHARE),
    ];
    // What is missing is said here: it is the same reason on every visit.
    let Some(row) = facts.picked_row() else { return lines };
    if !lines.iter().any(list::is_known) {
        lines.clear();
    }
    let mut reasons: Vec<String> = [processes::BLOCK_WAIT, processes::SWAP_WAIT]
        .iter()
        .filter_map(|column| Some(facts.value(*column, row)?.missing()?.why()))
        .collect();
    reasons.dedup();
    let notes = reasons.iter().flat_map(|why| facts.wrapped(&safe_text(why), Role::Faint));
    lines.extend(notes.map(|line| line.drops_line(1)));
    lines
}

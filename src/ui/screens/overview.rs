//! Is swap helping or hurting? Everything in one picture, and the answers in short.

use crate::ui::answers::{Ask, Facts};
use crate::ui::content::Line;
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
            about: "Memory, what zswap and zram keep compressed in it, and the disks behind: in the order in which pages go down. A bar is what is used; of memory its private pages, pages of files and shared memory.",
            body: Body::Facts {
                asks: &[
                    Ask {
                        table: "headroom",
                        columns: "mem_total,mem_available,mem_anon,mem_file,mem_shmem",
                    },
                    Ask { table: "zswap", columns: "enabled,pool,limit,fill,stored,ratio" },
                    Ask { table: "devices", columns: "name,kind,size,used,use,memory_ratio" },
                ],
                lines: memory,
            },
        },
        Pane {
            id: "traffic",
            title: "Swap traffic",
            about: "Bytes swapped in and out in a second, by every road: devices, zswap, zero-filled pages. Faults that waited for a device, and pages that came back soon after they had gone.",
            body: Body::Facts {
                asks: &[Ask {
                    table: "paging",
                    columns: "in_rate,out_rate,major_faults,refaults,direct_share",
                }],
                lines: traffic,
            },
        },
        Pane {
            id: "pressure",
            title: "Pressure",
            about: "The share of the last 10 seconds in which a task waited for memory (some), and in which no task could go on (full).",
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
            about: "The answers that people come for; each screen has the evidence.",
            body: Body::Facts {
                asks: &[
                    Ask { table: "devices", columns: "name,used,use,growth" },
                    Ask { table: "groups", columns: "priority,areas,skew" },
                    Ask { table: "readahead", columns: "mode,success,wasted_rate,success_boot" },
                    Ask { table: "processes", columns: "pid,swap,name" },
                ],
                lines: short,
            },
        },
    ],
    bands: &[
        Band { panes: &[("memory", 100)], height: Height::Fits(9) },
        Band { panes: &[("traffic", 54), ("pressure", 46)], height: Height::Fits(6) },
        Band { panes: &[("short", 100)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("memory", 100)], height: Height::Fits(16) },
        Band { panes: &[("traffic", 54), ("pressure", 46)], height: Height::Fits(8) },
        Band { panes: &[("short", 100)], height: Height::Rest },
    ],
};

/// Cells of a name in the picture.
const NAME: usize = 14;
/// Cells of an amount of memory.
const SIZE: usize = 7;

fn memory(facts: &Facts<'_>) -> Vec<Line> {
    let mut lines = vec![ram(facts)];
    lines.extend(zswap(facts));
    lines.extend((0..facts.count("devices")).map(|row| device(facts, row)));
    if facts.count("devices") == 0 {
        let why = facts.answers.failed("devices");
        lines.push(
            Line::new().text(why.unwrap_or_else(|| "no swap is active".to_owned()), Role::Faint),
        );
    }
    lines
}

fn ram(facts: &Facts<'_>) -> Line {
    let number = |column| facts.number("headroom", 0, column);
    let share = |column| Some(number(column)? / number("mem_total")?.max(1.0));
    let parts = [("mem_anon", Role::Ram), ("mem_file", Role::Ram), ("mem_shmem", Role::Ram)];
    let bar = parts.iter().filter_map(|(column, role)| Some((share(column)?, *role))).collect();
    let figure = |column| facts.figure("headroom", 0, column);
    Line::new()
        .cell("memory", Role::Ram, NAME)
        .figure(figure("mem_total").wide(SIZE))
        .bar(bar)
        .label("private")
        .drops(3)
        .figure(figure("mem_anon").drops(3))
        .label("file")
        .drops(5)
        .figure(figure("mem_file").drops(5))
        .label("avail")
        .figure(figure("mem_available").wide(SIZE))
}

fn zswap(facts: &Facts<'_>) -> Option<Line> {
    let on = facts.number("zswap", 0, "enabled")? > 0.0;
    let kept = facts.number("zswap", 0, "stored").is_some_and(|stored| stored > 0.0);
    if !on && !kept {
        return None;
    }
    let figure = |column| facts.figure("zswap", 0, column);
    let bar =
        facts.number("zswap", 0, "fill").map_or_else(Vec::new, |fill| vec![(fill, Role::Pool)]);
    let line = Line::new()
        .cell("zswap", Role::Pool, NAME)
        .figure(figure("limit").wide(SIZE))
        .bar(bar)
        .label("keeps")
        .drops(3)
        .figure(figure("stored").drops(3))
        .label("in")
        .figure(figure("pool").wide(SIZE));
    Some(line)
}

fn device(facts: &Facts<'_>, row: usize) -> Line {
    let figure = |column| facts.figure("devices", row, column);
    let role = if facts.words("devices", row, "kind") == "zram" { Role::Zram } else { Role::Disk };
    let used = facts.number("devices", row, "use");
    let line = Line::new()
        .figure(figure("name").as_role(role).wide(NAME).left())
        .figure(figure("size").wide(SIZE))
        .bar(used.map_or_else(Vec::new, |used| vec![(used, role)]));
    let line = match facts.number("devices", row, "memory_ratio") {
        Some(_) => line.figure(figure("memory_ratio").drops(3)).label("to 1").drops(3),
        None => line,
    };
    line.figure(figure("use").wide(5).drops(2))
        .label("used")
        .figure(figure("used").wide(SIZE))
        .goes(1)
}

fn traffic(facts: &Facts<'_>) -> Vec<Line> {
    let row = |name: &str, column: &'static str, role| {
        Line::new()
            .cell(name, Role::Label, 8)
            .figure(facts.figure("paging", 0, column).as_role(role).wide(SIZE))
            .history(facts.track("paging", "", column), None, role)
    };
    vec![
        row("in/s", "in_rate", Role::In),
        row("out/s", "out_rate", Role::Out),
        row("majflt/s", "major_faults", Role::Text),
        row("refault/s", "refaults", Role::Text).goes(3),
    ]
}

fn pressure(facts: &Facts<'_>) -> Vec<Line> {
    let row = |name: &str, column: &'static str| {
        Line::new()
            .cell(name, Role::Label, 8)
            .figure(facts.judged("status", 0, column).wide(6))
            .history(facts.track("status", "", column), Some(1.0), Role::Text)
    };
    let oom = Line::new()
        .cell("OOM kills since boot", Role::Label, 8)
        .figure(facts.figure("paging", 0, "oom_kill"));
    vec![
        row("mem some", "memory_some"),
        row("mem full", "memory_full"),
        row("io some", "io_some"),
        oom.goes(3),
    ]
}

fn short(facts: &Facts<'_>) -> Vec<Line> {
    let mut lines = vec![];
    lines.extend(fastest(facts));
    lines.extend(balance(facts));
    lines.push(readahead(facts));
    lines.extend(swapped(facts));
    lines
}

/// Cells of a question.
const ASK: usize = 16;

fn fastest(facts: &Facts<'_>) -> Option<Line> {
    let growth = |row: usize| facts.number("devices", row, "growth");
    let most = |rows: std::ops::Range<usize>, of: &dyn Fn(usize) -> Option<f64>| {
        rows.filter_map(|row| Some((row, of(row)?))).max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let rows = || 0..facts.count("devices");
    let figure = |row, column| facts.figure("devices", row, column);
    if let Some((row, _)) = most(rows(), &growth).filter(|(_, growth)| *growth > 0.0) {
        let line = Line::new().cell("fills fastest", Role::Label, ASK);
        let line = line.figure(figure(row, "name").left()).text("grows", Role::Label);
        return Some(
            line.figure(figure(row, "growth"))
                .text("/s", Role::Label)
                .label("to")
                .figure(facts.judged("devices", row, "use")),
        );
    }
    let used = |row: usize| facts.number("devices", row, "used");
    let (row, _) = most(rows(), &used)?;
    let line =
        Line::new().cell("carries most", Role::Label, ASK).figure(figure(row, "name").left());
    Some(
        line.figure(figure(row, "used"))
            .figure(facts.judged("devices", row, "use"))
            .text("and nothing fills now", Role::Label),
    )
}

fn balance(facts: &Facts<'_>) -> Option<Line> {
    let rows = 0..facts.count("groups");
    let skewed = rows.filter_map(|row| Some((row, facts.number("groups", row, "skew")?)));
    let (row, _) = skewed.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let line = Line::new().cell("balance", Role::Label, ASK).label("priority");
    let line = line.figure(facts.figure("groups", row, "priority"));
    let line = line.figure(facts.figure("groups", row, "areas")).label("areas, on the wrong one");
    Some(line.figure(facts.judged("groups", row, "skew")))
}

fn readahead(facts: &Facts<'_>) -> Line {
    let line = Line::new().cell("readahead", Role::Label, ASK);
    let line = line.figure(facts.figure("readahead", 0, "mode").left());
    match facts.number("readahead", 0, "success") {
        Some(_) => line
            .label("used")
            .figure(facts.judged("readahead", 0, "success"))
            .label("wasted/s")
            .figure(facts.figure("readahead", 0, "wasted_rate")),
        None => line.label("used since boot").figure(facts.figure("readahead", 0, "success_boot")),
    }
}

/// Most processes that are named.
const MOST: usize = 3;

fn swapped(facts: &Facts<'_>) -> Option<Line> {
    let count = facts.count("processes");
    let mut line = Line::new().cell("most swapped", Role::Label, ASK);
    if count == 0 {
        return Some(line.text("no process has private pages in swap", Role::Faint));
    }
    for row in 0..count.min(MOST) {
        let drop = u8::try_from(row).unwrap_or(0);
        let figure = |column| facts.figure("processes", row, column).drops(drop);
        line = line.figure(figure("name").left()).figure(figure("swap"));
    }
    Some(line)
}

//! What does the memory buy?

use crate::columns::ColumnId;
use crate::columns::Value;
use crate::columns::tables::devices::id as devices;
use crate::columns::tables::headroom::id as headroom;
use crate::columns::tables::zram::id as zram;
use crate::columns::tables::zswap::id as zswap;
use crate::ui::content::{PaneLine, wrapped};
use crate::ui::pane_data::Facts;
use crate::ui::screen::{Band, Body, Height, Pane, Screen, PaneTable};
use crate::ui::table_query::ask;
use crate::ui::theme::Role;

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "compression",
    number: '3',
    name: "Compress",
    question: "What does the memory in zram and zswap buy?",
    panes: &[
        Pane {
            id: "zram",
            title: "zram",
            about: "Each zram device: data kept, its compressed size, and the memory it takes. RATIO is how well the algorithm does, MEMRATIO what the memory buys, both to 1; data of one repeated value (SAME) takes none. HUGE did not compress.",
            body: Body::Tables(&[PaneTable {
                name: "zram",
                table: "zram",
                columns: Some(
                    "name,algorithm,disksize,data,compressed,memory,ratio,memory_ratio,same,huge,limit,when_full,written_back,failed_writes,memory_max,swap_used,swap_priority",
                ),
                sort: None,
            }]),
        },
        Pane {
            id: "buys",
            title: "What it buys",
            about: "All zram devices and zswap together: the data they keep, the memory that takes, and so the memory saved. Histories are at the scale of the data, those of devices of their limit or size. Zram that is free costs nothing until it fills: the last figure says how much memory that would take if new data compresses as well as the present.",
            body: Body::Facts {
                asks: &[
                    ask!(headroom: MEM_AVAILABLE KEPT KEPT_MEMORY KEPT_SAVED KEPT_RATIO KEPT_SHARE ZRAM_FREE ZRAM_BEYOND ZRAM_COST),
                    ask!(zram: NAME MEMORY LIMIT DISKSIZE),
                ],
                lines: benefit,
            },
        },
        Pane {
            id: "zswap",
            title: "zswap",
            about: "zswap keeps pages compressed in memory before they go to an area; each of them owns a slot there all the same. When its pool is full it writes the coldest back, or turns new pages away. What it turned away and wrote back is counted in pages since boot, and only root can read it.",
            body: Body::Facts {
                asks: &[
                    ask!(zswap: ENABLED COMPRESSOR ZPOOL POOL LIMIT FILL STORED RATIO SHRINKER ACCEPT_THRESHOLD POOL_LIMIT_HIT REJECT_RECLAIM_FAIL REJECT_ALLOC_FAIL REJECT_KMEMCACHE_FAIL REJECT_COMPRESS_POOR REJECT_COMPRESS_FAIL WRITTEN_BACK IN_RATE OUT_RATE WRITEBACK_RATE),
                    ask!(devices: NAME KIND),
                ],
                lines: zswap,
            },
        },
    ],
    bands: &[
        Band { panes: &[("zram", 100)], height: Height::Fits(9) },
        Band { panes: &[("buys", 50), ("zswap", 50)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("zram", 100)], height: Height::Fits(18) },
        Band { panes: &[("buys", 50), ("zswap", 50)], height: Height::Rest },
    ],
};

/// Cells of the label of a line.
const LABEL: usize = 9;
/// Cells of an amount of memory.
const SIZE: usize = 7;

fn benefit(facts: &Facts<'_>) -> Vec<PaneLine> {
    let number = |column| facts.number(column, 0);
    if number(headroom::KEPT_RATIO).is_none() {
        let words = "Next to nothing is kept compressed now.";
        let mut lines = wrapped(words, facts.width, Role::Text);
        lines.extend(filling(facts));
        return lines;
    }
    let cost = number(headroom::KEPT_MEMORY)
        .zip(number(headroom::KEPT))
        .map(|(memory, kept)| memory / kept);
    let mut lines = vec![
        part(facts, "data", headroom::KEPT, Some(1.0), Role::Text),
        part(facts, "takes", headroom::KEPT_MEMORY, cost, Role::Ram),
        saved(facts),
        PaneLine::new().drops_line(3),
    ];
    lines.extend((0..facts.count("zram")).map(|row| device(facts, row)));
    lines.push(PaneLine::new().drops_line(9));
    lines.extend(filling(facts));
    lines
}

/// An amount, a bar of the data that is kept, and how it was: memory at the scale of the data.
fn part(facts: &Facts<'_>, label: &str, column: ColumnId, share: Option<f64>, role: Role) -> PaneLine {
    let figure = facts.figure(column, 0).as_role(role).wide(SIZE);
    let data = facts.track(headroom::KEPT, "");
    let most = data.into_iter().flatten().fold(0.0, f64::max);
    PaneLine::new()
        .cell(label, Role::Label, LABEL)
        .figure(figure)
        .bar(vec![(share, role)])
        .history(facts.track(column, ""), Some(most), role)
        .drops(10)
}

fn saved(facts: &Facts<'_>) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    let saved = facts.judged(headroom::KEPT_SAVED, 0);
    // The number keeps its place, the mark stands behind it.
    let width = if saved.role == Role::Warn { SIZE + 1 } else { SIZE };
    PaneLine::new()
        .cell("saves", Role::Label, LABEL)
        .figure(saved.wide(width))
        .figure(figure(headroom::KEPT_RATIO))
        .label("to 1")
        .label("in")
        .drops(2)
        .figure(figure(headroom::KEPT_SHARE).drops(2))
        .label("of memory")
        .drops(2)
}

/// What one device takes, and took, up to its limit or else to its size.
fn device(facts: &Facts<'_>, row: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let name = facts.row_name("zram", row);
    let limit = facts.number(zram::LIMIT, row).filter(|limit| *limit > 0.0);
    let top = limit.or_else(|| facts.number(zram::DISKSIZE, row));
    PaneLine::new()
        .figure(figure(zram::NAME).as_role(Role::Zram).wide(LABEL).left())
        .figure(figure(zram::MEMORY).wide(SIZE))
        .history(facts.track(zram::MEMORY, &name), top, Role::Zram)
        .drops_line(4)
}

/// What filling the free zram would cost.
fn filling(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0);
    let free = facts.number(headroom::ZRAM_FREE, 0);
    if free == Some(0.0) {
        return vec![PaneLine::new().text("No zram is free to fill.", Role::Label).drops_line(1)];
    }
    let line = |label: &str| PaneLine::new().cell(label, Role::Label, LABEL);
    let is_bounded = facts.number(headroom::ZRAM_BEYOND, 0).is_some_and(|beyond| beyond > 0.0);
    let refused =
        line("refused").figure(figure(headroom::ZRAM_BEYOND).wide(SIZE)).label("by limits");
    let fill = if is_bounded { "fill rest" } else { "to fill" };
    let mut lines = vec![line("free zram").figure(figure(headroom::ZRAM_FREE).wide(SIZE))];
    lines.extend(is_bounded.then_some(refused));
    lines.extend([
        line(fill).figure(figure(headroom::ZRAM_COST).wide(SIZE)).label("memory"),
        line("available")
            .figure(figure(headroom::MEM_AVAILABLE).wide(SIZE))
            .label("memory")
            .drops_line(1),
    ]);
    lines
}

fn zswap(facts: &Facts<'_>) -> Vec<PaneLine> {
    let enabled = facts.value(zswap::ENABLED, 0);
    let holds = facts.number(zswap::STORED, 0).is_some_and(|stored| stored > 0.0);
    match enabled.and_then(Value::number) {
        Some(on) if on > 0.0 => running(facts),
        Some(_) if holds => {
            let mut lines =
                wrapped("zswap is off, but still keeps pages:", facts.width, Role::Text);
            lines.extend(running(facts));
            lines
        }
        Some(_) => off(facts),
        None => absent(facts),
    }
}

fn off(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0);
    let mut lines =
        wrapped("zswap is off: pages go straight to the areas.", facts.width, Role::Text);
    let limit =
        PaneLine::new().label("it would take up to").figure(figure(zswap::LIMIT)).label("memory");
    let compressor =
        PaneLine::new().label("and compress with").figure(figure(zswap::COMPRESSOR).left());
    lines.extend([PaneLine::new().drops_line(2), limit.drops_line(1), compressor.drops_line(1)]);
    lines
}

fn absent(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines = wrapped("zswap cannot be seen here:", facts.width, Role::Text);
    let why = facts.value(zswap::ENABLED, 0).and_then(|value| Some(value.missing()?.to_string()));
    let why = why.or_else(|| facts.answers.failed("zswap")).unwrap_or_default();
    lines.extend(wrapped(&crate::model::name::safe_text(&why), facts.width, Role::Text));
    lines
}

fn running(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines = twice(facts);
    lines.extend(pool(facts));
    lines.extend(rates(facts));
    lines.extend(rejected(facts));
    lines.extend(settings(facts));
    lines
}

/// A warning where zswap stands before zram.
fn twice(facts: &Facts<'_>) -> Vec<PaneLine> {
    let rows = 0..facts.count("devices");
    if rows.into_iter().any(|row| facts.words(devices::KIND, row) == "zram") {
        return wrapped(
            "! It stands before zram: what it writes back is compressed twice.",
            facts.width,
            Role::Warn,
        );
    }
    vec![]
}

fn pool(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0);
    let line = |label: &str| PaneLine::new().cell(label, Role::Label, LABEL);
    let fill = facts.number(zswap::FILL, 0);
    vec![
        line("data")
            .figure(figure(zswap::STORED).wide(SIZE))
            .figure(figure(zswap::RATIO))
            .label("to 1"),
        line("pool")
            .figure(figure(zswap::POOL).as_role(Role::Pool).wide(SIZE))
            .bar(vec![(fill, Role::Pool)])
            .figure(facts.judged(zswap::FILL, 0))
            .label("of")
            .drops(2)
            .figure(figure(zswap::LIMIT).drops(2)),
        line("")
            .history(facts.track(zswap::POOL, ""), facts.number(zswap::LIMIT, 0), Role::Pool)
            .drops_line(7),
    ]
}

fn rates(facts: &Facts<'_>) -> Vec<PaneLine> {
    let rate = |label: &str, column: ColumnId, role| {
        let figure = facts.figure(column, 0).as_role(role).wide(SIZE);
        PaneLine::new().cell(label, Role::Label, LABEL).figure(figure).label("pages/s")
    };
    let track = |column| facts.track(column, "");
    vec![
        rate("comes in", zswap::IN_RATE, Role::In).drops_line(3),
        rate("goes out", zswap::OUT_RATE, Role::Out)
            .history(track(zswap::OUT_RATE), None, Role::Out)
            .drops_line(3),
        rate("to disk", zswap::WRITEBACK_RATE, Role::Disk)
            .history(track(zswap::WRITEBACK_RATE), None, Role::Disk)
            .drops_line(2),
    ]
}

/// Why pages are turned away, the most usual reasons first.
const REASONS: [(&str, ColumnId); 6] = [
    ("pool full", zswap::POOL_LIMIT_HIT),
    ("no room made in time", zswap::REJECT_RECLAIM_FAIL),
    ("compressed poorly", zswap::REJECT_COMPRESS_POOR),
    ("compression failed", zswap::REJECT_COMPRESS_FAIL),
    ("no memory for data", zswap::REJECT_ALLOC_FAIL),
    ("no memory for entry", zswap::REJECT_KMEMCACHE_FAIL),
];

/// Pages that were written back or turned away, these by reason; reasons that never held are left
/// out.
fn rejected(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0).wide(SIZE);
    let line = |label: &str| PaneLine::new().cell(label, Role::Label, LABEL);
    let back =
        line("written").figure(figure(zswap::WRITTEN_BACK)).label("pages since boot").drops(2);
    let counts = REASONS.map(|(_, column)| facts.number(column, 0));
    let held = REASONS.iter().zip(counts).filter(|(_, count)| *count > Some(0.0));
    let mut reasons: Vec<PaneLine> = held
        .map(|((label, column), _)| line("rejected").figure(figure(*column)).label(*label))
        .collect();
    if reasons.is_empty() && counts.iter().all(Option::is_none) {
        reasons.push(line("rejected").figure(figure(zswap::POOL_LIMIT_HIT)));
    } else if reasons.is_empty() {
        reasons.push(line("rejected").text("  none since boot", Role::Text));
    }
    let reasons = reasons.into_iter().map(|line| line.drops_line(1));
    std::iter::once(back.drops_line(4)).chain(reasons).collect()
}

fn settings(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0).left();
    let line = |label: &str| PaneLine::new().cell(label, Role::Label, LABEL);
    let known = |column| facts.value(column, 0).is_some_and(|value| value.missing().is_none());
    let with = line("with").figure(figure(zswap::COMPRESSOR));
    let with =
        if known(zswap::ZPOOL) { with.label("in").figure(figure(zswap::ZPOOL)) } else { with };
    let shrinker = line("shrinker").figure(figure(zswap::SHRINKER));
    let shrinker = shrinker.label("accepts again below").drops(2);
    vec![
        with.drops_line(5),
        shrinker.figure(figure(zswap::ACCEPT_THRESHOLD).marked("%").drops(2)).drops_line(6),
    ]
}

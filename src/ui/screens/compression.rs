//! The compression screen: how much memory zram and zswap save.

use super::devices::has_zram;
use super::{
    Band, ColumnId, Facts, Height, Pane, PaneLine, PaneTable, Role, Scale, Screen, Value, ask,
    tall_chart,
};
use crate::ui::table_query::ids::{devices, headroom, zram, zswap};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "compression",
    number: '3',
    name: "Compress",
    question: "How much memory do zram and zswap save?",
    answer: Pane::answer(answer)
        .about("How much is kept compressed, in how much memory, and what that saves.")
        .asks(&[
            ask!(headroom: COMPRESSED_DATA COMPRESSED_MEMORY COMPRESSED_SAVED COMPRESSION_RATIO),
            ask!(zswap: ENABLED STORED),
            ask!(zram: NAME MEMORY),
        ]),
    panes: &[
        Pane::tables("zram", "zram", &[PaneTable::new("zram", "zram")
            .columns("name,algorithm,disksize,data,compressed,memory,ratio,memory_ratio,same,huge,limit,memory_if_full,written_back,failed_writes,memory_max,swap_used,swap_priority")])
        .about("All zram devices: data stored, its compressed size, and the memory used. RATIO is data to compressed size, MEMRATIO data to memory used, both to 1. Pages filled with one repeated value (SAME) take no memory. HUGE pages did not compress."),
        Pane::facts("buys", "Memory saved", benefit)
            .filling()
            .about("All zram devices and zswap together: the data stored, the memory it takes, and the memory saved. The chart shows the memory taken, and above it the memory saved. The history of a device is scaled to its limit or size. Free zram space takes no memory until it fills; the last figures estimate the memory it would need if new data compresses like the present data.")
            .asks(&[
                ask!(headroom: MEM_AVAILABLE COMPRESSED_DATA COMPRESSED_MEMORY COMPRESSED_SAVED COMPRESSION_RATIO COMPRESSED_SHARE ZRAM_FREE ZRAM_REFUSED ZRAM_FILL_MEMORY),
                ask!(zram: NAME MEMORY LIMIT DISKSIZE AGE),
                ask!(devices: NAME KIND),
            ]),
        Pane::facts("zswap", "zswap", zswap)
            .filling()
            .about("zswap keeps pages compressed in memory before they go to an area; each page still has a slot there. When the pool is full, zswap writes the coldest pages back or rejects new ones. Rejected and written-back pages are counted since boot, and only root can read these counters.")
            .asks(&[
                ask!(zswap: ENABLED COMPRESSOR ZPOOL POOL LIMIT FILL STORED RATIO SHRINKER ACCEPT_THRESHOLD POOL_LIMIT_HIT REJECT_RECLAIM_FAIL REJECT_ALLOC_FAIL REJECT_KMEMCACHE_FAIL REJECT_COMPRESS_POOR REJECT_COMPRESS_FAIL WRITTEN_BACK IN_RATE OUT_RATE WRITEBACK_RATE),
                ask!(devices: NAME KIND),
            ]),
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

/// Width of the label of a line.
const LABEL: usize = 9;
/// Width of an amount of memory.
const SIZE: usize = 7;

/// A line with a label.
fn row(label: &str) -> PaneLine {
    PaneLine::named(label, LABEL)
}

fn benefit(facts: &Facts<'_>) -> Vec<PaneLine> {
    let number = |column| facts.number(column, 0);
    if number(headroom::COMPRESSION_RATIO).is_none() {
        let mut lines = facts.wrapped(&nothing_compressed(facts), Role::Text);
        lines.extend(filling(facts));
        return lines;
    }
    let mut lines = vec![
        part(facts, "data", headroom::COMPRESSED_DATA, Role::Text),
        part(facts, "memory", headroom::COMPRESSED_MEMORY, Role::Ram),
        saved(facts),
    ];
    lines.extend((0..facts.count("zram")).map(|row| device(facts, row)));
    lines.extend(filling(facts));
    let room = facts.height.saturating_sub(lines.len());
    if room >= CHART {
        let words = "chart: used, above it saved";
        lines.push(PaneLine::new().label(words));
        let memory = (headroom::COMPRESSED_MEMORY, Role::Ram);
        let chart = facts.within(memory, (headroom::COMPRESSED_DATA, Role::Zram));
        lines.extend(tall_chart(chart, room - 1));
    }
    lines
}

/// Lines from which there is a chart, with its heading.
const CHART: usize = 4;

/// An amount and its history.
fn part(facts: &Facts<'_>, label: &str, column: ColumnId, role: Role) -> PaneLine {
    let figure = facts.figure(column, 0).as_role(role).wide(SIZE);
    let chart = facts.chart(column, "", Scale::Round, role);
    row(label).figure(figure).history(chart)
}

/// Data and memory of all compression, and the memory saved.
fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0);
    if facts.number(headroom::COMPRESSION_RATIO, 0).is_none() {
        let on = facts.number(zswap::ENABLED, 0) > Some(0.0);
        let words = match (facts.count("zram"), on) {
            (0, false) => "No zram device, and zswap is off.".to_owned(),
            _ => nothing_compressed(facts),
        };
        return vec![PaneLine::new().text(words, Role::Text)];
    }
    let line = PaneLine::new().figure(figure(headroom::COMPRESSED_DATA));
    let line = line.label("kept in").figure(figure(headroom::COMPRESSED_MEMORY).as_role(Role::Ram));
    let line = line.extra(2, "of memory").label("- memory ratio");
    let line = line.figure(figure(headroom::COMPRESSION_RATIO)).extra(1, "to 1 - saved");
    vec![line.figure(facts.judged(headroom::COMPRESSED_SAVED, 0).drops(1))]
}

/// Without a compression ratio: that there is too little data for one, or why its amount is unknown.
fn nothing_compressed(facts: &Facts<'_>) -> String {
    match facts.missing(headroom::COMPRESSED_DATA, 0) {
        Some(missing) => format!("Unknown how much is compressed: {}.", missing.why()),
        None => "Almost nothing is compressed now.".to_owned(),
    }
}

fn saved(facts: &Facts<'_>) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    let saved = facts.judged(headroom::COMPRESSED_SAVED, 0);
    // The number stays in place, and the mark follows it.
    let width = if saved.role == Role::Warn { SIZE + 1 } else { SIZE };
    row("saved")
        .figure(saved.wide(width))
        .label("- ratio")
        .figure(figure(headroom::COMPRESSION_RATIO))
        .label("to 1")
        .extra(2, "- takes")
        .figure(figure(headroom::COMPRESSED_SHARE).drops(2))
        .extra(2, "of memory")
}

/// The memory of one device and its history, scaled to its limit or else to its size.
fn device(facts: &Facts<'_>, row: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let name = facts.row_name("zram", row);
    let limit = facts.number(zram::LIMIT, row).filter(|limit| *limit > 0.0);
    let top = limit.or_else(|| facts.number(zram::DISKSIZE, row));
    let line = PaneLine::new()
        .figure(figure(zram::NAME).as_role(Role::Zram).wide(LABEL).left())
        .figure(figure(zram::MEMORY).wide(SIZE));
    // A device that does not answer keeps its last figures.
    let line = match facts.number(zram::AGE, row).filter(|age| *age > 0.0) {
        Some(_) => line.figure(figure(zram::AGE).as_role(Role::Warn)).text("ago", Role::Warn),
        None => line,
    };
    line.history(facts.chart(zram::MEMORY, &name, Scale::up_to(top), Role::Zram)).drops_line(4)
}

/// The memory that free zram space would need when it fills.
fn filling(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0);
    let free = facts.number(headroom::ZRAM_FREE, 0);
    if free == Some(0.0) {
        if !has_zram(facts) {
            return vec![];
        }
        return vec![PaneLine::new().text("All zram areas are full.", Role::Label).drops_line(1)];
    }
    let is_bounded = facts.number(headroom::ZRAM_REFUSED, 0) > Some(0.0);
    let refused =
        row("refused").figure(figure(headroom::ZRAM_REFUSED).wide(SIZE)).label("by limits");
    let fill = if is_bounded { "rest needs" } else { "fill needs" };
    let mut lines = vec![row("free zram").figure(figure(headroom::ZRAM_FREE).wide(SIZE))];
    lines.extend(is_bounded.then_some(refused));
    let needs = row(fill).figure(figure(headroom::ZRAM_FILL_MEMORY).wide(SIZE));
    let is_known = facts.number(headroom::ZRAM_FILL_MEMORY, 0).is_some();
    lines.extend([
        needs.label(if is_known { "of memory at most" } else { "of memory" }),
        row("available")
            .figure(figure(headroom::MEM_AVAILABLE).wide(SIZE))
            .label("of memory")
            .drops_line(1),
    ]);
    lines
}

fn zswap(facts: &Facts<'_>) -> Vec<PaneLine> {
    let enabled = facts.value(zswap::ENABLED, 0);
    let holds = facts.number(zswap::STORED, 0) > Some(0.0);
    match enabled.and_then(Value::number) {
        Some(on) if on > 0.0 => running(facts),
        Some(_) if holds => {
            let mut lines = facts.wrapped("zswap is off, but still holds pages:", Role::Text);
            lines.extend(running(facts));
            lines
        }
        Some(_) => off(facts),
        None => absent(facts),
    }
}

fn off(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0);
    let mut lines = facts.wrapped("zswap is off: pages go straight to the areas.", Role::Text);
    if facts.number(zswap::LIMIT, 0).is_none() {
        return lines;
    }
    let limit =
        PaneLine::new().label("limit if enabled:").figure(figure(zswap::LIMIT)).label("of memory");
    let compressor = PaneLine::new().label("compressor").figure(figure(zswap::COMPRESSOR).left());
    lines.extend([PaneLine::new().drops_line(2), limit.drops_line(1), compressor.drops_line(1)]);
    lines
}

fn absent(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines = facts.wrapped("The state of zswap is unknown:", Role::Text);
    let why = facts.value(zswap::ENABLED, 0).and_then(|value| Some(value.missing()?.to_string()));
    let why = why.or_else(|| facts.answers.failed("zswap")).unwrap_or_default();
    lines.extend(facts.wrapped(&crate::model::name::safe_text(&why), Role::Text));
    lines
}

fn running(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines = twice(facts);
    lines.extend(pool(facts));
    lines.extend(rates(facts));
    lines.extend(rejected(facts));
    lines.extend(settings(facts));
    let room = facts.height.saturating_sub(lines.len());
    if room >= CHART {
        lines.push(PaneLine::new().label("pool, up to its limit"));
        let limit = Scale::up_to(facts.number(zswap::LIMIT, 0));
        lines.extend(tall_chart(facts.chart(zswap::POOL, "", limit, Role::Pool), room - 1));
    }
    lines
}

/// A warning where zswap is in front of zram.
fn twice(facts: &Facts<'_>) -> Vec<PaneLine> {
    if has_zram(facts) {
        return facts.wrapped(
            "! zswap is in front of zram: pages it writes back are compressed twice.",
            Role::Warn,
        );
    }
    vec![]
}

fn pool(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0);
    let fill = facts.number(zswap::FILL, 0);
    vec![
        row("data")
            .figure(figure(zswap::STORED).wide(SIZE))
            .figure(figure(zswap::RATIO))
            .label("to 1"),
        row("pool")
            .figure(figure(zswap::POOL).as_role(Role::Pool).wide(SIZE))
            .bar(vec![(fill, Role::Pool)])
            .figure(facts.judged(zswap::FILL, 0))
            .extra(2, "of")
            .figure(figure(zswap::LIMIT).drops(2)),
        row("")
            .history(facts.chart(
                zswap::POOL,
                "",
                Scale::up_to(facts.number(zswap::LIMIT, 0)),
                Role::Pool,
            ))
            .drops_line(7),
    ]
}

fn rates(facts: &Facts<'_>) -> Vec<PaneLine> {
    let rate = |label: &str, column: ColumnId, role| {
        let figure = facts.figure(column, 0).as_role(role).wide(SIZE);
        row(label).figure(figure).label("pages/s")
    };
    vec![
        rate("swap-in", zswap::IN_RATE, Role::In).drops_line(3),
        rate("swap-out", zswap::OUT_RATE, Role::Out)
            .history(facts.chart(zswap::OUT_RATE, "", Scale::Round, Role::Out))
            .drops_line(3),
        rate("writeback", zswap::WRITEBACK_RATE, Role::Disk)
            .history(facts.chart(zswap::WRITEBACK_RATE, "", Scale::Round, Role::Disk))
            .drops_line(2),
    ]
}

/// The reasons why pages are rejected, most common first.
const REASONS: [(&str, ColumnId); 6] = [
    ("pool full", zswap::POOL_LIMIT_HIT),
    ("reclaim failed", zswap::REJECT_RECLAIM_FAIL),
    ("compressed poorly", zswap::REJECT_COMPRESS_POOR),
    ("compression failed", zswap::REJECT_COMPRESS_FAIL),
    ("no memory for data", zswap::REJECT_ALLOC_FAIL),
    ("no memory for entry", zswap::REJECT_KMEMCACHE_FAIL),
];

/// Pages written back since boot, and pages rejected, by reason. Reasons with a count of 0 are left out.
fn rejected(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0).wide(SIZE);
    let back = row("written").figure(figure(zswap::WRITTEN_BACK)).extra(2, "pages since boot");
    let counts = REASONS.map(|(_, column)| facts.number(column, 0));
    let held = REASONS.iter().zip(counts).filter(|(_, count)| *count > Some(0.0));
    let mut reasons: Vec<PaneLine> = held
        .map(|((label, column), _)| row("rejected").figure(figure(*column)).label(*label))
        .collect();
    if reasons.is_empty() && counts.iter().all(Option::is_none) {
        reasons.push(row("rejected").figure(figure(zswap::POOL_LIMIT_HIT)));
    } else if reasons.is_empty() {
        reasons.push(row("rejected").text("      0 since boot", Role::Text));
    }
    let reasons = reasons.into_iter().map(|line| line.drops_line(1));
    std::iter::once(back.drops_line(4)).chain(reasons).collect()
}

fn settings(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0).left();
    let known = |column| facts.is_known(column, 0);
    let with = row("algorithm").figure(figure(zswap::COMPRESSOR));
    let with =
        if known(zswap::ZPOOL) { with.label("in").figure(figure(zswap::ZPOOL)) } else { with };
    let shrinker = row("shrinker").figure(figure(zswap::SHRINKER));
    let shrinker = shrinker.extra(2, "accept threshold");
    vec![
        with.drops_line(5),
        shrinker.figure(figure(zswap::ACCEPT_THRESHOLD).marked("%").drops(2)).drops_line(6),
    ]
}

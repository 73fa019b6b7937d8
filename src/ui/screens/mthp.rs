//! The mTHP screen: whether large folios are swapped whole.

use super::{
    Band, ColumnId, Facts, Height, Pane, PaneLine, PaneTable, Piece, Role, Scale, Screen, ask,
    tall_chart, text,
};
use crate::ui::table_query::ids::{mthp, thp};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "mthp",
    number: '4',
    name: "mTHP",
    question: "Are large folios swapped whole?",
    answer: Pane::answer(answer)
        .about("The size that was split most often, and why.")
        .asks(&[
            ask!(mthp: SIZE FAIL_RATE FAIL_RATE_NOW SWPOUT SWPOUT_FALLBACK FALLBACK_CAUSE CERTAINTY),
            ask!(thp: ALL_SWPOUT ALL_FALLBACK),
        ]),
    panes: &[
        Pane::tables("sizes", "Folios by size", &[PaneTable::new("sizes", "mthp")
            .columns("size,enabled,swpout_rate,fallback_rate,fail_rate_now,swpout,swpout_fallback,fail_rate,zswpout,swpin,nr_anon,split,swpin_fallback")
            .sort("-swpout_rate,-fallback_rate,-swpout_fallback,-swpout")])
        .about("A folio is a block of pages that the kernel handles as one. OUT/s were swapped out whole; FALLB/s (fallbacks) were split first because no contiguous slots were found. FALLB%NOW is the share of fallbacks between the samples, FALLB% since boot. The other counters are folios since boot; ANON is the number in use now."),
        Pane::facts("size", "Selected size", size)
            .about("The size selected in the table: folios per second swapped out whole and split (fallback), the cause and how certain it is, folios swapped in whole, and folios in use. Splits are those for any reason; deferred ones wait for reclaim. Faults got a folio of this size, or fell back to a smaller one.")
            .asks(&[
                ask!(mthp: SIZE ENABLED SHMEM_ENABLED SWPOUT_RATE FALLBACK_RATE FAIL_RATE_NOW FAIL_RATE SWPOUT SWPOUT_FALLBACK ZSWPOUT SWPIN SWPIN_FALLBACK NR_ANON NR_ANON_PARTIALLY_MAPPED SPLIT SPLIT_FAILED SPLIT_DEFERRED ANON_FAULT_ALLOC ANON_FAULT_FALLBACK FALLBACK_CAUSE CERTAINTY),
            ]),
        Pane::facts("settings", "All sizes", settings)
            .about("The size split most often, whether the largest size is enabled, and how many folios of all sizes were swapped whole and split (of the largest only, on kernels before 6.10). A fallback is not an error: the folio is split and swapped as small pages, which is slower, and it is swapped in as small pages.")
            .asks(&[
                ask!(thp: ENABLED SHMEM_ENABLED DEFRAG PMD_SIZE ALL_SWPOUT ALL_FALLBACK ALL_SWPOUT_RATE ALL_FALLBACK_RATE),
                ask!(mthp: SIZE ENABLED SHMEM_ENABLED FAIL_RATE FAIL_RATE_NOW),
            ]),
        Pane::facts("over-time", "Swap-outs of the selected size, per second", over_time)
            .filling()
            .about("Folios of the selected size swapped out per second: the lower part of the chart was swapped whole, the upper part was split first.")
            .asks(&[ask!(mthp: SIZE SWPOUT_RATE FALLBACK_RATE)]),
    ],
    bands: &[
        Band { panes: &[("sizes", 100)], height: Height::Fits(12) },
        Band { panes: &[("size", 52), ("settings", 48)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("sizes", 66), ("size", 34)], height: Height::Fits(18) },
        Band { panes: &[("over-time", 60), ("settings", 40)], height: Height::Rest },
    ],
};

/// Width of the label of a line.
const LABEL: usize = 10;
/// Width of a number.
const NUMBER: usize = 6;

fn size(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.answers.failed("mthp").is_some() {
        let words =
            "This kernel has no counters for each size. The other pane shows those of the largest.";
        return facts.wrapped(words, Role::Text);
    }
    let Some(row) = facts.selected.and_then(|name| facts.find("mthp", name)) else {
        return facts.wrapped("No size is selected.", Role::Faint);
    };
    let mut lines = vec![title(facts, row).drops_line(1)];
    lines.extend(courses(facts, row));
    lines.extend(why(facts, row));
    lines.extend(counts(facts, row));
    lines
}

fn title(facts: &Facts<'_>, row: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row).left();
    let has = |column| facts.is_known(column, row);
    let mut line = PaneLine::new().figure(figure(mthp::SIZE));
    if has(mthp::ENABLED) {
        let comma = if has(mthp::SHMEM_ENABLED) { "," } else { "" };
        line = line.label("private").figure(figure(mthp::ENABLED).marked(comma));
    }
    if has(mthp::SHMEM_ENABLED) {
        let label = if has(mthp::ENABLED) { "shared" } else { "shared memory" };
        line = line.extra(2, label).figure(figure(mthp::SHMEM_ENABLED).drops(2));
    }
    line
}

fn courses(facts: &Facts<'_>, row: usize) -> Vec<PaneLine> {
    let name = facts.row_name("mthp", row);
    let course = |label: &str, column: ColumnId, role| {
        let figure = facts.figure(column, row).as_role(role).wide(NUMBER);
        let line = PaneLine::named(label, LABEL).figure(figure);
        line.history(facts.chart(column, &name, Scale::Round, role))
    };
    let failing = facts.judged(mthp::FAIL_RATE_NOW, row);
    vec![
        course("whole/s", mthp::SWPOUT_RATE, Role::Out),
        course("fallback/s", mthp::FALLBACK_RATE, failing.role),
        PaneLine::named("fallback %", LABEL)
            .figure(failing.wide(NUMBER))
            .label("now,")
            .figure(facts.judged(mthp::FAIL_RATE, row))
            .label("since boot"),
    ]
}

/// Why folios of a size were split, and how certain that is.
fn why(facts: &Facts<'_>, row: usize) -> Vec<PaneLine> {
    if facts.number(mthp::SWPOUT_FALLBACK, row).is_none_or(|split| split <= 0.0) {
        return vec![];
    }
    let is_known = facts.is_known(mthp::FALLBACK_CAUSE, row);
    if !is_known {
        let line = PaneLine::named("cause", LABEL);
        return vec![line.figure(facts.figure(mthp::FALLBACK_CAUSE, row).left())];
    }
    let words = |column| facts.words(column, row);
    let told = format!(
        "Cause of splits now: {} ({}).",
        words(mthp::FALLBACK_CAUSE),
        words(mthp::CERTAINTY)
    );
    facts.wrapped(&told, Role::Text)
}

fn counts(facts: &Facts<'_>, row: usize) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, row);
    vec![
        counted("swapped in", figure(mthp::SWPIN)).label("whole").drops_line(1),
        counted("in use", figure(mthp::NR_ANON).before_next())
            .extra(2, "partly unmapped")
            .figure(figure(mthp::NR_ANON_PARTIALLY_MAPPED).drops(2))
            .drops_line(2),
        counted("in zswap", figure(mthp::ZSWPOUT)).extra(2, "stored whole").drops_line(3),
        counted("all splits", figure(mthp::SPLIT).before_next())
            .extra(2, "failed")
            .figure(figure(mthp::SPLIT_FAILED).before_next().drops(2))
            .extra(3, "deferred")
            .figure(figure(mthp::SPLIT_DEFERRED).drops(3))
            .drops_line(4),
        counted("faults", figure(mthp::ANON_FAULT_ALLOC))
            .extra(2, "got a folio, fell back")
            .figure(figure(mthp::ANON_FAULT_FALLBACK).drops(2))
            .drops_line(5),
    ]
}

/// Swap-outs of the selected size over time.
fn over_time(facts: &Facts<'_>) -> Vec<PaneLine> {
    let Some(row) = facts.selected.and_then(|name| facts.find("mthp", name)) else {
        return facts.wrapped("No size is selected.", Role::Faint);
    };
    let figure = |column, role| facts.figure(column, row).as_role(role);
    let line = PaneLine::new().figure(facts.figure(mthp::SIZE, row).left());
    let line = line.label("whole").figure(figure(mthp::SWPOUT_RATE, Role::Out));
    let line = line.label("fallback").figure(figure(mthp::FALLBACK_RATE, Role::Warn));
    let name = facts.row_name("mthp", row);
    let parts = ((mthp::SWPOUT_RATE, Role::Out), (mthp::FALLBACK_RATE, Role::Warn));
    let chart = facts.stacked(parts.0, parts.1, &name);
    std::iter::once(line).chain(tall_chart(chart, facts.height.saturating_sub(1))).collect()
}

fn counted(label: &str, figure: Piece) -> PaneLine {
    PaneLine::named(label, LABEL).figure(figure.wide(NUMBER))
}

fn settings(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0).left();
    let line = |label: &str| PaneLine::named(label, LABEL);
    let mut lines = vec![
        enabled(
            facts,
            line("largest").figure(figure(thp::PMD_SIZE).marked(":")),
            thp::ENABLED,
            mthp::ENABLED,
        ),
        enabled(facts, line("shared"), thp::SHMEM_ENABLED, mthp::SHMEM_ENABLED).drops_line(5),
        line("defrag").figure(figure(thp::DEFRAG)).drops_line(6),
        swapped(facts, "whole", thp::ALL_SWPOUT, thp::ALL_SWPOUT_RATE),
        swapped(facts, "fallback", thp::ALL_FALLBACK, thp::ALL_FALLBACK_RATE),
    ];
    let words = "A folio that gets no contiguous slots is split and swapped page by page.";
    lines.extend(facts.wrapped(words, Role::Label).into_iter().map(|line| line.drops_line(2)));
    lines
}

/// Settings for all sizes that override the setting of a size.
const OVER_ALL: [&str; 2] = ["deny", "force"];

/// Whether the largest size is enabled: by its own setting, or by the global one if it inherits that.
fn enabled(facts: &Facts<'_>, line: PaneLine, all: ColumnId, column: ColumnId) -> PaneLine {
    let over_all = facts.words(all, 0);
    let all = facts.figure(all, 0).left();
    let Some(row) = own(facts, column) else { return line.figure(all) };
    let inherits = facts.words(column, row) == "inherit";
    if inherits || OVER_ALL.contains(&over_all.as_str()) {
        return line.figure(all).extra(2, "by global setting");
    }
    line.figure(facts.figure(column, row).left())
}

/// The row of the largest size, if it has a setting of its own.
fn own(facts: &Facts<'_>, column: ColumnId) -> Option<usize> {
    let largest = facts.number(thp::PMD_SIZE, 0)?;
    let is_largest = |row: &usize| facts.number(mthp::SIZE, *row) == Some(largest);
    let row = (0..facts.count("mthp")).find(is_largest)?;
    facts.value(column, row)?.missing().is_none().then_some(row)
}

/// The size split most often and the cause, now or since boot, or that none was.
fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.answers.failed("mthp").is_some() {
        let figure = |column| facts.figure(column, 0);
        let line =
            PaneLine::new().label("Large folios since boot:").figure(figure(thp::ALL_SWPOUT));
        let line = line.label("swapped whole,").figure(figure(thp::ALL_FALLBACK));
        return vec![line.label("split")];
    }
    let worst = |column| facts.largest(column, 0..facts.count("mthp"));
    let say = |words: &str| PaneLine::new().text(words, Role::Text);
    let whole = |since: &str| say("Large folios were swapped out whole").extra(1, since);
    vec![match (worst(mthp::FAIL_RATE_NOW), worst(mthp::FAIL_RATE)) {
        (Some((_, 0.0)), _) => whole("now, all of them"),
        (Some((row, _)), _) => most_split(facts, row, mthp::FAIL_RATE_NOW, "now"),
        (None, Some((_, 0.0))) => whole("since boot, all of them"),
        (None, Some((row, _))) => most_split(facts, row, mthp::FAIL_RATE, "since boot"),
        (None, None) => say("No large folio was swapped out").extra(1, "since boot"),
    }]
}

/// Width of the words before the cause.
const SENTENCE: usize = 52;

/// How many folios of a size were split, and why where a line has room for the whole cause.
fn most_split(facts: &Facts<'_>, row: usize, share: ColumnId, since: &str) -> PaneLine {
    let line = PaneLine::new().figure(facts.judged(share, row)).label("of");
    let line = line.figure(facts.figure(mthp::SIZE, row)).label("swap-outs were split");
    let line = line.label(since);
    let is_known = facts.is_known(mthp::FALLBACK_CAUSE, row);
    let cause = facts.words(mthp::FALLBACK_CAUSE, row);
    if !is_known {
        return line.extra(2, "(screen 8 shows where room is left)");
    }
    if text::width(&cause) + SENTENCE > facts.width {
        return line.extra(2, "(now below)");
    }
    line.label("- cause:").figure(facts.figure(mthp::FALLBACK_CAUSE, row).left())
}

/// How many folios of all sizes were swapped this way, since boot and per second.
fn swapped(facts: &Facts<'_>, label: &str, all: ColumnId, rate: ColumnId) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    let line = PaneLine::named(label, LABEL).figure(figure(all).wide(NUMBER));
    let line = line.label("since boot");
    if facts.number(rate, 0).is_none() {
        return line;
    }
    line.figure(figure(rate).marked("/s").drops(2))
}

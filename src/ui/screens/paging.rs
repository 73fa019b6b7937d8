//! The paging screen: whether readahead is useful, and whether reclaim keeps up.

use super::{
    Band, ColumnId, Facts, Height, Missing, Pane, PaneLine, PaneTable, Piece, Role, Scale, Screen,
    ask, units,
};
use crate::columns::verdict::ReadaheadVerdict;
use crate::ui::screen::ONE_SAMPLE;
use crate::ui::table_query::ids::{knobs, paging, readahead, status};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "paging",
    number: '5',
    name: "Paging",
    question: "Is readahead useful, and does reclaim keep up?",
    answer: Pane::answer(answers)
        .about("Whether reclaim keeps up, and whether readahead is useful.")
        .asks(&[
            ask!(paging: DIRECT_SHARE STEAL_CGROUPS SCAN_KSWAPD IN_RATE OUT_RATE),
            ask!(readahead: MODE ONLY_ZRAM PAGE_CLUSTER AHEAD_RATE HIT_RATE WASTED_RATE SHARE_OF_READS HIT_RATE_BOOT SWAPOFF_RUNNING),
            ask!(status: AREAS),
        ]),
    panes: &[
        Pane::facts("reclaim", "Reclaim", reclaim)
            .about("Who frees memory: kswapd in advance, or tasks themselves, which wait for it (direct). Efficiency is the share of scanned pages that were freed. Refaults are pages needed again soon after they were freed. Reclaim at cgroup limits is counted separately (freed/s, cgroup). allocstall counts, per second, how often a task had to begin direct reclaim for the machine.")
            .asks(&[
                ask!(paging: KSWAPD_SHARE DIRECT_SHARE SCAN_KSWAPD SCAN_DIRECT STEAL_CGROUPS KSWAPD_EFFICIENCY DIRECT_EFFICIENCY REFAULT_RATE REFAULT_FILE_RATE STALLS MAJOR_FAULT_RATE),
            ]),
        Pane::facts("readahead", "Swap readahead", readahead)
            .about("Pages that the kernel reads from swap in advance because they may be needed next. Readahead is useful if most of them are hits; each miss costs a read and a page of memory. The kernel shrinks its window when few pages are hits.")
            .asks(&[
                ask!(readahead: MODE ONLY_ZRAM PAGE_CLUSTER WINDOW_LIMIT AHEAD_RATE HIT_RATE WASTED_RATE SHARE_OF_READS WINDOW AHEAD_BOOT HIT_RATE_BOOT SWAPOFF_RUNNING),
                ask!(status: AREAS),
            ]),
        Pane::tables("knobs", "Settings", &[PaneTable::new("knobs", "knobs")
            .columns("name,value,default,changed,range")])
        .about("The settings that control swapping, swappiness first. No default is shown where the kernel derives it from the machine."),
        Pane::facts("knob", "Selected setting", knob)
            .about("What the selected setting does, and its file."),
        Pane::tables("evidence", "Evidence", &[
            PaneTable::new("pressure", "pressure")
                .sort("-resource,-kind"),
            PaneTable::new("counters", "counters"),
        ])
        .about("Pressure (PSI) over several spans, and the kernel's own paging counters."),
    ],
    bands: &[
        Band { panes: &[("reclaim", 54), ("readahead", 46)], height: Height::Fits(12) },
        Band { panes: &[("knobs", 100)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("reclaim", 54), ("readahead", 46)], height: Height::Fits(14) },
        Band { panes: &[("evidence", 100)], height: Height::Fits(12) },
        Band { panes: &[("knobs", 60), ("knob", 40)], height: Height::RestFrom(8) },
    ],
};

fn knob(facts: &Facts<'_>) -> Vec<PaneLine> {
    let Some(row) = facts.picked_row() else { return vec![] };
    let pair = |name: &str, column| PaneLine::named(name, 8).figure(facts.picked(column).left());
    let mut lines = vec![
        PaneLine::new().figure(facts.picked(knobs::NAME).left()),
        pair("value", knobs::VALUE),
        pair("default", knobs::DEFAULT),
        pair("range", knobs::RANGE),
        pair("file", knobs::FILE),
        PaneLine::new().drops_line(1),
    ];
    lines.extend(facts.wrapped(&facts.words(knobs::DESCRIPTION, row), Role::Text));
    lines
}

/// The verdict on readahead.
pub(super) fn judge_readahead(facts: &Facts<'_>) -> ReadaheadVerdict {
    let areas = facts.number(status::AREAS, 0);
    ReadaheadVerdict::judge(facts.rows("readahead"), areas, facts.policy)
}

/// The hit rate, if there is a verdict on it.
pub(super) fn judged_hit_rate(facts: &Facts<'_>) -> Option<Piece> {
    judge_readahead(facts).is_judged().then(|| facts.judged(readahead::HIT_RATE, 0))
}

/// The verdict on readahead, in words.
pub(super) fn verdict(facts: &Facts<'_>) -> (String, Role) {
    let verdict = judge_readahead(facts);
    let words = verdict.word();
    match verdict {
        ReadaheadVerdict::Wasteful => (format!("{words}:"), Role::Warn),
        ReadaheadVerdict::Worthwhile => (format!("{words}:"), Role::Ok),
        ReadaheadVerdict::Off => (words.to_owned(), Role::Text),
        _ => (words.to_owned(), Role::Label),
    }
}

/// Width of the label of a figure.
const LABEL: usize = 10;
/// Width of a number.
const VALUE: usize = 6;
/// Width of a number with a mark or a unit.
const MARKED: usize = VALUE + 2;

fn row(name: &str) -> PaneLine {
    PaneLine::named(name, LABEL)
}

fn readahead(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0);
    let past = |column, scale| facts.chart(column, "", scale, Role::Text);
    let rate = |name, column| {
        let figure = figure(column).marked("/s").wide(MARKED);
        row(name).figure(figure).history(past(column, Scale::Round))
    };
    let success = judged_hit_rate(facts).unwrap_or_else(|| figure(readahead::HIT_RATE));
    let success = success.aligned().wide(MARKED);
    let mut lines = answer(facts);
    lines.extend([
        window(facts).drops_line(2),
        rate("read ahead", readahead::AHEAD_RATE),
        row("hit rate").figure(success).history(past(readahead::HIT_RATE, Scale::UpTo(1.0))),
        rate("wasted", readahead::WASTED_RATE),
        row("share")
            .figure(figure(readahead::SHARE_OF_READS).wide(VALUE))
            .label("of swap-in")
            .drops_line(5),
        settled(facts).drops_line(3),
        since_boot(facts).drops_line(4),
    ]);
    lines
}

/// The current readahead window, or why it is unknown.
fn settled(facts: &Facts<'_>) -> PaneLine {
    let figure = facts.figure(readahead::WINDOW, 0).wide(VALUE);
    let why = facts.missing(readahead::WINDOW, 0).map(Missing::why);
    row("window").figure(figure).extra(1, why.unwrap_or_else(|| "pages now".to_owned()))
}

fn since_boot(facts: &Facts<'_>) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    if facts.number(readahead::HIT_RATE_BOOT, 0).is_none() {
        let none = facts.number(readahead::AHEAD_BOOT, 0) == Some(0.0);
        let words = if none { "nothing was read ahead" } else { "unknown" };
        return row("since boot").label(words);
    }
    row("since boot")
        .figure(figure(readahead::HIT_RATE_BOOT).aligned().wide(MARKED))
        .extra(2, "of")
        .figure(figure(readahead::AHEAD_BOOT).drops(2))
        .extra(2, "pages hit")
}

fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    let (words, role) = verdict(facts);
    if facts.number(readahead::SWAPOFF_RUNNING, 0) == Some(1.0) {
        return facts.wrapped("swapoff is running: hit rate unknown", Role::Warn);
    }
    let bound = units::percent(facts.policy.readahead_low);
    let line = || PaneLine::new().text(words.as_str(), role);
    match role {
        Role::Warn => vec![line().label(format!("hit rate below {bound}"))],
        Role::Ok => vec![line().label(format!("hit rate {bound} or more"))],
        _ => facts.wrapped(&words, role),
    }
}

/// Whether reclaim keeps up, and whether readahead is useful. What is unknown comes last.
fn answers(facts: &Facts<'_>) -> Vec<PaneLine> {
    let (line, missing) = match reclaim_verdict(facts) {
        Ok((words, role)) => {
            (PaneLine::new().extra(2, "Reclaim:").text(words, role), String::new())
        }
        Err(why) => (traffic(facts), format!("(reclaim is unknown: {why})")),
    };
    let (words, role) = verdict(facts);
    let line = if line.pieces.is_empty() {
        line.extra(2, "Readahead:").text(words, role)
    } else {
        line.extra(1, "- Readahead:").text(words, role).drops(1)
    };
    let line = match judged_hit_rate(facts) {
        Some(rate) => line.figure(rate.drops(1)).extra(2, "hits"),
        None => line,
    };
    vec![if missing.is_empty() { line } else { line.extra(3, missing) }]
}

/// The swap traffic; empty if it is unknown.
fn traffic(facts: &Facts<'_>) -> PaneLine {
    let rate = |column| facts.figure(column, 0).marked("/s");
    let columns = [paging::IN_RATE, paging::OUT_RATE];
    if columns.iter().all(|column| facts.number(*column, 0).is_none()) {
        return PaneLine::new();
    }
    let line = PaneLine::new().extra(2, "Swap traffic:").figure(rate(paging::IN_RATE));
    line.label("in,").figure(rate(paging::OUT_RATE)).label("out")
}

/// The readahead mode, and the largest window.
fn window(facts: &Facts<'_>) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    if facts.number(readahead::WINDOW_LIMIT, 0).is_none() {
        return PaneLine::new().label("mode and window unknown");
    }
    let line = PaneLine::new().figure(figure(readahead::MODE).left());
    if facts.number(readahead::PAGE_CLUSTER, 0) == Some(0.0) {
        return line.label("by page-cluster").figure(figure(readahead::PAGE_CLUSTER));
    }
    line.label("up to").figure(figure(readahead::WINDOW_LIMIT)).label("pages")
}

fn reclaim(facts: &Facts<'_>) -> Vec<PaneLine> {
    let part = |name, column| {
        let figure = facts.judged(column, 0).aligned().wide(MARKED);
        let line = row(name).figure(figure);
        match (facts.number(column, 0), facts.missing(column, 0)) {
            (Some(share), _) => line.bar(vec![(Some(share), Role::Text)]),
            (None, Some(Missing::Absent(_))) => line.label("no global reclaim"),
            (None, _) => line,
        }
    };
    let rate = |name, column| {
        let figure = facts.judged(column, 0).aligned().wide(MARKED);
        // Charts of a pane begin at the same place, so that all show the same time.
        let kind = if facts.width < WIDE { 0 } else { KIND + VALUE - MARKED };
        let line = row(name).figure(figure);
        let line = if kind == 0 { line } else { line.cell("", Role::Label, kind) };
        line.history(facts.chart(column, "", Scale::Round, Role::Text))
    };
    let verdict = match reclaim_verdict(facts) {
        Ok((words, role)) => PaneLine::new().text(words, role),
        Err(why) => PaneLine::new().label(format!("unknown: {why}")),
    };
    let mut lines = vec![
        verdict,
        part("kswapd", paging::KSWAPD_SHARE),
        part("direct", paging::DIRECT_SHARE),
        if facts.width < WIDE {
            rate("freed/s", paging::STEAL_CGROUPS)
        } else {
            of_kind(facts, "freed/s", ("cgroup", paging::STEAL_CGROUPS))
        },
    ];
    let scanned = [("kswapd", paging::SCAN_KSWAPD), ("direct", paging::SCAN_DIRECT)];
    lines.extend(kinds(facts, "scanned/s", scanned).into_iter().map(|line| line.drops_line(2)));
    let useful = [("kswapd", paging::KSWAPD_EFFICIENCY), ("direct", paging::DIRECT_EFFICIENCY)];
    lines.push(both(facts, "efficiency", useful).drops_line(3));
    let refaults = [("swap", paging::REFAULT_RATE), ("files", paging::REFAULT_FILE_RATE)];
    lines.extend(kinds(facts, "refaults/s", refaults).into_iter().map(|line| line.drops_line(1)));
    lines.extend([rate("allocstall", paging::STALLS), rate("majflt/s", paging::MAJOR_FAULT_RATE)]);
    lines
}

/// Width from which a pane has room for a history of each kind.
const WIDE: usize = 45;

/// A rate for both kinds: each in a line with its history where the pane is wide enough.
fn kinds(facts: &Facts<'_>, name: &str, kinds: [(&str, ColumnId); 2]) -> Vec<PaneLine> {
    if facts.width < WIDE {
        return vec![both(facts, name, kinds)];
    }
    kinds.map(|kind| of_kind(facts, name, kind)).into()
}

/// A rate of one kind with its history.
fn of_kind(facts: &Facts<'_>, name: &str, (kind, column): (&str, ColumnId)) -> PaneLine {
    let figure = facts.figure(column, 0).wide(VALUE);
    let line = row(name).figure(figure).cell(kind, Role::Label, KIND);
    line.history(facts.chart(column, "", Scale::Round, Role::Text))
}

/// Width of the name of a kind.
const KIND: usize = 6;

/// A figure for both kinds in one line, separated by a comma: a dash stands for a missing value.
fn both(facts: &Facts<'_>, name: &str, kinds: [(&str, ColumnId); 2]) -> PaneLine {
    let [(kind, first), (other, second)] = kinds;
    let figure = |column| facts.figure(column, 0).wide(VALUE);
    let line = row(name).figure(figure(first)).label(format!("{kind},")).min_width(KIND + 1);
    line.figure(figure(second)).label(other)
}

/// Whether reclaim keeps up, or why that is unknown.
fn reclaim_verdict(facts: &Facts<'_>) -> Result<(&'static str, Role), String> {
    Ok(match facts.number(paging::DIRECT_SHARE, 0) {
        Some(share) if share > 0.0 => ("late: tasks wait in direct reclaim", Role::Warn),
        _ if facts.number(paging::STEAL_CGROUPS, 0) > Some(0.0) => {
            ("cgroup reclaim at memory limits", Role::Warn)
        }
        Some(_) => ("keeps up: no direct reclaim", Role::Ok),
        None if facts.number(paging::SCAN_KSWAPD, 0).is_some() => ("idle: no reclaim", Role::Ok),
        None => match facts.missing(paging::SCAN_KSWAPD, 0) {
            Some(Missing::OneSample) | None => (ONE_SAMPLE, Role::Label),
            Some(missing) => return Err(missing.why()),
        },
    })
}

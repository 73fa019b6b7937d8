//! Does readahead pay, and does reclaim keep up?

use crate::columns::units;
use crate::ui::answers::{Ask, Facts};
use crate::ui::content::{Line, wrapped};
use crate::ui::screen::{Band, Body, Height, Pane, Screen, Sheet};
use crate::ui::theme::Role;

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "paging",
    number: '5',
    name: "Paging",
    question: "Does readahead pay, and does reclaim keep up?",
    panes: &[
        Pane {
            id: "knobs",
            title: "Settings",
            about: "The settings that steer swapping, changed ones first. A default is missing where the kernel chooses it by the machine.",
            body: Body::Tables(&[Sheet {
                name: "knobs",
                table: "knobs",
                columns: Some("name,value,default,changed,range"),
                sort: Some("-changed"),
            }]),
        },
        Pane {
            id: "knob",
            title: "This setting",
            about: "What the selected setting does, and where it stands.",
            body: Body::Facts { asks: &[], lines: knob },
        },
        Pane {
            id: "readahead",
            title: "Swap readahead",
            about: "Pages read ahead from swap in the hope that they are wanted next. It pays if most of them are used; each page in vain cost a read and a page of memory. The kernel makes its window smaller when few are used.",
            body: Body::Facts {
                asks: &[Ask {
                    table: "readahead",
                    columns: "mode,only_zram,page_cluster,limit,ahead_rate,success,wasted_rate,of_reads,window,ahead_boot,success_boot,swapoff",
                }],
                lines: readahead,
            },
        },
        Pane {
            id: "reclaim",
            title: "Reclaim",
            about: "Who makes memory free: kswapd ahead of need, or tasks themselves, which wait for it (direct). Useful is what was freed of the pages looked at; refaults are pages that were wanted back soon after. What a cgroup frees at its own limit is not counted here.",
            body: Body::Facts {
                asks: &[Ask {
                    table: "paging",
                    columns: "kswapd_share,direct_share,scan_kswapd,scan_direct,steal_cgroups,efficiency,direct_efficiency,refaults,refaults_file,stalls,major_faults",
                }],
                lines: reclaim,
            },
        },
        Pane {
            id: "evidence",
            title: "Evidence",
            about: "The share of time in which tasks waited, over several spans, and the kernel's own counters of paging.",
            body: Body::Tables(&[
                Sheet { name: "pressure", table: "pressure", columns: None, sort: None },
                Sheet { name: "counters", table: "counters", columns: None, sort: None },
            ]),
        },
    ],
    bands: &[
        Band { panes: &[("knobs", 100)], height: Height::Fits(11) },
        Band { panes: &[("readahead", 46), ("reclaim", 54)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("knobs", 60), ("knob", 40)], height: Height::Fits(19) },
        Band { panes: &[("readahead", 46), ("reclaim", 54)], height: Height::Fits(14) },
        Band { panes: &[("evidence", 100)], height: Height::Rest },
    ],
};

fn knob(facts: &Facts<'_>) -> Vec<Line> {
    let Some(row) = facts.picked_row() else { return vec![] };
    let pair = |name: &str, column| {
        Line::new().cell(name, Role::Label, 8).figure(facts.picked(column).left())
    };
    let mut lines = vec![
        Line::new().figure(facts.picked("name").left()),
        pair("value", "value"),
        pair("default", "default"),
        pair("range", "range"),
        pair("file", "file"),
        Line::new().goes(1),
    ];
    lines.extend(wrapped(&facts.words("knobs", row, "help"), facts.width, Role::Text));
    lines
}

/// Does reading ahead pay? In words, with what they mean.
pub(super) fn verdict(facts: &Facts<'_>) -> (&'static str, Role) {
    let number = |column| facts.number("readahead", 0, column);
    match number("success") {
        _ if facts.words("readahead", 0, "mode") == "off" => {
            ("off: pages come in one at a time", Role::Text)
        }
        Some(success) if success < facts.policy.readahead_low => ("wastes:", Role::Warn),
        Some(_) => ("pays:", Role::Ok),
        None if number("ahead_rate") == Some(0.0) && number("only_zram") == Some(1.0) => {
            ("none: zram is read page by page", Role::Label)
        }
        None if number("ahead_rate") == Some(0.0) => ("nothing is read ahead now", Role::Label),
        None => ("not known for now", Role::Label),
    }
}

/// Cells of what a figure is called.
const LABEL: usize = 10;
/// Cells of a number.
const VALUE: usize = 6;
/// Cells of a number with a mark or a unit.
const MARKED: usize = VALUE + 2;

fn row(name: &str) -> Line {
    Line::new().cell(name, Role::Label, LABEL)
}

fn readahead(facts: &Facts<'_>) -> Vec<Line> {
    let figure = |column| facts.figure("readahead", 0, column);
    let past = |column| facts.track("readahead", "", column);
    let rate = |name, column| {
        let figure = figure(column).marked("/s").wide(MARKED);
        row(name).figure(figure).history(past(column), None, Role::Text)
    };
    let success = facts.judged("readahead", 0, "success").aligned().wide(MARKED);
    let used = share(row("used").figure(success), facts.number("readahead", 0, "success"));
    vec![
        answer(facts),
        window(facts).goes(2),
        rate("read ahead", "ahead_rate"),
        used.history(past("success"), Some(1.0), Role::Text),
        rate("wasted", "wasted_rate"),
        row("of swap-in").figure(figure("of_reads").wide(VALUE)).goes(5),
        row("window now").figure(figure("window").wide(VALUE)).label("pages").goes(3),
        since_boot(facts).goes(4),
    ]
}

fn since_boot(facts: &Facts<'_>) -> Line {
    let figure = |column| facts.figure("readahead", 0, column);
    let success = facts.judged("readahead", 0, "success_boot").aligned();
    row("since boot")
        .figure(success.wide(MARKED))
        .label("of")
        .drops(2)
        .figure(figure("ahead_boot").drops(2))
        .label("pages used")
        .drops(2)
}

/// A bar of one share, unless it is not known.
fn share(line: Line, share: Option<f64>) -> Line {
    match share {
        Some(share) => line.bar(vec![(Some(share), Role::Text)]),
        None => line,
    }
}

fn answer(facts: &Facts<'_>) -> Line {
    let (words, role) = verdict(facts);
    let line = Line::new().text(words, role);
    if facts.number("readahead", 0, "swapoff") == Some(1.0) {
        return Line::new().text("a swapoff runs: not known now", Role::Warn);
    }
    let bound = units::percent(facts.policy.readahead_low);
    if role == Role::Warn {
        return line.label(format!("less than {bound} are used"));
    }
    if role == Role::Ok {
        return line.label(format!("{bound} or more are used"));
    }
    line
}

/// Along what, and how far at most.
fn window(facts: &Facts<'_>) -> Line {
    let figure = |column| facts.figure("readahead", 0, column);
    let line = Line::new().figure(figure("mode").left());
    if facts.number("readahead", 0, "page_cluster") == Some(0.0) {
        return line.label("by page-cluster").figure(figure("page_cluster"));
    }
    line.label("up to").figure(figure("limit")).label("pages")
}

fn reclaim(facts: &Facts<'_>) -> Vec<Line> {
    let part = |name, column| {
        let figure = facts.judged("paging", 0, column).aligned().wide(MARKED);
        share(row(name).figure(figure), facts.number("paging", 0, column))
    };
    let rate = |name, column| {
        let figure = facts.judged("paging", 0, column).aligned().wide(MARKED);
        row(name).figure(figure).history(facts.track("paging", "", column), None, Role::Text)
    };
    vec![
        keeps_up(facts),
        part("kswapd", "kswapd_share"),
        part("direct", "direct_share"),
        rate("cgroups/s", "steal_cgroups"),
        both(facts, "scanned/s", [("kswapd", "scan_kswapd"), ("direct", "scan_direct")]).goes(2),
        both(facts, "useful", [("kswapd", "efficiency"), ("direct", "direct_efficiency")]).goes(3),
        both(facts, "refaults/s", [("swap", "refaults"), ("files", "refaults_file")]).goes(1),
        rate("stalls/s", "stalls"),
        rate("majflt/s", "major_faults"),
        rate("kswapd/s", "scan_kswapd").goes(7),
        rate("direct/s", "scan_direct").goes(6),
        rate("refaults/s", "refaults").goes(5),
        rate("of files/s", "refaults_file").goes(4),
    ]
}

/// A figure of both kinds.
fn both(facts: &Facts<'_>, name: &str, kinds: [(&str, &str); 2]) -> Line {
    kinds.iter().fold(row(name), |line, (kind, column)| {
        let figure = facts.figure("paging", 0, column).wide(VALUE);
        line.figure(figure).cell(*kind, Role::Label, 6)
    })
}

fn keeps_up(facts: &Facts<'_>) -> Line {
    let (words, role) = match facts.number("paging", 0, "direct_share") {
        Some(share) if share > 0.0 => ("late: tasks free memory and wait", Role::Warn),
        Some(_) => ("keeps up: nobody waits for memory", Role::Ok),
        None if facts.number("paging", 0, "steal_cgroups") > Some(0.0) => {
            ("control groups reclaim at their limits", Role::Warn)
        }
        None if facts.number("paging", 0, "scan_kswapd").is_some() => {
            ("idle: the machine frees no memory", Role::Ok)
        }
        None => ("it takes a second sample to tell", Role::Label),
    };
    Line::new().text(words, role)
}

//! Which device carries it, and is it even?

use crate::columns::text;
use crate::ui::answers::{Ask, Facts};
use crate::ui::content::{Flow, Line, Piece};
use crate::ui::screen::{Band, Body, Height, Pane, Screen, Sheet};
use crate::ui::theme::Role;

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
            about: "All swap areas, highest priority first: the kernel fills those first, and lets areas of one priority take turns. in/s and out/s are what the device read and wrote; a file has no such counters. The second table has a row for each priority.",
            body: Body::Tables(&[
                Sheet {
                    name: "areas",
                    table: "devices",
                    columns: Some(
                        "name,kind,priority,size,used,use,in_rate,out_rate,growth,read_wait,write_wait,busy,rotational,discard",
                    ),
                    sort: None,
                },
                Sheet {
                    name: "priorities",
                    table: "groups",
                    columns: Some("priority,turn,areas,size,used,use,growth,skew,names"),
                    sort: None,
                },
            ]),
        },
        Pane {
            id: "balance",
            title: "Balance by priority",
            about: "A bar is an area's share of what all areas of its priority hold: equal bars are even, until the smallest area is full; where no two share one, a bar is what is used of a size. USED is how full it was, up to its size. Growth is over the last 30 s; an area fills if it grew by 1% of its size in that time, and all of its priority together did. Skew is the part that would have to move. A priority waits until those above it are full.",
            body: Body::Trends {
                asks: &[
                    Ask { table: "devices", columns: "name,kind,priority,size,use,share" },
                    Ask { table: "groups", columns: "priority,turn,areas,used,skew,names" },
                ],
                aside: &[],
                trends: &[
                    Ask { table: "devices", columns: "name,priority,size,growth,full_in" },
                    Ask { table: "groups", columns: "priority,size,growth" },
                ],
                lines: balance,
            },
        },
        Pane {
            id: "area",
            title: "Selected area",
            about: "The area that is selected in the table: how its use and its traffic went, how much it would hold if its priority were even, and what carries it. For zram also what its memory buys. Waits and busy are over the last 30 s: the kernel counts them in ticks, too coarse for a second.",
            body: Body::Trends {
                asks: &[
                    Ask {
                        table: "devices",
                        columns: "name,kind,size,used,use,ideal,share,in_rate,out_rate,rotational,discard,node,device,parent,model,label,scheduler,backing_file,dm_name",
                    },
                    Ask {
                        table: "zram",
                        columns: "name,algorithm,memory,memory_ratio,limit,when_full,same,huge,written_back",
                    },
                    Ask {
                        table: "groups",
                        columns: "priority,turn,areas,size,used,use,growth,skew,names",
                    },
                ],
                aside: &[],
                trends: &[Ask { table: "devices", columns: "name,read_wait,write_wait,busy" }],
                lines: selected,
            },
        },
        Pane {
            id: "traffic",
            title: "Traffic by area, per second",
            about: "What was read from each area and written to it, and how that went; each history has a top of its own. A file has no such counters.",
            body: Body::Facts {
                asks: &[Ask { table: "devices", columns: "name,kind,in_rate,out_rate" }],
                lines: traffic,
            },
        },
    ],
    bands: &[
        Band { panes: &[("areas", 100)], height: Height::Fits(11) },
        Band { panes: &[("balance", 61), ("area", 39)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[("areas", 72), ("area", 28)], height: Height::Fits(22) },
        Band { panes: &[("balance", 100)], height: Height::Fits(18) },
        Band { panes: &[("traffic", 100)], height: Height::Rest },
    ],
};

/// Cells of a priority.
const PRIORITY: usize = 4;
/// Cells of the word for whose turn it is.
const TURN: usize = 9;
/// Cells of a share.
const SHARE: usize = 5;
/// Cells of an amount of memory.
const SIZE: usize = 7;
/// Cells of a bar at least: as many as its heading has.
const BAR: usize = OF_PRIORITY.of.len();
/// Cells of the history of an area at least: there is none on a narrow screen.
const COURSE: usize = 20;
/// Cells of a name, where there is no room for the longest.
const NAME: usize = 14;
/// Cells of the longest name that others line up with.
const LONG_NAME: usize = 24;
/// A pane this wide has room for that.
const ROOMY: usize = 70;

/// Cells of the names of areas.
fn names(facts: &Facts<'_>) -> usize {
    let all = if facts.width < ROOMY { 0 } else { facts.count("devices") };
    let widths = (0..all).map(|row| text::width(&facts.words("devices", row, "name")));
    widths.filter(|width| *width <= LONG_NAME).fold(NAME, usize::max)
}

fn balance(facts: &Facts<'_>) -> Vec<Line> {
    if facts.count("groups") == 0 {
        return none(facts, "groups");
    }
    let bars = bars(facts);
    let mut lines = vec![fastest(facts), evenness(facts), heading(&bars)];
    for group in 0..facts.count("groups") {
        lines.extend(members(facts, &bars, group));
    }
    lines
}

/// Said where there is no area.
fn none(facts: &Facts<'_>, table: &str) -> Vec<Line> {
    let why = facts.answers.failed(table);
    let why = why.unwrap_or_else(|| "no swap is active".to_owned());
    vec![Line::new().text(why, Role::Faint)]
}

/// Cells of a question.
const ASK: usize = 13;

/// Slower than this an area does not fill: use goes up and down by itself.
const SOON: f64 = 3600.0;
/// Less than this part of its size is no growth: areas of one priority take turns, and what comes
/// back goes out again.
const FLOOR: f64 = 0.01;
/// Less than so many seconds foretell nothing.
const SHORT: f64 = 9.5;

/// The area with room left that grows fastest over the last half minute, if one fills.
pub(super) fn fills_fastest(trend: &Facts<'_>) -> Option<usize> {
    let seconds = trend.trend_seconds().filter(|seconds| *seconds >= SHORT)?;
    let soon = |row: &usize| {
        let full_in = trend.number("devices", *row, "full_in");
        full_in.is_some_and(|time| time > 0.0 && time <= SOON)
    };
    let growing = (0..trend.count("devices")).filter(soon).filter_map(|row| {
        grew(trend, "groups", group_of(trend, row)?, seconds)?;
        Some((row, grew(trend, "devices", row, seconds)?))
    });
    growing.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| row)
}

/// By how much a row grew, if that is more than use goes up and down by itself.
fn grew(trend: &Facts<'_>, table: &str, row: usize, seconds: f64) -> Option<f64> {
    let number = |column| trend.number(table, row, column);
    let (growth, size) = (number("growth")? * seconds, number("size")?);
    (growth >= size * FLOOR).then_some(growth)
}

/// The priority that an area has.
fn group_of(facts: &Facts<'_>, row: usize) -> Option<usize> {
    let priority = facts.value("devices", row, "priority")?;
    let same = |group: &usize| facts.value("groups", *group, "priority") == Some(priority);
    (0..facts.count("groups")).find(same)
}

/// What is said where none does.
pub(super) fn none_fills(trend: &Facts<'_>) -> &'static str {
    match trend.trend_seconds() {
        None => "not known from one moment",
        Some(seconds) if seconds < SHORT => "not known yet",
        Some(_) => "none for now",
    }
}

fn fastest(facts: &Facts<'_>) -> Line {
    let facts = &facts.trend();
    let line = Line::new().cell("fills fastest", Role::Label, ASK);
    let Some(row) = fills_fastest(facts) else {
        return line.text(none_fills(facts), Role::Text);
    };
    let figure = |column| facts.figure("devices", row, column);
    let line = line.figure(figure("name").left()).figure(figure("growth").marked("/s"));
    line.label("full in").drops(2).figure(figure("full_in").drops(2))
}

/// The skew of the priority that is least even.
fn evenness(facts: &Facts<'_>) -> Line {
    let shared = |row: &usize| facts.number("groups", *row, "areas") > Some(1.0);
    let groups = || (0..facts.count("groups")).filter(shared);
    let line = Line::new().cell("is it even", Role::Label, ASK);
    if groups().next().is_none() {
        return line.text(unshared(facts), Role::Text);
    }
    let skewed = groups().filter_map(|row| Some((row, facts.number("groups", row, "skew")?)));
    let Some((row, _)) = skewed.max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return line.text("too little is on them to tell", Role::Text);
    };
    let skew = facts.judged("groups", row, "skew");
    let verdict = if skew.role == Role::Text { "yes" } else { "no" };
    let line = line.text(verdict, skew.role).label("skew").figure(skew).label("in priority");
    line.figure(facts.figure("groups", row, "priority"))
}

/// What is said where no two areas share a priority.
fn unshared(facts: &Facts<'_>) -> &'static str {
    let turn = |row: usize| facts.words("groups", row, "turn");
    match facts.count("groups") {
        1 => "there is one area only",
        count if (0..count).any(|row| turn(row) == "-") => "no, nodes fill their own first",
        _ => "no, they fill one by one",
    }
}

/// What the bars of areas show.
struct Bars {
    /// The column.
    column: &'static str,
    /// Its heading.
    head: &'static str,
    /// What it is a part of.
    of: &'static str,
    /// Cells of the names before them.
    name: usize,
}

/// Where areas share a priority: what each took of that.
const OF_PRIORITY: Bars = Bars { column: "share", head: "SHARE", of: "OF PRIORITY", name: NAME };
/// Where none do.
const OF_SIZE: Bars = Bars { column: "use", head: "USE%", of: "OF SIZE", name: NAME };

fn bars(facts: &Facts<'_>) -> Bars {
    let shared = |row| facts.number("groups", row, "areas") > Some(1.0);
    let kind = if (0..facts.count("groups")).any(shared) { OF_PRIORITY } else { OF_SIZE };
    Bars { name: names(facts), ..kind }
}

fn heading(bars: &Bars) -> Line {
    let right = |text: &str, cells: usize| format!("{text:>cells$}");
    let line = Line::new().label(right("PRIO", PRIORITY)).label("TURN").least(TURN).drops(3);
    let line = line.label("AREA").least(bars.name).label(right(bars.head, SHARE));
    let line = line.label(bars.of).least(BAR).drops(9);
    // A heading does not grow with its bar or history: what follows it does.
    let line = line.fill().drops(9).label("USED").drops(10);
    let line = line.fill().least(COURSE - "USED".len() - 1).drops(10);
    line.label(right("GROWTH/s", SIZE + 1)).drops(2).goes(2)
}

/// The lines of a priority: one for each area, or a single one while none of them holds anything.
fn members(facts: &Facts<'_>, bars: &Bars, group: usize) -> Vec<Line> {
    let holds = facts.number("groups", group, "used") != Some(0.0);
    if !holds && facts.words("groups", group, "turn") == "waits" {
        return vec![waiting(facts, bars.name, group)];
    }
    let priority = facts.value("groups", group, "priority");
    let mine = |row: &usize| facts.value("devices", *row, "priority") == priority;
    let rows = (0..facts.count("devices")).filter(mine);
    let line = |(place, row)| member(facts, lead(facts, group, place == 0), bars, row);
    rows.enumerate().map(line).collect()
}

/// The first cells of a line: the priority and whose turn it is, once for each priority.
fn lead(facts: &Facts<'_>, group: usize, first: bool) -> Line {
    if !first {
        return Line::new().label("").least(PRIORITY).label("").least(TURN).drops(3);
    }
    let figure = |column| facts.figure("groups", group, column);
    let line = Line::new().figure(figure("priority").wide(PRIORITY));
    if fills(facts, group) {
        return line.figure(figure("turn").drops(3)).cell("now", Role::Text, TURN - 6).drops(3);
    }
    line.figure(figure("turn").wide(TURN).drops(3))
}

/// The rest of the line of an area.
fn member(facts: &Facts<'_>, line: Line, bars: &Bars, row: usize) -> Line {
    let figure = |column| facts.figure("devices", row, column);
    let number = |column| facts.number("devices", row, column);
    let role = role(facts, row);
    let name = facts.row_name("devices", row);
    let line = line.figure(figure("name").as_role(role).wide(bars.name).left());
    let line = if bars.column == OF_PRIORITY.column && alone(facts, row) {
        line.text("alone", Role::Faint).fill()
    } else {
        let share = number(bars.column);
        line.figure(figure(bars.column).wide(SHARE)).bar(vec![(share, role)])
    };
    let used = facts.track("devices", &name, "used");
    let line = line.least(BAR).drops(9).history(used, number("size"), role).least(COURSE).drops(10);
    line.figure(recent(facts, &name, "growth").wide(SIZE + 1).drops(2)).goes(1)
}

/// Has no other area the priority of this one?
fn alone(facts: &Facts<'_>, row: usize) -> bool {
    let group = group_of(facts, row);
    group.is_some_and(|group| facts.number("groups", group, "areas") == Some(1.0))
}

/// A figure of an area over the last half minute.
fn recent(facts: &Facts<'_>, name: &str, column: &str) -> Piece {
    let trend = facts.trend();
    let row = trend.find("devices", name).unwrap_or(usize::MAX);
    trend.figure("devices", row, column)
}

fn waiting(facts: &Facts<'_>, name: usize, group: usize) -> Line {
    let line = lead(facts, group, true);
    let line = if facts.number("groups", group, "areas") == Some(1.0) {
        line.figure(facts.figure("groups", group, "names").wide(name).left())
    } else {
        line.figure(facts.figure("groups", group, "areas")).label("areas").least(name - 2)
    };
    let Some(above) = filling(facts) else { return line.goes(3) };
    let line = line.text("for priority", Role::Label).drops(4);
    line.figure(facts.figure("groups", above, "priority").drops(4)).goes(3)
}

/// The priority that new pages go to.
fn filling(facts: &Facts<'_>) -> Option<usize> {
    (0..facts.count("groups")).find(|row| fills(facts, *row))
}

fn fills(facts: &Facts<'_>, group: usize) -> bool {
    facts.words("groups", group, "turn") == "fills"
}

fn role(facts: &Facts<'_>, row: usize) -> Role {
    if facts.words("devices", row, "kind") == "zram" { Role::Zram } else { Role::Disk }
}

fn selected(facts: &Facts<'_>) -> Vec<Line> {
    let Some(name) = facts.selected else {
        return vec![Line::new().text("no area is selected", Role::Faint)];
    };
    if let Some(row) = facts.find("devices", name) {
        return area(facts, row);
    }
    facts.find("groups", name).map(|row| priority(facts, row)).unwrap_or_default()
}

/// Cells of the label of a line.
const LABEL: usize = 6;

fn area(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let mut lines = vec![title(facts, row)];
    lines.extend(courses(facts, row));
    let zram = facts.find("zram", &facts.words("devices", row, "device"));
    let zram = zram.filter(|_| facts.words("devices", row, "kind") == "zram");
    lines.extend(zram.into_iter().flat_map(|zram| memory(facts, zram)));
    lines.push(even(facts, row));
    lines.extend(times(facts, row));
    lines.extend(hardware(facts, row));
    lines
}

fn title(facts: &Facts<'_>, row: usize) -> Line {
    let figure = |column| facts.figure("devices", row, column);
    let line = Line::new().figure(figure("name").as_role(role(facts, row)).left());
    line.figure(figure("kind").left().drops(4))
        .fill()
        .figure(facts.judged("devices", row, "use").drops(3))
        .label("of")
        .drops(3)
        .figure(figure("size"))
}

/// How its use and its traffic went.
fn courses(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let name = facts.row_name("devices", row);
    let course = |label: &str, column: &'static str, top, role| {
        let figure = facts.figure("devices", row, column).as_role(role).wide(SIZE);
        let line = Line::new().cell(label, Role::Label, LABEL).figure(figure);
        line.history(facts.track("devices", &name, column), top, role)
    };
    let used = course("used", "used", facts.number("devices", row, "size"), role(facts, row));
    if facts.words("devices", row, "kind") == "file" {
        let on = facts.figure("devices", row, "device").left();
        let line = Line::new().cell("lies", Role::Label, LABEL).label("on").figure(on);
        return vec![used, line.text("I/O is not counted", Role::Faint).drops(3)];
    }
    let into = course("in/s", "in_rate", None, Role::In).goes(2);
    vec![used, into, course("out/s", "out_rate", None, Role::Out).goes(1)]
}

/// What the memory of a zram device buys.
fn memory(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let figure = |column| facts.figure("zram", row, column);
    let label = |text: &str| Line::new().cell(text, Role::Label, LABEL);
    let takes = label("memory").figure(figure("memory").wide(SIZE));
    let takes = takes.figure(facts.judged("zram", row, "memory_ratio").wide(SHARE).drops(2));
    let full = label("if full").figure(figure("when_full").wide(SIZE - 1));
    let full = match facts.number("zram", row, "limit") {
        Some(limit) if limit > 0.0 => full.label("limit").drops(2).figure(figure("limit").drops(2)),
        _ => full.text("no limit", Role::Faint).drops(2),
    };
    let algorithm = label("with").figure(figure("algorithm").wide(SIZE)).label("incompressible");
    vec![
        takes.label("to 1").drops(2),
        full.goes(3),
        algorithm.drops(2).figure(figure("huge").drops(2)).goes(6),
    ]
}

fn even(facts: &Facts<'_>, row: usize) -> Line {
    let figure = |column| facts.figure("devices", row, column);
    let line = Line::new().cell("even", Role::Label, LABEL).label("at");
    let line = line.figure(figure("ideal").wide(SIZE - 3)).label("share");
    line.figure(figure("share")).goes(4)
}

fn times(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    if facts.words("devices", row, "kind") == "file" {
        return vec![];
    }
    let name = facts.row_name("devices", row);
    let figure = |column| recent(facts, &name, column);
    let waits = Line::new().cell("waits", Role::Label, LABEL).label("read");
    let waits = waits.figure(figure("read_wait")).label("write").figure(figure("write_wait"));
    let busy = Line::new().cell("busy", Role::Label, LABEL).figure(figure("busy").wide(SIZE));
    vec![waits.goes(5), busy.goes(8)]
}

fn hardware(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let figure = |column| facts.figure("devices", row, column);
    let traits = Line::new().label("rotates").figure(figure("rotational")).label("discards");
    let traits = traits.figure(figure("discard")).label("node").drops(2);
    let mut lines = vec![traits.figure(figure("node").drops(2)).goes(7)];
    for (label, column) in [
        ("part of", "parent"),
        ("model", "model"),
        ("label", "label"),
        ("scheduler", "scheduler"),
        ("file", "backing_file"),
        ("named", "dm_name"),
    ] {
        let known = facts.value("devices", row, column).is_some_and(|it| it.missing().is_none());
        let line = || Line::new().cell(label, Role::Label, 9).figure(figure(column).left());
        lines.extend(known.then(|| line().goes(9)));
    }
    lines
}

fn traffic(facts: &Facts<'_>) -> Vec<Line> {
    if facts.count("devices") == 0 {
        return none(facts, "devices");
    }
    let name = names(facts);
    (0..facts.count("devices")).map(|row| flows(facts, name, row).goes(1)).collect()
}

/// What moves to and from one area.
fn flows(facts: &Facts<'_>, name: usize, row: usize) -> Line {
    let area = facts.figure("devices", row, "name").as_role(role(facts, row));
    let line = Line::new().figure(area.wide(name).left());
    if facts.words("devices", row, "kind") == "file" {
        return line.text("I/O of a file is not counted", Role::Faint);
    }
    let key = facts.row_name("devices", row);
    [(Flow::In, "in_rate", Role::In), (Flow::Out, "out_rate", Role::Out)].into_iter().fold(
        line,
        |line, (flow, column, role)| {
            let rate = facts.figure("devices", row, column).as_role(role).wide(SIZE);
            let past = facts.track("devices", &key, column);
            line.flow(flow, role).figure(rate).history(past, None, role)
        },
    )
}

/// What is told of a priority when the table of priorities is shown.
fn priority(facts: &Facts<'_>, row: usize) -> Vec<Line> {
    let figure = |column| facts.figure("groups", row, column);
    let line = |label: &str, figure: Piece| {
        Line::new().cell(label, Role::Label, LABEL).figure(figure.wide(SIZE))
    };
    let title = Line::new().label("priority").figure(figure("priority")).figure(figure("turn"));
    vec![
        title,
        line("used", figure("used")).label("of").figure(figure("size")),
        line("grows", figure("growth")).label("/s"),
        line("skew", facts.judged("groups", row, "skew")).label("would have to move"),
        Line::new().figure(figure("names").left()).goes(1),
    ]
}

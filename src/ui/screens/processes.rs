//! The processes screen: whose pages are in swap.

use super::{
    Band, ColumnId, Facts, Flow, Height, Pane, PaneLine, PaneTable, Piece, Role, Scale, Screen,
    ask, tall_chart,
};
use crate::derive::state::SwapState;
use crate::ui::content::FREE;
use crate::ui::screen::no_swap;
use crate::ui::table_query::ids::{attribution, cgroups, headroom, processes, shm, status, users};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "processes",
    number: '6',
    name: "Procs",
    question: "Whose pages are in swap?",
    answer: Pane::answer(answer)
        .about("Who has the most pages in swap, and how much is unexplained.")
        .asks(&[
            ask!(status: STATE),
            ask!(processes: PID NAME USES),
            ask!(attribution: USED UNEXPLAINED),
        ]),
    panes: &[
        Pane::tables("processes", "Swap users", SHEETS)
            .about("Private pages in swap by process, cgroup and user, and shared memory, which belongs to no process. A page shared after a fork counts for each process."),
        Pane::facts("detail", "Selected", detail)
            .about("Details of the row selected above."),
        Pane::facts("accounted", "Used swap by owner", accounted)
            .about("How much of the used swap is explained by the private pages of processes, by tmpfs (a minimum) and by System V shared memory. The rest is shared anonymous memory, memfd, pages in the swap cache, and processes that could not be read.")
            .asks(&[
                ask!(attribution: USED PROCESSES PROCESSES_SHARE UNREADABLE SYSV TMPFS UNEXPLAINED UNEXPLAINED_SHARE SWAP_CACHED ZSWAP),
            ]),
        OVER_TIME,
    ],
    bands: &[
        Band { panes: &[("processes", 100)], height: Height::Fits(11) },
        Band { panes: &[("detail", 60), ("accounted", 40)], height: Height::Fits(9) },
        Band { panes: &[("over-time", 100)], height: Height::Spare },
    ],
    wide: &[
        Band { panes: &[("processes", 66), ("detail", 34)], height: Height::Fits(24) },
        Band { panes: &[("over-time", 60), ("accounted", 40)], height: Height::RestFrom(12) },
    ],
};

/// The pane of all used swap, which the pages of one process and one cgroup have too.
pub(super) const OVER_TIME: Pane = Pane::facts("over-time", "Used swap over time", over_time)
    .filling()
    .about("Used swap of the machine, on a scale up to the size of all areas, and the traffic of all areas. On larger terminals the cgroups with the most swap are below.")
    .asks(&[
        ask!(headroom: SWAP_TOTAL),
        ask!(status: SWAP_USED IN_RATE OUT_RATE),
        ask!(cgroups: PATH SWAP LIMIT_USE),
    ]);

const SHEETS: &[PaneTable] = &[
    PaneTable::new("processes", "processes")
        .columns("pid,name,user,swap,swap_share,rss,shmem,major_fault_rate,cgroup,command")
        .sort("-swap,pid"),
    PaneTable::new("cgroups", "cgroups")
        .columns("swap,swap_max,memory,memory_max,limit_use,zswap,some10,swap_fail,path"),
    PaneTable::new("users", "users"),
    PaneTable::new("shared", "shm"),
];

/// Width of the label of a figure.
const LABEL: usize = 9;
/// Width of an amount.
const SIZE: usize = 7;

fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.words(status::STATE, 0) == SwapState::NoSwap.word() {
        return no_swap();
    }
    let figure = |column| facts.figure(column, 0);
    let line = match facts.instead_of_rows("processes", "No process has private pages in swap") {
        Some(why) => PaneLine::new().label(why),
        None => PaneLine::new()
            .figure(figure(processes::NAME).left())
            .label("has the most in swap:")
            .figure(figure(processes::USES))
            .extra(1, "of")
            .figure(figure(attribution::USED).drops(1))
            .extra(1, "used"),
    };
    vec![match unread_rest(facts) {
        Some(why) => {
            line.extra(2, "- non-process use unknown").extra(3, format!("({})", cause(&why)))
        }
        None => line.extra(3, "- unexplained").figure(figure(attribution::UNEXPLAINED).drops(3)),
    }]
}

fn detail(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.picked_row().is_none() {
        return vec![PaneLine::new().label("no row is selected")];
    }
    match facts.selected_in {
        Some("processes") => process(facts),
        Some("cgroups") => cgroup(facts),
        Some("users") => user(facts),
        _ => shared(facts),
    }
}

/// Two figures in a line, aligned with those of other lines.
pub(super) fn two(
    facts: &Facts<'_>,
    first: (&str, ColumnId),
    second: (&str, ColumnId),
) -> PaneLine {
    let one = |line: PaneLine, (name, column): (&str, ColumnId)| {
        line.cell(name, Role::Label, LABEL).figure(facts.picked(column).wide(SIZE))
    };
    let line = one(PaneLine::new(), first).text(" ", Role::Text);
    one(line, second)
}

/// A label and words that use the rest of the line.
pub(super) fn named(facts: &Facts<'_>, name: &str, column: ColumnId) -> PaneLine {
    PaneLine::named(name, LABEL).figure(facts.picked(column).left())
}

pub(super) fn process(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines = vec![
        PaneLine::new()
            .figure(facts.picked(processes::PID).left())
            .figure(facts.picked(processes::NAME).left())
            .label("of user")
            .figure(facts.picked(processes::USER).left()),
        two(facts, ("swap", processes::SWAP), ("of all", processes::SWAP_SHARE)),
        two(facts, ("rss", processes::RSS), ("swapped", processes::SWAPPED_SHARE)).drops_line(1),
        two(facts, ("shared", processes::SHMEM), ("parent", processes::PPID)).drops_line(3),
        two(facts, ("majflt/s", processes::MAJOR_FAULT_RATE), ("total", processes::MAJOR_FAULTS))
            .drops_line(2),
        named(facts, "cgroup", processes::CGROUP).drops_line(1),
    ];
    // Only the page of the process reads its page tables.
    let pss = two(facts, ("swap pss", processes::SWAP_PSS), ("in maps", processes::SWAP_MAPPED));
    if is_known(&pss) {
        lines.insert(3, pss.drops_line(4));
    }
    let command = facts.picked_words(processes::COMMAND);
    let command = facts.wrapped(&command, Role::Text);
    lines.extend(command.into_iter().enumerate().map(last));
    lines
}

/// Lines that are dropped in a low pane, except the first.
fn last((place, line): (usize, PaneLine)) -> PaneLine {
    if place == 0 { line } else { line.drops_line(4) }
}

pub(super) fn cgroup(facts: &Facts<'_>) -> Vec<PaneLine> {
    let path = facts.picked_words(cgroups::PATH);
    let mut lines = facts.wrapped(&path, Role::Text);
    let row = facts.picked_row().unwrap_or(usize::MAX);
    let limit = facts.judged(cgroups::LIMIT_USE, row).wide(SIZE);
    lines.extend([
        two(facts, ("swap", cgroups::SWAP), ("max", cgroups::SWAP_MAX)),
        two(facts, ("memory", cgroups::MEMORY), ("max", cgroups::MEMORY_MAX)),
        PaneLine::named("of limit", LABEL).figure(limit).drops_line(2),
        two(facts, ("high", cgroups::MEMORY_HIGH), ("peak", cgroups::MEMORY_PEAK)).drops_line(4),
        two(facts, ("zswap", cgroups::ZSWAP), ("max", cgroups::ZSWAP_MAX)).drops_line(3),
        two(facts, ("in/s", cgroups::IN_RATE), ("out/s", cgroups::OUT_RATE)).drops_line(5),
        two(facts, ("PSI some", cgroups::SOME10), ("PSI full", cgroups::FULL10)),
        two(facts, ("failed", cgroups::SWAP_FAIL), ("at max", cgroups::SWAP_MAX_HITS))
            .drops_line(1),
        two(facts, ("private", cgroups::ANON), ("faults", cgroups::MAJOR_FAULTS)).drops_line(6),
        two(facts, ("zswapped", cgroups::ZSWAPPED), ("written", cgroups::ZSWAP_WRITEBACK))
            .drops_line(7),
        two(facts, ("mem+swap", cgroups::MEMSW), ("max", cgroups::MEMSW_MAX)).drops_line(8),
    ]);
    lines.into_iter().map(unless_missing).collect()
}

/// Drops a line first if this cgroup version has none of its figures.
fn unless_missing(line: PaneLine) -> PaneLine {
    if is_known(&line) { line } else { line.drops_line(9) }
}

/// Whether a line has a known figure, or no figures at all.
pub(super) fn is_known(line: &PaneLine) -> bool {
    let known = |piece: &Piece| piece.origin().is_some_and(|of| of.value.missing().is_none());
    line.figures().count() == 0 || line.figures().any(known)
}

fn user(facts: &Facts<'_>) -> Vec<PaneLine> {
    vec![
        PaneLine::new()
            .label("user")
            .figure(facts.picked(users::USER).left())
            .label("uid")
            .figure(facts.picked(users::UID)),
        two(facts, ("swap", users::SWAP), ("of all", users::SWAP_SHARE)),
        two(facts, ("rss", users::RSS), ("processes", users::PROCESSES)),
    ]
}

fn shared(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines = facts.wrapped(&facts.picked_words(shm::NAME), Role::Text);
    lines.extend([
        named(facts, "kind", shm::KIND),
        two(facts, ("used", shm::USED), ("size", shm::SIZE)),
        two(facts, ("in swap", shm::SWAPPED), ("owner", shm::USER)),
    ]);
    lines
}

/// The owners of used swap, in the order of the bar, and the unexplained rest.
const OWNERS: [(&str, ColumnId); 4] = [
    ("processes", attribution::PROCESSES),
    ("tmpfs", attribution::TMPFS),
    ("System V", attribution::SYSV),
    ("unexplained", attribution::UNEXPLAINED),
];

fn accounted(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines =
        vec![amount(facts, "used", attribution::USED), PaneLine::new().bar(shares(facts))];
    lines.extend((0..).zip(OWNERS).map(|(part, it)| owner(facts, part, it)));
    if let Some(why) = unread_rest(facts) {
        let lines_of = |why: &str| facts.wrapped(why, Role::Label);
        // Half a reason says nothing.
        let whole = lines_of(&why);
        let has_room = lines.len() + whole.len() <= facts.height;
        let why = if has_room { whole } else { lines_of(cause(&why)) };
        lines.extend(why.into_iter().map(|line| line.drops_line(1)));
    }
    lines.extend(unread(facts).map(|line| line.drops_line(1)));
    lines.push(amount(facts, "in zswap", attribution::ZSWAP).drops_line(2));
    lines.push(amount(facts, "in swap cache", attribution::SWAP_CACHED).drops_line(3));
    lines
}

/// Why it is unknown who owns the rest of the used swap.
pub(super) fn unread_rest(facts: &Facts<'_>) -> Option<String> {
    Some(facts.value(attribution::UNEXPLAINED, 0)?.missing()?.why())
}

/// The cause at the beginning of a reason.
pub(super) fn cause(why: &str) -> &str {
    why.split(':').next().unwrap_or(why)
}

fn amount(facts: &Facts<'_>, name: &str, column: ColumnId) -> PaneLine {
    let figure = facts.figure(column, 0);
    PaneLine::named(name, 14).figure(figure.wide(SIZE))
}

/// The swap of one owner.
fn owner(facts: &Facts<'_>, part: usize, (name, column): (&str, ColumnId)) -> PaneLine {
    let figure = |column| facts.figure(column, 0);
    let sign = if column == attribution::UNEXPLAINED { FREE } else { part };
    let is_unread = column == attribution::UNEXPLAINED && unread_rest(facts).is_some();
    let name = if is_unread { "rest" } else { name };
    let line = PaneLine::new().key(sign, Role::Disk).cell(name, Role::Label, 12);
    let line = line.figure(figure(column).wide(SIZE));
    match column {
        attribution::UNEXPLAINED if is_unread => line,
        attribution::UNEXPLAINED => {
            line.figure(figure(attribution::UNEXPLAINED_SHARE).wide(5).drops(1))
        }
        attribution::PROCESSES => {
            line.figure(figure(attribution::PROCESSES_SHARE).wide(5).drops(1))
        }
        // Files of some mounts, shared anonymous memory and memfd are not counted.
        attribution::TMPFS => line.extra(1, "at least"),
        _ => line,
    }
}

/// The bar: each owner's share of used swap, or of the sum of the owners if that is larger.
fn shares(facts: &Facts<'_>) -> Vec<(Option<f64>, Role)> {
    let number = |column| facts.number(column, 0);
    let owners = OWNERS.iter().take(3).map(|(_, column)| number(*column));
    let claimed = owners.clone().flatten().sum::<f64>();
    let all = number(attribution::USED).map(|used| used.max(claimed).max(1.0));
    owners.map(|part| (part.zip(all).map(|(part, all)| part / all), Role::Disk)).collect()
}

/// Cgroups listed below the chart.
const CGROUPS: usize = 5;
/// Lines of the pane that are left for the chart.
const CHART: usize = 6;

fn over_time(facts: &Facts<'_>) -> Vec<PaneLine> {
    let figure = |column| facts.figure(column, 0);
    let line = PaneLine::new().label("used").figure(figure(status::SWAP_USED)).label("of");
    let line = line.figure(figure(headroom::SWAP_TOTAL)).fill().flow(Flow::In, Role::In);
    let line = line.figure(figure(status::IN_RATE).marked("/s").as_role(Role::In));
    let line = line.flow(Flow::Out, Role::Out);
    let line = line.figure(figure(status::OUT_RATE).marked("/s").as_role(Role::Out));
    let with_swap = |row: &usize| facts.number(cgroups::SWAP, *row) > Some(0.0);
    let cgroup = |row: usize| {
        let figure = |column| facts.figure(column, row);
        let line = PaneLine::new().figure(figure(cgroups::SWAP).wide(SIZE)).label("in cgroup");
        let line = line.figure(figure(cgroups::PATH).left());
        if facts.number(cgroups::LIMIT_USE, row).is_none() {
            return line;
        }
        line.fill()
            .extra(1, "memory use")
            .figure(facts.judged(cgroups::LIMIT_USE, row).drops(1))
            .extra(1, "of its limit")
    };
    let room = facts.height.saturating_sub(CHART).min(CGROUPS);
    let cgroups: Vec<PaneLine> =
        (0..facts.count("cgroups")).filter(with_swap).take(room).map(cgroup).collect();
    let size = Scale::up_to(facts.number(headroom::SWAP_TOTAL, 0));
    let chart = facts.chart(status::SWAP_USED, "", size, Role::Disk);
    let rows = facts.height.saturating_sub(1 + cgroups.len());
    std::iter::once(line).chain(tall_chart(chart, rows)).chain(cgroups).collect()
}

/// The number of processes that could not be read, if any.
fn unread(facts: &Facts<'_>) -> Option<PaneLine> {
    facts.number(attribution::UNREADABLE, 0).filter(|count| *count > 0.0)?;
    Some(amount(facts, "unreadable", attribution::UNREADABLE).extra(1, "processes"))
}

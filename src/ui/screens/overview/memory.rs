//! The pane of memory and swap: RAM, all of swap, the pages that zswap keeps in memory, and the areas.

use super::SIZE;
use crate::ui::screens::{ColumnId, Facts, PaneLine, Piece, Role, devices as screen_devices, text};
use crate::ui::table_query::ids::{devices, headroom, status, zswap};

/// Minimum width of a bar.
const BAR: usize = 14;
/// Width below which a bar is shorter, so that its figures have room.
const NARROW: usize = 50;
/// Longest name that others are aligned with.
const NAME: usize = 24;
/// Width from which a pane shows a longer list.
const WIDE: usize = 100;

pub(super) fn memory(facts: &Facts<'_>) -> Vec<PaneLine> {
    let rows = shown(facts, if facts.width >= WIDE { 12 } else { 3 });
    let name = names(facts, &rows);
    let mut lines = vec![ram(facts, name), parts(facts, name)];
    lines.extend(all_swap(facts, name));
    lines.extend(zswap(facts, name));
    lines.extend(rows.iter().map(|row| device(facts, *row, name)));
    lines.extend(none(facts, name));
    lines
}

/// At most this many areas, fullest first, then in the order of the kernel. The area that is filled next is
/// always among them.
pub(super) fn shown(facts: &Facts<'_>, most: usize) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..facts.count("devices")).collect();
    let share = |row: &usize| facts.number(devices::USE, *row).unwrap_or(-1.0);
    rows.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let is_next = |row: &usize| screen_devices::next_share(facts, *row).is_some();
    let next = rows.iter().copied().find(is_next);
    rows.truncate(most);
    let missing = next.filter(|next| !rows.contains(next));
    if let (Some(next), Some(last)) = (missing, rows.last_mut()) {
        *last = next;
    }
    rows
}

/// The use of all areas together.
pub(super) fn all_swap(facts: &Facts<'_>, name: usize) -> Option<PaneLine> {
    if facts.count("devices") == 0 {
        return None;
    }
    let figure = |column| facts.figure(column, 0);
    let line = PaneLine::new()
        .cell("swap", Role::Text, name)
        .figure(figure(headroom::SWAP_TOTAL).wide(SIZE).drops(4))
        .bar(vec![(facts.number(status::USE, 0), Role::Text)])
        .min_width(bar(facts))
        .drops(3);
    let line = ratio(facts, priority(line, None), None);
    let line = used(line, facts.judged(status::USE, 0), figure(headroom::SWAP_USED));
    Some(next(facts, line, None))
}

/// The minimum width of a bar.
fn bar(facts: &Facts<'_>) -> usize {
    if facts.width < NARROW { 1 } else { BAR }
}

/// Width of the share of the next pages, without its label.
const NEXT: usize = 5;
/// Width of the time until an area is full, with its label.
const FULL: usize = 14;

/// Adds the share of the next pages that goes to an area, and the time until it is full; without an area,
/// blanks of the same width.
fn next(facts: &Facts<'_>, line: PaneLine, row: Option<usize>) -> PaneLine {
    let share = row.and_then(|row| screen_devices::next_share(facts, row));
    let label = if facts.width < WIDE { "next" } else { "next pages" };
    let line = match share {
        Some(share) => line.extra(6, label).figure(share.wide(NEXT).drops(6)),
        None => line.cell("", Role::Label, label.len() + 1 + NEXT).drops(6),
    };
    match screen_devices::fills_fastest(facts) {
        None => line,
        Some(fastest) if row == Some(fastest) => {
            let time = facts.figure(devices::FULL_IN, fastest).wide(FULL - 8);
            line.extra(5, "full in").figure(time.drops(5))
        }
        Some(_) => line.cell("", Role::Label, FULL).drops(5),
    }
}

/// The line shown instead of devices.
pub(super) fn none(facts: &Facts<'_>, name: usize) -> Option<PaneLine> {
    let failed = facts.answers.failed("devices");
    let none = facts.count("devices") == 0;
    let why = failed.or_else(|| none.then(|| "no active area".to_owned()))?;
    Some(PaneLine::new().cell("swap", Role::Disk, name).text(why, Role::Text))
}

/// Width of the names at the left.
pub(super) fn names(facts: &Facts<'_>, rows: &[usize]) -> usize {
    let widths = rows.iter().map(|row| text::width(&facts.words(devices::NAME, *row)));
    widths.filter(|width| *width <= NAME).fold(text::width("memory"), usize::max)
}

/// The parts of memory in the order of its bar, and how soon each name is dropped.
const PARTS: [(&str, ColumnId, u8); 5] = [
    ("private", headroom::MEM_ANON, 0),
    ("files", headroom::MEM_FILE, 1),
    ("shared", headroom::MEM_SHMEM, 3),
    ("kernel", headroom::MEM_KERNEL, 2),
    (HUGE, headroom::MEM_HUGETLB, 4),
];
/// A part of memory that only few machines use.
const HUGE: &str = "hugetlb";

fn parts_of<'f>(facts: &'f Facts<'_>) -> impl Iterator<Item = (&'static str, ColumnId, u8)> + 'f {
    let is_there = |(name, column, _): &(&str, ColumnId, u8)| {
        *name != HUGE || facts.number(*column, 0) > Some(0.0)
    };
    PARTS.into_iter().filter(is_there)
}

/// The parts of memory, each as its share.
fn shares(facts: &Facts<'_>) -> Vec<(Option<f64>, Role)> {
    let number = |column| facts.number(column, 0);
    let share = |column| Some(number(column)? / number(headroom::MEM_TOTAL)?.max(1.0));
    parts_of(facts).map(|(_, column, _)| (share(column), Role::Ram)).collect()
}

/// Memory in one line of a small terminal.
pub(super) fn available(facts: &Facts<'_>, name: usize) -> PaneLine {
    let line = PaneLine::new().cell("memory", Role::Ram, name);
    let line = line.figure(facts.figure(headroom::MEM_TOTAL, 0).wide(SIZE));
    let line = line.bar(shares(facts)).figure(facts.figure(headroom::MEM_AVAILABLE, 0));
    line.label("available")
}

fn ram(facts: &Facts<'_>, name: usize) -> PaneLine {
    let line = PaneLine::new()
        .cell("memory", Role::Ram, name)
        .figure(facts.figure(headroom::MEM_TOTAL, 0).wide(SIZE).drops(4))
        .bar(shares(facts))
        .min_width(BAR)
        .drops(1);
    let line = if facts.count("devices") > 0 { priority(line, None) } else { line };
    let line = ratio(facts, line, None)
        .extra(2, "  available")
        .figure(facts.figure(headroom::MEM_AVAILABLE, 0).wide(SIZE).drops(2));
    next(facts, line, None)
}

/// The legend of the bar of memory.
fn parts(facts: &Facts<'_>, name: usize) -> PaneLine {
    let mut line = PaneLine::named("", name + 1 + SIZE).drops(9);
    let zram = screen_devices::has_zram(facts);
    for (part, (words, column, drop)) in parts_of(facts).enumerate() {
        let words = if column == headroom::MEM_KERNEL && zram { "kernel, zram" } else { words };
        let figure = facts.figure(column, 0).drops(drop);
        line = line.key(part, Role::Ram).drops(drop).extra(drop, words).figure(figure);
    }
    line.drops_line(1)
}

pub(super) fn zswap(facts: &Facts<'_>, name: usize) -> Option<PaneLine> {
    if !has_zswap(facts) {
        return None;
    }
    let figure = |column| facts.figure(column, 0);
    let fill = facts.number(zswap::FILL, 0);
    let line = PaneLine::new()
        .cell("zswap", Role::Pool, name)
        .figure(figure(zswap::LIMIT).wide(SIZE).drops(4))
        .bar(vec![(fill, Role::Pool)])
        .min_width(bar(facts))
        .drops(3);
    let line = if facts.count("devices") > 0 { priority(line, None) } else { line };
    let line = ratio(facts, line, Some(figure(zswap::RATIO)));
    let line = used(line, facts.judged(zswap::FILL, 0), figure(zswap::POOL));
    Some(next(facts, line, None))
}

/// Is zswap enabled, or does it still hold pages?
fn has_zswap(facts: &Facts<'_>) -> bool {
    [zswap::ENABLED, zswap::STORED].into_iter().any(|column| facts.number(column, 0) > Some(0.0))
}

pub(super) fn device(facts: &Facts<'_>, row: usize, name: usize) -> PaneLine {
    let figure = |column| facts.figure(column, row);
    let role = screen_devices::role(facts, row);
    let share = facts.number(devices::USE, row);
    let line = PaneLine::new()
        .figure(figure(devices::NAME).as_role(role).wide(name).left())
        .figure(figure(devices::SIZE).wide(SIZE).drops(4))
        .bar(vec![(share, role)])
        .min_width(bar(facts))
        .drops(3);
    let line = priority(line, Some(figure(devices::PRIORITY)));
    // The ratio of an empty device is meaningless.
    let compresses = facts.number(devices::MEMORY_RATIO, row).is_some() && share > Some(0.0);
    let line = ratio(facts, line, compresses.then(|| figure(devices::MEMORY_RATIO)));
    let line = used(line, facts.judged(devices::USE, row), figure(devices::USED));
    next(facts, line, Some(row)).drops_line(2).as_area_of(facts.count("devices"))
}

/// Adds the priority of a device, or blanks of the same width so that bars stay aligned.
fn priority(line: PaneLine, priority: Option<Piece>) -> PaneLine {
    match priority {
        Some(priority) => line.extra(8, "prio").figure(priority.wide(3).drops(8)),
        None => line.cell("", Role::Label, 8).drops(8),
    }
}

/// Adds the compression ratio, or blanks of the same width when another device has one.
fn ratio(facts: &Facts<'_>, line: PaneLine, ratio: Option<Piece>) -> PaneLine {
    match ratio {
        Some(ratio) => line.figure(ratio.wide(4).drops(7)).extra(7, "to 1"),
        None if has_zswap(facts) || screen_devices::has_zram(facts) => {
            line.cell("", Role::Label, 9).drops(7)
        }
        None => line,
    }
}

/// Adds how much of the device is used.
fn used(line: PaneLine, share: Piece, amount: Piece) -> PaneLine {
    let line = line.figure(share.aligned().wide(7).drops(2));
    line.extra(2, "used").figure(amount.wide(SIZE))
}

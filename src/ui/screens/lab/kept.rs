//! The list of what is kept: as many columns as there is room for, and titles that can be told apart.

use super::mark;
use crate::columns::tables::lab::of_entries;
use crate::columns::{Info, Request, Rows, text};
use crate::derive::lab::Entry;
use crate::ui::content::{Line, wrapped};
use crate::ui::pane_data::Facts;
use crate::ui::theme::Role;

/// What is shown of kept runs.
const COLUMNS: &str = "id,title,system,throughput_sum,free,elapsed,when,end";
/// Cells of the longest word in a column, and of one that can still be told from others.
const LONGEST: usize = 18;
const LEAST: usize = 4;

/// The headings, and a line for each.
pub(super) fn lines(facts: &Facts<'_>, entries: &[Entry]) -> Vec<Line> {
    let columns = Some(COLUMNS.to_owned());
    let request = Request { columns, all: true, ..Request::default() };
    let rows = match of_entries(entries, &request) {
        Ok((_, rows)) => rows,
        Err(why) => return wrapped(&why, facts.width, Role::Warn),
    };
    let widths = widths(&rows, facts.width);
    let heads = rows.infos.iter().map(|info| info.head.to_owned()).collect();
    let mut lines = vec![cells(&rows.infos, heads, &widths, (UNMARKED, Role::Label))];
    lines.extend(entries.iter().enumerate().map(|(row, entry)| {
        let shown = rows.infos.iter().zip(&widths);
        let words = shown.map(|(info, width)| folded(&rows, row, info.id, *width)).collect();
        let is_marked = facts.lab.marked.contains(&entry.id);
        cells(&rows.infos, words, &widths, signs(mark(facts, row == facts.lab.entry), is_marked))
    }));
    lines
}

/// Before a row that is neither selected nor marked.
const UNMARKED: &str = "  ";

/// The signs of a row that may be marked, as in other tables, and how it looks.
fn signs((sign, role): (&str, Role), is_marked: bool) -> (&'static str, Role) {
    let role = if is_marked && role == Role::Text { Role::Tagged } else { role };
    let signs = match (sign == ">", is_marked) {
        (true, true) => ">*",
        (true, false) => "> ",
        (false, true) => " *",
        (false, false) => UNMARKED,
    };
    (signs, role)
}

/// The words of a cell. One that would be cut as another one is loses its middle instead: runs of an
/// experiment are called like it, and differ in their ends.
fn folded(rows: &Rows, row: usize, id: &str, cells: usize) -> String {
    let words = rows.text(row, id);
    let cut = text::clip(&words, cells);
    let is_alike = |other: usize| {
        let other = rows.text(other, id);
        other != words && text::clip(&other, cells) == cut
    };
    if !(0..rows.cells.len()).any(is_alike) {
        return words;
    }
    let start = text::clip(&words, cells / 3);
    let room = cells.saturating_sub(text::width(&start));
    let mut ends = words.char_indices().map(|(place, _)| words.split_at(place).1);
    start + ends.find(|end| text::width(end) <= room).unwrap_or_default()
}

/// Cells of each column. Where even those that stay are too wide, the widest of them give way; what
/// is left goes to titles and ends.
fn widths(rows: &Rows, cells: usize) -> Vec<usize> {
    let column = |(place, info): (usize, &&Info)| (width(rows, place, LONGEST), drop(info));
    let mut columns: Vec<(usize, u8)> = rows.infos.iter().enumerate().map(column).collect();
    // The signs stand in front, and the last has no gap behind it.
    let room = (cells + 1).saturating_sub(UNMARKED.len());
    let taken = |columns: &[(usize, u8)], most: u8| {
        let shown = columns.iter().filter(|(_, drop)| *drop <= most);
        shown.map(|(width, _)| width + 1).sum::<usize>()
    };
    while taken(&columns, 0) > room {
        let wide = columns.iter_mut().filter(|(width, drop)| *drop == 0 && *width > LEAST);
        let Some((widest, _)) = wide.max_by_key(|(width, _)| *width) else { break };
        *widest -= 1;
    }
    let most = (0..=u8::MAX).take_while(|most| taken(&columns, *most) <= room).last().unwrap_or(0);
    let mut free = room.saturating_sub(taken(&columns, most));
    for (place, (now, drop)) in columns.iter_mut().enumerate() {
        let more = width(rows, place, usize::MAX).saturating_sub(*now).min(free);
        if *drop == 0 {
            *now += more;
            free -= more;
        }
    }
    columns.into_iter().map(|(width, _)| width).collect()
}

/// Cells of a column as far as its words are no longer than that.
fn width(rows: &Rows, place: usize, longest: usize) -> usize {
    let Some(info) = rows.infos.get(place) else { return 0 };
    let cells = (0..rows.cells.len()).map(|row| text::width(&rows.text(row, info.id)));
    cells.max().unwrap_or(0).min(longest).max(text::width(info.head))
}

/// A line of a table. All lines lose the same columns where it is narrow.
fn cells(
    infos: &[&Info],
    words: Vec<String>,
    widths: &[usize],
    (signs, role): (&str, Role),
) -> Line {
    let cells = infos.iter().zip(words).zip(widths).enumerate();
    cells.fold(Line::new(), |line, (place, ((info, words), width))| {
        let words = text::pad(&text::clip(&words, *width), *width, info.unit.is_number());
        // The number stays, and the signs stand before it.
        let words = if place == 0 { format!("{signs}{words}") } else { words };
        line.text(words, role).drops(drop(info))
    })
}

/// How soon a column goes here: what tells runs apart stays.
fn drop(info: &Info) -> u8 {
    match info.id {
        "id" | "title" | "end" => 0,
        "when" => 6,
        "elapsed" => 5,
        "free" => 4,
        "system" => 3,
        _ => 2,
    }
}

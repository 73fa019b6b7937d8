//! What does this machine do under a load?

mod run;

use crate::actions::check::CheckVerdict;
use crate::columns::tables::lab::results_table;
use crate::columns::tables::status::id as status;
use crate::columns::{Info, Request, Rows, text};
use crate::derive::lab::ResultEntry;
use crate::model::name::safe_text;
use crate::ui::content::{PaneLine, wrapped};
use crate::ui::lab::{Choosable, FieldInfo, LOADS, Runnable, RESULTS, RUN, SETTINGS};
use crate::ui::pane_data::Facts;
use crate::ui::screen::{Band, Body, Height, Pane, Screen};
use crate::ui::table_query::ask;
use crate::ui::theme::Role;

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "lab",
    number: '7',
    name: "Lab",
    question: "What does this machine do under a load?",
    panes: &[
        Pane {
            id: LOADS,
            title: "To run",
            about: "Experiments run a load in several cases and say how they differ; loads are run as they are. Those that are built in, and your own: swapadm stress show and experiment show print one as a file to change. Enter shows how the chosen one would be run, and runs it once that is confirmed; / goes to the first that holds a word.",
            body: Body::Facts { asks: &[], lines: loads },
        },
        Pane {
            id: SETTINGS,
            title: "Settings",
            about: "How it is run. h and l go through what is usual, Enter lets you type anything that swapadm stress run or experiment run takes; nothing typed lets it be as it is by itself.",
            body: Body::Facts { asks: &[], lines: settings },
        },
        Pane {
            id: RESULTS,
            title: "Results",
            about: "Runs and experiments that are kept, newest first, also those of the command: Enter shows one, and p there what others have published of such an experiment, or leaves it out again, / goes to the first that holds a word, Space marks one, c compares the marked one with the selected one, or the two marked ones; where none is marked, the last from here with the selected one. MB/s and SYSTEM are those of all processes, FREE is how long one took to give its memory back.",
            body: Body::Facts { asks: &[], lines: results },
        },
        Pane {
            id: RUN,
            title: "Guard rails and run",
            about: "Before a run: what ends it, what may stand against it, and what it is lent and gives back. While it runs: how far it is, and what of swap is used. After it: its figures; Enter shows all of them. Where there is no room for all lines, the title says how many are seen, and j, k, PgDn and PgUp lead through them.",
            body: Body::Facts { asks: &[ask!(status: IN_RATE OUT_RATE)], lines: run::lines },
        },
    ],
    bands: &[
        Band { panes: &[(LOADS, 24), (SETTINGS, 36), (RESULTS, 40)], height: Height::Fits(11) },
        Band { panes: &[(RUN, 100)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[(LOADS, 18), (SETTINGS, 34), (RESULTS, 48)], height: Height::Fits(14) },
        Band { panes: &[(RUN, 100)], height: Height::Rest },
    ],
};

/// The sign of the row that keys act on, and how it looks.
fn mark(facts: &Facts<'_>, here: bool) -> (&'static str, Role) {
    match (here, facts.focused) {
        (true, true) => (">", Role::Selected),
        (true, false) => (">", Role::Accent),
        (false, _) => (" ", Role::Text),
    }
}

/// Cells of the name of a load.
const NAME: usize = 14;

fn loads(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.lab.loads.is_empty() {
        let words = "Nothing can be run from here: what is shown is no machine of ours.";
        return wrapped(words, facts.width, Role::Faint);
    }
    let chosen = facts.lab.chosen();
    let line = |line: Choosable<'_>| {
        let (place, load) = match line {
            Choosable::Heading(words) => return PaneLine::new().text(words, Role::Label),
            Choosable::Load(place, load) => (place, load),
        };
        let (sign, role) = mark(facts, place == chosen);
        let line = PaneLine::new().text(sign, role).cell(runnable_name(load), role, NAME);
        // A sentence that is cut after a word or two says nothing.
        let room = facts.width.saturating_sub(NAME + 3);
        let about = if room < 40 { String::new() } else { text::clip(&load.about, room) };
        line.label(about).drops(1)
    };
    facts.lab.lines().into_iter().map(line).collect()
}

/// A name, behind its letter where it has one.
fn runnable_name(load: &Runnable) -> String {
    let name = safe_text(&load.name);
    load.letter.map_or_else(|| name.clone(), |letter| format!("{letter} {name}"))
}

/// Cells of what is set, and of its name.
const FIELD: usize = 10;
const VALUE: usize = 11;

fn settings(facts: &Facts<'_>) -> Vec<PaneLine> {
    let line = |(place, info): (usize, &FieldInfo)| {
        let (sign, role) = mark(facts, place == facts.lab.field);
        let set = facts.lab.form.get(info.field).map(safe_text);
        let own = if set.is_some() { Role::Text } else { Role::Faint };
        let shown = if role == Role::Selected { role } else { own };
        let value = text::clip(set.as_deref().unwrap_or(info.unset), facts.width.max(VALUE));
        let name = if role == Role::Selected { role } else { Role::Label };
        let line = PaneLine::new().text(sign, role).cell(info.name, name, FIELD);
        line.cell(value, shown, VALUE).label(info.accepts).drops(1)
    };
    facts.lab.fields().iter().enumerate().map(line).collect()
}

fn results(facts: &Facts<'_>) -> Vec<PaneLine> {
    let sentence = |words: &str, role| wrapped(words, facts.width, role);
    match &facts.lab.entries {
        None if facts.lab.loads.is_empty() => sentence("None can be read from here.", Role::Faint),
        None => sentence("reading what is kept", Role::Faint),
        Some(Err(why)) => sentence(&safe_text(why), Role::Warn),
        Some(Ok(entries)) if entries.is_empty() => {
            sentence("None is kept yet: that of each run is.", Role::Faint)
        }
        Some(Ok(entries)) => entry_lines(facts, entries),
    }
}

/// How a check is said.
fn verdict(verdict: CheckVerdict) -> Role {
    match verdict {
        CheckVerdict::Ok | CheckVerdict::Note => Role::Text,
        CheckVerdict::Warn => Role::Warn,
        CheckVerdict::Refuse => Role::Crit,
    }
}

/// What is shown of kept runs.
const COLUMNS: &str = "id,title,system,throughput_sum,free,elapsed,when,end";
/// Cells of the longest word in a column, and of one that can still be told from others.
const LONGEST: usize = 18;
const LEAST: usize = 4;

/// The headings, and a line for each.
fn entry_lines(facts: &Facts<'_>, entries: &[ResultEntry]) -> Vec<PaneLine> {
    let columns = Some(COLUMNS.to_owned());
    let request = Request { columns, all: true, ..Request::default() };
    let rows = match results_table(entries, &request) {
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
) -> PaneLine {
    let cells = infos.iter().zip(words).zip(widths).enumerate();
    cells.fold(PaneLine::new(), |line, (place, ((info, words), width))| {
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

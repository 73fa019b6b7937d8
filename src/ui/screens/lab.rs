//! The lab screen: workloads and experiments, how they are run, and their results.

mod run;

use super::{Band, Facts, Height, Pane, PaneLine, Role, Screen, ask, safe_text, text};
use crate::columns::tables::lab::results_table;
use crate::columns::{Info, Request, Rows};
use crate::derive::lab::ResultEntry;
use crate::ui::lab::{Choosable, FieldInfo, LOADS, RESULTS, RUN, Runnable, SETTINGS};
use crate::ui::table_query::ids::{paging, status};
use std::collections::{BTreeMap, BTreeSet};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "lab",
    number: '7',
    name: "Lab",
    question: "How does this machine behave under a workload?",
    answer: Pane::answer(answer)
        .about("What runs, or how the last run ended.")
        .asks(&[ask!(status: STATE)]),
    panes: &[
        Pane::facts(LOADS, "Workloads", loads)
            .about("Experiments run a workload in several cases and compare them; workloads run as they are. Built-in ones are listed with your own: swapadm stress show and swapadm experiment show print one as a file to change. Enter shows how the selected one would run, and runs it after you confirm. / goes to the first name that contains a word."),
        Pane::facts(SETTINGS, "Settings", settings)
            .about("The options of the run. h and l go through common values; Enter accepts any value that swapadm stress run or swapadm experiment run accepts. An empty value means the default."),
        Pane::facts(RESULTS, "Results", results)
            .about("Saved results of runs and experiments, newest first, including those started from the command line. Enter shows one; p on that page adds or hides published results of the same experiment. / goes to the first name that contains a word. Space marks a result, and c compares: the marked one with the selected one, two marked ones, or, without marks, the last run of this session with the selected one. MiB/s is the throughput and SYS-TIME the system time of all processes together; FREE-TIME is how long a process took to free its memory."),
        Pane::facts(RUN, "Guard and run", run::lines)
            .filling()
            .about("Before a run: what stops it, warnings, and its temporary setup. During a run: progress and swap use. After a run: its figures; Enter shows all of them. If not all lines fit, the title shows which lines are visible; j, k, PgDn and PgUp scroll.")
            .asks(&[ask!(paging: IN_RATE OUT_RATE)]),
    ],
    bands: &[
        Band { panes: &[(LOADS, 24), (SETTINGS, 36), (RESULTS, 40)], height: Height::Fits(11) },
        Band { panes: &[(RUN, 100)], height: Height::Rest },
    ],
    wide: &[
        Band { panes: &[(LOADS, 18), (SETTINGS, 27), (RESULTS, 55)], height: Height::Fits(24) },
        Band { panes: &[(RUN, 100)], height: Height::RestFrom(14) },
    ],
};

/// The running workload, the end of the last run, or the key that begins one.
fn answer(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.lab.loads.is_empty() {
        return vec![PaneLine::new().label("Workloads need a live machine.")];
    }
    let running = facts.job.filter(|job| job.ended.is_none()).and_then(|job| job.load.as_ref());
    if let Some(load) = running {
        let words = format!("{} is running; F9 shows it.", load.label());
        return vec![PaneLine::new().text(words, Role::Text)];
    }
    if let Some(last) = &facts.lab.last {
        let role = if last.well { Role::Ok } else { Role::Crit };
        let summary = safe_text(&last.summary);
        // The first sentence says how it ended.
        return vec![match summary.split_once(". ") {
            Some((end, rest)) => {
                PaneLine::new().text(format!("{end}."), role).text(rest, role).drops(1)
            }
            None => PaneLine::new().text(summary, role),
        }];
    }
    let results =
        facts.lab.entries.as_ref().map_or(0, |entries| entries.as_ref().map_or(0, Vec::len));
    let line = PaneLine::new().text("No run yet", Role::Text).text("in this session", Role::Text);
    vec![line.drops(2).text(format!("- saved results: {results}."), Role::Text)]
}

/// The mark before the selected row, and its style.
pub(super) fn mark(facts: &Facts<'_>, here: bool) -> (&'static str, Role) {
    match (here, facts.focused) {
        (true, true) => (">", Role::Selected),
        (true, false) => (">", Role::Accent),
        (false, _) => (" ", Role::Text),
    }
}

/// Width of the name of a workload, and least width of its description.
const NAME: usize = 14;
const LEAST_ABOUT: usize = 40;

fn loads(facts: &Facts<'_>) -> Vec<PaneLine> {
    if facts.lab.loads.is_empty() {
        let words = "Workloads need a live machine.";
        return facts.wrapped(words, Role::Faint);
    }
    let chosen = facts.lab.chosen();
    let line = |line: Choosable<'_>| {
        let (place, load) = match line {
            Choosable::Heading(words) => return PaneLine::new().text(words, Role::Label),
            Choosable::Load(place, load) => (place, load),
        };
        let (sign, role) = mark(facts, place == chosen);
        let line = PaneLine::new().text(sign, role).cell(runnable_name(load), role, NAME);
        // A description that would be cut after a word or two is left out.
        if facts.width < NAME + 3 + LEAST_ABOUT { line } else { line.label(safe_text(&load.about)) }
    };
    facts.lab.lines().into_iter().map(line).collect()
}

/// The name, with its letter if it has one.
fn runnable_name(load: &Runnable) -> String {
    let name = safe_text(&load.name);
    load.letter.map_or_else(|| name.clone(), |letter| format!("{letter} {name}"))
}

/// Widths of a value and of its name.
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
        let line = PaneLine::new().text(sign, role).cell(info.field.word(), name, FIELD);
        line.cell(value, shown, VALUE).extra(1, info.accepts)
    };
    facts.lab.fields().iter().enumerate().map(line).collect()
}

fn results(facts: &Facts<'_>) -> Vec<PaneLine> {
    let sentence = |words: &str, role| facts.wrapped(words, role);
    match &facts.lab.entries {
        None if facts.lab.loads.is_empty() => {
            sentence("Results can be read only on a live machine.", Role::Faint)
        }
        None => sentence("reading the results", Role::Faint),
        Some(Err(why)) => sentence(&safe_text(why), Role::Warn),
        Some(Ok(entries)) if entries.is_empty() => {
            sentence("No results yet: every run saves one.", Role::Faint)
        }
        Some(Ok(entries)) => entry_lines(facts, entries),
    }
}

/// The columns of results.
const COLUMNS: &str = "id,title,system,throughput_sum,free_time,elapsed,started,outcome";
/// Width of the longest word in a column, and the least width at which words still differ.
const LONGEST: usize = 26;
const LEAST: usize = 4;

/// The headings, and a line for each result.
fn entry_lines(facts: &Facts<'_>, entries: &[ResultEntry]) -> Vec<PaneLine> {
    let columns = Some(COLUMNS.to_owned());
    let request = Request { columns, all: true, ..Request::default() };
    let rows = match results_table(entries, &request) {
        Ok((_, rows)) => rows,
        Err(why) => return facts.wrapped(&why, Role::Warn),
    };
    let widths = widths(&rows, facts.width);
    let heads = rows.infos.iter().map(|info| info.head.to_owned()).collect();
    let mut lines = vec![cells(&rows.infos, heads, &widths, (UNMARKED, Role::Label))];
    let shown = rows.infos.iter().zip(&widths);
    let columns: Vec<_> = shown.map(|(info, width)| column(&rows, info.id, *width)).collect();
    lines.extend(entries.iter().enumerate().map(|(row, entry)| {
        let words = columns.iter().filter_map(|column| column.get(row).cloned()).collect();
        let is_marked = facts.lab.marked.contains(&entry.id);
        cells(&rows.infos, words, &widths, signs(mark(facts, row == facts.lab.entry), is_marked))
    }));
    lines
}

/// The signs before a row that is neither selected nor marked.
const UNMARKED: &str = "  ";

/// The signs before a row that may be marked, and its style.
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

/// The words of a column. A title that is too long loses the names of machine and experiment. Words that would still
/// be cut to the same beginning as others lose their beginning instead.
fn column(rows: &Rows, id: &str, cells: usize) -> Vec<String> {
    let short = |words: String| match words.rsplit_once(": ") {
        Some((_, end)) if text::width(&words) > cells => end.to_owned(),
        _ => words,
    };
    let words: Vec<String> = (0..rows.cells.len()).map(|row| short(rows.text(row, id))).collect();
    let mut beginnings: BTreeMap<String, BTreeSet<&String>> = BTreeMap::new();
    for words in &words {
        beginnings.entry(text::clip(words, cells)).or_default().insert(words);
    }
    let is_alike = |words: &String| {
        beginnings.get(&text::clip(words, cells)).is_some_and(|alike| alike.len() > 1)
    };
    let fold =
        |words: &String| if is_alike(words) { shown_end(words, cells) } else { words.clone() };
    words.iter().map(fold).collect()
}

/// Words without their beginning, if possible from the beginning of a word on.
fn shown_end(words: &str, cells: usize) -> String {
    let room = cells.saturating_sub(CUT.len());
    let ends = || words.char_indices().map(|(place, _)| words.split_at(place));
    let mut fitting = ends().filter(|(_, end)| text::width(end) <= room);
    let whole = fitting.clone().find(|(before, _)| before.ends_with(' '));
    let end = whole.or_else(|| fitting.next()).map_or("", |(_, end)| end);
    format!("{CUT}{end}")
}

/// The sign for what is cut off in front.
const CUT: &str = "..";

/// The width of each column. If the columns that stay are too wide, the widest are narrowed; spare width
/// goes to titles and ends.
fn widths(rows: &Rows, cells: usize) -> Vec<usize> {
    let column = |(place, info): (usize, &&Info)| (width(rows, place, LONGEST), drop(info));
    let mut columns: Vec<(usize, u8)> = rows.infos.iter().enumerate().map(column).collect();
    // The signs come first, and the last column has no gap behind it.
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

/// The width of a column, up to the width of its longest word.
fn width(rows: &Rows, place: usize, longest: usize) -> usize {
    let Some(info) = rows.infos.get(place) else { return 0 };
    let cells = (0..rows.cells.len()).map(|row| text::width(&rows.text(row, info.id)));
    cells.max().unwrap_or(0).min(longest).max(text::width(info.head))
}

/// A line of a table. In a narrow pane all lines drop the same columns.
fn cells(
    infos: &[&Info],
    words: Vec<String>,
    widths: &[usize],
    (signs, role): (&str, Role),
) -> PaneLine {
    let cells = infos.iter().zip(words).zip(widths).enumerate();
    cells.fold(PaneLine::new(), |line, (place, ((info, words), width))| {
        let words = text::pad(&text::clip(&words, *width), *width, info.unit.is_number());
        // The number always stays, because the signs are before it.
        let words = if place == 0 { format!("{signs}{words}") } else { words };
        line.text(words, role).drops(drop(info))
    })
}

/// How soon a column is dropped: those that identify a run stay.
fn drop(info: &Info) -> u8 {
    match info.id {
        "id" | "title" | "outcome" => 0,
        "started" => 6,
        "elapsed" => 5,
        "free_time" => 4,
        "system" => 3,
        _ => 2,
    }
}

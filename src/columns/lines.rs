//! The lines of text tables, for reports and pages: rows with as many columns as fit, vertical records, and the reasons for missing cells.

use super::select::{self, LineWidth};
use super::{Info, Rows, Value, text};

/// Options for printing a table.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct TableOptions {
    /// Print sizes in bytes.
    pub bytes: bool,
    /// Omit headings.
    pub noheadings: bool,
    /// Separate columns by one space, drop none, and escape blanks in values.
    pub raw: bool,
    /// Use column names as headings, because headings of records are too long for a line.
    pub by_name: bool,
    /// Width of the terminal; `None` if the output is not a terminal.
    pub width: Option<usize>,
}

/// Space between two columns.
const GAP: &str = "  ";

/// The lines of a table.
pub fn lines(rows: &Rows, options: TableOptions) -> Vec<String> {
    aligned(rows, options, &mut StreamLayout::default())
}

/// Layout shared by the tables of a stream, so that rows stay aligned with the headings above.
#[derive(Clone, Debug, Default)]
pub struct StreamLayout {
    /// Width of each column, which grows if necessary.
    widths: Vec<usize>,
    /// Shown columns, selected at each line of headings.
    kept: Vec<usize>,
}

/// Width of a number in a stream, where later numbers can be longer: `1023.9M`.
const STREAM_NUMBER_WIDTH: usize = 7;

/// The lines of a table, aligned with the tables before it.
pub fn aligned(rows: &Rows, options: TableOptions, layout: &mut StreamLayout) -> Vec<String> {
    if options.raw {
        return raw(rows, options);
    }
    let cells: Vec<Vec<String>> =
        rows.cells.iter().map(|row| human(row, &rows.infos, options)).collect();
    widen(&mut layout.widths, rows, &cells, options);
    if !options.noheadings || layout.kept.is_empty() {
        let all = (0..rows.infos.len()).collect();
        layout.kept = select::fitting(all, &rows.infos, &rows.named, &layout.widths, room(options));
    }
    let StreamLayout { widths, kept } = layout;
    let print = |cells: &[String]| line(cells, &rows.infos, widths, kept, options.width);
    let heads: Vec<String> = rows.infos.iter().map(|info| heading(info, options)).collect();
    let head = (!options.noheadings).then(|| print(&heads));
    head.into_iter().chain(cells.iter().map(|row| print(row))).collect()
}

fn room(options: TableOptions) -> LineWidth {
    LineWidth { cells: options.width, gap: GAP.len() }
}

fn heading(info: &Info, options: TableOptions) -> String {
    // `IN/s` is short already, `Read ahead, pages/s` is not.
    let short = !info.head.chars().take(2).any(char::is_lowercase) && !info.head.contains(' ');
    if short || !options.by_name {
        return info.head.to_owned();
    }
    info.id.to_uppercase().replace('_', "-")
}

/// The texts of a row.
fn human(row: &[Value], infos: &[&'static Info], options: TableOptions) -> Vec<String> {
    row.iter().zip(infos).map(|(value, info)| value.human(info.unit, options.bytes)).collect()
}

fn widen(widths: &mut Vec<usize>, rows: &Rows, cells: &[Vec<String>], options: TableOptions) {
    widths.resize(rows.infos.len(), 0);
    for (place, (width, info)) in widths.iter_mut().zip(&rows.infos).enumerate() {
        let head = if options.noheadings { 0 } else { text::width(&heading(info, options)) };
        let column = cells.iter().filter_map(|row| row.get(place)).map(|cell| text::width(cell));
        let room = if options.by_name && info.unit.is_number() { STREAM_NUMBER_WIDTH } else { 0 };
        *width = column.max().unwrap_or(0).max(head).max(room).max(*width);
    }
}

fn line(
    cells: &[String],
    infos: &[&'static Info],
    widths: &[usize],
    kept: &[usize],
    width: Option<usize>,
) -> String {
    let mut line = String::new();
    for place in kept {
        let (Some(cell), Some(info), Some(cells)) =
            (cells.get(*place), infos.get(*place), widths.get(*place))
        else {
            continue;
        };
        if !line.is_empty() {
            line.push_str(GAP);
        }
        line.push_str(&text::pad(cell, *cells, info.unit.is_number()));
    }
    let line = line.trim_end();
    // Only a text at the end is cut: a cut number would be wrong.
    let last = kept.last().and_then(|place| infos.get(*place));
    match width.filter(|_| last.is_some_and(|info| !info.unit.is_number())) {
        Some(width) if select::minimum_width(kept, infos, widths, GAP.len()) <= width => {
            text::clip(line, width)
        }
        _ => line.to_owned(),
    }
}

/// The lines for scripts that split at blanks: a blank inside a value is written `\x20`.
fn raw(rows: &Rows, options: TableOptions) -> Vec<String> {
    let join = |words: Vec<String>| words.join(" ");
    let heads = rows.infos.iter().map(|info| heading(info, options).replace(' ', "\\x20"));
    let head = (!options.noheadings).then(|| join(heads.collect()));
    let word = |(value, info): (&Value, &&Info)| value.word(info.unit, options.bytes);
    let body = rows.cells.iter().map(|row| join(row.iter().zip(&rows.infos).map(word).collect()));
    head.into_iter().chain(body).collect()
}

/// The reasons for missing cells, each once with its columns.
pub fn reasons(rows: &Rows) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<&'static str>)> = Vec::new();
    for (value, info) in rows.cells.iter().flat_map(|row| row.iter().zip(&rows.infos)) {
        let Some(missing) = value.missing() else {
            continue;
        };
        let why = without_pid(&crate::model::name::safe_text(&missing.to_string()));
        match reasons.iter_mut().find(|(other, _)| *other == why) {
            Some((_, columns)) if columns.contains(&info.id) => {}
            Some((_, columns)) => columns.push(info.id),
            None => reasons.push((why, vec![info.id])),
        }
    }
    reasons.into_iter().map(|(why, columns)| format!("{}: {why}", columns.join(", "))).collect()
}

/// A reason with `PID` for the number of a process, so that it is the same for all processes.
fn without_pid(why: &str) -> String {
    let Some((before, after)) = why.split_once("/proc/") else { return why.to_owned() };
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_number = rest.len() < after.len() && rest.starts_with('/');
    if has_number { format!("{before}/proc/PID{rest}") } else { why.to_owned() }
}

/// Smallest width for wrapping a value.
const MIN_FOLD_WIDTH: usize = 20;

/// The lines of a record: heading and value on each line, rows separated by an empty line. Long values are
/// wrapped instead of cut.
pub fn record(rows: &Rows, options: TableOptions) -> Vec<String> {
    let widest = rows.infos.iter().map(|info| text::width(info.head)).max().unwrap_or(0);
    let lead = if options.noheadings { 0 } else { widest + GAP.len() };
    let cells = options.width.map_or(usize::MAX, |width| width.max(lead + MIN_FOLD_WIDTH));
    let mut lines = Vec::new();
    for row in &rows.cells {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        for (value, info) in row.iter().zip(&rows.infos) {
            let value = value.human(info.unit, options.bytes);
            let head = if options.noheadings { "" } else { info.head };
            lines.extend(text::heading_and_text(head, &value, (lead, cells)));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Info, Unit, Value};

    static NAME: Info = Info::new("name", "NAME", Unit::Text);
    static USED: Info = Info::new("used", "USED", Unit::Bytes);
    static MODEL: Info = Info::new("model", "MODEL", Unit::Text).drop(9);
    static NODE: Info = Info::new("node", "NODE", Unit::Integer).drop(2);

    fn rows() -> Rows {
        let row = |name: &str, used, model: &str| {
            vec![Value::from(name), Value::Whole(used), Value::from(model), Value::Integer(-1)]
        };
        Rows {
            infos: vec![&NAME, &USED, &MODEL, &NODE],
            cells: vec![row("/dev/zram0", 4096, "a b"), row("/dev/sda2", 1 << 31, "x")],
            keys: vec![Value::from("/dev/zram0"), Value::from("/dev/sda2")],
            origins: vec![],
            sorted: None,
            hidden: 0,
            filtered: 0,
            named: vec![false; 4],
            below: None,
            title: None,
        }
    }

    #[test]
    fn numbers_are_right_aligned_and_names_left() {
        let lines = lines(&rows(), TableOptions::default());
        assert_eq!(lines[0], "NAME        USED  MODEL  NODE");
        assert_eq!(lines[1], "/dev/zram0    4K  a b      -1");
        assert_eq!(lines[2], "/dev/sda2     2G  x        -1");
    }

    #[test]
    fn a_narrow_terminal_drops_columns_in_their_order_but_never_cuts_a_number() {
        let heads = |width| {
            lines(&rows(), TableOptions { width: Some(width), ..TableOptions::default() })
                .swap_remove(0)
        };
        assert_eq!(heads(29), "NAME        USED  MODEL  NODE");
        assert_eq!(heads(28), "NAME        USED  NODE");
        assert_eq!(heads(21), "NAME        USED");
        assert_eq!(heads(3), "NAME        USED");
    }

    #[test]
    fn columns_asked_for_by_name_are_never_dropped() {
        let asked = Rows { named: vec![false, false, true, false], ..rows() };
        let lines = lines(&asked, TableOptions { width: Some(20), ..TableOptions::default() });
        assert_eq!(lines[0], "NAME        USED  MODEL");
    }

    #[test]
    fn raw_output_has_one_word_for_each_column() {
        let lines =
            lines(&rows(), TableOptions { raw: true, bytes: true, ..TableOptions::default() });
        assert_eq!(lines[1], "/dev/zram0 4096 a\\x20b -1");
        assert!(lines.iter().all(|line| line.split(' ').count() == 4));
    }

    #[test]
    fn rows_of_a_stream_stay_below_their_headings() {
        let mut layout = StreamLayout::default();
        let options = TableOptions { by_name: true, width: Some(30), ..TableOptions::default() };
        let row = |used| Rows {
            infos: vec![&USED, &NODE, &USED],
            cells: vec![vec![Value::Whole(used), Value::Integer(1), Value::Whole(used)]],
            named: vec![false; 3],
            ..rows()
        };
        let head = aligned(&row(1 << 30), options, &mut layout);
        assert_eq!(head, ["   USED     NODE     USED", "     1G        1       1G"]);
        // Longer figures neither move nor drop a column.
        let later = TableOptions { noheadings: true, ..options };
        let lines = aligned(&row(1_073_636_147), later, &mut layout);
        assert_eq!(lines, ["1023.9M        1  1023.9M"]);
        // Even one that does not fit leaves the choice of columns as the headings have it.
        let lines = aligned(&row(u64::MAX), TableOptions { bytes: true, ..later }, &mut layout);
        assert_eq!(lines[0].split_whitespace().count(), 3);
    }

    #[test]
    fn headings_can_be_left_out() {
        let options = TableOptions { noheadings: true, ..TableOptions::default() };
        assert_eq!(lines(&rows(), options).len(), 2);
    }

    static TITLE: Info = Info::new("title", "Title", Unit::Text);
    static SETTINGS: Info = Info::new("settings", "Settings", Unit::List);

    fn settings() -> Rows {
        let words = ["page-cluster=3", "swappiness=60", "min_free_kbytes=4096"];
        let settings = Value::List(words.map(str::to_owned).to_vec());
        Rows {
            infos: vec![&TITLE, &SETTINGS],
            cells: vec![vec![Value::from("readahead"), settings]],
            keys: vec![Value::from("readahead")],
            named: vec![false; 2],
            ..rows()
        }
    }

    #[test]
    fn long_values_are_wrapped_below_themselves() {
        let options = TableOptions { width: Some(40), ..TableOptions::default() };
        let folded = [
            "Title     readahead",
            "Settings  page-cluster=3 swappiness=60",
            "          min_free_kbytes=4096",
        ];
        assert_eq!(record(&settings(), options), folded);
        let bare = ["readahead", "page-cluster=3 swappiness=60", "min_free_kbytes=4096"];
        assert_eq!(record(&settings(), TableOptions { noheadings: true, ..options }), bare);
        assert_eq!(record(&settings(), TableOptions::default()).len(), 2, "a file has no edge");
    }
}

//! Tables in Markdown.

use crate::columns::{ExtraRows, Info, Rows, Spec, Style, TextSection, TextTable, Value};

/// A table with its title and note, if it has them. Sizes are in bytes, or as people read them.
pub fn table(spec: &Spec, rows: &Rows, has_title: bool, bytes: bool) -> String {
    let named = rows.title.as_deref().map(escaped);
    let named = named.or_else(|| has_title.then(|| spec.title.to_owned()));
    let title = named.map_or_else(String::new, |named| format!("### {named}\n\n"));
    let body = match spec.style {
        Style::Rows => lines(rows, bytes, true),
        Style::Record => record(rows, bytes),
    };
    let below = rows.below.iter().map(|words| format!("\n{}\n", escaped(words)));
    title + &body + &below.collect::<String>()
}

/// A section: paragraphs, and a table below them.
pub fn part(part: &TextSection) -> String {
    let words = part.words.iter().map(|words| escaped(words) + "\n\n");
    words.chain(part.sheet.iter().map(|sheet| self::sheet(sheet) + "\n")).collect()
}

fn sheet(sheet: &TextTable) -> String {
    let rule = |place| if place < sheet.names { "---" } else { "---:" }.to_owned();
    let texts = |row: &[String]| line(row.iter().map(|text| escaped(text)));
    let title = |under: &ExtraRows| {
        let rest = sheet.heads.iter().skip(1).map(|_| String::new());
        line([format!("*{}*", escaped(&under.title))].into_iter().chain(rest))
    };
    let under = sheet.under.iter().flat_map(|under| {
        [title(under)].into_iter().chain(under.rows.iter().map(|row| texts(row)))
    });
    let rows = sheet.rows.iter().map(|row| texts(row)).chain(under);
    [texts(&sheet.heads), line((0..sheet.heads.len()).map(rule))].into_iter().chain(rows).collect()
}

/// A line of a list.
pub fn item(text: &str) -> String {
    format!("- {}", escaped(text))
}

/// One line for each row, below the headings. The rows of later samples have none: they continue the table.
pub fn lines(rows: &Rows, bytes: bool, has_head: bool) -> String {
    let heads = || line(rows.infos.iter().map(|info| escaped(info.head)));
    let rules = || line(rows.infos.iter().map(|info| rule(info)));
    let head = if has_head { heads() + &rules() } else { String::new() };
    let cells = |row: &Vec<Value>| line(row.iter().zip(&rows.infos).map(|it| cell(it, bytes)));
    head + &rows.cells.iter().map(cells).collect::<String>()
}

/// Heading and value on each line.
fn record(rows: &Rows, bytes: bool) -> String {
    let head = line(["", ""].map(str::to_owned).into_iter()) + "| --- | --- |\n";
    let pair = |(value, info): (&Value, &&'static Info)| {
        line([escaped(info.head), cell((value, info), bytes)].into_iter())
    };
    let lines = rows.cells.iter().flat_map(|row| row.iter().zip(&rows.infos)).map(pair);
    head + &lines.collect::<String>()
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

fn rule(info: &Info) -> String {
    if info.unit.is_number() { "---:" } else { "---" }.to_owned()
}

fn cell((value, info): (&Value, &&'static Info), bytes: bool) -> String {
    escaped(&value.human(info.unit, bytes))
}

/// Escapes characters with a meaning in Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '#' | '!' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_cell_is_taken_as_markdown() {
        assert_eq!(escaped("a|b <b> *x* [l](u)"), "a\\|b &lt;b&gt; \\*x\\* \\[l\\](u)");
    }
}

//! Comma-separated values (RFC 4180): column names first, base units, missing values empty.

use crate::columns::{Rows, Value};
use crate::model::name;

/// A whole table: header line and rows.
pub fn table(rows: &Rows) -> String {
    let lines = std::iter::once(head(rows)).chain(lines(rows));
    lines.map(|line| line + "\n").collect()
}

/// Header line with the column names.
pub fn head(rows: &Rows) -> String {
    rows.infos.iter().map(|info| info.id).collect::<Vec<_>>().join(",")
}

/// One line for each row.
pub fn lines(rows: &Rows) -> Vec<String> {
    rows.cells.iter().map(|row| line(row)).collect()
}

/// Line of a row.
pub fn line(row: &[Value]) -> String {
    row.iter().map(field).collect::<Vec<_>>().join(",")
}

fn field(value: &Value) -> String {
    // Escape control characters: people print such files on terminals.
    let plain = name::data_text(&value.plain());
    if plain.contains([',', '"', '\n']) {
        format!("\"{}\"", plain.replace('"', "\"\""))
    } else {
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Missing;

    #[test]
    fn quotes_commas_and_line_ends_are_quoted() {
        assert_eq!(field(&Value::from("a,\"b\"\n")), "\"a,\"\"b\"\"\n\"");
        assert_eq!(field(&Value::Missing(Missing::absent("x"))), "");
        assert_eq!(field(&Value::Whole(5)), "5");
    }

    #[test]
    fn a_name_is_safe_on_a_terminal_and_keeps_its_bytes() {
        let name = name::Name::new(*b"a\x1b[2J\\\xff\xe2\x80\xae");
        let text = field(&Value::Name(name.clone()));
        assert!(!text.contains(['\x1b', '\u{202e}']), "{text}");
        assert_eq!(name::Name::from_exact(&text), Ok(name));
    }
}

//! A table of one row, printed downwards.

use super::table::Look;
use crate::columns::{Rows, text};

/// What stands between a heading and its value.
const GAP: &str = "  ";
/// The narrowest that a value is folded to.
const NARROW: usize = 20;

/// Heading and value on each line; several rows are set apart by an empty line. A value that does
/// not fit goes on below itself: settings and loads are of no use when their end is cut.
pub fn lines(rows: &Rows, look: Look) -> Vec<String> {
    let widest = rows.infos.iter().map(|info| text::width(info.head)).max().unwrap_or(0);
    let lead = if look.noheadings { 0 } else { widest + GAP.len() };
    let mut lines = Vec::new();
    for row in &rows.cells {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        for (value, info) in row.iter().zip(&rows.infos) {
            let value = value.human(info.unit, look.bytes);
            let head = if look.noheadings {
                String::new()
            } else {
                text::pad(info.head, widest, false) + GAP
            };
            let room = look.width.map(|width| width.saturating_sub(lead).max(NARROW));
            let folded = room.map_or_else(|| vec![value.clone()], |room| text::wrap(&value, room));
            let heads = std::iter::once(head).chain(std::iter::repeat(" ".repeat(lead)));
            lines.extend(heads.zip(folded).map(|(head, words)| head + &words));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Info, Unit, Value};

    static TITLE: Info = Info::new("title", "Title", Unit::Text);
    static SETTINGS: Info = Info::new("settings", "Settings", Unit::List);

    fn rows() -> Rows {
        let settings = ["page-cluster=3", "swappiness=60", "min_free_kbytes=4096"];
        let settings = Value::List(settings.map(str::to_owned).to_vec());
        Rows {
            infos: vec![&TITLE, &SETTINGS],
            cells: vec![vec![Value::from("readahead"), settings]],
            keys: vec![Value::from("readahead")],
            origins: vec![],
            sorted: None,
            hidden: 0,
            filtered: 0,
            named: vec![false; 2],
            below: None,
            title: None,
        }
    }

    #[test]
    fn what_does_not_fit_goes_on_below_its_value() {
        let look = Look { width: Some(40), ..Look::default() };
        let folded = [
            "Title     readahead",
            "Settings  page-cluster=3 swappiness=60",
            "          min_free_kbytes=4096",
        ];
        assert_eq!(lines(&rows(), look), folded);
        let bare = ["readahead", "page-cluster=3 swappiness=60", "min_free_kbytes=4096"];
        assert_eq!(lines(&rows(), Look { noheadings: true, ..look }), bare);
        assert_eq!(lines(&rows(), Look::default()).len(), 2, "a file has no edge");
    }
}

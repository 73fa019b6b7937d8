//! A table of one row, printed downwards.

use super::table::Look;
use crate::columns::{Rows, text};

/// Heading and value on each line; several rows are set apart by an empty line.
#[must_use]
pub fn lines(rows: &Rows, look: Look) -> Vec<String> {
    let widest = rows.infos.iter().map(|info| text::width(info.head)).max().unwrap_or(0);
    let mut lines = Vec::new();
    for row in &rows.cells {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        for (value, info) in row.iter().zip(&rows.infos) {
            let value = value.human(info.unit, look.bytes);
            let line = if look.noheadings {
                value
            } else {
                format!("{}  {value}", text::pad(info.head, widest, false))
            };
            lines.push(look.width.map_or(line.clone(), |width| text::clip(&line, width)));
        }
    }
    lines
}

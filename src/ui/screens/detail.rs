//! What the panes with details of one row have in common.

use crate::columns::text;
use crate::ui::content::Line;
use crate::ui::theme::Role;

/// A long text in lines of so many cells; a word that is longer goes on in the next line.
#[must_use]
pub(super) fn wrapped(words: &str, cells: usize, role: Role) -> Vec<Line> {
    let cells = cells.max(1);
    let lines = text::wrap(words, cells).into_iter().flat_map(|line| chunks(&line, cells));
    lines.map(|line| Line::new().text(line, role)).collect()
}

fn chunks(line: &str, cells: usize) -> Vec<String> {
    let mut chunks = vec![String::new()];
    for c in line.chars() {
        let last = chunks.last_mut().filter(|chunk| text::width(chunk) < cells);
        match last {
            Some(chunk) => chunk.push(c),
            None => chunks.push(c.to_string()),
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_where_they_fit() {
        let lines = wrapped("one two /a/very/long", 7, Role::Text);
        let lines: Vec<String> = lines.iter().map(Line::plain).collect();
        assert_eq!(lines, ["one two", "/a/very", "/long"]);
    }
}

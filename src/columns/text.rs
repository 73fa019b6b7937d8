//! Terminal width of texts.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Width of a text in terminal cells.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Cuts a text to this many cells and marks the cut with `+`.
pub fn clip(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut clipped = String::new();
    let mut used = 0;
    for c in text.chars() {
        let next = used + c.width().unwrap_or(0);
        if next + 1 > cells {
            break;
        }
        clipped.push(c);
        used = next;
    }
    if cells > 0 {
        clipped.push('+');
    }
    clipped
}

/// Pads a text with spaces: on the left if `right`-aligned (numbers), otherwise on the right.
pub fn pad(text: &str, cells: usize, right: bool) -> String {
    let spaces = " ".repeat(cells.saturating_sub(width(text)));
    if right { spaces + text } else { text.to_owned() + &spaces }
}

/// A text that begins with a capital.
pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Wraps a text between words into lines of at most this many cells.
pub fn wrap(text: &str, cells: usize) -> Vec<String> {
    wrap_parts(text.split(' '), " ", cells)
}

/// Wraps a text next to a heading of `lead` cells, in lines of at most `cells` cells.
pub fn heading_and_text(head: &str, words: &str, (lead, cells): (usize, usize)) -> Vec<String> {
    let heads = std::iter::once(head).chain(std::iter::repeat(""));
    let lines = heads.zip(wrap(words, cells.saturating_sub(lead)));
    lines.map(|(head, line)| pad(head, lead, false) + &line).collect()
}

/// Joins parts into lines of at most this many cells, without breaking one.
pub fn wrap_parts(
    parts: impl IntoIterator<Item = impl AsRef<str>>,
    gap: &str,
    cells: usize,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let part = part.as_ref();
        match lines.last_mut() {
            Some(line) if width(line) + width(gap) + width(part) <= cells => {
                line.push_str(gap);
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_combining_characters_count_as_the_terminal_counts_them() {
        assert_eq!(width("日本"), 4);
        assert_eq!(clip("日本語", 5), "日本+");
        assert_eq!(clip("abc", 3), "abc");
        assert_eq!(clip("abcd", 3), "ab+");
        assert_eq!(clip("abcd", 0), "");
        assert_eq!(pad("5", 3, true), "  5");
    }

    #[test]
    fn parts_are_kept_whole() {
        assert_eq!(wrap_parts(["a b", "cd", "e"], "  ", 7), ["a b  cd", "e"]);
    }

    #[test]
    fn words_are_kept_whole() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
    }
}

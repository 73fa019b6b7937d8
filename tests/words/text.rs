//! Texts that people read, with their lines.

/// A text of a source, with the line on which each part of it stands.
#[derive(Debug)]
pub(crate) struct Text {
    is_literal: bool,
    /// A line of the file, and the part of the text on it.
    parts: Vec<(usize, String)>,
}

impl Text {
    /// A whole document.
    pub(crate) fn plain(content: &str) -> Self {
        let parts = content.lines().enumerate().map(|(at, line)| (at + 1, line.to_owned()));
        Self { is_literal: true, parts: parts.collect() }
    }

    /// An empty string literal that begins on a line.
    pub(crate) fn literal(line: usize) -> Self {
        Self { is_literal: true, parts: vec![(line, String::new())] }
    }

    /// An empty doc comment.
    pub(crate) fn doc() -> Self {
        Self { is_literal: false, parts: Vec::new() }
    }

    pub(crate) fn push(&mut self, c: char) {
        if let Some((_, part)) = self.parts.last_mut() {
            part.push(c);
        }
    }

    pub(crate) fn push_line(&mut self, line: usize, part: String) {
        self.parts.push((line, part));
    }

    pub(crate) fn next_line(&mut self, line: usize) {
        self.push_line(line, String::new());
    }

    /// False for a doc comment.
    pub(crate) fn is_literal(&self) -> bool {
        self.is_literal
    }

    pub(crate) fn first_line(&self) -> usize {
        self.parts.first().map_or(0, |(line, _)| *line)
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = (usize, &str)> {
        self.parts.iter().map(|(line, part)| (*line, part.as_str()))
    }

    /// True when these are the first words of the text.
    pub(crate) fn begins_with(&self, words: &str) -> bool {
        let Some((_, first)) = self.parts.first() else { return false };
        let rest = first.trim_start().strip_prefix(words);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    }
}

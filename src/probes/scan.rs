//! Small parsers shared by probes: fields, choices, tables of numbers.

pub(crate) use crate::root::scan::{fields, hex_escape, lines, octal_escape, unescape};

use crate::model::paging::{BracketedChoice, Counters};
use crate::model::{Missing, Reading};
use crate::root::{Root, parse_hex, parse_u64, parsed, shown, unexpected};
use std::ops::{Range, RangeInclusive};
use std::path::Path;

/// Splits a file that is read in pieces into lines.
#[derive(Debug)]
pub(crate) struct LineSplitter {
    /// The beginning of a line whose end has not been read.
    unfinished: Vec<u8>,
    /// The most bytes to keep of a line.
    max_len: usize,
}

impl LineSplitter {
    /// Creates a splitter that keeps at most this many bytes of a line.
    pub(crate) fn new(max_len: usize) -> Self {
        Self { unfinished: Vec::new(), max_len }
    }

    /// Splits the next piece, and calls `each` with every line that ends in it.
    pub(crate) fn feed(&mut self, piece: &[u8], mut each: impl FnMut(&[u8])) {
        let mut parts = piece.split(|byte| *byte == b'\n');
        let last = parts.next_back().unwrap_or_default();
        for part in parts {
            if self.unfinished.is_empty() {
                each(part);
            } else {
                self.keep(part);
                each(&self.unfinished);
                self.unfinished.clear();
            }
        }
        self.keep(last);
    }

    /// Calls `each` with the last line, if it has no line feed.
    pub(crate) fn end(self, mut each: impl FnMut(&[u8])) {
        if !self.unfinished.is_empty() {
            each(&self.unfinished);
        }
    }

    fn keep(&mut self, part: &[u8]) {
        let room = self.max_len.saturating_sub(self.unfinished.len());
        self.unfinished.extend_from_slice(part.get(..room).unwrap_or(part));
    }
}

/// Reads a file of `name number` lines with an optional colon and unit, such as meminfo and vmstat.
///
/// Lines of another form are skipped: later kernels may add some. A file without any such line is a failed
/// reading.
pub(crate) fn counters(root: &Root, path: impl AsRef<Path>) -> Reading<Counters> {
    let path = path.as_ref();
    root.read(path).and_then(|bytes| {
        let pairs = || lines(&bytes).filter_map(counter);
        let earlier = root.kept_counters(path);
        if let Some(counters) = earlier.and_then(|earlier| earlier.with_numbers(pairs())) {
            return Reading::Known(counters);
        }
        let pairs: Vec<_> = pairs().map(|(name, value)| (name.into(), value)).collect();
        if pairs.is_empty() {
            return unexpected(path, "lines with a name and a number", &bytes);
        }
        let counters = Counters::new(shown(path), pairs);
        root.keep_counters(path, &counters);
        Reading::Known(counters)
    })
}

fn counter(line: &[u8]) -> Option<(&str, u64)> {
    let mut fields = fields(line);
    let name = fields.next()?;
    let name = std::str::from_utf8(name.strip_suffix(b":").unwrap_or(name)).ok()?;
    let value = parse_u64(fields.next()?)?;
    Some((name, value))
}

/// Reads a file of numbers in columns. Columns that a later kernel adds are kept for the caller to ignore;
/// fewer than `least` is a failed reading.
pub(crate) fn numbers(root: &Root, path: &str, least: usize) -> Reading<Vec<u64>> {
    root.read(path).and_then(|bytes| {
        let numbers = first_numbers(&bytes);
        if numbers.len() < least {
            return unexpected(path, &format!("at least {least} numbers"), &bytes);
        }
        Reading::Known(numbers)
    })
}

/// The numbers at the start of a text, up to the first other word.
pub(crate) fn first_numbers(bytes: &[u8]) -> Vec<u64> {
    let words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.map_while(parse_u64).collect()
}

/// The ranges of a list such as `0-3,5`, each with its first and its last number.
pub(crate) fn ranges(list: &[u8]) -> Option<Vec<RangeInclusive<u64>>> {
    let range = |range: &[u8]| {
        let mut ends = range.splitn(2, |byte| *byte == b'-');
        let first = parse_u64(ends.next()?)?;
        let end = ends.next().map_or(Some(first), parse_u64)?;
        (first <= end).then_some(first..=end)
    };
    list.split(|byte| *byte == b',').map(range).collect()
}

/// Parses a range of addresses such as `7f0c000-7f0d000`.
pub(crate) fn address_range(text: &[u8]) -> Option<Range<u64>> {
    let mut ends = text.splitn(2, |byte| *byte == b'-').map(parse_hex);
    let range = ends.next()??..ends.next()??;
    (!range.is_empty()).then_some(range)
}

/// Reads a file that lists words and marks one of them: `always [madvise] never`.
pub(crate) fn choice(root: &Root, path: &str) -> Reading<BracketedChoice> {
    let bytes = root.record(path);
    bytes.and_then(|bytes| parsed(path, "words with one in brackets", &bytes, parse_choice))
}

/// Parses words with one in brackets.
pub(crate) fn parse_choice(bytes: &[u8]) -> Option<BracketedChoice> {
    BracketedChoice::parse(std::str::from_utf8(bytes).ok()?)
}

/// Reads every file of a folder that holds one whole number, by name; other files are skipped.
pub(crate) fn folder(root: &Root, path: &str) -> Reading<Counters> {
    root.names(path).and_then(|names| {
        let value = |name: &Vec<u8>| {
            let name = std::str::from_utf8(name).ok()?;
            let value = *root.number(format!("{path}/{name}")).known()?;
            Some((name.into(), value))
        };
        let pairs: Vec<_> = names.iter().filter_map(value).collect();
        if pairs.is_empty() {
            return Reading::absent(format!("/{path} has no counters"));
        }
        Reading::Known(Counters::new(format!("/{path}"), pairs))
    })
}

/// Replaces the reason of an absent file: the path alone means little to most people.
pub(crate) fn explain<T>(reading: Reading<T>, why: &str) -> Reading<T> {
    match reading.missing() {
        Some(Missing::Absent(what)) => Reading::absent(format!("{what}: {why}")),
        _ => reading,
    }
}

/// Numbers of the folders directly below `path` whose names are `prefix` and a number. Without any such
/// folder the reading is absent, with this reason.
pub(crate) fn numbered(root: &Root, path: &str, prefix: &str, none: &str) -> Reading<Vec<u64>> {
    root.names(path).and_then(|names| {
        let number = |name: &Vec<u8>| parse_u64(name.strip_prefix(prefix.as_bytes())?);
        let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
        numbers.sort_unstable();
        if numbers.is_empty() { Missing::absent(none).into() } else { Reading::Known(numbers) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_wherever_pieces_end() {
        let text = b"one\n\ntwo three\nmuch too long for it\nend";
        for len in 1..=text.len() {
            let mut found = Vec::new();
            let mut keep = |line: &[u8]| found.push(line.get(..9).unwrap_or(line).to_vec());
            let mut lines = LineSplitter::new(9);
            text.chunks(len).for_each(|piece| lines.feed(piece, &mut keep));
            lines.end(&mut keep);
            let expected = [&b"one"[..], b"", b"two three", b"much too ", b"end"];
            assert_eq!(found, expected, "{len}");
        }
    }
}

//! Files of sections and `key = value` lines, as systemd and zram-generator have them.

use super::line_number;

/// A line that means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// `[name]`.
    Section(Vec<u8>),
    /// `key = value`.
    Setting(Vec<u8>, Vec<u8>),
}

/// The lines that mean something, with their numbers; a value that goes on after a backslash at
/// the end of a line is joined with a space.
pub(super) fn parse(bytes: &[u8]) -> Vec<(u32, Item)> {
    let mut items = Vec::new();
    let mut begun: Option<(u32, Vec<u8>)> = None;
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if matches!(line.first(), Some(b'#' | b';')) {
            continue;
        }
        let (number, mut whole) = begun.take().unwrap_or((line_number(index), Vec::new()));
        if let Some(part) = line.strip_suffix(b"\\") {
            whole.extend_from_slice(part);
            whole.push(b' ');
            begun = Some((number, whole));
            continue;
        }
        whole.extend_from_slice(line);
        items.extend(item(&whole).map(|item| (number, item)));
    }
    let rest = begun.and_then(|(number, whole)| Some((number, item(&whole)?)));
    items.extend(rest);
    items
}

fn item(line: &[u8]) -> Option<Item> {
    let line = line.trim_ascii();
    if let Some(name) = line.strip_prefix(b"[").and_then(|l| l.strip_suffix(b"]")) {
        return Some(Item::Section(name.to_vec()));
    }
    let mut halves = line.splitn(2, |byte| *byte == b'=');
    let (key, value) = (halves.next()?.trim_ascii(), halves.next()?.trim_ascii());
    (!key.is_empty()).then(|| Item::Setting(key.to_vec(), value.to_vec()))
}

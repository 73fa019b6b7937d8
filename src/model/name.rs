//! Names and paths as bytes, and their quoting for shells.
//!
//! A file name may contain any byte except `/` and NUL. A [`Name`] keeps the bytes and offers two texts:
//! [`Name::exact`], which is reversible, for JSON and recordings; and [`Name::safe`], which is safe on any
//! terminal, for people.

use nix::errno::Errno;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The bytes of a name or path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Box<[u8]>);

impl Name {
    /// Creates a name from its bytes.
    pub fn new(bytes: impl Into<Box<[u8]>>) -> Self {
        Self(bytes.into())
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The name as a path.
    pub fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }

    /// The part after the last slash.
    pub fn base(&self) -> Name {
        let base = self.0.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        Self::new(base)
    }

    /// A reversible text: backslashes are doubled, and bytes that are not UTF-8 are written `\xNN`.
    pub fn exact(&self) -> String {
        let mut text = String::with_capacity(self.0.len());
        for chunk in self.0.utf8_chunks() {
            text.push_str(&chunk.valid().replace('\\', "\\\\"));
            for byte in chunk.invalid() {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        text
    }

    /// The text as it is, or [`Name::exact`] if it is not UTF-8: for JSON.
    pub fn text(&self) -> String {
        std::str::from_utf8(&self.0).map_or_else(|_| self.exact(), str::to_owned)
    }

    /// A text that is safe on a terminal: see [`safe_text`].
    pub fn safe(&self) -> String {
        let mut text = String::with_capacity(self.0.len());
        for chunk in self.0.utf8_chunks() {
            text.push_str(&safe_text(chunk.valid()));
            for byte in chunk.invalid() {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        text
    }

    /// Parses the text of [`Name::exact`]. Fails if a backslash is not followed by a backslash or `xNN`.
    pub fn from_exact(text: &str) -> Result<Self, String> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((&first, tail)) = rest.split_first() {
            rest = match (first, tail) {
                (b'\\', [b'\\', tail @ ..]) => {
                    bytes.push(b'\\');
                    tail
                }
                (b'\\', [b'x', high, low, tail @ ..]) => {
                    bytes.push(
                        hex(*high, *low).ok_or_else(|| format!("invalid escape in {text:?}"))?,
                    );
                    tail
                }
                (b'\\', _) => return Err(format!("invalid escape in {text:?}")),
                (byte, tail) => {
                    bytes.push(byte);
                    tail
                }
            };
        }
        Ok(Self::new(bytes))
    }
}

/// Escapes characters that affect a terminal: control characters, and invisible ones that reorder or hide
/// text.
pub fn safe_text(text: &str) -> String {
    if !text.chars().any(is_unsafe) {
        return text.to_owned();
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => safe.push_str("\\n"),
            '\t' => safe.push_str("\\t"),
            c if is_unsafe(c) => {
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(c));
            }
            c => safe.push(c),
        }
    }
    safe
}

/// Escapes the same characters as [`safe_text`] in whole lines, in which only line ends stay.
pub fn safe_lines(text: &str) -> String {
    text.split('\n').map(safe_text).collect::<Vec<_>>().join("\n")
}

/// Escapes the same characters as [`safe_text`] in a file that is printed as it is: tabs and the line ends of
/// other systems stay.
pub fn safe_file(text: &str) -> String {
    let safe = |part: &str| {
        let ends = ["\r\n", "\n", "\t"].into_iter();
        let mut ends = ends.filter_map(|end| Some((part.strip_suffix(end)?, end)));
        let (words, end) = ends.next().unwrap_or((part, ""));
        safe_text(words) + end
    };
    text.split_inclusive(['\n', '\t']).map(safe).collect()
}

/// Escapes the same characters as [`safe_text`] in JSON, as `\uNNNN`. Line ends between values stay; those
/// within texts are escaped already.
pub fn safe_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || !is_unsafe(c) {
            safe.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(safe, "\\u{unit:04x}");
        }
    }
    safe
}

/// Escapes the same characters as [`safe_text`] for files that programs read: as `\xNN` per byte, like
/// [`Name::exact`]. Newlines stay.
pub fn data_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !is_unsafe(c) {
            safe.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            let _ = write!(safe, "\\x{byte:02x}");
        }
    }
    safe
}

/// Control characters, zero-width characters, and those that change the direction of writing.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

fn hex(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.exact())
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::new(text.as_bytes())
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.exact())
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::from_exact(&text).map_err(serde::de::Error::custom)
    }
}

/// Next steps after errors of files, by the number of the system error.
const NEXT_STEPS: [(Errno, &str); 5] = [
    (Errno::ENOSPC, ": free some space and try again"),
    (Errno::EDQUOT, ": free some space and try again"),
    (Errno::EROFS, ": remount the file system, or use another one"),
    (Errno::EIO, ": look for errors of the disk in the kernel log (journalctl -k)"),
    (Errno::EFBIG, ": raise the limit on the size of files (ulimit -f)"),
];

/// Replaces the number in the text of a system error by what to do about it.
pub fn explain_os_error(text: &str) -> String {
    let Some((before, rest)) = text.split_once(" (os error ") else { return text.to_owned() };
    let (number, after) = rest.split_once(')').unwrap_or((rest, ""));
    let number = number.parse().map_or(Errno::UnknownErrno, Errno::from_raw);
    let found = NEXT_STEPS.iter().find(|(error, _)| *error == number);
    format!("{before}{}{after}", found.map_or("", |(_, words)| words))
}

/// A name as one word of a POSIX shell, quoted only if necessary.
pub fn shell_quoted(name: &Name) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:@%,".contains(byte);
    if !name.as_bytes().is_empty() && name.as_bytes().iter().all(plain) {
        return name.safe();
    }
    shell_quoted_always(name)
}

/// A name as one quoted word of a shell, safe on any terminal.
pub fn shell_quoted_always(bytes: &Name) -> String {
    match std::str::from_utf8(bytes.as_bytes()) {
        Ok(text) if bytes.safe() == text => format!("'{}'", text.replace('\'', "'\\''")),
        // A command substitution strips trailing newlines.
        _ if bytes.as_bytes().ends_with(b"\n") => ansi_quoted(bytes.as_bytes()),
        _ => printf_quoted(bytes.as_bytes()),
    }
}

/// Quotes bytes with printf of the shell: dash and older shells do not support `$'…'`.
fn printf_quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"$(printf '");
    // The format must not begin with a dash, which printf would take for an option.
    for (place, byte) in bytes.iter().enumerate() {
        match byte {
            b'%' => text.push_str("%%"),
            b'\\' => text.push_str("\\\\"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'-' if place == 0 => text.push_str("\\055"),
            b'\'' => text.push_str("\\047"),
            // Bash expands it from its history in double quotes.
            b'!' => text.push_str("\\041"),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text.push_str("')\"");
    text
}

/// Quotes bytes as `$'…'`, for bash, ksh, zsh and busybox.
fn ansi_quoted(bytes: &[u8]) -> String {
    let mut text = String::from("$'");
    for byte in bytes {
        match byte {
            b'\'' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_exact_text() {
        let all: Vec<u8> = (1..=255).collect();
        let name = Name::new(all);
        assert_eq!(Name::from_exact(&name.exact()).unwrap(), name);
    }

    #[test]
    fn nothing_that_moves_a_cursor_or_turns_text_around_is_shown() {
        let name = Name::new(*b"/mnt/a\x1b[2J\n\xff\xc2\x9b\xe2\x80\xae");
        assert_eq!(name.safe(), "/mnt/a\\u{1b}[2J\\n\\xff\\u{9b}\\u{202e}");
    }

    #[test]
    fn lines_and_json_are_safe_and_keep_their_layout() {
        assert_eq!(safe_lines("a\tb\x1b[2J\n\u{9b}c\n"), "a\\tb\\u{1b}[2J\n\\u{9b}c\n");
        assert_eq!(safe_file("a\tb\x1b[2J\n\u{9b}c\n"), "a\tb\\u{1b}[2J\n\\u{9b}c\n");
        assert_eq!(safe_file("a\rb\r\nc"), "a\\u{d}b\r\nc");
        let name = "a\u{9b}\x7f\u{202e}\u{e0001}\"\n\\";
        let json = safe_json(&serde_json::to_string_pretty(&[name]).unwrap());
        assert_eq!(json.matches('\n').count(), 2, "{json}");
        assert!(!json.chars().any(|c| c != '\n' && is_unsafe(c)), "{json}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&json).unwrap(), [name]);
    }

    #[test]
    fn a_bad_escape_is_an_error_and_not_a_guess() {
        assert!(Name::from_exact("a\\q").is_err());
        assert!(Name::from_exact("a\\x4").is_err());
        assert!(Name::from_exact("a\\xzz").is_err());
    }
}

//! Names and lines of text as words of a POSIX shell.

use super::name::Name;
use std::fmt::Write as _;

/// A name as one word: bare where no shell sees anything in it, else in quotes.
pub fn quoted(name: &Name) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:@%,".contains(byte);
    if !name.as_bytes().is_empty() && name.as_bytes().iter().all(plain) {
        return name.safe();
    }
    in_quotes(name)
}

/// Bytes as one word in quotes, which no terminal can misread.
pub fn in_quotes(bytes: &Name) -> String {
    match std::str::from_utf8(bytes.as_bytes()) {
        Ok(text) if bytes.safe() == text => format!("'{}'", text.replace('\'', "'\\''")),
        // A command substitution takes newlines off its end.
        _ if bytes.as_bytes().ends_with(b"\n") => ansi_quoted(bytes.as_bytes()),
        _ => printed(bytes.as_bytes()),
    }
}

/// Bytes that the shell's own printf writes: dash and older shells know no `$'…'`.
fn printed(bytes: &[u8]) -> String {
    let mut text = String::from("\"$(printf '");
    // The format begins with what printf cannot take for an option.
    for (place, byte) in bytes.iter().enumerate() {
        match byte {
            b'%' => text.push_str("%%"),
            b'\\' => text.push_str("\\\\"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'-' if place == 0 => text.push_str("\\055"),
            b'\'' => text.push_str("\\047"),
            // In double quotes bash looks for it in its history.
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

/// Bytes as bash, ksh, zsh and busybox read them.
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

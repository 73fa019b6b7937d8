//! Names as a shell takes them.

use super::name::Name;
use std::fmt::Write as _;

/// A name as a shell takes it.
pub fn quoted(name: &Name) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:@%,".contains(byte);
    if !name.as_bytes().is_empty() && name.as_bytes().iter().all(plain) {
        return name.safe();
    }
    match std::str::from_utf8(name.as_bytes()) {
        Ok(text) if name.safe() == text => in_quotes(text),
        _ => ansi_quoted(name.as_bytes()),
    }
}

/// Text in quotes.
pub fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The form for names that no terminal could show as they are.
pub fn ansi_quoted(bytes: &[u8]) -> String {
    let mut text = String::from("$'");
    for byte in bytes {
        match byte {
            b'\'' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
    }
    text.push('\'');
    text
}

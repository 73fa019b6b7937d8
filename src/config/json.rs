//! JSON as another notation of the same keys: it becomes TOML line by line, so that errors name its lines.

use super::problem::{KeyLocation, Problem};
use serde::de::IgnoredAny;
use std::fmt::Write as _;

/// The key of the document in the TOML that is made of it.
pub(super) const DOCUMENT: &str = "document";

/// Whether a text is JSON instead of TOML, in which no line can begin with a brace.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The TOML for a JSON document: one inline table.
pub(super) fn to_toml(file: &str, text: &str) -> Result<String, Problem> {
    let place = KeyLocation::in_file(file);
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| {
        let (line, told) = (error.line(), error.to_string());
        let why = told.split(" at line ").next().unwrap_or_default();
        place.at_line(Some(line.max(1))).problem(&format!("this is not JSON: {why}"))
    })?;
    let mut toml = format!("{DOCUMENT} = ");
    let mut rest = text.trim_end();
    // Lines above the document are kept for their numbers.
    let document = rest.trim_start();
    let above = rest.len().saturating_sub(document.len());
    let lines = rest.get(..above).unwrap_or_default().matches('\n').count();
    toml.insert_str(0, &"\n".repeat(lines));
    rest = document;
    while let Some(start) = rest.find(['"', ':', 'n', '\r']) {
        let (before, token) = rest.split_at(start);
        toml.push_str(before);
        let length = match token.as_bytes().first() {
            Some(b'"') => string_length(token),
            Some(b'n') => {
                let line = Some(toml.matches('\n').count() + 1);
                return Err(place.at_line(line).problem("null is not a value: omit the key"));
            }
            _ => 1,
        };
        let (token, after) = token.split_at_checked(length).unwrap_or((token, ""));
        match token {
            ":" => toml.push('='),
            "\r" => {}
            string => {
                let text: String = serde_json::from_str(string).unwrap_or_default();
                toml.push_str(&quoted(&text));
            }
        }
        rest = after;
    }
    toml.push_str(rest);
    Ok(toml)
}

/// The length of the string at the start of a valid document, with its quotes.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// A basic string of TOML on one line, with the escapes that it needs.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

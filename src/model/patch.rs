//! Bytes in their place on a disk, kept so that they can be put back.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Write as _;

/// Some bytes and where they stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// Where.
    pub at: u64,
    /// The bytes. In a journal they are digits, and zeros a number in brackets.
    #[serde(serialize_with = "write", deserialize_with = "read")]
    pub bytes: Vec<u8>,
}

impl Patch {
    /// Zeros in the same place.
    pub fn cleared(&self) -> Self {
        Self { at: self.at, bytes: vec![0; self.bytes.len()] }
    }

    /// Are they all zero?
    pub fn is_clear(&self) -> bool {
        self.bytes.iter().all(|byte| *byte == 0)
    }
}

/// Fewer zeros than this are written as digits.
const RUN: usize = 4;
/// More bytes than this nobody keeps: such a text is not ours.
const MOST: usize = 1 << 20;

fn text(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|byte| *byte == first).count();
        if *first == 0 && run >= RUN {
            let _ = write!(text, "[{run}]");
            rest = rest.get(run..).unwrap_or_default();
        } else {
            let _ = write!(text, "{first:02x}");
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    text
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(run) = rest.strip_prefix('[') {
            let (run, after) = run.split_once(']')?;
            let run = run.parse::<usize>().ok().filter(|run| bytes.len() + run <= MOST)?;
            bytes.resize(bytes.len() + run, 0);
            rest = after;
        } else {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = after;
        }
    }
    Some(bytes)
}

fn write<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text(bytes))
}

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    bytes(&text).ok_or_else(|| serde::de::Error::custom("bytes that are none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_as_they_were_and_zeros_cost_nothing() {
        let mut page = vec![0; 4096];
        page[1024] = 1;
        page[1030..1034].copy_from_slice(&[0xff, 0, 0, 7]);
        assert_eq!(text(&page), "[1024]01[5]ff000007[3062]");
        assert_eq!(bytes(&text(&page)), Some(page));
        let every: Vec<u8> = (0..=255).collect();
        assert_eq!(bytes(&text(&every)), Some(every));
        assert_eq!(bytes(&text(&[])), Some(Vec::new()));
    }

    #[test]
    fn a_text_that_is_not_ours_is_no_bytes() {
        for wrong in ["0", "xx", "[", "[9", "[-1]", "[99999999999]", "[x]", "\u{e4}1"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }
}

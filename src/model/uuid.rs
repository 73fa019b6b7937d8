//! Names that nobody gives twice.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A UUID: sixteen bytes, not all zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Uuid([u8; 16]);

impl Uuid {
    /// From its bytes; none where all are zero.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let bytes: [u8; 16] = bytes.try_into().ok()?;
        bytes.iter().any(|byte| *byte != 0).then_some(Self(bytes))
    }

    /// Understand what was typed, or what the kernel made.
    ///
    /// # Errors
    /// A sentence that says what it should have been.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('-').collect();
        let formed = parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
            && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let number = u128::from_str_radix(&parts.concat(), 16).ok().filter(|_| formed);
        let uuid = number.and_then(|number| Self::of(&number.to_be_bytes()));
        uuid.ok_or_else(|| {
            format!(
                "UUID \"{text}\" is not of the form 5a9c0f3e-7b1d-4e62-8f40-00000000c0de, with other digits than zeros"
            )
        })
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, byte) in self.0.iter().enumerate() {
            let dash = if matches!(place, 4 | 6 | 8 | 10) { "-" } else { "" };
            write!(f, "{dash}{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Uuid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Uuid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_is_read_as_it_is_shown() {
        let text = "5a9c0f3e-7b1d-4e62-8f40-00000000c0de";
        let uuid = Uuid::parse(&text.to_uppercase()).unwrap();
        assert_eq!((uuid.to_string().as_str(), uuid.as_bytes()[0]), (text, 0x5a));
        for wrong in [
            "",
            "x",
            "5a9c0f3e7b1d4e628f4000000000c0de",
            "5a9c0f3e-7b1d-4e62-8f40-00000000c0dg",
            "+a9c0f3e-7b1d-4e62-8f40-00000000c0de",
            "00000000-0000-0000-0000-000000000000",
        ] {
            assert!(Uuid::parse(wrong).unwrap_err().contains(wrong), "{wrong}");
        }
    }
}

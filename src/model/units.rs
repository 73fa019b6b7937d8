//! Units as types, so that pages and bytes cannot be mixed up.

use serde::{Deserialize, Serialize};

/// A number of bytes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

/// A number of base pages; [`super::Snapshot`] has the page size.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Pages(pub u64);

impl Bytes {
    /// Converts the kernel's `kB`, which are KiB; saturates at 64 bits.
    pub fn from_kib(kib: u64) -> Self {
        Self(kib.saturating_mul(1024))
    }

    /// Formats without rounding, so that different sizes look different: `2304M` instead of `2.2G`.
    pub fn exact(self) -> String {
        let suffixes = ["B", "K", "M", "G", "T", "P", "E"];
        let steps = if self.0 == 0 { 0 } else { (self.0.trailing_zeros() / 10).min(6) };
        let suffix = usize::try_from(steps).ok().and_then(|step| suffixes.get(step)).unwrap_or(&"");
        format!("{}{suffix}", self.0 >> (10 * steps))
    }

    /// Difference, at least zero: counters that are read one after the other may disagree slightly.
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The bytes multiplied by a factor, rounded down.
    pub fn times(self, factor: f64) -> Self {
        Self(whole(self.0 as f64 * factor))
    }

    /// Sum, at most the largest number.
    pub fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Pages {
    /// Converts to bytes with this page size.
    pub fn bytes(self, page_size: u64) -> Bytes {
        Bytes(self.0.saturating_mul(page_size))
    }
}

/// The whole part of a number: 0 for a negative one, and the largest number for a larger one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casts of floats saturate"
)]
pub const fn whole(number: f64) -> u64 {
    number as u64
}

/// Multiplies the number at the start of a text by the factor of its unit, which is passed in lower case.
pub fn with_unit(text: &str, factor: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let split = text.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    Some(number.trim_end().parse::<f64>().ok()? * factor(&unit.to_ascii_lowercase())?)
}

/// Factor of a unit as in util-linux, case-insensitive: `K` and `KiB` are 1024, `KB` is 1000.
pub fn unit_factor(unit: &str) -> Option<f64> {
    let unit = unit.to_ascii_lowercase();
    let (letter, base) = match (unit.strip_suffix("ib"), unit.strip_suffix('b')) {
        (Some(letter), _) => (letter, 1024_f64),
        // A plain `b` means bytes.
        (None, Some(letter)) => (letter, if letter.is_empty() { 1.0 } else { 1000.0 }),
        (None, None) => (unit.as_str(), 1024.0),
    };
    let power = match letter {
        "" if unit == "b" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        "p" => 5,
        "e" => 6,
        _ => return None,
    };
    Some(base.powi(power))
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0), Self::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_util_linux() {
        let known = [
            ("B", 1_u64),
            ("K", 1 << 10),
            ("KiB", 1 << 10),
            ("kib", 1 << 10),
            ("KB", 1000),
            ("kB", 1000),
            ("MB", 1_000_000),
            ("mib", 1 << 20),
            ("gb", 1_000_000_000),
            ("T", 1 << 40),
            ("E", 1 << 60),
        ];
        for (unit, bytes) in known {
            assert_eq!(unit_factor(unit), Some(bytes as f64), "{unit}");
        }
        for wrong in ["", "ib", "iB", "KBB", "KiBiB", "Ki", "X", "KBi"] {
            assert_eq!(unit_factor(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_product_is_rounded_down_and_stays_within_64_bits() {
        assert_eq!(Bytes(10).times(0.25), Bytes(2));
        assert_eq!(Bytes(10).times(-1.0), Bytes(0));
        assert_eq!(Bytes(u64::MAX).times(2.0), Bytes(u64::MAX));
    }
}

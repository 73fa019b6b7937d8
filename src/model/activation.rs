//! Activation of a swap area: the arguments of `swapon`.

use super::name::Name;
use crate::worded_enum;
use serde::{Deserialize, Serialize};

/// Largest priority that can be requested.
pub const MAX_PRIORITY: u16 = 32767;

/// A requested priority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Default: the kernel assigns a negative priority, which cannot be requested.
    #[default]
    Default,
    /// An explicit priority, up to [`MAX_PRIORITY`].
    Set(u16),
}

impl Priority {
    /// The requested priority of an area that shows this number.
    pub fn from_shown(shown: i32) -> Self {
        u16::try_from(shown).map_or(Self::Default, Self::Set)
    }

    /// Parses `default` or a number. The error lists the valid values.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "default" {
            return Ok(Self::Default);
        }
        let number = text.parse().ok().filter(|number| *number <= MAX_PRIORITY);
        number.map(Self::Set).ok_or_else(|| {
            let negative = text.parse::<i64>().is_ok_and(|number| number < 0);
            let next = if negative {
                "; negative priorities are assigned by the kernel: use default"
            } else {
                "; the highest is used first, default lets the kernel assign one"
            };
            format!("priority \"{text}\" is not valid: use 0 to {MAX_PRIORITY} or default{next}")
        })
    }

    /// Whether an area that shows this number has the requested priority.
    pub fn matches_shown(self, shown: i32) -> bool {
        Self::from_shown(shown) == self
    }
}

impl std::fmt::Display for Priority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Set(number) => write!(f, "{number}"),
        }
    }
}

worded_enum! {
    /// When the kernel discards free space of the area.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Discard {
        /// Never.
        None = "none",
        /// The whole area once at swapon.
        Once = "once",
        /// Clusters as they become free.
        Pages = "pages",
        /// At swapon and as clusters become free.
        Both = "both",
    }
}

impl Discard {
    /// Argument of swapon(8) for the policy.
    pub fn option(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Once => Some("--discard=once"),
            Self::Pages => Some("--discard=pages"),
            Self::Both => Some("--discard"),
        }
    }
}

/// The arguments with which an area is, or is to be, activated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activation {
    /// The device or file.
    pub path: Name,
    /// Requested priority.
    pub priority: Priority,
    /// Discard policy.
    pub discard: Discard,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_are_those_that_the_kernel_takes() {
        assert_eq!(Priority::parse("0"), Ok(Priority::Set(0)));
        assert_eq!(Priority::parse("32767"), Ok(Priority::Set(32767)));
        assert_eq!(Priority::parse("default"), Ok(Priority::Default));
        for wrong in ["32768", "40000", "-5", "", "x", "1.5"] {
            let told = Priority::parse(wrong).unwrap_err();
            assert!(told.contains("0 to 32767") && told.contains(wrong), "{told}");
        }
        assert!(Priority::parse("-5").unwrap_err().contains("use default"));
    }

    #[test]
    fn a_shown_priority_matches_the_requested_one() {
        assert!(Priority::Default.matches_shown(-2) && !Priority::Default.matches_shown(0));
        assert!(Priority::Set(7).matches_shown(7) && !Priority::Set(7).matches_shown(-1));
    }
}

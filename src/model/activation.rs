//! How an area is switched on: what `swapon` is told.

use super::name::Name;
use serde::{Deserialize, Serialize};

/// The largest priority that can be asked for.
pub const MAX_PRIORITY: u16 = 32767;

/// The priority that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// None: the kernel gives a negative one, which nobody can ask for.
    #[default]
    Default,
    /// This one, up to [`MAX_PRIORITY`].
    Set(u16),
}

impl Priority {
    /// The one with which an area was switched on that shows this number.
    pub fn from_shown(shown: i32) -> Self {
        u16::try_from(shown).map_or(Self::Default, Self::Set)
    }

    /// Understand what was typed.
    ///
    /// # Errors
    /// A sentence that says what it could have been.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "default" {
            return Ok(Self::Default);
        }
        let number = text.parse().ok().filter(|number| *number <= MAX_PRIORITY);
        number.map(Self::Set).ok_or_else(|| {
            let negative = text.parse::<i64>().is_ok_and(|number| number < 0);
            let next = if negative {
                "; the kernel gives negative ones itself: default asks for one"
            } else {
                "; the highest is used first, default lets the kernel choose"
            };
            format!("priority \"{text}\" is not from 0 to {MAX_PRIORITY} or default{next}")
        })
    }

    /// Does an area that shows this number have it?
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

/// When the device is told which space is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Discard {
    /// Never.
    None,
    /// Of all of it, when the area is switched on.
    Once,
    /// Of pages, as they become free.
    Pages,
    /// Both.
    Both,
}

impl Discard {
    /// All, with the words for them.
    pub const WORDS: [(&'static str, Self); 4] =
        [("none", Self::None), ("once", Self::Once), ("pages", Self::Pages), ("both", Self::Both)];

    /// The one with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, discard)| *discard)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, discard)| *discard == self).map_or("none", |(word, _)| word)
    }

    /// How swapon(8) is told, as one argument.
    pub fn option(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Once => Some("--discard=once"),
            Self::Pages => Some("--discard=pages"),
            Self::Both => Some("--discard"),
        }
    }
}

/// How an area is, or is to be, switched on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activation {
    /// The device or file.
    pub path: Name,
    /// Its priority.
    pub priority: Priority,
    /// When its device is told of free space.
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
        assert!(Priority::parse("-5").unwrap_err().contains("default asks for one"));
    }

    #[test]
    fn a_shown_priority_matches_the_requested_one() {
        assert!(Priority::Default.matches_shown(-2) && !Priority::Default.matches_shown(0));
        assert!(Priority::Set(7).matches_shown(7) && !Priority::Set(7).matches_shown(-1));
    }
}

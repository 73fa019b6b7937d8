//! What a value can look like: how it is understood, and what is said when it is not.

use crate::columns::Unit;
use crate::columns::filter::number;
use crate::columns::units;
use std::time::Duration;

/// What a value can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Yes or no.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Some of these words, but not all.
    Any(&'static [&'static str]),
    /// A length of time, in seconds from the first to the second.
    Seconds(f64, f64),
    /// A part of a whole.
    Share,
    /// A number from the first to the second.
    Number(f64, f64),
    /// Columns of a table, as for `--output`.
    Columns,
    /// An order of rows, as for `--sort`.
    Order,
}

/// Typed for none of the words.
pub(super) const NONE: &str = "none";

impl Form {
    /// What is accepted, in words.
    pub fn accepts(self) -> String {
        match self {
            Self::Flag => "true or false".to_owned(),
            Self::Word(words) => either(words),
            Self::Any(words) => {
                format!("some of {}, but not all, or {NONE}", words.join(", "))
            }
            Self::Seconds(least, most) => {
                format!("seconds from {least} to {most}, such as 1, 0.5 or 500ms")
            }
            Self::Share => "a share from 0 to 1, such as 0.8 or 80%".to_owned(),
            Self::Number(least, most) => format!("a number from {least} to {most}"),
            Self::Columns => "columns as for --output, such as +NAME,-NAME".to_owned(),
            Self::Order => "columns as for --sort, such as NAME,-NAME".to_owned(),
        }
    }

    /// The sentence about a value that is not accepted.
    pub fn refuse(self, text: &str) -> String {
        format!("\"{text}\" is not possible: use {}", self.accepts())
    }

    /// Understand yes or no.
    pub(super) fn flag(self, text: &str) -> Result<bool, String> {
        let number = number(text, Unit::Flag).ok_or_else(|| self.refuse(text))?;
        Ok(number > 0.0)
    }

    /// Understand one of the words.
    pub(super) fn word(self, text: &str) -> Result<String, String> {
        if self.words().contains(&text) { Ok(text.to_owned()) } else { Err(self.refuse(text)) }
    }

    /// Understand some of the words.
    pub(super) fn any(self, text: &str) -> Result<Vec<String>, String> {
        let mut some = Vec::new();
        let words = text.split(',').map(str::trim);
        for word in words.filter(|word| !word.is_empty() && *word != NONE) {
            let word = self.word(word)?;
            if !some.contains(&word) {
                some.push(word);
            }
        }
        if some.len() < self.words().len() { Ok(some) } else { Err(self.refuse(text)) }
    }

    /// Understand a length of time.
    pub(super) fn time(self, text: &str) -> Result<Duration, String> {
        let seconds = self.number(text)?;
        Duration::try_from_secs_f64(seconds).map_err(|_| self.refuse(text))
    }

    /// Understand a number within the bounds.
    pub(super) fn number(self, text: &str) -> Result<f64, String> {
        let (unit, least, most) = self.bounds();
        let number = number(text, unit).filter(|number| (least..=most).contains(number));
        // 7% times a hundredth is a little more than 0.07.
        number.map(units::rounded).ok_or_else(|| self.refuse(text))
    }

    /// A number as it would be typed.
    pub(super) fn typed(self, number: f64) -> String {
        match self {
            Self::Share => format!("{}%", units::real(number * 100.0)),
            _ => number.to_string(),
        }
    }

    fn bounds(self) -> (Unit, f64, f64) {
        match self {
            Self::Seconds(least, most) => (Unit::Seconds, least, most),
            Self::Number(least, most) => (Unit::Ratio, least, most),
            Self::Share
            | Self::Flag
            | Self::Word(_)
            | Self::Any(_)
            | Self::Columns
            | Self::Order => (Unit::Share, 0.0, 1.0),
        }
    }

    /// The words there are to choose from, if there are such.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::Word(words) | Self::Any(words) => words,
            Self::Flag => &["true", "false"],
            Self::Seconds(..) | Self::Share | Self::Number(..) | Self::Columns | Self::Order => &[],
        }
    }
}

/// `a, b or c`.
fn either(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [some @ .., last] => format!("{} or {last}", some.join(", ")),
    }
}

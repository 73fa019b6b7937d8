//! Values of cells, and their units.

use super::units;
use crate::model::name::{data_text, safe_text};
use crate::model::{Bytes, Missing, Name, Reading, worded_enum};
use std::cmp::Ordering;

worded_enum! {
    /// Unit of a column.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Unit {
        /// Bytes.
        Bytes = "bytes",
        /// Bytes per second.
        BytesPerSecond = "bytes/s",
        /// A count, for example of pages or events.
        Count = "count",
        /// Events per second.
        PerSecond = "1/s",
        /// A signed integer, such as a priority.
        Integer = "integer",
        /// A share from 0 to 1, shown in percent.
        Share = "share, 0 to 1 (shown in %)",
        /// A ratio, n to 1.
        Ratio = "ratio, n to 1",
        /// Seconds.
        Seconds = "seconds",
        /// A number whose unit is next to it or in the heading.
        Number = "number",
        /// Text.
        Text = "text",
        /// Yes or no.
        Flag = "yes or no",
        /// Several texts.
        List = "list of texts",
        /// A date and time, UTC.
        Moment = "date and time, RFC 3339",
    }
}

impl Unit {
    /// Whether columns of this unit are right-aligned.
    pub fn is_number(self) -> bool {
        !matches!(self, Self::Text | Self::Flag | Self::List | Self::Moment)
    }
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An unsigned integer in the unit of its column.
    Whole(u64),
    /// A signed integer.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// Text, which is escaped when it is shown.
    Text(String),
    /// A name or path, as bytes.
    Name(Name),
    /// Yes or no.
    Flag(bool),
    /// Several texts.
    List(Vec<String>),
    /// Missing, with the reason.
    Missing(Missing),
}

impl Value {
    /// The value as plain text, for CSV and comparisons.
    pub fn plain(&self) -> String {
        match self {
            Self::Whole(number) => number.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Real(number) => units::real(*number),
            Self::Text(text) => text.clone(),
            Self::Name(name) => name.exact(),
            Self::Flag(flag) => u8::from(*flag).to_string(),
            Self::List(items) => items.join(" "),
            Self::Missing(_) => String::new(),
        }
    }

    /// The value for people: short, with its unit, and safe on any terminal; `-` if it is missing.
    pub fn human(&self, unit: Unit, bytes: bool) -> String {
        match (self, unit) {
            (Self::Missing(_), _) => "-".to_owned(),
            (Self::Whole(number), Unit::Bytes) if !bytes => units::bytes(*number as f64),
            (Self::Integer(number), Unit::Bytes) if !bytes => units::bytes(*number as f64),
            (Self::Real(number), Unit::Bytes | Unit::BytesPerSecond) if !bytes => {
                units::bytes(*number)
            }
            (Self::Real(number), Unit::Bytes | Unit::BytesPerSecond) => format!("{number:.0}"),
            (Self::Real(number), Unit::Share) => units::percent(*number),
            (Self::Real(number), Unit::Seconds) => units::seconds(*number),
            (Self::Real(number), Unit::Number) => units::number(*number),
            (Self::Real(number), _) => units::short(*number),
            (Self::Flag(flag), _) => if *flag { "yes" } else { "no" }.to_owned(),
            // The only text among sizes: an unlimited limit.
            (Self::Text(text), Unit::Bytes) if text == "max" => "no limit".to_owned(),
            (Self::Text(text), Unit::Moment) => safe_text(&units::minute(text)),
            (Self::Text(text), _) if text.is_empty() => "\"\"".to_owned(),
            (Self::Name(name), _) => name.safe(),
            (Self::List(items), _) if items.is_empty() => "none".to_owned(),
            _ => safe_text(&self.plain()),
        }
    }

    /// The value on a screen: `?` where it is unknown, and `-` where this machine has no such value.
    pub fn on_screen(&self, unit: Unit) -> String {
        let is_unknown = self.missing().is_some_and(|it| !matches!(it, Missing::Absent(_)));
        if is_unknown { "?".to_owned() } else { self.human(unit, false) }
    }

    /// The value as one word for scripts that split at blanks: like [`Self::human`], but texts are exact,
    /// with `\\` for a backslash and `\xNN` for each byte of blanks, of characters that affect a terminal
    /// and of what is not UTF-8, as `printf %b` reads them.
    pub fn word(&self, unit: Unit, bytes: bool) -> String {
        let word = match (self, unit) {
            (Self::Name(name), _) => name.exact(),
            (Self::Text(text), Unit::Text) => text.replace('\\', "\\\\"),
            (Self::List(items), _) if !items.is_empty() => items.join(" ").replace('\\', "\\\\"),
            _ => self.human(unit, bytes).replace('\\', "\\\\"),
        };
        match word.as_str() {
            "" => "\"\"".to_owned(),
            _ => data_text(&word).replace(' ', "\\x20").replace('\n', "\\x0a"),
        }
    }

    /// Whether the value is a name that JSON can hold only escaped, because it is not UTF-8.
    pub fn is_escaped_in_json(&self) -> bool {
        matches!(self, Self::Name(name) if std::str::from_utf8(name.as_bytes()).is_err())
    }

    /// The value as JSON in base units; null if it is missing. Only a name that is not UTF-8 is escaped,
    /// as [`Name::exact`].
    pub fn json(&self) -> serde_json::Value {
        match self {
            Self::Whole(number) => (*number).into(),
            Self::Integer(number) => (*number).into(),
            // 0.30000000000000004 becomes 0.3.
            Self::Real(number) => units::rounded(*number).into(),
            Self::Text(text) => text.clone().into(),
            Self::Name(name) => name.text().into(),
            Self::Flag(flag) => (*flag).into(),
            Self::List(items) => items.clone().into(),
            Self::Missing(_) => serde_json::Value::Null,
        }
    }

    /// The reason, if the value is missing.
    pub fn missing(&self) -> Option<&Missing> {
        if let Self::Missing(missing) = self { Some(missing) } else { None }
    }

    /// The value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(*number as f64),
            Self::Integer(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            Self::Flag(flag) => Some(f64::from(u8::from(*flag))),
            Self::Text(_) | Self::Name(_) | Self::List(_) | Self::Missing(_) => None,
        }
    }

    /// Compares for sorting: numbers by size, texts alphabetically, missing values last.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Missing(_), Self::Missing(_)) => Ordering::Equal,
            (Self::Missing(_), _) => Ordering::Greater,
            (_, Self::Missing(_)) => Ordering::Less,
            (Self::Whole(a), Self::Whole(b)) => a.cmp(b),
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Name(a), Self::Name(b)) => a.cmp(b),
            (a, b) => match (a.number(), b.number()) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                _ => a.plain().cmp(&b.plain()),
            },
        }
    }
}

impl<T: Into<Value>> From<Reading<T>> for Value {
    fn from(reading: Reading<T>) -> Self {
        match reading.into_result() {
            Ok(value) => value.into(),
            Err(missing) => Self::Missing(missing),
        }
    }
}

/// Makes cells of values of these types.
macro_rules! cell_from {
    ($($type:ty: $value:ident => $cell:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $cell
            }
        })*
    };
}

cell_from! {
    u64: number => Self::Whole(number);
    u32: number => Self::Whole(number.into());
    i32: number => Self::Integer(number.into());
    i64: number => Self::Integer(number);
    f64: number => Self::Real(number);
    bool: flag => Self::Flag(flag);
    Bytes: bytes => Self::Whole(bytes.0);
    &str: text => Self::Text(text.to_owned());
    String: text => Self::Text(text);
    Name: name => Self::Name(name);
    Vec<String>: items => Self::List(items);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_values_sort_last_and_show_as_a_dash() {
        let missing = Value::Missing(Missing::absent("x"));
        assert_eq!(missing.compare(&Value::Whole(0)), Ordering::Greater);
        assert_eq!(missing.human(Unit::Bytes, false), "-");
        assert_eq!(missing.json(), serde_json::Value::Null);
        assert_eq!(missing.plain(), "");
    }

    #[test]
    fn no_limit_is_spelled_out_for_people_and_max_elsewhere() {
        let none = Value::Text("max".to_owned());
        assert_eq!(none.human(Unit::Bytes, false), "no limit");
        assert_eq!(none.human(Unit::Bytes, true), "no limit");
        assert_eq!((none.plain().as_str(), none.human(Unit::Text, false).as_str()), ("max", "max"));
    }

    #[test]
    fn a_loss_of_bytes_has_a_sign_and_a_unit() {
        let loss = Value::Integer(-921_600);
        assert_eq!(loss.human(Unit::Bytes, false), "-900K");
        assert_eq!(
            (loss.plain().as_str(), loss.human(Unit::Bytes, true).as_str()),
            ("-921600", "-921600")
        );
        assert_eq!(loss.json().to_string(), "-921600");
    }

    #[test]
    fn sizes_beyond_53_bits_keep_every_digit() {
        let value = Value::Whole(u64::MAX);
        assert_eq!(value.plain(), "18446744073709551615");
        assert_eq!(value.json().to_string(), "18446744073709551615");
        assert_eq!(value.compare(&Value::Whole(u64::MAX - 1)), Ordering::Greater);
    }

    #[test]
    fn different_names_are_different_words_and_json() {
        let value = |bytes: &[u8]| Value::Name(Name::new(bytes));
        let word = |bytes: &[u8]| value(bytes).word(Unit::Text, false);
        assert_eq!(word(b"/a\tb c"), "/a\\x09b\\x20c");
        assert_eq!(word(b"/a\\tb\nc"), "/a\\\\tb\\x0ac");
        assert_eq!(word(b"/\xff\xc2\x9b"), "/\\xff\\xc2\\x9b");
        assert_eq!(Value::from("").word(Unit::Text, false), "\"\"");
        assert_eq!(value(b"/a\\b\nc").json(), "/a\\b\nc");
        assert!(!value(b"/a\\b").is_escaped_in_json() && value(b"\xff\\").is_escaped_in_json());
        assert_eq!(value(b"\xff\\").json(), "\\xff\\\\");
    }

    #[test]
    fn a_terminal_never_sees_a_control_character() {
        let value = Value::Text("a\x1b[2Jb".into());
        assert_eq!(value.human(Unit::Text, false), "a\\u{1b}[2Jb");
    }
}

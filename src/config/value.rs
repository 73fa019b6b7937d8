//! Types of values: how each is parsed, and which values errors suggest.

#![expect(clippy::wildcard_enum_match_arm, reason = "most types have nothing of their own here")]

use crate::model::load::MemoryAmount;
use crate::model::text::did_you_mean;
use crate::model::{Bytes, unit_factor, whole, with_unit};
use std::ops::RangeInclusive;
use std::time::Duration;

/// More memory than any machine has: a larger value is a mistake.
pub const MAX_BYTES: u64 = 64 << 40;
/// The highest CPU number.
const MAX_CPU: u32 = 8191;
/// The word for an empty selection.
pub const NONE: &str = "none";

const TIMES: [(&str, f64); 7] =
    [("", 1.0), ("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];
const NUMBERS: [(&str, f64); 3] = [("", 1.0), ("k", 1e3), ("m", 1e6)];
const SHARES: [(&str, f64); 2] = [("", 1.0), ("%", 0.01)];

/// The type of a key's value, with its range.
#[derive(Clone, Copy, Debug)]
pub enum ValueType {
    /// True or false.
    Flag,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// Several of these words, or none.
    Words(fn() -> Vec<&'static str>),
    /// Several of these words, or none, but not all.
    NotAll(fn() -> Vec<&'static str>),
    /// A whole number in this range.
    Count(u32, u32),
    /// A number in this range.
    Number(f64, f64),
    /// A time in this range, in seconds.
    Seconds(f64, f64),
    /// A percentage in this range; the percent sign is optional.
    Percent(f64, f64),
    /// A share from 0 to 1, or from 0% to 100%.
    Fraction,
    /// A size in bytes in this range.
    Size(u64, u64),
    /// A size of at least this many bytes, or a share of the named total from 1% to this
    /// percentage.
    Amount(u64, f64, &'static str),
    /// CPU numbers.
    Cpus,
    /// A line of text with at most this many characters.
    Line(usize),
    /// Text that is not empty.
    Text,
    /// Anything that is not a list; the key's setter parses it.
    Other(fn() -> String),
    /// A list of strings and numbers.
    List(&'static str),
    /// A list of lists.
    Rows(&'static str),
    /// One table.
    Table(&'static str),
    /// At most this many tables of one name.
    Tables(usize, fn() -> String),
}

impl ValueType {
    /// Describes the valid values.
    pub fn describe(self) -> String {
        match self {
            Self::Flag => "true or false".to_owned(),
            Self::Word(words) => either(&words()),
            Self::Words(words) => format!("some of {}, or {NONE}", words().join(", ")),
            Self::NotAll(words) => {
                format!("some of {}, but not all, or {NONE}", words().join(", "))
            }
            Self::Count(least, most) => format!("a whole number from {least} to {most}"),
            Self::Number(least, most) => format!("a number from {least} to {most}"),
            Self::Seconds(least, most) => {
                let short = if least < 1.0 { "0.5s" } else { "90s" };
                format!("seconds from {least} to {most}, such as 30, {short} or 10m")
            }
            Self::Percent(least, most) => {
                format!("a share from {least}% to {most}%, such as 50% or the number 50")
            }
            Self::Fraction => "a share from 0 to 1, such as 0.8 or 80%".to_owned(),
            Self::Size(least, most) => {
                format!("a size from {} to {}", size(least), size(most))
            }
            Self::Amount(least, most, whole) => format!(
                "a size of {} or more, such as 512M, or a share of {whole} from 1% to {most}%, such as 50%",
                size(least)
            ),
            Self::Cpus => format!("CPU numbers up to {MAX_CPU}, such as 0-3,6"),
            Self::Line(most) => format!("a text of one line with at most {most} characters"),
            Self::Text => "a text".to_owned(),
            Self::Other(takes) | Self::Tables(_, takes) => takes(),
            Self::List(takes) | Self::Rows(takes) | Self::Table(takes) => takes.to_owned(),
        }
    }

    /// Lists the valid words, if the type has some.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Self::Word(words) | Self::Words(words) | Self::NotAll(words) => words(),
            Self::Flag => vec!["true", "false"],
            _ => vec![],
        }
    }

    /// Describes why a value is not valid, and suggests the nearest word.
    pub fn refuse(self, text: &str) -> String {
        let words = self.words();
        let unknown = text.split(',').map(str::trim).find(|typed| !words.contains(typed));
        let meant = did_you_mean(unknown.unwrap_or(text), words.iter().copied());
        format!("\"{text}\" is not valid: use {}{meant}", self.describe())
    }

    /// Parses true or false.
    pub fn flag(self, text: &str) -> Result<bool, String> {
        match text {
            "true" | "yes" | "on" | "1" => Ok(true),
            "false" | "no" | "off" | "0" => Ok(false),
            _ => Err(self.refuse(text)),
        }
    }

    /// Parses one of the words as the value it stands for.
    pub fn word<T: Clone>(self, text: &str, words: &[(&str, T)]) -> Result<T, String> {
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meant)| meant.clone()).ok_or_else(|| self.refuse(text))
    }

    /// Parses several of the words.
    pub fn some_words(self, text: &str) -> Result<Vec<&'static str>, String> {
        let words = self.words();
        let mut typed: Vec<&str> = text.split(',').map(str::trim).collect();
        if let Self::NotAll(_) = self {
            // The word is still there when somebody edits the value.
            typed.retain(|word| !word.is_empty() && *word != NONE);
        } else if typed == [NONE] {
            return Ok(Vec::new());
        } else if typed.contains(&NONE) {
            let takes = self.describe();
            return Err(format!("\"{text}\" mixes {NONE} with other words: use {takes}"));
        }
        let mut found: Vec<&'static str> = Vec::new();
        for typed in typed {
            let word =
                words.iter().find(|word| **word == typed).ok_or_else(|| self.refuse(text))?;
            if !found.contains(word) {
                found.push(word);
            }
        }
        let is_all = matches!(self, Self::NotAll(_)) && found.len() == words.len();
        if is_all { Err(self.refuse(text)) } else { Ok(found) }
    }

    /// Parses a whole number.
    pub fn count(self, text: &str) -> Result<u32, String> {
        let Self::Count(least, most) = self else { return Err(self.refuse(text)) };
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.refuse(text))
    }

    /// Parses a number, a time in seconds, or a share.
    pub fn number(self, text: &str) -> Result<f64, String> {
        let (number, least, most) = match self {
            Self::Number(least, most) => (scaled(text, &NUMBERS), least, most),
            Self::Seconds(least, most) => (scaled(text, &TIMES), least, most),
            Self::Fraction => (scaled(text, &SHARES), 0.0, 1.0),
            Self::Percent(least, most) => return self.percent(text, least, most),
            _ => (None, 0.0, 0.0),
        };
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.refuse(text))
    }

    fn percent(self, text: &str, least: f64, most: f64) -> Result<f64, String> {
        // Somebody who types 0.9 hardly means less than one percent.
        let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1.0);
        if let Some(number) = number {
            let whole = (number * 1e8).round() / 1e6;
            return Err(format!("\"{text}\" is ambiguous: use {whole}% or {text}%"));
        }
        share(text, least..=most).ok_or_else(|| self.refuse(text))
    }

    /// Parses a time.
    pub fn time(self, text: &str) -> Result<Duration, String> {
        Duration::try_from_secs_f64(self.number(text)?).map_err(|_| self.refuse(text))
    }

    /// Parses a size.
    pub fn size(self, text: &str) -> Result<Bytes, String> {
        let Self::Size(least, most) = self else { return Err(self.refuse(text)) };
        self::bytes(text, text, least..=most)?.ok_or_else(|| self.refuse(text))
    }

    /// Parses a size or a share.
    pub fn amount(self, text: &str) -> Result<MemoryAmount, String> {
        let Self::Amount(least, most, _) = self else { return Err(self.refuse(text)) };
        let amount = amount((text, text), least..=MAX_BYTES, 1.0..=most)?;
        amount.ok_or_else(|| self.refuse(text))
    }

    /// Parses CPU numbers. Their order is kept, because processes are assigned to them one after
    /// the other.
    pub fn cpus(self, text: &str) -> Result<Vec<u32>, String> {
        let mut all = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<u32>().map_err(|_| self.refuse(text));
            let (first, last) = (number(first), number(last));
            let (Ok(first), Ok(last)) = (first, last) else { return Err(self.refuse(text)) };
            if first > last || last > MAX_CPU {
                return Err(self.refuse(text));
            }
            for cpu in first..=last {
                if all.contains(&cpu) {
                    return Err(format!("\"{text}\" names CPU {cpu} twice: name it once"));
                }
                all.push(cpu);
            }
        }
        Ok(all)
    }

    /// Parses a text.
    pub fn text(self, text: &str) -> Result<String, String> {
        let Self::Line(most) = self else {
            return if text.is_empty() { Err(self.refuse(text)) } else { Ok(text.to_owned()) };
        };
        let (takes, length) = (self.describe(), text.chars().count());
        match text.chars().find(|letter| letter.is_control()) {
            Some(letter) => Err(format!(
                "the control character {} is not valid: use {takes}",
                letter.escape_default()
            )),
            None if length > most => {
                Err(format!("a text of {length} characters is too long: use {takes}"))
            }
            None => Ok(text.to_owned()),
        }
    }
}

/// Parses part of a text as a size or a share; none if it is neither.
pub fn amount(
    (typed, part): (&str, &str),
    sizes: RangeInclusive<u64>,
    shares: RangeInclusive<f64>,
) -> Result<Option<MemoryAmount>, String> {
    if part.ends_with('%') {
        return Ok(share(part, shares).map(MemoryAmount::Share));
    }
    Ok(bytes(typed, part, sizes)?.map(MemoryAmount::Bytes))
}

fn share(text: &str, percents: RangeInclusive<f64>) -> Option<f64> {
    let number = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok();
    number.filter(|number| percents.contains(number)).map(|number| number / 100.0)
}

/// Parses part of a text as a size. The error for a number without a unit suggests possible sizes,
/// if there are any.
fn bytes(typed: &str, part: &str, sizes: RangeInclusive<u64>) -> Result<Option<Bytes>, String> {
    if let Ok(number) = part.parse::<f64>() {
        let fits = |unit: &&str| {
            parse_bytes(&format!("{part}{unit}")).is_some_and(|bytes| sizes.contains(&bytes))
        };
        // A large number without a unit is meant in bytes, as in JSON.
        let units =
            if number < 1e6 { ["M", "K", "G", "T", "B"] } else { ["B", "K", "M", "G", "T"] };
        let units = units.into_iter().filter(fits).take(2);
        let possible: Vec<String> = units.map(|unit| format!("{typed}{unit}")).collect();
        if !possible.is_empty() {
            return Err(format!("\"{typed}\" has no unit: use {}", possible.join(" or ")));
        }
    }
    Ok(parse_bytes(part).filter(|bytes| sizes.contains(bytes)).map(Bytes))
}

/// Parses a size with a unit: `512M`, `1.5GiB`.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let bytes = with_unit(text, unit_factor)?;
    (0.0..18e18).contains(&bytes).then_some(whole(bytes))
}

/// Parses a number with an optional unit.
fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let factor = |unit: &str| units.iter().find(|(known, _)| *known == unit).map(|(_, by)| *by);
    let number = text.parse().ok().or_else(|| with_unit(text, factor))?;
    // 7% times 0.01 is slightly more than 0.07.
    let rounded = (number * 1e6).round() / 1e6;
    Some(if rounded.is_finite() { rounded } else { number })
}

fn size(bytes: u64) -> String {
    Bytes(bytes).exact()
}

/// Joins words: `a, b or c`.
pub fn either(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [some @ .., last] => format!("{} or {last}", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_go_there_and_back() {
        let sizes = ["4K", "512M", "1.5GiB", "512B", "1kB", "2T", "64 K"].map(parse_bytes);
        let bytes = [4096, 512 << 20, 3 << 29, 512, 1000, 2 << 40, 64 << 10];
        assert_eq!(sizes, bytes.map(Some));
        let bad = ["", "B", "K", "4X", "-4K", "4KiBB", "100000000T", "4096", "nanK", "1iB"];
        assert_eq!(bad.map(parse_bytes), [None; 10]);
        let texts = [4096, 512 << 20, 3 << 29, 512, 0, 2 << 40].map(size);
        assert_eq!(texts, ["4K", "512M", "1536M", "512B", "0B", "2T"]);
    }

    #[test]
    fn numbers_have_units() {
        let seconds = ValueType::Seconds(0.001, 86400.0);
        let times = ["2", "0.5s", "300ms", "5m", "2min", "1h", "2500us", "1e2"];
        let parsed = times.map(|text| seconds.number(text));
        assert_eq!(parsed, [2.0, 0.5, 0.3, 300.0, 120.0, 3600.0, 0.0025, 100.0].map(Ok));
        for bad in ["", "s", "-1", "nan", "inf", "1e99", "5x", "5%"] {
            assert!(seconds.number(bad).unwrap_err().contains("use seconds from 0.001"), "{bad}");
        }
        assert_eq!(ValueType::Fraction.number("7%"), Ok(0.07));
        assert_eq!(ValueType::Number(0.0, 5e3).number("4k"), Ok(4000.0));
        assert_eq!(ValueType::Flag.flag("on"), Ok(true));
    }
}

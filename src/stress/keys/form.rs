//! What the value of a key can look like: how it is understood, and what is said when it is not.

use crate::model::Bytes;
use crate::model::load::{Amount, Contents, OTHERS};
use crate::model::near::question;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

const KIB: u64 = 1 << 10;
const GIB: u64 = 1 << 30;
/// More memory than any machine has: what is larger is a slip.
pub const MOST_BYTES: u64 = 64 << 40;
/// The ratios that contents can be made for.
const RATIOS: RangeInclusive<f64> = 1.1..=20.0;
/// The highest number of a processor.
const LAST_CPU: u32 = 8191;
/// Typed for none of the words.
const NONE: &str = "none";

/// The words of a key.
pub type Words = fn() -> Vec<&'static str>;

/// What a value can be.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Memory: no less than so many bytes, or a share of a whole, which has this name, from 1 % to
    /// as many.
    Amount(u64, f64, &'static str),
    /// Bytes, from the first to the second.
    Size(u64, u64),
    /// A whole number from the first to the second.
    Count(u32, u32),
    /// A share from the first to the second percent.
    Share(f64, f64),
    /// A number from the first to the second.
    Number(f64, f64),
    /// A length of time, in seconds from the first to the second.
    Seconds(f64, f64),
    /// Yes or no.
    Flag,
    /// One of these words.
    Word(Words),
    /// Some of these words, or that it is none of them.
    Any(Words),
    /// What pages hold.
    Contents,
    /// Numbers of processors.
    Cpus,
    /// A text of no more characters.
    Text(usize),
    /// Sizes of folios, each with one of these words.
    Sizes(Words),
}

impl Form {
    /// What is accepted, in words.
    pub fn takes(self) -> String {
        match self {
            Self::Amount(least, most, whole) => format!(
                "a size of {} or more, such as 512M, or a share of {whole} from 1% to {most}%, such as 50%",
                size_text(least)
            ),
            Self::Size(least, most) => {
                format!("a size from {} to {}, such as 64K", size_text(least), size_text(most))
            }
            Self::Count(least, most) => format!("a whole number from {least} to {most}"),
            Self::Share(least, most) => {
                format!("a share from {least}% to {most}%, such as 50% or the number 50")
            }
            Self::Number(least, most) => format!("a number from {least} to {most}"),
            Self::Seconds(least, most) => {
                format!("seconds from {least} to {most}, such as 30, 0.5s or 10m")
            }
            Self::Flag => "true or false".to_owned(),
            Self::Word(words) => either(&words()),
            Self::Any(words) => format!("some of {}, or {NONE}", words().join(", ")),
            Self::Contents => format!(
                "{}, where RATIO is from {} to {} and PATH begins with /",
                either(&Contents::FORMS),
                RATIOS.start(),
                RATIOS.end()
            ),
            Self::Cpus => format!("numbers of processors up to {LAST_CPU}, such as 0-3,6"),
            Self::Text(most) => format!("a text of one line, of no more than {most} characters"),
            Self::Sizes(words) => {
                format!("sizes of folios such as 64K, or {OTHERS}, each with {}", either(&words()))
            }
        }
    }

    /// The sentence about a value that is not accepted. It names the word that is nearest.
    pub fn refuse(self, text: &str) -> String {
        let meant = match self {
            Self::Word(words) => question(text, words()),
            Self::Any(words) => {
                let unknown = |typed: &&str| !words().contains(typed);
                let typed = text.split(',').map(str::trim).find(unknown);
                question(typed.unwrap_or(text), words())
            }
            Self::Contents => question(text, ["zero", "same", "words", "random"]),
            Self::Flag => question(text, ["true", "false"]),
            Self::Sizes(words) => {
                question(text.split_once('=').map_or(text, |(_, word)| word), words())
            }
            Self::Amount(..)
            | Self::Size(..)
            | Self::Count(..)
            | Self::Share(..)
            | Self::Number(..)
            | Self::Seconds(..)
            | Self::Cpus
            | Self::Text(_) => String::new(),
        };
        format!("\"{text}\" is not possible: use {}{meant}", self.takes())
    }

    /// Understand an amount of memory.
    pub(super) fn amount(self, text: &str) -> Result<Amount, String> {
        let Self::Amount(least, most, _) = self else { return Err(self.refuse(text)) };
        if text.ends_with('%') {
            return self.part(text, 1.0, most).map(Amount::Share);
        }
        self.bytes(text, least, MOST_BYTES).map(Amount::Bytes)
    }

    /// Understand a size.
    pub(super) fn size(self, text: &str) -> Result<Bytes, String> {
        let Self::Size(least, most) = self else { return Err(self.refuse(text)) };
        self.bytes(text, least, most)
    }

    fn bytes(self, text: &str, least: u64, most: u64) -> Result<Bytes, String> {
        if let Some(why) = unitless(text, text, least..=most) {
            return Err(why);
        }
        let bytes = bytes_of(text).filter(|bytes| (least..=most).contains(bytes));
        bytes.map(Bytes).ok_or_else(|| self.refuse(text))
    }

    /// Understand a whole number.
    pub(super) fn count(self, text: &str) -> Result<u32, String> {
        let Self::Count(least, most) = self else { return Err(self.refuse(text)) };
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.refuse(text))
    }

    /// Understand a share.
    pub(super) fn share(self, text: &str) -> Result<f64, String> {
        let Self::Share(least, most) = self else { return Err(self.refuse(text)) };
        // Somebody who writes 0.9 hardly means less than a hundredth.
        let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1.0);
        if let Some(number) = number {
            let whole = (number * 1e8).round() / 1e6;
            return Err(format!("\"{text}\" can mean two things: say {whole}% or {text}%"));
        }
        self.part(text, least, most)
    }

    fn part(self, text: &str, least: f64, most: f64) -> Result<f64, String> {
        let number = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        number.map(|number| number / 100.0).ok_or_else(|| self.refuse(text))
    }

    /// Understand a number.
    pub(super) fn number(self, text: &str) -> Result<f64, String> {
        let Self::Number(least, most) = self else { return Err(self.refuse(text)) };
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.refuse(text))
    }

    /// Understand a length of time.
    pub(super) fn seconds(self, text: &str) -> Result<f64, String> {
        let Self::Seconds(least, most) = self else { return Err(self.refuse(text)) };
        let (number, unit) = split(text);
        let unit = match unit {
            "ms" => Some(0.001),
            "" | "s" => Some(1.0),
            "m" | "min" => Some(60.0),
            "h" => Some(3600.0),
            _ => None,
        };
        let seconds = number.parse::<f64>().ok().zip(unit).map(|(number, unit)| number * unit);
        let seconds = seconds.filter(|seconds| (least..=most).contains(seconds));
        seconds.ok_or_else(|| self.refuse(text))
    }

    /// Understand yes or no.
    pub(super) fn flag(self, text: &str) -> Result<bool, String> {
        text.parse().map_err(|_| self.refuse(text))
    }

    /// Understand one of the words as what it stands for.
    pub(super) fn word<T: Copy>(self, text: &str, words: &[(&str, T)]) -> Result<T, String> {
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meant)| *meant).ok_or_else(|| self.refuse(text))
    }

    /// Understand some of the words. None of them is said, as nothing at all could mean two things:
    /// on the command line it takes back what was said.
    pub(super) fn any(self, text: &str) -> Result<Vec<&'static str>, String> {
        let Self::Any(words) = self else { return Err(self.refuse(text)) };
        let typed: Vec<&str> = text.split(',').map(str::trim).collect();
        if typed == [NONE] {
            return Ok(Vec::new());
        }
        if typed.contains(&NONE) {
            return Err(format!(
                "\"{text}\" contradicts itself, as {NONE} stands alone: use {}",
                self.takes()
            ));
        }
        let known = words();
        typed
            .into_iter()
            .map(|typed| known.iter().find(|word| **word == typed).copied())
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| self.refuse(text))
    }

    /// Understand what pages hold.
    pub(super) fn contents(self, text: &str) -> Result<Contents, String> {
        let ratio = || {
            let ratio = text.strip_suffix(":1")?.parse().ok()?;
            RATIOS.contains(&ratio).then_some(Contents::Ratio(ratio))
        };
        let file = || {
            let path = text.strip_prefix("file:")?;
            (path.starts_with('/') && !path.chars().any(char::is_control))
                .then(|| Contents::File(path.to_owned()))
        };
        match text {
            "zero" => Ok(Contents::Zero),
            "same" => Ok(Contents::Same),
            "words" => Ok(Contents::Words),
            "random" => Ok(Contents::Random),
            _ => ratio().or_else(file).ok_or_else(|| self.refuse(text)),
        }
    }

    /// Understand numbers of processors. Their order stays: processes take them in turn.
    pub(super) fn cpus(self, text: &str) -> Result<Vec<u32>, String> {
        let mut all = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let first = first.trim().parse::<u32>().map_err(|_| self.refuse(text))?;
            let last = last.trim().parse::<u32>().map_err(|_| self.refuse(text))?;
            if first > last || last > LAST_CPU {
                return Err(self.refuse(text));
            }
            for cpu in first..=last {
                if all.contains(&cpu) {
                    return Err(format!("\"{text}\" names processor {cpu} twice: name it once"));
                }
                all.push(cpu);
            }
        }
        Ok(all)
    }

    /// Understand a text.
    pub(super) fn text(self, text: &str) -> Result<String, String> {
        let Self::Text(most) = self else { return Err(self.refuse(text)) };
        let fits = text.chars().count() <= most && !text.chars().any(char::is_control);
        fits.then(|| text.to_owned()).ok_or_else(|| self.refuse(text))
    }

    /// Understand sizes of folios and their words.
    pub(super) fn folios(self, text: &str) -> Result<BTreeMap<String, String>, String> {
        let mut all = BTreeMap::new();
        for one in text.split(',') {
            let (size, word) = self.folio(one)?;
            if all.contains_key(&size) {
                return Err(format!("\"{text}\" names the size {size} twice: name it once"));
            }
            all.insert(size, word);
        }
        Ok(all)
    }

    /// Understand one size of folios and its word: `64K=always`.
    pub(in crate::stress) fn folio(self, text: &str) -> Result<(String, String), String> {
        let Self::Sizes(words) = self else { return Err(self.refuse(text)) };
        let (size, word) = text.split_once('=').ok_or_else(|| self.refuse(text))?;
        let (size, word) = (size.trim(), word.trim());
        let known = words().contains(&word);
        if size == OTHERS && known {
            return Ok((OTHERS.to_owned(), word.to_owned()));
        }
        let bytes = bytes_of(size).filter(|bytes| known && is_folio(*bytes));
        let bytes = bytes.ok_or_else(|| self.refuse(text))?;
        Ok((size_text(bytes), word.to_owned()))
    }
}

/// The kernel has folios of two and more pages, each twice as large as the last.
fn is_folio(bytes: u64) -> bool {
    bytes.is_power_of_two() && (8 * KIB..=16 * GIB).contains(&bytes)
}

/// That what was said ends with a number without a unit, if it does: with sizes that were possible.
pub fn unitless(said: &str, number: &str, possible: RangeInclusive<u64>) -> Option<String> {
    number.parse::<f64>().ok()?;
    let fits = |unit: &&str| {
        bytes_of(&format!("{number}{unit}")).is_some_and(|bytes| possible.contains(&bytes))
    };
    let units = ["M", "K", "G", "T", "B"].into_iter().filter(fits).take(2);
    let sizes: Vec<String> = units.map(|unit| format!("{said}{unit}")).collect();
    (!sizes.is_empty()).then(|| format!("\"{said}\" has no unit: say {}", sizes.join(" or ")))
}

/// A number and what stands behind it.
fn split(text: &str) -> (&str, &str) {
    let place = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(place);
    (number.trim_end(), unit)
}

/// The bytes of a size with a unit: `512M`, `1.5GiB`.
fn bytes_of(text: &str) -> Option<u64> {
    let (number, unit) = split(text);
    let unit = unit.to_ascii_uppercase();
    let letter = unit.strip_suffix("IB").or_else(|| unit.strip_suffix('B')).unwrap_or(&unit);
    let shift = match letter {
        "" if unit == "B" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return None,
    };
    let bytes = number.parse::<f64>().ok()? * (1_u64 << shift) as f64;
    let fits = (0.0..=MOST_BYTES as f64).contains(&bytes);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it fits")]
    fits.then_some(bytes as u64)
}

/// A size as it would be typed.
pub(in crate::stress) fn size_text(bytes: u64) -> String {
    let units = [(40, "T"), (30, "G"), (20, "M"), (10, "K")];
    let fits = |(shift, _): &(u32, &str)| bytes > 0 && bytes.trailing_zeros() >= *shift;
    let unit = units.into_iter().find(fits);
    unit.map_or_else(|| format!("{bytes}B"), |(shift, unit)| format!("{}{unit}", bytes >> shift))
}

/// `a, b or c`.
fn either(words: &[&str]) -> String {
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
        let sizes = ["4K", "512M", "1.5GiB", "512B", "1kB", "2T", "64 K"].map(bytes_of);
        let bytes = [4096, 512 << 20, 3 << 29, 512, 1024, 2 << 40, 64 << 10];
        assert_eq!(sizes, bytes.map(Some));
        let bad = ["", "B", "K", "4X", "-4K", "4KiBB", "1000000T", "4096", "nanK", "1iB"];
        assert_eq!(bad.map(bytes_of), [None; 10]);
        let texts = [4096, 512 << 20, 3 << 29, 512, 0, 2 << 40].map(size_text);
        assert_eq!(texts, ["4K", "512M", "1536M", "512B", "0B", "2T"]);
    }

    #[test]
    fn contents_are_read_as_they_are_written() {
        let form = Form::Contents;
        for text in ["zero", "same", "words", "3:1", "1.5:1", "random", "file:/x y"] {
            assert_eq!(form.contents(text).unwrap().to_string(), text);
        }
        for text in ["", "1:1", "21:1", "3", "3:2", "nan:1", "file:x", "file:/\n", "Zero"] {
            assert!(form.contents(text).unwrap_err().contains(" is not possible: use "), "{text}");
        }
    }
}

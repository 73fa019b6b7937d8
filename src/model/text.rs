//! Text utilities: bytes as text and back, dates, natural sorting, and suggestions for mistyped words.
//!
//! Each byte of a file that is not UTF-8, such as in a Latin-1 comment, is represented by one character of a
//! private range. Characters of that range in the file are represented byte by byte too, so that the
//! conversion is unambiguous.

use crate::whole;
use strsim::osa_distance;

/// Milliseconds of a day.
pub const DAY_MS: u64 = 86_400_000;

/// Character for byte 0. Only bytes from 0x80 on can be invalid UTF-8.
const FIRST_STAND_IN: u32 = 0x10_fe00;

/// Converts bytes to text.
pub fn bytes_to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match byte(c) {
                Some(_) => text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(stand_in)),
                None => text.push(c),
            }
        }
        text.extend(chunk.invalid().iter().copied().map(stand_in));
    }
    text
}

/// Converts a text of [`bytes_to_text`] back to bytes.
pub fn text_to_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    bytes
}

fn stand_in(byte: u8) -> char {
    char::from_u32(FIRST_STAND_IN + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The byte that a character represents.
fn byte(c: char) -> Option<u8> {
    let byte = u8::try_from(u32::from(c).checked_sub(FIRST_STAND_IN)?).ok()?;
    (byte >= 0x80).then_some(byte)
}

/// Formats milliseconds since 1970 as `2026-11-21T07:25:00.123Z`, always UTC, so that output is the same
/// everywhere.
pub fn format_date(wall_ms: u64) -> String {
    let (days, in_day) = (wall_ms / DAY_MS, wall_ms % DAY_MS);
    let (year, month, day) = civil_from_days(days);
    let (hour, minute) = (in_day / 3_600_000, in_day / 60_000 % 60);
    let (second, milli) = (in_day / 1000 % 60, in_day % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Formats the time of day, in UTC and in seconds.
pub fn format_time_of_day(wall_ms: u64) -> String {
    let seconds = wall_ms / 1000 % 86_400;
    format!("{:02}:{:02}:{:02}Z", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Parses `2026-11-21T07:25:00`, with or without seconds, fraction and `Z`, and with `T` or a space, to
/// milliseconds since 1970.
pub fn parse_date(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(['T', ' '])?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let days = days_from_civil(year, month, day);
    // A day that the month does not have is one of the next month.
    let is_real = civil_from_days(days) == (year, month, day);
    is_real.then_some(days * DAY_MS + parse_time(time)?)
}

/// Parses `07:25`, `07:25:00` or `07:25:00.5` to milliseconds since midnight.
pub fn parse_time(text: &str) -> Option<u64> {
    let mut parts = text.strip_suffix('Z').unwrap_or(text).splitn(3, ':');
    let hour: u64 = parts.next()?.parse().ok()?;
    let minute: u64 = parts.next()?.parse().ok()?;
    let second: f64 = parts.next().map_or(Ok(0.0), str::parse).ok()?;
    let valid = hour < 24 && minute < 60 && (0.0..61.0).contains(&second);
    let milli = whole(second * 1000.0);
    valid.then_some(hour * 3_600_000 + minute * 60_000 + milli)
}

/// Year, month and day of a number of days since 1970. Years are counted from March, so that the leap day
/// comes last.
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

fn days_from_civil(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let march_month = (month + 9) % 12;
    let of_year = (153 * march_month + 2) / 5 + day - 1;
    let (era, year_of_era) = (year / 400, year % 400);
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - 719_468
}

/// Sort key for natural order, with numbers by value: `128kB` before `1024kB`.
pub fn natural_order(name: &str) -> impl Ord + use<'_> {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let pieces = name.as_bytes().chunk_by(move |one, next| is_digit(one) == is_digit(next));
    pieces.map(Piece::parse).collect::<Vec<_>>()
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'n> {
    Number(u64),
    Text(&'n [u8]),
}

impl<'n> Piece<'n> {
    fn parse(bytes: &'n [u8]) -> Self {
        if !bytes.iter().all(u8::is_ascii_digit) {
            return Self::Text(bytes);
        }
        let digits = bytes.iter().map(|byte| u64::from(byte - b'0'));
        let number =
            digits.fold(0_u64, |number, digit| number.saturating_mul(10).saturating_add(digit));
        Self::Number(number)
    }
}

/// Longest word that is treated as a typing error.
const MAX_TYPO_LENGTH: usize = 32;

/// Finds the word that was probably meant: by the whole word, or by the part after the last dot, because a
/// key may be typed in the wrong table.
pub fn nearest_word<'w>(typed: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let words: Vec<&str> = words.into_iter().collect();
    let last = |word: &'w str| word.rsplit('.').next().unwrap_or(word);
    let typed = typed.to_lowercase();
    let end = typed.rsplit('.').next().unwrap_or(&typed);
    let elsewhere = words.iter().copied().find(|word| last(word) == end);
    elsewhere
        .or_else(|| nearest(&typed, words.iter().map(|word| (*word, *word))))
        .or_else(|| nearest(end, words.iter().map(|word| (last(word), *word))))
}

fn nearest<'w>(typed: &str, words: impl Iterator<Item = (&'w str, &'w str)>) -> Option<&'w str> {
    let length = typed.chars().count();
    if length > MAX_TYPO_LENGTH {
        return None;
    }
    let near = |(part, word): (&'w str, &'w str)| {
        let far = osa_distance(typed, part);
        let most = if begins_like(typed, part) { (length / 3).max(1) } else { 1 };
        let is_near = far <= most && far < length.min(part.chars().count());
        (is_near && (begins_like(typed, part) || begins_late(typed, part))).then_some((far, word))
    };
    words.filter_map(near).min_by_key(|(far, _)| *far).map(|(_, word)| word)
}

fn begins_like(one: &str, other: &str) -> bool {
    one.chars().next() == other.chars().next()
}

/// Whether one word begins with the second character of the other: the first character was added, omitted or
/// swapped. A different first character usually means a different word.
fn begins_late(one: &str, other: &str) -> bool {
    one.chars().nth(1) == other.chars().next() || one.chars().next() == other.chars().nth(1)
}

/// The word that was probably meant: one that begins with the typed word, or else the nearest one.
pub fn begun_or_nearest<'w>(
    typed: &str,
    words: impl IntoIterator<Item = &'w str>,
) -> Option<&'w str> {
    let words: Vec<&str> = words.into_iter().collect();
    let begun = words.iter().copied().find(|word| word.starts_with(typed));
    begun.or_else(|| nearest_word(typed, words))
}

/// The end of a message about an unknown word: the word that was probably meant, and then all words with
/// their name, such as `columns`.
pub fn meant_or_all(typed: &str, all: &str, words: &[&str]) -> String {
    let meant = did_you_mean(typed, words.iter().copied());
    let listed = words.join(", ");
    if meant.is_empty() {
        format!("; {all}: {listed}")
    } else {
        format!("{meant} All {all}: {listed}")
    }
}

/// The suggestion at the end of a message about an unknown word; empty if no word is similar, or if the word
/// itself is known.
pub fn did_you_mean<'w>(typed: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    let near = nearest_word(typed, words).filter(|word| *word != typed);
    near.map_or_else(String::new, |word| format!("; did you mean {word}?"))
}

/// A number with its noun, in the plural unless it is one.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_come_back() {
        let private = "\u{10fe80}\u{10feff}".as_bytes();
        let every: Vec<u8> = (0..=255).collect();
        let latin = b"# f\xfcr Gro\xdfe \xe2\x82\n";
        for bytes in [&every[..], private, latin, "\u{20ac}\u{1f600}".as_bytes(), b""] {
            assert_eq!(text_to_bytes(&bytes_to_text(bytes)), bytes);
        }
        assert_eq!(bytes_to_text("gr\u{fc}n".as_bytes()), "gr\u{fc}n");
        assert_eq!(bytes_to_text(latin).lines().count(), 1);
    }

    #[test]
    fn dates_agree_with_the_calendar_both_ways() {
        for (ms, date) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_245_900_123, "2026-11-21T07:25:00.123Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        ] {
            assert_eq!(super::format_date(ms), date);
            assert_eq!(parse_date(date), Some(ms));
        }
    }

    #[test]
    fn invalid_dates_are_refused() {
        for bad in ["", "2026-11-21", "1969-01-01T00:00", "2026-13-01T00:00", "2026-01-01T25:00"] {
            assert_eq!(parse_date(bad), None, "{bad}");
        }
        for day in ["2026-02-29", "2026-02-30", "2100-02-29", "2026-04-31", "2026-12-32"] {
            assert_eq!(parse_date(&format!("{day}T00:00")), None, "{day}");
        }
        for day in ["2028-02-29", "2000-02-29", "2026-12-31"] {
            assert!(parse_date(&format!("{day}T00:00")).is_some(), "{day}");
        }
    }

    #[test]
    fn numbers_in_names_sort_by_value() {
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_by_key(|name| natural_order(name));
            names
        };
        let sizes = vec!["thp.64kB.enabled", "thp.128kB.enabled", "thp.1024kB.enabled"];
        assert_eq!(sorted(sizes.iter().rev().copied().collect()), sizes);
        let names = vec!["", "2", "10", "a", "a2", "a2b", "a10", "page-cluster", "thp.enabled"];
        assert_eq!(sorted(names.iter().rev().copied().collect()), names);
        let huge = "9".repeat(40);
        assert!(natural_order("1") < natural_order(&huge));
    }

    #[test]
    fn typos_find_the_intended_word() {
        let words = ["size", "seconds", "stride", "skew", "passes"];
        let meant = |typed| nearest_word(typed, words);
        assert_eq!(meant("sise"), Some("size"));
        assert_eq!(meant("SIZE"), Some("size"));
        assert_eq!(meant("psases"), Some("passes"));
        assert_eq!(meant("second"), Some("seconds"));
        assert_eq!(meant("sekw"), Some("skew"));
        assert_eq!(meant("limit"), None);
        assert_eq!(meant(""), None);
        assert_eq!(meant(&"size".repeat(20)), None);
    }

    #[test]
    fn a_word_may_be_begun_only() {
        assert_eq!(begun_or_nearest("stat", ["set", "status"]), Some("status"));
        assert_eq!(begun_or_nearest("devcies", ["advise", "devices"]), Some("devices"));
        assert_eq!(begun_or_nearest("completions", ["selection"]), None);
    }

    #[test]
    fn the_meant_word_comes_before_all_words() {
        let words = ["name", "used"];
        let told = "; did you mean used? All columns: name, used";
        assert_eq!(meant_or_all("usde", "columns", &words), told);
        assert_eq!(meant_or_all("zzz", "columns", &words), "; columns: name, used");
    }

    #[test]
    fn unlike_words_are_not_suggested() {
        for (typed, word) in [("5", "f"), ("ab", "xy"), ("mode", "node"), ("device", "advice")] {
            assert_eq!(nearest_word(typed, [word]), None, "{typed}");
        }
        for (typed, word) in [("thp", "mthp"), ("zsize", "size"), ("isze", "size"), ("cpu", "cpus")]
        {
            assert_eq!(nearest_word(typed, [word]), Some(word), "{typed}");
        }
    }

    #[test]
    fn a_key_in_another_table_is_near() {
        let names = ["color", "columns", "columns.devices", "sort.devices", "thresholds.use_warn"];
        let meant = |typed| nearest_word(typed, names);
        assert_eq!(meant("colour"), Some("color"));
        assert_eq!(meant("column"), Some("columns"));
        assert_eq!(meant("use_warn"), Some("thresholds.use_warn"));
        assert_eq!(meant("thresholds.color"), Some("color"));
        assert_eq!(meant("sort.devcies"), Some("sort.devices"));
        assert_eq!(meant("something"), None);
        assert_eq!(meant(&"color".repeat(20)), None);
    }
}

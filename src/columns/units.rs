//! Formatting and parsing of numbers for people.

use super::value::Unit;
use crate::model::name::safe_text;
use crate::model::{Bytes, Stamp, text, unit_factor, whole, with_unit};
use std::time::Duration;

/// Formats bytes with a binary suffix: `0B`, `512B`, `4K`, `1.5M`, `31.2G`.
pub fn bytes(bytes: f64) -> String {
    let mut scaled = bytes;
    let mut suffixes = ["B", "K", "M", "G", "T", "P", "E"].into_iter();
    let mut suffix = suffixes.next().unwrap_or_default();
    // 1023.95 would be rounded to 1024.0: use the next suffix.
    while scaled.abs() >= 1023.95 {
        let Some(next) = suffixes.next() else { break };
        suffix = next;
        scaled /= 1024.0;
    }
    let text = format!("{scaled:.1}");
    format!("{}{suffix}", text.strip_suffix(".0").unwrap_or(&text))
}

/// Formats bytes without rounding, so that different sizes look different: `2304M` instead of `2.2G`.
pub fn exact(bytes: Bytes) -> String {
    bytes.exact()
}

/// Formats a size like [`bytes`].
pub fn size(bytes: Bytes) -> String {
    self::bytes(bytes.0 as f64)
}

/// Parses a size above zero, or says what a size looks like.
pub fn parse_some_size(text: &str) -> Result<Bytes, String> {
    parse_size(text).filter(|size| size.0 > 0).ok_or_else(|| {
        let shown = safe_text(text);
        format!("\"{shown}\" is not a size: use a number with K, M, G or T, such as 200M")
    })
}

/// Parses a size such as `4096`, `512M` or `1.5GiB`.
pub fn parse_size(text: &str) -> Option<Bytes> {
    let bytes = parse(text, Unit::Bytes)?;
    // Larger sizes do not fit into 64 bits.
    let fits = (0.0..18e18).contains(&bytes);
    fits.then_some(Bytes(whole(bytes)))
}

/// Formats a number in about four characters: `0`, `0.25`, `12.3`, `9876`, `12.3k`, `4.5M`.
pub fn short(number: f64) -> String {
    let size = number.abs();

    match (size, scale(size)) {
        (s, _) if s < 0.005 => "0".to_owned(),
        (s, _) if s < 10.0 => trimmed(format!("{number:.2}")),
        (s, _) if s < 99.95 => trimmed(format!("{number:.1}")),
        (_, (_, "")) => format!("{number:.0}"),
        (_, (scale, suffix)) => trimmed(format!("{:.1}", number / scale)) + suffix,
    }
}

/// Formats a number with four significant digits and the whole integer part: `0.25`, `526.7`, `15769409`. A
/// small number keeps three digits: `0.000276`.
pub fn number(number: f64) -> String {
    match number.abs() {
        n if n < SMALLEST => "0".to_owned(),
        n if n < 0.01 => trimmed(with_places(number, significant_digits(n))),
        n if n < 9.9995 => trimmed(with_places(number, 3)),
        n if n < 99.995 => trimmed(with_places(number, 2)),
        n if n < 999.95 => trimmed(with_places(number, 1)),
        _ => format!("{number:.0}"),
    }
}

/// Numbers below this count as 0.
const SMALLEST: f64 = 5e-10;

/// Number of decimals that leave a small number three significant digits.
fn significant_digits(size: f64) -> usize {
    usize::try_from(2 - exponent(size)).unwrap_or(0)
}

/// Formats a number with this many decimals, without a sign if it is rounded to 0.
fn with_places(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    match text.strip_prefix('-') {
        Some(rest) if is_zero(rest) => rest.to_owned(),
        _ => text,
    }
}

fn is_zero(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '0' | '.'))
}

/// Adds a plus sign to a formatted change above 0, with or without its error.
pub fn signed(text: &str) -> String {
    let number = text.split("+-").next().unwrap_or_default();
    let plus = if number.starts_with('-') || is_zero(number) { "" } else { "+" };
    format!("{plus}{text}")
}

/// Relative errors below this are rounding errors of floating point arithmetic.
const NOISE: f64 = 1e-9;

/// Formats a number and its error with the same decimals: `0.50+-0.06`, `6150+-62`, `123.4k+-1.2k`.
///
/// The error has one significant digit, or two if it begins with 1, 2 or a small 3; at most four digits in
/// all and at most `places` decimals. An error below the last digit is shown as the last digit. An error of 0
/// leaves the number with all significant digits.
pub fn plus_minus(number: f64, off: f64, places: i32) -> String {
    let off = if off <= number.abs() * NOISE { 0.0 } else { off };
    if off == 0.0 || !off.is_finite() || !number.is_finite() {
        return format!("{}+-{}", self::number(number), self::number(off));
    }
    let size = number.abs().max(off);
    let (scale, suffix) = if size < 99_999.5 { (1.0, "") } else { scale(size) };
    let places = if suffix.is_empty() { places } else { 1 };
    let (number, off) = (number / scale, off / scale);
    let places =
        significant_places(off).min(3 - exponent(number.abs().max(1.0))).min(places).max(0);
    let off = off.max(10_f64.powi(-places));
    let places = usize::try_from(places).unwrap_or(0);
    format!("{}{suffix}+-{off:.places$}{suffix}", with_places(number, places))
}

/// Divisor and suffix of a large number.
fn scale(size: f64) -> (f64, &'static str) {
    match size {
        s if s < 9_999.5 => (1.0, ""),
        s if s < 999_950.0 => (1e3, "k"),
        s if s < 999_950_000.0 => (1e6, "M"),
        _ => (1e9, "G"),
    }
}

/// Decimal exponent of a number.
fn exponent(size: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "it is within what a number can be")]
    let exponent = size.log10().floor() as i32;
    exponent
}

/// Number of decimals that an error leaves significant.
fn significant_places(off: f64) -> i32 {
    let exponent = exponent(off);
    let first = off / 10_f64.powi(exponent);
    if first < 3.545 { 1 - exponent } else { -exponent }
}

/// Formats a share in percent: `0%`, `0.4%`, `37%`, `100%`. Never `0%` for more than nothing, nor `100%` for
/// less than all.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        p if p <= 0.0 || !p.is_finite() => "0%".to_owned(),
        p if p < 0.1 => "<0.1%".to_owned(),
        p if p < 9.95 => format!("{}%", trimmed(format!("{p:.1}"))),
        p if (99.5..100.0).contains(&p) => ">99%".to_owned(),
        p => format!("{p:.0}%"),
    }
}

/// Formats a duration: `0s`, `<1us`, `12us`, `3.4ms`, `1.5s`, `3m20s`, `2h05m`, `12d`.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s <= 0.0 => "0s".to_owned(),
        // The mean of many operations can be below the resolution of the clock.
        s if s < 0.000_000_5 => "<1us".to_owned(),
        s if s < 0.000_999_5 => format!("{:.0}us", s * 1e6),
        s if s < 0.9995 => format!("{}ms", trimmed(format!("{:.1}", s * 1e3))),
        s if s < 99.95 => format!("{}s", trimmed(format!("{s:.1}"))),
        s if s < 3_600.0 => format!("{:.0}m{:02.0}s", (s / 60.0).floor(), (s % 60.0).floor()),
        s if s < 172_800.0 => {
            format!("{:.0}h{:02.0}m", (s / 3_600.0).floor(), (s % 3_600.0 / 60.0).floor())
        }
        s => format!("{:.0}d", (s / 86_400.0).floor()),
    }
}

/// Parses a duration such as `2`, `0.5s`, `300ms`, `5m` or `1h`.
pub fn duration(text: &str) -> Option<Duration> {
    let seconds = with_unit(text, |unit| match unit {
        "ms" => Some(0.001),
        "" | "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    });
    Duration::try_from_secs_f64(seconds?).ok()
}

/// Formats a number for machines: at most six decimals, nine below a thousandth, without trailing zeros.
pub fn real(number: f64) -> String {
    trimmed(with_places(number, decimals(number)))
}

/// Decimals of a number for machines.
fn decimals(number: f64) -> usize {
    if number.abs() < 0.001 { 9 } else { 6 }
}

/// Rounds a number to six decimals, or to nine below a thousandth.
pub fn rounded(number: f64) -> f64 {
    let scale = if number.abs() < 0.001 { 1e9 } else { 1e6 };
    let rounded = (number * scale).round() / scale;
    if rounded.is_finite() { rounded } else { number }
}

fn trimmed(text: String) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Shortens a date and time of RFC 3339 to the minute.
pub fn minute(moment: &str) -> String {
    moment.replace('T', " ").chars().take("2026-11-21 07:25".len()).collect()
}

/// Parses a number such as `1.5G`, `80%` or `500ms` in the unit of its column.
pub fn parse(text: &str, unit: Unit) -> Option<f64> {
    if unit == Unit::Flag {
        return match text {
            "yes" | "true" | "on" | "1" => Some(1.0),
            "no" | "false" | "off" | "0" => Some(0.0),
            _ => None,
        };
    }
    with_unit(text, |suffix| factor(suffix, unit))
}

fn factor(suffix: &str, unit: Unit) -> Option<f64> {
    match (suffix, unit) {
        ("", _) | ("s", Unit::Seconds) => Some(1.0),
        (suffix, Unit::Bytes | Unit::BytesPerSecond) => unit_factor(suffix),
        ("%", Unit::Share) => Some(0.01),
        ("us", Unit::Seconds) => Some(1e-6),
        ("ms", Unit::Seconds) => Some(1e-3),
        ("m", Unit::Seconds) => Some(60.0),
        ("h", Unit::Seconds) => Some(3600.0),
        ("k", _) => Some(1e3),
        ("m", _) => Some(1e6),
        _ => None,
    }
}

/// Formats milliseconds since 1970 as a date and time in UTC; on a simulated machine, which begins with 1970, as
/// the time after its start.
pub fn date(wall_ms: u64) -> String {
    after_start(wall_ms).unwrap_or_else(|| text::format_date(wall_ms))
}

/// Formats milliseconds since 1970 as [`date`], shortened to the second.
pub fn date_to_second(wall_ms: u64) -> String {
    let shortened = || {
        let date = text::format_date(wall_ms);
        format!("{}Z", date.split('.').next().unwrap_or_default())
    };
    after_start(wall_ms).unwrap_or_else(shortened)
}

/// Formats milliseconds since 1970 as [`date`], shortened to the minute.
pub fn date_to_minute(wall_ms: u64) -> String {
    let shortened = || format!("{}Z", minute(&text::format_date(wall_ms)));
    after_start(wall_ms).unwrap_or_else(shortened)
}

/// The time after the start of a simulated machine; none for a date.
fn after_start(wall_ms: u64) -> Option<String> {
    let is_date = Stamp { boot_ns: 0, wall_ms }.has_date();
    (!is_date).then(|| format!("{} after start", seconds(wall_ms as f64 / 1000.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_keep_one_decimal_and_never_reach_1024() {
        let shown = [0.0, 512.0, 4096.0, 1_048_524.0, 1_048_575.0, 33_527_168_204.0].map(bytes);
        assert_eq!(shown, ["0B", "512B", "4K", "1023.9K", "1M", "31.2G"]);
        assert_eq!([-1536.0, -4_194_304.0].map(bytes), ["-1.5K", "-4M"]);
    }

    #[test]
    fn sizes_are_typed_as_for_util_linux() {
        let cases = [
            ("4096", 4096),
            ("32MB", 32_000_000),
            ("32mb", 32_000_000),
            ("32M", 32 << 20),
            ("32MiB", 32 << 20),
            ("32 MiB", 32 << 20),
            ("1.5gib", 3 << 29),
            ("32GB", 32_000_000_000),
            ("1P", 1 << 50),
        ];
        for (text, bytes) in cases {
            assert_eq!(parse_size(text), Some(Bytes(bytes)), "{text}");
        }
        assert_eq!(["", "MB", "5ib", "5MBB", "-1M", "99E"].map(parse_size), [None; 6]);
    }

    #[test]
    fn different_sizes_look_different() {
        let shown =
            [0, 4096, 2304 << 20, 2 << 30, 3 << 20, u64::MAX].map(|place| exact(Bytes(place)));
        assert_eq!(shown, ["0B", "4K", "2304M", "2G", "3M", "18446744073709551615B"]);
    }

    #[test]
    fn percent_never_rounds_to_0_or_100() {
        let shown = [0.0, 0.0004, 0.004, 0.37, 0.9996, 1.0].map(percent);
        assert_eq!(shown, ["0%", "<0.1%", "0.4%", "37%", ">99%", "100%"]);
    }

    #[test]
    fn numbers_keep_four_digits_and_all_before_the_point() {
        let shown = [0.25, -3.0, 12.345, 526.74, 999.96, 15_769_409.4].map(number);
        assert_eq!(shown, ["0.25", "-3", "12.35", "526.7", "1000", "15769409"]);
        let small = [0.009_994, -0.000_276_4, 1.234e-8, 1e-10].map(number);
        assert_eq!(small, ["0.00999", "-0.000276", "0.0000000123", "0"]);
        let exact = [0.000_012_3, 0.300_000_04, 1e-17].map(|it| (real(it), rounded(it)));
        let wanted = [("0.0000123", 0.000_012_3), ("0.3", 0.3), ("0", 0.0)];
        assert_eq!(exact, wanted.map(|(text, number)| (text.to_owned(), number)));
    }

    #[test]
    fn the_error_decides_the_number_of_digits() {
        let shown = [
            (0.5, 0.064),
            (0.5, 0.0),
            (12.5, 0.125),
            (6150.0, 61.5),
            (38_400.0, 384.0),
            (-20.0, 2.27),
            (0.99, 0.97),
            (5.0, 800.0),
            (170.5, 1e-6),
            (51_200.0, 0.3),
            (0.0, 0.02),
            (51_200.0, 0.0),
            (0.002, 0.0),
            (0.1, 1.4e-17),
            (-0.004, 0.28),
            (-0.0, 0.0),
        ]
        .map(|(number, off)| plus_minus(number, off, 3));
        let wanted = [
            "0.50+-0.06",
            "0.5+-0",
            "12.50+-0.12",
            "6150+-62",
            "38400+-384",
            "-20.0+-2.3",
            "1.0+-1.0",
            "5+-800",
            "170.5+-0.1",
            "51200+-1",
            "0.000+-0.020",
            "51200+-0",
            "0.002+-0",
            "0.1+-0",
            "0.00+-0.28",
            "0+-0",
        ];
        assert_eq!(shown, wanted);
        assert_eq!(plus_minus(123_400.0, 1234.0, 3), "123.4k+-1.2k");
        assert_eq!(plus_minus(24.8, 0.25, 1), "24.8+-0.2");
    }

    #[test]
    fn a_rounded_0_has_no_sign() {
        assert_eq!([-0.0, -4e-10, -0.0006].map(number), ["0", "0", "-0.0006"]);
        assert_eq!(plus_minus(-0.04, 2.8, 1), "0.0+-2.8");
        assert_eq!(plus_minus(-0.06, 2.8, 1), "-0.1+-2.8");
        let shown = ["0.0+-2.8", "0", "-0.1+-2.8", "0.1+-2.8", "12"].map(signed);
        assert_eq!(shown, ["0.0+-2.8", "0", "-0.1+-2.8", "+0.1+-2.8", "+12"]);
    }

    #[test]
    fn times_and_short_numbers() {
        let shown = [0.0, 0.000_000_1, 0.000_012, 0.0034, 1.5, 200.0, 7500.0, 1e6].map(seconds);
        assert_eq!(shown, ["0s", "<1us", "12us", "3.4ms", "1.5s", "3m20s", "2h05m", "11d"]);
        let shown = [0.0, 0.25, 12.34, 9876.0, 11_000.0, 4_500_000.0].map(short);
        assert_eq!(shown, ["0", "0.25", "12.3", "9876", "11k", "4.5M"]);
    }
}

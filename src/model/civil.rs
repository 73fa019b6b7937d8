//! Dates: from milliseconds since 1970 to a text and back. Always UTC, so that a recording reads
//! the same everywhere.

/// `2026-11-21T07:25:00.123Z`.
pub fn text(wall_ms: u64) -> String {
    let (days, in_day) = (wall_ms / 86_400_000, wall_ms % 86_400_000);
    let (year, month, day) = date_of(days);
    let (hour, minute) = (in_day / 3_600_000, in_day / 60_000 % 60);
    let (second, milli) = (in_day / 1000 % 60, in_day % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Milliseconds since 1970 for `2026-11-21T07:25:00`, with or without seconds, fraction and `Z`;
/// a space may stand for the `T`.
pub fn parse(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(['T', ' '])?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    Some(days_of(year, month, day) * 86_400_000 + parse_time(time)?)
}

/// Milliseconds since midnight for `07:25`, `07:25:00` or `07:25:00.5`.
pub fn parse_time(text: &str) -> Option<u64> {
    let mut parts = text.strip_suffix('Z').unwrap_or(text).splitn(3, ':');
    let hour: u64 = parts.next()?.parse().ok()?;
    let minute: u64 = parts.next()?.parse().ok()?;
    let second: f64 = parts.next().map_or(Ok(0.0), str::parse).ok()?;
    let valid = hour < 24 && minute < 60 && (0.0..61.0).contains(&second);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 61000")]
    let milli = (second * 1000.0) as u64;
    valid.then_some(hour * 3_600_000 + minute * 60_000 + milli)
}

/// Year, month and day of a number of days since 1970, counting years from March so that the
/// leap day comes last.
fn date_of(days: u64) -> (u64, u64, u64) {
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

fn days_of(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let march_month = (month + 9) % 12;
    let of_year = (153 * march_month + 2) / 5 + day - 1;
    let (era, year_of_era) = (year / 400, year % 400);
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_agree_with_the_calendar_both_ways() {
        for (ms, date) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_245_900_123, "2026-11-21T07:25:00.123Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        ] {
            assert_eq!(text(ms), date);
            assert_eq!(parse(date), Some(ms));
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for bad in ["", "2026-11-21", "1969-01-01T00:00", "2026-13-01T00:00", "2026-01-01T25:00"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}

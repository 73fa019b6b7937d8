//! The file of `rebalance custom`: a line for each area, with its priority behind it.

use super::super::{Before, find};
use crate::cli::commands::input;
use crate::cli::exit::Failure;
use crate::model::Name;
use crate::model::activation::Priority;
use crate::model::name::safe_text;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// What to name instead of what is no such file.
const RATHER: &str = "custom takes a file with a line AREA PRIORITY for each area, such as /dev/zram0 100, or - for the input: see swapadm-rebalance(8)";

/// More than this is no file of priorities.
const LARGEST: usize = 1 << 20;

/// The wishes in a file, or on the input when it is called `-`.
pub(super) fn read(before: &Before<'_>, file: &OsStr) -> Result<Vec<(Name, Priority)>, Failure> {
    let path = Path::new(file);
    let bytes = input::read(path, LARGEST, RATHER)?;
    if bytes.len() > LARGEST {
        return Err(Failure::Usage(format!(
            "{} is too long for a list of areas: {RATHER}",
            input::shown(path)
        )));
    }
    let mut wishes = Vec::new();
    for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
        let at = |what: &dyn std::fmt::Display| {
            Failure::Usage(format!("{}:{number}: {what}", input::shown(path)))
        };
        let Some((area, priority)) = parse(line).map_err(|what| at(&what))? else { continue };
        let area = find::active(before, OsStr::from_bytes(area)).map_err(|what| at(&what))?;
        wishes.push((area.path.clone(), priority));
    }
    if wishes.is_empty() {
        return Err(Failure::Usage(format!("{} names no area: {RATHER}", input::shown(path))));
    }
    Ok(wishes)
}

/// A line `AREA PRIORITY` or `AREA=PRIORITY`; nothing, when it is empty or a remark. The last blank
/// counts, and where there is none the last such sign: paths may hold both.
fn parse(line: &[u8]) -> Result<Option<(&[u8], Priority)>, String> {
    let line = without_remark(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let blank = line.iter().rposition(u8::is_ascii_whitespace);
    let place = blank.or_else(|| line.iter().rposition(|byte| *byte == b'='));
    let (area, rest) = place.and_then(|place| line.split_at_checked(place)).unwrap_or_default();
    let rest = rest.get(1..).unwrap_or_default();
    let area = area.trim_ascii_end();
    let area = if blank.is_some() { spaced(area) } else { area };
    if area.is_empty() {
        let line = safe_text(&String::from_utf8_lossy(line));
        return Err(format!(
            "\"{line}\" should be an area and its priority, such as /dev/zram0 100"
        ));
    }
    let rest = safe_text(&String::from_utf8_lossy(rest));
    Priority::parse(&rest).map(|priority| Some((area, priority)))
}

/// Without the sign of `AREA = PRIORITY`.
fn spaced(area: &[u8]) -> &[u8] {
    area.strip_suffix(b"=").unwrap_or(area).trim_ascii_end()
}

/// A remark begins at the beginning of a line or behind a blank: names may hold the sign.
fn without_remark(line: &[u8]) -> &[u8] {
    let begins = |place: &usize| {
        let before = place.checked_sub(1).and_then(|before| line.get(before));
        line.get(*place) == Some(&b'#') && before.is_none_or(u8::is_ascii_whitespace)
    };
    let end = (0..line.len()).find(begins).unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_an_area_and_its_priority() {
        for (line, area, priority) in [
            ("/dev/zram0 100", "/dev/zram0", Priority::Set(100)),
            ("  /dev/zram0\t 0  # best", "/dev/zram0", Priority::Set(0)),
            ("/dev/zram0=default", "/dev/zram0", Priority::Default),
            ("/dev/zram0 = 7", "/dev/zram0", Priority::Set(7)),
            ("UUID=1-2=32767", "UUID=1-2", Priority::Set(32767)),
            ("LABEL=a b 5\r", "LABEL=a b", Priority::Set(5)),
            ("/swap#1 5", "/swap#1", Priority::Set(5)),
            ("/a=b 5", "/a=b", Priority::Set(5)),
        ] {
            assert_eq!(parse(line.as_bytes()), Ok(Some((area.as_bytes(), priority))), "{line:?}");
        }
        for line in ["", "   ", "# /dev/zram0 1", "\t# x"] {
            assert_eq!(parse(line.as_bytes()), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn what_is_no_such_line_is_named_with_what_could_be_there() {
        for (line, word) in [
            (&b"/dev/zram0"[..], "should be an area"),
            (b"=5", "should be an area"),
            (b"/dev/zram0 99999", "\"99999\" is not from 0 to 32767"),
            (b"/dev/zram0 -5", "default asks for one"),
            (b"/dev/zram0=", "\"\" is not from 0"),
            (b"\xff\xfe \x1b[2J", "0 to 32767"),
            (b"/dev/zram0 1.5", "1.5"),
        ] {
            let told = parse(line).unwrap_err();
            assert!(told.contains(word) && !told.contains('\x1b'), "{told}");
        }
    }
}

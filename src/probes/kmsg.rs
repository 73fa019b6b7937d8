//! Discard modes of active areas, which only the kernel log shows.
//!
//! Kernel: the last `pr_info` of `swapon(2)`, the same in all versions: `Adding 131068k swap on /dev/sda2.
//! Priority:-2 extents:1 across:131068k SSDsc`, where D stands for discard, s for once at swapon, c for
//! pages as they become free. The name is the one given to `swapon`; links in it are not resolved. Reading
//! the log usually needs root, and old lines get lost.
//!
//! Not done here: this is no part of snapshots; only enabling an area again needs it.

use super::scan;
use crate::model::activation::Discard;
use crate::model::swaparea::SwapArea;
use crate::model::{Name, Reading};
use crate::root::{FileFacts, Root};

/// The discard mode of each area.
pub fn discards(root: &Root, areas: &[SwapArea]) -> Vec<Reading<Discard>> {
    let log = root.kernel_log();
    let told: Reading<Vec<(Name, Discard)>> =
        log.map(|records| records.iter().filter_map(|record| parse(record)).collect());
    areas.iter().map(|area| told.as_ref().and_then(|told| discard_for(root, area, told))).collect()
}

/// The last log entry of an area, or of another name of its device or file.
fn discard_for(root: &Root, area: &SwapArea, told: &[(Name, Discard)]) -> Reading<Discard> {
    let identity = |name: &Name| root.facts(name.as_path()).known().map(FileFacts::identity);
    let own = identity(&area.path);
    let is = |name: &Name| *name == area.path || (own.is_some() && identity(name) == own);
    match told.iter().rfind(|(name, _)| is(name)) {
        Some((_, discard)) => Reading::Known(*discard),
        None => Reading::absent(format!(
            "the kernel log no longer has the swapon line of {}",
            area.path.safe()
        )),
    }
}

fn parse(record: &[u8]) -> Option<(Name, Discard)> {
    let text = record.split(|byte| *byte == b'\n').next()?;
    let begin = text.iter().position(|byte| *byte == b';')? + 1;
    let text = text.get(begin..)?.strip_prefix(b"Adding ")?;
    let name = after(text, b" swap on ")?;
    // A name may contain anything: the last such words are the kernel's.
    let end = name.windows(PRIORITY.len()).rposition(|words| words == PRIORITY)?;
    let across = after(name.get(end..)?, b" across:")?;
    let flags = across.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
    let flags = flags.strip_prefix(b"SS").unwrap_or(flags);
    let has = |flag: u8| flags.contains(&flag);
    let discard = match (has(b'D'), has(b's'), has(b'c')) {
        (true, true, true) => Discard::Both,
        (true, true, false) => Discard::Once,
        (true, false, true) => Discard::Pages,
        _ => Discard::None,
    };
    let name = scan::unescape(name.get(..end)?, scan::hex_escape);
    Some((Name::new(name), discard))
}

const PRIORITY: &[u8] = b".  Priority:";

/// The text after these words.
fn after<'a>(text: &'a [u8], words: &[u8]) -> Option<&'a [u8]> {
    let place = text.windows(words.len()).position(|window| window == words)?;
    text.get(place + words.len()..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_gives_the_discard_mode_of_an_area() {
        let record = |name: &str, flags: &str| {
            let text = format!(
                "6,412,3356,-;Adding 131068k swap on {name}.  Priority:10 extents:1 across:131068k {flags}\n SUBSYSTEM=x\n"
            );
            parse(text.as_bytes())
        };
        for (flags, discard) in [
            ("SS", Discard::None),
            ("", Discard::None),
            ("D", Discard::None),
            ("SSDs", Discard::Once),
            ("Dc", Discard::Pages),
            ("SSDscFS", Discard::Both),
        ] {
            assert_eq!(record("/dev/sda2", flags), Some(("/dev/sda2".into(), discard)), "{flags}");
        }
        assert_eq!(
            record("/m\\xc3\\xa4 \\x5cx41", ""),
            Some(("/m\u{e4} \\x41".into(), Discard::None))
        );
        let odd = "/a.  Priority:1 across:b";
        assert_eq!(record(odd, "SSDs"), Some((odd.into(), Discard::Once)));
    }

    #[test]
    fn other_lines_are_ignored() {
        for line in ["", ";", "6,1,2,-;Adding", "6,1,2,-;Adding 1k swap on /x", "x Adding 1k swap"]
        {
            assert_eq!(parse(line.as_bytes()), None, "{line}");
        }
    }
}

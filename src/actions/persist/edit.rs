//! Small changes to the text of files that set the machine up; all else in them stays as it is.

use super::Wish;
use crate::model::activation::{Discard, Priority};

/// Change one line, from 1 on; what has no such line stays.
fn line(text: &str, number: u32, change: impl Fn(&str) -> Option<String>) -> String {
    let lines = text.split_inclusive('\n').zip(1..);
    let changed = lines.map(|(line, place)| {
        if place != number {
            return line.to_owned();
        }
        let (body, end) = match line.strip_suffix('\n') {
            Some(body) => (body, "\n"),
            None => (line, ""),
        };
        change(body).map_or_else(String::new, |body| body + end)
    });
    changed.collect()
}

/// With another line at the end.
pub(super) fn added(text: &str, more: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}{more}\n")
}

/// Without a line.
pub(super) fn without_line(text: &str, number: u32) -> String {
    line(text, number, |_| None)
}

/// With another line in the place of one.
pub(super) fn with_line(text: &str, number: u32, new: &str) -> String {
    line(text, number, |_| Some(new.to_owned()))
}

/// With another value behind the first sign of this line.
pub(super) fn with_value(text: &str, number: u32, sign: char, value: &str) -> String {
    line(text, number, |line| {
        let (key, old) = line.split_once(sign)?;
        let space = old.len() - old.trim_start().len();
        let space = old.get(..space).unwrap_or_default();
        Some(format!("{key}{sign}{space}{value}"))
    })
}

/// A line of `fstab` with other options.
pub(super) fn with_options(
    text: &str,
    number: u32,
    change: impl Fn(Vec<String>) -> Vec<String>,
) -> String {
    line(text, number, |line| {
        let field = nth_field(line, 3);
        let old = field.as_ref().and_then(|range| line.get(range.clone())).unwrap_or("defaults");
        let options = change(old.split(',').map(str::to_owned).collect());
        let options = if options.is_empty() { "defaults".to_owned() } else { options.join(",") };
        match field {
            Some(range) => {
                let (before, after) = (line.get(..range.start)?, line.get(range.end..)?);
                Some(format!("{before}{options}{after}"))
            }
            None => Some(format!("{} {options}", line.trim_end())),
        }
    })
}

/// Where a field of a line is, from 0 on.
fn nth_field(line: &str, wanted: usize) -> Option<std::ops::Range<usize>> {
    let mut fields = line.split([' ', '\t']).filter(|field| !field.is_empty());
    let field = fields.nth(wanted)?;
    let start = field.as_ptr() as usize - line.as_ptr() as usize;
    Some(start..start + field.len())
}

/// The options of an area that is on like this at every start.
pub(super) fn options_on(wish: &Wish, mut options: Vec<String>) -> Vec<String> {
    options.retain(|option| option != "noauto");
    if let Some(priority) = wish.priority {
        options.retain(|option| !option.starts_with("pri="));
        if let Priority::Set(number) = priority {
            options.push(format!("pri={number}"));
        }
    }
    if let Some(discard) = wish.discard {
        options.retain(|option| option != "discard" && !option.starts_with("discard="));
        options.extend(match discard {
            Discard::None => None,
            Discard::Both => Some("discard".to_owned()),
            Discard::Once | Discard::Pages => Some(format!("discard={}", discard.word())),
        });
    }
    options
}

/// The same for one that is left off.
pub(super) fn options_off(mut options: Vec<String>) -> Vec<String> {
    if !options.iter().any(|option| option == "noauto") {
        options.push("noauto".to_owned());
    }
    options
}

/// A name as a field of `fstab`.
pub(super) fn field(name: &str) -> String {
    let mut field = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            ' ' => field.push_str("\\040"),
            '\t' => field.push_str("\\011"),
            '\n' => field.push_str("\\012"),
            '\\' => field.push_str("\\134"),
            '#' if field.is_empty() => field.push_str("\\043"),
            c => field.push(c),
        }
    }
    field
}

/// A file of sections with this setting, or without it.
pub(super) fn with_setting(text: &str, section: &str, key: &str, value: Option<&str>) -> String {
    let mut inside = false;
    let mut last_of_section = None;
    let mut place = None;
    for (body, number) in text.lines().zip(1_u32..) {
        let body = body.trim();
        if body.starts_with('[') {
            inside = body == format!("[{section}]");
        }
        if inside && !body.is_empty() && !body.starts_with(['#', ';']) {
            last_of_section = Some(number);
            if body.split_once('=').is_some_and(|(known, _)| known.trim() == key) {
                place = Some(number);
            }
        }
    }
    match (place, last_of_section, value) {
        (Some(number), _, Some(value)) => with_value(text, number, '=', value),
        (Some(number), _, None) => without_line(text, number),
        (None, _, None) => text.to_owned(),
        (None, Some(last), Some(value)) => {
            line(text, last, |body| Some(format!("{body}\n{key}={value}")))
        }
        (None, None, Some(value)) => {
            let gap = if text.is_empty() { "" } else { "\n" };
            added(text, &format!("{gap}[{section}]\n{key}={value}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FSTAB: &str = "# swap\nUUID=x  none\tswap sw,pri=5,nofail 0 0\n/dev/b none swap";

    fn area(priority: Priority, discard: Discard) -> Wish {
        Wish { path: "/x".into(), priority: Some(priority), discard: Some(discard) }
    }

    #[test]
    fn only_the_options_of_the_line_change() {
        let on =
            |number, area: &Wish| with_options(FSTAB, number, |options| options_on(area, options));
        assert_eq!(
            on(2, &area(Priority::Set(7), Discard::Once)),
            "# swap\nUUID=x  none\tswap sw,nofail,pri=7,discard=once 0 0\n/dev/b none swap"
        );
        assert_eq!(
            on(3, &area(Priority::Set(7), Discard::Both)),
            "# swap\nUUID=x  none\tswap sw,pri=5,nofail 0 0\n/dev/b none swap defaults,pri=7,discard"
        );
        let off = with_options(FSTAB, 2, options_off);
        assert_eq!(off, FSTAB.replace("nofail", "nofail,noauto"));
        assert_eq!(with_options(&off, 2, options_off), off, "once is enough");
        let alone = with_options("a none swap pri=5 0 0\n", 1, |options| {
            options_on(&area(Priority::Default, Discard::None), options)
        });
        assert_eq!(alone, "a none swap defaults 0 0\n", "a field cannot be empty");
        let kept = Wish { path: "/x".into(), priority: Some(Priority::Set(1)), discard: None };
        let kept = options_on(&kept, vec!["discard=once".to_owned(), "pri=2".to_owned()]);
        assert_eq!(kept, ["discard=once", "pri=1"], "what nobody speaks of stays");
    }

    #[test]
    fn names_survive_the_way_through_fstab() {
        assert_eq!(field("/swap file\t\\#"), "/swap\\040file\\011\\134#");
        assert_eq!(field("#x"), "\\043x");
    }

    #[test]
    fn lines_are_added_changed_and_removed() {
        assert_eq!(added("", "a"), "a\n");
        assert_eq!(added("x", "a"), "x\na\n");
        assert_eq!(without_line("a\nb\nc\n", 2), "a\nc\n");
        assert_eq!(with_value("k =  1\nk=2\n", 1, '=', "3"), "k =  3\nk=2\n");
    }

    #[test]
    fn settings_of_sections_are_found_where_they_are() {
        let text = "[zram0]\nzram-size=1\n# x\n\n[zram1]\nswap-priority = 5\n";
        let with = |section, key, value| with_setting(text, section, key, value);
        assert_eq!(with("zram1", "swap-priority", Some("9")), text.replace("= 5", "= 9"));
        assert_eq!(with("zram1", "swap-priority", None), text.replace("swap-priority = 5\n", ""));
        let first = with("zram0", "swap-priority", Some("9"));
        assert_eq!(first, text.replace("zram-size=1\n", "zram-size=1\nswap-priority=9\n"));
        let new = with("zram2", "zram-size", Some("8"));
        assert_eq!(new, format!("{text}\n[zram2]\nzram-size=8\n"));
        assert_eq!(with("zram2", "zram-size", None), text);
    }
}

//! Small edits of configuration files, which keep everything else unchanged: of lines, of whole
//! sections, and of the condition that disables a unit.

use super::files::BootArea;
use crate::model::Name;
use crate::model::activation::{Discard, Priority};
use crate::model::config::NEVER_STARTED;
use crate::model::text::bytes_to_text;

/// Changes one line, counted from 1; a missing line changes nothing.
fn edit_line(text: &str, number: u32, change: impl Fn(&str) -> Option<String>) -> String {
    let lines = text.split_inclusive('\n').zip(1..);
    let changed = lines.map(|(line, place)| {
        if place != number {
            return line.to_owned();
        }
        // Line endings of the file are kept.
        let body = line.trim_end_matches(['\r', '\n']);
        let end = line.get(body.len()..).unwrap_or_default();
        change(body).map_or_else(String::new, |body| body + end)
    });
    changed.collect()
}

/// The line ending of a file.
pub(super) fn line_ending(text: &str) -> &'static str {
    if text.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n")) {
        "\r\n"
    } else {
        "\n"
    }
}

/// Appends a line.
pub(super) fn with_line_added(text: &str, more: &str) -> String {
    let ending = line_ending(text);
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { ending };
    format!("{text}{end}{more}{ending}")
}

/// Is this the line of `fstab` that sets up swap on this name? Escapes in names can be written in
/// several ways.
pub(super) fn is_swap(text: &str, number: u32, what: &Name) -> bool {
    let place = usize::try_from(number).unwrap_or(0).checked_sub(1);
    let line = place.and_then(|place| text.split('\n').nth(place)).unwrap_or_default();
    let fields = line.trim_end_matches('\r').split([' ', '\t']);
    let mut fields = fields.filter(|field| !field.is_empty());
    let named = fields.next().is_some_and(|first| {
        first == fstab_field(&bytes_to_text(what.as_bytes())) || first.contains('\\')
    });
    named && fields.nth(1) == Some("swap")
}

/// Removes a line.
pub(super) fn without_line(text: &str, number: u32) -> String {
    edit_line(text, number, |_| None)
}

/// Changes the argument of a `tmpfiles.d` line, which is everything after its six fields.
pub(super) fn with_argument(text: &str, number: u32, value: &str) -> String {
    edit_line(text, number, |line| {
        let before = nth_field(line, 6).and_then(|field| line.get(..field.start));
        Some(before.map_or_else(|| line.to_owned(), |before| format!("{before}{value}")))
    })
}

/// Changes the value after the first sign of this line.
pub(super) fn with_value(text: &str, number: u32, sign: char, value: &str) -> String {
    edit_line(text, number, |line| {
        let (key, old) = line.split_once(sign)?;
        let space = old.len() - old.trim_start().len();
        let space = old.get(..space).unwrap_or_default();
        Some(format!("{key}{sign}{space}{value}"))
    })
}

/// Changes the options of a line of `fstab`.
pub(super) fn with_options(
    text: &str,
    number: u32,
    change: impl Fn(Vec<String>) -> Vec<String>,
) -> String {
    edit_line(text, number, |line| {
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

/// The position of a field in a line, from 0.
fn nth_field(line: &str, wanted: usize) -> Option<std::ops::Range<usize>> {
    let mut fields = line.split([' ', '\t']).filter(|field| !field.is_empty());
    let field = fields.nth(wanted)?;
    let start = field.as_ptr() as usize - line.as_ptr() as usize;
    Some(start..start + field.len())
}

/// The options of an area that is enabled at boot.
pub(super) fn options_on(wish: &BootArea, mut options: Vec<String>) -> Vec<String> {
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

/// The options of an area that is disabled at boot.
pub(super) fn options_off(mut options: Vec<String>) -> Vec<String> {
    if !options.iter().any(|option| option == "noauto") {
        options.push("noauto".to_owned());
    }
    options
}

/// Escapes a name for a field of `fstab`.
pub(super) fn fstab_field(name: &str) -> String {
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

/// Sets or removes a setting in a section of a file.
pub(super) fn with_setting(text: &str, section: &str, key: &str, value: Option<&str>) -> String {
    let SettingPlaces { mut said, last } = find_places(text, section, key);
    let ending = line_ending(text);
    // The last of several counts: only it stays, on one line.
    let stays = said.last().copied().filter(|_| value.is_some());
    let mut text = text.to_owned();
    if let (Some((number, _)), Some(value)) = (stays, value) {
        text = with_value(&text, number, '=', value);
    }
    said.reverse();
    for (first, end) in said {
        let first =
            if stays.is_some_and(|(number, _)| number == first) { first + 1 } else { first };
        for number in (first..=end).rev() {
            text = without_line(&text, number);
        }
    }
    match (stays, last, value) {
        (Some(_), ..) | (_, _, None) => text,
        (None, Some(last), Some(value)) => {
            edit_line(&text, last, |body| Some(format!("{body}{ending}{key}={value}")))
        }
        (None, None, Some(value)) => {
            let gap = if text.is_empty() { "" } else { ending };
            with_line_added(&text, &format!("{gap}[{section}]{ending}{key}={value}"))
        }
    }
}

/// The positions of a setting in a file with sections.
#[derive(Default)]
struct SettingPlaces {
    /// First and last line of each assignment of the key.
    said: Vec<(u32, u32)>,
    /// Last significant line of the section.
    last: Option<u32>,
}

fn find_places(text: &str, section: &str, key: &str) -> SettingPlaces {
    let mut places = SettingPlaces::default();
    let mut is_key = false;
    let lines = section_lines(text, section).zip(1_u32..);
    for (line, number) in
        lines.filter(|(line, _)| line.is_inside && line.kind != SectionLineKind::Idle)
    {
        places.last = Some(number);
        if line.kind != SectionLineKind::Continued {
            is_key = line.body.split_once('=').is_some_and(|(known, _)| known.trim() == key);
            places.said.extend(is_key.then_some((number, number)));
        } else if is_key && let Some((_, end)) = places.said.last_mut() {
            *end = number;
        }
    }
    places
}

/// The comment in drop-ins that disable a unit. The text also identifies them, so it must not
/// change.
const WHY: &str =
    "# Disabled by swapadm. To enable it again: swapadm on AREA --persist, or remove these lines";
const UNIT: &str = "[Unit]";

/// Is this line empty or a comment?
fn is_idle(body: &str) -> bool {
    body.is_empty() || body.starts_with(['#', ';'])
}

/// A line of a file with sections.
pub(super) struct SectionLine<'t> {
    /// The line with its end.
    pub(super) whole: &'t str,
    /// The line without blanks around it.
    pub(super) body: &'t str,
    pub(super) kind: SectionLineKind,
    /// Is it in the section, or its heading?
    pub(super) is_inside: bool,
}

/// The kind of a line in a file with sections.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SectionLineKind {
    /// Empty or a comment, which may stand between the lines of a value.
    Idle,
    Heading,
    Setting,
    /// A line that continues the value of a setting.
    Continued,
}

/// The lines of a file, of which those of this section are marked.
pub(super) fn section_lines<'t>(
    text: &'t str,
    section: &str,
) -> impl Iterator<Item = SectionLine<'t>> + use<'t> {
    let head = format!("[{section}]");
    let (mut is_inside, mut goes_on) = (false, false);
    text.split_inclusive('\n').map(move |whole| {
        let body = whole.trim();
        let kind = match body {
            _ if is_idle(body) && !(goes_on && body.is_empty()) => SectionLineKind::Idle,
            _ if goes_on => SectionLineKind::Continued,
            _ if body.starts_with('[') => SectionLineKind::Heading,
            _ => SectionLineKind::Setting,
        };
        if kind == SectionLineKind::Heading {
            is_inside = body == head;
        }
        if kind != SectionLineKind::Idle {
            goes_on = body.ends_with('\\');
        }
        SectionLine { whole, body, kind, is_inside }
    })
}

/// Removes all sections of this name. Comments before the next section may belong to that one, and
/// stay.
pub(super) fn without_section(text: &str, section: &str) -> String {
    let (mut kept, mut between) = (String::new(), String::new());
    let mut found = false;
    for line in section_lines(text, section) {
        if line.kind == SectionLineKind::Heading {
            found |= line.is_inside;
            kept.push_str(between.trim_start_matches(['\r', '\n']));
            between.clear();
        }
        match (line.is_inside, line.kind) {
            (false, _) => kept.push_str(line.whole),
            (true, SectionLineKind::Idle) => between.push_str(line.whole),
            (
                true,
                SectionLineKind::Heading | SectionLineKind::Setting | SectionLineKind::Continued,
            ) => between.clear(),
        }
    }
    kept.push_str(between.trim_start_matches(['\r', '\n']));
    if found { without_gap(&kept) } else { text.to_owned() }
}

/// Is there such a section, completely empty, without even a comment?
pub(super) fn is_bare(text: &str, section: &str) -> bool {
    let own = section_lines(text, section).filter(|line| line.is_inside);
    let mut own = own.filter(|line| !line.body.is_empty()).peekable();
    own.peek().is_some() && own.all(|line| line.kind == SectionLineKind::Heading)
}

/// Removes empty lines at the end, which separated two sections.
fn without_gap(text: &str) -> String {
    let body = text.trim_end_matches(['\r', '\n']);
    let end = text.split_at(body.len()).1;
    let end = end.split_inclusive('\n').next().unwrap_or_default();
    if body.is_empty() { String::new() } else { format!("{body}{end}") }
}

/// Adds a section whose condition disables the unit.
pub(super) fn with_never_condition(text: &str) -> String {
    let ending = line_ending(text);
    let gap = if text.is_empty() { "" } else { ending };
    with_line_added(text, &format!("{gap}{UNIT}{ending}{WHY}{ending}{NEVER_STARTED}"))
}

/// Removes what [`with_never_condition`] wrote, and that condition wherever else it stands.
pub(super) fn without_never_condition(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut found = false;
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        if !is_never(line) {
            kept.push(line);
            continue;
        }
        found = true;
        let is_ours = kept.pop_if(|before| before.trim() == WHY).is_some();
        let mut after = lines.clone().filter(|line| !is_never(line)).map(str::trim);
        let next = after.find(|body| !is_idle(body));
        // Nothing before or after them: the section is ours.
        if is_ours && next.is_none_or(|body| body.starts_with('[')) {
            kept.pop_if(|before| before.trim() == UNIT);
        }
    }
    let kept = kept.concat();
    if found { without_gap(kept.trim_start_matches(['\r', '\n'])) } else { kept }
}

fn is_never(line: &str) -> bool {
    let halves = line.split_once('=');
    halves.is_some_and(|(key, value)| format!("{}={}", key.trim(), value.trim()) == NEVER_STARTED)
}

/// Does it reset the conditions of earlier files?
pub(super) fn resets_conditions(text: &str) -> bool {
    text.lines().any(|line| {
        let halves = line.trim().split_once('=');
        halves.is_some_and(|(key, value)| key.starts_with("Condition") && value.trim().is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FSTAB: &str = "# swap\nUUID=x  none\tswap sw,pri=5,nofail 0 0\n/dev/b none swap";

    fn area(priority: Priority, discard: Discard) -> BootArea {
        BootArea { path: "/x".into(), priority: Some(priority), discard: Some(discard) }
    }

    #[test]
    fn only_the_options_of_the_line_change() {
        let on = |number, area: &BootArea| {
            with_options(FSTAB, number, |options| options_on(area, options))
        };
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
        let kept = BootArea { path: "/x".into(), priority: Some(Priority::Set(1)), discard: None };
        let kept = options_on(&kept, vec!["discard=once".to_owned(), "pri=2".to_owned()]);
        assert_eq!(kept, ["discard=once", "pri=1"], "what nobody speaks of stays");
    }

    #[test]
    fn names_survive_fstab_escaping() {
        assert_eq!(fstab_field("/swap file\t\\#"), "/swap\\040file\\011\\134#");
        assert_eq!(fstab_field("#x"), "\\043x");
    }

    #[test]
    fn lines_are_added_changed_and_removed() {
        assert_eq!(with_line_added("", "a"), "a\n");
        assert_eq!(with_line_added("x", "a"), "x\na\n");
        assert_eq!(without_line("a\nb\nc\n", 2), "a\nc\n");
        assert_eq!(with_value("k =  1\nk=2\n", 1, '=', "3"), "k =  3\nk=2\n");
        assert_eq!(
            with_argument("w! /a\t0644 root - 5d 1  2\r\n", 1, "3"),
            "w! /a\t0644 root - 5d 3\r\n"
        );
        assert_eq!(with_argument("# new\n", 1, "3"), "# new\n", "it is another line by now");
    }

    #[test]
    fn settings_are_found_in_their_section() {
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

    #[test]
    fn repeated_setting_is_reduced_to_one_line() {
        let text = "[Swap]\nOptions=a,\\\n# why\n  b\nPriority=1\n[Unit]\nPriority=7\n[Swap]\nOptions=c\\\n\nPriority=2\n";
        let with = |key, value| with_setting(text, "Swap", key, value);
        assert_eq!(
            with("Options", Some("z")),
            "[Swap]\nPriority=1\n[Unit]\nPriority=7\n[Swap]\nOptions=z\nPriority=2\n"
        );
        assert_eq!(
            with("Priority", None),
            text.replace("Priority=1\n", "").replace("Priority=2\n", "")
        );
        assert_eq!(
            with("Priority", Some("9")),
            text.replace("Priority=1\n", "").replace("=2", "=9")
        );
        let open = "[Swap]\nOptions=a,\\\n  b";
        let set = with_setting(open, "Swap", "Priority", Some("1"));
        assert_eq!(set, "[Swap]\nOptions=a,\\\n  b\nPriority=1", "not into the middle of a value");
    }

    #[test]
    fn crlf_line_endings_are_kept() {
        let text = "a none swap sw\r\nb none swap\r\n";
        let off = |number| with_options(text, number, options_off);
        assert_eq!(off(1), text.replace("sw\r", "sw,noauto\r"));
        assert_eq!(off(2), text.replace("b none swap", "b none swap defaults,noauto"));
        assert_eq!(with_line_added(text, "c"), format!("{text}c\r\n"));
        assert_eq!(without_line(text, 1), "b none swap\r\n");
        let settings = "[Swap]\r\nPriority=1\r\n";
        let set = |key, value| with_setting(settings, "Swap", key, Some(value));
        assert_eq!(set("Priority", "2"), settings.replace('1', "2"));
        assert_eq!(set("Options", "x"), format!("{settings}Options=x\r\n"));
        assert_eq!(
            with_setting(settings, "A", "b", Some("c")),
            format!("{settings}\r\n[A]\r\nb=c\r\n")
        );
    }

    #[test]
    fn line_is_identified_by_the_area_it_names() {
        let text = "# /a none swap\n/a none swap sw\r\n/a /a ext4 x\n/b\\040c none swap";
        let is = |number, what: &str| is_swap(text, number, &what.into());
        assert_eq!(
            [1, 2, 3, 4, 5].map(|number| is(number, "/a")),
            [false, true, false, true, false]
        );
        assert!(is(4, "/b c") && !is(2, "/b c") && !is(0, "/a"));
    }

    #[test]
    fn section_is_removed_wherever_it_stands() {
        let first = "# all\n[a]\nx=1\\\n[b]\n# why\n y\n\n";
        let second = "# of b\n[b]\nz=2\n";
        let text = format!("{first}{second}");
        assert_eq!(without_section(&text, "a"), "# all\n# of b\n[b]\nz=2\n");
        assert_eq!(without_section(&text, "b"), format!("{first}# of b\n"));
        assert_eq!(
            without_section(&format!("{second}\n{text}{second}"), "b").matches('z').count(),
            0
        );
        assert_eq!(without_section("[a]\r\nx\r\n\r\n[b]\r\ny\r\n", "b"), "[a]\r\nx\r\n");
        assert_eq!(without_section("[a]\nx\n\n", "a"), "");
        assert_eq!(without_section("[a]\nx\n\n\n", "c"), "[a]\nx\n\n\n", "it has none");
    }

    #[test]
    fn unit_is_disabled_and_enabled_again() {
        let off = with_never_condition("");
        assert_eq!(off, format!("[Unit]\n{WHY}\nConditionPathExists=!/\n"));
        assert_eq!(without_never_condition(&off), "");
        for text in ["[Swap]\nPriority=1\n", "[Swap]\r\nPriority=1\r\n", "[Unit]\nDescription=x\n"]
        {
            assert_eq!(without_never_condition(&with_never_condition(text)), text);
            assert_eq!(without_never_condition(text), text);
        }
        let typed = "[Unit]\nConditionPathExists = !/\nConditionPathExists=!/\nDescription=x\n";
        let given_back = without_never_condition(typed);
        assert_eq!(given_back, "[Unit]\nDescription=x\n");
        let after = without_never_condition(&format!("{off}\n[Swap]\nPriority=2\n"));
        assert_eq!(after, "[Swap]\nPriority=2\n");
        let more = without_never_condition(&format!(
            "{off}# mine\nAfter=x.service\n\n[Swap]\nPriority=2\n"
        ));
        assert_eq!(more, "[Unit]\n# mine\nAfter=x.service\n\n[Swap]\nPriority=2\n");
    }

    #[test]
    fn empty_condition_resets_earlier_ones() {
        assert!(resets_conditions("[Unit]\n ConditionHost = \n"));
        assert!(!resets_conditions("[Unit]\nConditionHost=x\nDescription=\n"));
    }
}

//! Edits of whole sections, and of the condition that disables a unit.

use crate::model::config::NEVER_STARTED;

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
    let ending = super::edit::line_ending(text);
    let gap = if text.is_empty() { "" } else { ending };
    super::edit::with_line_added(text, &format!("{gap}{UNIT}{ending}{WHY}{ending}{NEVER_STARTED}"))
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

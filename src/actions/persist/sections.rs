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

/// Removes all sections of this name. Comments before the next section may belong to that one, and
/// stay.
pub(super) fn without_section(text: &str, section: &str) -> String {
    let head = format!("[{section}]");
    let (mut inside, mut goes_on, mut found) = (false, false, false);
    let (mut kept, mut between) = (String::new(), String::new());
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let idle = is_idle(body) && !(goes_on && body.is_empty());
        if !idle && !goes_on && body.starts_with('[') {
            inside = body == head;
            found |= inside;
            kept.push_str(between.trim_start_matches(['\r', '\n']));
            between.clear();
        }
        match (inside, idle) {
            (false, _) => kept.push_str(line),
            (true, true) => between.push_str(line),
            (true, false) => between.clear(),
        }
        goes_on = if idle { goes_on } else { body.ends_with('\\') };
    }
    kept.push_str(between.trim_start_matches(['\r', '\n']));
    if found { without_gap(&kept) } else { text.to_owned() }
}

/// Is there such a section, completely empty, without even a comment?
pub(super) fn is_bare(text: &str, section: &str) -> bool {
    let head = format!("[{section}]");
    let mut inside = false;
    let mut says = 0_usize;
    for body in text.lines().map(str::trim).filter(|body| !body.is_empty()) {
        if body.starts_with('[') {
            inside = body == head;
        } else if inside {
            says += 1;
        }
    }
    says == 0 && without_section(text, section) != text
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

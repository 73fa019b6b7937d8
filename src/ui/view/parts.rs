//! Words beside each other that leave each other room: some go whole before any is cut.

use super::width;
use crate::ui::hit::Target;
use crate::ui::theme::Role;

/// Words of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The words.
    pub(super) words: String,
    /// What they mean.
    pub(super) role: Role,
    /// How soon they go when the line is narrow: highest first; 0 never goes.
    pub(super) drop: u8,
    /// What a click on them does.
    pub(super) target: Option<Target>,
}

impl Part {
    pub(super) fn new(words: impl Into<String>, role: Role) -> Self {
        Self { words: words.into(), role, drop: 0, target: None }
    }

    /// They go when the line is narrow.
    pub(super) fn drops(self, drop: u8) -> Self {
        Self { drop, ..self }
    }

    /// A click on them does something.
    pub(super) fn leads_to(self, target: Target) -> Self {
        Self { target: Some(target), ..self }
    }
}

/// Is there room at least for those that never go?
pub(super) fn fit(parts: &[Part], gap: u16, cells: u16) -> bool {
    let stays: Vec<Part> = parts.iter().filter(|part| part.drop == 0).cloned().collect();
    needed(&stays, gap) <= cells
}

/// The parts that fit into so many cells, with so many of those between each two.
pub(super) fn fitting(mut parts: Vec<Part>, gap: u16, cells: u16) -> Vec<Part> {
    parts.retain(|part| !part.words.is_empty());
    while needed(&parts, gap) > cells {
        let Some(drop) = parts.iter().map(|part| part.drop).max().filter(|drop| *drop > 0) else {
            break;
        };
        parts.retain(|part| part.drop != drop);
    }
    parts
}

fn needed(parts: &[Part], gap: u16) -> u16 {
    let each = parts.iter().map(|part| width(&part.words).saturating_add(gap));
    each.fold(0, u16::saturating_add).saturating_sub(gap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_least_goes_first_and_what_always_matters_stays() {
        let parts = || {
            let part = |words: &str, drop| Part::new(words, Role::Text).drops(drop);
            vec![part("name", 2), part("", 0), part("HELD", 0), part("for long", 1)]
        };
        let shown = |cells| {
            let parts = fitting(parts(), 2, cells).into_iter().map(|part| part.words);
            parts.collect::<Vec<_>>().join("  ")
        };
        assert_eq!(shown(20), "name  HELD  for long");
        assert_eq!(shown(19), "HELD  for long");
        assert_eq!(shown(14), "HELD  for long");
        assert_eq!(shown(13), "HELD");
        assert_eq!(shown(1), "HELD");
    }
}

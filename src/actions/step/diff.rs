//! Line-by-line differences between two texts.

use super::Step;
use crate::model::Name;

impl Step {
    /// Does the step remove this line, counted from 1, from a file without replacing it?
    pub fn removes_line(&self, file: &Name, line: u32) -> bool {
        let Self::Save { path, from: Some(from), to } = self else { return false };
        let changes = lines(from, to.as_deref().unwrap_or_default());
        let goes = |change: &LineChange<'_>| match change {
            LineChange::Less(number, _) => u32::try_from(*number) == Ok(line),
            LineChange::More(..) => false,
        };
        let comes = changes.iter().any(|change| matches!(change, LineChange::More(..)));
        path == file && !comes && changes.iter().any(goes)
    }
}

/// A line that differs. The number is its position in the old text, from 1, or that of the last old
/// line before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineChange<'t> {
    /// Removed line.
    Less(usize, &'t str),
    /// Added line.
    More(usize, &'t str),
}

/// Texts with more lines than this are shown as completely replaced.
const MOST: usize = 2000;

/// The lines that differ, in order; removed lines come before added ones.
pub(super) fn lines<'t>(from: &'t str, to: &'t str) -> Vec<LineChange<'t>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (split(from), split(to));
    let same = if old.len().max(new.len()) > MOST { Vec::new() } else { common(&old, &new) };
    let mut changes = Vec::new();
    let (mut a, mut b) = (0, 0);
    // After the last common line comes the rest of both texts.
    for (next_a, next_b) in same.into_iter().chain([(old.len(), new.len())]) {
        let gone = old.iter().enumerate().take(next_a).skip(a);
        changes.extend(gone.map(|(place, line)| LineChange::Less(place + 1, line)));
        let come = new.iter().take(next_b).skip(b);
        changes.extend(come.map(|line| LineChange::More(next_a, line)));
        (a, b) = (next_a + 1, next_b + 1);
    }
    changes
}

/// The lines of a text without their line feeds; a carriage return stays.
pub(super) fn split(text: &str) -> Vec<&str> {
    text.split_terminator('\n').collect()
}

/// The positions of a longest common subsequence of lines.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    // Length of the longest common subsequence from these positions on; 0 beyond the end.
    let mut longest = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    let at = |longest: &[Vec<usize>], a: usize, b: usize| {
        longest.get(a).and_then(|row| row.get(b)).copied().unwrap_or(0)
    };
    for (a, left) in old.iter().enumerate().rev() {
        for (b, right) in new.iter().enumerate().rev() {
            let length = if left == right {
                at(&longest, a + 1, b + 1) + 1
            } else {
                at(&longest, a + 1, b).max(at(&longest, a, b + 1))
            };
            if let Some(cell) = longest.get_mut(a).and_then(|row| row.get_mut(b)) {
                *cell = length;
            }
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while let (Some(left), Some(right)) = (old.get(a), new.get(b)) {
        if left == right {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if at(&longest, a + 1, b) >= at(&longest, a, b + 1) {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use LineChange::{Less, More};

    #[test]
    fn diff_lists_only_changed_lines() {
        assert_eq!(lines("a\nb\nc\n", "a\nb\nc\n"), []);
        assert_eq!(lines("a\nb\nc\n", "a\nx\nc\n"), [Less(2, "b"), More(2, "x")]);
        assert_eq!(lines("", "a\nb\n"), [More(0, "a"), More(0, "b")]);
        assert_eq!(lines("a\nb\n", "b\n"), [Less(1, "a")]);
        assert_eq!(lines("a\nb\n", "a\nb\nc\n"), [More(2, "c")]);
        assert_eq!(lines("a\nb\nc\nd\n", "x\nb\nc\ny\n").len(), 4);
    }
}

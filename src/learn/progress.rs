//! Progress in lessons, as kept in a file: a line for each lesson.

use std::collections::BTreeMap;

/// The largest file that is read.
pub const MAX_BYTES: usize = 64 * 1024;

/// Progress in a lesson.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LessonProgress {
    /// Steps that were finished.
    pub done: usize,
    /// Predictions that were right.
    pub right: usize,
}

/// Progress in all lessons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnProgress(BTreeMap<String, LessonProgress>);

impl LearnProgress {
    /// Reads lines `NAME DONE RIGHT`; others are ignored.
    pub fn parse(text: &str) -> Self {
        let line = |line: &str| {
            let mut words = line.split_whitespace();
            let name = words.next()?.to_owned();
            let done = words.next()?.parse().ok()?;
            let right = words.next()?.parse().ok()?;
            Some((name, LessonProgress { done, right }))
        };
        Self(text.lines().filter_map(line).collect())
    }

    /// The lines of the file.
    pub fn to_text(&self) -> String {
        let line =
            |(name, it): (&String, &LessonProgress)| format!("{name} {} {}\n", it.done, it.right);
        self.0.iter().map(line).collect()
    }

    /// Progress in a lesson.
    pub fn get(&self, name: &str) -> LessonProgress {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// Keeps the farthest progress. Returns whether it changed.
    pub fn keep(&mut self, name: &str, (done, right): (usize, usize)) -> bool {
        let before = self.get(name);
        let now = LessonProgress { done: done.max(before.done), right: right.max(before.right) };
        let is_new = now != before && !name.contains(char::is_whitespace);
        if is_new {
            self.0.insert(name.to_owned(), now);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_progress_is_kept() {
        let mut progress = LearnProgress::parse("a 3 2\nbroken\nb x 1\n");
        assert_eq!(progress.get("a"), LessonProgress { done: 3, right: 2 });
        assert!(!progress.keep("a", (1, 1)));
        assert!(progress.keep("b", (2, 0)));
        assert_eq!(progress.to_text(), "a 3 2\nb 2 0\n");
    }
}

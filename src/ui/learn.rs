//! Lessons in the interface: progress, and the lines of the one that is played.

use super::content::{PaneLine, wrapped};
use super::theme::Role;
use crate::learn::player::{LineKind, Player};
use crate::learn::progress::LearnProgress;
use crate::model::Stamp;

/// The pane of the list.
pub const LESSONS: &str = "lessons";

/// Lessons, and the one that is played.
#[derive(Debug, Default)]
pub struct LearnState {
    /// Progress in all lessons.
    pub progress: LearnProgress,
    /// The selected lesson.
    pub selected: usize,
    /// The lesson that is played.
    pub player: Option<Box<Player>>,
    /// Whether the lesson is shown to a class: it has more room then, and no progress is kept.
    pub present: bool,
    /// Whether the interface was opened for one lesson, and closes with it.
    pub is_only: bool,
    /// The seed of lessons.
    pub seed: Option<u64>,
    /// The time at which a lesson that plays by itself goes on.
    pub due: Option<Stamp>,
    /// The sentence of a demonstration: what to look at.
    pub sentence: Option<&'static str>,
}

impl LearnState {
    /// The lessons with this progress.
    pub fn new(progress: LearnProgress) -> Self {
        Self { progress, ..Self::default() }
    }

    /// The index of the selected line in the list.
    pub fn row(&self, pane: &str) -> Option<usize> {
        (pane == LESSONS).then_some(self.selected)
    }

    /// The title of the lesson, and its step.
    pub fn title(&self) -> Option<(String, String)> {
        let player = self.player.as_ref()?;
        let (number, count) = player.progress();
        Some((player.lesson.title.clone(), format!("step {number} of {count}")))
    }

    /// The lines of the lesson for this width.
    pub fn lines(&self, width: usize) -> Vec<PaneLine> {
        let lines = self.player.as_ref().map(|player| player.lines()).unwrap_or_default();
        let shown = lines.into_iter().enumerate().flat_map(|(place, (kind, words))| {
            let gap = self.present && place > 0 && kind != LineKind::Answer;
            let paragraphs = words.split('\n').flat_map(|words| wrapped(words, width, role(kind)));
            gap.then(PaneLine::new).into_iter().chain(paragraphs).collect::<Vec<_>>()
        });
        shown.collect()
    }
}

/// Time to read a letter, and to look at the machine, in nanoseconds.
const READING: (u64, u64) = (50_000_000, 3_000_000_000);

/// The time until which the lines of a lesson can be read.
pub fn reading_end(player: &Player, now: Stamp) -> Stamp {
    let letters: usize = player.lines().iter().map(|(_, words)| words.chars().count()).sum();
    let nanos = letters as u64 * READING.0 + READING.1;
    Stamp { boot_ns: now.boot_ns.saturating_add(nanos), ..now }
}

fn role(kind: LineKind) -> Role {
    match kind {
        LineKind::Text | LineKind::Answer => Role::Text,
        LineKind::Question | LineKind::Command | LineKind::Event => Role::Accent,
        LineKind::Hint | LineKind::Figure => Role::Label,
        LineKind::Right => Role::Ok,
        LineKind::Wrong | LineKind::Finding => Role::Warn,
    }
}

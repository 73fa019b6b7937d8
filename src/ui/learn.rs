//! Lessons: the list, and the lesson that is played beside the screens of its simulated machine.

use super::app::{App, SourceKind, Time};
use super::content::{PaneLine, wrapped};
use super::events::Events;
use super::history::{Bounds, History};
use super::layout::ScreenLayout;
use super::pane::ScreenState;
use super::recent_findings::RecentFindings;
use super::screens::SCREENS;
use super::theme::Role;
use crate::learn::builtin_lessons;
use crate::learn::file::LessonStep;
use crate::learn::player::{LineKind, Phase, Player};
use crate::learn::progress::LearnProgress;
use crate::model::Snapshot;
use ratatui::layout::{Rect, Size};
use std::mem::swap;

/// The pane of the list.
pub const LESSONS: &str = "lessons";
/// Width from which a lesson is beside a screen, and not below it.
const WIDE: u16 = 116;
/// Width of a screen beside a lesson.
const SCREEN_WIDTH: u16 = 80;
/// Height of a screen above a lesson.
const SCREEN_HEIGHT: u16 = 16;
/// Largest height of a lesson below a screen, except for a class.
const LESSON_HEIGHT: u16 = 12;
/// Height of a lesson on a small terminal, and the least height of that terminal.
const SMALL: (u16, u16) = (6, 14);

/// Lessons, and the one that is played.
#[derive(Debug, Default)]
pub struct LearnState {
    /// Progress in all lessons.
    pub progress: LearnProgress,
    /// The selected lesson.
    pub selected: usize,
    /// The lesson that is played.
    pub player: Option<Box<Player>>,
    /// Whether it is presented to a class: larger, and without progress.
    pub present: bool,
    /// Whether the interface was opened for one lesson, and closes with it.
    pub is_only: bool,
    /// The seed of lessons.
    pub seed: Option<u64>,
    /// What to look at in a demonstration.
    pub sentence: Option<&'static str>,
    /// The state of the other source while a lesson is played.
    outside: Option<Box<SourceState>>,
}

/// The part of the interface that belongs to a source of samples.
#[derive(Debug)]
struct SourceState {
    kind: SourceKind,
    source: String,
    history: History,
    events: Events,
    recent: RecentFindings,
    time: Time,
    ended: bool,
    screens: Vec<ScreenState>,
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

    /// The keys that have a meaning in the lesson now.
    pub fn keys(&self) -> Option<String> {
        let player = self.player.as_ref()?;
        let leave = if self.is_only { "q quit" } else { "q leave" };
        Some(match player.phase {
            Phase::Before if player.is_asking() => {
                let letters = player.step().map(LessonStep::letters).unwrap_or_default();
                format!("{letters} predict   ? hint   = answer   Backspace back   {leave}")
            }
            Phase::Before => format!("Space run   Backspace back   {leave}"),
            Phase::Shown { .. } => format!("Space next   r run on   b back   {leave}"),
            Phase::Finished => format!("Space close   b back   {leave}"),
        })
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

fn role(kind: LineKind) -> Role {
    match kind {
        LineKind::Text | LineKind::Answer => Role::Text,
        LineKind::Question | LineKind::Command => Role::Accent,
        LineKind::Hint | LineKind::Figure => Role::Label,
        LineKind::Right => Role::Ok,
        LineKind::Wrong => Role::Warn,
    }
}

impl App {
    /// Is the list of lessons on screen?
    pub fn shows_learn(&self) -> bool {
        self.shown().id == super::screens::learn::SCREEN.id
    }

    /// The size of the screen beside a lesson, or that of the terminal.
    pub fn body_size(&self) -> Size {
        let Size { width, height } = self.size;
        if self.learn.player.is_none() || self.shows_learn() {
            return self.size;
        }
        if width >= WIDE && height >= SMALL.1 {
            let beside = if self.learn.present { width / 2 } else { SCREEN_WIDTH };
            return Size::new(beside.max(width.saturating_sub(60)), height);
        }
        let taken = match height {
            _ if width < 30 || height < SMALL.1 => 0,
            height if height < SCREEN_HEIGHT + SMALL.0 => SMALL.0,
            height if self.learn.present => height / 2,
            height => (height - SCREEN_HEIGHT).min(LESSON_HEIGHT),
        };
        Size::new(width, height - taken)
    }

    /// Gives the room beside or below the screen to the lesson.
    pub(super) fn place_lesson(&self, layout: &mut ScreenLayout) {
        let (all, body) = (self.size, self.body_size());
        if layout.foot.height == 0 || all == body {
            return;
        }
        let last = all.height.saturating_sub(1);
        layout.lesson = if all.width > body.width {
            Rect::new(body.width, 0, all.width - body.width, last)
        } else {
            let top = layout.foot.y;
            Rect::new(0, top, all.width, last.saturating_sub(top))
        };
        layout.foot = Rect::new(0, last, all.width, 1);
    }

    /// Begins a lesson: its machine takes the place of the source until the lesson ends.
    pub(super) fn begin_lesson(&mut self, player: Player) {
        self.end_lesson();
        let screens = SCREENS.iter().map(|screen| ScreenState::new(screen, &self.settings));
        self.learn.outside = Some(Box::new(SourceState {
            kind: SourceKind::Simulated,
            source: player.lesson.name.clone(),
            history: History::new(Bounds::LIVE),
            events: Events::default(),
            recent: RecentFindings::default(),
            time: Time::Newest,
            ended: false,
            screens: screens.collect(),
        }));
        self.swap_source();
        self.history.push(player.sample());
        self.learn.player = Some(Box::new(player));
        self.show_step();
    }

    /// Ends the lesson: the source from before is shown again.
    pub(super) fn end_lesson(&mut self) {
        self.swap_source();
        self.learn.outside = None;
        self.learn.player = None;
    }

    /// Exchanges the state of the lesson with that of the other source. False if no lesson is played.
    pub(super) fn swap_source(&mut self) -> bool {
        let Some(other) = self.learn.outside.as_deref_mut() else { return false };
        swap(&mut self.kind, &mut other.kind);
        swap(&mut self.source, &mut other.source);
        swap(&mut self.history, &mut other.history);
        swap(&mut self.events, &mut other.events);
        swap(&mut self.recent, &mut other.recent);
        swap(&mut self.time, &mut other.time);
        swap(&mut self.ended, &mut other.ended);
        swap(&mut self.screens, &mut other.screens);
        true
    }

    /// Replaces the past of the machine of a lesson, which started again.
    pub(super) fn forget_history(&mut self) {
        self.history = History::new(Bounds::LIVE);
        (self.events, self.recent) = (Events::default(), RecentFindings::default());
        self.screens =
            SCREENS.iter().map(|screen| ScreenState::new(screen, &self.settings)).collect();
    }

    /// Takes samples of the machine of a lesson.
    pub(super) fn take_lesson_samples(&mut self, samples: Vec<Snapshot>) {
        for sample in samples {
            if let Some(last) = self.history.newest() {
                self.events.notice(&last.now, &sample);
            }
            self.history.push(sample);
        }
        self.time = Time::Newest;
    }

    /// Opens the screen that the current step is about.
    pub(super) fn show_step(&mut self) {
        let shown = self.learn.player.as_ref().and_then(|player| Some(player.step()?.show));
        let place = SCREENS.iter().position(|screen| Some(screen.id) == shown);
        self.screen = place.unwrap_or(self.screen);
    }

    /// Selects the first lesson that is not finished.
    pub(super) fn select_next_lesson(&mut self) {
        let is_open = |lesson: &std::sync::Arc<crate::learn::file::Lesson>| {
            self.learn.progress.get(&lesson.name).done < lesson.steps.len()
        };
        let next = builtin_lessons().iter().position(is_open);
        self.learn.selected = next.unwrap_or(self.learn.selected);
    }
}

//! The lesson that is played beside the screens of its simulated machine, which takes the place of the source.

use super::app::{App, SourceKind, SourceState, Time};
use super::layout::ScreenLayout;
use super::screens::{PAGES, SCREENS};
use crate::learn::builtin_lessons;
use crate::learn::figure::StepRecord;
use crate::learn::file::Lesson;
use crate::learn::player::Player;
use crate::model::Snapshot;
use ratatui::layout::{Rect, Size};
use std::mem::swap;
use std::sync::Arc;

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
            let width = all.width - body.width;
            let panes = layout.panes.iter_mut().map(|(_, area)| area);
            let lines = [&mut layout.head, &mut layout.answer, &mut layout.job];
            panes.chain(lines).for_each(|area| area.x += width);
            Rect::new(0, 0, width, last)
        } else {
            let top = layout.foot.y;
            Rect::new(0, top, all.width, last.saturating_sub(top))
        };
        layout.foot = Rect::new(0, last, all.width, 1);
    }

    /// Begins a lesson: its machine takes the place of the source until the lesson ends.
    pub(super) fn begin_lesson(&mut self, player: Player) {
        self.end_lesson();
        let name = player.lesson.name.clone();
        let source = SourceState::new(SourceKind::Simulated, name, &self.settings);
        self.outside = Some(Box::new(source));
        self.swap_source();
        self.leave_pages();
        // A plan for the machine outside would come up over that of the lesson.
        self.change.awaited = false;
        self.take_lesson_samples(player.record().map(StepRecord::samples).unwrap_or_default());
        self.learn.player = Some(Box::new(player));
        self.show_step();
    }

    /// Ends the lesson: the source from before is shown again.
    pub(super) fn end_lesson(&mut self) {
        if self.swap_source() {
            self.leave_pages();
        }
        self.outside = None;
        self.learn.player = None;
    }

    /// Exchanges the state of the lesson with that of the other source. False if no lesson is played.
    pub(super) fn swap_source(&mut self) -> bool {
        let Some(other) = self.outside.as_deref_mut() else { return false };
        swap(&mut self.source, other);
        true
    }

    /// Leaves the pages of processes and cgroups, which belong to one machine.
    fn leave_pages(&mut self) {
        let first = self.trail.first().map(|(screen, _)| *screen);
        self.screen = first.unwrap_or(self.screen);
        self.trail.clear();
        self.subject = None;
    }

    /// Replaces the past of the machine of a lesson, which started again.
    pub(super) fn forget_history(&mut self) {
        let SourceState { kind, name, .. } = &self.source;
        self.source = SourceState::new(*kind, name.clone(), &self.settings);
        self.leave_pages();
    }

    /// Takes samples of the machine of a lesson.
    pub(super) fn take_lesson_samples(&mut self, samples: Vec<Snapshot>) {
        for sample in samples {
            if let Some(last) = self.source.history.newest() {
                self.source.events.notice(&last.now, &sample);
            }
            self.source.history.push(sample);
        }
        self.source.time = Time::Newest;
    }

    /// Opens the screen that the current step is about.
    pub(super) fn show_step(&mut self) {
        let shown = self.learn.player.as_ref().and_then(|player| Some(player.step()?.show));
        if let Some(shown) = shown {
            self.open_screen(shown);
        }
    }

    /// Opens the screen or page of this name.
    pub(super) fn open_screen(&mut self, id: &str) {
        let place = SCREENS.iter().chain(PAGES).position(|screen| screen.id == id);
        self.screen = place.unwrap_or(self.screen);
    }

    /// Selects the first lesson that is not finished.
    pub(super) fn select_next_lesson(&mut self) {
        let is_open =
            |lesson: &Arc<Lesson>| self.learn.progress.get(&lesson.name).done < lesson.steps.len();
        let next = builtin_lessons().iter().position(is_open);
        self.learn.selected = next.unwrap_or(self.learn.selected);
    }
}

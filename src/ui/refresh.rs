//! Refreshing the visible panes: their layout and contents after each change of the state.

use super::app::{App, Time};
use super::content::{PaneLine, Piece};
use super::events::EventKind;
use super::history::HistoryEntry;
use super::layout::{self, Class, ScreenLayout};
use super::overlay::Overlay;
use super::pane::{PaneState, ScreenState, Selected};
use super::pane_data::{Facts, PaneData};

use crate::columns::tables::findings;
use crate::columns::{Query, Rows};
use crate::model::Reading;
use crate::model::subject::DetailTarget;

impl App {
    /// Updates the layout and contents of all visible panes. To be called after every change.
    pub fn refresh(&mut self) {
        let screen = self.shown();
        let Some(mut state) = self.source.screens.get_mut(self.screen).map(std::mem::take) else {
            return;
        };
        let (size, busy) = (self.body_size(), self.is_busy());
        let is_framed = layout::class(size) >= Class::Normal;
        let visible = layout::visible(size, screen, state.focus);
        if state.has_query_for(findings::SPEC.name, &visible) {
            self.judge();
        }
        let number = self.moment_number();
        let shown = number.and_then(|number| Some((self.source.history.get(number)?, number)));
        for overlay in &mut self.overlays {
            if let Overlay::Chart(view) = overlay {
                view.follow(&self.source.history);
            } else if let (Overlay::Page(page), Some((moment, number))) = (overlay, shown) {
                page.follow(moment, number);
            }
        }
        if let Some((moment, number)) = self.moment().zip(self.moment_number()) {
            let title = PaneData::collect(&self.title_queries, |query| self.rows(query));
            // Tables come first: facts depend on the selected rows.
            state.read_tables(moment, number, &visible);
            // The width of a pane does not depend on its contents.
            let plan = layout::compute(size, screen, &[], state.focus, busy);
            state.read(self, &plan, false);
            if !is_framed {
                // One that has little to fill the height with leaves room for those behind it.
                state.read(self, &plan, true);
            }
            self.title = title;
        }
        let mut layout = layout::compute(size, screen, &state.lines(is_framed), state.focus, busy);
        self.place_lesson(&mut layout);
        // A pane that has no room any more keeps no keys.
        let is_shown = layout.panes.iter().any(|(pane, _)| *pane == state.focus);
        if let Some((first, _)) = layout.panes.first().filter(|_| layout.framed && !is_shown) {
            state.focus = *first;
        }
        self.layout = layout;
        // Filling panes need to know their height.
        state.read(self, &self.layout, true);
        state.fit(&self.layout);
        if let Some(place) = self.source.screens.get_mut(self.screen) {
            *place = state;
        }
        self.wants = self.needs();
    }

    /// Judges the sample on screen and those shortly before it.
    pub(super) fn judge(&mut self) {
        if let Some(number) = self.moment_number() {
            let new = self.source.recent.judge(&self.source.history, number, &self.settings.policy);
            for (stamp, summary) in new {
                self.source.events.add(stamp, EventKind::Finding, summary);
            }
        }
    }

    /// The answer of a table for the sample on screen; for findings, all recent ones.
    pub fn rows(&self, query: &Query) -> Reading<Rows> {
        if query.spec.name == findings::SPEC.name {
            return self.source.recent.rows(query, &self.source.history);
        }
        let ask =
            |moment: &HistoryEntry| query.rows_with_policy(&moment.view(), &self.settings.policy);
        self.moment().map_or_else(Reading::not_sampled, ask)
    }
}

impl ScreenState {
    /// Makes the lines of visible facts: either of panes that fill the remaining height, or of all others.
    fn read(&mut self, app: &App, plan: &ScreenLayout, filling: bool) {
        let selected = self.selected();
        for (place, area) in &plan.panes {
            let pane = self.panes.get_mut(*place);
            if let Some(pane) = pane.filter(|pane| pane.info.fills == filling) {
                let lines = layout::lines(*area, plan.framed);
                let size = (usize::from(lines.width), usize::from(lines.height));
                let shown = Shown { size, focused: self.focus == *place, alone: !plan.framed };
                pane.read_facts(app, selected.as_ref(), shown);
            }
        }
        if let Some(answer) = self.answer.as_mut().filter(|_| filling) {
            let size = (usize::from(plan.answer.width.saturating_sub(2)), 1);
            answer.read_facts(app, selected.as_ref(), Shown { size, focused: false, alone: true });
        }
    }
}

/// How a pane is shown.
#[derive(Clone, Copy)]
struct Shown {
    /// Width and number of its lines.
    size: (usize, usize),
    focused: bool,
    alone: bool,
}

impl PaneState {
    fn read_facts(&mut self, app: &App, selected: Option<&Selected>, shown: Shown) {
        let Shown { size: (width, height), focused, alone } = shown;
        let Some(lines) = self.info.lines else { return };
        let (Some(moment), Some(number)) = (app.moment(), app.moment_number()) else { return };
        let answers = match selected.filter(|_| self.queries.is_empty()) {
            Some(selected) => PaneData::one_row(&selected.whole, selected.origin, moment),
            None => {
                PaneData::collect(self.queries.iter().chain(&self.aside), |query| app.rows(query))
            }
        };
        let trends = PaneData::trends(&self.trends, &app.source.history, number);
        // The page of a process or cgroup is about it, whatever is selected.
        let page = app.subject.as_ref().map(DetailTarget::row);
        let selected_row = selected.and_then(|selected| selected.row.as_deref());
        let selected_in = selected.map(|selected| selected.whole.spec.name);
        let facts = Facts {
            answers: &answers,
            trends: &trends,
            history: &app.source.history,
            events: &app.source.events,
            moment: number,
            interval: app.step(number),
            policy: &app.settings.policy,
            selected: page.as_ref().map(|(_, row)| row.as_str()).or(selected_row),
            selected_from: selected.and_then(|selected| selected.origin).filter(|_| page.is_none()),
            selected_in: page.as_ref().map(|(table, _)| *table).or(selected_in),
            width,
            height,
            live: app.is_live() && app.source.time == Time::Newest,
            focused,
            alone,
            map: &app.map,
            lab: &app.lab,
            learn: &app.learn,
            job: app.change.job.as_ref(),
        };
        self.show(lines(&facts), focused);
        let has_figures = self.lines.iter().any(|line| line.figures().next().is_some());
        self.cursor = if self.info.fills && !has_figures && !app.shows_lab() {
            // The map has its own cursor, which is always visible.
            Some(0)
        } else {
            let row = app.lab.row(self.info.id).filter(|_| app.shows_lab());
            row.or_else(|| app.learn.row(self.info.id))
        };
    }

    /// Replaces the lines. The selection follows its figure when lines come and go.
    fn show(&mut self, lines: Vec<PaneLine>, focused: bool) {
        let selected = self.origin().filter(|_| focused && self.sheets.is_empty());
        self.lines = lines;
        // A pane for which the new lines of others leave no room is not fitted, but still has to select one of
        // its figures.
        let is_it = |figure: &&Piece| {
            figure
                .origin()
                .zip(selected.as_ref())
                .is_some_and(|(own, other)| own.is_same_place(other))
        };
        let figures = self.figures();
        let last = figures.len().saturating_sub(1);
        self.figure = figures.iter().position(is_it).unwrap_or_else(|| self.figure.min(last));
    }
}

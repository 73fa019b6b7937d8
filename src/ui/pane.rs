//! Screens and panes with what was done in them, and what they show now.

use super::content::{PaneLine, Origin, Piece};
use super::history::HistoryEntry;
use super::layout::{self, ScreenLayout};
use super::screen::{Body, Pane, PaneQueries, Screen};
use super::settings::Settings;
use super::table_state::TableState;
use super::table_query::{self, TableQuery};
use crate::columns::Query;
use crate::model::PartSet;
use crate::sampler::WantedParts;

/// A screen with what was done in it.
#[derive(Debug, Default)]
pub struct ScreenState {
    /// The pane that keys go to.
    pub focus: usize,
    /// Its panes.
    pub panes: Vec<PaneState>,
}

/// What details are about.
pub(super) struct Selected {
    /// The question about all rows of the table.
    pub(super) whole: Query,
    /// The row; none in an empty table.
    pub(super) row: Option<String>,
    /// Where it stands in the table as it is by itself.
    pub(super) origin: Option<usize>,
}

/// A pane with what was done in it.
#[derive(Debug)]
pub struct PaneState {
    /// What it is whatever it shows.
    pub info: &'static Pane,
    /// Its tables, if it has any.
    pub sheets: Vec<TableState>,
    /// The one that is shown.
    pub sheet: usize,
    /// The figure that keys act on, if it shows facts.
    pub figure: usize,
    /// The first line of the facts that is shown.
    pub top: usize,
    /// The line of the facts that stays in sight, where keys act on lines.
    pub(super) cursor: Option<usize>,
    /// The facts.
    pub lines: Vec<PaneLine>,
    pub(super) queries: Vec<Query>,
    /// Those whose answers may be older.
    pub(super) aside: Vec<Query>,
    /// Those about the last half minute.
    pub(super) trends: Vec<Query>,
    /// The lines that the pane has room for.
    height: usize,
    /// Is it a text that keys scroll? All its lines can be read then, and none is left out.
    pub scrolls: bool,
}

/// Where a movement goes.
#[derive(Clone, Copy)]
pub(super) enum Movement {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Top,
    Bottom,
}

/// The next of so many, the first after the last.
pub(super) fn cycle_index(now: usize, by: isize, count: usize) -> usize {
    let count = count.max(1);
    if by < 0 { (now + count - 1) % count } else { (now + 1) % count }
}

impl ScreenState {
    /// A screen in which nothing was done yet.
    pub fn new(screen: &'static Screen, settings: &Settings) -> Self {
        let panes = screen.panes.iter().map(|pane| PaneState::new(pane, settings));
        Self { focus: 0, panes: panes.collect() }
    }

    /// Read the tables that are visible, and the first one, which facts may be about.
    pub fn read_tables(&mut self, moment: &HistoryEntry, number: u64, visible: &[usize]) {
        let first = self.panes.iter().position(|pane| !pane.sheets.is_empty());
        for (place, pane) in self.panes.iter_mut().enumerate() {
            let wanted = visible.contains(&place) || first == Some(place);
            if let Some(sheet) = pane.sheets.get_mut(pane.sheet).filter(|_| wanted) {
                sheet.read(moment, number);
            }
        }
    }

    /// Does a pane that is visible ask this table?
    pub fn has_query_for(&self, table: &str, visible: &[usize]) -> bool {
        let panes = visible.iter().filter_map(|place| self.panes.get(*place));
        panes
            .flat_map(|pane| pane.queries.iter().chain(&pane.aside))
            .any(|it| it.spec.name == table)
    }

    /// The row that is selected in the first table.
    pub(super) fn selected(&self) -> Option<Selected> {
        let pane = self.panes.iter().find(|pane| !pane.sheets.is_empty())?;
        let sheet = pane.sheets.get(pane.sheet)?;
        Some(Selected {
            whole: sheet.whole.clone(),
            row: sheet.row_name.clone(),
            origin: sheet.origin_row(),
        })
    }

    /// The parts that have to be sampled for the panes that are visible. One without questions of
    /// its own tells about a row of the first table.
    pub fn needs(&self, visible: impl Iterator<Item = usize>) -> WantedParts {
        let first = self.panes.iter().find(|pane| !pane.sheets.is_empty());
        let of_first = || first.map_or(PartSet::NONE, PaneState::needs);
        let panes = visible.filter_map(|place| self.panes.get(place));
        panes.fold(WantedParts::NOTHING, |sum, pane| {
            let shown = if pane.asks_nothing() { of_first() } else { pane.needs() };
            WantedParts {
                shown: sum.shown.with(shown),
                background: sum.background.with(table_query::needs(&pane.aside)),
            }
        })
    }

    /// How many lines each pane would like.
    pub fn lines(&self) -> Vec<u16> {
        let lines = |pane: &PaneState| u16::try_from(pane.wanted()).unwrap_or(u16::MAX);
        self.panes.iter().map(lines).collect()
    }

    /// Keep what is selected in sight.
    pub fn fit(&mut self, plan: &ScreenLayout) {
        for (place, area) in &plan.panes {
            let inner = layout::inside(*area, plan.framed);
            if let Some(pane) = self.panes.get_mut(*place) {
                let focused = self.focus == *place;
                pane.fit(usize::from(inner.height), usize::from(inner.width), focused);
            }
        }
    }
}

impl PaneState {
    fn new(info: &'static Pane, settings: &Settings) -> Self {
        let sheets: &[_] = if let Body::Tables(sheets) = &info.body { sheets } else { &[] };
        let asked = info.body.questions();
        let queries = |of: fn(PaneQueries) -> &'static [TableQuery]| {
            asked.map(of).into_iter().flatten().filter_map(TableQuery::query).collect()
        };
        Self {
            info,
            sheets: sheets.iter().filter_map(|sheet| TableState::new(sheet, settings)).collect(),
            sheet: 0,
            figure: 0,
            top: 0,
            cursor: None,
            lines: Vec::new(),
            queries: queries(|asked| asked.asks),
            aside: queries(|asked| asked.aside),
            trends: queries(|asked| asked.trends),
            height: 0,
            scrolls: false,
        }
    }

    /// Does it tell about what another pane asks?
    fn asks_nothing(&self) -> bool {
        self.queries.is_empty() && self.sheets.is_empty()
    }

    /// The parts that have to be sampled for it.
    pub fn needs(&self) -> PartSet {
        let sheet = |sheet: &TableState| sheet.query.needs().with(table_query::needs(&sheet.more));
        table_query::needs(&self.queries)
            .with(table_query::needs(&self.trends))
            .with(self.sheets.get(self.sheet).map_or(PartSet::NONE, sheet))
    }

    fn wanted(&self) -> usize {
        match self.sheets.get(self.sheet) {
            // The headings take a line, and so does the word that there is nothing.
            Some(sheet) => sheet.rows().map_or(1, |rows| rows.cells.len().max(1)) + 1,
            None => self.lines.len(),
        }
    }

    fn fit(&mut self, height: usize, width: usize, focused: bool) {
        self.height = height;
        if let Some(sheet) = self.sheets.get_mut(self.sheet) {
            sheet.fit(height.saturating_sub(1), width);
            return;
        }
        let last = self.lines.len().saturating_sub(height);
        self.scrolls = focused && self.is_cut();
        if self.is_list() {
            self.figure = self.figure.min(self.figures().len().saturating_sub(1));
            let line = if focused { self.line_of_figure() } else { 0 };
            let above = (line + 1).saturating_sub(height);
            self.top = if focused { self.top.clamp(above, line.max(above)).min(last) } else { 0 };
            return;
        }
        self.top =
            self.cursor.map_or(if self.scrolls { self.top.min(last) } else { 0 }, |cursor| {
                let above = (cursor + 1).saturating_sub(height);
                self.top.clamp(above, cursor.max(above)).min(last.max(above))
            });
        let shown = self.visible_lines();
        let figures = shown.iter().map(|line| line.figures().count()).sum::<usize>();
        self.figure = self.figure.min(figures.saturating_sub(1));
    }

    /// Is it a list of things that count alike, rather than facts of which the last can be done without?
    /// Keys act on its figures, and those that are out of sight come into it.
    fn is_list(&self) -> bool {
        let counts = |line: &PaneLine| line.drop == 0 && line.figures().count() > 0;
        self.cursor.is_none() && self.sheets.is_empty() && self.lines.iter().all(counts)
    }

    /// The line of the figure that keys act on.
    fn line_of_figure(&self) -> usize {
        let mut seen = 0;
        let is_behind = |line: &PaneLine| {
            seen += line.figures().count();
            seen > self.figure
        };
        self.lines.iter().position(is_behind).unwrap_or(0)
    }

    /// How many figures of a list stand above what is in sight.
    pub fn figures_above(&self) -> usize {
        let above = if self.is_list() { self.top } else { 0 };
        self.lines.iter().take(above).map(|line| line.figures().count()).sum()
    }

    /// Is it a text of which there is no room for all lines? Where keys act on figures or rows, those
    /// lead on.
    pub fn is_cut(&self) -> bool {
        let is_text =
            self.cursor.is_none() && self.lines.iter().all(|line| line.figures().count() == 0);
        is_text && self.sheets.is_empty() && self.lines.len() > self.height
    }

    /// Of a text or a list that is cut: which of its lines are in sight.
    pub fn range(&self) -> Option<String> {
        let (count, seen) = (self.lines.len(), self.visible_lines().len());
        if self.is_list() {
            let range = || format!("{}-{} of {count}", self.top + 1, self.top + seen);
            return (seen < count).then(range);
        }
        let first = if self.scrolls { format!("{}-", self.top + 1) } else { String::new() };
        self.is_cut().then(|| format!("{first}{} of {count}", self.top + seen))
    }

    /// Begin with a line so far above or below.
    pub fn scroll(&mut self, by: isize) {
        let last = self.lines.len().saturating_sub(self.height);
        self.top = self.top.saturating_add_signed(by).min(last);
    }

    /// Lines that a page key goes over: one of the screenful before stays in sight.
    pub fn page(&self) -> isize {
        isize::try_from(self.height).unwrap_or(isize::MAX).saturating_sub(1).max(1)
    }

    /// The lines that there is room for: those that can go first are left out, unless keys scroll.
    pub fn visible_lines(&self) -> Vec<&PaneLine> {
        let mut kept: Vec<&PaneLine> = self.lines.iter().skip(self.top).collect();
        if self.scrolls {
            kept.truncate(self.height);
        }
        while kept.len() > self.height {
            let Some(drop) = kept.iter().map(|line| line.drop).max().filter(|drop| *drop > 0)
            else {
                break;
            };
            // One line at a time, the last of those that go equally soon.
            let Some(place) = kept.iter().rposition(|line| line.drop == drop) else { break };
            kept.remove(place);
        }
        kept.truncate(self.height);
        kept
    }

    /// The figures that keys can act on, in the order of the lines: those in sight, and of a list all.
    pub fn figures(&self) -> Vec<&Piece> {
        if self.is_list() {
            return self.lines.iter().flat_map(PaneLine::figures).collect();
        }
        self.visible_lines().into_iter().flat_map(PaneLine::figures).collect()
    }

    /// Where the figure that keys act on comes from: the selected cell, or the selected figure.
    pub fn origin(&self) -> Option<Origin> {
        match self.sheets.get(self.sheet) {
            Some(sheet) => sheet.origin(),
            None => self.figures().get(self.figure)?.origin().cloned(),
        }
    }
}

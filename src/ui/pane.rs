//! The state of screens and panes, and what they show.

use super::command::UiCommand;
use super::content::{Origin, PaneLine, Piece};
use super::history::HistoryEntry;
use super::layout::{self, ScreenLayout};
use super::screen::{Pane, Screen};
use super::settings::Settings;
use super::table_query::TableQuery;
use super::table_state::TableState;
use crate::columns::{Query, query};
use crate::model::PartSet;
use crate::sampler::WantedParts;

/// The state of a screen.
#[derive(Debug, Default)]
pub struct ScreenState {
    /// The focused pane.
    pub focus: usize,
    /// The answer above the panes.
    pub answer: Option<PaneState>,
    /// The panes.
    pub panes: Vec<PaneState>,
}

/// The row that detail panes are about.
pub(super) struct Selected {
    /// The query for all rows of the table.
    pub(super) whole: Query,
    /// The row; none in an empty table.
    pub(super) row: Option<String>,
    /// The index of the row in the unsorted table.
    pub(super) origin: Option<usize>,
}

/// The state of a pane.
#[derive(Debug)]
pub struct PaneState {
    /// The description of the pane.
    pub info: &'static Pane,
    /// The tables, if it has any.
    pub sheets: Vec<TableState>,
    /// The visible table.
    pub sheet: usize,
    /// The selected figure, if it shows facts.
    pub figure: usize,
    /// The first visible line of the facts.
    pub top: usize,
    /// The selected line of the facts, which stays visible.
    pub(super) cursor: Option<usize>,
    /// The facts.
    pub lines: Vec<PaneLine>,
    pub(super) queries: Vec<Query>,
    /// Queries whose answers may be older.
    pub(super) aside: Vec<Query>,
    /// Queries about the last half minute.
    pub(super) trends: Vec<Query>,
    /// The number of lines that fit.
    height: usize,
    /// Is it a text that keys scroll? Such a text is shown completely, without dropped lines.
    pub scrolls: bool,
}

/// The place to which a key of movement leads in a list or page that ends at `last`; none for other
/// keys. A page key moves by `page` places.
pub(super) fn moved(command: UiCommand, now: usize, last: usize, page: usize) -> Option<usize> {
    let next = match command {
        UiCommand::Up => now.saturating_sub(1),
        UiCommand::Down => now + 1,
        UiCommand::PageUp => now.saturating_sub(page),
        UiCommand::PageDown => now.saturating_add(page),
        UiCommand::Top => 0,
        UiCommand::Bottom => last,
        _ => return None,
    };
    Some(next.min(last))
}

/// The previous or next index, which wraps around.
pub(super) fn cycle_index(now: usize, by: isize, count: usize) -> usize {
    let count = count.max(1);
    if by < 0 { (now + count - 1) % count } else { (now + 1) % count }
}

impl ScreenState {
    /// The initial state of a screen.
    pub fn new(screen: &'static Screen, settings: &Settings) -> Self {
        let panes = screen.panes.iter().map(|pane| PaneState::new(pane, settings));
        let answer = Some(PaneState::new(&screen.answer, settings));
        Self { focus: 0, answer, panes: panes.collect() }
    }

    /// Reads the visible tables, and the first one, because facts may be about its selected row.
    pub fn read_tables(&mut self, moment: &HistoryEntry, number: u64, visible: &[usize]) {
        let first = self.panes.iter().position(|pane| !pane.sheets.is_empty());
        for (place, pane) in self.panes.iter_mut().enumerate() {
            let wanted = visible.contains(&place) || first == Some(place);
            if let Some(sheet) = pane.sheets.get_mut(pane.sheet).filter(|_| wanted) {
                sheet.read(moment, number);
            }
        }
    }

    /// Does a visible pane query this table?
    pub fn has_query_for(&self, table: &str, visible: &[usize]) -> bool {
        let panes = visible.iter().filter_map(|place| self.panes.get(*place));
        panes
            .chain(&self.answer)
            .flat_map(|pane| pane.queries.iter().chain(&pane.aside))
            .any(|it| it.spec.name == table)
    }

    /// The row selected in the first table.
    pub(super) fn selected(&self) -> Option<Selected> {
        let pane = self.panes.iter().find(|pane| !pane.sheets.is_empty())?;
        let sheet = pane.sheets.get(pane.sheet)?;
        Some(Selected {
            whole: sheet.whole.clone(),
            row: sheet.row_name.clone(),
            origin: sheet.origin_row(),
        })
    }

    /// The parts to sample for the visible panes. A pane without queries shows a row of the first table.
    pub fn needs(&self, visible: impl Iterator<Item = usize>) -> WantedParts {
        let first = self.panes.iter().find(|pane| !pane.sheets.is_empty());
        let of_first = || first.map_or(PartSet::NONE, PaneState::needs);
        let panes = visible.filter_map(|place| self.panes.get(place));
        panes.chain(&self.answer).fold(WantedParts::NOTHING, |sum, pane| {
            let shown = if pane.asks_nothing() { of_first() } else { pane.needs() };
            WantedParts {
                shown: sum.shown.with(shown),
                background: sum.background.with(query::needs(&pane.aside)),
            }
        })
    }

    /// The number of lines that each pane would like.
    pub fn lines(&self, is_framed: bool) -> Vec<u16> {
        let lines = |pane: &PaneState| u16::try_from(pane.wanted(is_framed)).unwrap_or(u16::MAX);
        self.panes.iter().map(lines).collect()
    }

    /// Keeps the selection visible.
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
        let queries = |asked: &[TableQuery]| asked.iter().filter_map(TableQuery::query).collect();
        Self {
            info,
            sheets: info
                .tables
                .iter()
                .filter_map(|sheet| TableState::new(sheet, settings))
                .collect(),
            sheet: 0,
            figure: 0,
            top: 0,
            cursor: None,
            lines: Vec::new(),
            queries: queries(info.asks),
            aside: queries(info.aside),
            trends: queries(info.trends),
            height: 0,
            scrolls: false,
        }
    }

    /// Does it show the row of another pane?
    fn asks_nothing(&self) -> bool {
        self.queries.is_empty() && self.sheets.is_empty()
    }

    /// The parts to sample for this pane.
    pub fn needs(&self) -> PartSet {
        let sheet = |sheet: &TableState| sheet.query.needs().with(query::needs(&sheet.more));
        query::needs(&self.queries)
            .with(query::needs(&self.trends))
            .with(self.sheets.get(self.sheet).map_or(PartSet::NONE, sheet))
    }

    fn wanted(&self, is_framed: bool) -> usize {
        match self.sheets.get(self.sheet) {
            // The headings take a line, and so does the message about an empty table.
            Some(sheet) => sheet.rows().map_or(1, |rows| rows.cells.len().max(1)) + 1,
            // A framed pane that fills its height wants no more than it gets.
            None if self.info.fills && is_framed => 0,
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

    /// Is it a list of equal lines, rather than facts of which the last can be dropped? Keys select figures
    /// of the whole list, and it scrolls.
    fn is_list(&self) -> bool {
        let counts = |line: &PaneLine| line.drop == 0 && line.figures().count() > 0;
        self.cursor.is_none() && self.sheets.is_empty() && self.lines.iter().all(counts)
    }

    /// The line of the selected figure.
    fn line_of_figure(&self) -> usize {
        let mut seen = 0;
        let is_behind = |line: &PaneLine| {
            seen += line.figures().count();
            seen > self.figure
        };
        self.lines.iter().position(is_behind).unwrap_or(0)
    }

    /// The number of figures of a list above the visible lines.
    pub fn figures_above(&self) -> usize {
        let above = if self.is_list() { self.top } else { 0 };
        self.lines.iter().take(above).map(|line| line.figures().count()).sum()
    }

    /// Is it a text that does not fit? Panes with figures or rows scroll with the selection instead.
    pub fn is_cut(&self) -> bool {
        let is_text =
            self.cursor.is_none() && self.lines.iter().all(|line| line.figures().count() == 0);
        is_text && self.sheets.is_empty() && self.lines.len() > self.height
    }

    /// The visible lines of a text or list that does not fit.
    pub fn range(&self) -> Option<String> {
        let (count, seen) = (self.lines.len(), self.visible_lines().len());
        if self.is_list() {
            let range = || format!("{}-{} of {count}", self.top + 1, self.top + seen);
            return (seen < count).then(range);
        }
        let first = if self.scrolls { format!("{}-", self.top + 1) } else { String::new() };
        self.is_cut().then(|| format!("{first}{} of {count} lines", self.top + seen))
    }

    /// Scrolls; one line of the previous page stays visible.
    pub(super) fn scroll(&mut self, command: UiCommand) {
        let last = self.lines.len().saturating_sub(self.height);
        let page = self.height.saturating_sub(1).max(1);
        self.top = moved(command, self.top, last, page).unwrap_or(self.top);
    }

    /// The visible lines: droppable lines are left out until the rest fits, unless keys scroll.
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
            // Drops one line at a time, the last of those with the same rank.
            let Some(place) = kept.iter().rposition(|line| line.drop == drop) else { break };
            kept.remove(place);
        }
        kept.truncate(self.height);
        kept
    }

    /// The number of areas that have no visible line, if others have one.
    pub fn areas_left_out(&self) -> usize {
        let all = self.lines.iter().map(|line| line.areas).max().unwrap_or(0);
        let shown = self.visible_lines().iter().filter(|line| line.areas > 0).count();
        all.saturating_sub(shown)
    }

    /// The figures that can be selected, in the order of the lines: visible ones, or all of a list.
    pub fn figures(&self) -> Vec<&Piece> {
        if self.is_list() {
            return self.lines.iter().flat_map(PaneLine::figures).collect();
        }
        self.visible_lines().into_iter().flat_map(PaneLine::figures).collect()
    }

    /// The origin of the selected cell or figure.
    pub fn origin(&self) -> Option<Origin> {
        match self.sheets.get(self.sheet) {
            Some(sheet) => sheet.origin(),
            None => self.figures().get(self.figure)?.origin().cloned(),
        }
    }
}

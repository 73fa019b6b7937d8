//! The page of one row: all its figures in the sample on screen.

use super::content::{Origin, row_words};
use super::history::HistoryEntry;
use super::named_row::NamedRow;
use super::page::{PageContent, PageLine, TextPage};
use super::table_state::TableState;
use super::theme::Role;
use crate::columns::Query;
use crate::model::text::format_time_of_day;
use crate::model::{Missing, Stamp};

/// The content of the page of one row.
#[derive(Clone, Debug)]
pub struct RowPage {
    row: NamedRow,
    /// Queries to the table, and to other tables with more about the row.
    queries: Vec<Query>,
    /// The figures, as last read.
    figures: Vec<PageLine>,
    /// The time of the figures.
    read_at: Stamp,
    /// The number of the sample that was looked at last.
    number: u64,
    /// Since when the row has no new figures, if so.
    ended: Option<FiguresEnd>,
}

/// The first sample without a row that the page still shows.
#[derive(Clone, Debug)]
struct FiguresEnd {
    /// The time of the sample.
    since: Stamp,
    /// Why its table could not be read; none if the row was gone from the table.
    unread: Option<Missing>,
}

impl RowPage {
    /// The page of the selected row of a table; none without one.
    pub fn open(sheet: &TableState, moment: &HistoryEntry, number: u64) -> Option<TextPage> {
        let row = sheet.named_row(moment)?;
        let spec = sheet.query.spec;
        let title = format!("{}: {}", spec.title, row_words(spec.name, &row.name));
        let copy = Some(row.name.clone());
        let mut content = Self {
            row,
            queries: std::iter::once(&sheet.whole).chain(&sheet.more).cloned().collect(),
            figures: Vec::new(),
            read_at: moment.now.stamp,
            number,
            ended: None,
        };
        content.read(moment);
        let lines = content.lines();
        let content = Some(Box::new(PageContent::Row(content)));
        (!lines.is_empty()).then(|| TextPage { copy, content, ..TextPage::new(title, lines) })
    }

    /// Reads the row in another sample; false if the page shows that sample already.
    pub fn follow(&mut self, moment: &HistoryEntry, number: u64) -> bool {
        let is_new = self.number != number;
        if is_new {
            self.number = number;
            self.read(moment);
        }
        is_new
    }

    fn read(&mut self, moment: &HistoryEntry) {
        let now = moment.now.stamp;
        let first = self.queries.first().map(|query| self.row.read(query, moment));
        let unread = match first {
            Some(Ok(figures)) if !figures.is_empty() => {
                let mut lines = lines_of(&figures);
                for query in self.queries.iter().skip(1) {
                    lines.push(PageLine::text(""));
                    lines.push(PageLine::text(query.spec.title).as_role(Role::Accent));
                    lines.extend(lines_of(&self.row.read(query, moment).unwrap_or_default()));
                }
                (self.figures, self.read_at, self.ended) = (lines, now, None);
                return;
            }
            Some(Err(missing)) => Some(missing),
            Some(Ok(_)) | None => None,
        };
        self.ended.get_or_insert(FiguresEnd { since: now, unread });
    }

    /// The figures, and what they are if the row cannot be read any more.
    pub fn lines(&self) -> Vec<PageLine> {
        let at = format_time_of_day(self.read_at.wall_ms);
        let note = self.ended.as_ref().map(|end| {
            let since = format_time_of_day(end.since.wall_ms);
            let (word, why) = match &end.unread {
                Some(missing) => ("Unread", format!(" ({missing})")),
                None => ("Gone", String::new()),
            };
            let text = format!("{word} since {since}{why}: the figures are those of {at}.");
            PageLine::text(text).as_role(Role::Warn)
        });
        note.into_iter().chain(self.figures.iter().cloned()).collect()
    }

    /// The time of the figures, or since when there are no new ones.
    pub fn time(&self) -> (String, Role) {
        let Some(end) = &self.ended else {
            return (format_time_of_day(self.read_at.wall_ms), Role::Label);
        };
        let word = if end.unread.is_some() { "unread" } else { "gone" };
        (format!("{word} since {}", format_time_of_day(end.since.wall_ms)), Role::Warn)
    }
}

/// A line for each figure; missing values come last.
fn lines_of(figures: &[Origin]) -> Vec<PageLine> {
    let (known, missing): (Vec<&Origin>, Vec<&Origin>) =
        figures.iter().partition(|origin| origin.value.missing().is_none());
    known.into_iter().chain(missing).map(line).collect()
}

fn line(origin: &Origin) -> PageLine {
    let named = |text: String| PageLine::named(origin.info.head, text);
    match origin.value.missing() {
        Some(missing) => named(format!("-  {missing}")).as_role(Role::Faint),
        None => named(origin.full_value()),
    }
}

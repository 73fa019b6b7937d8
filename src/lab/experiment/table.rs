//! What an experiment has shown, in words for a terminal: a row for each case, what differs by
//! more than noise, and what others have published.

use super::Published;
use super::columns::{Cell, Column, columns};
use super::contrasts::{Contrast, contrasts};
use crate::columns::tables::lab::comparison::percent;
use crate::columns::{text, units};
use crate::derive::lab::Compared;
use crate::derive::statistics::{Difference, Summary, Verdict};
use crate::model::Bytes;
use crate::model::experiment::{Case, Experiment};
use crate::model::run::Ending;

/// What stands between two columns.
const GAP: &str = "  ";
/// Cells of a heading, which may have several lines.
const HEAD: usize = 12;

/// A table of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The headings.
    pub heads: Vec<String>,
    /// How many of them name a row, and stand before all others.
    pub names: usize,
    /// Row by row.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// That of what was measured.
    #[must_use]
    pub fn of(experiment: &Experiment) -> Self {
        let factors = factors(experiment);
        let columns = columns(experiment);
        let row = |(place, case): (usize, &Case)| {
            let names = factors.iter().map(|factor| case.value(factor).unwrap_or("-").to_owned());
            names.chain(columns.iter().map(|column| cell(column, place))).collect()
        };
        Self {
            names: factors.len(),
            heads: factors
                .iter()
                .cloned()
                .chain(columns.iter().map(|it| it.head.clone()))
                .collect(),
            rows: experiment.cases.iter().enumerate().map(row).collect(),
        }
    }

    /// That of what was published.
    #[must_use]
    pub fn published(published: &Published) -> Self {
        Self { names: 1, heads: published.heads.clone(), rows: published.rows.clone() }
    }

    /// Line by line; where not all columns fit, the others stand below, with the names of the rows
    /// once more.
    #[must_use]
    pub fn lines(&self, width: usize) -> Vec<String> {
        let heads: Vec<Vec<String>> =
            self.heads.iter().map(|head| text::wrap(head, HEAD)).collect();
        let widths: Vec<usize> = heads.iter().enumerate().map(|it| self.width(it)).collect();
        let mut lines = Vec::new();
        for (place, block) in self.blocks(&widths, width).iter().enumerate() {
            if place > 0 {
                lines.push(String::new());
            }
            let tall = block.iter().filter_map(|place| heads.get(*place)).map(Vec::len).max();
            let tall = tall.unwrap_or(0);
            // Headings end on the same line, above their numbers.
            let at = |head: &Vec<String>, level: usize| {
                let part = (level + head.len()).checked_sub(tall).and_then(|part| head.get(part));
                part.cloned().unwrap_or_default()
            };
            for level in 0..tall {
                let parts: Vec<String> = heads.iter().map(|head| at(head, level)).collect();
                lines.push(self.line(block, &widths, &parts));
            }
            lines.extend(self.rows.iter().map(|row| self.line(block, &widths, row)));
        }
        lines
    }

    fn width(&self, (place, head): (usize, &Vec<String>)) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(place));
        head.iter().chain(cells).map(|cell| text::width(cell)).max().unwrap_or(0)
    }

    /// Which columns stand beside each other.
    fn blocks(&self, widths: &[usize], most: usize) -> Vec<Vec<usize>> {
        let wide = |place: usize| widths.get(place).copied().unwrap_or(0) + GAP.len();
        let names: Vec<usize> = (0..self.names.min(widths.len())).collect();
        let start: usize = names.iter().map(|place| wide(*place)).sum();
        let mut blocks = vec![names.clone()];
        let mut room = start;
        for place in self.names..widths.len() {
            let is_first = blocks.last().is_some_and(|block| block.len() == names.len());
            if room + wide(place) > most + GAP.len() && !is_first {
                blocks.push(names.clone());
                room = start;
            }
            room += wide(place);
            if let Some(block) = blocks.last_mut() {
                block.push(place);
            }
        }
        blocks
    }

    fn line(&self, block: &[usize], widths: &[usize], cells: &[String]) -> String {
        let cell = |place: &usize| {
            let cell = cells.get(*place).map_or("", String::as_str);
            text::pad(cell, widths.get(*place).copied().unwrap_or(0), *place >= self.names)
        };
        let line = block.iter().map(cell).collect::<Vec<_>>().join(GAP);
        line.trim_end().to_owned()
    }
}

/// The factors, as the first case has them.
fn factors(experiment: &Experiment) -> Vec<String> {
    let first = experiment.cases.first().map_or(&[][..], |case| case.factors.as_slice());
    first.iter().map(|level| level.factor.clone()).collect()
}

fn cell(column: &Column, place: usize) -> String {
    match column.cells.get(place) {
        Some(Cell::Figure(summary)) => summary.known().map_or_else(|| "-".to_owned(), scattered),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bytes")]
        Some(Cell::Used(used, priority)) => {
            let used = used.known().map(|used| units::size(Bytes(*used as u64)));
            format!("{} {priority}", used.unwrap_or_else(|| "-".to_owned()))
        }
        None => "-".to_owned(),
    }
}

/// A mean, and how far it scatters where there are several.
fn scattered(summary: &Summary) -> String {
    let mean = units::number(summary.mean);
    match summary.deviation {
        Some(deviation) => format!("{mean}+-{}", units::short(deviation)),
        None => mean,
    }
}

/// What came of the cases, whether they differ, and what is to be known.
#[must_use]
pub fn lines(experiment: &Experiment, width: usize) -> Vec<String> {
    let mut lines = Table::of(experiment).lines(width);
    let early = early(experiment);
    if !early.is_empty() {
        lines.push(String::new());
        lines.extend(early.iter().flat_map(|line| text::wrap(line, width)));
    }
    lines.extend(changes(&contrasts(experiment), width));
    for note in &experiment.notes {
        lines.push(String::new());
        lines.extend(text::wrap(note, width));
    }
    lines
}

/// What others have published.
#[must_use]
pub fn published(published: &Published, width: usize) -> Vec<String> {
    let mut lines = vec![String::new(), "Published:".to_owned()];
    lines.extend(text::wrap(&published.machine, width));
    lines.push(String::new());
    lines.extend(Table::published(published).lines(width));
    lines
}

/// Which runs did not come to their end, and which cases have none.
fn early(experiment: &Experiment) -> Vec<String> {
    let mut lines = Vec::new();
    for case in &experiment.cases {
        let measured = case.run.as_ref().map_or(&[][..], |run| run.measured.as_slice());
        for (place, one) in measured.iter().enumerate() {
            let (name, number) = (&case.name, place + 1);
            match &one.end {
                Ending::Done => {}
                Ending::Stopped { why } => {
                    lines.push(format!("{name}: run {number} was ended: {why}."));
                }
                Ending::Failed { why } => {
                    lines.push(format!("{name}: run {number} FAILED: {why}."));
                }
            }
        }
        let wanted = experiment.repetitions as usize;
        if measured.len() < wanted {
            lines.push(format!("{}: {} of {wanted} runs were made.", case.name, measured.len()));
        }
    }
    lines
}

/// What stands below the comparisons.
const LEGEND: &str = "Changes are against the first value of the factor, 95 % certain. In brackets: no difference seen, such a change is seen between runs of the same as well.";

/// Factor by factor what each of its values changes.
fn changes(contrasts: &[Contrast], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for of_one in contrasts.chunk_by(|one, next| one.factor == next.factor) {
        let Some(first) = of_one.first() else { continue };
        lines.push(String::new());
        let title = format!("{}, against {}:", first.factor, first.against);
        lines.extend(text::wrap(&title, width));
        lines.extend(changes_of(first, of_one).lines(width));
    }
    if !lines.is_empty() {
        lines.push(String::new());
        lines.extend(text::wrap(LEGEND, width));
    }
    lines
}

fn changes_of(first: &Contrast, all: &[Contrast]) -> Table {
    let others = first.others.iter().map(|level| level.factor.clone());
    let names: Vec<String> = [first.factor.clone()].into_iter().chain(others).collect();
    let row = |contrast: &Contrast| {
        let others = contrast.others.iter().map(|level| level.value.clone());
        let names = [contrast.value.clone()].into_iter().chain(others);
        names.chain(contrast.figures.iter().map(change)).collect()
    };
    Table {
        names: names.len(),
        heads: names.into_iter().chain(first.figures.iter().map(|it| it.head.clone())).collect(),
        rows: all.iter().map(row).collect(),
    }
}

/// By how much a figure changed, and what that means; in brackets where that may well be noise.
fn change(row: &Compared) -> String {
    let Ok(difference) = row.difference().into_result() else { return "-".to_owned() };
    let by = match difference.share {
        Some(_) => percent(&difference),
        None => absolute(&difference),
    };
    match difference.verdict {
        Verdict::NoDifferenceSeen => format!("({by})"),
        Verdict::TooFew => "-".to_owned(),
        Verdict::Higher | Verdict::Lower => {
            let word = match row.is_better(difference.verdict) {
                Some(true) => "better",
                Some(false) => "worse",
                None => difference.verdict.words(),
            };
            format!("{by} {word}")
        }
    }
}

/// The difference where the first is 0, and there is no share of it.
fn absolute(difference: &Difference) -> String {
    let off = difference.interval.map(|it| (it.high - it.low) / 2.0).filter(|off| *off > 0.0);
    let off = off.map_or_else(String::new, |off| format!("+-{}", units::short(off)));
    let plus = if difference.by > 0.0 { "+" } else { "" };
    format!("{plus}{}{off}", units::short(difference.by))
}

#[cfg(test)]
mod tests;

//! What an experiment has shown, in words for a terminal: a row for each case, what differs by
//! more than noise, and what others have published.

use super::columns::{Cell, Column, columns};
use super::contrasts::{Contrast, contrasts};
use super::{Published, across, published};
use crate::columns::tables::lab::comparison::{PLUS_MINUS, scattered};
use crate::columns::tables::lab::{self, comparison};
use crate::columns::{Part, Sheet, units};
use crate::derive::lab::Compared;
use crate::derive::statistics::Verdict;
use crate::model::Bytes;
use crate::model::experiment::{Case, Experiment};
use crate::model::run::{Ending, Run};

/// The table of what was measured.
pub fn measured(experiment: &Experiment) -> Sheet {
    let factors = factors(experiment);
    let columns = columns(experiment);
    let row = |(place, case): (usize, &Case)| {
        let names = factors.iter().map(|factor| case.value(factor).unwrap_or("-").to_owned());
        names.chain(columns.iter().map(|column| cell(column, place))).collect()
    };
    let heads = columns.iter().map(|it| it.head.clone());
    Sheet {
        names: factors.len(),
        heads: factors.iter().cloned().chain(heads).collect(),
        rows: experiment.cases.iter().enumerate().map(row).collect(),
        under: None,
    }
}

/// The factors, as the first case has them.
fn factors(experiment: &Experiment) -> Vec<String> {
    let first = experiment.cases.first().map_or(&[][..], |case| case.factors.as_slice());
    first.iter().map(|level| level.factor.clone()).collect()
}

/// What a case has in a column.
pub(super) fn cell(column: &Column, place: usize) -> String {
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

/// What came of the cases, with what others have published of that where it is given, whether the
/// cases differ, and what is to be known: where lines have an end, for lines of this width.
pub fn parts(
    experiment: &Experiment,
    published: Option<&Published>,
    width: Option<usize>,
) -> Vec<Part> {
    let mut parts = vec![Part { words: Vec::new(), sheet: Some(measured(experiment)) }];
    parts.extend(across::part(experiment));
    if let Some(published) = published {
        published::add(&mut parts, published, width);
    }
    parts.push(Part::words(lab::apart(runs(experiment)).into_iter().collect()));
    parts.push(Part::words(early(experiment)));
    parts.extend(changes(&contrasts(experiment)));
    parts.push(Part::words(ran_with(experiment)));
    parts.extend(experiment.notes.iter().map(|note| Part::words(vec![note.clone()])));
    parts.retain(|part| part.sheet.is_some() || !part.words.is_empty());
    parts.into_iter().map(Part::safe).collect()
}

/// All of that, line by line.
pub fn lines(experiment: &Experiment, published: Option<&Published>, width: usize) -> Vec<String> {
    let parts = parts(experiment, published, Some(width));
    let parts: Vec<Vec<String>> = parts.iter().map(|part| part.lines(width)).collect();
    parts.join(&String::new())
}

/// The runs of all cases, each with the name of its case.
fn runs(experiment: &Experiment) -> impl Iterator<Item = (Option<String>, &Run)> {
    experiment.cases.iter().filter_map(|case| Some((Some(case.name.clone()), case.run.as_ref()?)))
}

/// Which runs did not come to their end, which cases have none, and why it ended early.
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
    lines.extend(experiment.why.iter().map(|why| format!("It ended early: {why}")));
    lines
}

/// On what and with which settings its cases ran.
fn ran_with(experiment: &Experiment) -> Vec<String> {
    let lines = lab::setup_lines(experiment);
    let title = (!lines.is_empty()).then(|| "It ran with:".to_owned());
    title.into_iter().chain(lines).collect()
}

/// What stands below the comparisons.
fn legend() -> String {
    format!(
        "Changes are against the first value of the factor; pp are percentage points. {PLUS_MINUS} In brackets: no difference seen, such a change is seen between runs of the same as well."
    )
}

/// Factor by factor what each of its values changes.
fn changes(contrasts: &[Contrast]) -> Vec<Part> {
    let of_one = contrasts.chunk_by(|one, next| one.factor == next.factor);
    let part = |of_one: &[Contrast]| {
        let first = of_one.first()?;
        let title = format!("{}, against {}:", first.factor, first.against);
        Some(Part { words: vec![title], sheet: Some(changes_of(first, of_one)) })
    };
    let mut parts: Vec<Part> = of_one.filter_map(part).collect();
    if !parts.is_empty() {
        parts.push(Part::words(vec![legend()]));
    }
    parts
}

fn changes_of(first: &Contrast, all: &[Contrast]) -> Sheet {
    let others = first.others.iter().map(|level| level.factor.clone());
    let names: Vec<String> = [first.factor.clone()].into_iter().chain(others).collect();
    let row = |contrast: &Contrast| {
        let others = contrast.others.iter().map(|level| level.value.clone());
        let names = [contrast.value.clone()].into_iter().chain(others);
        names.chain(contrast.figures.iter().map(change)).collect()
    };
    Sheet {
        names: names.len(),
        heads: names.into_iter().chain(first.figures.iter().map(|it| it.head.clone())).collect(),
        rows: all.iter().map(row).collect(),
        under: None,
    }
}

/// By how much a figure changed, and what that means; in brackets where that may well be noise.
pub(super) fn change(row: &Compared) -> String {
    let Ok(difference) = row.difference().into_result() else { return "-".to_owned() };
    let by = comparison::change(row, &difference);
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

#[cfg(test)]
mod tests;

//! The conclusion of an experiment: a sentence on each figure that answers its question, and a chart of the first.

use super::table::{self, Contrast, TableCell, TableColumn, USED};
use crate::columns::tables::lab::comparison;
use crate::columns::{TextSection, TextTable, units};
use crate::derive::lab::{FigureComparison, Measure};
use crate::derive::statistics::{DifferenceVerdict, LEAST_SHARE, MeanDifference};
use crate::model::experiment::{Case, Experiment};
use crate::model::run::RepetitionEnd;
use crate::model::text::counted;
use crate::model::{Bytes, whole};

/// A contrast with the difference of the figure.
type Judged<'c> = (&'c Contrast, &'c FigureComparison, MeanDifference);

/// The answer of an experiment, a sentence for each figure; none if it compares nothing.
pub fn sentence(experiment: &Experiment) -> Option<String> {
    let mut contrasts = table::all_contrasts(experiment);
    let is_across = |it: &Contrast| experiment.across.as_ref() == Some(&it.factor);
    // A file that names its answer compares the values of `across` only.
    if !experiment.answer.is_empty() && contrasts.iter().any(is_across) {
        contrasts.retain(is_across);
    }
    let told = table::answers(experiment).into_iter().filter_map(|id| {
        let is_compared = |it: &Contrast| {
            let row = it.figures.iter().find(|row| row.id == id);
            row.is_some_and(|row| row.difference().known().is_some())
        };
        if experiment.answer.is_empty() || contrasts.iter().any(is_compared) {
            describe_contrasts(experiment, id, &contrasts)
        } else {
            let none = || "No conclusion: no run was completed.".to_owned();
            Some(describe_values(id, experiment).unwrap_or_else(none))
        }
    });
    let mut told: Vec<String> = told.collect();
    // Why there is no conclusion is the same for each figure.
    told.dedup();
    told.extend(describe_failed(experiment));
    (!told.is_empty()).then(|| told.join(" "))
}

/// The cases with failed runs, if any.
fn describe_failed(experiment: &Experiment) -> Option<String> {
    let failed = |case: &Case| {
        let measured = &case.run.as_ref()?.measured;
        let failed = measured.iter().filter(|it| matches!(it.end, RepetitionEnd::Failed { .. }));
        let (failed, all) = (failed.count(), measured.len());
        (failed > 0).then(|| format!("{} failed in {failed} of {}", case.name, counted(all, "run")))
    };
    let failed: Vec<String> = experiment.cases.iter().filter_map(failed).collect();
    (!failed.is_empty()).then(|| format!("{}.", failed.join("; ")))
}

/// The values of a column that no two cases share, or of the used areas; none if no case has one.
fn describe_values(id: &str, experiment: &Experiment) -> Option<String> {
    let columns = table::columns_for(id, experiment);
    let of_case = |(place, case): (usize, &Case)| {
        let values = columns.iter().filter_map(|column| match column.cells.get(place)? {
            TableCell::Used(used, _) => Some(units::size(Bytes(whole(*used.known()?)))),
            cell @ TableCell::Figure(_) => cell.mean().map(|_| table::cell(column, place)),
        });
        let values: Vec<String> = values.collect();
        (!values.is_empty()).then(|| format!("{} with {}", values.join(", "), case.name))
    };
    let cases: Vec<String> = experiment.cases.iter().enumerate().filter_map(of_case).collect();
    let head = match columns.first() {
        Some(column) if id != USED => &column.head,
        _ => "Used space of each area at its peak",
    };
    (!cases.is_empty()).then(|| format!("{head}: {}.", cases.join("; ")))
}

/// The differences of a figure.
fn describe_contrasts(experiment: &Experiment, id: &str, contrasts: &[Contrast]) -> Option<String> {
    let used = contrasts.iter().filter(|contrast| contrast.is_used);
    let judged = used.filter_map(|contrast| {
        let row = contrast.figures.iter().find(|row| row.id == id)?;
        let difference = row.difference().into_result().ok()?;
        (difference.verdict != DifferenceVerdict::TooFew).then_some((contrast, row, difference))
    });
    let judged: Vec<Judged<'_>> = judged.collect();
    let unused = describe_unused(experiment);
    let Some((_, row, _)) = judged.first() else {
        let few = || "a comparison needs two finished runs of each case".to_owned();
        let why = unused.unwrap_or_else(few);
        return (!contrasts.is_empty()).then(|| format!("No conclusion: {why}."));
    };
    let unused = unused.map_or_else(String::new, |unused| format!("; {unused}"));
    let runs = judged.iter().map(|(contrast, ..)| contrast.runs).min().unwrap_or(0);
    let differs = |it: &&Judged<'_>| {
        matches!(it.2.verdict, DifferenceVerdict::Higher | DifferenceVerdict::Lower)
    };
    let seen = judged.iter().filter(differs).count();
    if seen == 0 {
        let visible = judged.iter().filter_map(smallest_visible).reduce(f64::max);
        let visible = visible.map_or_else(String::new, |change| visible_change(row, change));
        let head = &row.head;
        return Some(format!(
            "No measurable difference in {head}: {runs} runs each{visible}{unused}."
        ));
    }
    // Values of several factors are no alternatives to each other: the strongest difference stands for all.
    let is_one =
        contrasts.iter().all(|it| contrasts.first().is_some_and(|one| one.factor == it.factor));
    let rows = judged.chunk_by(|one, next| !is_one || one.0.others == next.0.others);
    let told = rows.filter_map(|row| {
        let seen = row.iter().filter(differs);
        let strongest = seen.max_by(|one, other| effect(one).total_cmp(&effect(other)));
        strongest.map(describe).or_else(|| row.first().map(unchanged))
    });
    let mut rows: Vec<String> = told.collect();
    // The rows with a difference are first.
    rows.sort_by_key(|row| row.starts_with(UNCHANGED));
    let (of, rows) = (judged.len(), rows.join("; "));
    let count = format!("{seen} of {of} comparisons show a difference, ");
    let count = if seen == of { String::new() } else { count };
    Some(format!("{} {rows}; {count}{runs} runs each{unused}.", row.head))
}

/// The cases whose areas were not used, if any.
fn describe_unused(experiment: &Experiment) -> Option<String> {
    let unused = experiment.cases.iter().filter(|case| !table::uses_areas(case));
    let names: Vec<&str> = unused.map(|case| case.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("the areas were not used in {}", names.join(", ")))
}

fn visible_change(row: &FigureComparison, change: f64) -> String {
    let unit = if row.measure == Measure::Percent { "percentage points" } else { "%" };
    format!(", smallest visible change {} {unit}", units::short(change))
}

/// The size of a difference for ranking: as a share of the first mean where there is one.
fn effect((_, _, difference): &Judged<'_>) -> f64 {
    difference.share.unwrap_or(difference.by).abs()
}

/// The largest change that gets no verdict: in percent, or in percentage points.
fn smallest_visible((_, row, difference): &Judged<'_>) -> Option<f64> {
    let (interval, unit) = if row.measure == Measure::Percent {
        (difference.interval, row.first.known()?.mean)
    } else {
        (difference.share_interval, 1.0)
    };
    let scale = if row.measure == Measure::Percent { 1.0 } else { 100.0 };
    interval.map(|it| scale * ((it.high - it.low) / 2.0).max(LEAST_SHARE * unit))
}

fn describe((contrast, row, difference): &Judged<'_>) -> String {
    let better = match row.is_better(difference.verdict) {
        Some(true) => " (better)",
        Some(false) => " (worse)",
        None => "",
    };
    format!(
        "{}{better} with {} {} instead of {}{}",
        comparison::change(row, difference),
        contrast.factor,
        contrast.value,
        contrast.against,
        place(contrast, ", at ")
    )
}

const UNCHANGED: &str = "no measurable difference";

fn unchanged((contrast, ..): &Judged<'_>) -> String {
    format!("{UNCHANGED}{}", place(contrast, " at "))
}

/// The values of the other factors, if there are any.
fn place(contrast: &Contrast, before: &str) -> String {
    let others = contrast.others.iter().map(|it| format!("{} {}", it.factor, it.value));
    let others = others.collect::<Vec<_>>().join(", ");
    if others.is_empty() { others } else { before.to_owned() + &others }
}

/// Length of the longest bar of a chart, in cells.
const BAR: usize = 24;

/// The sentence, and a chart of the first column that answers the question.
pub fn section(experiment: &Experiment) -> Option<TextSection> {
    let sentence = sentence(experiment)?;
    let columns = table::columns_for(table::answers(experiment).first()?, experiment);
    let means = columns.iter().flat_map(|column| &column.cells).filter_map(TableCell::mean);
    let most = means.fold(0.0, f64::max);
    let bar = |mean: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 24")]
        let cells = if most > 0.0 { (mean / most * BAR as f64).round() as usize } else { 0 };
        "#".repeat(cells)
    };
    let row = |(place, case): (usize, &Case), column: &TableColumn| {
        let mean = column.cells.get(place).and_then(TableCell::mean);
        let name = [&case.name, &column.id].map(String::as_str);
        let names = if columns.len() > 1 { name.join(" ") } else { case.name.clone() };
        vec![
            names,
            mean.map(|mean| bar(mean.max(0.0))).unwrap_or_default(),
            table::cell(column, place),
        ]
    };
    let cases = experiment.cases.iter().enumerate();
    let rows = cases.flat_map(|case| columns.iter().map(move |column| row(case, column)));
    let head = match columns.as_slice() {
        [column] => column.head.clone(),
        _ => format!("{USED} PRIO"),
    };
    let rows = rows.collect();
    let heads = vec!["case".to_owned(), String::new(), head];
    let sheet = TextTable { heads, names: 2, rows, under: None };
    let has_any = columns.iter().flat_map(|column| &column.cells).any(|cell| cell.mean().is_some());
    Some(TextSection { words: vec![sentence], sheet: has_any.then_some(sheet) }.safe())
}

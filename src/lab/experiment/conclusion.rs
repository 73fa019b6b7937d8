//! The conclusion of an experiment: one sentence on its first figure, and a chart of that figure.

use super::table::{self, Contrast, TableCell};
use crate::columns::tables::lab::comparison;
use crate::columns::{TextSection, TextTable, units};
use crate::derive::lab::{FigureComparison, Measure};
use crate::derive::statistics::{DifferenceVerdict, LEAST_SHARE, MeanDifference};
use crate::model::experiment::{Case, Experiment};

/// A contrast with the difference of the figure.
type Judged<'c> = (&'c Contrast, &'c FigureComparison, MeanDifference);

/// The answer of an experiment in one sentence; none if it compares nothing.
pub fn sentence(experiment: &Experiment) -> Option<String> {
    let id = table::first_figure(&experiment.columns)?;
    let contrasts = table::all_contrasts(experiment);
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
    let seen: Vec<&Judged<'_>> = judged.iter().filter(differs).collect();
    let strongest = seen.iter().max_by(|one, other| effect(one).total_cmp(&effect(other)));
    Some(match strongest {
        None => {
            let visible = judged.iter().filter_map(smallest_visible).reduce(f64::max);
            let visible = visible.map_or_else(String::new, |change| visible_change(row, change));
            format!("No measurable difference in {}: {runs} runs each{visible}{unused}.", row.head)
        }
        Some(strongest) => {
            let (changed, of) = (seen.len(), judged.len());
            let count = format!("{changed} of {of} comparisons show a difference, ");
            let count = if of == 1 { String::new() } else { count };
            format!("{}; {count}{runs} runs each{unused}.", describe(strongest))
        }
    })
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
    let others = contrast.others.iter().map(|it| format!("{} {}", it.factor, it.value));
    let others = others.collect::<Vec<_>>().join(", ");
    let place = if others.is_empty() { others } else { format!(", at {others}") };
    format!(
        "{} {}{better} with {} {} instead of {}{place}",
        row.head,
        comparison::change(row, difference),
        contrast.factor,
        contrast.value,
        contrast.against
    )
}

/// Length of the longest bar of a chart, in cells.
const BAR: usize = 24;

/// The sentence, and a chart of the first figure by case.
pub fn section(experiment: &Experiment) -> Option<TextSection> {
    let sentence = sentence(experiment)?;
    let column = table::figure(table::first_figure(&experiment.columns)?, experiment);
    let means: Vec<Option<f64>> = column
        .cells
        .iter()
        .map(|cell| match cell {
            TableCell::Figure(summary) => summary.known().map(|it| it.mean.max(0.0)),
            TableCell::Used(..) => None,
        })
        .collect();
    let most = means.iter().flatten().copied().fold(0.0, f64::max);
    let bar = |mean: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 24")]
        let cells = if most > 0.0 { (mean / most * BAR as f64).round() as usize } else { 0 };
        "#".repeat(cells)
    };
    let row = |(place, (case, mean)): (usize, (&Case, &Option<f64>))| {
        vec![case.name.clone(), mean.map(bar).unwrap_or_default(), table::cell(&column, place)]
    };
    let rows = experiment.cases.iter().zip(&means).enumerate().map(row).collect();
    let heads = vec!["case".to_owned(), String::new(), column.head.clone()];
    let sheet = TextTable { heads, names: 2, rows, under: None };
    let has_any = means.iter().any(Option::is_some);
    Some(TextSection { words: vec![sentence], sheet: has_any.then_some(sheet) }.safe())
}

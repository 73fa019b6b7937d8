//! `comparison`: two runs, or the cases of two experiments, figure by figure, and whether the
//! differences exceed the noise.

use super::common::{KEPT, not_in_snapshots};
use crate::columns::spec::Spec;
use crate::columns::units;
use crate::derive::lab::{FigureComparison, Measure};
use crate::derive::statistics::{DifferenceVerdict, MeanDifference, Summary};
use crate::model::Reading;

table!(pub struct ComparisonTable: FigureComparison, Column, COLUMNS, |_, _| not_in_snapshots());

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ComparisonTable>("comparison", "Comparison", "figure")
    .about("Figures of two runs, or of the cases of two experiments, and whether the differences exceed the noise")
    .shows("label,first,second,difference,verdict")
    .sort("-effect")
    .only("in_both=yes & both_zero=no", "that are 0 in both, or missing in one of the two");

/// Explanation of `+-` and of the significance of changes.
pub const PLUS_MINUS: &str = "+- after a mean is the sample standard deviation, after a change the 95% confidence interval. For quantiles of latency it includes their accuracy of 1/16. About 5% of the figures differ by chance.";

/// Note below the table.
pub(super) fn legend() -> String {
    format!(
        "A and B are means. B-A is the change in percent of A; for percentages, in percentage points (pp); above 10 times A, as a factor. {PLUS_MINUS}"
    )
}

/// Most decimals of a mean, and of a change in percent: two means and the change must fit 80 columns.
const PLACES: i32 = 3;
const PLACES_OF_PERCENT: i32 = 1;

/// A mean with its standard deviation, if there are several values.
pub fn scattered(summary: &Summary) -> String {
    match summary.deviation {
        Some(deviation) => units::plus_minus(summary.mean, deviation, PLACES),
        None => units::number(summary.mean),
    }
}

/// One side of a comparison in the unit of both.
fn shown(row: &FigureComparison, side: &Reading<Summary>) -> Reading<String> {
    side.as_ref().map(|summary| scattered(&summary.in_unit(row.shown().size)))
}

/// The standard deviation of a summary.
pub fn deviation(summary: &Reading<Summary>) -> Reading<f64> {
    summary.clone().and_then(|it| {
        Reading::or_absent(it.deviation, "a standard deviation needs at least two repetitions")
    })
}

/// Factor above which a change is shown as a factor instead of percent.
const TIMES: f64 = 10.0;

/// The factor second / first, if it exceeds [`TIMES`].
fn times(row: &FigureComparison, difference: &MeanDifference) -> Option<f64> {
    let times = 1.0 + difference.share.filter(|_| row.measure != Measure::Percent)?;
    (times > TIMES).then_some(times)
}

/// The difference with its confidence interval, in percent of the first; for figures in percent, in
/// percentage points. If the first is 0, it is in the unit of the figure; if the first is very small, the
/// factor is shown instead.
pub fn change(row: &FigureComparison, difference: &MeanDifference) -> String {
    if let Some(times) = times(row, difference) {
        return format!("{} times", units::short(times));
    }
    let (by, interval, sign) = match (row.measure, difference.share) {
        (Measure::Percent, _) => (difference.by, difference.interval, " pp".to_owned()),
        (_, Some(share)) => {
            (100.0 * share, difference.share_interval.map(|it| it.scaled_by(0.01)), "%".to_owned())
        }
        (_, None) => {
            let unit = row.shown();
            let interval = difference.interval.map(|it| it.scaled_by(unit.size));
            (difference.by / unit.size, interval, format!(" {}", unit.word))
        }
    };
    let is_measure = row.measure != Measure::Percent && difference.share.is_none();
    let places = match (is_measure, by.abs()) {
        (true, _) => PLACES,
        (false, by) if by < 1.0 => PLACES_OF_PERCENT + 1,
        (false, _) => PLACES_OF_PERCENT,
    };
    let off = interval.map(|it| (it.high - it.low) / 2.0);
    let text = off.map_or_else(|| units::number(by), |off| units::plus_minus(by, off, places));
    units::signed(&text) + &sign
}

/// The size of a difference that exceeds the noise, in percent of the first mean; without one, as if the mean
/// had doubled.
fn effect(difference: &MeanDifference) -> f64 {
    match difference.verdict {
        DifferenceVerdict::Higher | DifferenceVerdict::Lower => {
            100.0 * difference.share.unwrap_or(1.0).abs()
        }
        DifferenceVerdict::NoDifferenceSeen
        | DifferenceVerdict::TooSmall
        | DifferenceVerdict::TooFew
        | DifferenceVerdict::NotUsed => 0.0,
    }
}

/// The verdict in words, with better or worse if the direction matters.
fn verdict(row: &FigureComparison) -> Reading<String> {
    row.difference().map(|difference| match row.is_better(difference.verdict) {
        Some(true) => format!("{}: better", difference.verdict.word()),
        Some(false) => format!("{}: worse", difference.verdict.word()),
        None => difference.verdict.word().to_owned(),
    })
}

static COLUMNS: &[Column] = &[
    Column::text("figure", "FIGURE", |row| row.id.clone().into())
        .says("Name of the figure for programs.", KEPT),
    Column::text("name", "FIGURE", |row| row.head.clone().into()).says("Name of the figure.", KEPT),
    Column::text("label", "FIGURE", |row| format!("{} {}", row.head, row.shown().word).into())
        .says("Name of the figure, and the unit in which A and B are shown.", KEPT),
    Column::text("unit", "UNIT", |row| row.measure.word().into())
        .says("Unit of the numbers for programs.", KEPT),
    Column::text("first", "A", |row| shown(row, &row.first).into())
        .says("Mean and sample standard deviation of A.", KEPT)
        .drop(1),
    Column::text("second", "B", |row| shown(row, &row.second).into())
        .says("Mean and sample standard deviation of B.", KEPT)
        .drop(2),
    Column::text("difference", "B-A", |row| row.difference().map(|it| change(row, &it)).into())
        .says("Change from A to B in percent of A; in percentage points (pp) for percentages; in the unit of the figure if A is 0; as a factor above 10. With the 95% confidence interval (Welch, A taken as exact).", KEPT),
    Column::text("verdict", "VERDICT", |row| verdict(row).into())
        .says("Verdict: higher or lower (with better or worse) if the interval excludes 0, below 1% if that is all that the means differ by, no difference seen if the interval includes 0, too few runs with fewer than two on a side.", KEPT),
    Column::number("first_mean", "A-MEAN", |row| row.first.clone().map(|it| it.mean).into())
        .says("Mean of A.", KEPT),
    Column::number("first_deviation", "A-SD", |row| deviation(&row.first).into())
        .says("Sample standard deviation of A, from two repetitions on.", KEPT),
    Column::count("first_count", "A-RUNS", |row| {
        row.first.known().map_or(0, |it| it.count as u64).into()
    })
    .says("Number of repetitions of A that have the figure.", KEPT),
    Column::number("second_mean", "B-MEAN", |row| row.second.clone().map(|it| it.mean).into())
        .says("Mean of B.", KEPT),
    Column::number("second_deviation", "B-SD", |row| deviation(&row.second).into())
        .says("Sample standard deviation of B, from two repetitions on.", KEPT),
    Column::count("second_count", "B-RUNS", |row| {
        row.second.known().map_or(0, |it| it.count as u64).into()
    })
    .says("Number of repetitions of B that have the figure.", KEPT),
    Column::number("by", "DIFF", |row| row.difference().map(|it| it.by).into())
        .says("Difference of the means: B - A.", KEPT),
    Column::number("by_low", "DIFF-LOW", |row| row.bound(|it| it.interval, |it| it.low).into())
        .says("Lower bound of the 95% confidence interval of DIFF.", KEPT),
    Column::number("by_high", "DIFF-HIGH", |row| row.bound(|it| it.interval, |it| it.high).into())
        .says("Upper bound of the 95% confidence interval of DIFF.", KEPT),
    Column::number("change", "CHANGE%", |row| row.change().map(|share| 100.0 * share).into())
        .says("DIFF in percent of the mean of A.", KEPT),
    Column::number("change_low", "LOW%", |row| {
        row.bound(|it| it.share_interval, |it| 100.0 * it.low).into()
    })
    .says("Lower bound of the 95% confidence interval of CHANGE%.", KEPT),
    Column::number("change_high", "HIGH%", |row| {
        row.bound(|it| it.share_interval, |it| 100.0 * it.high).into()
    })
    .says("Upper bound of the 95% confidence interval of CHANGE%.", KEPT),
    Column::number("effect", "EFFECT%", |row| row.difference().map(|it| effect(&it)).into())
        .says("Size of a difference that exceeds the noise, in percent of A; 0 if no difference is seen or it is below 1%. Largest first.", KEPT),
    Column::flag("in_both", "IN-BOTH", |row| row.difference().known().is_some().into())
        .says("Whether both results have the figure.", KEPT),
    Column::flag("both_zero", "BOTH-ZERO", |row| row.is_zero().into())
        .says("Whether the figure is 0 in every repetition of both.", KEPT),
    Column::text("case", "CASE", |row| Reading::or_absent(row.case.clone(), "runs have no cases").into())
        .says("Case of the two experiments.", KEPT),
];

column_ids! { id: ComparisonTable, SPEC;
    DIFFERENCE FIRST NAME SECOND UNIT VERDICT
}

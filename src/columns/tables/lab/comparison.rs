//! `comparison`: two runs, or two of each case of two experiments, figure by figure, and whether
//! they differ by more than noise.

use super::common::{KEPT, NEEDS, not_in_snapshots};
use crate::columns::spec::{self, Spec, Table};
use crate::columns::units;
use crate::derive::SampleView;
use crate::derive::lab::{FigureComparison, Measure, or_absent};
use crate::derive::statistics::{MeanDifference, Summary};
use crate::model::Reading;

/// The table.
pub struct ComparisonTable;

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ComparisonTable>("comparison", "Comparison", "figure")
    .about("Two runs, or the cases of two experiments, figure by figure, and whether they differ by more than noise")
    .shows(&["what", "first", "second", "difference", "verdict"])
    .only("known=yes & zero=no", "that are 0 in both, or that one of the two does not have")
    .needs(NEEDS);

impl Table for ComparisonTable {
    type Row<'v> = FigureComparison;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &SampleView<'_>) -> Reading<Vec<FigureComparison>> {
        not_in_snapshots(view)
    }
}

/// What +- means in tables of means and of changes, and what such changes are worth.
pub const PLUS_MINUS: &str = "+- behind a mean is the sample standard deviation, behind a change its 95 % interval. Of many figures one or two may differ by chance: about 5 % of those tested at 95 %.";

/// What stands below the table.
pub(super) fn legend() -> String {
    format!(
        "A and B are means, B-A is the change in percent of A, of what is in percent itself in percentage points (pp), and where B is more than 10 times A how many times that is. {PLUS_MINUS}"
    )
}

/// No more places behind the point, and of a change in percent: both means and it have to fit beside
/// each other on 80 columns.
const PLACES: i32 = 3;
const PLACES_OF_PERCENT: i32 = 1;

/// A mean and how far it scatters, where there are several.
pub fn scattered(summary: &Summary) -> String {
    match summary.deviation {
        Some(deviation) => units::plus_minus(summary.mean, deviation, PLACES),
        None => units::number(summary.mean),
    }
}

/// How far it scatters.
pub fn deviation(summary: &Reading<Summary>) -> Reading<f64> {
    summary.clone().and_then(|it| match it.deviation {
        Some(deviation) => Reading::Known(deviation),
        None => Reading::absent("a single repetition does not scatter"),
    })
}

/// From so many times the first on, a change in percent is a number that nobody reads.
const TIMES: f64 = 10.0;

/// How many times the first the second is, where that is many.
fn times(row: &FigureComparison, difference: &MeanDifference) -> Option<f64> {
    let times = 1.0 + difference.share.filter(|_| row.measure != Measure::Percent)?;
    (times > TIMES).then_some(times)
}

/// The difference and how far it may be off, in percent of the first; in percentage points where the
/// figure is in percent itself: a share of a share says little. Where the first is 0 it has no share,
/// and the unit is the figure's own; where it is next to nothing, it is told how many times that the
/// second is.
pub fn change(row: &FigureComparison, difference: &MeanDifference) -> String {
    if let Some(times) = times(row, difference) {
        return format!("{} times", units::short(times));
    }
    let (by, interval, sign) = match (row.measure, difference.share) {
        (Measure::Percent, _) => (difference.by, difference.interval, " pp".to_owned()),
        (_, Some(share)) => {
            (100.0 * share, difference.share_interval.map(|it| it.scaled_by(0.01)), "%".to_owned())
        }
        (measure, None) => (difference.by, difference.interval, format!(" {}", measure.word())),
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

/// In words, with what people wish for.
fn verdict(row: &FigureComparison) -> Reading<String> {
    row.difference().map(|difference| match row.is_better(difference.verdict) {
        Some(true) => format!("{}: better", difference.verdict.words()),
        Some(false) => format!("{}: worse", difference.verdict.words()),
        None => difference.verdict.words().to_owned(),
    })
}

type Column = spec::Column<ComparisonTable>;

static COLUMNS: &[Column] = &[
    Column::text("figure", "FIGURE", |row| row.id.clone().into())
        .says("The name for programs.", KEPT),
    Column::text("name", "FIGURE", |row| row.head.clone().into()).says("What it is called.", KEPT),
    Column::text("what", "FIGURE", |row| format!("{} {}", row.head, row.measure.word()).into())
        .says("What it is called, and what its numbers count.", KEPT),
    Column::text("unit", "UNIT", |row| row.measure.word().into())
        .says("What the numbers count.", KEPT)
        .drop(3),
    Column::text("first", "A", |row| row.first.as_ref().map(scattered).into())
        .says("The mean of the first, and the sample standard deviation.", KEPT)
        .drop(1),
    Column::text("second", "B", |row| row.second.as_ref().map(scattered).into())
        .says("The same of the second.", KEPT)
        .drop(2),
    Column::text("difference", "B-A", |row| row.difference().map(|it| change(row, &it)).into())
        .says("By how many percent of A the second is higher, by how many percentage points (pp) where the figure is in percent itself, or by how much in the unit of the figure where A is 0; how many times A it is where that is more than 10; with what it may be off: Welch, 95 % certain, A taken as exact.", KEPT),
    Column::text("verdict", "VERDICT", |row| verdict(row).into())
        .says("Higher or lower where all of the interval is, and what people wish for; no difference seen where it holds 0; too few runs with fewer than two on a side.", KEPT),
    Column::number("first_mean", "A-MEAN", |row| row.first.clone().map(|it| it.mean).into())
        .says("The mean of the first.", KEPT)
        .drop(4),
    Column::number("first_deviation", "A-SD", |row| deviation(&row.first).into())
        .says("The sample standard deviation of the first, from two repetitions on.", KEPT)
        .drop(4),
    Column::count("first_count", "A-RUNS", |row| {
        row.first.known().map_or(0, |it| it.count as u64).into()
    })
    .says("How many repetitions of the first have it.", KEPT)
    .drop(4),
    Column::number("second_mean", "B-MEAN", |row| row.second.clone().map(|it| it.mean).into())
        .says("The mean of the second.", KEPT)
        .drop(4),
    Column::number("second_deviation", "B-SD", |row| deviation(&row.second).into())
        .says("The sample standard deviation of the second, from two repetitions on.", KEPT)
        .drop(4),
    Column::count("second_count", "B-RUNS", |row| {
        row.second.known().map_or(0, |it| it.count as u64).into()
    })
    .says("How many repetitions of the second have it.", KEPT)
    .drop(4),
    Column::number("by", "BY", |row| row.difference().map(|it| it.by).into())
        .says("The second mean less the first.", KEPT)
        .drop(4),
    Column::number("by_low", "BY-LOW", |row| row.bound(|it| it.interval, |it| it.low).into())
        .says("Where that lies, 95 % certain: from here on.", KEPT)
        .drop(4),
    Column::number("by_high", "BY-HIGH", |row| row.bound(|it| it.interval, |it| it.high).into())
        .says("Up to here.", KEPT)
        .drop(4),
    Column::number("change", "CHANGE%", |row| row.change().map(|share| 100.0 * share).into())
        .says("The same in percent of the first mean.", KEPT)
        .drop(4),
    Column::number("change_low", "LOW%", |row| {
        row.bound(|it| it.share_interval, |it| 100.0 * it.low).into()
    })
    .says("Where that lies, 95 % certain: from here on.", KEPT)
    .drop(4),
    Column::number("change_high", "HIGH%", |row| {
        row.bound(|it| it.share_interval, |it| 100.0 * it.high).into()
    })
    .says("Up to here.", KEPT)
    .drop(4),
    Column::flag("known", "KNOWN", |row| row.difference().known().is_some().into())
        .says("Do both have it?", KEPT)
        .drop(5),
    Column::flag("zero", "ZERO", |row| row.is_zero().into())
        .says("Is it 0 in both, in each of their repetitions?", KEPT)
        .drop(5),
    Column::text("case", "CASE", |row| or_absent(row.case.clone(), "two runs are compared, which have no cases").into())
        .says("Of two experiments the case, which both have under this name.", KEPT)
        .drop(5),
];

column_ids! { id: ComparisonTable, SPEC;
    DIFFERENCE FIRST NAME SECOND UNIT VERDICT
}

//! Large folios: how many were swapped out whole, and how many were split.

use super::figure::{Better, FigureScope, Measure, RunFigure, per_repetition};
use crate::model::run::{FolioRun, FoliosOverTime, RepetitionResult, Run};
use crate::model::{Bytes, Reading};
use std::collections::BTreeSet;

/// Folios of one size, over all finished repetitions.
#[derive(Clone, Debug, PartialEq)]
pub struct FolioUse {
    /// The size.
    pub size: Bytes,
    /// Swapped out whole: the mean of the repetitions.
    pub whole: Reading<f64>,
    /// Split because no contiguous slots were free: the mean of the repetitions.
    pub split: Reading<f64>,
    /// The share of all attempts that were split: the mean of the repetitions.
    pub fail_rate: Reading<f64>,
}

/// All sizes with statistics, smallest first.
pub fn folios(run: &Run) -> Vec<FolioUse> {
    let row = |size: Bytes| {
        let [whole, split, fail_rate, ..] =
            size_figures(run, size).map(|figure| figure.summary().map(|it| it.mean));
        FolioUse { size, whole, split, fail_rate: fail_rate.map(|percent| percent / 100.0) }
    };
    sizes(run).into_iter().map(row).collect()
}

/// The figures of each size.
pub(super) fn figures(run: &Run) -> Vec<RunFigure> {
    sizes(run).into_iter().flat_map(|size| size_figures(run, size)).collect()
}

const WHOLE: &str = "swpout";
const SPLIT: &str = "swpout_fallback";
const NOT_COUNTED: &str = "this kernel has no such counter";
const NOT_OVER_TIME: &str = "not recorded over time";
const NONE_ATTEMPTED: &str = "no folio of this size was to be swapped out";
const NONE_ATTEMPTED_THEN: &str = "no folio of this size was to be swapped out then";

fn size_figures(run: &Run, size: Bytes) -> [RunFigure; 5] {
    let kilobytes = size.0 / 1024;
    let figure = |id: &str, head: &str, values| RunFigure {
        id: format!("{id}_{kilobytes}kB"),
        head: format!("{kilobytes}kB {head}"),
        measure: Measure::Count,
        better: Better::Lower,
        scope: FigureScope::Machine,
        is_detail: true,
        accuracy: 0.0,
        values,
    };
    let stat = |name: &str| {
        per_repetition(run, |it| {
            let count = find_size(it, size).and_then(|folios| folios.stats.get(name));
            Reading::or_absent(count.map(|count| *count as f64), NOT_COUNTED)
        })
    };
    let rate = |it: &RepetitionResult| fail_rate(find_size(it, size)).map(|rate| 100.0 * rate);
    let between = |from, to| {
        per_repetition(run, |it| fail_rate_in(it, size, (from, to)).map(|rate| 100.0 * rate))
    };
    let percent =
        |id, head, values| RunFigure { measure: Measure::Percent, ..figure(id, head, values) };
    [
        RunFigure { better: Better::Neither, ..figure(WHOLE, "swpout", stat(WHOLE)) },
        figure(SPLIT, "fallback", stat(SPLIT)),
        percent("fail_rate", "failures", per_repetition(run, rate)),
        percent("fail_early", "early failures", between(0.0, 0.25)),
        percent("fail_late", "late failures", between(0.75, 1.0)),
    ]
}

fn sizes(run: &Run) -> BTreeSet<Bytes> {
    run.measured.iter().flat_map(|it| it.folios.iter().map(|folios| folios.size)).collect()
}

fn find_size(measured: &RepetitionResult, size: Bytes) -> Option<&FolioRun> {
    measured.folios.iter().find(|folios| folios.size == size)
}

/// The share of splits of all attempts.
fn fail_rate(folios: Option<&FolioRun>) -> Reading<f64> {
    let tried = folios.and_then(FolioRun::whole_and_split);
    Reading::or_absent(tried, NOT_COUNTED).and_then(|tried| share(tried, NONE_ATTEMPTED))
}

fn share((whole, split): (u64, u64), none: &'static str) -> Reading<f64> {
    let all = whole.saturating_add(split);
    Reading::or_absent((all > 0).then(|| split as f64 / all as f64), none)
}

/// The failure rates of one size over time: the end of each interval, and the rate in it; none if
/// no folio was to be swapped out.
pub type Rates = Vec<(f64, Option<f64>)>;

/// The failure rates of all sizes over time.
pub fn fail_rates_over_time(measured: &RepetitionResult) -> Vec<(Bytes, Rates)> {
    let bounds = (0..=PARTS).map(|part| moment(measured, f64::from(part) / f64::from(PARTS)));
    let mut bounds: Vec<usize> = bounds.flatten().collect();
    // A short run has fewer samples than intervals.
    bounds.dedup();
    let of = |folios: &FoliosOverTime| {
        let rate = |two: &[usize]| {
            let [from, to] = *two else { return None };
            let rate = fail_rate_between(folios, (from, to));
            Some((*measured.used.at.get(to)?, rate.known().copied()))
        };
        (folios.size, bounds.windows(2).filter_map(rate).collect())
    };
    measured.used.folios.iter().map(of).collect()
}

/// The number of intervals of a run.
const PARTS: u32 = 20;

/// The failure rate of one size in a part of the run, between two shares of its time.
fn fail_rate_in(measured: &RepetitionResult, size: Bytes, (from, to): (f64, f64)) -> Reading<f64> {
    let folios = measured.used.folios.iter().find(|folios| folios.size == size);
    match (folios, moment(measured, from), moment(measured, to)) {
        (Some(folios), Some(from), Some(to)) => fail_rate_between(folios, (from, to)),
        // Only sizes that were to be swapped out are recorded.
        _ => match find_size(measured, size).map(FolioRun::whole_and_split) {
            Some(Some((0, 0))) => Reading::absent(NONE_ATTEMPTED),
            Some(None) => Reading::absent(NOT_COUNTED),
            Some(Some(_)) | None => Reading::absent(NOT_OVER_TIME),
        },
    }
}

/// The first sample at or after this share of the run's time. Samples of areas alone are left out.
fn moment(measured: &RepetitionResult, share: f64) -> Option<usize> {
    let used = &measured.used;
    let end = used.at.last()?;
    let is_counted = |place: usize| {
        let mut counts =
            used.folios.iter().flat_map(|it| [it.whole.get(place), it.split.get(place)]);
        used.folios.is_empty() || counts.any(|count| count.is_some_and(Option::is_some))
    };
    let mut moments = used.at.iter().enumerate();
    moments.find(|(place, at)| **at >= share * end && is_counted(*place)).map(|(place, _)| place)
}

/// The failure rate between two samples.
fn fail_rate_between(folios: &FoliosOverTime, (from, to): (usize, usize)) -> Reading<f64> {
    let tried = |place: usize| Some(((*folios.whole.get(place)?)?, (*folios.split.get(place)?)?));
    let (Some(from), Some(to)) = (tried(from), tried(to)) else {
        return Reading::absent(NOT_OVER_TIME);
    };
    share((to.0.saturating_sub(from.0), to.1.saturating_sub(from.1)), NONE_ATTEMPTED_THEN)
}

//! Large folios: how many were swapped out whole, and how many had to be split.

use super::{Better, Figure, Measure, done, each, or_absent};
use crate::model::run::{FolioRun, Measured, Run};
use crate::model::{Bytes, Reading};
use std::collections::BTreeSet;

/// Folios of one size, in all repetitions that came to their end.
#[derive(Clone, Debug, PartialEq)]
pub struct FolioUse {
    /// The size.
    pub size: Bytes,
    /// Swapped out whole: the mean of the repetitions.
    pub whole: Reading<f64>,
    /// Split because no room was found: the mean of the repetitions.
    pub split: Reading<f64>,
    /// How often it was split, of all attempts: a share.
    pub fail_rate: Reading<f64>,
}

/// All sizes that were counted, smallest first.
#[must_use]
pub fn folios(run: &Run) -> Vec<FolioUse> {
    let mean = |size: Bytes, stat: &str| {
        let known = done(run).filter_map(|it| of_size(it, size)?.stats.get(stat).copied());
        or_absent(super::mean(known.map(|count| count as f64)), NOT_COUNTED)
    };
    let row = |size: Bytes| FolioUse {
        size,
        whole: mean(size, WHOLE),
        split: mean(size, SPLIT),
        fail_rate: fail_rate(done(run).filter_map(|it| of_size(it, size))),
    };
    sizes(run).into_iter().map(row).collect()
}

/// Three for each size.
pub(super) fn figures(run: &Run) -> Vec<Figure> {
    sizes(run).into_iter().flat_map(|size| of(run, size)).collect()
}

const WHOLE: &str = "swpout";
const SPLIT: &str = "swpout_fallback";
const NOT_COUNTED: &str = "this kernel does not count that";

fn of(run: &Run, size: Bytes) -> [Figure; 3] {
    let kilobytes = size.0 / 1024;
    let figure = |id: &str, head: &str, values| Figure {
        id: format!("{id}_{kilobytes}kB"),
        head: format!("{kilobytes}kB {head}"),
        measure: Measure::Count,
        better: Better::Lower,
        is_detail: true,
        values,
    };
    let stat = |name: &str| {
        each(run, |it| {
            let count = of_size(it, size).and_then(|folios| folios.stats.get(name));
            or_absent(count.map(|count| *count as f64), NOT_COUNTED)
        })
    };
    let rate = |it: &Measured| fail_rate(of_size(it, size).into_iter()).map(|rate| 100.0 * rate);
    [
        Figure { better: Better::Neither, ..figure(WHOLE, "swpout", stat(WHOLE)) },
        figure(SPLIT, "fallback", stat(SPLIT)),
        Figure { measure: Measure::Percent, ..figure("fail_rate", "failures", each(run, rate)) },
    ]
}

fn sizes(run: &Run) -> BTreeSet<Bytes> {
    run.measured.iter().flat_map(|it| it.folios.iter().map(|folios| folios.size)).collect()
}

fn of_size(measured: &Measured, size: Bytes) -> Option<&FolioRun> {
    measured.folios.iter().find(|folios| folios.size == size)
}

/// Splits against all attempts. zswap takes a folio apart only after it got its slots: those count
/// as successes.
fn fail_rate<'f>(folios: impl Iterator<Item = &'f FolioRun>) -> Reading<f64> {
    let (mut split, mut all, mut counted) = (0_u64, 0_u64, false);
    for folio in folios {
        let stat = |name: &str| folio.stats.get(name).copied();
        let (Some(whole), Some(failed)) = (stat(WHOLE), stat(SPLIT)) else { continue };
        counted = true;
        split = split.saturating_add(failed);
        let zswap = stat("zswpout").unwrap_or(0);
        all = [whole, failed, zswap].into_iter().fold(all, u64::saturating_add);
    }
    if !counted {
        return Reading::absent(NOT_COUNTED);
    }
    or_absent(
        (all > 0).then(|| split as f64 / all as f64),
        "no folio of this size was to be swapped",
    )
}

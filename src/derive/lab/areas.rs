//! How much of each area was used, and how evenly.

use super::figure::{Better, FigureScope, Measure, RunFigure, completed, mean, per_repetition};
use crate::derive::balance;
use crate::derive::metadata::Metadata;
use crate::model::run::{RepetitionResult, Run, RunArea, RunMachine, UsedOverTime};
use crate::model::{Bytes, Reading};
use std::collections::BTreeMap;

/// The usage of an area, over all finished repetitions.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaUse<'r> {
    /// The area.
    pub area: &'r RunArea,
    /// Bytes used when all areas together were fullest: the mean of the repetitions.
    pub peak: Reading<f64>,
    /// This usage as a share of the area's size.
    pub share: Reading<f64>,
    /// Kernel memory for the area at that moment: the mean.
    pub metadata: Reading<f64>,
    /// The part of it that is needed as soon as the area is enabled.
    pub fixed: Reading<Bytes>,
}

impl AreaUse<'_> {
    /// The kind of device.
    pub fn kind(&self) -> Reading<String> {
        Reading::or_absent(self.area.kind.clone(), "the device behind it could not be read")
    }

    /// The compression algorithm of zram.
    pub fn algorithm(&self) -> Reading<String> {
        Reading::or_absent(self.area.algorithm.clone(), "only zram has a compression algorithm")
    }
}

/// The usage of all areas, in the kernel's order.
pub fn areas(run: &Run) -> Vec<AreaUse<'_>> {
    let row = |area| {
        let peaks = completed(run).filter_map(|it| at_peak(it, area)).map(|used| used.0 as f64);
        let peak = Reading::or_absent(mean(peaks), NOT_SEEN);
        let share = peak.clone().and_then(|peak| share(peak, area));
        let metadata = mean_metadata(run, area);
        let fixed = area_metadata(&run.machine, area, Bytes(0)).map(|it| it.fixed);
        AreaUse { area, peak, share, metadata, fixed }
    };
    run.machine.areas.iter().map(row).collect()
}

/// One figure for each area, the imbalance, and the metadata.
pub(super) fn figures(run: &Run) -> Vec<RunFigure> {
    let figure = |id: &str, head: &str, measure, values| RunFigure {
        id: id.to_owned(),
        head: head.to_owned(),
        measure,
        better: Better::Neither,
        scope: FigureScope::Areas,
        is_detail: false,
        accuracy: 0.0,
        values,
    };
    let percent = |id: &str, head: &str, share: &dyn Fn(&RepetitionResult) -> Reading<f64>| {
        let values = per_repetition(run, |it| share(it).map(|share| 100.0 * share));
        figure(id, head, Measure::Percent, values)
    };
    let used = |area: &RunArea| {
        let id = format!("used_peak_{}", area.path.exact());
        let head = format!("{} at peak", area.path.base().safe());
        RunFigure { is_detail: true, ..percent(&id, &head, &|it| share_at_peak(it, area)) }
    };
    let uneven = percent("uneven", "Imbalance at peak", &|it| imbalance(it, &run.machine.areas));
    let uneven = RunFigure { better: Better::Lower, ..uneven };
    // Computed from the usage, so neither good nor bad.
    let metadata = per_repetition(run, |it| total_metadata(run, it));
    let metadata = figure("metadata", "Area metadata", Measure::Mebibytes, metadata);
    [uneven, metadata].into_iter().chain(run.machine.areas.iter().map(used)).collect()
}

/// Kernel memory for an area with this usage.
fn area_metadata(machine: &RunMachine, area: &RunArea, used: Bytes) -> Reading<Metadata> {
    let known =
        Reading::or_absent(machine.kernel.as_deref(), "the release of the kernel was not read");
    let page = Reading::or_absent(machine.page_size, "the size of a page was not read");
    known.and_then2(page, |release, page| Metadata::for_area(release, page, (area.size, used)))
}

/// The mean metadata of an area at the peak of each repetition.
fn mean_metadata(run: &Run, area: &RunArea) -> Reading<f64> {
    let each = completed(run).filter_map(|it| at_peak(it, area)).map(|used| {
        let needed = area_metadata(&run.machine, area, used);
        needed.map(|it| it.all().0 as f64).into_result()
    });
    let each: Reading<Vec<f64>> = each.collect::<Result<_, _>>().into();
    each.and_then(|each| Reading::or_absent(mean(each.into_iter()), NOT_SEEN))
}

/// The metadata of all areas at the peak, in MiB.
fn total_metadata(run: &Run, measured: &RepetitionResult) -> Reading<f64> {
    let areas = &run.machine.areas;
    if areas.is_empty() {
        return Reading::absent("there was no area");
    }
    let each = areas.iter().map(|area| {
        let used = Reading::or_absent(at_peak(measured, area), NOT_SEEN);
        used.and_then(|used| area_metadata(&run.machine, area, used)).into_result()
    });
    let all: Reading<Bytes> = each.map(|it| it.map(Metadata::all)).sum::<Result<_, _>>().into();
    all.map(|all| all.0 as f64 / f64::from(1 << 20))
}

const NOT_SEEN: &str = "its usage was not recorded during the run";

fn share(used: f64, area: &RunArea) -> Reading<f64> {
    let known = (area.size.0 > 0).then(|| used / area.size.0 as f64);
    Reading::or_absent(known, "the area has no size")
}

fn share_at_peak(measured: &RepetitionResult, area: &RunArea) -> Reading<f64> {
    Reading::or_absent(at_peak(measured, area), NOT_SEEN)
        .and_then(|used| share(used.0 as f64, area))
}

/// The usage of an area when all areas together were fullest.
fn at_peak(measured: &RepetitionResult, area: &RunArea) -> Option<Bytes> {
    let moment = peak_sample(&measured.used)?;
    let own = measured.used.areas.iter().find(|over_time| over_time.path == area.path)?;
    *own.used.get(moment)?
}

/// The first sample at which all areas together were fullest.
fn peak_sample(used: &UsedOverTime) -> Option<usize> {
    let total = |moment: usize| -> Bytes {
        used.areas.iter().filter_map(|area| *area.used.get(moment)?).sum()
    };
    (0..used.at.len()).rev().max_by_key(|moment| total(*moment))
}

/// The largest imbalance of all priority groups.
fn imbalance(measured: &RepetitionResult, areas: &[RunArea]) -> Reading<f64> {
    let mut groups: BTreeMap<i32, (Vec<Bytes>, Vec<Bytes>)> = BTreeMap::new();
    for area in areas {
        let Some(used) = at_peak(measured, area) else { continue };
        let (sizes, all_used) = groups.entry(area.priority).or_default();
        sizes.push(area.size);
        all_used.push(used);
    }
    let each = groups.values().map(|(sizes, used)| balance::imbalance(sizes, used));
    let most = each.filter_map(|it| it.known().copied()).max_by(f64::total_cmp);
    Reading::or_absent(most, "no areas of equal priority held enough to compare them")
}

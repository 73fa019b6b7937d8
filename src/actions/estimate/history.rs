//! How fast areas were drained before, by device kind, from the journal; and the time that draining
//! finally took.

use super::EstimateBasis;
use crate::actions::Step;
use crate::actions::journal::{Event, Record};
use crate::columns::units;
use crate::derive::speed::{self, Speed};
use crate::model::block::BlockDevice;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Name, Reading, Snapshot, zram};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Drains of less than this take the time of disabling an area rather than that of moving pages.
pub(super) const LEAST: Bytes = Bytes(8 << 20);

/// The present areas and the drains of earlier plans.
#[derive(Clone, Copy, Debug)]
pub struct DrainHistory<'a> {
    pub(super) areas: &'a [SwapArea],
    /// The devices behind the areas, in the same order.
    pub(super) blocks: &'a [Reading<BlockDevice>],
    pub(super) records: &'a [Record],
    /// Seconds that areas would take by a live measurement.
    pub tried: &'a [(Name, f64)],
    /// Areas whose contents do not fit into the memory limits of the cgroups that they return to.
    pub limited: &'a [Name],
    /// Whether the machine is a capture, which cannot be measured.
    pub is_capture: bool,
}

/// One drain of an area.
struct PastDrain<'r> {
    record: &'r Record,
    path: Name,
    moved: f64,
    seconds: f64,
}

impl<'a> DrainHistory<'a> {
    /// The history for this machine.
    pub fn from_snapshot(snapshot: &'a Snapshot, records: &'a [Record]) -> Self {
        let areas = snapshot.areas();
        let blocks = snapshot.block.reading.known_items();
        Self { areas, blocks, records, tried: &[], limited: &[], is_capture: false }
    }

    #[cfg(test)]
    pub(super) fn without_devices(areas: &'a [SwapArea], records: &'a [Record]) -> Self {
        Self { areas, blocks: &[], records, tried: &[], limited: &[], is_capture: false }
    }

    /// The area that a step disables.
    pub(super) fn area(&self, step: &Step) -> Option<&'a SwapArea> {
        let path = &step.disabled_area()?.path;
        self.areas.iter().find(|area| area.path == *path)
    }

    /// Areas with data whose reads should be measured: zram areas without a known rate or with so
    /// little data that a rate says nothing, and all others, because their present load matters more than an old rate.
    pub fn areas_to_measure(&self, steps: &[Step]) -> Vec<Name> {
        let is_wanted = |step: &&Step| {
            let is_zram = |area: &SwapArea| zram::device_number(&area.path).is_some();
            step.moves(self.areas) > Bytes(0)
                && self.area(step).is_some_and(|area| {
                    !is_zram(area)
                        || step.moves(self.areas) < LEAST
                        || self.drain_rate(step).is_none()
                })
        };
        let steps = steps.iter().filter(is_wanted).filter_map(Step::disabled_area);
        steps.map(|area| area.path.clone()).collect()
    }

    /// Seconds for the area of a step by a live measurement.
    pub(super) fn measured_seconds(&self, step: &Step) -> Option<f64> {
        let path = &step.disabled_area()?.path;
        self.tried.iter().find(|(of, _)| of == path).map(|(_, seconds)| *seconds)
    }

    /// Whether a cgroup would exceed its memory limit in this step.
    pub(super) fn exceeds_limit(&self, step: &Step) -> bool {
        step.disabled_area().is_some_and(|area| self.limited.contains(&area.path))
    }

    /// The rate of the last drain of a step's area, or that of all similar devices. An area that
    /// was recreated or resized since counts as another one.
    pub(super) fn drain_rate(&self, step: &Step) -> Option<(f64, EstimateBasis)> {
        let area = self.area(step)?;
        let kind = self.kind(area);
        let (mut is_same, mut drains, mut moved, mut seconds) = (true, 0, 0.0, 0.0);
        for (record, event) in self.events() {
            is_same &= !recreates_area(record, event, &area.path);
            let Some(drain) = PastDrain::from_event(record, event) else { continue };
            if is_same && drain.was_off(area) {
                let basis = EstimateBasis::Measured { at_ms: record.at_ms };
                return Some((drain.moved / drain.seconds, basis));
            }
            if kind.is_some() && drain.kind() == kind {
                drains += 1;
                moved += drain.moved;
                seconds += drain.seconds;
            }
        }
        let basis = EstimateBasis::SimilarDevices { kind, drains };
        (drains > 0).then_some((moved / seconds, basis))
    }

    fn kind(&self, area: &SwapArea) -> Option<DeviceKind> {
        let place = self.areas.iter().position(|other| other.path == area.path);
        let unknown = Reading::not_sampled();
        let block = place.and_then(|place| self.blocks.get(place)).unwrap_or(&unknown);
        DeviceKind::from_device(area, block)
    }

    /// All events, last first.
    fn events(&self) -> impl Iterator<Item = (&'a Record, &'a Event)> {
        let records = self.records.iter().rev();
        records.flat_map(|record| record.events.iter().rev().map(move |event| (record, event)))
    }
}

/// Did this event create, set up, remove or format the device or file of an area?
fn recreates_area(record: &Record, event: &Event, path: &Name) -> bool {
    let Event::Made { step, .. } = event else { return false };
    match record.steps.get(*step) {
        // The folder of a zram device and its node have one name.
        Some(Step::Zram { folder, .. }) => folder.base() == path.base(),
        Some(Step::Header { path: of, .. } | Step::File { path: of, .. }) => of == path,
        _ => false,
    }
}

impl<'r> PastDrain<'r> {
    fn from_event(record: &'r Record, event: &Event) -> Option<Self> {
        let Event::Made { step, back, moved, seconds } = event else { return None };
        let made = record.steps.get(*step)?;
        let made = if *back { made.inverse()? } else { made.clone() };
        let path = made.disabled_area()?.path.clone();
        // Pages that are lost take no time, nor do those of processes that were killed.
        let has_lost = |event: &Event| {
            matches!(event, Event::Killed(_))
                || matches!(event, Event::FailedReads(it) if it.area == path)
        };
        let is_whole = !record.events.iter().any(has_lost);
        let enough = Bytes(*moved) >= LEAST && *seconds > 0.0 && is_whole;
        enough.then_some(Self { record, path, moved: *moved as f64, seconds: *seconds })
    }

    /// Was it a drain of this area, by name and, if recorded, size?
    fn was_off(&self, area: &SwapArea) -> bool {
        let mut stood = self.record.areas.iter().filter(|stood| stood.path == area.path);
        self.path == area.path && stood.all(|stood| stood.size == area.size)
    }

    /// The device kind at that time.
    fn kind(&self) -> Option<DeviceKind> {
        let stood = self.record.areas.iter().find(|stood| stood.path == self.path);
        stood.and_then(|stood| stood.kind).or_else(|| DeviceKind::from_name(&self.path))
    }
}

/// A kind of device: areas of one kind drain about equally fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceKind {
    /// Speed class of the device.
    speed: Speed,
    /// Is there a file system in between?
    file: bool,
}

impl DeviceKind {
    /// The kind of an area on this device, if known.
    pub fn from_device(area: &SwapArea, device: &Reading<BlockDevice>) -> Option<Self> {
        let file = area.kind == AreaKind::File;
        let speed = speed::speed_class(device, None).known().copied();
        speed.map(|speed| Self { speed, file }).or_else(|| Self::from_name(&area.path))
    }

    /// The kind that the name alone shows.
    pub(super) fn from_name(path: &Name) -> Option<Self> {
        zram::device_number(path).map(|_| Self { speed: Speed::Zram, file: false })
    }

    /// Names other devices of this kind.
    pub(super) fn describe_others(self) -> &'static str {
        match (self.speed, self.file) {
            (Speed::Zram, false) => "other zram devices",
            (Speed::Solid, false) => "other solid state devices",
            (Speed::Rotational, false) => "other rotational devices",
            (Speed::Remote, false) => "other network devices",
            (Speed::Zram, true) => "other files on zram devices",
            (Speed::Solid, true) => "other files on solid state devices",
            (Speed::Rotational, true) => "other files on rotational devices",
            (Speed::Remote, true) => "other files on network devices",
        }
    }
}

/// The time that draining took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrainTime {
    /// Total time for the areas of the plan that held data.
    pub took: Duration,
    /// The estimate, if there was one.
    pub expected: Option<Duration>,
}

impl DrainTime {
    /// The drain time after a plan; `None` if none of its areas held data.
    pub fn from_duration(took: Duration) -> Option<Self> {
        (took > Duration::ZERO).then_some(Self { took, expected: None })
    }

    /// Adds the estimate.
    pub fn with_expected(self, expected: Option<f64>) -> Self {
        // A plan that expected nothing to move has no estimate for what came since.
        let expected = expected.filter(|seconds| *seconds > 0.0);
        let expected = expected.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Self { expected, ..self }
    }

    /// Describes it in a sentence.
    pub fn describe(self) -> String {
        let time = |duration: Duration| units::seconds(duration.as_secs_f64());
        let took = time(self.took);
        match self.expected {
            Some(expected) => format!("Draining took {took} (estimated {}).", time(expected)),
            None => format!("Draining took {took}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_time_is_shown_with_actual_time() {
        assert_eq!(DrainTime::from_duration(Duration::ZERO), None, "nothing was drained");
        let emptied = DrainTime::from_duration(Duration::from_millis(1500)).unwrap();
        let words = emptied.with_expected(Some(2.0)).describe();
        assert_eq!(words, "Draining took 1.5s (estimated 2s).");
        for unknown in [None, Some(0.0), Some(f64::NAN), Some(-1.0)] {
            let words = emptied.with_expected(unknown).describe();
            assert_eq!(words, "Draining took 1.5s.");
        }
    }
}

//! How fast areas were emptied before, as the journal tells, by the kind of what carries them; and what
//! emptying took in the end, beside what was said of it before.

use crate::actions::Step;
use crate::actions::journal::{Event, Record};
use crate::columns::units;
use crate::derive::speed::{self, Speed};
use crate::model::block::BlockDevice;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Name, Reading, Snapshot, zram};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What was moved in less than this says more of the start than of the pace.
const LEAST: Bytes = Bytes(8 << 20);

/// The areas as they are, and what earlier plans tell.
#[derive(Clone, Copy, Debug)]
pub struct DrainHistory<'a> {
    pub(super) areas: &'a [SwapArea],
    /// The devices behind them, in order.
    blocks: &'a [Reading<BlockDevice>],
    records: &'a [Record],
    /// How many seconds areas would take by what was tried out.
    tried: &'a [(Name, f64)],
}

/// Bytes a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DrainRate {
    /// Of the area itself, and when that was.
    Own(f64, u64),
    /// Of others of this kind, so many times.
    OfKind(f64, DeviceKind, u32),
}

/// Something that was moved off an area.
struct PastDrain<'r> {
    record: &'r Record,
    path: Name,
    moved: f64,
    seconds: f64,
}

impl<'a> DrainHistory<'a> {
    /// Of this machine.
    pub fn from_snapshot(snapshot: &'a Snapshot, records: &'a [Record]) -> Self {
        let areas = snapshot.swaps.reading.known().map_or(&[][..], Vec::as_slice);
        let blocks = snapshot.block.reading.known().map_or(&[][..], Vec::as_slice);
        Self { areas, blocks, records, tried: &[] }
    }

    /// With what was tried out.
    pub fn with_measured(self, tried: &'a [(Name, f64)]) -> Self {
        Self { tried, ..self }
    }

    #[cfg(test)]
    pub(super) fn without_devices(areas: &'a [SwapArea], records: &'a [Record]) -> Self {
        Self { areas, blocks: &[], records, tried: &[] }
    }

    #[cfg(test)]
    pub(super) fn with_devices(self, blocks: &'a [Reading<BlockDevice>]) -> Self {
        Self { blocks, ..self }
    }

    /// The area that a step takes off.
    pub(super) fn area(&self, step: &Step) -> Option<&'a SwapArea> {
        let path = &step.disabled_area()?.path;
        self.areas.iter().find(|area| area.path == *path)
    }

    /// Areas that hold something, and whose pages are to be read on trial: of zram those of whose like
    /// nobody knows how fast they are emptied; of all others, as how busy they are matters more than how
    /// fast they once were.
    pub fn areas_to_measure(&self, steps: &[Step]) -> Vec<Name> {
        let is_wanted = |step: &&Step| {
            let is_zram = |area: &SwapArea| zram::device_number(&area.path).is_some();
            step.moves(self.areas) > Bytes(0)
                && self.area(step).is_some_and(|area| !is_zram(area) || self.drain_rate(step).is_none())
        };
        let steps = steps.iter().filter(is_wanted).filter_map(Step::disabled_area);
        steps.map(|area| area.path.clone()).collect()
    }

    /// How many seconds the area of a step would take by what was tried out.
    pub(super) fn measured_seconds(&self, step: &Step) -> Option<f64> {
        let path = &step.disabled_area()?.path;
        self.tried.iter().find(|(of, _)| of == path).map(|(_, seconds)| *seconds)
    }

    /// How fast the area of a step was when something was last moved off it; or else all others of
    /// its kind. One that was made anew since then, or had another size, is another one.
    pub(super) fn drain_rate(&self, step: &Step) -> Option<DrainRate> {
        let area = self.area(step)?;
        let kind = self.kind(area);
        let (mut is_same, mut drains, mut moved, mut seconds) = (true, 0, 0.0, 0.0);
        for (record, event) in self.events() {
            is_same &= !recreates_area(record, event, &area.path);
            let Some(drain) = PastDrain::from_event(record, event) else { continue };
            if is_same && drain.was_off(area) {
                return Some(DrainRate::Own(drain.moved / drain.seconds, record.at_ms));
            }
            if kind.is_some() && drain.kind() == kind {
                drains += 1;
                moved += drain.moved;
                seconds += drain.seconds;
            }
        }
        kind.filter(|_| drains > 0).map(|kind| DrainRate::OfKind(moved / seconds, kind, drains))
    }

    fn kind(&self, area: &SwapArea) -> Option<DeviceKind> {
        let place = self.areas.iter().position(|other| other.path == area.path);
        let unknown = Reading::not_sampled();
        let block = place.and_then(|place| self.blocks.get(place)).unwrap_or(&unknown);
        DeviceKind::from_device(area, block)
    }

    /// All that happened, last first.
    fn events(&self) -> impl Iterator<Item = (&'a Record, &'a Event)> {
        let records = self.records.iter().rev();
        records.flat_map(|record| record.events.iter().rev().map(move |event| (record, event)))
    }
}

/// Was what carries an area made, set up, removed or formatted then?
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
        let enough = Bytes(*moved) >= LEAST && *seconds > 0.0;
        enough.then_some(Self { record, path, moved: *moved as f64, seconds: *seconds })
    }

    /// Was it off this area, as far as its name and its size say, where that is known?
    fn was_off(&self, area: &SwapArea) -> bool {
        let mut stood = self.record.areas.iter().filter(|stood| stood.path == area.path);
        self.path == area.path && stood.all(|stood| stood.size == area.size)
    }

    /// What carried the area then.
    fn kind(&self) -> Option<DeviceKind> {
        let stood = self.record.areas.iter().find(|stood| stood.path == self.path);
        stood.and_then(|stood| stood.kind).or_else(|| DeviceKind::from_name(&self.path))
    }
}

/// Areas of one kind take about as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceKind {
    /// How fast the device is.
    speed: Speed,
    /// Is there a file system between?
    file: bool,
}

impl DeviceKind {
    /// That of an area on this device, where that is known.
    pub fn from_device(area: &SwapArea, device: &Reading<BlockDevice>) -> Option<Self> {
        let file = area.kind == AreaKind::File;
        let speed = speed::speed_class(device, None).known().copied();
        speed.map(|speed| Self { speed, file }).or_else(|| Self::from_name(&area.path))
    }

    /// What the name alone says.
    pub(super) fn from_name(path: &Name) -> Option<Self> {
        zram::device_number(path).map(|_| Self { speed: Speed::Zram, file: false })
    }

    /// How others of it are called.
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

/// How long it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrainTime {
    /// All areas of the plan that held something, one after the other.
    pub took: Duration,
    /// What had been expected, where anything was.
    pub expected: Option<Duration>,
}

impl DrainTime {
    /// After a plan; nothing where none of its areas held anything.
    pub fn from_duration(took: Duration) -> Option<Self> {
        (took > Duration::ZERO).then_some(Self { took, expected: None })
    }

    /// The same, beside what a forecast had said.
    pub fn with_expected(self, expected: Option<f64>) -> Self {
        let expected = expected.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Self { expected, ..self }
    }

    /// In a sentence.
    pub fn describe(self) -> String {
        let time = |duration: Duration| units::seconds(duration.as_secs_f64());
        let took = time(self.took);
        match self.expected {
            Some(expected) => format!("Emptying took {took}, and {} was expected.", time(expected)),
            None => format!("Emptying took {took}; nothing had told how long it would."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_time_is_shown_with_actual_time() {
        assert_eq!(DrainTime::from_duration(Duration::ZERO), None, "nothing was emptied");
        let emptied = DrainTime::from_duration(Duration::from_millis(1500)).unwrap();
        let words = emptied.with_expected(Some(2.0)).describe();
        assert_eq!(words, "Emptying took 1.5s, and 2s was expected.");
        for unknown in [None, Some(f64::NAN), Some(-1.0)] {
            let words = emptied.with_expected(unknown).describe();
            assert_eq!(words, "Emptying took 1.5s; nothing had told how long it would.");
        }
    }
}

//! Estimates how long a step takes: from earlier drains of the area, from similar devices, or from
//! a live measurement.

mod history;

pub use history::{DeviceKind, DrainHistory, DrainTime};

use super::Step;
use crate::columns::units;
use crate::model::Bytes;

/// The bases of estimates with their explanations.
pub const BASES: [(&str, &str); 6] = [
    ("nothing", "No data to move."),
    ("measured", "The rate of the last drain of the same area."),
    (
        "alike",
        "The rate of drains of other areas of the same kind: zram, solid state, rotational, network, or a file on one of these.",
    ),
    (
        "tried",
        "A short test now: the time of page faults, of reads from the area and of an RCU grace period (until every CPU has passed through the kernel), and the size of all page tables. For areas that are not on zram it is used unless reads need disk seeks or zswap holds pages; for zram it is used only if less than 8 MiB has to move, or neither this area nor a similar one was ever drained.",
    ),
    (
        "unknown",
        "No estimate: it cannot be measured now, and earlier drains do not help. Either no drain of this area or a similar one is in the journal, or less than 8 MiB has to move, for which their rate says nothing.",
    ),
    ("unseen", "The usage of the area is unknown."),
];

/// The estimated time of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// No data to move.
    Nothing,
    /// An estimate with its basis.
    Known {
        /// Bytes per second.
        rate: f64,
        /// Estimated time of this step.
        seconds: f64,
        /// The basis.
        basis: EstimateBasis,
        /// Whether a cgroup at its memory limit makes the step longer: its excess is written to other areas meanwhile.
        is_least: bool,
    },
    /// The journal has no comparable drain.
    Unknown,
    /// The journal has none, and the machine is a capture.
    Capture,
    /// The usage of the area is unknown.
    Unreadable,
}

/// The basis of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EstimateBasis {
    /// The last drain of the same area.
    Measured {
        /// Time of that drain, in milliseconds since 1970, UTC.
        at_ms: u64,
    },
    /// Drains of similar devices.
    SimilarDevices {
        /// The device kind; `None` if several are involved.
        kind: Option<DeviceKind>,
        /// Number of drains.
        drains: u32,
    },
    /// A live measurement of page faults and reads.
    Timed {
        /// Whether the journal has drains of this area or similar ones, which a live measurement outranks.
        drained: bool,
    },
}

impl EstimateBasis {
    /// The weaker basis of two. Of two measured ones the older date is kept.
    fn weaker(self, other: Self) -> Self {
        match (self, other) {
            (Self::Measured { at_ms }, Self::Measured { at_ms: then }) => {
                Self::Measured { at_ms: at_ms.min(then) }
            }
            (
                Self::SimilarDevices { kind, drains },
                Self::SimilarDevices { kind: second, drains: others },
            ) => {
                let same = kind.is_some() && kind == second;
                let drains = if same { drains.max(others) } else { drains.saturating_add(others) };
                Self::SimilarDevices { kind: kind.filter(|_| same), drains }
            }
            (similar @ Self::SimilarDevices { .. }, Self::Measured { .. })
            | (Self::Measured { .. }, similar @ Self::SimilarDevices { .. }) => similar,
            (Self::Timed { .. }, _) | (_, Self::Timed { .. }) => {
                let is_new = |basis| matches!(basis, Self::Timed { drained: false });
                Self::Timed { drained: !is_new(self) && !is_new(other) }
            }
        }
    }
}

impl Estimate {
    /// Estimates the time to move this many bytes.
    fn for_moves(step: &Step, moves: Bytes, past: &DrainHistory<'_>) -> Self {
        if moves == Bytes(0) {
            return Self::Nothing;
        }
        let (past_rate, is_small) = (past.drain_rate(step), moves < history::LEAST);
        let is_least = past.exceeds_limit(step);
        let moves = moves.0 as f64;
        if let Some(seconds) = past.measured_seconds(step) {
            let basis = EstimateBasis::Timed { drained: past_rate.is_some() };
            return Self::Known { rate: moves / seconds, seconds, basis, is_least };
        }
        match past_rate.filter(|_| !is_small) {
            Some((rate, basis)) => Self::Known { rate, seconds: moves / rate, basis, is_least },
            None if past.is_capture => Self::Capture,
            None => Self::Unknown,
        }
    }

    /// The sum of two estimates, with the weaker basis of both.
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unreadable, _) | (_, Self::Unreadable) => Self::Unreadable,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Capture, _) | (_, Self::Capture) => Self::Capture,
            (Self::Nothing, known) | (known, Self::Nothing) => known,
            (
                Self::Known { rate, seconds, basis, is_least },
                Self::Known { rate: second, seconds: more, basis: other, is_least: also },
            ) => {
                let all = seconds + more;
                let rate = (rate * seconds + second * more) / all;
                let (basis, is_least) = (basis.weaker(other), is_least || also);
                Self::Known { rate, seconds: all, basis, is_least }
            }
        }
    }

    /// The shortest and the longest time to expect, in seconds. The bounds are wider where less was measured
    /// on this machine, and wider above: on slow virtual machines a swapoff took up to 2.8 times the time that
    /// a live measurement gave. There is no longest time where a cgroup makes the step longer.
    pub fn range(self) -> Option<(f64, Option<f64>)> {
        let Self::Known { seconds, basis, is_least, .. } = self else { return None };
        if is_least {
            return Some((seconds, None));
        }
        let (least, most) = match basis {
            EstimateBasis::Measured { .. } => (0.7, 1.5),
            EstimateBasis::SimilarDevices { .. } | EstimateBasis::Timed { drained: true } => {
                (0.6, 2.0)
            }
            EstimateBasis::Timed { drained: false } => (0.5, 3.0),
        };
        (seconds > 0.0).then_some((seconds * least, Some(seconds * most)))
    }

    /// The estimated seconds, if known.
    pub fn seconds(self) -> Option<f64> {
        match self {
            Self::Nothing => Some(0.0),
            Self::Known { seconds, .. } => Some(seconds),
            Self::Unknown | Self::Capture | Self::Unreadable => None,
        }
    }

    /// Describes the estimated seconds with their range.
    pub fn describe_time(self) -> Option<String> {
        let time = units::seconds(self.seconds()?);
        Some(match self.range() {
            Some((least, Some(most))) => {
                format!("about {time} ({} to {})", units::seconds(least), units::seconds(most))
            }
            Some((_, None)) => format!("at least {time}"),
            None => format!("about {time}"),
        })
    }

    /// The basis, as a word of [`BASES`].
    pub fn basis(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Known { basis: EstimateBasis::Measured { .. }, .. } => "measured",
            Self::Known { basis: EstimateBasis::SimilarDevices { .. }, .. } => "alike",
            Self::Known { basis: EstimateBasis::Timed { .. }, .. } => "tried",
            Self::Unknown | Self::Capture => "unknown",
            Self::Unreadable => "unseen",
        }
    }

    /// Describes the estimate and its basis.
    pub fn describe(self) -> String {
        match self {
            Self::Nothing => "no data to move".to_owned(),
            Self::Known { rate, basis, .. } => {
                let (time, rate) = (self.describe_time().unwrap_or_default(), units::bytes(rate));
                let basis = match basis {
                    EstimateBasis::Measured { at_ms } => {
                        format!("as on {}", units::date_to_minute(at_ms))
                    }
                    EstimateBasis::SimilarDevices { kind, drains } => {
                        let others = kind.map_or("similar areas", DeviceKind::describe_others);
                        let times = if drains == 1 { "drain" } else { "drains" };
                        format!("as {others} ({drains} {times})")
                    }
                    EstimateBasis::Timed { drained: true } => "measured now".to_owned(),
                    EstimateBasis::Timed { drained: false } => {
                        "measured now; no area of this kind was drained yet".to_owned()
                    }
                };
                format!("{time} at {rate}/s, {basis}")
            }
            Self::Unknown => {
                "unknown: it cannot be measured here, and no earlier drain is comparable".to_owned()
            }
            Self::Capture => "unknown: a capture cannot be measured".to_owned(),
            Self::Unreadable => "no estimate: the usage of the area is unknown".to_owned(),
        }
    }
}

/// The data that a step moves, and the time this takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Bytes to move; `None` if unknown.
    pub moves: Option<Bytes>,
    /// The estimated time.
    pub time: Estimate,
}

impl Forecast {
    /// No data to move.
    pub const NONE: Self = Self { moves: Some(Bytes(0)), time: Estimate::Nothing };

    /// Estimates a step from earlier plans.
    pub fn for_step(step: &Step, past: &DrainHistory<'_>) -> Self {
        let is_unseen = past.area(step).is_some_and(|area| area.used.known().is_none());
        if is_unseen {
            return Self { moves: None, time: Estimate::Unreadable };
        }
        let moves = step.moves(past.areas);
        Self { moves: Some(moves), time: Estimate::for_moves(step, moves, past) }
    }

    /// The sum of consecutive steps; unknown if one of them is.
    pub fn sum(all: &[Self]) -> Self {
        all.iter().fold(Self::NONE, |sum, one| {
            let moves = sum.moves.zip(one.moves).map(|(sum, more)| sum.saturating_add(more));
            Self { moves, time: sum.time.plus(one.time) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::journal::{Event, Record, RecordedArea};
    use crate::derive::speed::testing::device;
    use crate::model::activation::{Activation, Discard, Priority};
    use crate::model::block::BlockKind;
    use crate::model::swaparea::testing::area;
    use crate::model::swaparea::{AreaKind, FailedReads, SwapArea};
    use crate::model::{Name, Reading};

    fn off(path: &str) -> Step {
        let (priority, discard) = (Priority::Set(1), Discard::None);
        Step::Off { area: Activation { path: path.into(), priority, discard } }
    }

    fn record(plan: u64, step: Step, moved: u64, seconds: f64) -> Record {
        Record {
            plan,
            at_ms: 1_790_000_000_000 + plan * 60_000,
            steps: vec![step],
            events: vec![Event::Made { step: 0, back: false, moved, seconds }],
            ..Record::default()
        }
    }

    #[test]
    fn time_is_estimated_only_after_a_measurement() {
        let mut failing = record(6, off("/dev/a"), 900 << 20, 1.0);
        failing.events.push(Event::FailedReads(FailedReads { area: "/dev/a".into(), reads: 1 }));
        let records = [
            record(1, off("/dev/a"), 100 << 20, 10.0),
            record(2, off("/dev/a"), 200 << 20, 10.0),
            record(3, off("/dev/a"), 1 << 20, 10.0),
            record(4, off("/dev/b"), 900 << 20, 1.0),
            record(5, off("/dev/a").inverse().unwrap(), 900 << 20, 1.0),
            failing,
        ];
        let areas = ["/dev/a", "/dev/c"].map(|path| area(path, 5, 1 << 30, 400 << 20));
        let past = DrainHistory::without_devices(&areas, &records);
        let of = |path: &str, moves| Estimate::for_moves(&off(path), Bytes(moves), &past);
        assert_eq!(of("/dev/a", 0), Estimate::Nothing);
        assert_eq!(of("/dev/c", 1), Estimate::Unknown);
        let capture =
            DrainHistory { is_capture: true, ..DrainHistory::without_devices(&areas, &records) };
        let unknown = Estimate::for_moves(&off("/dev/c"), Bytes(1), &capture);
        assert_eq!(unknown.describe(), "unknown: a capture cannot be measured");
        assert_eq!((unknown.basis(), unknown.seconds()), ("unknown", None));
        let words = of("/dev/a", 400 << 20).describe();
        assert_eq!(words, "about 20s (14s to 30s) at 20M/s, as on 2026-09-21 14:15Z");
        let limited = ["/dev/a".into()];
        let limited = DrainHistory { limited: &limited, ..past };
        let slowed = Estimate::for_moves(&off("/dev/a"), Bytes(400 << 20), &limited);
        assert_eq!(slowed.describe(), "at least 20s at 20M/s, as on 2026-09-21 14:15Z");
        assert_eq!(slowed.range(), Some((20.0, None)));
        let small = of("/dev/a", 4096);
        assert_eq!((small.basis(), small.seconds()), ("unknown", None), "a rate says little here");
    }

    /// A drain of an area of 1 GiB on such a device.
    fn drained(plan: u64, path: &str, kind: Option<DeviceKind>, moved: u64) -> Record {
        let stood = RecordedArea { path: path.into(), size: Bytes(1 << 30), priority: 1, kind };
        Record { areas: vec![stood], ..record(plan, off(path), moved << 20, 10.0) }
    }

    #[test]
    fn new_area_is_estimated_from_similar_devices() {
        let disk = |name: &str, rotates| Reading::Known(device(name, BlockKind::Disk, rotates));
        let mut areas: Vec<SwapArea> = ["/dev/zram0", "/dev/sda1", "/dev/nvme0", "/swapfile"]
            .map(|path| area(path, 5, 1 << 30, 400 << 20))
            .to_vec();
        areas[3].kind = AreaKind::File;
        let zram = Reading::Known(device("zram0", BlockKind::Zram, false));
        let blocks = [zram, disk("sda", true), disk("nvme0", false), disk("sda", true)];
        let [rotational, file] =
            [1, 3].map(|place| DeviceKind::from_device(&areas[place], &blocks[place]));
        assert_eq!(
            DeviceKind::from_device(&areas[0], &Reading::not_sampled()),
            DeviceKind::from_device(&areas[0], &blocks[0])
        );
        let records = [
            // Old journals have no device kind; for zram the name gives it.
            record(1, off("/dev/zram7"), 300 << 20, 10.0),
            drained(2, "/dev/zram8", DeviceKind::from_device(&areas[0], &blocks[0]), 100),
            drained(3, "/dev/sdb1", rotational, 50),
            record(4, off("/dev/sdc"), 900 << 20, 1.0),
        ];
        let past =
            DrainHistory { blocks: &blocks, ..DrainHistory::without_devices(&areas, &records) };
        let words = |path: &str| Forecast::for_step(&off(path), &past).time.describe();
        assert_eq!(
            words("/dev/zram0"),
            "about 20s (12s to 40s) at 20M/s, as other zram devices (2 drains)"
        );
        assert_eq!(
            words("/dev/sda1"),
            "about 80s (48s to 2m40s) at 5M/s, as other rotational devices (1 drain)"
        );
        assert!(words("/dev/nvme0").starts_with("unknown"), "{}", words("/dev/nvme0"));
        assert!(words("/swapfile").starts_with("unknown"), "a file is not a device");
        let records = [records.to_vec(), vec![drained(5, "/other", file, 100)]].concat();
        let past =
            DrainHistory { blocks: &blocks, ..DrainHistory::without_devices(&areas, &records) };
        let of = |path: &str| Forecast::for_step(&off(path), &past);
        let words = of("/swapfile").time.describe();
        assert_eq!(
            words,
            "about 40s (24s to 80s) at 10M/s, as other files on rotational devices (1 drain)"
        );
        let sum = Forecast::sum(&[of("/dev/zram0"), of("/dev/sda1")]).time;
        assert_eq!(
            sum.describe(),
            "about 1m40s (60s to 3m20s) at 8M/s, as similar areas (3 drains)"
        );
    }

    #[test]
    fn live_measurement_outranks_history() {
        let areas = ["/dev/a", "/dev/b", "/dev/c"].map(|path| area(path, 5, 1 << 30, 400 << 20));
        let records = [record(1, off("/dev/a"), 100 << 20, 10.0)];
        let steps = ["/dev/a", "/dev/b", "/dev/c", "/dev/none"].map(off);
        let past = DrainHistory::without_devices(&areas, &records);
        assert_eq!(past.areas_to_measure(&steps), ["/dev/a", "/dev/b", "/dev/c"].map(Name::from));
        let zram = ["/dev/zram3"].map(|path| area(path, 5, 1 << 30, 400 << 20));
        let emptied = [record(1, off("/dev/zram3"), 100 << 20, 10.0)];
        let to_try = |records| {
            DrainHistory::without_devices(&zram, records).areas_to_measure(&[off("/dev/zram3")])
        };
        assert_eq!([to_try(&[]).len(), to_try(&emptied).len()], [1, 0]);
        let few = [area("/dev/zram3", 5, 1 << 30, 4096)];
        let few = DrainHistory::without_devices(&few, &emptied);
        assert_eq!(few.areas_to_measure(&[off("/dev/zram3")]).len(), 1, "a rate says little here");
        let tried = [(Name::from("/dev/b"), 20.0)];
        let past = DrainHistory { tried: &tried, ..past };
        let of = |place: usize| Forecast::for_step(&steps[place], &past);
        assert_eq!(
            of(1).time.describe(),
            "about 20s (10s to 60s) at 20M/s, measured now; no area of this kind was drained yet"
        );
        let known = [record(1, off("/dev/b"), 100 << 20, 10.0)];
        let past_b =
            DrainHistory { tried: &tried, ..DrainHistory::without_devices(&areas, &known) };
        let described = Forecast::for_step(&steps[1], &past_b).time.describe();
        assert_eq!(described, "about 20s (12s to 40s) at 20M/s, measured now");
        assert_eq!(
            [0, 2, 3].map(|place| of(place).time.basis()),
            ["measured", "unknown", "nothing"]
        );
        let both = Forecast::sum(&[of(0), of(1)]).time;
        assert_eq!((both.basis(), both.seconds()), ("tried", Some(60.0)));
    }

    #[test]
    fn recreated_area_counts_as_a_similar_device() {
        let areas = [area("/dev/zram0", 5, 1 << 30, 400 << 20)];
        let basis = |records: &[Record]| {
            Forecast::for_step(&off("/dev/zram0"), &DrainHistory::without_devices(&areas, records))
                .time
                .basis()
        };
        let drain = drained(1, "/dev/zram0", None, 100);
        assert_eq!(basis(std::slice::from_ref(&drain)), "measured");
        let mut smaller = drain.clone();
        smaller.areas[0].size = Bytes(1 << 20);
        assert_eq!(basis(&[smaller]), "alike");
        let removed = |number| record(2, Step::zram(number, None, None), 0, 0.0);
        assert_eq!(basis(&[drain.clone(), removed(0)]), "alike");
        assert_eq!(basis(&[drain, removed(1)]), "measured");
    }

    #[test]
    fn plan_time_is_the_sum_of_its_steps_or_unknown() {
        let records =
            [record(1, off("/dev/a"), 100 << 20, 10.0), record(2, off("/dev/b"), 200 << 20, 10.0)];
        let mut areas: Vec<SwapArea> = ["/dev/a", "/dev/b", "/dev/c", "/dev/d"]
            .map(|path| area(path, 5, 1 << 30, 400 << 20))
            .to_vec();
        areas[3].used = Reading::failed("wrapped");
        let past = DrainHistory::without_devices(&areas, &records);
        let of = |paths: &[&str]| {
            let of = |path: &&str| Forecast::for_step(&off(path), &past);
            let sum = Forecast::sum(&paths.iter().map(of).collect::<Vec<_>>());
            (sum.moves.map(|moves| moves.0 >> 20), sum.time.seconds(), sum.time.basis())
        };
        assert_eq!(of(&[]), (Some(0), Some(0.0), "nothing"));
        assert_eq!(of(&["/dev/none"]), (Some(0), Some(0.0), "nothing"));
        assert_eq!(of(&["/dev/a"]), (Some(400), Some(40.0), "measured"));
        assert_eq!(of(&["/dev/a", "/dev/none", "/dev/b"]), (Some(800), Some(60.0), "measured"));
        assert_eq!(of(&["/dev/a", "/dev/c"]), (Some(800), None, "unknown"));
        assert_eq!(of(&["/dev/c", "/dev/d", "/dev/a"]), (None, None, "unseen"));
        let both = ["/dev/a", "/dev/b"].map(|path| Forecast::for_step(&off(path), &past));
        let Estimate::Known { rate, basis: EstimateBasis::Measured { at_ms }, .. } =
            Forecast::sum(&both).time
        else {
            panic!()
        };
        assert!(
            (rate - 800.0 * 1_048_576.0 / 60.0).abs() < 1.0 && at_ms == records[0].at_ms,
            "{rate}"
        );
        for (basis, _) in BASES {
            let kind = DeviceKind::from_name(&Name::from("/dev/zram0"));
            let known = |basis| Estimate::Known { rate: 1.0, seconds: 1.0, basis, is_least: false };
            let alike = known(EstimateBasis::SimilarDevices { kind, drains: 1 });
            let all =
                [Estimate::Nothing, Estimate::Unknown, Estimate::Unreadable, both[0].time, alike];
            let tried = known(EstimateBasis::Timed { drained: false });
            let mut all = all.iter().chain([&tried]);
            assert!(all.any(|estimate| estimate.basis() == basis), "{basis}");
        }
    }
}

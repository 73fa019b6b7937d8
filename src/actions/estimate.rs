//! How long a step will take: as long as it took before, or nobody knows.

use super::Step;
use super::journal::{Event, Record};
use crate::columns::units;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, civil};

/// What was moved in less than this says more of the start than of the pace.
const LEAST: Bytes = Bytes(8 << 20);

/// What times are based on, with what that means.
pub const BASES: [(&str, &str); 4] = [
    ("nothing", "Nothing is to be moved."),
    ("measured", "As fast as it was when something was last moved off the same area."),
    ("unknown", "The journal tells of no move off this area."),
    ("unseen", "How much is on the area is not known."),
];

/// How long a step will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// It moves nothing.
    Nothing,
    /// As long as its area took before.
    Measured {
        /// Bytes a second.
        rate: f64,
        /// When that was, in milliseconds since 1970, UTC.
        at_ms: u64,
        /// The time that follows for this step.
        seconds: f64,
    },
    /// Nothing was ever moved off this area, as far as is known.
    Unknown,
    /// How much is on its area is not known.
    Unseen,
}

impl Estimate {
    /// The time that a step will take which moves so much, by what earlier plans tell.
    #[must_use]
    pub fn of(step: &Step, moves: Bytes, records: &[Record]) -> Self {
        if moves == Bytes(0) {
            return Self::Nothing;
        }
        let drained = records.iter().rev().find_map(|record| drained(record, step));
        match drained {
            Some((rate, at_ms)) => Self::Measured { rate, at_ms, seconds: moves.0 as f64 / rate },
            None => Self::Unknown,
        }
    }

    /// This and another one, one after the other. Of two that were measured the older one says when.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unseen, _) | (_, Self::Unseen) => Self::Unseen,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Nothing, known) | (known, Self::Nothing) => known,
            (
                Self::Measured { rate, at_ms, seconds },
                Self::Measured { rate: other, at_ms: then, seconds: more },
            ) => {
                let moved = rate * seconds + other * more;
                let seconds = seconds + more;
                Self::Measured { rate: moved / seconds, at_ms: at_ms.min(then), seconds }
            }
        }
    }

    /// The time, where it is known.
    #[must_use]
    pub fn seconds(self) -> Option<f64> {
        match self {
            Self::Nothing => Some(0.0),
            Self::Measured { seconds, .. } => Some(seconds),
            Self::Unknown | Self::Unseen => None,
        }
    }

    /// What it is based on, in a word of [`BASES`].
    #[must_use]
    pub fn basis(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Measured { .. } => "measured",
            Self::Unknown => "unknown",
            Self::Unseen => "unseen",
        }
    }

    /// In words, with what it is based on.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Nothing => "nothing is to be moved".to_owned(),
            Self::Measured { rate, at_ms, seconds } => {
                let when = civil::text(at_ms);
                // Days matter, seconds do not.
                let when = when.get(..16).unwrap_or_default().replace('T', " ");
                let (time, rate) = (units::seconds(seconds), units::bytes(rate));
                format!("about {time}, at {rate}/s as on {when}Z")
            }
            Self::Unknown => {
                "not known until it runs: the journal tells of no move off this area".to_owned()
            }
            Self::Unseen => "not known: how much is on it is not".to_owned(),
        }
    }
}

/// What a step moves, and how long that will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Off its area; nothing where that is not known.
    pub moves: Option<Bytes>,
    /// How long.
    pub time: Estimate,
}

impl Forecast {
    /// Nothing is to be moved.
    pub const NONE: Self = Self { moves: Some(Bytes(0)), time: Estimate::Nothing };

    /// What a step does to these areas, by what earlier plans tell.
    #[must_use]
    pub fn of(step: &Step, areas: &[SwapArea], records: &[Record]) -> Self {
        let is_taken = |area: &&SwapArea| step.taken_off().is_some_and(|off| off.path == area.path);
        let is_unseen = |area: &SwapArea| area.used.known().is_none();
        if areas.iter().find(is_taken).is_some_and(is_unseen) {
            return Self { moves: None, time: Estimate::Unseen };
        }
        let moves = step.moves(areas);
        Self { moves: Some(moves), time: Estimate::of(step, moves, records) }
    }

    /// All of these, one after the other: what is not known of one is not known of all.
    #[must_use]
    pub fn sum(all: &[Self]) -> Self {
        all.iter().fold(Self::NONE, |sum, one| {
            let moves = sum.moves.zip(one.moves).map(|(sum, more)| sum.saturating_add(more));
            Self { moves, time: sum.time.and(one.time) }
        })
    }
}

/// How fast a plan moved what was on the area that a step takes off, and when that was.
fn drained(record: &Record, step: &Step) -> Option<(f64, u64)> {
    let wanted = &step.taken_off()?.path;
    record.events.iter().rev().find_map(|event| {
        let Event::Made { step: number, back, moved, seconds } = event else { return None };
        let made = record.steps.get(*number)?;
        let made = if *back { made.inverse()? } else { made.clone() };
        let same = made.taken_off().is_some_and(|area| area.path == *wanted);
        let enough = Bytes(*moved) >= LEAST && *seconds > 0.0;
        (same && enough).then(|| (*moved as f64 / seconds, record.at_ms))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Reading;
    use crate::model::activation::{Activation, Discard, Priority};
    use crate::model::swaparea::testing::area;

    fn off(path: &str) -> Step {
        let (priority, discard) = (Priority::Set(1), Discard::None);
        Step::Off { area: Activation { path: path.into(), priority, discard } }
    }

    fn record(plan: u64, step: Step, moved: u64, seconds: f64) -> Record {
        Record {
            plan,
            at_ms: 1_790_000_000_000 + plan * 60_000,
            boot: String::new(),
            title: String::new(),
            steps: vec![step],
            undoes: None,
            areas: Vec::new(),
            events: vec![Event::Made { step: 0, back: false, moved, seconds }],
        }
    }

    #[test]
    fn a_time_is_told_only_where_one_was_measured() {
        let records = [
            record(1, off("/dev/a"), 100 << 20, 10.0),
            record(2, off("/dev/a"), 200 << 20, 10.0),
            record(3, off("/dev/a"), 1 << 20, 10.0),
            record(4, off("/dev/b"), 900 << 20, 1.0),
            record(5, off("/dev/a").inverse().unwrap(), 900 << 20, 1.0),
        ];
        let of = |path: &str, moves| Estimate::of(&off(path), Bytes(moves), &records);
        assert_eq!(of("/dev/a", 0), Estimate::Nothing);
        assert_eq!(of("/dev/c", 1), Estimate::Unknown);
        let words = of("/dev/a", 400 << 20).words();
        assert_eq!(words, "about 20s, at 20M/s as on 2026-09-21 14:15Z");
    }

    #[test]
    fn a_whole_plan_takes_as_long_as_its_steps_and_is_not_known_where_one_is_not() {
        let records =
            [record(1, off("/dev/a"), 100 << 20, 10.0), record(2, off("/dev/b"), 200 << 20, 10.0)];
        let mut areas: Vec<SwapArea> = ["/dev/a", "/dev/b", "/dev/c", "/dev/d"]
            .map(|path| area(path, 5, 1 << 30, 400 << 20))
            .to_vec();
        areas[3].used = Reading::failed("wrapped");
        let of = |paths: &[&str]| {
            let of = |path: &&str| Forecast::of(&off(path), &areas, &records);
            let sum = Forecast::sum(&paths.iter().map(of).collect::<Vec<_>>());
            (sum.moves.map(|moves| moves.0 >> 20), sum.time.seconds(), sum.time.basis())
        };
        assert_eq!(of(&[]), (Some(0), Some(0.0), "nothing"));
        assert_eq!(of(&["/dev/none"]), (Some(0), Some(0.0), "nothing"));
        assert_eq!(of(&["/dev/a"]), (Some(400), Some(40.0), "measured"));
        assert_eq!(of(&["/dev/a", "/dev/none", "/dev/b"]), (Some(800), Some(60.0), "measured"));
        assert_eq!(of(&["/dev/a", "/dev/c"]), (Some(800), None, "unknown"));
        assert_eq!(of(&["/dev/c", "/dev/d", "/dev/a"]), (None, None, "unseen"));
        let both = [
            Forecast::of(&off("/dev/a"), &areas, &records),
            Forecast::of(&off("/dev/b"), &areas, &records),
        ];
        let Estimate::Measured { rate, at_ms, .. } = Forecast::sum(&both).time else { panic!() };
        assert!(
            (rate - 800.0 * 1_048_576.0 / 60.0).abs() < 1.0 && at_ms == records[0].at_ms,
            "{rate}"
        );
        for (basis, _) in BASES {
            let all = [Estimate::Nothing, Estimate::Unknown, Estimate::Unseen, both[0].time];
            assert!(all.iter().any(|estimate| estimate.basis() == basis), "{basis}");
        }
    }
}

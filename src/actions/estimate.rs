//! How long a step will take: as long as it took before, or nobody knows.

use super::Step;
use super::journal::{Event, Record};
use crate::columns::units;
use crate::model::{Bytes, civil};

/// What was moved in less than this says more of the start than of the pace.
const LEAST: Bytes = Bytes(8 << 20);

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
        }
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
    use crate::model::activation::{Activation, Discard, Priority};

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
}

//! Snapshots one after the other: once, or every so many seconds.

use crate::cli::exit::Failure;
use crate::cli::options::{self, SourceOptions};
use crate::derive::View;
use crate::model::{PartSet, Snapshot};
use std::time::Duration;

/// How far apart the two samples of a single report are.
const WINDOW: Duration = Duration::from_millis(500);
/// Shorter than this a sample costs more than it tells.
const SHORTEST: Duration = Duration::from_millis(10);

/// How often, and how many times.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Time between two; none for a single report.
    interval: Option<Duration>,
    /// How many, if it ends by itself.
    count: Option<u64>,
}

impl Pace {
    /// Understand `--interval` and `--count`.
    ///
    /// # Errors
    /// A sentence that says what an interval can be.
    pub fn new(interval: Option<&str>, count: Option<u64>) -> Result<Self, Failure> {
        let parse = |text: &str| {
            let time = options::duration(text).filter(|time| *time >= SHORTEST);
            time.ok_or_else(|| {
                Failure::Usage(format!("\"{text}\" is no interval: use seconds, such as 1, 0.5 or 500ms (at least 10ms)"))
            })
        };
        Ok(Self { interval: interval.map(parse).transpose()?, count })
    }

    /// Does it go on?
    #[must_use]
    pub fn repeats(self) -> bool {
        self.interval.is_some()
    }
}

/// Take snapshots and hand each to `show`, with the one before when `two` asks for it.
///
/// # Errors
/// What `show` or the source says.
pub fn run(
    source: &SourceOptions,
    parts: PartSet,
    two: bool,
    pace: Pace,
    mut show: impl FnMut(&View<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut source = source.open()?;
    let wait = pace.interval.unwrap_or(WINDOW);
    let mut before: Option<Snapshot> =
        if two || pace.repeats() { source.first_of_two(parts, wait) } else { None };
    let mut shown = 0;
    while let Some(now) = source.next(parts) {
        show(&View { now: &now, before: before.as_ref() })?;
        shown += 1;
        if !pace.repeats() || pace.count.is_some_and(|count| shown >= count) {
            break;
        }
        before = Some(now);
        source.wait(wait);
    }
    Ok(())
}

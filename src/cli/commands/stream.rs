//! Snapshots one after the other: once, or every so many seconds.

use crate::cli::exit::Failure;
use crate::cli::interrupt::Interrupt;
use crate::cli::options::{self, SourceOptions};
use crate::cli::out;
use crate::derive::View;
use crate::model::{PartSet, name};
use crate::sampler::Source;
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
        if let (None, Some(_)) = (interval, count) {
            return Err(Failure::Usage("--count goes with --interval".to_owned()));
        }
        Ok(Self { interval: interval.map(parse).transpose()?, count })
    }

    /// All that a recording holds, or so many.
    #[must_use]
    pub fn through(count: Option<u64>) -> Self {
        Self { interval: Some(Duration::ZERO), count }
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
    let mut from = source.open()?;
    remark_early(source, &from);
    let interrupt = Interrupt::watch(pace.repeats());
    let interval = pace.interval.unwrap_or(WINDOW);
    let mut before = None;
    if two {
        let _ = from.until_due(Duration::ZERO);
        before = from.before_first(parts, pace.repeats());
        if before.is_some() && interrupt.within(from.until_due(interval)) {
            return Ok(());
        }
    }
    let mut shown = 0;
    while let Some(now) = from.next(parts) {
        show(&View { now: &now, before: before.as_ref() })?;
        shown += 1;
        let enough = !pace.repeats() || pace.count.is_some_and(|count| shown >= count);
        if enough || interrupt.within(from.until_due(interval)) {
            break;
        }
        before = Some(now);
    }
    remark_cut(source, &from, shown);
    Ok(())
}

/// Say it when a recording begins after the moment asked for.
fn remark_early(source: &SourceOptions, from: &Source) {
    if let (SourceOptions::Recording { file, .. }, Source::Replay(replay)) = (source, from)
        && let Some(begin) = replay.begins_later()
    {
        let file = name::safe_text(&file.to_string_lossy());
        out::remark(&format!("swapadm: {file}: it begins later, at {begin}"));
    }
}

/// Say it when a recording was cut off.
fn remark_cut(source: &SourceOptions, from: &Source, shown: u64) {
    if let (SourceOptions::Recording { file, .. }, Source::Replay(replay)) = (source, from)
        && let Some(why) = replay.cut()
    {
        let file = name::safe_text(&file.to_string_lossy());
        out::remark(&format!("swapadm: {file}: {why}; {shown} shown from before that"));
    }
}

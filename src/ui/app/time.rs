//! Which sample is on screen, and whether it is stale.

use super::{App, SourceKind, Time};
use crate::model::Stamp;
use crate::ui::history::HistoryEntry;
use std::time::Duration;

impl App {
    /// Can there be more than one sample?
    pub fn has_time(&self) -> bool {
        self.source.kind != SourceKind::Captured
    }

    /// The number of the sample on screen.
    pub fn moment_number(&self) -> Option<u64> {
        let (first, last) = self.source.history.span()?;
        Some(match self.source.time {
            Time::Newest => last,
            Time::Paused(moment) | Time::Playing { moment, .. } => moment.clamp(first, last),
        })
    }

    /// The sample on screen.
    pub fn moment(&self) -> Option<&HistoryEntry> {
        self.source.history.get(self.moment_number()?)
    }

    /// Is the last sample of a recording on screen?
    pub fn is_at_end(&self) -> bool {
        let last = self.source.history.span().map(|(_, last)| last);
        let held = matches!(self.source.time, Time::Paused(_)) && self.moment_number() == last;
        held && self.source.ended && self.source.kind == SourceKind::Recording
    }

    /// The age of the sample on screen, if it is stale.
    pub fn stale(&self) -> Option<Duration> {
        if !self.is_live() || self.source.time != Time::Newest {
            return None;
        }
        let age = self.now.seconds_since(self.source.history.newest()?.now.stamp);
        (age > self.late()).then(|| Duration::from_secs_f64(age))
    }

    /// The time that one step of a history covers: the interval, live, recorded or of the simulated machine.
    pub fn step(&self, moment: u64) -> Duration {
        let has_own = matches!(self.source.kind, SourceKind::Recording | SourceKind::Simulated);
        let recorded = has_own.then(|| self.source.history.step(moment)).flatten();
        recorded.unwrap_or(self.interval)
    }

    /// The time until the sample on screen is stale; one second if it already is, because its age is
    /// shown in seconds.
    pub fn until_stale(&self, now: Stamp) -> Duration {
        let Some(newest) = self.source.history.newest() else { return Duration::from_secs(1) };
        let age = now.seconds_since(newest.now.stamp);
        let left = self.late() - age;
        if left > 0.0 { Duration::from_secs_f64(left) } else { Duration::from_secs(1) }
    }

    /// The age in seconds from which a sample is stale: two intervals, and the time that a sample
    /// itself may take.
    fn late(&self) -> f64 {
        self.interval.as_secs_f64().mul_add(2.0, 0.5)
    }
}

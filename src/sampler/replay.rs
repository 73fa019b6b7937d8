//! Replays a recording from a given start, with one snapshot in memory at a time.

use super::recording::{RecordingError, RecordingReader};
use crate::model::{Snapshot, text, whole};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

/// The start of a replay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReplayStart {
    /// The first snapshot.
    First,
    /// The last snapshot.
    Last,
    /// Seconds after the first snapshot.
    AfterStart(f64),
    /// Seconds before the last snapshot.
    BeforeEnd(f64),
    /// A date and time, in milliseconds since 1970.
    Date(u64),
    /// A time of the day of the first snapshot, in milliseconds since midnight, UTC.
    TimeOfDay(u64),
}

/// Why a recording cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file is not a readable recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The file cannot be opened.
    #[error(transparent)]
    Open(#[from] io::Error),
    /// The recording ends before the start.
    #[error("the recording ends at {0}, before the requested start")]
    TooLate(String),
    /// The recording has no snapshot.
    #[error("the recording has no complete snapshot")]
    Empty,
}

/// A recording, read from a start on.
#[derive(Debug)]
pub struct Replay {
    reader: RecordingReader<BufReader<File>>,
    /// The snapshot before the start, for rates.
    pub(super) before: Option<Snapshot>,
    /// The parts of `before` as they were read the time before.
    pub(super) earlier: Option<Snapshot>,
    first: Option<Snapshot>,
    /// Whether the requested start is before the beginning of the recording.
    early: bool,
}

/// Begin and end of a recording.
struct Span {
    first: u64,
    last: u64,
}

impl Replay {
    /// Opens a recording at a start.
    ///
    /// # Errors
    /// Fails if it is not a recording, or ends before the start.
    pub fn open(file: &Path, at: ReplayStart) -> Result<Self, ReplayError> {
        let span = span(file)?;
        let moment = at.wall_ms(&span);
        let early = at.is_before(&span);
        let mut replay =
            Self { reader: reader(file)?, before: None, earlier: None, first: None, early };
        for snapshot in replay.reader.by_ref() {
            if snapshot.stamp.wall_ms >= moment {
                replay.first = Some(snapshot);
                return Ok(replay);
            }
            let last = replay.before.take();
            replay.earlier = last.map(|last| snapshot.earlier(&last, replay.earlier.as_ref()));
            replay.before = Some(snapshot);
        }
        Err(ReplayError::TooLate(text::format_date(span.last)))
    }

    /// Returns when the recording begins, if the requested start is earlier.
    pub fn late_start(&self) -> Option<String> {
        let first = self.first.as_ref().filter(|_| self.early);
        first.map(|snapshot| text::format_date(snapshot.stamp.wall_ms))
    }

    /// Returns why the rest could not be read, if reading stopped before the end.
    pub fn read_error(&self) -> Option<&str> {
        self.reader.read_error()
    }

    pub(super) fn next(&mut self) -> Option<Snapshot> {
        self.first.take().or_else(|| self.reader.next())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a recording is the person's file, not the machine's"
)]
fn reader(file: &Path) -> Result<RecordingReader<BufReader<File>>, ReplayError> {
    Ok(RecordingReader::new(BufReader::new(File::open(file)?))?)
}

fn span(file: &Path) -> Result<Span, ReplayError> {
    let mut reader = reader(file)?;
    let mut stamps = reader.stamps().map(|stamp| stamp.wall_ms);
    let first = stamps.next().ok_or(ReplayError::Empty)?;
    Ok(Span { first, last: stamps.last().unwrap_or(first) })
}

impl ReplayStart {
    /// Converts the start to milliseconds since 1970.
    fn wall_ms(self, span: &Span) -> u64 {
        let millis = |seconds: f64| whole(seconds * 1000.0);
        let midnight = span.first / 86_400_000 * 86_400_000;
        match self {
            Self::First => span.first,
            Self::Last => span.last,
            Self::AfterStart(seconds) => span.first.saturating_add(millis(seconds)),
            Self::BeforeEnd(seconds) => span.last.saturating_sub(millis(seconds)),
            Self::Date(date) => date,
            Self::TimeOfDay(time) => midnight.saturating_add(time),
        }
    }

    fn is_before(self, span: &Span) -> bool {
        self.wall_ms(span) < span.first
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests write recordings of their own")]

    use super::*;
    use crate::model::Stamp;
    use crate::sampler::recording::RecordingWriter;

    /// Five snapshots, ten seconds apart, from 00:01:00 on.
    fn recording() -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = RecordingWriter::new(file.reopen().unwrap()).unwrap();
        for second in (60..110).step_by(10) {
            let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
            writer.add(&Snapshot::empty(stamp)).unwrap();
        }
        file
    }

    /// The second of the snapshot found, and of the one before it.
    fn at(moment: ReplayStart) -> (u64, Option<u64>) {
        let file = recording();
        let mut replay = Replay::open(file.path(), moment).unwrap();
        let before = replay.before.take().map(|snapshot| snapshot.stamp.wall_ms / 1000);
        (replay.next().unwrap().stamp.wall_ms / 1000, before)
    }

    #[test]
    fn every_kind_of_moment_is_found_with_the_snapshot_before_it() {
        assert_eq!(at(ReplayStart::First), (60, None));
        assert_eq!(at(ReplayStart::Last), (100, Some(90)));
        assert_eq!(at(ReplayStart::AfterStart(15.0)), (80, Some(70)));
        assert_eq!(at(ReplayStart::BeforeEnd(20.0)), (80, Some(70)));
        assert_eq!(at(ReplayStart::BeforeEnd(1e9)), (60, None));
        assert_eq!(at(ReplayStart::Date(90_000)), (90, Some(80)));
        assert_eq!(at(ReplayStart::TimeOfDay(70_000)), (70, Some(60)));
    }

    #[test]
    fn a_start_before_the_recording_is_reported() {
        let file = recording();
        let begins = |at| Replay::open(file.path(), at).unwrap().late_start();
        assert_eq!(begins(ReplayStart::BeforeEnd(60.0)).unwrap(), "1970-01-01T00:01:00.000Z");
        assert_eq!(begins(ReplayStart::BeforeEnd(40.0)), None);
        assert_eq!(begins(ReplayStart::First), None);
    }

    #[test]
    fn a_moment_after_the_end_says_where_the_end_is() {
        let error = Replay::open(recording().path(), ReplayStart::Date(200_000)).unwrap_err();
        assert!(error.to_string().contains("1970-01-01T00:01:40"), "{error}");
    }

    #[test]
    fn an_empty_recording_and_another_file_are_told_apart() {
        let file = tempfile::NamedTempFile::new().unwrap();
        RecordingWriter::new(file.reopen().unwrap()).unwrap();
        let error = |path: &Path| Replay::open(path, ReplayStart::Last).unwrap_err().to_string();
        assert!(error(file.path()).contains("no complete snapshot"));
        let other = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(other.path(), "text").unwrap();
        assert!(error(other.path()).contains("not a recording"));
    }
}

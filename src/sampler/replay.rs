//! Replays a recording from a given start, with one snapshot in memory at a time.

use super::recording::{ReadError, RecordingError, RecordingReader};
use crate::model::text::{self, DAY_MS};
use crate::model::{Snapshot, Stamp, whole};
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
    /// The first time that a clock shows this, in milliseconds since midnight, UTC.
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
    /// No snapshot from the start on can be read.
    #[error("the recording has no readable snapshot: its snapshots {0}")]
    Unreadable(&'static str),
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
    /// The snapshots that could not be read, in words.
    damage: Option<String>,
}

/// The times of all snapshots of a recording, which is made within one boot.
struct Timeline {
    stamps: Vec<Stamp>,
    read_error: Option<ReadError>,
}

impl Replay {
    /// Opens a recording at a start.
    ///
    /// # Errors
    /// Fails if it is not a recording, or ends before the start.
    pub fn open(file: &Path, at: ReplayStart) -> Result<Self, ReplayError> {
        let timeline = Timeline::read(file)?;
        let (number, early) = timeline.find(at).ok_or_else(|| timeline.too_late())?;
        let wanted = timeline.stamps.get(number).map_or(0, |stamp| stamp.boot_ns);
        let damage = timeline.describe_damage();
        let mut replay =
            Self { reader: reader(file)?, before: None, earlier: None, first: None, early, damage };
        while let Some(snapshot) = replay.reader.next() {
            if snapshot.stamp.boot_ns >= wanted {
                replay.first = Some(snapshot);
                return Ok(replay);
            }
            let last = replay.before.take();
            replay.earlier = last.map(|last| snapshot.earlier(&last, replay.earlier.as_ref()));
            replay.before = Some(snapshot);
        }
        // The file was truncated meanwhile, or only the times of the remaining snapshots can be parsed.
        let error = replay.reader.read_error();
        Err(error.map_or_else(|| timeline.too_late(), |error| ReplayError::Unreadable(error.why)))
    }

    /// Returns when the recording begins, if the requested start is earlier.
    pub fn late_start(&self) -> Option<String> {
        let first = self.first.as_ref().filter(|_| self.early);
        first.map(|snapshot| text::format_date(snapshot.stamp.wall_ms))
    }

    /// Returns which snapshots of the whole recording could not be read, and why.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
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

impl Timeline {
    fn read(file: &Path) -> Result<Self, ReplayError> {
        let mut reader = reader(file)?;
        let stamps: Vec<Stamp> = reader.stamps().collect();
        let read_error = reader.read_error();
        match read_error {
            _ if !stamps.is_empty() => Ok(Self { stamps, read_error }),
            Some(error) => Err(ReplayError::Unreadable(error.why)),
            None => Err(ReplayError::Empty),
        }
    }

    fn describe_damage(&self) -> Option<String> {
        let ReadError { before, why } = self.read_error?;
        let last = before.checked_sub(1).and_then(|last| self.stamps.get(last));
        let (word, stamp) = match last {
            Some(last) => ("after", last),
            None => ("before", self.stamps.first()?),
        };
        Some(format!("snapshots {word} {} {why}", text::format_date(stamp.wall_ms)))
    }

    /// The number of the snapshot at a start, and whether the start is before the first snapshot.
    fn find(&self, at: ReplayStart) -> Option<(usize, bool)> {
        let (first, last) = (*self.stamps.first()?, *self.stamps.last()?);
        let nanos = |seconds: f64| whole(seconds * 1e9);
        match at {
            ReplayStart::First => Some((0, false)),
            ReplayStart::Last => Some((self.stamps.len() - 1, false)),
            ReplayStart::AfterStart(seconds) => {
                self.at_boot_time(first.boot_ns.saturating_add(nanos(seconds)))
            }
            ReplayStart::BeforeEnd(seconds) => {
                self.at_boot_time(last.boot_ns.saturating_sub(nanos(seconds)))
            }
            ReplayStart::Date(date) => self.at_wall_time(date),
            ReplayStart::TimeOfDay(time) => {
                let first_day = (first.wall_ms / DAY_MS * DAY_MS).saturating_add(time);
                let next_day = first_day.saturating_add(DAY_MS);
                let is_on_next = first_day < first.wall_ms && next_day <= last.wall_ms;
                self.at_wall_time(if is_on_next { next_day } else { first_day })
            }
        }
    }

    /// Durations are counted since boot: the wall clock may have been set meanwhile.
    fn at_boot_time(&self, boot_ns: u64) -> Option<(usize, bool)> {
        let number = self.stamps.iter().position(|stamp| stamp.boot_ns >= boot_ns)?;
        Some((number, self.stamps.first()?.boot_ns > boot_ns))
    }

    /// The first snapshot at which the wall clock passes this time, also after it was set back.
    fn at_wall_time(&self, wall_ms: u64) -> Option<(usize, bool)> {
        let earlier = self.stamps.iter().position(|stamp| stamp.wall_ms <= wall_ms);
        let skipped = earlier.unwrap_or(0);
        let number = self.stamps.iter().skip(skipped).position(|stamp| stamp.wall_ms >= wall_ms)?;
        Some((skipped + number, earlier.is_none()))
    }

    fn too_late(&self) -> ReplayError {
        let last = self.stamps.last().map_or(0, |stamp| stamp.wall_ms);
        let damage = self.describe_damage().map_or_else(String::new, |it| format!(" ({it})"));
        ReplayError::TooLate(text::format_date(last) + &damage)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests write recordings of their own")]

    use super::*;
    use crate::sampler::recording::RecordingWriter;

    /// Five snapshots, ten seconds apart, from 00:01:00 on.
    fn recording() -> tempfile::NamedTempFile {
        recording_at([60, 70, 80, 90, 100])
    }

    /// Snapshots ten seconds apart from the 60th second since boot on, with these seconds of the wall clock.
    fn recording_at<const N: usize>(wall: [u64; N]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = RecordingWriter::new(file.reopen().unwrap()).unwrap();
        for (second, wall) in (60..).step_by(10).zip(wall) {
            let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: wall * 1000 };
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
    fn a_wall_clock_that_is_set_does_not_move_the_start() {
        let start = |file: &tempfile::NamedTempFile, at| {
            let mut replay = Replay::open(file.path(), at).unwrap();
            let late = replay.late_start().is_some();
            (replay.next().unwrap().stamp.boot_ns / 1_000_000_000, late)
        };
        let back = recording_at([1000, 1010, 500, 510, 520]);
        let forth = recording_at([500, 510, 1000, 1010, 1020]);
        for file in [&back, &forth] {
            assert_eq!(start(file, ReplayStart::Last), (100, false));
            assert_eq!(start(file, ReplayStart::BeforeEnd(25.0)), (80, false));
            assert_eq!(start(file, ReplayStart::BeforeEnd(1e9)), (60, true));
            assert_eq!(start(file, ReplayStart::AfterStart(15.0)), (80, false));
            assert_eq!(start(file, ReplayStart::Date(400_000)), (60, true));
        }
        for (date, second) in [(510, 90), (515, 100), (1000, 60), (1005, 70)] {
            assert_eq!(start(&back, ReplayStart::Date(date * 1000)), (second, false), "{date}");
        }
        for (date, second) in [(510, 70), (515, 80), (1000, 80), (1005, 90)] {
            assert_eq!(start(&forth, ReplayStart::Date(date * 1000)), (second, false), "{date}");
        }
        let error = Replay::open(back.path(), ReplayStart::AfterStart(60.0)).unwrap_err();
        assert!(error.to_string().contains("1970-01-01T00:08:40"), "{error}");
    }

    #[test]
    fn a_time_of_day_after_midnight_is_found() {
        // From 23:50:00 to 00:10:00.
        let file = recording_at([85_800, 86_100, 86_400, 86_700, 87_000]);
        let start = |seconds: u64| {
            let mut replay =
                Replay::open(file.path(), ReplayStart::TimeOfDay(seconds * 1000)).unwrap();
            let late = replay.late_start().is_some();
            (replay.next().unwrap().stamp.wall_ms / 1000, late)
        };
        assert_eq!(start(86_100), (86_100, false));
        assert_eq!(start(0), (86_400, false));
        assert_eq!(start(301), (87_000, false));
        assert_eq!(start(601), (85_800, true), "neither on the first day nor on the next");
    }

    #[test]
    fn a_start_before_the_recording_is_reported() {
        let file = recording();
        let begins = |at| Replay::open(file.path(), at).unwrap().late_start();
        assert_eq!(begins(ReplayStart::BeforeEnd(60.0)).unwrap(), "1970-01-01T00:01:00.000Z");
        assert_eq!(begins(ReplayStart::BeforeEnd(40.0)), None);
        assert_eq!(begins(ReplayStart::First), None);
    }

    /// The third of five snapshots is damaged.
    #[test]
    fn damage_is_reported_and_does_not_hide_later_snapshots() {
        let file = recording();
        let bytes = std::fs::read(file.path()).unwrap();
        let frames = bytes.windows(4).enumerate().filter(|(_, it)| *it == [0x28, 0xb5, 0x2f, 0xfd]);
        let third = frames.map(|(place, _)| place).nth(3).unwrap();
        let mut damaged = bytes.clone();
        damaged[third + 20] ^= 0x10;
        std::fs::write(file.path(), damaged).unwrap();
        let said = "snapshots after 1970-01-01T00:01:10.000Z are damaged or missing";
        let mut replay = Replay::open(file.path(), ReplayStart::Last).unwrap();
        assert_eq!(replay.damage(), Some(said));
        assert_eq!(replay.next().unwrap().stamp.wall_ms, 100_000);
        let mut replay = Replay::open(file.path(), ReplayStart::AfterStart(15.0)).unwrap();
        assert_eq!(replay.next().unwrap().stamp.wall_ms, 90_000);
        std::fs::write(file.path(), &bytes[..third + 20]).unwrap();
        let mut replay = Replay::open(file.path(), ReplayStart::Last).unwrap();
        assert_eq!(replay.damage(), Some(said));
        assert_eq!(replay.next().unwrap().stamp.wall_ms, 70_000);
        let error = Replay::open(file.path(), ReplayStart::AfterStart(15.0)).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
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

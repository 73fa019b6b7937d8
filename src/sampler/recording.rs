//! Recordings: snapshots in a file, readable after a crash in the middle of a write.
//!
//! Each snapshot is one line of JSON in a zstd frame of its own. Frames follow each other, so
//! `zstd -d` reads the file as well, and a frame that was cut off spoils only itself.

use crate::model::{Snapshot, Stamp};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read as _, Write};

/// The first line of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the form.
    pub swapadm_recording: u32,
    /// The program that wrote it.
    pub program: String,
}

/// The version that this program writes and reads.
const FORM: u32 = 1;
/// Largest snapshot that is read back: a machine with half a million processes fits.
const SNAPSHOT_CAP: u64 = 256 << 20;
/// Largest first line.
const HEADER_CAP: u64 = 4096;

/// Why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// It does not begin like a recording.
    #[error("this is not a recording of swapadm: {0}")]
    NotOne(&'static str),
    /// It was written by a later version.
    #[error("the recording has form {0}, and this program reads form {FORM}: use a later version")]
    TooNew(u32),
}

/// Writes snapshots as they come.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
}

impl<W: Write> Writer<W> {
    /// Begin a recording.
    ///
    /// # Errors
    /// When the header cannot be written.
    pub fn new(mut out: W) -> io::Result<Self> {
        let program = format!("swapadm {}", env!("CARGO_PKG_VERSION"));
        frame(&mut out, &Header { swapadm_recording: FORM, program })?;
        Ok(Self { out })
    }

    /// Add one snapshot, and see it off to the file.
    ///
    /// # Errors
    /// When it cannot be written, such as on a full disk.
    pub fn add(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        frame(&mut self.out, snapshot)
    }
}

fn frame<W: Write>(out: &mut W, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    out.write_all(&compress_to_vec(line.as_slice(), CompressionLevel::Fastest))?;
    out.flush()
}

/// Reads snapshots one after the other.
#[derive(Debug)]
pub struct Reader<R: BufRead> {
    input: R,
    /// Set once the rest cannot be read.
    cut: Option<String>,
}

impl<R: BufRead> Reader<R> {
    /// Open a recording.
    ///
    /// # Errors
    /// When it is none, or one of a later version.
    pub fn new(mut input: R) -> Result<Self, RecordingError> {
        let line = next_frame(&mut input, HEADER_CAP)
            .map_err(|_| RecordingError::NotOne("another format"))?;
        let line = line.ok_or(RecordingError::NotOne("empty"))?;
        let header: Header = serde_json::from_slice(&line)
            .map_err(|_| RecordingError::NotOne("its first line is of another form"))?;
        if header.swapadm_recording > FORM {
            return Err(RecordingError::TooNew(header.swapadm_recording));
        }
        Ok(Self { input, cut: None })
    }

    /// Why the rest could not be read, if reading stopped before the end.
    #[must_use]
    pub fn cut(&self) -> Option<&str> {
        self.cut.as_deref()
    }
}

impl<R: BufRead> Reader<R> {
    /// Only when each snapshot was taken: much faster than reading them whole.
    pub fn stamps(&mut self) -> impl Iterator<Item = Stamp> {
        std::iter::from_fn(|| self.read::<Stamped>().map(|stamped| stamped.stamp))
    }

    fn read<T: serde::de::DeserializeOwned>(&mut self) -> Option<T> {
        if self.cut.is_some() {
            return None;
        }
        let parse = |line: Vec<u8>| {
            serde_json::from_slice(&line).map_err(|_| "a snapshot is of another form".to_owned())
        };
        let read =
            next_frame(&mut self.input, SNAPSHOT_CAP).and_then(|line| line.map(parse).transpose());
        read.unwrap_or_else(|why| {
            self.cut = Some(why);
            None
        })
    }
}

/// What of a snapshot says when it was taken.
#[derive(Deserialize)]
struct Stamped {
    stamp: Stamp,
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Snapshot;

    fn next(&mut self) -> Option<Snapshot> {
        self.read()
    }
}

/// The content of the next frame; none at the end.
fn next_frame(input: &mut impl BufRead, cap: u64) -> Result<Option<Vec<u8>>, String> {
    if input.fill_buf().map_err(|error| error.to_string())?.is_empty() {
        return Ok(None);
    }
    // What the decoder says of it helps nobody.
    let damaged = || "the rest is missing or damaged".to_owned();
    let decoder = StreamingDecoder::new(input).map_err(|_| damaged())?;
    let mut line = Vec::new();
    decoder.take(cap).read_to_end(&mut line).map_err(|_| damaged())?;
    if !line.ends_with(b"\n") {
        return Err(damaged());
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Reading, Sampled};

    fn snapshot(second: u64) -> Snapshot {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
        let mut snapshot = Snapshot::empty(stamp);
        snapshot.psi = Sampled::new(Some(stamp), Reading::failed("torn \u{1b}[2J"));
        snapshot
    }

    fn recording(count: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes).unwrap();
        for second in 0..count {
            writer.add(&snapshot(second)).unwrap();
        }
        bytes
    }

    #[test]
    fn what_is_written_is_read_back() {
        let bytes = recording(3);
        let mut reader = Reader::new(bytes.as_slice()).unwrap();
        let back: Vec<_> = reader.by_ref().collect();
        assert_eq!(back, [snapshot(0), snapshot(1), snapshot(2)]);
        assert_eq!(reader.cut(), None);
    }

    #[test]
    fn a_recording_cut_anywhere_gives_its_complete_part() {
        let bytes = recording(3);
        let two = recording(2).len();
        for end in two..bytes.len() {
            let mut reader = Reader::new(&bytes[..end]).unwrap();
            assert_eq!(reader.by_ref().count(), 2, "cut at {end}");
            assert_eq!(reader.cut().is_some(), end > two, "cut at {end}");
        }
    }

    #[test]
    fn other_files_and_later_versions_are_refused_with_a_reason() {
        let error = |bytes: &[u8]| Reader::new(bytes).unwrap_err().to_string();
        assert!(error(b"").contains("empty"));
        assert!(error(b"plain text").contains("not a recording"));
        let mut later = Vec::new();
        frame(&mut later, &Header { swapadm_recording: 99, program: String::new() }).unwrap();
        assert!(error(&later).contains("form 99"));
    }
}

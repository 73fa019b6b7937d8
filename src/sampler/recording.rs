//! Recordings: snapshots in a file, readable even after a crash during a write.
//!
//! Each snapshot is one line of JSON in its own zstd frame. Frames follow each other, so `zstd -d` can
//! decompress the file, and a damaged or truncated frame loses only its own snapshot: the reader goes on at
//! the next frame.
//!
//! Maps of clusters are written only when they were read: a snapshot with the maps of the snapshot before
//! it has their time and `not_sampled`. So each snapshot is restored completely, however old its maps are.

use crate::model::{ClusterMaps, Reading, Sampled, Snapshot, Stamp};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read as _, Seek, SeekFrom, Write};

/// The first line of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordingHeader {
    /// The format version.
    pub swapadm_recording: u32,
    /// The program that wrote it.
    pub program: String,
}

/// The format version that this program writes and reads.
const FORM: u32 = 1;
/// Maximum size of a snapshot: enough for 20,000 cgroups or 140,000 processes. With those of the limits below, the
/// snapshots that a report compares take less than 512 MiB, whatever a file contains.
const SNAPSHOT_CAP: u64 = 64 << 20;
/// Maximum number of values in a snapshot.
const MAX_VALUES: usize = 6_000_000;
/// Maximum size in memory of the cluster maps of one snapshot; as text they are up to eight times as large,
/// which leaves half of a snapshot for the rest.
const MAPS_CAP: usize = 4 << 20;
/// Maximum size of the first line.
const HEADER_CAP: u64 = 4096;
/// The first four bytes of a zstd frame, the first one highest.
const FRAME_MAGIC: u32 = 0x28b5_2ffd;
/// Damaged places after which reading stops: each can take as long as a whole snapshot.
const MAX_DAMAGED: usize = 64;

/// Why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file does not begin like a recording.
    #[error("this is not a recording of swapadm: {0}")]
    NotOne(&'static str),
    /// The recording was written by a later version.
    #[error(
        "the recording has format {0}, but this program reads formats up to {FORM}: use a newer swapadm"
    )]
    TooNew(u32),
}

/// Writes snapshots to a recording.
#[derive(Debug)]
pub struct RecordingWriter<W: Write> {
    out: W,
    /// The maps of clusters of the last snapshot.
    maps: [ClusterMaps; 3],
}

impl<W: Write> RecordingWriter<W> {
    /// Begins a recording.
    ///
    /// # Errors
    /// Fails if the header cannot be written.
    pub fn new(mut out: W) -> io::Result<Self> {
        let program = format!("swapadm {}", env!("CARGO_PKG_VERSION"));
        frame(&mut out, &to_line(&RecordingHeader { swapadm_recording: FORM, program })?)?;
        Ok(Self { out, maps: no_maps() })
    }

    /// Adds one snapshot and flushes it to the file.
    ///
    /// # Errors
    /// Fails if it cannot be written, for example on a full disk.
    pub fn add(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let mut short = snapshot.clone();
        let mut room = MAPS_CAP;
        let sizes = snapshot.map_bytes();
        for ((maps, last), bytes) in short.maps_mut().into_iter().zip(&mut self.maps).zip(sizes) {
            let whole = maps.clone();
            if maps.at.is_some() && maps == last {
                *maps = Sampled::new(maps.at, Reading::not_sampled());
            } else if bytes > room {
                *maps = Sampled::new(maps.at, Reading::absent(TOO_LARGE));
            } else {
                room -= bytes;
            }
            *last = whole;
        }
        let mut line = to_line(&short)?;
        if is_excessive(&line) {
            short.processes = Sampled::new(short.processes.at, Reading::absent(TOO_LARGE));
            line = to_line(&short)?;
        }
        if is_excessive(&line) {
            short.cgroups = Sampled::new(short.cgroups.at, Reading::failed(TOO_LARGE));
            line = to_line(&short)?;
        }
        frame(&mut self.out, &line)
    }
}

/// Reason in a recording for data that would make it too large.
const TOO_LARGE: &str = "too large for a recording";

/// Whether a snapshot is larger than the reader accepts. Each value follows one of these signs.
fn is_excessive(line: &[u8]) -> bool {
    let values = line.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    line.len() as u64 >= SNAPSHOT_CAP || values > MAX_VALUES
}

fn no_maps() -> [ClusterMaps; 3] {
    std::array::from_fn(|_| Sampled::none())
}

fn frame<W: Write>(out: &mut W, line: &[u8]) -> io::Result<()> {
    out.write_all(&compress_to_vec(line, CompressionLevel::Fastest))?;
    out.flush()
}

fn to_line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads the snapshots of a recording.
#[derive(Debug)]
pub struct RecordingReader<R: BufRead + Seek> {
    input: R,
    /// Snapshots read so far.
    count: usize,
    /// The first place where snapshots could not be read.
    read_error: Option<ReadError>,
    /// The number of such places.
    damaged: usize,
    /// The maps of clusters of the last snapshot.
    maps: [ClusterMaps; 3],
}

/// Why snapshots of a recording could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The number of snapshots before them.
    pub before: usize,
    /// The reason, about "snapshots".
    pub why: &'static str,
}

impl<R: BufRead + Seek> RecordingReader<R> {
    /// Opens a recording.
    ///
    /// # Errors
    /// Fails if it is not a recording, or one of a later version.
    pub fn new(mut input: R) -> Result<Self, RecordingError> {
        let line = next_frame(&mut input, HEADER_CAP)
            .map_err(|()| RecordingError::NotOne("it has another format"))?;
        let line = line.ok_or(RecordingError::NotOne("it is empty"))?;
        let header: RecordingHeader = serde_json::from_slice(&line)
            .map_err(|_| RecordingError::NotOne("its first line is not a recording header"))?;
        if header.swapadm_recording > FORM {
            return Err(RecordingError::TooNew(header.swapadm_recording));
        }
        Ok(Self { input, count: 0, read_error: None, damaged: 0, maps: no_maps() })
    }

    /// Returns why some snapshots could not be read, as far as the file was read.
    pub const fn read_error(&self) -> Option<ReadError> {
        self.read_error
    }
}

impl<R: BufRead + Seek> RecordingReader<R> {
    /// Returns only the time of each snapshot: much faster than reading whole snapshots.
    pub fn stamps(&mut self) -> impl Iterator<Item = Stamp> {
        std::iter::from_fn(|| self.read::<Stamped>().map(|stamped| stamped.stamp))
    }

    fn read<T: serde::de::DeserializeOwned>(&mut self) -> Option<T> {
        while self.damaged < MAX_DAMAGED {
            let begin = self.input.stream_position().ok()?;
            let why = match next_frame(&mut self.input, SNAPSHOT_CAP) {
                Ok(None) => return None,
                Ok(Some(line)) if is_excessive(&line) => "are too large",
                Ok(Some(line)) => match serde_json::from_slice(&line) {
                    Ok(value) => {
                        self.count += 1;
                        return Some(value);
                    }
                    Err(_) => "have an invalid format, or lists that are too long",
                },
                Err(()) => "are damaged or missing",
            };
            self.damaged += 1;
            self.read_error.get_or_insert(ReadError { before: self.count, why });
            // The decoder may have read beyond the damaged frame.
            self.input.seek(SeekFrom::Start(begin + 1)).ok()?;
            skip_to_frame(&mut self.input).ok()?;
        }
        None
    }
}

/// The time stamp of a snapshot.
#[derive(Deserialize)]
struct Stamped {
    stamp: Stamp,
}

impl<R: BufRead + Seek> Iterator for RecordingReader<R> {
    type Item = Snapshot;

    fn next(&mut self) -> Option<Snapshot> {
        let mut snapshot: Snapshot = self.read()?;
        for (maps, last) in snapshot.maps_mut().into_iter().zip(&mut self.maps) {
            if maps.at.is_some() && maps.at == last.at && *maps.reading == Reading::not_sampled() {
                maps.clone_from(last);
            }
            last.clone_from(maps);
        }
        let Sampled { at, reading } = &snapshot.sources;
        if let Some(sources) = reading.known() {
            let sources = sources.iter().cloned();
            let sources = sources.map(|source| source.in_copy("swapadm record FILE")).collect();
            snapshot.sources = Sampled::new(*at, Reading::Known(sources));
        }
        Some(snapshot)
    }
}

/// Returns the content of the next frame; `None` at the end. The messages of the decoder would not help.
fn next_frame(input: &mut impl BufRead, cap: u64) -> Result<Option<Vec<u8>>, ()> {
    if input.fill_buf().map_err(drop)?.is_empty() {
        return Ok(None);
    }
    let mut decoder = StreamingDecoder::new(input).map_err(drop)?;
    let mut line = Vec::new();
    decoder.by_ref().take(cap).read_to_end(&mut line).map_err(drop)?;
    // The rest of a line that is too long is not read.
    if line.len() as u64 == cap {
        return Ok(Some(line));
    }
    let written = decoder.decoder.get_checksum_from_data();
    let is_intact = written.is_none() || written == decoder.decoder.get_calculated_checksum();
    if is_intact && line.ends_with(b"\n") { Ok(Some(line)) } else { Err(()) }
}

/// Moves on to where a frame seems to begin, or to the end.
fn skip_to_frame(input: &mut (impl BufRead + Seek)) -> io::Result<()> {
    let mut last = 0_u32;
    while last != FRAME_MAGIC {
        let Some(byte) = input.fill_buf()?.first().copied() else { return Ok(()) };
        input.consume(1);
        last = last << 8 | u32::from(byte);
    }
    input.seek_relative(-4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::clusters::testing::{cluster, map};
    use crate::model::Part;
    use crate::model::clusters::{Cluster, ClusterMap, ClusterView, List, NextSlot, ZramStored};
    use crate::model::parts::SourceFacts;
    use crate::model::users::testing::{process, table};
    use crate::model::users::{CgroupTree, CgroupVersion, Process};
    use crate::model::{Name, Shared};
    use std::io::Cursor;

    fn stamp(second: u64) -> Stamp {
        Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 }
    }

    fn snapshot(second: u64) -> Snapshot {
        let stamp = stamp(second);
        let mut snapshot = Snapshot::empty(stamp);
        snapshot.psi = Sampled::new(Some(stamp), Reading::failed("torn \u{1b}[2J"));
        snapshot
    }

    fn recording(count: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = RecordingWriter::new(&mut bytes).unwrap();
        for second in 0..count {
            writer.add(&snapshot(second)).unwrap();
        }
        bytes
    }

    #[test]
    fn what_is_written_is_read_back() {
        let bytes = recording(3);
        let mut reader = RecordingReader::new(Cursor::new(&bytes)).unwrap();
        let back: Vec<_> = reader.by_ref().collect();
        assert_eq!(back, [snapshot(0), snapshot(1), snapshot(2)]);
        assert_eq!(reader.read_error(), None);
    }

    /// A recording cannot be made readable.
    #[test]
    fn sources_of_a_recording_are_recorded_again() {
        let source = |part| SourceFacts {
            id: "any".to_owned(),
            part,
            about: String::new(),
            files: Vec::new(),
            remedy: "run as root".to_owned(),
        };
        let mut taken = snapshot(1);
        let sources = vec![source(Part::Config), source(Part::MappedClusters)];
        taken.sources = Sampled::new(Some(stamp(1)), Reading::Known(sources));
        let bytes = written(&[taken]);
        let back = RecordingReader::new(Cursor::new(&bytes)).unwrap().next().unwrap();
        let remedies: Vec<_> =
            back.sources.reading.known().unwrap().iter().map(|it| it.remedy.clone()).collect();
        let again = "as root, run swapadm record FILE again; if that is not enough, on the machine itself: run as root";
        assert_eq!(remedies, [again, "on the machine itself: run as root"]);
    }

    #[test]
    fn a_recording_cut_anywhere_gives_its_complete_part() {
        let bytes = recording(3);
        let two = recording(2).len();
        for end in two..bytes.len() {
            let mut reader = RecordingReader::new(Cursor::new(&bytes[..end])).unwrap();
            assert_eq!(reader.by_ref().count(), 2, "cut at {end}");
            assert_eq!(reader.read_error().is_some(), end > two, "cut at {end}");
        }
    }

    /// Each byte of the third of five snapshots is changed, or it and those after it are missing.
    #[test]
    fn a_damaged_snapshot_loses_only_itself() {
        let bytes = recording(5);
        let (begin, end) = (recording(2).len(), recording(3).len());
        let others = [0, 1, 3, 4].map(snapshot);
        for place in begin..end {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            let cut = [&bytes[..place], &bytes[end..]].concat();
            for damaged in [changed, cut] {
                let mut reader = RecordingReader::new(Cursor::new(&damaged)).unwrap();
                let back: Vec<_> = reader.by_ref().collect();
                assert!(others.iter().all(|it| back.contains(it)), "{place}: {}", back.len());
                let is_cut_out = damaged.len() == bytes.len() - (end - begin);
                assert_eq!(reader.read_error().is_none(), back.len() == 5 || is_cut_out);
            }
        }
    }

    #[test]
    fn other_files_and_later_versions_are_refused_with_a_reason() {
        let error =
            |bytes: &[u8]| RecordingReader::new(Cursor::new(bytes)).unwrap_err().to_string();
        assert!(error(b"").contains("empty"));
        assert!(error(b"plain text").contains("not a recording"));
        let mut later = Vec::new();
        let header = RecordingHeader { swapadm_recording: 99, program: String::new() };
        frame(&mut later, &to_line(&header).unwrap()).unwrap();
        assert!(error(&later).contains("format 99"));
    }

    #[test]
    fn a_snapshot_beyond_the_limits_is_refused_with_the_reason() {
        let values = "0,".repeat(MAX_VALUES);
        let many = format!("{{\"stamp\":{{\"boot_ns\":0,\"wall_ms\":0}},\"more\":[{values}0]}}\n");
        let many = compress_to_vec(many.as_bytes(), CompressionLevel::Uncompressed);
        let bytes = [recording(1), many].concat();
        let mut reader = RecordingReader::new(Cursor::new(&bytes)).unwrap();
        assert_eq!(reader.stamps().count(), 1);
        assert_eq!(reader.read_error(), Some(ReadError { before: 1, why: "are too large" }));
        assert_eq!(next_frame(&mut recording(1).as_slice(), 10), Ok(Some(b"{\"swapadm_".to_vec())));
        assert!(is_excessive(&vec![b' '; 64 << 20]));
    }

    /// Processes make more data than cgroups, and are left out first.
    #[test]
    fn only_what_is_too_large_is_left_out_with_a_reason() {
        let long = |mib: usize| Name::new(vec![b'a'; mib << 20]);
        let left = |processes_mib, cgroups_mib| {
            let mut large = snapshot(1);
            let mut table = table(&[], 0);
            let process = Process { comm: long(processes_mib), ..process(1, 0) };
            table.processes = vec![Shared::new(process)].into();
            large.processes = Sampled::new(Some(stamp(1)), Reading::Known(table));
            let tree = CgroupTree {
                version: CgroupVersion::V2,
                mount: long(cgroups_mib),
                groups: Box::new([]),
                left_out: 0,
                oom_kills: Reading::not_sampled(),
            };
            large.cgroups = Sampled::new(Some(stamp(1)), Reading::Known(tree));
            let bytes = written(&[large]);
            let back = RecordingReader::new(Cursor::new(&bytes)).unwrap().next().unwrap();
            (
                *back.processes.reading == Reading::absent(TOO_LARGE),
                *back.cgroups.reading == Reading::failed(TOO_LARGE),
            )
        };
        assert_eq!(left(1, 1), (false, false));
        assert_eq!(left(64, 1), (true, false));
        assert_eq!(left(1, 64), (true, true));
    }

    /// Maps of one area with this many clusters, read at this second.
    fn maps(read: u64, clusters: usize) -> ClusterMaps {
        let clusters = vec![cluster(u16::try_from(read).unwrap(), List::Nonfull, 4); clusters];
        Sampled::new(
            Some(stamp(read)),
            Reading::Known(vec![Reading::Known(map(ClusterView::Kernel, clusters))]),
        )
    }

    fn written(snapshots: &[Snapshot]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = RecordingWriter::new(&mut bytes).unwrap();
        for snapshot in snapshots {
            writer.add(snapshot).unwrap();
        }
        bytes
    }

    /// The lines of a recording after its first one.
    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut input = bytes;
        let lines = std::iter::from_fn(|| next_frame(&mut input, SNAPSHOT_CAP).unwrap());
        lines.skip(1).map(|line| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn maps_of_clusters_are_written_once_for_each_look_and_read_back_in_every_snapshot() {
        // Read in seconds 1 and 70, and not any more from 90 on.
        let looks = [None, Some(1), Some(1), Some(1), Some(70), Some(70), None, None];
        let seconds = [0, 1, 2, 60, 70, 71, 90, 91];
        let taken = seconds.into_iter().zip(looks).map(|(second, look)| {
            let mut snapshot = snapshot(second);
            snapshot.kernel_clusters = look.map_or_else(Sampled::none, |read| maps(read, 1000));
            snapshot
        });
        let taken: Vec<_> = taken.collect();
        let bytes = written(&taken);
        let with: Vec<bool> = lines(&bytes).iter().map(|line| line.contains("nonfull")).collect();
        assert_eq!(with, [false, true, false, false, true, false, false, false]);
        let back: Vec<_> = RecordingReader::new(Cursor::new(&bytes)).unwrap().collect();
        assert_eq!(back, taken);
    }

    #[test]
    fn maps_that_moved_with_their_areas_are_written_again() {
        let mut taken = [snapshot(1), snapshot(2)];
        for snapshot in &mut taken {
            snapshot.kernel_clusters = maps(1, 3);
        }
        let moved = vec![Reading::not_sampled(), Reading::Known(map(ClusterView::Kernel, vec![]))];
        taken[1].kernel_clusters = Sampled::new(Some(stamp(1)), Reading::Known(moved));
        let bytes = written(&taken);
        let back: Vec<_> = RecordingReader::new(Cursor::new(&bytes)).unwrap().collect();
        assert_eq!(back, taken);
    }

    #[test]
    fn maps_without_room_are_left_out_with_a_reason() {
        let each = MAPS_CAP / size_of::<Cluster>();
        let mut large = snapshot(1);
        large.kernel_clusters = maps(1, each / 10);
        large.stored_clusters = maps(1, each);
        large.mapped_clusters = maps(1, each / 10);
        let mut same = large.clone();
        same.stamp = stamp(2);
        let bytes = written(&[large.clone(), same]);
        for back in RecordingReader::new(Cursor::new(&bytes)).unwrap() {
            assert_eq!(back.kernel_clusters, large.kernel_clusters);
            let why = back.stored_clusters.reading.missing().unwrap().why();
            assert!(why.contains(TOO_LARGE), "{why}");
            assert_eq!(back.stored_clusters.at, Some(stamp(1)));
            assert_eq!(back.mapped_clusters, large.mapped_clusters, "there is room for it");
        }
    }

    #[test]
    fn the_longest_text_of_maps_leaves_half_of_a_snapshot_to_the_rest() {
        let mut wide =
            map(ClusterView::Kernel, vec![cluster(u16::MAX, List::Nonfull, u8::MAX); 10_000]);
        let most = u16::MAX;
        let stored = ZramStored {
            same: most,
            written: most,
            huge: most,
            idle: most,
            touched_s: Some(u64::MAX),
        };
        let next = NextSlot { cpu: Some(u32::MAX), order: u8::MAX, slot: u64::MAX };
        let only = |wide: &ClusterMap| {
            let mut snapshot = Snapshot::empty(stamp(1));
            snapshot.kernel_clusters =
                Sampled::new(None, Reading::Known(vec![Reading::Known(wide.clone())]));
            let text = serde_json::to_vec(&snapshot.kernel_clusters).unwrap().len();
            text as f64 / snapshot.map_bytes()[0] as f64
        };
        let mut times = vec![only(&wide)];
        wide.clusters.clear();
        wide.stored = vec![stored; 10_000];
        times.push(only(&wide));
        wide.stored.clear();
        wide.next = Reading::Known(vec![next; 10_000]);
        times.push(only(&wide));
        let most = times.iter().copied().fold(0.0, f64::max);
        assert!(most * MAPS_CAP as f64 <= SNAPSHOT_CAP as f64 / 2.0, "{times:?} times as long");
    }
}

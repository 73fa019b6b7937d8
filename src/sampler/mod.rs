//! Sources of snapshots: the live machine, a captured tree, a recording, or a simulated machine. The rest of the program does
//! not see a difference.

mod background;
pub mod capture;
pub mod recording;
mod replay;
mod schedule;

pub use background::{ClusterScanner, SubjectReader, scan_pause};
pub use replay::{Replay, ReplayError, ReplayStart};
pub use schedule::{Schedule, WantedParts};

use crate::clock::Clock;
use crate::model::{PartSet, Snapshot, Stamp};
use crate::probes;
use crate::root::Root;
use std::time::Duration;

/// A source of snapshots.
#[derive(Debug)]
pub enum SnapshotSource {
    /// The live machine: any number of snapshots.
    Live {
        /// The machine.
        root: Root,
        /// The clock for stamps and waiting.
        clock: Clock,
        /// When the next snapshot is due.
        due: Option<Stamp>,
    },
    /// A captured tree: it never changes, so it gives one snapshot.
    Captured {
        /// The tree.
        root: Root,
        /// Whether its snapshot was taken.
        is_read: bool,
    },
    /// A recording, from a chosen time on.
    Replay(Box<Replay>),
    /// A simulated machine: each snapshot is a simulated second later, whatever the interval.
    Simulated(SyntheticSource),
    /// Synthetic snapshots, for tests.
    Synthetic(SyntheticSource),
}

/// Generates snapshots.
pub struct SyntheticSource(pub Box<dyn FnMut(PartSet) -> Option<Snapshot> + Send>);

impl std::fmt::Debug for SyntheticSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SyntheticSource")
    }
}

impl SnapshotSource {
    /// Creates a source for this root.
    pub fn from_root(root: Root) -> Self {
        if root.is_live() {
            Self::Live { root: root.keeping_files(), clock: Clock::Real, due: None }
        } else {
            Self::Captured { root, is_read: false }
        }
    }

    /// Returns the next snapshot; `None` at the end. A recording returns all recorded parts, whatever parts
    /// are requested.
    pub fn next(&mut self, parts: PartSet) -> Option<Snapshot> {
        match self {
            Self::Live { root, clock, .. } => Some(probes::sample(root, clock, parts)),
            Self::Captured { root, is_read } => {
                let was_read = std::mem::replace(is_read, true);
                (!was_read).then(|| probes::sample(root, &Clock::at(captured_at(root)), parts))
            }
            Self::Replay(replay) => replay.next(),
            Self::Simulated(made) | Self::Synthetic(made) => (made.0)(parts),
        }
    }

    /// Reads more parts into a snapshot that was just taken: only files can be read a second time.
    pub fn add_parts(&self, parts: PartSet, snapshot: &mut Snapshot) {
        match self {
            Self::Live { root, clock, .. } => probes::sample_more(root, clock, parts, snapshot),
            Self::Captured { root, .. } => {
                probes::sample_more(root, &Clock::at(captured_at(root)), parts, snapshot);
            }
            Self::Replay(_) | Self::Simulated(_) | Self::Synthetic(_) => {}
        }
    }

    /// Returns the snapshot to compare the first one with: taken now, or the one before it in a recording. If
    /// the recording has none before it and more samples follow (`goes_on`), its first snapshot is used.
    pub fn baseline(&mut self, parts: PartSet, is_stream: bool) -> Option<Snapshot> {
        match self {
            Self::Live { root, clock, .. } => Some(probes::sample(root, clock, parts)),
            Self::Simulated(made) | Self::Synthetic(made) => (made.0)(parts),
            Self::Captured { .. } => None,
            Self::Replay(replay) => {
                let before = replay.before.take();
                if is_stream { before.or_else(|| replay.next()) } else { before }
            }
        }
    }

    /// Returns the snapshot to compare that of `baseline` with: each of its parts as it was read the time
    /// before. Only a recording has one; otherwise the baseline was taken just now.
    pub fn before_baseline(&mut self) -> Option<Snapshot> {
        match self {
            Self::Replay(replay) => replay.earlier.take(),
            Self::Live { .. } | Self::Captured { .. } | Self::Simulated(_) | Self::Synthetic(_) => {
                None
            }
        }
    }

    /// Returns how long to wait until the next sample is due, so that samples keep their interval however
    /// long each takes; a late one is not made up for. Captures and recordings need no waiting.
    pub fn time_until_due(&mut self, interval: Duration) -> Duration {
        let Self::Live { clock, due, .. } = self else {
            return if matches!(self, Self::Simulated(_)) { interval } else { Duration::ZERO };
        };
        let now = clock.now();
        let step = u64::try_from(interval.as_nanos()).unwrap_or(u64::MAX);
        let planned = due.map_or(now.boot_ns, |due| due.boot_ns).saturating_add(step);
        let next = if planned < now.boot_ns { now.boot_ns.saturating_add(step) } else { planned };
        *due = Some(Stamp { boot_ns: next, ..now });
        Duration::from_nanos(next - now.boot_ns)
    }
}

/// Returns when a tree was captured, from its boot time and uptime; the beginning of 1970 if it does not
/// contain them.
fn captured_at(root: &Root) -> Stamp {
    let uptime = root.line("proc/uptime").known().and_then(|line| {
        let seconds = line.split(' ').next()?.parse::<f64>().ok()?;
        Duration::try_from_secs_f64(seconds).ok()
    });
    let booted = root.text("proc/stat").known().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("btime "))?;
        line.trim().parse::<u64>().ok()
    });
    let uptime = uptime.unwrap_or_default();
    let wall = Duration::from_secs(booted.unwrap_or(0)).saturating_add(uptime);
    let number = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
    Stamp { boot_ns: number(uptime.as_nanos()), wall_ms: number(wall.as_millis()) }
}

//! Where snapshots come from: the live machine, a captured tree, or a recording. The rest of the
//! program cannot tell which.

mod cluster_scanner;
pub mod capture;
pub mod recording;
mod replay;
mod schedule;

pub use cluster_scanner::{ClusterScanner, scan_pause};
pub use replay::{ReplayStart, Replay, ReplayError};
pub use schedule::{Schedule, WantedParts};

use crate::clock::Clock;
use crate::model::{PartSet, Snapshot, Stamp};
use crate::probes;
use crate::root::Root;
use std::time::Duration;

/// Something that gives one snapshot after the other.
#[derive(Debug)]
pub enum SnapshotSource {
    /// The machine we run on: as many as wanted.
    Live {
        /// The machine.
        root: Root,
        /// When, and how long to wait.
        clock: Clock,
        /// When the next one is due.
        due: Option<Stamp>,
    },
    /// A captured tree: it never changes, so there is one.
    Captured {
        /// The tree; taken once it has been read.
        root: Option<Root>,
    },
    /// A recording, from some moment on.
    Replay(Box<Replay>),
    /// A machine that is made up: whatever this gives.
    Synthetic(SyntheticSource),
}

/// Makes snapshots up.
pub struct SyntheticSource(pub Box<dyn FnMut(PartSet) -> Option<Snapshot> + Send>);

impl std::fmt::Debug for SyntheticSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Made")
    }
}

impl SnapshotSource {
    /// Take snapshots of this root.
    pub fn from_root(root: Root) -> Self {
        if root.is_live() {
            Self::Live { root, clock: Clock::Real, due: None }
        } else {
            Self::Captured { root: Some(root) }
        }
    }

    /// The next snapshot; none when there is no other. A recording holds what it holds, whatever
    /// parts are asked for.
    pub fn next(&mut self, parts: PartSet) -> Option<Snapshot> {
        match self {
            Self::Live { root, clock, .. } => Some(probes::sample(root, clock, parts)),
            Self::Captured { root } => {
                let root = root.take()?;
                Some(probes::sample(&root, &Clock::at(captured_at(&root)), parts))
            }
            Self::Replay(replay) => replay.next(),
            Self::Synthetic(made) => (made.0)(parts),
        }
    }

    /// Read these parts into a snapshot that was just given, beside those that it has. Only the machine
    /// itself can be asked a second time.
    pub fn add_parts(&self, parts: PartSet, snapshot: &mut Snapshot) {
        if let Self::Live { root, clock, .. } = self {
            probes::sample_more(root, clock, parts, snapshot);
        }
    }

    /// The snapshot to compare the first one with: taken now, or the one before in the recording.
    /// A stream from the beginning of a recording gives its first one for that.
    pub fn baseline(&mut self, parts: PartSet, goes_on: bool) -> Option<Snapshot> {
        match self {
            Self::Live { root, clock, .. } => Some(probes::sample(root, clock, parts)),
            Self::Synthetic(made) => (made.0)(parts),
            Self::Captured { .. } => None,
            Self::Replay(replay) => {
                let before = replay.before.take();
                if goes_on { before.or_else(|| replay.next()) } else { before }
            }
        }
    }

    /// What the rates of the snapshot of `before_first` are measured against, where it was not taken
    /// just for that: some of its parts may be older than itself.
    pub fn before_baseline(&mut self) -> Option<Snapshot> {
        match self {
            Self::Replay(replay) => replay.earlier.take(),
            Self::Live { .. } | Self::Captured { .. } | Self::Synthetic(_) => None,
        }
    }

    /// How long to wait until the next sample is due, so that samples keep their distance whatever
    /// each of them takes; one that is late is not made up for. Only a live machine has to be
    /// waited for.
    pub fn time_until_due(&mut self, interval: Duration) -> Duration {
        let Self::Live { clock, due, .. } = self else { return Duration::ZERO };
        let now = clock.now();
        let step = u64::try_from(interval.as_nanos()).unwrap_or(u64::MAX);
        let planned = due.map_or(now.boot_ns, |due| due.boot_ns).saturating_add(step);
        let next = if planned < now.boot_ns { now.boot_ns.saturating_add(step) } else { planned };
        *due = Some(Stamp { boot_ns: next, ..now });
        Duration::from_nanos(next - now.boot_ns)
    }
}

/// When a tree was captured, by its own clock: boot time and time since boot. The beginning of
/// 1970 where it does not say.
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

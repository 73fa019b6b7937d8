//! Where snapshots come from: the live machine, or a recording. The rest of the program cannot
//! tell which.

pub mod recording;

use crate::clock::Clock;
use crate::model::{PartSet, Snapshot};
use crate::probes;
use crate::root::Root;
use std::time::Duration;

/// Something that gives one snapshot after the other.
#[derive(Debug)]
pub enum Source {
    /// Take them now.
    Live {
        /// The machine, or a captured tree that never changes.
        root: Root,
        /// When, and how long to wait.
        clock: Clock,
    },
    /// Take them from a recording.
    Replay {
        /// The snapshots to give, next one first.
        snapshots: std::collections::VecDeque<Snapshot>,
        /// The snapshot before those, for rates.
        before: Option<Box<Snapshot>>,
    },
}

impl Source {
    /// The next snapshot; none when a recording has ended. A recording holds what it holds,
    /// whatever parts are asked for.
    pub fn next(&mut self, parts: PartSet) -> Option<Snapshot> {
        match self {
            Self::Live { root, clock } => Some(probes::sample(root, clock, parts)),
            Self::Replay { snapshots, .. } => snapshots.pop_front(),
        }
    }

    /// The snapshot to compare the first one with: taken now and followed by a wait, or the one
    /// before in the recording.
    pub fn first_of_two(&mut self, parts: PartSet, wait: Duration) -> Option<Snapshot> {
        match self {
            Self::Live { root, clock } => {
                let first = probes::sample(root, clock, parts);
                clock.sleep(wait);
                Some(first)
            }
            Self::Replay { before, .. } => before.take().map(|snapshot| *snapshot),
        }
    }

    /// Wait for the moment of the next sample; a recording does not wait.
    pub fn wait(&self, time: Duration) {
        if let Self::Live { clock, .. } = self {
            clock.sleep(time);
        }
    }
}

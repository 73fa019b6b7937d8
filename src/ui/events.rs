//! Events of a machine: OOM kills, changes of areas and settings, new findings.

use super::glyphs::rounded;
use super::theme::Role;
use crate::model::users::Process;
use crate::model::{Bytes, Snapshot, Stamp, worded_enum};
use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

worded_enum! {
    /// The kind of an event, worst first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum EventKind {
        /// The kernel killed a process because memory ran out.
        OomKill = "OOM kill",
        /// A finding appeared.
        Finding = "finding",
        /// Swap areas or settings changed.
        Change = "change",
        /// A workload or an experiment ended.
        Run = "run",
    }
}

impl EventKind {
    /// The sign below a chart, and its color.
    pub fn sign(self) -> (char, Role) {
        match self {
            Self::OomKill => ('X', Role::Crit),
            Self::Finding => ('!', Role::Warn),
            Self::Change => ('o', Role::Accent),
            Self::Run => ('r', Role::Accent),
        }
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineEvent {
    /// When it was noticed.
    pub at: Stamp,
    /// The kind.
    pub kind: EventKind,
    /// A description.
    pub words: String,
}

/// The most recent events, oldest first.
#[derive(Debug, Default)]
pub struct Events {
    list: VecDeque<MachineEvent>,
}

/// Maximum number of events kept.
const MOST: usize = 500;

impl Events {
    /// All events, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &MachineEvent> {
        self.list.iter()
    }

    /// The last event of a kind up to a time.
    pub fn last(&self, kind: EventKind, until: Stamp) -> Option<&MachineEvent> {
        let until = until.boot_ns;
        self.iter().rfind(|event| event.kind == kind && event.at.boot_ns <= until)
    }

    /// The events of the last steps before a time, each with its age in steps.
    pub fn marks(&self, now: Stamp, step: Duration, steps: usize) -> Vec<(usize, EventKind)> {
        let step = step.as_secs_f64().max(0.001);
        let age = |event: &MachineEvent| {
            let ago = now.seconds_since(event.at) / step;
            (0.0..steps as f64).contains(&ago).then(|| (rounded(ago), event.kind))
        };
        let until = now.boot_ns;
        self.iter().filter(|event| event.at.boot_ns <= until).filter_map(age).collect()
    }

    /// Adds an event, unless it is known already.
    pub fn add(&mut self, at: Stamp, kind: EventKind, words: impl Into<String>) {
        let event = MachineEvent { at, kind, words: words.into() };
        if self.list.iter().any(|known| *known == event) {
            return;
        }
        // A finding of an earlier sample may be judged later.
        let place = self.list.partition_point(|known| known.at.boot_ns <= at.boot_ns);
        self.list.insert(place, event);
        if self.list.len() > MOST {
            self.list.pop_front();
        }
    }

    /// Adds what happened between two samples.
    pub fn notice(&mut self, before: &Snapshot, now: &Snapshot) {
        let kills = |snapshot: &Snapshot| -> Option<u64> {
            snapshot.vmstat.reading.known()?.get("oom_kill").known().copied()
        };
        if let (Some(old), Some(new)) = (kills(before), kills(now))
            && new > old
        {
            let count = new - old;
            let noun = if count == 1 { "OOM kill" } else { "OOM kills" };
            let likely = likely_killed(before, now, count);
            let of =
                if likely.is_empty() { String::new() } else { format!(", likely of {likely}") };
            self.add(now.stamp, EventKind::OomKill, format!("{count} {noun}{of}"));
        }
        for words in area_changes(before, now) {
            self.add(now.stamp, EventKind::Change, words);
        }
    }
}

/// Maximum number of processes named in an event.
const MOST_NAMED: usize = 3;

/// The largest of the processes that are gone: the kernel counts its kills, and does not say of which processes.
/// Empty if processes were not read between the samples.
fn likely_killed(before: &Snapshot, now: &Snapshot, count: u64) -> String {
    let (then, after) = (&before.processes, &now.processes);
    let (Some(old), Some(new)) = (then.reading.known(), after.reading.known()) else {
        return String::new();
    };
    let alive: BTreeSet<u32> = new.processes.iter().map(|process| process.pid).collect();
    let memory = |process: &Process| {
        let bytes = [&process.rss, &process.swap].map(|bytes| bytes.known().copied());
        bytes.into_iter().flatten().sum::<Bytes>()
    };
    let mut gone: Vec<&Process> = old
        .processes
        .iter()
        .map(|process| &**process)
        .filter(|process| !alive.contains(&process.pid) && memory(process) > Bytes(0))
        .collect();
    gone.sort_by_key(|process| Reverse(memory(process)));
    let count = usize::try_from(count).unwrap_or(MOST_NAMED).min(MOST_NAMED);
    let name = |process: &&Process| format!("{} {}", process.pid, process.comm.safe());
    gone.iter().take(count).map(name).collect::<Vec<_>>().join(", ")
}

/// Areas that were enabled or disabled, or whose priority changed.
fn area_changes(before: &Snapshot, now: &Snapshot) -> Vec<String> {
    let (Some(old), Some(new)) = (before.swaps.reading.known(), now.swaps.reading.known()) else {
        return vec![];
    };
    let mut changes = Vec::new();
    for area in new {
        let name = area.path.safe();
        match old.iter().find(|other| other.path == area.path) {
            None => changes.push(format!("{name} enabled")),
            Some(other) if other.priority != area.priority => {
                changes.push(format!("{name} priority {} to {}", other.priority, area.priority));
            }
            Some(_) => {}
        }
    }
    let is_gone =
        |area: &&crate::model::swaparea::SwapArea| !new.iter().any(|other| other.path == area.path);
    let gone = old.iter().filter(is_gone);
    changes.extend(gone.map(|area| format!("{} disabled", area.path.safe())));
    changes
}

//! Reads one process or cgroup in detail in a thread of its own: page tables of a large process take seconds.

use super::SnapshotSource;
use crate::clock::Clock;
use crate::model::subject::{DetailTarget, SubjectDetail};
use crate::model::{Sampled, Snapshot, Stamp};
use crate::probes;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Minimum pause between two reads.
const MIN_PAUSE: Duration = Duration::from_secs(1);
/// Pause after a read as a multiple of its duration: reads take at most a twentieth of a CPU.
const PAUSE_FACTOR: u32 = 20;

/// Reads a subject in the background.
#[derive(Clone, Debug, Default)]
pub struct SubjectReader {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    running: bool,
    /// The subject that was read last, with its details, the end of the read, and its duration.
    found: Option<(DetailTarget, Sampled<SubjectDetail>, Stamp, Duration)>,
}

impl SubjectReader {
    /// Puts the details of a subject into this snapshot if they were read, and starts reading them from a
    /// live machine if they are due; `done` is called at the end.
    pub fn fill_in(
        &self,
        source: &SnapshotSource,
        subject: Option<&DetailTarget>,
        snapshot: &mut Snapshot,
        done: impl FnOnce() + Send + 'static,
    ) {
        snapshot.subject = Sampled::none();
        let Some(subject) = subject else {
            self.state().found = None;
            return;
        };
        let mut state = self.state();
        let own = state.found.as_ref().filter(|(of, ..)| of == subject);
        let due = own.is_none_or(|(.., ended, took)| {
            let pause = MIN_PAUSE.max(took.saturating_mul(PAUSE_FACTOR));
            snapshot.stamp.seconds_since(*ended) >= pause.as_secs_f64() * 0.95
        });
        if let Some((_, detail, ..)) = own {
            snapshot.subject = detail.clone();
        }
        let SnapshotSource::Live { root, .. } = source else { return };
        if due && !state.running {
            let (reader, root, subject) = (self.clone(), root.clone(), subject.clone());
            let read = move || {
                let began = Clock::Real.now();
                let detail = probes::subject::read(&root, &Clock::Real, &subject);
                reader.finish(subject, detail, began);
                done();
            };
            // If no thread can be started, the next sample tries again.
            let thread = std::thread::Builder::new().name("subject".to_owned()).spawn(read);
            state.running = thread.is_ok();
        }
    }

    fn finish(&self, subject: DetailTarget, detail: Sampled<SubjectDetail>, began: Stamp) {
        let now = Clock::Real.now();
        let took = Duration::from_secs_f64(now.seconds_since(began));
        let mut state = self.state();
        state.running = false;
        state.found = Some((subject, detail, now, took));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;
    use std::sync::mpsc::channel;

    #[test]
    fn details_of_a_subject_appear_in_later_snapshots_and_end_with_the_page() {
        let status = b"Name:\tdb\nState:\tS\nPPid:\t1\nUid:\t0 0 0 0\nVmSwap:\t 8 kB\n";
        let tree = TestTree::with(&[("proc/7/status", status.as_slice())]);
        let source = SnapshotSource::Live { root: tree.live(), clock: Clock::Real, due: None };
        let reader = SubjectReader::default();
        let (ended, ends) = channel();
        let fill = |subject: Option<DetailTarget>| {
            let mut snapshot = Snapshot::empty(Clock::Real.now());
            let ended = ended.clone();
            reader.fill_in(&source, subject.as_ref(), &mut snapshot, move || {
                ended.send(()).unwrap();
            });
            snapshot.process_detail().known().map(|detail| detail.process.pid)
        };
        assert_eq!(fill(Some(DetailTarget::Process(7))), None);
        ends.recv().unwrap();
        assert_eq!(fill(Some(DetailTarget::Process(7))), Some(7));
        assert!(ends.try_recv().is_err(), "it is not read again at once");
        assert_eq!(fill(Some(DetailTarget::Process(8))), None, "another one is read too");
        ends.recv().unwrap();
        assert_eq!(fill(None), None);
        assert!(reader.state().found.is_none());
    }
}

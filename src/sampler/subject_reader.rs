//! Reads one process or cgroup in detail in a thread of its own: page tables of a large process take seconds.

use super::SnapshotSource;
use super::background::Background;
use crate::clock::Clock;
use crate::model::subject::{DetailTarget, SubjectDetail};
use crate::model::{Sampled, Snapshot};
use crate::probes;
use crate::root::Root;
use std::time::Duration;

/// Minimum pause between two reads.
const MIN_PAUSE: Duration = Duration::from_secs(1);
/// Pause after a read as a multiple of its duration: reads take at most a twentieth of a CPU.
const PAUSE_FACTOR: u32 = 20;

/// Reads a subject in the background.
#[derive(Clone, Debug, Default)]
pub struct SubjectReader(Background<(DetailTarget, Sampled<SubjectDetail>)>);

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
            self.0.cancel();
            self.0.state().found = None;
            return;
        };
        let found = self.0.state().found.clone().filter(|(of, _)| of == subject);
        let pause = |took: Duration| MIN_PAUSE.max(took.saturating_mul(PAUSE_FACTOR)).mul_f64(0.95);
        let is_due = found.is_none() || self.0.is_due(snapshot.stamp, pause);
        if let Some((_, detail)) = found {
            snapshot.subject = detail;
        }
        let SnapshotSource::Live { root, .. } = source else { return };
        if is_due {
            let subject = subject.clone();
            let read = move |root: &Root| {
                let detail = probes::subject::read(root, &Clock::Real, &subject);
                (subject, detail)
            };
            self.0.start("subject", root, read, done);
        }
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
        assert!(reader.0.state().found.is_none());
    }
}

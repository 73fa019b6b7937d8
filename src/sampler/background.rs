//! Reads that can take seconds run in a thread of their own, one at a time, so that other figures do not wait.

use super::SnapshotSource;
use crate::clock::Clock;
use crate::model::subject::{DetailTarget, SubjectDetail};
use crate::model::swaparea::SwapArea;
use crate::model::{ClusterMaps, Missing, PartSet, Sampled, Snapshot, Stamp, part_set};
use crate::probes;
use crate::root::Root;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A read in the background, and its last result.
#[derive(Debug)]
pub(super) struct Background<T>(Arc<Mutex<BackgroundState<T>>>);

#[derive(Debug)]
pub(super) struct BackgroundState<T> {
    pub(super) running: bool,
    /// Cancels the running read when its result is no longer shown.
    pub(super) cancel: Arc<AtomicBool>,
    /// Result of the last read.
    pub(super) found: Option<T>,
    /// End and duration of the last read.
    pub(super) ended: Option<(Stamp, Duration)>,
}

impl<T> Default for Background<T> {
    fn default() -> Self {
        let (cancel, found, ended) = (Arc::default(), None, None);
        Self(Arc::new(Mutex::new(BackgroundState { running: false, cancel, found, ended })))
    }
}

impl<T> Clone for Background<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Send + 'static> Background<T> {
    /// Returns whether no read has ended, or the pause after the last one is over; `pause` gets its duration.
    pub(super) fn is_due(&self, now: Stamp, pause: impl FnOnce(Duration) -> Duration) -> bool {
        let ended = self.state().ended;
        ended.is_none_or(|(ended, took)| now.seconds_since(ended) >= pause(took).as_secs_f64())
    }

    /// Starts a read in a thread of this name, unless one is running; `done` is called at its end.
    pub(super) fn start(
        &self,
        name: &str,
        root: &Root,
        read: impl FnOnce(&Root) -> T + Send + 'static,
        done: impl FnOnce() + Send + 'static,
    ) {
        let mut state = self.state();
        if state.running {
            return;
        }
        state.cancel = Arc::default();
        let (own, root) = (self.clone(), root.with_cancel(Arc::clone(&state.cancel)));
        let read = move || {
            let began = Clock::Real.now();
            own.finish(read(&root), began);
            done();
        };
        // If no thread can be started, the next sample tries again.
        state.running = std::thread::Builder::new().name(name.to_owned()).spawn(read).is_ok();
    }

    /// Keeps a result. That of a cancelled read is incomplete: the next request starts another read at once.
    pub(super) fn finish(&self, found: T, began: Stamp) {
        let now = Clock::Real.now();
        let mut state = self.state();
        state.running = false;
        if !state.cancel.load(Ordering::Relaxed) {
            state.ended = Some((now, Duration::from_secs_f64(now.seconds_since(began))));
            state.found = Some(found);
        }
    }

    /// Cancels the running read.
    pub(super) fn cancel(&self) {
        self.state().cancel.store(true, Ordering::Relaxed);
    }

    pub(super) fn state(&self) -> MutexGuard<'_, BackgroundState<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// Reads clusters in a thread of their own: a scan can take seconds, and other figures must not wait for it.

/// Minimum pause between two scans: clusters change slowly.
const MIN_PAUSE: Duration = Duration::from_secs(5);
/// Pause after a scan as a multiple of its duration: scans take at most a fiftieth of a CPU.
const PAUSE_FACTOR: u32 = 50;
/// Parts that all views of clusters need.
const NEEDS: PartSet = part_set![Kernel, Swaps, Allocator];

/// Scans clusters in the background: the views of the last scan, and its result.
#[derive(Clone, Debug, Default)]
pub struct ClusterScanner(Background<(PartSet, Snapshot)>);

impl ClusterScanner {
    /// Starts a scan of a live machine if these views are wanted and a scan is due; `done` is called at its
    /// end.
    pub fn scan_if_due(
        &self,
        source: &SnapshotSource,
        views: PartSet,
        (now, interval): (Stamp, Duration),
        done: impl FnOnce() + Send + 'static,
    ) {
        let SnapshotSource::Live { root, .. } = source else { return };
        if views == PartSet::NONE {
            self.0.cancel();
        } else if self.lacks(views) || self.0.is_due(now, |took| scan_pause(took).max(interval)) {
            let scan =
                move |root: &Root| (views, probes::sample(root, &Clock::Real, views.with(NEEDS)));
            self.0.start("clusters", root, scan, done);
        }
    }

    /// Returns whether the last scan left out one of these views.
    fn lacks(&self, views: PartSet) -> bool {
        let state = self.0.state();
        state.found.as_ref().is_some_and(|(scanned, _)| views.without(*scanned) != PartSet::NONE)
    }

    /// Makes the next scan due at once.
    pub fn scan_again(&self) {
        self.0.state().ended = None;
    }

    /// Puts the result of the last scan into this snapshot, for the areas that it has. The result counts as
    /// current, however old it is: the screen shows its time.
    pub fn fill_in(&self, snapshot: &mut Snapshot) {
        let mut state = self.0.state();
        let Some((_, found)) = &state.found else { return };
        let places = previous_indices(found, snapshot);
        let of_those = |found: &ClusterMaps| match &places {
            Some(places) => maps_at(found, places),
            None => found.clone(),
        };
        snapshot.kernel_clusters = of_those(&found.kernel_clusters);
        snapshot.stored_clusters = of_those(&found.stored_clusters);
        snapshot.mapped_clusters = of_those(&found.mapped_clusters);
        // A new area is scanned at once.
        if places.is_some_and(|places| places.contains(&None)) {
            state.ended = None;
        }
    }
}

/// Returns the pause after a scan that took this long.
pub fn scan_pause(took: Duration) -> Duration {
    MIN_PAUSE.max(took.saturating_mul(PAUSE_FACTOR))
}

/// Returns the index of each area of this snapshot in the last scan, if the same area was there: maps are
/// stored by index. `None` if the areas of the scan were unknown: its readings then hold the reason.
fn previous_indices(found: &Snapshot, now: &Snapshot) -> Option<Vec<Option<usize>>> {
    let found = found.swaps.reading.known()?;
    Some(SwapArea::indices_in(now.areas(), found))
}

/// Returns the maps of the areas with these indices.
fn maps_at(found: &ClusterMaps, places: &[Option<usize>]) -> ClusterMaps {
    let maps = found.reading.as_ref();
    let maps = maps.map(|maps| SwapArea::pick(maps, places, &Missing::NotSampled));
    Sampled::new(found.at, maps)
}

// Reads one process or cgroup in detail in a thread of its own: page tables of a large process take seconds.

/// Minimum pause between two reads.
const MIN_DETAIL_PAUSE: Duration = Duration::from_secs(1);
/// Pause after a read as a multiple of its duration: reads take at most a twentieth of a CPU.
const DETAIL_PAUSE_FACTOR: u32 = 20;

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
        let pause = |took: Duration| {
            MIN_DETAIL_PAUSE.max(took.saturating_mul(DETAIL_PAUSE_FACTOR)).mul_f64(0.95)
        };
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

#[cfg(test)]
mod cluster_scanner_tests {
    use super::*;
    use crate::derive::clusters::testing::map;
    use crate::model::clusters::{ClusterMap, ClusterView};
    use crate::model::swaparea::testing::area;
    use crate::model::{Bytes, Reading};
    use crate::root::testing::TestTree;
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    const VIEWS: PartSet = part_set![KernelClusters, StoredClusters];

    fn at(seconds: u64) -> Stamp {
        Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: seconds * 1000 }
    }

    fn machine(areas: &[&str], clusters: &str) -> Snapshot {
        let mut snapshot = Snapshot::empty(at(1));
        let areas = areas.iter().map(|name| area(name, 5, 9, 0)).collect();
        snapshot.swaps = Sampled::new(Some(at(1)), Reading::Known(areas));
        snapshot.kernel_clusters = Sampled::new(Some(at(1)), Reading::absent(clusters));
        snapshot
    }

    fn filled_in(aside: &ClusterScanner, areas: &[&str]) -> String {
        let mut snapshot = machine(areas, "not looked at");
        aside.fill_in(&mut snapshot);
        snapshot.kernel_clusters.reading.missing().unwrap().why()
    }

    #[test]
    fn the_pause_grows_with_the_time_of_a_scan() {
        let second = Duration::from_secs(1);
        let due = |took, passed: u64, interval| {
            let aside = ClusterScanner::default();
            aside.0.state().ended = Some((at(10), Duration::from_millis(took)));
            aside.0.is_due(at(10 + passed), |took| scan_pause(took).max(interval))
        };
        assert!(ClusterScanner::default().0.is_due(at(0), scan_pause));
        assert_eq!([due(1, 4, second), due(1, 5, second)], [false, true]);
        assert_eq!([due(200, 9, second), due(200, 10, second)], [false, true]);
        assert_eq!([due(1, 9, second * 10), due(1, 10, second * 10)], [false, true]);
    }

    #[test]
    fn maps_are_filled_in_for_the_same_areas_only() {
        let aside = ClusterScanner::default();
        assert_eq!(filled_in(&aside, &["/dev/a"]), "not looked at");
        aside.0.finish((VIEWS, machine(&["/dev/a", "/dev/b"], "found")), at(1));
        assert_eq!(filled_in(&aside, &["/dev/a", "/dev/b"]), "found");
        assert!(aside.0.state().ended.is_some());
        aside.0.finish((VIEWS, machine(&["/dev/a"], "found")), at(1));
        let mut other = machine(&["/dev/a"], "not looked at");
        let mut areas = other.swaps.reading.known().unwrap().clone();
        areas[0].size = Bytes(1);
        other.swaps = Sampled::new(Some(at(2)), Reading::Known(areas));
        aside.fill_in(&mut other);
        assert!(aside.0.state().ended.is_none(), "an area with another size is scanned at once");
    }

    #[test]
    fn an_unwanted_scan_is_cancelled_and_dropped() {
        let aside = ClusterScanner::default();
        let root = TestTree::new().live();
        let source = SnapshotSource::Live { root, clock: Clock::Real, due: None };
        let time = (at(1), Duration::from_secs(1));
        aside.0.state().running = true;
        let mark = Arc::clone(&aside.0.state().cancel);
        aside.scan_if_due(&source, part_set![MappedClusters], time, || {});
        assert!(!mark.load(Ordering::Relaxed), "the scan is wanted");
        aside.scan_if_due(&source, PartSet::NONE, time, || {});
        assert!(mark.load(Ordering::Relaxed));
        aside.0.finish((VIEWS, machine(&["/dev/a"], "half of it")), at(1));
        let state = aside.0.state();
        assert!(!state.running && state.found.is_none() && state.ended.is_none());
    }

    #[test]
    fn a_view_that_was_not_scanned_is_scanned_at_once() {
        let aside = ClusterScanner::default();
        let root = TestTree::new().live();
        let source = SnapshotSource::Live { root, clock: Clock::Real, due: None };
        let time = (at(1), Duration::from_secs(1));
        aside.0.finish((VIEWS, machine(&["/dev/a"], "found")), at(1));
        let is_scanned = |views| {
            let (done, ended) = std::sync::mpsc::channel();
            aside.scan_if_due(&source, views, time, move || done.send(()).unwrap());
            ended.recv().is_ok()
        };
        assert!(!is_scanned(part_set![StoredClusters]), "the last scan has it");
        assert!(is_scanned(VIEWS.with(part_set![MappedClusters])));
    }

    #[test]
    fn maps_follow_their_areas() {
        let aside = ClusterScanner::default();
        let mut found = machine(&["/dev/a", "/dev/b"], "");
        let maps = [1, 2].map(|slots| ClusterMap { slots, ..map(ClusterView::Kernel, Vec::new()) });
        let maps = maps.into_iter().map(Reading::Known).collect();
        found.kernel_clusters = Sampled::new(Some(at(1)), Reading::Known(maps));
        aside.0.finish((VIEWS, found), at(1));
        let slots = |areas: &[&str]| {
            let mut snapshot = machine(areas, "not looked at");
            aside.fill_in(&mut snapshot);
            let maps = snapshot.kernel_clusters.reading.known().unwrap();
            maps.iter().map(|map| map.known().map(|map| map.slots)).collect::<Vec<_>>()
        };
        assert_eq!(slots(&["/dev/b"]), [Some(2)], "the other area was disabled");
        assert_eq!(slots(&["/dev/b", "/dev/a"]), [Some(2), Some(1)]);
        assert!(aside.0.state().ended.is_some(), "there is no new area");
        assert_eq!(slots(&["/dev/c", "/dev/a"]), [None, Some(1)]);
        assert!(aside.0.state().ended.is_none(), "a new area is scanned at once");
    }
}

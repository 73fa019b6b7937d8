//! Reads clusters in a thread of their own: a scan can take seconds, and other figures must not wait for it.

use crate::clock::Clock;
use crate::model::clusters::ClusterMap;
use crate::model::swaparea::SwapArea;
use crate::model::{PartSet, Reading, Sampled, Snapshot, Stamp, part_set};
use crate::probes;
use crate::sampler::SnapshotSource;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Minimum pause between two scans: clusters change slowly.
const MIN_PAUSE: Duration = Duration::from_secs(3);
/// Pause after a scan as a multiple of its duration: scans take at most a fiftieth of a CPU.
const PAUSE_FACTOR: u32 = 50;
/// The maps of all areas from one view.
type Clusters = Sampled<Vec<Reading<ClusterMap>>>;

/// Parts that all views of clusters need.
const NEEDS: PartSet = part_set![Kernel, Swaps, Allocator];

/// Scans clusters in the background.
#[derive(Clone, Debug, Default)]
pub struct ClusterScanner {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    running: bool,
    /// Cancels the running scan when its result is no longer shown.
    cancel: Arc<AtomicBool>,
    /// Result of the last scan.
    found: Option<Snapshot>,
    /// End and duration of the last scan.
    ended: Option<(Stamp, Duration)>,
}

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
        let mut state = self.state();
        if views == PartSet::NONE {
            state.cancel.store(true, Ordering::Relaxed);
            return;
        }
        if state.running || !is_due(state.ended, now, interval) {
            return;
        }
        state.cancel = Arc::default();
        let (aside, root) = (self.clone(), root.with_cancel(Arc::clone(&state.cancel)));
        let look = move || {
            let snapshot = probes::sample(&root, &Clock::Real, views.with(NEEDS));
            aside.finish(snapshot);
            done();
        };
        // If no thread can be started, the next sample tries again.
        let thread = std::thread::Builder::new().name("clusters".to_owned()).spawn(look);
        state.running = thread.is_ok();
    }

    fn finish(&self, snapshot: Snapshot) {
        let took = Duration::from_micros(snapshot.cost.wall_us);
        let mut state = self.state();
        state.running = false;
        if state.cancel.load(Ordering::Relaxed) {
            // The scan is incomplete: the next request starts another one at once.
            return;
        }
        state.ended = Some((Clock::Real.now(), took));
        state.found = Some(snapshot);
    }

    /// Makes the next scan due at once.
    pub fn scan_again(&self) {
        self.state().ended = None;
    }

    /// Puts the result of the last scan into this snapshot, for the areas that it has. The result counts as
    /// current, however old it is: the screen shows its time.
    pub fn fill_in(&self, snapshot: &mut Snapshot) {
        let mut state = self.state();
        let Some(found) = &state.found else { return };
        let places = previous_indices(found, snapshot);
        let of_those = |found: &Clusters| match &places {
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

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_due(ended: Option<(Stamp, Duration)>, now: Stamp, interval: Duration) -> bool {
    let Some((ended, took)) = ended else { return true };
    now.seconds_since(ended) >= scan_pause(took).max(interval).as_secs_f64()
}

/// Returns the pause after a scan that took this long.
pub fn scan_pause(took: Duration) -> Duration {
    MIN_PAUSE.max(took.saturating_mul(PAUSE_FACTOR))
}

/// Returns the index of each area of this snapshot in the last scan, if the same area was there: maps are
/// stored by index. `None` if the areas of the scan were unknown: its readings then hold the reason.
fn previous_indices(found: &Snapshot, now: &Snapshot) -> Option<Vec<Option<usize>>> {
    let found = found.swaps.reading.known()?;
    let now = now.swaps.reading.known().map_or(&[][..], Vec::as_slice);
    Some(SwapArea::indices_in(now, found))
}

/// Returns the maps of the areas with these indices.
fn maps_at(found: &Clusters, places: &[Option<usize>]) -> Clusters {
    let of = |maps: &Vec<Reading<ClusterMap>>| {
        let one = |place: &Option<usize>| match place.and_then(|place| maps.get(place)) {
            Some(map) => map.clone(),
            None => Reading::not_sampled(),
        };
        places.iter().map(one).collect()
    };
    Sampled::new(found.at, found.reading.as_ref().map(of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::clusters::testing::map;
    use crate::model::Bytes;
    use crate::model::clusters::ClusterView;
    use crate::model::swaparea::testing::area;
    use crate::root::testing::TestTree;

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
            is_due(Some((at(10), Duration::from_millis(took))), at(10 + passed), interval)
        };
        assert!(is_due(None, at(0), second));
        assert_eq!([due(1, 2, second), due(1, 3, second)], [false, true]);
        assert_eq!([due(200, 9, second), due(200, 10, second)], [false, true]);
        assert_eq!([due(1, 9, second * 10), due(1, 10, second * 10)], [false, true]);
    }

    #[test]
    fn maps_are_filled_in_for_the_same_areas_only() {
        let aside = ClusterScanner::default();
        assert_eq!(filled_in(&aside, &["/dev/a"]), "not looked at");
        aside.finish(machine(&["/dev/a", "/dev/b"], "found"));
        assert_eq!(filled_in(&aside, &["/dev/a", "/dev/b"]), "found");
        assert!(aside.state().ended.is_some());
        aside.finish(machine(&["/dev/a"], "found"));
        let mut other = machine(&["/dev/a"], "not looked at");
        let mut areas = other.swaps.reading.known().unwrap().clone();
        areas[0].size = Bytes(1);
        other.swaps = Sampled::new(Some(at(2)), Reading::Known(areas));
        aside.fill_in(&mut other);
        assert!(aside.state().ended.is_none(), "an area with another size is scanned at once");
    }

    #[test]
    fn an_unwanted_scan_is_cancelled_and_dropped() {
        let aside = ClusterScanner::default();
        let root = TestTree::new().live();
        let source = SnapshotSource::Live { root, clock: Clock::Real, due: None };
        let time = (at(1), Duration::from_secs(1));
        aside.state().running = true;
        let mark = Arc::clone(&aside.state().cancel);
        aside.scan_if_due(&source, part_set![MappedClusters], time, || {});
        assert!(!mark.load(Ordering::Relaxed), "the scan is wanted");
        aside.scan_if_due(&source, PartSet::NONE, time, || {});
        assert!(mark.load(Ordering::Relaxed));
        aside.finish(machine(&["/dev/a"], "half of it"));
        let state = aside.state();
        assert!(!state.running && state.found.is_none() && state.ended.is_none());
    }

    #[test]
    fn maps_follow_their_areas() {
        let aside = ClusterScanner::default();
        let mut found = machine(&["/dev/a", "/dev/b"], "");
        let maps = [1, 2].map(|slots| ClusterMap { slots, ..map(ClusterView::Kernel, Vec::new()) });
        let maps = maps.into_iter().map(Reading::Known).collect();
        found.kernel_clusters = Sampled::new(Some(at(1)), Reading::Known(maps));
        aside.finish(found);
        let slots = |areas: &[&str]| {
            let mut snapshot = machine(areas, "not looked at");
            aside.fill_in(&mut snapshot);
            let maps = snapshot.kernel_clusters.reading.known().unwrap();
            maps.iter().map(|map| map.known().map(|map| map.slots)).collect::<Vec<_>>()
        };
        assert_eq!(slots(&["/dev/b"]), [Some(2)], "the other area was disabled");
        assert_eq!(slots(&["/dev/b", "/dev/a"]), [Some(2), Some(1)]);
        assert!(aside.state().ended.is_some(), "there is no new area");
        assert_eq!(slots(&["/dev/c", "/dev/a"]), [None, Some(1)]);
        assert!(aside.state().ended.is_none(), "a new area is scanned at once");
    }
}

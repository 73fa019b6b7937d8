//! Reads clusters in a thread of their own: a scan can take seconds, and other figures must not wait for it.

use super::SnapshotSource;
use super::background::Background;
use crate::clock::Clock;
use crate::model::swaparea::SwapArea;
use crate::model::{ClusterMaps, Missing, PartSet, Sampled, Snapshot, Stamp, part_set};
use crate::probes;
use crate::root::Root;
use std::time::Duration;

/// Minimum pause between two scans: clusters change slowly.
const MIN_PAUSE: Duration = Duration::from_secs(3);
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

#[cfg(test)]
mod tests {
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
        assert_eq!([due(1, 2, second), due(1, 3, second)], [false, true]);
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

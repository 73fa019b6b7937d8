//! Clusters are read aside: it can take seconds, and figures that cost little shall not wait for it.

use crate::clock::Clock;
use crate::model::swaparea::SwapArea;
use crate::model::{Part, PartSet, Snapshot, Stamp};
use crate::probes;
use crate::sampler::Source;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Between two looks at least: they change as slowly as anybody can follow.
const LEAST: Duration = Duration::from_secs(3);
/// How many times as long as a look took the pause after it is: it takes a fiftieth of a processor.
const PAUSE: u32 = 50;
/// What views of clusters go by.
const NEEDS: PartSet = PartSet::of(&[Part::Kernel, Part::Swaps, Part::Allocator]);

/// Whoever looks through clusters.
#[derive(Clone, Debug, Default)]
pub struct Aside {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    running: bool,
    /// What was found last.
    found: Option<Snapshot>,
    /// When that look ended, and how long it took.
    ended: Option<(Stamp, Duration)>,
}

impl Aside {
    /// Look through the clusters of a live machine if these views are wanted and it is time to;
    /// `done` is called when that is over.
    pub fn tend(
        &self,
        source: &Source,
        views: PartSet,
        (now, interval): (Stamp, Duration),
        done: impl FnOnce() + Send + 'static,
    ) {
        let Source::Live { root, .. } = source else { return };
        let mut state = self.state();
        if views == PartSet::NONE || state.running || !is_due(state.ended, now, interval) {
            return;
        }
        let (aside, root) = (self.clone(), root.clone());
        let look = move || {
            let snapshot = probes::sample(&root, &Clock::Real, views.with(NEEDS));
            aside.end(snapshot);
            done();
        };
        // Without a thread nothing is known of clusters; the next sample tries again.
        let thread = std::thread::Builder::new().name("clusters".to_owned()).spawn(look);
        state.running = thread.is_ok();
    }

    fn end(&self, snapshot: Snapshot) {
        let took = Duration::from_micros(snapshot.cost.wall_us);
        let mut state = self.state();
        state.running = false;
        state.ended = Some((Clock::Real.now(), took));
        state.found = Some(snapshot);
    }

    /// It is time for another look.
    pub fn anew(&self) {
        self.state().ended = None;
    }

    /// Put what was found of the areas of this snapshot into it. It is of now however old it is: the
    /// screen says when it was read.
    pub fn tell(&self, snapshot: &mut Snapshot) {
        let mut state = self.state();
        let Some(found) = &state.found else { return };
        if is_of_same(found, snapshot) {
            snapshot.kernel_clusters = found.kernel_clusters.clone();
            snapshot.stored_clusters = found.stored_clusters.clone();
            snapshot.mapped_clusters = found.mapped_clusters.clone();
        } else {
            (state.found, state.ended) = (None, None);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_due(ended: Option<(Stamp, Duration)>, now: Stamp, interval: Duration) -> bool {
    let Some((ended, took)) = ended else { return true };
    now.seconds_since(ended) >= pause(took).max(interval).as_secs_f64()
}

/// How long to wait after a look that took so long.
#[must_use]
pub fn pause(took: Duration) -> Duration {
    LEAST.max(took.saturating_mul(PAUSE))
}

/// What was found is told apart by the places of areas, and belongs to areas that are still the same.
/// Where these were not known, it says why.
fn is_of_same(found: &Snapshot, now: &Snapshot) -> bool {
    let Some(found) = found.swaps.reading.known() else { return true };
    let now = now.swaps.reading.known();
    now.is_some_and(|now| {
        found.iter().map(SwapArea::identity).eq(now.iter().map(SwapArea::identity))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing::area;
    use crate::model::{Bytes, Reading, Sampled};

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

    fn told(aside: &Aside, areas: &[&str]) -> String {
        let mut snapshot = machine(areas, "not looked at");
        aside.tell(&mut snapshot);
        snapshot.kernel_clusters.reading.missing().unwrap().why()
    }

    #[test]
    fn the_pause_grows_with_what_a_look_takes() {
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
    fn what_was_found_is_told_of_the_same_areas_only() {
        let aside = Aside::default();
        assert_eq!(told(&aside, &["/dev/a"]), "not looked at");
        aside.end(machine(&["/dev/a", "/dev/b"], "found"));
        assert_eq!(told(&aside, &["/dev/a", "/dev/b"]), "found");
        assert!(aside.state().ended.is_some());
        assert_eq!(told(&aside, &["/dev/b", "/dev/a"]), "not looked at", "places are others");
        assert!(aside.state().ended.is_none(), "it is to be looked through again at once");
        aside.end(machine(&["/dev/a"], "found"));
        let mut other = machine(&["/dev/a"], "not looked at");
        let mut areas = other.swaps.reading.known().unwrap().clone();
        areas[0].size = Bytes(1);
        other.swaps = Sampled::new(Some(at(2)), Reading::Known(areas));
        aside.tell(&mut other);
        assert!(aside.state().found.is_none(), "made anew with another size");
    }
}

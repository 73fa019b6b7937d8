//! Schedule of parts: cheap parts at every sample, expensive parts less often, parts that hardly change
//! once.

use crate::model::{Part, PartSet, Stamp, part_set};
use crate::probes::{PROBES, ReadInterval};
use std::collections::BTreeMap;
use std::time::Duration;

/// Minimum interval of expensive parts.
const MEDIUM_INTERVAL: Duration = Duration::from_secs(3);
/// Minimum interval of cheap parts that are not on the screen.
const BACKGROUND_INTERVAL: Duration = Duration::from_secs(1);
/// Minimum interval of expensive parts that are not on the screen.
const BACKGROUND_MEDIUM_INTERVAL: Duration = Duration::from_secs(10);
/// Parts with the parts that add detail to them.
const DETAIL_PARTS: [(Part, PartSet); 2] = [
    (Part::Zram, part_set![Zram, ZramDetail]),
    (Part::Processes, part_set![Processes, ProcessDetail, ProcessPss, ProcessAll]),
];
/// Parts that are read per area, and the list of areas.
const PER_AREA: PartSet =
    part_set![Block, Headers, Layouts, KernelClusters, StoredClusters, MappedClusters];
const AREAS: PartSet = part_set![Swaps];
/// Fraction of the interval by which a sample may be early.
const EARLY: f64 = 0.05;

/// The requested parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedParts {
    /// Parts on the screen.
    pub shown: PartSet,
    /// Parts for history and summaries.
    pub background: PartSet,
}

impl WantedParts {
    /// No parts.
    pub const NOTHING: Self = Self { shown: PartSet::NONE, background: PartSet::NONE };

    /// Returns the request without these parts.
    pub fn without(self, parts: PartSet) -> Self {
        Self { shown: self.shown.without(parts), background: self.background.without(parts) }
    }

    /// Returns all requested parts.
    pub fn all(self) -> PartSet {
        self.shown.with(self.background)
    }
}

/// The time of the last read of each part.
#[derive(Debug, Default)]
pub struct Schedule {
    read: BTreeMap<Part, Stamp>,
}

impl Schedule {
    /// Returns the requested parts that are due now, and counts them as read.
    pub fn due(&mut self, wants: WantedParts, now: Stamp, interval: Duration) -> PartSet {
        let is_due = |part: &Part| self.is_due(*part, wants.shown.has(*part), now, interval);
        let due: PartSet = wants.all().iter().filter(is_due).collect();
        // Details are read only together with their part.
        let due = DETAIL_PARTS.iter().fold(due, |due, (_, all)| {
            if due.without(*all) == due { due } else { due.with(wants.all().only(*all)) }
        });
        // Devices, headers and clusters belong to the active areas.
        let due = if due.without(PER_AREA) == due { due } else { due.with(AREAS) };
        for part in due.iter() {
            self.read.insert(part, now);
        }
        due
    }

    /// Makes these parts due again.
    pub fn forget(&mut self, parts: PartSet) {
        self.read.retain(|part, _| !parts.has(*part));
    }

    /// Makes all parts due again.
    pub fn reset(&mut self) {
        self.read.clear();
    }

    fn is_due(&self, part: Part, shown: bool, now: Stamp, interval: Duration) -> bool {
        // Details have the interval of their part.
        let detailed = DETAIL_PARTS.iter().find(|(_, all)| all.has(part));
        let probed_part = detailed.map_or(part, |(part, _)| *part);
        let probe = PROBES.iter().find(|probe| probe.part == probed_part);
        let tier = probe.map_or(ReadInterval::OnDemand, |probe| probe.tier);
        let Some(last) = self.read.get(&part) else { return true };
        let passed = now.seconds_since(*last) + EARLY * interval.as_secs_f64();
        let pace = if shown { MEDIUM_INTERVAL } else { BACKGROUND_MEDIUM_INTERVAL };
        match tier {
            // An early sample, taken for a new screen, reads only the new parts: rates over a short time
            // would be noise.
            ReadInterval::Fast => {
                passed >= if shown { interval } else { BACKGROUND_INTERVAL }.as_secs_f64()
            }
            ReadInterval::Medium => passed >= pace.max(interval).as_secs_f64(),
            ReadInterval::OnDemand => false,
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::model::Snapshot;
    use crate::model::swaparea::AreaHeader;
    use crate::model::{Missing, Reading};
    use crate::probes;
    use crate::root::Root;
    use std::path::Path;

    fn shown(shown: PartSet) -> WantedParts {
        WantedParts { shown, background: PartSet::NONE }
    }

    fn at(millis: u64) -> Stamp {
        Stamp { boot_ns: millis * 1_000_000, wall_ms: millis }
    }

    /// A part that is never read again, and not carried over either, disappears from the screen.
    #[test]
    fn what_is_read_once_is_carried_over_for_good() {
        let renewed = PartSet::CLUSTERS.with(part_set![Subject]);
        let once = PROBES.iter().filter(|probe| probe.tier == ReadInterval::OnDemand);
        for probe in once.filter(|probe| !renewed.has(probe.part)) {
            assert!(PartSet::STEADY.has(probe.part), "{}", probe.id);
        }
    }

    #[test]
    fn each_tier_has_its_own_pace() {
        let parts = part_set![Access, Vmstat, Processes, ProcessDetail];
        let mut schedule = Schedule::default();
        let second = Duration::from_secs(1);
        let mut due = |millis| schedule.due(shown(parts), at(millis), second);
        let fast = part_set![Vmstat];
        let medium = part_set![Vmstat, Processes, ProcessDetail];
        assert_eq!(due(0), parts);
        assert_eq!([due(1000), due(2000)], [fast, fast]);
        // Three seconds, less the tolerance for an early timer.
        assert_eq!(due(2990), medium);
        assert_eq!([due(4000), due(5000), due(6000)], [fast, fast, medium]);
        schedule.reset();
        assert_eq!(schedule.due(shown(parts), at(6100), second), parts);
    }

    #[test]
    fn an_early_sample_reads_only_what_is_new() {
        let (old, new) = (part_set![Vmstat], part_set![Zram]);
        let mut schedule = Schedule::default();
        let second = Duration::from_secs(1);
        assert_eq!(schedule.due(shown(old), at(0), second), old);
        assert_eq!(schedule.due(shown(old.with(new)), at(110), second), new);
        assert_eq!(schedule.due(shown(old.with(new)), at(1110), second), old.with(new));
    }

    #[test]
    fn the_time_since_boot_goes_on() {
        let kernel = part_set![Kernel];
        let mut schedule = Schedule::default();
        let mut due = |millis| schedule.due(shown(kernel), at(millis), Duration::from_secs(1));
        assert_eq!([due(0), due(1000), due(3000)], [kernel, PartSet::NONE, kernel]);
    }

    #[test]
    fn devices_are_never_read_without_their_areas() {
        let second = Duration::from_secs(1);
        for part in [
            Part::Block,
            Part::Headers,
            Part::Layouts,
            Part::KernelClusters,
            Part::StoredClusters,
            Part::MappedClusters,
        ] {
            let mut schedule = Schedule::default();
            let due = schedule.due(shown(PartSet::from_parts(&[part])), at(0), second);
            assert!(due.has(Part::Swaps), "{part:?}");
        }
    }

    /// Reads the due parts of a machine with these areas.
    fn sample(
        tree: &Path,
        areas: Option<&[&str]>,
        schedule: &mut Schedule,
        last: &Snapshot,
    ) -> Snapshot {
        let file = tree.join("proc/swaps");
        let rows = areas.map(|areas| {
            let row = |area: &&str| format!("/dev/{area} partition 1020 0 -2\n");
            format!(
                "Filename Type Size Used Priority\n{}",
                areas.iter().map(row).collect::<String>()
            )
        });
        std::fs::write(file, rows.unwrap_or_default()).unwrap();
        let now = at(last.stamp.wall_ms + 100);
        let wants = shown(part_set![Swaps, Headers, Block]);
        let due = schedule.due(wants, now, Duration::from_millis(100));
        let mut snapshot = probes::sample(&Root::at(tree).unwrap(), &Clock::at(now), due);
        snapshot.carry(last);
        schedule.forget(snapshot.parts_without_new_areas(last));
        snapshot
    }

    /// Number of areas whose header was not read.
    fn unread(snapshot: &Snapshot) -> usize {
        let headers = snapshot.headers.reading.known().unwrap();
        let unread = |header: &&Reading<AreaHeader>| header.missing() == Some(&Missing::NotSampled);
        headers.iter().filter(unread).count()
    }

    #[test]
    fn the_header_of_a_new_area_is_read_with_the_next_sample() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("proc")).unwrap();
        let mut schedule = Schedule::default();
        let mut last = Snapshot::empty(at(0));
        let mut steps = Vec::new();
        let (one, two) = (["a"], ["a", "b"]);
        // The list cannot be read the third-last time.
        for areas in
            [Some(&one[..]), Some(&two), Some(&two), Some(&two), None, Some(&two), Some(&two)]
        {
            last = sample(dir.path(), areas, &mut schedule, &last);
            steps.push((unread(&last), last.headers.at.map(|at| at.wall_ms)));
        }
        let read = |unread, at| (unread, Some(at));
        let came = [read(0, 100), read(1, 100), read(0, 300), read(0, 300)];
        assert_eq!(steps[..4], came);
        assert_eq!(steps[4..], [read(0, 300), read(2, 300), read(0, 700)]);
    }

    #[test]
    fn a_slow_interval_holds_for_all() {
        let parts = part_set![Processes];
        let mut schedule = Schedule::default();
        let ten = Duration::from_secs(10);
        assert_eq!(schedule.due(shown(parts), at(0), ten), parts);
        assert_eq!(schedule.due(shown(parts), at(5000), ten), PartSet::NONE);
        assert_eq!(schedule.due(shown(parts), at(10_000), ten), parts);
    }

    #[test]
    fn hidden_parts_are_read_less_often() {
        let wants = WantedParts { shown: part_set![Vmstat], background: part_set![Vmstat, Thp] };
        let mut schedule = Schedule::default();
        let second = Duration::from_secs(1);
        let mut due = |millis| schedule.due(wants, at(millis), second).has(Part::Thp);
        assert_eq!([due(0), due(3000), due(9000), due(10_000)], [true, false, false, true]);
        let wants = WantedParts { shown: PartSet::NONE, ..wants };
        let tenth = Duration::from_millis(100);
        let mut due = |millis| schedule.due(wants, at(millis), tenth).has(Part::Vmstat);
        assert_eq!([due(20_000), due(20_500), due(21_000)], [true, false, true]);
    }

    #[test]
    fn processes_are_looked_at_closely_where_they_are_read_at_all() {
        let mut schedule = Schedule::default();
        let second = Duration::from_secs(1);
        let few = part_set![Processes];
        let all = few.with(part_set![ProcessDetail, ProcessAll]);
        assert_eq!(schedule.due(shown(few), at(0), second), few);
        // Requested for the first time, then at one interval.
        assert_eq!(schedule.due(shown(all), at(1400), second), all);
        assert_eq!(schedule.due(shown(all), at(3000), second), PartSet::NONE);
        assert_eq!(schedule.due(shown(all), at(4400), second), all);
    }
}

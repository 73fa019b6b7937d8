//! A snapshot with the one before it, if there is one, and changes between the two.

use crate::model::{Missing, Reading, Sampled, Snapshot, known};

/// The input of a report: one or two snapshots.
#[derive(Clone, Copy, Debug)]
pub struct SampleView<'v> {
    /// The snapshot to show.
    pub now: &'v Snapshot,
    /// The snapshot before it, for rates.
    pub before: Option<&'v Snapshot>,
}

/// How a number changed between two samples of one part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CounterChange {
    /// Growth of the counter.
    pub by: u64,
    /// Seconds between the two reads.
    pub seconds: f64,
}

impl CounterChange {
    /// Returns the growth per second.
    pub fn per_second(self) -> f64 {
        self.by as f64 / self.seconds
    }
}

/// Minimum seconds between two reads for a rate.
const SHORTEST: f64 = 0.001;

impl<'v> SampleView<'v> {
    /// Creates a view of a single snapshot.
    pub fn single(now: &'v Snapshot) -> Self {
        Self { now, before: None }
    }

    /// Returns the seconds between the two snapshots.
    pub fn seconds(&self) -> Option<f64> {
        self.before.map(|before| self.now.stamp.seconds_since(before.stamp))
    }

    /// Returns how a counter of one part grew. The time is that between the two reads of the part itself,
    /// so a late sample gives the same rate. The growth of a counter that was reset is unknown.
    pub fn change<T: 'v>(
        &self,
        part: impl Fn(&'v Snapshot) -> &'v Sampled<T>,
        counter: impl Fn(&'v T) -> Reading<u64>,
    ) -> Reading<CounterChange> {
        self.both_values(part, counter)
            .and_then(|(old, new, seconds)| counter_growth(old, new, seconds))
    }

    /// Returns the change of a level of one part per second; negative if it fell.
    pub fn rise<T: 'v>(
        &self,
        part: impl Fn(&'v Snapshot) -> &'v Sampled<T>,
        level: impl Fn(&'v T) -> Reading<u64>,
    ) -> Reading<f64> {
        let two = self.both_values(part, level);
        two.map(|(old, new, seconds)| (new as f64 - old as f64) / seconds)
    }

    /// Returns how a counter grew from two values that the caller looked up already.
    pub fn change_between<T: 'v>(
        &self,
        part: impl Fn(&'v Snapshot) -> &'v Sampled<T>,
        before: Reading<u64>,
        now: Reading<u64>,
    ) -> Reading<CounterChange> {
        self.elapsed(part)
            .and_then(|seconds| before.and_then2(now, |old, new| counter_growth(old, new, seconds)))
    }

    /// Returns a number of one part before and now, and the seconds between.
    fn both_values<T: 'v>(
        &self,
        part: impl Fn(&'v Snapshot) -> &'v Sampled<T>,
        number: impl Fn(&'v T) -> Reading<u64>,
    ) -> Reading<(u64, u64, f64)> {
        let seconds = known!(self.elapsed(&part));
        let value = |snapshot: &'v Snapshot| match &*part(snapshot).reading {
            Reading::Known(part) => number(part),
            Reading::Missing { missing } => missing.clone().into(),
        };
        let before = self.before.map_or(Missing::OneSample.into(), value);
        before.map2(value(self.now), |old, new| (old, new, seconds))
    }

    /// Returns the seconds between the two reads of a part.
    fn elapsed<T: 'v>(&self, part: impl Fn(&'v Snapshot) -> &'v Sampled<T>) -> Reading<f64> {
        let Some(before) = self.before else {
            return Missing::OneSample.into();
        };
        match (part(before).at, part(self.now).at) {
            (Some(before), Some(now)) if now.seconds_since(before) >= SHORTEST => {
                Reading::Known(now.seconds_since(before))
            }
            (Some(_), Some(_)) => {
                Reading::failed("the two samples are too close to each other for a rate")
            }
            (None, Some(_)) => Missing::OneSample.into(),
            (_, None) => Reading::not_sampled(),
        }
    }

    /// Returns how a counter of `/proc/vmstat` grew.
    pub fn vmstat_change(&self, name: &str) -> Reading<CounterChange> {
        self.change(|snapshot| &snapshot.vmstat, |vmstat| vmstat.get(name))
    }

    /// Returns the growth of a counter of `/proc/vmstat` per second.
    pub fn vmstat_rate(&self, name: &str) -> Reading<f64> {
        self.vmstat_change(name).map(CounterChange::per_second)
    }

    /// Returns the growth of the counters of `/proc/vmstat` with this prefix together.
    pub fn vmstat_sum_change(&self, prefix: &str) -> Reading<CounterChange> {
        self.change(|snapshot| &snapshot.vmstat, |vmstat| vmstat.sum_with_prefix(prefix))
    }
}

fn counter_growth(old: u64, new: u64, seconds: f64) -> Reading<CounterChange> {
    match new.checked_sub(old) {
        Some(by) => Reading::Known(CounterChange { by, seconds }),
        None => Reading::failed("the counter was reset between the samples"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Stamp;
    use crate::model::paging::Counters;

    fn snapshot(second: u64, pswpin: u64) -> Snapshot {
        snapshot_at(Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 }, pswpin)
    }

    fn snapshot_at(stamp: Stamp, pswpin: u64) -> Snapshot {
        let mut snapshot = Snapshot::empty(stamp);
        let counters = Counters::new("/proc/vmstat", vec![("pswpin".into(), pswpin)]);
        snapshot.vmstat = Sampled::new(Some(stamp), Reading::Known(counters));
        snapshot
    }

    fn rate(before: &Snapshot, now: &Snapshot) -> Reading<f64> {
        let view = SampleView { now, before: Some(before) };
        view.vmstat_rate("pswpin")
    }

    #[test]
    fn a_rate_is_per_measured_second_also_after_a_missed_sample() {
        assert_eq!(rate(&snapshot(1, 100), &snapshot(2, 150)), Reading::Known(50.0));
        assert_eq!(rate(&snapshot(1, 100), &snapshot(6, 350)), Reading::Known(50.0));
    }

    #[test]
    fn a_counter_that_went_back_has_no_rate() {
        let rate = rate(&snapshot(1, 100), &snapshot(2, 99));
        assert_eq!(rate.missing().unwrap().kind(), "failed");
    }

    /// The clock of the wall is set by people and programs; rates use the time since boot.
    #[test]
    fn a_jump_of_the_clock_changes_no_rate() {
        for wall_ms in [0, 5_000_000_000_000] {
            let now = snapshot_at(Stamp { boot_ns: 2_000_000_000, wall_ms }, 150);
            assert_eq!(rate(&snapshot(1, 100), &now), Reading::Known(50.0));
        }
    }

    #[test]
    fn two_samples_of_the_same_moment_have_no_rate() {
        assert!(rate(&snapshot(1, 100), &snapshot(1, 150)).missing().is_some());
    }

    #[test]
    fn one_sample_says_what_is_needed() {
        let now = snapshot(1, 100);
        let reason =
            SampleView::single(&now).vmstat_change("pswpin").missing().unwrap().to_string();
        assert!(reason.contains("needs two samples"), "{reason}");
    }
}

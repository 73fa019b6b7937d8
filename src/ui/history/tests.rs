use super::*;
use crate::derive::clusters::testing::{cluster, map};
use crate::model::clusters::{ClusterView as Seen, List};
use crate::model::paging::Counters;
use crate::model::{ClusterMaps, Reading, Sampled, Stamp};

fn at(millis: u64) -> Stamp {
    Stamp { boot_ns: millis * 1_000_000, wall_ms: millis }
}

fn vmstat(millis: u64, pages: u64) -> Sampled<Counters> {
    let counters = vec![("pgmajfault".into(), pages), ("oom_kill".into(), 7)];
    Sampled::new(Some(at(millis)), Reading::Known(Counters::new("/proc/vmstat", counters)))
}

/// A sample with this many major faults counted.
fn snapshot(millis: u64, pages: u64) -> Snapshot {
    let mut snapshot = Snapshot::empty(at(millis));
    snapshot.vmstat = vmstat(millis, pages);
    snapshot
}

fn faults() -> SeriesKey {
    SeriesKey { table: "paging", row: String::new(), column: "major_fault_rate" }
}

fn history(snapshots: impl IntoIterator<Item = Snapshot>) -> History {
    let mut history = History::new(Bounds::LIVE);
    snapshots.into_iter().for_each(|snapshot| history.push(snapshot));
    history
}

fn track(history: &History, steps: usize) -> Vec<Option<f64>> {
    let (_, last) = history.span().unwrap();
    history.track(&faults(), last, Duration::from_secs(1), steps)
}

#[test]
fn history_keeps_ten_minutes_of_seconds_and_stays_within_its_bounds() {
    let history = history((0..2000).map(|second| snapshot(second * 1000, second)));
    let (first, last) = history.span().unwrap();
    assert_eq!(last, 1999);
    let kept =
        history.get(last).unwrap().now.stamp.seconds_since(history.get(first).unwrap().now.stamp);
    assert!(kept >= 600.0, "{kept} s");
    assert_eq!(history.moments.len(), Bounds::LIVE.moments);
    assert!(history.bytes <= Bounds::LIVE.bytes, "{} bytes", history.bytes);
    assert!(history.get(first - 1).is_none());
    assert_eq!(track(&history, 600), vec![Some(1.0); 600]);
}

#[test]
fn history_is_bounded_in_bytes() {
    let mut small = History::new(Bounds { moments: 1000, bytes: 20_000 });
    (0..500).for_each(|second| small.push(snapshot(second * 1000, second)));
    let kept = small.moments.len();
    assert!(small.bytes <= 20_000 && (5..50).contains(&kept), "{kept}");
    // The series are kept.
    assert_eq!(track(&small, 490), vec![Some(1.0); 490]);
}

/// The map of an area of 100,000 clusters that differs in each scan.
fn large_map(millis: u64) -> ClusterMaps {
    let taken = u16::try_from(millis / 1000).unwrap();
    let map = map(Seen::Kernel, vec![cluster(taken, List::Frag, 0); 100_000]);
    Sampled::new(Some(at(millis)), Reading::Known(vec![Reading::Known(map)]))
}

/// Samples, each with its own cluster scan.
fn mapped(count: u64) -> impl Iterator<Item = Snapshot> {
    (0..count).map(|second| {
        let mut snapshot = snapshot(second * 1000, second);
        snapshot.kernel_clusters = large_map(second * 1000);
        snapshot
    })
}

#[test]
fn large_live_maps_do_not_evict_history() {
    let mut history = history(mapped(100));
    assert_eq!(history.span(), Some((0, 99)));
    let newest = history.newest().unwrap();
    assert_eq!(newest.now.kernel_clusters, large_map(99_000));
    let maps = |snapshot: &Snapshot| snapshot.kernel_clusters.at.is_some();
    assert!(history.moments.iter().filter_map(|moment| moment.before.as_ref()).all(|b| !maps(b)));
    assert_eq!(history.moments.iter().filter(|moment| maps(&moment.now)).count(), 1);
    // The map is kept when the next sample does not read it.
    history.push(snapshot(100_000, 100));
    assert_eq!(history.newest().unwrap().now.kernel_clusters, large_map(99_000));
    assert!(!maps(&history.get(99).unwrap().now));
    assert!(history.bytes <= 101 * 8192, "{} bytes", history.bytes);
}

#[test]
fn recorded_maps_are_kept_within_the_bounds() {
    let mut history = History::new(Bounds::RECORDING);
    mapped(5).for_each(|snapshot| history.push(snapshot));
    for number in 0..5 {
        let moment = history.get(number).unwrap();
        assert_eq!(moment.now.kernel_clusters, large_map(number * 1000));
    }
    assert!(history.bytes > 4 * 600_000, "they count");
}

#[test]
fn a_missed_sample_leaves_a_gap_and_a_late_one_does_not() {
    let times = [0, 1000, 2000, 5000, 6000, 7600, 8600];
    let history = history(times.map(|millis| snapshot(millis, millis)));
    let track = track(&history, 9);
    let known: Vec<bool> = track.iter().map(Option::is_some).collect();
    // The first sample has no rate; nothing is known of the two missed seconds; the sample that came
    // 1.6 s after the previous one covers both its seconds.
    assert_eq!(known, [true, true, false, false, true, true, true, true, true]);
}

#[test]
fn rates_of_slow_parts_use_their_own_read_times() {
    let mut history = History::new(Bounds::LIVE);
    // Read at 0, 3 and 6 s only, and carried over in between.
    for second in 0..8 {
        let mut snapshot = Snapshot::empty(at(second * 1000));
        if second % 3 == 0 {
            snapshot.vmstat = vmstat(second * 1000, second * 10);
        }
        history.push(snapshot);
    }
    let rate = |number| {
        let moment = history.get(number).unwrap();
        moment.view().vmstat_rate("pgmajfault")
    };
    for number in 3..8 {
        assert_eq!(rate(number), Reading::Known(10.0), "moment {number}");
    }
    assert!(rate(2).missing().is_some(), "there was only one read");
}

#[test]
fn a_recording_keeps_its_own_step() {
    let history = history((0..5).map(|step| snapshot(step * 10_000, step)));
    assert_eq!(history.step(4), Some(Duration::from_secs(10)));
    assert_eq!(history.step(0), None);
}

#[test]
fn an_early_sample_leaves_the_step() {
    let times = [0, 1000, 2000, 2110, 3110, 4110, 5110, 6110, 7110];
    let history = history(times.map(|millis| snapshot(millis, millis)));
    assert_eq!(history.step(8), Some(Duration::from_secs(1)));
}

/// The details of a process or cgroup are read only while its page is open.
#[test]
fn details_of_a_subject_do_not_outlive_its_page() {
    let mut open = snapshot(0, 0);
    open.subject = Sampled::new(Some(at(0)), Reading::failed("it has ended"));
    let history = history([open, snapshot(1000, 1)]);
    let read = [0, 1].map(|number| history.get(number).unwrap().now.subject.at);
    assert_eq!(read, [Some(at(0)), None]);
}

#[test]
fn every_recorded_column_exists() {
    assert_eq!(Series::default().queries.len(), RECORDED_COLUMNS.len());
}

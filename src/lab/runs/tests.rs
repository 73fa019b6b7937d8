use super::*;
use crate::lab::guard::GuardLimits;
use crate::lab::load::file;
use crate::model::swaparea::testing::area;
use crate::model::{Reading, Sampled};
use crate::root::testing::TestTree;
use nix::errno::Errno;

#[test]
fn the_guard_runs_even_while_workers_report() {
    assert!(is_sample_due(false, 0.0, TICK), "no message to handle");
    assert!(!is_sample_due(true, 0.01, TICK), "messages come first");
    assert!(is_sample_due(true, 0.05, TICK), "but do not delay the guard for ever");
}

fn spec() -> RunSpec {
    let text = "[[work]]\nsize = \"1M\"\n";
    RunSpec {
        policy: None,
        title: "x".to_owned(),
        workload: file::read("x", text).unwrap(),
        locations: file::KeyLocations::default(),
        limit: None,
        lowered_from: None,
        whole: Bytes(1 << 30),
        devices: Vec::new(),
        folder: "/var/tmp".into(),
        settings: Vec::new(),
        seed: 1,
        repetitions: 1,
        guard: GuardLimits::usual(Bytes(1 << 30), Bytes(1 << 30), 60.0),
    }
}

#[test]
fn samples_between_those_of_the_whole_machine_check_memory_and_keep_the_areas() {
    let swaps = |used: u32| {
        format!("Filename Type Size Used Priority\n/dev/sda partition 99999 {used} -2\n")
    };
    let tree = TestTree::new();
    let root = tree.root();
    tree.write("proc/swaps", swaps(100));
    tree.write("proc/meminfo", "MemAvailable: 900000 kB\n");
    let mut state = RunState::begin(&spec(), &root, None);
    let full = state.last.stamp;
    tree.write("proc/swaps", swaps(300));
    tree.write("proc/meminfo", "MemAvailable: 1000 kB\n");
    let end = state.sample_and_check(&root).unwrap();
    assert!(end.contains("of memory was available"), "{end}");
    assert_eq!(state.last.stamp, full, "no sample of the whole machine");
    assert_eq!(used_by(&state.last, &["/dev/sda".into()]), Some(Bytes::from_kib(300)));
    // The run ends by what this sample shows, so its record has it, however young the one before is.
    state.recorded = Clock::Real.now();
    tree.write("proc/swaps", swaps(400));
    state.sample_and_check(&root).unwrap();
    state.record_last_check();
    state.record_last_check();
    tree.write("proc/swaps", swaps(0));
    let used = state.meter.end(&sample(&root, FULL_SAMPLE)).used;
    let sizes: Vec<_> = used.areas[0].used.iter().map(|it| it.unwrap().0 >> 10).collect();
    assert!(sizes.ends_with(&[400, 0]) && used.at.is_sorted(), "{sizes:?} {:?}", used.at);
    assert_eq!(sizes.iter().filter(|it| **it == 400).count(), 1, "{sizes:?}");
}

/// A helper whose swapoff ends at this stop, counted from 1.
struct StubbornHelper {
    stops: u32,
    ends_at: u32,
}

impl RunningHelper for StubbornHelper {
    fn wait(&mut self, _time: Duration) -> Option<HelperReport> {
        (self.stops >= self.ends_at).then_some(HelperReport::Stopped)
    }

    fn stop(&mut self) {
        self.stops += 1;
    }
}

#[test]
fn swapoff_is_stopped_again_until_it_ends_or_an_interruption() {
    let mut late = StubbornHelper { stops: 0, ends_at: 3 };
    stop_swapoff(&mut late, || false);
    assert_eq!(late.stops, 3, "the first ones came before swapoff(2) began");
    let mut stuck = StubbornHelper { stops: 0, ends_at: u32::MAX };
    let mut answers = [false, true].into_iter();
    stop_swapoff(&mut stuck, || answers.next().unwrap());
    assert_eq!(stuck.stops, 2);
}

#[test]
fn a_failed_swapoff_is_explained_in_words() {
    let why = explain_report(&"/swap".into(), HelperReport::OffFailed(Errno::ENOMEM));
    assert_eq!(why, Err("cannot disable /swap: Out of memory".to_owned()));
    assert_eq!(explain_report(&"/swap".into(), HelperReport::Done), Ok(()));
}

#[test]
fn swapoff_progress_counts_moved_bytes() {
    let moved = |areas: &[(&str, u64)], held| {
        let areas = areas.iter().map(|(path, used)| area(path, 1, 100, *used)).collect();
        let at = Stamp { boot_ns: 0, wall_ms: 0 };
        let swaps = Sampled::new(Some(at), Reading::Known(areas));
        let now = Snapshot { swaps, ..Snapshot::empty(at) };
        share_moved(&now, &["a".into(), "b".into()], Bytes(held))
    };
    assert_eq!(moved(&[("a", 50), ("b", 30), ("other", 90)], 80), Some(0.0));
    assert_eq!(moved(&[("b", 20), ("other", 90)], 80), Some(0.75), "one area is disabled");
    assert_eq!(moved(&[], 80), Some(1.0));
    assert_eq!(moved(&[("a", 0)], 0), None, "they held nothing");
}

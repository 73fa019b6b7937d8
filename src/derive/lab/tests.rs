use super::*;
use crate::derive::statistics::DifferenceVerdict;
use crate::model::run::{FolioRun, FoliosOverTime, OwnFigures, Stalls, ZramRun};
use crate::model::{Bytes, Reading};

/// The stored runs used by tests, with known figures.
fn load_run(name: &str) -> Run {
    let text = match name {
        "before" => include_str!("../../../tests/results/kept/1-before.json"),
        _ => include_str!("../../../tests/results/kept/2-after.json"),
    };
    serde_json::from_str(text).unwrap()
}

fn mean(run: &Run, id: &str) -> Reading<f64> {
    figure(run, id).unwrap().summary().map(|summary| summary.mean)
}

fn assert_near(run: &Run, id: &str, wanted: f64) {
    let found = mean(run, id);
    let is_near = found.known().is_some_and(|it| (it - wanted).abs() < 1e-3 * wanted.abs());
    assert!(is_near, "{id}: {found:?}, not {wanted}");
}

#[test]
fn throughput_is_the_sum_of_process_rates() {
    let mut run = load_run("before");
    run.measured.truncate(1);
    let tasks = &mut run.measured[0].tasks;
    tasks.truncate(2);
    for (task, (bytes, seconds)) in tasks.iter_mut().zip([(100_u64 << 20, 2), (30 << 20, 3)]) {
        task.touched.bytes = Bytes(bytes);
        task.touched.touch_ns = seconds * 1_000_000_000;
    }
    assert_near(&run, "throughput_sum", 60.0);
    assert_near(&run, "throughput_mean", 30.0);
    run.measured[0].tasks[1].touched.touch_ns = 0;
    assert!(mean(&run, "throughput_sum").missing().is_some());
}

/// A run with these counters of its cgroup beside those of the machine.
fn with_own(counters: &[(&str, u64)], stall: Option<Stalls>) -> Run {
    let mut run = load_run("before");
    run.measured.truncate(1);
    let measured = &mut run.measured[0];
    measured.counters.insert("workingset_refault_anon".to_owned(), 20_000);
    let counters = counters.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    measured.own = Some(OwnFigures { counters, stall });
    run
}

#[test]
fn figures_are_of_the_cgroup_where_the_kernel_counts_them() {
    let stall = Some(Stalls { some: 3.0, full: 1.0 });
    let old = with_own(&[("workingset_refault_anon", 7)], None);
    let new = with_own(&[("pswpin", 7), ("pswpout", 70)], stall);
    for (id, of_machine, of_cgroup) in [
        ("swapped_in", 9000.0, 7.0),
        ("swapped_in_rate", 9000.0 / 12.5, 7.0 / 12.5),
        ("swapped_out", 38_400.0, 70.0),
        ("stall_some", 8.0, 3.0),
        ("stall_full", 2.0, 1.0),
    ] {
        for (run, scope, wanted) in
            [(&old, FigureScope::Machine, of_machine), (&new, FigureScope::Workload, of_cgroup)]
        {
            assert_eq!(figure(run, id).unwrap().scope, scope, "{id}");
            assert_near(run, id, wanted);
        }
    }
    for (id, scope) in [
        ("elapsed", FigureScope::Workload),
        ("latency_p99", FigureScope::Workload),
        ("ahead", FigureScope::Machine),
        ("swpout_64kB", FigureScope::Machine),
        ("uneven", FigureScope::Areas),
        ("zram_ratio", FigureScope::Areas),
    ] {
        assert_eq!(figure(&new, id).unwrap().scope, scope, "{id}");
    }
}

/// The machine swapped out 38400 pages and in 9000, and 20000 came back.
#[test]
fn pages_of_other_programs_are_those_outside_of_the_cgroup() {
    for (counters, way, pages) in [
        (&[("pswpout", 30_000)][..], Direction::Out, Some(8400.0)),
        (&[("pswpout", 20_000), ("zswpout", 10_000)], Direction::Out, Some(8400.0)),
        (&[("pswpout", 36_481)], Direction::Out, None),
        (&[("pswpout", 40_000)], Direction::Out, None),
        (&[("workingset_refault_anon", 5000)], Direction::Out, None),
        (&[("workingset_refault_anon", 5000)], Direction::In, Some(15_000.0)),
        (&[("pswpin", 1000), ("workingset_refault_anon", 5000)], Direction::In, Some(8000.0)),
    ] {
        let others = bytes_of_others(&with_own(counters, None), way);
        assert_eq!(others.map(|bytes| bytes / 4096.0), pages, "{counters:?}");
    }
    let mut small = with_own(&[("pswpout", 0)], None);
    small.measured[0].counters.insert("pswpout".to_owned(), 64 * 4);
    assert_eq!(bytes_of_others(&small, Direction::Out), None, "the cgroup's counter can lag");
}

fn insert_counters(run: &mut Run, counters: &[(&str, u64)]) {
    let counters = counters.iter().map(|(name, count)| ((*name).to_owned(), *count));
    run.measured[0].counters.extend(counters);
}

/// The machine wrote 38400 pages to devices and read 9000.
#[test]
fn pages_in_zswap_and_zero_pages_are_swapped_too() {
    let (zswap, zero) = ([("zswpout", 500), ("zswpin", 50), ("zswpwb", 30)], [("swpout_zero", 7)]);
    let mut run = with_own(&[], None);
    insert_counters(&mut run, &[&zswap[..], &zero].concat());
    assert_near(&run, "swapped_out", 38_400.0 + 500.0 - 30.0 + 7.0);
    assert_near(&run, "swapped_in", 9050.0);
    assert_near(&run, "swapped_in_rate", 9050.0 / 12.5);
    assert_near(&run, "device_out", 38_400.0);
    assert_near(&run, "device_in", 9000.0);
    // An older document has only device I/O of the cgroup: its figures are those of the machine.
    let mut run = with_own(&[("pswpin", 8000), ("pswpout", 30_000)], None);
    insert_counters(&mut run, &zswap);
    let out = figure(&run, "swapped_out").unwrap();
    assert_eq!((out.scope, out.values), (FigureScope::Machine, vec![Reading::Known(38_870.0)]));
    assert_near(&run, "device_out", 30_000.0);
    let own = [("pswpout", 30_000), ("zswpout", 500), ("zswpwb", 30)];
    let mut run = with_own(&own, None);
    insert_counters(&mut run, &zswap);
    let out = figure(&run, "swapped_out").unwrap();
    assert_eq!((out.scope, out.values), (FigureScope::Workload, vec![Reading::Known(30_470.0)]));
}

#[test]
fn pages_in_zswap_that_the_kernel_does_not_count_are_unknown() {
    let mut run = load_run("before");
    run.settings.insert("zswap.enabled".to_owned(), "Y".to_owned());
    for (id, counter) in
        [("swapped_in", "zswpin"), ("swapped_in_rate", "zswpin"), ("swapped_out", "zswpout")]
    {
        let why = mean(&run, id).missing().unwrap().why();
        assert!(why.contains(counter), "{why}");
    }
    assert_near(&run, "device_out", 38_400.0);
    run.settings.insert("zswap.enabled".to_owned(), "N".to_owned());
    assert_near(&run, "swapped_out", 38_400.0);
}

/// Adjacent buckets of a histogram are a sixteenth apart, so nearly equal latencies can look that different.
#[test]
fn latencies_closer_than_a_bucket_do_not_differ() {
    let with_latencies = |all: &[u64]| {
        let mut run = load_run("before");
        for task in run.measured.iter_mut().flat_map(|it| &mut it.tasks) {
            let mut histogram = crate::model::run::Histogram::default();
            for nanos in all {
                histogram.add(*nanos);
            }
            task.touched.latency.all = histogram;
        }
        run
    };
    let verdict = |first: &[u64], second: &[u64]| {
        let rows = compare_runs(&with_latencies(first), &with_latencies(second));
        let row = rows.into_iter().find(|row| row.id == "latency_p50").unwrap();
        row.difference().known().unwrap().verdict
    };
    assert_eq!(verdict(&[6911; 9], &[6913; 9]), DifferenceVerdict::NoDifferenceSeen);
    assert_eq!(verdict(&[6911; 9], &[8000; 9]), DifferenceVerdict::Higher);
    let max = |run: &Run| figure(run, "latency_max").unwrap().summary().known().unwrap().mean;
    assert!((max(&with_latencies(&[5000, 6913])) - 6.913).abs() < 1e-9, "the maximum is exact");
}

#[test]
fn free_latency_counts_processes_that_freed_memory() {
    let mut run = load_run("before");
    run.measured.truncate(1);
    let tasks = &mut run.measured[0].tasks;
    for (task, free) in tasks.iter_mut().zip([Some(1000), Some(5000), None, None]) {
        task.free_ns = free;
    }
    assert_near(&run, "free_mean", 3.0);
    assert_near(&run, "free_max", 5.0);
    run.measured[0].tasks.iter_mut().for_each(|task| task.free_ns = None);
    assert!(mean(&run, "free_mean").missing().unwrap().why().contains("by ending"));
}

#[test]
fn the_swapoff_rate_is_bytes_held_by_time() {
    let mut run = load_run("before");
    run.measured.truncate(1);
    let rate = |run: &Run| mean(run, "swapoff_rate");
    assert!(rate(&run).missing().unwrap().why().contains("did not end with swapoff"));
    assert_near(&run, "ahead_success", 75.0);
    run.measured[0].swapoff = Some(0.5);
    for read in ["swapped_in", "swapped_in_rate", "ahead", "ahead_hits", "ahead_success"] {
        assert!(mean(&run, read).missing().unwrap().why().contains("a swapoff ran"), "{read}");
    }
    assert!(rate(&run).missing().unwrap().why().contains("is unknown"));
    run.measured[0].switched_off = Some(Bytes(30 << 20));
    assert_near(&run, "swapoff_rate", 60.0);
    // It was stopped while it ran.
    run.measured[0].swapoff = None;
    assert!(mean(&run, "swapped_in").missing().unwrap().why().contains("a swapoff ran"));
}

#[test]
fn metadata_follows_from_usage() {
    let mut run = load_run("before");
    run.machine.kernel = Some("6.18.1".to_owned());
    let used: Vec<f64> = areas(&run).iter().map(|it| *it.peak.known().unwrap()).collect();
    let slots = |bytes: f64| (bytes / 4096.0).ceil();
    // 25 bits per slot, 32 bytes per 512 slots, and a page per 512 used slots.
    let of = |size: f64, used: f64| {
        slots(size) * 25.0 / 8.0
            + (slots(size) / 512.0).ceil() * 32.0
            + (slots(used) / 512.0).ceil() * 4096.0
    };
    let sizes = run.machine.areas.iter().map(|area| area.size.0 as f64);
    let wanted: f64 = sizes.zip(used).map(|(size, used)| of(size, used)).sum();
    assert_near(&run, "metadata", wanted / f64::from(1 << 20));
    run.machine.kernel = Some("7.0.0".to_owned());
    assert!(mean(&run, "metadata").missing().unwrap().why().contains("unknown"));
}

#[test]
fn unmeasured_figures_are_missing_not_zero() {
    let mut run = load_run("before");
    for measured in &mut run.measured {
        measured.tasks.clear();
        measured.counters.clear();
        measured.folios.clear();
        measured.zram.clear();
        measured.used.at.clear();
        (measured.stall, measured.swapoff, measured.peak) = (None, None, None);
    }
    let times = ["elapsed", "user", "system"];
    for figure in figures(&run).iter().filter(|figure| !times.contains(&figure.id.as_str())) {
        assert!(figure.summary().missing().is_some(), "{}", figure.id);
    }
}

#[test]
fn stopped_repetitions_are_left_out() {
    let mut run = load_run("before");
    run.measured[0].elapsed = Some(1000.0);
    run.measured[0].end = RepetitionEnd::Stopped { why: "no memory".to_owned() };
    let summary = figure(&run, "elapsed").unwrap().summary().into_result().unwrap();
    assert_eq!(summary.count, 2);
    assert!(summary.most < 100.0);
    assert_eq!(describe_end(&run), "1 of 3 stopped");
    assert_eq!(
        touch_latencies(&run)[0].took.count(),
        touch_latencies(&load_run("before"))[0].took.count() / 3 * 2
    );
    run.measured.truncate(1);
    let why = mean(&run, "latency_p99").missing().unwrap().why();
    assert!(why.contains("stopped: no memory"), "{why}");
}

#[test]
fn a_summary_counts_completed_repetitions() {
    let mut run = load_run("before");
    assert_eq!(ResultSummary::from_run(&run).repetitions, 3);
    run.measured[1].end = RepetitionEnd::Stopped { why: "no memory".to_owned() };
    assert_eq!(ResultSummary::from_run(&run).repetitions, 2);
}

#[test]
fn runs_that_never_began_are_reported() {
    let mut run = load_run("before");
    run.repetitions = Some(5);
    assert_eq!(describe_end(&run), "3 of 5 runs");
    run.measured[2].end = RepetitionEnd::Stopped { why: "it was interrupted".to_owned() };
    assert_eq!(describe_end(&run), "3 of 5 runs, 1 stopped");
    run.measured[1].end = RepetitionEnd::Failed { why: "no memory".to_owned() };
    assert_eq!(describe_end(&run), "3 of 5 runs, 1 stopped, 1 failed");
    run.measured.clear();
    assert_eq!(describe_end(&run), "nothing was measured");
}

#[test]
fn a_stopped_run_shows_what_it_measured() {
    let mut run = load_run("before");
    assert!(!is_cut_short(&run));
    run.measured[0].end = RepetitionEnd::Stopped { why: "no memory".to_owned() };
    let borrowed = with_stopped_runs(&run);
    assert!(*borrowed == run, "only finished repetitions count");
    for measured in &mut run.measured {
        measured.end = RepetitionEnd::Stopped { why: "no memory".to_owned() };
    }
    run.measured[2].end = RepetitionEnd::Failed { why: "no cgroup".to_owned() };
    assert!(is_cut_short(&run));
    assert!(mean(&run, "swapped_out").missing().is_some(), "stopped repetitions are not compared");
    let seen = with_stopped_runs(&run);
    assert_eq!(figure(&seen, "swapped_out").unwrap().summary().into_result().unwrap().count, 2);
    let throughput = mean(&seen, "throughput_sum");
    assert!(throughput.missing().unwrap().why().contains("not every process reported"));
    run.measured.retain(|it| matches!(it.end, RepetitionEnd::Failed { .. }));
    assert!(!is_cut_short(&run));
}

#[test]
fn folios_stored_in_zswap_count_as_whole() {
    let mut run = load_run("before");
    for measured in &mut run.measured {
        let stats = [("swpout", 2), ("swpout_fallback", 1), ("zswpout", 1)];
        let stats = stats.map(|(name, count)| (name.to_owned(), count)).into();
        measured.folios = vec![FolioRun { size: Bytes(32_768), stats }];
    }
    assert_near(&run, "fail_rate_32kB", 25.0);
    assert_eq!(folios(&run)[0].fail_rate, Reading::Known(0.25));
    run.measured.iter_mut().for_each(|it| {
        it.folios[0].stats.values_mut().for_each(|count| *count = 0);
    });
    assert!(mean(&run, "fail_rate_32kB").missing().is_some());
}

/// The rates of repetitions are averaged even if they had different numbers of attempts.
#[test]
fn the_failure_rate_is_consistent() {
    let mut run = load_run("before");
    for (measured, (whole, split)) in run.measured.iter_mut().zip([(900, 100), (10, 10), (0, 0)]) {
        let stats = [("swpout", whole), ("swpout_fallback", split)];
        let stats = stats.map(|(name, count)| (name.to_owned(), count)).into();
        measured.folios = vec![FolioRun { size: Bytes(65_536), stats }];
    }
    assert_near(&run, "fail_rate_64kB", 30.0);
    let [row] = folios(&run).try_into().unwrap();
    assert_eq!(row.fail_rate.map(|rate| (1000.0 * rate).round()), Reading::Known(300.0));
}

#[test]
fn failures_are_split_into_early_and_late() {
    let mut run = load_run("before");
    for measured in &mut run.measured {
        measured.used.at = vec![0.0, 1.0, 2.0, 3.0, 4.0];
        // One in ten at first, then a long time without attempts, and three of four at the end.
        let counts = |counts: [u64; 5]| counts.map(Some).to_vec();
        let (whole, split) = (counts([0, 9, 9, 9, 10]), counts([0, 1, 1, 1, 4]));
        let size = Bytes(65_536);
        measured.used.folios = vec![FoliosOverTime { size, whole, split }];
        measured.folios = vec![FolioRun { size, stats: std::collections::BTreeMap::new() }];
    }
    assert_near(&run, "fail_early_64kB", 10.0);
    assert_near(&run, "fail_late_64kB", 75.0);
    let rates = fail_rates_over_time(&run.measured[0]);
    let [(size, rates)] = rates.as_slice() else { panic!("one size: {rates:?}") };
    assert_eq!(*size, Bytes(65_536));
    assert_eq!(*rates, [(1.0, Some(0.1)), (2.0, None), (3.0, None), (4.0, Some(0.75))]);
    // A sample of the areas alone has no folio statistics, and does not change the rates.
    let mut looked = run.clone();
    for used in looked.measured.iter_mut().map(|it| &mut it.used) {
        used.at.splice(1..1, [0.2, 0.5]);
        used.at.insert(5, 3.0);
        let folios = &mut used.folios[0];
        for counts in [&mut folios.whole, &mut folios.split] {
            counts.splice(1..1, [None, None]);
            counts.insert(5, None);
        }
    }
    assert_near(&looked, "fail_early_64kB", 10.0);
    assert_near(&looked, "fail_late_64kB", 75.0);
    run.measured.iter_mut().for_each(|it| it.used.folios[0].split[3] = None);
    let why = |run: &Run| mean(run, "fail_late_64kB").missing().unwrap().why().clone();
    assert!(why(&run).contains("not recorded"));
    run.measured.iter_mut().for_each(|it| it.used.folios.clear());
    assert!(why(&run).contains("no such counter"));
    let stats = ["swpout", "swpout_fallback"].map(|name| (name.to_owned(), 0));
    run.measured.iter_mut().for_each(|it| it.folios[0].stats = stats.clone().into());
    assert!(why(&run).contains("no folio of this size"));
}

#[test]
fn only_zram_with_an_area_counts() {
    let mut run = load_run("before");
    let with_files = |device: &mut ZramRun| {
        (device.path, device.stored) = ("/dev/zram9".into(), Bytes(4 << 30));
    };
    for zram in run.measured.iter_mut().map(|it| &mut it.zram) {
        zram.push(zram[0].clone());
        with_files(&mut zram[1]);
    }
    assert_near(&run, "zram_ratio", 3.0);
    run.measured.iter_mut().for_each(|it| with_files(&mut it.zram[0]));
    assert!(mean(&run, "zram_ratio").missing().is_some());
}

#[test]
fn imbalance_is_measured_at_the_peak() {
    let run = load_run("after");
    assert_near(&run, "uneven", 2.0 / 3.0);
    assert_near(&run, "used_peak_/dev/zram0", 38.0);
    // Round robin gives areas equal bytes, whatever their size.
    let mut full = run.clone();
    full.machine.areas[0].size = Bytes(39_845_888);
    assert_near(&full, "uneven", 2.0 / 3.0);
    let shares: Vec<f64> = areas(&run).iter().map(|it| *it.share.known().unwrap()).collect();
    assert_eq!(shares.len(), 4);
    assert!((shares[1] - 0.37).abs() < 1e-9, "{shares:?}");
    assert!(mean(&load_run("before"), "uneven").missing().is_some());
}

#[test]
fn every_figure_has_a_name_of_its_own_and_an_explanation() {
    let run = load_run("after");
    let all = figures(&run);
    let ids: std::collections::BTreeSet<&str> = all.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids.len(), all.len());
    for figure in all.iter().filter(|figure| !figure.is_detail) {
        let mut descriptions = figure_descriptions();
        let described = descriptions.any(|(id, about)| id == figure.id && !about.is_empty());
        assert!(described, "{} has no description", figure.id);
    }
}

#[test]
fn better_follows_the_direction_of_a_figure() {
    let rows = compare_runs(&load_run("before"), &load_run("after"));
    let is_better = |id: &str| {
        let row = rows.iter().find(|row| row.id == id).unwrap();
        row.is_better(row.difference().known().unwrap().verdict)
    };
    assert_eq!(is_better("elapsed"), Some(true));
    assert_eq!(is_better("throughput_sum"), Some(true));
    assert_eq!(is_better("used_peak_/dev/zram0"), None);
    assert_eq!(is_better("ahead"), None);
}

#[test]
fn figures_of_one_run_only_are_compared_too() {
    let mut first = load_run("before");
    first.machine.areas.clear();
    for (one, other) in [(&first, &load_run("after")), (&load_run("after"), &first)] {
        let rows = compare_runs(one, other);
        let count = rows.iter().filter(|row| row.id == "used_peak_/dev/zram0").count();
        assert_eq!(count, 1);
    }
}

//! Invented runs with figures that tests can distinguish.

use std::collections::BTreeMap;
use swapadm::lab::load::file;
use swapadm::model::experiment::{self, Case, Experiment, FactorValue};
use swapadm::model::load::Workload;
use swapadm::model::run::{
    AreaOverTime, FolioRun, FoliosOverTime, Latency, RepetitionEnd, RepetitionResult, Run, RunArea,
    RunMachine, SCHEMA, Stalls, TaskRun, TouchStats, UsedOverTime, ZramRun,
};
use swapadm::model::{Bytes, Name};

/// The files of the runs.
pub(crate) const NAMES: [&str; 3] = ["1-before.json", "2-after.json", "3-lone.json"];

const MIB: u64 = 1 << 20;

/// The run of each file.
pub(crate) fn runs() -> [Run; 3] {
    let before =
        [1.0, 1.01, 0.99].map(|by| measured(&RunFigures { by, used: [90, 30, 20, 10], fails: 40 }));
    let after =
        [0.8, 0.79, 0.81].map(|by| measured(&RunFigures { by, used: [38, 37, 38, 37], fails: 0 }));
    [
        run(1, "before", [-2, -3, -4, -5], before.into()),
        run(2, "after", [-1; 4], after.into()),
        lone(),
    ]
}

/// An experiment that ended before its last case was run.
pub(crate) fn experiment() -> Experiment {
    let [before, after, _] = runs();
    let case = |name: &str, run| Case {
        name: name.to_owned(),
        factors: vec![FactorValue { factor: "priorities".to_owned(), value: name.to_owned() }],
        run,
    };
    let columns = ["used", "system", "throughput_sum", "free_mean", "swapoff"];
    Experiment {
        schema: experiment::SCHEMA,
        version: "0.1.0".to_owned(),
        id: 4,
        at_ms: before.at_ms,
        title: "priorities".to_owned(),
        question: "Where do pages go?".to_owned(),
        seed: 1,
        repetitions: 3,
        order: vec![1, 0, 0, 1, 1, 0, 2, 2, 2],
        columns: columns.map(str::to_owned).into(),
        answer: vec!["used".to_owned(), "system".to_owned()],
        across: None,
        notes: vec!["All of it is made up.".to_owned()],
        cases: vec![
            case("<b>default", Some(before)),
            case("equal", Some(after)),
            case("distinct", None),
        ],
        why: Some("it was interrupted (SIGINT)".to_owned()),
    }
}

/// A run that was stopped, and then could not even begin, on a kernel with few values, with malicious
/// names.
fn lone() -> Run {
    let mut run = run(3, "<script>alert(1)</script> & \u{1b}[2J", [5; 4], Vec::new());
    run.machine.areas.truncate(1);
    run.machine.areas[0].path = Name::new(*b"/mnt/a\"b'<i>|\xff");
    run.machine.policy = None;
    run.limit = None;
    let stopped = RepetitionResult {
        tasks: Vec::new(),
        counters: BTreeMap::new(),
        folios: Vec::new(),
        used: UsedOverTime::default(),
        zram: Vec::new(),
        stall: None,
        peak: None,
        end: RepetitionEnd::Stopped { why: "memory ran out: 12M left".to_owned() },
        ..measured(&RunFigures { by: 0.5, used: [1; 4], fails: 0 })
    };
    let never = RepetitionResult {
        elapsed: None,
        user: None,
        system: None,
        end: RepetitionEnd::Failed { why: "no cgroup can be made".to_owned() },
        ..stopped.clone()
    };
    run.measured = vec![stopped, never];
    run
}

/// Figures that differ between repetitions.
struct RunFigures {
    /// Factor of all durations.
    by: f64,
    /// Largest use of each area, in MiB.
    used: [u64; 4],
    /// Number of large folios that were split.
    fails: u64,
}

fn run(id: u64, title: &str, priorities: [i32; 4], measured: Vec<RepetitionResult>) -> Run {
    let area = |(number, priority)| RunArea {
        path: Name::from(path(number).as_str()),
        kind: Some("zram".to_owned()),
        size: Bytes(100 * MIB),
        priority,
        algorithm: Some("lzo-rle".to_owned()),
        ours: true,
    };
    Run {
        schema: SCHEMA,
        version: "0.1.0".to_owned(),
        id,
        at_ms: 1_795_245_900_000 + id * 3_600_000,
        title: title.to_owned(),
        workload: workload(),
        limit: Some(Bytes(64 * MIB)),
        repetitions: None,
        seed: 1,
        machine: RunMachine {
            kernel: Some(format!("7.{id}.0")),
            policy: Some(if id == 1 { "per node" } else { "round robin" }.to_owned()),
            memory: Some(Bytes(1 << 30)),
            cpus: Some(4),
            page_size: Some(4096),
            areas: (0..).zip(priorities).map(area).collect(),
        },
        settings: [("proc/sys/vm/page-cluster".to_owned(), "3".to_owned())].into(),
        measured,
    }
}

fn path(number: usize) -> String {
    format!("/dev/zram{number}")
}

fn workload() -> Workload {
    let text = "about = 'Where pages go with several areas'\nlimit = '64M'\n\
        [[work]]\nprocesses = 4\nsize = '50M'\nprefault = false";
    file::read("balance", text).unwrap()
}

fn measured(made: &RunFigures) -> RepetitionResult {
    let &RunFigures { by, used, fails } = made;
    let count = |name: &str, value: u64| (name.to_owned(), value);
    let stats = [count("swpout", 160), count("swpout_fallback", fails), count("zswpout", 0)].into();
    let pages = |count: f64| whole(count * by);
    RepetitionResult {
        elapsed: Some(12.5 * by),
        user: Some(3.25 * by),
        system: Some(20.5 * by),
        tasks: (0..4).map(|number| task(by, number)).collect(),
        counters: [
            count("pswpin", pages(9000.0)),
            count("pswpout", pages(38_400.0)),
            count("swap_ra", 400),
            count("swap_ra_hit", 300),
        ]
        .into(),
        folios: vec![FolioRun { size: Bytes(65_536), stats }],
        used: run_over_time(used, fails),
        zram: vec![ZramRun {
            path: Name::from("/dev/zram0"),
            stored: Bytes(90 * MIB),
            compressed: Bytes(30 * MIB),
            memory: Bytes(36 * MIB),
        }],
        own: None,
        stall: Some(Stalls { some: 8.0 * by, full: 2.0 * by }),
        zswap: None,
        swapoff: None,
        swapoff_expected: None,
        switched_off: None,
        peak: Some(Bytes(64 * MIB)),
        end: RepetitionEnd::Done,
    }
}

fn run_over_time(most: [u64; 4], fails: u64) -> UsedOverTime {
    let at = |step: u64| step as f64 * 0.5;
    let area = |(number, most): (usize, u64)| AreaOverTime {
        path: Name::from(path(number).as_str()),
        // Low at first; the peak is before the end.
        used: (0..12)
            .map(|step| (step > 0).then(|| Bytes(most * MIB * step.min(10) / 10)))
            .collect(),
    };
    UsedOverTime {
        at: (0..12).map(at).collect(),
        areas: most.into_iter().enumerate().map(area).collect(),
        memory: (0..12).map(|step| Some(Bytes(step * 4 * MIB))).collect(),
        folios: vec![FoliosOverTime {
            size: Bytes(64 << 10),
            // The same sum as at the end; no single sample has the peaks of all.
            whole: (0..12).map(|step| (step != 4).then_some(step * 160 / 11)).collect(),
            // None at first, and increasing as the areas fill.
            split: (0..12).map(|step| (step != 4).then_some(step * step * fails / 121)).collect(),
        }],
    }
}

fn task(by: f64, number: u64) -> TaskRun {
    let nanos = |nanos: f64| whole(nanos * by);
    let mut latency = Latency { sampled: 64, ..Latency::default() };
    for touch in 0..200 {
        let took = nanos(80.0 + 3.0 * f64::from(touch));
        latency.all.add(took);
        latency.none.add(took);
    }
    for fault in 1..20 {
        let took = nanos(9000.0 * f64::from(fault));
        latency.all.add(took);
        latency.major.add(took);
    }
    TaskRun {
        work: 0,
        touched: TouchStats {
            bytes: Bytes(50 * MIB),
            touches: 12_800,
            touch_ns: nanos(10e9 + number as f64 * 1e8),
            since_begin_ns: nanos(11e9),
            fill_ns: None,
            places: 7,
            painted: 9,
            latency,
            own_ns: 42.0,
        },
        free_ns: Some(nanos(6.0e6 + number as f64 * 1e5)),
        user: 0.8 * by,
        system: 5.0 * by,
        minor: Some(12_800),
        major: Some(nanos(2000.0)),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "none is so large")]
fn whole(number: f64) -> u64 {
    number.round() as u64
}

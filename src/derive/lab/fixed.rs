//! Figures that every run has.

use super::figure::{Better, FigureScope, Measure, RunFigure, mean};
use crate::derive::compression;
use crate::derive::traffic::{self, Direction};
use crate::model::knob::KnobKind;
use crate::model::run::{
    AreaOverTime, RepetitionEnd, RepetitionResult, Run, Stalls, TaskRun, ZramRun, ZswapRun,
};
use crate::model::{Bytes, Reading, known, zram};

/// A figure, and how it is computed.
struct Definition {
    id: &'static str,
    head: &'static str,
    measure: Measure,
    better: Better,
    scope: FigureScope,
    get: Get,
    /// Computes it for the cgroup of the run alone, where the kernel counts that.
    own: Option<Get>,
    /// The direction in which it counts pages of zswap too.
    zswap: Option<Direction>,
    about: &'static str,
}

impl Definition {
    const fn new(
        id: &'static str,
        head: &'static str,
        measure: Measure,
        better: Better,
        get: Get,
    ) -> Self {
        let scope = FigureScope::Workload;
        Self { id, head, measure, better, scope, get, own: None, zswap: None, about: "" }
    }

    const fn with_scope(self, scope: FigureScope) -> Self {
        Self { scope, ..self }
    }

    const fn prefers(self, own: Get) -> Self {
        Self { own: Some(own), ..self }
    }

    const fn includes_zswap(self, way: Direction) -> Self {
        Self { zswap: Some(way), ..self }
    }

    const fn says(self, about: &'static str) -> Self {
        Self { about, ..self }
    }
}

/// Descriptions of figures by size, area or kind of fault, and of the areas together.
const OTHERS: &[(&str, &str)] = &[
    (
        "metadata",
        "Kernel memory for the metadata of all areas at their peak, computed from what this kernel release stores for each slot.",
    ),
    (
        "uneven",
        "Imbalance of areas of equal priority at their peak: the part of their used space that would have to move to make it even; the maximum of several priority groups.",
    ),
    (
        "latency_p50, _p99, _p99.9, _max",
        "Latency of accesses: median, 99th and 99.9th percentile, with an accuracy of 1/16, and maximum, which is exact.",
    ),
    (
        "latency_KIND_p50 and so on",
        "Latency of a sample of accesses without a fault (none), with a minor fault (minor), or with a major fault (major).",
    ),
    (
        "swpout_SIZE, swpout_fallback_SIZE",
        "Large folios of this size that were swapped out whole, and that were split because no contiguous slots were free.",
    ),
    (
        "fail_rate_SIZE",
        "swpout_fallback divided by the sum of swpout, zswpout and swpout_fallback.",
    ),
    (
        "fail_early_SIZE, fail_late_SIZE",
        "The failure rate in the first and in the last quarter of the run: it rises as an area is fragmented.",
    ),
    ("used_peak_AREA", "Used share of an area when all areas together were fullest."),
];

/// All figures with their descriptions for the manual.
pub fn figure_descriptions() -> impl Iterator<Item = (&'static str, &'static str)> {
    DEFINITIONS.iter().map(|it| (it.id, it.about)).chain(OTHERS.iter().copied())
}

/// Computes a figure from a repetition.
type Get = fn(&RepetitionResult) -> Reading<f64>;

/// All figures, with their numbers from `values`, which gets the direction of those that include zswap.
pub(super) fn figures(
    values: impl Fn(Get, Option<Direction>) -> Vec<Reading<f64>>,
) -> Vec<RunFigure> {
    let figure = |it: &Definition| {
        let values = |get| values(get, it.zswap);
        let all = values(it.get);
        let own = it.own.map(values).filter(|own| covers(own, &all));
        RunFigure {
            id: it.id.to_owned(),
            head: it.head.to_owned(),
            measure: it.measure,
            better: it.better,
            scope: if own.is_some() { FigureScope::Workload } else { it.scope },
            is_detail: false,
            accuracy: 0.0,
            values: own.unwrap_or(all),
        }
    };
    DEFINITIONS.iter().map(figure).collect()
}

/// Whether the cgroup of the run was counted in each repetition in which the machine was.
fn covers(own: &[Reading<f64>], all: &[Reading<f64>]) -> bool {
    let mut both = own.iter().zip(all);
    own.iter().any(|own| own.known().is_some())
        && both.all(|(own, all)| own.known().is_some() || all.known().is_none())
}

static DEFINITIONS: &[Definition] = &[
    Definition::new("elapsed", "Elapsed", Measure::Seconds, Better::Lower, |it| {
        Reading::or_absent(it.elapsed, NOT_BEGUN)
    })
    .says("Time from the start of the first process to the end of the last."),
    Definition::new("user", "User time", Measure::Seconds, Better::Lower, |it| {
        Reading::or_absent(it.user, NOT_WAITED)
    })
    .says("CPU time of all processes in user mode."),
    Definition::new("system", "System time", Measure::Seconds, Better::Lower, |it| {
        Reading::or_absent(it.system, NOT_WAITED)
    })
    .says("CPU time of all processes in the kernel."),
    Definition::new("throughput_sum", "Throughput, sum", Measure::MebibytesPerSecond, Better::Higher, |it| {
        rates(it).map(|rates| rates.iter().sum())
    })
    .says("Bytes accessed by each process, divided by its time up to the last access, summed over all processes. An access to a word counts 8 bytes, so workloads that access words cannot be compared with those that access pages."),
    Definition::new("throughput_mean", "Throughput, mean", Measure::MebibytesPerSecond, Better::Higher, |it| {
        rates(it).and_then(|rates| {
            Reading::or_absent(mean(rates.into_iter()), "nothing was accessed")
        })
    })
    .says("Throughput of one process: the mean of all."),
    Definition::new("free_mean", "Free latency, mean", Measure::Micros, Better::Lower, |it| {
        Reading::or_absent(mean(frees(it)), NOT_FREED)
    })
    .says("Time that a process needed to free its memory: the mean of all."),
    Definition::new("free_max", "Free latency, max", Measure::Micros, Better::Lower, |it| {
        Reading::or_absent(frees(it).max_by(f64::total_cmp), NOT_FREED)
    })
    .says("Time that a process needed to free its memory: the maximum."),
    Definition::new("faults_major", "Major faults", Measure::Count, Better::Lower, |it| {
        sum(it, |task| task.major)
    })
    .says("Major page faults, which usually read from swap, of all processes and their children over their whole life: filling, accessing and freeing memory."),
    Definition::new("faults_minor", "Minor faults", Measure::Count, Better::Neither, |it| {
        sum(it, |task| task.minor)
    })
    .says("Minor page faults, which need no read, of the same processes."),
    Definition::new("swapped_in", "Swapped in", Measure::Pages, Better::Lower, |it| {
        reads(it, swapped(it, Direction::In))
    })
    .with_scope(FigureScope::Machine)
    .prefers(|it| reads(it, own_swapped(it, Direction::In)))
    .includes_zswap(Direction::In)
    .says("Pages swapped in, from zswap too: pswpin + zswpin + swpin_zero, of the cgroup of the run where the kernel counts that (version 2, newer kernels), otherwise of the whole machine; missing if the run ended with swapoff, whose reads the kernel counts too, and if zswap was on and the kernel does not count its pages."),
    Definition::new("swapped_in_rate", "Swap-in rate", Measure::PagesPerSecond, Better::Neither, |it| {
        in_rate(it, swapped(it, Direction::In))
    })
    .with_scope(FigureScope::Machine)
    .prefers(|it| in_rate(it, own_swapped(it, Direction::In)))
    .includes_zswap(Direction::In)
    .says("Pages swapped in per second: swapped_in divided by the elapsed time."),
    Definition::new("swapped_out", "Swapped out", Measure::Pages, Better::Lower, |it| {
        swapped(it, Direction::Out)
    })
    .with_scope(FigureScope::Machine)
    .prefers(|it| own_swapped(it, Direction::Out))
    .includes_zswap(Direction::Out)
    .says("Pages swapped out, to zswap too: pswpout + zswpout + swpout_zero - zswpwb (counted in two of them), of the same subject as swapped_in."),
    Definition::new("device_in", "Device reads", Measure::Pages, Better::Lower, |it| {
        reads(it, counter(it, "pswpin"))
    })
    .with_scope(FigureScope::Machine)
    .prefers(|it| reads(it, own_counter(it, "pswpin")))
    .says("Pages read from swap devices, including zram: pswpin, the part of swapped_in that was I/O."),
    Definition::new("device_out", "Device writes", Measure::Pages, Better::Lower, |it| {
        counter(it, "pswpout")
    })
    .with_scope(FigureScope::Machine)
    .prefers(|it| own_counter(it, "pswpout"))
    .says("Pages written to swap devices, including zram and the writeback of zswap: pswpout."),
    Definition::new("ahead", "Readahead", Measure::Pages, Better::Neither, |it| {
        reads(it, counter(it, "swap_ra"))
    })
    .with_scope(FigureScope::Machine)
    .says("Pages read ahead of a fault: swap_ra."),
    Definition::new("ahead_hits", "Readahead hits", Measure::Pages, Better::Neither, |it| {
        reads(it, counter(it, "swap_ra_hit"))
    })
    .with_scope(FigureScope::Machine)
    .says("Pages read ahead that were used: swap_ra_hit."),
    Definition::new("ahead_success", "Readahead hit rate", Measure::Percent, Better::Higher, |it| {
        reads(it, counter(it, "swap_ra_hit")).and_then2(counter(it, "swap_ra"), |hits, all| {
            share_percent(100.0 * hits, all, "nothing was read ahead")
        })
    })
    .with_scope(FigureScope::Machine)
    .says("Hit rate of readahead: swap_ra_hit divided by swap_ra."),
    Definition::new("own_cost", "Loop overhead", Measure::Nanos, Better::Neither, |it| {
        let timed = it.tasks.iter().map(|task| task.touched.own_ns).filter(|nanos| *nanos > 0.0);
        Reading::or_absent(mean(timed), "no process timed it")
    })
    .says("Overhead of each access: the loop and reading the clock, timed on a page in memory."),
    Definition::new("zram_ratio", "zram ratio", Measure::Ratio, Better::Higher, |it| {
        zram(it, |device| device.compressed.0)
    })
    .with_scope(FigureScope::Areas)
    .says("Compression ratio of zram at its peak: data divided by compressed data."),
    Definition::new("zram_memory_ratio", "zram memory ratio", Measure::Ratio, Better::Higher, |it| {
        zram(it, |device| device.memory.0)
    })
    .with_scope(FigureScope::Areas)
    .says("Compression ratio of zram at its peak: data divided by memory used."),
    Definition::new("stall_some", "PSI some", Measure::Seconds, Better::Lower, |it| {
        stall(it.stall.as_ref(), |stalls| stalls.some)
    })
    .with_scope(FigureScope::Machine)
    .prefers(|it| stall(own_stall(it), |stalls| stalls.some))
    .says("PSI some: time in which at least one task stalled on memory; of the cgroup of the run on version 2, otherwise of the machine."),
    Definition::new("stall_full", "PSI full", Measure::Seconds, Better::Lower, |it| {
        stall(it.stall.as_ref(), |stalls| stalls.full)
    })
    .with_scope(FigureScope::Machine)
    .prefers(|it| stall(own_stall(it), |stalls| stalls.full))
    .says("PSI full: time in which all tasks, of the cgroup or of the machine, stalled on memory."),
    Definition::new("swapoff", "Swapoff", Measure::Seconds, Better::Lower, |it| {
        Reading::or_absent(it.swapoff, NOT_OFF)
    })
    .with_scope(FigureScope::Areas)
    .says("Duration of swapoff of the temporary areas, while processes held their memory."),
    Definition::new("swapoff_expected", "Swapoff, estimated", Measure::Seconds, Better::Neither, |it| {
        Reading::or_absent(it.swapoff_expected, NOT_EXPECTED)
    })
    .with_scope(FigureScope::Areas)
    .says("Estimated duration of that swapoff when it began, from the used bytes and the time of a fault and a read right before."),
    Definition::new("swapoff_rate", "Swapoff rate", Measure::MebibytesPerSecond, Better::Higher, off_rate)
        .with_scope(FigureScope::Areas)
        .says("Bytes on the areas when swapoff began, divided by its duration."),
    Definition::new("zswap_pool", "zswap pool", Measure::Mebibytes, Better::Neither, |it| {
        zswap(it, |held| held.pool.0)
    })
    .with_scope(FigureScope::Machine)
    .says("Memory used by zswap on the whole machine at its peak."),
    Definition::new("zswap_blocked", "Data in zswap", Measure::Mebibytes, Better::Neither, |it| {
        zswap(it, |held| held.blocked.0)
    })
    .with_scope(FigureScope::Machine)
    .says("Uncompressed data in zswap at that moment, for which slots of the areas are reserved."),
    Definition::new("peak_memory", "Peak memory", Measure::Mebibytes, Better::Neither, |it| {
        let peak = it.peak.map(|peak| mebibytes(peak.0));
        Reading::or_absent(peak, "the run had no cgroup that measures memory")
    })
    .says("Peak memory of the cgroup."),
];

const NOT_BEGUN: &str = "no process was started";
const NOT_WAITED: &str = "no process was started, or one of them did not end";
const NO_TASK: &str = "not every process reported its results";
const NOT_OFF: &str = "the run did not end with swapoff";
const NOT_EXPECTED: &str =
    "the run did not end with swapoff, or a device could not be read for the estimate";
const NOT_FREED: &str = "processes freed their memory by ending, or not at all";

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// A figure of zswap, in MiB.
fn zswap(measured: &RepetitionResult, what: fn(ZswapRun) -> u64) -> Reading<f64> {
    let held = measured.zswap.map(|held| mebibytes(what(held)));
    Reading::or_absent(held, "the kernel does not report the data in zswap, or it was not stored")
}

/// The rate of a process in MiB/s.
pub(super) fn rate(task: &TaskRun) -> Option<f64> {
    let seconds = task.touched.touch_ns as f64 / 1e9;
    (seconds > 0.0).then(|| mebibytes(task.touched.bytes.0) / seconds)
}

/// The results of all processes. Those that are stopped do not report theirs.
fn tasks(measured: &RepetitionResult) -> Reading<&[TaskRun]> {
    let is_whole = measured.end == RepetitionEnd::Done && !measured.tasks.is_empty();
    Reading::or_absent(is_whole.then_some(measured.tasks.as_slice()), NO_TASK)
}

/// The rates of all processes.
fn rates(measured: &RepetitionResult) -> Reading<Vec<f64>> {
    let tasks = known!(tasks(measured));
    let rates: Option<Vec<f64>> = tasks.iter().map(rate).collect();
    Reading::or_absent(rates, "the access time of a process is 0")
}

/// The times in which processes freed their memory, in microseconds.
fn frees(measured: &RepetitionResult) -> impl Iterator<Item = f64> + '_ {
    measured.tasks.iter().filter_map(|task| task.free_ns).map(|nanos| nanos as f64 / 1e3)
}

/// Pages read from swap per second.
fn in_rate(measured: &RepetitionResult, pages: Reading<f64>) -> Reading<f64> {
    let seconds = Reading::or_absent(measured.elapsed, NOT_BEGUN);
    reads(measured, pages).and_then2(seconds, |pages, seconds| {
        Reading::or_absent((seconds > 0.0).then(|| pages / seconds), "the elapsed time is 0")
    })
}

/// The bytes moved by swapoff per second.
fn off_rate(measured: &RepetitionResult) -> Reading<f64> {
    let Some(seconds) = measured.swapoff else { return Reading::absent(NOT_OFF) };
    let Some(held) = measured.switched_off else {
        return Reading::absent("the usage of the areas before swapoff is unknown");
    };
    Reading::or_absent(
        (seconds > 0.0).then(|| mebibytes(held.0) / seconds),
        "the duration of swapoff is 0",
    )
}

fn sum(measured: &RepetitionResult, of: fn(&TaskRun) -> Option<u64>) -> Reading<f64> {
    let tasks = known!(tasks(measured));
    let add = |sum: u64, task| of(task).map(|more| sum.saturating_add(more));
    let all = tasks.iter().try_fold(0, add);
    Reading::or_absent(all.map(|all| all as f64), "some of them were not stored")
}

/// A counter of reads from swap. A swapoff at the end of the run reads everything, with readahead.
fn reads(measured: &RepetitionResult, pages: Reading<f64>) -> Reading<f64> {
    if measured.swapoff.is_some() || measured.switched_off.is_some() {
        return Reading::absent("a swapoff ran, and its reads are not those of the workload");
    }
    pages
}

pub(super) fn counter(measured: &RepetitionResult, name: &str) -> Reading<f64> {
    match measured.counters.get(name) {
        Some(count) => Reading::Known(*count as f64),
        None => Reading::absent(format!("this kernel has no counter {name}")),
    }
}

/// Pages swapped in this direction, of the whole machine.
pub(super) fn swapped(measured: &RepetitionResult, way: Direction) -> Reading<f64> {
    sum_pages(way, |name| counter(measured, name))
}

/// Pages swapped in this direction, of the cgroup of the run. Older documents have only its device I/O, which is all
/// if the machine counted nothing else.
pub(super) fn own_swapped(measured: &RepetitionResult, way: Direction) -> Reading<f64> {
    sum_pages(way, |name| {
        let own = own_counter(measured, name);
        let is_lost = counter(measured, name).known().is_some_and(|all| *all > 0.0);
        if own.is_absent() && is_lost {
            return Reading::failed(format!("{name} was not stored for the cgroup of the run"));
        }
        own
    })
}

fn sum_pages(way: Direction, count: impl Fn(&str) -> Reading<f64>) -> Reading<f64> {
    traffic::sum_counters(way, count, |a, b| a + b, |a, b| (a - b).max(0.0))
}

/// Removes pages swapped by a run with zswap on a kernel without its counters: they are not all.
pub(super) fn remove_uncounted(run: &Run, way: Direction, values: &mut [Reading<f64>]) {
    let enabled = run.settings.get("zswap.enabled");
    if enabled.is_none_or(|value| KnobKind::Switch.shown_value(value) != "on") {
        return;
    }
    let [_, zswap, _] = way.counters();
    for (value, measured) in values.iter_mut().zip(&run.measured) {
        if value.known().is_some() && counter(measured, zswap).is_absent() {
            *value = traffic::uncounted_zswap(way).into();
        }
    }
}

/// A counter of the cgroup of the run.
pub(super) fn own_counter(measured: &RepetitionResult, name: &str) -> Reading<f64> {
    let count = measured.own.as_ref().and_then(|own| own.counters.get(name));
    Reading::or_absent(count.map(|count| *count as f64), "not counted for the cgroup of the run")
}

fn own_stall(measured: &RepetitionResult) -> Option<&Stalls> {
    measured.own.as_ref().and_then(|own| own.stall.as_ref())
}

fn stall(stalls: Option<&Stalls>, which: fn(&Stalls) -> f64) -> Reading<f64> {
    Reading::or_absent(stalls.map(which), "this kernel does not report PSI")
}

/// The data of all devices with areas, divided by another of their sums.
fn zram(measured: &RepetitionResult, by: fn(&ZramRun) -> u64) -> Reading<f64> {
    let has_area = |it: &&ZramRun| measured.used.areas.iter().any(|area| area.path == it.path);
    let devices: Vec<&ZramRun> = measured.zram.iter().filter(has_area).collect();
    if devices.is_empty() {
        let is_zram = |area: &AreaOverTime| zram::device_number(&area.path).is_some();
        let is_used = measured.used.areas.iter().any(is_zram);
        return Reading::absent(if is_used {
            "the zram devices were empty, or did not answer"
        } else {
            "no area is on zram"
        });
    }
    let all = |of: &dyn Fn(&ZramRun) -> u64| {
        Bytes(devices.iter().copied().map(of).fold(0, u64::saturating_add))
    };
    // The header alone gives a ratio of 65, and takes more memory than it has data.
    compression::ratio_to_memory(&Reading::Known(all(&|it| it.stored.0)), Reading::Known(all(&by)))
}

fn share_percent(of: f64, all: f64, why: &'static str) -> Reading<f64> {
    Reading::or_absent((all > 0.0).then(|| of / all), why)
}

//! Figures that every run has.

use super::figure::{Better, Measure, RunFigure, mean};
use crate::derive::compression;
use crate::model::run::{AreaOverTime, RepetitionResult, Stalls, TaskRun, ZramRun, ZswapRun};
use crate::model::{Bytes, Reading, zram};

/// A figure, and how it is computed.
struct Definition {
    id: &'static str,
    head: &'static str,
    measure: Measure,
    better: Better,
    get: Get,
}

/// Descriptions of all figures for the manual, including those by size, area or kind of fault.
pub const PATTERNS: [(&str, &str); 34] = [
    ("elapsed", "Time from the start of the first process to the end of the last."),
    ("user", "CPU time of all processes in user mode."),
    ("system", "CPU time of all processes in the kernel."),
    (
        "throughput_sum",
        "Bytes accessed by each process, divided by its time up to the last access, summed over all processes. An access to a word counts 8 bytes, so workloads that access words cannot be compared with those that access pages. 1 MB is 2^20 bytes.",
    ),
    ("throughput_mean", "Throughput of one process: the mean of all."),
    ("free_mean", "Time that a process needed to free its memory: the mean of all."),
    ("free_max", "Time that a process needed to free its memory: the maximum."),
    (
        "faults_major",
        "Major page faults, which usually read from swap, of all processes and their children over their whole life: filling, accessing and freeing memory.",
    ),
    ("faults_minor", "Minor page faults, which need no read, of the same processes."),
    ("swapped_in", "Pages read from swap on the whole machine: pswpin."),
    ("swapped_in_rate", "Pages read from swap per second: pswpin divided by the elapsed time."),
    ("swapped_out", "Pages written to swap on the whole machine: pswpout."),
    ("ahead", "Pages read ahead of a fault: swap_ra."),
    ("ahead_hits", "Pages read ahead that were used: swap_ra_hit."),
    ("ahead_success", "Hit rate of readahead: swap_ra_hit divided by swap_ra."),
    (
        "own_cost",
        "Overhead of each access: the loop and reading the clock, timed on a page in memory.",
    ),
    ("zram_ratio", "Compression ratio of zram at its peak: data divided by compressed data."),
    ("zram_memory_ratio", "Compression ratio of zram at its peak: data divided by memory used."),
    ("stall_some", "PSI some: time in which at least one task of the machine stalled on memory."),
    ("stall_full", "PSI full: time in which all tasks of the machine stalled on memory."),
    ("swapoff", "Duration of swapoff of the temporary areas, while processes held their memory."),
    (
        "swapoff_expected",
        "Estimated duration of that swapoff when it began, from the used bytes and the time of a fault and a read right before.",
    ),
    ("swapoff_rate", "Bytes on the areas when swapoff began, divided by its duration."),
    ("peak_memory", "Peak memory of the cgroup."),
    ("zswap_pool", "Memory used by zswap on the whole machine at its peak. 1 MB is 2^20 bytes."),
    (
        "zswap_blocked",
        "Uncompressed data in zswap at that moment, for which slots of the areas are reserved.",
    ),
    (
        "metadata",
        "Kernel memory for the metadata of all areas at their peak, computed from what this kernel release stores for each slot.",
    ),
    (
        "uneven",
        "Imbalance of areas of equal priority at their peak: the largest share used minus the smallest; the maximum of several priority groups.",
    ),
    (
        "latency_p50, _p99, _p99.9, _max",
        "Latency of accesses: median, 99th and 99.9th percentile, and maximum, with an accuracy of 1/16.",
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

/// Computes a figure from a repetition.
type Get = fn(&RepetitionResult) -> Reading<f64>;

/// All figures, with their numbers from `values`.
pub(super) fn figures(values: impl Fn(Get) -> Vec<Reading<f64>>) -> Vec<RunFigure> {
    let figure = |it: &Definition| RunFigure {
        id: it.id.to_owned(),
        head: it.head.to_owned(),
        measure: it.measure,
        better: it.better,
        is_detail: false,
        values: values(it.get),
    };
    DEFINITIONS.iter().map(figure).collect()
}

static DEFINITIONS: &[Definition] = &[
    Definition {
        id: "elapsed",
        head: "Elapsed",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| Reading::or_absent(it.elapsed, NOT_BEGUN),
    },
    Definition {
        id: "user",
        head: "User time",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| Reading::or_absent(it.user, NOT_WAITED),
    },
    Definition {
        id: "system",
        head: "System time",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| Reading::or_absent(it.system, NOT_WAITED),
    },
    Definition {
        id: "throughput_sum",
        head: "Throughput, sum",
        measure: Measure::MegabytesPerSecond,
        better: Better::Higher,
        get: |it| rates(it).map(|rates| rates.iter().sum()),
    },
    Definition {
        id: "throughput_mean",
        head: "Throughput, mean",
        measure: Measure::MegabytesPerSecond,
        better: Better::Higher,
        get: |it| {
            rates(it).and_then(|rates| {
                Reading::or_absent(mean(rates.into_iter()), "nothing was accessed")
            })
        },
    },
    Definition {
        id: "free_mean",
        head: "Free latency, mean",
        measure: Measure::Micros,
        better: Better::Lower,
        get: |it| Reading::or_absent(mean(frees(it)), NOT_FREED),
    },
    Definition {
        id: "free_max",
        head: "Free latency, max",
        measure: Measure::Micros,
        better: Better::Lower,
        get: |it| Reading::or_absent(frees(it).max_by(f64::total_cmp), NOT_FREED),
    },
    Definition {
        id: "faults_major",
        head: "Major faults",
        measure: Measure::Count,
        better: Better::Lower,
        get: |it| sum(it, |task| task.major),
    },
    Definition {
        id: "faults_minor",
        head: "Minor faults",
        measure: Measure::Count,
        better: Better::Neither,
        get: |it| sum(it, |task| task.minor),
    },
    Definition {
        id: "swapped_in",
        head: "Swapped in",
        measure: Measure::Pages,
        better: Better::Lower,
        get: |it| counter(it, "pswpin"),
    },
    Definition {
        id: "swapped_in_rate",
        head: "Swap-in rate",
        measure: Measure::PagesPerSecond,
        better: Better::Neither,
        get: in_rate,
    },
    Definition {
        id: "swapped_out",
        head: "Swapped out",
        measure: Measure::Pages,
        better: Better::Lower,
        get: |it| counter(it, "pswpout"),
    },
    Definition {
        id: "ahead",
        head: "Readahead",
        measure: Measure::Pages,
        better: Better::Neither,
        get: |it| counter(it, "swap_ra"),
    },
    Definition {
        id: "ahead_hits",
        head: "Readahead hits",
        measure: Measure::Pages,
        better: Better::Neither,
        get: |it| counter(it, "swap_ra_hit"),
    },
    Definition {
        id: "ahead_success",
        head: "Readahead hit rate",
        measure: Measure::Percent,
        better: Better::Higher,
        get: |it| {
            counter(it, "swap_ra_hit").and_then2(counter(it, "swap_ra"), |hits, all| {
                share_percent(100.0 * hits, all, "nothing was read ahead")
            })
        },
    },
    Definition {
        id: "own_cost",
        head: "Loop overhead",
        measure: Measure::Nanos,
        better: Better::Neither,
        get: |it| {
            Reading::or_absent(mean(it.tasks.iter().map(|task| task.touched.own_ns)), NO_TASK)
        },
    },
    Definition {
        id: "zram_ratio",
        head: "zram ratio",
        measure: Measure::Ratio,
        better: Better::Higher,
        get: |it| zram(it, |device| device.compressed.0),
    },
    Definition {
        id: "zram_memory_ratio",
        head: "zram memory ratio",
        measure: Measure::Ratio,
        better: Better::Higher,
        get: |it| zram(it, |device| device.memory.0),
    },
    Definition {
        id: "stall_some",
        head: "PSI some",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| stall(it, |stalls| stalls.some),
    },
    Definition {
        id: "stall_full",
        head: "PSI full",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| stall(it, |stalls| stalls.full),
    },
    Definition {
        id: "swapoff",
        head: "Swapoff",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| Reading::or_absent(it.swapoff, NOT_OFF),
    },
    Definition {
        id: "swapoff_expected",
        head: "Swapoff, estimated",
        measure: Measure::Seconds,
        better: Better::Neither,
        get: |it| Reading::or_absent(it.swapoff_expected, NOT_EXPECTED),
    },
    Definition {
        id: "swapoff_rate",
        head: "Swapoff rate",
        measure: Measure::MegabytesPerSecond,
        better: Better::Higher,
        get: off_rate,
    },
    Definition {
        id: "zswap_pool",
        head: "zswap pool",
        measure: Measure::Megabytes,
        better: Better::Neither,
        get: |it| zswap(it, |held| held.pool.0),
    },
    Definition {
        id: "zswap_blocked",
        head: "Data in zswap",
        measure: Measure::Megabytes,
        better: Better::Neither,
        get: |it| zswap(it, |held| held.blocked.0),
    },
    Definition {
        id: "peak_memory",
        head: "Peak memory",
        measure: Measure::Megabytes,
        better: Better::Neither,
        get: |it| {
            let peak = it.peak.map(|peak| megabytes(peak.0));
            Reading::or_absent(peak, "the run had no cgroup that measures memory")
        },
    },
];

const NOT_BEGUN: &str = "no process was started";
const NOT_WAITED: &str = "no process was started, or one of them did not end";
const NO_TASK: &str = "no process reported its results";
const NOT_OFF: &str = "the run did not end with swapoff";
const NOT_EXPECTED: &str =
    "the run did not end with swapoff, or a device could not be read for the estimate";
const NOT_FREED: &str = "processes freed their memory by ending, or not at all";

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// A figure of zswap, in MB.
fn zswap(measured: &RepetitionResult, what: fn(ZswapRun) -> u64) -> Reading<f64> {
    let held = measured.zswap.map(|held| megabytes(what(held)));
    Reading::or_absent(held, "the kernel does not report the data in zswap, or it was not stored")
}

/// The rate of a process in MB/s.
pub(super) fn rate(task: &TaskRun) -> Option<f64> {
    let seconds = task.touched.touch_ns as f64 / 1e9;
    (seconds > 0.0).then(|| megabytes(task.touched.bytes.0) / seconds)
}

/// The rates of all processes.
fn rates(measured: &RepetitionResult) -> Reading<Vec<f64>> {
    if measured.tasks.is_empty() {
        return Reading::absent(NO_TASK);
    }
    let rates: Option<Vec<f64>> = measured.tasks.iter().map(rate).collect();
    Reading::or_absent(rates, "the access time of a process is 0")
}

/// The times in which processes freed their memory, in microseconds.
fn frees(measured: &RepetitionResult) -> impl Iterator<Item = f64> + '_ {
    measured.tasks.iter().filter_map(|task| task.free_ns).map(|nanos| nanos as f64 / 1e3)
}

/// Pages read from swap per second.
fn in_rate(measured: &RepetitionResult) -> Reading<f64> {
    let pages = counter(measured, "pswpin");
    let seconds = Reading::or_absent(measured.elapsed, NOT_BEGUN);
    pages.and_then2(seconds, |pages, seconds| {
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
        (seconds > 0.0).then(|| megabytes(held.0) / seconds),
        "the duration of swapoff is 0",
    )
}

fn sum(measured: &RepetitionResult, of: fn(&TaskRun) -> Option<u64>) -> Reading<f64> {
    if measured.tasks.is_empty() {
        return Reading::absent(NO_TASK);
    }
    let add = |sum: u64, task| of(task).map(|more| sum.saturating_add(more));
    let all = measured.tasks.iter().try_fold(0, add);
    Reading::or_absent(all.map(|all| all as f64), "some of them were not stored")
}

fn counter(measured: &RepetitionResult, name: &str) -> Reading<f64> {
    match measured.counters.get(name) {
        Some(count) => Reading::Known(*count as f64),
        None => Reading::absent(format!("this kernel has no counter {name}")),
    }
}

fn stall(measured: &RepetitionResult, which: fn(&Stalls) -> f64) -> Reading<f64> {
    Reading::or_absent(measured.stall.as_ref().map(which), "this kernel does not report PSI")
}

/// The data of all devices, divided by another of their sums.
fn zram(measured: &RepetitionResult, by: fn(&ZramRun) -> u64) -> Reading<f64> {
    if measured.zram.is_empty() {
        let is_zram = |area: &AreaOverTime| zram::device_number(&area.path).is_some();
        let is_used = measured.used.areas.iter().any(is_zram);
        return Reading::absent(if is_used {
            "the zram devices were empty, or did not answer"
        } else {
            "no area is on zram"
        });
    }
    let all = |of: &dyn Fn(&ZramRun) -> u64| {
        Bytes(measured.zram.iter().map(of).fold(0, u64::saturating_add))
    };
    // The header alone gives a ratio of 65, and takes more memory than it has data.
    compression::ratio_to_memory(&Reading::Known(all(&|it| it.stored.0)), Reading::Known(all(&by)))
}

fn share_percent(of: f64, all: f64, why: &'static str) -> Reading<f64> {
    Reading::or_absent((all > 0.0).then(|| of / all), why)
}

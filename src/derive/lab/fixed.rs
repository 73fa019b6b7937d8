//! Figures that every run has.

use super::figure::{Better, RunFigure, Measure, mean, or_absent};
use crate::model::Reading;
use crate::model::run::{RepetitionResult, Stalls, TaskRun, ZramRun, ZswapRun};

/// A figure and where it comes from.
struct Definition {
    id: &'static str,
    head: &'static str,
    measure: Measure,
    better: Better,
    get: Get,
}

/// What each figure says, for the manual: also those that come by size, area or kind of fault.
pub const PATTERNS: [(&str, &str); 34] = [
    ("elapsed", "From the first process on until the last one was gone."),
    ("user", "Processor time of all processes of the load, in user mode."),
    ("system", "The same in the kernel."),
    (
        "throughput_sum",
        "The bytes that a process touched by the time until its last touch, added up over all processes: 8 for each touch of a load that touches words, so that it is not to be compared with one that touches whole pages. MB are 2^20 bytes.",
    ),
    ("throughput_mean", "The same of a single process: the mean over all."),
    ("free_mean", "How long a process took to give its memory back: the mean over all."),
    ("free_max", "The longest of those."),
    (
        "faults_major",
        "Faults that read, from swap as a rule, of all processes and those that they made, from their begin to their end: filling, touching and giving back.",
    ),
    ("faults_minor", "The same of faults that needed no reading."),
    ("swapped_in", "Pages read from swap, on the whole machine: pswpin."),
    (
        "swapped_in_rate",
        "The same in a second: pswpin by the time from the first process on until the last one was gone.",
    ),
    ("swapped_out", "Pages written to swap, on the whole machine: pswpout."),
    ("ahead", "Pages read ahead of a fault: swap_ra."),
    ("ahead_hits", "Those of them that were used: swap_ra_hit."),
    ("ahead_success", "swap_ra_hit by swap_ra."),
    ("own_cost", "What a touch costs when the page is there: the load itself and its clock."),
    ("zram_ratio", "What zram devices held by what it was compressed to, when they were fullest."),
    ("zram_memory_ratio", "The same by the memory that it took."),
    ("stall_some", "How long some task of the machine waited for memory."),
    ("stall_full", "How long all did."),
    ("swapoff", "How long switching the areas off took, with the memory still held."),
    (
        "swapoff_expected",
        "How long that was expected to take when it began, by what they held and what a fault and a read of a page took right before.",
    ),
    ("swapoff_rate", "What they held when that began, by that time."),
    ("peak_memory", "Memory of the load at most."),
    (
        "zswap_pool",
        "Memory that zswap took for all of the machine when it held the most. MB are 2^20 bytes.",
    ),
    (
        "zswap_blocked",
        "What it held then before it was compressed: so much of the areas it blocks.",
    ),
    (
        "metadata",
        "Memory that the kernel needs for all areas when most is used of them, beside what is on them: computed from what its release keeps for each slot.",
    ),
    (
        "uneven",
        "How unevenly areas of the same priority were used when most was: the largest share used less the smallest; of several priorities the worst.",
    ),
    (
        "latency_p50, _p99, _p99.9, _max",
        "How long a touch took, to a sixteenth: of half of them no longer, and so on.",
    ),
    (
        "latency_KIND_p50 and so on",
        "The same of a sample of those that met no fault (none), a fault that read nothing (minor), or one that read from swap (major).",
    ),
    (
        "swpout_SIZE, swpout_fallback_SIZE",
        "Large folios of this size that were swapped out whole, and that were split because no room was found.",
    ),
    ("fail_rate_SIZE", "swpout_fallback against swpout, zswpout and swpout_fallback together."),
    (
        "fail_early_SIZE, fail_late_SIZE",
        "The same in the first and in the last quarter of the time: whether it rises as an area is fragmented.",
    ),
    (
        "used_peak_AREA",
        "The share of an area that was used at the moment when most was used of all.",
    ),
];

/// What a figure is read from.
type Get = fn(&RepetitionResult) -> Reading<f64>;

/// Each of them, with the numbers that are wanted of it.
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
        get: |it| or_absent(it.elapsed, NOT_BEGUN),
    },
    Definition {
        id: "user",
        head: "User time",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| or_absent(it.user, NOT_WAITED),
    },
    Definition {
        id: "system",
        head: "System time",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| or_absent(it.system, NOT_WAITED),
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
        head: "Throughput, each",
        measure: Measure::MegabytesPerSecond,
        better: Better::Higher,
        get: |it| {
            rates(it).and_then(|rates| or_absent(mean(rates.into_iter()), "nothing was touched"))
        },
    },
    Definition {
        id: "free_mean",
        head: "Free latency, mean",
        measure: Measure::Micros,
        better: Better::Lower,
        get: |it| or_absent(mean(frees(it)), NOT_FREED),
    },
    Definition {
        id: "free_max",
        head: "Free latency, max",
        measure: Measure::Micros,
        better: Better::Lower,
        get: |it| or_absent(frees(it).max_by(f64::total_cmp), NOT_FREED),
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
        head: "Read ahead",
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
        head: "Readahead success",
        measure: Measure::Percent,
        better: Better::Higher,
        get: |it| {
            let both = counter(it, "swap_ra_hit").map2(counter(it, "swap_ra"), |a, b| (a, b));
            both.and_then(|(hits, all)| share_percent(100.0 * hits, all, "nothing was read ahead"))
        },
    },
    Definition {
        id: "own_cost",
        head: "Own cost",
        measure: Measure::Nanos,
        better: Better::Neither,
        get: |it| or_absent(mean(it.tasks.iter().map(|task| task.touched.own_ns)), NO_TASK),
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
        head: "Some waited",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| stall(it, |stalls| stalls.some),
    },
    Definition {
        id: "stall_full",
        head: "All waited",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| stall(it, |stalls| stalls.full),
    },
    Definition {
        id: "swapoff",
        head: "Switching off",
        measure: Measure::Seconds,
        better: Better::Lower,
        get: |it| or_absent(it.swapoff, NOT_OFF),
    },
    Definition {
        id: "swapoff_expected",
        head: "Switching off, expected",
        measure: Measure::Seconds,
        better: Better::Neither,
        get: |it| or_absent(it.swapoff_expected, NOT_EXPECTED),
    },
    Definition {
        id: "swapoff_rate",
        head: "Switching-off rate",
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
        head: "Blocked by zswap",
        measure: Measure::Megabytes,
        better: Better::Neither,
        get: |it| zswap(it, |held| held.blocked.0),
    },
    Definition {
        id: "peak_memory",
        head: "Memory at most",
        measure: Measure::Megabytes,
        better: Better::Neither,
        get: |it| {
            let peak = it.peak.map(|peak| megabytes(peak.0));
            or_absent(peak, "the load was not measured by a control group")
        },
    },
];

const NOT_BEGUN: &str = "no process was started";
const NOT_WAITED: &str = "no process was started, or one of them did not end";
const NO_TASK: &str = "no process told what it did";
const NOT_OFF: &str = "no area was switched off at the end";
const NOT_EXPECTED: &str =
    "no area was switched off at the end, or a device could not be read to foretell it";
const NOT_FREED: &str = "processes gave their memory back by ending, or not at all";

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Something of what zswap held, in MB.
fn zswap(measured: &RepetitionResult, what: fn(ZswapRun) -> u64) -> Reading<f64> {
    let held = measured.zswap.map(|held| megabytes(what(held)));
    or_absent(held, "what zswap held was not told by the kernel, or not kept")
}

/// What a process touched in a second.
pub(super) fn rate(task: &TaskRun) -> Option<f64> {
    let seconds = task.touched.touch_ns as f64 / 1e9;
    (seconds > 0.0).then(|| megabytes(task.touched.bytes.0) / seconds)
}

/// The same of each.
fn rates(measured: &RepetitionResult) -> Reading<Vec<f64>> {
    if measured.tasks.is_empty() {
        return Reading::absent(NO_TASK);
    }
    let rates: Option<Vec<f64>> = measured.tasks.iter().map(rate).collect();
    or_absent(rates, "a process touched its memory in no time")
}

/// How long processes took to give their memory back.
fn frees(measured: &RepetitionResult) -> impl Iterator<Item = f64> + '_ {
    measured.tasks.iter().filter_map(|task| task.free_ns).map(|nanos| nanos as f64 / 1e3)
}

/// How many pages were read from swap in a second.
fn in_rate(measured: &RepetitionResult) -> Reading<f64> {
    let pages = counter(measured, "pswpin");
    let seconds = or_absent(measured.elapsed, NOT_BEGUN);
    pages.map2(seconds, |pages, seconds| (pages, seconds)).and_then(|(pages, seconds)| {
        or_absent((seconds > 0.0).then(|| pages / seconds), "the run took no time")
    })
}

/// What came back in a second while areas were switched off.
fn off_rate(measured: &RepetitionResult) -> Reading<f64> {
    let Some(seconds) = measured.swapoff else { return Reading::absent(NOT_OFF) };
    let Some(held) = measured.switched_off else {
        return Reading::absent("what the areas held before was not seen");
    };
    or_absent((seconds > 0.0).then(|| megabytes(held.0) / seconds), "areas were off in no time")
}

fn sum(measured: &RepetitionResult, of: fn(&TaskRun) -> Option<u64>) -> Reading<f64> {
    if measured.tasks.is_empty() {
        return Reading::absent(NO_TASK);
    }
    let add = |sum: u64, task| of(task).map(|more| sum.saturating_add(more));
    let all = measured.tasks.iter().try_fold(0, add);
    or_absent(all.map(|all| all as f64), "only some of them were kept")
}

fn counter(measured: &RepetitionResult, name: &str) -> Reading<f64> {
    match measured.counters.get(name) {
        Some(count) => Reading::Known(*count as f64),
        None => Reading::absent(format!("this kernel does not count {name}")),
    }
}

fn stall(measured: &RepetitionResult, which: fn(&Stalls) -> f64) -> Reading<f64> {
    or_absent(measured.stall.as_ref().map(which), "this kernel does not tell of waits (PSI)")
}

/// What all devices held by something smaller.
fn zram(measured: &RepetitionResult, by: fn(&ZramRun) -> u64) -> Reading<f64> {
    if measured.zram.is_empty() {
        return Reading::absent("no area was on zram");
    }
    let all =
        |of: fn(&ZramRun) -> u64| measured.zram.iter().map(of).fold(0, u64::saturating_add) as f64;
    share_percent(all(|device| device.stored.0), all(by), "nothing was on zram")
}

fn share_percent(of: f64, all: f64, why: &'static str) -> Reading<f64> {
    or_absent((all > 0.0).then(|| of / all), why)
}

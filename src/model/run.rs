//! What a run of a load has shown.

use super::load::Workload;
use super::{Bytes, Name};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use super::histogram::Histogram;

/// The form of the documents that results are kept in.
pub const SCHEMA: u32 = 1;

/// A run that is kept: a load, the machine it ran on, and what each repetition has shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The form of this document.
    pub schema: u32,
    /// Which version of the program wrote it.
    pub version: String,
    /// Its number among those that are kept; 0 while it is not.
    pub id: u64,
    /// When it began, in milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// What it is called: that of the load, or of the experiment and the case.
    pub title: String,
    /// The load.
    pub workload: Workload,
    /// The memory limit, in bytes; none where the whole machine was put under pressure.
    pub limit: Option<Bytes>,
    /// How often it was to be repeated; none where that was not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetitions: Option<u32>,
    /// The seed.
    pub seed: u64,
    /// The machine.
    pub machine: RunMachine,
    /// Knobs and what they said, by their names.
    pub settings: BTreeMap<String, String>,
    /// What was measured, repetition by repetition.
    pub measured: Vec<RepetitionResult>,
}

/// A run that was stopped before so many seconds has not been looked at as a whole.
const MIN_OBSERVED_SECS: f64 = 0.25;

impl Run {
    /// Has it nothing to tell? So it is where no process was started, and where a run was stopped
    /// before one told anything and before there was time to look at more than its areas.
    pub fn is_empty(&self) -> bool {
        let is_empty = |measured: &RepetitionResult| {
            let is_stopped = matches!(measured.end, RepetitionEnd::Stopped { .. });
            let mut between = measured.used.at.iter().rev().skip(1);
            let is_seen = !measured.tasks.is_empty() || between.any(|at| *at >= MIN_OBSERVED_SECS);
            measured.elapsed.is_none() || (is_stopped && !is_seen)
        };
        self.measured.iter().all(is_empty)
    }
}

/// The machine as it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunMachine {
    /// The release of the kernel.
    pub kernel: Option<String>,
    /// How it chooses the next device, in a word; none where that is not known.
    pub policy: Option<String>,
    /// Memory in all.
    pub memory: Option<Bytes>,
    /// Processors.
    pub cpus: Option<u64>,
    /// The size of a page.
    pub page_size: Option<u64>,
    /// The areas, in the kernel's order.
    pub areas: Vec<RunArea>,
}

/// An area, as it was during the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunArea {
    /// Where.
    pub path: Name,
    /// What carries it, in a word; none where that cannot be read.
    pub kind: Option<String>,
    /// How large.
    pub size: Bytes,
    /// As the kernel showed it.
    pub priority: i32,
    /// How zram compresses; none elsewhere.
    pub algorithm: Option<String>,
    /// Was it made for the run?
    pub ours: bool,
}

/// One repetition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepetitionResult {
    /// From the first process on until the last one was gone, in seconds; none where there never
    /// was one.
    pub elapsed: Option<f64>,
    /// Processor time of all processes of the load, in seconds; none where that is not known of all.
    pub user: Option<f64>,
    /// The same in the kernel.
    pub system: Option<f64>,
    /// Process by process.
    pub tasks: Vec<TaskRun>,
    /// How counters of the kernel moved: those of vmstat by their names.
    pub counters: BTreeMap<String, u64>,
    /// How the statistics of large folios moved: by size, smallest first.
    pub folios: Vec<FolioRun>,
    /// What was used over time.
    pub used: UsedOverTime,
    /// zram devices at their fullest.
    pub zram: Vec<ZramRun>,
    /// zswap at its fullest; none where the kernel did not tell, or that was not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zswap: Option<ZswapRun>,
    /// Waiting for memory, in all of the machine, in seconds.
    pub stall: Option<Stalls>,
    /// How long it took to switch the run's areas off with the memory still held, in seconds.
    pub swapoff: Option<f64>,
    /// How long that was expected to take when it began; none where that was not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swapoff_expected: Option<f64>,
    /// What those areas held when that began.
    pub switched_off: Option<Bytes>,
    /// Memory of the cage at most.
    pub peak: Option<Bytes>,
    /// How it ended.
    pub end: RepetitionEnd,
}

impl RepetitionResult {
    /// A repetition of which nothing came.
    pub fn failed(why: String) -> Self {
        Self {
            elapsed: None,
            user: None,
            system: None,
            tasks: Vec::new(),
            counters: BTreeMap::new(),
            folios: Vec::new(),
            used: UsedOverTime::default(),
            zram: Vec::new(),
            stall: None,
            zswap: None,
            swapoff: None,
            swapoff_expected: None,
            switched_off: None,
            peak: None,
            end: RepetitionEnd::Failed { why },
        }
    }
}

/// How a repetition ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "end")]
pub enum RepetitionEnd {
    /// All processes did what they should.
    Done,
    /// The guard ended it.
    Stopped {
        /// Which of its rails, and what it saw.
        why: String,
    },
    /// A process could not go on, or was killed.
    Failed {
        /// What happened.
        why: String,
    },
}

/// What a process has touched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TouchStats {
    /// Bytes, as the load counts them: whole pages, or words.
    pub bytes: Bytes,
    /// Pages touched, each as often as it was.
    pub touches: u64,
    /// From the start on until the last touch, in nanoseconds.
    pub touch_ns: u64,
    /// From the begin of the whole run until then.
    pub since_begin_ns: u64,
    /// How long filling took before the start, in nanoseconds; none where nothing was filled.
    pub fill_ns: Option<u64>,
    /// A sum over the places that were touched, in their order.
    pub places: u64,
    /// A sum over the contents of all pages as they were painted.
    pub painted: u64,
    /// How long touches took.
    pub latency: Latency,
    /// What a touch costs when the page is there: the loop itself and its clock, in nanoseconds.
    pub own_ns: f64,
}

/// How long touches took, by what they met.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// All of them.
    pub all: Histogram,
    /// A sample of those that met no fault.
    pub none: Histogram,
    /// A sample of those with a fault that read nothing.
    pub minor: Histogram,
    /// A sample of those with a fault that read from swap.
    pub major: Histogram,
    /// One in so many is in the samples: to ask what it met costs more than a touch.
    pub sampled: u32,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRun {
    /// Which of the groups of the load it belongs to, from 0 on.
    pub work: u32,
    /// What it touched.
    pub touched: TouchStats,
    /// How long it took to give its memory back, in nanoseconds.
    pub free_ns: Option<u64>,
    /// Its processor time, in seconds.
    pub user: f64,
    /// The same in the kernel.
    pub system: f64,
    /// Faults that needed no reading, of the process and those that it made, from begin to end; none
    /// where that was not kept.
    pub minor: Option<u64>,
    /// The same of faults that read.
    pub major: Option<u64>,
}

/// Large folios of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolioRun {
    /// The size.
    pub size: Bytes,
    /// How its statistics moved, by the names of their files.
    pub stats: BTreeMap<String, u64>,
}

impl FolioRun {
    /// How many that were to be swapped out stayed whole, and how many were split; none where the
    /// kernel does not count that. zswap takes a folio apart only after it got its slots: it is
    /// whole until then.
    pub fn whole_and_split(&self) -> Option<(u64, u64)> {
        let stat = |name: &str| self.stats.get(name).copied();
        let whole = stat("swpout")?.saturating_add(stat("zswpout").unwrap_or(0));
        Some((whole, stat("swpout_fallback")?))
    }
}

/// What was used of each area, over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UsedOverTime {
    /// When, in seconds since the begin.
    pub at: Vec<f64>,
    /// Area by area, moment by moment; none while it was not on.
    pub areas: Vec<AreaOverTime>,
    /// The memory of the cage.
    pub memory: Vec<Option<Bytes>>,
    /// Large folios, of the sizes that were to be swapped out; none where that was not kept.
    #[serde(default)]
    pub folios: Vec<FoliosOverTime>,
}

/// What became of folios of one size that were to be swapped out, since the begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoliosOverTime {
    /// The size.
    pub size: Bytes,
    /// How many stayed whole until each moment.
    pub whole: Vec<Option<u64>>,
    /// How many had been split.
    pub split: Vec<Option<u64>>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaOverTime {
    /// Where.
    pub path: Name,
    /// Bytes used at each moment.
    pub used: Vec<Option<Bytes>>,
}

/// A zram device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZramRun {
    /// Where.
    pub path: Name,
    /// What was stored, before it was compressed.
    pub stored: Bytes,
    /// Afterwards.
    pub compressed: Bytes,
    /// The memory that took.
    pub memory: Bytes,
}

/// The pool of zswap, in front of all areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZswapRun {
    /// The memory that it took.
    pub pool: Bytes,
    /// What was in it, before it was compressed: so much of the areas is blocked, and empty.
    pub blocked: Bytes,
}

/// Time spent waiting, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stalls {
    /// Some task waited for memory.
    pub some: f64,
    /// All did.
    pub full: f64,
}

use super::*;
use crate::clock::Clock;
use crate::model::swaparea::testing::area;
use crate::model::zram::{self, MmStat};
use crate::model::{Pages, Sampled, Stamp};
use crate::root::Trace;
use crate::root::testing::TestTree;
use std::sync::Arc;

fn at(seconds: u64) -> Stamp {
    Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: 0 }
}

/// A sample with these active areas and their usage.
fn moment(seconds: u64, areas: &[(&str, u64)]) -> Snapshot {
    let areas = areas.iter().map(|(path, used)| area(path, 1, 100, *used)).collect();
    let swaps = Sampled::new(Some(at(seconds)), Reading::Known(areas));
    Snapshot { swaps, ..Snapshot::empty(at(seconds)) }
}

fn used(meter: &RunMeter, place: usize) -> Vec<Option<u64>> {
    meter.used.areas[place].used.iter().map(|used| used.map(|used| used.0)).collect()
}

#[test]
fn areas_that_come_and_go_leave_gaps() {
    let mut meter = RunMeter::begin(moment(10, &[("a", 1)]));
    meter.observe(&moment(11, &[("a", 2), ("b", 7)]), Some(Bytes(5)));
    meter.observe(&moment(13, &[("b", 8)]), None);
    assert_eq!(meter.used.at, [0.0, 1.0, 3.0]);
    assert_eq!(used(&meter, 0), [Some(1), Some(2), None]);
    assert_eq!(used(&meter, 1), [None, Some(7), Some(8)]);
    assert_eq!(meter.used.memory, [None, Some(Bytes(5)), None]);
}

#[test]
fn long_runs_keep_evenly_spaced_samples() {
    let mut meter = RunMeter::begin(moment(0, &[("a", 0)]));
    for second in 1..=5000 {
        meter.observe(&moment(second, &[("a", second)]), None);
    }
    let steps: Vec<f64> = meter.used.at.windows(2).map(|two| two[1] - two[0]).collect();
    assert!(meter.used.at.len() <= MAX_SAMPLES && meter.used.at.len() > MAX_SAMPLES / 2 - 2);
    assert!(steps.iter().all(|step| (step - steps[0]).abs() < 1e-9), "{steps:?}");
    assert_eq!(used(&meter, 0).len(), meter.used.at.len());
    let (mut skipping, mut taken) = (RunMeter::begin(moment(0, &[("a", 0)])), 0);
    for second in 1..=5000 {
        if !skipping.skip() {
            skipping.observe(&moment(second, &[("a", second)]), None);
            taken += 1;
        }
    }
    assert_eq!(skipping.used, meter.used);
    assert!(taken < 2800, "{taken}");
}

/// Sampling is cheap: neither PSI nor zram statistics are read.
#[test]
fn sampling_areas_alone_reads_few_files() {
    let head = "Filename\tType\tSize\tUsed\tPriority\n".to_owned();
    let files = [
        "proc/swaps",
        "proc/meminfo",
        "proc/vmstat",
        "proc/pressure/memory",
        "sys/block/zram0/mm_stat",
    ];
    let tree = TestTree::with(&files.map(|path| (path, head.clone())));
    let trace = Arc::new(Trace::default());
    let root = tree.root().traced(Arc::clone(&trace));
    let _ = crate::probes::sample(&root, &Clock::Real, part_set![Swaps]);
    let read: Vec<String> =
        trace.take().into_keys().map(|path| path.display().to_string()).collect();
    assert_eq!(read, ["proc/meminfo", "proc/swaps", "proc/vmstat"]);
}

#[test]
fn decreasing_counters_and_gauges_are_left_out() {
    let vmstat = |values: [u64; 3]| {
        let names = ["pswpout", "nr_zspages", "pgmajfault"].map(Box::from);
        let counters = Counters::new("vmstat", names.into_iter().zip(values).collect());
        let vmstat = Sampled::new(Some(at(0)), Reading::Known(counters));
        Snapshot { vmstat, ..Snapshot::empty(at(0)) }
    };
    let moved = counter_deltas((&vmstat([5, 1, 9]), &vmstat([12, 4, 3])));
    assert_eq!(moved, [("pswpout".to_owned(), 7)].into());
}

#[test]
fn zswap_is_recorded_at_its_peak() {
    let moment = |pool: u64, blocked: u64| {
        let tree = TestTree::with(&[(
            "proc/meminfo",
            format!("Zswap: {pool} kB\nZswapped: {blocked} kB\n"),
        )]);
        crate::probes::sample(&tree.root(), &Clock::Real, part_set![Meminfo])
    };
    let fullest = |moments: &[(u64, u64)]| {
        let mut meter = RunMeter::begin(moment(0, 0));
        for (pool, blocked) in moments {
            meter.observe(&moment(*pool, *blocked), None);
        }
        meter.end(&moment(1, 2)).zswap
    };
    let kib = |pool: u64, blocked: u64| ZswapRun {
        pool: Bytes(pool << 10),
        blocked: Bytes(blocked << 10),
    };
    assert_eq!(fullest(&[(4, 9), (20, 60), (25, 50)]), Some(kib(20, 60)));
    assert_eq!(fullest(&[]), Some(kib(1, 2)), "from the last sample");
    let nothing = moment(0, 0);
    assert_eq!(RunMeter::begin(nothing.clone()).end(&nothing).zswap, Some(kib(0, 0)));
    let untold = self::moment(0, &[]);
    assert_eq!(RunMeter::begin(untold.clone()).end(&untold).zswap, None);
}

#[test]
fn zram_is_recorded_at_its_peak() {
    let device = |stored: u64, compressed| {
        let mm = MmStat {
            // Same-filled pages take no memory.
            orig_data: Bytes(stored + 3 * 4096),
            compr_data: Bytes(compressed),
            mem_used: Bytes(compressed + 1),
            mem_limit: Bytes(0),
            mem_used_max: Bytes(0),
            same_pages: Pages(3),
            pages_compacted: Pages(0),
            huge_pages: Reading::not_sampled(),
            huge_pages_since: Reading::not_sampled(),
        };
        let bd = Reading::absent("no writeback");
        let devices = vec![ZramDevice { bd, ..zram::testing::device("zram3", mm) }];
        let zram = Sampled::new(Some(at(0)), Reading::Known(devices));
        Snapshot { zram, page_size: Reading::Known(4096), ..Snapshot::empty(at(0)) }
    };
    let mut meter = RunMeter::begin(device(0, 0));
    meter.observe(&device(90, 30), None);
    let figures = meter.end(&device(20, 19));
    let path = "/dev/zram3".into();
    let fullest = ZramRun { path, stored: Bytes(90), compressed: Bytes(30), memory: Bytes(31) };
    assert_eq!(figures.zram, [fullest]);
}

fn tried(size: u64, whole: u64, split: u64) -> FolioRun {
    let stats = [("swpout", whole), ("swpout_fallback", split), ("swpin", 9)];
    let stats = stats.map(|(name, count)| (name.to_owned(), count)).into();
    FolioRun { size: Bytes(size), stats }
}

#[test]
fn folio_statistics_are_read_only_where_possible() {
    let choice = |word: &str| Reading::Known(BracketedChoice::parse(&format!("[{word}]")).unwrap());
    let may = |all: &str, own: &str, asks| {
        let size = MthpSize {
            size: Bytes(65536),
            enabled: choice(own),
            shmem_enabled: choice("never"),
            stats: Reading::not_sampled(),
        };
        let thp = Thp {
            enabled: choice(all),
            defrag: Reading::not_sampled(),
            shmem_enabled: choice("always"),
            pmd_size: Reading::not_sampled(),
            sizes: Reading::Known(vec![size]),
        };
        can_use_large_folios(&Reading::Known(thp), asks)
    };
    assert!(!may("always", "never", true));
    assert!(may("never", "always", false) && may("always", "inherit", false));
    assert_eq!([false, true].map(|asks| may("never", "madvise", asks)), [false, true]);
    assert_eq!([false, true].map(|asks| may("madvise", "inherit", asks)), [false, true]);
    assert!(!can_use_large_folios(&Reading::not_sampled(), true), "the statistics are missing");
}

#[test]
fn unreadable_folio_samples_leave_gaps() {
    let mut kept = Vec::new();
    record_folios(&mut kept, 0, &[tried(1, 0, 0)]);
    record_folios(&mut kept, 1, &[tried(1, 5, 2), tried(2, 0, 0)]);
    record_folios(&mut kept, 2, &[tried(2, 0, 0)]);
    assert_eq!(kept[0].whole, [Some(0), Some(5), None]);
    assert_eq!(kept[0].split, [Some(0), Some(2), None]);
    assert_eq!(kept[1].split, [None, Some(0), Some(0)]);
    assert!(was_attempted(&kept[0]) && !was_attempted(&kept[1]));
    thin_out_folios(&mut kept);
    assert_eq!(kept[0].split, [Some(0), None]);
}

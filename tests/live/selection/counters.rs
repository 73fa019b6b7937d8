//! Counters of the kernel beside those of the model: readahead with its hits, and large folios that were split.
//!
//! How much memory a load has is not the model's: it gets as much as the load had pages in memory when most
//! was in swap.

use super::builtin;
use super::{AreaMedium, MIB, TOP, TestArea, look};
use crate::areas::{self, Area};
use crate::lab::{Lab, when_time_allows};
use crate::program;
use crate::settings::SavedSettings;
use serde_json::Value;
use std::fs;

/// Memory of the model for what zram stores.
const ZRAM_KIB: u64 = 1 << 20;
/// Largest difference of a readahead counter, as a share of all pages that were read.
const NEAR_COUNTER: f64 = 0.05;
/// Largest difference of the share of split folios, and of their pages among all that were swapped out.
const NEAR_SHARE: f64 = 0.05;

/// An area, and a load of one process on one CPU.
pub(super) struct CountedCase {
    pub(super) area: TestArea,
    pub(super) mib: u64,
    pub(super) with: &'static [&'static str],
}

/// The measurements of a run on the kernel, and of one of the model.
pub(super) struct BothRuns {
    pub(super) measured: Value,
    pub(super) predicted: Value,
}

#[test]
fn readahead_and_its_hits_are_counted_as_predicted() {
    when_time_allows("readahead_and_its_hits_are_counted_as_predicted", |lab| {
        let mut farthest: f64 = 0.0;
        // In steps, hits can keep the kernel's own window open or not: of several runs the median counts.
        for (pattern, page_cluster, repetitions) in [
            ("sequential", "3", 1),
            ("sequential", "5", 1),
            ("random", "3", 1),
            ("strided", "3", 5),
        ] {
            let pattern = format!("pattern={pattern}");
            let case = CountedCase {
                area: AreaMedium::Solid.spec(160, TOP),
                mib: 96,
                with: &["advice=small", "writes=0%", "prefault=true", "passes=3", "touch=word"],
            };
            let _before = SavedSettings::new(&[PAGE_CLUSTER]);
            fs::write(PAGE_CLUSTER, page_cluster).map_err(|error| error.to_string())?;
            let mut differences = Vec::new();
            for _ in 0..repetitions {
                println!("{pattern}, page-cluster {page_cluster}:");
                differences.push(readahead_difference(&case.run(lab, &[&pattern])?));
            }
            differences.sort_by(f64::total_cmp);
            farthest = farthest.max(differences[repetitions / 2]);
        }
        assert!(farthest <= NEAR_COUNTER, "{:.1} points apart", farthest * 100.0);
        Ok(())
    });
}

#[test]
fn folios_are_split_as_predicted() {
    when_time_allows("folios_are_split_as_predicted", |lab| {
        let mut farthest: f64 = 0.0;
        for (mib, with) in [
            (64, ["pattern=random", "mthp=64K=always,others=never"]),
            (96, ["pattern=random", "mthp=64K=always,others=never"]),
            (96, ["pattern=churn", "mthp=64K=always,others=never"]),
            (96, ["pattern=churn", "mthp=64K=always,128K=always,256K=always,others=never"]),
        ] {
            let case = CountedCase {
                area: AreaMedium::Zram.spec(72, TOP),
                mib,
                with: &["prefault=true", "passes=4", "touch=word"],
            };
            let runs = case.run(lab, &with)?;
            for size in [16, 32, 64] {
                let [measured, predicted] =
                    [&runs.measured, &runs.predicted].map(|run| folios(run, size * 4096));
                let Some((measured, predicted)) = measured.zip(predicted) else { continue };
                println!("{mib} MiB {with:?}, {}K: {measured}; predicted {predicted}", size * 4);
                for [measured, predicted] in
                    [[measured.split, predicted.split], [measured.pages, predicted.pages]]
                {
                    farthest = farthest.max((measured - predicted).abs());
                }
            }
        }
        assert!(farthest <= NEAR_SHARE, "{:.1} points apart", farthest * 100.0);
        Ok(())
    });
}

impl CountedCase {
    pub(super) fn run(&self, lab: &Lab, more: &[&str]) -> Result<BothRuns, String> {
        let _area: Area = self.area.area(lab, 0)?;
        let before = look();
        let size = format!("size={}M", self.mib);
        let with: Vec<&str> =
            ["processes=1", "cpus=0", &size].iter().chain(self.with).chain(more).copied().collect();
        let measured = builtin::run(lab, "usemem", &with)?;
        let peak: u64 = builtin::most(&before, &measured).iter().sum();
        let memory = (self.mib * MIB / areas::page_size()).saturating_sub(peak).max(256);
        let memory = memory * areas::page_size();
        // The limit of the model has room for the pool of zswap too.
        let pool = measured["zswap"]["pool"].as_u64().unwrap_or(0);
        let limit = (memory + pool) / 1024;
        let machine = like_this(lab, limit, None);
        let file = std::env::temp_dir().join("swapadm-live-counters.toml");
        fs::write(&file, machine).map_err(|error| error.to_string())?;
        let mut command =
            program::journalled(lab, &["stress", "run", "usemem", "--no-keep", "--yes", "--json"]);
        command.args(with.iter().flat_map(|with| ["--with", with]));
        command.args(["--limit", &format!("{limit}K"), "--on"]).arg(&file);
        let predicted = builtin::measured(&mut command);
        let _ = fs::remove_file(&file);
        Ok(BothRuns { measured, predicted: predicted? })
    }
}

/// The largest difference of the counters of readahead, as shares of all pages that were read.
fn readahead_difference(runs: &BothRuns) -> f64 {
    let differences = ["swap_ra", "swap_ra_hit"].map(|name| {
        let [measured, predicted] = [&runs.measured, &runs.predicted].map(|run| {
            let count = |name: &str| run["counters"][name].as_u64().unwrap_or(0) as f64;
            (count(name), count("pswpin").max(1.0))
        });
        let difference = (measured.0 / measured.1 - predicted.0 / predicted.1).abs();
        println!(
            "{name} {} of {}, predicted {} of {}: {:.1} points",
            measured.0,
            measured.1,
            predicted.0,
            predicted.1,
            difference * 100.0
        );
        difference
    });
    differences.into_iter().fold(0.0, f64::max)
}

/// A model of this machine with one CPU, this memory limit, and folios of this size alone if one is given.
pub(super) fn like_this(lab: &Lab, limit_kib: u64, folios: Option<&str>) -> String {
    let memory_kib = limit_kib + ZRAM_KIB;
    let file = program::output(&mut program::journalled(lab, &["machine", "like-this"]));
    let others: &[&str] = match folios {
        Some(_) => &["memory ", "cpus ", "nodes ", "rounds-per-second ", "load ", "folios "],
        None => &["memory ", "cpus ", "nodes ", "rounds-per-second ", "load "],
    };
    let kept = file.lines().filter(|line| !others.iter().any(|other| line.starts_with(other)));
    let kept = kept.map(|line| match line.split_once(" = ") {
        Some(("max-pool", percent)) => format!("max-pool = \"{}%\"", max_pool(percent, memory_kib)),
        _ => line.to_owned(),
    });
    let kept: Vec<String> = kept.collect();
    let folios = folios.map_or_else(String::new, |size| format!("folios = [\"{size}\"]\n"));
    let kept = kept.join("\n");
    format!(
        "memory = \"{memory_kib}K\"\nlimit = \"{limit_kib}K\"\ncpus = 1\nrounds-per-second = 200\n{folios}{kept}\n"
    )
}

/// The largest pool of zswap on this machine, as a percentage of this much memory.
fn max_pool(percent_of_all: &str, memory_kib: u64) -> f64 {
    let meminfo = fs::read_to_string("/proc/meminfo").expect("it is readable");
    let total = meminfo.split_whitespace().nth(1).and_then(|kib| kib.parse::<f64>().ok());
    let percent = percent_of_all.trim_matches(['"', '%']).parse::<f64>().expect("a share");
    (total.expect("MemTotal is first") * percent / memory_kib as f64).clamp(1.0, 100.0)
}

/// Large folios of one size that left memory.
#[derive(Clone, Copy, Debug)]
struct FolioShares {
    count: f64,
    /// Part that was split.
    split: f64,
    /// Part of all pages that were swapped out in such folios.
    pages: f64,
}

impl std::fmt::Display for FolioShares {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [split, pages] = [self.split, self.pages].map(|share| share * 100.0);
        write!(to, "{} folios, {split:.1} % split, {pages:.1} % of all pages", self.count)
    }
}

/// The folios of a size; none if there were few.
fn folios(run: &Value, size: u64) -> Option<FolioShares> {
    let folio = run["folios"].as_array()?.iter().find(|it| it["size"] == size)?;
    let count = |name: &str| folio["stats"][name].as_u64().unwrap_or(0) as f64;
    let (out, split) = (count("swpout"), count("swpout_fallback"));
    let all = run["counters"]["pswpout"].as_u64().unwrap_or(0).max(1) as f64;
    let shares = FolioShares {
        count: out + split,
        split: split / (out + split),
        pages: out * (size / 4096) as f64 / all,
    };
    (out + split >= 100.0).then_some(shares)
}

const PAGE_CLUSTER: &str = "/proc/sys/vm/page-cluster";

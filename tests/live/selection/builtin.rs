//! Distribution of built-in loads: several processes, and large folios where the machine has them.

use super::{AreaMedium, TOP, TestArea, all, compare, look, shares_of};
use crate::areas::{self, Area};
use crate::lab::{Lab, when_time_allows};
use crate::program::{describe_failure, journalled};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::{fs, iter};
use swapadm::derive::selection::{self, NodeOrder};
use swapadm::model::Snapshot;
use swapadm::model::kernel::RotationUnit;
use swapadm::model::swaparea::SwapArea;

/// Memory limit of a load, all processes together.
const LIMIT: &str = "48M";

/// A built-in load.
struct Load {
    name: &'static str,
    /// Changed settings.
    with: &'static [&'static str],
    /// Whether pages are read or freed meanwhile. The use of an area is then random by up to five percent
    /// of the total: the pages written to it are compared.
    renews: bool,
}

/// Memory is written once, from the first page to the last.
const ONCE: Load = Load { name: "usemem", with: &["processes=2", "size=200M"], renews: false };
const LEAK: Load = Load { name: "leak", with: &["size=232M", "pace=400M"], renews: false };
const RANDOM: Load =
    Load { name: "random-write", with: &["processes=2", "size=120M", "seconds=3"], renews: true };
/// A child copies half of the pages of its parent, most of which were swapped out.
const FORK: Load = Load { name: "fork-cow", with: &["processes=1", "size=260M"], renews: true };
/// Blocks of all sizes are allocated and freed, in folios of 64 KiB.
const LARGE: Load =
    Load { name: "mthp-churn", with: &["processes=2", "size=120M", "seconds=3"], renews: true };
/// Single pages only: mixed with huge folios, the rotation on a rotating area is random.
const SMALL: Load =
    Load { name: "leak", with: &["size=232M", "pace=400M", "advice=small"], renews: false };
/// Huge folios, where available.
const HUGE: Load =
    Load { name: "leak", with: &["size=232M", "pace=400M", "advice=large"], renews: false };
const OF_64K: Load = Load {
    name: "leak",
    with: &["size=232M", "pace=400M", "mthp=64K=always,others=never"],
    renews: false,
};

#[test]
fn loads_share_areas_of_one_priority_as_predicted() {
    when_time_allows("loads_share_areas_of_one_priority_as_predicted", |lab| {
        let zram = |mib| AreaMedium::Zram.spec(mib, TOP);
        // Without folios of 64 KiB, the load cannot use them.
        let large = has_64k().then_some(LARGE);
        for load in [ONCE, RANDOM].into_iter().chain(large) {
            matches_prediction(lab, &load, &[zram(320), zram(320)])?;
        }
        matches_prediction(lab, &ONCE, &[zram(160), zram(160), zram(160), zram(160)])?;
        matches_prediction(lab, &ONCE, &[zram(40), zram(400)])?;
        matches_prediction(lab, &LEAK, &[zram(24), zram(64), zram(320)])?;
        Ok(())
    });
}

#[test]
fn loads_fill_groups_as_predicted() {
    when_time_allows("loads_fill_groups_as_predicted", |lab| {
        let zram = |mib, below| AreaMedium::Zram.spec(mib, TOP - below);
        matches_prediction(lab, &ONCE, &[zram(64, 0), zram(320, 9)])?;
        let pairs = [zram(40, 0), zram(40, 0), zram(320, 1), zram(320, 1)];
        matches_prediction(lab, &LEAK, &pairs)?;
        Ok(())
    });
}

#[test]
fn loads_share_areas_of_all_kinds_as_predicted() {
    when_time_allows("loads_share_areas_of_all_kinds_as_predicted", |lab| {
        let zram = |mib| AreaMedium::Zram.spec(mib, TOP);
        matches_prediction(lab, &FORK, &[zram(256), AreaMedium::Solid.spec(220, TOP)])?;
        matches_prediction(lab, &SMALL, &[zram(256), AreaMedium::Rotating.spec(60, TOP)])?;
        matches_prediction(lab, &LEAK, &[AreaMedium::File.spec(60, TOP), zram(256)])?;
        matches_prediction(lab, &LEAK, &[AreaMedium::Rotating.spec(160, TOP - 1), zram(64)])?;
        Ok(())
    });
}

#[test]
fn loads_share_areas_in_large_folios_as_predicted() {
    when_time_allows("loads_share_areas_in_large_folios_as_predicted", |lab| {
        let zram = |mib| AreaMedium::Zram.spec(mib, TOP);
        let of_64k = has_64k().then_some(OF_64K);
        let policy = selection::policy::allocator(&look());
        let by_cluster =
            policy.known().is_some_and(|policy| policy.rotation_unit == RotationUnit::Cluster);
        for load in iter::once(HUGE).chain(of_64k) {
            large(lab, &load, &[zram(160), zram(320)])?;
            // Other kernels put no large folios on such an area.
            if by_cluster {
                large(lab, &load, &[zram(256), AreaMedium::Rotating.spec(160, TOP)])?;
            }
        }
        Ok(())
    });
}

fn has_64k() -> bool {
    Path::new("/sys/kernel/mm/transparent_hugepage/hugepages-64kB").exists()
}

/// A load whose result counts only if most pages are swapped out in large folios.
fn large(lab: &Lab, load: &Load, wishes: &[TestArea]) -> Result<(), String> {
    let percent = matches_prediction(lab, load, wishes)?;
    if percent < 25.0 {
        return Err(format!("only {percent:.0} % was swapped out in large folios"));
    }
    Ok(())
}

/// Runs a load on areas, and compares the distribution with the prediction; returns the percentage of pages
/// in large folios.
fn matches_prediction(lab: &Lab, load: &Load, wishes: &[TestArea]) -> Result<f64, String> {
    let areas = wishes.iter().enumerate().map(|(number, wish)| wish.area(lab, number));
    let _areas: Vec<Area> = areas.collect::<Result<_, _>>()?;
    let before = look();
    let written_before = written(&before);
    let measured = run(lab, load.name, load.with).unwrap_or_else(|failure| panic!("{failure}"));
    let whole = whole(&before, &measured);
    let selection = selection::for_whole_folios(&before, &whole);
    let line = selection.known().expect("the value is known").lines[0].clone();
    let (wanted, found) = if load.renews {
        let pairs = written(&before).into_iter().zip(written_before);
        (shares_now(&line), pairs.map(|(after, before)| after - before).collect())
    } else {
        let most = most(&before, &measured);
        (shares_of(&line, &most), most)
    };
    let kinds: Vec<String> = wishes.iter().map(ToString::to_string).collect();
    let large = whole.iter().fold(0.0, |sum, (_, part)| sum + part * 100.0);
    let what = format!("{} on {}, {large:.0} % of it large", load.name, kinds.join(", "));
    compare(&what, &wanted, &found);
    Ok(large)
}

/// Pages per folio size swapped out whole, and their part of all swapped pages. Older kernels count huge
/// folios only.
fn whole(before: &Snapshot, measured: &Value) -> Vec<(u64, f64)> {
    let counted = |counters: &Value, names: &[&str]| -> u64 {
        names.iter().filter_map(|name| counters[*name].as_u64()).sum()
    };
    let counters = &measured["counters"];
    let pages_of = |size: u64| size / areas::page_size();
    let by_size = measured["folios"].as_array().expect("sizes of folios").iter();
    let mut folios: Vec<(u64, u64)> = by_size
        .map(|folio| {
            let size = folio["size"].as_u64().expect("a size");
            (pages_of(size), counted(&folio["stats"], &["swpout", "zswpout"]))
        })
        .collect();
    if folios.is_empty() {
        let huge = before.thp.reading.known().and_then(|thp| thp.pmd_size.known());
        folios.extend(huge.map(|size| (pages_of(size.0), counted(counters, &["thp_swpout"]))));
    }
    let large: u64 = folios.iter().map(|(pages, count)| pages * count).sum();
    let all = counted(counters, &["pswpout", "swpout_zero", "zswpout"]).max(large);
    let went = folios.into_iter().filter(|(_, count)| *count > 0);
    went.map(|(pages, count)| (pages, (pages * count) as f64 / all as f64)).collect()
}

/// The measurements of a load that runs within the limit, with these settings changed.
pub(super) fn run(lab: &Lab, load: &str, with: &[impl AsRef<OsStr>]) -> Result<Value, String> {
    let mut command = journalled(lab, &["stress", "run", load, "--limit", LIMIT]);
    command.args(["--no-keep", "--yes", "--json"]);
    for with in with {
        command.arg("--with").arg(with);
    }
    measured(&mut command)
}

/// The measurements of a completed run, or what happened.
pub(super) fn measured(command: &mut Command) -> Result<Value, String> {
    let output = command.output().expect("the program starts");
    if !output.status.success() {
        return Err(format!("{command:?}: {}", describe_failure(&output)));
    }
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    Ok(document["run"]["measured"][0].clone())
}

/// The shares of areas before one is full, in the kernel's order.
fn shares_now(line: &NodeOrder) -> Vec<f64> {
    let mut shares: Vec<(usize, f64)> = line
        .places
        .iter()
        .map(|place| (place.area, *place.share.known().expect("the value is known")))
        .collect();
    shares.sort_by_key(|(area, _)| *area);
    shares.into_iter().map(|(_, share)| share).collect()
}

/// Pages written to each area that is a device, in the kernel's order.
fn written(snapshot: &Snapshot) -> Vec<u64> {
    let sectors = |area: &SwapArea| -> Option<u64> {
        let stat = fs::read_to_string(areas::sysfs(area.path.as_path()).join("stat")).ok()?;
        stat.split_whitespace().nth(6)?.parse().ok()
    };
    let pages = |sectors: u64| sectors * 512 / areas::page_size();
    all(snapshot).iter().map(|area| sectors(area).map_or(0, pages)).collect()
}

/// Growth of each area in pages when the total was highest, in the kernel's order.
pub(super) fn most(before: &Snapshot, measured: &Value) -> Vec<u64> {
    let over_time = measured["used"]["areas"].as_array().expect("areas over time");
    let held = |moment: usize| -> Vec<u64> {
        let pages = |path: &str, used: u64| {
            let area = over_time.iter().find(|area| area["path"] == path).expect("this area");
            let bytes = area["used"][moment].as_u64().unwrap_or_default();
            bytes.saturating_sub(used) / areas::page_size()
        };
        let used = |area: &SwapArea| area.used.known().expect("the value is known").0;
        all(before).iter().map(|area| pages(&area.path.safe(), used(area))).collect()
    };
    let moments = measured["used"]["at"].as_array().expect("moments").len();
    (0..moments).map(held).max_by_key(|held| held.iter().sum::<u64>()).expect("a moment")
}

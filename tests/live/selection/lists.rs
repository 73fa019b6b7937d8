//! Lists of clusters in kernel memory beside those of the model, under the same load.
//!
//! When a cluster changes its list depends on chance in both: the shares of the lists are compared over the
//! time in which the load holds its memory.

use super::counters::like_this;
use super::{AreaMedium, MIB, TOP, builtin, look};
use crate::areas::{self, Area};
use crate::clusters;
use crate::lab::{Lab, when_time_allows};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use swapadm::lab::load::file;
use swapadm::model::clusters::{ClusterMap, List};
use swapadm::model::load::Workload;
use swapadm::sim::describe::read_machine;
use swapadm::sim::machine::RunningMachine;

/// Largest difference of the share of a list, of all clusters.
const NEAR_LIST: f64 = 0.02;
/// The same where memory is accessed in order. On 6.12 about 5 of 96 clusters more than in the model are partly used
/// then: some hold a few pages of other processes, and the multi-generational LRU swaps out in another order
/// (docs/FIDELITY.md).
const NEAR_LIST_IN_ORDER: f64 = 0.06;
/// Clusters are compared while at least this share of the most used slots is in use.
const HELD: f64 = 0.9;
const AREA_MIB: u64 = 192;
/// Samples after which a model that does not end is wrong.
const MOST_SAMPLES: usize = 5000;

const LISTS: [List; 4] = [List::Free, List::Nonfull, List::Frag, List::Full];

/// The used slots and the share of each list at one moment.
struct ListSample {
    used: u64,
    shares: [f64; 4],
}

impl From<&ClusterMap> for ListSample {
    fn from(map: &ClusterMap) -> Self {
        let share = |list| {
            let count = map.clusters.iter().filter(|cluster| cluster.list == Some(list)).count();
            count as f64 / map.clusters.len() as f64
        };
        Self { used: map.used(), shares: LISTS.map(share) }
    }
}

#[test]
fn clusters_are_listed_as_predicted() {
    when_time_allows("clusters_are_listed_as_predicted", |lab| {
        let _area: Area = AreaMedium::Zram.spec(AREA_MIB, TOP).area(lab, 0)?;
        if !clusters::is_shown() {
            return Ok(());
        }
        let mut far = Vec::new();
        for (pattern, mib, folios, most) in [
            ("sequential", 160, None, NEAR_LIST_IN_ORDER),
            ("random", 160, None, NEAR_LIST),
            ("random", 128, Some("64K"), NEAR_LIST),
            ("churn", 160, Some("64K"), NEAR_LIST),
        ] {
            let load = load_file(pattern, mib, folios);
            let (measured, peak) = on_the_kernel(lab, &load)?;
            let memory = (mib * MIB / areas::page_size()).saturating_sub(peak).max(256);
            let machine = like_this(lab, memory * areas::page_size() / 1024, folios);
            let predicted =
                in_the_model(&machine, &file::read("lists", &load).expect("it is valid"));
            let [measured, predicted] = [measured, predicted].map(|samples| held(&samples));
            println!("{pattern} {mib} MiB {folios:?}: {measured:.3?}; predicted {predicted:.3?}");
            let differences =
                measured.into_iter().zip(predicted).map(|(it, other)| (it - other).abs());
            let farthest = differences.fold(0.0, f64::max);
            if farthest > most {
                far.push(format!("{pattern}: {:.1} points apart", farthest * 100.0));
            }
        }
        assert!(far.is_empty(), "{far:?}");
        Ok(())
    });
}

/// A load of one process on one CPU.
fn load_file(pattern: &str, mib: u64, folios: Option<&str>) -> String {
    let advice = if folios.is_some() { "large" } else { "small" };
    let sizes = folios.map_or_else(String::new, |size| format!("{size} = \"always\"\n"));
    format!(
        "about = \"Clusters in use.\"\n[mthp]\n{sizes}others = \"never\"\n[[work]]\nprocesses = 1\ncpus = \"0\"\n\
         size = \"{mib}M\"\npattern = \"{pattern}\"\ntouch = \"word\"\nprefault = true\npasses = 4\n\
         advice = \"{advice}\"\n"
    )
}

/// The samples of a run on the kernel, and the most slots that it used.
fn on_the_kernel(lab: &Lab, load: &str) -> Result<(Vec<ListSample>, u64), String> {
    let file = lab.scratch.file("lists.toml");
    fs::write(&file, load).map_err(|error| error.to_string())?;
    let before = look();
    let is_over = AtomicBool::new(false);
    let (samples, measured) = thread::scope(|scope| {
        let sampling = scope.spawn(|| sample_until(&is_over));
        let measured = builtin::run(lab, path(&file), &[] as &[&str]);
        is_over.store(true, Ordering::Relaxed);
        (sampling.join().expect("samples"), measured)
    });
    Ok((samples, builtin::most(&before, &measured?).iter().sum()))
}

fn path(file: &Path) -> &str {
    file.to_str().expect("a path of ours")
}

fn sample_until(is_over: &AtomicBool) -> Vec<ListSample> {
    let mut samples = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        // A table that changed during the read is read again.
        samples.extend(clusters::read().ok().and_then(|maps| maps.first().map(ListSample::from)));
        thread::sleep(Duration::from_millis(100));
    }
    samples
}

fn in_the_model(machine: &str, load: &Workload) -> Vec<ListSample> {
    let setup = read_machine("lists", "lists.toml", machine);
    let setup = setup.unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut machine = RunningMachine::new(setup, Some(load)).expect("the load fits");
    let (mut samples, mut peak): (Vec<ListSample>, u64) = (Vec::new(), 0);
    // The CPU may keep slots after the load has freed its memory.
    while samples.last().is_none_or(|last| last.used > peak / 2 || peak == 0) {
        let snapshot = machine.next_sample();
        let maps = snapshot.kernel_clusters.reading.known().expect("the model has clusters");
        let sample = ListSample::from(maps[0].known().expect("it has"));
        peak = peak.max(sample.used);
        samples.push(sample);
        assert!(samples.len() < MOST_SAMPLES, "the load does not end");
    }
    samples
}

/// The mean shares of the lists while most of the memory of the load is in swap.
fn held(samples: &[ListSample]) -> [f64; 4] {
    let peak = samples.iter().map(|it| it.used).max().expect("samples");
    let held: Vec<_> = samples.iter().filter(|it| it.used as f64 >= peak as f64 * HELD).collect();
    std::array::from_fn(|list| {
        held.iter().map(|it| it.shares[list]).sum::<f64>() / held.len() as f64
    })
}

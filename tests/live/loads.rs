//! Loads of the stress lab on real swap: they measure correctly and leave nothing.

#![allow(clippy::unwrap_used, reason = "a document that is not as it should be fails the test")]

use crate::hog::Hog;
use crate::lab::{Lab, OURS, retry};
use crate::memory_limit::MemoryLimit;
use crate::program::{describe_failure, in_form, journalled};
use crate::{areas, at_length, compression_ratios, in_lab, lab_cgroups};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use swapadm::root::child_reader::READ_FILES;

const MIB: u64 = 1 << 20;
/// Swap on zram for a small load.
pub(crate) const SMALL: [&str; 6] = ["--zram", "2x64M", "--limit", "48M", "--yes", "--json"];

/// The JSON schema of a run.
const FORM: &str = include_str!("../../schema/swapadm-stress-run-2.schema.json");

#[test]
fn contents_of_loads_compress_as_asked_for() {
    in_lab("contents_of_loads_compress_as_asked_for", compression_ratios::come_out);
}

#[test]
fn a_load_stays_in_its_cgroup_and_ends_with_it() {
    in_lab("a_load_stays_in_its_cgroup_and_ends_with_it", |_| {
        lab_cgroups::hold()?;
        lab_cgroups::limit()?;
        lab_cgroups::left_behind()
    });
}

#[test]
fn on_version_2_a_load_cgroup_leaves_controllers_unchanged() {
    in_lab("on_version_2_a_load_cgroup_leaves_controllers_unchanged", |_| lab_cgroups::second());
}

#[test]
fn a_load_measures_kernel_counters_and_leaves_nothing() {
    always("a_load_measures_kernel_counters_and_leaves_nothing", measured);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_load_takes_the_next_zram_number_if_its_own_is_taken() {
    always("a_load_takes_the_next_zram_number_if_its_own_is_taken", number_taken);
}

#[test]
fn what_other_programs_swap_is_told_from_the_load() {
    in_lab("what_other_programs_swap_is_told_from_the_load", beside_another);
}

#[test]
fn areas_of_a_load_stay_while_others_need_them() {
    in_lab("areas_of_a_load_stay_while_others_need_them", needed_by_others);
}

#[test]
fn areas_of_a_load_that_somebody_disables_are_named_and_removed() {
    let name = "areas_of_a_load_that_somebody_disables_are_named_and_removed";
    in_lab(name, disabled_by_others);
}

#[test]
fn every_load_that_is_built_in_runs() {
    at_length("every_load_that_is_built_in_runs", |lab| {
        built_in(lab);
        Ok(())
    });
}

#[test]
fn the_same_seed_gives_the_same_touches_and_contents() {
    always("the_same_seed_gives_the_same_touches_and_contents", seeded);
}

#[test]
fn a_load_of_ten_times_the_memory_stays_in_its_cgroup() {
    always("a_load_of_ten_times_the_memory_stays_in_its_cgroup", ten_times);
}

/// A test without further requirements.
pub(crate) fn always(name: &str, test: fn(&Lab)) {
    in_lab(name, |lab| {
        test(lab);
        Ok(())
    });
}

/// Recovers when dropped, so that temporary swap is removed after a failed test.
pub(crate) struct RecoverOnDrop<'l>(&'l Lab);

impl<'l> RecoverOnDrop<'l> {
    pub(crate) fn new(lab: &'l Lab) -> Self {
        areas::load_zram();
        Self(lab)
    }
}

impl Drop for RecoverOnDrop<'_> {
    fn drop(&mut self) {
        let _ = journalled(self.0, &["recover", "--yes"]).output();
    }
}

/// Possible leftovers of a run: areas, zram devices, cgroups, files, settings.
pub(crate) fn leftovers() -> Vec<String> {
    let names = |folder: &str, prefix: &str| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with(prefix)).collect::<Vec<_>>()
    };
    let mut all = names("/sys/block", "zram");
    for folder in ["/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/var/tmp"] {
        all.extend(names(folder, "swapadm-lab"));
    }
    let swaps = fs::read_to_string("/proc/swaps").unwrap();
    all.extend(swaps.lines().skip(1).map(|line| line.split(' ').next().unwrap().to_owned()));
    for file in ["hugepages-64kB/enabled", "hugepages-16kB/enabled"] {
        let path = Path::new("/sys/kernel/mm/transparent_hugepage").join(file);
        all.extend(fs::read_to_string(path));
    }
    all.sort();
    all
}

/// Number of processes of our program: workers, while no command runs. The process that reads devices ends a moment
/// after the command.
pub(crate) fn workers(lab: &Lab) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let is_worker = |process: &Path| {
        let is_ours =
            fs::read_link(process.join("exe")).is_ok_and(|it| it == lab.scratch.program());
        let arguments = || fs::read(process.join("cmdline")).unwrap_or_default();
        let reads = |word: &[u8]| word == READ_FILES.as_bytes();
        is_ours && !arguments().split(|byte| *byte == 0).any(reads)
    };
    processes.filter(|entry| is_worker(&entry.path())).count()
}

pub(crate) fn stress(lab: &Lab, load: &str, more: &[&str]) -> Command {
    journalled(lab, &[&["stress", "run", load, "--no-keep"], &SMALL[..], more].concat())
}

fn output(lab: &Lab, load: &str, more: &[&str]) -> (Output, Value) {
    let output = stress(lab, load, more).output().expect("the program starts");
    let document = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output, document)
}

/// The measurements of a completed run.
pub(crate) fn done(lab: &Lab, load: &str, more: &[&str]) -> Value {
    let (output, document) = output(lab, load, more);
    assert!(output.status.success(), "{load}: {}", describe_failure(&output));
    in_form(FORM, &document);
    document["run"]["measured"][0].clone()
}

pub(crate) fn sum_of(file: &str, name: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map_or(0, |number| number.trim().parse().unwrap())
}

fn measured(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = (leftovers(), sum_of("/proc/vmstat", "pswpout"));
    let run = done(lab, "usemem", &["--with", "size=24M"]);
    let after = (leftovers(), sum_of("/proc/vmstat", "pswpout"));
    assert_eq!((before.0, workers(lab)), (after.0, 0));
    let tasks = run["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 4);
    for task in tasks {
        let touched = &task["touched"];
        assert_eq!(touched["bytes"], 24 * MIB);
        assert_eq!(touched["touches"], 24 * MIB / 4096);
        assert!(touched["touch_ns"].as_u64() > Some(0) && task["free_ns"].as_u64() > Some(0));
        let counted: u64 = touched["latency"]["all"]["boxes"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_u64)
            .sum();
        assert_eq!(counted, 24 * MIB / 4096, "each touch is in the histogram");
    }
    // Twice the memory limit was written: at least half was swapped out, and nothing else swaps here.
    let out = run["counters"]["pswpout"].as_u64().unwrap();
    assert!(
        out >= 48 * MIB / 4096 && out <= after.1 - before.1,
        "{out}: {before:?}",
        before = before.1
    );
    let used =
        |area: &Value| area["used"].as_array().unwrap().iter().filter_map(Value::as_u64).max();
    let areas = run["used"]["areas"].as_array().unwrap();
    let most: u64 = areas.iter().filter_map(used).sum();
    assert!(most > 0 && most <= 128 * MIB, "{most}");
    assert!(run["peak"].as_u64().unwrap() <= 48 * MIB, "{}", run["peak"]);
    assert!(run["system"].as_f64() > Some(0.0));
}

/// Another program makes a device while this one is about to make the first of two.
#[cfg(target_arch = "x86_64")]
fn number_taken(lab: &Lab) {
    use crate::tracer::{self, Fault};
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let is_free = |number: &u64| !Path::new(&format!("/sys/block/zram{number}")).exists();
    let taken = areas::adopt_zram(lab, (0..1000).find(is_free).unwrap());
    let mut command = stress(lab, "usemem", &["--with", "size=16M"]);
    let fault = Some((0, Fault::ReadBefore));
    let folder = Path::new("/sys/class/zram-control/hot_add");
    let trace = tracer::run_below(&mut command, &lab.scratch.file(""), fault, folder).unwrap();
    let output = trace.output;
    assert!(output.status.success(), "{}", describe_failure(&output));
    let remark = String::from_utf8_lossy(&output.stderr);
    assert!(remark.contains("another program took the planned number"), "{remark}");
    assert!(trace.calls.len() > 2, "the first attempt made one device: {:?}", trace.calls);
    drop(taken);
    assert_eq!(leftovers(), before);
}

/// The area of the other program.
const BESIDE: areas::Title =
    areas::Title { label: OURS, uuid: "5a9c0f3e-7b1d-4e62-8f40-0000be51de00" };

/// Another program in a cgroup of its own swaps all the time, on an area of its own.
fn beside_another(lab: &Lab) -> Result<(), String> {
    let _tidy = RecoverOnDrop::new(lab);
    let _area = areas::zram(lab, 128 * MIB, &BESIDE, 31_000)?;
    let mut limit = MemoryLimit::new(lab, 32 * MIB)?;
    limit.keep_fresh();
    let mut other = Hog::new(&limit);
    other.fill(64);
    other.churn();
    let refaults = || {
        let stat = limit.folder.join("memory.stat");
        sum_of(stat.to_str().expect("a plain path"), "workingset_refault_anon") * 4096
    };
    let before = refaults();
    let output = stress(lab, "random-write", &["--with", "seconds=3"]).output().unwrap();
    let most = refaults() - before;
    assert!(output.status.success(), "{}", describe_failure(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    in_form(FORM, &document);
    let measured = &document["run"]["measured"][0];
    let count = |of: &Value, name: &str| of["counters"][name].as_u64().unwrap_or_default() * 4096;
    let [all, own] = [measured, &measured["own"]].map(|of| count(of, "workingset_refault_anon"));
    println!("measured: {own} bytes of the load, {all} of the machine, {most} of the other");
    assert!(own > MIB && most > MIB, "both swap");
    // The other one swaps longer than the run is measured, and counters lag.
    assert!(own + MIB < all && all - own <= most + 4 * MIB, "{own} and {most} make {all}");
    Ok(())
}

/// Another program grows beyond its limit while the load runs, onto its areas: without them it would be killed.
fn needed_by_others(lab: &Lab) -> Result<(), String> {
    areas::are_ours_only()?;
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let limit = MemoryLimit::new(lab, 32 * MIB)?;
    let mut other = Hog::new(&limit);
    let mut run = stress(lab, "random-write", &["--with", "seconds=4"]);
    let run =
        run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    retry(|| (areas::listed().lines().count() == 2).then_some(()).ok_or("not active"))
        .expect("two areas");
    other.fill(64);
    let output = run.wait_with_output().expect("it ends");
    let said = describe_failure(&output);
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains("would exceed its limit by"), "{said}");
    assert!(!areas::listed().is_empty(), "{said}");
    other.renew();
    drop(other);
    let recovered = journalled(lab, &["recover", "--yes"]).output().expect("the program starts");
    assert!(recovered.status.success(), "{}", describe_failure(&recovered));
    assert_eq!(leftovers(), before);
    Ok(())
}

/// Somebody disables an area of a load: its result says so, and nothing is left.
fn disabled_by_others(lab: &Lab) -> Result<(), String> {
    areas::are_ours_only()?;
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let mut run = stress(lab, "random-write", &["--with", "seconds=3", "--set", "page-cluster=5"]);
    let run =
        run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    retry(|| (areas::listed().lines().count() == 2).then_some(()).ok_or("not active"))
        .expect("two areas");
    std::thread::sleep(Duration::from_secs(1));
    for area in areas::listed().lines() {
        let path = area.split(' ').next().expect("a path");
        let _ = areas::swapoff(Path::new(path));
    }
    // Their value stays.
    let cluster = "/proc/sys/vm/page-cluster";
    fs::write(cluster, "4").expect("root may");
    let output = run.wait_with_output().expect("it ends");
    let left = fs::read_to_string(cluster).expect("a setting");
    fs::write(cluster, "3").expect("root may");
    let said = describe_failure(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
    let words = [("why", "disabled by someone else"), ("temporary_why", "Someone else changed")];
    for (member, word) in words {
        assert!(document[member].as_str().is_some_and(|it| it.contains(word)), "{said}");
    }
    assert_eq!((left.trim(), leftovers()), ("4", before), "{said}");
    Ok(())
}

fn built_in(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let list = journalled(lab, &["stress", "list", "--json"]).output().expect("the program starts");
    let list: Vec<Value> = serde_json::from_slice(&list.stdout).expect("a list");
    assert_eq!(list.len(), 10);
    for load in list.iter().map(|load| load["name"].as_str().unwrap()) {
        let more: &[&str] = match load {
            "build-like" => {
                &["--with", "1.rounds=3", "--with", "1.size=8%", "--with", "2.seconds=1"]
            }
            "random-write" | "zipf-cache" | "mthp-churn" | "fork-cow" => &["--with", "seconds=1"],
            "leak" => &["--with", "pace=200M"],
            _ => &[],
        };
        let (output, document) = output(lab, load, more);
        let end = &document["run"]["measured"][0]["end"];
        let expected = if load == "leak" { "stopped" } else { "done" };
        assert_eq!(
            end["end"],
            expected,
            "{load}: {end} {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(
            (&document["end"], &document["temporary"]),
            (&expected.into(), &"restored".into())
        );
        assert_eq!((leftovers(), workers(lab)), (before.clone(), 0), "{load}");
    }
}

fn seeded(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let sums = |seed: &str| {
        let small = ["--with", "passes=1", "--with", "size=16M", "--with", "contents=3:1"];
        let more = [&["--seed", seed][..], &small].concat();
        let run = done(lab, "random-write", &more);
        let tasks = run["tasks"].as_array().unwrap();
        let sums = tasks
            .iter()
            .map(|task| (task["touched"]["places"].clone(), task["touched"]["painted"].clone()));
        sums.collect::<Vec<_>>()
    };
    let first = sums("7");
    assert!(!first.is_empty());
    assert_eq!(first, sums("7"));
    let other = sums("8");
    assert!(first.iter().zip(&other).all(|(one, two)| one.0 != two.0 && one.1 != two.1));
}

fn ten_times(lab: &Lab) {
    let _tidy = RecoverOnDrop::new(lab);
    let before = leftovers();
    let size = format!("size={}K", sum_of_meminfo("MemTotal") * 10);
    let (output, document) = output(lab, "leak", &["--with", &size, "--with", "pace=400M"]);
    let run = &document["run"]["measured"][0];
    assert_eq!(run["end"]["end"], "stopped", "{}", describe_failure(&output));
    let why = run["end"]["why"].as_str().unwrap();
    // Where swap fills faster than the guard samples, the cgroup ends the load.
    let is_full = why.contains("of swap was free") || why.contains(": its cgroup");
    assert!(is_full, "{why}");
    assert_eq!(output.status.code(), Some(4));
    assert!(run["peak"].as_u64().unwrap() <= 48 * MIB);
    assert_eq!((leftovers(), workers(lab)), (before, 0));
    // Without a cgroup the check refuses it.
    let arguments = ["stress", "run", "leak", "--whole-machine", "--zram", "64M", "--yes"];
    let refused = journalled(lab, &[&arguments[..], &["--with", &size]].concat()).output().unwrap();
    assert_eq!(refused.status.code(), Some(3), "{}", describe_failure(&refused));
}

pub(crate) fn sum_of_meminfo(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

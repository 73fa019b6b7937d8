//! Advice where memory or swap is short: in a cgroup, or simulated for the program alone.

use super::{
    MEMORY, MIB, TITLE, TOP, is_silent, look, of_rule, on_loop, wait_for_finding, wait_until_silent,
};
use crate::areas;
use crate::hog::Hog;
use crate::lab::{self, Lab, retry};
use crate::memory_limit::MemoryLimit;
use crate::metadata;
use crate::mounts::{self, Mount};
use crate::{at_length, program};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use swapadm::advice::Severity;
use swapadm::model::Policy;

#[test]
fn a_load_that_does_not_fit_its_memory_thrashes() {
    at_length("a_load_that_does_not_fit_its_memory_thrashes", |lab| {
        if !Path::new("/proc/pressure/memory").exists() {
            lab::remark("memory-pressure: this kernel has no PSI");
            return Ok(());
        }
        let _area = areas::zram(lab, 160 * MIB, &TITLE, TOP)?;
        let cage = MemoryLimit::new(lab, 256 * MIB)?;
        let mut hog = Hog::new(&cage);
        hog.fill(128);
        hog.churn();
        wait_until_silent("memory-pressure");
        // The same load in less memory; a busy cgroup keeps its pages.
        hog.rest();
        retry(|| cage.limit(MEMORY)).expect("it took one before");
        hog.churn();
        wait_for_finding("memory-pressure");
        hog.rest();
        Ok(())
    });
}

#[test]
fn swap_that_is_full_is_found_until_there_is_more() {
    at_length("swap_that_is_full_is_found_until_there_is_more", |lab| {
        areas::are_ours_only()?;
        let _small = areas::on_loop(lab, 64 * MIB, &TITLE, TOP)?;
        let cage = MemoryLimit::new(lab, MEMORY)?;
        let mut hog = Hog::new(&cage);
        while cage.swap() < 54 * MIB {
            hog.fill(1);
        }
        let full = wait_for_finding("swap-full");
        assert_eq!(full.severity, Severity::Warn, "memory is not short: {full:?}");
        let stuck = wait_for_finding("swapoff-fit");
        assert_eq!(
            stuck.subject.as_deref(),
            Some("groups"),
            "the cage has no room for it: {stuck:?}"
        );
        cage.lift();
        is_silent("swapoff-fit");
        assert!(without_memory(lab)?.contains("cannot be disabled"), "there is no memory");
        let _more = on_loop(lab, "more", 1, false)?;
        // What the machine still writes may be too fast to judge from two samples.
        wait_until_silent("swap-full");
        assert!(!without_memory(lab)?.contains("cannot be disabled"), "it fits on the other");
        Ok(())
    });
}

/// Lowers the threshold for slots per machine: no test machine has enough memory to reach the default.
#[test]
fn metadata_above_the_set_threshold_is_found() {
    at_length("metadata_above_the_set_threshold_is_found", |_| {
        const SIZE: u64 = 16 << 30;
        let Some(cost) = metadata::computed(SIZE) else {
            lab::remark("metadata of areas: unknown for this kernel");
            return Ok(());
        };
        let total = metadata::meminfo("MemTotal:");
        let area = areas::sparse_loop(SIZE)?;
        areas::write_header(&area.path, &TITLE, SIZE);
        let metadata_warn = cost.all().0 as f64 / total as f64 * 0.9;
        let low = Policy { metadata_warn, ..Policy::DEFAULT };
        let speaks = |policy: &Policy| !of_rule(&look(policy), "metadata").is_empty();
        areas::use_it(&area, 0)?;
        assert!(speaks(&low));
        assert!(!speaks(&Policy { metadata_warn: metadata_warn * 2.0, ..low }), "it is less");
        Ok(())
    });
}

/// The advice when the program sees no available memory.
fn without_memory(lab: &Lab) -> Result<String, String> {
    let told = meminfo(lab);
    let mount = Mount::Bind(&told, Path::new("/proc/meminfo"));
    let output = mounts::behind(lab, &[mount], &["advise"])?;
    assert!(output.status.success(), "{}", program::describe_failure(&output));
    Ok(program::describe_failure(&output))
}

/// The real file except for `MemAvailable`.
fn meminfo(lab: &Lab) -> PathBuf {
    let mut text = String::new();
    for line in fs::read_to_string("/proc/meminfo").expect("the file is readable").lines() {
        match line.split_once(':') {
            Some((name @ ("MemAvailable" | "MemFree"), _)) => writeln!(text, "{name}: 4096 kB"),
            _ => writeln!(text, "{line}"),
        }
        .expect("a text takes it");
    }
    let path = lab.scratch.file("meminfo");
    fs::write(&path, text).expect("a file in our folder");
    path
}

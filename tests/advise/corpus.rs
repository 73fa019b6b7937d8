//! Machines, healthy and broken, with the findings that are right on each.

#[path = "corpus/broken.rs"]
mod broken;
#[path = "corpus/changes.rs"]
mod changes;
#[path = "corpus/healthy.rs"]
mod healthy;

pub(super) use changes::{cut_off, desktop};

use super::common::{Machine, machine_names, with_each};
use super::sample;
use broken::BROKEN;
use healthy::HEALTHY;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use swapadm::advice::AdviceReport;
use swapadm::derive::SampleView;
use swapadm::model::Policy;
use swapadm::probes::matches_pattern;

/// Kernel 6.12 with zram, solid-state and virtio disks, and a swap file.
const MIXED: &str = "6.12-mixed-idle";

/// The same machine with kernel 6.18.
const NEWER: &str = "6.18-mixed-idle";

/// Counts folios of 64 KiB that were split.
const SPLIT: &str = "sys/kernel/mm/transparent_hugepage/hugepages-64kB/stats/swpout_fallback";

/// Changes nothing.
fn unchanged(_: &Machine) {}

/// A captured machine that is changed before the first sample, and between the two samples, which are a
/// second apart.
struct Scene {
    name: &'static str,
    base: &'static str,
    is: fn(&Machine),
    then: fn(&Machine),
    /// The rules with findings; none on a healthy machine.
    finds: &'static [&'static str],
}

/// The findings on a machine: the rules, and with a colon the subjects that the scene names.
fn judge_machine(machine: &Machine, then: fn(&Machine), wanted: &[&str]) -> BTreeSet<String> {
    let before = sample(machine, 1);
    then(machine);
    let now = sample(machine, 2);
    let view = SampleView { now: &now, before: Some(&before) };
    let findings = AdviceReport::from_view(&view, &Policy::DEFAULT).findings;
    for finding in &findings {
        super::check(&view, finding, machine);
    }
    let name = |finding: &swapadm::advice::Finding| {
        let name = finding.name();
        if wanted.contains(&name.as_str()) { name } else { finding.rule.to_owned() }
    };
    findings.iter().map(name).collect()
}

/// Compares each scene with its findings, and returns the number of findings that should not be there.
fn judge(scenes: &[Scene]) -> usize {
    let false_alarms = AtomicUsize::new(0);
    let places: Vec<usize> = (0..scenes.len()).collect();
    with_each(&places, |place| {
        let Scene { name, base, is, then, finds } = &scenes[*place];
        let machine = Machine::unpack(base);
        is(&machine);
        let found = judge_machine(&machine, *then, finds);
        let wanted: BTreeSet<String> = finds.iter().map(|it| (*it).to_owned()).collect();
        false_alarms.fetch_add(found.difference(&wanted).count(), Ordering::Relaxed);
        assert_eq!(found, wanted, "{name}");
    });
    false_alarms.into_inner()
}

#[test]
fn healthy_machines_have_no_finding() {
    assert!(HEALTHY.len() >= 15 && HEALTHY.iter().all(|scene| scene.finds.is_empty()));
    assert_eq!(judge(HEALTHY), 0, "false alarms");
}

#[test]
fn broken_machines_have_the_right_findings_and_no_other() {
    assert!(BROKEN.len() >= 30 && BROKEN.iter().all(|scene| !scene.finds.is_empty()));
    assert_eq!(judge(BROKEN), 0, "false alarms");
}

/// The findings on captured machines, on which nothing happens between the samples.
static CAPTURED: &[(&str, &[&str])] = &[
    ("6.1-loaded", &["one-by-one", "zram-huge", "zram-ratio"]),
    ("6.12-loaded", &["one-by-one", "zram-huge"]),
    ("6.18-loaded", &["one-by-one", "zram-huge"]),
    ("7.2-loaded", &["zram-huge"]),
    ("6.1-mixed-loaded", &["zram-huge", "zram-ratio"]),
    ("6.12-mixed-loaded", &["zram-huge"]),
    // Its processes were swapped out because of a limit, which has no room for what would return.
    ("*-thp-loaded", &["swapoff-fit"]),
    ("*-zram-writeback", &["swapoff-fit"]),
    ("*-zswap-loaded", &["swapoff-fit"]),
    // Up to 6.18 each node prefers its own disks; on 7.x all default priorities are equal.
    ("7.2-numa*", &["mixed-priority"]),
    ("6.*-numa*", &["faster-behind"]),
];

#[test]
fn captured_machines_have_the_right_findings() {
    with_each(&machine_names(), |name| {
        let is_it = |(pattern, _): &&(&str, _)| matches_pattern(pattern, Path::new(name));
        let wanted: BTreeSet<String> = CAPTURED
            .iter()
            .filter(is_it)
            .flat_map(|(_, rules)| *rules)
            .map(|it| (*it).to_owned())
            .collect();
        assert_eq!(judge_machine(&Machine::shared(name), unchanged, &[]), wanted, "{name}");
    });
}

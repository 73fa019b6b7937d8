//! `swapadm advise` on captured machines.

#![allow(clippy::disallowed_methods, reason = "tests write files of their own")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where it is wrong"
)]

use crate::common;
mod corpus;

use clap::Parser as _;
use common::{Machine, with_each_machine};
use swapadm::advice::{AdviceReport, Finding};
use swapadm::cli::args::Cli;
use swapadm::cli::commands::change::MachineEngine;
use swapadm::cli::options::Environment;
use swapadm::clock::Clock;
use swapadm::columns::tables::findings::FigureSource;
use swapadm::derive::SampleView;
use swapadm::model::{Part, Policy, Snapshot, Stamp};
use swapadm::probes;
use swapadm::root::Root;
use swapadm::sampler::recording::RecordingWriter;
use swapadm::ui::change::{ChangeEngine as _, ChangeRequest, ExecutionOptions};

/// A sample of a machine at this second.
fn sample(machine: &Machine, second: u64) -> Snapshot {
    let root = Root::at(machine.path()).unwrap();
    let clock = Clock::at(Stamp { boot_ns: second * 1_000_000_000, wall_ms: 0 });
    probes::sample(&root, &clock, Part::ALL.into_iter().collect())
}

/// Two samples of a machine between which nothing happened.
fn samples(machine: &Machine) -> (Snapshot, Snapshot) {
    (sample(machine, 1), sample(machine, 2))
}

/// Checks that a finding has known figures, a valid fix, and names only commands that answer on this
/// machine, captured as it is.
fn check(view: &SampleView<'_>, finding: &Finding, on: &Machine) {
    let (name, machine) = (finding.name(), &on.name);
    for rest in finding.sentence.split("swapadm ").skip(1) {
        let is_word = |c: char| c.is_ascii_lowercase();
        let command = rest.split(|c| !is_word(c)).next().unwrap();
        let output = on.run(&[command]);
        let is_answer = output.status.success() && !output.stdout.is_empty();
        assert!(is_answer, "{machine}: {name}: swapadm {command} does not answer: {output:?}");
    }
    assert!(!finding.evidence.is_empty(), "{machine}: {name} shows nothing");
    let source = FigureSource::new(*view);
    for evidence in &finding.evidence {
        let figure = source.figure(evidence);
        let figure = figure.unwrap_or_else(|| panic!("{machine}: {name}: no {evidence:?}"));
        assert!(figure.value.missing().is_none(), "{machine}: {name}: {figure:?}");
    }
    let Some(fix) = &finding.fix else { return };
    let words: Vec<&str> = fix.split(' ').collect();
    if let Err(error) = Cli::try_parse_from(words) {
        panic!("{machine}: {name}: {fix}: {error}");
    }
    // The interface opens its plan, so its engine understands the command as well.
    let root = Root::at(Machine::shared(machine).path()).unwrap();
    let engine = MachineEngine::new(&root, &Environment::read());
    let request = ChangeRequest::Command(fix.strip_prefix("swapadm ").unwrap().to_owned());
    // Interrupted changes are repaired from the list of changes.
    if fix == "swapadm recover" {
        return;
    }
    if let Err(why) = engine.propose(&request, &ExecutionOptions::default()) {
        assert!(!why.contains("in a shell"), "{machine}: {fix}: {why}");
    }
}

#[test]
fn every_finding_has_known_figures_and_a_real_command() {
    with_each_machine(|machine| {
        let (before, now) = samples(machine);
        let view = SampleView { now: &now, before: Some(&before) };
        for finding in AdviceReport::from_view(&view, &Policy::DEFAULT).findings {
            check(&view, &finding, machine);
        }
    });
}

#[test]
fn idle_machines_have_no_findings() {
    with_each_machine(|machine| {
        let (before, now) = samples(machine);
        let advice = AdviceReport::from_view(
            &SampleView { now: &now, before: Some(&before) },
            &Policy::DEFAULT,
        );
        let is_healthy = ["-idle", "-noswap", "host"].iter().any(|it| machine.name.contains(it));
        let faults: Vec<_> = advice.findings.iter().map(|it| (it.severity, &it.summary)).collect();
        // Areas without a priority share one on 7.x, on disks of all kinds; up to 6.18 each NUMA node
        // prefers its own disks to zram.
        let is_mixed = machine.name.contains("-numa");
        assert!(!is_healthy || is_mixed == advice.is_wrong(), "{}: {faults:?}", machine.name);
    });
}

#[test]
fn the_exit_status_reports_findings_on_request() {
    let status = |name, words: &[&str]| {
        let words: Vec<&str> = ["advise", "--no-config"].iter().chain(words).copied().collect();
        Machine::shared(name).run(&words).status.code()
    };
    assert_eq!(status("6.12-noswap", &["--check"]), Some(0), "a note is no fault");
    assert_eq!(status("6.12-loaded", &["--check"]), Some(7), "all tasks stall");
    assert_eq!(status("6.12-numa2-idle", &["--check"]), Some(1));
    assert_eq!(status("6.12-loaded", &[]), Some(0));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "[thresholds]\nuse_crit = 0.01\nmemory_low = 1\n").unwrap();
    let config = ["advise", "--config", file.path().to_str().unwrap()];
    let critical = |words: &[&str]| Machine::shared("6.12-loaded").run(words).status.code();
    assert_eq!(critical(&[&config[..], &["--check"]].concat()), Some(7));
    assert_eq!(critical(&config), Some(0));
    let nowhere =
        Machine::shared("6.12-loaded").run(&["advise", "--config", "/no/such", "--check"]);
    assert_eq!(nowhere.status.code(), Some(6), "by other thresholds than were meant nobody judges");
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("/no/such"));
    assert_eq!(status("6.12-loaded", &["--explain", "nonsense"]), Some(2));
    assert_eq!(Machine::empty().run(&["advise"]).status.code(), Some(6));
}

#[test]
fn an_earlier_finding_counts_until_the_end() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut writer = RecordingWriter::new(file.reopen().unwrap()).unwrap();
    let (before, now) = samples(&Machine::shared("6.12-loaded"));
    let root = Root::at(Machine::shared("6.12-noswap").path()).unwrap();
    let clock = Clock::at(Stamp { boot_ns: 3_000_000_000, wall_ms: 0 });
    let healthy = probes::sample(&root, &clock, Part::ALL.into_iter().collect());
    for snapshot in [before, now, healthy] {
        writer.add(&snapshot).unwrap();
    }
    let recording = file.path().to_str().unwrap();
    let words = ["--recording", recording, "--at", "first", "advise", "--no-config", "--check"];
    let words = [&words[..], &["--interval", "1", "--count", "9"]].concat();
    assert_eq!(common::swapadm().args(&words).output().unwrap().status.code(), Some(1));
}

#[test]
fn a_rule_is_explained_also_where_it_finds_nothing() {
    let told = |name, rule| Machine::shared(name).stdout(&["advise", "--explain", rule]);
    let text = told("6.12-noswap", "unbalanced");
    assert!(
        text.contains("thresholds.imbalance_warn = 20%")
            && text.ends_with("\nchecked on this machine: nothing to report\n"),
        "{text}"
    );
    assert!(
        told("7.2-numa2-idle", "mixed-priority").contains("findings on this machine:\n  /dev/")
    );
    assert!(told("6.12-loaded", "idle").contains("not evaluated here: needs two samples"));
    assert!(
        told("6.1-mixed-loaded", "hibernation").contains("does not apply here: /sys/power/resume")
    );
}

#[test]
fn an_interrupted_change_is_said_by_status_and_advise() {
    let machine = Machine::unpack("6.12-mixed-idle");
    corpus::cut_off(&machine);
    let status = |machine: &Machine| machine.stdout(&["status"]).replace("\n           ", " ");
    let said = "Change     change 7 was interrupted";
    let title = ": priority /dev/nvme0n1; to repair: swapadm recover";
    assert!(status(&machine).contains(&format!("{said}{title}")), "{}", status(&machine));
    corpus::desktop(&machine);
    let left = format!("{said}, and /dev/nvme0n1 is still disabled{title}");
    assert!(status(&machine).contains(&left), "{}", status(&machine));
    assert!(machine.stdout(&["advise"]).contains("fix: swapadm recover"));
    let json = machine.json(&["status", "--json"]);
    assert_eq!(json["tables"]["status"]["rows"][0]["interrupted"], 1);
    machine.write("proc/sys/kernel/random/boot_id", "later\n");
    assert!(!status(&machine).contains("Change"));
}

#[test]
fn thresholds_come_from_the_settings() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "[thresholds]\npressure_some = 0.9\npressure_full = 0.9\n")
        .unwrap();
    let config = file.path().to_str().unwrap();
    let machine = Machine::shared("6.12-loaded");
    let found = |words: &[&str]| machine.stdout(words).contains("memory pressure is high");
    assert!(found(&["advise", "--no-config"]));
    assert!(!found(&["advise", "--config", config]));
}

#[test]
fn json_has_findings_and_the_result_of_each_rule() {
    let document = Machine::shared("6.12-loaded").json(&["advise", "--json", "--no-config"]);
    let findings = document["tables"]["findings"]["rows"].as_array().unwrap();
    let first = findings.iter().find(|finding| finding["rule"] == "memory-pressure").unwrap();
    // With one sample it is likely, and not certain, that the cgroup at its limit is the place.
    assert_eq!((&first["severity"], &first["certainty"]), (&"crit".into(), &"likely".into()));
    assert!(first["evidence"][0].as_str().unwrap().starts_with("status.memory_full "));
    let rules = document["tables"]["rules"]["rows"].as_array().unwrap();
    assert_eq!(rules.len(), swapadm::advice::RULES.len());
    let idle = rules.iter().find(|rule| rule["rule"] == "idle").unwrap();
    assert!(idle["state"].is_null() && idle["missing"]["state"]["kind"] == "one_sample", "{idle}");
}

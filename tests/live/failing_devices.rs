//! Areas on devices that cannot read or write any more: what is said, and what is left.

use crate::change::{json_of, priority};
use crate::hog::Hog;
use crate::lab::{Lab, retry};
use crate::mapped::{Mapped, MappedScene};
use crate::program::{self, describe_failure};
use crate::{file, in_lab};
use serde_json::Value;
use std::fs;
use std::time::Duration;

const MIB: u64 = 1 << 20;
const PRIORITY: u16 = 32_000;

#[test]
fn a_swapoff_that_cannot_read_stops_and_says_what_is_lost() {
    let name = "a_swapoff_that_cannot_read_stops_and_says_what_is_lost";
    in_lab(name, |lab| {
        let scene = MappedScene::new(lab, PRIORITY, &[6; 4])?;
        scene.device.fail()?;
        reports_show(&scene.device);
        stops_or_is_done(lab, &scene.device);
        scene.device.be_healthy()
    });
}

#[test]
fn an_area_that_cannot_be_read_keeps_its_priority() {
    in_lab("an_area_that_cannot_be_read_keeps_its_priority", |lab| {
        let scene = MappedScene::new(lab, PRIORITY, &[6; 3])?;
        scene.device.misbehave("error_reads")?;
        let path = file::text(&scene.device.path);
        let wish = format!("{path}=31000");
        let output = changed(lab, &["priority", &wish, "--yes", "--json"]);
        let now = priority(&scene.device.path);
        let told = parse(&output);
        let is_refused = output.status.code() == Some(3);
        assert!(is_refused || reads_lost(&told) > 0, "{told}");
        match output.status.code() {
            // The header was not in memory when it was checked, or the drain stopped at a failed read.
            Some(3 | 4) => assert_eq!(now, Some(32_000), "{told}"),
            // All pages were lost before the first look, and the header was in memory.
            Some(0) => assert_eq!(now, Some(31_000), "{told}"),
            // As before, but the header has to be read again: it is said, and mended once the disk works.
            Some(5) => return is_enabled_when_healthy(lab, &scene.device, &told),
            code => panic!("{code:?}: {told}"),
        }
        nothing_to_recover(lab);
        assert_eq!(priority(&scene.device.path), now);
        scene.device.be_healthy()
    });
}

#[test]
fn pages_that_cannot_be_written_stay_in_memory() {
    in_lab("pages_that_cannot_be_written_stay_in_memory", |lab| {
        let scene = MappedScene::new(lab, PRIORITY, &[])?;
        let mut hog = Hog::new(&scene.cage);
        hog.fill(8);
        let sum = hog.sum();
        scene.device.misbehave("error_writes")?;
        scene.cage.squeeze(4 * MIB);
        let held = scene.device.used();
        assert!(held > 0, "the kernel gave pages of the area to the load");
        scene.cage.lift();
        reports_show(&scene.device);
        let path = file::text(&scene.device.path);
        let told = json_of(&mut program::journalled(lab, &["off", path, "--yes", "--json"]), 0);
        assert_eq!(told["outcome"]["end"], "done", "{told}");
        assert_eq!(reads_lost(&told), 0, "{told}");
        hog.rest_unchanged(&sum);
        scene.device.be_healthy()
    });
}

/// The area is listed with its use, whatever its device does.
fn reports_show(device: &Mapped) {
    let path = file::text(&device.path);
    let rows = program::table("devices", &[]);
    let row = rows.iter().find(|row| row["name"] == path).expect("its row");
    assert!(row["used"].as_u64() > Some(0), "{row}");
    for command in ["status", "advise"] {
        let output = program::command(&program::built(), &[command]).output().expect("it starts");
        let said = describe_failure(&output);
        assert!(output.status.success(), "{command}: {said}");
        assert!(command == "advise" || said.contains(path), "{said}");
    }
}

/// The first attempt stops at the failed reads, unless it was done before anybody looked; the next one is
/// refused until the risk is accepted by name. What is lost is said, and nothing is left to recover.
fn stops_or_is_done(lab: &Lab, device: &Mapped) {
    let path = file::text(&device.path);
    let off = ["off", path, "--yes", "--json"];
    let output = changed(lab, &off);
    let told = parse(&output);
    assert!(reads_lost(&told) > 0, "{told}");
    if output.status.code() == Some(4) {
        let why = told["outcome"]["why"].as_str().unwrap_or_default();
        let words = format!("pages of {path}, or of another area on its disk, cannot be read");
        assert!(why.contains(&words) && why.contains("--force reads"), "{told}");
        assert_eq!(priority(&device.path), Some(32_000), "{told}");
        nothing_to_recover(lab);
        let refused = json_of(&mut program::journalled(lab, &off), 3);
        let checks = refused["checks"].as_array().expect("checks");
        let is_refused = |it: &Value| it["id"] == "reads" && it["verdict"] == "refuse";
        assert!(checks.iter().any(is_refused), "{refused}");
        // The kernel logs at most ten failed reads in five seconds.
        std::thread::sleep(Duration::from_secs(6));
        let forced = [&off[..], &["--force", "reads"]].concat();
        let told = json_of(&mut program::journalled(lab, &forced), 0);
        assert!(reads_lost(&told) > 0, "{told}");
    } else {
        assert_eq!(output.status.code(), Some(0), "{told}");
    }
    assert_eq!(priority(&device.path), None);
    let journal = fs::read_to_string(lab.scratch.file("journal")).expect("a journal");
    assert!(journal.contains("failed_reads"), "{journal}");
    nothing_to_recover(lab);
}

fn is_enabled_when_healthy(lab: &Lab, device: &Mapped, told: &Value) -> Result<(), String> {
    let why = told["outcome"]["why"].as_str().unwrap_or_default();
    assert!(why.contains("IS DISABLED") && why.contains("swapadm recover"), "{told}");
    assert_eq!(priority(&device.path), None, "{told}");
    device.be_healthy()?;
    let output = changed(lab, &["recover", "--yes", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", describe_failure(&output));
    assert!(priority(&device.path).is_some(), "{}", describe_failure(&output));
    Ok(())
}

fn changed(lab: &Lab, arguments: &[&str]) -> std::process::Output {
    program::journalled(lab, arguments).output().expect("the program starts")
}

fn parse(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", describe_failure(output)))
}

fn reads_lost(told: &Value) -> u64 {
    told["outcome"]["failed_reads"][0]["reads"].as_u64().unwrap_or(0)
}

/// The journal is closed, and `recover` changes nothing.
fn nothing_to_recover(lab: &Lab) {
    let recover = || {
        let output = program::journalled(lab, &["recover", "--json"]).output();
        let output = output.expect("the program starts");
        if output.status.success() { Ok(parse(&output)) } else { Err(describe_failure(&output)) }
    };
    let told = retry(recover).expect("nothing is in the way");
    assert!(told["steps"].as_array().is_none_or(Vec::is_empty), "{told}");
}

//! Files of simulated machines: built-in ones, those like a capture, and invalid ones.

use super::{json, run, stderr, stdout};
use crate::common::screen::snapshot;
use crate::common::with_each_machine;
use std::process::Command;
use std::sync::Mutex;
use swapadm::derive::selection;
use swapadm::sim::comparison::{ORDERED_CAPTURES, SHARED_CAPTURES};
use swapadm::sim::machine::{Machine as Simulated, MachineSetup};

#[test]
fn bad_machine_files_are_refused_with_line_key_and_values() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.toml");
    let errors = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_swapadm"))
            .args(["machine", "check", file.to_str().unwrap(), "laptop"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let valid = String::from_utf8(output.stdout.clone()).unwrap();
        assert_eq!(valid, "laptop: valid: kernel 6.12, 2 areas\n");
        stderr(&output)
    };
    let text = "kernel = \"6.13\"\nmemory = \"4G\"\nused = \"120%\"\n[[area]]\npath = \"/dev/a\"\ndevice = \"tape\"\nsize = \"1G\"\n";
    let said = errors(text);
    for part in [
        "bad.toml:1: kernel: unknown kernel \"6.13\": use 4.13, 5.10",
        "bad.toml:3: used: ",
        "bad.toml:6: area.device: \"tape\" is not valid: use zram, ssd, disk, file or file-on-disk",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let said = errors("kernel = \"7.2\"\nmemory = \"4G\"\nload = \"usemen\"\n");
    assert!(
        said.contains("load: unknown workload \"usemen\"") && said.contains("did you mean usemem?"),
        "{said}"
    );
    let said =
        errors("kernel = \"7.2\"\nmemory = \"4G\"\nload = \"usemem\"\nwith = [\"size=9T\"]\n");
    assert!(said.contains("The limit is 1 GiB"), "{said}");
    let said = stderr(&run("lap", &["status"]));
    assert!(
        said.contains("unknown machine \"lap\"") && said.contains("laptop, four-zram"),
        "{said}"
    );
    assert!(said.contains("such as ./lap.toml"), "{said}");
    assert!(stderr(&run("README.md", &["status"])).contains("such as ./README.md"));
    assert!(!stderr(&run("README.md", &["status"])).contains("README.md.toml"));
}

#[test]
fn built_in_machines_are_listed_shown_and_valid() {
    let swapadm = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_swapadm")).args(arguments).output().unwrap()
    };
    let listed = json(&swapadm(&["machine", "list", "--json"]));
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 6, "{names:?}");
    let text = stdout(&swapadm(&["machine", "list"]));
    for name in names {
        assert!(text.contains(name), "{text}");
        let shown = stdout(&swapadm(&["machine", "show", name]));
        assert!(shown.contains("kernel = "), "{shown}");
        stdout(&swapadm(&["machine", "check", name]));
    }
    assert!(stdout(&swapadm(&["machine", "keys"])).contains("rounds-per-second"));
}

#[test]
fn a_machine_file_like_a_simulated_machine_is_that_of_the_machine() {
    let text = stdout(&run("build-server", &["machine", "like-this"]));
    for line in ["limit = \"512M\"", "load = \"build-like\"", "rounds-per-second = 3000"] {
        assert!(text.contains(line), "{text}");
    }
}

/// A machine file of each captured machine, which check accepts.
#[test]
fn a_machine_file_like_each_capture_is_valid() {
    with_each_machine(|machine| {
        let made = machine.run(&["machine", "like-this"]);
        let text = String::from_utf8(made.stdout.clone()).unwrap();
        if !made.status.success() {
            let why = stderr(&made);
            assert_eq!(made.status.code(), Some(6), "{}: {why}", machine.name);
            assert!(
                why.contains("no model of this machine: ") && why.contains(" is missing ("),
                "{why}"
            );
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("like.toml");
        std::fs::write(&file, &text).unwrap();
        let checked = Command::new(env!("CARGO_BIN_EXE_swapadm"))
            .args(["machine", "check", file.to_str().unwrap()])
            .output()
            .unwrap();
        assert!(checked.status.success(), "{}: {}\n{text}", machine.name, stderr(&checked));
        let areas = machine.json(&["devices", "--json"])["tables"]["devices"]["rows"].clone();
        let count = areas.as_array().map_or(0, Vec::len);
        let lost = text.matches("is left out").count();
        assert_eq!(text.matches("[[area]]").count() + lost, count, "{}: {text}", machine.name);
    });
}

/// Least used swap of a capture whose shares are compared, in pages: a CPU of older kernels holds 128 of them.
const COMPARED_PAGES: u64 = 4096;

/// Largest difference of the share of an area.
const NEAR_SHARE: f64 = 0.01;

/// Each model has the priorities of its capture, tries the areas in the order that is reported for the capture, and
/// fills them with the shares that the kernel of the capture filled them with, if one workload did that on one node.
#[test]
fn models_of_captures_fill_areas_as_the_captured_kernels() {
    let (ordered, shared) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    with_each_machine(|machine| {
        let name = &machine.name;
        let capture = snapshot(name, 2000);
        let Ok(like) =
            MachineSetup::like(&capture, name, selection::policy::allocator(&capture).known())
        else {
            return;
        };
        let areas = capture.swaps.reading.known().unwrap();
        if like.setup.areas.len() < areas.len() || areas.is_empty() {
            return;
        }
        let mut model = Simulated::new(like.setup);
        let paths: Vec<String> = model.setup.areas.iter().map(|area| area.path.clone()).collect();
        let place =
            |area: usize| paths.iter().position(|it| *it == areas[area].path.safe()).unwrap();
        for (area, captured) in areas.iter().enumerate() {
            let modelled = model.swap.areas()[u32::try_from(place(area)).unwrap()].priority;
            assert_eq!(modelled, captured.priority, "{name}: {}", captured.path.safe());
        }
        let Ok(selection) = selection::for_pages(&capture).get().cloned() else { return };
        for line in &selection.lines {
            let expected: Vec<usize> = line.places.iter().map(|it| place(it.area)).collect();
            let order = model.swap.order(line.node.unwrap_or(0));
            let order: Vec<usize> = order.iter().map(|area| *area as usize).collect();
            assert_eq!(order, expected, "{name}: {:?}", line.node);
        }
        ordered.lock().unwrap().push(name.clone());
        let used: Vec<u64> =
            areas.iter().map(|area| area.used.known().map_or(0, |used| used.0 / 4096)).collect();
        let total: u64 = used.iter().sum();
        if total < COMPARED_PAGES || model.setup.nodes > 1 {
            return;
        }
        for _ in 0..total {
            model.swap.allocate(0, 0).unwrap();
        }
        let mut farthest: f64 = 0.0;
        for (area, captured) in used.iter().enumerate() {
            let modelled = model.swap.areas()[u32::try_from(place(area)).unwrap()].used();
            let difference = f64::from(modelled) - *captured as f64;
            farthest = farthest.max(difference.abs() / total as f64);
        }
        assert!(farthest <= NEAR_SHARE, "{name}: {:.1} points {used:?}", farthest * 100.0);
        shared.lock().unwrap().push(name.clone());
    });
    let counts = [ordered, shared].map(|names| names.into_inner().unwrap().len());
    assert_eq!(counts, [ORDERED_CAPTURES, SHARED_CAPTURES]);
}

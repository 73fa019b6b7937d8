//! Every change asks the kernel for exactly what its plan says, and for what the lock and the journal need.

use crate::lab::{self, Lab};
use crate::scenarios::{self, Scenario};
use crate::tracer::{self, Call};
use crate::{in_lab, program};
use serde_json::Value;
use std::fs;

#[test]
fn the_calls_of_a_change_are_those_of_its_plan() {
    in_lab("the_calls_of_a_change_are_those_of_its_plan", |lab| {
        let all = [
            scenarios::on,
            scenarios::off,
            scenarios::priority,
            scenarios::set,
            scenarios::persist,
            scenarios::format,
            scenarios::file,
            scenarios::zram_add,
            scenarios::zram_remove,
        ];
        let mut differences = Vec::new();
        for make in all {
            match make(lab) {
                Ok(scenario) => differences.extend(difference(lab, &scenario)?),
                Err(reason) => lab::remark(&format!("the calls of a change: {reason}")),
            }
        }
        assert!(differences.is_empty(), "{}", differences.join("\n\n"));
        Ok(())
    });
}

/// How the calls differ from those of the plan, if they do.
fn difference(lab: &Lab, scenario: &Scenario<'_>) -> Result<Option<String>, String> {
    let _ = fs::remove_file(lab.scratch.file("journal"));
    (scenario.reset)();
    let plan = program::json((scenario.command)().args(["--dry-run", "--json"]));
    let trace = tracer::run(&mut (scenario.command)(), &lab.scratch.file(""), None)?;
    let said = program::describe_failure(&trace.output);
    assert!(trace.output.status.success(), "{}: {said}", scenario.name);
    let mut calls: Vec<String> =
        trace.calls.iter().filter(|call| call.result >= 0).map(|call| word(lab, call)).collect();
    // It is opened once more to look whether more is to be done.
    while calls.last().is_some_and(|call| call == "open JOURNAL") {
        calls.pop();
    }
    let mut expected = expected(&plan);
    // A file system that cannot allocate refuses it, and the file is written instead.
    let refused = trace.calls.iter().filter(|call| call.name == "allocate" && call.result < 0);
    let refused: Vec<String> = refused.map(|call| word(lab, call)).collect();
    if !refused.is_empty() {
        expected.retain(|call| !refused.contains(call));
        expected.dedup();
        calls.dedup();
    }
    let name = scenario.name;
    Ok((calls != expected).then(|| format!("{name}: {calls:#?}\nnot {expected:#?}\n{plan}")))
}

/// A call in one line. The journal is shown by its events, and files of configuration by their names in /etc.
fn word(lab: &Lab, call: &Call) -> String {
    let text = |path: &str| {
        let path = path.replace(lab.scratch.file("etc").to_str().expect("text"), "/etc");
        path.replace(lab.scratch.file("journal").to_str().expect("text"), "JOURNAL")
    };
    let path = text(&call.path).replace("/run/swapadm.lock", "LOCK");
    // An open file has the path without links.
    let path = path.replace("/sys/devices/virtual/block/", "/sys/block/");
    let event = serde_json::from_str::<Value>(&call.text).unwrap_or_default();
    let more = if let Some(event) = event["event"].as_str() {
        event
    } else if call.path.starts_with("/proc/sys") || call.path.starts_with("/sys") {
        call.text.trim()
    } else {
        ""
    };
    format!("{} {path} {more}", call.name).trim_end().to_owned()
}

/// The calls that a plan needs.
fn expected(plan: &Value) -> Vec<String> {
    let steps = plan["steps"].as_array().expect("steps");
    let lasts = |step: &Value| matches!(step["kind"].as_str(), Some("save" | "header" | "file"));
    let mut calls: Vec<String> = ["open LOCK", "allocate LOCK", "write LOCK", "open JOURNAL"]
        .map(str::to_owned)
        .into_iter()
        .chain(["write JOURNAL begin".to_owned()])
        .collect();
    for step in steps {
        calls.push("write JOURNAL try".to_owned());
        if lasts(step) {
            calls.push("sync JOURNAL".to_owned());
        }
        calls.extend(of_step(step));
        calls.push("write JOURNAL made".to_owned());
    }
    calls.push("write JOURNAL end".to_owned());
    if steps.iter().any(lasts) {
        calls.push("sync JOURNAL".to_owned());
    }
    calls
}

/// The calls of one step.
fn of_step(step: &Value) -> Vec<String> {
    let path = |key: &str| step[key]["path"].as_str().unwrap_or_default().to_owned();
    let own = step["path"].as_str().unwrap_or_default();
    match step["kind"].as_str().expect("a kind") {
        "on" => vec![format!("swapon {}", path("area"))],
        "off" => vec![format!("swapoff {}", path("area"))],
        "renew" => vec![format!("swapoff {}", path("from")), format!("swapon {}", path("to"))],
        "set" => {
            let [file, to] = ["file", "to"].map(|key| step[key].as_str().unwrap_or_default());
            vec![format!("open {file}"), format!("write {file} {to}")]
        }
        "header" => ["open", "write", "sync"].map(|call| format!("{call} {own}")).into(),
        "save" => saved(own, !step["from"].is_null()),
        "file" => {
            let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
            let calls = ["open", "own", "allocate", "write", "sync", "rename", "sync", "sync"];
            let more = |call| if call == "rename" { format!(" {own}") } else { String::new() };
            calls.map(|call| format!("{call} {folder}{}", more(call))).into()
        }
        "zram" => of_zram(step),
        other => panic!("{other}"),
    }
}

/// A file of configuration is written under another name, after its backup.
fn saved(path: &str, is_there: bool) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let new = format!("{path}.swapadm-new");
    let replace = |to: &str| {
        let owner = is_there.then(|| format!("own {new}"));
        let mut calls = vec![format!("open {new}"), format!("write {new}")];
        calls.extend(owner);
        calls.extend([format!("own {new}"), format!("sync {new}"), format!("rename {new} {to}")]);
        calls
    };
    let mut calls = if is_there { replace(&format!("{path}.swapadm-old")) } else { Vec::new() };
    calls.extend(replace(path));
    calls.push(format!("sync {folder}"));
    calls
}

fn of_zram(step: &Value) -> Vec<String> {
    let control = "/sys/class/zram-control";
    let number = step["number"].as_u64().expect("a number");
    if step["to"].is_null() {
        let remove = format!("{control}/hot_remove");
        return vec![format!("open {remove}"), format!("write {remove} {number}")];
    }
    let size = step["to"]["size"].as_u64().expect("a size");
    let disk = format!("/sys/block/zram{number}/disksize");
    vec![format!("open {control}/hot_add"), format!("open {disk}"), format!("write {disk} {size}")]
}

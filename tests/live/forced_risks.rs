//! A swapoff into a cgroup whose limit has no room, forced by naming the risk: processes killed by the
//! kernel are counted.

use crate::areas::{self, Area, Title};
use crate::change::{json_of, priority};
use crate::hog::Hog;
use crate::lab::{Lab, retry};
use crate::memory_limit::MemoryLimit;
use crate::program;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::{Value, json};
use std::fs;
use std::process::Stdio;

const MIB: u64 = 1 << 20;
static TITLE: Title =
    Title { label: "swapadm-live-fo", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000f0cc0de" };

/// A cgroup at its limit, most of whose memory is on the only area.
fn full(lab: &Lab) -> Result<(Area, MemoryLimit, Hog), String> {
    let area = areas::zram(lab, 256 * MIB, &TITLE, 32_000)?;
    let cage = MemoryLimit::new(lab, 32 * MIB)?;
    let mut hog = Hog::new(&cage);
    hog.fill(128);
    assert!(cage.swap() > 64 * MIB, "swapped out: {}", cage.swap());
    Ok((area, cage, hog))
}

/// A forced swapoff into a cgroup without room kills there: outcome and journal have the number.
pub(crate) fn kills_are_told(lab: &Lab) -> Result<(), String> {
    areas::are_ours_only()?;
    let (area, cage, _hog) = full(lab)?;
    let path = area.path.to_str().expect("text");
    let document = json_of(&mut program::journalled(lab, &["off", path, "--yes", "--json"]), 3);
    let checks = document["checks"].as_array().expect("checks");
    let refuses = |check: &Value| check["id"] == "cgroup" && check["verdict"] == "refuse";
    assert!(checks.iter().any(refuses), "{document}");
    let off = ["off", path, "--force", "cgroup", "--yes"];
    let output = program::journalled(lab, &off).output().expect("the program starts");
    let said = program::describe_failure(&output);
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let of = format!("1 process of cgroup {} was killed by the kernel", cage.path);
    assert!(words.contains(&of), "{said}");
    let journal = program::json(&mut program::journalled(lab, &["journal", "1", "--json"]));
    let killed = json!({ "event": "killed", "cgroup": cage.path, "processes": 1 });
    assert!(journal["events"].as_array().expect("events").contains(&killed), "{journal}");
    assert_eq!(output.status.code() == Some(0), priority(&area.path).is_none(), "{said}");
    Ok(())
}

/// The helper process has the name of the program, also in the kernel log, although it is started as
/// `/proc/self/exe`.
pub(crate) fn helper_is_named(lab: &Lab) -> Result<(), String> {
    let other = lab.scratch.file("exe");
    fs::copy(lab.scratch.program(), &other).expect("a copy of the program");
    // Nobody reads its output: the helper blocks before it would start the swapoff.
    let fifo = lab.scratch.file("order");
    mkfifo(&fifo, Mode::S_IRWXU).map_err(|error| format!("no FIFO: {error}"))?;
    let path = fifo.to_str().expect("text");
    let mut command = program::command(&other, &["__swap", path, "order", "x"]);
    let mut helper = command.stdout(Stdio::null()).spawn().expect("the program starts");
    let comm = format!("/proc/{}/comm", helper.id());
    let named = || Some(fs::read_to_string(&comm).ok()?.trim() == "swapadm");
    let is_named = retry(|| named().filter(|named| *named).ok_or(()));
    let _ = helper.kill();
    helper.wait().expect("it belongs to the test");
    assert!(is_named.is_ok(), "it has the name of its file");
    Ok(())
}

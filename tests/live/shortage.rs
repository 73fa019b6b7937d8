//! More data on an area than memory can take: in a virtual machine that may run out of memory.

use crate::areas::Title;
use crate::file::{MIB, active, priority, refused, text};
use crate::hog::Hog;
use crate::lab::Lab;
use crate::memory_limit::MemoryLimit;
use crate::{interface, program, test_vm};
use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

static TITLE: Title =
    Title { label: "swapadm-live-sh", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000540de" };
const SIZE: u64 = 1000 * MIB;
/// Memory of the load while it is filled, and by how much it is too large in the end.
const MEMORY: u64 = 64;
const MORE: u64 = 128;
const LOADS: u64 = 4;

pub(crate) fn of_memory(lab: &Lab) -> Result<(), String> {
    let disks = test_vm::disks()?;
    assert!(active().is_empty(), "no other swap is active");
    let area = disks[0].area(SIZE, &TITLE, 31_000)?;
    let name = text(&area.path);
    let cage = MemoryLimit::new(lab, MEMORY * MIB)?;
    // A swapoff can be stopped only between two processes.
    let mut loads: Vec<Hog> = (0..LOADS).map(|_| Hog::new(&cage)).collect();
    let load = memory("MemAvailable") / 1024 + MEMORY + MORE;
    assert!(load * MIB < SIZE, "a small machine is needed: {load} MiB do not fit on the disk");
    for hog in &mut loads {
        hog.fill(load / LOADS);
    }
    let sums: Vec<String> = loads.iter_mut().map(Hog::sum).collect();
    // No cgroup limit, only the memory of the machine.
    cage.lift();
    let (areas, programs) = (active(), programs());
    let words = ["to move, but only", "too little", "Add swap"];
    refused(lab, &["off", name], 3, &words);
    assert_eq!(active(), areas, "it is refused before it starts");
    let killed = kills();
    given_up(lab, name);
    assert_eq!(kills(), killed, "the change stops in time");
    is_as_before(&areas, &programs);
    // Pages swapped in go out again, as at first.
    cage.limit(MEMORY * MIB).expect("it took one before");
    cage.lift();
    interface::without_memory(lab, &area.path);
    assert_eq!(kills(), killed, "the change stops in time there as well");
    is_as_before(&areas, &programs);
    for (hog, sum) in loads.iter_mut().zip(sums) {
        hog.rest_unchanged(&sum);
    }
    Ok(())
}

/// A forced swapoff moves as much as memory allows, and stops before memory runs out; the area stays
/// enabled.
fn given_up(lab: &Lab, name: &str) {
    let arguments = ["off", name, "--force", "memory", "--yes", "--json"];
    let (held, least) = (used(), LowestAvailable::watch());
    let output = program::journalled(lab, &arguments).output().expect("the program starts");
    let (said, least) = (program::describe_failure(&output), least.end() / 1024);
    println!("{} MiB moved, and at least {least} MiB of memory left", (held - used()) / 1024);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("memory is about to run out"), "{said}");
    assert!(used() < held, "it was begun: {said}");
    assert_eq!(priority(name.as_ref()), Some(31_000), "{said}");
}

fn is_as_before(areas: &[(PathBuf, i32)], before: &[(u32, String)]) {
    assert_eq!(active(), areas);
    let now = programs();
    let gone: Vec<_> = before.iter().filter(|it| !now.contains(it)).collect();
    assert!(gone.is_empty(), "these died: {gone:?}");
}

/// All processes except kernel threads, which come and go.
fn programs() -> Vec<(u32, String)> {
    let folders = fs::read_dir("/proc").expect("processes").flatten();
    let pids = folders.filter_map(|folder| folder.file_name().to_str()?.parse().ok());
    let program = |pid: u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        (!line.is_empty()).then_some((pid, line))
    };
    pids.filter_map(program).collect()
}

/// Swap in use, in KiB.
fn used() -> u64 {
    memory("SwapTotal") - memory("SwapFree")
}

/// Samples available memory until it is told to end.
struct LowestAvailable {
    end: Sender<()>,
    least: JoinHandle<u64>,
}

impl LowestAvailable {
    fn watch() -> Self {
        let (end, ended) = mpsc::channel();
        let least = std::thread::spawn(move || {
            let mut least = memory("MemAvailable");
            while ended.recv_timeout(Duration::from_millis(5)) == Err(RecvTimeoutError::Timeout) {
                least = least.min(memory("MemAvailable"));
            }
            least
        });
        Self { end, least }
    }

    /// The value in KiB.
    fn end(self) -> u64 {
        drop(self.end);
        self.least.join().expect("it looked")
    }
}

fn kills() -> u64 {
    field("/proc/vmstat", "oom_kill")
}

/// The value in KiB.
fn memory(name: &str) -> u64 {
    field("/proc/meminfo", &format!("{name}:"))
}

fn field(file: &str, name: &str) -> u64 {
    let text = fs::read_to_string(file).expect("the file is readable");
    let mut lines = text.lines().map(str::split_whitespace);
    let value = lines.find_map(|mut line| (line.next()? == name).then(|| line.next())?);
    value.and_then(|value| value.parse().ok()).expect("a number")
}

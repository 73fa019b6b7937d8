//! Pages that come back to memory: moved by hand, or touched by their process, which waits for them.

use crate::areas::{self, Title};
use crate::change::json_of;
use crate::hog::Hog;
use crate::lab::Lab;
use crate::memory_limit::MemoryLimit;
use crate::settings::SavedSettings;
use crate::{lab, program, reference};
use std::fs;

const MIB: u64 = 1 << 20;
static TITLE: Title =
    Title { label: "swapadm-live-mv", uuid: "5a9c0f3e-7b1d-4e62-8f40-00000e0cc0de" };

/// A process comes back only after its cgroup has room; on version 1 the limit on memory plus swap is
/// raised with the memory limit.
pub(crate) fn a_process_returns(lab: &Lab) -> Result<(), String> {
    let _area = areas::zram(lab, 256 * MIB, &TITLE, 32_000)?;
    let cage = MemoryLimit::new(lab, 32 * MIB)?;
    let mut hog = Hog::new(&cage);
    hog.fill(128);
    let pid = hog.pid().to_string();
    let swapped = || reference::bytes(&reference::status(hog.pid()).expect("alive"), "VmSwap");
    assert!(swapped() > Some(64 * MIB), "swapped out: {:?}", swapped());

    let back = ["process", "swapin", &pid, "--yes", "--json"];
    let refused = json_of(&mut program::journalled(lab, &back), 3);
    assert!(refused.to_string().contains("Raise it first"), "{refused}");

    let memsw = cage.folder.join("memory.memsw.limit_in_bytes");
    let knob = if cage.version == 1 { "memory.limit_in_bytes" } else { "memory.max" };
    if cage.version == 1 {
        fs::write(&memsw, (192 * MIB).to_string()).map_err(|error| format!("memsw: {error}"))?;
    }
    let raise = ["set", "--cgroup", &cage.path, knob, "256M", "--yes", "--json"];
    json_of(&mut program::journalled(lab, &raise), 0);
    if cage.version == 1 {
        let both = fs::read_to_string(&memsw).expect("the limit");
        assert_eq!(both.trim(), (416 * MIB).to_string(), "the room for swap stays");
    }

    let done = json_of(&mut program::journalled(lab, &back), 0);
    assert_eq!(swapped(), Some(0), "{done}");
    assert!(done["outcome"]["remark"].to_string().contains("swap"), "{done}");
    Ok(())
}

/// The waits of a process for swap are counted from the start of delay accounting on.
pub(crate) fn waits_are_counted(lab: &Lab) -> Result<(), String> {
    const SWITCH: &str = "/proc/sys/kernel/task_delayacct";
    if fs::metadata(SWITCH).is_err() {
        lab::remark("waits for swap: this kernel has no kernel.task_delayacct");
        return Ok(());
    }
    let _saved = SavedSettings::new(&[SWITCH]);
    let waits = |hog: &Hog| {
        let pid = hog.pid().to_string();
        let shown =
            program::json(&mut program::journalled(lab, &["process", "show", &pid, "--json"]));
        shown["tables"]["processes"]["rows"][0].clone()
    };
    let _area = areas::zram(lab, 256 * MIB, &TITLE, 32_000)?;
    let cage = MemoryLimit::new(lab, 32 * MIB)?;
    fs::write(SWITCH, "0").map_err(|error| format!("{SWITCH}: {error}"))?;
    let mut hog = Hog::new(&cage);
    hog.fill(64);
    let off = waits(&hog);
    let why = off["missing"]["swap_wait"]["why"].to_string();
    assert!(why.contains("kernel.task_delayacct is 0"), "{off}");
    drop(hog);
    fs::write(SWITCH, "1").map_err(|error| format!("{SWITCH}: {error}"))?;
    let mut hog = Hog::new(&cage);
    hog.fill(64);
    // Zero is missing: it can mean that the process started too early.
    let before = waits(&hog)["swap_wait"].as_f64().unwrap_or(0.0);
    hog.renew();
    let after = waits(&hog)["swap_wait"].as_f64().expect("counted");
    assert!(after > before, "{before} s, then {after} s");
    Ok(())
}

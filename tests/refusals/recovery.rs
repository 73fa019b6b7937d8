//! Recoveries that take swap or memory away are checked like other changes.

use crate::common::{Machine, answers};
use serde_json::json;
use std::process::Output;

const BOOT: &str = "0b7a1f9e-2c1d-4c55-8f40-0000000000b0";

/// Recovers a plan of these steps, which was interrupted in the last one.
fn recover(steps: &[serde_json::Value], more: &[&str]) -> Output {
    let machine = Machine::unpack("6.1-mixed-loaded");
    machine.write("proc/sys/kernel/random/boot_id", BOOT);
    machine.write(
        "proc/swaps",
        "Filename Type Size Used Priority\n/dev/vda partition 262140 262140 10\n/mnt/swapfile file 65428 65000 5\n",
    );
    machine
        .write("proc/meminfo", "MemTotal: 981432 kB\nMemFree: 15000 kB\nMemAvailable: 20000 kB\n");
    machine.write("proc/sys/vm/swappiness", "100\n");
    let mut events =
        vec![json!({"event": "begin", "title": "apply", "steps": steps, "undoes": null})];
    for step in 0..steps.len() {
        events.push(json!({"event": "try", "step": step, "back": false}));
        if step + 1 < steps.len() {
            events.push(
                json!({"event": "made", "step": step, "back": false, "moved": 0, "seconds": 0.0}),
            );
        }
    }
    let line = |mut event: serde_json::Value| {
        event["plan"] = 1.into();
        event["at_ms"] = 1.into();
        event["boot"] = BOOT.into();
        format!("{event}\n")
    };
    machine
        .write("var/lib/swapadm/journal.jsonl", events.into_iter().map(line).collect::<String>());
    machine.run(&[&["recover", "--dry-run"], more].concat())
}

fn swappiness() -> serde_json::Value {
    json!({"kind": "set", "what": "swappiness", "file": "/proc/sys/vm/swappiness", "from": "60", "to": "100"})
}

#[test]
fn a_recovery_that_takes_swap_away_is_checked() {
    let on = json!({"kind": "on", "area": {"path": "/mnt/swapfile", "priority": {"set": 5}, "discard": "none"}});
    let limit = json!({"kind": "set", "what": "memory.max of /hog", "file": "/sys/fs/cgroup/hog/memory.max",
        "from": "10485760", "to": "67108864"});
    let renew = json!({"kind": "renew",
        "from": {"path": "/dev/vda", "priority": {"set": 9}, "discard": "none"},
        "to": {"path": "/dev/vda", "priority": {"set": 10}, "discard": "none"}});
    let last = json!({"kind": "set", "what": "page-cluster", "file": "/proc/sys/vm/page-cluster", "from": "3", "to": "0"});
    for (step, why) in [
        (on, "/mnt/swapfile: 63.5M to move, but only"),
        (limit, "memory.max"),
        (renew, "/dev/vda: 256M to move, but only"),
    ] {
        let refused = recover(&[step, last.clone()], &[]);
        let said = String::from_utf8_lossy(&refused.stdout);
        assert!(said.contains("REFUSED") && said.contains(why), "{said}");
        assert_eq!(refused.status.code(), Some(3));
    }
    let shown = recover(&[swappiness(), last], &[]);
    answers(&shown, "settings of the machine are restored without further checks");
    assert!(!String::from_utf8_lossy(&shown.stdout).contains("overcommit"), "{shown:?}");
}

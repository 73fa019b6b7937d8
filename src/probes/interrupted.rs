//! Interrupted changes: plans in the journal of swapadm that did not come to an end.
//!
//! No kernel interface: the journal is written by `actions/journal.rs`; readable by root only. A live machine
//! without a journal has no interrupted change; captures leave it out. A plan that is carried out now is not interrupted: its process, or
//! the helper that finishes what it began, holds the lock. Processes may be hidden (`hidepid`), the lock is not.
//! Not done here: plans of earlier boots, whose changes of the running kernel are gone, and whose changes of files
//! `swapadm recover` finds.

use super::probe::BootCache;
use super::{Probe, ReadInterval};
use crate::model::swaparea::InterruptedPlan;
use crate::model::{Missing, Name, Part, Reading};
use crate::probes::scan;
use crate::root::{FileFacts, JOURNAL, Root};
use serde::Deserialize;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Interrupted,
    id: "interrupted",
    tier: ReadInterval::Medium,
    files: &[JOURNAL, LOCK, BOOT],
    about: "Changes by swapadm that were interrupted",
    remedy: "run as root",
};

const LOCK: &str = "run/swapadm.lock";
/// Bytes that are read at the end of the journal. Its lines, at most 20,000, may have more bytes than this; the oldest
/// do not matter.
const LONGEST: u64 = 4 << 20;
const BOOT: &str = "proc/sys/kernel/random/boot_id";

/// The fields of a journal line that tell how a plan ended.
#[derive(Deserialize)]
struct JournalEntry {
    plan: u64,
    boot: String,
    event: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    steps: Vec<StepKind>,
    #[serde(default)]
    areas: Vec<ActiveArea>,
    #[serde(default)]
    end: Option<String>,
}

#[derive(Deserialize)]
struct StepKind {
    kind: String,
}

#[derive(Deserialize)]
struct ActiveArea {
    path: Name,
}

/// Reads the interrupted plans of this boot, oldest first.
pub fn read(root: &Root) -> Reading<Vec<InterruptedPlan>> {
    let plans = match recorded_plans(root).into_result() {
        Ok(plans) => plans,
        Err(Missing::Absent(_)) if root.is_live() => return Reading::Known(Vec::new()),
        Err(missing) => return missing.into(),
    };
    root.is_locked(LOCK).map(|is_changing| {
        let (mut open, running) = plans;
        // The lock lets only one process at a time change swap, and its plan is the last one.
        if is_changing && open.last().is_some_and(|last| Some(last.plan) == running) {
            open.pop();
        }
        open
    })
}

/// The plans in the journal, which is parsed again only after it changed: it may have thousands of lines.
fn recorded_plans(root: &Root) -> Reading<RecordedPlans> {
    static PARSED: BootCache<RecordedPlans, FileFacts> = BootCache::new();
    let read = || {
        let journal = root.read_tail(root.journal(), LONGEST);
        journal.map2(root.line(BOOT), |journal, boot| open_plans(&journal, &boot))
    };
    match root.facts(root.journal()).known() {
        Some(facts) => PARSED.get_while_same(root, *facts, read),
        None => read(),
    }
}

/// The plans that need repair, and the last one if it has no end.
type RecordedPlans = (Vec<InterruptedPlan>, Option<u64>);

fn open_plans(journal: &[u8], boot: &str) -> RecordedPlans {
    let (mut open, mut running): (Vec<InterruptedPlan>, _) = (Vec::new(), None);
    // Most lines of a long journal are about steps or of another boot, and need no parsing.
    let is_needed = |line: &&str| {
        line.contains(boot) && (line.contains(r#""begin""#) || line.contains(r#""end""#))
    };
    let lines = scan::lines(journal).filter_map(|line| str::from_utf8(line).ok());
    let entries = lines.filter(is_needed).filter_map(|line| serde_json::from_str(line).ok());
    for JournalEntry { plan, boot: at, event, title, steps, areas, end } in entries {
        if event == "begin" {
            running = Some(plan);
        } else if event == "end" {
            running = running.filter(|other| *other != plan);
        }
        match (event.as_str(), end.as_deref()) {
            // What was only ordered, such as writeback of a zram device, leaves nothing to repair.
            ("begin", _) if !steps.is_empty() && steps.iter().all(|step| step.kind == "order") => {}
            ("begin", _) if at == boot => {
                let areas = areas.into_iter().map(|area| area.path).collect();
                open.push(InterruptedPlan { plan, title, areas });
            }
            // A plan that ended as partial stays listed: some of its steps are in effect, and a person should know.
            ("end", end) if end != Some("partial") => open.retain(|other| other.plan != plan),
            _ => {}
        }
    }
    (open, running)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;
    use crate::root::whole_file_lock;
    use nix::fcntl::{FcntlArg, OFlag, fcntl, open};
    use nix::libc;
    use nix::sys::stat::Mode;
    use std::os::fd::OwnedFd;

    fn begin(plan: u64, boot: &str) -> String {
        let areas = r#"[{"path":"/dev/sda2","size":4096,"priority":-2}]"#;
        format!(
            r#"{{"plan":{plan},"at_ms":1,"boot":"{boot}","event":"begin","title":"off","steps":[],"undoes":null,"areas":{areas}}}"#
        )
    }

    fn end(plan: u64, how: &str) -> String {
        format!(
            r#"{{"plan":{plan},"at_ms":1,"boot":"now","event":"end","end":"{how}","why":null}}"#
        )
    }

    fn tree(lines: &[String]) -> TestTree {
        TestTree::with(&[(BOOT, "now\n"), (JOURNAL, &(lines.join("\n") + "\n"))])
    }

    /// Holds the lock as a change does, as long as the file is open.
    fn hold(tree: &TestTree) -> OwnedFd {
        let file = open(&tree.path().join(LOCK), OFlag::O_RDWR, Mode::empty()).unwrap();
        fcntl(&file, FcntlArg::F_OFD_SETLK(&whole_file_lock(libc::F_WRLCK))).unwrap();
        file
    }

    fn plans(tree: &TestTree) -> Vec<u64> {
        let plans = read(&tree.root()).into_result().unwrap();
        assert!(plans.iter().all(|plan| plan.areas == [Name::from("/dev/sda2")]), "{plans:?}");
        plans.iter().map(|plan| plan.plan).collect()
    }

    #[test]
    fn plans_of_this_boot_without_an_end_are_interrupted() {
        let lines = [
            begin(1, "before"),
            begin(2, "now"),
            begin(3, "now"),
            end(3, "done"),
            begin(4, "now"),
            end(4, "partial"),
            begin(5, "now"),
            end(5, "recovered"),
            "not json".to_owned(),
            r#"{"plan":2,"at_ms":1,"boot":"now","event":"try","step":0,"back":false}"#.to_owned(),
        ];
        assert_eq!(plans(&tree(&lines)), [2, 4]);
        let closed = [&lines[..], &[end(2, "recovered"), end(4, "dismissed")]].concat();
        assert_eq!(plans(&tree(&closed)), [0; 0]);
        let in_a_capture = read(&TestTree::new().root());
        assert!(in_a_capture.is_absent(), "captures leave it out: {in_a_capture:?}");
    }

    #[test]
    fn a_plan_that_only_gives_an_order_needs_no_repair() {
        let with = |kinds: &str| begin(1, "now").replace(r#""steps":[]"#, kinds);
        let order = with(r#""steps":[{"kind":"order","what":"","file":"/proc/7/mem","word":"x"}]"#);
        assert_eq!(plans(&tree(&[order])), [0; 0]);
        let both = with(r#""steps":[{"kind":"order"},{"kind":"set"}]"#);
        assert_eq!(plans(&tree(&[both])), [1]);
    }

    #[test]
    fn a_plan_that_is_carried_out_now_is_not_interrupted() {
        let tree = tree(&[begin(1, "now"), begin(2, "now")]);
        tree.write(LOCK, "pid 77: off");
        assert_eq!(plans(&tree), [1, 2], "its process ended");
        // No other process is seen, as with hidepid.
        let lock = hold(&tree);
        assert_eq!(plans(&tree), [1]);
        drop(lock);
    }

    #[test]
    fn a_lock_without_a_running_plan_hides_no_interrupted_plan() {
        for lines in [
            vec![begin(1, "now"), begin(2, "now"), end(2, "done")],
            vec![begin(1, "now"), end(1, "partial")],
        ] {
            let tree = tree(&lines);
            tree.write(LOCK, "pid 77: off");
            let lock = hold(&tree);
            assert_eq!(plans(&tree), [1], "{lines:?}");
            drop(lock);
        }
    }

    #[test]
    fn the_end_of_a_long_journal_is_read() {
        let other = end(9, &"x".repeat(1 << 20));
        let lines = [begin(1, "now"), other.clone(), other.clone(), other.clone(), other];
        assert_eq!(plans(&tree(&[&lines[..], &[begin(2, "now")]].concat())), [2]);
    }
}

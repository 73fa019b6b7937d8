//! Interrupted changes: plans in the journal of swapadm that did not come to an end.
//!
//! No kernel interface: the journal is written by `actions/journal.rs`; readable by root only. A machine
//! without a journal has no interrupted change. A plan that is carried out now is not interrupted: the lock
//! file names the process that does it. Not done here: plans of earlier boots, whose changes of the running
//! kernel are gone, and whose changes of files `swapadm recover` finds.

use super::{Probe, ReadInterval};
use crate::model::interrupted::InterruptedPlan;
use crate::model::{Missing, Name, Part, Reading};
use crate::probes::scan;
use crate::root::Root;
use serde::Deserialize;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Interrupted,
    id: "interrupted",
    tier: ReadInterval::Medium,
    files: &[JOURNAL, LOCK, BOOT, "proc/*/comm"],
    about: "Changes by swapadm that were interrupted",
    remedy: "run as root",
};

const JOURNAL: &str = "var/lib/swapadm/journal.jsonl";
const LOCK: &str = "run/swapadm.lock";
/// The end of a journal that is read: 20,000 lines may have more, of which the oldest do not matter.
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
    let journal = match root.read_tail(JOURNAL, LONGEST).into_result() {
        Ok(journal) => journal,
        Err(Missing::Absent(_)) => return Reading::Known(Vec::new()),
        Err(missing) => return missing.into(),
    };
    root.line(BOOT).map(|boot| {
        let (mut open, running) = open_plans(&journal, &boot);
        // The lock lets only one process at a time change swap, and its plan is the last one. The process
        // may live on when it has released the lock, as the interface does.
        if open.last().is_some_and(|last| Some(last.plan) == running) && is_changing(root) {
            open.pop();
        }
        open
    })
}

/// The plans that need repair, and the last one if it has no end.
fn open_plans(journal: &[u8], boot: &str) -> (Vec<InterruptedPlan>, Option<u64>) {
    let (mut open, mut running): (Vec<InterruptedPlan>, _) = (Vec::new(), None);
    let entries = scan::lines(journal).filter_map(|line| serde_json::from_slice(line).ok());
    for JournalEntry { plan, boot: at, event, title, steps, areas, end } in entries {
        if event == "begin" {
            running = Some(plan);
        } else if event == "end" {
            running = running.filter(|other| *other != plan);
        }
        match (event.as_str(), end.as_deref()) {
            // An order leaves nothing to repair.
            ("begin", _) if !steps.is_empty() && steps.iter().all(|step| step.kind == "order") => {}
            ("begin", _) if at == boot => {
                let areas = areas.into_iter().map(|area| area.path).collect();
                open.push(InterruptedPlan { plan, title, areas });
            }
            // The last steps of a plan may be left in effect on purpose, but a person should know.
            ("end", end) if end != Some("partial") => open.retain(|other| other.plan != plan),
            _ => {}
        }
    }
    (open, running)
}

/// Returns whether the process that took the lock last still runs, or its helper, which finishes what it began.
fn is_changing(root: &Root) -> bool {
    let owner = root.line(LOCK);
    let pids = owner.known().and_then(|text| text.strip_prefix("pid ")?.split_once(':'));
    let mut pids = pids.into_iter().flat_map(|(pids, _)| pids.split(", helper "));
    pids.any(|pid| {
        pid.parse::<u32>().is_ok_and(|pid| {
            root.line(format!("proc/{pid}/comm")) == Reading::Known("swapadm".into())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

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
        assert_eq!(plans(&TestTree::new()), [0; 0], "nothing was ever changed");
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
        tree.write("proc/77/comm", "swapadm\n");
        assert_eq!(plans(&tree), [1]);
        tree.write("proc/77/comm", "other\n");
        assert_eq!(plans(&tree), [1, 2], "the number is used again");
        tree.write(LOCK, "pid 77, helper 78: off");
        tree.write("proc/78/comm", "swapadm\n");
        assert_eq!(plans(&tree), [1], "its helper goes on");
    }

    #[test]
    fn a_process_that_lives_on_after_its_change_hides_no_interrupted_plan() {
        for lines in [
            vec![begin(1, "now"), begin(2, "now"), end(2, "done")],
            vec![begin(1, "now"), end(1, "partial")],
        ] {
            let tree = tree(&lines);
            tree.write(LOCK, "pid 77: off");
            tree.write("proc/77/comm", "swapadm\n");
            assert_eq!(plans(&tree), [1], "{lines:?}");
        }
    }

    #[test]
    fn the_end_of_a_long_journal_is_read() {
        let other = end(9, &"x".repeat(1 << 20));
        let lines = [begin(1, "now"), other.clone(), other.clone(), other.clone(), other];
        assert_eq!(plans(&tree(&[&lines[..], &[begin(2, "now")]].concat())), [2]);
    }
}

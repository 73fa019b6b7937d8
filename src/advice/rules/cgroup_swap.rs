//! Rule about cgroups that have used up their swap limit.

use crate::advice::{EvidenceCell, Finding, Rule, RuleResult, Severity};
use crate::derive::balance::total_use;
use crate::derive::cgroups::{AT_LIMIT, is_at_swap_limit, limit_use, swap_limit_hits};
use crate::derive::{SampleView, compression};
use crate::model::users::{Cgroup, CgroupVersion};
use crate::model::{Missing, Policy, Shared, part_set};

/// Reports cgroups that want more swap than their limit allows.
pub(super) const CGROUP_SWAP: Rule =
    Rule::new("cgroup-swap", "a cgroup has used up its swap limit", cgroup_swap)
        .about("Reported if a cgroup has used up its swap limit (memory.swap.max), the kernel wanted to swap out more of it between the samples, and the areas are filled to less than {use_warn}. It is a warning if the memory of the cgroup is at its limit as well: the kernel kills processes in it next. A limit of 0 is not reported: it keeps the cgroup out of swap on purpose. On version 1 the swap limit is what memory.memsw.limit_in_bytes leaves above the memory limit.")
        .needs(part_set![Cgroups, Swaps])
        .thresholds(&["use_warn"]);

fn cgroup_swap(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let tree = view.now.cgroups.reading.get()?;
    let full: Vec<&Shared<Cgroup>> =
        tree.groups.iter().filter(|group| is_at_swap_limit(group)).collect();
    let (used, size) = total_use(view)?;
    let share = compression::quotient(used, size);
    let has_room = share.known().is_some_and(|share| *share < policy.use_warn);
    if full.is_empty() || !has_room {
        return Ok(vec![]);
    }
    let before = view.before.ok_or(Missing::NotSampled)?.cgroups.reading.get()?;
    let is_hit = |group: &&Shared<Cgroup>| {
        let was = before.groups.iter().find(|was| was.path == group.path);
        let hits = was.map(|was| (swap_limit_hits(was), swap_limit_hits(group)));
        hits.is_some_and(|(was, is)| was.known().zip(is.known()).is_some_and(|(was, is)| is > was))
    };
    let hit = full.into_iter().filter(is_hit);
    Ok(hit.map(|group| finding(group, tree.version)).collect())
}

fn finding(group: &Cgroup, version: CgroupVersion) -> Finding {
    let name = group.path.safe();
    let is_memory_full = limit_use(group).known().is_some_and(|used| *used >= AT_LIMIT);
    let severity = if is_memory_full { Severity::Warn } else { Severity::Note };
    let sentence = "Swap has room, but the kernel swaps out no more of this cgroup: what its processes hardly use stays in memory. At its memory limit, the kernel kills processes in it. Raise the swap limit, raise the memory limit, or reduce the workload.";
    let limits = match version {
        CgroupVersion::V2 => ["swap_max", "swap_max_hits"],
        CgroupVersion::V1 => ["memsw_max", "memsw_fail"],
    };
    let cell = |column| EvidenceCell::for_row("cgroups", group.path.exact(), column);
    Finding::warn(CGROUP_SWAP.id, format!("cgroup {name} has used up its swap limit"), sentence)
        .with_severity(severity)
        .with_subject(name)
        .shown_by(["swap"].into_iter().chain(limits).map(cell))
}

#[cfg(test)]
mod tests {
    use super::CGROUP_SWAP;
    use crate::advice::testing::TestMachine;

    const ID: &str = CGROUP_SWAP.id;

    /// A machine with a cgroup: its memory and swap below limits of 100 and this many MiB, and how often the
    /// swap limit was hit at the two samples.
    fn machine(memory: u64, swap: u64, limit: u64, hits: [u64; 2]) -> TestMachine {
        let machine = TestMachine::default().disk("sda", 5, (1000, swap));
        machine.with_cgroup(memory, swap, 100).with_swap_limit(limit, hits)
    }

    #[test]
    fn a_cgroup_that_wants_more_swap_than_its_limit_is_reported() {
        for (memory, swap, limit, hits, expected) in [
            (100, 50, 50, [1, 2], &["warn"][..]),
            (60, 50, 50, [1, 2], &["note"]),
            (100, 50, 50, [2, 2], &[]),
            (100, 40, 50, [1, 2], &[]),
            (100, 0, 0, [1, 2], &[]),
        ] {
            let found = machine(memory, swap, limit, hits).severities(ID);
            assert_eq!(found, expected, "{memory} {swap} {limit} {hits:?}");
        }
        assert_eq!(machine(100, 50, 50, [1, 2]).evidence_values(ID).len(), 3);
    }

    #[test]
    fn full_swap_is_not_the_fault_of_the_limit() {
        let full = machine(100, 50, 50, [1, 2]).disk("sdb", 4, (99_000, 99_000));
        assert_eq!(full.severities(ID), [""; 0]);
    }
}

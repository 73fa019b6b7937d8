//! Rules about cgroups that have used up their swap limit, and about processes that the kernel
//! killed because memory ran out.

use crate::advice::finding::cells;
use crate::advice::{EvidenceCell, Finding, Rule, RuleResult, Severity};
use crate::derive::balance::total_use;
use crate::derive::cgroups::{self, AT_LIMIT, is_at_swap_limit, limit_use, swap_limit_hits};
use crate::derive::{SampleView, compression};
use crate::model::users::{
    Cgroup, CgroupKills, CgroupTree, CgroupVersion, Limit, OomKilled, OomKills,
};
use crate::model::{Missing, Name, Policy, Reading, Shared, part_set};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;

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
    Ok(hit.map(|group| limit_finding(group, tree.version)).collect())
}

fn limit_finding(group: &Cgroup, version: CgroupVersion) -> Finding {
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

/// Reports OOM kills.
pub(super) const OOM_KILLS: Rule =
    Rule::new("oom-kills", "the kernel killed processes because memory ran out", oom_kills)
        .about("Critical if the kernel killed processes between the samples because memory ran out, on the machine or in a cgroup at its limit. Earlier kills are a note for a cgroup with a memory limit of its own, because its limit may have caused them and is still there; its count holds all kills since the cgroup was created. Earlier kills elsewhere are not reported, because nothing shows when they happened. Reads oom_kill of memory.events, or of memory.oom_control on version 1.")
        .needs(part_set![Cgroups, Vmstat]);

fn oom_kills(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let now = cgroups::oom_kills_in(view.now);
    let before = view.before.map(cgroups::oom_kills_in);
    let since = |it| cgroups::oom_kills_between(it, &now);
    let recent = before.as_ref().map_or_else(Vec::new, since);
    let mut found: Vec<Finding> = recent.iter().map(recent_finding).collect();
    let is_recent = |killed: &OomKilled| recent.iter().any(|it| it.cgroup == killed.cgroup);
    let earlier = before.filter(|it| it.cgroups.known().is_some()).unwrap_or_else(|| now.clone());
    let earlier = earlier_kills(view, earlier).into_iter().filter(|killed| !is_recent(killed));
    found.extend(earlier.filter_map(|killed| Some(earlier_finding(&killed.cgroup?))));
    match now.cgroups.missing() {
        Some(missing) if found.is_empty() && !matches!(missing, Missing::Absent(_)) => {
            Err(missing.clone())
        }
        _ => Ok(found),
    }
}

/// Returns all kills in cgroups with a memory limit. Those in cgroups below without a limit of their own
/// count too.
fn earlier_kills(view: &SampleView<'_>, mut until: OomKills) -> Vec<OomKilled> {
    let Reading::Known(tree) = &*view.now.cgroups.reading else { return Vec::new() };
    let none = CgroupKills { version: tree.version, counts: BTreeMap::new() };
    let created = OomKills { machine: Reading::not_sampled(), cgroups: Reading::Known(none) };
    until.cgroups = until.cgroups.map(|mut kills| {
        // The counters of version 2 include those of the cgroups below.
        if tree.version == CgroupVersion::V1 {
            add_to_limited(tree, &mut kills);
        }
        let limited = limited_paths(tree);
        kills.counts.retain(|path, _| limited.contains(path));
        kills
    });
    cgroups::oom_kills_between(&created, &until)
}

/// Adds the counts of cgroups without a limit to the nearest cgroup above that has one.
fn add_to_limited(tree: &CgroupTree, kills: &mut CgroupKills) {
    let counts: Vec<(Name, u64)> =
        kills.counts.iter().map(|(path, count)| (path.clone(), *count)).collect();
    let limited = limited_paths(tree);
    for (path, count) in counts.into_iter().filter(|(path, _)| !limited.contains(path)) {
        let above =
            path.as_path().ancestors().skip(1).map(|it| Name::new(it.as_os_str().as_bytes()));
        if let Some(limited) = above.into_iter().find(|above| limited.contains(above)) {
            *kills.counts.entry(limited).or_default() += count;
        }
    }
}

fn limited_paths(tree: &CgroupTree) -> BTreeSet<&Name> {
    let limited =
        |group: &&Shared<Cgroup>| matches!(group.memory_max, Reading::Known(Limit::Bytes(_)));
    tree.groups.iter().filter(limited).map(|group| &group.path).collect()
}

fn recent_finding(killed: &OomKilled) -> Finding {
    let Some(path) = &killed.cgroup else {
        let sentence = "The kernel found no memory that it could reclaim, and killed processes. Reduce memory use, or add memory or swap.";
        return Finding::warn(
            OOM_KILLS.id,
            "memory ran out: the kernel killed processes",
            sentence,
        )
        .with_severity(Severity::Crit)
        .shown_by(cells("paging", ["oom_kill_rate"]));
    };
    let sentence = "Memory ran out in this cgroup, in one above it or on the whole machine; the kernel could reclaim nothing more there, and killed processes. Raise the limit, add swap, or reduce the workload.";
    kill_finding(path, sentence).with_severity(Severity::Crit)
}

fn earlier_finding(path: &Name) -> Finding {
    let sentence = "The kernel killed processes of this cgroup since it was created: memory ran out in it, in one above it or on the whole machine. Raise its limit, add swap, or reduce the workload, unless you have done so since.";
    kill_finding(path, sentence).with_severity(Severity::Note)
}

fn kill_finding(path: &Name, sentence: &str) -> Finding {
    let name = path.safe();
    let summary = format!("memory ran out in cgroup {name}: the kernel killed processes");
    Finding::warn(OOM_KILLS.id, summary, sentence)
        .with_subject(name)
        .shown_by([EvidenceCell::for_row("cgroups", path.exact(), "oom_kills")])
}

#[cfg(test)]
mod tests {
    use super::{CGROUP_SWAP, OOM_KILLS};
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

    const KILLS: &str = OOM_KILLS.id;

    #[test]
    fn kills_between_the_samples_are_critical_and_earlier_ones_a_note() {
        let machine = || TestMachine::default().with_cgroup(100, 0, 100);
        assert_eq!(machine().severities(KILLS), [""; 0]);
        assert_eq!(machine().killed(2, 0).severities(KILLS), ["note"]);
        assert_eq!(
            machine().killed(2, 1).severities(KILLS),
            ["crit"],
            "one finding for one cgroup"
        );
        assert_eq!(machine().killed(2, 1).evidence_values(KILLS), ["3"]);
    }

    #[test]
    fn kills_outside_of_cgroups_are_reported_when_they_happen() {
        let machine = |now| TestMachine::default().long_ago("oom_kill", 5).counted("oom_kill", now);
        assert_eq!(machine(0).severities(KILLS), [""; 0]);
        assert_eq!(machine(1).severities(KILLS), ["crit"]);
    }
}

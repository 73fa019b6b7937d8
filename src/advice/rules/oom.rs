//! Rule about processes that the kernel killed because memory ran out.

use crate::advice::finding::cells;
use crate::advice::{EvidenceCell, Finding, Rule, RuleResult, Severity};
use crate::derive::{SampleView, cgroups};
use crate::model::users::{
    Cgroup, CgroupKills, CgroupTree, CgroupVersion, Limit, OomKilled, OomKills,
};
use crate::model::{Missing, Name, Policy, Reading, Shared, part_set};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;

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
        .shown_by(cells("paging", ["oom_kills"]));
    };
    let sentence = "Memory ran out in this cgroup, in one above it or on the whole machine; the kernel could reclaim nothing more there, and killed processes. Raise the limit, add swap, or reduce the workload.";
    finding(path, sentence).with_severity(Severity::Crit)
}

fn earlier_finding(path: &Name) -> Finding {
    let sentence = "The kernel killed processes of this cgroup since it was created: memory ran out in it, in one above it or on the whole machine. Raise its limit, add swap, or reduce the workload, unless you have done so since.";
    finding(path, sentence).with_severity(Severity::Note)
}

fn finding(path: &Name, sentence: &str) -> Finding {
    let name = path.safe();
    let summary = format!("memory ran out in cgroup {name}: the kernel killed processes");
    Finding::warn(OOM_KILLS.id, summary, sentence)
        .with_subject(name)
        .shown_by([EvidenceCell::for_row("cgroups", path.exact(), "oom_kills")])
}

#[cfg(test)]
mod tests {
    use super::OOM_KILLS;
    use crate::advice::testing::TestMachine;

    const ID: &str = OOM_KILLS.id;

    #[test]
    fn kills_between_the_samples_are_critical_and_earlier_ones_a_note() {
        let machine = || TestMachine::default().with_cgroup(100, 0, 100);
        assert_eq!(machine().severities(ID), [""; 0]);
        assert_eq!(machine().killed(2, 0).severities(ID), ["note"]);
        assert_eq!(machine().killed(2, 1).severities(ID), ["crit"], "one finding for one cgroup");
        assert_eq!(machine().killed(2, 1).evidence_values(ID), ["3"]);
    }

    #[test]
    fn kills_outside_of_cgroups_are_reported_when_they_happen() {
        let machine = |now| TestMachine::default().long_ago("oom_kill", 5).counted("oom_kill", now);
        assert_eq!(machine(0).severities(ID), [""; 0]);
        assert_eq!(machine(1).severities(ID), ["crit"]);
    }
}

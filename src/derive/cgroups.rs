//! How close a cgroup is to its memory limit, and OOM kills per cgroup.

use super::view::CounterChange;
use super::{SampleView, compression};
use crate::model::users::{
    Cgroup, CgroupKills, CgroupTree, CgroupVersion, Limit, OOM_KILL, OomKilled, OomKills,
};
use crate::model::{Bytes, Missing, Name, Policy, Reading, Shared, Snapshot};
use std::collections::BTreeMap;
use std::path::Path;

/// Share of its limit from which on a cgroup counts as being at the limit: the kernel reclaims a little
/// more than needed, so use rarely equals the limit.
pub const AT_LIMIT: f64 = 0.95;

/// Returns the limit at which the kernel reclaims memory of the cgroup: the lower of max and high. Version 1
/// has no high limit.
pub fn limit(group: &Cgroup) -> Reading<Limit> {
    let high = match group.memory_high.missing() {
        Some(Missing::Absent(_)) => Reading::Known(Limit::Unlimited),
        _ => group.memory_high.clone(),
    };
    group.memory_max.clone().map2(high, lower)
}

fn lower(a: Limit, b: Limit) -> Limit {
    match (a, b) {
        (Limit::Bytes(a), Limit::Bytes(b)) => Limit::Bytes(a.min(b)),
        (Limit::Unlimited, limit) | (limit, Limit::Unlimited) => limit,
    }
}

/// Returns the memory of the cgroup as a share of that limit.
pub fn limit_use(group: &Cgroup) -> Reading<f64> {
    group.memory_current.clone().and_then2(limit(group), |memory, limit| match limit {
        Limit::Bytes(limit) => compression::quotient(memory, limit),
        Limit::Unlimited => Reading::absent("the cgroup has no memory limit"),
    })
}

/// Returns how much of the cgroup may be swapped. Version 1 limits memory plus swap: when memory is at its limit,
/// the rest of that is left for swap.
pub fn swap_limit(group: &Cgroup) -> Reading<Limit> {
    let rest = |both, memory| match (both, memory) {
        (Limit::Bytes(both), Limit::Bytes(memory)) => Limit::Bytes(both.saturating_sub(memory)),
        (Limit::Unlimited, _) | (_, Limit::Unlimited) => Limit::Unlimited,
    };
    match group.swap_max.missing() {
        Some(Missing::Absent(_)) => group.memsw_max.clone().map2(group.memory_max.clone(), rest),
        Some(_) | None => group.swap_max.clone(),
    }
}

/// Returns whether the cgroup has used up its swap limit. A limit of 0 keeps it out of swap on purpose.
pub fn is_at_swap_limit(group: &Cgroup) -> bool {
    let used = group.swap_current.known();
    swap_limit(group).known().zip(used).is_some_and(|(limit, used)| match limit {
        Limit::Bytes(limit) => limit.0 > 0 && used.0 as f64 >= AT_LIMIT * limit.0 as f64,
        Limit::Unlimited => false,
    })
}

/// Returns how often the kernel could not charge swap to the cgroup for that limit.
pub fn swap_limit_hits(group: &Cgroup) -> Reading<u64> {
    match group.swap_events.missing() {
        Some(Missing::Absent(_)) => group.memsw_failcnt.clone(),
        Some(_) | None => group.swap_events.as_ref().and_then(|events| events.get("max")),
    }
}

/// Returns a counter of a cgroup with its child cgroups: `total_NAME` on version 1, `NAME` on version 2.
pub fn counter(group: &Cgroup, name: &str) -> Reading<u64> {
    group.stat.as_ref().and_then(|stat| match stat.get(&format!("total_{name}")) {
        Reading::Known(number) => Reading::Known(number),
        Reading::Missing { .. } => stat.get(name),
    })
}

/// Returns how fast a counter grew since the cgroup was read before.
pub fn rate(
    view: &SampleView<'_>,
    (before, now): (Option<&Cgroup>, &Cgroup),
    name: &str,
) -> Reading<f64> {
    let now = counter(now, name);
    if let Reading::Missing { missing } = now {
        return missing.into();
    }
    let before = match before {
        Some(before) => counter(before, name),
        None => Reading::absent("the cgroup did not exist in the earlier sample"),
    };
    view.change_between(|snapshot| &snapshot.cgroups, before, now).map(CounterChange::per_second)
}

/// The counter of pages that were swapped out shortly before they were needed again.
pub const REFAULTS: &str = "workingset_refault_anon";

/// Returns the cgroup at its memory limit whose tasks stall most; of those without PSI the one whose pages return from swap
/// fastest, or else the one with the most swap. A cgroup at its limit whose tasks do not stall is full of page cache.
pub fn stalled_at_limit<'v>(view: &SampleView<'v>, policy: &Policy) -> Option<&'v Cgroup> {
    let groups = view.now.cgroups.reading.known().map_or(&[][..], |tree| &*tree.groups);
    let before = view.before.and_then(|before| before.cgroups.reading.known());
    let returns = |group: &Cgroup| {
        let before = before.and_then(|tree| tree.group(&group.path));
        rate(view, (before, group), REFAULTS).known().copied().unwrap_or_default()
    };
    let is_at_limit =
        |group: &&Shared<Cgroup>| limit_use(group).known().is_some_and(|used| *used >= AT_LIMIT);
    let stalls = |group: &&Shared<Cgroup>| {
        let full = group.pressure.known().and_then(|pressure| pressure.full.known());
        stalled_share(group).is_none_or(|share| share >= policy.pressure_some)
            || full.is_some_and(|full| full.avg10 / 100.0 >= policy.pressure_full)
    };
    let most = |a: &&Shared<Cgroup>, b: &&Shared<Cgroup>| {
        let share = |group: &Cgroup| stalled_share(group).unwrap_or_default();
        let swap = |group: &Cgroup| group.swap_current.known().copied();
        share(a)
            .total_cmp(&share(b))
            .then_with(|| returns(a).total_cmp(&returns(b)))
            .then_with(|| swap(a).cmp(&swap(b)))
    };
    groups.iter().filter(is_at_limit).filter(stalls).max_by(most).map(|group| &**group)
}

/// Returns the share of the last 10 seconds in which some task of a cgroup stalled, if it has PSI.
pub fn stalled_share(group: &Cgroup) -> Option<f64> {
    let some = group.pressure.known()?.some.known()?;
    Some(some.avg10 / 100.0)
}

/// Returns the swap tiers that the cgroup may use: those that its file and the files of its ancestors allow.
pub fn swap_tiers(tree: &CgroupTree, group: &Cgroup) -> Reading<Vec<String>> {
    group.swap_tiers.clone().map(|mut tiers| {
        // The root cgroup has no such file, and limits nothing.
        for allowed in with_ancestors(tree, group).filter_map(|above| above.swap_tiers.known()) {
            tiers.retain(|tier| allowed.contains(tier));
        }
        tiers
    })
}

/// Returns the cgroup and those above it, as far as they were read.
pub fn with_ancestors<'t>(
    tree: &'t CgroupTree,
    group: &'t Cgroup,
) -> impl Iterator<Item = &'t Cgroup> {
    let find = |path: &Path| {
        let place = tree.groups.binary_search_by(|other| other.path.as_path().cmp(path)).ok()?;
        tree.groups.get(place).map(|group| &**group)
    };
    std::iter::once(group).chain(group.path.as_path().ancestors().skip(1).filter_map(find))
}

/// Returns the OOM kills of the cgroup since it was created; version 2 includes its children.
pub fn oom_kills(group: &Cgroup) -> Reading<u64> {
    group.events.as_ref().and_then(|events| events.get(OOM_KILL))
}

/// Returns the OOM kills per cgroup that a snapshot shows.
pub fn oom_kills_in(snapshot: &Snapshot) -> OomKills {
    let cgroups = snapshot.cgroups.reading.as_ref().map(counted_kills);
    // Only counts of one moment can be compared: vmstat is read more often than cgroups.
    let then = snapshot.cgroups.reading.known().map(|tree| tree.oom_kills.clone());
    let machine = then.filter(|count| count.known().is_some());
    OomKills { machine: machine.unwrap_or_else(|| snapshot.counter(OOM_KILL)), cgroups }
}

fn counted_kills(tree: &CgroupTree) -> CgroupKills {
    let count =
        |group: &Shared<Cgroup>| oom_kills(group).known().map(|count| (group.path.clone(), *count));
    CgroupKills { version: tree.version, counts: tree.groups.iter().filter_map(count).collect() }
}

/// Returns the OOM kills per cgroup between two moments, and those outside of readable cgroups.
pub fn oom_kills_between(before: &OomKills, now: &OomKills) -> Vec<OomKilled> {
    let cgroups = match (&before.cgroups, &now.cgroups) {
        (Reading::Known(before), Reading::Known(now)) => own_kills(before, now),
        _ => BTreeMap::new(),
    };
    let machine = before.machine.known().zip(now.machine.known());
    let machine = machine.map_or(0, |(before, now)| now.saturating_sub(*before));
    // Includes kills in cgroups that no longer exist.
    let others = machine.saturating_sub(cgroups.values().sum());
    let named = cgroups.into_iter().map(|(path, processes)| (Some(path), processes));
    let all = named.chain([(None, others)]).filter(|(_, processes)| *processes > 0);
    all.map(|(cgroup, processes)| OomKilled { cgroup, processes }).collect()
}

/// Returns whether so many kills of the machine were all at limits of cgroups that held no swap before: pages that
/// return from swap have no part in them.
pub fn all_killed_without_swap(before: &Snapshot, now: &Snapshot, kills: u64) -> bool {
    let trees = before.cgroups.reading.known().zip(now.cgroups.reading.known());
    let Some(trees @ (before, now)) = trees else { return kills == 0 };
    let own = own_kills(&counted_kills(before), &counted_kills(now));
    let without_swap = |path: Name| {
        let group = before.group(&path);
        group.is_none_or(|group| group.swap_current.known() == Some(&Bytes(0)))
    };
    // Other kills are in cgroups that no longer exist, or of processes that are in none.
    own.values().sum::<u64>() >= kills
        && own
            .iter()
            .filter(|(_, kills)| **kills > 0)
            .all(|(path, _)| limit_reached(trees, path).is_some_and(without_swap))
}

/// Returns the cgroup whose limit a cgroup has reached between two moments: itself or one above it. The kernel
/// counts that on version 2.
fn limit_reached((before, now): (&CgroupTree, &CgroupTree), path: &Name) -> Option<Name> {
    let reached = |tree: &CgroupTree, path: &Name| {
        let events = tree.group(path).and_then(|group| group.events.known());
        events.and_then(|events| events.get("oom").known().copied()).unwrap_or(0)
    };
    let mut at_or_above = std::iter::successors(Some(path.clone()), parent);
    at_or_above.find(|path| reached(now, path) > reached(before, path))
}

/// Returns the new kills of each cgroup, without those of the cgroups below it.
fn own_kills(before: &CgroupKills, now: &CgroupKills) -> BTreeMap<Name, u64> {
    let more = |(path, count): (&Name, &u64)| {
        let was = before.counts.get(path).copied().unwrap_or(0);
        (path.clone(), count.saturating_sub(was))
    };
    let all: BTreeMap<Name, u64> = now.counts.iter().map(more).collect();
    if now.version == CgroupVersion::V1 {
        return all;
    }
    let mut own = all.clone();
    for (path, count) in &all {
        let mut ancestors = std::iter::successors(parent(path), parent);
        if let Some(above) = ancestors.find(|above| all.contains_key(above)) {
            own.entry(above).and_modify(|own| *own = own.saturating_sub(*count));
        }
    }
    own
}

fn parent(path: &Name) -> Option<Name> {
    let bytes = path.as_bytes();
    let end = bytes.iter().rposition(|byte| *byte == b'/')?;
    bytes.get(..end).filter(|above| !above.is_empty()).map(Name::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::Counters;
    use crate::model::{Sampled, Stamp};
    use crate::probes::cgroup;
    use crate::root::testing::TestTree;

    /// The only cgroup below the root.
    fn group(mount: &str, files: &[(&str, &str)]) -> Cgroup {
        let tree = TestTree::with(&[("proc/mounts", mount), ("cg/cgroup.controllers", "memory\n")]);
        for (file, text) in files {
            tree.write(&format!("cg/a/{file}"), text);
        }
        let groups = cgroup::read(&tree.root());
        let groups = groups.known().map(|tree| tree.groups.clone()).unwrap_or_default();
        (**groups.get(1).unwrap()).clone()
    }

    const V1: &str = "c /cg cgroup rw,memory 0 0\n";
    const V2: &str = "c /cg cgroup2 rw 0 0\n";

    #[test]
    fn the_lower_limit_counts() {
        let files = [("memory.current", "60\n"), ("memory.max", "120\n"), ("memory.high", "80\n")];
        assert_eq!(limit_use(&group(V2, &files)), Reading::Known(0.75));
        let files = [("memory.current", "60\n"), ("memory.max", "120\n"), ("memory.high", "max\n")];
        assert_eq!(limit_use(&group(V2, &files)), Reading::Known(0.5));
    }

    #[test]
    fn version_1_has_one_limit() {
        let files = [("memory.usage_in_bytes", "60\n"), ("memory.limit_in_bytes", "80\n")];
        assert_eq!(limit_use(&group(V1, &files)), Reading::Known(0.75));
    }

    #[test]
    fn without_a_limit_there_is_no_share() {
        let files = [("memory.current", "60\n"), ("memory.max", "max\n"), ("memory.high", "max\n")];
        assert_eq!(limit_use(&group(V2, &files)).missing().unwrap().kind(), "absent");
        assert!(limit_use(&group(V2, &files[..2])).missing().is_some());
    }

    /// Version 1 has no PSI of cgroups: that with the most swap may be idle.
    #[test]
    fn without_psi_the_cgroup_whose_pages_return_fastest_stalls() {
        let sample = |seconds: u64, refaults: [u64; 2]| {
            let mut files = vec![("proc/mounts".to_owned(), V1.to_owned())];
            for ((name, swap), refaults) in
                [("large", 900), ("busy", 100)].into_iter().zip(refaults)
            {
                let texts = [
                    ("memory.usage_in_bytes", "80\n".to_owned()),
                    ("memory.limit_in_bytes", "80\n".to_owned()),
                    ("memory.stat", format!("total_swap {swap}\ntotal_{REFAULTS} {refaults}\n")),
                ];
                files.extend(texts.map(|(file, text)| (format!("cg/{name}/{file}"), text)));
            }
            let files: Vec<(&str, &str)> =
                files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            let stamp = Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: 0 };
            let mut snapshot = Snapshot::empty(stamp);
            snapshot.cgroups =
                Sampled::new(Some(stamp), cgroup::read(&TestTree::with(&files).root()));
            snapshot
        };
        let stalled = |now: [u64; 2]| {
            let (before, now) = (sample(1, [5000, 10]), sample(2, now));
            let view = SampleView { now: &now, before: Some(&before) };
            stalled_at_limit(&view, &Policy::DEFAULT).map(|group| group.path.safe())
        };
        assert_eq!(stalled([5001, 9000]).as_deref(), Some("/busy"));
        assert_eq!(stalled([5000, 10]).as_deref(), Some("/large"), "neither: the most swap");
    }

    #[test]
    fn a_tier_that_an_ancestor_denies_is_denied_below() {
        let tree = TestTree::with(&[
            ("proc/mounts", V2),
            ("cg/cgroup.controllers", "memory\n"),
            ("cg/a/memory.swap.tiers.max", "fast 0\nslow max\n"),
            ("cg/a/b/memory.swap.tiers.max", "fast max\nslow max\n"),
            ("cg/a-c/memory.swap.tiers.max", "fast max\nslow 0\n"),
            ("cg/old/memory.current", "1\n"),
        ]);
        let tree = cgroup::read(&tree.root()).into_result().unwrap();
        let tiers = |path: &str| {
            let group = tree.groups.iter().find(|group| group.path == path.into()).unwrap();
            swap_tiers(&tree, group).into_result()
        };
        assert_eq!(tiers("/a/b"), Ok(vec!["slow".to_owned()]));
        assert_eq!(tiers("/a-c"), Ok(vec!["fast".to_owned()]));
        let why = tiers("/old").unwrap_err().why();
        assert_eq!(why, "this kernel or hierarchy has no memory.swap.tiers.max");
    }

    #[test]
    fn kills_of_the_machine_are_counted_with_those_of_cgroups() {
        let tree = TestTree::with(&[
            ("proc/mounts", V2),
            ("proc/vmstat", "oom_kill 5\n"),
            ("cg/cgroup.controllers", "memory\n"),
        ]);
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let later = Counters::new("/proc/vmstat", vec![(OOM_KILL.into(), 6)]);
        snapshot.vmstat = Sampled::new(None, Reading::Known(later));
        assert_eq!(oom_kills_in(&snapshot).machine, Reading::Known(6));
        snapshot.cgroups = Sampled::new(None, cgroup::read(&tree.root()));
        assert_eq!(oom_kills_in(&snapshot).machine, Reading::Known(5), "vmstat was read later");
    }

    fn kills(version: CgroupVersion, machine: u64, counts: &[(&str, u64)]) -> OomKills {
        let counts = counts.iter().map(|(path, count)| (Name::from(*path), *count)).collect();
        OomKills {
            machine: Reading::Known(machine),
            cgroups: Reading::Known(CgroupKills { version, counts }),
        }
    }

    #[test]
    fn each_kill_counts_once_and_those_of_no_cgroup_remain() {
        let killed = |version, now: &[(&str, u64)], machine| -> Vec<_> {
            let before = kills(version, 5, &[("/a", 1), ("/a/b", 1), ("/gone", 9)]);
            let all = oom_kills_between(&before, &kills(version, machine, now));
            all.into_iter().map(|it| (it.cgroup.map(|path| path.safe()), it.processes)).collect()
        };
        let of = |path: &str, count| (Some(path.to_owned()), count);
        let now = [("/a", 4), ("/a/b", 3), ("/new", 1)];
        let second = killed(CgroupVersion::V2, &now, 10);
        assert_eq!(second, [of("/a", 1), of("/a/b", 2), of("/new", 1), (None, 1)]);
        let first = killed(CgroupVersion::V1, &now, 11);
        assert_eq!(first, [of("/a", 3), of("/a/b", 2), of("/new", 1)]);
        assert_eq!(killed(CgroupVersion::V2, &[("/a", 1), ("/a/b", 1)], 5), []);
        // A cgroup whose parent has no count belongs to the one above that.
        let below = killed(CgroupVersion::V2, &[("/a", 4), ("/a/b/c", 2)], 8);
        assert_eq!(below, [of("/a", 1), of("/a/b/c", 2)]);
        let machine = |count| OomKills {
            machine: Reading::Known(count),
            cgroups: Reading::absent("no cgroups"),
        };
        let alone = super::oom_kills_between(&machine(2), &machine(4));
        assert_eq!(alone, [OomKilled { cgroup: None, processes: 2 }]);
    }
}

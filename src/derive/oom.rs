//! Which processes the kernel killed for want of memory between two moments.

use crate::model::users::{CgroupKills, CgroupVersion, Killed, OomKills};
use crate::model::{Name, Reading};
use std::collections::BTreeMap;

/// The OOM kills of each cgroup from one moment to a later one, and those of no cgroup that tells.
pub fn killed(before: &OomKills, now: &OomKills) -> Vec<Killed> {
    let cgroups = match (&before.cgroups, &now.cgroups) {
        (Reading::Known(before), Reading::Known(now)) => in_cgroups(before, now),
        _ => BTreeMap::new(),
    };
    let machine = before.machine.known().zip(now.machine.known());
    let machine = machine.map_or(0, |(before, now)| now.saturating_sub(*before));
    // Also those of cgroups that are gone by now.
    let others = machine.saturating_sub(cgroups.values().sum());
    let named = cgroups.into_iter().map(|(path, processes)| (Some(path), processes));
    let all = named.chain([(None, others)]).filter(|(_, processes)| *processes > 0);
    all.map(|(cgroup, processes)| Killed { cgroup, processes }).collect()
}

/// How many more each cgroup counts, without what those below it count.
fn in_cgroups(before: &CgroupKills, now: &CgroupKills) -> BTreeMap<Name, u64> {
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
        if let Some(above) = above(path).and_then(|above| own.get_mut(&above)) {
            *above = above.saturating_sub(*count);
        }
    }
    own
}

fn above(path: &Name) -> Option<Name> {
    let bytes = path.as_bytes();
    let end = bytes.iter().rposition(|byte| *byte == b'/')?;
    bytes.get(..end).filter(|above| !above.is_empty()).map(Name::new)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let all = killed(&before, &kills(version, machine, now));
            all.into_iter().map(|it| (it.cgroup.map(|path| path.safe()), it.processes)).collect()
        };
        let of = |path: &str, count| (Some(path.to_owned()), count);
        let now = [("/a", 4), ("/a/b", 3), ("/new", 1)];
        let second = killed(CgroupVersion::V2, &now, 10);
        assert_eq!(second, [of("/a", 1), of("/a/b", 2), of("/new", 1), (None, 1)]);
        let first = killed(CgroupVersion::V1, &now, 11);
        assert_eq!(first, [of("/a", 3), of("/a/b", 2), of("/new", 1)]);
        assert_eq!(killed(CgroupVersion::V2, &[("/a", 1), ("/a/b", 1)], 5), []);
        let machine = |count| OomKills {
            machine: Reading::Known(count),
            cgroups: Reading::absent("no cgroups"),
        };
        let alone = super::killed(&machine(2), &machine(4));
        assert_eq!(alone, [Killed { cgroup: None, processes: 2 }]);
    }
}

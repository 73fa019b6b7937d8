//! How near a control group is to its limit on memory.

use super::compression;
use crate::model::users::{Cgroup, Limit};
use crate::model::{Missing, Reading};

/// From which part of its limit on a group counts as being at it: the kernel frees a little more
/// than is asked for, so it is seldom there to the byte.
pub const AT_LIMIT: f64 = 0.95;

/// The limit at which the kernel frees memory of the group: the lower one of max and high, which
/// version 1 does not have.
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

/// The memory of the group against that limit.
pub fn limit_use(group: &Cgroup) -> Reading<f64> {
    let both = group.memory_current.clone().map2(limit(group), |memory, limit| (memory, limit));
    both.and_then(|(memory, limit)| match limit {
        Limit::Bytes(limit) => compression::quotient(memory, limit),
        Limit::Unlimited => Reading::absent("the group has no limit on memory"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probes::cgroup;
    use crate::root::testing::Tree;

    /// The only group below the root.
    fn group(mount: &str, files: &[(&str, &str)]) -> Cgroup {
        let tree = Tree::with(&[("proc/mounts", mount), ("cg/cgroup.controllers", "memory\n")]);
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
}

//! Checks of memory limits of cgroups.

use super::{CGROUP, Check};
use crate::actions::Step;
use crate::actions::plan::Plan;
use crate::columns::units::size;
use crate::model::users::{Cgroup, CgroupTree, CgroupVersion, Limit};
use crate::model::{Bytes, Reading, Snapshot};

/// Files of the memory limit, and of the limit on memory plus swap in version 1.
const MEMORY: [&str; 2] = ["memory.max", "memory.limit_in_bytes"];
const WITH_SWAP: &str = "memory.memsw.limit_in_bytes";

/// Checks the memory limits that a plan sets.
pub(super) fn checks(plan: &Plan, snapshot: &Snapshot) -> Vec<Check> {
    let Some(tree) = snapshot.cgroups.reading.known() else { return Vec::new() };
    let limits = plan.steps.iter().filter_map(|step| {
        let Step::Set { file, to, .. } = step else { return None };
        let group = tree
            .groups
            .iter()
            .find(|group| file_of(tree, group, file.base().as_bytes()) == file.as_bytes())?;
        // A limit that is no number is unlimited.
        Some((group, file.base().safe(), to.parse().map_or(u64::MAX, |bytes: u64| bytes)))
    });
    let limits: Vec<_> = limits.collect();
    let mut found = Vec::new();
    for (place, (group, knob, to)) in limits.iter().enumerate() {
        // What an earlier step of the plan sets counts in place of the present limit.
        let earlier = limits.get(..place).unwrap_or_default();
        let set_before = |knob: &str| {
            let mut same = earlier.iter().filter(|(other, _, _)| other.path == group.path);
            same.rfind(|(_, other, _)| other == knob).map(|(_, _, to)| *to)
        };
        let check = match knob.as_str() {
            knob if MEMORY.contains(&knob) => {
                let both = set_before(WITH_SWAP).or_else(|| bytes(&group.memsw_max));
                above_both(group, knob, *to, both).or_else(|| below_use(tree, group, *to))
            }
            WITH_SWAP => {
                let memory = MEMORY.iter().find_map(|knob| set_before(knob));
                below_memory(group, *to, memory.or_else(|| bytes(&group.memory_max)))
            }
            _ => None,
        };
        found.extend(check);
    }
    found
}

/// The path of a file of a cgroup.
fn file_of(tree: &CgroupTree, group: &Cgroup, file: &[u8]) -> Vec<u8> {
    let path = group.path.as_bytes();
    let below = path.strip_suffix(b"/").unwrap_or(path);
    [tree.mount.as_bytes(), below, b"/", file].concat()
}

fn bytes(limit: &Reading<Limit>) -> Option<u64> {
    match limit.known()? {
        Limit::Bytes(bytes) => Some(bytes.0),
        Limit::Unlimited => None,
    }
}

/// Version 1 refuses a memory limit above the limit on memory plus swap.
fn above_both(group: &Cgroup, knob: &str, to: u64, both: Option<u64>) -> Option<Check> {
    let both = both.filter(|both| to > *both)?;
    let text = format!(
        "{knob} of {}: the limit on memory plus swap is {}, and the memory limit cannot be above it: raise {WITH_SWAP} first",
        group.path.safe(),
        size(Bytes(both))
    );
    Some(Check::refuse("limits", text))
}

/// Version 1 refuses a limit on memory plus swap below the memory limit.
fn below_memory(group: &Cgroup, to: u64, memory: Option<u64>) -> Option<Check> {
    let memory = memory.filter(|memory| *memory > to)?;
    let text = format!(
        "{WITH_SWAP} of {}: the memory limit is {}, and the limit on memory plus swap cannot be below it: lower memory.limit_in_bytes first",
        group.path.safe(),
        size(Bytes(memory))
    );
    Some(Check::refuse("limits", text))
}

/// A limit below the present use: version 1 gives up if it cannot reclaim enough, version 2 kills.
fn below_use(tree: &CgroupTree, group: &Cgroup, to: u64) -> Option<Check> {
    let used = group.memory_current.known().filter(|used| used.0 > to)?;
    let start = format!(
        "cgroup {} uses {} of memory, more than its new limit of {}",
        group.path.safe(),
        size(*used),
        size(Bytes(to))
    );
    Some(match tree.version {
        CgroupVersion::V1 => {
            let text = format!("{start}: the kernel reclaims the rest, or refuses the limit");
            Check::note(CGROUP, text)
        }
        CgroupVersion::V2 => {
            let text = format!(
                "{start}: the kernel reclaims the rest, and kills processes there if it cannot. Set a higher limit, or accept with --force cgroup"
            );
            Check::refuse(CGROUP, text)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::check::CheckVerdict;
    use crate::actions::settings::{cgroup_target, set};
    use crate::actions::testing::FixedView;
    use crate::model::{Sampled, Stamp};
    use crate::probes::cgroup;
    use crate::root::testing::TestTree;

    /// The verdict and text of setting this limit, on a version.
    fn check(version: CgroupVersion, knob: &str, to: &str) -> Option<(CheckVerdict, String)> {
        check_all(version, &[(knob, to)])
    }

    /// The first verdict and text of setting these limits one after the other.
    fn check_all(
        version: CgroupVersion,
        wanted: &[(&str, &str)],
    ) -> Option<(CheckVerdict, String)> {
        let (mount, files): (_, &[(&str, &str)]) = match version {
            CgroupVersion::V1 => (
                "c /cg cgroup rw,memory 0 0\n",
                &[
                    ("memory.usage_in_bytes", "52428800\n"),
                    ("memory.limit_in_bytes", "67108864\n"),
                    ("memory.memsw.limit_in_bytes", "134217728\n"),
                ],
            ),
            CgroupVersion::V2 => (
                "c /cg cgroup2 rw 0 0\n",
                &[("memory.current", "52428800\n"), ("memory.max", "67108864\n")],
            ),
        };
        let tree = TestTree::with(&[("proc/mounts", mount), ("cg/cgroup.controllers", "memory\n")]);
        for (file, text) in files {
            tree.write(&format!("cg/a/{file}"), text);
        }
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        snapshot.page_size = Reading::Known(4096);
        snapshot.cgroups = Sampled::new(None, cgroup::read(&tree.root()));
        let target = |knob: &str| cgroup_target(knob, &"/a".into(), &snapshot).unwrap();
        let wishes: Vec<_> =
            wanted.iter().map(|(knob, to)| (target(knob), (*to).to_owned())).collect();
        let present = |(target, _): &(_, String)| {
            let target: &crate::actions::settings::SettingTarget = target;
            (target.file.clone(), "67108864".to_owned())
        };
        let settings = wishes.iter().map(present).collect();
        let view = FixedView { settings, ..FixedView::default() };
        let plan = set(&wishes, &view).unwrap();
        let mut found = checks(&plan, &snapshot).into_iter();
        found.next().map(|check| (check.verdict, check.text))
    }

    #[test]
    fn a_limit_that_the_plan_sets_first_counts() {
        let both = ("memory.memsw.limit_in_bytes", "400M");
        let memory = ("memory.limit_in_bytes", "256M");
        assert_eq!(check_all(CgroupVersion::V1, &[both, memory]), None);
        let wrong_order = check_all(CgroupVersion::V1, &[memory, both]).unwrap();
        assert_eq!(wrong_order.0, CheckVerdict::Refuse);
        let lower = [("memory.limit_in_bytes", "60M"), ("memory.memsw.limit_in_bytes", "62M")];
        assert_eq!(check_all(CgroupVersion::V1, &lower), None);
    }

    #[test]
    fn memory_limits_may_be_raised_up_to_that_with_swap() {
        use CgroupVersion::{V1, V2};
        assert_eq!(check(V1, "memory.limit_in_bytes", "128M"), None);
        let (verdict, text) = check(V1, "memory.limit_in_bytes", "129M").unwrap();
        assert_eq!(verdict, CheckVerdict::Refuse);
        assert!(text.contains("plus swap is 128M"), "{text}");
        let (_, text) = check(V1, "memory.limit_in_bytes", "max").unwrap();
        assert!(text.contains("raise memory.memsw.limit_in_bytes first"), "{text}");
        let (verdict, text) = check(V1, "memory.memsw.limit_in_bytes", "63M").unwrap();
        assert_eq!(verdict, CheckVerdict::Refuse);
        assert!(text.contains("the memory limit is 64M"), "{text}");
        assert_eq!(check(V1, "memory.memsw.limit_in_bytes", "200M"), None);
        assert_eq!(check(V2, "memory.max", "100M"), None);
        assert_eq!(check(V2, "memory.max", "max"), None);
    }

    #[test]
    fn a_limit_below_the_use_is_a_risk_where_the_kernel_kills() {
        let (verdict, text) = check(CgroupVersion::V2, "memory.max", "40M").unwrap();
        assert_eq!(verdict, CheckVerdict::Refuse);
        assert!(text.contains("uses 50M") && text.contains("--force cgroup"), "{text}");
        let (verdict, _) = check(CgroupVersion::V1, "memory.limit_in_bytes", "40M").unwrap();
        assert_eq!(verdict, CheckVerdict::Note);
    }
}

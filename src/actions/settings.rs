//! Plans that change kernel settings.

use super::persist::Goal;
use super::plan::Plan;
use super::step::{self, current_choice, known_or_reason};
use super::{MachineView, Step};
use crate::columns::units;
use crate::model::knob::{self, CGROUP_KNOBS, CgroupKind, CgroupKnob, KNOBS, KnobKind, UNLIMITED};
use crate::model::name::safe_text;
use crate::model::text::nearest_word;
use crate::model::users::{Cgroup, CgroupTree, CgroupVersion};
use crate::model::{Bytes, Missing, Name, Snapshot};

/// A setting that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingTarget {
    /// Name for people.
    pub what: String,
    /// File of the setting.
    pub file: Name,
    /// Kind of value.
    pub kind: SettingKind,
    /// Default value of the kernel, if known.
    pub default: Option<&'static str>,
    /// Does it belong to a cgroup?
    pub of_group: bool,
}

/// The values that a setting accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// Values of a kernel knob.
    Knob(KnobKind),
    /// A size or no limit, for a cgroup of this version, on a kernel with this page size.
    Limit(CgroupVersion, u64),
}

/// Why a setting cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingRefusal {
    /// Unknown setting.
    #[error("unknown setting \"{0}\"{1}; to list them: swapadm knobs")]
    Unknown(String, String),
    /// Unknown cgroup.
    #[error("no cgroup \"{0}\"; to list them: swapadm cgroups")]
    NoGroup(String),
    /// Cgroups of this version lack the setting.
    #[error("cgroups have no setting \"{0}\" on this machine: use {1}")]
    NotOfGroups(String, String),
    /// The root cgroup has no limits.
    #[error(
        "{0}: the root cgroup is the whole machine and has no limit: name another one (to list them: swapadm cgroups)"
    )]
    OfRoot(String),
    /// Invalid value.
    #[error("{0}: {1}")]
    Value(String, String),
    /// The setting was named twice.
    #[error("{0} is named twice: name each setting once")]
    Twice(String),
    /// The default is unknown.
    #[error(
        "{0}: its default depends on the machine, so reset cannot restore it. To see changes: swapadm journal; to undo one: swapadm undo"
    )]
    NoDefault(String),
    /// The present value cannot be read.
    #[error("{0}: {why}", why = .1.why())]
    Unseen(String, Missing),
}

/// The setting with this name on this machine.
pub fn target(id: &str, snapshot: &Snapshot) -> Result<SettingTarget, SettingRefusal> {
    // sysctl names settings of memory management vm.NAME.
    if let Some(knob) = knob::find(id.strip_prefix("vm.").unwrap_or(id)) {
        let release = snapshot.release().known().copied();
        return Ok(SettingTarget {
            what: knob.id.to_owned(),
            file: Name::new(format!("/{}", knob.file).into_bytes()),
            kind: SettingKind::Knob(knob.kind_for(release, snapshot.page_size.known().copied())),
            default: knob.default,
            of_group: false,
        });
    }
    size_setting(id).ok_or_else(|| SettingRefusal::Unknown(safe_text(id), suggest(id)))
}

/// A setting for one size of huge pages, such as `thp.64kB.enabled`.
fn size_setting(id: &str) -> Option<SettingTarget> {
    let file = step::file_of_size(id)?;
    Some(SettingTarget {
        what: id.to_owned(),
        file,
        kind: SettingKind::Knob(KnobKind::Choice),
        default: None,
        of_group: false,
    })
}

/// Minimum length of a common part: nearly every name shares shorter ones.
const SHORTEST: usize = 3;

/// Suggests names that share a part with an unknown one.
fn suggest(id: &str) -> String {
    let part = id.rsplit(['.', '/']).next().unwrap_or(id).to_ascii_lowercase().replace('-', "_");
    let like = |known: &str| {
        let known = known.replace('-', "_");
        part.len() >= SHORTEST && (known.contains(&part) || part.contains(&known))
    };
    let ids = || KNOBS.iter().map(|knob| knob.id);
    let mut names: Vec<&str> = ids().filter(|id| like(id)).collect();
    if names.is_empty() {
        names.extend(nearest_word(id, ids()));
    }
    if names.is_empty() { String::new() } else { format!(" (did you mean {}?)", names.join(", ")) }
}

/// The setting of a cgroup.
pub fn cgroup_target(
    id: &str,
    group: &Name,
    snapshot: &Snapshot,
) -> Result<SettingTarget, SettingRefusal> {
    let tree = match snapshot.cgroups.reading.get() {
        Ok(tree) => tree,
        Err(missing) => return Err(SettingRefusal::Unseen(group.safe(), missing.clone())),
    };
    if !tree.groups.iter().any(|known| known.path == *group) {
        return Err(SettingRefusal::NoGroup(group.safe()));
    }
    let mut here = CGROUP_KNOBS.iter().filter(|knob| knob.version == tree.version);
    let Some(knob) = here.clone().find(|knob| knob.id == id) else {
        let exists = |knob: &&CgroupKnob| is_offered(tree, knob.id);
        let names: Vec<&str> = here.by_ref().filter(exists).map(|knob| knob.id).collect();
        return Err(SettingRefusal::NotOfGroups(safe_text(id), names.join(", ")));
    };
    let page = snapshot.page_size.known().copied().unwrap_or(1);
    let below = group.as_bytes().strip_suffix(b"/").unwrap_or(group.as_bytes());
    let file = [tree.mount.as_bytes(), below, b"/", id.as_bytes()].concat();
    let kind = match knob.kind {
        // Version 1 shows a limit for the root cgroup, but refuses to change it.
        CgroupKind::Limit if below.is_empty() => return Err(SettingRefusal::OfRoot(id.to_owned())),
        CgroupKind::Limit => SettingKind::Limit(knob.version, page),
        CgroupKind::Plain(kind) => SettingKind::Knob(kind),
    };
    Ok(SettingTarget {
        what: format!("{id} of {}", group.safe()),
        file: Name::new(file),
        kind,
        default: initial_value(kind),
        of_group: true,
    })
}

/// Whether this kernel has a setting: whether any cgroup has its file.
fn is_offered(tree: &CgroupTree, id: &str) -> bool {
    let is_absent = |missing: Option<&Missing>| matches!(missing, Some(Missing::Absent(_)));
    let lacks = |group: &Cgroup| match id {
        "memory.swap.max" => is_absent(group.swap_max.missing()),
        "memory.swap.high" => is_absent(group.swap_high.missing()),
        "memory.zswap.max" => is_absent(group.zswap_max.missing()),
        "memory.zswap.writeback" => is_absent(group.zswap_writeback.missing()),
        "memory.memsw.limit_in_bytes" => is_absent(group.memsw_max.missing()),
        "memory.swappiness" => is_absent(group.swappiness.missing()),
        _ => false,
    };
    !tree.groups.iter().all(|group| lacks(group))
}

/// The value of a new cgroup: no limits, and all switches on. Other settings are inherited.
fn initial_value(kind: SettingKind) -> Option<&'static str> {
    match kind {
        SettingKind::Limit(..) => Some("max"),
        SettingKind::Knob(KnobKind::Switch) => Some("1"),
        SettingKind::Knob(_) => None,
    }
}

impl SettingTarget {
    /// The value to write for a request, given the present value.
    fn parse_value(&self, wish: &str, now: &str) -> Result<String, String> {
        match self.kind {
            SettingKind::Knob(kind) => kind.parse_value(wish, now).map_err(|why| {
                let is_listed = knob::find(&self.what).is_some();
                let next = if is_listed { "; to see valid values: swapadm knobs" } else { "" };
                format!("{why}{next}")
            }),
            SettingKind::Limit(version, page) => limit(wish, version, page),
        }
    }
}

/// A limit as the kernel will print it.
fn limit(wish: &str, version: CgroupVersion, page: u64) -> Result<String, String> {
    if ["max", "none"].contains(&wish) {
        return Ok(match version {
            CgroupVersion::V2 => "max".to_owned(),
            CgroupVersion::V1 => (i64::MAX.unsigned_abs() / page * page).to_string(),
        });
    }
    let bytes = units::parse_size(wish).filter(|bytes| bytes.0 < UNLIMITED);
    let rounded = bytes.map(|Bytes(bytes)| (bytes / page * page).to_string());
    rounded.ok_or_else(|| {
        format!("\"{}\" is not a size: use a number with K, M, G or T, such as 512M, or max for no limit", safe_text(wish))
    })
}

/// The present value, and the one to write for a request.
pub fn values(
    (target, wish): &(SettingTarget, String),
    look: &dyn MachineView,
) -> Result<(String, String), SettingRefusal> {
    let now = look.setting(&target.file).into_result();
    let now = now.map_err(|missing| SettingRefusal::Unseen(target.what.clone(), missing))?;
    let to = target
        .parse_value(wish, &now)
        .map_err(|why| SettingRefusal::Value(target.what.clone(), why))?;
    Ok((current_choice(&now), to))
}

/// Plans to set these values. Values already set are skipped.
pub fn set(
    wishes: &[(SettingTarget, String)],
    look: &dyn MachineView,
) -> Result<Plan, SettingRefusal> {
    let mut steps = Vec::new();
    for (place, wish) in wishes.iter().enumerate() {
        let (target, _) = wish;
        if wishes.iter().take(place).any(|(other, _)| other.file == target.file) {
            return Err(SettingRefusal::Twice(target.what.clone()));
        }
        let (from, to) = values(wish, look)?;
        if from != to {
            let (what, file) = (target.what.clone(), target.file.clone());
            steps.push(Step::Set { what, file, from, to });
        }
    }
    let wish = |(target, wish): &(SettingTarget, String)| {
        format!("{} to {}", target.what, safe_text(wish))
    };
    let title = format!("set {}", wishes.iter().map(wish).collect::<Vec<_>>().join(", "));
    let areas = known_or_reason(look.areas()).unwrap_or_default();
    Ok(Plan::on_areas(&areas, title, steps))
}

/// The goals that set these values at boot.
pub fn goals(
    wishes: &[(SettingTarget, String)],
    look: &dyn MachineView,
) -> Result<Vec<Goal>, SettingRefusal> {
    let goal = |wish| {
        let (_, to) = values(wish, look)?;
        Ok(Goal::Setting(wish.0.file.clone(), to))
    };
    wishes.iter().map(goal).collect()
}

/// The goals that reset settings at boot: a cgroup setting is removed from our files.
pub fn reset_goals(
    wishes: &[(SettingTarget, String)],
    look: &dyn MachineView,
) -> Result<Vec<Goal>, SettingRefusal> {
    let goal = |((target, _), goal): (&(SettingTarget, String), Goal)| {
        if target.of_group { Goal::Unset(target.file.clone()) } else { goal }
    };
    Ok(wishes.iter().zip(goals(wishes, look)?).map(goal).collect())
}

/// The default values of these settings.
pub fn defaults(targets: &[SettingTarget]) -> Result<Vec<(SettingTarget, String)>, SettingRefusal> {
    let wish = |target: &SettingTarget| match target.default {
        Some(default) => Ok((target.clone(), default.to_owned())),
        None => Err(SettingRefusal::NoDefault(target.what.clone())),
    };
    targets.iter().map(wish).collect()
}

/// Plans to reset settings to their defaults.
pub fn reset(
    wishes: &[(SettingTarget, String)],
    look: &dyn MachineView,
) -> Result<Plan, SettingRefusal> {
    let plan = set(wishes, look)?;
    let title = plan.title.replacen("set ", "reset ", 1);
    Ok(Plan { title, ..plan })
}

/// The settings that a plan changes, with their new values.
pub(super) fn wanted_values(plan: &Plan) -> impl Iterator<Item = (&str, &str)> {
    plan.steps.iter().filter_map(|step| {
        let Step::Set { what, to, .. } = step else { return None };
        Some((what.as_str(), to.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::testing::FixedView;
    use crate::model::{Reading, Sampled, Stamp};
    use crate::probes::cgroup;
    use crate::root::testing::TestTree;

    fn plain(what: &str, kind: SettingKind) -> SettingTarget {
        SettingTarget {
            what: what.to_owned(),
            file: what.into(),
            kind,
            default: Some("3"),
            of_group: false,
        }
    }

    fn number() -> SettingKind {
        SettingKind::Knob(KnobKind::Number { min: 0, max: 9 })
    }

    fn look() -> FixedView {
        let settings = [("a", "1"), ("b", "2"), ("c", "x [y] z")];
        let settings = settings.map(|(name, text)| (Name::from(name), text.to_owned())).into();
        FixedView { settings, ..FixedView::default() }
    }

    #[test]
    fn current_values_are_skipped_and_others_normalized() {
        let wish = |what, kind, wish: &str| (plain(what, kind), wish.to_owned());
        let choice = SettingKind::Knob(KnobKind::Choice);
        let wishes =
            [wish("a", number(), "01"), wish("b", number(), "0x7"), wish("c", choice, "z")];
        let plan = set(&wishes, &look()).unwrap();
        let steps = wanted_values(&plan).collect::<Vec<_>>();
        assert_eq!(steps, [("b", "7"), ("c", "z")]);
        let Step::Set { from, .. } = &plan.steps[1] else { panic!() };
        assert_eq!(from, "y");
    }

    #[test]
    fn invalid_value_is_refused_with_valid_ones() {
        let refused = |what: &str, wish: &str| {
            set(&[(plain(what, number()), wish.to_owned())], &look()).unwrap_err().to_string()
        };
        assert_eq!(refused("a", "10"), "a: \"10\" is not valid on this kernel: use 0 to 9");
        let swappiness = [(plain("swappiness", number()), "300".to_owned())];
        let settings = [(Name::from("swappiness"), "60".to_owned())].into();
        let told = set(&swappiness, &FixedView { settings, ..FixedView::default() }).unwrap_err();
        assert_eq!(
            told.to_string(),
            "swappiness: \"300\" is not valid on this kernel: use 0 to 9; to see valid values: swapadm knobs"
        );
        assert_eq!(refused("nowhere", "1"), "nowhere: no such setting");
        let twice =
            [(plain("a", number()), "2".to_owned()), (plain("a", number()), "3".to_owned())];
        assert_eq!(set(&twice, &look()), Err(SettingRefusal::Twice("a".to_owned())));
    }

    #[test]
    fn reset_restores_known_defaults() {
        let plan = reset(&defaults(&[plain("a", number())]).unwrap(), &look()).unwrap();
        assert_eq!(
            (plan.title.as_str(), wanted_values(&plan).collect()),
            ("reset a to 3", vec![("a", "3")])
        );
        let unknown = SettingTarget { default: None, ..plain("a", number()) };
        assert!(matches!(defaults(&[unknown]), Err(SettingRefusal::NoDefault(_))));
    }

    #[test]
    fn reset_of_cgroup_removes_limits() {
        let of = |mount: &str, files: &[(&str, &str)], id: &str| {
            let tree =
                TestTree::with(&[("proc/mounts", mount), ("cg/cgroup.controllers", "memory\n")]);
            for (file, text) in files {
                tree.write(&format!("cg/a/{file}"), text);
            }
            let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
            snapshot.page_size = Reading::Known(4096);
            snapshot.cgroups = Sampled::new(None, cgroup::read(&tree.root()));
            let target = cgroup_target(id, &"/a".into(), &snapshot).unwrap();
            let now = if id == "memory.zswap.writeback" { "0" } else { "8192" };
            let settings = [(target.file.clone(), now.to_owned())].into();
            let plan =
                reset(&defaults(&[target])?, &FixedView { settings, ..FixedView::default() })?;
            Ok(wanted_values(&plan).map(|(_, to)| to.to_owned()).collect::<Vec<_>>())
        };
        let v2 = |id| of("c /cg cgroup2 rw 0 0\n", &[("memory.current", "1\n")], id);
        for id in ["memory.swap.max", "memory.swap.high", "memory.zswap.max"] {
            assert_eq!(v2(id), Ok(vec!["max".to_owned()]), "{id}");
        }
        assert_eq!(v2("memory.zswap.writeback"), Ok(vec!["1".to_owned()]));
        let v1 = ("c /cg cgroup rw,memory 0 0\n", [("memory.usage_in_bytes", "1\n")]);
        let unlimited = Ok(vec!["9223372036854771712".to_owned()]);
        assert_eq!(of(v1.0, &v1.1, "memory.memsw.limit_in_bytes"), unlimited);
        let above = of(v1.0, &v1.1, "memory.swappiness");
        assert!(
            matches!(above, Err(SettingRefusal::NoDefault(_))),
            "it comes from the group above"
        );
    }

    #[test]
    fn root_cgroup_has_no_limits() {
        let of = |mount: &str, file: &str, id: &str| {
            let tree =
                TestTree::with(&[("proc/mounts", mount), ("cg/cgroup.controllers", "memory\n")]);
            tree.write(&format!("cg/{file}"), "1\n");
            let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
            snapshot.cgroups = Sampled::new(None, cgroup::read(&tree.root()));
            cgroup_target(id, &"/".into(), &snapshot)
        };
        let v2 = |id| of("c /cg cgroup2 rw 0 0\n", "cgroup.procs", id);
        let v1 = |id| of("c /cg cgroup rw,memory 0 0\n", "memory.usage_in_bytes", id);
        for refused in [v2("memory.swap.max"), v1("memory.memsw.limit_in_bytes")] {
            let told = refused.unwrap_err().to_string();
            assert!(told.contains("to list them: swapadm cgroups"), "{told}");
        }
        assert!(v1("memory.swappiness").is_ok() && v2("memory.zswap.writeback").is_ok());
    }

    #[test]
    fn only_settings_that_exist_here_are_listed() {
        let files = [
            ("proc/mounts", "c /cg cgroup2 rw 0 0\n"),
            ("cg/cgroup.controllers", "memory\n"),
            ("cg/a/memory.swap.max", "max\n"),
            ("cg/a/memory.swap.high", "max\n"),
        ];
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        snapshot.cgroups = Sampled::new(None, cgroup::read(&TestTree::with(&files).root()));
        let refused = cgroup_target("memory.nonsense", &"/a".into(), &snapshot);
        let names = "memory.max, memory.swap.max, memory.swap.high".to_owned();
        assert_eq!(refused, Err(SettingRefusal::NotOfGroups("memory.nonsense".to_owned(), names)));
    }

    #[test]
    fn name_leads_to_its_file_or_suggestions() {
        let snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let file = |id: &str| target(id, &snapshot).map(|target| target.file.safe());
        assert_eq!(file("swappiness").unwrap(), "/proc/sys/vm/swappiness");
        assert_eq!(file("vm.swappiness").unwrap(), "/proc/sys/vm/swappiness");
        let size = "/sys/kernel/mm/transparent_hugepage/hugepages-64kB/shmem_enabled";
        assert_eq!(file("thp.64kB.shmem_enabled").unwrap(), size);
        for wrong in ["thp.64kB.stats/swpout", "thp.064kB.enabled", "thp.xkB.enabled", ""] {
            assert!(file(wrong).is_err(), "{wrong}");
        }
        let error = file("vm.page_cluster").unwrap_err().to_string();
        assert!(error.contains("did you mean page-cluster?"), "{error}");
        let error = file("a").unwrap_err().to_string();
        assert!(!error.contains("did you mean"), "{error}");
        let error = file("swapiness").unwrap_err().to_string();
        assert!(error.contains("did you mean swappiness?"), "{error}");
    }

    #[test]
    fn cgroup_limits_are_rounded_to_pages() {
        let of = |wish, version| limit(wish, version, 4096);
        assert_eq!(of("1M", CgroupVersion::V2).unwrap(), "1048576");
        assert_eq!(of("5000", CgroupVersion::V1).unwrap(), "4096");
        assert_eq!(of("max", CgroupVersion::V2).unwrap(), "max");
        assert_eq!(of("max", CgroupVersion::V1).unwrap(), "9223372036854771712");
        for wrong in ["", "-1", "1X", "99999999999999999999"] {
            assert!(of(wrong, CgroupVersion::V2).is_err(), "{wrong}");
        }
    }
}

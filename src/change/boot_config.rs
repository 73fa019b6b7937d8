//! The boot configuration of this machine, and the steps that change it.

use super::{LiveMachine, ObservedMachine, find};
use crate::actions::Step;
use crate::actions::check::{BOOT, Check, CheckVerdict, LOOP, NETWORK};
use crate::actions::persist::{
    self, BootArea, BootFiles, CheckedEntry, Goal, PersistResult, UnreadableConfig,
    describe_loop_at_boot, describe_network_at_boot,
};
use crate::derive::speed;
use crate::model::block::loop_device;
use crate::model::candidate::{PathKind, Signature};
use crate::model::config::{ConfigEntry, ConfigKind, NoEffect, PersistentSettings};
use crate::model::{Missing, Name, Reading, zram};
use crate::probes::{block, boot_settings, candidate, config, surroundings};
use crate::root::Root;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Parents of the drop-in folders of systemd and zram-generator.
const ABOVE: [&str; 5] = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"];

/// The boot configuration of this machine.
#[derive(Debug)]
pub struct BootConfig {
    /// Entries that set up areas, each with the path it refers to, if known.
    pub entries: Vec<(ConfigEntry, Option<Name>)>,
    /// Files that set kernel settings.
    pub lasting: PersistentSettings,
    /// Kinds of entries that have no effect, each with the reason.
    pub without_effect: Vec<(ConfigKind, NoEffect)>,
}

impl BootConfig {
    /// Reads the configuration.
    pub fn read_config(machine: &ObservedMachine<'_>) -> Self {
        let entries = machine.snapshot.config.reading.known().cloned().unwrap_or_default();
        let meant = |entry: ConfigEntry| {
            let path = area_of_entry(machine.root, &entry);
            (entry, path)
        };
        Self {
            entries: entries.into_iter().map(meant).collect(),
            lasting: boot_settings::read(machine.root),
            without_effect: config::kinds_without_effect(machine.root),
        }
    }

    /// The entries, with what keeps their areas from being enabled at boot.
    pub fn checked_entries(&self, machine: &ObservedMachine<'_>) -> Vec<CheckedEntry<'_>> {
        let entries = self.entries.iter().map(|(entry, means)| {
            let means = means.as_ref();
            CheckedEntry { entry, means, obstacle: obstacle(machine, entry, means) }
        });
        entries.collect()
    }

    /// Refuses to add a loop device or a network disk to the boot configuration, unless that risk is accepted. An
    /// existing entry may belong to a unit that attaches the device first.
    pub(super) fn check_device(
        &self,
        root: &Root,
        goal: &Goal,
        accepted: &[String],
    ) -> Option<Check> {
        let Goal::On(BootArea { path, .. }) = goal else { return None };
        if self.has_entry(path) {
            return None;
        }
        let (risk, why) = match loop_device(path) {
            Some(device) => {
                let file = block::loop_file(root, &device);
                (LOOP, describe_loop_at_boot(path, file.known()))
            }
            None if speed::is_network_device(path) => (NETWORK, describe_network_at_boot(path)),
            None => return None,
        };
        let text = format!("{why}, or set it up all the same with --force {risk}");
        let mut check = Check::refuse(risk, text);
        check.accept(accepted);
        Some(check)
    }

    /// Drops the goals that are met already, each with a note: areas that are to stay disabled at boot, and that no
    /// file enables. If that would leave no goal, none is dropped.
    pub(super) fn leave_out_met(&self, root: &Root, goals: &mut Vec<Goal>) -> Vec<Check> {
        let services = surroundings::swap_services(root);
        let met = |goal: &Goal| {
            let Goal::Off(path) = goal else { return None };
            let is_of_service = services.iter().any(|service| service.may_enable(path));
            self.nothing_to_remove(path).filter(|_| !is_of_service)
        };
        let notes: Vec<Check> = goals.iter().filter_map(met).collect();
        if notes.len() == goals.len() {
            return Vec::new();
        }
        goals.retain(|goal| met(goal).is_none());
        notes
    }

    /// The note on an area to disable that no file enables.
    fn nothing_to_remove(&self, path: &Name) -> Option<Check> {
        let name = path.safe();
        let text = format!("nothing to remove at boot for {name}: no known file enables it");
        (!self.has_entry(path)).then(|| Check::note(BOOT, text))
    }

    /// Does any file set up this area?
    fn has_entry(&self, path: &Name) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|(entry, means)| !entry.is_generated() && means.as_ref() == Some(path))
    }

    /// The steps that apply goals at boot.
    pub fn steps(&self, machine: &ObservedMachine<'_>, goals: &[Goal]) -> PersistResult<Vec<Step>> {
        let root = machine.root;
        let tree = &machine.snapshot.cgroups.reading;
        persist::steps(
            goals,
            &BootFiles {
                entries: &self.entries,
                lasting: &self.lasting,
                without_effect: &self.without_effect,
                services: &surroundings::swap_services(root),
                groups: tree.known().map(|tree| &tree.mount),
                title: &|path| lasting_title(root, path),
                runs_init_scripts: surroundings::runs_init_scripts(root),
                later: &|ours| later_drop_ins(root, ours),
                look: &LiveMachine::new(root),
            },
        )
    }
}

/// Why the area of an entry cannot be enabled at boot, if so. zram-generator creates its devices.
fn obstacle(
    machine: &ObservedMachine<'_>,
    entry: &ConfigEntry,
    means: Option<&Name>,
) -> Reading<Option<String>> {
    let is_active = machine.snapshot.areas().iter().any(|area| Some(&area.path) == means);
    let is_judged = entry.kind != ConfigKind::ZramGenerator
        && !is_active
        && !entry.is_generated()
        && !entry.leaves_area_disabled();
    let Some(wanted) = entry.area.known().filter(|_| is_judged) else {
        return Reading::Known(None);
    };
    let what = wanted.what.safe();
    let candidate = means.map(|path| candidate::read(machine.root, path));
    let missing = match &candidate {
        Some(candidate) => candidate.thing.missing(),
        None => entry.leads_to.missing(),
    };
    let mounted = candidate.as_ref().and_then(|it| Some((&it.path, it.mounted.as_ref()?)));
    Reading::Known(match (missing, mounted) {
        (Some(_), _) if !machine.root.is_live() => {
            return Reading::failed(format!("{what} is not in the captured tree"));
        }
        (Some(Missing::Absent(_)), _) if candidate.is_some() => {
            Some(format!("{what} does not exist"))
        }
        (Some(Missing::Absent(_)), _) => Some(format!("no device has {what}")),
        (_, Some((path, point))) => Some(format!("{} is mounted on {}", path.safe(), point.safe())),
        (_, None) => None,
    })
}

/// Why the configuration files could not be read, if so: a capture may lack all of them.
pub fn why_config_unreadable(machine: &ObservedMachine<'_>) -> Option<String> {
    let missing = machine.snapshot.config.reading.missing();
    missing.filter(|missing| matches!(missing, Missing::Failed(_))).map(Missing::why)
}

/// Why it is unknown what sets kernel settings at boot, if so: a capture made by swapadm has no files of sysctl.d.
pub fn why_settings_unknown(root: &Root) -> Option<UnreadableConfig> {
    let is_uncaptured = !root.is_live() && !boot_settings::has_sysctl_files(root);
    is_uncaptured.then(|| UnreadableConfig {
        file: "/etc/sysctl.d".into(),
        why: "this capture has no files of sysctl.d, so settings are not compared".to_owned(),
    })
}

/// Leaves out what cannot be applied at boot on this machine, each with a warning, so that the rest can.
pub(super) fn possible_goals(
    machine: &ObservedMachine<'_>,
    goals: &mut Vec<Goal>,
    accepted: &[String],
) -> Vec<Check> {
    if let Some(why) = why_config_unreadable(machine).filter(|_| !goals.is_empty()) {
        goals.clear();
        let text = format!("nothing is set up at boot: {why}");
        return vec![Check { id: BOOT, verdict: CheckVerdict::Warn, text }];
    }
    let config = BootConfig::read_config(machine);
    let (mut warnings, mut lacks_area) = (Vec::new(), false);
    goals.retain(|goal| {
        let device = config.check_device(machine.root, goal, accepted);
        let refused = device.filter(|check| check.verdict == CheckVerdict::Refuse);
        let possible = match refused {
            Some(check) => Err(check.text),
            None => config.steps(machine, std::slice::from_ref(goal)),
        };
        let Err(why) = possible else { return true };
        lacks_area |= matches!(goal, Goal::On(_) | Goal::Zram(..));
        let warning = || Check::warn(BOOT, format!("not at boot: {why}"));
        // Without an entry there is nothing to disable.
        let off = if let Goal::Off(path) = goal { Some(path) } else { None };
        let note = off.and_then(|path| config.nothing_to_remove(path));
        warnings.push(note.unwrap_or_else(warning));
        false
    });
    if lacks_area {
        let changes_something = |goal: &Goal| {
            config.steps(machine, std::slice::from_ref(goal)).is_ok_and(|steps| !steps.is_empty())
        };
        warnings.extend(keep_old_swap(goals, changes_something));
    }
    warnings
}

/// If some of the wanted swap cannot be set up at boot, keeps the present entries instead of removing them, with a
/// warning for each.
fn keep_old_swap(goals: &mut Vec<Goal>, changes_something: impl Fn(&Goal) -> bool) -> Vec<Check> {
    let mut warnings = Vec::new();
    goals.retain(|goal| {
        let kept = match goal {
            Goal::NeverStarted(kept) | Goal::Off(kept) => kept.safe(),
            Goal::Gone(kept) if zram::device_number(kept).is_some() => kept.safe(),
            // The entry of a file that is removed would fail.
            Goal::Gone(_) | Goal::On(_) | Goal::Zram(..) | Goal::Setting(..) | Goal::Unset(_) => {
                return true;
            }
        };
        if !changes_something(goal) {
            return true;
        }
        let text = format!(
            "{kept} stays enabled at boot, because not all of the wanted swap can be set up there"
        );
        warnings.push(Check::warn(BOOT, text));
        false
    });
    warnings
}

/// The area that an entry refers to. The udev link of a tag answers without a search of all disks.
fn area_of_entry(root: &Root, entry: &ConfigEntry) -> Option<Name> {
    let what = &entry.area.known()?.what;
    if entry.kind == ConfigKind::ZramGenerator {
        return Some(Name::new([b"/dev/", what.as_bytes()].concat()));
    }
    let linked = entry.leads_to.known().cloned();
    let found =
        linked.or_else(|| find::find_storage(root, OsStr::from_bytes(what.as_bytes())).ok());
    // A missing device is still known by its path.
    found.or_else(|| what.as_bytes().starts_with(b"/").then(|| what.clone()))
}

/// The drop-ins that are read after one of ours in `/etc`, for the same unit or program, in any searched folder.
fn later_drop_ins(root: &Root, ours: &Name) -> Vec<Name> {
    let (Some(folder), own) = (ours.as_path().parent(), ours.base()) else { return Vec::new() };
    let Ok(tail) = folder.strip_prefix("/etc") else { return Vec::new() };
    let tails = sibling_folders(tail);
    let mut all = Vec::new();
    for folder in ABOVE.iter().flat_map(|above| tails.iter().map(|it| Path::new(above).join(it))) {
        let names = root.names(&folder);
        let names = names.known_items().iter();
        let after =
            names.filter(|name| name.ends_with(b".conf") && name.as_slice() > own.as_bytes());
        all.extend(after.map(|name| {
            let path = folder.join(OsStr::from_bytes(name));
            Name::new(path.as_os_str().as_bytes())
        }));
    }
    all
}

/// Folders whose files are read as one: several for a unit.
fn sibling_folders(folder: &Path) -> Vec<PathBuf> {
    let name = folder.file_name().map(OsStr::as_bytes).unwrap_or_default();
    let unit = name.strip_suffix(b".d").filter(|_| folder.starts_with("systemd/system"));
    match unit {
        Some(unit) => {
            let names = config::drop_in_folders(&Name::new(unit));
            names.iter().map(|name| folder.with_file_name(name.as_path())).collect()
        }
        None => vec![folder.to_owned()],
    }
}

/// The stable name of a device for `fstab`, independent of detection order.
pub(super) fn lasting_title(root: &Root, path: &Name) -> Option<String> {
    // The same UUID is on a copy of a disk.
    let leads_back =
        |title: &String| find::find_storage(root, OsStr::new(title)).as_ref() == Ok(path);
    title(root, path).filter(leads_back)
}

fn title(root: &Root, path: &Name) -> Option<String> {
    let base = path.base().safe();
    if base.starts_with("dm-") {
        // A device encrypted with a new key at each boot gets a new UUID as well.
        let name = root.line(format!("sys/class/block/{base}/dm/name"));
        return name.known().map(|name| format!("/dev/mapper/{name}"));
    }
    let found = candidate::read(root, path);
    let PathKind::Device { .. } = found.thing.known()? else { return None };
    let Signature::Swap(header) = found.signature.known()? else { return None };
    Some(format!("UUID={}", header.uuid?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::journal::JournalStore;
    use crate::change::{self, ExecutionOptions, Intent};
    use crate::model::part_set;
    use crate::root::testing::TestTree;

    #[test]
    fn loop_device_or_network_disk_gets_no_new_entry_unless_the_risk_is_accepted() {
        let check = |fstab: &str, path: &str, accepted: &[&str]| {
            let tree = TestTree::with(&[
                ("etc/fstab", fstab),
                ("sys/block/loop7/loop/backing_file", "/data/swap.img\n"),
            ]);
            let root = tree.root();
            let machine = ObservedMachine::observe_for_enable(&root);
            let area = BootArea { path: path.into(), priority: None, discard: None };
            let accepted: Vec<String> = accepted.iter().map(|&risk| risk.to_owned()).collect();
            let config = BootConfig::read_config(&machine);
            let mut goals = vec![Goal::On(area)];
            let check = config.check_device(&root, &goals[0], &accepted);
            let left_out = possible_goals(&machine, &mut goals, &accepted);
            (check.map(|it| (it.verdict, it.text)), goals.len(), left_out.len())
        };
        let (Some((verdict, text)), 0, 1) = check("", "/dev/loop7", &[]) else { panic!() };
        assert_eq!(verdict, CheckVerdict::Refuse);
        let next = "losetup -d /dev/loop7; swapadm on /data/swap.img --persist, or set it up";
        assert!(text.contains(next), "{text}");
        let (Some((verdict, _)), 1, 0) = check("", "/dev/loop7", &["loop"]) else { panic!() };
        assert_eq!(verdict, CheckVerdict::Warn);
        let (Some((_, text)), 0, 1) = check("", "/dev/loop7p1", &[]) else { panic!() };
        assert!(text.contains("Use a swap file, a partition or a disk, or"), "{text}");
        let fstab = "/dev/loop7 none swap sw 0 0\n";
        assert_eq!(check(fstab, "/dev/loop7", &[]), (None, 1, 0), "it is set up already");
        assert_eq!(check("", "/dev/sda", &[]), (None, 1, 0));
        let (Some((verdict, text)), 0, 1) = check("", "/dev/nbd0p1", &[]) else { panic!() };
        assert_eq!(verdict, CheckVerdict::Refuse);
        assert!(text.contains("the boot would wait for it"), "{text}");
        let (Some((verdict, _)), 1, 0) = check("", "/dev/nbd0", &["network"]) else { panic!() };
        assert_eq!(verdict, CheckVerdict::Warn);
    }

    #[test]
    fn area_that_does_not_exist_is_an_obstacle_on_its_machine_and_unknown_in_a_capture() {
        let fstab = "/swap/a none swap sw 0 0\nUUID=1-2 none swap sw 0 0\n/b none swap sw 0 0\n";
        let tree = TestTree::with(&[("etc/fstab", fstab), ("b", "")]);
        let obstacles = |root: &Root| {
            let machine = ObservedMachine::observe_parts(root, part_set![Swaps, Config]);
            let config = BootConfig::read_config(&machine);
            let checked = config.checked_entries(&machine).into_iter();
            checked.map(|it| it.obstacle.into_result().map_err(|it| it.why())).collect::<Vec<_>>()
        };
        let gone = ["/swap/a does not exist", "no device has UUID=1-2"];
        let [path, tag] = gone.map(|why| Ok(Some(why.to_owned())));
        assert_eq!(obstacles(&tree.live()), [path, tag, Ok(None)]);
        let [path, tag] =
            ["/swap/a", "UUID=1-2"].map(|what| Err(format!("{what} is not in the captured tree")));
        assert_eq!(obstacles(&tree.root()), [path, tag, Ok(None)]);
        tree.write("proc/swaps", "Filename Type Size Used Priority\n/swap/a file 8 4 -2\n");
        assert_eq!(obstacles(&tree.root())[0], Ok(None), "it is active");
    }

    /// A search for the UUID would read all disks, and wait for a dead one.
    #[test]
    fn an_entry_means_the_device_of_its_udev_link() {
        let tree = TestTree::with(&[("etc/fstab", "UUID=x none swap sw 0 0\n"), ("dev/sda1", "")]);
        tree.link("dev/disk/by-uuid/x", "../../sda1");
        let root = tree.root();
        let config = BootConfig::read_config(&ObservedMachine::observe_for_enable(&root));
        assert_eq!(config.entries[0].1, Some("/dev/sda1".into()));
    }

    #[test]
    fn an_area_that_no_file_enables_does_not_keep_others_from_being_disabled_at_boot() {
        let swaps = "Filename Type Size Used Priority\n/dev/a partition 1020 0 5\n/dev/b partition 1020 0 4\n";
        let files = [("proc/swaps", swaps), ("etc/fstab", "/dev/a none swap sw 0 0\n")];
        let tree = TestTree::with(&files);
        let (root, journal) = (tree.root(), JournalStore::in_memory());
        let machine = ObservedMachine::observe(&root);
        let propose = |names: &[&str]| {
            let off = Intent::Off(names.iter().map(|&name| name.into()).collect());
            let options = ExecutionOptions { persist: true, ..ExecutionOptions::default() };
            change::propose(&machine, &journal, off, options)
        };
        let both = propose(&["/dev/a", "/dev/b"]).unwrap();
        let saved = both.plan.steps.iter().filter(|step| matches!(step, Step::Save { .. }));
        let notes: Vec<_> = both.checks.iter().filter(|check| check.id == BOOT).collect();
        assert_eq!((saved.count(), notes.len()), (1, 1));
        assert!(notes[0].text.starts_with("nothing to remove at boot for /dev/b"), "{notes:?}");
        let why = propose(&["/dev/b"]).unwrap_err().to_string();
        assert!(why.contains("omit it"), "{why}");
    }

    #[test]
    fn later_drop_ins_are_found_in_all_folders() {
        let below = |name: &str| format!("systemd/system/a.swap.d/{name}");
        let names = ["etc", "run", "usr/lib"].map(|above| format!("{above}/{}", below("zzz.conf")));
        let tree = TestTree::with(&[
            (names[0].as_str(), ""),
            (names[2].as_str(), ""),
            (&format!("etc/{}", below("10.conf")), ""),
            (&format!("etc/{}", below("zzz.swapadm-old")), ""),
            ("etc/systemd/system/b.swap.d/zzz.conf", ""),
            ("run/systemd/system/swap.d/zzz.conf", ""),
        ]);
        let ours = Name::from(format!("/etc/{}", below("zz-swapadm.conf")).as_str());
        let found: Vec<String> =
            later_drop_ins(&tree.root(), &ours).iter().map(Name::safe).collect();
        let of_all = "/run/systemd/system/swap.d/zzz.conf".to_owned();
        assert_eq!(found, [format!("/{}", names[0]), of_all, format!("/{}", names[2])]);
    }
}

//! systemd units: those that enable swap, and cgroup limits, which systemd sets when it creates the
//! cgroup.

use crate::actions::persist::edit::{
    is_bare, options_on, resets_conditions, with_never_condition, with_setting,
    without_never_condition, without_section,
};
use crate::actions::persist::files::{
    BootArea, BootFiles, FileEdits, PersistResult, UNITS, check_is_last, own_drop_in,
};
use crate::actions::shell_quoted;
use crate::actions::step::known_or_reason;
use crate::model::Name;
use crate::model::activation::Priority;
use crate::model::config::{ConfigEntry, NEVER_STARTED, unit_name_for};

/// Kernel files, the names of their systemd settings, and the first release that has them.
const SETTINGS: [(&str, &str, u32); 4] = [
    ("memory.max", "MemoryMax", 231),
    ("memory.swap.max", "MemorySwapMax", 232),
    ("memory.zswap.max", "MemoryZSwapMax", 253),
    ("memory.zswap.writeback", "MemoryZSwapWriteback", 256),
];
/// Unit types that have a cgroup, with their sections.
const KINDS: [(&str, &str); 5] = [
    ("service", "Service"),
    ("slice", "Slice"),
    ("socket", "Socket"),
    ("mount", "Mount"),
    ("swap", "Swap"),
];

/// Folder of transient units, which have no unit file.
const TRANSIENT: &str = "/run/systemd/transient/";
/// Mount point of the cgroups whose limits systemd sets.
const MOUNT: &str = "/sys/fs/cgroup";
const SCRIPT: &str = "set it where the cgroup is created, or from a boot script";

/// The unit setting for a limit.
struct UnitSetting<'p> {
    unit: &'p str,
    section: &'static str,
    key: &'static str,
    /// First systemd release with this setting.
    first: u32,
}

impl FileEdits<'_> {
    /// Writes a drop-in for the unit that sorts after others. The unit file itself is left alone:
    /// systemd would not reread it.
    pub(super) fn write_priority(
        &mut self,
        area: &BootArea,
        entry: &ConfigEntry,
    ) -> PersistResult<()> {
        let number = area.priority.map(|priority| match priority {
            Priority::Set(number) => number.to_string(),
            // An empty value resets that of the unit.
            Priority::Default => String::new(),
        });
        let said = entry.area.known().map_or(&[][..], |area| &area.options);
        let said: Vec<String> =
            said.iter().filter(|option| *option != NEVER_STARTED).cloned().collect();
        let is_priority = |option: &String| option.starts_with("pri=");
        let mut options = options_on(area, said.clone());
        options.retain(|option| !is_priority(option));
        let changes = said.iter().any(is_priority) || area.discard.is_some();
        let beside = own_drop_in(&entry.file.base());
        if entry.disables_itself() {
            self.enable_unit(&entry.file)?;
        }
        check_is_last(&beside, "Swap", &["Priority", "Options"], self.files)?;
        self.edit(&beside, |text| {
            let mut text = text.to_owned();
            if number.is_some() {
                text = with_setting(&text, "Swap", "Priority", number.as_deref());
            }
            if changes && options != said {
                text = with_setting(&text, "Swap", "Options", Some(&options.join(",")));
            }
            text
        })
    }

    /// Removes our condition that disables a unit.
    pub(super) fn enable_unit(&mut self, unit: &Name) -> PersistResult<()> {
        let file = Name::new([UNITS, unit.base().as_bytes()].concat());
        if known_or_reason(self.files.look.text(&file))?.is_some_and(|text| text.is_empty()) {
            return Err(format!(
                "{} is masked: run systemctl unmask {} first",
                file.safe(),
                shell_quoted(&unit.base())
            ));
        }
        let beside = own_drop_in(&unit.base());
        // The text on disk: a line of fstab and a unit may both ask for the removal.
        let text = known_or_reason(self.files.look.text(&beside))?.unwrap_or_default();
        if without_never_condition(&text) == text {
            return Err(format!(
                "{} is disabled by {NEVER_STARTED} in the unit or in another drop-in: remove that line there",
                unit.safe()
            ));
        }
        self.edit(&beside, without_never_condition)
    }

    /// Checks drop-ins for a unit that others generate for this name: an earlier drop-in of ours may
    /// still disable it.
    pub(super) fn check_not_disabled(&mut self, what: &Name) -> PersistResult<()> {
        self.edit(&own_drop_in(&unit_name_for(what)), without_never_condition)
    }

    /// Disables a unit by a condition that is never met: systemd skips it, and units that want it do
    /// not fail. A unit in `/etc` cannot be masked.
    pub(super) fn disable_unit(&mut self, entry: &ConfigEntry) -> PersistResult<()> {
        if entry.disables_itself() {
            return Ok(());
        }
        self.add_never_condition(&entry.file.base())
    }

    /// Disables a service in the same way.
    pub(in super::super) fn disable_service(&mut self, unit: &Name) -> PersistResult<()> {
        if self.files.runs_init_scripts {
            return Err(format!(
                "{} is started by an init script: disable that, such as with update-rc.d",
                unit.safe()
            ));
        }
        self.add_never_condition(unit)
    }

    /// Writes a condition that is never met for this unit.
    fn add_never_condition(&mut self, unit: &Name) -> PersistResult<()> {
        let files = self.files;
        let beside = own_drop_in(unit);
        for file in (files.later)(&beside) {
            let text = known_or_reason(files.look.text(&file))?.unwrap_or_default();
            if resets_conditions(&text) {
                return Err(format!(
                    "{} resets the conditions of {}, which would disable the unit: change it there, or rename it so that it sorts earlier",
                    file.safe(),
                    beside.safe()
                ));
            }
        }
        self.edit(&beside, with_never_condition)
    }

    /// Writes a limit to a drop-in of its unit.
    pub(super) fn write_limit(&mut self, path: &str, value: &str) -> PersistResult<()> {
        let files = self.files;
        if !files.lasting.systemd {
            return Err(format!(
                "{path}: the cgroup is not created by systemd and ends at reboot: {SCRIPT}"
            ));
        }
        let place = unit_setting(path, files)?;
        is_set(path, &place, files)?;
        let beside = own_drop_in(&place.unit.into());
        check_is_last(&beside, place.section, &[place.key], files)?;
        let value = if value == "max" { "infinity" } else { value };
        self.edit(&beside, |text| with_setting(text, place.section, place.key, Some(value)))
    }

    /// Removes a limit from our drop-in; without a unit for it, none was written.
    pub(in super::super) fn remove_limit(&mut self, path: &str) -> PersistResult<()> {
        let Ok(UnitSetting { unit, section, key, .. }) = unit_setting(path, self.files) else {
            return Ok(());
        };
        self.edit(&own_drop_in(&unit.into()), |text| {
            let text = with_setting(text, section, key, None);
            if is_bare(&text, section) { without_section(&text, section) } else { text }
        })
    }
}

/// Is this a file of a cgroup?
pub(super) fn is_cgroup_file(path: &str, files: &BootFiles<'_>) -> bool {
    path_in_cgroup_mount(path, files).is_some()
}

fn path_in_cgroup_mount<'p>(path: &'p str, files: &BootFiles<'_>) -> Option<&'p str> {
    let mount = files.groups.map_or_else(|| MOUNT.to_owned(), Name::safe);
    path.strip_prefix(mount.as_str())?.strip_prefix('/')
}

fn unit_setting<'p>(path: &'p str, files: &BootFiles<'_>) -> PersistResult<UnitSetting<'p>> {
    let Some((group, file)) =
        path_in_cgroup_mount(path, files).and_then(|below| below.rsplit_once('/'))
    else {
        return Err(format!("{path}: the root cgroup has no limits"));
    };
    let known = SETTINGS.into_iter().find(|(known, ..)| *known == file);
    let Some((_, key, first)) = known else {
        return Err(format!("{path}: systemd has no such setting: {SCRIPT}"));
    };
    let (unit, section) = unit_name(path, group)?;
    Ok(UnitSetting { unit, section, key, first })
}

/// Checks that the installed systemd sets the limit, from a persistent unit file.
fn is_set(path: &str, place: &UnitSetting<'_>, files: &BootFiles<'_>) -> PersistResult<()> {
    let first = place.first;
    if let Some(release) = files.lasting.systemd_release.filter(|release| *release < first) {
        return Err(format!(
            "{path}: this needs systemd {first}, and this machine has {release}: {SCRIPT}"
        ));
    }
    if let Some(mount) = files.groups.filter(|mount| **mount != MOUNT.into()) {
        return Err(format!(
            "{path}: systemd sets it only with cgroup2 mounted at {MOUNT}, but here it is at {}: {SCRIPT}",
            mount.safe()
        ));
    }
    let transient = Name::from(format!("{TRANSIENT}{}", place.unit).as_str());
    if known_or_reason(files.look.text(&transient))?.is_some() {
        return Err(format!(
            "{path}: {} is a transient unit (systemd-run): set it where the unit is created, or on a slice above it",
            place.unit
        ));
    }
    Ok(())
}

/// The unit of a cgroup, and the section for its limits.
fn unit_name<'g>(path: &str, group: &'g str) -> PersistResult<(&'g str, &'static str)> {
    let (above, name) = group.rsplit_once('/').map_or((None, group), |(a, b)| (Some(a), b));
    let mut above = above.into_iter().flat_map(|above| above.split('/'));
    if let Some(owner) = above.find(|part| unit_suffix(part) != "slice") {
        let owner = shell_quoted(&Name::from(owner));
        return Err(format!(
            "{path}: cgroups below {owner} are managed by that unit, not by the system manager: set it there, or on a slice above it"
        ));
    }
    let Some((_, section)) = KINDS.iter().find(|it| it.0 == unit_suffix(name)) else {
        let is_scope = unit_suffix(name) == "scope";
        let why = if is_scope { "a scope, which has no unit file" } else { "not a systemd unit" };
        return Err(format!(
            "{path}: the cgroup is {why}: set it where the cgroup is created, or on a slice above it"
        ));
    };
    // systemd escapes names that look like kernel files with an underscore.
    Ok((name.strip_prefix('_').unwrap_or(name), section))
}

/// The type of a unit, by its name.
fn unit_suffix(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, kind)| kind)
}

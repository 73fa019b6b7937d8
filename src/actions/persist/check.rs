//! Differences between the running machine and its boot configuration.

use super::files::{cause_for_new, fix_for};
use super::writers::generator::mib;
use super::{describe_loop_at_boot, describe_network_at_boot};
use crate::actions::shell_quoted;
use crate::actions::step::current_choice;
use crate::columns::units::parse_size;
use crate::derive::speed;
use crate::model::activation::Priority;
use crate::model::block::loop_device;
use crate::model::config::{ConfigEntry, ConfigKind, ConfiguredArea, NoEffect, PersistentSettings};
use crate::model::knob::{KNOBS, KnobReading};
use crate::model::surroundings::SwapService;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Name, Reading, Snapshot, zram};
use serde::Serialize;

/// A difference between now and the next boot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BootDifference {
    /// The area or setting.
    pub what: Name,
    /// Present state.
    pub now: String,
    /// State after the next boot.
    pub then: String,
    /// The file that says so, if any.
    pub file: Option<Name>,
    /// The line in that file.
    pub line: Option<u32>,
    /// Commands that keep the present state, or adopt the configured one.
    pub fix: String,
}

/// Gives the value of a kernel file before its first change since the boot, if that is known.
pub type ValueAtBoot<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Something unknown about the next boot: a file that could not be read, or an entry whose area a capture lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadableConfig {
    /// The file.
    pub file: Name,
    /// The reason.
    pub why: String,
}

/// An entry, with the path that it names, and what keeps that area from being enabled at boot.
#[derive(Clone, Debug)]
pub struct CheckedEntry<'c> {
    /// The entry.
    pub entry: &'c ConfigEntry,
    /// The path that it names, if known.
    pub means: Option<&'c Name>,
    /// Why the area cannot be enabled, if so. A capture may lack the area.
    pub obstacle: Reading<Option<String>>,
}

impl CheckedEntry<'_> {
    /// Why it is unknown what the entry sets up, if so.
    fn unknown(&self) -> Option<&Missing> {
        let of_file = self.entry.area.missing().filter(|_| self.entry.line == 0);
        of_file.or_else(|| self.obstacle.missing())
    }

    /// Does the entry give this active area another priority at boot than it has now?
    pub fn changes_priority(&self, area: &SwapArea) -> bool {
        let (entry, is_own) = (self.entry, self.means == Some(&area.path));
        let differs = |wanted: &ConfiguredArea| {
            let then = wanted.requested_priority().unwrap_or(entry.kind.default_priority());
            !then.matches_shown(area.priority)
        };
        is_own
            && !entry.leaves_area_disabled()
            && !entry.is_generated()
            && entry.area.known().is_some_and(differs)
    }
}

/// The files among these entries that could not be read, or whose area is unknown.
pub fn unreadable_files(entries: &[CheckedEntry<'_>]) -> Vec<UnreadableConfig> {
    let unread = entries.iter().filter_map(|checked| {
        let why = checked.unknown()?.why();
        Some(UnreadableConfig { file: checked.entry.file.clone(), why })
    });
    unread.collect()
}

/// All differences: areas first, then settings, unless it is unknown what sets them. Whether an area is set up at
/// boot is unknown while a file cannot be read, and where a service makes such areas.
pub fn differences(
    snapshot: &Snapshot,
    entries: &[CheckedEntry<'_>],
    settings: Option<(&PersistentSettings, ValueAtBoot<'_>)>,
    services: &[SwapService],
    without_effect: &[(ConfigKind, NoEffect)],
) -> Vec<BootDifference> {
    let areas = snapshot.areas();
    let is_own = |it: &&CheckedEntry<'_>| !it.entry.is_generated();
    let mut own: Vec<_> = entries.iter().filter(is_own).collect();
    // Of several lines of fstab for one area the first counts: the others find it active.
    let mut listed: Vec<&Name> = Vec::new();
    own.retain(|it| {
        let is_line = it.entry.kind == ConfigKind::Fstab && !it.entry.leaves_area_disabled();
        let named = it.means.filter(|_| is_line);
        let is_first = named.is_none_or(|path| !listed.contains(&path));
        listed.extend(named);
        is_first
    });
    let of_entries = own.iter().flat_map(|checked| {
        compare_entry(checked, areas).into_iter().chain(compare_device(checked, snapshot))
    });
    let is_complete = !entries.iter().any(|it| it.means.is_none() && it.unknown().is_some());
    let is_of_service =
        |area: &SwapArea| services.iter().any(|service| service.may_enable(&area.path));
    let is_unknown = |area: &&SwapArea| {
        is_complete && !own.iter().any(|it| it.means == Some(&area.path)) && !is_of_service(area)
    };
    let blocks = snapshot.block.reading.known_items();
    let file_behind = |area: &SwapArea| {
        let block =
            blocks.iter().filter_map(Reading::known).find(|it| it.name == area.path.base().safe());
        block.and_then(|block| block.backing_file.known())
    };
    let unknown = areas.iter().filter(is_unknown).map(|area| {
        let cause = cause_for_new(&area.path, without_effect);
        not_at_boot(area, file_behind(area), cause)
    });
    let knobs = snapshot.knobs.reading.known_items();
    let of_knob = |(lasting, at_boot)| {
        knobs.iter().filter_map(move |knob| compare_setting(knob, lasting, at_boot))
    };
    let settings = settings.into_iter().flat_map(of_knob);
    of_entries.chain(unknown).chain(settings).collect()
}

fn compare_entry(
    CheckedEntry { entry, means, obstacle }: &CheckedEntry<'_>,
    areas: &[SwapArea],
) -> Option<BootDifference> {
    let (entry, means) = (*entry, *means);
    let wanted = entry.area.known()?;
    let what = means.unwrap_or(&wanted.what);
    let given = shell_quoted(what);
    let area = areas.iter().find(|area| Some(&area.path) == means);
    let (now, then, fix) = match area {
        None if entry.leaves_area_disabled() => return None,
        None => match obstacle.known()? {
            None => ("off".to_owned(), "on".to_owned(), format!("swapadm on {given}")),
            Some(why) => {
                let fix = format!("correct or remove the entry in {}", entry.file.safe());
                ("off".to_owned(), format!("off, because {why}"), fix)
            }
        },
        Some(_) if entry.disables_itself() => {
            let fix = format!("swapadm on {given} --persist");
            ("on".to_owned(), "off".to_owned(), fix)
        }
        Some(_) if let Some(cause) = entry.no_effect => {
            let then = format!("off, because {}", cause.reason());
            ("on".to_owned(), then, fix_for(cause, Some(entry)))
        }
        Some(area) => {
            let then = wanted.requested_priority().unwrap_or(entry.kind.default_priority());
            if then.matches_shown(area.priority) {
                return None;
            }
            let now = Priority::from_shown(area.priority);
            (
                format!("priority {now}"),
                format!("priority {then}"),
                format!("swapadm priority {given}={now} --persist, or ={then} without --persist"),
            )
        }
    };
    let (file, line) = (Some(entry.file.clone()), Some(entry.line));
    Some(BootDifference { what: what.clone(), now, then, file, line, fix })
}

/// The values of a zram device in use that the section of zram-generator says otherwise. A size that is computed
/// at boot is not compared.
fn compare_device(checked: &CheckedEntry<'_>, snapshot: &Snapshot) -> Vec<BootDifference> {
    let CheckedEntry { entry, means: Some(path), .. } = checked else {
        return Vec::new();
    };
    if entry.leaves_area_disabled() {
        return Vec::new();
    }
    let is_active = snapshot.areas().iter().any(|area| area.path == **path);
    let name = path.base().safe();
    let devices = snapshot.zram.reading.known_items();
    let device = devices.iter().find(|device| is_active && device.name == name);
    let (Some(device), Some(section), ConfigKind::ZramGenerator) =
        (device, entry.area.known(), entry.kind)
    else {
        return Vec::new();
    };
    // A number without a unit is in MiB.
    let bytes = |key: &str| parse_size(&format!("{}M", section.section_value(key)?));
    // The parameters of an algorithm follow it.
    let algorithm = section.section_value("compression-algorithm");
    let algorithm = algorithm.and_then(|value| value.split([' ', '(']).next());
    let algorithm = algorithm.filter(|name| !name.is_empty()).map(str::to_owned);
    let limit = |bytes: Bytes| if bytes == Bytes(0) { "none".to_owned() } else { bytes.exact() };
    let sizes = |now: Option<Bytes>, key: &str| {
        now.zip(bytes(key)).filter(|(now, then)| mib(*now) != mib(*then))
    };
    let size = sizes(device.disksize.known().copied(), "zram-size");
    let limits = sizes(device.mm.known().map(|mm| mm.mem_limit), "zram-resident-limit");
    let current = device.algorithm.known().map(|choice| choice.current.clone());
    let pairs = [
        ("resize", size.map(|(now, then)| (now.exact(), then.exact()))),
        ("algorithm", current.zip(algorithm).filter(|(now, then)| now != then)),
        ("limit", limits.map(|(now, then)| (limit(now), limit(then)))),
    ];
    let differs = |(verb, values): (&str, Option<(String, String)>)| {
        let (now, then) = values?;
        let fix =
            format!("swapadm zram {verb} {name} {now} --persist, or {then} without --persist");
        let value = if verb == "resize" { "size" } else { verb };
        let what = Name::new([path.as_bytes(), b" ", value.as_bytes()].concat());
        let (file, line) = (Some(entry.file.clone()), Some(entry.line));
        Some(BootDifference { what, now, then, file, line, fix })
    };
    pairs.into_iter().filter_map(differs).collect()
}

fn not_at_boot(
    area: &SwapArea,
    file_behind: Option<&Name>,
    cause: Option<NoEffect>,
) -> BootDifference {
    let what = area.path.clone();
    let mut fix = format!("swapadm on {} --persist", shell_quoted(&area.path));
    if let Some(cause) = cause {
        fix = fix_for(cause, None);
    } else if zram::device_number(&area.path).is_some() {
        fix.push_str(", if zram-generator is installed");
    } else if loop_device(&area.path).is_some() {
        fix = describe_loop_at_boot(&area.path, file_behind);
    } else if speed::is_network_device(&area.path) {
        fix = describe_network_at_boot(&area.path);
    }
    let (now, then) = ("on".to_owned(), "not configured".to_owned());
    BootDifference { what, now, then, file: None, line: None, fix }
}

fn compare_setting(
    reading: &KnobReading,
    lasting: &PersistentSettings,
    at_boot: ValueAtBoot<'_>,
) -> Option<BootDifference> {
    let knob = KNOBS.iter().find(|knob| knob.id == reading.id)?;
    let text = reading.value.known()?;
    let now = current_choice(text);
    let file = format!("/{}", knob.file);
    let said = lasting.effective(&file);
    let fix = format!("swapadm set {0} {now} --persist, or swapadm set {0} ", knob.id);
    if let Some(said) = said {
        // As the kernel would print the written value.
        let then = knob.kind.parse_value(&said.value, text).unwrap_or_else(|_| said.value.clone());
        return (then != now).then(|| BootDifference {
            what: knob.id.into(),
            fix: format!("{fix}{then}"),
            now,
            then,
            file: Some(said.file.clone()),
            line: Some(said.line),
        });
    }
    // Without a default of the kernel, the value depends on the machine.
    let default = knob.default.map(str::to_owned).or_else(|| at_boot(&file));
    let default = default.filter(|default| *default != now)?;
    Some(BootDifference {
        what: knob.id.into(),
        fix: format!("{fix}{default}"),
        now,
        then: format!("{default} (no file sets it)"),
        file: None,
        line: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::config::{Assignment, ConfiguredArea};
    use crate::model::surroundings::SWAP_SERVICES;
    use crate::model::swaparea::testing::area;
    use crate::model::{Sampled, Stamp};

    fn entry(
        kind: ConfigKind,
        means: &str,
        priority: Option<i32>,
        option: &str,
    ) -> (ConfigEntry, Option<Name>) {
        let area = ConfiguredArea {
            what: "UUID=x".into(),
            priority: priority.map_or_else(|| Reading::absent("none"), Reading::Known),
            options: vec![option.to_owned()],
        };
        let (area, leads_to) = (Reading::Known(area), Reading::not_sampled());
        let entry = ConfigEntry {
            file: "/etc/f".into(),
            line: 3,
            kind,
            area,
            leads_to,
            no_effect: None,
            from_command_line: false,
        };
        (entry, Some(means.into()))
    }

    fn machine(areas: Vec<SwapArea>, knobs: &[(&str, &str)]) -> Snapshot {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let knob = |(id, value): &(&str, &str)| KnobReading {
            id: (*id).to_owned(),
            value: Reading::Known((*value).to_owned()),
        };
        snapshot.knobs = Sampled::new(None, Reading::Known(knobs.iter().map(knob).collect()));
        snapshot
    }

    fn checked(entries: &[(ConfigEntry, Option<Name>)]) -> Vec<CheckedEntry<'_>> {
        let checked = entries.iter().map(|(entry, means)| CheckedEntry {
            entry,
            means: means.as_ref(),
            obstacle: Reading::Known(None),
        });
        checked.collect()
    }

    fn compare(
        snapshot: &Snapshot,
        entries: &[(ConfigEntry, Option<Name>)],
    ) -> Vec<BootDifference> {
        differences(
            snapshot,
            &checked(entries),
            Some((&PersistentSettings::default(), &|_| None)),
            &[],
            &[],
        )
    }

    #[test]
    fn loop_device_is_not_to_be_set_up_at_boot() {
        let snapshot = machine(vec![area("/dev/loop7", -2, 1, 0), area("/dev/sda", -3, 1, 0)], &[]);
        let fixes: Vec<String> = compare(&snapshot, &[]).into_iter().map(|it| it.fix).collect();
        assert!(fixes[0].ends_with("Use a swap file, a partition or a disk"), "{fixes:?}");
        assert_eq!(fixes[1], "swapadm on /dev/sda --persist");
    }

    #[test]
    fn nothing_is_said_of_areas_while_a_file_cannot_be_read() {
        let unread = ConfigEntry {
            file: "/etc/fstab".into(),
            line: 0,
            kind: ConfigKind::Fstab,
            area: Missing::Denied("/etc/fstab".into()).into(),
            leads_to: Reading::not_sampled(),
            no_effect: None,
            from_command_line: false,
        };
        let snapshot = machine(vec![area("/dev/own", -2, 1, 0)], &[]);
        assert_eq!(compare(&snapshot, &[]).len(), 1);
        let entries = [(unread, None)];
        assert_eq!(compare(&snapshot, &entries), []);
        let unread = unreadable_files(&checked(&entries));
        assert_eq!(unread.len(), 1);
        assert_eq!(unread[0].file, Name::from("/etc/fstab"));
    }

    #[test]
    fn an_area_that_cannot_be_enabled_stays_off() {
        let entries = [entry(ConfigKind::Fstab, "/dev/gone", Some(5), "sw")];
        let mut checked = checked(&entries);
        checked[0].obstacle = Reading::Known(Some("it does not exist".to_owned()));
        let lasting = PersistentSettings::default();
        let all =
            differences(&machine(vec![], &[]), &checked, Some((&lasting, &|_| None)), &[], &[]);
        assert_eq!(summarize(&all), [["/dev/gone", "off", "off, because it does not exist"]]);
        assert_eq!(all[0].fix, "correct or remove the entry in /etc/f");
        assert_eq!(compare(&machine(vec![], &[]), &entries)[0].then, "on");
    }

    #[test]
    fn units_that_are_not_enabled_and_areas_of_services_differ_only_where_they_will() {
        let mut entries = [entry(ConfigKind::SystemdSwap, "/swap2", None, "x")];
        entries[0].0.no_effect = Some(NoEffect::NothingStartsUnit);
        let checked = checked(&entries);
        let lasting = PersistentSettings::default();
        assert_eq!(
            differences(&machine(vec![], &[]), &checked, Some((&lasting, &|_| None)), &[], &[]),
            []
        );
        let on = machine(vec![area("/swap2", -2, 1, 0)], &[]);
        let all = differences(&on, &checked, Some((&lasting, &|_| None)), &[], &[]);
        let then = "off, because nothing starts the unit";
        assert_eq!(summarize(&all), [["/swap2", "on", then]]);
        assert_eq!(all[0].fix, "systemctl enable f");

        let both = [area("/dev/zram0", 100, 1, 0), area("/swapfile", -3, 1, 0)];
        let on = machine(both.to_vec(), &[]);
        let left = |makes_zram, makes_files| {
            let service = SwapService { makes_zram, makes_files, ..SWAP_SERVICES[0] };
            let all = differences(&on, &[], Some((&lasting, &|_| None)), &[service], &[]);
            all.into_iter().map(|it| it.what.exact()).collect::<Vec<_>>()
        };
        assert_eq!(left(true, false), ["/swapfile"]);
        assert_eq!(left(false, true), ["/dev/zram0"]);
    }

    fn summarize(differences: &[BootDifference]) -> Vec<[String; 3]> {
        differences.iter().map(|it| [it.what.exact(), it.now.clone(), it.then.clone()]).collect()
    }

    #[test]
    fn areas_that_will_differ_are_listed() {
        let entries = [
            entry(ConfigKind::Fstab, "/dev/same", Some(5), "sw"),
            entry(ConfigKind::Fstab, "/dev/other", None, "sw"),
            entry(ConfigKind::Fstab, "/dev/off", Some(5), "nofail"),
            entry(ConfigKind::Fstab, "/dev/noauto", Some(5), "noauto"),
            entry(ConfigKind::Fstab, "/dev/wanted", Some(5), "noauto"),
            entry(ConfigKind::ZramGenerator, "/dev/zram0", None, "x"),
            entry(ConfigKind::Fstab, "/dev/large", Some(40_000), "x"),
        ];
        let areas = [
            ("same", 5),
            ("other", 7),
            ("wanted", 5),
            ("zram0", 100),
            ("own", -2),
            ("large", 32_767),
        ];
        let areas = areas.map(|(name, priority)| area(&format!("/dev/{name}"), priority, 1, 0));
        let all = compare(&machine(areas.to_vec(), &[]), &entries);
        let expected = [
            ["/dev/other", "priority 7", "priority default"],
            ["/dev/off", "off", "on"],
            ["/dev/wanted", "on", "off"],
            ["/dev/own", "on", "not configured"],
        ];
        assert_eq!(summarize(&all), expected);
        assert_eq!((all[0].line, all[3].line), (Some(3), None));
    }

    #[test]
    fn commands_in_texts_are_quoted() {
        let fixes = |entries: &[_], areas| {
            let all = compare(&machine(areas, &[]), entries);
            all.into_iter().map(|it| it.fix).collect::<Vec<_>>()
        };
        let [off, left_off] =
            ["sw", "noauto"].map(|option| [entry(ConfigKind::Fstab, "/a b", Some(5), option)]);
        let on = |priority| vec![area("/a b", priority, 1, 0)];
        assert_eq!(fixes(&off, Vec::new()), ["swapadm on '/a b'"]);
        assert_eq!(fixes(&left_off, on(5)), ["swapadm on '/a b' --persist"]);
        assert_eq!(fixes(&[], on(5)), ["swapadm on '/a b' --persist"]);
        let given = "swapadm priority '/a b'=7 --persist, or =5 without --persist";
        assert_eq!(fixes(&off, on(7)), [given]);
    }

    #[test]
    fn settings_that_will_differ_are_listed() {
        let said = |key: &str, value: &str| Assignment {
            name: "s".into(),
            file: "/etc/s".into(),
            line: 1,
            key: key.to_owned(),
            value: value.to_owned(),
        };
        let lasting = PersistentSettings {
            sysctl: vec![said("vm.swappiness", "10"), said("vm.page-cluster", "3")],
            tmpfiles: Some(vec![said("/sys/kernel/mm/swap/vma_ra_enabled", "1")]),
            ..PersistentSettings::default()
        };
        let knobs = [
            ("swappiness", "60"),
            ("page-cluster", "3"),
            ("vma_ra_enabled", "true"),
            ("vfs_cache_pressure", "50"),
            ("overcommit_memory", "0"),
            ("min_free_kbytes", "77"),
        ];
        let changed =
            |file: &str| (file == "/proc/sys/vm/min_free_kbytes").then(|| "70".to_owned());
        let all =
            differences(&machine(Vec::new(), &knobs), &[], Some((&lasting, &changed)), &[], &[]);
        let expected = [
            ["swappiness", "60", "10"],
            ["vfs_cache_pressure", "50", "100 (no file sets it)"],
            ["min_free_kbytes", "77", "70 (no file sets it)"],
        ];
        assert_eq!(summarize(&all), expected);
    }
}

//! Tests of what is written to which file.

mod disabled_areas;
mod groups;

use super::*;
use crate::actions::testing::FixedView;
use crate::model::activation::{Discard, Priority};
use crate::model::config::{
    Assignment, ConfigEntry, ConfigKind, ConfiguredArea, PersistentSettings,
};
use crate::model::{Bytes, Reading};
use std::collections::BTreeMap;

fn activation(path: &str, priority: u16) -> Activation {
    let priority = Priority::Set(priority);
    Activation { path: path.into(), priority, discard: Discard::None }
}

fn on(path: &str, priority: u16) -> Goal {
    Goal::On(BootArea::from(&activation(path, priority)))
}

fn setting(file: &str, value: &str) -> Goal {
    Goal::Setting(file.into(), value.to_owned())
}

fn entry(kind: ConfigKind, file: &str, line: u32, means: &str) -> (ConfigEntry, Option<Name>) {
    let area = ConfiguredArea {
        what: means.into(),
        priority: Reading::absent("none"),
        options: Vec::new(),
    };
    let (area, leads_to) = (Reading::Known(area), Reading::not_sampled());
    let file = file.into();
    let (no_effect, from_command_line) = (None, false);
    (
        ConfigEntry { file, line, kind, area, leads_to, no_effect, from_command_line },
        Some(means.into()),
    )
}

fn line(file: &str, line: u32, key: &str) -> Assignment {
    let (key, value) = (key.to_owned(), "?".to_owned());
    let file = Name::from(file);
    Assignment { name: file.base(), file, line, key, value }
}

/// The files that these goals change, on a machine with these files.
fn written(
    goals: &[Goal],
    entries: &[(ConfigEntry, Option<Name>)],
    lasting: &PersistentSettings,
    texts: &[(&str, &str)],
) -> Result<Vec<(String, String)>, PersistRefusal> {
    written_with(goals, entries, lasting, texts, &[])
}

/// The files that these goals change, on a machine with these zram devices.
fn written_with(
    goals: &[Goal],
    entries: &[(ConfigEntry, Option<Name>)],
    lasting: &PersistentSettings,
    texts: &[(&str, &str)],
    disks: &[(u64, ZramSettings)],
) -> Result<Vec<(String, String)>, PersistRefusal> {
    let texts = texts.iter().map(|(file, text)| (Name::from(*file), (*text).to_owned()));
    let texts: BTreeMap<Name, String> = texts.collect();
    let later = |ours: &Name| {
        let folder = ours.as_path().parent();
        let beside = |path: &&Name| path.as_path().parent() == folder && *path > ours;
        texts.keys().filter(beside).cloned().collect()
    };
    let disks = disks.iter().cloned().collect();
    let look = FixedView { texts: texts.clone(), disks, ..FixedView::default() };
    let title = |path: &Name| (*path == "/dev/sda2".into()).then(|| "UUID=12-34".to_owned());
    let steps = steps(
        goals,
        &BootFiles {
            entries,
            lasting,
            without_effect: &[],
            services: &[],
            groups: None,
            title: &title,
            runs_init_scripts: false,
            later: &later,
            look: &look,
        },
    )?;
    let text = |step: Step| {
        let Step::Save { path, to, .. } = step else { panic!("{step:?}") };
        (path.safe(), to.unwrap_or_else(|| GONE.to_owned()))
    };
    Ok(steps.into_iter().map(text).collect())
}

/// Marks a removed file.
const GONE: &str = "(gone)";
const GENERATOR: &str = "/etc/systemd/zram-generator.conf.d/zz-swapadm.conf";

fn pair(file: &str, text: &str) -> (String, String) {
    (file.to_owned(), text.to_owned())
}

#[test]
fn areas_are_edited_where_they_are_configured() {
    let entries = [
        entry(ConfigKind::Fstab, "/etc/fstab", 1, "/dev/a"),
        entry(ConfigKind::SystemdSwap, "/run/systemd/generator/dev-a.swap", 1, "/dev/a"),
        entry(ConfigKind::SystemdSwap, "/etc/systemd/system/dev-b.swap", 1, "/dev/b"),
        entry(ConfigKind::SystemdSwap, "/usr/lib/systemd/system/dev-c.swap", 1, "/dev/c"),
        entry(ConfigKind::ZramGenerator, "/etc/systemd/zram-generator.conf", 1, "/dev/zram0"),
    ];
    let texts = [("/etc/fstab", "/dev/a none swap sw 0 0\n")];
    let goals = [on("/dev/a", 5), on("/dev/b", 6), on("/dev/c", 7), on("/dev/zram0", 8)];
    let written = written(&goals, &entries, &PersistentSettings::default(), &texts).unwrap();
    let expected = [
        pair("/etc/fstab", "/dev/a none swap sw,pri=5 0 0\n"),
        pair("/etc/systemd/system/dev-b.swap.d/zz-swapadm.conf", "[Swap]\nPriority=6\n"),
        pair("/etc/systemd/system/dev-c.swap.d/zz-swapadm.conf", "[Swap]\nPriority=7\n"),
        pair(GENERATOR, "[zram0]\nswap-priority=8\n"),
    ];
    assert_eq!(written, expected);
}

#[test]
fn setting_overruled_by_another_file_is_refused() {
    let entries = [
        entry(ConfigKind::SystemdSwap, "/etc/systemd/system/dev-b.swap", 1, "/dev/b"),
        entry(ConfigKind::ZramGenerator, "/etc/systemd/zram-generator.conf", 1, "/dev/zram0"),
    ];
    let after = "/etc/systemd/system/dev-b.swap.d/zzz.conf";
    let next = "/etc/systemd/zram-generator.conf.d/zzz.conf";
    let with = |path: &str, file: &str, text: &str| {
        written(&[on(path, 6)], &entries, &PersistentSettings::default(), &[(file, text)])
    };
    let refused = with("/dev/b", after, "[Swap]\nPriority=1\n").unwrap_err();
    assert!(refused.contains(after) && refused.contains("Priority"), "{refused}");
    assert!(with("/dev/b", after, "[Unit]\nDescription=x\n").is_ok());
    assert!(with("/dev/b", &after.replace("zzz", "10"), "[Swap]\nPriority=1\n").is_ok());
    let refused = with("/dev/zram0", next, "[zram0]\nswap-priority = 1\n").unwrap_err();
    assert!(refused.contains(next) && refused.contains("swap-priority"), "{refused}");
    assert!(with("/dev/zram0", next, "[zram1]\nswap-priority = 1\n").is_ok());
}

#[test]
fn unconfigured_area_gets_one_fstab_line() {
    let nothing = PersistentSettings::default();
    let texts = [("/etc/fstab", "# mine\n")];
    let goals = [on("/dev/sda2", 5), on("/swap file", 6)];
    let text = "# mine\nUUID=12-34 none swap sw,pri=5 0 0\n/swap\\040file none swap sw,pri=6 0 0\n";
    assert_eq!(written(&goals, &[], &nothing, &texts).unwrap(), [pair("/etc/fstab", text)]);
    let mut entries = [entry(ConfigKind::Fstab, "/etc/fstab", 2, "UUID=12-34")];
    entries[0].1 = Some("/dev/sda2".into());
    let again = written(&goals[..1], &entries, &nothing, &[("/etc/fstab", text)]);
    assert_eq!(again.unwrap(), [], "what lasts already is left alone");
    assert!(written(&[on("/dev/zram3", 1)], &[], &nothing, &texts).unwrap_err().contains("boot"));
}

#[test]
fn area_is_disabled_at_boot_where_possible() {
    let entries = [entry(ConfigKind::Fstab, "/etc/fstab", 1, "/dev/a")];
    let off = |path: &str| {
        let texts = [("/etc/fstab", "/dev/a none swap sw 0 0\n")];
        written(&[Goal::Off(path.into())], &entries, &PersistentSettings::default(), &texts)
    };
    assert_eq!(off("/dev/a").unwrap(), [pair("/etc/fstab", "/dev/a none swap sw,noauto 0 0\n")]);
    assert!(off("/dev/unknown").unwrap_err().contains("no known configuration"));
}

#[test]
fn setting_is_edited_in_the_file_that_takes_effect() {
    let lasting = |file: &str| PersistentSettings {
        sysctl: vec![
            line("/etc/sysctl.d/10-x.conf", 1, "vm.swappiness"),
            line(file, 2, "vm.swappiness"),
        ],
        ..PersistentSettings::default()
    };
    let goals = [setting("/proc/sys/vm/swappiness", "7")];
    let texts = [("/etc/sysctl.d/50-y.conf", "# z\nvm.swappiness=1\n")];
    let own = written(&goals, &[], &lasting("/etc/sysctl.d/50-y.conf"), &texts).unwrap();
    assert_eq!(own, [pair("/etc/sysctl.d/50-y.conf", "# z\nvm.swappiness=7\n")]);
    for (counts, ours) in [
        ("/usr/lib/sysctl.d/50-y.conf", "90-swapadm.conf"),
        ("/usr/lib/sysctl.d/99-y.conf", "99-zz-swapadm.conf"),
    ] {
        let new = written(&goals, &[], &lasting(counts), &[]).unwrap();
        assert_eq!(new, [pair(&format!("/etc/sysctl.d/{ours}"), "vm.swappiness = 7\n")]);
    }
}

#[test]
fn sys_files_are_persisted_only_by_tmpfiles() {
    let goals = [setting("/sys/kernel/mm/swap/vma_ra_enabled", "false")];
    let refused = written(&goals, &[], &PersistentSettings::default(), &[]).unwrap_err();
    assert!(refused.contains("only systemd-tmpfiles"), "{refused}");
    let with =
        |lines| PersistentSettings { tmpfiles: Some(lines), ..PersistentSettings::default() };
    let text = "w /sys/kernel/mm/swap/vma_ra_enabled - - - - false\n";
    let new = written(&goals, &[], &with(Vec::new()), &[]).unwrap();
    assert_eq!(new, [pair("/etc/tmpfiles.d/swapadm.conf", text)]);
    let known = line("/etc/tmpfiles.d/a.conf", 1, "/sys/kernel/mm/swap/vma_ra_enabled");
    let old = [("/etc/tmpfiles.d/a.conf", "w /sys/kernel/mm/swap/vma_ra_enabled - - - - true\n")];
    let changed = written(&goals, &[], &with(vec![known]), &old).unwrap();
    assert_eq!(changed, [pair("/etc/tmpfiles.d/a.conf", text)]);
    let first = line("/usr/lib/tmpfiles.d/a.conf", 1, "/sys/kernel/mm/swap/vma_ra_enabled");
    let before = written(&goals, &[], &with(vec![first]), &[]).unwrap();
    assert_eq!(before, [pair("/etc/tmpfiles.d/00-swapadm.conf", text)]);
}

#[test]
fn zram_is_persisted_only_by_zram_generator() {
    let disk = ZramSettings {
        size: Bytes(3 << 29),
        algorithm: Some("zstd".to_owned()),
        limit: Bytes(1),
        ..ZramSettings::default()
    };
    let area = activation("/dev/zram0", 9);
    let goals = [Goal::Zram("/dev/zram0".into(), disk.clone(), Some(area))];
    let refused = written(&goals, &[], &PersistentSettings::default(), &[]).unwrap_err();
    assert!(refused.contains("install it"), "{refused}");
    let here = PersistentSettings { zram_generator: true, ..PersistentSettings::default() };
    let settings =
        "zram-size=1536\ncompression-algorithm=zstd\nzram-resident-limit=1\nswap-priority=9\n";
    let new = written(&goals, &[], &here, &[]).unwrap();
    assert_eq!(new, [pair(GENERATOR, &format!("[zram0]\n{settings}"))]);
    let vendor = "/usr/lib/systemd/zram-generator.conf";
    let entries = [entry(ConfigKind::ZramGenerator, vendor, 1, "/dev/zram0")];
    let beside = written(&goals, &entries, &PersistentSettings::default(), &[]).unwrap();
    assert_eq!(beside, [pair(GENERATOR, &format!("[zram0]\n{settings}"))]);
    let plain = [Goal::Zram("/dev/zram0".into(), disk, None)];
    assert!(written(&plain, &[], &here, &[]).unwrap_err().contains("creates only swap devices"));
}

#[test]
fn all_entries_of_an_area_are_edited() {
    let entry = |line, what: &str| {
        let mut entry = entry(ConfigKind::Fstab, "/etc/fstab", line, what);
        entry.1 = Some("/swap".into());
        entry
    };
    let entries = [entry(1, "/swap"), entry(3, "UUID=12-34"), entry(4, "/swap")];
    let text = "/swap none swap sw\n# x\nUUID=12-34 none swap pri=3\n/swap none swap sw";
    let with = |goal| {
        let written =
            written(&[goal], &entries, &PersistentSettings::default(), &[("/etc/fstab", text)]);
        written.unwrap().remove(0).1
    };
    let path = || Name::from("/swap");
    assert_eq!(with(on("/swap", 5)).matches("pri=5").count(), 3);
    assert_eq!(with(Goal::Off(path())).matches("noauto").count(), 3);
    assert_eq!(with(Goal::Gone(path())), "# x\n");
    let mut both = entries.to_vec();
    let unit = "/etc/systemd/system/swap.swap";
    both.push(super::tests::entry(ConfigKind::SystemdSwap, unit, 1, "/swap"));
    for goal in [Goal::Off(path()), Goal::Gone(path())] {
        let written =
            written(&[goal], &both, &PersistentSettings::default(), &[("/etc/fstab", text)]);
        let files: Vec<String> = written.unwrap().into_iter().map(|(file, _)| file).collect();
        assert_eq!(files, ["/etc/fstab", "/etc/systemd/system/swap.swap.d/zz-swapadm.conf"]);
    }
}

#[test]
fn line_that_now_names_another_area_is_kept() {
    let entries = [entry(ConfigKind::Fstab, "/etc/fstab", 1, "/swap")];
    for text in ["# new\n/swap none swap sw\n", "/dev/a / ext4 x 0 1\n/swap none swap sw\n", ""] {
        for goal in [on("/swap", 5), Goal::Off("/swap".into()), Goal::Gone("/swap".into())] {
            let texts = [("/etc/fstab", text)];
            let refused =
                written(&[goal], &entries, &PersistentSettings::default(), &texts).unwrap_err();
            assert!(refused.contains("line 1 of /etc/fstab no longer sets up"), "{refused}");
        }
    }
}

#[test]
fn removed_area_loses_its_entries() {
    let entries = [entry(ConfigKind::Fstab, "/etc/fstab", 2, "/swap")];
    let texts = [("/etc/fstab", "a\n/swap none swap sw\nb\n")];
    let goals = [Goal::Gone("/swap".into()), Goal::Gone("/other".into())];
    let written = written(&goals, &entries, &PersistentSettings::default(), &texts).unwrap();
    assert_eq!(written, [pair("/etc/fstab", "a\nb\n")]);
}

#[test]
fn all_removed_areas_lose_their_lines() {
    let entries = [(2, "/one"), (3, "/two"), (4, "/one")]
        .map(|(line, what)| entry(ConfigKind::Fstab, "/etc/fstab", line, what));
    let texts =
        [("/etc/fstab", "a\n/one none swap sw\n/two none swap sw\n/one none swap pri=1\nb\n")];
    let goals = ["/one", "/two", "/one"].map(|path| Goal::Gone(path.into()));
    let written = written(&goals, &entries, &PersistentSettings::default(), &texts).unwrap();
    assert_eq!(written, [pair("/etc/fstab", "a\nb\n")]);
}

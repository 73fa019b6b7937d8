//! Tests of areas disabled at boot, and enabled again.

use super::*;
use crate::model::config::NEVER_STARTED;

const UNIT: &str = "/usr/lib/systemd/system/swap.swap";
const BESIDE: &str = "/etc/systemd/system/swap.swap.d/zz-swapadm.conf";
const VENDOR: &str = "/usr/lib/systemd/zram-generator.conf";

/// One area configured with these options.
fn plan_one(
    kind: ConfigKind,
    file: &str,
    means: &str,
    options: &[&str],
) -> [(ConfigEntry, Option<Name>); 1] {
    let mut entry = entry(kind, file, 1, means);
    let Reading::Known(area) = &mut entry.0.area else { panic!("{entry:?}") };
    area.options = options.iter().map(|option| (*option).to_owned()).collect();
    [entry]
}

fn unit(options: &[&str]) -> [(ConfigEntry, Option<Name>); 1] {
    plan_one(ConfigKind::SystemdSwap, UNIT, "/swap", options)
}

fn section(file: &str, options: &[&str]) -> [(ConfigEntry, Option<Name>); 1] {
    plan_one(ConfigKind::ZramGenerator, file, "/dev/zram0", options)
}

/// The one file that a goal writes, and its new content.
fn assert_text(
    goal: Goal,
    entries: &[(ConfigEntry, Option<Name>)],
    texts: &[(&str, &str)],
) -> Result<String, PersistRefusal> {
    let disk = ZramSettings { size: Bytes(5 << 20), limit: Bytes(0), ..ZramSettings::default() };
    let written =
        written_with(&[goal], entries, &PersistentSettings::default(), texts, &[(0, disk)])?;
    assert!(written.len() < 2, "{written:?}");
    Ok(written.into_iter().next().map_or_else(String::new, |(_, text)| text))
}

fn off(path: &str) -> Goal {
    Goal::Off(path.into())
}

fn gone(path: &str) -> Goal {
    Goal::Gone(path.into())
}

/// Enables the area at boot again, as it was.
fn back(path: &str) -> Goal {
    Goal::On(BootArea { path: path.into(), priority: None, discard: None })
}

#[test]
fn disabled_unit_gets_a_false_condition_and_loses_it() {
    for goal in [off("/swap"), gone("/swap")] {
        let text = assert_text(goal, &unit(&["nofail"]), &[]).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines[2], lines.len()), ("[Unit]", NEVER_STARTED, 3), "{text}");
        assert!(lines[1].starts_with("# ") && lines[1].contains("swapadm on"), "{text}");
        let never = unit(&["nofail", NEVER_STARTED]);
        assert_eq!(assert_text(off("/swap"), &never, &[(BESIDE, &text)]).unwrap(), "", "it is off");
        assert_eq!(assert_text(back("/swap"), &never, &[(BESIDE, &text)]).unwrap(), GONE);
        let on = assert_text(on("/swap", 7), &never, &[(BESIDE, &text)]).unwrap();
        assert_eq!(on, "[Swap]\nPriority=7\n", "the condition is no option of swapon");
    }
    assert_eq!(assert_text(back("/swap"), &unit(&[]), &[]).unwrap(), "", "no file for nothing");
    let refused = assert_text(back("/swap"), &unit(&[NEVER_STARTED]), &[]).unwrap_err();
    assert!(refused.contains(UNIT) && refused.contains(NEVER_STARTED), "{refused}");
}

#[test]
fn fstab_line_removes_the_disabling_condition() {
    let kept_off = assert_text(off("/swap"), &unit(&[]), &[]).unwrap();
    let line = pair("/etc/fstab", "/swap none swap sw 0 0\n");
    let texts = [(BESIDE, kept_off.as_str())];
    let none = PersistentSettings::default();
    let new = written(&[back("/swap")], &[], &none, &texts).unwrap();
    assert_eq!(new, [line.clone(), pair(BESIDE, GONE)]);
    let uuid = r"/etc/systemd/system/dev-disk-by\x2duuid-12\x2d34.swap.d/zz-swapadm.conf";
    let texts = [(uuid, kept_off.as_str())];
    let new = written(&[back("/dev/sda2")], &[], &none, &texts).unwrap();
    assert_eq!(new[1], pair(&Name::from(uuid).safe(), GONE));

    let [line_entry] = plan_one(ConfigKind::Fstab, "/etc/fstab", "/swap", &["sw", NEVER_STARTED]);
    let fstab = ("/etc/fstab", line.1.as_str());
    let refused =
        written(&[back("/swap")], std::slice::from_ref(&line_entry), &none, &[fstab]).unwrap_err();
    assert!(refused.contains("swap.swap") && refused.contains(NEVER_STARTED), "{refused}");
    let texts = [fstab, (BESIDE, kept_off.as_str())];
    let [unit_entry] = unit(&[NEVER_STARTED]);
    for entries in [std::slice::from_ref(&line_entry.clone()), &[line_entry, unit_entry]] {
        let back = written(&[back("/swap")], entries, &none, &texts).unwrap();
        assert_eq!(back, [pair(BESIDE, GONE)]);
    }
}

#[test]
fn generator_section_removes_the_disabling_condition() {
    let file = "/etc/systemd/system/dev-zram0.swap.d/zz-swapadm.conf";
    let texts = [(file, "[Unit]\nConditionPathExists=!/\n[Swap]\nPriority=1\n")];
    let set_up = section(VENDOR, &["zram-size = 9"]);
    let text = "[Unit]\n[Swap]\nPriority=1\n";
    let here = PersistentSettings { zram_generator: true, ..PersistentSettings::default() };
    let disk = [(0, ZramSettings { size: Bytes(5 << 20), ..ZramSettings::default() })];
    for entries in [&set_up[..], &[]] {
        let new = written_with(&[back("/dev/zram0")], entries, &here, &texts, &disk).unwrap();
        assert_eq!(new[0], pair(file, text));
    }
}

#[test]
fn disabling_reset_by_another_file_is_refused() {
    let after = "/etc/systemd/system/swap.swap.d/zzz.conf";
    let texts = [(after, "[Unit]\nConditionVirtualization=\n")];
    let refused = assert_text(off("/swap"), &unit(&[]), &texts).unwrap_err();
    assert!(refused.contains(after), "{refused}");
    let after = "/etc/systemd/zram-generator.conf.d/zzz.conf";
    let texts = [(after, "[zram0]\nzram-size=9\n")];
    let refused = assert_text(back("/dev/zram0"), &section(VENDOR, &["zram-size = 0"]), &texts);
    assert!(refused.unwrap_err().contains(after));
    let refused = assert_text(off("/dev/zram0"), &section(VENDOR, &["zram-size = 9"]), &texts);
    assert!(refused.unwrap_err().contains(after));
}

#[test]
fn own_section_is_removed() {
    let (mine, other) = ("[zram0]\nzram-size=5\n", "# x\n[zram1]\nzram-size=6\n");
    let both = format!("{mine}\n{other}");
    for goal in [off("/dev/zram0"), gone("/dev/zram0")] {
        let entries = section(GENERATOR, &["zram-size = 5"]);
        let with = |text: &str| assert_text(goal.clone(), &entries, &[(GENERATOR, text)]).unwrap();
        assert_eq!([with(mine).as_str(), &with(&both)], [GONE, other]);
        // A section in a later file would still create the device.
        let later = "/etc/systemd/zram-generator.conf.d/zzz.conf";
        let texts = [(GENERATOR, mine), (later, "[zram0]\nswap-priority=1\n")];
        assert_eq!(assert_text(goal, &entries, &texts).unwrap(), "[zram0]\nzram-size=0\n");
    }
}

#[test]
fn foreign_section_is_disabled_by_size_and_restored() {
    let entries = section(VENDOR, &["zram-size = ram / 2"]);
    let zero = "[zram0]\nzram-size=0\n";
    for goal in [off("/dev/zram0"), gone("/dev/zram0")] {
        assert_eq!(assert_text(goal, &entries, &[]).unwrap(), zero);
    }
    let none = section(VENDOR, &["zram-size = 0"]);
    assert_eq!(assert_text(off("/dev/zram0"), &none, &[(GENERATOR, zero)]).unwrap(), "");
    assert_eq!(assert_text(back("/dev/zram0"), &none, &[(GENERATOR, zero)]).unwrap(), GONE);
    let with = assert_text(on("/dev/zram0", 7), &none, &[(GENERATOR, zero)]).unwrap();
    assert_eq!(with, "[zram0]\nswap-priority=7\n");
    // Where no other file has a size, that of the device is used.
    let sized = "[zram0]\nzram-size=5\n";
    assert_eq!(assert_text(back("/dev/zram0"), &none, &[]).unwrap(), sized);
    let ours = "[zram0]\nzram-size=9\nzram-resident-limit=0\n";
    let left = assert_text(off("/dev/zram0"), &entries, &[(GENERATOR, ours)]).unwrap();
    assert_eq!(left, ours.replace('9', "0"));
    let on = assert_text(back("/dev/zram0"), &none, &[(GENERATOR, &left)]).unwrap();
    assert_eq!(on, ours.replace('9', "5"));
    assert_eq!(assert_text(gone("/dev/zram0"), &entries, &[(GENERATOR, ours)]).unwrap(), zero);
}

#[test]
fn unconfigured_device_is_persisted_as_it_runs() {
    let here = PersistentSettings { zram_generator: true, ..PersistentSettings::default() };
    let disk = ZramSettings {
        size: Bytes(5 << 20),
        algorithm: Some("zstd".into()),
        ..ZramSettings::default()
    };
    let with = |goal, disks: &[(u64, ZramSettings)]| written_with(&[goal], &[], &here, &[], disks);
    let settings = "[zram0]\nzram-size=5\ncompression-algorithm=zstd\nzram-resident-limit=0\n";
    let disks = [(0, disk)];
    let plain = with(back("/dev/zram0"), &disks).unwrap();
    assert_eq!(plain, [pair(GENERATOR, settings)]);
    let on = with(on("/dev/zram0", 7), &disks).unwrap();
    assert_eq!(on, [pair(GENERATOR, &format!("{settings}swap-priority=7\n"))]);
    assert!(with(back("/dev/zram0"), &[]).unwrap_err().contains("zram swap --persist"));
}

#[test]
fn section_with_old_size_option_is_refused() {
    let entries = section(VENDOR, &["max-zram-size = 9"]);
    let refused = assert_text(off("/dev/zram0"), &entries, &[]).unwrap_err();
    assert!(refused.contains("max-zram-size") && refused.contains(VENDOR), "{refused}");
}

#[test]
fn section_with_a_file_system_is_not_made_swap() {
    let entries = section(VENDOR, &["mount-point = /run/x"]);
    let refused = assert_text(on("/dev/zram0", 7), &entries, &[]).unwrap_err();
    assert!(refused.contains("mount-point") && refused.contains(VENDOR), "{refused}");
}

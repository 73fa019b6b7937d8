#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::reader::LARGEST_FILE;
use super::*;
use crate::model::Name;
use crate::model::config::NoEffect;
use crate::root::testing::TestTree;
use std::fs;

fn entries(files: &[(&str, &[u8])]) -> Vec<ConfigEntry> {
    let dir = tempfile::tempdir().unwrap();
    for (file, bytes) in files {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fs::create_dir_all(dir.path().join("etc")).unwrap();
    read(&Root::at(dir.path()).unwrap()).into_result().unwrap()
}

fn area(entry: &ConfigEntry) -> &ConfiguredArea {
    entry.area.known().unwrap()
}

#[test]
fn nothing_configured_is_an_empty_list() {
    assert_eq!(entries(&[]), []);
}

#[test]
fn lines_of_fstab() {
    let text: &[u8] = b"# /dev/x none swap\n\nUUID=1 none swap sw,pri=5 0 0\n\
        /swap\\040file\tswap\tswap\tnofail,pri=x\n/dev/a / ext4 rw 0 1\n/dev/cut none\n\
        /dev/b none swap\n/dev/c swap ext4 sw 0 0\n";
    let found = entries(&[("etc/fstab", text)]);
    let lines: Vec<u32> = found.iter().map(|entry| entry.line).collect();
    assert_eq!(lines, [3, 4, 7]);
    assert_eq!(found[0].file, Name::from("/etc/fstab"));
    assert_eq!(area(&found[0]).priority, Reading::Known(5));
    assert_eq!(area(&found[0]).options, ["sw", "pri=5"]);
    assert_eq!(area(&found[1]).what, Name::from("/swap file"));
    assert_eq!(area(&found[1]).priority.missing().unwrap().kind(), "failed");
    assert_eq!(area(&found[2]).priority.missing().unwrap().kind(), "absent");
}

#[test]
fn lines_of_fstab_that_end_as_elsewhere() {
    let found = entries(&[("etc/fstab", b"/a none swap\r\n/b none swap sw,pri=5\r\n")]);
    assert_eq!(found.len(), 2);
    assert_eq!(area(&found[1]).priority, Reading::Known(5));
}

#[test]
fn a_unit_is_overridden_by_precedence_and_changed_by_drop_ins() {
    let found = entries(&[
        ("usr/lib/systemd/system/a.swap", b"[Swap]\nWhat=/vendor\n"),
        (
            "etc/systemd/system/a.swap",
            b"# x\n[Unit]\nWhat=/no\n[Swap]\nWhat=/dev/a\nPriority=1\nOptions=discard,\\\n ; no\n nofail\n",
        ),
        ("usr/lib/systemd/system/a.swap.d/20.conf", b"[Swap]\nPriority=20\n"),
        ("etc/systemd/system/a.swap.d/10.conf", b"[Swap]\nPriority=10\nWhat=/dev/b\n"),
        ("run/systemd/generator/b.swap", b"[Swap]\nWhat=/c\nOptions=pri=7\n"),
        ("usr/lib/systemd/system/c.swap", b"[Swap]\nWhat=/d\n"),
        ("etc/systemd/system/c.swap", b""),
        ("lib/systemd/system/d.swap", b"[Swap]\nPriority=high\n"),
        ("etc/systemd/system/x.service", b"[Swap]\nWhat=/no\n"),
    ]);
    assert_eq!(found.len(), 3);
    assert_eq!((found[0].file.exact().as_str(), found[0].line), ("/etc/systemd/system/a.swap", 4));
    assert_eq!(area(&found[0]).what, Name::from("/dev/b"));
    assert_eq!(area(&found[0]).priority, Reading::Known(20));
    assert_eq!(area(&found[0]).options, ["discard", "nofail"]);
    assert_eq!(area(&found[1]).priority, Reading::Known(7));
    let why = found[2].area.missing().unwrap().to_string();
    assert!(why.contains("/lib/systemd/system/d.swap has no What="), "{why}");
}

#[test]
fn global_drop_ins_apply_unless_a_closer_one_has_the_name() {
    let unit: &[u8] = b"[Swap]\nWhat=/dev/a-b\nPriority=1\n";
    let of = |files: &[(&str, &[u8])]| {
        let files = [&[("etc/systemd/system/dev-a-b.swap", unit)], files].concat();
        area(&entries(&files)[0]).priority.clone()
    };
    let all: (_, &[u8]) = ("usr/lib/systemd/system/swap.d/50.conf", b"[Swap]\nPriority=2\n");
    let begins: (_, &[u8]) = ("run/systemd/system/dev-.swap.d/50.conf", b"[Swap]\nPriority=3\n");
    let own: (_, &[u8]) = ("etc/systemd/system/dev-a-b.swap.d/40.conf", b"[Swap]\nPriority=4\n");
    let option: (_, &[u8]) = ("etc/systemd/system/swap.d/60.conf", b"[Swap]\nOptions=pri=5\n");
    let is = [of(&[]), of(&[all]), of(&[all, begins]), of(&[all, own]), of(&[all, option])];
    assert_eq!(is, [1, 2, 3, 2, 5].map(Reading::Known));
    let names = drop_in_folders(&"dev-a-b.swap".into());
    let names: Vec<String> = names.iter().map(Name::safe).collect();
    assert_eq!(names, ["dev-a-b.swap.d", "dev-a-.swap.d", "dev-.swap.d", "swap.d"]);
    let names = drop_in_folders(&"a-b@c.d-e.service".into());
    let names: Vec<String> = names.iter().map(Name::safe).collect();
    let own = ["a-b@c.d-e.service.d", "a-b@.service.d"];
    let begins = ["a-@c.d-e.service.d", "a-@.service.d"];
    assert_eq!(names, [&own[..], &begins, &["service.d"]].concat());
}

#[test]
fn a_unit_is_disabled_by_an_unmet_condition() {
    let unit: &[u8] = b"[Unit]\nDescription=x\n[Swap]\nWhat=/a\nOptions=nofail\n";
    let of = |name: &str, text: &[u8]| {
        let beside = format!("etc/systemd/system/a.swap.d/{name}");
        let never: &[u8] = b"[Unit]\n# why\nConditionPathExists=!/\n";
        let ours = "etc/systemd/system/a.swap.d/m.conf";
        let files = [("etc/systemd/system/a.swap", unit), (ours, never), (&beside, text)];
        let found = entries(&files);
        (found[0].leaves_area_disabled(), area(&found[0]).options.clone())
    };
    let kept = (true, vec!["nofail".to_owned(), "ConditionPathExists=!/".to_owned()]);
    assert_eq!(of("a.conf", b"[Unit]\nConditionHost=\n"), kept);
    assert_eq!(of("z.conf", b"[Unit]\nConditionHost=x\n[Swap]\nConditionHost=\n"), kept);
    assert!(!of("z.conf", b"[Unit]\nConditionHost=\n").0);
}

#[test]
fn a_drop_in_disables_the_unit_of_an_fstab_line() {
    let never: &[u8] = b"[Unit]\nConditionPathExists=!/\n";
    let found = entries(&[
        ("etc/fstab", b"/a none swap sw\n/b none swap sw\nUUID=1-2 none swap sw\n"),
        ("etc/systemd/system/a.swap.d/x.conf", never),
        (r"etc/systemd/system/dev-disk-by\x2duuid-1\x2d2.swap.d/x.conf", never),
    ]);
    let off: Vec<bool> = found.iter().map(ConfigEntry::leaves_area_disabled).collect();
    assert_eq!(off, [true, false, true]);
    assert_eq!(area(&found[0]).options, ["sw", "ConditionPathExists=!/"]);
}

#[test]
fn a_masked_unit_disables_the_line_of_fstab_that_it_comes_from() {
    let of = |files: &[(&str, &[u8])]| {
        let line: (_, &[u8]) = ("etc/fstab", b"/a none swap sw\n");
        entries(&[&[line], files].concat())[0].leaves_area_disabled()
    };
    let generated: (_, &[u8]) = ("run/systemd/generator/a.swap", b"[Swap]\nWhat=/a\n");
    assert!(!of(&[generated]));
    assert!(of(&[generated, ("etc/systemd/system/a.swap", b"")]));
    assert!(!of(&[("run/systemd/system/a.swap", b"")]), "gone at boot");
}

#[test]
fn a_runtime_mask_hides_no_unit_at_boot() {
    let unit: (_, &[u8]) = ("usr/lib/systemd/system/a.swap", b"[Swap]\nWhat=/a\n");
    let mask: (_, &[u8]) = ("run/systemd/system/a.swap", b"");
    assert_eq!(entries(&[unit, mask]), entries(&[unit]));
    assert_eq!(entries(&[mask]), []);
    assert_eq!(entries(&[unit, mask, ("etc/systemd/system/a.swap", b"")]), []);
}

#[test]
fn options_of_the_kernel_command_line_and_masks_disable_entries() {
    let never = |options: &[u8], more: &[(&str, &[u8])]| {
        let files: [(&str, &[u8]); 4] = [
            ("proc/cmdline", options),
            ("etc/fstab", b"/a none swap sw\n"),
            ("etc/systemd/system/b.swap", b"[Swap]\nWhat=/b\n"),
            ("etc/systemd/zram-generator.conf", b"[zram0]\n"),
        ];
        let found = entries(&[&files[..], more].concat());
        found.iter().map(ConfigEntry::leaves_area_disabled).collect::<Vec<_>>()
    };
    assert_eq!(never(b"quiet systemd.swap=0 systemd.swap=yes fstab=1\n", &[]), [false; 3]);
    assert_eq!(never(b"systemd.swap=off\n", &[]), [true, false, false]);
    assert_eq!(never(b"fstab=no\n", &[]), [true, false, false]);
    assert_eq!(never(b"systemd.zram=0\n", &[]), [false, false, true]);
    assert_eq!(never(b"", &[("run/systemd/container", b"docker\n")]), [true, false, true]);
    let mask: (_, &[u8]) = ("etc/systemd/system/swap.target", b"");
    assert_eq!(never(b"", &[mask]), [true; 3]);
    let wanted = ("run/systemd/system/x.target.wants/c.swap", &b""[..]);
    assert_eq!(never(b"", &[wanted]), [false, true, false], "nothing starts the unit");
}

#[test]
fn a_unit_from_the_kernel_command_line_is_an_entry_of_its_own() {
    let of = |options: &[u8]| {
        let unit: (_, &[u8]) = ("run/systemd/generator/dev-vda.swap", b"[Swap]\nWhat=/dev/vda\n");
        let found = entries(&[("proc/cmdline", options), unit]);
        (found[0].is_generated(), found[0].leaves_area_disabled())
    };
    assert_eq!(of(b"quiet\n"), (true, false));
    assert_eq!(of(b"systemd.swap-extra=/dev/vdb:pri=1\n"), (true, false));
    assert_eq!(of(b"systemd.swap-extra=/dev/vda:pri=10\n"), (false, false));
    assert_eq!(of(b"systemd.swap-extra=/dev/vda systemd.swap=0\n"), (false, true));
    let own: (_, &[u8]) = ("etc/systemd/system/dev-vda.swap", b"[Swap]\nWhat=/dev/vda\n");
    let options: (_, &[u8]) = ("proc/cmdline", b"systemd.swap-extra=/dev/vda systemd.swap=0\n");
    assert!(!entries(&[options, own])[0].leaves_area_disabled(), "a unit of the administrator");
}

#[test]
fn a_unit_is_started_by_a_link_in_any_folder_of_units() {
    for folder in
        ["etc/systemd/system", "run/systemd/generator.late", "usr/local/lib/systemd/system"]
    {
        let tree = TestTree::with(&[("etc/systemd/system/a.swap", "[Swap]\nWhat=/a\n")]);
        let is_off = || read(&tree.root()).known_items()[0].leaves_area_disabled();
        assert!(!is_off(), "a capture has no links");
        tree.write(&format!("{folder}/b.target.wants/b.swap"), "");
        assert!(is_off());
        tree.link(&format!("{folder}/swap.target.wants/a.swap"), "../a.swap");
        assert!(!is_off(), "{folder}");
        tree.write("run/systemd/system/swap.target", "");
        assert!(!is_off(), "a runtime mask is gone at boot");
        tree.write("etc/systemd/system/swap.target", "");
        assert!(is_off(), "the target is masked");
        tree.link(&format!("{folder}/b.target.wants/a.swap"), "../a.swap");
        assert!(!is_off(), "another one wants it");
    }
}

#[test]
fn a_device_for_machines_with_less_memory_is_not_made() {
    let of = |key: &str, limit: &str| {
        let section = format!("[zram0]\n{key} = {limit}\n");
        let meminfo: (_, &[u8]) = ("proc/meminfo", b"MemTotal: 1048576 kB\n");
        let section = ("etc/systemd/zram-generator.conf", section.as_bytes());
        entries(&[meminfo, section])[0].leaves_area_disabled()
    };
    let off = ["1023", "1024", "none", ""].map(|limit| of("host-memory-limit", limit));
    assert_eq!(off, [true, false, false, false]);
    assert!(of("memory-limit", "512"), "its old name");
}

#[test]
fn discovered_partitions_and_local_units_are_listed_after_those_of_the_administrator() {
    let unit: &[u8] = b"[Swap]\nWhat=/dev/a\n";
    let all =
        ["usr/local/lib/systemd/system", "usr/lib/systemd/system", "run/systemd/generator.late"];
    for folders in [&all[..], &all[1..], &all[2..]] {
        let files: Vec<String> = folders.iter().map(|folder| format!("{folder}/a.swap")).collect();
        let files: Vec<(&str, &[u8])> = files.iter().map(|file| (file.as_str(), unit)).collect();
        let found = entries(&files);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file.safe(), format!("/{}/a.swap", folders[0]));
        assert!(!found[0].is_generated(), "{folders:?}");
    }
}

#[test]
fn a_capture_keeps_all_files() {
    let tree = TestTree::new();
    let units = units::folders(&tree.root()).into_iter().flat_map(|folder| {
        ["a.swap", "a.swap.d/b.conf", "swap.d/b.conf"].map(|file| folder.join(file))
    });
    let generator = zram_generator::FOLDERS.into_iter().flat_map(|folder| {
        ["zram-generator.conf", "zram-generator.conf.d/b.conf"]
            .map(|file| Path::new(folder).join(file))
    });
    let lost: Vec<_> =
        units.chain(generator).filter(|file| !crate::probes::is_declared(file)).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn a_section_of_size_zero_disables_its_device() {
    let of = |text: &[u8]| {
        let found = entries(&[("etc/systemd/zram-generator.conf", text)]);
        (found[0].leaves_area_disabled(), found[0].legacy_size_key().map(str::to_owned))
    };
    assert_eq!(of(b"[zram0]\nzram-size=0\n"), (true, None));
    for (size, off) in [("10", false), ("0.5", false), ("", false), ("00", true), ("0.0", true)] {
        assert_eq!(of(format!("[zram0]\nzram-size={size}\n").as_bytes()), (off, None), "{size}");
    }
    let old = "zram-fraction".to_owned();
    assert_eq!(of(b"[zram0]\nzram-size=0\nzram-fraction=0.5\n"), (false, Some(old)));
}

#[test]
fn a_section_has_no_effect_without_zram_generator() {
    let tree = TestTree::with(&[("etc/systemd/zram-generator.conf", "[zram0]\nzram-size=64\n")]);
    let effect = |root: &Root| read(root).known().unwrap()[0].no_effect;
    assert_eq!(effect(&tree.live()), Some(NoEffect::NoGenerator));
    assert_eq!(effect(&tree.root()), None, "a capture lacks the program");
    tree.write("usr/lib/systemd/system-generators/zram-generator", "");
    assert_eq!(effect(&tree.live()), None);
}

#[test]
fn a_line_of_fstab_creates_no_zram_device() {
    let effect = |file: &str, text: &str, options: &str| {
        let line = format!("/dev/zram0 none swap {options} 0 0\n");
        let tree = TestTree::with(&[("etc/fstab", line.as_str()), (file, text)]);
        let of = |root: &Root| {
            let entries = read(root);
            entries
                .known()
                .unwrap()
                .iter()
                .find(|it| it.kind == ConfigKind::Fstab)
                .unwrap()
                .no_effect
        };
        assert_eq!(of(&tree.root()), None, "a capture lacks what enables services");
        of(&tree.live())
    };
    assert_eq!(effect("etc/other", "", "pri=5"), Some(NoEffect::NoDevice));
    for option in ["x-systemd.makefs", "x-systemd.requires=zram.service"] {
        assert_eq!(effect("etc/other", "", option), None, "{option}");
    }
    for (file, text) in [
        ("etc/systemd/zram-generator.conf", "[zram0]\nzram-size = ram / 2\n"),
        ("etc/systemd/system/x.wants/zramswap.service", ""),
        ("etc/udev/rules.d/99-zram.rules", "KERNEL==\"zram0\", ATTR{disksize}=\"1G\""),
        ("etc/systemd/system/own.service", "[Service]\nExecStart=/sbin/modprobe zram\n"),
    ] {
        assert_eq!(effect(file, text, "pri=5"), None, "{file}");
    }
}

#[test]
fn a_section_with_a_file_system_is_not_swap() {
    for (setting, key) in [
        ("mount-point=/run/x", Some("mount-point")),
        ("mount-point=/run/x\nfs-type=swap", Some("mount-point")),
        ("fs-type = ext4", Some("fs-type")),
        ("fs-type = swap", None),
    ] {
        let text = format!("[zram0]\nzram-size=64\n{setting}\n");
        let found = entries(&[("etc/systemd/zram-generator.conf", text.as_bytes())]);
        assert_eq!(found[0].file_system_key(), key, "{setting}");
        assert_eq!(found[0].leaves_area_disabled(), key.is_some(), "{setting}");
    }
}

#[test]
fn a_linked_lib_is_not_read_twice() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("usr/lib/systemd/system");
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir_all(dir.path().join("etc")).unwrap();
    fs::write(folder.join("a.swap"), b"[Swap]\nWhat=/a\n").unwrap();
    std::os::unix::fs::symlink("usr/lib", dir.path().join("lib")).unwrap();
    let found = read(&Root::at(dir.path()).unwrap()).into_result().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].file, Name::from("/usr/lib/systemd/system/a.swap"));
}

#[test]
fn sections_of_zram_generator_are_merged() {
    let found = entries(&[
        ("usr/lib/systemd/zram-generator.conf", b"[zram9]\nzram-size = 1\n"),
        (
            "etc/systemd/zram-generator.conf",
            b"[zram0]\nzram-size = ram / 2\nswap-priority=50\n[zramx]\na=b\n[other]\nc=d\n",
        ),
        ("run/systemd/zram-generator.conf.d/a.conf", b"[zram0]\nswap-priority=60\n[zram1]\n"),
        ("etc/systemd/my-zram-generator.conf", b"[zram7]\n"),
    ]);
    let names: Vec<String> = found.iter().map(|entry| area(entry).what.exact()).collect();
    assert_eq!(names, ["zram0", "zram1"]);
    assert_eq!(area(&found[0]).priority, Reading::Known(60));
    assert_eq!(area(&found[0]).options, ["zram-size = ram / 2"]);
    assert_eq!(found[0].file, Name::from("/etc/systemd/zram-generator.conf"));
    assert_eq!(area(&found[1]).priority.missing().unwrap().kind(), "absent");
    assert_eq!((found[1].line, found[1].kind), (3, ConfigKind::ZramGenerator));
}

#[test]
fn a_capture_without_etc_says_nothing_about_its_machine() {
    let tree = TestTree::new();
    assert_eq!(read(&tree.root()).missing().unwrap().why(), WITHOUT_ETC);
    assert_eq!(read(&tree.live()).known().map(Vec::len), Some(0));
    // Other files of the capture are known.
    tree.write("usr/lib/systemd/system/a.swap", "[Swap]\nWhat=/a\n");
    let found = read(&tree.root()).into_result().unwrap();
    let missing: Vec<_> = found.iter().map(|it| it.area.missing().map(Missing::why)).collect();
    assert_eq!(missing, [None, Some(WITHOUT_ETC.to_owned())]);
}

#[test]
fn a_file_that_cannot_be_read_is_an_entry_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("etc/fstab")).unwrap();
    fs::create_dir_all(dir.path().join("etc/systemd/system/x.swap")).unwrap();
    let found = read(&Root::at(dir.path()).unwrap()).into_result().unwrap();
    let kinds: Vec<_> = found.iter().map(|entry| (entry.kind, entry.line)).collect();
    assert_eq!(kinds, [(ConfigKind::Fstab, 0), (ConfigKind::SystemdSwap, 0)]);
    assert!(found.iter().all(|entry| entry.area.missing().unwrap().kind() == "failed"));
}

#[test]
fn the_number_of_files_is_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("etc/systemd/system");
    fs::create_dir_all(&folder).unwrap();
    for number in 0..=MOST_FILES {
        fs::write(folder.join(format!("{number:05}.swap")), b"[Swap]\nWhat=/a\n").unwrap();
    }
    let found = read(&Root::at(dir.path()).unwrap()).into_result().unwrap();
    let failed = found.iter().filter(|entry| entry.area.known().is_none());
    // fstab counts towards the limit as well.
    assert_eq!(failed.count(), 2);
}

#[test]
fn the_size_of_files_is_bounded() {
    let line = b"/dev/a none swap sw 0 0\n";
    let whole = line.repeat(LARGEST_FILE / line.len());
    assert_eq!(entries(&[("etc/fstab", &whole)]).len(), LARGEST_FILE / line.len());
    let found = entries(&[("etc/fstab", &[&whole[..], line].concat())]);
    let why: Vec<String> = found.iter().filter_map(|it| Some(it.area.missing()?.why())).collect();
    assert_eq!(why, ["/etc/fstab is larger than 262144 bytes: not read"]);
}

#[test]
fn hostile_files_never_panic() {
    for bad in [
        &b""[..],
        b"\xff\0\xfe",
        b"[",
        b"]\n[]\n=\n=x\n[Swap\\",
        b"[Swap]\nWhat",
        b"\\\n\\\n\\",
        b"[zram]\n[zram0]\n= 1\nx\n[zram99999999999999999999]\nswap-priority=99999999999\n",
    ] {
        let found = entries(&[
            ("etc/fstab", bad),
            ("etc/systemd/system/a.swap", bad),
            ("etc/systemd/system/a.swap.d/x.conf", bad),
            ("etc/systemd/zram-generator.conf", bad),
        ]);
        assert!(found.iter().all(|entry| entry.kind != ConfigKind::Fstab));
    }
}

#[test]
fn entries_are_resolved_to_their_device() {
    let fstab =
        "/dev/vg0/swap none swap sw 0 0\nPARTUUID=x none swap sw 0 0\n/gone none swap sw 0 0\n";
    let tree = TestTree::with(&[("etc/fstab", fstab), ("dev/dm-0", "")]);
    tree.link("dev/vg0/swap", "../dm-0");
    tree.link("dev/disk/by-partuuid/x", "../../dm-0");
    let found = read(&tree.root()).into_result().unwrap();
    let real: Vec<_> = found.iter().map(|entry| entry.leads_to.known().map(Name::safe)).collect();
    assert_eq!(real, [Some("/dev/dm-0".to_owned()), Some("/dev/dm-0".to_owned()), None]);
}

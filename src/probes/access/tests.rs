#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::*;
use std::fs;

fn access(files: &[(&str, &[u8])]) -> Access {
    let dir = tempfile::tempdir().unwrap();
    for (file, bytes) in files {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    read(&Root::at(dir.path()).unwrap()).into_result().unwrap()
}

fn kind<T>(reading: &Reading<T>) -> &'static str {
    reading.missing().unwrap().kind()
}

#[test]
fn an_empty_tree_has_a_reason_for_every_field() {
    let access = access(&[]);
    let json = serde_json::to_value(&access).unwrap();
    for (name, value) in json.as_object().unwrap() {
        assert!(value.get("missing").is_some(), "{name}: {value}");
    }
}

#[test]
fn the_fields_of_a_machine() {
    let access = access(&[
        ("proc/sys/kernel/kptr_restrict", b"1\n"),
        ("proc/self/status", b"Name:\tx\nUid:\t1000\t33\t0\t0\nCapEff:\t000001ffffffffff\n"),
        ("proc/kallsyms", b"0000000000000000 A fixed\n0000000000001000 A cpu\n"),
        ("sys/kernel/security/lockdown", b"none [integrity] confidentiality\n"),
    ]);
    assert_eq!(access.kptr_restrict, Reading::Known(1));
    assert_eq!(access.uid, Reading::Known(33));
    assert_eq!(access.capabilities, Reading::Known(0x1ff_ffff_ffff));
    assert_eq!(access.kallsyms, Reading::Known(true));
    assert_eq!(access.lockdown, Reading::Known("integrity".to_owned()));
}

#[test]
fn hidden_addresses_are_false_and_rubbish_is_failed() {
    let of = |bytes: &[u8]| access(&[("proc/kallsyms", bytes)]).kallsyms;
    assert_eq!(of(b"0000000000000000 T _text\n0000000000000000 T a\n"), Reading::Known(false));
    for bad in [&b""[..], b"\xff\xfe", b"no symbols\n"] {
        assert_eq!(kind(&of(bad)), "failed", "{bad:?}");
    }
}

#[test]
fn kernel_memory_that_is_masked_is_not_open() {
    assert_eq!(kind(&access(&[("proc/kcore", b"")]).kcore), "failed");
    let large = access(&[("proc/kcore", &[0; 8192])]);
    assert_eq!(large.kcore, Reading::Known(true));
    assert_eq!(kind(&access(&[]).kcore), "absent");
}

#[test]
fn unmounted_and_unreadable_debugfs_are_distinguished() {
    let line: &[u8] = b"d /sys/kernel/debug debugfs rw 0 0\n";
    let mounted = access(&[("proc/mounts", line), ("sys/kernel/debug/x", b"")]);
    assert_eq!(mounted.debugfs, Reading::Known(true));
    let why = |access: &Access| access.debugfs.missing().unwrap().to_string();
    let elsewhere = access(&[("proc/self/mounts", b"d /mnt debugfs rw 0 0\n")]);
    assert!(why(&elsewhere).contains("not mounted"));
    assert!(!why(&access(&[("proc/mounts", line)])).contains("not mounted"));
}

#[test]
fn cgroup_hierarchies_are_distinguished() {
    let of = |text: &[u8]| access(&[("proc/mounts", text)]).cgroups.into_result().unwrap();
    let (one, two) = ("c /a cgroup rw,memory 0 0\n", "c /b cgroup2 rw 0 0\n");
    assert_eq!(of(one.as_bytes()), CgroupMode::V1);
    assert_eq!(of(two.as_bytes()), CgroupMode::V2);
    assert_eq!(of(format!("{one}{two}").as_bytes()), CgroupMode::Hybrid);
    assert_eq!(of(b""), CgroupMode::None);
}

#[test]
fn a_status_of_another_form_fails_in_its_own_fields() {
    for bad in [&b""[..], b"Uid:\t1\nCapEff:\tzz\n", b"Uid:\t1\t99999999999\nCapEff:\n", b"\xff"] {
        let access = access(&[("proc/self/status", bad)]);
        assert_eq!(kind(&access.uid), "failed", "{bad:?}");
        assert_eq!(kind(&access.capabilities), "failed", "{bad:?}");
    }
}

#[test]
fn virtual_swap_is_an_option_of_the_kernel() {
    let of = |config: &[u8]| {
        let release = ("proc/sys/kernel/osrelease", &b"7.4.0\n"[..]);
        access(&[release, ("boot/config-7.4.0", config)]).virtual_swap
    };
    assert_eq!(of(b"CONFIG_VSWAP=y\n"), Reading::Known(true));
    assert_eq!(of(b"# CONFIG_VSWAP is not set\n"), Reading::Known(false));
    assert_eq!(of(b"CONFIG_SWAP=y\n"), Reading::Known(false));
}

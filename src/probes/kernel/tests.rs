#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::*;
use std::fs;

fn kernel(files: &[(&str, &[u8])]) -> Kernel {
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
    let kernel = kernel(&[]);
    let json = serde_json::to_value(&kernel).unwrap();
    for (name, value) in json.as_object().unwrap() {
        assert!(value.get("missing").is_some(), "{name}: {value}");
    }
}

#[test]
fn the_fields_of_a_machine() {
    let kernel = kernel(&[
        ("proc/sys/kernel/osrelease", b"7.2.13\n"),
        ("proc/sys/kernel/kptr_restrict", b"1\n"),
        ("proc/uptime", b"350.93 700.12\n"),
        ("proc/self/status", b"Name:\tx\nUid:\t1000\t33\t0\t0\nCapEff:\t000001ffffffffff\n"),
        ("proc/stat", b"cpu  1 2\ncpu0 1\ncpu12 1\nintr 5\ncpufreq 1\n"),
        ("proc/kallsyms", b"0000000000000000 A fixed\n0000000000001000 A cpu\n"),
        ("sys/kernel/security/lockdown", b"none [integrity] confidentiality\n"),
    ]);
    assert_eq!(kernel.release, Reading::Known("7.2.13".to_owned()));
    assert_eq!(kernel.kptr_restrict, Reading::Known(1));
    assert_eq!(kernel.uptime_s, Reading::Known(350.93));
    assert_eq!(kernel.uid, Reading::Known(33));
    assert_eq!(kernel.capabilities, Reading::Known(0x1ff_ffff_ffff));
    assert_eq!(kernel.cpus, Reading::Known(2));
    assert_eq!(kernel.kallsyms, Reading::Known(true));
    assert_eq!(kernel.lockdown, Reading::Known("integrity".to_owned()));
}

#[test]
fn a_list_of_processors_is_counted() {
    assert_eq!(count_list(b"0-3,5,8-9"), Some(7));
    for bad in [&b""[..], b"3-1", b"0-", b"a", b"0-18446744073709551615", b"0,,1"] {
        assert_eq!(count_list(bad), None, "{bad:?}");
    }
}

#[test]
fn hidden_addresses_are_no_and_rubbish_is_no_answer() {
    let of = |bytes: &[u8]| kernel(&[("proc/kallsyms", bytes)]).kallsyms;
    assert_eq!(of(b"0000000000000000 T _text\n0000000000000000 T a\n"), Reading::Known(false));
    for bad in [&b""[..], b"\xff\xfe", b"no symbols\n"] {
        assert_eq!(kind(&of(bad)), "failed", "{bad:?}");
    }
}

#[test]
fn kernel_memory_that_is_masked_is_not_open() {
    assert_eq!(kind(&kernel(&[("proc/kcore", b"")]).kcore), "failed");
    let large = kernel(&[("proc/kcore", &[0; 8192])]);
    assert_eq!(large.kcore, Reading::Known(true));
    assert_eq!(kind(&kernel(&[]).kcore), "absent");
}

#[test]
fn the_page_size_of_a_captured_machine() {
    let smaps = b"0-1 r\nKernelPageSize:     2048 kB\n2-3 r\nKernelPageSize:       16 kB\n";
    let of = |files: &[(&str, &[u8])]| kernel(files).page_size;
    assert_eq!(of(&[("proc/7/smaps", smaps)]), Reading::Known(16384));
    let free =
        |kib: &'static [u8]| of(&[("proc/vmstat", b"nr_free_pages 1000\n"), ("proc/meminfo", kib)]);
    assert_eq!(free(b"MemFree: 4100 kB\n"), Reading::Known(4096));
    assert_eq!(free(b"MemFree: 63000 kB\n"), Reading::Known(65536));
    assert_eq!(kind(&free(b"MemFree: 900 kB\n")), "absent");
    assert_eq!(kind(&free(b"MemFree: 0 kB\n")), "absent");
    assert_eq!(page::nearest(0, 0), None);
    assert_eq!(page::nearest(1, 0), None);
}

#[test]
fn debugfs_that_is_not_mounted_is_told_from_one_that_cannot_be_read() {
    let line: &[u8] = b"d /sys/kernel/debug debugfs rw 0 0\n";
    let mounted = kernel(&[("proc/mounts", line), ("sys/kernel/debug/x", b"")]);
    assert_eq!(mounted.debugfs, Reading::Known(true));
    let why = |kernel: &Kernel| kernel.debugfs.missing().unwrap().to_string();
    let elsewhere = kernel(&[("proc/self/mounts", b"d /mnt debugfs rw 0 0\n")]);
    assert!(why(&elsewhere).contains("not mounted"));
    assert!(!why(&kernel(&[("proc/mounts", line)])).contains("not mounted"));
}

#[test]
fn hierarchies_are_told_apart() {
    let of = |text: &[u8]| kernel(&[("proc/mounts", text)]).cgroups.into_result().unwrap();
    let (one, two) = ("c /a cgroup rw,memory 0 0\n", "c /b cgroup2 rw 0 0\n");
    assert_eq!(of(one.as_bytes()), CgroupMode::V1);
    assert_eq!(of(two.as_bytes()), CgroupMode::V2);
    assert_eq!(of(format!("{one}{two}").as_bytes()), CgroupMode::Hybrid);
    assert_eq!(of(b""), CgroupMode::None);
}

#[test]
fn a_status_of_another_form_fails_in_its_own_fields() {
    for bad in [&b""[..], b"Uid:\t1\nCapEff:\tzz\n", b"Uid:\t1\t99999999999\nCapEff:\n", b"\xff"] {
        let kernel = kernel(&[("proc/self/status", bad), ("proc/uptime", bad)]);
        assert_eq!(kind(&kernel.uid), "failed", "{bad:?}");
        assert_eq!(kind(&kernel.capabilities), "failed", "{bad:?}");
        assert_eq!(kind(&kernel.uptime_s), "failed", "{bad:?}");
    }
}

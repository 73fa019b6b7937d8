#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::*;
use crate::model::Stamp;
use std::fs;

const SECRETS: [&str; 8] =
    ["alice", "web-03", "secret-tool", "--token", "myapp", "/home", "backup-label", "boot-secret"];

const MOUNTS: &[u8] = b"tmpfs /home/alice/tmp tmpfs rw,size=64k,uid=alice 0 0\n\
    alice-disk / ext4 rw,label=alice 0 0\n\
    tmpfs /run/user/alice tmpfs rw 0 0\n\
    //web-03/alice /sys/alice fuse.secret-tool ro,user=alice 0 0\n\
    proc /home/alice/chroot/proc proc rw 0 0\n\
    alice /sys/fs/cgroup cgroup2 rw,memory,alice 0 0\n";

fn tree() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut head = vec![0_u8; 4096];
    head[1024] = 1;
    head[1052..1064].copy_from_slice(b"backup-label");
    head[4086..].copy_from_slice(b"SWAPSPACE2");
    head[..11].copy_from_slice(b"boot-secret");
    let files: [(&str, &[u8]); 19] = [
        ("sys/block/sda/size", b"8\n"),
        ("sys/block/sda/sda2/size", b"8\n"),
        ("sys/block/zram0/backing_dev", b"/home/alice/backing\n"),
        ("sys/block/zram0/disksize", b"4096\n"),
        ("sys/block/sda/loop/backing_file", b"/home/alice/loop\n"),
        ("sys/fs/cgroup/memory.alice/memory.alice/memory.stat", b"anon 1\n"),
        ("proc/9/status", b"Name:\tsecret-tool\nVmSwap:\t4 kB\n"),
        ("proc/9/cgroup", b"2:name=alice:/memory.alice\n0::/memory.alice/memory.alice\n"),
        ("proc/swaps", b"Filename Type Size Used Priority\n/home/alice/swap file 8 4 -2\n/dev/sda2 partition 8 4 1\n/dev/mapper/alice-swap partition 8 4 0\n/home/alice/gone\\040(deleted) file 8 4 0\n"),
        ("proc/mounts", MOUNTS),
        ("proc/sys/kernel/hostname", b"web-03\n"),
        ("proc/uptime", b"100.5 50\n"),
        ("proc/7/status", b"Name:\tsecret-tool\nPPid:\t1\nUid:\t5\t5\t5\t5\nVmSwap:\t4 kB\n"),
        ("proc/7/stat", b"7 (secret-tool) x) S 1 2 3 4 5 6 7 8 9 10\n"),
        ("proc/7/cmdline", b"secret-tool\0--token=5\0"),
        ("proc/7/cgroup", b"0::/user.slice/myapp.service\n"),
        ("sys/fs/cgroup/cgroup.controllers", b"memory\n"),
        ("sys/fs/cgroup/user.slice/myapp.service/memory.swap.current", b"4096\n"),
        ("home/alice/swap", &head),
    ];
    for (file, bytes) in files {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    // A link that leaves sys, and a file that cannot be read.
    fs::create_dir_all(dir.path().join("sys/class/block")).unwrap();
    let link = dir.path().join("sys/class/block/sda2");
    std::os::unix::fs::symlink("../../../home/alice/block", link).unwrap();
    fs::create_dir_all(dir.path().join("dev/mapper/alice-swap")).unwrap();
    fs::create_dir_all(dir.path().join("etc")).unwrap();
    fs::write(dir.path().join("etc/passwd"), "alice:x:5:5::/home/alice:/bin/sh\n").unwrap();
    dir
}

fn captured(scrubbed: bool) -> CaptureTree {
    let dir = tree();
    let root = Root::at(dir.path()).unwrap();
    capture(&root, &Clock::at(Stamp { boot_ns: 0, wall_ms: 0 }), scrubbed)
}

fn all_text(tree: &CaptureTree) -> String {
    let mut text = String::new();
    for (path, traced) in tree {
        text.push_str(&path.to_string_lossy());
        text.push('\n');
        match traced {
            Traced::Bytes(bytes) => text.push_str(&String::from_utf8_lossy(bytes)),
            Traced::Link(target) => text.push_str(&target.to_string_lossy()),
            Traced::Error(error) => text.push_str(error),
            Traced::Folder => {}
        }
    }
    text
}

#[test]
fn a_plain_capture_holds_what_was_read() {
    let tree = captured(false);
    let status = tree.get(Path::new("proc/7/status"));
    assert!(
        matches!(status, Some(Traced::Bytes(bytes)) if bytes.starts_with(b"Name:\tsecret-tool"))
    );
    let text = all_text(&tree);
    // The secrets that the scrubbed capture must not contain are in the plain one.
    assert!(SECRETS.iter().all(|secret| text.contains(secret)), "{text}");
    let area = tree.get(Path::new("dev/mapper/alice-swap"));
    assert!(matches!(area, Some(Traced::Error(_))), "{area:?}");
    let link = tree.get(Path::new("sys/class/block/sda2"));
    assert!(matches!(link, Some(Traced::Link(_))), "{link:?}");
}

#[test]
fn a_scrubbed_capture_holds_no_name() {
    let text = all_text(&captured(true));
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
}

#[test]
fn a_capture_holds_the_thread_that_shows_the_memory_of_a_process() {
    let dir = tree();
    let ended = "Name:\tsecret-tool\nState:\tZ\nPPid:\t1\nUid:\t0 0 0 0\nThreads:\t2\n";
    fs::write(dir.path().join("proc/7/status"), ended).unwrap();
    fs::create_dir_all(dir.path().join("proc/7/task/8")).unwrap();
    let thread = "Name:\tsecret-tool\nPPid:\t1\nUid:\t0 0 0 0\nVmRSS:\t4 kB\nVmSwap:\t4 kB\n";
    fs::write(dir.path().join("proc/7/task/8/status"), thread).unwrap();
    let root = Root::at(dir.path()).unwrap();
    let tree = capture(&root, &Clock::at(Stamp { boot_ns: 0, wall_ms: 0 }), true);
    let scrubbed = Traced::Bytes(thread.replace("secret-tool", "p7").into_bytes());
    assert_eq!(tree.get(Path::new("proc/7/task/8/status")), Some(&scrubbed));
    assert!(!all_text(&tree).contains("secret-tool"));
}

#[test]
fn what_belongs_together_still_does_after_scrubbing() {
    let tree = captured(true);
    let bytes = |path: &str| match tree.get(Path::new(path)) {
        Some(Traced::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        other => panic!("{path}: {other:?}"),
    };
    let swaps = bytes("proc/swaps");
    let file = swaps.lines().nth(1).unwrap().split(' ').next().unwrap();
    assert!(tree.contains_key(Path::new(file).strip_prefix("/").unwrap()), "{file}");
    let group = bytes("proc/7/cgroup");
    let group = group.trim().strip_prefix("0::/").unwrap();
    assert!(tree.contains_key(&Path::new("sys/fs/cgroup").join(group).join("memory.swap.current")));
    assert!(swaps.contains("/dev/sda2 partition 8 4 1"));
    assert_eq!(bytes("proc/7/stat"), "7 (p7) S 1 2 3 4 5 6 7 8 9 10\n");
}

#[test]
fn a_path_that_leads_to_some_other_file_does_not_bring_it_along() {
    let dir = tree();
    fs::write(dir.path().join("home/alice/swap"), "a private letter").unwrap();
    let root = Root::at(dir.path()).unwrap();
    let tree = capture(&root, &Clock::at(Stamp { boot_ns: 0, wall_ms: 0 }), false);
    assert!(!all_text(&tree).contains("letter"));
}

#[test]
fn a_capture_of_a_capture_was_taken_when_that_was() {
    let dir = tree();
    fs::write(dir.path().join("proc/stat"), "cpu 1\nbtime 86400\n").unwrap();
    let root = Root::at(dir.path()).unwrap();
    let tree = capture(&root, &Clock::at(Stamp { boot_ns: 0, wall_ms: 0 }), false);
    let Some(Traced::Bytes(notes)) = tree.get(Path::new("machine.toml")) else { panic!() };
    let notes = String::from_utf8_lossy(notes);
    assert!(notes.contains("taken = \"1970-01-02T00:01:40"), "{notes}");
}

#[test]
fn a_swap_file_below_a_folder_of_statistics_is_no_statistics() {
    let dir = tree();
    let path = dir.path().join("usr/local/swap");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "a private letter").unwrap();
    fs::write(dir.path().join("proc/swaps"), "Filename\n/usr/local/swap file 8 4 -2\n").unwrap();
    let root = Root::at(dir.path()).unwrap();
    let tree = capture(&root, &Clock::at(Stamp { boot_ns: 0, wall_ms: 0 }), false);
    assert!(tree.contains_key(Path::new("proc/uptime")));
    assert!(!all_text(&tree).contains("letter"));
}

#[test]
fn a_capture_holds_no_address_of_the_kernel() {
    let dir = tree();
    let symbols = "ffffffff9a5b0000 T _text\n0000000000000000 A zero\nc0de1234 t short\nffffffff9a";
    fs::write(dir.path().join("proc/kallsyms"), symbols).unwrap();
    let root = Root::at(dir.path()).unwrap();
    for scrubbed in [false, true] {
        let tree = capture(&root, &Clock::at(Stamp { boot_ns: 0, wall_ms: 0 }), scrubbed);
        let text =
            "ffffffff81000000 T _text\n0000000000000000 A zero\nffffffff t short\nffffffff81";
        let expected = Traced::Bytes(text.as_bytes().to_vec());
        assert_eq!(tree.get(Path::new("proc/kallsyms")), Some(&expected));
    }
}

#[test]
fn a_scrubbed_capture_holds_no_address_of_a_process() {
    let dir = tree();
    let fields = |number: u64| match number {
        26..=30 | 35 | 45..=51 => 0,
        number => number,
    };
    let line = |field: &dyn Fn(u64) -> u64, name: &str| {
        let fields: Vec<String> = (4..=52).map(|number| field(number).to_string()).collect();
        format!("7 ({name}) S {}\n", fields.join(" "))
    };
    fs::write(dir.path().join("proc/7/stat"), line(&|number| number, "a) b")).unwrap();
    let rollup = "5555aaaa-7ffcbbbb ---p 00000000 00:00 0   [rollup]\nRss: 4 kB\nSwapPss: 4 kB\n";
    fs::write(dir.path().join("proc/7/smaps_rollup"), rollup).unwrap();
    let root = Root::at(dir.path()).unwrap();
    let tree = capture(&root, &Clock::at(Stamp { boot_ns: 0, wall_ms: 0 }), true);
    let stat = Traced::Bytes(line(&fields, "p7").into_bytes());
    assert_eq!(tree.get(Path::new("proc/7/stat")), Some(&stat));
    let text = all_text(&tree);
    assert!(!text.contains("5555aaaa") && text.contains("SwapPss: 4 kB"), "{text}");
}

#[test]
fn a_scrubbed_capture_keeps_everything_but_names() {
    let tree = captured(true);
    let text = |path: &str| match tree.get(Path::new(path)) {
        Some(Traced::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        other => panic!("{path}: {other:?}"),
    };
    let mounts = text("proc/mounts");
    for line in ["none / ext4 rw 0 0", "none /sys/fs/cgroup cgroup2 rw,memory 0 0"] {
        assert!(mounts.lines().any(|other| other == line), "{line}: {mounts}");
    }
    assert!(mounts.contains(" tmpfs rw,size=64k 0 0"), "{mounts}");
    let swaps = text("proc/swaps");
    assert!(swaps.lines().any(|line| line.contains("\\040(deleted) file 8")), "{swaps}");
    assert!(swaps.starts_with("Filename Type"), "{swaps}");
    assert_eq!(text("sys/block/zram0/disksize"), "4096\n");
    assert!(text("sys/block/zram0/backing_dev").starts_with("/file"));
}

#[test]
fn a_capture_has_the_file_of_each_setting() {
    for knob in crate::model::knob::KNOBS {
        assert!(is_statistics(Path::new(knob.file)), "{}", knob.file);
    }
}

/// Files of the kernel that a scrubbed capture changes, or leaves out because of names or size.
const NOT_NAMELESS: [&str; 36] = [
    "proc/*/cgroup",
    "proc/*/cmdline",
    "proc/*/comm",
    "proc/*/maps",
    "proc/*/pagemap",
    "proc/*/smaps",
    "proc/*/smaps_rollup",
    "proc/*/stat",
    "proc/*/status",
    "proc/*/task/*/cgroup",
    "proc/*/task/*/cmdline",
    "proc/*/task/*/maps",
    "proc/*/task/*/pagemap",
    "proc/*/task/*/smaps",
    "proc/*/task/*/smaps_rollup",
    "proc/*/task/*/status",
    "proc/cmdline",
    "proc/kcore",
    "proc/mounts",
    "proc/self/mounts",
    "proc/self/status",
    "proc/swaps",
    "proc/sys/kernel/hostname",
    "proc/sys/kernel/random/boot_id",
    "sys/block/*/dm/name",
    "sys/block/*/loop/backing_file",
    "sys/block/*/slaves/*",
    "sys/block/zram*/backing_dev",
    "sys/class/block/*",
    "sys/class/zram-control",
    "sys/dev/block/*",
    "sys/kernel/btf/vmlinux",
    "sys/kernel/btf/zram",
    "sys/kernel/debug",
    "sys/kernel/debug/zram/*/block_state",
    "sys/kernel/mm/swap/tiers",
];

#[test]
fn every_file_of_the_kernel_is_kept_or_left_out_on_purpose() {
    let probes = probes::PROBES.iter().filter(|probe| probe.part != Part::Subject);
    let files = probes.flat_map(|probe| probe.files).copied();
    let is_undecided = |file: &&str| {
        ["proc/", "sys/"].iter().any(|top| file.starts_with(top))
            && !NOT_NAMELESS.contains(file)
            && !scrub::is_nameless(Path::new(file))
    };
    assert_eq!(files.filter(is_undecided).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn the_total_of_a_container_is_no_name() {
    let dir = tree();
    let row = "none virtual 524288 1024 0\n";
    fs::write(dir.path().join("proc/swaps"), format!("Filename\n{row}")).unwrap();
    let root = Root::at(dir.path()).unwrap();
    let tree = capture(&root, &Clock::at(Stamp { boot_ns: 0, wall_ms: 0 }), true);
    let swaps = Traced::Bytes(format!("Filename\n{row}").into_bytes());
    assert_eq!(tree.get(Path::new("proc/swaps")), Some(&swaps));
}

#[test]
fn unknown_files_are_left_out_of_a_scrubbed_capture() {
    let bytes = || Traced::Bytes(b"alice".to_vec());
    let mut tree = CaptureTree::new();
    for path in ["proc/new", "proc/7/new", "proc/7/status/new", "sys/new", "sys/block/sda/new"] {
        tree.insert(path.into(), bytes());
    }
    tree.insert("sys/alice".into(), Traced::Folder);
    tree.insert("proc/alice".into(), Traced::Error("alice".to_owned()));
    tree.insert("sys/dev/block/8:1".into(), Traced::Link("/home/alice".into()));
    tree.insert("sys/dev/block/8:2".into(), Traced::Link("../../devices/sda/sda2".into()));
    scrub::scrub(&mut tree);
    let kept: Vec<_> = tree.keys().collect();
    assert_eq!(kept, [Path::new("sys/dev/block/8:2")]);
}

#[test]
fn a_capture_tells_which_disks_lie_below_an_area() {
    let dir = tree();
    let slaves = dir.path().join("sys/block/dm-0/slaves");
    fs::create_dir_all(&slaves).unwrap();
    let target = Path::new("../../../../pci0000:00/block/sda/sda2");
    std::os::unix::fs::symlink(target, slaves.join("sda2")).unwrap();
    fs::write(dir.path().join("proc/swaps"), "Filename\n/dev/dm-0 partition 8 4 -2\n").unwrap();
    let root = Root::at(dir.path()).unwrap();
    for scrubbed in [false, true] {
        let tree = capture(&root, &Clock::at(Stamp { boot_ns: 0, wall_ms: 0 }), scrubbed);
        let link = tree.get(Path::new("sys/block/dm-0/slaves/sda2"));
        assert_eq!(link, Some(&Traced::Link(target.to_owned())), "{scrubbed}");
    }
}

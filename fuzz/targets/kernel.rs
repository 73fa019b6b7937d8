//! Files of the kernel, and files that set up swap at boot.

use super::Check;
use super::tree::{Tree, with_input};
use std::hint::black_box;
use swapadm::clock::Clock;
use swapadm::model::subject::DetailTarget;
use swapadm::model::surroundings::SWAP_SERVICES;
use swapadm::model::{Part, PartSet, Reading, Snapshot, Stamp};
use swapadm::probes::btf::{TypeKind, Types};
use swapadm::probes::{
    self, boot_settings, clusters, config, diskstats, kmsg, process, psi, surroundings, zram,
};
use swapadm::root::Root;

/// Areas that fit all files below.
const SWAPS: &[u8] = b"Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/zram0                              partition\t262140\t\t140000\t\t100\n";
/// The areas of the recorded kernel memory.
const RECORDED_SWAPS: &[u8] = include_bytes!("../../tests/kcore/7.2.swaps");
const KCORE: &[u8] = include_bytes!("../seeds/kcore/7.2");
const KALLSYMS: &[u8] = include_bytes!("../seeds/kallsyms/7.2");
const BTF: &[u8] = include_bytes!("../seeds/btf/7.2");
/// Symbols whose addresses are hidden, so that those in kernel memory are used.
const HIDDEN: &[u8] =
    b"0000000000000000 D swap_info\n0000000000000000 D nr_swapfiles\n0000000000000000 D _stext\n";

const BTF_FILE: &str = "sys/kernel/btf/vmlinux";

fn sample(root: &Root, parts: &[Part]) -> Snapshot {
    let clock = Clock::at(Stamp { boot_ns: 1_000_000_000_000, wall_ms: 1_700_000_000_000 });
    probes::sample(root, &clock, PartSet::from_parts(parts))
}

pub(super) fn swaps() -> Check {
    let files: &[(&str, &[u8])] = &[
        ("proc/meminfo", b"SwapTotal: 8589934592 kB\nSwapFree: 0 kB\n"),
        ("sys/block/sda/size", b"34359738368\n"),
    ];
    with_input("proc/swaps", files, |root| {
        black_box(sample(root, &[Part::Swaps]));
    })
}

pub(super) fn vmstat() -> Check {
    with_input("proc/vmstat", &[], |root| {
        black_box(sample(root, &[Part::Vmstat]));
    })
}

pub(super) fn meminfo() -> Check {
    with_input("proc/meminfo", &[], |root| {
        black_box(sample(root, &[Part::Meminfo]));
    })
}

pub(super) fn pressure() -> Check {
    with_input("proc/pressure/memory", &[], |root| {
        black_box(psi::read(root));
    })
}

pub(super) fn diskstats() -> Check {
    with_input("proc/diskstats", &[], |root| {
        black_box(diskstats::read(root));
    })
}

pub(super) fn process_status() -> Check {
    with_input("proc/7/status", &[], |root| {
        black_box(process::read_status(root, 7));
    })
}

/// The files of a device, in the order of an input, which has a zero byte between two of them.
const ZRAM_FILES: [&str; 10] = [
    "mm_stat",
    "io_stat",
    "bd_stat",
    "debug_stat",
    "disksize",
    "initstate",
    "comp_algorithm",
    "recomp_algorithm",
    "backing_dev",
    "writeback_limit",
];

pub(super) fn zram_statistics() -> Check {
    let root = Root::without_files();
    Box::new(move |input| {
        let files = input.split(|byte| *byte == 0).map(|file| Reading::Known(file.to_vec()));
        let files = ZRAM_FILES.into_iter().zip(files).collect();
        black_box(zram::device_from_files(&root, "zram0", files));
    })
}

pub(super) fn block_state() -> Check {
    let files: &[(&str, &[u8])] =
        &[("proc/swaps", SWAPS), ("sys/block/zram0/mm_stat", b"143360000 1 1 0 1 0 0\n")];
    with_input("sys/kernel/debug/zram/zram0/block_state", files, |root| {
        black_box(sample(root, &[Part::Swaps, Part::StoredClusters]));
    })
}

pub(super) fn pagemap() -> Check {
    Box::new(|input| {
        let slots = clusters::mapped::slots_from_entries(input);
        for slots in slots.iter().flatten() {
            let (count, last) =
                slots.iter().fold((0, None), |(count, _), slot| (count + 1, Some(slot)));
            assert_eq!((slots.len(), slots.last()), (count, last), "slots are counted");
        }
    })
}

/// Types and members that are looked for.
const LOOKED_UP: [&str; 3] = ["swap_info_struct", "swap_cluster_info", "swap_cluster_flags"];

fn walk_types(types: &Types) -> Reading<()> {
    black_box(types.count());
    for name in LOOKED_UP {
        let found = types.find(TypeKind::Struct, name);
        black_box(found.and_then(|found| found.size()));
        for member in ["flags", "max", "prio", "cluster_info", "lock.raw_lock.val", "list.next"] {
            black_box(found.and_then(|found| found.member(member)));
        }
        let list = types.find(TypeKind::Enum, name);
        black_box(list.and_then(|list| list.value("CLUSTER_FLAG_FREE")));
    }
    Reading::Known(())
}

pub(super) fn btf() -> Check {
    let files: &[(&str, &[u8])] =
        &[("proc/swaps", RECORDED_SWAPS), ("proc/kcore", KCORE), ("proc/kallsyms", KALLSYMS)];
    with_input(BTF_FILE, files, |root| {
        black_box(probes::btf::read(root, walk_types));
        black_box(sample(root, &[Part::Swaps, Part::KernelClusters]));
    })
}

pub(super) fn kallsyms() -> Check {
    let files: &[(&str, &[u8])] =
        &[("proc/swaps", RECORDED_SWAPS), ("proc/kcore", KCORE), (BTF_FILE, BTF)];
    with_input("proc/kallsyms", files, |root| {
        black_box(sample(root, &[Part::Swaps, Part::KernelClusters, Part::Access]));
    })
}

/// Smaller files count as masked.
const SMALLEST_KCORE: usize = 4096;

pub(super) fn kcore() -> Check {
    let machine = |symbols| {
        let tree = Tree::new(&[
            ("proc/swaps", RECORDED_SWAPS),
            ("proc/kallsyms", symbols),
            (BTF_FILE, BTF),
        ]);
        let file = tree.file("proc/kcore", b"");
        (tree, file)
    };
    let machines = [machine(KALLSYMS), machine(HIDDEN)];
    Box::new(move |input| {
        let mut memory = input.to_vec();
        memory.resize(memory.len().max(SMALLEST_KCORE), 0);
        for (tree, file) in &machines {
            file.set(&memory);
            black_box(sample(tree.root(), &[Part::Swaps, Part::KernelClusters]));
        }
    })
}

fn read_config(root: &Root) {
    let entries = config::read(root);
    for entry in entries.known().into_iter().flatten() {
        black_box(entry.file.safe());
    }
}

pub(super) fn fstab() -> Check {
    with_input("etc/fstab", &[], read_config)
}

pub(super) fn swap_unit() -> Check {
    let tree = Tree::new(&[]);
    let unit = tree.file("etc/systemd/system/dev-sda.swap", b"");
    tree.link("etc/systemd/system/dev-sda.swap.d/more.conf", "../dev-sda.swap");
    Box::new(move |input| {
        unit.set(input);
        read_config(tree.root());
    })
}

pub(super) fn zram_generator() -> Check {
    let tree = Tree::new(&[]);
    let main = tree.file("etc/systemd/zram-generator.conf", b"");
    tree.link("etc/systemd/zram-generator.conf.d/more.conf", "../zram-generator.conf");
    Box::new(move |input| {
        main.set(input);
        read_config(tree.root());
    })
}

/// The kernel command line, by which entries are judged and settings are made.
pub(super) fn command_line() -> Check {
    let files: &[(&str, &[u8])] = &[
        ("etc/fstab", b"/dev/sda none swap sw 0 0\n"),
        ("run/systemd/generator/dev-sdb.swap", b"[Swap]\nWhat=/dev/sdb\n"),
    ];
    with_input("proc/cmdline", files, |root| {
        read_config(root);
        black_box(boot_settings::read(root));
    })
}

/// The tiers of the machine, and those that a cgroup may use.
pub(super) fn swap_tiers() -> Check {
    let tree = Tree::new(&[
        ("proc/mounts", b"c /sys/fs/cgroup cgroup2 rw 0 0\n"),
        ("sys/fs/cgroup/cgroup.controllers", b"memory\n"),
        ("sys/fs/cgroup/a/memory.stat", b"anon 1\n"),
    ]);
    let tiers = tree.file("sys/kernel/mm/swap/tiers", b"");
    let allowed = tree.file("sys/fs/cgroup/a/memory.swap.tiers.max", b"");
    Box::new(move |input| {
        tiers.set(input);
        allowed.set(input);
        black_box(sample(tree.root(), &[Part::Kernel, Part::Cgroups]));
    })
}

fn read_services(root: &Root) {
    for service in &SWAP_SERVICES {
        black_box(surroundings::read_service_config(root, service));
    }
}

/// The configuration of systemd-swap.
pub(super) fn service() -> Check {
    with_input("etc/systemd/swap.conf", &[], read_services)
}

pub(super) fn zram_tools() -> Check {
    with_input("etc/default/zramswap", &[], read_services)
}

pub(super) fn dphys_swapfile() -> Check {
    with_input("etc/dphys-swapfile", &[], read_services)
}

/// Settings of the kernel that are made at boot.
pub(super) fn sysctl() -> Check {
    let tree = Tree::new(&[]);
    let main = tree.file("etc/sysctl.d/50.conf", b"");
    tree.link("etc/sysctl.d/60.conf", "50.conf");
    tree.link("etc/tmpfiles.d/50.conf", "../sysctl.d/50.conf");
    Box::new(move |input| {
        main.set(input);
        black_box(boot_settings::read(tree.root()));
    })
}

/// A record of /dev/kmsg.
pub(super) fn kernel_log() -> Check {
    Box::new(|input| {
        black_box(kmsg::parse_swapon(input));
        black_box(kmsg::parse_read_error(input));
    })
}

pub(super) fn mounts() -> Check {
    with_input("proc/mounts", &[("proc/meminfo", b"Shmem: 4 kB\n")], |root| {
        black_box(sample(root, &[Part::Shm, Part::Cgroups]));
    })
}

fn read_subject(root: &Root, subject: &DetailTarget) {
    let clock = Clock::at(Stamp { boot_ns: 1_000_000_000_000, wall_ms: 1_700_000_000_000 });
    black_box(probes::subject::read(root, &clock, subject));
}

/// The mappings of a process, with their sizes.
pub(super) fn mappings() -> Check {
    let status = b"Name:\tx\nState:\tS\nPPid:\t1\nUid:\t0\t0\t0\t0\nVmSwap:\t8 kB\n";
    let tree = Tree::new(&[("proc/7/status", status.as_slice())]);
    let files = ["proc/7/smaps", "proc/7/smaps_rollup", "proc/7/maps"].map(|it| tree.file(it, b""));
    Box::new(move |input| {
        for file in &files {
            file.set(input);
        }
        read_subject(tree.root(), &DetailTarget::Process(7));
    })
}

/// Files of a cgroup, in the order of an input, which has a zero byte between two of them.
const CGROUP_FILES: [&str; 9] = [
    "memory.stat",
    "memory.numa_stat",
    "memory.events",
    "memory.events.local",
    "memory.swap.events",
    "memory.pressure",
    "memory.max",
    "memory.current",
    "memory.swap.current",
];

pub(super) fn cgroup() -> Check {
    let tree = Tree::new(&[
        ("proc/mounts", b"c /sys/fs/cgroup cgroup2 rw 0 0\n"),
        ("sys/fs/cgroup/cgroup.controllers", b"memory\n"),
    ]);
    let files = CGROUP_FILES.map(|name| tree.file(&format!("sys/fs/cgroup/a/{name}"), b""));
    Box::new(move |input| {
        let mut contents = input.split(|byte| *byte == 0);
        for file in &files {
            file.set(contents.next().unwrap_or_default());
        }
        black_box(sample(tree.root(), &[Part::Cgroups]));
        read_subject(tree.root(), &DetailTarget::Cgroup("/a".into()));
    })
}

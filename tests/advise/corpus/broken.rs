//! Broken machines, with the rules that find something on each.

use super::changes::{
    areas, count, cut_off, desktop, disks, fstab, guest, limited_zram, memory, memsw_limit, moved,
    pressure, server, service, swap_limit, tiers, twins, zram,
};
use super::{MIXED, NEWER, SPLIT, Scene, unchanged};

pub(super) static BROKEN: &[Scene] = &[
    Scene {
        name: "a machine that thrashes",
        base: MIXED,
        is: |it| {
            desktop(it);
            pressure(it, 0.0, 0.0, [0, 0]);
        },
        then: |it| {
            pressure(it, 80.0, 55.0, [800_000, 550_000]);
            let pages = [("pswpin", 9000), ("pswpout", 10_000), ("pgsteal_anon", 10_000)];
            count(it, &pages);
            count(it, &[("workingset_refault_anon", 8000), ("pgsteal_direct", 10_000)]);
        },
        finds: &["memory-pressure"],
    },
    Scene {
        name: "a machine under pressure whose pages only leave",
        base: MIXED,
        is: |it| {
            desktop(it);
            pressure(it, 0.0, 0.0, [0, 0]);
        },
        then: |it| {
            pressure(it, 30.0, 5.5, [300_000, 55_000]);
            count(it, &[("pswpin", 16), ("pswpout", 100_671), ("pgsteal_anon", 100_671)]);
        },
        finds: &["memory-pressure"],
    },
    Scene {
        name: "full swap while memory is short",
        base: MIXED,
        is: |it| {
            memory(it, 4096, 200);
            areas(it, &[("/dev/nvme0n1", 2048, 2040, -2)]);
        },
        then: unchanged,
        finds: &["swap-full", "swapoff-fit"],
    },
    Scene {
        name: "no swap while memory is short",
        base: "6.12-noswap",
        is: |it| memory(it, 4096, 200),
        then: unchanged,
        finds: &["no-swap"],
    },
    Scene {
        name: "a process killed now in a cgroup at its limit",
        base: MIXED,
        is: |it| {
            server(it);
            service(it, "104857600\n", 2);
        },
        then: |it| service(it, "104857600\n", 3),
        finds: &["oom-kills"],
    },
    Scene {
        name: "processes killed earlier in a cgroup with a limit",
        base: "7.2-mixed-idle",
        is: |it| {
            server(it);
            service(it, "104857600\n", 2);
        },
        then: unchanged,
        finds: &["oom-kills"],
    },
    Scene {
        name: "processes killed earlier in an unlimited cgroup below one with a limit",
        base: "7.2-mixed-idle",
        is: |it| {
            server(it);
            service(it, "104857600\n", 2);
            let file = |name: &str| format!("sys/fs/cgroup/service/session/{name}");
            it.write(file("memory.current"), "104857600\n");
            it.write(file("memory.max"), "max\n");
            it.write(file("memory.swap.current"), "0\n");
            it.write(file("memory.events"), "oom_kill 2\n");
        },
        then: unchanged,
        finds: &["oom-kills"],
    },
    Scene {
        name: "processes killed in a cgroup of version 1",
        base: "host-cgroup-v1",
        is: |it| {
            let file = |name: &str| format!("sys/fs/cgroup/memory/service/{name}");
            it.write(file("memory.limit_in_bytes"), "104857600\n");
            it.write(file("memory.usage_in_bytes"), "104857600\n");
            it.write(file("memory.stat"), "rss 104857600\n");
            it.write(file("memory.oom_control"), "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
        },
        then: unchanged,
        finds: &["oom-kills"],
    },
    Scene {
        name: "a cgroup that has used up its swap limit",
        base: MIXED,
        is: |it| {
            server(it);
            swap_limit(it, "33554432\n", 7);
        },
        then: |it| swap_limit(it, "33554432\n", 9),
        finds: &["cgroup-swap"],
    },
    Scene {
        name: "a cgroup of version 1 that has used up its limit of memory plus swap",
        base: "host-cgroup-v1",
        is: |it| {
            memory(it, 16 << 10, 9 << 10);
            areas(it, &[("/dev/sda2", 4096, 64, -2)]);
            memsw_limit(it, 7);
        },
        then: |it| memsw_limit(it, 9),
        finds: &["cgroup-swap"],
    },
    Scene {
        name: "a process killed outside of cgroups",
        base: MIXED,
        is: server,
        then: |it| count(it, &[("oom_kill", 1)]),
        finds: &["oom-kills"],
    },
    Scene {
        name: "an interrupted change that left an area disabled",
        base: MIXED,
        is: |it| {
            desktop(it);
            cut_off(it);
        },
        then: unchanged,
        finds: &["interrupted"],
    },
    Scene {
        name: "full zram above a disk from which pages return",
        base: MIXED,
        is: |it| tiers(it, 4090, 600),
        then: |it| {
            count(it, &[("pswpin", 700)]);
            moved(it, "zram0", 100, 0);
            moved(it, "nvme0n1", 600, 0);
        },
        finds: &["lru-inversion"],
    },
    Scene {
        name: "two disks with default priorities, the first one full",
        base: MIXED,
        is: |it| disks(it, [(4096, -2), (0, -3)]),
        then: |it| count(it, &[("pswpin", 5)]),
        finds: &["one-by-one"],
    },
    Scene {
        name: "two disks with default priorities, the first one busy",
        base: MIXED,
        is: |it| disks(it, [(900, -2), (0, -3)]),
        then: |it| count(it, &[("pswpout", 4000)]),
        finds: &["one-by-one"],
    },
    Scene {
        name: "zram and a disk of one priority",
        base: MIXED,
        is: |it| {
            memory(it, 16 << 10, 9 << 10);
            areas(it, &[("/dev/zram0", 4096, 100, 10), ("/dev/nvme0n1", 4096, 100, 10)]);
            zram(it, "zram0", 100, 30, 0);
        },
        then: unchanged,
        finds: &["mixed-priority"],
    },
    Scene {
        name: "zram below a disk",
        base: NEWER,
        is: |it| {
            memory(it, 16 << 10, 9 << 10);
            areas(it, &[("/dev/zram0", 4096, 0, 5), ("/dev/nvme0n1", 4096, 900, 10)]);
            zram(it, "zram0", 0, 0, 0);
        },
        then: unchanged,
        finds: &["faster-behind"],
    },
    Scene {
        name: "a rotational disk among solid-state ones",
        base: NEWER,
        is: |it| {
            disks(it, [(100, 10), (90, 10)]);
            it.write("sys/block/nb0/queue/rotational", "1\n");
        },
        then: unchanged,
        finds: &["rotational-equal"],
    },
    Scene {
        name: "two disks of one priority, one with nearly everything",
        base: MIXED,
        is: |it| disks(it, [(900, 10), (100, 10)]),
        then: unchanged,
        finds: &["unbalanced"],
    },
    Scene {
        name: "zram near its memory limit",
        base: MIXED,
        is: |it| {
            desktop(it);
            limited_zram(it, "zram0", [1200, 400, 420], 0);
        },
        then: unchanged,
        finds: &["zram-limit"],
    },
    Scene {
        name: "zram that compresses poorly",
        base: MIXED,
        is: |it| {
            desktop(it);
            zram(it, "zram0", 1200, 1000, 2000);
        },
        then: unchanged,
        finds: &["zram-ratio"],
    },
    Scene {
        name: "twins with just over a quarter of incompressible data together",
        base: MIXED,
        is: |it| twins(it, [64_005, 63_998]),
        then: unchanged,
        finds: &["zram-huge:zram0", "zram-huge:zram1"],
    },
    Scene {
        name: "a virtual machine whose readahead is wasted",
        base: MIXED,
        is: guest,
        then: |it| count(it, &[("pswpin", 3000), ("swap_ra", 2000), ("swap_ra_hit", 100)]),
        finds: &["readahead-device", "readahead-wasted"],
    },
    Scene {
        name: "readahead from zram",
        base: MIXED,
        is: |it| {
            desktop(it);
            it.write("proc/sys/vm/page-cluster", "3\n");
        },
        then: |it| count(it, &[("pswpin", 900), ("swap_ra", 90), ("swap_ra_hit", 60)]),
        finds: &["readahead-zram"],
    },
    Scene {
        name: "zswap in front of zram",
        base: MIXED,
        is: |it| {
            desktop(it);
            it.write("sys/module/zswap/parameters/enabled", "Y\n");
        },
        then: unchanged,
        finds: &["zswap-zram"],
    },
    Scene {
        name: "zswap that gets nothing because of huge pages",
        base: MIXED,
        is: |it| {
            server(it);
            it.write("sys/module/zswap/parameters/enabled", "Y\n");
        },
        then: |it| count(it, &[("pswpout", 26_624), ("thp_swpout", 52)]),
        finds: &["zswap-bypassed"],
    },
    Scene {
        name: "folios that are split now",
        base: MIXED,
        is: |it| {
            server(it);
            it.write(SPLIT, "50000\n");
        },
        then: |it| it.write(SPLIT, "55000\n"),
        finds: &["folios-split"],
    },
    Scene {
        name: "fstab with a device that is gone",
        base: MIXED,
        is: |it| {
            desktop(it);
            fstab(it, "/dev/sdx2 none swap sw 0 0");
        },
        then: unchanged,
        finds: &["boot-stale"],
    },
    Scene {
        name: "fstab with another priority",
        base: MIXED,
        is: |it| {
            memory(it, 64 << 10, 40 << 10);
            areas(it, &[("/dev/nvme0n1", 4 << 10, 12, 10)]);
            fstab(it, "/dev/nvme0n1 none swap sw,pri=5 0 0");
        },
        then: unchanged,
        finds: &["boot-priority"],
    },
    Scene {
        name: "discard for a device without it",
        base: MIXED,
        is: |it| {
            memory(it, 64 << 10, 40 << 10);
            areas(it, &[("/dev/nb0", 4 << 10, 12, 5)]);
            it.write("sys/block/nb0/queue/discard_max_bytes", "0\n");
            fstab(it, "/dev/nb0 none swap sw,pri=5,discard 0 0");
        },
        then: unchanged,
        finds: &["discard"],
    },
    Scene {
        name: "swap more than half full in which nothing moves",
        base: MIXED,
        is: |it| {
            desktop(it);
            areas(it, &[("/dev/zram0", 8 << 10, 5 << 10, 100)]);
            zram(it, "zram0", 5 << 10, 2 << 10, 0);
        },
        then: unchanged,
        finds: &["idle"],
    },
    Scene {
        name: "a small area full of old pages above a large one",
        base: MIXED,
        is: |it| {
            memory(it, 16 << 10, 9 << 10);
            let rows = [("/dev/nb0", 128, 128, 100), ("/dev/nvme0n1", 8192, 900, 10)];
            areas(it, &rows);
        },
        then: |it| {
            count(it, &[("pswpin", 500), ("pswpout", 500)]);
            moved(it, "nvme0n1", 500, 500);
        },
        finds: &["area-small"],
    },
    Scene {
        name: "files that are read again while zram has room",
        base: MIXED,
        is: desktop,
        then: |it| count(it, &[("workingset_restore_file", 4000)]),
        finds: &["swappiness"],
    },
    Scene {
        name: "much more swap than memory",
        base: MIXED,
        is: |it| {
            memory(it, 4096, 3000);
            areas(it, &[("/dev/nvme0n1", 256 << 10, 0, -2)]);
        },
        then: unchanged,
        finds: &["metadata"],
    },
    Scene {
        name: "contents that fit nowhere else",
        base: MIXED,
        is: |it| {
            memory(it, 4096, 800);
            areas(it, &[("/dev/nvme0n1", 8192, 2000, -2)]);
        },
        then: |it| count(it, &[("pswpin", 10)]),
        finds: &["swapoff-fit"],
    },
];

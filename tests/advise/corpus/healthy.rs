//! Healthy machines, on which no rule finds anything.

use super::changes::{
    areas, count, cut_off, desktop, disks, guest, memory, moved, pressure, server, service,
    swap_limit, tiers, zram,
};
use super::{MIXED, NEWER, SPLIT, Scene, unchanged};

pub(super) static HEALTHY: &[Scene] = &[
    Scene {
        name: "a desktop with zram at rest",
        base: MIXED,
        is: desktop,
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a desktop that swaps a little to and from zram",
        base: MIXED,
        is: desktop,
        then: |it| count(it, &[("pswpin", 40), ("pswpout", 60), ("pgsteal_anon", 60)]),
        finds: &[],
    },
    Scene {
        name: "a desktop on 6.18",
        base: NEWER,
        is: desktop,
        then: |it| count(it, &[("pswpin", 200)]),
        finds: &[],
    },
    Scene {
        name: "a server with a disk area that is hardly used",
        base: MIXED,
        is: server,
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a server on 7.2",
        base: "7.2-mixed-idle",
        is: server,
        then: |it| count(it, &[("pswpout", 20)]),
        finds: &[],
    },
    Scene {
        name: "a server with a small, partly used area and no other",
        base: MIXED,
        is: |it| {
            memory(it, 64 << 10, 40 << 10);
            areas(it, &[("/dev/nvme0n1", 1024, 400, -2)]);
        },
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a server without swap, and with 23 GiB available",
        base: "6.12-noswap",
        is: |it| memory(it, 32 << 10, 23 << 10),
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "two disks of one priority, one with all of the little that is used",
        base: MIXED,
        is: |it| disks(it, [(400, 10), (0, 10)]),
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a virtual machine with swap on a virtio disk",
        base: MIXED,
        is: guest,
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a virtual machine whose readahead hits",
        base: MIXED,
        is: guest,
        then: |it| count(it, &[("pswpin", 1500), ("swap_ra", 1000), ("swap_ra_hit", 800)]),
        finds: &[],
    },
    Scene {
        name: "zram with room above a disk",
        base: MIXED,
        is: |it| tiers(it, 800, 0),
        then: |it| count(it, &[("pswpin", 150)]),
        finds: &[],
    },
    Scene {
        name: "full zram above a disk that is not read",
        base: MIXED,
        is: |it| tiers(it, 4090, 600),
        then: |it| {
            count(it, &[("pswpin", 500)]);
            moved(it, "zram0", 480, 0);
        },
        finds: &[],
    },
    Scene {
        name: "two disks of one priority, used evenly",
        base: MIXED,
        is: |it| disks(it, [(900, 10), (870, 10)]),
        then: |it| count(it, &[("pswpout", 300)]),
        finds: &[],
    },
    Scene {
        name: "two disks in an order that somebody chose",
        base: MIXED,
        is: |it| disks(it, [(4096, 10), (0, 5)]),
        then: |it| count(it, &[("pswpout", 300)]),
        finds: &[],
    },
    Scene {
        name: "two disks with default priorities, hardly used",
        base: MIXED,
        is: |it| disks(it, [(100, -2), (0, -3)]),
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "zswap in front of a disk, with single pages",
        base: MIXED,
        is: |it| {
            server(it);
            it.write("sys/module/zswap/parameters/enabled", "Y\n");
        },
        then: |it| count(it, &[("zswpout", 900)]),
        finds: &[],
    },
    Scene {
        name: "a machine just after a load: tasks stalled, and no longer do",
        base: MIXED,
        is: |it| {
            desktop(it);
            areas(it, &[("/dev/zram0", 8 << 10, 0, 100)]);
            zram(it, "zram0", 0, 0, 0);
            pressure(it, 14.0, 9.0, [9_000_000, 5_000_000]);
        },
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a small area that carries much",
        base: MIXED,
        is: |it| {
            memory(it, 16 << 10, 9 << 10);
            let rows = [("/dev/nb0", 128, 128, 100), ("/dev/nvme0n1", 8192, 900, 10)];
            areas(it, &rows);
        },
        then: |it| {
            count(it, &[("pswpin", 10_000), ("pswpout", 10_700)]);
            moved(it, "nb0", 10_000, 10_700);
        },
        finds: &[],
    },
    Scene {
        name: "a machine whose folios were split long ago",
        base: MIXED,
        is: |it| {
            server(it);
            it.write(SPLIT, "50000\n");
        },
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a host whose container was killed and is gone",
        base: MIXED,
        is: |it| {
            server(it);
            service(it, "max\n", 4);
        },
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a pod that may not swap",
        base: MIXED,
        is: |it| {
            server(it);
            swap_limit(it, "0\n", 7);
        },
        then: |it| swap_limit(it, "0\n", 9),
        finds: &[],
    },
    Scene {
        name: "a cgroup below its memory limit that has as much swap as it may",
        base: MIXED,
        is: |it| {
            server(it);
            swap_limit(it, "33554432\n", 7);
        },
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "an interrupted change of an earlier boot",
        base: MIXED,
        is: |it| {
            server(it);
            cut_off(it);
            it.write("proc/sys/kernel/random/boot_id", "later\n");
        },
        then: unchanged,
        finds: &[],
    },
];

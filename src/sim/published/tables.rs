//! The published tables, as data.

use super::super::cost::SimDevice;
use super::run::{Outcome, PublishedRun};
use super::{
    CaseGroup, FigureCheck, ModelFigure, PublishedCase, PublishedFigure, PublishedTable,
    PublishedValues,
};
use crate::model::load::{AccessPattern, MemoryKind};
use FigureCheck::{Magnitude, Order, Ratio, Same, Within, Zero};
use ModelFigure::{Missing, Number, Text};
use PublishedValues::{Numbers, Statement, Texts};

/// All tables.
pub static TABLES: [PublishedTable; 5] = [BALANCE, NODES, READAHEAD, FOLIOS, VIRTUAL_SWAP];

/// Processes that write their memory once and free it together, as usemem does.
const USEMEM: PublishedRun = PublishedRun {
    policy: "6.18",
    memory_mib: 4096.0,
    cpus: 32,
    nodes: 1,
    areas: &[SimDevice::SolidState],
    area_mib: 16_384.0,
    page_cluster: 3,
    folio_orders: &[],
    has_zswap: false,
    processes: 1,
    process_mib: 2048.0,
    pattern: AccessPattern::Sequential,
    memory: MemoryKind::Anonymous,
    passes: 0.0,
    is_build: false,
    swapped_out_mib: 0.0,
    used_mib: 0.0,
    divisor: 256.0,
};

const fn case(name: &'static str, experiment: PublishedRun) -> PublishedCase {
    PublishedCase { name, experiment: Ok(experiment) }
}

const fn not_simulated(name: &'static str, why: &'static str) -> PublishedCase {
    PublishedCase { name, experiment: Err(why) }
}

/// A figure whose order is that of its cases.
const fn ordered(
    name: &'static str,
    unit: &'static str,
    published: &'static [f64],
    model: ModelFigure,
) -> PublishedFigure {
    PublishedFigure { name, unit, published: Numbers(published), model, checks: &[Order] }
}

/// A text that is the same in model and publication.
const fn text(
    name: &'static str,
    published: &'static [&'static str],
    model: ModelFigure,
) -> PublishedFigure {
    PublishedFigure { name, unit: "", published: Texts(published), model, checks: &[Same] }
}

/// A figure of which only a statement was published.
const fn stated(
    name: &'static str,
    statement: &'static str,
    model: ModelFigure,
    checks: &'static [FigureCheck],
) -> PublishedFigure {
    PublishedFigure { name, unit: "", published: Statement(statement), model, checks }
}

const BALANCE_CASE: PublishedRun =
    PublishedRun { nodes: 8, areas: &[SimDevice::Zram; 4], processes: 31, ..USEMEM };

/// Used of an area in GiB, within 3 points of all used swap.
const fn used(
    name: &'static str,
    published: &'static [f64],
    model: ModelFigure,
) -> PublishedFigure {
    let checks = &[Within(&[0.509, 0.753, 0.792])];
    PublishedFigure { name, unit: "GiB", published: Numbers(published), model, checks }
}

const BALANCE: PublishedTable = PublishedTable {
    letter: 'A',
    title: "Default priorities and the balance of swap devices",
    source: "Baoquan He, \"mm/swap: select swap device with default priority round robin\", 28 October 2025, https://lkml.kernel.org/r/20251028034308.929550-3-bhe@redhat.com",
    setup: "usemem with 31 processes of 2 GiB in a cgroup of 4 GiB, four zram devices of 16 GiB. Simulated with 32 CPUs on 8 nodes and a device on each of the first four: the devices' nodes were not published, and are inferred from the used space of the second case. Used space is compared when all devices together hold as much as published.",
    groups: &[CaseGroup {
        cases: &[
            case(
                "one by one",
                PublishedRun { policy: "6.18+one-by-one", used_mib: 17_373.0, ..BALANCE_CASE },
            ),
            case("per NUMA node", PublishedRun { used_mib: 25_702.0, ..BALANCE_CASE }),
            case(
                "round robin",
                PublishedRun { policy: "6.18+round-robin", used_mib: 27_033.0, ..BALANCE_CASE },
            ),
        ],
        figures: &[
            text(
                "priorities",
                &["-1 -2 -3 -4", "-2 -3 -4 -5", "-1 -1 -1 -1"],
                Text(Outcome::priorities),
            ),
            used("used of zram0", &[16.0, 15.7, 6.6], Number(|run| run.used(0))),
            used("used of zram1", &[0.9436, 3.4, 6.6], Number(|run| run.used(1))),
            used("used of zram2", &[0.0, 3.4, 6.6], Number(|run| run.used(2))),
            used("used of zram3", &[0.0, 2.6, 6.6], Number(|run| run.used(3))),
            ordered("system time", "s", &[1087.38, 637.92, 526.74], Number(|run| run.system_s)),
            ordered(
                "sum of throughput",
                "MB/s",
                &[2036.55, 3546.56, 4207.56],
                Number(Outcome::megabytes_per_second),
            ),
            ordered(
                "throughput of a process",
                "MB/s",
                &[65.69, 114.40, 135.72],
                Missing("the processes of the model have no time of their own"),
            ),
            ordered("free latency", "s", &[15.769, 10.138, 6.810], Number(|run| run.free_s)),
            stated(
                "other CPUs at the lock",
                "not published",
                Number(|run| run.machine.allocation_work().lock_waits as f64),
                &[
                    Ratio { case: 1, to: 0, least: 0.0, most: 0.99 },
                    Ratio { case: 2, to: 1, least: 0.0, most: 0.99 },
                ],
            ),
        ],
    }],
    differences: "",
};

const RANDOM_WRITES: PublishedRun = PublishedRun {
    policy: "4.13",
    memory_mib: 65_536.0,
    nodes: 2,
    areas: &[SimDevice::SolidState; 2],
    area_mib: 162_125.0,
    pattern: AccessPattern::Random,
    passes: 2.0,
    divisor: 1024.0,
    ..USEMEM
};

const NODE_ORDER: PublishedRun = PublishedRun {
    policy: "4.13+per-node",
    nodes: 4,
    areas: &[SimDevice::SolidState; 4],
    processes: 0,
    ..USEMEM
};

const NODES: PublishedTable = PublishedTable {
    letter: 'B',
    title: "Devices bound to NUMA nodes",
    source: "Aaron Lu, \"swap: choose swap device according to numa node\", commit a2468cc9bf, 2017, http://lkml.kernel.org/r/20170816024439.GA10925@aaronlu.sh.intel.com",
    setup: "Order: devices A to D on nodes 0 to 3. Throughput: processes that write to random pages of 128 GiB in all, on two nodes with 64 GiB and a solid state disk of 170 GB each, for 30 minutes. Simulated with 32 CPUs, and three accesses to each page instead of a time.",
    groups: &[
        CaseGroup {
            cases: &[case("per NUMA node", NODE_ORDER)],
            figures: &[
                text("priorities", &["-2 -3 -4 -5"], Text(Outcome::priorities)),
                text("order on node 0", &["A B C D"], Text(|run| run.order(0))),
                text("order on node 1", &["B A C D"], Text(|run| run.order(1))),
                text("order on node 2", &["C A B D"], Text(|run| run.order(2))),
                text("order on node 3", &["D A B C"], Text(|run| run.order(3))),
            ],
        },
        CaseGroup {
            cases: &[
                case(
                    "32 x 4 GiB, one list",
                    PublishedRun { processes: 32, process_mib: 4096.0, ..RANDOM_WRITES },
                ),
                case(
                    "32 x 4 GiB, per node",
                    PublishedRun {
                        policy: "4.13+per-node",
                        processes: 32,
                        process_mib: 4096.0,
                        ..RANDOM_WRITES
                    },
                ),
            ],
            figures: &[ordered(
                "accesses/s",
                "",
                &[13_306.0, 15_169.0],
                Number(Outcome::accesses_per_second),
            )],
        },
        CaseGroup {
            cases: &[
                case("64 x 2 GiB, one list", PublishedRun { processes: 64, ..RANDOM_WRITES }),
                case(
                    "64 x 2 GiB, per node",
                    PublishedRun { policy: "4.13+per-node", processes: 64, ..RANDOM_WRITES },
                ),
            ],
            figures: &[ordered(
                "accesses/s",
                "",
                &[11_885.0, 14_879.0],
                Number(Outcome::accesses_per_second),
            )],
        },
    ],
    differences: "",
};

/// Five cycles over 1000 MB with 900 MB of memory.
const fn mapping(
    device: &'static [SimDevice],
    pattern: AccessPattern,
    memory: MemoryKind,
    (policy, page_cluster): (&'static str, u32),
) -> PublishedRun {
    PublishedRun {
        policy,
        page_cluster,
        memory_mib: 900.0,
        cpus: 1,
        areas: device,
        area_mib: 1024.0,
        process_mib: 1000.0,
        pattern,
        memory,
        passes: 4.0,
        divisor: 64.0,
        ..USEMEM
    }
}

/// The cases of a row: a fixed window, and the detector with three sizes.
macro_rules! windows {
    ($name:literal, $device:ident, $pattern:ident, $memory:ident, $published:expr, $checks:expr) => {
        CaseGroup {
            cases: &[
                windows!(@ $name, " fixed (3)", $device, $pattern, $memory, ("4.13+fixed-readahead", 3)),
                windows!(@ $name, " new (3)", $device, $pattern, $memory, ("4.13", 3)),
                windows!(@ $name, " new (4)", $device, $pattern, $memory, ("4.13", 4)),
                windows!(@ $name, " new (0)", $device, $pattern, $memory, ("4.13", 0)),
            ],
            figures: &[PublishedFigure {
                name: "elapsed time",
                unit: "s",
                published: Numbers($published),
                model: Number(|run| run.busy_s),
                checks: $checks,
            }],
        }
    };
    (@ $name:literal, $window:literal, $device:ident, $pattern:ident, $memory:ident, $policy:expr) => {
        case(
            concat!($name, $window),
            mapping(
                &[SimDevice::$device],
                AccessPattern::$pattern,
                MemoryKind::$memory,
                $policy,
            ),
        )
    };
}

/// Sequential accesses: without readahead they take 1.5 to 2.9 times as long.
const SEQUENTIAL: &[FigureCheck] = &[Order, Ratio { case: 3, to: 1, least: 1.5, most: 2.9 }];

/// Why the cases of the second developer are not simulated.
const UNKNOWN_SETUP: &str = "device, memory and size of the mapping were not published";

const READAHEAD: PublishedTable = PublishedTable {
    letter: 'C',
    title: "Swap readahead and page-cluster",
    source: "Hugh Dickins and Shaohua Li, \"swap: add a simple detector for inappropriate swapin readahead\", commit 579f82901f6f, 6 February 2014",
    setup: "A mapping of 1000 MB in 900 MB of memory with 1 GB of swap, accessed in order, cycling five times, or as often at random; private anonymous or shared anonymous memory; in brackets page-cluster. Simulated with the detector that was merged, which narrows the window more slowly than that of the first eight rows.",
    groups: &[
        windows!(
            "HDD seq anon",
            Rotational,
            Sequential,
            Anonymous,
            &[739.21, 769.04, 781.91, 1215.42],
            SEQUENTIAL
        ),
        windows!(
            "HDD seq shmem",
            Rotational,
            Sequential,
            Shared,
            &[736.01, 729.47, 745.43, 1183.22],
            SEQUENTIAL
        ),
        windows!(
            "HDD rand anon",
            Rotational,
            Random,
            Anonymous,
            &[8953.92, 8451.97, 8464.96, 8416.80],
            &[Order]
        ),
        windows!(
            "HDD rand shmem",
            Rotational,
            Random,
            Shared,
            &[10_583.75, 7649.55, 7643.76, 7564.89],
            &[Order]
        ),
        windows!(
            "SSD seq anon",
            SolidState,
            Sequential,
            Anonymous,
            &[246.34, 251.07, 216.14, 700.18],
            SEQUENTIAL
        ),
        windows!(
            "SSD seq shmem",
            SolidState,
            Sequential,
            Shared,
            &[249.59, 257.03, 220.30, 696.78],
            SEQUENTIAL
        ),
        windows!(
            "SSD rand anon",
            SolidState,
            Random,
            Anonymous,
            &[430.14, 259.89, 269.35, 259.01],
            &[Order]
        ),
        windows!(
            "SSD rand shmem",
            SolidState,
            Random,
            Shared,
            &[453.49, 242.68, 241.38, 243.32],
            &[Order]
        ),
        CaseGroup {
            cases: &[
                not_simulated("2nd seq fixed", UNKNOWN_SETUP),
                not_simulated("2nd seq first version", UNKNOWN_SETUP),
                not_simulated("2nd seq merged", UNKNOWN_SETUP),
            ],
            figures: &[ordered(
                "elapsed time",
                "s",
                &[356.0, 370.0, 360.0],
                Number(|run| run.busy_s),
            )],
        },
        CaseGroup {
            cases: &[
                not_simulated("2nd rand fixed", UNKNOWN_SETUP),
                not_simulated("2nd rand first version", UNKNOWN_SETUP),
                not_simulated("2nd rand merged", UNKNOWN_SETUP),
            ],
            figures: &[ordered(
                "elapsed time",
                "s",
                &[4525.0, 2447.0, 2444.0],
                Number(|run| run.busy_s),
            )],
        },
    ],
    differences: "Times are estimates from counts with the figures of the cost file, which are round figures of no particular disk and were not fitted.",
};

const BUILD: PublishedRun = PublishedRun {
    memory_mib: 2048.0,
    cpus: 2,
    areas: &[SimDevice::Zram],
    area_mib: 10_240.0,
    folio_orders: &[4],
    processes: 96,
    process_mib: 100.0,
    is_build: true,
    swapped_out_mib: 113_168.0,
    divisor: 64.0,
    ..USEMEM
};
/// Kernels before both changes, and with the first one.
const SCAN_ALL: &str = "6.18+scan-all+prefer-free";
const SCAN_ONE: &str = "6.18+prefer-free";

/// The share of folios that were split, in percent, of published counters.
const fn split(out: f64, fallback: f64) -> f64 {
    fallback * 100.0 / (out + fallback)
}

/// A share of split folios, whose order and order of magnitude count.
const fn fallback(
    name: &'static str,
    published: &'static [f64],
    model: ModelFigure,
) -> PublishedFigure {
    let checks = &[Order, Magnitude];
    PublishedFigure { name, unit: "%", published: Numbers(published), model, checks }
}

const SYSTEM: ModelFigure = Number(|run| run.system_s);
const FALLBACK_64K: ModelFigure = Number(|run| run.fallback_percent(4));
/// Looks at clusters, which the first change reduces by more than half.
const SCANNED: PublishedFigure = stated(
    "clusters looked at",
    "not published",
    Number(|run| run.machine.allocation_work().clusters_scanned as f64),
    &[Ratio { case: 1, to: 0, least: 0.0, most: 0.5 }],
);
const FAILED: PublishedFigure = stated(
    "single pages without slot",
    "order-0 allocations never fail",
    Number(|run| run.machine.counters.swap_full as f64),
    &[Zero],
);

const EIGHT: PublishedRun = PublishedRun { area_mib: 8192.0, ..BUILD };
/// A RAM disk whose flag for synchronous reads was removed.
const RAM_DISK: PublishedRun = PublishedRun { areas: &[SimDevice::SolidState], ..BUILD };
const SINGLE: PublishedRun = PublishedRun {
    memory_mib: 768.0,
    folio_orders: &[],
    processes: 48,
    swapped_out_mib: 0.0,
    ..BUILD
};
const ALL_SIZES: PublishedRun = PublishedRun { folio_orders: &[4, 5, 6, 7, 8, 9], ..BUILD };

const FOLIOS: PublishedTable = PublishedTable {
    letter: 'D',
    title: "The cluster allocator and large folios",
    source: "Kairui Song, \"mm, swap: improve cluster scan strategy\", 4 August 2025, linux-mm",
    setup: "A kernel build with make -j96 and folios of 64 KiB in a cgroup of 2 GiB, before and after two changes: (1) one fragmented cluster is scanned instead of all, (2) partly used clusters are preferred to free ones. Simulated at 1/64 of the size, with 96 processes at a time (48 with single pages only) of 50 to 150 MiB instead of a build, until 110 GiB were swapped out, as was published at least. The sizes of the processes were not published: together they nearly fill 8 GiB, and have no large parts.",
    groups: &[
        CaseGroup {
            cases: &[
                case("zram 10G before", PublishedRun { policy: SCAN_ALL, ..BUILD }),
                case("zram 10G (1)", PublishedRun { policy: SCAN_ONE, ..BUILD }),
                case("zram 10G (1)+(2)", BUILD),
            ],
            figures: &[
                ordered("system time", "s", &[10_230.22, 5527.90, 5538.3], SYSTEM),
                fallback(
                    "split folios of 64K",
                    &[
                        split(1_793_044.0, 17_653.0),
                        split(1_789_358.0, 17_813.0),
                        split(1_813_133.0, 0.0),
                    ],
                    FALLBACK_64K,
                ),
                SCANNED,
                FAILED,
            ],
        },
        CaseGroup {
            cases: &[
                case("zram 8G before", PublishedRun { policy: SCAN_ALL, ..EIGHT }),
                case("zram 8G (1)", PublishedRun { policy: SCAN_ONE, ..EIGHT }),
                case("zram 8G (1)+(2)", EIGHT),
            ],
            figures: &[
                ordered("system time", "s", &[21_929.17, 6121.01, 6145.3], SYSTEM),
                fallback(
                    "split folios of 64K",
                    &[
                        split(1_634_681.0, 173_056.0),
                        split(1_638_155.0, 189_562.0),
                        split(1_761_110.0, 66_071.0),
                    ],
                    FALLBACK_64K,
                ),
                SCANNED,
                FAILED,
            ],
        },
        CaseGroup {
            cases: &[
                case("ramdisk 10G before", PublishedRun { policy: SCAN_ALL, ..RAM_DISK }),
                case("ramdisk 10G (1)", PublishedRun { policy: SCAN_ONE, ..RAM_DISK }),
            ],
            figures: &[
                ordered("system time", "s", &[7368.41, 7338.27], SYSTEM),
                fallback("split folios of 64K", &[0.0, 0.0], FALLBACK_64K),
            ],
        },
        CaseGroup {
            cases: &[
                case(
                    "ramdisk 8G before",
                    PublishedRun { policy: SCAN_ALL, area_mib: 8192.0, ..RAM_DISK },
                ),
                case(
                    "ramdisk 8G (1)",
                    PublishedRun { policy: SCAN_ONE, area_mib: 8192.0, ..RAM_DISK },
                ),
            ],
            figures: &[
                ordered("system time", "s", &[28_139.60, 8941.90], SYSTEM),
                fallback(
                    "split folios of 64K",
                    &[split(1_645_421.0, 148_408.0), split(1_592_973.0, 265_010.0)],
                    FALLBACK_64K,
                ),
            ],
        },
        CaseGroup {
            cases: &[
                case("4K only before", PublishedRun { policy: SCAN_ALL, ..SINGLE }),
                case("4K only (1)", PublishedRun { policy: SCAN_ONE, ..SINGLE }),
            ],
            figures: &[ordered("system time", "s", &[4407.28, 4425.22], SYSTEM), FAILED],
        },
        CaseGroup {
            cases: &[
                case("all sizes (1)", PublishedRun { policy: SCAN_ONE, ..ALL_SIZES }),
                case("all sizes (1)+(2)", ALL_SIZES),
            ],
            figures: &[
                fallback(
                    "split folios of 128K",
                    &[split(449_548.0, 55_894.0), split(497_519.0, 3204.0)],
                    Number(|run| run.fallback_percent(5)),
                ),
                fallback(
                    "split folios of 256K",
                    &[split(63_938.0, 2154.0), split(65_698.0, 324.0)],
                    Number(|run| run.fallback_percent(6)),
                ),
                fallback(
                    "split folios of 512K",
                    &[split(11_971.0, 2218.0), split(14_606.0, 4.0)],
                    Number(|run| run.fallback_percent(7)),
                ),
                fallback(
                    "split folios of 2M",
                    &[split(12.0, 1578.0), split(1253.0, 15.0)],
                    Number(|run| run.fallback_percent(9)),
                ),
            ],
        },
    ],
    differences: "System time of the model has no part for the compiler, and few CPUs that want a lock at the same time. The processes of the model use memory more evenly than those of a build, share none of it, and free it at once, so that folios of 64 KiB on zram always find slots; few of them are large enough for folios of 2 MiB.",
};

const ONE_PROCESS: PublishedRun = PublishedRun {
    policy: "7.2",
    memory_mib: 31_582.0,
    area_mib: 40_959.0,
    process_mib: 57_344.0,
    divisor: 2048.0,
    ..USEMEM
};
const VIRTUAL: &str = "7.2+virtual-swap";
const MANY_PROCESSES: PublishedRun =
    PublishedRun { processes: 32, process_mib: 1536.0, ..ONE_PROCESS };
/// A device of 128 GB that becomes full.
const FULL_DEVICE: PublishedRun =
    PublishedRun { memory_mib: 4096.0, area_mib: 122_070.0, process_mib: 126_000.0, ..ONE_PROCESS };
const BEHIND_ZSWAP: PublishedRun = PublishedRun { has_zswap: true, ..ONE_PROCESS };
/// A build without large folios in a virtual machine.
const SMALL_MACHINE: PublishedRun = PublishedRun {
    policy: "7.2",
    memory_mib: 1465.0,
    areas: &[SimDevice::SolidState],
    area_mib: 4095.0,
    folio_orders: &[],
    processes: 12,
    process_mib: 350.0,
    swapped_out_mib: 0.0,
    ..BUILD
};
const BUILD_SERVER: PublishedRun = PublishedRun {
    memory_mib: 3877.0,
    area_mib: 32_767.0,
    processes: 48,
    process_mib: 200.0,
    ..SMALL_MACHINE
};

/// A case without and with virtual swap.
macro_rules! layers {
    ($without:literal, $with:literal, $case:expr) => {
        &[case($without, $case), case($with, PublishedRun { policy: VIRTUAL, ..$case })]
    };
}

const VIRTUAL_SWAP: PublishedTable = PublishedTable {
    letter: 'E',
    title: "A virtual swap layer",
    source: "Kairui Song and Nhat Pham, \"Re: [PATCH v3 00/20] Virtual Swap Space\", 10 February 2026, linux-mm, https://lore.kernel.org/linux-mm/20260208222652.328284-1-nphamcs@gmail.com",
    setup: "usemem with one process of 56 GiB or 32 of 1536 MiB, 31 GiB of memory and 40 GiB of swap; kernel builds in virtual machines; a key-value server. Simulated with the swap table of 7.2, as virtual swap was proposed and not merged, with one process for each CPU; processes of random sizes stand for the builds.",
    groups: &[
        CaseGroup {
            cases: layers!("128 GB swap table", "128 GB virtual swap", FULL_DEVICE),
            figures: &[PublishedFigure {
                name: "metadata",
                unit: "MiB",
                published: Numbers(&[288.0, 1024.0]),
                model: Number(|run| run.metadata_mib),
                checks: &[Order, Ratio { case: 1, to: 0, least: 3.0, most: 4.0 }],
            }],
        },
        CaseGroup {
            cases: layers!("1 x 56 GiB", "1 x 56 GiB virtual", ONE_PROCESS),
            figures: &[
                ordered(
                    "throughput",
                    "MB/s",
                    &[618.49, 598.67],
                    Number(Outcome::megabytes_per_second),
                ),
                ordered("free latency", "s", &[5.7548, 13.9872], Number(|run| run.free_s)),
                stated(
                    "look-ups to free",
                    "not published",
                    Number(|run| run.free_lookups as f64),
                    &[Ratio { case: 1, to: 0, least: 1.01, most: 3.0 }],
                ),
                stated(
                    "entries seen by swapoff",
                    "virtual swap needs no walk of page tables",
                    Number(|run| run.entries_visited as f64),
                    &[Ratio { case: 1, to: 0, least: 0.0, most: 0.0 }],
                ),
            ],
        },
        CaseGroup {
            cases: layers!("32 x 1536 MiB", "32 x 1536 MiB virtual", MANY_PROCESSES),
            figures: &[ordered(
                "free latency",
                "s",
                &[2.153_736, 2.583_222],
                Number(|run| run.free_s),
            )],
        },
        CaseGroup {
            cases: layers!("behind zswap", "behind zswap virtual", BEHIND_ZSWAP),
            figures: &[stated(
                "slots taken",
                "pages in zswap need no slot with virtual swap",
                Number(|run| f64::from(run.slots)),
                &[Ratio { case: 1, to: 0, least: 0.0, most: 0.9 }],
            )],
        },
        CaseGroup {
            cases: layers!("build, 2 GiB", "build, 2 GiB virtual", SMALL_MACHINE),
            figures: &[ordered("system time", "s", &[109.6, 118.7], SYSTEM)],
        },
        CaseGroup {
            cases: layers!("build server", "build server virtual", BUILD_SERVER),
            figures: &[ordered("system time", "s", &[435.601, 455.652], SYSTEM)],
        },
        CaseGroup {
            cases: &[
                not_simulated("build, cgroup", "machine, limit and jobs were not published"),
                not_simulated(
                    "build, cgroup virtual",
                    "machine, limit and jobs were not published",
                ),
            ],
            figures: &[
                ordered("elapsed time", "s", &[200.3, 201.47], Number(|run| run.busy_s)),
                ordered("system time", "s", &[489.88, 487.36], SYSTEM),
            ],
        },
        CaseGroup {
            cases: &[
                not_simulated("key-value server", "the model has no requests of a server"),
                not_simulated("key-value server virtual", "the model has no requests of a server"),
            ],
            figures: &[ordered(
                "requests/s",
                "",
                &[405_827.81, 327_515.0],
                Number(Outcome::accesses_per_second),
            )],
        },
    ],
    differences: "",
};

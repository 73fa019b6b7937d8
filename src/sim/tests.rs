//! The published experiments on the simulated machine, at a scale of a few MiB.
//!
//! Each test names the published figures. Orders of rows are asserted where the model gives them; no figure
//! of a cost file was fitted to a table.

use super::areas::{AreaSetup, SwapSpace};
use super::cost::{CostModel, DEFAULT_COSTS, SimDevice};
use super::layer::ZswapSetup;
use super::machine::{Machine, MachineSetup};
use super::testing::{group, load, machine};
use crate::model::load::{
    AccessPattern, FolioAdvice, MemoryKind, PageContents, WorkerGroup, Workload,
};

fn area(device: SimDevice, number: u32, slots: u32, node: Option<u32>) -> AreaSetup {
    AreaSetup {
        path: format!("/dev/swap{number}"),
        device,
        slots,
        priority: None,
        node,
        discards: false,
    }
}

fn started(setup: MachineSetup, load: &Workload) -> Machine {
    let mut machine = Machine::new(setup);
    machine.start(load).unwrap();
    machine
}

fn costs() -> CostModel {
    CostModel::read("costs.toml", DEFAULT_COSTS).unwrap()
}

/// Table A: 31 processes of 2 GiB in 4 GiB with four zram devices of 16 GiB, divided by `scale`. Devices are
/// on four of eight nodes, which the published shares of the kernel with nodes suggest.
fn table_a(policy: &str, scale: u32) -> Machine {
    let areas = (0..4).map(|number| area(SimDevice::Zram, number, (4 << 20) / scale, Some(number)));
    let setup = machine(policy, (1 << 20) / scale, areas.collect());
    let setup = MachineSetup { cpus: 32, nodes: 8, ..setup };
    started(setup, &load(vec![group(31, (1 << 19) / scale)]))
}

/// Shares of each area in percent when this many percent of all slots are used.
fn shares_at(machine: &mut Machine, percent: f64) -> Vec<f64> {
    let until = f64::from(machine.swap.total()) * percent / 100.0;
    assert!(!machine.run(|machine| f64::from(machine.swap.used()) >= until));
    let total = f64::from(machine.swap.used());
    machine.swap.areas().entries().map(|area| f64::from(area.used()) * 100.0 / total).collect()
}

fn check_table_a(scale: u32) {
    // Used space as published in GiB; the sums say at which time swapon was run.
    let published = [
        ("6.18+one-by-one", [16.0, 0.966, 0.0, 0.0]),
        ("6.18", [15.7, 3.4, 3.4, 2.6]),
        ("6.18+round-robin", [6.6, 6.6, 6.6, 6.6]),
    ];
    let mut waits = Vec::new();
    for (policy, used) in published {
        let mut machine = table_a(policy, scale);
        let sum: f64 = used.iter().sum();
        let shares = shares_at(&mut machine, sum / 64.0 * 100.0);
        for (share, used) in shares.iter().zip(used) {
            let off = (share - used / sum * 100.0).abs();
            assert!(off < 3.0, "{policy}: {shares:.1?}");
        }
        assert!(machine.run(|_| false));
        waits.push(machine.allocation_work().lock_waits);
    }
    // System time as published: 1087, 638 and 527 s. Contention falls in that order.
    assert!(waits[0] > waits[1] && waits[1] > waits[2], "{waits:?}");
}

#[test]
fn default_priorities_share_out_as_published() {
    check_table_a(256);
}

/// Table B: random writes on two nodes with a solid state disk each. Published gain: 14 to 25 %.
#[test]
fn areas_bound_to_nodes_are_faster_than_one_list() {
    let writes_per_second = |policy: &str| {
        let areas = (0..2).map(|node| area(SimDevice::SolidState, node, 1 << 15, Some(node)));
        let setup = MachineSetup { cpus: 8, nodes: 2, ..machine(policy, 8192, areas.collect()) };
        let work = WorkerGroup { order: AccessPattern::Random, prefault: true, ..group(8, 2048) };
        let mut machine = started(setup, &load(vec![work]));
        assert!(machine.run(|_| false));
        machine.work.touches as f64 / machine.elapsed_ns(&costs())
    };
    let (bound, one_list) = (writes_per_second("6.12"), writes_per_second("6.12+one-by-one"));
    assert!(bound > one_list * 1.14, "{bound} {one_list}");
}

/// Table C: a mapping of 1000 MB in 900 MB of memory, divided by 128. Returns the estimated time.
fn table_c(
    device: SimDevice,
    pattern: AccessPattern,
    memory: MemoryKind,
    window: (&str, u32),
) -> f64 {
    let setup = machine(window.0, 1800, vec![area(device, 0, 2048, None)]);
    let setup = MachineSetup { page_cluster: window.1, ..setup };
    let work =
        WorkerGroup { order: pattern, memory, prefault: true, passes: Some(3.0), ..group(1, 2000) };
    let mut machine = started(setup, &load(vec![work]));
    assert!(machine.run(|_| false));
    machine.elapsed_ns(&costs())
}

/// The order of the published matrix: page-cluster 0 is the slowest for sequential accesses, and a fixed
/// window the slowest for random ones on solid state.
#[test]
fn readahead_helps_sequential_accesses_and_not_random_ones() {
    for memory in [MemoryKind::Anonymous, MemoryKind::Shared] {
        for device in [SimDevice::Rotational, SimDevice::SolidState] {
            let time = |pattern, window| table_c(device, pattern, memory, window);
            let rows = [AccessPattern::Sequential, AccessPattern::Random].map(|pattern| {
                [("4.13+fixed-readahead", 3), ("4.13", 3), ("4.13", 4), ("4.13", 0)]
                    .map(|window| time(pattern, window) / 1e9)
            });
            let [[seq_fixed, seq_new, seq_wide, seq_none], [rand_fixed, rand_new, _, rand_none]] =
                rows;
            let text = format!("{device:?} {memory:?}: {rows:.3?}");
            assert!(seq_none > seq_fixed && seq_none > seq_new && seq_none > seq_wide, "{text}");
            assert!(rand_fixed > rand_new, "{text}");
            assert!((rand_new / rand_none - 1.0).abs() < 0.1, "{text}");
            // Published: 1.6 times on a rotational disk and 2.8 times on solid state. With the figures of
            // the cost file it is 1.3 and 3.1 times; they were not fitted.
            assert!(seq_none / seq_new > 1.2, "{text}");
        }
    }
}

/// Jobs of a build: how many use large folios, how many do not, and their pages.
type Jobs = (u32, u32, u32);

/// Table D: a build in 2 GiB with zram of 10 or 8 GiB, divided by 64.
fn table_d(
    policy: &str,
    zram_mib: u32,
    orders: &[u8],
    (large, small, pages): Jobs,
    rounds: u32,
) -> Machine {
    let areas = vec![area(SimDevice::Zram, 0, zram_mib * 256, None)];
    let setup = machine(policy, 32 * 256, areas);
    let setup = MachineSetup { cpus: 2, folio_orders: orders.to_vec(), ..setup };
    let job = WorkerGroup {
        rounds,
        vary: 0.5,
        order: AccessPattern::Zipf { skew: 0.6 },
        writes: 0.6,
        passes: Some(2.0),
        ..group(large, pages)
    };
    let singles = WorkerGroup { advice: FolioAdvice::Small, processes: small, ..job.clone() };
    let works = if small > 0 { vec![job, singles] } else { vec![job] };
    let build = Workload { start_together: false, free_together: false, ..load(works) };
    let mut machine = started(setup, &build);
    assert!(machine.run(|_| false));
    machine
}

/// Share of large folios that were split, in percent.
fn fallback_rate(machine: &Machine, order: usize) -> f64 {
    let (out, split) = (machine.counters.swpout[order], machine.counters.swpout_fallback[order]);
    split as f64 * 100.0 / (out + split).max(1) as f64
}

/// With all sizes enabled, as published for 10 GiB: fewer fallbacks of every size with the second change.
#[test]
fn preferring_partly_used_clusters_mends_fallbacks() {
    let orders = [4, 5, 6, 7, 9];
    let rates = ["6.18+scan-all+prefer-free", "6.18+prefer-free", "6.18"].map(|policy| {
        let machine = table_d(policy, 128, &orders, (12, 0, 3300), 3);
        orders.map(|order| fallback_rate(&machine, usize::from(order)))
    });
    for (before, both) in rates[0].iter().zip(rates[2]) {
        assert!(both < *before, "{rates:.2?}");
    }
}

/// Table E: what a virtual layer takes and spares.
#[test]
fn virtual_swap_costs_metadata_and_look_ups_and_spares_swapoff_and_slots() {
    let run = |policy: &str, zswap| {
        let areas = vec![area(SimDevice::SolidState, 0, 1 << 14, None)];
        let mut setup = machine(policy, 4096, areas);
        setup.zswap = zswap;
        let work = WorkerGroup { contents: PageContents::Ratio(3.0), ..group(1, 12_000) };
        let mut machine = started(setup, &load(vec![work]));
        machine.run(|machine| machine.work.touches == 12_000);
        machine
    };
    let (plain, layer) = (run("7.2", None), run("7.2+virtual-swap", None));
    // Published: 256 to 320 MiB against about 1 GiB for 128 GB, which is 3 to 4 times.
    let ratio = layer.metadata_bytes() as f64 / plain.metadata_bytes() as f64;
    assert!((3.0..=4.0).contains(&ratio), "{ratio}");
    let freed = |mut machine: Machine| {
        let before = machine.work.free_lookups;
        machine.run(|_| false);
        machine.work.free_lookups - before
    };
    let emptied = |machine: &Machine| {
        let mut machine = machine.clone();
        machine.setup.memory_pages = 16_000;
        assert_eq!(machine.swapoff(0), 0);
        machine.work.entries_visited
    };
    assert!(emptied(&plain) >= 12_000);
    assert_eq!(emptied(&layer), 0);
    assert_eq!(freed(layer), 2 * freed(plain));
    let zswap = Some(ZswapSetup { max_pool: 0.3, accept: 0.9 });
    let slots =
        |policy| run(policy, zswap).swap.areas().entries().map(SwapSpace::used).sum::<u32>();
    let (plain, spared) = (slots("7.2"), slots("7.2+virtual-swap"));
    assert!(spared + 3000 < plain, "{spared} of {plain}");
}

fn print_table_d(machine: &Machine, orders: &[u8], jobs: Jobs) {
    let rates: Vec<f64> =
        orders.iter().map(|order| fallback_rate(machine, usize::from(*order))).collect();
    let (work, counts) = (machine.allocation_work(), &machine.counters);
    let (area, policy) = (machine.swap.total() / 256, &machine.setup.policy.name);
    println!("{area}M {policy} {jobs:?} {orders:?}: {rates:.2?} %");
    println!(
        "    clusters {} slots {} waits {}",
        work.clusters_scanned, work.slots_scanned, work.lock_waits
    );
    println!(
        "    stolen {} full {} killed {}",
        work.slots_stolen, counts.swap_full, counts.oom_kill
    );
}

/// The experiments at a larger scale, with their figures: run it in a release build with `--nocapture`.
#[test]
#[ignore = "takes a minute: run it in a release build"]
fn published_experiments_in_full() {
    check_table_a(8);
    let mixes: [(&[u8], Jobs); 3] =
        [(&[4, 5, 6, 7, 9], (12, 0, 3300)), (&[4], (12, 0, 3200)), (&[4], (6, 6, 3450))];
    for (zram, reads) in [(160, ""), (128, ""), (160, "+single-reads"), (128, "+single-reads")] {
        for (orders, jobs) in mixes {
            let work = ["+scan-all+prefer-free", "+prefer-free", ""].map(|change| {
                let machine = table_d(&format!("6.18{change}{reads}"), zram, orders, jobs, 20);
                print_table_d(&machine, orders, jobs);
                machine.allocation_work()
            });
            if (jobs, reads) == ((12, 0, 3200), "+single-reads") {
                // Published: system time falls to a half and to less than a third with the first change.
                assert!(work[1].slots_scanned * 2 < work[0].slots_scanned);
                assert!(work[1].lock_waits * 5 < work[0].lock_waits);
            }
        }
    }
    for device in [SimDevice::Rotational, SimDevice::SolidState] {
        for memory in [MemoryKind::Anonymous, MemoryKind::Shared] {
            for pattern in [AccessPattern::Sequential, AccessPattern::Random] {
                let row = [("4.13+fixed-readahead", 3), ("4.13", 3), ("4.13", 4), ("4.13", 0)]
                    .map(|window| table_c(device, pattern, memory, window) / 1e9);
                println!("{device:?} {memory:?} {pattern:?}: {row:.2?} s");
            }
        }
    }
}

use super::*;
use crate::actions::check::CheckVerdict;
use crate::lab::guard::GuardLimits;
use crate::lab::load::file;
use crate::lab::run_spec::{TemporaryArea, TemporaryAreaKind};
use crate::model::activation::{Discard, Priority};
use crate::model::kernel::NumaNode;
use crate::model::paging::{BracketedChoice, Counters};
use crate::model::swaparea::testing::area;
use crate::model::zram::{ZramDevice, testing};
use crate::model::{Reading, Sampled, Stamp};

const MIB: u64 = 1 << 20;

/// A machine with this much memory available in MiB, and areas with this much free, each by its
/// path.
fn machine(available: u64, areas: &[(&str, u64)]) -> Snapshot {
    let now = Stamp { boot_ns: 0, wall_ms: 0 };
    let values = vec![("MemAvailable".into(), available * 1024)];
    let areas = areas.iter().map(|(path, free)| area(path, 1, free * MIB, 0)).collect();
    Snapshot {
        meminfo: Sampled::new(Some(now), Reading::Known(Counters::new("meminfo", values))),
        swaps: Sampled::new(Some(now), Reading::Known(areas)),
        psi: Sampled::new(Some(now), Reading::Known([].into())),
        ..Snapshot::empty(now)
    }
}

/// Two processes of `each` MiB in a cgroup of `limit` MiB; the machine keeps 100 MiB.
fn spec(each: u64, limit: Option<u64>, more: &str) -> RunSpec {
    let text =
        format!("{more}\n[[work]]\nprocesses = 2\nsize = \"{each}M\"\ncontents = \"random\"\n");
    let limit = limit.map(|limit| Bytes(limit * MIB));
    RunSpec {
        policy: None,
        title: "x".to_owned(),
        workload: file::read("x", &text).unwrap(),
        locations: file::KeyLocations::default(),
        limit,
        lowered_from: None,
        whole: limit.unwrap_or(Bytes(1000 * MIB)),
        devices: Vec::new(),
        folder: "/var/tmp".into(),
        settings: Vec::new(),
        seed: 1,
        repetitions: 1,
        guard: GuardLimits {
            max_psi: 20.0,
            min_available: Bytes(100 * MIB),
            min_swap: Bytes(0),
            at_most: 60.0,
        },
    }
}

fn device(size: u64) -> TemporaryArea {
    let (algorithm, discard) = (None, Discard::None);
    TemporaryArea {
        kind: TemporaryAreaKind::Zram,
        size: Bytes(size * MIB),
        algorithm,
        priority: Priority::Default,
        discard,
    }
}

/// The ids of the checks that refuse a spec.
fn refused_ids(spec: &RunSpec, machine: &Snapshot) -> Vec<&'static str> {
    let checks = checks(spec, machine);
    checks.iter().filter(|it| it.verdict == CheckVerdict::Refuse).map(|it| it.id).collect()
}

#[test]
fn a_run_without_any_swap_is_refused() {
    assert_eq!(refused_ids(&spec(20, Some(30), ""), &machine(1000, &[])), ["areas"]);
    let temporary = RunSpec { devices: vec![device(40)], ..spec(20, Some(30), "") };
    assert_eq!(refused_ids(&temporary, &machine(1000, &[])), [""; 0]);
}

#[test]
fn folio_sizes_are_sorted_by_size() {
    let mthp = "mthp = { 1024K = 'never', others = 'never', 128K = 'always', 64K = 'never', 2M = 'madvise' }";
    let spec = spec(20, Some(30), mthp);
    assert_eq!(
        spec.folios().iter().map(|it| it.0).collect::<Vec<_>>(),
        ["64K", "128K", "1M", "2M", "others"]
    );
}

#[test]
fn missing_psi_is_reported() {
    let seen = machine(1000, &[("/dev/sda2", 90)]);
    let psi = Sampled::new(None, Reading::absent("no PSI"));
    let checks = checks(&spec(20, Some(30), ""), &Snapshot { psi, ..seen });
    let [told] = &checks[..] else { panic!("{checks:?}") };
    assert_eq!((told.id, told.verdict), ("pressure", CheckVerdict::Warn));
    assert!(told.text.contains("no PSI"), "{}", told.text);
}

#[test]
fn a_load_with_swapoff_runs_once() {
    let off = RunSpec { devices: vec![device(40)], ..spec(20, Some(30), "after = \"swapoff\"") };
    assert_eq!(refused_ids(&RunSpec { repetitions: 2, ..off }, &machine(1000, &[])), ["repeat"]);
}

#[test]
fn zram_memory_is_subtracted_for_the_whole_machine() {
    // Incompressible pages take as much memory in zram as before.
    let zram = machine(500, &[("/dev/zram0", 800)]);
    assert_eq!(refused_ids(&spec(200, None, ""), &zram), [""; 0], "400 MiB fit into 400 MiB");
    assert_eq!(refused_ids(&spec(201, None, ""), &zram), ["memory"]);
}

#[test]
fn only_temporary_areas_are_disabled() {
    let off = spec(20, Some(30), "after = \"swapoff\"");
    assert_eq!(refused_ids(&off, &machine(1000, &[("/dev/sda2", 90)])), ["areas"]);
    let temporary = RunSpec { devices: vec![device(40)], ..off };
    assert_eq!(refused_ids(&temporary, &machine(1000, &[])), [""; 0]);
}

#[test]
fn zram_memory_counts_in_addition_to_the_cgroup() {
    let disk = machine(400, &[("/dev/sda2", 900)]);
    assert_eq!(
        refused_ids(&spec(400, Some(300), ""), &disk),
        [""; 0],
        "300 of 400 MiB; 100 MiB stay available"
    );
    assert_eq!(refused_ids(&spec(400, Some(301), ""), &disk), ["memory"]);
    // On zram, 500 MiB of incompressible pages occupy memory.
    assert_eq!(
        refused_ids(&spec(400, Some(300), ""), &machine(400, &[("/dev/zram0", 900)])),
        ["memory"]
    );
    assert_eq!(
        refused_ids(&spec(400, Some(300), ""), &machine(900, &[("/dev/zram0", 900)])),
        [""; 0]
    );
}

#[test]
fn swapoff_needs_memory_for_everything_swapped() {
    let off = |available| {
        let off =
            RunSpec { devices: vec![device(600)], ..spec(400, Some(300), "after = \"swapoff\"") };
        refused_ids(&off, &machine(available, &[]))
    };
    assert_eq!(off(1000), ["memory"], "800 MiB of processes and 500 MiB on zram");
    assert_eq!(off(1400), [""; 0]);
}

#[test]
fn a_load_larger_than_memory_and_swap_is_refused() {
    let disk = machine(500, &[("/dev/sda2", 300)]);
    let checks = |each| checks(&spec(each, None, ""), &disk);
    let [warned] = &checks(350)[..] else { panic!("700 MiB fit into 400 and 300 MiB") };
    assert_eq!((warned.id, warned.verdict), ("whole", CheckVerdict::Warn));
    assert_eq!(refused_ids(&spec(351, None, ""), &disk), ["memory"]);
    assert_eq!(refused_ids(&spec(10_000, None, ""), &disk), ["memory"]);
}

#[test]
fn a_load_larger_than_swap_warns_and_stays_in_its_cgroup() {
    let checks = checks(&spec(5000, Some(200), ""), &machine(1000, &[("/dev/sda2", 300)]));
    let [told] = &checks[..] else { panic!("{checks:?}") };
    assert_eq!((told.id, told.verdict), ("room", CheckVerdict::Warn));
    assert!(told.text.contains("9.8G") && told.text.contains("300M"), "{}", told.text);
}

#[test]
fn a_guard_that_would_stop_at_once_is_refused() {
    let temporary = RunSpec { devices: vec![device(64), device(64)], ..spec(20, Some(30), "") };
    let of = |available, swap, available_now, areas: &[(&str, u64)]| {
        let guard = GuardLimits {
            min_available: Bytes(available * MIB),
            min_swap: Bytes(swap * MIB),
            ..temporary.guard
        };
        let checks =
            checks(&RunSpec { guard, ..temporary.clone() }, &machine(available_now, areas));
        let refused = checks.into_iter().filter(|it| it.verdict == CheckVerdict::Refuse);
        refused.map(|it| it.text).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(of(100, 127, 1000, &[]), "", "temporary areas count");
    assert_eq!(of(100, 137, 1000, &[("/dev/sda2", 10)]), "", "active areas count too");
    let told = of(100, 2048, 1000, &[]);
    assert!(
        told.contains("--min-swap 2G: only 128M of swap is free, including the temporary areas"),
        "{told}"
    );
    assert!(told.contains("use less than 128M"), "{told}");
    let told = of(1001, 0, 1000, &[]);
    assert!(told.contains("--min-available 1001M: only 1000M of memory is available"), "{told}");
    assert!(!told.contains('\n'), "only one check reports it: {told}");
}

#[test]
fn the_swap_reserve_is_named_with_all_swap() {
    let temporary = RunSpec { devices: vec![device(300)], ..spec(5000, Some(200), "") };
    let guard = GuardLimits { min_swap: Bytes(250 * MIB), ..temporary.guard };
    let checks = checks(&RunSpec { guard, ..temporary }, &machine(1000, &[]));
    let told = checks.iter().find(|it| it.id == "room").unwrap();
    assert!(
        told.text.contains("300M of swap is free, 250M of which must stay free"),
        "{}",
        told.text
    );
}

#[test]
fn the_limit_has_room_for_the_processes_themselves() {
    let disk = machine(1000, &[("/dev/sda2", 300)]);
    assert_eq!(refused_ids(&spec(9, Some(8), ""), &disk), ["limit"]);
    assert_eq!(refused_ids(&spec(9, Some(9), ""), &disk), [""; 0]);
}

#[test]
fn other_active_areas_are_named() {
    let temporary = RunSpec { devices: vec![device(400)], ..spec(20, Some(30), "") };
    let checks = checks(&temporary, &machine(1000, &[("/dev/sda2", 90)]));
    assert!(checks.iter().any(|it| it.id == "others" && it.text.contains("/dev/sda2")));
}

#[test]
fn an_unknown_algorithm_is_refused_before_setup() {
    let choice = BracketedChoice {
        current: "lzo-rle".into(),
        offered: vec!["lzo-rle".into(), "lz4".into()].into(),
    };
    let there = ZramDevice { algorithm: Reading::Known(choice), ..testing::unknown("zram0") };
    let zram = Sampled::new(None, Reading::Known(vec![there]));
    let with = Snapshot { zram, ..machine(1000, &[]) };
    let temporary = |name: &str| RunSpec {
        devices: vec![TemporaryArea { algorithm: Some(name.to_owned()), ..device(40) }],
        ..spec(20, Some(30), "")
    };
    assert_eq!(refused_ids(&temporary("lz4"), &with), [""; 0]);
    assert_eq!(refused_ids(&temporary("lz5"), &with), ["algorithm"]);
    let checks = checks(&temporary("lz5"), &with);
    assert!(
        checks.iter().any(|it| it.text.contains("\"lz5\"") && it.text.contains("lzo-rle, lz4"))
    );
    assert_eq!(
        refused_ids(&temporary("lz5"), &machine(1000, &[])),
        [""; 0],
        "the offer is unknown"
    );
}

/// A machine with NUMA nodes that have these CPUs.
fn nodes(cpus: &[Reading<String>]) -> Snapshot {
    let node = |(id, cpus): (u32, &Reading<String>)| NumaNode {
        id,
        cpus: cpus.clone(),
        distance: Reading::absent("x"),
        meminfo: Reading::absent("x"),
        vmstat: Reading::absent("x"),
        watermarks: Reading::absent("x"),
    };
    let nodes = (0..).zip(cpus).map(node).collect();
    let numa = Sampled::new(None, Reading::Known(nodes));
    Snapshot { numa, ..machine(1000, &[("/dev/sda2", 90)]) }
}

#[test]
fn missing_cpus_and_nodes_are_refused_before_setup() {
    let list = |text: &str| Reading::Known(text.to_owned());
    let bound = |with: &str| {
        let text = format!("[[work]]\nsize = \"20M\"\n[[work]]\nsize = \"20M\"\n{with}\n");
        RunSpec { workload: file::read("x", &text).unwrap(), ..spec(20, Some(30), "") }
    };
    let told = |with: &str, machine: &Snapshot| {
        let checks = checks(&bound(with), machine);
        let refused = checks.into_iter().filter(|it| it.verdict == CheckVerdict::Refuse);
        refused.map(|it| it.text).collect::<Vec<_>>()
    };
    let one = nodes(&[list("0-1")]);
    assert_eq!(told("cpus = \"0-1\"\nnode = 0", &one), [""; 0]);
    assert_eq!(
        told("cpus = \"1,999\"\nnode = 5", &one),
        [
            "work 2: cpus: CPU 999 does not exist: this machine has CPUs 0-1",
            "work 2: node: node 5 does not exist: this machine has node 0"
        ]
    );
    // The last node has only memory.
    let three = nodes(&[list("0-1,8"), list("2"), list("")]);
    assert_eq!(told("cpus = \"0,2,8\"\nnode = 2", &three), [""; 0]);
    assert_eq!(
        told("cpus = \"3\"", &three),
        ["work 2: cpus: CPU 3 does not exist: this machine has CPUs 0-1,8,2"]
    );
    // Unreadable lists refuse nothing.
    assert_eq!(told("cpus = \"999\"\nnode = 5", &machine(1000, &[("/dev/sda2", 90)])), [""; 0]);
    assert_eq!(told("cpus = \"999\"", &nodes(&[list("0-1"), Reading::absent("x")])), [""; 0]);
}

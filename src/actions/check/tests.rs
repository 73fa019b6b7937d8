use super::*;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::format::{Format, SwapFileSpec, Uuid};
use crate::model::kernel::Access;
use crate::model::knob::KnobReading;
use crate::model::paging::{Pressure, Stall};
use crate::model::snapshot::testing::with_memory;
use crate::model::swaparea::{SwapArea, testing};
use crate::model::users::CgroupTree;
use crate::model::{Bytes, Sampled};
use crate::probes::cgroup;
use crate::root::testing::TestTree;
use CheckVerdict::{Note, Ok, Refuse, Warn};

/// The page size. All sizes here are in pages.
const PAGE: u64 = 4096;

fn area(path: &str, priority: i32, size: u64, used: u64) -> SwapArea {
    testing::area(path, priority, size * PAGE, used * PAGE)
}

/// A machine with these areas, these fields of `/proc/meminfo`, and a version 2 cgroup with these
/// files.
fn machine(areas: Vec<SwapArea>, memory: &[(&str, u64)], group: &[(&str, &str)]) -> Snapshot {
    let kib: Vec<(&str, u64)> = memory.iter().map(|(name, pages)| (*name, pages * 4)).collect();
    let mut snapshot = with_memory(&kib);
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    let mounts = ("proc/mounts", "c /cg cgroup2 rw 0 0\n");
    let tree = TestTree::with(&[mounts, ("cg/cgroup.controllers", "memory\n")]);
    for (file, text) in group {
        tree.write(&format!("cg/a/{file}"), text);
    }
    snapshot.cgroups = Sampled::new(None, cgroup::read(&tree.root()));
    snapshot
}

fn shown(path: &str, priority: Priority) -> Activation {
    Activation { path: path.into(), priority, discard: Discard::None }
}

fn off(path: &str) -> Step {
    Step::Off { area: shown(path, Priority::Default) }
}

fn renew(path: &str) -> Step {
    Step::Renew { from: shown(path, Priority::Default), to: shown(path, Priority::Set(7)) }
}

fn plan(steps: &[Step]) -> Plan {
    Plan { steps: steps.to_vec(), ..Plan::without_steps(String::new()) }
}

/// The verdicts of the checks with this name.
fn verdicts(
    id: &str,
    steps: &[Step],
    snapshot: &Snapshot,
    beside: CheckInputs<'_>,
) -> Vec<CheckVerdict> {
    let all = checks(&plan(steps), snapshot, beside);
    all.into_iter().filter(|check| check.id == id).map(|check| check.verdict).collect()
}

fn verdicts_plain(id: &str, steps: &[Step], snapshot: &Snapshot) -> Vec<CheckVerdict> {
    verdicts(id, steps, snapshot, CheckInputs::default())
}

fn with_rights(mut snapshot: Snapshot, mask: Reading<u64>) -> Snapshot {
    let access = Access::with_rights_only(Reading::Known(0), mask);
    snapshot.access = Sampled::new(None, Reading::Known(access));
    snapshot
}

#[test]
fn only_cap_sys_admin_is_sufficient() {
    let of = |mask| with_rights(machine(Vec::new(), &[], &[]), mask);
    let cases = [
        (Reading::Known(CAP_SYS_ADMIN), Ok),
        (Reading::Known(u64::MAX), Ok),
        (Reading::Known(!CAP_SYS_ADMIN), Refuse),
        (Reading::absent("no such line"), Warn),
    ];
    for (mask, verdict) in cases {
        assert_eq!(verdicts_plain("rights", &[], &of(mask.clone())), [verdict], "{mask:?}");
    }
    let nested = CheckInputs { nested: true, ..CheckInputs::default() };
    assert_eq!(verdicts("rights", &[], &of(Reading::Known(u64::MAX)), nested), [Refuse]);
}

/// Whoever reads a capture may have other rights than on the machine itself.
#[test]
fn rights_of_a_capture_are_not_checked() {
    let captured = CheckInputs { captured: true, ..CheckInputs::default() };
    let of = |mask| with_rights(machine(Vec::new(), &[], &[]), Reading::Known(mask));
    assert_eq!(verdicts("rights", &[], &of(CAP_SYS_ADMIN), captured), [Note]);
    assert_eq!(verdicts("rights", &[], &of(0), captured), [Refuse]);
}

#[test]
fn room_is_shown_with_its_parts() {
    let area = |name: &str, used| area(name, 1, 1000, used);
    let text = |swaps| {
        let snapshot = machine(swaps, &[("MemAvailable", 2000)], &[]);
        checks(&plan(&[off("/a")]), &snapshot, CheckInputs::default())
            .into_iter()
            .find(|check| check.id == "memory")
            .unwrap()
            .text
    };
    let plain = text(vec![area("/a", 500), area("/b", 500)]);
    assert_eq!(plain, "/a: 2M to move, fits into 7.8M of available memory + 2M on other areas");
}

/// One check names all cgroups, and how much can return to all of them.
#[test]
fn several_cgroups_at_their_limits_are_one_note() {
    let (max, swap) = (pages(100), pages(100));
    let files = [
        ("memory.max", max.as_str()),
        ("memory.current", max.as_str()),
        ("memory.swap.current", swap.as_str()),
        ("memory.stat", "inactive_file 0\n"),
    ];
    let mounts = ("proc/mounts", "c /cg cgroup2 rw 0 0\n");
    let tree = TestTree::with(&[mounts, ("cg/cgroup.controllers", "memory\n")]);
    for group in ["a", "b"] {
        for (file, text) in files {
            tree.write(&format!("cg/{group}/{file}"), text);
        }
    }
    let areas = vec![area("/x", 1, 1000, 100), area("/y", 1, 1000, 0)];
    let mut snapshot = machine(areas, &[("MemAvailable", 9999)], &[]);
    snapshot.cgroups = Sampled::new(None, cgroup::read(&tree.root()));
    let all = checks(&plan(&[off("/x")]), &snapshot, CheckInputs::default());
    let own: Vec<&str> =
        all.iter().filter(|check| check.id == "cgroup").map(|check| check.text.as_str()).collect();
    let [text] = own.as_slice() else { panic!("{all:?}") };
    let start = "400K would return to 2 cgroups, whose limits have no room (/a, /b): ";
    assert!(text.starts_with(start), "{text}");
}

/// Creates a file of 500 pages.
fn make_file(path: &str) -> Step {
    let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
    let size = Bytes(500 * PAGE);
    let format = Format::new(size, PAGE, uuid, None).unwrap();
    let form = SwapFileSpec { size, format, nocow: false };
    Step::File { path: path.into(), from: None, to: Some(form) }
}

#[test]
fn areas_that_the_plan_enables_first_are_room() {
    let snapshot = machine(vec![area("/a", 1, 1000, 100)], &[("MemAvailable", 10)], &[]);
    let make = make_file("/new");
    let [on, off] = [Step::On { area: shown("/new", Priority::Default) }, off("/a")];
    let of = |steps: &[Step]| verdicts_plain("memory", steps, &snapshot);
    assert_eq!(of(std::slice::from_ref(&off)), [Refuse]);
    assert_eq!(of(&[make.clone(), on.clone(), off.clone()]), [Ok]);
    assert_eq!(of(&[make.clone(), off.clone(), on.clone()]), [Refuse]);
    // Memory of zram may be all that it gives.
    let zram = Step::On { area: shown("/dev/zram0", Priority::Default) };
    assert_eq!(of(&[zram, off]), [Refuse]);
}

/// The kernel swaps nothing out while the area holds more than is free on the others: that much
/// must fit into memory.
#[test]
fn area_contents_must_fit_into_memory_and_other_areas() {
    // Pages on the area, free on the other one, and available.
    let cases = [
        (0, 0, 0, Ok),
        (80, 40, 60, Ok),
        (81, 40, 60, Warn),
        (100, 40, 60, Warn),
        (101, 40, 60, Refuse),
        (100, 40, 59, Refuse),
        (100, 39, 60, Refuse),
        (100, 0, 100, Warn),
        (101, 0, 100, Refuse),
        (100, 100, 0, Warn),
        (1, 0, 0, Refuse),
    ];
    for (used, free, available, verdict) in cases {
        let areas = vec![area("/a", 1, 1000, used), area("/b", 1, 1000, 1000 - free)];
        let snapshot = machine(areas, &[("MemAvailable", available)], &[]);
        for step in [off("/a"), renew("/a")] {
            let told = verdicts_plain("memory", &[step], &snapshot);
            assert_eq!(told, [verdict], "{used} on it, {free} free, {available} available");
        }
    }
}

#[test]
fn several_areas_are_checked_one_after_the_other() {
    let areas = |used| vec![area("/a", 1, 200, 100), area("/b", 1, 200, used)];
    let of = |steps: [Step; 2], used, available| {
        verdicts_plain("memory", &steps, &machine(areas(used), &[("MemAvailable", available)], &[]))
    };
    let both = || [off("/a"), off("/b")];
    assert_eq!(of(both(), 100, 250), [Ok, Ok]);
    assert_eq!(of(both(), 100, 200), [Ok, Warn]);
    assert_eq!(of(both(), 100, 199), [Ok, Refuse]);
    // An area that returns empty takes the contents of the next one.
    assert_eq!(of([renew("/a"), renew("/b")], 100, 100), [Ok, Ok]);
}

#[test]
fn missing_figures_refuse_the_move() {
    let unknown = machine(vec![area("/a", 1, 10, 1)], &[], &[]);
    assert_eq!(verdicts_plain("memory", &[off("/a")], &unknown), [Refuse]);
    let other = machine(vec![area("/b", 1, 10, 1)], &[("MemAvailable", 9)], &[]);
    assert_eq!(verdicts_plain("memory", &[off("/a")], &other), [], "it is not active any more");
}

fn with_overcommit_mode(mut snapshot: Snapshot, mode: &str) -> Snapshot {
    let (id, value) = ("overcommit_memory".to_owned(), Reading::Known(mode.to_owned()));
    snapshot.knobs = Sampled::new(None, Reading::Known(vec![KnobReading { id, value }]));
    snapshot
}

/// The size of the area counts, not its usage; and the limit still includes it.
#[test]
fn strict_overcommit_keeps_areas_that_commitments_need() {
    let of = |mode: &str, promised, steps: &[Step]| {
        let areas = vec![area("/a", 1, 100, 0), area("/b", 1, 100, 0)];
        let memory = [("MemAvailable", 9999), ("CommitLimit", 500), ("Committed_AS", promised)];
        verdicts_plain(
            "overcommit",
            steps,
            &with_overcommit_mode(machine(areas, &memory, &[]), mode),
        )
    };
    for step in [off("/a"), renew("/a")] {
        let one = |mode, promised| of(mode, promised, std::slice::from_ref(&step));
        assert_eq!(one("2", 399), []);
        assert_eq!(one("2", 400), [Refuse]);
        assert_eq!(one("2", 401), [Refuse]);
        assert_eq!((one("0", 400), one("1", 400)), (vec![], vec![]));
    }
    // A disabled area no longer counts for the next one; a renewed one does.
    assert_eq!(of("2", 299, &[off("/a"), off("/b")]), []);
    assert_eq!(of("2", 300, &[off("/a"), off("/b")]), [Refuse]);
    assert_eq!(of("2", 399, &[renew("/a"), renew("/b")]), []);
    assert_eq!(of("2", 400, &[renew("/a"), renew("/b")]), [Refuse, Refuse]);
    assert_eq!(of("2", 9999, &[]), []);
    let [what, from, to] = ["overcommit_memory", "2", "0"].map(str::to_owned);
    let set = Step::Set { what, file: "/proc/sys/vm/overcommit_memory".into(), from, to };
    assert_eq!(of("2", 400, &[set.clone(), off("/a")]), []);
    assert_eq!(of("2", 400, &[off("/a"), set]), [Refuse]);
    // What the plan enables before raises the limit.
    let swapped =
        [make_file("/new"), Step::On { area: shown("/new", Priority::Default) }, off("/a")];
    assert_eq!(of("2", 400, &swapped), []);
    assert_eq!(of("2", 9_999_999, &swapped), [Refuse]);
}

/// Pages as a cgroup file shows them.
fn pages(count: u64) -> String {
    format!("{}\n", count * PAGE)
}

/// Verdicts for a cgroup with this memory, files among it, and swap, when 100 pages are moved and
/// `free` pages are free on the other area.
fn verdicts_for_cgroup(
    max: &str,
    memory: u64,
    files: u64,
    swap: Option<u64>,
    free: u64,
) -> Vec<CheckVerdict> {
    let areas = vec![area("/a", 1, 1000, 100), area("/b", 1, 1000, 1000 - free)];
    let (memory, swap) = (pages(memory), swap.map(pages));
    let stat = format!("inactive_file {}\nactive_file 0\n", files * PAGE);
    let mut group =
        vec![("memory.max", max), ("memory.current", &memory), ("memory.stat", stat.as_str())];
    group.extend(swap.as_deref().map(|swap| ("memory.swap.current", swap)));
    let snapshot = machine(areas, &[("MemAvailable", 9999)], &group);
    verdicts_plain("cgroup", &[off("/a")], &snapshot)
}

#[test]
fn cgroup_at_its_limit_warns_or_refuses() {
    let max = &pages(200);
    assert_eq!(verdicts_for_cgroup(max, 150, 0, Some(50), 0), [], "just at its limit");
    assert_eq!(verdicts_for_cgroup(max, 151, 0, Some(50), 0), [Refuse]);
    assert_eq!(verdicts_for_cgroup(max, 150, 0, Some(51), 0), [Refuse]);
    // At most the usage of the area returns, and files make room.
    assert_eq!(verdicts_for_cgroup(max, 100, 0, Some(9999), 0), []);
    assert_eq!(verdicts_for_cgroup(max, 101, 0, Some(9999), 0), [Refuse]);
    assert_eq!(verdicts_for_cgroup(max, 101, 1, Some(9999), 0), []);
    // The rest goes to the other areas, if the kernel swaps out at all; a quarter stays free for others.
    assert_eq!(verdicts_for_cgroup(max, 151, 0, Some(50), 124), [Refuse]);
    assert_eq!(verdicts_for_cgroup(max, 151, 0, Some(50), 125), [Note]);
    assert_eq!(
        verdicts_for_cgroup(max, 201, 0, Some(100), 125),
        [Refuse],
        "more than is free there"
    );
    assert_eq!(verdicts_for_cgroup(max, 201, 0, Some(100), 126), [Note]);
}

#[test]
fn cgroup_that_may_not_swap_out_is_refused() {
    let check = |swappiness: &str| {
        let areas = vec![area("/a", 1, 1000, 100), area("/b", 1, 1000, 0)];
        let (max, memory, swap) = (pages(200), pages(201), pages(100));
        let group = [
            ("memory.max", max.as_str()),
            ("memory.current", &memory),
            ("memory.swap.current", &swap),
            ("memory.stat", "inactive_file 0\nactive_file 0\n"),
        ];
        let mut snapshot = machine(areas, &[("MemAvailable", 9999)], &group);
        let value = Reading::Known(swappiness.to_owned());
        let knobs = vec![KnobReading { id: "swappiness".to_owned(), value }];
        snapshot.knobs = Sampled::new(None, Reading::Known(knobs));
        let all = checks(&plan(&[off("/a")]), &snapshot, CheckInputs::default());
        all.into_iter().find(|check| check.id == CGROUP).unwrap()
    };
    let kept = check("0");
    assert_eq!(kept.verdict, Refuse);
    assert!(kept.text.contains("with a swappiness of 0"), "{}", kept.text);
    assert_eq!(check("1").verdict, Note);
}

#[test]
fn cgroup_without_limit_is_ignored() {
    assert_eq!(verdicts_for_cgroup("max\n", 9999, 0, Some(100), 0), []);
    assert_eq!(verdicts_for_cgroup("max\n", 9999, 0, None, 0), []);
    assert_eq!(verdicts_for_cgroup(&pages(200), 9999, 0, Some(100), 0), [Refuse]);
}

#[test]
fn unknown_limit_or_usage_is_refused_if_something_may_return() {
    assert_eq!(verdicts_for_cgroup("nonsense\n", 50, 0, Some(100), 0), [Refuse]);
    assert_eq!(verdicts_for_cgroup("nonsense\n", 50, 0, Some(0), 0), []);
    // All that is moved may be of a cgroup whose swap is unknown.
    assert_eq!(verdicts_for_cgroup(&pages(200), 101, 0, None, 1000), [Refuse]);
    assert_eq!(verdicts_for_cgroup(&pages(200), 100, 0, None, 0), []);
    let check = |group: &[(&str, &str)]| {
        let areas = vec![area("/a", 1, 1000, 100)];
        let snapshot = machine(areas, &[("MemAvailable", 9999)], group);
        let all = checks(&plan(&[off("/a")]), &snapshot, CheckInputs::default());
        all.into_iter().find(|check| check.id == CGROUP).map(|check| check.text)
    };
    let limit = pages(200);
    let limit = ("memory.max", limit.as_str());
    assert_eq!(
        check(&[limit, ("memory.current", "x\n")]).unwrap(),
        "cannot tell whether the limits of cgroups have room for what returns to them: /cg/a/memory.current should hold a whole number, but holds \"x\". To proceed anyway: --force cgroup"
    );
    let no_limit = check(&[("memory.current", "4096\n")]).unwrap();
    assert!(
        no_limit.contains("cgroup /a: this kernel or hierarchy has no memory.max"),
        "{no_limit}"
    );
    assert_eq!(check(&[("memory.pressure", "")]), None, "the controller is disabled for it");
}

#[test]
fn unknown_cgroups_are_refused_and_those_of_a_machine_without_the_controller_are_none() {
    let check = |cgroups| {
        let mut snapshot = machine(vec![area("/a", 1, 1000, 100)], &[("MemAvailable", 9999)], &[]);
        snapshot.cgroups = Sampled::new(None, cgroups);
        verdicts_plain("cgroup", &[off("/a")], &snapshot)
    };
    assert_eq!(check(Reading::failed("/proc/mounts is damaged")), [Refuse]);
    assert_eq!(check(Reading::absent("no controller")), []);
}

#[test]
fn limits_of_cgroups_that_were_not_read_are_unknown() {
    let verdicts = |left_out, moves| {
        let areas = vec![area("/a", 1, 1000, moves)];
        let mut snapshot = machine(areas, &[("MemAvailable", 9999)], &[("memory.max", "max\n")]);
        let tree = snapshot.cgroups.reading.known().unwrap().clone();
        let tree = CgroupTree { left_out, ..tree };
        snapshot.cgroups = Sampled::new(None, Reading::Known(tree));
        verdicts_plain("cgroup", &[off("/a")], &snapshot)
    };
    assert_eq!(verdicts(0, 100), []);
    assert_eq!(verdicts(1, 100), [Refuse]);
    assert_eq!(verdicts(1, 0), [], "nothing returns to them");
}

#[test]
fn unknown_swap_limit_of_a_cgroup_at_its_limit_is_refused() {
    let check = |max: &str| {
        let areas = vec![area("/a", 1, 1000, 100), area("/b", 1, 1000, 0)];
        let (limit, swap) = (pages(200), pages(100));
        let group = [
            ("memory.max", limit.as_str()),
            ("memory.current", &limit),
            ("memory.swap.current", &swap),
            ("memory.swap.max", max),
        ];
        let snapshot = machine(areas, &[("MemAvailable", 9999)], &group);
        verdicts_plain("cgroup", &[off("/a")], &snapshot)
    };
    assert_eq!(check("max\n"), [Note]);
    assert_eq!(check("nonsense\n"), [Refuse]);
}

/// A machine with this PSI "full" of memory.
fn machine_under_pressure(avg10: Option<f64>, used: u64) -> Snapshot {
    let areas = vec![area("/a", 1, 1000, used)];
    let mut snapshot = machine(areas, &[("MemAvailable", 9999)], &[]);
    let stall = |avg10| Stall { avg10, avg60: 99.0, avg300: 99.0, total_us: 1 };
    let full = avg10.map_or_else(|| Reading::absent("no psi"), |it| Reading::Known(stall(it)));
    let memory = Reading::Known(Pressure { some: Reading::Known(stall(99.0)), full });
    let all = [("memory".to_owned(), memory)].into();
    snapshot.psi = Sampled::new(None, Reading::Known(all));
    snapshot
}

#[test]
fn memory_pressure_is_warned_about() {
    let of = |avg10, used| {
        verdicts_plain("pressure", &[off("/a")], &machine_under_pressure(avg10, used))
    };
    assert_eq!((of(Some(4.99), 1), of(Some(5.0), 1)), (vec![], vec![Warn]));
    assert_eq!(of(None, 1), []);
    assert_eq!(of(Some(99.0), 0), [], "nothing is moved");
}

#[test]
fn resume_area_is_reported_to_privileged_users() {
    let resume = [("/a".into(), true)];
    let beside = CheckInputs { resume: &resume, ..CheckInputs::default() };
    let of = |mask, beside| {
        let snapshot = machine(vec![area("/a", 1, 10, 0)], &[("MemAvailable", 9)], &[]);
        verdicts("resume", &[off("/a")], &with_rights(snapshot, Reading::Known(mask)), beside)
    };
    assert_eq!(of(CAP_SYS_ADMIN, beside), [Warn]);
    assert_eq!(of(0, beside), []);
    assert_eq!(of(CAP_SYS_ADMIN, CheckInputs::default()), []);
}

#[test]
fn lost_discard_option_is_reported() {
    let unknown = ["/a".into()];
    let beside = CheckInputs { unknown: &unknown, ..CheckInputs::default() };
    let areas = vec![area("/a", 1, 10, 0), area("/b", 1, 10, 0)];
    let snapshot = machine(areas, &[("MemAvailable", 9)], &[]);
    let of = |steps: &[Step]| verdicts("discard", steps, &snapshot, beside);
    assert_eq!(of(&[renew("/a")]), [Warn]);
    assert_eq!(of(&[off("/a"), Step::On { area: shown("/a", Priority::Default) }]), [Warn]);
    assert_eq!(of(&[off("/a")]), []);
    assert_eq!(of(&[renew("/b")]), []);
}

#[test]
fn renumbered_areas_are_reported() {
    let of = |priorities: [i32; 3], path: &str| {
        let [a, b, c] = priorities;
        let areas = vec![area("/a", a, 10, 0), area("/b", b, 10, 0), area("/c", c, 10, 0)];
        let snapshot = machine(areas, &[("MemAvailable", 9)], &[]);
        [off(path), renew(path)].map(|step| verdicts_plain("renumbered", &[step], &snapshot))
    };
    // A new priority is not one of the defaults.
    let (told, nothing) = ([vec![Note], vec![]], [vec![], vec![]]);
    assert_eq!(of([-2, -3, -4], "/a"), told);
    assert_eq!(of([-2, -3, -4], "/b"), told);
    assert_eq!(of([-2, -3, -4], "/c"), nothing, "nothing is behind the last one");
    assert_eq!(of([-3, -2, 5], "/b"), told);
    assert_eq!(of([-3, -2, 5], "/c"), nothing, "it has a number of its own");
    assert_eq!(of([-1, -1, -1], "/a"), nothing, "later kernels take them in turns");
}

#[test]
fn accepted_risk_becomes_a_warning() {
    let areas = vec![area("/a", 1, 1000, 100)];
    let memory = [("MemAvailable", 50), ("CommitLimit", 500), ("Committed_AS", 500)];
    let max = pages(1);
    let group =
        [("memory.max", max.as_str()), ("memory.current", &max), ("memory.swap.current", &max)];
    let snapshot = with_overcommit_mode(machine(areas, &memory, &group), "2");
    let snapshot = with_rights(snapshot, Reading::Known(0));
    let of = |taken: &[&str]| {
        let taken: Vec<String> = taken.iter().map(|risk| (*risk).to_owned()).collect();
        checks(
            &plan(&[off("/a")]),
            &snapshot,
            CheckInputs { taken: &taken, ..CheckInputs::default() },
        )
    };
    let plain = of(&[]);
    let refused: Vec<&str> = plain.iter().map(|check| check.id).collect();
    assert_eq!(refused, ["rights", "memory", "cgroup", "overcommit"]);
    assert!(plain.iter().all(|check| check.verdict == Refuse));
    for risk in ["memory", "cgroup", "overcommit"] {
        let own = plain.iter().find(|check| check.id == risk).unwrap();
        assert!(own.text.ends_with(&format!("--force {risk}")), "{}", own.text);
        let expected = plain.iter().cloned().map(|check| {
            if check.id != risk {
                return check;
            }
            Check { verdict: Warn, text: format!("{} (accepted)", check.text), ..check }
        });
        assert_eq!(of(&[risk]), expected.collect::<Vec<_>>(), "{risk}");
        assert!(refuses(&of(&[risk])));
    }
    assert_eq!(of(&["image"]), plain, "another risk than those");
}

#[test]
fn only_refusals_can_be_accepted() {
    for verdict in [Ok, Note, Warn] {
        let mut check = Check::new("memory", verdict, "x");
        check.accept(&["memory".to_owned()]);
        assert_eq!(check, Check::new("memory", verdict, "x"));
    }
}

//! Rules about room on swap areas: full swap, missing swap, small areas, and areas that cannot be disabled.

use crate::advice::areas::{
    AreaWithDevice, ROOM, TRAFFIC, area_io, areas_with_devices, knob_cell, share, short_names,
};
use crate::advice::finding::cells;
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, RuleResult, Severity};
use crate::derive::SampleView;
use crate::derive::balance::{self, total_use};
use crate::derive::drain::{self, Drain, SingleDrains};
use crate::derive::programs;
use crate::derive::recommended;
use crate::derive::state::{self, AlertLevel, is_memory_short};
use crate::derive::traffic;
use crate::model::block::{DiskStats, SECTOR};
use crate::model::kernel::Access;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Missing, Policy, part_set};
use std::collections::BTreeMap;

/// Reports swap that is full or nearly full.
pub(super) const SWAP_FULL: Rule = Rule::new("swap-full", "swap is full or nearly full", swap_full)
    .about("Reported if all areas together are filled to {use_warn}, or to half of that percentage and will be full in less than {full_soon} seconds at the present rate. Critical from {use_crit} on if less than {memory_low} of memory is available as well: the kernel kills processes next. A full area above others with room is normal and is not reported. swapadm processes and swapadm cgroups show who uses swap.")
    .needs(part_set![Swaps, Meminfo])
    .thresholds(&["use_warn", "use_crit", "full_soon", "memory_low"]);

fn swap_full(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let (used, size) = total_use(view)?;
    if size == Bytes(0) {
        return Ok(vec![]);
    }
    let full = share(used, size);
    let seconds_left = balance::all_full_in(view);
    let is_soon = seconds_left.known().is_some_and(|left| *left <= policy.full_soon);
    let is_short = is_memory_short(view, policy)?;
    let (severity, certainty, summary) = match state::fill_level(full, is_short, policy) {
        AlertLevel::Critical => {
            (Severity::Crit, Certainty::Certain, "swap is full, and memory is short")
        }
        AlertLevel::Warning if full >= policy.use_crit => {
            (Severity::Warn, Certainty::Certain, "swap is full")
        }
        AlertLevel::Warning => (Severity::Warn, Certainty::Certain, "swap is nearly full"),
        AlertLevel::Normal if full < policy.use_warn / 2.0 => return Ok(vec![]),
        AlertLevel::Normal if is_soon => {
            (Severity::Warn, Certainty::Hint, "swap is about to be full")
        }
        AlertLevel::Normal => return check_growth(view, size.saturating_sub(used), policy),
    };
    let sentence = "When no slot is free, rarely used pages stay in RAM, and the kernel kills a process as soon as it can reclaim nothing else. Reduce the workload of the largest users of memory, or add an area.";
    let found = Finding::warn(SWAP_FULL.id, summary, sentence)
        .with_severity(severity)
        .with_certainty(certainty)
        .shown_by(cells("status", ["use"]))
        .shown_by(seconds_left.known().map(|_| EvidenceCell::for_column("headroom", "full_in")))
        .shown_by(cells("headroom", ["swap_free", "mem_available"]));
    Ok(vec![found])
}

/// Returns no finding if swap will not be full soon, otherwise the reason why this is unknown: a fast rise
/// between two samples alone may be a burst.
fn check_growth(view: &SampleView<'_>, free: Bytes, policy: &Policy) -> RuleResult {
    let growth = balance::total_growth(view).into_result()?;
    if growth.rate * policy.full_soon >= free.0 as f64 {
        growth.is_growing.into_result()?;
    }
    Ok(vec![])
}

/// Reports a machine without swap.
pub(super) const NO_SWAP: Rule = Rule::new("no-swap", "no swap is active", no_swap)
    .about("Reported if no area is active and less than {memory_low} of memory is available; a machine with enough memory needs no swap. Without swap, rarely used pages cannot leave RAM: the kernel evicts file pages that are in use instead, and kills processes when nothing is left to evict. Swap on zram needs no disk. It is not offered where kubelet runs, which does not start while swap is active.")
    .needs(part_set![Swaps, Meminfo, Config, Access, Cgroups])
    .thresholds(&["memory_low"]);

fn no_swap(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    if total_use(view)?.1 > Bytes(0) || !is_memory_short(view, policy)? {
        return Ok(vec![]);
    }
    let kubelet = programs::kubelet(view.now);
    let advice = match kubelet {
        Some(program) => format!("{}.", programs::explain_kubelet(program)),
        None if has_no_zram(view) && !cannot_change(view) => format!(
            "{ZRAM_MEMORY} The zram module is not loaded here: run modprobe zram num_devices=0, if this kernel has it."
        ),
        None => ZRAM_MEMORY.to_owned(),
    };
    let sentence = format!(
        "When memory is full, the kernel can only evict file pages that are in use, and then kill processes. {advice}"
    );
    let found = Finding::warn(NO_SWAP.id, "memory is short, and no swap is active", sentence)
        .shown_by(cells("headroom", ["mem_available", "mem_total"]));
    let can = !is_set_up(view) && !cannot_change(view) && !has_no_zram(view) && kubelet.is_none();
    let size = recommended::zram(view.now.memory("MemTotal").into_result()?).size;
    let fix = || format!("swapadm zram swap --size {}", size.exact());
    Ok(vec![found.with_fix(can.then(fix))])
}

const ZRAM_MEMORY: &str =
    "Swap on zram takes a little memory for its page table at once, and the rest only as it fills.";

/// Returns whether the configuration sets up an area, which should be enabled instead.
fn is_set_up(view: &SampleView<'_>) -> bool {
    view.now.config.reading.known_items().iter().any(|entry| !entry.leaves_area_disabled())
}

/// Returns whether the zram module is not loaded.
fn has_no_zram(view: &SampleView<'_>) -> bool {
    let access = view.now.access.reading.known();
    access.is_some_and(|access| access.zram.known() == Some(&false))
}

/// Returns whether root may not change swap here, as in a container.
fn cannot_change(view: &SampleView<'_>) -> bool {
    view.now.access.reading.known().is_some_and(Access::is_root_without_sys_admin)
}

/// Reports areas that are too small to matter.
pub(super) const AREA_SMALL: Rule =
    Rule::new("area-small", "a small area is full and holds what was swapped out first", area_small)
        .about("Reported if an area is smaller than {area_small} of memory, no other area has its priority, it is filled to {use_warn}, and fewer than {often} pages per second moved to or from it between the samples, while another area follows it. It then holds the pages that were swapped out first, needed or not, and takes no new ones. A small area with traffic is in use and not reported, nor are several small areas in a priority group, which are as good as a large one.")
        .needs(TRAFFIC.with(part_set![Swaps, Block, Diskstats]))
        .thresholds(&["area_small", "use_warn", "often"]);

fn area_small(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let all = areas_with_devices(view)?;
    let memory = view.now.memory("MemTotal").into_result()?;
    let mut of_priority: BTreeMap<i32, usize> = BTreeMap::new();
    for place in &all {
        *of_priority.entry(place.area.priority).or_default() += 1;
    }
    let is_filled = |area: &SwapArea| {
        area.used.known().is_some_and(|used| share(*used, area.size) >= policy.use_warn)
    };
    let is_small = |place: &&AreaWithDevice<'_>| {
        let area = place.area;
        let has_next = of_priority.range(..area.priority).next().is_some();
        let is_alone = of_priority.get(&area.priority) == Some(&1);
        let is_small = share(area.size, memory) < policy.area_small;
        has_next && is_alone && is_small && is_filled(area)
    };
    let mut small = Vec::new();
    for place in all.iter().filter(is_small) {
        if pages_moved(view, place)? < policy.often {
            small.push(place);
        }
    }
    if small.is_empty() {
        return Ok(vec![]);
    }
    let names = short_names(small.iter().map(|place| place.name()));
    let verb = if small.len() > 1 { "are" } else { "is" };
    let sentence = "An area this small makes no difference: it filled at once, and the first pages on it stay there. Enlarge it, or remove it.";
    let found =
        Finding::note(AREA_SMALL.id, format!("{names} {verb} too small to matter"), sentence)
            .shown_by(
                ["size", "used"].iter().flat_map(|column| small.iter().map(|it| it.cell(column))),
            )
            .shown_by(cells("headroom", ["mem_total"]));
    Ok(vec![found])
}

/// Returns the pages per second that moved to or from an area: all swap traffic for a file, which has no
/// counters of its own.
fn pages_moved(view: &SampleView<'_>, place: &AreaWithDevice<'_>) -> Result<f64, Missing> {
    let sectors = |stats: &DiskStats| stats.read_sectors + stats.write_sectors;
    match area_io(view, place, sectors).into_result() {
        Ok(change) => Ok(change.per_second() * SECTOR as f64 / *view.now.page_size.get()? as f64),
        Err(Missing::Absent(_)) => traffic::pages_per_second_both_ways(view).into_result(),
        Err(missing) => Err(missing),
    }
}

/// Reports areas that cannot be disabled: their contents fit nowhere else, or committed memory needs them.
pub(super) const SWAPOFF_FIT: Rule =
    Rule::new("swapoff-fit", "an area cannot be disabled safely", swapoff_fit)
        .about("Reported if the contents of an area do not fit into memory and the other areas together, or not into the limits of the cgroups that they return to. A swapoff would fail, or the kernel would kill processes; the same happens at a shutdown that disables swap. With overcommit_memory 2 it is also reported if the kernel would refuse the swapoff because committed memory needs the area. An area whose file or node in /dev was deleted has no path for swapoff; that is critical if its device was removed with pages on it. swapadm off AREA --dry-run shows the calculation.")
        .needs(ROOM);

fn swapoff_fit(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let kinds = [AreaKind::Partition, AreaKind::File];
    let without_path = kinds.into_iter().filter_map(|kind| without_path(view, kind));
    match areas_without_room(view) {
        Ok(found) => Ok(found.into_iter().chain(without_path).collect()),
        // An unknown figure of one area must not hide that another one has lost its device.
        Err(missing) => match without_path.collect::<Vec<_>>() {
            found if found.is_empty() => Err(missing),
            found => Ok(found),
        },
    }
}

/// Reports areas whose contents fit nowhere else, and those that committed memory needs.
fn areas_without_room(view: &SampleView<'_>) -> RuleResult {
    let (promised, others) = by_commit_limit(view)?;
    let drains = SingleDrains::new(view.now);
    let (mut stuck, mut bound, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    let mut unknown = None;
    for area in others.into_iter().filter(|area| area.used.known() != Some(&Bytes(0))) {
        let drain = drains.predict(area).into_result()?;
        if !drain.fits() {
            stuck.push(area);
            continue;
        }
        match drain::fits(view.now, drain).into_result() {
            Ok(true) => {}
            Ok(false) => {
                bound.push(area);
                groups.extend(cgroups_over_limit(view, drain));
            }
            Err(missing) => unknown = Some(missing),
        }
    }
    // An unknown cgroup must not hide that another area does not fit.
    if let Some(missing) = unknown
        && promised.is_empty()
        && stuck.is_empty()
        && bound.is_empty()
    {
        return Err(missing);
    }
    let refused = "overcommit_memory is 2, and committed memory needs this swap: the kernel refuses the swapoff. Raise overcommit_ratio (or overcommit_kbytes), add swap first, or end processes that commit much memory.";
    let room = "The contents do not fit into memory and the other areas together (filling zram among them takes memory): a swapoff would fail, or the kernel would kill processes. Add swap on a disk before you disable";
    let refused = swapoff_fit_finding(&promised, "overcommit", refused).map(|found| {
        found.shown_by([
            knob_cell("overcommit_memory"),
            EvidenceCell::for_column("headroom", "commit_left"),
        ])
    });
    let room = swapoff_fit_finding(&stuck, "room", &before(room, stuck.len())).map(|found| {
        let others = stuck
            .iter()
            .map(|area| EvidenceCell::for_row("cost", area.path.exact(), "swapoff_other_areas"));
        let figures = cells("headroom", ["mem_available"]).into_iter().chain(others);
        // MemAvailable is an estimate of the kernel.
        found.shown_by(figures).with_certainty(Certainty::Likely)
    });
    let limits = "The contents fit into memory, but not into the memory limits of the cgroups that they belong to, and what exceeds these limits cannot go to other areas. The reason is one of these: a swappiness of 0, a swap limit of the cgroup, or too little free space on the other areas (less than 1.25 times what the area to be disabled holds). The kernel may kill processes in these cgroups. Raise the memory limits, or add another area if free space is too little, before you disable";
    let limits = swapoff_fit_finding(&bound, "groups", &before(limits, bound.len())).map(|found| {
        let figures = largest_excess(groups).into_iter().flat_map(|path| {
            ["swap", "memory_max"].map(|it| EvidenceCell::for_row("cgroups", &path, it))
        });
        // The kernel does not show how much of the area belongs to a cgroup.
        found.shown_by(figures).with_certainty(Certainty::Likely)
    });
    Ok(refused.into_iter().chain(room).chain(limits).collect())
}

/// Reports areas of this kind whose file or node was deleted.
fn without_path(view: &SampleView<'_>, kind: AreaKind) -> Option<Finding> {
    let deleted: Vec<&SwapArea> =
        view.now.areas().iter().filter(|area| area.deleted && area.kind == kind).collect();
    let holds_pages = deleted.iter().any(|area| area.used.known() != Some(&Bytes(0)));
    let (subject, severity, sentence) = match kind {
        AreaKind::Partition if holds_pages => ("removed", Severity::Crit, NODE_DELETED),
        AreaKind::Partition => ("removed", Severity::Warn, NODE_DELETED),
        AreaKind::File => ("deleted", Severity::Note, FILE_DELETED),
    };
    let found = swapoff_fit_finding(&deleted, subject, sentence)?;
    Some(found.with_severity(severity))
}

const NODE_DELETED: &str = "Its node in /dev was deleted while it was active. If the device was removed, the pages on it are lost: the kernel kills the processes that use them (swapadm processes lists those with swap), and only a reboot disables the area. If the device is still connected, create its node again (udevadm trigger), or disable the area by another node of the device (swapoff NODE).";
const FILE_DELETED: &str = "Its file was deleted while it was active, and swapoff needs a path to it. Restore a hard link to the file, or reboot.";

/// Ends advice on what to do before areas are disabled.
fn before(advice: &str, areas: usize) -> String {
    format!("{advice} {}.", if areas == 1 { "it" } else { "one of them" })
}

/// At most this many cgroups are shown as evidence.
const MOST: usize = 3;

/// Returns the cgroups that would get back more than their limits allow, with the excess.
fn cgroups_over_limit(view: &SampleView<'_>, drain: Drain) -> Vec<(Bytes, String)> {
    let over = drain::over_limits(view.now, &[drain]);
    over.known().map_or_else(Vec::new, |over| {
        over.groups.iter().map(|(group, excess)| (*excess, group.path.exact())).collect()
    })
}

/// Returns the cgroups with the largest excess, each once.
fn largest_excess(mut groups: Vec<(Bytes, String)>) -> Vec<String> {
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let mut paths = Vec::new();
    for (_, path) in groups {
        if paths.len() < MOST && !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Reports why these areas cannot be disabled; `None` without areas.
fn swapoff_fit_finding(areas: &[&SwapArea], about: &str, sentence: &str) -> Option<Finding> {
    let names = short_names(areas.iter().map(|area| area.path.safe()));
    let figures = ["used", "size"]
        .map(|column| areas.iter().map(move |area| EvidenceCell::for_area(area, column)));
    let summary = format!("{names} cannot be disabled safely");
    let found = Finding::note(SWAPOFF_FIT.id, summary, sentence).with_subject(about);
    (!areas.is_empty()).then(|| found.shown_by(figures.into_iter().flatten()))
}

/// Returns the areas without which committed memory would exceed its limit, and the others.
fn by_commit_limit<'v>(
    view: &SampleView<'v>,
) -> Result<(Vec<&'v SwapArea>, Vec<&'v SwapArea>), Missing> {
    let limit = drain::strict_commit(view.now);
    let is_needed = |area: &&SwapArea| limit.is_some_and(|it| it.needs_area_of(area.size));
    Ok(view.now.swaps.reading.get()?.iter().partition(is_needed))
}

#[cfg(test)]
mod tests {
    mod swap_full {
        use super::super::SWAP_FULL;
        use crate::advice::testing::TestMachine;

        const ID: &str = SWAP_FULL.id;

        fn filled(used: u64) -> TestMachine {
            TestMachine::default().disk("sda", 5, (500, 500)).disk("sdb", 1, (500, used))
        }

        #[test]
        fn the_totals_count_where_the_use_of_an_area_is_unknown() {
            let hidden = |free| filled(500).wrapped("/dev/sda").memory("SwapFree", free);
            assert_eq!(hidden(10).severities(ID), ["warn"]);
            assert_eq!(hidden(900).severities(ID), [""; 0]);
            let drained = hidden(10).memory("SwapTotal", 900);
            assert!(
                drained.advice().unjudged.iter().any(|(id, _)| *id == ID),
                "one of them leaves"
            );
        }

        #[test]
        fn all_areas_together_count_and_short_memory_makes_it_critical() {
            assert_eq!(filled(299).severities(ID), [""; 0]);
            assert_eq!(filled(300).severities(ID), ["warn"]);
            assert_eq!(filled(450).severities(ID), ["warn"]);
            assert_eq!(filled(449).memory("MemAvailable", 100).severities(ID), ["warn"]);
            assert_eq!(filled(450).memory("MemAvailable", 100).severities(ID), ["crit"]);
        }

        #[test]
        fn fast_filling_swap_is_reported_in_time() {
            let growing =
                |mib| TestMachine::default().disk("sda", 5, (1000, 500)).grown("/dev/sda", mib);
            assert_eq!(growing(1).severities(ID), ["warn"], "500 s");
            assert_eq!(growing(0).severities(ID), [""; 0]);
            let slow = TestMachine::default().disk("sda", 5, (1400, 700)).grown("/dev/sda", 1);
            assert_eq!(slow.severities(ID), [""; 0], "700 s");
        }

        #[test]
        fn two_samples_of_growing_swap_are_too_few_to_judge() {
            let reasons = |used, mib| {
                let machine = TestMachine::default().disk("sda", 5, (1400, used));
                let unjudged = machine.grown("/dev/sda", mib).without_past().advice().unjudged;
                let own = unjudged.into_iter().filter(|(rule, _)| *rule == ID);
                own.map(|(_, missing)| missing.kind()).collect::<Vec<_>>()
            };
            assert_eq!(reasons(700, 100), ["few_samples"]);
            assert_eq!(reasons(700, 1), [""; 0], "700 s at this rate");
            assert_eq!(reasons(700, 0), [""; 0], "it does not grow");
            assert_eq!(reasons(200, 100), [""; 0], "most of it is free");
        }
    }

    mod no_swap {
        use super::super::NO_SWAP;
        use crate::advice::testing::TestMachine;

        const ID: &str = NO_SWAP.id;

        #[test]
        fn a_machine_without_swap_is_reported_when_memory_is_short() {
            assert_eq!(TestMachine::default().severities(ID), [""; 0], "memory is enough");
            let short = || TestMachine::default().memory("MemAvailable", 409);
            assert_eq!(short().memory("MemAvailable", 410).severities(ID), [""; 0]);
            assert_eq!(short().severities(ID), ["warn"]);
            assert_eq!(short().fixes(ID), ["swapadm zram swap --size 2G"]);
            let large = short().memory("MemTotal", 4 << 20);
            assert_eq!(large.fixes(ID), ["swapadm zram swap --size 8G"], "the table is small");
            let set_up = short().fstab("/dev/sda", None, &[]);
            assert!(set_up.has_no_command(ID), "boot-stale says how to enable that area");
            let left_off = short().fstab("/dev/sda", None, &["noauto"]);
            assert_eq!(left_off.fixes(ID).len(), 1);
            let mut stripped = short();
            stripped.capabilities = 0;
            assert!(stripped.has_no_command(ID), "a container has no swap of its own");
            let mut without = short();
            without.has_zram = false;
            assert!(without.has_no_command(ID), "no device can be created");
            assert!(without.sentence(ID).contains("modprobe zram"));
            assert!(short().disk("sda", -2, (100, 0)).severities(ID).is_empty());
        }

        #[test]
        fn swap_is_not_offered_where_kubelet_would_not_start_with_it() {
            let mut node = TestMachine::default().memory("MemAvailable", 409);
            node.groups = vec!["/kubepods.slice"];
            assert!(node.has_no_command(ID));
            assert!(node.sentence(ID).contains("failSwapOn"), "{}", node.sentence(ID));
        }
    }

    mod area_small {
        use super::super::AREA_SMALL;
        use crate::advice::testing::TestMachine;

        const ID: &str = AREA_SMALL.id;

        /// An area of this size and use above a large one.
        fn above(size: u64, used: u64) -> TestMachine {
            let large = TestMachine::default().disk("sdz", 1, (4000, 100));
            large.disk("sda", 5, (size, used))
        }

        #[test]
        fn a_full_area_tiny_beside_memory_is_reported_unless_others_share_its_priority() {
            assert_eq!(above(81, 81).severities(ID), ["note"]);
            assert_eq!(above(81, 60).severities(ID), [""; 0], "it has room");
            assert_eq!(above(82, 82).severities(ID), [""; 0]);
            assert_eq!(above(81, 81).disk("sdb", 5, (81, 81)).severities(ID), [""; 0]);
            let alone = TestMachine::default().disk("sda", 5, (81, 81));
            assert_eq!(alone.severities(ID), [""; 0], "it is all the swap there is");
        }

        #[test]
        fn an_area_with_traffic_matters() {
            assert_eq!(above(81, 81).moved("sda", (0, 100)).severities(ID), [""; 0]);
            assert_eq!(above(81, 81).moved("sda", (99, 0)).severities(ID), ["note"]);
            let file = || {
                let large = TestMachine::default().disk("sdz", 1, (4000, 100));
                large.file("/swap", 5, (81, 81))
            };
            assert_eq!(file().severities(ID), ["note"]);
            assert_eq!(file().counted("pswpin", 100).severities(ID), [""; 0], "it may be its own");
        }

        #[test]
        fn several_small_areas_are_reported_as_one() {
            let two = above(81, 81).disk("sdb", 4, (81, 81));
            assert_eq!(two.severities(ID), ["note"]);
            assert_eq!(two.evidence_values(ID).len(), 5);
        }
    }

    mod swapoff_fit {
        use super::super::SWAPOFF_FIT;
        use crate::advice::testing::TestMachine;

        const ID: &str = SWAPOFF_FIT.id;

        #[test]
        fn an_area_whose_device_was_removed_is_critical_with_pages_on_it() {
            let disk = |used| TestMachine::default().disk("sda", 5, (100, used));
            assert_eq!(disk(1).severities(ID), [""; 0]);
            assert_eq!(disk(1).deleted("/dev/sda").severities(ID), ["crit"]);
            assert_eq!(disk(0).deleted("/dev/sda").severities(ID), ["warn"]);
            let file = TestMachine::default().file("/swap", 5, (100, 1)).deleted("/swap");
            assert_eq!(file.severities(ID), ["note"]);
            let other = disk(1).deleted("/dev/sda").disk("sdb", 4, (100, 1));
            let unknown = other.wrapped("/dev/sdb");
            assert_eq!(unknown.severities(ID), ["crit"], "whatever is on the other area");
        }

        #[test]
        fn cgroups_with_the_largest_excess_are_shown() {
            let over = [(5, "/a"), (9, "/d"), (1, "/b"), (7, "/d"), (6, "/c")];
            let over = over.map(|(excess, path)| (crate::model::Bytes(excess), path.to_owned()));
            assert_eq!(super::super::largest_excess(over.to_vec()), ["/d", "/c", "/a"]);
        }

        #[test]
        fn an_area_whose_contents_fit_nowhere_is_reported() {
            let one = || TestMachine::default().disk("sda", 5, (4000, 3001));
            assert_eq!(one().severities(ID), ["note"], "3000 MiB are available");
            assert_eq!(one().memory("MemAvailable", 3001).severities(ID), [""; 0]);
            assert_eq!(one().disk("sdb", 4, (10, 0)).severities(ID), [""; 0]);
        }

        #[test]
        fn an_area_whose_cgroups_are_at_their_limits_is_reported() {
            let bound = |limit| {
                TestMachine::default().disk("sda", 5, (4000, 200)).with_cgroup(100, 150, limit)
            };
            assert_eq!(bound(249).severities(ID), ["note"], "150 MiB return to it");
            assert!(bound(249).sentence(ID).contains("Raise the memory limits"));
            assert_eq!(bound(250).severities(ID), [""; 0]);
            let beside = bound(249).disk("sdb", 4, (250, 0));
            assert_eq!(beside.severities(ID), [""; 0], "the rest goes there");
            let hidden = bound(249).without(crate::model::Part::Cgroups).severities(ID);
            assert_eq!(hidden, [""; 0], "without cgroups there are no limits");
        }

        #[test]
        fn with_strict_overcommit_a_needed_area_is_reported() {
            let promised = |mode, promised| {
                let machine = TestMachine::default().disk("sda", 5, (400, 100));
                let machine = machine.memory("CommitLimit", 2000).memory("Committed_AS", promised);
                machine.knob("overcommit_memory", mode).severities(ID)
            };
            assert_eq!(promised("2", 1600), ["note"]);
            assert_eq!(promised("2", 1599), [""; 0]);
            assert_eq!(promised("0", 1600), [""; 0]);
        }
    }
}

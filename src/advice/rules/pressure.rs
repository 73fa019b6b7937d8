//! Rules about memory pressure, and about settings that decide what is swapped.

use super::memory::is_zswap_on;
use super::zram::saves_little;
use crate::advice::areas::{
    AreaWithDevice, TRAFFIC, areas_by_speed, knob_cell, knob_number, share, traffic_cells,
    zram_areas,
};
use crate::advice::finding::cells;
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, RuleResult, Severity};
use crate::derive::balance::total_use;
use crate::derive::reclaim::{self, Reclaimer};
use crate::derive::speed::{self, Speed};
use crate::derive::state::{self, AlertLevel};
use crate::derive::traffic;
use crate::derive::{SampleView, cgroups};
use crate::model::name::shell_quoted;
use crate::model::paging::Counters;
use crate::model::paging::PsiLine;
use crate::model::users::{Cgroup, CgroupVersion, Limit};
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Missing, Policy, Reading, part_set};

/// Reports memory pressure and thrashing.
pub(super) const MEMORY_PRESSURE: Rule =
    Rule::new("memory-pressure", "memory pressure is high", memory_pressure)
        .about("Reported if tasks stall on memory: PSI memory some reached {pressure_some}, or full reached {pressure_full}, over the last 10 seconds. With two samples, some or full must also have reached its limit between them, so that a load that has ended is not reported. Critical if full reached {pressure_full}. It is called thrashing if full reached {pressure_full}, and at the same time at least {often} pages per second leave and return about as fast: swapadm status shows the same state. Without PSI (psi=0) it is a warning if pages leave and return like that while tasks have to reclaim memory themselves (direct reclaim). The cure is less memory use, more memory or a higher cgroup limit; a faster area only shortens each stall. swapadm processes and swapadm cgroups show the largest users.")
        .needs(TRAFFIC.with(part_set![Swaps, Psi, Cgroups]))
        .thresholds(&["pressure_some", "pressure_full", "often"]);

fn memory_pressure(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let severity = match state::severity(view, policy) {
        Reading::Known(AlertLevel::Normal) => return Ok(vec![]),
        Reading::Known(AlertLevel::Warning) => Severity::Warn,
        Reading::Known(AlertLevel::Critical) => Severity::Crit,
        Reading::Missing { missing } => return without_pressure(view, policy, missing),
    };
    let reclaimer = reclaim::reclaimer(view);
    let is_machine = reclaimer.known().is_some_and(|it| *it != Reclaimer::Cgroups);
    let is_cgroup = reclaimer == Reading::Known(Reclaimer::Cgroups);
    let limited = cgroups::stalled_at_limit(view, policy);
    let limited = limited.filter(|_| state::may_be_cgroup(view, policy));
    let (place, remedy) = match limited {
        Some(group) => (limited_place(group), REMEDY_LIMIT),
        None if is_machine => (" on the machine".to_owned(), REMEDY_MEMORY),
        None if reclaimer.known().is_some() => (" in a cgroup".to_owned(), REMEDY_FIND),
        None => (String::new(), REMEDY_MEMORY),
    };
    let is_thrashing = state::is_thrashing(view, policy);
    let (summary, cause) = if is_thrashing {
        (format!("thrashing{place}"), CAUSE_CIRCULATES)
    } else {
        (format!("memory pressure is high{place}"), "Tasks stall until memory is reclaimed.")
    };
    let limits = limited.into_iter().flat_map(cgroup_cells);
    // A cgroup is certainly the place if its own PSI shows stalls, and only cgroups reclaim.
    let is_sure = limited.is_none_or(|group| is_cgroup && cgroups::stalled_share(group).is_some());
    let found = Finding::warn(MEMORY_PRESSURE.id, summary, format!("{cause} {remedy}"))
        .with_severity(severity)
        .with_certainty(if is_sure { Certainty::Certain } else { Certainty::Likely })
        .shown_by(known_stalls(view))
        .shown_by(limits)
        .with_fix(limited.and_then(|group| raise_limit(view, group)));
    if !is_thrashing {
        return Ok(vec![found]);
    }
    let reclaimer = reclaimer.known().map(|_| EvidenceCell::for_column("paging", "reclaimer"));
    Ok(vec![found.shown_by(traffic_cells(view)).shown_by(reclaimer)])
}

/// Names a cgroup at its limit: as the place of the stalls only if its own PSI shows them.
fn limited_place(group: &Cgroup) -> String {
    let name = group.path.safe();
    if cgroups::stalled_share(group).is_some() {
        format!(" in cgroup {name}, which is at its memory limit")
    } else {
        format!(", and cgroup {name} is at its memory limit")
    }
}

/// Returns the command that raises the limit of a cgroup to what the cgroup has in memory and swap, if memory has room
/// for that.
fn raise_limit(view: &SampleView<'_>, group: &Cgroup) -> Option<String> {
    let knob = match view.now.cgroups.reading.known()?.version {
        CgroupVersion::V1 => "memory.limit_in_bytes",
        CgroupVersion::V2 => "memory.max",
    };
    let swapped = group.swap_current.known()?;
    let both = group.memory_current.known()?.0.saturating_add(swapped.0);
    let wanted = Bytes(both.checked_next_multiple_of(1 << 20)?);
    let has_room = view.now.memory("MemAvailable").known() >= Some(swapped);
    let is_raised =
        matches!(group.memory_max.known(), Some(Limit::Bytes(limit)) if *limit < wanted);
    // Version 1 refuses a memory limit above the limit on memory plus swap.
    let is_refused =
        matches!(group.memsw_max.known(), Some(Limit::Bytes(limit)) if *limit < wanted);
    let path = shell_quoted(&group.path);
    let command = format!("swapadm set --cgroup {path} {knob} {}", wanted.exact());
    (has_room && is_raised && !is_refused).then_some(command)
}

/// Figures of a cgroup at its limit.
fn cgroup_cells(group: &Cgroup) -> impl Iterator<Item = EvidenceCell> + use<> {
    let path = group.path.exact();
    let stalls = cgroups::stalled_share(group).map(|_| "some10");
    let columns = stalls.into_iter().chain(["limit_use", "limit", "swap"]);
    columns.map(move |column| EvidenceCell::for_row("cgroups", path.clone(), column))
}

const CAUSE_CIRCULATES: &str = "All non-idle tasks stalled on memory at once while pages returned from swap about as fast as they left: the working set does not fit into memory.";
const REMEDY_LIMIT: &str = "Reduce the workload of the cgroup, or raise its limit.";
/// Only cgroups reclaim, but none that can be read is at its limit.
const REMEDY_FIND: &str =
    "Memory is reclaimed for cgroups only: swapadm cgroups shows their limits and their stalls.";
const REMEDY_MEMORY: &str = "Reduce the workload of the largest users of memory, or add memory.";

/// Returns the figures of PSI memory that this kernel has.
fn known_stalls(view: &SampleView<'_>) -> impl Iterator<Item = EvidenceCell> {
    let lines = [(PsiLine::Full, "memory_full"), (PsiLine::Some, "memory_some")];
    let known = lines.map(|(line, column)| {
        let is_known = state::memory_stall(view, line).known().is_some();
        is_known.then(|| EvidenceCell::for_column("status", column))
    });
    known.into_iter().flatten()
}

/// Judges a kernel without PSI: pages that circulate while tasks reclaim memory themselves show that tasks
/// stall. If there are none, the rule cannot be judged.
fn without_pressure(view: &SampleView<'_>, policy: &Policy, missing: Missing) -> RuleResult {
    let direct_reclaims = |vmstat: &Counters| vmstat.sum_with_prefix("allocstall_");
    // allocstall counts direct reclaim of the whole machine, not that of cgroups at their limits.
    let direct_reclaims =
        view.change(|snapshot| &snapshot.vmstat, direct_reclaims).map(|change| change.by);
    let waits = direct_reclaims.known().is_some_and(|by| *by > 0);
    if !(waits && state::circulates(view, policy)) {
        return Err(missing);
    }
    let sentence = "Tasks had to reclaim memory themselves while pages returned from swap about as fast as they left: the working set does not fit into memory. How long tasks stall is unknown: a kernel with CONFIG_PSI shows it when it is booted with psi=1. Reduce the workload of the largest users of memory, or add memory.";
    let found = Finding::warn(MEMORY_PRESSURE.id, "memory pressure is high", sentence)
        .with_certainty(Certainty::Likely)
        .shown_by(traffic_cells(view));
    Ok(vec![found])
}

/// Reports a swappiness that does not suit the areas.
pub(super) const SWAPPINESS: Rule =
    Rule::new("swappiness", "swappiness does not suit the areas", swappiness)
        .about("Reported if all areas are on zram and filled to less than {use_warn}, no device with at least {zram_least} MiB of data has a memory ratio below {zram_ratio_low}, swappiness is below 100, and file pages in use are read again soon after they were dropped, at least {often} per second: reading from zram takes less time than reading files from a disk, and a swappiness of 100 tells the kernel that both cost the same, a higher one that swap costs less. Also reported if all areas are on rotational or network disks without zswap and swappiness is above 100, which treats swap as cheaper than files.")
        .needs(part_set![Swaps, Block, Knobs, Vmstat, Zram, ZramDetail])
        .thresholds(&["often", "use_warn", "zram_ratio_low", "zram_least"]);

/// Swappiness at which swap and files count as equally expensive.
const EQUAL: u64 = 100;

fn swappiness(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let swappiness = knob_number(view.now, "swappiness")?;
    let all = areas_by_speed(view)?;
    let areas = view.now.swaps.reading.get()?.len();
    let are_all = |is: fn(&(AreaWithDevice<'_>, Speed)) -> bool| {
        areas > 0 && all.iter().filter(|it| is(it)).count() == areas
    };
    let found = if swappiness < EQUAL && are_all(|(_, speed)| *speed == Speed::Zram) {
        let restored = view.vmstat_rate("workingset_restore_file");
        let (used, size) = total_use(view)?;
        let is_useless = |(device, _): (&ZramDevice, _)| saves_little(view, policy, device);
        if restored.into_result()? < policy.often
            || share(used, size) >= policy.use_warn
            || zram_areas(view)?.into_iter().any(|area| is_useless(area) == Ok(true))
        {
            return Ok(vec![]);
        }
        let sentence = "The kernel drops file pages that are in use and reads them again soon after, although zram has room and returns a page faster than a disk. A swappiness of 100 treats both alike, a higher one prefers zram.";
        Finding::note(
            SWAPPINESS.id,
            "files are read again soon after while zram has room",
            sentence,
        )
        .with_certainty(Certainty::Likely)
        .shown_by([knob_cell("swappiness"), EvidenceCell::for_column("paging", "restores_file")])
    } else if swappiness > EQUAL && are_all(is_slow) && is_zswap_on(view) != Ok(true) {
        let sentence = "Above 100 the kernel treats reading from swap as cheaper than reading files. That is true for zram, for zswap, or for a fast disk beside slow ones; here swap is slow.";
        Finding::note(SWAPPINESS.id, "swappiness treats slow swap as cheaper than files", sentence)
            .with_certainty(Certainty::Likely)
            .shown_by([knob_cell("swappiness")])
            .shown_by(all.iter().map(|(place, _)| place.cell("rotational")))
    } else {
        return Ok(vec![]);
    };
    let advised = if swappiness < EQUAL { "100" } else { "60" };
    let command = format!("swapadm set swappiness={advised} --persist");
    Ok(vec![found.fixed_by(command)])
}

/// Returns whether an area is slower than files as far as is known: the flag of a virtio disk says nothing.
fn is_slow((place, speed): &(AreaWithDevice<'_>, Speed)) -> bool {
    *speed == Speed::Remote || place.block().is_some_and(speed::seeks)
}

/// Seconds without traffic after which swapped pages are likely unneeded.
const LONG: f64 = 60.0;

/// Explains that used but idle swap is harmless.
pub(super) const IDLE: Rule = Rule::new("idle", "swap is used but idle, which is harmless", idle)
    .about("Reported if swap is filled to at least {idle_use} but below {use_warn}, nothing was swapped in or out between the samples, and PSI memory some was below {pressure_some} over the last 10 seconds. Swap then seems to hold unneeded pages, whose memory serves other purposes: used swap alone is no sign of trouble. The certainty depends on the time between the samples: a hint below one minute, likely from then on (swapadm advise --interval 60 --count 1 observes that long).")
    .needs(TRAFFIC.with(part_set![Swaps, Psi]))
    .thresholds(&["idle_use", "use_warn", "pressure_some"]);

fn idle(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let (used, size) = total_use(view)?;
    let full = share(used, size);
    if size == Bytes(0) || full < policy.idle_use || full >= policy.use_warn {
        return Ok(vec![]);
    }
    let moves = traffic::pages_per_second_both_ways(view).into_result()? > 0.0;
    let waited = state::memory_stall(view, PsiLine::Some).into_result()?;
    if moves || waited >= policy.pressure_some {
        return Ok(vec![]);
    }
    let seconds = view.seconds().unwrap_or(0.0);
    let time = if seconds < 1.0 { "moment".to_owned() } else { format!("{seconds:.0} s") };
    let looked = format!("Nothing was swapped in or out in the {time} between the samples");
    let (certainty, summary, sentence) = if seconds >= LONG {
        let sentence = format!(
            "{looked}: swap seems to hold unneeded pages, and their memory serves other purposes. Nothing to do; draining swap would only bring back unneeded pages."
        );
        (Certainty::Likely, "swap is used but idle, which is harmless", sentence)
    } else {
        let sentence = format!(
            "{looked}, which is a short time. If it stays so, swap holds unneeded pages, and their memory serves other purposes; swapadm advise --interval 60 --count 1 observes for longer."
        );
        (Certainty::Hint, "swap is used, but nothing moves now", sentence)
    };
    let found = Finding::note(IDLE.id, summary, sentence)
        .with_certainty(certainty)
        .shown_by(cells("status", ["swap_used", "use"]))
        .shown_by(cells("paging", ["in_rate", "out_rate"]));
    Ok(vec![found])
}

#[cfg(test)]
mod tests {
    mod thrashing {
        use super::super::MEMORY_PRESSURE;
        use crate::advice::Certainty;
        use crate::advice::testing::TestMachine;
        use crate::model::Part;

        const ID: &str = MEMORY_PRESSURE.id;

        fn machine(some: f64, full: f64) -> TestMachine {
            TestMachine::default().disk("sda", 5, (1000, 500)).stalls(some, full)
        }

        #[test]
        fn stalls_have_their_severity_and_with_pages_that_circulate_are_thrashing() {
            let summary = |into, out| {
                let counted = machine(10.0, 5.0).counted("pswpin", into).counted("pswpout", out);
                assert_eq!(counted.severities(ID), ["crit"]);
                let found = counted.advice().findings.into_iter().find(|it| it.rule == ID);
                found.unwrap().summary
            };
            assert!(summary(1000, 1000).starts_with("thrashing"));
            assert!(summary(16, 100_671).starts_with("memory pressure"), "pages only leave");
            assert!(summary(1000, 0).starts_with("memory pressure"), "pages only return");
            let circulating = |some, full| {
                machine(some, full).counted("pswpin", 999).counted("pswpout", 999).severities(ID)
            };
            assert_eq!(circulating(10.0, 4.9), ["warn"]);
            assert_eq!(circulating(9.9, 4.9), [""; 0]);
        }

        #[test]
        fn a_load_that_has_ended_is_not_reported() {
            assert_eq!(machine(30.0, 20.0).severities(ID), ["crit"]);
            assert_eq!(machine(30.0, 20.0).calm_now().severities(ID), [""; 0]);
        }

        #[test]
        fn the_place_is_named_where_memory_is_short() {
            let summary = |kswapd| {
                let reclaims = machine(10.0, 5.0).counted("pswpin", 100).counted("pswpout", 100);
                let reclaims = reclaims.counted("pgsteal_anon", 100).counted("pgsteal_file", 0);
                let reclaims = reclaims.counted("pgsteal_direct", 0).with_cgroup(100, 50, 100);
                let found = reclaims.counted("pgsteal_kswapd", kswapd).advice().findings;
                found.into_iter().find(|it| it.rule == ID).map(|it| it.summary).unwrap()
            };
            assert_eq!(summary(100), "thrashing on the machine");
            let limited = "thrashing, and cgroup /a is at its memory limit";
            assert_eq!([summary(0), summary(60)], [limited; 2], "memory is available");
        }

        #[test]
        fn the_limit_is_raised_to_what_the_cgroup_holds_if_memory_has_room() {
            let fixes = |available| {
                let held = machine(10.0, 5.0).with_cgroup(100, 50, 100).cgroup_stalls(12.0);
                held.memory("MemAvailable", available).fixes(ID)
            };
            assert_eq!(fixes(1000), ["swapadm set --cgroup /a memory.max 150M"]);
            assert_eq!(fixes(40), [""; 0], "the pages in swap would not fit");
        }

        #[test]
        fn a_cgroup_at_its_limit_whose_tasks_do_not_stall_is_not_named() {
            let found = |stall| {
                let reclaims = machine(10.0, 5.0).counted("pgsteal_anon", 100);
                let reclaims = reclaims.counted("pgsteal_file", 0).counted("pgsteal_direct", 0);
                let reclaims = reclaims.counted("pgsteal_kswapd", 0).with_cgroup(100, 50, 100);
                let findings = reclaims.cgroup_stalls(stall).advice().findings;
                let found = findings.into_iter().find(|it| it.rule == ID).unwrap();
                (found.summary, found.sentence, found.certainty)
            };
            let (summary, _, certainty) = found(12.0);
            assert!(summary.ends_with("in cgroup /a, which is at its memory limit"), "{summary}");
            assert_eq!(certainty, Certainty::Certain);
            let (summary, sentence, _) = found(0.0);
            assert!(summary.ends_with("high in a cgroup"), "{summary}");
            assert!(sentence.contains("swapadm cgroups"), "{sentence}");
        }

        #[test]
        fn with_one_sample_a_cgroup_is_blamed_only_while_memory_is_available() {
            let summary = |available| {
                let machine = machine(10.0, 5.0).memory("MemTotal", 1000);
                let machine = machine.memory("MemAvailable", available).with_cgroup(100, 50, 100);
                let findings = machine.cgroup_stalls(12.0).advice().findings;
                findings.into_iter().find(|it| it.rule == ID).unwrap().summary
            };
            assert!(summary(500).contains("cgroup /a"), "{}", summary(500));
            assert_eq!(summary(20), "memory pressure is high");
        }

        #[test]
        fn without_psi_circulating_pages_and_direct_reclaim_show_pressure() {
            let found = |out, searches| {
                let machine = machine(0.0, 0.0).without(Part::Psi).counted("pswpin", 200);
                let machine = machine.counted("pswpout", out);
                let findings = machine.counted("allocstall_normal", searches).advice().findings;
                findings.into_iter().find(|finding| finding.rule == ID).map(|it| it.sentence)
            };
            assert!(found(200, 1).unwrap().contains("CONFIG_PSI"), "psi=1 may not be enough");
            assert_eq!(found(10, 1), None);
            assert_eq!(found(200, 0), None, "a cgroup may be at its limit");
        }
    }

    mod swappiness {
        use super::super::SWAPPINESS;
        use crate::advice::testing::TestMachine;
        use crate::model::Reading;
        use crate::model::paging::BracketedChoice;
        use crate::model::zram::testing::mm_stat;

        const ID: &str = SWAPPINESS.id;

        #[test]
        fn file_refaults_beside_free_zram_raise_swappiness() {
            let zram = |used| TestMachine::default().zram("zram0", 5, (1000, used));
            let busy = |used| zram(used).counted("workingset_restore_file", 100);
            assert_eq!(busy(100).fixes(ID), ["swapadm set swappiness=100 --persist"]);
            assert_eq!(busy(100).knob("swappiness", "100").severities(ID), [""; 0]);
            assert_eq!(busy(800).severities(ID), [""; 0], "no room");
            let mut useless = busy(100);
            useless.devices[0].mm = Reading::Known(mm_stat(100 << 20, 100 << 20));
            useless.devices[0].algorithm =
                Reading::Known(BracketedChoice::parse("[lzo-rle] zstd").unwrap());
            assert_eq!(useless.severities(ID), [""; 0], "zram would free no memory");
            let seldom = zram(100).counted("workingset_restore_file", 99);
            assert_eq!(seldom.severities(ID), [""; 0]);
            let scan = seldom.counted("workingset_refault_file", 9999);
            assert_eq!(scan.severities(ID), [""; 0], "pages read once were not in use");
        }

        #[test]
        fn slow_swap_is_not_cheaper_than_files() {
            let slow = || TestMachine::default().rotating("sda", 5, (1000, 0));
            assert_eq!(
                slow().knob("swappiness", "101").fixes(ID),
                ["swapadm set swappiness=60 --persist"]
            );
            assert_eq!(slow().knob("swappiness", "100").severities(ID), [""; 0]);
            let behind_zswap = slow().knob("swappiness", "150").knob("zswap.enabled", "Y");
            assert_eq!(behind_zswap.severities(ID), [""; 0]);
            let virtio =
                TestMachine::default().rotating("vda", 5, (1000, 0)).knob("swappiness", "150");
            assert_eq!(virtio.severities(ID), [""; 0], "its speed is unknown");
            let fast = TestMachine::default().disk("sda", 5, (1000, 0)).knob("swappiness", "150");
            assert_eq!(fast.severities(ID), [""; 0]);
        }
    }

    mod idle {
        use super::super::IDLE;
        use crate::advice::Certainty;
        use crate::advice::testing::TestMachine;

        const ID: &str = IDLE.id;

        #[test]
        fn used_swap_in_which_nothing_moves_is_explained() {
            let machine = |used| TestMachine::default().disk("sda", -2, (1000, used));
            assert_eq!(machine(500).severities(ID), ["note"]);
            assert_eq!(machine(499).severities(ID), [""; 0]);
            assert_eq!(machine(500).counted("pswpin", 1).severities(ID), [""; 0]);
            assert_eq!(machine(500).stalls(10.0, 0.0).severities(ID), [""; 0]);
            assert!(!machine(500).advice().is_wrong());
        }

        #[test]
        fn certainty_depends_on_the_time_between_samples() {
            let after = |seconds: f64| {
                let machine = TestMachine::default().disk("sda", -2, (1000, 500));
                let found = machine.advice_after(seconds).findings;
                let found = found.into_iter().find(|found| found.rule == ID).unwrap();
                (found.certainty, found.sentence)
            };
            let (certainty, sentence) = after(0.5);
            assert_eq!(certainty, Certainty::Hint);
            assert!(sentence.starts_with("Nothing was swapped in or out in the moment between"));
            assert_eq!(after(59.0).0, Certainty::Hint);
            let (certainty, sentence) = after(60.0);
            assert_eq!(certainty, Certainty::Likely, "pages may be needed later all the same");
            assert!(sentence.contains("in the 60 s between"), "{sentence}");
        }
    }
}

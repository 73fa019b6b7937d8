//! Rules about memory pressure, and about settings that decide what is swapped.

use crate::advice::areas::{
    AreaWithDevice, areas_by_speed, knob_cell, knob_number, share, total_use,
};
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, RuleResult, Severity};
use crate::derive::SampleView;
use crate::derive::speed::{self, Speed};
use crate::derive::state::{PsiLine, stall};
use crate::derive::traffic::{self, Direction, Reclaimer};
use crate::derive::view::CounterChange;
use crate::model::paging::Counters;
use crate::model::{Bytes, Missing, Part, PartSet, Policy, Reading};

/// Reports memory pressure and thrashing.
pub(super) const THRASHING: Rule = Rule {
    id: "thrashing",
    title: "memory pressure is high",
    about: "Reported if PSI memory some was at least pressure_some over the last 10 seconds. Critical if PSI memory full was at least pressure_full while pages were often swapped in: the machine, or cgroups at their own limits, then mostly move pages. Refaults, pages that are swapped in again soon after they were swapped out, show that the working set does not fit into memory. Only less memory use or more memory helps; a faster area shortens each stall. swapadm status and the first line of the interface use the word thrashing more loosely: with fixed thresholds, and also for pages that are only swapped out. Without PSI (psi=0) it is a warning if anonymous refaults reach often pages per second, and tasks have to reclaim memory themselves (direct reclaim).",
    needs: PartSet::from_parts(&[Part::Swaps, Part::Psi, Part::Vmstat]),
    thresholds: &["pressure_some", "pressure_full", "often"],
    check: thrashing,
};

fn thrashing(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let waited = |line| stall(view, "memory", line).map(|stall| stall.avg10 / 100.0);
    let some = match waited(PsiLine::Some) {
        Reading::Known(some) => some,
        Reading::Missing { missing } => return without_pressure(view, policy, missing),
    };
    let full = waited(PsiLine::Full).known().copied().unwrap_or(0.0);
    let comes_in = is_often(&traffic::pages_per_second(view, Direction::In), policy);
    let found = if full >= policy.pressure_full && comes_in {
        thrashing_finding(view, policy)
    } else if some >= policy.pressure_some {
        let sentence = "Tasks stalled until memory was reclaimed for them (PSI some). swapadm status shows where memory is short: on the whole machine, or in a cgroup at its limit.";
        Finding::warn(THRASHING.id, "memory pressure is high", sentence).shown_by(
            ["memory_some", "memory_full"].map(|column| EvidenceCell::for_column("status", column)),
        )
    } else {
        return Ok(vec![]);
    };
    Ok(vec![found])
}

/// Reports that all non-idle tasks stall: on the whole machine, or in cgroups at their limits.
fn thrashing_finding(view: &SampleView<'_>, policy: &Policy) -> Finding {
    let (summary, sentence) = if traffic::reclaimer(view) == Reading::Known(Reclaimer::Cgroups) {
        (
            "cgroups thrash at their limits: PSI full is high",
            "All non-idle tasks stalled on memory at once while pages were swapped in, and reclaim came from cgroups at their own limits: their working sets do not fit. Find the cgroup with swapadm cgroups, then reduce its workload or raise its limit.",
        )
    } else {
        (
            "the machine thrashes: PSI full is high",
            "All non-idle tasks stalled on memory at once while pages were swapped in: the working set does not fit into memory. Find the largest users with swapadm processes and swapadm cgroups, then reduce their workload or add memory.",
        )
    };
    let refaults = view.vmstat_change("workingset_refault_anon").map(CounterChange::per_second);
    let is_back = is_often(&refaults, policy);
    let reclaimer =
        traffic::reclaimer(view).known().map(|_| EvidenceCell::for_column("paging", "reclaimer"));
    Finding::warn(THRASHING.id, summary, sentence)
        .with_severity(Severity::Crit)
        .with_certainty(if is_back { Certainty::Certain } else { Certainty::Likely })
        .shown_by([
            EvidenceCell::for_column("status", "memory_full"),
            EvidenceCell::for_column("paging", "in_rate"),
        ])
        .shown_by(refaults.known().map(|_| EvidenceCell::for_column("paging", "refaults")))
        .shown_by(reclaimer)
}

fn is_often(rate: &Reading<f64>, policy: &Policy) -> bool {
    rate.known().is_some_and(|rate| *rate >= policy.often)
}

/// Judges a kernel without PSI: refaults while tasks reclaim memory themselves show that tasks stall. If
/// there are none, the rule cannot be judged.
fn without_pressure(view: &SampleView<'_>, policy: &Policy, missing: Missing) -> RuleResult {
    let refaults = view.vmstat_change("workingset_refault_anon").map(CounterChange::per_second);
    let searches = |vmstat: &Counters| vmstat.sum_with_prefix("allocstall_");
    // allocstall counts direct reclaim of the whole machine, not that of cgroups at their limits.
    let searches = view.change(|snapshot| &snapshot.vmstat, searches).map(|change| change.by);
    let waits = searches.known().is_some_and(|by| *by > 0);
    if !(waits
        && is_often(&refaults, policy)
        && is_often(&traffic::pages_per_second(view, Direction::In), policy))
    {
        return Err(missing);
    }
    let sentence = "Tasks had to reclaim memory themselves while recently swapped-out pages were swapped in again: the working set does not fit into memory. How long tasks stall is unknown: a kernel with CONFIG_PSI shows it when it is booted with psi=1. swapadm processes and swapadm cgroups show who uses memory.";
    let found = Finding::warn(THRASHING.id, "memory pressure is high", sentence)
        .with_certainty(Certainty::Likely)
        .shown_by(["in_rate", "refaults"].map(|column| EvidenceCell::for_column("paging", column)));
    Ok(vec![found])
}

/// Reports a swappiness that does not suit the areas.
pub(super) const SWAPPINESS: Rule = Rule {
    id: "swappiness",
    title: "swappiness does not suit the areas",
    about: "Reported if all areas are on zram and filled to less than use_warn, swappiness is below 100, and at least often pages per second of files in use are read again soon after they were dropped: reading from zram is then cheaper than reading files, which a swappiness of 100 or more expresses. Also reported if all areas are on rotational or network disks and swappiness is above 100, which treats swap as cheaper than files.",
    needs: PartSet::from_parts(&[Part::Swaps, Part::Block, Part::Knobs, Part::Vmstat]),
    thresholds: &["often", "use_warn"],
    check: swappiness,
};

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
        let restored = view.vmstat_change("workingset_restore_file").map(CounterChange::per_second);
        let (used, size) = total_use(view)?;
        if restored.into_result()? < policy.often || share(used, size) >= policy.use_warn {
            return Ok(vec![]);
        }
        let sentence = "The kernel drops file pages that are in use and reads them again soon after, although zram has room and returns a page faster than a disk. A swappiness of 100 treats both alike, a higher one prefers zram.";
        Finding::warn(
            SWAPPINESS.id,
            "files are read again soon after while zram has room",
            sentence,
        )
        .with_certainty(Certainty::Likely)
        .shown_by([knob_cell("swappiness"), EvidenceCell::for_column("paging", "restores_file")])
    } else if swappiness > EQUAL && are_all(is_slow) {
        let sentence = "Above 100 the kernel treats reading from swap as cheaper than reading files. That is true for zram, or for a fast disk beside slow ones; here swap is slow.";
        Finding::warn(SWAPPINESS.id, "swappiness treats slow swap as cheaper than files", sentence)
            .with_certainty(Certainty::Likely)
            .shown_by([knob_cell("swappiness")])
            .shown_by(all.iter().map(|(place, _)| place.cell("rotational")))
    } else {
        return Ok(vec![]);
    };
    let advised = if swappiness < EQUAL { "100" } else { "60" };
    let command = format!("swapadm set swappiness={advised} --persist");
    Ok(vec![found.with_severity(Severity::Note).fixed_by(command)])
}

/// Returns whether an area may be slower than files: a virtio disk is always flagged as rotational.
fn is_slow((place, speed): &(AreaWithDevice<'_>, Speed)) -> bool {
    *speed == Speed::Remote || place.block().is_some_and(speed::seeks)
}

/// Seconds without traffic after which swapped pages are likely unneeded.
const LONG: f64 = 60.0;

/// Explains that used but idle swap is harmless.
pub(super) const IDLE: Rule = Rule {
    id: "idle",
    title: "swap is used but idle, which is harmless",
    about: "Reported if swap is filled to at least idle_use but below use_warn, nothing was swapped in or out between the samples, and PSI memory some was below pressure_some over the last 10 seconds. Swap then seems to hold unneeded pages, whose memory serves other purposes: used swap alone is no sign of trouble. The certainty depends on the time between the samples: a hint below one minute, likely from then on (swapadm advise --interval 60 --count 1 observes that long).",
    needs: PartSet::from_parts(&[Part::Swaps, Part::Psi, Part::Vmstat, Part::Meminfo]),
    thresholds: &["idle_use", "use_warn", "pressure_some"],
    check: idle,
};

fn idle(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let (used, size) = total_use(view)?;
    let full = share(used, size);
    if size == Bytes(0) || full < policy.idle_use || full >= policy.use_warn {
        return Ok(vec![]);
    }
    let [into, out] =
        [Direction::In, Direction::Out].map(|way| traffic::pages_per_second(view, way));
    let moves = into.into_result()? + out.into_result()? > 0.0;
    let waited = stall(view, "memory", PsiLine::Some).into_result()?.avg10 / 100.0;
    if moves || waited >= policy.pressure_some {
        return Ok(vec![]);
    }
    let seconds = view.seconds().unwrap_or(0.0);
    let looked = format!(
        "Nothing was swapped in or out in the {} between the samples",
        describe_seconds(seconds)
    );
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
    let found = Finding::warn(IDLE.id, summary, sentence)
        .with_severity(Severity::Note)
        .with_certainty(certainty)
        .shown_by(["swap_used", "use"].map(|column| EvidenceCell::for_column("status", column)))
        .shown_by(["in_rate", "out_rate"].map(|column| EvidenceCell::for_column("paging", column)));
    Ok(vec![found])
}

/// Formats a time in whole seconds, so that the text does not change with every sample.
fn describe_seconds(seconds: f64) -> String {
    if seconds < 1.0 { "moment".to_owned() } else { format!("{seconds:.0} s") }
}

#[cfg(test)]
mod tests {
    mod thrashing {
        use super::super::THRASHING;
        use crate::advice::Certainty;
        use crate::advice::testing::TestMachine;
        use crate::model::Part;

        const ID: &str = THRASHING.id;

        #[test]
        fn waiting_is_a_warning_and_with_pages_that_come_in_thrashing() {
            let machine = || TestMachine::default().disk("sda", 5, (1000, 500));
            assert_eq!(machine().stalls(9.9, 4.9).counted("pswpin", 9).severities(ID), [""; 0]);
            assert_eq!(machine().stalls(10.0, 4.9).counted("pswpin", 999).severities(ID), ["warn"]);
            assert_eq!(machine().stalls(10.0, 5.0).counted("pswpin", 100).severities(ID), ["crit"]);
            let few = machine().stalls(10.0, 5.0).counted("pswpin", 99);
            assert_eq!(few.severities(ID), ["warn"], "a few pages are no thrashing");
        }

        #[test]
        fn it_is_the_machine_unless_control_groups_reclaim() {
            let machine = |kswapd| {
                let stalled = TestMachine::default().disk("sda", 5, (1000, 500)).stalls(10.0, 5.0);
                let reclaims = stalled.counted("pswpin", 100).counted("pgsteal_anon", 1000);
                let reclaims = reclaims.counted("pgsteal_file", 0).counted("pgsteal_direct", 0);
                reclaims.counted("pgsteal_kswapd", kswapd)
            };
            let first = |machine: TestMachine| machine.advice().findings.remove(0);
            assert!(first(machine(1000)).summary.contains("the machine thrashes"));
            assert!(first(machine(0)).summary.contains("cgroups thrash"));
            let back = |by| first(machine(1000).counted("workingset_refault_anon", by)).certainty;
            assert_eq!([back(99), back(100)], [Certainty::Likely, Certainty::Certain]);
        }

        #[test]
        fn without_psi_refaults_and_direct_reclaim_show_pressure() {
            let machine = |back, searches| {
                let machine = TestMachine::default().disk("sda", 5, (1000, 500)).without(Part::Psi);
                let machine =
                    machine.counted("pswpin", 200).counted("workingset_refault_anon", back);
                let findings = machine.counted("allocstall_normal", searches).advice().findings;
                findings.into_iter().find(|finding| finding.rule == ID).map(|it| it.sentence)
            };
            assert!(
                machine(100, 1).unwrap().contains("CONFIG_PSI"),
                "psi=1 alone may not be enough"
            );
            assert_eq!(machine(99, 1), None);
            assert_eq!(machine(100, 0), None, "a cgroup may be at its limit");
        }
    }

    mod swappiness {
        use super::super::SWAPPINESS;
        use crate::advice::testing::TestMachine;

        const ID: &str = SWAPPINESS.id;

        #[test]
        fn file_refaults_beside_free_zram_raise_swappiness() {
            let zram = |used| TestMachine::default().zram("zram0", 5, (1000, used));
            let busy = |used| zram(used).counted("workingset_restore_file", 100);
            assert_eq!(busy(100).fixes(ID), ["swapadm set swappiness=100 --persist"]);
            assert_eq!(busy(100).knob("swappiness", "100").severities(ID), [""; 0]);
            assert_eq!(busy(800).severities(ID), [""; 0], "no room");
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

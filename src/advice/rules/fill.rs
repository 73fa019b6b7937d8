//! Rules about areas that fill one after the other, and about how evenly the areas in a priority
//! group are used.

use crate::advice::areas::{
    AreaWithDevice, ORDER, ROOM, RuleGroup, TRAFFIC, allocation_orders, area_io,
    is_preferred_by_node, needed_for_overcommit, rebalance_command, share, short_names,
    traffic_cells,
};
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, RuleResult};
use crate::derive::balance::{self, PriorityGroup};
use crate::derive::speed::{self, Speed};
use crate::derive::spread::{self, FolioImbalance, GroupMember, SpreadVerdict};
use crate::derive::traffic;
use crate::derive::{SampleView, swapoff};
use crate::model::block::SECTOR;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Missing, Policy, Reading, part_set};

/// Reports areas of equal speed that default priorities fill one by one.
pub(super) const ONE_BY_ONE: Rule =
    Rule::new("one-by-one", "areas of equal speed fill one by one", one_by_one)
        .about("Reported if areas of one speed class have different default priorities, as kernels up to 6.18 assign them, and their imbalance is at least {imbalance_warn}, while one of them is filled to {use_warn} or pages move at least {often} per second. The kernel fills one area before it uses the next, so all swap traffic goes to one of them. With an equal priority they share the load. Explicit priorities are not reported, because somebody chose them, nor are areas that NUMA nodes prefer.")
        .needs(ORDER.with(ROOM).with(TRAFFIC))
        .thresholds(&["imbalance_warn", "use_warn", "often"]);

const CLASSES: [Speed; 4] = [Speed::Zram, Speed::Solid, Speed::Rotational, Speed::Remote];

fn one_by_one(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let mut found: Vec<Finding> = Vec::new();
    for order in allocation_orders(view)? {
        for speed in CLASSES {
            let areas = areas_in_turn(&order, speed);
            // The orders of several nodes can contain the same areas.
            let is_known = found.iter().any(|it| it.subject.as_deref() == Some(speed.word()));
            if !is_known && is_uneven(&areas, policy) && are_used(view, &areas, policy)? {
                found.push(one_by_one_finding(view, speed, &areas));
            }
        }
    }
    Ok(found)
}

/// Returns the areas of a speed class with default priorities if these put one before the other.
fn areas_in_turn<'v>(order: &[RuleGroup<'v>], speed: Speed) -> Vec<AreaWithDevice<'v>> {
    let of_class = |group: &RuleGroup<'v>| -> Vec<AreaWithDevice<'v>> {
        let members = group.members.iter().filter(|(_, class)| *class == speed);
        let places = members.map(|(place, _)| *place);
        places.filter(|place| place.area.priority < 0 && !is_preferred_by_node(place)).collect()
    };
    let groups: Vec<_> = order.iter().map(of_class).collect();
    let areas: Vec<_> = groups.iter().flatten().copied().collect();
    let is_fault = speed::fill_one_by_one(areas.iter().map(|place| place.area.priority));
    if is_fault { areas } else { Vec::new() }
}

fn is_filled(area: &SwapArea, policy: &Policy) -> bool {
    share(area.used_at_least(), area.size) >= policy.use_warn
}

/// Returns whether these areas together would be an uneven priority group.
fn is_uneven(areas: &[AreaWithDevice<'_>], policy: &Policy) -> bool {
    let sizes: Vec<Bytes> = areas.iter().map(|place| place.area.size).collect();
    let used: Vec<Bytes> = areas.iter().map(|place| place.area.used_at_least()).collect();
    balance::imbalance(&sizes, &used)
        .known()
        .is_some_and(|imbalance| *imbalance >= policy.imbalance_warn)
}

/// Returns whether it matters how these areas share the load.
fn are_used(
    view: &SampleView<'_>,
    areas: &[AreaWithDevice<'_>],
    policy: &Policy,
) -> Result<bool, Missing> {
    if areas.iter().any(|place| is_filled(place.area, policy)) {
        return Ok(true);
    }
    swapoff::check_none_ran(view)?;
    Ok(traffic::pages_per_second_both_ways(view).into_result()? >= policy.often)
}

fn one_by_one_finding(
    view: &SampleView<'_>,
    speed: Speed,
    areas: &[AreaWithDevice<'_>],
) -> Finding {
    let names = short_names(areas.iter().map(AreaWithDevice::name));
    let sentence = "They have default priorities, which this kernel numbers in the order of activation: it fills one area before it uses the next, so all swap traffic goes to one of them. With an equal priority, which rebalance gives them, they share the load.";
    let summary = format!("{} {} areas fill one by one: {names}", areas.len(), speed.word());
    Finding::warn(ONE_BY_ONE.id, summary, sentence)
        .with_subject(speed.word())
        .shown_by(
            ["priority", "used"].iter().flat_map(|it| areas.iter().map(|place| place.cell(it))),
        )
        .with_fix(rebalance_command(view, areas.iter()))
}

/// Reports zram that holds old pages while needed ones come from a slower area.
pub(super) const LRU_INVERSION: Rule = Rule::new(
    "lru-inversion",
    "zram holds old pages while needed ones come from a slower area",
    lru_inversion,
)
.about("Reported if zram that comes before slower areas is filled to {use_warn}, and at least {often} pages per second are read from the slower areas. zram keeps the pages that were swapped out first, which are usually the least needed ones, and never moves them to the next area; pages that are swapped out now go to the slower area, and are read from there (LRU inversion). Zram above a disk is right as long as zram has room. To avoid it, use zswap in front of the disk in place of zram, because it evicts its oldest pages to the disk; or give zram a backing device, and write idle pages to it.")
.needs(ORDER.with(part_set![Diskstats, Vmstat]))
.thresholds(&["use_warn", "often"]);

fn lru_inversion(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let is_zram = |(_, speed): &&(AreaWithDevice<'_>, Speed)| *speed == Speed::Zram;
    for order in allocation_orders(view)? {
        let slow = order.iter().position(|group| !group.members.iter().all(|it| is_zram(&it)));
        let (zram, slow) = order.split_at(slow.unwrap_or(order.len()));
        let zram: Vec<_> = zram.iter().flat_map(|group| &group.members).collect();
        let is_full = zram.iter().all(|(place, _)| is_filled(place.area, policy));
        let slow = slow.iter().flat_map(|group| &group.members).filter(|it| !is_zram(it));
        let slow: Vec<_> =
            slow.filter(|(place, _)| place.area.used_at_least() > Bytes(0)).collect();
        if zram.is_empty() || slow.is_empty() || !is_full {
            continue;
        }
        if read_from_disks(view, &zram)? >= policy.often {
            return Ok(vec![lru_inversion_finding(view, &zram, &slow)]);
        }
    }
    Ok(vec![])
}

/// Returns the pages per second that are swapped in from other areas than these on zram.
fn read_from_disks(
    view: &SampleView<'_>,
    zram: &[&(AreaWithDevice<'_>, Speed)],
) -> Result<f64, Missing> {
    swapoff::check_none_ran(view)?;
    let page = *view.now.page_size.get()? as f64;
    let all = view.vmstat_rate("pswpin").into_result()?;
    let read = zram.iter().map(|(place, _)| {
        let sectors = area_io(view, place, |stats| stats.read_sectors).into_result()?;
        Ok(sectors.per_second() * SECTOR as f64 / page)
    });
    Ok(all - read.sum::<Result<f64, Missing>>()?)
}

fn lru_inversion_finding(
    view: &SampleView<'_>,
    zram: &[&(AreaWithDevice<'_>, Speed)],
    slow: &[&(AreaWithDevice<'_>, Speed)],
) -> Finding {
    let names = |areas: &[&(AreaWithDevice<'_>, Speed)]| {
        short_names(areas.iter().map(|(place, _)| place.name()))
    };
    let verb = if zram.len() > 1 { "are" } else { "is" };
    let sentence = "zram keeps the pages that were swapped out first, which are often the least needed ones; pages that are needed again come from the slower area (LRU inversion). zswap in front of the disk instead of zram moves its oldest pages to the disk. A zram device with a backing device can write idle pages to it.";
    let summary =
        format!("{} {verb} full, and needed pages come from {}", names(zram), names(slow));
    let counted = slow.iter().filter(|(place, _)| place.area.kind == AreaKind::Partition);
    Finding::warn(LRU_INVERSION.id, summary, sentence)
        .with_certainty(Certainty::Likely)
        .shown_by(zram.iter().chain(slow).map(|(place, _)| place.cell("used")))
        .shown_by(counted.map(|(place, _)| place.cell("in_rate")))
        .shown_by(traffic_cells(view))
}

/// Reports a priority group with imbalance.
pub(super) const UNBALANCED: Rule =
    Rule::new("unbalanced", "the areas in a priority group are used unevenly", unbalanced)
        .about("Reported if at least {imbalance_warn} of what a priority group holds would have to move for its areas to hold equal shares, at least 5% of its size is used, and all its areas are of one known speed class. Not reported if large folios explain it: they go whole to block devices and never to files. Their share of all swap-outs is measured between the samples if at least {often} pages are swapped out per second, otherwise since boot. The kernel fills the areas in a priority group round robin, so that the group is as fast as its areas together; pages on one area are read from that area alone. Imbalance usually comes from an area that was added later or emptied. A command is given if emptying areas would help; unlike this rule it also checks the limits of cgroups, and changes nothing if they leave too little room.")
        .needs(part_set![Swaps, Block, Kernel, Meminfo, Vmstat, Thp, Knobs])
        .thresholds(&["imbalance_warn", "often"]);

/// Figures of at most this many areas are shown as evidence.
const MOST: usize = 4;

fn unbalanced(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let areas = view.now.swaps.reading.get()?;
    let classes = speed::compared_classes(areas.len(), view.now.block.reading.known_items(), &[]);
    let by_area: Vec<GroupMember<'_>> = areas
        .iter()
        .zip(&classes)
        .map(|(area, (speed, _))| (area, speed.known().copied()))
        .collect();
    let found = balance::groups(areas).into_iter().filter_map(|group| {
        let members: Vec<GroupMember<'_>> =
            group.members.iter().filter_map(|place| by_area.get(*place).copied()).collect();
        let limits = (policy.imbalance_warn, policy.often);
        let certainty = match spread::judge(view, &members, &group, limits) {
            SpreadVerdict::Balanced
            | SpreadVerdict::SeveralSpeeds
            | SpreadVerdict::Folios(FolioImbalance { part: Reading::Known(_), .. }) => return None,
            SpreadVerdict::Folios(_) => Certainty::Hint,
            SpreadVerdict::Stays | SpreadVerdict::Drain(_) => Certainty::Certain,
        };
        // The command sees a single sample.
        let seen = spread::judge(&SampleView::single(view.now), &members, &group, limits);
        let can = matches!(seen, SpreadVerdict::Drain(_))
            && !members.iter().any(|(area, _)| needed_for_overcommit(view, area));
        Some(unbalanced_finding(&group, &members, can, policy).with_certainty(certainty))
    });
    Ok(found.collect())
}

/// Reports a group; `can` says whether the command would change something.
fn unbalanced_finding(
    group: &PriorityGroup,
    members: &[GroupMember<'_>],
    can: bool,
    policy: &Policy,
) -> Finding {
    let mut areas: Vec<_> = members.iter().map(|(area, _)| *area).collect();
    let names = short_names(areas.iter().map(|area| area.path.safe()));
    let full = |area: &SwapArea| share(area.used_at_least(), area.size);
    areas.sort_by(|a, b| full(b).total_cmp(&full(a)));
    let priority = group.priority.to_string();
    let sentence = if can {
        "The areas in a priority group should fill evenly. Pages beyond the equal share of an area are read from that area alone, so the group is slower than it could be. Moving them needs a swapoff of that area; the command also checks the limits of cgroups, and changes nothing if they leave too little room."
    } else {
        "The areas in a priority group should fill evenly. Pages beyond the equal share of an area are read from that area alone, so the group is slower than it could be. Moving them would need a swapoff of that area."
    };
    let found = Finding::warn(UNBALANCED.id, format!("{names} are used unevenly"), sentence)
        .with_subject(priority.clone())
        .shown_by([EvidenceCell::for_row("groups", priority, "imbalance")])
        .shown_by(areas.iter().take(MOST).map(|it| EvidenceCell::for_area(it, "used")));
    if can { found.fixed_by(spread_command(policy)) } else { found }
}

/// Returns the command with the threshold of this rule: --skew is added unless that is the default.
fn spread_command(policy: &Policy) -> String {
    let plain = "swapadm rebalance spread";
    // The command accepts 1 % or more.
    let percent =
        |policy: &Policy| ((policy.imbalance_warn * 1000.0).round() / 10.0).max(1.0).to_string();
    let set = percent(policy);
    let is_usual = set == percent(&Policy::DEFAULT);
    if is_usual { plain.to_owned() } else { format!("{plain} --skew {set}") }
}

#[cfg(test)]
mod tests {
    use super::UNBALANCED;
    use crate::advice::Certainty;
    use crate::advice::testing::TestMachine;
    use crate::model::Policy;

    mod one_by_one {
        use super::super::ONE_BY_ONE;
        use crate::advice::testing::TestMachine;

        const ID: &str = ONE_BY_ONE.id;

        fn three(used: u64) -> TestMachine {
            let first = TestMachine::default().disk("sda", -2, (1000, used));
            first.disk("sdb", -3, (1000, 0)).disk("sdc", -4, (1000, 0))
        }

        #[test]
        fn a_full_area_before_empty_ones_of_its_speed_is_reported() {
            assert_eq!(three(1000).fixes(ID), ["swapadm rebalance"]);
            assert_eq!(three(799).severities(ID), [""; 0], "it has room, and nothing moves");
            assert_eq!(three(799).counted("pswpout", 100).severities(ID), ["warn"]);
            assert_eq!(three(0).counted("pswpout", 100).severities(ID), [""; 0], "too little data");
        }

        #[test]
        fn reads_of_a_swapoff_are_no_traffic() {
            let drained = three(799).counted("pswpin", 100);
            assert_eq!(drained.severities(ID), ["warn"]);
            let drained = three(799).counted("pswpin", 100).memory("SwapTotal", 2799);
            assert!(drained.advice().unjudged.iter().any(|(id, _)| *id == ID));
        }

        #[test]
        fn areas_that_several_nodes_fill_in_turn_are_reported_once() {
            let zram = TestMachine::default().zram("zram0", -2, (1000, 1000));
            let disk = zram.zram("zram1", -3, (1000, 0)).disk("sda", -4, (1000, 0));
            assert_eq!(disk.on_node(0).severities(ID), ["warn"]);
        }

        #[test]
        fn chosen_orders_and_other_speeds_are_not_reported() {
            let two = |first, second| {
                let one = TestMachine::default().disk("sda", first, (1000, 1000));
                one.disk("sdb", second, (1000, 0)).severities(ID)
            };
            assert_eq!(two(10, 5), [""; 0], "somebody chose that");
            assert_eq!(two(10, -2), [""; 0]);
            assert_eq!(two(-1, -1), [""; 0], "one priority group");
            let zram = TestMachine::default().zram("zram0", -2, (1000, 1000));
            assert_eq!(zram.disk("sda", -3, (1000, 0)).severities(ID), [""; 0]);
            let own = TestMachine::default().disk("sda", -2, (1000, 1000)).on_node(0);
            assert_eq!(own.disk("sdb", -3, (1000, 0)).on_node(1).severities(ID), [""; 0]);
            let own = TestMachine::default().disk("sda", -2, (1000, 1000)).on_node(0);
            let beside = own.disk("sdb", -3, (1000, 1000));
            assert_eq!(beside.severities(ID), [""; 0]);
            let others = beside.disk("sdc", -4, (1000, 0));
            assert_eq!(others.severities(ID), ["warn"], "sdb fills before sdc");
        }
    }

    mod lru_inversion {
        use super::super::LRU_INVERSION;
        use crate::advice::testing::TestMachine;

        const ID: &str = LRU_INVERSION.id;

        fn above_a_disk(used: u64) -> TestMachine {
            let zram = TestMachine::default().zram("zram0", 100, (1000, used));
            zram.disk("sda", 5, (4000, 500))
        }

        #[test]
        fn full_zram_above_a_disk_that_is_read_is_reported() {
            let read = |used| above_a_disk(used).counted("pswpin", 100);
            assert_eq!(read(800).severities(ID), ["warn"]);
            assert_eq!(read(799).severities(ID), [""; 0], "zram has room");
            assert_eq!(above_a_disk(1000).severities(ID), [""; 0], "nothing is read");
            let from_zram = above_a_disk(1000).counted("pswpin", 500).moved("zram0", (401, 0));
            assert_eq!(from_zram.severities(ID), [""; 0], "zram is read, not the disk");
        }

        #[test]
        fn reads_of_a_swapoff_are_not_those_of_the_workload() {
            let drained = above_a_disk(1000).counted("pswpin", 100).memory("SwapTotal", 1500);
            assert!(drained.advice().unjudged.iter().any(|(id, _)| *id == ID));
        }

        #[test]
        fn other_orders_have_rules_of_their_own() {
            let below = TestMachine::default().zram("zram0", 1, (1000, 1000));
            let below = below.disk("sda", 5, (4000, 500)).counted("pswpin", 500);
            assert_eq!(below.severities(ID), [""; 0]);
            let alone = TestMachine::default().zram("zram0", 1, (1000, 1000));
            assert_eq!(alone.counted("pswpin", 500).severities(ID), [""; 0]);
        }
    }

    const ID: &str = UNBALANCED.id;

    #[test]
    fn an_area_above_its_equal_share_is_reported_unless_the_excess_is_small() {
        let pair =
            |a, b| TestMachine::default().disk("sda", 5, (1000, a)).disk("sdb", 5, (1000, b));
        assert_eq!(pair(300, 100).fixes(ID), ["swapadm rebalance spread"]);
        assert_eq!(pair(239, 161).severities(ID), [""; 0]);
        assert_eq!(pair(12, 0).severities(ID), [""; 0], "too little data");
        assert_eq!(pair(99, 0).severities(ID), [""; 0], "less than 5% of the group is used");
        assert_eq!(pair(100, 0).severities(ID), ["warn"]);
        let other = TestMachine::default().disk("sda", 5, (1000, 300)).disk("sdb", 4, (1000, 100));
        assert_eq!(other.severities(ID), [""; 0]);
        let slow = TestMachine::default().disk("sda", 5, (1000, 300)).rotating("sdb", 5, (1000, 0));
        assert_eq!(slow.severities(ID), [""; 0], "another rule covers these");
        let virtio =
            TestMachine::default().rotating("vda", 5, (1000, 300)).rotating("sdb", 5, (1000, 0));
        assert_eq!(virtio.severities(ID), [""; 0], "which of them is slower is unknown");
    }

    #[test]
    fn no_command_is_named_where_overcommit_needs_the_areas() {
        let promised = |mode| {
            let pair =
                TestMachine::default().disk("sda", 5, (1000, 300)).disk("sdb", 5, (1000, 100));
            let pair = pair.memory("CommitLimit", 2000).memory("Committed_AS", 1500);
            pair.knob("overcommit_memory", mode)
        };
        assert_eq!(promised("0").fixes(ID).len(), 1);
        assert!(promised("2").has_no_command(ID));
    }

    /// 400 MiB are used, 100 of them more on the disk than equal shares would put there.
    fn file() -> TestMachine {
        TestMachine::default().disk("sda", 5, (1000, 300)).file("/swap", 5, (1000, 100))
    }

    #[test]
    fn imbalance_caused_by_large_folios_is_not_reported() {
        let file = || file().counted("pswpout", 400 << 8);
        assert_eq!(file().severities(ID), ["warn"]);
        assert_eq!(
            file().folios(800, 0).severities(ID),
            [""; 0],
            "they explain 25 MiB of it: the other 75 are less than 20% of 400"
        );
        assert_eq!(file().folios(600, 0).severities(ID), ["warn"], "too few of them");
    }

    #[test]
    fn old_swap_outs_do_not_explain_imbalance() {
        let since_boot = |folios, pages| {
            let machine = file().long_ago("pswpout", pages).folios_long_ago(folios);
            machine.severities(ID)
        };
        assert_eq!(since_boot(800, 400 << 8), [""; 0]);
        assert_eq!(since_boot(800, 4000 << 8), ["warn"], "few of the present pages are folios");
        let other = || file().long_ago("pswpout", 400 << 8).folios_long_ago(800);
        assert_eq!(other().counted("pswpout", 99).severities(ID), [""; 0]);
        let now = other().counted("pswpout", 100);
        assert_eq!(now.severities(ID), ["warn"], "none of them are large folios");
        assert!(now.fixes(ID).is_empty(), "the command sees counters since boot");
    }

    #[test]
    fn unknown_folio_counters_do_not_hide_imbalance() {
        let mut unread = file().counted("pswpout", 400 << 8).folios(800, 0);
        unread.lost_folios = true;
        assert_eq!(unread.severities(ID), ["warn"]);
        assert!(unread.fixes(ID).is_empty(), "the command does not act on unknown counters");
        let found = unread.advice().findings.into_iter().find(|it| it.rule == ID);
        assert_eq!(found.map(|it| it.certainty), Some(Certainty::Hint));
    }

    #[test]
    fn no_command_is_named_where_it_would_change_nothing() {
        let pair =
            || TestMachine::default().disk("sda", 5, (1000, 300)).disk("sdb", 5, (1000, 100));
        assert_eq!(pair().fixes(ID).len(), 1);
        assert!(pair().sentence(ID).contains("cgroups"), "a cgroup limit may stop it");
        let short = pair().memory("MemAvailable", 0);
        assert_eq!(short.severities(ID), ["warn"]);
        assert!(short.fixes(ID).is_empty(), "sdb would get everything");
        assert!(!short.sentence(ID).contains("the command"));
    }

    #[test]
    fn the_command_goes_by_the_threshold_that_was_set() {
        let uneven = TestMachine::default().disk("sda", 5, (1000, 300)).disk("sdb", 5, (1000, 100));
        let advice = uneven.advice_by(&Policy { imbalance_warn: 0.075, ..Policy::DEFAULT });
        let found = advice.findings.into_iter().find(|finding| finding.rule == ID).unwrap();
        assert_eq!(found.fix.as_deref(), Some("swapadm rebalance spread --skew 7.5"));
    }
}

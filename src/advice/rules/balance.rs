//! Rules about how evenly the areas in a priority group are used.

use crate::advice::areas::{needed_for_overcommit, share, short_names};
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, RuleResult};
use crate::derive::balance::{self, PriorityGroup};
use crate::derive::spread::{self, FolioImbalance, GroupMember, SpreadVerdict};
use crate::derive::{SampleView, speed};
use crate::model::swaparea::SwapArea;
use crate::model::{Policy, Reading, part_set};

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
        Some(finding(&group, &members, can, policy).with_certainty(certainty))
    });
    Ok(found.collect())
}

/// Reports a group; `can` says whether the command would change something.
fn finding(
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
        .shown_by(
            areas
                .iter()
                .take(MOST)
                .map(|it| EvidenceCell::for_row("devices", it.path.exact(), "used")),
        );
    if can { found.fixed_by(command(policy)) } else { found }
}

/// Returns the command with the threshold of this rule: --skew is added unless that is the default.
fn command(policy: &Policy) -> String {
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

//! Too few of the pages that are read ahead are used.

use crate::advice::places::{number, setting};
use crate::advice::{Certainty, Evidence, Finding, Rule, Verdict};
use crate::derive::{View, readahead};
use crate::model::{Part, PartSet, Policy};

const ID: &str = "readahead-wasted";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "readahead brings in pages that nobody uses",
    about: "Speaks when fewer than readahead_low of the pages that were read ahead between the samples were used, and at least ahead_least of all pages read from swap, and often of them in a second, were read ahead. Each wasted page costs a read and a page of memory. It says nothing while a swapoff runs, since that counts as reading ahead too.",
    needs: PartSet::of(&[Part::Swaps, Part::Block, Part::Vmstat, Part::Knobs, Part::Meminfo]),
    thresholds: &["readahead_low", "ahead_least", "often"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let page_cluster = number(view.now, "page-cluster")?;
    let (success, seconds) = readahead::in_window(view);
    let rate = success.ahead.into_result()? as f64 / seconds.into_result()?;
    // Where nothing is read ahead there is no share of anything.
    if page_cluster == 0 || rate < policy.often {
        return Ok(vec![]);
    }
    let is_part = success.of_reads.into_result()? >= policy.ahead_least;
    if !is_part || success.share.into_result()? >= policy.readahead_low {
        return Ok(vec![]);
    }
    let sentence = "Each page that is read ahead and not used costs a read from swap and a page of memory. A smaller page-cluster reads fewer at a time; what comes of it shows in the same figures.";
    let figures = ["success", "wasted_rate", "of_reads"];
    let found = Finding::warn(ID, "readahead brings in pages that nobody uses", sentence)
        .sure(Certainty::Likely)
        .shown_by(figures.map(|column| Evidence::of("readahead", column)))
        .shown_by([setting("page-cluster")])
        .fixed_by(format!("swapadm set page-cluster={}", smaller(view, page_cluster)));
    Ok(vec![found])
}

/// One that makes windows half as large: along addresses they are of five at most, whatever is set.
fn smaller(view: &View<'_>, page_cluster: u64) -> u64 {
    let window = readahead::limit(view.now);
    window.known().map_or(page_cluster, |pages| u64::from(pages.ilog2())).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    fn reading(ahead: u64, used: u64, all: u64) -> Machine {
        let machine = Machine::default().disk("sda", 5, (1000, 500)).memory("SwapTotal", 1000);
        machine.counted("swap_ra", ahead).counted("swap_ra_hit", used).counted("pswpin", all)
    }

    #[test]
    fn what_is_advised_makes_a_difference() {
        let large = || reading(1000, 0, 2000).knob("page-cluster", "9");
        assert_eq!(large().fixes(ID), ["swapadm set page-cluster=4"], "32 pages at most");
        let device = large().knob("vma_ra_enabled", "false");
        assert_eq!(device.fixes(ID), ["swapadm set page-cluster=8"]);
    }

    #[test]
    fn waste_is_told_where_it_is_much() {
        assert_eq!(reading(1000, 499, 2000).fixes(ID), ["swapadm set page-cluster=2"]);
        assert_eq!(reading(1000, 500, 2000).severities(ID), [""; 0]);
        assert_eq!(reading(99, 0, 200).severities(ID), [""; 0], "seldom");
        assert_eq!(reading(1000, 0, 5001).severities(ID), [""; 0], "a small part");
        assert_eq!(reading(0, 0, 0).severities(ID), [""; 0]);
        assert_eq!(reading(0, 0, 0).state(ID), "fine", "it was judged");
    }
}

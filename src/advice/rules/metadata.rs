//! Areas cost more memory than they are worth.

use crate::advice::places::{listed, share};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::metadata::Metadata;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Part, PartSet, Policy};
use std::cmp::Reverse;

const ID: &str = "metadata";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "the kernel takes much memory to remember what is on swap",
    about: "Speaks when the kernel needs at least metadata_warn of all memory to remember what is on all areas together: so much for each slot, used or not on kernels before 7.x, and more for those that are used. Smaller areas cost less. It says nothing on kernels of which nobody knows how much that is.",
    needs: PartSet::of(&[Part::Swaps, Part::Kernel, Part::Meminfo]),
    thresholds: &["metadata_warn"],
    check,
};

/// Figures of more areas say nothing more.
const MOST: usize = 4;

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let areas = view.now.swaps.reading.get()?;
    let memory = view.now.memory("MemTotal").into_result()?;
    let release = view.now.kernel.reading.get()?.release.get()?;
    let page = *view.now.page_size.get()?;
    let cost = |area: &'_ SwapArea| {
        let used = area.used.get()?;
        Metadata::of(release, page, (area.size, *used)).into_result()
    };
    let costs: Vec<Metadata> = areas.iter().map(cost).collect::<Result<_, Missing>>()?;
    let all: Bytes = costs.iter().map(|cost| cost.all()).sum();
    if areas.is_empty() || share(all, memory) < policy.metadata_warn {
        return Ok(vec![]);
    }
    let mut dear: Vec<(&SwapArea, &Metadata)> = areas.iter().zip(&costs).collect();
    dear.sort_by_key(|(_, cost)| Reverse(cost.all()));
    dear.truncate(MOST);
    Ok(vec![found(&dear)])
}

/// Those that cost most.
fn found(dear: &[(&SwapArea, &Metadata)]) -> Finding {
    let names: Vec<String> = dear.iter().map(|(area, _)| area.path.safe()).collect();
    let sum = |of: fn(&Metadata) -> Bytes| dear.iter().map(|(_, cost)| of(cost)).sum::<Bytes>();
    let sentence = if sum(|cost| cost.fixed) >= sum(|cost| cost.used) {
        "The kernel needs memory for each slot of an area, whether it is used or not: there is more swap than fits the memory of the machine. Smaller areas cost less."
    } else {
        "The kernel needs memory for each slot that is used: there is more on swap than fits the memory of the machine. Smaller areas bound that."
    };
    let cell = |(area, _): &(&SwapArea, _)| Evidence::at("cost", area.path.exact(), "metadata");
    let what = listed(&names);
    Finding::warn(
        ID,
        format!("the kernel takes much memory to remember what is on {what}"),
        sentence,
    )
    .severe(Severity::Note)
    .shown_by(dear.iter().map(cell))
    .shown_by([Evidence::of("headroom", "mem_total")])
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn an_area_out_of_proportion_is_told_on_kernels_that_are_known() {
        let of = |gib: u64| Machine::default().disk("sda", 5, (gib << 10, 0));
        assert_eq!(of(128).severities(ID), ["note"], "102 MiB of 4096");
        assert_eq!(of(64).severities(ID), [""; 0]);
        assert_eq!(of(128).on("7.1.0").severities(ID), [""; 0]);
    }

    #[test]
    fn several_that_cost_much_together_are_told_as_one() {
        let names = ["sda", "sdb", "sdc", "sdd"];
        let add = |machine: Machine, name: &&str| machine.disk(name, 5, (48 << 10, 0));
        let found = names.iter().fold(Machine::default(), add).advice().findings;
        let found: Vec<_> = found.into_iter().filter(|finding| finding.rule == ID).collect();
        assert_eq!(found.len(), 1);
        assert!(found[0].evidence.iter().all(|it| it.table != "cost" || it.column == "metadata"));
        assert_eq!(found[0].evidence.iter().filter(|it| it.table == "cost").count(), 4);
        let two = names.iter().take(2).fold(Machine::default(), add);
        assert_eq!(two.severities(ID), [""; 0]);
    }
}

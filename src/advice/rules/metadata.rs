//! Areas cost more memory than they are worth.

use crate::advice::places::share;
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::metadata::Metadata;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Part, PartSet, Policy};

const ID: &str = "metadata";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "the kernel takes much memory to remember what is on an area",
    about: "Speaks when the kernel needs at least metadata_warn of all memory to remember what is on an area: so much for each slot, used or not on kernels before 7.x, and more for those that are used. A smaller area costs less. It says nothing on kernels of which nobody knows how much that is.",
    needs: PartSet::of(&[Part::Swaps, Part::Kernel, Part::Meminfo]),
    thresholds: &["metadata_warn"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let areas = view.now.swaps.reading.get()?;
    let memory = view.now.memory("MemTotal").into_result()?;
    let release = view.now.kernel.reading.get()?.release.get()?;
    let page = *view.now.page_size.get()?;
    let cost = |area: &SwapArea| {
        let used = area.used.get()?;
        Metadata::of(release, page, (area.size, *used)).into_result()
    };
    let mut found = Vec::new();
    for area in areas {
        let cost: Bytes = cost(area)?.all();
        if share(cost, memory) >= policy.metadata_warn {
            found.push(told(area));
        }
    }
    Ok(found)
}

fn told(area: &SwapArea) -> Finding {
    let name = area.path.safe();
    let sentence = "The kernel needs memory for each slot of an area, whether it is used or not: this area is out of proportion to the memory of the machine. A smaller one costs less.";
    let summary = format!("{name} costs much memory for what the kernel remembers of it");
    Finding::warn(ID, summary, sentence)
        .about(name)
        .severe(Severity::Note)
        .shown_by(["size", "used"].map(|column| Evidence::at("devices", area.path.exact(), column)))
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
}

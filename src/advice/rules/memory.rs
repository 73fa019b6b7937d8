//! Rules about the memory that swap itself takes.

use crate::advice::areas::{
    AreaWithDevice, ORDER, TRAFFIC, areas_by_speed, knob_cell, share, short_names,
};
use crate::advice::finding::cells;
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, RuleResult};
use crate::derive::metadata::Metadata;
use crate::derive::speed::Speed;
use crate::derive::traffic::{self, Direction};
use crate::derive::{SampleView, selection, spread};
use crate::model::kernel::Release;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Name, Policy, part_set};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Reports metadata that takes much memory.
pub(super) const METADATA: Rule =
    Rule::new("metadata", "the metadata of the areas takes much memory", metadata)
        .about("Reported if the metadata of all areas takes at least {metadata_warn} of all memory: kernels up to 6.18 need some for each slot, used or not, and all kernels need more for used slots. Smaller areas need less. Not reported on kernels whose metadata size is unknown.")
        .needs(part_set![Swaps, Kernel, Meminfo])
        .thresholds(&["metadata_warn"]);

/// Figures of at most this many areas are shown as evidence.
const MOST: usize = 4;

fn metadata(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let areas = view.now.swaps.reading.get()?;
    let memory = view.now.memory("MemTotal").into_result()?;
    let release = view.now.kernel.reading.get()?.release.get()?;
    let page = *view.now.page_size.get()?;
    let cost = |area: &'_ SwapArea| {
        let used = area.used.get()?;
        Metadata::for_area(release, page, (area.size, *used)).into_result()
    };
    let costs: Vec<Metadata> = areas.iter().map(cost).collect::<Result<_, Missing>>()?;
    let all: Bytes = costs.iter().map(|cost| cost.all()).sum();
    if areas.is_empty() || share(all, memory) < policy.metadata_warn {
        return Ok(vec![]);
    }
    let mut dear: Vec<(&SwapArea, &Metadata)> = areas.iter().zip(&costs).collect();
    dear.sort_by_key(|(_, cost)| Reverse(cost.all()));
    dear.truncate(MOST);
    Ok(vec![metadata_finding(&dear)])
}

/// Reports the areas with the most metadata.
fn metadata_finding(dear: &[(&SwapArea, &Metadata)]) -> Finding {
    let names = short_names(dear.iter().map(|(area, _)| area.path.safe()));
    let sum = |of: fn(&Metadata) -> Bytes| dear.iter().map(|(_, cost)| of(cost)).sum::<Bytes>();
    let sentence = if sum(|cost| cost.fixed) >= sum(|cost| cost.used) {
        "The kernel keeps metadata for each slot of an area, used or not: the areas are too large for the memory of this machine. Use smaller areas."
    } else {
        "The kernel keeps metadata for each used slot: swap holds too much for the memory of this machine. Smaller areas limit that."
    };
    let cell =
        |(area, _): &(&SwapArea, _)| EvidenceCell::for_row("cost", area.path.exact(), "metadata");
    Finding::note(METADATA.id, format!("the metadata of {names} takes much memory"), sentence)
        .shown_by(dear.iter().map(cell))
        .shown_by(cells("headroom", ["mem_total"]))
}

/// Reports zswap in front of zram.
pub(super) const ZSWAP_ZRAM: Rule =
    Rule::new("zswap-zram", "zswap compresses pages before they reach zram", zswap_zram)
        .about("Reported if zswap is enabled and an area is on zram. zswap compresses every page first; a page that it evicts is decompressed, and zram compresses it again. Both keep it in memory, so the second step gains nothing. Use zswap in front of disks, or zram instead of zswap.")
        .needs(ORDER.with(part_set![Knobs]));

fn zswap_zram(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let is_on = is_zswap_on(view)?;
    let all = areas_by_speed(view)?;
    let zram: Vec<_> = all.into_iter().filter(|(_, speed)| *speed == Speed::Zram).collect();
    if !is_on || zram.is_empty() {
        return Ok(vec![]);
    }
    let names = short_names(zram.iter().map(|(place, _)| place.name()));
    let sentence = if zram.len() == view.now.swaps.reading.get()?.len() {
        "zswap compresses pages first, and zram compresses them again when zswap evicts them; both keep them in memory. Pages that are in zswap now stay there until they are needed."
    } else {
        "zswap compresses pages first, and zram compresses them again when zswap evicts them; both keep them in memory. With disks behind zram, either of the two does better alone: disable zswap if zram has the higher priority, otherwise disable the area on zram."
    };
    let found = Finding::warn(
        ZSWAP_ZRAM.id,
        format!("zswap compresses pages before they reach {names}"),
        sentence,
    )
    .shown_by([knob_cell("zswap.enabled")])
    .shown_by(zram.iter().map(|(place, _)| place.cell("kind")));
    let found = if is_first(view, &zram) == Ok(true) { found.fixed_by(FIX) } else { found };
    Ok(vec![found])
}

const FIX: &str = "swapadm set zswap.enabled off --persist";

/// Returns whether all zram fills before any other area, on each node. Otherwise a disk that fills first
/// would lose its zswap.
fn is_first(view: &SampleView<'_>, zram: &[(AreaWithDevice<'_>, Speed)]) -> Result<bool, Missing> {
    let areas = view.now.swaps.reading.get()?;
    let zram: BTreeSet<&Name> = zram.iter().map(|(place, _)| &place.area.path).collect();
    let is_zram = |at: usize| areas.get(at).is_some_and(|area| zram.contains(&area.path));
    let in_order = |line: &selection::NodeOrder| {
        let groups = |of_zram| {
            let own = line.places.iter().filter(move |place| is_zram(place.area) == of_zram);
            own.map(|place| place.group)
        };
        groups(false).min().is_none_or(|first| groups(true).max() < Some(first))
    };
    Ok(selection::for_pages(view.now).into_result()?.lines.iter().all(in_order))
}

/// Reports large folios that go past zswap to the disk.
pub(super) const ZSWAP_BYPASSED: Rule =
    Rule::new("zswap-bypassed", "large folios bypass zswap", zswap_bypassed)
        .about("Reported if zswap is enabled on a kernel before 6.13, at least {often} pages per second are swapped out, and at least half of them in large folios. Up to 6.12 zswap stores single pages only: a large folio that is swapped out whole goes past zswap to the area, uncompressed. Later kernels store the pages of large folios in zswap.")
        .needs(TRAFFIC.with(part_set![Swaps, Kernel, Knobs, Thp]))
        .thresholds(&["often"]);

/// The first release whose zswap stores large folios.
const STORES_LARGE: Release = Release(6, 13);
/// Share of large folios from which on zswap is missing most.
const MOSTLY: f64 = 0.5;

fn zswap_bypassed(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let is_old = view.now.release().into_result()? < STORES_LARGE;
    if !is_old || !is_zswap_on(view)? {
        return Ok(vec![]);
    }
    let out = traffic::pages_per_second(view, Direction::Out).into_result()?;
    if out < policy.often || spread::large_folio_share(view, policy.often).into_result()? < MOSTLY {
        return Ok(vec![]);
    }
    let sentence = "On this kernel zswap stores single pages only: large folios go past it to the area, uncompressed. With huge pages on request only (thp.enabled madvise), or on kernel 6.13 or later, zswap gets them.";
    let always = view.now.knob("thp.enabled").known().is_some_and(|text| text.contains("[always]"));
    let found = Finding::warn(ZSWAP_BYPASSED.id, "large folios bypass zswap", sentence)
        .with_certainty(Certainty::Likely)
        .shown_by(["zswap.enabled", "thp.enabled"].map(knob_cell))
        .shown_by(cells("paging", ["out_rate"]));
    Ok(vec![if always { found.fixed_by("swapadm set thp.enabled=madvise") } else { found }])
}

pub(super) fn is_zswap_on(view: &SampleView<'_>) -> Result<bool, Missing> {
    Ok(view.now.knob("zswap.enabled").into_result()?.starts_with(['Y', 'y', '1']))
}

#[cfg(test)]
mod tests {
    mod zswap_bypassed {
        use super::super::ZSWAP_BYPASSED;
        use crate::advice::testing::TestMachine;

        const ID: &str = ZSWAP_BYPASSED.id;

        #[test]
        fn large_folios_go_past_zswap_on_kernels_before_6_13() {
            let machine = |folios| {
                let zswap = TestMachine::default().knob("zswap.enabled", "Y");
                let disk = zswap.disk("sda", 5, (4000, 500)).counted("pswpout", 1600);
                disk.folios(folios, 0).knob("thp.enabled", "[always] madvise never")
            };
            assert_eq!(machine(50).fixes(ID), ["swapadm set thp.enabled=madvise"]);
            assert_eq!(machine(49).severities(ID), [""; 0], "most are single pages");
            assert_eq!(machine(50).on("6.13.0").severities(ID), [""; 0]);
            assert_eq!(machine(50).knob("zswap.enabled", "N").severities(ID), [""; 0]);
            assert!(machine(50).knob("thp.enabled", "always [madvise] never").has_no_command(ID));
        }
    }

    mod metadata {
        use super::super::METADATA;
        use crate::advice::testing::TestMachine;

        const ID: &str = METADATA.id;

        #[test]
        fn oversized_swap_is_reported_on_known_kernels() {
            let of = |gib: u64| TestMachine::default().disk("sda", 5, (gib << 10, 0));
            assert_eq!(of(128).severities(ID), ["note"], "102 MiB of 4096");
            assert_eq!(of(64).severities(ID), [""; 0]);
            assert_eq!(of(128).on("7.1.0").severities(ID), [""; 0]);
        }

        #[test]
        fn several_large_areas_are_reported_as_one() {
            let names = ["sda", "sdb", "sdc", "sdd"];
            let add = |machine: TestMachine, name: &&str| machine.disk(name, 5, (48 << 10, 0));
            let found = names.iter().fold(TestMachine::default(), add).advice().findings;
            let found: Vec<_> = found.into_iter().filter(|finding| finding.rule == ID).collect();
            assert_eq!(found.len(), 1);
            assert!(
                found[0].evidence.iter().all(|it| it.table != "cost" || it.column == "metadata")
            );
            assert_eq!(found[0].evidence.iter().filter(|it| it.table == "cost").count(), 4);
            let two = names.iter().take(2).fold(TestMachine::default(), add);
            assert_eq!(two.severities(ID), [""; 0]);
        }
    }

    mod zswap_zram {
        use super::super::ZSWAP_ZRAM;
        use crate::advice::testing::TestMachine;

        const ID: &str = ZSWAP_ZRAM.id;

        #[test]
        fn zswap_before_zram_is_wrong_and_before_a_disk_right() {
            let zswap = || TestMachine::default().knob("zswap.enabled", "Y");
            let zram = zswap().zram("zram0", 5, (1000, 0));
            assert_eq!(zram.fixes(ID), ["swapadm set zswap.enabled off --persist"]);
            assert_eq!(zswap().disk("sda", 5, (1000, 0)).severities(ID), [""; 0]);
            let off = TestMachine::default().zram("zram0", 5, (1000, 0));
            assert_eq!(off.severities(ID), [""; 0]);
            let first = zswap().zram("zram0", 5, (1000, 0)).disk("sda", 4, (1000, 0));
            assert_eq!(first.fixes(ID).len(), 1);
            let behind = zswap().zram("zram0", 5, (1000, 0)).disk("sda", 5, (1000, 0));
            assert_eq!(behind.severities(ID), ["warn"]);
            assert!(behind.fixes(ID).is_empty(), "the disk would lose zswap");
            let counted =
                |kernel| zswap().zram("zram0", -2, (1000, 0)).disk("sda", -3, (1000, 0)).on(kernel);
            assert_eq!(counted("6.12.1").fixes(ID).len(), 1);
            let own = counted("6.12.1").on_node(0);
            assert!(
                own.fixes(ID).is_empty(),
                "its node fills the disk first, whatever /proc/swaps shows"
            );
        }
    }
}

//! zram compresses poorly.

use crate::advice::places::{ROOM, fits, mib, share, verdict, zram};
use crate::advice::{Evidence, Finding, Rule, Verdict};
use crate::derive::View;
use crate::derive::compression::{self, ZramRatio};
use crate::model::swaparea::SwapArea;
use crate::model::zram::ZramDevice;
use crate::model::{Missing, Part, PartSet, Policy};

const ID: &str = "zram-ratio";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "zram compresses poorly",
    about: "Speaks when a zram device that carries swap saves little memory: the memory ratio is below zram_ratio_low, of at least zram_least MiB of data. Where the data alone compress better than that, and lost_warn of the memory or more is lost in fragments between them, compacting helps. Where huge_warn of them do not compress with its algorithm, another one hardly does better: what is compressed or encrypted already belongs on a disk. Else another algorithm may; with one the device begins empty, so what is on it has to fit elsewhere.",
    needs: ROOM.with(PartSet::of(&[Part::ZramDetail])),
    thresholds: &["zram_ratio_low", "zram_least", "lost_warn", "huge_warn"],
    check,
};

/// The algorithm that compresses best of those that are usual.
const BEST: &str = "zstd";

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    verdict(zram(view)?.into_iter().map(|at| of(view, policy, at)))
}

fn of(
    view: &View<'_>,
    policy: &Policy,
    (device, area): (&ZramDevice, &SwapArea),
) -> Result<Option<Finding>, Missing> {
    let held = compression::zram(device, &view.now.page_size);
    let low = held.memory_ratio.clone().map(|ratio| ratio < policy.zram_ratio_low);
    if mib(held.data.clone().into_result()?) < policy.zram_least || !low.into_result()? {
        return Ok(None);
    }
    let name = &device.name;
    let why = why(&held, policy);
    let cell = |column| Evidence::at("zram", name.clone(), column);
    let found = Finding::warn(ID, why.summary(name), why.sentence())
        .about(name.clone())
        .shown_by([cell("memory_ratio")])
        .shown_by(held.ratio.known().map(|_| cell("ratio")))
        .shown_by(["data", "memory", "huge", "algorithm"].map(cell));
    let command = match why {
        Why::Fragments => Some(format!("swapadm zram compact {name}")),
        Why::Algorithm if has_better(device) && fits(view, area) == Ok(true) => {
            Some(format!("swapadm zram algorithm {name} {BEST}"))
        }
        Why::Algorithm | Why::Huge => None,
    };
    Ok(Some(Finding { fix: command, ..found }))
}

/// What takes the memory.
#[derive(Clone, Copy)]
enum Why {
    /// Room between the data.
    Fragments,
    /// Pages that do not compress.
    Huge,
    /// The data as the algorithm compresses them.
    Algorithm,
}

impl Why {
    fn summary(self, name: &str) -> String {
        match self {
            Self::Fragments => format!("{name} takes much more memory than its compressed data"),
            Self::Huge | Self::Algorithm => format!("{name} compresses poorly"),
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Fragments => {
                "Its data compress well, but lie in fragments: much of the memory between them is lost. Compacting gives that back."
            }
            Self::Huge => {
                "Many of its pages do not compress with its algorithm, and take a whole page of memory each. Another one hardly does better on what is compressed or encrypted already, which belongs on a disk."
            }
            Self::Algorithm => {
                "It saves little memory for the time that it takes to compress. Another algorithm may do better: to change it empties the device, and what is on it goes elsewhere meanwhile. What is compressed or encrypted already belongs on a disk."
            }
        }
    }
}

fn why(held: &ZramRatio, policy: &Policy) -> Why {
    let huge = held.huge.clone().map2(held.data.clone(), share);
    let both = held.ratio.clone().map2(held.memory_ratio.clone(), |ratio, memory| (ratio, memory));
    let in_fragments = |(ratio, memory): &(f64, f64)| {
        *ratio >= policy.zram_ratio_low && 1.0 - memory / ratio >= policy.lost_warn
    };
    if both.known().is_some_and(in_fragments) {
        Why::Fragments
    } else if huge.known().is_some_and(|part| *part >= policy.huge_warn) {
        Why::Huge
    } else {
        Why::Algorithm
    }
}

fn has_better(device: &ZramDevice) -> bool {
    device.algorithm.known().is_some_and(|choice| {
        choice.current != BEST && choice.offered.iter().any(|offered| offered == BEST)
    })
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;
    use crate::model::thp::Choice;
    use crate::model::zram::MmStat;
    use crate::model::zram::testing::mm_stat;
    use crate::model::{Bytes, Pages, Reading};

    fn holding(mib: u64, memory: u64, algorithm: &str) -> Machine {
        let mut machine = Machine::default().zram("zram0", 5, (1000, mib));
        machine.devices[0].mm = Reading::Known(mm_stat(mib << 20, memory << 20));
        machine.devices[0].algorithm = Reading::Known(Choice::parse(algorithm).unwrap());
        machine
    }

    #[test]
    fn little_saved_is_told_and_a_better_algorithm_named() {
        let better = "swapadm zram algorithm zram0 zstd";
        assert_eq!(holding(140, 100, "[lz4] zstd").fixes(ID), [better]);
        assert_eq!(holding(140, 100, "lz4 [zstd]").severities(ID), ["warn"]);
        assert!(holding(140, 100, "lz4 [zstd]").fixes(ID).is_empty());
        assert_eq!(holding(150, 100, "[lz4] zstd").severities(ID), [""; 0]);
        assert_eq!(holding(14, 10, "[lz4] zstd").severities(ID), [""; 0], "too little to tell");
    }

    #[test]
    fn what_the_allocator_wastes_is_compacted() {
        let mut wasteful = holding(140, 100, "[lz4] zstd");
        let compr_data = Bytes(47 << 20);
        wasteful.devices[0].mm =
            Reading::Known(MmStat { compr_data, ..mm_stat(140 << 20, 100 << 20) });
        assert_eq!(wasteful.fixes(ID), ["swapadm zram compact zram0"]);
        assert!(wasteful.sentence(ID).contains("fragments"), "{}", wasteful.sentence(ID));
        // 1.55 to 1 as data, 1.4 with what lies between: that is as little as on any device.
        let compr_data = Bytes(90 << 20);
        wasteful.devices[0].mm =
            Reading::Known(MmStat { compr_data, ..mm_stat(140 << 20, 100 << 20) });
        assert_eq!(wasteful.fixes(ID), ["swapadm zram algorithm zram0 zstd"]);
    }

    #[test]
    fn what_does_not_compress_at_all_is_no_fault_of_the_algorithm() {
        let mut huge = holding(140, 100, "[lz4] zstd");
        let huge_pages = Reading::Known(Pages(80 * 256));
        huge.devices[0].mm = Reading::Known(MmStat { huge_pages, ..mm_stat(140 << 20, 100 << 20) });
        assert_eq!(huge.found(ID).len(), 1);
        assert!(huge.fixes(ID).is_empty());
        assert!(huge.sentence(ID).contains("with its algorithm"), "no other one was tried");
    }

    #[test]
    fn no_algorithm_is_advised_where_the_device_cannot_be_emptied() {
        let stuck = holding(140, 100, "[lz4] zstd").memory("MemAvailable", 10);
        assert_eq!(stuck.severities(ID), ["warn"]);
        assert!(stuck.fixes(ID).is_empty());
        assert!(holding(140, 100, "[lz4] zstd").sentence(ID).contains("empties the device"));
    }
}

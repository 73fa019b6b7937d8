//! zram compresses poorly.

use crate::advice::places::{verdict, zram};
use crate::advice::{Evidence, Finding, Rule, Verdict};
use crate::derive::{View, compression};
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Missing, Part, PartSet, Policy};

const ID: &str = "zram-ratio";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "zram compresses poorly",
    about: "Speaks when what a zram device that carries swap holds takes more memory than it saves: the memory ratio is below zram_ratio_low, of at least 16 MiB of data. Such a device moves memory from one place to another, and costs time for it. Another algorithm may do better; data that is compressed or encrypted already belongs on a disk.",
    needs: PartSet::of(&[Part::Swaps, Part::Zram, Part::ZramDetail]),
    thresholds: &["zram_ratio_low"],
    check,
};

/// Less data than this says little of what will come.
const ENOUGH: Bytes = Bytes(16 << 20);
/// The algorithm that compresses best of those that are usual.
const BEST: &str = "zstd";

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    verdict(zram(view)?.into_iter().map(|(device, _)| of(view, policy, device)))
}

fn of(view: &View<'_>, policy: &Policy, device: &ZramDevice) -> Result<Option<Finding>, Missing> {
    let held = compression::zram(device, &view.now.page_size);
    if held.data.into_result()? < ENOUGH
        || held.memory_ratio.into_result()? >= policy.zram_ratio_low
    {
        return Ok(None);
    }
    let name = &device.name;
    let sentence = "What it holds takes nearly as much memory as before, and time to compress. Another algorithm may do better; what is compressed or encrypted already belongs on a disk.";
    let cell = |column| Evidence::at("zram", name.clone(), column);
    let found = Finding::warn(ID, format!("{name} compresses poorly"), sentence)
        .about(name.clone())
        .shown_by(["memory_ratio", "data", "memory", "huge", "algorithm"].map(cell));
    let has_better = device.algorithm.known().is_some_and(|choice| {
        choice.current != BEST && choice.offered.iter().any(|offered| offered == BEST)
    });
    let command = || format!("swapadm zram algorithm {name} {BEST}");
    Ok(Some(if has_better { found.fixed_by(command()) } else { found }))
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::{Machine, mm_stat};
    use crate::model::Reading;
    use crate::model::thp::Choice;

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
}

//! One area that rotates decides how the kernel reads ahead from all of them.

use crate::advice::places::{Place, classed, knob, listed, number, setting};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::speed::{self, Speed};
use crate::model::{Part, PartSet, Policy};

const ID: &str = "readahead-device";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "a rotating area turns readahead along addresses off for all",
    about: "Speaks when the kernel would read ahead along the addresses of a process, and does not since an area rotates, though others do not; or since only virtio disks say that they rotate, as all of them do, also below device mapper. While one such area is active, the kernel goes along the slots of the device wherever it reads ahead. Whether a disk rotates is read at swapon: set it before that.",
    needs: PartSet::of(&[Part::Swaps, Part::Block, Part::Knobs]),
    thresholds: &[],
    check,
};

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let is_off = number(view.now, "page-cluster")? == 0;
    let follows = knob(view.now, "vma_ra_enabled")?.starts_with('t');
    let all = classed(view)?;
    let rotating = |place: &Place<'_>| {
        place.block().is_some_and(|block| block.rotational.known() == Some(&true))
    };
    let (slow, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(it, _)| rotating(it));
    // The kernel asks the device that carries the area, and not those below it.
    let virtio = slow.iter().filter_map(|(place, _)| {
        let block = place.block().filter(|block| speed::is_virtio(block))?;
        Some(speed::believed_in(block))
    });
    let mut virtio: Vec<String> = virtio.collect();
    // Beside a disk that does rotate, it would help nothing to say of these that they do not.
    let is_believed = virtio.len() == slow.len();
    virtio.sort_unstable();
    virtio.dedup();
    let hinders = others.iter().any(|(_, speed)| *speed == Speed::Solid) || is_believed;
    if is_off || !follows || slow.is_empty() || !hinders {
        return Ok(vec![]);
    }
    let names: Vec<String> = slow.iter().map(|(place, _)| place.name()).collect();
    let sentence = if is_believed {
        format!(
            "Wherever the kernel reads ahead, it goes along the slots of the device. A virtio disk always says that it rotates, whatever is behind it. If that does not, switch the area off, write 0 to {}, and switch it on again. The next boot forgets that, unless a udev rule writes it.",
            listed(&virtio)
        )
    } else {
        "Wherever the kernel reads ahead, it goes along the slots of the device, which pays on a disk that rotates only. Without such areas it follows the addresses of the process.".to_owned()
    };
    let verb = match (is_believed, names.len() > 1) {
        (true, true) => "say that they rotate",
        (true, false) => "says that it rotates",
        (false, true) => "rotate",
        (false, false) => "rotates",
    };
    let summary = format!("{} {verb}: readahead goes along devices for all", listed(&names));
    let found = Finding::warn(ID, summary, sentence)
        .severe(Severity::Note)
        .shown_by([Evidence::of("readahead", "mode"), setting("vma_ra_enabled")])
        .shown_by(slow.iter().map(|(place, _)| place.cell("rotational")));
    Ok(vec![found])
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;
    use crate::model::Reading;

    #[test]
    fn one_that_rotates_among_others_is_told_and_so_is_a_virtio_disk() {
        let solid = || Machine::default().disk("sda", 5, (1000, 0));
        assert_eq!(solid().rotating("sdb", 4, (1000, 0)).severities(ID), ["note"]);
        assert_eq!(solid().severities(ID), [""; 0]);
        let off = solid().rotating("sdb", 4, (1000, 0)).knob("vma_ra_enabled", "false");
        assert_eq!(off.severities(ID), [""; 0]);
        let alone = |name| Machine::default().rotating(name, 4, (1000, 0));
        assert_eq!(alone("sdb").severities(ID), [""; 0], "it is right for that");
        assert_eq!(alone("vda").severities(ID), ["note"]);
        assert_eq!(alone("vda").knob("page-cluster", "0").severities(ID), [""; 0]);
    }

    #[test]
    fn below_device_mapper_it_is_a_virtio_disk_too() {
        let mapped = |disk: &str| {
            let mut machine = Machine::default().rotating("dm-0", 4, (1000, 0));
            machine.blocks[0].disks = Reading::Known(vec![disk.to_owned()]);
            machine
        };
        assert_eq!(mapped("sda").severities(ID), [""; 0]);
        let told = mapped("vda").sentence(ID);
        assert!(told.contains("/sys/block/dm-0/queue/rotational"), "{told}");
    }

    #[test]
    fn every_virtio_disk_has_a_path_of_its_own_and_none_helps_beside_a_disk_that_rotates() {
        let add = |machine: Machine, name| machine.rotating(name, 4, (1000, 0));
        let told = ["vdb", "vda", "vdb"].into_iter().fold(Machine::default(), add).sentence(ID);
        let paths = "/sys/block/vda/queue/rotational and /sys/block/vdb/queue/rotational,";
        assert!(told.contains(paths) && told.contains("udev rule"), "{told}");
        let beside = add(add(Machine::default(), "vda"), "sdb");
        assert_eq!(beside.severities(ID), [""; 0], "readahead along the device is right for sdb");
        let mixed = beside.disk("sda", 5, (1000, 0)).sentence(ID);
        assert!(!mixed.contains("/sys/block"), "{mixed}");
    }
}

//! Much of what zram holds does not compress.

use crate::advice::places::{mib, share, zram};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::{View, compression};
use crate::model::zram::ZramDevice;
use crate::model::{Missing, Part, PartSet, Policy, Reading};

const ID: &str = "zram-huge";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "much of what zram holds does not compress",
    about: "Speaks when huge_warn of what a zram device that carries swap holds, and at least zram_least MiB of it, are pages that do not compress with its algorithm. Each takes a whole page of memory, as if it were not swapped at all. A device with a backing device can write them to that, where the kernel has CONFIG_ZRAM_WRITEBACK.",
    needs: PartSet::of(&[Part::Swaps, Part::Zram, Part::ZramDetail]),
    thresholds: &["huge_warn", "zram_least"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let found = zram(view)?.into_iter().filter_map(|(device, _)| of(view, policy, device));
    found.collect()
}

fn of(view: &View<'_>, policy: &Policy, device: &ZramDevice) -> Option<Result<Finding, Missing>> {
    let held = compression::zram(device, &view.now.page_size);
    let (huge, data) = match held.huge.map2(held.data, |huge, data| (huge, data)).into_result() {
        Ok(both) => both,
        Err(missing) => return Some(Err(missing)),
    };
    if mib(huge) < policy.zram_least || share(huge, data) < policy.huge_warn {
        return None;
    }
    let name = &device.name;
    let has_backing = device.backing_dev.known().is_some();
    let is_used_up = is_used_up(device);
    let sentence = if has_backing && is_used_up {
        "Each of these pages takes a whole page of memory, as if it were not swapped. The device has a backing device, but may write nothing more to it: its writeback_limit is 0."
    } else if has_backing {
        "Each of these pages takes a whole page of memory, as if it were not swapped. The device has a backing device, to which they can go."
    } else {
        "Each of these pages takes a whole page of memory, as if it were not swapped. Where the kernel has CONFIG_ZRAM_WRITEBACK, a zram device that is made with a backing device can write them to a disk."
    };
    let cell = |column| Evidence::at("zram", name.clone(), column);
    let found = Finding::warn(ID, format!("much of what {name} holds does not compress"), sentence)
        .about(name.clone())
        .severe(Severity::Note)
        .shown_by(["huge", "data", "memory_ratio"].map(cell));
    let command = || format!("swapadm zram writeback {name} huge");
    Some(Ok(if has_backing && !is_used_up { found.fixed_by(command()) } else { found }))
}

/// With a limit of what is written back, and nothing left of it, the kernel refuses.
fn is_used_up(device: &ZramDevice) -> bool {
    device.writeback_limit_enable == Reading::Known(true)
        && device.writeback_limit == Reading::Known(0)
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;
    use crate::model::zram::MmStat;
    use crate::model::zram::testing::mm_stat;
    use crate::model::{Name, Pages, Reading};

    fn holding(mib: u64, huge: u64) -> Machine {
        let mut machine = Machine::default().zram("zram0", 5, (1000, mib));
        let huge_pages = Reading::Known(Pages(huge * 256));
        machine.devices[0].mm =
            Reading::Known(MmStat { huge_pages, ..mm_stat(mib << 20, mib << 19) });
        machine
    }

    #[test]
    fn no_command_is_named_that_the_limit_of_writing_back_refuses() {
        let backed = |limit| {
            let mut machine = holding(100, 50);
            machine.devices[0].backing_dev = Reading::Known("/dev/sdb1".into());
            machine.devices[0].writeback_limit_enable = Reading::Known(true);
            machine.devices[0].writeback_limit = Reading::Known(limit);
            machine
        };
        assert_eq!(backed(1).fixes(ID), ["swapadm zram writeback zram0 huge"]);
        assert!(backed(0).has_no_command(ID));
        assert!(backed(0).sentence(ID).contains("writeback_limit is 0"));
    }

    #[test]
    fn pages_that_do_not_compress_are_told_where_they_are_many() {
        assert_eq!(holding(100, 25).severities(ID), ["note"]);
        assert_eq!(holding(100, 24).severities(ID), [""; 0]);
        assert_eq!(holding(30, 15).severities(ID), [""; 0], "too little to matter");
        assert!(holding(100, 25).sentence(ID).contains("CONFIG_ZRAM_WRITEBACK"));
        let mut backed = holding(100, 25);
        backed.devices[0].backing_dev = Reading::Known(Name::from("/dev/sdb"));
        assert_eq!(backed.fixes(ID), ["swapadm zram writeback zram0 huge"]);
    }
}

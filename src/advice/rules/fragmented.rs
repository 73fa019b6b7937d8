//! A swap file lies in many small pieces.

use crate::advice::places::{Place, mib, places, verdict};
use crate::advice::{Finding, Rule, Severity, Verdict};
use crate::derive::{View, speed};
use crate::model::swaparea::AreaKind;
use crate::model::{Part, PartSet, Policy, Reading};

const ID: &str = "fragmented";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "a swap file lies in many small pieces",
    about: "Speaks when a swap file has on average less than extent_small MiB in a piece; it is a warning where the disk rotates, which has to seek from one to the next; of a virtio disk, which always says that it rotates, that is not believed. What is written at once then goes out in several requests, and the kernel remembers each piece. A file that got all of its place at once, on a file system with room, has few.",
    needs: PartSet::of(&[Part::Swaps, Part::Block, Part::Layouts]),
    thresholds: &["extent_small"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let layouts = view.now.layouts.reading.get()?;
    let all = places(view)?.into_iter().enumerate();
    let files = all.filter(|(_, place)| place.area.kind == AreaKind::File);
    verdict(files.map(|(at, place)| {
        let layout = layouts.get(at).cloned().unwrap_or_else(Reading::not_sampled);
        Ok(of(&place, layout.into_result()?.extents, policy))
    }))
}

fn of(place: &Place<'_>, extents: u64, policy: &Policy) -> Option<Finding> {
    let each = mib(place.area.size) / extents.max(1) as f64;
    if extents < 2 || each >= policy.extent_small {
        return None;
    }
    let seeks = place.block().is_some_and(speed::seeks);
    let name = place.name();
    let sentence = "What is written at once goes out in several requests, and the kernel remembers each piece. A new file gets larger ones where its file system has room: make one with swapadm file create, switch it on, and switch this one off.";
    let found = Finding::warn(ID, format!("{name} lies in many small pieces"), sentence)
        .about(name)
        .severe(if seeks { Severity::Warn } else { Severity::Note });
    Some(found.shown_by(["extents", "size", "rotational"].map(|column| place.cell(column))))
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;
    use crate::model::swaparea::FileLayout;
    use crate::model::{Missing, Reading};

    fn file(extents: u64) -> Machine {
        let mut machine = Machine::default().file("/swap", 5, (100, 0));
        let first = Reading::absent("it does not matter");
        machine.layouts[0] = Reading::Known(FileLayout { extents, first });
        machine
    }

    #[test]
    fn a_file_in_many_small_pieces_is_told_and_one_in_a_few_is_not() {
        assert_eq!(file(101).severities(ID), ["note"]);
        assert_eq!(file(100).severities(ID), [""; 0]);
        assert_eq!(file(1).severities(ID), [""; 0]);
        let mut slow = file(101);
        slow.blocks[0].rotational = Reading::Known(true);
        assert_eq!(slow.severities(ID), ["warn"]);
        slow.blocks[0].disks = Reading::Known(vec!["vda".to_owned()]);
        assert_eq!(slow.severities(ID), ["note"], "it only says that it rotates");
    }

    #[test]
    fn a_file_that_may_not_be_opened_is_not_judged() {
        let mut hidden = file(1);
        hidden.layouts[0] = Missing::Denied("/swap".into()).into();
        assert!(hidden.advice().unjudged.iter().any(|(id, _)| *id == ID));
        let disk = Machine::default().disk("sda", 5, (100, 0)).advice();
        assert!(disk.unjudged.is_empty(), "{disk:?}");
    }
}

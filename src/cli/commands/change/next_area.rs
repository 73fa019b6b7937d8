//! The areas that receive the next pages before and after a plan.

use crate::actions::Step;
use crate::actions::plan::Plan;
use crate::change::{ChangeTarget, ObservedMachine};
use crate::columns::tables::selection;
use crate::derive::cost;
use crate::derive::selection::whatif::{self, AreaChange, KnownArea};
use crate::derive::selection::{self as order, NodeOrder};
use crate::model::activation::Activation;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Missing, Snapshot, part_set};
use crate::root::Root;

/// The areas that receive the next pages now and after this plan, in words; none if the plan changes no
/// area, or if they are not known.
pub(super) fn next_pages(machine: &ObservedMachine<'_>, plan: &Plan) -> Option<String> {
    if !plan.steps.iter().any(Step::is_of_areas) {
        return None;
    }
    let areas = machine.areas().ok()?;
    let mut now = machine.snapshot.clone();
    now.allocator = machine.target.sample(part_set![Allocator]).allocator;
    let steps = plan.steps.iter();
    let switched: Vec<_> = steps.flat_map(|step| switched(machine.target, areas, step)).collect();
    let then = whatif::after_changes(&now, &switched);
    let told = selection::describe_change(&now, &then)?;
    Some(match unknown_next(&then) {
        Some(missing) => format!("{told}: {}", missing.why()),
        None => told,
    })
}

/// Why the next areas are not known; none if they are known for a node.
fn unknown_next(then: &Snapshot) -> Option<Missing> {
    let found = order::for_pages(then).known().cloned()?;
    let why = |line: &NodeOrder| line.unknown.clone().filter(|_| line.phases.is_empty());
    let whys: Option<Vec<Missing>> = found.lines.iter().map(why).collect();
    whys?.into_iter().next()
}

fn switched(
    target: ChangeTarget<'_>,
    areas: &[SwapArea],
    step: &Step,
) -> impl Iterator<Item = AreaChange> {
    let off = step.disabled_area().map(|area| AreaChange::Off(area.path.clone()));
    let on = step
        .enabled_area()
        .map(|wanted| AreaChange::On(Box::new(known_area(target, areas, wanted)), wanted.priority));
    off.into_iter().chain(on)
}

/// The area that is enabled: the present one if it is active, or else one made from its file or device.
fn known_area(target: ChangeTarget<'_>, areas: &[SwapArea], wanted: &Activation) -> KnownArea {
    let is_on = areas.iter().find(|area| area.path == wanted.path);
    let area = is_on.cloned().unwrap_or_else(|| planned_area(target.root(), wanted));
    let block = target.view().device(&area);
    (area, block)
}

/// The size of an area that is enabled. Any size with room for the next page will do.
const ROOM: Bytes = Bytes(1 << 30);

fn planned_area(root: &Root, wanted: &Activation) -> SwapArea {
    let facts = root.facts(wanted.path.as_path());
    let is_file = facts.known().is_some_and(|facts| facts.regular);
    let kind = if is_file { AreaKind::File } else { AreaKind::Partition };
    SwapArea { path: wanted.path.clone(), kind, ..cost::planned_area(ROOM, "") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::plan;
    use crate::model::Name;
    use crate::model::activation::{Discard, Priority};
    use crate::root::testing::TestTree;

    const SWAPS: &str = "Filename Type Size Used Priority
/dev/sda partition 1048572 1048572 10
/dev/sdb partition 1048572 0 5
";

    #[test]
    fn reenabled_areas_are_empty_and_new_ones_known() {
        let tree = TestTree::new();
        tree.write("machine.toml", "page_size = 4096\n");
        tree.write("proc/swaps", SWAPS);
        tree.write("proc/sys/kernel/osrelease", "6.12.1\n");
        for (name, rotates) in [("sda", "0"), ("sdb", "0"), ("sdc", "1")] {
            tree.write(&format!("sys/block/{name}/size"), "2097152\n");
            tree.write(&format!("sys/block/{name}/queue/rotational"), rotates);
        }
        let root = tree.root();
        let machine = ObservedMachine::observe(&root);
        let areas = machine.areas().unwrap();
        let priority = |name: &str, priority| {
            let wishes = [(Name::from(name), Priority::Set(priority))];
            next_pages(&machine, &plan::priorities(areas, |_| Discard::None, &wishes).unwrap())
                .unwrap()
        };
        assert_eq!(priority("/dev/sda", 20), "now sdb; afterwards sda");
        assert_eq!(priority("/dev/sda", 4), "now sdb; afterwards sda", "what was on it fills sdb");
        assert_eq!(priority("/dev/sdb", 4), "sdb, unchanged");
        let on = |path: &str| {
            let (path, priority) = (Name::from(path), Priority::Set(5));
            let wanted = [Activation { path, priority, discard: Discard::None }];
            next_pages(&machine, &plan::on(areas, &wanted, false).unwrap()).unwrap()
        };
        assert_eq!(on("/dev/sdc"), "now sdb; afterwards sdb (53%) and sdc (47%)");
        let unknown = on("/dev/sdd");
        assert!(unknown.starts_with("now sdb; afterwards unknown: "), "{unknown}");
        assert_eq!(next_pages(&machine, &Plan::without_steps("nothing".to_owned())), None);
    }

    /// The next areas when `path` is disabled while these areas are active.
    fn off(swaps: &str, path: &str) -> String {
        let tree = TestTree::new();
        tree.write("machine.toml", "page_size = 4096\n");
        tree.write("proc/swaps", format!("Filename Type Size Used Priority\n{swaps}"));
        tree.write("proc/sys/kernel/osrelease", "6.12.1\n");
        let root = tree.root();
        let machine = ObservedMachine::observe(&root);
        let paths = [Name::from(path)];
        let plan = plan::off(machine.areas().unwrap(), |_| Discard::None, &paths).unwrap();
        next_pages(&machine, &plan).unwrap()
    }

    #[test]
    fn what_is_freed_fills_other_areas() {
        let zram = "/dev/zram0 partition 2097152 1048576 100\n";
        let gone = "/dev/sda partition 16777216 8388608 10\n";
        let large = "/dev/sdb partition 16777216 0 5\n";
        let all = [zram, gone, large].concat();
        assert_eq!(off(&all, "/dev/sda"), "now zram0; afterwards sdb");
        let small = "/dev/sdb partition 4194304 0 5\n";
        let said = off(&[zram, gone, small].concat(), "/dev/sda");
        assert_eq!(
            said,
            "now zram0; afterwards unknown: the contents to move do not fit on the other areas"
        );
        assert_eq!(off(gone, "/dev/sda"), "now sda; afterwards none");
        let little = "/dev/sda partition 16777216 1024 10\n";
        assert_eq!(off(&[zram, little].concat(), "/dev/sda"), "zram0, unchanged");
    }
}

use super::grid::Sizes;
use super::grid::testing::snapshot;
use super::*;
use crate::model::Bytes;
use crate::model::clusters::{ClusterView, SlotSet};
use crate::model::swaparea::testing::area;
use crate::root::testing::TestTree;
use std::cell::Cell;

const HEAD: &str = "Filename Type Size Used Priority\n";

fn machine(names: &[&str]) -> TestTree {
    let row = |name: &&str| format!("{name} partition 4092 2000 100\n");
    TestTree::with(&[("proc/swaps", HEAD.to_owned() + &names.iter().map(row).collect::<String>())])
}

fn areas(names: &[&str]) -> Vec<SwapArea> {
    names.iter().map(|name| area(name, 100, 4092 << 10, 2000 << 10)).collect()
}

#[test]
fn areas_that_change_during_the_read_are_read_again() {
    let tree = machine(&["/dev/a", "/dev/b"]);
    let looks = Cell::new(0);
    let look = |steady_at: u32| {
        looks.set(0);
        read_unchanged(&tree.root(), |rows| {
            looks.set(looks.get() + 1);
            if looks.get() < steady_at {
                let name = format!("/dev/c{steady_at}-{}", looks.get());
                tree.write("proc/swaps", format!("{HEAD}{name} partition 4092 0 1\n"));
            }
            Reading::Known(rows.len())
        })
    };
    let (rows, count) = look(2).into_result().unwrap();
    assert_eq!((rows.len(), count, looks.get()), (1, 1, 2), "the second look held");
    let why = look(u32::MAX).missing().unwrap().to_string();
    assert!(why.contains("try again") && looks.get() == TRIES, "{why}");
}

#[test]
fn a_disabled_area_is_marked_and_others_stay_complete() {
    let tree = machine(&["/dev/b"]);
    let all = areas(&["/dev/a", "/dev/b", "/dev/c"]);
    let sizes = Sizes::from_snapshot(&tree.root(), &snapshot(vec![])).unwrap();
    let map = |slots: &[u64]| {
        let grid = sizes.grid(&all[0]).unwrap();
        let mut set = SlotSet::default();
        for slot in slots {
            set.insert(*slot);
        }
        Reading::Known(grid.map(ClusterView::Mapped, grid.count(&set), Vec::new()))
    };
    let told = compare_with_swaps(&tree.root(), &all, vec![map(&[1]), map(&[2]), map(&[])]);
    assert_eq!(told[0].known().unwrap().partial.as_deref(), Some(OFF));
    assert_eq!(told[1].known().unwrap().partial, None);
    assert_eq!(told[1].known().unwrap().counted, Some(Bytes(2000 << 10)), "the use of now");
    assert_eq!(told[2].missing().unwrap().why(), OFF, "nothing of it was seen");
}

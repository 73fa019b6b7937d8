//! What is looked at before a plan is carried out.

use super::*;
use crate::actions::check::Verdict;
use crate::model::disk::Disk;
use crate::root::testing::Tree;

/// What is refused of a plan with these steps.
fn refused(tree: &Tree, steps: Vec<Step>) -> Vec<(&'static str, String)> {
    let root = tree.root();
    let plan = Plan { title: String::new(), steps, apart: false, relies_on: Vec::new() };
    let all = Machine::at_rest(&root).checks(&plan, &[]);
    let all = all.into_iter().filter(|check| check.verdict == Verdict::Refuse);
    all.map(|check| (check.id, check.text)).collect()
}

fn disk(backing: Option<&str>) -> Disk {
    Disk { size: Bytes(1 << 20), backing: backing.map(Name::from), ..Disk::default() }
}

#[test]
fn what_zram_is_to_write_to_is_looked_at_but_not_what_it_writes_to_already() {
    let tree = Tree::with(&[("data", vec![7; 8192])]);
    let to = || Some(disk(Some("/data")));
    let ids = |steps| -> Vec<_> {
        let about = refused(&tree, steps).into_iter().filter(|(_, text)| text.contains("/data"));
        about.map(|(id, _)| id).collect()
    };
    assert_eq!(ids(vec![Step::zram(0, None, to())]), ["path"]);
    assert_eq!(ids(vec![Step::zram(0, Some(disk(None)), to())]), ["path"]);
    assert_eq!(ids(vec![Step::zram(0, to(), to())]), Vec::<&str>::new());
    assert_eq!(ids(vec![Step::zram(0, to(), Some(disk(None)))]), Vec::<&str>::new());
}

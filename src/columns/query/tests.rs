use super::*;
use crate::clock::Clock;
use crate::columns::tables;
use crate::model::{Snapshot, Stamp};
use crate::root::testing::TestTree;

/// A parent with less in swap than its child, and a process without.
fn machine() -> Snapshot {
    let status = |ppid: u32, swap: u32| {
        format!("Name:\tx\nPPid:\t{ppid}\nUid:\t0\t0\t0\t0\nVmSwap:\t{swap} kB\nThreads:\t1\n")
    };
    let tree = TestTree::with(&[
        ("proc/7/status", status(1, 4)),
        ("proc/8/status", status(7, 8)),
        ("proc/9/status", status(1, 0)),
        ("proc/vmstat", "pswpin 3\n".to_owned()),
    ]);
    let clock = Clock::at(Stamp { boot_ns: 0, wall_ms: 0 });
    let parts = PartSet::from_parts(&[Part::Processes, Part::Vmstat]);
    crate::probes::sample(&tree.root(), &clock, parts)
}

fn query(table: &str, request: &Request) -> Query {
    Query::new(tables::find(table).unwrap(), request).unwrap()
}

fn asked(columns: &str) -> Request {
    Request { columns: Some(columns.to_owned()), ..Request::default() }
}

fn rows(table: &str, request: &Request) -> Rows {
    let machine = machine();
    query(table, request).rows(&SampleView::single(&machine)).into_result().unwrap()
}

#[test]
fn a_cell_is_found_by_its_column() {
    let rows = rows("processes", &asked("pid,swap,rss"));
    assert_eq!((rows.place("swap"), rows.place("user")), (Some(1), None));
    assert_eq!(rows.value(0, "swap"), Some(&Value::Whole(8192)));
    assert_eq!(rows.text(0, "swap"), "8K");
    assert_eq!(rows.value(0, "user"), None);
    assert_eq!([rows.text(0, "user"), rows.text(0, "rss"), rows.text(9, "swap")], ["-"; 3]);
}

#[test]
fn every_row_has_its_key_in_the_order_shown() {
    let keys = |request: &Request| rows("processes", request).keys;
    let numbers = |pids: &[u64]| pids.iter().map(|pid| Value::Whole(*pid)).collect::<Vec<_>>();
    assert_eq!(keys(&asked("swap")), numbers(&[8, 7]), "largest first");
    assert_eq!(keys(&asked("pid,swap")), numbers(&[8, 7]));
    assert_eq!(keys(&Request { all: true, ..asked("swap") }), numbers(&[8, 7, 9]));
    assert_eq!(keys(&Request { tree: true, ..asked("swap") }), numbers(&[7, 8]));
    let origins = |request: &Request| rows("processes", request).origins;
    assert_eq!(origins(&asked("swap")), [1, 0], "where they stood before");
    assert_eq!(origins(&Request { tree: true, ..asked("swap") }), [0, 1]);
    let shown = rows("processes", &asked("swap"));
    assert!(shown.cells.iter().all(|row| row.len() == 1), "the key is not shown for that");
}

#[test]
fn a_key_that_is_not_shown_is_neither_sampled_for_nor_searched() {
    let paging = query("paging", &asked("pswpin"));
    assert!(!paging.needs_two_samples(), "its key is a rate");
    let word = Request { filter: Some("pswp".to_owned()), ..asked("value") };
    assert_eq!(rows("counters", &word).keys, []);
    let word = Request { filter: Some("pswp".to_owned()), ..asked("value,name") };
    assert_eq!(rows("counters", &word).keys, [Value::from("pswpin")]);
}

#[test]
fn the_sorted_column_is_reported_if_it_is_shown() {
    let sorted = |columns: &str, sort: Option<&str>| {
        let sort = sort.map(str::to_owned);
        rows("processes", &Request { sort, ..asked(columns) }).sorted
    };
    assert_eq!(sorted("pid,uses", None), Some((1, true)));
    assert_eq!(sorted("pid,swap", Some("pid,-swap")), Some((0, false)));
    assert_eq!(sorted("pid,rss", None), None);
    assert_eq!(rows("counters", &asked("name")).sorted, None);
}

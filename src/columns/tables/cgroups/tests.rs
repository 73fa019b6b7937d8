use super::*;
use crate::model::users::CgroupTree;
use crate::model::{Sampled, Snapshot, Stamp};
use crate::probes::cgroup;
use crate::root::testing::TestTree;

/// A machine with one version 2 cgroup that has these files.
fn machine(files: &[(&str, &str)]) -> Snapshot {
    let tree = TestTree::with(&[
        ("proc/mounts", "c /cg cgroup2 rw 0 0\n"),
        ("cg/cgroup.controllers", "memory\n"),
    ]);
    for (file, text) in files {
        tree.write(&format!("cg/a/{file}"), text);
    }
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    snapshot.cgroups = Sampled::new(None, cgroup::read(&tree.root()));
    snapshot
}

/// A cell of that cgroup.
fn cell(snapshot: &Snapshot, id: &str) -> Value {
    let place = SPEC.find(id).unwrap();
    let rows = SPEC.all_cells(&SampleView::single(snapshot), &[place]).into_result().unwrap();
    rows.into_iter().nth(1).unwrap().remove(0)
}

#[test]
fn the_counters_of_a_group_have_columns() {
    let names = [
        "pswpin",
        "pswpout",
        "zswpin",
        "zswpout",
        "zswpwb",
        "zswap_incomp",
        "swpin_zero",
        "swpout_zero",
        "thp_swpout",
        "thp_swpout_fallback",
    ];
    let line = |(number, name): (u64, &str)| format!("{name} {number}\n");
    let lines = (1..).zip(names).map(line).collect::<Vec<_>>().concat();
    let now = machine(&[("memory.stat", &lines)]);
    for (number, name) in (1..).zip(names) {
        assert_eq!(cell(&now, name), Value::Whole(number), "{name}");
    }
    assert!(cell(&machine(&[("memory.stat", "anon 1\n")]), "pswpin").missing().is_some());
}

#[test]
fn each_figure_of_the_pressure_has_a_column() {
    let lines = "some avg10=1.00 avg60=25.00 avg300=50.00 total=2500000\n\
        full avg10=2.00 avg60=12.50 avg300=75.00 total=500000\n";
    let now = machine(&[("memory.pressure", lines)]);
    let expected = [
        ("some60", 0.25),
        ("some300", 0.5),
        ("some_total", 2.5),
        ("full60", 0.125),
        ("full300", 0.75),
        ("full_total", 0.5),
    ];
    for (id, number) in expected {
        assert_eq!(cell(&now, id), Value::Real(number), "{id}");
    }
}

#[test]
fn a_row_has_its_peak_and_the_number_of_omitted_groups() {
    let mut now = machine(&[("memory.peak", "4096\n")]);
    assert_eq!(cell(&now, "memory_peak"), Value::Whole(4096));
    assert_eq!(cell(&now, "not_read"), Value::Whole(0));
    let tree = now.cgroups.reading.known().cloned().unwrap();
    now.cgroups = Sampled::new(None, Reading::Known(CgroupTree { left_out: 3, ..tree }));
    assert_eq!(cell(&now, "not_read"), Value::Whole(3));
}

use super::*;
use crate::clock::Clock;
use crate::columns::{Query, Request, select};
use crate::derive::SampleView;
use crate::model::kernel::Release;
use crate::model::{Part, PartSet, Snapshot, Stamp};
use std::collections::BTreeSet;

fn is_snake_case(id: &str) -> bool {
    let ok = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    id.starts_with(|c: char| c.is_ascii_lowercase()) && id.chars().all(ok)
}

#[test]
fn column_names_are_unique_and_have_help_and_a_source() {
    for spec in TABLES {
        let mut seen = BTreeSet::new();
        for info in (spec.infos)() {
            assert!(is_snake_case(info.id), "{}.{}", spec.name, info.id);
            assert!(seen.insert(info.id), "{}.{} stands twice", spec.name, info.id);
            assert!(info.help.ends_with(['.', '?']), "{}.{}: {}", spec.name, info.id, info.help);
            assert!(!info.source.is_empty(), "{}.{} has no source", spec.name, info.id);
            assert!(!info.head.is_empty());
        }
    }
}

#[test]
fn a_release_is_later_than_the_oldest_supported_and_stands_in_one_place() {
    for spec in TABLES {
        for info in (spec.infos)() {
            let column = format!("{}.{}", spec.name, info.id);
            let since = Release::parse(info.since);
            assert!(info.since.is_empty() || since > Some(Release(5, 10)), "{column}");
            let twice = !info.since.is_empty() && info.help.contains("later)");
            assert!(!twice && !info.help.contains("Since Linux"), "{column}: {}", info.help);
        }
    }
}

#[test]
fn defaults_keys_and_sort_orders_name_columns() {
    for spec in TABLES {
        assert!(select::columns(spec, None, true).is_ok(), "{}", spec.name);
        assert!(spec.find(spec.key).is_ok(), "{}", spec.name);
        // The label of a tree is indented, which a key must not be.
        assert!(spec.tree.is_none_or(|tree| tree.label != spec.key), "{}", spec.name);
        assert!(select::sort_keys(spec, None, &[]).is_ok(), "{}", spec.name);
    }
    let names: BTreeSet<_> = TABLES.iter().map(|spec| spec.name).collect();
    assert_eq!(names.len(), TABLES.len());
}

#[test]
fn an_empty_snapshot_gives_reasons_instead_of_numbers() {
    let clock = Clock::at(Stamp { boot_ns: 0, wall_ms: 0 });
    let empty = Snapshot::empty(clock.now());
    for spec in TABLES {
        let infos = (spec.infos)();
        let all: Vec<usize> = (0..infos.len()).collect();
        let view = SampleView { now: &empty, before: Some(&empty) };
        let Some(rows) = spec.all_cells(&view, &all).known().cloned() else {
            continue;
        };
        for (cell, info) in rows.iter().flatten().zip(infos.iter().cycle()) {
            assert!(cell.missing().is_some(), "{}.{} is {cell:?}", spec.name, info.id);
        }
    }
}

#[test]
fn only_columns_marked_so_compare_two_samples() {
    let dir = tempfile::tempdir().unwrap();
    let root = crate::root::Root::at(dir.path()).unwrap();
    let clock = Clock::at(Stamp { boot_ns: 0, wall_ms: 0 });
    let parts: PartSet = crate::model::Part::ALL.into_iter().collect();
    let snapshot = crate::probes::sample(&root, &clock, parts);
    for spec in TABLES {
        let infos = (spec.infos)();
        let all: Vec<usize> = (0..infos.len()).collect();
        let Some(rows) = spec.all_cells(&SampleView::single(&snapshot), &all).known().cloned()
        else {
            continue;
        };
        for (cell, info) in rows.iter().flatten().zip(infos.iter().cycle()) {
            let one = cell.missing().is_some_and(|missing| missing.kind() == "one_sample");
            assert!(!one || info.needs_two_samples, "{}.{} compares in secret", spec.name, info.id);
        }
    }
}

#[test]
fn processes_without_swap_are_shown_with_their_details() {
    let needs = |request: &Request| {
        Query::new(find("processes").unwrap(), request).unwrap().needs().has(Part::ProcessAll)
    };
    assert!(!needs(&Request::default()), "processes without swap are not shown");
    assert!(needs(&Request { all: true, ..Request::default() }));
    assert!(needs(&Request { filter: Some("user=x".to_owned()), ..Request::default() }));
}

#[test]
fn columns_are_chosen_added_and_removed() {
    let spec = find("devices").unwrap();
    let ids = |choice: &str| -> Vec<&str> {
        let infos = (spec.infos)();
        select::columns(spec, Some(choice), false)
            .unwrap()
            .places
            .iter()
            .map(|i| infos[*i].id)
            .collect()
    };
    assert_eq!(ids("used,NAME"), ["used", "name"]);
    assert!(ids("+label").starts_with(&["name", "kind"]) && ids("+label").ends_with(&["label"]));
    assert!(ids("+label,uuid").starts_with(&["name"]) && ids("+label,uuid").ends_with(&["uuid"]));
    assert!(!ids("-kind").contains(&"kind"));
    let processes = find("processes").unwrap();
    let shown = select::columns(processes, Some("+major_faults"), true).unwrap().places;
    let shown: Vec<_> = shown.iter().map(|place| (processes.infos)()[*place].id).collect();
    assert!(shown.ends_with(&["major_fault_rate", "major_faults", "command"]), "{shown:?}");
    assert_eq!(ids("all").len(), (spec.infos)().len());
    assert!(select::columns(spec, Some("nosuch"), false).unwrap_err().contains("nosuch"));
    assert!(select::columns(spec, Some("-all"), false).is_err());
}

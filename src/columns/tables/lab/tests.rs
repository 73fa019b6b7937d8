use super::*;
use crate::columns::{TABLES, select};
use crate::derive::SampleView;
use crate::model::PartSet;
use crate::model::run::OwnFigures;
use std::collections::BTreeSet;

#[test]
fn lab_column_names_are_unique_and_have_help_and_a_source() {
    for spec in LAB_TABLES {
        let infos = (spec.infos)();
        let ids: BTreeSet<&str> = infos.iter().map(|info| info.id).collect();
        assert_eq!(ids.len(), infos.len(), "{}", spec.name);
        for info in infos {
            assert!(info.help.ends_with(['.', '?']) && !info.source.is_empty(), "{}", info.id);
            assert!(
                info.needs == PartSet::NONE && !info.needs_two_samples,
                "{} is of no snapshot",
                info.id
            );
        }
        assert!(select::columns(spec, None, false).is_ok(), "{}", spec.name);
        assert!(spec.find(spec.key).is_ok(), "{}", spec.name);
    }
    let names: BTreeSet<&str> = LAB_TABLES.iter().map(|spec| spec.name).collect();
    assert_eq!(names.len(), LAB_TABLES.len());
    assert!(TABLES.iter().all(|spec| !names.contains(spec.name)));
}

/// In tables for people FIGURE is the label of a figure, and `figure` is its name for programs.
#[test]
fn a_heading_names_the_column_shown_under_it() {
    let spec = &comparison::SPEC;
    let ids = |places: &[usize]| -> Vec<&str> {
        places.iter().map(|place| (spec.infos)()[*place].id).collect()
    };
    let chosen = |choice: &str| select::columns(spec, Some(choice), false).unwrap().places;
    let sorted = |choice: &str| {
        let keys = select::sort_keys(spec, Some("-figure"), &chosen(choice)).unwrap();
        ids(&[keys[0].column]).concat()
    };
    assert_eq!(sorted("-verdict"), "label");
    assert_eq!(sorted("all"), "figure");
    assert_eq!(sorted("second"), "figure", "nothing has that heading");
    assert_eq!(ids(&chosen("-figure")), ["first", "second", "difference", "verdict"]);
    assert_eq!(ids(&chosen("figure,first")), ["figure", "first"], "programs ask by name");
    assert!(ids(&chosen("+figure")).contains(&"figure"), "what stands there need not be added");
}

#[test]
fn a_note_says_what_other_programs_swapped() {
    let text = include_str!("../../../../tests/results/kept/1-before.json");
    let mut run: Run = serde_json::from_str(text).unwrap();
    run.measured.truncate(1);
    assert_eq!(run_notes([(None, &run)]), None);
    let counters = [("pswpout", 30_000), ("pswpin", 9000)].map(|(name, it)| (name.to_owned(), it));
    run.measured[0].own = Some(OwnFigures { counters: counters.into(), stall: None });
    let note = |name: Option<&str>| run_notes([(name.map(str::to_owned), &run)]).unwrap();
    let about = "figures of the whole machine and of areas include that.";
    assert_eq!(note(None), format!("Other programs swapped meanwhile (32.8M out): {about}"));
    assert_eq!(
        note(Some("A")),
        format!("Other programs swapped meanwhile (32.8M out in A): {about}")
    );
}

#[test]
fn a_snapshot_says_that_it_holds_no_results() {
    let snapshot = crate::model::Snapshot::empty(crate::model::Stamp { boot_ns: 0, wall_ms: 0 });
    for spec in LAB_TABLES {
        let why = spec.all_cells(&SampleView::single(&snapshot), &[0]).missing().unwrap().why();
        assert!(why.contains("swapadm results"), "{why}");
    }
}

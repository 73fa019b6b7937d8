//! The published experiments on the simulated machine, at a small scale.
//!
//! No figure of a cost file was fitted to a table. Figures that differ are named here with docs/FIDELITY.md.

use super::published::{Agreement, ComparedFigure, TABLES, compare};

fn figures(letter: char) -> Vec<ComparedFigure> {
    let table = TABLES.iter().find(|table| table.letter == letter).unwrap();
    compare(table, 1.0, &mut |_| {})
}

/// Prints all figures, and returns the cases and figures that differ from the published ones.
fn differing(figures: &[ComparedFigure]) -> Vec<String> {
    for it in figures {
        let ComparedFigure { case, figure, published, model, agreement, .. } = it;
        println!("{case}: {figure}: {published:?} {model:?} {agreement:?}");
    }
    let differs = figures.iter().filter(|it| matches!(it.agreement, Agreement::Differs(_)));
    differs.map(|it| format!("{}: {}", it.case, it.figure)).collect()
}

#[test]
fn default_priorities_share_out_as_published() {
    let figures = figures('A');
    let differs = differing(&figures);
    let is_time = |it: &String| it.ends_with("system time") || it.ends_with("throughput");
    assert!(differs.iter().all(is_time), "{differs:?}");
    assert!(figures.iter().any(|it| it.figure == "other CPUs at the lock"));
}

#[test]
fn areas_bound_to_nodes_are_faster_than_one_list() {
    assert_eq!(differing(&figures('B')), [""; 0]);
}

#[test]
fn readahead_helps_sequential_accesses_and_not_random_ones() {
    let known = [
        "HDD seq anon fixed (3)",
        "HDD seq anon new (4)",
        "HDD seq anon new (0)",
        "HDD seq shmem new (0)",
        "SSD seq anon new (0)",
        "SSD seq shmem new (0)",
    ];
    assert_eq!(differing(&figures('C')), known.map(|case| format!("{case}: elapsed time")));
}

#[test]
fn single_pages_always_get_a_slot() {
    let differs = differing(&figures('D'));
    assert!(!differs.iter().any(|it| it.ends_with("single pages without slot")), "{differs:?}");
}

#[test]
fn virtual_swap_costs_metadata_and_look_ups_and_spares_swapoff_and_slots() {
    assert_eq!(differing(&figures('E')), [""; 0]);
}

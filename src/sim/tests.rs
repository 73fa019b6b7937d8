//! The published experiments on the simulated machine, at a small scale.
//!
//! No figure of a cost file was fitted to a table. Figures that differ are named here with docs/FIDELITY.md.

use super::published::{Agreement, ComparedFigure, TABLES, compare};

fn figures(letter: char, scale: f64) -> Vec<ComparedFigure> {
    let table = TABLES.iter().find(|table| table.letter == letter).unwrap();
    compare(table, scale, &mut |_| {})
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
    assert_eq!(differing(&figures('A', 1.0)), [""; 0]);
}

#[test]
fn areas_bound_to_nodes_are_faster_than_one_list() {
    assert_eq!(differing(&figures('B', 1.0)), [""; 0]);
}

#[test]
fn readahead_helps_sequential_accesses_and_not_random_ones() {
    assert_eq!(differing(&figures('C', 1.0)), [""; 0]);
}

#[test]
fn preferring_partly_used_clusters_mends_fallbacks() {
    assert_eq!(differing(&figures('D', 1.0)), [""; 0]);
}

#[test]
fn virtual_swap_costs_metadata_and_look_ups_and_spares_swapoff_and_slots() {
    assert_eq!(differing(&figures('E', 1.0)), [""; 0]);
}

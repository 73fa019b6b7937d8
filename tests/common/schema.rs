//! The JSON schemas of the repository.

use super::{form, repository};
use boon::{SchemaIndex, Schemas};
use std::fs;

/// The schema of tables, ready to check documents against.
pub fn compiled() -> (Schemas, SchemaIndex) {
    compile("swapadm-2")
}

/// The schema of plans.
pub fn of_changes() -> (Schemas, SchemaIndex) {
    compile("swapadm-change-1")
}

/// The schema of results.
pub fn of_results() -> (Schemas, SchemaIndex) {
    compile("swapadm-results-2")
}

/// The schema of experiments.
pub fn of_experiments() -> (Schemas, SchemaIndex) {
    compile("swapadm-experiment-1")
}

/// The schema of the output of `stress run`.
pub fn of_loads() -> (Schemas, SchemaIndex) {
    compile("swapadm-stress-run-2")
}

/// The schema of the output of `experiment run`.
pub fn of_trials() -> (Schemas, SchemaIndex) {
    compile("swapadm-experiment-run-2")
}

/// The schema of machine files, or of lesson files.
pub fn of_files(kind: &str) -> (Schemas, SchemaIndex) {
    compile(&format!("swapadm-{kind}-1"))
}

fn compile(name: &str) -> (Schemas, SchemaIndex) {
    let text = fs::read_to_string(repository(&format!("schema/{name}.schema.json"))).unwrap();
    form::compile(&text)
}

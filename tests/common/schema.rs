//! The JSON schema of the repository.

use super::{form, repository};
use boon::{SchemaIndex, Schemas};
use std::fs;

/// The schema of tables, ready to check documents against.
pub fn compiled() -> (Schemas, SchemaIndex) {
    compile("swapadm-1")
}

/// The same of plans.
pub fn of_changes() -> (Schemas, SchemaIndex) {
    compile("swapadm-change-1")
}

/// The same of results.
pub fn of_results() -> (Schemas, SchemaIndex) {
    compile("swapadm-results-1")
}

/// The same of experiments.
pub fn of_experiments() -> (Schemas, SchemaIndex) {
    compile("swapadm-experiment-1")
}

/// The same of what `stress run` prints.
pub fn of_loads() -> (Schemas, SchemaIndex) {
    compile("swapadm-stress-run-1")
}

/// The same of what `experiment run` prints.
pub fn of_trials() -> (Schemas, SchemaIndex) {
    compile("swapadm-experiment-run-1")
}

fn compile(name: &str) -> (Schemas, SchemaIndex) {
    let text = fs::read_to_string(repository(&format!("schema/{name}.schema.json"))).unwrap();
    form::compile(&text)
}

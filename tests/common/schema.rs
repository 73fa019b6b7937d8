//! The JSON schema of the repository.

use super::repository;
use boon::{Compiler, SchemaIndex, Schemas};
use std::fs;

/// The schema, ready to check documents against.
pub fn compiled() -> (Schemas, SchemaIndex) {
    let text = fs::read_to_string(repository("schema/swapadm-1.schema.json")).unwrap();
    let mut compiler = Compiler::new();
    compiler.add_resource("swapadm.json", serde_json::from_str(&text).unwrap()).unwrap();
    let mut schemas = Schemas::new();
    let index = compiler.compile("swapadm.json", &mut schemas).unwrap();
    (schemas, index)
}

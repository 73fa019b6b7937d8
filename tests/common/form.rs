//! Compiled JSON schemas.

use boon::{Compiler, SchemaIndex, Schemas};

/// Compiles a schema, ready to check documents against.
pub(crate) fn compile(text: &str) -> (Schemas, SchemaIndex) {
    let schema = serde_json::from_str(text).expect("a schema is JSON");
    let mut compiler = Compiler::new();
    compiler.add_resource("swapadm.json", schema).expect("a name of its own");
    let mut schemas = Schemas::new();
    let index = compiler.compile("swapadm.json", &mut schemas).expect("a schema of JSON");
    (schemas, index)
}

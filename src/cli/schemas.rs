//! The JSON schemas in `schema/` that are written by hand: those of documents that are not tables.

use serde_json::Value;

/// A schema with the name of its file.
#[derive(Debug)]
pub struct WrittenSchema {
    /// The file name in `schema/`, without its ending.
    pub name: &'static str,
    /// The JSON.
    pub text: &'static str,
}

/// A plan with its outcome.
pub const CHANGE: WrittenSchema = WrittenSchema {
    name: "swapadm-change-1",
    text: include_str!("../../schema/swapadm-change-1.schema.json"),
};
/// A stored experiment.
pub const EXPERIMENT: WrittenSchema = WrittenSchema {
    name: "swapadm-experiment-1",
    text: include_str!("../../schema/swapadm-experiment-1.schema.json"),
};
/// The output of `stress run`.
pub const STRESS_RUN: WrittenSchema = WrittenSchema {
    name: "swapadm-stress-run-2",
    text: include_str!("../../schema/swapadm-stress-run-2.schema.json"),
};
/// The output of `experiment run`.
pub const EXPERIMENT_RUN: WrittenSchema = WrittenSchema {
    name: "swapadm-experiment-run-2",
    text: include_str!("../../schema/swapadm-experiment-run-2.schema.json"),
};

/// All of them.
pub const WRITTEN: [WrittenSchema; 4] = [CHANGE, EXPERIMENT, STRESS_RUN, EXPERIMENT_RUN];

impl WrittenSchema {
    /// The required members of the document in the order of the schema, each with its description.
    #[must_use]
    pub fn members(&self) -> Vec<(String, String)> {
        // A test compiles each schema.
        let schema: Value = serde_json::from_str(self.text).unwrap_or_default();
        let names = schema.pointer("/anyOf/0/required").or_else(|| schema.get("required"));
        let names = names.and_then(Value::as_array).into_iter().flatten();
        let described = names.filter_map(Value::as_str).map(|name| {
            let description = schema.pointer(&format!("/properties/{name}/description"));
            (name.to_owned(), description.and_then(Value::as_str).unwrap_or_default().to_owned())
        });
        described.collect()
    }
}

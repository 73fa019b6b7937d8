//! Formats of the JSON documents of `stress run` and `experiment run`: descriptions of their
//! members for the manual, and JSON schemas.

use super::check;
use crate::cli::commands::results::experiment::schema as kept;
use crate::lab::run_spec::TemporaryAreaKind;
use serde_json::{Value, json};

/// The kind of a document of `stress run`.
pub const STRESS: &str = "stress run";
/// The kind of a document of `experiment run`.
pub const EXPERIMENT: &str = "experiment run";

/// The member `checks` of both commands.
const CHECKS: &str = "The checks: id, which is the name for --force if the risk can be accepted; verdict (ok, note, warn or refuse), and text.";

/// The member `end` of a workload.
const END: &str = "How the run ended: done, stopped (by the guard or by a signal) or failed; null if nothing was run.";
/// The member `end` of an experiment.
const SESSION_END: &str = "How the experiment ended: done, stopped (by the guard or by a signal) or failed, which includes a refused run and a setup that could not be made or removed; null if nothing was run.";
/// The outcome of the temporary setup.
const TEMPORARY: &str = "Outcome of the temporary areas and settings: returned (removed again), undone (could not be made) or partial (not all restored: run swapadm recover); null without any.";
/// The outcome of the last temporary setup of an experiment.
const LAST_TEMPORARY: &str = "Outcome of the temporary areas and settings of the last run that had any: returned (removed again), undone (could not be made) or partial (not all restored: run swapadm recover); null without any.";

/// The members of a document of `stress run`.
pub const STRESS_MEMBERS: [(&str, &str); 12] = [
    ("kind", "Always stress run."),
    ("schema", "The version of the format."),
    ("title", "The title of the run."),
    ("guard", "The limits that stop the run, as text."),
    ("steps", "The steps of the temporary setup, as in the journal."),
    ("checks", CHECKS),
    ("run", "The measurements, in the format of results export; null if nothing was run."),
    ("end", END),
    ("why", "Why the run was stopped or failed, or null."),
    ("journal", "The plan of the temporary setup, as numbered in the journal; or null."),
    ("temporary", TEMPORARY),
    ("temporary_why", "Why the temporary setup failed, or null."),
];

/// The members of a document of `experiment run`.
pub const EXPERIMENT_MEMBERS: [(&str, &str); 15] = [
    ("kind", "Always experiment run."),
    ("schema", "The version of the format."),
    ("title", "The name of the experiment."),
    ("question", "The question that it answers."),
    (
        "cases",
        "The cases: name, factors (factor and value), load (the workload), limit (the memory limit in bytes, or null), devices (the sizes of the temporary areas in bytes) and kinds (the kind of each area).",
    ),
    ("order", "The cases in the order of their runs, each as its index from 0."),
    ("checks", CHECKS),
    ("experiment", "The measurements, as stored; null if nothing was run."),
    (
        "table_columns",
        "The columns of the table with their units, as swapadm-results(8); empty if nothing was run.",
    ),
    ("table", "The table, see swapadm-results(8); null if nothing was run."),
    ("changes", "The differences between cases, see swapadm-results(8); empty if nothing was run."),
    ("published", kept::PUBLISHED),
    ("end", SESSION_END),
    (
        "why",
        "Why the experiment ended early or its temporary setup was not removed, or else why its first unfinished run ended; null if end is done.",
    ),
    ("temporary", LAST_TEMPORARY),
];

/// The JSON schema of `stress run`.
pub fn stress_schema() -> Value {
    let definitions = json!({ "check": check() });
    let title = "What swapadm stress run prints with --json";
    document(title, (&STRESS_MEMBERS, stress_form), definitions)
}

/// The JSON schema of `experiment run`.
pub fn experiment_schema() -> Value {
    let mut definitions = kept::definitions();
    if let Some(known) = definitions.as_object_mut() {
        known.insert("check".to_owned(), check());
        known.insert("planned_case".to_owned(), planned_case());
        known.insert("kept".to_owned(), kept::stored_form());
    }
    let title = "What swapadm experiment run prints with --json";
    document(title, (&EXPERIMENT_MEMBERS, experiment_form), definitions)
}

/// The members of a document, with their descriptions, and the format of each.
type Members<'m> = (&'m [(&'static str, &'static str)], fn(&str) -> Value);

fn document(title: &str, (members, form): Members<'_>, definitions: Value) -> Value {
    let mut document = kept::object_schema(&kept::with_descriptions(members, form));
    if let Some(known) = document.as_object_mut() {
        known.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
        known.insert("title".to_owned(), title.into());
        known.insert("$defs".to_owned(), definitions);
    }
    document
}

/// Version of the documents of `stress run` and `experiment run`. Stored results have versions of their own.
pub const DOCUMENT_SCHEMA: u32 = 2;

fn stress_form(member: &str) -> Value {
    let step = json!({ "type": "object", "required": ["kind"] });
    match member {
        "kind" => json!({ "const": STRESS }),
        "schema" => json!({ "const": DOCUMENT_SCHEMA }),
        "guard" => json!({ "type": "array", "items": { "type": "string" } }),
        "steps" => json!({ "type": "array", "items": step }),
        "checks" => list_of("check"),
        "run" => json!({ "type": ["object", "null"] }),
        "journal" => json!({ "type": ["integer", "null"] }),
        "why" | "temporary_why" => json!({ "type": ["string", "null"] }),
        other => end_form(other).unwrap_or_else(|| json!({ "type": "string" })),
    }
}

fn experiment_form(member: &str) -> Value {
    match member {
        "kind" => json!({ "const": EXPERIMENT }),
        "schema" => json!({ "const": DOCUMENT_SCHEMA }),
        "cases" => list_of("planned_case"),
        "checks" => list_of("check"),
        "experiment" => or_null("kept"),
        "table" => json!({ "anyOf": [{ "type": "null" }, kept::member_schema(member)] }),
        other => end_form(other).unwrap_or_else(|| kept::member_schema(other)),
    }
}

/// The format of the end, of both documents.
fn end_form(member: &str) -> Option<Value> {
    match member {
        "end" => Some(json!({ "enum": ["done", "stopped", "failed", null] })),
        "temporary" => Some(json!({ "enum": ["returned", "undone", "partial", null] })),
        _ => None,
    }
}

fn list_of(name: &str) -> Value {
    json!({ "type": "array", "items": { "$ref": format!("#/$defs/{name}") } })
}

fn or_null(name: &str) -> Value {
    json!({ "anyOf": [{ "type": "null" }, { "$ref": format!("#/$defs/{name}") }] })
}

/// The format of a planned case.
fn planned_case() -> Value {
    let text = json!({ "type": "string" });
    let bytes = json!({ "type": "array", "items": { "type": "integer", "minimum": 0 } });
    let kinds = json!({ "type": "array", "items": { "enum": TemporaryAreaKind::WORDS.map(|(word, _)| word) } });
    kept::object_schema(&json!({
        "name": text,
        "factors": list_of("level"),
        "load": text,
        "limit": { "type": ["integer", "null"], "minimum": 0 },
        "devices": bytes,
        "kinds": kinds,
    }))
}

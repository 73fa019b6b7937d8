//! The form of what commands print with `--json` that run loads: members in words, for the manual,
//! and JSON schemas.

use super::check;
use crate::cli::commands::results::experiment::schema as kept;
use crate::lab::run_spec::TemporaryAreaKind;
use crate::model::{experiment, run};
use serde_json::{Value, json};

/// What a document of `stress run` calls itself.
pub const STRESS: &str = "stress run";
/// The same of `experiment run`.
pub const EXPERIMENT: &str = "experiment run";

/// What was looked at, in both.
const CHECKS: &str = "What was looked at: id, which is the name for --force where that takes it, verdict (ok, note, warn, refuse) and text.";

/// How what was run ended.
const END: &str = "How what was run ended: done, stopped, by a guard or by whoever interrupted it, or failed; null where nothing ran.";
/// The same of an experiment, which more can put an end to.
const SESSION_END: &str = "How all of it ended: done, stopped, by a guard or by whoever interrupted it, or failed, also where a run was refused, could not be lent what it needs or did not give all of it back; null where nothing ran.";
/// What became of what was lent.
const TEMPORARY: &str = "What became of what it was lent: returned, undone, which is that it could not be lent, or partial, which is that not all is as it was: recover looks at it; null where nothing was lent.";
/// The same of an experiment, of which some runs may be lent nothing.
const LAST_TEMPORARY: &str = "What became of what was lent last: returned, undone, which is that it could not be lent, or partial, which is that not all is as it was: recover looks at it; null where no run was lent anything.";

/// What `stress run` tells.
pub const STRESS_MEMBERS: [(&str, &str); 12] = [
    ("kind", "stress run: what this document is of."),
    ("schema", "The version of the form."),
    ("title", "What the run is called."),
    ("rails", "What ends it, in words."),
    ("steps", "What it is lent, as the journal has it."),
    ("checks", CHECKS),
    (
        "run",
        "What was measured, in the form that results export prints of a run; null where nothing ran.",
    ),
    ("end", END),
    ("why", "Why it was stopped or failed, or null."),
    ("journal", "The number of the plan that lent it something; null without one."),
    ("lent", TEMPORARY),
    ("lent_why", "Why that became of it, or null."),
];

/// What `experiment run` tells.
pub const EXPERIMENT_MEMBERS: [(&str, &str); 15] = [
    ("kind", "experiment run: what this document is of."),
    ("schema", "The version of the form."),
    ("title", "What the experiment is called."),
    ("question", "What it answers."),
    (
        "cases",
        "Case by case its name, its factors (each with factor and value), its load, the limit of its cage in bytes (null without one), devices, which are the sizes in bytes of the areas that are made for it, and kinds, what carries each of those.",
    ),
    ("order", "Which case is run when, by its place from 0 on."),
    ("checks", CHECKS),
    ("experiment", "What was measured, as it is kept; null where nothing ran."),
    (
        "table_columns",
        "The columns of its table with their units, as swapadm-results(8) describes them; none where nothing ran.",
    ),
    ("table", "Its table, as described there; null where nothing ran."),
    ("changes", "How cases differ, as described there; none where nothing ran."),
    ("published", kept::PUBLISHED),
    ("end", SESSION_END),
    (
        "why",
        "Why it ended early or not all was given back, or else why the first of its runs that was not done ended so; null where end is done.",
    ),
    ("lent", LAST_TEMPORARY),
];

/// The JSON schema of the one.
pub fn stress_schema() -> Value {
    let definitions = json!({ "check": check() });
    let title = "What swapadm stress run prints with --json";
    document(title, (&STRESS_MEMBERS, stress_form), definitions)
}

/// The JSON schema of the other.
pub fn experiment_schema() -> Value {
    let mut definitions = kept::definitions();
    if let Some(known) = definitions.as_object_mut() {
        known.insert("check".to_owned(), check());
        known.insert("foreseen".to_owned(), planned_case());
        known.insert("kept".to_owned(), kept::stored_form());
    }
    let title = "What swapadm experiment run prints with --json";
    document(title, (&EXPERIMENT_MEMBERS, experiment_form), definitions)
}

/// Members with what they mean, and their forms.
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

fn stress_form(member: &str) -> Value {
    let step = json!({ "type": "object", "required": ["kind"] });
    match member {
        "kind" => json!({ "const": STRESS }),
        "schema" => json!({ "const": run::SCHEMA }),
        "rails" => json!({ "type": "array", "items": { "type": "string" } }),
        "steps" => json!({ "type": "array", "items": step }),
        "checks" => list_of("check"),
        "run" => json!({ "type": ["object", "null"] }),
        "journal" => json!({ "type": ["integer", "null"] }),
        "why" | "lent_why" => json!({ "type": ["string", "null"] }),
        other => end_form(other).unwrap_or_else(|| json!({ "type": "string" })),
    }
}

fn experiment_form(member: &str) -> Value {
    match member {
        "kind" => json!({ "const": EXPERIMENT }),
        "schema" => json!({ "const": experiment::SCHEMA }),
        "cases" => list_of("foreseen"),
        "checks" => list_of("check"),
        "experiment" => or_null("kept"),
        "table" => json!({ "anyOf": [{ "type": "null" }, kept::member_schema(member)] }),
        other => end_form(other).unwrap_or_else(|| kept::member_schema(other)),
    }
}

/// The form of how it ended, in both.
fn end_form(member: &str) -> Option<Value> {
    match member {
        "end" => Some(json!({ "enum": ["done", "stopped", "failed", null] })),
        "lent" => Some(json!({ "enum": ["returned", "undone", "partial", null] })),
        _ => None,
    }
}

fn list_of(name: &str) -> Value {
    json!({ "type": "array", "items": { "$ref": format!("#/$defs/{name}") } })
}

fn or_null(name: &str) -> Value {
    json!({ "anyOf": [{ "type": "null" }, { "$ref": format!("#/$defs/{name}") }] })
}

/// A case that would be run.
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

//! The form of what programs are told of an experiment: its JSON schema, and its members in words.

use super::document::KIND;
use crate::derive::statistics::DifferenceVerdict;
use crate::model::experiment::SCHEMA;
use crate::report::json;
use serde_json::{Map, Value, json};

/// What is told of published figures.
pub const PUBLISHED: &str = "What others have measured: machine, which says on what and what is different here; heads; names, which is how many of those name a row; and rows, as text. Null where nothing is known.";

/// What an exported experiment consists of.
pub const MEMBERS: [(&str, &str); 19] = [
    ("kind", "experiment: that tells it apart from a run."),
    (
        "schema",
        "The version of the form; it grows when a member is removed or changes its meaning.",
    ),
    ("version", "The version of swapadm that wrote it."),
    ("id", "Its number among the results; 0 where it is not kept."),
    ("at_ms", "When it began, in milliseconds since 1970, UTC."),
    ("title", "What it is called."),
    ("question", "What it answers."),
    ("seed", "Where the order of its runs comes from, and all chance in them."),
    ("repetitions", "How often each case was to be run."),
    ("order", "Which case was to be run when, by its place from 0 on."),
    ("columns", "The figures that its table shows."),
    (
        "across",
        "The factor whose values stand beside each other in the second table that is shown, with figures of table; null where there is no such table.",
    ),
    ("notes", "What should be known to those who read it."),
    (
        "cases",
        "Case by case its name, its factors (each with factor and value) and its run: what was measured, in the form that export prints of a run; null where it was not reached.",
    ),
    ("why", "Why it ended before its last run; null where it did not."),
    (
        "table_columns",
        "The columns of the table, in the order of --csv: id and unit, which is null where no run has such a figure.",
    ),
    (
        "table",
        "A row for each case: its factors; of each figure the mean, under _deviation the sample standard deviation, under _count how many repetitions have it and under _unit what its numbers count; of each area what was used of it, and under _priority its priority; and under run_ what its run ran with: kernel, policy, memory, cpus, limit, areas and settings, as the table of a run has them. missing has the reason for each that is null.",
    ),
    (
        "changes",
        "By how much each figure differs between two cases that differ in one factor, which has value in the one and against in the other; others are the same in both. by is in unit and change in percent of the figure against which it is told; _low and _high are where each lies, 95 % certain. What cannot be told is null, and missing has the reason.",
    ),
    ("published", PUBLISHED),
];

/// The JSON schema of an exported experiment.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What swapadm results prints of an experiment with show --json and export",
        "type": "object",
        "required": MEMBERS.map(|(member, _)| member),
        "additionalProperties": false,
        "properties": with_descriptions(&MEMBERS, member_schema),
        "$defs": definitions(),
    })
}

/// The form of an experiment by itself: without its kind and what follows from it.
pub fn stored_form() -> Value {
    let beside = ["kind", "table_columns", "table", "changes", "published"];
    let own = MEMBERS.into_iter().filter(|(member, _)| !beside.contains(member));
    object_schema(&with_descriptions(&own.collect::<Vec<_>>(), member_schema))
}

/// Members with their forms and what they mean.
pub fn with_descriptions(members: &[(&'static str, &'static str)], form_of: fn(&str) -> Value) -> Value {
    let known = members.iter().map(|(member, meaning)| {
        let mut form = form_of(member);
        if let Some(form) = form.as_object_mut() {
            form.insert("description".to_owned(), (*meaning).into());
        }
        ((*member).to_owned(), form)
    });
    Value::Object(known.collect())
}

/// The form of one of them.
pub fn member_schema(member: &str) -> Value {
    match member {
        "kind" => json!({ "const": KIND }),
        "schema" => json!({ "const": SCHEMA }),
        "id" | "at_ms" | "seed" | "repetitions" => json!({ "type": "integer" }),
        "order" => json!({ "type": "array", "items": { "type": "integer" } }),
        "columns" | "notes" => json!({ "type": "array", "items": { "type": "string" } }),
        "cases" => json!({ "type": "array", "items": { "$ref": "#/$defs/case" } }),
        "why" | "across" => json!({ "type": ["string", "null"] }),
        "table_columns" => json!({ "type": "array", "items": { "$ref": "#/$defs/column" } }),
        "table" => json!({ "type": "array", "items": { "$ref": "#/$defs/row" } }),
        "changes" => json!({ "type": "array", "items": { "$ref": "#/$defs/change" } }),
        "published" => json!({ "anyOf": [{ "$ref": "#/$defs/published" }, { "type": "null" }] }),
        _ => json!({ "type": "string" }),
    }
}

/// What those forms are made of.
pub fn definitions() -> Value {
    let text = json!({ "type": "string" });
    let levels = json!({ "type": "array", "items": { "$ref": "#/$defs/level" } });
    let run = json!({ "type": ["object", "null"], "description": "Its form goes with the program's version." });
    json!({
        "reason": json::reason_schema(),
        "missing": {
            "type": "object",
            "description": "Why a value beside it is null, by its name.",
            "additionalProperties": { "$ref": "#/$defs/reason" },
        },
        "level": object_schema(&json!({ "factor": text, "value": text })),
        "case": object_schema(&json!({ "name": text, "factors": levels, "run": run })),
        "column": object_schema(&json!({ "id": text, "unit": { "type": ["string", "null"] } })),
        "row": {
            "type": "object",
            "properties": { "missing": { "$ref": "#/$defs/missing" } },
            "additionalProperties": { "type": ["number", "string", "array", "null"] },
        },
        "published": object_schema(&published(&text)),
        "change": object_schema(&change(&text, &levels)),
    })
}

fn published(text: &Value) -> Value {
    let texts = json!({ "type": "array", "items": text });
    json!({
        "machine": text,
        "heads": texts,
        "names": { "type": "integer" },
        "rows": { "type": "array", "items": texts },
    })
}

fn change(text: &Value, levels: &Value) -> Value {
    let number = json!({ "type": ["number", "null"] });
    json!({
        "factor": text,
        "value": text,
        "against": text,
        "others": levels,
        "figure": text,
        "unit": text,
        "by": number,
        "by_low": number,
        "by_high": number,
        "change": number,
        "change_low": number,
        "change_high": number,
        "verdict": { "enum": verdicts() },
        "missing": { "$ref": "#/$defs/missing" },
    })
}

/// An object that has these members and no others: all of them, but that with the reasons, which
/// is there only where something is null.
pub fn object_schema(members: &Value) -> Value {
    let names = members.as_object().into_iter().flat_map(Map::keys);
    let names: Vec<&String> = names.filter(|name| *name != "missing").collect();
    json!({
        "type": "object",
        "required": names,
        "additionalProperties": false,
        "properties": members,
    })
}

fn verdicts() -> Vec<Option<&'static str>> {
    DifferenceVerdict::ALL.iter().map(|(verdict, _)| Some(verdict.words())).chain([None]).collect()
}

//! The JSON schema of an exported experiment, and the description of its members for the manual.

use super::document::KIND;
use crate::derive::statistics::DifferenceVerdict;
use crate::model::experiment::SCHEMA;
use crate::report::json;
use serde_json::{Map, Value, json};

/// The description of published figures.
pub const PUBLISHED: &str = "Published figures: machine, on which they were measured and what differs here; heads, the headings; names, the number of headings that name a row; and rows, as text. Null if none are known.";

/// The members of an exported experiment.
pub const MEMBERS: [(&str, &str); 19] = [
    ("kind", "experiment, as opposed to a run."),
    (
        "schema",
        "The version of the format, which increases when a member is removed or changes its meaning.",
    ),
    ("version", "The version of swapadm that wrote it."),
    ("id", "Its number among the results; 0 if it is not stored."),
    ("at_ms", "When it began, in milliseconds since 1970, UTC."),
    ("title", "Its title."),
    ("question", "The question that it answers."),
    ("seed", "The random seed, of the order of runs and of the runs themselves."),
    ("repetitions", "The planned number of repetitions of each case."),
    ("order", "The planned order of runs: positions of cases, counted from 0."),
    ("columns", "The figures in its table."),
    (
        "across",
        "The factor whose values are side by side in a second table, whose figures are from table; null without such a table.",
    ),
    ("notes", "Notes for readers."),
    (
        "cases",
        "The cases: each with its name, its factors (factor and value) and its run: the measurement, in the format that export prints for a run; null if it was not reached.",
    ),
    ("why", "Why it ended before its last run; null if it did not."),
    (
        "table_columns",
        "The columns of the table, in the order of --csv: id and unit, which is null if no run has this figure.",
    ),
    (
        "table",
        "A row for each case: its factors; for each figure the mean, under _deviation the sample standard deviation, under _count the number of repetitions that have it, and under _unit its unit; for each area the use, and under _priority its priority; and under run_ the setup of the run: kernel, policy, memory, cpus, limit, areas and settings, as in the table of a run. missing has the reason for each null.",
    ),
    (
        "changes",
        "The difference of each figure between two cases that differ in one factor, which has value in the one and against in the other; others has the factors that are equal in both. by is in unit and change in percent of the figure in the case with against; _low and _high are the ends of the 95% confidence interval. A value that cannot be calculated is null, and missing has the reason.",
    ),
    ("published", PUBLISHED),
];

/// The JSON schema of an exported experiment.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An experiment, as printed by swapadm results show --json and export",
        "type": "object",
        "required": MEMBERS.map(|(member, _)| member),
        "additionalProperties": false,
        "properties": with_descriptions(&MEMBERS, member_schema),
        "$defs": definitions(),
    })
}

/// The schema of a stored experiment: without its kind and the derived members.
pub fn stored_form() -> Value {
    let beside = ["kind", "table_columns", "table", "changes", "published"];
    let own = MEMBERS.into_iter().filter(|(member, _)| !beside.contains(member));
    object_schema(&with_descriptions(&own.collect::<Vec<_>>(), member_schema))
}

/// The schemas of members, with their descriptions.
pub fn with_descriptions(
    members: &[(&'static str, &'static str)],
    form_of: fn(&str) -> Value,
) -> Value {
    let known = members.iter().map(|(member, meaning)| {
        let mut form = form_of(member);
        if let Some(form) = form.as_object_mut() {
            form.insert("description".to_owned(), (*meaning).into());
        }
        ((*member).to_owned(), form)
    });
    Value::Object(known.collect())
}

/// The schema of a member.
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

/// The definitions that the schemas of members refer to.
pub fn definitions() -> Value {
    let text = json!({ "type": "string" });
    let levels = json!({ "type": "array", "items": { "$ref": "#/$defs/level" } });
    let run = json!({ "type": ["object", "null"], "description": "The format belongs to the version of the program." });
    json!({
        "reason": json::reason_schema(),
        "missing": {
            "type": "object",
            "description": "Why values are null, by their names.",
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

/// The schema of an object with exactly these members; `missing` is optional, as it is present only if
/// something is null.
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
    DifferenceVerdict::ALL.iter().map(|verdict| Some(verdict.word())).chain([None]).collect()
}
